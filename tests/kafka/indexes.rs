//! The offset index and the time index as files (Kafka: `OffsetIndexTest`, `TimeIndexTest`): T21 to T31.
//!
//! Both have the base 45 and 30 entries, as Kafka's have.

use partition_log::Offset;
use partition_log::config::Settings;
use partition_log::disk::FileKind;
use partition_log::format::index::{
    IndexError, OffsetEntry, OffsetIndex, OffsetPosition, TimeEntry, TimeIndex, TimestampOffset, resized,
};
use partition_log::rules::validate::AppendOrigin;
use partition_log::units::RelativeOffset;
use partition_log::{Position, TimestampMs};
use partition_tests::orders::offset;

use crate::batches::message;
use crate::log::{self, Log, unhurried};

const BASE: i64 = 45;
const SLOTS: u32 = 30;

/// The bytes of an offset index.
fn offsets(base: i64, entries: &[(i64, u32)]) -> Vec<u8> {
    let entry = |(at, position): &(i64, u32)| OffsetEntry {
        relative: RelativeOffset::new((at - base) as u32).expect("31 bits"),
        position: Position::new(u64::from(*position)).expect("31 bits"),
    };
    entries.iter().flat_map(|numbers| entry(numbers).to_bytes()).collect()
}

fn offset_index(base: i64, bytes: &[u8]) -> OffsetIndex<'_> {
    OffsetIndex::new(offset(base), bytes, (bytes.len() / 8) as u32, SLOTS)
}

fn leads_to(found: OffsetPosition) -> (i64, i32) {
    (found.offset, found.position)
}

/// The bytes of a time index with so many entries: timestamps 10, 20, 30, …, offsets 55, 65, 75, …
fn times(count: i64) -> Vec<u8> {
    let entry = |entry_number: i64| TimeEntry {
        timestamp: TimestampMs::new(10 * entry_number).expect("not negative"),
        relative: RelativeOffset::new(10 * entry_number as u32).expect("31 bits"),
    };
    (1..=count)
        .flat_map(|entry_number| entry(entry_number).to_bytes())
        .collect()
}

fn time_index(bytes: &[u8]) -> TimeIndex<'_> {
    TimeIndex::new(offset(BASE), bytes, (bytes.len() / 12) as u32, SLOTS)
}

fn at(found: TimestampOffset) -> (i64, i64) {
    (found.timestamp, found.offset)
}

fn refused<T>(outcome: Result<T, IndexError>) -> Option<&'static str> {
    outcome.err().map(|error| error.kafka_name())
}

#[test]
fn t21_a_lookup_gives_the_last_entry_that_is_not_above_the_target() {
    let empty = offset_index(BASE, &[]);
    assert_eq!(
        (leads_to(empty.lookup(92)), leads_to(empty.lookup(45))),
        ((45, 0), (45, 0))
    );
    let entries: Vec<(i64, u32)> = (0..30)
        .map(|entry_number| (46 + 3 * entry_number, 100 * entry_number as u32))
        .collect();
    let bytes = offsets(BASE, &entries);
    let filled = offset_index(BASE, &bytes);
    assert!(filled.is_full());
    for (at, position) in entries {
        let expected = (at, position as i32);
        for target in at..at + 3 {
            assert_eq!(leads_to(filled.lookup(target)), expected, "{target}");
        }
    }
    assert_eq!(leads_to(filled.lookup(45)), (45, 0));
    assert_eq!(leads_to(filled.lookup(i64::MAX)), (46 + 3 * 29, 2_900));
}

#[test]
fn t22_a_slot_without_an_entry_and_an_entry_out_of_order_or_without_a_slot_are_refused() {
    assert_eq!(
        refused(offset_index(BASE, &[]).entry(0)),
        Some("IllegalArgumentException")
    );
    let entries: Vec<(i64, u32)> = (0..30)
        .map(|entry_number| (BASE + 1 + entry_number, entry_number as u32))
        .collect();
    let bytes = offsets(BASE, &entries);
    assert_eq!(refused(offset_index(BASE, &bytes[..29 * 8]).check_append(75)), None);
    assert_eq!(
        refused(offset_index(BASE, &bytes).check_append(76)),
        Some("IllegalArgumentException")
    );
    let bytes = offsets(BASE, &[(51, 0)]);
    let one = offset_index(BASE, &bytes);
    assert_eq!(refused(one.check_append(50)), Some("InvalidOffsetException"));
    assert_eq!(refused(one.check_append(51)), Some("InvalidOffsetException"));
    assert_eq!(one.check_append(52), Ok(()));
    // The roll check asks once an append, so an append of several batches can get there. Its bytes stay in the file.
    let mut log = Log::new(Settings {
        segment_index_bytes: 24,
        index_interval_bytes: 0,
        ..unhurried()
    });
    let five: Vec<u8> = (0..5).flat_map(|at| message(at, -1, "hello")).collect();
    assert_eq!(
        log::refused(log.try_append(&five, AppendOrigin::Replication)),
        Some("IllegalArgumentException")
    );
    assert_eq!((log.index(0).len(), log.log_end(), log.state().log_size()), (3, 0, 195));
    // The roll check now finds a full index, and no place for the next segment.
    let again = log.try_append(&message(0, -1, "hello"), AppendOrigin::Replication);
    assert_eq!(log::refused(again), Some("KafkaException"));
}

