//! What is asked of the segments: which there are, their files, their entries, their largest timestamps.

use crate::disk::{Bytes, FileKind, FileName, Vfs};
use crate::format::index::{self, OffsetEntry, TimeEntry, TimeIndex};
use crate::state::{PartitionState, Segment};
use crate::units::{Offset, TimestampMs};

impl PartitionState {
    /// Bytes in the live `.log` files.
    pub fn log_size(&self) -> u64 {
        self.segments.keys().map(|base| self.segment_size(base)).sum()
    }

    /// Bytes in the `.log.deleted` files.
    pub fn deleted_size(&self) -> u64 {
        self.deleted
            .values()
            .filter_map(|deleted| self.files.used_size(log(deleted.segment.base).as_deleted()))
            .sum()
    }

    /// Base offsets of the live segments, oldest first.
    pub fn bases(&self) -> impl Iterator<Item = Offset> + '_ {
        self.segments.keys()
    }

    /// Base offset of the active segment; `None` before the first file.
    pub fn active(&self) -> Option<Offset> {
        self.segments.keys().next_back()
    }

    /// The `.log` of a live segment of a broker that runs, or is about to.
    ///
    /// # Panics
    ///
    /// When there is none: only while the broker is down can a file go by itself.
    pub(crate) fn log_bytes(&self, base: Offset) -> Bytes<'_> {
        let used = self.files.used(log(base));
        used.unwrap_or_else(|| panic!("segment {base} is in the log, and has no .log"))
    }

    /// Bytes in a live segment's `.log`; 0 where somebody has removed it while the broker was down.
    pub fn segment_size(&self, base: Offset) -> u64 {
        self.files.used_size(log(base)).unwrap_or(0)
    }

    /// End of a segment: the next base offset, or the log end offset for the last one.
    pub(crate) fn segment_end(&self, base: Offset) -> Offset {
        self.next_base(base).unwrap_or(self.log_end)
    }

    /// The largest base offset not above an offset (Kafka: `LogSegments.floorSegment`).
    pub(crate) fn floor(&self, offset: Offset) -> Option<Offset> {
        let above = offset.checked_add(1);
        let not_above = above.map_or(self.segments.len(), |above| self.segments.below(above));
        self.segments.key_at(not_above.checked_sub(1)?)
    }

    /// The base offset above another one (Kafka: `LogSegments.higherSegment`).
    pub(crate) fn next_base(&self, base: Offset) -> Option<Offset> {
        let above = base.checked_add(1)?;
        self.segments.key_at(self.segments.below(above))
    }

    /// The file of a segment under the name that it has now.
    pub fn file(&self, base: Offset, kind: FileKind) -> FileName {
        let live = FileName::live(base, kind);
        if self.segments.get(base).is_some() {
            live
        } else {
            live.as_deleted()
        }
    }

    /// The entries of a segment's offset index, whether it is live or waits for its removal.
    pub fn offset_entries(&self, base: Offset) -> Vec<OffsetEntry> {
        let bytes = self.index_bytes(base, FileKind::Index);
        (0..self.entry_count(base, FileKind::Index))
            .map_while(|entry_number| index::offset_entry(bytes, entry_number))
            .collect()
    }

    /// The entries of a segment's time index, whether it is live or waits for its removal.
    pub fn time_entries(&self, base: Offset) -> Vec<TimeEntry> {
        let bytes = self.index_bytes(base, FileKind::TimeIndex);
        (0..self.entry_count(base, FileKind::TimeIndex))
            .map_while(|entry_number| index::time_entry(bytes, entry_number))
            .collect()
    }

    /// How many entries of an index count; of one that is not opened, or of no segment, all that are written.
    fn entry_count(&self, base: Offset, kind: FileKind) -> u32 {
        let deleted = self.deleted.get(base).map(|deleted| &deleted.segment);
        let segment = self.segments.get(base).or(deleted);
        segment.and_then(|segment| segment.entries(kind)).unwrap_or(u32::MAX)
    }

    /// Of an index that is not made yet, none.
    fn index_bytes(&self, base: Offset, kind: FileKind) -> Bytes<'_> {
        self.files.used(self.file(base, kind)).unwrap_or_default()
    }

    /// A segment's largest timestamp and the last offset of the batch that has it first, as Kafka will find them when it is
    /// asked: in memory, or in the last entry of the time index (Kafka: `LogSegment.readMaxTimestampAndOffsetSoFar`).
    pub(crate) fn largest_of(&self, segment: &Segment) -> Option<(TimestampMs, Offset)> {
        if segment.largest_known {
            return segment.largest;
        }
        let file = FileName::live(segment.base, FileKind::TimeIndex);
        // An index that is not opened yet need not have been made.
        let closed = || index::capacity(FileKind::TimeIndex, self.files.apparent_size(file).unwrap_or(0));
        let entries = segment.time_entries.unwrap_or_else(closed);
        if entries == 0 {
            return None;
        }
        let last = TimeIndex::new(segment.base, self.files.used(file)?, entries, entries).last_entry();
        // A damaged entry may tell a time and an offset below 0; the time counts, and nobody asks for that offset.
        let timestamp = TimestampMs::stored(last.timestamp)?;
        Some((timestamp, Offset::new(last.offset).unwrap_or_default()))
    }

    /// A segment's largest timestamp; the file's time where no record has one (Kafka: `LogSegment.largestTimestamp`).
    pub(crate) fn largest_or_file_time(&self, segment: &Segment) -> TimestampMs {
        match self.largest_of(segment) {
            Some((timestamp, _)) => timestamp,
            // Without its file, which can be only while the broker is down, the segment's own time stands for it.
            None => self.files.modified(log(segment.base)).unwrap_or(segment.created),
        }
    }
}

/// The live `.log` of a segment.
pub(crate) fn log(base: Offset) -> FileName {
    FileName::live(base, FileKind::Log)
}
