//! Appends: what arrives is checked, gets its offsets, its place and its index entries (Kafka: `UnifiedLog.append`,
//! `LogSegment.append`).

use crate::disk::{FileKind, FileName, Vfs};
use crate::error::LogError;
use crate::format::batch::{self, EndTransaction, NewBatch, RawHeader};
use crate::format::epoch::LeaderEpochs;
use crate::format::index::OffsetEntry;
use crate::operations::batch_lookup::corrupt;
use crate::operations::partition::Partition;
use crate::operations::recorder::{Recorder, relative};
use crate::rules::index_entry::{IndexEntryDecision, TimeEntryReason};
use crate::rules::roll::{RollCause, RollDecision, RollParams};
use crate::rules::validate::{
    AppendOrigin, Incoming, ValidationError, ValidationRules, analyze, check_append_offset, check_timestamps, validate,
};
use crate::state::{MemoryChange, PartitionState, log};
use crate::step::Step;
use crate::units::{Offset, Position, TimestampMs};

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

/// How batches arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AppendOptions {
    /// Where they come from.
    pub origin: AppendOrigin,
    /// `transaction.version` of the markers in them, 0 to 2, where a coordinator sends them.
    pub transaction_version: Option<i16>,
}

/// The end of a transaction, as its coordinator has it written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransactionEnd {
    /// The producer's id.
    pub producer_id: i64,
    /// The producer's epoch; under `transaction.version` 2 one more than that of its records.
    pub producer_epoch: i16,
    /// Whether the transaction is committed; otherwise it is aborted.
    pub commit: bool,
    /// The epoch of the coordinator: a marker of an older one is refused.
    pub coordinator_epoch: i32,
    /// `transaction.version`, 0 to 2.
    pub transaction_version: i16,
}

impl Partition {
    /// Appends a batch at the log end, after the roll check (Kafka: `UnifiedLog.appendAsLeader`). A message of format v1
    /// is written as it is, as by a broker before 0.11.
    ///
    /// # Errors
    ///
    /// [`LogError::Encode`] for a batch that cannot be built; else those of
    /// [`Partition::append_records`]. Nothing was written.
    pub fn append(&mut self, batch: &NewBatch) -> Result<Appended, LogError> {
        self.serve(|recorder| recorder.append(batch))
    }

    /// Appends batches as they arrive, back to back: from a producer with offsets from 0, from a leader with its own. A
    /// batch at the end that is not there in full is left out (Kafka: `UnifiedLog.append`).
    ///
    /// # Errors
    ///
    /// In Kafka's order: [`LogError::Validation`]; after the roll check [`LogError::Producer`]. No record was written; leader epochs
    /// and a new segment may be there already.
    pub fn append_records(&mut self, records: &[u8], options: AppendOptions) -> Result<Appended, LogError> {
        self.serve(|recorder| recorder.append_records(records, options))
    }

    /// Appends batches in one go, as a follower's fetch brings them; they begin at `from`, at the log end if not given.
    ///
    /// # Errors
    ///
    /// As [`Partition::append`], and [`LogError::Validation`] where `from` lies below the log end.
    pub fn replicate(&mut self, batches: &[NewBatch], from: Option<Offset>) -> Result<Appended, LogError> {
        self.serve(|recorder| {
            let records = recorder.state().replicated(batches, from)?;
            recorder.append_records(
                &records,
                AppendOptions {
                    origin: AppendOrigin::Replication,
                    transaction_version: None,
                },
            )
        })
    }

    /// Ends a transaction: its coordinator has a marker written (Kafka: `WriteTxnMarkers`, then `appendAsLeader`).
    ///
    /// # Errors
    ///
    /// [`LogError::Producer`] for a fenced producer or coordinator.
    pub fn end_transaction(&mut self, end: &TransactionEnd) -> Result<Appended, LogError> {
        self.serve(|recorder| {
            let records = end.records(recorder.state().clock());
            recorder.append_records(
                &records,
                AppendOptions {
                    origin: AppendOrigin::Coordinator,
                    transaction_version: Some(end.transaction_version),
                },
            )
        })
    }
}

