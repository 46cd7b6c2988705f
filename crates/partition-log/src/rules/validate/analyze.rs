//! The first look at arriving bytes, batch by batch (Kafka: `UnifiedLog.analyzeAndValidateRecords`).

use super::refusal::{InvalidBatch, ValidationError};
use super::{AppendOrigin, bad_batch, record_fault};
use crate::format::batch::{
    Codec, CorruptReason, Depth, FaultClass, MemoryBatch, RECORD_SIZE_MAX, RawHeader, RecordFault, deep_records,
    ensure_valid, memory_batches,
};

/// What the first look finds (Kafka: `LogAppendInfo`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// First offset of the first batch; `None` where its format does not tell.
    pub first_offset: Option<i64>,
    /// Last offset of the first batch, −1 without one.
    pub last_offset_of_first_batch: i64,
    /// Last offset of the last batch, −1 without one.
    pub last_offset: i64,
    /// Leader epoch of the last batch, where it has one.
    pub last_leader_epoch: Option<i32>,
    /// Largest timestamp, −1 for none.
    pub max_timestamp: i64,
    /// Codec of the last compressed batch.
    pub codec: Codec,
    /// Bytes from the front that are to be appended; with 0 nothing happens at all.
    pub valid_bytes: usize,
    /// The first batch that a follower leaves out, and with it all behind it.
    pub left_out: Option<LeftOut>,
}

/// A batch of a leader epoch that the follower has not heard of (Kafka: `UnifiedLog.hasHigherPartitionLeaderEpoch`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LeftOut {
    /// First byte of the batch in what was sent.
    pub position: u64,
    /// Its leader epoch.
    pub epoch: i32,
    /// The epoch that the follower knows.
    pub current: i32,
}

impl Analysis {
    /// First offset of the first batch, or its last one where the format does not tell the first, or the first is below 0.
    pub fn first_or_last_offset_of_first_batch(&self) -> i64 {
        let first = self.first_offset.filter(|first| *first >= 0);
        first.unwrap_or(self.last_offset_of_first_batch)
    }
}

/// Looks at every batch in `records`. `leader_epoch` is the replica's current one, `max_message_bytes` the limit for a
/// batch from a client or a coordinator; a follower takes what its leader took, but wants offsets that grow.
///
/// # Errors
///
/// In the order in which a batch is looked at: a client's base offset that is not 0, [`ValidationError::RecordTooLarge`],
/// [`ValidationError::Corrupt`], [`ValidationError::OffsetsOutOfOrder`].
pub fn analyze(
    records: &[u8],
    origin: AppendOrigin,
    leader_epoch: i32,
    max_message_bytes: u64,
) -> Result<Analysis, ValidationError> {
    let replica = origin == AppendOrigin::Replication;
    let mut found = Analysis {
        first_offset: None,
        last_offset_of_first_batch: -1,
        last_offset: -1,
        last_leader_epoch: None,
        max_timestamp: -1,
        codec: Codec::None,
        valid_bytes: 0,
        left_out: None,
    };
    let mut out_of_order = None;
    let mut read_first = false;
    for batch in memory_batches(records) {
        let batch = batch.map_err(bad_batch)?;
        let front = Front::read(&batch);
        if batch.magic >= 2 && origin == AppendOrigin::Client && front.base_offset != 0 {
            let reason = InvalidBatch::BaseOffset {
                found: front.base_offset,
            };
            let position = batch.position;
            return Err(ValidationError::Batch { position, reason });
        }
        let unheard_of = replica && front.leader_epoch != -1 && front.leader_epoch > leader_epoch;
        if found.left_out.is_none() && unheard_of {
            found.left_out = Some(LeftOut {
                position: batch.position,
                epoch: front.leader_epoch,
                current: leader_epoch,
            });
        }
        if found.left_out.is_none() {
            let last_offset = front.last_offset.map_err(|fault| record_fault(batch.position, fault))?;
            if !read_first {
                found.first_offset = (batch.magic >= 2).then_some(front.base_offset);
                found.last_offset_of_first_batch = last_offset;
                read_first = true;
            }
            if found.last_offset >= last_offset {
                out_of_order = Some((found.last_offset, last_offset));
            }
            found.last_offset = last_offset;
            found.last_leader_epoch = Some(front.leader_epoch).filter(|epoch| *epoch != -1);
            accept(&batch, &mut found, (!replica).then_some(max_message_bytes))?;
        }
        if let (true, Some((last, next))) = (replica, out_of_order) {
            all_offsets_read(records)?;
            return Err(ValidationError::OffsetsOutOfOrder { last, next });
        }
    }
    Ok(found)
}

