//! Rules as values: numbers in, a decision with its operands out. One file a rule.
//!
//! May know the ground, the names of files and the formats; opens no file and has no state.

pub mod clause;
pub mod fetch;
pub mod index_entry;
pub mod producers;
pub mod recovery;
pub mod reset;
pub mod retention;
pub mod roll;
pub mod search;
pub mod validate;
