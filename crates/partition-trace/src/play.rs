//! The model, doing what a turn says.

use std::collections::BTreeMap;

use partition_log::config::{SettingKind, Settings, Spec, Value};
use partition_log::disk::{FileKind, FileName, Vfs};
use partition_log::error::LogError;
use partition_log::format::batch::raw_batches;
use partition_log::operations::load::{Damage, StartOptions};
use partition_log::rules::fetch::Isolation;
use partition_log::step::{Step, Trace};
use partition_log::units::{Offset, TimestampMs};
use partition_log::{AppendOptions, FetchOptions, Partition, PartitionState};
use partition_story::Machine;

use crate::answer::{Answer, Appended};
use crate::changes::Files;
use crate::request::{Request, Turn, find_time, model_key};
use crate::story::Played;

/// A partition of the model that takes turns. Each turn comes back complete: with the high watermark that was reached, and
/// without an operation where none can be done, as to a file that is not there.
#[derive(Clone, Debug, Default)]
pub struct Player {
    machine: Option<Machine>,
    files: Files,
}

/// What an operation came to, besides the partition's state.
type Done = Result<Answer, LogError>;

impl Player {
    /// Nothing yet: the first turn creates a partition.
    pub fn new() -> Player {
        Player::default()
    }

    /// The partition as it is; `None` before the first turn.
    pub fn state(&self) -> Option<&PartitionState> {
        self.machine.as_ref().map(|machine| machine.partition.state())
    }

    /// Takes a turn.
    pub fn take(&mut self, turn: Turn) -> Played {
        let Turn { request, at, .. } = turn;
        let (request, done) = match (request, &mut self.machine) {
            (request @ Request::Create { .. }, machine) => {
                let done = created(&request).map(|new| *machine = Some(Machine::new(new)));
                (request, done.map(|()| Answer::default()))
            }
            (request, Some(machine)) => perform(machine, request, at),
            (_, None) => (Request::Nothing, Ok(Answer::default())),
        };
        // What only the model refuses is not asked.
        let (request, done) = match done {
            Err(LogError::HighWatermarkOutOfRange { .. } | LogError::EpochBackwards { .. }) => {
                (Request::Nothing, Ok(Answer::default()))
            }
            done => (request, done),
        };
        let mut answer = match &self.machine {
            Some(machine) => Answer::of(machine.partition.state(), &mut self.files),
            None => Answer::default(),
        };
        let refused = match done {
            Ok(special) => {
                answer = answer.with(special);
                false
            }
            Err(error) => {
                answer.error = Some(error.kafka_name().map_or_else(|| error.to_string(), str::to_string));
                true
            }
        };
        let high_watermark = answer.high_watermark.filter(|_| !refused);
        Played {
            turn: Turn {
                request,
                at,
                high_watermark,
            },
            answer,
        }
    }
}

fn created(request: &Request) -> Result<Partition, LogError> {
    let mut all = Settings::default();
    if let Request::Create {
        settings,
        first_check,
        check_interval,
        ..
    } = request
    {
        for (key, value) in checked(settings) {
            all.set(key, &value).map_err(LogError::Setting)?;
        }
        all.initial_task_delay_ms = *first_check;
        all.retention_check_interval_ms = *check_interval;
    }
    Partition::create(all, 0).outcome
}

/// Settings as the model takes them; the ones that it does not know stay away.
fn checked(settings: &BTreeMap<String, String>) -> impl Iterator<Item = (&str, Value)> {
    settings.iter().filter_map(|(key, value)| {
        let key = model_key(key);
        let value = match Spec::find(key)?.kind {
            SettingKind::Choice(_) => Value::Word(value.clone()),
            SettingKind::Bytes | SettingKind::Duration | SettingKind::Count => Value::Number(value.parse().ok()?),
        };
        Some((key, value))
    })
}

