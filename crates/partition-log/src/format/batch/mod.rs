//! Message formats v0 and v1 and record batch v2 behind one interface: a header that says what an index or a scan has to
//! know, and the records. Nothing above this module assumes one record a batch.
//!
//! Two headers exist: [`BatchHeader`] for bytes that are in order, and [`RawHeader`] with every field as stored, for
//! validation and recovery, which must judge bytes that are not.

mod body;
mod build;
mod codec;
mod control;
mod corrupt;
mod deep;
mod encode_error;
mod iterate;
mod legacy;
mod new_batch;
mod raw;
mod rewrite;
#[cfg(feature = "compression")]
mod stream;
mod v2;
mod varint;

use core::ops::Deref;

use crate::disk::Bytes;
use crate::units::{Offset, Position, TimestampMs};

pub use build::{BatchSpec, LegacyFormat, MessageSpec, RecordHeader, RecordSpec};
pub use codec::Codec;
pub use control::{EndTransaction, end_transaction_marker};
pub use corrupt::CorruptReason;
pub(crate) use deep::{Content, DeepRecord, Depth, deep_records};
pub use deep::{FaultClass, RECORD_SIZE_MAX, RecordFault, first_offset};
pub use encode_error::EncodeError;
pub use iterate::{
    BadBatch, FileBatch, FileBatches, MemoryBatch, MemoryBatches, RawBatch, RawBatches, file_batches, memory_batches,
    raw_batches,
};
pub use new_batch::{NewBatch, NewProducer};
pub use raw::{RawHeader, ensure_valid, increment_sequence, is_valid};
pub use rewrite::{set_last_offset, set_leader_epoch, set_max_timestamp};
pub use v2::RECORD_BATCH_OVERHEAD;

/// Bytes of a v1 message with an empty value and no key: `offset` 8, `size` 4, `crc` 4, `magic` 1, `attributes` 1,
/// `timestamp` 8, key length 4, value length 4.
pub const MESSAGE_OVERHEAD: u64 = legacy::OVERHEAD as u64;

/// Largest size of a batch that a 32-bit size field can tell.
const SIZE_MAX: u64 = i32::MAX as u64;

/// Bytes that the size field does not count: `offset` and the field itself.
const LOG_OVERHEAD: usize = 12;

/// Fewer bytes than this behind a position are not even a header (Kafka: `FileLogInputStream.nextBatch`).
const HEADER_MIN: usize = 17;

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
    /// Format: 0, 1 or 2.
    pub magic: i8,
    /// Partition leader epoch, −1 for none.
    pub leader_epoch: i32,
    /// Producer id, −1 for none.
    pub producer_id: i64,
    /// Whether its records belong to a transaction.
    pub transactional: bool,
    /// Whether it is a control batch.
    pub control: bool,
    /// What its records are compressed with; only the feature `compression` reads them.
    pub codec: Codec,
}

/// A record of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its offset.
    pub offset: Offset,
    /// Its timestamp.
    pub timestamp: Option<TimestampMs>,
    /// Its first byte, counted from the start of its batch, as it would lie there without compression.
    pub start: usize,
    /// Its size in bytes; in formats 0 and 1 the whole message.
    pub size: usize,
    /// Key, if it has one.
    pub key: Option<Vec<u8>>,
    /// Value, if it has one.
    pub value: Option<Vec<u8>>,
    /// Its headers; none in formats 0 and 1.
    pub headers: Vec<RecordHeader>,
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
    let raw = RawHeader::read(bytes)?;
    check_magic(&raw)?;
    match bytes.get(..raw.size as usize) {
        Some(batch) => settled(&raw, || batch),
        None => Err(CorruptReason::Torn {
            present: bytes.len() as u64,
            needed: raw.size,
        }),
    }
}

fn check_magic(raw: &RawHeader) -> Result<(), CorruptReason> {
    match raw.magic {
        0..=2 => Ok(()),
        magic => Err(CorruptReason::Magic { magic }),
    }
}

