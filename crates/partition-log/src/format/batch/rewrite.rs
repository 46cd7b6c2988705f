//! What the leader changes in a batch before it appends it. Offset and leader epoch lie outside the checksum; only a
//! changed timestamp renews it (Kafka: `MutableRecordBatch`).

use super::build::seal_checksum;
use super::codec::Codec;
use super::raw::{APPEND_TIME, RawHeader};
use super::v2;

/// Sets the last offset of one batch, whose bytes are exactly `batch`: in format v2 the base offset moves along (Kafka:
/// `MutableRecordBatch.setLastOffset`).
pub fn set_last_offset(batch: &mut [u8], last: i64) {
    if let Ok(header) = RawHeader::read(batch) {
        let base = last.wrapping_sub(i64::from(header.last_offset_delta));
        batch[..8].copy_from_slice(&base.to_be_bytes());
    }
}

/// Sets the partition leader epoch of a batch; formats v0 and v1 have none (Kafka: `setPartitionLeaderEpoch`).
pub fn set_leader_epoch(batch: &mut [u8], epoch: i32) {
    if RawHeader::read(batch).is_ok_and(|header| header.magic >= 2) {
        batch[12..16].copy_from_slice(&epoch.to_be_bytes());
    }
}

/// Sets the largest timestamp of one batch, whose bytes are exactly `batch`, and whether it is the broker's; format v0
/// has none. Where both stay the same nothing changes, otherwise attributes are written anew, without the bits that mean
/// nothing, and so is the checksum. In format v2 the base timestamp and the records stay as they are (Kafka:
/// `DefaultRecordBatch.setMaxTimestamp`, `ByteBufferLegacyRecordBatch.setMaxTimestamp`).
pub fn set_max_timestamp(batch: &mut [u8], append_time: bool, timestamp: i64) {
    let Ok(header) = RawHeader::read(batch) else { return };
    let same = header.append_time().is_some() == append_time && header.max_timestamp == timestamp;
    if header.magic == 0 || same {
        return;
    }
    let kept = if header.magic < 2 {
        i16::from(Codec::MASK)
    } else {
        v2::KNOWN_ATTRIBUTES & !APPEND_TIME
    };
    let attributes = header.attributes & kept | if append_time { APPEND_TIME } else { 0 };
    if header.magic < 2 {
        batch[17] = attributes as u8;
        batch[18..26].copy_from_slice(&timestamp.to_be_bytes());
    } else {
        batch[21..23].copy_from_slice(&attributes.to_be_bytes());
        batch[35..43].copy_from_slice(&timestamp.to_be_bytes());
    }
    seal_checksum(batch);
}
