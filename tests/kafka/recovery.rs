//! A segment is read again from its batches (Kafka: `LogSegmentTest`, `UnifiedLogTest`): T13 to T16, T19, T50 and T81.

use partition_log::config::Settings;
use partition_log::disk::{File, FileKind, Suffix};
use partition_log::format::batch::{EndTransaction, end_transaction_marker};
use partition_log::operations::load::{Damage, StartOptions};
use partition_log::{Partition, TimestampMs};
use partition_tests::orders::done;

use crate::batches::{SINGLE, at, hello, marker, noise, records, single, transactional};
use crate::log::{Log, unhurried};

/// An index entry wherever 100 B lie before a batch.
fn indexed() -> Settings {
    Settings {
        index_interval_bytes: 99,
        ..unhurried()
    }
}

/// The files of a segment with these batches, and nothing more.
fn found(settings: Settings, logs: &[(i64, Vec<u8>)]) -> Log {
    let files = logs.iter().map(|(base, bytes)| File {
        name: format!("{base:020}.log"),
        bytes: bytes.clone(),
        modified: TimestampMs::ZERO,
    });
    let partition = Partition::from_files(settings, 0, TimestampMs::ZERO, files).expect("sound names");
    Log { partition }
}

#[test]
fn t13_indexes_full_of_noise_are_written_anew() {
    for kind in [FileKind::Index, FileKind::TimeIndex] {
        let mut log = Log::new(indexed());
        for offset in 0..100 {
            log.replicate(&hello(offset));
        }
        done(log.partition.stop());
        let bytes = noise(log.length(0, kind).expect("an index") as usize);
        assert_ne!(bytes.len(), 0);
        log.damage(0, kind, &Damage::Write { position: 0, bytes });
        log.recover_from(0);
        for offset in 0..100 {
            assert_eq!(log.got(offset, 1), (Some(offset), 1));
            assert_eq!(log.find(10 * offset), Some((offset, 10 * offset)));
            let next = (offset < 99).then_some((offset + 1, 10 * offset + 10));
            assert_eq!(log.find(10 * offset + 1), next);
        }
    }
}

#[test]
fn t14_producers_and_aborted_transactions_are_known_again() {
    let ends = |base_offset, producer, commit| {
        let ending = EndTransaction {
            base_offset,
            leader_epoch: 0,
            ..marker(producer, 0, commit)
        };
        end_transaction_marker(&ending)
    };
    let replay = |log: &mut Log, sequence| {
        log.replicate_at(100, 0, transactional(5, 0, 0, 2));
        log.replicate_at(102, 0, transactional(10, 0, sequence, 2));
        log.replicate_at(104, 0, records(&[0, 0]));
        log.replicate(&ends(106, 10, false));
        log.replicate(&ends(107, 5, true));
        done(log.partition.stop());
        log.remove_all(FileKind::TxnIndex);
    };
    let mut log = Log::at(100, unhurried());
    replay(&mut log, 0);
    log.remove_all(FileKind::Snapshot);
    log.recover_from(100);
    assert_eq!(log.aborted(100), [(10, 102, 106, 100)]);
    assert_eq!(log.state().producers().map_end().get(), 108);
    // The snapshot at 76 tells that the transaction was open before.
    let mut log = Log::at(75, unhurried());
    log.replicate_at(75, 0, transactional(10, 0, 0, 1));
    log.roll();
    replay(&mut log, 1);
    log.recover_from(76);
    assert_eq!((log.bases(), log.aborted(76)), (vec![75, 76], vec![(10, 75, 106, 100)]));
}

#[test]
fn t15_the_leader_epochs_of_the_batches_come_back() {
    let mut log = Log::at(104, unhurried());
    done(log.partition.set_leader_epoch(2));
    for (offset, epoch) in [(104, 0), (106, 1), (108, 1), (110, 2)] {
        log.replicate_at(offset, epoch, records(&[0, 0]));
    }
    done(log.partition.stop());
    log.remove_all(FileKind::LeaderEpochs);
    log.recover_from(104);
    assert_eq!(log.epochs(), [(0, 104), (1, 106), (2, 110)]);
}

