//! A scenario that has been run: its frames, its phases, what it expected.
//!
//! No state is kept for a frame. The run leaves a few checkpoints behind, thinned out as they grow; a frame is made by
//! running on from the nearest one, and by repeating the writes of its command up to its beat.

use core::ops::Range;
use std::rc::Rc;

use partition_log::config::Settings;
use partition_log::error::LogError;
use partition_log::step::Step;
use partition_log::units::TimestampMs;
use partition_log::{Appended, Partition, PartitionState, ReadOutcome};

use crate::beat::{Beat, beats};
use crate::expectation::{Check, Checked, check};
use crate::frame::{Extents, Frame, Phase, Trail};
use crate::language::{Append, Batch, Command, Options, Place, Problem, Quantity, Scenario, ScenarioError, Stage};
use crate::operation::{Machine, Operation};
use crate::plan::{Action, InputValues, Kind, PhaseMark, Plan, plan};
use crate::runner::{FrameRef, Ran, Runner, manner};
use crate::sentence::{self, Sentence};

/// Decides the jitter of segments, where a scenario asks for jitter.
const SEED: u64 = 0;

/// A story: any of its frames by index.
#[derive(Clone, Debug)]
pub struct Story {
    plan: Plan,
    /// Each line's command, for the frames' labels.
    commands: Vec<Option<Command>>,
    run: Ran,
    cursor: Cursor,
}

/// Why a scenario cannot be run with these inputs: as [`ScenarioError`], and nothing was run half.
pub type StoryError = ScenarioError;

/// One operation of a story, as [`Story::replay`] shows it.
#[derive(Debug)]
pub struct Done<'a> {
    /// Line in the scenario, from 1.
    pub line: usize,
    /// The command, with the inputs filled in; of a repeated append, this one.
    pub command: String,
    /// Whether it is work that was still due at the instant to which the command above brought the clock.
    pub continues: bool,
    /// What was done.
    pub operation: &'a Operation,
    /// The clock when it began.
    pub began: TimestampMs,
    /// What happened.
    pub steps: &'a [Step],
    /// Why it was refused.
    pub error: Option<&'a LogError>,
    /// What was read.
    pub read: Option<&'a ReadOutcome>,
    /// What was appended.
    pub appended: Option<&'a Appended>,
    /// The partition afterwards.
    pub state: &'a PartitionState,
}