impl TransactionEnd {
    /// The marker as the coordinator sends it.
    pub fn records(&self, clock: TimestampMs) -> Vec<u8> {
        batch::end_transaction_marker(&EndTransaction {
            base_offset: 0,
            leader_epoch: -1,
            timestamp: clock.get(),
            producer_id: self.producer_id,
            producer_epoch: self.producer_epoch,
            commit: self.commit,
            coordinator_epoch: self.coordinator_epoch,
        })
    }
}

impl PartitionState {
    /// A batch as its sender sends it now: a producer without an offset, a leader that writes format v1 as it stands in the
    /// log.
    ///
    /// # Errors
    ///
    /// [`LogError::Encode`] for a batch that cannot be built.
    pub fn sent(&self, batch: &NewBatch) -> Result<Vec<u8>, LogError> {
        self.sent_from(batch, self.log_end())
    }

    /// A batch as its sender sends it when the log ends at `first`, which the text of its values tells.
    ///
    /// # Errors
    ///
    /// As [`PartitionState::sent`].
    pub fn sent_from(&self, batch: &NewBatch, first: Offset) -> Result<Vec<u8>, LogError> {
        if let NewBatch::Message { .. } = batch {
            return Ok(batch.encode(first, self.append_time())?);
        }
        let mut records = batch.encode(first, None)?;
        batch::set_last_offset(&mut records, i64::from(batch.records()) - 1);
        batch::set_leader_epoch(&mut records, -1);
        Ok(records)
    }

    /// Batches as a leader holds them, the first record at `from` or at the log end, under the present leader epoch.
    ///
    /// # Errors
    ///
    /// As [`PartitionState::sent`].
    pub fn replicated(&self, batches: &[NewBatch], from: Option<Offset>) -> Result<Vec<u8>, LogError> {
        let mut next = from.unwrap_or(self.log_end());
        let mut records = Vec::new();
        for new in batches {
            let start = records.len();
            records.extend(new.encode(next, self.append_time())?);
            if let NewBatch::Batch { .. } = new {
                batch::set_leader_epoch(&mut records[start..], self.leader_epoch());
            }
            let count = i64::from(new.records()).max(1);
            next = next.checked_add(count).ok_or(LogError::NumberTooLarge {
                what: "the last offset",
            })?;
        }
        Ok(records)
    }

    /// The clock, where records take it.
    pub(crate) fn append_time(&self) -> Option<TimestampMs> {
        self.settings().log_append_time().then_some(self.clock())
    }
}

