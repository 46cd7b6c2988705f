//! Carries out writes on the state and notes every step.

use crate::disk::{Bytes, FileKind, FileName, Vfs, VfsError};
use crate::error::LogError;
use crate::format::epoch::LeaderEpochs;
use crate::format::index::{self, IndexError, IndexReason, OffsetEntry, OffsetIndex, TimeEntry, TimeIndex};
use crate::operations::reader::Reader;
use crate::rules::index_entry::{TimeEntryDecision, TimeEntryReason};
use crate::rules::roll::RollCause;
use crate::state::{MemoryChange, PartitionState, Segment, log};
use crate::step::Step;
use crate::units::{LATEST, Offset, RelativeOffset, TimestampMs};

/// An operation under way.
pub(crate) struct Recorder<'a> {
    state: &'a mut PartitionState,
    seed: u64,
    steps: Vec<Step>,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(state: &'a mut PartitionState, seed: u64) -> Recorder<'a> {
        Recorder {
            state,
            seed,
            steps: Vec::new(),
        }
    }

    /// What the operation has reached. To change it, there are [`Recorder::remember`] and [`Recorder::file`].
    pub(crate) fn state(&self) -> &PartitionState {
        self.state
    }

    /// The steps of an operation; a refusal is its last one.
    pub(crate) fn finish<T>(mut self, outcome: &Result<T, LogError>) -> Vec<Step> {
        if let Err(error) = outcome {
            self.note(Step::Refused(error.clone()));
        }
        self.steps
    }

    /// Whether all files could be read so far, which those in memory always can.
    pub(crate) fn check_files(&self) -> Result<(), LogError> {
        match self.state().files().fault() {
            Some(fault) => Err(LogError::Vfs(fault.clone())),
            None => Ok(()),
        }
    }

    pub(crate) fn note(&mut self, step: Step) {
        self.steps.push(step);
    }

    pub(crate) fn remember(&mut self, change: MemoryChange) {
        self.state.apply_memory(&change);
        self.note(Step::Memory(change));
    }

    /// Runs an operation of the filesystem and notes what the filesystem recorded of it.
    pub(crate) fn file<T>(
        &mut self,
        operation: impl FnOnce(&mut crate::disk::MemoryVfs) -> Result<T, VfsError>,
    ) -> Result<T, LogError> {
        let (outcome, changes) = self.state.write_files(operation);
        self.steps.extend(changes.into_iter().map(Step::File));
        Ok(outcome?)
    }

    pub(crate) fn active(&self) -> Result<Segment, LogError> {
        let found = self.state().segments().values().next_back().cloned();
        found.ok_or_else(|| LogError::Vfs(VfsError::NotFound(log(self.state().log_end()))))
    }

    pub(crate) fn segment(&self, base: Offset) -> Result<&Segment, LogError> {
        self.state()
            .segments()
            .get(base)
            .ok_or_else(|| LogError::Vfs(VfsError::NotFound(log(base))))
    }

    /// Reads the state, and carries out what a broker writes when it is read: indexes that are opened or made.
    pub(crate) fn read<T>(&mut self, read: impl FnOnce(&mut Reader<'_>) -> Result<T, LogError>) -> Result<T, LogError> {
        let mut reader = Reader::new(self.state);
        let outcome = read(&mut reader);
        let steps = reader.into_steps();
        for step in &steps {
            self.state.apply(step)?;
        }
        self.steps.extend(steps);
        outcome
    }

    /// Opens an index, and makes its file if there is none.
    pub(crate) fn open_index(&mut self, base: Offset, kind: FileKind) -> Result<(), LogError> {
        if self.segment(base)?.entries(kind).is_some() {
            return Ok(());
        }
        self.read(|reader| reader.index_file(base, kind).map(drop))
    }

    /// Entries of an index and how many it can hold, as they will be found when it is opened.
    pub(crate) fn fill(&self, segment: &Segment, kind: FileKind) -> (u32, u32) {
        let apparent = self.state().files().apparent_size(FileName::live(segment.base, kind));
        // One that is not made yet will be as large as its segment was opened for.
        let capacity = index::capacity(kind, apparent.unwrap_or(segment.index_bytes as u64));
        let closed = if apparent.is_some() { capacity } else { 0 };
        (segment.entries(kind).unwrap_or(closed), capacity)
    }

    /// Entries of an index, which is opened for it.
    pub(crate) fn entries(&mut self, base: Offset, kind: FileKind) -> Result<u32, LogError> {
        self.open_index(base, kind)?;
        self.opened_entries(base, kind)
    }

    /// Entries of an index that is open.
    fn opened_entries(&self, base: Offset, kind: FileKind) -> Result<u32, LogError> {
        let entries = self.segment(base)?.entries(kind);
        Ok(entries.unwrap_or_else(|| panic!("the {} of segment {base} is not opened", kind.extension())))
    }

    /// Adds an entry to an index; the caller has made sure of its file. Behind the last entry there can be old ones that
    /// were cut off but not wiped.
    fn put_entry(&mut self, base: Offset, kind: FileKind, entry: &[u8]) -> Result<(), LogError> {
        let now = self.state().clock();
        let file = FileName::live(base, kind);
        let from = self.entries(base, kind)?;
        let position = u64::from(from) * index::entry_size(kind);
        if self.state().files().used_size(file) == Some(position) {
            self.file(|files| files.append(file, entry, now))?;
        } else {
            self.file(|files| files.write_at(file, position, entry, now))?;
        }
        self.remember(MemoryChange::IndexEntries {
            base,
            kind,
            from,
            to: from + 1,
        });
        Ok(())
    }

    /// Adds an entry to the offset index, creating the file first where needed (Kafka: `OffsetIndex.append`).
    ///
    /// # Errors
    ///
    /// [`LogError::Index`], if it is full or its last entry is not below this one.
    pub(crate) fn add_offset_entry(&mut self, base: Offset, entry: OffsetEntry) -> Result<(), LogError> {
        let offset = entry.relative.absolute(base);
        self.offset_index(base)?.check_append(offset.get())?;
        self.put_entry(base, FileKind::Index, &entry.to_bytes())
    }

    /// A segment's offset index, which is opened for it.
    pub(crate) fn offset_index(&mut self, base: Offset) -> Result<OffsetIndex<'_>, LogError> {
        let (entries, bytes, capacity) = self.index_file(base, FileKind::Index)?;
        Ok(OffsetIndex::new(base, bytes, entries, capacity))
    }

    /// A segment's time index, which is opened for it.
    pub(crate) fn time_index(&mut self, base: Offset) -> Result<TimeIndex<'_>, LogError> {
        let (entries, bytes, capacity) = self.index_file(base, FileKind::TimeIndex)?;
        Ok(TimeIndex::new(base, bytes, entries, capacity))
    }

    fn index_file(&mut self, base: Offset, kind: FileKind) -> Result<(u32, Bytes<'_>, u32), LogError> {
        self.open_index(base, kind)?;
        self.opened_index_file(base, kind)
    }

    /// Entries, bytes and capacity of an index that is open.
    pub(crate) fn opened_index_file(&self, base: Offset, kind: FileKind) -> Result<(u32, Bytes<'_>, u32), LogError> {
        let entries = self.opened_entries(base, kind)?;
        let (file, files) = (FileName::live(base, kind), self.state().files());
        let found = files.used(file).zip(files.apparent_size(file));
        let (bytes, size) = found.unwrap_or_else(|| panic!("{file} is open, and gone"));
        Ok((entries, bytes, index::capacity(kind, size)))
    }

    /// A segment's largest timestamp so far, and the last offset of the batch that reached it.
    pub(crate) fn largest(&mut self, base: Offset) -> Result<Option<(TimestampMs, Offset)>, LogError> {
        self.read(|reader| reader.largest(base))
    }

    /// Offers the time index the segment's largest timestamp so far (Kafka: `TimeIndex.maybeAppend`).
    pub(crate) fn offer_time_entry(&mut self, base: Offset, reason: TimeEntryReason) -> Result<(), LogError> {
        let entries = self.entries(base, FileKind::TimeIndex)?;
        let largest = self.largest(base)?;
        let index = self.time_index(base)?;
        let last = index.last_entry();
        // A last entry that tells no time is the largest timestamp all the same.
        let (timestamp, offset) = largest.map_or((last.timestamp, last.offset), |(timestamp, offset)| {
            (timestamp.get(), offset.get())
        });
        let closing = reason == TimeEntryReason::Roll;
        index.check_append(timestamp, offset, closing)?;
        let last = TimestampMs::stored(last.timestamp).filter(|_| entries > 0);
        // Without a time no entry is written; and an offset that a damaged index told is refused above, or not written.
        let relative = largest
            .and_then(|(_, offset)| offset.relative_to(base))
            .unwrap_or_default();
        let decision = TimeEntryDecision {
            base,
            reason,
            timestamp: largest.map(|(timestamp, _)| timestamp),
            relative,
            last,
        };
        self.note(Step::TimeEntryDecided(decision));
        match decision.timestamp {
            Some(timestamp) if decision.written() => {
                let entry = TimeEntry { timestamp, relative };
                self.put_entry(base, FileKind::TimeIndex, &entry.to_bytes())
            }
            _ => Ok(()),
        }
    }

    /// Adds a segment to the log; its only file is the `.log` (Kafka: `LogSegment.open`).
    pub(crate) fn open_segment(&mut self, base: Offset) -> Result<(), LogError> {
        let now = self.state().clock();
        self.file(|files| files.create(log(base), 0, now))?;
        self.add_segment(base);
        Ok(())
    }

    /// Adds a segment to the log whose `.log` is there.
    pub(crate) fn add_segment(&mut self, base: Offset) {
        let now = self.state().clock();
        let settings = self.state().settings();
        let change = MemoryChange::SegmentOpened {
            base,
            created: now,
            jitter_ms: jitter(settings.segment_jitter_ms.min(settings.segment_ms), self.seed, base),
            index_interval_bytes: settings.index_interval_bytes,
            index_bytes: settings.segment_index_bytes,
        };
        self.remember(change);
    }

    /// Closes the active segment and opens the next one, at the log end or above it where the next record lies higher
    /// (Kafka: `UnifiedLog.roll`, `LocalLog.roll`).
    ///
    /// # Errors
    ///
    /// [`LogError::CannotRoll`] where a segment of that base has records, or lies above.
    pub(crate) fn roll(&mut self, next: Offset, cause: RollCause) -> Result<(), LogError> {
        let active = self.active()?;
        let opened = self.state().log_end().max(next);
        if opened < active.base || (opened == active.base && self.state().segment_size(opened) > 0) {
            return Err(LogError::CannotRoll {
                to: opened,
                active: active.base,
            });
        }
        self.note(Step::Rolled {
            closed: active.base,
            opened,
            cause,
        });
        if active.base == opened {
            // An empty active segment: its files make room for new ones of the same name. Kafka tells of its indexes in its
            // own log, which opens them.
            self.open_index(active.base, FileKind::TimeIndex)?;
            self.open_index(active.base, FileKind::Index)?;
            self.delete_files(active.base)?;
        } else {
            self.remove_leftovers(opened)?;
            self.become_inactive(active.base)?;
        }
        self.open_segment(opened)?;
        self.snapshot_at_roll(opened)?;
        self.high_watermark_with_log_end()?;
        self.follow_with_high_watermark()?;
        self.flush(opened, opened)
    }

    /// Files that bear the name of a segment about to be opened (Kafka: `LocalLog.roll`).
    fn remove_leftovers(&mut self, base: Offset) -> Result<(), LogError> {
        for kind in FileKind::OF_SEGMENT {
            let file = FileName::live(base, kind);
            if self.state().files().apparent_size(file).is_some() {
                self.file(|files| files.remove(file))?;
            }
        }
        Ok(())
    }

    /// The last time entry, and both indexes cut to their entries (Kafka: `LogSegment.onBecomeInactiveSegment`).
    pub(crate) fn become_inactive(&mut self, base: Offset) -> Result<(), LogError> {
        self.offer_time_entry(base, TimeEntryReason::Roll)?;
        for kind in [FileKind::Index, FileKind::TimeIndex] {
            self.trim_index(base, kind)?;
        }
        Ok(())
    }

    /// Cuts an index to its entries (Kafka: `AbstractIndex.trimToValidSize`).
    pub(crate) fn trim_index(&mut self, base: Offset, kind: FileKind) -> Result<(), LogError> {
        let used = u64::from(self.entries(base, kind)?) * index::entry_size(kind);
        self.resize_index(base, kind, used)
    }

    /// Cuts or grows an index to whole entries; what lies behind the last entry stays as it is
    /// (Kafka: `AbstractIndex.resize`).
    ///
    /// # Errors
    ///
    /// [`LogError::Index`], if the file, cut by then, has no room for its entries.
    pub(crate) fn resize_index(&mut self, base: Offset, kind: FileKind, size: u64) -> Result<(), LogError> {
        self.open_index(base, kind)?;
        let entry = index::entry_size(kind);
        let size = size / entry * entry;
        let file = FileName::live(base, kind);
        if self.state().files().apparent_size(file) == Some(size) {
            return Ok(());
        }
        self.file(|files| files.resize(file, size))?;
        let used = u64::from(self.opened_entries(base, kind)?) * entry;
        if used > size {
            let reason = IndexReason::SmallerThanEntries { used, size };
            return Err(LogError::Index(IndexError { base, kind, reason }));
        }
        Ok(())
    }

    /// Takes a segment out of the log and renames its files; they go after `file.delete.delay.ms`
    /// (Kafka: `LocalLog.deleteSegmentFiles`).
    pub(crate) fn delete_files(&mut self, base: Offset) -> Result<TimestampMs, LogError> {
        let gone_at = self.deletion_time();
        self.remember(MemoryChange::SegmentDeleted { base, gone_at });
        for kind in FileKind::OF_SEGMENT {
            let file = FileName::live(base, kind);
            if self.state().files().apparent_size(file).is_some() {
                self.file(|files| files.rename(file, file.as_deleted()))?;
            }
        }
        Ok(gone_at)
    }

    /// When files go that are renamed now.
    pub(crate) fn deletion_time(&self) -> TimestampMs {
        let delay = self.state().settings().file_delete_delay_ms;
        // What would be later than time itself never comes.
        self.state().clock().checked_add(delay).unwrap_or(LATEST)
    }

    /// Writes all that lies below an offset to disk: the recovery point rises. Opens the indexes of the segments it
    /// touches; `until` is `offset`, or one more to reach an empty active segment at `offset`
    /// (Kafka: `UnifiedLog.flush`, `LocalLog.flush`).
    pub(crate) fn flush(&mut self, offset: Offset, until: Offset) -> Result<(), LogError> {
        let from = self.state().recovery_point();
        if until <= from {
            return Ok(());
        }
        let segments = self.state().segments();
        let above = from.checked_add(1);
        let first = above
            .map_or(segments.len(), |above| segments.below(above))
            .saturating_sub(1);
        let bases: Vec<Offset> = segments.keys_from(first).take_while(|base| *base < until).collect();
        for base in bases {
            self.open_index(base, FileKind::Index)?;
            self.open_index(base, FileKind::TimeIndex)?;
        }
        self.move_recovery_point(offset.max(from));
        Ok(())
    }

    pub(crate) fn move_recovery_point(&mut self, to: Offset) {
        let from = self.state().recovery_point();
        if from != to {
            self.remember(MemoryChange::RecoveryPoint { from, to });
        }
    }

    /// Makes an epoch begin at an offset, unless that is known (Kafka: `LeaderEpochFileCache.assign`).
    pub(crate) fn assign_epoch(&mut self, epoch: i32, start: i64) -> Result<(), LogError> {
        let Some(start) = Offset::new(start).filter(|_| epoch >= 0) else {
            return Err(LogError::InvalidLeaderEpoch { epoch, start });
        };
        match self.state().leader_epochs().assigned(epoch, start) {
            Some(epochs) => self.keep_epochs(epochs),
            None => Ok(()),
        }
    }

    /// Moves the log end offset; what is on disk for sure cannot lie above it (Kafka: `LocalLog.updateLogEndOffset`).
    pub(crate) fn move_log_end(&mut self, to: Offset) {
        let from = self.state().log_end();
        // A batch without records takes bytes and no offset.
        let (base, position) = self.state().log_end_place();
        let grown = self.state().active() == Some(base) && self.state().segment_size(base) != position;
        if from != to || grown {
            self.remember(MemoryChange::LogEnd { from, to });
        }
        if self.state().recovery_point() > to {
            self.move_recovery_point(to);
        }
    }

    /// Raises the log start offset, and what must not lie below it (Kafka: `UnifiedLog.maybeIncrementLogStartOffset`).
    pub(crate) fn move_log_start(&mut self, to: Offset) -> Result<(), LogError> {
        let from = self.state().log_start();
        if to <= from {
            return Ok(());
        }
        self.remember(MemoryChange::LogStart { from, to });
        if self.state().high_watermark() < to {
            self.move_high_watermark(to)?;
        }
        if self.state().recovery_point() < to {
            self.move_recovery_point(to);
        }
        if let Some(epochs) = self.state().leader_epochs().cut_from_start(to) {
            self.keep_epochs(epochs)?;
        }
        let changes = self.state().producers().on_log_start(to);
        changes.into_iter().for_each(|change| self.change_producers(change));
        self.settle_first_unstable()
    }

    /// Remembers the leader epochs and writes their file (Kafka: `LeaderEpochFileCache.writeToFile`; a write that Kafka
    /// leaves to a background thread happens at once here).
    pub(crate) fn keep_epochs(&mut self, epochs: LeaderEpochs) -> Result<(), LogError> {
        let text = epochs.to_text();
        self.remember(MemoryChange::LeaderEpochs { to: epochs });
        self.replace_file(FileName::LEADER_EPOCHS, text.as_bytes())
    }

    /// Gives a file that is always written as a whole its new bytes.
    pub(crate) fn replace_file(&mut self, file: FileName, bytes: &[u8]) -> Result<(), LogError> {
        let now = self.state().clock();
        self.file(|files| files.replace(file, bytes, now))
    }
}

