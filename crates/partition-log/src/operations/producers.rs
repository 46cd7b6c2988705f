//! What an append means for its producers, and the snapshots of their state (Kafka: `UnifiedLog.append`,
//! `ProducerStateManager`).

use core::ops::Deref;

use crate::disk::{FileKind, FileName, Vfs};
use crate::error::LogError;
use crate::format::batch::{self, Content, Depth, RECORD_SIZE_MAX, RawHeader};
use crate::format::index::{AbortedTransaction, TransactionIndex};
use crate::format::producers::{EndMarker, MarkerError, decode_snapshot, encode_snapshot};
use crate::operations::append::Arrival;
use crate::operations::batch_lookup::corrupt;
use crate::operations::recorder::Recorder;
use crate::rules::producers::{BatchKind, Place, ProducerBatch, Unstable};
use crate::rules::validate::AppendOrigin;
use crate::state::producers::{PlannedAppend, ProducerAppend, ProducerChange, ProducerState};
use crate::state::{MemoryChange, log};
use crate::step::Step;
use crate::units::{Offset, Position};

/// What the state of the producers is read from.
pub(crate) struct ProducerRebuild<'a> {
    /// The segments, by their base offsets, oldest first.
    pub(crate) bases: &'a [Offset],
    /// Records below it do not count.
    pub(crate) log_start: Offset,
    /// The state is to tell of all below it.
    pub(crate) last: Offset,
    /// Whether the broker starts after a clean shutdown.
    pub(crate) clean_start: bool,
}

