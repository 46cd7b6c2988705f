//! Whether retention deletes a segment (Kafka: `UnifiedLog.deleteOldSegments` and its three predicates).

use core::fmt;

use crate::rules::clause::{Clause, ClauseName, Exemption, Expression, Operand, Relation, Term, Unit, write_clauses};
use crate::units::{Offset, TimestampMs};

/// The rules of a check, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum RetentionRule {
    /// The whole segment lies below the log start offset.
    LogStart,
    /// `retention.bytes`.
    Size,
    /// `retention.ms`.
    Time,
}

impl RetentionRule {
    /// All, in order.
    pub const ALL: [RetentionRule; 3] = [RetentionRule::LogStart, RetentionRule::Size, RetentionRule::Time];
}

/// Whether a rule is asked about segments at all (Kafka: `UnifiedLog.deleteRetentionMsBreachedSegments`,
/// `deleteRetentionSizeBreachedSegments`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetentionLimit {
    /// The rule.
    pub rule: RetentionRule,
    /// Size of all live `.log` files, in bytes.
    pub log_size: u64,
    /// `retention.ms` or `retention.bytes`; −1 for none. The rule of the log start offset has no limit, and is always asked.
    pub limit: i64,
}

impl RetentionLimit {
    /// The clause that switches the rule off: there is no limit, or the log is below it. `None` where it is asked.
    pub fn off(&self) -> Option<Clause> {
        let (key, unit) = match self.rule {
            RetentionRule::LogStart => return None,
            RetentionRule::Size => ("retention.bytes", Unit::Bytes),
            RetentionRule::Time => ("retention.ms", Unit::Time),
        };
        let limit = Operand::new(self.limit, Term::Setting(key));
        let zero = Operand::new(0, Term::Limit);
        let unlimited = Clause::value(ClauseName::NoLimit, limit, Relation::Below, zero, unit);
        let size = Operand::size(self.log_size, Term::LogSize);
        let below = Clause::value(ClauseName::BelowLimit, size, Relation::Below, limit, unit);
        let asked = [Some(unlimited), (self.rule == RetentionRule::Size).then_some(below)];
        asked.into_iter().flatten().find(|clause| clause.holds)
    }
}

/// The operands of one rule for one segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum RetentionOperands {
    /// Base offset of the next segment, if there is one, and the log start offset.
    LogStart {
        /// Base offset of the next segment.
        next_base: Option<Offset>,
        /// Log start offset.
        log_start: Offset,
    },
    /// Bytes above the limit and the segment's own.
    Size {
        /// Size of all live `.log` files before this decision.
        log_size: u64,
        /// `retention.bytes`.
        retention_bytes: u64,
        /// The segment's `.log` bytes.
        segment_size: u64,
    },
    /// Age of the segment's largest timestamp.
    Time {
        /// The broker's clock.
        now: TimestampMs,
        /// Largest timestamp in the segment; the file's time if it has none.
        largest: TimestampMs,
        /// Whether `largest` is the file's time.
        from_file_time: bool,
        /// `retention.ms`.
        retention_ms: i64,
    },
}

/// One rule asked about one segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RetentionDecision {
    /// Base offset of the segment.
    pub base: Offset,
    /// High watermark.
    pub high_watermark: Offset,
    /// End of the segment: the next base, or the log end offset for the last segment.
    pub end: Offset,
    /// Whether it is the last segment.
    pub last: bool,
    /// Bytes in its `.log`.
    pub segment_size: u64,
    /// The rule's operands.
    pub operands: RetentionOperands,
}

/// What a rule says of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum RetentionAnswer {
    /// It goes.
    Delete,
    /// The rule does not hold; the walk stops here.
    Keep,
    /// The rule is not even asked: the segment reaches above the high watermark.
    AboveHighWatermark,
    /// The rule holds, but the last segment is empty and stays as the place of the next append.
    EmptyActive,
}

impl RetentionDecision {
    /// Which rule.
    pub fn rule(&self) -> RetentionRule {
        match self.operands {
            RetentionOperands::LogStart { .. } => RetentionRule::LogStart,
            RetentionOperands::Size { .. } => RetentionRule::Size,
            RetentionOperands::Time { .. } => RetentionRule::Time,
        }
    }

