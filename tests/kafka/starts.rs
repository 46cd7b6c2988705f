//! A broker starts with files of every kind (Kafka: `LogLoaderTest`, `UnifiedLogTest`): T51, T55, T68, T98 to T104 and T106
//! to T111.

use partition_log::config::Settings;
use partition_log::disk::{File, FileKind, FileName, Suffix, Vfs};
use partition_log::operations::load::{Damage, StartOptions};
use partition_log::step::LoadStep;
use partition_log::{LogError, Offset, Partition, Step, TimestampMs, Trace};
use partition_tests::orders::{done, offset};

use crate::batches::{SINGLE, at, noise, produced, single};
use crate::log::{Log, unclean, unhurried};
use crate::transactions::{ABORTED, mixed};

/// A broker that is down, with these files.
fn found(settings: Settings, files: &[(&str, Vec<u8>)]) -> Log {
    let files = files.iter().map(|(name, bytes)| File {
        name: name.to_string(),
        bytes: bytes.clone(),
        modified: TimestampMs::ZERO,
    });
    let partition = Partition::from_files(settings, 0, TimestampMs::ZERO, files).expect("sound names");
    Log { partition }
}

/// Segments that a start has recovered.
fn recovered<T>(trace: &Trace<T>) -> Vec<i64> {
    let bases = trace.steps.iter().filter_map(|step| match step {
        Step::Load(LoadStep::Recovered { base, .. }) => Some(base.get()),
        _ => None,
    });
    bases.collect()
}

fn filled(settings: Settings, count: i64) -> Log {
    let mut log = Log::new(settings);
    for offset in 0..count {
        log.append(&single(10 * offset));
    }
    log
}

/// One record a segment, of a producer.
fn one_a_segment(count: i32) -> Log {
    let mut log = Log::new(Settings {
        segment_bytes: SINGLE,
        ..unhurried()
    });
    for sequence in 0..count {
        log.append(&produced(1, 0, sequence, 1));
    }
    log
}

#[test]
fn t51_an_empty_directory_begins_where_its_checkpoint_says() {
    let mut log = found(unhurried(), &[]);
    let options = StartOptions {
        log_start: Some(offset(500)),
        ..StartOptions::default()
    };
    done(log.partition.start(options));
    assert_eq!((log.log_start(), log.log_end(), log.bases()), (500, 500, vec![500]));
}

#[test]
fn t55_a_snapshot_above_the_log_end_goes() {
    let mut log = found(unhurried(), &[("00000000000000000042.snapshot", Vec::new())]);
    done(log.partition.start(StartOptions::default()));
    assert_eq!(log.snapshots().len(), 0);
}

#[test]
fn t68_a_flush_of_everything_makes_the_indexes_of_an_empty_active_segment() {
    let mut log = filled(unhurried(), 1);
    log.roll();
    let count = |log: &Log, kind| log.files(kind, Suffix::None).len();
    assert_eq!((count(&log, FileKind::Log), count(&log, FileKind::Index)), (2, 1));
    // A clean shutdown flushes everything first.
    done(log.partition.stop());
    assert_eq!((count(&log, FileKind::Log), count(&log, FileKind::Index)), (2, 2));
}

#[test]
fn t98_a_start_after_a_clean_shutdown_recovers_nothing_and_one_after_a_failed_start_does() {
    let mut log = filled(unhurried(), 3);
    done(log.partition.stop());
    let trace = log
        .partition
        .trace(|partition| partition.start(StartOptions::default()));
    assert_eq!((recovered(&trace), trace.outcome.is_ok()), (vec![], true));
    // The marker is gone with the start: a crash is seen as one.
    done(log.partition.crash(0));
    let trace = log
        .partition
        .trace(|partition| partition.start(StartOptions::default()));
    assert_eq!((recovered(&trace), trace.outcome.is_ok()), (vec![0], true));
    done(log.partition.stop());
    let epochs = FileName::LEADER_EPOCHS;
    let bytes = log.state().files().used(epochs).expect("a checkpoint").to_vec();
    let write = |log: &mut Log, bytes: Vec<u8>| {
        done(log.partition.damage(epochs, &Damage::Cut { length: 0 }));
        done(log.partition.damage(epochs, &Damage::Add { bytes }));
    };
    write(&mut log, b"of another version".to_vec());
    assert!(log.partition.start(StartOptions::default()).is_err());
    write(&mut log, bytes);
    let trace = log
        .partition
        .trace(|partition| partition.start(StartOptions::default()));
    assert_eq!((recovered(&trace), trace.outcome.is_ok()), (vec![0], true));
}

#[test]
fn t99_a_snapshot_that_no_segment_begins_at_goes_unless_it_is_the_newest() {
    let mut log = Log::new(unhurried());
    for sequence in 0..3 {
        if sequence > 0 {
            log.roll();
        }
        log.append(&produced(1, 0, sequence, 1));
    }
    log.append(&produced(1, 0, 3, 1));
    done(log.partition.stop());
    assert_eq!((log.bases(), log.snapshots()), (vec![0, 1, 2], vec![1, 2, 4]));
    log.damage(3, FileKind::Snapshot, &Damage::Add { bytes: Vec::new() });
    log.reopen(StartOptions::default());
    assert_eq!(log.snapshots(), [1, 2, 4]);
}

