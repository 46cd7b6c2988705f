//! Reading: `fetch`, `find-time`.

use partition_log::rules::fetch::Isolation;
use partition_log::units::{Offset, TimestampMs};
use partition_log::{FetchOptions, ReadOutcome};

use super::{Definition, Kind, Needs, Words};
use crate::beat::Manner;
use crate::language::args::{Args, Text, is_number};
use crate::language::print::Printer;
use crate::language::written::Choice;
use crate::language::{Fault, Written};
use crate::machine::{Machine, Outcome};

/// `fetch 9 max=150B`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetch {
    /// Where from.
    pub from: FetchFrom,
    /// Bytes at most; `max.partition.fetch.bytes` if not given.
    pub max: Option<Written<u64>>,
    /// How far it may read; to the high watermark if not given.
    pub isolation: Option<Isolation>,
}

/// Where a fetch starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FetchFrom {
    /// At an offset.
    Offset(Written<Offset>),
    /// Where the group committed; the reset policy decides if that is gone.
    Committed,
    /// Where the consumer is.
    Next,
    /// From there on, fetch after fetch, until there is nothing more. Nothing after an exception: the application has
    /// stopped.
    Rest,
}

impl FetchFrom {
    /// As it is written; `None` for an offset.
    pub const fn name(&self) -> Option<&'static str> {
        match self {
            FetchFrom::Offset(_) => None,
            FetchFrom::Committed => Some("committed"),
            FetchFrom::Next => Some("next"),
            FetchFrom::Rest => Some("rest"),
        }
    }
}

impl Words for Fetch {
    const NAME: &'static str = "fetch";
    const GRAMMAR: &'static str =
        "( offset | \"committed\" | \"next\" | \"rest\" ) { \"max=\" size | \"isolation=\" ISOLATION }";

    fn parse(args: &mut Args<'_, '_>) -> Result<Fetch, Fault> {
        const FROM: &str = "an offset, `committed`, `next` or `rest`";
        let text = args.bare(FROM)?;
        let named = [FetchFrom::Committed, FetchFrom::Next, FetchFrom::Rest];
        let named = named.into_iter().find(|from| from.name() == Some(text.text));
        let from = match named {
            Some(from) => from,
            None if is_number(text.text) => FetchFrom::Offset(args.offset(text)?),
            None => return Err(text.unexpected(FROM)),
        };
        let mut pairs = args.pairs()?;
        let max = pairs.option("max", |size| args.size(size))?;
        let isolation = pairs.option("isolation", Text::choice)?;
        pairs.done()?;
        Ok(Fetch { from, max, isolation })
    }
}

impl Definition for Fetch {
    fn print(&self, words: &mut Printer) {
        match (&self.from, self.from.name()) {
            (FetchFrom::Offset(offset), _) => words.value(offset),
            (_, name) => words.word(name.unwrap_or_default()),
        }
        words.option("max", &self.max);
        words.pair("isolation", self.isolation.map(Isolation::word));
    }

    fn kind(&self) -> Kind {
        Kind::Reads
    }

    fn needs(&self) -> Needs {
        Needs::Running
    }

    fn manner(&self) -> Manner {
        match self.from {
            FetchFrom::Offset(_) => Manner::Closely,
            _ => Manner::Consumer,
        }
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        let options = FetchOptions {
            isolation: self.isolation.unwrap_or_default(),
            ..FetchOptions::limited(self.max.as_deref().copied())
        };
        let mut outcome = Outcome::default();
        let partition = &mut machine.partition;
        outcome.read = match &self.from {
            FetchFrom::Offset(offset) => {
                outcome.take(partition.trace(|partition| partition.fetch_with(**offset, options)))
            }
            FetchFrom::Committed => outcome.take(partition.trace(|partition| partition.fetch_committed_with(options))),
            FetchFrom::Next => outcome.take(partition.trace(|partition| partition.fetch_next_with(options))),
            FetchFrom::Rest if machine.stopped => return Ok(outcome),
            FetchFrom::Rest => rest(machine, options, &mut outcome),
        };
        machine.stopped = outcome.error.is_some();
        Ok(outcome)
    }
}

