//! The partition as a reader sees it: every file decoded, every number that a rule looks at.

use crate::config::Settings;
use crate::rules::reset::ResetPolicy;
use crate::units::{Offset, Position, RelativeOffset, TimestampMs};
use crate::verdict::Verdict;

/// One moment of the partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionView {
    /// The broker's clock.
    pub clock: TimestampMs,
    /// When the next periodic retention check runs.
    pub next_check: TimestampMs,
    /// The settings in force.
    pub settings: Settings,
    /// Live segments, oldest first.
    pub segments: Vec<SegmentView>,
    /// Deleted segments whose files are still there, oldest first.
    pub deleted: Vec<SegmentView>,
    /// First offset that may be read.
    pub log_start: Offset,
    /// First offset that consumers may not read yet.
    pub high_watermark: Offset,
    /// Whether the high watermark follows the log end.
    pub high_watermark_follows: bool,
    /// The next offset to be assigned.
    pub log_end: Offset,
    /// The group's committed offset.
    pub committed: Option<Offset>,
    /// The offset that the consumer reads next.
    pub consumer: Option<Offset>,
    /// The consumer's reset policy.
    pub reset_policy: ResetPolicy,
    /// Bytes in the live `.log` files.
    pub log_size: u64,
    /// Bytes in the `.log.deleted` files.
    pub deleted_size: u64,
}

/// One segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentView {
    /// Base offset: the name of its files.
    pub base: Offset,
    /// Whether appends go to it.
    pub active: bool,
    /// Next base offset; for the last segment the log end offset.
    pub end: Offset,
    /// Bytes in its `.log`.
    pub size: u64,
    /// What is in its `.log`, in order.
    pub batches: Vec<BatchView>,
    /// Its `.index`.
    pub offset_index: IndexView<Position>,
    /// Its `.timeindex`.
    pub time_index: IndexView<RelativeOffset>,
    /// Bytes appended since the last index entry.
    pub counter: u64,
    /// `index.interval.bytes` of this segment.
    pub interval: u64,
    /// Largest timestamp of the first batch, which rolling by time counts from.
    pub first_timestamp: Option<TimestampMs>,
    /// Largest timestamp, which retention by time counts from.
    pub largest_timestamp: Option<TimestampMs>,
    /// When it was opened.
    pub created: TimestampMs,
    /// Why it is still there.
    pub verdict: Verdict,
}

/// One batch; at the page's scale one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchView {
    /// First offset.
    pub first_offset: Offset,
    /// Last offset.
    pub last_offset: Offset,
    /// Where it starts.
    pub position: Position,
    /// Its size in bytes.
    pub size: u64,
    /// Format: 1 or 2.
    pub magic: i8,
    /// Largest timestamp.
    pub timestamp: Option<TimestampMs>,
    /// Its records.
    pub records: Vec<RecordView>,
}

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordView {
    /// Its offset.
    pub offset: Offset,
    /// Its timestamp.
    pub timestamp: Option<TimestampMs>,
    /// First byte, in the `.log`.
    pub position: Position,
    /// Its size in bytes; in format 1 the whole message.
    pub size: u64,
    /// Key, if it has one.
    pub key: Option<Vec<u8>>,
}

/// An index file and its entries. `To` is what an entry leads to: a position, or a relative offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexView<To> {
    /// Whether the file exists: Kafka makes it when it is first needed.
    pub created: bool,
    /// The length that a directory listing shows, in bytes.
    pub apparent: u64,
    /// Bytes of its entries.
    pub used: u64,
    /// Entries that it can hold.
    pub capacity: u32,
    /// Its entries, in order.
    pub entries: Vec<IndexEntry<To>>,
}

/// An entry of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexEntry<To> {
    /// A relative offset in `.index`, a timestamp in ms in `.timeindex`.
    pub key: i64,
    /// What it leads to.
    pub to: To,
    /// Whether it was added when the segment was closed, not beside an offset entry.
    pub closing: bool,
}
