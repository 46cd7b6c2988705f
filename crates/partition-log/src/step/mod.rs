//! What an operation did, in facts: probes, decisions and writes.
//!
//! A step prints as one terse line, the form that scripts compare. Sentences for readers are made elsewhere, from the
//! same fields.
//!
//! May know rules and state, whose values a step holds; nothing here decides anything.

mod answer;
mod clauses;
mod load;
mod replay;

use core::fmt;

use crate::disk::{FileChange, FileKind};
use crate::error::LogError;
use crate::format::index::IndexProbe;
use crate::format::producers::CorruptSnapshot;
use crate::rules::clause::Clause;
use crate::rules::fetch::{FetchRange, FetchSlice, RangeAnswer};
use crate::rules::index_entry::{IndexEntryDecision, TimeEntryDecision, TimeEntryReason};
use crate::rules::producers::{CompletedTransaction, ProducerDecision};
use crate::rules::reset::{ResetDecision, ResetReason};
use crate::rules::retention::{RetentionAnswer, RetentionDecision, RetentionRule};
use crate::rules::roll::{RollCause, RollDecision};
use crate::rules::validate::LeftOut;
use crate::state::MemoryChange;
use crate::units::{Maybe, Offset, Position, ProducerId, TimestampMs, bytes, duration, grouped};

pub use answer::Answer;
pub use load::{DistrustReason, LoadStep, RecoveryEnd};

/// The outcome of an operation and every step on the way to it, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a trace holds the outcome, and the steps that led to it"]
pub struct Trace<T> {
    /// What happened.
    pub steps: Vec<Step>,
    /// What came of it.
    pub outcome: T,
}

