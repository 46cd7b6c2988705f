//! Reads a state without changing it, and collects the steps on the way.
//!
//! A broker opens an index when it is first read, and makes one whose file is missing. A reader goes on as if that had
//! happened, and notes it as the write that it is; who serves the read carries it out.

use crate::disk::{Bytes, FileChange, FileKind, FileName, Vfs, VfsError};
use crate::error::LogError;
use crate::format::index::{self, OffsetIndex};
use crate::state::{MemoryChange, PartitionState, Segment, log};
use crate::step::{Step, Trace};
use crate::units::{Offset, TimestampMs};

/// A read under way.
pub(crate) struct Reader<'a> {
    state: &'a PartitionState,
    steps: Vec<Step>,
    /// Indexes that this read has opened.
    opened: Vec<(Offset, FileKind)>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(state: &'a PartitionState) -> Reader<'a> {
        Reader {
            state,
            steps: Vec::new(),
            opened: Vec::new(),
        }
    }

    /// What is read.
    pub(crate) fn state(&self) -> &'a PartitionState {
        self.state
    }

    pub(crate) fn note(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// The entry of an offset index that was looked up last.
    pub(crate) fn last_entry(&self) -> Option<u32> {
        self.steps.iter().rev().find_map(|step| match step {
            Step::IndexLookedUp { entry_number, .. } => Some(*entry_number),
            _ => None,
        })?
    }

    /// The steps so far.
    pub(crate) fn into_steps(self) -> Vec<Step> {
        self.steps
    }

    pub(crate) fn segment(&self, base: Offset) -> Result<&'a Segment, LogError> {
        let found = self.state.segments().get(base);
        found.ok_or(LogError::Vfs(VfsError::NotFound(log(base))))
    }

    pub(crate) fn active(&self) -> Result<Offset, LogError> {
        let found = self.state.active();
        found.ok_or_else(|| LogError::Vfs(VfsError::NotFound(log(self.state.log_end()))))
    }

    /// Entries, bytes and capacity of an index, which is opened for it (Kafka: `LazyIndex.get`, `AbstractIndex`'s
    /// constructor). Of a file that is there all that it has room for counts as entries, even where nothing but zeros was
    /// written.
    ///
    /// # Errors
    ///
    /// [`LogError::IndexTooSmall`], if it has to be made and has no room.
    pub(crate) fn index_file(&mut self, base: Offset, kind: FileKind) -> Result<(u32, Bytes<'a>, u32), LogError> {
        let segment = self.segment(base)?;
        let (file, files) = (FileName::live(base, kind), self.state.files());
        let found = files.used(file).zip(files.apparent_size(file));
        let known = segment.entries(kind);
        let first = known.is_none() && !self.opened.contains(&(base, kind));
        if first {
            self.opened.push((base, kind));
        }
        let Some((bytes, size)) = found else {
            assert!(known.is_none(), "{file} is open, and gone");
            let (configured, entry) = (segment.index_bytes as u64, index::entry_size(kind));
            if configured < entry {
                return Err(LogError::IndexTooSmall {
                    size: configured,
                    entry,
                });
            }
            let apparent = configured / entry * entry;
            if first {
                self.note(Step::File(FileChange::Created {
                    file,
                    apparent,
                    modified: self.state.clock(),
                }));
            }
            return Ok((0, Bytes::default(), index::capacity(kind, apparent)));
        };
        let capacity = index::capacity(kind, size);
        if first {
            self.note(Step::Memory(MemoryChange::IndexEntries {
                base,
                kind,
                from: 0,
                to: capacity,
            }));
        }
        Ok((known.unwrap_or(capacity), bytes, capacity))
    }

    /// A segment's offset index, which is opened for it.
    pub(crate) fn offset_index(&mut self, base: Offset) -> Result<OffsetIndex<'a>, LogError> {
        let (entries, bytes, capacity) = self.index_file(base, FileKind::Index)?;
        Ok(OffsetIndex::new(base, bytes, entries, capacity))
    }

    /// A segment's largest timestamp so far, and the last offset of the batch that reached it; asked for the first time, it
    /// is read from the last entry of the time index (Kafka: `LogSegment.readMaxTimestampAndOffsetSoFar`).
    pub(crate) fn largest(&mut self, base: Offset) -> Result<Option<(TimestampMs, Offset)>, LogError> {
        let segment = self.segment(base)?;
        if segment.largest_known {
            return Ok(segment.largest);
        }
        self.index_file(base, FileKind::TimeIndex)?;
        let to = self.state.largest_of(segment);
        if to.is_some() {
            self.note(Step::Memory(MemoryChange::LargestRead { base, to }));
        }
        Ok(to)
    }
}

impl PartitionState {
    /// Reads what a running broker answers, with the steps.
    pub(crate) fn ask<'a, T>(
        &'a self,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T, LogError>,
    ) -> Result<Trace<T>, LogError> {
        if !self.running() {
            return Err(LogError::NotRunning { running: false });
        }
        let mut reader = Reader::new(self);
        let outcome = read(&mut reader)?;
        Ok(Trace {
            steps: reader.steps,
            outcome,
        })
    }
}
