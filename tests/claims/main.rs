//! The numbers that the page promises, each typed here by hand and compared with what the model does.
//!
//! None of them is computed from the model: a test that fails says which promise no longer holds.

mod consumer;
mod edges;
mod files;
mod find_offset;
mod find_time;
mod intervals;
mod kafka_cases;
mod kafka_settings;
mod producers;
mod records;
mod retention_size;
mod retention_time;
mod settings;
mod variants;
