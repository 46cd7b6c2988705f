//! Batches and messages of a wished size, as the scenarios ask for them: the values are filled with text.

use super::build::{LegacyFormat, MessageSpec, RecordHeader, RecordParts, put_header, put_record, seal};
use super::codec::Codec;
use super::encode_error::EncodeError;
use super::raw::{APPEND_TIME, RawHeader, TRANSACTIONAL};
use super::varint::varint_size;
use super::{MESSAGE_OVERHEAD, RECORD_BATCH_OVERHEAD, SIZE_MAX};
use crate::units::{LATEST, Offset, TimestampMs};

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
        /// The idempotent producer that sends it; `None` for one without idempotence.
        producer: Option<NewProducer>,
    },
}

/// What an idempotent or transactional producer says of itself in a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewProducer {
    /// Producer id, 0 or more.
    pub id: i64,
    /// Producer epoch, 0 or more.
    pub epoch: i16,
    /// Sequence number of the first record, 0 or more.
    pub sequence: i32,
    /// Whether the records belong to a transaction.
    pub transactional: bool,
}

impl NewBatch {
    /// A message in format v1, `size` bytes in the log, without timestamp and key.
    ///
    /// ```
    /// use partition_log::format::batch::NewBatch;
    ///
    /// let message = NewBatch::message(40).at_ms(10).keyed("k");
    /// assert_eq!((message.size(), message.records()), (40, 1));
    /// ```
    pub fn message(size: u64) -> NewBatch {
        NewBatch::Message {
            size,
            timestamp: None,
            key: None,
        }
    }

    /// A record batch in format v2, `size` bytes in the log, without timestamps, keys, headers and producer.
    ///
    /// ```
    /// use partition_log::format::batch::NewBatch;
    ///
    /// let batch = NewBatch::batch(3, 300).at_ms(10).with_headers(1);
    /// assert_eq!((batch.size(), batch.records()), (300, 3));
    /// ```
    pub fn batch(records: u32, size: u64) -> NewBatch {
        NewBatch::Batch {
            records,
            size,
            timestamp: None,
            key: None,
            headers: 0,
            producer: None,
        }
    }

    /// With a timestamp, which every record has.
    #[must_use]
    pub fn at(mut self, time: TimestampMs) -> NewBatch {
        let (NewBatch::Message { timestamp, .. } | NewBatch::Batch { timestamp, .. }) = &mut self;
        *timestamp = Some(time);
        self
    }

    /// With a timestamp in ms since 1970; what is past 2^63 − 1 is the latest there is.
    #[must_use]
    pub fn at_ms(self, ms: u64) -> NewBatch {
        self.at(TimestampMs::new(i64::try_from(ms).unwrap_or(i64::MAX)).unwrap_or(LATEST))
    }

    /// With a key, which every record has.
    #[must_use]
    pub fn keyed(mut self, bytes: impl Into<Vec<u8>>) -> NewBatch {
        let (NewBatch::Message { key, .. } | NewBatch::Batch { key, .. }) = &mut self;
        *key = Some(bytes.into());
        self
    }

    /// With so many headers in every record. Format v1 has none: a message stays as it is.
    #[must_use]
    pub fn with_headers(mut self, count: u32) -> NewBatch {
        if let NewBatch::Batch { headers, .. } = &mut self {
            *headers = count;
        }
        self
    }

    /// As an idempotent producer sends it.
    ///
    /// # Errors
    ///
    /// [`EncodeError::NoProducer`]: format v1 has no place for one.
    pub fn sent_by(mut self, sender: NewProducer) -> Result<NewBatch, EncodeError> {
        match &mut self {
            NewBatch::Message { .. } => Err(EncodeError::NoProducer),
            NewBatch::Batch { producer, .. } => {
                *producer = Some(sender);
                Ok(self)
            }
        }
    }

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

    /// The idempotent producer that sends it.
    pub fn producer(&self) -> Option<&NewProducer> {
        match self {
            NewBatch::Message { .. } => None,
            NewBatch::Batch { producer, .. } => producer.as_ref(),
        }
    }

    /// The bytes that the log gets, starting at an offset. `append_time` replaces the timestamps where the topic says
    /// LogAppendTime.
    ///
    /// # Errors
    ///
    /// [`EncodeError::TooSmall`] and its like for a size that cannot be reached.
    pub fn encode(&self, first: Offset, append_time: Option<TimestampMs>) -> Result<Vec<u8>, EncodeError> {
        if self.size() > SIZE_MAX {
            return Err(EncodeError::TooLarge {
                size: self.size(),
                max: SIZE_MAX,
            });
        }
        match self {
            NewBatch::Message { size, timestamp, key } => {
                encode_message(first, *size, *timestamp, append_time, key.as_deref())
            }
            NewBatch::Batch {
                records,
                size,
                timestamp,
                key,
                headers,
                producer,
            } => encode_batch(
                first,
                &Shape {
                    records: *records,
                    size: *size,
                    key: key.as_deref(),
                    headers: *headers,
                },
                *timestamp,
                append_time,
                *producer,
            ),
        }
    }
}

