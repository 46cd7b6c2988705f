//! The format of `pod run --format json`: one object, written as it comes, so that a long run needs no memory of its own.

use std::io::Write;

use partition_log::PartitionState;
use partition_log::ReadOutcome;
use partition_log::units::Offset;
use partition_story::{Event, Role};
use serde_json::{Value, json};

use super::{VERSION, maybe_ms, maybe_offset, refusal, step};
use crate::failure::Failure;
use crate::source::Loaded;

/// Writes a run.
pub fn write(loaded: &mut Loaded, out: &mut impl Write) -> Result<(), Failure> {
    let inputs = loaded.scenario.inputs().map(|input| {
        let name = input.name.as_str();
        let given = loaded.values.0.get(name).cloned();
        (
            name.to_string(),
            Value::String(given.unwrap_or_else(|| input.default().to_string())),
        )
    });
    let head = json!({
        "format": "pod-run", "version": VERSION, "scenario": loaded.name, "title": loaded.scenario.title(),
        "inputs": Value::Object(inputs.collect()), "defaults": loaded.story.has_defaults(),
    });
    // The lists follow in the same object, element by element.
    let head = head.to_string();
    write!(out, "{},\n\"events\": [", head.trim_end_matches('}'))?;
    let mut separator = "\n";
    let mut outcome = Ok(());
    loaded.story.replay(&mut |shown| {
        if outcome.is_ok() {
            outcome = write!(out, "{separator}{}", event(&shown));
            separator = ",\n";
        }
    });
    outcome?;
    let phases =
        loaded.story.phases().iter().map(
            |phase| json!({ "id": phase.id, "title": phase.title, "first": phase.first + 1, "last": phase.last + 1 }),
        );
    write!(
        out,
        "\n],\n\"phases\": {},\n\"steps\": [",
        Value::Array(phases.collect())
    )?;
    for index in 0..loaded.story.len() {
        let separator = if index == 0 { "\n" } else { ",\n" };
        write!(out, "{separator}{}", shown_step(loaded, index))?;
    }
    writeln!(out, "\n]}}")?;
    Ok(())
}

/// A frame: what a reader sees at one step, in words.
fn shown_step(loaded: &mut Loaded, index: usize) -> Value {
    let (sentence, command) = loaded.story.outline(index);
    let phase = loaded
        .story
        .phases()
        .iter()
        .find(|phase| (phase.first..=phase.last).contains(&index));
    let spans = sentence
        .spans
        .iter()
        .map(|span| json!({ "text": span.text, "role": role(span.role) }));
    json!({
        "step": index + 1, "phase": phase.map(|phase| phase.id.as_str()), "command": command,
        "sentence": sentence.to_string(), "spans": Value::Array(spans.collect()),
    })
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Plain => "plain",
        Role::Log => "log",
        Role::Index => "index",
        Role::TimeIndex => "timeindex",
        Role::Touched => "touched",
        Role::Deleted => "deleted",
        Role::Active => "active",
        Role::Setting => "setting",
    }
}

fn event(event: &Event<'_>) -> Value {
    let steps = |steps: &[partition_log::Step]| Value::Array(steps.iter().map(step::step).collect());
    match event {
        Event::Created(created) => json!({ "event": "create", "steps": steps(created) }),
        Event::Done(done) => json!({
            "event": "command", "line": done.line, "command": done.text(), "continues": done.continues,
            "began_ms": done.began.get(), "steps": steps(done.steps), "refused": done.error.map(refusal),
            "read": done.read.map(read), "after": after(done.state),
        }),
        Event::Phase { line, phase } => json!({
            "event": "phase", "line": line, "id": phase.id, "title": phase.title,
            "from": phase.from.map(|stage| stage.name()),
        }),
        Event::Said { line, say } => json!({ "event": "say", "line": line, "sentence": say.sentence.to_string() }),
        Event::Expected(checked) => json!({
            "event": "expect", "line": checked.line, "key": checked.key, "expected": checked.expected,
            "actual": checked.actual, "met": checked.actual.as_ref().map(|_| checked.met),
        }),
    }
}

/// What a read found.
pub fn read(read: &ReadOutcome) -> Value {
    json!({
        "answer": maybe_offset(read.answer), "timestamp_ms": maybe_ms(read.timestamp), "segment": maybe_offset(read.segment),
        "position": read.position.map(partition_log::Position::get), "records": read.records, "bytes": read.bytes,
        "slice": read.slice, "skipped": read.skipped, "next": maybe_offset(read.next),
    })
}

/// The marks of the partition after a command.
fn after(state: &PartitionState) -> Value {
    json!({
        "clock_ms": state.clock().get(), "segments": state.bases().map(Offset::get).collect::<Vec<_>>(),
        "log_start": state.log_start().get(), "high_watermark": state.high_watermark().get(),
        "log_end": state.log_end().get(), "log_size": state.log_size(), "deleted_size": state.deleted_size(),
        "consumer": maybe_offset(state.consumer()), "committed": maybe_offset(state.committed()),
    })
}
