//! Reading at an offset: the segment, the index, the scan, the slice.

use core::iter::Peekable;
use std::collections::BinaryHeap;
use std::vec::IntoIter;

use crate::disk::{FileKind, FileName};
use crate::error::LogError;
use crate::format::batch::{self, Codec, FileBatch};
use crate::format::index::{TransactionIndex, floor_entry};
use crate::operations::batch_lookup::corrupt;
use crate::operations::partition::{Partition, ReadOutcome};
use crate::operations::producers::is_abort;
use crate::operations::recorder::Recorder;
use crate::rules::fetch::{FetchRange, FetchSlice, Isolation, RangeAnswer};
use crate::state::log;
use crate::step::{ScanTarget, Step};
use crate::units::{Offset, Position, ProducerId, TimestampMs};

/// How many base offsets below the target a floor lookup shows.
const BASES_SHOWN: usize = 8;

/// A batch that a scan ended at.
pub(crate) struct Scanned {
    pub(crate) position: Position,
    pub(crate) header: batch::BatchHeader,
    /// Bytes passed over before it.
    pub(crate) skipped: u64,
}

/// How a fetch asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchOptions {
    /// Bytes at most; `max.partition.fetch.bytes` if not given.
    pub limit: Option<u64>,
    /// How far it may read.
    pub isolation: Isolation,
    /// Whether the first batch is sent whole even where it exceeds the limit, as for a consumer whose fetch has got nothing
    /// from another partition.
    pub min_one: bool,
}

impl FetchOptions {
    /// A consumer's fetch with a limit.
    pub const fn limited(limit: Option<u64>) -> FetchOptions {
        FetchOptions {
            limit,
            isolation: Isolation::HighWatermark,
            min_one: true,
        }
    }
}

/// What a committed reader drops: the records of the aborted transactions that the broker tells it of
/// (Kafka: `CompletedFetch.consumeAbortedTransactionsUpTo`, `isBatchAborted`).
struct AbortedDropped {
    /// First offsets and producers, by first offset.
    to_come: Peekable<IntoIter<(Offset, ProducerId)>>,
    dropping: Vec<ProducerId>,
}

impl AbortedDropped {
    fn new(aborted: &[(ProducerId, Offset)]) -> AbortedDropped {
        // A heap sorts with a tenth of the code of a slice's own sort.
        let to_come = BinaryHeap::from_iter(aborted.iter().map(|(id, first)| (*first, *id))).into_sorted_vec();
        AbortedDropped {
            to_come: to_come.into_iter().peekable(),
            dropping: Vec::new(),
        }
    }

    /// Whether the next batch is of an aborted transaction.
    fn drops(&mut self, header: &batch::BatchHeader, bytes: &[u8]) -> bool {
        let producer = ProducerId::new(header.producer_id);
        while let Some((_, id)) = self.to_come.next_if(|(first, _)| *first <= header.last_offset) {
            self.dropping.push(id);
        }
        // The marker of an aborted transaction ends the dropping; that of a committed one finds nothing to end.
        if header.control && is_abort(bytes) {
            self.dropping.retain(|id| *id != producer);
        }
        header.transactional && self.dropping.contains(&producer)
    }
}

/// What a consumer keeps of a slice.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    first: Option<Offset>,
    last: Option<Offset>,
    timestamp: Option<TimestampMs>,
    records: u32,
    below: u32,
    markers: u32,
    aborted: u32,
    bytes: u64,
    next: Offset,
}

/// The header of a batch that nobody has checked since it was written (Kafka: `FileLogInputStream.FileChannelRecordBatch`).
fn as_stored(batch: &FileBatch<'_>) -> batch::BatchHeader {
    let raw = &batch.header;
    // Only damage brings an offset below 0 into a file; a batch that has one is shown as if it began at 0.
    let offset = |stored| Offset::new(stored).unwrap_or_default();
    // One whose last offset lies below its first, as a coordinator that counts wrongly makes it, is found by its first
    // (Kafka: `FileRecords.searchForOffsetFromPosition`).
    let first = offset(raw.base_offset);
    let offsets = (first, offset(raw.last_offset()).max(first));
    batch
        .read_header()
        .unwrap_or(batch::BatchHeader::of(raw, offsets, Codec::None))
}

