//! Whether a producer that has not written for long is forgotten (Kafka: `ProducerStateManager.isProducerExpired`).

use crate::format::producers::ProducerEntry;
use crate::units::ProducerId;

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
