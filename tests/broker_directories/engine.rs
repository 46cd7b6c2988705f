//! A partition of the model to which the same is done: it leaves the same files, and gives the same answers.

use partition_log::rules::fetch::Isolation as ModelIsolation;
use partition_log::{FetchOptions, Offset, Partition, TimeTarget, TimestampMs};

use crate::kept::{End, Isolation, Kept, Line, Step};
use crate::model::{files_in, files_of, load, play};

/// The directory that a broker was started on before this one was kept.
fn before<'a>(kept: &Kept, all: &'a [Kept]) -> Option<&'a Kept> {
    let name = kept.lines.iter().rev().find_map(|line| match line {
        Line::Step(Step::Stopped { kept_as } | Step::Killed { kept_as }) => kept_as.as_ref(),
        _ => None,
    });
    all.iter().find(|other| Some(&other.name) == name)
}

#[test]
fn the_model_leaves_the_files_that_the_broker_left() {
    let all = Kept::all();
    let (mut compared, mut loaded) = (0, 0);
    // The model does not preallocate, which shows in the length of a `.log` until it is closed.
    let preallocated = |kept: &Kept| kept.setting("preallocate").is_some() && kept.origin.ended == End::Killed;
    for kept in all.iter().filter(|kept| !preallocated(kept)) {
        let before = before(kept, &all);
        loaded += before.into_iter().count();
        let mut partition = play(kept, before);
        if kept.origin.ended == End::Stopped {
            partition.stop().expect("a stop");
        }
        let (model, broker) = (files_of(&partition), files_in(kept));
        assert_eq!(
            model.keys().collect::<Vec<_>>(),
            broker.keys().collect::<Vec<_>>(),
            "{}",
            kept.name
        );
        for (name, file) in &broker {
            assert_eq!(&model[name], file, "{}, {name}", kept.name);
        }
        compared += broker.len();
    }
    assert!(
        compared > 150 && loaded == 4,
        "{compared} files, {loaded} of them after another start"
    );
}

/// The marks of a partition are those of a directory, and so are all answers.
pub fn answers(partition: &mut Partition, kept: &Kept) {
    let state = partition.state();
    let marks = [
        state.log_start(),
        state.high_watermark(),
        state.last_stable(),
        state.log_end(),
    ];
    let expected = &kept.marks;
    let expected = [
        expected.log_start,
        expected.high_watermark,
        expected.last_stable,
        expected.log_end,
    ];
    assert_eq!(marks.map(Offset::get), expected, "{}", kept.name);
    for line in &kept.lines {
        answer(partition, kept, line);
    }
}

#[test]
fn the_model_answers_as_the_broker_did() {
    let all = Kept::all();
    for kept in &all {
        answers(&mut play(kept, before(kept, &all)), kept);
    }
}

#[test]
fn the_model_answers_so_after_a_start_on_the_directory() {
    for kept in &Kept::all() {
        answers(&mut load(kept), kept);
    }
}

const fn isolation(isolation: Isolation) -> ModelIsolation {
    match isolation {
        Isolation::ReadUncommitted => ModelIsolation::HighWatermark,
        Isolation::ReadCommitted => ModelIsolation::TxnCommitted,
    }
}

/// Asks the model what a client asked.
fn answer(partition: &mut Partition, kept: &Kept, line: &Line) {
    match line {
        Line::Fetch(fetch) => {
            let name = format!(
                "{}, {:?} from {}, {} B",
                kept.name, fetch.isolation, fetch.offset, fetch.max_bytes
            );
            let options = FetchOptions {
                isolation: isolation(fetch.isolation),
                ..FetchOptions::limited(Some(fetch.max_bytes as u64))
            };
            let asked = Offset::new(fetch.offset).expect("an offset");
            let found = match partition.fetch_with(asked, options) {
                Ok(found) => found,
                Err(error) => {
                    assert!(fetch.error.is_some(), "{name}: {error}");
                    return;
                }
            };
            assert_eq!(fetch.error, None, "{name}");
            assert_eq!(found.slice, fetch.length as u64, "{name}");
            let aborted = found.aborted.iter().map(|(id, first)| (id.get(), first.get()));
            assert_eq!(
                aborted.collect::<Vec<_>>(),
                fetch.aborted.clone().unwrap_or_default(),
                "{name}"
            );
        }
        Line::Time(time) => {
            let target = TimestampMs::new(time.target).expect("a time");
            let found = partition.find_time_with(target.into(), isolation(time.isolation));
            let found = found.expect("an answer");
            let found = found.answer.zip(found.timestamp);
            let found = found.map(|(offset, timestamp)| (offset.get(), timestamp.get()));
            assert_eq!(
                found,
                time.offset.zip(time.timestamp),
                "{}, time {}",
                kept.name,
                time.target
            );
        }
        Line::List(list) => {
            let target = match list.of.as_str() {
                "latest" => TimeTarget::Latest,
                "max-timestamp" => TimeTarget::MaxTimestamp,
                _ => TimeTarget::Earliest,
            };
            let found = partition.find_time_with(target, isolation(list.isolation));
            let found = found.expect("an answer");
            assert_eq!(
                (found.answer.map_or(-1, Offset::get), found.epoch),
                (list.offset, list.leader_epoch),
                "{}, {}",
                kept.name,
                list.of
            );
        }
        _ => {}
    }
}
