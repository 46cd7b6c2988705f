//! Writes, in words. Most of them carry out what a decision before them says, and are not what a beat is about.

use partition_log::config::Spec;
use partition_log::disk::FileChange;
use partition_log::state::{ConsumerChange, MemoryChange};
use partition_log::step::Step;

use super::SentenceBuilder;
use super::broker::broker_memory;
use super::numbers::{counted, size};
use super::text::{say, sentence};

pub(super) fn file(change: &FileChange) -> SentenceBuilder {
    match change {
        FileChange::Created { file, apparent, .. } => {
            sentence!["The ", file.kind.extension(), " of segment ", Active: file.base, " is created, ", Log: size(*apparent), "."]
        }
        FileChange::Appended {
            file,
            position,
            bytes: written,
            ..
        } => sentence![
            Log: size(written.len() as u64), " are written at byte ", Touched: position, " of the ", file.kind.extension(), " of segment ",
            Active: file.base, "."
        ],
        FileChange::Overwritten {
            file,
            position,
            bytes: written,
            ..
        } => sentence![
            Log: size(written.len() as u64), " are written over others at byte ", Touched: position, " of the ",
            file.kind.extension(), " of segment ", Active: file.base, "."
        ],
        FileChange::Replaced {
            file, bytes: written, ..
        } => {
            sentence![file.to_string(), " is written, ", Log: size(written.len() as u64), "."]
        }
        FileChange::Touched { file, modified } => sentence![
            "The ", file.kind.extension(), " of segment ", Active: file.base, " has the time ", Touched: modified, "."
        ],
        FileChange::Resized { file, from, to } => sentence![
            "The ", file.kind.extension(), " of segment ", Log: file.base, " is cut from ", Log: size(*from), " to ", Touched: size(*to), "."
        ],
        FileChange::Renamed { from, .. } => {
            sentence!["The ", from.kind.extension(), " of segment ", Deleted: from.base, " gets another name."]
        }
        FileChange::Removed { file, .. } => {
            sentence!["The ", file.kind.extension(), " of segment ", Deleted: file.base, " is removed."]
        }
    }
}

pub(super) fn memory(change: &MemoryChange, steps: &[Step]) -> SentenceBuilder {
    match change {
        MemoryChange::ClockMoved { to, .. } => {
            sentence!["The clock moves on to ", Touched: to, "; nothing is due on the way."]
        }
        MemoryChange::SettingChanged { key, from, to } => {
            let show = |value: i64| Spec::find(key).map_or_else(|| value.to_string(), |spec| spec.show(value));
            sentence![Setting: key, " is ", Touched: show(*to), " from now on, no longer ", Setting: show(*from), "."]
        }
        MemoryChange::SegmentOpened { base, .. } => sentence!["Segment ", Active: base, " is opened."],
        MemoryChange::SegmentDeleted { base, gone_at } => {
            sentence!["Segment ", Deleted: base, " leaves the log; its files go at ", Setting: gone_at, "."]
        }
        MemoryChange::SegmentForgotten { base, .. } => sentence!["Segment ", Deleted: base, " is gone."],
        MemoryChange::IndexEntries { base, kind, to, .. } => {
            let entries = counted(u64::from(*to), if *to == 1 { "entry" } else { "entries" });
            sentence!["The ", kind.extension(), " of segment ", Active: base, " has ", Index: entries, "."]
        }
        MemoryChange::BytesSinceLastIndexEntry { base, to, .. } => {
            sentence!["Segment ", Active: base, ": ", Log: size(*to), " since the last entry."]
        }
        MemoryChange::RollTimestamp { base, timestamp } => {
            sentence!["Segment ", Active: base, " counts its age for rolling from ", Log: timestamp, "."]
        }
        MemoryChange::LargestTimestamp {
            base,
            to: (timestamp, offset),
        } => sentence![
            "The largest time in segment ", Active: base, " is ", Log: timestamp, ", at offset ", Touched: offset, "."
        ],
        MemoryChange::LargestRead { .. }
        | MemoryChange::LargestForgotten { .. }
        | MemoryChange::SegmentEmptied { .. }
        | MemoryChange::SegmentDropped { .. }
        | MemoryChange::RecoveryPoint { .. }
        | MemoryChange::Producers(_)
        | MemoryChange::ProducersLookedAt { .. }
        | MemoryChange::SnapshotDeleted { .. }
        | MemoryChange::SnapshotForgotten { .. }
        | MemoryChange::LeaderEpoch { .. }
        | MemoryChange::LeaderEpochs { .. }
        | MemoryChange::EntriesPerBatch(_)
        | MemoryChange::LoadBegun { .. }
        | MemoryChange::Started { .. }
        | MemoryChange::StartFailed { .. }
        | MemoryChange::Stopped { .. } => broker_memory(change),
        MemoryChange::LogStart { from, to } => sentence![
            "The log start offset moves from ", Deleted: from, " to ", Touched: to, ": the bytes below stay, but cannot be read."
        ],
        MemoryChange::HighWatermark { to, .. } => {
            sentence!["The high watermark is ", Touched: to, ": consumers read below it."]
        }
        MemoryChange::HighWatermarkFound { from, to, place } => {
            let mut text = sentence!["The high watermark is looked up: "];
            if from != to {
                say![text, "offset ", Deleted: from, " begins no batch, so it is ", Touched: to, " from now on, "];
            }
            say![text, "it lies at byte ", Touched: place.position, " of segment ", Active: place.base, "."];
            text
        }
        MemoryChange::HighWatermarkFollows(follows) => high_watermark(*follows, steps),
        MemoryChange::LogEnd { from, to } => {
            sentence!["The log end offset moves from ", Log: from, " to ", Touched: to, "."]
        }
        MemoryChange::NextCheck { at } => sentence!["The next retention check runs at ", Setting: at, "."],
    }
}

pub(super) fn consumer(change: &ConsumerChange) -> SentenceBuilder {
    match change {
        ConsumerChange::Committed { to: Some(to), .. } => {
            sentence!["The group commits offset ", Touched: to, ": there it goes on after a restart."]
        }
        ConsumerChange::Committed { to: None, .. } => sentence!["The group has no committed offset."],
        ConsumerChange::Position { to, .. } => match to.offset() {
            Some(to) => sentence!["The consumer reads offset ", Touched: to, " next."],
            None => sentence!["The consumer has no offset yet."],
        },
        ConsumerChange::ResetPolicy { to, .. } => sentence!["auto.offset.reset is ", Setting: to, " from now on."],
    }
}

fn high_watermark(follows: bool, steps: &[Step]) -> SentenceBuilder {
    let at = steps.iter().find_map(|step| match step {
        Step::Memory(MemoryChange::HighWatermark { to, .. }) => Some(*to),
        _ => None,
    });
    let mut text = sentence!["The high watermark "];
    match (follows, at) {
        (true, Some(at)) => say![text, "follows the log end offset again, ", Touched: at, "."],
        (true, None) => say![text, "follows the log end offset."],
        (false, Some(at)) => say![text, "stays at ", Touched: at, ": consumers and retention do not pass it."],
        (false, None) => say![text, "stays where it is."],
    }
    text
}
