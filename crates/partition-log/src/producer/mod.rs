//! What a partition knows of its producers: their epochs, their last sequences, their open transactions
//! (Kafka: `ProducerStateManager`).
//!
//! [`ProducerState`] is plain data. It changes by [`ProducerState::apply`] and in no other way; what is to change follows
//! from a plan, and the rules of a plan are values with their operands, [`ProducerDecision`]. Nothing here reads a file or
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
mod checks;
mod display;
mod entry;
mod expiry;
mod marker;
mod refusal;
mod snapshot;
mod snapshots;
mod state;
#[cfg(test)]
mod tests;
mod transaction;
mod verification;

use core::fmt;

pub use append::{BatchKind, PlannedAppend, ProducerAppend, ProducerBatch, RefusedAppend};
pub use checks::{
    CoordinatorCheck, DuplicateCheck, EpochCheck, EpochVerdict, MarkerOutcome, OngoingCheck, OngoingVerdict,
    ProducerDecision, SequenceCheck, SequenceRule, TransactionCheck, TransactionVerdict,
};
pub use entry::{BATCHES_RETAINED, ProducerEntry, RetainedBatch};
pub use expiry::ExpiryCheck;
pub use marker::{EndMarker, MarkerError};
pub use refusal::ProducerError;
pub use snapshot::{CorruptSnapshot, SNAPSHOT_ENTRY_SIZE, decode_snapshot, encode_snapshot};
pub use snapshots::{Reload, SnapshotDecision, stray_snapshots};
pub use state::{ProducerChange, ProducerState};
pub use transaction::{CompletedTransaction, FirstUnstable, LastStable, NextStable, OpenTransaction, Place, Unstable};
pub use verification::{VerificationEntry, VerificationGuard};

/// Who wrote a batch: a number that a broker hands to each idempotent producer. Range: 0 to 2^63 − 1; −1 in a batch
/// stands for none, and such a batch does not come here (Kafka: `RecordBatch.hasProducerId`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProducerId(i64);

impl ProducerId {
    /// The id as stored.
    pub const fn new(stored: i64) -> ProducerId {
        ProducerId(stored)
    }

    /// The number itself.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl fmt::Display for ProducerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
