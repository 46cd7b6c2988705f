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
mod text;

use crate::disk::{FileChange, FileKind};
use crate::error::LogError;
use crate::format::index::IndexProbe;
use crate::format::producers::CorruptSnapshot;
use crate::rules::fetch::{FetchRange, FetchSlice};
use crate::rules::index_entry::{IndexEntryDecision, TimeEntryDecision};
use crate::rules::producers::{CompletedTransaction, ProducerDecision};
use crate::rules::reset::ResetDecision;
use crate::rules::retention::{RetentionDecision, RetentionRule};
use crate::rules::roll::{RollCause, RollDecision};
use crate::rules::validate::LeftOut;
use crate::state::{ConsumerChange, MemoryChange};
use crate::units::{Offset, Position, ProducerId, TimestampMs};

pub use crate::rules::search::ScanTarget;
pub use answer::Answer;
pub use load::{DistrustReason, LoadStep, RecoveryEnd};

/// The outcome of an operation and every step on the way to it, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace<T> {
    /// What happened.
    pub steps: Vec<Step>,
    /// What came of it.
    pub outcome: T,
}

impl<T> Trace<T> {
    /// The rules that were asked.
    pub fn decisions(&self) -> impl Iterator<Item = &Step> {
        self.of(StepClass::Decision)
    }

    /// What was read and compared.
    pub fn probes(&self) -> impl Iterator<Item = &Step> {
        self.of(StepClass::Probe)
    }

    /// What changed: replaying these on the earlier state gives the later one.
    pub fn writes(&self) -> impl Iterator<Item = &Step> {
        self.of(StepClass::Write)
    }

    fn of(&self, class: StepClass) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(move |step| step.class() == class)
    }
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
        /// Number of the entry found, from 0; `None` if every entry is above the target.
        entry_number: Option<u32>,
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
    /// The broker's bookkeeping changed.
    Memory(MemoryChange),
    /// The consumer's bookkeeping changed.
    Consumer(ConsumerChange),
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

impl Step {
    /// Whether it changes something: replaying these gives the later state.
    pub fn is_write(&self) -> bool {
        matches!(self, Step::File(_) | Step::Memory(_) | Step::Consumer(_))
    }

    /// Which family it belongs to.
    ///
    /// ```
    /// use partition_log::Partition;
    /// use partition_log::step::StepClass;
    ///
    /// let mut partition = Partition::create(Default::default(), 0)?;
    /// partition.roll()?;
    /// let writes = partition.steps().iter().filter(|step| step.class() == StepClass::Write);
    /// assert!(writes.count() > 0);
    /// # Ok::<(), partition_log::LogError>(())
    /// ```
    pub fn class(&self) -> StepClass {
        match self {
            Step::File(_) | Step::Memory(_) | Step::Consumer(_) => StepClass::Write,
            Step::FloorLookedUp { .. }
            | Step::TimeSegmentProbed { .. }
            | Step::IndexProbed(_)
            | Step::IndexLookedUp { .. }
            | Step::BatchScanned { .. } => StepClass::Probe,
            Step::RollDecided(_)
            | Step::IndexEntryDecided(_)
            | Step::TimeEntryDecided(_)
            | Step::ProducerDecided(_)
            | Step::RetentionDecided(_)
            | Step::RetentionRuleOff { .. }
            | Step::FetchRangeDecided(_)
            | Step::FetchSliceDecided(_)
            | Step::ResetDecided(_) => StepClass::Decision,
            Step::Rolled { .. }
            | Step::Appended { .. }
            | Step::BatchesLeftOut(_)
            | Step::DuplicateFound { .. }
            | Step::TransactionEnded { .. }
            | Step::SnapshotCorrupt { .. }
            | Step::Truncated { .. }
            | Step::Load(_)
            | Step::CheckStarted { .. }
            | Step::SegmentsDeleted { .. }
            | Step::CheckFinished { .. }
            | Step::ChecksSkipped { .. }
            | Step::FilesRemoved { .. }
            | Step::AbortedCollected { .. }
            | Step::ConsumerKept { .. }
            | Step::TimeSearchStarted { .. }
            | Step::TimeSearchAnswered { .. }
            | Step::OffsetAnswered { .. }
            | Step::NoTieredStorage
            | Step::Refused(_) => StepClass::Event,
        }
    }
}

/// The families of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepClass {
    /// Something was read and compared.
    Probe,
    /// A rule was asked, with its operands.
    Decision,
    /// Bytes or bookkeeping changed.
    Write,
    /// What came of the others, in one fact.
    Event,
}
