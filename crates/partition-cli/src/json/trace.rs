//! The format of `pod trace`: JSON lines. Times are absolute, sizes in bytes, and an append carries its bytes, so that
//! another program can do the same to a real log and compare.

use std::io::Write;

use partition_log::config::{SPECS, SettingKind, Settings, Spec};
use partition_log::disk::Vfs;
use partition_log::format::batch::NewBatch;
use partition_log::operations::load::Damage;
use partition_story::language::Command;
use partition_story::language::commands::{Commit, Fetch, FetchFrom, FindTime, IndexEntries};
use partition_story::{Done, Event, Sent};
use serde_json::{Map, Value, json};

use super::{Refusal, VERSION};
use crate::failure::Failure;
use crate::source::Loaded;

/// Writes the resolved commands of a run.
pub fn write(loaded: &Loaded, out: &mut impl Write) -> Result<(), Failure> {
    let mut outcome = Ok(());
    let settings = loaded.story.settings();
    loaded.story.replay(&mut |event| {
        let line = match &event {
            Event::Created(_) => Some(json!({
                "do": "create", "format": "pod-trace", "version": VERSION, "settings": all_settings(settings),
            })),
            Event::Done(done) => Some(resolved(done)),
            Event::Phase { .. } | Event::Said { .. } | Event::Expected(_) => None,
        };
        if let (Ok(()), Some(line)) = (&outcome, line) {
            outcome = writeln!(out, "{line}");
        }
    });
    Ok(outcome?)
}

/// Every setting under Kafka's key, as Kafka's own configuration writes it.
fn all_settings(settings: &Settings) -> Value {
    let all = SPECS
        .iter()
        .filter_map(|spec| Some((spec.key.to_string(), setting(spec, settings.get(spec.key)?))));
    Value::Object(all.collect())
}

/// The value of a setting as text: some are beyond what a reader of JSON keeps exactly.
fn setting(spec: &Spec, value: i64) -> Value {
    match spec.kind {
        SettingKind::Choice(_) => json!(spec.show(value)),
        SettingKind::Bytes | SettingKind::Duration | SettingKind::Count => json!(value.to_string()),
    }
}

fn resolved(done: &Done<'_>) -> Value {
    let mut fields = operation(done);
    if let Value::Object(map) = &mut fields {
        map.insert("line".to_string(), json!(done.line));
        if !done.continues {
            map.insert("command".to_string(), json!(done.text()));
        }
        if let Some(error) = done.error {
            map.insert("refused".to_string(), json!(Refusal::of(error)));
        }
        if let Some(read) = done.read {
            map.insert("read".to_string(), json!(read));
        }
    }
    fields
}

fn operation(done: &Done<'_>) -> Value {
    let now = done.began.get();
    match (done.command, done.sent) {
        (_, Some(Sent::Batch(batch))) => append(done, batch),
        (_, Some(Sent::Records { bytes, origin })) => json!({
            "do": "append-records", "at_ms": done.state.clock().get(), "origin": origin.to_string(), "bytes": hex::encode(bytes)
        }),
        (_, Some(Sent::Marker(end))) => json!({
            "do": "end-transaction", "at_ms": now, "producer_id": end.producer_id, "producer_epoch": end.producer_epoch,
            "coordinator_epoch": end.coordinator_epoch, "commit": end.commit,
            "transaction_version": end.transaction_version
        }),
        (Some(command), None) if !done.continues => of_command(done, command, now),
        (_, None) => json!({ "do": "settle", "at_ms": now }),
    }
}

