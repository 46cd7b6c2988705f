//! What real brokers of Apache Kafka 4.4.0 left on disk, read by the model, and what real clients got from them, answered by it.
//!
//! `cargo xtask broker` makes the directories in `fixtures/broker`; here they are only read.

mod batches;
mod checkpoints;
mod engine;
mod indexes;
mod kept;
mod model;
mod on_disk;
mod producers;
mod reading;
