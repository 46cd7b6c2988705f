//! Which snapshots are written, and which are left over (Kafka: `ProducerStateManager.takeSnapshot`,
//! `removeStraySnapshots`).

use std::collections::BinaryHeap;

use crate::units::Offset;

/// Whether a snapshot is written (Kafka: `ProducerStateManager.takeSnapshot`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotDecision {
    /// The state covers all records below this offset: the name of the file.
    pub map_end: Offset,
    /// The newest snapshot.
    pub last_snapshot: Offset,
}

impl SnapshotDecision {
    /// The state has moved on since the newest snapshot.
    pub fn write(&self) -> bool {
        self.map_end > self.last_snapshot
    }
}

/// The snapshots, in order, that no segment begins at, but for the newest of these: that one stays if it is above every
/// base offset, as the one of a clean shutdown is, or if there is no segment (Kafka: `removeStraySnapshots`).
pub fn stray_snapshots(snapshots: &[Offset], bases: &[Offset]) -> Vec<Offset> {
    let unclaimed = snapshots.iter().filter(|snapshot| !bases.contains(snapshot));
    // A heap sorts with a tenth of the code of a slice's own sort.
    let mut stray = BinaryHeap::from_iter(unclaimed.copied()).into_sorted_vec();
    let last_base = bases.iter().max();
    if stray
        .last()
        .is_some_and(|newest| last_base.is_none_or(|base| newest >= base))
    {
        stray.pop();
    }
    stray
}
