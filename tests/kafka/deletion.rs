//! Retention (Kafka: `UnifiedLogTest`): T54, T71, T79, T82 to T85 and T95.

use partition_log::config::Settings;
use partition_log::disk::{FileKind, Suffix};

use crate::batches::{SINGLE, single};
use crate::log::{Log, unhurried};

/// Records of one timestamp, so many a segment.
fn filled(settings: Settings, a_segment: i64, count: usize, timestamp: i64) -> Log {
    let mut log = Log::new(Settings {
        segment_bytes: a_segment * SINGLE,
        ..settings
    });
    for _ in 0..count {
        log.append(&single(timestamp));
    }
    log
}

#[test]
fn t54_each_rule_takes_its_own_segments_within_one_check() {
    let mut log = Log::new(Settings {
        segment_bytes: SINGLE,
        retention_ms: 900,
        ..unhurried()
    });
    for timestamp in [1_100, 1_000, 1_100] {
        log.append(&single(timestamp));
    }
    log.sleep(1_901);
    log.delete_records(1);
    assert_eq!((log.delete_old_segments(), log.delete_old_segments()), (2, 0));
    assert_eq!(log.bases(), [2]);
}

#[test]
fn t71_deleting_every_segment_keeps_the_offsets() {
    for count in [0, 1, 25] {
        let mut log = Log::new(Settings {
            segment_bytes: 100,
            retention_ms: 0,
            ..unhurried()
        });
        for _ in 0..count {
            log.append(&single(0));
        }
        log.sleep(10);
        log.delete_old_segments();
        assert_eq!((log.log_end(), log.segments()), (count, 1));
        assert_eq!(log.delete_old_segments(), 0);
        assert_eq!(log.offsets_of(&single(10)).0, count);
    }
}

#[test]
fn t79_the_files_of_deleted_segments_stay_under_another_name_until_their_delay_is_over() {
    let mut log = filled(
        Settings {
            retention_ms: 999,
            ..unhurried()
        },
        5,
        100,
        0,
    );
    log.sleep(1_000);
    log.delete_old_segments();
    assert_eq!(log.bases(), [100]);
    let old: Vec<i64> = (0..100).step_by(5).collect();
    for kind in [FileKind::Log, FileKind::Index, FileKind::TimeIndex] {
        assert_eq!(log.files(kind, Suffix::Deleted), old, "{kind:?}");
    }
    log.sleep(60_001);
    for kind in [FileKind::Log, FileKind::Index, FileKind::TimeIndex] {
        assert_eq!(log.files(kind, Suffix::Deleted).len(), 0, "{kind:?}");
    }
}

#[test]
fn t82_only_whole_segments_below_the_high_watermark_go() {
    let mut log = Log::new(Settings {
        segment_bytes: 5 * SINGLE,
        retention_ms: 999,
        ..unhurried()
    });
    log.set_high_watermark(0);
    for offset in 0..100 {
        if offset == 90 {
            partition_tests::orders::done(log.partition.set_leader_epoch(1));
        }
        log.append(&single(0));
    }
    assert_eq!(log.epochs(), [(0, 0), (1, 90)]);
    log.sleep(1_000);
    assert_eq!(log.delete_old_segments(), 0);
    let starts: Vec<i64> = (25..=30)
        .map(|high_watermark| {
            log.set_high_watermark(high_watermark);
            log.delete_old_segments();
            log.log_start()
        })
        .collect();
    assert_eq!(starts, [25, 25, 25, 25, 25, 30]);
    log.set_high_watermark(100);
    log.delete_old_segments();
    assert_eq!((log.segments(), log.epochs()), (1, vec![(1, 100)]));
}

#[test]
fn t83_segments_below_the_log_start_go() {
    let mut log = filled(unhurried(), 5, 15, 0);
    let left = [(1, 3), (6, 2), (15, 1)].map(|(start, segments)| {
        log.delete_records(start);
        log.delete_old_segments();
        (log.segments() == segments, log.log_start())
    });
    assert_eq!(left, [(true, 1), (true, 6), (true, 15)]);
}

#[test]
fn t84_size_and_age_take_the_oldest_segments() {
    let after_a_check = |settings, clock| {
        let mut log = filled(settings, 5, 15, 10);
        log.sleep(clock);
        log.delete_old_segments();
        log.segments()
    };
    assert_eq!(
        after_a_check(
            Settings {
                retention_bytes: 10 * SINGLE,
                ..unhurried()
            },
            0
        ),
        2
    );
    assert_eq!(
        after_a_check(
            Settings {
                retention_bytes: 15 * SINGLE,
                ..unhurried()
            },
            0
        ),
        3
    );
    let aged = || Settings {
        retention_ms: 10_000,
        ..unhurried()
    };
    assert_eq!((after_a_check(aged(), 20_000), after_a_check(aged(), 10)), (1, 3));
    // What a compacted topic keeps is not the subject of this model: cleanup.policy is delete.
}

#[test]
fn t85_the_epochs_of_deleted_records_go_and_the_one_across_the_cut_begins_there() {
    let cut = |epochs: [i64; 3]| {
        let mut log = filled(unhurried(), 5, 0, 0);
        for offset in 0..15 {
            if let Some(epoch) = epochs.iter().position(|start| *start == offset) {
                partition_tests::orders::done(log.partition.set_leader_epoch(epoch as i32));
            }
            log.append(&single(0));
        }
        log.delete_records(5);
        log.delete_old_segments();
        assert_eq!(log.bases(), [5, 10]);
        log.epochs()
    };
    assert_eq!(cut([0, 5, 10]), [(1, 5), (2, 10)]);
    assert_eq!(cut([0, 7, 10]), [(0, 5), (1, 7), (2, 10)]);
}

#[test]
fn t95_the_last_segment_can_go_unless_it_is_empty() {
    let mut log = Log::new(Settings {
        retention_ms: 0,
        ..unhurried()
    });
    for _ in 0..9 {
        log.append(&single(0));
        log.roll();
    }
    assert_eq!(log.segments(), 10);
    log.sleep(1);
    assert_eq!(log.clone().delete_old_segments(), 9);
    log.append(&single(0));
    assert_eq!(log.delete_old_segments(), 10);
}
