//! The two checksums: CRC-32C of format v2 and of producer snapshots, CRC-32 before it.

use crc::{CRC_32_ISCSI, CRC_32_ISO_HDLC, Crc, Table};

/// A page gets one table of 1 KiB for each: sixteen, which are several times as fast, would be a tenth of its weight.
#[cfg(target_arch = "wasm32")]
type Tables = Table<1>;
#[cfg(not(target_arch = "wasm32"))]
type Tables = Table<16>;

/// CRC-32C (Kafka: `Crc32C`).
pub(crate) static CRC_32C: Crc<u32, Tables> = Crc::<u32, Tables>::new(&CRC_32_ISCSI);

/// CRC-32 (Kafka: `LegacyRecord.computeChecksum`).
pub(crate) static CRC_32: Crc<u32, Tables> = Crc::<u32, Tables>::new(&CRC_32_ISO_HDLC);
