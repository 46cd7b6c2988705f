//! The leader's look at every record, and the offsets that the records get (Kafka: `LogValidator`).

use core::fmt;

use super::rebuild::{self, Rebuild};
use super::refusal::{InvalidBatch, RecordError, ValidationError};
use super::rules::{ValidationRules, batch_error};
use super::{AppendOrigin, bad_batch, record_fault};
use crate::format::batch::{
    Codec, DeepRecord, Depth, FaultClass, MemoryBatch, RECORD_SIZE_MAX, RawHeader, deep_records, memory_batches,
    set_last_offset, set_leader_epoch, set_max_timestamp,
};

/// What is to be appended, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incoming<'a> {
    /// The bytes that [`analyze`](super::analyze()) found valid.
    pub records: &'a [u8],
    /// The codec that it found.
    pub codec: Codec,
    /// Who sends them: a client or a coordinator.
    pub origin: AppendOrigin,
    /// The offset that the first record gets: the log end.
    pub first_offset: i64,
    /// The leader's epoch.
    pub leader_epoch: i32,
    /// The broker's clock in milliseconds.
    pub now: i64,
}

/// How records got their offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assignment {
    /// The batch stays as it is, but for the fields that the leader sets.
    InPlace,
    /// The records, which came in format v0 or v1, get a new batch of format v2.
    Converted {
        /// Their format.
        from: i8,
    },
    /// The records, which came compressed, get a new batch without compression.
    Unpacked {
        /// What they were compressed with.
        from: Codec,
    },
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assignment::InPlace => f.write_str("the batch is kept"),
            Assignment::Converted { from } => write!(f, "format v{from} is converted to v2"),
            Assignment::Unpacked { from } => write!(f, "the batch is written anew without {from}"),
        }
    }
}

/// What goes into the log (Kafka: `LogValidator.ValidationResult`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Validated {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The offset behind the last record.
    pub next_offset: i64,
    /// Largest timestamp, −1 for none.
    pub max_timestamp: i64,
    /// The broker's clock, where the records take it.
    pub append_time: Option<i64>,
    /// How the offsets were assigned.
    pub assignment: Assignment,
}

/// Looks at every record, and assigns offsets.
///
/// # Errors
///
/// [`ValidationError`] and [`ValidationError::Corrupt`] in Kafka's order; [`ValidationError::RecordTooLarge`] for a batch that grew
/// by being written anew.
pub fn validate(incoming: &Incoming<'_>, rules: &ValidationRules) -> Result<Validated, ValidationError> {
    let run = Validation {
        incoming,
        rules,
        target: rules.compression.target(incoming.codec),
    };
    let mut batches = memory_batches(incoming.records);
    let validated = if incoming.codec != Codec::None || run.target != Codec::None {
        run.compressed()?
    } else if batches.all(|batch| batch.is_ok_and(|batch| batch.magic == 2)) {
        run.in_place()?
    } else {
        run.convert()?
    };
    let size = validated.bytes.len() as u64;
    let max = rules.max_message_bytes;
    if validated.assignment != Assignment::InPlace && size > max {
        return Err(ValidationError::RecordTooLarge { size, max });
    }
    Ok(validated)
}

struct Validation<'a> {
    incoming: &'a Incoming<'a>,
    rules: &'a ValidationRules,
    target: Codec,
}

impl<'a> Validation<'a> {
    /// The first batch, which has to be the only one if it is of format v2, or if any is compressed (Kafka:
    /// `LogValidator.getFirstBatchAndMaybeValidateNoMoreBatches`).
    fn first_batch(&self) -> Result<(MemoryBatch<'a>, RawHeader), ValidationError> {
        let mut batches = memory_batches(self.incoming.records);
        let first = match batches.next() {
            Some(first) => first.map_err(bad_batch)?,
            None => return Err(invalid(0, InvalidBatch::Missing)),
        };
        let single = first.magic >= 2 || self.incoming.codec != Codec::None;
        if single && let Some(another) = batches.next() {
            let position = another.map_err(bad_batch)?.position;
            return Err(invalid(position, InvalidBatch::Several));
        }
        let header = header(&first)?;
        Ok((first, header))
    }

    /// Judges every record of a batch; `each` gets those that may be appended, and whether all before them may.
    fn records(
        &self,
        batch: &MemoryBatch<'_>,
        header: &RawHeader,
        (depth, record_max): (Depth, i32),
        mut each: impl FnMut(DeepRecord, bool) -> Result<(), ValidationError>,
    ) -> Result<(), ValidationError> {
        let at = |fault| record_fault(batch.position, fault);
        let mut errors = Vec::new();
        for (index, record) in deep_records(batch.bytes, depth, record_max).map_err(at)?.enumerate() {
            let record = record.map_err(at)?;
            match self
                .rules
                .record_error(header, batch.position, &record, self.incoming.now)?
            {
                Some(reason) => errors.push(RecordError {
                    index: index as u32,
                    reason,
                }),
                None => each(record, errors.is_empty())?,
            }
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(ValidationError::Rejected { errors })
        }
    }

    fn check_batch(
        &self,
        first: &RawHeader,
        batch: &MemoryBatch<'_>,
        header: &RawHeader,
    ) -> Result<(), ValidationError> {
        match batch_error(first.magic, header, self.incoming.origin) {
            Some(reason) => Err(invalid(batch.position, reason)),
            None => Ok(()),
        }
    }

