//! Numbers that must not be mixed up: offsets, positions, timestamps. The ground of the crate: may know nothing of it.

mod calendar;

use core::fmt;
use core::ops::Sub;
use core::str::FromStr;

pub use calendar::Date;

/// A record's place in the partition: 0, 1, 2, … Unit: records. Range: 0 to 2^63 − 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Offset(i64);

impl Offset {
    /// The first offset of every partition.
    pub const ZERO: Offset = Offset(0);

    /// An offset, or `None` below 0.
    pub const fn new(value: i64) -> Option<Offset> {
        if value < 0 { None } else { Some(Offset(value)) }
    }

    /// The number itself.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The offset `count` records further on, or `None` past 2^63 − 1.
    pub const fn checked_add(self, count: i64) -> Option<Offset> {
        match self.0.checked_add(count) {
            Some(sum) if sum >= 0 => Some(Offset(sum)),
            _ => None,
        }
    }

    /// The next offset.
    ///
    /// # Panics
    ///
    /// Past 2^63 − 1, which an append refuses long before.
    pub const fn next(self) -> Offset {
        match self.checked_add(1) {
            Some(next) => next,
            None => panic!("an append refuses offsets near 2^63"),
        }
    }

    /// This offset relative to the base offset of a segment, as both indexes store it: `None` below the base or past
    /// 2^31 − 1 (Kafka: `AbstractIndex.canAppendOffset`).
    pub const fn relative_to(self, base: Offset) -> Option<RelativeOffset> {
        let distance = self.0 - base.0;
        if distance < 0 || distance > i32::MAX as i64 {
            None
        } else {
            Some(RelativeOffset(distance as u32))
        }
    }
}

impl Sub for Offset {
    /// A count of records.
    type Output = i64;

    fn sub(self, other: Offset) -> i64 {
        self.0 - other.0
    }
}

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An offset counted from the base offset of its segment. Unit: records. Range: 0 to 2^31 − 1; 4 bytes in an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RelativeOffset(u32);

impl RelativeOffset {
    /// A relative offset, or `None` past 2^31 − 1.
    pub const fn new(value: u32) -> Option<RelativeOffset> {
        if value > i32::MAX as u32 {
            None
        } else {
            Some(RelativeOffset(value))
        }
    }

    /// The number itself.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The whole offset, given the base offset of the segment.
    ///
    /// # Panics
    ///
    /// Past 2^63 − 1, which no segment reaches.
    pub const fn absolute(self, base: Offset) -> Offset {
        match base.checked_add(self.0 as i64) {
            Some(offset) => offset,
            None => panic!("an append refuses offsets near 2^63"),
        }
    }
}

impl fmt::Display for RelativeOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        i64::from(self.0).fmt(f)
    }
}

/// A byte's place in one file: 0 is its first byte. Unit: bytes. Range: 0 to 2^31 − 1; 4 bytes in the offset index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Position(u32);

impl Position {
    /// The first byte.
    pub const ZERO: Position = Position(0);

    /// A position, or `None` past 2^31 − 1.
    pub const fn new(value: u64) -> Option<Position> {
        if value > i32::MAX as u64 {
            None
        } else {
            Some(Position(value as u32))
        }
    }

    /// The number itself.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The position `bytes` further on, or `None` past 2^31 − 1.
    pub const fn checked_add(self, bytes: u64) -> Option<Position> {
        Position::new(self.0 as u64 + bytes)
    }
}

impl Sub for Position {
    /// A count of bytes.
    type Output = i64;

    fn sub(self, other: Position) -> i64 {
        self.0 as i64 - other.0 as i64
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        i64::from(self.0).fmt(f)
    }
}

/// A point in time. Unit: milliseconds since 1970-01-01 UTC, as Kafka counts; a scenario without a date counts from 0.
/// Range: 0 to 2^63 − 1. Kafka's −1, "no timestamp", is [`TimestampMs::NONE`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TimestampMs(i64);

impl TimestampMs {
    /// Where a clock starts that has no date.
    pub const ZERO: TimestampMs = TimestampMs(0);

    /// A record without timestamp: what a batch stores as −1.
    pub const NONE: Option<TimestampMs> = None;

