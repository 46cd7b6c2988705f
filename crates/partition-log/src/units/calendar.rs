//! Civil dates in UTC: what a timestamp is on a calendar. Dates without time zones and leap seconds, which is what Kafka's
//! timestamps are, need no library: the two functions below are half a kilobyte of WebAssembly.

use super::TimestampMs;

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// Days from 0000-03-01 to 1970-01-01 in the Gregorian calendar.
const TO_EPOCH: i64 = 719_468;

/// Days of 400 years, after which the calendar repeats itself.
const ERA: i64 = 146_097;

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// From 1970 to 9999.
    pub year: i64,
    /// From 1.
    pub month: i64,
    /// From 1.
    pub day: i64,
}

impl Date {
    /// A date, or `None` where the calendar has no such day, or it is outside 1970 to 9999.
    ///
    /// ```
    /// use partition_log::units::Date;
    ///
    /// assert!(Date::new(2024, 2, 29).is_some());
    /// assert!(Date::new(2026, 2, 29).is_none());
    /// ```
    pub fn new(year: i64, month: i64, day: i64) -> Option<Date> {
        let inside = (1970..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        let date = Date { year, month, day };
        // The 30th of February is another day when it comes back.
        (inside && Date::of_day(date.days()) == date).then_some(date)
    }

    /// The day of a timestamp.
    pub fn of(time: TimestampMs) -> Date {
        Date::of_day(time.get() / DAY)
    }

    /// Its first moment.
    pub fn midnight(self) -> TimestampMs {
        TimestampMs(self.days() * DAY)
    }

    /// Without the year: `3 Mar`.
    pub(super) fn in_year(self) -> String {
        const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
        let month = (self.month as usize - 1) * 3;
        [&self.day.to_string(), " ", &MONTHS[month..month + 3]].concat()
    }

    /// Days since 1970-01-01. A year begins with March here, so that the day a leap year has more is its last one.
    fn days(self) -> i64 {
        let year = self.year - i64::from(self.month <= 2);
        let month = (self.month + 9) % 12;
        let of_year = (153 * month + 2) / 5 + self.day - 1;
        year * 365 + year / 4 - year / 100 + year / 400 + of_year - TO_EPOCH
    }

    fn of_day(days: i64) -> Date {
        let days = days + TO_EPOCH;
        let (era, of_era) = (days / ERA, days % ERA);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / (ERA - 1)) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = (month + 2) % 12 + 1;
        Date {
            year: era * 400 + year_of_era + i64::from(month <= 2),
            month,
            day,
        }
    }
}

impl core::fmt::Display for Date {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Date { year, month, day } = self;
        write!(f, "{year}-{}-{}", two(*month), two(*day))
    }
}

/// The first moment that is written as a date, 1980-01-01. Below it, times are spans since time 0: no scenario that counts
/// from 0 gets this far, and no broker's clock is earlier.
pub(super) const FIRST_DATE: i64 = 315_532_800_000;

/// The first moment behind the year 9999.
pub(super) const BEHIND_DATES: i64 = 253_402_300_800_000;

/// The time of day: `09:00`, `09:00:15`, `09:00:15.250`.
pub(super) fn time_of_day(time: TimestampMs) -> String {
    let ms = time.get() % DAY;
    let (hours, minutes, seconds) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60);
    let mut text = [&two(hours), ":", &two(minutes)].concat();
    if ms % 60_000 != 0 {
        text.push(':');
        text.push_str(&two(seconds));
    }
    if ms % 1_000 != 0 {
        let thousandths = (1_000 + ms % 1_000).to_string();
        text.push('.');
        text.push_str(&thousandths[1..]);
    }
    text
}

fn two(number: i64) -> String {
    let digits = number.to_string();
    if number < 10 { ["0", &digits].concat() } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_and_its_first_moment_are_inverse() {
        for (text, ms) in [
            ("1970-01-01", 0),
            ("1972-02-29", 68_169_600_000),
            ("2000-02-29", 951_782_400_000),
            ("2000-03-01", 951_868_800_000),
            ("2026-03-03", 1_772_496_000_000),
            ("2100-02-28", 4_107_456_000_000),
            ("2100-03-01", 4_107_542_400_000),
            ("9999-12-31", 253_402_214_400_000),
        ] {
            let date = Date::of(TimestampMs(ms));
            assert_eq!((date.to_string().as_str(), date.midnight()), (text, TimestampMs(ms)));
        }
        assert_eq!(Date::new(1980, 1, 1).map(Date::midnight), Some(TimestampMs(FIRST_DATE)));
    }

    #[test]
    fn every_day_of_the_calendar_comes_back() {
        let mut before = None;
        for day in 0..BEHIND_DATES / DAY {
            let date = Date::of_day(day);
            assert_eq!(
                (date.days(), Date::new(date.year, date.month, date.day)),
                (day, Some(date))
            );
            assert!(before < Some(date));
            before = Some(date);
        }
    }

    #[test]
    fn days_that_no_calendar_has_are_refused() {
        for (year, month, day) in [
            (2026, 2, 29),
            (2100, 2, 29),
            (2026, 4, 31),
            (2026, 13, 1),
            (2026, 0, 1),
            (2026, 1, 0),
            (2026, 1, 32),
            (1969, 12, 31),
            (10_000, 1, 1),
        ] {
            assert_eq!(Date::new(year, month, day), None, "{year}-{month}-{day}");
        }
    }
}