impl Recorder<'_> {
    /// Appends a batch as its sender sends it. A message of format v1 is taken as a follower takes it: today no leader writes
    /// that format, and those that did looked at the timestamps of messages as those of today look at those of records.
    pub(crate) fn append(&mut self, new: &NewBatch) -> Result<Appended, LogError> {
        let (settings, size) = (self.state().settings(), new.size());
        // The first thing that a broker would say, before a batch of any size is made for it.
        let max = settings.max_message_bytes as u64;
        if size > max {
            return Err(ValidationError::RecordTooLarge { size, max }.into());
        }
        let records = self.state().sent(new)?;
        let origin = match new {
            NewBatch::Message { timestamp, .. } => {
                let rules = ValidationRules::of(settings);
                check_timestamps(&rules, *timestamp, new.records(), self.state().clock())?;
                AppendOrigin::Replication
            }
            NewBatch::Batch { .. } => AppendOrigin::Client,
        };
        let options = AppendOptions {
            origin,
            transaction_version: None,
        };
        self.append_records(&records, options)
    }

    /// Everything before the leader epochs: the checks of bytes and records, and the offsets (Kafka: the first half of
    /// `UnifiedLog.append`).
    pub(crate) fn append_records(&mut self, records: &[u8], options: AppendOptions) -> Result<Appended, LogError> {
        let AppendOptions {
            origin,
            transaction_version,
        } = options;
        let settings = self.state().settings();
        let log_end = self.state().log_end();
        let found = analyze(
            records,
            origin,
            self.state().leader_epoch(),
            settings.max_message_bytes as u64,
        )?;
        if let Some(left_out) = found.left_out {
            self.note(Step::BatchesLeftOut(left_out));
        }
        let valid = &records[..found.valid_bytes];
        if valid.is_empty() {
            return self.nothing_appended();
        }
        if origin == AppendOrigin::Replication {
            check_append_offset(&found, records, log_end.get())?;
            return self.accept(Arrival {
                bytes: valid.to_vec(),
                first_offset: found.first_offset.and_then(Offset::new),
                last_offset: within(found.last_offset)?,
                largest: TimestampMs::stored(found.max_timestamp),
                origin,
                transaction_version,
            });
        }
        let incoming = Incoming {
            records: valid,
            codec: found.codec,
            origin,
            first_offset: log_end.get(),
            leader_epoch: self.state().leader_epoch(),
            now: self.state().clock().get(),
        };
        let validated = validate(&incoming, &ValidationRules::of(self.state().settings()))?;
        if validated.next_offset == 0 {
            // A batch without records at the start of a log would end before its start: no leader epoch begins there.
            self.assign_epochs(&validated.bytes)?;
        }
        self.accept(Arrival {
            bytes: validated.bytes,
            first_offset: Some(log_end),
            last_offset: within(validated.next_offset.saturating_sub(1))?,
            largest: TimestampMs::stored(validated.max_timestamp),
            origin,
            transaction_version,
        })
    }

    /// An append without a whole batch changes nothing, not even the active segment.
    fn nothing_appended(&self) -> Result<Appended, LogError> {
        let active = self.active()?.base;
        Ok(Appended {
            segment: active,
            first_offset: self.state().log_end(),
            last_offset: self.state().log_end(),
            position: self.end_of(active)?,
            size: 0,
            bytes: Vec::new(),
        })
    }

    /// Where the next batch of a segment would begin.
    fn end_of(&self, base: Offset) -> Result<Position, LogError> {
        Position::new(self.state().segment_size(base)).ok_or(LogError::NumberTooLarge {
            what: "the position in the .log",
        })
    }

    /// From the leader epochs on: the roll check, the producers, the segment (Kafka: the second half of
    /// `UnifiedLog.append`).
    pub(crate) fn accept(&mut self, arrival: Arrival) -> Result<Appended, LogError> {
        self.assign_epochs(&arrival.bytes)?;
        let size = arrival.bytes.len() as u64;
        let segment_bytes = self.state().settings().segment_bytes as u64;
        if size > segment_bytes {
            return Err(ValidationError::RecordBatchTooLarge { size, segment_bytes }.into());
        }
        self.roll_if_due(&arrival)?;
        let base = self.active()?.base;
        let position = self.end_of(base)?;
        let first = arrival.first_offset.unwrap_or(arrival.last_offset);
        let planned = self.plan_producers(&arrival, base, position)?;
        if let Some(duplicate) = planned.duplicate {
            self.note(Step::DuplicateFound {
                first_offset: duplicate.first_offset(),
                last_offset: duplicate.last_offset,
            });
            return Ok(Appended {
                segment: base,
                first_offset: self.remembered(duplicate.first_offset())?,
                last_offset: self.remembered(duplicate.last_offset)?,
                position,
                size: 0,
                bytes: Vec::new(),
            });
        }
        self.append_to_segment(base, position, &arrival)?;
        let end = arrival.last_offset.next();
        self.move_log_end(end);
        self.high_watermark_with_log_end()?;
        self.take_over(planned, base)?;
        self.follow_with_high_watermark()?;
        Ok(Appended {
            segment: base,
            first_offset: first,
            last_offset: arrival.last_offset,
            position,
            size,
            bytes: arrival.bytes,
        })
    }

    /// An offset that is known of a producer's batch, which may come from a snapshot that says anything.
    fn remembered(&self, offset: i64) -> Result<Offset, LogError> {
        let latest = self.state().producers().snapshots().last().copied();
        Offset::new(offset).ok_or(LogError::NegativeOffset {
            file: FileName::live(latest.unwrap_or(self.state().log_start()), FileKind::Snapshot),
            offset,
        })
    }

    /// The leader epoch of each batch begins at its first offset, unless it is known; a message without epochs ends them
    /// all (Kafka: `UnifiedLog.append`).
    fn assign_epochs(&mut self, bytes: &[u8]) -> Result<(), LogError> {
        for header in headers(bytes) {
            if header.magic >= 2 {
                self.assign_epoch(header.leader_epoch, header.base_offset)?;
            } else if self.state().leader_epochs().latest().is_some() {
                self.keep_epochs(LeaderEpochs::default())?;
            }
        }
        Ok(())
    }

    /// The roll check before an append (Kafka: `UnifiedLog.maybeRoll`).
    fn roll_if_due(&mut self, arrival: &Arrival) -> Result<(), LogError> {
        let base = self.active()?.base;
        if self.active()?.first_timestamp.is_none() && self.state().segment_size(base) > 0 {
            // What a damaged file begins with may have become a batch with the bytes behind it.
            self.read_roll_timestamp(base);
        }
        let active = self.active()?;
        if active.first_timestamp.is_none() {
            self.check_first_batch(active.base)?;
        }
        let settings = self.state().settings();
        let decision = RollDecision::evaluate(&RollParams {
            base: active.base,
            size: self.state().segment_size(active.base),
            append_size: arrival.bytes.len() as u64,
            append_timestamp: arrival.largest,
            append_last_offset: arrival.last_offset,
            first_timestamp: active.first_timestamp,
            created: active.created,
            now: self.state().clock(),
            segment_bytes: settings.segment_bytes as u64,
            segment_ms: settings.segment_ms,
            jitter_ms: active.jitter_ms,
            offset_index: self.fill(&active, FileKind::Index),
            time_index: self.fill(&active, FileKind::TimeIndex),
        });
        let cause = decision.cause();
        let looks_at_index = decision.reached_indexes();
        let looks_at_time_index = looks_at_index && !decision.says(RollCause::OffsetIndexFull);
        self.note(Step::RollDecided(decision));
        if looks_at_index {
            self.open_index(active.base, FileKind::Index)?;
        }
        if looks_at_time_index {
            self.open_index(active.base, FileKind::TimeIndex)?;
        }
        let Some(cause) = cause else { return Ok(()) };
        // Formats before v2 tell only their last offset: the base is as low as 31 bits allow.
        let lowest = (arrival.last_offset.get() - i64::from(i32::MAX)).max(0);
        let lowest = || Offset::new(lowest).expect("the larger of a number and 0 is not below 0");
        let next = arrival.first_offset.unwrap_or_else(lowest);
        self.roll(next, cause)
    }

    /// Asks a segment that has told no time for that of its first batch, which a damaged `.log` may not tell
    /// (Kafka: `LogSegment.loadFirstBatchTimestamp`).
    fn check_first_batch(&self, base: Offset) -> Result<(), LogError> {
        let bytes = self.state().log_bytes(base);
        match batch::file_batches(bytes, 0).next() {
            Some(Err(bad)) => Err(corrupt(log(base), bad)),
            _ => Ok(()),
        }
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
            self.note(Step::Appended {
                base,
                first_offset: checked(header.base_offset),
                last_offset: checked(header.last_offset()),
                position: at,
                size: header.size,
                timestamp: TimestampMs::stored(header.max_timestamp),
            });
            at = behind(at, &header);
        }
        // Whether the offset fits 31 bits is asked of the offset index, which opens it: Kafka 4.4.0 does so on every
        // append, so a new segment gets its `.index` here, before its first byte.
        self.open_index(base, FileKind::Index)?;
        let now = self.state().clock();
        self.file(|files| files.append(log(base), &arrival.bytes, now))?;
        if self.state().entries_per_batch() {
            let mut at = position;
            for header in headers(&arrival.bytes) {
                self.index_batch(base, &Indexed::batch(at, &header))?;
                at = behind(at, &header);
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
            bytes_since_last_index_entry: segment.bytes_since_last_index_entry,
            interval: segment.index_interval_bytes as u64,
            batch_size: new.size,
            last_offset: new.last_offset,
            // Of several batches in one append only the last is sure to lie in the segment.
            relative: new.last_offset.relative_to(base).unwrap_or_default(),
            position: new.position,
        };
        self.note(Step::IndexEntryDecided(decision));
        if decision.due() {
            relative(new.last_offset, base)?;
            let entry = OffsetEntry {
                relative: decision.relative,
                position: new.position,
            };
            self.add_offset_entry(base, entry)?;
            self.offer_time_entry(base, TimeEntryReason::OffsetEntry)?;
        }
        self.remember(MemoryChange::BytesSinceLastIndexEntry {
            base,
            from: decision.bytes_since_last_index_entry,
            to: decision.bytes_after(),
        });
        Ok(())
    }
}

