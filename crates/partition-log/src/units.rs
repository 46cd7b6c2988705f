//! Numbers that must not be mixed up: offsets, positions, timestamps. The ground of the crate: may know nothing of it.

use core::fmt;
use core::ops::Sub;
use core::str::FromStr;

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

/// A point in time. Unit: milliseconds; the demos count from 0. Range: 0 to 2^63 − 1. Kafka's −1, "no timestamp", is
/// [`TimestampMs::NONE`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TimestampMs(i64);

impl TimestampMs {
    /// Where every clock of ours starts.
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
}

impl Sub for TimestampMs {
    /// A span in milliseconds; negative if `other` is later.
    type Output = i64;

    fn sub(self, other: TimestampMs) -> i64 {
        self.0 - other.0
    }
}

impl fmt::Display for TimestampMs {
    /// As [`duration`] writes it: `31 s`, `1,500 ms`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&duration(self.0))
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

/// A span of milliseconds in the largest unit that divides it: `31 s`, `7 d`, `1,500 ms`. Days only from 2 d on, hours
/// only from 2 h, minutes only from 2 min, so that small spans compare at sight (60 s, 90 s).
pub fn duration(ms: i64) -> String {
    const UNITS: [(i64, &str); 4] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s")];
    for (unit, name) in UNITS {
        let floor = if unit == 1_000 { 0 } else { 2 * unit };
        if ms % unit == 0 && ms.unsigned_abs() as i128 >= floor as i128 {
            return format!("{} {name}", grouped(ms / unit));
        }
    }
    format!("{} ms", grouped(ms))
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
    fn spans_are_written_in_the_unit_that_divides_them() {
        let cases = [
            (0, "0 s"),
            (31_000, "31 s"),
            (60_000, "60 s"),
            (90_000, "90 s"),
            (1_500, "1,500 ms"),
            (300_000, "5 min"),
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
