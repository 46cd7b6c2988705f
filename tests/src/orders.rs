//! The partition `orders-0` of the page: its settings, its records, and short names for numbers.

use partition_log::config::Settings;
use partition_log::format::batch::NewBatch;
use partition_log::rules::fetch::Isolation;
use partition_log::{
    Appended, Consumer, LogError, Offset, Partition, Position, ReadOutcome, Step, TimeTarget, TimestampMs,
};

/// Sizes in bytes of the records 0 to 19, and of four more that only the lab appends.
pub const SIZES: [u64; 24] = [
    40, 55, 35, 60, 35, 45, 70, 45, 35, 50, 60, 45, 35, 60, 40, 55, 65, 40, 45, 35, 65, 55, 45, 35,
];

/// The settings of the page: 300 B and 30 s a segment, an index entry each 80 B, 60 s of retention, fetches of 150 B,
/// checks each 10 s from 5 s on, 10 s until a deleted file goes.
pub fn settings() -> Settings {
    Settings {
        segment_bytes: 300,
        segment_ms: 30_000,
        index_interval_bytes: 80,
        retention_ms: 60_000,
        retention_bytes: -1,
        max_partition_fetch_bytes: 150,
        initial_task_delay_ms: 5_000,
        retention_check_interval_ms: 10_000,
        file_delete_delay_ms: 10_000,
        ..Settings::default()
    }
}

/// An offset.
///
/// # Panics
///
/// Below 0.
pub fn offset(value: i64) -> Offset {
    Offset::new(value).expect("an offset is not negative")
}

/// A time in whole seconds.
///
/// # Panics
///
/// Below 0.
pub fn seconds(value: i64) -> TimestampMs {
    TimestampMs::new(value * 1000).expect("a time is not negative")
}

/// An outcome that must be one.
///
/// # Panics
///
/// If it is a refusal.
pub fn done<T, E: std::fmt::Display>(outcome: Result<T, E>) -> T {
    outcome.unwrap_or_else(|error| panic!("refused: {error}"))
}

/// The partition and what its tests do to it, in seconds and plain numbers.
#[derive(Clone, Debug)]
pub struct Run {
    /// The partition.
    pub partition: Partition,
    /// A consumer of it.
    pub consumer: Consumer,
}

impl Run {
    /// An empty partition.
    pub fn new(settings: Settings) -> Run {
        Run::of(done(Partition::create(settings, 0)))
    }

    /// A partition with a consumer that has done nothing yet.
    pub fn of(partition: Partition) -> Run {
        Run {
            consumer: Consumer::new(partition.state().settings()),
            partition,
        }
    }

    /// The records from 0 up to `end` of the table, each at its time: 2 s for offset 0, then every 2 s.
    pub fn filled(settings: Settings, end: usize) -> Run {
        let mut run = Run::new(settings);
        run.append_table(0, end);
        run
    }

    /// All twenty records of the page.
    pub fn s20() -> Run {
        Run::filled(settings(), 20)
    }

    /// Appends the records `from` up to `end` of the table at their times.
    pub fn append_table(&mut self, from: usize, end: usize) {
        for (index, size) in SIZES.iter().enumerate().take(end).skip(from) {
            self.append_at(2 * index as i64 + 2, *size);
        }
    }

    /// Moves the clock and runs what is due at that instant too.
    pub fn at(&mut self, second: i64) {
        self.move_to(second);
        done(self.partition.settle());
    }

    /// Moves the clock; what is due at that very instant waits.
    pub fn move_to(&mut self, second: i64) {
        done(self.partition.advance_to(seconds(second)));
    }

    /// Appends a message of format v1 that carries the clock's time.
    pub fn append_at(&mut self, second: i64, size: u64) -> (Appended, Vec<Step>) {
        self.append_stamped(second, size, Some(second))
    }

    /// Appends a message of format v1 that carries another time, or none.
    pub fn append_stamped(&mut self, second: i64, size: u64, stamp: Option<i64>) -> (Appended, Vec<Step>) {
        self.move_to(second);
        self.append(&NewBatch::Message {
            size,
            timestamp: stamp.map(seconds),
            key: None,
        })
    }

