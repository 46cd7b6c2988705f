//! Reading, by offset and by time, and a consumer's resets, in words.

use partition_log::disk::FileKind;
use partition_log::error::LogError;
use partition_log::format::index::IndexProbe;
use partition_log::rules::clause::Clause;
use partition_log::rules::fetch::{FetchRange, FetchSlice, RangeAnswer};
use partition_log::rules::reset::{ResetDecision, ResetPolicy, ResetReason};
use partition_log::step::{ScanTarget, Step};
use partition_log::units::{Offset, TimestampMs, duration, grouped, moment};

use super::clause::{decided, equation, reason, reason_first};
use super::numbers::{Entry, Offsets, counted, records, size};
use super::text::{say, sentence};
use super::{Role, SentenceBuilder};

pub(super) fn fetch_range(range: &FetchRange, step: &Step) -> SentenceBuilder {
    let mut text = decided(step);
    match range.answer() {
        RangeAnswer::Readable => say![text, ": it can be read."],
        RangeAnswer::Empty => say![text, ": there is nothing to read yet."],
        RangeAnswer::OutOfRange => say![text, ": ", Deleted: "OFFSET_OUT_OF_RANGE", "."],
    }
    text
}

pub(super) fn floor(target: Offset, found: Option<Offset>, clauses: &[Clause]) -> SentenceBuilder {
    /// More comparisons than a sentence holds are cut at the front: the last ones decide.
    const SHOWN: usize = 4;
    let mut text = SentenceBuilder::default();
    let shown = clauses.len().saturating_sub(SHOWN);
    if shown > 0 {
        say![text, "…, "];
    }
    for (index, clause) in clauses[shown..].iter().enumerate() {
        if index > 0 {
            say![text, ", "];
        }
        text.append(equation(clause));
    }
    match found {
        Some(found) => say![text, ": segment ", Active: found, " holds offset ", Touched: target, "."],
        None => say![text, ": no segment begins at or below ", Touched: target, "."],
    }
    text
}

pub(super) fn time_segments(step: &Step, steps: &[Step]) -> SentenceBuilder {
    let Step::TimeSegmentProbed { base, searched, .. } = step else {
        return SentenceBuilder::default();
    };
    let mut text = decided(step);
    let earlier = steps
        .iter()
        .filter(|step| matches!(step, Step::TimeSegmentProbed { searched: false, .. }))
        .count()
        .saturating_sub(1);
    match (searched, earlier) {
        (true, _) => say![text, ": segment ", Active: base, " is searched."],
        (false, 0) => say![text, ": segment ", Log: base, " is ruled out."],
        (false, earlier) => {
            say![text, ": segment ", Log: base, " is ruled out, like ", grouped(earlier as i64), " before it."]
        }
    }
    text
}

/// An index's key as its kind shows it: a relative offset, or a time.
fn key(kind: FileKind, value: i64) -> String {
    match kind {
        FileKind::TimeIndex => moment(value),
        _ => value.to_string(),
    }
}

const fn role(kind: FileKind) -> Role {
    match kind {
        FileKind::Index => Role::Index,
        FileKind::TimeIndex => Role::TimeIndex,
        _ => Role::Log,
    }
}

pub(super) fn index_probe(probe: &IndexProbe, step: &Step, steps: &[Step]) -> SentenceBuilder {
    let mut text = SentenceBuilder::default();
    if probe.guard && probe.entry_number == 0 && probe.kind == FileKind::Index {
        let offset = probe.base.checked_add(probe.target).unwrap_or(probe.base);
        say![text, Touched: offset, " − ", Log: probe.base, " = ", Touched: probe.target, ". "];
    }
    let more = steps.iter().filter(|step| matches!(step, Step::IndexProbed(_))).count();
    if more > 1 {
        say![text, grouped(more as i64), " more looks; the last: entry "];
    } else {
        say![text, "Entry "];
    }
    say![
        text,
        probe.entry_number.to_string(),
        " of ",
        probe.kind.extension(),
        " has "
    ];
    for clause in step.clauses() {
        text.append(reason(&clause));
        say![text, if clause.holds { ": it fits." } else { ": too big." }];
    }
    text
}

