//! Commands, as written.

use partition_log::config::Value;

use partition_log::rules::fetch::Isolation;

use super::broker::{BrokerCommand, Source};
use super::expect::Expectation;
use super::input::{Input, InputName, InputValue};
use super::quantity::{Amount, Measure, Quantity};

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `title "Find offset 9"`: what the scenario is called.
    Title(String),
    /// `try "8 has an entry of its own" offset=8`: other values for the inputs, worth a look.
    Try(Try),
    /// `input offset=9 range=0..20`: a number that the reader can change.
    Input(Input),
    /// `set segment.bytes=300B`: settings under Kafka's keys.
    Set(Vec<Setting>),
    /// `append 45B every=2s x6`.
    Append(Append),
    /// `batch 3 total=145B`.
    Batch(Batch),
    /// `format v2`: how `append` writes from here on.
    Format(Format),
    /// `wait 40s`.
    Wait(Quantity),
    /// `at 75s`.
    At(Quantity),
    /// `fetch 9 max=150B`.
    Fetch {
        /// Where from.
        from: FetchFrom,
        /// Bytes at most; `max.partition.fetch.bytes` if not given.
        max: Option<Quantity>,
        /// Up to where; below the high watermark if not given.
        isolation: Option<Isolation>,
    },
    /// `find-time 31s`.
    FindTime(FindTime),
    /// `check-retention`: a check now, beside the periodic ones.
    CheckRetention,
    /// `commit 3`.
    Commit(CommitOffset),
    /// `reset earliest`: the consumer's `auto.offset.reset`.
    Reset(ResetTo),
    /// `high-watermark 12`.
    HighWatermark(HighWatermark),
    /// `delete-records 7`: everything below this offset.
    DeleteRecords(Quantity),
    /// What is done to the broker, or by its clients beyond plain appends and reads.
    Broker(BrokerCommand),
    /// `phase scan "Scan the log" from=scan`.
    Phase {
        /// For links.
        id: String,
        /// For the timeline.
        title: String,
        /// Where it begins; at the next frame if not given.
        from: Option<Stage>,
    },
    /// `say "…"`: a sentence of the author's.
    Say(String),
    /// `expect log-end=20`.
    Expect(Vec<Expectation>),
}

impl Command {
    /// The names of the others, in the order of the reference page.
    const NAMES: [&'static str; 19] = [
        "title",
        "input",
        "try",
        "set",
        "append",
        "batch",
        "format",
        "wait",
        "at",
        "fetch",
        "find-time",
        "check-retention",
        "commit",
        "reset",
        "high-watermark",
        "delete-records",
        "phase",
        "say",
        "expect",
    ];

    /// Every command's name.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Command::NAMES.into_iter().chain(BrokerCommand::NAMES)
    }

    /// The name that the command begins with.
    pub const fn name(&self) -> &'static str {
        match self {
            Command::Title(_) => "title",
            Command::Try(_) => "try",
            Command::Input(_) => "input",
            Command::Set(_) => "set",
            Command::Append(_) => "append",
            Command::Batch(_) => "batch",
            Command::Format(_) => "format",
            Command::Wait(_) => "wait",
            Command::At(_) => "at",
            Command::Fetch { .. } => "fetch",
            Command::FindTime(_) => "find-time",
            Command::CheckRetention => "check-retention",
            Command::Commit(_) => "commit",
            Command::Reset(_) => "reset",
            Command::HighWatermark(_) => "high-watermark",
            Command::DeleteRecords(_) => "delete-records",
            Command::Broker(command) => command.name(),
            Command::Phase { .. } => "phase",
            Command::Say(_) => "say",
            Command::Expect(_) => "expect",
        }
    }
}

/// Values for the inputs under which something else happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Try {
    /// What happens then.
    pub label: String,
    /// The values that differ from the defaults.
    pub values: Vec<(InputName, InputValue)>,
}

/// A key of Kafka's and the value to give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The key, as written: a topic's, a broker's or a consumer's.
    pub key: String,
    /// The value.
    pub value: SettingValue,
}

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingValue {
    /// A number.
    Amount(Amount),
    /// A word: `max`, `CreateTime`.
    Word(String),
    /// `$name`.
    Input(InputName),
}

impl SettingValue {
    /// As the model takes it, if it is written out.
    pub fn literal(&self) -> Option<Value> {
        match self {
            SettingValue::Amount(amount) => Some(amount.value()),
            SettingValue::Word(word) => Some(Value::Word(word.clone())),
            SettingValue::Input(_) => None,
        }
    }
}

/// What `append` and `batch` share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How far the clock moves before each append.
    pub every: Option<Quantity>,
    /// The timestamp, where it is not the clock.
    pub ts: Option<Timestamp>,
    /// The key of each record.
    pub key: Option<String>,
    /// The idempotent producer that sends it, by name.
    pub producer: Option<String>,
    /// Its sequence number for the first record; the one that follows if not given.
    pub sequence: Option<Quantity>,
    /// Who sends it; a client if not given.
    pub from: Option<Source>,
    /// The first offset, where a replica's log has a gap.
    pub offset: Option<Quantity>,
    /// How often, in all; once through the sizes if not given.
    pub times: Option<Quantity>,
    /// Whether all arrive in one append, after the clock has moved for each.
    pub together: bool,
}

