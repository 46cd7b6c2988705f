//! The format of `pod trace`: JSON lines. Times are absolute, sizes in bytes, and an append carries its bytes, so that
//! another program can do the same to a real log and compare.

use std::io::Write;

use partition_log::batch::NewBatch;
use partition_log::config::{Kind, SPECS, Settings, Spec};
use partition_log::load::Damage;
use partition_log::rules::fetch::Isolation;
use partition_story::operation::{BrokerOperation, Commit, Fetch, Operation, Search};
use partition_story::{Done, Event};
use serde_json::{Map, Value, json};

use super::{VERSION, hex, maybe_ms, refusal, run, step};
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
        Kind::Choice(_) => json!(spec.show(value)),
        Kind::Bytes | Kind::Duration | Kind::Count => json!(value.to_string()),
    }
}

fn resolved(done: &Done<'_>) -> Value {
    let mut fields = operation(done);
    if let Value::Object(map) = &mut fields {
        map.insert("line".to_string(), json!(done.line));
        if let Some(error) = done.error {
            map.insert("refused".to_string(), refusal(error));
        }
        if let Some(read) = done.read {
            map.insert("read".to_string(), run::read(read));
        }
    }
    fields
}

fn operation(done: &Done<'_>) -> Value {
    let now = done.began.get();
    match done.operation {
        Operation::Set(settings) => {
            let changed: Map<String, Value> = settings
                .iter()
                .filter_map(|(key, value)| Settings::check(key, value).ok())
                .map(|(spec, value)| (spec.key.to_string(), setting(spec, value)))
                .collect();
            json!({ "do": "set", "at_ms": now, "settings": changed })
        }
        Operation::Append { at, batch } => append(done, at.get(), batch),
        Operation::AdvanceTo(to) => json!({ "do": "advance", "at_ms": now, "to_ms": to.get() }),
        Operation::Settle => json!({ "do": "settle", "at_ms": now }),
        Operation::Fetch { from, limit, isolation } => {
            let (from, offset) = match from {
                Fetch::Offset(offset) => ("offset", Some(offset.get())),
                Fetch::Committed => ("committed", None),
                Fetch::Next => ("next", None),
                Fetch::Rest => ("rest", None),
            };
            let limit = limit.map_or_else(
                || json!(done.state.settings().max_partition_fetch_bytes),
                |limit| json!(limit),
            );
            let isolation = match isolation {
                Isolation::Uncommitted => "uncommitted",
                Isolation::Committed => "committed",
                Isolation::LogEnd => "log-end",
            };
            json!({
                "do": "fetch", "at_ms": now, "from": from, "offset": offset, "max_bytes": limit, "isolation": isolation
            })
        }
        Operation::FindTime(search) => {
            let (what, target) = match search {
                Search::Time(target) => ("time", Some(target.get())),
                Search::Earliest => ("earliest", None),
                Search::Latest => ("latest", None),
                Search::MaxTimestamp => ("max-timestamp", None),
                Search::EarliestLocal => ("earliest-local", None),
                Search::LatestTiered => ("latest-tiered", None),
                Search::EarliestPendingUpload => ("earliest-pending-upload", None),
            };
            json!({ "do": "find-time", "at_ms": now, "what": what, "target_ms": target })
        }
        Operation::CheckRetention => json!({ "do": "check-retention", "at_ms": now }),
        Operation::Commit(commit) => {
            let offset = match commit {
                Commit::Offset(offset) => *offset,
                Commit::Next => done.state.committed(),
            };
            json!({ "do": "commit", "at_ms": now, "offset": super::maybe_offset(offset) })
        }
        Operation::Reset(policy) => json!({ "do": "reset", "at_ms": now, "policy": step::policy(policy) }),
        Operation::HighWatermark(offset) => {
            json!({ "do": "high-watermark", "at_ms": now, "offset": super::maybe_offset(*offset) })
        }
        Operation::DeleteRecords(before) => json!({ "do": "delete-records", "at_ms": now, "before": before.get() }),
        Operation::Broker(operation) => broker(operation, now),
    }
}

/// Operations on the broker and by its clients.
fn broker(operation: &BrokerOperation, now: i64) -> Value {
    match operation {
        BrokerOperation::AppendRecords { at, bytes, origin } => {
            json!({ "do": "append-records", "at_ms": at.get(), "origin": origin.to_string(), "bytes": hex(bytes) })
        }
        BrokerOperation::EndTransaction(end) => json!({
            "do": "end-transaction", "at_ms": now, "producer_id": end.producer_id, "producer_epoch": end.producer_epoch,
            "coordinator_epoch": end.coordinator_epoch, "commit": end.commit,
            "transaction_version": end.transaction_version
        }),
        BrokerOperation::LeaderEpoch(epoch) => json!({ "do": "leader-epoch", "at_ms": now, "epoch": epoch }),
        BrokerOperation::Truncate(to) => json!({ "do": "truncate", "at_ms": now, "to": to.get() }),
        BrokerOperation::TruncateFully(to) => json!({ "do": "truncate-fully", "at_ms": now, "to": to.get() }),
        BrokerOperation::Roll => json!({ "do": "roll", "at_ms": now }),
        BrokerOperation::Flush => json!({ "do": "flush", "at_ms": now }),
        BrokerOperation::ExpireProducers => json!({ "do": "expire-producers", "at_ms": now }),
        BrokerOperation::EntriesPerBatch(on) => json!({ "do": "index-entries", "at_ms": now, "per_batch": on }),
        BrokerOperation::Stop => json!({ "do": "stop", "at_ms": now }),
        BrokerOperation::Crash { lose } => json!({ "do": "crash", "at_ms": now, "lose": lose }),
        BrokerOperation::Start => json!({ "do": "start", "at_ms": now }),
        BrokerOperation::Damage { file, damage } => {
            let mut value = json!({ "do": "damage", "at_ms": now, "file": file.to_string() });
            if let Value::Object(map) = &mut value {
                let mut set = |key: &str, value: Value| map.insert(key.to_string(), value);
                match damage {
                    Damage::Cut { length } => set("length", json!(length)),
                    Damage::Flip { position } => set("flip", json!(position)),
                    Damage::Write { position, bytes } => {
                        set("position", json!(position));
                        set("bytes", json!(hex(bytes)))
                    }
                    Damage::Add { bytes } => set("add", json!(hex(bytes))),
                    Damage::Remove => set("remove", json!(true)),
                    Damage::Touch { modified } => set("modified_ms", json!(modified.get())),
                };
            }
            value
        }
        BrokerOperation::Touch(file) => json!({ "do": "touch", "at_ms": now, "file": file.to_string() }),
        // They are done as an append of records and as damage.
        BrokerOperation::Send { .. } | BrokerOperation::CutEnd { .. } => json!({ "do": "nothing", "at_ms": now }),
    }
}

fn append(done: &Done<'_>, at: i64, batch: &NewBatch) -> Value {
    let format = match batch {
        NewBatch::Message { .. } => 1,
        NewBatch::Batch { .. } => 2,
    };
    let appended = done.appended;
    json!({
        "do": "append", "at_ms": at, "format": format, "records": batch.records(), "size": batch.size(),
        "timestamp_ms": maybe_ms(batch.timestamp()),
        "first_offset": appended.map(|appended| appended.first_offset.get()),
        "last_offset": appended.map(|appended| appended.last_offset.get()),
        "segment": appended.map(|appended| appended.segment.get()),
        "position": appended.map(|appended| appended.position.get()),
        "bytes": appended.map(|appended| hex(&appended.bytes)),
    })
}
