//! Stops, crashes and starts, in words.

use partition_log::rules::recovery::{RecoveryAnswer, RecoveryDecision};
use partition_log::step::{DistrustReason, LoadStep};

use super::SentenceBuilder;
use super::clause::reason_first;
use super::numbers::{Bases, counted, size};
use super::text::{say, sentence};

pub(super) fn load(step: &LoadStep) -> SentenceBuilder {
    match step {
        LoadStep::Lost { base, lost } => sentence![
            "The last ", Deleted: size(*lost), " of segment ", Active: base, " never reached the disk."
        ],
        LoadStep::ReplacementFound { file, .. } => {
            sentence![
                file.to_string(),
                " is whole, and takes the place of what it was to replace."
            ]
        }
        LoadStep::OrphanFound { file } => sentence![Deleted: file, " has no .log: it is removed."],
        LoadStep::IndexDistrusted { base, reason } => {
            let mut text = match reason {
                DistrustReason::Missing => sentence!["Segment ", Active: base, " has no .index"],
                DistrustReason::Transactions(_) => {
                    sentence!["The .txnindex of segment ", Active: base, " makes no sense"]
                }
            };
            say![text, ": it is read again, and its indexes are made anew."];
            text
        }
        LoadStep::RecoveryDecided(decision) => recovery(decision),
        LoadStep::RecoveryEnded { base, position, reason } => sentence![
            "Segment ", Active: base, " is sound up to byte ", Touched: position, ": ", reason.to_string(), "."
        ],
        LoadStep::Recovered {
            base,
            kept,
            cut,
            offset_entries,
            time_entries,
        } => {
            let mut text = sentence!["Segment ", Active: base, " is read again: ", Log: size(*kept), " stay"];
            if *cut > 0 {
                say![text, ", ", Deleted: size(*cut), " are cut off"];
            }
            say![text, "; its indexes are made anew, ", Index: offset_entries, " and ", TimeIndex: time_entries, " entries."];
            text
        }
        LoadStep::GivenUp { base, reason } => {
            sentence!["Segment ", Deleted: base, " cannot be read, and loses all: ", reason.to_string(), "."]
        }
        LoadStep::LaterDeleted { cut, bases } => {
            let behind = counted(bases.len() as u64, "segment");
            sentence![
                Deleted: behind, " behind the cut in segment ", Active: cut, " leave the log: ", Deleted: Bases(bases), "."
            ]
        }
        LoadStep::EndsBelowStart { log_end, log_start } => sentence![
            "The log would end at ", Deleted: log_end, ", below its start ", Touched: log_start, ": all segments go."
        ],
        LoadStep::Divided { base, into } => sentence![
            "Segment ", Deleted: base, " spans more offsets than an index can hold: it is divided into ", Active: Bases(into), "."
        ],
        LoadStep::Loaded {
            log_start,
            log_end,
            recovery_point,
        } => sentence![
            "The log is loaded: log start offset ", Touched: log_start, ", log end offset ", Touched: log_end, ", recovery point ",
            Setting: recovery_point, "."
        ],
    }
}

fn recovery(decision: &RecoveryDecision) -> SentenceBuilder {
    let mut text = reason_first(&decision.clause());
    match decision.answer() {
        RecoveryAnswer::Recovered => say![text, ": segment ", Touched: decision.base, " is read again."],
        RecoveryAnswer::CleanShutdown | RecoveryAnswer::BelowRecoveryPoint => {
            say![text, ": segment ", Log: decision.base, " is taken as it is."]
        }
    }
    text
}
