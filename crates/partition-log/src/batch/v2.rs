//! Record batch v2, uncompressed (Kafka: `DefaultRecordBatch`, `DefaultRecord`).
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
//! | 61 | | records, each with its length in front; lengths and deltas as zig-zag varints |

use crc::{CRC_32_ISCSI, Crc};

use super::{BatchHeader, Field, Record, be_i32, be_i64, text, value_text};
use crate::error::{CorruptReason, LogError};
use crate::units::{Offset, TimestampMs, grouped};

const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);

/// Bytes before the records.
pub const RECORD_BATCH_OVERHEAD: u64 = OVERHEAD as u64;

const OVERHEAD: usize = 61;
const LOG_OVERHEAD: usize = 12;
const CODEC_MASK: u8 = 0x07;
const LOG_APPEND_TIME: u8 = 0x08;

/// What a batch is made of.
pub(super) struct Shape<'a> {
    pub(super) records: u32,
    pub(super) size: u64,
    pub(super) key: Option<&'a [u8]>,
    pub(super) headers: u32,
}

pub(super) fn encode(
    first: Offset,
    shape: &Shape<'_>,
    timestamp: Option<TimestampMs>,
    append_time: Option<TimestampMs>,
) -> Result<Vec<u8>, LogError> {
    let lengths = value_lengths(shape)?;
    // A batch that takes the broker's clock keeps its base timestamp: only the largest one is overwritten.
    let base_timestamp = timestamp.map_or(-1, TimestampMs::get);
    let max_timestamp = append_time.map_or(base_timestamp, TimestampMs::get);
    let mut out = Vec::with_capacity(shape.size as usize);
    out.extend_from_slice(&first.get().to_be_bytes());
    out.extend_from_slice(&((shape.size as usize - LOG_OVERHEAD) as i32).to_be_bytes());
    out.extend_from_slice(&0i32.to_be_bytes());
    out.push(2);
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&[0, if append_time.is_some() { LOG_APPEND_TIME } else { 0 }]);
    out.extend_from_slice(&((shape.records - 1) as i32).to_be_bytes());
    out.extend_from_slice(&base_timestamp.to_be_bytes());
    out.extend_from_slice(&max_timestamp.to_be_bytes());
    out.extend_from_slice(&(-1i64).to_be_bytes());
    out.extend_from_slice(&(-1i16).to_be_bytes());
    out.extend_from_slice(&(-1i32).to_be_bytes());
    out.extend_from_slice(&(shape.records as i32).to_be_bytes());
    for (delta, length) in lengths.into_iter().enumerate() {
        let offset = first.checked_add(delta as i64).ok_or(LogError::NumberTooLarge {
            what: "the last offset",
        })?;
        put_record(&mut out, shape, delta as i64, &value_text(offset, length));
    }
    let crc = CRC.checksum(&out[21..]);
    out[17..21].copy_from_slice(&crc.to_be_bytes());
    Ok(out)
}

fn put_record(out: &mut Vec<u8>, shape: &Shape<'_>, delta: i64, value: &[u8]) {
    put_varint(out, body_size(shape, delta, value.len()) as i64);
    out.push(0);
    put_varint(out, 0);
    put_varint(out, delta);
    match shape.key {
        Some(key) => {
            put_varint(out, key.len() as i64);
            out.extend_from_slice(key);
        }
        None => put_varint(out, -1),
    }
    put_varint(out, value.len() as i64);
    out.extend_from_slice(value);
    put_varint(out, i64::from(shape.headers));
    for header in 0..shape.headers {
        let name = format!("h{header}");
        put_varint(out, name.len() as i64);
        out.extend_from_slice(name.as_bytes());
        put_varint(out, 1);
        out.push(b'v');
    }
}

/// Size of a record behind its length field.
fn body_size(shape: &Shape<'_>, delta: i64, value: usize) -> usize {
    let key = match shape.key {
        Some(key) => varint_size(key.len() as i64) + key.len(),
        None => 1,
    };
    let headers: usize = (0..shape.headers)
        .map(|header| 1 + 1 + decimal_digits(header) + 1 + 1)
        .sum();
    1 + 1
        + varint_size(delta)
        + key
        + varint_size(value as i64)
        + value
        + varint_size(i64::from(shape.headers))
        + headers
}

