//! A segment with offsets that its indexes have no numbers for, as brokers before 1.1.2 could write: it is divided into
//! segments that have (Kafka: `LogLoader.retryOnOffsetOverflow`, `LocalLog.splitOverflowedSegment`).

use crate::disk::{FileKind, FileName, Suffix, Vfs};
use crate::error::{LogError, SplitRefusal};
use crate::format::batch;
use crate::format::index::{IndexError, IndexReason, OffsetEntry, TimeEntry, capacity};
use crate::operations::batch_lookup::corrupt;
use crate::operations::load::start::Loader;
use crate::operations::recorder::Recorder;
use crate::state::{MemoryChange, log};
use crate::step::{LoadStep, Step};
use crate::units::{Offset, Position, RelativeOffset, TimestampMs};

/// A part of a segment that is divided.
struct SplitPart {
    base: Offset,
    /// Where its batches are in the old `.log`.
    bytes: core::ops::Range<u64>,
    index: Vec<u8>,
    time_index: Vec<u8>,
    /// Bytes behind the batch of the last entry.
    bytes_since_last_index_entry: u64,
}

/// Where the parts of a divided segment stand in the log.
pub(super) enum SplitPlace {
    /// The segment is about to be loaded, and no part of the log yet.
    Outside,
    /// It is one of the log's segments.
    InLog,
}

