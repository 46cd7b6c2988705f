//! What a scenario expects of the partition: `expect`.

use super::{Definition, Kind, Words};
use crate::distinct::Distinct;
use crate::language::amount::{Amount, Measure};
use crate::language::args::{Args, Pair, Text, amount, read_amount};
use crate::language::expectation::{ExpectKey, ExpectValue, Expectation, Shape};
use crate::language::print::Printer;
use crate::language::problem::clip;
use crate::language::written::FileWord;
use crate::language::{Fault, Problem};

/// `expect log-end=20`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expect(pub Vec<Expectation>);

impl Words for Expect {
    const NAME: &'static str = "expect";
    const GRAMMAR: &'static str = "EXPECT-KEY \"=\" value { EXPECT-KEY \"=\" value }";

    fn parse(args: &mut Args<'_, '_>) -> Result<Expect, Fault> {
        let pairs = args.some_pairs("a key and its value, such as log-end=20")?;
        let mut expectations = Vec::with_capacity(pairs.len());
        let mut seen = Distinct::default();
        for pair in pairs {
            let key = expect_key(&pair)?;
            // One base offset can be written in several ways.
            if !seen.insert(key) {
                let key = clip(pair.key.text);
                return Err(Fault::at(pair.key.column, Problem::KeyTwice { key }));
            }
            let value = expect_value(args, key, pair.value)?;
            expectations.push(Expectation { key, value });
        }
        Ok(Expect(expectations))
    }
}

impl Definition for Expect {
    fn print(&self, words: &mut Printer) {
        self.0
            .iter()
            .for_each(|expectation| words.word(&expectation.to_string()));
    }

    fn kind(&self) -> Kind {
        Kind::Tells
    }
}

fn expect_key(pair: &Pair<'_>) -> Result<ExpectKey, Fault> {
    let text = pair.key.text;
    let (word, inside) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        Some((word, inside)) => (word, Some(inside)),
        None => (text, None),
    };
    let known = |(_, listed, _): &(ExpectKey, &str, Shape)| match (listed.split_once('['), inside) {
        (Some((known, _)), Some(_)) => known == word,
        (None, None) => *listed == word,
        _ => false,
    };
    let Some((key, ..)) = ExpectKey::ALL.into_iter().find(known) else {
        let all = ExpectKey::ALL.into_iter().map(|(_, listed, _)| listed);
        return Err(pair.unknown(Expect::NAME, all.collect()));
    };
    let inside = Text {
        text: inside.unwrap_or_default(),
        column: pair.key.column + word.chars().count() + 1,
    };
    let base = || Ok(amount(inside, Measure::Offset)?.base());
    Ok(match key {
        ExpectKey::Index(_) => ExpectKey::Index(base()?),
        ExpectKey::TimeIndex(_) => ExpectKey::TimeIndex(base()?),
        ExpectKey::TxnIndex(_) => ExpectKey::TxnIndex(base()?),
        ExpectKey::Files(_) => ExpectKey::Files(base()?),
        ExpectKey::File(_) => ExpectKey::File(
            FileWord::find(inside.text)
                .ok_or_else(|| inside.unexpected("a file, such as 0.log, 10.timeindex.deleted or 15.snapshot"))?,
        ),
        plain => plain,
    })
}