/// The header of a batch that is there in full; the bytes are asked for where the first offset stands in them alone.
fn settled<B: Deref<Target = [u8]>>(raw: &RawHeader, bytes: impl FnOnce() -> B) -> Result<BatchHeader, CorruptReason> {
    check_magic(raw)?;
    let codec = raw.codec()?;
    let packed = raw.magic < 2 && codec != Codec::None;
    let first = match packed {
        true => first_offset(&bytes()).map_err(|fault| fault.reason)?,
        false => raw.base_offset,
    };
    let first = Offset::new(first).ok_or(CorruptReason::Offset)?;
    let last = Offset::new(raw.last_offset()).filter(|last| *last >= first);
    let last = last.ok_or(CorruptReason::Offset)?;
    Ok(BatchHeader::of(raw, (first, last), codec))
}

impl BatchHeader {
    /// The header behind stored fields, with offsets and a codec that somebody has settled.
    pub(crate) fn of(raw: &RawHeader, (first_offset, last_offset): (Offset, Offset), codec: Codec) -> BatchHeader {
        BatchHeader {
            first_offset,
            last_offset,
            size: raw.size,
            timestamp: TimestampMs::stored(raw.max_timestamp),
            magic: raw.magic,
            leader_epoch: raw.leader_epoch,
            producer_id: raw.producer_id,
            transactional: raw.is_transactional(),
            control: raw.is_control(),
            codec,
        }
    }
}

/// The records of one batch, whose bytes are exactly `bytes`; the checksum is verified.
///
/// # Errors
///
/// What makes the bytes no valid batch; [`CorruptReason::Compressed`] for compressed records where the feature
/// `compression` is off.
pub fn read_records(bytes: &[u8]) -> Result<Vec<Record>, CorruptReason> {
    read_header(bytes)?;
    ensure_valid(bytes)?;
    let mut records = Vec::new();
    for record in deep_records(bytes, Depth::Content, RECORD_SIZE_MAX).map_err(|fault| fault.reason)? {
        let record = record.map_err(|fault| fault.reason)?;
        record.checksum?;
        let content = record.content.expect("content was asked for");
        let content = content.map_err(|fault| fault.reason)?;
        records.push(Record {
            offset: Offset::new(record.offset).ok_or(CorruptReason::Offset)?,
            timestamp: TimestampMs::stored(record.timestamp),
            start: record.start,
            size: record.size,
            key: content.key,
            value: content.value,
            headers: content.headers,
        });
    }
    Ok(records)
}

/// The fields of one batch, whose bytes are exactly `bytes`, `at` being its first byte in the file.
///
/// # Errors
///
/// What makes the bytes no valid batch.
pub fn read_fields(bytes: &[u8], at: u64) -> Result<Vec<Field>, CorruptReason> {
    match read_header(bytes)?.magic {
        0 | 1 => legacy::read_fields(bytes, at),
        _ => v2::read_fields(bytes, at),
    }
}

/// The batches in a part of a `.log`, from a position on. Ends before a torn batch.
#[derive(Clone, Debug)]
pub struct Batches<'a>(FileBatches<'a>);

/// The batches in a whole `.log`, from `position` on, up to the first that is not in order.
pub fn batches<'a>(file: impl Into<Bytes<'a>>, position: Position) -> Batches<'a> {
    Batches(file_batches(file, u64::from(position.get())))
}

impl<'a> Iterator for Batches<'a> {
    type Item = (Position, BatchHeader, FileBatch<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.0.next()?.ok()?;
        let header = batch.read_header().ok()?;
        Some((Position::new(batch.position)?, header, batch))
    }
}

fn be_i16(bytes: &[u8], at: usize) -> i16 {
    i16::from_be_bytes([bytes[at], bytes[at + 1]])
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
mod golden;
#[cfg(test)]
mod tests;
