//! Random scenarios. A failing one prints in the scenario language, ready to be run again.

use std::fmt;

use partition_log::config::{SPECS, Settings, TimestampType};
use proptest::prelude::*;

/// One command.
#[derive(Clone, PartialEq)]
pub enum Command {
    /// Messages of format v1 have one record and no batch header.
    Append {
        size: u64,
        stamp: Stamp,
    },
    Batch {
        records: u32,
        extra: u64,
        stamp: Stamp,
    },
    Wait(i64),
    Settle,
    Fetch {
        offset: i64,
        limit: Option<u64>,
    },
    FetchNext,
    FetchCommitted,
    FindTime(i64),
    FindMaxTimestamp,
    FindEarliest,
    FindLatest,
    Check,
    Commit(Option<i64>),
    Reset(&'static str, i64),
    Pin(i64),
    Follow,
    DeleteRecords(i64),
    Set(&'static str, i64),
}

/// The timestamp of an append.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stamp {
    Clock,
    /// So many ms after the clock, or before it.
    Beside(i64),
    At(i64),
    None,
}

impl Stamp {
    pub fn resolve(self, clock: i64) -> Option<i64> {
        match self {
            Stamp::Clock => Some(clock),
            Stamp::Beside(ms) => Some((clock + ms).max(0)),
            Stamp::At(ms) => Some(ms),
            Stamp::None => None,
        }
    }
}

/// Settings and commands.
#[derive(Clone)]
pub struct Scenario {
    pub settings: Settings,
    pub commands: Vec<Command>,
}

impl Command {
    /// Whole size of a batch in bytes: 61 of header, 9 a record, and the rest.
    pub fn batch_size(records: u32, extra: u64) -> u64 {
        61 + 9 * u64::from(records) + extra
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stamp = |stamp: &Stamp| match stamp {
            Stamp::Clock => String::new(),
            Stamp::Beside(ms) => format!(" # ts = clock + {ms} ms"),
            Stamp::At(ms) => format!(" ts={ms}ms"),
            Stamp::None => " ts=none".to_string(),
        };
        match self {
            Command::Append { size, stamp: at } => write!(f, "append {size}B{}", stamp(at)),
            Command::Batch {
                records,
                extra,
                stamp: at,
            } => write!(
                f,
                "batch {records} total={}B{}",
                Command::batch_size(*records, *extra),
                stamp(at)
            ),
            Command::Wait(ms) => write!(f, "wait {ms}ms"),
            Command::Settle => f.write_str("# work due at this instant runs"),
            Command::Fetch { offset, limit: None } => write!(f, "fetch {offset}"),
            Command::Fetch {
                offset,
                limit: Some(limit),
            } => write!(f, "fetch {offset} max={limit}B"),
            Command::FetchNext => f.write_str("fetch next"),
            Command::FetchCommitted => f.write_str("fetch committed"),
            Command::FindTime(ms) => write!(f, "find-time {ms}ms"),
            Command::FindMaxTimestamp => f.write_str("find-time max-timestamp"),
            Command::FindEarliest => f.write_str("find-time earliest"),
            Command::FindLatest => f.write_str("find-time latest"),
            Command::Check => f.write_str("check-retention"),
            Command::Commit(Some(offset)) => write!(f, "commit {offset}"),
            Command::Commit(None) => f.write_str("commit none"),
            Command::Reset("by-duration", ms) => write!(f, "reset by-duration={ms}ms"),
            Command::Reset(policy, _) => write!(f, "reset {policy}"),
            Command::Pin(offset) => write!(f, "high-watermark {offset}"),
            Command::Follow => f.write_str("high-watermark follow"),
            Command::DeleteRecords(offset) => write!(f, "delete-records {offset}"),
            Command::Set(key, value) => write!(f, "set {key}={value}"),
        }
    }
}

impl fmt::Debug for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\n")?;
        for spec in SPECS {
            let value = self.settings.get(spec.key);
            if let Some(value) = value.filter(|value| *value != spec.default) {
                writeln!(f, "set {}={value}", spec.key)?;
            }
        }
        self.commands.iter().try_for_each(|command| writeln!(f, "{command:?}"))
    }
}

/// Times that often meet: whole half seconds, at times one millisecond beside.
fn spans(halves: std::ops::Range<i64>) -> impl Strategy<Value = i64> {
    (halves, prop::sample::select(vec![0, 0, 0, 0, 0, 0, -1, 1]))
        .prop_map(|(halves, beside)| (500 * halves + beside).max(0))
}

fn stamps() -> impl Strategy<Value = Stamp> {
    prop_oneof![
        6 => Just(Stamp::Clock),
        2 => (-60..120_i64).prop_map(|halves| Stamp::Beside(500 * halves)),
        1 => Just(Stamp::Beside(0)),
        2 => prop::sample::select(vec![0, 7_000, 7_001, 20_000, 100_000]).prop_map(Stamp::At),
        1 => Just(Stamp::None),
    ]
}

