//! What a partition knows of its producers: their epochs, their last sequences, their open transactions
//! (Kafka: `ProducerStateManager`).
//!
//! [`ProducerState`] is plain data. It changes by [`ProducerState::apply`] and in no other way; what is to change follows
//! from a plan, and the rules of a plan are values with their operands, [`ProducerDecision`](crate::rules::producers::ProducerDecision). Nothing here reads a file or
//! a clock.
//!
//! An append goes like this (Kafka: `UnifiedLog.append`):
//!
//! 1. [`ProducerState::plan_append`] checks the batches, and finds a duplicate, a refusal, or what is to change;
//! 2. the batches are written, and the changes of the plan applied;
//! 3. for each completed transaction [`ProducerState::next_stable`] says where the next open one begins, an aborted one
//!    gets its entry in the transaction index, and [`ProducerState::complete`] says what is to change;
//! 4. the end of the state moves behind the last record ([`ProducerChange::MapEnd`]), and
//!    [`ProducerState::first_unstable`] is asked again ([`ProducerChange::FirstUnstable`]).

mod append;
mod expiry;
mod snapshots;
#[cfg(test)]
mod tests;
mod verification;

use core::fmt;
use std::collections::VecDeque;

pub use append::{PlannedAppend, ProducerAppend, RefusedAppend};
pub use snapshots::Reload;

use crate::format::producers::ProducerEntry;
use crate::ordered::OrderedMap;
use crate::rules::producers::ProducerError;
use crate::rules::producers::VerificationEntry;
use crate::rules::producers::{
    CompletedTransaction, FirstUnstable, LastStable, NextStable, OpenTransaction, UnreplicatedTransaction, Unstable,
};
use crate::units::Offset;
use crate::units::ProducerId;

/// What a partition knows of its producers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProducerState {
    pub(super) entries: OrderedMap<ProducerId, ProducerEntry>,
    /// By first offset.
    ongoing: OrderedMap<i64, OpenTransaction>,
    /// By first offset.
    unreplicated: OrderedMap<i64, UnreplicatedTransaction>,
    pub(super) verifications: OrderedMap<ProducerId, VerificationEntry>,
    /// How many guards were handed out: no two are alike.
    pub(super) guards: u64,
    first_unstable: Option<Unstable>,
    /// In order, in one piece: the oldest go first.
    pub(super) snapshots: VecDeque<Offset>,
    pub(super) map_end: Offset,
    pub(super) last_snapshot: Offset,
}

/// A change of the state: replaying these gives the later state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum ProducerChange {
    /// A producer has written (Kafka: `ProducerStateManager.update`).
    Updated {
        /// Which.
        producer_id: ProducerId,
        /// What the append found: the batches are those of this append.
        entry: ProducerEntry,
        /// Transactions that began.
        started: Vec<OpenTransaction>,
    },
    /// A producer was read from a snapshot (Kafka: `ProducerStateManager.loadProducerEntry`).
    Loaded {
        /// Which.
        producer_id: ProducerId,
        /// Its entry.
        entry: ProducerEntry,
    },
    /// A producer has not written for `producer.id.expiration.ms` (Kafka: `removeExpiredProducers`).
    Expired {
        /// Which.
        producer_id: ProducerId,
    },
    /// Producers and transactions are forgotten, to be read again.
    Cleared,
    /// A transaction has its marker (Kafka: `ProducerStateManager.completeTxn`).
    Completed(CompletedTransaction),
    /// Completed transactions whose marker is below this offset no longer hold readers back
    /// (Kafka: `removeUnreplicatedTransactions`).
    Replicated {
        /// The high watermark, or the log start offset.
        below: Offset,
    },
    /// The first unstable offset was settled anew: [`FirstUnstable::unstable`].
    FirstUnstable(Option<Unstable>),
    /// The state covers all records below this offset (Kafka: `updateMapEndOffset`).
    MapEnd(Offset),
    /// The newest snapshot, as far as taking the next one goes.
    LastSnapshot(Offset),
    /// The snapshots are these, in order.
    SnapshotsListed(Vec<Offset>),
    /// A snapshot was written.
    SnapshotTaken(Offset),
    /// A snapshot is gone, or on its way out.
    SnapshotRemoved(Offset),
    /// A transaction is to be verified with its coordinator, or is being verified.
    VerificationKept {
        /// Whose.
        producer_id: ProducerId,
        /// What was learnt.
        entry: VerificationEntry,
    },
    /// The transaction's first batch is in the log, or nothing came of it.
    VerificationCleared {
        /// Whose.
        producer_id: ProducerId,
    },
}

