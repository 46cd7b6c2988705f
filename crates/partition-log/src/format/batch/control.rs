//! Control batches: the markers that end a transaction (Kafka: `ControlRecordType`, `EndTransactionMarker`,
//! `MemoryRecords.withEndTransactionMarker`).

use super::build::{BatchSpec, RecordSpec};
use super::codec::Codec;

const COMMIT: i16 = 1;
const ABORT: i16 = 0;

/// The marker that a transaction coordinator writes at the end of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndTransaction {
    /// Base offset; the coordinator sends 0.
    pub base_offset: i64,
    /// Partition leader epoch, −1 for none.
    pub leader_epoch: i32,
    /// When it was written, in milliseconds.
    pub timestamp: i64,
    /// The producer whose transaction ends.
    pub producer_id: i64,
    /// Its epoch.
    pub producer_epoch: i16,
    /// Epoch of the coordinator.
    pub coordinator_epoch: i32,
    /// Whether the transaction is committed; otherwise it is aborted.
    pub commit: bool,
}

/// The 78 bytes of a marker: a control batch of one record, whose key is version 0 and type (1 commit, 0 abort), and
/// whose value is version 0 and the coordinator's epoch.
pub fn end_transaction_marker(marker: &EndTransaction) -> Vec<u8> {
    let kind = if marker.commit { COMMIT } else { ABORT };
    let mut key = vec![0, 0];
    key.extend_from_slice(&kind.to_be_bytes());
    let mut value = vec![0, 0];
    value.extend_from_slice(&marker.coordinator_epoch.to_be_bytes());
    let batch = BatchSpec {
        base_offset: marker.base_offset,
        leader_epoch: marker.leader_epoch,
        producer_id: marker.producer_id,
        producer_epoch: marker.producer_epoch,
        transactional: true,
        control: true,
        records: vec![RecordSpec {
            timestamp: marker.timestamp,
            key: Some(key),
            value: Some(value),
            ..RecordSpec::default()
        }],
        ..BatchSpec::default()
    };
    batch.assemble(Codec::None, &batch.records_area())
}