#[test]
fn t23_the_upper_bound_of_a_slice_is_the_first_entry_at_or_behind_its_end() {
    let bytes = offsets(BASE, &[(45, 0), (46, 10), (47, 23), (48, 37)]);
    let index = offset_index(BASE, &bytes);
    let cases = [
        ((0, 5), Some((46, 10))),
        ((0, 10), Some((46, 10))),
        ((0, 22), Some((47, 23))),
        ((0, 23), Some((47, 23))),
        ((0, 200), None),
        ((10, 24), Some((48, 37))),
        ((10, 200), None),
        ((37, 1), None),
    ];
    for ((position, size), bound) in cases {
        assert_eq!(
            index.upper_bound(position, size).map(leads_to),
            bound,
            "{size} B from {position}"
        );
    }
    assert_eq!(offset_index(BASE, &[]).upper_bound(0, 5), None);
}

#[test]
fn t24_a_file_that_is_opened_again_has_as_many_slots_as_entries() {
    let bytes = offsets(BASE, &[(51, 0), (52, 1)]);
    let reopened = OffsetIndex::opened(offset(BASE), &bytes);
    assert_eq!(reopened.entry(0).map(leads_to), Ok((51, 0)));
    assert_eq!(
        (reopened.entry(1).map(leads_to), reopened.last_offset()),
        (Ok((52, 1)), 52)
    );
    assert_eq!(refused(reopened.entry(2)), Some("IllegalArgumentException"));
    assert_eq!(refused(reopened.check_append(53)), Some("IllegalArgumentException"));
}

#[test]
fn t25_a_truncation_takes_the_entry_of_its_offset_too() {
    /// Truncates and gives the last offset that is left.
    fn cut(entries: &mut Vec<(i64, u32)>, to: i64) -> i64 {
        let bytes = offsets(0, entries);
        let index = offset_index(0, &bytes);
        entries.truncate(index.entries_below(to) as usize);
        let bytes = offsets(0, entries);
        offset_index(0, &bytes).last_offset()
    }
    let mut entries: Vec<(i64, u32)> = (1..10).map(|at| (at, at as u32)).collect();
    assert_eq!(cut(&mut entries, 12), 9);
    for (next, to, last) in [(10, 10, 9), (10, 9, 8), (9, 5, 4)] {
        entries.push((next, next as u32));
        assert_eq!(cut(&mut entries, to), last, "to {to}");
    }
    assert_eq!(cut(&mut entries, 0), 0);
    assert_eq!(entries, []);
}

#[test]
fn t26_a_first_entry_for_the_base_itself_is_sane() {
    let bytes = offsets(BASE, &[(BASE, 0)]);
    assert_eq!(offset_index(BASE, &bytes).check_sanity(8), Ok(()));
    assert_eq!(
        refused(offset_index(BASE, &bytes).check_sanity(9)),
        Some("CorruptIndexException")
    );
}

#[test]
fn t27_a_lookup_by_time_gives_the_last_entry_that_is_not_younger() {
    assert_eq!(at(time_index(&[]).lookup(100)), (-1, 45));
    let bytes = times(29);
    let index = time_index(&bytes);
    for (timestamp, entry) in [(9, (-1, 45)), (25, (20, 65)), (30, (30, 75))] {
        assert_eq!(at(index.lookup(timestamp)), entry, "{timestamp}");
    }
}

#[test]
fn t28_the_last_slot_of_a_time_index_is_kept_for_the_entry_that_closes_a_segment() {
    let bytes = times(29);
    let index = time_index(&bytes);
    assert!(index.is_full());
    assert_eq!(
        refused(index.check_append(10_000, 1_000, false)),
        Some("IllegalArgumentException")
    );
    assert_eq!(
        refused(index.check_append(10_000, 280, true)),
        Some("InvalidOffsetException")
    );
    assert_eq!(index.check_append(10_000, 1_000, true), Ok(true));
    assert_eq!(
        refused(index.check_append(289, 1_000, true)),
        Some("IllegalStateException")
    );
    assert_eq!(
        index.check_append(290, 1_000, true),
        Ok(false),
        "no younger than the last"
    );
}

#[test]
fn t29_an_empty_time_index_ends_with_no_timestamp_and_the_base() {
    assert_eq!(at(time_index(&[]).last_entry()), (-1, 45));
    let bytes = times(29);
    let index = time_index(&bytes);
    assert_eq!((index.entries_below(55), index.entries_below(56)), (0, 1));
}

#[test]
fn t30_a_file_of_the_size_that_is_asked_for_is_not_resized() {
    let length = 30 * 12;
    assert_eq!(resized(FileKind::TimeIndex, length, length), None);
    assert_eq!(resized(FileKind::TimeIndex, length, length / 2), Some(180));
    assert_eq!(resized(FileKind::TimeIndex, length, length * 2), Some(720));
    assert_eq!(
        resized(FileKind::TimeIndex, length, length + 11),
        None,
        "whole entries only"
    );
}

#[test]
fn t31_a_time_index_that_ends_below_its_base_or_its_first_entry_or_within_an_entry_is_corrupt() {
    let bytes = times(29);
    let index = time_index(&bytes);
    assert_eq!(index.check_sanity(30 * 12), Ok(()));
    assert_eq!(refused(index.check_sanity(30 * 12 - 1)), Some("CorruptIndexException"));
    let last = 28 * 12;
    let mut below = bytes.clone();
    below[last + 8..].copy_from_slice(&(-1_i32).to_be_bytes());
    assert_eq!(
        refused(time_index(&below).check_sanity(30 * 12)),
        Some("CorruptIndexException")
    );
    let mut older = bytes.clone();
    older[last..last + 8].copy_from_slice(&(-1_i64).to_be_bytes());
    assert_eq!(
        refused(time_index(&older).check_sanity(30 * 12)),
        Some("CorruptIndexException")
    );
    assert_eq!(TimeIndex::opened(Offset::ZERO, &[]).check_sanity(0), Ok(()));
}
