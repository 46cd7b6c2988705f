//! A story as turns.

use partition_log::batch::NewBatch;
use partition_log::config::Settings;
use partition_log::load::{self, LoadStep};
use partition_log::rules::recovery::RecoveryDecision;
use partition_log::step::{MemoryChange, Step};
use partition_log::vfs::{FileName, Vfs};
use partition_log::{LogError, PartitionState, ReadOutcome};
use partition_story::operation::{BrokerOperation, Operation, Search};
use partition_story::{Done, Event, Story};

use crate::answer::{Answer, Appended};
use crate::changes::Files;
use crate::request::{Damage, Isolation, Origin, Request, Turn, find_time, topic_setting, topic_settings};

/// A turn and what the model answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The turn.
    pub turn: Turn,
    /// The model's answer.
    pub answer: Answer,
}

/// Why a story cannot be asked of Kafka's log alone.
pub type LeftOut = &'static str;

/// Operations of the longest story that is told: each is followed by a look at every file.
const LONGEST: usize = 2_000;

/// The turns of a story.
///
/// # Errors
///
/// Why the story is beyond Kafka's log alone.
pub fn of_story(story: &Story) -> Result<Vec<Played>, LeftOut> {
    if story.settings().segment_jitter_ms > 0 {
        return Err("Kafka draws its jitter at random");
    }
    let mut played = Vec::new();
    let mut left_out = None;
    let mut files = Files::default();
    story.replay(&mut |event| match event {
        Event::Created(steps) => {
            let mut state = PartitionState::empty(story.settings().clone());
            let applied = steps.iter().try_for_each(|step| state.apply(step));
            left_out = applied.err().map(|_| "its creation does not apply to an empty state");
            played.push(created(story.settings(), Answer::of(&state, &mut files)));
        }
        Event::Done(done) => match turn(&done, &mut files) {
            Ok(turn) => played.push(turn),
            Err(why) => left_out = left_out.or(Some(why)),
        },
        Event::Phase { .. } | Event::Said { .. } | Event::Expected(_) => {}
    });
    if played.len() > LONGEST {
        return Err("it is too long to look at every file after every operation");
    }
    left_out.map_or(Ok(played), Err)
}

fn created(settings: &Settings, answer: Answer) -> Played {
    let request = Request::Create {
        settings: topic_settings(settings),
        first_check: settings.initial_task_delay_ms,
        check_interval: settings.retention_check_interval_ms,
        leader_epoch: None,
    };
    Played {
        turn: Turn {
            request,
            at: 0,
            high_watermark: answer.high_watermark,
        },
        answer,
    }
}

/// One operation and the answer of the model.
fn turn(done: &Done<'_>, files: &mut Files) -> Result<Played, LeftOut> {
    let now = done.state.clock().get();
    let mut special = Answer::default();
    let mut at = now;
    let request = match done.operation {
        Operation::Append { at: when, batch } => {
            at = when.get();
            let request = append(done, batch)?;
            let origin = match batch {
                NewBatch::Batch { .. } => Origin::Client,
                NewBatch::Message { .. } => Origin::Replication,
            };
            special.appended = done.appended.map(|appended| Appended::of(appended, origin));
            request
        }
        Operation::AdvanceTo(to) => {
            at = to.get();
            Request::Advance
        }
        Operation::Settle => Request::Settle,
        Operation::Set(changed) => {
            let checked = changed
                .iter()
                .filter_map(|(key, value)| Settings::check(key, value).ok());
            Request::Set {
                settings: checked.filter_map(|(spec, value)| topic_setting(spec, value)).collect(),
            }
        }
        Operation::Fetch { limit, isolation, .. } => match single_read(done) {
            Some((read, offset)) => {
                let isolation = Isolation::of(*isolation);
                special = Answer::of_fetch(read, isolation);
                let limit = limit.map(|limit| limit as i64);
                Request::Fetch {
                    offset,
                    max_bytes: limit.unwrap_or(done.state.settings().max_partition_fetch_bytes),
                    isolation,
                    min_one: true,
                }
            }
            // Several reads, none, or a consumer's affair.
            None => Request::Nothing,
        },
        Operation::FindTime(search) => {
            let target = match search {
                Search::Time(target) => target.get(),
                Search::Earliest => -2,
                Search::MaxTimestamp => -3,
                Search::EarliestLocal => -4,
                Search::LatestTiered => -5,
                Search::EarliestPendingUpload => -6,
                // The partition answers with a mark, not the log.
                Search::Latest => 0,
            };
            if matches!(search, Search::Latest) {
                Request::Nothing
            } else {
                special = done.read.map_or(special, |read| Answer::of_lookup(read, target));
                find_time(target, done.state)
            }
        }
        Operation::CheckRetention => Request::CheckRetention,
        Operation::HighWatermark(to) => Request::HighWatermark {
            to: to.filter(|_| done.error.is_none()).map(|to| to.get()),
        },
        Operation::DeleteRecords(before) => Request::DeleteRecords { before: before.get() },
        Operation::Broker(operation) => {
            let (when, request) = broker(done, operation)?;
            at = when.unwrap_or(now);
            if let Request::Append { origin, .. } = &request {
                special.appended = done.appended.map(|appended| Appended::of(appended, *origin));
            }
            request
        }
        _ => Request::Nothing,
    };
    // After a start that failed the broker is down: what a scenario goes on to ask of it, Kafka cannot be asked.
    let down = matches!(done.error, Some(LogError::NotRunning { running: false }));
    let request = if down { Request::Nothing } else { request };
    if down {
        special = Answer::default();
    }
    if request != Request::Nothing {
        special.error = done.error.and_then(|error| error.kafka_name()).map(str::to_string);
    }
    let refused = special.error.is_some();
    let answer = Answer::of(done.state, files).with(special);
    Ok(Played {
        turn: Turn {
            request,
            at,
            high_watermark: answer.high_watermark.filter(|_| !refused),
        },
        answer,
    })
}

