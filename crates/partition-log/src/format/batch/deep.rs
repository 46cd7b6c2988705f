//! The records inside a batch of any format, compressed or not, one after the other, with the refusals that Kafka has on
//! the way (Kafka: `DefaultRecordBatch.RecordIterator`, `AbstractLegacyRecordBatch.iterator`).

#[cfg(feature = "compression")]
mod packed;

use core::fmt;

use super::body::Body;
use super::varint::{Reader, varint_size};
use super::{Codec, RawHeader, RecordHeader, legacy, v2};
use crate::format::batch::CorruptReason;

/// Largest record that Kafka takes where nothing else is set (Kafka: `max.decompressed.message.bytes`).
pub const RECORD_SIZE_MAX: i32 = i32::MAX - 8;

/// Why the records of a batch cannot be read on, and the exception that Kafka throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RecordFault {
    /// What Kafka throws.
    pub class: FaultClass,
    /// What is wrong.
    pub reason: CorruptReason,
}

impl fmt::Display for RecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl core::error::Error for RecordFault {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.reason)
    }
}

/// The exceptions that Kafka throws over records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum FaultClass {
    /// `InvalidRecordException`.
    InvalidRecord,
    /// `CorruptRecordException`.
    Corrupt,
    /// `KafkaException`: the compressed stream is broken.
    Kafka,
    /// `IllegalArgumentException`, which no client is told of.
    IllegalArgument,
    /// `IndexOutOfBoundsException`, nor of this one.
    IndexOutOfBounds,
    /// `UnsupportedOperationException`, nor of this.
    UnsupportedOperation,
    /// `SnappyError`, an error of Java rather than an exception.
    SnappyError,
    /// None: this model goes no further.
    NotModelled,
}

impl FaultClass {
    /// The exception's name; `None` where the model goes no further.
    pub const fn kafka_name(self) -> Option<&'static str> {
        Some(match self {
            FaultClass::InvalidRecord => "InvalidRecordException",
            FaultClass::Corrupt => "CorruptRecordException",
            FaultClass::Kafka => "KafkaException",
            FaultClass::IllegalArgument => "IllegalArgumentException",
            FaultClass::IndexOutOfBounds => "IndexOutOfBoundsException",
            FaultClass::UnsupportedOperation => "UnsupportedOperationException",
            FaultClass::SnappyError => "SnappyError",
            FaultClass::NotModelled => return None,
        })
    }

    pub(crate) const fn with(self, reason: CorruptReason) -> RecordFault {
        RecordFault { class: self, reason }
    }
}

/// How much of each record is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Only what validation looks at; keys and values are passed over (Kafka: `skipKeyValueIterator`).
    Frame,
    /// Keys, values and headers too (Kafka: `streamingIterator`).
    Content,
}

/// A record inside a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeepRecord {
    /// Its offset.
    pub(crate) offset: i64,
    /// Its timestamp, −1 for none.
    pub(crate) timestamp: i64,
    /// Its format: that of its batch, but for messages inside a compressed message.
    pub(crate) magic: i8,
    /// Whether it has a key.
    pub(crate) has_key: bool,
    /// Its first byte, counted from the start of the batch as it would lie there without compression.
    pub(crate) start: usize,
    /// Its size, with its length field.
    pub(crate) size: usize,
    /// Whether its own checksum is right; records of format v2 have none.
    pub(crate) checksum: Result<(), CorruptReason>,
    /// Key, value and headers, where they were wanted.
    pub(crate) content: Option<Result<Content, RecordFault>>,
}

/// What a record holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) key: Option<Vec<u8>>,
    pub(crate) value: Option<Vec<u8>>,
    pub(crate) headers: Vec<RecordHeader>,
}

/// The records of one batch; see [`deep_records`].
pub(crate) struct DeepRecords<'a>(RecordSource<'a>);

enum RecordSource<'a> {
    Plain(Plain<'a>),
    Message(Option<DeepRecord>),
    #[cfg(feature = "compression")]
    Packed(packed::Packed<'a>),
    #[cfg(feature = "compression")]
    Inner(std::vec::IntoIter<Result<DeepRecord, RecordFault>>),
}

/// The records of one batch, whose bytes are exactly `bytes`. Its checksum is not verified. After an error nothing comes. A
/// compressed batch without records is opened only for its content.
/// `record_max` bounds what one record of a compressed batch may take, in bytes.
///
/// # Errors
///
/// What is wrong before the first record.
pub(crate) fn deep_records(bytes: &[u8], depth: Depth, record_max: i32) -> Result<DeepRecords<'_>, RecordFault> {
    let header = RawHeader::read(bytes).map_err(|reason| FaultClass::IndexOutOfBounds.with(reason))?;
    let codec = header
        .codec()
        .map_err(|reason| FaultClass::IllegalArgument.with(reason))?;
    if header.magic < 2 && codec == Codec::None {
        let record = legacy::deep_record(bytes, header.base_offset, depth, None);
        return Ok(DeepRecords(RecordSource::Message(Some(record))));
    }
    let empty = header.count == Some(0) && depth == Depth::Frame;
    if codec != Codec::None && !empty {
        return open_packed(bytes, &header, codec, depth, record_max);
    }
    Ok(DeepRecords(RecordSource::Plain(Plain {
        reader: Reader::new(bytes, v2::OVERHEAD),
        frame: Framing::new(&header)?,
        depth,
    })))
}

