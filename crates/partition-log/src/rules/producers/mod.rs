//! What is asked of an idempotent or transactional producer's batch (Kafka: `ProducerStateManager`, `ProducerAppendInfo`):
//! each rule is a value with its operands.

mod batch;
mod checks;
mod display;
mod expiry;
mod refusal;
mod snapshots;
mod transaction;
mod verification;

pub use batch::{BatchKind, ProducerBatch};
pub use checks::{
    CoordinatorCheck, DuplicateCheck, EpochCheck, EpochVerdict, MarkerOutcome, OngoingCheck, OngoingVerdict,
    ProducerDecision, SequenceCheck, SequenceRule, TransactionCheck, TransactionVerdict,
};
pub use expiry::ExpiryCheck;
pub use refusal::ProducerError;
pub use snapshots::{SnapshotDecision, stray_snapshots};
pub(crate) use transaction::UnreplicatedTransaction;
pub use transaction::{CompletedTransaction, FirstUnstable, LastStable, NextStable, OpenTransaction, Place, Unstable};
pub use verification::{VerificationEntry, VerificationGuard};
