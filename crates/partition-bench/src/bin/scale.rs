//! What a log of 1,000,000 appends and 100,000 segments costs in time of the processor and in memory, by what is kept of its steps; and what a
//! search by time costs among so many segments.
//!
//! `scale` lists the ways, `scale WAY` measures one of them: the peak of the memory is that of a process.

use std::process::ExitCode;

use cpu_time::ProcessTime;
use partition_log::config::Settings;
use partition_log::format::batch::NewBatch;
use partition_log::rules::fetch::Isolation;
use partition_log::{Partition, PartitionState, Step, TimeTarget, TimestampMs};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Appends of the log.
const APPENDS: i64 = 1_000_000;
/// Size of the one batch of an append, in bytes.
const SIZE: u64 = 100;
/// Searches by time that are averaged.
const SEARCHES: i64 = 100;

/// What is kept of the steps of the appends.
const WAYS: [(&str, Keep); 4] = [
    ("steps", Keep::Steps),
    ("nothing", Keep::Nothing),
    ("100-states", Keep::States { every: 10_000 }),
    ("10-states", Keep::States { every: 100_000 }),
];

#[derive(Clone, Copy)]
enum Keep {
    /// All of them.
    Steps,
    /// None: they are made, and dropped after each append.
    Nothing,
    /// None, but the state after every so many appends.
    States { every: i64 },
}

fn settings() -> Settings {
    Settings {
        segment_bytes: (10 * SIZE) as i64,
        index_interval_bytes: 250,
        segment_index_bytes: 1_200,
        initial_task_delay_ms: i64::MAX,
        ..Settings::default()
    }
}

fn time(ms: i64) -> TimestampMs {
    TimestampMs::new(ms).expect("not negative")
}

fn append(partition: &mut Partition, timestamp: i64) -> Vec<Step> {
    let batch = NewBatch::Batch {
        records: 1,
        size: SIZE,
        timestamp: Some(time(timestamp)),
        key: None,
        headers: 0,
        producer: None,
    };
    let trace = partition.trace(|partition| partition.append(&batch));
    trace.outcome.expect("a batch that fits");
    trace.steps
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let Some((_, keep)) = WAYS.into_iter().find(|(way, _)| *way == name) else {
        WAYS.iter().for_each(|(way, _)| println!("{way}"));
        return ExitCode::FAILURE;
    };
    let mut partition = Partition::create(settings(), 0).expect("sound settings");
    let (mut steps, mut states): (Vec<Vec<Step>>, Vec<PartitionState>) = Default::default();
    let begun = ProcessTime::now();
    let mut noted = 0;
    for timestamp in 0..APPENDS {
        let new = append(&mut partition, timestamp);
        noted += new.len();
        match keep {
            Keep::Steps => steps.push(new),
            Keep::Nothing => {}
            Keep::States { every } if timestamp % every == 0 => states.push(partition.state().clone()),
            Keep::States { .. } => {}
        }
    }
    let appended = begun.elapsed().as_secs_f64();
    let peak = ALLOCATOR.peak_usage_as_mb();
    println!(
        "{name}: {APPENDS} appends, {} segments, {noted} steps of {} B: {appended:.2} s, peak {peak:.0} MiB",
        partition.state().bases().count(),
        size_of::<Step>(),
    );
    let searched = ProcessTime::now();
    for search in 0..SEARCHES {
        let target = time(APPENDS / SEARCHES * search);
        let found = partition.find_time(target).expect("a sound log");
        assert_eq!(found.timestamp, Some(target));
    }
    let searched = searched.elapsed().as_secs_f64() * 1_000.0 / SEARCHES as f64;
    let newest = ProcessTime::now();
    for _ in 0..SEARCHES {
        partition
            .find_time_with(TimeTarget::MaxTimestamp, Isolation::HighWatermark)
            .expect("a sound log");
    }
    let newest = newest.elapsed().as_secs_f64() * 1_000.0 / SEARCHES as f64;
    println!("find-time {searched:.1} ms, find-max-timestamp {newest:.1} ms");
    ExitCode::SUCCESS
}
