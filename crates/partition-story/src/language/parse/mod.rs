//! Text to scenario.

mod args;
mod broker;
mod expectations;
mod values;

use std::collections::BTreeSet;

use partition_log::config::Settings;

use super::command::{
    Append, Batch, Command, CommitOffset, FetchFrom, FindTime, Format, HighWatermark, Options, Policy, ResetTo,
    Setting, SettingValue, Stage, Timestamp, Try,
};
use super::input::{Domain, Input, InputName};
use super::nearest::nearest;
use super::problem::{Place, Problem, ScenarioError, clip};
use super::quantity::{Measure, Quantity};
use super::words::{Body, Word, split};
use super::{Line, Scenario, limits};
use args::{Args, Fault, Pair, Text, fault, unexpected};
use expectations::expectations;
use values::{amount, is_number, is_times, number_domain, policy_domain, read_amount};

/// Reads a scenario.
///
/// # Errors
///
/// The first fault: its line, its column, what was found, what was expected, and what helps.
///
/// ```
/// use partition_story::parse;
///
/// let scenario = parse("append 45B every=2s x6\nexpect log-end=6\n").expect("well formed");
/// assert_eq!(scenario.to_string(), "append 45B every=2s x6\nexpect log-end=6\n");
/// let error = parse("apend 45B").expect_err("a typing slip");
/// assert_eq!(error.to_string(), "line 1, column 1: found `apend`, expected a command; did you mean `append`?");
/// ```
pub fn parse(text: &str) -> Result<Scenario, ScenarioError> {
    if text.len() > limits::TEXT_BYTES {
        let problem = Problem::TextTooLong {
            size: text.len(),
            max: limits::TEXT_BYTES,
        };
        return Err(ScenarioError { place: None, problem });
    }
    // Editors on some systems begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut parser = Parser::default();
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        match parser.line(line) {
            Ok(line) => lines.push(line),
            Err(fault) => {
                let (column, problem) = *fault;
                let line = index + 1;
                return Err(ScenarioError {
                    place: Some(Place { line, column }),
                    problem,
                });
            }
        }
    }
    Ok(Scenario { lines })
}

/// What earlier lines declared.
#[derive(Default)]
struct Parser {
    inputs: Vec<Input>,
    phases: BTreeSet<String>,
    producers: BTreeSet<String>,
}

impl Parser {
    fn line(&mut self, line: &str) -> Result<Line, Fault> {
        let (words, comment) = split(line).map_err(Box::new)?;
        let columns = words.iter().map(|word| word.column).collect();
        let command = match words.split_first() {
            None => None,
            Some((first, rest)) => Some(self.command(first, rest)?),
        };
        Ok(Line {
            command,
            comment,
            columns,
        })
    }

    fn command(&mut self, first: &Word, rest: &[Word]) -> Result<Command, Fault> {
        let unknown = |found: &str| {
            let nearest = nearest(found, Command::names());
            fault(
                first.column,
                Problem::UnknownCommand {
                    found: clip(found),
                    nearest,
                },
            )
        };
        let name = match &first.body {
            Body::Bare(name) => Command::names()
                .find(|known| known == name)
                .ok_or_else(|| unknown(name))?,
            Body::Quoted(_) | Body::Pair { .. } => return Err(unknown(&first.written())),
        };
        let last = rest.last().unwrap_or(first);
        let end = last.column + last.written().chars().count();
        let mut args = Args {
            command: name,
            words: rest.iter().peekable(),
            end,
        };
        let command = match name {
            "title" => Command::Title(title(&mut args)?),
            "try" => Command::Try(self.other_values(&mut args)?),
            "input" => Command::Input(self.input(&mut args)?),
            "set" => Command::Set(self.settings(&mut args)?),
            "append" => Command::Append(self.append(&mut args)?),
            "batch" => Command::Batch(self.batch(&mut args)?),
            "format" => Command::Format(format(&mut args)?),
            "wait" => Command::Wait(self.quantity(args.bare(Measure::Time.expected())?, Measure::Time)?),
            "at" => Command::At(self.quantity(args.bare(Measure::Time.expected())?, Measure::Time)?),
            "fetch" => self.fetch(&mut args)?,
            "find-time" => Command::FindTime(self.find_time(&mut args)?),
            "check-retention" => Command::CheckRetention,
            "commit" => Command::Commit(self.commit(&mut args)?),
            "reset" => Command::Reset(self.reset(&mut args)?),
            "high-watermark" => Command::HighWatermark(self.high_watermark(&mut args)?),
            "delete-records" => {
                Command::DeleteRecords(self.quantity(args.bare(Measure::Offset.expected())?, Measure::Offset)?)
            }
            "phase" => self.phase(&mut args)?,
            "say" => Command::Say(self.say(&mut args)?),
            "expect" => Command::Expect(expectations(&mut args)?),
            _ => Command::Broker(self.broker(name, &mut args)?),
        };
        args.end("the end of the line")?;
        Ok(command)
    }

