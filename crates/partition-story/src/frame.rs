//! Frames: what a reader sees of one beat. And how much of everything a story has, so that a picture can keep its height.

use core::ops::Range;
use std::rc::Rc;

use partition_log::disk::FileKind;
use partition_log::ordered::OrderedMap;
use partition_log::questions::view::PartitionView;
use partition_log::rules::retention::RetentionRule;
use partition_log::state::{ConsumerChange, MemoryChange};
use partition_log::step::Step;
use partition_log::units::{Offset, TimestampMs};

use crate::sentence::Sentence;

/// One frame of a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Which, from 0; people and links count from 1.
    pub index: usize,
    /// How many the story has.
    pub total: usize,
    /// Index of its phase; `None` for the set-up and before the first phase.
    pub phase: Option<usize>,
    /// The command that it belongs to, with the inputs filled in; of a repeated append, this one.
    pub command: String,
    /// What happened so far.
    pub(crate) trail: Trail,
    /// The beat in words.
    pub sentence: Sentence,
    /// The partition before the beat.
    pub before: PartitionView,
    /// The partition after it.
    pub view: PartitionView,
    /// The same for all frames of a story.
    pub extents: Extents,
}

/// The steps of a command, which its frames share: a copy of each would be several kB of the page's code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trail {
    /// All of the command.
    pub all: Rc<[Step]>,
    /// Those of the beat.
    pub beat: Range<usize>,
}

impl Frame {
    /// The steps of this beat; none in the first frame, and where the author speaks.
    pub fn steps(&self) -> &[Step] {
        &self.trail.all[self.trail.beat.clone()]
    }

    /// All steps of the command so far, this beat included; of a repeated append, of this one.
    pub fn trail(&self) -> &[Step] {
        &self.trail.all[..self.trail.beat.end]
    }
}

/// A stretch of frames with a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// For links; it stays the same when a story changes.
    pub id: String,
    /// For the timeline.
    pub title: String,
    /// Index of its first frame.
    pub first: usize,
    /// Index of its last frame, inclusive.
    pub last: usize,
}

/// The most there is of anything in any frame of a story, and what happens in it at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extents {
    /// Segments at once, those with files called `.deleted` included.
    pub lanes: usize,
    /// Entries in one offset index.
    pub offset_entries: usize,
    /// Entries in one time index.
    pub time_entries: usize,
    /// Records in one segment.
    pub records: usize,
    /// Bytes in one `.log`.
    pub segment_size: u64,
    /// Bytes in one batch.
    pub batch_size: u64,
    /// Bytes in all live `.log` files.
    pub log_size: u64,
    /// Log end offset.
    pub log_end: Offset,
    /// The clock.
    pub clock: TimestampMs,
    /// Records are appended after the set-up.
    pub appends: bool,
    /// Segments are rolled by an append after the set-up.
    pub rolls: bool,
    /// Offsets are looked up after the set-up.
    pub reads: bool,
    /// Times are searched for after the set-up.
    pub time_searches: bool,
    /// Checks look at sizes after the set-up.
    pub size_checks: bool,
    /// Checks look at ages after the set-up.
    pub time_checks: bool,
    /// There is a committed offset, or a consumer whose offset is not in the log.
    pub consumer: bool,
}

/// Counts along the steps of a run, so that no state has to be decoded for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Census {
    segments: OrderedMap<Offset, Counts>,
    /// Segments whose files wait for their removal.
    deleted: Vec<(Offset, Counts)>,
    log_size: u64,
    extents: Extents,
    started: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    offset_entries: usize,
    time_entries: usize,
    records: usize,
    size: u64,
    largest_batch: u64,
}

impl Census {
    /// From here on the reader watches: what there is now counts, and what happens.
    pub fn start(&mut self) {
        self.started = true;
        let deleted = self.deleted.iter().map(|(_, counts)| *counts);
        let segments: Vec<Counts> = self.segments.values().copied().chain(deleted).collect();
        segments.iter().for_each(|counts| self.raise(counts));
        self.raise_totals();
    }

    pub fn extents(&self) -> Extents {
        self.extents.clone()
    }

    /// Counts one step.
    pub fn count(&mut self, step: &Step) {
        match step {
            Step::Appended {
                base,
                first_offset,
                last_offset,
                size,
                ..
            } => {
                self.log_size += size;
                self.change(*base, |counts| {
                    counts.records += usize::try_from(*last_offset - *first_offset + 1).unwrap_or(0);
                    counts.size += size;
                    counts.largest_batch = counts.largest_batch.max(*size);
                });
            }
            Step::Memory(change) => self.count_change(change),
            Step::Consumer(ConsumerChange::Committed { to: Some(_), .. }) => self.extents.consumer = true,
            _ => {}
        }
        if self.started {
            self.extents.note(step);
            self.raise_totals();
        }
    }

    fn count_change(&mut self, change: &MemoryChange) {
        match change {
            MemoryChange::SegmentOpened { base, .. } => self.change(*base, |counts| *counts = Counts::default()),
            MemoryChange::SegmentDeleted { base, .. } => {
                if let Some(counts) = self.segments.remove(*base) {
                    self.log_size -= counts.size;
                    self.deleted.push((*base, counts));
                }
            }
            MemoryChange::SegmentForgotten { base, .. } => {
                if let Some(at) = self.deleted.iter().position(|(deleted, _)| deleted == base) {
                    self.deleted.remove(at);
                }
            }
            MemoryChange::IndexEntries { base, kind, to, .. } => self.change(*base, |counts| match kind {
                FileKind::TimeIndex => counts.time_entries = *to as usize,
                _ => counts.offset_entries = *to as usize,
            }),
            MemoryChange::ClockMoved { to, .. } => self.extents.clock = *to,
            MemoryChange::LogEnd { to, .. } => self.extents.log_end = *to,
            _ => {}
        }
    }

    fn change(&mut self, base: Offset, change: impl FnOnce(&mut Counts)) {
        let mut counts = self.segments.get(base).copied().unwrap_or_default();
        change(&mut counts);
        self.segments.insert(base, counts);
        if self.started {
            self.raise(&counts);
        }
    }

    fn raise(&mut self, counts: &Counts) {
        let extents = &mut self.extents;
        extents.offset_entries = extents.offset_entries.max(counts.offset_entries);
        extents.time_entries = extents.time_entries.max(counts.time_entries);
        extents.records = extents.records.max(counts.records);
        extents.segment_size = extents.segment_size.max(counts.size);
        extents.batch_size = extents.batch_size.max(counts.largest_batch);
    }

    fn raise_totals(&mut self) {
        self.extents.lanes = self.extents.lanes.max(self.segments.len() + self.deleted.len());
        self.extents.log_size = self.extents.log_size.max(self.log_size);
    }
}

impl Extents {
    /// Notes what kind of thing happens.
    pub(crate) fn note(&mut self, step: &Step) {
        match step {
            Step::Appended { .. } => self.appends = true,
            Step::RollDecided(decision) => self.rolls |= decision.cause().is_some(),
            Step::FloorLookedUp { .. } => self.reads = true,
            Step::TimeSearchStarted { .. } => self.time_searches = true,
            Step::RetentionDecided(decision) => match decision.rule() {
                RetentionRule::Size => self.size_checks = true,
                RetentionRule::Time => self.time_checks = true,
                RetentionRule::LogStart => {}
            },
            Step::ResetDecided(_) => self.consumer = true,
            _ => {}
        }
    }
}
