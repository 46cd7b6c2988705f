//! The workloads.

use core::fmt;

use partition_log::config::Settings;
use partition_log::format::batch::NewBatch;
use partition_log::operations::load::StartOptions;
use partition_log::{AppendOptions, FetchOptions, Offset, Partition, PartitionState, TimestampMs};

/// Records of a segment in a workload that counts segments; each is a batch of [`SMALL`] B.
const BATCHES: u64 = 10;
/// A small batch, in bytes.
const SMALL: u64 = 100;
/// A large one.
const LARGE: u64 = 1_000;
/// Appends before a log begins anew: it must not outgrow the memory.
const APPENDS: i64 = 100_000;
/// Batches that a producer has ready: as many as a processor's cache can hold.
const SENT: u64 = 1_000;
/// `segment.bytes` while appends are measured.
const APPEND_SEGMENT: i64 = 16 << 20;

/// Something to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// A leader appends a batch of one record in format v2, as a producer has sent it: checked, given its offset, written.
    Append {
        /// Its size in bytes.
        size: u64,
    },
    /// A fetch at a random offset that gets one batch: the segment is looked up, its index, and the batch.
    Fetch {
        /// Segments in the log.
        segments: u64,
    },
    /// A search for a random timestamp.
    FindTime {
        /// Segments in the log.
        segments: u64,
    },
    /// One retention check that deletes all segments, and the removal of their files.
    Retention {
        /// Segments in the log.
        segments: u64,
    },
    /// A crash, and a start that checks every batch and makes all indexes anew.
    Recovery {
        /// Size of the log, in batches of 1,000 B.
        batches: u64,
    },
}

impl fmt::Display for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Workload::Append { size } => write!(f, "append-{size}"),
            Workload::Fetch { segments } => write!(f, "fetch-{segments}"),
            Workload::FindTime { segments } => write!(f, "find-time-{segments}"),
            Workload::Retention { segments } => write!(f, "retention-{segments}"),
            Workload::Recovery { batches } => write!(f, "recovery-{}MB", batches * LARGE / 1_000_000),
        }
    }
}

impl Workload {
    /// All of them, in the order of the table.
    pub const ALL: [Workload; 12] = [
        Workload::Append { size: SMALL },
        Workload::Append { size: LARGE },
        Workload::Fetch { segments: 10 },
        Workload::Fetch { segments: 1_000 },
        Workload::Fetch { segments: 100_000 },
        Workload::FindTime { segments: 10 },
        Workload::FindTime { segments: 1_000 },
        Workload::FindTime { segments: 100_000 },
        Workload::Retention { segments: 10 },
        Workload::Retention { segments: 1_000 },
        Workload::Retention { segments: 100_000 },
        Workload::Recovery { batches: 64_000 },
    ];

    /// Its name, without spaces.
    pub fn name(&self) -> String {
        self.to_string()
    }

    /// The state from which it is measured.
    pub fn prepare(&self) -> Prepared {
        let partition = match *self {
            Workload::Append { .. } => create(appending()),
            Workload::Recovery { batches } => {
                let mut partition = create(appending());
                for _ in 0..batches {
                    append(&mut partition, LARGE);
                }
                partition
            }
            Workload::Fetch { segments } | Workload::FindTime { segments } | Workload::Retention { segments } => {
                log_of(segments)
            }
        };
        let mut prepared = Prepared {
            workload: *self,
            end: partition.state().log_end().get() as u64,
            partition,
            drawn: 1,
            sent: Vec::new(),
            left: 0,
        };
        prepared.refill();
        prepared
    }
}

/// A workload that can run.
pub struct Prepared {
    workload: Workload,
    partition: Partition,
    end: u64,
    drawn: u64,
    /// What a producer sends next, batch after batch.
    sent: Vec<u8>,
    left: u64,
}

impl Prepared {
    /// How many operations it is good for; then it has to be renewed.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Makes it good for more operations, which takes time that is not to be measured.
    pub fn renew(&mut self) {
        let outgrown = match self.workload {
            Workload::Append { .. } => self.partition.state().log_end().get() >= APPENDS,
            _ => true,
        };
        if outgrown {
            *self = self.workload.prepare();
        } else {
            self.refill();
        }
    }

    fn refill(&mut self) {
        self.left = match self.workload {
            Workload::Append { size } => {
                self.sent = sent(self.partition.state(), size);
                SENT
            }
            Workload::Fetch { .. } | Workload::FindTime { .. } | Workload::Recovery { .. } => u64::MAX,
            Workload::Retention { .. } => 1,
        };
    }

