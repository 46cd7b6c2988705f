//! What a run consists of, for whoever wants to see all of it.

use partition_log::error::LogError;
use partition_log::state::ConsumerState;
use partition_log::step::Step;
use partition_log::units::TimestampMs;
use partition_log::{Appended, PartitionState, ReadOutcome};

use crate::expectation::Checked;
use crate::language::Command;
use crate::language::commands::{Phase, Say};
use crate::machine::Sent;

/// One part of a run.
#[derive(Debug)]
pub enum Event<'a> {
    /// The partition was created.
    Created(&'a [Step]),
    /// A command was done, or one repetition of it.
    Done(Done<'a>),
    /// A phase begins at the next frame, or where its stage is reached.
    Phase {
        /// Line in the scenario, from 1.
        line: usize,
        /// The command.
        phase: &'a Phase,
    },
    /// The author speaks.
    Said {
        /// Line in the scenario, from 1.
        line: usize,
        /// The command.
        say: &'a Say,
    },
    /// An expectation was checked.
    Expected(&'a Checked),
}

/// A command that was done, or one repetition of it.
#[derive(Debug)]
pub struct Done<'a> {
    /// Line in the scenario, from 1.
    pub line: usize,
    /// The command; of a repeated append, this one. `None` in an empty scenario, where only time passes.
    pub command: Option<&'a Command>,
    /// Whether it is work that was still due at the instant to which the command above brought the clock.
    pub continues: bool,
    /// The clock when it began.
    pub began: TimestampMs,
    /// What happened.
    pub steps: &'a [Step],
    /// Why it was refused.
    pub error: Option<&'a LogError>,
    /// What was read.
    pub read: Option<&'a ReadOutcome>,
    /// What was sent to be appended.
    pub sent: Option<&'a Sent>,
    /// What was appended.
    pub appended: Option<&'a Appended>,
    /// The partition afterwards.
    pub state: &'a PartitionState,
    /// The consumer afterwards.
    pub consumer: &'a ConsumerState,
}

impl Done<'_> {
    /// The command's text.
    pub fn text(&self) -> String {
        self.command.map_or_else(String::new, Command::to_string)
    }
}
