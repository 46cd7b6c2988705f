//! The only ways to change a state: a write of the files, and a change of what is kept in memory, for the first time or
//! again.

use crate::disk::{FileChange, FileKind, FileName, MemoryVfs, Suffix, VfsError};
use crate::format::epoch::LeaderEpochs;
use crate::ordered::OrderedMap;
use crate::rules::producers::Place;
use crate::state::producers::{ProducerChange, ProducerState};
use crate::state::{DeletedSegment, DeletedSnapshot, MemoryChange, PartitionState, Segment};
use crate::units::{LATEST, Offset, Position};

impl PartitionState {
    /// Carries out an operation on the files, and hands on what they recorded of it.
    pub(crate) fn write_files<T>(
        &mut self,
        operation: impl FnOnce(&mut MemoryVfs) -> Result<T, VfsError>,
    ) -> (Result<T, VfsError>, Vec<FileChange>) {
        let outcome = operation(&mut self.files);
        let changes = self.files.take_changes();
        changes.iter().for_each(|change| self.notice(change));
        (outcome, changes)
    }

    /// Repeats a recorded change of a file.
    ///
    /// # Errors
    ///
    /// [`VfsError`], when it was not recorded on these files.
    pub(crate) fn apply_file(&mut self, change: &FileChange) -> Result<(), VfsError> {
        self.files.replay(change)?;
        self.notice(change);
        Ok(())
    }

    /// An index that is made is open, and empty.
    fn notice(&mut self, change: &FileChange) {
        if let FileChange::Created { file, .. } = change
            && file.suffix == Suffix::None
        {
            self.change_segment(file.base, |segment| segment.set_entries(file.kind, 0));
        }
    }

