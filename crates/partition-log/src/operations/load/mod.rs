//! Stops, crashes and starts: how a broker leaves a partition's files, and what it makes of them when it comes back
//! (Kafka: `LogManager.shutdown`, `LogLoader`, `LogSegment.recover`).
//!
//! A start trusts the files of a broker whose shutdown was clean, but for a missing `.index` and a transaction index that
//! cannot be. After a crash it reads the segment that holds the recovery point and all later ones, rebuilds their indexes,
//! and cuts the log at the first batch that is not valid.

mod damage;
mod files;
#[cfg(feature = "std")]
mod open_dir;
mod recover;
mod segments;
mod shutdown;
mod split;
mod start;

pub use damage::Damage;
pub use start::StartOptions;

#[cfg(test)]
mod tests;
