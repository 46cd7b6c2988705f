//! What a scenario expects of the partition at one point.

use core::fmt;

use partition_log::disk::{FileKind, FileName};
use partition_log::units::{Offset, TimestampMs};

use super::amount::Amount;
use super::print::{free, list};
use super::written::{FileWord, Written};

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
    /// Of the last read: records below the offset asked for, dropped.
    Below,
    /// Of the last read: control records, passed over.
    Markers,
    /// Of the last read: records of aborted transactions, dropped.
    AbortedRecords,
    /// The offset that the consumer reads next.
    Consumer,
    /// Records between it and the end, as its last fetch was told it.
    Lag,
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

/// A file that stands for all of them.
const FILE: FileName = FileName::live(Offset::ZERO, FileKind::Log);

impl ExpectKey {
    /// Whether only a broker knows it: what a start has not loaded is nowhere.
    pub(crate) fn is_kept_in_memory(self) -> bool {
        matches!(
            self,
            ExpectKey::Segments
                | ExpectKey::LogStart
                | ExpectKey::LogEnd
                | ExpectKey::HighWatermark
                | ExpectKey::LastStable
                | ExpectKey::RecoveryPoint
                | ExpectKey::Size
                | ExpectKey::Epochs
                | ExpectKey::Producers
        )
    }

    /// Every key, as an error lists it, and how its value is written. A base offset or a file in brackets stands for all
    /// of them. A position is a plain number: a byte's place, not a size.
    pub(super) const ALL: [(ExpectKey, &'static str, Shape); 37] = [
        (ExpectKey::Segments, "segments", Shape::Offsets),
        (ExpectKey::LogStart, "log-start", Shape::MaybeOffset),
        (ExpectKey::LogEnd, "log-end", Shape::MaybeOffset),
        (ExpectKey::HighWatermark, "high-watermark", Shape::MaybeOffset),
        (ExpectKey::Size, "size", Shape::Size),
        (ExpectKey::Deleted, "deleted", Shape::Size),
        (ExpectKey::Clock, "clock", Shape::Time),
        (ExpectKey::Index(0), "index[0]", Shape::OffsetEntries),
        (ExpectKey::TimeIndex(0), "timeindex[0]", Shape::TimeEntries),
        (ExpectKey::Files(0), "files[0]", Shape::Files),
        (ExpectKey::File(FILE), "file[0.log]", Shape::MaybeSize),
        (ExpectKey::TxnIndex(0), "txnindex[0]", Shape::Rows(4)),
        (ExpectKey::LastStable, "last-stable", Shape::MaybeOffset),
        (ExpectKey::RecoveryPoint, "recovery-point", Shape::MaybeOffset),
        (ExpectKey::Epochs, "epochs", Shape::Rows(2)),
        (ExpectKey::Producers, "producers", Shape::Rows(3)),
        (ExpectKey::Snapshots, "snapshots", Shape::Rows(1)),
        (ExpectKey::Recovered, "recovered", Shape::Rows(1)),
        (ExpectKey::Scanned, "scanned", Shape::Size),
        (ExpectKey::FileCount, "files", Shape::Count),
        (ExpectKey::Aborted, "aborted", Shape::Rows(2)),
        (ExpectKey::Answer, "answer", Shape::MaybeOffset),
        (ExpectKey::Timestamp, "timestamp", Shape::MaybeTime),
        (ExpectKey::Segment, "segment", Shape::MaybeOffset),
        (ExpectKey::Position, "position", Shape::MaybeOffset),
        (ExpectKey::Records, "records", Shape::Count),
        (ExpectKey::Bytes, "bytes", Shape::Size),
        (ExpectKey::Slice, "slice", Shape::Size),
        (ExpectKey::Skipped, "skipped", Shape::Size),
        (ExpectKey::Next, "next", Shape::MaybeOffset),
        (ExpectKey::Below, "below", Shape::Count),
        (ExpectKey::Markers, "markers", Shape::Count),
        (ExpectKey::AbortedRecords, "aborted-records", Shape::Count),
        (ExpectKey::Consumer, "consumer", Shape::MaybeOffset),
        (ExpectKey::Lag, "lag", Shape::MaybeOffset),
        (ExpectKey::Committed, "committed", Shape::MaybeOffset),
        (ExpectKey::Error, "error", Shape::Word),
    ];

    fn row(self) -> (&'static str, Shape) {
        let kind = core::mem::discriminant(&self);
        let row = ExpectKey::ALL
            .into_iter()
            .find(|(key, ..)| core::mem::discriminant(key) == kind);
        row.map_or(("", Shape::Word), |(_, listed, shape)| (listed, shape))
    }

    pub(super) fn shape(self) -> Shape {
        self.row().1
    }
}

/// A value to compare, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectValue {
    /// `0,6,11,17`
    Offsets(Vec<i64>),
    /// `9` or `none`
    Number(Option<i64>),
    /// `950B`, or `none`
    Amount(Option<Amount>),
    /// `31s`, `2026-03-03T09:00`, or `none`
    Time(Option<Written<TimestampMs>>),
    /// `2:115,4:200`; `none` is the empty list
    Entries(Vec<(Amount, i64)>),
    /// `18s:2,22s:4`; `none` is the empty list
    TimeEntries(Vec<(Written<TimestampMs>, i64)>),
    /// `270B,16B,36B`; `none` for a file that does not exist
    Files([Option<Amount>; 3]),
    /// `0:0,3:12`; `none` is the empty list
    Rows(Vec<Vec<i64>>),
    /// `offset-out-of-range` or `none`
    Word(String),
}

impl fmt::Display for ExpectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (listed, _) = self.row();
        let word = listed.split_once('[').map_or(listed, |(word, _)| word);
        match self {
            ExpectKey::Index(base)
            | ExpectKey::TimeIndex(base)
            | ExpectKey::TxnIndex(base)
            | ExpectKey::Files(base) => write!(f, "{word}[{base}]"),
            ExpectKey::File(file) => write!(f, "{word}[{}]", FileWord(*file)),
            _ => f.write_str(word),
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
            ExpectValue::Time(time) => time.as_ref().map_or_else(none, Written::to_string),
            ExpectValue::Entries(entries) if entries.is_empty() => none(),
            ExpectValue::Entries(entries) => list(entries.iter().map(|(key, to)| format!("{key}:{to}"))),
            ExpectValue::TimeEntries(entries) if entries.is_empty() => none(),
            ExpectValue::TimeEntries(entries) => list(entries.iter().map(|(key, to)| format!("{key}:{to}"))),
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
