//! What a fetch may read, and how much of it (Kafka: `LocalLog.read`, `LogSegment.read`).

use crate::units::{Offset, Position};

/// How an offset lies to the readable part of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeAnswer {
    /// Below the log start offset, or above the log end offset.
    OutOfRange,
    /// At the bound or between it and the log end: nothing to read yet.
    Empty,
    /// Inside.
    Readable,
}

/// How far a reader may read (Kafka: `FetchIsolation`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Isolation {
    /// A follower: up to the log end offset.
    LogEnd,
    /// A consumer with `isolation.level=read_uncommitted`: up to the high watermark.
    #[default]
    HighWatermark,
    /// A consumer with `isolation.level=read_committed`: up to the last stable offset, and without aborted records.
    TxnCommitted,
}

impl Isolation {
    /// The mark that bounds it, in words.
    pub const fn bound(self) -> &'static str {
        match self {
            Isolation::LogEnd => "log end offset",
            Isolation::HighWatermark => "high watermark",
            Isolation::TxnCommitted => "last stable offset",
        }
    }
}

/// The range check of a fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FetchRange {
    /// The offset asked for.
    pub requested: Offset,
    /// First offset that may be read.
    pub log_start: Offset,
    /// How far the reader may read.
    pub isolation: Isolation,
    /// First offset that consumers may not read.
    pub high_watermark: Offset,
    /// First offset that consumers of committed records may not read.
    pub last_stable: Offset,
    /// The next offset to be assigned.
    pub log_end: Offset,
}

impl FetchRange {
    /// First offset that this reader may not read.
    pub fn bound(&self) -> Offset {
        match self.isolation {
            Isolation::LogEnd => self.log_end,
            Isolation::HighWatermark => self.high_watermark,
            Isolation::TxnCommitted => self.last_stable,
        }
    }

    /// Where the offset lies.
    pub fn answer(&self) -> RangeAnswer {
        if self.requested < self.log_start || self.requested > self.log_end {
            RangeAnswer::OutOfRange
        } else if self.requested >= self.bound() {
            RangeAnswer::Empty
        } else {
            RangeAnswer::Readable
        }
    }
}

/// The bytes that a fetch gets: a slice of one segment's `.log`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FetchSlice {
    /// Base offset of the segment.
    pub base: Offset,
    /// First byte: the start of the batch that holds the offset.
    pub start: Position,
    /// End of what may be read in this segment, exclusive.
    pub end: u64,
    /// Bytes asked for.
    pub limit: u64,
    /// Size of the first batch.
    pub first_batch_size: u64,
    /// Whether the first batch is sent whole even where it exceeds the limit (Kafka: `minOneMessage`).
    pub min_one: bool,
}

impl FetchSlice {
    /// The limit after the rule that one batch is sent whole.
    pub fn adjusted_limit(&self) -> u64 {
        if self.min_one {
            self.limit.max(self.first_batch_size)
        } else {
            self.limit
        }
    }

    /// Not even the first batch is sent whole. Where nothing may be sent, Kafka does not say so.
    pub fn first_incomplete(&self) -> bool {
        self.adjusted_limit() > 0 && self.adjusted_limit() < self.first_batch_size
    }

    /// Bytes sent. The cut may fall inside a batch.
    pub fn length(&self) -> u64 {
        self.end
            .saturating_sub(u64::from(self.start.get()))
            .min(self.adjusted_limit())
    }
}
