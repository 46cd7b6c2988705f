//! The commands. Each is a value with one definition: its words, how they are printed, and what it does to a partition
//! and the clients in front of it. A new one is a type with its definition in the file of its subject, and a line in the
//! table at the end, which also has the words of others that mean it.

mod append;
mod broker;
mod clock;
mod consumer;
mod expect;
mod follower;
mod producer;
mod read;
mod retention;
mod setting;
mod telling;

use std::borrow::Cow;

pub use append::{Append, Batch, Bytes, Format, Options};
pub use broker::{Crash, DamageFile, ExpireProducers, Flush, IndexEntries, Roll, Start, Stop, Touch};
pub use clock::{At, Clock, Wait};
pub use consumer::{Commit, Reset};
pub use expect::Expect;
pub use follower::{HighWatermark, LeaderEpoch, Truncate, TruncateFully};
pub use producer::{Producer, Transaction, TransactionAct};
pub use read::{Fetch, FetchFrom, FindTime};
pub use retention::{CheckRetention, DeleteRecords};
pub use setting::{Set, Setting};
pub use telling::{Phase, Say, Stage, Title, Try};

use super::args::Args;
use super::input::Input;
use super::print::Printer;
use super::problem::{Fault, Problem};
use crate::beat::Manner;
use crate::machine::{Machine, Outcome};

/// What a command is to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It says something of the scenario, or of what later lines do; nothing happens to the partition.
    Declares,
    /// It speaks to the reader.
    Tells,
    /// It only moves the clock.
    MovesClock,
    /// It reads.
    Reads,
    /// It does something else.
    Acts,
}

/// What a command needs of the broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Nothing.
    Nothing,
    /// It has to run.
    Running,
    /// It has to be down.
    Down,
}

/// A command.
pub(crate) trait Definition {
    /// Puts its words behind its name.
    fn print(&self, words: &mut Printer);

    /// What it is to a run.
    fn kind(&self) -> Kind {
        Kind::Acts
    }

    /// What it needs of the broker.
    fn needs(&self) -> Needs {
        Needs::Nothing
    }

    /// How closely its frames look.
    fn manner(&self) -> Manner {
        Manner::Closely
    }

    /// Its number in a recording for Kafka's log, where [`Words::RECORD`] has a name for one.
    fn number(&self) -> Option<i64> {
        None
    }

    /// How often it is done.
    fn repetitions(&self) -> u64 {
        1
    }

    /// One of its repetitions, from 0, as a command of its own; `None` where that is the command itself.
    fn repetition(&self, _number: u64) -> Option<Command> {
        None
    }

    /// Does it, once.
    ///
    /// # Errors
    ///
    /// What makes no sense at this point of a scenario; what Kafka refuses is an [`Outcome`].
    fn run(&self, _machine: &mut Machine) -> Result<Outcome, Fault> {
        Ok(Outcome::default())
    }
}

/// The words of a command.
pub(crate) trait Words: Sized {
    /// What it begins with.
    const NAME: &'static str;
    /// What stands behind that, for the grammar.
    const GRAMMAR: &'static str;

    /// How a recording for Kafka's log tells it.
    const RECORD: Record = Record::No;

    /// Reads the words behind the name.
    fn parse(args: &mut Args<'_, '_>) -> Result<Self, Fault>;

    /// The command that a recording tells; `None` where there is none with this number.
    fn recall(_number: Option<i64>) -> Option<Self> {
        None
    }
}

/// How a recording for Kafka's log tells a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Record {
    /// Not by itself: it is no business of the log, or is told by what it came to.
    No,
    /// By its name.
    Plain,
    /// By its name and a number, which this names.
    Number(&'static str),
}

/// A command as a recording for Kafka's log tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Its name.
    pub name: &'static str,
    /// What its number is called, and the number.
    pub number: Option<(&'static str, i64)>,
}

