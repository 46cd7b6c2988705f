//! Refusals: what was asked, why it cannot be, and Kafka's name for it. One public error, over those of files, formats and
//! rules, which it may know.

use core::fmt;

use crate::config::{PropertiesError, SettingError};
#[cfg(feature = "std")]
use crate::disk::DirectoryError;
use crate::disk::{FileName, VfsError};
use crate::format::batch::{BadBatch, CorruptReason, EncodeError, FaultClass, RecordFault};
use crate::format::checkpoint::CheckpointFault;
#[cfg(feature = "std")]
use crate::format::clean_shutdown::CleanShutdownFault;
use crate::format::index::{IndexError, TransactionIndexError};
#[cfg(feature = "std")]
use crate::format::metadata::{NotATopicId, PartitionMetadataFault};
use crate::format::producers::{CorruptSnapshot, MarkerError};
use crate::rules::producers::ProducerError;
use crate::rules::validate::ValidationError;
use crate::units::{Offset, TimestampMs, UnitError};

/// What to make of a [`LogError`]: which of the caller, the sender or the files is to be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An offset or a high watermark outside the log: ask within [`LogError::range`].
    OutOfRange,
    /// A batch that the broker refuses; another one may be taken.
    BatchRefused,
    /// The operation does not go with what the partition is now: stopped, later, or under a newer epoch.
    State,
    /// A setting, or a value that it cannot have.
    Setting,
    /// Bytes in a file, or its name, that Kafka does not read either.
    Corrupt,
    /// A file that is not there, or is there already.
    Filesystem,
    /// A number that no offset, position or timestamp can be.
    Number,
}

