//! The words behind a command's name, read one by one, with the values of the inputs in place of their names.

use partition_log::units::{Offset, TimestampMs};

use super::amount::{Amount, AmountError, Measure};
use super::input::{Input, InputName, InputValue, InputValues};
use super::limits;
use super::moment::{Calendar, OtherUnit};
use super::nearest::nearest;
use super::problem::{Fault, Problem, clip};
use super::words::{Body, Word};
use super::written::{Choice, Written};
use crate::distinct::Distinct;

/// What the lines above declared.
pub(crate) struct Scope {
    /// The values given for the inputs.
    pub given: InputValues,
    /// The inputs so far, with their values.
    pub inputs: Vec<(Input, InputValue)>,
    /// The ids of the phases.
    pub phases: Distinct<String>,
    /// The names of the producers.
    pub producers: Distinct<String>,
    /// Bytes that damage adds to files.
    pub added: u64,
    /// What times are.
    pub calendar: Calendar,
    /// Whether something was done to the partition.
    pub begun: bool,
    /// What was probably not meant, with its column; the line is known to whoever reads it.
    pub remarks: Vec<(usize, OtherUnit)>,
}

impl Scope {
    /// Nothing declared yet.
    pub fn new(given: &InputValues) -> Scope {
        Scope {
            given: given.clone(),
            inputs: Vec::new(),
            phases: Distinct::default(),
            producers: Distinct::default(),
            added: 0,
            calendar: Calendar::default(),
            begun: false,
            remarks: Vec::new(),
        }
    }

    /// The input that a line above declares under a name, and its value.
    pub fn declared(&self, name: Text<'_>) -> Result<&(Input, InputValue), Fault> {
        let found = input_name(name)?;
        let declared = self.inputs.iter().find(|(input, _)| input.name == found);
        declared.ok_or_else(|| Fault::at(name.column, Problem::InputNotDeclared { name: found.as_str() }))
    }
}

/// The input called so.
pub(crate) fn input_name(text: Text<'_>) -> Result<InputName, Fault> {
    InputName::find(text.text).ok_or_else(|| {
        let nearest = nearest(text.text, InputName::ALL.into_iter().map(InputName::as_str));
        let found = clip(text.text);
        Fault::at(text.column, Problem::UnknownInput { found, nearest })
    })
}

/// The words behind a command's name.
pub(crate) struct Args<'a, 's> {
    /// The command's name.
    pub command: &'static str,
    /// Those not yet read.
    pub words: core::iter::Peekable<core::slice::Iter<'a, Word>>,
    /// The column behind the last word.
    pub end: usize,
    /// What the lines above declared.
    pub scope: &'s mut Scope,
}

/// A text that stands for itself, and its column.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    pub text: &'a str,
    pub column: usize,
}

impl<'a> Text<'a> {
    pub fn unexpected(&self, expected: &'static str) -> Fault {
        let found = clip(self.text);
        Fault::at(self.column, Problem::Unexpected { found, expected })
    }

    /// What stands behind so many of its characters, which take one byte each.
    pub fn behind(&self, characters: usize) -> Text<'a> {
        Text {
            text: &self.text[characters..],
            column: self.column + characters,
        }
    }

    /// The parts between commas, or other marks.
    pub fn parts(self, mark: char) -> impl Iterator<Item = Text<'a>> {
        self.text.split(mark).scan(self.column, |column, text| {
            let part = Text { text, column: *column };
            *column += text.chars().count() + 1;
            Some(part)
        })
    }

    /// One of a few words.
    pub fn choice<T: Choice>(self) -> Result<T, Fault> {
        T::find(self.text).ok_or_else(|| self.unexpected(T::EXPECTED))
    }
}

