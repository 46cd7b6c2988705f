//! Message format v1, one message a batch (Kafka: `LegacyRecord`, `AbstractLegacyRecordBatch`).
//!
//! | at | size | field |
//! |---|---|---|
//! | 0 | 8 | offset |
//! | 8 | 4 | size of what follows |
//! | 12 | 4 | CRC-32 of bytes 16 to the end |
//! | 16 | 1 | magic = 1 |
//! | 17 | 1 | attributes: bits 0 to 2 codec, bit 3 LogAppendTime |
//! | 18 | 8 | timestamp, −1 for none |
//! | 26 | 4 | key length, −1 for none, then the key |
//! | | 4 | value length, −1 for none, then the value |

use crc::{CRC_32_ISO_HDLC, Crc};

use super::{BatchHeader, Field, Record, be_i32, be_i64, text, value_text};
use crate::error::{CorruptReason, LogError};
use crate::units::{Offset, TimestampMs, grouped};

const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// Bytes beside key and value.
pub(super) const OVERHEAD: usize = 34;

/// `offset` and `size`, which the size field does not count.
const LOG_OVERHEAD: usize = 12;

/// Smallest size field: a v0 message without key and value (Kafka: `LegacyRecord.RECORD_OVERHEAD_V0`).
const SIZE_MIN: i32 = 14;

const CODEC_MASK: u8 = 0x07;
const LOG_APPEND_TIME: u8 = 0x08;

pub(super) fn encode(
    offset: Offset,
    size: u64,
    timestamp: Option<TimestampMs>,
    append_time: Option<TimestampMs>,
    key: Option<&[u8]>,
) -> Result<Vec<u8>, LogError> {
    let min = OVERHEAD + key.map_or(0, <[u8]>::len);
    if size < min as u64 {
        return Err(LogError::TooSmallForFormat {
            size,
            min: min as u64,
            what: "a message of format v1",
        });
    }
    let value = value_text(offset, size as usize - min);
    let timestamp = append_time.or(timestamp).map_or(-1, TimestampMs::get);
    let mut out = Vec::with_capacity(size as usize);
    out.extend_from_slice(&offset.get().to_be_bytes());
    out.extend_from_slice(&((size as usize - LOG_OVERHEAD) as i32).to_be_bytes());
    out.extend_from_slice(&[0; 4]);
    out.push(1);
    out.push(if append_time.is_some() { LOG_APPEND_TIME } else { 0 });
    out.extend_from_slice(&timestamp.to_be_bytes());
    out.extend_from_slice(&key.map_or(-1, |key| key.len() as i32).to_be_bytes());
    out.extend_from_slice(key.unwrap_or_default());
    out.extend_from_slice(&(value.len() as i32).to_be_bytes());
    out.extend_from_slice(&value);
    let crc = CRC.checksum(&out[16..]);
    out[12..16].copy_from_slice(&crc.to_be_bytes());
    Ok(out)
}

pub(super) fn read_header(bytes: &[u8]) -> Result<BatchHeader, CorruptReason> {
    let size = be_i32(bytes, 8);
    if size < SIZE_MIN {
        return Err(CorruptReason::SizeField { size });
    }
    let needed = LOG_OVERHEAD + size as usize;
    if bytes.len() < needed.max(OVERHEAD) {
        return Err(CorruptReason::Torn {
            present: bytes.len() as u64,
            needed: needed.max(OVERHEAD) as u64,
        });
    }
    match bytes[17] & CODEC_MASK {
        0 => {}
        codec => return Err(CorruptReason::Compressed { codec }),
    }
    let offset = Offset::new(be_i64(bytes, 0)).ok_or(CorruptReason::RecordLength)?;
    Ok(BatchHeader {
        first_offset: offset,
        last_offset: offset,
        size: needed as u64,
        timestamp: TimestampMs::new(be_i64(bytes, 18)),
        magic: 1,
    })
}

/// Where key and value lie, after the checksum was verified.
struct Layout<'a> {
    key: Option<&'a [u8]>,
    value: Option<&'a [u8]>,
    value_length_at: usize,
}

fn layout(bytes: &[u8]) -> Result<Layout<'_>, CorruptReason> {
    let stored = be_i32(bytes, 12) as u32;
    let computed = CRC.checksum(&bytes[16..]);
    if stored != computed {
        return Err(CorruptReason::Crc { stored, computed });
    }
    let (key, value_length_at) = sized(bytes, 26)?;
    let (value, end) = sized(bytes, value_length_at)?;
    if end != bytes.len() {
        return Err(CorruptReason::RecordLength);
    }
    Ok(Layout {
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
    let header = read_header(bytes)?;
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
    let header = read_header(bytes)?;
    let bytes = &bytes[..header.size as usize];
    let found = layout(bytes)?;
    let timestamp = match header.timestamp {
        Some(timestamp) => format!("{} ms", grouped(timestamp.get())),
        None => "none".to_string(),
    };
    let attributes = if bytes[17] & LOG_APPEND_TIME == 0 {
        "CreateTime"
    } else {
        "LogAppendTime"
    };
    let key_length = be_i32(bytes, 26);
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
    push(16, 1, "magic", "1".to_string());
    push(17, 1, "attributes", format!("{}, {attributes}", bytes[17]));
    push(18, 8, "timestamp", timestamp);
    push(26, 4, "key length", key_length.to_string());
    if let Some(key) = found.key {
        push(30, key.len(), "key", text(Some(key)));
    }
    push(found.value_length_at, 4, "value length", value_length.to_string());
    if let Some(value) = found.value {
        push(found.value_length_at + 4, value.len(), "value", text(Some(value)));
    }
    Ok(fields)
}
