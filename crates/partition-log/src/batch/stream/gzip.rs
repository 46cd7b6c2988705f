//! gzip: one member behind the other, as `java.util.zip.GZIPInputStream` reads them.

use std::io::{Error, Read};

use flate2::bufread::GzDecoder;

use super::broken;

/// Fewer bytes than this behind a member are not looked at.
const MEMBER_MIN: usize = 19;

pub(super) struct Members<'a> {
    member: GzDecoder<&'a [u8]>,
}

impl<'a> Members<'a> {
    pub(super) fn open(packed: &'a [u8]) -> Result<Members<'a>, Error> {
        let member = GzDecoder::new(packed);
        match member.header() {
            Some(_) => Ok(Members { member }),
            None => Err(broken()),
        }
    }
}

impl Read for Members<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        loop {
            let read = self.member.read(out)?;
            let rest: &[u8] = self.member.get_ref();
            if read > 0 || out.is_empty() || rest.len() < MEMBER_MIN {
                return Ok(read);
            }
            // What is no header is ignored.
            let next = GzDecoder::new(rest);
            if next.header().is_none() {
                return Ok(0);
            }
            self.member = next;
        }
    }
}
