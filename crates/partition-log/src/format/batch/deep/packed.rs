//! Records that have to be unpacked first.

use super::{DeepRecord, Depth, FaultClass, Framing, RecordFault};
use crate::format::batch::body::Body;
use crate::format::batch::raw::SIZE_FIELD_MIN;
use crate::format::batch::stream::Stream;
use crate::format::batch::varint::{Reader, varint_size};
use crate::format::batch::{Codec, CorruptReason, LOG_OVERHEAD, RawHeader, be_i32, be_i64, legacy, v2};

/// The records of a compressed batch of format v2 (Kafka: `DefaultRecordBatch.StreamRecordIterator`).
pub(super) struct Packed<'a> {
    stream: Stream<'a>,
    frame: Framing,
    depth: Depth,
    record_max: i32,
    /// Where the next record would lie without compression.
    at: usize,
}

impl<'a> Packed<'a> {
    pub(super) fn open(
        bytes: &'a [u8],
        header: &RawHeader,
        codec: Codec,
        depth: Depth,
        record_max: i32,
    ) -> Result<Packed<'a>, RecordFault> {
        let stream = Stream::open(codec, header.magic, &bytes[v2::OVERHEAD..]).map_err(of_stream)?;
        Ok(Packed {
            stream,
            frame: Framing::new(header)?,
            depth,
            record_max,
            at: v2::OVERHEAD,
        })
    }

    pub(super) fn next(&mut self) -> Option<Result<DeepRecord, RecordFault>> {
        if self.frame.left == 0 {
            return None;
        }
        let next = self.record();
        self.frame.count(&next);
        Some(next)
    }

    fn record(&mut self) -> Result<DeepRecord, RecordFault> {
        let invalid = |reason| FaultClass::InvalidRecord.with(reason);
        let size = self.varint()?;
        if size < 0 {
            return Err(invalid(CorruptReason::RecordLength));
        }
        if size > self.record_max {
            return Err(invalid(CorruptReason::RecordSize {
                size,
                max: self.record_max,
            }));
        }
        let start = self.at;
        self.at += varint_size(i64::from(size)) + size as usize;
        let record = match self.depth {
            Depth::Frame => self.passed_over(start, size)?,
            Depth::Content => {
                let body = self.stream.take(size as usize).map_err(of_stream)?;
                let body = Body::read(&mut Reader::new(&body, 0), size)
                    .map(|body| ((body.timestamp_delta, body.offset_delta), body.content()))
                    .map_err(invalid)?;
                let (deltas, content) = body;
                let mut record = self.frame.record(deltas, content.key.is_some(), start, size);
                record.content = Some(Ok(content));
                record
            }
        };
        if self.frame.left == 1 && self.stream.byte().map_err(of_stream)?.is_some() {
            return Err(invalid(CorruptReason::Remaining));
        }
        Ok(record)
    }

    /// Reads a record without its key and values. Its length is not compared with what it uses (Kafka:
    /// `DefaultRecord.readPartiallyFrom`).
    fn passed_over(&mut self, start: usize, size: i32) -> Result<DeepRecord, RecordFault> {
        self.stream.byte().map_err(of_stream)?;
        let deltas = (self.varlong()?, self.varint()?);
        let key = self.varint()?;
        self.skip(key)?;
        let value = self.varint()?;
        self.skip(value)?;
        let headers = self.varint()?;
        if headers < 0 {
            return Err(FaultClass::InvalidRecord.with(CorruptReason::RecordLength));
        }
        for _ in 0..headers {
            let key = self.varint()?;
            if key < 0 {
                return Err(FaultClass::InvalidRecord.with(CorruptReason::RecordLength));
            }
            self.skip(key)?;
            let value = self.varint()?;
            self.skip(value)?;
        }
        Ok(self.frame.record(deltas, key >= 0, start, size))
    }

    /// Up to `max` bytes of a number. Behind the end there is none that could end a number, which is how Kafka sees it too.
    fn number(&mut self, max: usize) -> Result<([u8; 10], usize), RecordFault> {
        let mut raw = [0; 10];
        for (at, byte) in raw.iter_mut().take(max).enumerate() {
            *byte = self
                .stream
                .byte()
                .map_err(of_stream)?
                .ok_or(FaultClass::InvalidRecord.with(CorruptReason::RecordLength))?;
            if *byte & 0x80 == 0 {
                return Ok((raw, at + 1));
            }
        }
        Err(FaultClass::InvalidRecord.with(CorruptReason::Varint))
    }

    fn varint(&mut self) -> Result<i32, RecordFault> {
        let (raw, length) = self.number(5)?;
        Reader::new(&raw[..length], 0)
            .varint()
            .map_err(|reason| FaultClass::InvalidRecord.with(reason))
    }

    fn varlong(&mut self) -> Result<i64, RecordFault> {
        let (raw, length) = self.number(10)?;
        Reader::new(&raw[..length], 0)
            .varlong()
            .map_err(|reason| FaultClass::InvalidRecord.with(reason))
    }

    /// Leaves out as many bytes; none where the length is below 0.
    fn skip(&mut self, length: i32) -> Result<(), RecordFault> {
        if self.stream.skip(length.max(0) as usize).map_err(of_stream)? {
            Ok(())
        } else {
            Err(FaultClass::InvalidRecord.with(CorruptReason::RecordLength))
        }
    }
}