/// One fact.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Step {
    // --- decisions -------------------------------------------------------------------------------------------------
    /// The roll check before an append.
    RollDecided(RollDecision),
    /// A segment was closed, and the next one opened.
    Rolled {
        /// Base offset of the segment that was closed.
        closed: Offset,
        /// Base offset of the new one: the offset that the next record gets.
        opened: Offset,
        /// Why.
        cause: RollCause,
    },
    /// A batch was appended.
    Appended {
        /// Base offset of the segment.
        base: Offset,
        /// First offset of the batch.
        first_offset: Offset,
        /// Last offset of the batch.
        last_offset: Offset,
        /// Where the batch starts in the `.log`.
        position: Position,
        /// Its size in bytes.
        size: u64,
        /// Its largest timestamp.
        timestamp: Option<TimestampMs>,
    },
    /// The entry rule for a batch.
    IndexEntryDecided(IndexEntryDecision),
    /// The rule of the time index for an entry that it was offered.
    TimeEntryDecided(TimeEntryDecision),
    /// Batches of a leader epoch that the follower has not heard of, which it leaves out.
    BatchesLeftOut(LeftOut),
    /// A batch of an idempotent or transactional producer was looked at.
    ProducerDecided(ProducerDecision),
    /// A batch is in the log already, and is not written again.
    DuplicateFound {
        /// Its first offset.
        first_offset: i64,
        /// Its last offset.
        last_offset: i64,
    },
    /// A marker has ended a transaction.
    TransactionEnded {
        /// The transaction.
        completed: CompletedTransaction,
        /// How far all records are decided now: what its entry in the transaction index says.
        last_stable: i64,
    },
    /// A snapshot cannot be read; its file goes, and the one before it is tried.
    SnapshotCorrupt {
        /// The offset up to which it should tell.
        offset: Offset,
        /// What is wrong with it.
        reason: CorruptSnapshot,
    },
    /// The end of the log was cut off.
    Truncated {
        /// Where it ends now.
        to: Offset,
        /// Where it ended before.
        log_end: Offset,
    },
    /// A stop, a crash or a start got further.
    Load(LoadStep),
    /// A retention check began.
    CheckStarted {
        /// The clock.
        now: TimestampMs,
        /// Whether it is one of the periodic ones.
        periodic: bool,
        /// Size of all live `.log` files, in bytes.
        log_size: u64,
    },
    /// A rule of retention was not asked, since its setting is −1, or since the log is below `retention.bytes`.
    RetentionRuleOff {
        /// The rule.
        rule: RetentionRule,
        /// Size of all live `.log` files.
        log_size: u64,
        /// The limit: −1, or `retention.bytes`.
        limit: i64,
    },
    /// A rule of retention was asked about a segment.
    RetentionDecided(RetentionDecision),
    /// Segments left the log by a rule; they can no longer be read.
    SegmentsDeleted {
        /// The rule.
        rule: RetentionRule,
        /// Their base offsets.
        bases: Vec<Offset>,
        /// Their `.log` bytes.
        size: u64,
        /// When their files are removed.
        gone_at: TimestampMs,
    },
    /// A retention check ended.
    CheckFinished {
        /// Segments that went.
        deleted: u32,
        /// Size of all live `.log` files after it, in bytes.
        log_size: u64,
        /// When the next periodic one runs.
        next: TimestampMs,
    },
    /// Periodic checks that could find nothing were passed over.
    ChecksSkipped {
        /// How many.
        count: u64,
        /// When the first of them was due.
        first: TimestampMs,
        /// When the last of them was due.
        last: TimestampMs,
    },
    /// The files of a deleted segment were removed from disk.
    FilesRemoved {
        /// Base offset of the segment.
        base: Offset,
        /// Their `.log` bytes.
        size: u64,
    },
    /// The range check of a fetch.
    FetchRangeDecided(FetchRange),
    /// The bytes that a fetch gets.
    FetchSliceDecided(FetchSlice),
    /// The aborted transactions that a fetch is told of (Kafka: `LocalLog.addAbortedTransactions`).
    AbortedCollected {
        /// Base offset of the segment.
        base: Offset,
        /// Offset asked for.
        requested: Offset,
        /// First offset that is surely behind the bytes.
        upper: Offset,
        /// Producer and first offset of each.
        found: Vec<(ProducerId, Offset)>,
    },
    /// What the consumer makes of the bytes: whole batches only.
    ConsumerKept {
        /// Offset asked for.
        requested: Offset,
        /// First and last offset delivered; `None` if there is none.
        delivered: Option<(Offset, Offset)>,
        /// Records delivered.
        records: u32,
        /// Records of the first batch below the offset asked for, dropped.
        below: u32,
        /// Control records, which are never delivered.
        markers: u32,
        /// Records of aborted transactions, dropped.
        aborted: u32,
        /// Bytes of the whole batches.
        bytes: u64,
        /// Bytes of a batch cut off at the end, dropped.
        torn: u64,
        /// The offset that the consumer asks for next.
        next: Offset,
    },
    /// Where a consumer goes on.
    ResetDecided(ResetDecision),
    /// A search by time begins.
    TimeSearchStarted {
        /// The timestamp searched for.
        target: TimestampMs,
    },
    /// The answer of a search by time.
    TimeSearchAnswered {
        /// The timestamp searched for; `None` when the largest one was asked for.
        target: Option<TimestampMs>,
        /// Offset and timestamp of the first record at or after it.
        found: Option<(Offset, Option<TimestampMs>)>,
        /// A record was found, but at or above the high watermark.
        withheld: bool,
    },
    /// An answer that is a mark of the log, without a search.
    OffsetAnswered {
        /// Which mark.
        mark: Mark,
        /// The offset.
        offset: Offset,
    },
    /// An offset in tiered storage was asked for, and there is no such storage.
    NoTieredStorage,
    /// The operation was refused.
    Refused(LogError),

    // --- probes ----------------------------------------------------------------------------------------------------
    /// The segment for an offset: the largest base offset not above it (Kafka: `LogSegments.floorSegment`).
    FloorLookedUp {
        /// The offset.
        target: Offset,
        /// Each base offset compared, in order: those not above the target, and the first one above.
        bases: Vec<Offset>,
        /// The segment found.
        found: Option<Offset>,
    },
    /// A segment's largest timestamp compared with the one searched for.
    TimeSegmentProbed {
        /// Base offset of the segment.
        base: Offset,
        /// Its largest timestamp.
        largest: TimestampMs,
        /// The timestamp searched for.
        target: TimestampMs,
        /// Whether the segment is searched: `largest >= target`.
        searched: bool,
    },
    /// One comparison of the binary search in an index.
    IndexProbed(IndexProbe),
    /// The entry that a search in an index ended at.
    IndexLookedUp {
        /// Base offset of the segment.
        base: Offset,
        /// Which index.
        kind: FileKind,
        /// What was searched for: a relative offset, or a timestamp.
        target: i64,
        /// The slot found; `None` if every entry is above the target.
        slot: Option<u32>,
        /// What the entry leads to: a position, or a relative offset; 0 if there is no entry.
        leads_to: u32,
    },
    /// A batch was read while scanning.
    BatchScanned {
        /// Base offset of the segment.
        base: Offset,
        /// Where the batch starts.
        position: Position,
        /// Its size in bytes.
        size: u64,
        /// First offset.
        first_offset: Offset,
        /// Last offset.
        last_offset: Offset,
        /// Its largest timestamp.
        timestamp: Option<TimestampMs>,
        /// What it was compared with.
        target: ScanTarget,
        /// Whether the scan ends here.
        found: bool,
    },

    // --- writes ----------------------------------------------------------------------------------------------------
    /// A file changed.
    File(FileChange),
    /// Bookkeeping changed.
    Memory(MemoryChange),
}

