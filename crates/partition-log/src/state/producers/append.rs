//! What an append means for the producers of its batches (Kafka: `UnifiedLog.analyzeAndValidateProducerState`,
//! `UnifiedLog.updateProducers`, `ProducerAppendInfo`).

use core::fmt;

use crate::error::LogError;
use crate::format::producers::{EndMarker, ProducerEntry, RetainedBatch};
use crate::ordered::OrderedMap;
use crate::rules::producers::{
    BatchKind, CompletedTransaction, CoordinatorCheck, DuplicateCheck, EpochCheck, EpochVerdict, MarkerOutcome,
    OngoingCheck, OngoingVerdict, OpenTransaction, ProducerBatch, ProducerDecision, ProducerError, SequenceCheck,
    TransactionCheck, TransactionVerdict, VerificationEntry, VerificationGuard,
};
use crate::rules::validate::AppendOrigin;
use crate::state::producers::{ProducerChange, ProducerState};
use crate::units::ProducerId;

/// How an append is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProducerAppend {
    /// Where it comes from.
    pub origin: AppendOrigin,
    /// `transaction.version` of the markers in it: 0, 1 or 2. A client's append has none, nor needs a leader's
    /// (Kafka: `TransactionVersion.TV_UNKNOWN`).
    pub transaction_version: Option<i16>,
    /// `transaction.partition.verification.enable`: whether a transaction has to be verified before it begins.
    pub verify: bool,
    /// The ticket of that verification.
    pub guard: Option<VerificationGuard>,
}

/// What an append would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedAppend {
    /// What changes once the batches are written.
    pub changes: Vec<ProducerChange>,
    /// The transactions that complete, in order, after these changes.
    pub completed: Vec<CompletedTransaction>,
    /// The batch that was appended before: nothing is to be written, nor do transactions complete.
    pub duplicate: Option<RetainedBatch>,
}

/// An append that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedAppend {
    /// Why.
    pub error: ProducerError,
    /// What changes all the same: the verifications that batches before the refused one have used up, which a broker
    /// may still have that has just become a follower.
    pub changes: Vec<ProducerChange>,
}

impl fmt::Display for RefusedAppend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl core::error::Error for RefusedAppend {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl From<RefusedAppend> for LogError {
    fn from(refused: RefusedAppend) -> LogError {
        LogError::from(refused.error)
    }
}

/// What an append has found out about one producer (Kafka: `ProducerAppendInfo`).
struct ProducerAppendInfo<'a> {
    /// As known before the append.
    before: &'a ProducerEntry,
    /// As known now; its batches are those of this append.
    now: ProducerEntry,
    started: Vec<OpenTransaction>,
    verification: Option<VerificationEntry>,
}

impl ProducerState {
    /// Checks the batches that have a producer id, and says what is to change. `note` hears of each rule that is asked, of
    /// the refusing one too.
    ///
    /// When the state is read again from the log's records, the origin is [`AppendOrigin::Replication`]
    /// (Kafka: `UnifiedLog.loadProducersFromRecords`, and batch by batch `LogSegment.updateProducerState`).
    ///
    /// # Errors
    ///
    /// [`RefusedAppend`]: nothing is to be written.
    pub fn plan_append(
        &self,
        batches: &[ProducerBatch],
        append: &ProducerAppend,
        note: &mut dyn FnMut(ProducerDecision),
    ) -> Result<PlannedAppend, RefusedAppend> {
        let mut verified = Vec::new();
        let planned = self.check_append(batches, append, &mut verified, note);
        let cleared = verified.into_iter();
        let mut changes: Vec<ProducerChange> = cleared
            .map(|producer_id| ProducerChange::VerificationCleared { producer_id })
            .collect();
        match planned {
            Ok(mut planned) => {
                changes.append(&mut planned.changes);
                Ok(PlannedAppend { changes, ..planned })
            }
            Err(error) => Err(RefusedAppend { error, changes }),
        }
    }

    /// The plan without the verifications that are used up: their producers go to `verified`.
    fn check_append(
        &self,
        batches: &[ProducerBatch],
        append: &ProducerAppend,
        verified: &mut Vec<ProducerId>,
        note: &mut dyn FnMut(ProducerDecision),
    ) -> Result<PlannedAppend, ProducerError> {
        let unknown = ProducerEntry::default();
        let mut planned = PlannedAppend::default();
        let mut producers: OrderedMap<ProducerId, ProducerAppendInfo> = OrderedMap::default();
        for batch in batches {
            let producer_id = batch.producer_id;
            let known = self.entry(producer_id);
            let verification = self
                .verification(producer_id)
                .filter(|_| !verified.contains(&producer_id));
            if append.origin == AppendOrigin::Client {
                let sequences = (batch.first_sequence, batch.last_sequence);
                let check = DuplicateCheck::of(producer_id, batch.epoch, sequences, known);
                note(ProducerDecision::Duplicate(check));
                if check.found.is_some() {
                    planned.completed.clear();
                    planned.duplicate = check.found;
                    producers = OrderedMap::default();
                    break;
                }
            }
            if append.origin != AppendOrigin::Replication && batch.transactional {
                let asked = append.verify && batch.kind == BatchKind::Data;
                let tickets = asked.then(|| (verification.map(|entry| entry.guard), append.guard));
                check_ongoing(OngoingCheck::of(producer_id, batch.epoch, known, tickets), note)?;
            }
            if producers.get(producer_id).is_none() {
                let before = known.unwrap_or(&unknown);
                producers.insert(
                    producer_id,
                    ProducerAppendInfo {
                        before,
                        now: before.without_batches(),
                        started: Vec::new(),
                        verification: verification.copied(),
                    },
                );
            }
            if let Some(found) = producers.get_mut(producer_id) {
                planned.completed.extend(found.append(batch, append, note)?);
            }
            if let Some(entry) = verification.filter(|_| batch.transactional) {
                let control = batch.kind != BatchKind::Data;
                // A producer whose epoch grows may have the next transaction verified before the marker of the last.
                if !(entry.supports_epoch_bump && control && batch.epoch == entry.epoch) {
                    verified.push(producer_id);
                }
            }
        }
        for (producer_id, found) in producers.keys().zip(producers.values()) {
            planned.changes.push(ProducerChange::Updated {
                producer_id,
                entry: found.now.clone(),
                started: found.started.clone(),
            });
        }
        Ok(planned)
    }
}

