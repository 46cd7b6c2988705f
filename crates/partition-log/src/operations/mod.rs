//! What is done to a partition: rules applied, writes recorded. Every operation is a method of
//! [`Partition`], and returns its steps.
//!
//! May know all rooms but the questions.

mod append;
mod batch_lookup;
mod consumer;
mod delivery;
mod find_time;
pub mod load;
mod partition;
mod producers;
mod read;
mod reader;
mod recorder;
mod retention;
mod transaction;
mod truncation;
mod watermark;

pub use append::{AppendOptions, Appended, TransactionEnd};
pub use consumer::Consumer;
pub use delivery::Polled;
pub use find_time::TimeTarget;
pub use partition::{CheckOutcome, Partition, ReadOutcome};
pub use read::{FetchOptions, Fetched, FoundBatch};
pub use transaction::Transaction;
