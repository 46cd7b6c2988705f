//! The words of every clause, in one table: its name, and the reason that a sentence gives when it decides.

use partition_log::rules::clause::{Clause, ClauseName, Exemption, Term, Unit};

use crate::Role;

/// How a clause is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// What it asks, in a few words, for a row or a label.
    pub name: &'static str,
    /// Where it holds. Numbers stand in for `{left}` and `{right}`, the comparison in words for `{is}`, and what is on the
    /// right for `{what}`.
    pub holds: &'static str,
    /// Where it does not, likewise.
    pub fails: &'static str,
}

impl Words {
    /// The one of the two texts that is true of a clause.
    pub const fn reason(&self, holds: bool) -> &'static str {
        if holds { self.holds } else { self.fails }
    }
}

/// A name, and one text for both answers.
const fn both(name: &'static str, text: &'static str) -> Words {
    either(name, text, text)
}

const fn either(name: &'static str, holds: &'static str, fails: &'static str) -> Words {
    Words { name, holds, fails }
}

/// Where the numbers speak for themselves: `140 + 40 = 180, not above 300 B`.
const COMPARED: &str = "{left}, {is} {right}";

/// The words of a clause.
pub const fn words(name: ClauseName) -> Words {
    match name {
        ClauseName::SegmentFull => both("size", COMPARED),
        ClauseName::SegmentOld => both("time", COMPARED),
        ClauseName::OffsetIndexFull => either(
            "offset index full",
            "the .index is full, {left} of {right} entries",
            "the .index has {left} of {right} entries",
        ),
        ClauseName::TimeIndexFull => either(
            "time index full",
            "the .timeindex is full with its closing entry, {left} of {right}",
            "the .timeindex has, with its closing entry, {left} of {right}",
        ),
        ClauseName::OffsetTooFar => both("offset too far", "the relative offset is {left}, {is} {right}"),
        ClauseName::IntervalPassed => both(
            "bytes since the last entry",
            "{left} since the last entry, {is} {right}",
        ),
        ClauseName::TimestampRisen => either(
            "time above the last entry",
            "{left} is above its last entry",
            "{left} is not above its last entry",
        ),
        ClauseName::BelowHighWatermark => {
            both("below the high watermark", "it ends at {left}, {is} the {what} {right}")
        }
        ClauseName::BelowLogStart => both(
            "below the log start offset",
            "it ends at {left}, {is} the {what} {right}",
        ),
        ClauseName::Surplus => both("surplus", "{left}, {is} its {right}"),
        ClauseName::TooOld => both("age", COMPARED),
        ClauseName::NotEmpty => either("not empty", "it has {left}", "it is empty and takes the next record"),
        ClauseName::NoLimit => either("no limit", "no limit is set", "the limit is {left}"),
        ClauseName::BelowLimit => both("below the limit", "the log has {left}, {is} {right}"),
        ClauseName::FromLogStart => both("from the log start on", "offset {left} is {is} the {what} {right}"),
        ClauseName::UpToLogEnd => both("up to the log end", "offset {left} is {is} the {what} {right}"),
        ClauseName::Visible => either(
            "visible to the reader",
            "offset {left} is below the {what} {right}",
            "offset {left} is not below the {what} {right}",
        ),
        ClauseName::FirstBatchWhole => both(
            "first batch too large",
            "the first batch has {left}, {is} the limit of {right}",
        ),
        ClauseName::CutByLimit => both(
            "more than the limit",
            "{left} to the end of the segment, {is} the limit of {right}",
        ),
        ClauseName::AboveRecoveryPoint => {
            both("above the recovery point", "it ends at {left}, {is} the {what} {right}")
        }
        ClauseName::BaseNotAbove => both("base offset not above it", COMPARED),
        ClauseName::ReachesTime => either(
            "reaches the time",
            "largest time {left}, not before {right}",
            "largest time {left}, before {right}",
        ),
        ClauseName::EntryNotAbove => both("entry not above it", COMPARED),
        ClauseName::ReachesOffset => either("reaches the offset", "not before {right}", "before {right}"),
        ClauseName::NotBefore => either("not before the time", "not before {right}", "before {right}"),
        ClauseName::IsLargest => either("the largest time", "the largest time of all", "not {right}"),
        ClauseName::EpochUnknown => both("leader epoch unknown", "leader epoch {left} is {is} the {what} {right}"),
        ClauseName::ProducerEpoch => both("producer epoch", "producer epoch {left} is {is} the {what} {right}"),
        ClauseName::Sequence => both("sequence number", "sequence number {left} is {is} the {what} {right}"),
        ClauseName::CoordinatorEpoch => both(
            "coordinator epoch",
            "coordinator epoch {left} is {is} the {what} {right}",
        ),
    }
}

/// Why a comparison did not decide.
pub const fn exempt(exemption: Exemption) -> &'static str {
    match exemption {
        Exemption::EmptySegment => "the segment is empty",
        Exemption::LastSegment => "it is the last segment",
        Exemption::CleanShutdown => "the shutdown was clean",
        Exemption::NoneKnown => "no sequence number is known before it",
    }
}

/// What a number on the right is.
pub(crate) const fn what(of: Term) -> &'static str {
    match of {
        Term::LogStart => "log start offset",
        Term::HighWatermark => "high watermark",
        Term::LastStable => "last stable offset",
        Term::LogEnd => "log end offset",
        Term::RecoveryPoint => "recovery point",
        Term::KnownEpoch => "known one",
        Term::ExpectedSequence => "expected one",
        Term::Setting(key) => key,
        _ => "limit",
    }
}

/// How a number of a clause is marked in a sentence.
pub(crate) fn role(of: Term, clause: &Clause) -> Role {
    match of {
        Term::AppendSize
        | Term::FirstBatchSize
        | Term::IncomingTimestamp
        | Term::Offset
        | Term::TargetOffset
        | Term::TargetTime
        | Term::NextBase
        | Term::SegmentEnd
        | Term::Epoch
        | Term::Sequence => Role::Touched,
        Term::SegmentSize
        | Term::LogSize
        | Term::BytesSinceLastIndexEntry
        | Term::Position
        | Term::FirstTimestamp
        | Term::LargestTimestamp
        | Term::FileTime
        | Term::Created
        | Term::BaseOffset
        | Term::LogStart
        | Term::LogEnd => Role::Log,
        Term::LastEntryTimestamp => Role::TimeIndex,
        Term::EntryKey if clause.unit == Unit::Time => Role::TimeIndex,
        Term::EntryKey => Role::Index,
        Term::Clock
        | Term::FetchLimit
        | Term::Setting(_)
        | Term::HighWatermark
        | Term::LastStable
        | Term::RecoveryPoint => Role::Setting,
        Term::NoTimestamp
        | Term::Entries
        | Term::Capacity
        | Term::ClosingEntry
        | Term::Limit
        | Term::KnownEpoch
        | Term::ExpectedSequence => Role::Plain,
    }
}