#[test]
fn t100_indexes_are_as_before_and_the_recovery_point_waits_for_the_next_flush() {
    let settings = Settings {
        segment_bytes: 7 * SINGLE,
        index_interval_bytes: 3 * SINGLE,
        ..unhurried()
    };
    let log = filled(settings, 100);
    let base = *log.bases().last().expect("an active segment");
    for recovery_point in [100, 10] {
        let mut reopened = log.clone();
        reopened.recover_from(recovery_point);
        assert_eq!(reopened.log_end(), 100);
        assert_eq!((reopened.index(base), reopened.bases()), (log.index(base), log.bases()));
        assert_eq!(reopened.state().recovery_point().get(), recovery_point);
        done(reopened.partition.flush());
        assert_eq!(reopened.state().recovery_point().get(), 100);
    }
}

#[test]
fn t101_indexes_that_are_gone_or_two_bytes_long_are_written_anew() {
    for two_bytes in [false, true] {
        let mut log = filled(
            Settings {
                segment_bytes: 200,
                index_interval_bytes: 1,
                ..unhurried()
            },
            200,
        );
        done(log.partition.stop());
        for kind in [FileKind::Index, FileKind::TimeIndex] {
            for base in log.bases() {
                log.damage(base, kind, &Damage::Remove);
                if two_bytes {
                    log.damage(base, kind, &Damage::Add { bytes: vec![b' '; 2] });
                }
            }
        }
        log.recover_from(0);
        assert_eq!(log.log_end(), 200);
        for offset in 0..200 {
            assert_eq!(log.got(offset, 1), (Some(offset), 1), "two bytes: {two_bytes}");
            assert_eq!(
                log.find(10 * offset),
                Some((offset, 10 * offset)),
                "two bytes: {two_bytes}"
            );
        }
    }
}

#[test]
fn t102_indexes_without_their_log_go_and_the_first_segment_gets_its_own() {
    let orphans = [
        ("00000000000000000005.index", Vec::new()),
        ("00000000000000000005.timeindex", Vec::new()),
    ];
    let mut log = found(
        Settings {
            segment_index_bytes: 1_000,
            ..unhurried()
        },
        &orphans,
    );
    done(log.partition.start(StartOptions::default()));
    assert_eq!(
        (
            log.bases(),
            log.length(5, FileKind::Index),
            log.length(5, FileKind::TimeIndex)
        ),
        (vec![0], None, None)
    );
    log.append(&single(0));
    assert_eq!(
        (log.length(0, FileKind::Index), log.length(0, FileKind::TimeIndex)),
        (Some(1_000), Some(996))
    );
}

#[test]
fn t103_a_log_that_was_opened_again_can_be_cut() {
    let mut log = filled(
        Settings {
            segment_bytes: 10_000,
            ..unhurried()
        },
        100,
    );
    log.reopen(StartOptions::default());
    log.truncate_to(3);
    assert_eq!((log.segments(), log.log_end()), (1, 3));
}

#[test]
fn t104_bytes_behind_the_last_batch_and_the_last_entry_are_cut_off() {
    for extra in [1, 11, 100, 1_000] {
        let settings = Settings {
            segment_bytes: 1_000,
            index_interval_bytes: 1,
            ..unhurried()
        };
        let mut log = filled(settings, 100);
        done(log.partition.stop());
        let active = *log.bases().last().expect("an active segment");
        let before = log.offsets();
        for kind in [FileKind::Log, FileKind::Index] {
            log.damage(active, kind, &Damage::Add { bytes: noise(extra) });
        }
        log.recover_from(50);
        assert_eq!((log.offsets(), log.log_end()), (before, 100), "{extra} B");
    }
}

#[test]
fn t106_leader_epochs_that_are_lost_come_back_from_the_batches() {
    let mut log = Log::new(unhurried());
    done(log.partition.set_leader_epoch(3));
    for (offset, epoch) in [(0, 1), (1, 2), (2, 2), (3, 3)] {
        log.replicate_at(offset, epoch, single(0));
    }
    assert_eq!(log.epochs(), [(1, 0), (2, 1), (3, 3)]);
    done(log.partition.stop());
    log.remove_all(FileKind::LeaderEpochs);
    log.recover_from(0);
    assert_eq!(log.epochs(), [(1, 0), (2, 1), (3, 3)]);
}

