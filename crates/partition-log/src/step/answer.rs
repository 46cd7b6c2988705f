//! What the decision of a step came to, whatever kind it is of.

use crate::rules::fetch::RangeAnswer;
use crate::rules::producers::{EpochVerdict, OngoingVerdict, ProducerDecision, TransactionVerdict};
use crate::rules::recovery::RecoveryAnswer;
use crate::rules::retention::RetentionAnswer;
use crate::rules::roll::RollCause;
use crate::step::{LoadStep, Step};
use crate::units::Offset;

/// What a decision came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
pub enum Answer {
    /// Why the segment is closed; `None` if it is not.
    Roll(Option<RollCause>),
    /// Whether what was offered or sent is taken: an index entry, a batch that follows, a marker of this coordinator; of a
    /// check for duplicates, whether the batch is one.
    Holds(bool),
    /// What retention does with a segment.
    Retention(RetentionAnswer),
    /// Where an offset lies to the readable part.
    Range(RangeAnswer),
    /// Bytes that a fetch gets.
    Length(u64),
    /// Where a consumer goes on; `None` for an exception.
    GoesOn(Option<Offset>),
    /// Whether a segment is recovered.
    Recovery(RecoveryAnswer),
    /// Whether a transaction goes on, or may begin.
    Ongoing(OngoingVerdict),
    /// Whether a producer's epoch is accepted.
    Epoch(EpochVerdict),
    /// What a batch is to the transaction of its producer.
    Transaction(TransactionVerdict),
    /// First offset that is not decided once a transaction completes.
    Stable(i64),
}

impl Step {
    /// What the step's decision came to; `None` for a step that decides nothing.
    pub fn answer(&self) -> Option<Answer> {
        Some(match self {
            Step::RollDecided(decision) => Answer::Roll(decision.cause()),
            Step::IndexEntryDecided(decision) => Answer::Holds(decision.due()),
            Step::TimeEntryDecided(decision) => Answer::Holds(decision.written()),
            Step::ProducerDecided(decision) => producer(decision)?,
            Step::Load(LoadStep::RecoveryDecided(decision)) => Answer::Recovery(decision.answer()),
            Step::RetentionDecided(decision) => Answer::Retention(decision.answer()),
            Step::FetchRangeDecided(range) => Answer::Range(range.answer()),
            Step::FetchSliceDecided(slice) => Answer::Length(slice.length()),
            Step::ResetDecided(decision) => Answer::GoesOn(decision.target()),
            _ => return None,
        })
    }
}

fn producer(decision: &ProducerDecision) -> Option<Answer> {
    Some(match decision {
        ProducerDecision::Duplicate(check) => Answer::Holds(check.found.is_some()),
        ProducerDecision::Ongoing(check) => Answer::Ongoing(check.verdict()),
        ProducerDecision::Epoch(check) => Answer::Epoch(check.verdict()),
        ProducerDecision::Sequence(check) => Answer::Holds(check.in_order()),
        ProducerDecision::Transaction(check) => Answer::Transaction(check.verdict()),
        ProducerDecision::Coordinator(check) => Answer::Holds(!check.fenced()),
        ProducerDecision::NextStable(next) => Answer::Stable(next.offset()),
        ProducerDecision::Marker(_) => return None,
    })
}
