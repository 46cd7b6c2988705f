//! What the broker keeps in memory of one segment.

use crate::units::{Offset, TimestampMs};
use crate::vfs::FileKind;

/// The part of a segment that no file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) base: Offset,
    pub(crate) created: TimestampMs,
    pub(crate) jitter_ms: i64,
    pub(crate) index_interval_bytes: i64,
    pub(crate) index_bytes: i64,
    /// Bytes appended since the last index entry.
    pub(crate) counter: u64,
    /// Largest timestamp of the first batch.
    pub(crate) first_timestamp: Option<TimestampMs>,
    /// Largest timestamp, and the last offset of the batch that reached it first.
    pub(crate) largest: Option<(TimestampMs, Offset)>,
    /// Entries in the offset index.
    pub(crate) offset_entries: u32,
    /// Entries in the time index.
    pub(crate) time_entries: u32,
}

impl Segment {
    /// Entries in one of its indexes.
    pub(crate) fn entries(&self, kind: FileKind) -> u32 {
        match kind {
            FileKind::Log => 0,
            FileKind::Index => self.offset_entries,
            FileKind::TimeIndex => self.time_entries,
        }
    }

    pub(crate) fn entries_mut(&mut self, kind: FileKind) -> Option<&mut u32> {
        match kind {
            FileKind::Log => None,
            FileKind::Index => Some(&mut self.offset_entries),
            FileKind::TimeIndex => Some(&mut self.time_entries),
        }
    }
}
