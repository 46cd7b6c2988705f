//! Everything a partition is at one moment: files, marks, and what the broker and the consumer keep in memory.
//!
//! State changes only by applying recorded writes, live as well as in a replay, so that the two cannot differ.

use crate::batch;
use crate::config::Settings;
use crate::index::{self, OffsetEntry, TimeEntry};
use crate::ordered::OrderedMap;
use crate::rules::reset::ResetPolicy;
use crate::rules::retention::{RetentionAnswer, RetentionDecision, RetentionOperands, RetentionRule};
use crate::segment::Segment;
use crate::step::{MemoryChange, Step};
use crate::units::{Offset, Position, RelativeOffset, TimestampMs};
use crate::verdict::Verdict;
use crate::vfs::{FileKind, FileName, MemoryVfs, Vfs, VfsError};
use crate::view::{BatchView, IndexEntry, IndexView, PartitionView, RecordView, SegmentView};

/// A segment out of the log whose files wait for their removal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeletedSegment {
    pub(crate) segment: Segment,
    pub(crate) end: Offset,
    pub(crate) gone_at: TimestampMs,
}

/// One moment of a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionState {
    pub(crate) clock: TimestampMs,
    pub(crate) settings: Settings,
    pub(crate) files: MemoryVfs,
    pub(crate) segments: OrderedMap<Offset, Segment>,
    pub(crate) deleted: Vec<DeletedSegment>,
    pub(crate) log_start: Offset,
    pub(crate) high_watermark: Offset,
    pub(crate) high_watermark_follows: bool,
    pub(crate) log_end: Offset,
    pub(crate) next_check: TimestampMs,
    pub(crate) committed: Option<Offset>,
    pub(crate) consumer: Option<Offset>,
    pub(crate) reset_policy: ResetPolicy,
}

impl PartitionState {
    /// A partition before its first file.
    pub fn empty(settings: Settings) -> PartitionState {
        PartitionState {
            clock: TimestampMs::ZERO,
            reset_policy: policy_of(&settings),
            settings,
            files: MemoryVfs::default(),
            segments: OrderedMap::default(),
            deleted: Vec::new(),
            log_start: Offset::ZERO,
            high_watermark: Offset::ZERO,
            high_watermark_follows: true,
            log_end: Offset::ZERO,
            next_check: TimestampMs::ZERO,
            committed: None,
            consumer: None,
        }
    }