pub(super) fn looked_up(
    base: Offset,
    kind: FileKind,
    target: i64,
    entry_number: Option<u32>,
    leads_to: i64,
    trail: &[Step],
) -> SentenceBuilder {
    let target = key(kind, target);
    let probes = trail.iter().rev().filter_map(|step| match step {
        Step::IndexProbed(probe) if probe.kind == kind && probe.base == base => Some(probe),
        _ => None,
    });
    let start = |from: &str| match kind {
        FileKind::TimeIndex => {
            let offset = base.checked_add(leads_to).unwrap_or(base);
            sentence![from, Log: base, " + ", TimeIndex: leads_to, " = ", Touched: offset, ", so the search starts at offset ", Touched: offset, "."]
        }
        _ => sentence![from, "the scan starts at byte ", Touched: leads_to, "."],
    };
    let none = |why: SentenceBuilder| {
        let mut text = why;
        match kind {
            FileKind::TimeIndex => say![text, ": the search starts at the base offset ", Touched: base, "."],
            _ => say![text, ": the scan starts at byte ", Touched: leads_to, "."],
        }
        text
    };
    let mut probes = probes.peekable();
    let empty = probes.peek().is_none();
    match entry_number {
        Some(entry_number) => {
            let found = probes
                .find(|probe| probe.entry_number == entry_number)
                .map(|probe| key(kind, probe.key));
            let mut text = sentence!["Entry "];
            let entry = Entry(found.unwrap_or_else(|| target.clone()), leads_to);
            text.push(role(kind), &entry.to_string());
            say![text, " is the last not above ", Touched: target];
            text.append(start(": "));
            text
        }
        None if empty => none(sentence![kind.extension(), " has no entry"]),
        None => none(sentence!["No entry is at or below ", Touched: target]),
    }
}

pub(super) fn scanned(step: &Step, steps: &[Step], trail: &[Step]) -> SentenceBuilder {
    let Step::BatchScanned {
        position,
        size: length,
        first_offset,
        last_offset,
        timestamp,
        target,
        found,
        ..
    } = step
    else {
        return SentenceBuilder::default();
    };
    let offsets = Offsets(*first_offset, *last_offset);
    // The batch that the scan passed over just before this one tells where this one begins.
    let before = trail[..trail.len() - steps.len()].last().and_then(|step| match step {
        Step::BatchScanned {
            position,
            size,
            found: false,
            ..
        } => Some((*position, *size)),
        _ => None,
    });
    let passed: Vec<u64> = steps
        .iter()
        .filter_map(|step| match step {
            Step::BatchScanned { size, found: false, .. } => Some(*size),
            _ => None,
        })
        .collect();
    let clauses = step.clauses();
    let Some(clause) = clauses.last() else {
        return SentenceBuilder::default();
    };
    if passed.len() > 1 {
        let skipped = passed.iter().sum();
        let mut text = sentence![
            grouped(passed.len() as i64), " batches are passed over, ", Log: size(skipped), ": offset ", Log: last_offset, " is still "
        ];
        text.append(reason(clause));
        say![text, "."];
        return text;
    }
    let mut text = match before {
        Some((position, size)) => sentence![Log: position, " + ", Log: size, " = "],
        None => sentence!["Byte "],
    };
    say![text, Touched: position, ": ", offsets.noun(), " ", Touched: offsets];
    if let ScanTarget::Timestamp(_) | ScanTarget::LargestTimestamp(_) = target {
        match timestamp {
            Some(timestamp) => say![text, " of ", Log: timestamp],
            None => say![text, " without a timestamp"],
        }
    }
    say![text, ", "];
    text.append(reason(clause));
    match (target, found) {
        (ScanTarget::Offset(_), true) if offsets.0 != offsets.1 => {
            say![text, ": the fetch begins here, with ", Touched: offsets.0, "."]
        }
        (_, true) => say![text, ": found."],
        // Its header promises what none of its records keeps.
        (_, false) if clause.holds => {
            say![text, ", but none of its records is: its ", Log: size(*length), " are passed over."]
        }
        (_, false) => say![text, ": its ", Log: size(*length), " are passed over."],
    }
    text
}

pub(super) fn fetch_slice(slice: &FetchSlice) -> SentenceBuilder {
    if let Some(whole) = slice.first_batch_whole().filter(|whole| whole.holds) {
        let mut text = reason_first(&whole);
        say![text, ": it is sent whole."];
        return text;
    }
    let mut text = reason_first(&slice.cut_by_limit());
    say![text, ": ", Touched: size(slice.length()), " are sent."];
    text
}

