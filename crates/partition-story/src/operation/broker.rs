//! What is done to the broker, or by its clients beyond plain appends and reads.

use partition_log::batch::{self, NewBatch};
use partition_log::error::LogError;
use partition_log::load::{Damage, StartOptions};
use partition_log::ordered::OrderedMap;
use partition_log::units::{Offset, TimestampMs};
use partition_log::validate::AppendOrigin;
use partition_log::vfs::{FileName, Vfs};
use partition_log::{AppendOptions, TransactionEnd};

use super::{Machine, NEXT_SEQUENCE, Operation, Outcome};

/// An operation that needs more than a producer, a consumer and the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BrokerOperation {
    /// Batches in one append, not yet bytes. What is done is an `AppendRecords`.
    Send {
        /// When: the clock moves to here first.
        at: TimestampMs,
        /// What.
        batches: Vec<NewBatch>,
        /// Who sends them.
        origin: AppendOrigin,
        /// The first offset of a replica's batches; the log end if not given.
        offset: Option<Offset>,
    },
    /// An append of bytes as they are sent.
    AppendRecords {
        /// When: the clock moves to here first.
        at: TimestampMs,
        /// What.
        bytes: Vec<u8>,
        /// Who sends them.
        origin: AppendOrigin,
    },
    /// The coordinator's marker at the end of a transaction.
    EndTransaction(TransactionEnd),
    /// A new leader epoch begins.
    LeaderEpoch(i32),
    /// The log is cut back to end at an offset.
    Truncate(Offset),
    /// The log begins anew at an offset.
    TruncateFully(Offset),
    /// The active segment is closed.
    Roll,
    /// Everything is written to disk.
    Flush,
    /// Silent producers are forgotten.
    ExpireProducers,
    /// Whether an index entry is decided on for every batch, or once an append.
    EntriesPerBatch(bool),
    /// The broker shuts down in order.
    Stop,
    /// The broker is killed.
    Crash {
        /// Bytes at the end of the active `.log` that never reached the disk.
        lose: u64,
    },
    /// The broker starts.
    Start,
    /// A file changes while the broker is down.
    Damage {
        /// The file.
        file: FileName,
        /// How.
        damage: Damage,
    },
    /// Bytes at a file's end are gone. What is done is a `Damage`.
    CutEnd {
        /// The file.
        file: FileName,
        /// How many bytes.
        size: u64,
    },
    /// A file's time becomes the clock.
    Touch(FileName),
}

impl Operation {
    /// Whether something in it is known only when it is done.
    pub(super) fn is_open(&self) -> bool {
        match self {
            Operation::Append { batch, .. } => batch.producer().is_some(),
            Operation::Broker(BrokerOperation::Send { .. } | BrokerOperation::CutEnd { .. }) => true,
            _ => false,
        }
    }
}

impl Machine {
    /// Does an operation of which something was open.
    pub(super) fn run_open(&mut self, operation: Operation) -> Outcome {
        match self.resolve(operation) {
            Ok(resolved) => Outcome {
                done: Some(resolved.clone()),
                ..self.run_resolved(&resolved)
            },
            Err(error) => Outcome {
                error: Some(error),
                ..Outcome::default()
            },
        }
    }

    /// An operation as it is done: with its sequence numbers, and bytes with their offsets.
    fn resolve(&self, operation: Operation) -> Result<Operation, LogError> {
        Ok(match operation {
            Operation::Append { at, mut batch } => {
                self.number(core::slice::from_mut(&mut batch));
                Operation::Append { at, batch }
            }
            Operation::Broker(BrokerOperation::Send {
                at,
                mut batches,
                origin,
                offset,
            }) => {
                self.number(&mut batches);
                let bytes = self.encode(&batches, origin, offset)?;
                Operation::Broker(BrokerOperation::AppendRecords { at, bytes, origin })
            }
            Operation::Broker(BrokerOperation::CutEnd { file, size }) => {
                let length = self.partition.state().files().apparent_size(file);
                let length = length.unwrap_or(0).saturating_sub(size);
                let damage = Damage::Cut { length };
                Operation::Broker(BrokerOperation::Damage { file, damage })
            }
            other => other,
        })
    }