    /// Carries out a change of what is kept in memory, for the first time or again.
    pub(crate) fn apply_memory(&mut self, change: &MemoryChange) {
        match change {
            MemoryChange::ClockMoved { to, .. } => self.clock = *to,
            MemoryChange::SettingChanged { key, to, .. } => self.settings.put(key, *to),
            MemoryChange::SegmentOpened {
                base,
                created,
                jitter_ms,
                index_interval_bytes,
                index_bytes,
            } => {
                // Nothing more is appended to the segment before: what was held ready for it goes back.
                if let Some(closed) = self.segments.keys().next_back() {
                    FileKind::OF_SEGMENT
                        .into_iter()
                        .for_each(|kind| self.files.release(FileName::live(closed, kind)));
                }
                let segment = Segment::opened(*base, *created, *jitter_ms, *index_interval_bytes, *index_bytes);
                self.segments.insert(*base, segment);
                self.keep_log_end_place();
            }
            MemoryChange::SegmentDropped { base } => {
                self.segments.remove(*base);
            }
            MemoryChange::SegmentDeleted { base, gone_at } => {
                // A log start offset that is the base of the first segment is not saved: which that is changes now.
                self.start_checkpoint = self.frozen(self.saved_log_start());
                let end = self.segment_end(*base);
                if let Some(segment) = self.segments.remove(*base) {
                    // Files of the same name that still wait are replaced, and the earlier removal takes the new ones.
                    let waiting = self.deleted.get(*base).map(|other| other.gone_at);
                    let gone_at = waiting.map_or(*gone_at, |earlier| earlier.min(*gone_at));
                    self.deleted.insert(*base, DeletedSegment { segment, end, gone_at });
                }
            }
            MemoryChange::SegmentForgotten { base, gone_at } => {
                if self.deleted.get(*base).map(|deleted| deleted.gone_at) == Some(*gone_at) {
                    self.deleted.remove(*base);
                }
            }
            MemoryChange::IndexEntries { base, kind, to, .. } => {
                self.change_segment(*base, |segment| segment.set_entries(*kind, *to));
            }
            MemoryChange::BytesSinceLastIndexEntry { base, to, .. } => {
                self.change_segment(*base, |segment| segment.bytes_since_last_index_entry = *to)
            }
            MemoryChange::RollTimestamp { base, timestamp } => {
                self.change_segment(*base, |segment| segment.first_timestamp = Some(*timestamp));
            }
            MemoryChange::LargestTimestamp { base, to } => {
                self.change_segment(*base, |segment| {
                    segment.largest = Some(*to);
                    segment.largest_known = true;
                });
            }
            MemoryChange::LargestRead { base, to } => {
                self.change_segment(*base, |segment| {
                    segment.largest = *to;
                    segment.largest_known = true;
                });
            }
            MemoryChange::LargestForgotten { base } => {
                self.change_segment(*base, |segment| {
                    segment.largest = None;
                    segment.largest_known = false;
                });
            }
            MemoryChange::SegmentEmptied { base, created } => {
                self.change_segment(*base, |segment| {
                    segment.created = *created;
                    segment.first_timestamp = None;
                });
            }
            MemoryChange::LogStart { to, .. } => {
                self.start_checkpoint = self.frozen(self.saved_log_start());
                self.log_start = *to;
            }
            MemoryChange::HighWatermark { to, .. } => {
                self.watermark_checkpoint = self.frozen(self.saved_high_watermark());
                self.high_watermark = *to;
                self.high_watermark_place = self.place_at_log_end();
            }
            MemoryChange::HighWatermarkFound { to, place, .. } => {
                self.watermark_checkpoint = self.frozen(self.saved_high_watermark());
                self.high_watermark = *to;
                self.high_watermark_place = Some(*place);
            }
            MemoryChange::RecoveryPoint { to, .. } => {
                self.recovery_checkpoint = self.frozen(self.saved_recovery_point());
                self.recovery_point = *to;
            }
            MemoryChange::Producers(change) => self.producers.apply(change),
            MemoryChange::ProducersLookedAt { at } => self.looked_at = *at,
            MemoryChange::SnapshotDeleted { offset, gone_at } => {
                let waiting = DeletedSnapshot {
                    offset: *offset,
                    gone_at: *gone_at,
                };
                self.deleted_snapshots.insert(waiting, ());
            }
            MemoryChange::SnapshotForgotten { offset, gone_at } => {
                self.deleted_snapshots.remove(DeletedSnapshot {
                    offset: *offset,
                    gone_at: *gone_at,
                });
            }
            MemoryChange::LeaderEpoch { to, .. } => self.leader_epoch = *to,
            MemoryChange::LeaderEpochs { to } => self.leader_epochs = to.clone(),
            MemoryChange::EntriesPerBatch(on) => self.entries_per_batch = *on,
            MemoryChange::HighWatermarkFollows(follows) => self.high_watermark_follows = *follows,
            MemoryChange::LogEnd { from, to } => {
                self.log_end = *to;
                self.keep_log_end_place();
                // What is appended is known of its producers as well.
                if to > from {
                    self.producers.apply(&ProducerChange::MapEnd(*to));
                }
            }
            MemoryChange::NextCheck { at } => self.next_check = *at,
            MemoryChange::Started { at } => {
                self.running = true;
                self.keep_log_end_place();
                self.started = *at;
            }
            MemoryChange::StartFailed { error } => self.start_failed = Some(error.clone()),
            MemoryChange::Stopped { checkpointed } => {
                self.save_checkpoints(*checkpointed);
                self.running = false;
                self.clean_shutdown = *checkpointed;
                // Nobody is left to remove these files: the next start does.
                for base in self.deleted.keys().collect::<Vec<Offset>>() {
                    if let Some(deleted) = self.deleted.get_mut(base) {
                        deleted.gone_at = LATEST;
                    }
                }
                self.deleted_snapshots = OrderedMap::default();
            }
            MemoryChange::LoadBegun {
                recovery_point,
                log_start,
                high_watermark,
            } => {
                self.clean_shutdown = false;
                self.start_failed = None;
                self.segments = OrderedMap::default();
                self.deleted = OrderedMap::default();
                self.deleted_snapshots = OrderedMap::default();
                self.producers = ProducerState::default();
                self.high_watermark_place = None;
                self.leader_epochs = LeaderEpochs::default();
                self.recovery_checkpoint = self.frozen(*recovery_point);
                self.start_checkpoint = self.frozen(*log_start);
                self.watermark_checkpoint = self.frozen(*high_watermark);
            }
        }
    }

    fn change_segment(&mut self, base: Offset, change: impl FnOnce(&mut Segment)) {
        if let Some(segment) = self.segments.get_mut(base) {
            change(segment);
        }
    }

    fn keep_log_end_place(&mut self) {
        if let Some(active) = self.active() {
            self.log_end_place = (active, self.segment_size(active));
        }
        // Where the log ends, the place is known (Kafka: `UnifiedLog.updateHighWatermarkWithLogEndOffset`).
        if let Some(end) = self.place_at_log_end() {
            self.high_watermark_place = Some(end);
        }
    }

    /// The place of the high watermark where that is the log end offset.
    fn place_at_log_end(&self) -> Option<Place> {
        let (base, position) = self.log_end_place;
        let position = Position::new(position)?;
        (self.high_watermark >= self.log_end).then_some(Place { base, position })
    }
}
