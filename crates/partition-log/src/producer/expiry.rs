//! Producers that have not written for long are forgotten (Kafka: `ProducerStateManager.isProducerExpired`).

use crate::producer::ProducerId;
use crate::producer::entry::ProducerEntry;
use crate::producer::state::{ProducerChange, ProducerState};

/// Whether a producer is forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpiryCheck {
    /// Which producer.
    pub producer_id: ProducerId,
    /// First offset of its open transaction: while one is open, the producer stays.
    pub transaction: Option<i64>,
    /// Timestamp in milliseconds of its last batch or marker; −1 for none.
    pub last_timestamp: i64,
    /// The clock in milliseconds.
    pub now: i64,
    /// `producer.id.expiration.ms`.
    pub expiration_ms: i32,
}

impl ExpiryCheck {
    /// Gathers the operands.
    pub fn of(producer_id: ProducerId, entry: &ProducerEntry, now: i64, expiration_ms: i32) -> ExpiryCheck {
        ExpiryCheck {
            producer_id,
            transaction: entry.transaction,
            last_timestamp: entry.last_timestamp,
            now,
            expiration_ms,
        }
    }

    /// Milliseconds since it wrote.
    pub fn age_ms(&self) -> i64 {
        self.now.wrapping_sub(self.last_timestamp)
    }

    /// No transaction is open and the age has reached the limit.
    pub fn expired(&self) -> bool {
        self.transaction.is_none() && self.age_ms() >= i64::from(self.expiration_ms)
    }
}

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
