//! Whether a batch gets an entry in the indexes (Kafka: `LogSegment.append`, per batch since 4.1).

use core::fmt;

use crate::rules::clause::{Clause, ClauseName, Operand, Relation, Term, Unit};
use crate::units::{Offset, Position, RelativeOffset, TimestampMs};

/// The entry rule for one batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct IndexEntryDecision {
    /// Base offset of the segment.
    pub base: Offset,
    /// Bytes appended since the last entry, without this batch.
    pub bytes_since_last_index_entry: u64,
    /// `index.interval.bytes`, as it was when the segment was opened.
    pub interval: u64,
    /// Size of this batch.
    pub batch_size: u64,
    /// What the entry holds, or would hold: the batch's last offset.
    pub last_offset: Offset,
    /// The same, relative to the base.
    pub relative: RelativeOffset,
    /// Where the batch starts.
    pub position: Position,
}

impl IndexEntryDecision {
    /// More than the interval was appended since the last entry; reaching it is not enough.
    pub fn clause(&self) -> Clause {
        Clause::value(
            ClauseName::IntervalPassed,
            Operand::size(self.bytes_since_last_index_entry, Term::BytesSinceLastIndexEntry),
            Relation::Above,
            Operand::size(self.interval, Term::Setting("index.interval.bytes")),
            Unit::Bytes,
        )
    }

    /// Whether the entry is written.
    pub fn due(&self) -> bool {
        self.clause().holds
    }

    /// The same after this batch: counting starts over before the batch is added.
    pub fn bytes_after(&self) -> u64 {
        if self.due() {
            self.batch_size
        } else {
            self.bytes_since_last_index_entry + self.batch_size
        }
    }
}

/// Why the time index was offered an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum TimeEntryReason {
    /// An offset entry was added.
    OffsetEntry,
    /// The segment is being closed.
    Roll,
}

/// The rule of the time index: an entry needs a timestamp above the last one (Kafka: `TimeIndex.maybeAppend`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TimeEntryDecision {
    /// Base offset of the segment.
    pub base: Offset,
    /// Why it was offered.
    pub reason: TimeEntryReason,
    /// Largest timestamp of the segment so far.
    pub timestamp: Option<TimestampMs>,
    /// Last offset of the first batch that reached it.
    pub relative: RelativeOffset,
    /// Timestamp of the last entry, if there is one.
    pub last: Option<TimestampMs>,
}

impl TimeEntryDecision {
    /// The largest timestamp is above that of the last entry; without the one or the other, −1 stands in its place.
    pub fn clause(&self) -> Clause {
        let operand = |time: Option<TimestampMs>, of| {
            let none = Operand::new(-1, Term::NoTimestamp);
            time.map_or(none, |time| Operand::new(time.get(), of))
        };
        Clause::value(
            ClauseName::TimestampRisen,
            operand(self.timestamp, Term::LargestTimestamp),
            Relation::Above,
            operand(self.last, Term::LastEntryTimestamp),
            Unit::Time,
        )
    }

    /// Whether the entry is written.
    pub fn written(&self) -> bool {
        self.clause().holds
    }
}

impl fmt::Display for IndexEntryDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clause = self.clause();
        write!(f, "index entry: {clause}")?;
        if clause.holds {
            write!(f, ", entry {} -> {}", self.relative, self.position)?;
        }
        Ok(())
    }
}

impl fmt::Display for TimeEntryDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clause = self.clause();
        let reason = match self.reason {
            TimeEntryReason::OffsetEntry => "time entry",
            TimeEntryReason::Roll => "closing time entry",
        };
        write!(f, "{reason}: {clause}")?;
        match self.timestamp {
            Some(timestamp) if clause.holds => write!(f, ", entry {timestamp} -> {}", self.relative),
            _ => Ok(()),
        }
    }
}
