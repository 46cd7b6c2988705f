//! What a search by offset or by time compares on its way: segments, index entries, batches (Kafka:
//! `LogSegments.floorSegment`, `UnifiedLog.fetchOffsetByTimestamp`, `AbstractIndex.binarySearch`, `FileRecords`).

use crate::disk::FileKind;
use crate::rules::clause::{Clause, ClauseName, Operand, Relation, Term, Unit};
use crate::units::{Offset, TimestampMs};

/// What a scan looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum ScanTarget {
    /// The first batch whose last offset is not below this one.
    Offset(Offset),
    /// The first record at or after this time.
    Timestamp(TimestampMs),
    /// The first batch with exactly this largest timestamp.
    LargestTimestamp(Option<TimestampMs>),
}

impl ScanTarget {
    /// A batch, by its last offset and its largest timestamp, compared with the target. A batch that reaches a time holds
    /// the record that is looked for, unless its header promises what none of its records keeps.
    pub fn clause(&self, last_offset: Offset, timestamp: Option<TimestampMs>) -> Clause {
        let timestamp = time(timestamp, Term::LargestTimestamp);
        let compare = |name, left, relation, right, unit| Clause::value(name, left, relation, right, unit);
        match *self {
            ScanTarget::Offset(target) => compare(
                ClauseName::ReachesOffset,
                Operand::new(last_offset.get(), Term::Offset),
                Relation::AtLeast,
                Operand::new(target.get(), Term::TargetOffset),
                Unit::Number,
            ),
            ScanTarget::Timestamp(target) => compare(
                ClauseName::NotBefore,
                timestamp,
                Relation::AtLeast,
                time(Some(target), Term::TargetTime),
                Unit::Time,
            ),
            ScanTarget::LargestTimestamp(target) => compare(
                ClauseName::IsLargest,
                timestamp,
                Relation::Equal,
                time(target, Term::LargestTimestamp),
                Unit::Time,
            ),
        }
    }
}

/// A segment's largest timestamp compared with the time searched for: one that reaches it is searched.
pub fn reaches_time(largest: TimestampMs, target: TimestampMs) -> Clause {
    Clause::value(
        ClauseName::ReachesTime,
        time(Some(largest), Term::LargestTimestamp),
        Relation::AtLeast,
        time(Some(target), Term::TargetTime),
        Unit::Time,
    )
}

/// A segment's base offset compared with the offset searched for: the last one not above it is the floor.
pub fn base_not_above(base: Offset, target: Offset) -> Clause {
    Clause::value(
        ClauseName::BaseNotAbove,
        Operand::new(base.get(), Term::BaseOffset),
        Relation::AtMost,
        Operand::new(target.get(), Term::TargetOffset),
        Unit::Number,
    )
}

/// The key of an index entry compared with what is searched for: a relative offset, or a timestamp.
pub fn entry_not_above(kind: FileKind, key: i64, target: i64) -> Clause {
    let (of, unit) = match kind {
        FileKind::TimeIndex => (Term::TargetTime, Unit::Time),
        _ => (Term::TargetOffset, Unit::Number),
    };
    Clause::value(
        ClauseName::EntryNotAbove,
        Operand::new(key, Term::EntryKey),
        Relation::AtMost,
        Operand::new(target, of),
        unit,
    )
}

/// A timestamp; −1 in place of none, as Kafka compares it.
fn time(timestamp: Option<TimestampMs>, of: Term) -> Operand {
    timestamp.map_or(Operand::new(-1, Term::NoTimestamp), |time| Operand::new(time.get(), of))
}
