//! What can be wrong with a scenario: where, what was found, what was expected, and what helps.

use core::fmt;

use partition_log::LogError;
use partition_log::config::SettingError;
use partition_log::units::{TimestampMs, bytes, grouped};

/// A scenario, or a value for one of its inputs, that cannot be used. Nothing was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    /// Where in the text; `None` if the fault is not in the text.
    pub place: Option<Place>,
    /// What is wrong.
    pub problem: Problem,
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The text is larger than a scenario may be.
    TextTooLong {
        /// Its size in bytes.
        size: usize,
        /// The limit in bytes.
        max: usize,
    },
    /// A quote is opened and not closed on its line.
    QuoteNotClosed,
    /// A quote in the middle of a word.
    QuoteInsideWord,
    /// Something follows a closing quote without a space.
    TextBehindQuote {
        /// The character.
        found: char,
    },
    /// A backslash before another character than `"` and `\`.
    UnknownEscape {
        /// The character.
        found: char,
    },
    /// The line does not begin with a command.
    UnknownCommand {
        /// The word found.
        found: String,
        /// The command that it was probably meant to be.
        nearest: Option<&'static str>,
    },
    /// An option that the command does not have, or a key that cannot be expected.
    UnknownKey {
        /// The command.
        command: &'static str,
        /// The key found.
        found: String,
        /// The keys that it knows.
        known: Box<[&'static str]>,
        /// The one that it was probably meant to be.
        nearest: Option<&'static str>,
    },
    /// A key is given twice.
    KeyTwice {
        /// The key.
        key: String,
    },
    /// The command ends too early.
    Missing {
        /// The command.
        command: &'static str,
        /// What is expected.
        expected: &'static str,
    },
    /// A word that cannot stand where it stands.
    Unexpected {
        /// The word.
        found: String,
        /// What is expected there.
        expected: &'static str,
    },
    /// A number past 2^63 − 1.
    NumberTooLarge {
        /// As written.
        found: String,
    },
    /// A number outside its range.
    OutOfRange {
        /// As written.
        found: String,
        /// What it is for.
        what: &'static str,
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// A setting was refused.
    Setting(SettingError),
    /// A name after `input` or `$` that is not in the vocabulary.
    UnknownInput {
        /// The name.
        found: String,
        /// The one that it was probably meant to be.
        nearest: Option<&'static str>,
    },
    /// `$name` without a line `input name=…` before it.
    InputNotDeclared {
        /// The name.
        name: &'static str,
    },
    /// An input is declared twice.
    InputTwice {
        /// The name.
        name: &'static str,
    },
    /// An input's default is outside its own range.
    DefaultOutsideRange {
        /// The name.
        name: &'static str,
        /// The default.
        default: String,
        /// Its values in words.
        range: String,
    },
    /// A value was given for an input that the scenario does not have.
    NoSuchInput {
        /// The name.
        found: String,
        /// The inputs that it has.
        known: Vec<&'static str>,
    },
    /// A value that an input cannot take.
    InputValue {
        /// The name.
        name: &'static str,
        /// The value.
        found: String,
        /// Its values in words.
        range: String,
    },
    /// A producer that no line above declares.
    NoSuchProducer {
        /// The name.
        found: String,
        /// The one that it was probably meant to be.
        nearest: Option<String>,
    },
    /// An option without the one that it goes with.
    OptionAlone {
        /// The option.
        option: &'static str,
        /// The one that is missing, as it is written.
        needs: &'static str,
    },
    /// A command that needs a running broker, while it is down; or the other way round.
    Running {
        /// The command.
        command: &'static str,
        /// Whether the broker runs.
        running: bool,
    },
    /// A transaction that has begun begins again.
    TransactionTwice {
        /// The producer.
        producer: String,
    },
    /// A phase id is used twice.
    PhaseTwice {
        /// The id.
        id: String,
    },
    /// A sentence longer than a reader takes in at once.
    SentenceTooLong {
        /// Its length in characters.
        length: usize,
        /// The limit.
        max: usize,
    },
    /// No moment is written so.
    NoSuchTime {
        /// As written.
        found: String,
    },
    /// A time of day in a scenario without a date.
    NoDate {
        /// As written.
        found: String,
    },
    /// What time 0 is comes too late.
    ClockLate {
        /// Whether it was said before; else something was done before.
        twice: bool,
    },
    /// The clock was asked to go back.
    ClockBackwards {
        /// The clock.
        now: TimestampMs,
        /// The time asked for.
        asked: TimestampMs,
    },
    /// The clock would pass 2^63 − 1 ms.
    ClockTooLarge,
    /// More appends than a scenario may have.
    TooManyAppends {
        /// The limit.
        max: u64,
    },
    /// More bytes of log than a scenario may write.
    TooMuchLog {
        /// The limit in bytes.
        max: u64,
    },
    /// More bytes written to files than a scenario may have.
    TooMuchWritten {
        /// The limit in bytes.
        max: u64,
    },
    /// More bytes to read at starts than a scenario may have.
    TooManyStarts {
        /// The limit in bytes.
        max: u64,
    },
    /// The model cannot do it, and Kafka was never asked.
    Impossible(LogError),
}

impl Problem {
    /// A short name that stays the same, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Problem::TextTooLong { .. } => "text-too-long",
            Problem::QuoteNotClosed => "quote-not-closed",
            Problem::QuoteInsideWord => "quote-inside-word",
            Problem::TextBehindQuote { .. } => "text-behind-quote",
            Problem::UnknownEscape { .. } => "unknown-escape",
            Problem::UnknownCommand { .. } => "unknown-command",
            Problem::UnknownKey { .. } => "unknown-key",
            Problem::KeyTwice { .. } => "key-twice",
            Problem::Missing { .. } => "missing",
            Problem::Unexpected { .. } => "unexpected",
            Problem::NumberTooLarge { .. } => "number-too-large",
            Problem::OutOfRange { .. } => "out-of-range",
            Problem::Setting(_) => "setting",
            Problem::UnknownInput { .. } => "unknown-input",
            Problem::InputNotDeclared { .. } => "input-not-declared",
            Problem::InputTwice { .. } => "input-twice",
            Problem::DefaultOutsideRange { .. } => "default-outside-range",
            Problem::NoSuchInput { .. } => "no-such-input",
            Problem::InputValue { .. } => "input-value",
            Problem::NoSuchProducer { .. } => "no-such-producer",
            Problem::OptionAlone { .. } => "option-alone",
            Problem::Running { running: true, .. } => "running",
            Problem::Running { .. } => "not-running",
            Problem::TransactionTwice { .. } => "transaction-twice",
            Problem::PhaseTwice { .. } => "phase-twice",
            Problem::SentenceTooLong { .. } => "sentence-too-long",
            Problem::NoSuchTime { .. } => "no-such-time",
            Problem::NoDate { .. } => "no-date",
            Problem::ClockLate { .. } => "clock-late",
            Problem::ClockBackwards { .. } => "clock-backwards",
            Problem::ClockTooLarge => "clock-too-large",
            Problem::TooManyAppends { .. } => "too-many-appends",
            Problem::TooMuchLog { .. } => "too-much-log",
            Problem::TooMuchWritten { .. } => "too-much-written",
            Problem::TooManyStarts { .. } => "too-many-starts",
            Problem::Impossible(error) => error.code(),
        }
    }
}

