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

use crc::{CRC_32_ISO_HDLC, Crc};

use super::raw::ensure_valid;
use super::{Field, RawHeader, Record, be_i32, text};
use crate::error::CorruptReason;
use crate::units::grouped;

const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// Bytes beside key and value in format v1.
pub(super) const OVERHEAD: usize = 34;

/// Bytes beside key and value in format v0.
pub(super) const OVERHEAD_V0: usize = 26;

/// Bytes that every message has: a header in v1, and all of a v0 message without key and value.
pub(super) const HEADER: usize = 26;

/// Where the checksum lies; it covers what follows it.
pub(super) const CRC_AT: usize = 12;
const CRC_FROM: usize = 16;

/// The checksum of one message, whose bytes are exactly `message`.
pub(super) fn checksum(message: &[u8]) -> u32 {
    CRC.checksum(&message[CRC_FROM..])
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
    let key_length_at = if bytes[16] == 0 { 18 } else { 26 };
    let (key, value_length_at) = sized(bytes, key_length_at)?;
    let (value, end) = sized(bytes, value_length_at)?;
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

/// A length and as many bytes; −1 for none.
fn sized(bytes: &[u8], at: usize) -> Result<(Option<&[u8]>, usize), CorruptReason> {
    if at + 4 > bytes.len() {
        return Err(CorruptReason::RecordLength);
    }
    match be_i32(bytes, at) {
        -1 => Ok((None, at + 4)),
        length if length < 0 => Err(CorruptReason::RecordLength),
        length => {
            let end = at + 4 + length as usize;
            bytes
                .get(at + 4..end)
                .map(|found| (Some(found), end))
                .ok_or(CorruptReason::RecordLength)
        }
    }
}

pub(super) fn read_records(bytes: &[u8]) -> Result<Vec<Record>, CorruptReason> {
    let header = super::read_header(bytes)?;
    let bytes = &bytes[..header.size as usize];
    let found = layout(bytes)?;
    Ok(vec![Record {
        offset: header.first_offset,
        timestamp: header.timestamp,
        start: 0,
        size: bytes.len(),
        key: found.key.map(<[u8]>::to_vec),
        value: found.value.map(<[u8]>::to_vec),
    }])
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
        push(found.value_length_at + 4, value.len(), "value", text(Some(value)));
    }
    Ok(fields)
}
