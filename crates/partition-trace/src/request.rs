//! Operations, with every time, size and byte resolved.

use std::collections::BTreeMap;

use partition_log::PartitionState;
use partition_log::config::{Kind, SPECS, Scope, Settings, Spec};
use partition_log::rules::fetch;
use partition_log::rules::validate::AppendOrigin;
use serde::{Deserialize, Serialize};

/// An operation at its time: a line for the other program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// What is done.
    #[serde(flatten)]
    pub request: Request,
    /// The clock, in milliseconds from 0.
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
        origin: Origin,
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
    /// A retention check out of turn.
    CheckRetention,
    /// The log start offset is raised.
    DeleteRecords {
        /// To here.
        before: i64,
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
    /// The high watermark is held at an offset, or follows the log end again: the turn says where it then is.
    HighWatermark {
        /// The offset that it is held at.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<i64>,
    },
    /// Who leads now: a new epoch begins at the log end offset.
    LeaderEpoch {
        /// The epoch.
        epoch: i32,
    },
    /// Where the records of a leader epoch end.
    EndOffset {
        /// The epoch.
        epoch: i32,
    },
    /// The log loses everything from an offset on.
    Truncate {
        /// The offset.
        to: i64,
    },
    /// The log loses everything and begins anew.
    TruncateFully {
        /// The offset that it begins at.
        to: i64,
    },
    /// A new active segment.
    Roll,
    /// What lies before the log end offset goes to the disk.
    Flush,
    /// Producers that have been silent for too long are forgotten.
    ExpireProducers,
    /// The broker stops in order.
    Stop,
    /// The broker is gone at once.
    Crash {
        /// Bytes at the end of the active `.log` that never reached the disk.
        #[serde(default, skip_serializing_if = "is_zero")]
        lose: u64,
    },
    /// A file changes while the broker is down.
    Damage {
        /// Its name.
        file: String,
        /// How.
        #[serde(flatten)]
        how: Damage,
    },
    /// The broker starts.
    Start {
        /// Whether the last stop was in order, as the broker knows it.
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
}

/// What happens to a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Damage {
    /// It gets another length.
    Cut {
        /// The length.
        cut: u64,
    },
    /// It has other bytes.
    Write {
        /// From here on.
        position: u64,
        /// Which.
        #[serde(with = "hex")]
        bytes: Vec<u8>,
    },
    /// It has more bytes.
    Add {
        /// Which.
        #[serde(with = "hex")]
        add: Vec<u8>,
    },
    /// It is gone.
    Remove {
        /// Always.
        remove: bool,
    },
    /// It carries the time of the clock.
    Touch {
        /// Always.
        touch: bool,
    },
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Who appends (Kafka: `AppendOrigin`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A producer.
    Client,
    /// A coordinator: markers of transactions, offsets of groups.
    Coordinator,
    /// The leader, by way of a fetch.
    Replication,
}

impl Origin {
    /// As the model names it.
    pub(crate) fn of(origin: AppendOrigin) -> Origin {
        match origin {
            AppendOrigin::Client => Origin::Client,
            AppendOrigin::Coordinator => Origin::Coordinator,
            AppendOrigin::Replication => Origin::Replication,
        }
    }

    pub(crate) fn in_model(self) -> AppendOrigin {
        match self {
            Origin::Client => AppendOrigin::Client,
            Origin::Coordinator => AppendOrigin::Coordinator,
            Origin::Replication => AppendOrigin::Replication,
        }
    }
}

/// Up to where a read may go (Kafka: `FetchIsolation`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// The log end offset: a follower's.
    LogEnd,
    /// The high watermark.
    HighWatermark,
    /// The last stable offset.
    Committed,
}

impl Isolation {
    /// As the model names it.
    pub(crate) fn of(isolation: fetch::Isolation) -> Isolation {
        match isolation {
            fetch::Isolation::LogEnd => Isolation::LogEnd,
            fetch::Isolation::Uncommitted => Isolation::HighWatermark,
            fetch::Isolation::Committed => Isolation::Committed,
        }
    }

    pub(crate) fn in_model(self) -> fetch::Isolation {
        match self {
            Isolation::LogEnd => fetch::Isolation::LogEnd,
            Isolation::HighWatermark => fetch::Isolation::Uncommitted,
            Isolation::Committed => fetch::Isolation::Committed,
        }
    }
}

/// A lookup by time, as the partition asks for it.
pub(crate) fn find_time(target: i64, state: &PartitionState) -> Request {
    Request::FindTime {
        target,
        below: (target >= 0 || target == -3).then(|| state.high_watermark().get()),
    }
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
    let known = spec.scope == Scope::Topic || key.starts_with("producer.id.expiration");
    let value = match spec.kind {
        Kind::Choice(_) => spec.show(value),
        Kind::Bytes | Kind::Duration | Kind::Count => value.to_string(),
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
