//! Reading, by offset and by time, and a consumer's resets, in words.

use partition_log::disk::FileKind;
use partition_log::error::LogError;
use partition_log::format::index::IndexProbe;
use partition_log::rules::fetch::{FetchRange, FetchSlice, RangeAnswer};
use partition_log::rules::reset::{ResetDecision, ResetPolicy, ResetReason};
use partition_log::step::{ScanTarget, Step};
use partition_log::units::{Offset, TimestampMs, duration, grouped};

use super::numbers::{Entry, Offsets, Target, counted, plain, records, size};
use super::text::{say, sentence};
use super::{Role, SentenceBuilder};

pub(super) fn fetch_range(range: &FetchRange) -> SentenceBuilder {
    let FetchRange {
        requested,
        log_start,
        high_watermark,
        log_end,
        ..
    } = range;
    match range.answer() {
        RangeAnswer::Readable => sentence![
            Log: log_start, " ≤ ", Touched: requested, " < ", Log: high_watermark, ": offset ", Touched: requested, " can be read."
        ],
        RangeAnswer::Empty if requested == log_end => {
            sentence!["Offset ", Touched: requested, " is the log end offset: there is nothing to read yet."]
        }
        RangeAnswer::Empty => sentence![
            "Offset ", Touched: requested, " is not below the high watermark ", Setting: high_watermark, ": nothing to read yet."
        ],
        RangeAnswer::OutOfRange if requested < log_start => sentence![
            "Offset ", Deleted: requested, " is below the log start offset ", Touched: log_start, ": OFFSET_OUT_OF_RANGE."
        ],
        RangeAnswer::OutOfRange => sentence![
            "Offset ", Deleted: requested, " is above the log end offset ", Touched: log_end, ": OFFSET_OUT_OF_RANGE."
        ],
    }
}

pub(super) fn floor(target: Offset, bases: &[Offset], found: Option<Offset>) -> SentenceBuilder {
    /// More comparisons than a sentence holds are cut at the front: the last ones decide.
    const SHOWN: usize = 4;
    let mut text = SentenceBuilder::default();
    let shown = bases.len().saturating_sub(SHOWN);
    if shown > 0 {
        say![text, "…, "];
    }
    for (index, base) in bases[shown..].iter().enumerate() {
        if index > 0 {
            say![text, ", "];
        }
        say![text, Log: base, if *base <= target { " ≤ " } else { " > " }, Touched: target];
    }
    match found {
        Some(found) => say![text, ": segment ", Active: found, " holds offset ", Touched: target, "."],
        None => say![text, ": no segment begins at or below ", Touched: target, "."],
    }
    text
}

pub(super) fn time_segments(step: &Step, steps: &[Step]) -> SentenceBuilder {
    let Step::TimeSegmentProbed {
        base,
        largest,
        target,
        searched,
    } = step
    else {
        return SentenceBuilder::default();
    };
    if *searched {
        return sentence![
            "Largest time ", Log: largest, ", not before ", Touched: target, ": segment ", Active: base, " is searched."
        ];
    }
    let ruled_out = steps
        .iter()
        .filter(|step| matches!(step, Step::TimeSegmentProbed { searched: false, .. }))
        .count();
    match ruled_out {
        0 | 1 => sentence![
            "Largest time ", Log: largest, ", before ", Touched: target, ": segment ", Log: base, " is ruled out."
        ],
        many => sentence![
            "Largest times up to ", Log: largest, ", before ", Touched: target, ": ", grouped(many as i64), " segments are ruled out."
        ],
    }
}