impl Recorder<'_> {
    /// Does something, and does it again each time that it has met a segment which had to be divided first.
    pub(super) fn retry_divided<T>(
        &mut self,
        loader: &mut Loader,
        place: SplitPlace,
        operation: impl Fn(&mut Self, &mut Loader) -> Result<T, LogError>,
    ) -> Result<T, LogError> {
        loop {
            match operation(self, loader) {
                Err(LogError::SegmentOffsetOverflow { base, .. }) => self.divide(base, &place)?,
                outcome => return outcome,
            }
        }
    }

    fn divide(&mut self, base: Offset, place: &SplitPlace) -> Result<(), LogError> {
        let next_offset = self.read(|reader| reader.next_offset(base))?;
        let last = Offset::new(next_offset.saturating_sub(1)).filter(|last| *last >= base);
        if last.is_none_or(|last| last.relative_to(base).is_some()) {
            let reason = SplitRefusal::LastOffsetFits { next_offset };
            return Err(LogError::CannotSplit { base, reason });
        }
        let parts = self.parts(base)?;
        let into: Vec<Offset> = parts.iter().map(|part| part.base).collect();
        self.note(Step::Load(LoadStep::Divided {
            base,
            into: into.clone(),
        }));
        for part in &parts {
            self.write_part(base, part)?;
        }
        for part in parts.iter().rev() {
            self.rename_part(part.base, Suffix::Cleaned, Suffix::Swap)?;
        }
        match place {
            SplitPlace::Outside => self.remember(MemoryChange::SegmentDropped { base }),
            SplitPlace::InLog => drop(self.delete_files(base)?),
        }
        for part in &parts {
            self.rename_part(part.base, Suffix::Swap, Suffix::None)?;
            self.add_segment(part.base);
            if part.bytes_since_last_index_entry > 0 {
                self.remember(MemoryChange::BytesSinceLastIndexEntry {
                    base: part.base,
                    from: 0,
                    to: part.bytes_since_last_index_entry,
                });
            }
        }
        if matches!(place, SplitPlace::InLog) && !into.contains(&base) {
            self.delete_snapshot(base)?;
        }
        Ok(())
    }

    /// The parts of a segment, each as long as its offsets allow; nothing is written.
    fn parts(&self, base: Offset) -> Result<Vec<SplitPart>, LogError> {
        let bytes = self.state().log_bytes(base);
        let refuse = |reason| Err(LogError::CannotSplit { base, reason });
        let mut parts = Vec::new();
        let mut position = 0;
        while position < bytes.len() {
            let first = match batch::file_batches(bytes, position).next() {
                Some(first) => first.map_err(|bad| corrupt(log(base), bad))?,
                None => return refuse(SplitRefusal::Torn { position }),
            };
            let offset = first.header.base_offset;
            let part_base = Offset::new(offset).ok_or(LogError::NegativeOffset {
                file: log(base),
                offset,
            })?;
            let part = self.part(part_base, base, position)?;
            if part.bytes.is_empty() {
                return refuse(SplitRefusal::BatchTooLong { position });
            }
            position = part.bytes.end;
            parts.push(part);
        }
        Ok(parts)
    }

    /// The part that begins at a byte of a segment, with its indexes as if its batches had been appended
    /// (Kafka: `LogSegment.appendFromFile`).
    fn part(&self, base: Offset, from: Offset, start: u64) -> Result<SplitPart, LogError> {
        let settings = self.state().settings();
        let interval = settings.index_interval_bytes as u64;
        let room = |kind| capacity(kind, settings.segment_index_bytes as u64) as usize;
        let full = |kind, entries: usize| {
            let entries = entries as u32;
            let reason = IndexReason::Full { entries };
            LogError::Index(IndexError { base, kind, reason })
        };
        let mut part = SplitPart {
            base,
            bytes: start..start,
            index: Vec::new(),
            time_index: Vec::new(),
            bytes_since_last_index_entry: 0,
        };
        let mut largest: Option<(TimestampMs, RelativeOffset)> = None;
        let mut written: Option<TimestampMs> = None;
        let bytes = self.state().log_bytes(from);
        for found in batch::file_batches(bytes, start) {
            let found = found.map_err(|bad| corrupt(log(from), bad))?;
            let last = Offset::new(found.header.last_offset());
            let Some(relative) = last.and_then(|last| last.relative_to(base)) else {
                break;
            };
            if let Some(timestamp) = TimestampMs::stored(found.header.max_timestamp)
                && largest.is_none_or(|(so_far, _)| timestamp > so_far)
            {
                largest = Some((timestamp, relative));
            }
            if part.bytes_since_last_index_entry > interval {
                let position = Position::new(part.bytes.end - start).ok_or(LogError::NumberTooLarge {
                    what: "the position in the .log",
                })?;
                let entries = part.index.len() / 8;
                if entries >= room(FileKind::Index) {
                    return Err(full(FileKind::Index, entries));
                }
                part.index.extend(OffsetEntry { relative, position }.to_bytes());
                let entries = part.time_index.len() / 12;
                if entries + 1 >= room(FileKind::TimeIndex) {
                    return Err(full(FileKind::TimeIndex, entries));
                }
                part.offer_time_entry(largest, &mut written);
                part.bytes_since_last_index_entry = 0;
            }
            part.bytes_since_last_index_entry += found.header.size;
            part.bytes.end += found.header.size;
        }
        part.offer_time_entry(largest, &mut written);
        Ok(part)
    }

    fn write_part(&mut self, from: Offset, part: &SplitPart) -> Result<(), LogError> {
        let modified = self.state().files().modified(log(from));
        let modified = modified.expect("a segment in the log has its .log");
        let bytes = self.state().log_bytes(from);
        let batches = bytes
            .window(part.bytes.start, part.bytes.end - part.bytes.start)
            .to_vec();
        for (kind, bytes) in [
            (FileKind::Log, &batches),
            (FileKind::Index, &part.index),
            (FileKind::TimeIndex, &part.time_index),
        ] {
            let file = FileName::live(part.base, kind).with(Suffix::Cleaned);
            self.file(|files| files.replace(file, bytes, modified))?;
        }
        Ok(())
    }

    fn rename_part(&mut self, base: Offset, from: Suffix, to: Suffix) -> Result<(), LogError> {
        for kind in FileKind::OF_EVERY_SEGMENT {
            let file = FileName::live(base, kind);
            self.file(|files| files.rename(file.with(from), file.with(to)))?;
        }
        Ok(())
    }
}

impl SplitPart {
    fn offer_time_entry(&mut self, largest: Option<(TimestampMs, RelativeOffset)>, written: &mut Option<TimestampMs>) {
        if let Some((timestamp, relative)) = largest.filter(|(timestamp, _)| Some(*timestamp) > *written) {
            self.time_index.extend(TimeEntry { timestamp, relative }.to_bytes());
            *written = Some(timestamp);
        }
    }
}
