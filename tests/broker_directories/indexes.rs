//! The entries of both indexes are those that the model's rules write for the same batches.

use partition_log::format::batch::RawBatch;
use partition_log::format::index::{OffsetEntry, TimeEntry};
use partition_log::rules::index_entry::{IndexEntryDecision, TimeEntryDecision, TimeEntryReason};
use partition_log::{Offset, Position, TimestampMs};

use crate::kept::{End, File, Kept, Restart, Segment};

/// The bytes of both files.
#[derive(Debug, Default, PartialEq, Eq)]
struct Entries {
    offsets: Vec<u8>,
    times: Vec<u8>,
}

/// Where a broker started to count the bytes since the last entry from 0 again: at the log end of each of its starts. A
/// recovery writes the indexes of a segment anew, as if nothing had happened before it.
fn resets(segment: &Segment<'_>, restarts: &[Restart]) -> Vec<i64> {
    let mut resets = Vec::new();
    for restart in restarts {
        let recovered = |point| segment.next.is_none_or(|next| next > point);
        if restart.recovered_from.is_some_and(recovered) {
            resets.clear();
        }
        resets.push(restart.log_end);
    }
    resets
}

/// What the rules write for a segment's batches. At a reset, its largest timestamp so far was offered to the time index,
/// since it was closed or recovered.
fn entries(segment: &Segment<'_>, interval: u64, resets: &[i64], closed: bool) -> Entries {
    let base = Offset::new(segment.base).expect("a base offset");
    let mut entries = Entries::default();
    let mut counter = 0;
    let mut largest: Option<(TimestampMs, Offset)> = None;
    let mut last_time = None;
    let mut offer = |entries: &mut Entries, reason, (timestamp, offset): (TimestampMs, Offset)| {
        let decision = TimeEntryDecision {
            base,
            reason,
            timestamp: Some(timestamp),
            relative: offset.relative_to(base).expect("within a segment"),
            last: last_time,
        };
        if decision.written() {
            last_time = Some(timestamp);
            let relative = decision.relative;
            entries.times.extend(TimeEntry { timestamp, relative }.to_bytes());
        }
    };
    for RawBatch {
        position,
        header,
        bytes,
    } in segment.batches()
    {
        if resets.contains(&header.base_offset) && header.base_offset > segment.base {
            counter = 0;
            offer(
                &mut entries,
                TimeEntryReason::Roll,
                largest.expect("batches before this one"),
            );
        }
        let last_offset = Offset::new(header.last_offset()).expect("an offset");
        let timestamp = TimestampMs::new(header.max_timestamp).expect("every record has a timestamp");
        if largest.is_none_or(|(before, _)| timestamp > before) {
            largest = Some((timestamp, last_offset));
        }
        let decision = IndexEntryDecision {
            base,
            bytes_since_last_index_entry: counter,
            interval,
            batch_size: bytes.len() as u64,
            last_offset,
            relative: last_offset.relative_to(base).expect("within a segment"),
            position: Position::new(position).expect("within a segment"),
        };
        if decision.due() {
            let (relative, position) = (decision.relative, decision.position);
            entries.offsets.extend(OffsetEntry { relative, position }.to_bytes());
            offer(&mut entries, TimeEntryReason::OffsetEntry, largest.expect("this batch"));
        }
        counter = decision.bytes_after();
    }
    if let Some(largest) = largest.filter(|_| closed) {
        offer(&mut entries, TimeEntryReason::Roll, largest);
    }
    entries
}

/// The whole content of an index file, which a segment without an appended batch may lack.
fn written(file: Option<&File>) -> Vec<u8> {
    file.map(|file| file.bytes.clone()).unwrap_or_default()
}

#[test]
fn both_indexes_hold_what_the_rules_write() {
    for kept in Kept::all() {
        let interval = kept.setting("index.interval.bytes").expect("each topic has one");
        let interval = interval.parse().expect("a count of bytes");
        for segment in kept.segments() {
            let closed = !segment.is_active() || kept.origin.ended == End::Stopped;
            let expected = entries(&segment, interval, &resets(&segment, &kept.restarts()), closed);
            let mut found = Entries {
                offsets: written(segment.index),
                times: written(segment.time_index),
            };
            // Of a large file, the last entry's own zeros were left out with those behind it.
            found.offsets.resize(found.offsets.len().next_multiple_of(8), 0);
            found.times.resize(found.times.len().next_multiple_of(12), 0);
            assert_eq!(found, expected, "{}, segment {}", kept.name, segment.base);
        }
    }
}

#[test]
fn an_index_has_its_full_size_until_its_segment_is_closed() {
    for kept in Kept::all() {
        for segment in kept.segments() {
            let name = format!("{}, segment {}", kept.name, segment.base);
            let open = segment.is_active() && kept.origin.ended == End::Killed;
            let full = [10 << 20, (10 << 20) / 12 * 12];
            for (file, full) in [segment.index, segment.time_index].into_iter().zip(full) {
                let Some(file) = file else { continue };
                let expected = if open { full } else { file.bytes.len() as u64 };
                assert_eq!(file.length, expected, "{name}");
            }
        }
    }
}