/// A command without words behind its name.
macro_rules! plain {
    ($(#[$doc:meta])* $type:ident = $name:literal, $needs:ident, $record:ident, |$machine:ident| $run:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $type;

        impl $crate::language::commands::Words for $type {
            const NAME: &'static str = $name;
            const GRAMMAR: &'static str = "";
            const RECORD: $crate::language::commands::Record = $crate::language::commands::Record::$record;

            fn parse(_: &mut $crate::language::args::Args<'_, '_>) -> Result<$type, $crate::language::Fault> {
                Ok($type)
            }

            fn recall(_: Option<i64>) -> Option<$type> {
                Some($type)
            }
        }

        impl $crate::language::commands::Definition for $type {
            fn print(&self, _: &mut $crate::language::print::Printer) {}

            fn needs(&self) -> $crate::language::commands::Needs {
                $crate::language::commands::Needs::$needs
            }

            fn run(
                &self,
                $machine: &mut $crate::machine::Machine,
            ) -> Result<$crate::machine::Outcome, $crate::language::Fault> {
                Ok($run)
            }
        }
    };
}

/// A command with an offset behind its name, which a running broker does.
macro_rules! of_offset {
    ($(#[$doc:meta])* $type:ident = $name:literal, $number:literal, |$machine:ident, $offset:ident| $run:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $type(pub $crate::language::Written<partition_log::units::Offset>);

        impl $crate::language::commands::Words for $type {
            const NAME: &'static str = $name;
            const GRAMMAR: &'static str = "offset";
            const RECORD: $crate::language::commands::Record = $crate::language::commands::Record::Number($number);

            fn parse(args: &mut $crate::language::args::Args<'_, '_>) -> Result<$type, $crate::language::Fault> {
                args.next_offset().map($type)
            }

            fn recall(number: Option<i64>) -> Option<$type> {
                partition_log::units::Offset::new(number?).map(|offset| $type(offset.into()))
            }
        }

        impl $crate::language::commands::Definition for $type {
            fn print(&self, words: &mut $crate::language::print::Printer) {
                words.value(&self.0);
            }

            fn needs(&self) -> $crate::language::commands::Needs {
                $crate::language::commands::Needs::Running
            }

            fn number(&self) -> Option<i64> {
                Some(self.0.get())
            }

            fn run(
                &self,
                $machine: &mut $crate::machine::Machine,
            ) -> Result<$crate::machine::Outcome, $crate::language::Fault> {
                let $offset = *self.0;
                Ok($run)
            }
        }
    };
}

use {of_offset, plain};

macro_rules! commands {
    ($($variant:ident($type:ty): $example:literal [$($also:literal)*],)*) => {
        /// A command, with values in place of the inputs' names.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Command {
            $(#[doc = concat!("`", $example, "`")] $variant($type),)*
        }

        impl Command {
            /// Every name, in the order of the reference page.
            pub const NAMES: [&'static str; [$($example),*].len()] = [$(<$type as Words>::NAME),*];

            /// Other words that people have for each; none of them is a command.
            const ALSO: [&'static [&'static str]; Command::NAMES.len()] = [$(&[$($also),*]),*];

            /// What can stand behind each name.
            const GRAMMARS: [&'static str; Command::NAMES.len()] = [$(<$type as Words>::GRAMMAR),*];

            /// The name that it begins with.
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Command::$variant(_) => <$type as Words>::NAME,)*
                }
            }

            pub(crate) fn definition(&self) -> &dyn Definition {
                match self {
                    $(Command::$variant(command) => command,)*
                }
            }

            /// Reads the words behind the name that `args` has.
            pub(super) fn parse(args: &mut Args<'_, '_>) -> Result<Command, Fault> {
                $(if args.command == <$type as Words>::NAME {
                    return <$type as Words>::parse(args).map(Command::$variant);
                })*
                unreachable!("`{}` was found among the names", args.command)
            }

            /// As a recording for Kafka's log tells it; `None` for what is no business of the log, or is told by what it
            /// came to.
            pub fn recorded(&self) -> Option<Recorded> {
                let record = match self {
                    $(Command::$variant(_) => <$type as Words>::RECORD,)*
                };
                let number = match record {
                    Record::No => return None,
                    Record::Plain => None,
                    Record::Number(called) => self.definition().number().map(|number| (called, number)),
                };
                Some(Recorded { name: self.name(), number })
            }

            /// The command that a recording tells: the inverse of [`Command::recorded`], with numbers by what they are
            /// called.
            pub fn recall(name: &str, numbers: impl Fn(&str) -> Option<i64>) -> Option<Command> {
                $(if name == <$type as Words>::NAME {
                    let number = match <$type as Words>::RECORD {
                        Record::No => return None,
                        Record::Plain => None,
                        Record::Number(called) => numbers(called),
                    };
                    return <$type as Words>::recall(number).map(Command::$variant);
                })*
                None
            }
        }

        $(impl From<$type> for Command {
            fn from(command: $type) -> Command {
                Command::$variant(command)
            }
        })*
    };
}

impl Command {
    /// Whether a scenario's doing begins with it: settings above are there when the partition is made.
    pub(crate) fn begins(&self) -> bool {
        self.definition().kind() != Kind::Declares && !matches!(self, Command::Set(_))
    }

