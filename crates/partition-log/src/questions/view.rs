//! The partition as a reader sees it: every file decoded, every number that a rule looks at.

use crate::config::Settings;
use crate::disk::{FileKind, FileName, Vfs};
use crate::format::batch::{self, Codec, CorruptReason};
use crate::format::index;
use crate::questions::segments::LogSegment;
use crate::questions::verdict::Verdict;
use crate::state::{ConsumerState, PartitionState};
use crate::units::{Offset, Position, RelativeOffset, TimestampMs};

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
    /// The committed offset of a group that reads it, if one is shown and has one.
    pub committed: Option<Offset>,
    /// The offset that a consumer reads next, if one is shown and has one.
    pub consumer: Option<Offset>,
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
    pub bytes_since_last_index_entry: u64,
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
    /// The leader's epoch; `None` in formats 0 and 1.
    pub leader_epoch: Option<i32>,
    /// Who wrote it; `None` without an idempotent producer.
    pub producer: Option<BatchProducer>,
    /// Whether its records belong to a transaction.
    pub transactional: bool,
    /// Whether it is a control batch.
    pub control: bool,
    /// What its records are compressed with.
    pub codec: Codec,
    /// How many records its header tells of; `None` in formats 0 and 1.
    pub count: Option<i32>,
    /// Its records; none where they are [`unreadable`](BatchView::unreadable).
    pub records: Vec<RecordView>,
    /// Why its records cannot be read, if they cannot: damage, or [`CorruptReason::Compressed`] where the feature
    /// `compression` is off.
    pub unreadable: Option<CorruptReason>,
}

/// What a batch tells of its producer. The numbers are as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchProducer {
    /// Its id, from 0.
    pub id: i64,
    /// Its epoch.
    pub epoch: i16,
    /// Sequence number of the first record, −1 for none.
    pub base_sequence: i32,
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

impl PartitionView {
    /// The same with a consumer in front of it.
    pub fn with_consumer(self, consumer: &ConsumerState) -> PartitionView {
        PartitionView {
            committed: consumer.committed(),
            consumer: consumer.position().offset(),
            ..self
        }
    }
}

impl PartitionState {
    /// The partition with every file decoded.
    pub fn view(&self) -> PartitionView {
        let live = self.log_segments().zip(self.verdicts());
        PartitionView {
            clock: self.clock(),
            next_check: self.next_check(),
            settings: self.settings().clone(),
            segments: live
                .map(|(segment, verdict)| self.segment_view(segment, verdict))
                .collect(),
            deleted: self
                .deleted_segments()
                .filter_map(|segment| {
                    let gone_at = segment.gone_at()?;
                    Some(self.segment_view(segment, Verdict::Deleted { gone_at }))
                })
                .collect(),
            log_start: self.log_start(),
            high_watermark: self.high_watermark(),
            high_watermark_follows: self.high_watermark_follows(),
            log_end: self.log_end(),
            committed: None,
            consumer: None,
            log_size: self.log_size(),
            deleted_size: self.deleted_size(),
        }
    }

    fn segment_view(&self, seen: LogSegment<'_>, verdict: Verdict) -> SegmentView {
        let segment = seen.segment;
        let last_indexed = seen.offset_entries().last().map(|entry| entry.relative);
        SegmentView {
            base: seen.base(),
            active: seen.is_active(),
            end: seen.end(),
            size: seen.size(),
            batches: batch::batches(seen.bytes(FileKind::Log), Position::ZERO)
                .map(batch_view)
                .collect(),
            offset_index: self.index_view(
                seen.file(FileKind::Index),
                seen.offset_entries().map(|entry| IndexEntry {
                    key: i64::from(entry.relative.get()),
                    to: entry.position,
                    closing: false,
                }),
            ),
            time_index: self.index_view(
                seen.file(FileKind::TimeIndex),
                seen.time_entries().map(|entry| IndexEntry {
                    key: entry.timestamp.get(),
                    to: entry.relative,
                    // An entry that came with an offset entry never leads past it.
                    closing: last_indexed.is_none_or(|last: RelativeOffset| entry.relative > last),
                }),
            ),
            bytes_since_last_index_entry: segment.bytes_since_last_index_entry,
            interval: segment.index_interval_bytes as u64,
            first_timestamp: seen.first_timestamp(),
            largest_timestamp: seen.largest_timestamp(),
            created: seen.created(),
            verdict,
        }
    }

