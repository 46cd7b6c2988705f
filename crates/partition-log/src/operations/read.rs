//! Reading at an offset: the segment, the index, the scan, the slice.

use crate::disk::{Bytes, FileKind, FileName, Window};
use crate::error::LogError;
use crate::format::batch::{self, Codec, FileBatch};
use crate::format::index::{OffsetIndex, TimeIndex, TransactionIndex, floor_entry};
use crate::operations::batch_lookup::corrupt;
use crate::operations::partition::{Partition, ReadOutcome};
use crate::operations::reader::Reader;
use crate::rules::fetch::{FetchRange, FetchSlice, Isolation, RangeAnswer};
use crate::state::{PartitionState, log};
use crate::step::{ScanTarget, Step, Trace};
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

/// The bytes that a broker sends for a fetch, and what it says of them.
pub(crate) struct Sent {
    pub(crate) slice: FetchSlice,
    pub(crate) skipped: u64,
    /// Aborted transactions: producer and first offset.
    pub(crate) aborted: Vec<(ProducerId, Offset)>,
}

/// What a broker answers to a fetch (Kafka: `FetchDataInfo`, and the marks of `FetchPartitionData`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched<'a> {
    /// The offset asked for, and the marks of the log.
    pub range: FetchRange,
    /// Which bytes are sent; `None` where there is nothing to read yet.
    pub slice: Option<FetchSlice>,
    /// The bytes. The cut may fall inside a batch.
    pub bytes: Window<'a>,
    /// Bytes that the scan passed over.
    pub skipped: u64,
    /// Aborted transactions that a reader of committed records is told of: producer and first offset.
    pub aborted: Vec<(ProducerId, Offset)>,
}

/// The batch that an offset was looked up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundBatch {
    /// Base offset of the segment that holds it.
    pub segment: Offset,
    /// Number of the entry of the offset index that the scan began at, from 0; `None` where it began at the start.
    pub entry: Option<u32>,
    /// Where the batch starts in the `.log`.
    pub position: Position,
    /// First offset of the batch; above the offset asked for where that lies in a gap.
    pub first_offset: Offset,
    /// Last offset of the batch.
    pub last_offset: Offset,
    /// Size of the batch in bytes.
    pub size: u64,
    /// Bytes that the scan passed over before it.
    pub skipped: u64,
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

impl PartitionState {
    /// The batch that holds an offset, as a broker finds it: the segment by its base offset, an entry of its offset index, a
    /// scan from there. The steps are the comparisons on the way. In a gap it is the next batch; at the log end, and in a gap
    /// before it, there is none.
    ///
    /// Nothing is changed: an index that a broker would open or make is a step, and [`Partition::apply_reads`] carries it out.
    ///
    /// # Errors
    ///
    /// [`LogError::OffsetOutOfRange`] outside the log, [`LogError::NotRunning`], [`LogError::CorruptBatch`] where the scan
    /// meets bytes that are no batch, [`LogError::IndexTooSmall`] where an index has to be made and has no room.
    ///
    /// ```
    /// use partition_log::format::batch::NewBatch;
    /// use partition_log::{Offset, Partition};
    ///
    /// let mut partition = Partition::create(Default::default(), 0)?;
    /// for _ in 0..3 {
    ///     partition.append(&NewBatch::message(45))?;
    /// }
    /// let two = Offset::new(2).expect("not negative");
    /// let looked_up = partition.state().lookup(two)?;
    /// let batch = looked_up.outcome.expect("it is there");
    /// assert_eq!((batch.segment, batch.position.get(), batch.skipped), (Offset::ZERO, 90, 90));
    /// assert_eq!(looked_up.steps.len(), 5, "the segment, the index, and three batches");
    /// # Ok::<(), partition_log::LogError>(())
    /// ```
    pub fn lookup(&self, offset: Offset) -> Result<Trace<Option<FoundBatch>>, LogError> {
        self.ask(|reader| {
            let range = reader.range(offset, Isolation::LogEnd);
            if range.answer() == RangeAnswer::OutOfRange {
                return Err(out_of_range(&range));
            }
            let found = reader.find_batch(offset)?;
            let entry = reader.last_entry();
            Ok(found.map(|(segment, scanned)| FoundBatch {
                segment,
                entry,
                position: scanned.position,
                first_offset: scanned.header.first_offset,
                last_offset: scanned.header.last_offset,
                size: scanned.header.size,
                skipped: scanned.skipped,
            }))
        })
    }

