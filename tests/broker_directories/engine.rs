//! A partition of the model to which the same is done: it leaves the same files, and gives the same answers.

use std::collections::BTreeMap;

use partition_log::batch::{RawBatch, set_last_offset, set_leader_epoch, set_max_timestamp};
use partition_log::config::{Settings, Spec, Value};
use partition_log::producer::decode_snapshot;
use partition_log::rules::fetch::Isolation as ModelIsolation;
use partition_log::validate::AppendOrigin;
use partition_log::vfs::{FileKind, FileName, Vfs};
use partition_log::{AppendOptions, FetchOptions, Offset, Partition, TimestampMs};

use crate::kept::{End, Isolation, Kept, Line, Step};

/// `transaction.version` of a cluster that was formatted with 4.4.0.
const TRANSACTION_VERSION: i16 = 2;

/// Settings of the topics that change no stored batch here, or that the model does not have.
const PASSED_OVER: [&str; 2] = [
    // What the broker compressed anew is sent as it then was.
    "compression.type",
    "preallocate",
];

/// A setting as the model takes it; `None` for those that are passed over.
fn setting(key: &str, value: &str) -> Option<(&'static str, Value)> {
    let key = if key == "internal.segment.bytes" {
        "segment.bytes"
    } else {
        key
    };
    if PASSED_OVER.contains(&key) {
        return None;
    }
    let spec = Spec::find(key).unwrap_or_else(|| panic!("the model does not know {key}"));
    let value = value
        .parse()
        .map_or_else(|_| Value::Word(value.to_string()), Value::Number);
    Some((spec.key, value))
}

/// Does to a new partition what was done to the broker's, up to its first end.
fn play(kept: &Kept) -> Partition {
    // Nothing that a broker does by itself every so often came to pass unless a step says so.
    let mut settings = Settings {
        initial_task_delay_ms: i64::MAX,
        producer_id_check_ms: i64::from(i32::MAX),
        ..Settings::default()
    };
    for (key, value) in kept.lines.iter().find_map(created_with).expect("the topic was created") {
        let Some((key, value)) = setting(key, value) else {
            continue;
        };
        let (_, value) = Settings::check(key, &value).unwrap_or_else(|error| panic!("{key}: {error}"));
        match key {
            "segment.bytes" => settings.segment_bytes = value,
            "index.interval.bytes" => settings.index_interval_bytes = value,
            "retention.ms" => settings.retention_ms = value,
            "file.delete.delay.ms" => settings.file_delete_delay_ms = value,
            "message.timestamp.type" => settings.message_timestamp_type = value,
            _ => panic!("{key} is set at the creation of no topic so far"),
        }
    }
    let mut partition = Partition::create(settings, 0).outcome.expect("a new partition");
    // The topic's id is written before the first record, and never again.
    let created = TimestampMs::new(kept.files["partition.metadata"].modified).expect("a time");
    partition.advance_to(created).outcome.expect("forwards");
    let mut batches = kept
        .segments()
        .into_iter()
        .flat_map(|segment| segment.batches())
        .peekable();
    let mut append_until = |partition: &mut Partition, end: i64| {
        while let Some(batch) = batches.next_if(|batch| batch.header.base_offset < end) {
            append(partition, &batch);
        }
    };
    for line in &kept.lines {
        let Line::Step(step) = line else { continue };
        match step {
            Step::Set { key, value } => set(&mut partition, key, value),
            Step::DeleteRecords { before } => {
                let before = Offset::new(*before).expect("an offset");
                partition
                    .delete_records(before)
                    .outcome
                    .expect("below the high watermark");
            }
            Step::Retention {} => {
                partition.check_retention().outcome.expect("a check");
            }
            // What stands before it are the markers of transactions.
            Step::Send {
                first_offset,
                last_offset,
            } => {
                append_until(&mut partition, *first_offset);
                append_until(&mut partition, last_offset + 1);
            }
            Step::Stopped {} | Step::Killed {} | Step::Start { .. } => break,
            Step::CreateTopic { .. }
            | Step::Wait {}
            | Step::InitTransactions {}
            | Step::Begin {}
            | Step::Commit {}
            | Step::Abort {} => {}
        }
    }
    append_until(&mut partition, kept.marks.log_end);
    partition
}

