//! Appending and rolling, in words.

use partition_log::disk::{FileChange, FileKind};
use partition_log::rules::index_entry::{IndexEntryDecision, TimeEntryDecision, TimeEntryReason};
use partition_log::rules::roll::{RollCause, RollDecision, Waited};
use partition_log::step::Step;
use partition_log::units::{Offset, Position, duration};

use super::SentenceBuilder;
use super::numbers::{Entry, Offsets, plain, size};
use super::text::{say, sentence};

pub(super) fn roll_decided(decision: &RollDecision) -> SentenceBuilder {
    let mut text = match decision.cause() {
        Some(RollCause::Size) => {
            return sentence![
                Log: plain(decision.size), " + ", Touched: plain(decision.append_size), " = ", plain(decision.total()),
                ", above ", Setting: plain(decision.segment_bytes), ": the record goes to a new segment."
            ];
        }
        Some(RollCause::Time) => {
            let mut text = waited(decision);
            say![text, ", above ", Setting: duration(decision.waited_limit_ms)];
            text
        }
        Some(RollCause::OffsetIndexFull) => {
            sentence![Index: plain(decision.offset_index.0.into()), " of ", plain(decision.offset_index.1.into()), " entries fill the .index"]
        }
        Some(RollCause::TimeIndexFull) => sentence![
            TimeIndex: plain(decision.time_index.0.into()), " of ", plain(decision.time_index.1.into()),
            " entries fill the .timeindex, one slot is for the roll"
        ],
        Some(RollCause::OffsetRange) => sentence![
            "Offset ", Touched: decision.append_last_offset, " is more than 2,147,483,647 above base offset ", Log: decision.base
        ],
        Some(RollCause::Retention | RollCause::Requested) | None => {
            return fits(decision, sentence![": the record stays in this segment."]);
        }
    };
    say![text, ": the record goes to a new segment."];
    text
}

/// `68 s − 24 s = 44 s`, or how long the clock has run since the segment was opened.
fn waited(decision: &RollDecision) -> SentenceBuilder {
    let span = duration(decision.waited.ms());
    match decision.waited {
        Waited::Timestamps {
            incoming: Some(incoming),
            first,
        } => {
            sentence![Touched: incoming, " − ", Log: first, " = ", span]
        }
        Waited::Timestamps { incoming: None, .. } => {
            sentence!["no timestamp counts as ", span]
        }
        Waited::Clock { now, created } => sentence![Setting: now, " − ", Log: created, " = ", span],
    }
}

/// `140 + 40 = 180, not above 300`, and the time clause where it is near its limit or below 0.
fn fits(decision: &RollDecision, verdict: SentenceBuilder) -> SentenceBuilder {
    let mut text = sentence![
        Log: plain(decision.size), " + ", Touched: plain(decision.append_size), " = ", plain(decision.total()),
        ", not above ", Setting: plain(decision.segment_bytes)
    ];
    if tells_time(decision) {
        say![text, "; "];
        text.append(waited(decision));
        say![text, ", not above ", Setting: duration(decision.waited_limit_ms)];
    }
    text.append(verdict);
    text
}

/// Whether the clause of time is worth a word: more than half of the limit has passed, or less than nothing.
fn tells_time(decision: &RollDecision) -> bool {
    let waited = decision.waited.ms();
    decision.size > 0 && (waited < 0 || i128::from(waited) * 2 > i128::from(decision.waited_limit_ms))
}