impl Partition {
    /// Reads as a consumer that asks for `offset`; `limit` is in bytes, by default `max.partition.fetch.bytes`.
    ///
    /// # Errors
    ///
    /// [`LogError::OffsetOutOfRange`].
    pub fn fetch(&mut self, offset: Offset, limit: Option<u64>) -> Result<ReadOutcome, LogError> {
        self.fetch_with(offset, FetchOptions::limited(limit))
    }

    /// Reads with any isolation (Kafka: `UnifiedLog.read`, then the client's `CompletedFetch`).
    ///
    /// # Errors
    ///
    /// [`LogError::OffsetOutOfRange`].
    pub fn fetch_with(&mut self, offset: Offset, options: FetchOptions) -> Result<ReadOutcome, LogError> {
        self.serve(|recorder| {
            recorder.move_consumer(Some(offset));
            recorder.fetch(offset, options)
        })
    }
}

impl Recorder<'_> {
    /// How an offset lies to the log.
    pub(crate) fn range(&self, requested: Offset, isolation: Isolation) -> FetchRange {
        FetchRange {
            requested,
            isolation,
            log_start: self.state().log_start(),
            high_watermark: self.state().high_watermark(),
            last_stable: self.state().last_stable(),
            log_end: self.state().log_end(),
        }
    }

    pub(crate) fn fetch(&mut self, requested: Offset, options: FetchOptions) -> Result<ReadOutcome, LogError> {
        self.find_bound(requested, options.isolation)?;
        let range = self.range(requested, options.isolation);
        self.note(Step::FetchRangeDecided(range));
        match range.answer() {
            RangeAnswer::OutOfRange => Err(LogError::OffsetOutOfRange {
                requested,
                log_start: range.log_start,
                log_end: range.log_end,
            }),
            RangeAnswer::Empty => {
                if requested > range.bound() {
                    // Kafka looks where it is, although nothing of it is sent.
                    self.place_of(requested)?;
                }
                Ok(ReadOutcome {
                    next: Some(requested),
                    ..ReadOutcome::default()
                })
            }
            RangeAnswer::Readable => self.read(&range, options),
        }
    }

    fn read(&mut self, range: &FetchRange, options: FetchOptions) -> Result<ReadOutcome, LogError> {
        let requested = range.requested;
        let bound = self.place_of_bound(range)?;
        let mut segment = self.floor_segment(requested);
        // A segment may hold nothing at or above the offset: then the next one answers.
        while let Some(base) = segment {
            if let Some(scanned) = self.scan_for_offset(base, requested)? {
                let end = match bound {
                    Some((last, _)) if base < last => self.state().segment_size(base),
                    Some((last, position)) if base == last => position,
                    // Where the bound lies is not known: nothing can be sent.
                    _ => u64::from(scanned.position.get()),
                };
                return self.send(base, requested, options, &scanned, end);
            }
            segment = self.state().next_base(base);
        }
        Ok(ReadOutcome {
            next: Some(requested),
            ..ReadOutcome::default()
        })
    }

    /// Where the bound of a reader lies. The first unstable offset keeps the place that its batch was given, which a search
    /// need not find again (Kafka: `UnifiedLog.fetchLastStableOffsetMetadata`).
    fn place_of_bound(&mut self, range: &FetchRange) -> Result<Option<(Offset, u64)>, LogError> {
        let unstable = self.state().producers().unstable();
        let unstable = unstable.filter(|unstable| unstable.offset < range.high_watermark);
        match unstable.and_then(|unstable| unstable.place) {
            Some(place) if range.isolation == Isolation::TxnCommitted => {
                Ok(Some((place.base, u64::from(place.position.get()))))
            }
            _ => match self.state().high_watermark_place() {
                Some(place) if range.isolation != Isolation::LogEnd => {
                    Ok(Some((place.base, u64::from(place.position.get()))))
                }
                _ => self.place_of(range.bound()),
            },
        }
    }

    /// The segment that holds an offset, and where the batch with it starts; the end of the log for an offset that no
    /// batch has (Kafka: `LocalLog.convertToOffsetMetadataOrThrow`).
    pub(crate) fn place_of(&mut self, offset: Offset) -> Result<Option<(Offset, u64)>, LogError> {
        if offset >= self.state().log_end() {
            return Ok(Some(self.end_of_log()?));
        }
        let mut segment = self.state().floor(offset);
        if segment.is_none() {
            return Ok(None);
        }
        while let Some(base) = segment {
            if let Some(position) = self.position_of(base, offset)? {
                return Ok(Some((base, position)));
            }
            segment = self.state().next_base(base);
        }
        Ok(Some(self.end_of_log()?))
    }

    /// Where the log ends: bytes that a failed append left behind there are read by nobody.
    fn end_of_log(&self) -> Result<(Offset, u64), LogError> {
        let active = self.active()?.base;
        Ok(match self.state().log_end_place() {
            (base, position) if base == active => (base, position),
            // A new segment.
            _ => (active, self.state().segment_size(active)),
        })
    }

    /// The segment with the largest base offset not above the target (Kafka: `LogSegments.floorSegment`).
    pub(crate) fn floor_segment(&mut self, target: Offset) -> Option<Offset> {
        let segments = self.state().segments();
        let not_above = target
            .checked_add(1)
            .map_or(segments.len(), |above| segments.below(above));
        let found = self.state().floor(target);
        let shown = not_above.min(BASES_SHOWN);
        let bases = segments.keys_from(not_above - shown).take(shown + 1).collect();
        self.note(Step::FloorLookedUp { target, bases, found });
        found
    }

    /// Where the offset index says to start for an offset; a damaged entry may lead below 0 (Kafka: `OffsetIndex.lookup`).
    pub(crate) fn look_up_offset(&mut self, base: Offset, target: Offset) -> Result<i32, LogError> {
        // Below 0 where the offset lies in a gap before the segment.
        let target = target.get() - base.get();
        let entries = self.entries(base, FileKind::Index)?;
        let index = self.offset_index(base)?;
        let mut probes = Vec::new();
        let key = |entry_number| {
            index
                .entry(entry_number)
                .map_or(i64::MAX, |entry| entry.offset.wrapping_sub(base.get()))
        };
        let entry_number = floor_entry(base, FileKind::Index, entries, target, key, |probe| {
            probes.push(Step::IndexProbed(probe))
        });
        let entry = entry_number.and_then(|entry_number| index.entry(entry_number).ok());
        let position = entry.map_or(0, |entry| entry.position);
        probes.into_iter().for_each(|probe| self.note(probe));
        self.note(Step::IndexLookedUp {
            base,
            kind: FileKind::Index,
            target,
            entry_number,
            // A damaged entry may lead below 0; the scan begins at the start then.
            leads_to: u32::try_from(position).unwrap_or(0),
        });
        Ok(position)
    }

    /// The same for a search by time, which refuses such an entry (Kafka: `FileRecords.searchForTimestamp`).
    pub(crate) fn start_for_time(&mut self, base: Offset, target: Offset) -> Result<Position, LogError> {
        let position = self.look_up_offset(base, target)?;
        let place = u64::try_from(position).ok().and_then(Position::new);
        place.ok_or(LogError::NotInFile {
            file: log(base),
            position: i64::from(position),
        })
    }

    /// Scans for the first batch whose last offset is not below the target (Kafka: `FileRecords.searchForOffset…`).
    fn scan_for_offset(&mut self, base: Offset, target: Offset) -> Result<Option<Scanned>, LogError> {
        let position = self.look_up_offset(base, target)?;
        // As above for an entry that leads below 0.
        let start = u64::try_from(position).ok().and_then(Position::new).unwrap_or_default();
        let mut from = start;
        while let Some(found) = self.scan(base, from, ScanTarget::Offset(target), |_| true)? {
            let Some(behind) = self.overlapping(base, &found, target) else {
                return Ok(Some(Scanned {
                    skipped: (found.position - start) as u64,
                    ..found
                }));
            };
            from = behind;
        }
        Ok(None)
    }

    /// Where the batch behind one starts, if it begins at an offset or before it, too: of batches whose offsets overlap, as
    /// only a coordinator that counts wrongly makes them, Kafka takes the last (Kafka:
    /// `FileRecords.searchForOffsetFromPosition`).
    fn overlapping(&self, base: Offset, found: &Scanned, target: Offset) -> Option<Position> {
        if found.header.first_offset >= target {
            return None;
        }
        let bytes = self.state().log_bytes(base);
        let behind = found.position.checked_add(found.header.size)?;
        let next = batch::file_batches(bytes, u64::from(behind.get())).next()?.ok()?;
        (as_stored(&next).first_offset <= target).then_some(behind)
    }

    /// Reads batch after batch until one reaches the target and is accepted, by a look at its bytes.
    pub(crate) fn scan(
        &mut self,
        base: Offset,
        start: Position,
        target: ScanTarget,
        accept: impl Fn(&FileBatch<'_>) -> bool,
    ) -> Result<Option<Scanned>, LogError> {
        let mut steps = Vec::new();
        let mut scanned = None;
        let bytes = self.state().log_bytes(base);
        let mut bad = None;
        for batch in batch::file_batches(bytes, u64::from(start.get())) {
            let batch = match batch {
                Ok(batch) => batch,
                Err(found) => {
                    bad = Some(found);
                    break;
                }
            };
            let Some(position) = Position::new(batch.position) else {
                break;
            };
            let header = as_stored(&batch);
            let reached = target.clause(header.last_offset, header.timestamp);
            let found = reached.holds && accept(&batch);
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
        match bad {
            Some(bad) => Err(corrupt(log(base), bad)),
            None => Ok(scanned),
        }
    }

    /// Cuts the slice, and keeps of it what a consumer keeps (Kafka: `LogSegment.read`, then the client's
    /// `CompletedFetch`).
    fn send(
        &mut self,
        base: Offset,
        requested: Offset,
        options: FetchOptions,
        found: &Scanned,
        end: u64,
    ) -> Result<ReadOutcome, LogError> {
        let limit = options
            .limit
            .unwrap_or(self.state().settings().max_partition_fetch_bytes as u64);
        let slice = FetchSlice {
            base,
            start: found.position,
            end,
            limit,
            first_batch_size: found.header.size,
            min_one: options.min_one,
        };
        self.note(Step::FetchSliceDecided(slice));
        let aborted = if options.isolation == Isolation::TxnCommitted {
            self.aborted_in(&slice, requested)?
        } else {
            Vec::new()
        };
        let kept = self.keep(&slice, requested, &aborted)?;
        self.note(Step::ConsumerKept {
            requested,
            delivered: kept.first.zip(kept.last),
            records: kept.records,
            below: kept.below,
            markers: kept.markers,
            aborted: kept.aborted,
            bytes: kept.bytes,
            torn: slice.length() - kept.bytes,
            next: kept.next,
        });
        self.move_consumer(Some(kept.next));
        Ok(ReadOutcome {
            answer: kept.first,
            timestamp: kept.timestamp,
            segment: Some(base),
            position: Some(found.position),
            records: kept.records,
            bytes: kept.bytes,
            slice: slice.length(),
            skipped: found.skipped,
            next: Some(kept.next),
            aborted,
            first_incomplete: slice.first_incomplete(),
            ..ReadOutcome::default()
        })
    }

    /// The records of a slice that a consumer delivers: whole batches, at or above the offset asked for, no markers, and
    /// none of a transaction known to be aborted (Kafka: `CompletedFetch.nextFetchedRecord`).
    fn keep(&self, slice: &FetchSlice, requested: Offset, aborted: &[(ProducerId, Offset)]) -> Result<Kept, LogError> {
        let bytes = self.state().log_bytes(slice.base);
        let end = u64::from(slice.start.get()) + slice.length();
        let mut aborted = AbortedDropped::new(aborted);
        let mut kept = Kept {
            next: requested,
            ..Kept::default()
        };
        for (position, header, batch) in batch::batches(bytes.up_to(end), slice.start) {
            let file = FileName::live(slice.base, FileKind::Log);
            let position = u64::from(position.get());
            let bytes = batch.bytes();
            let decoded =
                batch::read_records(&bytes).map_err(|reason| LogError::CorruptBatch { file, position, reason })?;
            kept.bytes += header.size;
            kept.next = header.last_offset.next();
            let dropped = aborted.drops(&header, &bytes);
            if header.control {
                kept.markers += decoded.len() as u32;
                continue;
            }
            if dropped {
                kept.aborted += decoded.len() as u32;
                continue;
            }
            for record in decoded {
                if record.offset < requested {
                    kept.below += 1;
                    continue;
                }
                if kept.first.is_none() {
                    (kept.first, kept.timestamp) = (Some(record.offset), record.timestamp);
                }
                kept.records += 1;
                kept.last = Some(record.offset);
            }
        }
        Ok(kept)
    }

    /// The aborted transactions that may have records in a slice (Kafka: `LocalLog.addAbortedTransactions`).
    fn aborted_in(&mut self, slice: &FetchSlice, requested: Offset) -> Result<Vec<(ProducerId, Offset)>, LogError> {
        let upper = self.upper_bound(slice)?;
        let mut entries = Vec::new();
        let mut segment = Some(slice.base);
        while let Some(base) = segment {
            let file = FileName::live(base, FileKind::TxnIndex);
            // A segment without an aborted transaction has no such file.
            let bytes = self.state().files().used(file).unwrap_or_default();
            let index = TransactionIndex::new(base, bytes);
            if index.collect_aborted(requested, upper, &mut entries, &mut |_| {})? {
                break;
            }
            segment = self.state().next_base(base);
        }
        let entries = entries.iter();
        let first = |offset| Offset::new(offset).unwrap_or_default();
        let found: Vec<_> = entries
            .map(|entry| (entry.producer_id, first(entry.first_offset)))
            .collect();
        self.note(Step::AbortedCollected {
            base: slice.base,
            requested,
            upper,
            found: found.clone(),
        });
        Ok(found)
    }

    /// The first offset that is surely behind a slice: what the index has at or behind its end, or else the next segment,
    /// or the log end (Kafka: `OffsetIndex.fetchUpperBoundOffset`).
    fn upper_bound(&mut self, slice: &FetchSlice) -> Result<Offset, LogError> {
        let base = slice.base;
        let (position, size) = (slice.start.get() as i32, slice.length() as i32);
        let entry = self.offset_index(base)?.upper_bound(position, size);
        let next = self.state().next_base(base).unwrap_or(self.state().log_end());
        Ok(entry.map_or(next, |entry| Offset::new(entry.offset).unwrap_or_default()))
    }

    /// Where the time index says to start for a timestamp (Kafka: `TimeIndex.lookup`).
    pub(crate) fn look_up_time(&mut self, base: Offset, target: TimestampMs) -> Result<Offset, LogError> {
        let entries = self.entries(base, FileKind::TimeIndex)?;
        let index = self.time_index(base)?;
        let mut probes = Vec::new();
        let key = |entry_number| index.entry(entry_number).map_or(i64::MAX, |entry| entry.timestamp);
        let entry_number = floor_entry(base, FileKind::TimeIndex, entries, target.get(), key, |probe| {
            probes.push(Step::IndexProbed(probe));
        });
        let entry = entry_number.and_then(|entry_number| index.entry(entry_number).ok());
        // An entry that leads below the log leads to its start, as every search does at least.
        let offset = entry
            .map_or(Some(base), |entry| Offset::new(entry.offset))
            .unwrap_or_default();
        probes.into_iter().for_each(|probe| self.note(probe));
        self.note(Step::IndexLookedUp {
            base,
            kind: FileKind::TimeIndex,
            target: target.get(),
            entry_number,
            leads_to: offset.relative_to(base).unwrap_or_default().get(),
        });
        Ok(offset)
    }
}
