//! One thing that is done to a partition, with every time and size resolved; and the doing of it.

mod broker;

use partition_log::batch::NewBatch;
use partition_log::config::Value;
use partition_log::error::LogError;
use partition_log::ordered::OrderedMap;
use partition_log::rules::fetch::Isolation;
use partition_log::rules::reset::ResetPolicy;
use partition_log::step::{Step, Trace};
use partition_log::units::{Offset, TimestampMs};
use partition_log::{Appended, FetchOptions, Partition, ReadOutcome};

pub use broker::BrokerOperation;

/// Stands for the sequence number that follows what the producer has sent; known when it is sent.
pub(crate) const NEXT_SEQUENCE: i32 = -1;

/// A command, or one repetition of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Settings, by Kafka's keys.
    Set(Vec<(String, Value)>),
    /// An append of one batch by a producer.
    Append {
        /// When: the clock moves to here first.
        at: TimestampMs,
        /// What.
        batch: NewBatch,
    },
    /// The clock moves.
    AdvanceTo(TimestampMs),
    /// What is due at this instant is done.
    Settle,
    /// A fetch.
    Fetch {
        /// Where from.
        from: Fetch,
        /// Bytes at most, if not `max.partition.fetch.bytes`.
        limit: Option<u64>,
        /// How far it may read.
        isolation: Isolation,
    },
    /// A search by time.
    FindTime(Search),
    /// A retention check.
    CheckRetention,
    /// A commit of the group.
    Commit(Commit),
    /// The consumer's reset policy.
    Reset(ResetPolicy),
    /// The high watermark: pinned at an offset, or following the log end.
    HighWatermark(Option<Offset>),
    /// The log start offset is raised.
    DeleteRecords(Offset),
    /// What is done to the broker, or by its clients beyond plain appends and reads.
    Broker(BrokerOperation),
}

/// Where a fetch starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fetch {
    /// At an offset.
    Offset(Offset),
    /// At the committed offset.
    Committed,
    /// Where the consumer is.
    Next,
    /// Where the consumer is, again and again, until nothing more comes. Nothing after an exception: the application
    /// has stopped.
    Rest,
}

/// What is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// The first record at or after a time.
    Time(TimestampMs),
    /// The log start offset.
    Earliest,
    /// The high watermark.
    Latest,
    /// The record with the largest timestamp.
    MaxTimestamp,
    /// The first offset on this broker's disk.
    EarliestLocal,
    /// The last offset in remote storage.
    LatestTiered,
    /// The first offset that still has to be copied to remote storage.
    EarliestPendingUpload,
}

/// What is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commit {
    /// An offset, or none.
    Offset(Option<Offset>),
    /// The offset that the consumer reads next. Nothing after an exception: the application has stopped.
    Next,
}

/// What came of an operation.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// Why it was refused.
    pub error: Option<LogError>,
    /// What was read; of several fetches in a row, their sum.
    pub read: Option<ReadOutcome>,
    /// What was appended.
    pub appended: Option<Appended>,
    /// The operation as it was done, where its plan left something open.
    pub done: Option<Operation>,
}

impl Outcome {
    fn take<T>(&mut self, trace: Trace<Result<T, LogError>>) -> Option<T> {
        self.steps.extend(trace.steps);
        match trace.outcome {
            Ok(value) => Some(value),
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
    }
}

/// A partition and the clients in front of it.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub partition: Partition,
    /// Whether the consumer's last fetch ended in an exception.
    pub stopped: bool,
    /// The sequence number that each producer, by id and epoch, sends next.
    sequences: OrderedMap<(i64, i16), i32>,
}

impl Machine {
    pub fn new(partition: Partition) -> Machine {
        Machine {
            partition,
            stopped: false,
            sequences: OrderedMap::default(),
        }
    }

    /// Does an operation.
    pub fn run(&mut self, operation: &Operation) -> Outcome {
        if operation.is_open() {
            return self.run_open(operation.clone());
        }
        self.run_resolved(operation)
    }

