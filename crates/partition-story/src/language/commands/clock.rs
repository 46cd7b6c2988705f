//! The clock: `clock`, `wait`, `at`.

use partition_log::units::{Date, TimestampMs};

use super::{Definition, Kind, Words};
use crate::language::args::Args;
use crate::language::moment;
use crate::language::print::Printer;
use crate::language::{Fault, Measure, Problem, Written};
use crate::machine::{Machine, Outcome};

/// `clock 2026-03-03T09:00Z`: what time 0 is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock(pub Written<TimestampMs>);

impl Words for Clock {
    const NAME: &'static str = "clock";
    const GRAMMAR: &'static str = "DATE [ \"T\" TIME-OF-DAY ] [ \"Z\" ]";

    fn parse(args: &mut Args<'_, '_>) -> Result<Clock, Fault> {
        const DATE: &str = "a date in UTC from 1980 on, such as 2026-03-03T09:00Z";
        let text = args.bare(DATE)?;
        // A time of day would need a date.
        let date = args.scope.calendar.civil(text).ok_or_else(|| text.unexpected(DATE))?;
        let start = date?;
        if !start.is_date() {
            return Err(text.unexpected(DATE));
        }
        if args.scope.calendar.start.is_some() || args.scope.begun {
            let twice = !args.scope.begun;
            return Err(Fault::in_word(0, Problem::ClockLate { twice }));
        }
        args.scope.calendar.start = Some(start);
        args.scope.calendar.day = Some(Date::of(start));
        Ok(Clock(Written::new(start, text.text)))
    }
}

impl Definition for Clock {
    fn print(&self, words: &mut Printer) {
        words.value(&self.0);
    }

    fn kind(&self) -> Kind {
        Kind::Declares
    }
}

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
    const GRAMMAR: &'static str = "moment";

    fn parse(args: &mut Args<'_, '_>) -> Result<At, Fault> {
        let text = args.bare(moment::EXPECTED)?;
        let time = args.time(text)?;
        // From here on, a time of day is on this day.
        if time.is_date() && args.scope.calendar.civil(text).is_some() {
            args.scope.calendar.day = Some(Date::of(*time));
        }
        Ok(At(time))
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