#[test]
fn t16_noise_ends_the_segment_at_the_last_batch_before_it() {
    for first in 0..20 {
        for within in [0, 7, 16, 30, 38] {
            let mut log = Log::new(unhurried());
            for offset in 0..20 {
                log.replicate(&hello(offset));
            }
            done(log.partition.stop());
            let position = 39 * first + within;
            let bytes = noise((20 * 39 - position) as usize);
            log.damage(0, FileKind::Log, &Damage::Write { position, bytes });
            log.recover_from(0);
            let kept: Vec<i64> = (0..first as i64).collect();
            assert_eq!(
                (log.offsets(), log.log_end()),
                (kept, first as i64),
                "from byte {position}"
            );
        }
    }
}

#[test]
fn t19_each_part_of_a_divided_segment_takes_what_its_base_reaches() {
    let far = 2_147_483_652;
    let bytes: Vec<u8> = [0, 500, far]
        .iter()
        .flat_map(|offset| at(*offset, 0, single(0)))
        .collect();
    let mut log = found(unhurried(), &[(0, bytes)]);
    done(log.partition.start(StartOptions::default()));
    let view = log.state().view();
    let offsets = |segment: usize| -> Vec<i64> {
        let batches = view.segments[segment].batches.iter();
        batches.map(|batch| batch.first_offset.get()).collect()
    };
    // Kafka's test copies the third into base 2147483647; a division opens the second part at its first batch.
    assert_eq!(
        (log.bases(), offsets(0), offsets(1)),
        (vec![0, far], vec![0, 500], vec![far])
    );
}

#[test]
fn t50_a_clean_start_takes_the_snapshots_that_the_next_crash_needs_and_a_recovery_one_a_segment() {
    let newest = vec![88, 96, 101];
    let all: Vec<i64> = (8..=96).step_by(8).chain([101]).collect();
    let clean = StartOptions::default();
    let starts = [
        (clean, newest.clone()),
        (crate::log::unclean(101), newest),
        (crate::log::unclean(0), all),
    ];
    for (options, snapshots) in starts {
        let mut log = Log::new(Settings {
            segment_bytes: 640,
            ..unhurried()
        });
        for _ in 0..101 {
            log.append(&single(0));
        }
        assert_eq!(
            log.bases(),
            (0..=96).step_by(640 / SINGLE as usize).collect::<Vec<i64>>()
        );
        done(log.partition.stop());
        log.remove_all(FileKind::Snapshot);
        log.reopen(options);
        assert_eq!(log.snapshots(), snapshots);
    }
}

#[test]
fn t81_a_segment_with_offsets_out_of_reach_is_divided_and_keeps_its_records() {
    let far = 2_147_483_648;
    let batches = |offsets: &[i64]| {
        offsets
            .iter()
            .flat_map(|offset| at(*offset, 0, single(0)))
            .collect::<Vec<u8>>()
    };
    let three = [
        (0, batches(&[0, 1])),
        (2, batches(&[2, 3 + far])),
        (4 + far, batches(&[4 + far])),
    ];
    let mut log = found(unhurried(), &three);
    done(log.partition.start(StartOptions::default()));
    assert_eq!(log.bases(), [0, 2, 3 + far, 4 + far]);
    assert_eq!(log.offsets(), [0, 1, 2, 3 + far, 4 + far]);
    // Where no batch is in reach, the whole segment gets another base.
    let mut log = found(unhurried(), &[(0, batches(&[far, far + 1]))]);
    done(log.partition.start(StartOptions::default()));
    assert_eq!((log.bases(), log.offsets()), (vec![far], vec![far, far + 1]));
    assert_eq!(log.files(FileKind::Log, Suffix::Swap).len(), 0);
}
