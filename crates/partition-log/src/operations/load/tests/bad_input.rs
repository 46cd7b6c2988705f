//! Files that were damaged in every place: a start ends, and so does whatever is asked of the log then.

use super::*;
use crate::PartitionState;
use crate::format::batch::{EndTransaction, end_transaction_marker};
use crate::operations::TimeTarget;
use crate::operations::load::Damage;
use crate::rules::fetch::Isolation;

/// Three segments with entries in every index, a snapshot, and two leader epochs.
fn stopped() -> Partition {
    let mut bench = Bench::with(Settings {
        segment_bytes: 400,
        segment_index_bytes: 60,
        index_interval_bytes: 90,
        ..Settings::default()
    });
    for round in 0..3 {
        let producer = |sequence| NewProducer {
            id: 7,
            epoch: 0,
            sequence,
            transactional: true,
        };
        bench.run(|partition| partition.set_leader_epoch(round));
        bench.run(|partition| partition.append(&batch(Some(producer(2 * round)))));
        bench.run(|partition| partition.append(&batch(Some(producer(2 * round + 1)))));
        let bytes = end_transaction_marker(&EndTransaction {
            base_offset: bench.log_end(),
            leader_epoch: round,
            timestamp: 5,
            producer_id: 7,
            producer_epoch: 0,
            coordinator_epoch: 0,
            commit: false,
        });
        bench.copy(&bytes);
        bench.append(1);
    }
    assert_eq!(bench.bases(), [0, 4, 8]);
    bench.run(Partition::stop);
    bench.partition
}

/// Starts, and asks for all that can be asked. Whatever is answered, it is an answer, and its steps tell every change.
fn exercise(partition: &Partition, options: StartOptions) -> bool {
    let mut pair = Replayed {
        partition: partition.clone(),
        replayed: partition.state().clone(),
    };
    let loaded = pair.run(|partition| partition.start(options));
    let _ = pair.partition.state().view();
    for offset in [0, 1, 4, 7, 11, 12, 100, i64::MAX] {
        pair.run(|partition| partition.fetch(at(offset), Some(150)));
        pair.run(|partition| partition.fetch(at(offset), None));
        pair.run(|partition| partition.find_time(TimestampMs::new(offset).expect("not negative")));
    }
    pair.run(|partition| partition.find_time_with(TimeTarget::MaxTimestamp, Isolation::HighWatermark));
    pair.run(|partition| partition.append(&batch(None)));
    pair.run(|partition| partition.append(&batch(None)));
    pair.run(|partition| partition.truncate_to(at(9)));
    pair.run(Partition::roll);
    pair.run(|partition| partition.advance_to(TimestampMs::new(700_000).expect("not negative")));
    pair.run(Partition::check_retention);
    pair.run(Partition::stop);
    pair.run(|partition| partition.start(StartOptions::default()));
    let _ = pair.partition.state().view();
    loaded
}

/// A partition, and a state that is only ever changed by repeating recorded writes.
struct Replayed {
    partition: Partition,
    replayed: PartitionState,
}

impl Replayed {
    /// Whether the operation was carried out.
    fn run<T, E>(&mut self, operation: impl FnOnce(&mut Partition) -> Result<T, E>) -> bool {
        let trace = self.partition.trace(operation);
        for step in &trace.steps {
            self.replayed.apply(step).expect("a write of this state");
        }
        assert!(self.replayed == *self.partition.state(), "a change that no step tells");
        trace.outcome.is_ok()
    }
}

/// After a clean shutdown, and after a crash with nothing saved.
const STARTS: [StartOptions; 2] = [
    StartOptions {
        clean: Some(true),
        recovery_point: None,
        log_start: None,
        high_watermark: None,
    },
    StartOptions {
        clean: Some(false),
        recovery_point: Some(Offset::ZERO),
        log_start: None,
        high_watermark: None,
    },
];

#[test]
fn every_byte_turned_over() {
    let stopped = stopped();
    let mut loaded = 0;
    for file in stopped.state().files().list() {
        let bytes = stopped.state().files().used(file).expect("a file").to_vec();
        for (position, byte) in bytes.iter().enumerate() {
            for bit in [0x80, 0x01, 0xff] {
                let mut damaged = stopped.clone();
                let damage = Damage::Write {
                    position: position as u64,
                    bytes: vec![byte ^ bit],
                };
                damaged.damage(file, &damage).expect("a byte of the file");
                for options in STARTS {
                    loaded += usize::from(exercise(&damaged, options));
                }
            }
        }
    }
    assert!(loaded > 5_000, "{loaded}");
}

#[test]
fn every_file_cut_at_every_length_and_gone() {
    let stopped = stopped();
    for file in stopped.state().files().list() {
        let size = stopped.state().files().apparent_size(file).expect("a file");
        let cuts = (0..size).map(|length| Damage::Cut { length });
        for damage in cuts.chain([Damage::Remove]) {
            let mut damaged = stopped.clone();
            damaged.damage(file, &damage).expect("a file");
            for options in STARTS {
                exercise(&damaged, options);
            }
        }
    }
}

#[test]
fn bytes_that_a_file_has_not_got_are_not_changed() {
    let mut stopped = stopped();
    let log = FileName::live(at(0), crate::disk::FileKind::Log);
    for damage in [
        Damage::Cut { length: u64::MAX },
        Damage::Flip { position: 378 },
        Damage::Write {
            position: u64::MAX,
            bytes: vec![1],
        },
    ] {
        let error = stopped.damage(log, &damage).expect_err("378 B");
        assert_eq!(error.code(), "filesystem", "{damage:?}");
    }
    let gone = FileName::live(at(1), crate::disk::FileKind::Log);
    assert!(stopped.damage(gone, &Damage::Remove).is_err());
}
