//! The scenario language: one command a line.
//!
//! ```text
//! scenario  = { line }
//! line      = [ command ] [ "#" comment ]
//! command   = "title" quoted
//!           | "try" quoted INPUT "=" value { INPUT "=" value }
//!           | "input" NUMBER-INPUT "=" quantity "range=" quantity ".." quantity [ "label=" text ]
//!           | "input" "reset=" policy "choice=" policy { "," policy } [ "label=" text ]
//!           | "set" setting { setting }
//!           | "append" size { size } { append-option } [ "x" count ] [ "together" ]
//!           | "batch" count "total=" size { "headers=" count | append-option } [ "x" count ] [ "together" ]
//!           | "format" ( "v1" | "v2" )
//!           | "wait" time | "at" time
//!           | "fetch" ( offset | "committed" | "next" | "rest" ) { "max=" size | "isolation=" ISOLATION }
//!           | "find-time" ( time | "earliest" | "latest" | "max-timestamp" | "earliest-local" | "latest-tiered"
//!                         | "earliest-pending-upload" )
//!           | "check-retention"
//!           | "commit" ( offset | "next" | "none" )
//!           | "reset" ( policy | "$reset" )
//!           | "high-watermark" ( offset | "follow" )
//!           | "delete-records" offset
//!           | "producer" NAME { "id=" count | "epoch=" count }
//!           | "transaction" NAME ( "begin" | ( "commit" | "abort" ) { "epoch=" count | "coordinator-epoch=" count | "version=" count } )
//!           | "bytes" HEX [ "from=" SOURCE ]
//!           | "leader-epoch" count | "truncate" offset | "truncate-fully" offset
//!           | "roll" | "flush" | "expire-producers" | "index-entries" ( "per-batch" | "per-append" )
//!           | "stop" | "crash" [ "lose=" size ] | "start"
//!           | "damage" FILE ( "cut=" size | "flip=" position | "at=" position "bytes=" HEX | "add=" size | "remove" )
//!           | "touch" FILE
//!           | "phase" ID quoted [ "from=" STAGE ]
//!           | "say" quoted
//!           | "expect" expectation { expectation }
//! setting   = KEY "=" ( quantity | WORD )              # Kafka's own keys
//! append-option = "every=" time | "ts=" ( time | "none" ) | "key=" text
//!           | "producer=" NAME | "sequence=" count | "from=" SOURCE | "offset=" offset
//! SOURCE    = "client" | "coordinator" | "replica"
//! ISOLATION = "uncommitted" | "committed" | "log-end"
//! FILE      = DIGITS "." ( "log" | "index" | "timeindex" | "txnindex" | "snapshot" ) [ ".deleted" ] | "leader-epoch-checkpoint"
//! policy    = "earliest" | "latest" | "none" | "by-duration=" time
//! size, time, offset, count = quantity                 # with a unit of size, of time, or none
//! quantity  = [ "-" ] DIGITS [ UNIT ] | "$" INPUT      # a plain number is bytes or milliseconds
//! UNIT      = "B" | "KiB" | "MiB" | "GiB" | "ms" | "s" | "m" | "h" | "d"
//! text      = WORD | quoted
//! quoted    = '"' { any character, with \" and \\ for " and \ } '"'
//! ```
//!
//! Words are divided by space. `#` begins a comment anywhere outside quotes. An input has to be declared above its first
//! use. Parsing and printing are inverse: what is written in the order and spacing of this grammar comes out unchanged,
//! comments included.

mod broker;
mod command;
mod expect;
mod input;
pub(crate) mod nearest;
mod parse;
mod print;
mod problem;
mod quantity;
mod words;

pub use broker::{
    BrokerCommand, Bytes, FileDamage, FileWord, IndexEntries, Producer, Source, Transaction, TransactionAct,
};
pub use command::{
    Append, Batch, Command, CommitOffset, FetchFrom, FindTime, Format, HighWatermark, Options, Policy, ResetTo,
    Setting, SettingValue, Stage, Timestamp, Try,
};
pub use expect::{ExpectKey, ExpectValue, Expectation};
pub use input::{Domain, Input, InputName, InputRefusal, InputValue};
pub use parse::parse;
pub use problem::{Place, Problem, ScenarioError};
pub use quantity::{Amount, AmountError, Measure, Quantity, Unit};

pub(crate) use parse::{Piece, pieces};

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    pub(crate) lines: Vec<Line>,
}

/// A line.
#[derive(Clone, Debug)]
pub struct Line {
    pub(crate) command: Option<Command>,
    pub(crate) comment: Option<String>,
    /// Columns of its words, for errors found when it is run.
    pub(crate) columns: Vec<usize>,
}

/// Spacing is not part of what a line says.
impl PartialEq for Line {
    fn eq(&self, other: &Line) -> bool {
        self.command == other.command && self.comment == other.comment
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
        self.comment.as_deref()
    }
}

impl Scenario {
    /// Its lines, in order; the first is line 1.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Its commands, with their line numbers from 1.
    pub fn commands(&self) -> impl Iterator<Item = (usize, &Command)> {
        self.lines
            .iter()
            .enumerate()
            .filter_map(|(index, line)| Some((index + 1, line.command.as_ref()?)))
    }

    /// Its title, if it has one.
    pub fn title(&self) -> Option<&str> {
        self.commands().find_map(|(_, command)| match command {
            Command::Title(title) => Some(title.as_str()),
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
