//! Reading by timestamp, and the marks that a lookup can ask for (Kafka: `UnifiedLog.fetchOffsetByTimestamp`).

use crate::error::LogError;
use crate::format::batch::{self, Depth, RECORD_SIZE_MAX, RecordFault};
use crate::operations::batch_lookup::corrupt;
use crate::operations::partition::{Partition, ReadOutcome};
use crate::operations::read::Scanned;
use crate::operations::recorder::Recorder;
use crate::rules::fetch::Isolation;
use crate::rules::search::reaches_time;
use crate::state::log;
use crate::step::{Mark, ScanTarget, Step};
use crate::units::{Offset, Position, TimestampMs};

/// Where a batch of any format tells its format.
const MAGIC: usize = 16;

/// Offset and timestamp of a record.
type FoundRecord = (Offset, Option<TimestampMs>);

/// The batch that a search ended at, and the offset and the timestamp of the record in it.
type Found = (Scanned, Offset, Option<TimestampMs>);

impl Partition {
    /// The first record whose timestamp is not below `target`, in the first segment whose largest timestamp is not.
    ///
    /// # Errors
    ///
    /// [`LogError::IndexTooSmall`], if an index has to be made and has no room.
    pub fn find_time(&mut self, target: TimestampMs) -> Result<ReadOutcome, LogError> {
        self.find_time_with(target, Isolation::HighWatermark)
    }

    /// The same for any reader: a record that it may not read yet is no answer.
    ///
    /// # Errors
    ///
    /// As [`Partition::find_time`].
    pub fn find_time_with(&mut self, target: TimestampMs, isolation: Isolation) -> Result<ReadOutcome, LogError> {
        self.serve(|recorder| recorder.find_time(target, isolation))
    }

    /// The log start offset (Kafka: `EARLIEST_TIMESTAMP`, −2; without tiered storage also `EARLIEST_LOCAL_TIMESTAMP`, −4).
    ///
    /// # Errors
    ///
    /// [`LogError::NotRunning`].
    pub fn find_earliest(&mut self) -> Result<ReadOutcome, LogError> {
        self.serve(|recorder| {
            let log_start = recorder.state().log_start();
            let earliest = recorder.state().leader_epochs().earliest();
            let epoch = earliest
                .filter(|entry| entry.start <= log_start)
                .map(|entry| entry.epoch);
            Ok(recorder.answer(Mark::LogStart, log_start, epoch))
        })
    }

    /// The high watermark: the end, for a consumer of all records.
    ///
    /// # Errors
    ///
    /// [`LogError::NotRunning`].
    pub fn find_latest(&mut self) -> Result<ReadOutcome, LogError> {
        self.find_latest_with(Isolation::HighWatermark)
    }

    /// The end, for a reader: the log end offset, the high watermark, or the last stable offset (Kafka: `LATEST_TIMESTAMP`, −1, as
    /// `Partition.fetchOffsetForTimestamp` answers it).
    ///
    /// # Errors
    ///
    /// [`LogError::NotRunning`].
    pub fn find_latest_with(&mut self, isolation: Isolation) -> Result<ReadOutcome, LogError> {
        self.serve(|recorder| {
            let state = recorder.state();
            let (mark, offset) = match isolation {
                Isolation::LogEnd => (Mark::LogEnd, state.log_end()),
                Isolation::HighWatermark => (Mark::HighWatermark, state.high_watermark()),
                Isolation::TxnCommitted => (Mark::LastStable, state.last_stable()),
            };
            let epoch = state.leader_epochs().latest().map(|entry| entry.epoch);
            Ok(recorder.answer(mark, offset, epoch))
        })
    }

    /// The highest offset in tiered storage, or the lowest that waits to get there: none of either, for this model has no
    /// tiered storage (Kafka: `LATEST_TIERED_TIMESTAMP`, −5, `EARLIEST_PENDING_UPLOAD_TIMESTAMP`, −6).
    ///
    /// # Errors
    ///
    /// [`LogError::NotRunning`].
    pub fn find_tiered(&mut self) -> Result<ReadOutcome, LogError> {
        self.serve(|recorder| {
            recorder.note(Step::NoTieredStorage);
            Ok(ReadOutcome::default())
        })
    }

    /// The first record that has the largest timestamp of the partition (Kafka: `MAX_TIMESTAMP`, −3).
    ///
    /// # Errors
    ///
    /// [`LogError::IndexTooSmall`], if an index has to be made and has no room.
    pub fn find_max_timestamp(&mut self) -> Result<ReadOutcome, LogError> {
        self.serve(|recorder| recorder.find_max_timestamp(Isolation::HighWatermark))
    }
}

