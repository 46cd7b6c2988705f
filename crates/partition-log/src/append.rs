//! Appends: what arrives is checked, gets its offsets, its place and its index entries (Kafka: `UnifiedLog.append`,
//! `LogSegment.append`).

use crate::batch::{self, NewBatch, RawHeader};
use crate::epoch::LeaderEpochs;
use crate::error::LogError;
use crate::index::OffsetEntry;
use crate::partition::Partition;
use crate::recorder::{Recorder, relative};
use crate::rules::append;
use crate::rules::index_entry::{IndexEntryDecision, TimeEntryReason};
use crate::rules::roll::{RollDecision, RollParams};
use crate::state::log;
use crate::step::{MemoryChange, Step, Trace};
use crate::units::{Offset, Position, TimestampMs};
use crate::validate::AppendOrigin;
use crate::vfs::{FileKind, Vfs};

/// What an append did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appended {
    /// Base offset of the segment.
    pub segment: Offset,
    /// First offset.
    pub first_offset: Offset,
    /// Last offset.
    pub last_offset: Offset,
    /// Where the first batch starts in the `.log`.
    pub position: Position,
    /// Size of all batches in bytes; 0 for a duplicate, of which nothing is written again.
    pub size: u64,
    /// Their bytes, as they are in the log.
    pub bytes: Vec<u8>,
}

/// Batches that have passed every check but those of the segment and the producers.
pub(crate) struct Arrival {
    /// One batch or several, back to back, as they will be in the log.
    pub(crate) bytes: Vec<u8>,
    /// First offset; `None` for format v0 and v1, whose first batch tells only its last.
    pub(crate) first_offset: Option<Offset>,
    /// Last offset of the last batch.
    pub(crate) last_offset: Offset,
    /// Largest timestamp.
    pub(crate) largest: Option<TimestampMs>,
    /// Where it came from.
    pub(crate) origin: AppendOrigin,
    /// `transaction.version` of the markers in it, where a coordinator sends them.
    pub(crate) transaction_version: Option<i16>,
}

impl Partition {
    /// Appends a batch at the log end, after the roll check (Kafka: `UnifiedLog.appendAsLeader`). A message of format v1
    /// is written as it is, as by a broker before 0.11.
    ///
    /// # Errors
    ///
    /// [`LogError::TooSmallForFormat`] and its like for a batch that cannot be built; [`LogError::RecordTooLarge`],
    /// [`LogError::InvalidTimestamp`], [`LogError::RecordBatchTooLarge`]: nothing was written.
    pub fn append(&mut self, batch: &NewBatch) -> Trace<Result<Appended, LogError>> {
        self.serve(|recorder| recorder.append(batch))
    }
}

