//! Rules as values: numbers in, a decision with its operands out. No files, no state.

pub mod append;
pub mod fetch;
pub mod index_entry;
pub mod recovery;
pub mod reset;
pub mod retention;
pub mod roll;