impl Recorder<'_> {
    /// Remembers a change of the producers, unless it changes nothing.
    pub(crate) fn change_producers(&mut self, change: ProducerChange) {
        let producers = self.state().producers();
        let idle = match &change {
            ProducerChange::MapEnd(to) => producers.map_end() == *to,
            ProducerChange::LastSnapshot(to) => producers.last_snapshot() == *to,
            ProducerChange::FirstUnstable(to) => producers.unstable() == *to,
            ProducerChange::Replicated { below } => producers.on_high_watermark(*below).is_none(),
            _ => false,
        };
        if !idle {
            self.remember(MemoryChange::Producers(change));
        }
    }

    /// What the batches of an append do to their producers (Kafka: `UnifiedLog.analyzeAndValidateProducerState`).
    pub(crate) fn plan_producers(
        &mut self,
        arrival: &Arrival,
        base: Offset,
        position: Position,
    ) -> Result<PlannedAppend, LogError> {
        let mut found = batch::raw_batches(&arrival.bytes, 0)
            .map_while(Result::ok)
            .filter(|found| found.header.has_producer_id())
            .peekable();
        if found.peek().is_none() {
            return Ok(PlannedAppend::default());
        }
        let batches: Vec<ProducerBatch> = found
            .filter_map(|found| {
                let place = position.checked_add(found.position);
                let place = place.map(|position| Place { base, position });
                producer_batch(&found.header, || found.bytes, place)
            })
            .collect();
        let append = ProducerAppend {
            origin: arrival.origin,
            transaction_version: arrival.transaction_version,
            verify: false,
            guard: None,
        };
        let mut decisions = Vec::new();
        let planned = self
            .state()
            .producers()
            .plan_append(&batches, &append, &mut |decision| decisions.push(decision));
        decisions
            .into_iter()
            .for_each(|decision| self.note(Step::ProducerDecided(decision)));
        planned.map_err(|refused| {
            let changes = refused.changes.iter().cloned();
            changes.for_each(|change| self.change_producers(change));
            refused.into()
        })
    }

    /// Settles the first unstable offset anew (Kafka: `UnifiedLog.maybeIncrementFirstUnstableOffset`).
    pub(crate) fn settle_first_unstable(&mut self) -> Result<(), LogError> {
        let mut settled = self.state().producers().first_unstable(self.state().log_start());
        if let Some(offset) = settled.lookup() {
            let found = self.locate(offset)?;
            settled.found = found.map(|(offset, place)| Unstable {
                offset,
                place: Some(place),
            });
        }
        self.change_producers(ProducerChange::FirstUnstable(settled.unstable()));
        Ok(())
    }

    /// Carries out what was planned, once the batches are written: an aborted transaction gets its entry in the index of
    /// the segment that holds its marker (Kafka: `UnifiedLog.append`, `LogSegment.updateTxnIndex`).
    pub(crate) fn take_over(&mut self, planned: PlannedAppend, base: Offset) -> Result<(), LogError> {
        planned
            .changes
            .into_iter()
            .for_each(|change| self.change_producers(change));
        for completed in planned.completed {
            let next = self.state().producers().next_stable(completed);
            self.note(Step::TransactionEnded {
                completed,
                last_stable: next.offset(),
            });
            if let Some(entry) = next.aborted_entry() {
                self.append_aborted(base, entry)?;
            }
            let change = self.state().producers().complete(completed)?;
            self.change_producers(change);
        }
        self.settle_first_unstable()
    }

    /// Adds an entry to a segment's transaction index, whose file is made for its first (Kafka: `TransactionIndex.append`).
    pub(crate) fn append_aborted(&mut self, base: Offset, entry: AbortedTransaction) -> Result<(), LogError> {
        let file = FileName::live(base, FileKind::TxnIndex);
        let now = self.state().clock();
        match self.state().files().used(file) {
            Some(bytes) => {
                let last = TransactionIndex::new(base, bytes).entries().last();
                let last = last.and_then(Result::ok).map(|(_, entry)| entry.last_offset);
                TransactionIndex::check_append(base, last, &entry)?;
            }
            None => self.file(|files| files.create(file, 0, now))?,
        }
        self.file(|files| files.append(file, &entry.to_bytes(), now))?;
        Ok(())
    }

    /// Reads the state of the producers again, so that it tells of all below `last` in the whole log.
    pub(crate) fn rebuild_producers(&mut self, last: Offset) -> Result<(), LogError> {
        let bases: Vec<Offset> = self.state().bases().collect();
        self.rebuild_producers_from(&ProducerRebuild {
            bases: &bases,
            log_start: self.state().log_start(),
            last,
            clean_start: false,
        })
    }

    /// Reads the state of the producers again, from a snapshot and the records behind it; from a clean start without any
    /// snapshot there is nothing to tell (Kafka: `UnifiedLog.rebuildProducerState`).
    pub(crate) fn rebuild_producers_from(&mut self, rebuild: &ProducerRebuild<'_>) -> Result<(), LogError> {
        let ProducerRebuild { bases, last, .. } = *rebuild;
        let newest = bases.len().saturating_sub(2);
        let snapshots_at = &bases[newest..];
        if rebuild.clean_start && self.state().producers().snapshots().is_empty() {
            for offset in snapshots_at.iter().copied().chain([last]) {
                self.change_producers(ProducerChange::MapEnd(offset));
                self.take_snapshot()?;
            }
            return Ok(());
        }
        let was_empty = self.state().producers().is_empty() && self.state().producers().map_end() >= last;
        self.reload_producers(rebuild.log_start, last)?;
        if last > self.state().producers().map_end() && !was_empty {
            let floor = |offset| bases.iter().rfind(|base| **base <= offset).copied();
            let last_segment = floor(last);
            let first = floor(self.state().producers().map_end());
            let replayed = bases
                .iter()
                .filter(|base| first.is_none_or(|first| **base >= first) && **base < last);
            for base in replayed.copied() {
                let start = base.max(self.state().producers().map_end()).max(rebuild.log_start);
                self.change_producers(ProducerChange::MapEnd(start));
                if snapshots_at.contains(&base) {
                    self.take_snapshot()?;
                }
                let size = self.state().segment_size(base);
                let end = if last_segment == Some(base) {
                    self.read(|reader| reader.position_of(base, last))?.unwrap_or(size)
                } else {
                    size
                };
                if let Some(position) = self.read(|reader| reader.position_of(base, start))? {
                    self.load_producers(base, position, end)?;
                }
            }
        }
        self.change_producers(ProducerChange::MapEnd(last));
        self.take_snapshot()
    }

    /// Drops the snapshots that do not fit and reads the newest one that can be read (Kafka:
    /// `ProducerStateManager.truncateAndReload`, `loadFromSnapshot`).
    fn reload_producers(&mut self, log_start: Offset, log_end: Offset) -> Result<(), LogError> {
        let reload = self.state().producers().reload(log_start, log_end);
        for removed in &reload.removed {
            self.remove_if_there(FileName::live(*removed, FileKind::Snapshot))?;
        }
        reload
            .changes()
            .into_iter()
            .for_each(|change| self.change_producers(change));
        if !reload.from_snapshot() {
            return Ok(());
        }
        let now = self.state().clock().get();
        let expiration = self.state().settings().producer_id_expiration_ms;
        let expiration = i32::try_from(expiration).expect("the setting takes no more than 31 bits");
        while let Some(snapshot) = self.state().producers().snapshots().last().copied() {
            let file = FileName::live(snapshot, FileKind::Snapshot);
            let bytes = self.state().files().read(file);
            match decode_snapshot(&bytes.unwrap_or_else(|| panic!("{file} is listed, and gone"))) {
                Ok(entries) => {
                    let changes = ProducerState::load(snapshot, entries, now, expiration);
                    changes.into_iter().for_each(|change| self.change_producers(change));
                    return Ok(());
                }
                Err(reason) => {
                    self.note(Step::SnapshotCorrupt {
                        offset: snapshot,
                        reason,
                    });
                    self.remove_if_there(file)?;
                    self.change_producers(ProducerChange::SnapshotRemoved(snapshot));
                }
            }
        }
        let changes = ProducerState::start_without_snapshot(log_start);
        changes.into_iter().for_each(|change| self.change_producers(change));
        Ok(())
    }

    /// Takes over what the batches between two positions of a segment tell (Kafka: `UnifiedLog.loadProducersFromRecords`).
    fn load_producers(&mut self, base: Offset, position: u64, end: u64) -> Result<(), LogError> {
        if end < position {
            let position = end as i64 - position as i64;
            return Err(LogError::NotInFile {
                file: log(base),
                position,
            });
        }
        let bytes = self.state().log_bytes(base);
        let mut batches: Vec<ProducerBatch> = Vec::new();
        for found in batch::file_batches(bytes.up_to(end), position) {
            let found = found.map_err(|bad| corrupt(log(base), bad))?;
            batches.extend(producer_batch(&found.header, || found.bytes(), None));
        }
        let append = ProducerAppend {
            origin: AppendOrigin::Replication,
            transaction_version: Some(0),
            verify: false,
            guard: None,
        };
        let planned = self.state().producers().plan_append(&batches, &append, &mut |_| {})?;
        planned
            .changes
            .into_iter()
            .for_each(|change| self.change_producers(change));
        for completed in planned.completed {
            let change = self.state().producers().complete(completed)?;
            self.change_producers(change);
        }
        Ok(())
    }

    /// Writes a snapshot, if the producers have written since the last one (Kafka: `ProducerStateManager.takeSnapshot`).
    pub(crate) fn take_snapshot(&mut self) -> Result<(), LogError> {
        let decision = self.state().producers().snapshot_decision();
        if !decision.write() {
            return Ok(());
        }
        let bytes = encode_snapshot(self.state().producers().entries());
        self.replace_file(FileName::live(decision.map_end, FileKind::Snapshot), &bytes)?;
        self.change_producers(ProducerChange::SnapshotTaken(decision.map_end));
        Ok(())
    }

    /// A new segment begins with a snapshot of what is known up to its base (Kafka: `UnifiedLog.roll`).
    pub(crate) fn snapshot_at_roll(&mut self, base: Offset) -> Result<(), LogError> {
        self.change_producers(ProducerChange::MapEnd(base));
        self.take_snapshot()
    }
}

