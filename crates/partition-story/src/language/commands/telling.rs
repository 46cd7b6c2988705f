//! What is said to a reader: `title`, `try`, `phase`, `say`.

use super::setting::refused;
use super::{Definition, Kind, Words};
use crate::language::args::{Args, Pair, Text, is_id, title};
use crate::language::print::Printer;
use crate::language::written::Choice;
use crate::language::{Fault, InputName, InputValue, Problem, limits};
use crate::sentence::{Role, Sentence, SentenceBuilder};

/// `title "Find offset 9"`: what the scenario is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title(pub String);

impl Words for Title {
    const NAME: &'static str = "title";
    const GRAMMAR: &'static str = "quoted";

    fn parse(args: &mut Args<'_, '_>) -> Result<Title, Fault> {
        title(args).map(Title)
    }
}

impl Definition for Title {
    fn print(&self, words: &mut Printer) {
        words.quoted(&self.0);
    }

    fn kind(&self) -> Kind {
        Kind::Declares
    }
}

/// `try "8 has an entry of its own" offset=8`: other values for the inputs, worth a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Try {
    /// What happens then.
    pub label: String,
    /// The values that differ from the defaults.
    pub values: Vec<(InputName, InputValue)>,
}

impl Words for Try {
    const NAME: &'static str = "try";
    const GRAMMAR: &'static str = "quoted INPUT \"=\" value { INPUT \"=\" value }";

    fn parse(args: &mut Args<'_, '_>) -> Result<Try, Fault> {
        let label = title(args)?;
        let pairs = args.some_pairs("an input and a value, such as offset=8")?;
        let value = |pair: Pair<'_>| {
            let (input, _) = args.scope.declared(pair.key)?;
            let value = input.read(pair.value.text);
            let value = value.map_err(|_| Fault::at(pair.value.column, refused(input, pair.value.text)))?;
            Ok((input.name, value))
        };
        let values = pairs.into_iter().map(value).collect::<Result<_, Fault>>()?;
        Ok(Try { label, values })
    }
}

impl Definition for Try {
    fn print(&self, words: &mut Printer) {
        words.quoted(&self.label);
        for (name, value) in &self.values {
            words.pair(name.as_str(), Some(&value.to_string()));
        }
    }

    fn kind(&self) -> Kind {
        Kind::Declares
    }
}

/// `phase scan "Scan the log" from=scan`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// For links.
    pub id: String,
    /// For the timeline.
    pub title: String,
    /// Where it begins; at the next frame if not given.
    pub from: Option<Stage>,
}

impl Words for Phase {
    const NAME: &'static str = "phase";
    const GRAMMAR: &'static str = "ID quoted [ \"from=\" STAGE ]";

    fn parse(args: &mut Args<'_, '_>) -> Result<Phase, Fault> {
        const ID: &str = "an id of up to 40 small letters, digits and hyphens, such as scan";
        let name = args.bare(ID)?;
        if !is_id(name.text) {
            return Err(name.unexpected(ID));
        }
        let id = name.text.to_string();
        if args.scope.phases.contains(&id) {
            return Err(Fault::at(name.column, Problem::PhaseTwice { id }));
        }
        let title = title(args)?;
        let mut pairs = args.pairs()?;
        let from = pairs.option("from", Text::choice)?;
        pairs.done()?;
        args.scope.phases.insert(id.clone());
        Ok(Phase { id, title, from })
    }
}

impl Definition for Phase {
    fn print(&self, words: &mut Printer) {
        words.word(&self.id);
        words.quoted(&self.title);
        words.pair("from", self.from.map(Stage::word));
    }

    fn kind(&self) -> Kind {
        Kind::Tells
    }
}

/// A part of what a command does: where a phase can begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A segment is chosen.
    Segment,
    /// The time index is searched.
    TimeIndex,
    /// The offset index is searched.
    OffsetIndex,
    /// The log is scanned.
    Scan,
    /// Bytes are sent, or an offset is answered.
    Answer,
    /// A segment is about to be closed.
    Roll,
    /// A batch is written.
    Append,
    /// An index entry is written.
    Entry,
    /// A retention check runs.
    Check,
    /// Segments leave the log.
    Delete,
    /// Files are removed.
    Remove,
    /// A consumer's offset is not in the log.
    Reset,
}

impl Stage {
    /// As it is written behind `from=`.
    pub fn name(self) -> &'static str {
        self.word()
    }
}

impl Choice for Stage {
    const WORDS: &'static [(&'static str, Stage)] = &[
        ("segment", Stage::Segment),
        ("time-index", Stage::TimeIndex),
        ("offset-index", Stage::OffsetIndex),
        ("scan", Stage::Scan),
        ("answer", Stage::Answer),
        ("roll", Stage::Roll),
        ("append", Stage::Append),
        ("entry", Stage::Entry),
        ("check", Stage::Check),
        ("delete", Stage::Delete),
        ("remove", Stage::Remove),
        ("reset", Stage::Reset),
    ];
    const EXPECTED: &'static str =
        "segment, time-index, offset-index, scan, answer, roll, append, entry, check, delete, remove or reset";
}

/// `say "…"`: a sentence of the author's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Say {
    /// As it is written, with the inputs' names.
    pub text: String,
    /// As it is said, with their values.
    pub sentence: Sentence,
}

impl Words for Say {
    const NAME: &'static str = "say";
    const GRAMMAR: &'static str = "quoted";

    fn parse(args: &mut Args<'_, '_>) -> Result<Say, Fault> {
        let quoted = args.quoted("a sentence in quotes")?;
        let mut sentence = SentenceBuilder::default();
        let mut rest = quoted.text;
        while let Some((before, name, behind)) = next_input(rest) {
            let name = Text { text: name, ..quoted };
            let (_, value) = args.scope.declared(name)?;
            sentence.push(Role::Plain, before);
            sentence.push(Role::Setting, &spoken(value));
            rest = behind;
        }
        sentence.push(Role::Plain, rest);
        let sentence = sentence.finish();
        let (length, max) = (sentence.length(), limits::SENTENCE);
        if length > max {
            return Err(Fault::in_word(1, Problem::SentenceTooLong { length, max }));
        }
        let text = quoted.text.to_string();
        Ok(Say { text, sentence })
    }
}

impl Definition for Say {
    fn print(&self, words: &mut Printer) {
        if words.names() {
            words.quoted(&self.text);
        } else {
            words.quoted(&self.sentence.to_string());
        }
    }

    fn kind(&self) -> Kind {
        Kind::Tells
    }
}

/// The first `$name` of a sentence: the text before it, the name, and the text behind it. A `$` that no letter follows
/// stands for itself.
fn next_input(sentence: &str) -> Option<(&str, &str, &str)> {
    let inputs = sentence.match_indices('$').map(|(at, _)| {
        let behind = &sentence[at + 1..];
        let end = behind.find(|c: char| !(c.is_ascii_lowercase() || c == '-'));
        // A hyphen at the end belongs to the sentence.
        let name = behind[..end.unwrap_or(behind.len())].trim_end_matches('-');
        (&sentence[..at], name, &behind[name.len()..])
    });
    inputs.into_iter().find(|(_, name, _)| !name.is_empty())
}

/// A value as a sentence says it: `31 s`, not `31s`.
fn spoken(value: &InputValue) -> String {
    match value {
        InputValue::Number(amount) if amount.unit().is_some() => amount.value().to_string(),
        _ => value.to_string(),
    }
}
