//! Producers and their transactions, and whether the broker runs.

use std::collections::{BTreeMap, BTreeSet};

use partition_log::TransactionEnd;
use partition_log::batch::NewProducer;
use partition_log::load::Damage;
use partition_log::vfs::FileName;

use super::appends::origin;
use super::{Fault, Kind, Planner};
use crate::language::{
    BrokerCommand, Bytes, Command, FileDamage, FileWord, IndexEntries, Options, Problem, Producer, Quantity,
    Transaction, TransactionAct,
};
use crate::operation::{BrokerOperation, NEXT_SEQUENCE, Operation};

/// The producers that the lines so far declared.
#[derive(Clone, Debug, Default)]
pub(super) struct Producers {
    by_name: BTreeMap<String, Known>,
    ids: BTreeSet<i64>,
    /// All ids from 1 up to here are taken.
    taken: i64,
}

impl Producers {
    /// The smallest id from 1 that is free.
    fn free_id(&mut self) -> i64 {
        while self.ids.contains(&(self.taken + 1)) {
            self.taken += 1;
        }
        self.taken + 1
    }
}

/// A producer, as the lines so far made it.
#[derive(Clone, Debug)]
struct Known {
    id: i64,
    epoch: i16,
    /// Whether its transaction is open.
    open: bool,
}

