//! Numbers with units, as they are written: `45B`, `2KiB`, `31s`, `-1`.

use core::fmt;

use partition_log::config::Value;

/// A unit of size or of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    B,
    /// 1,024 bytes.
    KiB,
    /// 1,048,576 bytes.
    MiB,
    /// 1,073,741,824 bytes.
    GiB,
    /// Milliseconds.
    Ms,
    /// Seconds.
    S,
    /// Minutes.
    M,
    /// Hours.
    H,
    /// Days of 24 hours.
    D,
}

impl Unit {
    /// All, sizes first.
    pub const ALL: [Unit; 9] = [
        Unit::B,
        Unit::KiB,
        Unit::MiB,
        Unit::GiB,
        Unit::Ms,
        Unit::S,
        Unit::M,
        Unit::H,
        Unit::D,
    ];

    /// As it is written behind a number.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::B => "B",
            Unit::KiB => "KiB",
            Unit::MiB => "MiB",
            Unit::GiB => "GiB",
            Unit::Ms => "ms",
            Unit::S => "s",
            Unit::M => "m",
            Unit::H => "h",
            Unit::D => "d",
        }
    }

    /// How many bytes, or milliseconds, it stands for.
    pub const fn factor(self) -> i64 {
        match self {
            Unit::B | Unit::Ms => 1,
            Unit::KiB => 1 << 10,
            Unit::MiB => 1 << 20,
            Unit::GiB => 1 << 30,
            Unit::S => 1_000,
            Unit::M => 60_000,
            Unit::H => 3_600_000,
            Unit::D => 86_400_000,
        }
    }

    /// Whether it counts bytes.
    pub const fn is_size(self) -> bool {
        matches!(self, Unit::B | Unit::KiB | Unit::MiB | Unit::GiB)
    }
}

/// A whole number and the unit that it carries, if any. The number times its unit fits 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    number: i64,
    unit: Option<Unit>,
}

/// Why a text is no [`Amount`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmountError {
    /// It does not begin with a digit, or has something other than a unit behind its digits.
    NotANumber,
    /// It is past 2^63 − 1, or below −2^63, in bytes or milliseconds.
    TooLarge,
    /// The digits are followed by a word that is no unit.
    UnknownUnit,
}

impl fmt::Display for AmountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AmountError::NotANumber => "not a whole number, with or without a unit behind it",
            AmountError::TooLarge => "a number past 64 bits",
            AmountError::UnknownUnit => "the digits are followed by no unit: B, KiB, MiB, GiB, ms, s, m, h or d",
        })
    }
}

impl core::error::Error for AmountError {}

impl Amount {
    /// Nothing, without a unit.
    pub const ZERO: Amount = Amount { number: 0, unit: None };

    /// An amount, or `None` where number times unit does not fit 64 bits.
    pub fn new(number: i64, unit: Option<Unit>) -> Option<Amount> {
        number.checked_mul(unit.map_or(1, Unit::factor))?;
        Some(Amount { number, unit })
    }

    /// A span from 0 in the largest unit of which it is a multiple.
    pub fn of_milliseconds(ms: i64) -> Amount {
        let units = [Unit::D, Unit::H, Unit::M, Unit::S];
        let whole = units.into_iter().find(|unit| ms > 0 && ms % unit.factor() == 0);
        let unit = whole.unwrap_or(Unit::Ms);
        Amount {
            number: ms / unit.factor(),
            unit: Some(unit),
        }
    }