    /// The rule's own comparison.
    pub fn clause(&self) -> Clause {
        match self.operands {
            RetentionOperands::LogStart { next_base, log_start } => {
                let end = match next_base {
                    Some(next) => Operand::new(next.get(), Term::NextBase),
                    None => Operand::new(self.end.get(), Term::SegmentEnd),
                };
                let log_start = Operand::new(log_start.get(), Term::LogStart);
                let clause = Clause::value(
                    ClauseName::BelowLogStart,
                    end,
                    Relation::AtMost,
                    log_start,
                    Unit::Number,
                );
                match next_base {
                    Some(_) => clause,
                    None => clause.exempt(Exemption::LastSegment, false),
                }
            }
            RetentionOperands::Size {
                log_size,
                retention_bytes,
                segment_size,
            } => Clause::new(
                ClauseName::Surplus,
                Expression::Difference(
                    Operand::size(log_size, Term::LogSize),
                    Operand::size(retention_bytes, Term::Setting("retention.bytes")),
                ),
                Relation::AtLeast,
                Operand::size(segment_size, Term::SegmentSize),
                Unit::Bytes,
            ),
            RetentionOperands::Time {
                now,
                largest,
                from_file_time,
                retention_ms,
            } => Clause::new(
                ClauseName::TooOld,
                Expression::Difference(
                    Operand::new(now.get(), Term::Clock),
                    Operand::new(
                        largest.get(),
                        if from_file_time {
                            Term::FileTime
                        } else {
                            Term::LargestTimestamp
                        },
                    ),
                ),
                Relation::Above,
                Operand::new(retention_ms, Term::Setting("retention.ms")),
                Unit::Time,
            ),
        }
    }

    /// Before any rule: only what is below the high watermark goes.
    fn below_high_watermark(&self) -> Clause {
        Clause::value(
            ClauseName::BelowHighWatermark,
            Operand::new(self.end.get(), Term::SegmentEnd),
            Relation::AtMost,
            Operand::new(self.high_watermark.get(), Term::HighWatermark),
            Unit::Number,
        )
    }

    /// After a rule that holds: an empty last segment stays as the place of the next append.
    fn not_empty(&self) -> Clause {
        let size = Operand::size(self.segment_size, Term::SegmentSize);
        let zero = Operand::new(0, Term::Limit);
        Clause::value(ClauseName::NotEmpty, size, Relation::Above, zero, Unit::Bytes)
    }

    /// What was asked, in Kafka's order, up to the clause that decided.
    pub fn clauses(&self) -> Vec<Clause> {
        let mut asked = vec![self.below_high_watermark()];
        if asked[0].holds {
            asked.push(self.clause());
            if self.last && asked[1].holds {
                asked.push(self.not_empty());
            }
        }
        asked
    }

    /// The clause that decided: the last one asked.
    pub fn deciding(&self) -> Clause {
        let asked = self.clauses();
        asked[asked.len() - 1]
    }

    /// The answer: the segment goes if every clause holds.
    pub fn answer(&self) -> RetentionAnswer {
        let decided = self.deciding();
        match decided.name {
            _ if decided.holds => RetentionAnswer::Delete,
            ClauseName::BelowHighWatermark => RetentionAnswer::AboveHighWatermark,
            ClauseName::NotEmpty => RetentionAnswer::EmptyActive,
            _ => RetentionAnswer::Keep,
        }
    }
}

impl fmt::Display for RetentionRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RetentionRule::LogStart => "log start offset",
            RetentionRule::Size => "retention.bytes",
            RetentionRule::Time => "retention.ms",
        })
    }
}

impl fmt::Display for RetentionDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.answer() {
            RetentionAnswer::Delete => "goes",
            RetentionAnswer::Keep | RetentionAnswer::AboveHighWatermark | RetentionAnswer::EmptyActive => "stays",
        };
        write!(f, "{}: segment {} {word}: ", self.rule(), self.base)?;
        write_clauses(f, &self.clauses())
    }
}
