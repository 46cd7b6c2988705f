//! Record batch v2 (Kafka: `DefaultRecordBatch`, `DefaultRecord`).
//!
//! | at | size | field |
//! |---|---|---|
//! | 0 | 8 | base offset |
//! | 8 | 4 | size of what follows |
//! | 12 | 4 | partition leader epoch |
//! | 16 | 1 | magic = 2 |
//! | 17 | 4 | CRC-32C of bytes 21 to the end |
//! | 21 | 2 | attributes: bits 0 to 2 codec, bit 3 LogAppendTime |
//! | 23 | 4 | last offset − base offset |
//! | 27 | 8 | base timestamp |
//! | 35 | 8 | largest timestamp |
//! | 43 | 8 | producer id, −1 for none |
//! | 51 | 2 | producer epoch |
//! | 53 | 4 | base sequence |
//! | 57 | 4 | number of records |
//! | 61 | | records, each with its length in front; lengths and deltas as zig-zag varints; compressed as a whole |

use super::raw::{APPEND_TIME, CONTROL, DELETE_HORIZON, TRANSACTIONAL};
use super::{Codec, Field, LOG_OVERHEAD, RawHeader, be_i32, be_i64, text};
use crate::format::batch::CorruptReason;
use crate::format::checksum::crc_32c;
use crate::units::grouped;

/// Bytes before the records.
pub const RECORD_BATCH_OVERHEAD: u64 = OVERHEAD as u64;

pub(super) const OVERHEAD: usize = 61;

/// Size field of a batch without records.
pub(super) const SIZE_FIELD_MIN: i32 = (OVERHEAD - LOG_OVERHEAD) as i32;

/// Where the checksum lies; it covers what follows the attributes' first byte on.
pub(super) const CRC_AT: usize = 17;
pub(super) const CRC_FROM: usize = 21;

/// The attribute bits that mean something.
pub(super) const KNOWN_ATTRIBUTES: i16 = Codec::MASK as i16 | APPEND_TIME | TRANSACTIONAL | CONTROL | DELETE_HORIZON;

/// The checksum of one batch, whose bytes are exactly `batch`.
pub(super) fn checksum(batch: &[u8]) -> u32 {
    crc_32c(&batch[CRC_FROM..])
}

pub(super) fn read_fields(bytes: &[u8], at: u64) -> Result<Vec<Field>, CorruptReason> {
    let records = super::read_records(bytes)?;
    let header = super::read_header(bytes)?;
    let time = |value: i64| {
        if value < 0 {
            "none".to_string()
        } else {
            format!("{} ms", grouped(value))
        }
    };
    let attributes = attributes_text(&RawHeader::read(bytes)?);
    let mut fields = Vec::new();
    let mut push = |from: usize, length: usize, name: &'static str, value: String| {
        fields.push(Field {
            at: at + from as u64,
            bytes: bytes[from..from + length].to_vec(),
            name,
            value,
        });
    };
    push(0, 8, "base offset", header.first_offset.to_string());
    push(8, 4, "batch length", be_i32(bytes, 8).to_string());
    push(12, 4, "partition leader epoch", be_i32(bytes, 12).to_string());
    push(16, 1, "magic", "2".to_string());
    push(17, 4, "crc", "valid".to_string());
    push(21, 2, "attributes", attributes);
    push(23, 4, "last offset delta", be_i32(bytes, 23).to_string());
    push(27, 8, "base timestamp", time(be_i64(bytes, 27)));
    push(35, 8, "max timestamp", time(be_i64(bytes, 35)));
    push(43, 8, "producer id", be_i64(bytes, 43).to_string());
    push(
        51,
        2,
        "producer epoch",
        i16::from_be_bytes([bytes[51], bytes[52]]).to_string(),
    );
    push(53, 4, "base sequence", be_i32(bytes, 53).to_string());
    push(57, 4, "records", be_i32(bytes, 57).to_string());
    if header.codec != Codec::None {
        let packed = format!("{}, {} records", header.codec, records.len());
        push(OVERHEAD, header.size as usize - OVERHEAD, "records", packed);
        return Ok(fields);
    }
    for record in records {
        let value = text(record.value.as_deref());
        push(
            record.start,
            record.size,
            "record",
            format!("offset {}, {value}", record.offset),
        );
    }
    Ok(fields)
}

/// The attributes as a number and in words: `48, CreateTime, transactional, control`.
fn attributes_text(header: &RawHeader) -> String {
    let mut out = (header.attributes & 0xff).to_string();
    out.push_str(match header.append_time() {
        Some(_) => ", LogAppendTime",
        None => ", CreateTime",
    });
    for (set, name) in [
        (header.is_transactional(), ", transactional"),
        (header.is_control(), ", control"),
        (header.delete_horizon().is_some(), ", delete horizon"),
    ] {
        if set {
            out.push_str(name);
        }
    }
    out
}