/// Why an operation was refused. Nothing was written, unless the partition's steps say so.
///
/// The one error of this crate: every other one is a part of it, and `?` makes the whole of the part. What it is about
/// answers [`kind`](LogError::kind); Kafka's exception, where there is one, [`kafka_name`](LogError::kafka_name); a
/// word that stays the same over releases, [`code`](LogError::code). Errors from below are its
/// [`source`](core::error::Error::source).
///
/// ```
/// use partition_log::{ErrorKind, LogError, Offset, Partition};
///
/// fn cut(partition: &mut Partition) -> Result<(), LogError> {
///     partition.delete_records(Offset::try_from(7)?)
/// }
///
/// let mut partition = Partition::create(Default::default(), 0)?;
/// let error = cut(&mut partition).expect_err("the log is empty");
/// assert_eq!(error.kind(), ErrorKind::OutOfRange);
/// assert_eq!(error.kafka_name(), Some("OffsetOutOfRangeException"));
/// assert_eq!(error.range(), Some((Offset::ZERO, Offset::ZERO)));
/// # Ok::<(), LogError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum LogError {
    /// A batch that cannot be made.
    Encode(EncodeError),
    /// An offset outside the log (Kafka: `OffsetOutOfRangeException`).
    OffsetOutOfRange {
        /// The offset asked for.
        requested: Offset,
        /// First offset that may be asked for.
        log_start: Offset,
        /// Last offset that may be asked for.
        log_end: Offset,
    },
    /// A group without a committed offset and without a policy (Kafka: `NoOffsetForPartitionException`).
    NoOffsetForPartition,
    /// The next segment would have the base of one that holds records, or a lower one (Kafka: `KafkaException`).
    CannotRoll {
        /// The base offset that it would have.
        to: Offset,
        /// Base offset of the active segment.
        active: Offset,
    },
    /// An offset that does not fit 31 bits relative to its segment (Kafka: `LogSegmentOffsetOverflowException`).
    SegmentOffsetOverflow {
        /// Base offset of the segment.
        base: Offset,
        /// The offset.
        offset: Offset,
    },
    /// The broker does not run, or runs already (Kafka: `KafkaStorageException` for a closed log).
    NotRunning {
        /// Whether it runs.
        running: bool,
    },
    /// The broker does not run, since its last start failed (Kafka: `KafkaStorageException` for an offline log directory).
    StartFailed(Box<LogError>),
    /// A leader epoch below the one known.
    EpochBackwards {
        /// The epoch asked for.
        asked: i32,
        /// The one known.
        known: i32,
    },
    /// A leader epoch below 0, or one that begins below 0 (Kafka: `IllegalArgumentException` of
    /// `LeaderEpochFileCache.assign`).
    InvalidLeaderEpoch {
        /// The epoch of a batch.
        epoch: i32,
        /// Its first offset, as its fields say.
        start: i64,
    },
    /// An index file without room for one entry (Kafka: `IllegalArgumentException` when the index is opened).
    IndexTooSmall {
        /// `segment.index.bytes`.
        size: u64,
        /// Bytes of one entry.
        entry: u64,
    },
    /// The clock was asked to go back.
    ClockBackwards {
        /// The clock.
        now: TimestampMs,
        /// The time asked for.
        asked: TimestampMs,
    },
    /// A time or offset past 2^63 − 1.
    NumberTooLarge {
        /// What would be too large.
        what: &'static str,
    },
    /// The high watermark was set outside the log.
    HighWatermarkOutOfRange {
        /// The offset asked for.
        asked: Offset,
        /// Log start offset.
        log_start: Offset,
        /// Log end offset.
        log_end: Offset,
    },
    /// Bytes that are no batch (Kafka: `CorruptRecordException`).
    CorruptBatch {
        /// The file.
        file: FileName,
        /// First byte of the batch.
        position: u64,
        /// What is wrong.
        reason: CorruptReason,
    },
    /// A batch that does not go with what is known of its producer.
    Producer(Box<ProducerError>),
    /// An offset index or a time index that cannot take an entry.
    Index(IndexError),
    /// A transaction index that cannot be read or written.
    TransactionIndex(TransactionIndexError),
    /// Arriving bytes that validation refuses.
    Validation(ValidationError),
    /// A partition was to be created with a value that its setting does not take.
    Setting(SettingError),
    /// A property file with a line that cannot be read.
    Properties(PropertiesError),
    /// Records of a batch in a file that cannot be read.
    Records {
        /// The file.
        file: FileName,
        /// First byte of the batch.
        position: u64,
        /// What is wrong, and Kafka's name for it.
        fault: RecordFault,
    },
    /// A batch that a consumer has got and cannot hand over (Kafka: `KafkaException` of `CompletedFetch.fetchRecords`, and what
    /// that does not catch).
    Undeliverable {
        /// The file that it was sent from.
        file: FileName,
        /// First byte of the batch.
        position: u64,
        /// Last offset of the batch: behind it the consumer can go on. `None` where its header cannot be read.
        last_offset: Option<i64>,
        /// What is wrong.
        fault: Box<RecordFault>,
    },
    /// A number in a file that leads to no place (Kafka: `IllegalArgumentException`).
    NotInFile {
        /// The file that it should lead into.
        file: FileName,
        /// The byte that it leads to.
        position: i64,
    },
    /// A batch in a file whose base offset is below 0 (Kafka: `IllegalArgumentException`, or a file name with a minus).
    NegativeOffset {
        /// The file.
        file: FileName,
        /// The offset.
        offset: i64,
    },
    /// A segment with an offset that it cannot have, and that cannot be divided either
    /// (Kafka: `IllegalArgumentException`, `NoSuchElementException` or `IllegalStateException`).
    CannotSplit {
        /// Base offset of the segment.
        base: Offset,
        /// Why.
        reason: SplitRefusal,
    },
    /// `leader-epoch-checkpoint` cannot be read (Kafka: the log directory goes offline).
    Checkpoint(CheckpointFault),
    /// A file whose name has an extension of the log layer and no offset (Kafka: `NumberFormatException`).
    FileName {
        /// The name.
        name: String,
    },
    /// A `.log` of more than 2^31 − 1 B, which no position reaches over (Kafka: `KafkaException` of `FileRecords`).
    SegmentTooLarge {
        /// The file.
        file: FileName,
        /// Its size in bytes.
        size: u64,
    },
    /// The filesystem refused.
    Vfs(VfsError),
    /// A folder on a disk, or a file beside it, that cannot be opened.
    #[cfg(feature = "std")]
    Directory(DirectoryError),
    /// Bytes that were given to a reader of this crate, outside an operation.
    Format(FormatError),
    /// A number that is no offset, position or timestamp.
    Unit(UnitError),
}

