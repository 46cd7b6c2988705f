//! gzip: one member behind the other (RFC 1952), as `java.util.zip.GZIPInputStream` reads them.

use crc::{CRC_32_ISO_HDLC, Crc, Digest, Table};
use flate2::{Decompress, FlushDecompress, Status};

use super::{Broken, Unpack};

static CRC: Crc<u32, Table<1>> = Crc::<u32, Table<1>>::new(&CRC_32_ISO_HDLC);

const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

const HEADER_CHECKSUM: u8 = 0x02;
const EXTRA: u8 = 0x04;
const NAME: u8 = 0x08;
const COMMENT: u8 = 0x10;

/// Checksum and length of what was packed.
const TRAILER: usize = 8;

/// Fewer bytes than this behind a member are not looked at.
const MEMBER_MIN: usize = 19;

pub(super) struct Members<'a> {
    packed: &'a [u8],
    member: Decompress,
    checksum: Digest<'static, u32, Table<1>>,
    ended: bool,
    finished: bool,
}

impl<'a> Members<'a> {
    pub(super) fn open(packed: &'a [u8]) -> Result<Members<'a>, Broken> {
        Ok(Members {
            packed: behind_header(packed).ok_or(Broken::Stream)?,
            member: Decompress::new(false),
            checksum: CRC.digest(),
            ended: false,
            finished: false,
        })
    }

    /// Verifies the trailer and enters the next member, if there is one; what is no header is ignored.
    fn next_member(&mut self) -> Result<(), Broken> {
        let (trailer, rest) = self.packed.split_at_checked(TRAILER).ok_or(Broken::Stream)?;
        let checksum = core::mem::replace(&mut self.checksum, CRC.digest()).finalize();
        let length = self.member.total_out() as u32;
        if trailer[..4] != checksum.to_le_bytes() || trailer[4..] != length.to_le_bytes() {
            return Err(Broken::Stream);
        }
        match behind_header(rest).filter(|_| rest.len() >= MEMBER_MIN) {
            Some(next) => {
                self.packed = next;
                self.member.reset(false);
                self.ended = false;
            }
            None => self.finished = true,
        }
        Ok(())
    }
}

impl Unpack for Members<'_> {
    /// Fills all of `out` where the member has so much left: what comes before a fault is lost with it, as in Java.
    fn unpack(&mut self, out: &mut [u8]) -> Result<usize, Broken> {
        let mut done = 0;
        while done < out.len() && !self.finished {
            if self.ended {
                if done > 0 {
                    break;
                }
                self.next_member()?;
                continue;
            }
            let (from_in, from_out) = (self.member.total_in(), self.member.total_out());
            let status = self
                .member
                .decompress(self.packed, &mut out[done..], FlushDecompress::None)
                .map_err(|_| Broken::Stream)?;
            let read = (self.member.total_in() - from_in) as usize;
            let written = (self.member.total_out() - from_out) as usize;
            self.checksum.update(&out[done..done + written]);
            self.packed = &self.packed[read..];
            done += written;
            self.ended = status == Status::StreamEnd;
            // Cut off: what was unpacked counts, the next call fails.
            if !self.ended && read == 0 && written == 0 {
                return if done > 0 { Ok(done) } else { Err(Broken::Stream) };
            }
        }
        Ok(done)
    }
}

/// What follows the header of a member; `None` without one.
fn behind_header(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(&MAGIC)?;
    // Time, extra flags and system.
    let (flags, mut rest) = (*rest.first()?, rest.get(7..)?);
    if flags & EXTRA != 0 {
        let (length, extra) = rest.split_first_chunk::<2>()?;
        rest = extra.get(usize::from(u16::from_le_bytes(*length))..)?;
    }
    for text in [NAME, COMMENT] {
        if flags & text != 0 {
            let end = rest.iter().position(|byte| *byte == 0)?;
            rest = &rest[end + 1..];
        }
    }
    if flags & HEADER_CHECKSUM != 0 {
        let covered = &bytes[..bytes.len() - rest.len()];
        let (stored, behind) = rest.split_first_chunk::<2>()?;
        if *stored != (CRC.checksum(covered) as u16).to_le_bytes() {
            return None;
        }
        rest = behind;
    }
    Some(rest)
}
