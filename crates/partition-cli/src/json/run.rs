//! The format of `pod run --format json`: one object, written as it comes, so that a long run needs no memory of its own.

use std::collections::BTreeMap;
use std::io::Write;

use partition_log::rules::clause::Clause;
use partition_log::state::ConsumerState;
use partition_log::step::Answer;
use partition_log::{Offset, PartitionState, ReadOutcome, Step, TimestampMs};
use partition_story::{Done, Event, Phase};
use serde::Serialize;

use super::Refusal;
use crate::failure::Failure;
use crate::source::Loaded;

/// The version of the format.
const VERSION: u32 = 2;

/// What stands before the lists.
#[derive(Serialize)]
struct Head<'a> {
    format: &'static str,
    version: u32,
    scenario: &'a str,
    title: Option<&'a str>,
    inputs: BTreeMap<&'a str, String>,
    defaults: bool,
}

/// One event of a run, in the order of the scenario.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum JsonEvent<'a> {
    Create {
        steps: Vec<JsonStep<'a>>,
    },
    Command {
        line: usize,
        command: String,
        continues: bool,
        began_ms: TimestampMs,
        steps: Vec<JsonStep<'a>>,
        refused: Option<Refusal<'a>>,
        read: Option<&'a ReadOutcome>,
        after: After,
    },
    Phase {
        line: usize,
        id: &'a str,
        title: &'a str,
        from: Option<&'static str>,
    },
    Say {
        line: usize,
        sentence: String,
    },
    Expect {
        line: usize,
        key: &'a str,
        expected: &'a str,
        actual: Option<&'a str>,
        met: Option<bool>,
    },
}

/// A step: the line of the text format, its data, what it compared and what that came to.
#[derive(Serialize)]
struct JsonStep<'a> {
    text: String,
    step: &'a Step,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clauses: Vec<Clause>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Answer>,
}

/// The marks of the partition after a command.
#[derive(Serialize)]
struct After {
    clock_ms: TimestampMs,
    segments: Vec<Offset>,
    log_start: Offset,
    high_watermark: Offset,
    log_end: Offset,
    log_size: u64,
    deleted_size: u64,
    consumer: Option<Offset>,
    committed: Option<Offset>,
}

/// A phase, with its steps counted from 1.
#[derive(Serialize)]
struct JsonPhase<'a> {
    id: &'a str,
    title: &'a str,
    first: usize,
    last: usize,
}

/// A frame: what a reader sees at one step, in words.
#[derive(Serialize)]
struct Shown<'a> {
    step: usize,
    phase: Option<&'a str>,
    command: String,
    sentence: String,
    spans: Vec<ShownSpan<'a>>,
}

#[derive(Serialize)]
struct ShownSpan<'a> {
    text: &'a str,
    role: &'static str,
}

/// Writes a run.
pub fn write(loaded: &mut Loaded, out: &mut impl Write) -> Result<(), Failure> {
    let head = serde_json::to_string(&head(loaded))?;
    // The lists follow in the same object, element by element.
    let head = head.strip_suffix('}').unwrap_or(&head);
    write!(out, "{head},\n\"events\": [")?;
    let mut separator = "\n";
    let mut outcome = Ok(());
    loaded.story.replay(&mut |event| {
        if outcome.is_ok() {
            outcome = element(out, separator, &told(&event));
            separator = ",\n";
        }
    });
    outcome?;
    let phases: Vec<JsonPhase<'_>> = loaded.story.phases().iter().map(JsonPhase::of).collect();
    write!(out, "\n],\n\"phases\": ")?;
    serde_json::to_writer(&mut *out, &phases)?;
    write!(out, ",\n\"steps\": [")?;
    for index in 0..loaded.story.len() {
        show(loaded, index, out)?;
    }
    writeln!(out, "\n]}}")?;
    Ok(())
}

/// One element of a list, on a line of its own.
fn element(out: &mut impl Write, separator: &str, value: &impl Serialize) -> Result<(), Failure> {
    out.write_all(separator.as_bytes())?;
    Ok(serde_json::to_writer(out, value)?)
}

fn head(loaded: &Loaded) -> Head<'_> {
    let inputs = loaded.scenario.inputs().map(|input| {
        let name = input.name.as_str();
        let given = loaded.values.get(name).map(str::to_string);
        (name, given.unwrap_or_else(|| input.default().to_string()))
    });
    Head {
        format: "pod-run",
        version: VERSION,
        scenario: &loaded.name,
        title: loaded.scenario.title(),
        inputs: inputs.collect(),
        defaults: loaded.story.has_defaults(),
    }
}

fn show(loaded: &mut Loaded, index: usize, out: &mut impl Write) -> Result<(), Failure> {
    let (sentence, command) = loaded.story.outline(index);
    let mut phases = loaded.story.phases().iter();
    let phase = phases.find(|phase| (phase.first..=phase.last).contains(&index));
    let spans = sentence.spans.iter().map(|span| ShownSpan {
        text: &span.text,
        role: span.role.name(),
    });
    let shown = Shown {
        step: index + 1,
        phase: phase.map(|phase| phase.id.as_str()),
        command,
        sentence: sentence.to_string(),
        spans: spans.collect(),
    };
    element(out, if index == 0 { "\n" } else { ",\n" }, &shown)
}

fn told<'a>(event: &Event<'a>) -> JsonEvent<'a> {
    match event {
        Event::Created(created) => JsonEvent::Create { steps: steps(created) },
        Event::Done(done) => command(done),
        Event::Phase { line, phase } => JsonEvent::Phase {
            line: *line,
            id: &phase.id,
            title: &phase.title,
            from: phase.from.map(|stage| stage.name()),
        },
        Event::Said { line, say } => JsonEvent::Say {
            line: *line,
            sentence: say.sentence.to_string(),
        },
        Event::Expected(checked) => JsonEvent::Expect {
            line: checked.line,
            key: &checked.key,
            expected: &checked.expected,
            actual: checked.actual.as_deref(),
            met: checked.actual.as_ref().map(|_| checked.met),
        },
    }
}

fn command<'a>(done: &Done<'a>) -> JsonEvent<'a> {
    JsonEvent::Command {
        line: done.line,
        command: done.text(),
        continues: done.continues,
        began_ms: done.began,
        steps: steps(done.steps),
        refused: done.error.map(Refusal::of),
        read: done.read,
        after: After::of(done.state, done.consumer),
    }
}

fn steps(steps: &[Step]) -> Vec<JsonStep<'_>> {
    let told = steps.iter().map(|step| JsonStep {
        text: step.to_string(),
        step,
        clauses: step.clauses(),
        answer: step.answer(),
    });
    told.collect()
}

impl After {
    fn of(state: &PartitionState, consumer: &ConsumerState) -> After {
        After {
            clock_ms: state.clock(),
            segments: state.bases().collect(),
            log_start: state.log_start(),
            high_watermark: state.high_watermark(),
            log_end: state.log_end(),
            log_size: state.log_size(),
            deleted_size: state.deleted_size(),
            consumer: consumer.position().offset(),
            committed: consumer.committed(),
        }
    }
}

impl JsonPhase<'_> {
    fn of(phase: &Phase) -> JsonPhase<'_> {
        JsonPhase {
            id: &phase.id,
            title: &phase.title,
            first: phase.first + 1,
            last: phase.last + 1,
        }
    }
}
