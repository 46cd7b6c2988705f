//! Steps as data: every field of a step under its own name, beside the line that the text format prints.

use partition_log::disk::{FileChange, FileKind};
use partition_log::rules::reset::{ResetPolicy, ResetReason};
use partition_log::rules::retention::{RetentionAnswer, RetentionOperands, RetentionRule};
use partition_log::rules::roll::{RollCause, Waited};
use partition_log::state::MemoryChange;
use partition_log::step::{Mark, ScanTarget, Step};
use partition_log::units::Offset;
use serde_json::{Value, json};

use super::{hex, load, maybe_ms, maybe_offset, refusal};

/// A step. `is` names its kind; `text` is the line of the text format.
pub fn step(step: &Step) -> Value {
    let mut value = fields(step);
    if let Value::Object(map) = &mut value {
        map.insert("text".to_string(), Value::String(step.to_string()));
    }
    value
}

fn fields(step: &Step) -> Value {
    match step {
        Step::RollDecided(d) => json!({
            "is": "roll-decided", "base": d.base.get(), "size": d.size, "append_size": d.append_size,
            "total": d.total(), "segment_bytes": d.segment_bytes, "size_exceeded": d.size_exceeded(),
            "waited": waited(&d.waited), "waited_limit_ms": d.waited_limit_ms, "time_exceeded": d.time_exceeded(),
            "offset_index": d.offset_index, "time_index": d.time_index,
            "append_last_offset": d.append_last_offset.get(), "cause": d.cause().map(roll_cause),
        }),
        Step::Rolled { closed, opened, cause } => {
            json!({ "is": "rolled", "closed": closed.get(), "opened": opened.get(), "cause": roll_cause(*cause) })
        }
        Step::Appended {
            base,
            first_offset,
            last_offset,
            position,
            size,
            timestamp,
        } => json!({
            "is": "appended", "base": base.get(), "first_offset": first_offset.get(), "last_offset": last_offset.get(),
            "position": position.get(), "size": size, "timestamp_ms": maybe_ms(*timestamp),
        }),
        Step::IndexEntryDecided(d) => json!({
            "is": "index-entry-decided", "base": d.base.get(), "counter": d.counter, "interval": d.interval,
            "due": d.due(), "counter_after": d.counter_after(), "batch_size": d.batch_size,
            "last_offset": d.last_offset.get(), "relative": d.relative.get(), "position": d.position.get(),
        }),
        Step::TimeEntryDecided(d) => json!({
            "is": "time-entry-decided", "base": d.base.get(), "timestamp_ms": maybe_ms(d.timestamp),
            "relative": d.relative.get(), "last_ms": maybe_ms(d.last), "written": d.written(),
        }),
        Step::CheckStarted {
            now,
            periodic,
            log_size,
        } => {
            json!({ "is": "check-started", "now_ms": now.get(), "periodic": periodic, "log_size": log_size })
        }
        Step::RetentionRuleOff { rule, log_size, limit } => {
            json!({ "is": "retention-rule-off", "rule": retention_rule(*rule), "log_size": log_size, "limit": limit })
        }
        Step::RetentionDecided(d) => json!({
            "is": "retention-decided", "rule": retention_rule(d.rule()), "base": d.base.get(), "end": d.end.get(),
            "last": d.last, "segment_size": d.segment_size, "high_watermark": d.high_watermark.get(),
            "operands": operands(&d.operands), "holds": d.holds(), "answer": retention_answer(d.answer()),
        }),
        Step::SegmentsDeleted {
            rule,
            bases,
            size,
            gone_at,
        } => json!({
            "is": "segments-deleted", "rule": retention_rule(*rule), "bases": offsets(bases), "size": size,
            "gone_at_ms": gone_at.get(),
        }),
        Step::CheckFinished {
            deleted,
            log_size,
            next,
        } => {
            json!({ "is": "check-finished", "deleted": deleted, "log_size": log_size, "next_ms": next.get() })
        }
        Step::ChecksSkipped { count, first, last } => {
            json!({ "is": "checks-skipped", "count": count, "first_ms": first.get(), "last_ms": last.get() })
        }
        Step::FilesRemoved { base, size } => json!({ "is": "files-removed", "base": base.get(), "size": size }),
        Step::FetchRangeDecided(d) => json!({
            "is": "fetch-range-decided", "requested": d.requested.get(), "log_start": d.log_start.get(),
            "high_watermark": d.high_watermark.get(), "log_end": d.log_end.get(),
            "answer": match d.answer() {
                partition_log::rules::fetch::RangeAnswer::OutOfRange => "out-of-range",
                partition_log::rules::fetch::RangeAnswer::Empty => "empty",
                partition_log::rules::fetch::RangeAnswer::Readable => "readable",
            },
        }),
        Step::FetchSliceDecided(d) => json!({
            "is": "fetch-slice-decided", "base": d.base.get(), "start": d.start.get(), "end": d.end, "limit": d.limit,
            "first_batch_size": d.first_batch_size, "length": d.length(),
        }),
        Step::ConsumerKept {
            requested,
            delivered,
            records,
            below,
            markers,
            aborted,
            bytes,
            torn,
            next,
        } => json!({
            "is": "consumer-kept", "requested": requested.get(), "first": delivered.map(|(first, _)| first.get()),
            "last": delivered.map(|(_, last)| last.get()), "records": records, "below": below, "markers": markers,
            "aborted": aborted, "bytes": bytes,
            "torn": torn, "next": next.get(),
        }),
        Step::ResetDecided(d) => json!({
            "is": "reset-decided", "policy": policy(&d.policy), "requested": match d.reason {
                ResetReason::OutOfRange { requested } => Some(requested.get()),
                ResetReason::NoCommittedOffset => None,
            },
            "log_start": d.log_start.get(), "high_watermark": d.high_watermark.get(),
            "since_ms": d.by_time.map(|(since, _)| since.get()),
            "since_offset": d.by_time.and_then(|(_, found)| maybe_offset(found)),
            "target": maybe_offset(d.target()), "lost": d.lost(), "skipped": d.skipped(),
        }),
        Step::TimeSearchStarted { target } => json!({ "is": "time-search-started", "target_ms": target.get() }),
        Step::TimeSearchAnswered {
            target,
            found,
            withheld,
        } => json!({
            "is": "time-search-answered", "target_ms": maybe_ms(*target), "offset": found.map(|(offset, _)| offset.get()),
            "timestamp_ms": found.and_then(|(_, timestamp)| maybe_ms(timestamp)), "withheld": withheld,
        }),
        Step::OffsetAnswered { mark, offset } => json!({
            "is": "offset-answered", "offset": offset.get(), "mark": match mark {
                Mark::LogStart => "log-start",
                Mark::HighWatermark => "high-watermark",
                Mark::LastStable => "last-stable",
                Mark::LogEnd => "log-end",
            },
        }),
        Step::Refused(error) => json!({ "is": "refused", "refusal": refusal(error) }),
        Step::FloorLookedUp { target, bases, found } => json!({
            "is": "floor-looked-up", "target": target.get(), "bases": offsets(bases), "found": maybe_offset(*found),
        }),
        Step::TimeSegmentProbed {
            base,
            largest,
            target,
            searched,
        } => json!({
            "is": "time-segment-probed", "base": base.get(), "largest_ms": largest.get(), "target_ms": target.get(),
            "searched": searched,
        }),
        Step::IndexProbed(probe) => json!({
            "is": "index-probed", "base": probe.base.get(), "index": kind(probe.kind), "slot": probe.slot,
            "low": probe.low, "high": probe.high, "key": probe.key, "target": probe.target, "guard": probe.guard,
        }),
        Step::IndexLookedUp {
            base,
            kind: index,
            target,
            slot,
            leads_to,
        } => json!({
            "is": "index-looked-up", "base": base.get(), "index": kind(*index), "target": target, "slot": slot,
            "leads_to": leads_to,
        }),
        Step::BatchScanned {
            base,
            position,
            size,
            first_offset,
            last_offset,
            timestamp,
            target,
            found,
        } => json!({
            "is": "batch-scanned", "base": base.get(), "position": position.get(), "size": size,
            "first_offset": first_offset.get(), "last_offset": last_offset.get(), "timestamp_ms": maybe_ms(*timestamp),
            "target": scan_target(target), "found": found,
        }),
        Step::BatchesLeftOut(left_out) => json!({
            "is": "batches-left-out", "position": left_out.position, "epoch": left_out.epoch, "current": left_out.current,
        }),
        // The line of the text format tells the operands of these.
        Step::ProducerDecided(_) => json!({ "is": "producer-decided" }),
        Step::DuplicateFound {
            first_offset,
            last_offset,
        } => json!({ "is": "duplicate-found", "first_offset": first_offset, "last_offset": last_offset }),
        Step::TransactionEnded { completed, last_stable } => json!({
            "is": "transaction-ended", "producer_id": completed.producer_id.get(), "first_offset": completed.first_offset,
            "last_offset": completed.last_offset, "aborted": completed.aborted, "last_stable": last_stable,
        }),
        Step::SnapshotCorrupt { offset, reason } => {
            json!({ "is": "snapshot-corrupt", "offset": offset.get(), "reason": reason.to_string() })
        }
        Step::Load(step) => load::fields(step),
        Step::Truncated { to, log_end } => json!({ "is": "truncated", "to": to.get(), "log_end": log_end.get() }),
        Step::AbortedCollected {
            base,
            requested,
            upper,
            found,
        } => json!({
            "is": "aborted-collected", "base": base.get(), "requested": requested.get(), "upper": upper.get(),
            "found": found.iter().map(|(producer, first)| json!([producer.get(), first.get()])).collect::<Vec<Value>>(),
        }),
        Step::NoTieredStorage => json!({ "is": "no-tiered-storage" }),
        Step::File(change) => file(change),
        Step::Memory(change) => memory(change),
    }
}