pub(super) fn consumer_kept(
    requested: Offset,
    delivered: Option<(Offset, Offset)>,
    below: u64,
    (aborted, markers): (u32, u32),
    kept: u64,
    torn: u64,
    next: Offset,
) -> SentenceBuilder {
    let mut text = match delivered {
        Some((first, last)) if below > 0 => {
            let (offsets, dropped) = (Offsets(first, last), counted(below, "record"));
            let mut text = sentence!["The consumer drops ", Deleted: dropped, " below ", Touched: requested];
            if torn > 0 {
                say![text, " and the torn last ", Deleted: size(torn)];
            }
            say![text, " and gets ", offsets.noun(), " ", Touched: offsets];
            text
        }
        Some((first, last)) => {
            let offsets = Offsets(first, last);
            sentence!["The consumer gets ", offsets.noun(), " ", Touched: offsets, ", ", Log: size(kept)]
        }
        None => sentence!["No whole record from offset ", Touched: requested, " on is in the bytes"],
    };
    if torn > 0 && (below == 0 || delivered.is_none()) {
        say![text, ", drops the last ", Deleted: size(torn), ", a torn record"];
    }
    if aborted > 0 {
        say![text, ", leaves out ", Deleted: counted(aborted.into(), "aborted record")];
    }
    if markers > 0 {
        say![text, ", passes over ", counted(markers.into(), "marker")];
    }
    say![text, "; next it asks for ", Touched: next, "."];
    text
}

pub(super) fn time_answer(
    target: Option<TimestampMs>,
    found: Option<(Offset, Option<TimestampMs>)>,
    withheld: bool,
) -> SentenceBuilder {
    let asked = match target {
        Some(target) => sentence!["at or after ", Touched: target],
        None => sentence!["with the largest time"],
    };
    let mut text;
    match found {
        Some((offset, timestamp)) => {
            text = sentence!["The first record "];
            text.append(asked);
            say![text, " is offset ", Touched: offset];
            if let Some(timestamp) = timestamp {
                say![text, ", at ", Log: timestamp];
            }
            say![text, "."];
        }
        None => {
            text = sentence!["No record "];
            text.append(asked);
            if withheld {
                say![text, " is below the high watermark: no answer yet."]
            } else {
                say![text, ": the answer is none, not the log end."]
            }
        }
    }
    text
}

pub(super) fn reset(decision: &ResetDecision) -> SentenceBuilder {
    let mut text = match decision.reason {
        ResetReason::OutOfRange { .. } => sentence![],
        ResetReason::NoCommittedOffset => sentence!["No committed offset. "],
    };
    let policy = match decision.policy {
        ResetPolicy::Earliest => "earliest".to_string(),
        ResetPolicy::Latest => "latest".to_string(),
        ResetPolicy::None => "none".to_string(),
        ResetPolicy::ByDuration { ms } => format!("by_duration, {}", duration(ms)),
    };
    say![text, "auto.offset.reset is ", Setting: policy, ": "];
    let Some(target) = decision.target() else {
        match (decision.by_time, decision.reason) {
            (Some((since, _)), _) => {
                say![text, "no record since ", Setting: since, ", so it asks again."];
            }
            (None, ResetReason::OutOfRange { .. }) => {
                say![text, "OffsetOutOfRangeException, and the application decides."];
            }
            (None, ResetReason::NoCommittedOffset) => {
                say![text, "NoOffsetForPartitionException, and the application decides."];
            }
        }
        return text;
    };
    match decision.by_time {
        Some((since, _)) => say![text, "the first record since ", Setting: since, " is ", Touched: target],
        None => say![text, "the consumer goes on at ", Touched: target],
    }
    match (decision.lost(), decision.skipped()) {
        (0, 0) => {}
        (lost, 0) => say![text, "; ", Deleted: records(lost), " lost"],
        (0, skipped) => say![text, "; ", Log: records(skipped), " passed over"],
        (lost, skipped) => {
            say![text, "; ", Deleted: records(lost), " lost, ", Log: grouped(skipped), " more passed over"];
        }
    }
    say![text, "."];
    text
}

pub(crate) fn refused(error: &LogError) -> SentenceBuilder {
    match error.kafka_name() {
        Some(name) => sentence![Deleted: name, ": ", error.to_string(), "."],
        None => sentence!["Refused: ", error.to_string(), "."],
    }
}
