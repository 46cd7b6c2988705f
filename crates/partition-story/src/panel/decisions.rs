//! A decision or a probe: a row for each clause, and beside them what the decision came to.

use partition_log::rules::clause::{Clause, Signs};
use partition_log::rules::fetch::{FetchRange, FetchSlice, RangeAnswer};
use partition_log::rules::index_entry::IndexEntryDecision;
use partition_log::rules::reset::{ResetAnswer, ResetDecision, ResetPolicy, ResetReason};
use partition_log::rules::retention::{RetentionAnswer, RetentionDecision, RetentionRule};
use partition_log::rules::roll::RollDecision;
use partition_log::step::{LoadStep, Step};
use partition_log::units::{Offset, TimestampMs, bytes};

use super::{Panel, PanelRow, PanelSection, fact};
use crate::clauses;

pub(super) fn of_step(step: &Step, trail: &[Step]) -> Option<Panel> {
    let rows = clause_rows(step);
    Some(match step {
        Step::RollDecided(roll) => of_roll(roll, rows),
        Step::Rolled { closed, .. } => {
            return trail.iter().rev().find_map(|earlier| match earlier {
                Step::RollDecided(roll) if roll.base == *closed => Some(of_roll(roll, clause_rows(earlier))),
                _ => None,
            });
        }
        Step::IndexEntryDecided(entry) => of_index_entry(entry, rows, trail),
        Step::TimeEntryDecided(entry) => decision(
            format!("Time entry in segment {}?", entry.base),
            "The largest timestamp so far; written only above the last entry.",
            time_entry_rows(step),
        ),
        Step::CheckStarted { .. }
        | Step::RetentionRuleOff { .. }
        | Step::RetentionDecided(_)
        | Step::SegmentsDeleted { .. }
        | Step::CheckFinished { .. } => return of_check(trail),
        Step::FetchRangeDecided(range) => of_range(range, rows),
        Step::FetchSliceDecided(slice) => of_slice(slice, rows),
        Step::ResetDecided(reset) => of_reset(reset),
        Step::FloorLookedUp { target, bases, found } => of_floor(*target, bases, *found, rows),
        Step::TimeSegmentProbed { target, .. } => of_time_segments(*target, trail),
        Step::Load(LoadStep::RecoveryDecided(recovery)) => decision(
            format!("Is segment {} read again?", recovery.base),
            "After an unclean shutdown, what reaches above the recovery point is.",
            rows,
        ),
        Step::BatchesLeftOut(left_out) => decision(
            format!("Are batches from byte {} on taken?", left_out.position),
            "A follower leaves out those of a leader epoch that it has not heard of.",
            rows,
        ),
        Step::ProducerDecided(_) if !rows.is_empty() => decision(
            "May the producer write this?",
            "The broker remembers each producer.",
            rows,
        ),
        _ => return None,
    })
}

fn decision(title: impl Into<String>, subtitle: impl Into<String>, rows: Vec<PanelRow>) -> Panel {
    panel(title, subtitle, vec![PanelSection { title: None, rows }])
}

fn panel(title: impl Into<String>, subtitle: impl Into<String>, sections: Vec<PanelSection>) -> Panel {
    Panel {
        key: "decision".to_string(),
        title: title.into(),
        subtitle: subtitle.into(),
        size: None,
        sections,
        map: Vec::new(),
    }
}

/// A row for each clause of a step.
fn clause_rows(step: &Step) -> Vec<PanelRow> {
    step.clauses().iter().map(clause_row).collect()
}

/// A clause: what it asks, its numbers, and its answer.
fn clause_row(clause: &Clause) -> PanelRow {
    let value = match clause.exemption {
        Some(exemption) => clauses::exempt(exemption).to_string(),
        None => clause.equation().text(Signs::Typographic),
    };
    PanelRow {
        name: clauses::words(clause.name).name.to_string(),
        value,
        answer: Some(if clause.holds { "yes" } else { "no" }.to_string()),
        ..PanelRow::default()
    }
}

/// The same row under another name, with another answer.
fn answered(row: PanelRow, name: impl Into<String>, answer: impl Into<String>) -> PanelRow {
    PanelRow {
        name: name.into(),
        answer: Some(answer.into()),
        ..row
    }
}

fn of_roll(roll: &RollDecision, rows: Vec<PanelRow>) -> Panel {
    let title = format!("Roll before offset {}?", roll.append_last_offset);
    let subtitle = format!(
        "Asked before every append, of segment {}. One yes is enough.",
        roll.base
    );
    decision(title, subtitle, rows)
}

fn of_index_entry(entry: &IndexEntryDecision, mut rows: Vec<PanelRow>, trail: &[Step]) -> Panel {
    if entry.due() {
        rows.push(fact(".index", format!("{} → byte {}", entry.relative, entry.position)));
        let offered = trail
            .iter()
            .rev()
            .find(|step| matches!(step, Step::TimeEntryDecided(time) if time.base == entry.base));
        rows.extend(offered.map(time_entry_rows).unwrap_or_default());
    }
    rows.push(fact("after this batch", bytes(entry.bytes_after() as i64)));
    decision(
        format!("Index entry for offset {}?", entry.last_offset),
        "The count does not include the record itself; an entry sets it back to 0 first.",
        rows,
    )
}

/// The clause of the time index, and the entry that it gets.
fn time_entry_rows(step: &Step) -> Vec<PanelRow> {
    let mut rows = clause_rows(step);
    if let Step::TimeEntryDecided(entry) = step
        && let Some(timestamp) = entry.timestamp.filter(|_| entry.written())
    {
        rows.push(fact(".timeindex", format!("{timestamp} → {}", entry.relative)));
    }
    rows
}

