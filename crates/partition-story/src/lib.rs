//! Scenario language, demos, and the runner that turns commands into frames.
//!
//! A [`Scenario`] is text ([`parse`]); a [`Story`] is a scenario that has been run with values for its inputs. Its
//! [`Frame`]s carry the steps of one beat, the partition before and after it, and a [`Sentence`].

mod beat;
mod checkpoint;
mod demo;
mod expectation;
mod frame;
pub mod language;
mod nearest;
pub mod operation;
pub mod panel;
pub mod pick;
mod plan;
mod runner;
mod sentence;
mod story;
mod transcript;

pub use demo::{Demo, demos};
pub use expectation::Checked;
pub use frame::{Extents, Frame, Phase};
pub use language::{Scenario, ScenarioError, parse};
pub use nearest::NearestInputs;
pub use plan::InputValues;
pub use sentence::{Role, Sentence, Span};
pub use story::{Done, Event, Story, StoryError};
pub use transcript::Transcript;
