//! Beats in words: one sentence of at most 140 characters, made of the fields of steps and of nothing else.

mod append;
mod broker;
mod load;
mod numbers;
mod reading;
mod retention;
mod text;
mod words;
mod writes;

pub(crate) use text::SentenceBuilder;
pub use text::{Role, Sentence, Span};
pub(crate) use words::{of_beat, of_set_up};