#[test]
fn t107_a_division_that_a_crash_interrupted_is_redone_or_completed() {
    let far = 2_147_483_648;
    let (low, high) = (at(0, 0, single(0)), at(far, 0, single(0)));
    let whole = ("00000000000000000000.log", [low.clone(), high.clone()].concat());
    let low_as = |name: &'static str| (name, low.clone());
    let high_as = |name: &'static str| (name, high.clone());
    let cases: [&[(&str, Vec<u8>)]; 5] = [
        std::slice::from_ref(&whole),
        // While parts were written.
        &[whole.clone(), low_as("00000000000000000000.log.cleaned")],
        // When they were finished, and the first ones had got the next name.
        &[
            whole.clone(),
            low_as("00000000000000000000.log.cleaned"),
            high_as("00000000002147483648.log.swap"),
        ],
        // When all had, the old segment being there or gone.
        &[
            whole.clone(),
            low_as("00000000000000000000.log.swap"),
            high_as("00000000002147483648.log.swap"),
        ],
        &[
            (low_as("00000000000000000000.log.swap")),
            high_as("00000000002147483648.log"),
        ],
    ];
    for files in cases {
        let mut log = found(unhurried(), files);
        done(log.partition.start(StartOptions::default()));
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        assert_eq!((log.bases(), log.offsets()), (vec![0, far], vec![0, far]), "{names:?}");
        let temporary = |file: &FileName| matches!(file.suffix, Suffix::Cleaned | Suffix::Swap);
        assert!(!log.state().files().list().iter().any(temporary), "{names:?}");
    }
}

#[test]
fn t108_aborted_transactions_come_back_from_the_batches() {
    let aborted = |log: &Log| -> Vec<_> { log.bases().iter().flat_map(|base| log.aborted(*base)).collect() };
    for with_snapshots in [true, false] {
        for of_last_only in [true, false] {
            let mut log = mixed(Settings {
                segment_bytes: 700,
                ..unhurried()
            });
            assert!(log.segments() > 1);
            done(log.partition.stop());
            let from = if of_last_only { log.segments() - 1 } else { 0 };
            for base in log.bases().split_off(from) {
                for kind in [FileKind::TxnIndex, FileKind::Index] {
                    if log.length(base, kind).is_some() {
                        log.damage(base, kind, &Damage::Remove);
                    }
                }
            }
            if !with_snapshots {
                log.remove_all(FileKind::Snapshot);
            }
            log.recover_from(0);
            assert_eq!(
                aborted(&log),
                ABORTED,
                "snapshots: {with_snapshots}, last only: {of_last_only}"
            );
        }
    }
}

/// Starts a log whose start is 4 and whose second segment has garbage behind its record.
fn restarted_with_garbage(log: &mut Log) -> Result<(), LogError> {
    log.delete_records(4);
    done(log.partition.stop());
    log.damage(
        1,
        FileKind::Log,
        &Damage::Add {
            bytes: b"garbage".to_vec(),
        },
    );
    let options = StartOptions {
        log_start: Some(offset(4)),
        ..unclean(0)
    };
    log.partition.start(options)
}

#[test]
fn t109_a_log_that_ends_below_its_start_begins_anew_there() {
    let mut log = one_a_segment(5);
    restarted_with_garbage(&mut log).expect("a start");
    assert_eq!((log.bases(), log.log_start(), log.log_end()), (vec![4], 4, 4));
    for kind in [FileKind::Log, FileKind::Index, FileKind::TimeIndex] {
        assert_eq!(log.files(kind, Suffix::None), [4], "{kind:?}");
    }
}

#[test]
fn t110_what_is_deleted_then_does_not_take_later_snapshots_with_it() {
    let mut log = one_a_segment(10);
    restarted_with_garbage(&mut log).expect("a start");
    assert_eq!((log.bases(), log.log_end(), log.snapshots().len()), (vec![4], 4, 0));
    for sequence in 0..5 {
        log.append(&produced(1, 0, sequence, 1));
        log.roll();
    }
    assert_eq!(log.snapshots(), [5, 6, 7, 8, 9]);
    log.sleep(60_001);
    assert_eq!(log.snapshots(), [5, 6, 7, 8, 9]);
    assert_eq!(log.state().active().map(Offset::get), Some(9));
}

#[test]
fn t111_a_log_never_starts_below_its_first_segment() {
    let mut log = found(unhurried(), &[("00000000000000000005.log", at(5, 0, single(0)))]);
    let options = StartOptions {
        log_start: Some(Offset::ZERO),
        ..StartOptions::default()
    };
    done(log.partition.start(options));
    assert_eq!((log.log_start(), log.log_end()), (5, 6));
}

#[test]
fn records_without_a_timestamp_are_as_old_as_their_file() {
    let untimed = |written: i64| {
        let file = File {
            name: "00000000000000000000.log".to_string(),
            bytes: at(0, 0, single(-1)),
            modified: TimestampMs::new(written).expect("not negative"),
        };
        let settings = Settings {
            retention_ms: 3_000,
            ..unhurried()
        };
        let now = TimestampMs::new(10_000).expect("not negative");
        let mut partition = Partition::from_files(settings, 0, now, [file]).expect("a sound name");
        // Recovery cuts nothing here, and so leaves the time of the file.
        done(partition.start(StartOptions::default()));
        let checked = partition.check_retention().expect("a check");
        checked.deleted
    };
    assert_eq!(untimed(6_999), [Offset::ZERO], "3,001 ms are more than 3,000 ms");
    assert_eq!(untimed(7_000), []);
}
