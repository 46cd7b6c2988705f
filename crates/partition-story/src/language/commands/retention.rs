//! Deletion: `check-retention`, `delete-records`.

use partition_log::units::Offset;

use super::{Definition, Needs, Words, plain};
use crate::language::args::Args;
use crate::language::print::Printer;
use crate::language::{Fault, Written};
use crate::machine::{Machine, Outcome};

plain! {
    /// `check-retention`: a check now, beside the periodic ones.
    CheckRetention = "check-retention", Running, |machine| Outcome::of(machine.partition.check_retention())
}

/// `delete-records 7`: everything below an offset goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeleteRecords(pub Written<Offset>);

impl Words for DeleteRecords {
    const NAME: &'static str = "delete-records";
    const GRAMMAR: &'static str = "offset";

    fn parse(args: &mut Args<'_, '_>) -> Result<DeleteRecords, Fault> {
        args.next_offset().map(DeleteRecords)
    }
}

impl Definition for DeleteRecords {
    fn print(&self, words: &mut Printer) {
        words.value(&self.0);
    }

    fn needs(&self) -> Needs {
        Needs::Running
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        Ok(Outcome::of(machine.partition.delete_records(*self.0)))
    }
}
