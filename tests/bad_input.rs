//! Sizes, offsets, times, settings and bytes that make no sense: each is refused by name, nothing panics, and what was
//! refused has changed nothing.

use partition_log::config::{SPECS, SettingError, SettingKind, SettingScope, Settings, Value};
use partition_log::disk::{FileChange, FileKind, FileName};
use partition_log::format::batch::{self, EncodeError, NewBatch};
use partition_log::questions::inspect;
use partition_log::questions::verdict::Verdict;
use partition_log::rules::reset::ResetPolicy;
use partition_log::{LogError, Offset, Partition, PartitionState, Position, Step, TimeTarget, TimestampMs};
use partition_tests::orders::{Run, done, offset, seconds, settings};
use proptest::prelude::*;

const MAX: i64 = i64::MAX;

fn message(size: u64) -> NewBatch {
    NewBatch::Message {
        size,
        timestamp: None,
        key: None,
    }
}

fn records(records: u32, size: u64, headers: u32) -> NewBatch {
    NewBatch::Batch {
        records,
        size,
        timestamp: None,
        key: None,
        headers,
        producer: None,
    }
}

fn time(ms: i64) -> TimestampMs {
    TimestampMs::new(ms).expect("not negative")
}

/// The refusal of an append; the partition is the same before and after.
fn refused(run: &mut Run, batch: &NewBatch) -> LogError {
    let before = run.partition.clone();
    let trace = run.partition.trace(|partition| partition.append(batch));
    assert_eq!(run.partition.state(), before.state(), "{batch:?} left something behind");
    let error = trace.outcome.expect_err("must be refused");
    assert_eq!(
        trace.steps.last(),
        Some(&Step::Refused(error.clone())),
        "a trace tells its refusal"
    );
    assert!(trace.steps.iter().all(|step| !step.is_write()));
    error
}

#[test]
fn a_message_of_33_bytes_is_too_small() {
    let error = refused(&mut Run::s20(), &message(33));
    assert_eq!(error.code(), "too-small");
    assert!(error.to_string().contains("34"), "it says what would do: {error}");
    for size in [0, 1, 12, 33] {
        assert_eq!(refused(&mut Run::s20(), &message(size)).code(), "too-small");
    }
    Run::s20().append(&message(34));
}

#[test]
fn a_key_longer_than_its_message_is_refused() {
    let keyed = NewBatch::Message {
        size: 40,
        timestamp: None,
        key: Some(vec![b'k'; 7]),
    };
    assert_eq!(refused(&mut Run::s20(), &keyed).code(), "too-small");
}

#[test]
fn a_record_larger_than_a_segment_is_never_divided() {
    let error = refused(&mut Run::s20(), &message(310));
    assert_eq!(error.kafka_name(), Some("RecordBatchTooLargeException"));
    assert_eq!(refused(&mut Run::s20(), &message(301)).code(), "record-batch-too-large");
    Run::s20().append(&message(300));
}

#[test]
fn three_gibibytes_are_refused_without_being_made() {
    for size in [3 << 30, 1 << 31, u64::from(u32::MAX) + 1, u64::MAX] {
        assert_eq!(refused(&mut Run::s20(), &message(size)).code(), "record-too-large");
        assert_eq!(
            refused(&mut Run::s20(), &records(1, size, 0)).code(),
            "record-too-large"
        );
    }
    let largest = Settings {
        max_message_bytes: i64::from(i32::MAX),
        segment_bytes: i64::from(i32::MAX),
        ..settings()
    };
    let mut run = Run::new(largest);
    assert_eq!(refused(&mut run, &message(3 << 30)).code(), "record-too-large");
}

#[test]
fn max_message_bytes_may_be_reached_and_not_passed() {
    let mut run = Run::new(Settings {
        max_message_bytes: 50,
        ..settings()
    });
    run.append(&message(50));
    assert_eq!(refused(&mut run, &message(51)).code(), "record-too-large");
}

