//! The offsets that a broker saves now and then: what a start would find of them.

use crate::state::PartitionState;
use crate::units::{Offset, TimestampMs};

/// A mark that the broker saves now and then, so that a start finds it again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Checkpoint {
    /// As it was saved when the mark last moved.
    pub(crate) saved: Offset,
    /// When the mark last moved.
    pub(crate) moved: TimestampMs,
}

impl PartitionState {
    /// What `recovery-point-offset-checkpoint` says: all below it was on disk when it was last saved.
    pub fn saved_recovery_point(&self) -> Offset {
        let interval = self.settings.recovery_checkpoint_ms;
        self.saved(self.recovery_checkpoint, self.recovery_point, interval)
    }

    /// What `log-start-offset-checkpoint` says; 0 where it does not name the partition.
    pub fn saved_log_start(&self) -> Offset {
        let interval = self.settings.start_offset_checkpoint_ms;
        self.saved(self.start_checkpoint, self.log_start_to_save(), interval)
    }

    /// What `replication-offset-checkpoint` says, which keeps the high watermark.
    pub fn saved_high_watermark(&self) -> Offset {
        let interval = self.settings.watermark_checkpoint_ms;
        self.saved(self.watermark_checkpoint, self.high_watermark, interval)
    }

    /// The log start offset is saved only where it is not the base of the first segment anyway
    /// (Kafka: `LogManager.checkpointLogStartOffsetsInDir`).
    fn log_start_to_save(&self) -> Offset {
        let first = self.segments.keys().next();
        if first.is_some_and(|first| self.log_start > first) {
            self.log_start
        } else {
            Offset::ZERO
        }
    }

    /// A mark as a start would find it if the broker ended now: its value at the last time when the broker saved it.
    fn saved(&self, checkpoint: Checkpoint, now_at: Offset, interval_ms: i64) -> Offset {
        let delay = self.started.get().saturating_add(self.settings.initial_task_delay_ms);
        let runs = |time: TimestampMs| match time.get() - delay {
            past if past <= 0 => 0,
            past => (past - 1) / interval_ms.max(1) + 1,
        };
        if self.running && runs(self.clock) > runs(checkpoint.moved) {
            now_at
        } else {
            checkpoint.saved
        }
    }

    /// What a checkpoint says, where its mark moves now.
    pub(super) fn frozen(&self, saved: Offset) -> Checkpoint {
        Checkpoint {
            saved,
            moved: self.clock,
        }
    }

    /// Saves the three marks, as a broker does at a clean shutdown; one that is gone leaves them as it saved them last.
    pub(super) fn save_checkpoints(&mut self, clean: bool) {
        let [recovery_point, log_start, high_watermark] = if clean {
            [self.recovery_point, self.log_start_to_save(), self.high_watermark]
        } else {
            let log_start = self.saved_log_start();
            [self.saved_recovery_point(), log_start, self.saved_high_watermark()]
        };
        self.recovery_checkpoint = self.frozen(recovery_point);
        self.start_checkpoint = self.frozen(log_start);
        self.watermark_checkpoint = self.frozen(high_watermark);
    }
}
