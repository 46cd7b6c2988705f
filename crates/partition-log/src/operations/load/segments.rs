//! Which files of a directory are segments of the log (Kafka: `LogLoader.removeTempFilesAndCollectSwapFiles`, `load`,
//! `loadSegmentFiles`).

use std::collections::BinaryHeap;

use crate::disk::{FileKind, FileName, Suffix, Vfs};
use crate::error::LogError;
use crate::format::index::{self, OffsetIndex, TransactionIndex, TransactionIndexReason};
use crate::operations::batch_lookup::SegmentLookup;
use crate::operations::load::start::Loader;
use crate::operations::recorder::Recorder;
use crate::state::{MemoryChange, log};
use crate::step::{DistrustReason, LoadStep, Step};
use crate::units::Offset;

impl Recorder<'_> {
    /// The files, in the order of their names.
    fn names(&self) -> Vec<FileName> {
        let names = self.state().files().list().into_iter();
        let keyed = names.map(|name| (name.base, name.kind.extension(), name.suffix, name));
        // A heap sorts with a tenth of the code of a slice's own sort.
        let sorted = BinaryHeap::from_iter(keyed).into_sorted_vec().into_iter();
        sorted.map(|(.., name)| name).collect()
    }

    /// Removes what waits for its removal, and what a rewrite has left half done; puts in place what it had finished.
    pub(super) fn settle_temporary_files(&mut self) -> Result<(), LogError> {
        let names = self.names();
        let with = |suffix| names.iter().copied().filter(move |name| name.suffix == suffix);
        for name in with(Suffix::Deleted) {
            self.file(|files| files.remove(name))?;
        }
        // A replacement is written from its end to its front: what lies above one that is not finished is not either.
        let unfinished = with(Suffix::Cleaned).map(|name| name.base).min();
        for name in with(Suffix::Swap) {
            if unfinished.is_some_and(|unfinished| name.base >= unfinished) {
                self.file(|files| files.remove(name))?;
            }
        }
        for name in with(Suffix::Cleaned) {
            self.file(|files| files.remove(name))?;
        }
        self.remove_replaced()?;
        for name in self.names().into_iter().filter(|name| name.suffix == Suffix::Swap) {
            self.file(|files| files.rename(name, name.with(Suffix::None)))?;
        }
        Ok(())
    }

    /// Removes the files that the finished replacements take the place of.
    fn remove_replaced(&mut self) -> Result<(), LogError> {
        let mut range: Option<(Offset, i64)> = None;
        let names = self.names();
        for name in names {
            if (name.kind, name.suffix) == (FileKind::Log, Suffix::Swap) {
                let next_offset = self.next_offset_of_replacement(name.base)?;
                self.note(Step::Load(LoadStep::ReplacementFound {
                    file: name,
                    next_offset,
                }));
                let (low, high) = range.unwrap_or((name.base, next_offset));
                range = Some((low.min(name.base), high.max(next_offset)));
            }
        }
        let Some((low, high)) = range else { return Ok(()) };
        for name in self.names() {
            let replaced = name.base >= low && name.base.get() < high;
            if replaced && name.suffix != Suffix::Swap && name.kind != FileKind::LeaderEpochs {
                self.file(|files| files.remove(name))?;
            }
        }
        Ok(())
    }

    /// The offset behind the last batch of a `.log.swap`; its index is made if there is none.
    fn next_offset_of_replacement(&mut self, base: Offset) -> Result<i64, LogError> {
        let swap = |kind| FileName::live(base, kind).with(Suffix::Swap);
        let file = swap(FileKind::Index);
        let entries = match self.state().files().apparent_size(file) {
            Some(size) => index::capacity(FileKind::Index, size),
            None => {
                let size = self.state().settings().segment_index_bytes as u64;
                let entry = index::entry_size(FileKind::Index);
                if size < entry {
                    return Err(LogError::IndexTooSmall { size, entry });
                }
                let now = self.state().clock();
                self.file(|files| files.create(file, size / entry * entry, now))?;
                0
            }
        };
        // Its indexes need not be there.
        let used = |kind| self.state().files().used(swap(kind)).unwrap_or_default();
        let index = OffsetIndex::new(base, used(FileKind::Index), entries, entries);
        SegmentLookup::new(swap(FileKind::Log), used(FileKind::Log), index).next_offset()
    }

    /// Opens a segment for each `.log`, and recovers those whose indexes cannot be trusted.
    pub(super) fn load_segments(&mut self, loader: &mut Loader) -> Result<(), LogError> {
        for name in self.names() {
            if name.suffix != Suffix::None {
                continue;
            }
            match name.kind {
                FileKind::Index | FileKind::TimeIndex | FileKind::TxnIndex => {
                    if self.state().files().apparent_size(log(name.base)).is_none() {
                        self.note(Step::Load(LoadStep::OrphanFound { file: name }));
                        self.file(|files| files.remove(name))?;
                    }
                }
                FileKind::Log => self.load_segment(loader, name.base)?,
                FileKind::Snapshot | FileKind::LeaderEpochs => {}
            }
        }
        Ok(())
    }

    fn load_segment(&mut self, loader: &mut Loader, base: Offset) -> Result<(), LogError> {
        let older: Vec<Offset> = self.state().bases().collect();
        let size = self.state().segment_size(base);
        if size > i32::MAX as u64 {
            return Err(LogError::SegmentTooLarge { file: log(base), size });
        }
        self.add_segment(base);
        if let Some(reason) = self.check_sanity(base)? {
            self.note(Step::Load(LoadStep::IndexDistrusted { base, reason }));
            // The segment is no part of the log yet when its producers are read (Kafka: `loadSegmentFiles`).
            self.recover_segment(loader, base, &older)?;
        }
        Ok(())
    }

    /// Why the indexes of a segment cannot be used as they are, if they cannot. A time index that is not there is made
    /// without any room (Kafka: `LogSegment.sanityCheck`).
    fn check_sanity(&mut self, base: Offset) -> Result<Option<DistrustReason>, LogError> {
        let size = |kind| self.state().files().apparent_size(FileName::live(base, kind));
        if size(FileKind::Index).is_none() {
            return Ok(Some(DistrustReason::Missing));
        }
        if size(FileKind::TimeIndex).is_none() {
            self.resize_index(base, FileKind::TimeIndex, 0)?;
        }
        let transactions = self.state().files().used(FileName::live(base, FileKind::TxnIndex));
        // Most segments have no such file.
        match TransactionIndex::new(base, transactions.unwrap_or_default()).check_sanity() {
            Ok(()) => Ok(None),
            Err(error) if matches!(error.reason, TransactionIndexReason::BelowBase { .. }) => {
                Ok(Some(DistrustReason::Transactions(error)))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Takes the segments out of memory that are there for a start that has to begin anew.
    pub(super) fn drop_segments(&mut self) {
        let bases: Vec<Offset> = self.state().bases().collect();
        for base in bases {
            self.remember(MemoryChange::SegmentDropped { base });
        }
    }
}
