//! Random cases for the comparison with Kafka: a seed gives the same case each time.

mod batches;
mod damage;
mod operations;
mod packed;
mod reader;
mod scenario;

pub use self::operations::{Feature, Operations};
pub use self::scenario::scenario;
