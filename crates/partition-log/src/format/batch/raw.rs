//! A batch's header exactly as stored: nothing is refused that Kafka's header does not refuse, so that recovery and
//! validation meet the same numbers as Kafka (Kafka: `RecordBatch`, `DefaultRecordBatch`, `AbstractLegacyRecordBatch`).

#[cfg(all(feature = "std", not(target_arch = "wasm32")))]
use core::ops::Deref;

use super::codec::Codec;
use super::{LOG_OVERHEAD, be_i16, be_i32, be_i64, legacy, v2};
use crate::format::batch::CorruptReason;

/// Smallest size field: a v0 message without key and value (Kafka: `LegacyRecord.RECORD_OVERHEAD_V0`).
pub(super) const SIZE_FIELD_MIN: i32 = 14;

/// The attribute bits of format v2; v1 knows only the codec and [`APPEND_TIME`].
pub(super) const APPEND_TIME: i16 = 0x08;
pub(super) const TRANSACTIONAL: i16 = 0x10;
pub(super) const CONTROL: i16 = 0x20;
pub(super) const DELETE_HORIZON: i16 = 0x40;

/// The header of a batch, every field as stored. A field that formats v0 and v1 lack has the value that Kafka reports
/// for them, mostly −1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawHeader {
    /// First field, 64 bits: in format v2 the base offset; in v0 and v1 the offset of the message, which for a
    /// compressed message is that of its *last* inner message.
    pub base_offset: i64,
    /// Whole size in bytes: the size field and the 12 B that it does not count.
    pub size: u64,
    /// Partition leader epoch, −1 for none.
    pub leader_epoch: i32,
    /// Format. Below 2 the layout is that of v0 or v1, from 2 on that of v2.
    pub magic: i8,
    /// Checksum as stored: CRC-32C in v2, CRC-32 before.
    pub crc: u32,
    /// Attributes as stored; of the two bytes of v2 only the low one means something.
    pub attributes: i16,
    /// Last offset − base offset; 0 in v0 and v1.
    pub last_offset_delta: i32,
    /// In v2 the first timestamp or the delete horizon, in v1 the timestamp, in v0 −1.
    pub base_timestamp: i64,
    /// Largest timestamp; −1 for none, and in v0.
    pub max_timestamp: i64,
    /// Producer id, −1 for none.
    pub producer_id: i64,
    /// Producer epoch, −1 for none.
    pub producer_epoch: i16,
    /// Sequence number of the first record, −1 for none.
    pub base_sequence: i32,
    /// Number of records as stored; `None` in v0 and v1.
    pub count: Option<i32>,
}

impl RawHeader {
    /// Reads the header at the start of `bytes`, which may go on behind the batch.
    ///
    /// # Errors
    ///
    /// [`CorruptReason::Torn`] where bytes of the header are missing; [`CorruptReason::SizeField`] where the size field
    /// is below 14 B, or in format v2 leaves no room for the header (Kafka: `DefaultRecordBatch.ensureValid`).
    pub fn read(bytes: &[u8]) -> Result<RawHeader, CorruptReason> {
        let torn = |needed: usize| CorruptReason::Torn {
            present: bytes.len() as u64,
            needed: needed as u64,
        };
        if bytes.len() < super::HEADER_MIN {
            return Err(torn(super::HEADER_MIN));
        }
        let size_field = be_i32(bytes, 8);
        let magic = bytes[16] as i8;
        let legacy = magic < 2;
        let smallest = if legacy { SIZE_FIELD_MIN } else { v2::SIZE_FIELD_MIN };
        if size_field < smallest {
            return Err(CorruptReason::SizeField { size: size_field });
        }
        let needed = if legacy { legacy::HEADER } else { v2::OVERHEAD };
        if bytes.len() < needed {
            return Err(torn(needed));
        }
        let size = (LOG_OVERHEAD + size_field as usize) as u64;
        let base_offset = be_i64(bytes, 0);
        if legacy {
            let timestamp = if magic == 0 { -1 } else { be_i64(bytes, 18) };
            return Ok(RawHeader {
                base_offset,
                size,
                leader_epoch: -1,
                magic,
                crc: be_i32(bytes, 12) as u32,
                attributes: i16::from(bytes[17] as i8),
                last_offset_delta: 0,
                base_timestamp: timestamp,
                max_timestamp: timestamp,
                producer_id: -1,
                producer_epoch: -1,
                base_sequence: -1,
                count: None,
            });
        }
        Ok(RawHeader {
            base_offset,
            size,
            leader_epoch: be_i32(bytes, 12),
            magic,
            crc: be_i32(bytes, 17) as u32,
            attributes: be_i16(bytes, 21),
            last_offset_delta: be_i32(bytes, 23),
            base_timestamp: be_i64(bytes, 27),
            max_timestamp: be_i64(bytes, 35),
            producer_id: be_i64(bytes, 43),
            producer_epoch: be_i16(bytes, 51),
            base_sequence: be_i32(bytes, 53),
            count: Some(be_i32(bytes, 57)),
        })
    }

