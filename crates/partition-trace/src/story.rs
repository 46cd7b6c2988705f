//! A story as turns.

use partition_log::config::Settings;
use partition_log::disk::{FileName, Vfs};
use partition_log::format::batch::NewBatch;
use partition_log::operations::load::Damage;
use partition_log::rules::fetch::Isolation;
use partition_log::rules::recovery::RecoveryDecision;
use partition_log::rules::validate::AppendOrigin;
use partition_log::state::MemoryChange;
use partition_log::step::{LoadStep, Step};
use partition_log::{LogError, PartitionState, ReadOutcome, TimeTarget};
use partition_story::language::Command;
use partition_story::language::commands::DeleteRecords;
use partition_story::{Done, Event, Sent, Story};

use crate::answer::{Answer, Appended};
use crate::changes::Files;
use crate::request::{Request, Turn, answers_below, topic_setting, topic_settings};

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

/// A turn of a story, and where it comes from.
pub struct Told<'a> {
    /// The turn and what the model answers, but for the files.
    pub played: Played,
    /// Why what happens cannot be asked of Kafka's log alone, if it cannot.
    pub left_out: Option<LeftOut>,
    /// What it tells; `None` for the creation.
    pub done: Option<&'a Done<'a>>,
    state: &'a PartitionState,
}

/// The turns of a story, with the files in the answers.
///
/// # Errors
///
/// Why the story is beyond Kafka's log alone.
pub fn of_story(story: &Story) -> Result<Vec<Played>, LeftOut> {
    let mut files = Files::default();
    let mut all = Ok(Vec::new());
    tell(story, |told| {
        let Ok(before) = &mut all else { return };
        let too_long = "it is too long to look at every file after every operation";
        match told.left_out.or((before.len() >= LONGEST).then_some(too_long)) {
            Some(why) => all = Err(why),
            None => {
                let Played { turn, mut answer } = told.played;
                answer.files = files.changes(told.state);
                before.push(Played { turn, answer });
            }
        }
    });
    all
}