    /// Appends a batch of format v2 that carries the clock's time.
    pub fn append_batch_at(&mut self, second: i64, records: u32, size: u64) -> (Appended, Vec<Step>) {
        self.move_to(second);
        self.append(&NewBatch::Batch {
            records,
            size,
            timestamp: Some(seconds(second)),
            key: None,
            headers: 0,
            producer: None,
        })
    }

    /// Appends, and gives what came of it with the steps.
    pub fn append(&mut self, batch: &NewBatch) -> (Appended, Vec<Step>) {
        let trace = self.partition.trace(|partition| partition.append(batch));
        (done(trace.outcome), trace.steps)
    }

    /// Fetches with a limit.
    pub fn fetch(&mut self, from: i64, limit: u64) -> ReadOutcome {
        done(self.partition.fetch(offset(from), Some(limit)))
    }

    /// Searches for a second.
    pub fn find(&mut self, second: i64) -> ReadOutcome {
        done(self.partition.find_time(seconds(second)))
    }

    /// Looks one of the special targets up, as a consumer of all records.
    pub fn ask(&mut self, target: TimeTarget) -> ReadOutcome {
        done(self.partition.find_time_with(target, Isolation::HighWatermark))
    }

    /// Lets the consumer poll.
    ///
    /// # Errors
    ///
    /// Its exception.
    pub fn poll(&mut self) -> Result<ReadOutcome, LogError> {
        self.consumer.poll(&mut self.partition).map(|polled| polled.read)
    }

    /// Lets the consumer come back, and poll.
    ///
    /// # Errors
    ///
    /// Its exception.
    pub fn come_back(&mut self) -> Result<ReadOutcome, LogError> {
        self.consumer.restart(&mut self.partition).map(|polled| polled.read)
    }

    /// Base offsets, oldest first.
    pub fn bases(&self) -> Vec<i64> {
        self.partition.state().bases().map(Offset::get).collect()
    }

    /// Sizes of the live `.log` files, oldest first.
    pub fn sizes(&self) -> Vec<u64> {
        let state = self.partition.state();
        state.bases().map(|base| state.segment_size(base)).collect()
    }

    /// Log start offset, high watermark and log end offset.
    pub fn marks(&self) -> (i64, i64, i64) {
        let state = self.partition.state();
        (
            state.log_start().get(),
            state.high_watermark().get(),
            state.log_end().get(),
        )
    }

    /// The offset index of a segment: relative offset and position.
    pub fn index(&self, base: i64) -> Vec<(u32, u32)> {
        let entries = self.partition.state().offset_entries(offset(base));
        entries
            .iter()
            .map(|entry| (entry.relative.get(), entry.position.get()))
            .collect()
    }

    /// The time index of a segment: whole seconds and relative offset.
    pub fn time_index(&self, base: i64) -> Vec<(i64, u32)> {
        let entries = self.partition.state().time_entries(offset(base));
        entries
            .iter()
            .map(|entry| (entry.timestamp.get() / 1000, entry.relative.get()))
            .collect()
    }

    /// The names and lengths of the segments' files, as a directory listing shows them; beside them a partition has
    /// snapshots of its producers and its leader epochs.
    pub fn listing(&self) -> Vec<(String, u64)> {
        use partition_log::disk::{FileKind, Vfs};
        let files = self.partition.state().files();
        let mut listing: Vec<_> = files
            .list()
            .into_iter()
            .filter(|file| FileKind::OF_EVERY_SEGMENT.contains(&file.kind))
            .map(|file| (file.to_string(), files.apparent_size(file).unwrap_or(0)))
            .collect();
        listing.sort();
        listing
    }
}

/// What a read found, in plain numbers: answer, position of its batch, records, bytes kept, next offset.
pub fn read(outcome: &ReadOutcome) -> (Option<i64>, Option<u32>, u32, u64, Option<i64>) {
    (
        outcome.answer.map(Offset::get),
        outcome.position.map(Position::get),
        outcome.records,
        outcome.bytes,
        outcome.next.map(Offset::get),
    )
}
