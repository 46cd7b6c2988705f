//! Why a batch of the size asked for cannot be made.

use core::fmt;

use crate::units::bytes;

/// A batch that no bytes can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum EncodeError {
    /// The bytes asked for do not hold the framing of the format.
    TooSmall {
        /// Size asked for, in bytes.
        size: u64,
        /// Smallest size that the format, the key and the headers allow.
        min: u64,
        /// What it is for.
        what: &'static str,
    },
    /// The bytes asked for are more than one batch can have.
    TooLarge {
        /// Size asked for, in bytes.
        size: u64,
        /// Largest size.
        max: u64,
    },
    /// A batch without a record.
    Empty,
    /// A size that the varints of format v2 jump over.
    NotReachable {
        /// Size asked for, in bytes.
        size: u64,
        /// The nearest size that exists.
        nearest: u64,
    },
    /// A message in format v1 cannot say which producer sends it.
    NoProducer,
    /// The offset of a record would be past 2^63 − 1.
    OffsetTooLarge,
}

impl EncodeError {
    /// A short name for scripts and the page: the `error` of an `expect`.
    pub const fn code(&self) -> &'static str {
        match self {
            EncodeError::TooSmall { .. } => "too-small",
            EncodeError::TooLarge { .. } => "too-large",
            EncodeError::Empty => "empty-batch",
            EncodeError::NotReachable { .. } => "size-not-reachable",
            EncodeError::NoProducer => "no-producer",
            EncodeError::OffsetTooLarge => "number-too-large",
        }
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EncodeError::TooSmall { size, min, what } => {
                write!(f, "{what} takes at least {min} B; {size} B were asked for")
            }
            EncodeError::TooLarge { size, max } => write!(
                f,
                "a batch has at most {}; {} were asked for",
                bytes(*max as i64),
                bytes(*size as i64)
            ),
            EncodeError::Empty => f.write_str("a batch has at least one record"),
            EncodeError::NotReachable { size, nearest } => write!(
                f,
                "no batch of this shape has {size} B, for its length fields grow; {nearest} B exists"
            ),
            EncodeError::NoProducer => {
                f.write_str("a message in format v1 names no producer: make a batch in format v2")
            }
            EncodeError::OffsetTooLarge => f.write_str("the offset of a record is past the largest number, 2^63 - 1"),
        }
    }
}

impl core::error::Error for EncodeError {}
