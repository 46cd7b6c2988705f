//! The steps of an operation, divided into beats: one decision, probe, scan or effect, with the writes that carry it out.
//!
//! What repeats without news is one beat: a run of records that a scan passes over, checks that find nothing, the reads
//! of a consumer that just goes on.

use core::ops::Range;

use partition_log::disk::FileKind;
use partition_log::rules::fetch::RangeAnswer;
use partition_log::rules::index_entry::TimeEntryReason;
use partition_log::rules::retention::RetentionAnswer;
use partition_log::state::MemoryChange;
use partition_log::step::Step;

use crate::language::Stage;

/// So many records passed over, segments ruled out or segments due are shown one by one; more of them at once.
const RUN: usize = 3;

/// So many probes of one search are shown one by one.
const PROBES: usize = 4;

/// A beat: its steps, and the one that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Beat {
    /// Its steps.
    pub steps: Range<usize>,
    /// The step that the sentence is about.
    pub lead: usize,
}

/// How closely an operation is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Every decision and probe.
    #[default]
    Closely,
    /// An append: time passes on the way, and checks that find nothing are no news.
    Append,
    /// A consumer that goes on reading: what arrives, not how it was found.
    Consumer,
}

/// Divides the steps of one operation.
pub(crate) fn beats(steps: &[Step], manner: Manner) -> Vec<Beat> {
    let mut divider = Divider {
        steps,
        manner,
        beats: Vec::new(),
        start: 0,
    };
    let mut at = 0;
    while at < steps.len() {
        at = divider.take(at);
    }
    divider.finish()
}

struct Divider<'a> {
    steps: &'a [Step],
    manner: Manner,
    beats: Vec<Beat>,
    /// First step that belongs to no beat yet.
    start: usize,
}