    /// A number, or an input of the same measure that is declared.
    fn quantity(&self, text: Text<'_>, measure: Measure) -> Result<Quantity, Fault> {
        match text.text.strip_prefix('$') {
            Some(name) => {
                let input = self.declared(name, text.column + 1)?;
                if input.name.measure() == Some(measure) {
                    Ok(Quantity::Input(input.name))
                } else {
                    Err(text.unexpected(measure.expected()))
                }
            }
            None => amount(text, measure).map(Quantity::Written),
        }
    }

    fn quantity_within(&self, text: Text<'_>, what: &'static str, min: i64, max: i64) -> Result<Quantity, Fault> {
        let quantity = self.quantity(text, Measure::Count)?;
        match quantity {
            Quantity::Written(amount) if !(min..=max).contains(&amount.base()) => Err(fault(
                text.column,
                Problem::OutOfRange {
                    found: clip(text.text),
                    what,
                    min,
                    max,
                },
            )),
            _ => Ok(quantity),
        }
    }

    fn declared(&self, name: &str, column: usize) -> Result<&Input, Fault> {
        let name = input_name(Text { text: name, column })?;
        self.inputs
            .iter()
            .find(|input| input.name == name)
            .ok_or_else(|| fault(column, Problem::InputNotDeclared { name: name.as_str() }))
    }

    fn input(&mut self, args: &mut Args<'_>) -> Result<Input, Fault> {
        const EXPECTED: &str = "a name and its default, such as offset=9";
        let (name, default) = match args.words.next() {
            None => return Err(args.missing(EXPECTED)),
            Some(Word {
                column,
                body:
                    Body::Pair {
                        key,
                        value,
                        value_column,
                        ..
                    },
            }) => (
                Text {
                    text: key,
                    column: *column,
                },
                Text {
                    text: value,
                    column: *value_column,
                },
            ),
            Some(word) => return Err(unexpected(word, EXPECTED)),
        };
        let column = name.column;
        let name = input_name(name)?;
        if self.inputs.iter().any(|input| input.name == name) {
            return Err(fault(column, Problem::InputTwice { name: name.as_str() }));
        }
        let (mut range, mut choice, mut label) = (None, None, None);
        for pair in args.pairs()? {
            match pair.key.text {
                "range" if name.measure().is_some() => range = Some(pair.value),
                "choice" if name.measure().is_none() => choice = Some(pair.value),
                "label" => label = Some(pair.value.text.to_string()),
                _ if name.measure().is_some() => return Err(pair.unknown("input", &["range", "label"])),
                _ => return Err(pair.unknown("input", &["choice", "label"])),
            }
        }
        let domain = match name.measure() {
            Some(measure) => {
                let range = range.ok_or_else(|| args.missing("the values it can take, such as range=0..20"))?;
                number_domain(name, measure, default, range)?
            }
            None => {
                let choice =
                    choice.ok_or_else(|| args.missing("the values it can take, such as choice=latest,none"))?;
                policy_domain(default, choice)?
            }
        };
        let input = Input { name, label, domain };
        if input.read(default.text).is_err() {
            let problem = Problem::DefaultOutsideRange {
                name: name.as_str(),
                default: clip(default.text),
                range: input.range(),
            };
            return Err(fault(default.column, problem));
        }
        self.inputs.push(input.clone());
        Ok(input)
    }

