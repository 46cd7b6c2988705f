//! One visual noun a file: geometry in, keyed nodes out.

pub mod arrow;
pub mod bracket;
pub mod chip;
pub mod entry;
pub mod flag;
pub mod gauge;
pub mod hatch;
pub mod limit;
pub mod name;
pub mod panel;
pub mod pieces;
pub mod probe;
pub mod record;
pub mod ruler;
pub mod scale;
pub mod tag;
