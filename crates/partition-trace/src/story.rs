//! A story as turns.

use partition_log::batch::NewBatch;
use partition_log::config::Settings;
use partition_log::step::Step;
use partition_log::{PartitionState, ReadOutcome};
use partition_story::operation::{Operation, Search};
use partition_story::{Done, Event, Story};

use crate::answer::{Answer, Appended, Found};
use crate::request::{Isolation, Origin, Request, Turn, hex, topic_setting, topic_settings};

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

/// The turns of a story.
///
/// # Errors
///
/// Why the story is beyond Kafka's log alone.
pub fn of_story(story: &Story) -> Result<Vec<Played>, LeftOut> {
    if story.settings().segment_jitter_ms > 0 {
        return Err("Kafka draws its jitter by chance");
    }
    let mut played = Vec::new();
    let mut left_out = None;
    story.replay(&mut |event| match event {
        Event::Created(steps) => {
            let mut state = PartitionState::empty(story.settings().clone());
            let applied = steps.iter().try_for_each(|step| state.apply(step));
            left_out = applied.err().map(|_| "its creation does not apply to an empty state");
            played.push(created(story.settings(), &state));
        }
        Event::Done(done) => match turn(&done) {
            Ok(turn) => played.push(turn),
            Err(why) => left_out = left_out.or(Some(why)),
        },
        Event::Phase { .. } | Event::Said { .. } | Event::Expected(_) => {}
    });
    left_out.map_or(Ok(played), Err)
}

fn created(settings: &Settings, state: &PartitionState) -> Played {
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
            high_watermark: None,
        },
        answer: Answer::of(state),
    }
}

/// One operation and the answer of the model.
fn turn(done: &Done<'_>) -> Result<Played, LeftOut> {
    if done
        .steps
        .iter()
        .any(|step| matches!(step, Step::TimeSearchAnswered { withheld: true, .. }))
    {
        return Err("an answer above the high watermark is withheld by the partition, above the log");
    }
    let now = done.state.clock().get();
    let mut answer = Answer::of(done.state);
    answer.error = done.error.and_then(|error| error.kafka_name()).map(str::to_string);
    let found = |read: Option<&ReadOutcome>| {
        read.and_then(|read| read.answer).map(|offset| Found {
            offset: offset.get(),
            timestamp: None,
            epoch: None,
        })
    };
    let mut at = now;
    let request = match done.operation {
        Operation::Append { at: when, batch } => {
            at = when.get();
            let Some(appended) = done.appended else {
                return Err("it appends what a leader refuses");
            };
            // Before format v2 a follower sees only last offsets in the headers.
            let has_first = matches!(batch, NewBatch::Batch { .. });
            answer.appended = Some(Appended {
                first: if has_first { appended.first_offset.get() } else { -1 },
                last: appended.last_offset.get(),
            });
            Request::Append {
                origin: Origin::Replication,
                leader_epoch: 0,
                transaction_version: None,
                bytes: hex(&appended.bytes),
            }
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
        Operation::Fetch { limit, .. } => match single_read(done) {
            Some((read, offset, position)) => {
                answer.segment = read.segment.map(|base| base.get());
                answer.position = Some(position);
                answer.slice = Some(read.slice as i64);
                Request::Fetch {
                    offset,
                    max_bytes: limit.map_or(done.state.settings().max_partition_fetch_bytes, |limit| limit as i64),
                    isolation: Isolation::HighWatermark,
                    min_one: true,
                }
            }
            // Several reads, none, or a consumer's affair.
            None => Request::Nothing,
        },
        Operation::FindTime(Search::Time(target)) => {
            answer.found = found(done.read);
            Request::FindTime { target: target.get() }
        }
        Operation::FindTime(Search::MaxTimestamp) => {
            answer.found = found(done.read);
            Request::FindTime { target: -3 }
        }
        Operation::CheckRetention => Request::CheckRetention,
        Operation::DeleteRecords(before) => Request::DeleteRecords { before: before.get() },
        _ => Request::Nothing,
    };
    if request == Request::Nothing {
        answer.error = None;
    }
    let refused = answer.error.is_some();
    Ok(Played {
        turn: Turn {
            request,
            at,
            high_watermark: (!refused).then(|| done.state.high_watermark().get()),
        },
        answer,
    })
}

/// A fetch that was one read, with the offset and the position that it began at.
fn single_read<'a>(done: &Done<'a>) -> Option<(&'a ReadOutcome, i64, i64)> {
    let reads = done
        .steps
        .iter()
        .filter(|step| matches!(step, Step::ConsumerKept { .. }));
    let read = done.read.filter(|_| reads.count() == 1)?;
    Some((read, read.answer?.get(), read.position?.get() as i64))
}
