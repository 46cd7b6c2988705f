//! snappy in the framing of snappy-java (`SnappyInputStream`): 8 B of magic, two version numbers, and chunks, each with
//! its packed length in front. Input without the magic is one raw block.

use snap::raw::{Decoder, decompress_len};

use super::{Broken, Unpack};

const MAGIC: [u8; 8] = [0x82, b'S', b'N', b'A', b'P', b'P', b'Y', 0];

/// Magic, version, oldest compatible version.
const HEADER: usize = 16;

/// The oldest version of the framing that the reader understands; it looks only at headers behind the first.
const VERSION_MIN: i32 = 1;

/// Largest chunk, packed.
const CHUNK_MAX: usize = 1 << 29;

pub(super) struct Chunks<'a> {
    /// Chunks not unpacked yet.
    packed: &'a [u8],
    chunk: Vec<u8>,
    at: usize,
}

impl<'a> Chunks<'a> {
    pub(super) fn open(packed: &'a [u8]) -> Result<Chunks<'a>, Broken> {
        if packed.is_empty() {
            return Err(Broken::Stream);
        }
        let mut chunks = Chunks {
            packed,
            chunk: Vec::new(),
            at: 0,
        };
        if packed.len() < HEADER || !packed.starts_with(&MAGIC) {
            chunks.chunk = unpack(packed)?;
            chunks.packed = &[];
        } else {
            chunks.packed = &packed[HEADER..];
        }
        Ok(chunks)
    }

    /// Unpacks the next chunk; `false` at the end, where fewer than 4 B are ignored.
    fn next_chunk(&mut self) -> Result<bool, Broken> {
        // Streams that were written one behind the other: the header of the next is no chunk.
        while self.packed.starts_with(&MAGIC[..4]) {
            let rest = self.packed.get(HEADER..).ok_or(Broken::Stream)?;
            if !is_known(self.packed) {
                return Ok(false);
            }
            self.packed = rest;
        }
        let Some(length) = be_i32(self.packed, 0) else {
            return Ok(false);
        };
        let length = usize::try_from(length).ok().filter(|length| *length <= CHUNK_MAX);
        let length = length.ok_or(Broken::Chunk)?;
        let chunk = self.packed.get(4..4 + length).ok_or(Broken::Stream)?;
        self.chunk = unpack(chunk)?;
        self.at = 0;
        self.packed = &self.packed[4 + length..];
        Ok(true)
    }
}

impl Unpack for Chunks<'_> {
    fn unpack(&mut self, out: &mut [u8]) -> Result<usize, Broken> {
        let mut done = 0;
        while done < out.len() && (self.at < self.chunk.len() || self.next_chunk()?) {
            let read = (&self.chunk[self.at..]).unpack(&mut out[done..])?;
            self.at += read;
            done += read;
        }
        Ok(done)
    }
}

/// Whether a header has the magic, and a version that is understood.
fn is_known(header: &[u8]) -> bool {
    header.starts_with(&MAGIC) && be_i32(header, MAGIC.len()).is_some_and(|version| version >= VERSION_MIN)
}

/// One raw block. Its length stands in front; three bytes copy 64 at best, so that a longer one is made up.
fn unpack(block: &[u8]) -> Result<Vec<u8>, Broken> {
    let length = decompress_len(block).map_err(|_| Broken::Stream)?;
    if length > block.len().saturating_mul(22) {
        return Err(Broken::Stream);
    }
    Decoder::new().decompress_vec(block).map_err(|_| Broken::Stream)
}

fn be_i32(bytes: &[u8], at: usize) -> Option<i32> {
    let field = bytes.get(at..at + 4)?;
    Some(i32::from_be_bytes([field[0], field[1], field[2], field[3]]))
}
