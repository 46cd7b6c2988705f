//! Bytes and what they mean, both ways: batches, index entries, producer snapshots, the text files of a broker.
//!
//! May know the ground and the names of files ([`crate::disk`]); knows no rule, no state and no setting.

pub mod batch;
pub mod checkpoint;
pub(crate) mod checksum;
pub mod clean_shutdown;
pub mod epoch;
pub mod index;
pub mod metadata;
pub mod producers;
