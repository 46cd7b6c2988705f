//! JSON, for programs. Its two formats are described in `docs/scenario-language.md` and carry a version: a field may be
//! added without a new one, a field that is there keeps its name, its type and its meaning.

mod load;
pub mod run;
pub mod step;
pub mod trace;

pub use hex::encode as hex;
use partition_log::error::LogError;
use partition_log::units::{Offset, TimestampMs};
use serde_json::{Value, json};

/// The version of both formats.
pub const VERSION: u32 = 1;

/// An offset, or null.
pub fn maybe_offset(offset: Option<Offset>) -> Option<i64> {
    offset.map(Offset::get)
}

/// A time in milliseconds, or null.
pub fn maybe_ms(time: Option<TimestampMs>) -> Option<i64> {
    time.map(TimestampMs::get)
}

/// A refusal: its code, Kafka's name for it, and its text.
pub fn refusal(error: &LogError) -> Value {
    json!({ "code": error.code(), "kafka": error.kafka_name(), "text": error.to_string() })
}
