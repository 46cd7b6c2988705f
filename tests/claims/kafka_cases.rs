//! Cases of Kafka's own `UnifiedLogTest`, by the name of its method; sizes of records are ours.

use partition_log::config::Settings;
use partition_log::{Offset, TimestampMs};
use partition_tests::orders::{Run, done, offset};

/// Checks run only when a test asks for one.
fn unhurried() -> Settings {
    Settings {
        initial_task_delay_ms: i64::MAX,
        retention_ms: -1,
        segment_ms: i64::MAX,
        ..Settings::default()
    }
}

/// Messages of 40 B, so many a segment, all at second 0.
fn equal_records(settings: Settings, a_segment: i64, count: usize) -> Run {
    let mut run = Run::new(Settings {
        segment_bytes: 40 * a_segment,
        ..settings
    });
    for _ in 0..count {
        run.append_at(0, 40);
    }
    run
}

fn check(run: &mut Run) -> usize {
    done(run.partition.check_retention()).deleted.len()
}

/// `testSizeBasedLogRoll`
#[test]
fn a_segment_of_ten_records_less_a_byte_each_takes_nine() {
    let tight = Settings {
        segment_bytes: 10 * (40 - 1),
        ..unhurried()
    };
    let mut run = Run::new(tight);
    for _ in 0..11 {
        run.append_at(0, 40);
    }
    assert_eq!(run.bases(), [0, 9]);
    assert_eq!(equal_records(unhurried(), 10, 10).bases(), [0]);
    assert_eq!(equal_records(unhurried(), 10, 11).bases(), [0, 10]);
}

/// `testAppendAndReadWithSequentialOffsets`
#[test]
fn a_segment_for_each_record_is_read_like_one_log() {
    let mut run = equal_records(unhurried(), 1, 50);
    assert_eq!(run.bases().len(), 50);
    for from in 0..50 {
        let outcome = run.fetch(from, 1_000);
        assert_eq!((outcome.answer, outcome.records), (Some(offset(from)), 1));
    }
    assert_eq!(run.fetch(50, 1_000).records, 0);
}

/// `testThatGarbageCollectingSegmentsDoesntChangeOffset`
#[test]
fn deleting_everything_keeps_the_log_end_offset() {
    for count in [0, 1, 25] {
        let mut run = equal_records(
            Settings {
                retention_ms: 0,
                ..unhurried()
            },
            2,
            count,
        );
        run.move_to(1);
        check(&mut run);
        assert_eq!((run.bases().len(), run.marks().2), (1, count as i64));
        assert_eq!(check(&mut run), 0);
        assert_eq!(run.append_at(1, 40).0.first_offset, offset(count as i64));
    }
}

/// `testLogDeletionAfterDeleteRecords`
#[test]
fn segments_below_the_log_start_go_and_the_one_around_it_stays() {
    let mut run = equal_records(unhurried(), 5, 15);
    for (start, segments) in [(1, 3), (6, 2), (15, 1)] {
        done(run.partition.delete_records(offset(start)));
        check(&mut run);
        assert_eq!(
            (run.bases().len(), run.marks().0),
            (segments, start),
            "log start {start}"
        );
    }
    assert_eq!(
        run.sizes(),
        [200],
        "the last segment is never below the log start as a whole"
    );
}

/// `shouldDeleteSizeBasedSegments`, `shouldNotDeleteSizeBasedSegmentsWhenUnderRetentionSize`
#[test]
fn size_leaves_what_the_limit_needs() {
    let limited = |records: i64| Settings {
        retention_bytes: 40 * records,
        ..unhurried()
    };
    for (limit, segments) in [(10, 2), (15, 3), (14, 3)] {
        let mut run = equal_records(limited(limit), 5, 15);
        check(&mut run);
        assert_eq!(run.bases().len(), segments, "limit of {limit} records");
    }
}

/// `shouldDeleteTimeBasedSegmentsReadyToBeDeleted`, `shouldNotDeleteTimeBasedSegmentsWhenNoneReadyToBeDeleted`
#[test]
fn old_segments_go_with_a_new_one_in_their_place_and_fresh_ones_stay() {
    for (clock, segments) in [(20, 1), (5, 3)] {
        let mut run = equal_records(
            Settings {
                retention_ms: 10_000,
                ..unhurried()
            },
            5,
            15,
        );
        run.move_to(clock);
        check(&mut run);
        assert_eq!(run.bases().len(), segments, "{clock} s later");
    }
}

/// Three segments of one record, the first with a young time: one goes by the log start, then one by its age.
#[test]
fn each_rule_takes_its_own_within_one_check() {
    let mut run = Run::new(Settings {
        segment_bytes: 40,
        retention_ms: 900,
        ..unhurried()
    });
    for stamp in [100, 0, 100] {
        run.append(&partition_log::format::batch::NewBatch::Message {
            size: 40,
            timestamp: TimestampMs::stored(stamp),
            key: None,
        });
    }
    done(run.partition.advance_to(TimestampMs::new(901).expect("positive")));
    done(run.partition.delete_records(offset(1)));
    assert_eq!(check(&mut run), 2);
    assert_eq!(check(&mut run), 0);
    assert_eq!(run.bases(), [2]);
}

/// `testDeleteOldSegments`, its part on the high watermark
#[test]
fn only_segments_below_the_high_watermark_go() {
    let mut run = equal_records(
        Settings {
            retention_ms: 1_000,
            ..unhurried()
        },
        5,
        100,
    );
    run.move_to(2);
    done(run.partition.pin_high_watermark(Offset::ZERO));
    assert_eq!(check(&mut run), 0);
    let mut starts = Vec::new();
    for high_watermark in 25..=30 {
        done(run.partition.pin_high_watermark(offset(high_watermark)));
        check(&mut run);
        starts.push(run.marks().0);
    }
    assert_eq!(starts, [25, 25, 25, 25, 25, 30]);
    run.partition.follow_high_watermark().expect("the broker runs");
    check(&mut run);
    assert_eq!((run.bases(), run.sizes()), (vec![100], vec![0]));
}
