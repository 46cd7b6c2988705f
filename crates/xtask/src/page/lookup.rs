//! What the model answers when the page asks it: a read at an offset, a search by time.

use anyhow::{Context, Result};
use partition_log::disk::FileKind;
use partition_log::rules::fetch::FetchSlice;
use partition_log::{LogError, Offset, Partition, Step, TimestampMs};
use serde::Serialize;

/// An entry of an index: what it is found by, and what it leads to.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Entry {
    pub key: i64,
    pub to: i64,
}

/// A fetch.
#[derive(Debug, Default, Serialize)]
pub struct Read {
    pub asked: i64,
    pub segment: Option<i64>,
    /// The entry of the offset index that the search ended at.
    pub entry: Option<Entry>,
    /// Byte at which the scan began.
    pub start: Option<i64>,
    pub skipped: u64,
    /// Byte of the batch that holds the offset; none where nothing is delivered.
    pub position: Option<i64>,
    pub records: u32,
    pub bytes: u64,
    pub slice: u64,
    pub next: Option<i64>,
    /// Kafka's name of the refusal, and the offsets that would be accepted.
    pub error: Option<String>,
    pub low: i64,
    pub high: i64,
}

/// A search by time.
#[derive(Debug, Default, Serialize)]
pub struct Search {
    pub target_ms: i64,
    /// The segments whose largest timestamp was looked at.
    pub probes: Vec<Probe>,
    pub segment: Option<i64>,
    pub time_entry: Option<Entry>,
    pub start: Option<i64>,
    pub skipped: u64,
    pub answer: Option<i64>,
    pub timestamp_ms: Option<i64>,
}

/// A segment's largest timestamp, looked at.
#[derive(Debug, Serialize)]
pub struct Probe {
    pub base: i64,
    pub largest_ms: i64,
    pub searched: bool,
}

/// Fetches at an offset and leaves the partition as it was.
pub fn read(partition: &Partition, asked: i64) -> Result<Read> {
    let offset = Offset::new(asked).context("an offset is not negative")?;
    let mut partition = partition.clone();
    let trace = partition.trace(|partition| partition.fetch(offset, None));
    let mut read = Read {
        asked,
        entry: entry_found(&partition, &trace.steps, FileKind::Index),
        start: scan_start(&trace.steps),
        ..Read::default()
    };
    for step in &trace.steps {
        if let Step::FetchSliceDecided(slice) = step {
            read.slice = FetchSlice::length(slice);
        }
    }
    match trace.outcome {
        Ok(outcome) => {
            read.segment = outcome.segment.map(Offset::get);
            read.position = outcome.position.map(|position| i64::from(position.get()));
            read.skipped = outcome.skipped;
            read.records = outcome.records;
            read.bytes = outcome.bytes;
            read.next = outcome.next.map(Offset::get);
        }
        Err(LogError::OffsetOutOfRange { log_start, log_end, .. }) => {
            read.error = Some(String::from("OFFSET_OUT_OF_RANGE"));
            read.low = log_start.get();
            read.high = log_end.get();
        }
        Err(error) => return Err(error.into()),
    }
    Ok(read)
}

/// Searches by time and leaves the partition as it was.
pub fn search(partition: &Partition, target_ms: i64) -> Result<Search> {
    let target = TimestampMs::new(target_ms).context("a timestamp is not negative")?;
    let mut partition = partition.clone();
    let trace = partition.trace(|partition| partition.find_time(target));
    let outcome = trace.outcome?;
    let probe = |step: &Step| match *step {
        Step::TimeSegmentProbed {
            base,
            largest,
            searched,
            ..
        } => Some(Probe {
            base: base.get(),
            largest_ms: largest.get(),
            searched,
        }),
        _ => None,
    };
    Ok(Search {
        target_ms,
        probes: trace.steps.iter().filter_map(probe).collect(),
        segment: outcome.segment.map(Offset::get),
        time_entry: entry_found(&partition, &trace.steps, FileKind::TimeIndex),
        start: scan_start(&trace.steps),
        skipped: outcome.skipped,
        answer: outcome.answer.map(Offset::get),
        timestamp_ms: outcome.timestamp.map(TimestampMs::get),
    })
}

/// The entry at which the search in an index ended.
fn entry_found(partition: &Partition, steps: &[Step], wanted: FileKind) -> Option<Entry> {
    let (base, entry_number) = steps.iter().find_map(|step| match *step {
        Step::IndexLookedUp {
            base,
            kind,
            entry_number,
            ..
        } if kind == wanted => Some((base, entry_number?)),
        _ => None,
    })?;
    let entry_number = usize::try_from(entry_number).ok()?;
    match wanted {
        FileKind::Index => partition
            .state()
            .offset_entries(base)
            .get(entry_number)
            .map(|entry| Entry {
                key: i64::from(entry.relative.get()),
                to: i64::from(entry.position.get()),
            }),
        FileKind::TimeIndex => partition
            .state()
            .time_entries(base)
            .get(entry_number)
            .map(|entry| Entry {
                key: entry.timestamp.get(),
                to: i64::from(entry.relative.get()),
            }),
        _ => None,
    }
}

/// The byte of the first batch that was read.
fn scan_start(steps: &[Step]) -> Option<i64> {
    steps.iter().find_map(|step| match step {
        Step::BatchScanned { position, .. } => Some(i64::from(position.get())),
        _ => None,
    })
}