/// The clauses of the retention check that the trail ends in.
fn of_check(trail: &[Step]) -> Option<Panel> {
    let start = trail
        .iter()
        .rposition(|step| matches!(step, Step::CheckStarted { .. }))?;
    let Step::CheckStarted { now, log_size, .. } = &trail[start] else {
        return None;
    };
    let mut sections: Vec<PanelSection> = Vec::new();
    for rule in RetentionRule::ALL {
        let rows: Vec<PanelRow> = trail[start..]
            .iter()
            .flat_map(|step| match step {
                Step::RetentionDecided(decided) if decided.rule() == rule => vec![retention_row(decided)],
                Step::RetentionRuleOff { rule: off, .. } if *off == rule => {
                    let off = |clause| answered(clause_row(clause), clauses::words(clause.name).name, "off");
                    step.clauses().iter().map(off).collect()
                }
                _ => Vec::new(),
            })
            .collect();
        if !rows.is_empty() {
            let title = Some(rule_name(rule).to_string());
            sections.push(PanelSection { title, rows });
        }
    }
    let subtitle = format!(
        "At {now}, log size {}. Three rules, oldest segment first; each stops at the first that it keeps.",
        bytes(*log_size as i64)
    );
    Some(panel("Retention check", subtitle, sections))
}

const fn rule_name(rule: RetentionRule) -> &'static str {
    match rule {
        RetentionRule::LogStart => "Below the log start offset",
        RetentionRule::Size => "Size",
        RetentionRule::Time => "Age",
    }
}

/// The clause that decided about a segment.
fn retention_row(decided: &RetentionDecision) -> PanelRow {
    let deciding = decided.deciding();
    let row = clause_row(&deciding);
    let mut name = format!("segment {}", decided.base);
    if deciding.name != decided.clause().name {
        name = format!("{name}, {}", row.name);
    }
    let answer = match decided.answer() {
        RetentionAnswer::Delete => "delete",
        RetentionAnswer::Keep | RetentionAnswer::AboveHighWatermark | RetentionAnswer::EmptyActive => "keep",
    };
    answered(row, name, answer)
}

fn of_range(range: &FetchRange, rows: Vec<PanelRow>) -> Panel {
    let answer = match range.answer() {
        RangeAnswer::OutOfRange => "OFFSET_OUT_OF_RANGE",
        RangeAnswer::Empty => "nothing to read yet",
        RangeAnswer::Readable => "readable",
    };
    decision(
        format!("May offset {} be read?", range.requested),
        format!("Answer: {answer}."),
        rows,
    )
}

fn of_slice(slice: &FetchSlice, mut rows: Vec<PanelRow>) -> Panel {
    rows.insert(0, fact("start", format!("byte {} of {}.log", slice.start, slice.base)));
    rows.push(fact("sent", bytes(slice.length() as i64)));
    decision(
        "Bytes sent",
        "A slice of one file. The cut may fall inside a record; the consumer drops that rest.",
        rows,
    )
}

fn of_reset(reset: &ResetDecision) -> Panel {
    let goes_on = match reset.answer() {
        ResetAnswer::GoesOn(target) => format!("offset {target}"),
        ResetAnswer::Waits => "no offset: it asks again".to_string(),
        ResetAnswer::Exception => "an exception".to_string(),
    };
    let mut rows = vec![answered(fact("", reset.policy.to_string()), "goes on at", goes_on)];
    if let ResetReason::OutOfRange { requested } = reset.reason {
        rows.push(fact("offset asked for", requested.to_string()));
    }
    rows.push(fact("log start offset", reset.log_start.to_string()));
    rows.push(fact(reset.isolation.bound(), reset.end.to_string()));
    if let Some((target, found)) = reset.by_time {
        let found = found.map_or("no record that young".to_string(), |offset| format!("offset {offset}"));
        rows.push(fact(format!("first record from {target} on"), found));
    }
    rows.push(fact("never read", format!("{} records are gone", reset.lost())));
    rows.push(fact(
        "passed over",
        format!("{} records that are still there", reset.skipped()),
    ));
    let subtitle = match (reset.policy, reset.reason) {
        (ResetPolicy::None, ResetReason::OutOfRange { .. }) => "OffsetOutOfRangeException: the application decides.",
        (ResetPolicy::None, ResetReason::NoCommittedOffset) => {
            "NoOffsetForPartitionException: the application decides."
        }
        (_, ResetReason::OutOfRange { .. }) => "The offset is not in the log; auto.offset.reset decides.",
        (_, ResetReason::NoCommittedOffset) => "The group has no committed offset; auto.offset.reset decides.",
    };
    decision(format!("Reset: {}", reset.policy), subtitle, rows)
}

fn of_floor(target: Offset, bases: &[Offset], found: Option<Offset>, rows: Vec<PanelRow>) -> Panel {
    let rows = rows.into_iter().zip(bases).map(|(row, base)| {
        let answer = match &row.answer {
            _ if Some(*base) == found => "this one".to_string(),
            answer => answer.clone().unwrap_or_default(),
        };
        answered(row, format!("segment {base}"), answer)
    });
    decision(
        format!("Which segment holds offset {target}?"),
        "The one with the largest base offset not above it. The file names alone tell.",
        rows.collect(),
    )
}

fn of_time_segments(target: TimestampMs, trail: &[Step]) -> Panel {
    let rows = trail.iter().filter_map(|step| match step {
        Step::TimeSegmentProbed { base, searched, .. } => {
            let row = clause_rows(step).pop()?;
            let answer = if *searched { "search it" } else { "too old" };
            Some(answered(row, format!("segment {base}"), answer))
        }
        _ => None,
    });
    decision(
        format!("Which segment reaches {target}?"),
        "Oldest first: the first whose largest timestamp is not below it.",
        rows.collect(),
    )
}
