//! The bytes of a `.snapshot` file (Kafka: `ProducerStateManager.writeSnapshot`, `readSnapshot`, and the generated
//! `ProducerSnapshot`; all integers big-endian).
//!
//! | at | size | field |
//! |---|---|---|
//! | 0 | 2 | version = 1 |
//! | 2 | 4 | CRC-32C of bytes 6 to the end |
//! | 6 | 4 | number of producers |
//! | 10 | 46 each | producers |
//!
//! | at | size | field of a producer |
//! |---|---|---|
//! | 0 | 8 | producer id |
//! | 8 | 2 | epoch |
//! | 10 | 4 | last sequence of its newest batch, −1 for none |
//! | 14 | 8 | last offset of that batch, −1 for none |
//! | 22 | 4 | last offset − first offset of that batch |
//! | 26 | 8 | timestamp |
//! | 34 | 4 | epoch of the transaction coordinator |
//! | 38 | 8 | first offset of the open transaction, −1 for none |
//!
//! Kafka writes the producers in the order of a hash map; here they stand by id.

use core::fmt;

use crate::format::checksum::crc_32c;
use crate::format::producers::{ProducerEntry, RetainedBatch};
use crate::units::ProducerId;

/// The only version that Kafka reads.
const VERSION: i16 = 1;

/// Where the bytes begin that the checksum covers.
const CRC_FROM: usize = 6;

/// Bytes before the producers.
const HEADER_SIZE: usize = 10;

/// Bytes of one producer.
pub const SNAPSHOT_ENTRY_SIZE: usize = 46;

/// Kafka writes more producers than this, and does not read them.
const PRODUCERS_MAX: i32 = 1_000_000;

/// Why a snapshot is not read (Kafka: `CorruptSnapshotException`; the file is then deleted, and the one before it tried).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum CorruptSnapshot {
    /// The file ends within a field.
    Torn {
        /// Bytes present.
        present: u64,
        /// Bytes needed.
        needed: u64,
    },
    /// A version other than 1.
    Version {
        /// The version.
        version: i16,
    },
    /// A number of producers below 0, above the bytes that follow, or above 1,000,000.
    Count {
        /// The number.
        count: i32,
        /// Bytes that follow.
        remaining: u64,
    },
    /// The checksum does not match.
    Crc {
        /// As stored.
        stored: u32,
        /// As computed.
        computed: u32,
    },
}

impl fmt::Display for CorruptSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CorruptSnapshot::Torn { present, needed } => write!(f, "{present} of {needed} B are there"),
            CorruptSnapshot::Version { version } => write!(f, "its version is {version}, not {VERSION}"),
            CorruptSnapshot::Count { count, remaining } => {
                write!(f, "{count} producers cannot be in {remaining} B")
            }
            CorruptSnapshot::Crc { stored, computed } => {
                write!(f, "the stored checksum is {stored:08x}, the bytes give {computed:08x}")
            }
        }
    }
}

impl core::error::Error for CorruptSnapshot {}

/// The file that holds these producers. Only the newest batch of each is stored.
pub fn encode_snapshot<'a>(entries: impl Iterator<Item = (ProducerId, &'a ProducerEntry)>) -> Vec<u8> {
    let mut out = vec![0; HEADER_SIZE];
    out[..2].copy_from_slice(&VERSION.to_be_bytes());
    let mut count = 0_u32;
    for (producer_id, entry) in entries {
        let batch = entry.last_batch();
        out.extend_from_slice(&producer_id.get().to_be_bytes());
        out.extend_from_slice(&entry.epoch.to_be_bytes());
        out.extend_from_slice(&entry.last_sequence().to_be_bytes());
        out.extend_from_slice(&batch.map_or(-1, |batch| batch.last_offset).to_be_bytes());
        out.extend_from_slice(&batch.map_or(0, |batch| batch.offset_delta).to_be_bytes());
        out.extend_from_slice(&entry.last_timestamp.to_be_bytes());
        out.extend_from_slice(&entry.coordinator_epoch.to_be_bytes());
        out.extend_from_slice(&entry.transaction.unwrap_or(-1).to_be_bytes());
        count += 1;
    }
    out[CRC_FROM..HEADER_SIZE].copy_from_slice(&count.to_be_bytes());
    let crc = crc_32c(&out[CRC_FROM..]);
    out[2..CRC_FROM].copy_from_slice(&crc.to_be_bytes());
    out
}

/// The producers in a file, in its order, and perhaps one more than once. Bytes behind the last one count for the checksum
/// only.
///
/// # Errors
///
/// [`CorruptSnapshot`], in Kafka's order: the checksum comes last.
pub fn decode_snapshot(bytes: &[u8]) -> Result<Vec<(ProducerId, ProducerEntry)>, CorruptSnapshot> {
    let mut reader = SnapshotReader { bytes, at: 0 };
    let version = i16::from_be_bytes(reader.take()?);
    if version != VERSION {
        return Err(CorruptSnapshot::Version { version });
    }
    let stored = u32::from_be_bytes(reader.take()?);
    let count = i32::from_be_bytes(reader.take()?);
    let remaining = (bytes.len() - reader.at) as u64;
    if !(0..=PRODUCERS_MAX).contains(&count) || count as u64 > remaining {
        return Err(CorruptSnapshot::Count { count, remaining });
    }
    let whole = (bytes.len() - reader.at) / SNAPSHOT_ENTRY_SIZE;
    let mut entries = Vec::with_capacity(whole.min(count as usize));
    for _ in 0..count {
        entries.push(reader.entry()?);
    }
    let computed = crc_32c(&bytes[CRC_FROM..]);
    if stored != computed {
        return Err(CorruptSnapshot::Crc { stored, computed });
    }
    Ok(entries)
}

/// Reads one field after the other.
struct SnapshotReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl SnapshotReader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], CorruptSnapshot> {
        let field = self.bytes[self.at..].first_chunk().ok_or(CorruptSnapshot::Torn {
            present: self.bytes.len() as u64,
            needed: (self.at + N) as u64,
        })?;
        self.at += N;
        Ok(*field)
    }

    fn entry(&mut self) -> Result<(ProducerId, ProducerEntry), CorruptSnapshot> {
        let producer_id = ProducerId::new(i64::from_be_bytes(self.take()?));
        let epoch = i16::from_be_bytes(self.take()?);
        let last_sequence = i32::from_be_bytes(self.take()?);
        let last_offset = i64::from_be_bytes(self.take()?);
        let offset_delta = i32::from_be_bytes(self.take()?);
        let timestamp = i64::from_be_bytes(self.take()?);
        let coordinator_epoch = i32::from_be_bytes(self.take()?);
        let first_offset = i64::from_be_bytes(self.take()?);
        let transaction = (first_offset >= 0).then_some(first_offset);
        let mut entry = ProducerEntry::new(epoch, coordinator_epoch, timestamp, transaction);
        if last_offset >= 0 {
            let batch = RetainedBatch {
                last_sequence,
                last_offset,
                offset_delta,
                timestamp,
            };
            entry.add_batch(epoch, batch);
        }
        Ok((producer_id, entry))
    }
}
