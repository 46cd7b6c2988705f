//! Text to scenario.

use super::args::{Args, Scope};
use super::commands::Command;
use super::nearest::nearest;
use super::problem::{Fault, Place, Problem, ScenarioError, clip};
use super::words::{Body, Word, split};
use super::{InputValues, Line, Remark, Scenario, limits};

/// Reads a scenario. Its inputs have their defaults; [`Scenario::with`] gives them others.
///
/// # Errors
///
/// The first fault: its line, its column, what was found, what was expected, and what helps.
///
/// ```
/// use partition_story::parse;
///
/// let scenario = parse("append 45B every=2s x6\nexpect log-end=6\n").expect("well formed");
/// assert_eq!(scenario.to_string(), "append 45B every=2s x6\nexpect log-end=6\n");
/// let error = parse("apend 45B").expect_err("a typing slip");
/// assert_eq!(error.to_string(), "line 1, column 1: found `apend`, expected a command; did you mean `append`?");
/// ```
pub fn parse(text: &str) -> Result<Scenario, ScenarioError> {
    read(text, &InputValues::defaults())
}

/// Reads a scenario with values for its inputs.
pub(super) fn read(text: &str, given: &InputValues) -> Result<Scenario, ScenarioError> {
    if text.len() > limits::TEXT_BYTES {
        let problem = Problem::TextTooLong {
            size: text.len(),
            max: limits::TEXT_BYTES,
        };
        return Err(ScenarioError { place: None, problem });
    }
    // Editors on some systems begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut scope = Scope::new(given);
    let mut lines = Vec::new();
    let mut remarks = Vec::new();
    for (text, number) in text.lines().zip(1..) {
        lines.push(line(text, number, &mut scope)?);
        remarks.extend(scope.remarks.drain(..).map(|(column, about)| Remark {
            place: Place { line: number, column },
            about,
        }));
    }
    Ok(Scenario {
        lines,
        text: text.to_string(),
        remarks,
        defaults: scope.inputs.iter().all(|(input, value)| value.same(&input.default())),
    })
}

fn line(text: &str, number: usize, scope: &mut Scope) -> Result<Line, ScenarioError> {
    if let Some(off) = switched_off(text) {
        return Ok(Line {
            command: None,
            comment: Some(off.to_string()),
            off: true,
            columns: Vec::new(),
        });
    }
    let split = split(text).map_err(|(column, problem)| Fault::at(column, problem));
    let (words, comment) = split.map_err(|fault| fault.in_line(number, &[]))?;
    let columns: Vec<usize> = words.iter().map(|word| word.column).collect();
    let command = words.split_first().map(|(first, rest)| command(first, rest, scope));
    Ok(Line {
        command: command.transpose().map_err(|fault| fault.in_line(number, &columns))?,
        comment,
        off: false,
        columns,
    })
}

/// What stands behind `#-`; a row of hyphens is a comment like any other.
fn switched_off(text: &str) -> Option<&str> {
    let behind = text.trim_start().strip_prefix("#-")?;
    (!behind.starts_with('-')).then_some(behind.trim())
}

fn command(first: &Word, rest: &[Word], scope: &mut Scope) -> Result<Command, Fault> {
    let found = first.written();
    let known = |name: &&'static str| matches!(first.body, Body::Bare(_)) && *name == found;
    let Some(name) = Command::NAMES.into_iter().find(known) else {
        let nearest = Command::meant(&found).or_else(|| nearest(&found, Command::NAMES));
        let found = clip(&found);
        return Err(Fault::at(first.column, Problem::UnknownCommand { found, nearest }));
    };
    let last = rest.last().unwrap_or(first);
    let mut args = Args {
        command: name,
        words: rest.iter().peekable(),
        end: last.column + last.written().chars().count(),
        scope,
    };
    let command = Command::parse(&mut args)?;
    args.end("the end of the line")?;
    args.scope.begun |= command.begins();
    Ok(command)
}