    fn run_resolved(&mut self, operation: &Operation) -> Outcome {
        let mut outcome = Outcome::default();
        let partition = &mut self.partition;
        match operation {
            Operation::Set(settings) => {
                for (key, value) in settings {
                    // Refusals were found by the plan, which knows the clock.
                    outcome.steps.extend(partition.set(key, value).steps);
                }
            }
            Operation::Append { at, batch } => {
                outcome.take(partition.advance_to(*at));
                outcome.appended = outcome.take(partition.append(batch));
                if let (Some(producer), Some(_)) = (batch.producer(), &outcome.appended) {
                    self.took(producer.id, producer.epoch, producer.sequence, batch.records());
                }
            }
            Operation::AdvanceTo(to) => {
                outcome.take(partition.advance_to(*to));
            }
            Operation::Settle => {
                outcome.take(partition.settle());
            }
            Operation::Fetch { from, limit, isolation } => {
                let options = FetchOptions {
                    isolation: *isolation,
                    ..FetchOptions::limited(*limit)
                };
                self.fetch(*from, options, &mut outcome);
            }
            Operation::FindTime(search) => {
                outcome.read = match search {
                    Search::Time(target) => outcome.take(partition.find_time(*target)),
                    // Without remote storage all that is left is local
                    // (Kafka: `UnifiedLog.fetchOffsetByTimestamp`, `-2`, `-4` to `-6`).
                    Search::Earliest | Search::EarliestLocal => outcome.take(partition.find_earliest()),
                    Search::Latest => outcome.take(partition.find_latest()),
                    Search::MaxTimestamp => outcome.take(partition.find_max_timestamp()),
                    Search::LatestTiered | Search::EarliestPendingUpload => outcome.take(partition.find_tiered()),
                };
            }
            Operation::CheckRetention => {
                outcome.take(partition.check_retention());
            }
            Operation::Commit(Commit::Offset(offset)) => outcome.steps.extend(partition.commit(*offset).steps),
            Operation::Commit(Commit::Next) => {
                if !self.stopped
                    && let Some(next) = partition.state().consumer()
                {
                    outcome.steps.extend(partition.commit(Some(next)).steps);
                }
            }
            Operation::Reset(policy) => outcome.steps.extend(partition.set_reset_policy(*policy).steps),
            Operation::HighWatermark(Some(offset)) => {
                outcome.take(partition.pin_high_watermark(*offset));
            }
            Operation::HighWatermark(None) => outcome.steps.extend(partition.follow_high_watermark().steps),
            Operation::DeleteRecords(before) => {
                outcome.take(partition.delete_records(*before));
            }
            Operation::Broker(operation) => self.broker(operation, &mut outcome),
        }
        outcome
    }

    fn fetch(&mut self, from: Fetch, options: FetchOptions, outcome: &mut Outcome) {
        let partition = &mut self.partition;
        outcome.read = match from {
            Fetch::Offset(offset) => outcome.take(partition.fetch_with(offset, options)),
            Fetch::Committed => outcome.take(partition.fetch_committed_with(options)),
            Fetch::Next => outcome.take(partition.fetch_next_with(options)),
            Fetch::Rest if self.stopped => return,
            Fetch::Rest => self.fetch_rest(options, outcome),
        };
        self.stopped = outcome.error.is_some();
    }

    fn fetch_rest(&mut self, options: FetchOptions, outcome: &mut Outcome) -> Option<ReadOutcome> {
        let mut sum: Option<ReadOutcome> = None;
        loop {
            let before = self.partition.state().consumer();
            let Some(read) = outcome.take(self.partition.fetch_next_with(options)) else {
                return sum;
            };
            // Nothing came and the consumer stands where it stood: the end, or a batch that may not be read yet.
            let ends = read.records == 0 && self.partition.state().consumer() == before;
            sum = Some(match sum {
                None => read,
                Some(so_far) => ReadOutcome {
                    records: so_far.records.saturating_add(read.records),
                    bytes: so_far.bytes + read.bytes,
                    slice: so_far.slice + read.slice,
                    skipped: so_far.skipped + read.skipped,
                    next: read.next,
                    answer: so_far.answer.or(read.answer),
                    timestamp: so_far.timestamp.or(read.timestamp),
                    segment: so_far.segment.or(read.segment),
                    position: so_far.position.or(read.position),
                    ..read
                },
            });
            if ends {
                return sum;
            }
        }
    }
}