    /// Offset of the last record. Wraps at 2^63, as Kafka's does.
    pub const fn last_offset(&self) -> i64 {
        self.base_offset.wrapping_add(self.last_offset_delta as i64)
    }

    /// The offset behind the batch (Kafka: `RecordBatch.nextOffset`).
    pub const fn next_offset(&self) -> i64 {
        self.last_offset().wrapping_add(1)
    }

    /// Sequence number of the last record: after 2^31 − 1 comes 0; −1 where there is none.
    pub const fn last_sequence(&self) -> i32 {
        if self.base_sequence == -1 {
            return -1;
        }
        increment_sequence(self.base_sequence, self.last_offset_delta)
    }

    /// The codec of the records.
    ///
    /// # Errors
    ///
    /// [`CorruptReason::Codec`] for an id that no codec has.
    pub const fn codec(&self) -> Result<Codec, CorruptReason> {
        let id = self.attributes as u8 & Codec::MASK;
        match Codec::from_id(id) {
            Some(codec) => Ok(codec),
            None => Err(CorruptReason::Codec { id }),
        }
    }

    /// Whether the codec is another than none.
    pub const fn is_compressed(&self) -> bool {
        self.attributes as u8 & Codec::MASK != 0
    }

    /// Whether the checksum is the one that was computed of the bytes.
    pub(super) fn check(&self, computed: u32) -> Result<(), CorruptReason> {
        let stored = self.crc;
        if stored == computed {
            Ok(())
        } else {
            Err(CorruptReason::Crc { stored, computed })
        }
    }

    const fn flag(&self, bit: i16) -> bool {
        self.magic >= 2 && self.attributes & bit != 0
    }

    /// Whether its records belong to a transaction.
    pub const fn is_transactional(&self) -> bool {
        self.flag(TRANSACTIONAL)
    }

    /// Whether it is a control batch.
    pub const fn is_control(&self) -> bool {
        self.flag(CONTROL)
    }

    /// The broker's time that replaced the timestamps (LogAppendTime), where the batch says so. Format v0 never does
    /// (Kafka: `LegacyRecord.timestampType`).
    pub const fn append_time(&self) -> Option<i64> {
        if self.magic != 0 && self.attributes & APPEND_TIME != 0 {
            Some(self.max_timestamp)
        } else {
            None
        }
    }

    /// Whether an idempotent producer wrote it (Kafka: `AbstractRecordBatch.hasProducerId`).
    pub const fn has_producer_id(&self) -> bool {
        self.producer_id > -1
    }

    /// When its tombstones and markers may go, where the cleaner noted it (Kafka: `deleteHorizonMs`).
    pub const fn delete_horizon(&self) -> Option<i64> {
        if self.flag(DELETE_HORIZON) {
            Some(self.base_timestamp)
        } else {
            None
        }
    }
}

/// The sequence number `increment` records further on; after 2^31 − 1 comes 0 (Kafka:
/// `DefaultRecordBatch.incrementSequence`).
pub const fn increment_sequence(sequence: i32, increment: i32) -> i32 {
    if sequence > i32::MAX.wrapping_sub(increment) {
        increment.wrapping_sub(i32::MAX.wrapping_sub(sequence)).wrapping_sub(1)
    } else {
        sequence.wrapping_add(increment)
    }
}

/// The checksum that a batch, whose bytes are exactly `bytes`, should have.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    if (bytes[16] as i8) < 2 {
        legacy::checksum(bytes)
    } else {
        v2::checksum(bytes)
    }
}

/// The same of a batch that comes in parts, of which `parts` gives those from a byte of the batch on.
#[cfg(all(feature = "std", not(target_arch = "wasm32")))]
pub(super) fn checksum_of<B: Deref<Target = [u8]>, I: Iterator<Item = B>>(
    header: &RawHeader,
    parts: impl FnOnce(usize) -> I,
) -> u32 {
    if header.magic < 2 {
        crate::format::checksum::crc_32_of(parts(legacy::CRC_FROM))
    } else {
        crate::format::checksum::crc_32c_of(parts(v2::CRC_FROM))
    }
}

/// Whether size and checksum of one batch, whose bytes are exactly `bytes`, are right.
///
/// # Errors
///
/// [`CorruptReason::SizeField`], [`CorruptReason::Torn`] or [`CorruptReason::Crc`] (Kafka: `RecordBatch.ensureValid`,
/// which throws `CorruptRecordException`).
pub fn ensure_valid(bytes: &[u8]) -> Result<(), CorruptReason> {
    let header = RawHeader::read(bytes)?;
    if bytes.len() as u64 != header.size {
        return Err(CorruptReason::Torn {
            present: bytes.len() as u64,
            needed: header.size,
        });
    }
    header.check(checksum(bytes))
}

/// Whether [`ensure_valid`] finds nothing (Kafka: `RecordBatch.isValid`).
pub fn is_valid(bytes: &[u8]) -> bool {
    ensure_valid(bytes).is_ok()
}
