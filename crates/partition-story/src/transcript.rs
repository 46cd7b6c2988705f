//! A run as text: each command, its steps, and what was expected. Scripts compare it; a terminal shows it.

use core::fmt;

use crate::event::Event;
use crate::expectation::Checked;
use crate::story::Story;

/// A story's run as text, line by line.
///
/// ```
/// use partition_story::{InputValues, Story, Transcript, parse};
///
/// let scenario = parse("append 45B\ncommit 1\nexpect log-end=1\n").expect("well formed");
/// let story = Story::run(&scenario, &InputValues::defaults()).expect("within the limits");
/// let text = Transcript::of(&story).to_string();
/// assert!(text.ends_with("commit 1\n  state   committed offset none to 1\n\nexpect log-end=1\n  met     log-end=1\n"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Transcript<'a> {
    story: &'a Story,
    brief: bool,
}

impl<'a> Transcript<'a> {
    /// Every step of every command.
    pub fn of(story: &'a Story) -> Transcript<'a> {
        Transcript { story, brief: false }
    }

    /// Of the commands before the first phase, which are set-up, only their names.
    #[must_use]
    pub fn brief(self) -> Transcript<'a> {
        Transcript { brief: true, ..self }
    }
}

impl fmt::Display for Transcript<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set_up = self.brief && !self.story.phases().is_empty();
        let mut writer = Writer {
            f,
            set_up,
            expected_in: None,
            blocks: 0,
            story: self.story,
            line: 0,
        };
        let mut outcome = Ok(());
        self.story.replay(&mut |event| {
            if outcome.is_ok() {
                outcome = writer.event(&event);
            }
        });
        outcome
    }
}

struct Writer<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    /// Whether steps are left out.
    set_up: bool,
    /// The line whose expectations are being listed.
    expected_in: Option<usize>,
    blocks: usize,
    story: &'a Story,
    /// The line of the command before, while steps are left out.
    line: usize,
}

impl Writer<'_, '_> {
    fn event(&mut self, event: &Event<'_>) -> fmt::Result {
        match event {
            Event::Created(_) if self.set_up => Ok(()),
            Event::Created(steps) => {
                self.heading(&"create")?;
                steps.iter().try_for_each(|step| writeln!(self.f, "  {step}"))
            }
            Event::Done(done) => {
                if self.set_up {
                    let repeated = core::mem::replace(&mut self.line, done.line) == done.line;
                    return if repeated || done.continues {
                        Ok(())
                    } else {
                        self.heading(&self.story.line(done.line))
                    };
                }
                // Work that was due at the same instant belongs to the command above.
                if !done.continues {
                    self.heading(&done.text())?;
                }
                done.steps.iter().try_for_each(|step| writeln!(self.f, "  {step}"))
            }
            Event::Phase { line, .. } => {
                self.set_up = false;
                self.heading(&self.story.line(*line))
            }
            Event::Said { line, .. } => self.heading(&self.story.line(*line)),
            Event::Expected(checked) => {
                if self.expected_in != Some(checked.line) {
                    self.expected_in = Some(checked.line);
                    self.heading(&checked.command)?;
                }
                self.checked(checked)
            }
        }
    }

    /// The first line of a block; blocks are divided by empty lines where they have more than that.
    fn heading(&mut self, text: &dyn fmt::Display) -> fmt::Result {
        if self.blocks > 0 && !self.set_up {
            writeln!(self.f)?;
        }
        self.blocks += 1;
        writeln!(self.f, "{text}")
    }

    fn checked(
        &mut self,
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
                self.f,
                "  open    {key}={expected}, not checked: an input has another value than its default"
            ),
            // Without their steps, what the set-up led to needs no line each.
            Some(_) if *met && self.set_up => Ok(()),
            Some(_) if *met => writeln!(self.f, "  met     {key}={expected}"),
            Some(actual) => writeln!(self.f, "  FAILED  {key}={actual}, expected {expected}"),
        }
    }
}
