//! What a consumer makes of the bytes that a fetch has brought: whole batches only, checked, without markers and without the
//! records of aborted transactions (Kafka: the client's `CompletedFetch` and `FetchCollector`).

use core::iter::Peekable;
use std::collections::BinaryHeap;
use std::vec::IntoIter;

use crate::error::LogError;
use crate::format::batch::{self, Depth, FaultClass, MemoryBatch, RECORD_SIZE_MAX, RawHeader, Record, RecordFault};
use crate::operations::partition::ReadOutcome;
use crate::operations::producers::is_abort;
use crate::operations::read::{FetchOptions, Sent};
use crate::operations::reader::Reader;
use crate::state::log;
use crate::step::Step;
use crate::units::{Offset, ProducerId, TimestampMs};

/// What a poll hands over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polled {
    /// The records, in the order of their offsets.
    pub records: Vec<Record>,
    /// Where they come from, what was left out, and where the consumer stands now.
    pub read: ReadOutcome,
}

impl Polled {
    /// Nothing, and where the consumer stands.
    pub(crate) fn nothing(next: Offset) -> Polled {
        Polled {
            read: ReadOutcome {
                next: Some(next),
                ..ReadOutcome::default()
            },
            ..Polled::default()
        }
    }
}

/// What a committed reader drops: the records of the aborted transactions that the broker tells it of
/// (Kafka: `CompletedFetch.consumeAbortedTransactionsUpTo`, `isBatchAborted`).
struct AbortedDropped {
    /// First offsets and producers, by first offset.
    to_come: Peekable<IntoIter<(Offset, ProducerId)>>,
    dropping: Vec<ProducerId>,
}

impl AbortedDropped {
    fn new(aborted: &[(ProducerId, Offset)]) -> AbortedDropped {
        // A heap sorts with a tenth of the code of a slice's own sort.
        let to_come = BinaryHeap::from_iter(aborted.iter().map(|(id, first)| (*first, *id))).into_sorted_vec();
        AbortedDropped {
            to_come: to_come.into_iter().peekable(),
            dropping: Vec::new(),
        }
    }

    /// Whether the next batch is of an aborted transaction.
    fn drops(&mut self, header: &RawHeader, bytes: &[u8]) -> bool {
        if !header.has_producer_id() {
            return false;
        }
        let producer = ProducerId::new(header.producer_id);
        while let Some((_, id)) = self.to_come.next_if(|(first, _)| first.get() <= header.last_offset()) {
            self.dropping.push(id);
        }
        // The marker of an aborted transaction ends the dropping; that of a committed one finds nothing to end.
        if header.is_control() && is_abort(bytes) {
            self.dropping.retain(|id| *id != producer);
            return false;
        }
        header.is_transactional() && self.dropping.contains(&producer)
    }
}

/// A slice on its way to the application.
struct Delivery {
    records: Vec<Record>,
    below: u32,
    markers: u32,
    aborted: u32,
    /// The offset behind what was looked at (Kafka: `CompletedFetch.nextFetchOffset`).
    next: Offset,
    dropped: AbortedDropped,
}

impl Delivery {
    /// Takes the records of one batch, up to one that is bad.
    fn take(&mut self, bytes: &[u8]) -> Result<(), RecordFault> {
        let header = RawHeader::read(bytes).map_err(|reason| FaultClass::Corrupt.with(reason))?;
        // In formats v0 and v1 each record has its own checksum; the one of a message around others is not looked at.
        let alone = header.magic < 2 && !header.is_compressed();
        if header.magic >= 2 {
            batch::ensure_valid(bytes).map_err(|reason| FaultClass::Corrupt.with(reason))?;
        }
        if self.dropped.drops(&header, bytes) {
            self.aborted += header.count.unwrap_or(0).max(0) as u32;
            self.pass(header.next_offset());
            return Ok(());
        }
        for record in batch::deep_records(bytes, Depth::Content, RECORD_SIZE_MAX)? {
            let record = record?;
            let offset = Offset::new(record.offset).filter(|offset| *offset >= self.next);
            if header.is_control() {
                self.markers += 1;
                if let Some(offset) = offset {
                    self.next = offset.next();
                }
                continue;
            }
            let Some(offset) = offset else {
                self.below += 1;
                continue;
            };
            let checksum = match alone {
                true => batch::ensure_valid(bytes),
                false => record.checksum,
            };
            checksum.map_err(|reason| FaultClass::Corrupt.with(reason))?;
            let content = record.content.expect("content was asked for")?;
            self.records.push(Record {
                offset,
                timestamp: TimestampMs::stored(record.timestamp),
                start: record.start,
                size: record.size,
                key: content.key,
                value: content.value,
                headers: content.headers,
            });
            self.next = offset.next();
        }
        Ok(())
    }

