//! Everything a partition is at one moment: files, marks, and what the broker and the consumer keep in memory.
//!
//! State changes only by applying recorded writes, live as well as in a replay, so that the two cannot differ.
//!
//! May know the ground, files, formats, rules and errors; carries out no operation.

mod change;
pub mod producers;
mod segment;

use crate::config::Settings;
use crate::disk::{FileChange, FileKind, FileName, MemoryVfs, Suffix, Vfs, VfsError};
use crate::format::epoch::LeaderEpochs;
use crate::format::index::{self, OffsetEntry, TimeEntry, TimeIndex};
use crate::ordered::OrderedMap;
use crate::rules::reset::ResetPolicy;
use crate::state::producers::{ProducerChange, ProducerState};
use crate::units::{LATEST, Offset, TimestampMs};

pub use change::MemoryChange;
pub(crate) use segment::Segment;

/// A segment out of the log whose files wait for their removal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeletedSegment {
    pub(crate) segment: Segment,
    pub(crate) end: Offset,
    pub(crate) gone_at: TimestampMs,
}

/// A producer snapshot whose file waits for its removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DeletedSnapshot {
    pub(crate) offset: Offset,
    pub(crate) gone_at: TimestampMs,
}

/// A mark that the broker saves now and then, so that a start finds it again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Checkpoint {
    /// As it was saved when the mark last moved.
    pub(crate) saved: Offset,
    /// When the mark last moved.
    pub(crate) moved: TimestampMs,
}

/// One moment of a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionState {
    clock: TimestampMs,
    settings: Settings,
    files: MemoryVfs,
    segments: OrderedMap<Offset, Segment>,
    /// By base offset.
    deleted: OrderedMap<Offset, DeletedSegment>,
    log_start: Offset,
    high_watermark: Offset,
    high_watermark_follows: bool,
    log_end: Offset,
    /// Where the log ended when the log end offset last moved: the segment, and a position in it. An append that fails on
    /// its way leaves bytes behind it (Kafka: `LocalLog.nextOffsetMetadata`).
    log_end_place: (Offset, u64),
    recovery_point: Offset,
    running: bool,
    /// Whether the last shutdown was clean, and no start has been tried since: `.kafka_cleanshutdown` is there.
    clean_shutdown: bool,
    started: TimestampMs,
    /// When the broker last looked for silent producers.
    looked_at: TimestampMs,
    entries_per_batch: bool,
    leader_epoch: i32,
    leader_epochs: LeaderEpochs,
    producers: ProducerState,
    deleted_snapshots: OrderedMap<DeletedSnapshot, ()>,
    recovery_checkpoint: Checkpoint,
    start_checkpoint: Checkpoint,
    watermark_checkpoint: Checkpoint,
    next_check: TimestampMs,
    committed: Option<Offset>,
    consumer: Option<Offset>,
    reset_policy: ResetPolicy,
}

impl PartitionState {
    /// A partition before its first file.
    pub fn empty(settings: Settings) -> PartitionState {
        PartitionState {
            clock: TimestampMs::ZERO,
            reset_policy: policy_of(&settings),
            settings,
            files: MemoryVfs::default(),
            segments: OrderedMap::default(),
            deleted: OrderedMap::default(),
            log_start: Offset::ZERO,
            high_watermark: Offset::ZERO,
            high_watermark_follows: true,
            log_end: Offset::ZERO,
            log_end_place: (Offset::ZERO, 0),
            recovery_point: Offset::ZERO,
            running: true,
            clean_shutdown: false,
            started: TimestampMs::ZERO,
            looked_at: TimestampMs::ZERO,
            entries_per_batch: true,
            leader_epoch: 0,
            leader_epochs: LeaderEpochs::default(),
            producers: ProducerState::default(),
            deleted_snapshots: OrderedMap::default(),
            recovery_checkpoint: Checkpoint::default(),
            start_checkpoint: Checkpoint::default(),
            watermark_checkpoint: Checkpoint::default(),
            next_check: TimestampMs::ZERO,
            committed: None,
            consumer: None,
        }
    }

