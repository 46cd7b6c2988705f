//! A batch found through the offset index, in files that may hold anything: every number is taken as stored, as Kafka
//! takes it (Kafka: `LogSegment.translateOffset`, `readNextOffset`, `OffsetIndex.lookup`).

use crate::disk::{Bytes, FileName};
use crate::error::LogError;
use crate::format::batch::{self, BadBatch, FaultClass, FileBatch};
use crate::format::index::OffsetIndex;
use crate::operations::reader::Reader;
use crate::state::log;
use crate::units::Offset;

/// What a look-up in a segment needs.
#[derive(Clone, Copy)]
pub(crate) struct SegmentLookup<'a> {
    /// The name of the `.log`.
    file: FileName,
    log: Bytes<'a>,
    index: OffsetIndex<'a>,
}

impl<'a> SegmentLookup<'a> {
    pub(crate) fn new(file: FileName, log: Bytes<'a>, index: OffsetIndex<'a>) -> SegmentLookup<'a> {
        SegmentLookup { file, log, index }
    }

    /// The batch with an offset, or the next one (Kafka: `FileRecords.searchForOffsetFromPosition`).
    pub(crate) fn find(&self, target: i64) -> Result<Option<FileBatch<'a>>, LogError> {
        // A damaged entry may lead below 0; the search begins at the start then.
        let start = u64::try_from(self.index.lookup(target).position).unwrap_or(0);
        let holds = |batch: &FileBatch<'_>| batch.header.last_offset() >= target;
        let mut before: Option<FileBatch<'a>> = None;
        for batch in batch::file_batches(self.log, start) {
            let batch = batch.map_err(|bad| corrupt(self.file, bad))?;
            let first = self.first_offset(&batch)?;
            if first == target {
                return Ok(Some(batch));
            }
            if first > target {
                return Ok(before.filter(holds).or(Some(batch)));
            }
            before = Some(batch);
        }
        Ok(before.filter(holds))
    }

    /// A batch's first offset, for which a compressed message of format v0 or v1 is opened; one that this model does not
    /// open counts as one that begins where it ends, which leads to the same batch.
    fn first_offset(&self, batch: &FileBatch<'_>) -> Result<i64, LogError> {
        if batch.header.magic >= 2 || !batch.header.is_compressed() {
            return Ok(batch.header.base_offset);
        }
        batch::first_offset(&batch.bytes()).or_else(|fault| match fault.class {
            FaultClass::NotModelled => Ok(batch.header.base_offset),
            _ => Err(LogError::Records {
                file: self.file,
                position: batch.position,
                fault,
            }),
        })
    }

    /// The offset behind the last batch; below 0 if that batch is damaged (Kafka: `LogSegment.readNextOffset`).
    pub(crate) fn next_offset(&self) -> Result<i64, LogError> {
        let mut next = self.file.base.get();
        if let Some(found) = self.find(self.index.last_offset())? {
            for batch in batch::file_batches(self.log, found.position) {
                next = batch.map_err(|bad| corrupt(self.file, bad))?.header.next_offset();
            }
        }
        Ok(next)
    }
}

impl<'a> Reader<'a> {
    /// The bytes of a live segment, its offset index opened for it.
    fn lookup_in(&mut self, base: Offset) -> Result<SegmentLookup<'a>, LogError> {
        let index = self.offset_index(base)?;
        Ok(SegmentLookup::new(log(base), self.state().log_bytes(base), index))
    }

    /// Where the batch with an offset starts, or the next one (Kafka: `LogSegment.translateOffset`).
    ///
    /// # Errors
    ///
    /// [`LogError::CorruptBatch`], if the search meets bytes that are no batch.
    pub(crate) fn position_of(&mut self, base: Offset, offset: Offset) -> Result<Option<u64>, LogError> {
        let found = self.lookup_in(base)?.find(offset.get())?;
        Ok(found.map(|batch| batch.position))
    }

    /// The base offset of the batch with an offset, or of the next one, and where it starts
    /// (Kafka: `FileRecords.LogOffsetPosition.fromBatch`).
    ///
    /// # Errors
    ///
    /// As [`Reader::position_of`].
    pub(crate) fn batch_at(&mut self, base: Offset, offset: Offset) -> Result<Option<(i64, u64)>, LogError> {
        let lookup = self.lookup_in(base)?;
        let Some(batch) = lookup.find(offset.get())? else {
            return Ok(None);
        };
        Ok(Some((lookup.first_offset(&batch)?, batch.position)))
    }

    /// The offset behind the last batch of a live segment.
    pub(crate) fn next_offset(&mut self, base: Offset) -> Result<i64, LogError> {
        self.lookup_in(base)?.next_offset()
    }
}

/// The refusal for bytes of a file that are no batch.
pub(crate) fn corrupt(file: FileName, bad: BadBatch) -> LogError {
    LogError::CorruptBatch {
        file,
        position: bad.position,
        reason: bad.reason,
    }
}
