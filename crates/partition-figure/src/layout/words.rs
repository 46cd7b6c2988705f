//! Numbers as a scene writes them.

use partition_log::questions::view::{BatchView, IndexView, SegmentView};
use partition_log::units::{TimestampMs, bytes, duration};

use crate::metrics::{amount, cat, number};

/// A size in bytes: `300 B`, `1 GiB`.
pub fn size(value: u64) -> String {
    bytes(value as i64)
}

/// What stands for a timestamp that is none.
pub const NO_TIME: &str = "no time";

/// A time, or the word for its absence; of today, without the date.
pub fn time(timestamp: Option<TimestampMs>, now: TimestampMs) -> String {
    timestamp.map_or_else(|| NO_TIME.to_string(), |timestamp| timestamp.seen_from(now))
}

/// A time in milliseconds, likewise.
pub fn moment(ms: i64, now: TimestampMs) -> String {
    TimestampMs::stored(ms).map_or_else(|| duration(ms), |timestamp| timestamp.seen_from(now))
}

/// Records of a segment, in words: `1 record`, `5 records`.
pub fn count(value: usize, one: &str, many: &str) -> String {
    cat(&[&number(value as i64), " ", if value == 1 { one } else { many }])
}

/// Number of records in a segment.
pub fn records(segment: &SegmentView) -> usize {
    segment.batches.iter().map(|batch| batch.records.len()).sum()
}

/// What an index holds: `2 entries, 16 B`, or `1 entry, 8 B used of 10,485,760 B`.
pub fn index<To>(index: &IndexView<To>) -> String {
    if !index.created {
        return "not created yet".to_string();
    }
    let entries = count(index.entries.len(), "entry", "entries");
    cat(&[&entries, ", ", &used(index)])
}

/// The bytes of an index: `16 B`, or `8 B used of 10,485,760 B`.
pub fn used<To>(index: &IndexView<To>) -> String {
    let used = exact(index.used);
    if index.apparent > index.used {
        cat(&[&used, " used of ", &exact(index.apparent)])
    } else {
        used
    }
}

/// What an index holds at three lengths: all of it, its bytes, its bytes in use.
pub fn index_at_lengths<To>(view: &IndexView<To>) -> [String; 3] {
    let all = index(view);
    if !view.created {
        return [all.clone(), all.clone(), all];
    }
    let short = exact(view.used);
    let short = if view.apparent > view.used {
        cat(&[&short, " used"])
    } else {
        short
    };
    [all, used(view), short]
}

/// A text without the unit at its end. The searches of the standard library's `trim` and `replace` take 3 kB.
pub fn without<'a>(text: &'a str, unit: &str) -> &'a str {
    text.strip_suffix(unit).unwrap_or(text)
}

/// Bytes without a larger unit, so that 10,485,760 B and 10,485,756 B look as different as they are.
pub fn exact(value: u64) -> String {
    cat(&[&partition_log::units::grouped(value as i64), " B"])
}

/// How full a `.log` is: `270 / 300 B`; only its size where the limit is far off.
pub fn fill(size_now: u64, limit: u64) -> String {
    if limit < 100_000 {
        cat(&[&amount(size_now as i64), " / ", &size(limit)])
    } else {
        cat(&[&size(size_now), " of ", &size(limit)])
    }
}

/// The same in fewer letters: `270/300`.
pub fn fill_in_short(size_now: u64, limit: u64) -> String {
    let limit_bare = size(limit);
    let limit_bare = without(&limit_bare, " B");
    if limit < 100_000 {
        cat(&[&amount(size_now as i64), "/", limit_bare])
    } else {
        cat(&[without(&size(size_now), " B"), " of ", limit_bare])
    }
}

/// The offsets of a batch: `9`, `8–10`.
pub fn offsets(batch: &BatchView) -> String {
    range(batch.first_offset.get(), batch.last_offset.get())
}

/// Offsets in a row: `9`, `8–10`.
pub fn range(first: i64, last: i64) -> String {
    if first == last {
        number(first)
    } else {
        cat(&[&number(first), "–", &number(last)])
    }
}
