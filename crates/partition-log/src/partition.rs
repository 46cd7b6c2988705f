//! The partition and its operations.

use crate::batch::{NewBatch, read_header};
use crate::config::{Scope, SettingError, Settings, Value};
use crate::error::LogError;
use crate::index::OffsetEntry;
use crate::recorder::{LATEST, Recorder, relative};
use crate::rules::append;
use crate::rules::index_entry::{IndexEntryDecision, TimeEntryReason};
use crate::rules::reset::ResetPolicy;
use crate::rules::roll::{RollDecision, RollParams};
use crate::state::{PartitionState, log};
use crate::step::{MemoryChange, Step, Trace};
use crate::units::{Offset, Position, TimestampMs};
use crate::vfs::{FileKind, Vfs};

/// One partition on one broker, with its files, its clock, and one consumer group.
///
/// ```
/// use partition_log::batch::NewBatch;
/// use partition_log::config::Settings;
/// use partition_log::{Offset, Partition};
///
/// let settings = Settings { segment_bytes: 100, ..Settings::default() };
/// let mut partition = Partition::create(settings, 0).outcome.expect("sound settings");
/// for _ in 0..3 {
///     let message = NewBatch::Message { size: 40, timestamp: None, key: None };
///     partition.append(&message).outcome.expect("40 B fit");
/// }
/// let bases: Vec<i64> = partition.state().bases().map(Offset::get).collect();
/// assert_eq!(bases, [0, 2], "80 + 40 = 120 > 100");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    pub(crate) state: PartitionState,
    pub(crate) seed: u64,
}

/// What an append did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appended {
    /// Base offset of the segment.
    pub segment: Offset,
    /// First offset.
    pub first_offset: Offset,
    /// Last offset.
    pub last_offset: Offset,
    /// Where the batch starts in the `.log`.
    pub position: Position,
    /// Its size in bytes.
    pub size: u64,
    /// Its bytes, as they are in the log.
    pub bytes: Vec<u8>,
}