impl Planner<'_> {
    /// Refuses a command that needs a running broker while it is down, and the other way round.
    pub(super) fn check_running(&mut self, command: &Command) -> Result<(), Fault> {
        let needs = match command {
            Command::Append(_)
            | Command::Batch(_)
            | Command::Fetch { .. }
            | Command::FindTime(_)
            | Command::CheckRetention
            | Command::HighWatermark(_)
            | Command::DeleteRecords(_) => true,
            Command::Broker(command) => match command {
                BrokerCommand::Start | BrokerCommand::Damage { .. } => false,
                BrokerCommand::Producer(_) | BrokerCommand::IndexEntries(_) | BrokerCommand::Touch(_) => return Ok(()),
                _ => true,
            },
            _ => return Ok(()),
        };
        if needs == self.down {
            let (command, running) = (command.name(), !self.down);
            return Err(Fault::new(0, Problem::Running { command, running }));
        }
        match command {
            Command::Broker(BrokerCommand::Stop | BrokerCommand::Crash { .. }) => self.down = true,
            Command::Broker(BrokerCommand::Start) => self.down = false,
            _ => {}
        }
        Ok(())
    }

    /// What a command about the broker or its clients does; `None` where nothing happens to the partition.
    pub(super) fn broker(&mut self, command: &BrokerCommand) -> Result<Option<Kind>, Fault> {
        let operation = match command {
            BrokerCommand::Producer(producer) => {
                self.producer(producer)?;
                return Ok(None);
            }
            BrokerCommand::Transaction(transaction) => match self.transaction(transaction)? {
                Some(operation) => operation,
                None => return Ok(None),
            },
            BrokerCommand::Bytes(Bytes { bytes, from }) => {
                self.count(1, bytes.len() as u64)?;
                BrokerOperation::AppendRecords {
                    at: self.clock,
                    bytes: bytes.clone(),
                    origin: origin(*from),
                }
            }
            BrokerCommand::LeaderEpoch(epoch) => BrokerOperation::LeaderEpoch(self.within_i32(*epoch, "epochs")?),
            BrokerCommand::Truncate(to) => BrokerOperation::Truncate(self.offset(*to)),
            BrokerCommand::TruncateFully(to) => BrokerOperation::TruncateFully(self.offset(*to)),
            BrokerCommand::Roll => BrokerOperation::Roll,
            BrokerCommand::Flush => BrokerOperation::Flush,
            BrokerCommand::ExpireProducers => BrokerOperation::ExpireProducers,
            BrokerCommand::IndexEntries(often) => BrokerOperation::EntriesPerBatch(*often == IndexEntries::PerBatch),
            BrokerCommand::Stop => BrokerOperation::Stop,
            BrokerCommand::Crash { lose } => BrokerOperation::Crash {
                lose: lose.map_or(0, |lose| self.inputs.base(lose) as u64),
            },
            BrokerCommand::Start => BrokerOperation::Start,
            BrokerCommand::Damage { file, damage } => self.damage(file, damage)?,
            BrokerCommand::Touch(file) => BrokerOperation::Touch(file_name(file)),
        };
        Ok(Some(Kind::Do(Operation::Broker(operation))))
    }

    fn within_i32(&self, number: Quantity, what: &'static str) -> Result<i32, Fault> {
        Ok(self.within(number, what, 0, i32::MAX.into())? as i32)
    }

    fn within_i16(&self, number: Quantity, what: &'static str) -> Result<i16, Fault> {
        Ok(self.within(number, what, 0, i16::MAX.into())? as i16)
    }

    fn damage(&mut self, file: &FileWord, damage: &FileDamage) -> Result<BrokerOperation, Fault> {
        let number = |quantity: &Quantity| self.inputs.base(*quantity) as u64;
        let file = file_name(file);
        let damage = match damage {
            FileDamage::Cut(size) => {
                let size = number(size);
                return Ok(BrokerOperation::CutEnd { file, size });
            }
            FileDamage::Flip(at) => Damage::Flip { position: number(at) },
            FileDamage::Write { at, bytes } => Damage::Write {
                position: number(at),
                bytes: bytes.clone(),
            },
            FileDamage::Add(size) => {
                let size = number(size);
                // What is added is stored, and counts like what is written.
                self.count(0, size)?;
                Damage::Add {
                    bytes: vec![0; size as usize],
                }
            }
            FileDamage::Remove => Damage::Remove,
        };
        Ok(BrokerOperation::Damage { file, damage })
    }

    fn producer(&mut self, producer: &Producer) -> Result<(), Fault> {
        let epoch = producer
            .epoch
            .map(|epoch| self.within_i16(epoch, "producer epochs"))
            .transpose()?;
        let id = match producer.id {
            Some(id) => Some(self.within(id, "producer ids", 0, i64::MAX)?),
            None => None,
        };
        if let Some(known) = self.producers.by_name.get_mut(&producer.name) {
            known.epoch = epoch.unwrap_or(known.epoch.saturating_add(1));
            known.id = id.unwrap_or(known.id);
            // Whoever takes the id over begins anew.
            known.open = false;
            self.producers.ids.insert(known.id);
            return Ok(());
        }
        let known = Known {
            id: id.unwrap_or_else(|| self.producers.free_id()),
            epoch: epoch.unwrap_or(0),
            open: false,
        };
        self.producers.ids.insert(known.id);
        self.producers.by_name.insert(producer.name.clone(), known);
        Ok(())
    }

    fn transaction(&mut self, transaction: &Transaction) -> Result<Option<BrokerOperation>, Fault> {
        let epoch = transaction
            .epoch
            .map(|epoch| self.within_i16(epoch, "producer epochs"))
            .transpose()?;
        let coordinator_epoch = match transaction.coordinator_epoch {
            Some(epoch) => self.within_i32(epoch, "epochs")?,
            None => 0,
        };
        let version = match transaction.version {
            Some(version) => self.within(version, "versions of transactions", 0, 2)? as i16,
            None => 1,
        };
        // The parser has found its declaration.
        let Some(known) = self.producers.by_name.get_mut(&transaction.producer) else {
            return Ok(None);
        };
        if transaction.act == TransactionAct::Begin {
            if known.open {
                let producer = transaction.producer.clone();
                return Err(Fault::new(1, Problem::TransactionTwice { producer }));
            }
            known.open = true;
            return Ok(None);
        }
        known.open = false;
        if version == 2 {
            // Each transaction ends under a new epoch, under which the producer goes on.
            known.epoch = known.epoch.saturating_add(1);
        }
        let (producer_id, producer_epoch) = (known.id, epoch.unwrap_or(known.epoch));
        self.count(1, 0)?;
        Ok(Some(BrokerOperation::EndTransaction(TransactionEnd {
            producer_id,
            producer_epoch,
            commit: transaction.act == TransactionAct::Commit,
            coordinator_epoch,
            transaction_version: version,
        })))
    }

    /// What a batch says of its producer.
    pub(super) fn sender(&self, options: &Options) -> Result<Option<NewProducer>, Fault> {
        let known = options.producer.as_ref();
        let known = known.and_then(|name| self.producers.by_name.get(name));
        let Some(known) = known else { return Ok(None) };
        let sequence = match options.sequence {
            Some(sequence) => self.within_i32(sequence, "sequence numbers")?,
            None => NEXT_SEQUENCE,
        };
        Ok(Some(NewProducer {
            id: known.id,
            epoch: known.epoch,
            sequence,
            transactional: known.open,
        }))
    }
}

fn file_name(word: &FileWord) -> FileName {
    // Both know the same names.
    FileName::parse(&word.full()).unwrap_or(FileName::LEADER_EPOCHS)
}