#[test]
fn batches_of_no_shape_are_refused() {
    let mut run = Run::s20();
    assert_eq!(refused(&mut run, &records(0, 100, 0)).code(), "empty-batch");
    for batch in [
        records(1, 60, 0),
        records(1, 67, 0),
        records(100, 200, 0),
        records(u32::MAX, 300, 0),
        records(1, 300, u32::MAX),
        records(u32::MAX, 300, u32::MAX),
    ] {
        assert_eq!(refused(&mut run, &batch).code(), "too-small", "{batch:?}");
    }
    run.append(&records(1, 68, 0));
}

#[test]
fn a_size_that_no_batch_has_comes_with_one_that_exists() {
    let roomy = Settings {
        segment_bytes: 1 << 20,
        ..settings()
    };
    let mut skipped = 0;
    for size in 68..400 {
        for count in 1..4 {
            let mut run = Run::new(roomy.clone());
            match run.partition.append(&records(count, size, 0)) {
                Ok(appended) => assert_eq!((appended.size, appended.bytes.len() as u64), (size, size)),
                Err(LogError::Encode(EncodeError::NotReachable { nearest, .. })) => {
                    skipped += 1;
                    assert_eq!(run.append(&records(count, nearest, 0)).0.size, nearest);
                }
                Err(error) => assert_eq!(error.code(), "too-small", "{count} records in {size} B"),
            }
        }
    }
    assert!(
        skipped > 0,
        "one record in 132 B, for example, would need half a length byte"
    );
}

#[test]
fn timestamps_are_bounded_by_their_two_settings() {
    let mut run = Run::s20();
    let far = NewBatch::Message {
        size: 40,
        timestamp: Some(time(MAX)),
        key: None,
    };
    let error = refused(&mut run, &far);
    assert_eq!(error.kafka_name(), Some("InvalidTimestampException"));
    assert!(error.to_string().contains("message.timestamp.after.max.ms"), "{error}");
    let bounded = Settings {
        message_timestamp_before_max_ms: 10_000,
        message_timestamp_after_max_ms: 10_000,
        ..settings()
    };
    for (stamp, fine) in [(30, true), (50, true), (29, false), (51, false)] {
        let mut run = Run::new(bounded.clone());
        run.move_to(40);
        let stamped = NewBatch::Message {
            size: 40,
            timestamp: Some(seconds(stamp)),
            key: None,
        };
        assert_eq!(run.partition.append(&stamped).is_ok(), fine, "{stamp} s at 40 s");
    }
}

#[test]
fn the_last_moment_there_is_can_be_stored_found_and_kept() {
    let mut run = Run::new(Settings {
        message_timestamp_after_max_ms: MAX,
        ..settings()
    });
    for stamp in [MAX, 0, MAX - 1, MAX] {
        run.append(&NewBatch::Message {
            size: 40,
            timestamp: Some(time(stamp)),
            key: None,
        });
    }
    assert_eq!(done(run.partition.find_time(time(MAX))).answer, Some(offset(0)));
    assert_eq!(run.ask(TimeTarget::MaxTimestamp).answer, Some(offset(0)));
    assert_eq!(
        run.partition.state().verdicts()[0],
        Verdict::NoLimit,
        "it never grows old"
    );
    run.at(1_000_000);
    assert_eq!(run.marks().0, 0);
}

#[test]
fn offsets_far_outside_are_out_of_range() {
    let mut run = Run::s20();
    for from in [21, MAX - 1, MAX] {
        let files = run.partition.state().files().clone();
        let error = run.partition.fetch(offset(from), None).expect_err("past the end");
        assert_eq!(error.kafka_name(), Some("OffsetOutOfRangeException"));
        assert!(error.to_string().contains(&from.to_string()), "{error}");
        assert_eq!(run.partition.state().files(), &files);

        run.consumer.commit(Some(offset(from)));
        assert_eq!(done(run.come_back()).next, Some(offset(20)), "latest");
        assert!(run.partition.delete_records(offset(from)).is_err());
        assert!(run.partition.pin_high_watermark(offset(from)).is_err());
        assert_eq!(run.marks(), (0, 20, 20));
    }
    assert_eq!(Offset::new(-1), None);
    assert!(TimestampMs::new(-1).is_err());
    assert_eq!(Position::new(1 << 31), None);
}

