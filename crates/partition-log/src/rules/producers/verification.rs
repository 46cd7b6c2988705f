//! Transactions that a broker verifies with their coordinator before the first batch may come in
//! (Kafka: `VerificationStateEntry`, `VerificationGuard`).

/// A ticket for one verification: the append has to bring the one that was handed out. Kafka's `SENTINEL`, no ticket,
/// is `None` here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct VerificationGuard(u64);

impl VerificationGuard {
    pub(crate) const fn new(number: u64) -> VerificationGuard {
        VerificationGuard(number)
    }

    /// The number itself; the first is 1.
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// A verification that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
    pub(crate) fn seen(mut self, sequence: i32, epoch: i16) -> VerificationEntry {
        if epoch == self.epoch {
            self.lowest_sequence = self.lowest_sequence.min(sequence);
        } else if epoch > self.epoch {
            self.epoch = epoch;
            self.lowest_sequence = sequence;
        }
        self
    }
}