fn file(change: &FileChange) -> Value {
    match change {
        FileChange::Created { file, apparent, .. } => {
            json!({ "is": "file-created", "file": file.to_string(), "length": apparent })
        }
        FileChange::Appended {
            file, position, bytes, ..
        } => {
            json!({ "is": "file-appended", "file": file.to_string(), "position": position, "bytes": hex(bytes) })
        }
        FileChange::Overwritten {
            file, position, bytes, ..
        } => {
            json!({ "is": "file-overwritten", "file": file.to_string(), "position": position, "bytes": hex(bytes) })
        }
        FileChange::Replaced { file, bytes, .. } => {
            json!({ "is": "file-replaced", "file": file.to_string(), "bytes": hex(bytes) })
        }
        FileChange::Touched { file, modified } => {
            json!({ "is": "file-touched", "file": file.to_string(), "modified_ms": modified.get() })
        }
        FileChange::Resized { file, from, to } => {
            json!({ "is": "file-resized", "file": file.to_string(), "from": from, "to": to })
        }
        FileChange::Renamed { from, to } => {
            json!({ "is": "file-renamed", "from": from.to_string(), "to": to.to_string() })
        }
        FileChange::Removed { file, used } => json!({ "is": "file-removed", "file": file.to_string(), "used": used }),
    }
}

