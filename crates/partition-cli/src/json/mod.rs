//! JSON, for programs. `docs/scenario-language.md` describes what `pod run` and `pod trace` write: each has a version; a field
//! may be added without a new one, a field that is there keeps its name, its type and its meaning. A step, an error and the
//! outcome of a read are written by the derives of `partition-log`, whole, and turns by those of `partition-trace`.

pub mod run;

use partition_log::error::LogError;
use serde::Serialize;

/// A refusal.
#[derive(Serialize)]
pub struct Refusal<'a> {
    /// The word that an `expect` names it by.
    code: &'static str,
    /// Kafka's name for it, where Kafka has one.
    kafka: Option<&'static str>,
    /// What a person reads.
    text: String,
    /// What it holds.
    error: &'a LogError,
}

impl<'a> Refusal<'a> {
    /// Of an error.
    pub fn of(error: &'a LogError) -> Refusal<'a> {
        Refusal {
            code: error.code(),
            kafka: error.kafka_name(),
            text: error.to_string(),
            error,
        }
    }
}
