//! The partition of the lookup demos: its files, why each segment ended, its index entries, other intervals.

use anyhow::{Context, Result};
use partition_log::config::Settings;
use partition_log::format::batch;
use partition_log::questions::planner;
use partition_log::questions::view::SegmentView;
use partition_log::rules::clause::{Clause, Term};
use partition_log::rules::roll::{RollCause, RollDecision};
use partition_log::{Offset, Partition, Step};
use partition_story::panel::spaced_hex;
use serde::Serialize;

use super::equation::Equation;
use super::lookup;
use super::tale::Tale;

/// The folder.
#[derive(Debug, Serialize)]
pub struct Log {
    pub records: usize,
    pub size: u64,
    pub files: u64,
    pub index_entries: usize,
    pub segment_bytes: i64,
    pub fetch_bytes: i64,
    /// Bytes of a message around its key and value.
    pub framing: u64,
    /// Bytes of a batch of format 2 before its records.
    pub batch_framing: u64,
    pub segments: Vec<Segment>,
}

/// One segment and its three files.
#[derive(Debug, Serialize)]
pub struct Segment {
    /// The zeros in front of the base offset in a file's name.
    pub zeros: String,
    pub base: i64,
    pub last: i64,
    pub active: bool,
    pub size: u64,
    pub index_bytes: u64,
    pub timeindex_bytes: u64,
}

/// A segment closed by an append.
#[derive(Debug, Serialize)]
pub struct Roll {
    pub closed: i64,
    pub opened: i64,
    pub size: u64,
    pub append: u64,
    pub limit: u64,
    pub equation: Equation,
    /// Closed at exactly `segment.bytes`.
    pub full: bool,
}

/// A segment closed since the next record came late.
#[derive(Debug, Serialize)]
pub struct TimeRoll {
    pub size: u64,
    pub append: u64,
    pub first_ms: i64,
    pub incoming_ms: i64,
    pub equation: Equation,
    /// From the last record of the segment to the next.
    pub silence_ms: i64,
}

/// The entries of one segment, as bytes and as numbers.
#[derive(Debug, Serialize)]
pub struct Entries {
    pub base: i64,
    pub offset: Vec<EntryRow>,
    pub time: Vec<EntryRow>,
}

/// One entry.
#[derive(Debug, Serialize)]
pub struct EntryRow {
    pub hex: String,
    pub key: i64,
    pub to: u32,
    /// The offset that it is about.
    pub offset: i64,
}

/// A record that met the counter at exactly the interval, and the next one.
#[derive(Debug, Serialize)]
pub struct Exact {
    pub offset: i64,
    pub counter: u64,
    pub interval: u64,
    pub next: i64,
    pub next_counter: u64,
}

/// A time entry that was added when its segment closed.
#[derive(Debug, Serialize)]
pub struct Closing {
    pub base: i64,
    pub key: i64,
    pub to: u32,
}

/// The same records under another `index.interval.bytes`.
#[derive(Debug, Serialize)]
pub struct Interval {
    pub interval: i64,
    /// Whether it is the page's own.
    pub here: bool,
    pub entries: usize,
    pub index_bytes: u64,
    pub timeindex_bytes: u64,
    pub longest: u64,
    /// To one decimal.
    pub mean: String,
}

/// What the folder holds at the end of a demo.
pub fn log(tale: &Tale) -> Result<Log> {
    let view = tale.end()?.view();
    let segments: Vec<Segment> = view.segments.iter().map(segment).collect();
    Ok(Log {
        records: tale.records().len(),
        size: view.log_size,
        files: segments.len() as u64 * planner::FILES_PER_SEGMENT,
        index_entries: view
            .segments
            .iter()
            .map(|segment| segment.offset_index.entries.len())
            .sum(),
        segment_bytes: view.settings.segment_bytes,
        fetch_bytes: view.settings.max_partition_fetch_bytes,
        framing: batch::MESSAGE_OVERHEAD,
        batch_framing: batch::RECORD_BATCH_OVERHEAD,
        segments,
    })
}

fn segment(view: &SegmentView) -> Segment {
    let base = view.base.get();
    Segment {
        zeros: "0".repeat(20 - base.to_string().len()),
        base,
        last: view.end.get() - 1,
        active: view.active,
        size: view.size,
        index_bytes: view.offset_index.used,
        timeindex_bytes: view.time_index.used,
    }
}

/// Why each segment was closed by size.
pub fn rolls(tale: &Tale) -> Vec<Roll> {
    decided_rolls(tale, RollCause::Size)
        .map(|(_, decision, clause, opened)| Roll {
            closed: decision.base.get(),
            opened: opened.get(),
            size: decision.size,
            append: decision.append_size,
            limit: decision.segment_bytes,
            equation: clause.into(),
            full: decision.size == decision.segment_bytes,
        })
        .collect()
}