fn expect_value(args: &mut Args<'_, '_>, key: ExpectKey, text: Text<'_>) -> Result<ExpectValue, Fault> {
    let none = text.text == "none";
    let measured = |measure| amount(text, measure);
    Ok(match key.shape() {
        Shape::Offsets => ExpectValue::Offsets(
            text.parts(',')
                .map(|text| amount(text, Measure::Offset).map(Amount::base))
                .collect::<Result<_, _>>()?,
        ),
        Shape::MaybeOffset if none => ExpectValue::Number(None),
        Shape::MaybeOffset => ExpectValue::Number(Some(measured(Measure::Offset)?.base())),
        Shape::Count => ExpectValue::Number(Some(measured(Measure::Count)?.base())),
        Shape::MaybeTime if none => ExpectValue::Time(None),
        Shape::MaybeTime | Shape::Time => ExpectValue::Time(Some(args.time(text)?)),
        Shape::MaybeSize if none => ExpectValue::Amount(None),
        Shape::MaybeSize => ExpectValue::Amount(Some(measured(Measure::Size)?)),
        Shape::Rows(_) if none => ExpectValue::Rows(Vec::new()),
        Shape::Rows(width) => rows(text, width)?,
        Shape::Size => ExpectValue::Amount(Some(measured(Measure::Size)?)),
        Shape::OffsetEntries if none => ExpectValue::Entries(Vec::new()),
        Shape::TimeEntries if none => ExpectValue::TimeEntries(Vec::new()),
        Shape::OffsetEntries => ExpectValue::Entries(entries(
            text,
            |key| amount(key, Measure::Offset),
            "entries such as 2:115,4:200, or `none`",
        )?),
        Shape::TimeEntries => ExpectValue::TimeEntries(entries(
            text,
            |key| args.time(key),
            "entries such as 18s:2,22s:4, or `none`",
        )?),
        Shape::Files => files(text)?,
        Shape::Word => match text.text {
            "" => return Err(text.unexpected("`none` or the name of a refusal, such as offset-out-of-range")),
            word => ExpectValue::Word(word.to_string()),
        },
    })
}

fn entries<Key>(
    text: Text<'_>,
    mut read: impl FnMut(Text<'_>) -> Result<Key, Fault>,
    expected: &'static str,
) -> Result<Vec<(Key, i64)>, Fault> {
    let entry = |text: Text<'_>| {
        // A time has colons of its own.
        let (key, to) = text.text.rsplit_once(':').ok_or_else(|| text.unexpected(expected))?;
        let to = Text {
            text: to,
            column: text.column + key.chars().count() + 1,
        };
        let key = Text {
            text: key,
            column: text.column,
        };
        Ok((read(key)?, amount(to, Measure::Offset)?.base()))
    };
    text.parts(',').map(entry).collect()
}

fn files(text: Text<'_>) -> Result<ExpectValue, Fault> {
    let mut lengths = text.parts(',').map(|text| match text.text {
        "none" => Ok(None),
        _ => amount(text, Measure::Size).map(Some),
    });
    match (lengths.next(), lengths.next(), lengths.next(), lengths.next()) {
        (Some(log), Some(index), Some(time_index), None) => Ok(ExpectValue::Files([log?, index?, time_index?])),
        _ => Err(text.unexpected("three sizes, such as 270B,16B,36B")),
    }
}

/// Rows of so many numbers: `0:0,3:12`.
fn rows(text: Text<'_>, width: usize) -> Result<ExpectValue, Fault> {
    let expected = match width {
        1 => "offsets such as 10,20, or `none`",
        2 => "pairs such as 0:0,3:12, or `none`",
        3 => "producer, epoch and last sequence number, such as 1:0:4, or `none`",
        _ => "producer, first and last offset, last stable offset, such as 1:0:4:2, or `none`",
    };
    let row = |text: Text<'_>| {
        let mut column = text.column;
        let numbers: Vec<i64> = text
            .text
            .split(':')
            .map(|number| {
                let here = Text { text: number, column };
                column += number.chars().count() + 1;
                let amount = read_amount(here, expected)?;
                amount
                    .unit()
                    .map_or(Ok(amount.base()), |_| Err(here.unexpected(expected)))
            })
            .collect::<Result<_, Fault>>()?;
        if numbers.len() == width {
            Ok(numbers)
        } else {
            Err(text.unexpected(expected))
        }
    };
    Ok(ExpectValue::Rows(
        text.parts(',').map(row).collect::<Result<_, Fault>>()?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::parse;

    #[test]
    fn every_key_is_read_and_printed_as_it_is_listed() {
        for (_, listed, shape) in ExpectKey::ALL {
            let value = match shape {
                Shape::Offsets | Shape::Count => "3",
                Shape::Size => "3B",
                Shape::Time => "3s",
                Shape::Files => "3B,none,0B",
                _ => "none",
            };
            let text = format!("expect {listed}={value}\n");
            assert_eq!(parse(&text).expect(listed).to_string(), text);
        }
    }
}
