//! Bytes and what they mean, both ways: batches, index entries, producer snapshots, the leader epoch file.
//!
//! May know the ground and the names of files ([`crate::disk`]); knows no rule, no state and no setting.

pub mod batch;
pub(crate) mod checksum;
pub mod epoch;
pub mod index;
pub mod producers;
