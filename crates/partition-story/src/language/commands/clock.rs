//! The clock: `wait`, `at`.

use partition_log::units::TimestampMs;

use super::{Definition, Kind, Words};
use crate::language::args::Args;
use crate::language::print::Printer;
use crate::language::{Fault, Measure, Problem, Written};
use crate::machine::{Machine, Outcome};

/// `wait 40s`: the clock moves by a span, in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait(pub Written<i64>);

impl Words for Wait {
    const NAME: &'static str = "wait";
    const GRAMMAR: &'static str = "time";

    fn parse(args: &mut Args<'_, '_>) -> Result<Wait, Fault> {
        let span = args.bare(Measure::Time.expected())?;
        args.span(span).map(Wait)
    }
}

impl Definition for Wait {
    fn print(&self, words: &mut Printer) {
        words.value(&self.0);
    }

    fn kind(&self) -> Kind {
        Kind::MovesClock
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        let to = machine.clock().checked_add(*self.0);
        let to = to.ok_or_else(|| Fault::in_word(1, Problem::ClockTooLarge))?;
        Ok(Outcome::of(
            machine.partition.trace(|partition| partition.advance_to(to)),
        ))
    }
}

/// `at 75s`: the clock moves to a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At(pub Written<TimestampMs>);

impl Words for At {
    const NAME: &'static str = "at";
    const GRAMMAR: &'static str = "time";

    fn parse(args: &mut Args<'_, '_>) -> Result<At, Fault> {
        let time = args.bare(Measure::Time.expected())?;
        args.time(time).map(At)
    }
}

impl Definition for At {
    fn print(&self, words: &mut Printer) {
        words.value(&self.0);
    }

    fn kind(&self) -> Kind {
        Kind::MovesClock
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        let (now, asked) = (machine.clock(), *self.0);
        if asked < now {
            return Err(Fault::in_word(1, Problem::ClockBackwards { now, asked }));
        }
        Ok(Outcome::of(
            machine.partition.trace(|partition| partition.advance_to(asked)),
        ))
    }
}
