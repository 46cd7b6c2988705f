//! Settings of a topic, its broker and its consumer, under Kafka's own keys, with Kafka 4.4.0's defaults and ranges.
//!
//! Source: `LogConfig`, `TopicConfig`, `ServerLogConfigs`, `ConsumerConfig`. May know the units only.

mod choices;
mod known;
mod properties;

use core::fmt;

use crate::units::{bytes, duration, grouped};

use choices::Stored;
pub use choices::{AutoOffsetReset, CleanupPolicy, TimestampType};
pub use known::{KNOWN, Known, KnownType, NotModelled};
pub use properties::{LeftOut, Properties, PropertiesError};

/// What a setting's value counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum SettingKind {
    /// Bytes.
    Bytes,
    /// Milliseconds.
    Duration,
    /// Things, for example messages.
    Count,
    /// One of the words listed.
    Choice(&'static [&'static str]),
}

/// Further keys of the broker for the default of a topic's setting, in Kafka's order behind
/// [`broker_key`](Spec::broker_key): a plain number, and what multiplies it
/// (Kafka: `ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS`).
const SYNONYMS: &[(&str, &str, i64)] = &[
    ("log.retention.minutes", "retention.ms", 60_000),
    ("log.retention.hours", "retention.ms", 3_600_000),
    ("log.roll.hours", "segment.ms", 3_600_000),
    ("log.roll.jitter.hours", "segment.jitter.ms", 3_600_000),
];

/// Who reads a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum SettingScope {
    /// The topic's own; the broker holds a default for it under another key.
    Topic,
    /// The broker, for all its topics; set at time 0 only.
    Broker,
    /// The consumer.
    Consumer,
}

/// A setting: its key, its default and its range. What it is for stands at its field of [`Settings`].
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Spec {
    /// Kafka's key.
    pub key: &'static str,
    /// Who reads it.
    pub scope: SettingScope,
    /// What its value counts.
    pub kind: SettingKind,
    /// Kafka 4.4.0's default; for a choice, the index of the word.
    pub default: i64,
    /// The smallest value that is accepted here.
    pub min: i64,
    /// The largest value that is accepted.
    pub max: i64,
    /// Kafka's own minimum where it is larger than `min`: below it the partition is scaled down.
    pub scaled_below: Option<i64>,
    /// The broker's key for the default of a topic setting.
    pub broker_key: Option<&'static str>,
}

const MAX: i64 = i64::MAX;
const INT_MAX: i64 = i32::MAX as i64;

macro_rules! settings {
    ($( $field:ident $kind_of:ty: $key:literal, $scope:ident, $kind:expr, $default:expr, $min:expr, $max:expr, $scaled:expr, $broker:expr, $purpose:literal; )*) => {
        /// Every setting the model knows, in the order of this table.
        pub const SPECS: &[Spec] = &[$( Spec {
            key: $key, scope: SettingScope::$scope, kind: $kind, default: $default, min: $min, max: $max,
            scaled_below: $scaled, broker_key: $broker,
        } ),*];

        /// The settings in force. All sizes in bytes, all spans in milliseconds; −1 where Kafka uses it for "no limit".
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Settings { $(
            #[doc = concat!("`", $key, "`: ", $purpose)]
            pub $field: $kind_of, )*
        }

        impl Default for Settings {
            fn default() -> Settings {
                Settings { $( $field: <$kind_of>::from_stored($default) ),* }
            }
        }

        impl Settings {
            /// The value behind a key of [`SPECS`]; of a choice, the number that [`Spec::show`] shows as its word.
            pub fn get(&self, key: &str) -> Option<i64> {
                match key { $( $key => Some(self.$field.stored()), )* _ => None }
            }

            /// These settings with one of them changed; the value must come from [`Settings::check`].
            pub(crate) fn put(&mut self, key: &str, value: i64) {
                match key { $( $key => self.$field = <$kind_of>::from_stored(value), )* _ => {} }
            }
        }
    };
}

