//! Idempotent producers, their snapshots, and how far transactions let readers get (Kafka: `ProducerStateManagerTest`, and
//! `UnifiedLogTest` where it is about producers): T36 to T38, T47, T52, T53, T56 to T60.

use partition_log::config::Settings;
use partition_log::disk::{FileKind, Suffix};
use partition_log::rules::producers::stray_snapshots;
use partition_log::rules::validate::AppendOrigin;
use partition_log::state::producers::{ProducerChange, ProducerState};
use partition_log::units::ProducerId;
use partition_tests::orders::{done, offset};

use crate::batches::{SINGLE, at, marker, produced, records, single, transactional};
use crate::log::{Log, refused, unhurried};

#[test]
fn t36_the_first_unstable_offset_waits_for_the_high_watermark_to_pass_the_marker() {
    let mut log = Log::at(99, unhurried());
    assert_eq!(log.offsets_of(&produced(9, 0, i32::MAX, 1)), (99, 99));
    assert_eq!(
        log.offsets_of(&produced(9, 0, 0, 1)),
        (100, 100),
        "sequences begin again at 0"
    );

    let mut log = Log::at(99, unhurried());
    log.set_high_watermark(99);
    assert_eq!(log.offsets_of(&transactional(1, 0, 0, 6)), (99, 104));
    assert_eq!(log.offsets_of(&transactional(2, 0, 0, 4)), (105, 108));
    assert_eq!(log.end(&marker(1, 0, true)), 109);
    assert_eq!(log.first_unstable(), Some(99));
    log.set_high_watermark(100);
    assert_eq!(log.first_unstable(), Some(99));
    log.set_high_watermark(110);
    assert_eq!(log.first_unstable(), Some(105));
    log.append(&records(&[0, 0]));
    assert_eq!(log.end(&marker(2, 0, false)), 112);
    assert_eq!(log.first_unstable(), Some(105));
    log.set_high_watermark(113);
    assert_eq!(log.first_unstable(), None);
}

#[test]
fn t37_snapshots_that_do_not_fit_the_log_go() {
    let mut state = ProducerState::default();
    state.apply(&ProducerChange::SnapshotsListed([1, 2, 3, 4, 5].map(offset).to_vec()));
    let reload = state.reload(offset(1), offset(3));
    reload.changes().iter().for_each(|change| state.apply(change));
    assert_eq!(
        (reload.removed, state.snapshots()),
        ([1, 4, 5].map(offset).to_vec(), &[2, 3].map(offset)[..])
    );
    let files = [2, 5, 42].map(offset);
    assert_eq!(stray_snapshots(&files, &[offset(5)]), [2].map(offset), "5 and 42 stay");
    assert_eq!(stray_snapshots(&files, &[offset(42)]), [2, 5].map(offset), "42 stays");
}

#[test]
fn t38_a_transaction_that_completes_leaves_all_decided_up_to_the_next_open_one() {
    let mut log = Log::new(unhurried());
    for (producer, count) in [(1, 25), (2, 32), (3, 3)] {
        log.append(&transactional(producer, 0, 0, count));
    }
    let last_stable = |log: &mut Log, producer| {
        log.end(&marker(producer, 0, false));
        log.aborted(0).last().expect("an aborted transaction").3
    };
    assert_eq!(last_stable(&mut log.clone(), 1), 25, "where the second began");
    assert_eq!(last_stable(&mut log, 1), 25);
    assert_eq!(last_stable(&mut log, 3), 25);
    assert_eq!(log.log_end(), 62);
    assert_eq!(last_stable(&mut log, 2), 63, "alone: all up to its marker at 62");
}

#[test]
fn t47_a_sequence_with_a_gap_and_an_epoch_that_goes_back_are_refused() {
    let mut log = Log::new(unhurried());
    log.append(&produced(1, 0, 0, 1));
    assert_eq!(
        refused(log.try_send(&produced(1, 0, 2, 1))),
        Some("OutOfOrderSequenceException")
    );
    log.append(&produced(1, 1, 0, 1));
    assert_eq!(
        refused(log.try_send(&produced(1, 0, 1, 1))),
        Some("InvalidProducerEpochException")
    );
}

#[test]
fn t52_a_truncation_leaves_no_snapshot_above_the_end_and_takes_one_there() {
    let three = || {
        let mut log = Log::new(unhurried());
        log.append(&produced(1, 0, 0, 1));
        log.append(&produced(1, 0, 1, 1));
        log.roll();
        log.append(&produced(1, 0, 2, 1));
        log.roll();
        log
    };
    assert_eq!(three().snapshots(), [2, 3]);
    for (to, latest) in [(2, Some(2)), (1, Some(1)), (0, None)] {
        let mut log = three();
        log.truncate_to(to);
        assert_eq!(log.snapshots().last().copied(), latest, "to {to}");
    }
}