/// What a run consists of.
#[derive(Debug)]
pub enum Event<'a> {
    /// The partition was created.
    Created(&'a [Step]),
    /// An operation.
    Done(Done<'a>),
    /// A phase begins at the next frame, or where its stage is reached.
    Phase {
        /// Line in the scenario, from 1.
        line: usize,
        /// Its id.
        id: &'a str,
        /// Its title.
        title: &'a str,
        /// The stage that it waits for.
        from: Option<Stage>,
    },
    /// The author speaks.
    Said {
        /// Line in the scenario, from 1.
        line: usize,
        /// What.
        sentence: &'a Sentence,
    },
    /// An expectation was checked.
    Expected(&'a Checked),
}

impl Story {
    /// Runs a scenario.
    ///
    /// # Errors
    ///
    /// A value that an input cannot take, a limit that would be passed, a time before the clock, a batch that no format
    /// can hold.
    ///
    /// ```
    /// use partition_story::{InputValues, Story, parse};
    ///
    /// let scenario = parse("append 45B every=2s x6\nfetch 3\nexpect answer=3 bytes=135B\n").expect("well formed");
    /// let mut story = Story::run(&scenario, &InputValues::defaults()).expect("within the limits");
    /// assert!(story.expectations().iter().all(|checked| checked.met));
    /// let last = story.frame(story.len() - 1);
    /// assert_eq!(last.sentence.to_string(), "The consumer gets offsets 3 to 5, 135 B; next it asks for 6.");
    /// ```
    pub fn run(scenario: &Scenario, values: &InputValues) -> Result<Story, StoryError> {
        Story::run_with(scenario, values, Some(check))
    }

    /// Runs a scenario and leaves its expectations unchecked.
    ///
    /// # Errors
    ///
    /// As [`Story::run`].
    pub fn run_unchecked(scenario: &Scenario, values: &InputValues) -> Result<Story, StoryError> {
        Story::run_with(scenario, values, None)
    }

    fn run_with(scenario: &Scenario, values: &InputValues, check: Option<Check>) -> Result<Story, StoryError> {
        let plan = plan(scenario, values)?;
        let created = Partition::create(plan.settings.clone(), SEED);
        let place = |line: usize| {
            let columns = scenario.lines.get(line).map(|line| line.columns.as_slice());
            let column = columns.and_then(|columns| columns.first()).copied().unwrap_or(1);
            Some(Place { line: line + 1, column })
        };
        let partition = created.outcome.map_err(|error| {
            let first = scenario
                .lines
                .iter()
                .position(|line| matches!(line.command, Some(Command::Set(_))));
            ScenarioError {
                place: place(first.unwrap_or(0)),
                problem: Problem::Impossible(error),
            }
        })?;
        let machine = Machine::new(partition);
        let mut runner = Runner::new(&plan, machine, &created.steps, check);
        for (index, action) in plan.actions.iter().enumerate() {
            runner.action(index, action).map_err(|problem| ScenarioError {
                place: place(action.line),
                problem,
            })?;
        }
        let run = runner.finish();
        let cursor = Cursor {
            operations: None,
            before: None,
            machine: run.checkpoints.first().clone(),
            steps: Rc::default(),
            beats: Vec::new(),
        };
        let commands = scenario.lines.iter().map(|line| line.command.clone()).collect();
        Ok(Story {
            plan,
            commands,
            run,
            cursor,
        })
    }

    /// How many frames; at least one.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.run.frames.len() + 1
    }

    /// The phases that have frames, in order.
    pub fn phases(&self) -> &[Phase] {
        &self.run.phases
    }

    /// Every expectation, met or not, in the order of the text.
    pub fn expectations(&self) -> &[Checked] {
        &self.run.expectations
    }

    /// Whether every input has its default, so that expectations were checked.
    pub fn has_defaults(&self) -> bool {
        self.plan.defaults
    }

    /// The settings that the partition was created with.
    pub fn settings(&self) -> &Settings {
        &self.plan.settings
    }

    /// The most there is of anything in any frame.
    pub fn extents(&self) -> &Extents {
        &self.run.extents
    }

    /// A frame; past the end the last one.
    pub fn frame(&mut self, index: usize) -> Frame {
        let index = index.min(self.run.frames.len());
        let (frame, phase) = match index
            .checked_sub(1)
            .and_then(|index| self.run.frames.get(index).copied())
        {
            None => (self.opening_frame(), None),
            Some(place) => {
                let phase = place.phase.map(|phase| phase as usize);
                (self.beat_frame(place), phase)
            }
        };
        Frame {
            index,
            total: self.len(),
            phase,
            extents: self.run.extents.clone(),
            ..frame
        }
    }

    /// The partition at a frame, after its beat.
    pub fn state(&mut self, index: usize) -> PartitionState {
        let index = index.min(self.run.frames.len());
        match index
            .checked_sub(1)
            .and_then(|index| self.run.frames.get(index).copied())
        {
            None => self.opening_state(),
            Some(place) => {
                let (mut state, beat) = self.state_before(place);
                repeat(&mut state, &self.cursor.steps[beat]);
                state
            }
        }
    }

    /// What a frame says, and its command, without its pictures.
    pub fn outline(&mut self, index: usize) -> (Sentence, String) {
        match index
            .checked_sub(1)
            .and_then(|index| self.run.frames.get(index).copied())
        {
            None => match self.run.opening.clone() {
                Some(sentence) => (sentence, String::new()),
                None => (self.opening_frame().sentence, String::new()),
            },
            Some(place) => {
                self.seek(place, false);
                (self.sentence(place), self.label(place))
            }
        }
    }

    /// Runs the scenario again from its start and shows everything that happens.
    pub fn replay(&self, visit: &mut dyn FnMut(Event<'_>)) {
        let created = Partition::create(self.plan.settings.clone(), SEED);
        // It was created before with the same settings.
        let Ok(partition) = created.outcome else { return };
        visit(Event::Created(&created.steps));
        let mut machine = Machine::new(partition);
        let mut expectations = self.run.expectations.iter();
        for (index, action) in self.plan.actions.iter().enumerate() {
            let line = action.line + 1;
            match &action.kind {
                Kind::Phase(PhaseMark { id, title, from }) => visit(Event::Phase {
                    line,
                    id,
                    title,
                    from: *from,
                }),
                Kind::Say(sentence) => visit(Event::Said { line, sentence }),
                Kind::Expect(expected) => {
                    expectations
                        .by_ref()
                        .take(expected.len())
                        .for_each(|checked| visit(Event::Expected(checked)));
                }
                Kind::Do(_) | Kind::Append(_) => {
                    for repetition in 0..action.operations() {
                        let Some(operation) = action.operation(repetition) else {
                            continue;
                        };
                        let began = machine.partition.state().clock();
                        let outcome = machine.run(&operation);
                        visit(Event::Done(Done {
                            line,
                            command: self.label_of(index, repetition),
                            continues: matches!(operation, Operation::Settle),
                            operation: outcome.done.as_ref().unwrap_or(&operation),
                            began,
                            steps: &outcome.steps,
                            error: outcome.error.as_ref(),
                            read: outcome.read.as_ref(),
                            appended: outcome.appended.as_ref(),
                            state: machine.partition.state(),
                        }));
                    }
                }
            }
        }
    }

    /// The partition after the set-up.
    fn opening_state(&mut self) -> PartitionState {
        let machine = self.machine_before(self.run.opened_at);
        let state = machine.partition.state().clone();
        self.cursor.machine = (self.run.opened_at, machine);
        state
    }

    fn opening_frame(&mut self) -> Frame {
        let view = self.opening_state().view();
        Frame {
            index: 0,
            total: 0,
            phase: None,
            command: String::new(),
            trail: Trail::default(),
            sentence: self.run.opening.clone().unwrap_or_else(|| sentence::of_set_up(&view)),
            before: view.clone(),
            view,
            extents: Extents::default(),
        }
    }

    fn beat_frame(&mut self, place: FrameRef) -> Frame {
        let (mut state, beat) = self.state_before(place);
        let before = state.view();
        repeat(&mut state, &self.cursor.steps[beat.clone()]);
        Frame {
            index: 0,
            total: 0,
            phase: None,
            command: self.label(place),
            trail: Trail {
                all: Rc::clone(&self.cursor.steps),
                beat,
            },
            sentence: self.sentence(place),
            before,
            view: state.view(),
            extents: Extents::default(),
        }
    }

    /// The sentence of a frame whose operation the cursor holds.
    fn sentence(&self, place: FrameRef) -> Sentence {
        match self.cursor.beats.get(place.beat as usize) {
            Some(beat) => sentence::of_beat(&self.cursor.steps[..beat.steps.end], beat),
            None => match self.plan.actions.get(place.action as usize).map(|action| &action.kind) {
                Some(Kind::Say(sentence)) => sentence.clone(),
                _ => Sentence::default(),
            },
        }
    }

    /// The partition before a beat, and which of the cursor's steps are the beat's.
    fn state_before(&mut self, place: FrameRef) -> (PartitionState, Range<usize>) {
        self.seek(place, true);
        let cursor = &self.cursor;
        let beat = cursor
            .beats
            .get(place.beat as usize)
            .map_or(0..0, |beat| beat.steps.clone());
        // Asked for just now.
        let mut state = cursor
            .before
            .clone()
            .unwrap_or_else(|| cursor.machine.1.partition.state().clone());
        repeat(&mut state, &cursor.steps[..beat.start]);
        (state, beat)
    }

    fn label(&self, place: FrameRef) -> String {
        self.label_of(place.action as usize, u64::from(place.repetition))
    }

    /// A line's command, from 1, with the inputs filled in.
    pub(crate) fn line(&self, line: usize) -> String {
        let command = line
            .checked_sub(1)
            .and_then(|index| self.commands.get(index))
            .and_then(Option::as_ref);
        command.map_or_else(String::new, |command| self.plan.fill(command.to_string()))
    }

    /// A command as it is run: inputs filled in, and one append out of many.
    fn label_of(&self, action: usize, repetition: u64) -> String {
        let Some(Action { line, kind, .. }) = self.plan.actions.get(action) else {
            return String::new();
        };
        let Some(command) = self.commands.get(*line).and_then(Option::as_ref) else {
            return String::new();
        };
        let one = |options: &Options| Options {
            times: None,
            ..options.clone()
        };
        let text = match (command, kind) {
            // What arrives in one append is one command.
            (_, Kind::Append(appends)) if appends.together => command.to_string(),
            (Command::Append(Append { sizes, options }), Kind::Append(_)) => {
                let size: Option<&Quantity> = sizes.get((repetition % sizes.len().max(1) as u64) as usize);
                Command::Append(Append {
                    sizes: size.copied().into_iter().collect(),
                    options: one(options),
                })
                .to_string()
            }
            (Command::Batch(batch), Kind::Append(_)) => Command::Batch(Batch {
                options: one(&batch.options),
                ..batch.clone()
            })
            .to_string(),
            _ => command.to_string(),
        };
        self.plan.fill(text)
    }

    /// Makes the cursor hold the operation of a frame; with the state before it, if that is asked for.
    fn seek(&mut self, place: FrameRef, with_state: bool) {
        let start = self.run.starts.get(place.action as usize).copied().unwrap_or(0);
        let operation = start + u64::from(place.repetition);
        let first = operation.saturating_sub(u64::from(place.carried));
        let held = self.cursor.operations == Some((first, operation));
        if held && (!with_state || self.cursor.before.is_some()) {
            return;
        }
        let mut machine = self.machine_before(first);
        let before = with_state.then(|| machine.partition.state().clone());
        let mut steps = Vec::new();
        for number in first..=operation {
            if let Some((_, wanted)) = self.operation(number) {
                steps.extend(machine.run(&wanted).steps);
            }
        }
        let kind = self.plan.actions.get(place.action as usize).map(|action| &action.kind);
        let beats = match kind {
            Some(kind @ (Kind::Do(_) | Kind::Append(_))) => beats(&steps, manner(kind)),
            _ => Vec::new(),
        };
        self.cursor = Cursor {
            operations: Some((first, operation)),
            before,
            machine: (operation + 1, machine),
            steps: steps.into(),
            beats,
        };
    }

    /// The machine as it is before an operation: the cursor's, if that is on the way, else one from a checkpoint.
    fn machine_before(&mut self, operation: u64) -> Machine {
        let checkpoint = self.run.checkpoints.before(operation);
        let held = self.cursor.machine.0;
        let (mut at, mut machine) = if (checkpoint.0..=operation).contains(&held) {
            // The cursor is about to move, and takes its machine along.
            let nowhere = self.run.checkpoints.first().clone();
            self.cursor.operations = None;
            core::mem::replace(&mut self.cursor.machine, nowhere)
        } else {
            checkpoint.clone()
        };
        while at < operation {
            if let Some((_, wanted)) = self.operation(at) {
                machine.run(&wanted);
            }
            at += 1;
        }
        machine
    }

    /// The operation with a number, and the action that it belongs to; `None` for a sentence or an expectation.
    fn operation(&self, number: u64) -> Option<(&Action, Operation)> {
        let index = self
            .run
            .starts
            .partition_point(|start| *start <= number)
            .checked_sub(1)?;
        let action = self.plan.actions.get(index)?;
        Some((action, action.operation(number - self.run.starts[index])?))
    }
}

/// Repeats the writes among some steps.
fn repeat(state: &mut PartitionState, steps: &[Step]) {
    for step in steps {
        if let Err(error) = state.apply(step) {
            panic!("a recorded write fits the state that it was recorded on: {error}");
        }
    }
}

/// The operation that was looked at last, with those before it that only moved the clock.
#[derive(Clone, Debug)]
struct Cursor {
    /// The numbers of the first and the last one.
    operations: Option<(u64, u64)>,
    /// The partition before them, where it was asked for.
    before: Option<PartitionState>,
    /// The number of the operation that comes next, and the machine as it is before it.
    machine: (u64, Machine),
    steps: Rc<[Step]>,
    beats: Vec<Beat>,
}