/// Why bytes cannot be read, where nothing is known of the file that they are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum FormatError {
    /// Not a batch, at a place among others.
    BadBatch(BadBatch),
    /// Not a batch.
    Corrupt(CorruptReason),
    /// Records of a batch.
    Records(RecordFault),
    /// The snapshot of the producers.
    Snapshot(CorruptSnapshot),
    /// A control record.
    Marker(MarkerError),
    /// `.kafka_cleanshutdown`.
    #[cfg(feature = "std")]
    CleanShutdown(CleanShutdownFault),
    /// `partition.metadata`.
    #[cfg(feature = "std")]
    Metadata(PartitionMetadataFault),
    /// A topic id.
    #[cfg(feature = "std")]
    TopicId(NotATopicId),
}

impl FormatError {
    fn inner(&self) -> &(dyn core::error::Error + 'static) {
        match self {
            FormatError::BadBatch(error) => error,
            FormatError::Corrupt(error) => error,
            FormatError::Records(error) => error,
            FormatError::Snapshot(error) => error,
            FormatError::Marker(error) => error,
            #[cfg(feature = "std")]
            FormatError::CleanShutdown(error) => error,
            #[cfg(feature = "std")]
            FormatError::Metadata(error) => error,
            #[cfg(feature = "std")]
            FormatError::TopicId(error) => error,
        }
    }

    /// Kafka's name for it, where Kafka has one.
    pub fn kafka_name(&self) -> Option<&'static str> {
        match self {
            FormatError::BadBatch(_) | FormatError::Corrupt(_) => Some("CorruptRecordException"),
            FormatError::Records(fault) => fault.class.kafka_name(),
            FormatError::Snapshot(_) => Some("CorruptSnapshotException"),
            FormatError::Marker(error) => Some(error.kafka_name()),
            #[cfg(feature = "std")]
            FormatError::Metadata(_) => Some("KafkaStorageException"),
            #[cfg(feature = "std")]
            FormatError::CleanShutdown(_) | FormatError::TopicId(_) => None,
        }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.inner(), f)
    }
}

impl core::error::Error for FormatError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.inner().source()
    }
}

/// Why a segment with an offset out of its range cannot be divided (Kafka: `LocalLog.splitOverflowedSegment`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum SplitRefusal {
    /// Its last offset is in range: an offset in between, or below its base, is not (`IllegalArgumentException`).
    LastOffsetFits {
        /// The offset behind its last batch.
        next_offset: i64,
    },
    /// Bytes at the end are no whole batch (`NoSuchElementException`).
    Torn {
        /// The first of them.
        position: u64,
    },
    /// A batch reaches over more offsets than a segment can (`IllegalStateException`).
    BatchTooLong {
        /// Its first byte.
        position: u64,
    },
}

impl LogError {
    /// What it is about.
    pub fn kind(&self) -> ErrorKind {
        match self {
            LogError::OffsetOutOfRange { .. } | LogError::HighWatermarkOutOfRange { .. } => ErrorKind::OutOfRange,
            LogError::Encode(_) | LogError::Producer(_) | LogError::Validation(_) => ErrorKind::BatchRefused,
            LogError::NoOffsetForPartition
            | LogError::CannotRoll { .. }
            | LogError::SegmentOffsetOverflow { .. }
            | LogError::NotRunning { .. }
            | LogError::StartFailed(_)
            | LogError::EpochBackwards { .. }
            | LogError::InvalidLeaderEpoch { .. }
            | LogError::ClockBackwards { .. } => ErrorKind::State,
            LogError::IndexTooSmall { .. } | LogError::Setting(_) | LogError::Properties(_) => ErrorKind::Setting,
            LogError::NumberTooLarge { .. } | LogError::Unit(_) => ErrorKind::Number,
            LogError::CorruptBatch { .. }
            | LogError::Index(_)
            | LogError::TransactionIndex(_)
            | LogError::Records { .. }
            | LogError::Undeliverable { .. }
            | LogError::NotInFile { .. }
            | LogError::NegativeOffset { .. }
            | LogError::CannotSplit { .. }
            | LogError::Checkpoint(_)
            | LogError::FileName { .. }
            | LogError::SegmentTooLarge { .. }
            | LogError::Format(_) => ErrorKind::Corrupt,
            LogError::Vfs(_) => ErrorKind::Filesystem,
            #[cfg(feature = "std")]
            LogError::Directory(_) => ErrorKind::Filesystem,
        }
    }

