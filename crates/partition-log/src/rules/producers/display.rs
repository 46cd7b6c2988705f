//! Sentences of the checks: each prints the operands that decided.

use core::fmt;

use crate::rules::producers::{
    CoordinatorCheck, DuplicateCheck, EpochCheck, EpochVerdict, ExpiryCheck, FirstUnstable, LastStable, MarkerOutcome,
    NextStable, OngoingCheck, OngoingVerdict, ProducerDecision, SequenceCheck, SequenceRule, SnapshotDecision,
    TransactionCheck, TransactionVerdict,
};
use crate::units::duration;

impl fmt::Display for ProducerDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProducerDecision::Duplicate(check) => check.fmt(f),
            ProducerDecision::Ongoing(check) => check.fmt(f),
            ProducerDecision::Epoch(check) => check.fmt(f),
            ProducerDecision::Sequence(check) => check.fmt(f),
            ProducerDecision::Transaction(check) => check.fmt(f),
            ProducerDecision::Coordinator(check) => check.fmt(f),
            ProducerDecision::Marker(outcome) => outcome.fmt(f),
            ProducerDecision::NextStable(next) => next.fmt(f),
        }
    }
}

impl fmt::Display for DuplicateCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DuplicateCheck {
            producer_id,
            first_sequence,
            last_sequence,
            ..
        } = self;
        write!(
            f,
            "sequences {first_sequence} to {last_sequence} of producer {producer_id}: "
        )?;
        match (self.found, self.known_epoch) {
            (Some(batch), _) => write!(
                f,
                "appended before, at offsets {} to {}",
                batch.first_offset(),
                batch.last_offset
            ),
            (None, None) => f.write_str("the producer is new"),
            (None, Some(known)) if known != self.epoch => {
                write!(f, "epoch {} is not {known}, the one known", self.epoch)
            }
            (None, Some(_)) => write!(f, "none of the last {} batches", self.retained),
        }
    }
}

impl fmt::Display for OngoingCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OngoingCheck { producer_id, epoch, .. } = self;
        write!(f, "producer {producer_id}, epoch {epoch}: ")?;
        match self.verdict() {
            OngoingVerdict::Ongoing => f.write_str("its transaction is open"),
            OngoingVerdict::MayBegin => f.write_str("a transaction may begin"),
            OngoingVerdict::Overtaken => write!(f, "epoch {} is known", self.known_epoch.unwrap_or(-1)),
            OngoingVerdict::NotVerified => f.write_str("the transaction is not verified"),
        }
    }
}

impl fmt::Display for EpochCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EpochCheck {
            producer_id,
            epoch,
            known_epoch,
            ..
        } = self;
        let must = if self.must_grow() { "above" } else { "at least" };
        match self.verdict() {
            EpochVerdict::Accepted => write!(f, "epoch {epoch} of producer {producer_id} is {must} {known_epoch}"),
            EpochVerdict::Retried => write!(
                f,
                "epoch {epoch} of producer {producer_id} is not above {known_epoch}, but its transaction is complete: the \
                 marker is a retry"
            ),
            EpochVerdict::Replicated => write!(
                f,
                "epoch {epoch} of producer {producer_id} is not {must} {known_epoch}, but the leader has accepted it"
            ),
            EpochVerdict::Fenced => write!(f, "epoch {epoch} of producer {producer_id} is not {must} {known_epoch}"),
        }
    }
}

impl fmt::Display for SequenceCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SequenceCheck {
            producer_id,
            epoch,
            first_sequence,
            last_sequence,
            ..
        } = self;
        let holds = if self.in_order() { "is" } else { "is not" };
        write!(f, "sequence {first_sequence} of producer {producer_id} ")?;
        match (self.rule(), self.expected()) {
            (SequenceRule::VerifiedFirst, _) => write!(f, "{holds} 0, where a new producer begins"),
            (SequenceRule::VerifiedLowest, lowest) => {
                let lowest = lowest.expect("the rule compares with a sequence number");
                write!(f, "is above {lowest}, the lowest seen before")
            }
            (SequenceRule::NewEpoch, _) => write!(f, "{holds} 0, where epoch {epoch} begins"),
            (SequenceRule::Next, Some(next)) => write!(f, "{holds} {next}, next after {last_sequence}"),
            (SequenceRule::Unknown | SequenceRule::Next, _) => f.write_str("may be any: none is known before it"),
        }
    }
}

