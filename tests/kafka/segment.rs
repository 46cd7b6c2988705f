//! One segment (Kafka: `LogSegmentTest`): T1 to T12, T18 and T20.
//!
//! Its messages are of format v1 and arrive as a leader's bytes do, each at the offset that it carries.

use partition_log::disk::{FileKind, Suffix};
use partition_log::rules::fetch::{FetchSlice, Isolation};
use partition_log::rules::roll::{RollCause, RollDecision, RollParams};
use partition_log::{FetchOptions, Offset, Position, Step};
use partition_tests::orders::{done, offset};

use crate::batches::{hello, message};
use crate::log::{Log, ms, unhurried};

/// How long the roll check of an append says that the segment has waited.
fn waited(steps: &[Step]) -> i64 {
    let mut waits = steps.iter().filter_map(|step| match step {
        Step::RollDecided(decision) => Some(decision.waited.ms()),
        _ => None,
    });
    waits.next().expect("an append asks whether to roll")
}

/// Where a follower's fetch of one byte starts, and how many bytes it gets; `None` where there is nothing to read.
fn one_byte(log: &mut Log, from: i64, min_one: bool) -> Option<(u32, u64)> {
    let options = FetchOptions {
        limit: Some(1),
        isolation: Isolation::LogEnd,
        min_one,
    };
    let outcome = log.fetch(from, options).expect("in range");
    Some((outcome.position?.get(), outcome.slice))
}

#[test]
fn t1_an_offset_that_31_bits_do_not_reach_from_the_base_is_refused() {
    for (base, largest) in [
        (0, 2_147_483_648),
        (1, 0),
        (100, 10),
        (2_147_483_648, 0),
        (2_147_483_648, 4_294_967_296),
    ] {
        assert_eq!(offset(largest).relative_to(offset(base)), None, "{largest} from {base}");
    }
    // Negative offsets are no offsets here.
    assert_eq!((Offset::new(-2_147_483_648), Offset::new(-1)), (None, None));
    // An append never gets that far: the roll check asks the same and opens a segment that can hold it.
    let mut log = Log::new(unhurried());
    log.replicate(&hello(0));
    log.replicate(&message(2_147_483_648, 0, "hello"));
    assert_eq!(log.bases(), [0, 1]);
}

#[test]
fn t2_an_empty_segment_has_nothing_to_read() {
    let mut log = Log::at(40, unhurried());
    let outcome = log.read(40, 300);
    assert_eq!((outcome.answer, outcome.segment, outcome.slice), (None, None, 0));
}

#[test]
fn t3_reading_in_a_gap_starts_at_the_next_record_and_behind_the_last_one_finds_none() {
    let mut log = Log::at(40, unhurried());
    for (at, text) in [(50, "hello"), (51, "there"), (52, "little"), (53, "bee")] {
        log.replicate(&message(at, 10 * at, text));
    }
    assert_eq!(log.got(41, 300), (Some(50), 4));
    let mut log = Log::at(40, unhurried());
    log.replicate(&[hello(50), hello(51)].concat());
    assert_eq!(log.got(52, 200), (None, 0));
}

#[test]
fn t4_a_gap_between_two_appends_is_passed_over() {
    let mut log = Log::at(40, unhurried());
    for pair in [[50, 51], [60, 61]] {
        log.replicate(&pair.map(hello).concat());
    }
    assert_eq!(log.got(55, 200), (Some(60), 2));
}

#[test]
fn t5_where_the_readable_end_is_not_known_a_read_has_a_position_and_no_records() {
    let mut log = Log::at(40, unhurried());
    log.replicate(&[hello(50), hello(51)].concat());
    for min_one in [false, true] {
        for (from, position) in [(48, Some(0)), (50, Some(0)), (51, Some(39)), (52, None)] {
            let found = one_byte(&mut log, from, min_one);
            assert_eq!(found.map(|(position, _)| position), position, "from {from}");
        }
        // Up to a bound that lies nowhere nothing is sent.
        let nowhere = FetchSlice {
            base: offset(40),
            start: Position::new(39).expect("small"),
            end: 39,
            limit: 1,
            first_batch_size: 39,
            min_one,
        };
        assert_eq!(nowhere.length(), 0);
    }
    // 53 lies above the log end offset, which a segment by itself does not know.
    assert!(log.partition.fetch(offset(53), Some(1)).is_err());
}

#[test]
fn t6_what_is_truncated_can_be_appended_again_and_again() {
    let mut log = Log::at(40, unhurried());
    for at in 40..70 {
        log.replicate(&hello(at));
        assert_eq!(log.got(at, 10_000), (Some(at), 1));
        log.replicate(&hello(at + 1));
        assert_eq!(log.got(at, 10_000), (Some(at), 2));
        log.truncate_to(at + 1);
        assert_eq!(log.got(at, 10_000), (Some(at), 1));
    }
}

