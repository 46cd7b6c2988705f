//! Zstandard: one frame behind the other, as zstd-jni's `ZstdInputStream` reads them.

use std::io::Read as _;

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::{Broken, Unpack};

/// Largest window, as the C library has it without further settings (`ZSTD_WINDOWLOG_LIMIT_DEFAULT`).
const WINDOW_MAX: u64 = 1 << 27;

pub(super) struct Frames<'a> {
    packed: &'a [u8],
    decoder: FrameDecoder,
    inside: bool,
}

impl<'a> Frames<'a> {
    pub(super) fn open(packed: &'a [u8]) -> Frames<'a> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW_MAX);
        Frames {
            packed,
            decoder,
            inside: false,
        }
    }

    /// Enters the next frame that holds data; `false` at the end.
    fn enter(&mut self) -> Result<bool, Broken> {
        while !self.packed.is_empty() {
            match self.decoder.reset(&mut self.packed) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    self.packed = self.packed.get(length as usize..).ok_or(Broken::Stream)?;
                }
                Err(_) => return Err(Broken::Stream),
            }
        }
        Ok(false)
    }

    fn leave(&mut self) -> Result<(), Broken> {
        self.inside = false;
        match (
            self.decoder.get_checksum_from_data(),
            self.decoder.get_calculated_checksum(),
        ) {
            (Some(stored), Some(computed)) if stored != computed => Err(Broken::Stream),
            _ => Ok(()),
        }
    }
}

impl Unpack for Frames<'_> {
    /// Fills all of `out` where the frame has so much left: what comes before a fault is lost with it, as in zstd-jni.
    fn unpack(&mut self, out: &mut [u8]) -> Result<usize, Broken> {
        let mut done = 0;
        while done < out.len() {
            if !self.inside {
                if !self.enter()? {
                    break;
                }
                self.inside = true;
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decoder
                    .decode_blocks(&mut self.packed, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(|_| Broken::Stream)?;
            }
            let read = self.decoder.read(&mut out[done..]).map_err(|_| Broken::Stream)?;
            done += read;
            if read == 0 {
                self.leave()?;
                if done > 0 {
                    break;
                }
            }
        }
        Ok(done)
    }
}
