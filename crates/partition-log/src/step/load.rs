//! What a stop, a crash or a start did on the way.

use core::fmt;

use crate::disk::FileName;
use crate::error::LogError;
use crate::format::batch::CorruptReason;
use crate::format::index::TransactionIndexError;
use crate::rules::producers::ProducerError;
use crate::rules::recovery::RecoveryDecision;
use crate::units::{Offset, bytes};

/// One fact about a stop, a crash or a start.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum LoadStep {
    /// The power went: the end of the active segment had not reached the disk.
    Lost {
        /// Base offset of the segment.
        base: Offset,
        /// Bytes lost.
        lost: u64,
    },
    /// A finished replacement was found, which the broker had no time to put in its place.
    ReplacementFound {
        /// Its `.log.swap`.
        file: FileName,
        /// The offset behind its last batch.
        next_offset: i64,
    },
    /// An index without its `.log`, which is removed.
    OrphanFound {
        /// The index.
        file: FileName,
    },
    /// The indexes of a segment cannot be trusted, was the shutdown clean or not.
    IndexDistrusted {
        /// Base offset of the segment.
        base: Offset,
        /// Why.
        reason: DistrustReason,
    },
    /// Whether a segment is recovered.
    RecoveryDecided(RecoveryDecision),
    /// The first bytes of a segment that are no valid batch; they go, with all behind them.
    RecoveryEnded {
        /// Base offset of the segment.
        base: Offset,
        /// The first of them.
        position: u64,
        /// What is wrong with them.
        reason: RecoveryEnd,
    },
    /// A segment was recovered.
    Recovered {
        /// Base offset of the segment.
        base: Offset,
        /// Bytes that stay in its `.log`.
        kept: u64,
        /// Bytes that went.
        cut: u64,
        /// Entries in the offset index now.
        offset_entries: u32,
        /// Entries in the time index now.
        time_entries: u32,
    },
    /// A segment could not be recovered, and loses all its batches.
    GivenUp {
        /// Base offset of the segment.
        base: Offset,
        /// Why.
        reason: LogError,
    },
    /// A segment had to be cut, so those behind it leave the log.
    LaterDeleted {
        /// Base offset of the segment that was cut.
        cut: Offset,
        /// Their base offsets.
        bases: Vec<Offset>,
    },
    /// The log ends below its start: all segments leave it.
    EndsBelowStart {
        /// The offset behind the last batch.
        log_end: i64,
        /// Log start offset, as its checkpoint says.
        log_start: Offset,
    },
    /// A segment with offsets that do not fit 31 bits was divided.
    Divided {
        /// Its base offset.
        base: Offset,
        /// Those of its parts.
        into: Vec<Offset>,
    },
    /// The log is loaded.
    Loaded {
        /// Log start offset.
        log_start: Offset,
        /// Log end offset.
        log_end: Offset,
        /// Recovery point.
        recovery_point: Offset,
    },
}

/// Why the indexes of a segment are not used as they are (Kafka: `LogSegment.sanityCheck`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum DistrustReason {
    /// There is no `.index`.
    Missing,
    /// An entry of the transaction index cannot belong to the segment.
    Transactions(TransactionIndexError),
}

/// What ended the recovery of a segment before its last byte.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum RecoveryEnd {
    /// A batch is not there in full.
    Torn {
        /// Bytes that are there.
        present: u64,
    },
    /// A batch is not valid.
    Corrupt(CorruptReason),
    /// A control record cannot be read: its batch stays, but nothing behind it.
    Control(Box<ProducerError>),
}

impl fmt::Display for RecoveryEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecoveryEnd::Torn { present } => write!(f, "the {present} B left are no whole batch"),
            RecoveryEnd::Corrupt(reason) => reason.fmt(f),
            RecoveryEnd::Control(reason) => reason.fmt(f),
        }
    }
}

struct Bases<'a>(&'a [Offset]);

impl fmt::Display for Bases<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, base) in self.0.iter().enumerate() {
            if place > 0 {
                f.write_str(", ")?;
            }
            base.fmt(f)?;
        }
        Ok(())
    }
}

fn size(value: u64) -> String {
    bytes(i64::try_from(value).unwrap_or(i64::MAX))
}

impl fmt::Display for LoadStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadStep::Lost { base, lost } => {
                write!(
                    f,
                    "effect  the last {} of segment {base} never reached the disk",
                    size(*lost)
                )
            }
            LoadStep::ReplacementFound { file, next_offset } => {
                write!(
                    f,
                    "probe   {file} is whole up to offset {next_offset}, and takes its place"
                )
            }
            LoadStep::OrphanFound { file } => write!(f, "probe   {file} has no .log"),
            LoadStep::IndexDistrusted { base, reason } => {
                write!(f, "decide  recover segment {base} yes (")?;
                match reason {
                    DistrustReason::Missing => f.write_str("no .index)"),
                    DistrustReason::Transactions(error) => write!(f, "{error})"),
                }
            }
            LoadStep::RecoveryDecided(decision) => write!(f, "decide  {decision}"),
            LoadStep::RecoveryEnded { base, position, reason } => {
                write!(f, "probe   segment {base} ends at byte {position}: {reason}")
            }
            LoadStep::Recovered {
                base,
                kept,
                cut,
                offset_entries,
                time_entries,
            } => write!(
                f,
                "effect  segment {base} recovered: {} kept, {} cut, {offset_entries} offset and {time_entries} time entries",
                size(*kept),
                size(*cut)
            ),
            LoadStep::GivenUp { base, reason } => write!(f, "effect  segment {base} emptied: {reason}"),
            LoadStep::LaterDeleted { cut, bases } => {
                write!(f, "effect  segments {} deleted, behind segment {cut}", Bases(bases))
            }
            LoadStep::EndsBelowStart { log_end, log_start } => {
                write!(
                    f,
                    "decide  delete all segments yes (log end {log_end} < log start {log_start})"
                )
            }
            LoadStep::Divided { base, into } => write!(f, "effect  segment {base} divided into {}", Bases(into)),
            LoadStep::Loaded {
                log_start,
                log_end,
                recovery_point,
            } => write!(
                f,
                "effect  log loaded, from {log_start} to {log_end}, recovery point {recovery_point}"
            ),
        }
    }
}
