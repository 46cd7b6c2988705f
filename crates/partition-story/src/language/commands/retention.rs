//! Deletion: `check-retention`, `delete-records`.

use super::{of_offset, plain};
use crate::machine::Outcome;

plain! {
    /// `check-retention`: a check now, beside the periodic ones.
    CheckRetention = "check-retention", Running, Plain, |machine| Outcome::of(machine.partition.trace(|partition| partition.check_retention()))
}

of_offset! {
    /// `delete-records 7`: everything below an offset goes.
    DeleteRecords = "delete-records", "before", |machine, before| Outcome::of(machine.partition.trace(|partition| partition.delete_records(before)))
}
