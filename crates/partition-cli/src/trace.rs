//! `pod trace`: what was done, one JSON object a line. A line is a turn, as the program reads it that does the same to
//! Kafka's own log, with what the model answers and where in the scenario it stands.

use std::io::Write;

use partition_trace::{Answer, LeftOut, Told, Turn, tell};
use serde::Serialize;

use crate::args::Trace;
use crate::failure::Failure;
use crate::json::Refusal;

/// What the first line begins with.
#[derive(Serialize)]
struct Head {
    format: &'static str,
    version: u32,
}

const HEAD: Head = Head {
    format: "pod-trace",
    version: 3,
};

#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    head: Option<Head>,
    #[serde(flatten)]
    turn: Turn,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<Refusal<'a>>,
    answer: Answer,
}

/// Writes the turns of a scenario.
pub fn run(args: &Trace, out: &mut impl Write) -> Result<(), Failure> {
    let loaded = args.source.load()?;
    let mut outcome = Ok(());
    tell(&loaded.story, |told| {
        if outcome.is_ok() {
            outcome = line(told, out);
        }
    });
    outcome
}

fn line(told: Told<'_>, out: &mut impl Write) -> Result<(), Failure> {
    let done = told.done;
    let line = Line {
        head: done.is_none().then_some(HEAD),
        turn: told.played.turn,
        left_out: told.left_out,
        line: done.map(|done| done.line),
        command: done.filter(|done| !done.continues).map(|done| done.text()),
        refused: done.and_then(|done| done.error).map(Refusal::of),
        answer: told.played.answer,
    };
    serde_json::to_writer(&mut *out, &line)?;
    Ok(writeln!(out)?)
}