impl Divider<'_> {
    /// End of a step and the writes behind it.
    fn end(&self, at: usize) -> usize {
        let writes = self.steps[at + 1..].iter().take_while(|step| step.is_write());
        at + 1 + writes.count()
    }

    /// End of the steps from `at` on that satisfy a condition, each with its writes; and the last such step.
    fn run(&self, at: usize, wanted: impl Fn(&Step) -> bool) -> (usize, usize, usize) {
        let (mut end, mut last, mut count) = (self.end(at), at, 1);
        while self.steps.get(end).is_some_and(&wanted) {
            last = end;
            end = self.end(end);
            count += 1;
        }
        (end, last, count)
    }

    fn beat(&mut self, end: usize, lead: usize) -> usize {
        self.beats.push(Beat {
            steps: self.start..end,
            lead,
        });
        self.start = end;
        end
    }

    /// Adds steps to the beat before, or leaves them to the next one if there is none.
    fn join(&mut self, end: usize) -> usize {
        match self.beats.last_mut() {
            Some(last) if last.steps.end == self.start => {
                last.steps.end = end;
                self.start = end;
            }
            _ => {}
        }
        end
    }

    /// Takes the step at `at`, and what belongs to it; returns where the next one is.
    fn take(&mut self, at: usize) -> usize {
        let end = self.end(at);
        let consumer = self.manner == Manner::Consumer;
        match &self.steps[at] {
            Step::RollDecided(decision) if decision.cause().is_none() => end,
            Step::RollDecided(_) | Step::ConsumerKept { .. } | Step::OffsetAnswered { .. } => self.beat(end, at),
            Step::Rolled { .. } => {
                let closing = |step: &Step| matches!(step, Step::TimeEntryDecided(decision) if decision.reason == TimeEntryReason::Roll);
                let (end, ..) = self.run(at, closing);
                self.beat(end, at)
            }
            Step::Appended { .. } => {
                let (end, ..) = self.run(
                    at,
                    |step| matches!(step, Step::IndexEntryDecided(decision) if !decision.due()),
                );
                self.beat(end, at)
            }
            Step::IndexEntryDecided(_) => {
                let (end, ..) = self.run(at, |step| matches!(step, Step::TimeEntryDecided(_)));
                self.beat(end, at)
            }
            // A start makes indexes anew, which is one thing a segment.
            Step::TimeEntryDecided(_) if self.steps.iter().any(|step| matches!(step, Step::Load(_))) => end,
            Step::TimeEntryDecided(_) => self.beat(end, at),
            Step::CheckStarted { .. } => self.check(at),
            Step::ChecksSkipped { .. } => self.idle(end, at),
            // Outside a check there are none of these; they are news of their own.
            Step::RetentionRuleOff { .. } | Step::RetentionDecided(_) | Step::SegmentsDeleted { .. } => {
                self.beat(end, at)
            }
            Step::CheckFinished { .. } => self.join(end),
            Step::FilesRemoved { .. } => {
                let (end, last, _) = self.run(at, |step| matches!(step, Step::FilesRemoved { .. }));
                self.beat(end, last)
            }
            Step::FetchRangeDecided(range) => match range.answer() {
                RangeAnswer::OutOfRange => {
                    let (end, ..) = self.run(at, |step| matches!(step, Step::Refused(_)));
                    self.beat(end, at)
                }
                RangeAnswer::Empty if consumer && self.reads_so_far() => self.join(end),
                RangeAnswer::Readable if consumer => end,
                RangeAnswer::Empty | RangeAnswer::Readable => self.beat(end, at),
            },
            Step::ResetDecided(_) => {
                let (end, ..) = self.run(at, |step| matches!(step, Step::Refused(_)));
                self.beat(end, at)
            }
            Step::TimeSearchStarted { .. } | Step::ProducerDecided(_) | Step::AbortedCollected { .. } => end,
            // How a consumer's batch or its time was found is not what its beat is about.
            Step::TimeSegmentProbed { .. }
            | Step::TimeSearchAnswered { .. }
            | Step::FloorLookedUp { .. }
            | Step::IndexProbed(_)
            | Step::IndexLookedUp { .. }
            | Step::BatchScanned { .. }
            | Step::FetchSliceDecided(_)
                if consumer =>
            {
                end
            }
            Step::TimeSegmentProbed { searched: false, .. } => self.grouped(at, RUN, |step| {
                matches!(step, Step::TimeSegmentProbed { searched: false, .. })
            }),
            Step::BatchScanned { found: false, .. } => {
                self.grouped(at, RUN, |step| matches!(step, Step::BatchScanned { found: false, .. }))
            }
            Step::IndexProbed(_) => self.probes(at),
            Step::TimeSegmentProbed { .. }
            | Step::TimeSearchAnswered { .. }
            | Step::FloorLookedUp { .. }
            | Step::IndexLookedUp { .. }
            | Step::BatchScanned { .. }
            | Step::FetchSliceDecided(_)
            | Step::BatchesLeftOut(_)
            | Step::DuplicateFound { .. }
            | Step::TransactionEnded { .. }
            | Step::SnapshotCorrupt { .. }
            | Step::Truncated { .. }
            | Step::Load(_)
            | Step::NoTieredStorage
            | Step::Refused(_) => self.beat(end, at),
            Step::Memory(MemoryChange::SettingChanged { .. }) => self.beat(end, at),
            Step::File(_) | Step::Memory(_) | Step::Consumer(_) => at + 1,
        }
    }

    /// Whether the beat before this one is a read that brought something.
    fn reads_so_far(&self) -> bool {
        let kept = |beat: &Beat| matches!(self.steps[beat.lead], Step::ConsumerKept { .. });
        self.beats
            .last()
            .is_some_and(|beat| beat.steps.end == self.start && kept(beat))
    }

    /// A run of the same kind of step: one beat each, or one in all if they are many.
    fn grouped(&mut self, at: usize, most: usize, wanted: impl Fn(&Step) -> bool) -> usize {
        let (end, last, count) = self.run(at, wanted);
        if count > most {
            self.beat(end, last)
        } else {
            self.beat(self.end(at), at)
        }
    }

    /// The probes of one search: the first ones alone, those beyond together.
    fn probes(&mut self, at: usize) -> usize {
        let shown = self
            .beats
            .iter()
            .rev()
            .take_while(|beat| matches!(self.steps[beat.lead], Step::IndexProbed(_)))
            .count();
        if shown + 1 < PROBES {
            let end = self.end(at);
            return self.beat(end, at);
        }
        let (end, last, _) = self.run(at, |step| matches!(step, Step::IndexProbed(_)));
        self.beat(end, last)
    }

    /// A check, or several in a row, that found nothing: no news during an append, else one beat.
    fn idle(&mut self, end: usize, lead: usize) -> usize {
        if self.manner == Manner::Append {
            return end;
        }
        let idle = |step: &Step| {
            matches!(
                step,
                Step::ChecksSkipped { .. } | Step::CheckFinished { deleted: 0, .. }
            )
        };
        match self.beats.last_mut() {
            Some(last) if last.steps.end == self.start && idle(&self.steps[last.lead]) => {
                *last = Beat {
                    steps: last.steps.start..end,
                    lead,
                };
                self.start = end;
                end
            }
            _ => self.beat(end, lead),
        }
    }

    /// One retention check, from its start to its end.
    fn check(&mut self, at: usize) -> usize {
        let finished = self.steps[at..]
            .iter()
            .position(|step| matches!(step, Step::CheckFinished { .. }));
        let Some(finished) = finished.map(|distance| at + distance) else {
            return self.end(at);
        };
        let end = self.end(finished);
        let gone = |step: &Step| matches!(step, Step::SegmentsDeleted { .. });
        if !self.steps[at..finished].iter().any(gone) {
            return self.idle(end, finished);
        }
        // What is no news goes with the beat behind it, and only after the first one with the beat before it.
        let beats = self.beats.len();
        let mut next = self.end(at);
        while next < finished {
            next = self.check_step(at, next, beats);
        }
        self.join(end)
    }

    /// A step of a check that deletes something; the check began at `start`, and with so many beats before it.
    fn check_step(&mut self, start: usize, at: usize, beats: usize) -> usize {
        let end = self.end(at);
        let due = |step: &Step, rule| matches!(step, Step::RetentionDecided(next) if next.rule() == rule && next.answer() == RetentionAnswer::Delete);
        match &self.steps[at] {
            Step::RetentionDecided(decision) if decision.answer() == RetentionAnswer::Delete => {
                self.grouped(at, RUN, |step| due(step, decision.rule()))
            }
            // A rule that deletes nothing is no news beside one that does.
            Step::RetentionDecided(decision)
                if !self.steps[start..at].iter().any(|step| due(step, decision.rule())) =>
            {
                if self.beats.len() > beats {
                    self.join(end)
                } else {
                    end
                }
            }
            Step::RetentionRuleOff { .. } => {
                if self.beats.len() > beats {
                    self.join(end)
                } else {
                    end
                }
            }
            Step::RetentionDecided(_) | Step::SegmentsDeleted { .. } => self.beat(end, at),
            _ => self.take(at),
        }
    }

    fn finish(mut self) -> Vec<Beat> {
        let end = self.steps.len();
        if self.start < end {
            self.join(end);
        }
        if self.start < end {
            let rest = self.start..end;
            let is_lead = |at: &usize| !matches!(self.steps[*at], Step::Memory(MemoryChange::ClockMoved { .. }));
            // A probe or decision that nothing followed, else the write that is more than the clock.
            let lead = rest
                .clone()
                .rfind(|at| !self.steps[*at].is_write())
                .or_else(|| rest.clone().find(is_lead));
            self.beats.push(Beat {
                lead: lead.unwrap_or(end - 1),
                steps: rest,
            });
        }
        self.beats
    }
}