    fn index_view<To>(&self, file: FileName, entries: impl Iterator<Item = IndexEntry<To>>) -> IndexView<To> {
        let apparent = self.files().apparent_size(file);
        IndexView {
            created: apparent.is_some(),
            // Of an index that is not made yet.
            apparent: apparent.unwrap_or(0),
            used: self.files().used_size(file).unwrap_or(0),
            capacity: index::capacity(file.kind, apparent.unwrap_or(0)),
            entries: entries.collect(),
        }
    }
}

fn batch_view((position, header, batch): (Position, batch::BatchHeader, batch::FileBatch<'_>)) -> BatchView {
    let raw = &batch.header;
    let (records, unreadable) = match batch::read_records(&batch.bytes()) {
        Ok(records) => (records, None),
        Err(reason) => (Vec::new(), Some(reason)),
    };
    BatchView {
        first_offset: header.first_offset,
        last_offset: header.last_offset,
        position,
        size: header.size,
        magic: header.magic,
        timestamp: header.timestamp,
        leader_epoch: (raw.magic >= 2).then_some(raw.leader_epoch),
        producer: raw.has_producer_id().then_some(BatchProducer {
            id: raw.producer_id,
            epoch: raw.producer_epoch,
            base_sequence: raw.base_sequence,
        }),
        transactional: header.transactional,
        control: header.control,
        codec: header.codec,
        count: raw.count,
        unreadable,
        records: records
            .into_iter()
            .map(|record| RecordView {
                offset: record.offset,
                timestamp: record.timestamp,
                position: position
                    .checked_add(record.start as u64)
                    .expect("a record lies in the file of its batch"),
                size: record.size as u64,
                key: record.key,
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Partition;
    use crate::format::batch::{NewBatch, NewProducer};
    use crate::operations::load::{Damage, StartOptions};

    #[test]
    fn a_batch_shows_what_its_header_tells_and_why_its_records_cannot_be_read() {
        let mut partition = Partition::create(Settings::default(), 0).expect("sound settings");
        let producer = NewProducer {
            id: 7,
            epoch: 1,
            sequence: 0,
            transactional: true,
        };
        let new = NewBatch::Batch {
            records: 2,
            size: 200,
            timestamp: None,
            key: None,
            headers: 0,
            producer: Some(producer),
        };
        partition.append(&new).expect("a batch");
        partition.stop().expect("a stop");
        partition.start(StartOptions::default()).expect("a start");
        let seen = |partition: &Partition| partition.state().view().segments[0].batches[0].clone();
        let sound = seen(&partition);
        let told = sound.producer.expect("a producer");
        assert_eq!((told.id, told.epoch, told.base_sequence), (7, 1, 0));
        assert_eq!(
            (sound.transactional, sound.control, sound.codec),
            (true, false, Codec::None)
        );
        assert_eq!((sound.count, sound.records.len(), sound.unreadable), (Some(2), 2, None));
        // The last byte of a record: a start after a clean shutdown does not look at it.
        partition.stop().expect("a stop");
        let file = FileName::live(Offset::ZERO, FileKind::Log);
        partition.damage(file, &Damage::Flip { position: 199 }).expect("a byte");
        partition.start(StartOptions::default()).expect("a start");
        let damaged = seen(&partition);
        assert!(matches!(damaged.unreadable, Some(CorruptReason::Crc { .. })));
        assert_eq!((damaged.count, damaged.records.len()), (Some(2), 0));
    }
}
