//! What commands came to, in words: their effects, without the way to them. Appends, rolls and deletions are counted, so
//! that many equal commands are told as one.

use partition_log::rules::fetch::RangeAnswer;
use partition_log::rules::retention::RetentionRule;
use partition_log::rules::roll::RollCause;
use partition_log::state::MemoryChange;
use partition_log::state::producers::ProducerChange;
use partition_log::step::{LoadStep, Step};
use partition_log::units::Offset;

use super::numbers::{Bases, Offsets, counted, size};
use super::retention::idle_checks;
use super::steps::of_beat;
use super::text::{say, sentence};
use super::{Sentence, SentenceBuilder};
use crate::beat::{Manner, beats};

/// What one command came to, or several in a row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Digest {
    appended: Option<Appends>,
    rolled: Vec<Segments<RollCause>>,
    deleted: Vec<Segments<RetentionRule>>,
    removed: Vec<Segments<()>>,
    expired: u64,
    /// Log start offset after the last deletion.
    log_start: Option<Offset>,
    /// Effects that have a sentence of their own.
    said: Vec<Sentence>,
    /// What is said where there was no effect.
    idle: Option<Sentence>,
}

/// Batches that were appended.
#[derive(Clone, Copy, Debug)]
struct Appends {
    first: Offset,
    last: Offset,
    base: Offset,
    size: u64,
}

/// Segments to which the same happened for the same cause.
#[derive(Clone, Debug)]
struct Segments<Cause> {
    cause: Cause,
    bases: Vec<Offset>,
    size: u64,
}

impl Digest {
    /// What the steps of one command came to.
    pub fn of(steps: &[Step], manner: Manner) -> Digest {
        let mut digest = Digest::default();
        steps.iter().for_each(|step| digest.count(step));
        let beats = beats(steps, manner);
        for beat in &beats {
            if is_said(&steps[beat.lead]) {
                digest.said.push(of_beat(&steps[..beat.steps.end], beat));
            }
        }
        let checked = |step: &Step| matches!(step, Step::CheckFinished { .. } | Step::ChecksSkipped { .. });
        digest.idle = match steps.iter().any(checked) {
            true => Some(idle_checks(steps).finish_within_limit()),
            false => beats.last().map(|beat| of_beat(&steps[..beat.steps.end], beat)),
        };
        digest
    }

    /// A command that was refused before anything happened.
    pub fn say(&mut self, sentence: Sentence) {
        self.said.push(sentence);
    }

    /// Whether an equal command that came to this can be told together with what this one came to.
    pub fn is_like(&self, other: &Digest) -> bool {
        let counts = |digest: &Digest| digest.appended.is_some();
        self.said == other.said && counts(self) == counts(other) && (counts(self) || self.idle == other.idle)
    }

    /// Adds what came next. What is said twice in a row is said once.
    pub fn merge(&mut self, next: Digest) {
        if let Some(next) = next.appended {
            self.append(next);
        }
        let Digest {
            rolled,
            deleted,
            removed,
            ..
        } = next;
        rolled.into_iter().for_each(|next| add(&mut self.rolled, next));
        deleted.into_iter().for_each(|next| add(&mut self.deleted, next));
        removed.into_iter().for_each(|next| add(&mut self.removed, next));
        self.expired += next.expired;
        self.log_start = next.log_start.or(self.log_start);
        for sentence in next.said {
            if self.said.last() != Some(&sentence) {
                self.said.push(sentence);
            }
        }
        self.idle = next.idle.or(self.idle.take());
    }

    /// It in words, a sentence an effect.
    pub fn sentences(&self) -> Vec<Sentence> {
        let mut sentences: Vec<SentenceBuilder> = Vec::new();
        sentences.extend(self.appended.map(|appended| appends(appended, &self.rolled)));
        if self.appended.is_none() {
            sentences.extend(self.rolled.iter().map(|rolled| {
                let mut text = SentenceBuilder::default();
                rolls(&mut text, rolled);
                text.upper_first();
                say![text, "."];
                text
            }));
        }
        sentences.extend(self.deleted.iter().map(|deleted| {
            let (noun, verb) = many(&deleted.bases, "leave");
            sentence![noun, Deleted: Bases(&deleted.bases), " ", verb, " the log by ", Setting: deleted.cause, ", ", Deleted: size(deleted.size), "."]
        }));
        if let Some(log_start) = self.log_start.filter(|_| !self.deleted.is_empty()) {
            sentences.push(sentence!["The log starts at ", Touched: log_start, "."]);
        }
        sentences.extend(self.removed.iter().map(|removed| {
            let (noun, _) = many(&removed.bases, "");
            sentence![noun, Deleted: Bases(&removed.bases), ": the .deleted files are removed, ", Deleted: size(removed.size), "."]
        }));
        if self.expired > 0 {
            sentences.push(sentence![Deleted: counted(self.expired, "producer"), " expired."]);
        }
        let mut sentences: Vec<Sentence> = sentences.into_iter().map(SentenceBuilder::finish).collect();
        sentences.extend(self.said.iter().cloned());
        if sentences.is_empty() {
            sentences.extend(self.idle.clone());
        }
        sentences
    }