#[test]
fn a_high_watermark_outside_the_log_names_its_bounds() {
    let mut run = Run::s20();
    done(run.partition.delete_records(offset(8)));
    for asked in [7, 21] {
        let before = run.partition.clone();
        let error = run.partition.pin_high_watermark(offset(asked)).expect_err("outside");
        assert_eq!(
            error,
            LogError::HighWatermarkOutOfRange {
                asked: offset(asked),
                log_start: offset(8),
                log_end: offset(20),
            }
        );
        assert_eq!(run.partition.state(), before.state());
    }
}

#[test]
fn the_clock_never_goes_back() {
    let mut run = Run::s20();
    let before = run.partition.clone();
    let error = run.partition.advance_to(seconds(39)).expect_err("backwards");
    assert_eq!(
        error,
        LogError::ClockBackwards {
            now: seconds(40),
            asked: seconds(39),
        }
    );
    assert_eq!(run.partition.state(), before.state());
    done(run.partition.advance_to(seconds(40)));
}

#[test]
fn the_clock_may_run_to_the_end_of_time() {
    let mut run = Run::s20();
    done(run.partition.advance_to(time(MAX)));
    done(run.partition.settle());
    assert_eq!((run.bases(), run.marks()), (vec![20], (20, 20, 20)));
    let (appended, _) = run.append(&NewBatch::Message {
        size: 40,
        timestamp: Some(time(MAX)),
        key: None,
    });
    assert_eq!(appended.first_offset, offset(20));
    done(run.partition.check_retention());
    done(run.partition.advance_to(time(MAX)));
    done(run.partition.settle());
    assert_eq!(run.fetch(20, 150).records, 1);
    run.partition.state().view();
}

#[test]
fn sums_near_the_end_of_time_do_not_overflow() {
    for retention_ms in [0, 60_000, MAX] {
        for delay in [0, MAX] {
            for interval in [1_000_000_000_000, MAX] {
                let mut run = Run::new(Settings {
                    retention_ms,
                    file_delete_delay_ms: delay,
                    retention_check_interval_ms: interval,
                    initial_task_delay_ms: interval,
                    segment_ms: MAX,
                    segment_jitter_ms: MAX,
                    message_timestamp_after_max_ms: MAX,
                    ..settings()
                });
                for clock in [0, MAX - 90_000, MAX - 1, MAX] {
                    done(run.partition.advance_to(time(clock)));
                    for stamp in [Some(0), Some(clock), Some(MAX), None] {
                        run.append(&NewBatch::Message {
                            size: 100,
                            timestamp: stamp.map(time),
                            key: None,
                        });
                    }
                    done(run.partition.check_retention());
                    done(run.partition.settle());
                    run.partition.state().view();
                    done(run.partition.find_time(time(clock)));
                }
                for ms in [i64::MIN, -1, 0, MAX] {
                    run.consumer.set_reset_policy(ResetPolicy::ByDuration { ms });
                    run.consumer.commit(None);
                    done(run.come_back());
                }
            }
        }
    }
}

#[test]
fn an_index_without_room_for_an_entry_is_refused_at_birth() {
    for (size, entry) in [(4, 8), (7, 8), (8, 12), (11, 12)] {
        let created = Partition::create(
            Settings {
                segment_index_bytes: size,
                ..settings()
            },
            0,
        );
        let error = created.expect_err("too small");
        assert_eq!(
            error,
            LogError::IndexTooSmall {
                size: size as u64,
                entry,
            }
        );
        assert!(error.to_string().contains("segment.index.bytes"), "{error}");
    }
}

#[test]
fn an_index_that_becomes_too_small_stops_appends_as_in_kafka_and_never_shows_them() {
    for size in [4, 8] {
        let mut run = Run::filled(settings(), 6);
        run.partition
            .set("segment.index.bytes", &Value::Bytes(size))
            .expect("Kafka accepts it");
        for _ in 0..3 {
            let error = run.partition.append(&message(70)).expect_err("no index");
            assert_eq!(error.code(), "index-too-small");
            assert_eq!(run.marks(), (0, 6, 6), "no offset is given away");
        }
        assert_eq!(run.fetch(6, 150).records, 0);
        assert_eq!(run.fetch(5, 150).records, 1);
        run.partition.state().view();
    }
}