    /// Goes behind a batch: records of it that lie further back do not hold the next fetch off.
    fn pass(&mut self, next: i64) {
        self.next = Offset::new(next).unwrap_or_default();
    }
}

impl FaultClass {
    /// Whether the client keeps it for the next poll, and hands over the records before it first. Another exception goes
    /// through to the application at once, and those records with it.
    const fn waits(self) -> bool {
        matches!(
            self,
            FaultClass::Kafka | FaultClass::Corrupt | FaultClass::InvalidRecord | FaultClass::NotModelled
        )
    }
}

impl Reader<'_> {
    /// Fetches at an offset, and hands over what has come.
    pub(crate) fn deliver(&mut self, requested: Offset, options: FetchOptions) -> Result<Polled, LogError> {
        let range = self.range(requested, options.isolation);
        match self.fetch(&range, options)? {
            Some(sent) => self.hand_over(requested, sent),
            None => Ok(Polled::nothing(requested)),
        }
    }

    /// The records of a slice that reach the application. A bad batch ends them; the consumer stands before it then, and it
    /// is an error where nothing came before it.
    pub(crate) fn hand_over(&mut self, requested: Offset, sent: Sent) -> Result<Polled, LogError> {
        let (slice, sent_bytes) = (sent.slice, sent.bytes(self.state()));
        let file = log(slice.base);
        let start = u64::from(slice.start.get());
        let mut delivery = Delivery {
            records: Vec::new(),
            below: 0,
            markers: 0,
            aborted: 0,
            next: requested,
            dropped: AbortedDropped::new(&sent.aborted),
        };
        let (mut whole, mut fault) = (0, None);
        let mut behind = None;
        for found in batch::memory_batches(&sent_bytes) {
            let MemoryBatch { position, bytes, .. } = match found {
                Ok(batch) => batch,
                // The first batch is looked at before any record is asked for (Kafka: `handleInitializeSuccess`).
                Err(bad) if whole == 0 => {
                    return Err(LogError::CorruptBatch {
                        file,
                        position: start + bad.position,
                        reason: bad.reason,
                    });
                }
                Err(bad) => {
                    fault = Some((bad.position, None, FaultClass::Corrupt.with(bad.reason)));
                    break;
                }
            };
            let last = RawHeader::read(bytes).ok().map(|header| header.last_offset());
            if let Err(found) = delivery.take(bytes) {
                fault = Some((position, last, found));
                break;
            }
            whole += bytes.len() as u64;
            behind = last;
        }
        match fault {
            None => {
                // The last batch may hold fewer offsets than it spans.
                if let Some(last) = behind {
                    delivery.pass(last.saturating_add(1));
                }
            }
            Some((position, last_offset, fault)) if delivery.records.is_empty() || !fault.class.waits() => {
                return Err(LogError::Undeliverable {
                    file,
                    position: start + position,
                    last_offset,
                    fault: Box::new(fault),
                });
            }
            Some(_) => {}
        }
        let torn = match fault {
            None => slice.length() - whole,
            Some(_) => 0,
        };
        let Delivery {
            records,
            below,
            markers,
            aborted,
            next,
            ..
        } = delivery;
        // A consumer does not go back.
        let next = next.max(requested);
        let first = records.first();
        let delivered = first.zip(records.last());
        self.note(Step::ConsumerKept {
            requested,
            delivered: delivered.map(|(first, last)| (first.offset, last.offset)),
            records: records.len() as u32,
            below,
            markers,
            aborted,
            bytes: whole,
            torn,
            next,
        });
        Ok(Polled {
            read: ReadOutcome {
                answer: first.map(|record| record.offset),
                timestamp: first.and_then(|record| record.timestamp),
                segment: Some(slice.base),
                position: Some(slice.start),
                records: records.len() as u32,
                below,
                markers,
                aborted_records: aborted,
                bytes: whole,
                slice: slice.length(),
                skipped: sent.skipped,
                next: Some(next),
                aborted: sent.aborted,
                first_incomplete: slice.first_incomplete(),
                ..ReadOutcome::default()
            },
            records,
        })
    }
}

/// What comes of a fetch that the broker could not serve: the client's exception as an error, or what the application does not
/// get to see, since the client only asks again (Kafka: `Errors.forException`, `FetchCollector.handleInitializeErrors`).
pub(crate) fn thrown(error: LogError) -> Result<LogError, LogError> {
    match error {
        LogError::CorruptBatch { file, position, reason } => Err(LogError::Undeliverable {
            file,
            position,
            last_offset: None,
            fault: Box::new(FaultClass::Corrupt.with(reason)),
        }),
        LogError::NotRunning { .. } => Err(error),
        _ => match error.kafka_name() {
            Some("IllegalArgumentException" | "KafkaException" | "IndexOutOfBoundsException") => Ok(error),
            _ => Err(error),
        },
    }
}
