//! A start: from the files to a log (Kafka: `LogLoader.load`, `UnifiedLog.create`).

use crate::disk::{FileKind, FileName, Suffix, Vfs};
use crate::error::LogError;
use crate::format::batch;
use crate::format::epoch::LeaderEpochs;
use crate::operations::load::split::SplitPlace;
use crate::operations::partition::Partition;
use crate::operations::producers::ProducerRebuild;
use crate::operations::recorder::Recorder;
use crate::rules::producers::stray_snapshots;
use crate::rules::recovery::{RecoveryAnswer, RecoveryDecision};
use crate::state::MemoryChange;
use crate::state::producers::{ProducerChange, ProducerState};
use crate::step::{LoadStep, Step};
use crate::units::{LATEST, Offset, TimestampMs};

/// What a start is told, beside the files. What is `None` is as the broker left it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StartOptions {
    /// Whether `.kafka_cleanshutdown` is there: the shutdown was clean.
    pub clean: Option<bool>,
    /// What `recovery-point-offset-checkpoint` says.
    pub recovery_point: Option<Offset>,
    /// What `log-start-offset-checkpoint` says.
    pub log_start: Option<Offset>,
    /// What `replication-offset-checkpoint` says.
    pub high_watermark: Option<Offset>,
}

impl Partition {
    /// Starts the broker: its files are read, and after a crash checked and repaired.
    ///
    /// A start that fails leaves the files as they are by then and the broker down; the next one takes the broker for
    /// crashed.
    ///
    /// # Errors
    ///
    /// [`LogError::NotRunning`] where it runs already. What Kafka's start fails with, for which it takes the log directory
    /// offline: [`LogError::Checkpoint`], [`LogError::CorruptBatch`], [`LogError::Index`], [`LogError::IndexTooSmall`],
    /// [`LogError::NotInFile`], [`LogError::CannotSplit`], [`LogError::NegativeOffset`], [`LogError::Producer`],
    /// [`LogError::TransactionIndex`], [`LogError::SegmentTooLarge`].
    pub fn start(&mut self, options: StartOptions) -> Result<(), LogError> {
        self.record(|recorder| {
            if recorder.state().running() {
                return Err(LogError::NotRunning { running: true });
            }
            let outcome = recorder.start(options);
            if let Err(error) = &outcome {
                let error = Box::new(error.clone());
                recorder.remember(MemoryChange::StartFailed { error });
            }
            outcome
        })
    }
}

/// What a start knows.
pub(super) struct Loader {
    pub(super) clean: bool,
    pub(super) recovery_point: Offset,
    /// Log start offset, as its checkpoint says.
    pub(super) log_start: Offset,
}

