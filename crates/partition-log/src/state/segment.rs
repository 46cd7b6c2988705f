//! What the broker keeps in memory of one segment.

use crate::disk::FileKind;
use crate::units::{Offset, TimestampMs};

/// The part of a segment that no file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) base: Offset,
    pub(crate) created: TimestampMs,
    pub(crate) jitter_ms: i64,
    pub(crate) index_interval_bytes: i64,
    pub(crate) index_bytes: i64,
    /// Bytes appended since the last index entry.
    pub(crate) bytes_since_last_index_entry: u64,
    /// Largest timestamp of the first batch.
    pub(crate) first_timestamp: Option<TimestampMs>,
    /// Largest timestamp, and the last offset of the batch that reached it first.
    pub(crate) largest: Option<(TimestampMs, Offset)>,
    /// Whether `largest` was asked for since the segment was opened. Before that the answer is in the last entry of the
    /// time index, which is not read until somebody asks (Kafka: `LogSegment.readMaxTimestampAndOffsetSoFar`).
    pub(crate) largest_known: bool,
    /// Entries in the offset index; `None` while its file is not opened (Kafka: `LazyIndex`).
    pub(crate) offset_entries: Option<u32>,
    /// Entries in the time index; `None` while its file is not opened.
    pub(crate) time_entries: Option<u32>,
}

impl Segment {
    /// A segment that nothing has been asked of yet.
    pub(crate) fn opened(
        base: Offset,
        created: TimestampMs,
        jitter_ms: i64,
        index_interval_bytes: i64,
        index_bytes: i64,
    ) -> Segment {
        Segment {
            base,
            created,
            jitter_ms,
            index_interval_bytes,
            index_bytes,
            bytes_since_last_index_entry: 0,
            first_timestamp: None,
            largest: None,
            largest_known: false,
            offset_entries: None,
            time_entries: None,
        }
    }

    /// Entries in one of its indexes; `None` while its file is not opened.
    pub(crate) fn entries(&self, kind: FileKind) -> Option<u32> {
        match kind {
            FileKind::Index => self.offset_entries,
            FileKind::TimeIndex => self.time_entries,
            _ => None,
        }
    }

    pub(crate) fn set_entries(&mut self, kind: FileKind, entries: u32) {
        match kind {
            FileKind::Index => self.offset_entries = Some(entries),
            FileKind::TimeIndex => self.time_entries = Some(entries),
            _ => {}
        }
    }
}

/// A segment out of the log whose files wait for their removal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeletedSegment {
    pub(crate) segment: Segment,
    pub(crate) end: Offset,
    pub(crate) gone_at: TimestampMs,
}
