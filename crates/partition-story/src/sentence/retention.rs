//! Retention, in words.

use partition_log::rules::retention::{RetentionAnswer, RetentionDecision, RetentionOperands, RetentionRule};
use partition_log::state::MemoryChange;
use partition_log::step::Step;
use partition_log::units::{Offset, TimestampMs, duration, grouped};

use super::SentenceBuilder;
use super::numbers::{Bases, plain, size};
use super::text::{say, sentence};

/// The numbers of a rule and how they compare: `75 s − 12 s = 63 s, above 60 s`.
pub(super) fn retention_operands(decision: &RetentionDecision) -> SentenceBuilder {
    match decision.answer() {
        RetentionAnswer::AboveHighWatermark => {
            return sentence![
                "It ends at ", Touched: decision.end, ", above the high watermark ", Setting: decision.high_watermark
            ];
        }
        RetentionAnswer::EmptyActive => return sentence!["It is empty and takes the next record"],
        RetentionAnswer::Delete | RetentionAnswer::Keep => {}
    }
    let holds = decision.holds();
    match decision.operands {
        RetentionOperands::LogStart {
            next_base: Some(next),
            log_start,
        } => sentence![
            "It ends before ", Touched: next, if holds { ", not above" } else { ", above" }, " the log start offset ", Setting: log_start
        ],
        RetentionOperands::LogStart { next_base: None, .. } => sentence!["It is the last segment"],
        RetentionOperands::Size {
            log_size,
            retention_bytes,
            segment_size,
        } => {
            sentence![
                Log: plain(log_size), " − ", Setting: plain(retention_bytes), " = ", grouped(decision.measured()),
                if holds { ", not less than its " } else { ", less than its " }, Log: size(segment_size)
            ]
        }
        RetentionOperands::Time {
            now,
            largest,
            from_file_time,
            retention_ms,
        } => sentence![
            Setting: now, " − ", Log: largest, if from_file_time { " (file time) = " } else { " = " }, duration(decision.measured()),
            if holds { ", above " } else { ", not above " }, Setting: duration(retention_ms)
        ],
    }
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
    // Both rules kept the same segment, each for its own reason; the same reason is given once.
    if let Some(other) = earlier.last().filter(|other| other.answer() == RetentionAnswer::Keep) {
        text.append(retention_operands(other));
        say![text, "; "];
    }
    let mut operands = retention_operands(latest);
    operands.lower_first();
    text.append(operands);
    say![text, ": segment ", Touched: latest.base, " stays."];
    text
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
