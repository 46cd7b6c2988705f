//! Everything a partition is at one moment: files, marks, and what the broker keeps in memory; and apart from it what a consumer
//! keeps.
//!
//! State changes only by applying recorded writes, live as well as in a replay, so that the two cannot differ.
//!
//! May know the ground, files, formats, rules and errors; carries out no operation.

mod apply;
mod change;
mod checkpoints;
mod consumer;
pub mod producers;
mod segment;
mod segments;

#[cfg(feature = "std")]
use std::sync::Arc;

use crate::config::Settings;
#[cfg(feature = "std")]
use crate::disk::RealDirectory;
use crate::disk::{FileKind, FileName, MemoryVfs, VfsError};
use crate::error::LogError;
use crate::format::epoch::LeaderEpochs;
use crate::format::index;
use crate::ordered::OrderedMap;
use crate::rules::producers::Place;
use crate::state::producers::ProducerState;
use crate::units::{Offset, TimestampMs};

pub use change::MemoryChange;
use checkpoints::Checkpoint;
pub use consumer::{ConsumerChange, ConsumerPosition, ConsumerState};
pub(crate) use segment::{DeletedSegment, Segment};
pub(crate) use segments::log;

/// A producer snapshot whose file waits for its removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DeletedSnapshot {
    pub(crate) offset: Offset,
    pub(crate) gone_at: TimestampMs,
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
    /// Where that is in the files; `None` until a reader asks (Kafka: `LogOffsetMetadata.messageOffsetOnly`).
    high_watermark_place: Option<Place>,
    high_watermark_follows: bool,
    log_end: Offset,
    /// Where the log ended when the log end offset last moved: the segment, and a position in it. An append that fails on
    /// its way leaves bytes behind it (Kafka: `LocalLog.nextOffsetMetadata`).
    log_end_place: (Offset, u64),
    recovery_point: Offset,
    running: bool,
    /// Whether the last shutdown was clean, and no start has been tried since: `.kafka_cleanshutdown` is there.
    clean_shutdown: bool,
    /// What the last start failed with; `None` since another one was tried.
    start_failed: Option<Box<LogError>>,
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
}

impl PartitionState {
    /// A partition before its first file.
    pub fn empty(settings: Settings) -> PartitionState {
        PartitionState {
            clock: TimestampMs::ZERO,
            settings,
            files: MemoryVfs::default(),
            segments: OrderedMap::default(),
            deleted: OrderedMap::default(),
            log_start: Offset::ZERO,
            high_watermark: Offset::ZERO,
            high_watermark_place: None,
            high_watermark_follows: true,
            log_end: Offset::ZERO,
            log_end_place: (Offset::ZERO, 0),
            recovery_point: Offset::ZERO,
            running: true,
            clean_shutdown: false,
            start_failed: None,
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
        }
    }

    /// A partition whose broker is down, with these files and the times that they carry.
    ///
    /// # Errors
    ///
    /// [`VfsError::AlreadyExists`] for a name that is there twice.
    pub(crate) fn stopped(
        settings: Settings,
        clock: TimestampMs,
        files: impl IntoIterator<Item = (FileName, Vec<u8>, TimestampMs)>,
    ) -> Result<PartitionState, VfsError> {
        let mut state = PartitionState::empty(settings);
        state.clock = clock;
        state.running = false;
        for (file, bytes, modified) in files {
            let used = used(file.kind, &bytes);
            state.files.adopt(file, bytes, used, modified)?;
        }
        Ok(state)
    }

    /// The same for the files of a folder on a disk, of which nothing is read. Each comes with its length.
    #[cfg(feature = "std")]
    pub(crate) fn stopped_on_disk(
        settings: Settings,
        clock: TimestampMs,
        disk: Arc<RealDirectory>,
        files: impl IntoIterator<Item = (FileName, u64, TimestampMs)>,
    ) -> PartitionState {
        let mut state = PartitionState::empty(settings);
        state.clock = clock;
        state.running = false;
        let files = files.into_iter();
        let files = files.map(|(file, length, modified)| (file, length, index::entry_size(file.kind), modified));
        state.files = MemoryVfs::on_disk(disk, files);
        state
    }

    /// What a broker has saved beside the folder, and whether its shutdown was clean.
    #[cfg(feature = "std")]
    pub(crate) fn find_saved(
        &mut self,
        clean: bool,
        recovery_point: Offset,
        log_start: Offset,
        high_watermark: Offset,
    ) {
        self.clean_shutdown = clean;
        self.recovery_checkpoint = self.frozen(recovery_point);
        self.start_checkpoint = self.frozen(log_start);
        self.watermark_checkpoint = self.frozen(high_watermark);
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

    /// What the last start failed with, while no other has been tried: the broker is down, and knows nothing of its files.
    pub fn start_failed(&self) -> Option<&LogError> {
        self.start_failed.as_deref()
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

    /// Where the high watermark is in the files; `None` where it was set as a number, and no reader has asked since. That of
    /// the log end offset is known.
    pub(crate) fn high_watermark_place(&self) -> Option<Place> {
        self.high_watermark_place
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
    pub fn started(&self) -> TimestampMs {
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
}

/// How many bytes of a file are stored. The zeros at the end of an index are not: a broker that was killed leaves 10 MiB of
/// them.
fn used(kind: FileKind, bytes: &[u8]) -> usize {
    match kind {
        FileKind::Index | FileKind::TimeIndex => {
            let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            let whole = used.next_multiple_of(index::entry_size(kind) as usize);
            whole.min(bytes.len())
        }
        _ => bytes.len(),
    }
}
