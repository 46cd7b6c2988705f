//! A batch with a producer id, as the rules look at it.

use crate::format::batch::RawHeader;
use crate::format::producers::{EndMarker, MarkerError};
use crate::rules::producers::Place;
use crate::units::ProducerId;

/// A batch with a producer id, as its header has it, with the offsets that it gets in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProducerBatch {
    /// Who wrote it.
    pub producer_id: ProducerId,
    /// The producer's epoch.
    pub epoch: i16,
    /// Sequence number of its first record; −1 for none.
    pub first_sequence: i32,
    /// Sequence number of its last record; −1 for none.
    pub last_sequence: i32,
    /// Offset of its first record.
    pub first_offset: i64,
    /// Offset of its last record.
    pub last_offset: i64,
    /// Largest timestamp in milliseconds; −1 for none.
    pub max_timestamp: i64,
    /// Whether it belongs to a transaction.
    pub transactional: bool,
    /// What it holds.
    pub kind: BatchKind,
    /// Where it comes to stand; `None` where that is not known, as when the state is read again from files.
    pub place: Option<Place>,
}

impl ProducerBatch {
    /// The batch with this header; `None` without a producer id. Its kind is [`BatchKind::Data`], or else
    /// [`BatchKind::control`].
    pub fn of(header: &RawHeader, kind: BatchKind, place: Option<Place>) -> Option<ProducerBatch> {
        header.has_producer_id().then(|| ProducerBatch {
            producer_id: ProducerId::new(header.producer_id),
            epoch: header.producer_epoch,
            first_sequence: header.base_sequence,
            last_sequence: header.last_sequence(),
            first_offset: header.base_offset,
            last_offset: header.last_offset(),
            max_timestamp: header.max_timestamp,
            transactional: header.is_transactional(),
            kind,
            place,
        })
    }
}

/// What a batch holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchKind {
    /// Records.
    Data,
    /// A marker.
    Marker(EndMarker),
    /// A control record that ends no transaction.
    NoMarker(MarkerError),
    /// A control batch without a record.
    EmptyControl,
}

impl BatchKind {
    /// What a control batch holds, by key, value and timestamp in milliseconds of its first record.
    pub fn control(key: Option<&[u8]>, value: Option<&[u8]>, timestamp: i64) -> BatchKind {
        match EndMarker::parse(key, value, timestamp) {
            Ok(marker) => BatchKind::Marker(marker),
            Err(reason) => BatchKind::NoMarker(reason),
        }
    }
}
