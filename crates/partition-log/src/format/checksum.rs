//! The two checksums: CRC-32C of format v2 and of producer snapshots, CRC-32 before it.

#[cfg(all(feature = "std", not(target_arch = "wasm32")))]
use core::ops::Deref;

use crc::{CRC_32_ISO_HDLC, Crc, Table};

/// A page gets one table of 1 KiB for each: sixteen, which are several times as fast, would be a tenth of its weight.
#[cfg(target_arch = "wasm32")]
type Tables = Table<1>;
#[cfg(not(target_arch = "wasm32"))]
type Tables = Table<16>;

/// CRC-32C (Kafka: `Crc32C`).
#[cfg(target_arch = "wasm32")]
pub(crate) fn crc_32c(bytes: &[u8]) -> u32 {
    static CRC: Crc<u32, Tables> = Crc::<u32, Tables>::new(&crc::CRC_32_ISCSI);
    CRC.checksum(bytes)
}

/// CRC-32C (Kafka: `Crc32C`). Processors have an instruction for it, which Java's runtime uses, too.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn crc_32c(bytes: &[u8]) -> u32 {
    crc32c::crc32c(bytes)
}

/// CRC-32 (Kafka: `LegacyRecord.computeChecksum`).
pub(crate) fn crc_32(bytes: &[u8]) -> u32 {
    CRC_32.checksum(bytes)
}

static CRC_32: Crc<u32, Tables> = Crc::<u32, Tables>::new(&CRC_32_ISO_HDLC);

/// [`crc_32c`] of bytes that come in parts.
#[cfg(all(feature = "std", not(target_arch = "wasm32")))]
pub(crate) fn crc_32c_of<B: Deref<Target = [u8]>>(parts: impl Iterator<Item = B>) -> u32 {
    parts.fold(0, |so_far, part| crc32c::crc32c_append(so_far, &part))
}

/// [`crc_32`] of bytes that come in parts.
#[cfg(all(feature = "std", not(target_arch = "wasm32")))]
pub(crate) fn crc_32_of<B: Deref<Target = [u8]>>(parts: impl Iterator<Item = B>) -> u32 {
    let mut digest = CRC_32.digest();
    parts.for_each(|part| digest.update(&part));
    digest.finalize()
}