/// The first roll by time.
pub fn time_roll(tale: &Tale) -> Result<TimeRoll> {
    let (at, decision, clause, _) = decided_rolls(tale, RollCause::Time)
        .next()
        .context("the demo has no roll by time")?;
    let times = clause
        .number(Term::IncomingTimestamp)
        .zip(clause.number(Term::FirstTimestamp));
    let (incoming_ms, first_ms) = times.context("the demo's records have timestamps")?;
    let before = tale.state_after(at)?.view();
    let closed = before.segments.iter().find(|segment| segment.base == decision.base);
    let last = closed
        .and_then(|segment| segment.largest_timestamp)
        .context("the segment has records")?;
    Ok(TimeRoll {
        size: decision.size,
        append: decision.append_size,
        first_ms,
        incoming_ms,
        equation: clause.into(),
        silence_ms: incoming_ms - last.get(),
    })
}

/// Each roll of one cause: where its decision stands among the steps, the decision, its clause, and the new base offset.
fn decided_rolls(tale: &Tale, wanted: RollCause) -> impl Iterator<Item = (usize, &RollDecision, Clause, Offset)> {
    let mut decision = None;
    tale.steps()
        .iter()
        .enumerate()
        .filter_map(move |(at, step)| match step {
            Step::RollDecided(decided) => {
                decision = Some((at, decided));
                None
            }
            Step::Rolled { opened, cause, .. } if *cause == wanted => {
                decision.and_then(|(at, decided): (usize, &RollDecision)| {
                    Some((at, decided, decided.clause(wanted)?, *opened))
                })
            }
            _ => None,
        })
}

/// All entries of one segment.
pub fn entries(tale: &Tale, base: i64) -> Result<Entries> {
    let state = tale.end()?;
    let segment = Offset::new(base).context("an offset is not negative")?;
    let offset = state.offset_entries(segment).into_iter().map(|entry| EntryRow {
        hex: spaced_hex(&entry.to_bytes()),
        key: i64::from(entry.relative.get()),
        to: entry.position.get(),
        offset: entry.relative.absolute(segment).get(),
    });
    let time = state.time_entries(segment).into_iter().map(|entry| EntryRow {
        hex: spaced_hex(&entry.to_bytes()),
        key: entry.timestamp.get(),
        to: entry.relative.get(),
        offset: entry.relative.absolute(segment).get(),
    });
    Ok(Entries {
        base,
        offset: offset.collect(),
        time: time.collect(),
    })
}

/// A record that met the counter at exactly the interval.
pub fn exact(tale: &Tale) -> Option<Exact> {
    let decisions: Vec<_> = tale
        .steps()
        .iter()
        .filter_map(|step| match step {
            Step::IndexEntryDecided(decision) => Some(decision),
            _ => None,
        })
        .collect();
    decisions.windows(2).find_map(|pair| {
        let (first, next) = (pair[0], pair[1]);
        let reached = first.clause().excess() == 0;
        (reached && first.base == next.base).then(|| Exact {
            offset: first.last_offset.get(),
            counter: first.bytes_since_last_index_entry,
            interval: first.interval,
            next: next.last_offset.get(),
            next_counter: next.bytes_since_last_index_entry,
        })
    })
}

/// The first time entry that was added by a roll.
pub fn closing(tale: &Tale) -> Result<Option<Closing>> {
    let view = tale.end()?.view();
    Ok(view.segments.iter().find_map(|segment| {
        let entry = segment.time_index.entries.iter().find(|entry| entry.closing)?;
        Some(Closing {
            base: segment.base.get(),
            key: entry.key,
            to: entry.to.get(),
        })
    }))
}

/// What other intervals would have made of the same records.
pub fn intervals(tale: &Tale, all: &[i64]) -> Result<Vec<Interval>> {
    let own = tale.end()?.settings().clone();
    all.iter()
        .map(|&interval| {
            let settings = Settings {
                index_interval_bytes: interval,
                ..own.clone()
            };
            let partition = tale.retold(settings)?;
            let skips = skips(&partition)?;
            let segments = partition.state().view().segments;
            let tenths = skips.iter().sum::<u64>() * 10 / skips.len() as u64;
            Ok(Interval {
                interval,
                here: interval == own.index_interval_bytes,
                entries: segments.iter().map(|segment| segment.offset_index.entries.len()).sum(),
                index_bytes: segments.iter().map(|segment| segment.offset_index.used).sum(),
                timeindex_bytes: segments.iter().map(|segment| segment.time_index.used).sum(),
                longest: skips.iter().copied().max().unwrap_or(0),
                mean: match tenths % 10 {
                    0 => (tenths / 10).to_string(),
                    tenth => format!("{}.{tenth}", tenths / 10),
                },
            })
        })
        .collect()
}

/// Bytes skipped by a read at each offset of the log.
fn skips(partition: &Partition) -> Result<Vec<u64>> {
    let state = partition.state();
    (state.log_start().get()..state.log_end().get())
        .map(|offset| Ok(lookup::read(partition, offset)?.skipped))
        .collect()
}

/// The fetches of a consumer from an offset to the log end.
pub fn chain(partition: &Partition, from: i64) -> Result<Vec<lookup::Read>> {
    let mut fetches = Vec::new();
    let mut next = Some(from);
    while let Some(offset) = next.take() {
        let fetch = lookup::read(partition, offset)?;
        if fetch.records > 0 {
            next = fetch.next;
            fetches.push(fetch);
        }
    }
    Ok(fetches)
}