fn check_ongoing(check: OngoingCheck, note: &mut dyn FnMut(ProducerDecision)) -> Result<(), ProducerError> {
    note(ProducerDecision::Ongoing(check));
    match check.verdict() {
        OngoingVerdict::Ongoing | OngoingVerdict::MayBegin => Ok(()),
        OngoingVerdict::Overtaken => Err(ProducerError::EpochOvertaken(check)),
        OngoingVerdict::NotVerified => Err(ProducerError::NotVerified(check)),
    }
}

impl ProducerAppendInfo<'_> {
    fn append(
        &mut self,
        batch: &ProducerBatch,
        append: &ProducerAppend,
        note: &mut dyn FnMut(ProducerDecision),
    ) -> Result<Option<CompletedTransaction>, ProducerError> {
        match batch.kind {
            BatchKind::Data => self.append_data(batch, append, note).map(|()| None),
            BatchKind::Marker(marker) => self.append_marker(batch, marker, append, note),
            BatchKind::NoMarker(reason) => Err(ProducerError::NoMarker {
                offset: batch.first_offset,
                reason,
            }),
            BatchKind::EmptyControl => Ok(None),
        }
    }

    fn append_data(
        &mut self,
        batch: &ProducerBatch,
        append: &ProducerAppend,
        note: &mut dyn FnMut(ProducerDecision),
    ) -> Result<(), ProducerError> {
        self.check_epoch(batch, None, append.origin, note)?;
        if append.origin == AppendOrigin::Client {
            let check = SequenceCheck::of(batch, self.before, &self.now, self.verification.as_ref());
            note(ProducerDecision::Sequence(check));
            if !check.in_order() {
                return Err(ProducerError::OutOfOrderSequence(check));
            }
        }
        self.now.add_batch(
            batch.epoch,
            RetainedBatch {
                last_sequence: batch.last_sequence,
                last_offset: batch.last_offset,
                // The header has 4 bytes for it.
                offset_delta: batch.last_offset.wrapping_sub(batch.first_offset) as i32,
                timestamp: batch.max_timestamp,
            },
        );
        let check = TransactionCheck {
            producer_id: batch.producer_id,
            offset: batch.first_offset,
            transactional: batch.transactional,
            transaction: self.now.transaction,
        };
        note(ProducerDecision::Transaction(check));
        match check.verdict() {
            TransactionVerdict::Outside | TransactionVerdict::GoesOn => {}
            TransactionVerdict::Refused => return Err(ProducerError::InvalidTransactionState(check)),
            TransactionVerdict::Begins => {
                self.now.transaction = Some(batch.first_offset);
                self.started.push(OpenTransaction {
                    producer_id: batch.producer_id,
                    first_offset: batch.first_offset,
                    place: batch.place,
                });
            }
        }
        Ok(())
    }

    fn append_marker(
        &mut self,
        batch: &ProducerBatch,
        marker: EndMarker,
        append: &ProducerAppend,
        note: &mut dyn FnMut(ProducerDecision),
    ) -> Result<Option<CompletedTransaction>, ProducerError> {
        let origin = append.origin;
        if append.transaction_version.is_none() && origin != AppendOrigin::Replication {
            return Err(ProducerError::NoTransactionVersion { origin });
        }
        // A leader's markers were checked under their version when they were written.
        let version = append.transaction_version.unwrap_or(0);
        self.check_epoch(batch, Some(version), origin, note)?;
        let check = CoordinatorCheck {
            producer_id: batch.producer_id,
            offset: batch.first_offset,
            epoch: marker.coordinator_epoch,
            known_epoch: self.now.coordinator_epoch,
            origin,
        };
        note(ProducerDecision::Coordinator(check));
        if check.fenced() {
            return Err(ProducerError::CoordinatorFenced(check));
        }
        let outcome = MarkerOutcome {
            producer_id: batch.producer_id,
            offset: batch.first_offset,
            commit: marker.commit,
            transaction: self.now.transaction,
        };
        note(ProducerDecision::Marker(outcome));
        self.now
            .end_transaction(batch.epoch, marker.coordinator_epoch, marker.timestamp);
        Ok(outcome.completed())
    }

    fn check_epoch(
        &self,
        batch: &ProducerBatch,
        transaction_version: Option<i16>,
        origin: AppendOrigin,
        note: &mut dyn FnMut(ProducerDecision),
    ) -> Result<(), ProducerError> {
        let check = EpochCheck {
            producer_id: batch.producer_id,
            offset: batch.first_offset,
            epoch: batch.epoch,
            known_epoch: self.now.epoch,
            transaction_version,
            transaction: self.now.transaction,
            origin,
        };
        note(ProducerDecision::Epoch(check));
        match check.verdict() {
            EpochVerdict::Accepted | EpochVerdict::Retried | EpochVerdict::Replicated => Ok(()),
            EpochVerdict::Fenced => Err(ProducerError::InvalidProducerEpoch(check)),
        }
    }
}
