//! Why a segment is still on disk, or when it goes.

use crate::rules::retention::{RetentionAnswer, RetentionOperands, RetentionRule};
use crate::state::{PartitionState, Segment};
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

impl PartitionState {
    /// Why each live segment is still there, oldest first.
    pub fn verdicts(&self) -> Vec<Verdict> {
        let mut verdicts: Vec<Option<Verdict>> = vec![None; self.segments().len()];
        let mut log_size = self.log_size();
        let mut first_left = 0;
        for rule in RetentionRule::ALL {
            if !self.retention_rule_on(rule) {
                continue;
            }
            for (index, segment) in self.segments().values().enumerate().skip(first_left) {
                let decision = self.retention_decision(rule, segment, log_size);
                if decision.answer() != RetentionAnswer::Delete {
                    break;
                }
                verdicts[index] = Some(Verdict::WaitsForCheck {
                    rule,
                    at: self.next_check(),
                });
                log_size -= decision.segment_size;
                first_left = index + 1;
            }
        }
        let blocker = self.segments().key_at(first_left);
        let settled = self.segments().values().zip(verdicts);
        settled
            .map(|(segment, verdict)| verdict.unwrap_or_else(|| self.reason_to_stay(segment, blocker, log_size)))
            .collect()
    }

    /// The reason of a segment that no check would delete now; `blocker` is the first such segment.
    fn reason_to_stay(&self, segment: &Segment, blocker: Option<Offset>, log_size: u64) -> Verdict {
        let time = self.retention_decision(RetentionRule::Time, segment, log_size);
        let time_on = self.retention_rule_on(RetentionRule::Time);
        let holds =
            |rule| self.retention_rule_on(rule) && self.retention_decision(rule, segment, log_size).clause().holds;
        if time.last && time.segment_size == 0 {
            return Verdict::EmptyActive;
        }
        if RetentionRule::ALL.into_iter().any(holds) {
            if let Some(older) = blocker.filter(|older| *older < segment.base) {
                return Verdict::BehindSegment { older };
            }
            if time.answer() == RetentionAnswer::AboveHighWatermark {
                return Verdict::AboveHighWatermark {
                    end: time.end,
                    high_watermark: self.high_watermark(),
                };
            }
        }
        match time.operands {
            RetentionOperands::Time {
                largest, retention_ms, ..
            } if time_on => {
                let until = largest.checked_add(retention_ms).and_then(|end| end.checked_add(1));
                until.map_or(Verdict::NoLimit, |until| Verdict::TooYoung { until })
            }
            _ => Verdict::NoLimit,
        }
    }
}