/// An offset behind which there is room for another.
fn within(offset: i64) -> Result<Offset, LogError> {
    let room = Offset::new(offset).filter(|offset| offset.checked_add(1).is_some());
    room.ok_or(LogError::NumberTooLarge {
        what: "the log end offset",
    })
}

/// An offset in a batch that is appended.
fn checked(offset: i64) -> Offset {
    Offset::new(offset).unwrap_or_else(|| panic!("offset {offset} has passed the checks of an append"))
}

/// Where the batch behind this one begins.
fn behind(at: Position, header: &RawHeader) -> Position {
    let behind = at.checked_add(header.size);
    behind.expect("a segment is rolled before it is larger than segment.bytes, which is below 2 GiB")
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
        let last_offset = checked(header.last_offset());
        Indexed {
            position,
            size: header.size,
            last_offset,
            largest: TimestampMs::stored(header.max_timestamp).map(|timestamp| (timestamp, last_offset)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;

    fn message(size: u64, timestamp: Option<i64>) -> NewBatch {
        NewBatch::Message {
            size,
            timestamp: timestamp.and_then(TimestampMs::stored),
            key: None,
        }
    }

    #[test]
    fn a_message_arrives_as_at_a_follower_but_for_the_limits_of_its_timestamp() {
        let settings = Settings {
            message_timestamp_after_max_ms: 60_000,
            ..Settings::default()
        };
        let mut partition = Partition::create(settings, 0).expect("sound settings");
        let mut follower = partition.clone();
        let replica = AppendOptions {
            origin: AppendOrigin::Replication,
            transaction_version: None,
        };
        for new in [message(40, None), message(100, Some(60_000))] {
            let sent = follower.state().sent(&new).expect("large enough");
            assert_eq!(partition.append(&new), follower.append_records(&sent, replica));
            assert_eq!(partition.state(), follower.state());
        }
        let early = message(100, Some(60_001));
        let sent = follower.state().sent(&early).expect("large enough");
        let refused = partition.append(&early).expect_err("1 ms too early");
        assert!(matches!(
            refused,
            LogError::Validation(ValidationError::Rejected { .. })
        ));
        assert_eq!(partition.state(), follower.state());
        follower
            .append_records(&sent, replica)
            .expect("a follower does not ask");
    }

    #[test]
    fn a_batch_that_is_too_large_is_refused_before_it_is_made() {
        let mut partition = Partition::create(Settings::default(), 0).expect("sound settings");
        let refused = partition.append(&message(u64::MAX, None));
        let too_large = |error| matches!(error, LogError::Validation(ValidationError::RecordTooLarge { .. }));
        assert!(refused.is_err_and(too_large));
    }
}