    /// Gives each batch its sequence number, where it has none yet.
    fn number(&self, batches: &mut [NewBatch]) {
        let mut ahead: OrderedMap<(i64, i16), i32> = OrderedMap::default();
        for batch in batches {
            let records = batch.records() as i32;
            let NewBatch::Batch {
                producer: Some(producer),
                ..
            } = batch
            else {
                continue;
            };
            let key = (producer.id, producer.epoch);
            if producer.sequence == NEXT_SEQUENCE {
                let next = ahead.get(key).or(self.sequences.get(key)).copied();
                producer.sequence = next.unwrap_or(0);
            }
            ahead.insert(key, batch::increment_sequence(producer.sequence, records));
        }
    }

    /// Batches as they are sent: a replica's as its leader has them, others without offsets.
    fn encode(&self, batches: &[NewBatch], origin: AppendOrigin, offset: Option<Offset>) -> Result<Vec<u8>, LogError> {
        let state = self.partition.state();
        if origin == AppendOrigin::Replication {
            return state.replicated(batches, offset);
        }
        let mut next = state.log_end();
        let mut out = Vec::new();
        for batch in batches {
            out.append(&mut state.sent_from(batch, next)?);
            let behind = next.checked_add(i64::from(batch.records()));
            next = behind.ok_or(LogError::NumberTooLarge {
                what: "the log end offset",
            })?;
        }
        Ok(out)
    }

    /// The same for all batches of an append.
    fn took_all(&mut self, bytes: &[u8]) {
        for found in batch::raw_batches(bytes, 0).map_while(Result::ok) {
            let header = found.header;
            let records = header.last_offset_delta.saturating_add(1).max(0);
            if header.has_producer_id() && !header.is_control() {
                self.took(
                    header.producer_id,
                    header.producer_epoch,
                    header.base_sequence,
                    records as u32,
                );
            }
        }
    }

    /// Notes what a producer's next sequence number is, once a batch of its was taken.
    pub(super) fn took(&mut self, id: i64, epoch: i16, sequence: i32, records: u32) {
        let key = (id, epoch);
        let next = batch::increment_sequence(sequence, records as i32);
        // A batch sent again is no progress.
        if self.sequences.get(key).is_none_or(|known| next > *known || next == 0) {
            self.sequences.insert(key, next);
        }
    }

    /// Does an operation on the broker.
    pub(super) fn broker(&mut self, operation: &BrokerOperation, outcome: &mut Outcome) {
        let partition = &mut self.partition;
        match operation {
            // They are resolved before they are done.
            BrokerOperation::Send { .. } | BrokerOperation::CutEnd { .. } => {}
            BrokerOperation::AppendRecords { at, bytes, origin } => {
                outcome.take(partition.advance_to(*at));
                let options = AppendOptions {
                    origin: *origin,
                    transaction_version: None,
                };
                outcome.appended = outcome.take(partition.append_records(bytes, options));
                if outcome.appended.is_some() {
                    self.took_all(bytes);
                }
            }
            BrokerOperation::EndTransaction(end) => outcome.appended = outcome.take(partition.end_transaction(end)),
            BrokerOperation::LeaderEpoch(epoch) => {
                outcome.take(partition.set_leader_epoch(*epoch));
            }
            BrokerOperation::Truncate(to) => {
                outcome.take(partition.truncate_to(*to));
            }
            BrokerOperation::TruncateFully(to) => {
                outcome.take(partition.truncate_fully(*to));
            }
            BrokerOperation::Roll => {
                outcome.take(partition.roll());
            }
            BrokerOperation::Flush => {
                outcome.take(partition.flush());
            }
            BrokerOperation::ExpireProducers => {
                outcome.take(partition.expire_producers());
            }
            BrokerOperation::EntriesPerBatch(on) => outcome.steps.extend(partition.set_entries_per_batch(*on).steps),
            BrokerOperation::Stop => {
                outcome.take(partition.stop());
            }
            BrokerOperation::Crash { lose } => {
                outcome.take(partition.crash(*lose));
            }
            BrokerOperation::Start => {
                outcome.take(partition.start(StartOptions::default()));
            }
            BrokerOperation::Damage { file, damage } => {
                outcome.take(partition.damage(*file, damage));
            }
            BrokerOperation::Touch(file) => {
                let modified = partition.state().clock();
                outcome.take(partition.damage(*file, &Damage::Touch { modified }));
            }
        }
    }
}