    /// Reads `45B`, `-1`, `31s`.
    ///
    /// # Errors
    ///
    /// [`AmountError`].
    pub fn parse(text: &str) -> Result<Amount, AmountError> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, suffix) = rest.split_at(end);
        if digits.is_empty() || suffix.starts_with(['.', ',', '_', '\'']) {
            return Err(AmountError::NotANumber);
        }
        let unit = match suffix {
            "" => None,
            _ => Some(
                Unit::ALL
                    .into_iter()
                    .find(|unit| unit.name() == suffix)
                    .ok_or(AmountError::UnknownUnit)?,
            ),
        };
        // Digit by digit below zero, where the range is one longer: −2^63 has no positive counterpart.
        let below = digits.bytes().try_fold(0i64, |sum, digit| {
            sum.checked_mul(10)?.checked_sub(i64::from(digit - b'0'))
        });
        let number = if negative {
            below
        } else {
            below.and_then(i64::checked_neg)
        };
        number
            .and_then(|number| Amount::new(number, unit))
            .ok_or(AmountError::TooLarge)
    }

    /// In bytes, milliseconds, or plain.
    pub fn base(self) -> i64 {
        // Cannot wrap: the constructor refuses what does not fit.
        self.number.wrapping_mul(self.unit.map_or(1, Unit::factor))
    }

    /// The unit written behind the number.
    pub fn unit(self) -> Option<Unit> {
        self.unit
    }

    /// As a setting takes it.
    pub fn value(self) -> Value {
        match self.unit {
            None => Value::Number(self.number),
            Some(unit) if unit.is_size() => Value::Bytes(self.base()),
            Some(_) => Value::Duration(self.base()),
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, self.unit.map_or("", Unit::name))
    }
}

/// What a number counts in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Bytes.
    Size,
    /// Milliseconds.
    Time,
    /// An offset.
    Offset,
    /// Things: records, repetitions, headers.
    Count,
}

impl Measure {
    /// What is expected, with an example.
    pub const fn expected(self) -> &'static str {
        match self {
            Measure::Size => "a size, such as 45B or 2KiB",
            Measure::Time => "a time, such as 31s or 500ms",
            Measure::Offset => "an offset, such as 9",
            Measure::Count => "a number, such as 6",
        }
    }

    /// Whether an amount with this unit can stand here.
    pub const fn accepts(self, unit: Option<Unit>) -> bool {
        match (self, unit) {
            (_, None) => true,
            (Measure::Size, Some(unit)) => unit.is_size(),
            (Measure::Time, Some(unit)) => !unit.is_size(),
            (Measure::Offset | Measure::Count, Some(_)) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_keeps_its_unit() {
        for (text, base) in [
            ("45B", 45),
            ("2KiB", 2048),
            ("1GiB", 1 << 30),
            ("31s", 31_000),
            ("7d", 604_800_000),
            ("-1", -1),
            ("0", 0),
        ] {
            let amount = Amount::parse(text).expect(text);
            assert_eq!((amount.base(), amount.to_string()), (base, text.to_string()));
        }
    }

    #[test]
    fn a_span_has_the_largest_unit_that_leaves_no_rest() {
        for (ms, text) in [
            (0, "0ms"),
            (1_500, "1500ms"),
            (20_000, "20s"),
            (5_400_000, "90m"),
            (7_200_000, "2h"),
            (172_800_000, "2d"),
            (i64::MAX, "9223372036854775807ms"),
        ] {
            assert_eq!(Amount::of_milliseconds(ms).to_string(), text);
            assert_eq!(Amount::parse(text).map(Amount::base), Ok(ms));
        }
    }

    #[test]
    fn the_ends_of_64_bits_are_numbers_and_one_past_them_is_not() {
        assert_eq!(Amount::parse("9223372036854775807").map(Amount::base), Ok(i64::MAX));
        assert_eq!(Amount::parse("-9223372036854775808").map(Amount::base), Ok(i64::MIN));
        for text in [
            "9223372036854775808",
            "-9223372036854775809",
            "9007199254740992KiB",
            "99999999999999999999999",
            "106751991168d",
        ] {
            assert_eq!(Amount::parse(text), Err(AmountError::TooLarge), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_told_from_what_has_no_unit() {
        for text in ["", "-", "B", "1.5s", "1,000B", "1_000", "+5", "--1", "٣"] {
            assert_eq!(Amount::parse(text), Err(AmountError::NotANumber), "{text}");
        }
        for text in ["45b", "45KB", "31sec", "5-", "0x10", "1e3"] {
            assert_eq!(Amount::parse(text), Err(AmountError::UnknownUnit), "{text}");
        }
    }
}