/// A mark of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Mark {
    /// The first offset that may be read.
    LogStart,
    /// The first offset that consumers may not read yet.
    HighWatermark,
    /// The first offset that consumers of committed records may not read yet.
    LastStable,
    /// The next offset to be assigned.
    LogEnd,
}

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

impl Step {
    /// Whether it changes something: replaying these gives the later state.
    pub fn is_write(&self) -> bool {
        matches!(self, Step::File(_) | Step::Memory(_))
    }
}

fn size(value: u64) -> String {
    bytes(i64::try_from(value).unwrap_or(i64::MAX))
}

fn write_clauses(f: &mut fmt::Formatter<'_>, clauses: &[Clause]) -> fmt::Result {
    for (index, clause) in clauses.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        write!(f, "{separator}{clause}")?;
    }
    Ok(())
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::RollDecided(decision) => write!(f, "decide  {decision}"),
            Step::Rolled { closed, opened, cause } => {
                write!(f, "effect  segment {closed} closed ({cause}), segment {opened} opened")
            }
            Step::Appended {
                base,
                first_offset,
                last_offset,
                position,
                size: length,
                timestamp,
            } => {
                write!(f, "effect  offset {first_offset}")?;
                if last_offset != first_offset {
                    write!(f, " to {last_offset}")?;
                }
                write!(
                    f,
                    " in segment {base} at byte {position}, {}, timestamp {}",
                    size(*length),
                    Maybe(*timestamp)
                )
            }
            Step::IndexEntryDecided(decision) => write!(f, "decide  {decision}"),
            Step::TimeEntryDecided(decision) => write!(f, "decide  {decision}"),
            Step::ProducerDecided(decision) => write!(f, "decide  {decision}"),
            Step::BatchesLeftOut(left_out) => {
                write!(f, "decide  batches from byte {} on left out: ", left_out.position)?;
                write_clauses(f, &self.clauses())
            }
            Step::DuplicateFound {
                first_offset,
                last_offset,
            } => write!(
                f,
                "effect  a duplicate of offsets {first_offset} to {last_offset}, not written again"
            ),
            Step::TransactionEnded { completed, last_stable } => {
                let end = if completed.aborted { "aborted" } else { "committed" };
                write!(
                    f,
                    "effect  transaction of producer {} from offset {} {end} at {}, decided up to {last_stable}",
                    completed.producer_id, completed.first_offset, completed.last_offset
                )
            }
            Step::SnapshotCorrupt { offset, reason } => {
                write!(f, "effect  producer snapshot at {offset} is no use: {reason}")
            }
            Step::Load(step) => step.fmt(f),
            Step::Truncated { to, log_end } => write!(f, "effect  log cut from {log_end} to {to}"),
            Step::CheckStarted {
                now,
                periodic,
                log_size,
            } => {
                let kind = if *periodic { "periodic" } else { "requested" };
                write!(
                    f,
                    "effect  {kind} retention check at {now}, log size {}",
                    size(*log_size)
                )
            }
            Step::RetentionRuleOff { rule, .. } => {
                write!(f, "decide  {rule}: not asked: ")?;
                write_clauses(f, &self.clauses())
            }
            Step::RetentionDecided(decision) => write!(f, "decide  {decision}"),
            Step::SegmentsDeleted {
                rule,
                bases,
                size: length,
                gone_at,
            } => {
                f.write_str("effect  ")?;
                write_list(f, "segment", bases)?;
                write!(f, " deleted by {rule}, {}, files stay until {gone_at}", size(*length))
            }
            Step::CheckFinished {
                deleted,
                log_size,
                next,
            } => {
                write!(
                    f,
                    "effect  check done: {deleted} deleted, log size {}, next at {next}",
                    size(*log_size)
                )
            }
            Step::ChecksSkipped { count, first, last } => {
                write!(
                    f,
                    "effect  {} checks from {first} to {last} found nothing",
                    grouped(*count as i64)
                )
            }
            Step::FilesRemoved { base, size: length } => {
                write!(f, "effect  files of segment {base} removed, {}", size(*length))
            }
            Step::FetchRangeDecided(range) => write!(f, "decide  {range}"),
            Step::FetchSliceDecided(slice) => write!(f, "decide  {slice}"),
            Step::AbortedCollected {
                base,
                requested,
                upper,
                found,
            } => {
                write!(f, "probe   {base}.txnindex from {requested} to {upper}:")?;
                for (producer, first) in found {
                    write!(f, " producer {producer} from {first},")?;
                }
                write!(f, " {} aborted", found.len())
            }
            Step::ConsumerKept {
                delivered,
                records,
                below,
                markers,
                aborted,
                bytes: kept,
                torn,
                next,
                ..
            } => {
                match delivered {
                    Some((first, last)) => write!(
                        f,
                        "effect  consumer keeps {records}: {first} to {last}, {}",
                        size(*kept)
                    )?,
                    None => f.write_str("effect  consumer keeps nothing")?,
                }
                if *below > 0 {
                    write!(f, ", drops {below} below the offset")?;
                }
                if *markers > 0 {
                    write!(f, ", passes over {markers} control")?;
                }
                if *aborted > 0 {
                    write!(f, ", drops {aborted} aborted")?;
                }
                if *torn > 0 {
                    write!(f, ", drops {} of a torn batch", size(*torn))?;
                }
                write!(f, ", next offset {next}")
            }
            Step::ResetDecided(decision) => write!(f, "decide  {decision}"),
            Step::TimeSearchStarted { target } => write!(f, "effect  search for the first record at or after {target}"),
            Step::TimeSearchAnswered {
                target,
                found,
                withheld,
            } => {
                let asked = target.map_or("the largest timestamp".to_string(), |target| target.to_string());
                match found {
                    Some((offset, timestamp)) => {
                        write!(
                            f,
                            "effect  answer for {asked}: offset {offset}, timestamp {}",
                            Maybe(*timestamp)
                        )
                    }
                    None if *withheld => write!(f, "effect  answer for {asked}: none below the high watermark"),
                    None => write!(f, "effect  answer for {asked}: none"),
                }
            }
            Step::OffsetAnswered { mark, offset } => match mark {
                Mark::LogStart => write!(f, "effect  answer: log start offset {offset}"),
                Mark::HighWatermark => write!(f, "effect  answer: high watermark {offset}"),
                Mark::LastStable => write!(f, "effect  answer: last stable offset {offset}"),
                Mark::LogEnd => write!(f, "effect  answer: log end offset {offset}"),
            },
            Step::NoTieredStorage => f.write_str("effect  answer: none, there is no tiered storage"),
            Step::Refused(error) => write!(f, "refuse  {}: {error}", error.kafka_name().unwrap_or(error.code())),
            Step::FloorLookedUp { target, found, .. } => {
                write!(f, "probe   segment for offset {target}:")?;
                for clause in self.clauses() {
                    write!(f, " {},", clause.equation())?;
                }
                match found {
                    Some(found) => write!(f, " so {found}"),
                    None => f.write_str(" so none"),
                }
            }
            Step::TimeSegmentProbed { base, searched, .. } => {
                let verdict = if *searched { "search it" } else { "too old" };
                write!(f, "probe   segment {base}: {verdict}: ")?;
                write_clauses(f, &self.clauses())
            }
            Step::IndexProbed(probe) => {
                write!(
                    f,
                    "probe   {}{} slot {} (",
                    probe.base,
                    probe.kind.extension(),
                    probe.slot
                )?;
                if probe.guard {
                    f.write_str("first): ")?;
                } else {
                    write!(f, "{}..{}): ", probe.low, probe.high)?;
                }
                write_clauses(f, &self.clauses())
            }
            Step::IndexLookedUp {
                base,
                kind,
                target,
                slot,
                leads_to,
            } => {
                let target = key(*kind, *target);
                match (slot, kind) {
                    (Some(slot), FileKind::TimeIndex) => {
                        write!(
                            f,
                            "probe   {}{}: {target} leads to slot {slot}, relative offset {leads_to}",
                            base,
                            kind.extension()
                        )
                    }
                    (Some(slot), _) => write!(
                        f,
                        "probe   {}{}: {target} leads to slot {slot}, byte {leads_to}",
                        base,
                        kind.extension()
                    ),
                    (None, _) => write!(
                        f,
                        "probe   {}{}: no entry at or below {target}, start of the segment",
                        base,
                        kind.extension()
                    ),
                }
            }
            Step::BatchScanned {
                base,
                position,
                size: length,
                first_offset,
                found,
                ..
            } => {
                let verdict = if *found { "found" } else { "skip" };
                write!(
                    f,
                    "probe   {base}.log byte {position}, {}, offset {first_offset}: {verdict}: ",
                    size(*length)
                )?;
                write_clauses(f, &self.clauses())
            }
            Step::File(change) => write!(f, "write   {change}"),
            Step::Memory(change) => write!(f, "state   {change}"),
        }
    }
}

