//! The recorded changes of what the broker keeps in memory.

use core::fmt;

use crate::disk::FileKind;
use crate::error::LogError;
use crate::format::epoch::LeaderEpochs;
use crate::rules::producers::Place;
use crate::state::producers::ProducerChange;
use crate::units::{Maybe, Offset, TimestampMs};

/// A change of what the broker keeps in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum MemoryChange {
    /// The clock moved.
    ClockMoved {
        /// Before.
        from: TimestampMs,
        /// After.
        to: TimestampMs,
    },
    /// A setting has another value.
    SettingChanged {
        /// Kafka's key.
        key: &'static str,
        /// Before.
        from: i64,
        /// After.
        to: i64,
    },
    /// A segment was added to the log.
    SegmentOpened {
        /// Base offset.
        base: Offset,
        /// The clock.
        created: TimestampMs,
        /// What its jitter takes off `segment.ms`.
        jitter_ms: i64,
        /// `index.interval.bytes` of this segment.
        index_interval_bytes: i64,
        /// `segment.index.bytes` of this segment.
        index_bytes: i64,
    },
    /// A segment left the log; its files are called `.deleted` until `gone_at`.
    SegmentDeleted {
        /// Base offset.
        base: Offset,
        /// When its files are removed.
        gone_at: TimestampMs,
    },
    /// The files of a deleted segment were removed.
    SegmentForgotten {
        /// Base offset.
        base: Offset,
        /// When that was due.
        gone_at: TimestampMs,
    },
    /// The number of entries of an index changed.
    IndexEntries {
        /// Base offset.
        base: Offset,
        /// Which index.
        kind: FileKind,
        /// Before.
        from: u32,
        /// After.
        to: u32,
    },
    /// The bytes since the last index entry.
    BytesSinceLastIndexEntry {
        /// Base offset.
        base: Offset,
        /// Before.
        from: u64,
        /// After.
        to: u64,
    },
    /// The timestamp that the time rule of rolling counts from.
    RollTimestamp {
        /// Base offset.
        base: Offset,
        /// Largest timestamp of the first batch.
        timestamp: TimestampMs,
    },
    /// The segment's largest timestamp so far.
    LargestTimestamp {
        /// Base offset.
        base: Offset,
        /// The timestamp, and the last offset of the batch that reached it.
        to: (TimestampMs, Offset),
    },
    /// The segment's largest timestamp was asked for, and read from the last entry of its time index.
    LargestRead {
        /// Base offset.
        base: Offset,
        /// The timestamp and the offset of the entry; `None` without any.
        to: Option<(TimestampMs, Offset)>,
    },
    /// The segment's largest timestamp has to be read again.
    LargestForgotten {
        /// Base offset.
        base: Offset,
    },
    /// A segment has lost its last byte: its age begins anew.
    SegmentEmptied {
        /// Base offset.
        base: Offset,
        /// The clock.
        created: TimestampMs,
    },
    /// A segment left the broker's memory, for its files are read again.
    SegmentDropped {
        /// Base offset.
        base: Offset,
    },
    /// All below it is on disk.
    RecoveryPoint {
        /// Before.
        from: Offset,
        /// After.
        to: Offset,
    },
    /// What is known of producers changed.
    Producers(ProducerChange),
    /// The broker looked for silent producers.
    ProducersLookedAt {
        /// The clock.
        at: TimestampMs,
    },
    /// The file of a snapshot is called `.deleted` until `gone_at`.
    SnapshotDeleted {
        /// The offset up to which it tells.
        offset: Offset,
        /// When it is removed.
        gone_at: TimestampMs,
    },
    /// The file of a snapshot was removed.
    SnapshotForgotten {
        /// The offset up to which it told.
        offset: Offset,
        /// When that was due.
        gone_at: TimestampMs,
    },
    /// This broker leads under another epoch.
    LeaderEpoch {
        /// Before.
        from: i32,
        /// After.
        to: i32,
    },
    /// The epochs of the records changed.
    LeaderEpochs {
        /// After.
        to: LeaderEpochs,
    },
    /// Index entries are decided on batch by batch, as since Kafka 4.1, or once an append, as before.
    EntriesPerBatch(bool),
    /// The broker starts: what it kept in memory is gone, and its files are read again, with the marks that it saved.
    LoadBegun {
        /// As its checkpoint says.
        recovery_point: Offset,
        /// As its checkpoint says; 0 for none.
        log_start: Offset,
        /// As its checkpoint says; 0 for none.
        high_watermark: Offset,
    },
    /// The broker runs from now on.
    Started {
        /// The clock.
        at: TimestampMs,
    },
    /// The start failed: the broker has taken the log directory offline, and does not run.
    StartFailed {
        /// What it failed with.
        error: Box<LogError>,
    },
    /// The broker does not run any more.
    Stopped {
        /// Whether it had time to save its marks.
        checkpointed: bool,
    },
    /// The log start offset moved.
    LogStart {
        /// Before.
        from: Offset,
        /// After.
        to: Offset,
    },
    /// The high watermark moved.
    HighWatermark {
        /// Before.
        from: Offset,
        /// After.
        to: Offset,
    },
    /// A reader asked where the high watermark is in the files. Set within a batch, it moves to the start of it; set in a
    /// gap, to the next batch (Kafka: `UnifiedLog.fetchHighWatermarkMetadata`).
    HighWatermarkFound {
        /// Before.
        from: Offset,
        /// After.
        to: Offset,
        /// Where that is.
        place: Place,
    },
    /// The high watermark follows the log end from now on, or no longer.
    HighWatermarkFollows(bool),
    /// The log end offset moved.
    LogEnd {
        /// Before.
        from: Offset,
        /// After.
        to: Offset,
    },
    /// When the next periodic retention check runs.
    NextCheck {
        /// The time.
        at: TimestampMs,
    },
}

