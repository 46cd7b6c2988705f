//! What a scenario expects of the partition: `expect`.

use std::collections::BTreeSet;

use super::{Definition, Kind, Words};
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

/// As they are written in an error: the brackets stand for a base offset.
const EXPECT_KEYS: &[&str] = &[
    "segments",
    "log-start",
    "log-end",
    "high-watermark",
    "size",
    "deleted",
    "clock",
    "index[0]",
    "timeindex[0]",
    "files[0]",
    "file[0.log]",
    "txnindex[0]",
    "last-stable",
    "recovery-point",
    "epochs",
    "producers",
    "snapshots",
    "recovered",
    "scanned",
    "files",
    "aborted",
    "answer",
    "timestamp",
    "segment",
    "position",
    "records",
    "bytes",
    "slice",
    "skipped",
    "next",
    "consumer",
    "committed",
    "error",
];

impl Words for Expect {
    const NAME: &'static str = "expect";
    const GRAMMAR: &'static str = "EXPECT-KEY \"=\" value { EXPECT-KEY \"=\" value }";

    fn parse(args: &mut Args<'_, '_>) -> Result<Expect, Fault> {
        let pairs = args.some_pairs("a key and its value, such as log-end=20")?;
        let mut expectations = Vec::with_capacity(pairs.len());
        let mut seen = BTreeSet::new();
        for pair in pairs {
            let key = expect_key(&pair)?;
            // One base offset can be written in several ways.
            if !seen.insert(key) {
                let key = clip(pair.key.text);
                return Err(Fault::at(pair.key.column, Problem::KeyTwice { key }));
            }
            let value = expect_value(key, pair.value)?;
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
    if let Some((word, base)) = pair.key.text.split_once('[') {
        let column = pair.key.column + word.chars().count() + 1;
        let base = Text {
            text: base.strip_suffix(']').unwrap_or(base),
            column,
        };
        if word == "file" {
            return FileWord::find(base.text)
                .map(ExpectKey::File)
                .ok_or_else(|| base.unexpected("a file, such as 0.log, 10.timeindex.deleted or 15.snapshot"));
        }
        let with_base = |key: fn(i64) -> ExpectKey| Ok(key(amount(base, Measure::Offset)?.base()));
        match word {
            "index" if pair.key.text.ends_with(']') => return with_base(ExpectKey::Index),
            "timeindex" if pair.key.text.ends_with(']') => return with_base(ExpectKey::TimeIndex),
            "txnindex" if pair.key.text.ends_with(']') => return with_base(ExpectKey::TxnIndex),
            "files" if pair.key.text.ends_with(']') => return with_base(ExpectKey::Files),
            _ => {}
        }
    }
    ExpectKey::PLAIN
        .into_iter()
        .find(|key| key.word() == pair.key.text)
        .ok_or_else(|| pair.unknown(Expect::NAME, EXPECT_KEYS.to_vec()))
}

fn expect_value(key: ExpectKey, text: Text<'_>) -> Result<ExpectValue, Fault> {
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
        Shape::MaybeTime if none => ExpectValue::Amount(None),
        Shape::MaybeTime | Shape::Time => ExpectValue::Amount(Some(measured(Measure::Time)?)),
        Shape::MaybeSize if none => ExpectValue::Amount(None),
        Shape::MaybeSize => ExpectValue::Amount(Some(measured(Measure::Size)?)),
        Shape::Rows(_) if none => ExpectValue::Rows(Vec::new()),
        Shape::Rows(width) => rows(text, width)?,
        Shape::Size => ExpectValue::Amount(Some(measured(Measure::Size)?)),
        Shape::OffsetEntries | Shape::TimeEntries if none => ExpectValue::Entries(Vec::new()),
        Shape::OffsetEntries => entries(text, Measure::Offset, "entries such as 2:115,4:200, or `none`")?,
        Shape::TimeEntries => entries(text, Measure::Time, "entries such as 18s:2,22s:4, or `none`")?,
        Shape::Files => files(text)?,
        Shape::Word => match text.text {
            "" => return Err(text.unexpected("`none` or the name of a refusal, such as offset-out-of-range")),
            word => ExpectValue::Word(word.to_string()),
        },
    })
}

fn entries(text: Text<'_>, measure: Measure, expected: &'static str) -> Result<ExpectValue, Fault> {
    let entry = |text: Text<'_>| {
        let (key, to) = text.text.split_once(':').ok_or_else(|| text.unexpected(expected))?;
        let to = Text {
            text: to,
            column: text.column + key.chars().count() + 1,
        };
        let key = Text {
            text: key,
            column: text.column,
        };
        Ok((amount(key, measure)?, amount(to, Measure::Offset)?.base()))
    };
    Ok(ExpectValue::Entries(
        text.parts(',').map(entry).collect::<Result<_, Fault>>()?,
    ))
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
