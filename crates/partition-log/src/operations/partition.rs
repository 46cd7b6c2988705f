//! The partition and its operations.

use crate::config::{SettingError, SettingScope, Settings, Value};
use crate::disk::{FileKind, FileName};
use crate::error::LogError;
use crate::operations::recorder::Recorder;
use crate::rules::roll::RollCause;
use crate::state::{MemoryChange, PartitionState};
use crate::step::{Step, Trace};
use crate::units::{LATEST, Offset, Position, ProducerId, TimestampMs};

/// One partition on one broker, with its files and its clock.
///
/// ```
/// use partition_log::format::batch::NewBatch;
/// use partition_log::config::Settings;
/// use partition_log::{Offset, Partition};
///
/// let settings = Settings { segment_bytes: 100, ..Settings::default() };
/// let mut partition = Partition::create(settings, 0).expect("sound settings");
/// for _ in 0..3 {
///     let message = NewBatch::message(40);
///     partition.append(&message).expect("40 B fit");
/// }
/// let bases: Vec<i64> = partition.state().bases().map(Offset::get).collect();
/// assert_eq!(bases, [0, 2], "80 + 40 = 120 > 100");
/// ```
///
/// An operation that changes something returns its outcome, and the partition keeps the [`Step`]s on the way to it until
/// the next operation: [`Partition::steps`].
#[derive(Clone, Debug)]
pub struct Partition {
    state: PartitionState,
    seed: u64,
    /// Of the last operation.
    steps: Vec<Step>,
}

/// What a fetch or a search by time found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ReadOutcome {
    /// The first offset delivered, or the offset that a search answers.
    pub answer: Option<Offset>,
    /// Its timestamp.
    pub timestamp: Option<TimestampMs>,
    /// Base offset of the segment that was read.
    pub segment: Option<Offset>,
    /// Where the batch that holds the answer starts.
    pub position: Option<Position>,
    /// Records that the consumer keeps.
    pub records: u32,
    /// Records below the offset asked for, which it drops.
    pub below: u32,
    /// Control records, which are never delivered.
    pub markers: u32,
    /// Records of aborted transactions, which a reader of committed records drops.
    pub aborted_records: u32,
    /// Bytes of the whole batches that the consumer keeps.
    pub bytes: u64,
    /// Bytes that the broker sends.
    pub slice: u64,
    /// Bytes that the scan passed over.
    pub skipped: u64,
    /// The offset that the consumer asks for next.
    pub next: Option<Offset>,
    /// The leader epoch of the answer, where a lookup knows it.
    pub epoch: Option<i32>,
    /// Aborted transactions that the reader is told of: producer and first offset.
    pub aborted: Vec<(ProducerId, Offset)>,
    /// Not even the first batch was sent whole.
    pub first_incomplete: bool,
}

/// What a retention check did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckOutcome {
    /// Base offsets of the segments that went, oldest first.
    pub deleted: Vec<Offset>,
}

impl Partition {
    /// An empty partition: segment 0 with both indexes at full size, as Kafka's load of a new log leaves it, and the
    /// first retention check scheduled. The seed decides the jitter of each segment.
    ///
    /// # Errors
    ///
    /// [`LogError::Setting`], [`LogError::IndexTooSmall`].
    pub fn create(settings: Settings, seed: u64) -> Result<Partition, LogError> {
        Partition::create_at(TimestampMs::ZERO, settings, seed)
    }

    /// The same at a time, which the broker's clock starts with.
    ///
    /// # Errors
    ///
    /// As [`Partition::create`].
    pub fn create_at(clock: TimestampMs, settings: Settings, seed: u64) -> Result<Partition, LogError> {
        settings.validate()?;
        let mut partition = Partition::from_state(PartitionState::empty(settings), seed);
        partition.record(|recorder| {
            if clock > TimestampMs::ZERO {
                recorder.move_clock(clock);
                recorder.remember(MemoryChange::Started { at: clock });
            }
            let delay = recorder.state().settings().initial_task_delay_ms;
            let first_check = clock.checked_add(delay).unwrap_or(LATEST);
            recorder.replace_file(FileName::LEADER_EPOCHS, &[])?;
            recorder.open_segment(Offset::ZERO)?;
            recorder.open_index(Offset::ZERO, FileKind::Index)?;
            recorder.open_index(Offset::ZERO, FileKind::TimeIndex)?;
            recorder.remember(MemoryChange::NextCheck { at: first_check });
            Ok(())
        })?;
        Ok(partition)
    }

    /// Everything that the partition is now.
    pub fn state(&self) -> &PartitionState {
        &self.state
    }

