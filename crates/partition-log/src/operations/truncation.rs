//! Cutting the end of a log off, as a follower does whose leader has another history (Kafka: `UnifiedLog.truncateTo`,
//! `truncateFullyAndStartAt`).

use crate::disk::{FileKind, FileName, Vfs};
use crate::error::LogError;
use crate::format::batch;
use crate::format::epoch::LeaderEpochs;
use crate::format::index::TransactionIndex;
use crate::operations::batch_lookup::corrupt;
use crate::operations::partition::Partition;
use crate::operations::recorder::Recorder;
use crate::state::producers::ProducerState;
use crate::state::{MemoryChange, log};
use crate::step::Step;
use crate::units::{Offset, TimestampMs};

impl Partition {
    /// Cuts the log so that it ends at an offset; an offset at or above its end changes nothing. A batch that reaches over
    /// the offset goes as a whole.
    ///
    /// # Errors
    ///
    /// [`LogError::IndexTooSmall`], if an index has to be made and has no room.
    pub fn truncate_to(&mut self, offset: Offset) -> Result<(), LogError> {
        self.serve(|recorder| recorder.truncate_to(offset))
    }

    /// Gives up the whole log, and goes on at an offset with nothing.
    ///
    /// # Errors
    ///
    /// [`LogError::IndexTooSmall`], if an index has to be made and has no room.
    pub fn truncate_fully(&mut self, offset: Offset) -> Result<(), LogError> {
        self.serve(|recorder| recorder.truncate_fully(offset))
    }
}