    /// A partition whose broker is down, with these files, which all carry the clock's time.
    ///
    /// # Errors
    ///
    /// [`VfsError::AlreadyExists`] for a name that is there twice.
    pub(crate) fn stopped(
        settings: Settings,
        clock: TimestampMs,
        files: impl IntoIterator<Item = (FileName, Vec<u8>)>,
    ) -> Result<PartitionState, VfsError> {
        let mut state = PartitionState::empty(settings);
        state.clock = clock;
        state.running = false;
        for (file, bytes) in files {
            state.files.create(file, bytes.len() as u64, clock)?;
            state.files.append(file, stored(file.kind, &bytes), clock)?;
        }
        // They were there before anything was done.
        state.files.take_changes();
        Ok(state)
    }

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
            MemoryChange::SettingChanged { key, to, .. } => {
                self.settings.put(key, *to);
                if *key == "auto.offset.reset" {
                    self.reset_policy = policy_of(&self.settings);
                }
            }
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
            MemoryChange::Committed { to, .. } => self.committed = *to,
            MemoryChange::Consumer { to, .. } => self.consumer = *to,
            MemoryChange::ResetPolicy { to, .. } => self.reset_policy = *to,
            MemoryChange::Started { at } => {
                self.running = true;
                self.keep_log_end_place();
                self.started = *at;
            }
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
                self.segments = OrderedMap::default();
                self.deleted = OrderedMap::default();
                self.deleted_snapshots = OrderedMap::default();
                self.producers = ProducerState::default();
                self.leader_epochs = LeaderEpochs::default();
                self.recovery_checkpoint = self.frozen(*recovery_point);
                self.start_checkpoint = self.frozen(*log_start);
                self.watermark_checkpoint = self.frozen(*high_watermark);
            }
        }
    }

    /// What a checkpoint says, where its mark moves now.
    fn frozen(&self, saved: Offset) -> Checkpoint {
        Checkpoint {
            saved,
            moved: self.clock,
        }
    }

    /// A mark as a start would find it if the broker ended now: its value at the last time when the broker saved it.
    fn saved(&self, checkpoint: Checkpoint, now_at: Offset, interval_ms: i64) -> Offset {
        let delay = self.started.get().saturating_add(self.settings.initial_task_delay_ms);
        let runs = |time: TimestampMs| match time.get() - delay {
            past if past <= 0 => 0,
            past => (past - 1) / interval_ms.max(1) + 1,
        };
        if self.running && runs(self.clock) > runs(checkpoint.moved) {
            now_at
        } else {
            checkpoint.saved
        }
    }

    /// Saves the three marks, as a broker does at a clean shutdown; one that is gone leaves them as it saved them last.
    fn save_checkpoints(&mut self, clean: bool) {
        let [recovery_point, log_start, high_watermark] = if clean {
            [self.recovery_point, self.log_start_to_save(), self.high_watermark]
        } else {
            let log_start = self.saved_log_start();
            [self.saved_recovery_point(), log_start, self.saved_high_watermark()]
        };
        self.recovery_checkpoint = self.frozen(recovery_point);
        self.start_checkpoint = self.frozen(log_start);
        self.watermark_checkpoint = self.frozen(high_watermark);
    }

    /// What `recovery-point-offset-checkpoint` says: all below it was on disk when it was last saved.
    pub fn saved_recovery_point(&self) -> Offset {
        let interval = self.settings.recovery_checkpoint_ms;
        self.saved(self.recovery_checkpoint, self.recovery_point, interval)
    }

    /// What `log-start-offset-checkpoint` says; 0 where it does not name the partition.
    pub fn saved_log_start(&self) -> Offset {
        let interval = self.settings.start_offset_checkpoint_ms;
        self.saved(self.start_checkpoint, self.log_start_to_save(), interval)
    }

    /// The log start offset is saved only where it is not the base of the first segment anyway
    /// (Kafka: `LogManager.checkpointLogStartOffsetsInDir`).
    fn log_start_to_save(&self) -> Offset {
        let first = self.segments.keys().next();
        if first.is_some_and(|first| self.log_start > first) {
            self.log_start
        } else {
            Offset::ZERO
        }
    }

    /// What `replication-offset-checkpoint` says, which keeps the high watermark.
    pub fn saved_high_watermark(&self) -> Offset {
        let interval = self.settings.watermark_checkpoint_ms;
        self.saved(self.watermark_checkpoint, self.high_watermark, interval)
    }

    fn change_segment(&mut self, base: Offset, change: impl FnOnce(&mut Segment)) {
        if let Some(segment) = self.segments.get_mut(base) {
            change(segment);
        }
    }

    /// The files.
    pub fn files(&self) -> &MemoryVfs {
        &self.files
    }

    /// The broker's clock.
    pub fn clock(&self) -> TimestampMs {
        self.clock
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// First offset that may be read.
    pub fn log_start(&self) -> Offset {
        self.log_start
    }

    /// The next offset to be assigned.
    pub fn log_end(&self) -> Offset {
        self.log_end
    }

    /// First offset that consumers may not read yet.
    pub fn high_watermark(&self) -> Offset {
        self.high_watermark
    }

    /// All below it is on disk; a start after a crash looks at what lies above (Kafka: `LocalLog.recoveryPoint`).
    pub fn recovery_point(&self) -> Offset {
        self.recovery_point
    }

    /// Whether the broker runs; while it does not, only its files can be touched.
    pub fn running(&self) -> bool {
        self.running
    }

    /// Whether a start finds that the shutdown was clean, and trusts the files as they are.
    pub fn clean_shutdown(&self) -> bool {
        self.clean_shutdown
    }

    /// What is kept of each live segment, by base offset.
    pub(crate) fn segments(&self) -> &OrderedMap<Offset, Segment> {
        &self.segments
    }

    /// What is kept of each segment whose files wait for their removal, by base offset.
    pub(crate) fn deleted(&self) -> &OrderedMap<Offset, DeletedSegment> {
        &self.deleted
    }

    /// Producer snapshots whose files wait for their removal.
    pub(crate) fn deleted_snapshots(&self) -> &OrderedMap<DeletedSnapshot, ()> {
        &self.deleted_snapshots
    }

    /// Whether the high watermark is the log end offset, as with one replica.
    pub(crate) fn high_watermark_follows(&self) -> bool {
        self.high_watermark_follows
    }

    /// Where the log ended when the log end offset last moved: the segment, and a position in it in bytes. An append that
    /// fails on its way leaves bytes behind it (Kafka: `LocalLog.nextOffsetMetadata`).
    pub(crate) fn log_end_place(&self) -> (Offset, u64) {
        self.log_end_place
    }

    /// When the broker last started.
    pub(crate) fn started(&self) -> TimestampMs {
        self.started
    }

    /// When the broker last looked for silent producers.
    pub(crate) fn looked_at(&self) -> TimestampMs {
        self.looked_at
    }

    /// Whether index entries are decided on batch by batch.
    pub(crate) fn entries_per_batch(&self) -> bool {
        self.entries_per_batch
    }

    /// When the next periodic retention check runs.
    pub(crate) fn next_check(&self) -> TimestampMs {
        self.next_check
    }

    /// Where the consumer goes on when its offset is not in the log.
    pub(crate) fn reset_policy(&self) -> ResetPolicy {
        self.reset_policy
    }

    /// The epoch under which this broker leads.
    pub fn leader_epoch(&self) -> i32 {
        self.leader_epoch
    }

    /// The epochs of the records, as `leader-epoch-checkpoint` keeps them.
    pub fn leader_epochs(&self) -> &LeaderEpochs {
        &self.leader_epochs
    }

    /// What is known of idempotent and transactional producers.
    pub fn producers(&self) -> &ProducerState {
        &self.producers
    }

    /// The first offset of a transaction that is open, or whose end is not yet below the high watermark; where that is below
    /// the log start offset, the first offset of the batch that holds the log start offset
    /// (Kafka: `UnifiedLog.firstUnstableOffset`).
    pub fn first_unstable(&self) -> Option<Offset> {
        self.producers.unstable().map(|unstable| unstable.offset)
    }

    /// First offset that a consumer with `isolation.level=read_committed` may not read yet
    /// (Kafka: `UnifiedLog.lastStableOffset`).
    pub fn last_stable(&self) -> Offset {
        self.producers.last_stable(self.high_watermark).offset()
    }

    /// The group's committed offset.
    pub fn committed(&self) -> Option<Offset> {
        self.committed
    }

    /// The offset that the consumer reads next.
    pub fn consumer(&self) -> Option<Offset> {
        self.consumer
    }

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

    fn keep_log_end_place(&mut self) {
        if let Some(active) = self.active() {
            self.log_end_place = (active, self.segment_size(active));
        }
    }

    /// The `.log` of a live segment of a broker that runs, or is about to.
    ///
    /// # Panics
    ///
    /// When there is none: only while the broker is down can a file go by itself.
    pub(crate) fn log_bytes(&self, base: Offset) -> &[u8] {
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
    fn index_bytes(&self, base: Offset, kind: FileKind) -> &[u8] {
        self.files.used(self.file(base, kind)).unwrap_or_default()
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
        let timestamp = TimestampMs::new(last.timestamp)?;
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

/// The part of a file that is stored. The zeros at the end of an index are not: a broker that was killed leaves 10 MiB of
/// them.
fn stored(kind: FileKind, bytes: &[u8]) -> &[u8] {
    match kind {
        FileKind::Index | FileKind::TimeIndex => {
            let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            let whole = used.next_multiple_of(index::entry_size(kind) as usize);
            &bytes[..whole.min(bytes.len())]
        }
        _ => bytes,
    }
}

/// The consumer's policy as its setting says.
fn policy_of(settings: &Settings) -> ResetPolicy {
    match settings.auto_offset_reset {
        1 => ResetPolicy::Earliest,
        2 => ResetPolicy::None,
        _ => ResetPolicy::Latest,
    }
}

/// The live `.log` of a segment.
pub(crate) fn log(base: Offset) -> FileName {
    FileName::live(base, FileKind::Log)
}
