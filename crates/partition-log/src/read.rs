//! Reading at an offset: the segment, the index, the scan, the slice.

use crate::batch;
use crate::error::LogError;
use crate::index::floor_slot;
use crate::partition::{Partition, ReadOutcome};
use crate::recorder::{Recorder, relative};
use crate::rules::fetch::{FetchRange, FetchSlice, RangeAnswer};
use crate::state::log;
use crate::step::{ScanTarget, Step, Trace};
use crate::units::{Offset, Position, TimestampMs};
use crate::vfs::{FileKind, FileName};

/// How many base offsets below the target a floor lookup shows.
const BASES_SHOWN: usize = 8;

/// A batch that a scan ended at.
pub(crate) struct Scanned {
    pub(crate) position: Position,
    pub(crate) header: batch::BatchHeader,
    /// Bytes passed over before it.
    pub(crate) skipped: u64,
}

impl Partition {
    /// Reads as a consumer that asks for `offset`; `limit` is in bytes, by default `max.partition.fetch.bytes`.
    ///
    /// # Errors
    ///
    /// [`LogError::OffsetOutOfRange`].
    pub fn fetch(&mut self, offset: Offset, limit: Option<u64>) -> Trace<Result<ReadOutcome, LogError>> {
        self.record(|recorder| {
            recorder.move_consumer(Some(offset));
            recorder.fetch(offset, limit)
        })
    }
}

