//! From batch to batch, in a file and in memory, each with Kafka's own rules of where to stop.

use core::fmt;

use super::raw::{RawHeader, SIZE_FIELD_MIN};
use super::{BatchHeader, HEADER_MIN, LOG_OVERHEAD, RECORD_BATCH_OVERHEAD, be_i32};
use crate::disk::{Bytes, Window};
use crate::format::batch::CorruptReason;

/// A batch as it lies in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawBatch<'a> {
    /// Its first byte in the file.
    pub position: u64,
    /// Its header.
    pub header: RawHeader,
    /// All its bytes, as many as its size says.
    pub bytes: &'a [u8],
}

/// Where an iteration met bytes that are no batch (Kafka: `CorruptRecordException`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BadBatch {
    /// The first of the bytes, from the start of what is iterated.
    pub position: u64,
    /// What is wrong.
    pub reason: CorruptReason,
}

impl fmt::Display for BadBatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no batch at byte {}: {}", self.position, self.reason)
    }
}

impl core::error::Error for BadBatch {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.reason)
    }
}

/// The batches of a file; see [`raw_batches`].
pub struct RawBatches<'a> {
    bytes: &'a [u8],
    position: usize,
    ended: bool,
}

/// The batches in `bytes`, the content of a `.log` up to where it is to be read, from `position` on.
///
/// Ends in silence where 17 B or fewer are left, and before a batch that is larger than what is left. A size field below
/// 14 is an error, after which nothing comes; so is one in format v2 that leaves no room for the header, which Kafka
/// finds when it validates the batch. Checksums are not verified ([`ensure_valid`](super::ensure_valid)). Kafka:
/// `FileLogInputStream.nextBatch`.
pub fn raw_batches(bytes: &[u8], position: u64) -> RawBatches<'_> {
    RawBatches {
        bytes,
        position: usize::try_from(position).unwrap_or(usize::MAX),
        ended: false,
    }
}

impl<'a> Iterator for RawBatches<'a> {
    type Item = Result<RawBatch<'a>, BadBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.bytes.get(self.position..).filter(|_| !self.ended)?;
        let position = self.position as u64;
        Some(match next_header(rest, rest.len() as u64)? {
            Ok(header) => {
                let bytes = &rest[..header.size as usize];
                self.position += bytes.len();
                Ok(RawBatch {
                    position,
                    header,
                    bytes,
                })
            }
            Err(reason) => {
                self.ended = true;
                Err(BadBatch { position, reason })
            }
        })
    }
}

/// The header at the start of the last `rest` bytes of a file, of which `head` holds a header's length at least, or all.
/// `None` where a file's batches end in silence.
fn next_header(head: &[u8], rest: u64) -> Option<Result<RawHeader, CorruptReason>> {
    if rest <= HEADER_MIN as u64 {
        return None;
    }
    let size = be_i32(head, 8);
    if size < SIZE_FIELD_MIN {
        return Some(Err(CorruptReason::SizeField { size }));
    }
    let whole = (LOG_OVERHEAD + size as usize) as u64;
    (whole <= rest).then(|| RawHeader::read(&head[..whole.min(head.len() as u64) as usize]))
}

/// The parts in which a large batch is checked, in bytes.
#[cfg(all(feature = "std", not(target_arch = "wasm32")))]
const PART: usize = 1 << 20;

/// A batch in a file: its header was read, its records were not.
#[derive(Clone, Copy, Debug)]
pub struct FileBatch<'a> {
    /// Its first byte in the file.
    pub position: u64,
    /// Its header.
    pub header: RawHeader,
    file: Bytes<'a>,
}

