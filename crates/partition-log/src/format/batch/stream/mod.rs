//! The records of a compressed batch as a stream of bytes: never more is unpacked than was asked for (Kafka:
//! `Compression.wrapForInput`).

mod gzip;
mod lz4;
mod snappy;
mod zstd;

use std::io::{ErrorKind, Read};

use super::Codec;
use crate::format::batch::CorruptReason;

/// Bytes unpacked at a time: as many as by Kafka, for a fault takes those before it along (Kafka:
/// `Compression.decompressionOutputSize`).
const fn chunk_length(codec: Codec) -> usize {
    match codec {
        Codec::Gzip | Codec::Zstd => 1 << 14,
        Codec::None | Codec::Snappy | Codec::Lz4 => 1 << 11,
    }
}

/// Most bytes that are unpacked of one batch. Kafka has no such limit; without one, a few bytes could ask for terabytes.
pub(super) const UNPACKED_MAX: u64 = 1 << 28;

/// The unpacked bytes of one batch.
pub(super) struct Stream<'a> {
    codec: Codec,
    source: Box<dyn Read + 'a>,
    chunk: Vec<u8>,
    at: usize,
    unpacked: u64,
}

impl<'a> Stream<'a> {
    /// Opens what a codec packed. `magic` is the format of the batch: format v0 computed the checksum of an LZ4 frame's
    /// header in another way, so that it is not looked at there.
    pub(super) fn open(codec: Codec, magic: i8, packed: &'a [u8]) -> Result<Stream<'a>, CorruptReason> {
        let source: Result<Box<dyn Read + 'a>, std::io::Error> = match codec {
            Codec::None => Ok(Box::new(packed)),
            Codec::Gzip => gzip::Members::open(packed).map(|open| Box::new(open) as Box<dyn Read>),
            Codec::Snappy => snappy::Chunks::open(packed).map(|open| Box::new(open) as Box<dyn Read>),
            Codec::Lz4 => lz4::Blocks::open(packed, magic != 0).map(|open| Box::new(open) as Box<dyn Read>),
            Codec::Zstd => Ok(Box::new(zstd::Frames::open(packed))),
        };
        Ok(Stream {
            codec,
            source: source.map_err(|_| CorruptReason::Stream { codec })?,
            chunk: Vec::new(),
            at: 0,
            unpacked: 0,
        })
    }

    /// Makes sure that a byte is there; `false` at the end.
    fn fill(&mut self) -> Result<bool, CorruptReason> {
        if self.at < self.chunk.len() {
            return Ok(true);
        }
        if self.unpacked >= UNPACKED_MAX {
            return Err(CorruptReason::Unpacked { max: UNPACKED_MAX });
        }
        self.chunk.resize(chunk_length(self.codec), 0);
        self.at = 0;
        loop {
            match self.source.read(&mut self.chunk) {
                Ok(read) => {
                    self.chunk.truncate(read);
                    self.unpacked += read as u64;
                    return Ok(read > 0);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.chunk.clear();
                    return Err(match error.kind() {
                        ErrorKind::InvalidInput if self.codec == Codec::Snappy => CorruptReason::Chunk,
                        _ => CorruptReason::Stream { codec: self.codec },
                    });
                }
            }
        }
    }

    /// The next byte; `None` at the end.
    pub(super) fn byte(&mut self) -> Result<Option<u8>, CorruptReason> {
        if !self.fill()? {
            return Ok(None);
        }
        let byte = self.chunk[self.at];
        self.at += 1;
        Ok(Some(byte))
    }

    /// Hands as many bytes to `each` as there are, up to `length`; gives their number.
    fn pass(&mut self, length: usize, mut each: impl FnMut(&[u8])) -> Result<usize, CorruptReason> {
        let mut left = length;
        while left > 0 && self.fill()? {
            let part = left.min(self.chunk.len() - self.at);
            each(&self.chunk[self.at..self.at + part]);
            self.at += part;
            left -= part;
        }
        Ok(length - left)
    }

    /// Leaves out bytes; `false` where there were fewer.
    pub(super) fn skip(&mut self, length: usize) -> Result<bool, CorruptReason> {
        Ok(self.pass(length, |_| {})? == length)
    }

    /// The next bytes, fewer at the end.
    pub(super) fn take(&mut self, length: usize) -> Result<Vec<u8>, CorruptReason> {
        let mut out = Vec::new();
        self.pass(length, |part| out.extend_from_slice(part))?;
        Ok(out)
    }
}

/// What every broken stream is, to its reader.
fn broken() -> std::io::Error {
    ErrorKind::InvalidData.into()
}

#[cfg(test)]
mod tests;