    /// A timestamp.
    ///
    /// # Errors
    ///
    /// [`UnitError::OutOfRange`] below 0. Not `None`, as that is a word of its own here: no timestamp.
    pub const fn new(value: i64) -> Result<TimestampMs, UnitError> {
        if value < 0 {
            Err(UnitError::OutOfRange {
                what: UnitName::Timestamp,
                found: value,
            })
        } else {
            Ok(TimestampMs(value))
        }
    }

    /// A timestamp as a batch or an index stores it: anything below 0 reads as none (Kafka: `RecordBatch.NO_TIMESTAMP`).
    pub const fn stored(value: i64) -> Option<TimestampMs> {
        if value < 0 { None } else { Some(TimestampMs(value)) }
    }

    /// The number itself.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The time `ms` later, or `None` past 2^63 − 1.
    pub const fn checked_add(self, ms: i64) -> Option<TimestampMs> {
        match self.0.checked_add(ms) {
            Some(sum) if sum >= 0 => Some(TimestampMs(sum)),
            _ => None,
        }
    }

    /// Whether it is written as a date: from 1980 to 9999. No broker's clock is earlier, and what counts from 0 does not
    /// come so far.
    pub const fn is_date(self) -> bool {
        calendar::FIRST_DATE <= self.0 && self.0 < calendar::BEHIND_DATES
    }

    /// As a date, whatever it is: `1970-01-01 00:00:31` for 31 s.
    pub fn dated(self) -> String {
        [&Date::of(self).to_string(), " ", &calendar::time_of_day(self)].concat()
    }

    /// As somebody writes it for whom it is `now`: without the date, if that is today's, and without the year, if it is
    /// this one.
    ///
    /// ```
    /// use partition_log::units::TimestampMs;
    ///
    /// let time = |ms| TimestampMs::new(ms).expect("not negative");
    /// let (nine, ten) = (time(1_772_528_400_000), time(1_772_532_000_000));
    /// assert_eq!(nine.to_string(), "2026-03-03 09:00");
    /// assert_eq!(nine.seen_from(ten), "09:00");
    /// assert_eq!(nine.seen_from(time(1_772_618_400_000)), "3 Mar 09:00");
    /// assert_eq!(time(31_000).seen_from(ten), "31 s");
    /// ```
    pub fn seen_from(self, now: TimestampMs) -> String {
        let (day, today) = (Date::of(self), Date::of(now));
        if !self.is_date() || day.year != today.year {
            self.to_string()
        } else if day == today {
            calendar::time_of_day(self)
        } else {
            [&day.in_year(), " ", &calendar::time_of_day(self)].concat()
        }
    }
}

impl Sub for TimestampMs {
    /// A span in milliseconds; negative if `other` is later.
    type Output = i64;

    fn sub(self, other: TimestampMs) -> i64 {
        self.0 - other.0
    }
}

impl fmt::Display for TimestampMs {
    /// A date in UTC, `2026-03-03 09:00:15`; what is none, as [`duration`] writes it: `31 s`, `1,500 ms`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_date() {
            f.write_str(&self.dated())
        } else {
            f.write_str(&duration(self.0))
        }
    }
}

/// What a number was to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum UnitName {
    /// An [`Offset`].
    Offset,
    /// A [`RelativeOffset`].
    RelativeOffset,
    /// A [`Position`].
    Position,
    /// A [`TimestampMs`].
    Timestamp,
    /// A [`ProducerId`].
    ProducerId,
}

impl UnitName {
    /// Its largest number; the smallest is 0.
    pub const fn max(self) -> i64 {
        match self {
            UnitName::RelativeOffset | UnitName::Position => i32::MAX as i64,
            UnitName::Offset | UnitName::Timestamp | UnitName::ProducerId => i64::MAX,
        }
    }
}

impl fmt::Display for UnitName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnitName::Offset => "an offset",
            UnitName::RelativeOffset => "a relative offset",
            UnitName::Position => "a position",
            UnitName::Timestamp => "a timestamp",
            UnitName::ProducerId => "a producer id",
        })
    }
}