const fn decimal_digits(value: u32) -> usize {
    if value == 0 { 1 } else { value.ilog10() as usize + 1 }
}

fn record_size(shape: &Shape<'_>, delta: i64, value: usize) -> u64 {
    let body = body_size(shape, delta, value);
    (varint_size(body as i64) + body) as u64
}

/// Lengths of the values that make the batch exactly as large as asked: even parts, the last record takes the rest.
fn value_lengths(shape: &Shape<'_>) -> Result<Vec<usize>, LogError> {
    if shape.records == 0 {
        return Err(LogError::EmptyBatch);
    }
    // A record takes 7 B at least: refuse a count that cannot fit before anything is allocated for it.
    let floor = OVERHEAD as u64 + 7 * u64::from(shape.records);
    let headers_floor = (5 * u64::from(shape.headers)).saturating_mul(u64::from(shape.records));
    let too_small = |min| LogError::TooSmallForFormat {
        size: shape.size,
        min,
        what: "a record batch of this shape",
    };
    if shape.size < floor.saturating_add(headers_floor) {
        return Err(too_small(floor.saturating_add(headers_floor)));
    }
    let minimum: u64 = (0..shape.records)
        .map(|delta| record_size(shape, i64::from(delta), 0))
        .sum();
    let min = OVERHEAD as u64 + minimum;
    if shape.size < min {
        return Err(too_small(min));
    }
    let mut left = shape.size - OVERHEAD as u64;
    let mut rest = minimum;
    let mut lengths = Vec::with_capacity(shape.records as usize);
    for delta in 0..shape.records {
        let records_left = u64::from(shape.records - delta);
        rest -= record_size(shape, i64::from(delta), 0);
        let part = if records_left == 1 {
            left
        } else {
            (left / records_left).min(left - rest)
        };
        let length = value_length(shape, i64::from(delta), part);
        left -= record_size(shape, i64::from(delta), length);
        lengths.push(length);
    }
    if left != 0 {
        return Err(LogError::SizeNotReachable {
            size: shape.size,
            nearest: shape.size - left,
        });
    }
    Ok(lengths)
}

/// The longest value whose record takes at most `part` bytes.
fn value_length(shape: &Shape<'_>, delta: i64, part: u64) -> usize {
    let empty = record_size(shape, delta, 0);
    let mut length = part.saturating_sub(empty) as usize;
    while length > 0 && record_size(shape, delta, length) > part {
        length -= 1;
    }
    length
}

pub(super) fn read_header(bytes: &[u8]) -> Result<BatchHeader, CorruptReason> {
    let size = be_i32(bytes, 8);
    if size < (OVERHEAD - LOG_OVERHEAD) as i32 {
        return Err(CorruptReason::SizeField { size });
    }
    let needed = LOG_OVERHEAD + size as usize;
    if bytes.len() < needed {
        return Err(CorruptReason::Torn {
            present: bytes.len() as u64,
            needed: needed as u64,
        });
    }
    let first = Offset::new(be_i64(bytes, 0)).ok_or(CorruptReason::RecordLength)?;
    let last = match be_i32(bytes, 23) {
        delta if delta < 0 => None,
        delta => first.checked_add(i64::from(delta)),
    };
    Ok(BatchHeader {
        first_offset: first,
        last_offset: last.ok_or(CorruptReason::RecordLength)?,
        size: needed as u64,
        timestamp: TimestampMs::new(be_i64(bytes, 35)),
        magic: 2,
    })
}

fn verify(bytes: &[u8]) -> Result<(), CorruptReason> {
    let stored = be_i32(bytes, 17) as u32;
    let computed = CRC.checksum(&bytes[21..]);
    if stored != computed {
        return Err(CorruptReason::Crc { stored, computed });
    }
    match bytes[22] & CODEC_MASK {
        0 => Ok(()),
        codec => Err(CorruptReason::Compressed { codec }),
    }
}

