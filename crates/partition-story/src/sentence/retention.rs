//! Retention, in words.

use partition_log::rules::retention::{RetentionAnswer, RetentionDecision, RetentionRule};
use partition_log::state::MemoryChange;
use partition_log::step::Step;
use partition_log::units::{Offset, TimestampMs, grouped};

use super::SentenceBuilder;
use super::clause::{reason, reason_first};
use super::numbers::{Bases, size};
use super::text::{say, sentence};
use crate::language::limits;

/// Why a segment goes or stays: `75 s − 12 s = 63 s, above 60 s: segment 0 goes.`
pub(super) fn retention(decision: &RetentionDecision) -> SentenceBuilder {
    let mut text = reason_first(&decision.deciding());
    match decision.answer() {
        RetentionAnswer::Delete => say![text, ": segment ", Deleted: decision.base, " goes."],
        RetentionAnswer::Keep | RetentionAnswer::AboveHighWatermark | RetentionAnswer::EmptyActive => {
            say![text, ": segment ", Touched: decision.base, " stays, and the rule stops here."]
        }
    }
    text
}

/// Checks that found nothing: how many, the last one's time, and what kept the oldest segment.
pub(super) fn idle_checks(steps: &[Step]) -> SentenceBuilder {
    let (mut count, mut last) = (0u64, None);
    let mut kept: Vec<&RetentionDecision> = Vec::new();
    for step in steps {
        match step {
            Step::CheckStarted { now, .. } => {
                count += 1;
                last = Some(*now);
                kept.clear();
            }
            Step::ChecksSkipped {
                count: skipped,
                last: at,
                ..
            } => {
                count = count.saturating_add(*skipped);
                last = Some(*at);
                kept.clear();
            }
            Step::RetentionDecided(decision) if decision.rule() != RetentionRule::LogStart => kept.push(decision),
            _ => {}
        }
    }
    let at = last.unwrap_or_default();
    let mut text = match count {
        1 => sentence!["Check at ", Setting: at, ": "],
        _ => sentence![grouped(i64::try_from(count).unwrap_or(i64::MAX)), " checks; at ", Setting: at, ", "],
    };
    let Some((latest, earlier)) = kept.split_last() else {
        say![text, "nothing is due."];
        return text;
    };
    // Both rules kept the same segment, each for its own reason; the same reason is given once. Where both are too long to be
    // read at once, the last one stands for them.
    let told = |earlier: Option<&&RetentionDecision>| {
        let mut text = text.clone();
        if let Some(other) = earlier {
            text.append(reason(&other.deciding()));
            say![text, "; "];
        }
        text.append(reason(&latest.deciding()));
        say![text, ": segment ", Touched: latest.base, " stays."];
        text
    };
    let other = earlier.last().filter(|other| other.answer() == RetentionAnswer::Keep);
    let whole = told(other);
    if whole.clone().finish().length() <= limits::SENTENCE {
        whole
    } else {
        told(None)
    }
}

pub(super) fn segments_deleted(bases: &[Offset], length: u64, gone_at: TimestampMs, steps: &[Step]) -> SentenceBuilder {
    let many = bases.len() != 1;
    let mut text = sentence![
        if many { "Segments " } else { "Segment " }, Deleted: Bases(bases), if many { " leave" } else { " leaves" }, " the log, ",
        Deleted: size(length), if many { ": their" } else { ": its" }, " files end in .deleted until ", Setting: gone_at, "."
    ];
    for step in steps {
        if let Step::Memory(MemoryChange::LogStart { to, .. }) = step {
            say![text, " The log start offset is ", Touched: to, "."];
        }
    }
    text
}

pub(super) fn files_removed(steps: &[Step]) -> SentenceBuilder {
    let (mut bases, mut freed, mut at) = (Vec::new(), 0u64, None);
    for step in steps {
        match step {
            Step::FilesRemoved { base, size } => {
                bases.push(*base);
                freed = freed.saturating_add(*size);
            }
            Step::Memory(MemoryChange::SegmentForgotten { gone_at, .. }) => at = Some(*gone_at),
            _ => {}
        }
    }
    let many = bases.len() != 1;
    sentence![
        "At ", Setting: at.unwrap_or_default(), " the .deleted files of ", if many { "segments " } else { "segment " }, Deleted: Bases(&bases),
        " are removed: ", Deleted: size(freed), " of log leave the disk."
    ]
}