    /// The first and the last offset that could have been asked for, of an error that is
    /// [`OutOfRange`](ErrorKind::OutOfRange).
    pub fn range(&self) -> Option<(Offset, Offset)> {
        match self {
            LogError::OffsetOutOfRange { log_start, log_end, .. }
            | LogError::HighWatermarkOutOfRange { log_start, log_end, .. } => Some((*log_start, *log_end)),
            _ => None,
        }
    }

    /// Kafka's name for it, where Kafka has one.
    pub fn kafka_name(&self) -> Option<&'static str> {
        Some(match self {
            LogError::OffsetOutOfRange { .. } => "OffsetOutOfRangeException",
            LogError::NoOffsetForPartition => "NoOffsetForPartitionException",
            LogError::CorruptBatch { .. } => "CorruptRecordException",
            LogError::Producer(error) => error.kafka_name(),
            LogError::Validation(error) => return error.kafka_name(),
            LogError::Index(error) => error.kafka_name(),
            LogError::TransactionIndex(error) => error.kafka_name(),
            LogError::IndexTooSmall { .. } | LogError::InvalidLeaderEpoch { .. } => "IllegalArgumentException",
            LogError::CannotRoll { .. } | LogError::SegmentTooLarge { .. } => "KafkaException",
            LogError::SegmentOffsetOverflow { .. } => "LogSegmentOffsetOverflowException",
            LogError::Records { fault, .. } => return fault.class.kafka_name(),
            LogError::Undeliverable { fault, .. } => match fault.class {
                FaultClass::Corrupt | FaultClass::InvalidRecord => "KafkaException",
                class => return class.kafka_name(),
            },
            LogError::NotInFile { .. } | LogError::NegativeOffset { .. } => "IllegalArgumentException",
            LogError::CannotSplit { reason, .. } => match reason {
                SplitRefusal::LastOffsetFits { .. } => "IllegalArgumentException",
                SplitRefusal::Torn { .. } => "NoSuchElementException",
                SplitRefusal::BatchTooLong { .. } => "IllegalStateException",
            },
            LogError::Checkpoint(fault) => fault.kafka_name(),
            LogError::FileName { .. } => "NumberFormatException",
            LogError::NotRunning { running: false } | LogError::StartFailed(_) => "KafkaStorageException",
            LogError::Format(error) => return error.kafka_name(),
            _ => return None,
        })
    }

    /// A short name for scripts and the page: the `error` of an `expect`.
    pub fn code(&self) -> &'static str {
        match self {
            LogError::Encode(error) => error.code(),
            LogError::OffsetOutOfRange { .. } => "offset-out-of-range",
            LogError::NoOffsetForPartition => "no-offset-for-partition",
            LogError::IndexTooSmall { .. } => "index-too-small",
            LogError::CannotRoll { .. } => "cannot-roll",
            LogError::SegmentOffsetOverflow { .. } => "segment-offset-overflow",
            LogError::NotRunning { .. } => "not-running",
            LogError::StartFailed(_) => "start-failed",
            LogError::EpochBackwards { .. } => "epoch-backwards",
            LogError::InvalidLeaderEpoch { .. } => "invalid-leader-epoch",
            LogError::ClockBackwards { .. } => "clock-backwards",
            LogError::NumberTooLarge { .. } => "number-too-large",
            LogError::HighWatermarkOutOfRange { .. } => "high-watermark-out-of-range",
            LogError::CorruptBatch { .. } => "corrupt-batch",
            LogError::Producer(error) => error.code(),
            LogError::Validation(error) => error.code(),
            LogError::Index(_) => "index",
            LogError::TransactionIndex(_) => "transaction-index",
            LogError::Setting(_) => "setting",
            LogError::Properties(_) => "properties",
            LogError::Records { .. } => "records",
            LogError::Undeliverable { fault, .. } => match fault.class {
                FaultClass::Corrupt => "corrupt-batch",
                _ => "records",
            },
            LogError::NotInFile { .. } => "not-in-file",
            LogError::NegativeOffset { .. } => "negative-offset",
            LogError::CannotSplit { .. } => "cannot-split",
            LogError::Checkpoint(_) => "checkpoint",
            LogError::FileName { .. } => "file-name",
            LogError::SegmentTooLarge { .. } => "segment-too-large",
            LogError::Vfs(_) => "filesystem",
            #[cfg(feature = "std")]
            LogError::Directory(_) => "filesystem",
            LogError::Format(_) => "format",
            LogError::Unit(_) => "number",
        }
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogError::Encode(error) => error.fmt(f),
            LogError::OffsetOutOfRange {
                requested,
                log_start,
                log_end,
            } => write!(
                f,
                "offset {requested} is out of range: the log holds {log_start} up to {log_end}, the next to come"
            ),
            LogError::NoOffsetForPartition => {
                f.write_str("the group has no committed offset, and auto.offset.reset is none")
            }
            LogError::CannotRoll { to, active } => {
                write!(
                    f,
                    "no segment can be opened at {to}: the active one, {active}, is there already, or above"
                )
            }
            LogError::SegmentOffsetOverflow { base, offset } => {
                write!(
                    f,
                    "offset {offset} does not fit 31 bits relative to segment {base}: roll first"
                )
            }
            LogError::IndexTooSmall { size, entry } => {
                write!(
                    f,
                    "segment.index.bytes of {size} B has no room for one entry of {entry} B"
                )
            }
            LogError::ClockBackwards { now, asked } => {
                write!(f, "the clock cannot go back from {now} to {asked}")
            }
            LogError::NumberTooLarge { what } => write!(f, "{what} is past the largest number, 2^63 - 1"),
            LogError::HighWatermarkOutOfRange {
                asked,
                log_start,
                log_end,
            } => {
                write!(
                    f,
                    "the high watermark cannot be {asked}: the log holds {log_start} up to {log_end}"
                )
            }
            LogError::Validation(error) => error.fmt(f),
            LogError::Index(error) => error.fmt(f),
            LogError::Setting(error) => error.fmt(f),
            LogError::Properties(error) => error.fmt(f),
            LogError::Vfs(error) => error.fmt(f),
            #[cfg(feature = "std")]
            LogError::Directory(error) => error.fmt(f),
            LogError::SegmentTooLarge { file, size } => {
                write!(f, "{file} holds {size} B, and a segment at most {} B", i32::MAX)
            }
            LogError::Format(error) => error.fmt(f),
            LogError::Unit(error) => error.fmt(f),
            LogError::NotRunning { running: false } => f.write_str("the broker does not run: start it first"),
            LogError::NotRunning { running: true } => f.write_str("the broker runs: stop it, or let it crash, first"),
            LogError::StartFailed(cause) => write!(f, "the broker does not run, for its start failed: {cause}"),
            LogError::InvalidLeaderEpoch { epoch, start } => write!(
                f,
                "leader epoch {epoch} cannot begin at offset {start}: in a batch that a leader has written neither is below 0"
            ),
            LogError::EpochBackwards { asked, known } => {
                write!(
                    f,
                    "leader epoch {asked} is below the one known, {known}: epochs only rise"
                )
            }
            LogError::CorruptBatch { file, position, reason } => {
                write!(f, "no valid batch at byte {position} of {file}: {reason}")
            }
            LogError::Producer(error) => error.fmt(f),
            LogError::TransactionIndex(error) => error.fmt(f),
            LogError::Records { file, position, fault } => {
                write!(
                    f,
                    "the records of the batch at byte {position} of {file}: {}",
                    fault.reason
                )
            }
            LogError::Undeliverable {
                file,
                position,
                last_offset,
                fault,
            } => {
                write!(
                    f,
                    "the batch at byte {position} of {file} cannot be delivered: {}",
                    fault.reason
                )?;
                match last_offset {
                    Some(last) => write!(f, ": seek past offset {last} to go on"),
                    None => f.write_str(": seek past it to go on"),
                }
            }
            LogError::NotInFile { file, position } => {
                write!(
                    f,
                    "an index leads to byte {position} of {file}: remove the index, and start again"
                )
            }
            LogError::NegativeOffset { file, offset } => {
                write!(
                    f,
                    "a batch in {file} has the offset {offset}: restore the file, or remove it"
                )
            }
            LogError::CannotSplit { base, reason } => {
                write!(
                    f,
                    "segment {base} has an offset out of its range, and cannot be divided: {reason}"
                )
            }
            LogError::Checkpoint(fault) => {
                write!(
                    f,
                    "{}: {fault}: remove the file, and start again",
                    FileName::LEADER_EPOCHS
                )
            }
            LogError::FileName { name } => write!(f, "{name} is not named by an offset of 20 digits: move it away"),
        }
    }
}