/// What a fetch or a search by time found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// Bytes of the whole batches that the consumer keeps.
    pub bytes: u64,
    /// Bytes that the broker sends.
    pub slice: u64,
    /// Bytes that the scan passed over.
    pub skipped: u64,
    /// The offset that the consumer asks for next.
    pub next: Option<Offset>,
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
    pub fn create(settings: Settings, seed: u64) -> Trace<Result<Partition, LogError>> {
        if let Err(error) = settings.validate() {
            return Trace {
                steps: Vec::new(),
                outcome: Err(LogError::Setting(error)),
            };
        }
        let mut state = PartitionState::empty(settings);
        let mut recorder = Recorder::new(&mut state, seed);
        let first_check = TimestampMs::ZERO
            .checked_add(recorder.state.settings.initial_task_delay_ms)
            .unwrap_or(LATEST);
        let outcome = recorder
            .open_segment(Offset::ZERO)
            .and_then(|()| recorder.ensure_index(Offset::ZERO, FileKind::Index))
            .and_then(|()| recorder.ensure_index(Offset::ZERO, FileKind::TimeIndex));
        recorder.remember(MemoryChange::NextCheck { at: first_check });
        let trace = recorder.finish(outcome);
        Trace {
            steps: trace.steps,
            outcome: trace.outcome.map(|()| Partition { state, seed }),
        }
    }

    /// Everything that the partition is now.
    pub fn state(&self) -> &PartitionState {
        &self.state
    }

    /// Continues from a state, for example one that a replay has reached.
    pub fn from_state(state: PartitionState, seed: u64) -> Partition {
        Partition { state, seed }
    }

    pub(crate) fn record<T>(
        &mut self,
        operation: impl FnOnce(&mut Recorder<'_>) -> Result<T, LogError>,
    ) -> Trace<Result<T, LogError>> {
        let mut recorder = Recorder::new(&mut self.state, self.seed);
        let outcome = operation(&mut recorder);
        recorder.finish(outcome)
    }

    /// Appends a batch at the log end, after the roll check (Kafka: `UnifiedLog.append`).
    ///
    /// # Errors
    ///
    /// [`LogError::TooSmallForFormat`] and its like for a batch that cannot be built; [`LogError::RecordTooLarge`],
    /// [`LogError::InvalidTimestamp`], [`LogError::RecordBatchTooLarge`]: nothing was written.
    pub fn append(&mut self, batch: &NewBatch) -> Trace<Result<Appended, LogError>> {
        self.record(|recorder| recorder.append(batch))
    }

    /// Changes a setting. A broker's own setting is read at its start, so it can be set only while the clock is at 0.
    ///
    /// # Errors
    ///
    /// [`SettingError`].
    pub fn set(&mut self, key: &str, value: &Value) -> Trace<Result<(), SettingError>> {
        let (spec, to) = match Settings::check(key, value) {
            Ok(checked) => checked,
            Err(error) => {
                return Trace {
                    steps: Vec::new(),
                    outcome: Err(error),
                };
            }
        };
        if spec.scope == Scope::Broker && self.state.clock > TimestampMs::ZERO {
            return Trace {
                steps: Vec::new(),
                outcome: Err(SettingError::BrokerRunning { key: key.to_string() }),
            };
        }
        let mut recorder = Recorder::new(&mut self.state, self.seed);
        let from = recorder.state.settings.get(spec.key).unwrap_or(spec.default);
        recorder.remember(MemoryChange::SettingChanged {
            key: spec.key,
            from,
            to,
        });
        if spec.key == "log.initial.task.delay.ms" {
            let at = TimestampMs::ZERO.checked_add(to).unwrap_or(LATEST);
            recorder.remember(MemoryChange::NextCheck { at });
        }
        let trace = recorder.finish_infallible();
        Trace {
            steps: trace.steps,
            outcome: Ok(()),
        }
    }

    /// Pins the high watermark, as if followers had copied the log only up to there.
    ///
    /// # Errors
    ///
    /// [`LogError::HighWatermarkOutOfRange`].
    pub fn pin_high_watermark(&mut self, offset: Offset) -> Trace<Result<(), LogError>> {
        self.record(|recorder| {
            let (log_start, log_end) = (recorder.state.log_start, recorder.state.log_end);
            if offset < log_start || offset > log_end {
                return Err(LogError::HighWatermarkOutOfRange {
                    asked: offset,
                    log_start,
                    log_end,
                });
            }
            recorder.remember(MemoryChange::HighWatermarkFollows(false));
            recorder.move_high_watermark(offset);
            Ok(())
        })
    }

    /// Lets the high watermark follow the log end again, as with one replica.
    pub fn follow_high_watermark(&mut self) -> Trace<()> {
        let mut recorder = Recorder::new(&mut self.state, self.seed);
        recorder.remember(MemoryChange::HighWatermarkFollows(true));
        let log_end = recorder.state.log_end;
        recorder.move_high_watermark(log_end);
        recorder.finish_infallible()
    }

    /// Moves the log start offset up to `before`; no byte changes until the next retention check
    /// (Kafka: `UnifiedLog.maybeIncrementLogStartOffset`).
    ///
    /// # Errors
    ///
    /// [`LogError::OffsetOutOfRange`] above the high watermark.
    pub fn delete_records(&mut self, before: Offset) -> Trace<Result<(), LogError>> {
        self.record(|recorder| {
            let (log_start, high_watermark) = (recorder.state.log_start, recorder.state.high_watermark);
            if before > high_watermark {
                return Err(LogError::OffsetOutOfRange {
                    requested: before,
                    log_start,
                    log_end: high_watermark,
                });
            }
            recorder.move_log_start(before);
            Ok(())
        })
    }

    /// Stores the group's committed offset, or forgets it. Kafka accepts any: it is checked when it is used.
    pub fn commit(&mut self, offset: Option<Offset>) -> Trace<()> {
        let mut recorder = Recorder::new(&mut self.state, self.seed);
        let from = recorder.state.committed;
        recorder.remember(MemoryChange::Committed { from, to: offset });
        recorder.finish_infallible()
    }

    /// Chooses where the consumer goes on when its offset is not in the log.
    pub fn set_reset_policy(&mut self, policy: ResetPolicy) -> Trace<()> {
        let mut recorder = Recorder::new(&mut self.state, self.seed);
        let from = recorder.state.reset_policy;
        recorder.remember(MemoryChange::ResetPolicy { from, to: policy });
        recorder.finish_infallible()
    }
}

