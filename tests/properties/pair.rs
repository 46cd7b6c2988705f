//! The model and the naive one, driven by the same commands.

use partition_log::config::Value;
use partition_log::format::batch::NewBatch;
use partition_log::rules::fetch::Isolation;
use partition_log::rules::reset::ResetPolicy;
use partition_log::{
    Consumer, FetchOptions, LogError, Offset, Partition, PartitionState, Polled, ReadOutcome, Step, TimeTarget,
    TimestampMs, Trace,
};
use partition_tests::naive::{Found, Log, Reset};
use partition_tests::orders::offset;

use crate::disk::{self, OnDisk};
use crate::scenario::{Command, Scenario};

/// What came of a command, in plain numbers.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    Done,
    Appended { segment: i64, first: i64, position: i64 },
    Found(Found),
    Deleted(Vec<i64>),
    Refused(&'static str),
}

fn time(ms: i64) -> TimestampMs {
    TimestampMs::new(ms).expect("not negative")
}

fn found(outcome: ReadOutcome) -> Outcome {
    Outcome::Found(Found {
        answer: outcome.answer.map(Offset::get),
        time: outcome.timestamp.map(TimestampMs::get),
        segment: outcome.segment.map(Offset::get),
        position: outcome.position.map(|position| i64::from(position.get())),
        records: i64::from(outcome.records),
        bytes: outcome.bytes as i64,
        slice: outcome.slice as i64,
        skipped: outcome.skipped as i64,
        next: outcome.next.map(Offset::get),
    })
}

fn settled<T>(trace: Trace<Result<T, LogError>>, outcome: impl FnOnce(T) -> Outcome) -> (Outcome, Vec<Step>) {
    let result = match trace.outcome {
        Ok(result) => outcome(result),
        Err(error) => Outcome::Refused(error.code()),
    };
    (result, trace.steps)
}

fn polled(
    partition: &mut Partition,
    consumer: &mut Consumer,
    poll: impl FnOnce(&mut Consumer, &mut Partition) -> Result<Polled, LogError>,
) -> (Outcome, Vec<Step>) {
    let trace = consumer.trace(|consumer| poll(consumer, partition));
    settled(trace, |polled| {
        assert_eq!(polled.records.len() as u32, polled.read.records);
        found(polled.read)
    })
}

/// The same lookup twice: on a shared reference, whose steps the broker's must equal.
fn marked(partition: &mut Partition, target: TimeTarget) -> (Outcome, Vec<Step>) {
    let shared = partition.state().find_time(target, Isolation::HighWatermark);
    let trace = partition.trace(|partition| partition.find_time_with(target, Isolation::HighWatermark));
    if let Ok(shared) = shared {
        assert_eq!(
            (Ok(shared.outcome), shared.steps),
            (trace.outcome.clone(), trace.steps.clone())
        );
    }
    settled(trace, found)
}

fn done<T>(_: T) -> Outcome {
    Outcome::Done
}

/// Carries a command out on the model.
pub fn drive((partition, consumer): &mut (Partition, Consumer), command: &Command) -> (Outcome, Vec<Step>) {
    let clock = partition.state().clock().get();
    let mut append = |batch: NewBatch| {
        settled(partition.trace(|partition| partition.append(&batch)), |appended| {
            Outcome::Appended {
                segment: appended.segment.get(),
                first: appended.first_offset.get(),
                position: i64::from(appended.position.get()),
            }
        })
    };
    match command {
        Command::Append { size, stamp } => append(NewBatch::Message {
            size: *size,
            timestamp: stamp.resolve(clock).map(time),
            key: None,
        }),
        Command::Batch { records, extra, stamp } => append(NewBatch::Batch {
            records: *records,
            size: Command::batch_size(*records, *extra),
            timestamp: stamp.resolve(clock).map(time),
            key: None,
            headers: 0,
            producer: None,
        }),
        Command::Wait(ms) => settled(
            partition.trace(|partition| partition.advance_to(time(clock + ms))),
            done,
        ),
        Command::Settle => settled(partition.trace(|partition| partition.settle()), done),
        Command::Fetch { offset: from, limit } => polled(partition, consumer, |consumer, partition| {
            consumer.set_options(FetchOptions::limited(*limit));
            consumer.fetch(partition, offset(*from))
        }),
        Command::FetchNext => polled(partition, consumer, |consumer, partition| {
            consumer.set_options(FetchOptions::limited(None));
            consumer.poll(partition)
        }),
        Command::FetchCommitted => polled(partition, consumer, |consumer, partition| {
            consumer.set_options(FetchOptions::limited(None));
            consumer.restart(partition)
        }),
        Command::FindTime(ms) => marked(partition, TimeTarget::Time(time(*ms))),
        Command::FindMaxTimestamp => marked(partition, TimeTarget::MaxTimestamp),
        Command::FindEarliest => marked(partition, TimeTarget::Earliest),
        Command::FindLatest => marked(partition, TimeTarget::Latest),
        Command::Check => settled(partition.trace(|partition| partition.check_retention()), |outcome| {
            Outcome::Deleted(outcome.deleted.into_iter().map(Offset::get).collect())
        }),
        Command::Commit(at) => (
            Outcome::Done,
            consumer.trace(|consumer| consumer.commit(at.map(offset))).steps,
        ),
        Command::Reset(policy, ms) => {
            let policy = match *policy {
                "earliest" => ResetPolicy::Earliest,
                "latest" => ResetPolicy::Latest,
                "none" => ResetPolicy::None,
                _ => ResetPolicy::ByDuration { ms: *ms },
            };
            (
                Outcome::Done,
                consumer.trace(|consumer| consumer.set_reset_policy(policy)).steps,
            )
        }
        Command::Pin(at) => settled(
            partition.trace(|partition| partition.pin_high_watermark(offset(*at))),
            done,
        ),
        Command::Follow => (
            Outcome::Done,
            partition.trace(|partition| partition.follow_high_watermark()).steps,
        ),
        Command::DeleteRecords(before) => settled(
            partition.trace(|partition| partition.delete_records(offset(*before))),
            done,
        ),
        Command::Set(key, value) => {
            let trace = partition.trace(|partition| partition.set(key, &Value::Number(*value)));
            assert_eq!(trace.outcome, Ok(()), "{key}={value}");
            (Outcome::Done, trace.steps)
        }
    }
}