fn of_command(done: &Done<'_>, command: &Command, now: i64) -> Value {
    match command {
        Command::Set(set) => {
            let changed: Map<String, Value> = set
                .0
                .iter()
                .filter_map(|changed| Settings::check(&changed.key, &changed.value).ok())
                .map(|(spec, value)| (spec.key.to_string(), setting(spec, value)))
                .collect();
            json!({ "do": "set", "at_ms": now, "settings": changed })
        }
        Command::Wait(_) | Command::At(_) => {
            json!({ "do": "advance", "at_ms": now, "to_ms": done.state.clock().get() })
        }
        Command::Fetch(fetch) => {
            let Fetch { from, max, .. } = fetch;
            let offset = match from {
                FetchFrom::Offset(offset) => Some(offset.get()),
                _ => None,
            };
            let max = max.as_deref().copied();
            let limit = max.map_or_else(
                || json!(done.state.settings().max_partition_fetch_bytes),
                |max| json!(max),
            );
            json!({
                "do": "fetch", "at_ms": now, "from": from.name().unwrap_or("offset"), "offset": offset, "max_bytes": limit,
                "isolation": fetch.isolation_word()
            })
        }
        Command::FindTime(search) => {
            let target = match search {
                FindTime::Time(target) => Some(target.get()),
                _ => None,
            };
            json!({ "do": "find-time", "at_ms": now, "what": search.name().unwrap_or("time"), "target_ms": target })
        }
        Command::Commit(commit) => {
            let offset = match commit {
                Commit::Offset(offset) => Some(**offset),
                Commit::None => None,
                Commit::Next => done.state.committed(),
            };
            json!({ "do": "commit", "at_ms": now, "offset": offset })
        }
        Command::Reset(reset) => json!({ "do": "reset", "at_ms": now, "policy": reset.policy() }),
        Command::HighWatermark(offset) => {
            let offset = offset.0.as_deref().copied();
            json!({ "do": "high-watermark", "at_ms": now, "offset": offset })
        }
        Command::IndexEntries(often) => {
            json!({ "do": "index-entries", "at_ms": now, "per_batch": *often == IndexEntries::PerBatch })
        }
        Command::Crash(crash) => {
            json!({ "do": "crash", "at_ms": now, "lose": crash.lose.as_deref().copied().unwrap_or(0) })
        }
        Command::Damage(damage) => {
            let mut value = json!({ "do": "damage", "at_ms": now, "file": damage.file.to_string() });
            if let Value::Object(map) = &mut value {
                let mut set = |key: &str, value: Value| map.insert(key.to_string(), value);
                match &*damage.damage {
                    Damage::Cut { length } => set("length", json!(length)),
                    Damage::CutEnd { .. } => set("length", json!(done.state.files().apparent_size(damage.file))),
                    Damage::Flip { position } => set("flip", json!(position)),
                    Damage::Write { position, bytes } => {
                        set("position", json!(position));
                        set("bytes", json!(hex::encode(bytes)))
                    }
                    Damage::Add { bytes } => set("add", json!(hex::encode(bytes))),
                    Damage::Remove => set("remove", json!(true)),
                    Damage::Touch => set("touch", json!(true)),
                };
            }
            value
        }
        Command::Touch(touch) => json!({ "do": "touch", "at_ms": now, "file": touch.0.to_string() }),
        _ => {
            let mut fields = json!({ "do": command.name(), "at_ms": now });
            if let Some((called, number)) = command.recorded().and_then(|recorded| recorded.number) {
                fields[called] = json!(number);
            }
            fields
        }
    }
}

fn append(done: &Done<'_>, batch: &NewBatch) -> Value {
    let format = match batch {
        NewBatch::Message { .. } => 1,
        NewBatch::Batch { .. } => 2,
    };
    let appended = done.appended;
    json!({
        "do": "append", "at_ms": done.state.clock().get(), "format": format, "records": batch.records(), "size": batch.size(),
        "timestamp_ms": batch.timestamp(),
        "first_offset": appended.map(|appended| appended.first_offset.get()),
        "last_offset": appended.map(|appended| appended.last_offset.get()),
        "segment": appended.map(|appended| appended.segment.get()),
        "position": appended.map(|appended| appended.position.get()),
        "bytes": appended.map(|appended| hex::encode(&appended.bytes)),
    })
}
