//! Producers, replication and the broker's life, in words. Where nothing shorter is to be said, the step's own line says it.

use partition_log::state::MemoryChange;
use partition_log::step::Step;

use super::SentenceBuilder;
use super::clause::decided;
use super::load::load;
use super::text::{say, sentence};

pub(super) fn broker(step: &Step) -> SentenceBuilder {
    match step {
        Step::DuplicateFound {
            first_offset,
            last_offset,
        } => {
            let mut text = sentence!["The batch is in the log already, at offset ", Log: first_offset];
            if first_offset != last_offset {
                say![text, " to ", Log: last_offset];
            }
            say![text, ": it is not written again."];
            text
        }
        Step::TransactionEnded { completed, last_stable } => {
            let mut text = sentence!["The transaction of producer ", Touched: completed.producer_id, ", from offset "];
            say![text, Log: completed.first_offset, if completed.aborted { " on, is aborted" } else { " on, is committed" }];
            say![text, ": all is decided below ", Touched: last_stable, "."];
            text
        }
        Step::Truncated { to, log_end } => {
            sentence!["The log is cut: it ended at ", Deleted: log_end, " and ends at ", Touched: to, "."]
        }
        Step::AbortedCollected { found, .. } if found.is_empty() => {
            sentence!["No aborted transaction reaches into these bytes."]
        }
        Step::AbortedCollected { found, .. } => {
            let mut text = sentence!["The consumer is told what was aborted: "];
            for (index, (producer, first)) in found.iter().enumerate() {
                if index > 0 {
                    say![text, ", "];
                }
                say![text, "producer ", Deleted: producer, " from offset ", Deleted: first];
            }
            say![text, "."];
            text
        }
        Step::Load(step) => load(step),
        Step::BatchesLeftOut(left_out) => {
            let mut text = decided(step);
            say![text, ": the batches from byte ", Deleted: left_out.position, " on are left out."];
            text
        }
        Step::ProducerDecided(_) if !step.clauses().is_empty() => {
            let mut text = decided(step);
            say![text, "."];
            text
        }
        other => {
            let line = other.to_string();
            let (_, text) = line.split_once(' ').unwrap_or_default();
            sentence![text.trim_start(), "."]
        }
    }
}

pub(super) fn broker_memory(change: &MemoryChange) -> SentenceBuilder {
    match change {
        MemoryChange::RecoveryPoint { to, .. } => {
            sentence!["The recovery point is ", Touched: to, ": all below it is on disk."]
        }
        MemoryChange::LeaderEpoch { to, .. } => sentence!["Leader epoch ", Touched: to, " begins."],
        other => sentence![other.to_string(), "."],
    }
}