impl fmt::Display for MemoryChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MemoryChange::ClockMoved { from, to } => write!(f, "clock {from} to {to}"),
            MemoryChange::SettingChanged { key, from, to } => {
                let spec = crate::config::Spec::find(key);
                let show = |value: i64| spec.map_or_else(|| value.to_string(), |spec| spec.show(value));
                write!(f, "{key} {} to {}", show(*from), show(*to))
            }
            MemoryChange::SegmentOpened { base, created, .. } => write!(f, "segment {base} in the log since {created}"),
            MemoryChange::SegmentDeleted { base, gone_at } => {
                write!(f, "segment {base} out of the log, files go at {gone_at}")
            }
            MemoryChange::SegmentForgotten { base, .. } => write!(f, "segment {base} forgotten"),
            MemoryChange::IndexEntries { base, kind, from, to } => {
                write!(f, "{base}{} {from} to {to} entries", kind.extension())
            }
            MemoryChange::BytesSinceLastIndexEntry { base, from, to } => {
                write!(f, "segment {base}: {from} to {to} B since the last entry")
            }
            MemoryChange::RollTimestamp { base, timestamp } => {
                write!(f, "segment {base}: time of its first batch {timestamp}")
            }
            MemoryChange::LargestTimestamp {
                base,
                to: (timestamp, offset),
            } => {
                write!(f, "segment {base}: largest timestamp {timestamp} at offset {offset}")
            }
            MemoryChange::LargestRead { base, to } => {
                let timestamp = Maybe(to.map(|(timestamp, _)| timestamp));
                write!(f, "segment {base}: largest timestamp {timestamp}, from its time index")
            }
            MemoryChange::LargestForgotten { base } => write!(f, "segment {base}: largest timestamp not known"),
            MemoryChange::SegmentEmptied { base, created } => write!(f, "segment {base} empty since {created}"),
            MemoryChange::SegmentDropped { base } => write!(f, "segment {base} out of memory"),
            MemoryChange::RecoveryPoint { from, to } => write!(f, "recovery point {from} to {to}"),
            MemoryChange::Producers(change) => change.fmt(f),
            MemoryChange::ProducersLookedAt { at } => write!(f, "silent producers looked for at {at}"),
            MemoryChange::SnapshotDeleted { offset, gone_at } => {
                write!(f, "producer snapshot {offset} goes at {gone_at}")
            }
            MemoryChange::SnapshotForgotten { offset, .. } => write!(f, "producer snapshot {offset} forgotten"),
            MemoryChange::LeaderEpoch { from, to } => write!(f, "leader epoch {from} to {to}"),
            MemoryChange::LeaderEpochs { to } => {
                f.write_str("leader epochs")?;
                for entry in to.entries() {
                    write!(f, " {} from {},", entry.epoch, entry.start)?;
                }
                write!(f, " {} in all", to.entries().len())
            }
            MemoryChange::EntriesPerBatch(true) => f.write_str("index entries are decided batch by batch"),
            MemoryChange::EntriesPerBatch(false) => f.write_str("index entries are decided once an append"),
            MemoryChange::LoadBegun {
                recovery_point,
                log_start,
                high_watermark,
            } => write!(
                f,
                "the broker starts, with recovery point {recovery_point}, log start offset {log_start}, high watermark {high_watermark}"
            ),
            MemoryChange::Started { at } => write!(f, "the broker runs since {at}"),
            MemoryChange::StartFailed { .. } => f.write_str("the log directory is offline"),
            MemoryChange::Stopped { checkpointed: true } => f.write_str("the broker has stopped, its marks saved"),
            MemoryChange::Stopped { checkpointed: false } => f.write_str("the broker is gone"),
            MemoryChange::LogStart { from, to } => write!(f, "log start offset {from} to {to}"),
            MemoryChange::HighWatermark { from, to } => write!(f, "high watermark {from} to {to}"),
            MemoryChange::HighWatermarkFound { from, to, place } => {
                let Place { base, position } = place;
                write!(
                    f,
                    "high watermark {from} found: offset {to}, byte {position} of segment {base}"
                )
            }
            MemoryChange::HighWatermarkFollows(true) => f.write_str("high watermark follows the log end"),
            MemoryChange::HighWatermarkFollows(false) => f.write_str("high watermark pinned"),
            MemoryChange::LogEnd { from, to } => write!(f, "log end offset {from} to {to}"),
            MemoryChange::NextCheck { at } => write!(f, "next retention check at {at}"),
        }
    }
}