fn memory(change: &MemoryChange) -> Value {
    match change {
        MemoryChange::ClockMoved { from, to } => {
            json!({ "is": "clock-moved", "from_ms": from.get(), "to_ms": to.get() })
        }
        MemoryChange::SettingChanged { key, from, to } => {
            json!({ "is": "setting-changed", "key": key, "from": from, "to": to })
        }
        MemoryChange::SegmentOpened {
            base,
            created,
            jitter_ms,
            index_interval_bytes,
            index_bytes,
        } => json!({
            "is": "segment-opened", "base": base.get(), "created_ms": created.get(), "jitter_ms": jitter_ms,
            "index_interval_bytes": index_interval_bytes, "index_bytes": index_bytes,
        }),
        MemoryChange::SegmentDeleted { base, gone_at } => {
            json!({ "is": "segment-deleted", "base": base.get(), "gone_at_ms": gone_at.get() })
        }
        MemoryChange::SegmentForgotten { base, gone_at } => {
            json!({ "is": "segment-forgotten", "base": base.get(), "gone_at_ms": gone_at.get() })
        }
        MemoryChange::IndexEntries {
            base,
            kind: index,
            from,
            to,
        } => {
            json!({ "is": "index-entries", "base": base.get(), "index": kind(*index), "from": from, "to": to })
        }
        MemoryChange::IndexCounter { base, from, to } => {
            json!({ "is": "index-counter", "base": base.get(), "from": from, "to": to })
        }
        MemoryChange::RollTimestamp { base, timestamp } => {
            json!({ "is": "roll-timestamp", "base": base.get(), "timestamp_ms": timestamp.get() })
        }
        MemoryChange::LargestTimestamp {
            base,
            to: (timestamp, offset),
        } => json!({
            "is": "largest-timestamp", "base": base.get(), "timestamp_ms": timestamp.get(), "offset": offset.get(),
        }),
        MemoryChange::LargestRead { base, to } => json!({
            "is": "largest-read", "base": base.get(), "timestamp_ms": to.map(|(timestamp, _)| timestamp.get()),
            "offset": to.map(|(_, offset)| offset.get()),
        }),
        MemoryChange::LargestForgotten { base } => json!({ "is": "largest-forgotten", "base": base.get() }),
        MemoryChange::SegmentEmptied { base, created } => {
            json!({ "is": "segment-emptied", "base": base.get(), "created_ms": created.get() })
        }
        MemoryChange::SegmentDropped { base } => json!({ "is": "segment-dropped", "base": base.get() }),
        MemoryChange::RecoveryPoint { from, to } => {
            json!({ "is": "recovery-point", "from": from.get(), "to": to.get() })
        }
        MemoryChange::Producers(_) => json!({ "is": "producers" }),
        MemoryChange::ProducersLookedAt { at } => json!({ "is": "producers-looked-at", "at_ms": at.get() }),
        MemoryChange::SnapshotDeleted { offset, gone_at } => {
            json!({ "is": "snapshot-deleted", "offset": offset.get(), "gone_at_ms": gone_at.get() })
        }
        MemoryChange::SnapshotForgotten { offset, gone_at } => {
            json!({ "is": "snapshot-forgotten", "offset": offset.get(), "gone_at_ms": gone_at.get() })
        }
        MemoryChange::LeaderEpoch { from, to } => json!({ "is": "leader-epoch", "from": from, "to": to }),
        MemoryChange::LeaderEpochs { to } => json!({
            "is": "leader-epochs",
            "to": to.entries().iter().map(|entry| json!([entry.epoch, entry.start.get()])).collect::<Vec<Value>>(),
        }),
        MemoryChange::EntriesPerBatch(on) => json!({ "is": "entries-per-batch", "on": on }),
        MemoryChange::LoadBegun {
            recovery_point,
            log_start,
            high_watermark,
        } => json!({
            "is": "load-begun", "recovery_point": recovery_point.get(), "log_start": log_start.get(),
            "high_watermark": high_watermark.get(),
        }),
        MemoryChange::Started { at } => json!({ "is": "started", "at_ms": at.get() }),
        MemoryChange::Stopped { checkpointed } => json!({ "is": "stopped", "checkpointed": checkpointed }),
        MemoryChange::LogStart { from, to } => json!({ "is": "log-start", "from": from.get(), "to": to.get() }),
        MemoryChange::HighWatermark { from, to } => {
            json!({ "is": "high-watermark", "from": from.get(), "to": to.get() })
        }
        MemoryChange::HighWatermarkFollows(follows) => json!({ "is": "high-watermark-follows", "follows": follows }),
        MemoryChange::LogEnd { from, to } => json!({ "is": "log-end", "from": from.get(), "to": to.get() }),
        MemoryChange::NextCheck { at } => json!({ "is": "next-check", "at_ms": at.get() }),
        MemoryChange::Committed { from, to } => {
            json!({ "is": "committed", "from": maybe_offset(*from), "to": maybe_offset(*to) })
        }
        MemoryChange::Consumer { from, to } => {
            json!({ "is": "consumer", "from": maybe_offset(*from), "to": maybe_offset(*to) })
        }
        MemoryChange::ResetPolicy { from, to } => {
            json!({ "is": "reset-policy", "from": policy(from), "to": policy(to) })
        }
    }
}