impl Recorder<'_> {
    fn append(&mut self, batch: &NewBatch) -> Result<Appended, LogError> {
        let now = self.state.clock;
        let append_time = self.state.settings.log_append_time().then_some(now);
        let first = self.state.log_end;
        let count = i64::from(batch.records()).max(1);
        let last = first.checked_add(count - 1).ok_or(LogError::NumberTooLarge {
            what: "the last offset",
        })?;
        last.checked_add(1).ok_or(LogError::NumberTooLarge {
            what: "the log end offset",
        })?;
        append::check(&self.state.settings, batch.size(), &[batch.timestamp()], now)?;
        let mut bytes = batch.encode(first, append_time)?;
        if let NewBatch::Batch { .. } = batch {
            batch::set_leader_epoch(&mut bytes, self.state.leader_epoch);
        }
        let largest = append_time.or(batch.timestamp());
        self.accept(Arrival {
            bytes,
            first_offset: Some(first),
            last_offset: last,
            largest,
            origin: match batch {
                NewBatch::Message { .. } => AppendOrigin::Replication,
                NewBatch::Batch { .. } => AppendOrigin::Client,
            },
            transaction_version: None,
        })
    }

    /// From the leader epochs on: the roll check, the producers, the segment (Kafka: the second half of
    /// `UnifiedLog.append`).
    pub(crate) fn accept(&mut self, arrival: Arrival) -> Result<Appended, LogError> {
        self.assign_epochs(&arrival.bytes)?;
        let size = arrival.bytes.len() as u64;
        let segment_bytes = self.state.settings.segment_bytes as u64;
        if size > segment_bytes {
            return Err(LogError::RecordBatchTooLarge { size, segment_bytes });
        }
        self.roll_if_due(&arrival)?;
        let base = self.active()?.base;
        let position = Position::new(self.state.segment_size(base)).ok_or(LogError::NumberTooLarge {
            what: "the position in the .log",
        })?;
        let first = arrival.first_offset.unwrap_or(arrival.last_offset);
        let planned = self.plan_producers(&arrival, base, position)?;
        if let Some(duplicate) = planned.duplicate {
            self.note(Step::DuplicateFound {
                first_offset: duplicate.first_offset(),
                last_offset: duplicate.last_offset,
            });
            return Ok(Appended {
                segment: base,
                first_offset: Offset::new(duplicate.first_offset()).unwrap_or(first),
                last_offset: Offset::new(duplicate.last_offset).unwrap_or(first),
                position,
                size: 0,
                bytes: Vec::new(),
            });
        }
        self.append_to_segment(base, position, &arrival)?;
        let end = arrival.last_offset.next();
        self.move_log_end(end);
        if self.state.high_watermark >= end {
            self.move_high_watermark(end);
        }
        self.take_over(planned, base)?;
        self.follow_with_high_watermark();
        Ok(Appended {
            segment: base,
            first_offset: first,
            last_offset: arrival.last_offset,
            position,
            size,
            bytes: arrival.bytes,
        })
    }

    /// The leader epoch of each batch begins at its first offset, unless it is known; a message without epochs ends them
    /// all (Kafka: `UnifiedLog.append`).
    fn assign_epochs(&mut self, bytes: &[u8]) -> Result<(), LogError> {
        for header in headers(bytes) {
            if header.magic >= 2 {
                let start = Offset::new(header.base_offset).unwrap_or_default();
                self.assign_epoch(header.leader_epoch, start)?;
            } else if self.state.leader_epochs.latest().is_some() {
                self.keep_epochs(LeaderEpochs::default())?;
            }
        }
        Ok(())
    }

    /// The roll check before an append (Kafka: `UnifiedLog.maybeRoll`).
    fn roll_if_due(&mut self, arrival: &Arrival) -> Result<(), LogError> {
        let active = self.active()?;
        let settings = &self.state.settings;
        let decision = RollDecision::evaluate(&RollParams {
            base: active.base,
            size: self.state.segment_size(active.base),
            append_size: arrival.bytes.len() as u64,
            append_timestamp: arrival.largest,
            append_last_offset: arrival.last_offset,
            first_timestamp: active.first_timestamp,
            created: active.created,
            now: self.state.clock,
            segment_bytes: settings.segment_bytes as u64,
            segment_ms: settings.segment_ms,
            jitter_ms: active.jitter_ms,
            offset_index: self.fill(&active, FileKind::Index),
            time_index: self.fill(&active, FileKind::TimeIndex),
        });
        let cause = decision.cause();
        let looks_at_index = decision.reached_indexes();
        let looks_at_time_index = looks_at_index && !decision.offset_index_full();
        self.note(Step::RollDecided(decision));
        if looks_at_index {
            self.open_index(active.base, FileKind::Index)?;
        }
        if looks_at_time_index {
            self.open_index(active.base, FileKind::TimeIndex)?;
        }
        let Some(cause) = cause else { return Ok(()) };
        // Formats before v2 tell only their last offset: the base is as low as 31 bits allow.
        let lowest = arrival.last_offset.get().saturating_sub(i64::from(i32::MAX)).max(0);
        let next = arrival.first_offset.or(Offset::new(lowest)).unwrap_or_default();
        self.roll(next, cause)
    }

    /// Writes batches and their index entries (Kafka: `LogSegment.append`).
    fn append_to_segment(&mut self, base: Offset, position: Position, arrival: &Arrival) -> Result<(), LogError> {
        if arrival.last_offset.relative_to(base).is_none() {
            self.open_index(base, FileKind::Index)?;
            return Err(LogError::SegmentOffsetOverflow {
                base,
                offset: arrival.last_offset,
            });
        }
        let mut at = position;
        for header in headers(&arrival.bytes) {
            let last_offset = Offset::new(header.last_offset()).unwrap_or_default();
            self.note(Step::Appended {
                base,
                first_offset: Offset::new(header.base_offset).unwrap_or_default(),
                last_offset,
                position: at,
                size: header.size,
                timestamp: TimestampMs::new(header.max_timestamp),
            });
            at = at.checked_add(header.size).unwrap_or(at);
        }
        // Whether the offset fits 31 bits is asked of the offset index, which opens it: Kafka 4.4.0 does so on every
        // append, so a new segment gets its `.index` here, before its first byte.
        self.open_index(base, FileKind::Index)?;
        let now = self.state.clock;
        self.file(|files| files.append(log(base), &arrival.bytes, now))?;
        if self.state.entries_per_batch {
            let mut at = position;
            for header in headers(&arrival.bytes) {
                self.index_batch(base, &Indexed::batch(at, &header))?;
                at = at.checked_add(header.size).unwrap_or(at);
            }
            Ok(())
        } else {
            self.index_batch(base, &Indexed::append(position, arrival))
        }
    }

    /// What a batch changes in the segment's marks and indexes.
    fn index_batch(&mut self, base: Offset, new: &Indexed) -> Result<(), LogError> {
        if new.position == Position::ZERO
            && let Some((timestamp, _)) = new.largest
        {
            self.remember(MemoryChange::RollTimestamp { base, timestamp });
        }
        // Asking for the largest timestamp so far opens the time index.
        self.open_index(base, FileKind::TimeIndex)?;
        let largest = self.largest(base)?;
        if let Some((timestamp, offset)) = new.largest
            && largest.is_none_or(|(so_far, _)| timestamp > so_far)
        {
            self.remember(MemoryChange::LargestTimestamp {
                base,
                to: (timestamp, offset),
            });
        }
        let segment = self.segment(base)?;
        let decision = IndexEntryDecision {
            base,
            counter: segment.counter,
            interval: segment.index_interval_bytes as u64,
            batch_size: new.size,
            last_offset: new.last_offset,
            relative: relative(new.last_offset, base)?,
            position: new.position,
        };
        self.note(Step::IndexEntryDecided(decision));
        if decision.due() {
            let entry = OffsetEntry {
                relative: decision.relative,
                position: new.position,
            };
            self.add_offset_entry(base, entry)?;
            self.offer_time_entry(base, TimeEntryReason::OffsetEntry)?;
        }
        self.remember(MemoryChange::IndexCounter {
            base,
            from: decision.counter,
            to: decision.counter_after(),
        });
        Ok(())
    }
}

