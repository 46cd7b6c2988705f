//! Why a segment is still on disk, or when it goes.

use core::ops::Range;

use crate::rules::clause::Clause;
use crate::rules::retention::{RetentionAnswer, RetentionDecision, RetentionLimit, RetentionOperands, RetentionRule};
use crate::state::{PartitionState, Segment};
use crate::units::{LATEST, Offset, TimestampMs};

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

/// Why a segment is there at a time, or what takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyKept {
    /// Base offset of the segment.
    pub base: Offset,
    /// The time of the check.
    pub at: TimestampMs,
    /// What the check asks of each rule, in Kafka's order, up to the rule that takes the segment.
    pub asked: Vec<RuleAsked>,
    /// What comes of it.
    pub verdict: Verdict,
}

/// How far one rule of retention came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleAsked {
    /// The rule is not asked about any segment.
    Off(RetentionLimit),
    /// The last decision: about the segment itself, or about an older one that stays, where the walk ends.
    Decided(RetentionDecision),
}

impl RuleAsked {
    /// Which rule.
    pub fn rule(&self) -> RetentionRule {
        match self {
            RuleAsked::Off(limit) => limit.rule,
            RuleAsked::Decided(decision) => decision.rule(),
        }
    }

    /// What was compared, in Kafka's order; the last one decided.
    pub fn clauses(&self) -> Vec<Clause> {
        match self {
            RuleAsked::Off(limit) => limit.off().into_iter().collect(),
            RuleAsked::Decided(decision) => decision.clauses(),
        }
    }
}

impl WhyKept {
    /// The decisions among what was asked.
    pub fn decisions(&self) -> impl Iterator<Item = &RetentionDecision> {
        self.asked.iter().filter_map(|asked| match asked {
            RuleAsked::Decided(decision) => Some(decision),
            RuleAsked::Off(_) => None,
        })
    }
}

impl PartitionState {
    /// Why each live segment is still there, oldest first.
    pub fn verdicts(&self) -> Vec<Verdict> {
        let now = self.clock();
        let mut verdicts: Vec<Verdict> = Vec::with_capacity(self.segments().len());
        let mut log_size = self.log_size();
        for rule in RetentionRule::ALL {
            if self.retention_rule_on(rule) {
                let (gone, _) = self.walk(rule, now, verdicts.len()..self.segments().len(), &mut log_size);
                let at = self.next_check();
                verdicts.extend((0..gone).map(|_| Verdict::WaitsForCheck { rule, at }));
            }
        }
        let left = verdicts.len();
        let blocker = self.segments().key_at(left);
        let stay = self.segments().values().skip(left);
        let on = self.rules_on();
        verdicts.extend(stay.map(|segment| self.reason_to_stay(segment, blocker, log_size, now, &on)));
        verdicts
    }

