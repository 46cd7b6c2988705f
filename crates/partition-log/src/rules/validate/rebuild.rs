//! Records that get a new batch around them: those of format v0 and v1, and those that are to be stored without the codec
//! they came with (Kafka: `LogValidator.buildRecordsAndAssignOffsets`, `MemoryRecordsBuilder`).

use super::record_fault;
use super::refusal::{Unbuildable, ValidationError};
use crate::format::batch::{BatchSpec, CorruptReason, DeepRecord, FaultClass, RawHeader, RecordHeader, RecordSpec};

/// A batch of format v2 in the making.
pub(super) struct Rebuild {
    batch: BatchSpec,
}

impl Rebuild {
    /// The producer's fields are those of the first batch.
    pub(super) fn new(first: &RawHeader, base_offset: i64, leader_epoch: i32, append_time: Option<i64>) -> Rebuild {
        Rebuild {
            batch: BatchSpec {
                base_offset,
                leader_epoch,
                append_time,
                producer_id: first.producer_id,
                producer_epoch: first.producer_epoch,
                base_sequence: first.base_sequence,
                transactional: first.is_transactional(),
                ..BatchSpec::default()
            },
        }
    }

    /// Adds a record at the next offset.
    pub(super) fn push(&mut self, position: u64, record: DeepRecord) -> Result<(), ValidationError> {
        readable(position, &record)?;
        let content = record.content.and_then(Result::ok).unwrap_or_default();
        let timestamp = record.timestamp;
        if timestamp < -1 {
            return Err(ValidationError::Unbuildable(Unbuildable::Timestamp { timestamp }));
        }
        self.batch.records.push(RecordSpec {
            offset_delta: self.batch.records.len() as i32,
            timestamp,
            key: content.key,
            value: content.value,
            headers: content.headers.into_iter().map(as_text).collect(),
        });
        Ok(())
    }

    /// The offset behind the last record.
    pub(super) fn next_offset(&self) -> i64 {
        self.batch.base_offset.wrapping_add(self.batch.records.len() as i64)
    }

    /// Largest timestamp of the batch, −1 for none.
    pub(super) fn max_timestamp(&self) -> i64 {
        let timestamps = self.batch.records.iter().map(|record| record.timestamp);
        self.batch.append_time.unwrap_or(timestamps.fold(-1, i64::max))
    }

    /// What keeps the batch from being written, if anything does (Kafka: `MemoryRecordsBuilder.validateProducerState`).
    pub(super) fn refusal(&self) -> Option<Unbuildable> {
        let batch = &self.batch;
        let producer = batch.producer_id != -1;
        if batch.transactional && !producer {
            Some(Unbuildable::TransactionWithoutProducer)
        } else if producer && batch.producer_epoch == -1 {
            Some(Unbuildable::NoEpoch)
        } else if producer && batch.base_sequence < 0 {
            Some(Unbuildable::NoSequence {
                sequence: batch.base_sequence,
            })
        } else if batch.records.is_empty() && batch.append_time.is_some() {
            Some(Unbuildable::Empty)
        } else {
            None
        }
    }

    /// The bytes; none without a record.
    pub(super) fn finish(&self) -> Result<Vec<u8>, ValidationError> {
        if let Some(reason) = self.refusal() {
            return Err(ValidationError::Unbuildable(reason));
        }
        if self.batch.records.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.batch.encode()?)
    }
}

/// Whether key, value and headers of a record were read. Kafka passes over them where it means to keep the batch, and then
/// throws `UnsupportedOperationException` when it has to write it anew.
pub(super) fn readable(position: u64, record: &DeepRecord) -> Result<(), ValidationError> {
    match record.content {
        Some(Ok(_)) => Ok(()),
        Some(Err(fault)) => Err(record_fault(position, fault)),
        None => Err(record_fault(
            position,
            FaultClass::UnsupportedOperation.with(CorruptReason::PassedOver),
        )),
    }
}

/// A header's key is text to Kafka: what is not UTF-8 is replaced.
fn as_text(header: RecordHeader) -> RecordHeader {
    RecordHeader {
        key: String::from_utf8_lossy(&header.key).into_owned().into_bytes(),
        value: header.value,
    }
}
