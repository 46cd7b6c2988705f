//! What was compared in a step, whatever kind it is of.

use crate::disk::FileKind;
use crate::rules::clause::{Clause, ClauseName, Expression, Operand, Relation, Term, Unit};
use crate::rules::producers::ProducerDecision;
use crate::rules::retention::RetentionRule;
use crate::step::{LoadStep, ScanTarget, Step};
use crate::units::TimestampMs;

impl Step {
    /// Every comparison of the step, in order; none for a step that compares nothing.
    pub fn clauses(&self) -> Vec<Clause> {
        match self {
            Step::RollDecided(decision) => decision.clauses().to_vec(),
            Step::IndexEntryDecided(decision) => vec![decision.clause()],
            Step::TimeEntryDecided(decision) => vec![decision.clause()],
            Step::BatchesLeftOut(left_out) => vec![Clause::value(
                ClauseName::EpochUnknown,
                Operand::new(left_out.epoch.into(), Term::Epoch),
                Relation::Above,
                Operand::new(left_out.current.into(), Term::KnownEpoch),
                Unit::Number,
            )],
            Step::ProducerDecided(decision) => match decision {
                ProducerDecision::Epoch(check) => vec![check.clause()],
                ProducerDecision::Sequence(check) => vec![check.clause()],
                ProducerDecision::Coordinator(check) => vec![check.clause()],
                ProducerDecision::Duplicate(_)
                | ProducerDecision::Ongoing(_)
                | ProducerDecision::Transaction(_)
                | ProducerDecision::Marker(_)
                | ProducerDecision::NextStable(_) => Vec::new(),
            },
            Step::Load(LoadStep::RecoveryDecided(decision)) => vec![decision.clause()],
            Step::RetentionRuleOff { rule, log_size, limit } => vec![rule_off(*rule, *log_size, *limit)],
            Step::RetentionDecided(decision) => decision.clauses(),
            Step::FetchRangeDecided(range) => range.clauses(),
            Step::FetchSliceDecided(slice) => slice.clauses(),
            Step::FloorLookedUp { target, bases, .. } => {
                let target = Operand::new(target.get(), Term::TargetOffset);
                let compared = bases.iter().map(|base| {
                    let base = Operand::new(base.get(), Term::BaseOffset);
                    Clause::value(ClauseName::BaseNotAbove, base, Relation::AtMost, target, Unit::Number)
                });
                compared.collect()
            }
            Step::TimeSegmentProbed { largest, target, .. } => vec![Clause::value(
                ClauseName::ReachesTime,
                time(Some(*largest), Term::LargestTimestamp),
                Relation::AtLeast,
                time(Some(*target), Term::TargetTime),
                Unit::Time,
            )],
            Step::IndexProbed(probe) => {
                let (of, unit) = match probe.kind {
                    FileKind::TimeIndex => (Term::TargetTime, Unit::Time),
                    _ => (Term::TargetOffset, Unit::Number),
                };
                vec![Clause::value(
                    ClauseName::EntryNotAbove,
                    Operand::new(probe.key, Term::EntryKey),
                    Relation::AtMost,
                    Operand::new(probe.target, of),
                    unit,
                )]
            }
            Step::BatchScanned {
                last_offset,
                timestamp,
                target,
                ..
            } => {
                let timestamp = time(*timestamp, Term::LargestTimestamp);
                let (name, left, relation, right, unit) = match target {
                    ScanTarget::Offset(target) => (
                        ClauseName::ReachesOffset,
                        Operand::new(last_offset.get(), Term::Offset),
                        Relation::AtLeast,
                        Operand::new(target.get(), Term::TargetOffset),
                        Unit::Number,
                    ),
                    ScanTarget::Timestamp(target) => (
                        ClauseName::NotBefore,
                        timestamp,
                        Relation::AtLeast,
                        time(Some(*target), Term::TargetTime),
                        Unit::Time,
                    ),
                    ScanTarget::LargestTimestamp(target) => (
                        ClauseName::IsLargest,
                        timestamp,
                        Relation::Equal,
                        time(*target, Term::LargestTimestamp),
                        Unit::Time,
                    ),
                };
                vec![Clause::value(name, left, relation, right, unit)]
            }
            _ => Vec::new(),
        }
    }
}

/// A timestamp; −1 in place of none, as Kafka compares it.
fn time(timestamp: Option<TimestampMs>, of: Term) -> Operand {
    timestamp.map_or(Operand::new(-1, Term::NoTimestamp), |time| Operand::new(time.get(), of))
}

/// Why a rule of retention is not asked (Kafka: `UnifiedLog.deleteRetentionMsBreachedSegments`,
/// `deleteRetentionSizeBreachedSegments`).
fn rule_off(rule: RetentionRule, log_size: u64, limit: i64) -> Clause {
    let (key, unit) = match rule {
        RetentionRule::Time => ("retention.ms", Unit::Time),
        RetentionRule::Size | RetentionRule::LogStart => ("retention.bytes", Unit::Bytes),
    };
    let limit = Operand::new(limit, Term::Setting(key));
    if limit.value < 0 {
        return Clause::value(
            ClauseName::NoLimit,
            limit,
            Relation::Below,
            Operand::new(0, Term::Limit),
            unit,
        );
    }
    let size = Expression::Value(Operand::size(log_size, Term::LogSize));
    Clause::new(ClauseName::BelowLimit, size, Relation::Below, limit, unit)
}
