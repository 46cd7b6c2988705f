//! The rules for a producer's batch, each a value with its operands (Kafka: `ProducerAppendInfo`,
//! `UnifiedLog.analyzeAndValidateProducerState`).

use crate::format::producers::{NO_EPOCH, NO_SEQUENCE, ProducerEntry, RetainedBatch, next_sequence};
use crate::rules::clause::{Clause, ClauseName, Exemption, Operand, Relation, Term, Unit};
use crate::rules::producers::{CompletedTransaction, NextStable, ProducerBatch, VerificationEntry, VerificationGuard};
use crate::rules::validate::AppendOrigin;
use crate::units::ProducerId;

/// A rule that was asked on the way to an append, with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum ProducerDecision {
    /// Was this batch appended before?
    Duplicate(DuplicateCheck),
    /// Does a transactional batch go on with an open transaction?
    Ongoing(OngoingCheck),
    /// Is the producer's epoch the newest?
    Epoch(EpochCheck),
    /// Does the sequence number follow?
    Sequence(SequenceCheck),
    /// Does the batch belong to the transaction that is open?
    Transaction(TransactionCheck),
    /// Is the coordinator's epoch the newest?
    Coordinator(CoordinatorCheck),
    /// What does a marker end?
    Marker(MarkerOutcome),
    /// How far are records decided when a transaction completes?
    NextStable(NextStable),
}

/// Whether a producer sends a batch again: same epoch, same first and last sequence number as one of the batches
/// remembered (Kafka: `ProducerStateEntry.findDuplicateBatch`). Asked of clients' batches only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DuplicateCheck {
    /// Which producer.
    pub producer_id: ProducerId,
    /// Epoch of the batch.
    pub epoch: i16,
    /// Its first sequence number.
    pub first_sequence: i32,
    /// Its last sequence number.
    pub last_sequence: i32,
    /// Epoch known; `None` for a producer that is not.
    pub known_epoch: Option<i16>,
    /// How many batches are remembered.
    pub retained: usize,
    /// The batch appended before: the producer gets its offsets, and nothing is written.
    pub found: Option<RetainedBatch>,
}

impl DuplicateCheck {
    pub(crate) fn of(
        producer_id: ProducerId,
        epoch: i16,
        sequences: (i32, i32),
        entry: Option<&ProducerEntry>,
    ) -> DuplicateCheck {
        let (first_sequence, last_sequence) = sequences;
        let same_epoch = entry.filter(|entry| entry.epoch == epoch);
        DuplicateCheck {
            producer_id,
            epoch,
            first_sequence,
            last_sequence,
            known_epoch: entry.map(|entry| entry.epoch),
            retained: entry.map_or(0, |entry| entry.batches().len()),
            found: same_epoch.and_then(|entry| entry.batch_with(first_sequence, last_sequence)),
        }
    }
}

/// Whether a transactional batch goes on with an open transaction, and may begin one where it does not
/// (Kafka: `UnifiedLog.analyzeAndValidateProducerState`, `batchMissingRequiredVerification`). Not asked of a leader's
/// batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OngoingCheck {
    /// Which producer.
    pub producer_id: ProducerId,
    /// Epoch of the batch.
    pub epoch: i16,
    /// Epoch known; `None` for a producer that is not.
    pub known_epoch: Option<i16>,
    /// First offset of the transaction known to be open.
    pub transaction: Option<i64>,
    /// Where the topic's broker verifies transactions: the ticket handed out, and the one that the append brings.
    pub tickets: Option<(Option<VerificationGuard>, Option<VerificationGuard>)>,
}

/// The answer of an [`OngoingCheck`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum OngoingVerdict {
    /// The transaction is open.
    Ongoing,
    /// A transaction may begin.
    MayBegin,
    /// The epoch is below the one known: refused.
    Overtaken,
    /// The append brings no ticket, or another: refused.
    NotVerified,
}

impl OngoingCheck {
    pub(crate) fn of(
        producer_id: ProducerId,
        epoch: i16,
        entry: Option<&ProducerEntry>,
        tickets: Option<(Option<VerificationGuard>, Option<VerificationGuard>)>,
    ) -> OngoingCheck {
        OngoingCheck {
            producer_id,
            epoch,
            known_epoch: entry.map(|entry| entry.epoch),
            transaction: entry.and_then(|entry| entry.transaction),
            tickets,
        }
    }

    /// The answer.
    pub fn verdict(&self) -> OngoingVerdict {
        match (self.known_epoch, self.tickets) {
            (Some(known), _) if self.transaction.is_some() && self.epoch == known => OngoingVerdict::Ongoing,
            (Some(known), _) if self.epoch < known => OngoingVerdict::Overtaken,
            (_, Some((handed_out, brought))) if brought.is_none() || brought != handed_out => {
                OngoingVerdict::NotVerified
            }
            _ => OngoingVerdict::MayBegin,
        }
    }
}

