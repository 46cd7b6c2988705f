//! The records of a compressed batch as a stream of bytes: never more is unpacked than was asked for (Kafka:
//! `Compression.wrapForInput`).

mod gzip;
mod lz4;
mod snappy;
mod zstd;

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
    source: Box<dyn Unpack + 'a>,
    chunk: Vec<u8>,
    at: usize,
    unpacked: u64,
}

impl<'a> Stream<'a> {
    /// Opens what a codec packed. `magic` is the format of the batch: format v0 computed the checksum of an LZ4 frame's
    /// header in another way, so that it is not looked at there.
    pub(super) fn open(codec: Codec, magic: i8, packed: &'a [u8]) -> Result<Stream<'a>, CorruptReason> {
        let source: Result<Box<dyn Unpack + 'a>, Broken> = match codec {
            Codec::None => Ok(Box::new(packed)),
            Codec::Gzip => gzip::Members::open(packed).map(|open| Box::new(open) as Box<dyn Unpack>),
            Codec::Snappy => snappy::Chunks::open(packed).map(|open| Box::new(open) as Box<dyn Unpack>),
            Codec::Lz4 => lz4::Blocks::open(packed, magic != 0).map(|open| Box::new(open) as Box<dyn Unpack>),
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
        match self.source.unpack(&mut self.chunk) {
            Ok(read) => {
                self.chunk.truncate(read);
                self.unpacked += read as u64;
                Ok(read > 0)
            }
            Err(broken) => {
                self.chunk.clear();
                Err(match broken {
                    Broken::Chunk => CorruptReason::Chunk,
                    Broken::Stream => CorruptReason::Stream { codec: self.codec },
                })
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

/// What is packed, read from its start. `std::io::Read` would bring ways to read that nobody here asks for, and its errors.
trait Unpack {
    /// Fills `out` from its start; how many bytes there were, 0 at the end.
    fn unpack(&mut self, out: &mut [u8]) -> Result<usize, Broken>;
}

impl Unpack for &[u8] {
    fn unpack(&mut self, out: &mut [u8]) -> Result<usize, Broken> {
        let (now, rest) = self.split_at(self.len().min(out.len()));
        out[..now.len()].copy_from_slice(now);
        *self = rest;
        Ok(now.len())
    }
}

/// Why a stream cannot be read on.
enum Broken {
    /// An exception in Java, whatever the fault.
    Stream,
    /// Not one of Java's exceptions but an error, which nothing on the way catches.
    Chunk,
}

#[cfg(test)]
mod tests;