/// A timestamp of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timestamp {
    /// A time.
    At(Quantity),
    /// None at all: −1 on disk.
    None,
}

/// `append`: records, each alone in its message or batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// Sizes in the log, taken in turn.
    pub sizes: Vec<Quantity>,
    /// The rest.
    pub options: Options,
}

/// `batch`: several records in one batch of format v2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// How many records.
    pub records: Quantity,
    /// Size of the whole batch in the log.
    pub total: Quantity,
    /// Headers of each record; 0 if not given.
    pub headers: Option<Quantity>,
    /// The rest.
    pub options: Options,
}

/// How `append` writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Message format v1, one record a message, at least 34 B.
    #[default]
    V1,
    /// Record batch v2.
    V2,
}

/// Where a fetch starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchFrom {
    /// At an offset.
    Offset(Quantity),
    /// Where the group committed; the reset policy decides if that is gone.
    Committed,
    /// Where the consumer is.
    Next,
    /// From there on, fetch after fetch, until there is nothing more.
    Rest,
}

/// A part of what a command does: where a phase can begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A segment is chosen.
    Segment,
    /// The time index is searched.
    TimeIndex,
    /// The offset index is searched.
    OffsetIndex,
    /// The log is scanned.
    Scan,
    /// Bytes are sent, or an offset is answered.
    Answer,
    /// A segment is about to be closed.
    Roll,
    /// A batch is written.
    Append,
    /// An index entry is written.
    Entry,
    /// A retention check runs.
    Check,
    /// Segments leave the log.
    Delete,
    /// Files are removed.
    Remove,
    /// A consumer's offset is not in the log.
    Reset,
}

impl Stage {
    /// All, in the order of the reference page.
    pub const ALL: [Stage; 12] = [
        Stage::Segment,
        Stage::TimeIndex,
        Stage::OffsetIndex,
        Stage::Scan,
        Stage::Answer,
        Stage::Roll,
        Stage::Append,
        Stage::Entry,
        Stage::Check,
        Stage::Delete,
        Stage::Remove,
        Stage::Reset,
    ];

    /// As it is written behind `from=`.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Segment => "segment",
            Stage::TimeIndex => "time-index",
            Stage::OffsetIndex => "offset-index",
            Stage::Scan => "scan",
            Stage::Answer => "answer",
            Stage::Roll => "roll",
            Stage::Append => "append",
            Stage::Entry => "entry",
            Stage::Check => "check",
            Stage::Delete => "delete",
            Stage::Remove => "remove",
            Stage::Reset => "reset",
        }
    }
}

/// What is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindTime {
    /// The first record at or after a time.
    Time(Quantity),
    /// The log start offset.
    Earliest,
    /// The high watermark.
    Latest,
    /// The record with the largest timestamp.
    MaxTimestamp,
    /// The first offset on this broker's disk.
    EarliestLocal,
    /// The last offset in remote storage.
    LatestTiered,
    /// The first offset that still has to be copied to remote storage.
    EarliestPendingUpload,
}

impl FindTime {
    /// Those that have a name.
    pub fn named() -> impl Iterator<Item = FindTime> {
        const NAMED: [FindTime; 6] = [
            FindTime::Earliest,
            FindTime::Latest,
            FindTime::MaxTimestamp,
            FindTime::EarliestLocal,
            FindTime::LatestTiered,
            FindTime::EarliestPendingUpload,
        ];
        NAMED.into_iter()
    }

    /// As it is written; `None` for a time.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            FindTime::Time(_) => return None,
            FindTime::Earliest => "earliest",
            FindTime::Latest => "latest",
            FindTime::MaxTimestamp => "max-timestamp",
            FindTime::EarliestLocal => "earliest-local",
            FindTime::LatestTiered => "latest-tiered",
            FindTime::EarliestPendingUpload => "earliest-pending-upload",
        })
    }
}

/// What is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitOffset {
    /// An offset.
    Offset(Quantity),
    /// The offset that the consumer reads next.
    Next,
    /// Nothing: the group has no committed offset.
    None,
}

/// A policy, or the input that holds one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResetTo {
    /// As written.
    Policy(Policy),
    /// `$reset`.
    Input(InputName),
}

/// A value of `auto.offset.reset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// `earliest`
    Earliest,
    /// `latest`
    Latest,
    /// `none`
    None,
    /// `by-duration=20s`
    ByDuration(Quantity),
}

impl Policy {
    /// Reads a policy that is written out: `earliest`, `by-duration=20s`.
    pub fn parse(text: &str) -> Option<Policy> {
        match text {
            "earliest" => Some(Policy::Earliest),
            "latest" => Some(Policy::Latest),
            "none" => Some(Policy::None),
            _ => {
                let amount = Amount::parse(text.strip_prefix("by-duration=")?).ok()?;
                let fits = Measure::Time.accepts(amount.unit()) && amount.base() >= 0;
                fits.then_some(Policy::ByDuration(Quantity::Written(amount)))
            }
        }
    }
}

/// What becomes of the high watermark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HighWatermark {
    /// It stays at an offset.
    At(Quantity),
    /// It follows the log end, as with one replica.
    Follow,
}
