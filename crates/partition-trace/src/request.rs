//! Operations, with every time, size and byte resolved.

use std::collections::BTreeMap;

use partition_log::PartitionState;
use partition_log::config::{SPECS, SettingKind, SettingScope, Settings, Spec};
use partition_log::operations::load::Damage;
use partition_log::rules::fetch::Isolation;
use partition_log::rules::validate::AppendOrigin;
use partition_story::language::Command;
use serde::{Deserialize, Serialize};

use crate::consumer::ConsumerAct;

/// An operation at its time: a line for the other program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// What is done.
    #[serde(flatten)]
    pub request: Request,
    /// The clock, in milliseconds since 1970, or from 0 in a scenario without a date.
    #[serde(default)]
    pub at: i64,
    /// The high watermark that the partition reaches with it; none where the operation was refused or the broker is down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high_watermark: Option<i64>,
}

/// An operation. Offsets and times are numbers as Kafka has them, bytes stand in hex, settings are text under Kafka's keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Request {
    /// A new partition.
    Create {
        /// Settings of the topic.
        settings: BTreeMap<String, String>,
        /// The first retention check after a broker's start, in milliseconds.
        first_check: i64,
        /// From one check to the next, in milliseconds.
        check_interval: i64,
        /// The epoch of its first leader.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        leader_epoch: Option<i32>,
    },
    /// An append.
    Append {
        /// Who appends.
        #[serde(with = "Origin")]
        origin: AppendOrigin,
        /// The replica's leader epoch.
        #[serde(default)]
        leader_epoch: i32,
        /// The version of transactions that the writer of a marker knows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        transaction_version: Option<i16>,
        /// The batches as they are sent.
        #[serde(with = "hex")]
        bytes: Vec<u8>,
    },
    /// A read.
    Fetch {
        /// From where.
        offset: i64,
        /// Bytes at most.
        max_bytes: i64,
        /// Up to where.
        #[serde(with = "IsolationName")]
        isolation: Isolation,
        /// Whether the first batch comes even if it is larger.
        min_one: bool,
    },
    /// A lookup by time, or of one of Kafka's special times below 0.
    FindTime {
        /// The time, in milliseconds.
        target: i64,
        /// An answer has to lie below this offset: the partition withholds others, above the log.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        below: Option<i64>,
    },
    /// Settings of the topic change.
    Set {
        /// The new values.
        settings: BTreeMap<String, String>,
    },
    /// Time passes; what is due exactly then is still to be done.
    Advance,
    /// What is due now is done.
    Settle,
    /// Something that is no business of the log: it changes no byte of it.
    Nothing,
    /// Where the records of a leader epoch end.
    EndOffset {
        /// The epoch.
        epoch: i32,
    },
    /// A file changes while the broker is down.
    Damage {
        /// Its name.
        file: String,
        /// How.
        #[serde(flatten, with = "damage")]
        how: Damage,
    },
    /// The broker starts.
    Start {
        /// Whether the last shutdown was clean, as the broker knows it.
        clean: bool,
        /// The recovery point that was saved.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        saved_recovery_point: Option<i64>,
        /// The log start offset that was saved.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        saved_log_start: Option<i64>,
        /// The high watermark that was saved.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        saved_high_watermark: Option<i64>,
    },
    /// A consumer does something.
    Consumer(ConsumerAct),
    /// What is told by its own name and number.
    #[serde(untagged, with = "command")]
    Command(Box<Command>),
}

impl<C: Into<Command>> From<C> for Request {
    fn from(command: C) -> Request {
        Request::Command(Box::new(command.into()))
    }
}

/// Commands as [`Command::recorded`] tells them.
mod command {
    use std::collections::BTreeMap;

    use partition_story::language::Command;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{Error as _, SerializeMap, Serializer};
    use serde_json::Value;

