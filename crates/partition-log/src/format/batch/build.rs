//! Batches and messages from their fields, as Kafka's builder writes them (Kafka: `MemoryRecordsBuilder`,
//! `DefaultRecordBatch.writeHeader`, `DefaultRecord.writeTo`, `LegacyRecord.write`).

use super::codec::Codec;
use super::encode_error::EncodeError;
use super::raw::{APPEND_TIME, CONTROL, DELETE_HORIZON, RawHeader, TRANSACTIONAL, checksum};
use super::varint::{put_varint, varint_size};
use super::{LOG_OVERHEAD, SIZE_MAX, legacy, v2};

/// A header of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordHeader {
    /// Its key; Kafka's clients write UTF-8.
    pub key: Vec<u8>,
    /// Its value, if it has one.
    pub value: Option<Vec<u8>>,
}

/// A record of a batch that is to be built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordSpec {
    /// Its offset − the base offset of the batch; each larger than the one before, except in bytes that are to be wrong.
    pub offset_delta: i32,
    /// Its timestamp in milliseconds, −1 for none.
    pub timestamp: i64,
    /// Its key, if it has one.
    pub key: Option<Vec<u8>>,
    /// Its value, if it has one.
    pub value: Option<Vec<u8>>,
    /// Its headers.
    pub headers: Vec<RecordHeader>,
}

/// A batch in format v2 that is to be built. Start from [`BatchSpec::default`], a batch as a producer without
/// idempotence sends it, and no records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchSpec {
    /// Base offset; a client sends 0.
    pub base_offset: i64,
    /// Partition leader epoch, −1 for none.
    pub leader_epoch: i32,
    /// The broker's time that counts instead of the records' timestamps (LogAppendTime), in milliseconds.
    pub append_time: Option<i64>,
    /// Producer id, −1 for none.
    pub producer_id: i64,
    /// Producer epoch, −1 for none.
    pub producer_epoch: i16,
    /// Sequence number of the first record, −1 for none.
    pub base_sequence: i32,
    /// Whether its records belong to a transaction.
    pub transactional: bool,
    /// Whether it is a control batch.
    pub control: bool,
    /// When tombstones and markers may go; takes the place of the base timestamp.
    pub delete_horizon: Option<i64>,
    /// Last offset − base offset; `None` for the last record's. Compaction leaves a larger one.
    pub last_offset_delta: Option<i32>,
    /// Largest timestamp; `None` for the records' largest.
    pub max_timestamp: Option<i64>,
    /// The records.
    pub records: Vec<RecordSpec>,
}

impl Default for BatchSpec {
    fn default() -> BatchSpec {
        BatchSpec {
            base_offset: 0,
            leader_epoch: -1,
            append_time: None,
            producer_id: -1,
            producer_epoch: -1,
            base_sequence: -1,
            transactional: false,
            control: false,
            delete_horizon: None,
            last_offset_delta: None,
            max_timestamp: None,
            records: Vec::new(),
        }
    }
}

impl BatchSpec {
    /// The bytes, not compressed.
    ///
    /// # Errors
    ///
    /// [`EncodeError::TooLarge`] past 2^31 − 1 B.
    pub fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        self.encode_area(Codec::None, &self.records_area())
    }

    /// The records as they lie behind the header, not compressed.
    pub fn records_area(&self) -> Vec<u8> {
        let base = self.base_timestamp();
        let mut area = Vec::new();
        for record in &self.records {
            put_record(
                &mut area,
                &RecordParts {
                    offset_delta: i64::from(record.offset_delta),
                    timestamp_delta: record.timestamp.wrapping_sub(base),
                    key: record.key.as_deref(),
                    value: record.value.as_deref(),
                    headers: &record.headers,
                },
            );
        }
        area
    }

    /// The bytes, with what a codec made of [`BatchSpec::records_area`].
    ///
    /// # Errors
    ///
    /// [`EncodeError::TooLarge`] past 2^31 − 1 B.
    pub fn encode_area(&self, codec: Codec, area: &[u8]) -> Result<Vec<u8>, EncodeError> {
        let size = (v2::OVERHEAD + area.len()) as u64;
        if size > SIZE_MAX {
            return Err(EncodeError::TooLarge { size, max: SIZE_MAX });
        }
        Ok(self.assemble(codec, area))
    }

    /// The header and the area; the caller knows that the size fits its field.
    pub(super) fn assemble(&self, codec: Codec, area: &[u8]) -> Vec<u8> {
        let size = (v2::OVERHEAD + area.len()) as u64;
        let flags = [
            (self.append_time.is_some(), APPEND_TIME),
            (self.transactional, TRANSACTIONAL),
            (self.control, CONTROL),
            (self.delete_horizon.is_some(), DELETE_HORIZON),
        ];
        let largest = self.records.iter().map(|record| record.timestamp).fold(-1, i64::max);
        let mut out = Vec::with_capacity(size as usize);
        put_header(
            &mut out,
            &RawHeader {
                base_offset: self.base_offset,
                size,
                leader_epoch: self.leader_epoch,
                magic: 2,
                crc: 0,
                attributes: flags
                    .iter()
                    .filter(|(set, _)| *set)
                    .fold(i16::from(codec.id()), |all, (_, bit)| all | bit),
                last_offset_delta: self
                    .last_offset_delta
                    .unwrap_or_else(|| self.records.last().map_or(0, |record| record.offset_delta)),
                base_timestamp: self.base_timestamp(),
                max_timestamp: self.max_timestamp.or(self.append_time).unwrap_or(largest),
                producer_id: self.producer_id,
                producer_epoch: self.producer_epoch,
                base_sequence: self.base_sequence,
                count: Some(self.records.len() as i32),
            },
        );
        out.extend_from_slice(area);
        seal(&mut out);
        out
    }

    fn base_timestamp(&self) -> i64 {
        self.delete_horizon
            .or_else(|| self.records.first().map(|record| record.timestamp))
            .unwrap_or(-1)
    }
}