#[test]
fn t7_an_empty_segment_never_rolls_by_time_but_does_where_an_offset_does_not_fit() {
    let mut log = Log::new(unhurried());
    log.replicate(&message(0, -1, "hello"));
    log.sleep(500);
    log.truncate_to(0);
    let empty = RollParams {
        base: Offset::ZERO,
        size: 0,
        append_size: 1024,
        append_timestamp: Some(ms(500)),
        append_last_offset: offset(100),
        first_timestamp: None,
        created: ms(500),
        now: ms(500),
        segment_bytes: 10_000,
        segment_ms: 300_000,
        jitter_ms: 0,
        offset_index: (0, 125),
        time_index: (0, 83),
    };
    assert_eq!(RollDecision::evaluate(&empty).waited.ms(), 0);
    assert_eq!(RollDecision::evaluate(&empty).cause(), None);
    let late = RollParams {
        now: ms(500 + 300_000 + 1),
        ..empty
    };
    assert_eq!(RollDecision::evaluate(&late).waited.ms(), 300_001);
    assert_eq!(RollDecision::evaluate(&late).cause(), None, "there is nothing in it");
    let far = RollParams {
        append_last_offset: offset(2_147_483_647 + 200),
        ..empty
    };
    assert_eq!(RollDecision::evaluate(&far).cause(), Some(RollCause::OffsetRange));
    // The log's own check says the same of the segment that was emptied.
    log.sleep(0);
    assert_eq!(waited(&log.steps_of(&message(0, -1, "hello"))), 0);
}

#[test]
fn t8_truncation_takes_the_entries_and_the_largest_timestamp_back() {
    let mut log = Log::at(
        40,
        partition_log::config::Settings {
            index_interval_bytes: 77,
            ..unhurried()
        },
    );
    for at in 40..70 {
        log.replicate(&hello(at));
    }
    assert_eq!((log.time_index(40).len(), log.log_end()), (14, 70));
    log.truncate_to(41);
    assert_eq!((log.time_index(40).len(), log.log_end()), (0, 41));
    let view = log.state().view();
    assert_eq!(view.segments[0].largest_timestamp, Some(ms(400)));
}

#[test]
fn t9_a_segment_emptied_by_a_truncation_is_as_young_as_a_new_one() {
    let mut log = Log::at(40, unhurried());
    log.replicate(&[message(40, -1, "hello"), message(41, -1, "there")].concat());
    log.sleep(500);
    let mut probe = log.clone();
    assert_eq!(waited(&probe.steps_of(&message(42, -1, "x"))), 500);
    log.truncate_to(40);
    assert_eq!(log.state().log_size(), 0);
    let refill = [message(40, -1, "hello"), message(41, -1, "there")].concat();
    assert_eq!(waited(&log.steps_of(&refill)), 0);
    assert_eq!((log.bases(), log.offsets()), (vec![40], vec![40, 41]));
}

#[test]
fn t10_a_time_finds_the_first_record_that_is_not_older() {
    let interval = 2 * 39 - 1;
    let mut log = Log::at(
        40,
        partition_log::config::Settings {
            index_interval_bytes: interval,
            ..unhurried()
        },
    );
    for at in 40..50 {
        log.replicate(&hello(at));
    }
    assert_eq!(log.state().view().segments[0].largest_timestamp, Some(ms(490)));
    let cases = [
        (420, Some((42, 420))),
        (421, Some((43, 430))),
        (430, Some((43, 430))),
        (431, Some((44, 440))),
        (491, None),
        (401, Some((41, 410))),
        (399, Some((40, 400))),
    ];
    for (timestamp, found) in cases {
        assert_eq!(log.find(timestamp), found, "{timestamp}");
    }
}

#[test]
fn t11_the_next_offset_follows_the_last_record() {
    let mut log = Log::at(40, unhurried());
    assert_eq!(log.log_end(), 40);
    log.replicate(&[hello(50), hello(51), hello(52)].concat());
    assert_eq!(log.log_end(), 53);
}

#[test]
fn t12_a_segment_has_no_index_files_before_they_are_needed_and_a_rename_makes_none() {
    let mut log = Log::new(unhurried());
    log.replicate(&hello(0));
    log.roll();
    let of_1 = |log: &Log| [FileKind::Log, FileKind::Index, FileKind::TimeIndex].map(|kind| log.length(1, kind));
    assert_eq!(of_1(&log), [Some(0), None, None]);
    let mut renamed = log.clone();
    done(renamed.partition.truncate_fully(offset(7)));
    assert_eq!(renamed.files(FileKind::Log, Suffix::Deleted), [0, 1]);
    assert_eq!(renamed.files(FileKind::Index, Suffix::Deleted), [0]);
    assert_eq!(renamed.files(FileKind::TimeIndex, Suffix::Deleted), [0]);
    // The first append touches both.
    log.replicate(&hello(1));
    assert_eq!(of_1(&log), [Some(39), Some(10_485_760), Some(10_485_756)]);
}

#[test]
fn t18_the_batch_that_lies_above_the_cut_goes_whole() {
    let mut log = Log::at(40, unhurried());
    log.replicate(&hello(40));
    log.replicate(&hello(43));
    log.truncate_to(41);
    assert_eq!(log.offsets(), [40]);
}

#[test]
fn t20_the_first_batch_gives_the_timestamp_that_rolling_counts_from() {
    let mut log = Log::at(0, unhurried());
    assert_eq!(
        log.state().view().segments[0].first_timestamp,
        None,
        "Kafka answers 9223372036854775807"
    );
    log.replicate(&message(0, 1_000, "a"));
    log.replicate(&message(1, 2_000, "b"));
    assert_eq!(log.state().view().segments[0].first_timestamp, Some(ms(1_000)));
}
