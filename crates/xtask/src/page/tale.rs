//! A demo's run as facts: all its steps, and the partition at any point of it.

use anyhow::{Context, Result, anyhow};
use partition_log::config::Settings;
use partition_log::format::batch::NewBatch;
use partition_log::{Consumer, Offset, Partition, PartitionState, Step, TimestampMs};

/// Everything that happened in one demo, from the empty partition on.
pub struct Tale {
    settings: Settings,
    steps: Vec<Step>,
}

/// One record as it was appended.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    pub offset: Offset,
    pub size: u64,
    pub timestamp: TimestampMs,
}

impl Tale {
    pub fn new(settings: Settings, steps: Vec<Step>) -> Self {
        Self { settings, steps }
    }

    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The state after the first `count` steps.
    pub fn state_after(&self, count: usize) -> Result<PartitionState> {
        let mut state = PartitionState::empty(self.settings.clone());
        for step in &self.steps[..count] {
            state
                .apply(step)
                .map_err(|error| anyhow!("replaying {step}: {error}"))?;
        }
        Ok(state)
    }

    /// The consumer after the first `count` steps.
    pub fn consumer_after(&self, count: usize) -> Consumer {
        let mut consumer = Consumer::new(&self.settings);
        self.steps[..count].iter().for_each(|step| consumer.apply(step));
        consumer
    }

    /// The state at the end.
    pub fn end(&self) -> Result<PartitionState> {
        self.state_after(self.steps.len())
    }

    /// The records in the order of their offsets.
    pub fn records(&self) -> Vec<Record> {
        let record = |step: &Step| match *step {
            Step::Appended {
                first_offset,
                size,
                timestamp: Some(timestamp),
                ..
            } => Some(Record {
                offset: first_offset,
                size,
                timestamp,
            }),
            _ => None,
        };
        self.steps.iter().filter_map(record).collect()
    }

    /// The same records under other settings; each is appended when the clock shows its timestamp.
    pub fn retold(&self, settings: Settings) -> Result<Partition> {
        let refused = |error: partition_log::LogError| anyhow!("telling a demo again: {error}");
        let mut partition = Partition::create(settings, 0).map_err(refused)?;
        for record in self.records() {
            partition.advance_to(record.timestamp).map_err(refused)?;
            let message = NewBatch::Message {
                size: record.size,
                timestamp: Some(record.timestamp),
                key: None,
            };
            partition.append(&message).map_err(refused)?;
        }
        Ok(partition)
    }

    /// The first place where something is true of a step.
    pub fn find(&self, what: &str, wanted: impl Fn(&Step) -> bool) -> Result<usize> {
        self.steps
            .iter()
            .position(wanted)
            .with_context(|| format!("the demo has no step that is {what}"))
    }
}