/// What the state of the producers has to know of a batch; nothing without a producer id.
pub(crate) fn producer_batch<B: Deref<Target = [u8]>>(
    header: &RawHeader,
    bytes: impl FnOnce() -> B,
    place: Option<Place>,
) -> Option<ProducerBatch> {
    if !header.has_producer_id() {
        return None;
    }
    let kind = if header.is_control() {
        marker(&bytes())
    } else {
        BatchKind::Data
    };
    ProducerBatch::of(header, kind, place)
}

/// The marker in a control batch, whose checksum is not looked at (Kafka: `ProducerAppendInfo.append`).
fn marker(bytes: &[u8]) -> BatchKind {
    let unreadable = |fault| BatchKind::NoMarker(MarkerError::Unreadable(fault));
    let mut records = match batch::deep_records(bytes, Depth::Content, RECORD_SIZE_MAX) {
        Ok(records) => records,
        Err(fault) => return unreadable(fault),
    };
    match records.next() {
        None => BatchKind::EmptyControl,
        Some(Err(fault)) => unreadable(fault),
        Some(Ok(record)) => match record.content.unwrap_or(Ok(Content::default())) {
            Ok(content) => BatchKind::control(content.key.as_deref(), content.value.as_deref(), record.timestamp),
            Err(fault) => unreadable(fault),
        },
    }
}

/// Whether a control batch is the marker of an aborted transaction.
pub(crate) fn is_abort(bytes: &[u8]) -> bool {
    matches!(marker(bytes), BatchKind::Marker(EndMarker { commit: false, .. }))
}

#[cfg(test)]
mod tests {
    use crate::config::Settings;
    use crate::format::batch::{NewBatch, NewProducer};
    use crate::{Offset, Partition};

    #[test]
    fn a_log_start_within_a_transactions_batch_leaves_its_first_offset_unstable() {
        let mut partition = Partition::create(Settings::default(), 0).expect("a partition");
        let batch = NewBatch::Batch {
            records: 10,
            size: 200,
            timestamp: None,
            key: None,
            headers: 0,
            producer: Some(NewProducer {
                id: 1,
                epoch: 0,
                sequence: 0,
                transactional: true,
            }),
        };
        partition.append(&batch).expect("appended");
        let start = Offset::new(5).expect("not negative");
        partition.delete_records(start).expect("moved");
        let state = partition.state();
        assert_eq!(
            (state.first_unstable(), state.last_stable()),
            (Some(Offset::ZERO), Offset::ZERO)
        );
    }
}