/// A problem and its place in a line; in a box, since it is passed on at every other line.
#[derive(Debug)]
pub(crate) struct Fault(Box<(At, Problem)>);

/// A place in a line.
#[derive(Debug)]
enum At {
    /// No place: the fault is not in the text.
    Nowhere,
    /// A column.
    Column(usize),
    /// A word, from 0.
    Word(usize),
}

impl Fault {
    /// A fault at a column.
    pub fn at(column: usize, problem: Problem) -> Fault {
        Fault(Box::new((At::Column(column), problem)))
    }

    /// A fault of a word of a command, counted from its name, which is 0.
    pub fn in_word(word: usize, problem: Problem) -> Fault {
        Fault(Box::new((At::Word(word), problem)))
    }

    /// A fault in what was given besides the text.
    pub fn outside(problem: Problem) -> Fault {
        Fault(Box::new((At::Nowhere, problem)))
    }

    /// What is wrong, wherever it is.
    pub fn problem(self) -> Problem {
        self.0.1
    }

    /// The error about a line, from 1, whose words begin at these columns.
    pub fn in_line(self, line: usize, columns: &[usize]) -> ScenarioError {
        let (at, problem) = *self.0;
        let column = match at {
            At::Nowhere => None,
            At::Column(column) => Some(column),
            At::Word(word) => Some(columns.get(word).or(columns.first()).copied().unwrap_or(1)),
        };
        let place = column.map(|column| Place { line, column });
        ScenarioError { place, problem }
    }
}

