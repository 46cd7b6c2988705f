//! Batches, timestamps out of order, the high watermark, records without a time.

use partition_log::config::{Settings, TimestampType};
use partition_log::questions::verdict::Verdict;
use partition_log::rules::roll::Waited;
use partition_log::{LogError, Step, TimeTarget, TimestampMs};
use partition_tests::orders::{Run, done, offset, read, seconds, settings};

/// Offsets 0 to 5 in format v1, then a batch 6 to 7 of 115 B and one of 8 to 10 of 145 B.
fn batches() -> Run {
    let mut run = Run::filled(settings(), 6);
    run.append_batch_at(16, 2, 115);
    run.append_batch_at(22, 3, 145);
    run
}

#[test]
fn an_entry_names_the_last_offset_of_a_batch_and_its_first_byte() {
    let run = batches();
    assert_eq!((run.bases(), run.sizes()), (vec![0, 6], vec![270, 260]));
    assert_eq!(run.index(6), [(4, 115)]);
    assert_eq!(run.time_index(6), [(22, 4)]);
}

#[test]
fn a_target_inside_the_indexed_batch_is_scanned_for_from_the_entry_before() {
    let mut run = batches();
    let outcome = run.fetch(9, 150);
    assert_eq!(read(&outcome), (Some(9), Some(115), 2, 145, Some(11)));
    assert_eq!(outcome.skipped, 115, "the batch 6 to 7");
    let steps = run
        .partition
        .trace(|partition| partition.fetch(offset(9), Some(150)))
        .steps;
    let below = steps.iter().find_map(|step| match step {
        Step::ConsumerKept { below, records, .. } => Some((*below, *records)),
        _ => None,
    });
    assert_eq!(below, Some((1, 2)), "the client drops offset 8");
    assert_eq!(run.fetch(10, 150).skipped, 0, "an exact hit");
}

#[test]
fn a_batch_is_never_divided() {
    let mut run = Run::filled(settings(), 5);
    // 225 B used: a batch of 80 B finds 75 B free.
    let (appended, _) = run.append_batch_at(12, 2, 80);
    assert_eq!((appended.segment, appended.first_offset), (offset(5), offset(5)));
    assert_eq!(run.sizes(), [225, 80]);
}

#[test]
fn an_entry_holds_the_largest_time_so_far_and_who_had_it() {
    let mut run = Run::filled(settings(), 13);
    run.append_stamped(28, 60, Some(33));
    run.append_table(14, 20);
    assert_eq!(run.bases(), [0, 6, 11, 17]);
    assert_eq!(run.index(11), [(3, 140), (5, 235)]);
    assert_eq!(run.time_index(11), [(33, 2), (34, 5)], "not 30 -> 3");
    let outcome = run.find(31);
    assert_eq!(
        (outcome.answer, outcome.timestamp),
        (Some(offset(13)), Some(seconds(33)))
    );
    assert_eq!(
        outcome.skipped, 80,
        "from byte 0; a start at 140 would have answered 15"
    );
}

#[test]
fn one_young_record_shields_its_segment_and_those_behind_it() {
    let mut run = Run::filled(settings(), 5);
    run.append_stamped(12, 45, Some(30));
    run.append_table(6, 14);
    run.at(75);
    assert_eq!(run.bases(), [0, 6, 11], "age 45");
    run.at(85);
    assert_eq!(run.bases(), [0, 6, 11], "segment 6 is 63 s old, but 0 is only 55");
    let verdicts = run.partition.state().verdicts();
    assert_eq!(
        verdicts[0],
        Verdict::TooYoung {
            until: TimestampMs::new(90_001).expect("positive")
        }
    );
    assert_eq!(verdicts[1], Verdict::BehindSegment { older: offset(0) });
    run.at(95);
    assert_eq!((run.bases(), run.marks()), (vec![14], (14, 14, 14)));
}

#[test]
fn a_record_from_the_past_never_rolls_and_one_from_now_does() {
    let mut run = Run::filled(settings(), 7);
    run.move_to(60);
    let mut old = run.clone();
    let (appended, steps) = old.append_stamped(60, 45, Some(5));
    assert_eq!(appended.segment, offset(6));
    let waited = steps.iter().find_map(|step| match step {
        Step::RollDecided(decision) => Some(decision.waited),
        _ => None,
    });
    assert_eq!(waited.map(|waited: Waited| waited.ms()), Some(-9_000));
    assert_eq!(
        run.append_stamped(60, 45, Some(60)).0.segment,
        offset(7),
        "60 - 14 = 46 > 30"
    );
}

#[test]
fn without_timestamps_the_clock_counts_from_the_segments_birth() {
    // After Kafka's UnifiedLogTest.testTimeBasedLogRollDuringAppend: 3,600 ms, and the clock moves 3,601 ms each time.
    let mut run = Run::new(Settings {
        segment_ms: 3_600,
        segment_bytes: 10_000,
        retention_ms: -1,
        ..settings()
    });
    let mut now = 0;
    let mut append = |run: &mut Run, wait: i64, stamp: Option<i64>| {
        now += wait;
        done(run.partition.advance_to(TimestampMs::new(now).expect("positive")));
        run.append(&partition_log::format::batch::NewBatch::Message {
            size: 40,
            timestamp: stamp.and_then(TimestampMs::stored),
            key: None,
        });
        run.bases().len()
    };
    assert_eq!(append(&mut run, 3_601, None), 1, "an empty segment does not roll");
    assert_eq!(append(&mut run, 0, None), 2);
    assert_eq!(append(&mut run, 3_601, None), 3);
    assert_eq!(append(&mut run, 3_601, None), 4);
    let stamp = 4 * 3_601;
    assert_eq!(append(&mut run, 0, Some(stamp)), 4);
    assert_eq!(
        append(&mut run, 3_601, Some(stamp)),
        5,
        "its first record has no time: the clock counts"
    );
    assert_eq!(
        append(&mut run, 3_601, Some(stamp)),
        5,
        "now its first record has one, and the difference is 0"
    );
    assert_eq!(append(&mut run, 0, Some(5 * 3_601 + 3_601)), 6);
}

