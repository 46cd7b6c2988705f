//! What comes of an operation.

use partition_log::PartitionState;
use partition_log::vfs::{FileName, Vfs};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::request::hex;

/// The marks and files after an operation, and what it answered. The broker's marks are absent while it is down; everything
/// that does not apply is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// Kafka's name for the refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Log start offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_start: Option<i64>,
    /// High watermark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high_watermark: Option<i64>,
    /// Log end offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_end: Option<i64>,
    /// Last stable offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_stable: Option<i64>,
    /// Recovery point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery_point: Option<i64>,
    /// Leader epochs, each with its first offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epochs: Option<Vec<(i32, i64)>>,
    /// What is remembered of each producer: `id:epoch:coordinator epoch:last timestamp:first offset of its transaction`,
    /// then each remembered batch: `last sequence@last offset-offset deltattimestamp`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub producers: Option<Vec<String>>,
    /// The offsets that an append got.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub appended: Option<Appended>,
    /// Base offset of the segment that a read begins in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segment: Option<i64>,
    /// Where it begins there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<i64>,
    /// Bytes that it sends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slice: Option<i64>,
    /// Whether even the first batch is cut off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_entry_incomplete: Option<bool>,
    /// Aborted transactions among what was read: producer id and first offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aborted: Option<Vec<(i64, i64)>>,
    /// Where the records of an epoch end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// What a lookup found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Found>,
    /// Every file: its name, its length, its bytes in hex up to the last that is not zero.
    pub files: Vec<String>,
}

/// The offsets that an append got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Appended {
    /// Of the first record.
    pub first: i64,
    /// Of the last record.
    pub last: i64,
}

/// What a lookup by time found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Offset.
    pub offset: i64,
    /// Timestamp in milliseconds, -1 for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<i64>,
    /// Leader epoch, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epoch: Option<i32>,
}

/// Where the records of a leader epoch end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// The offset behind the last.
    pub offset: i64,
    /// The epoch that was found for the one asked for.
    pub epoch: i32,
}

impl Answer {
    /// The marks and files of a partition.
    pub(crate) fn of(state: &PartitionState) -> Answer {
        let file = |file: FileName| {
            let bytes = state.files().used(file).unwrap_or_default();
            let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            let length = state.files().apparent_size(file).unwrap_or(0);
            format!("{file} {length} {}", hex(&bytes[..used]))
        };
        let mut files: Vec<String> = state.files().list().into_iter().map(file).collect();
        files.sort();
        Answer {
            log_start: Some(state.log_start().get()),
            high_watermark: Some(state.high_watermark().get()),
            log_end: Some(state.log_end().get()),
            files,
            ..Answer::default()
        }
    }
}

/// The first field in which Kafka's answer is another than the model's, with both values; of the files only those that
/// differ.
pub fn difference(model: &Answer, kafka: &Answer) -> Option<(String, String, String)> {
    let mut kafka = kafka.clone();
    kafka.files.retain(|file| modelled(file));
    let (model, kafka) = (serde_json::to_value(model).ok()?, serde_json::to_value(kafka).ok()?);
    let (model, kafka) = (model.as_object()?, kafka.as_object()?);
    let fields = model.keys().chain(kafka.keys().filter(|key| !model.contains_key(*key)));
    fields
        .into_iter()
        .find(|field| model.get(*field) != kafka.get(*field))
        .map(|field| {
            let (mut left, mut right) = (model.get(field).cloned(), kafka.get(field).cloned());
            if let (Some(Value::Array(left)), Some(Value::Array(right))) = (&mut left, &mut right) {
                let both: Vec<Value> = left.iter().filter(|one| right.contains(one)).cloned().collect();
                left.retain(|one| !both.contains(one));
                right.retain(|one| !both.contains(one));
            }
            let show = |value: Option<Value>| value.map_or_else(|| "nothing".to_string(), |value| value.to_string());
            (field.clone(), show(left), show(right))
        })
}

/// Whether the model has such a file: it knows of no producers and no leader epochs yet.
fn modelled(file: &str) -> bool {
    let name = file.split(' ').next().unwrap_or_default().trim_end_matches(".deleted");
    [".log", ".index", ".timeindex"]
        .iter()
        .any(|ending| name.ends_with(ending))
}