/// Tells every turn of a story. What Kafka's log alone cannot be asked for is a turn that does nothing.
pub fn tell(story: &Story, mut visit: impl FnMut(Told<'_>)) {
    story.replay(&mut |event| match event {
        Event::Created(steps) => {
            let mut state = PartitionState::empty(story.settings().clone());
            for step in steps {
                let applied = state.apply(step);
                applied.expect("what creates a partition applies to an empty state");
            }
            let jitter = story.settings().segment_jitter_ms > 0;
            visit(Told {
                played: created(story.settings(), &state),
                left_out: jitter.then_some("Kafka draws its jitter at random"),
                done: None,
                state: &state,
            });
        }
        Event::Done(done) => visit(turn(&done)),
        Event::Phase { .. } | Event::Said { .. } | Event::Expected(_) => {}
    });
}

fn created(settings: &Settings, state: &PartitionState) -> Played {
    let answer = Answer::of(state);
    let request = Request::Create {
        settings: topic_settings(settings),
        first_check: settings.initial_task_delay_ms,
        check_interval: settings.retention_check_interval_ms,
        leader_epoch: None,
    };
    Played {
        turn: Turn {
            request,
            at: state.clock().get(),
            high_watermark: answer.high_watermark,
        },
        answer,
    }
}

/// One operation and the answer of the model.
fn turn<'a>(done: &'a Done<'a>) -> Told<'a> {
    // After a start that failed the broker is down: what a scenario goes on to ask of it, Kafka cannot be asked.
    let down = matches!(
        done.error,
        Some(LogError::NotRunning { running: false } | LogError::StartFailed(_))
    );
    let asked = match done.command {
        _ if down => Ok((Request::Nothing, Answer::default())),
        Some(command) if !done.continues => asked(done, command),
        _ => Ok((Request::Settle, Answer::default())),
    };
    let left_out = asked.as_ref().err().copied();
    let (request, mut special) = asked.unwrap_or((Request::Nothing, Answer::default()));
    if request != Request::Nothing {
        special.error = done.error.and_then(|error| error.kafka_name()).map(str::to_string);
    }
    let refused = special.error.is_some();
    let answer = Answer::of(done.state).with(special);
    let turn = Turn {
        request,
        at: done.state.clock().get(),
        high_watermark: answer.high_watermark.filter(|_| !refused),
    };
    Told {
        played: Played { turn, answer },
        left_out,
        done: Some(done),
        state: done.state,
    }
}

/// What is asked of Kafka's log for a command, and what the model answered besides its marks and files.
fn asked(done: &Done<'_>, command: &Command) -> Result<(Request, Answer), LeftOut> {
    if let Some(sent) = done.sent {
        let (request, origin) = append(done, sent)?;
        let appended = done.appended.map(|appended| Appended::of(appended, origin));
        let answer = Answer {
            appended,
            ..Answer::default()
        };
        return Ok((request, answer));
    }
    let mut answer = Answer::default();
    let request = match command {
        Command::Wait(_) | Command::At(_) => Request::Advance,
        Command::Set(set) => {
            let checked = set.0.iter();
            let checked = checked.filter_map(|setting| Settings::check(&setting.key, &setting.value).ok());
            Request::Set {
                settings: checked.filter_map(|(spec, value)| topic_setting(spec, value)).collect(),
            }
        }
        Command::Fetch(fetch) => match single_read(done) {
            Some((read, offset)) => {
                let isolation = fetch.isolation.unwrap_or_default();
                answer = Answer::of_fetch(read, isolation);
                let max = fetch.max.as_deref().map(|max| *max as i64);
                Request::Fetch {
                    offset,
                    max_bytes: max.unwrap_or(done.state.settings().max_partition_fetch_bytes),
                    isolation,
                    min_one: true,
                }
            }
            // Several reads, none, or a consumer's affair.
            None => Request::Nothing,
        },
        // The partition answers with a mark, not the log.
        Command::FindTime(search) if search.asked() == TimeTarget::Latest => Request::Nothing,
        // What a reader of committed records may not see, the partition withholds.
        Command::FindTime(search)
            if search
                .isolation
                .is_some_and(|isolation| isolation != Isolation::HighWatermark) =>
        {
            Request::Nothing
        }
        Command::FindTime(search) => {
            let target = search.asked().number();
            answer = done.read.map_or(answer, |read| Answer::of_lookup(read, target));
            let below = answers_below(target, done.state);
            Request::FindTime { target, below }
        }
        Command::IndexEntries(_) => {
            return Err("it decides on index entries as an older Kafka");
        }
        Command::Append(_) | Command::Batch(_) => return Err("it sends what no format can hold"),
        Command::Start(_) => start(done),
        Command::Damage(damage) => Request::Damage {
            file: damage.file.to_string(),
            how: told_damage(done, damage.file, &damage.damage),
        },
        Command::Touch(touch) => Request::Damage {
            file: touch.0.to_string(),
            how: Damage::Touch,
        },
        // The partition says what it stands for; the log is asked for an offset.
        Command::DeleteRecords(DeleteRecords(None)) => DeleteRecords(Some(done.state.high_watermark().into())).into(),
        _ if command.recorded().is_some() => command.clone().into(),
        // It is no business of the log.
        _ => Request::Nothing,
    };
    Ok((request, answer))
}

/// An append: a batch as its producer sends it, a message as a leader of its time has written it.
fn append(done: &Done<'_>, sent: &Sent) -> Result<(Request, AppendOrigin), LeftOut> {
    let (origin, transaction_version, bytes) = match (sent, done.appended) {
        (Sent::Records { bytes, origin }, _) => (*origin, None, bytes.clone()),
        (Sent::Marker(end), _) => {
            let marker = end.records(done.state.clock());
            (AppendOrigin::Coordinator, Some(end.transaction_version), marker)
        }
        (Sent::Batch(batch @ NewBatch::Batch { .. }), appended) => {
            // Values tell the offset that they were made for.
            let written = appended.filter(|appended| appended.size > 0);
            let first = written.map_or(done.state.log_end(), |appended| appended.first_offset);
            let sent = done.state.sent_from(batch, first);
            let bytes = sent.map_err(|_| "it appends what no format can hold")?;
            (AppendOrigin::Client, None, bytes)
        }
        (Sent::Batch(NewBatch::Message { .. }), Some(appended)) => {
            (AppendOrigin::Replication, None, appended.bytes.clone())
        }
        (Sent::Batch(NewBatch::Message { .. }), None) => {
            return Err("it appends what a leader refuses, in a format that no leader takes");
        }
    };
    let request = Request::Append {
        origin,
        leader_epoch: done.state.leader_epoch(),
        transaction_version,
        bytes,
    };
    Ok((request, origin))
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

/// What happened to a file, with what it came to: how long it is, and of a byte turned over what it is now.
fn told_damage(done: &Done<'_>, file: FileName, damage: &Damage) -> Damage {
    let files = done.state.files();
    match damage {
        Damage::CutEnd { .. } => Damage::Cut {
            length: files.apparent_size(file).unwrap_or(0),
        },
        Damage::Flip { position } => Damage::Write {
            position: *position,
            bytes: files.read_at(file, *position, 1).unwrap_or_default(),
        },
        other => other.clone(),
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
