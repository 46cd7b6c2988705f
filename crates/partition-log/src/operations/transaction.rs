//! A transaction as its producer sees it: what it appends, and how it ends.

use crate::error::LogError;
use crate::format::batch::{NewBatch, NewProducer, increment_sequence};
use crate::format::producers::NO_EPOCH;
use crate::operations::append::{Appended, TransactionEnd};
use crate::operations::partition::Partition;
use crate::units::ProducerId;

/// A transaction of one producer in one partition, begun by its first append. Dropped without an end it stays open, and
/// holds back the last stable offset.
#[derive(Debug)]
#[must_use = "a transaction begins with its first append"]
pub struct Transaction<'a> {
    partition: &'a mut Partition,
    producer: NewProducer,
}

impl Partition {
    /// A transaction of a producer, which goes on with the epoch and the sequence number that the partition knows of it.
    ///
    /// ```
    /// use partition_log::Partition;
    /// use partition_log::format::batch::NewBatch;
    ///
    /// let mut partition = Partition::create(Default::default(), 0)?;
    /// let mut transaction = partition.transaction(7.try_into()?);
    /// transaction.append(NewBatch::batch(3, 300))?;
    /// transaction.abort()?;
    /// let state = partition.state();
    /// assert_eq!((state.log_end().get(), state.last_stable().get()), (4, 4), "three records and the marker");
    /// # Ok::<(), partition_log::LogError>(())
    /// ```
    pub fn transaction(&mut self, producer: ProducerId) -> Transaction<'_> {
        let known = self.state().producers().entry(producer);
        let epoch = known.map_or(NO_EPOCH, |known| known.epoch).max(0);
        let sequence = known.map_or(0, |known| increment_sequence(known.last_sequence(), 1));
        Transaction {
            partition: self,
            producer: NewProducer {
                id: producer.get(),
                epoch,
                sequence,
                transactional: true,
            },
        }
    }
}

impl Transaction<'_> {
    /// Appends a batch in format v2, under the next sequence number.
    ///
    /// # Errors
    ///
    /// [`LogError::Encode`] for a message of format v1, and those of [`Partition::append`].
    pub fn append(&mut self, batch: NewBatch) -> Result<Appended, LogError> {
        let batch = batch.sent_by(self.producer)?;
        let appended = self.partition.append(&batch)?;
        // A batch holds at most 2^31 − 1 records.
        self.producer.sequence = increment_sequence(self.producer.sequence, batch.records() as i32);
        Ok(appended)
    }

    /// Commits: readers of committed records get what was appended.
    ///
    /// # Errors
    ///
    /// Those of [`Partition::end_transaction`].
    pub fn commit(self) -> Result<Appended, LogError> {
        self.end(true)
    }

    /// Aborts: readers of committed records pass over what was appended.
    ///
    /// # Errors
    ///
    /// Those of [`Partition::end_transaction`].
    pub fn abort(self) -> Result<Appended, LogError> {
        self.end(false)
    }

    fn end(self, commit: bool) -> Result<Appended, LogError> {
        self.partition.end_transaction(&TransactionEnd {
            producer_id: self.producer.id,
            producer_epoch: self.producer.epoch,
            commit,
            ..TransactionEnd::default()
        })
    }
}