/// Whether a batch's epoch is the newest of its producer (Kafka: `ProducerAppendInfo.checkProducerEpoch`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EpochCheck {
    /// Which producer.
    pub producer_id: ProducerId,
    /// First offset of the batch.
    pub offset: i64,
    /// Epoch of the batch.
    pub epoch: i16,
    /// Epoch known; −1 for none.
    pub known_epoch: i16,
    /// `transaction.version` of a marker: from 2 on each transaction has a larger epoch. `None` for records.
    pub transaction_version: Option<i16>,
    /// First offset of the open transaction.
    pub transaction: Option<i64>,
    /// Where the batch comes from.
    pub origin: AppendOrigin,
}

/// The answer of an [`EpochCheck`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum EpochVerdict {
    /// The epoch is new enough.
    Accepted,
    /// A marker sent again, whose transaction is complete: written once more.
    Retried,
    /// Too old, but the leader has accepted it.
    Replicated,
    /// Too old: refused.
    Fenced,
}

impl EpochCheck {
    /// Whether the epoch has to be above the one known, rather than at it.
    pub fn must_grow(&self) -> bool {
        self.transaction_version.is_some_and(|version| version >= 2)
    }

    /// The epoch compared with the one known.
    pub fn clause(&self) -> Clause {
        Clause::value(
            ClauseName::ProducerEpoch,
            Operand::new(self.epoch.into(), Term::Epoch),
            if self.must_grow() {
                Relation::Above
            } else {
                Relation::AtLeast
            },
            Operand::new(self.known_epoch.into(), Term::KnownEpoch),
            Unit::Number,
        )
    }

    /// The answer.
    pub fn verdict(&self) -> EpochVerdict {
        if self.clause().holds {
            EpochVerdict::Accepted
        } else if self.epoch == self.known_epoch && (self.transaction.is_none() || self.epoch == i16::MAX) {
            // Only reached where the epoch must grow; the largest one has nowhere to grow to.
            EpochVerdict::Retried
        } else if self.origin == AppendOrigin::Replication {
            EpochVerdict::Replicated
        } else {
            EpochVerdict::Fenced
        }
    }
}

/// Whether a batch's first sequence number follows (Kafka: `ProducerAppendInfo.checkSequence`). Asked of clients' batches
/// only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SequenceCheck {
    /// Which producer.
    pub producer_id: ProducerId,
    /// First offset of the batch.
    pub offset: i64,
    /// Epoch of the batch.
    pub epoch: i16,
    /// Its first sequence number.
    pub first_sequence: i32,
    /// Epoch known, the earlier batches of this append included; −1 for none.
    pub known_epoch: i16,
    /// Epoch known before this append; −1 for none.
    pub epoch_before: i16,
    /// Last sequence number known in the batch's epoch; −1 for none.
    pub last_sequence: i32,
    /// Whether batches of the producer were known before this append.
    pub batches_known: bool,
    /// Smallest first sequence number seen when the transaction was verified.
    pub lowest_verified: Option<i32>,
    /// Whether it was verified for a producer whose epoch grows with each transaction.
    pub supports_epoch_bump: bool,
}

/// Which rule settles a [`SequenceCheck`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequenceRule {
    /// A verified producer of which no batch is known begins at 0.
    VerifiedFirst,
    /// Nothing comes before what was verified.
    VerifiedLowest,
    /// Nothing is known that it could follow: any number will do.
    Unknown,
    /// A new epoch begins at 0.
    NewEpoch,
    /// The next number, and 0 after 2^31 − 1.
    Next,
}

impl SequenceCheck {
    pub(crate) fn of(
        batch: &ProducerBatch,
        before: &ProducerEntry,
        now: &ProducerEntry,
        verification: Option<&VerificationEntry>,
    ) -> SequenceCheck {
        let last_sequence = match now.last_batch() {
            Some(last) => last.last_sequence,
            None if batch.epoch == before.epoch => before.last_sequence(),
            None => NO_SEQUENCE,
        };
        SequenceCheck {
            producer_id: batch.producer_id,
            offset: batch.first_offset,
            epoch: batch.epoch,
            first_sequence: batch.first_sequence,
            known_epoch: now.epoch,
            epoch_before: before.epoch,
            last_sequence,
            batches_known: before.last_batch().is_some(),
            lowest_verified: verification.map(|entry| entry.lowest_sequence),
            supports_epoch_bump: verification.is_some_and(|entry| entry.supports_epoch_bump),
        }
    }

