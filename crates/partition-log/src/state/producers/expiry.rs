//! Producers that have not written for long are forgotten (Kafka: `ProducerStateManager.isProducerExpired`).

use crate::rules::producers::ExpiryCheck;
use crate::state::producers::{ProducerChange, ProducerState};

impl ProducerState {
    /// The check of every producer, by id, as the periodic task makes it (Kafka: `removeExpiredProducers`). Unit of
    /// `now`: milliseconds.
    pub fn expiry_checks(&self, now: i64, expiration_ms: i32) -> impl Iterator<Item = ExpiryCheck> {
        let entries = self.entries();
        entries.map(move |(producer_id, entry)| ExpiryCheck::of(producer_id, entry, now, expiration_ms))
    }

    /// What changes when the periodic task runs: expired producers go, and verifications as old as that.
    pub fn expire(&self, now: i64, expiration_ms: i32) -> Vec<ProducerChange> {
        let checks = self.expiry_checks(now, expiration_ms).filter(ExpiryCheck::expired);
        let mut changes: Vec<ProducerChange> = checks
            .map(|check| ProducerChange::Expired {
                producer_id: check.producer_id,
            })
            .collect();
        for (producer_id, entry) in self.verifications.keys().zip(self.verifications.values()) {
            if now.wrapping_sub(entry.timestamp) >= i64::from(expiration_ms) {
                changes.push(ProducerChange::VerificationCleared { producer_id });
            }
        }
        changes
    }
}
