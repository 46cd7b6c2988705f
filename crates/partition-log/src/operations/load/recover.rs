//! One segment read from its first byte to its last, so that its indexes and its producers are known again
//! (Kafka: `LogSegment.recover`, `LogLoader.recoverSegment`).

use crate::disk::{FileKind, FileName, Vfs};
use crate::error::LogError;
use crate::format::batch::{self, CorruptReason, RawHeader};
use crate::format::index::OffsetEntry;
use crate::operations::load::start::Loader;
use crate::operations::producers::{ProducerRebuild, producer_batch};
use crate::operations::recorder::Recorder;
use crate::rules::index_entry::TimeEntryReason;
use crate::rules::producers::ProducerBatch;
use crate::rules::validate::AppendOrigin;
use crate::state::producers::{ProducerAppend, ProducerChange};
use crate::state::{MemoryChange, log};
use crate::step::{LoadStep, RecoveryEnd, Step};
use crate::units::{Offset, Position, TimestampMs};

/// What the next bytes of a `.log` are.
enum Next {
    /// A valid batch.
    Batch(RawHeader, Option<ProducerBatch>),
    /// No valid batch.
    Bad(CorruptReason),
    /// Too few bytes for a batch, or none.
    End,
}

impl Recorder<'_> {
    /// Recovers a segment with a state of the producers of its own, which is forgotten afterwards but for its snapshots;
    /// `bases` are the segments of the log by then. How many bytes were cut.
    pub(super) fn recover_segment(&mut self, loader: &Loader, base: Offset, bases: &[Offset]) -> Result<u64, LogError> {
        let listed = self.state().producers().snapshots().to_vec();
        let present = self.snapshots();
        self.forget_producers(present);
        let outcome = self
            .rebuild_producers_from(&ProducerRebuild {
                bases,
                log_start: loader.log_start,
                last: base,
                clean_start: false,
            })
            .and_then(|()| self.recover(base))
            .and_then(|cut| self.take_snapshot().map(|()| cut));
        self.forget_producers(listed);
        outcome
    }

    fn recover(&mut self, base: Offset) -> Result<u64, LogError> {
        self.reset_indexes(base)?;
        let interval = self.segment(base)?.index_interval_bytes as u64;
        let mut position = 0;
        let mut last_entry = 0;
        let mut largest: Option<(TimestampMs, Offset)> = None;
        let mut map_end = None;
        let end = loop {
            let (header, producer) = match self.next_batch(base, position) {
                Next::Batch(header, producer) => (header, producer),
                Next::Bad(reason) => break Some(RecoveryEnd::Corrupt(reason)),
                Next::End => break None,
            };
            let last = Offset::new(header.last_offset());
            let relative = last.and_then(|last| last.relative_to(base));
            let Some((last, relative)) = last.zip(relative) else {
                // The error tells that a segment is to be split, whatever the offset; one below 0 is refused then.
                let offset = last.unwrap_or_default();
                return Err(LogError::SegmentOffsetOverflow { base, offset });
            };
            if let Some(timestamp) = TimestampMs::stored(header.max_timestamp)
                && largest.is_none_or(|(so_far, _)| timestamp > so_far)
            {
                largest = Some((timestamp, last));
            }
            if position - last_entry > interval {
                self.keep_largest(base, largest);
                let position = Position::new(position).ok_or(LogError::NumberTooLarge {
                    what: "the position in the .log",
                })?;
                self.add_offset_entry(base, OffsetEntry { relative, position })?;
                self.offer_time_entry(base, TimeEntryReason::OffsetEntry)?;
                last_entry = u64::from(position.get());
            }
            position += header.size;
            if header.magic >= 2 {
                self.recover_epoch(&header)?;
                if let Some(producer) = producer
                    && let Some(end) = self.recover_producer(base, &producer)?
                {
                    break Some(end);
                }
                map_end = last.checked_add(1);
            }
        };
        if let Some(offset) = map_end {
            self.change_producers(ProducerChange::MapEnd(offset));
        }
        self.keep_largest(base, largest);
        self.end_recovery(base, position, end)
    }

    /// Cuts what is not valid, and closes the indexes.
    fn end_recovery(&mut self, base: Offset, kept: u64, end: Option<RecoveryEnd>) -> Result<u64, LogError> {
        let cut = self.state().segment_size(base) - kept;
        if cut > 0 {
            self.note(Step::Load(LoadStep::RecoveryEnded {
                base,
                position: kept,
                // Bytes that are left without a reason are too few for a batch.
                reason: end.unwrap_or(RecoveryEnd::Torn { present: cut }),
            }));
            let now = self.state().clock();
            self.file(|files| {
                files.resize(log(base), kept)?;
                files.touch(log(base), now)
            })?;
        }
        self.trim_index(base, FileKind::Index)?;
        self.offer_time_entry(base, TimeEntryReason::Roll)?;
        self.trim_index(base, FileKind::TimeIndex)?;
        let step = LoadStep::Recovered {
            base,
            kept,
            cut,
            offset_entries: self.entries(base, FileKind::Index)?,
            time_entries: self.entries(base, FileKind::TimeIndex)?,
        };
        self.note(Step::Load(step));
        Ok(cut)
    }

    /// All three indexes without entries, the first two with their full room (Kafka: `AbstractIndex.reset`).
    fn reset_indexes(&mut self, base: Offset) -> Result<(), LogError> {
        let full = self.segment(base)?.index_bytes as u64;
        for kind in [FileKind::Index, FileKind::TimeIndex] {
            let from = self.entries(base, kind)?;
            if from > 0 {
                self.remember(MemoryChange::IndexEntries {
                    base,
                    kind,
                    from,
                    to: 0,
                });
            }
            self.resize_index(base, kind, full)?;
        }
        let transactions = FileName::live(base, FileKind::TxnIndex);
        if self
            .state()
            .files()
            .apparent_size(transactions)
            .is_some_and(|size| size > 0)
        {
            self.file(|files| files.resize(transactions, 0))?;
        }
        if self.segment(base)?.largest_known {
            self.remember(MemoryChange::LargestForgotten { base });
        }
        Ok(())
    }

    fn next_batch(&self, base: Offset, position: u64) -> Next {
        let bytes = self.state().log_bytes(base);
        match batch::file_batches(bytes, position).next() {
            None => Next::End,
            Some(Err(bad)) => Next::Bad(bad.reason),
            Some(Ok(found)) => match found.ensure_valid() {
                Ok(()) => Next::Batch(found.header, producer_batch(&found.header, || found.bytes(), None)),
                Err(reason) => Next::Bad(reason),
            },
        }
    }

    fn keep_largest(&mut self, base: Offset, largest: Option<(TimestampMs, Offset)>) {
        let known = self.segment(base).ok().and_then(|segment| segment.largest);
        if let Some(to) = largest.filter(|to| known != Some(*to)) {
            self.remember(MemoryChange::LargestTimestamp { base, to });
        }
    }

    /// The leader epoch of a batch, if it is newer than all that are known.
    fn recover_epoch(&mut self, header: &RawHeader) -> Result<(), LogError> {
        let latest = self.state().leader_epochs().latest();
        if header.leader_epoch < 0 || latest.is_some_and(|latest| header.leader_epoch <= latest.epoch) {
            return Ok(());
        }
        self.assign_epoch(header.leader_epoch, header.base_offset)
    }

    /// What a batch tells of its producer; a control record that cannot be read ends the recovery
    /// (Kafka: `LogSegment.updateProducerState`).
    fn recover_producer(&mut self, base: Offset, batch: &ProducerBatch) -> Result<Option<RecoveryEnd>, LogError> {
        let append = ProducerAppend {
            origin: AppendOrigin::Replication,
            transaction_version: Some(0),
            verify: false,
            guard: None,
        };
        let batches = core::slice::from_ref(batch);
        let planned = match self.state().producers().plan_append(batches, &append, &mut |_| {}) {
            Ok(planned) => planned,
            Err(refused) if refused.error.kafka_name() == "InvalidRecordException" => {
                return Ok(Some(RecoveryEnd::Control(Box::new(refused.error))));
            }
            Err(error) => return Err(error.into()),
        };
        planned
            .changes
            .into_iter()
            .for_each(|change| self.change_producers(change));
        for completed in planned.completed {
            let next = self.state().producers().next_stable(completed);
            if let Some(entry) = next.aborted_entry() {
                self.append_aborted(base, entry)?;
            }
            let change = self.state().producers().complete(completed)?;
            self.change_producers(change);
        }
        Ok(None)
    }
}