/// The part of a command that a beat belongs to.
pub(crate) fn stage(steps: &[Step], beat: &Beat) -> Option<Stage> {
    Some(match &steps[beat.lead] {
        Step::RollDecided(_) | Step::Rolled { .. } => Stage::Roll,
        Step::Appended { .. } => Stage::Append,
        Step::IndexEntryDecided(_) | Step::TimeEntryDecided(_) => Stage::Entry,
        Step::CheckStarted { .. }
        | Step::RetentionRuleOff { .. }
        | Step::RetentionDecided(_)
        | Step::CheckFinished { .. }
        | Step::ChecksSkipped { .. } => Stage::Check,
        Step::SegmentsDeleted { .. } => Stage::Delete,
        Step::FilesRemoved { .. } => Stage::Remove,
        Step::FetchRangeDecided(range) if range.answer() == RangeAnswer::OutOfRange => Stage::Reset,
        Step::ResetDecided(_) => Stage::Reset,
        Step::FetchRangeDecided(range) if range.answer() == RangeAnswer::Empty => Stage::Answer,
        Step::FetchRangeDecided(_)
        | Step::FloorLookedUp { .. }
        | Step::TimeSearchStarted { .. }
        | Step::TimeSegmentProbed { .. } => Stage::Segment,
        Step::IndexProbed(probe) if probe.kind == FileKind::TimeIndex => Stage::TimeIndex,
        Step::IndexLookedUp {
            kind: FileKind::TimeIndex,
            ..
        } => Stage::TimeIndex,
        Step::IndexProbed(_) | Step::IndexLookedUp { .. } => Stage::OffsetIndex,
        Step::BatchScanned { .. } => Stage::Scan,
        Step::FetchSliceDecided(_)
        | Step::ConsumerKept { .. }
        | Step::TimeSearchAnswered { .. }
        | Step::OffsetAnswered { .. } => Stage::Answer,
        _ => return None,
    })
}
