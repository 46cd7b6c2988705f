//! Why an offset index or a time index is refused, or refuses an entry.

use core::fmt;

use crate::disk::{FileKind, FileName};
use crate::units::Offset;

/// An index that cannot be used, or an entry that it cannot take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct IndexError {
    /// Base offset of the segment.
    pub base: Offset,
    /// Which index.
    pub kind: FileKind,
    /// What is wrong.
    pub reason: IndexReason,
}

/// What is wrong with an index, or with an entry that it was to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum IndexReason {
    /// There is no room that an append may use (Kafka: `IllegalArgumentException`).
    Full {
        /// Entries that there are.
        entries: u32,
    },
    /// There are not that many entries (Kafka: `IllegalArgumentException`).
    NoEntry {
        /// Number of the entry asked for, from 0.
        entry_number: u32,
        /// Entries that there are.
        entries: u32,
    },
    /// An offset that does not lie behind that of the last entry; in a time index it may be the same
    /// (Kafka: `InvalidOffsetException`).
    OffsetNotRising {
        /// The last entry's.
        last: i64,
        /// The new one's.
        appended: i64,
    },
    /// A timestamp below that of the last entry (Kafka: `IllegalStateException`).
    TimestampFalling {
        /// The last entry's, in milliseconds.
        last: i64,
        /// The new one's.
        appended: i64,
    },
    /// An offset that 31 bits do not reach from the base (Kafka: `IndexOffsetOverflowException`).
    OffsetOverflow {
        /// The offset.
        offset: i64,
    },
    /// The last entry has an offset below the segment (Kafka: `CorruptIndexException`).
    BelowBase {
        /// Its offset.
        last: i64,
    },
    /// The last entry is older than the first one (Kafka: `CorruptIndexException`).
    OlderThanFirst {
        /// The first entry's timestamp in milliseconds.
        first: i64,
        /// The last entry's.
        last: i64,
    },
    /// The entry that closes a time index finds no room (Kafka: `BufferOverflowException`).
    NoRoomToClose {
        /// Entries that there are.
        entries: u32,
    },
    /// The file was to be smaller than its entries (Kafka: `IllegalArgumentException`).
    SmallerThanEntries {
        /// Bytes of the entries.
        used: u64,
        /// Bytes that the file was to have, `segment.index.bytes` in whole entries.
        size: u64,
    },
    /// The length of the file is not a multiple of an entry's (Kafka: `CorruptIndexException`).
    Length {
        /// Bytes of the file.
        length: u64,
    },
}

impl IndexError {
    /// Kafka's name for it.
    pub fn kafka_name(&self) -> &'static str {
        match self.reason {
            IndexReason::Full { .. } | IndexReason::NoEntry { .. } | IndexReason::SmallerThanEntries { .. } => {
                "IllegalArgumentException"
            }
            IndexReason::NoRoomToClose { .. } => "BufferOverflowException",
            IndexReason::OffsetNotRising { .. } => "InvalidOffsetException",
            IndexReason::TimestampFalling { .. } => "IllegalStateException",
            IndexReason::OffsetOverflow { .. } => "IndexOffsetOverflowException",
            IndexReason::BelowBase { .. } | IndexReason::OlderThanFirst { .. } | IndexReason::Length { .. } => {
                "CorruptIndexException"
            }
        }
    }
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", FileName::live(self.base, self.kind))?;
        match self.reason {
            IndexReason::Full { entries } => write!(f, "no room behind {entries} entries"),
            IndexReason::NoEntry { entry_number, entries } => write!(f, "no entry {entry_number} of {entries}"),
            IndexReason::OffsetNotRising { last, appended } => {
                write!(
                    f,
                    "an entry for offset {appended} does not come behind the last one, {last}"
                )
            }
            IndexReason::TimestampFalling { last, appended } => {
                write!(f, "an entry for {appended} ms is older than the last one, {last} ms")
            }
            IndexReason::OffsetOverflow { offset } => write!(f, "offset {offset} does not fit 31 bits relative to it"),
            IndexReason::BelowBase { last } => write!(f, "the last entry leads to offset {last}, below the segment"),
            IndexReason::OlderThanFirst { first, last } => {
                write!(f, "the last entry, {last} ms, is older than the first, {first} ms")
            }
            IndexReason::NoRoomToClose { entries } => write!(f, "no room for a last entry behind {entries}"),
            IndexReason::SmallerThanEntries { used, size } => {
                write!(
                    f,
                    "{used} B of entries do not fit in {size} B: raise segment.index.bytes"
                )
            }
            IndexReason::Length { length } => write!(f, "{length} B are no whole number of entries"),
        }
    }
}

impl core::error::Error for IndexError {}