/// Why a number is not what it was to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum UnitError {
    /// It is below 0, or above [`UnitName::max`].
    OutOfRange {
        /// What it was to be.
        what: UnitName,
        /// The number.
        found: i64,
    },
    /// The text is no whole number of 64 bits.
    NotANumber {
        /// What it was to be.
        what: UnitName,
    },
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnitError::OutOfRange { what, found } => {
                write!(f, "{found} cannot be {what}: it takes 0 to {}", what.max())
            }
            UnitError::NotANumber { what } => {
                write!(f, "{what} is a whole number from 0 to {}", what.max())
            }
        }
    }
}

impl core::error::Error for UnitError {}

/// The ways into a unit and back.
macro_rules! conversions {
    ($( $unit:ident, $name:ident, $make:expr; )*) => { $(
        impl TryFrom<i64> for $unit {
            type Error = UnitError;

            fn try_from(found: i64) -> Result<$unit, UnitError> {
                let make: fn(i64) -> Option<$unit> = $make;
                make(found).ok_or(UnitError::OutOfRange { what: UnitName::$name, found })
            }
        }

        impl From<$unit> for i64 {
            fn from(unit: $unit) -> i64 {
                i64::from(unit.0)
            }
        }

        /// The plain number, without a unit.
        impl FromStr for $unit {
            type Err = UnitError;

            fn from_str(text: &str) -> Result<$unit, UnitError> {
                let number: i64 = text.parse().map_err(|_| UnitError::NotANumber { what: UnitName::$name })?;
                $unit::try_from(number)
            }
        }
    )* };
}

conversions! {
    Offset, Offset, Offset::new;
    RelativeOffset, RelativeOffset, |found| u32::try_from(found).ok().and_then(RelativeOffset::new);
    Position, Position, |found| u64::try_from(found).ok().and_then(Position::new);
    TimestampMs, Timestamp, TimestampMs::stored;
    ProducerId, ProducerId, |found| (found >= 0).then_some(ProducerId(found));
}

/// A whole number with a comma at every third digit: `10,485,760`.
pub fn grouped(value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3 + 1);
    if value < 0 {
        out.push('-');
    }
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A moment in milliseconds, as [`TimestampMs`] is written; below 0 there is none, and it is a span.
pub fn moment(ms: i64) -> String {
    TimestampMs::stored(ms).map_or_else(|| duration(ms), |moment| moment.to_string())
}

/// A span of milliseconds as people say it: `31 s`, `51 min`, `2 d 3 h`. Below ten minutes it has one unit, the largest
/// that divides it and has two of it at least, so that small spans compare at sight: 60 s, 90 s, 1,500 ms.
pub fn duration(ms: i64) -> String {
    const UNITS: [(u64, &str); 5] = [
        (86_400_000, "d"),
        (3_600_000, "h"),
        (60_000, "min"),
        (1_000, "s"),
        (1, "ms"),
    ];
    const SMALL: u64 = 600_000;
    let whole = ms.unsigned_abs();
    // Nobody says this many days: it stands for "for ever", and is known by its digits.
    if whole >= calendar::BEHIND_DATES as u64 {
        return [&grouped(ms), " ms"].concat();
    }
    let mut text = String::new();
    let mut left = whole;
    for (unit, name) in UNITS {
        let first = text.is_empty();
        // Behind a larger unit, one of it is enough.
        let least = if first && unit > 1_000 { 2 * unit } else { unit };
        if left < least || (first && whole < SMALL && !left.is_multiple_of(unit)) {
            continue;
        }
        part(&mut text, left / unit, name);
        left %= unit;
    }
    match (text.is_empty(), ms < 0) {
        (true, _) => "0 s".to_string(),
        (_, true) => ["-", &text].concat(),
        (_, false) => text,
    }
}

fn part(text: &mut String, number: u64, unit: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    // A span has no more than 2^63 of its smallest unit.
    text.push_str(&grouped(number as i64));
    text.push(' ');
    text.push_str(unit);
}

