//! A partition of the model to which the same is done as to a broker's.

use std::collections::BTreeMap;

use partition_log::config::{Settings, Spec, Value};
use partition_log::disk::{File, FileKind, FileName, Vfs};
use partition_log::format::batch::{RawBatch, set_last_offset, set_leader_epoch, set_max_timestamp};
use partition_log::format::producers::{decode_snapshot, encode_snapshot};
use partition_log::operations::load::StartOptions;
use partition_log::rules::validate::AppendOrigin;
use partition_log::{AppendOptions, Offset, Partition, TimestampMs};

use crate::kept::{End, Kept, Line, Step};

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

/// The settings of a topic. Nothing that a broker does by itself every so often comes to pass: the steps say what did.
pub fn settings(topic: &BTreeMap<String, String>) -> Settings {
    let mut settings = Settings {
        initial_task_delay_ms: i64::MAX,
        producer_id_check_ms: i64::from(i32::MAX),
        ..Settings::default()
    };
    for (key, value) in topic {
        let Some((key, value)) = setting(key, value) else {
            continue;
        };
        let set = settings.set(key, &value);
        set.unwrap_or_else(|error| panic!("{key}: {error}"));
    }
    settings
}

/// A new partition, at the time when the broker's had its first record.
fn create(kept: &Kept) -> Partition {
    let created_with = kept.lines.iter().find_map(|line| match line {
        Line::Step(Step::CreateTopic { settings }) => Some(settings),
        _ => None,
    });
    let settings = settings(created_with.expect("the topic was created"));
    let mut partition = Partition::create(settings, 0).expect("a new partition");
    // The topic's id is written before the first record, and never again.
    let created = TimestampMs::new(kept.files["partition.metadata"].modified).expect("a time");
    partition.advance_to(created).expect("forwards");
    partition
}

/// A partition that starts on the files of a directory, a second after they were left.
pub fn load(kept: &Kept) -> Partition {
    let (mut partition, options, _) = load_stopped(kept);
    let started = partition.start(options);
    started.unwrap_or_else(|error| panic!("{}: {error}", kept.name));
    partition
}

/// The same before it starts, with what it is to be told, and the clock.
pub fn load_stopped(kept: &Kept) -> (Partition, StartOptions, TimestampMs) {
    let left = kept.files.values().map(|file| file.modified).max().expect("files");
    let files = kept.files.iter().map(|(name, file)| {
        let mut bytes = file.bytes.clone();
        bytes.resize(file.length as usize, 0);
        File {
            name: name.clone(),
            bytes,
            modified: TimestampMs::new(file.modified).expect("a time"),
        }
    });
    let now = TimestampMs::new(left + 1_000).expect("a time");
    let partition = Partition::from_files(settings(&kept.origin.topic), 0, now, files);
    let partition = partition.expect("sound names");
    let mark = |file| Some(Offset::new(kept.mark(file).unwrap_or(0)).expect("an offset"));
    let options = StartOptions {
        clean: Some(kept.origin.ended == End::Stopped),
        recovery_point: mark("recovery-point-offset-checkpoint"),
        log_start: mark("log-start-offset-checkpoint"),
        high_watermark: mark("replication-offset-checkpoint"),
    };
    (partition, options, now)
}

/// What was done to the partition of a directory, from its creation or from the directory that it was kept as before.
pub fn play(kept: &Kept, before: Option<&Kept>) -> Partition {
    let mut partition = before.map_or_else(|| create(kept), load);
    let from = before.map_or(0, |before| before.marks.log_end);
    let segments = kept.segments();
    let batches = segments.iter().flat_map(|segment| segment.batches());
    let mut batches = batches.filter(|batch| batch.header.base_offset >= from).peekable();
    let mut append_until = |partition: &mut Partition, end: i64| {
        while let Some(batch) = batches.next_if(|batch| batch.header.base_offset < end) {
            append(partition, &batch);
        }
    };
    let mut steps: Vec<&Step> = Vec::new();
    for line in &kept.lines {
        let Line::Step(step) = line else { continue };
        steps.push(step);
        if let Step::Stopped { kept_as } | Step::Killed { kept_as } = step
            && before.is_some_and(|before| kept_as.as_ref() == Some(&before.name))
        {
            steps.clear();
        }
    }
    // The directory is loaded already.
    let started = usize::from(before.is_some());
    for step in &steps[started..] {
        match step {
            Step::Set { key, value } => {
                if let Some((key, value)) = setting(key, value) {
                    let changed = partition.set(key, &value);
                    changed.unwrap_or_else(|error| panic!("{key}: {error}"));
                }
            }
            Step::DeleteRecords { before } => {
                let deleted = partition.delete_records(Offset::new(*before).expect("an offset"));
                deleted.expect("below the high watermark");
            }
            Step::Retention {} => {
                partition.check_retention().expect("a check");
            }
            // What stands before it are the markers of transactions.
            Step::Send {
                first_offset,
                last_offset,
            } => {
                append_until(&mut partition, *first_offset);
                append_until(&mut partition, last_offset + 1);
            }
            Step::Stopped { .. } => partition.stop().expect("a stop"),
            Step::Killed { .. } => partition.crash(0).expect("a crash"),
            Step::Start { .. } => {
                let started = partition.start(StartOptions::default());
                started.expect("a start");
            }
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

/// Appends a batch as the leader got it: with offsets from 0 and no leader epoch.
fn append(partition: &mut Partition, batch: &RawBatch<'_>) {
    if batch.header.leader_epoch != partition.state().leader_epoch() {
        // A broker that comes back leads in a new epoch.
        let led = partition.set_leader_epoch(batch.header.leader_epoch);
        led.expect("a newer epoch");
    }
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
        partition.advance_to(now).expect("forwards");
    }
    let appended = partition.append_records(&sent, options);
    let appended = appended.unwrap_or_else(|error| panic!("offset {}: {error}", batch.header.base_offset));
    assert_eq!(appended.first_offset.get(), batch.header.base_offset);
    assert_eq!(appended.bytes, batch.bytes, "offset {}", batch.header.base_offset);
}

/// A file's length and its bytes without the zeros at its end; of a snapshot the producers in the order of their ids.
fn content(name: FileName, length: u64, bytes: &[u8]) -> (u64, Vec<u8>) {
    if name.kind == FileKind::Snapshot {
        let mut producers = decode_snapshot(bytes).expect("a sound snapshot");
        producers.sort_by_key(|(id, _)| *id);
        let encoded = encode_snapshot(producers.iter().map(|(id, entry)| (*id, entry)));
        return (length, encoded);
    }
    let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    (length, bytes[..used].to_vec())
}

/// The files of the model's partition.
pub fn files_of(partition: &Partition) -> BTreeMap<String, (u64, Vec<u8>)> {
    let files = partition.state().files();
    let content = |name: FileName| {
        let length = files.apparent_size(name).expect("a listed file");
        content(name, length, &files.read(name).expect("a listed file"))
    };
    files
        .list()
        .into_iter()
        .map(|name| (name.to_string(), content(name)))
        .collect()
}

/// The files of the broker's, but the topic's id, which is no business of the log.
pub fn files_in(kept: &Kept) -> BTreeMap<String, (u64, Vec<u8>)> {
    let files = kept.files.iter().filter(|(name, _)| *name != "partition.metadata");
    let content = |name: &String| {
        let parsed = FileName::parse(name).unwrap_or_else(|| panic!("{name} is unknown"));
        let file = &kept.files[name];
        content(parsed, file.length, &file.bytes)
    };
    files.map(|(name, _)| (name.clone(), content(name))).collect()
}
