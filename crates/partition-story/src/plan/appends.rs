//! `append`, `batch` and `bytes`: runs of batches, with their sizes, times and senders resolved.

use partition_log::Offset;
use partition_log::batch::{NewBatch, NewProducer};
use partition_log::units::TimestampMs;
use partition_log::validate::AppendOrigin;

use super::{Fault, Kind, Planner};
use crate::language::{Append, Batch, Format, Options, Problem, Source, Timestamp, limits};
use crate::operation::{BrokerOperation, NEXT_SEQUENCE, Operation};

/// A run of appends.
#[derive(Clone, Debug)]
pub(crate) struct Appends {
    /// Sizes, taken in turn.
    pub sizes: Vec<u64>,
    /// How many batches.
    pub count: u64,
    /// How far the clock moves before each.
    pub every: i64,
    /// The timestamp: the clock if not given.
    pub timestamp: Option<Option<TimestampMs>>,
    /// The key of each record.
    pub key: Option<String>,
    /// How they are written.
    pub shape: Shape,
    /// The idempotent producer; its sequence number is that of the first batch, or [`NEXT_SEQUENCE`].
    pub producer: Option<NewProducer>,
    /// Who sends them.
    pub origin: AppendOrigin,
    /// The offset of the first batch, where a replica's log has a gap before it.
    pub offset: Option<Offset>,
    /// Whether all arrive in one append.
    pub together: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    Message,
    Batch { records: u32, headers: u32 },
}

impl Appends {
    /// Size of one of them.
    fn size(&self, repetition: u64) -> u64 {
        self.sizes
            .get((repetition % self.sizes.len().max(1) as u64) as usize)
            .copied()
            .unwrap_or(0)
    }

    /// How many operations they are.
    pub fn operations(&self) -> u64 {
        if self.together { self.count.min(1) } else { self.count }
    }

    /// How long they take.
    pub fn span(&self) -> i64 {
        // The plan has made sure that it fits.
        self.every.saturating_mul(self.count as i64)
    }

    /// The time of one of them.
    fn time(&self, clock: i64, repetition: u64) -> TimestampMs {
        let moved = self.every.saturating_mul(repetition.saturating_add(1) as i64);
        TimestampMs::new(clock.saturating_add(moved)).unwrap_or_default()
    }

    /// One of the operations; the clock is that before the first.
    pub fn operation(&self, clock: i64, repetition: u64) -> Operation {
        let last = if self.together { self.count - 1 } else { repetition };
        let at = self.time(clock, last);
        if !self.together && self.origin == AppendOrigin::Client {
            let batch = self.batch(clock, repetition);
            return Operation::Append { at, batch };
        }
        Operation::Broker(BrokerOperation::Send {
            at,
            batches: (repetition..=last).map(|number| self.batch(clock, number)).collect(),
            origin: self.origin,
            offset: self.offset.filter(|_| repetition == 0),
        })
    }

    /// One of the batches, as the model takes it.
    fn batch(&self, clock: i64, repetition: u64) -> NewBatch {
        let size = self.size(repetition);
        let timestamp = self.timestamp.unwrap_or(Some(self.time(clock, repetition)));
        let key = self.key.as_ref().map(|key| key.clone().into_bytes());
        match self.shape {
            Shape::Message => NewBatch::Message { size, timestamp, key },
            Shape::Batch { records, headers } => NewBatch::Batch {
                records,
                size,
                timestamp,
                key,
                headers,
                producer: self.producer.map(|first| NewProducer {
                    sequence: match first.sequence {
                        NEXT_SEQUENCE => NEXT_SEQUENCE,
                        // Behind the largest comes 0 (Kafka: `DefaultRecordBatch.incrementSequence`).
                        sequence => {
                            let sent = repetition.saturating_mul(u64::from(records));
                            ((sequence as u64).saturating_add(sent) % (1 << 31)) as i32
                        }
                    },
                    ..first
                }),
            },
        }
    }
}

