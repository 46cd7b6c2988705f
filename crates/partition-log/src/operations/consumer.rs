//! A consumer in front of a partition: what its polls deliver, and where it goes on when its offset is gone.

use crate::config::Settings;
use crate::error::LogError;
use crate::operations::delivery::{Polled, thrown};
use crate::operations::find_time::TimeTarget;
use crate::operations::partition::Partition;
use crate::operations::read::FetchOptions;
use crate::operations::recorder::Recorder;
use crate::rules::reset::{ResetAnswer, ResetDecision, ResetPolicy, ResetReason};
use crate::state::{ConsumerChange, ConsumerPosition, ConsumerState, MemoryChange};
use crate::step::{Step, Trace};
use crate::units::{Offset, TimestampMs};

/// A consumer of one partition, with a group of its own (Kafka: `KafkaConsumer` after `assign`).
///
/// A poll stands for as many of Kafka's as one answer of the broker takes: one fetch, or the lookup of a new position. It hands
/// over all records of that answer; `max.poll.records` is not modelled. Nothing is fetched ahead, and nothing is kept from one
/// poll to the next but the position. The broker that answers opens the indexes that it looks into, and finds out where its high
/// watermark is in the files.
///
/// ```
/// use partition_log::format::batch::NewBatch;
/// use partition_log::rules::reset::ResetPolicy;
/// use partition_log::{Consumer, Offset, Partition};
///
/// let mut partition = Partition::create(Default::default(), 0)?;
/// for _ in 0..3 {
///     partition.append(&NewBatch::message(45))?;
/// }
/// let mut consumer = Consumer::new(partition.state().settings());
/// consumer.set_reset_policy(ResetPolicy::Earliest);
/// let reset = consumer.poll(&mut partition)?;
/// assert!(reset.records.is_empty(), "without a committed offset it looks for a position first");
///
/// let polled = consumer.poll(&mut partition)?;
/// let offsets: Vec<i64> = polled.records.iter().map(|record| record.offset.get()).collect();
/// assert_eq!(offsets, [0, 1, 2]);
/// assert_eq!((consumer.position(), consumer.lag()), (Offset::new(3), Some(0)));
/// # Ok::<(), partition_log::LogError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Consumer {
    state: ConsumerState,
    options: FetchOptions,
    /// Of the last operation.
    steps: Vec<Step>,
}

impl Consumer {
    /// A consumer that has done nothing yet, with `auto.offset.reset` of the settings. It reads up to the high watermark;
    /// [`Consumer::set_options`] chooses otherwise.
    pub fn new(settings: &Settings) -> Consumer {
        Consumer::from_state(ConsumerState::new(settings))
    }

    /// Goes on from a state, for example one that a replay has reached.
    pub fn from_state(state: ConsumerState) -> Consumer {
        Consumer {
            state,
            options: FetchOptions::limited(None),
            steps: Vec::new(),
        }
    }

    /// Everything that it keeps.
    pub fn state(&self) -> &ConsumerState {
        &self.state
    }

    /// The offset that it reads next; `None` before it has found one.
    pub fn position(&self) -> Option<Offset> {
        self.state.position().offset()
    }

    /// The group's committed offset.
    pub fn committed(&self) -> Option<Offset> {
        self.state.committed()
    }

    /// How it asks: limit and isolation of its fetches, and of its lookups the isolation.
    pub fn options(&self) -> FetchOptions {
        self.options
    }

    /// Chooses how it asks (Kafka: `isolation.level`, `max.partition.fetch.bytes`).
    ///
    /// ```
    /// use partition_log::rules::fetch::Isolation;
    /// use partition_log::{Consumer, FetchOptions, Partition};
    ///
    /// let partition = Partition::create(Default::default(), 0)?;
    /// let mut consumer = Consumer::new(partition.state().settings());
    /// consumer.set_options(FetchOptions {
    ///     isolation: Isolation::TxnCommitted,
    ///     ..FetchOptions::limited(Some(1_000))
    /// });
    /// # Ok::<(), partition_log::LogError>(())
    /// ```
    pub fn set_options(&mut self, options: FetchOptions) {
        self.options = options;
    }

    /// Records between its position and the end, as its last fetch was told it: [`ConsumerState::lag`].
    pub fn lag(&self) -> Option<i64> {
        self.state.lag(self.options.isolation)
    }

    /// What the last operation did, in order; a poll's steps hold those of the broker that answered. One that was refused ends
    /// with [`Step::Refused`].
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The steps of the last operation, without a copy; none are left.
    pub fn take_steps(&mut self) -> Vec<Step> {
        core::mem::take(&mut self.steps)
    }

    /// Carries out an operation, and pairs what comes of it with its steps.
    pub fn trace<T>(&mut self, operation: impl FnOnce(&mut Consumer) -> T) -> Trace<T> {
        let outcome = operation(self);
        Trace {
            steps: self.take_steps(),
            outcome,
        }
    }

