//! A step as one terse line, the form that scripts compare.

use core::fmt;

use crate::disk::FileKind;
use crate::rules::clause::write_clauses;
use crate::step::{Mark, Step};
use crate::units::{Maybe, Offset, grouped, moment, size};

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::RollDecided(decision) => write!(f, "decide  {decision}"),
            Step::Rolled { closed, opened, cause } => {
                write!(f, "effect  segment {closed} closed ({cause}), segment {opened} opened")
            }
            Step::Appended {
                base,
                first_offset,
                last_offset,
                position,
                size: length,
                timestamp,
            } => {
                write!(f, "effect  offset {first_offset}")?;
                if last_offset != first_offset {
                    write!(f, " to {last_offset}")?;
                }
                write!(
                    f,
                    " in segment {base} at byte {position}, {}, timestamp {}",
                    size(*length),
                    Maybe(*timestamp)
                )
            }
            Step::IndexEntryDecided(decision) => write!(f, "decide  {decision}"),
            Step::TimeEntryDecided(decision) => write!(f, "decide  {decision}"),
            Step::ProducerDecided(decision) => write!(f, "decide  {decision}"),
            Step::BatchesLeftOut(left_out) => {
                write!(f, "decide  batches from byte {} on left out: ", left_out.position)?;
                write_clauses(f, &self.clauses())
            }
            Step::DuplicateFound {
                first_offset,
                last_offset,
            } => write!(
                f,
                "effect  a duplicate of offsets {first_offset} to {last_offset}, not written again"
            ),
            Step::TransactionEnded { completed, last_stable } => {
                let end = if completed.aborted { "aborted" } else { "committed" };
                write!(
                    f,
                    "effect  transaction of producer {} from offset {} {end} at {}, decided up to {last_stable}",
                    completed.producer_id, completed.first_offset, completed.last_offset
                )
            }
            Step::SnapshotCorrupt { offset, reason } => {
                write!(f, "effect  producer snapshot at {offset} cannot be read: {reason}")
            }
            Step::Load(step) => step.fmt(f),
            Step::Truncated { to, log_end } => write!(f, "effect  log cut from {log_end} to {to}"),
            Step::CheckStarted {
                now,
                periodic,
                log_size,
            } => {
                let kind = if *periodic { "periodic" } else { "requested" };
                write!(
                    f,
                    "effect  {kind} retention check at {now}, log size {}",
                    size(*log_size)
                )
            }
            Step::RetentionRuleOff { rule, .. } => {
                write!(f, "decide  {rule}: not asked: ")?;
                write_clauses(f, &self.clauses())
            }
            Step::RetentionDecided(decision) => write!(f, "decide  {decision}"),
            Step::SegmentsDeleted {
                rule,
                bases,
                size: length,
                gone_at,
            } => {
                f.write_str("effect  ")?;
                write_list(f, "segment", bases)?;
                write!(f, " deleted by {rule}, {}, files stay until {gone_at}", size(*length))
            }
            Step::CheckFinished {
                deleted,
                log_size,
                next,
            } => {
                write!(
                    f,
                    "effect  check done: {deleted} deleted, log size {}, next at {next}",
                    size(*log_size)
                )
            }
            Step::ChecksSkipped { count, first, last } => {
                write!(
                    f,
                    "effect  {} checks from {first} to {last} found nothing",
                    grouped(*count as i64)
                )
            }
            Step::FilesRemoved { base, size: length } => {
                write!(f, "effect  files of segment {base} removed, {}", size(*length))
            }
            Step::FetchRangeDecided(range) => write!(f, "decide  {range}"),
            Step::FetchSliceDecided(slice) => write!(f, "decide  {slice}"),
            Step::AbortedCollected {
                base,
                requested,
                upper,
                found,
            } => {
                write!(f, "probe   {base}.txnindex from {requested} to {upper}:")?;
                for (producer, first) in found {
                    write!(f, " producer {producer} from {first},")?;
                }
                write!(f, " {} aborted", found.len())
            }
            Step::ConsumerKept {
                delivered,
                records,
                below,
                markers,
                aborted,
                bytes: kept,
                torn,
                next,
                ..
            } => {
                match delivered {
                    Some((first, last)) => write!(
                        f,
                        "effect  consumer keeps {records}: {first} to {last}, {}",
                        size(*kept)
                    )?,
                    None => f.write_str("effect  consumer keeps nothing")?,
                }
                if *below > 0 {
                    write!(f, ", drops {below} below the offset")?;
                }
                if *markers > 0 {
                    write!(f, ", passes over {markers} control")?;
                }
                if *aborted > 0 {
                    write!(f, ", drops {aborted} aborted")?;
                }
                if *torn > 0 {
                    write!(f, ", drops {} of a torn batch", size(*torn))?;
                }
                write!(f, ", next offset {next}")
            }
            Step::ResetDecided(decision) => write!(f, "decide  {decision}"),
            Step::TimeSearchStarted { target } => write!(f, "effect  search for the first record at or after {target}"),
            Step::TimeSearchAnswered {
                target,
                found,
                withheld,
            } => {
                let asked = target.map_or("the largest timestamp".to_string(), |target| target.to_string());
                match found {
                    Some((offset, timestamp)) => {
                        write!(
                            f,
                            "effect  answer for {asked}: offset {offset}, timestamp {}",
                            Maybe(*timestamp)
                        )
                    }
                    None if *withheld => write!(f, "effect  answer for {asked}: none below the high watermark"),
                    None => write!(f, "effect  answer for {asked}: none"),
                }
            }
            Step::OffsetAnswered { mark, offset } => match mark {
                Mark::LogStart => write!(f, "effect  answer: log start offset {offset}"),
                Mark::HighWatermark => write!(f, "effect  answer: high watermark {offset}"),
                Mark::LastStable => write!(f, "effect  answer: last stable offset {offset}"),
                Mark::LogEnd => write!(f, "effect  answer: log end offset {offset}"),
            },
            Step::NoTieredStorage => f.write_str("effect  answer: none, there is no tiered storage"),
            Step::Refused(error) => write!(f, "refuse  {}: {error}", error.kafka_name().unwrap_or(error.code())),
            Step::FloorLookedUp { target, found, .. } => {
                write!(f, "probe   segment for offset {target}:")?;
                for clause in self.clauses() {
                    write!(f, " {},", clause.equation())?;
                }
                match found {
                    Some(found) => write!(f, " so {found}"),
                    None => f.write_str(" so none"),
                }
            }
            Step::TimeSegmentProbed { base, searched, .. } => {
                let verdict = if *searched { "search it" } else { "too old" };
                write!(f, "probe   segment {base}: {verdict}: ")?;
                write_clauses(f, &self.clauses())
            }
            Step::IndexProbed(probe) => {
                write!(
                    f,
                    "probe   {}{} entry {} (",
                    probe.base,
                    probe.kind.extension(),
                    probe.entry_number
                )?;
                if probe.guard {
                    f.write_str("first): ")?;
                } else {
                    write!(f, "{}..{}): ", probe.low, probe.high)?;
                }
                write_clauses(f, &self.clauses())
            }
            Step::IndexLookedUp {
                base,
                kind,
                target,
                entry_number,
                leads_to,
            } => {
                let target = key(*kind, *target);
                match (entry_number, kind) {
                    (Some(entry_number), FileKind::TimeIndex) => {
                        write!(
                            f,
                            "probe   {}{}: {target} leads to entry {entry_number}, relative offset {leads_to}",
                            base,
                            kind.extension()
                        )
                    }
                    (Some(entry_number), _) => write!(
                        f,
                        "probe   {}{}: {target} leads to entry {entry_number}, byte {leads_to}",
                        base,
                        kind.extension()
                    ),
                    (None, _) => write!(
                        f,
                        "probe   {}{}: no entry at or below {target}, start of the segment",
                        base,
                        kind.extension()
                    ),
                }
            }
            Step::BatchScanned {
                base,
                position,
                size: length,
                first_offset,
                found,
                ..
            } => {
                let verdict = if *found { "found" } else { "skip" };
                write!(
                    f,
                    "probe   {base}.log byte {position}, {}, offset {first_offset}: {verdict}: ",
                    size(*length)
                )?;
                write_clauses(f, &self.clauses())
            }
            Step::File(change) => write!(f, "write   {change}"),
            Step::Memory(change) => write!(f, "state   {change}"),
            Step::Consumer(change) => write!(f, "state   {change}"),
        }
    }
}

/// A key of an index as a person reads it.
fn key(kind: FileKind, value: i64) -> String {
    match kind {
        FileKind::TimeIndex => moment(value),
        _ => value.to_string(),
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, noun: &str, bases: &[Offset]) -> fmt::Result {
    f.write_str(noun)?;
    if bases.len() != 1 {
        f.write_str("s")?;
    }
    for (index, base) in bases.iter().enumerate() {
        let separator = if index == 0 { " " } else { ", " };
        write!(f, "{separator}{base}")?;
    }
    Ok(())
}