/// A key of an index as a person reads it.
fn key(kind: FileKind, value: i64) -> String {
    match kind {
        FileKind::TimeIndex => duration(value),
        _ => value.to_string(),
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, noun: &str, bases: &[Offset]) -> fmt::Result {
    f.write_str(noun)?;
    if bases.len() != 1 {
        f.write_str("s")?;
    }
    for (index, base) in bases.iter().enumerate() {
        let separator = if index == 0 { " " } else { ", " };
        write!(f, "{separator}{base}")?;
    }
    Ok(())
}

impl fmt::Display for RollDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("roll: ")?;
        write_clauses(f, &self.clauses())
    }
}

impl fmt::Display for RollCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RollCause::Size => "size",
            RollCause::Time => "time",
            RollCause::OffsetIndexFull => "index full",
            RollCause::TimeIndexFull => "time index full",
            RollCause::OffsetRange => "offset range",
            RollCause::Requested => "requested",
            RollCause::Retention => "retention",
        })
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

impl fmt::Display for RetentionRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RetentionRule::LogStart => "log start offset",
            RetentionRule::Size => "retention.bytes",
            RetentionRule::Time => "retention.ms",
        })
    }
}

impl fmt::Display for RetentionDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.answer() {
            RetentionAnswer::Delete => "goes",
            RetentionAnswer::Keep | RetentionAnswer::AboveHighWatermark | RetentionAnswer::EmptyActive => "stays",
        };
        write!(f, "{}: segment {} {word}: ", self.rule(), self.base)?;
        write_clauses(f, &self.clauses())
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

