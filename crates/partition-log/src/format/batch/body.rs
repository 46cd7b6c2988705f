//! A record of format v2 behind its length (Kafka: `DefaultRecord.readFrom`).

use super::RecordHeader;
use super::varint::Reader;
use crate::format::batch::CorruptReason;

/// What a record's bytes say. Key, value and headers still lie in the batch.
pub(super) struct Body<'a> {
    pub(super) timestamp_delta: i64,
    pub(super) offset_delta: i32,
    pub(super) key: Option<&'a [u8]>,
    pub(super) value: Option<&'a [u8]>,
    /// How many headers, and a reader that stands at the first.
    headers: (i32, Reader<'a>),
}

impl<'a> Body<'a> {
    /// Reads a record of `size` bytes behind its length field, where the reader stands. Every one of them has to be used.
    pub(super) fn read(reader: &mut Reader<'a>, size: i32) -> Result<Body<'a>, CorruptReason> {
        if i64::from(size) > reader.remaining() as i64 {
            return Err(CorruptReason::RecordLength);
        }
        let start = reader.at;
        reader.take(1)?;
        let timestamp_delta = reader.varlong()?;
        let offset_delta = reader.varint()?;
        let key = reader.nullable()?;
        let value = reader.nullable()?;
        let count = reader.varint()?;
        if count < 0 || count as usize > reader.remaining() {
            return Err(CorruptReason::RecordLength);
        }
        let headers = (count, reader.clone());
        for _ in 0..count {
            header(reader)?;
        }
        if (reader.at - start) as i64 == i64::from(size) {
            Ok(Body {
                timestamp_delta,
                offset_delta,
                key,
                value,
                headers,
            })
        } else {
            Err(CorruptReason::RecordLength)
        }
    }

    /// The headers.
    pub(super) fn headers(&self) -> Vec<RecordHeader> {
        let (count, mut reader) = self.headers.clone();
        (0..count)
            .filter_map(|_| header(&mut reader).ok())
            .map(|(key, value)| RecordHeader {
                key: key.to_vec(),
                value: value.map(<[u8]>::to_vec),
            })
            .collect()
    }
}

/// A header: a key, which cannot be missing, and a value.
fn header<'a>(reader: &mut Reader<'a>) -> Result<(&'a [u8], Option<&'a [u8]>), CorruptReason> {
    let length = reader.varint()?;
    let key = reader.take(length)?;
    Ok((key, reader.nullable()?))
}
