//! When a broker forgets its producers.

use partition_log::config::Settings;
use partition_log::format::batch::{NewBatch, NewProducer};
use partition_log::{Partition, TimestampMs};

fn at(ms: i64) -> TimestampMs {
    TimestampMs::new(ms).expect("not negative")
}

#[test]
fn a_broker_looks_for_silent_producers_at_its_own_times() {
    let settings = Settings {
        retention_ms: -1,
        producer_id_check_ms: 600_000,
        producer_id_expiration_ms: 1,
        ..Settings::default()
    };
    let mut partition = Partition::create(settings, 0).expect("a partition");
    // Two looks pass while there is nobody to be found, at 600,000 and at 1,200,000 ms.
    partition.advance_to(at(1_500_000)).expect("forwards");
    let batch = NewBatch::Batch {
        records: 1,
        size: 100,
        timestamp: Some(at(1_000)),
        key: None,
        headers: 0,
        producer: Some(NewProducer {
            id: 7,
            epoch: 0,
            sequence: 0,
            transactional: false,
        }),
    };
    partition.append(&batch).expect("a first batch");

    // The record is old, but the next look comes at 1,800,000 ms, and happens once the clock moves on from there.
    partition.advance_to(at(1_800_000)).expect("forwards");
    assert!(!partition.state().producers().is_empty());
    partition.settle().expect("what is due");
    assert!(partition.state().producers().is_empty());
}