    /// Continues from a state, for example one that a replay has reached.
    pub fn from_state(state: PartitionState, seed: u64) -> Partition {
        Partition {
            state,
            seed,
            steps: Vec::new(),
        }
    }

    /// What the last operation did, in order: each probe, decision and write. An operation that was refused ends with
    /// [`Step::Refused`].
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The steps of the last operation, without a copy; none are left.
    pub fn take_steps(&mut self) -> Vec<Step> {
        core::mem::take(&mut self.steps)
    }

    /// Carries out what a broker writes when it is read, of the steps of a read on a shared reference: indexes that it opened
    /// or made, a high watermark that it found. Other steps change nothing.
    ///
    /// # Errors
    ///
    /// [`LogError::Vfs`], when the partition has changed since.
    ///
    /// ```
    /// use partition_log::{FetchOptions, Offset, Partition};
    ///
    /// let mut partition = Partition::create(Default::default(), 0)?;
    /// let read = partition.state().read(Offset::ZERO, FetchOptions::limited(None))?;
    /// let steps = read.steps;
    /// partition.apply_reads(&steps)?;
    /// # Ok::<(), partition_log::LogError>(())
    /// ```
    pub fn apply_reads(&mut self, steps: &[Step]) -> Result<(), LogError> {
        for step in steps {
            self.state.apply(step)?;
        }
        Ok(())
    }

    /// Carries out an operation, and pairs what comes of it with its steps.
    ///
    /// ```
    /// use partition_log::{Partition, Step};
    ///
    /// let mut partition = Partition::create(Default::default(), 0)?;
    /// let trace = partition.trace(|partition| partition.roll());
    /// assert!(trace.outcome.is_ok());
    /// assert!(trace.steps.iter().any(|step| matches!(step, Step::Rolled { .. })));
    /// # Ok::<(), partition_log::LogError>(())
    /// ```
    pub fn trace<T>(&mut self, operation: impl FnOnce(&mut Partition) -> T) -> Trace<T> {
        let outcome = operation(self);
        Trace {
            steps: self.take_steps(),
            outcome,
        }
    }

    /// An operation that needs a running broker.
    pub(crate) fn serve<T>(
        &mut self,
        operation: impl FnOnce(&mut Recorder<'_>) -> Result<T, LogError>,
    ) -> Result<T, LogError> {
        self.record(|recorder| {
            if recorder.state().running() {
                operation(recorder)
            } else if let Some(cause) = recorder.state().start_failed() {
                Err(LogError::StartFailed(Box::new(cause.clone())))
            } else {
                Err(LogError::NotRunning { running: false })
            }
        })
    }

    /// An operation that somebody else carries out, and keeps the steps of.
    pub(crate) fn recorder(&mut self) -> Recorder<'_> {
        Recorder::new(&mut self.state, self.seed)
    }

