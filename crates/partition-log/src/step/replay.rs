//! A recorded write, done again.

use crate::disk::VfsError;
use crate::state::PartitionState;
use crate::step::Step;

impl PartitionState {
    /// Repeats a recorded write; probes and decisions change nothing.
    ///
    /// # Errors
    ///
    /// [`VfsError`], when the step was not recorded on this state.
    pub fn apply(&mut self, step: &Step) -> Result<(), VfsError> {
        match step {
            Step::File(change) => self.apply_file(change),
            Step::Memory(change) => {
                self.apply_memory(change);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
