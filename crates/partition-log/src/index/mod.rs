//! The two index files: their entries, and the binary search that they share.

mod entries;
mod search;

pub use entries::{OffsetEntry, TimeEntry, capacity, entry_size};
pub(crate) use entries::{offset_entry, time_entry};
pub(crate) use search::floor_slot;
