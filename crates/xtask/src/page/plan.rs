//! The numbers of the chapter on sizes: Kafka's defaults, and what other segment sizes would cost.

use anyhow::{Context, Result};
use partition_log::config::Settings;
use partition_log::disk::FileKind;
use partition_log::format::index::{capacity, entry_size};
use partition_log::questions::planner::{
    FILES_PER_SEGMENT, fill_ms, greatest_age_ms, index_entries_max, segments_for, steady_segment,
};
use serde::Serialize;

const MIB: u64 = 1 << 20;
const KIB: u64 = 1 << 10;
const HOUR_MS: i64 = 3_600_000;

/// What the chapters say of real sizes.
#[derive(Debug, Serialize)]
pub struct Plan {
    pub segment_bytes: u64,
    pub segment_ms: i64,
    pub retention_ms: i64,
    pub check_ms: i64,
    pub delay_ms: i64,
    pub interval: u64,
    /// A batch that passes the interval each time.
    pub big_batch: u64,
    pub relative_max: i64,
    pub entries_max: u64,
    pub index_bytes_max: u64,
    pub timeindex_bytes_max: u64,
    pub index_file: u64,
    pub index_slots: u32,
    pub timeindex_file: u64,
    pub timeindex_slots: u32,
    pub age_default_ms: i64,
    pub age_here_ms: i64,
    pub log_bytes: u64,
    pub replicas: u64,
    /// The larger of the sizes compared.
    pub large: u64,
    pub options: Vec<SizeOption>,
    pub flows: Vec<Flow>,
    pub quiet: Quiet,
}

/// One `segment.bytes`.
#[derive(Debug, Serialize)]
pub struct SizeOption {
    pub segment_bytes: u64,
    pub segments: u64,
    pub logs: u64,
    pub files: u64,
}

/// A steady flow, and how long it fills a segment of each size.
#[derive(Debug, Serialize)]
pub struct Flow {
    pub rate: u64,
    pub fill_ms: Vec<i64>,
}

/// A quiet partition with a shorter `segment.ms`.
#[derive(Debug, Serialize)]
pub struct Quiet {
    pub segment_ms: i64,
    pub bytes: u64,
}

/// Computes them; `here` are the settings of a demo with retention by time.
pub fn plan(here: &Settings) -> Result<Plan> {
    let kafka = Settings::default();
    let segment_bytes = kafka.segment_bytes.unsigned_abs();
    let interval = kafka.index_interval_bytes.unsigned_abs();
    let entries_max = index_entries_max(segment_bytes, interval);
    let index_bytes = kafka.segment_index_bytes.unsigned_abs();
    let entry_numbers = |kind| capacity(kind, index_bytes);
    let file = |kind| u64::from(entry_numbers(kind)) * entry_size(kind);
    let age = |settings| greatest_age_ms(settings).context("the demo has a limit of age");

    let (log_bytes, replicas, sizes) = (KIB * MIB, 600, [64 * MIB, 256 * MIB]);
    let option = |segment_bytes| {
        let segments = segments_for(log_bytes, segment_bytes);
        SizeOption {
            segment_bytes,
            segments,
            logs: segments * replicas,
            files: segments * replicas * FILES_PER_SEGMENT,
        }
    };
    let flow = |rate| {
        let fill_ms = sizes.iter().map(|&size| fill_ms(size, rate)).collect::<Option<_>>();
        Some(Flow {
            rate,
            fill_ms: fill_ms?,
        })
    };
    let (busy, quiet) = (2 * MIB, 2 * KIB);
    let shorter = Settings {
        segment_bytes: (256 * MIB) as i64,
        segment_ms: 6 * HOUR_MS,
        ..Settings::default()
    };
    let steady = steady_segment(&shorter, quiet).context("something flows")?;
    Ok(Plan {
        segment_bytes,
        segment_ms: kafka.segment_ms,
        retention_ms: kafka.retention_ms,
        check_ms: kafka.retention_check_interval_ms,
        delay_ms: kafka.file_delete_delay_ms,
        interval,
        big_batch: 4 * interval,
        relative_max: i64::from(i32::MAX),
        entries_max,
        index_bytes_max: entries_max * entry_size(FileKind::Index),
        timeindex_bytes_max: entries_max * entry_size(FileKind::TimeIndex),
        index_file: file(FileKind::Index),
        index_slots: entry_numbers(FileKind::Index),
        timeindex_file: file(FileKind::TimeIndex),
        timeindex_slots: entry_numbers(FileKind::TimeIndex),
        age_default_ms: age(&kafka)?,
        age_here_ms: age(here)?,
        log_bytes,
        replicas,
        large: sizes[1],
        options: sizes.into_iter().map(option).collect(),
        flows: [busy, quiet]
            .into_iter()
            .map(flow)
            .collect::<Option<_>>()
            .context("something flows")?,
        quiet: Quiet {
            segment_ms: steady.lasts_ms,
            bytes: steady.bytes,
        },
    })
}
