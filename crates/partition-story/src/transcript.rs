//! A run as text: each command, its steps, and what was expected. Scripts compare it; `pod run --steps` shows it.

use core::fmt;
use core::iter::Peekable;
use core::slice::Iter;

use partition_log::rules::retention::RetentionAnswer;
use partition_log::state::MemoryChange;
use partition_log::step::Step;
use partition_log::units::{TimestampMs, grouped};

use crate::event::Event;
use crate::expectation::Checked;
use crate::language::Remark;
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
    /// Every step of every command, but of many checks in a row that find nothing the first and the last one.
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
            remarks: self.story.remarks().iter().peekable(),
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
    /// Those not yet written.
    remarks: Peekable<Iter<'a, Remark>>,
}

impl Writer<'_, '_> {
    fn event(&mut self, event: &Event<'_>) -> fmt::Result {
        match event {
            Event::Created(_) if self.set_up => Ok(()),
            Event::Created(steps) => {
                self.heading(&"create")?;
                self.steps(steps)
            }
            Event::Done(done) => {
                if self.set_up {
                    let repeated = core::mem::replace(&mut self.line, done.line) == done.line;
                    return if repeated || done.continues {
                        Ok(())
                    } else {
                        self.heading(&self.story.line(done.line))?;
                        self.remarks(done.line)
                    };
                }
                // Work that was due at the same instant belongs to the command above.
                if !done.continues {
                    self.heading(&done.text())?;
                    self.remarks(done.line)?;
                }
                self.steps(done.steps)
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

    fn steps(&mut self, steps: &[Step]) -> fmt::Result {
        for part in idle_parts(steps) {
            match part {
                Part::Shown(steps) => steps.iter().try_for_each(|step| writeln!(self.f, "  {step}"))?,
                Part::Folded(folded) => writeln!(self.f, "  folded  {folded}")?,
            }
        }
        Ok(())
    }

    /// The first line of a block; blocks are divided by empty lines where they have more than that.
    fn heading(&mut self, text: &dyn fmt::Display) -> fmt::Result {
        if self.blocks > 0 && !self.set_up {
            writeln!(self.f)?;
        }
        self.blocks += 1;
        writeln!(self.f, "{text}")
    }

    /// What is remarked up to a line.
    fn remarks(&mut self, line: usize) -> fmt::Result {
        while let Some(remark) = self.remarks.next_if(|remark| remark.place.line <= line) {
            writeln!(self.f, "  remark  {}", remark.about)?;
        }
        Ok(())
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

/// So many checks in a row that find nothing are shown in full.
const IDLE_CHECKS: usize = 8;

/// Some steps of a command.
enum Part<'a> {
    Shown(&'a [Step]),
    Folded(Folded),
}

/// Checks that found nothing.
struct Folded {
    checks: usize,
    first: TimestampMs,
    last: TimestampMs,
    steps: usize,
}

impl fmt::Display for Folded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |count: usize| grouped(i64::try_from(count).unwrap_or(i64::MAX));
        let (checks, steps) = (number(self.checks), number(self.steps));
        write!(
            f,
            "{checks} checks from {} to {} found nothing, {steps} steps",
            self.first, self.last
        )
    }
}

/// Divides the steps of a command: of many checks in a row that find nothing, those between the first and the last are
/// folded.
fn idle_parts(steps: &[Step]) -> Vec<Part<'_>> {
    let (mut parts, mut shown, mut at) = (Vec::new(), 0, 0);
    while at < steps.len() {
        let end = at + steps[at..].iter().take_while(|step| is_idle(step)).count();
        let mut ends = (at..end).filter(|index| matches!(steps[*index], Step::CheckFinished { .. }));
        let checks = ends.clone().count();
        if checks > IDLE_CHECKS
            && let (Some(first), Some(last)) = (ends.next(), ends.nth_back(1))
        {
            let folded = &steps[first + 1..=last];
            let mut times = folded.iter().filter_map(|step| match step {
                Step::CheckStarted { now, .. } => Some(*now),
                _ => None,
            });
            let from = times.next().unwrap_or_default();
            parts.push(Part::Shown(&steps[shown..=first]));
            parts.push(Part::Folded(Folded {
                checks: checks - 2,
                first: from,
                last: times.next_back().unwrap_or(from),
                steps: folded.len(),
            }));
            shown = last + 1;
        }
        at = end.max(at + 1);
    }
    parts.push(Part::Shown(&steps[shown..]));
    parts
}

/// Whether a step is of a check that deletes nothing, or of the time between two such checks.
fn is_idle(step: &Step) -> bool {
    match step {
        Step::CheckStarted { .. } | Step::RetentionRuleOff { .. } => true,
        Step::RetentionDecided(decision) => decision.answer() != RetentionAnswer::Delete,
        Step::CheckFinished { deleted, .. } => *deleted == 0,
        Step::Memory(change) => matches!(
            change,
            MemoryChange::ClockMoved { .. } | MemoryChange::NextCheck { .. } | MemoryChange::ProducersLookedAt { .. }
        ),
        _ => false,
    }
}
