//! LZ4: one frame of independent blocks, with the checks of Kafka's own reader (Kafka: `Lz4BlockInputStream`).

use twox_hash::XxHash32;

use super::{Broken, Unpack};

const MAGIC: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];

const CONTENT_CHECKSUM: u8 = 0x04;
const CONTENT_SIZE: u8 = 0x08;
const BLOCK_CHECKSUM: u8 = 0x10;

/// Version 1, independent blocks, reserved bits 0: what has other bits here is refused.
const FLAGS_FIXED: u8 = 0xe3;
const FLAGS_WANTED: u8 = 0x60;

/// The bit of a block's size that says that the block is stored as it is.
const STORED: u32 = 1 << 31;

pub(super) struct Blocks<'a> {
    packed: &'a [u8],
    flags: u8,
    block_max: usize,
    block: Vec<u8>,
    at: usize,
    finished: bool,
}

impl<'a> Blocks<'a> {
    /// Reads the frame's header. Its checksum is not verified where format v0 computed it in another way.
    pub(super) fn open(packed: &'a [u8], verify: bool) -> Result<Blocks<'a>, Broken> {
        let descriptor = packed.strip_prefix(&MAGIC).ok_or(Broken::Stream)?;
        let [flags, block_size, ..] = *descriptor else {
            return Err(Broken::Stream);
        };
        if flags & FLAGS_FIXED != FLAGS_WANTED || !matches!(block_size, 0x40 | 0x50 | 0x60 | 0x70) {
            return Err(Broken::Stream);
        }
        let length = if flags & CONTENT_SIZE == 0 { 2 } else { 10 };
        let stored = *descriptor.get(length).ok_or(Broken::Stream)?;
        if verify && stored != (XxHash32::oneshot(0, &descriptor[..length]) >> 8) as u8 {
            return Err(Broken::Stream);
        }
        Ok(Blocks {
            packed: &descriptor[length + 1..],
            flags,
            block_max: 1 << (2 * (block_size >> 4) + 8),
            block: Vec::new(),
            at: 0,
            finished: false,
        })
    }

    fn le_u32(&mut self) -> Result<u32, Broken> {
        let (field, rest) = self.packed.split_first_chunk::<4>().ok_or(Broken::Stream)?;
        self.packed = rest;
        Ok(u32::from_le_bytes(*field))
    }

    fn next_block(&mut self) -> Result<(), Broken> {
        let field = self.le_u32()?;
        let size = (field & !STORED) as usize;
        self.block.clear();
        self.at = 0;
        if size == 0 {
            self.finished = true;
            // The content's checksum has to be there, but is not compared.
            if self.flags & CONTENT_CHECKSUM != 0 {
                self.le_u32()?;
            }
            return Ok(());
        }
        if size > self.block_max {
            return Err(Broken::Stream);
        }
        let block = self.packed.get(..size).ok_or(Broken::Stream)?;
        if field & STORED != 0 {
            self.block.extend_from_slice(block);
        } else {
            // A byte of length adds 255 at most.
            self.block.resize(self.block_max.min(size.saturating_mul(255) + 64), 0);
            let length = lz4_flex::block::decompress_into(block, &mut self.block).map_err(|_| Broken::Stream)?;
            self.block.truncate(length);
        }
        self.packed = &self.packed[size..];
        if self.flags & BLOCK_CHECKSUM != 0 && self.le_u32()? != XxHash32::oneshot(0, block) {
            return Err(Broken::Stream);
        }
        Ok(())
    }
}

impl Unpack for Blocks<'_> {
    fn unpack(&mut self, out: &mut [u8]) -> Result<usize, Broken> {
        if self.at == self.block.len() && !self.finished {
            self.next_block()?;
        }
        let read = (&self.block[self.at..]).unpack(out)?;
        self.at += read;
        Ok(read)
    }
}
