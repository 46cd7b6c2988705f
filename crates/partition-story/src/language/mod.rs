//! The scenario language: one command a line. Its grammar stands on the reference page, `docs/scenario-language.md`, as
//! [`grammar`] writes it.
//!
//! A command is a value that is parsed, printed, run and recorded, and each has one definition, in [`commands`]. Inputs
//! are put in while a text is read: a [`Scenario`] holds commands as they are run, and what their author wrote, `$name`
//! and all, only to print them and to name places in the text.
//!
//! Words are divided by space. `#` begins a comment anywhere outside quotes. An input has to be declared above its first
//! use. Parsing and printing are inverse: what is written in the order and spacing of the grammar comes out unchanged,
//! comments included.

use partition_log::units::TimestampMs;

mod amount;
mod args;
pub mod commands;
mod expectation;
mod input;
mod moment;
pub(crate) mod nearest;
mod parse;
mod print;
mod problem;
mod words;
mod written;

pub use amount::{Amount, AmountError, Measure, Unit};
pub use commands::{Command, Stage, Try, grammar};
pub use expectation::{ExpectKey, ExpectValue, Expectation};
pub use input::{Domain, Input, InputName, InputRefusal, InputValue, InputValues};
pub use moment::OtherUnit;
pub(crate) use moment::written;
pub use parse::parse;
pub use problem::{Place, Problem, ScenarioError};
pub use written::Written;

pub(crate) use problem::Fault;

/// How much a scenario may be and do.
pub mod limits {
    /// Bytes of text.
    pub const TEXT_BYTES: usize = 1 << 20;
    /// Appends, each repetition counted.
    pub const APPENDS: u64 = 100_000;
    /// Bytes of log, all appends together.
    pub const LOG_BYTES: u64 = 64 << 20;
    /// Bytes written to files, all together: indexes, snapshots and checkpoints count as well.
    pub const WRITTEN_BYTES: u64 = 256 << 20;
    /// Bytes that starts read, all together.
    pub const STARTS_BYTES: u64 = 1 << 30;
    /// Characters of a sentence.
    pub const SENTENCE: usize = 140;
    /// Characters of a phase's title.
    pub const TITLE: usize = 60;
    /// Headers of a record.
    pub const HEADERS: i64 = 1_000;
}

/// A scenario: lines, each with a command, a comment, both or neither.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub(crate) lines: Vec<Line>,
    /// What it was read from.
    pub(crate) text: String,
    /// Whether every input has its default.
    pub(crate) defaults: bool,
    /// What its author probably did not mean.
    pub(crate) remarks: Vec<Remark>,
}

/// What it was read from is not part of what it says.
impl PartialEq for Scenario {
    fn eq(&self, other: &Scenario) -> bool {
        self.lines == other.lines
    }
}

impl Eq for Scenario {}

/// Something that a scenario says, and probably does not mean. It is run as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Where.
    pub place: Place,
    /// What.
    pub about: OtherUnit,
}

impl core::fmt::Display for Remark {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Place { line, column } = self.place;
        write!(f, "line {line}, column {column}: {}", self.about)
    }
}

/// A line.
#[derive(Clone, Debug)]
pub struct Line {
    pub(crate) command: Option<Command>,
    pub(crate) comment: Option<String>,
    /// Whether the comment is a command that is switched off.
    pub(crate) off: bool,
    /// Columns of its words, for errors found when it is run.
    pub(crate) columns: Vec<usize>,
}

/// Spacing is not part of what a line says.
impl PartialEq for Line {
    fn eq(&self, other: &Line) -> bool {
        self.command == other.command && self.comment == other.comment && self.off == other.off
    }
}

impl Eq for Line {}

impl Line {
    /// Its command.
    pub fn command(&self) -> Option<&Command> {
        self.command.as_ref()
    }

    /// Its comment, without `#`.
    pub fn comment(&self) -> Option<&str> {
        self.comment.as_deref().filter(|_| !self.off)
    }

    /// The line that is switched off, without `#-`.
    pub fn off(&self) -> Option<&str> {
        self.comment.as_deref().filter(|_| self.off)
    }
}

impl Scenario {
    /// The same scenario with other values for its inputs.
    ///
    /// # Errors
    ///
    /// An input that it does not have, a value that an input cannot take, a command that cannot be with such a value.
    pub fn with(&self, values: &InputValues) -> Result<Scenario, ScenarioError> {
        let known = || self.inputs().map(|input| input.name.as_str());
        match values.iter().find(|(name, _)| !known().any(|known| known == *name)) {
            None => parse::read(&self.text, values),
            Some((name, _)) => Err(ScenarioError {
                place: None,
                problem: Problem::NoSuchInput {
                    found: problem::clip(name),
                    known: known().collect(),
                },
            }),
        }
    }

    /// Its lines, in order; the first is line 1.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Its commands, with their line numbers from 1.
    pub fn commands(&self) -> impl Iterator<Item = (usize, &Command)> {
        let numbered = self.lines.iter().zip(1..);
        numbered.filter_map(|(line, number)| Some((number, line.command.as_ref()?)))
    }

    /// The command of a line, from 1.
    pub(crate) fn command(&self, line: usize) -> Option<&Command> {
        self.lines.get(line.checked_sub(1)?)?.command.as_ref()
    }

    /// What its author probably did not mean, in the order of the lines.
    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    /// What its clock starts with: a date, or 0.
    pub fn start(&self) -> TimestampMs {
        let clock = self.commands().find_map(|(_, command)| match command {
            Command::Clock(clock) => Some(*clock.0),
            _ => None,
        });
        clock.unwrap_or_default()
    }

    /// Its title, if it has one.
    pub fn title(&self) -> Option<&str> {
        self.commands().find_map(|(_, command)| match command {
            Command::Title(title) => Some(title.0.as_str()),
            _ => None,
        })
    }

    /// Other values for its inputs that are worth a look.
    pub fn tries(&self) -> impl Iterator<Item = &Try> {
        self.commands().filter_map(|(_, command)| match command {
            Command::Try(other) => Some(other),
            _ => None,
        })
    }

    /// Its inputs, in the order in which they are declared.
    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.commands().filter_map(|(_, command)| match command {
            Command::Input(input) => Some(input),
            _ => None,
        })
    }
}