    fn append_time(&self) -> Option<i64> {
        self.rules.append_time.then_some(self.incoming.now)
    }

    /// The batch with its new offset, leader epoch and timestamp.
    fn kept(&self, batch: &MemoryBatch<'_>, records: i64, largest: i64) -> Validated {
        let next_offset = self.incoming.first_offset.wrapping_add(records);
        let append_time = self.append_time();
        let max_timestamp = append_time.unwrap_or(largest);
        let mut bytes = batch.bytes.to_vec();
        set_last_offset(&mut bytes, next_offset.wrapping_sub(1));
        set_max_timestamp(&mut bytes, append_time.is_some(), max_timestamp);
        set_leader_epoch(&mut bytes, self.incoming.leader_epoch);
        Validated {
            bytes,
            next_offset,
            max_timestamp,
            append_time,
            assignment: Assignment::InPlace,
        }
    }

    /// One batch of format v2 without compression (Kafka: `LogValidator.assignOffsetsNonCompressed`).
    fn in_place(&self) -> Result<Validated, ValidationError> {
        let (batch, header) = self.first_batch()?;
        self.check_batch(&header, &batch, &header)?;
        let (mut records, mut largest) = (0, -1);
        self.records(&batch, &header, (Depth::Frame, RECORD_SIZE_MAX), |record, _| {
            records += 1;
            largest = record.timestamp.max(largest);
            Ok(())
        })?;
        Ok(self.kept(&batch, records, largest))
    }

    /// Messages of format v0 and v1 without compression (Kafka: `LogValidator.convertAndAssignOffsetsNonCompressed`).
    fn convert(&self) -> Result<Validated, ValidationError> {
        self.all_content_reads()?;
        let (_, first) = self.first_batch()?;
        let mut rebuild = self.rebuild(&first);
        for batch in memory_batches(self.incoming.records) {
            let batch = batch.map_err(bad_batch)?;
            let header = header(&batch)?;
            self.check_batch(&first, &batch, &header)?;
            self.records(&batch, &header, (Depth::Content, RECORD_SIZE_MAX), |record, clean| {
                if clean {
                    rebuild.push(batch.position, record)?;
                }
                Ok(())
            })?;
        }
        self.rebuilt(&rebuild, Assignment::Converted { from: first.magic })
    }

    /// Kafka estimates the size first, for which it reads every key and value.
    fn all_content_reads(&self) -> Result<(), ValidationError> {
        for batch in memory_batches(self.incoming.records) {
            let batch = batch.map_err(bad_batch)?;
            let at = |fault| record_fault(batch.position, fault);
            for record in deep_records(batch.bytes, Depth::Content, RECORD_SIZE_MAX).map_err(at)? {
                rebuild::readable(batch.position, &record.map_err(at)?)?;
            }
        }
        Ok(())
    }

    /// Records that came compressed, or are to be (Kafka: `LogValidator.validateMessagesAndAssignOffsetsCompressed`).
    fn compressed(&self) -> Result<Validated, ValidationError> {
        let source = self.incoming.codec;
        let (first_batch, first) = self.first_batch()?;
        let marker = source == Codec::None && first.is_control();
        let mut keep = marker || source == self.target && first.magic == 2;
        // Records that lie open are read in any case.
        let depth = if keep && !marker { Depth::Frame } else { Depth::Content };
        let mut validated = Vec::new();
        let (mut records, mut largest) = (0, -1);
        for batch in memory_batches(self.incoming.records) {
            let batch = batch.map_err(bad_batch)?;
            let header = header(&batch)?;
            self.check_batch(&first, &batch, &header)?;
            self.records(&batch, &header, (depth, self.rules.record_max), |record, _| {
                if header.magic > 0 {
                    largest = record.timestamp.max(largest);
                    keep &= record.offset == records;
                }
                records += 1;
                if depth == Depth::Content || !keep {
                    validated.push((batch.position, record));
                }
                Ok(())
            })?;
        }
        if keep {
            return Ok(self.kept(&first_batch, records, largest));
        }
        for (position, record) in &validated {
            rebuild::readable(*position, record)?;
        }
        let mut rebuild = self.rebuild(&first);
        for (position, record) in validated {
            rebuild.push(position, record)?;
        }
        if self.target != Codec::None {
            return Err(match rebuild.refusal() {
                Some(reason) => ValidationError::Unbuildable(reason),
                None => ValidationError::NotModelled {
                    from: source,
                    to: self.target,
                },
            });
        }
        self.rebuilt(&rebuild, Assignment::Unpacked { from: source })
    }

    fn rebuild(&self, first: &RawHeader) -> Rebuild {
        let incoming = self.incoming;
        Rebuild::new(first, incoming.first_offset, incoming.leader_epoch, self.append_time())
    }

    fn rebuilt(&self, rebuild: &Rebuild, assignment: Assignment) -> Result<Validated, ValidationError> {
        Ok(Validated {
            bytes: rebuild.finish()?,
            next_offset: rebuild.next_offset(),
            max_timestamp: rebuild.max_timestamp(),
            append_time: self.append_time(),
            assignment,
        })
    }
}

fn header(batch: &MemoryBatch<'_>) -> Result<RawHeader, ValidationError> {
    RawHeader::read(batch.bytes).map_err(|reason| record_fault(batch.position, FaultClass::Corrupt.with(reason)))
}

fn invalid(position: u64, reason: InvalidBatch) -> ValidationError {
    ValidationError::Batch { position, reason }
}
