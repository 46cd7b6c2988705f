//! What a fetch may read, and how much of it (Kafka: `LocalLog.read`, `LogSegment.read`).

use core::fmt;

use crate::rules::clause::{Clause, ClauseName, Expression, Operand, Relation, Term, Unit, write_clauses};
use crate::units::{Offset, Position, size};

/// How an offset lies to the readable part of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum RangeAnswer {
    /// Below the log start offset, or above the log end offset.
    OutOfRange,
    /// At the bound or between it and the log end: nothing to read yet.
    Empty,
    /// Inside.
    Readable,
}

/// How far a reader may read (Kafka: `FetchIsolation`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Isolation {
    /// A follower: up to the log end offset.
    LogEnd,
    /// A consumer with `isolation.level=read_uncommitted`: up to the high watermark.
    #[default]
    HighWatermark,
    /// A consumer with `isolation.level=read_committed`: up to the last stable offset, and without aborted records.
    TxnCommitted,
}

impl Isolation {
    /// The mark that bounds it, in words.
    pub const fn bound(self) -> &'static str {
        match self {
            Isolation::LogEnd => "log end offset",
            Isolation::HighWatermark => "high watermark",
            Isolation::TxnCommitted => "last stable offset",
        }
    }
}

/// The range check of a fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FetchRange {
    /// The offset asked for.
    pub requested: Offset,
    /// First offset that may be read.
    pub log_start: Offset,
    /// How far the reader may read.
    pub isolation: Isolation,
    /// First offset that consumers may not read.
    pub high_watermark: Offset,
    /// First offset that consumers of committed records may not read.
    pub last_stable: Offset,
    /// The next offset to be assigned.
    pub log_end: Offset,
}

impl FetchRange {
    /// First offset that this reader may not read.
    pub fn bound(&self) -> Offset {
        match self.isolation {
            Isolation::LogEnd => self.log_end,
            Isolation::HighWatermark => self.high_watermark,
            Isolation::TxnCommitted => self.last_stable,
        }
    }

    /// What is asked of the offset, in Kafka's order, up to the clause that decides.
    pub fn clauses(&self) -> Vec<Clause> {
        let requested = Operand::new(self.requested.get(), Term::TargetOffset);
        let bound = match self.isolation {
            Isolation::LogEnd => Term::LogEnd,
            Isolation::HighWatermark => Term::HighWatermark,
            Isolation::TxnCommitted => Term::LastStable,
        };
        let asked = [
            (
                ClauseName::FromLogStart,
                Relation::AtLeast,
                self.log_start,
                Term::LogStart,
            ),
            (ClauseName::UpToLogEnd, Relation::AtMost, self.log_end, Term::LogEnd),
            (ClauseName::Visible, Relation::Below, self.bound(), bound),
        ];
        let mut clauses = Vec::with_capacity(asked.len());
        for (name, relation, right, of) in asked {
            let right = Operand::new(right.get(), of);
            let clause = Clause::value(name, requested, relation, right, Unit::Number);
            clauses.push(clause);
            if !clause.holds {
                break;
            }
        }
        clauses
    }

    /// Where the offset lies.
    pub fn answer(&self) -> RangeAnswer {
        match self.clauses().last() {
            Some(decided) if decided.holds => RangeAnswer::Readable,
            Some(decided) if decided.name == ClauseName::Visible => RangeAnswer::Empty,
            _ => RangeAnswer::OutOfRange,
        }
    }
}

/// The bytes that a fetch gets: a slice of one segment's `.log`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FetchSlice {
    /// Base offset of the segment.
    pub base: Offset,
    /// First byte: the start of the batch that holds the offset.
    pub start: Position,
    /// End of what may be read in this segment, exclusive.
    pub end: u64,
    /// Bytes asked for.
    pub limit: u64,
    /// Size of the first batch.
    pub first_batch_size: u64,
    /// Whether the first batch is sent whole even where it exceeds the limit (Kafka: `minOneMessage`).
    pub min_one: bool,
}

impl FetchSlice {
    /// Whether the first batch is sent whole though it exceeds the limit; `None` for a fetch without that promise.
    pub fn first_batch_whole(&self) -> Option<Clause> {
        self.min_one.then(|| {
            Clause::value(
                ClauseName::FirstBatchWhole,
                Operand::size(self.first_batch_size, Term::FirstBatchSize),
                Relation::Above,
                Operand::size(self.limit, Term::FetchLimit),
                Unit::Bytes,
            )
        })
    }

    /// Whether more is left in the file than is sent.
    pub fn cut_by_limit(&self) -> Clause {
        Clause::new(
            ClauseName::CutByLimit,
            Expression::Difference(
                Operand::size(self.end, Term::Position),
                Operand::new(self.start.get().into(), Term::Position),
            ),
            Relation::Above,
            Operand::size(self.adjusted_limit(), Term::FetchLimit),
            Unit::Bytes,
        )
    }

    /// What is compared, in order.
    pub fn clauses(&self) -> Vec<Clause> {
        self.first_batch_whole()
            .into_iter()
            .chain([self.cut_by_limit()])
            .collect()
    }

    /// The limit after the rule that one batch is sent whole.
    pub fn adjusted_limit(&self) -> u64 {
        match self.first_batch_whole() {
            Some(clause) if clause.holds => self.first_batch_size,
            _ => self.limit,
        }
    }

    /// Not even the first batch is sent whole. Where nothing may be sent, Kafka does not say so.
    pub fn first_incomplete(&self) -> bool {
        self.adjusted_limit() > 0 && self.adjusted_limit() < self.first_batch_size
    }

    /// Bytes sent. The cut may fall inside a batch.
    pub fn length(&self) -> u64 {
        self.end
            .saturating_sub(u64::from(self.start.get()))
            .min(self.adjusted_limit())
    }
}

impl fmt::Display for FetchRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answer = match self.answer() {
            RangeAnswer::OutOfRange => "out of range",
            RangeAnswer::Empty => "nothing to read yet",
            RangeAnswer::Readable => "readable",
        };
        write!(f, "offset {} {answer}: ", self.requested)?;
        write_clauses(f, &self.clauses())
    }
}

impl fmt::Display for FetchSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "slice of {}.log from byte {}, {}: ",
            self.base,
            self.start,
            size(self.length())
        )?;
        write_clauses(f, &self.clauses())
    }
}
