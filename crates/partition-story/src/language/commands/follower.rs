//! Replication: `high-watermark`, `leader-epoch`, `truncate`, `truncate-fully`.

use partition_log::units::Offset;

use super::{Definition, Needs, Record, Words, of_offset};
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
    const RECORD: Record = Record::Number("to");

    fn parse(args: &mut Args<'_, '_>) -> Result<HighWatermark, Fault> {
        const EXPECTED: &str = "an offset or `follow`";
        let text = args.bare(EXPECTED)?;
        Ok(HighWatermark(match text.text {
            "follow" => None,
            other if is_number(other) => Some(args.offset(text)?),
            _ => return Err(text.unexpected(EXPECTED)),
        }))
    }

    fn recall(number: Option<i64>) -> Option<HighWatermark> {
        let Some(number) = number else {
            return Some(HighWatermark(None));
        };
        Offset::new(number).map(|offset| HighWatermark(Some(offset.into())))
    }
}

impl Definition for HighWatermark {
    fn print(&self, words: &mut Printer) {
        match &self.0 {
            Some(offset) => words.value(offset),
            None => words.word("follow"),
        }
    }

    fn number(&self) -> Option<i64> {
        self.0.as_deref().map(|offset| offset.get())
    }

    fn needs(&self) -> Needs {
        Needs::Running
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        Ok(match &self.0 {
            Some(offset) => Outcome::of(
                machine
                    .partition
                    .trace(|partition| partition.pin_high_watermark(**offset)),
            ),
            None => Outcome::of(machine.partition.trace(|partition| partition.follow_high_watermark())),
        })
    }
}

/// `leader-epoch 3`: this broker leads under a new epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaderEpoch(pub Written<i32>);

impl Words for LeaderEpoch {
    const NAME: &'static str = "leader-epoch";
    const GRAMMAR: &'static str = "count";
    const RECORD: Record = Record::Number("epoch");

    fn parse(args: &mut Args<'_, '_>) -> Result<LeaderEpoch, Fault> {
        let epoch = args.bare("an epoch, such as 3")?;
        Ok(LeaderEpoch(args.within(epoch, EPOCH)?.map(|epoch| epoch as i32)))
    }

    fn recall(number: Option<i64>) -> Option<LeaderEpoch> {
        i32::try_from(number?).ok().map(|epoch| LeaderEpoch(epoch.into()))
    }
}

impl Definition for LeaderEpoch {
    fn print(&self, words: &mut Printer) {
        words.value(&self.0);
    }

    fn number(&self) -> Option<i64> {
        Some((*self.0).into())
    }

    fn needs(&self) -> Needs {
        Needs::Running
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        Ok(Outcome::of(
            machine.partition.trace(|partition| partition.set_leader_epoch(*self.0)),
        ))
    }
}

of_offset! {
    /// `truncate 5`: a follower cuts its log back to end here.
    Truncate = "truncate", "to", |machine, to| Outcome::of(machine.partition.trace(|partition| partition.truncate_to(to)))
}

of_offset! {
    /// `truncate-fully 5`: a follower throws its log away and starts anew at this offset.
    TruncateFully = "truncate-fully", "to", |machine, to| Outcome::of(machine.partition.trace(|partition| partition.truncate_fully(to)))
}