    fn other_values(&self, args: &mut Args<'_>) -> Result<Try, Fault> {
        const EXPECTED: &str = "an input and a value, such as offset=8";
        let label = title(args)?;
        let pairs = args.pairs()?;
        if pairs.is_empty() {
            return Err(args.missing(EXPECTED));
        }
        let value = |pair: Pair<'_>| {
            let input = self.declared(pair.key.text, pair.key.column)?;
            let value = input.read(pair.value.text).map_err(|_| {
                let problem = Problem::InputValue {
                    name: input.name.as_str(),
                    found: clip(pair.value.text),
                    range: input.range(),
                };
                fault(pair.value.column, problem)
            })?;
            Ok((input.name, value))
        };
        let values = pairs.into_iter().map(value).collect::<Result<_, Fault>>()?;
        Ok(Try { label, values })
    }

    fn settings(&self, args: &mut Args<'_>) -> Result<Vec<Setting>, Fault> {
        const EXPECTED: &str = "a setting, such as segment.bytes=300B";
        let pairs = args.pairs()?;
        if pairs.is_empty() {
            args.end(EXPECTED)?;
            return Err(args.missing(EXPECTED));
        }
        pairs.into_iter().map(|pair| self.setting(pair)).collect()
    }

    fn setting(&self, Pair { key, value, quoted }: Pair<'_>) -> Result<Setting, Fault> {
        let digits = value.text.strip_prefix('-').unwrap_or(value.text);
        let parsed = match value.text.strip_prefix('$') {
            Some(name) if !quoted => SettingValue::Input(self.declared(name, value.column + 1)?.name),
            _ if !quoted && digits.starts_with(|c: char| c.is_ascii_digit()) => SettingValue::Amount(read_amount(
                value,
                "a number, a size such as 300B, or a time such as 30s",
            )?),
            _ => SettingValue::Word(value.text.to_string()),
        };
        // What an input can bring is checked here with its ends, so that no value a reader picks is refused later.
        let literals = match &parsed {
            SettingValue::Input(name) => match self
                .inputs
                .iter()
                .find(|input| input.name == *name)
                .map(|input| &input.domain)
            {
                Some(Domain::Number { low, high, .. }) => vec![low.value(), high.value()],
                _ => return Err(value.unexpected("a number; the policy is set by `reset $reset`")),
            },
            written => written.literal().into_iter().collect(),
        };
        for literal in literals {
            Settings::check(key.text, &literal).map_err(|error| {
                let column = match error {
                    partition_log::config::SettingError::UnknownKey { .. } => key.column,
                    _ => value.column,
                };
                fault(column, Problem::Setting(error))
            })?;
        }
        Ok(Setting {
            key: key.text.to_string(),
            value: parsed,
        })
    }

    fn append(&self, args: &mut Args<'_>) -> Result<Append, Fault> {
        let mut sizes = vec![self.quantity(args.bare(Measure::Size.expected())?, Measure::Size)?];
        while let Some(text) = args.bare_if(|text| !is_times(text) && text != "together") {
            sizes.push(self.quantity(text, Measure::Size)?);
        }
        let mut options = Options::default();
        for pair in args.pairs()? {
            if !self.option(pair, &mut options)? {
                return Err(pair.unknown("append", APPEND_OPTIONS));
            }
        }
        self.times(args, &mut options)?;
        Ok(Append { sizes, options })
    }

    fn batch(&self, args: &mut Args<'_>) -> Result<Batch, Fault> {
        let records = args.bare("a number of records, such as 3")?;
        let records = self.quantity_within(records, "records of a batch", 1, limits::APPENDS as i64)?;
        let (mut total, mut headers, mut options) = (None, None, Options::default());
        for pair in args.pairs()? {
            match pair.key.text {
                "total" => total = Some(self.quantity(pair.value, Measure::Size)?),
                "headers" => {
                    headers = Some(self.quantity_within(pair.value, "headers of a record", 0, limits::HEADERS)?)
                }
                _ if self.option(pair, &mut options)? => {}
                _ => return Err(pair.unknown("batch", BATCH_OPTIONS)),
            }
        }
        self.times(args, &mut options)?;
        let total = total.ok_or_else(|| args.missing("the size of the batch, such as total=145B"))?;
        Ok(Batch {
            records,
            total,
            headers,
            options,
        })
    }

    /// An option that `append` and `batch` share; false if it is none of them.
    fn option(&self, pair: Pair<'_>, options: &mut Options) -> Result<bool, Fault> {
        match pair.key.text {
            "every" => options.every = Some(self.quantity(pair.value, Measure::Time)?),
            "ts" if pair.value.text == "none" => options.ts = Some(Timestamp::None),
            "ts" => options.ts = Some(Timestamp::At(self.quantity(pair.value, Measure::Time)?)),
            "key" => options.key = Some(pair.value.text.to_string()),
            "producer" => options.producer = Some(self.known_producer(pair.value)?),
            "sequence" => {
                options.sequence = Some(self.quantity_within(pair.value, broker::SEQUENCE.0, 0, broker::SEQUENCE.1)?)
            }
            "from" => options.from = Some(broker::source(pair.value)?),
            "offset" => options.offset = Some(self.quantity(pair.value, Measure::Offset)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn times(&self, args: &mut Args<'_>, options: &mut Options) -> Result<(), Fault> {
        let found = args.bare_if(is_times);
        options.together = args.bare_if(|text| text == "together").is_some();
        args.end("the end of the line: sizes come first, then options such as every=2s, and xN last")?;
        if let Some(Text { text, column }) = found {
            let number = Text {
                text: &text[1..],
                column: column + 1,
            };
            options.times = Some(self.quantity_within(number, "repetitions", 0, limits::APPENDS as i64)?);
        }
        Ok(())
    }

    fn fetch(&self, args: &mut Args<'_>) -> Result<Command, Fault> {
        let text = args.bare("an offset, `committed`, `next` or `rest`")?;
        let from = match text.text {
            "committed" => FetchFrom::Committed,
            "next" => FetchFrom::Next,
            "rest" => FetchFrom::Rest,
            other if is_number(other) => FetchFrom::Offset(self.quantity(text, Measure::Offset)?),
            _ => return Err(text.unexpected("an offset, `committed`, `next` or `rest`")),
        };
        let (mut max, mut isolation) = (None, None);
        for pair in args.pairs()? {
            match pair.key.text {
                "max" => max = Some(self.quantity(pair.value, Measure::Size)?),
                "isolation" => isolation = Some(broker::isolation(pair.value)?),
                _ => return Err(pair.unknown("fetch", &["max", "isolation"])),
            }
        }
        Ok(Command::Fetch { from, max, isolation })
    }

    fn find_time(&self, args: &mut Args<'_>) -> Result<FindTime, Fault> {
        const EXPECTED: &str = "a time, `earliest`, `latest`, `max-timestamp`, `earliest-local`, `latest-tiered` or \
                                `earliest-pending-upload`";
        let text = args.bare(EXPECTED)?;
        if is_number(text.text) {
            return Ok(FindTime::Time(self.quantity(text, Measure::Time)?));
        }
        let named = FindTime::named().find(|named| named.name() == Some(text.text));
        named.ok_or_else(|| text.unexpected(EXPECTED))
    }

    fn commit(&self, args: &mut Args<'_>) -> Result<CommitOffset, Fault> {
        const EXPECTED: &str = "an offset, `next` or `none`";
        let text = args.bare(EXPECTED)?;
        Ok(match text.text {
            "next" => CommitOffset::Next,
            "none" => CommitOffset::None,
            other if is_number(other) => CommitOffset::Offset(self.quantity(text, Measure::Offset)?),
            _ => return Err(text.unexpected(EXPECTED)),
        })
    }

    fn reset(&self, args: &mut Args<'_>) -> Result<ResetTo, Fault> {
        const EXPECTED: &str = "`earliest`, `latest`, `none` or a span such as by-duration=20s";
        let Some(word) = args.words.next() else {
            return Err(args.missing(EXPECTED));
        };
        match &word.body {
            Body::Bare(text) => match text.strip_prefix('$') {
                Some(name) => {
                    let input = self.declared(name, word.column + 1)?;
                    if input.name == InputName::Reset {
                        Ok(ResetTo::Input(input.name))
                    } else {
                        Err(unexpected(word, EXPECTED))
                    }
                }
                None => Policy::parse(text)
                    .map(ResetTo::Policy)
                    .ok_or_else(|| unexpected(word, EXPECTED)),
            },
            Body::Pair {
                key,
                value,
                value_column,
                ..
            } if key == "by-duration" => {
                let span = self.quantity(
                    Text {
                        text: value,
                        column: *value_column,
                    },
                    Measure::Time,
                )?;
                Ok(ResetTo::Policy(Policy::ByDuration(span)))
            }
            Body::Quoted(_) | Body::Pair { .. } => Err(unexpected(word, EXPECTED)),
        }
    }

    fn high_watermark(&self, args: &mut Args<'_>) -> Result<HighWatermark, Fault> {
        const EXPECTED: &str = "an offset or `follow`";
        let text = args.bare(EXPECTED)?;
        Ok(match text.text {
            "follow" => HighWatermark::Follow,
            other if is_number(other) => HighWatermark::At(self.quantity(text, Measure::Offset)?),
            _ => return Err(text.unexpected(EXPECTED)),
        })
    }

    fn phase(&mut self, args: &mut Args<'_>) -> Result<Command, Fault> {
        const ID: &str = "an id of up to 40 small letters, digits and hyphens, such as scan";
        let id = args.bare(ID)?;
        if !is_id(id.text) {
            return Err(id.unexpected(ID));
        }
        if self.phases.contains(id.text) {
            return Err(fault(
                id.column,
                Problem::PhaseTwice {
                    id: id.text.to_string(),
                },
            ));
        }
        let title = title(args)?;
        let mut from = None;
        for pair in args.pairs()? {
            match pair.key.text {
                "from" => {
                    let stage = Stage::ALL.into_iter().find(|stage| stage.name() == pair.value.text);
                    from = Some(stage.ok_or_else(|| pair.value.unexpected(STAGES))?);
                }
                _ => return Err(pair.unknown("phase", &["from"])),
            }
        }
        self.phases.insert(id.text.to_string());
        Ok(Command::Phase {
            id: id.text.to_string(),
            title,
            from,
        })
    }

    fn say(&self, args: &mut Args<'_>) -> Result<String, Fault> {
        let sentence = args.quoted("a sentence in quotes")?;
        for piece in pieces(sentence.text) {
            if let Piece::Input(name) = piece {
                self.declared(name, sentence.column)?;
            }
        }
        Ok(sentence.text.to_string())
    }
}

/// Whether a word can name a phase or a producer.
fn is_id(text: &str) -> bool {
    let letters = text
        .bytes()
        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    letters && text.len() <= 40 && text.starts_with(|c: char| c.is_ascii_lowercase())
}

const APPEND_OPTIONS: &[&str] = &["every", "ts", "key", "producer", "sequence", "from", "offset"];

const BATCH_OPTIONS: &[&str] = &[
    "total", "headers", "every", "ts", "key", "producer", "sequence", "from", "offset",
];

/// A title in quotes.
fn title(args: &mut Args<'_>) -> Result<String, Fault> {
    let title = args.quoted("a title in quotes, such as \"Scan the log\"")?;
    let length = title.text.chars().count();
    if length == 0 || length > limits::TITLE {
        return Err(title.unexpected("a title of 1 to 60 characters"));
    }
    Ok(title.text.to_string())
}

/// A sentence, cut into text and `$name`.
pub(crate) enum Piece<'a> {
    Text(&'a str),
    Input(&'a str),
}

/// Cuts a sentence. A `$` that no letter follows stands for itself.
pub(crate) fn pieces(sentence: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = sentence;
    while let Some(at) = rest.find('$') {
        let behind = &rest[at + 1..];
        let end = behind
            .find(|c: char| !(c.is_ascii_lowercase() || c == '-'))
            .unwrap_or(behind.len());
        // A hyphen at the end belongs to the sentence.
        let name = behind[..end].trim_end_matches('-');
        if name.is_empty() {
            pieces.push(Piece::Text(&rest[..=at]));
            rest = behind;
        } else {
            pieces.push(Piece::Text(&rest[..at]));
            pieces.push(Piece::Input(name));
            rest = &behind[name.len()..];
        }
    }
    pieces.push(Piece::Text(rest));
    pieces
}

fn input_name(text: Text<'_>) -> Result<InputName, Fault> {
    InputName::find(text.text).ok_or_else(|| {
        let nearest = nearest(text.text, InputName::ALL.into_iter().map(InputName::as_str));
        fault(
            text.column,
            Problem::UnknownInput {
                found: clip(text.text),
                nearest,
            },
        )
    })
}

fn format(args: &mut Args<'_>) -> Result<Format, Fault> {
    let text = args.bare("`v1` or `v2`")?;
    match text.text {
        "v1" => Ok(Format::V1),
        "v2" => Ok(Format::V2),
        _ => Err(text.unexpected("`v1` or `v2`")),
    }
}

const STAGES: &str =
    "segment, time-index, offset-index, scan, answer, roll, append, entry, check, delete, remove or reset";