impl Recorder<'_> {
    fn answer(&mut self, mark: Mark, offset: Offset, epoch: Option<i32>) -> ReadOutcome {
        self.note(Step::OffsetAnswered { mark, offset });
        ReadOutcome {
            answer: Some(offset),
            epoch,
            ..ReadOutcome::default()
        }
    }

    pub(crate) fn find_time(&mut self, target: TimestampMs, isolation: Isolation) -> Result<ReadOutcome, LogError> {
        self.note(Step::TimeSearchStarted { target });
        for base in self.state().bases().collect::<Vec<Offset>>() {
            self.largest(base)?;
            let largest = self.state().largest_or_file_time(self.segment(base)?);
            let searched = reaches_time(largest, target).holds;
            self.note(Step::TimeSegmentProbed {
                base,
                largest,
                target,
                searched,
            });
            if searched {
                return self.find_time_in(base, target, isolation);
            }
        }
        self.note(Step::TimeSearchAnswered {
            target: Some(target),
            found: None,
            withheld: false,
        });
        Ok(ReadOutcome::default())
    }

    /// Searches one segment; if it has no such record the answer is none, later segments are not tried
    /// (Kafka: `LogSegment.findOffsetByTimestamp`).
    fn find_time_in(
        &mut self,
        base: Offset,
        target: TimestampMs,
        isolation: Isolation,
    ) -> Result<ReadOutcome, LogError> {
        let log_start = self.state().log_start();
        let start = self.look_up_time(base, target)?;
        let position = self.start_for_time(base, start.max(log_start))?;
        let first_match = |bytes: &[u8]| first_record(bytes, |timestamp| timestamp >= target.get(), log_start);
        // Records that cannot be read end the scan as well.
        let scanned = self.scan(base, position, ScanTarget::Timestamp(target), |batch| {
            first_match(&batch.bytes()) != Ok(None)
        })?;
        let found = self.record_in(base, position, scanned, first_match)?;
        Ok(self.answer_time(base, Some(target), isolation, found))
    }

    fn find_max_timestamp(&mut self, isolation: Isolation) -> Result<ReadOutcome, LogError> {
        // Kafka asks every segment for its largest timestamp, which opens the time index of one that knows none, and then
        // searches one segment only: the oldest of those that reach the largest, so the very first if none has any.
        let mut newest: Option<(Offset, Option<TimestampMs>, Offset)> = None;
        for base in self.state().bases().collect::<Vec<Offset>>() {
            let largest = self.largest(base)?;
            let timestamp = largest.map(|(timestamp, _)| timestamp);
            if newest.is_none_or(|(_, so_far, _)| timestamp > so_far) {
                newest = Some((base, timestamp, largest.map_or(base, |(_, offset)| offset)));
            }
        }
        let Some((base, largest, offset)) = newest else {
            return Ok(ReadOutcome::default());
        };
        let position = self.start_for_time(base, offset)?;
        let target = ScanTarget::LargestTimestamp(largest);
        let scanned = self.scan(base, position, target, |_| true)?;
        let stored = largest.map_or(-1, TimestampMs::get);
        // Messages of format v0 have no timestamps, and none is found among them.
        let first_match = |bytes: &[u8]| match bytes.get(MAGIC) {
            Some(0) => Ok(None),
            _ => first_record(bytes, |timestamp| timestamp == stored, Offset::ZERO),
        };
        let found = self.record_in(base, position, scanned, first_match)?;
        Ok(self.answer_time(base, None, isolation, found))
    }

    /// The record of the batch that a scan from `start` on ended at; without one, the bytes that it could not pass.
    fn record_in(
        &self,
        base: Offset,
        start: Position,
        scanned: Option<Scanned>,
        first_match: impl Fn(&[u8]) -> Result<Option<FoundRecord>, RecordFault>,
    ) -> Result<Option<Found>, LogError> {
        let bytes = self.state().log_bytes(base);
        let Some(scanned) = scanned else {
            let mut batches = batch::file_batches(bytes, u64::from(start.get()));
            let bad = batches.find_map(Result::err);
            return bad.map_or(Ok(None), |bad| Err(corrupt(log(base), bad)));
        };
        let position = u64::from(scanned.position.get());
        let batch = bytes.window(position, scanned.header.size);
        let record = first_match(&batch).map_err(|fault| LogError::Records {
            file: log(base),
            position,
            fault,
        })?;
        Ok(record.map(|(offset, timestamp)| (scanned, offset, timestamp)))
    }

    /// The answer of a search, unless consumers may not read it yet (Kafka: `Partition.fetchOffsetForTimestamp`).
    fn answer_time(
        &mut self,
        base: Offset,
        target: Option<TimestampMs>,
        isolation: Isolation,
        found: Option<Found>,
    ) -> ReadOutcome {
        let bound = self.range(Offset::ZERO, isolation).bound();
        let readable = found.as_ref().is_some_and(|(_, offset, _)| *offset < bound);
        let withheld = found.is_some() && !readable;
        let found = found.filter(|_| readable);
        let answer = found.as_ref().map(|(_, offset, timestamp)| (*offset, *timestamp));
        self.note(Step::TimeSearchAnswered {
            target,
            found: answer,
            withheld,
        });
        match found {
            Some((scanned, offset, timestamp)) => ReadOutcome {
                answer: Some(offset),
                timestamp,
                segment: Some(base),
                position: Some(scanned.position),
                skipped: scanned.skipped,
                epoch: (scanned.header.leader_epoch != -1).then_some(scanned.header.leader_epoch),
                ..ReadOutcome::default()
            },
            None => ReadOutcome::default(),
        }
    }
}
/// The first record of a batch with an accepted timestamp that is not below an offset: its offset and its timestamp. The
/// batch's checksum is not looked at (Kafka: `FileRecords.searchForTimestamp`, `RecordBatch.offsetOfMaxTimestamp`).
fn first_record(bytes: &[u8], accept: impl Fn(i64) -> bool, from: Offset) -> Result<Option<FoundRecord>, RecordFault> {
    for record in batch::deep_records(bytes, Depth::Content, RECORD_SIZE_MAX)? {
        let record = record?;
        if let Some(offset) = Offset::new(record.offset).filter(|offset| *offset >= from)
            && accept(record.timestamp)
        {
            return Ok(Some((offset, TimestampMs::stored(record.timestamp))));
        }
    }
    Ok(None)
}
