//! Reading: `fetch`, `find-time`.

use partition_log::rules::fetch::Isolation;
use partition_log::units::{Offset, TimestampMs};
use partition_log::{Consumer, FetchOptions, ReadOutcome, TimeTarget};

use super::{Definition, Kind, Needs, Words};
use crate::beat::Manner;
use crate::language::amount::Amount;
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
        machine.consumer.set_options(options);
        let mut outcome = Outcome::default();
        outcome.read = match &self.from {
            FetchFrom::Offset(offset) => {
                machine.poll(&mut outcome, |consumer, partition| consumer.fetch(partition, **offset))
            }
            FetchFrom::Committed => machine.poll(&mut outcome, Consumer::restart),
            FetchFrom::Next => machine.poll(&mut outcome, Consumer::poll),
            FetchFrom::Rest if machine.stopped => return Ok(outcome),
            FetchFrom::Rest => rest(machine, &mut outcome),
        };
        machine.stopped = outcome.error.is_some();
        Ok(outcome)
    }
}

/// Fetches until nothing more comes; the sum of what was read.
fn rest(machine: &mut Machine, outcome: &mut Outcome) -> Option<ReadOutcome> {
    let mut sum: Option<ReadOutcome> = None;
    loop {
        let before = machine.consumer.position();
        let Some(read) = machine.poll(outcome, Consumer::poll) else {
            return sum;
        };
        // Nothing came and the consumer stands where it stood: the end, or a batch that may not be read yet.
        let ends = read.records == 0 && machine.consumer.position() == before;
        sum = Some(match sum {
            None => read,
            Some(so_far) => ReadOutcome {
                records: so_far.records.saturating_add(read.records),
                below: so_far.below.saturating_add(read.below),
                markers: so_far.markers.saturating_add(read.markers),
                aborted_records: so_far.aborted_records.saturating_add(read.aborted_records),
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
pub struct FindTime {
    /// What is asked for.
    pub target: FindTarget,
    /// Who asks: how far it may read; to the high watermark if not given.
    pub isolation: Option<Isolation>,
}

/// What a lookup by time asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindTarget {
    /// The first record at or after a time.
    Time(Written<TimestampMs>),
    /// One of the special targets, by its word.
    Named(TimeTarget),
}

/// The special targets and their words.
const NAMED: [(TimeTarget, &str); 6] = [
    (TimeTarget::Earliest, "earliest"),
    (TimeTarget::Latest, "latest"),
    (TimeTarget::MaxTimestamp, "max-timestamp"),
    (TimeTarget::EarliestLocal, "earliest-local"),
    (TimeTarget::LatestTiered, "latest-tiered"),
    (TimeTarget::EarliestPendingUpload, "earliest-pending-upload"),
];

impl FindTime {
    /// What is asked of the broker.
    pub fn asked(&self) -> TimeTarget {
        match &self.target {
            FindTarget::Time(time) => TimeTarget::Time(**time),
            FindTarget::Named(target) => *target,
        }
    }
}

impl Words for FindTime {
    const NAME: &'static str = "find-time";
    const GRAMMAR: &'static str = "( moment | \"earliest\" | \"latest\" | \"max-timestamp\" | \"earliest-local\" | \
                                   \"latest-tiered\" | \"earliest-pending-upload\" ) [ \"isolation=\" ISOLATION ]";

    fn parse(args: &mut Args<'_, '_>) -> Result<FindTime, Fault> {
        const EXPECTED: &str = "a time, `latest` (Kafka: -1), `earliest` (-2), `max-timestamp` (-3), `earliest-local` \
                                (-4), `latest-tiered` (-5) or `earliest-pending-upload` (-6)";
        let text = args.bare(EXPECTED)?;
        let target = match NAMED.into_iter().find(|(_, word)| *word == text.text) {
            Some((target, _)) => FindTarget::Named(target),
            None if text.text.starts_with('-') => {
                let number = Amount::parse(text.text).ok().filter(|number| number.unit().is_none());
                let target = number.and_then(|number| TimeTarget::from_number(number.base()));
                match target {
                    None | Some(TimeTarget::Time(_)) => return Err(text.unexpected(EXPECTED)),
                    Some(target) => FindTarget::Named(target),
                }
            }
            None if is_number(text.text) => FindTarget::Time(args.time(text)?),
            None => return Err(text.unexpected(EXPECTED)),
        };
        let mut pairs = args.pairs()?;
        let isolation = pairs.option("isolation", Text::choice)?;
        pairs.done()?;
        Ok(FindTime { target, isolation })
    }
}

impl Definition for FindTime {
    fn print(&self, words: &mut Printer) {
        match &self.target {
            FindTarget::Time(time) => words.value(time),
            FindTarget::Named(target) => {
                let named = NAMED.into_iter().find(|(known, _)| known == target);
                words.word(named.map_or("", |(_, word)| word));
            }
        }
        words.pair("isolation", self.isolation.map(Isolation::word));
    }

    fn kind(&self) -> Kind {
        Kind::Reads
    }

    fn needs(&self) -> Needs {
        Needs::Running
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        let mut outcome = Outcome::default();
        let isolation = self.isolation.unwrap_or_default();
        let trace = machine
            .partition
            .trace(|partition| partition.find_time_with(self.asked(), isolation));
        outcome.read = outcome.take(trace);
        Ok(outcome)
    }
}