impl Recorder<'_> {
    fn append(&mut self, batch: &NewBatch) -> Result<Appended, LogError> {
        let now = self.state.clock;
        let append_time = self.state.settings.log_append_time().then_some(now);
        let first = self.state.log_end;
        let count = i64::from(batch.records()).max(1);
        let last = first.checked_add(count - 1).ok_or(LogError::NumberTooLarge {
            what: "the last offset",
        })?;
        last.checked_add(1).ok_or(LogError::NumberTooLarge {
            what: "the log end offset",
        })?;
        append::check(&self.state.settings, batch.size(), &[batch.timestamp()], now)?;
        let bytes = batch.encode(first, append_time)?;
        let header = read_header(&bytes).map_err(|reason| LogError::CorruptBatch {
            file: None,
            position: 0,
            reason,
        })?;
        self.roll_if_due(header.size, header.timestamp, last)?;
        let base = self.active()?.base;
        let position = self.append_to_segment(base, &bytes, &header)?;
        self.move_log_end(last.next());
        Ok(Appended {
            segment: base,
            first_offset: first,
            last_offset: last,
            position,
            size: header.size,
            bytes,
        })
    }

    /// The roll check before an append (Kafka: `UnifiedLog.maybeRoll`).
    fn roll_if_due(&mut self, size: u64, timestamp: Option<TimestampMs>, last: Offset) -> Result<(), LogError> {
        let active = self.active()?;
        let settings = &self.state.settings;
        let decision = RollDecision::evaluate(&RollParams {
            base: active.base,
            size: self.state.segment_size(active.base),
            append_size: size,
            append_timestamp: timestamp,
            append_last_offset: last,
            first_timestamp: active.first_timestamp,
            created: active.created,
            now: self.state.clock,
            segment_bytes: settings.segment_bytes as u64,
            segment_ms: settings.segment_ms,
            jitter_ms: active.jitter_ms,
            offset_index: self.fill(&active, FileKind::Index),
            time_index: self.fill(&active, FileKind::TimeIndex),
        });
        let cause = decision.cause();
        let looks_at_index = decision.reached_indexes();
        let looks_at_time_index = looks_at_index && !decision.offset_index_full();
        self.note(Step::RollDecided(decision));
        if looks_at_index {
            self.ensure_index(active.base, FileKind::Index)?;
        }
        if looks_at_time_index {
            self.ensure_index(active.base, FileKind::TimeIndex)?;
        }
        match cause {
            Some(cause) => self.roll(cause),
            None => Ok(()),
        }
    }

    /// Writes a batch and its index entries (Kafka: `LogSegment.append`).
    fn append_to_segment(
        &mut self,
        base: Offset,
        bytes: &[u8],
        header: &crate::batch::BatchHeader,
    ) -> Result<Position, LogError> {
        let relative_offset = relative(header.last_offset, base)?;
        let position = Position::new(self.state.segment_size(base)).ok_or(LogError::NumberTooLarge {
            what: "the position in the .log",
        })?;
        self.note(Step::Appended {
            base,
            first_offset: header.first_offset,
            last_offset: header.last_offset,
            position,
            size: header.size,
            timestamp: header.timestamp,
        });
        // Whether the offset fits 31 bits is asked of the offset index, which opens it: Kafka 4.4.0 does so on every
        // append, so a new segment gets its `.index` here, before its first byte.
        self.ensure_index(base, FileKind::Index)?;
        let now = self.state.clock;
        self.file(|files| files.append(log(base), bytes, now))?;
        if position == Position::ZERO
            && let Some(timestamp) = header.timestamp
        {
            self.remember(MemoryChange::RollTimestamp { base, timestamp });
        }
        // Asking for the largest timestamp so far opens the time index.
        self.ensure_index(base, FileKind::TimeIndex)?;
        let largest = self.segment(base)?.largest;
        if let Some(timestamp) = header.timestamp
            && largest.is_none_or(|(so_far, _)| timestamp > so_far)
        {
            self.remember(MemoryChange::LargestTimestamp {
                base,
                to: (timestamp, header.last_offset),
            });
        }
        let segment = self.segment(base)?;
        let decision = IndexEntryDecision {
            base,
            counter: segment.counter,
            interval: segment.index_interval_bytes as u64,
            batch_size: header.size,
            last_offset: header.last_offset,
            relative: relative_offset,
            position,
        };
        self.note(Step::IndexEntryDecided(decision));
        if decision.due() {
            self.add_offset_entry(
                base,
                OffsetEntry {
                    relative: relative_offset,
                    position,
                },
            )?;
            self.offer_time_entry(base, TimeEntryReason::OffsetEntry)?;
        }
        self.remember(MemoryChange::IndexCounter {
            base,
            from: decision.counter,
            to: decision.counter_after(),
        });
        Ok(position)
    }
}
