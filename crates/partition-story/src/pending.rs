//! What the model does not do yet, each refused: this file goes when the model does them.

use partition_log::Partition;
use partition_log::error::LogError;
use partition_log::step::Trace;
use partition_log::vfs::FileName;

use crate::operation::FileDamage;

type Refusal<T> = Trace<Result<T, LogError>>;

fn refused<T>() -> Refusal<T> {
    let outcome = Err(LogError::NumberTooLarge {
        what: "what this command asks of the model of today",
    });
    Trace {
        steps: Vec::new(),
        outcome,
    }
}

pub(crate) trait Pending {
    fn pending_damage(&mut self, _file: FileName, _damage: &FileDamage) -> Refusal<()> {
        refused()
    }
    fn pending_touch(&mut self, _file: FileName) -> Refusal<()> {
        refused()
    }
}

impl Pending for Partition {}
