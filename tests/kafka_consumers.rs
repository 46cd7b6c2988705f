//! What real consumers got from real brokers of Apache Kafka 4.4.0, in front of damaged batches, decided and undecided
//! transactions, and deleted records: a consumer of the model gets the same from the directories that the brokers left.
//!
//! `cargo xtask broker` makes what is in `fixtures/consumers`; here it is only read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use partition_log::config::{Settings, Value};
use partition_log::disk::File;
use partition_log::operations::load::StartOptions;
use partition_log::{Offset, Partition, TimestampMs};
use partition_trace::{Consumed, ConsumerAct};
use serde::Deserialize;

/// A line of what was noted; others are about how the directory came to be.
#[derive(Deserialize)]
struct Line {
    act: Option<Act>,
    directory: Option<Directory>,
    file: Option<Meta>,
}

/// What a consumer did, when, and what came of it.
#[derive(Deserialize)]
struct Act {
    at: i64,
    act: ConsumerAct,
    answer: Consumed,
}

#[derive(Deserialize)]
struct Directory {
    topic: BTreeMap<String, String>,
}

/// A file's full length, of which zeros at its end may not be kept, and when it changed.
#[derive(Deserialize)]
struct Meta {
    name: String,
    length: usize,
    modified: i64,
}

fn folders() -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/consumers");
    let entries = fs::read_dir(&all).unwrap_or_else(|error| panic!("{}: {error}", all.display()));
    let folders = entries.map(|entry| entry.expect("an entry").path());
    let mut folders: Vec<PathBuf> = folders.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn lines(folder: &Path) -> Vec<Line> {
    let text = fs::read_to_string(folder.join("acts.jsonl")).expect("notes");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a line of notes"))
        .collect()
}

/// The offset that a checkpoint has for the partition.
fn mark(folder: &Path, file: &str) -> Option<Offset> {
    let text = fs::read_to_string(folder.join(file)).expect("a checkpoint");
    let entry = text.lines().find_map(|line| line.strip_prefix("orders 0 "));
    Some(entry.map_or(Offset::ZERO, |offset| {
        let offset = offset.parse().expect("a number");
        Offset::new(offset).expect("an offset")
    }))
}

/// The partition of a broker that was stopped in order, started on its directory.
fn load(folder: &Path, lines: &[Line]) -> Partition {
    let mut settings = Settings {
        initial_task_delay_ms: i64::MAX,
        ..Settings::default()
    };
    let topic = lines.iter().find_map(|line| line.directory.as_ref());
    for (key, value) in &topic.expect("the topic's settings").topic {
        let key = if key == "internal.segment.bytes" {
            "segment.bytes"
        } else {
            key
        };
        let value = Value::Number(value.parse().expect("a number"));
        settings
            .set(key, &value)
            .unwrap_or_else(|error| panic!("{key}: {error}"));
    }
    let files = lines.iter().filter_map(|line| line.file.as_ref());
    let files = files.filter_map(|file| {
        let name = file.name.strip_prefix("orders-0/")?.to_string();
        let mut bytes = fs::read(folder.join(&file.name)).expect("a file");
        bytes.resize(file.length, 0);
        let modified = TimestampMs::new(file.modified).expect("a time");
        Some(File { name, bytes, modified })
    });
    let first = lines.iter().find_map(|line| line.act.as_ref()).expect("an act").at;
    let now = TimestampMs::new(first).expect("a time");
    let mut partition = Partition::from_files(settings, 0, now, files).expect("sound names");
    let options = StartOptions {
        clean: Some(true),
        recovery_point: mark(folder, "recovery-point-offset-checkpoint"),
        log_start: mark(folder, "log-start-offset-checkpoint"),
        high_watermark: mark(folder, "replication-offset-checkpoint"),
    };
    partition.start(options).expect("a start");
    partition
}

#[test]
fn a_consumer_gets_what_kafkas_got() {
    let (mut acts, mut joined, mut errors) = (0, 0, 0);
    for folder in folders() {
        let lines = lines(&folder);
        let mut partition = load(&folder, &lines);
        let mut consumer = None;
        for Act { at, act, answer } in lines.iter().filter_map(|line| line.act.as_ref()) {
            partition
                .advance_to(TimestampMs::new(*at).expect("a time"))
                .expect("forwards");
            let got = act.perform(&mut partition, &mut consumer);
            acts += 1;
            assert_eq!(got.as_ref(), Some(answer), "{}, act {acts}, {act:?}", folder.display());
            joined += usize::from(matches!(act, ConsumerAct::Join { .. }));
            errors += usize::from(answer.error.is_some());
        }
    }
    assert!(
        joined >= 12 && errors >= 8 && acts >= 80,
        "{joined} consumers, {errors} errors, {acts} acts"
    );
}
