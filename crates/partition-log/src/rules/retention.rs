//! Whether retention deletes a segment (Kafka: `UnifiedLog.deleteOldSegments` and its three predicates).

use crate::units::{Offset, TimestampMs};

/// The rules of a check, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum RetentionRule {
    /// The whole segment lies below the log start offset.
    LogStart,
    /// `retention.bytes`.
    Size,
    /// `retention.ms`.
    Time,
}

impl RetentionRule {
    /// All, in order.
    pub const ALL: [RetentionRule; 3] = [RetentionRule::LogStart, RetentionRule::Size, RetentionRule::Time];
}

/// The operands of one rule for one segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum RetentionOperands {
    /// Base offset of the next segment, if there is one, and the log start offset.
    LogStart {
        /// Base offset of the next segment.
        next_base: Option<Offset>,
        /// Log start offset.
        log_start: Offset,
    },
    /// Bytes above the limit and the segment's own.
    Size {
        /// Size of all live `.log` files before this decision.
        log_size: u64,
        /// `retention.bytes`.
        retention_bytes: u64,
        /// The segment's `.log` bytes.
        segment_size: u64,
    },
    /// Age of the segment's largest timestamp.
    Time {
        /// The broker's clock.
        now: TimestampMs,
        /// Largest timestamp in the segment; the file's time if it has none.
        largest: TimestampMs,
        /// Whether `largest` is the file's time.
        from_file_time: bool,
        /// `retention.ms`.
        retention_ms: i64,
    },
}

/// One rule asked about one segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RetentionDecision {
    /// Base offset of the segment.
    pub base: Offset,
    /// High watermark.
    pub high_watermark: Offset,
    /// End of the segment: the next base, or the log end offset for the last segment.
    pub end: Offset,
    /// Whether it is the last segment.
    pub last: bool,
    /// Bytes in its `.log`.
    pub segment_size: u64,
    /// The rule's operands.
    pub operands: RetentionOperands,
}

/// What a rule says of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetentionAnswer {
    /// It goes.
    Delete,
    /// The rule does not hold; the walk stops here.
    Keep,
    /// The rule is not even asked: the segment reaches above the high watermark.
    AboveHighWatermark,
    /// The rule holds, but the last segment is empty and stays as the place of the next append.
    EmptyActive,
}

impl RetentionDecision {
    /// Which rule.
    pub fn rule(&self) -> RetentionRule {
        match self.operands {
            RetentionOperands::LogStart { .. } => RetentionRule::LogStart,
            RetentionOperands::Size { .. } => RetentionRule::Size,
            RetentionOperands::Time { .. } => RetentionRule::Time,
        }
    }

    /// What the rule compares: bytes of excess over `retention.bytes`, or the age of the largest timestamp in ms; for the
    /// log start rule how far the next base lies above the log start offset.
    pub fn measured(&self) -> i64 {
        match self.operands {
            RetentionOperands::LogStart { next_base, log_start } => next_base.map_or(i64::MAX, |base| base - log_start),
            RetentionOperands::Size {
                log_size,
                retention_bytes,
                ..
            } => i64::try_from(i128::from(log_size) - i128::from(retention_bytes)).unwrap_or(i64::MIN),
            RetentionOperands::Time { now, largest, .. } => now - largest,
        }
    }

    /// The rule's own inequality.
    pub fn holds(&self) -> bool {
        match self.operands {
            RetentionOperands::LogStart { .. } => self.measured() <= 0,
            RetentionOperands::Size { segment_size, .. } => i128::from(self.measured()) >= i128::from(segment_size),
            RetentionOperands::Time { retention_ms, .. } => self.measured() > retention_ms,
        }
    }

    /// The answer, after the high watermark and the empty active segment had their say.
    pub fn answer(&self) -> RetentionAnswer {
        if self.high_watermark < self.end {
            RetentionAnswer::AboveHighWatermark
        } else if !self.holds() {
            RetentionAnswer::Keep
        } else if self.last && self.segment_size == 0 {
            RetentionAnswer::EmptyActive
        } else {
            RetentionAnswer::Delete
        }
    }
}
