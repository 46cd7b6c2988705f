//! What was compared in a step, whatever kind it is of.

use crate::rules::clause::{Clause, ClauseName, Operand, Relation, Term, Unit};
use crate::rules::producers::ProducerDecision;
use crate::rules::retention::RetentionLimit;
use crate::rules::search;
use crate::step::{LoadStep, Step};

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
            Step::RetentionRuleOff { rule, log_size, limit } => {
                let (rule, log_size, limit) = (*rule, *log_size, *limit);
                RetentionLimit { rule, log_size, limit }.off().into_iter().collect()
            }
            Step::RetentionDecided(decision) => decision.clauses(),
            Step::FetchRangeDecided(range) => range.clauses(),
            Step::FetchSliceDecided(slice) => slice.clauses(),
            Step::FloorLookedUp { target, bases, .. } => bases
                .iter()
                .map(|base| search::base_not_above(*base, *target))
                .collect(),
            Step::TimeSegmentProbed { largest, target, .. } => vec![search::reaches_time(*largest, *target)],
            Step::IndexProbed(probe) => vec![search::entry_not_above(probe.kind, probe.key, probe.target)],
            Step::BatchScanned {
                last_offset,
                timestamp,
                target,
                ..
            } => vec![target.clause(*last_offset, *timestamp)],
            _ => Vec::new(),
        }
    }
}