    /// Why a segment is there at a time, if until then nothing is done to the partition, and no check runs: what the check at
    /// that time would ask (Kafka: `UnifiedLog.deleteOldSegments`). The partition stays as it is, and so does its clock.
    /// `None` where no segment on disk has this base offset; of a live and a deleted one with the same base, the live one is
    /// meant.
    ///
    /// ```
    /// use partition_log::questions::verdict::Verdict;
    /// use partition_log::rules::retention::RetentionRule;
    /// use partition_log::{Offset, Partition, TimestampMs};
    /// # use partition_log::{config::Settings, format::batch::NewBatch};
    ///
    /// let settings = Settings { retention_ms: 60_000, ..Settings::default() };
    /// let mut partition = Partition::create(settings, 0)?;
    /// # let message = NewBatch::message(40).at_ms(5_000);
    /// partition.append(&message)?; // its timestamp is 5 s
    ///
    /// let at = TimestampMs::new(65_000).expect("not negative");
    /// let why = partition.state().why_kept(Offset::ZERO, at).expect("a segment");
    /// assert_eq!(why.verdict, Verdict::TooYoung { until: at.checked_add(1).expect("in range") });
    /// let time = why.asked.iter().find(|asked| asked.rule() == RetentionRule::Time).expect("it is on");
    /// let decided = time.clauses().pop().expect("it was asked");
    /// assert!(!decided.holds, "65 s - 5 s is not above 60 s");
    /// # Ok::<(), partition_log::LogError>(())
    /// ```
    pub fn why_kept(&self, base: Offset, at: TimestampMs) -> Option<WhyKept> {
        let why = |asked, verdict| WhyKept {
            base,
            at,
            asked,
            verdict,
        };
        let Some(segment) = self.segments().get(base) else {
            let gone_at = self.deleted().get(base)?.gone_at;
            return Some(why(Vec::new(), Verdict::Deleted { gone_at }));
        };
        let number = self.segments().below(base);
        let (mut asked, mut log_size, mut left) = (Vec::new(), self.log_size(), 0);
        for rule in RetentionRule::ALL {
            let limit = RetentionLimit {
                log_size,
                ..self.retention_limit(rule)
            };
            if limit.off().is_some() {
                asked.push(RuleAsked::Off(limit));
                continue;
            }
            let (gone, last) = self.walk(rule, at, left..number + 1, &mut log_size);
            asked.extend(last.map(RuleAsked::Decided));
            left += gone;
            if left > number {
                let at = self.check_at_or_after(at);
                return Some(why(asked, Verdict::WaitsForCheck { rule, at }));
            }
        }
        let blocker = self.segments().key_at(left);
        let verdict = self.reason_to_stay(segment, blocker, log_size, at, &self.rules_on());
        Some(why(asked, verdict))
    }

    /// The rules that are asked at all: to find them, the sizes of all segments are added up.
    fn rules_on(&self) -> Vec<RetentionRule> {
        let rules = RetentionRule::ALL.into_iter();
        rules.filter(|rule| self.retention_rule_on(*rule)).collect()
    }

    /// The first periodic check that is not before a time.
    fn check_at_or_after(&self, at: TimestampMs) -> TimestampMs {
        let (next, interval) = (self.next_check(), self.settings().retention_check_interval_ms);
        let passed = (at - next).max(0).unsigned_abs().div_ceil(interval.unsigned_abs());
        let later = i64::try_from(passed)
            .ok()
            .and_then(|passed| passed.checked_mul(interval));
        later.and_then(|later| next.checked_add(later)).unwrap_or(LATEST)
    }

    /// Asks a rule about segments by their numbers, oldest first, up to the first one that stays: how many go, and the last
    /// decision. The size of those that go is taken off the log's.
    fn walk(
        &self,
        rule: RetentionRule,
        now: TimestampMs,
        numbers: Range<usize>,
        log_size: &mut u64,
    ) -> (usize, Option<RetentionDecision>) {
        let mut last = None;
        let count = numbers.len();
        for (gone, segment) in self.segments().values().skip(numbers.start).take(count).enumerate() {
            let decision = self.retention_decision(rule, segment, *log_size, now);
            last = Some(decision);
            if decision.answer() != RetentionAnswer::Delete {
                return (gone, last);
            }
            *log_size -= decision.segment_size;
        }
        (count, last)
    }

    /// The reason of a segment that no check would delete now; `blocker` is the first such segment.
    fn reason_to_stay(
        &self,
        segment: &Segment,
        blocker: Option<Offset>,
        log_size: u64,
        now: TimestampMs,
        on: &[RetentionRule],
    ) -> Verdict {
        let decide = |rule| self.retention_decision(rule, segment, log_size, now);
        let time = decide(RetentionRule::Time);
        let time_on = on.contains(&RetentionRule::Time);
        let holds = |rule| decide(rule).clause().holds;
        if time.last && time.segment_size == 0 {
            return Verdict::EmptyActive;
        }
        if on.iter().copied().any(holds) {
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