#[test]
fn t53_a_segment_that_goes_takes_its_snapshot_with_it() {
    for empty_active in [false, true] {
        let mut log = Log::new(Settings {
            retention_bytes: 0,
            ..unhurried()
        });
        for sequence in 0..3 {
            if sequence > 0 {
                log.roll();
            }
            log.append(&produced(1, 0, sequence, 1));
        }
        if empty_active {
            log.roll();
        }
        assert_eq!(log.snapshots(), if empty_active { vec![1, 2, 3] } else { vec![1, 2] });
        log.delete_old_segments();
        log.sleep(60_001);
        assert_eq!((log.snapshots(), log.log_start()), (vec![3], 3));
        assert_eq!(log.files(FileKind::Snapshot, Suffix::Deleted).len(), 0);
    }
}

#[test]
fn t56_each_roll_takes_a_snapshot() {
    let mut log = Log::new(unhurried());
    for sequence in 0..3 {
        log.append(&produced(1, 0, sequence, 1));
        log.roll();
    }
    let snapshots = log.snapshots();
    assert_eq!((snapshots.first(), snapshots.last()), (Some(&1), Some(&3)));
}

#[test]
fn t57_a_truncation_to_the_start_of_a_segment_leaves_it_empty_and_what_is_known_of_the_records_below() {
    let mut log = Log::new(Settings {
        segment_bytes: 1024,
        ..unhurried()
    });
    let half = |sequence| {
        let mut batch = produced(1, 0, sequence, 1);
        batch.records[0].value = Some(vec![0; 512]);
        batch
    };
    log.append(&half(0));
    log.append(&half(1));
    assert_eq!((log.bases(), log.snapshots()), (vec![0, 1], vec![1]));
    log.truncate_to(1);
    assert_eq!(log.bases(), [0, 1]);
    let entry = log.state().producers().entry(ProducerId::new(1)).expect("known");
    assert_eq!(entry.batches().last().map(|batch| batch.last_offset), Some(0));
}

#[test]
fn t58_a_producer_that_is_silent_for_long_is_forgotten() {
    let mut log = Log::new(Settings {
        producer_id_expiration_ms: 200,
        producer_id_check_ms: 100,
        ..unhurried()
    });
    log.append(&produced(23, 0, 0, 1));
    let known = |log: &Log| log.state().producers().entry(ProducerId::new(23)).is_some();
    for (clock, expected) in [(100, true), (200, false)] {
        log.sleep(100);
        done(log.partition.settle());
        assert_eq!((log.now(), known(&log)), (clock, expected));
    }
}

#[test]
fn t59_the_last_five_batches_of_a_producer_are_known_again() {
    let mut log = Log::new(unhurried());
    for sequence in 0..=5 {
        log.append(&produced(1, 0, sequence, 1));
    }
    let batch = produced(1, 0, 6, 3);
    assert_eq!(log.offsets_of(&batch), (6, 8));
    assert_eq!((log.offsets_of(&batch), log.log_end()), ((6, 8), 9));
    let part = log.try_send(&produced(1, 0, 7, 2));
    assert_eq!(refused(part), Some("OutOfOrderSequenceException"));
    assert_eq!((log.offsets_of(&produced(1, 0, 2, 1)), log.log_end()), ((2, 2), 9));
    assert_eq!(
        refused(log.try_send(&produced(1, 0, 1, 1))),
        Some("OutOfOrderSequenceException")
    );
}

#[test]
fn t60_a_follower_takes_over_what_its_leader_has_even_a_sequence_twice() {
    let mut log = Log::new(unhurried());
    let twice = [(1, 0), (2, 0), (1, 0), (2, 0)].iter().enumerate();
    let bytes: Vec<u8> = twice
        .flat_map(|(offset, (producer, sequence))| at(offset as i64, 0, produced(*producer, 0, *sequence, 1)))
        .collect();
    log.replicate(&bytes);
    assert_eq!(log.log_end(), 4);
    let mut log = Log::new(unhurried());
    for (offset, sequence) in [0, 1, 0, 1, 0].into_iter().enumerate() {
        let batch = at(offset as i64, 0, produced(1, 0, sequence, 1));
        let outcome = log.try_append(&batch, AppendOrigin::Replication);
        assert_eq!(refused(outcome), None, "offset {offset}");
    }
    assert_eq!(log.log_end(), 5);
    assert_eq!(single(0).encode().map(|bytes| bytes.len() as i64), Ok(SINGLE));
}