/// Reads what a record is made of.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn varint(&mut self) -> Result<i64, CorruptReason> {
        let mut raw: u64 = 0;
        for shift in (0..70).step_by(7) {
            let byte = *self.bytes.get(self.at).ok_or(CorruptReason::RecordLength)?;
            self.at += 1;
            raw |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte & 0x80 == 0 {
                return Ok((raw >> 1) as i64 ^ -((raw & 1) as i64));
            }
        }
        Err(CorruptReason::RecordLength)
    }

    fn take(&mut self, length: i64) -> Result<&'a [u8], CorruptReason> {
        let length = usize::try_from(length).map_err(|_| CorruptReason::RecordLength)?;
        let end = self.at.checked_add(length).ok_or(CorruptReason::RecordLength)?;
        let found = self.bytes.get(self.at..end).ok_or(CorruptReason::RecordLength)?;
        self.at = end;
        Ok(found)
    }

    /// A length and as many bytes; −1 for none.
    fn nullable(&mut self) -> Result<Option<&'a [u8]>, CorruptReason> {
        match self.varint()? {
            -1 => Ok(None),
            length => self.take(length).map(Some),
        }
    }
}

pub(super) fn read_records(bytes: &[u8]) -> Result<Vec<Record>, CorruptReason> {
    let header = read_header(bytes)?;
    let bytes = &bytes[..header.size as usize];
    verify(bytes)?;
    let count = be_i32(bytes, 57);
    let base_timestamp = be_i64(bytes, 27);
    let append_time = bytes[22] & LOG_APPEND_TIME != 0;
    let mut reader = Reader { bytes, at: OVERHEAD };
    let mut records = Vec::new();
    for _ in 0..count.max(0) {
        let start = reader.at;
        let length = reader.varint()?;
        let body = reader.at;
        reader.take(1)?;
        let timestamp_delta = reader.varint()?;
        let offset_delta = reader.varint()?;
        let key = reader.nullable()?.map(<[u8]>::to_vec);
        let value = reader.nullable()?.map(<[u8]>::to_vec);
        for _ in 0..reader.varint()? {
            let name = reader.varint()?;
            reader.take(name)?;
            reader.nullable()?;
        }
        if reader.at as i64 - body as i64 != length {
            return Err(CorruptReason::RecordLength);
        }
        let timestamp = if append_time {
            header.timestamp
        } else {
            TimestampMs::new(base_timestamp.wrapping_add(timestamp_delta))
        };
        let offset = header
            .first_offset
            .checked_add(offset_delta)
            .ok_or(CorruptReason::RecordLength)?;
        records.push(Record {
            offset,
            timestamp,
            start,
            size: reader.at - start,
            key,
            value,
        });
    }
    if reader.at == bytes.len() {
        Ok(records)
    } else {
        Err(CorruptReason::RecordLength)
    }
}

pub(super) fn read_fields(bytes: &[u8], at: u64) -> Result<Vec<Field>, CorruptReason> {
    let records = read_records(bytes)?;
    let header = read_header(bytes)?;
    let time = |value: i64| {
        if value < 0 {
            "none".to_string()
        } else {
            format!("{} ms", grouped(value))
        }
    };
    let attributes = if bytes[22] & LOG_APPEND_TIME == 0 {
        "CreateTime"
    } else {
        "LogAppendTime"
    };
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
    push(21, 2, "attributes", format!("{}, {attributes}", bytes[22]));
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

/// Bytes of a zig-zag varint (Kafka: `ByteUtils.sizeOfVarlong`).
const fn varint_size(value: i64) -> usize {
    let raw = ((value << 1) ^ (value >> 63)) as u64;
    let bits = 64 - (raw | 1).leading_zeros() as usize;
    bits.div_ceil(7)
}

fn put_varint(out: &mut Vec<u8>, value: i64) {
    let mut raw = ((value << 1) ^ (value >> 63)) as u64;
    while raw >= 0x80 {
        out.push(raw as u8 | 0x80);
        raw >>= 7;
    }
    out.push(raw as u8);
}
