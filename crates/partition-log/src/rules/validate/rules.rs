//! The rules for one batch and for one record, each in Kafka's order.

use super::refusal::{InvalidBatch, RecordError, RecordErrorReason, ValidationError};
use super::{AppendOrigin, record_fault};
use crate::config::Settings;
use crate::format::batch::{Codec, DeepRecord, FaultClass, RECORD_SIZE_MAX, RawHeader};
use crate::units::TimestampMs;

/// What the topic's settings say about arriving records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValidationRules {
    /// `max.message.bytes`: largest batch, in bytes.
    pub max_message_bytes: u64,
    /// `message.timestamp.type` is LogAppendTime: records take the broker's clock.
    pub append_time: bool,
    /// `message.timestamp.before.max.ms`: how far a timestamp may lie behind the broker's clock.
    pub before_max_ms: i64,
    /// `message.timestamp.after.max.ms`: how far it may lie ahead.
    pub after_max_ms: i64,
    /// `cleanup.policy` holds compact: every record needs a key.
    pub compacted: bool,
    /// `compression.type`.
    pub compression: CompressionSetting,
    /// `max.decompressed.message.bytes`: largest record of a compressed batch, in bytes.
    pub record_max: i32,
}

/// The values of `compression.type` (Kafka: `BrokerCompressionType`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompressionSetting {
    /// `producer`: batches keep their codec.
    #[default]
    Producer,
    /// One codec for all; [`Codec::None`] is `uncompressed`.
    Codec(Codec),
}

impl CompressionSetting {
    /// What a batch that came with a codec is to be stored with.
    pub fn target(self, source: Codec) -> Codec {
        match self {
            CompressionSetting::Producer => source,
            CompressionSetting::Codec(codec) => codec,
        }
    }
}

impl ValidationRules {
    /// The rules under these settings, for a topic with `cleanup.policy=delete`.
    pub fn of(settings: &Settings) -> ValidationRules {
        ValidationRules {
            max_message_bytes: settings.max_message_bytes as u64,
            append_time: settings.log_append_time(),
            before_max_ms: settings.message_timestamp_before_max_ms,
            after_max_ms: settings.message_timestamp_after_max_ms,
            compacted: false,
            compression: CompressionSetting::Producer,
            record_max: RECORD_SIZE_MAX,
        }
    }

    /// Why a record of a batch may not be appended at `now`, if it may not (Kafka: `LogValidator.validateRecord`).
    ///
    /// # Errors
    ///
    /// [`ValidationError::Corrupt`] for a message in a compressed one whose own checksum is wrong.
    pub(super) fn record_error(
        &self,
        batch: &RawHeader,
        position: u64,
        record: &DeepRecord,
        now: i64,
    ) -> Result<Option<RecordErrorReason>, ValidationError> {
        if batch.magic < 2 && record.magic != batch.magic {
            describable(position, record)?;
            return Ok(Some(RecordErrorReason::OtherFormat {
                batch: batch.magic,
                found: record.magic,
            }));
        }
        record
            .checksum
            .map_err(|reason| record_fault(position, FaultClass::Corrupt.with(reason)))?;
        if self.compacted && !record.has_key {
            return Ok(Some(RecordErrorReason::NoKey));
        }
        let error = self.time_error(batch.append_time().is_some(), record.timestamp, now);
        if error == Some(RecordErrorReason::AppendTime) {
            describable(position, record)?;
        }
        Ok(error)
    }

    /// A record without a timestamp passes unless its batch claims the broker's (Kafka: `LogValidator.validateTimestamp`,
    /// whose subtraction wraps too).
    fn time_error(&self, claims: bool, timestamp: i64, now: i64) -> Option<RecordErrorReason> {
        if self.append_time || timestamp == -1 {
            return claims.then_some(RecordErrorReason::AppendTime);
        }
        let behind = now.wrapping_sub(timestamp);
        let (limit_ms, key) = if behind > self.before_max_ms {
            (self.before_max_ms, "message.timestamp.before.max.ms")
        } else if behind.wrapping_neg() > self.after_max_ms {
            (self.after_max_ms, "message.timestamp.after.max.ms")
        } else {
            return None;
        };
        Some(RecordErrorReason::Timestamp {
            timestamp,
            now,
            key,
            limit_ms,
        })
    }
}

/// Whether records that all have one timestamp may be appended at `now`; the batch does not claim the broker's.
///
/// # Errors
///
/// [`ValidationError::Rejected`] with every record.
pub(crate) fn check_timestamps(
    rules: &ValidationRules,
    timestamp: Option<TimestampMs>,
    records: u32,
    now: TimestampMs,
) -> Result<(), ValidationError> {
    let timestamp = timestamp.map_or(-1, TimestampMs::get);
    match rules.time_error(false, timestamp, now.get()) {
        Some(reason) => {
            let errors = (0..records).map(|index| RecordError { index, reason }).collect();
            Err(ValidationError::Rejected { errors })
        }
        None => Ok(()),
    }
}

/// Whether Kafka gets its message about a record together, which tells the lengths of key and value (Kafka:
/// `LegacyRecord.toString`).
fn describable(position: u64, record: &DeepRecord) -> Result<(), ValidationError> {
    match record.content {
        Some(Err(fault)) => Err(record_fault(position, fault)),
        _ => Ok(()),
    }
}

/// What is wrong with a batch as a whole, if anything is; `first` is the format of the first one (Kafka:
/// `LogValidator.validateBatch`).
pub(super) fn batch_error(first: i8, batch: &RawHeader, origin: AppendOrigin) -> Option<InvalidBatch> {
    if batch.magic != first {
        return Some(InvalidBatch::OtherFormat {
            first,
            found: batch.magic,
        });
    }
    if origin != AppendOrigin::Client {
        return None;
    }
    if let Some(count) = batch.count {
        let (first, last) = (batch.base_offset, batch.last_offset());
        let offsets = last.wrapping_sub(first).wrapping_add(1);
        if offsets <= 0 {
            return Some(InvalidBatch::OffsetRange { first, last });
        }
        if count <= 0 {
            return Some(InvalidBatch::Count { count });
        }
        if offsets != i64::from(count) {
            return Some(InvalidBatch::CountMismatch { first, last, count });
        }
    }
    if batch.is_control() {
        return Some(InvalidBatch::Control);
    }
    if batch.has_producer_id() && batch.base_sequence < 0 {
        return Some(InvalidBatch::Sequence {
            producer_id: batch.producer_id,
            sequence: batch.base_sequence,
        });
    }
    None
}