/// A word from the text, short enough for a message.
pub(crate) fn clip(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut out: String = text.chars().take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        out.push('…');
    }
    out
}

fn did_you_mean(f: &mut fmt::Formatter<'_>, nearest: Option<&str>) -> fmt::Result {
    match nearest {
        Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
        None => Ok(()),
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Place { line, column }) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        self.problem.fmt(f)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::TextTooLong { size, max } => write!(
                f,
                "the text has {}, and a scenario at most {}: use repetition, as in `append 45B x1000`",
                bytes(*size as i64),
                bytes(*max as i64)
            ),
            Problem::QuoteNotClosed => f.write_str("this quote is not closed: expected another `\"` on the same line"),
            Problem::QuoteInsideWord => f.write_str(
                "found a quote inside a word: put the whole word in quotes, and write `\\\"` for a quote inside",
            ),
            Problem::TextBehindQuote { found } => {
                write!(
                    f,
                    "found `{}` behind a closing quote, expected a space",
                    found.escape_debug()
                )
            }
            Problem::UnknownEscape { found } => {
                write!(f, "found `\\{}`, expected `\\\"` or `\\\\`", found.escape_debug())
            }
            Problem::UnknownCommand { found, nearest } => {
                write!(f, "found `{found}`, expected a command")?;
                match nearest {
                    Some(_) => did_you_mean(f, *nearest),
                    None => f.write_str(
                        " such as `append`, `fetch`, `wait`, `stop` or `expect`: the reference page lists all",
                    ),
                }
            }
            Problem::UnknownKey {
                command,
                found,
                known,
                nearest,
            } => {
                write!(f, "`{command}` does not take `{found}`")?;
                match nearest {
                    Some(_) => did_you_mean(f, *nearest),
                    None => write!(f, ", expected one of {}", known.join(", ")),
                }
            }
            Problem::KeyTwice { key } => write!(f, "`{key}` is given twice: leave one of them out"),
            Problem::Missing { command, expected } => write!(f, "`{command}` ends too early, expected {expected}"),
            Problem::Unexpected { found, expected } => write!(f, "found `{found}`, expected {expected}"),
            Problem::NumberTooLarge { found } => {
                write!(
                    f,
                    "`{found}` is too large: expected a number up to {}",
                    grouped(i64::MAX)
                )
            }
            Problem::OutOfRange { found, what, min, max } => {
                write!(
                    f,
                    "`{found}` is outside the range of {what}: expected {} to {}",
                    grouped(*min),
                    grouped(*max)
                )
            }
            Problem::Setting(error) => error.fmt(f),
            Problem::UnknownInput { found, nearest } => {
                write!(f, "no input can be called `{found}`")?;
                match nearest {
                    Some(_) => did_you_mean(f, *nearest),
                    None => {
                        let names: Vec<&str> = super::InputName::ALL
                            .into_iter()
                            .map(super::InputName::as_str)
                            .collect();
                        write!(f, ", expected one of {}", names.join(", "))
                    }
                }
            }
            Problem::InputNotDeclared { name } => {
                write!(
                    f,
                    "`${name}` has no value: expected a line `input {name}=…` above this one"
                )
            }
            Problem::InputTwice { name } => write!(f, "the input `{name}` is declared twice: leave one line out"),
            Problem::DefaultOutsideRange { name, default, range } => {
                write!(
                    f,
                    "the default of `{name}`, {default}, is outside its range: expected {range}"
                )
            }
            Problem::NoSuchInput { found, known } if known.is_empty() => {
                write!(f, "there is no input `{found}`: this scenario has none")
            }
            Problem::NoSuchInput { found, known } => {
                write!(f, "there is no input `{found}`: this scenario has {}", known.join(", "))
            }
            Problem::InputValue { name, found, range } => write!(f, "`{name}` cannot be `{found}`: expected {range}"),
            Problem::PhaseTwice { id } => write!(f, "the phase `{id}` begins twice: links need ids that differ"),
            Problem::SentenceTooLong { length, max } => {
                write!(
                    f,
                    "a sentence of {length} characters is too long: expected at most {max}"
                )
            }
            Problem::NoSuchTime { found } => write!(
                f,
                "there is no time `{found}`: expected a date and a time of day in UTC, such as 2026-03-03T09:00Z, one of the \
                 two, or a span such as 31s"
            ),
            Problem::NoDate { found } => write!(
                f,
                "`{found}` is a time of day, and the scenario has no date: expected a line such as `clock \
                 2026-03-03T09:00Z` above"
            ),
            Problem::ClockLate { twice: true } => f.write_str(
                "`clock` says what time 0 is, and was given above: leave one line out, and move the clock with `at`",
            ),
            Problem::ClockLate { .. } => f.write_str(
                "`clock` says what time 0 is, and something was done before: expected above all other commands, as is \
                 `set`; `at` moves the clock",
            ),
            Problem::ClockBackwards { now, asked } => {
                write!(
                    f,
                    "the clock is at {now} and cannot go back to {asked}: expected a later time"
                )?;
                match now.is_date() && !asked.is_date() {
                    true => f.write_str("; a number without a unit counts from 1970, one with a unit from time 0"),
                    false => Ok(()),
                }
            }
            Problem::ClockTooLarge => f.write_str("the clock would pass 2^63 - 1 ms: expected a shorter time"),
            Problem::TooManyAppends { max } => {
                write!(
                    f,
                    "the scenario appends more than {} times, the limit: make the batches larger",
                    grouped(*max as i64)
                )
            }
            Problem::TooMuchLog { max } => {
                write!(
                    f,
                    "the scenario writes more than {} of log, the limit: make it shorter",
                    bytes(*max as i64)
                )
            }
            Problem::TooMuchWritten { max } => write!(
                f,
                "the scenario writes more than {} to its files, the limit: make it shorter, or let fewer producers write",
                bytes(*max as i64)
            ),
            Problem::TooManyStarts { max } => write!(
                f,
                "the scenario's starts read more than {}, the limit: start less often, or with less in the log",
                bytes(*max as i64)
            ),
            Problem::Impossible(error) => error.fmt(f),
            Problem::NoSuchProducer { found, nearest } => {
                write!(f, "there is no producer `{found}`")?;
                match nearest {
                    Some(_) => did_you_mean(f, nearest.as_deref()),
                    None => write!(f, ": expected a line `producer {found}` above this one"),
                }
            }
            Problem::OptionAlone { option, needs } => {
                write!(f, "`{option}` is of no use alone: expected `{needs}` with it")
            }
            Problem::Running { command, running: true } => {
                write!(f, "`{command}` needs a broker that is down: `stop` or `crash` it first")
            }
            Problem::Running { command, .. } => write!(f, "`{command}` needs a broker that runs: `start` it first"),
            Problem::TransactionTwice { producer } => {
                write!(
                    f,
                    "a transaction of `{producer}` is open: expected its commit or abort first"
                )
            }
        }
    }
}

impl core::error::Error for Problem {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Problem::Setting(error) => Some(error),
            Problem::Impossible(error) => Some(error),
            _ => None,
        }
    }
}

impl core::error::Error for ScenarioError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.problem.source()
    }
}
