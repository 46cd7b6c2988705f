//! Times as they are written: dates and times of day in UTC, `2026-03-03T09:00Z`, `11:31`, beside the spans since time 0.

use partition_log::units::{Date, TimestampMs};

use super::amount::Amount;
use super::args::Text;
use super::problem::{Fault, Problem, clip};
use super::written::Written;

/// What an error says where a time was expected.
pub(crate) const EXPECTED: &str = "a time, such as 31s, 11:31 or 2026-03-03T11:31";

/// What time 0 is, and which day a time of day is on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Calendar {
    /// Time 0; `None` where the scenario has no date, and 0 is 1970-01-01.
    pub start: Option<TimestampMs>,
    /// The day that `clock`, or the last `at` with a date, named.
    pub day: Option<Date>,
}

/// A date, a time of day, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Civil {
    date: Option<Date>,
    /// Milliseconds since midnight.
    ms: i64,
}

/// Reads a date or a time of day; `None` for what looks like something else, a number for one.
fn civil(text: Text<'_>) -> Option<Result<Civil, Fault>> {
    // Nothing else has a colon, or a hyphen behind its first character.
    let bytes = text.text.as_bytes();
    let looks = bytes.contains(&b':') || bytes.iter().skip(1).any(|byte| *byte == b'-');
    let begins = bytes.first().is_some_and(u8::is_ascii_digit);
    (looks && begins)
        .then(|| read(text.text).ok_or_else(|| Fault::at(text.column, Problem::NoSuchTime { found: clip(text.text) })))
}

fn read(text: &str) -> Option<Civil> {
    let text = text.strip_suffix('Z').unwrap_or(text);
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (Some(date), Some(time)),
        None if text.as_bytes().contains(&b':') => (None, Some(text)),
        None => (Some(text), None),
    };
    let date = match date {
        None => None,
        Some(date) => {
            let (year, rest) = date.split_once('-')?;
            let (month, day) = rest.split_once('-')?;
            Some(Date::new(digits(year, 4)?, digits(month, 2)?, digits(day, 2)?)?)
        }
    };
    let ms = match time {
        None => 0,
        Some(time) => {
            let (hours, rest) = time.split_once(':')?;
            let (minutes, seconds) = rest.split_once(':').unwrap_or((rest, "00"));
            let (seconds, thousandths) = seconds.split_once('.').unwrap_or((seconds, "000"));
            let below = |number: i64, end: i64| (number < end).then_some(number);
            let hours = below(digits(hours, 2)?, 24)?;
            let minutes = below(digits(minutes, 2)?, 60)?;
            let seconds = below(digits(seconds, 2)?, 60)?;
            ((hours * 60 + minutes) * 60 + seconds) * 1_000 + digits(thousandths, 3)?
        }
    };
    Some(Civil { date, ms })
}

/// A number of so many digits.
fn digits(text: &str, count: usize) -> Option<i64> {
    let all = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    all.then(|| text.parse().ok())?
}

impl Calendar {
    /// The moment that a date or a time of day names; `None` for what looks like something else.
    pub fn civil(&self, text: Text<'_>) -> Option<Result<TimestampMs, Fault>> {
        let civil = match civil(text)? {
            Ok(civil) => civil,
            Err(fault) => return Some(Err(fault)),
        };
        let Some(date) = civil.date.or(self.day) else {
            return Some(Err(Fault::at(text.column, Problem::NoDate { found: clip(text.text) })));
        };
        // Years end at 9999.
        Some(Ok(date.midnight().checked_add(civil.ms).unwrap_or(date.midnight())))
    }

    /// The moment of a number: with a unit it counts from time 0, without one, as Kafka's timestamps do, from 1970 on.
    pub fn moment(&self, amount: Amount, column: usize) -> Result<TimestampMs, Fault> {
        let start = match amount.unit() {
            Some(_) => self.start.unwrap_or_default(),
            None => TimestampMs::ZERO,
        };
        let moment = start.checked_add(amount.base());
        moment.ok_or_else(|| Fault::at(column, Problem::ClockTooLarge))
    }
}

/// A moment, as the language writes it.
pub(crate) fn written(moment: TimestampMs) -> Written<TimestampMs> {
    let ms = moment.get();
    let text = if moment.is_date() {
        moment.to_string().replacen(' ', "T", 1)
    } else if ms % 1_000 == 0 {
        format!("{}s", ms / 1_000)
    } else {
        format!("{ms}ms")
    };
    Written::new(moment, text)
}

