//! A run as text: each command, its steps, and what was expected. Scripts compare it; a terminal shows it.

use core::fmt;

use crate::expectation::Checked;
use crate::story::{Event, Story};

/// A story's run as text, line by line.
///
/// ```
/// use partition_story::{InputValues, Story, Transcript, parse};
///
/// let scenario = parse("append 45B\ncommit 1\nexpect log-end=1\n").expect("well formed");
/// let story = Story::run(&scenario, &InputValues::defaults()).expect("within the limits");
/// let text = Transcript(&story).to_string();
/// assert!(text.ends_with("commit 1\n  state   committed offset none to 1\n\nexpect log-end=1\n  met     log-end=1\n"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Transcript<'a>(pub &'a Story);

impl fmt::Display for Transcript<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut outcome = Ok(());
        let mut expected_in = None;
        let mut first = true;
        self.0.replay(&mut |event| {
            let result = write_event(f, &event, &mut expected_in, &mut first);
            outcome = outcome.and(result);
        });
        outcome
    }
}

fn write_event(
    f: &mut fmt::Formatter<'_>,
    event: &Event<'_>,
    expected_in: &mut Option<usize>,
    first: &mut bool,
) -> fmt::Result {
    let mut heading = |f: &mut fmt::Formatter<'_>, text: &dyn fmt::Display| {
        if !core::mem::take(first) {
            writeln!(f)?;
        }
        writeln!(f, "{text}")
    };
    match event {
        Event::Created(steps) => {
            heading(f, &"create")?;
            steps.iter().try_for_each(|step| writeln!(f, "  {step}"))
        }
        Event::Done(done) => {
            // Work that was due at the same instant belongs to the command above; without any there is nothing to say.
            if done.continues && done.steps.is_empty() {
                return Ok(());
            }
            if !done.continues {
                heading(f, &done.command)?;
            }
            done.steps.iter().try_for_each(|step| writeln!(f, "  {step}"))
        }
        Event::Phase { id, title, from, .. } => {
            let from = from.map_or(String::new(), |stage| format!(" from={}", stage.name()));
            heading(f, &format_args!("phase {id} \"{title}\"{from}"))
        }
        Event::Said { sentence, .. } => heading(f, &format_args!("say \"{sentence}\"")),
        Event::Expected(checked) => {
            if *expected_in != Some(checked.line) {
                *expected_in = Some(checked.line);
                heading(f, &format_args!("{}", checked.command))?;
            }
            write_checked(f, checked)
        }
    }
}

fn write_checked(
    f: &mut fmt::Formatter<'_>,
    Checked {
        key,
        expected,
        actual,
        met,
        ..
    }: &Checked,
) -> fmt::Result {
    match actual {
        None => writeln!(
            f,
            "  open    {key}={expected}, not checked: an input has another value than its default"
        ),
        Some(_) if *met => writeln!(f, "  met     {key}={expected}"),
        Some(actual) => writeln!(f, "  FAILED  {key}={actual}, expected {expected}"),
    }
}