    /// The rule that settles it: the first, in Kafka's order, that has something to say.
    pub fn rule(&self) -> SequenceRule {
        if self.supports_epoch_bump && self.first_sequence != 0 && !self.batches_known {
            return SequenceRule::VerifiedFirst;
        }
        if self.lowest_verified.is_some_and(|lowest| self.first_sequence > lowest) {
            return SequenceRule::VerifiedLowest;
        }
        let same_epoch = self.epoch == self.known_epoch;
        let earlier = if same_epoch {
            self.epoch_before
        } else {
            self.known_epoch
        };
        match (earlier, same_epoch) {
            (NO_EPOCH, _) => SequenceRule::Unknown,
            (_, false) => SequenceRule::NewEpoch,
            (_, true) => SequenceRule::Next,
        }
    }

    /// The number that the rule asks for; for [`SequenceRule::VerifiedLowest`] the largest; `None` for any.
    pub fn expected(&self) -> Option<i32> {
        match self.rule() {
            SequenceRule::Unknown => None,
            SequenceRule::VerifiedFirst | SequenceRule::NewEpoch => Some(0),
            SequenceRule::VerifiedLowest => self.lowest_verified,
            SequenceRule::Next => Some(next_sequence(self.last_sequence)),
        }
    }

    /// The sequence number compared with the one that the rule asks for.
    pub fn clause(&self) -> Clause {
        let relation = match self.rule() {
            SequenceRule::VerifiedLowest => Relation::AtMost,
            _ => Relation::Equal,
        };
        let (expected, exempt) = match self.expected() {
            Some(expected) => (expected, false),
            None => (self.first_sequence, true),
        };
        let clause = Clause::value(
            ClauseName::Sequence,
            Operand::new(self.first_sequence.into(), Term::Sequence),
            relation,
            Operand::new(expected.into(), Term::ExpectedSequence),
            Unit::Number,
        );
        if exempt {
            clause.exempt(Exemption::NoneKnown, true)
        } else {
            clause
        }
    }

    /// Whether the batch may come.
    pub fn in_order(&self) -> bool {
        self.clause().holds
    }
}

/// Whether a batch of records belongs to the transaction that its producer has open
/// (Kafka: `ProducerAppendInfo.appendDataBatch`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TransactionCheck {
    /// Which producer.
    pub producer_id: ProducerId,
    /// First offset of the batch.
    pub offset: i64,
    /// Whether the batch is transactional.
    pub transactional: bool,
    /// First offset of the open transaction.
    pub transaction: Option<i64>,
}

/// The answer of a [`TransactionCheck`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum TransactionVerdict {
    /// There is no transaction.
    Outside,
    /// A transaction begins with this batch.
    Begins,
    /// The open transaction goes on.
    GoesOn,
    /// The batch is outside the open transaction: refused.
    Refused,
}

impl TransactionCheck {
    /// The answer.
    pub fn verdict(&self) -> TransactionVerdict {
        match (self.transaction.is_some(), self.transactional) {
            (false, false) => TransactionVerdict::Outside,
            (false, true) => TransactionVerdict::Begins,
            (true, true) => TransactionVerdict::GoesOn,
            (true, false) => TransactionVerdict::Refused,
        }
    }
}

/// Whether a marker comes from the newest coordinator (Kafka: `ProducerAppendInfo.checkCoordinatorEpoch`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CoordinatorCheck {
    /// Which producer.
    pub producer_id: ProducerId,
    /// Offset of the marker.
    pub offset: i64,
    /// Epoch of the coordinator that wrote it.
    pub epoch: i32,
    /// Epoch of the coordinator known; −1 for none.
    pub known_epoch: i32,
    /// Where the marker comes from.
    pub origin: AppendOrigin,
}

impl CoordinatorCheck {
    /// The epoch is below the one known.
    pub fn overtaken(&self) -> bool {
        !self.clause().holds
    }

    /// The coordinator's epoch compared with the one known.
    pub fn clause(&self) -> Clause {
        Clause::value(
            ClauseName::CoordinatorEpoch,
            Operand::new(self.epoch.into(), Term::Epoch),
            Relation::AtLeast,
            Operand::new(self.known_epoch.into(), Term::KnownEpoch),
            Unit::Number,
        )
    }

    /// Whether the marker is refused: what the leader has accepted is taken over.
    pub fn fenced(&self) -> bool {
        self.overtaken() && self.origin != AppendOrigin::Replication
    }
}

/// What a marker ends (Kafka: `ProducerAppendInfo.appendEndTxnMarker`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MarkerOutcome {
    /// Which producer.
    pub producer_id: ProducerId,
    /// Offset of the marker.
    pub offset: i64,
    /// COMMIT, or else ABORT.
    pub commit: bool,
    /// First offset of the open transaction; without one the marker ends nothing.
    pub transaction: Option<i64>,
}

impl MarkerOutcome {
    /// The transaction that completes.
    pub fn completed(&self) -> Option<CompletedTransaction> {
        self.transaction.map(|first_offset| CompletedTransaction {
            producer_id: self.producer_id,
            first_offset,
            last_offset: self.offset,
            aborted: !self.commit,
        })
    }
}
