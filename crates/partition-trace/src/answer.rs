//! What comes of an operation.

use partition_log::format::producers::ProducerEntry;
use partition_log::rules::fetch::Isolation;
use partition_log::rules::validate::AppendOrigin;
use partition_log::units::ProducerId;
use partition_log::{Offset, PartitionState, ReadOutcome, TimestampMs};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::changes::Files;
use crate::consumer::Consumed;

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
    /// What comes of what a consumer does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consumer: Option<Consumed>,
    /// What has changed in the files since the last answer, see [`Files`]: name, length, and bytes in hex up to the last
    /// that is not zero.
    #[serde(skip_serializing_if = "Vec::is_empty")]
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
    pub timestamp: i64,
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

/// How Kafka tells that nothing is in tiered storage.
const NONE_TIERED: Found = Found {
    offset: -1,
    timestamp: -1,
    epoch: Some(-1),
};

impl Appended {
    /// How Kafka tells that no batch came.
    pub(crate) const NOTHING: Appended = Appended { first: -1, last: -1 };

    /// What the model says of an append.
    pub(crate) fn of(appended: &partition_log::Appended, origin: AppendOrigin) -> Appended {
        // Before format v2 a follower sees only last offsets in the headers.
        let magic = appended.bytes.get(16).copied().unwrap_or(2);
        let has_first = magic >= 2 || origin != AppendOrigin::Replication;
        Appended {
            first: if has_first { appended.first_offset.get() } else { -1 },
            last: appended.last_offset.get(),
        }
    }
}

impl Answer {
    /// The marks and files of a partition.
    pub(crate) fn with_files(state: &PartitionState, files: &mut Files) -> Answer {
        Answer {
            files: files.changes(state),
            ..Answer::of(state)
        }
    }

    /// The marks of a partition.
    pub(crate) fn of(state: &PartitionState) -> Answer {
        if !state.running() {
            return Answer::default();
        }
        let epochs = state.leader_epochs().entries().iter();
        Answer {
            log_start: Some(state.log_start().get()),
            high_watermark: Some(state.high_watermark().get()),
            last_stable: Some(state.last_stable().get()),
            log_end: Some(state.log_end().get()),
            recovery_point: Some(state.recovery_point().get()),
            epochs: Some(epochs.map(|entry| (entry.epoch, entry.start.get())).collect()),
            producers: Some(
                state
                    .producers()
                    .entries()
                    .map(|(id, entry)| producer(id, entry))
                    .collect(),
            ),
            ..Answer::default()
        }
    }

    /// What a read answers.
    pub(crate) fn of_fetch(read: &ReadOutcome, isolation: Isolation) -> Answer {
        let aborted = read
            .aborted
            .iter()
            .map(|(producer, first)| (producer.get(), first.get()));
        Answer {
            segment: read.segment.map(Offset::get),
            position: read.position.map(|position| position.get() as i64),
            slice: Some(read.slice as i64),
            first_entry_incomplete: Some(read.first_incomplete),
            aborted: (isolation == Isolation::TxnCommitted).then(|| aborted.collect()),
            ..Answer::default()
        }
    }

    /// What a lookup by time answers.
    pub(crate) fn of_lookup(read: &ReadOutcome, target: i64) -> Answer {
        let found = |answer: Offset| Found {
            offset: answer.get(),
            timestamp: read.timestamp.map_or(-1, TimestampMs::get),
            epoch: read.epoch,
        };
        Answer {
            found: match target {
                -6 | -5 => Some(NONE_TIERED),
                _ => read.answer.map(found),
            },
            ..Answer::default()
        }
    }

    /// Where nothing is read, Kafka tells a place that means nothing to a reader.
    fn without_place_of_nothing(&self) -> Answer {
        let mut answer = self.clone();
        if answer.slice == Some(0) {
            (answer.segment, answer.position) = (None, None);
            answer.aborted = answer.aborted.filter(|aborted| !aborted.is_empty());
        }
        answer
    }

    /// The same with what an operation answered.
    pub(crate) fn with(self, special: Answer) -> Answer {
        Answer {
            log_start: self.log_start,
            high_watermark: self.high_watermark,
            last_stable: self.last_stable,
            log_end: self.log_end,
            recovery_point: self.recovery_point,
            epochs: self.epochs,
            producers: self.producers,
            files: self.files,
            ..special
        }
    }
}

fn producer(id: ProducerId, entry: &ProducerEntry) -> String {
    let transaction = entry.transaction.unwrap_or(-1);
    let ProducerEntry {
        epoch,
        coordinator_epoch,
        last_timestamp,
        ..
    } = entry;
    let mut text = format!(
        "{}:{epoch}:{coordinator_epoch}:{last_timestamp}:{transaction}",
        id.get()
    );
    for batch in entry.batches() {
        text += &format!(
            " {}@{}-{}t{}",
            batch.last_sequence, batch.last_offset, batch.offset_delta, batch.timestamp
        );
    }
    text
}

/// The first field in which Kafka's answer is another than the model's, with both values; of the files only those that
/// differ.
pub fn difference(model: &Answer, kafka: &Answer) -> Option<(String, String, String)> {
    if model == kafka {
        return None;
    }
    let (model, kafka) = (model.without_place_of_nothing(), kafka.without_place_of_nothing());
    let (model, kafka) = (serde_json::to_value(model).ok()?, serde_json::to_value(kafka).ok()?);
    let (model, kafka) = (model.as_object()?, kafka.as_object()?);
    let first = "error".to_string();
    let fields = model.keys().chain(kafka.keys().filter(|key| !model.contains_key(*key)));
    std::iter::once(&first)
        .chain(fields)
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
