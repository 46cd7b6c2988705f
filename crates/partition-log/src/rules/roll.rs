//! Whether an append has to go to a new segment (Kafka: `LogSegment.shouldRoll(RollParams)`).

use crate::units::{Offset, TimestampMs};

/// What the roll check looks at.
#[derive(Clone, Copy, Debug)]
pub struct RollParams {
    /// Base offset of the active segment.
    pub base: Offset,
    /// Bytes in its `.log`.
    pub size: u64,
    /// Bytes about to be appended.
    pub append_size: u64,
    /// Largest timestamp about to be appended.
    pub append_timestamp: Option<TimestampMs>,
    /// Last offset about to be appended.
    pub append_last_offset: Offset,
    /// Largest timestamp of the segment's first batch.
    pub first_timestamp: Option<TimestampMs>,
    /// When the segment was created.
    pub created: TimestampMs,
    /// The broker's clock.
    pub now: TimestampMs,
    /// `segment.bytes`.
    pub segment_bytes: u64,
    /// `segment.ms`.
    pub segment_ms: i64,
    /// What this segment's jitter takes off `segment.ms`.
    pub jitter_ms: i64,
    /// Entries in the offset index, and how many it can hold.
    pub offset_index: (u32, u32),
    /// Entries in the time index, and how many it can hold.
    pub time_index: (u32, u32),
}

/// How long the segment has waited (Kafka: `LogSegment.timeWaitedForRoll`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Waited {
    /// The incoming timestamp less that of the first batch; the broker's clock plays no part.
    Timestamps {
        /// Largest timestamp of the append; `None` counts as −1.
        incoming: Option<TimestampMs>,
        /// Largest timestamp of the segment's first batch.
        first: TimestampMs,
    },
    /// The clock less the segment's creation, since the first batch has no timestamp.
    Clock {
        /// The broker's clock.
        now: TimestampMs,
        /// When the segment was created.
        created: TimestampMs,
    },
}

impl Waited {
    /// The span in milliseconds; may be negative.
    pub fn ms(&self) -> i64 {
        match self {
            Waited::Timestamps { incoming, first } => incoming.map_or(-1, TimestampMs::get) - first.get(),
            Waited::Clock { now, created } => *now - *created,
        }
    }
}

/// Why a segment was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum RollCause {
    /// The append would pass `segment.bytes`.
    Size,
    /// The append is too much later than the segment's first batch.
    Time,
    /// The offset index has no room.
    OffsetIndexFull,
    /// The time index has no room but for its closing entry.
    TimeIndexFull,
    /// The offset does not fit 31 bits relative to the base.
    OffsetRange,
    /// Somebody asked for it.
    Requested,
    /// Retention is about to delete every segment, and an active one has to remain.
    Retention,
}

/// The roll check with every clause and its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RollDecision {
    /// Base offset of the active segment.
    pub base: Offset,
    /// Bytes in its `.log`.
    pub size: u64,
    /// Bytes about to be appended.
    pub append_size: u64,
    /// `segment.bytes`.
    pub segment_bytes: u64,
    /// How long the segment has waited.
    pub waited: Waited,
    /// `segment.ms` less the jitter.
    pub waited_limit_ms: i64,
    /// Entries in the offset index, and how many it can hold.
    pub offset_index: (u32, u32),
    /// Entries in the time index, and how many it can hold.
    pub time_index: (u32, u32),
    /// Last offset about to be appended.
    pub append_last_offset: Offset,
}

impl RollDecision {
    /// Gathers the operands; the answers follow from them.
    pub fn evaluate(params: &RollParams) -> RollDecision {
        let waited = match params.first_timestamp {
            Some(first) => Waited::Timestamps {
                incoming: params.append_timestamp,
                first,
            },
            None => Waited::Clock {
                now: params.now,
                created: params.created,
            },
        };
        RollDecision {
            base: params.base,
            size: params.size,
            append_size: params.append_size,
            segment_bytes: params.segment_bytes,
            waited,
            waited_limit_ms: params.segment_ms - params.jitter_ms,
            offset_index: params.offset_index,
            time_index: params.time_index,
            append_last_offset: params.append_last_offset,
        }
    }

    /// Size after the append, if it stayed in this segment.
    pub fn total(&self) -> u64 {
        self.size + self.append_size
    }

    /// The append would pass `segment.bytes`; filling it to the byte does not.
    pub fn size_exceeded(&self) -> bool {
        self.total() > self.segment_bytes
    }

    /// The segment holds something and has waited longer than the limit.
    pub fn time_exceeded(&self) -> bool {
        self.size > 0 && self.waited.ms() > self.waited_limit_ms
    }

    /// The offset index is full.
    pub fn offset_index_full(&self) -> bool {
        self.offset_index.0 >= self.offset_index.1
    }

    /// The time index is full: its last slot is kept for the closing entry (Kafka: `TimeIndex.isFull`).
    pub fn time_index_full(&self) -> bool {
        u64::from(self.time_index.0) + 1 >= u64::from(self.time_index.1)
    }

    /// The last offset does not fit 31 bits relative to the base.
    pub fn offset_out_of_range(&self) -> bool {
        self.append_last_offset.relative_to(self.base).is_none()
    }

    /// Whether a clause looked at the index files, which creates them if they were missing: Kafka stops at the first
    /// clause that says yes.
    pub fn reached_indexes(&self) -> bool {
        !self.size_exceeded() && !self.time_exceeded()
    }

    /// The first clause that says yes, in Kafka's order.
    pub fn cause(&self) -> Option<RollCause> {
        let clauses = [
            (self.size_exceeded(), RollCause::Size),
            (self.time_exceeded(), RollCause::Time),
            (self.offset_index_full(), RollCause::OffsetIndexFull),
            (self.time_index_full(), RollCause::TimeIndexFull),
            (self.offset_out_of_range(), RollCause::OffsetRange),
        ];
        clauses.into_iter().find_map(|(yes, cause)| yes.then_some(cause))
    }
}
