//! Tests of the producer state, by a log that consists of offsets only. Names that begin with `t` and a number are cases
//! of Kafka's own unit tests.

mod append;
mod markers;
mod reference;
mod snapshots;
mod stable;

use super::*;
use crate::format::batch::increment_sequence;
use crate::format::index::AbortedTransaction;
use crate::format::producers::*;
use crate::rules::producers::*;
use crate::rules::validate::AppendOrigin;
use crate::units::Offset;

pub(super) fn offset(value: i64) -> Offset {
    Offset::new(value).expect("not negative")
}

pub(super) fn id(value: i64) -> ProducerId {
    ProducerId::new(value)
}

/// A producer's batch of records, offsets to be given; the timestamp is the first sequence number.
pub(super) fn data(producer: i64, epoch: i16, first_sequence: i32, records: i32) -> ProducerBatch {
    ProducerBatch {
        producer_id: id(producer),
        epoch,
        first_sequence,
        last_sequence: increment_sequence(first_sequence, records - 1),
        first_offset: 0,
        last_offset: i64::from(records) - 1,
        max_timestamp: i64::from(first_sequence),
        transactional: false,
        kind: BatchKind::Data,
        place: None,
    }
}

/// The same within a transaction.
pub(super) fn transactional(producer: i64, epoch: i16, first_sequence: i32, records: i32) -> ProducerBatch {
    ProducerBatch {
        transactional: true,
        ..data(producer, epoch, first_sequence, records)
    }
}

/// A marker.
pub(super) fn marker(producer: i64, epoch: i16, commit: bool, coordinator_epoch: i32) -> ProducerBatch {
    ProducerBatch {
        first_sequence: -1,
        last_sequence: -1,
        max_timestamp: 0,
        kind: BatchKind::Marker(EndMarker {
            commit,
            coordinator_epoch,
            timestamp: 0,
        }),
        ..transactional(producer, epoch, 0, 1)
    }
}

/// A log without bytes: the state, and what surrounds it.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    pub state: ProducerState,
    pub end: i64,
    pub start: i64,
    pub high_watermark: i64,
    /// The transaction index of all segments.
    pub aborted: Vec<AbortedTransaction>,
    /// What was decided last.
    pub decisions: Vec<ProducerDecision>,
}

impl Log {
    pub fn apply(&mut self, changes: impl IntoIterator<Item = ProducerChange>) {
        for change in changes {
            self.state.apply(&change);
        }
    }

    /// A client's records, or a coordinator's marker of `transaction.version` 0.
    pub fn append(&mut self, batch: ProducerBatch) -> Result<Option<RetainedBatch>, ProducerError> {
        match batch.kind {
            BatchKind::Data => self.append_as(batch, &ProducerAppend::default()),
            _ => self.append_as(batch, &marker_append(0)),
        }
    }

    /// A batch from the leader.
    pub fn replicate(&mut self, batch: ProducerBatch) -> Result<Option<RetainedBatch>, ProducerError> {
        let append = ProducerAppend {
            origin: AppendOrigin::Replication,
            ..ProducerAppend::default()
        };
        self.append_as(batch, &append)
    }

    /// One batch at the end of the log; a duplicate is given back.
    pub fn append_as(
        &mut self,
        mut batch: ProducerBatch,
        append: &ProducerAppend,
    ) -> Result<Option<RetainedBatch>, ProducerError> {
        let records = batch.last_offset - batch.first_offset + 1;
        batch.first_offset = self.end;
        batch.last_offset = self.end + records - 1;
        self.decisions.clear();
        let decisions = &mut self.decisions;
        let planned = self
            .state
            .plan_append(&[batch], append, &mut |decision| decisions.push(decision))
            .map_err(|refused| refused.error)?;
        if planned.duplicate.is_none() {
            self.end += records;
            self.apply(planned.changes);
            for completed in planned.completed {
                self.aborted.extend(self.state.next_stable(completed).aborted_entry());
                let change = self.state.complete(completed)?;
                self.apply([change]);
            }
            self.apply([ProducerChange::MapEnd(offset(self.end))]);
        }
        Ok(planned.duplicate)
    }

    /// Records without a producer id.
    pub fn plain(&mut self, records: i64) {
        self.end += records;
        self.apply([ProducerChange::MapEnd(offset(self.end))]);
    }

    pub fn replicated_to(&mut self, high_watermark: i64) {
        self.high_watermark = high_watermark;
        let change = self.state.on_high_watermark(offset(high_watermark));
        self.apply(change);
    }

    /// Settles the first unstable offset anew; every record is a batch of its own.
    pub fn first_unstable(&mut self) -> Option<i64> {
        let mut settled = self.state.first_unstable(offset(self.start));
        settled.found = settled.lookup().map(|offset| Unstable { offset, place: None });
        self.apply([ProducerChange::FirstUnstable(settled.unstable())]);
        settled.offset().map(Offset::get)
    }

    pub fn last_stable(&mut self) -> i64 {
        self.first_unstable();
        self.state.last_stable(offset(self.high_watermark)).offset().get()
    }
}

/// How a coordinator appends a marker.
pub(super) fn marker_append(transaction_version: i16) -> ProducerAppend {
    ProducerAppend {
        origin: AppendOrigin::Coordinator,
        transaction_version: Some(transaction_version),
        ..ProducerAppend::default()
    }
}

/// Kafka's name for a refusal.
pub(super) fn refused<T>(result: Result<T, ProducerError>) -> &'static str {
    result.map_or_else(|error| error.kafka_name(), |_| "accepted")
}