/// One operation at its time.
fn perform(machine: &mut Machine, request: Request, at: i64) -> (Request, Done) {
    let nothing = || Ok(Answer::default());
    let partition = &mut machine.partition;
    let now = TimestampMs::new(at).unwrap_or_default().max(partition.state().clock());
    if let Err(error) = partition.advance_to(now).outcome {
        return (request, Err(error));
    }
    let running = partition.state().running();
    let done = match &request {
        Request::Advance | Request::Nothing => nothing(),
        Request::Settle if !running => nothing(),
        Request::Set { settings } => {
            let set = |(key, value): (&str, Value)| partition.set(key, &value).outcome;
            let all = checked(settings).try_for_each(set);
            all.map(|()| Answer::default()).map_err(LogError::Setting)
        }
        Request::Damage { file, how } => return damage(partition, file, how),
        Request::Start {
            clean,
            saved_recovery_point,
            saved_log_start,
            saved_high_watermark,
        } if !running => {
            let marks = [*saved_recovery_point, *saved_log_start, *saved_high_watermark];
            return start(partition, *clean, marks);
        }
        _ if !running => return (Request::Nothing, nothing()),
        Request::Settle => plain(partition.settle()),
        Request::Fetch {
            offset: from,
            max_bytes,
            isolation,
            min_one,
        } => {
            let options = FetchOptions {
                limit: Some(*max_bytes as u64),
                isolation: *isolation,
                min_one: *min_one,
            };
            let trace = partition.fetch_with(offset(*from), options);
            let sent = trace
                .steps
                .iter()
                .any(|step| matches!(step, Step::FetchSliceDecided(_)));
            match trace.outcome {
                // The log sends a damaged batch as it is; the consumer notices.
                Err(LogError::CorruptBatch { .. }) if sent => return (Request::Nothing, nothing()),
                outcome => outcome.map(|read| Answer::of_fetch(&read, *isolation)),
            }
        }
        Request::Append {
            origin,
            transaction_version,
            bytes,
            ..
        } => {
            let options = AppendOptions {
                origin: *origin,
                transaction_version: *transaction_version,
            };
            let trace = partition.append_records(bytes, options);
            let duplicate = trace
                .steps
                .iter()
                .any(|step| matches!(step, Step::DuplicateFound { .. }));
            let request = Request::Append {
                origin: *origin,
                leader_epoch: partition.state().leader_epoch(),
                transaction_version: *transaction_version,
                bytes: bytes.clone(),
            };
            let answer = trace.outcome.map(|appended| Answer {
                appended: Some(match appended.size {
                    0 if !duplicate => Appended::NOTHING,
                    _ => Appended::of(&appended, *origin),
                }),
                ..Answer::default()
            });
            return (request, answer);
        }
        Request::FindTime { target, .. } => {
            let done = search(partition, *target);
            return (find_time(*target, partition.state()), done);
        }
        Request::Command(command) => match machine.perform(command) {
            Ok(outcome) => outcome.error.map_or_else(nothing, Err),
            Err(_) => return (Request::Nothing, nothing()),
        },
        _ => return (Request::Nothing, nothing()),
    };
    (request, done)
}

/// Starts the broker with the marks that are given, else with those that it has saved.
fn start(partition: &mut Partition, clean: bool, marks: [Option<i64>; 3]) -> (Request, Done) {
    let state = partition.state();
    let saved = [
        state.saved_recovery_point(),
        state.saved_log_start(),
        state.saved_high_watermark(),
    ];
    let mut marks = marks.into_iter().zip(saved);
    let mut mark = || {
        let (given, saved) = marks.next()?;
        given.and_then(Offset::new).or(Some(saved))
    };
    let options = StartOptions {
        clean: Some(clean),
        recovery_point: mark(),
        log_start: mark(),
        high_watermark: mark(),
    };
    let request = Request::Start {
        clean,
        saved_recovery_point: options.recovery_point.map(Offset::get),
        saved_log_start: options.log_start.map(Offset::get),
        saved_high_watermark: options.high_watermark.map(Offset::get),
    };
    let done = plain(partition.start(options));
    // Kafka moves a high watermark out of a gap when it next looks where it is.
    let state = partition.state();
    let high_watermark = state.high_watermark();
    let start = batch_start(state, high_watermark);
    if state.running() && start != high_watermark {
        let _ = partition.pin_high_watermark(start);
    }
    (request, done)
}

/// Changes a file while the broker is down; nothing where it cannot be.
fn damage(partition: &mut Partition, name: &str, how: &Damage) -> (Request, Done) {
    let nothing = (Request::Nothing, Ok(Answer::default()));
    let state = partition.state();
    // Only its time may change while the broker runs.
    let may = !state.running() || matches!(how, Damage::Touch);
    let Some(file) = FileName::parse(name).filter(|_| may) else {
        return nothing;
    };
    let length = state.files().apparent_size(file).unwrap_or(0);
    if matches!(how, Damage::Write { position, .. } if *position >= length) {
        return nothing;
    }
    if partition.damage(file, how).outcome.is_err() {
        return nothing;
    }
    let request = Request::Damage {
        file: name.to_string(),
        how: how.clone(),
    };
    (request, Ok(Answer::default()))
}

fn plain<T>(trace: Trace<Result<T, LogError>>) -> Done {
    trace.outcome.map(|_| Answer::default())
}

/// The first offset of the batch that holds an offset; of an offset in a gap, that of the next batch, or the log end.
pub fn batch_start(state: &PartitionState, offset: Offset) -> Offset {
    let starts = state.bases().flat_map(|base| {
        let bytes = state.files().used(state.file(base, FileKind::Log)).unwrap_or_default();
        raw_batches(bytes, 0).map_while(Result::ok).map(|batch| batch.header)
    });
    let mut behind = starts.filter(|header| header.last_offset() >= offset.get());
    let start = behind.next().and_then(|header| Offset::new(header.base_offset));
    start.unwrap_or(state.log_end())
}

fn offset(offset: i64) -> Offset {
    Offset::new(offset).unwrap_or_default()
}

fn search(partition: &mut Partition, target: i64) -> Done {
    let found = match target {
        -1 => partition.find_latest_with(Isolation::LogEnd),
        -2 | -4 => partition.find_earliest(),
        -3 => partition.find_max_timestamp(),
        -5 | -6 => partition.find_tiered(),
        _ => partition.find_time(TimestampMs::new(target).unwrap_or_default()),
    };
    found.outcome.map(|read| Answer::of_lookup(&read, target))
}
