//! Whether a start reads a segment again to rebuild its indexes (Kafka: `LogLoader.recoverLog`, `LogSegments.values`).

use core::fmt;

use crate::units::Offset;

/// The rule for one segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RecoveryDecision {
    /// Base offset of the segment.
    pub base: Offset,
    /// Base offset of the segment behind it.
    pub next_base: Option<Offset>,
    /// Whether the broker was stopped in order: `.kafka_cleanshutdown` was there.
    pub clean: bool,
    /// All below it is on disk for sure, as the checkpoint says.
    pub recovery_point: Offset,
}

/// What the rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecoveryAnswer {
    /// All its batches are read and checked.
    Recovered,
    /// No segment is, for the broker was stopped in order.
    StoppedInOrder,
    /// It ends at the recovery point or below it.
    BelowRecoveryPoint,
}

impl RecoveryDecision {
    /// The segment that holds the recovery point is recovered, and every later one.
    pub fn answer(&self) -> RecoveryAnswer {
        if self.clean {
            RecoveryAnswer::StoppedInOrder
        } else if self.next_base.is_none_or(|next| next > self.recovery_point) {
            RecoveryAnswer::Recovered
        } else {
            RecoveryAnswer::BelowRecoveryPoint
        }
    }
}

impl fmt::Display for RecoveryDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RecoveryDecision {
            base, recovery_point, ..
        } = self;
        match (self.answer(), self.next_base) {
            (RecoveryAnswer::StoppedInOrder, _) => write!(f, "recover segment {base} no (stopped in order)"),
            (RecoveryAnswer::Recovered, Some(next)) => {
                write!(
                    f,
                    "recover segment {base} yes (its end {next} > recovery point {recovery_point})"
                )
            }
            (_, Some(next)) => {
                write!(
                    f,
                    "recover segment {base} no (its end {next} <= recovery point {recovery_point})"
                )
            }
            (_, None) => write!(f, "recover segment {base} yes (the last one)"),
        }
    }
}