impl Recorder<'_> {
    /// How an offset lies to the log.
    pub(crate) fn range(&self, requested: Offset) -> FetchRange {
        FetchRange {
            requested,
            log_start: self.state.log_start,
            high_watermark: self.state.high_watermark,
            log_end: self.state.log_end,
        }
    }

    pub(crate) fn fetch(&mut self, requested: Offset, limit: Option<u64>) -> Result<ReadOutcome, LogError> {
        let range = self.range(requested);
        self.note(Step::FetchRangeDecided(range));
        match range.answer() {
            RangeAnswer::OutOfRange => Err(LogError::OffsetOutOfRange {
                requested,
                log_start: range.log_start,
                log_end: range.log_end,
            }),
            RangeAnswer::Empty => Ok(ReadOutcome {
                next: Some(requested),
                ..ReadOutcome::default()
            }),
            RangeAnswer::Readable => self.read(requested, limit),
        }
    }

    fn read(&mut self, requested: Offset, limit: Option<u64>) -> Result<ReadOutcome, LogError> {
        let limit = limit.unwrap_or(self.state.settings.max_partition_fetch_bytes as u64);
        let mut segment = self.floor_segment(requested);
        // A segment may hold nothing at or above the offset: then the next one answers.
        while let Some(base) = segment {
            if let Some(scanned) = self.scan_for_offset(base, requested)? {
                return self.send(base, requested, limit, &scanned);
            }
            segment = self.state.next_base(base);
        }
        Ok(ReadOutcome {
            next: Some(requested),
            ..ReadOutcome::default()
        })
    }

    /// The segment with the largest base offset not above the target (Kafka: `LogSegments.floorSegment`).
    pub(crate) fn floor_segment(&mut self, target: Offset) -> Option<Offset> {
        let segments = &self.state.segments;
        let not_above = segments.keys().take_while(|base| *base <= target).count();
        let shown = not_above.min(BASES_SHOWN);
        let mut bases: Vec<Offset> = segments.keys().skip(not_above - shown).take(shown).collect();
        let found = bases.last().copied();
        let above = match found {
            Some(found) => self.state.next_base(found),
            None => self.state.segments.keys().next(),
        };
        bases.extend(above);
        self.note(Step::FloorLookedUp { target, bases, found });
        found
    }

    /// Where the offset index says to start for an offset (Kafka: `OffsetIndex.lookup`).
    pub(crate) fn look_up_offset(&mut self, base: Offset, target: Offset) -> Result<Position, LogError> {
        self.ensure_index(base, FileKind::Index)?;
        let target = i64::from(relative(target, base)?.get());
        let entries = self.segment(base)?.offset_entries;
        let mut probes = Vec::new();
        let key = |slot| {
            self.offset_entry(base, slot)
                .map_or(i64::MAX, |entry| i64::from(entry.relative.get()))
        };
        let slot = floor_slot(base, FileKind::Index, entries, target, key, |probe| {
            probes.push(Step::IndexProbed(probe))
        });
        let position = slot
            .and_then(|slot| self.offset_entry(base, slot))
            .map(|entry| entry.position)
            .unwrap_or_default();
        probes.into_iter().for_each(|probe| self.note(probe));
        self.note(Step::IndexLookedUp {
            base,
            kind: FileKind::Index,
            target,
            slot,
            leads_to: position.get(),
        });
        Ok(position)
    }

    /// Scans for the first batch whose last offset is not below the target (Kafka: `FileRecords.searchForOffset…`).
    fn scan_for_offset(&mut self, base: Offset, target: Offset) -> Result<Option<Scanned>, LogError> {
        let start = self.look_up_offset(base, target)?;
        self.scan(base, start, ScanTarget::Offset(target), |header, _| {
            header.last_offset >= target
        })
    }

    /// Reads batch after batch until one is accepted.
    pub(crate) fn scan(
        &mut self,
        base: Offset,
        start: Position,
        target: ScanTarget,
        accept: impl Fn(&batch::BatchHeader, &[u8]) -> bool,
    ) -> Result<Option<Scanned>, LogError> {
        let mut steps = Vec::new();
        let mut scanned = None;
        let bytes = self.state.files.used(log(base)).unwrap_or_default();
        for (position, header, batch) in batch::batches(bytes, start) {
            let found = accept(&header, batch);
            steps.push(Step::BatchScanned {
                base,
                position,
                size: header.size,
                first_offset: header.first_offset,
                last_offset: header.last_offset,
                timestamp: header.timestamp,
                target,
                found,
            });
            if found {
                scanned = Some(Scanned {
                    position,
                    header,
                    skipped: (position - start) as u64,
                });
                break;
            }
        }
        steps.into_iter().for_each(|step| self.note(step));
        Ok(scanned)
    }

    /// Cuts the slice, and keeps of it what a consumer keeps (Kafka: `LogSegment.read`, then the client's
    /// `CompletedFetch`).
    fn send(&mut self, base: Offset, requested: Offset, limit: u64, found: &Scanned) -> Result<ReadOutcome, LogError> {
        let slice = FetchSlice {
            base,
            start: found.position,
            end: self.readable_end(base)?,
            limit,
            first_batch_size: found.header.size,
        };
        self.note(Step::FetchSliceDecided(slice));
        let bytes = self.state.files.used(log(base)).unwrap_or_default();
        let end = (slice.start.get() as usize + slice.length() as usize).min(bytes.len());
        let (mut kept, mut records, mut below) = (0, 0u32, 0u32);
        let (mut first, mut last, mut timestamp, mut next) = (None, None, None, requested);
        for (position, header, batch) in batch::batches(&bytes[..end], slice.start) {
            let file = Some(FileName::live(base, FileKind::Log));
            let position = u64::from(position.get());
            let decoded =
                batch::read_records(batch).map_err(|reason| LogError::CorruptBatch { file, position, reason })?;
            for record in decoded {
                if record.offset < requested {
                    below += 1;
                    continue;
                }
                if first.is_none() {
                    (first, timestamp) = (Some(record.offset), record.timestamp);
                }
                records += 1;
                last = Some(record.offset);
            }
            kept += header.size;
            next = header.last_offset.next();
        }
        let torn = slice.length() - kept;
        let delivered = first.zip(last);
        self.note(Step::ConsumerKept {
            requested,
            delivered,
            records,
            below,
            bytes: kept,
            torn,
            next,
        });
        self.move_consumer(Some(next));
        Ok(ReadOutcome {
            answer: first,
            timestamp,
            segment: Some(base),
            position: Some(found.position),
            records,
            bytes: kept,
            slice: slice.length(),
            skipped: found.skipped,
            next: Some(next),
        })
    }

    /// End of what consumers may read of a segment: its size, or where the batch with the high watermark starts.
    fn readable_end(&self, base: Offset) -> Result<u64, LogError> {
        let high_watermark = self.state.high_watermark;
        if high_watermark >= self.state.segment_end(base) {
            return Ok(self.state.segment_size(base));
        }
        let bytes = self.state.files.used(log(base)).unwrap_or_default();
        let bound = batch::batches(bytes, Position::ZERO).find(|(_, header, _)| header.last_offset >= high_watermark);
        Ok(bound.map_or(bytes.len() as u64, |(position, ..)| u64::from(position.get())))
    }

    /// Where the time index says to start for a timestamp (Kafka: `TimeIndex.lookup`).
    pub(crate) fn look_up_time(&mut self, base: Offset, target: TimestampMs) -> Result<Offset, LogError> {
        self.ensure_index(base, FileKind::TimeIndex)?;
        let entries = self.segment(base)?.time_entries;
        let mut probes = Vec::new();
        let key = |slot| {
            self.time_entry(base, slot)
                .map_or(i64::MAX, |entry| entry.timestamp.get())
        };
        let slot = floor_slot(base, FileKind::TimeIndex, entries, target.get(), key, |probe| {
            probes.push(Step::IndexProbed(probe));
        });
        let leads_to = slot
            .and_then(|slot| self.time_entry(base, slot))
            .map(|entry| entry.relative)
            .unwrap_or_default();
        probes.into_iter().for_each(|probe| self.note(probe));
        let target = target.get();
        self.note(Step::IndexLookedUp {
            base,
            kind: FileKind::TimeIndex,
            target,
            slot,
            leads_to: leads_to.get(),
        });
        Ok(leads_to.absolute(base))
    }
}