fn encode_message(
    offset: Offset,
    size: u64,
    timestamp: Option<TimestampMs>,
    append_time: Option<TimestampMs>,
    key: Option<&[u8]>,
) -> Result<Vec<u8>, EncodeError> {
    let min = MESSAGE_OVERHEAD + key.map_or(0, <[u8]>::len) as u64;
    if size < min {
        return Err(EncodeError::TooSmall {
            size,
            min,
            what: "a message of format v1",
        });
    }
    MessageSpec {
        format: LegacyFormat::V1,
        offset: offset.get(),
        timestamp: append_time.or(timestamp).map_or(-1, TimestampMs::get),
        append_time: append_time.is_some(),
        codec: Codec::None,
        key: key.map(<[u8]>::to_vec),
        value: Some(value_text(offset, (size - min) as usize)),
    }
    .encode()
}

/// What a batch is made of.
struct Shape<'a> {
    records: u32,
    size: u64,
    key: Option<&'a [u8]>,
    headers: u32,
}

fn encode_batch(
    first: Offset,
    shape: &Shape<'_>,
    timestamp: Option<TimestampMs>,
    append_time: Option<TimestampMs>,
    producer: Option<NewProducer>,
) -> Result<Vec<u8>, EncodeError> {
    let lengths = value_lengths(shape)?;
    // A batch that takes the broker's clock keeps its base timestamp: only the largest one is overwritten.
    let base_timestamp = timestamp.map_or(-1, TimestampMs::get);
    let max_timestamp = append_time.map_or(base_timestamp, TimestampMs::get);
    let flags = [
        (append_time.is_some(), APPEND_TIME),
        (producer.is_some_and(|producer| producer.transactional), TRANSACTIONAL),
    ];
    let mut out = Vec::with_capacity(shape.size as usize);
    put_header(
        &mut out,
        &RawHeader {
            base_offset: first.get(),
            size: shape.size,
            leader_epoch: 0,
            magic: 2,
            crc: 0,
            attributes: flags.iter().filter(|(set, _)| *set).fold(0, |all, (_, bit)| all | bit),
            last_offset_delta: (shape.records - 1) as i32,
            base_timestamp,
            max_timestamp,
            producer_id: producer.map_or(-1, |producer| producer.id),
            producer_epoch: producer.map_or(-1, |producer| producer.epoch),
            base_sequence: producer.map_or(-1, |producer| producer.sequence),
            count: Some(shape.records as i32),
        },
    );
    let headers: Vec<RecordHeader> = (0..shape.headers)
        .map(|header| RecordHeader {
            key: format!("h{header}").into_bytes(),
            value: Some(b"v".to_vec()),
        })
        .collect();
    for (delta, length) in lengths.into_iter().enumerate() {
        let offset = first.checked_add(delta as i64).ok_or(EncodeError::OffsetTooLarge)?;
        put_record(
            &mut out,
            &RecordParts {
                offset_delta: delta as i64,
                timestamp_delta: 0,
                key: shape.key,
                value: Some(&value_text(offset, length)),
                headers: &headers,
            },
        );
    }
    seal(&mut out);
    Ok(out)
}

/// The text that fills a value: `order-9;` over and over, cut to length.
fn value_text(offset: Offset, length: usize) -> Vec<u8> {
    let unit = format!("order-{offset};");
    let mut text = unit.as_bytes().repeat(length.div_ceil(unit.len()));
    text.truncate(length);
    text
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
fn value_lengths(shape: &Shape<'_>) -> Result<Vec<usize>, EncodeError> {
    if shape.records == 0 {
        return Err(EncodeError::Empty);
    }
    // A record takes 7 B at least: refuse a count that cannot fit before anything is allocated for it.
    let floor = RECORD_BATCH_OVERHEAD + 7 * u64::from(shape.records);
    let headers_floor = (5 * u64::from(shape.headers)).saturating_mul(u64::from(shape.records));
    let too_small = |min| EncodeError::TooSmall {
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
    let min = RECORD_BATCH_OVERHEAD + minimum;
    if shape.size < min {
        return Err(too_small(min));
    }
    let mut left = shape.size - RECORD_BATCH_OVERHEAD;
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
        return Err(EncodeError::NotReachable {
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
