//! Reading by timestamp, and the marks that a lookup can ask for (Kafka: `UnifiedLog.fetchOffsetByTimestamp`).

use crate::error::LogError;
use crate::format::batch::{self, Depth, RECORD_SIZE_MAX, RecordFault};
use crate::operations::batch_lookup::corrupt;
use crate::operations::partition::{Partition, ReadOutcome};
use crate::operations::read::Scanned;
use crate::operations::reader::Reader;
use crate::rules::fetch::Isolation;
use crate::rules::search::reaches_time;
use crate::state::{PartitionState, log};
use crate::step::{Mark, ScanTarget, Step, Trace};
use crate::units::{Offset, Position, TimestampMs};

/// Where a batch of any format tells its format.
const MAGIC: usize = 16;

/// Offset and timestamp of a record.
type FoundRecord = (Offset, Option<TimestampMs>);

/// The batch that a search ended at, and the offset and the timestamp of the record in it.
type Found = (Scanned, Offset, Option<TimestampMs>);

/// What a lookup by time asks for (Kafka: the `timestamp` of `ListOffsetsRequest`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum TimeTarget {
    /// The first record at or after a time, in the first segment whose largest timestamp is not below it.
    Time(TimestampMs),
    /// The end, for the reader: the log end offset, the high watermark, or the last stable offset (−1).
    Latest,
    /// The log start offset (−2).
    Earliest,
    /// The first record that has the largest timestamp of the partition (−3).
    MaxTimestamp,
    /// The first offset on the broker's disk: without tiered storage the log start offset (−4).
    EarliestLocal,
    /// The highest offset in tiered storage, which this model does not have (−5).
    LatestTiered,
    /// The lowest offset that waits to get to tiered storage: none either (−6).
    EarliestPendingUpload,
}

impl TimeTarget {
    /// Kafka's number for it: milliseconds, or below 0 one of the special ones.
    pub const fn number(self) -> i64 {
        match self {
            TimeTarget::Time(time) => time.get(),
            TimeTarget::Latest => -1,
            TimeTarget::Earliest => -2,
            TimeTarget::MaxTimestamp => -3,
            TimeTarget::EarliestLocal => -4,
            TimeTarget::LatestTiered => -5,
            TimeTarget::EarliestPendingUpload => -6,
        }
    }

    /// The target behind Kafka's number; `None` below −6, where Kafka has none.
    pub const fn from_number(number: i64) -> Option<TimeTarget> {
        Some(match number {
            -1 => TimeTarget::Latest,
            -2 => TimeTarget::Earliest,
            -3 => TimeTarget::MaxTimestamp,
            -4 => TimeTarget::EarliestLocal,
            -5 => TimeTarget::LatestTiered,
            -6 => TimeTarget::EarliestPendingUpload,
            _ => match TimestampMs::new(number) {
                Ok(time) => TimeTarget::Time(time),
                Err(_) => return None,
            },
        })
    }
}

impl From<TimestampMs> for TimeTarget {
    fn from(time: TimestampMs) -> TimeTarget {
        TimeTarget::Time(time)
    }
}

impl PartitionState {
    /// Looks an offset up by time, or one of the log's marks, as a reader of this isolation is answered, with the steps. A
    /// record that the reader may not read yet is no answer (Kafka: `Partition.fetchOffsetForTimestamp`).
    ///
    /// Nothing is changed, as with [`PartitionState::lookup`].
    ///
    /// # Errors
    ///
    /// [`LogError::NotRunning`]; [`LogError::CorruptBatch`] and [`LogError::Records`] where the scan meets what cannot be read;
    /// [`LogError::IndexTooSmall`], if an index has to be made and has no room.
    ///
    /// ```
    /// use partition_log::format::batch::NewBatch;
    /// use partition_log::rules::fetch::Isolation;
    /// use partition_log::{Offset, Partition, TimeTarget, TimestampMs};
    ///
    /// let mut partition = Partition::create(Default::default(), 0)?;
    /// for ms in [1_000, 5_000, 3_000] {
    ///     let message = NewBatch::message(45).at(TimestampMs::new(ms)?);
    ///     partition.append(&message)?;
    /// }
    /// let at = TimestampMs::new(2_000)?;
    /// let found = partition.state().find_time(at.into(), Isolation::HighWatermark)?;
    /// assert_eq!(found.outcome.answer, Offset::new(1));
    /// let newest = partition.state().find_time(TimeTarget::MaxTimestamp, Isolation::HighWatermark)?;
    /// assert_eq!(newest.outcome.timestamp, Some(TimestampMs::new(5_000)?));
    /// # Ok::<(), partition_log::LogError>(())
    /// ```
    pub fn find_time(&self, target: TimeTarget, isolation: Isolation) -> Result<Trace<ReadOutcome>, LogError> {
        self.ask(|reader| reader.list_offset(target, isolation))
    }
}

impl Partition {
    /// The first record whose timestamp is not below `target`, in the first segment whose largest timestamp is not.
    ///
    /// # Errors
    ///
    /// As [`PartitionState::find_time`].
    pub fn find_time(&mut self, target: TimestampMs) -> Result<ReadOutcome, LogError> {
        self.find_time_with(target.into(), Isolation::HighWatermark)
    }

    /// Looks up any target for any reader. Unlike [`PartitionState::find_time`] it leaves open what it had to open.
    ///
    /// # Errors
    ///
    /// As [`PartitionState::find_time`].
    pub fn find_time_with(&mut self, target: TimeTarget, isolation: Isolation) -> Result<ReadOutcome, LogError> {
        self.serve(|recorder| recorder.read(|reader| reader.list_offset(target, isolation)))
    }
}

impl Reader<'_> {
    /// Answers a lookup by time (Kafka: `Partition.fetchOffsetForTimestamp`).
    pub(crate) fn list_offset(&mut self, target: TimeTarget, isolation: Isolation) -> Result<ReadOutcome, LogError> {
        match target {
            TimeTarget::Time(target) => self.find_time(target, isolation),
            TimeTarget::MaxTimestamp => self.find_max_timestamp(isolation),
            TimeTarget::Earliest | TimeTarget::EarliestLocal => {
                let log_start = self.state().log_start();
                let earliest = self.state().leader_epochs().earliest();
                let epoch = earliest
                    .filter(|entry| entry.start <= log_start)
                    .map(|entry| entry.epoch);
                Ok(self.answer(Mark::LogStart, log_start, epoch))
            }
            TimeTarget::Latest => {
                let state = self.state();
                let (mark, offset) = match isolation {
                    Isolation::LogEnd => (Mark::LogEnd, state.log_end()),
                    Isolation::HighWatermark => (Mark::HighWatermark, state.high_watermark()),
                    Isolation::TxnCommitted => (Mark::LastStable, state.last_stable()),
                };
                let epoch = state.leader_epochs().latest().map(|entry| entry.epoch);
                Ok(self.answer(mark, offset, epoch))
            }
            TimeTarget::LatestTiered | TimeTarget::EarliestPendingUpload => {
                self.note(Step::NoTieredStorage);
                Ok(ReadOutcome::default())
            }
        }
    }

    fn answer(&mut self, mark: Mark, offset: Offset, epoch: Option<i32>) -> ReadOutcome {
        self.note(Step::OffsetAnswered { mark, offset });
        ReadOutcome {
            answer: Some(offset),
            epoch,
            ..ReadOutcome::default()
        }
    }

    fn find_time(&mut self, target: TimestampMs, isolation: Isolation) -> Result<ReadOutcome, LogError> {
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