impl Planner<'_> {
    pub(super) fn append(&mut self, append: &Append) -> Result<Kind, Fault> {
        let sizes: Vec<u64> = append.sizes.iter().map(|size| self.inputs.base(*size) as u64).collect();
        let shape = match self.format {
            // Message formats know no producers.
            Format::V1 if append.options.producer.is_none() => Shape::Message,
            Format::V1 | Format::V2 => Shape::Batch { records: 1, headers: 0 },
        };
        let times = append.sizes.len() as u64;
        self.appends(sizes, times, &append.options, shape)
    }

    pub(super) fn batch(&mut self, batch: &Batch) -> Result<Kind, Fault> {
        let max = limits::APPENDS as i64;
        let records = self.within(batch.records, "records of a batch", 1, max)? as u32;
        let headers = match batch.headers {
            Some(headers) => self.within(headers, "headers of a record", 0, limits::HEADERS)? as u32,
            None => 0,
        };
        let sizes = vec![self.inputs.base(batch.total) as u64];
        self.appends(sizes, 1, &batch.options, Shape::Batch { records, headers })
    }

    fn appends(&mut self, sizes: Vec<u64>, once: u64, options: &Options, shape: Shape) -> Result<Kind, Fault> {
        let count = match options.times {
            Some(times) => self.within(times, "repetitions", 0, limits::APPENDS as i64)? as u64,
            None => once,
        };
        let every = options.every.map_or(0, |every| self.inputs.base(every));
        let end = every
            .checked_mul(count as i64)
            .and_then(|span| self.clock.checked_add(span));
        if end.is_none() {
            return Err(Fault::new(0, Problem::ClockTooLarge));
        }
        let (rounds, rest) = (
            count / sizes.len().max(1) as u64,
            (count % sizes.len().max(1) as u64) as usize,
        );
        let sum = |sizes: &[u64]| sizes.iter().fold(0u64, |sum, size| sum.saturating_add(*size));
        let written = sum(&sizes).saturating_mul(rounds).saturating_add(sum(&sizes[..rest]));
        self.count(count, written)?;
        let timestamp = options.ts.map(|timestamp| match timestamp {
            Timestamp::At(time) => TimestampMs::new(self.inputs.base(time)),
            Timestamp::None => None,
        });
        let producer = self.sender(options)?;
        let alone = |option, needs| Err(Fault::new(0, Problem::OptionAlone { option, needs }));
        if options.sequence.is_some() && producer.is_none() {
            return alone("sequence", "producer=p1");
        }
        if options.offset.is_some() && options.from != Some(Source::Replica) {
            return alone("offset", "from=replica");
        }
        Ok(Kind::Append(Appends {
            sizes,
            count,
            every,
            timestamp,
            key: options.key.clone(),
            shape,
            producer,
            origin: origin(options.from),
            offset: options.offset.map(|offset| self.offset(offset)),
            together: options.together,
        }))
    }

    /// Counts appends and their bytes against the limits.
    pub(super) fn count(&mut self, appends: u64, bytes: u64) -> Result<(), Fault> {
        self.appends += appends;
        if self.appends > limits::APPENDS {
            return Err(Fault::new(0, Problem::TooManyAppends { max: limits::APPENDS }));
        }
        self.log_bytes = self.log_bytes.saturating_add(bytes);
        if self.log_bytes > limits::LOG_BYTES {
            return Err(Fault::new(0, Problem::TooMuchLog { max: limits::LOG_BYTES }));
        }
        Ok(())
    }
}

/// Where a batch comes from, as the log layer takes it.
pub(super) fn origin(source: Option<Source>) -> AppendOrigin {
    match source.unwrap_or_default() {
        Source::Client => AppendOrigin::Client,
        Source::Coordinator => AppendOrigin::Coordinator,
        Source::Replica => AppendOrigin::Replication,
    }
}