impl ProducerState {
    /// Applies a change.
    pub fn apply(&mut self, change: &ProducerChange) {
        match change {
            ProducerChange::FirstUnstable(unstable) => self.first_unstable = *unstable,
            ProducerChange::MapEnd(offset) => self.map_end = *offset,
            ProducerChange::LastSnapshot(offset) => self.last_snapshot = *offset,
            ProducerChange::SnapshotsListed(offsets) => self.snapshots = offsets.clone().into(),
            ProducerChange::SnapshotTaken(offset) => {
                if let Err(place) = self.snapshots.binary_search(offset) {
                    self.snapshots.insert(place, *offset);
                    self.snapshots.make_contiguous();
                }
                self.last_snapshot = *offset;
            }
            ProducerChange::SnapshotRemoved(offset) => {
                if let Ok(place) = self.snapshots.binary_search(offset) {
                    self.snapshots.remove(place);
                    self.snapshots.make_contiguous();
                }
            }
            ProducerChange::Updated {
                producer_id,
                entry,
                started,
            } => {
                match self.entries.get_mut(*producer_id) {
                    Some(known) => known.update(entry),
                    None => self.entries.insert(*producer_id, entry.clone()),
                }
                for open in started {
                    self.ongoing.insert(open.first_offset, *open);
                }
            }
            ProducerChange::Loaded { producer_id, entry } => {
                self.entries.insert(*producer_id, entry.clone());
                if let Some(first_offset) = entry.transaction {
                    let open = OpenTransaction {
                        producer_id: *producer_id,
                        first_offset,
                        place: None,
                    };
                    self.ongoing.insert(first_offset, open);
                }
            }
            ProducerChange::Expired { producer_id } => drop(self.entries.remove(*producer_id)),
            ProducerChange::Cleared => {
                self.entries = OrderedMap::default();
                self.ongoing = OrderedMap::default();
                self.unreplicated = OrderedMap::default();
            }
            ProducerChange::Completed(completed) => {
                if let Some(open) = self.ongoing.remove(completed.first_offset) {
                    let last_offset = completed.last_offset;
                    let transaction = UnreplicatedTransaction { open, last_offset };
                    self.unreplicated.insert(completed.first_offset, transaction);
                }
            }
            ProducerChange::Replicated { below } => {
                for key in self.replicated(*below) {
                    self.unreplicated.remove(key);
                }
            }
            ProducerChange::VerificationKept { producer_id, entry } => {
                self.guards = self.guards.max(entry.guard.get());
                self.verifications.insert(*producer_id, *entry);
            }
            ProducerChange::VerificationCleared { producer_id } => drop(self.verifications.remove(*producer_id)),
        }
    }

    /// What is known of a producer.
    pub fn entry(&self, producer_id: ProducerId) -> Option<&ProducerEntry> {
        self.entries.get(producer_id)
    }

    /// Every producer known, by id.
    pub fn entries(&self) -> impl Iterator<Item = (ProducerId, &ProducerEntry)> {
        self.entries.keys().zip(self.entries.values())
    }

    /// The open transactions, by first offset.
    pub fn open_transactions(&self) -> impl Iterator<Item = &OpenTransaction> {
        self.ongoing.values()
    }

    /// The completed transactions whose marker the high watermark has not passed, by first offset, with the offset of
    /// that marker.
    pub fn unreplicated_transactions(&self) -> impl Iterator<Item = (&OpenTransaction, i64)> {
        let transactions = self.unreplicated.values();
        transactions.map(|transaction| (&transaction.open, transaction.last_offset))
    }

    /// The state covers all records below this offset.
    pub fn map_end(&self) -> Offset {
        self.map_end
    }