/// Fetches until nothing more comes; the sum of what was read.
fn rest(machine: &mut Machine, options: FetchOptions, outcome: &mut Outcome) -> Option<ReadOutcome> {
    let mut sum: Option<ReadOutcome> = None;
    loop {
        let before = machine.partition.state().consumer();
        let Some(read) = outcome.take(machine.partition.trace(|partition| partition.fetch_next_with(options))) else {
            return sum;
        };
        // Nothing came and the consumer stands where it stood: the end, or a batch that may not be read yet.
        let ends = read.records == 0 && machine.partition.state().consumer() == before;
        sum = Some(match sum {
            None => read,
            Some(so_far) => ReadOutcome {
                records: so_far.records.saturating_add(read.records),
                bytes: so_far.bytes + read.bytes,
                slice: so_far.slice + read.slice,
                skipped: so_far.skipped + read.skipped,
                next: read.next,
                answer: so_far.answer.or(read.answer),
                timestamp: so_far.timestamp.or(read.timestamp),
                segment: so_far.segment.or(read.segment),
                position: so_far.position.or(read.position),
                ..read
            },
        });
        if ends {
            return sum;
        }
    }
}

/// `find-time 31s`: a lookup by time (Kafka: `ListOffsets`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindTime {
    /// The first record at or after a time.
    Time(Written<TimestampMs>),
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
    /// As it is written; `None` for a time.
    pub const fn name(&self) -> Option<&'static str> {
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

    /// Kafka's number: a time in milliseconds, or one of the special ones below 0 (Kafka: `ListOffsetsRequest`).
    pub fn target(&self) -> i64 {
        match self {
            FindTime::Time(time) => time.get(),
            FindTime::Latest => -1,
            FindTime::Earliest => -2,
            FindTime::MaxTimestamp => -3,
            FindTime::EarliestLocal => -4,
            FindTime::LatestTiered => -5,
            FindTime::EarliestPendingUpload => -6,
        }
    }
}

impl Words for FindTime {
    const NAME: &'static str = "find-time";
    const GRAMMAR: &'static str = "( moment | \"earliest\" | \"latest\" | \"max-timestamp\" | \"earliest-local\" | \
                                   \"latest-tiered\" | \"earliest-pending-upload\" )";

    fn parse(args: &mut Args<'_, '_>) -> Result<FindTime, Fault> {
        const EXPECTED: &str = "a time, `earliest`, `latest`, `max-timestamp`, `earliest-local`, `latest-tiered` or \
                                `earliest-pending-upload`";
        let text = args.bare(EXPECTED)?;
        if is_number(text.text) {
            return args.time(text).map(FindTime::Time);
        }
        let named = [
            FindTime::Earliest,
            FindTime::Latest,
            FindTime::MaxTimestamp,
            FindTime::EarliestLocal,
            FindTime::LatestTiered,
            FindTime::EarliestPendingUpload,
        ];
        let found = named.into_iter().find(|named| named.name() == Some(text.text));
        found.ok_or_else(|| text.unexpected(EXPECTED))
    }
}

impl Definition for FindTime {
    fn print(&self, words: &mut Printer) {
        match (self, self.name()) {
            (FindTime::Time(time), _) => words.value(time),
            (_, name) => words.word(name.unwrap_or_default()),
        }
    }

    fn kind(&self) -> Kind {
        Kind::Reads
    }

    fn needs(&self) -> Needs {
        Needs::Running
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        let mut outcome = Outcome::default();
        outcome.read = outcome.take(machine.partition.trace(|partition| match self {
            FindTime::Time(target) => partition.find_time(**target),
            // Without remote storage all that is left is local
            // (Kafka: `UnifiedLog.fetchOffsetByTimestamp`, `-2`, `-4` to `-6`).
            FindTime::Earliest | FindTime::EarliestLocal => partition.find_earliest(),
            FindTime::Latest => partition.find_latest(),
            FindTime::MaxTimestamp => partition.find_max_timestamp(),
            FindTime::LatestTiered | FindTime::EarliestPendingUpload => partition.find_tiered(),
        }));
        Ok(outcome)
    }
}
