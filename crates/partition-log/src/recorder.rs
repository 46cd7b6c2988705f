//! Carries out writes on the state and notes every step.

use crate::error::LogError;
use crate::index::{self, OffsetEntry, TimeEntry};
use crate::rules::index_entry::{TimeEntryDecision, TimeEntryReason};
use crate::rules::roll::RollCause;
use crate::segment::Segment;
use crate::state::{PartitionState, log};
use crate::step::{MemoryChange, Step, Trace};
use crate::units::{Offset, RelativeOffset, TimestampMs};
use crate::vfs::{FileKind, FileName, Vfs, VfsError};

/// An operation under way.
pub(crate) struct Recorder<'a> {
    pub(crate) state: &'a mut PartitionState,
    pub(crate) seed: u64,
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

    /// The trace of an operation; a refusal is its last step.
    pub(crate) fn finish<T>(mut self, outcome: Result<T, LogError>) -> Trace<Result<T, LogError>> {
        if let Err(error) = &outcome {
            self.note(Step::Refused(error.clone()));
        }
        Trace {
            steps: self.steps,
            outcome,
        }
    }

    /// The trace of an operation that cannot be refused.
    pub(crate) fn finish_infallible(self) -> Trace<()> {
        Trace {
            steps: self.steps,
            outcome: (),
        }
    }

    pub(crate) fn note(&mut self, step: Step) {
        self.steps.push(step);
    }

    pub(crate) fn remember(&mut self, change: MemoryChange) {
        self.state.apply_memory(&change);
        self.steps.push(Step::Memory(change));
    }

    /// Runs an operation of the filesystem and notes what the filesystem recorded of it.
    pub(crate) fn file<T>(
        &mut self,
        operation: impl FnOnce(&mut crate::vfs::MemoryVfs) -> Result<T, VfsError>,
    ) -> Result<T, LogError> {
        let outcome = operation(&mut self.state.files);
        self.note_changes();
        Ok(outcome?)
    }

    fn note_changes(&mut self) {
        for change in self.state.files.take_changes() {
            self.note(Step::File(change));
        }
    }

    pub(crate) fn active(&self) -> Result<Segment, LogError> {
        let found = self.state.segments.values().next_back().cloned();
        found.ok_or(LogError::Vfs(VfsError::NotFound(log(self.state.log_end))))
    }

    pub(crate) fn segment(&self, base: Offset) -> Result<&Segment, LogError> {
        self.state
            .segments
            .get(base)
            .ok_or(LogError::Vfs(VfsError::NotFound(log(base))))
    }

    /// Makes an index file if Kafka has not needed it before (Kafka: `LazyIndex.get`, `AbstractIndex`'s constructor).
    pub(crate) fn ensure_index(&mut self, base: Offset, kind: FileKind) -> Result<(), LogError> {
        let file = FileName::live(base, kind);
        if self.state.files.apparent_size(file).is_some() {
            return Ok(());
        }
        let configured = self.segment(base)?.index_bytes as u64;
        let entry = index::entry_size(kind);
        if configured < entry {
            return Err(LogError::IndexTooSmall {
                size: configured,
                entry,
            });
        }
        let now = self.state.clock;
        self.file(|files| files.create(file, configured / entry * entry, now))
    }

    /// Entries of an index and how many it can hold. An index that does not exist yet counts as empty, at the size that
    /// it would get.
    pub(crate) fn fill(&self, segment: &Segment, kind: FileKind) -> (u32, u32) {
        let apparent = self.state.files.apparent_size(FileName::live(segment.base, kind));
        (
            segment.entries(kind),
            index::capacity(kind, apparent.unwrap_or(segment.index_bytes as u64)),
        )
    }

    /// Adds an entry to an index; the caller has made sure of its file.
    fn put_entry(&mut self, base: Offset, kind: FileKind, entry: &[u8]) -> Result<(), LogError> {
        let now = self.state.clock;
        self.file(|files| files.append(FileName::live(base, kind), entry, now))?;
        let from = self.segment(base)?.entries(kind);
        self.remember(MemoryChange::IndexEntries {
            base,
            kind,
            from,
            to: from + 1,
        });
        Ok(())
    }

    /// Adds an entry to the offset index, creating the file first where needed.
    pub(crate) fn add_offset_entry(&mut self, base: Offset, entry: OffsetEntry) -> Result<(), LogError> {
        self.ensure_index(base, FileKind::Index)?;
        self.put_entry(base, FileKind::Index, &entry.to_bytes())
    }

    /// Offers the time index the segment's largest timestamp so far.
    pub(crate) fn offer_time_entry(&mut self, base: Offset, reason: TimeEntryReason) -> Result<(), LogError> {
        self.ensure_index(base, FileKind::TimeIndex)?;
        let segment = self.segment(base)?;
        let largest = segment.largest;
        let last = segment
            .time_entries
            .checked_sub(1)
            .and_then(|slot| self.time_entry(base, slot));
        let relative = largest
            .and_then(|(_, offset)| offset.relative_to(base))
            .unwrap_or_default();
        let decision = TimeEntryDecision {
            base,
            reason,
            timestamp: largest.map(|(timestamp, _)| timestamp),
            relative,
            last: last.map(|entry| entry.timestamp),
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

    /// The entry in a slot of a live segment's time index.
    pub(crate) fn time_entry(&self, base: Offset, slot: u32) -> Option<TimeEntry> {
        index::time_entry(self.state.files.used(FileName::live(base, FileKind::TimeIndex))?, slot)
    }

    /// The entry in a slot of a live segment's offset index.
    pub(crate) fn offset_entry(&self, base: Offset, slot: u32) -> Option<OffsetEntry> {
        index::offset_entry(self.state.files.used(FileName::live(base, FileKind::Index))?, slot)
    }

    /// Adds a segment to the log; its only file is the `.log` (Kafka: `LogSegment.open`).
    pub(crate) fn open_segment(&mut self, base: Offset) -> Result<(), LogError> {
        let now = self.state.clock;
        self.file(|files| files.create(log(base), 0, now))?;
        let settings = &self.state.settings;
        let change = MemoryChange::SegmentOpened {
            base,
            created: now,
            jitter_ms: jitter(settings.segment_jitter_ms.min(settings.segment_ms), self.seed, base),
            index_interval_bytes: settings.index_interval_bytes,
            index_bytes: settings.segment_index_bytes,
        };
        self.remember(change);
        Ok(())
    }

    /// Closes the active segment and opens the next one at the log end (Kafka: `LocalLog.roll`,
    /// `LogSegment.onBecomeInactiveSegment`).
    pub(crate) fn roll(&mut self, cause: RollCause) -> Result<(), LogError> {
        let active = self.active()?;
        let opened = self.state.log_end;
        self.note(Step::Rolled {
            closed: active.base,
            opened,
            cause,
        });
        if active.base == opened {
            // An empty active segment with a full index: its files make room for new ones of the same name.
            self.delete_files(active.base)?;
        } else {
            self.offer_time_entry(active.base, TimeEntryReason::Roll)?;
            self.ensure_index(active.base, FileKind::Index)?;
            for kind in [FileKind::Index, FileKind::TimeIndex] {
                let used = u64::from(self.segment(active.base)?.entries(kind)) * index::entry_size(kind);
                let file = FileName::live(active.base, kind);
                if self.state.files.apparent_size(file) != Some(used) {
                    self.file(|files| files.resize(file, used))?;
                }
            }
        }
        self.open_segment(opened)
    }

    /// Takes a segment out of the log and renames its files; they go after `file.delete.delay.ms`
    /// (Kafka: `LocalLog.deleteSegmentFiles`).
    pub(crate) fn delete_files(&mut self, base: Offset) -> Result<TimestampMs, LogError> {
        let delay = self.state.settings.file_delete_delay_ms;
        let gone_at = self.state.clock.checked_add(delay).unwrap_or(LATEST);
        self.remember(MemoryChange::SegmentDeleted { base, gone_at });
        for kind in FileKind::ALL {
            let file = FileName::live(base, kind);
            if self.state.files.apparent_size(file).is_some() {
                self.file(|files| files.rename(file, file.as_deleted()))?;
            }
        }
        Ok(gone_at)
    }

    /// Moves the log end offset, and the high watermark with it unless it is pinned.
    pub(crate) fn move_log_end(&mut self, to: Offset) {
        let from = self.state.log_end;
        self.remember(MemoryChange::LogEnd { from, to });
        if self.state.high_watermark_follows {
            self.move_high_watermark(to);
        }
    }

    pub(crate) fn move_high_watermark(&mut self, to: Offset) {
        let from = self.state.high_watermark;
        if from != to {
            self.remember(MemoryChange::HighWatermark { from, to });
        }
    }

    pub(crate) fn move_log_start(&mut self, to: Offset) {
        let from = self.state.log_start;
        if to > from {
            self.remember(MemoryChange::LogStart { from, to });
        }
    }

    pub(crate) fn move_consumer(&mut self, to: Option<Offset>) {
        let from = self.state.consumer;
        if from != to {
            self.remember(MemoryChange::Consumer { from, to });
        }
    }
}

/// Where time ends.
pub(crate) const LATEST: TimestampMs = match TimestampMs::new(i64::MAX) {
    Some(latest) => latest,
    None => TimestampMs::ZERO,
};

/// A relative offset that an append has checked.
pub(crate) fn relative(offset: Offset, base: Offset) -> Result<RelativeOffset, LogError> {
    offset.relative_to(base).ok_or(LogError::NumberTooLarge {
        what: "the relative offset",
    })
}

/// A segment's part of `segment.jitter.ms`: below the limit, as if drawn by chance, and the same for the same seed
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
