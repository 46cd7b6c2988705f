//! What is said of each kind of step. The pattern: numbers, then verdict.

use partition_log::questions::view::PartitionView;
use partition_log::step::{Mark, Step};

use super::append::{appended, index_entry, roll_decided, rolled, time_entry};
use super::broker::broker;
use super::clause::decided;
use super::numbers::{Offsets, counted, size};
use super::reading::{
    consumer_kept, fetch_range, fetch_slice, floor, index_probe, looked_up, refused, reset, scanned, time_answer,
    time_segments,
};
use super::retention::{files_removed, idle_checks, retention, segments_deleted};
use super::text::{say, sentence};
use super::writes::{consumer, file, memory};
use super::{Sentence, SentenceBuilder};
use crate::beat::Beat;

/// The sentence of a beat; `trail` is every step of its operation so far.
pub(crate) fn of_beat(trail: &[Step], beat: &Beat) -> Sentence {
    let steps = &trail[beat.steps.clone()];
    of_step(&trail[beat.lead], steps, trail).finish_within_limit()
}

/// The sentence of the first frame: what stands there before the story begins.
pub(crate) fn of_set_up(view: &PartitionView) -> Sentence {
    if view.log_size == 0 {
        let base = view.segments.last().map_or(view.log_end, |segment| segment.base);
        return sentence!["Segment ", Active: base, " is empty and waits for the first record."].finish_within_limit();
    }
    let records = counted((view.log_end - view.log_start).unsigned_abs(), "record");
    let segments = counted(view.segments.len() as u64, "segment");
    sentence![
        Log: records, " in ", Log: segments, ", ", Log: size(view.log_size), ": log start offset ",
        Touched: view.log_start, ", log end offset ", Touched: view.log_end, "."
    ]
    .finish_within_limit()
}

/// One step in words; `steps` are those of its beat, `trail` all of its operation so far.
fn of_step(step: &Step, steps: &[Step], trail: &[Step]) -> SentenceBuilder {
    match step {
        Step::RollDecided(decision) => roll_decided(decision),
        Step::Rolled { closed, opened, cause } => rolled(*closed, *opened, *cause, steps),
        Step::Appended {
            base,
            first_offset,
            last_offset,
            position,
            ..
        } => appended(*base, Offsets(*first_offset, *last_offset), *position, steps),
        Step::IndexEntryDecided(decision) => index_entry(decision, steps, trail),
        Step::TimeEntryDecided(decision) => time_entry(decision),
        Step::CheckStarted { now, log_size, .. } => {
            sentence!["A retention check runs at ", Setting: now, "; the log has ", Log: size(*log_size), "."]
        }
        Step::RetentionRuleOff { rule, .. } => {
            let mut text = decided(step);
            say![text, ": nothing goes by ", Setting: rule, "."];
            text
        }
        Step::RetentionDecided(decision) => retention(decision),
        Step::SegmentsDeleted {
            bases,
            size: length,
            gone_at,
            ..
        } => segments_deleted(bases, *length, *gone_at, steps),
        Step::CheckFinished { .. } | Step::ChecksSkipped { .. } => idle_checks(steps),
        Step::FilesRemoved { .. } => files_removed(steps),
        Step::FetchRangeDecided(range) => fetch_range(range, step),
        Step::FetchSliceDecided(slice) => fetch_slice(slice),
        Step::ConsumerKept {
            requested,
            delivered,
            below,
            bytes: kept,
            torn,
            next,
            markers,
            aborted,
            ..
        } => {
            let left_out = (*aborted, *markers);
            consumer_kept(*requested, *delivered, u64::from(*below), left_out, *kept, *torn, *next)
        }
        Step::ResetDecided(decision) => reset(decision),
        Step::TimeSearchStarted { target } => {
            sentence!["The first record at or after ", Touched: target, " is searched for."]
        }
        Step::TimeSearchAnswered {
            target,
            found,
            withheld,
        } => time_answer(*target, *found, *withheld),
        Step::OffsetAnswered {
            mark: Mark::LogStart,
            offset,
        } => {
            sentence!["The earliest offset is the log start offset, ", Touched: offset, "."]
        }
        Step::OffsetAnswered {
            mark: Mark::HighWatermark,
            offset,
        } => {
            sentence!["The latest offset is the high watermark, ", Touched: offset, "."]
        }
        Step::OffsetAnswered {
            mark: Mark::LastStable,
            offset,
        } => {
            sentence!["The latest offset is the last stable offset, ", Touched: offset, "."]
        }
        Step::OffsetAnswered {
            mark: Mark::LogEnd,
            offset,
        } => {
            sentence!["The latest offset is the log end offset, ", Touched: offset, "."]
        }
        Step::Refused(error) => refused(error),
        Step::FloorLookedUp { target, found, .. } => floor(*target, *found, &step.clauses()),
        Step::TimeSegmentProbed { .. } => time_segments(step, steps),
        Step::IndexProbed(probe) => index_probe(probe, step, steps),
        Step::IndexLookedUp {
            base,
            kind,
            target,
            entry_number,
            leads_to,
        } => looked_up(*base, *kind, *target, *entry_number, i64::from(*leads_to), trail),
        Step::BatchScanned { .. } => scanned(step, steps, trail),
        Step::ProducerDecided(_)
        | Step::BatchesLeftOut(_)
        | Step::DuplicateFound { .. }
        | Step::TransactionEnded { .. }
        | Step::SnapshotCorrupt { .. }
        | Step::Truncated { .. }
        | Step::Load(_)
        | Step::AbortedCollected { .. }
        | Step::NoTieredStorage => broker(step),
        Step::File(change) => file(change),
        Step::Memory(change) => memory(change, steps),
        Step::Consumer(change) => consumer(change),
    }
}