/// An append: a batch as its producer sends it, a message as a leader of its time has written it.
fn append(done: &Done<'_>, batch: &NewBatch) -> Result<Request, LeftOut> {
    let (origin, bytes) = match (batch, done.appended) {
        (NewBatch::Batch { .. }, appended) => {
            // Values tell the offset that they were made for.
            let written = appended.filter(|appended| appended.size > 0);
            let first = written.map_or(done.state.log_end(), |appended| appended.first_offset);
            let sent = done.state.sent_from(batch, first);
            let bytes = sent.map_err(|_| "it appends what no format can hold")?;
            (Origin::Client, bytes)
        }
        (NewBatch::Message { .. }, Some(appended)) => (Origin::Replication, appended.bytes.clone()),
        (NewBatch::Message { .. }, None) => {
            return Err("it appends what a leader refuses, in a format that no leader takes");
        }
    };
    Ok(Request::Append {
        origin,
        leader_epoch: done.state.leader_epoch(),
        transaction_version: None,
        bytes,
    })
}

/// What is done to the broker, or by its clients beyond plain appends and reads; and when, if it says so itself.
fn broker(done: &Done<'_>, operation: &BrokerOperation) -> Result<(Option<i64>, Request), LeftOut> {
    let append = |origin, transaction_version, bytes: &[u8]| Request::Append {
        origin,
        leader_epoch: done.state.leader_epoch(),
        transaction_version,
        bytes: bytes.to_vec(),
    };
    Ok(match operation {
        BrokerOperation::AppendRecords { at, bytes, origin } => {
            (Some(at.get()), append(Origin::of(*origin), None, bytes))
        }
        BrokerOperation::EndTransaction(end) => {
            let marker = end.records(done.state.clock());
            (
                None,
                append(Origin::Coordinator, Some(end.transaction_version), &marker),
            )
        }
        BrokerOperation::LeaderEpoch(epoch) => (None, Request::LeaderEpoch { epoch: *epoch }),
        BrokerOperation::Truncate(to) => (None, Request::Truncate { to: to.get() }),
        BrokerOperation::TruncateFully(to) => (None, Request::TruncateFully { to: to.get() }),
        BrokerOperation::Roll => (None, Request::Roll),
        BrokerOperation::Flush => (None, Request::Flush),
        BrokerOperation::ExpireProducers => (None, Request::ExpireProducers),
        BrokerOperation::EntriesPerBatch(_) => return Err("it decides on index entries as an older Kafka"),
        BrokerOperation::Send { .. } => return Err("it sends what no format can hold"),
        BrokerOperation::Stop => (None, Request::Stop),
        BrokerOperation::Crash { lose } => (None, Request::Crash { lose: *lose }),
        BrokerOperation::Start => (None, start(done)),
        BrokerOperation::Damage { file, damage } => (
            None,
            Request::Damage {
                file: file.to_string(),
                how: told_damage(done, *file, damage),
            },
        ),
        BrokerOperation::CutEnd { .. } => return Err("it cuts what is not there"),
        BrokerOperation::Touch(file) => (
            None,
            Request::Damage {
                file: file.to_string(),
                how: Damage::Touch { touch: true },
            },
        ),
    })
}

/// A start, with the marks that it was told.
fn start(done: &Done<'_>) -> Request {
    let marks = done.steps.iter().find_map(|step| match step {
        Step::Memory(MemoryChange::LoadBegun {
            recovery_point,
            log_start,
            high_watermark,
        }) => Some([*recovery_point, *log_start, *high_watermark]),
        _ => None,
    });
    let crashed = done.steps.iter().any(|step| {
        matches!(
            step,
            Step::Load(LoadStep::RecoveryDecided(RecoveryDecision { clean: false, .. }))
        )
    });
    let [saved_recovery_point, saved_log_start, saved_high_watermark] =
        marks.map_or([None; 3], |marks| marks.map(|mark| Some(mark.get())));
    Request::Start {
        clean: !crashed,
        saved_recovery_point,
        saved_log_start,
        saved_high_watermark,
    }
}

/// What happened to a file, as it is told; of a byte turned over what it is now.
fn told_damage(done: &Done<'_>, file: FileName, damage: &load::Damage) -> Damage {
    match damage {
        load::Damage::Cut { length } => Damage::Cut { cut: *length },
        load::Damage::Flip { position } => Damage::Write {
            position: *position,
            bytes: done.state.files().read_at(file, *position, 1).unwrap_or_default(),
        },
        load::Damage::Write { position, bytes } => Damage::Write {
            position: *position,
            bytes: bytes.to_vec(),
        },
        load::Damage::Add { bytes } => Damage::Add { add: bytes.clone() },
        load::Damage::Remove => Damage::Remove { remove: true },
        load::Damage::Touch { .. } => Damage::Touch { touch: true },
    }
}

/// A fetch that was one read, with the offset that was asked for.
fn single_read<'a>(done: &Done<'a>) -> Option<(&'a ReadOutcome, i64)> {
    let mut requests = done.steps.iter().filter_map(|step| match step {
        Step::ConsumerKept { requested, .. } => Some(requested.get()),
        _ => None,
    });
    let requested = requests.next()?;
    let read = done.read.filter(|_| requests.next().is_none())?;
    Some((read, requested))
}
