//! Whether a start reads a segment again to rebuild its indexes (Kafka: `LogLoader.recoverLog`, `LogSegments.values`).

use core::fmt;

use crate::rules::clause::{Clause, ClauseName, Exemption, Operand, Relation, Term, Unit};
use crate::units::Offset;

/// The rule for one segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RecoveryDecision {
    /// Base offset of the segment.
    pub base: Offset,
    /// Base offset of the segment behind it.
    pub next_base: Option<Offset>,
    /// Whether the broker was shut down cleanly: `.kafka_cleanshutdown` was there.
    pub clean: bool,
    /// All below it is on disk for sure, as the checkpoint says.
    pub recovery_point: Offset,
}

/// What the rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum RecoveryAnswer {
    /// All its batches are read and checked.
    Recovered,
    /// No segment is, after a clean shutdown.
    CleanShutdown,
    /// It ends at the recovery point or below it.
    BelowRecoveryPoint,
}

impl RecoveryDecision {
    /// The segment that holds the recovery point is recovered, and every later one; none after a clean shutdown.
    pub fn clause(&self) -> Clause {
        let next = self.next_base.unwrap_or(self.base);
        let clause = Clause::value(
            ClauseName::AboveRecoveryPoint,
            Operand::new(
                next.get(),
                if self.next_base.is_some() {
                    Term::NextBase
                } else {
                    Term::BaseOffset
                },
            ),
            Relation::Above,
            Operand::new(self.recovery_point.get(), Term::RecoveryPoint),
            Unit::Number,
        );
        if self.clean {
            clause.exempt(Exemption::CleanShutdown, false)
        } else if self.next_base.is_none() {
            clause.exempt(Exemption::LastSegment, true)
        } else {
            clause
        }
    }

    /// What the clause comes to.
    pub fn answer(&self) -> RecoveryAnswer {
        match self.clause() {
            clause if clause.holds => RecoveryAnswer::Recovered,
            Clause {
                exemption: Some(Exemption::CleanShutdown),
                ..
            } => RecoveryAnswer::CleanShutdown,
            _ => RecoveryAnswer::BelowRecoveryPoint,
        }
    }
}

impl fmt::Display for RecoveryDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "recover segment {}: {}", self.base, self.clause())
    }
}