fn offsets(bases: &[Offset]) -> Vec<i64> {
    bases.iter().copied().map(Offset::get).collect()
}

fn kind(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Log => "log",
        FileKind::Index => "index",
        FileKind::TimeIndex => "timeindex",
        FileKind::TxnIndex => "txnindex",
        FileKind::Snapshot => "snapshot",
        FileKind::LeaderEpochs => "leader-epoch-checkpoint",
    }
}

fn waited(waited: &Waited) -> Value {
    match waited {
        Waited::Timestamps { incoming, first } => {
            json!({ "by": "timestamps", "incoming_ms": maybe_ms(*incoming), "first_ms": first.get(), "ms": waited.ms() })
        }
        Waited::Clock { now, created } => {
            json!({ "by": "clock", "now_ms": now.get(), "created_ms": created.get(), "ms": waited.ms() })
        }
    }
}

fn roll_cause(cause: RollCause) -> &'static str {
    match cause {
        RollCause::Size => "size",
        RollCause::Time => "time",
        RollCause::OffsetIndexFull => "offset-index-full",
        RollCause::TimeIndexFull => "time-index-full",
        RollCause::OffsetRange => "offset-range",
        RollCause::Requested => "requested",
        RollCause::Retention => "retention",
    }
}

fn retention_rule(rule: RetentionRule) -> &'static str {
    match rule {
        RetentionRule::LogStart => "log-start",
        RetentionRule::Size => "size",
        RetentionRule::Time => "time",
    }
}