impl Recorder<'_> {
    fn truncate_to(&mut self, offset: Offset) -> Result<(), LogError> {
        let log_end = self.state().log_end();
        if offset >= log_end {
            return self.cut_epochs_from_end(log_end);
        }
        let first = self.state().bases().next();
        let first = first.expect("the log of a broker that runs has a segment");
        if first > offset {
            return self.truncate_fully(offset);
        }
        self.note(Step::Truncated { to: offset, log_end });
        let above: Vec<Offset> = self.state().bases().filter(|base| *base > offset).collect();
        for base in &above {
            self.delete_files(*base)?;
        }
        let active = self.active()?.base;
        self.truncate_segment(active, offset)?;
        self.move_log_end(offset);
        for base in above {
            self.delete_snapshot(base)?;
        }
        self.cut_epochs_from_end(offset)?;
        let log_start = self.state().log_start();
        if log_start > offset {
            self.remember(MemoryChange::LogStart {
                from: log_start,
                to: offset,
            });
        }
        self.rebuild_producers(offset)?;
        self.high_watermark_with_log_end()
    }

    fn truncate_fully(&mut self, offset: Offset) -> Result<(), LogError> {
        let log_end = self.state().log_end();
        self.note(Step::Truncated { to: offset, log_end });
        let bases: Vec<Offset> = self.state().bases().collect();
        for base in bases {
            self.delete_files(base)?;
        }
        self.open_segment(offset)?;
        self.move_log_end(offset);
        self.keep_epochs(LeaderEpochs::default())?;
        for snapshot in self.state().producers().snapshots().to_vec() {
            self.remove_if_there(FileName::live(snapshot, FileKind::Snapshot))?;
        }
        let changes = ProducerState::truncate_fully(offset);
        changes.into_iter().for_each(|change| self.change_producers(change));
        let log_start = self.state().log_start();
        if log_start != offset {
            self.remember(MemoryChange::LogStart {
                from: log_start,
                to: offset,
            });
        }
        self.rebuild_producers(offset)?;
        self.move_high_watermark(offset)
    }

    /// Drops the epochs that begin at an offset or above it (Kafka: `LeaderEpochFileCache.truncateFromEndAsyncFlush`).
    pub(crate) fn cut_epochs_from_end(&mut self, offset: Offset) -> Result<(), LogError> {
        match self.state().leader_epochs().cut_from_end(offset) {
            Some(epochs) => self.keep_epochs(epochs),
            None => Ok(()),
        }
    }

    /// Cuts a segment and its indexes; the indexes get their full size back, for it will be written to again. How many bytes
    /// went (Kafka: `LogSegment.truncateTo`).
    pub(crate) fn truncate_segment(&mut self, base: Offset, offset: Offset) -> Result<u64, LogError> {
        let position = self.read(|reader| reader.position_of(base, offset))?;
        self.truncate_index(base, FileKind::Index, offset)?;
        self.truncate_index(base, FileKind::TimeIndex, offset)?;
        self.truncate_transactions(base, offset)?;
        let full = self.segment(base)?.index_bytes as u64;
        for kind in [FileKind::Index, FileKind::TimeIndex] {
            self.resize_index(base, kind, full)?;
        }
        let size = self.state().segment_size(base);
        let cut = match position {
            Some(position) if position < size => {
                let now = self.state().clock();
                self.file(|files| {
                    files.resize(log(base), position)?;
                    files.touch(log(base), now)
                })?;
                size - position
            }
            _ => 0,
        };
        if self.state().segment_size(base) == 0 {
            let created = self.state().clock();
            self.remember(MemoryChange::SegmentEmptied { base, created });
        }
        let before = self.segment(base)?.bytes_since_last_index_entry;
        if before > 0 {
            self.remember(MemoryChange::BytesSinceLastIndexEntry {
                base,
                from: before,
                to: 0,
            });
        }
        if self.largest(base)?.is_some() {
            let to = self.read_largest(base)?;
            self.remember(MemoryChange::LargestRead { base, to });
        }
        Ok(cut)
    }

    /// Keeps the entries below an offset; what lies behind them in the file is not wiped (Kafka: `OffsetIndex.truncateTo`,
    /// `TimeIndex.truncateTo`).
    fn truncate_index(&mut self, base: Offset, kind: FileKind, offset: Offset) -> Result<(), LogError> {
        let from = self.entries(base, kind)?;
        let to = match kind {
            FileKind::TimeIndex => self.time_index(base)?.entries_below(offset.get()),
            _ => self.offset_index(base)?.entries_below(offset.get()),
        };
        if to != from {
            self.remember(MemoryChange::IndexEntries { base, kind, from, to });
        }
        Ok(())
    }

    /// Drops the aborted transactions whose marker goes (Kafka: `TransactionIndex.truncateTo`).
    fn truncate_transactions(&mut self, base: Offset, offset: Offset) -> Result<(), LogError> {
        let file = FileName::live(base, FileKind::TxnIndex);
        let Some(bytes) = self.state().files().used(file) else {
            return Ok(());
        };
        if let Some(cut) = TransactionIndex::new(base, bytes).truncate_to(offset)? {
            self.file(|files| files.resize(file, cut.length))?;
        }
        Ok(())
    }

    /// The largest timestamp after a cut: the last time entry, or a later batch with more (Kafka:
    /// `LogSegment.readLargestTimestamp`).
    fn read_largest(&mut self, base: Offset) -> Result<Option<(TimestampMs, Offset)>, LogError> {
        let last = self.time_index(base)?.last_entry();
        // A damaged entry may tell a time and an offset below 0; the time counts.
        let mut largest = TimestampMs::stored(last.timestamp)
            .map(|timestamp| (timestamp, Offset::new(last.offset).unwrap_or_default()));
        let position = self.offset_index(base)?.lookup(last.offset).position;
        let Ok(start) = u64::try_from(position) else {
            let position = i64::from(position);
            return Err(LogError::NotInFile {
                file: log(base),
                position,
            });
        };
        let bytes = self.state().log_bytes(base);
        for batch in batch::file_batches(bytes, start) {
            let batch = batch.map_err(|bad| corrupt(log(base), bad))?;
            let timestamp = TimestampMs::stored(batch.header.max_timestamp);
            let offset = Offset::new(batch.header.last_offset());
            if let Some(found) = timestamp.zip(offset)
                && largest.is_none_or(|(so_far, _)| found.0 > so_far)
            {
                largest = Some(found);
            }
        }
        Ok(largest)
    }
}
