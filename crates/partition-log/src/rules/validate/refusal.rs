//! Why arriving bytes are refused, and what Kafka throws then.

use core::fmt;

use crate::format::batch::{Codec, CorruptReason, EncodeError, FaultClass, RecordFault};
use crate::units::{bytes, duration, moment};

/// A refusal of [`analyze`](super::analyze()) or [`validate`](super::validate), or of a batch that no segment can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum ValidationError {
    /// A batch above `max.message.bytes` (Kafka: `RecordTooLargeException`).
    RecordTooLarge {
        /// Size of the batch in bytes.
        size: u64,
        /// The limit.
        max: u64,
    },
    /// A batch that no segment can hold (Kafka: `RecordBatchTooLargeException`).
    RecordBatchTooLarge {
        /// Size of the batch in bytes.
        size: u64,
        /// `segment.bytes`.
        segment_bytes: u64,
    },
    /// Bytes that are no batch (Kafka: `CorruptRecordException`).
    Corrupt {
        /// First byte of the batch in what was sent.
        position: u64,
        /// What is wrong.
        reason: CorruptReason,
    },
    /// A batch that is not as a producer has to send it (Kafka: `InvalidRecordException`).
    Batch {
        /// Its first byte in what was sent.
        position: u64,
        /// What is wrong.
        reason: InvalidBatch,
    },
    /// Records that do not read (Kafka: what [`FaultClass`] says).
    Records {
        /// First byte of their batch in what was sent.
        position: u64,
        /// What is wrong.
        fault: RecordFault,
    },
    /// Records that read, but may not be appended. One with a wrong timestamp decides on Kafka's name: then it is
    /// `InvalidTimestampException`, otherwise `InvalidRecordException`.
    Rejected {
        /// Every one of them; at least one.
        errors: Vec<RecordError>,
    },
    /// A batch that cannot be written anew (Kafka: `IllegalArgumentException` of `MemoryRecordsBuilder`).
    Unbuildable(Unbuildable),
    /// A batch that grew past all sizes when it was written anew.
    Encode(EncodeError),
    /// A replica's batches whose offsets do not grow (Kafka: `OffsetsOutOfOrderException`).
    OffsetsOutOfOrder {
        /// Last offset of a batch.
        last: i64,
        /// Last offset of the batch behind it.
        next: i64,
    },
    /// A replica's batch below the log end offset (Kafka: `UnexpectedAppendOffsetException`).
    UnexpectedAppendOffset {
        /// First offset of the first batch; its last one where the format does not tell the first.
        offset: i64,
        /// Log end offset.
        log_end: i64,
    },
    /// A batch that the broker would pack anew with a codec: this model does not write compressed records.
    NotModelled {
        /// What it came with.
        from: Codec,
        /// What would pack it.
        to: Codec,
    },
}

/// What is wrong with a batch of a producer (Kafka: `UnifiedLog.analyzeAndValidateRecords`,
/// `LogValidator.validateBatch`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum InvalidBatch {
    /// Its base offset is not 0.
    BaseOffset {
        /// The base offset.
        found: i64,
    },
    /// There is none.
    Missing,
    /// There are several, of format v2 or compressed.
    Several,
    /// Its format is not that of the first batch.
    OtherFormat {
        /// Format of the first batch.
        first: i8,
        /// Its own.
        found: i8,
    },
    /// Its last offset is below the first.
    OffsetRange {
        /// First offset.
        first: i64,
        /// Last offset.
        last: i64,
    },
    /// It says that it holds no record.
    Count {
        /// The number it says.
        count: i32,
    },
    /// It has not as many offsets as records.
    CountMismatch {
        /// First offset.
        first: i64,
        /// Last offset.
        last: i64,
        /// Number of records.
        count: i32,
    },
    /// It is a control batch.
    Control,
    /// It has a producer id, but no sequence number.
    Sequence {
        /// The producer id.
        producer_id: i64,
        /// The sequence number, below 0.
        sequence: i32,
    },
}

/// A record that may not be appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RecordError {
    /// Which one of its batch, from 0.
    pub index: u32,
    /// Why.
    pub reason: RecordErrorReason,
}

