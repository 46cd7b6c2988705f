//! The rows of the settings tables: the value of a demo beside Kafka's default.

use anyhow::{Context, Result};
use partition_log::config::{SettingScope, Settings, Spec};
use serde::Serialize;

/// One setting.
#[derive(Debug, Serialize)]
pub struct Row {
    pub here: String,
    pub default: String,
    /// Its place in Kafka's documentation; internal settings have none.
    pub link: Option<String>,
}

/// The row of a key of Kafka's.
pub fn row(key: &str, here: &Settings) -> Result<Row> {
    let spec = Spec::find(key).with_context(|| format!("there is no setting {key}"))?;
    let value = here.get(spec.key).unwrap_or(spec.default);
    let table = match spec.scope {
        SettingScope::Topic => "topicconfigs",
        SettingScope::Broker => "brokerconfigs",
        SettingScope::Consumer => "consumerconfigs",
    };
    let internal = spec.key == "log.initial.task.delay.ms";
    Ok(Row {
        here: minus(&spec.show(value)),
        default: minus(&spec.show(spec.default)),
        link: (!internal).then(|| format!("https://kafka.apache.org/documentation/#{table}_{}", spec.key)),
    })
}

/// A negative number with the sign that print uses.
fn minus(text: &str) -> String {
    text.replace('-', "\u{2212}")
}
