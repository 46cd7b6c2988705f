//! Reading at an offset (Kafka: `UnifiedLogTest`, `LocalLogTest`): T63 to T67, T70, T97 and T127.

use partition_log::config::Settings;
use partition_log::rules::fetch::Isolation;
use partition_log::{FetchOptions, Offset, ReadOutcome};
use partition_tests::orders::offset;

use crate::batches::{SINGLE, records, single};
use crate::log::{Log, refused, unhurried};

/// A segment for every batch of one record.
fn one_a_segment() -> Settings {
    Settings {
        segment_bytes: SINGLE,
        ..unhurried()
    }
}

/// 0 to 49, then 50, 57, 64 and so on up to 197.
fn with_gaps() -> (Log, Vec<i64>) {
    let offsets: Vec<i64> = (0..50).chain((50..200).step_by(7)).collect();
    let mut log = Log::new(one_a_segment());
    for offset in &offsets {
        log.replicate_at(*offset, 0, single(0));
    }
    (log, offsets)
}

fn place(outcome: &ReadOutcome) -> (Option<i64>, Option<u32>) {
    (
        outcome.segment.map(Offset::get),
        outcome.position.map(|position| position.get()),
    )
}

#[test]
fn t63_every_record_is_read_where_each_has_a_segment() {
    let mut log = Log::new(one_a_segment());
    for _ in 0..50 {
        log.append(&single(0));
    }
    assert_eq!(log.segments(), 50);
    for from in 0..50 {
        assert_eq!(log.got(from, 1_000), (Some(from), 1));
    }
    assert_eq!(log.got(50, 1_000), (None, 0));
}

#[test]
fn t64_an_offset_that_no_record_has_gives_the_next_one_whatever_the_limit() {
    let (mut log, offsets) = with_gaps();
    for from in 0..=*offsets.last().expect("some") {
        let next = offsets.iter().copied().find(|offset| *offset >= from);
        for limit in [1, 100, 100_000] {
            assert_eq!(log.got(from, limit), (next, 1), "from {from}, {limit} B");
        }
    }
}

#[test]
fn t65_without_the_rule_of_one_batch_a_limit_cuts_the_first_batch_too() {
    let (mut log, offsets) = with_gaps();
    for from in 0..=*offsets.last().expect("some") {
        for (limit, slice, incomplete) in [(0, 0, false), (1, 1, true)] {
            let options = FetchOptions {
                limit: Some(limit),
                isolation: Isolation::LogEnd,
                min_one: false,
            };
            let outcome = log.fetch(from, options).expect("in range");
            assert_eq!(
                (outcome.slice, outcome.first_incomplete),
                (slice, incomplete),
                "from {from}, {limit} B"
            );
            assert_eq!(outcome.records, 0);
        }
    }
}

#[test]
fn t66_a_gap_at_the_end_of_a_segment_leads_to_the_next_segment() {
    let mut log = Log::new(one_a_segment());
    log.replicate_at(0, 0, single(0));
    log.replicate_at(20, 0, single(0));
    assert_eq!(log.bases(), [0, 20]);
    assert_eq!(log.got(1, 200), (Some(20), 1));
    // A high watermark in the gap holds back all that lies behind it, indexed or not.
    let mut log = Log::new(Settings {
        segment_bytes: 3 * SINGLE,
        index_interval_bytes: 0,
        ..unhurried()
    });
    for offset in [0, 1, 2, 20, 21, 22] {
        log.replicate_at(offset, 0, single(0));
    }
    log.set_high_watermark(10);
    assert_eq!((log.bases(), log.index(20)), (vec![0, 20], vec![(21, 72), (22, 144)]));
    let outcome = log.fetch(5, FetchOptions::limited(None)).expect("in range");
    assert_eq!((outcome.answer, outcome.slice), (None, 0));
}

#[test]
fn t67_the_end_is_empty_and_what_lies_outside_the_log_is_refused() {
    let mut log = Log::at(1024, unhurried());
    log.append(&single(0));
    let outcome = log.read(1025, 1_000);
    assert_eq!((outcome.answer, outcome.slice), (None, 0));
    for from in [0, 1026] {
        let options = FetchOptions {
            isolation: Isolation::LogEnd,
            ..FetchOptions::limited(None)
        };
        assert_eq!(
            refused(log.fetch(from, options)),
            Some("OffsetOutOfRangeException"),
            "{from}"
        );
    }
}

#[test]
fn t70_a_batch_is_read_from_its_start_wherever_in_it_the_offset_lies() {
    let mut log = Log::new(unhurried());
    log.append(&records(&[0, 0]));
    log.append(&records(&[0, 0]));
    let second = log.read(2, 1).position;
    for (from, position) in [
        (0, Some(0)),
        (1, Some(0)),
        (2, second.map(|position| position.get())),
        (3, Some(83)),
    ] {
        assert_eq!(place(&log.read(from, 1)), (Some(0), position), "{from}");
    }
}

#[test]
fn t97_an_offset_has_a_segment_and_a_position_unless_it_lies_outside_the_log() {
    let mut log = Log::at(31, unhurried());
    for _ in 31..41 {
        log.append(&single(0));
    }
    assert_eq!(place(&log.read(35, 1)), (Some(31), Some(288)));
    for outside in [29, 14, 42] {
        assert!(log.partition.fetch(offset(outside), None).is_err(), "{outside}");
    }
}

#[test]
fn t127_a_read_ends_at_its_bound_and_is_empty_at_it_and_above() {
    let short = || {
        let mut batch = single(0);
        batch.records[0].value = Some(b"a".to_vec());
        batch
    };
    let mut log = Log::new(Settings {
        segment_bytes: 2 * 69,
        ..unhurried()
    });
    for _ in 0..6 {
        log.append(&short());
    }
    assert_eq!(log.bases(), [0, 2, 4]);
    log.set_high_watermark(4);
    let options = FetchOptions {
        isolation: Isolation::HighWatermark,
        ..FetchOptions::limited(Some(1_000))
    };
    let below = log.fetch(3, options).expect("in range");
    assert_eq!((place(&below), below.slice), ((Some(2), Some(69)), 69));
    for from in [4, 5] {
        let outcome = log.fetch(from, options).expect("in range");
        assert_eq!(
            (outcome.answer, outcome.slice, outcome.next),
            (None, 0, Some(offset(from))),
            "{from}"
        );
    }
    // Where the bound lies in an earlier segment than the record, there is nothing to read either.
    log.set_high_watermark(3);
    assert_eq!(log.fetch(3, options).expect("in range").slice, 0);
    assert_eq!(place(&log.read(5, 1_000)), (Some(4), Some(69)));
}