/// A relative offset that an append has checked.
pub(crate) fn relative(offset: Offset, base: Offset) -> Result<RelativeOffset, LogError> {
    offset.relative_to(base).ok_or(LogError::NumberTooLarge {
        what: "the relative offset",
    })
}

/// A segment's part of `segment.jitter.ms`: below the limit, as if drawn at random, and the same for the same seed
/// (Kafka: `LogConfig.randomSegmentJitter`). SplitMix64.
fn jitter(limit_ms: i64, seed: u64, base: Offset) -> i64 {
    if limit_ms <= 0 {
        return 0;
    }
    let mut mixed = seed.wrapping_add((base.get() as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((mixed ^ (mixed >> 31)) % limit_ms as u64) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jitter_stays_below_its_limit_and_depends_on_seed_and_segment() {
        let draws: Vec<i64> = (0..100)
            .map(|base| jitter(10_000, 7, Offset::new(base).expect("not negative")))
            .collect();
        assert!(draws.iter().all(|draw| (0..10_000).contains(draw)));
        assert!(draws.windows(2).any(|pair| pair[0] != pair[1]));
        assert_ne!(jitter(10_000, 7, Offset::ZERO), jitter(10_000, 8, Offset::ZERO));
        assert_eq!(jitter(0, 7, Offset::ZERO), 0);
    }
}