/// Size, checksum, timestamp and codec of a batch.
fn accept(batch: &MemoryBatch<'_>, found: &mut Analysis, max: Option<u64>) -> Result<(), ValidationError> {
    let size = batch.bytes.len() as u64;
    if let Some(max) = max.filter(|max| size > *max) {
        return Err(ValidationError::RecordTooLarge { size, max });
    }
    let corrupt = |reason| record_fault(batch.position, FaultClass::Corrupt.with(reason));
    ensure_valid(batch.bytes).map_err(corrupt)?;
    let header = RawHeader::read(batch.bytes).map_err(corrupt)?;
    found.max_timestamp = found.max_timestamp.max(header.max_timestamp);
    found.valid_bytes += batch.bytes.len();
    let unknown = |reason| record_fault(batch.position, FaultClass::IllegalArgument.with(reason));
    match header.codec().map_err(unknown)? {
        Codec::None => {}
        codec => found.codec = codec,
    }
    Ok(())
}

/// The fields that are looked at before the size is known to leave room for a header.
struct Front {
    base_offset: i64,
    leader_epoch: i32,
    last_offset: Result<i64, RecordFault>,
}

impl Front {
    fn read(batch: &MemoryBatch<'_>) -> Front {
        let legacy = batch.magic < 2;
        let base_offset = chunk(batch.bytes, 0).map_or(-1, i64::from_be_bytes);
        let delta = if legacy {
            Some(0)
        } else {
            chunk(batch.bytes, 23).map(i32::from_be_bytes)
        };
        let short = CorruptReason::SizeField {
            size: chunk(batch.bytes, 8).map_or(-1, i32::from_be_bytes),
        };
        Front {
            base_offset,
            leader_epoch: chunk(batch.bytes, 12)
                .filter(|_| !legacy)
                .map_or(-1, i32::from_be_bytes),
            last_offset: delta
                .map(|delta| base_offset.wrapping_add(i64::from(delta)))
                .ok_or(FaultClass::IndexOutOfBounds.with(short)),
        }
    }
}

fn chunk<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

/// Reads every record for the offsets that Kafka puts into its message: what does not read takes the place of the refusal.
fn all_offsets_read(records: &[u8]) -> Result<(), ValidationError> {
    for batch in memory_batches(records) {
        offsets_read(&batch.map_err(bad_batch)?, usize::MAX)?;
    }
    Ok(())
}

/// Reads a batch for up to `most` offsets; gives their number. The records of a compressed batch Kafka reads all at once.
fn offsets_read(batch: &MemoryBatch<'_>, most: usize) -> Result<usize, ValidationError> {
    let at = |fault| record_fault(batch.position, fault);
    let header = RawHeader::read(batch.bytes);
    if header.is_ok_and(|header| header.count == Some(0)) {
        return Ok(0);
    }
    let compressed = header.is_ok_and(|header| header.is_compressed());
    let mut read = 0;
    for record in deep_records(batch.bytes, Depth::Content, RECORD_SIZE_MAX).map_err(at)? {
        record.map_err(at)?;
        read += 1;
        if read >= most && !compressed {
            break;
        }
    }
    Ok(read.min(most))
}

/// Whether what a replica sends goes on at the log end or above it: gaps are allowed (Kafka: `UnifiedLog.append`).
///
/// # Errors
///
/// [`ValidationError::UnexpectedAppendOffset`].
pub fn check_append_offset(analysis: &Analysis, records: &[u8], log_end: i64) -> Result<(), ValidationError> {
    let offset = analysis.first_or_last_offset_of_first_batch();
    if offset >= log_end {
        return Ok(());
    }
    // Kafka's message lists the first ten offsets, and reads the records for them.
    let mut left = 10;
    for batch in memory_batches(records) {
        left -= offsets_read(&batch.map_err(bad_batch)?, left)?;
        if left == 0 {
            break;
        }
    }
    Err(ValidationError::UnexpectedAppendOffset { offset, log_end })
}
