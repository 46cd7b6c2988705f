//! What the targets share.
#![forbid(unsafe_code)]

pub mod directory;

use crc::{CRC_32_ISCSI, CRC_32_ISO_HDLC, Crc};
use partition_log::format::batch::{self, RawHeader};

/// The same bytes, but with right checksums in all batches, which random bytes never have.
pub fn with_checksums(bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    let places: Vec<(usize, RawHeader)> = batch::raw_batches(bytes, 0)
        .map_while(Result::ok)
        .map(|found| (found.position as usize, found.header))
        .collect();
    for (position, header) in places {
        let found = &mut out[position..position + header.size as usize];
        let (at, crc) = if header.magic < 2 {
            (12, Crc::<u32>::new(&CRC_32_ISO_HDLC).checksum(&found[16..]))
        } else {
            (17, Crc::<u32>::new(&CRC_32_ISCSI).checksum(&found[21..]))
        };
        found[at..at + 4].copy_from_slice(&crc.to_be_bytes());
    }
    out
}
