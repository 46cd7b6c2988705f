//! The segments as they lie on disk, borrowed: nothing is decoded until it is asked for.

use crate::disk::{Bytes, FileKind, FileName, Suffix, Vfs};
use crate::format::batch::{FileBatches, file_batches};
use crate::format::index::{self, OffsetEntry, TimeEntry};
use crate::state::{PartitionState, Segment};
use crate::units::{Offset, TimestampMs};

/// One segment: the files that bear its base offset, and what the broker keeps of it in memory.
#[derive(Clone, Copy, Debug)]
pub struct LogSegment<'a> {
    state: &'a PartitionState,
    pub(crate) segment: &'a Segment,
    end: Offset,
    gone_at: Option<TimestampMs>,
}

impl PartitionState {
    /// The live segments, oldest first (Kafka: `LogSegments.values`).
    ///
    /// ```
    /// use partition_log::Partition;
    /// # use partition_log::{config::Settings, format::batch::NewBatch};
    ///
    /// # let settings = Settings { segment_bytes: 100, ..Settings::default() };
    /// let mut partition = Partition::create(settings, 0)?; // segment.bytes=100
    /// # let message = NewBatch::message(40);
    /// for _ in 0..3 {
    ///     partition.append(&message)?; // 40 B each
    /// }
    /// let sizes: Vec<(i64, u64)> = partition
    ///     .state()
    ///     .log_segments()
    ///     .map(|segment| (segment.base().get(), segment.size()))
    ///     .collect();
    /// assert_eq!(sizes, [(0, 80), (2, 40)]);
    /// # Ok::<(), partition_log::LogError>(())
    /// ```
    pub fn log_segments(&self) -> impl DoubleEndedIterator<Item = LogSegment<'_>> + ExactSizeIterator {
        self.segments().values().map(|segment| LogSegment {
            state: self,
            segment,
            end: self.segment_end(segment.base),
            gone_at: None,
        })
    }

    /// The segments that have left the log and whose files wait for their removal, oldest first.
    pub fn deleted_segments(&self) -> impl Iterator<Item = LogSegment<'_>> {
        self.deleted().values().map(|deleted| LogSegment {
            state: self,
            segment: &deleted.segment,
            end: deleted.end,
            gone_at: Some(deleted.gone_at),
        })
    }
}

impl<'a> LogSegment<'a> {
    /// Its base offset: the name of its files.
    pub fn base(&self) -> Offset {
        self.segment.base
    }

    /// The next base offset; for the last segment the log end offset.
    pub fn end(&self) -> Offset {
        self.end
    }

    /// Whether appends go to it.
    pub fn is_active(&self) -> bool {
        self.gone_at.is_none() && self.state.active() == Some(self.segment.base)
    }

    /// When its files are removed, if it has left the log.
    pub fn gone_at(&self) -> Option<TimestampMs> {
        self.gone_at
    }

    /// One of its files, under the name that it has now.
    pub fn file(&self, kind: FileKind) -> FileName {
        let suffix = self.gone_at.map_or(Suffix::None, |_| Suffix::Deleted);
        FileName::live(self.segment.base, kind).with(suffix)
    }

    /// Bytes in its `.log`; 0 where somebody has removed it while the broker was down.
    pub fn size(&self) -> u64 {
        let used = self.state.files().used_size(self.file(FileKind::Log));
        used.unwrap_or(0)
    }

    /// Largest timestamp of the first batch, which rolling by time counts from.
    pub fn first_timestamp(&self) -> Option<TimestampMs> {
        self.segment.first_timestamp
    }

    /// Largest timestamp, which retention by time counts from; `None` where no record has one.
    pub fn largest_timestamp(&self) -> Option<TimestampMs> {
        self.state.largest_of(self.segment).map(|(timestamp, _)| timestamp)
    }

    /// When it was opened.
    pub fn created(&self) -> TimestampMs {
        self.segment.created
    }

    /// The batches in its `.log`, in order, each with its header; their records are not looked at.
    pub fn batches(&self) -> FileBatches<'a> {
        file_batches(self.bytes(FileKind::Log), 0)
    }

    /// The entries of its offset index, in order.
    pub fn offset_entries(&self) -> impl Iterator<Item = OffsetEntry> + use<'a> {
        let bytes = self.bytes(FileKind::Index);
        self.entry_numbers(FileKind::Index)
            .map_while(move |entry_number| index::offset_entry(bytes, entry_number))
    }

    /// The entries of its time index, in order.
    pub fn time_entries(&self) -> impl Iterator<Item = TimeEntry> + use<'a> {
        let bytes = self.bytes(FileKind::TimeIndex);
        self.entry_numbers(FileKind::TimeIndex)
            .map_while(move |entry_number| index::time_entry(bytes, entry_number))
    }

    /// While the broker is down, any file may be gone; an index need not be made yet.
    pub(crate) fn bytes(&self, kind: FileKind) -> Bytes<'a> {
        self.state.files().used(self.file(kind)).unwrap_or_default()
    }

    /// Of an index that is not opened, all that are written.
    fn entry_numbers(&self, kind: FileKind) -> core::ops::Range<u32> {
        0..self.segment.entries(kind).unwrap_or(u32::MAX)
    }
}