/// A number of bytes: `300 B`, `4,096 B`, `1 GiB`. MiB and GiB only where they divide it.
pub fn bytes(value: i64) -> String {
    const UNITS: [(i64, &str); 2] = [(1 << 30, "GiB"), (1 << 20, "MiB")];
    for (unit, name) in UNITS {
        if value != 0 && value % unit == 0 && value / unit < 10_000 {
            return format!("{} {name}", grouped(value / unit));
        }
    }
    format!("{} B", grouped(value))
}

/// A number of bytes that a file may have.
pub(crate) fn size(value: u64) -> String {
    bytes(i64::try_from(value).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_written_as_people_say_them() {
        let cases = [
            (0, "0 s"),
            (31_000, "31 s"),
            (60_000, "60 s"),
            (90_000, "90 s"),
            (1_500, "1,500 ms"),
            (300_000, "5 min"),
            (3_060_000, "51 min"),
            (183_600_000, "2 d 3 h"),
            (5_184_990_000, "60 d 16 min 30 s"),
            (125_000, "125 s"),
            (125_001, "125,001 ms"),
            (600_001, "10 min 1 ms"),
            (7_199_000, "119 min 59 s"),
            (i64::MAX, "9,223,372,036,854,775,807 ms"),
        ];
        for (ms, text) in cases
            .into_iter()
            .chain([(604_800_000, "7 d"), (-9_000, "-9 s"), (7_200_000, "2 h")])
        {
            assert_eq!(duration(ms), text);
        }
    }

    #[test]
    fn sizes_are_written_in_the_unit_that_divides_them() {
        for (size, text) in [
            (300, "300 B"),
            (1 << 30, "1 GiB"),
            (4096, "4,096 B"),
            (10_485_756, "10,485,756 B"),
            (0, "0 B"),
            (-1, "-1 B"),
        ] {
            assert_eq!(bytes(size), text);
        }
    }

    #[test]
    fn a_number_becomes_a_unit_or_an_error_that_says_the_range() {
        assert_eq!("7".parse(), Ok(Offset(7)));
        assert_eq!(i64::from(Position(9)), 9);
        assert_eq!(ProducerId::try_from(3), Ok(ProducerId(3)));
        let error = TimestampMs::new(-5).expect_err("before all time");
        assert_eq!(TimestampMs::try_from(-5), Err(error));
        assert_eq!(
            error.to_string(),
            "-5 cannot be a timestamp: it takes 0 to 9223372036854775807"
        );
        assert_eq!(TimestampMs::stored(-1), TimestampMs::NONE);
        let error = "2147483648".parse::<Position>().expect_err("past 31 bits");
        assert_eq!(
            error.to_string(),
            "2147483648 cannot be a position: it takes 0 to 2147483647"
        );
        let error = "ten".parse::<RelativeOffset>().expect_err("a word");
        assert_eq!(
            error.to_string(),
            "a relative offset is a whole number from 0 to 2147483647"
        );
    }

    #[test]
    fn a_relative_offset_ends_at_31_bits() {
        let base = Offset::new(10).expect("not negative");
        assert_eq!(Offset::new(9).expect("not negative").relative_to(base), None);
        assert_eq!(
            Offset::new(10 + i64::from(i32::MAX))
                .expect("in range")
                .relative_to(base)
                .map(RelativeOffset::get),
            Some(i32::MAX as u32)
        );
        assert_eq!(
            Offset::new(11 + i64::from(i32::MAX))
                .expect("in range")
                .relative_to(base),
            None
        );
    }
}

/// Who wrote a batch: a number that a broker hands to each idempotent producer. Range: 0 to 2^63 − 1; −1 in a batch
/// stands for none, and such a batch does not come here (Kafka: `RecordBatch.hasProducerId`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ProducerId(i64);

impl ProducerId {
    /// The id as stored.
    pub const fn new(stored: i64) -> ProducerId {
        ProducerId(stored)
    }

    /// The number itself.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl fmt::Display for ProducerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Where time ends.
pub(crate) const LATEST: TimestampMs = match TimestampMs::stored(i64::MAX) {
    Some(latest) => latest,
    None => TimestampMs::ZERO,
};

/// A value, or the word for its absence.
pub(crate) struct Maybe<T>(pub(crate) Option<T>);

impl<T: fmt::Display> fmt::Display for Maybe<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("none"),
        }
    }
}
