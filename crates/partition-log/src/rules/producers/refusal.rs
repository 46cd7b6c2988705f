//! Why a batch of a producer is refused.

use core::fmt;

use crate::format::producers::MarkerError;
use crate::rules::producers::{
    CompletedTransaction, CoordinatorCheck, EpochCheck, OngoingCheck, SequenceCheck, TransactionCheck,
};
use crate::rules::validate::AppendOrigin;

/// A refusal, with the check that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum ProducerError {
    /// An epoch that the producer has left behind: another instance has taken over
    /// (Kafka: `InvalidProducerEpochException`).
    InvalidProducerEpoch(EpochCheck),
    /// The same, seen before the first batch of a transaction (Kafka: `InvalidProducerEpochException`).
    EpochOvertaken(OngoingCheck),
    /// A sequence number that does not follow (Kafka: `OutOfOrderSequenceException`).
    OutOfOrderSequence(SequenceCheck),
    /// A batch outside the transaction that its producer has open (Kafka: `InvalidTxnStateException`).
    InvalidTransactionState(TransactionCheck),
    /// A transaction that was not verified with its coordinator (Kafka: `InvalidTxnStateException`).
    NotVerified(OngoingCheck),
    /// A marker of a coordinator that has lost its place (Kafka: `TransactionCoordinatorFencedException`).
    CoordinatorFenced(CoordinatorCheck),
    /// A marker without a transaction version, and not from the leader (Kafka: `IllegalArgumentException`).
    NoTransactionVersion {
        /// Where it came from.
        origin: AppendOrigin,
    },
    /// A control record that ends no transaction.
    NoMarker {
        /// Offset of the batch.
        offset: i64,
        /// What is wrong.
        reason: MarkerError,
    },
    /// A transaction completes that is not open (Kafka: `IllegalArgumentException`).
    TransactionNotStarted(CompletedTransaction),
}

impl ProducerError {
    /// Kafka's name for it.
    pub fn kafka_name(&self) -> &'static str {
        match self {
            ProducerError::InvalidProducerEpoch(_) | ProducerError::EpochOvertaken(_) => {
                "InvalidProducerEpochException"
            }
            ProducerError::OutOfOrderSequence(_) => "OutOfOrderSequenceException",
            ProducerError::InvalidTransactionState(_) | ProducerError::NotVerified(_) => "InvalidTxnStateException",
            ProducerError::CoordinatorFenced(_) => "TransactionCoordinatorFencedException",
            ProducerError::NoTransactionVersion { .. } | ProducerError::TransactionNotStarted(_) => {
                "IllegalArgumentException"
            }
            ProducerError::NoMarker { reason, .. } => reason.kafka_name(),
        }
    }

    /// A short name for scripts and the page.
    pub fn code(&self) -> &'static str {
        match self {
            ProducerError::InvalidProducerEpoch(_) | ProducerError::EpochOvertaken(_) => "invalid-producer-epoch",
            ProducerError::OutOfOrderSequence(_) => "out-of-order-sequence",
            ProducerError::InvalidTransactionState(_) => "invalid-transaction-state",
            ProducerError::NotVerified(_) => "transaction-not-verified",
            ProducerError::CoordinatorFenced(_) => "coordinator-fenced",
            ProducerError::NoTransactionVersion { .. } => "no-transaction-version",
            ProducerError::NoMarker { .. } => "no-marker",
            ProducerError::TransactionNotStarted(_) => "transaction-not-started",
        }
    }
}

impl fmt::Display for ProducerError {
    /// The sentence of the check, and what helps.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProducerError::InvalidProducerEpoch(check) => {
                write!(f, "{check}: a newer instance of this producer has taken over")
            }
            ProducerError::EpochOvertaken(check) => {
                write!(f, "{check}: a newer instance of this producer has taken over")
            }
            ProducerError::OutOfOrderSequence(check) => {
                write!(
                    f,
                    "{check}: a batch was lost or came too early; send the missing one first"
                )?;
                // What Kafka's client does when there is none (Kafka: `TransactionManager.bumpIdempotentProducerEpoch`).
                match check.epoch.checked_add(1) {
                    Some(epoch) => write!(f, ", or begin again under epoch {epoch} with sequence 0"),
                    None => f.write_str(", or begin again under another producer id"),
                }
            }
            ProducerError::InvalidTransactionState(check) => {
                write!(f, "{check}: end the transaction first, or write within it")
            }
            ProducerError::NotVerified(check) => {
                write!(f, "{check}: add the partition to the transaction first")
            }
            ProducerError::CoordinatorFenced(check) => write!(f, "{check}: a newer coordinator has taken over"),
            ProducerError::NoTransactionVersion { origin } => {
                write!(f, "a marker from the {origin} has to say its transaction version")
            }
            ProducerError::NoMarker { offset, reason } => {
                write!(f, "the control batch at offset {offset} ends no transaction: {reason}")
            }
            ProducerError::TransactionNotStarted(completed) => write!(
                f,
                "no transaction of producer {} is open from offset {} for the marker at {} to end",
                completed.producer_id, completed.first_offset, completed.last_offset
            ),
        }
    }
}

impl core::error::Error for ProducerError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            ProducerError::NoMarker { reason, .. } => Some(reason),
            _ => None,
        }
    }
}
