//! Whether an append has to go to a new segment (Kafka: `LogSegment.shouldRoll(RollParams)`).

use core::fmt;

use crate::rules::clause::{Clause, ClauseName, Exemption, Expression, Operand, Relation, Term, Unit, write_clauses};
use crate::units::{Offset, TimestampMs};

/// What the roll check looks at.
#[derive(Clone, Copy, Debug)]
pub struct RollParams {
    /// Base offset of the active segment.
    pub base: Offset,
    /// Bytes in its `.log`.
    pub size: u64,
    /// Bytes about to be appended.
    pub append_size: u64,
    /// Largest timestamp about to be appended.
    pub append_timestamp: Option<TimestampMs>,
    /// Last offset about to be appended.
    pub append_last_offset: Offset,
    /// Largest timestamp of the segment's first batch.
    pub first_timestamp: Option<TimestampMs>,
    /// When the segment was created.
    pub created: TimestampMs,
    /// The broker's clock.
    pub now: TimestampMs,
    /// `segment.bytes`.
    pub segment_bytes: u64,
    /// `segment.ms`.
    pub segment_ms: i64,
    /// What this segment's jitter takes off `segment.ms`.
    pub jitter_ms: i64,
    /// Entries in the offset index, and how many it can hold.
    pub offset_index: (u32, u32),
    /// Entries in the time index, and how many it can hold.
    pub time_index: (u32, u32),
}

/// How long the segment has waited (Kafka: `LogSegment.timeWaitedForRoll`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Waited {
    /// The incoming timestamp less that of the first batch; the broker's clock plays no part.
    Timestamps {
        /// Largest timestamp of the append; `None` counts as −1.
        incoming: Option<TimestampMs>,
        /// Largest timestamp of the segment's first batch.
        first: TimestampMs,
    },
    /// The clock less the segment's creation, since the first batch has no timestamp.
    Clock {
        /// The broker's clock.
        now: TimestampMs,
        /// When the segment was created.
        created: TimestampMs,
    },
}

impl Waited {
    /// The span in milliseconds; may be negative.
    pub fn ms(&self) -> i64 {
        match self {
            Waited::Timestamps { incoming, first } => incoming.map_or(-1, TimestampMs::get) - first.get(),
            Waited::Clock { now, created } => *now - *created,
        }
    }

    fn expression(&self) -> Expression {
        let time = |time: TimestampMs, of| Operand::new(time.get(), of);
        match *self {
            Waited::Timestamps { incoming, first } => {
                let none = Operand::new(-1, Term::NoTimestamp);
                let incoming = incoming.map_or(none, |incoming| time(incoming, Term::IncomingTimestamp));
                Expression::Difference(incoming, time(first, Term::FirstTimestamp))
            }
            Waited::Clock { now, created } => {
                Expression::Difference(time(now, Term::Clock), time(created, Term::Created))
            }
        }
    }
}

/// Why a segment was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum RollCause {
    /// The append would pass `segment.bytes`.
    Size,
    /// The append is too much later than the segment's first batch.
    Time,
    /// The offset index has no room.
    OffsetIndexFull,
    /// The time index has no room but for its closing entry.
    TimeIndexFull,
    /// The offset does not fit 31 bits relative to the base.
    OffsetRange,
    /// Somebody asked for it.
    Requested,
    /// Retention is about to delete every segment, and an active one has to remain.
    Retention,
}

impl RollCause {
    /// Those that the check before an append asks about, in Kafka's order.
    pub const ASKED: [RollCause; 5] = [
        RollCause::Size,
        RollCause::Time,
        RollCause::OffsetIndexFull,
        RollCause::TimeIndexFull,
        RollCause::OffsetRange,
    ];

    /// The clause that asks about it; `None` for those that are no part of the check.
    pub const fn clause(self) -> Option<ClauseName> {
        Some(match self {
            RollCause::Size => ClauseName::SegmentFull,
            RollCause::Time => ClauseName::SegmentOld,
            RollCause::OffsetIndexFull => ClauseName::OffsetIndexFull,
            RollCause::TimeIndexFull => ClauseName::TimeIndexFull,
            RollCause::OffsetRange => ClauseName::OffsetTooFar,
            RollCause::Requested | RollCause::Retention => return None,
        })
    }
}

/// Its clause's key; terse, as the steps are.
impl fmt::Display for RollCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.clause() {
            Some(name) => f.write_str(name.key()),
            None if *self == RollCause::Retention => f.write_str("retention"),
            None => f.write_str("requested"),
        }
    }
}