impl Recorder<'_> {
    fn start(&mut self, options: StartOptions) -> Result<(), LogError> {
        let state = self.state();
        let mut loader = Loader {
            clean: options.clean.unwrap_or(state.clean_shutdown()),
            recovery_point: options.recovery_point.unwrap_or(state.saved_recovery_point()),
            log_start: options.log_start.unwrap_or(state.saved_log_start()),
        };
        let high_watermark = options.high_watermark.unwrap_or(state.saved_high_watermark());
        self.remember(MemoryChange::LoadBegun {
            recovery_point: loader.recovery_point,
            log_start: loader.log_start,
            high_watermark,
        });
        self.read_epochs()?;
        let snapshots = self.snapshots();
        self.forget_producers(snapshots);
        self.settle_temporary_files()?;
        self.retry_divided(&mut loader, SplitPlace::Outside, |recorder, loader| {
            recorder.drop_segments();
            recorder.load_segments(loader)
        })?;
        let (recovery_point, log_end) = self.retry_divided(&mut loader, SplitPlace::InLog, Self::recover_log)?;
        self.finish_start(&loader, recovery_point, log_end, high_watermark)
    }

    /// What follows once the segments are in order.
    fn finish_start(
        &mut self,
        loader: &Loader,
        recovery_point: Offset,
        log_end: Offset,
        high_watermark: Offset,
    ) -> Result<(), LogError> {
        let active = self.active()?;
        for kind in [FileKind::Index, FileKind::TimeIndex] {
            self.resize_index(active.base, kind, active.index_bytes as u64)?;
        }
        self.cut_epochs_from_end(log_end)?;
        let bases: Vec<Offset> = self.state().bases().collect();
        let log_start = loader.log_start.max(bases[0]);
        if let Some(epochs) = self.state().leader_epochs().cut_from_start(loader.log_start) {
            // The file is written in any case, which shows only where it was not as Kafka writes it.
            let known = self.state().files().read(FileName::LEADER_EPOCHS);
            if epochs != *self.state().leader_epochs() || known.as_deref() != Some(epochs.to_text().as_bytes()) {
                self.keep_epochs(epochs)?;
            }
        }
        self.remove_stray_snapshots(&bases)?;
        self.rebuild_producers_from(&ProducerRebuild {
            bases: &bases,
            log_start,
            last: log_end,
            clean_start: loader.clean,
        })?;
        self.set_marks(log_start, recovery_point.max(log_start), log_end);
        bases.iter().for_each(|base| self.read_roll_timestamp(*base));
        self.settle_first_unstable()?;
        self.move_high_watermark(high_watermark.clamp(log_start, log_end.max(log_start)))?;
        let now = self.state().clock();
        self.remember(MemoryChange::Started { at: now });
        let delay = self.state().settings().initial_task_delay_ms;
        self.remember(MemoryChange::NextCheck {
            at: now.checked_add(delay).unwrap_or(LATEST),
        });
        self.note(Step::Load(LoadStep::Loaded {
            log_start,
            log_end,
            recovery_point: self.state().recovery_point(),
        }));
        self.follow_with_high_watermark()
    }

    fn set_marks(&mut self, log_start: Offset, recovery_point: Offset, log_end: Offset) {
        let from = self.state().log_end();
        let place = self
            .state()
            .active()
            .map(|active| (active, self.state().segment_size(active)));
        if from != log_end || place != Some(self.state().log_end_place()) {
            self.remember(MemoryChange::LogEnd { from, to: log_end });
        }
        let from = self.state().log_start();
        if from != log_start {
            self.remember(MemoryChange::LogStart { from, to: log_start });
        }
        self.move_recovery_point(recovery_point);
    }

    /// Reads `leader-epoch-checkpoint`, which is made if there is none (Kafka: `LeaderEpochCheckpointFile`).
    fn read_epochs(&mut self) -> Result<(), LogError> {
        let Some(bytes) = self.state().files().read(FileName::LEADER_EPOCHS) else {
            return self.replace_file(FileName::LEADER_EPOCHS, &[]);
        };
        let to = LeaderEpochs::read(&bytes)?;
        if !to.entries().is_empty() {
            self.remember(MemoryChange::LeaderEpochs { to });
        }
        Ok(())
    }

    /// The offsets of the snapshots in the directory (Kafka: `ProducerStateManager.listSnapshotFiles`).
    pub(super) fn snapshots(&self) -> Vec<Offset> {
        let names = self.state().files().list().into_iter();
        let snapshots = names.filter(|name| (name.kind, name.suffix) == (FileKind::Snapshot, Suffix::None));
        snapshots.map(|name| name.base).collect()
    }

    /// A state that knows of no producer, only of snapshots (Kafka: `ProducerStateManager`'s constructor).
    pub(super) fn forget_producers(&mut self, snapshots: Vec<Offset>) {
        let producers = self.state().producers();
        let open = producers.open_transactions().next().is_some();
        if !producers.is_empty() || open {
            self.change_producers(ProducerChange::Cleared);
        }
        if self.state().producers().snapshots() != snapshots {
            self.change_producers(ProducerChange::SnapshotsListed(snapshots));
        }
        self.change_producers(ProducerChange::LastSnapshot(Offset::ZERO));
        self.change_producers(ProducerChange::MapEnd(Offset::ZERO));
    }

    /// Recovers what has to be; the recovery point and the log end offset then (Kafka: `LogLoader.recoverLog`).
    fn recover_log(&mut self, loader: &mut Loader) -> Result<(Offset, Offset), LogError> {
        self.recover_unflushed(loader)?;
        let mut found = None;
        if let Some(last) = self.state().active() {
            let log_end = self.read(|reader| reader.next_offset(last))?;
            match Offset::new(log_end).filter(|log_end| *log_end >= loader.log_start) {
                Some(log_end) => found = Some(log_end),
                None => self.give_up_log(log_end, loader.log_start)?,
            }
        }
        if self.state().active().is_none() {
            self.open_segment(loader.log_start)?;
        }
        Ok(match found {
            Some(log_end) if loader.clean => (log_end, log_end),
            Some(log_end) => (loader.recovery_point.min(log_end), log_end),
            None => {
                self.open_index(loader.log_start, FileKind::Index)?;
                (loader.recovery_point.min(loader.log_start), loader.log_start)
            }
        })
    }

    /// Recovers the segment with the recovery point and those behind it, up to the first that has to be cut.
    fn recover_unflushed(&mut self, loader: &mut Loader) -> Result<(), LogError> {
        let bases: Vec<Offset> = self.state().bases().collect();
        for (place, base) in bases.iter().copied().enumerate() {
            let decision = RecoveryDecision {
                base,
                next_base: bases.get(place + 1).copied(),
                clean: loader.clean,
                recovery_point: loader.recovery_point,
            };
            self.note(Step::Load(LoadStep::RecoveryDecided(decision)));
            if decision.answer() != RecoveryAnswer::Recovered {
                continue;
            }
            let cut = match self.recover_segment(loader, base, &bases) {
                Err(error) if error.kafka_name() == Some("InvalidOffsetException") => {
                    self.note(Step::Load(LoadStep::GivenUp { base, reason: error }));
                    self.truncate_segment(base, base)?
                }
                outcome => outcome?,
            };
            let later = &bases[place + 1..];
            if cut > 0 {
                if !later.is_empty() {
                    self.note(Step::Load(LoadStep::LaterDeleted {
                        cut: base,
                        bases: later.to_vec(),
                    }));
                    self.delete_later(later)?;
                }
                return Ok(());
            }
        }
        Ok(())
    }

    /// Takes segments out of the log, with the snapshots at their bases (Kafka: `removeAndDeleteSegmentsAsync`).
    fn delete_later(&mut self, bases: &[Offset]) -> Result<(), LogError> {
        for base in bases {
            self.delete_files(*base)?;
        }
        for base in bases {
            self.delete_snapshot(*base)?;
        }
        Ok(())
    }

    /// The log ends below its start: nothing of it stays (Kafka: `deleteSegmentsIfLogStartGreaterThanLogEnd`).
    fn give_up_log(&mut self, log_end: i64, log_start: Offset) -> Result<(), LogError> {
        self.note(Step::Load(LoadStep::EndsBelowStart { log_end, log_start }));
        let bases: Vec<Offset> = self.state().bases().collect();
        // Their snapshots go at once, below (Kafka: the snapshots to be renamed are taken from the segments that are left).
        for base in bases {
            self.delete_files(base)?;
        }
        self.keep_epochs(LeaderEpochs::default())?;
        for snapshot in self.state().producers().snapshots().to_vec() {
            self.remove_if_there(FileName::live(snapshot, FileKind::Snapshot))?;
        }
        let changes = ProducerState::truncate_fully(log_start);
        changes.into_iter().for_each(|change| self.change_producers(change));
        Ok(())
    }

    /// Removes the snapshots that no segment begins at, but for one at the log end.
    fn remove_stray_snapshots(&mut self, bases: &[Offset]) -> Result<(), LogError> {
        let mut snapshots = self.snapshots();
        let stray = stray_snapshots(&snapshots, bases);
        for offset in &stray {
            self.remove_if_there(FileName::live(*offset, FileKind::Snapshot))?;
        }
        snapshots.retain(|snapshot| !stray.contains(snapshot));
        if self.state().producers().snapshots() != snapshots {
            self.change_producers(ProducerChange::SnapshotsListed(snapshots));
        }
        Ok(())
    }

    /// The time rule of rolling counts from a segment's first batch (Kafka: `LogSegment.loadFirstBatchTimestamp`, which
    /// reads it when it is asked).
    pub(crate) fn read_roll_timestamp(&mut self, base: Offset) {
        let bytes = self.state().log_bytes(base);
        let first = batch::file_batches(bytes, 0).next().and_then(Result::ok);
        let timestamp = first.and_then(|batch| TimestampMs::stored(batch.header.max_timestamp));
        if let Some(timestamp) = timestamp {
            self.remember(MemoryChange::RollTimestamp { base, timestamp });
        }
    }
}
