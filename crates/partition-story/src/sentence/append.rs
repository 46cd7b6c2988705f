//! Appending and rolling, in words.

use partition_log::disk::{FileChange, FileKind};
use partition_log::rules::clause::{Clause, Relation};
use partition_log::rules::index_entry::{IndexEntryDecision, TimeEntryDecision, TimeEntryReason};
use partition_log::rules::roll::{RollCause, RollDecision};
use partition_log::step::Step;
use partition_log::units::{Offset, Position};

use super::SentenceBuilder;
use super::clause::{reason, reason_first};
use super::numbers::{Entry, Offsets, size};
use super::text::{say, sentence};

pub(super) fn roll_decided(decision: &RollDecision) -> SentenceBuilder {
    match decision.cause().and_then(|cause| decision.clause(cause)) {
        Some(deciding) => {
            let mut text = reason_first(&deciding);
            say![text, ": the record goes to a new segment."];
            text
        }
        None => {
            let (mut text, _) = fits(decision);
            say![text, ": the record stays in this segment."];
            text
        }
    }
}

/// Why the record stays, by its size, and by a second clause that came near; and whether there is a second one.
fn fits(decision: &RollDecision) -> (SentenceBuilder, bool) {
    let clauses = decision.clauses();
    let [first, rest @ ..] = &clauses;
    let mut text = reason_first(first);
    let near = rest.iter().find(|clause| came_near(clause));
    if let Some(clause) = near {
        say![text, "; "];
        text.append(reason(clause));
    }
    (text, near.is_some())
}

/// Whether a clause that says no is worth a word: it has come more than half way, or is below nothing.
fn came_near(clause: &Clause) -> bool {
    let (left, right) = (clause.left.value(), i128::from(clause.right.value));
    let grows = matches!(clause.relation, Relation::Above | Relation::AtLeast);
    clause.exemption.is_none() && grows && (left < 0 || left * 2 > right)
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
    let place = sentence![" ", Touched: offsets, " ", go, " to byte ", Log: position, " of segment ", Active: base];
    let Some(decision) = roll else {
        let mut text = sentence![offsets.noun_at_start()];
        text.append(place);
        say![
            text,
            if position == Position::ZERO {
                ", at its start."
            } else {
                "."
            }
        ];
        no_entry(&mut text, steps);
        return text;
    };
    let (mut text, two) = fits(decision);
    say![text, ": ", offsets.noun()];
    text.append(place);
    say![text, "."];
    if !two {
        no_entry(&mut text, steps);
    }
    text
}

/// That the batch gets no entry, and why.
fn no_entry(text: &mut SentenceBuilder, steps: &[Step]) {
    for step in steps {
        if let Step::IndexEntryDecided(decision) = step
            && !decision.due()
        {
            say![text, " "];
            text.append(reason_first(&decision.clause()));
            say![text, ": no entry."];
        }
    }
}

pub(super) fn index_entry(decision: &IndexEntryDecision, steps: &[Step], trail: &[Step]) -> SentenceBuilder {
    let mut text = reason_first(&decision.clause());
    if !decision.due() {
        say![text, ": no entry."];
        return text;
    }
    say![text, ": .index gets ", Index: Entry(decision.relative, decision.position)];
    let offered = steps.iter().find_map(|step| match step {
        Step::TimeEntryDecided(decision) => Some(decision),
        _ => None,
    });
    let refused = offered.filter(|time| !time.written());
    let several =
        |step: &Step| matches!(step, Step::Appended { first_offset, last_offset, .. } if first_offset < last_offset);
    // Both would be too much for one sentence.
    if refused.is_none() && trail.iter().any(several) {
        say![text, " for offset ", Touched: decision.last_offset, ", the batch’s last"];
    }
    match (offered, refused) {
        (_, Some(time)) => {
            say![text, "; .timeindex gets no entry: "];
            text.append(no_time_entry(time));
        }
        (Some(time), None) => {
            if let Some(timestamp) = time.timestamp {
                say![text, ", .timeindex ", TimeIndex: Entry(timestamp, time.relative)];
            }
        }
        (None, None) => {}
    }
    say![text, "."];
    text
}

/// Why the time index gets no entry.
fn no_time_entry(decision: &TimeEntryDecision) -> SentenceBuilder {
    match decision.timestamp {
        Some(_) => reason(&decision.clause()),
        None => sentence!["no record has a timestamp"],
    }
}

pub(super) fn time_entry(decision: &TimeEntryDecision) -> SentenceBuilder {
    let why = match decision.reason {
        TimeEntryReason::OffsetEntry => "",
        TimeEntryReason::Roll => " before the segment closes",
    };
    match decision.timestamp.filter(|_| decision.written()) {
        Some(timestamp) => sentence![".timeindex gets ", TimeIndex: Entry(timestamp, decision.relative), why, "."],
        None => {
            let mut text = sentence![".timeindex gets no entry", why, ": "];
            text.append(no_time_entry(decision));
            say![text, "."];
            text
        }
    }
}
