//! What is measured: operations of a [`Partition`](partition_log::Partition) at several sizes, the same natively, in
//! WebAssembly, and, written once more in Java, on the log of Apache Kafka (`tests/oracle`, class `Bench`).
//!
//! A [`Workload`] is prepared without being timed; then [`Prepared::run`] does a number of its operations.

#[cfg(target_arch = "wasm32")]
mod exported;
mod workload;

pub use workload::{Prepared, Workload};
