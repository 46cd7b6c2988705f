//! Scenario language, demos, and the runner that turns commands into frames.

pub mod language;
pub mod panel;
pub mod pick;

pub use language::{Scenario, ScenarioError, parse};