    pub(crate) fn record<T>(
        &mut self,
        operation: impl FnOnce(&mut Recorder<'_>) -> Result<T, LogError>,
    ) -> Result<T, LogError> {
        let mut recorder = Recorder::new(&mut self.state, self.seed);
        let outcome = recorder.check_files().and_then(|()| {
            let outcome = operation(&mut recorder);
            // Where a file could not be read, it came from zeros.
            recorder.check_files().and(outcome)
        });
        self.steps = recorder.finish(&outcome);
        outcome
    }

    /// An operation that nothing can refuse.
    fn remember(&mut self, operation: impl FnOnce(&mut Recorder<'_>)) {
        let mut recorder = Recorder::new(&mut self.state, self.seed);
        operation(&mut recorder);
        self.steps = recorder.finish(&Ok(()));
    }

    /// Changes a setting. A broker's own setting is read at its start, so it can be set only as long as the clock has
    /// not moved since.
    ///
    /// # Errors
    ///
    /// [`SettingError`].
    pub fn set(&mut self, key: &str, value: &Value) -> Result<(), SettingError> {
        self.steps.clear();
        let (spec, to) = Settings::check(key, value)?;
        if spec.scope == SettingScope::Broker && self.state().clock() > self.state().started() {
            return Err(SettingError::BrokerRunning { key: key.to_string() });
        }
        self.remember(|recorder| {
            let from = recorder.state().settings().get(spec.key);
            let from = from.expect("every setting of the table has a value");
            recorder.remember(MemoryChange::SettingChanged {
                key: spec.key,
                from,
                to,
            });
            if spec.key == "log.initial.task.delay.ms" {
                let at = recorder.state().started().checked_add(to).unwrap_or(LATEST);
                recorder.remember(MemoryChange::NextCheck { at });
            }
        });
        Ok(())
    }

    /// Pins the high watermark, as if followers had copied the log only up to there.
    ///
    /// # Errors
    ///
    /// [`LogError::HighWatermarkOutOfRange`].
    pub fn pin_high_watermark(&mut self, offset: Offset) -> Result<(), LogError> {
        self.serve(|recorder| {
            let (log_start, log_end) = (recorder.state().log_start(), recorder.state().log_end());
            if offset < log_start || offset > log_end {
                return Err(LogError::HighWatermarkOutOfRange {
                    asked: offset,
                    log_start,
                    log_end,
                });
            }
            recorder.remember(MemoryChange::HighWatermarkFollows(false));
            recorder.move_high_watermark(offset)
        })
    }

    /// Lets the high watermark follow the log end again, as with one replica.
    ///
    /// # Errors
    ///
    /// [`LogError::CorruptBatch`], [`LogError::IndexTooSmall`]: where it was in the files could not be found.
    pub fn follow_high_watermark(&mut self) -> Result<(), LogError> {
        self.record(|recorder| {
            recorder.remember(MemoryChange::HighWatermarkFollows(true));
            match recorder.state().running() {
                true => recorder.follow_with_high_watermark(),
                false => Ok(()),
            }
        })
    }

    /// Moves the log start offset up to `before`; no byte changes until the next retention check
    /// (Kafka: `UnifiedLog.maybeIncrementLogStartOffset`).
    ///
    /// # Errors
    ///
    /// [`LogError::OffsetOutOfRange`] above the high watermark.
    pub fn delete_records(&mut self, before: Offset) -> Result<(), LogError> {
        self.serve(|recorder| {
            let (log_start, high_watermark) = (recorder.state().log_start(), recorder.state().high_watermark());
            if before > high_watermark {
                return Err(LogError::OffsetOutOfRange {
                    requested: before,
                    log_start,
                    log_end: high_watermark,
                });
            }
            recorder.move_log_start(before)
        })
    }

    /// Moves the log start offset up to the high watermark, which −1 in a request stands for
    /// (Kafka: `Partition.deleteRecordsOnLeader`, `DeleteRecordsRequest.HIGH_WATERMARK`).
    ///
    /// # Errors
    ///
    /// Those of any operation that the broker serves.
    pub fn delete_records_to_high_watermark(&mut self) -> Result<(), LogError> {
        self.delete_records(self.state().high_watermark())
    }

    /// Makes this broker the leader under a new epoch, which begins at the log end
    /// (Kafka: `Partition.makeLeader`, `UnifiedLog.assignEpochStartOffset`).
    ///
    /// # Errors
    ///
    /// [`LogError::EpochBackwards`].
    pub fn set_leader_epoch(&mut self, epoch: i32) -> Result<(), LogError> {
        self.serve(|recorder| {
            let known = recorder.state().leader_epoch();
            if epoch < known {
                return Err(LogError::EpochBackwards { asked: epoch, known });
            }
            if epoch > known {
                recorder.remember(MemoryChange::LeaderEpoch { from: known, to: epoch });
            }
            recorder.assign_epoch(epoch, recorder.state().log_end().get())
        })
    }

    /// Decides on index entries batch by batch, as Kafka does since 4.1, or once an append, as before; the two differ only
    /// where an append brings several batches, as a follower's does.
    pub fn set_entries_per_batch(&mut self, on: bool) {
        self.remember(|recorder| recorder.remember(MemoryChange::EntriesPerBatch(on)));
    }

    /// Closes the active segment and opens the next one at the log end (Kafka: `UnifiedLog.roll`).
    ///
    /// # Errors
    ///
    /// [`LogError::IndexTooSmall`].
    pub fn roll(&mut self) -> Result<(), LogError> {
        self.serve(|recorder| recorder.roll(Offset::ZERO, RollCause::Requested))
    }

    /// Writes everything to disk (Kafka: `UnifiedLog.flush(false)`).
    ///
    /// # Errors
    ///
    /// [`LogError::IndexTooSmall`], if an index has to be made and has no room.
    pub fn flush(&mut self) -> Result<(), LogError> {
        self.serve(|recorder| {
            let end = recorder.state().log_end();
            recorder.flush(end, end)
        })
    }

    /// Forgets producers that were silent for `producer.id.expiration.ms` or longer, as the broker does every
    /// `producer.id.expiration.check.interval.ms` (Kafka: `ProducerStateManager.removeExpiredProducers`).
    ///
    /// # Errors
    ///
    /// [`LogError::NotRunning`].
    pub fn expire_producers(&mut self) -> Result<(), LogError> {
        self.serve(|recorder| {
            recorder.expire_producers();
            Ok(())
        })
    }
}
