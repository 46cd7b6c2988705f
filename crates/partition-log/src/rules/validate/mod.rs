//! What arriving bytes have to satisfy before they become part of the log: [`analyze`] looks at batches, whoever sends
//! them; [`validate`] at every record, where this broker leads the partition. Both are functions of bytes and settings.

mod analyze;
mod rebuild;
mod refusal;
mod rules;
mod validator;

use core::fmt;

use crate::format::batch::{BadBatch, FaultClass, RecordFault};

pub use analyze::{Analysis, LeftOut, analyze, check_append_offset};
pub use refusal::{InvalidBatch, RecordError, RecordErrorReason, Unbuildable, ValidationError};
pub(crate) use rules::check_timestamps;
pub use rules::{CompressionSetting, ValidationRules};
pub use validator::{Assignment, Incoming, Validated, validate};

/// Where arriving batches come from, which settles how strictly they are looked at (Kafka: `AppendOrigin`; its
/// `RAFT_LEADER` writes the metadata log only).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum AppendOrigin {
    /// A producer.
    #[default]
    Client,
    /// A transaction or group coordinator, which writes markers and its own records.
    Coordinator,
    /// The leader of this partition: a follower takes over what it already accepted.
    Replication,
}

impl fmt::Display for AppendOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AppendOrigin::Client => "client",
            AppendOrigin::Coordinator => "coordinator",
            AppendOrigin::Replication => "replication",
        })
    }
}

/// Where the iteration of what was sent met no batch.
fn bad_batch(bad: BadBatch) -> ValidationError {
    ValidationError::Corrupt {
        position: bad.position,
        reason: bad.reason,
    }
}

/// Where the records of the batch at a byte do not read.
pub(crate) fn record_fault(position: u64, fault: RecordFault) -> ValidationError {
    match fault.class {
        FaultClass::Corrupt => ValidationError::Corrupt {
            position,
            reason: fault.reason,
        },
        _ => ValidationError::Records { position, fault },
    }
}

#[cfg(test)]
mod tests;