impl fmt::Display for ResetDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            ResetReason::OutOfRange { requested } => {
                write!(f, "offset {requested} is gone, reset to {}: ", self.policy)?
            }
            ResetReason::NoCommittedOffset => write!(f, "no committed offset, reset to {}: ", self.policy)?,
        }
        match self.target() {
            Some(target) => write!(
                f,
                "go on at {target}, {} lost, {} passed over",
                self.lost(),
                self.skipped()
            ),
            None => f.write_str("an exception, the application decides"),
        }
    }
}

impl fmt::Display for FileChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileChange::Created { file, apparent: 0, .. } => write!(f, "{file} created"),
            FileChange::Created { file, apparent, .. } => write!(f, "{file} created at {}", size(*apparent)),
            FileChange::Appended {
                file, position, bytes, ..
            } => {
                write!(f, "{file} byte {position}: {} written", size(bytes.len() as u64))
            }
            FileChange::Overwritten {
                file, position, bytes, ..
            } => {
                write!(f, "{file} byte {position}: {} overwritten", size(bytes.len() as u64))
            }
            FileChange::Replaced { file, bytes, .. } => write!(f, "{file} written, {}", size(bytes.len() as u64)),
            FileChange::Touched { file, modified } => write!(f, "{file} has the time {modified}"),
            FileChange::Resized { file, from, to } => write!(f, "{file} {} to {}", size(*from), size(*to)),
            FileChange::Renamed { from, to } => write!(f, "{from} renamed to {to}"),
            FileChange::Removed { file, used } => write!(f, "{file} removed, {}", size(*used)),
        }
    }
}