/// What the indexes have to know: of one batch, or of a whole append where entries are decided on once an append.
struct Indexed {
    position: Position,
    size: u64,
    last_offset: Offset,
    /// Largest timestamp, and the last offset of the batch that has it first.
    largest: Option<(TimestampMs, Offset)>,
}

impl Indexed {
    fn batch(position: Position, header: &RawHeader) -> Indexed {
        let last_offset = Offset::new(header.last_offset()).unwrap_or_default();
        Indexed {
            position,
            size: header.size,
            last_offset,
            largest: TimestampMs::new(header.max_timestamp).map(|timestamp| (timestamp, last_offset)),
        }
    }

    fn append(position: Position, arrival: &Arrival) -> Indexed {
        let batches = headers(&arrival.bytes).map(|header| Indexed::batch(position, &header));
        let largest = batches.filter_map(|batch| batch.largest);
        let largest = largest.reduce(|first, later| if later.0 > first.0 { later } else { first });
        Indexed {
            position,
            size: arrival.bytes.len() as u64,
            last_offset: arrival.last_offset,
            largest,
        }
    }
}

/// The headers of batches that were checked.
pub(crate) fn headers(bytes: &[u8]) -> impl Iterator<Item = RawHeader> + '_ {
    batch::raw_batches(bytes, 0)
        .map_while(Result::ok)
        .map(|batch| batch.header)
}
