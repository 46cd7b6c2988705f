//! The offset index and the time index, with the binary search that they share, and the transaction index.

mod entries;
mod files;
mod refusal;
mod search;
mod transactions;

pub use entries::{OffsetEntry, TimeEntry, capacity, entry_size};
pub(crate) use entries::{offset_entry, time_entry};
pub use files::{OffsetIndex, OffsetPosition, TimeIndex, TimestampOffset, resized};
pub use refusal::{IndexError, IndexReason};
pub use search::IndexProbe;
pub(crate) use search::floor_entry;
pub use transactions::{
    ABORTED_ENTRY_SIZE, AbortedProbe, AbortedTransaction, TransactionIndex, TransactionIndexCut, TransactionIndexError,
    TransactionIndexReason,
};
