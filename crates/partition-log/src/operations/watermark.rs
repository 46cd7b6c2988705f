//! The high watermark, and where it and the last stable offset are in the files (Kafka: `UnifiedLog`'s
//! `highWatermarkMetadata` and `firstUnstableOffsetMetadata`).

use crate::error::LogError;
use crate::operations::recorder::Recorder;
use crate::rules::fetch::Isolation;
use crate::rules::producers::{Place, Unstable};
use crate::state::MemoryChange;
use crate::state::producers::ProducerChange;
use crate::units::{Offset, Position};

impl Recorder<'_> {
    /// With one replica the high watermark is the log end offset, as soon as an append has moved that
    /// (Kafka: `Partition.maybeIncrementLeaderHW`, `UnifiedLog.maybeIncrementHighWatermark`).
    pub(crate) fn follow_with_high_watermark(&mut self) -> Result<(), LogError> {
        if !self.state().high_watermark_follows() {
            return Ok(());
        }
        self.find_high_watermark()?;
        let log_end = self.state().log_end();
        if self.state().high_watermark() < log_end {
            self.move_high_watermark(log_end)?;
        }
        Ok(())
    }

    /// A high watermark at the log end offset stays there, and so does one that is above it
    /// (Kafka: `UnifiedLog.updateHighWatermarkWithLogEndOffset`).
    pub(crate) fn high_watermark_with_log_end(&mut self) -> Result<(), LogError> {
        let log_end = self.state().log_end();
        if self.state().high_watermark() >= log_end {
            self.move_high_watermark(log_end)?;
        }
        Ok(())
    }

    /// Moves the high watermark to an offset that is not above the log end offset; where in the files it is shows when a
    /// reader asks (Kafka: `UnifiedLog.updateHighWatermark`).
    pub(crate) fn move_high_watermark(&mut self, to: Offset) -> Result<(), LogError> {
        let from = self.state().high_watermark();
        let asked = to < self.state().log_end() && self.state().high_watermark_place().is_some();
        if from != to || asked {
            self.remember(MemoryChange::HighWatermark { from, to });
        }
        self.high_watermark_moved(to)
    }

    /// Transactions that end below the high watermark are settled (Kafka: `UnifiedLog.updateHighWatermarkMetadata`).
    fn high_watermark_moved(&mut self, to: Offset) -> Result<(), LogError> {
        if let Some(change) = self.state().producers().on_high_watermark(to) {
            self.change_producers(change);
        }
        self.settle_first_unstable()
    }

    /// Finds out where the high watermark is in the files, unless that is known
    /// (Kafka: `UnifiedLog.fetchHighWatermarkMetadata`).
    pub(crate) fn find_high_watermark(&mut self) -> Result<(), LogError> {
        if self.state().high_watermark_place().is_some() {
            return Ok(());
        }
        let from = self.state().high_watermark();
        if let Some((to, place)) = self.locate(from)? {
            self.remember(MemoryChange::HighWatermarkFound { from, to, place });
        }
        self.high_watermark_moved(self.state().high_watermark())
    }

    /// Finds out where the bound of a reader is in the files that asks for an offset (Kafka: `UnifiedLog.read`,
    /// `fetchLastStableOffsetMetadata`).
    pub(crate) fn find_bound(&mut self, requested: Offset, isolation: Isolation) -> Result<(), LogError> {
        if requested < self.state().log_start() || isolation == Isolation::LogEnd {
            return Ok(());
        }
        self.find_high_watermark()?;
        let Some(unstable) = self.state().producers().unstable() else {
            return Ok(());
        };
        let bounds = isolation == Isolation::TxnCommitted && unstable.offset < self.state().high_watermark();
        if bounds
            && unstable.place.is_none()
            && let Some((offset, place)) = self.locate(unstable.offset)?
        {
            let place = Some(place);
            self.change_producers(ProducerChange::FirstUnstable(Some(Unstable { offset, place })));
        }
        Ok(())
    }

    /// The base offset and the place of the batch that holds an offset, or of the next one; of the log end offset, and where
    /// there is no next one, that and the end of the log. Nothing for an offset outside the log
    /// (Kafka: `UnifiedLog.maybeConvertToOffsetMetadata`, `LocalLog.convertToOffsetMetadataOrThrow`).
    pub(crate) fn locate(&mut self, offset: Offset) -> Result<Option<(Offset, Place)>, LogError> {
        let log_end = self.state().log_end();
        let mut segment = self.state().floor(offset);
        if offset > log_end || segment.is_none() {
            return Ok(None);
        }
        let at = |base, position| {
            Some(Place {
                base,
                position: Position::new(position)?,
            })
        };
        while let Some(base) = segment.filter(|_| offset < log_end) {
            if let Some((first, position)) = self.read(|reader| reader.batch_at(base, offset))? {
                return Ok(Offset::new(first).zip(at(base, position)));
            }
            segment = self.state().next_base(base);
        }
        let (base, position) = self.state().log_end_place();
        Ok(at(base, position).map(|end| (log_end, end)))
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Settings;
    use crate::disk::{FileKind, FileName};
    use crate::error::LogError;
    use crate::format::batch::{NewBatch, NewProducer};
    use crate::operations::load::{Damage, StartOptions};
    use crate::rules::fetch::Isolation;
    use crate::{FetchOptions, Offset, Partition};

    fn at(offset: i64) -> Offset {
        Offset::new(offset).expect("not negative")
    }

    fn batch(producer: Option<NewProducer>) -> NewBatch {
        NewBatch::Batch {
            records: 4,
            size: 150,
            timestamp: None,
            key: None,
            headers: 0,
            producer,
        }
    }

    fn transactional() -> NewBatch {
        batch(Some(NewProducer {
            id: 1,
            epoch: 0,
            sequence: 0,
            transactional: true,
        }))
    }

    /// An index entry wherever a batch lies before a batch; the high watermark stays at 6.
    fn partition(batches: &[NewBatch]) -> Partition {
        let settings = Settings {
            index_interval_bytes: 0,
            ..Settings::default()
        };
        let mut partition = Partition::create(settings, 0).expect("a partition");
        for batch in batches {
            partition.append(batch).expect("appended");
        }
        partition.pin_high_watermark(at(6)).expect("in the log");
        partition
    }

    #[test]
    fn a_high_watermark_within_a_batch_moves_to_its_start_when_a_consumer_reads() {
        let mut partition = partition(&[batch(None), batch(None)]);
        let fetch = |partition: &mut Partition, isolation| {
            let options = FetchOptions {
                isolation,
                ..FetchOptions::limited(None)
            };
            partition.fetch_with(at(0), options).expect("in range").slice
        };
        assert_eq!(fetch(&mut partition, Isolation::LogEnd), 300);
        assert_eq!(partition.state().high_watermark(), at(6));
        assert_eq!(fetch(&mut partition, Isolation::HighWatermark), 150);
        assert_eq!(partition.state().high_watermark(), at(4));
    }

    #[test]
    fn a_log_that_is_cut_above_the_high_watermark_counts_its_transactions_when_a_reader_comes() {
        let mut partition = partition(&[batch(None), transactional(), batch(None)]);
        partition.truncate_to(at(7)).expect("cut");
        let marks = |partition: &Partition| {
            let state = partition.state();
            [state.last_stable(), state.high_watermark(), state.log_end()].map(Offset::get)
        };
        assert_eq!(
            marks(&partition),
            [4, 6, 7],
            "the transaction that was cut off still holds"
        );
        partition.fetch(at(0), None).expect("in range");
        assert_eq!(marks(&partition), [7, 7, 7]);
    }

    #[test]
    fn a_start_that_cannot_find_an_open_transaction_fails() {
        let mut partition = partition(&[batch(None), batch(None), transactional()]);
        partition.roll().expect("rolled");
        partition.crash(0).expect("it ran");
        let position = Damage::Write {
            position: 7,
            bytes: vec![12],
        };
        let index = FileName::live(at(0), FileKind::Index);
        partition.damage(index, &position).expect("it has an entry");
        let options = StartOptions {
            recovery_point: Some(at(12)),
            ..StartOptions::default()
        };
        let failed = partition.start(options).expect_err("the entry leads into a batch");
        assert!(matches!(failed, LogError::CorruptBatch { .. }), "{failed}");
        assert!(!partition.state().running());
    }
}
