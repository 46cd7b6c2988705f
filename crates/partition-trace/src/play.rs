//! The model, doing what a turn says.

use std::collections::BTreeMap;

use partition_log::config::{SettingKind, Settings, Spec, Value};
use partition_log::disk::{FileName, Vfs};
use partition_log::error::LogError;
use partition_log::operations::load::{Damage, StartOptions};
use partition_log::rules::fetch::Isolation;
use partition_log::step::Step;
use partition_log::units::{Offset, TimestampMs};
use partition_log::{
    AppendOptions, Consumer, FetchOptions, Fetched, Partition, PartitionState, ReadOutcome, TimeTarget,
};
use partition_story::Machine;

use crate::answer::{Answer, Appended};
use crate::changes::Files;
use crate::request::{Request, Turn, answers_below, model_key};
use crate::story::Played;

/// A partition of the model that takes turns. Each turn comes back complete: with the high watermark that was reached, and
/// without an operation where none can be done, as to a file that is not there.
#[derive(Clone, Debug, Default)]
pub struct Player {
    machine: Option<Machine>,
    consumer: Option<Consumer>,
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
        let Turn { mut request, at, .. } = turn;
        let done = match &mut self.machine {
            machine if matches!(request, Request::Create { .. }) => Some(created(&request, at).map(|new| {
                *machine = Some(Machine::new(new));
                Answer::default()
            })),
            Some(machine) => perform(machine, &mut self.consumer, &mut request, at),
            None => None,
        };
        // What only the model refuses is not asked.
        let only_here = |error: &LogError| {
            matches!(
                error,
                LogError::HighWatermarkOutOfRange { .. } | LogError::EpochBackwards { .. }
            )
        };
        let done = done.filter(|done| !done.as_ref().is_err_and(only_here));
        let done = done.unwrap_or_else(|| {
            request = Request::Nothing;
            Ok(Answer::default())
        });
        let mut answer = match &self.machine {
            Some(machine) => Answer::with_files(machine.partition.state(), &mut self.files),
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
        // One that damage has brought above the log end offset stays there when it is told to follow that.
        let marks = answer.high_watermark.zip(answer.log_end);
        let high_watermark = marks.filter(|_| !refused).map(|(mark, end)| mark.min(end));
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

fn created(request: &Request, at: i64) -> Result<Partition, LogError> {
    let mut all = Settings::default();
    if let Request::Create {
        settings,
        first_check,
        check_interval,
        ..
    } = request
    {
        for (key, value) in checked(settings) {
            all.set(key, &value)?;
        }
        all.initial_task_delay_ms = *first_check;
        all.retention_check_interval_ms = *check_interval;
    }
    Partition::create_at(TimestampMs::new(at).unwrap_or_default(), all, 0)
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

/// One operation at its time; what is left open in it becomes what it was resolved to. `None` where it cannot be done.
fn perform(machine: &mut Machine, consumer: &mut Option<Consumer>, request: &mut Request, at: i64) -> Option<Done> {
    let nothing = || Ok(Answer::default());
    let partition = &mut machine.partition;
    let now = TimestampMs::new(at).unwrap_or_default().max(partition.state().clock());
    if let Err(error) = partition.advance_to(now) {
        return Some(Err(error));
    }
    let running = partition.state().running();
    Some(match request {
        Request::Advance | Request::Nothing => nothing(),
        Request::Settle if !running => nothing(),
        Request::Set { settings } => {
            let set = |(key, value): (&str, Value)| partition.set(key, &value);
            let all = checked(settings).try_for_each(set);
            all.map(|()| Answer::default()).map_err(LogError::Setting)
        }
        Request::Damage { file, how } => return damage(partition, file, how).then(nothing),
        Request::Start {
            clean,
            saved_recovery_point,
            saved_log_start,
            saved_high_watermark,
        } if !running => {
            let state = partition.state();
            let options = StartOptions {
                clean: Some(*clean),
                recovery_point: Some(mark(saved_recovery_point, state.saved_recovery_point())),
                log_start: Some(mark(saved_log_start, state.saved_log_start())),
                high_watermark: Some(mark(saved_high_watermark, state.saved_high_watermark())),
            };
            start(partition, options)
        }
        _ if !running => return None,
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
            let trace = partition.trace(|partition| partition.fetch_with(offset(*from), options));
            let sent = trace
                .steps
                .iter()
                .any(|step| matches!(step, Step::FetchSliceDecided(_)));
            match trace.outcome {
                // The log sends a damaged batch as it is; the consumer notices.
                Err(LogError::Undeliverable { .. } | LogError::CorruptBatch { .. }) if sent => {
                    let read = partition.state().read(offset(*from), options);
                    read.map(|read| Answer::of_fetch(&sent_as_it_is(&read.outcome), *isolation))
                }
                outcome => outcome.map(|read| Answer::of_fetch(&read, *isolation)),
            }
        }
        Request::Append {
            origin,
            leader_epoch,
            transaction_version,
            bytes,
        } => {
            let options = AppendOptions {
                origin: *origin,
                transaction_version: *transaction_version,
            };
            let trace = partition.trace(|partition| partition.append_records(bytes, options));
            *leader_epoch = partition.state().leader_epoch();
            let duplicate = trace
                .steps
                .iter()
                .any(|step| matches!(step, Step::DuplicateFound { .. }));
            trace.outcome.map(|appended| Answer {
                appended: Some(match appended.size {
                    0 if !duplicate => Appended::NOTHING,
                    _ => Appended::of(&appended, *origin),
                }),
                ..Answer::default()
            })
        }
        Request::FindTime { target, below } => {
            *below = answers_below(*target, partition.state());
            search(partition, *target)
        }
        Request::Consumer(act) => Ok(Answer {
            consumer: Some(act.perform(partition, consumer)?),
            ..Answer::default()
        }),
        Request::Command(command) => machine.perform(command).ok()?.error.map_or_else(nothing, Err),
        _ => return None,
    })
}

/// Which bytes are sent, whatever they hold.
fn sent_as_it_is(fetched: &Fetched<'_>) -> ReadOutcome {
    let slice = fetched.slice.as_ref();
    ReadOutcome {
        segment: slice.map(|slice| slice.base),
        position: slice.map(|slice| slice.start),
        slice: slice.map_or(0, |slice| slice.length()),
        first_incomplete: slice.is_some_and(|slice| slice.first_incomplete()),
        aborted: fetched.aborted.clone(),
        ..ReadOutcome::default()
    }
}

/// A saved mark: the one that is given, else the one that the broker has saved.
fn mark(given: &mut Option<i64>, saved: Offset) -> Offset {
    let mark = given.and_then(Offset::new).unwrap_or(saved);
    *given = Some(mark.get());
    mark
}

/// Starts the broker.
fn start(partition: &mut Partition, options: StartOptions) -> Done {
    plain(partition.start(options))
}

/// Changes a file while the broker is down; false where it cannot be.
fn damage(partition: &mut Partition, name: &str, how: &Damage) -> bool {
    let state = partition.state();
    // Only its time may change while the broker runs.
    let may = !state.running() || matches!(how, Damage::Touch);
    let Some(file) = FileName::parse(name).filter(|_| may) else {
        return false;
    };
    let length = state.files().apparent_size(file).unwrap_or(0);
    let behind_the_end = matches!(how, Damage::Write { position, .. } if *position >= length);
    !behind_the_end && partition.damage(file, how).is_ok()
}

fn plain<T>(outcome: Result<T, LogError>) -> Done {
    outcome.map(|_| Answer::default())
}

fn offset(offset: i64) -> Offset {
    Offset::new(offset).unwrap_or_default()
}

fn search(partition: &mut Partition, target: i64) -> Done {
    let (asked, isolation) = match TimeTarget::from_number(target) {
        // The log itself knows no reader.
        Some(TimeTarget::Latest) => (TimeTarget::Latest, Isolation::LogEnd),
        Some(asked) => (asked, Isolation::HighWatermark),
        None => (TimeTarget::Time(TimestampMs::ZERO), Isolation::HighWatermark),
    };
    let found = partition.find_time_with(asked, isolation);
    found.map(|read| Answer::of_lookup(&read, target))
}