    /// Neither a producer nor a completed transaction is known (Kafka: `ProducerStateManager.isEmpty`).
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.unreplicated.is_empty()
    }

    /// Whether a producer has a transaction open in this epoch (Kafka: `UnifiedLog.hasOngoingTransaction`).
    pub fn has_ongoing(&self, producer_id: ProducerId, epoch: i16) -> bool {
        let entry = self.entries.get(producer_id);
        entry.is_some_and(|entry| entry.transaction.is_some() && entry.epoch == epoch)
    }

    /// How far records are decided once a transaction completes.
    pub fn next_stable(&self, completed: CompletedTransaction) -> NextStable {
        let mut open = self.ongoing.values();
        let next_open = open.find(|open| open.producer_id != completed.producer_id).copied();
        NextStable { completed, next_open }
    }

    /// What changes when a transaction completes.
    ///
    /// # Errors
    ///
    /// [`ProducerError::TransactionNotStarted`] where no open transaction begins there, as when two producers' batches
    /// claim one offset.
    pub fn complete(&self, completed: CompletedTransaction) -> Result<ProducerChange, ProducerError> {
        match self.ongoing.get(completed.first_offset) {
            Some(_) => Ok(ProducerChange::Completed(completed)),
            None => Err(ProducerError::TransactionNotStarted(completed)),
        }
    }

    /// What settles the first unstable offset now; nothing is looked up yet.
    pub fn first_unstable(&self, log_start: Offset) -> FirstUnstable {
        FirstUnstable {
            open: self.ongoing.values().next().copied(),
            unreplicated: self.unreplicated.values().next().map(|transaction| transaction.open),
            log_start,
            found: None,
        }
    }

    /// The first unstable offset as it was settled last.
    pub fn unstable(&self) -> Option<Unstable> {
        self.first_unstable
    }

    /// What settles the last stable offset.
    pub fn last_stable(&self, high_watermark: Offset) -> LastStable {
        LastStable {
            first_unstable: self.first_unstable.map(|unstable| unstable.offset),
            high_watermark,
        }
    }

    /// First offset of the oldest open transaction (Kafka: `ProducerStateManager.firstUndecidedOffset`).
    pub fn first_undecided(&self) -> Option<i64> {
        self.ongoing.keys().next()
    }

    /// What changes when the high watermark moves (Kafka: `ProducerStateManager.onHighWatermarkUpdated`).
    pub fn on_high_watermark(&self, high_watermark: Offset) -> Option<ProducerChange> {
        let below = high_watermark;
        let some = self.replicated(below).next().is_some();
        some.then_some(ProducerChange::Replicated { below })
    }

    /// Whether the oldest open transaction has waited longer than its timeout and five minutes
    /// (Kafka: `ProducerStateManager.hasLateTransaction`). Unit: milliseconds.
    pub fn has_late_transaction(&self, now: i64, transaction_timeout_max_ms: i32) -> bool {
        const BUFFER_MS: i64 = 300_000;
        let oldest = self.ongoing.values().next();
        let entry = oldest.and_then(|open| self.entries.get(open.producer_id));
        entry.is_some_and(|entry| {
            let last = entry.last_timestamp;
            last > 0 && now.wrapping_sub(last) > i64::from(transaction_timeout_max_ms) + BUFFER_MS
        })
    }

    /// Keys of the completed transactions whose marker is below an offset.
    fn replicated(&self, below: Offset) -> impl Iterator<Item = i64> + use<> {
        let transactions = self.unreplicated.keys().zip(self.unreplicated.values());
        let gone = transactions.filter(move |(_, transaction)| transaction.last_offset < below.get());
        let keys: Vec<i64> = gone.map(|(key, _)| key).collect();
        keys.into_iter()
    }
}

impl fmt::Display for ProducerChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProducerChange::Updated {
                producer_id,
                entry,
                started,
            } => {
                write!(
                    f,
                    "producer {producer_id}: epoch {}, last sequence {}",
                    entry.epoch,
                    entry.last_sequence()
                )?;
                for open in started {
                    write!(f, ", a transaction open from offset {}", open.first_offset)?;
                }
                Ok(())
            }
            ProducerChange::Loaded { producer_id, entry } => {
                write!(
                    f,
                    "producer {producer_id} read: epoch {}, last sequence {}",
                    entry.epoch,
                    entry.last_sequence()
                )
            }
            ProducerChange::Expired { producer_id } => write!(f, "producer {producer_id} forgotten"),
            ProducerChange::Cleared => f.write_str("all producers forgotten"),
            ProducerChange::Completed(completed) => write!(
                f,
                "producer {}: the transaction from offset {} has ended",
                completed.producer_id, completed.first_offset
            ),
            ProducerChange::Replicated { below } => write!(f, "transactions that ended below {below} are settled"),
            ProducerChange::FirstUnstable(Some(to)) => write!(f, "first unstable offset is {}", to.offset),
            ProducerChange::FirstUnstable(None) => f.write_str("no offset is unstable"),
            ProducerChange::MapEnd(offset) => write!(f, "producers known up to {offset}"),
            ProducerChange::LastSnapshot(offset) => write!(f, "last producer snapshot at {offset}"),
            ProducerChange::SnapshotsListed(offsets) => write!(f, "{} producer snapshots", offsets.len()),
            ProducerChange::SnapshotTaken(offset) => write!(f, "producer snapshot taken at {offset}"),
            ProducerChange::SnapshotRemoved(offset) => write!(f, "producer snapshot at {offset} gone"),
            ProducerChange::VerificationKept { producer_id, .. } => write!(f, "producer {producer_id} to be verified"),
            ProducerChange::VerificationCleared { producer_id } => write!(f, "producer {producer_id} verified"),
        }
    }
}
