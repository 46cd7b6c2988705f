//! Whether a batch gets an entry in the indexes (Kafka: `LogSegment.append`, per batch since 4.1).

use crate::units::{Offset, Position, RelativeOffset, TimestampMs};

/// The entry rule for one batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct IndexEntryDecision {
    /// Base offset of the segment.
    pub base: Offset,
    /// Bytes appended since the last entry, without this batch.
    pub counter: u64,
    /// `index.interval.bytes`, as it was when the segment was opened.
    pub interval: u64,
    /// Size of this batch.
    pub batch_size: u64,
    /// What the entry holds, or would hold: the batch's last offset.
    pub last_offset: Offset,
    /// The same, relative to the base.
    pub relative: RelativeOffset,
    /// Where the batch starts.
    pub position: Position,
}

impl IndexEntryDecision {
    /// More than the interval was appended since the last entry; reaching it is not enough.
    pub fn due(&self) -> bool {
        self.counter > self.interval
    }

    /// The counter after this batch: it starts over before the batch is added.
    pub fn counter_after(&self) -> u64 {
        if self.due() {
            self.batch_size
        } else {
            self.counter + self.batch_size
        }
    }
}

/// Why the time index was offered an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum TimeEntryReason {
    /// An offset entry was added.
    OffsetEntry,
    /// The segment is being closed.
    Roll,
}

/// The rule of the time index: an entry needs a timestamp above the last one (Kafka: `TimeIndex.maybeAppend`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TimeEntryDecision {
    /// Base offset of the segment.
    pub base: Offset,
    /// Why it was offered.
    pub reason: TimeEntryReason,
    /// Largest timestamp of the segment so far.
    pub timestamp: Option<TimestampMs>,
    /// Last offset of the first batch that reached it.
    pub relative: RelativeOffset,
    /// Timestamp of the last entry, if there is one.
    pub last: Option<TimestampMs>,
}

impl TimeEntryDecision {
    /// Whether the entry is written.
    pub fn written(&self) -> bool {
        self.timestamp.is_some() && self.timestamp > self.last
    }
}
