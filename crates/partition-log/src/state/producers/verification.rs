//! Transactions that a broker verifies with their coordinator before the first batch may come in
//! (Kafka: `VerificationStateEntry`, `VerificationGuard`).

use crate::rules::producers::{OngoingCheck, OngoingVerdict, ProducerError, VerificationEntry, VerificationGuard};
use crate::state::producers::{ProducerChange, ProducerState};
use crate::units::ProducerId;

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
            guard: VerificationGuard::new(self.guards + 1),
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
