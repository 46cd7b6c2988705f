//! Scenario language, demos, and the runner that turns commands into frames.
//!
//! A [`Scenario`] is text ([`parse`]); a [`Story`] is a scenario that has been run with values for its inputs. Its
//! [`Frame`]s carry the steps of one beat, the partition before and after it, and a [`Sentence`].

mod beat;
mod checkpoint;
pub mod clauses;
mod demo;
mod distinct;
mod event;
mod expectation;
mod frame;
pub mod language;
mod machine;
mod nearest;
pub mod panel;
pub mod pick;
mod runner;
mod sentence;
mod still;
mod story;
mod summary;
mod transcript;
mod verdict;

pub use demo::{Demo, demos};
pub use event::{Done, Event};
pub use expectation::Checked;
pub use frame::{Extents, Frame, Phase};
pub use language::{InputValues, Scenario, ScenarioError, parse};
pub use machine::{Machine, Outcome, Sent};
pub use nearest::NearestInputs;
pub use sentence::{Role, Sentence, Span};
pub use story::{Story, StoryError};
pub use summary::{CommandSummary, SummaryEntry, summary};
pub use transcript::Transcript;
pub use verdict::verdict;
