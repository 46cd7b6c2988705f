//! The marker that ends a transaction, read from the one record of its control batch (Kafka: `ControlRecordType`,
//! `EndTransactionMarker`; [`crate::format::batch::end_transaction_marker`] writes it).
//!
//! | part | at | size | field |
//! |---|---|---|---|
//! | key | 0 | 2 | version, 0 |
//! | key | 2 | 2 | type: 0 ABORT, 1 COMMIT |
//! | value | 0 | 2 | version, 0 |
//! | value | 2 | 4 | epoch of the transaction coordinator |

use core::fmt;

use crate::format::batch::RecordFault;

/// A marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndMarker {
    /// COMMIT, or else ABORT.
    pub commit: bool,
    /// Epoch of the transaction coordinator that wrote it.
    pub coordinator_epoch: i32,
    /// Timestamp of the record in milliseconds; −1 for none.
    pub timestamp: i64,
}

/// Why a control record is no marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum MarkerError {
    /// There is no key.
    NoKey,
    /// The key is shorter than 4 bytes.
    KeySize {
        /// Bytes it has.
        size: u64,
    },
    /// The key has a negative version.
    KeyVersion {
        /// The version.
        version: i16,
    },
    /// A control record of a type that ends no transaction.
    Type {
        /// The type.
        kind: i16,
    },
    /// There is no value.
    NoValue,
    /// The value is shorter than 6 bytes.
    ValueSize {
        /// Bytes it has.
        size: u64,
    },
    /// The value has a negative version.
    ValueVersion {
        /// The version.
        version: i16,
    },
    /// The record itself cannot be read.
    Unreadable(RecordFault),
}

impl EndMarker {
    /// Reads the record of a control batch; a version above 0 is read like 0, and further bytes are passed over.
    ///
    /// # Errors
    ///
    /// [`MarkerError`], in Kafka's order.
    pub fn parse(key: Option<&[u8]>, value: Option<&[u8]>, timestamp: i64) -> Result<EndMarker, MarkerError> {
        let key = key.ok_or(MarkerError::NoKey)?;
        let &[a, b, c, d, ..] = key else {
            let size = key.len() as u64;
            return Err(MarkerError::KeySize { size });
        };
        let (version, kind) = (i16::from_be_bytes([a, b]), i16::from_be_bytes([c, d]));
        if version < 0 {
            return Err(MarkerError::KeyVersion { version });
        }
        if !(0..=1).contains(&kind) {
            return Err(MarkerError::Type { kind });
        }
        let value = value.ok_or(MarkerError::NoValue)?;
        let short = MarkerError::ValueSize {
            size: value.len() as u64,
        };
        let &[a, b, ref rest @ ..] = value else {
            return Err(short);
        };
        let version = i16::from_be_bytes([a, b]);
        if version < 0 {
            return Err(MarkerError::ValueVersion { version });
        }
        let &[a, b, c, d, ..] = rest else {
            return Err(short);
        };
        Ok(EndMarker {
            commit: kind == 1,
            coordinator_epoch: i32::from_be_bytes([a, b, c, d]),
            timestamp,
        })
    }
}

impl MarkerError {
    /// Kafka's name for it.
    pub fn kafka_name(&self) -> &'static str {
        match self {
            MarkerError::KeySize { .. } | MarkerError::KeyVersion { .. } | MarkerError::ValueVersion { .. } => {
                "InvalidRecordException"
            }
            MarkerError::NoKey | MarkerError::NoValue => "NullPointerException",
            MarkerError::Type { .. } => "IllegalArgumentException",
            MarkerError::ValueSize { .. } => "BufferUnderflowException",
            MarkerError::Unreadable(fault) => fault.class.kafka_name().unwrap_or("KafkaException"),
        }
    }
}

impl fmt::Display for MarkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MarkerError::NoKey => f.write_str("it has no key"),
            MarkerError::NoValue => f.write_str("it has no value"),
            MarkerError::KeySize { size } => write!(f, "its key has {size} of at least 4 B"),
            MarkerError::KeyVersion { version } => write!(f, "its key has version {version}"),
            MarkerError::Type { kind } => write!(f, "its type is {kind}, and only 0, ABORT, and 1, COMMIT, end one"),
            MarkerError::ValueSize { size } => write!(f, "its value has {size} of at least 6 B"),
            MarkerError::ValueVersion { version } => write!(f, "its value has version {version}"),
            MarkerError::Unreadable(fault) => fault.reason.fmt(f),
        }
    }
}

impl core::error::Error for MarkerError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            MarkerError::Unreadable(fault) => Some(fault),
            _ => None,
        }
    }
}