#[cfg(feature = "compression")]
fn open_packed<'a>(
    bytes: &'a [u8],
    header: &RawHeader,
    codec: Codec,
    depth: Depth,
    record_max: i32,
) -> Result<DeepRecords<'a>, RecordFault> {
    Ok(DeepRecords(if header.magic < 2 {
        RecordSource::Inner(packed::inner_messages(bytes, header, codec, depth, record_max)?.into_iter())
    } else {
        RecordSource::Packed(packed::Packed::open(bytes, header, codec, depth, record_max)?)
    }))
}

#[cfg(not(feature = "compression"))]
fn open_packed<'a>(_: &'a [u8], _: &RawHeader, codec: Codec, _: Depth, _: i32) -> Result<DeepRecords<'a>, RecordFault> {
    Err(FaultClass::NotModelled.with(CorruptReason::Compressed { codec: codec.id() }))
}

impl Iterator for DeepRecords<'_> {
    type Item = Result<DeepRecord, RecordFault>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            RecordSource::Plain(plain) => {
                if plain.frame.left == 0 {
                    return None;
                }
                let next = plain.record();
                plain.frame.count(&next);
                Some(next)
            }
            RecordSource::Message(record) => record.take().map(Ok),
            #[cfg(feature = "compression")]
            RecordSource::Packed(packed) => packed.next(),
            #[cfg(feature = "compression")]
            RecordSource::Inner(inner) => inner.next(),
        }
    }
}

/// What the header of a batch says about each of its records.
struct Framing {
    magic: i8,
    base_offset: i64,
    base_timestamp: i64,
    append_time: Option<i64>,
    /// Records still to come.
    left: i32,
}

impl Framing {
    fn new(header: &RawHeader) -> Result<Framing, RecordFault> {
        let left = header.count.unwrap_or(0);
        if left < 0 {
            return Err(FaultClass::InvalidRecord.with(CorruptReason::Count { count: left }));
        }
        Ok(Framing {
            magic: header.magic,
            base_offset: header.base_offset,
            base_timestamp: header.base_timestamp,
            append_time: header.append_time(),
            left,
        })
    }

    /// Counts a record, or ends everything at an error.
    fn count(&mut self, next: &Result<DeepRecord, RecordFault>) {
        self.left = if next.is_ok() { self.left - 1 } else { 0 };
    }

    /// A record that starts at a byte of the batch and has `size` bytes behind its length.
    fn record(
        &self,
        (timestamp_delta, offset_delta): (i64, i32),
        has_key: bool,
        start: usize,
        size: i32,
    ) -> DeepRecord {
        DeepRecord {
            offset: self.base_offset.wrapping_add(i64::from(offset_delta)),
            timestamp: self
                .append_time
                .unwrap_or(self.base_timestamp.wrapping_add(timestamp_delta)),
            magic: self.magic,
            has_key,
            start,
            size: varint_size(i64::from(size)) + size.max(0) as usize,
            checksum: Ok(()),
            content: None,
        }
    }
}

impl Body<'_> {
    fn content(&self) -> Content {
        Content {
            key: self.key.map(<[u8]>::to_vec),
            value: self.value.map(<[u8]>::to_vec),
            headers: self.headers(),
        }
    }
}

/// Records that lie in the batch as they are.
struct Plain<'a> {
    reader: Reader<'a>,
    frame: Framing,
    depth: Depth,
}

impl Plain<'_> {
    fn record(&mut self) -> Result<DeepRecord, RecordFault> {
        let start = self.reader.at;
        // A length that does not end is the one fault that Kafka does not turn into another here.
        let size = self.reader.varint().map_err(|reason| match reason {
            CorruptReason::Varint => FaultClass::IllegalArgument.with(reason),
            _ => FaultClass::InvalidRecord.with(reason),
        })?;
        let invalid = |reason| FaultClass::InvalidRecord.with(reason);
        let body = Body::read(&mut self.reader, size).map_err(invalid)?;
        if self.frame.left == 1 && self.reader.remaining() > 0 {
            return Err(invalid(CorruptReason::Remaining));
        }
        let deltas = (body.timestamp_delta, body.offset_delta);
        let mut record = self.frame.record(deltas, body.key.is_some(), start, size);
        if self.depth == Depth::Content {
            record.content = Some(Ok(body.content()));
        }
        Ok(record)
    }
}

/// Offset of the first record of one batch, whose bytes are exactly `bytes`. In format v2 the header says it; a compressed
/// message of format v0 or v1 has to be opened (Kafka: `AbstractLegacyRecordBatch.baseOffset`).
///
/// # Errors
///
/// What keeps a compressed message from being opened.
pub fn first_offset(bytes: &[u8]) -> Result<i64, RecordFault> {
    let header = RawHeader::read(bytes).map_err(|reason| FaultClass::Corrupt.with(reason))?;
    if header.magic >= 2 {
        return Ok(header.base_offset);
    }
    match deep_records(bytes, Depth::Frame, RECORD_SIZE_MAX)?.next() {
        Some(record) => record.map(|record| record.offset),
        None => Ok(header.base_offset),
    }
}

#[cfg(all(test, feature = "compression"))]
mod tests;