    /// The partition.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Does so many of its operations; a sum of what they answered, so that none can be left out.
    ///
    /// # Panics
    ///
    /// When an operation fails, and when it is not good for so many.
    pub fn run(&mut self, times: u64) -> u64 {
        let sum = (0..times).fold(0, |sum: u64, done| sum.wrapping_add(self.step(done)));
        self.left -= times;
        sum
    }

    fn step(&mut self, done: u64) -> u64 {
        match self.workload {
            Workload::Append { size } => {
                let from = (SENT - self.left + done) as usize * size as usize;
                let batch = &self.sent[from..from + size as usize];
                let appended = self.partition.append_records(batch, AppendOptions::default());
                appended.expect("a batch that fits").last_offset.get() as u64
            }
            Workload::Fetch { .. } => {
                let offset = Offset::new(self.draw() as i64).expect("not negative");
                let fetched = self.partition.fetch_with(offset, FetchOptions::limited(Some(1)));
                fetched.expect("a readable offset").bytes
            }
            Workload::FindTime { .. } => {
                let target = TimestampMs::new(self.draw() as i64).expect("not negative");
                let found = self.partition.find_time(target).expect("a sound log");
                found.answer.map_or(0, |offset| offset.get() as u64)
            }
            Workload::Retention { segments } => {
                let deleted = self.partition.check_retention().expect("a sound log").deleted;
                assert_eq!(deleted.len() as u64, segments);
                let later = TimestampMs::new(self.partition.state().clock().get() + 60_001).expect("not negative");
                self.partition.advance_to(later).expect("time goes on");
                deleted.len() as u64
            }
            Workload::Recovery { .. } => {
                self.partition.crash(0).expect("a running broker");
                let all = StartOptions {
                    recovery_point: Some(Offset::ZERO),
                    ..StartOptions::default()
                };
                self.partition.start(all).expect("a sound log");
                assert_eq!(self.partition.state().log_end().get() as u64, self.end);
                self.end
            }
        }
    }

    /// The next number below the log end (SplitMix64).
    fn draw(&mut self) -> u64 {
        self.drawn = self.drawn.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.drawn;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % self.end
    }
}

/// The settings while appends are measured.
fn appending() -> Settings {
    Settings {
        segment_bytes: APPEND_SEGMENT,
        ..Settings::default()
    }
}

fn create(settings: Settings) -> Partition {
    Partition::create(settings, 0).expect("sound settings")
}

fn batch(size: u64, timestamp: i64) -> NewBatch {
    NewBatch::Batch {
        records: 1,
        size,
        timestamp: TimestampMs::stored(timestamp),
        key: None,
        headers: 0,
        producer: None,
    }
}

fn append(partition: &mut Partition, size: u64) {
    let batch = batch(size, partition.state().log_end().get());
    partition.append(&batch).expect("a batch that fits");
}

/// As many batches as [`SENT`] says, back to back.
fn sent(state: &PartitionState, size: u64) -> Vec<u8> {
    let first = state.log_end().get();
    let sent = |more| {
        state
            .sent(&batch(size, first + more))
            .expect("a batch that can be built")
    };
    (0..SENT as i64).map(sent).collect::<Vec<_>>().concat()
}

/// A log of so many full segments whose record at offset n has the timestamp n, and that a retention check would delete.
fn log_of(segments: u64) -> Partition {
    let mut partition = create(Settings {
        segment_bytes: (BATCHES * SMALL) as i64,
        index_interval_bytes: 250,
        segment_index_bytes: 1_200,
        retention_ms: 1,
        // The checks are the workload's own.
        initial_task_delay_ms: i64::MAX,
        ..Settings::default()
    });
    for _ in 0..segments * BATCHES {
        append(&mut partition, SMALL);
    }
    let past = partition.state().log_end().get() + 10;
    let past = TimestampMs::new(past).expect("not negative");
    partition.advance_to(past).expect("time goes on");
    partition
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_has_as_many_segments_as_asked_for() {
        assert_eq!(log_of(7).state().bases().count(), 7);
    }

    #[test]
    fn every_workload_of_a_small_size_runs() {
        for workload in Workload::ALL
            .into_iter()
            .filter(|workload| !workload.name().ends_with("100000"))
        {
            assert!(workload.prepare().run(1) < u64::MAX, "{workload}");
        }
    }
}
