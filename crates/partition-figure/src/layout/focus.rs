//! What a frame is about: the probes, scans and decisions of its command so far, and which of them are this beat's.

use partition_log::LogError;
use partition_log::disk::{FileChange, FileKind, FileName};
use partition_log::rules::clause::Clause;
use partition_log::rules::fetch::{FetchRange, FetchSlice};
use partition_log::rules::index_entry::IndexEntryDecision;
use partition_log::rules::reset::ResetDecision;
use partition_log::rules::retention::{RetentionDecision, RetentionRule};
use partition_log::rules::roll::{RollCause, RollDecision};
use partition_log::state::{ConsumerChange, MemoryChange};
use partition_log::step::LoadStep;
use partition_log::step::Step;
use partition_log::units::{Offset, Position, TimestampMs};

use partition_story::Frame;

/// A step's content, and whether it belongs to this beat (or to an earlier one of the same command).
#[derive(Clone, Copy, Debug)]
pub struct Seen<T> {
    /// The content.
    pub it: T,
    /// Whether it is new in this frame.
    pub fresh: bool,
}

/// What the lower part of the scene shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The whole log as one line of offsets.
    Line,
    /// One segment, opened.
    Open(Offset),
    /// The segment that is full, and the one that follows it, if it exists already.
    Pair(Offset, Option<Offset>),
    /// Retention, by this rule.
    Retention(RetentionRule),
}

/// The floor lookup of a segment.
#[derive(Clone, Copy, Debug)]
pub struct Floor<'a> {
    /// The offset.
    pub target: Offset,
    /// Base offsets compared.
    bases: &'a [Offset],
    /// The segment found.
    pub found: Option<Offset>,
    step: &'a Step,
}

impl Floor<'_> {
    /// What was compared of a segment.
    pub fn clause(&self, base: Offset) -> Option<Clause> {
        let index = self.bases.iter().position(|other| *other == base)?;
        self.step.clauses().get(index).copied()
    }
}

/// One segment's comparison in a search by time.
#[derive(Clone, Copy, Debug)]
pub struct TimeSegment {
    /// Base offset.
    pub base: Offset,
    /// What was compared.
    pub clause: Clause,
    /// Whether it is searched.
    pub searched: bool,
}

/// One look into an index.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    /// Base offset of the segment.
    pub base: Offset,
    /// Which index.
    pub kind: FileKind,
    /// Which of its entries.
    pub entry_number: u32,
    /// What was compared.
    pub clause: Clause,
}

/// The end of a search in an index.
#[derive(Clone, Copy, Debug)]
pub struct Lookup {
    /// Base offset of the segment.
    pub base: Offset,
    /// Which index.
    pub kind: FileKind,
    /// The entry found.
    pub entry_number: Option<u32>,
}

/// One batch of a scan.
#[derive(Clone, Copy, Debug)]
pub struct Scan {
    /// Base offset of the segment.
    pub base: Offset,
    /// Where it starts.
    pub position: Position,
    /// Its size in bytes.
    pub size: u64,
    /// Its last offset.
    pub last_offset: Offset,
    /// What was compared.
    pub clause: Clause,
    /// Whether the scan ends here.
    pub found: bool,
}

/// What the consumer made of a slice.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    /// Bytes of whole batches.
    pub bytes: u64,
    /// Bytes of a batch cut off.
    pub torn: u64,
    /// Records of the first batch that come before the offset asked for, which the consumer drops.
    pub below: u64,
    /// First and last offset that the application gets.
    pub delivered: Option<(Offset, Offset)>,
}

/// What arrived in one beat.
#[derive(Clone, Copy, Debug)]
pub struct Delivery {
    /// First offset delivered.
    pub first: Offset,
    /// Last offset delivered.
    pub last: Offset,
    /// Records.
    pub records: u64,
    /// Bytes of the whole batches.
    pub bytes: u64,
}

/// A batch that was appended.
#[derive(Clone, Copy, Debug)]
pub struct Append {
    /// Base offset of the segment.
    pub base: Offset,
    /// Its first offset.
    pub first_offset: Offset,
}

/// Everything that a frame's command has shown so far.
#[derive(Debug, Default)]
pub struct Focus<'a> {
    pub floor: Option<Seen<Floor<'a>>>,
    pub time_target: Option<TimestampMs>,
    pub time_segments: Vec<Seen<TimeSegment>>,
    pub probes: Vec<Seen<Probe>>,
    pub lookups: Vec<Seen<Lookup>>,
    pub scans: Vec<Seen<Scan>>,
    pub slice: Option<Seen<FetchSlice>>,
    pub kept: Option<Seen<Kept>>,
    pub range: Option<Seen<FetchRange>>,
    pub reset: Option<Seen<ResetDecision>>,
    pub roll: Option<Seen<&'a RollDecision>>,
    pub rolled: Option<Seen<(Offset, Offset, RollCause)>>,
    pub append: Option<Seen<Append>>,
    pub entry: Option<Seen<&'a IndexEntryDecision>>,
    pub check: bool,
    pub retention: Vec<Seen<RetentionDecision>>,
    pub log_start: Option<Seen<(Offset, Offset)>>,
    pub committed: Option<Seen<(Option<Offset>, Option<Offset>)>>,
    pub written: Vec<FileName>,
    pub refused: Option<Seen<&'a LogError>>,
    /// What the consumer got in this beat.
    pub delivery: Option<Delivery>,
    looked_up: bool,
    settled: bool,
    stage: Option<Stage>,
}

