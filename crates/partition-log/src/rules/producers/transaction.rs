//! Transactions on their way from open over completed to replicated, and the offset that readers of committed records
//! stop at (Kafka: `TxnMetadata`, `CompletedTxn`, `UnifiedLog.lastStableOffset`).

use crate::format::index::AbortedTransaction;
use crate::units::{Offset, Position, ProducerId};

/// Where in which segment a transaction starts (Kafka: `LogOffsetMetadata`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Place {
    /// Base offset of the segment.
    pub base: Offset,
    /// First byte of the batch in its `.log`.
    pub position: Position,
}

/// A transaction whose first batch is in the log (Kafka: `TxnMetadata`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
pub(crate) struct UnreplicatedTransaction {
    pub(crate) open: OpenTransaction,
    /// Offset of the marker.
    pub(crate) last_offset: i64,
}

/// How far records are decided once a transaction completes: up to the oldest transaction of another producer
/// (Kafka: `ProducerStateManager.lastStableOffset(CompletedTxn)`). An aborted transaction keeps this number in its
/// index entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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

    /// The entry of the transaction in the index of aborted ones; `None` for a committed one, which has none
    /// (Kafka: `LogSegment.updateTxnIndex`).
    pub fn aborted_entry(&self) -> Option<AbortedTransaction> {
        self.completed.aborted.then(|| AbortedTransaction {
            producer_id: self.completed.producer_id,
            first_offset: self.completed.first_offset,
            last_offset: self.completed.last_offset,
            last_stable_offset: self.offset(),
        })
    }
}

/// The first unstable offset, and where its batch is (Kafka: `UnifiedLog.firstUnstableOffsetMetadata`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Unstable {
    /// The offset.
    pub offset: Offset,
    /// Where it is; `None` where the log does not hold it.
    pub place: Option<Place>,
}

/// What settles the first offset that belongs to no decided and replicated record
/// (Kafka: `ProducerStateManager.firstUnstableOffset`, `UnifiedLog.maybeIncrementFirstUnstableOffset`).
///
/// Kafka asks when the log is opened, after an append, when the high watermark is set, and when the log start offset moves
/// up, and keeps the answer in between ([`crate::state::producers::ProducerChange::FirstUnstable`]); a truncation alone does not ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstUnstable {
    /// The oldest open transaction.
    pub open: Option<OpenTransaction>,
    /// The oldest completed transaction whose marker the high watermark has not passed.
    pub unreplicated: Option<OpenTransaction>,
    /// Log start offset.
    pub log_start: Offset,
    /// What was found where [`FirstUnstable::lookup`] asks.
    pub found: Option<Unstable>,
}

impl FirstUnstable {
    /// The transaction that settles it: the older of the two.
    pub fn transaction(&self) -> Option<OpenTransaction> {
        match (self.open, self.unreplicated) {
            (Some(open), Some(other)) if open.first_offset >= other.first_offset => Some(other),
            (open, other) => open.or(other),
        }
    }

    /// The first offset of that transaction that may still be there.
    fn first(&self) -> Option<Offset> {
        let first = self.transaction()?.first_offset;
        Some(Offset::new(first).map_or(self.log_start, |first| first.max(self.log_start)))
    }

    /// The offset that Kafka looks up in the log, for the transaction's place is not known or it begins below the log start
    /// offset. What it finds goes into `found`: the *base* offset of the batch that holds the offset, or of the next one,
    /// and its place; at the log end offset that and the end of the active segment; nothing above
    /// (Kafka: `UnifiedLog.maybeConvertToOffsetMetadata`, `FileRecords.searchForOffsetFromPosition`).
    pub fn lookup(&self) -> Option<Offset> {
        let open = self.transaction()?;
        let known = open.place.is_some() && open.first_offset >= self.log_start.get();
        if known { None } else { self.first() }
    }

    /// The answer; `None` where every record is decided. Where a batch holds the log start offset and offsets below it, the
    /// answer is below the log start offset, too.
    pub fn unstable(&self) -> Option<Unstable> {
        let offset = self.first()?;
        let place = self.transaction()?.place;
        if self.lookup().is_none() {
            return Some(Unstable { offset, place });
        }
        Some(self.found.unwrap_or(Unstable { offset, place: None }))
    }

    /// The offset of the answer.
    pub fn offset(&self) -> Option<Offset> {
        self.unstable().map(|unstable| unstable.offset)
    }
}

/// The offset below which every record is decided and replicated: where `read_committed` stops
/// (Kafka: `UnifiedLog.lastStableOffset`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
