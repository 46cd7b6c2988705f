//! Numbers, and what an input can be.

use super::args::{Fault, Text, fault};
use crate::language::command::Policy;
use crate::language::input::{Domain, InputName};
use crate::language::problem::{Problem, clip};
use crate::language::quantity::{Amount, AmountError, Measure};

/// Whether a word is `xN`.
pub(super) fn is_times(text: &str) -> bool {
    text.strip_prefix('x').is_some_and(is_number)
}

/// Whether a word means a number: an input, digits, or something that begins like them.
pub(super) fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '$' | '-'))
}

pub(super) fn read_amount(text: Text<'_>, expected: &'static str) -> Result<Amount, Fault> {
    Amount::parse(text.text).map_err(|error| match error {
        AmountError::TooLarge => fault(text.column, Problem::NumberTooLarge { found: clip(text.text) }),
        AmountError::NotANumber | AmountError::UnknownUnit => text.unexpected(expected),
    })
}

/// A number from 0 with a unit that fits.
pub(super) fn amount(text: Text<'_>, measure: Measure) -> Result<Amount, Fault> {
    let amount = read_amount(text, measure.expected())?;
    if !measure.accepts(amount.unit()) {
        return Err(text.unexpected(measure.expected()));
    }
    if amount.base() < 0 {
        let what = match measure {
            Measure::Size => "sizes",
            Measure::Time => "times",
            Measure::Offset => "offsets",
            Measure::Count => "counts",
        };
        return Err(fault(
            text.column,
            Problem::OutOfRange {
                found: clip(text.text),
                what,
                min: 0,
                max: i64::MAX,
            },
        ));
    }
    Ok(amount)
}

pub(super) fn number_domain(
    name: InputName,
    measure: Measure,
    default: Text<'_>,
    range: Text<'_>,
) -> Result<Domain, Fault> {
    const RANGE: &str = "two numbers that rise, such as 0..20";
    let signed = |text: Text<'_>| {
        let amount = read_amount(text, measure.expected())?;
        if measure.accepts(amount.unit()) {
            Ok(amount)
        } else {
            Err(text.unexpected(measure.expected()))
        }
    };
    let default = signed(default)?;
    let dots = range.text.as_bytes().windows(2).position(|pair| pair == b"..");
    let dots = dots.ok_or_else(|| range.unexpected(RANGE))?;
    let (low, high) = (&range.text[..dots], &range.text[dots + 2..]);
    let low_text = Text {
        text: low,
        column: range.column,
    };
    let high_text = Text {
        text: high,
        column: range.column + low.chars().count() + 2,
    };
    let (low, high) = (signed(low_text)?, signed(high_text)?);
    if low.base() < name.least() {
        let problem = Problem::OutOfRange {
            found: clip(low_text.text),
            what: name.as_str(),
            min: name.least(),
            max: i64::MAX,
        };
        return Err(fault(low_text.column, problem));
    }
    if low.base() > high.base() {
        return Err(range.unexpected(RANGE));
    }
    Ok(Domain::Number { default, low, high })
}

pub(super) fn policy_domain(default: Text<'_>, choice: Text<'_>) -> Result<Domain, Fault> {
    const EXPECTED: &str = "`earliest`, `latest`, `none` or a span such as by-duration=20s";
    let read = |text: Text<'_>| Policy::parse(text.text).ok_or_else(|| text.unexpected(EXPECTED));
    let mut choices: Vec<Policy> = Vec::new();
    let mut column = choice.column;
    for word in choice.text.split(',') {
        let policy = read(Text { text: word, column })?;
        if choices.contains(&policy) {
            return Err(fault(column, Problem::KeyTwice { key: clip(word) }));
        }
        choices.push(policy);
        column += word.chars().count() + 1;
    }
    Ok(Domain::Policy {
        default: read(default)?,
        choices,
    })
}