    /// Repeats what a recorded step changes in it: its own changes, the marks that a fetch was told, and
    /// `auto.offset.reset` where that setting was changed.
    pub fn apply(&mut self, step: &Step) {
        match step {
            Step::Consumer(change) => self.state.change(change),
            Step::FetchRangeDecided(range) => self.state.answered(range),
            Step::Memory(MemoryChange::SettingChanged {
                key: "auto.offset.reset",
                to,
                ..
            }) => self.state.setting_changed(*to),
            _ => {}
        }
    }

    /// Polls once: fetches at its position, and moves behind what it has got. Before its first poll it begins at the
    /// committed offset. Where its offset is not in the log, or there is none, the reset policy decides where it goes on, and
    /// the next poll reads there.
    ///
    /// Records before a bad batch are handed over, and the consumer stands before the batch; the next poll then fails, and so
    /// does each one after it, until the consumer is moved.
    ///
    /// # Errors
    ///
    /// [`LogError::Undeliverable`] or [`LogError::CorruptBatch`], where the first batch at its position is bad; under the
    /// policy `none` [`LogError::OffsetOutOfRange`], or [`LogError::NoOffsetForPartition`] without a committed offset;
    /// [`LogError::NotRunning`].
    pub fn poll(&mut self, broker: &mut Partition) -> Result<Polled, LogError> {
        self.ask(broker, |poll| match poll.consumer.position() {
            ConsumerPosition::Fetching(offset) => poll.fetch_or_reset(offset),
            ConsumerPosition::AwaitReset(reason) => poll.reset(reason),
            ConsumerPosition::Initializing => poll.resume(),
        })
    }

    /// Comes back after a restart, and polls once: begins anew at the committed offset.
    ///
    /// # Errors
    ///
    /// As [`Consumer::poll`].
    ///
    /// ```
    /// use partition_log::format::batch::NewBatch;
    /// use partition_log::{Consumer, Offset, Partition};
    ///
    /// let mut partition = Partition::create(Default::default(), 0)?;
    /// for _ in 0..3 {
    ///     partition.append(&NewBatch::message(45))?;
    /// }
    /// let mut consumer = Consumer::new(partition.state().settings());
    /// consumer.commit(Offset::new(2));
    /// let polled = consumer.restart(&mut partition)?;
    /// assert_eq!(polled.records.len(), 1, "offset 2");
    /// # Ok::<(), partition_log::LogError>(())
    /// ```
    pub fn restart(&mut self, broker: &mut Partition) -> Result<Polled, LogError> {
        self.ask(broker, |poll| poll.resume())
    }

    /// Moves to an offset and fetches there; an offset outside the log is refused, whatever the reset policy, and the consumer
    /// stands at it.
    ///
    /// # Errors
    ///
    /// [`LogError::OffsetOutOfRange`], and as [`Consumer::poll`].
    ///
    /// ```
    /// use partition_log::{Consumer, LogError, Offset, Partition};
    ///
    /// let mut partition = Partition::create(Default::default(), 0)?;
    /// let mut consumer = Consumer::new(partition.state().settings());
    /// let nine = Offset::new(9).expect("not negative");
    /// let refused = consumer.fetch(&mut partition, nine);
    /// assert!(matches!(refused, Err(LogError::OffsetOutOfRange { .. })));
    /// # Ok::<(), LogError>(())
    /// ```
    pub fn fetch(&mut self, broker: &mut Partition, offset: Offset) -> Result<Polled, LogError> {
        self.ask(broker, |poll| {
            poll.move_to(ConsumerPosition::Fetching(offset));
            poll.fetch(offset)
        })
    }

    /// Moves to an offset; whether it is in the log, the next poll finds out (Kafka: `Consumer.seek`).
    ///
    /// ```
    /// use partition_log::{Consumer, Offset, Partition};
    ///
    /// let partition = Partition::create(Default::default(), 0)?;
    /// let mut consumer = Consumer::new(partition.state().settings());
    /// consumer.seek(Offset::ZERO);
    /// consumer.commit(consumer.position());
    /// assert_eq!(consumer.committed(), Some(Offset::ZERO));
    /// # Ok::<(), partition_log::LogError>(())
    /// ```
    pub fn seek(&mut self, offset: Offset) {
        self.steps.clear();
        let (from, to) = (self.state.position(), ConsumerPosition::Fetching(offset));
        if from != to {
            self.change(ConsumerChange::Position { from, to });
        }
    }

    /// Stores the group's committed offset, or forgets it. Kafka accepts any: it is checked when it is used.
    pub fn commit(&mut self, offset: Option<Offset>) {
        self.steps.clear();
        let from = self.state.committed();
        self.change(ConsumerChange::Committed { from, to: offset });
    }

    /// Chooses where it goes on when it has no offset that is in the log (Kafka: `auto.offset.reset`).
    pub fn set_reset_policy(&mut self, policy: ResetPolicy) {
        self.steps.clear();
        let from = self.state.reset_policy();
        self.change(ConsumerChange::ResetPolicy { from, to: policy });
    }

