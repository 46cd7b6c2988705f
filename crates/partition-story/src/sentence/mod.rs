//! Beats in words: one sentence of at most 140 characters, made of the fields of steps and of nothing else.

mod append;
mod broker;
mod clause;
mod digest;
mod load;
mod numbers;
mod reading;
mod retention;
mod steps;
mod text;
mod writes;

pub(crate) use digest::Digest;
pub(crate) use reading::refused;
pub(crate) use steps::{of_beat, of_set_up};
pub(crate) use text::SentenceBuilder;
pub use text::{Role, Sentence, Span};
