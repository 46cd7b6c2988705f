//! Snapshots: their bytes, which are kept, and how the state comes back.

use super::*;

fn offsets(values: &[i64]) -> Vec<Offset> {
    values.iter().copied().map(offset).collect()
}

/// Producer 9, epoch 1, sequences 4 and 5 at offsets 5 and 6.
fn nine() -> ProducerEntry {
    let mut entry = ProducerEntry::new(1, 5, 1000, None);
    let batch = RetainedBatch {
        last_sequence: 5,
        last_offset: 6,
        offset_delta: 1,
        timestamp: 1000,
    };
    entry.add_batch(1, batch);
    entry
}

#[test]
fn the_bytes_are_kafkas() {
    let empty = encode_snapshot([].into_iter());
    assert_eq!(hex::encode(&empty), "000148674bc700000000");
    assert_eq!(decode_snapshot(&empty), Ok(vec![]));
    let one = encode_snapshot([(id(9), &nine())].into_iter());
    assert_eq!(
        hex::encode(&one),
        "00015055b095000000010000000000000009000100000005000000000000000600000001\
         00000000000003e800000005ffffffffffffffff"
    );
    assert_eq!(decode_snapshot(&one), Ok(vec![(id(9), nine())]));
}

#[test]
fn only_the_newest_batch_comes_back() {
    let mut log = Log::default();
    for sequence in 0..3 {
        log.append(transactional(4, 2, sequence, 1)).expect("next");
    }
    let bytes = encode_snapshot(log.state.entries());
    let entries = decode_snapshot(&bytes).expect("just written");
    let mut loaded = Log::default();
    loaded.apply(ProducerState::load(offset(3), entries, 1_000, 10));
    let entry = loaded
        .state
        .entry(id(4))
        .expect("a transaction is open, so it does not expire");
    assert_eq!(
        (entry.batches().len(), entry.last_sequence(), entry.transaction),
        (1, 2, Some(0))
    );
    assert_eq!((loaded.first_unstable(), loaded.state.map_end()), (Some(0), offset(3)));
}

#[test]
fn expired_producers_are_passed_over_on_load() {
    let load = |now| ProducerState::load(offset(7), vec![(id(9), nine())], now, 500);
    assert_eq!((load(1_499).len(), load(1_500).len()), (3, 2));
}

#[test]
fn damage_is_told_in_kafkas_order() {
    let good = encode_snapshot([(id(9), &nine())].into_iter());
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        decode_snapshot(&bytes).expect_err("damaged")
    };
    assert_eq!(with(1, 2), CorruptSnapshot::Version { version: 2 });
    assert_eq!(with(1, 0), CorruptSnapshot::Version { version: 0 });
    let count = |count| CorruptSnapshot::Count { count, remaining: 46 };
    assert_eq!((with(6, 0x80), with(9, 47)), (count(i32::MIN + 1), count(47)));
    assert_eq!(
        with(9, 2),
        CorruptSnapshot::Torn {
            present: 56,
            needed: 64
        },
        "46 B are enough for a count of 2, but not for the second producer"
    );
    assert!(matches!(with(17, 8), CorruptSnapshot::Crc { .. }));
    for length in 0..good.len() {
        assert!(decode_snapshot(&good[..length]).is_err(), "{length} B");
    }
    let longer = [good.as_slice(), &[0]].concat();
    assert!(matches!(decode_snapshot(&longer), Err(CorruptSnapshot::Crc { .. })));
}

#[test]
fn a_snapshot_is_due_when_the_state_has_moved() {
    let mut log = Log::default();
    assert!(!log.state.snapshot_decision().write());
    log.append(data(1, 0, 0, 3)).expect("new");
    assert_eq!(
        log.state.snapshot_decision().to_string(),
        "a snapshot: the state ends at 3, above 0, where the newest one ends"
    );
    log.apply([ProducerChange::SnapshotTaken(offset(3))]);
    assert!(!log.state.snapshot_decision().write());
    assert_eq!(log.state.snapshots(), [offset(3)]);
    assert_eq!(log.state.snapshots_before(offset(3)), []);
    assert_eq!(log.state.snapshots_before(offset(4)), [offset(3)]);
}

#[test]
fn t37_truncation_keeps_the_snapshots_between_start_and_end() {
    let mut log = Log::default();
    for sequence in 0..5 {
        log.append(data(1, 0, sequence, 1)).expect("next");
        log.apply([ProducerChange::SnapshotTaken(offset(log.end))]);
    }
    let reload = log.state.reload(offset(1), offset(3));
    assert_eq!(
        (reload.removed.clone(), reload.latest),
        (offsets(&[1, 4, 5]), Some(offset(3)))
    );
    assert!(reload.from_snapshot());
    log.apply(reload.changes());
    assert_eq!(log.state.snapshots(), offsets(&[2, 3]));
    assert!(log.state.is_empty());
}

#[test]
fn a_state_that_is_at_the_end_stays() {
    let mut log = Log::default();
    log.append(data(1, 0, 0, 4)).expect("new");
    let reload = log.state.reload(offset(2), offset(4));
    log.apply(reload.changes());
    assert_eq!(
        (log.state.entry(id(1)).is_some(), log.state.last_snapshot()),
        (true, offset(2))
    );
    log.apply(ProducerState::truncate_fully(offset(9)));
    assert_eq!((log.state.is_empty(), log.state.map_end()), (true, offset(9)));
    log.apply(ProducerState::start_without_snapshot(offset(9)));
    assert_eq!(log.state.last_snapshot(), offset(9));
}

#[test]
fn t37_the_snapshot_of_a_clean_shutdown_is_no_stray() {
    let strays = |bases: &[i64]| stray_snapshots(&offsets(&[2, 5, 42]), &offsets(bases));
    assert_eq!(strays(&[5]), offsets(&[2]));
    assert_eq!(strays(&[42]), offsets(&[2, 5]));
    assert_eq!(strays(&[]), offsets(&[2, 5]));
    assert_eq!(strays(&[2, 50]), offsets(&[5, 42]));
}