    /// Repeats a recorded write; probes and decisions change nothing.
    ///
    /// # Errors
    ///
    /// [`VfsError`], when the step was not recorded on this state.
    pub fn apply(&mut self, step: &Step) -> Result<(), VfsError> {
        match step {
            Step::File(change) => self.files.replay(change),
            Step::Memory(change) => {
                self.apply_memory(change);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn apply_memory(&mut self, change: &MemoryChange) {
        match change {
            MemoryChange::ClockMoved { to, .. } => self.clock = *to,
            MemoryChange::SettingChanged { key, to, .. } => {
                self.settings.put(key, *to);
                if *key == "auto.offset.reset" {
                    self.reset_policy = policy_of(&self.settings);
                }
            }
            MemoryChange::SegmentOpened {
                base,
                created,
                jitter_ms,
                index_interval_bytes,
                index_bytes,
            } => {
                self.segments.insert(
                    *base,
                    Segment {
                        base: *base,
                        created: *created,
                        jitter_ms: *jitter_ms,
                        index_interval_bytes: *index_interval_bytes,
                        index_bytes: *index_bytes,
                        counter: 0,
                        first_timestamp: None,
                        largest: None,
                        offset_entries: 0,
                        time_entries: 0,
                    },
                );
            }
            MemoryChange::SegmentDeleted { base, gone_at } => {
                let end = self.segment_end(*base);
                if let Some(segment) = self.segments.remove(*base) {
                    // Files of the same name that still wait are replaced, and the earlier removal takes the new ones.
                    let waiting = self.deleted.iter().filter(|other| other.segment.base == *base);
                    let gone_at = waiting.map(|other| other.gone_at).fold(*gone_at, TimestampMs::min);
                    self.deleted.retain(|other| other.segment.base != *base);
                    self.deleted.push(DeletedSegment { segment, end, gone_at });
                }
            }
            MemoryChange::SegmentForgotten { base, gone_at } => {
                self.deleted
                    .retain(|deleted| (deleted.segment.base, deleted.gone_at) != (*base, *gone_at));
            }
            MemoryChange::IndexEntries { base, kind, to, .. } => {
                if let Some(entries) = self
                    .segments
                    .get_mut(*base)
                    .and_then(|segment| segment.entries_mut(*kind))
                {
                    *entries = *to;
                }
            }
            MemoryChange::IndexCounter { base, to, .. } => self.change_segment(*base, |segment| segment.counter = *to),
            MemoryChange::RollTimestamp { base, timestamp } => {
                self.change_segment(*base, |segment| segment.first_timestamp = Some(*timestamp));
            }
            MemoryChange::LargestTimestamp { base, to } => {
                self.change_segment(*base, |segment| segment.largest = Some(*to));
            }
            MemoryChange::LogStart { to, .. } => self.log_start = *to,
            MemoryChange::HighWatermark { to, .. } => self.high_watermark = *to,
            MemoryChange::HighWatermarkFollows(follows) => self.high_watermark_follows = *follows,
            MemoryChange::LogEnd { to, .. } => self.log_end = *to,
            MemoryChange::NextCheck { at } => self.next_check = *at,
            MemoryChange::Committed { to, .. } => self.committed = *to,
            MemoryChange::Consumer { to, .. } => self.consumer = *to,
            MemoryChange::ResetPolicy { to, .. } => self.reset_policy = *to,
        }
    }

    fn change_segment(&mut self, base: Offset, change: impl FnOnce(&mut Segment)) {
        if let Some(segment) = self.segments.get_mut(base) {
            change(segment);
        }
    }

    /// The files.
    pub fn files(&self) -> &MemoryVfs {
        &self.files
    }

    /// The broker's clock.
    pub fn clock(&self) -> TimestampMs {
        self.clock
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// First offset that may be read.
    pub fn log_start(&self) -> Offset {
        self.log_start
    }

    /// The next offset to be assigned.
    pub fn log_end(&self) -> Offset {
        self.log_end
    }

    /// First offset that consumers may not read yet.
    pub fn high_watermark(&self) -> Offset {
        self.high_watermark
    }

    /// The group's committed offset.
    pub fn committed(&self) -> Option<Offset> {
        self.committed
    }

    /// The offset that the consumer reads next.
    pub fn consumer(&self) -> Option<Offset> {
        self.consumer
    }

    /// Bytes in the live `.log` files.
    pub fn log_size(&self) -> u64 {
        self.segments.keys().map(|base| self.segment_size(base)).sum()
    }

    /// Bytes in the `.log.deleted` files.
    pub fn deleted_size(&self) -> u64 {
        self.deleted
            .iter()
            .filter_map(|deleted| self.files.used_size(log(deleted.segment.base).as_deleted()))
            .sum()
    }

    /// Base offsets of the live segments, oldest first.
    pub fn bases(&self) -> impl Iterator<Item = Offset> + '_ {
        self.segments.keys()
    }

    /// Base offset of the active segment; `None` before the first file.
    pub fn active(&self) -> Option<Offset> {
        self.segments.keys().next_back()
    }

    /// Bytes in a live segment's `.log`.
    pub fn segment_size(&self, base: Offset) -> u64 {
        self.files.used_size(log(base)).unwrap_or(0)
    }

    /// End of a segment: the next base offset, or the log end offset for the last one.
    pub(crate) fn segment_end(&self, base: Offset) -> Offset {
        self.next_base(base).unwrap_or(self.log_end)
    }

    /// The base offset above another one (Kafka: `LogSegments.higherSegment`).
    pub(crate) fn next_base(&self, base: Offset) -> Option<Offset> {
        let above = base.checked_add(1)?;
        self.segments.keys().nth(self.segments.below(above))
    }

    /// The entries of a segment's offset index, whether it is live or waits for its removal.
    pub fn offset_entries(&self, base: Offset) -> Vec<OffsetEntry> {
        let bytes = self.index_bytes(base, FileKind::Index);
        (0..).map_while(|slot| index::offset_entry(bytes, slot)).collect()
    }

    /// The entries of a segment's time index, whether it is live or waits for its removal.
    pub fn time_entries(&self, base: Offset) -> Vec<TimeEntry> {
        let bytes = self.index_bytes(base, FileKind::TimeIndex);
        (0..).map_while(|slot| index::time_entry(bytes, slot)).collect()
    }

    fn index_bytes(&self, base: Offset, kind: FileKind) -> &[u8] {
        self.files.used(self.file(base, kind)).unwrap_or_default()
    }

    /// The file of a segment under the name that it has now.
    pub fn file(&self, base: Offset, kind: FileKind) -> FileName {
        let live = FileName::live(base, kind);
        if self.segments.get(base).is_some() {
            live
        } else {
            live.as_deleted()
        }
    }

    /// One retention rule asked about one segment; `log_size` is what the rule has left so far.
    pub(crate) fn retention_decision(
        &self,
        rule: RetentionRule,
        segment: &Segment,
        log_size: u64,
    ) -> RetentionDecision {
        let next_base = self.next_base(segment.base);
        let segment_size = self.segment_size(segment.base);
        let operands = match rule {
            RetentionRule::LogStart => RetentionOperands::LogStart {
                next_base,
                log_start: self.log_start,
            },
            RetentionRule::Size => RetentionOperands::Size {
                log_size,
                retention_bytes: self.settings.retention_bytes.max(0) as u64,
                segment_size,
            },
            RetentionRule::Time => RetentionOperands::Time {
                now: self.clock,
                largest: self.largest_or_file_time(segment),
                from_file_time: segment.largest.is_none(),
                retention_ms: self.settings.retention_ms,
            },
        };
        RetentionDecision {
            base: segment.base,
            high_watermark: self.high_watermark,
            end: next_base.unwrap_or(self.log_end),
            last: next_base.is_none(),
            segment_size,
            operands,
        }
    }

    /// A segment's largest timestamp; the file's time where no record has one (Kafka: `LogSegment.largestTimestamp`).
    pub(crate) fn largest_or_file_time(&self, segment: &Segment) -> TimestampMs {
        match segment.largest {
            Some((timestamp, _)) => timestamp,
            None => self.files.modified(log(segment.base)).unwrap_or(segment.created),
        }
    }

    /// Whether a rule is switched on and has something to do at all: its setting, and the size for the size rule.
    pub(crate) fn retention_rule_on(&self, rule: RetentionRule) -> bool {
        match rule {
            RetentionRule::LogStart => true,
            RetentionRule::Size => {
                let limit = self.settings.retention_bytes;
                limit >= 0 && self.log_size() >= limit as u64
            }
            RetentionRule::Time => self.settings.retention_ms >= 0,
        }
    }

    /// Why each live segment is still there, oldest first.
    pub fn verdicts(&self) -> Vec<Verdict> {
        let mut verdicts: Vec<Option<Verdict>> = vec![None; self.segments.len()];
        let mut log_size = self.log_size();
        let mut first_left = 0;
        for rule in RetentionRule::ALL {
            if !self.retention_rule_on(rule) {
                continue;
            }
            for (index, segment) in self.segments.values().enumerate().skip(first_left) {
                let decision = self.retention_decision(rule, segment, log_size);
                if decision.answer() != RetentionAnswer::Delete {
                    break;
                }
                verdicts[index] = Some(Verdict::WaitsForCheck {
                    rule,
                    at: self.next_check,
                });
                log_size -= decision.segment_size;
                first_left = index + 1;
            }
        }
        let blocker = self.segments.keys().nth(first_left);
        let settled = self.segments.values().zip(verdicts);
        settled
            .map(|(segment, verdict)| verdict.unwrap_or_else(|| self.reason_to_stay(segment, blocker, log_size)))
            .collect()
    }

    /// The reason of a segment that no check would delete now; `blocker` is the first such segment.
    fn reason_to_stay(&self, segment: &Segment, blocker: Option<Offset>, log_size: u64) -> Verdict {
        let time = self.retention_decision(RetentionRule::Time, segment, log_size);
        let time_on = self.retention_rule_on(RetentionRule::Time);
        let holds = |rule| self.retention_rule_on(rule) && self.retention_decision(rule, segment, log_size).holds();
        if time.last && time.segment_size == 0 {
            return Verdict::EmptyActive;
        }
        if RetentionRule::ALL.into_iter().any(holds) {
            if let Some(older) = blocker.filter(|older| *older < segment.base) {
                return Verdict::BehindSegment { older };
            }
            if time.answer() == RetentionAnswer::AboveHighWatermark {
                return Verdict::AboveHighWatermark {
                    end: time.end,
                    high_watermark: self.high_watermark,
                };
            }
        }
        match time.operands {
            RetentionOperands::Time {
                largest, retention_ms, ..
            } if time_on => {
                let until = largest.checked_add(retention_ms).and_then(|end| end.checked_add(1));
                until.map_or(Verdict::NoLimit, |until| Verdict::TooYoung { until })
            }
            _ => Verdict::NoLimit,
        }
    }

    /// The partition with every file decoded.
    pub fn view(&self) -> PartitionView {
        let active = self.active();
        let live = self.segments.values().zip(self.verdicts());
        PartitionView {
            clock: self.clock,
            next_check: self.next_check,
            settings: self.settings.clone(),
            segments: live
                .map(|(segment, verdict)| {
                    self.segment_view(
                        segment,
                        active == Some(segment.base),
                        self.segment_end(segment.base),
                        verdict,
                    )
                })
                .collect(),
            deleted: self
                .deleted
                .iter()
                .map(|deleted| {
                    let verdict = Verdict::Deleted {
                        gone_at: deleted.gone_at,
                    };
                    self.segment_view(&deleted.segment, false, deleted.end, verdict)
                })
                .collect(),
            log_start: self.log_start,
            high_watermark: self.high_watermark,
            high_watermark_follows: self.high_watermark_follows,
            log_end: self.log_end,
            committed: self.committed,
            consumer: self.consumer,
            reset_policy: self.reset_policy,
            log_size: self.log_size(),
            deleted_size: self.deleted_size(),
        }
    }

    fn segment_view(&self, segment: &Segment, active: bool, end: Offset, verdict: Verdict) -> SegmentView {
        let deleted = matches!(verdict, Verdict::Deleted { .. });
        let name = |kind| FileName {
            base: segment.base,
            kind,
            deleted,
        };
        let bytes = self.files.used(name(FileKind::Log)).unwrap_or_default();
        let offset_bytes = self.files.used(name(FileKind::Index)).unwrap_or_default();
        let offset_entries: Vec<OffsetEntry> = (0..)
            .map_while(|slot| index::offset_entry(offset_bytes, slot))
            .collect();
        let time_bytes = self.files.used(name(FileKind::TimeIndex)).unwrap_or_default();
        let last_indexed = offset_entries.last().map(|entry| entry.relative);
        SegmentView {
            base: segment.base,
            active,
            end,
            size: bytes.len() as u64,
            batches: batch::batches(bytes, Position::ZERO).map(batch_view).collect(),
            offset_index: self.index_view(
                name(FileKind::Index),
                offset_entries.iter().map(|entry| IndexEntry {
                    key: i64::from(entry.relative.get()),
                    to: entry.position,
                    closing: false,
                }),
            ),
            time_index: self.index_view(
                name(FileKind::TimeIndex),
                (0..)
                    .map_while(|slot| index::time_entry(time_bytes, slot))
                    .map(|entry| IndexEntry {
                        key: entry.timestamp.get(),
                        to: entry.relative,
                        // An entry that came with an offset entry never leads past it.
                        closing: last_indexed.is_none_or(|last: RelativeOffset| entry.relative > last),
                    }),
            ),
            counter: segment.counter,
            interval: segment.index_interval_bytes as u64,
            first_timestamp: segment.first_timestamp,
            largest_timestamp: segment.largest.map(|(timestamp, _)| timestamp),
            created: segment.created,
            verdict,
        }
    }

    fn index_view<To>(&self, file: FileName, entries: impl Iterator<Item = IndexEntry<To>>) -> IndexView<To> {
        let apparent = self.files.apparent_size(file);
        IndexView {
            created: apparent.is_some(),
            apparent: apparent.unwrap_or(0),
            used: self.files.used_size(file).unwrap_or(0),
            capacity: index::capacity(file.kind, apparent.unwrap_or(0)),
            entries: entries.collect(),
        }
    }
}

fn batch_view((position, header, bytes): (Position, batch::BatchHeader, &[u8])) -> BatchView {
    let records = batch::read_records(bytes).unwrap_or_default();
    BatchView {
        first_offset: header.first_offset,
        last_offset: header.last_offset,
        position,
        size: header.size,
        magic: header.magic,
        timestamp: header.timestamp,
        records: records
            .into_iter()
            .map(|record| RecordView {
                offset: record.offset,
                timestamp: record.timestamp,
                position: position.checked_add(record.start as u64).unwrap_or(position),
                size: record.size as u64,
                key: record.key,
            })
            .collect(),
    }
}

/// The consumer's policy as its setting says.
fn policy_of(settings: &Settings) -> ResetPolicy {
    match settings.auto_offset_reset {
        1 => ResetPolicy::Earliest,
        2 => ResetPolicy::None,
        _ => ResetPolicy::Latest,
    }
}

/// The live `.log` of a segment.
pub(crate) fn log(base: Offset) -> FileName {
    FileName::live(base, FileKind::Log)
}
