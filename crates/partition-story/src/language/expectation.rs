//! What a scenario expects of the partition at one point.

use core::fmt;

use partition_log::disk::FileName;

use super::amount::Amount;
use super::print::{free, list};
use super::written::FileWord;

/// A key and the value that it must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// What is looked at.
    pub key: ExpectKey,
    /// What it must be.
    pub value: ExpectValue,
}

/// What can be expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExpectKey {
    /// Base offsets of the live segments.
    Segments,
    /// Log start offset.
    LogStart,
    /// Log end offset.
    LogEnd,
    /// High watermark.
    HighWatermark,
    /// Bytes in the live `.log` files.
    Size,
    /// Bytes in the `.log.deleted` files.
    Deleted,
    /// The clock.
    Clock,
    /// Entries of a segment's offset index.
    Index(i64),
    /// Entries of a segment's time index.
    TimeIndex(i64),
    /// Lengths of a segment's `.log`, `.index` and `.timeindex`, as a directory lists them.
    Files(i64),
    /// Last stable offset.
    LastStable,
    /// Recovery point.
    RecoveryPoint,
    /// Leader epochs and their first offsets.
    Epochs,
    /// Idempotent producers: id, epoch, last sequence number.
    Producers,
    /// Offsets of the producer snapshots.
    Snapshots,
    /// Segments that the last start read again.
    Recovered,
    /// Bytes of theirs that it read.
    Scanned,
    /// How many files the directory has.
    FileCount,
    /// Length of one file.
    File(FileName),
    /// Aborted transactions of a segment: producer, first and last offset, last stable offset.
    TxnIndex(i64),
    /// Of the last read: aborted transactions that come with it: producer and first offset.
    Aborted,
    /// Of the last read: the offset found.
    Answer,
    /// Of the last read: the timestamp of the record found.
    Timestamp,
    /// Of the last read: the segment.
    Segment,
    /// Of the last read: where the batch with the answer starts.
    Position,
    /// Of the last read: records that the consumer kept.
    Records,
    /// Of the last read: bytes of the batches that it kept.
    Bytes,
    /// Of the last read: bytes that the broker sent.
    Slice,
    /// Of the last read: bytes that the scan passed over.
    Skipped,
    /// Of the last read: the offset to ask for next.
    Next,
    /// The offset that the consumer reads next.
    Consumer,
    /// The group's committed offset.
    Committed,
    /// The refusal of the last command that could be refused.
    Error,
}

/// How a key's value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Offsets,
    MaybeOffset,
    Size,
    Time,
    MaybeTime,
    Count,
    OffsetEntries,
    TimeEntries,
    Files,
    MaybeSize,
    /// Rows of so many numbers.
    Rows(usize),
    Word,
}

impl ExpectKey {
    /// The keys without a segment.
    pub(super) const PLAIN: [ExpectKey; 28] = [
        ExpectKey::Segments,
        ExpectKey::LogStart,
        ExpectKey::LogEnd,
        ExpectKey::HighWatermark,
        ExpectKey::Size,
        ExpectKey::Deleted,
        ExpectKey::Clock,
        ExpectKey::LastStable,
        ExpectKey::RecoveryPoint,
        ExpectKey::Epochs,
        ExpectKey::Producers,
        ExpectKey::Snapshots,
        ExpectKey::Recovered,
        ExpectKey::Scanned,
        ExpectKey::FileCount,
        ExpectKey::Aborted,
        ExpectKey::Answer,
        ExpectKey::Timestamp,
        ExpectKey::Segment,
        ExpectKey::Position,
        ExpectKey::Records,
        ExpectKey::Bytes,
        ExpectKey::Slice,
        ExpectKey::Skipped,
        ExpectKey::Next,
        ExpectKey::Consumer,
        ExpectKey::Committed,
        ExpectKey::Error,
    ];

