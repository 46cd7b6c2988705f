//! What is appended in these tests: batches and messages built by hand.

use partition_log::format::batch::{BatchSpec, Codec, EndTransaction, LegacyFormat, MessageSpec, RecordSpec};

/// A message of format v1, 34 B and its text: what Kafka's segment tests are made of. `hello` gives 39 B.
pub fn message(at: i64, timestamp: i64, text: &str) -> Vec<u8> {
    let spec = MessageSpec {
        format: LegacyFormat::V1,
        offset: at,
        timestamp,
        append_time: false,
        codec: Codec::None,
        key: None,
        value: Some(text.as_bytes().to_vec()),
    };
    spec.encode().expect("a small message")
}

/// A message of 39 B whose timestamp is ten times its offset.
pub fn hello(at: i64) -> Vec<u8> {
    message(at, 10 * at, "hello")
}

/// Records of a batch of format v2, one a timestamp, each with the value `test`.
pub fn records(timestamps: &[i64]) -> BatchSpec {
    let record = |(delta, timestamp): (usize, &i64)| RecordSpec {
        offset_delta: delta as i32,
        timestamp: *timestamp,
        value: Some(b"test".to_vec()),
        ..RecordSpec::default()
    };
    BatchSpec {
        records: timestamps.iter().enumerate().map(record).collect(),
        ..BatchSpec::default()
    }
}

/// A batch of one record, which takes 72 B.
pub fn single(timestamp: i64) -> BatchSpec {
    records(&[timestamp])
}

/// Bytes of [`single`] with a timestamp.
pub const SINGLE: i64 = 72;

/// A batch of so many records from a producer, the timestamp being 0.
pub fn produced(producer_id: i64, producer_epoch: i16, base_sequence: i32, count: usize) -> BatchSpec {
    BatchSpec {
        producer_id,
        producer_epoch,
        base_sequence,
        ..records(&vec![0; count])
    }
}

/// The same within a transaction.
pub fn transactional(producer_id: i64, producer_epoch: i16, base_sequence: i32, count: usize) -> BatchSpec {
    BatchSpec {
        transactional: true,
        ..produced(producer_id, producer_epoch, base_sequence, count)
    }
}

/// The marker that ends a transaction; coordinator's epoch 0.
pub fn marker(producer_id: i64, producer_epoch: i16, commit: bool) -> EndTransaction {
    EndTransaction {
        base_offset: 0,
        leader_epoch: -1,
        timestamp: 0,
        producer_id,
        producer_epoch,
        coordinator_epoch: 0,
        commit,
    }
}

/// Bytes that look like nothing, the same each time.
pub fn noise(length: usize) -> Vec<u8> {
    (0..length as u32)
        .map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8 | 1)
        .collect()
}

/// A batch as a leader has it: at an offset, under an epoch.
pub fn at(base_offset: i64, leader_epoch: i32, batch: BatchSpec) -> Vec<u8> {
    let batch = BatchSpec {
        base_offset,
        leader_epoch,
        ..batch
    };
    batch.encode().expect("a small batch")
}
