//! A consumer of the partition: what it does, and what comes of it.

use partition_log::format::batch::Record;
use partition_log::rules::fetch::Isolation;
use partition_log::rules::reset::ResetPolicy;
use partition_log::step::Step;
use partition_log::units::{Offset, TimestampMs};
use partition_log::{Consumer, FetchOptions, LogError, Partition, TimeTarget};
use serde::{Deserialize, Serialize};

/// What a consumer does. Its group has one consumer at a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum ConsumerAct {
    /// A new consumer takes the place of the one before.
    Join {
        /// `isolation.level`.
        #[serde(with = "IsolationLevel")]
        isolation: Isolation,
        /// `auto.offset.reset`, as Kafka writes it.
        reset: String,
        /// `max.partition.fetch.bytes`.
        max_bytes: u32,
        /// `check.crcs`.
        check_crcs: bool,
    },
    /// One poll, with time enough for a lookup of its position and for a fetch.
    Poll,
    /// It goes to an offset.
    Seek {
        /// The offset.
        offset: i64,
    },
    /// It commits its position, if it has one.
    Commit,
    /// It looks up a time, or the end (-1) or the beginning (-2), with its own isolation.
    FindTime {
        /// The time, in milliseconds.
        target: i64,
    },
}

/// A record: offset, timestamp (-1 for none), and the sizes of key and value (-1 for none).
pub type ToldRecord = (i64, i64, i64, i64);

/// What comes of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Consumed {
    /// What a poll delivers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<ToldRecord>,
    /// The class of the exception.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The offset that a lookup found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<i64>,
    /// And the timestamp there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<i64>,
    /// The offset that is fetched next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<i64>,
    /// Records from there to the end, as it knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lag: Option<i64>,
    /// The offset that the group has committed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub committed: Option<i64>,
}

/// How a line names a consumer's isolation.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Isolation")]
enum IsolationLevel {
    #[serde(rename = "log_end")]
    LogEnd,
    #[serde(rename = "read_uncommitted")]
    HighWatermark,
    #[serde(rename = "read_committed")]
    TxnCommitted,
}

/// So many answers of the broker a poll waits for, at most: a reset may lead to an offset that is gone, too.
const ANSWERS_MAX: usize = 20;

impl ConsumerAct {
    /// Lets a consumer of the model do it. `None` where it cannot be compared: no consumer has joined, or a poll never ends.
    pub fn perform(&self, partition: &mut Partition, consumer: &mut Option<Consumer>) -> Option<Consumed> {
        perform(partition, consumer, self)
    }
}

fn perform(partition: &mut Partition, consumer: &mut Option<Consumer>, act: &ConsumerAct) -> Option<Consumed> {
    if let ConsumerAct::Join {
        isolation,
        reset,
        max_bytes,
        check_crcs: _,
    } = act
    {
        let committed = consumer.as_ref().and_then(Consumer::committed);
        let mut new = Consumer::new(partition.state().settings());
        new.set_reset_policy(reset_policy(reset)?);
        new.set_options(FetchOptions {
            isolation: *isolation,
            ..FetchOptions::limited(Some((*max_bytes).into()))
        });
        new.commit(committed);
        *consumer = Some(new);
    }
    let consumer = consumer.as_mut()?;
    let mut consumed = Consumed::default();
    let done = match act {
        ConsumerAct::Join { .. } => Ok(()),
        ConsumerAct::Poll => {
            let mut polled = consumer.clone();
            let done = poll(partition, &mut polled)?;
            *consumer = polled;
            done.map(|records| consumed.records = records)
        }
        ConsumerAct::Seek { offset } => {
            consumer.seek(Offset::new(*offset)?);
            Ok(())
        }
        ConsumerAct::Commit => {
            if let Some(position) = consumer.position() {
                consumer.commit(Some(position));
            }
            Ok(())
        }
        ConsumerAct::FindTime { target } => {
            let found = partition.find_time_with(TimeTarget::from_number(*target)?, consumer.options().isolation);
            found.map(|found| {
                consumed.found = found.answer.map(Offset::get);
                consumed.timestamp = found.timestamp.map(TimestampMs::get).filter(|_| *target >= 0);
            })
        }
    };
    consumed.error = done.err().map(|error| match (act, error.kafka_name()) {
        // Whatever the broker answers, a lookup is tried again until its time is over.
        (ConsumerAct::FindTime { .. }, Some(_)) => "TimeoutException".to_string(),
        (_, Some(name)) => name.to_string(),
        (_, None) => error.to_string(),
    });
    consumed.position = consumer.position().map(Offset::get);
    consumed.lag = consumer.lag();
    consumed.committed = consumer.committed().map(Offset::get);
    Some(consumed)
}

/// A poll of Kafka's: it goes on from a lookup of its position to the fetch, until something is delivered, the position moves
/// on, or nothing more comes (Kafka: `ClassicKafkaConsumer.poll`). None where each lookup leads to an offset that is not in the
/// log: then a poll ends wherever its time is over.
fn poll(partition: &mut Partition, consumer: &mut Consumer) -> Option<Result<Vec<ToldRecord>, LogError>> {
    for _ in 0..ANSWERS_MAX {
        let polled = consumer.poll(partition);
        let steps = consumer.take_steps();
        let looked_up = steps.iter().any(|step| matches!(step, Step::ResetDecided(_)));
        match polled {
            Ok(_) if looked_up && consumer.position().is_some() => {}
            done => return Some(done.map(|polled| polled.records.iter().map(told).collect())),
        }
    }
    None
}

fn told(record: &Record) -> ToldRecord {
    let size = |bytes: &Option<Vec<u8>>| bytes.as_ref().map_or(-1, |bytes| bytes.len() as i64);
    let timestamp = record.timestamp.map_or(-1, TimestampMs::get);
    (record.offset.get(), timestamp, size(&record.key), size(&record.value))
}

/// A policy as `auto.offset.reset` writes it, with durations in seconds.
fn reset_policy(text: &str) -> Option<ResetPolicy> {
    Some(match text {
        "earliest" => ResetPolicy::Earliest,
        "latest" => ResetPolicy::Latest,
        "none" => ResetPolicy::None,
        _ => {
            let seconds = text.strip_prefix("by_duration:PT")?.strip_suffix('S')?;
            let seconds: i64 = seconds.parse().ok()?;
            ResetPolicy::ByDuration { ms: seconds * 1_000 }
        }
    })
}
