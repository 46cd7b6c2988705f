//! What is wrong with bytes that should be a batch.

use core::fmt;

use super::codec::Codec;
use crate::units::bytes;

/// What is wrong with a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum CorruptReason {
    /// Fewer bytes than the header says.
    Torn {
        /// Bytes present.
        present: u64,
        /// Bytes needed.
        needed: u64,
    },
    /// A size field below the smallest batch of its format.
    SizeField {
        /// The field.
        size: i32,
    },
    /// A format that is not 0, 1 or 2.
    Magic {
        /// The magic byte.
        magic: i8,
    },
    /// The checksum does not match.
    Crc {
        /// As stored.
        stored: u32,
        /// As computed.
        computed: u32,
    },
    /// A record does not end where its length says.
    RecordLength,
    /// A variable length number that does not end.
    Varint,
    /// An offset below 0, or a last offset below the first.
    Offset,
    /// A codec that does not exist.
    Codec {
        /// Its id.
        id: u8,
    },
    /// Compressed records where none may be, or that this build does not open.
    Compressed {
        /// Codec id.
        codec: u8,
    },
    /// A compressed stream that its codec does not read.
    Stream {
        /// The codec.
        codec: Codec,
    },
    /// Keys and values that were passed over, though a new batch needs them.
    PassedOver,
    /// A chunk of snappy with a length below 0, or above 512 MiB.
    Chunk,
    /// More compressed bytes than this model unpacks.
    Unpacked {
        /// The most, in bytes.
        max: u64,
    },
    /// A record larger than the broker takes.
    RecordSize {
        /// Its length field.
        size: i32,
        /// `max.decompressed.message.bytes`.
        max: i32,
    },
    /// A number of records below 0.
    Count {
        /// The field.
        count: i32,
    },
    /// Bytes behind the last record.
    Remaining,
    /// A compressed message with nothing in it.
    NoInner,
    /// A compressed message with an offset below the last one inside it.
    WrapperOffset {
        /// Its offset.
        outer: i64,
        /// The last one inside.
        inner: i64,
    },
}

impl fmt::Display for CorruptReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CorruptReason::Torn { present, needed } => write!(f, "{present} of {needed} B are there"),
            CorruptReason::SizeField { size } => write!(f, "a size of {size} B is below the smallest"),
            CorruptReason::Magic { magic } => write!(f, "format {magic} is not known"),
            CorruptReason::Crc { stored, computed } => {
                write!(f, "the stored checksum is {stored:08x}, the bytes give {computed:08x}")
            }
            CorruptReason::RecordLength => f.write_str("a record does not end where its length says"),
            CorruptReason::Varint => f.write_str("a variable length number does not end"),
            CorruptReason::Offset => f.write_str("its offsets are below 0, or the last is below the first"),
            CorruptReason::Codec { id } => write!(f, "no codec has the id {id}"),
            CorruptReason::Compressed { codec } => {
                write!(f, "its records are compressed (codec {codec})")?;
                match cfg!(feature = "compression") {
                    true => Ok(()),
                    false => f.write_str(", and the feature `compression`, which reads them, is off"),
                }
            }
            CorruptReason::Stream { codec } => write!(f, "its records do not unpack with {codec}"),
            CorruptReason::PassedOver => f.write_str("its offsets have gaps, and its records were not kept"),
            CorruptReason::Chunk => f.write_str("a chunk of snappy has a length that no chunk has"),
            CorruptReason::Unpacked { max } => {
                write!(
                    f,
                    "its records unpack to more than {}, where reading ends",
                    bytes(*max as i64)
                )
            }
            CorruptReason::RecordSize { size, max } => write!(
                f,
                "a record of {} is larger than max.decompressed.message.bytes, {}",
                bytes(i64::from(*size)),
                bytes(i64::from(*max))
            ),
            CorruptReason::Count { count } => write!(f, "it says that it holds {count} records"),
            CorruptReason::Remaining => f.write_str("bytes follow its last record"),
            CorruptReason::NoInner => f.write_str("a compressed message holds no message"),
            CorruptReason::WrapperOffset { outer, inner } => {
                write!(f, "its offset, {outer}, is below that of a message inside, {inner}")
            }
        }
    }
}

impl core::error::Error for CorruptReason {}
