//! What is known of one producer (Kafka: `ProducerStateEntry`, `BatchMetadata`).

/// So many batches of a producer are remembered, to know a repeated one
/// (Kafka: `ProducerStateEntry.NUM_BATCHES_TO_RETAIN`).
pub const BATCHES_RETAINED: usize = 5;

/// Kafka's −1, where a producer has no epoch yet (`RecordBatch.NO_PRODUCER_EPOCH`).
pub(crate) const NO_EPOCH: i16 = -1;

/// Kafka's −1, where there is no sequence number (`RecordBatch.NO_SEQUENCE`).
pub(crate) const NO_SEQUENCE: i32 = -1;

/// The sequence number that follows (Kafka: `ProducerAppendInfo.inSequence`).
pub(crate) fn next_sequence(last: i32) -> i32 {
    if last == i32::MAX { 0 } else { last + 1 }
}

/// A batch that is remembered, as the producer numbered it (Kafka: `BatchMetadata`). The numbers are as stored: a
/// snapshot may hold any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RetainedBatch {
    /// Sequence number of its last record.
    pub last_sequence: i32,
    /// Offset of its last record.
    pub last_offset: i64,
    /// Last offset less first offset.
    pub offset_delta: i32,
    /// Its largest timestamp in milliseconds; −1 for none.
    pub timestamp: i64,
}

impl RetainedBatch {
    /// Sequence number of its first record (Kafka: `DefaultRecordBatch.decrementSequence`).
    pub fn first_sequence(&self) -> i32 {
        let (last, delta) = (self.last_sequence, self.offset_delta);
        if last < delta {
            i32::MAX.wrapping_sub(delta.wrapping_sub(last)).wrapping_add(1)
        } else {
            last.wrapping_sub(delta)
        }
    }

    /// Offset of its first record.
    pub fn first_offset(&self) -> i64 {
        self.last_offset.wrapping_sub(i64::from(self.offset_delta))
    }
}

/// What is known of one producer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ProducerEntry {
    /// The epoch that the producer wrote with last; −1 while it has written nothing.
    pub epoch: i16,
    /// The epoch of the transaction coordinator in the last marker; −1 before the first.
    pub coordinator_epoch: i32,
    /// Timestamp in milliseconds of the last batch or marker; −1 for none.
    pub last_timestamp: i64,
    /// First offset of the open transaction.
    pub transaction: Option<i64>,
    /// The last batches of this epoch, oldest first, [`BATCHES_RETAINED`] at most.
    batches: Vec<RetainedBatch>,
}

impl Default for ProducerEntry {
    /// A producer that is not known (Kafka: `ProducerStateEntry.empty`).
    fn default() -> ProducerEntry {
        ProducerEntry::new(NO_EPOCH, -1, -1, None)
    }
}

impl ProducerEntry {
    /// An entry without batches.
    pub const fn new(
        epoch: i16,
        coordinator_epoch: i32,
        last_timestamp: i64,
        transaction: Option<i64>,
    ) -> ProducerEntry {
        ProducerEntry {
            epoch,
            coordinator_epoch,
            last_timestamp,
            transaction,
            batches: Vec::new(),
        }
    }

    /// The same without batches: where an append starts from (Kafka: `ProducerStateEntry.withProducerId`).
    pub(crate) fn without_batches(&self) -> ProducerEntry {
        ProducerEntry::new(
            self.epoch,
            self.coordinator_epoch,
            self.last_timestamp,
            self.transaction,
        )
    }

    /// The batches remembered, oldest first.
    pub fn batches(&self) -> &[RetainedBatch] {
        &self.batches
    }

    /// The batch remembered last.
    pub fn last_batch(&self) -> Option<&RetainedBatch> {
        self.batches.last()
    }

    /// Sequence number of the last record; −1 without batches.
    pub fn last_sequence(&self) -> i32 {
        self.last_batch().map_or(NO_SEQUENCE, |batch| batch.last_sequence)
    }

    /// A batch with the same first and last sequence number (Kafka: `ProducerStateEntry.batchWithSequenceRange`).
    pub(crate) fn batch_with(&self, first_sequence: i32, last_sequence: i32) -> Option<RetainedBatch> {
        let same =
            |batch: &&RetainedBatch| batch.first_sequence() == first_sequence && batch.last_sequence == last_sequence;
        self.batches.iter().find(same).copied()
    }

    /// Remembers a batch (Kafka: `ProducerStateEntry.addBatch`).
    pub fn add_batch(&mut self, epoch: i16, batch: RetainedBatch) {
        self.set_epoch(epoch);
        self.retain(batch);
        self.last_timestamp = batch.timestamp;
    }

    /// Takes over what an append found: its batches come behind those known, unless the epoch is another
    /// (Kafka: `ProducerStateEntry.update`).
    pub(crate) fn update(&mut self, next: &ProducerEntry) {
        self.set_epoch(next.epoch);
        for batch in &next.batches {
            self.retain(*batch);
        }
        self.coordinator_epoch = next.coordinator_epoch;
        self.transaction = next.transaction;
        self.last_timestamp = next.last_timestamp;
    }

    /// A marker ends the transaction; the batches of the same epoch stay known.
    pub(crate) fn end_transaction(&mut self, epoch: i16, coordinator_epoch: i32, timestamp: i64) {
        self.set_epoch(epoch);
        self.coordinator_epoch = coordinator_epoch;
        self.transaction = None;
        self.last_timestamp = timestamp;
    }

    /// Sequences count from 0 in each epoch, so the batches of another one tell nothing.
    fn set_epoch(&mut self, epoch: i16) {
        if self.epoch != epoch {
            self.batches.clear();
            self.epoch = epoch;
        }
    }

    fn retain(&mut self, batch: RetainedBatch) {
        if self.batches.len() == BATCHES_RETAINED {
            self.batches.remove(0);
        }
        self.batches.push(batch);
    }
}
