//! What the retention demos decide, and what becomes of the consumer that comes back too late.

use anyhow::{Context, Result};
use partition_log::rules::reset::ResetPolicy;
use partition_log::rules::retention::{RetentionAnswer, RetentionRule};
use partition_log::{Offset, Partition, Step};
use serde::Serialize;

use super::equation::Equation;
use super::tale::Tale;

/// The checks of one demo that deleted something.
#[derive(Debug, Serialize)]
pub struct Checks {
    /// `retention.ms`.
    pub limit_ms: i64,
    /// `retention.bytes`.
    pub limit: i64,
    /// `file.delete.delay.ms`.
    pub delay_ms: i64,
    pub checks: Vec<Check>,
}

/// One check.
#[derive(Debug, Default, Serialize)]
pub struct Check {
    pub now_ms: i64,
    /// Log size before and after it.
    pub before: u64,
    pub size: u64,
    pub log_start: i64,
    pub gone: Vec<Decision>,
    pub kept: Vec<Decision>,
}

/// A rule asked about a segment.
#[derive(Debug, Serialize)]
pub struct Decision {
    pub base: i64,
    pub equation: Equation,
}

/// The consumer that comes back.
#[derive(Debug, Serialize)]
pub struct Back {
    pub committed: i64,
    pub log_start: i64,
    pub log_end: i64,
    pub deleted: Vec<i64>,
    pub lost_bytes: u64,
    /// Largest timestamp of the segment that held the committed offset.
    pub largest_ms: i64,
    pub retention_ms: i64,
    pub policies: Vec<Policy>,
}

/// What one value of `auto.offset.reset` does.
#[derive(Debug, Serialize)]
pub struct Policy {
    pub name: &'static str,
    pub default: bool,
    pub target: Option<i64>,
    /// Records that the group never sees, and their bytes.
    pub unseen: i64,
    pub unseen_bytes: u64,
    pub words: &'static str,
}

/// The checks of a demo that deleted something, with what one rule said in them.
pub fn checks(tale: &Tale, rule: RetentionRule) -> Result<Checks> {
    let settings = tale.end()?.settings().clone();
    let mut checks = Vec::new();
    let mut open = Check::default();
    for (at, step) in tale.steps().iter().enumerate() {
        match step {
            Step::CheckStarted { now, log_size, .. } => {
                open = Check {
                    now_ms: now.get(),
                    before: *log_size,
                    ..Check::default()
                };
            }
            Step::RetentionDecided(decided) if decided.rule() == rule => {
                let decision = Decision {
                    base: decided.base.get(),
                    equation: decided.clause().into(),
                };
                match decided.answer() {
                    RetentionAnswer::Delete => open.gone.push(decision),
                    _ => open.kept.push(decision),
                }
            }
            Step::CheckFinished { deleted, log_size, .. } if *deleted > 0 => {
                open.size = *log_size;
                open.log_start = tale.state_after(at + 1)?.log_start().get();
                checks.push(std::mem::take(&mut open));
            }
            _ => {}
        }
    }
    Ok(Checks {
        limit_ms: settings.retention_ms,
        limit: settings.retention_bytes,
        delay_ms: settings.file_delete_delay_ms,
        checks,
    })
}

/// The consumer of a demo at the moment when it comes back, under every policy.
pub fn back(tale: &Tale) -> Result<Back> {
    let refused = tale.find(
        "a refused fetch",
        |step| matches!(step, Step::FetchRangeDecided(range) if range.requested < range.log_start),
    )?;
    let state = tale.state_after(refused)?;
    let consumer = tale.consumer_after(refused);
    let committed = consumer.committed().context("the group has a committed offset")?;
    let (log_start, log_end) = (state.log_start(), state.log_end());
    let records = tale.records();
    let bytes = |to: Offset| {
        let unseen = |record: &&super::tale::Record| (committed..to).contains(&record.offset);
        records.iter().filter(unseen).map(|record| record.size).sum::<u64>()
    };
    let deleted = tale.find("a deletion", |step| matches!(step, Step::SegmentsDeleted { .. }))?;
    let before = tale.state_after(deleted)?.view();
    let bases = match &tale.steps()[deleted] {
        Step::SegmentsDeleted { bases, .. } => bases.clone(),
        _ => Vec::new(),
    };
    let held = before
        .segments
        .iter()
        .find(|segment| (segment.base..segment.end).contains(&committed))
        .and_then(|segment| segment.largest_timestamp)
        .context("a segment held the committed offset")?;
    let words = [
        (
            ResetPolicy::Latest,
            "latest",
            "skips all that is stored and waits for what comes next",
        ),
        (ResetPolicy::Earliest, "earliest", "reads all that is still there"),
        (
            ResetPolicy::ByDuration { ms: 60_000 },
            "by_duration:PT60S",
            "goes back to the first record of the last 60 s",
        ),
        (
            ResetPolicy::None,
            "none",
            "throws OffsetOutOfRangeException; the application decides",
        ),
    ];
    let mut partition = Partition::from_state(state.clone(), 0);
    let policies = words
        .into_iter()
        .map(|(policy, name, words)| {
            let mut consumer = consumer.clone();
            consumer.set_reset_policy(policy);
            // An exception is among the answers.
            let _ = consumer.restart(&mut partition);
            let target = consumer.steps().iter().find_map(|step| match step {
                Step::ResetDecided(decision) => decision.target(),
                _ => None,
            });
            Policy {
                name,
                default: policy == ResetPolicy::Latest,
                target: target.map(Offset::get),
                unseen: target.map_or(0, |target| target - committed),
                unseen_bytes: target.map_or(0, bytes),
                words,
            }
        })
        .collect();
    Ok(Back {
        committed: committed.get(),
        log_start: log_start.get(),
        log_end: log_end.get(),
        deleted: bases.into_iter().map(Offset::get).collect(),
        lost_bytes: bytes(log_start),
        largest_ms: held.get(),
        retention_ms: state.settings().retention_ms,
        policies,
    })
}
