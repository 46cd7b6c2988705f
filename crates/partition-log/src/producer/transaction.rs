//! Transactions on their way from open over completed to replicated, and the offset that readers of committed records
//! stop at (Kafka: `TxnMetadata`, `CompletedTxn`, `UnifiedLog.lastStableOffset`).

use crate::producer::ProducerId;
use crate::units::{Offset, Position};

/// Where in which segment a transaction starts (Kafka: `LogOffsetMetadata`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Base offset of the segment.
    pub base: Offset,
    /// First byte of the batch in its `.log`.
    pub position: Position,
}

/// A transaction whose first batch is in the log (Kafka: `TxnMetadata`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenTransaction {
    /// Whose it is.
    pub producer_id: ProducerId,
    /// Its first offset.
    pub first_offset: i64,
    /// Where that is, if an append found it; a reload from files does not know.
    pub place: Option<Place>,
}

/// A transaction whose marker is in the log (Kafka: `CompletedTxn`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompletedTransaction {
    /// Whose it was.
    pub producer_id: ProducerId,
    /// Its first offset.
    pub first_offset: i64,
    /// Offset of the marker.
    pub last_offset: i64,
    /// Whether the marker is ABORT.
    pub aborted: bool,
}

/// A completed transaction whose marker the high watermark has not passed: it still holds readers back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UnreplicatedTransaction {
    pub(super) open: OpenTransaction,
    /// Offset of the marker.
    pub(super) last_offset: i64,
}

/// How far records are decided once a transaction completes: up to the oldest transaction of another producer
/// (Kafka: `ProducerStateManager.lastStableOffset(CompletedTxn)`). An aborted transaction keeps this number in its
/// index entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextStable {
    /// The transaction that completes.
    pub completed: CompletedTransaction,
    /// The oldest open transaction of another producer.
    pub next_open: Option<OpenTransaction>,
}

impl NextStable {
    /// First offset that is not decided.
    pub fn offset(&self) -> i64 {
        match self.next_open {
            Some(open) => open.first_offset,
            None => self.completed.last_offset.wrapping_add(1),
        }
    }
}

/// The first offset that belongs to no decided and replicated record (Kafka: `ProducerStateManager.firstUnstableOffset`,
/// `UnifiedLog.maybeIncrementFirstUnstableOffset`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstUnstable {
    /// The oldest open transaction.
    pub open: Option<OpenTransaction>,
    /// The oldest completed transaction whose marker the high watermark has not passed.
    pub unreplicated: Option<OpenTransaction>,
    /// Log start offset: nothing below it is there to be unstable.
    pub log_start: Offset,
}

impl FirstUnstable {
    /// The transaction that settles it: the older of the two.
    pub fn transaction(&self) -> Option<OpenTransaction> {
        match (self.open, self.unreplicated) {
            (Some(open), Some(other)) if open.first_offset >= other.first_offset => Some(other),
            (open, other) => open.or(other),
        }
    }

    /// The offset, not below the log start offset; `None` where every record is decided.
    pub fn offset(&self) -> Option<Offset> {
        let first = self.transaction()?.first_offset;
        Some(Offset::new(first).map_or(self.log_start, |first| first.max(self.log_start)))
    }
}

/// The offset below which every record is decided and replicated: where `read_committed` stops
/// (Kafka: `UnifiedLog.lastStableOffset`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastStable {
    /// First unstable offset.
    pub first_unstable: Option<Offset>,
    /// High watermark.
    pub high_watermark: Offset,
}

impl LastStable {
    /// The smaller of the two.
    pub fn offset(&self) -> Offset {
        match self.first_unstable {
            Some(first) if first < self.high_watermark => first,
            _ => self.high_watermark,
        }
    }
}
