//! Replication: `high-watermark`, `leader-epoch`, `truncate`, `truncate-fully`.

use partition_log::units::Offset;

use super::{Definition, Needs, Words};
use crate::language::args::{Args, EPOCH, is_number};
use crate::language::print::Printer;
use crate::language::{Fault, Written};
use crate::machine::{Machine, Outcome};

/// `high-watermark 12`: it stays at an offset, or follows the log end as with one replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HighWatermark(pub Option<Written<Offset>>);

impl Words for HighWatermark {
    const NAME: &'static str = "high-watermark";
    const GRAMMAR: &'static str = "( offset | \"follow\" )";

    fn parse(args: &mut Args<'_, '_>) -> Result<HighWatermark, Fault> {
        const EXPECTED: &str = "an offset or `follow`";
        let text = args.bare(EXPECTED)?;
        Ok(HighWatermark(match text.text {
            "follow" => None,
            other if is_number(other) => Some(args.offset(text)?),
            _ => return Err(text.unexpected(EXPECTED)),
        }))
    }
}

impl Definition for HighWatermark {
    fn print(&self, words: &mut Printer) {
        match &self.0 {
            Some(offset) => words.value(offset),
            None => words.word("follow"),
        }
    }

    fn needs(&self) -> Needs {
        Needs::Running
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        Ok(match &self.0 {
            Some(offset) => Outcome::of(machine.partition.pin_high_watermark(**offset)),
            None => Outcome::done(machine.partition.follow_high_watermark()),
        })
    }
}

/// `leader-epoch 3`: this broker leads under a new epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaderEpoch(pub Written<i32>);

impl Words for LeaderEpoch {
    const NAME: &'static str = "leader-epoch";
    const GRAMMAR: &'static str = "count";

    fn parse(args: &mut Args<'_, '_>) -> Result<LeaderEpoch, Fault> {
        let epoch = args.bare("an epoch, such as 3")?;
        Ok(LeaderEpoch(args.within(epoch, EPOCH)?.map(|epoch| epoch as i32)))
    }
}

impl Definition for LeaderEpoch {
    fn print(&self, words: &mut Printer) {
        words.value(&self.0);
    }

    fn needs(&self) -> Needs {
        Needs::Running
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        Ok(Outcome::of(machine.partition.set_leader_epoch(*self.0)))
    }
}

/// `truncate 5`: a follower cuts its log back to end here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truncate(pub Written<Offset>);

impl Words for Truncate {
    const NAME: &'static str = "truncate";
    const GRAMMAR: &'static str = "offset";

    fn parse(args: &mut Args<'_, '_>) -> Result<Truncate, Fault> {
        args.next_offset().map(Truncate)
    }
}

impl Definition for Truncate {
    fn print(&self, words: &mut Printer) {
        words.value(&self.0);
    }

    fn needs(&self) -> Needs {
        Needs::Running
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        Ok(Outcome::of(machine.partition.truncate_to(*self.0)))
    }
}

/// `truncate-fully 5`: a follower throws its log away and starts anew at this offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TruncateFully(pub Written<Offset>);

impl Words for TruncateFully {
    const NAME: &'static str = "truncate-fully";
    const GRAMMAR: &'static str = "offset";

    fn parse(args: &mut Args<'_, '_>) -> Result<TruncateFully, Fault> {
        args.next_offset().map(TruncateFully)
    }
}

impl Definition for TruncateFully {
    fn print(&self, words: &mut Printer) {
        words.value(&self.0);
    }

    fn needs(&self) -> Needs {
        Needs::Running
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        Ok(Outcome::of(machine.partition.truncate_fully(*self.0)))
    }
}