#[test]
fn settings_that_do_not_exist_are_answered_with_one_that_does() {
    let mut run = Run::new(settings());
    let before = run.partition.clone();
    for (key, meant) in [
        ("segment.byte", "segment.bytes"),
        ("retention", "retention.ms"),
        ("log.retentoin.ms", "log.retention.ms"),
        ("", ""),
        ("ключ", ""),
    ] {
        let error = run.partition.set(key, &Value::Number(1)).expect_err("unknown");
        assert!(matches!(error, SettingError::UnknownKey { .. }), "{key}");
        assert!(error.to_string().contains(meant), "{error}");
    }
    let long = "x".repeat(1 << 20);
    assert!(run.partition.set(&long, &Value::Number(1)).is_err());
    assert_eq!(run.partition.state(), before.state());
}

#[test]
fn every_setting_takes_its_range_and_nothing_else() {
    for spec in SPECS {
        let mut run = Run::new(settings());
        let before = run.partition.clone();
        if let SettingKind::Choice(words) = spec.kind {
            for word in words {
                let set = run.partition.set(spec.key, &Value::Word(word.to_string()));
                assert_eq!(set, Ok(()), "{}={word}", spec.key);
            }
            let none = run.partition.set(spec.key, &Value::Word("sometimes".to_string()));
            assert!(
                none.is_err_and(|error| error.to_string().contains(words[0])),
                "{}",
                spec.key
            );
            continue;
        }
        for outside in [spec.min.checked_sub(1), spec.max.checked_add(1), Some(i64::MIN)] {
            let Some(outside) = outside else { continue };
            let error = run.partition.set(spec.key, &Value::Number(outside));
            assert!(
                matches!(error, Err(SettingError::OutOfRange { .. })),
                "{}={outside}",
                spec.key
            );
            assert_eq!(run.partition.state(), before.state());
        }
        let wrong = match spec.kind {
            SettingKind::Bytes => Value::Duration(1_000),
            _ => Value::Bytes(1_000),
        };
        let error = run.partition.set(spec.key, &wrong);
        assert!(matches!(error, Err(SettingError::WrongUnit { .. })), "{}", spec.key);
        for inside in [spec.min, spec.max] {
            let set = run.partition.set(spec.key, &Value::Number(inside));
            assert_eq!(set, Ok(()), "{}={inside}", spec.key);
            assert_eq!(run.partition.state().settings().get(spec.key), Some(inside));
        }
    }
}

#[test]
fn the_brokers_own_settings_are_fixed_once_the_clock_runs() {
    let mut run = Run::new(settings());
    run.move_to(1);
    let before = run.partition.clone();
    for spec in SPECS.iter().filter(|spec| spec.scope == SettingScope::Broker) {
        let error = run.partition.set(spec.key, &Value::Number(spec.default));
        assert!(matches!(error, Err(SettingError::BrokerRunning { .. })), "{}", spec.key);
    }
    assert_eq!(run.partition.state(), before.state());
}

#[test]
fn every_setting_can_be_lived_with_at_either_end() {
    for spec in SPECS {
        for value in [spec.min, spec.max] {
            let mut changed = settings();
            let Ok(mut partition) = Partition::create(settings(), 0) else {
                continue;
            };
            let word = match spec.kind {
                SettingKind::Choice(_) => Value::Word(spec.show(value)),
                _ => Value::Number(value),
            };
            partition.set(spec.key, &word).expect("in range");
            changed.clone_from(partition.state().settings());
            let Ok(partition) = Partition::create(changed, 0) else {
                assert_eq!((spec.key, value), ("segment.index.bytes", 4));
                continue;
            };
            let mut run = Run::of(partition);
            for second in [2, 4, 60, 100, 500] {
                run.move_to(second);
                let _ = run.partition.append(&message(40));
                let _ = run.partition.fetch(offset(0), None);
                let _ = run.partition.find_time(seconds(3));
            }
            run.move_to(2_000);
            run.partition.state().view();
        }
    }
}