fn created_with(line: &Line) -> Option<&BTreeMap<String, String>> {
    match line {
        Line::Step(Step::CreateTopic { settings }) => Some(settings),
        _ => None,
    }
}

fn set(partition: &mut Partition, key: &str, value: &str) {
    if let Some((key, value)) = setting(key, value) {
        partition
            .set(key, &value)
            .outcome
            .unwrap_or_else(|error| panic!("{key}: {error}"));
    }
}

/// Appends a batch as the leader got it: with offsets from 0 and no leader epoch.
fn append(partition: &mut Partition, batch: &RawBatch<'_>) {
    let mut sent = batch.bytes.to_vec();
    set_last_offset(&mut sent, i64::from(batch.header.last_offset_delta));
    set_leader_epoch(&mut sent, -1);
    if batch.header.append_time().is_some() {
        // The producer's own timestamp; the leader puts its clock in the place of any.
        set_max_timestamp(&mut sent, false, batch.header.base_timestamp);
    }
    let control = batch.header.is_control();
    let options = AppendOptions {
        origin: if control {
            AppendOrigin::Coordinator
        } else {
            AppendOrigin::Client
        },
        transaction_version: control.then_some(TRANSACTION_VERSION),
    };
    // With LogAppendTime, the clock is what the batch says; else it only has to be late enough for its timestamp.
    let now = TimestampMs::new(batch.header.max_timestamp).expect("a timestamp");
    if now > partition.state().clock() {
        partition.advance_to(now).outcome.expect("forwards");
    }
    let appended = partition.append_records(&sent, options).outcome;
    let appended = appended.unwrap_or_else(|error| panic!("offset {}: {error}", batch.header.base_offset));
    assert_eq!(appended.first_offset.get(), batch.header.base_offset);
    assert_eq!(appended.bytes, batch.bytes, "offset {}", batch.header.base_offset);
}

/// The directories of brokers that were started once.
fn of_one_life() -> Vec<Kept> {
    let mut all = Kept::all();
    all.retain(|kept| kept.restarts().is_empty());
    all
}

/// A file's length and its bytes without the zeros at its end; of a snapshot the producers in the order of their ids.
fn content(name: FileName, length: u64, bytes: &[u8]) -> (u64, Vec<u8>) {
    if name.kind == FileKind::Snapshot {
        let mut producers = decode_snapshot(bytes).expect("a sound snapshot");
        producers.sort_by_key(|(id, _)| *id);
        let encoded = partition_log::producer::encode_snapshot(producers.iter().map(|(id, entry)| (*id, entry)));
        return (length, encoded);
    }
    let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    (length, bytes[..used].to_vec())
}

#[test]
fn a_broker_that_is_killed_leaves_what_the_model_holds() {
    let mut compared = 0;
    for kept in of_one_life() {
        if kept.origin.ended != End::Killed || kept.setting("preallocate").is_some() {
            continue;
        }
        let partition = play(&kept);
        let files = partition.state().files();
        let model: BTreeMap<String, (u64, Vec<u8>)> = files
            .list()
            .into_iter()
            .map(|name| {
                let length = files.apparent_size(name).expect("a listed file");
                (
                    name.to_string(),
                    content(name, length, files.used(name).unwrap_or_default()),
                )
            })
            .collect();
        // The topic's id is no business of the log.
        let broker = kept.files.iter().filter(|(name, _)| *name != "partition.metadata");
        let broker: BTreeMap<String, (u64, Vec<u8>)> = broker
            .map(|(name, file)| {
                let parsed = FileName::parse(name).unwrap_or_else(|| panic!("{name} is unknown"));
                (name.clone(), content(parsed, file.length, &file.bytes))
            })
            .collect();
        assert_eq!(
            model.keys().collect::<Vec<_>>(),
            broker.keys().collect::<Vec<_>>(),
            "{}",
            kept.name
        );
        for (name, file) in &broker {
            assert_eq!(&model[name], file, "{}, {name}", kept.name);
        }
        compared += broker.len();
    }
    assert!(compared > 30, "{compared} files");
}