impl<'a> FileBatch<'a> {
    /// All its bytes, as many as its size says.
    pub fn bytes(&self) -> Window<'a> {
        self.file.window(self.position, self.header.size)
    }

    /// What the log layer has to know of it.
    ///
    /// # Errors
    ///
    /// What makes the bytes no batch.
    pub fn read_header(&self) -> Result<BatchHeader, CorruptReason> {
        super::settled(&self.header, || self.bytes())
    }

    /// Whether its checksum is right.
    ///
    /// # Errors
    ///
    /// As [`ensure_valid`](super::ensure_valid()).
    pub fn ensure_valid(&self) -> Result<(), CorruptReason> {
        // A large batch is checked part by part: nobody needs it as a whole.
        #[cfg(all(feature = "std", not(target_arch = "wasm32")))]
        if self.header.size > PART as u64 {
            let end = self.position + self.header.size;
            let parts = |from| {
                let positions = (self.position + from as u64..end).step_by(PART);
                positions.map(|position| self.file.up_to(end).window(position, PART as u64))
            };
            return self.header.check(super::raw::checksum_of(&self.header, parts));
        }
        super::ensure_valid(&self.bytes())
    }
}

/// The batches of a file; see [`file_batches`].
#[derive(Clone, Debug)]
pub struct FileBatches<'a> {
    file: Bytes<'a>,
    position: u64,
    ended: bool,
}

/// The batches of a `.log` from `position` on, as [`raw_batches`] gives them, header by header: of a file on a disk no more
/// than the headers is read.
pub fn file_batches<'a>(file: impl Into<Bytes<'a>>, position: u64) -> FileBatches<'a> {
    FileBatches {
        file: file.into(),
        position,
        ended: false,
    }
}

impl<'a> Iterator for FileBatches<'a> {
    type Item = Result<FileBatch<'a>, BadBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.file.len().checked_sub(self.position).filter(|_| !self.ended)?;
        let position = self.position;
        let head = self.file.window(position, RECORD_BATCH_OVERHEAD);
        Some(match next_header(&head, rest)? {
            Ok(header) => {
                self.position += header.size;
                Ok(FileBatch {
                    position,
                    header,
                    file: self.file,
                })
            }
            Err(reason) => {
                self.ended = true;
                Err(BadBatch { position, reason })
            }
        })
    }
}

/// A batch as it lies in a request: only size and format were looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryBatch<'a> {
    /// Its first byte.
    pub position: u64,
    /// Format: 0, 1 or 2.
    pub magic: i8,
    /// All its bytes: at least 26 B, which a header of format v2 may still not fit in.
    pub bytes: &'a [u8],
}

/// The batches of a request; see [`memory_batches`].
pub struct MemoryBatches<'a> {
    bytes: &'a [u8],
    position: usize,
    ended: bool,
}

/// The batches in `bytes`, as sent by a client or another broker.
///
/// Ends in silence before a batch that is not there in full. A size field below 14 and a format other than 0, 1 and 2
/// are errors, after which nothing comes. Kafka: `ByteBufferLogInputStream`.
pub fn memory_batches(bytes: &[u8]) -> MemoryBatches<'_> {
    MemoryBatches {
        bytes,
        position: 0,
        ended: false,
    }
}

impl<'a> Iterator for MemoryBatches<'a> {
    type Item = Result<MemoryBatch<'a>, BadBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.bytes.get(self.position..).filter(|_| !self.ended)?;
        if rest.len() < LOG_OVERHEAD {
            return None;
        }
        let position = self.position as u64;
        let mut bad = |reason| {
            self.ended = true;
            Some(Err(BadBatch { position, reason }))
        };
        let size = be_i32(rest, 8);
        if size < SIZE_FIELD_MIN {
            return bad(CorruptReason::SizeField { size });
        }
        let magic = *rest.get(HEADER_MIN - 1)? as i8;
        if !(0..=2).contains(&magic) {
            return bad(CorruptReason::Magic { magic });
        }
        let bytes = rest.get(..LOG_OVERHEAD + size as usize)?;
        self.position += bytes.len();
        Some(Ok(MemoryBatch { position, magic, bytes }))
    }
}