    fn append(&mut self, next: Appends) {
        self.appended = Some(self.appended.map_or(next, |so_far| Appends {
            last: next.last,
            base: next.base,
            size: so_far.size + next.size,
            ..so_far
        }));
    }

    fn count(&mut self, step: &Step) {
        match step {
            Step::Appended {
                base,
                first_offset,
                last_offset,
                size,
                ..
            } => self.append(Appends {
                first: *first_offset,
                last: *last_offset,
                base: *base,
                size: *size,
            }),
            Step::Rolled { opened, cause, .. } => add(&mut self.rolled, one(*cause, &[*opened], 0)),
            Step::SegmentsDeleted { rule, bases, size, .. } => add(&mut self.deleted, one(*rule, bases, *size)),
            Step::Memory(MemoryChange::LogStart { to, .. }) => self.log_start = Some(*to),
            Step::FilesRemoved { base, size } => add(&mut self.removed, one((), &[*base], *size)),
            Step::Memory(MemoryChange::Producers(ProducerChange::Expired { .. })) => self.expired += 1,
            _ => {}
        }
    }
}

fn one<Cause>(cause: Cause, bases: &[Offset], size: u64) -> Segments<Cause> {
    Segments {
        cause,
        bases: bases.to_vec(),
        size,
    }
}

/// Adds segments to those with the same cause.
fn add<Cause: PartialEq>(all: &mut Vec<Segments<Cause>>, next: Segments<Cause>) {
    match all.iter_mut().find(|known| known.cause == next.cause) {
        Some(known) => {
            known.bases.extend(next.bases);
            known.size += next.size;
        }
        None => all.push(next),
    }
}

/// `Segment ` or `Segments `, and the verb that goes with it.
fn many(bases: &[Offset], verb: &str) -> (&'static str, String) {
    match bases {
        [_] => ("Segment ", format!("{verb}s")),
        _ => ("Segments ", verb.to_string()),
    }
}

fn appends(appended: Appends, rolled: &[Segments<RollCause>]) -> SentenceBuilder {
    let offsets = Offsets(appended.first, appended.last);
    let mut text = sentence![offsets.noun_at_start(), " ", Log: offsets, ", ", Log: size(appended.size)];
    if rolled.is_empty() {
        say![text, ", to segment ", Active: appended.base];
    }
    for rolled in rolled {
        say![text, "; "];
        rolls(&mut text, rolled);
    }
    say![text, "."];
    text
}

fn rolls(text: &mut SentenceBuilder, rolled: &Segments<RollCause>) {
    match &rolled.bases[..] {
        [base] => say![text, "segment ", Active: base, " is opened (", rolled.cause.to_string(), ")"],
        bases => {
            say![text, counted(bases.len() as u64, "segment"), " are opened (", rolled.cause.to_string(), "), ", Active: Bases(bases)]
        }
    }
}

/// Whether a beat about this step is told by a sentence of its own: it is an effect, and is not counted.
fn is_said(step: &Step) -> bool {
    match step {
        Step::BatchesLeftOut(_)
        | Step::DuplicateFound { .. }
        | Step::TransactionEnded { .. }
        | Step::SnapshotCorrupt { .. }
        | Step::Truncated { .. }
        | Step::ConsumerKept { .. }
        | Step::ResetDecided(_)
        | Step::TimeSearchAnswered { .. }
        | Step::OffsetAnswered { .. }
        | Step::NoTieredStorage
        | Step::Refused(_)
        | Step::Memory(MemoryChange::SettingChanged { .. }) => true,
        Step::FetchRangeDecided(range) => range.answer() != RangeAnswer::Readable,
        Step::Load(step) => !matches!(step, LoadStep::RecoveryDecided(_)),
        // What was counted, and the way to it.
        Step::RollDecided(_)
        | Step::Rolled { .. }
        | Step::Appended { .. }
        | Step::IndexEntryDecided(_)
        | Step::TimeEntryDecided(_)
        | Step::ProducerDecided(_)
        | Step::CheckStarted { .. }
        | Step::RetentionRuleOff { .. }
        | Step::RetentionDecided(_)
        | Step::SegmentsDeleted { .. }
        | Step::CheckFinished { .. }
        | Step::ChecksSkipped { .. }
        | Step::FilesRemoved { .. }
        | Step::FetchSliceDecided(_)
        | Step::AbortedCollected { .. }
        | Step::TimeSearchStarted { .. }
        | Step::FloorLookedUp { .. }
        | Step::TimeSegmentProbed { .. }
        | Step::IndexProbed(_)
        | Step::IndexLookedUp { .. }
        | Step::BatchScanned { .. }
        | Step::File(_)
        | Step::Memory(_)
        | Step::Consumer(_) => false,
    }
}