impl<'a> Args<'a, '_> {
    pub fn missing(&self, expected: &'static str) -> Fault {
        let command = self.command;
        Fault::at(self.end, Problem::Missing { command, expected })
    }

    /// The next word, which has to be bare.
    pub fn bare(&mut self, expected: &'static str) -> Result<Text<'a>, Fault> {
        match self.words.next() {
            None => Err(self.missing(expected)),
            Some(word) => bare(word).ok_or_else(|| unexpected(word, expected)),
        }
    }

    /// The next word, if it is bare and wanted.
    pub fn bare_if(&mut self, wanted: impl Fn(&str) -> bool) -> Option<Text<'a>> {
        let wanted = |word: &&Word| bare(word).is_some_and(|text| wanted(text.text));
        self.words.next_if(wanted).and_then(bare)
    }

    /// The next word, which has to stand in quotes.
    pub fn quoted(&mut self, expected: &'static str) -> Result<Text<'a>, Fault> {
        match self.words.next() {
            None => Err(self.missing(expected)),
            Some(Word {
                column,
                body: Body::Quoted(text),
            }) => Ok(Text { text, column: *column }),
            Some(word) => Err(unexpected(word, expected)),
        }
    }

    /// All `key=value` words from here on, each key once.
    pub fn pairs(&mut self) -> Result<Pairs<'a>, Fault> {
        let mut pairs: Vec<Pair<'a>> = Vec::new();
        let mut keys = Distinct::default();
        while let Some(word) = self.words.next_if(|word| matches!(word.body, Body::Pair { .. })) {
            let Some(pair) = pair(word) else { continue };
            if !keys.insert(pair.key.text) {
                let key = clip(pair.key.text);
                return Err(Fault::at(word.column, Problem::KeyTwice { key }));
            }
            pairs.push(pair);
        }
        Ok(Pairs {
            command: self.command,
            pairs,
            known: Vec::new(),
        })
    }

    /// The same, of which there has to be one at least.
    pub fn some_pairs(&mut self, expected: &'static str) -> Result<Vec<Pair<'a>>, Fault> {
        let pairs = self.pairs()?.pairs;
        if pairs.is_empty() {
            self.end(expected)?;
            return Err(self.missing(expected));
        }
        Ok(pairs)
    }

    /// Nothing more may follow.
    pub fn end(&mut self, expected: &'static str) -> Result<(), Fault> {
        self.words.next().map_or(Ok(()), |word| Err(unexpected(word, expected)))
    }

    /// A number from 0 with a unit that fits, or the value of an input of the same measure.
    fn amount(&self, text: Text<'_>, measure: Measure) -> Result<Written<Amount>, Fault> {
        if !text.text.starts_with('$') {
            return amount(text, measure).map(|amount| Written::new(amount, amount.to_string()));
        }
        match self.scope.declared(text.behind(1))? {
            (input, InputValue::Number(value)) if input.name.measure() == Some(measure) => {
                Ok(Written::of_input(*value, value.to_string(), input.name))
            }
            _ => Err(text.unexpected(measure.expected())),
        }
    }

    /// A size in bytes.
    pub fn size(&self, text: Text<'_>) -> Result<Written<u64>, Fault> {
        Ok(self.amount(text, Measure::Size)?.map(|size| size.base().max(0) as u64))
    }

    /// A span of time in milliseconds.
    pub fn span(&self, text: Text<'_>) -> Result<Written<i64>, Fault> {
        Ok(self.amount(text, Measure::Time)?.map(Amount::base))
    }

    /// A time: a date, a time of day, or a number, which counts from time 0 if it has a unit.
    pub fn time(&mut self, text: Text<'_>) -> Result<Written<TimestampMs>, Fault> {
        if let Some(moment) = self.scope.calendar.civil(text) {
            return Ok(Written::new(moment?, text.text));
        }
        let amount = self.amount(text, Measure::Time)?;
        let moment = self.scope.calendar.moment(*amount, text.column)?;
        let strange = OtherUnit::of(amount.base()).filter(|_| amount.unit().is_none());
        self.scope.remarks.extend(strange.map(|strange| (text.column, strange)));
        Ok(amount.map(|_| moment))
    }

    /// An offset.
    pub fn offset(&self, text: Text<'_>) -> Result<Written<Offset>, Fault> {
        let offset = |offset: Amount| Offset::new(offset.base()).unwrap_or_default();
        Ok(self.amount(text, Measure::Offset)?.map(offset))
    }

    /// A position in a file, in bytes.
    pub fn position(&self, text: Text<'_>) -> Result<Written<u64>, Fault> {
        Ok(self.offset(text)?.map(|position| position.get() as u64))
    }

    /// A count in a range; `what` says of what.
    pub fn within(&self, text: Text<'_>, (what, min, max): Range) -> Result<Written<i64>, Fault> {
        let count = self.amount(text, Measure::Count)?.map(Amount::base);
        if (min..=max).contains(&*count) {
            return Ok(count);
        }
        let found = clip(&count.to_string());
        Err(Fault::at(text.column, Problem::OutOfRange { found, what, min, max }))
    }

    /// The next word as an offset.
    pub fn next_offset(&mut self) -> Result<Written<Offset>, Fault> {
        let text = self.bare(Measure::Offset.expected())?;
        self.offset(text)
    }
}