/// Why a record may not be appended (Kafka: `LogValidator.validateRecord`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum RecordErrorReason {
    /// It lies in a compressed message of another format.
    OtherFormat {
        /// Format of the message around it.
        batch: i8,
        /// Its own.
        found: i8,
    },
    /// It has no key, which compaction needs.
    NoKey,
    /// Its timestamp is too far from the broker's clock.
    Timestamp {
        /// The timestamp in milliseconds.
        timestamp: i64,
        /// The broker's clock in milliseconds.
        now: i64,
        /// The setting that limits the distance.
        key: &'static str,
        /// Its value.
        limit_ms: i64,
    },
    /// Its batch says that the broker set its timestamp, which a producer cannot know (LogAppendTime).
    AppendTime,
}

/// What keeps a batch from being written anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Unbuildable {
    /// A timestamp below 0 that is not −1.
    Timestamp {
        /// The timestamp.
        timestamp: i64,
    },
    /// Records of a transaction without a producer id.
    TransactionWithoutProducer,
    /// A producer id without an epoch.
    NoEpoch,
    /// A producer id without a sequence number.
    NoSequence {
        /// The sequence number, below 0.
        sequence: i32,
    },
    /// No record, where the broker's clock is to be their timestamp (Kafka: `NullPointerException` in
    /// `MemoryRecordsBuilder.info`).
    Empty,
}

impl ValidationError {
    /// Kafka's name for it; `None` where the model goes no further.
    pub fn kafka_name(&self) -> Option<&'static str> {
        Some(match self {
            ValidationError::RecordTooLarge { .. } => "RecordTooLargeException",
            ValidationError::RecordBatchTooLarge { .. } => "RecordBatchTooLargeException",
            ValidationError::Corrupt { .. } => "CorruptRecordException",
            ValidationError::Rejected { .. } if self.is_about_time() => "InvalidTimestampException",
            ValidationError::Rejected { .. } => "InvalidRecordException",
            ValidationError::Batch { .. } => "InvalidRecordException",
            ValidationError::Records { fault, .. } => return fault.class.kafka_name(),
            ValidationError::Unbuildable(Unbuildable::Empty) => "NullPointerException",
            ValidationError::Unbuildable(_) => "IllegalArgumentException",
            ValidationError::OffsetsOutOfOrder { .. } => "OffsetsOutOfOrderException",
            ValidationError::UnexpectedAppendOffset { .. } => "UnexpectedAppendOffsetException",
            ValidationError::Encode(_) | ValidationError::NotModelled { .. } => return None,
        })
    }

    /// A short name for scripts and the page.
    pub fn code(&self) -> &'static str {
        match self {
            ValidationError::RecordTooLarge { .. } => "record-too-large",
            ValidationError::RecordBatchTooLarge { .. } => "record-batch-too-large",
            ValidationError::Corrupt { .. } => "corrupt-batch",
            ValidationError::Rejected { .. } if self.is_about_time() => "invalid-timestamp",
            ValidationError::Rejected { .. } => "invalid-record",
            ValidationError::Batch { .. } => "invalid-record",
            ValidationError::Records { fault, .. } => match fault.class {
                FaultClass::InvalidRecord => "invalid-record",
                FaultClass::Corrupt => "corrupt-batch",
                FaultClass::NotModelled => "not-modelled",
                _ => "unreadable-records",
            },
            ValidationError::Unbuildable(_) => "unbuildable",
            ValidationError::Encode(error) => error.code(),
            ValidationError::OffsetsOutOfOrder { .. } => "offsets-out-of-order",
            ValidationError::UnexpectedAppendOffset { .. } => "unexpected-append-offset",
            ValidationError::NotModelled { .. } => "not-modelled",
        }
    }

    fn is_about_time(&self) -> bool {
        let ValidationError::Rejected { errors } = self else {
            return false;
        };
        errors.iter().any(|error| {
            matches!(
                error.reason,
                RecordErrorReason::Timestamp { .. } | RecordErrorReason::AppendTime
            )
        })
    }
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValidationError::RecordTooLarge { size, max } => write!(
                f,
                "a batch of {} is larger than max.message.bytes, {}",
                bytes(*size as i64),
                bytes(*max as i64)
            ),
            ValidationError::RecordBatchTooLarge { size, segment_bytes } => write!(
                f,
                "a batch of {} fits no segment: segment.bytes is {}, and a batch is never divided",
                bytes(*size as i64),
                bytes(*segment_bytes as i64)
            ),
            ValidationError::Corrupt { position, reason } => {
                write!(f, "no valid batch at byte {position}: {reason}")
            }
            ValidationError::Rejected { errors } => {
                for (index, error) in errors.iter().take(3).enumerate() {
                    let between = if index == 0 { "" } else { "; " };
                    write!(f, "{between}record {}: {}", error.index, error.reason)?;
                }
                match errors.len().saturating_sub(3) {
                    0 => Ok(()),
                    more => write!(f, "; and {more} more"),
                }
            }
            ValidationError::Batch { position, reason } => {
                write!(f, "the batch at byte {position} is refused: {reason}")
            }
            ValidationError::Records { position, fault } => {
                write!(f, "the batch at byte {position} does not read: {}", fault.reason)
            }
            ValidationError::Encode(error) => error.fmt(f),
            ValidationError::Unbuildable(reason) => write!(f, "the batch cannot be written anew: {reason}"),
            ValidationError::OffsetsOutOfOrder { last, next } => {
                write!(f, "a batch that ends at offset {next} follows one that ends at {last}")
            }
            ValidationError::UnexpectedAppendOffset { offset, log_end } => {
                write!(f, "offset {offset} is below the log end, {log_end}")
            }
            ValidationError::NotModelled { from, to } => write!(
                f,
                "the broker would write it anew with {to} (it came with {from}), which is not modelled: \
                 use compression.type producer or uncompressed"
            ),
        }
    }
}

