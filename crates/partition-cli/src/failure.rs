//! Why `pod` ends with another code than 0.

use std::fmt;
use std::io;

use partition_story::ScenarioError;

/// What went wrong.
#[derive(Debug)]
pub enum Failure {
    /// Expectations were not met: how many, of how many.
    Expectations(usize, usize),
    /// The scenario cannot be used.
    Scenario {
        /// The file or demo.
        name: String,
        /// Why.
        error: ScenarioError,
    },
    /// The scenario cannot be read.
    Unreadable {
        /// The file.
        name: String,
        /// Why.
        error: io::Error,
    },
    /// Neither a file nor a demo.
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// A directory cannot be used.
    Directory {
        /// Its name.
        name: String,
        /// Why.
        error: io::Error,
    },
    /// An argument that does not fit the scenario.
    Argument(String),
    /// The output could not be written.
    Output(io::Error),
}

impl Failure {
    /// The exit code: 1 for an expectation that was not met, 2 for bad input.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Expectations(..) => 1,
            _ => 2,
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        Failure::Output(error.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Expectations(failed, all) => write!(f, "{failed} of {all} expectations were not met"),
            Failure::Scenario { name, error } => write!(f, "{name}: {error}"),
            Failure::Unreadable { name, error } => write!(f, "{name} cannot be read: {error}"),
            Failure::Unknown { name } => {
                write!(f, "{name} is neither a file nor a demo; the demos are ")?;
                let ids: Vec<&str> = partition_story::demos().iter().map(|demo| demo.id).collect();
                f.write_str(&ids.join(", "))
            }
            Failure::Directory { name, error } => write!(f, "{name}: {error}"),
            Failure::Argument(text) => f.write_str(text),
            Failure::Output(error) => write!(f, "the output cannot be written: {error}"),
        }
    }
}