#[test]
fn nothing_can_be_inspected_that_is_not_there() {
    let run = Run::s20();
    let state = run.partition.state();
    assert!(inspect::record(state, offset(19)).is_some());
    for gone in [20, 21, MAX] {
        assert!(inspect::record(state, offset(gone)).is_none());
    }
    for (base, kind, entry_number) in [
        (0, FileKind::Log, 0),
        (0, FileKind::Index, 2),
        (0, FileKind::TimeIndex, 3),
        (1, FileKind::Index, 0),
        (17, FileKind::Index, 1),
        (MAX, FileKind::Index, u32::MAX),
        (0, FileKind::TimeIndex, u32::MAX),
    ] {
        assert!(
            inspect::entry(state, offset(base), kind, entry_number).is_none(),
            "{base} {kind:?} {entry_number}"
        );
    }
}

#[test]
fn a_step_of_another_partition_is_refused() {
    let mut state = PartitionState::empty(settings());
    let file = FileName::live(offset(0), FileKind::Log);
    for change in [
        FileChange::Appended {
            file,
            position: 0,
            bytes: vec![1],
            modified: TimestampMs::ZERO,
        },
        FileChange::Resized { file, from: 0, to: 1 },
        FileChange::Renamed {
            from: file,
            to: file.as_deleted(),
        },
        FileChange::Removed { file, used: 0 },
    ] {
        let error = state.apply(&Step::File(change)).expect_err("no such file");
        assert!(error.to_string().contains("00000000000000000000.log"), "{error}");
    }
}

/// One valid batch of either format.
fn valid() -> Vec<u8> {
    let mut run = Run::new(settings());
    let mut bytes = run.append(&message(60)).0.bytes;
    bytes.extend(run.append(&records(2, 120, 1)).0.bytes);
    bytes
}

fn read_everything(bytes: &[u8]) -> usize {
    let _ = batch::read_header(bytes);
    let _ = batch::read_records(bytes);
    let _ = batch::read_fields(bytes, 7);
    let found = batch::batches(bytes, Position::ZERO);
    let all = found.map(|(_, _, batch)| {
        let _ = batch::read_records(&batch.bytes());
        let _ = batch::read_fields(&batch.bytes(), u64::MAX / 2);
    });
    all.count()
}

#[test]
fn a_torn_log_is_read_up_to_its_last_whole_batch() {
    let bytes = valid();
    for end in 0..=bytes.len() {
        let whole = read_everything(&bytes[..end]);
        assert_eq!(whole, usize::from(end >= 60) + usize::from(end >= 180), "{end} B");
    }
}

#[test]
fn every_flipped_bit_of_a_record_is_noticed() {
    let bytes = valid();
    for (from, to, unchecked) in [(0, 60, 12), (60, 180, 16)] {
        let good = batch::read_records(&bytes[from..to]).expect("valid");
        for at in from..to {
            for bit in 0..8 {
                let mut bad = bytes[from..to].to_vec();
                bad[at - from] ^= 1 << bit;
                let outcome = batch::read_records(&bad);
                // Offset, size and leader epoch are outside the checksum, in Kafka too.
                if at - from >= unchecked {
                    assert!(outcome.is_err(), "bit {bit} of byte {}", at - from);
                } else {
                    assert_ne!(outcome.map(|records| records.len()), Ok(good.len() + 1));
                }
                read_everything(&bad);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_a_reader_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        magic in 0..4_u8,
        size in -100..300_i32,
        changes in prop::collection::vec((0..180_usize, any::<u8>()), 0..6),
    ) {
        read_everything(&bytes);
        let mut framed = bytes;
        if framed.len() > 17 {
            framed[16] = magic;
            framed[8..12].copy_from_slice(&size.to_be_bytes());
            read_everything(&framed);
        }
        let mut damaged = valid();
        for (at, byte) in changes {
            damaged[at] = byte;
        }
        read_everything(&damaged);
        read_everything(&damaged[60..]);
    }
}

#[test]
fn a_setting_out_of_its_range_creates_no_partition() {
    let settings = Settings {
        retention_check_interval_ms: 0,
        ..Settings::default()
    };
    let error = Partition::create(settings, 0).expect_err("a check every 0 ms would never end");
    assert_eq!(
        error.to_string(),
        "`log.retention.check.interval.ms` cannot be 0: it takes 1 ms to max"
    );
}