/// The unit that a timestamp was probably meant in, where milliseconds make it a strange one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherUnit {
    /// As written.
    pub number: i64,
    /// What it looks like: `seconds`, `microseconds`, `nanoseconds`.
    pub unit: &'static str,
    /// The moment that it would be.
    pub moment: TimestampMs,
}

impl OtherUnit {
    /// Looks at a number of milliseconds since 1970: one that is not in this century, and would be in another unit.
    pub(crate) fn of(number: i64) -> Option<OtherUnit> {
        const CENTURY: core::ops::Range<i64> = 978_307_200_000..4_102_444_800_000;
        let inside = |ms: Option<i64>| ms.filter(|ms| CENTURY.contains(ms));
        if inside(Some(number)).is_some() {
            return None;
        }
        let meant = [
            ("seconds", number.checked_mul(1_000)),
            ("microseconds", Some(number / 1_000)),
            ("nanoseconds", Some(number / 1_000_000)),
        ];
        meant.into_iter().find_map(|(unit, ms)| {
            let moment = TimestampMs::stored(inside(ms)?)?;
            Some(OtherUnit { number, unit, moment })
        })
    }
}

impl core::fmt::Display for OtherUnit {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let OtherUnit { number, unit, moment } = self;
        let read = TimestampMs::new(*number).unwrap_or_default();
        write!(
            f,
            "{number} is read as milliseconds since 1970, {read}; in {unit} it would be {moment}: Kafka's timestamps are in \
             milliseconds, write {} if that was meant",
            moment.get()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Option<Result<TimestampMs, Problem>> {
        let calendar = Calendar {
            start: TimestampMs::stored(1_772_528_400_000),
            day: Date::new(2026, 3, 3),
        };
        let read = calendar.civil(Text { text, column: 1 })?;
        Some(read.map_err(Fault::problem))
    }

    #[test]
    fn dates_and_times_of_day_are_moments() {
        for (text, ms) in [
            ("2026-03-03T09:00Z", 1_772_528_400_000),
            ("2026-03-03T09:00", 1_772_528_400_000),
            ("2026-03-03", 1_772_496_000_000),
            ("09:00", 1_772_528_400_000),
            ("09:00:15", 1_772_528_415_000),
            ("09:00:15.250Z", 1_772_528_415_250),
            ("1970-01-01", 0),
            ("9999-12-31T23:59:59.999", 253_402_300_799_999),
        ] {
            assert_eq!(
                at(text),
                Some(Ok(TimestampMs::new(ms).expect("not negative"))),
                "{text}"
            );
        }
    }

    #[test]
    fn what_no_clock_shows_is_refused() {
        for text in [
            "24:00",
            "9:00",
            "09:60",
            "09:00:60",
            "09:00:00.5",
            "2026-02-29",
            "2026-3-3",
            "2026-03-03T",
            "2026-03-03T09",
            "2026-03-03T09:00+01:00",
            "2026-03-03 09:00",
            "10000-01-01",
            "09:00z",
            "1:2:3:4",
            "31s-1",
        ] {
            let found = text.to_string();
            assert_eq!(at(text), Some(Err(Problem::NoSuchTime { found })), "{text}");
        }
        for text in ["31s", "-1", "0", "none", "x:y", ""] {
            assert_eq!(at(text), None, "{text}");
        }
    }

    #[test]
    fn a_moment_is_read_back_as_it_is_written() {
        for ms in [0, 1, 31_000, 1_772_528_400_000, 1_772_528_415_250, i64::MAX] {
            let moment = TimestampMs::new(ms).expect("not negative");
            let text = written(moment).to_string();
            let text = Text { text: &text, column: 1 };
            let calendar = Calendar::default();
            let read = calendar.civil(text).unwrap_or_else(|| {
                let amount = Amount::parse(text.text).expect("a number");
                calendar.moment(amount, 1)
            });
            assert_eq!(read.map_err(Fault::problem), Ok(moment));
        }
    }

    #[test]
    fn numbers_in_another_unit_are_recognised() {
        for (number, unit) in [
            (1_772_528_400, "seconds"),
            (1_772_528_400_000_000, "microseconds"),
            (1_772_528_400_000_000_000, "nanoseconds"),
        ] {
            let found = OtherUnit::of(number).expect("another unit");
            assert_eq!((found.unit, found.moment.get()), (unit, 1_772_528_400_000));
        }
        for number in [0, 31_000, 1_772_528_400_000, i64::MAX, i64::MIN, -1] {
            assert_eq!(OtherUnit::of(number), None, "{number}");
        }
    }
}
