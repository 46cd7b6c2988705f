//! Tests of stops, crashes and starts. Names that begin with `t` and a number are cases of Kafka's own unit tests.
//!
//! Every operation is repeated on the state before it: the writes of its trace have to give the state after it.

mod bad_input;
mod recovery;
mod stops;

use crate::config::Settings;
use crate::disk::{FileName, Vfs};
use crate::error::LogError;
use crate::format::batch::{NewBatch, NewProducer};
use crate::operations::append::Arrival;
use crate::operations::load::StartOptions;
use crate::operations::partition::Partition;
use crate::rules::validate::AppendOrigin;
use crate::step::{LoadStep, Step};
use crate::units::{Offset, TimestampMs};

pub(super) fn at(offset: i64) -> Offset {
    Offset::new(offset).expect("not negative")
}

/// A partition, and what its last operation noted.
#[derive(Clone)]
pub(super) struct Bench {
    pub partition: Partition,
    pub steps: Vec<Step>,
}

impl Bench {
    /// A new partition with segments of 200 B and an index entry wherever 100 B lie before a batch.
    pub fn new() -> Bench {
        Bench::with(Settings {
            segment_bytes: 200,
            segment_index_bytes: 1000,
            index_interval_bytes: 90,
            ..Settings::default()
        })
    }

    pub fn with(settings: Settings) -> Bench {
        let partition = Partition::create(settings, 0).expect("sound settings");
        let steps = Vec::new();
        Bench { partition, steps }
    }

    /// Carries out an operation and repeats its writes.
    pub fn try_run<T>(&mut self, operation: impl FnOnce(&mut Partition) -> Result<T, LogError>) -> Result<T, LogError> {
        let mut replayed = self.partition.state().clone();
        let trace = self.partition.trace(operation);
        for step in &trace.steps {
            replayed.apply(step).expect("a step of this state");
        }
        assert!(&replayed == self.partition.state(), "the writes give another state");
        self.steps = trace.steps;
        trace.outcome
    }

    pub fn run<T>(&mut self, operation: impl FnOnce(&mut Partition) -> Result<T, LogError>) -> T {
        self.try_run(operation).expect("an operation that is carried out")
    }

    /// Appends batches of 100 B with one record each.
    pub fn append(&mut self, count: usize) {
        for _ in 0..count {
            self.run(|partition| partition.append(&batch(None)));
        }
    }

    pub fn start(&mut self) {
        self.run(|partition| partition.start(StartOptions::default()));
    }

    /// Appends bytes that another broker has sent.
    pub fn copy(&mut self, bytes: &[u8]) {
        let header = crate::format::batch::raw_batches(bytes, 0)
            .last()
            .expect("a batch")
            .expect("a batch")
            .header;
        let first = crate::format::batch::raw_batches(bytes, 0)
            .next()
            .expect("a batch")
            .expect("a batch")
            .header;
        let arrival = Arrival {
            bytes: bytes.to_vec(),
            first_offset: Offset::new(first.base_offset),
            last_offset: at(header.last_offset()),
            largest: TimestampMs::stored(header.max_timestamp),
            origin: AppendOrigin::Replication,
            transaction_version: Some(0),
        };
        self.run(|partition| partition.serve(|recorder| recorder.accept(arrival)));
    }

    /// The directory: each file with its length.
    pub fn files(&self) -> Vec<String> {
        let files = self.partition.state().files();
        let size = |name: &FileName| files.apparent_size(*name).unwrap_or(0);
        let names = files.list();
        names
            .iter()
            .map(|name| format!("{} {}", short(*name), size(name)))
            .collect()
    }

    /// Base offsets of the segments.
    pub fn bases(&self) -> Vec<i64> {
        self.partition.state().bases().map(Offset::get).collect()
    }

    pub fn log_end(&self) -> i64 {
        self.partition.state().log_end().get()
    }

    /// The lines of what a start did, without its writes.
    pub fn told(&self) -> Vec<String> {
        let told = self.steps.iter().filter(|step| matches!(step, Step::Load(_)));
        told.map(Step::to_string).collect()
    }

    pub fn recovered(&self) -> Vec<i64> {
        let recovered = self.steps.iter().filter_map(|step| match step {
            Step::Load(LoadStep::Recovered { base, .. }) => Some(base.get()),
            _ => None,
        });
        recovered.collect()
    }
}

/// A batch of 100 B with one record, of a producer or of nobody.
pub(super) fn batch(producer: Option<NewProducer>) -> NewBatch {
    NewBatch::Batch {
        records: 1,
        size: 100,
        timestamp: Some(TimestampMs::ZERO),
        key: None,
        headers: 0,
        producer,
    }
}

/// A name with the zeros of its offset left out.
fn short(name: FileName) -> String {
    let whole = name.to_string();
    match whole.split_at_checked(20) {
        Some((digits, rest)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => format!("{}{rest}", name.base),
        _ => whole,
    }
}