impl fmt::Display for InvalidBatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidBatch::BaseOffset { found } => write!(f, "a producer sends base offset 0, not {found}"),
            InvalidBatch::Missing => f.write_str("there is none"),
            InvalidBatch::Several => f.write_str("only one may come in a request"),
            InvalidBatch::OtherFormat { first, found } => {
                write!(f, "it has format {found}, the first one format {first}")
            }
            InvalidBatch::OffsetRange { first, last } => {
                write!(f, "its last offset, {last}, is below the first, {first}")
            }
            InvalidBatch::Count { count } => write!(f, "it says that it holds {count} records"),
            InvalidBatch::CountMismatch { first, last, count } => {
                write!(f, "offsets {first} to {last} do not count {count} records")
            }
            InvalidBatch::Control => f.write_str("control records are the broker's to write"),
            InvalidBatch::Sequence { producer_id, sequence } => {
                write!(f, "producer {producer_id} sends the sequence number {sequence}")
            }
        }
    }
}

impl fmt::Display for RecordErrorReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordErrorReason::Timestamp {
                timestamp,
                now,
                key,
                limit_ms,
            } => write!(
                f,
                "the timestamp {} is more than {} away from the clock, {}: see {key}",
                moment(*timestamp),
                duration(*limit_ms),
                moment(*now)
            ),
            RecordErrorReason::OtherFormat { batch, found } => {
                write!(f, "it has format {found} inside a message of format {batch}")
            }
            RecordErrorReason::NoKey => f.write_str("a compacted topic takes no record without a key"),
            RecordErrorReason::AppendTime => f.write_str("only the broker sets LogAppendTime"),
        }
    }
}

impl fmt::Display for Unbuildable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unbuildable::Timestamp { timestamp } => write!(f, "a timestamp is {timestamp}"),
            Unbuildable::TransactionWithoutProducer => f.write_str("it belongs to a transaction of no producer"),
            Unbuildable::NoEpoch => f.write_str("its producer has no epoch"),
            Unbuildable::NoSequence { sequence } => write!(f, "its sequence number is {sequence}"),
            Unbuildable::Empty => f.write_str("it has no record that could take the broker's clock"),
        }
    }
}

impl From<EncodeError> for ValidationError {
    fn from(error: EncodeError) -> Self {
        ValidationError::Encode(error)
    }
}

impl core::error::Error for ValidationError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            ValidationError::Corrupt { reason, .. } => Some(reason),
            ValidationError::Records { fault, .. } => Some(fault),
            ValidationError::Encode(error) => Some(error),
            _ => None,
        }
    }
}
