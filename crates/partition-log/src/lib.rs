//! # partition-log
//!
//! Decides and writes what the log layer of **Apache Kafka 4.4.0** decides and writes for one partition with
//! `cleanup.policy=delete`: segments, the offset, time and transaction index, rolling, appends of a leader and of a follower,
//! idempotent producers and transactions, leader epochs, reading by offset and by time, retention, truncation, stopping,
//! loading and recovery, and a consumer that resumes from a committed offset.
//!
//! Every operation of [`Partition`] returns what came of it, and the partition keeps each [`Step`] on the way to it
//! ([`Partition::steps`]). A step is a *probe* (something was read and compared), a *decision* (a rule with its operands) or
//! a *write* (bytes or bookkeeping changed). Replaying the writes of an operation on the earlier state gives the later state.
//!
//! The crate has no clock, no randomness and no floating point: time is an argument. It reads real files where the feature
//! `std` is on ([`Partition::open_dir`](operations::Partition)), and writes none.
//!
//! ## Quickstart
//!
//! ```
//! use partition_log::config::Settings;
//! use partition_log::format::batch::NewBatch;
//! use partition_log::{LogError, Offset, Partition, Step, TimestampMs};
//!
//! # fn main() -> Result<(), LogError> {
//! let settings = Settings::from_properties("segment.bytes=100\nretention.ms=60000")?.settings;
//! let mut partition = Partition::create(settings, 0)?;
//! for ms in [1_000, 2_000, 3_000] {
//!     partition.append(&NewBatch::message(40).at_ms(ms))?;
//! }
//! assert!(partition.steps().iter().any(|step| matches!(step, Step::Rolled { .. })), "80 + 40 > 100");
//!
//! // Where offset 1 is, and each look on the way to it.
//! let looked_up = partition.state().lookup(Offset::try_from(1)?)?;
//! assert_eq!(looked_up.outcome.map(|batch| batch.position.get()), Some(40));
//!
//! // Segment 0 goes once its newest record is more than 60 s old.
//! let later = TimestampMs::try_from(62_001)?;
//! let why = partition.state().why_kept(Offset::ZERO, later).expect("it is on disk");
//! let reasons: Vec<String> = why.decisions().map(|decision| decision.to_string()).collect();
//! assert!(reasons[1].starts_with("retention.ms: segment 0 goes"), "{reasons:?}");
//! partition.advance_to(later)?;
//! assert_eq!(partition.check_retention()?.deleted, [Offset::ZERO]);
//! # Ok(())
//! # }
//! ```
//!
//! More stands in the folder `examples`: transactions, a crash, a consumer, the folder of a real broker, errors.
//!
//! ## Features
//!
//! - `compression`, on by default: compressed batches are read. Off, the crate depends on nothing but checksums.
//! - `serde`: steps, errors and the outcome of a read can be serialized, with all they hold. Enums are tagged from outside
//!   (`{"roll-decided": {…}}`), units are numbers, a file is its name, bytes are hex.
//! - `std`: the directory of a broker is opened from its disk, file by file as they are needed.
//!
//! ## Differences from Kafka 4.4.0, on purpose
//!
//! - Fresh messages at the page's scale are written in message format v1, as brokers before 0.11 did; Kafka 4.4.0 reads
//!   this format, and writes it only when it copies a replica's bytes.
//! - `segment.bytes` may be as small as 14 B, the limit that `internal.segment.bytes` has in effect; users' topics have a
//!   minimum of 1 MiB ([`config::Settings::scaled`]).
//! - `segment.jitter.ms` follows from a seed; Kafka draws it at random.
//! - What Kafka leaves to a background thread without a delay (flushing after a roll, writing cut leader epochs) happens
//!   within the operation.
//! - Batches are never compressed here: a topic whose `compression.type` asks for another codec than the producer's refuses
//!   them with an error of its own. Compressed batches are kept as they come, and read where the feature `compression` is on.
//! - `partition.metadata`, which holds a random id, is not written. Producers in a snapshot stand in the
//!   order of their ids; Kafka's order is that of a hash map.
//! - A transaction is not verified with its coordinator before it begins, which happens above the log.
//! - Offsets below 0, which only damage can bring into a file, are refused where Kafka goes on with them.
//! - A follower's batch below the base of a segment that a refused append had rolled to is refused.
//! - Files are not preallocated, and `flush.messages` and `flush.ms` are Kafka's defaults: flushing is left to rolls and stops.
//! - Compaction and tiered storage are not modelled.
#![forbid(unsafe_code)]

/// The release of Apache Kafka whose rules the model follows.
pub const KAFKA_VERSION: &str = "4.4.0";

// The rooms, in the order in which they may know each other: each only those above it.
pub mod config;
pub mod ordered;
pub mod units;

pub mod disk;

pub mod format;

pub mod rules;

pub mod error;

pub mod state;

pub mod step;

pub mod operations;

pub mod questions;

pub use error::{ErrorKind, LogError};
pub use operations::{
    AppendOptions, Appended, CheckOutcome, Consumer, FetchOptions, Fetched, FoundBatch, Partition, Polled, ReadOutcome,
    TimeTarget, Transaction, TransactionEnd,
};
pub use state::PartitionState;
pub use step::{Step, Trace};
pub use units::{Offset, Position, ProducerId, TimestampMs};