settings! {
    segment_bytes i64: "segment.bytes", Topic, SettingKind::Bytes, 1 << 30, 14, INT_MAX, Some(1 << 20), Some("log.segment.bytes"),
        "largest size of one `.log` file; the append that would pass it goes to a new segment";
    segment_ms i64: "segment.ms", Topic, SettingKind::Duration, 604_800_000, 1, MAX, None, Some("log.roll.ms"),
        "largest span between the first record of a segment and an append that still joins it";
    segment_jitter_ms i64: "segment.jitter.ms", Topic, SettingKind::Duration, 0, 0, MAX, None, Some("log.roll.jitter.ms"),
        "upper bound of the random part taken off segment.ms, drawn once a segment";
    segment_index_bytes i64: "segment.index.bytes", Topic, SettingKind::Bytes, 10 << 20, 4, INT_MAX, None, Some("log.index.size.max.bytes"),
        "size at which each index file of the active segment is created";
    index_interval_bytes i64: "index.interval.bytes", Topic, SettingKind::Bytes, 4096, 0, INT_MAX, None, Some("log.index.interval.bytes"),
        "bytes of log that must be exceeded between two index entries";
    max_message_bytes i64: "max.message.bytes", Topic, SettingKind::Bytes, (1 << 20) + 12, 0, INT_MAX, None, Some("message.max.bytes"),
        "largest batch that a producer may append";
    retention_ms i64: "retention.ms", Topic, SettingKind::Duration, 604_800_000, -1, MAX, None, Some("log.retention.ms"),
        "age of a segment's largest timestamp above which the segment goes; -1: no limit";
    retention_bytes i64: "retention.bytes", Topic, SettingKind::Bytes, -1, -1, MAX, None, Some("log.retention.bytes"),
        "size of the partition's log above which its oldest segments go; -1: no limit";
    cleanup_policy CleanupPolicy: "cleanup.policy", Topic, SettingKind::Choice(CleanupPolicy::WORDS), 0, 0, 0, None, Some("log.cleanup.policy"),
        "what makes records go; of Kafka's two policies, compact is not modelled";
    file_delete_delay_ms i64: "file.delete.delay.ms", Topic, SettingKind::Duration, 60_000, 0, MAX, None, Some("log.segment.delete.delay.ms"),
        "time between the rename to .deleted and the removal of the file";
    message_timestamp_type TimestampType: "message.timestamp.type", Topic, SettingKind::Choice(TimestampType::WORDS), 0, 0, 1, None, Some("log.message.timestamp.type"),
        "whether a record keeps its producer's timestamp or takes the broker's clock";
    message_timestamp_before_max_ms i64: "message.timestamp.before.max.ms", Topic, SettingKind::Duration, MAX, 0, MAX, None, Some("log.message.timestamp.before.max.ms"),
        "how far a record's timestamp may lie behind the broker's clock";
    message_timestamp_after_max_ms i64: "message.timestamp.after.max.ms", Topic, SettingKind::Duration, 3_600_000, 0, MAX, None, Some("log.message.timestamp.after.max.ms"),
        "how far a record's timestamp may lie ahead of the broker's clock";
    retention_check_interval_ms i64: "log.retention.check.interval.ms", Broker, SettingKind::Duration, 300_000, 1, MAX, None, None,
        "time between two retention checks";
    initial_task_delay_ms i64: "log.initial.task.delay.ms", Broker, SettingKind::Duration, 30_000, 0, MAX, None, None,
        "time from the broker's start to the first retention check";
    recovery_checkpoint_ms i64: "log.flush.offset.checkpoint.interval.ms", Broker, SettingKind::Duration, 60_000, 0, INT_MAX, None, None,
        "time between two savings of the recovery point";
    start_offset_checkpoint_ms i64: "log.flush.start.offset.checkpoint.interval.ms", Broker, SettingKind::Duration, 60_000, 0, INT_MAX, None, None,
        "time between two savings of the log start offset";
    watermark_checkpoint_ms i64: "replica.high.watermark.checkpoint.interval.ms", Broker, SettingKind::Duration, 5_000, 0, MAX, None, None,
        "time between two savings of the high watermark";
    producer_id_expiration_ms i64: "producer.id.expiration.ms", Broker, SettingKind::Duration, 86_400_000, 1, INT_MAX, None, None,
        "time after which a producer that is silent is forgotten";
    producer_id_check_ms i64: "producer.id.expiration.check.interval.ms", Broker, SettingKind::Duration, 600_000, 1, INT_MAX, None, None,
        "time between two looks for silent producers";
    max_partition_fetch_bytes i64: "max.partition.fetch.bytes", Consumer, SettingKind::Bytes, 1 << 20, 0, INT_MAX, None, None,
        "bytes a fetch asks for from one partition";
    auto_offset_reset AutoOffsetReset: "auto.offset.reset", Consumer, SettingKind::Choice(AutoOffsetReset::WORDS), 0, 0, MAX, None, None,
        "where a consumer goes on whose offset is not in the log";
}