pub(super) fn rolled(closed: Offset, opened: Offset, cause: RollCause, steps: &[Step]) -> SentenceBuilder {
    if cause == RollCause::Retention {
        return sentence![
            "Every segment is due, so an empty one is opened first: segment ", Active: opened, ". Segment ",
            Deleted: closed, " is closed."
        ];
    }
    let mut text = sentence!["Segment ", Log: closed, " is closed: "];
    for step in steps {
        if let Step::TimeEntryDecided(decision) = step
            && let Some(timestamp) = decision.timestamp.filter(|_| decision.written())
        {
            say![text, ".timeindex gains ", TimeIndex: Entry(timestamp, decision.relative), ", "];
        }
    }
    let cut = |wanted: FileKind| {
        steps.iter().rev().find_map(|step| match step {
            Step::File(FileChange::Resized { file, to, .. }) if file.kind == wanted => Some(*to),
            _ => None,
        })
    };
    match (cut(FileKind::Index), cut(FileKind::TimeIndex)) {
        (Some(index), Some(time_index)) => {
            say![text, "its indexes shrink to the ", Index: size(index), " and ", TimeIndex: size(time_index)];
            say![text, " in use. "]
        }
        _ => say![text, "it gets no more records. "],
    }
    say![text, "Segment ", Active: opened, " is opened."];
    text
}

pub(super) fn appended(base: Offset, offsets: Offsets, position: Position, steps: &[Step]) -> SentenceBuilder {
    let roll = steps.iter().find_map(|step| match step {
        Step::RollDecided(decision) => Some(decision),
        _ => None,
    });
    let go = offsets.verb("goes", "go");
    let place = sentence!["byte ", Log: position, " of segment ", Active: base];
    let mut text = match roll {
        Some(decision) => {
            let mut text = fits(
                decision,
                sentence![": ", offsets.noun(), " ", Touched: offsets, " ", go, " to "],
            );
            text.append(place);
            if tells_time(decision) {
                say![text, "."];
                return text;
            }
            text
        }
        None => {
            let mut text = sentence![offsets.noun_at_start(), " ", Touched: offsets, " ", go, " to "];
            text.append(place);
            if position == Position::ZERO {
                say![text, ", at its start"];
            }
            text
        }
    };
    say![text, "."];
    for step in steps {
        if let Step::IndexEntryDecided(decision) = step
            && !decision.due()
        {
            say![text, " ", Log: size(decision.counter), " since the last entry"];
            say![text, ", not above ", Setting: plain(decision.interval), ": no entry."];
        }
    }
    text
}

pub(super) fn index_entry(decision: &IndexEntryDecision, steps: &[Step], trail: &[Step]) -> SentenceBuilder {
    let counter = sentence![Log: size(decision.counter), " since the last entry"];
    if !decision.due() {
        let mut text = counter;
        say![text, ", not above ", Setting: plain(decision.interval), ": no entry."];
        return text;
    }
    let mut text = counter;
    say![text, ", above ", Setting: plain(decision.interval)];
    say![text, ": .index gets ", Index: Entry(decision.relative, decision.position)];
    let several =
        |step: &Step| matches!(step, Step::Appended { first_offset, last_offset, .. } if first_offset < last_offset);
    if trail.iter().any(several) {
        say![text, " for offset ", Touched: decision.last_offset, ", the batch’s last"];
    }
    for step in steps {
        if let Step::TimeEntryDecided(decision) = step {
            match decision.timestamp {
                Some(timestamp) if decision.written() => {
                    say![text, ", .timeindex ", TimeIndex: Entry(timestamp, decision.relative)]
                }
                Some(timestamp) => say![text, ", .timeindex nothing: ", TimeIndex: timestamp, " is no news there"],
                None => say![text, ", .timeindex nothing: there is no timestamp"],
            }
        }
    }
    say![text, "."];
    text
}

pub(super) fn time_entry(decision: &TimeEntryDecision) -> SentenceBuilder {
    let why = match decision.reason {
        TimeEntryReason::OffsetEntry => "",
        TimeEntryReason::Roll => " before the segment closes",
    };
    match (decision.timestamp, decision.last) {
        (Some(timestamp), _) if decision.written() => {
            sentence![".timeindex gets ", TimeIndex: Entry(timestamp, decision.relative), why, "."]
        }
        (Some(timestamp), Some(last)) => sentence![
            "The largest time, ", TimeIndex: timestamp, ", is not above the last entry's, ", TimeIndex: last, ": no entry", why, "."
        ],
        (None, _) | (_, None) => sentence!["No record has a timestamp: .timeindex gets no entry", why, "."],
    }
}
