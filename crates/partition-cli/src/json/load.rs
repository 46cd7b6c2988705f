//! Stops, crashes and starts as data.

use partition_log::rules::recovery::{RecoveryAnswer, RecoveryDecision};
use partition_log::step::{DistrustReason, LoadStep};
use partition_log::units::Offset;
use serde_json::{Value, json};

fn bases(bases: &[Offset]) -> Vec<i64> {
    bases.iter().map(|base| base.get()).collect()
}

/// Its kind and its numbers.
pub fn fields(step: &LoadStep) -> Value {
    match step {
        LoadStep::Lost { base, lost } => json!({ "is": "lost", "segment": base.get(), "size": lost }),
        LoadStep::ReplacementFound { file, next_offset } => {
            json!({ "is": "replacement-found", "file": file.to_string(), "next_offset": next_offset })
        }
        LoadStep::OrphanFound { file } => json!({ "is": "orphan-found", "file": file.to_string() }),
        LoadStep::IndexDistrusted { base, reason } => json!({
            "is": "index-distrusted", "segment": base.get(), "reason": match reason {
                DistrustReason::Missing => "no .index".to_string(),
                DistrustReason::Transactions(error) => error.to_string(),
            },
        }),
        LoadStep::RecoveryDecided(decision) => recovery(decision),
        LoadStep::RecoveryEnded { base, position, reason } => json!({
            "is": "recovery-ended", "segment": base.get(), "position": position, "reason": reason.to_string(),
        }),
        LoadStep::Recovered {
            base,
            kept,
            cut,
            offset_entries,
            time_entries,
        } => json!({
            "is": "recovered", "segment": base.get(), "kept": kept, "cut": cut, "offset_entries": offset_entries,
            "time_entries": time_entries,
        }),
        LoadStep::GivenUp { base, reason } => {
            json!({ "is": "given-up", "segment": base.get(), "reason": reason.to_string() })
        }
        LoadStep::LaterDeleted { cut, bases: later } => {
            json!({ "is": "later-deleted", "cut": cut.get(), "segments": bases(later) })
        }
        LoadStep::EndsBelowStart { log_end, log_start } => {
            json!({ "is": "ends-below-start", "log_end": log_end, "log_start": log_start.get() })
        }
        LoadStep::Divided { base, into } => json!({ "is": "divided", "segment": base.get(), "into": bases(into) }),
        LoadStep::Loaded {
            log_start,
            log_end,
            recovery_point,
        } => json!({
            "is": "loaded", "log_start": log_start.get(), "log_end": log_end.get(), "recovery_point": recovery_point.get(),
        }),
    }
}

fn recovery(decision: &RecoveryDecision) -> Value {
    json!({
        "is": "recovery-decided", "segment": decision.base.get(), "end": decision.next_base.map(Offset::get),
        "clean": decision.clean, "recovery_point": decision.recovery_point.get(),
        "recovers": decision.answer() == RecoveryAnswer::Recovered,
    })
}
