//! Message format v1 and record batch v2 behind one interface: a header that says what an index or a scan has to know,
//! and the records. Nothing above this module assumes one record a batch.

mod legacy;
mod v2;

use crate::error::{CorruptReason, LogError};
use crate::units::{Offset, Position, TimestampMs};

pub use v2::RECORD_BATCH_OVERHEAD;

/// Bytes of a v1 message with an empty value and no key: `offset` 8, `size` 4, `crc` 4, `magic` 1, `attributes` 1,
/// `timestamp` 8, key length 4, value length 4.
pub const MESSAGE_OVERHEAD: u64 = legacy::OVERHEAD as u64;

/// Largest size of a batch that a 32-bit size field can tell.
const SIZE_MAX: u64 = i32::MAX as u64;

/// Fewer bytes than this behind a position are not even a header (Kafka: `FileLogInputStream.nextBatch`).
const HEADER_MIN: usize = 17;

/// What is to be appended; sizes are the whole size in the log, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewBatch {
    /// One message in format v1.
    Message {
        /// Size: at least [`MESSAGE_OVERHEAD`] and the key.
        size: u64,
        /// Its timestamp; `None` for a message without one.
        timestamp: Option<TimestampMs>,
        /// Its key.
        key: Option<Vec<u8>>,
    },
    /// A record batch in format v2, uncompressed.
    Batch {
        /// How many records; at least 1.
        records: u32,
        /// Size: at least [`RECORD_BATCH_OVERHEAD`] and the framing of the records.
        size: u64,
        /// The timestamp of every record.
        timestamp: Option<TimestampMs>,
        /// The key of every record.
        key: Option<Vec<u8>>,
        /// Headers of every record, `h0=v`, `h1=v`, …
        headers: u32,
    },
}

impl NewBatch {
    /// Size in the log, in bytes.
    pub fn size(&self) -> u64 {
        match self {
            NewBatch::Message { size, .. } | NewBatch::Batch { size, .. } => *size,
        }
    }

    /// Number of records.
    pub fn records(&self) -> u32 {
        match self {
            NewBatch::Message { .. } => 1,
            NewBatch::Batch { records, .. } => *records,
        }
    }

    /// The timestamp of its records.
    pub fn timestamp(&self) -> Option<TimestampMs> {
        match self {
            NewBatch::Message { timestamp, .. } | NewBatch::Batch { timestamp, .. } => *timestamp,
        }
    }

    /// The bytes that the log gets, starting at an offset. `append_time` replaces the timestamps where the topic says
    /// LogAppendTime.
    pub(crate) fn encode(&self, first: Offset, append_time: Option<TimestampMs>) -> Result<Vec<u8>, LogError> {
        if self.size() > SIZE_MAX {
            return Err(LogError::TooLargeForFormat {
                size: self.size(),
                max: SIZE_MAX,
            });
        }
        match self {
            NewBatch::Message { size, timestamp, key } => {
                legacy::encode(first, *size, *timestamp, append_time, key.as_deref())
            }
            NewBatch::Batch {
                records,
                size,
                timestamp,
                key,
                headers,
            } => v2::encode(
                first,
                &v2::Shape {
                    records: *records,
                    size: *size,
                    key: key.as_deref(),
                    headers: *headers,
                },
                *timestamp,
                append_time,
            ),
        }
    }
}

/// What the log layer has to know of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchHeader {
    /// First offset.
    pub first_offset: Offset,
    /// Last offset.
    pub last_offset: Offset,
    /// Whole size in bytes.
    pub size: u64,
    /// Largest timestamp.
    pub timestamp: Option<TimestampMs>,
    /// Format: 1 or 2.
    pub magic: i8,
}

/// A record of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its offset.
    pub offset: Offset,
    /// Its timestamp.
    pub timestamp: Option<TimestampMs>,
    /// Its first byte, counted from the start of its batch.
    pub start: usize,
    /// Its size in bytes; in format 1 the whole message.
    pub size: usize,
    /// Key, if it has one.
    pub key: Option<Vec<u8>>,
    /// Value, if it has one.
    pub value: Option<Vec<u8>>,
}

/// A field of the wire format, as the inspector shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// First byte, counted from the start of the file.
    pub at: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its name in Kafka's format description.
    pub name: &'static str,
    /// Its value, decoded.
    pub value: String,
}

/// Reads the header at the start of `bytes`, which may go on behind the batch.
///
/// # Errors
///
/// [`CorruptReason::Torn`] where bytes are missing, and what else makes the bytes no batch.
pub fn read_header(bytes: &[u8]) -> Result<BatchHeader, CorruptReason> {
    if bytes.len() < HEADER_MIN {
        return Err(CorruptReason::Torn {
            present: bytes.len() as u64,
            needed: HEADER_MIN as u64,
        });
    }
    match bytes[16] as i8 {
        1 => legacy::read_header(bytes),
        2 => v2::read_header(bytes),
        magic => Err(CorruptReason::Magic { magic }),
    }
}

/// The records of one batch, whose bytes are exactly `bytes`; the checksum is verified.
///
/// # Errors
///
/// What makes the bytes no valid batch.
pub fn read_records(bytes: &[u8]) -> Result<Vec<Record>, CorruptReason> {
    match read_header(bytes)?.magic {
        1 => legacy::read_records(bytes),
        _ => v2::read_records(bytes),
    }
}

/// The fields of one batch, whose bytes are exactly `bytes`, `at` being its first byte in the file.
///
/// # Errors
///
/// What makes the bytes no valid batch.
pub fn read_fields(bytes: &[u8], at: u64) -> Result<Vec<Field>, CorruptReason> {
    match read_header(bytes)?.magic {
        1 => legacy::read_fields(bytes, at),
        _ => v2::read_fields(bytes, at),
    }
}

/// The batches in a part of a `.log`, from a position on. Ends before a torn batch.
pub struct Batches<'a> {
    bytes: &'a [u8],
    position: usize,
}

/// The batches in `bytes`, a whole `.log`, from `position` on.
pub fn batches(bytes: &[u8], position: Position) -> Batches<'_> {
    Batches {
        bytes,
        position: position.get() as usize,
    }
}

impl<'a> Iterator for Batches<'a> {
    type Item = (Position, BatchHeader, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.bytes.get(self.position..)?;
        let header = read_header(rest).ok()?;
        let batch = rest.get(..header.size as usize)?;
        let position = Position::new(self.position as u64)?;
        self.position += batch.len();
        Some((position, header, batch))
    }
}

/// The text that fills a value: `order-9;` over and over, cut to length.
fn value_text(offset: Offset, length: usize) -> Vec<u8> {
    let unit = format!("order-{offset};");
    unit.bytes().cycle().take(length).collect()
}

fn be_i32(bytes: &[u8], at: usize) -> i32 {
    let mut out = [0; 4];
    out.copy_from_slice(&bytes[at..at + 4]);
    i32::from_be_bytes(out)
}

fn be_i64(bytes: &[u8], at: usize) -> i64 {
    let mut out = [0; 8];
    out.copy_from_slice(&bytes[at..at + 8]);
    i64::from_be_bytes(out)
}

/// Printable ASCII as it is, other bytes as `\xhh`; `null` for none.
fn text(bytes: Option<&[u8]>) -> String {
    let Some(bytes) = bytes else { return "null".to_string() };
    let mut out = String::new();
    for byte in bytes {
        match byte {
            b' '..=b'~' => out.push(char::from(*byte)),
            _ => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out
}

#[cfg(test)]
mod tests;