impl fmt::Display for TransactionCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TransactionCheck {
            producer_id, offset, ..
        } = self;
        let open = self.transaction.unwrap_or(-1);
        match self.verdict() {
            TransactionVerdict::Outside => write!(f, "producer {producer_id} has no transaction open"),
            TransactionVerdict::Begins => {
                write!(f, "a transaction of producer {producer_id} begins at offset {offset}")
            }
            TransactionVerdict::GoesOn => {
                write!(
                    f,
                    "the transaction of producer {producer_id} from offset {open} goes on"
                )
            }
            TransactionVerdict::Refused => write!(
                f,
                "the batch at offset {offset} is outside the transaction that producer {producer_id} has open from \
                 offset {open}"
            ),
        }
    }
}

impl fmt::Display for CoordinatorCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CoordinatorCheck { epoch, known_epoch, .. } = self;
        let holds = if self.overtaken() { "is below" } else { "is at least" };
        write!(f, "coordinator epoch {epoch} {holds} {known_epoch}")?;
        if self.overtaken() && !self.fenced() {
            f.write_str(", but the leader has accepted it")?;
        }
        Ok(())
    }
}

impl fmt::Display for MarkerOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.commit { "COMMIT" } else { "ABORT" };
        match self.transaction {
            Some(first) => write!(
                f,
                "{what} at offset {} ends the transaction of producer {} from offset {first}",
                self.offset, self.producer_id
            ),
            None => write!(
                f,
                "{what} at offset {} ends nothing: producer {} has no transaction open",
                self.offset, self.producer_id
            ),
        }
    }
}

impl fmt::Display for NextStable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.next_open {
            Some(open) => write!(
                f,
                "records are decided up to offset {}, where the transaction of producer {} is open",
                open.first_offset, open.producer_id
            ),
            None => write!(
                f,
                "records are decided up to the marker, offset {}",
                self.completed.last_offset
            ),
        }
    }
}

impl fmt::Display for FirstUnstable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.offset(), self.transaction()) {
            (Some(offset), Some(open)) => write!(
                f,
                "the first unstable offset is {offset}, of the transaction of producer {} from offset {}",
                open.producer_id, open.first_offset
            ),
            _ => f.write_str("no offset is unstable"),
        }
    }
}

impl fmt::Display for LastStable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LastStable { high_watermark, .. } = self;
        match self.first_unstable {
            Some(first) if first < *high_watermark => write!(
                f,
                "the last stable offset is {first}, the first unstable one, below the high watermark {high_watermark}"
            ),
            _ => write!(f, "the last stable offset is {high_watermark}, the high watermark"),
        }
    }
}

impl fmt::Display for ExpiryCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ExpiryCheck { producer_id, .. } = self;
        if let Some(first) = self.transaction {
            return write!(
                f,
                "producer {producer_id} stays: its transaction from offset {first} is open"
            );
        }
        let (holds, than) = if self.expired() {
            ("goes", "not less than")
        } else {
            ("stays", "less than")
        };
        write!(
            f,
            "producer {producer_id} {holds}: it wrote {} ago, {than} producer.id.expiration.ms, {}",
            duration(self.age_ms()),
            duration(i64::from(self.expiration_ms))
        )
    }
}

impl fmt::Display for SnapshotDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, holds) = if self.write() {
            ("a", "above")
        } else {
            ("no", "not above")
        };
        write!(
            f,
            "{what} snapshot: the state ends at {}, {holds} {}, where the newest one ends",
            self.map_end, self.last_snapshot
        )
    }
}
