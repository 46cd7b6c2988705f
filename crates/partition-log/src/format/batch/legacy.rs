//! Message formats v0 and v1, one message a batch (Kafka: `LegacyRecord`, `AbstractLegacyRecordBatch`).
//!
//! | at | size | field |
//! |---|---|---|
//! | 0 | 8 | offset |
//! | 8 | 4 | size of what follows |
//! | 12 | 4 | CRC-32 of bytes 16 to the end |
//! | 16 | 1 | magic = 0 or 1 |
//! | 17 | 1 | attributes: bits 0 to 2 codec, in v1 bit 3 LogAppendTime |
//! | 18 | 8 | only in v1: timestamp, −1 for none |
//! | | 4 | key length, −1 for none, then the key |
//! | | 4 | value length, −1 for none, then the value |

use super::deep::{Content, DeepRecord, Depth, FaultClass, RecordFault};
use super::raw::ensure_valid;
use super::{Codec, Field, RawHeader, be_i32, be_i64, text};
use crate::format::batch::CorruptReason;
use crate::format::checksum::crc_32;
use crate::units::grouped;

/// Bytes beside key and value in format v1.
pub(super) const OVERHEAD: usize = 34;

/// Bytes beside key and value in format v0.
pub(super) const OVERHEAD_V0: usize = 26;

/// Bytes that every message has: a header in v1, and all of a v0 message without key and value.
pub(super) const HEADER: usize = 26;

/// Where the checksum lies; it covers what follows it.
pub(super) const CRC_AT: usize = 12;
pub(super) const CRC_FROM: usize = 16;

/// The checksum of one message, whose bytes are exactly `message`.
pub(super) fn checksum(message: &[u8]) -> u32 {
    crc_32(&message[CRC_FROM..])
}

/// Where key and value lie, after the checksum was verified.
struct Layout<'a> {
    key_length_at: usize,
    key: Option<&'a [u8]>,
    value: Option<&'a [u8]>,
    value_length_at: usize,
}

fn layout(bytes: &[u8]) -> Result<Layout<'_>, CorruptReason> {
    ensure_valid(bytes)?;
    let key_length_at = key_length_at(bytes[16] as i8);
    let (key, value_length_at) = delimited(bytes, key_length_at).map_err(|fault| fault.reason)?;
    let (value, end) = delimited(bytes, value_length_at).map_err(|fault| fault.reason)?;
    if end != bytes.len() {
        return Err(CorruptReason::RecordLength);
    }
    Ok(Layout {
        key_length_at,
        key,
        value,
        value_length_at,
    })
}

/// A message as one record, whose bytes are exactly `bytes`. `outer` is the compressed message around it, if there is one:
/// its time is the record's where the broker set it (Kafka: `LegacyRecord.timestamp`).
pub(super) fn deep_record(bytes: &[u8], offset: i64, depth: Depth, outer: Option<&RawHeader>) -> DeepRecord {
    let magic = bytes[16] as i8;
    let append_time = outer.filter(|_| magic == 1).and_then(RawHeader::append_time);
    let stored = be_i32(bytes, CRC_AT) as u32;
    let computed = checksum(bytes);
    let checksum = match outer {
        Some(_) if stored != computed => Err(CorruptReason::Crc { stored, computed }),
        _ => Ok(()),
    };
    DeepRecord {
        offset,
        timestamp: match magic {
            0 => -1,
            _ => append_time.unwrap_or(be_i64(bytes, 18)),
        },
        magic,
        has_key: length_at(bytes, key_length_at(magic)).is_some_and(|length| length >= 0),
        start: 0,
        size: bytes.len(),
        checksum,
        content: (depth == Depth::Content).then(|| content(bytes)),
    }
}

/// Key and value of a message. What follows them is not looked at (Kafka: `Utils.sizeDelimited`).
pub(super) fn content(bytes: &[u8]) -> Result<Content, RecordFault> {
    let (key, next) = delimited(bytes, key_length_at(bytes[16] as i8))?;
    let (value, _) = delimited(bytes, next)?;
    Ok(Content {
        key: key.map(<[u8]>::to_vec),
        value: value.map(<[u8]>::to_vec),
        headers: Vec::new(),
    })
}

/// The value of a message, whatever its key is (Kafka: `LegacyRecord.value`).
#[cfg(feature = "compression")]
pub(super) fn value(bytes: &[u8]) -> Result<Option<&[u8]>, RecordFault> {
    let at = key_length_at(bytes[16] as i8);
    let key = length_at(bytes, at).map_or(0, |length| length.max(0) as usize);
    delimited(bytes, (at + 4).saturating_add(key)).map(|(value, _)| value)
}

const fn key_length_at(magic: i8) -> usize {
    if magic == 0 { 18 } else { 26 }
}

fn length_at(bytes: &[u8], at: usize) -> Option<i32> {
    let field = bytes.get(at..)?.first_chunk::<4>()?;
    Some(i32::from_be_bytes(*field))
}

/// A length and as many bytes, below 0 for none; and what comes next.
fn delimited(bytes: &[u8], at: usize) -> Result<(Option<&[u8]>, usize), RecordFault> {
    let fault = |class: FaultClass| class.with(CorruptReason::RecordLength);
    let length = length_at(bytes, at).ok_or(fault(FaultClass::IndexOutOfBounds))?;
    let Ok(length) = usize::try_from(length) else {
        return Ok((None, at + 4));
    };
    let end = (at + 4).saturating_add(length);
    match bytes.get(at + 4..end) {
        Some(found) => Ok((Some(found), end)),
        None => Err(fault(FaultClass::IllegalArgument)),
    }
}

pub(super) fn read_fields(bytes: &[u8], at: u64) -> Result<Vec<Field>, CorruptReason> {
    let header = super::read_header(bytes)?;
    let bytes = &bytes[..header.size as usize];
    let found = layout(bytes)?;
    let timestamp = match header.timestamp {
        Some(timestamp) => format!("{} ms", grouped(timestamp.get())),
        None => "none".to_string(),
    };
    let attributes = match RawHeader::read(bytes)?.append_time() {
        Some(_) => "LogAppendTime",
        None => "CreateTime",
    };
    let packed = match header.codec {
        Codec::None => None,
        codec => Some(format!("{codec}, {} messages", super::read_records(bytes)?.len())),
    };
    let attributes = match header.magic {
        0 => bytes[17].to_string(),
        _ => format!("{}, {attributes}", bytes[17]),
    };
    let key_length = be_i32(bytes, found.key_length_at);
    let value_length = be_i32(bytes, found.value_length_at);
    let mut fields = Vec::new();
    let mut push = |from: usize, length: usize, name: &'static str, value: String| {
        fields.push(Field {
            at: at + from as u64,
            bytes: bytes[from..from + length].to_vec(),
            name,
            value,
        });
    };
    push(0, 8, "offset", header.first_offset.to_string());
    push(8, 4, "size", be_i32(bytes, 8).to_string());
    push(12, 4, "crc", "valid".to_string());
    push(16, 1, "magic", header.magic.to_string());
    push(17, 1, "attributes", attributes);
    if header.magic > 0 {
        push(18, 8, "timestamp", timestamp);
    }
    push(found.key_length_at, 4, "key length", key_length.to_string());
    if let Some(key) = found.key {
        push(found.key_length_at + 4, key.len(), "key", text(Some(key)));
    }
    push(found.value_length_at, 4, "value length", value_length.to_string());
    if let Some(value) = found.value {
        let shown = packed.unwrap_or_else(|| text(Some(value)));
        push(found.value_length_at + 4, value.len(), "value", shown);
    }
    Ok(fields)
}