#[test]
fn retention_without_timestamps_counts_from_the_files_time() {
    let mut run = Run::new(settings());
    run.append_stamped(2, 40, None);
    run.append_stamped(12, 40, None);
    run.at(65);
    run.at(72);
    assert_eq!(
        run.partition.check_retention().expect("a check").deleted,
        [],
        "60 s after the last append"
    );
    run.move_to(73);
    assert_eq!(run.partition.check_retention().expect("a check").deleted, [offset(0)]);
}

#[test]
fn a_segment_above_the_high_watermark_stays_even_when_it_has_expired() {
    let mut run = Run::filled(settings(), 16);
    done(run.partition.pin_high_watermark(offset(4)));
    run.at(75);
    assert_eq!(run.bases(), [0, 6, 11], "63 > 60, but segment 0 ends at 6");
    assert_eq!(
        run.partition.state().verdicts()[0],
        Verdict::AboveHighWatermark {
            end: offset(6),
            high_watermark: offset(4),
        }
    );
    for (pin, deleted) in [(5, vec![]), (6, vec![offset(0)])] {
        let mut run = run.clone();
        done(run.partition.pin_high_watermark(offset(pin)));
        assert_eq!(
            run.partition.check_retention().expect("a check").deleted,
            deleted,
            "at {pin}"
        );
    }
}

#[test]
fn consumers_read_up_to_the_high_watermark_only() {
    let mut run = Run::s20();
    done(run.partition.pin_high_watermark(offset(10)));
    assert_eq!(read(&run.fetch(9, 150)), (Some(9), Some(150), 1, 50, Some(10)));
    assert_eq!(read(&run.fetch(10, 150)), (None, None, 0, 0, Some(10)));
    assert_eq!(
        run.fetch(15, 150).records,
        0,
        "above it, below the log end: empty, no error"
    );
    assert_eq!(run.ask(TimeTarget::Latest).answer, Some(offset(10)));
    assert_eq!(run.find(20).answer, Some(offset(9)));
    assert_eq!(run.find(22).answer, None, "offset 10 is withheld");
    run.partition.follow_high_watermark().expect("the broker runs");
    assert_eq!(run.find(22).answer, Some(offset(10)));
}

#[test]
fn a_high_watermark_inside_a_batch_hides_the_whole_batch() {
    let mut run = batches();
    done(run.partition.pin_high_watermark(offset(9)));
    let outcome = run.fetch(8, 150);
    assert_eq!((outcome.records, outcome.slice, outcome.next), (0, 0, Some(offset(8))));
    assert_eq!(run.fetch(6, 500).records, 2);
}

#[test]
fn delete_records_moves_the_start_and_no_byte() {
    let mut run = Run::s20();
    let files = run.partition.state().files().clone();
    done(run.partition.delete_records(offset(8)));
    assert_eq!((run.marks(), run.partition.state().files()), ((8, 20, 20), &files));
    assert!(run.partition.fetch(offset(7), None).is_err());
    assert_eq!(run.fetch(8, 150).answer, Some(offset(8)));
    assert_eq!(
        run.find(2).answer,
        None,
        "segment 0 is the first that is young enough, and none of it may be read"
    );
    assert_eq!(run.find(14).answer, Some(offset(8)));
    assert_eq!(run.ask(TimeTarget::Earliest).answer, Some(offset(8)));
    assert_eq!(run.partition.check_retention().expect("a check").deleted, [offset(0)]);
    assert_eq!(run.marks().0, 8, "it never goes back to a base");
    done(run.partition.delete_records(offset(7)));
    assert_eq!(run.marks().0, 8, "and never down");
    let refused = run.partition.delete_records(offset(21));
    assert!(matches!(refused, Err(LogError::OffsetOutOfRange { .. })));
}

#[test]
fn append_time_replaces_what_the_producer_stamped() {
    let mut run = Run::new(Settings {
        message_timestamp_type: TimestampType::LogAppendTime,
        ..settings()
    });
    run.append_stamped(10, 40, Some(5));
    run.append_batch_at(20, 2, 100);
    let view = run.partition.state().view();
    let stamps: Vec<Option<i64>> = view.segments[0]
        .batches
        .iter()
        .flat_map(|batch| batch.records.iter())
        .map(|record| record.timestamp.map(|stamp| stamp.get() / 1000))
        .collect();
    assert_eq!(stamps, [Some(10), Some(20), Some(20)]);
}

#[test]
fn equal_timestamps_keep_the_first_offset_that_had_them() {
    let mut run = Run::new(settings());
    for size in [40, 55, 35, 60, 35] {
        run.append_stamped(2, size, Some(2));
    }
    assert_eq!(run.index(0), [(2, 95), (4, 190)]);
    assert_eq!(run.time_index(0), [(2, 0)], "the second entry has no larger time");
    assert_eq!(run.find(2).answer, Some(offset(0)));
}