impl Spec {
    /// The entry of [`SPECS`] for a topic, broker or consumer key; a broker key finds the topic setting that it is the
    /// default of.
    pub fn find(key: &str) -> Option<&'static Spec> {
        Spec::with_factor(key).map(|(spec, _)| spec)
    }

    /// The same, and what multiplies a value that is written behind this key.
    fn with_factor(key: &str) -> Option<(&'static Spec, i64)> {
        let synonym = SYNONYMS.iter().find(|(synonym, ..)| *synonym == key);
        let (topic_key, factor) = synonym.map_or((key, 1), |(_, topic_key, factor)| (*topic_key, *factor));
        let mut all = SPECS.iter();
        let found = all.find(|spec| spec.key == topic_key || spec.broker_key == Some(topic_key));
        found.map(|spec| (spec, factor))
    }

    /// Which of several keys for this setting decides: the smallest number
    /// (Kafka: the topic's own key, then the broker's in the order of `ServerTopicConfigSynonyms`).
    fn precedence(&self, key: &str) -> usize {
        let mut synonyms = SYNONYMS.iter().filter(|(_, topic_key, _)| *topic_key == self.key);
        match key {
            _ if key == self.key => 0,
            _ if self.broker_key == Some(key) => 1,
            _ => 2 + synonyms.position(|(synonym, ..)| *synonym == key).unwrap_or_default(),
        }
    }

    /// A value as a person reads it: `300 B`, `7 d`, `no limit`, `CreateTime`.
    pub fn show(&self, value: i64) -> String {
        match self.kind {
            _ if value == -1 => "-1".to_string(),
            SettingKind::Choice(_) if self.key == "auto.offset.reset" => {
                AutoOffsetReset::from_stored(value).to_string()
            }
            SettingKind::Choice(words) => words
                .get(value as usize)
                .map_or_else(|| grouped(value), |word| (*word).to_string()),
            _ if value == MAX => "max".to_string(),
            SettingKind::Bytes => bytes(value),
            SettingKind::Duration => duration(value),
            SettingKind::Count => grouped(value),
        }
    }

    /// The accepted values in words.
    pub fn range(&self) -> String {
        match self.kind {
            SettingKind::Choice(words) => words.join(" or "),
            _ => format!("{} to {}", self.show(self.min), self.show(self.max)),
        }
    }
}

/// A value as it was written, with the unit that it carried.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Value {
    /// A plain number.
    Number(i64),
    /// A number with a unit of size, in bytes.
    Bytes(i64),
    /// A number with a unit of time, in milliseconds.
    Duration(i64),
    /// A word.
    Word(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Bytes(size) => f.write_str(&bytes(*size)),
            Value::Duration(ms) => f.write_str(&duration(*ms)),
            Value::Word(word) => f.write_str(word),
        }
    }
}

/// Why a setting was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum SettingError {
    /// Kafka has this setting, or this value of it, and the model has not.
    NotModelled {
        /// The key as written.
        key: String,
        /// What it belongs to.
        missing: NotModelled,
    },
    /// No setting has this key.
    UnknownKey {
        /// The key as written.
        key: String,
        /// The known key that looks most like it.
        nearest: &'static str,
    },
    /// The value is outside the range of its setting.
    OutOfRange {
        /// The setting.
        spec: &'static Spec,
        /// The value as written.
        value: Value,
    },
    /// The value carries another unit than its setting counts.
    WrongUnit {
        /// The setting.
        spec: &'static Spec,
        /// The value as written.
        value: Value,
    },
    /// A broker's setting was changed while the broker runs.
    BrokerRunning {
        /// The key as written.
        key: String,
    },
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingError::NotModelled { key, missing } => {
                write!(f, "`{key}` is a setting of Kafka's that is not modelled: {missing}")
            }
            SettingError::UnknownKey { key, nearest } => {
                write!(f, "no setting is called `{key}`; did you mean `{nearest}`?")
            }
            SettingError::OutOfRange { spec, value } => {
                write!(f, "`{}` cannot be {value}: it takes {}", spec.key, spec.range())
            }
            SettingError::WrongUnit { spec, value } => {
                let unit = match spec.kind {
                    SettingKind::Bytes => "a size (B, KiB, MiB, GiB)",
                    SettingKind::Duration => "a span of time (ms, s, m, h, d)",
                    SettingKind::Count => "a plain number",
                    SettingKind::Choice(_) => "a word",
                };
                write!(f, "`{}` cannot be {value}: it takes {unit}, {}", spec.key, spec.range())
            }
            SettingError::BrokerRunning { key } => {
                write!(
                    f,
                    "`{key}` is the broker's own and is read at its start: set it before the clock moves"
                )
            }
        }
    }
}

