//! What is rebuilt when a segment is read again.

use super::*;
use crate::disk::FileKind;
use crate::format::batch::{BatchSpec, EndTransaction, RecordSpec, end_transaction_marker, file_batches};
use crate::format::index::{AbortedTransaction, TransactionIndex};
use crate::units::ProducerId;

/// A batch as a leader sends it to its followers.
fn sent(base_offset: i64, records: usize, leader_epoch: i32) -> Vec<u8> {
    let spec = BatchSpec {
        base_offset,
        leader_epoch,
        records: vec![RecordSpec::default(); records],
        ..BatchSpec::default()
    };
    spec.encode().expect("a batch")
}

/// The same within a transaction.
fn transactional(base_offset: i64, producer_id: i64, sequence: i32) -> Vec<u8> {
    let spec = BatchSpec {
        base_offset,
        leader_epoch: 0,
        producer_id,
        producer_epoch: 0,
        base_sequence: sequence,
        transactional: true,
        records: vec![RecordSpec::default(); 2],
        ..BatchSpec::default()
    };
    spec.encode().expect("a batch")
}

fn marker(base_offset: i64, producer_id: i64, commit: bool) -> Vec<u8> {
    end_transaction_marker(&EndTransaction {
        base_offset,
        leader_epoch: 0,
        timestamp: 0,
        producer_id,
        producer_epoch: 0,
        coordinator_epoch: 0,
        commit,
    })
}

/// Dies, and starts as after a stop long ago.
fn restart(bench: &mut Bench) {
    bench.run(|partition| partition.crash(0));
    bench.start();
}

fn epochs(bench: &Bench) -> Vec<(i32, i64)> {
    let epochs = bench.partition.state().leader_epochs().entries();
    epochs.iter().map(|entry| (entry.epoch, entry.start.get())).collect()
}

#[test]
fn t14_transactions_are_known_again_and_an_aborted_one_has_its_entry() {
    let mut bench = Bench::with(Settings::default());
    bench.run(|partition| partition.truncate_fully(at(100)));
    for bytes in [
        transactional(100, 5, 0),
        transactional(102, 10, 0),
        sent(104, 2, 0),
        marker(106, 10, false),
        marker(107, 5, true),
    ] {
        bench.copy(&bytes);
    }
    let file = FileName::live(at(100), FileKind::TxnIndex);
    let before = bench.partition.state().files().used(file).expect("an index").to_vec();
    restart(&mut bench);
    assert_eq!((bench.recovered(), bench.log_end()), (vec![100], 108));
    let index = bench.partition.state().files().used(file).expect("an index");
    let entries: Vec<_> = TransactionIndex::new(at(100), index).entries().collect();
    let aborted = AbortedTransaction {
        producer_id: ProducerId::new(10),
        first_offset: 102,
        last_offset: 106,
        last_stable_offset: 100,
    };
    assert_eq!((entries, index.to_vec()), (vec![Ok((0, aborted))], before));
}

#[test]
fn t15_leader_epochs_come_back_from_the_batches() {
    let mut bench = Bench::with(Settings::default());
    bench.run(|partition| partition.truncate_fully(at(104)));
    for (offset, epoch) in [(104, 0), (106, 1), (108, 1), (110, 2)] {
        bench.copy(&sent(offset, 2, epoch));
    }
    let known = epochs(&bench);
    assert_eq!(known, [(0, 104), (1, 106), (2, 110)]);
    bench.run(|partition| partition.crash(0));
    bench.run(|partition| partition.record(|recorder| recorder.replace_file(FileName::LEADER_EPOCHS, &[])));
    bench.start();
    assert_eq!(epochs(&bench), known);
}

#[test]
fn t16_a_segment_ends_where_its_noise_begins() {
    for kept in 0..20 {
        let mut bench = Bench::with(Settings::default());
        for offset in 0..20 {
            bench.copy(&sent(offset, 1, 0));
        }
        bench.run(|partition| partition.crash(0));
        let log = FileName::live(at(0), FileKind::Log);
        bench.run(|partition| {
            partition.record(|recorder| {
                let bytes = recorder.state().files().used(log).unwrap_or_default();
                let batch = file_batches(bytes, 0).nth(kept).expect("20").expect("a batch");
                let (from, size) = (batch.position + 20, bytes.len());
                let noise: Vec<u8> = (from..size).map(|at| (at * 37 % 251) as u8).collect();
                recorder.file(|files| files.write_at(log, from, &noise, TimestampMs::ZERO))
            })
        });
        bench.start();
        assert_eq!(bench.log_end(), kept as i64);
    }
}

#[test]
fn t50_snapshots_stand_at_the_last_two_bases_and_the_end_or_where_a_segment_was_recovered() {
    let mut bench = Bench::new();
    bench.append(21);
    bench.run(Partition::stop);
    for file in bench.partition.state().files().list() {
        if file.kind == FileKind::Snapshot {
            bench.run(|partition| partition.record(|recorder| recorder.remove_if_there(file)));
        }
    }
    let snapshots = |bench: &Bench| -> Vec<i64> {
        let known = bench.partition.state().producers().snapshots();
        known.iter().map(|offset| offset.get()).collect()
    };
    let start = |clean, recovery_point: i64| {
        let mut bench = bench.clone();
        let options = StartOptions {
            clean: Some(clean),
            recovery_point: Offset::new(recovery_point),
            ..StartOptions::default()
        };
        bench.run(|partition| partition.start(options));
        snapshots(&bench)
    };
    assert_eq!(start(true, 21), [18, 20, 21]);
    assert_eq!(start(false, 21), [18, 20, 21]);
    assert_eq!(start(false, 0), [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 21]);
}

#[test]
fn t100_indexes_are_as_before_and_the_recovery_point_waits_for_the_next_flush() {
    let mut bench = Bench::new();
    bench.append(100);
    bench.run(Partition::stop);
    let stopped = bench.clone();
    let start = |recovery_point: i64| {
        let mut bench = stopped.clone();
        let options = StartOptions {
            clean: Some(false),
            recovery_point: Offset::new(recovery_point),
            ..StartOptions::default()
        };
        bench.run(|partition| partition.start(options));
        bench
    };
    for recovery_point in [100, 10] {
        let mut bench = start(recovery_point);
        let state = bench.partition.state();
        assert_eq!((state.recovery_point(), state.log_end()), (at(recovery_point), at(100)));
        for base in state.bases() {
            let known = stopped.partition.state();
            assert_eq!(state.offset_entries(base), known.offset_entries(base));
            assert_eq!(state.time_entries(base), known.time_entries(base));
        }
        bench.run(Partition::flush);
        assert_eq!(bench.partition.state().recovery_point(), at(100));
    }
}
