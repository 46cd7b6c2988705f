//! Transactions that a broker verifies with their coordinator before the first batch may come in
//! (Kafka: `VerificationStateEntry`, `VerificationGuard`).

use crate::producer::ProducerId;
use crate::producer::checks::{OngoingCheck, OngoingVerdict};
use crate::producer::refusal::ProducerError;
use crate::producer::state::{ProducerChange, ProducerState};

/// A ticket for one verification: the append has to bring the one that was handed out. Kafka's `SENTINEL`, no ticket,
/// is `None` here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerificationGuard(u64);

impl VerificationGuard {
    /// The number itself; the first is 1.
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// A verification that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerificationEntry {
    /// The clock when it began, in milliseconds.
    pub timestamp: i64,
    /// The ticket.
    pub guard: VerificationGuard,
    /// Whether the producer's epoch grows with each transaction (`transaction.version` 2).
    pub supports_epoch_bump: bool,
    /// Smallest first sequence seen in this epoch.
    pub lowest_sequence: i32,
    /// Largest epoch seen.
    pub epoch: i16,
}

impl VerificationEntry {
    /// The entry after another request (Kafka: `VerificationStateEntry.maybeUpdateLowestSequenceAndEpoch`).
    fn seen(mut self, sequence: i32, epoch: i16) -> VerificationEntry {
        if epoch == self.epoch {
            self.lowest_sequence = self.lowest_sequence.min(sequence);
        } else if epoch > self.epoch {
            self.epoch = epoch;
            self.lowest_sequence = sequence;
        }
        self
    }
}

impl ProducerState {
    /// The verification of a producer that has begun.
    pub fn verification(&self, producer_id: ProducerId) -> Option<&VerificationEntry> {
        self.verifications.get(producer_id)
    }

    /// Begins a verification, or goes on with it; no change where the transaction is open already. The ticket is in the
    /// change (Kafka: `UnifiedLog.maybeStartTransactionVerification`). Unit of `now`: milliseconds.
    ///
    /// # Errors
    ///
    /// [`ProducerError::EpochOvertaken`] below the epoch known.
    pub fn start_verification(
        &self,
        producer_id: ProducerId,
        sequence: i32,
        epoch: i16,
        supports_epoch_bump: bool,
        now: i64,
    ) -> Result<Option<ProducerChange>, ProducerError> {
        let check = OngoingCheck::of(producer_id, epoch, self.entry(producer_id), None);
        match check.verdict() {
            OngoingVerdict::Ongoing => return Ok(None),
            OngoingVerdict::Overtaken => return Err(ProducerError::EpochOvertaken(check)),
            _ => {}
        }
        let known = self.verifications.get(producer_id).copied();
        let entry = known.unwrap_or(VerificationEntry {
            timestamp: now,
            guard: VerificationGuard(self.guards + 1),
            supports_epoch_bump,
            lowest_sequence: sequence,
            epoch,
        });
        Ok(Some(ProducerChange::VerificationKept {
            producer_id,
            entry: entry.seen(sequence, epoch),
        }))
    }
}
