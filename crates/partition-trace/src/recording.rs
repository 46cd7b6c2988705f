//! What Kafka answered, as lines of JSON: a header, then of each scenario its name and its turns, each with the
//! answer.

use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::request::Turn;

/// How a recording was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The command.
    pub command: String,
    /// Kafka's version.
    pub kafka: String,
    /// The archives that Kafka's classes came from.
    pub archives: Vec<Archive>,
}

/// A file of Kafka's classes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Archive {
    /// Its name.
    pub name: String,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
}

/// A scenario and what Kafka answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// Its name: a demo, a script, or a seed.
    pub name: String,
    /// Its turns, from its creation on, with the answers.
    pub turns: Vec<(Turn, Answer)>,
}