/// The roll check with every clause and its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RollDecision {
    /// Base offset of the active segment.
    pub base: Offset,
    /// Bytes in its `.log`.
    pub size: u64,
    /// Bytes about to be appended.
    pub append_size: u64,
    /// `segment.bytes`.
    pub segment_bytes: u64,
    /// How long the segment has waited.
    pub waited: Waited,
    /// `segment.ms` less the jitter.
    pub waited_limit_ms: i64,
    /// Entries in the offset index, and how many it can hold.
    pub offset_index: (u32, u32),
    /// Entries in the time index, and how many it can hold.
    pub time_index: (u32, u32),
    /// Last offset about to be appended.
    pub append_last_offset: Offset,
}

impl RollDecision {
    /// Gathers the operands; the answers follow from them.
    pub fn evaluate(params: &RollParams) -> RollDecision {
        let waited = match params.first_timestamp {
            Some(first) => Waited::Timestamps {
                incoming: params.append_timestamp,
                first,
            },
            None => Waited::Clock {
                now: params.now,
                created: params.created,
            },
        };
        RollDecision {
            base: params.base,
            size: params.size,
            append_size: params.append_size,
            segment_bytes: params.segment_bytes,
            waited,
            waited_limit_ms: params.segment_ms - params.jitter_ms,
            offset_index: params.offset_index,
            time_index: params.time_index,
            append_last_offset: params.append_last_offset,
        }
    }

    /// Size after the append, if it stayed in this segment, in bytes.
    pub fn total(&self) -> u64 {
        self.size + self.append_size
    }

    /// Whether the clause of a cause says yes.
    pub fn says(&self, cause: RollCause) -> bool {
        self.clause(cause).is_some_and(|clause| clause.holds)
    }

    /// Every clause, in the order in which Kafka asks. It stops at the first that says yes.
    pub fn clauses(&self) -> [Clause; RollCause::ASKED.len()] {
        RollCause::ASKED.map(|cause| self.clause(cause).expect("every cause that is asked has a clause"))
    }

    /// The clause of one cause; `None` for those that are no part of the check.
    pub fn clause(&self, cause: RollCause) -> Option<Clause> {
        let name = cause.clause()?;
        let entries = |(used, _): (u32, u32)| Operand::new(used.into(), Term::Entries);
        let capacity = |(_, capacity): (u32, u32)| Operand::new(capacity.into(), Term::Capacity);
        let size = Operand::size(self.size, Term::SegmentSize);
        Some(match cause {
            RollCause::Size => Clause::new(
                name,
                Expression::Sum(size, Operand::size(self.append_size, Term::AppendSize)),
                Relation::Above,
                Operand::size(self.segment_bytes, Term::Setting("segment.bytes")),
                Unit::Bytes,
            ),
            RollCause::Time => {
                let limit = Operand::new(self.waited_limit_ms, Term::Setting("segment.ms"));
                let clause = Clause::new(name, self.waited.expression(), Relation::Above, limit, Unit::Time);
                match self.size {
                    0 => clause.exempt(Exemption::EmptySegment, false),
                    _ => clause,
                }
            }
            RollCause::OffsetIndexFull => Clause::value(
                name,
                entries(self.offset_index),
                Relation::AtLeast,
                capacity(self.offset_index),
                Unit::Entries,
            ),
            // The last entry is kept for the roll (Kafka: `TimeIndex.isFull`).
            RollCause::TimeIndexFull => Clause::new(
                name,
                Expression::Sum(entries(self.time_index), Operand::new(1, Term::ClosingEntry)),
                Relation::AtLeast,
                capacity(self.time_index),
                Unit::Entries,
            ),
            RollCause::OffsetRange => {
                let last = self.append_last_offset;
                let (relation, limit) = if last < self.base {
                    (Relation::Below, 0)
                } else {
                    (Relation::Above, i64::from(i32::MAX))
                };
                Clause::new(
                    name,
                    Expression::Difference(
                        Operand::new(last.get(), Term::Offset),
                        Operand::new(self.base.get(), Term::BaseOffset),
                    ),
                    relation,
                    Operand::new(limit, Term::Limit),
                    Unit::Number,
                )
            }
            RollCause::Requested | RollCause::Retention => return None,
        })
    }

    /// Whether the check looked at the index files, which creates them if they were missing.
    pub fn reached_indexes(&self) -> bool {
        !matches!(self.cause(), Some(RollCause::Size | RollCause::Time))
    }

    /// The first cause whose clause says yes, in Kafka's order.
    pub fn cause(&self) -> Option<RollCause> {
        RollCause::ASKED.into_iter().find(|cause| self.says(*cause))
    }
}

impl fmt::Display for RollDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("roll: ")?;
        write_clauses(f, &self.clauses())
    }
}
