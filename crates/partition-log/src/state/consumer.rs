//! What a consumer keeps: its position, its group's committed offset, its reset policy, and what its fetches were told of the
//! log's end. It is no part of the broker's state.

use core::fmt;

use crate::config::Settings;
use crate::rules::fetch::{FetchRange, Isolation, RangeAnswer};
use crate::rules::reset::{ResetPolicy, ResetReason};
use crate::units::{Maybe, Offset};

/// Where a consumer stands (Kafka: `SubscriptionState.FetchStates`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum ConsumerPosition {
    /// It has not asked for its committed offset yet.
    #[default]
    Initializing,
    /// Its position is gone, and a lookup for another one has found none so far; it is repeated.
    AwaitReset(ResetReason),
    /// The offset that it reads next.
    Fetching(Offset),
}

impl ConsumerPosition {
    /// The offset that it reads next, where it has one.
    pub const fn offset(self) -> Option<Offset> {
        match self {
            ConsumerPosition::Fetching(offset) => Some(offset),
            ConsumerPosition::Initializing | ConsumerPosition::AwaitReset(_) => None,
        }
    }
}

/// A consumer at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConsumerState {
    position: ConsumerPosition,
    committed: Option<Offset>,
    reset_policy: ResetPolicy,
    /// High watermark and last stable offset, as the last answer to a fetch told them.
    end: Option<(Offset, Offset)>,
}

/// A recorded change of a consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum ConsumerChange {
    /// The group's committed offset.
    Committed {
        /// Before.
        from: Option<Offset>,
        /// After.
        to: Option<Offset>,
    },
    /// Where the consumer stands.
    Position {
        /// Before.
        from: ConsumerPosition,
        /// After.
        to: ConsumerPosition,
    },
    /// Its reset policy.
    ResetPolicy {
        /// Before.
        from: ResetPolicy,
        /// After.
        to: ResetPolicy,
    },
}

impl ConsumerState {
    /// A consumer that has done nothing yet, with `auto.offset.reset` of the settings.
    pub fn new(settings: &Settings) -> ConsumerState {
        ConsumerState {
            reset_policy: settings.auto_offset_reset.into(),
            ..ConsumerState::default()
        }
    }

    /// Where it stands.
    pub fn position(&self) -> ConsumerPosition {
        self.position
    }

    /// The group's committed offset.
    pub fn committed(&self) -> Option<Offset> {
        self.committed
    }

    /// Where it goes on when it has no offset that is in the log.
    pub fn reset_policy(&self) -> ResetPolicy {
        self.reset_policy
    }

    /// Records between its position and the end as its last fetch was told it: the high watermark, or the last stable offset
    /// for a consumer of committed records. `None` without a position, and before its first fetch (Kafka:
    /// `SubscriptionState.partitionLag`, which `Consumer.currentLag` and the metric `records-lag` tell).
    pub fn lag(&self, isolation: Isolation) -> Option<i64> {
        let (high_watermark, last_stable) = self.end?;
        let end = match isolation {
            Isolation::TxnCommitted => last_stable,
            Isolation::HighWatermark | Isolation::LogEnd => high_watermark,
        };
        self.position.offset().map(|position| end - position)
    }

    /// Carries out a change, for the first time or again.
    pub(crate) fn change(&mut self, change: &ConsumerChange) {
        match change {
            ConsumerChange::Committed { to, .. } => self.committed = *to,
            ConsumerChange::Position { to, .. } => self.position = *to,
            ConsumerChange::ResetPolicy { to, .. } => self.reset_policy = *to,
        }
    }

    /// A fetch was answered, with the log's marks.
    pub(crate) fn answered(&mut self, range: &FetchRange) {
        if range.answer() != RangeAnswer::OutOfRange {
            self.end = Some((range.high_watermark, range.last_stable));
        }
    }

    /// `auto.offset.reset` has another value.
    pub(crate) fn setting_changed(&mut self, auto_offset_reset: i64) {
        let mut settings = Settings::default();
        settings.put("auto.offset.reset", auto_offset_reset);
        self.reset_policy = settings.auto_offset_reset.into();
    }
}

impl fmt::Display for ConsumerPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Maybe(self.offset()).fmt(f)
    }
}

impl fmt::Display for ConsumerChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConsumerChange::Committed { from, to } => {
                write!(f, "committed offset {} to {}", Maybe(*from), Maybe(*to))
            }
            ConsumerChange::Position { from, to } => write!(f, "consumer at {from} to {to}"),
            ConsumerChange::ResetPolicy { from, to } => write!(f, "auto.offset.reset {from} to {to}"),
        }
    }
}