/// What a number counts, its smallest and its largest value.
pub(crate) type Range = (&'static str, i64, i64);

/// Numbers of Kafka's protocol, and how large they may be.
pub(crate) const PRODUCER_ID: Range = ("producer ids", 0, i64::MAX);
pub(crate) const PRODUCER_EPOCH: Range = ("producer epochs", 0, i16::MAX as i64);
pub(crate) const SEQUENCE: Range = ("sequence numbers", 0, i32::MAX as i64);
pub(crate) const EPOCH: Range = ("epochs", 0, i32::MAX as i64);

/// A word `key=value`.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub key: Text<'a>,
    pub value: Text<'a>,
    pub quoted: bool,
}

/// The options of a command. They are taken one by one; what was asked for is what an error lists as known.
pub(crate) struct Pairs<'a> {
    command: &'static str,
    pairs: Vec<Pair<'a>>,
    known: Vec<&'static str>,
}

impl<'a> Pairs<'a> {
    /// The value of an option, read; `None` where it is not given.
    pub fn option<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(Text<'a>) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        self.known.push(key);
        let at = self.pairs.iter().position(|pair| pair.key.text == key);
        at.map(|at| read(self.pairs.remove(at).value)).transpose()
    }

    /// Refuses what was not asked for.
    pub fn done(self) -> Result<(), Fault> {
        match self.pairs.first() {
            None => Ok(()),
            Some(pair) => Err(pair.unknown(self.command, self.known)),
        }
    }
}

impl Pair<'_> {
    pub fn unknown(&self, command: &'static str, known: Vec<&'static str>) -> Fault {
        let nearest = nearest(self.key.text, known.iter().copied());
        let found = clip(self.key.text);
        let problem = Problem::UnknownKey {
            command,
            found,
            known: known.into(),
            nearest,
        };
        Fault::at(self.key.column, problem)
    }
}

/// The text of a bare word.
pub(crate) fn bare(word: &Word) -> Option<Text<'_>> {
    match &word.body {
        Body::Bare(text) => Some(Text {
            text,
            column: word.column,
        }),
        Body::Quoted(_) | Body::Pair { .. } => None,
    }
}

/// Key and value of a word.
pub(crate) fn pair(word: &Word) -> Option<Pair<'_>> {
    match &word.body {
        Body::Pair {
            key,
            value,
            quoted,
            value_column,
        } => Some(Pair {
            key: Text {
                text: key,
                column: word.column,
            },
            value: Text {
                text: value,
                column: *value_column,
            },
            quoted: *quoted,
        }),
        Body::Bare(_) | Body::Quoted(_) => None,
    }
}

pub(crate) fn unexpected(word: &Word, expected: &'static str) -> Fault {
    let found = clip(&word.written());
    Fault::at(word.column, Problem::Unexpected { found, expected })
}

/// Whether a word means a number: an input, digits, or something that begins like them.
pub(crate) fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '$' | '-'))
}

/// Whether a word can name a phase or a producer.
pub(crate) fn is_id(text: &str) -> bool {
    let letters = text
        .bytes()
        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    letters && text.len() <= 40 && text.starts_with(|c: char| c.is_ascii_lowercase())
}

/// A title in quotes.
pub(crate) fn title(args: &mut Args<'_, '_>) -> Result<String, Fault> {
    let title = args.quoted("a title in quotes, such as \"Scan the log\"")?;
    let length = title.text.chars().count();
    if length == 0 || length > limits::TITLE {
        return Err(title.unexpected("a title of 1 to 60 characters"));
    }
    Ok(title.text.to_string())
}

pub(crate) fn read_amount(text: Text<'_>, expected: &'static str) -> Result<Amount, Fault> {
    Amount::parse(text.text).map_err(|error| match error {
        AmountError::TooLarge => Fault::at(text.column, Problem::NumberTooLarge { found: clip(text.text) }),
        AmountError::NotANumber | AmountError::UnknownUnit => text.unexpected(expected),
    })
}

/// A number with a unit that fits.
pub(crate) fn signed_amount(text: Text<'_>, measure: Measure) -> Result<Amount, Fault> {
    let amount = read_amount(text, measure.expected())?;
    if measure.accepts(amount.unit()) {
        Ok(amount)
    } else {
        Err(text.unexpected(measure.expected()))
    }
}

/// A number from 0 with a unit that fits.
pub(crate) fn amount(text: Text<'_>, measure: Measure) -> Result<Amount, Fault> {
    let amount = signed_amount(text, measure)?;
    if amount.base() >= 0 {
        return Ok(amount);
    }
    let what = match measure {
        Measure::Size => "sizes",
        Measure::Time => "times",
        Measure::Offset => "offsets",
        Measure::Count => "counts",
    };
    let problem = Problem::OutOfRange {
        found: clip(text.text),
        what,
        min: 0,
        max: i64::MAX,
    };
    Err(Fault::at(text.column, problem))
}
