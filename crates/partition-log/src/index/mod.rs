//! The offset index and the time index, with the binary search that they share, and the transaction index.

mod entries;
mod search;
mod transactions;

pub use entries::{OffsetEntry, TimeEntry, capacity, entry_size};
pub(crate) use entries::{offset_entry, relative_at, time_entry};
pub(crate) use search::{ceiling_slot, floor_slot};
pub use transactions::{
    ABORTED_ENTRY_SIZE, AbortedProbe, AbortedTransaction, TransactionIndex, TransactionIndexCut, TransactionIndexError,
    TransactionIndexReason,
};