    /// The word, without the segment in brackets.
    pub(super) const fn word(self) -> &'static str {
        match self {
            ExpectKey::Segments => "segments",
            ExpectKey::LogStart => "log-start",
            ExpectKey::LogEnd => "log-end",
            ExpectKey::HighWatermark => "high-watermark",
            ExpectKey::Size => "size",
            ExpectKey::Deleted => "deleted",
            ExpectKey::Clock => "clock",
            ExpectKey::Index(_) => "index",
            ExpectKey::TimeIndex(_) => "timeindex",
            ExpectKey::Files(_) | ExpectKey::FileCount => "files",
            ExpectKey::LastStable => "last-stable",
            ExpectKey::RecoveryPoint => "recovery-point",
            ExpectKey::Epochs => "epochs",
            ExpectKey::Producers => "producers",
            ExpectKey::Snapshots => "snapshots",
            ExpectKey::Recovered => "recovered",
            ExpectKey::Scanned => "scanned",
            ExpectKey::File(_) => "file",
            ExpectKey::TxnIndex(_) => "txnindex",
            ExpectKey::Aborted => "aborted",
            ExpectKey::Answer => "answer",
            ExpectKey::Timestamp => "timestamp",
            ExpectKey::Segment => "segment",
            ExpectKey::Position => "position",
            ExpectKey::Records => "records",
            ExpectKey::Bytes => "bytes",
            ExpectKey::Slice => "slice",
            ExpectKey::Skipped => "skipped",
            ExpectKey::Next => "next",
            ExpectKey::Consumer => "consumer",
            ExpectKey::Committed => "committed",
            ExpectKey::Error => "error",
        }
    }

    pub(super) const fn shape(self) -> Shape {
        match self {
            ExpectKey::Segments => Shape::Offsets,
            ExpectKey::LogStart | ExpectKey::LogEnd | ExpectKey::HighWatermark => Shape::MaybeOffset,
            ExpectKey::LastStable | ExpectKey::RecoveryPoint => Shape::MaybeOffset,
            ExpectKey::Snapshots | ExpectKey::Recovered => Shape::Rows(1),
            ExpectKey::Scanned => Shape::Size,
            ExpectKey::Epochs | ExpectKey::Aborted => Shape::Rows(2),
            ExpectKey::Producers => Shape::Rows(3),
            ExpectKey::TxnIndex(_) => Shape::Rows(4),
            ExpectKey::File(_) => Shape::MaybeSize,
            ExpectKey::FileCount => Shape::Count,
            ExpectKey::Answer | ExpectKey::Segment | ExpectKey::Next => Shape::MaybeOffset,
            ExpectKey::Consumer | ExpectKey::Committed => Shape::MaybeOffset,
            // A position is a plain number: a byte's place, not a size.
            ExpectKey::Position => Shape::MaybeOffset,
            ExpectKey::Size | ExpectKey::Deleted | ExpectKey::Bytes | ExpectKey::Slice | ExpectKey::Skipped => {
                Shape::Size
            }
            ExpectKey::Clock => Shape::Time,
            ExpectKey::Timestamp => Shape::MaybeTime,
            ExpectKey::Index(_) => Shape::OffsetEntries,
            ExpectKey::TimeIndex(_) => Shape::TimeEntries,
            ExpectKey::Files(_) => Shape::Files,
            ExpectKey::Records => Shape::Count,
            ExpectKey::Error => Shape::Word,
        }
    }
}

/// A value to compare, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectValue {
    /// `0,6,11,17`
    Offsets(Vec<i64>),
    /// `9` or `none`
    Number(Option<i64>),
    /// `950B`, `31s`, or `none`
    Amount(Option<Amount>),
    /// `2:115,4:200` or `18s:2,22s:4`; `none` is the empty list
    Entries(Vec<(Amount, i64)>),
    /// `270B,16B,36B`; `none` for a file that does not exist
    Files([Option<Amount>; 3]),
    /// `0:0,3:12`; `none` is the empty list
    Rows(Vec<Vec<i64>>),
    /// `offset-out-of-range` or `none`
    Word(String),
}

impl fmt::Display for ExpectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        match self {
            ExpectKey::Index(base)
            | ExpectKey::TimeIndex(base)
            | ExpectKey::TxnIndex(base)
            | ExpectKey::Files(base) => {
                write!(f, "[{base}]")
            }
            ExpectKey::File(file) => write!(f, "[{}]", FileWord(*file)),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

impl fmt::Display for ExpectValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let none = || "none".to_string();
        let amount = |amount: &Option<Amount>| amount.map_or_else(none, |amount| amount.to_string());
        f.write_str(&match self {
            ExpectValue::Offsets(offsets) => list(offsets),
            ExpectValue::Number(number) => number.map_or_else(none, |number| number.to_string()),
            ExpectValue::Amount(found) => amount(found),
            ExpectValue::Entries(entries) if entries.is_empty() => none(),
            ExpectValue::Entries(entries) => list(entries.iter().map(|(key, to)| format!("{key}:{to}"))),
            ExpectValue::Files(lengths) => list(lengths.iter().map(amount)),
            ExpectValue::Rows(rows) if rows.is_empty() => none(),
            ExpectValue::Rows(rows) => list(rows.iter().map(|row| {
                let numbers: Vec<String> = row.iter().map(i64::to_string).collect();
                numbers.join(":")
            })),
            ExpectValue::Word(word) => free(word),
        })
    }
}
