//! Why a segment is still on disk, in a few words.

use partition_log::questions::verdict::Verdict;
use partition_log::rules::retention::RetentionRule;
use partition_log::units::TimestampMs;

/// Why a segment is still there, in a few words: a long wording and a short one; both are empty where nothing will take it.
/// Times are written as they are seen from now.
///
/// ```
/// use partition_log::TimestampMs;
/// use partition_log::questions::verdict::Verdict;
/// use partition_story::verdict;
///
/// let until = TimestampMs::new(72_001).expect("not negative");
/// let now = TimestampMs::ZERO;
/// assert_eq!(verdict(&Verdict::TooYoung { until }, now), ["too young until 72 s", "until 72 s"]);
/// ```
pub fn verdict(verdict: &Verdict, now: TimestampMs) -> [String; 2] {
    let both = |long: &str, short: &str, of: &str| [[long, of].concat(), [short, of].concat()];
    match verdict {
        Verdict::WaitsForCheck { rule, at } => {
            let rule = match rule {
                RetentionRule::LogStart => "below log start",
                RetentionRule::Size => "too much",
                RetentionRule::Time => "expired",
            };
            both(&[rule, ", goes at "].concat(), "goes at ", &at.seen_from(now))
        }
        Verdict::TooYoung { until } => {
            // The first moment at which the age is above the limit: a millisecond after it has reached it.
            let until = until.get() - i64::from(until.get() % 1000 == 1);
            let until = TimestampMs::stored(until).unwrap_or_default().seen_from(now);
            both("too young until ", "until ", &until)
        }
        Verdict::NoLimit => Default::default(),
        Verdict::BehindSegment { older } => both("waits for segment ", "behind ", &older.to_string()),
        Verdict::AboveHighWatermark { .. } => both("above high watermark", "above", ""),
        Verdict::EmptyActive => both("empty and active, stays", "empty, stays", ""),
        Verdict::Deleted { gone_at } => both("removed at ", "gone at ", &gone_at.seen_from(now)),
    }
}
