//! Deletion: `check-retention`, `delete-records`.

use partition_log::units::Offset;

use super::{Definition, Needs, Record, Words, plain};
use crate::language::args::{Args, is_number};
use crate::language::print::Printer;
use crate::language::{Fault, Written};
use crate::machine::{Machine, Outcome};

plain! {
    /// `check-retention`: a check now, beside the periodic ones.
    CheckRetention = "check-retention", Running, Plain, |machine| Outcome::of(machine.partition.trace(|partition| partition.check_retention()))
}

/// `delete-records 7`: everything below an offset goes, or below the high watermark if none is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeleteRecords(pub Option<Written<Offset>>);

/// Kafka's number for the high watermark (Kafka: `DeleteRecordsRequest.HIGH_WATERMARK`).
const HIGH_WATERMARK: i64 = -1;

impl Words for DeleteRecords {
    const NAME: &'static str = "delete-records";
    const GRAMMAR: &'static str = "( offset | \"high-watermark\" )";
    const RECORD: Record = Record::Number("before");

    fn parse(args: &mut Args<'_, '_>) -> Result<DeleteRecords, Fault> {
        const EXPECTED: &str = "an offset, such as 9, or `high-watermark` (Kafka: -1)";
        let text = args.bare(EXPECTED)?;
        Ok(DeleteRecords(match text.text {
            "high-watermark" => None,
            other if other.parse() == Ok(HIGH_WATERMARK) => None,
            other if is_number(other) && !other.starts_with('-') => Some(args.offset(text)?),
            _ => return Err(text.unexpected(EXPECTED)),
        }))
    }

    fn recall(number: Option<i64>) -> Option<DeleteRecords> {
        match number? {
            HIGH_WATERMARK => Some(DeleteRecords(None)),
            before => Offset::new(before).map(|before| DeleteRecords(Some(before.into()))),
        }
    }
}

impl Definition for DeleteRecords {
    fn print(&self, words: &mut Printer) {
        match &self.0 {
            Some(before) => words.value(before),
            None => words.word("high-watermark"),
        }
    }

    fn number(&self) -> Option<i64> {
        Some(self.0.as_deref().map_or(HIGH_WATERMARK, |before| before.get()))
    }

    fn needs(&self) -> Needs {
        Needs::Running
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        Ok(Outcome::of(machine.partition.trace(|partition| match &self.0 {
            Some(before) => partition.delete_records(**before),
            None => partition.delete_records_to_high_watermark(),
        })))
    }
}