impl core::error::Error for SettingError {}

impl PartialEq for Spec {
    fn eq(&self, other: &Spec) -> bool {
        self.key == other.key
    }
}

impl Eq for Spec {}

impl Settings {
    /// Checks a key and a value, and gives the setting and the number to store.
    ///
    /// # Errors
    ///
    /// [`SettingError`]: an unknown key, a wrong unit, a value out of range.
    ///
    /// ```
    /// use partition_log::config::{Settings, Value};
    ///
    /// let (spec, value) = Settings::check("segment.bytes", &Value::Bytes(300)).expect("a small segment");
    /// assert_eq!((spec.key, value), ("segment.bytes", 300));
    /// let error = Settings::check("segment.byte", &Value::Bytes(300)).expect_err("a typing slip");
    /// assert!(error.to_string().contains("did you mean `segment.bytes`"));
    /// ```
    pub fn check(key: &str, value: &Value) -> Result<(&'static Spec, i64), SettingError> {
        let (spec, factor) = Spec::with_factor(key).ok_or_else(|| match NotModelled::of(key) {
            Some(missing) => SettingError::NotModelled {
                key: key.to_string(),
                missing,
            },
            None => SettingError::UnknownKey {
                key: key.to_string(),
                nearest: nearest_key(key),
            },
        })?;
        let wrong_unit = || SettingError::WrongUnit {
            spec,
            value: value.clone(),
        };
        let out_of_range = || SettingError::OutOfRange {
            spec,
            value: value.clone(),
        };
        let number = match (spec.kind, value) {
            (SettingKind::Choice(words), Value::Word(word)) => {
                let known = words.iter().position(|known| *known == word);
                let span = || AutoOffsetReset::by_duration(word).filter(|_| spec.key == "auto.offset.reset");
                let stored = known.map(|index| index as i64).or_else(|| Some(span()?.stored()));
                return match stored {
                    Some(stored) => Ok((spec, stored)),
                    None if spec.key == "cleanup.policy" && word.split(',').all(|part| known_policy(part.trim())) => {
                        Err(SettingError::NotModelled {
                            key: key.to_string(),
                            missing: NotModelled::Compaction,
                        })
                    }
                    None => Err(out_of_range()),
                };
            }
            (_, Value::Word(word)) if word == "max" => spec.max,
            (SettingKind::Choice(_), _) => return Err(wrong_unit()),
            (_, Value::Word(word)) => word.trim().parse().map_err(|_| wrong_unit())?,
            (SettingKind::Bytes, Value::Bytes(number)) => *number,
            // Behind a key that counts hours stand whole hours.
            (SettingKind::Duration, Value::Duration(number)) if number % factor == 0 => number / factor,
            (SettingKind::Duration, Value::Duration(_)) => return Err(out_of_range()),
            (_, Value::Number(number)) => *number,
            _ => return Err(wrong_unit()),
        };
        // Below 0 a number of hours means no limit, as a number of milliseconds does.
        let number = match number {
            ..0 if factor > 1 => -1,
            _ => number.checked_mul(factor).ok_or_else(out_of_range)?,
        };
        if number < spec.min || number > spec.max {
            Err(out_of_range())
        } else {
            Ok((spec, number))
        }
    }

    /// Changes a setting before the partition exists; later [`Partition::set`](crate::Partition::set) records the change.
    ///
    /// # Errors
    ///
    /// As [`Settings::check`].
    pub fn set(&mut self, key: &str, value: &Value) -> Result<(), SettingError> {
        let (spec, number) = Settings::check(key, value)?;
        self.put(spec.key, number);
        Ok(())
    }

    /// Checks every value against its range: the fields are public, and a check interval of 0 would never end.
    ///
    /// # Errors
    ///
    /// [`SettingError::OutOfRange`] for the first value that its setting does not take.
    pub fn validate(&self) -> Result<(), SettingError> {
        let value_of = |spec: &Spec| self.get(spec.key).expect("every setting of the table has a value");
        match SPECS
            .iter()
            .find(|spec| !(spec.min..=spec.max).contains(&value_of(spec)))
        {
            Some(spec) => Err(SettingError::OutOfRange {
                spec,
                value: Value::Number(value_of(spec)),
            }),
            None => Ok(()),
        }
    }

    /// Whether a value lies below what Kafka accepts from its users, so that the partition is a scaled model.
    pub fn scaled(&self) -> bool {
        SPECS.iter().any(|spec| match (spec.scaled_below, self.get(spec.key)) {
            (Some(limit), Some(value)) => value < limit,
            _ => false,
        })
    }