impl<'a> Focus<'a> {
    /// Reads the trail of a frame.
    pub fn of(frame: &'a Frame) -> Focus<'a> {
        let mut focus = Focus::default();
        let trail = frame.trail();
        let earlier = trail.len() - frame.steps().len();
        for (index, step) in trail.iter().enumerate() {
            focus.take(step, index >= earlier);
        }
        // A whole read in one beat is about what arrived, not about how it was found.
        if focus.looked_up && focus.delivery.is_some() {
            focus.stage = Some(Stage::Line);
        }
        focus
    }

    /// Begins anew within the same command; what arrived in this beat stays.
    fn restart(&mut self, focus: Focus<'a>) {
        *self = Focus {
            delivery: self.delivery,
            looked_up: self.looked_up,
            ..focus
        };
    }

    fn take(&mut self, step: &'a Step, fresh: bool) {
        match step {
            Step::RollDecided(decision) => {
                *self = Focus {
                    roll: Some(Seen { it: decision, fresh }),
                    ..Focus::default()
                };
                self.stage = Some(match decision.cause() {
                    Some(_) => Stage::Pair(decision.base, None),
                    None => Stage::Open(decision.base),
                });
            }
            Step::Rolled { closed, opened, cause } => {
                self.rolled = Some(Seen {
                    it: (*closed, *opened, *cause),
                    fresh,
                });
                if *cause != RollCause::Retention {
                    self.stage = Some(Stage::Pair(*closed, Some(*opened)));
                }
            }
            Step::Appended { base, first_offset, .. } => {
                self.append = Some(Seen {
                    it: Append {
                        base: *base,
                        first_offset: *first_offset,
                    },
                    fresh,
                });
                if !matches!(self.stage, Some(Stage::Pair(..))) {
                    self.stage = Some(Stage::Open(*base));
                }
            }
            Step::IndexEntryDecided(decision) => self.entry = Some(Seen { it: decision, fresh }),
            Step::CheckStarted { .. } => {
                *self = Focus {
                    check: true,
                    ..Focus::default()
                };
            }
            Step::RetentionDecided(decision) => {
                self.retention.push(Seen { it: *decision, fresh });
                // Several rules may be asked in one beat: it is about the first that has an answer of its own.
                if (decision.rule() != RetentionRule::LogStart && !self.settled) || self.stage.is_none() {
                    self.stage = Some(Stage::Retention(decision.rule()));
                    self.settled = fresh && decision.rule() != RetentionRule::LogStart;
                }
            }
            Step::FetchRangeDecided(range) => {
                let reset = self.reset.take();
                self.restart(Focus {
                    range: Some(Seen { it: *range, fresh }),
                    reset,
                    ..Focus::default()
                });
                self.stage = Some(Stage::Line);
            }
            Step::ResetDecided(decision) => {
                let range = self.range.take();
                self.restart(Focus {
                    reset: Some(Seen { it: *decision, fresh }),
                    range,
                    ..Focus::default()
                });
                self.stage = Some(Stage::Line);
            }
            Step::FloorLookedUp { target, bases, found } => {
                let (range, reset, time_target) = (self.range.take(), self.reset.take(), self.time_target);
                let floor = Some(Seen {
                    it: Floor {
                        target: *target,
                        bases,
                        found: *found,
                        step,
                    },
                    fresh,
                });
                self.restart(Focus {
                    floor,
                    range,
                    reset,
                    time_target,
                    ..Focus::default()
                });
                self.looked_up |= fresh;
                self.stage = Some(found.map_or(Stage::Line, Stage::Open));
            }
            Step::TimeSearchStarted { target } => {
                *self = Focus {
                    time_target: Some(*target),
                    stage: Some(Stage::Line),
                    ..Focus::default()
                };
            }
            Step::TimeSegmentProbed { base, searched, .. } => {
                let compared = step.clauses().into_iter().map(|clause| TimeSegment {
                    base: *base,
                    clause,
                    searched: *searched,
                });
                self.time_segments.extend(compared.map(|it| Seen { it, fresh }));
                if *searched {
                    self.stage = Some(Stage::Open(*base));
                }
            }
            Step::IndexProbed(probe) => {
                let compared = step.clauses().into_iter().map(|clause| Probe {
                    base: probe.base,
                    kind: probe.kind,
                    entry_number: probe.entry_number,
                    clause,
                });
                self.probes.extend(compared.map(|it| Seen { it, fresh }));
                self.stage = Some(Stage::Open(probe.base));
            }
            Step::IndexLookedUp {
                base,
                kind,
                entry_number,
                ..
            } => {
                self.lookups.push(Seen {
                    it: Lookup {
                        base: *base,
                        kind: *kind,
                        entry_number: *entry_number,
                    },
                    fresh,
                });
                self.stage = Some(Stage::Open(*base));
            }
            Step::BatchScanned {
                base,
                position,
                size,
                last_offset,
                found,
                ..
            } => {
                let compared = step.clauses().into_iter().map(|clause| Scan {
                    base: *base,
                    position: *position,
                    size: *size,
                    last_offset: *last_offset,
                    clause,
                    found: *found,
                });
                self.scans.extend(compared.map(|it| Seen { it, fresh }));
                self.stage = Some(Stage::Open(*base));
            }
            Step::FetchSliceDecided(slice) => {
                self.slice = Some(Seen { it: *slice, fresh });
                self.stage = Some(Stage::Open(slice.base));
            }
            Step::ConsumerKept {
                bytes,
                torn,
                records,
                delivered,
                below,
                ..
            } => {
                if let (true, Some((first, last))) = (fresh, *delivered) {
                    let before = self.delivery.unwrap_or(Delivery {
                        first,
                        last,
                        records: 0,
                        bytes: 0,
                    });
                    let (records, bytes) = (before.records + u64::from(*records), before.bytes + bytes);
                    self.delivery = Some(Delivery {
                        first: before.first,
                        last,
                        records,
                        bytes,
                    });
                }
                let it = Kept {
                    bytes: *bytes,
                    torn: *torn,
                    below: u64::from(*below),
                    delivered: *delivered,
                };
                self.kept = Some(Seen { it, fresh });
            }
            Step::Load(
                LoadStep::Lost { base, .. } | LoadStep::RecoveryEnded { base, .. } | LoadStep::Recovered { base, .. },
            ) => {
                *self = Focus {
                    stage: Some(Stage::Open(*base)),
                    ..Focus::default()
                };
            }
            Step::Load(_) => self.stage = Some(Stage::Line),
            Step::Refused(error) => self.refused = Some(Seen { it: error, fresh }),
            Step::OffsetAnswered { .. } => self.stage = Some(Stage::Line),
            Step::File(change) => {
                if fresh {
                    self.written.push(match change {
                        FileChange::Created { file, .. }
                        | FileChange::Appended { file, .. }
                        | FileChange::Overwritten { file, .. }
                        | FileChange::Replaced { file, .. }
                        | FileChange::Touched { file, .. }
                        | FileChange::Resized { file, .. }
                        | FileChange::Removed { file, .. } => *file,
                        FileChange::Renamed { to, .. } => *to,
                    });
                }
            }
            Step::Memory(MemoryChange::LogStart { from, to }) => {
                self.log_start = Some(Seen {
                    it: (*from, *to),
                    fresh,
                })
            }
            Step::Consumer(ConsumerChange::Committed { from, to }) => {
                self.committed = Some(Seen {
                    it: (*from, *to),
                    fresh,
                });
            }
            // What goes is shown by the rule that it goes by, also where the next rule answers in the same beat.
            Step::SegmentsDeleted { rule, .. } if fresh => {
                self.stage = Some(Stage::Retention(*rule));
                self.settled = true;
            }
            Step::SegmentsDeleted { .. }
            | Step::RetentionRuleOff { .. }
            | Step::CheckFinished { .. }
            | Step::ChecksSkipped { .. }
            | Step::FilesRemoved { .. }
            | Step::TimeSearchAnswered { .. }
            | Step::ProducerDecided(_)
            | Step::BatchesLeftOut(_)
            | Step::DuplicateFound { .. }
            | Step::TransactionEnded { .. }
            | Step::SnapshotCorrupt { .. }
            | Step::Truncated { .. }
            | Step::NoTieredStorage
            | Step::AbortedCollected { .. }
            | Step::TimeEntryDecided(_)
            | Step::Memory(_)
            | Step::Consumer(_) => {}
        }
    }

    /// What the lower part shows: what the command's last telling step was about, otherwise what the story is about.
    pub fn stage(&self, frame: &Frame) -> Stage {
        let extents = &frame.extents;
        if let Some(stage) = self.stage {
            return stage;
        }
        let active = frame.view.segments.last().filter(|_| extents.appends);
        if extents.size_checks {
            Stage::Retention(RetentionRule::Size)
        } else if extents.time_checks && (self.check || (!extents.consumer && frame.view.log_end > Offset::ZERO)) {
            Stage::Retention(RetentionRule::Time)
        } else if let (Some(active), false) = (active, extents.consumer) {
            Stage::Open(active.base)
        } else {
            Stage::Line
        }
    }
}
