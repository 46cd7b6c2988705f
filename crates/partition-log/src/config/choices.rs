//! The values of settings that are words.

use core::fmt;

/// What a setting keeps, as the one number that a recorded change holds.
pub(super) trait Stored: Copy {
    fn stored(self) -> i64;
    fn from_stored(value: i64) -> Self;
}

impl Stored for i64 {
    fn stored(self) -> i64 {
        self
    }

    fn from_stored(value: i64) -> i64 {
        value
    }
}

/// `message.timestamp.type` (Kafka: `TimestampType`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum TimestampType {
    /// A record keeps its producer's timestamp.
    #[default]
    CreateTime,
    /// A record takes the broker's clock.
    LogAppendTime,
}

impl TimestampType {
    pub(super) const WORDS: &[&str] = &["CreateTime", "LogAppendTime"];
}

impl fmt::Display for TimestampType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(TimestampType::WORDS[*self as usize])
    }
}

impl Stored for TimestampType {
    fn stored(self) -> i64 {
        self as i64
    }

    fn from_stored(value: i64) -> TimestampType {
        match value {
            1 => TimestampType::LogAppendTime,
            _ => TimestampType::CreateTime,
        }
    }
}

/// `cleanup.policy`: what makes records go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum CleanupPolicy {
    /// Their age, or the size of the log.
    #[default]
    Delete,
}

impl CleanupPolicy {
    pub(super) const WORDS: &[&str] = &["delete"];
}

impl fmt::Display for CleanupPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("delete")
    }
}

impl Stored for CleanupPolicy {
    fn stored(self) -> i64 {
        0
    }

    fn from_stored(_: i64) -> CleanupPolicy {
        CleanupPolicy::Delete
    }
}

/// `auto.offset.reset`: where a consumer goes on whose offset is not in the log (Kafka: `AutoOffsetResetStrategy`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum AutoOffsetReset {
    /// At the end of what may be read.
    #[default]
    Latest,
    /// At the log start offset.
    Earliest,
    /// Nowhere: an exception tells the application.
    None,
    /// At the first record of the last `ms` milliseconds, 0 or more.
    ByDuration {
        /// Length of the span that ends now.
        ms: i64,
    },
}

/// The number behind the words, from which a duration counts.
const DURATIONS_FROM: i64 = AutoOffsetReset::WORDS.len() as i64;

impl AutoOffsetReset {
    pub(super) const WORDS: &[&str] = &["latest", "earliest", "none"];

    /// Reads `by_duration:` and a span as Java writes it, without signs: `PT20S`, `P1DT2H3M4.5S`. Less than a
    /// millisecond is cut off. `None` for anything else (Kafka: `AutoOffsetResetStrategy.fromString`, `Duration.parse`).
    pub fn by_duration(text: &str) -> Option<AutoOffsetReset> {
        let ms = milliseconds(text.strip_prefix("by_duration:")?)?;
        // What a recorded change cannot hold is longer than any log is old.
        (ms <= i64::MAX - DURATIONS_FROM).then_some(AutoOffsetReset::ByDuration { ms })
    }
}

/// An ISO 8601 duration of days, hours, minutes and seconds.
fn milliseconds(text: &str) -> Option<i64> {
    const UNITS: [(u8, i64); 4] = [(b'D', 86_400_000), (b'H', 3_600_000), (b'M', 60_000), (b'S', 1_000)];
    let rest = text.as_bytes();
    let mut rest = rest.strip_prefix(b"P").or(rest.strip_prefix(b"p"))?;
    let (mut sum, mut next, mut behind_t) = (0i64, 0, false);
    loop {
        if !behind_t && let Some(times) = rest.strip_prefix(b"T").or(rest.strip_prefix(b"t")) {
            (rest, behind_t) = (times, true);
        }
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number: i64 = core::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
        rest = &rest[digits..];
        let mut fraction = 0;
        if let Some(behind) = rest.strip_prefix(b".") {
            let digits = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let thousandths = behind[..digits].iter().copied().chain([b'0'; 3]).take(3);
            fraction = thousandths.fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
            rest = &behind[digits..];
            if digits > 9 || !matches!(rest, [b'S' | b's']) {
                return None;
            }
        }
        let (&letter, behind) = rest.split_first()?;
        let place = UNITS
            .iter()
            .position(|(unit, _)| *unit == letter.to_ascii_uppercase())?;
        // Days stand before the T, the others behind it, each once and in order.
        if place < next || (place > 0) != behind_t {
            return None;
        }
        sum = number
            .checked_mul(UNITS[place].1)?
            .checked_add(fraction)?
            .checked_add(sum)?;
        (rest, next) = (behind, place + 1);
        if rest.is_empty() {
            return Some(sum);
        }
    }
}

impl fmt::Display for AutoOffsetReset {
    /// As Kafka takes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AutoOffsetReset::Latest => f.write_str("latest"),
            AutoOffsetReset::Earliest => f.write_str("earliest"),
            AutoOffsetReset::None => f.write_str("none"),
            AutoOffsetReset::ByDuration { ms } if ms % 1_000 == 0 => write!(f, "by_duration:PT{}S", ms / 1_000),
            AutoOffsetReset::ByDuration { ms } => write!(f, "by_duration:PT{}.{:03}S", ms / 1_000, ms % 1_000),
        }
    }
}

impl Stored for AutoOffsetReset {
    fn stored(self) -> i64 {
        match self {
            AutoOffsetReset::Latest => 0,
            AutoOffsetReset::Earliest => 1,
            AutoOffsetReset::None => 2,
            AutoOffsetReset::ByDuration { ms } => ms.saturating_add(DURATIONS_FROM),
        }
    }

    fn from_stored(value: i64) -> AutoOffsetReset {
        match value {
            ..=0 => AutoOffsetReset::Latest,
            1 => AutoOffsetReset::Earliest,
            2 => AutoOffsetReset::None,
            _ => AutoOffsetReset::ByDuration {
                ms: value - DURATIONS_FROM,
            },
        }
    }
}