/// Kafka's exception for what the stream says.
fn of_stream(reason: CorruptReason) -> RecordFault {
    match reason {
        CorruptReason::Unpacked { .. } => FaultClass::NotModelled.with(reason),
        CorruptReason::Chunk => FaultClass::SnappyError.with(reason),
        _ => FaultClass::Kafka.with(reason),
    }
}

/// A message inside a compressed one, before its offset is known.
struct Inner {
    offset: i64,
    bytes: Vec<u8>,
}

/// The messages inside a compressed message of format v0 or v1, all at once as Kafka takes them. In v0 their offsets are
/// whole ones; in v1 they count from 0, and the outer message has the last one's (Kafka:
/// `AbstractLegacyRecordBatch.DeepRecordsIterator`).
pub(super) fn inner_messages(
    bytes: &[u8],
    header: &RawHeader,
    codec: Codec,
    depth: Depth,
    record_max: i32,
) -> Result<Vec<Result<DeepRecord, RecordFault>>, RecordFault> {
    let invalid = |reason| FaultClass::InvalidRecord.with(reason);
    if header.magic < 0 {
        return Err(invalid(CorruptReason::Magic { magic: header.magic }));
    }
    if codec == Codec::Zstd {
        return Err(invalid(CorruptReason::Compressed { codec: codec.id() }));
    }
    let value = legacy::value(bytes)?.ok_or(invalid(CorruptReason::NoInner))?;
    let mut stream = Stream::open(codec, header.magic, value).map_err(of_stream)?;
    let mut inner = Vec::new();
    while let Some(next) = next_inner(&mut stream, record_max)? {
        inner.push(next);
    }
    let last = inner.last().ok_or(invalid(CorruptReason::NoInner))?.offset;
    let outer = header.base_offset;
    let base = match (header.magic, outer) {
        (0, _) | (_, 0) => 0,
        _ if outer < last => return Err(invalid(CorruptReason::WrapperOffset { outer, inner: last })),
        _ => outer.wrapping_sub(last),
    };
    let mut records = Vec::with_capacity(inner.len());
    for Inner { offset, bytes } in inner {
        // Only the codec of the message itself may be none.
        let record = match bytes[17] & Codec::MASK {
            0 => Ok(legacy::deep_record(
                &bytes,
                base.wrapping_add(offset),
                depth,
                Some(header),
            )),
            id => Err(match Codec::from_id(id) {
                Some(_) => invalid(CorruptReason::Compressed { codec: id }),
                None => FaultClass::IllegalArgument.with(CorruptReason::Codec { id }),
            }),
        };
        let ended = record.is_err();
        records.push(record);
        if ended {
            break;
        }
    }
    Ok(records)
}

/// The next inner message; what is there of a last one that is cut off is ignored (Kafka: `DataLogInputStream`).
fn next_inner(stream: &mut Stream<'_>, record_max: i32) -> Result<Option<Inner>, RecordFault> {
    let mut bytes = stream.take(LOG_OVERHEAD).map_err(of_stream)?;
    if bytes.len() < LOG_OVERHEAD {
        return Ok(None);
    }
    let size = be_i32(&bytes, 8);
    if size < SIZE_FIELD_MIN {
        return Err(FaultClass::Corrupt.with(CorruptReason::SizeField { size }));
    }
    if size > record_max {
        return Err(FaultClass::InvalidRecord.with(CorruptReason::RecordSize { size, max: record_max }));
    }
    let message = stream.take(size as usize).map_err(of_stream)?;
    if message.len() < size as usize {
        return Ok(None);
    }
    bytes.extend_from_slice(&message);
    Ok(Some(Inner {
        offset: be_i64(&bytes, 0),
        bytes,
    }))
}