    /// What a broker sends for a fetch: a slice of one segment's `.log`, with the steps that led to it. What a consumer makes
    /// of it is [`Consumer::poll`](crate::Consumer::poll)'s business. Kafka: `UnifiedLog.read`, `LogSegment.read`.
    ///
    /// # Errors
    ///
    /// As [`PartitionState::lookup`]; [`LogError::TransactionIndex`], if a reader of committed records needs an index that
    /// cannot be read.
    ///
    /// ```
    /// use partition_log::format::batch::NewBatch;
    /// use partition_log::{FetchOptions, Offset, Partition};
    ///
    /// let mut partition = Partition::create(Default::default(), 0)?;
    /// for _ in 0..4 {
    ///     partition.append(&NewBatch::message(45))?;
    /// }
    /// let one = Offset::new(1).expect("not negative");
    /// let sent = partition.state().read(one, FetchOptions::limited(Some(100)))?.outcome;
    /// assert_eq!(sent.bytes.len(), 100, "two messages, and 10 B of a third");
    /// # Ok::<(), partition_log::LogError>(())
    /// ```
    pub fn read(&self, offset: Offset, options: FetchOptions) -> Result<Trace<Fetched<'_>>, LogError> {
        let (range, sent, steps) = self.would_send(offset, options)?;
        Ok(Trace {
            steps,
            outcome: match sent {
                None => Fetched {
                    range,
                    slice: None,
                    bytes: Bytes::default().window(0, 0),
                    skipped: 0,
                    aborted: Vec::new(),
                },
                Some(sent) => Fetched {
                    range,
                    bytes: sent.bytes(self),
                    slice: Some(sent.slice),
                    skipped: sent.skipped,
                    aborted: sent.aborted,
                },
            },
        })
    }

    /// Where the bound of the reader is, shows when it asks, and may move the high watermark: in a copy, here.
    fn would_send(
        &self,
        offset: Offset,
        options: FetchOptions,
    ) -> Result<(FetchRange, Option<Sent>, Vec<Step>), LogError> {
        let mut copy = Partition::from_state(self.clone(), 0);
        let read = copy.serve(|recorder| {
            recorder.find_bound(offset, options.isolation)?;
            recorder.read(|reader| {
                let range = reader.range(offset, options.isolation);
                reader.fetch(&range, options).map(|sent| (range, sent))
            })
        });
        let (range, sent) = read?;
        Ok((range, sent, copy.take_steps()))
    }
}

impl Sent {
    /// The bytes, in the log that they were cut from.
    pub(crate) fn bytes<'a>(&self, state: &'a PartitionState) -> Window<'a> {
        let start = u64::from(self.slice.start.get());
        state.log_bytes(self.slice.base).window(start, self.slice.length())
    }
}

impl Partition {
    /// Reads once as a consumer that asks for `offset` and keeps no position; `limit` is in bytes, by default
    /// `max.partition.fetch.bytes`.
    ///
    /// # Errors
    ///
    /// As [`Partition::fetch_with`].
    pub fn fetch(&mut self, offset: Offset, limit: Option<u64>) -> Result<ReadOutcome, LogError> {
        self.fetch_with(offset, FetchOptions::limited(limit))
    }

    /// Reads once with any isolation: what the broker sends, and what a consumer would keep of it. Unlike
    /// [`PartitionState::read`] it leaves open what it had to open. A consumer with a position is a
    /// [`Consumer`](crate::Consumer).
    ///
    /// # Errors
    ///
    /// As [`PartitionState::read`]; [`LogError::Undeliverable`], if the first batch is bad.
    pub fn fetch_with(&mut self, offset: Offset, options: FetchOptions) -> Result<ReadOutcome, LogError> {
        self.serve(|recorder| {
            recorder.find_bound(offset, options.isolation)?;
            recorder.read(|reader| reader.deliver(offset, options).map(|polled| polled.read))
        })
    }
}

/// The refusal of an offset outside the log.
pub(crate) fn out_of_range(range: &FetchRange) -> LogError {
    LogError::OffsetOutOfRange {
        requested: range.requested,
        log_start: range.log_start,
        log_end: range.log_end,
    }
}

impl<'a> Reader<'a> {
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

    /// What is sent for a fetch; `None` where there is nothing to read yet.
    pub(crate) fn fetch(&mut self, range: &FetchRange, options: FetchOptions) -> Result<Option<Sent>, LogError> {
        self.note(Step::FetchRangeDecided(*range));
        match range.answer() {
            RangeAnswer::OutOfRange => Err(out_of_range(range)),
            RangeAnswer::Empty => {
                if range.requested > range.bound() {
                    // Kafka looks where it is, although nothing of it is sent.
                    self.place_of(range.requested)?;
                }
                Ok(None)
            }
            RangeAnswer::Readable => self.read(range, options),
        }
    }

    fn read(&mut self, range: &FetchRange, options: FetchOptions) -> Result<Option<Sent>, LogError> {
        let bound = self.place_of_bound(range)?;
        let Some((base, scanned)) = self.find_batch(range.requested)? else {
            return Ok(None);
        };
        let end = match bound {
            Some((last, _)) if base < last => self.state().segment_size(base),
            Some((last, position)) if base == last => position,
            // Where the bound lies is not known: nothing can be sent.
            _ => u64::from(scanned.position.get()),
        };
        self.send(base, range.requested, options, &scanned, end).map(Some)
    }

    /// The segment and the batch with an offset, or the next one. A segment may hold nothing at or above the offset: then the
    /// next one answers.
    fn find_batch(&mut self, offset: Offset) -> Result<Option<(Offset, Scanned)>, LogError> {
        let mut segment = self.floor_segment(offset);
        while let Some(base) = segment {
            if let Some(scanned) = self.scan_for_offset(base, offset)? {
                return Ok(Some((base, scanned)));
            }
            segment = self.state().next_base(base);
        }
        Ok(None)
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
        let active = self.active()?;
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
        let (entries, bytes, capacity) = self.index_file(base, FileKind::Index)?;
        let index = OffsetIndex::new(base, bytes, entries, capacity);
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

    /// Cuts the slice (Kafka: `LogSegment.read`).
    fn send(
        &mut self,
        base: Offset,
        requested: Offset,
        options: FetchOptions,
        found: &Scanned,
        end: u64,
    ) -> Result<Sent, LogError> {
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
        Ok(Sent {
            slice,
            skipped: found.skipped,
            aborted,
        })
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
        let (entries, bytes, capacity) = self.index_file(base, FileKind::TimeIndex)?;
        let index = TimeIndex::new(base, bytes, entries, capacity);
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