#[test]
fn the_model_gives_the_marks_and_the_answers_that_clients_got() {
    for kept in of_one_life() {
        let mut partition = play(&kept);
        let state = partition.state();
        let marks = [
            state.log_start(),
            state.high_watermark(),
            state.last_stable(),
            state.log_end(),
        ]
        .map(Offset::get);
        let expected = &kept.marks;
        let expected = [
            expected.log_start,
            expected.high_watermark,
            expected.last_stable,
            expected.log_end,
        ];
        assert_eq!(marks, expected, "{}", kept.name);
        for line in &kept.lines {
            answer(&mut partition, &kept, line);
        }
    }
}

const fn isolation(isolation: Isolation) -> ModelIsolation {
    match isolation {
        Isolation::ReadUncommitted => ModelIsolation::Uncommitted,
        Isolation::ReadCommitted => ModelIsolation::Committed,
    }
}

/// Asks the model what a client asked.
fn answer(partition: &mut Partition, kept: &Kept, line: &Line) {
    match line {
        Line::Fetch(fetch) => {
            let name = format!(
                "{}, {:?} from {}, {} B",
                kept.name, fetch.isolation, fetch.offset, fetch.max_bytes
            );
            let options = FetchOptions {
                isolation: isolation(fetch.isolation),
                ..FetchOptions::limited(Some(fetch.max_bytes as u64))
            };
            let asked = Offset::new(fetch.offset).expect("an offset");
            let found = match partition.fetch_with(asked, options).outcome {
                Ok(found) => found,
                Err(error) => {
                    assert!(fetch.error.is_some(), "{name}: {error}");
                    return;
                }
            };
            assert_eq!(fetch.error, None, "{name}");
            assert_eq!(found.slice, fetch.length as u64, "{name}");
            let aborted = found.aborted.iter().map(|(id, first)| (id.get(), first.get()));
            assert_eq!(
                aborted.collect::<Vec<_>>(),
                fetch.aborted.clone().unwrap_or_default(),
                "{name}"
            );
        }
        Line::Time(time) => {
            let target = TimestampMs::new(time.target).expect("a time");
            let found = partition.find_time(target).outcome.expect("an answer");
            // What is above the last stable offset, the broker keeps from a reader of committed records.
            let withheld =
                time.isolation == Isolation::ReadCommitted && found.answer >= Some(partition.state().last_stable());
            let found = found.answer.zip(found.timestamp).filter(|_| !withheld);
            let found = found.map(|(offset, timestamp)| (offset.get(), timestamp.get()));
            assert_eq!(
                found,
                time.offset.zip(time.timestamp),
                "{}, time {}",
                kept.name,
                time.target
            );
        }
        Line::List(list) => {
            let found = match list.of.as_str() {
                "latest" => partition.find_latest_with(isolation(list.isolation)),
                "max-timestamp" => partition.find_max_timestamp(),
                _ => partition.find_earliest(),
            };
            let found = found.outcome.expect("an answer");
            let withheld = list.of == "max-timestamp"
                && list.isolation == Isolation::ReadCommitted
                && found.answer >= Some(partition.state().last_stable());
            let offset = found.answer.filter(|_| !withheld).map_or(-1, Offset::get);
            let epoch = found.epoch.filter(|_| !withheld);
            assert_eq!(
                (offset, epoch),
                (list.offset, list.leader_epoch),
                "{}, {}",
                kept.name,
                list.of
            );
        }
        _ => {}
    }
}