/// The formats before v2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegacyFormat {
    /// Format v0, without timestamps.
    V0,
    /// Format v1.
    V1,
}

/// A message in format v0 or v1 that is to be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageSpec {
    /// The format.
    pub format: LegacyFormat,
    /// Its offset; of a compressed one that of its last inner message.
    pub offset: i64,
    /// Its timestamp in milliseconds, −1 for none; v0 has no room for it.
    pub timestamp: i64,
    /// Whether the timestamp is the broker's (LogAppendTime).
    pub append_time: bool,
    /// What the value is compressed with: then it holds messages.
    pub codec: Codec,
    /// Its key, if it has one.
    pub key: Option<Vec<u8>>,
    /// Its value, if it has one.
    pub value: Option<Vec<u8>>,
}

impl MessageSpec {
    /// The bytes.
    ///
    /// # Errors
    ///
    /// [`EncodeError::TooLarge`] past 2^31 − 1 B.
    pub fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        let v1 = self.format == LegacyFormat::V1;
        let overhead = if v1 { legacy::OVERHEAD } else { legacy::OVERHEAD_V0 };
        let length = |bytes: &Option<Vec<u8>>| bytes.as_ref().map_or(0, Vec::len);
        let size = (overhead + length(&self.key) + length(&self.value)) as u64;
        if size > SIZE_MAX {
            return Err(EncodeError::TooLarge { size, max: SIZE_MAX });
        }
        let append_time = if v1 && self.append_time { APPEND_TIME as u8 } else { 0 };
        let mut out = Vec::with_capacity(size as usize);
        out.extend_from_slice(&self.offset.to_be_bytes());
        out.extend_from_slice(&[0; 8]);
        out.push(u8::from(v1));
        out.push(self.codec.id() | append_time);
        if v1 {
            out.extend_from_slice(&self.timestamp.to_be_bytes());
        }
        for part in [&self.key, &self.value] {
            out.extend_from_slice(&part.as_ref().map_or(-1, |part| part.len() as i32).to_be_bytes());
            out.extend_from_slice(part.as_deref().unwrap_or_default());
        }
        seal(&mut out);
        Ok(out)
    }
}

/// What a record in format v2 is made of.
pub(super) struct RecordParts<'a> {
    pub(super) offset_delta: i64,
    pub(super) timestamp_delta: i64,
    pub(super) key: Option<&'a [u8]>,
    pub(super) value: Option<&'a [u8]>,
    pub(super) headers: &'a [RecordHeader],
}

/// Appends a header in format v2. Size and checksum stay 0 until [`seal`].
pub(super) fn put_header(out: &mut Vec<u8>, header: &RawHeader) {
    out.extend_from_slice(&header.base_offset.to_be_bytes());
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&header.leader_epoch.to_be_bytes());
    out.extend_from_slice(&header.magic.to_be_bytes());
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&header.attributes.to_be_bytes());
    out.extend_from_slice(&header.last_offset_delta.to_be_bytes());
    out.extend_from_slice(&header.base_timestamp.to_be_bytes());
    out.extend_from_slice(&header.max_timestamp.to_be_bytes());
    out.extend_from_slice(&header.producer_id.to_be_bytes());
    out.extend_from_slice(&header.producer_epoch.to_be_bytes());
    out.extend_from_slice(&header.base_sequence.to_be_bytes());
    out.extend_from_slice(&header.count.unwrap_or(0).to_be_bytes());
}

/// Writes size and checksum of one batch or message that is complete but for them.
pub(super) fn seal(batch: &mut [u8]) {
    let size = (batch.len() - LOG_OVERHEAD) as i32;
    batch[8..12].copy_from_slice(&size.to_be_bytes());
    seal_checksum(batch);
}

/// Writes the checksum of one batch or message.
pub(super) fn seal_checksum(batch: &mut [u8]) {
    let at = if (batch[16] as i8) < 2 {
        legacy::CRC_AT
    } else {
        v2::CRC_AT
    };
    let crc = checksum(batch);
    batch[at..at + 4].copy_from_slice(&crc.to_be_bytes());
}

/// Appends a record in format v2.
pub(super) fn put_record(out: &mut Vec<u8>, parts: &RecordParts<'_>) {
    let headers: usize = parts
        .headers
        .iter()
        .map(|header| nullable_size(Some(&header.key)) + nullable_size(header.value.as_deref()))
        .sum();
    let body = 1
        + varint_size(parts.timestamp_delta)
        + varint_size(parts.offset_delta)
        + nullable_size(parts.key)
        + nullable_size(parts.value)
        + varint_size(parts.headers.len() as i64)
        + headers;
    put_varint(out, body as i64);
    out.push(0);
    put_varint(out, parts.timestamp_delta);
    put_varint(out, parts.offset_delta);
    put_nullable(out, parts.key);
    put_nullable(out, parts.value);
    put_varint(out, parts.headers.len() as i64);
    for header in parts.headers {
        put_nullable(out, Some(&header.key));
        put_nullable(out, header.value.as_deref());
    }
}

fn nullable_size(bytes: Option<&[u8]>) -> usize {
    bytes.map_or(1, |bytes| varint_size(bytes.len() as i64) + bytes.len())
}

fn put_nullable(out: &mut Vec<u8>, bytes: Option<&[u8]>) {
    put_varint(out, bytes.map_or(-1, |bytes| bytes.len() as i64));
    out.extend_from_slice(bytes.unwrap_or_default());
}
