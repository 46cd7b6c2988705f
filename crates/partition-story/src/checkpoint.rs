//! Machines to run on from, so that a frame can be made without a state kept for each.

use crate::machine::Machine;

/// Operations between two checkpoints at first.
const STRIDE: u64 = 16;

/// Bytes of log that all checkpoints may hold together.
const CHECKPOINT_BYTES: u64 = 16 << 20;

/// Machines to run on from: the first one always, later ones further apart the larger they are.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoints {
    /// The number of the operation that comes next, and the machine.
    kept: Vec<(u64, Machine)>,
    stride: u64,
    bytes: u64,
}

impl Checkpoints {
    pub fn new(machine: Machine) -> Checkpoints {
        Checkpoints {
            kept: vec![(0, machine)],
            stride: STRIDE,
            bytes: 0,
        }
    }

    /// The empty partition, before operation 0.
    pub fn first(&self) -> &(u64, Machine) {
        &self.kept[0]
    }

    pub fn before(&self, operation: u64) -> &(u64, Machine) {
        let later = self.kept.partition_point(|(at, _)| *at <= operation);
        // The first one is that of operation 0.
        &self.kept[later.saturating_sub(1)]
    }

    /// Offers the machine as it is before an operation.
    pub fn offer(&mut self, operation: u64, machine: &Machine) {
        if operation == 0 || !operation.is_multiple_of(self.stride) {
            return;
        }
        self.bytes += weight(machine);
        self.kept.push((operation, machine.clone()));
        while self.bytes > CHECKPOINT_BYTES && self.kept.len() > 1 {
            self.stride = self.stride.saturating_mul(2);
            let stride = self.stride;
            self.kept.retain(|(at, _)| at.is_multiple_of(stride));
            self.bytes = self.kept.iter().skip(1).map(|(_, machine)| weight(machine)).sum();
        }
    }
}

/// Bytes that a machine holds, roughly.
fn weight(machine: &Machine) -> u64 {
    const SEGMENT: u64 = 1024;
    let state = machine.partition.state();
    state.log_size() + state.deleted_size() + SEGMENT * state.bases().count() as u64
}