fn limits() -> impl Strategy<Value = Option<u64>> {
    prop_oneof![Just(None), (0..400_u64).prop_map(Some)]
}

fn changes() -> impl Strategy<Value = Command> {
    prop_oneof![
        (100..700_i64).prop_map(|value| Command::Set("segment.bytes", value)),
        spans(1..120).prop_map(|value| Command::Set("segment.ms", value.max(1))),
        (0..200_i64).prop_map(|value| Command::Set("index.interval.bytes", value)),
        spans(0..180).prop_map(|value| Command::Set("retention.ms", value)),
        Just(Command::Set("retention.ms", -1)),
        (-1..1_500_i64).prop_map(|value| Command::Set("retention.bytes", value)),
        spans(0..40).prop_map(|value| Command::Set("file.delete.delay.ms", value)),
        (12..200_i64).prop_map(|value| Command::Set("segment.index.bytes", value)),
    ]
}

fn commands() -> impl Strategy<Value = Command> {
    prop_oneof![
        20 => (34..120_u64, stamps()).prop_map(|(size, stamp)| Command::Append { size, stamp }),
        6 => (1..5_u32, 0..60_u64, stamps()).prop_map(|(records, extra, stamp)| Command::Batch { records, extra, stamp }),
        7 => spans(1..12).prop_map(Command::Wait),
        3 => (1..6_000_i64).prop_map(Command::Wait),
        2 => spans(12..600).prop_map(Command::Wait),
        2 => Just(Command::Settle),
        8 => (0..40_i64, limits()).prop_map(|(offset, limit)| Command::Fetch { offset, limit }),
        3 => Just(Command::FetchNext),
        2 => Just(Command::FetchCommitted),
        8 => spans(0..300).prop_map(Command::FindTime),
        1 => Just(Command::FindTime(7_000)),
        2 => Just(Command::FindMaxTimestamp),
        1 => Just(Command::FindEarliest),
        1 => Just(Command::FindLatest),
        3 => Just(Command::Check),
        2 => prop::option::of(0..30_i64).prop_map(Command::Commit),
        1 => (prop::sample::select(vec!["earliest", "latest", "none", "by-duration"]), spans(0..120))
            .prop_map(|(policy, ms)| Command::Reset(policy, ms)),
        2 => (0..40_i64).prop_map(Command::Pin),
        1 => Just(Command::Follow),
        2 => (0..40_i64).prop_map(Command::DeleteRecords),
        2 => changes(),
    ]
}

fn settings() -> impl Strategy<Value = Settings> {
    let segments = (
        100..700_i64,
        prop_oneof![3 => spans(2..120), 1 => Just(i64::MAX)],
        prop::sample::select(vec![0, 40, 80, 120, 300]),
        prop::sample::select(vec![12, 24, 36, 60, 100, 10 << 20, 10 << 20, 10 << 20]),
    );
    let retention = (
        prop_oneof![6 => spans(0..180), 1 => Just(-1), 1 => Just(0)],
        prop_oneof![1 => 0..1_500_i64, 1 => Just(-1)],
        prop_oneof![3 => spans(0..40), 1 => Just(0)],
        spans(2..40),
        spans(0..20),
    );
    let rest = (
        0..400_i64,
        prop_oneof![7 => Just(TimestampType::CreateTime), 1 => Just(TimestampType::LogAppendTime)],
        prop_oneof![Just(i64::MAX), spans(0..80)],
        prop_oneof![Just(3_600_000_i64), spans(0..80)],
        prop_oneof![4 => Just(1_048_588_i64), 1 => 60..200_i64],
    );
    (segments, retention, rest).prop_map(|(segments, retention, rest)| Settings {
        segment_bytes: segments.0,
        segment_ms: segments.1,
        index_interval_bytes: segments.2,
        segment_index_bytes: segments.3,
        retention_ms: retention.0,
        retention_bytes: retention.1,
        file_delete_delay_ms: retention.2,
        retention_check_interval_ms: retention.3,
        initial_task_delay_ms: retention.4,
        max_partition_fetch_bytes: rest.0,
        message_timestamp_type: rest.1,
        message_timestamp_before_max_ms: rest.2,
        message_timestamp_after_max_ms: rest.3,
        max_message_bytes: rest.4,
        ..Settings::default()
    })
}

/// Up to 60 commands under random settings.
pub fn scenarios() -> impl Strategy<Value = Scenario> {
    (settings(), prop::collection::vec(commands(), 1..60))
        .prop_map(|(settings, commands)| Scenario { settings, commands })
}
