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

/// The range check of a fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchRange {
    /// The offset asked for.
    pub requested: Offset,
    /// First offset that may be read.
    pub log_start: Offset,
    /// First offset that may not be read: a consumer's bound.
    pub high_watermark: Offset,
    /// The next offset to be assigned.
    pub log_end: Offset,
}

impl FetchRange {
    /// Where the offset lies.
    pub fn answer(&self) -> RangeAnswer {
        if self.requested < self.log_start || self.requested > self.log_end {
            RangeAnswer::OutOfRange
        } else if self.requested >= self.high_watermark {
            RangeAnswer::Empty
        } else {
            RangeAnswer::Readable
        }
    }
}

/// The bytes that a fetch gets: a slice of one segment's `.log`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchSlice {
    /// Base offset of the segment.
    pub base: Offset,
    /// First byte: the start of the batch that holds the offset.
    pub start: Position,
    /// End of what may be read in this segment, exclusive.
    pub end: u64,
    /// Bytes asked for.
    pub limit: u64,
    /// Size of the first batch, which is sent whole even where it exceeds the limit.
    pub first_batch_size: u64,
}

impl FetchSlice {
    /// The limit after the rule that one batch is always sent whole (Kafka: `minOneMessage`).
    pub fn adjusted_limit(&self) -> u64 {
        self.limit.max(self.first_batch_size)
    }

    /// Bytes sent. The cut may fall inside a batch.
    pub fn length(&self) -> u64 {
        self.end
            .saturating_sub(u64::from(self.start.get()))
            .min(self.adjusted_limit())
    }
}
