//! How a broker ends: by a clean shutdown, or by a crash.

use crate::disk::Vfs;
use crate::error::LogError;
use crate::operations::partition::Partition;
use crate::operations::recorder::Recorder;
use crate::state::{MemoryChange, log};
use crate::step::{LoadStep, Step};

impl Partition {
    /// Shuts the broker down cleanly: the active segment gets its closing time entry, its indexes are cut to their entries,
    /// everything is on disk, the producers have a snapshot at the log end, and the marks are saved
    /// (Kafka: `LogManager.shutdown`, `UnifiedLog.prepareActiveSegmentForClose`, `flush(true)`, `close`).
    ///
    /// Files that wait for their removal stay until the next start.
    ///
    /// # Errors
    ///
    /// [`LogError::NotRunning`]. [`LogError::IndexTooSmall`] and [`LogError::Index`], if an index has to be made or closed
    /// and has no room: the broker ends all the same, and no mark is saved.
    pub fn stop(&mut self) -> Result<(), LogError> {
        self.serve(|recorder| {
            let outcome = recorder.close();
            let checkpointed = outcome.is_ok();
            recorder.remember(MemoryChange::Stopped { checkpointed });
            outcome
        })
    }

    /// Ends the broker as a power cut does: nothing is closed, cut or saved, and the last `lost` bytes of the active `.log`
    /// had not reached the disk; all its bytes, if it has fewer. 0 is a broker that was killed.
    ///
    /// # Errors
    ///
    /// [`LogError::NotRunning`].
    pub fn crash(&mut self, lost: u64) -> Result<(), LogError> {
        self.serve(|recorder| recorder.crash(lost))
    }
}

impl Recorder<'_> {
    fn close(&mut self) -> Result<(), LogError> {
        let active = self.active()?.base;
        self.become_inactive(active)?;
        // Up to and with the log end offset, so that an empty active segment at the log end is reached as well.
        let end = self.state().log_end();
        // Damaged files may end where offsets do: there is none behind.
        self.flush(end, end.checked_add(1).unwrap_or(end))?;
        self.take_snapshot()
    }

    fn crash(&mut self, lost: u64) -> Result<(), LogError> {
        let base = self.active()?.base;
        let size = self.state().segment_size(base);
        let lost = lost.min(size);
        if lost > 0 {
            self.note(Step::Load(LoadStep::Lost { base, lost }));
            self.file(|files| files.resize(log(base), size - lost))?;
        }
        self.remember(MemoryChange::Stopped { checkpointed: false });
        Ok(())
    }
}
