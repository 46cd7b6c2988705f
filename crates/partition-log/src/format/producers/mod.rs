//! What files say of producers: the entries of a snapshot, and the markers that end transactions.

mod entry;
mod marker;
mod snapshot;

pub use entry::{BATCHES_RETAINED, ProducerEntry, RetainedBatch};
pub(crate) use entry::{NO_EPOCH, NO_SEQUENCE, next_sequence};
pub use marker::{EndMarker, MarkerError};
pub use snapshot::{CorruptSnapshot, SNAPSHOT_ENTRY_SIZE, decode_snapshot, encode_snapshot};