    fn change(&mut self, change: ConsumerChange) {
        self.state.change(&change);
        self.steps.push(Step::Consumer(change));
    }

    fn ask(
        &mut self,
        broker: &mut Partition,
        ask: impl FnOnce(&mut Poll<'_>) -> Result<Polled, LogError>,
    ) -> Result<Polled, LogError> {
        let running = broker.state().running();
        let mut poll = Poll {
            consumer: &mut self.state,
            broker: broker.recorder(),
            options: self.options,
        };
        let outcome = match running {
            true => ask(&mut poll),
            false => Err(LogError::NotRunning { running: false }),
        };
        self.steps = poll.broker.finish(&outcome);
        outcome
    }
}

/// A poll under way.
struct Poll<'a> {
    consumer: &'a mut ConsumerState,
    broker: Recorder<'a>,
    options: FetchOptions,
}

impl Poll<'_> {
    fn move_to(&mut self, to: ConsumerPosition) {
        let from = self.consumer.position();
        if from != to {
            let change = ConsumerChange::Position { from, to };
            self.consumer.change(&change);
            self.broker.note(Step::Consumer(change));
        }
    }

    fn resume(&mut self) -> Result<Polled, LogError> {
        match self.consumer.committed() {
            Some(offset) => {
                self.move_to(ConsumerPosition::Fetching(offset));
                self.fetch_or_reset(offset)
            }
            None => self.reset(ResetReason::NoCommittedOffset),
        }
    }

    fn fetch(&mut self, offset: Offset) -> Result<Polled, LogError> {
        let (options, consumer) = (self.options, &mut *self.consumer);
        let bound = self.broker.find_bound(offset, options.isolation);
        let sent = bound.and_then(|()| {
            self.broker.read(|reader| {
                let range = reader.range(offset, options.isolation);
                consumer.answered(&range);
                reader.fetch(&range, options)
            })
        });
        let polled = match sent {
            Ok(Some(sent)) => self.broker.read(|reader| reader.hand_over(offset, sent))?,
            Ok(None) => Polled::nothing(offset),
            Err(error) => {
                let unseen = thrown(error)?;
                self.broker.note(Step::Refused(unseen));
                Polled::nothing(offset)
            }
        };
        if let Some(next) = polled.read.next {
            self.move_to(ConsumerPosition::Fetching(next));
        }
        Ok(polled)
    }

    fn fetch_or_reset(&mut self, requested: Offset) -> Result<Polled, LogError> {
        match self.fetch(requested) {
            Err(LogError::OffsetOutOfRange { .. }) => self.reset(ResetReason::OutOfRange { requested }),
            outcome => outcome,
        }
    }

    /// Looks for a new position, with the consumer's own isolation (Kafka: `OffsetFetcher.resetPositionsIfNeeded`,
    /// `OffsetFetcherUtils.onSuccessfulResponseForResettingPositions`).
    fn reset(&mut self, reason: ResetReason) -> Result<Polled, LogError> {
        let policy = self.consumer.reset_policy();
        let isolation = self.options.isolation;
        let now = self.broker.state().clock();
        let by_time = match policy {
            ResetPolicy::ByDuration { ms } => {
                let target = now.get().saturating_sub(ms);
                // Before time began there is no record: the search takes the first.
                let target = TimestampMs::new(target).unwrap_or(TimestampMs::ZERO);
                match self
                    .broker
                    .read(|reader| reader.list_offset(TimeTarget::Time(target), isolation))
                {
                    Ok(found) => Some((target, found.answer)),
                    // Whatever the broker answers, the client only asks again.
                    Err(error) if error.kafka_name().is_some() => {
                        self.broker.note(Step::Refused(error));
                        self.move_to(ConsumerPosition::AwaitReset(reason));
                        return Ok(Polled::default());
                    }
                    Err(error) => return Err(error),
                }
            }
            _ => None,
        };
        let range = self.broker.read(|reader| Ok(reader.range(Offset::ZERO, isolation)))?;
        let decision = ResetDecision {
            reason,
            policy,
            isolation,
            log_start: range.log_start,
            end: range.bound(),
            by_time,
        };
        self.broker.note(Step::ResetDecided(decision));
        match (decision.answer(), reason) {
            (ResetAnswer::GoesOn(target), _) => {
                self.move_to(ConsumerPosition::Fetching(target));
                Ok(Polled::nothing(target))
            }
            (ResetAnswer::Waits, _) => {
                self.move_to(ConsumerPosition::AwaitReset(reason));
                Ok(Polled::default())
            }
            (ResetAnswer::Exception, ResetReason::OutOfRange { requested }) => Err(LogError::OffsetOutOfRange {
                requested,
                log_start: range.log_start,
                log_end: range.log_end,
            }),
            (ResetAnswer::Exception, ResetReason::NoCommittedOffset) => Err(LogError::NoOffsetForPartition),
        }
    }
}
