//! A consumer group that comes back: its committed offset, and where it goes on if that is gone.

use crate::error::LogError;
use crate::operations::partition::{Partition, ReadOutcome};
use crate::operations::read::FetchOptions;
use crate::operations::recorder::Recorder;
use crate::rules::fetch::{Isolation, RangeAnswer};
use crate::rules::reset::{ResetDecision, ResetPolicy, ResetReason};
use crate::step::Step;
use crate::units::{Offset, TimestampMs};

impl Partition {
    /// The group comes back and fetches at its committed offset. Where that offset is gone, or there is none, its reset
    /// policy decides where it goes on, and the next fetch reads there.
    ///
    /// # Errors
    ///
    /// Under the policy `none`: [`LogError::OffsetOutOfRange`], or [`LogError::NoOffsetForPartition`] without a
    /// committed offset.
    pub fn fetch_committed(&mut self, limit: Option<u64>) -> Result<ReadOutcome, LogError> {
        self.fetch_committed_with(FetchOptions::limited(limit))
    }

    /// The same with any isolation.
    ///
    /// # Errors
    ///
    /// As [`Partition::fetch_committed`].
    pub fn fetch_committed_with(&mut self, options: FetchOptions) -> Result<ReadOutcome, LogError> {
        self.serve(|recorder| recorder.resume(recorder.state().committed(), options))
    }

    /// The consumer fetches at its own offset; before its first fetch at the committed one.
    ///
    /// # Errors
    ///
    /// As [`Partition::fetch_committed`].
    pub fn fetch_next(&mut self, limit: Option<u64>) -> Result<ReadOutcome, LogError> {
        self.fetch_next_with(FetchOptions::limited(limit))
    }

    /// The same with any isolation.
    ///
    /// # Errors
    ///
    /// As [`Partition::fetch_committed`].
    pub fn fetch_next_with(&mut self, options: FetchOptions) -> Result<ReadOutcome, LogError> {
        self.serve(|recorder| recorder.resume(recorder.state().consumer().or(recorder.state().committed()), options))
    }
}

impl Recorder<'_> {
    fn resume(&mut self, offset: Option<Offset>, options: FetchOptions) -> Result<ReadOutcome, LogError> {
        let Some(requested) = offset else {
            return self.reset(ResetReason::NoCommittedOffset);
        };
        self.move_consumer(Some(requested));
        let range = self.range(requested, options.isolation);
        if range.answer() == RangeAnswer::OutOfRange {
            self.note(Step::FetchRangeDecided(range));
            return self.reset(ResetReason::OutOfRange { requested });
        }
        self.fetch(requested, options)
    }

    fn reset(&mut self, reason: ResetReason) -> Result<ReadOutcome, LogError> {
        let policy = self.state().reset_policy();
        let by_time = match policy {
            ResetPolicy::ByDuration { ms } => {
                let target = self.state().clock().get().saturating_sub(ms);
                // Before time began there is no record: the search takes the first.
                let target = TimestampMs::new(target).unwrap_or(TimestampMs::ZERO);
                Some((target, self.find_time(target, Isolation::HighWatermark)?.answer))
            }
            _ => None,
        };
        let (log_start, high_watermark) = (self.state().log_start(), self.state().high_watermark());
        let decision = ResetDecision {
            reason,
            policy,
            log_start,
            high_watermark,
            by_time,
        };
        self.note(Step::ResetDecided(decision));
        match (decision.target(), reason) {
            (Some(target), _) => {
                self.move_consumer(Some(target));
                Ok(ReadOutcome {
                    next: Some(target),
                    ..ReadOutcome::default()
                })
            }
            (None, ResetReason::OutOfRange { requested }) => Err(LogError::OffsetOutOfRange {
                requested,
                log_start,
                log_end: self.state().log_end(),
            }),
            (None, ResetReason::NoCommittedOffset) => Err(LogError::NoOffsetForPartition),
        }
    }
}