    /// Whether records take the broker's clock (`message.timestamp.type=LogAppendTime`).
    pub fn log_append_time(&self) -> bool {
        self.message_timestamp_type == TimestampType::LogAppendTime
    }
}

/// Whether `cleanup.policy` can be this word in Kafka.
fn known_policy(word: &str) -> bool {
    matches!(word, "compact" | "delete")
}

/// The known key with the fewest edits to the one given.
fn nearest_key(key: &str) -> &'static str {
    SPECS
        .iter()
        .flat_map(|spec| [Some(spec.key), spec.broker_key])
        .flatten()
        .min_by_key(|known| edits(key, known))
        .expect("there are settings")
}

/// How many letters have to be changed, added or left out to make one word of the other (Levenshtein distance), for
/// errors that suggest what was meant. Of the left word only the first 64 bytes count.
pub fn edits(left: &str, right: &str) -> usize {
    let left = &left.as_bytes()[..left.len().min(64)];
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.bytes().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if *a == b {
                diagonal
            } else {
                1 + diagonal.min(above).min(row[j])
            };
            diagonal = above;
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_in_their_ranges() {
        for spec in SPECS {
            assert!((spec.min..=spec.max).contains(&spec.default), "{}", spec.key);
            assert_eq!(Settings::default().get(spec.key), Some(spec.default));
        }
    }

    #[test]
    fn a_broker_key_finds_its_topic_setting() {
        let (spec, value) = Settings::check("log.segment.bytes", &Value::Number(300)).expect("in range");
        assert_eq!((spec.key, value), ("segment.bytes", 300));
    }

    #[test]
    fn kafkas_other_units_and_plain_words_are_taken() {
        let cases = [
            ("log.retention.hours", Value::Number(168), 604_800_000),
            ("log.retention.minutes", Value::Word("-1".into()), -1),
            ("log.roll.hours", Value::Word("2".into()), 7_200_000),
            ("log.roll.hours", Value::Duration(3_600_000), 3_600_000),
            ("retention.ms", Value::Word("604800000".into()), 604_800_000),
            ("cleanup.policy", Value::Word("delete".into()), 0),
        ];
        for (key, value, number) in cases {
            assert_eq!(Settings::check(key, &value).expect(key).1, number, "{key}");
        }
    }

    #[test]
    fn a_consumer_goes_back_by_a_duration() {
        let mut settings = Settings::default();
        for (word, expected) in [
            ("by_duration:PT20S", Some(20_000)),
            ("by_duration:P1DT2H3M4.5S", Some(93_784_500)),
            ("by_duration:pt0.001s", Some(1)),
            ("by_duration:PT", None),
            ("by_duration:P1S", None),
            ("by_duration:PT1M1H", None),
            ("by_duration:PT-1S", None),
            ("by_duration:P106751991168D", None),
            ("by_duration", None),
        ] {
            let set = settings.set("auto.offset.reset", &Value::Word(word.into()));
            assert_eq!(set.is_ok(), expected.is_some(), "{word}");
            if let Some(ms) = expected {
                assert_eq!(settings.auto_offset_reset, AutoOffsetReset::ByDuration { ms });
            }
        }
        let spec = Spec::find("auto.offset.reset").expect("a setting");
        let stored = settings.get(spec.key).expect("a setting");
        assert_eq!(spec.show(stored), "by_duration:PT0.001S");
    }

    #[test]
    fn refusals_name_key_value_and_range() {
        let cases = [
            (
                "segment.bytes",
                Value::Bytes(13),
                "`segment.bytes` cannot be 13 B: it takes 14 B to 2,147,483,647 B",
            ),
            (
                "segment.ms",
                Value::Bytes(13),
                "`segment.ms` cannot be 13 B: it takes a span of time (ms, s, m, h, d), 1 ms to max",
            ),
            (
                "message.timestamp.type",
                Value::Word("Now".into()),
                "`message.timestamp.type` cannot be Now: it takes CreateTime or LogAppendTime",
            ),
            (
                "cleanup.policy",
                Value::Word("compact,delete".into()),
                "`cleanup.policy` is a setting of Kafka's that is not modelled: compaction keeps the newest record of each key",
            ),
            (
                "retention.bites",
                Value::Number(1),
                "no setting is called `retention.bites`; did you mean `retention.bytes`?",
            ),
        ];
        for (key, value, text) in cases {
            assert_eq!(Settings::check(key, &value).expect_err(key).to_string(), text);
        }
    }
}