    /// The command that a word of another language means.
    pub(super) fn meant(word: &str) -> Option<&'static str> {
        let mut words = Command::NAMES.into_iter().zip(Command::ALSO);
        words.find(|(_, also)| also.contains(&word)).map(|(name, _)| name)
    }

    /// One of its repetitions, from 0, as a command of its own.
    pub(crate) fn repetition(&self, number: u64) -> Cow<'_, Command> {
        let one = self.definition().repetition(number);
        one.map_or(Cow::Borrowed(self), Cow::Owned)
    }

    /// Does it, once.
    ///
    /// # Errors
    ///
    /// What makes no sense at this point of a scenario; what Kafka refuses is an [`Outcome`].
    pub(crate) fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        let definition = self.definition();
        let fits = match definition.needs() {
            Needs::Nothing => true,
            Needs::Running => !machine.down,
            // After a start that failed, too.
            Needs::Down => !machine.partition.state().running(),
        };
        if fits {
            return definition.run(machine);
        }
        let (command, running) = (self.name(), !machine.down);
        Err(Fault::in_word(0, Problem::Running { command, running }))
    }
}

/// The rule of a line's command in the grammar of the reference page: every command, one a line.
///
/// ```
/// let grammar = partition_story::language::grammar();
/// assert!(grammar.starts_with("command   = \"title\" quoted\n"));
/// assert!(grammar.contains("\n          | \"delete-records\" ( offset | \"high-watermark\" )\n"));
/// ```
pub fn grammar() -> String {
    let rules = Command::NAMES.iter().zip(Command::GRAMMARS);
    let rule = |(name, words): (&&str, &str)| format!("\"{name}\" {words}").trim_end().to_string();
    let rules: Vec<String> = rules.map(rule).collect();
    format!("command   = {}\n", rules.join("\n          | "))
}

commands! {
    Title(Title): "title \"Find offset 9\"" ["name"],
    Input(Input): "input offset=9 range=0..20" ["param" "parameter" "variable"],
    Try(Try): "try \"8 has an entry of its own\" offset=8" [],
    Set(Set): "set segment.bytes=300B" ["config" "configure" "alter" "setting"],
    Clock(Clock): "clock 2026-03-03T09:00Z" ["date" "now" "today"],
    Append(Append): "append 45B every=2s x6" ["produce" "send" "publish" "write" "put" "record" "message"],
    Batch(Batch): "batch 3 total=145B" ["records" "batches"],
    Format(Format): "format v2" [],
    Wait(Wait): "wait 40s" ["sleep" "advance" "pause" "tick"],
    At(At): "at 75s" ["goto" "until"],
    Fetch(Fetch): "fetch 9 max=150B" ["seek" "read" "consume" "poll" "get"],
    FindTime(FindTime): "find-time 31s" ["search" "lookup" "offsets-for-times" "list-offsets" "get-offsets" "find"],
    CheckRetention(CheckRetention): "check-retention" ["compact" "clean" "cleanup" "retention" "check" "expire"],
    Commit(Commit): "commit 3" ["ack" "acknowledge"],
    Reset(Reset): "reset earliest" ["policy"],
    HighWatermark(HighWatermark): "high-watermark 12" ["hw" "watermark"],
    DeleteRecords(DeleteRecords): "delete-records 7" ["delete" "purge" "trim" "delete-before"],
    Phase(Phase): "phase scan \"Scan the log\" from=scan" ["step" "chapter" "section"],
    Say(Say): "say \"…\"" ["print" "echo" "note" "tell"],
    Expect(Expect): "expect log-end=20" ["assert" "verify" "should"],
    Producer(Producer): "producer p1 id=9" ["client"],
    Transaction(Transaction): "transaction p1 commit" ["begin" "begin-transaction" "abort" "txn"],
    Bytes(Bytes): "bytes 0000… from=replica" ["raw" "hex"],
    LeaderEpoch(LeaderEpoch): "leader-epoch 3" ["elect" "leader" "election" "epoch"],
    Truncate(Truncate): "truncate 5" ["cut"],
    TruncateFully(TruncateFully): "truncate-fully 5" [],
    Roll(Roll): "roll" ["rotate"],
    Flush(Flush): "flush" ["fsync" "sync" "checkpoint"],
    ExpireProducers(ExpireProducers): "expire-producers" ["forget-producers"],
    IndexEntries(IndexEntries): "index-entries per-append" [],
    Stop(Stop): "stop" ["shutdown" "halt" "quit" "exit"],
    Crash(Crash): "crash lose=50B" ["kill" "die" "power-off" "oom"],
    Start(Start): "start" ["restart" "boot" "recover" "resume" "reboot"],
    Damage(DamageFile): "damage 0.log cut=40B" ["corrupt" "break" "tamper"],
    Touch(Touch): "touch 3.log" ["copy" "mtime"],
}

#[cfg(test)]
mod tests {
    use super::Command;

    #[test]
    fn a_word_of_others_means_one_command_and_is_none() {
        let mut words: Vec<&str> = Command::ALSO.concat();
        words.extend(Command::NAMES);
        let all = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), all);
        assert_eq!(Command::meant("kill"), Some("crash"));
        assert_eq!(Command::meant("crash"), None);
    }
}
