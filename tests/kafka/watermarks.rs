//! High watermark, log start offset and what lies between them (Kafka: `UnifiedLogTest`): T41, T44, T90, T93 and T94.

use partition_log::config::Settings;
use partition_log::rules::fetch::Isolation;
use partition_log::state::MemoryChange;
use partition_log::{FetchOptions, Step};
use partition_tests::orders::{done, offset};

use crate::batches::{records, single, transactional};
use crate::log::{Log, refused, unhurried};

/// Records that a consumer of all records gets.
fn below_high_watermark(log: &mut Log, from: i64) -> u32 {
    let options = FetchOptions {
        isolation: Isolation::HighWatermark,
        ..FetchOptions::limited(None)
    };
    log.fetch(from, options).expect("in range").records
}

#[test]
fn t41_consumers_read_up_to_the_high_watermark() {
    let mut log = Log::new(unhurried());
    log.set_high_watermark(0);
    log.append(&records(&[0, 0, 0]));
    assert_eq!(below_high_watermark(&mut log, 0), 0);
    log.set_high_watermark(3);
    assert_eq!(below_high_watermark(&mut log, 0), 3);
    log.roll();
    assert_eq!(below_high_watermark(&mut log, 0), 3);
    log.append(&records(&[0, 0, 0]));
    assert_eq!(
        (below_high_watermark(&mut log, 0), below_high_watermark(&mut log, 3)),
        (3, 0)
    );
}

#[test]
fn t44_the_high_watermark_stays_within_the_log() {
    let mut log = Log::new(unhurried());
    log.set_high_watermark(0);
    log.append(&records(&[0, 0, 0]));
    assert_eq!(log.high_watermark(), 0);
    log.set_high_watermark(1);
    assert_eq!(log.high_watermark(), 1);
    // Kafka sets 5 to the log end offset, 3. Here 5 is refused, and to follow the log end sets it there.
    assert!(log.partition.pin_high_watermark(offset(5)).is_err());
    log.set_high_watermark(3);
    log.append(&records(&[0, 0, 0]));
    assert_eq!(log.high_watermark(), 3);
    log.set_high_watermark(6);
    log.truncate_to(3);
    assert_eq!(log.high_watermark(), 3);
    log.append(&records(&[0, 0, 0]));
    done(log.partition.truncate_fully(offset(4)));
    assert_eq!((log.high_watermark(), log.log_start(), log.log_end()), (4, 4, 4));
}

#[test]
fn t90_the_first_unstable_offset_is_never_below_the_log_start() {
    let mut log = Log::new(unhurried());
    log.append(&transactional(1, 0, 0, 5));
    log.append(&records(&[0, 0, 0]));
    log.roll();
    log.append(&records(&[0, 0, 0]));
    assert_eq!(log.first_unstable(), Some(0));
    log.delete_records(5);
    assert_eq!(log.first_unstable(), Some(5));
    log.delete_records(8);
    assert_eq!((log.delete_old_segments(), log.bases()), (1, vec![8]));
    assert_eq!(log.first_unstable(), Some(8));
}

#[test]
fn t93_retention_never_passes_the_high_watermark() {
    let mut log = Log::new(Settings {
        segment_bytes: 512,
        retention_ms: 999,
        ..unhurried()
    });
    log.sleep(1_000);
    log.set_high_watermark(0);
    for _ in 0..100 {
        log.append(&single(0));
    }
    for high_watermark in 0..=100 {
        log.set_high_watermark(high_watermark);
        log.delete_old_segments();
        assert!(
            log.log_start() <= high_watermark,
            "{} > {high_watermark}",
            log.log_start()
        );
    }
    assert_eq!(
        (log.log_start(), log.bases(), log.state().log_size()),
        (100, vec![100], 0)
    );
}

#[test]
fn t94_the_log_start_cannot_pass_the_high_watermark_which_moves_only_where_it_is_told_another_offset() {
    let mut log = Log::new(unhurried());
    log.set_high_watermark(0);
    for _ in 0..100 {
        log.append(&single(0));
    }
    log.set_high_watermark(25);
    assert_eq!(
        refused(log.partition.delete_records(offset(26))),
        Some("OffsetOutOfRangeException")
    );
    log.delete_records(25);
    let moved = |log: &mut Log, to| {
        let trace = log
            .partition
            .trace(|partition| partition.pin_high_watermark(offset(to)));
        let moves = |step: &Step| matches!(step, Step::Memory(MemoryChange::HighWatermark { .. }));
        trace.outcome.is_ok() && trace.steps.iter().any(moves)
    };
    let answers = [99, 99, 100, 101].map(|to| moved(&mut log, to));
    assert_eq!((answers, log.high_watermark()), ([true, false, true, false], 100));
}