    pub fn serialize<S: Serializer>(command: &Command, serializer: S) -> Result<S::Ok, S::Error> {
        let refused = || S::Error::custom(format_args!("`{command}` is told by what it came to"));
        let recorded = command.recorded().ok_or_else(refused)?;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("do", recorded.name)?;
        if let Some((called, number)) = recorded.number {
            map.serialize_entry(called, &number)?;
        }
        map.end()
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<Command>, D::Error> {
        let fields = BTreeMap::<String, Value>::deserialize(deserializer)?;
        let name = fields.get("do").and_then(Value::as_str).unwrap_or_default();
        let command = Command::recall(name, |called| fields.get(called)?.as_i64());
        command
            .map(Box::new)
            .ok_or_else(|| D::Error::custom(format_args!("nothing is done by `{name}` with these fields")))
    }
}

/// What happens to a file, as a line tells it.
mod damage {
    use partition_log::operations::load::Damage;
    use serde::de::{Deserialize, Deserializer};
    use serde::ser::{Error, Serialize, Serializer};

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(untagged)]
    enum Fields {
        Cut {
            cut: u64,
        },
        Write {
            position: u64,
            #[serde(with = "hex")]
            bytes: Vec<u8>,
        },
        Add {
            #[serde(with = "hex")]
            add: Vec<u8>,
        },
        Remove {
            remove: bool,
        },
        Touch {
            touch: bool,
        },
    }

    pub fn serialize<S: Serializer>(damage: &Damage, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = match damage.clone() {
            Damage::Cut { length } => Fields::Cut { cut: length },
            Damage::Write { position, bytes } => Fields::Write { position, bytes },
            Damage::Add { bytes } => Fields::Add { add: bytes },
            Damage::Remove => Fields::Remove { remove: true },
            Damage::Touch => Fields::Touch { touch: true },
            Damage::CutEnd { .. } | Damage::Flip { .. } => {
                return Err(S::Error::custom("it is told by what it came to"));
            }
        };
        fields.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Damage, D::Error> {
        Ok(match Fields::deserialize(deserializer)? {
            Fields::Cut { cut } => Damage::Cut { length: cut },
            Fields::Write { position, bytes } => Damage::Write { position, bytes },
            Fields::Add { add } => Damage::Add { bytes: add },
            Fields::Remove { .. } => Damage::Remove,
            Fields::Touch { .. } => Damage::Touch,
        })
    }
}

/// How a line names who appends.
#[derive(Serialize, Deserialize)]
#[serde(remote = "AppendOrigin", rename_all = "kebab-case")]
enum Origin {
    Client,
    Coordinator,
    Replication,
}

/// How a line names up to where a read may go.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Isolation", rename_all = "kebab-case")]
enum IsolationName {
    LogEnd,
    HighWatermark,
    #[serde(rename = "committed")]
    TxnCommitted,
}

/// Below which offset the answer of a lookup by time has to lie.
pub(crate) fn answers_below(target: i64, state: &PartitionState) -> Option<i64> {
    (target >= 0 || target == -3).then(|| state.high_watermark().get())
}

/// Settings of the topic by name, and the broker's about producers, as Kafka's log takes them.
pub(crate) fn topic_settings(settings: &Settings) -> BTreeMap<String, String> {
    SPECS
        .iter()
        .filter_map(|spec| topic_setting(spec, settings.get(spec.key)?))
        .collect()
}

/// A topic's setting as Kafka's log reads it; small segments go by the internal name.
pub(crate) fn topic_setting(spec: &Spec, value: i64) -> Option<(String, String)> {
    let key = match spec.key {
        "segment.bytes" => "internal.segment.bytes",
        key => key,
    };
    // The only policy that the model has is Kafka's default.
    let topic = spec.scope == SettingScope::Topic && key != "cleanup.policy";
    let known = topic || key.starts_with("producer.id.expiration");
    let value = match spec.kind {
        SettingKind::Choice(_) => spec.show(value),
        SettingKind::Bytes | SettingKind::Duration | SettingKind::Count => value.to_string(),
    };
    known.then(|| (key.to_string(), value))
}

/// The key under which the model has a setting.
pub(crate) fn model_key(key: &str) -> &str {
    match key {
        "internal.segment.bytes" => "segment.bytes",
        key => key,
    }
}
