//! A partition and the clients in front of it: what commands are done to.

use partition_log::error::LogError;
use partition_log::format::batch::{self, NewBatch};
use partition_log::ordered::OrderedMap;
use partition_log::rules::validate::AppendOrigin;
use partition_log::step::{Step, Trace};
use partition_log::units::{Offset, TimestampMs};
use partition_log::{AppendOptions, Appended, Consumer, Partition, Polled, ReadOutcome, TransactionEnd};

use crate::distinct::Distinct;
use crate::language::commands::Format;
use crate::language::{Command, Fault, Problem, limits};

/// What came of a command.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// Why it was refused.
    pub error: Option<LogError>,
    /// What was read; of several fetches in a row, their sum.
    pub read: Option<ReadOutcome>,
    /// What was sent to be appended.
    pub sent: Option<Sent>,
    /// What was appended.
    pub appended: Option<Appended>,
}

/// What a client or a leader sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    /// A batch of a producer.
    Batch(NewBatch),
    /// Bytes.
    Records {
        /// The batches as they arrive.
        bytes: Vec<u8>,
        /// Who sends them.
        origin: AppendOrigin,
    },
    /// The coordinator's marker at the end of a transaction.
    Marker(TransactionEnd),
}

impl Outcome {
    /// What happened, where the answer is of no interest.
    pub(crate) fn of<T>(trace: Trace<Result<T, LogError>>) -> Outcome {
        let mut outcome = Outcome::default();
        outcome.take(trace);
        outcome
    }

    /// Nothing happened.
    pub(crate) fn refused(error: LogError) -> Outcome {
        Outcome {
            error: Some(error),
            ..Outcome::default()
        }
    }

    /// What happened, where nothing can be refused.
    pub(crate) fn done(trace: Trace<()>) -> Outcome {
        Outcome {
            steps: trace.steps,
            ..Outcome::default()
        }
    }

    /// Adds what happened; the answer, unless it was refused.
    pub(crate) fn take<T>(&mut self, trace: Trace<Result<T, LogError>>) -> Option<T> {
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
pub struct Machine {
    /// The partition.
    pub partition: Partition,
    /// The consumer that reads it.
    pub consumer: Consumer,
    /// Whether the consumer's last fetch ended in an exception.
    pub(crate) stopped: bool,
    /// Whether the broker was stopped or killed, and not started since. A start can fail.
    pub(crate) down: bool,
    /// How `append` writes.
    pub(crate) format: Format,
    pub(crate) producers: Producers,
    /// Appends so far, and their bytes.
    appends: u64,
    log_bytes: u64,
}

impl Machine {
    /// Clients in front of a partition that have done nothing yet.
    pub fn new(partition: Partition) -> Machine {
        Machine {
            consumer: Consumer::new(partition.state().settings()),
            partition,
            stopped: false,
            down: false,
            format: Format::default(),
            producers: Producers::default(),
            appends: 0,
            log_bytes: 0,
        }
    }

    /// Does a command to the partition as it is now.
    ///
    /// # Errors
    ///
    /// The command makes no sense now.
    pub fn perform(&mut self, command: &Command) -> Result<Outcome, Problem> {
        self.down = !self.partition.state().running();
        command.run(self).map_err(Fault::problem)
    }

    pub(crate) fn clock(&self) -> TimestampMs {
        self.partition.state().clock()
    }

    /// Does a command, once; without one, what is due at this instant.
    pub(crate) fn run(&mut self, command: Option<&Command>) -> Result<Outcome, Fault> {
        match command {
            Some(command) => command.run(self),
            None => Ok(Outcome::of(self.partition.trace(|partition| partition.settle()))),
        }
    }

    /// Lets the consumer poll in one way or another.
    pub(crate) fn poll(
        &mut self,
        outcome: &mut Outcome,
        poll: impl FnOnce(&mut Consumer, &mut Partition) -> Result<Polled, LogError>,
    ) -> Option<ReadOutcome> {
        let trace = self.consumer.trace(|consumer| poll(consumer, &mut self.partition));
        outcome.take(trace).map(|polled| polled.read)
    }

    /// Counts appends and their bytes against the limits.
    pub(crate) fn count(&mut self, appends: u64, bytes: u64) -> Result<(), Fault> {
        self.appends = self.appends.saturating_add(appends);
        if self.appends > limits::APPENDS {
            return Err(Fault::in_word(0, Problem::TooManyAppends { max: limits::APPENDS }));
        }
        self.log_bytes = self.log_bytes.saturating_add(bytes);
        if self.log_bytes > limits::LOG_BYTES {
            return Err(Fault::in_word(0, Problem::TooMuchLog { max: limits::LOG_BYTES }));
        }
        Ok(())
    }

    /// Appends a batch as a producer sends it.
    pub(crate) fn append(&mut self, batch: NewBatch, outcome: &mut Outcome) {
        outcome.appended = outcome.take(self.partition.trace(|partition| partition.append(&batch)));
        if let (Some(producer), Some(_)) = (batch.producer(), &outcome.appended) {
            let key = (producer.id, producer.epoch);
            self.producers.took(key, producer.sequence, batch.records());
        }
        outcome.sent = Some(Sent::Batch(batch));
    }

    /// Appends bytes as they are sent.
    pub(crate) fn append_records(&mut self, bytes: Vec<u8>, origin: AppendOrigin, outcome: &mut Outcome) {
        let options = AppendOptions {
            origin,
            transaction_version: None,
        };
        outcome.appended = outcome.take(
            self.partition
                .trace(|partition| partition.append_records(&bytes, options)),
        );
        if outcome.appended.is_some() {
            for found in batch::raw_batches(&bytes, 0).map_while(Result::ok) {
                let header = found.header;
                let records = header.last_offset_delta.saturating_add(1).max(0);
                if header.has_producer_id() && !header.is_control() {
                    let key = (header.producer_id, header.producer_epoch);
                    self.producers.took(key, header.base_sequence, records as u32);
                }
            }
        }
        outcome.sent = Some(Sent::Records { bytes, origin });
    }

    /// Batches as they are sent: a replica's as its leader has them, others without offsets.
    pub(crate) fn encode(
        &self,
        batches: &[NewBatch],
        origin: AppendOrigin,
        offset: Option<Offset>,
    ) -> Result<Vec<u8>, LogError> {
        let state = self.partition.state();
        if origin == AppendOrigin::Replication {
            return state.replicated(batches, offset);
        }
        let mut next = state.log_end();
        let mut bytes = Vec::new();
        for batch in batches {
            bytes.append(&mut state.sent_from(batch, next)?);
            let behind = next.checked_add(i64::from(batch.records()));
            next = behind.ok_or(LogError::NumberTooLarge {
                what: "the log end offset",
            })?;
        }
        Ok(bytes)
    }
}

/// The producers that were declared so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Producers {
    /// In the order of their names.
    by_name: Vec<(String, KnownProducer)>,
    ids: Distinct<i64>,
    /// All ids from 1 up to here are taken.
    taken: i64,
    /// The sequence number that each producer, by id and epoch, sends next.
    sequences: OrderedMap<(i64, i16), i32>,
}

/// A producer, as the lines so far made it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownProducer {
    pub id: i64,
    pub epoch: i16,
    /// Whether its transaction is open.
    pub open: bool,
}