/// Carries a command out on the naive model.
fn drive_naive(log: &mut Log, command: &Command) -> Outcome {
    let refused = Outcome::Refused;
    match command {
        Command::Append { size, stamp } => {
            let stamp = stamp.resolve(log.clock);
            log_append(log, 1, *size, stamp)
        }
        Command::Batch { records, extra, stamp } => {
            let stamp = stamp.resolve(log.clock);
            log_append(log, i64::from(*records), Command::batch_size(*records, *extra), stamp)
        }
        Command::Wait(ms) => {
            log.advance_to(log.clock + ms);
            Outcome::Done
        }
        Command::Settle => {
            log.settle();
            Outcome::Done
        }
        Command::Fetch { offset, limit } => {
            let limit = limit.map(|limit| limit as i64);
            log.fetch(*offset, limit).map_or_else(refused, Outcome::Found)
        }
        Command::FetchNext => log.fetch_next(None).map_or_else(refused, Outcome::Found),
        Command::FetchCommitted => log.fetch_committed(None).map_or_else(refused, Outcome::Found),
        Command::FindTime(ms) => Outcome::Found(log.find_time(*ms)),
        Command::FindMaxTimestamp => Outcome::Found(log.find_max_timestamp()),
        Command::FindEarliest => mark(log.start),
        Command::FindLatest => mark(log.high_watermark()),
        Command::Check => Outcome::Deleted(log.check()),
        Command::Commit(at) => {
            log.committed = *at;
            Outcome::Done
        }
        Command::Reset(policy, ms) => {
            log.reset = match *policy {
                "earliest" => Reset::Earliest,
                "latest" => Reset::Latest,
                "none" => Reset::None,
                _ => Reset::ByDuration(*ms),
            };
            Outcome::Done
        }
        Command::Pin(at) => log.pin(*at).map_or_else(refused, done),
        Command::Follow => {
            log.pinned = None;
            Outcome::Done
        }
        Command::DeleteRecords(before) => log.delete_records(*before).map_or_else(refused, done),
        Command::Set(key, value) => {
            let settings = &mut log.settings;
            let field = match *key {
                "segment.bytes" => &mut settings.segment_bytes,
                "segment.ms" => &mut settings.segment_ms,
                "index.interval.bytes" => &mut settings.index_interval_bytes,
                "retention.ms" => &mut settings.retention_ms,
                "retention.bytes" => &mut settings.retention_bytes,
                "file.delete.delay.ms" => &mut settings.file_delete_delay_ms,
                "segment.index.bytes" => &mut settings.segment_index_bytes,
                key => panic!("the naive model does not know {key}"),
            };
            *field = *value;
            Outcome::Done
        }
    }
}

fn log_append(log: &mut Log, records: i64, size: u64, stamp: Option<i64>) -> Outcome {
    match log.append(records, size as i64, stamp) {
        Ok((segment, first, position)) => Outcome::Appended {
            segment,
            first,
            position,
        },
        Err(refusal) => Outcome::Refused(refusal),
    }
}

fn mark(offset: i64) -> Outcome {
    Outcome::Found(Found {
        answer: Some(offset),
        ..Found::default()
    })
}

/// Both, and a state that is only ever changed by repeating recorded writes.
pub struct Pair {
    pub clients: (Partition, Consumer),
    naive: Log,
    replayed: (PartitionState, Consumer),
}

