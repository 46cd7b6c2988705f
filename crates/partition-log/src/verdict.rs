//! Why a segment is still on disk, or when it goes.

use crate::rules::retention::RetentionRule;
use crate::units::{Offset, TimestampMs};

/// What retention would say of a segment, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A rule already holds for it and for all older ones: the check at `at` deletes it.
    WaitsForCheck {
        /// The rule.
        rule: RetentionRule,
        /// The next periodic check.
        at: TimestampMs,
    },
    /// Its largest timestamp is within `retention.ms` until just before `until`.
    TooYoung {
        /// First moment at which the age is above the limit.
        until: TimestampMs,
    },
    /// No limit of age, and the size is within its limit, or there is none.
    NoLimit,
    /// A rule holds for it, but the older segment `older` stays, and the walk stops there.
    BehindSegment {
        /// Base offset of the segment in the way.
        older: Offset,
    },
    /// It ends above the high watermark.
    AboveHighWatermark {
        /// End of the segment.
        end: Offset,
        /// High watermark.
        high_watermark: Offset,
    },
    /// It is empty and takes the next append.
    EmptyActive,
    /// It has left the log; its files go at `gone_at`.
    Deleted {
        /// When.
        gone_at: TimestampMs,
    },
}
