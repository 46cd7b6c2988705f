//! Where a consumer goes on whose offset is not in the log (Kafka: `auto.offset.reset`, `AutoOffsetResetStrategy`).

use core::fmt;

use crate::config::AutoOffsetReset;
use crate::rules::fetch::Isolation;
use crate::units::{Offset, TimestampMs, duration};

/// The policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum ResetPolicy {
    /// At the log start offset.
    Earliest,
    /// At the end of what may be read.
    #[default]
    Latest,
    /// Nowhere: an exception tells the application.
    None,
    /// At the first record of the last `ms` milliseconds.
    ByDuration {
        /// Length of the span that ends now.
        ms: i64,
    },
}

impl From<AutoOffsetReset> for ResetPolicy {
    fn from(setting: AutoOffsetReset) -> ResetPolicy {
        match setting {
            AutoOffsetReset::Latest => ResetPolicy::Latest,
            AutoOffsetReset::Earliest => ResetPolicy::Earliest,
            AutoOffsetReset::None => ResetPolicy::None,
            AutoOffsetReset::ByDuration { ms } => ResetPolicy::ByDuration { ms },
        }
    }
}

impl fmt::Display for ResetPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResetPolicy::Earliest => f.write_str("earliest"),
            ResetPolicy::Latest => f.write_str("latest"),
            ResetPolicy::None => f.write_str("none"),
            ResetPolicy::ByDuration { ms } => write!(f, "by duration {}", duration(*ms)),
        }
    }
}

/// Why a policy is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum ResetReason {
    /// The offset was refused with OFFSET_OUT_OF_RANGE.
    OutOfRange {
        /// The offset asked for.
        requested: Offset,
    },
    /// The group has no committed offset.
    NoCommittedOffset,
}

/// The policy's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ResetDecision {
    /// Why it was asked.
    pub reason: ResetReason,
    /// The policy.
    pub policy: ResetPolicy,
    /// How far the consumer may read, which its lookup tells the broker.
    pub isolation: Isolation,
    /// Log start offset: where `earliest` goes.
    pub log_start: Offset,
    /// The end of what it may read: where `latest` goes.
    pub end: Offset,
    /// For `ByDuration`: the time searched for, and the first record at or after it.
    pub by_time: Option<(TimestampMs, Option<Offset>)>,
}

/// What a policy comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResetAnswer {
    /// The consumer goes on at an offset.
    GoesOn(Offset),
    /// No record is young enough: the consumer has no position, and looks again (Kafka:
    /// `OffsetFetcherUtils.handleListOffsetResponse`, which leaves the partition in `AWAIT_RESET`).
    Waits,
    /// An exception tells the application.
    Exception,
}

impl ResetDecision {
    /// What it comes to.
    pub fn answer(&self) -> ResetAnswer {
        match self.policy {
            ResetPolicy::Earliest => ResetAnswer::GoesOn(self.log_start),
            ResetPolicy::Latest => ResetAnswer::GoesOn(self.end),
            ResetPolicy::None => ResetAnswer::Exception,
            ResetPolicy::ByDuration { .. } => {
                let found = self.by_time.and_then(|(_, found)| found);
                found.map_or(ResetAnswer::Waits, ResetAnswer::GoesOn)
            }
        }
    }

    /// The offset to go on at, where there is one.
    pub fn target(&self) -> Option<Offset> {
        match self.answer() {
            ResetAnswer::GoesOn(target) => Some(target),
            ResetAnswer::Waits | ResetAnswer::Exception => None,
        }
    }

    /// Records between the refused offset and the log start offset: gone before they were read.
    pub fn lost(&self) -> i64 {
        match self.reason {
            ResetReason::OutOfRange { requested } => (self.log_start - requested).max(0),
            ResetReason::NoCommittedOffset => 0,
        }
    }

    /// Records in the log that the new offset passes over.
    pub fn skipped(&self) -> i64 {
        self.target().map_or(0, |target| (target - self.log_start).max(0))
    }
}

impl fmt::Display for ResetDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            ResetReason::OutOfRange { requested } => {
                write!(f, "offset {requested} is gone, reset to {}: ", self.policy)?
            }
            ResetReason::NoCommittedOffset => write!(f, "no committed offset, reset to {}: ", self.policy)?,
        }
        match self.answer() {
            ResetAnswer::GoesOn(target) => write!(
                f,
                "go on at {target}, {} lost, {} passed over",
                self.lost(),
                self.skipped()
            ),
            ResetAnswer::Waits => f.write_str("no record is that young, no position, the lookup is repeated"),
            ResetAnswer::Exception => f.write_str("an exception, the application decides"),
        }
    }
}