fn retention_answer(answer: RetentionAnswer) -> &'static str {
    match answer {
        RetentionAnswer::Delete => "delete",
        RetentionAnswer::Keep => "keep",
        RetentionAnswer::AboveHighWatermark => "above-high-watermark",
        RetentionAnswer::EmptyActive => "empty-active",
    }
}

fn operands(operands: &RetentionOperands) -> Value {
    match operands {
        RetentionOperands::LogStart { next_base, log_start } => {
            json!({ "next_base": maybe_offset(*next_base), "log_start": log_start.get() })
        }
        RetentionOperands::Size {
            log_size,
            retention_bytes,
            segment_size,
        } => {
            json!({ "log_size": log_size, "retention_bytes": retention_bytes, "segment_size": segment_size })
        }
        RetentionOperands::Time {
            now,
            largest,
            from_file_time,
            retention_ms,
        } => json!({
            "now_ms": now.get(), "largest_ms": largest.get(), "from_file_time": from_file_time, "retention_ms": retention_ms,
        }),
    }
}

/// A reset policy as the scenario language writes it.
pub fn policy(policy: &ResetPolicy) -> String {
    match policy {
        ResetPolicy::Earliest => "earliest".to_string(),
        ResetPolicy::Latest => "latest".to_string(),
        ResetPolicy::None => "none".to_string(),
        ResetPolicy::ByDuration { ms } => format!("by-duration={ms}ms"),
    }
}

fn scan_target(target: &ScanTarget) -> Value {
    match target {
        ScanTarget::Offset(offset) => json!({ "offset": offset.get() }),
        ScanTarget::Timestamp(timestamp) => json!({ "timestamp_ms": timestamp.get() }),
        ScanTarget::LargestTimestamp(timestamp) => json!({ "largest_timestamp_ms": maybe_ms(*timestamp) }),
    }
}