/// An index's key as its kind shows it: a relative offset, or a time.
fn key(kind: FileKind, value: i64) -> String {
    match kind {
        FileKind::TimeIndex => duration(value),
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

pub(super) fn index_probe(probe: &IndexProbe, steps: &[Step]) -> SentenceBuilder {
    let target = key(probe.kind, probe.target);
    let mut text = SentenceBuilder::default();
    if probe.guard && probe.slot == 0 && probe.kind == FileKind::Index {
        let offset = probe.base.checked_add(probe.target).unwrap_or(probe.base);
        say![text, Touched: offset, " − ", Log: probe.base, " = ", Touched: target, ". "];
    }
    let more = steps.iter().filter(|step| matches!(step, Step::IndexProbed(_))).count();
    if more > 1 {
        say![text, grouped(more as i64), " more looks; the last: slot "];
    } else {
        say![text, "Slot "];
    }
    say![text, probe.slot.to_string(), " of ", probe.kind.extension(), " has "];
    text.push(role(probe.kind), &key(probe.kind, probe.key));
    match probe.order() {
        core::cmp::Ordering::Less => say![text, ", below ", Touched: target, ": it fits."],
        core::cmp::Ordering::Equal => say![text, ", exactly what is searched for."],
        core::cmp::Ordering::Greater => say![text, ", above ", Touched: target, ": too big."],
    }
    text
}

pub(super) fn looked_up(
    base: Offset,
    kind: FileKind,
    target: i64,
    slot: Option<u32>,
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
    match slot {
        Some(slot) => {
            let found = probes
                .find(|probe| probe.slot == slot)
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
    if passed.len() > 1 {
        let skipped = passed.iter().sum();
        return sentence![
            grouped(passed.len() as i64), " batches are passed over, ", Log: size(skipped), ": offset ", Log: last_offset, " is still before ",
            Touched: Target(target), "."
        ];
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
    match (target, found) {
        (ScanTarget::Offset(target), true) if offsets.0 == offsets.1 && offsets.0 == *target => {
            say![text, offsets.verb(" is", " are"), " found."]
        }
        (ScanTarget::Offset(target), true) if offsets.0 == *target => say![text, " begin with it: found."],
        (ScanTarget::Offset(target), true) if offsets.0 < *target => {
            say![text, "; ", Touched: target, " is inside, so the fetch begins here, with ", Touched: offsets.0, "."]
        }
        (ScanTarget::Offset(target), true) => say![text, ", not before ", Touched: target, ": found."],
        (ScanTarget::Timestamp(target), true) => say![text, ", not before ", Touched: target, ": found."],
        (ScanTarget::LargestTimestamp(_), true) => say![text, ", the largest time of all: found."],
        (_, false) => {
            say![text, ", before ", Touched: Target(target), ": its ", Log: size(*length), " are passed over."]
        }
    }
    text
}

pub(super) fn fetch_slice(slice: &FetchSlice) -> SentenceBuilder {
    let left = slice.end.saturating_sub(u64::from(slice.start.get()));
    if slice.limit < slice.first_batch_size {
        return sentence![
            "The first record, ", Touched: size(slice.first_batch_size), ", is above the limit of ", Setting: size(slice.limit), ": it is sent whole."
        ];
    }
    sentence![
        Log: plain(slice.end), " − ", Touched: plain(u64::from(slice.start.get())), " = ", Log: size(left), " to the end of the segment, ", Setting: size(slice.limit),
        " allowed: ", Touched: size(slice.length()), " are sent."
    ]
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
        match decision.reason {
            ResetReason::OutOfRange { .. } => say![text, "OffsetOutOfRangeException, and the application decides."],
            ResetReason::NoCommittedOffset => say![text, "NoOffsetForPartitionException, and the application decides."],
        }
        return text;
    };
    match decision.by_time {
        Some((since, Some(_))) => {
            say![text, "the first record since ", Setting: since, " is ", Touched: target]
        }
        Some((since, None)) => {
            say![text, "no record since ", Setting: since, ", so on at the end, ", Touched: target]
        }
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

pub(super) fn refused(error: &LogError) -> SentenceBuilder {
    match error.kafka_name() {
        Some(name) => sentence![Deleted: name, ": ", error.to_string(), "."],
        None => sentence!["Refused: ", error.to_string(), "."],
    }
}