impl fmt::Display for SplitRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SplitRefusal::LastOffsetFits { next_offset } => write!(f, "it ends at {next_offset}"),
            SplitRefusal::Torn { position } => write!(f, "no whole batch is left from byte {position} on"),
            SplitRefusal::BatchTooLong { position } => {
                write!(f, "the batch at byte {position} fits no segment either")
            }
        }
    }
}

impl core::error::Error for SplitRefusal {}

impl core::error::Error for LogError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            LogError::Encode(error) => Some(error),
            LogError::CorruptBatch { reason, .. } => Some(reason),
            LogError::Producer(error) => Some(&**error),
            LogError::Index(error) => Some(error),
            LogError::TransactionIndex(error) => Some(error),
            LogError::Validation(error) => Some(error),
            LogError::Setting(error) => Some(error),
            LogError::Properties(error) => Some(error),
            LogError::Records { fault, .. } => Some(fault),
            LogError::Undeliverable { fault, .. } => Some(&**fault),
            LogError::CannotSplit { reason, .. } => Some(reason),
            LogError::Checkpoint(fault) => Some(fault),
            LogError::Vfs(error) => Some(error),
            #[cfg(feature = "std")]
            LogError::Directory(error) => Some(error),
            LogError::Format(error) => Some(error),
            LogError::Unit(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ProducerError> for LogError {
    fn from(error: ProducerError) -> LogError {
        LogError::Producer(Box::new(error))
    }
}

/// The whole of a part, for `?`.
macro_rules! parts {
    ($( $part:ty => $whole:path ),* $(,)?) => { $(
        impl From<$part> for LogError {
            fn from(part: $part) -> LogError {
                $whole(part)
            }
        }
    )* };
}

parts! {
    EncodeError => LogError::Encode,
    IndexError => LogError::Index,
    TransactionIndexError => LogError::TransactionIndex,
    ValidationError => LogError::Validation,
    SettingError => LogError::Setting,
    PropertiesError => LogError::Properties,
    CheckpointFault => LogError::Checkpoint,
    VfsError => LogError::Vfs,
    FormatError => LogError::Format,
    UnitError => LogError::Unit,
}

#[cfg(feature = "std")]
parts! {
    DirectoryError => LogError::Directory,
}

/// The same for what is read outside an operation.
macro_rules! formats {
    ($( $part:ty => $whole:path ),* $(,)?) => { $(
        impl From<$part> for LogError {
            fn from(part: $part) -> LogError {
                LogError::Format($whole(part))
            }
        }
    )* };
}

formats! {
    BadBatch => FormatError::BadBatch,
    CorruptReason => FormatError::Corrupt,
    RecordFault => FormatError::Records,
    CorruptSnapshot => FormatError::Snapshot,
    MarkerError => FormatError::Marker,
}

#[cfg(feature = "std")]
formats! {
    CleanShutdownFault => FormatError::CleanShutdown,
    PartitionMetadataFault => FormatError::Metadata,
    NotATopicId => FormatError::TopicId,
}

#[cfg(test)]
mod tests {
    use core::error::Error;

    use super::*;

    #[test]
    fn the_chain_of_sources_leads_to_the_leaf() {
        let fault = RecordFault {
            class: crate::format::batch::FaultClass::Corrupt,
            reason: CorruptReason::Varint,
        };
        let error = LogError::from(MarkerError::Unreadable(fault));
        let source = error.source().expect("the format");
        let leaf = source.source().expect("the fault").source().expect("the reason");
        assert_eq!(leaf.downcast_ref(), Some(&CorruptReason::Varint));
        assert_eq!(error.kind(), ErrorKind::Corrupt);
        assert_eq!(error.kafka_name(), Some("CorruptRecordException"));
    }
}