impl Pair {
    pub fn new(scenario: &Scenario) -> Pair {
        let settings = &scenario.settings;
        let partition = partition_tests::orders::done(Partition::create(settings.clone(), 7));
        let consumer = Consumer::new(settings);
        let mut replayed = (PartitionState::empty(settings.clone()), consumer.clone());
        repeat(&mut replayed, partition.steps());
        Pair {
            clients: (partition, consumer),
            naive: Log::new(settings.clone()),
            replayed,
        }
    }

    /// Carries a command out on both, and compares all that can be compared.
    pub fn step(&mut self, command: &Command) {
        let (outcome, steps) = drive(&mut self.clients, command);
        if outcome == Outcome::Refused("size-not-reachable") {
            assert_eq!(self.clients.0.state(), &self.replayed.0, "{command:?} was refused");
            return;
        }
        let expected = drive_naive(&mut self.naive, command);
        assert_eq!(
            outcome, expected,
            "outcome of {command:?}, the naive model's on the right"
        );

        let moved_only_the_consumer = matches!(
            command,
            Command::Fetch { .. } | Command::FetchNext | Command::FetchCommitted
        );
        if matches!(outcome, Outcome::Refused(_)) {
            if moved_only_the_consumer {
                assert_eq!(
                    self.clients.0.state().files(),
                    self.replayed.0.files(),
                    "{command:?} was refused"
                );
            } else {
                // Kafka notes the leader epoch of a batch before it finds that no segment can hold it: that alone may stay.
                let (state, before) = (self.clients.0.state(), &self.replayed.0);
                assert_eq!(state.view(), before.view(), "{command:?} was refused");
                assert!(state.producers() == before.producers(), "{command:?} was refused");
            }
        }
        repeat(&mut self.replayed, &steps);
        let (partition, consumer) = (&self.clients.0, &self.clients.1);
        assert_eq!(partition.state(), &self.replayed.0, "replay of {command:?}");
        assert_eq!(consumer.state(), self.replayed.1.state(), "replay of {command:?}");
        self.compare(command);
        invariants(self.clients.0.state());
    }

    fn compare(&self, command: &Command) {
        let (state, naive) = (self.clients.0.state(), &self.naive);
        let consumer = &self.clients.1;
        let marks = (
            state.clock().get(),
            state.log_start().get(),
            state.high_watermark().get(),
            state.log_end().get(),
            consumer.committed().map(Offset::get),
            consumer.position().map(Offset::get),
        );
        let expected = (
            naive.clock,
            naive.start,
            naive.high_watermark(),
            naive.end,
            naive.committed,
            naive.consumer,
        );
        assert_eq!(marks, expected, "clock, marks and consumer after {command:?}");
        let segments: Vec<OnDisk> = naive
            .segments
            .iter()
            .map(|segment| OnDisk {
                base: segment.base,
                batches: segment.batches.clone(),
                entries: segment.entries(),
                time_entries: segment.time_entries(),
            })
            .collect();
        assert_eq!(disk::segments(state), segments, "segments after {command:?}");
        assert_eq!(disk::listing(state), naive.listing(), "files after {command:?}");
    }
}

fn repeat((state, consumer): &mut (PartitionState, Consumer), steps: &[Step]) {
    for step in steps {
        if let Err(error) = state.apply(step) {
            panic!("{step} cannot be repeated: {error}");
        }
        consumer.apply(step);
    }
}

/// What holds of every state.
fn invariants(state: &PartitionState) {
    assert!(state.log_start() <= state.high_watermark());
    assert!(state.high_watermark() <= state.log_end());
    let segments = disk::segments(state);
    let rising = |keys: &[i64]| keys.windows(2).all(|pair| pair[0] < pair[1]);
    let bases: Vec<i64> = segments.iter().map(|segment| segment.base).collect();
    assert!(rising(&bases), "bases {bases:?}");
    let mut size = 0;
    let mut next = bases[0];
    for segment in &segments {
        assert_eq!(segment.base, next, "a segment begins where the one before ended");
        for batch in &segment.batches {
            assert_eq!(batch.first, next, "no offset is left out, and no batch is divided");
            next = batch.last + 1;
            size += batch.size;
        }
        let offsets: Vec<i64> = segment.entries.iter().map(|entry| entry.0).collect();
        let positions: Vec<i64> = segment.entries.iter().map(|entry| entry.1).collect();
        let times: Vec<i64> = segment.time_entries.iter().map(|entry| entry.0).collect();
        let holders: Vec<i64> = segment.time_entries.iter().map(|entry| entry.1).collect();
        assert!(rising(&offsets) && rising(&positions), "entries {:?}", segment.entries);
        assert!(
            rising(&times) && rising(&holders),
            "time entries {:?}",
            segment.time_entries
        );
    }
    assert_eq!(next, state.log_end().get());
    assert_eq!(size, state.log_size() as i64);
    assert!(bases[0] <= state.log_start().get(), "nothing that may be read is gone");
    let waiting = disk::listing(state)
        .into_iter()
        .filter(|(name, _)| name.ends_with(".log.deleted"));
    assert_eq!(
        waiting.map(|(_, length)| length).sum::<i64>(),
        state.deleted_size() as i64
    );
}
