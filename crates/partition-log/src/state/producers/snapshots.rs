//! Which snapshots are written, which are left over, and how the state is read from one again
//! (Kafka: `ProducerStateManager.takeSnapshot`, `removeStraySnapshots`, `truncateAndReload`).

use crate::format::producers::ProducerEntry;
use crate::rules::producers::{ExpiryCheck, SnapshotDecision};
use crate::state::producers::{ProducerChange, ProducerState};
use crate::units::{Offset, ProducerId};

/// How the state gets to an end offset that it is not at, or stays (Kafka: `ProducerStateManager.truncateAndReload`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reload {
    /// Log start offset.
    pub log_start: Offset,
    /// Log end offset.
    pub log_end: Offset,
    /// The state covers all records below this offset.
    pub map_end: Offset,
    /// Snapshots above the log end offset, or not above the log start offset: their files are deleted.
    pub removed: Vec<Offset>,
    /// The newest snapshot that stays.
    pub latest: Option<Offset>,
}

impl Reload {
    /// Whether the state is read again from a snapshot and the records behind it.
    pub fn from_snapshot(&self) -> bool {
        self.log_end != self.map_end
    }

    /// What changes, before a snapshot is read.
    pub fn changes(&self) -> Vec<ProducerChange> {
        let removed = self.removed.iter().copied();
        let mut changes: Vec<ProducerChange> = removed.map(ProducerChange::SnapshotRemoved).collect();
        if self.from_snapshot() {
            changes.push(ProducerChange::Cleared);
        } else {
            let end = (self.map_end < self.log_start).then_some(self.log_start);
            changes.extend(log_start_changes(self.log_start, end, self.latest));
        }
        changes
    }
}

impl ProducerState {
    /// The snapshots, in order.
    pub fn snapshots(&self) -> &[Offset] {
        self.snapshots.as_slices().0
    }

    /// The newest snapshot, as far as taking the next one goes.
    pub fn last_snapshot(&self) -> Offset {
        self.last_snapshot
    }

    /// Whether a snapshot is due. If one is written, [`ProducerChange::SnapshotTaken`] follows.
    pub fn snapshot_decision(&self) -> SnapshotDecision {
        SnapshotDecision {
            map_end: self.map_end,
            last_snapshot: self.last_snapshot,
        }
    }

    /// The snapshots below an offset (Kafka: `ProducerStateManager.deleteSnapshotsBefore`).
    pub fn snapshots_before(&self, offset: Offset) -> &[Offset] {
        let below = self.snapshots.partition_point(|snapshot| *snapshot < offset);
        &self.snapshots()[..below]
    }

    /// How the state gets to this end. Where it is read again, the caller tries [`Reload::latest`], then what is left
    /// after [`ProducerChange::SnapshotRemoved`], with [`ProducerState::load`], and at last
    /// [`ProducerState::start_without_snapshot`].
    pub fn reload(&self, log_start: Offset, log_end: Offset) -> Reload {
        let stays = |snapshot: &&Offset| **snapshot <= log_end && **snapshot > log_start;
        let removed = self.snapshots.iter().filter(|snapshot| !stays(snapshot));
        Reload {
            log_start,
            log_end,
            map_end: self.map_end,
            removed: removed.copied().collect(),
            latest: self.snapshots.iter().rfind(stays).copied(),
        }
    }

    /// What changes when the snapshot at an offset is read: expired producers are passed over
    /// (Kafka: `ProducerStateManager.loadFromSnapshot`). Unit of `now`: milliseconds.
    pub fn load(
        snapshot: Offset,
        entries: Vec<(ProducerId, ProducerEntry)>,
        now: i64,
        expiration_ms: i32,
    ) -> Vec<ProducerChange> {
        let kept = entries
            .into_iter()
            .filter(|(producer_id, entry)| !ExpiryCheck::of(*producer_id, entry, now, expiration_ms).expired());
        let loaded = kept.map(|(producer_id, entry)| ProducerChange::Loaded { producer_id, entry });
        loaded
            .chain([ProducerChange::LastSnapshot(snapshot), ProducerChange::MapEnd(snapshot)])
            .collect()
    }

    /// What changes when no snapshot can be read: the records tell it all, from the log start offset on.
    pub fn start_without_snapshot(log_start: Offset) -> [ProducerChange; 2] {
        [
            ProducerChange::LastSnapshot(log_start),
            ProducerChange::MapEnd(log_start),
        ]
    }

    /// What changes when the whole log is given up and goes on at an offset: the files of all
    /// [`ProducerState::snapshots`] are deleted (Kafka: `ProducerStateManager.truncateFullyAndStartAt`).
    pub fn truncate_fully(offset: Offset) -> [ProducerChange; 4] {
        [
            ProducerChange::Cleared,
            ProducerChange::SnapshotsListed(Vec::new()),
            ProducerChange::LastSnapshot(Offset::ZERO),
            ProducerChange::MapEnd(offset),
        ]
    }

    /// What changes when the log start offset moves up (Kafka: `ProducerStateManager.onLogStartOffsetIncremented`).
    pub fn on_log_start(&self, log_start: Offset) -> Vec<ProducerChange> {
        let end = (self.map_end < log_start).then_some(log_start);
        log_start_changes(log_start, end, self.snapshots().last().copied()).collect()
    }
}

fn log_start_changes(
    log_start: Offset,
    map_end: Option<Offset>,
    latest: Option<Offset>,
) -> impl Iterator<Item = ProducerChange> {
    let replicated = [ProducerChange::Replicated { below: log_start }].into_iter();
    let end = map_end.map(ProducerChange::MapEnd);
    let last = ProducerChange::LastSnapshot(latest.unwrap_or(log_start));
    replicated.chain(end).chain([last])
}