impl Producers {
    /// A producer by its name, which the parser has found above.
    pub fn get(&mut self, name: &str) -> Option<&mut KnownProducer> {
        self.place(name).ok().map(|place| &mut self.by_name[place].1)
    }

    /// Where a producer is by its name, or would be.
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.by_name.binary_search_by(|(known, _)| known.as_str().cmp(name))
    }

    /// A new producer, or one that takes over under another epoch.
    pub fn declare(&mut self, name: &str, id: Option<i64>, epoch: Option<i16>) {
        let place = self.place(name);
        let known = place.ok().map(|place| self.by_name[place].1);
        let new = KnownProducer {
            id: id.or(known.map(|known| known.id)).unwrap_or_else(|| self.free_id()),
            epoch: epoch.unwrap_or_else(|| known.map_or(0, |known| known.epoch.saturating_add(1))),
            // Whoever takes the id over begins anew.
            open: false,
        };
        self.ids.insert(new.id);
        match place {
            Ok(known) => self.by_name[known].1 = new,
            Err(free) => self.by_name.insert(free, (name.to_string(), new)),
        }
    }

    /// The smallest id from 1 that is free.
    fn free_id(&mut self) -> i64 {
        while self.ids.contains(&(self.taken + 1)) {
            self.taken += 1;
        }
        self.taken + 1
    }

    /// The sequence number that a producer sends next.
    pub fn next_sequence(&self, key: (i64, i16)) -> i32 {
        self.sequences.get(key).copied().unwrap_or(0)
    }

    /// Notes what a producer's next sequence number is, once a batch of its was taken.
    fn took(&mut self, key: (i64, i16), sequence: i32, records: u32) {
        let next = batch::increment_sequence(sequence, records as i32);
        // A batch sent again is no progress.
        if self.sequences.get(key).is_none_or(|known| next > *known || next == 0) {
            self.sequences.insert(key, next);
        }
    }
}
