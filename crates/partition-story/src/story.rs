//! A scenario that has been run: its frames, its phases, what it expected.
//!
//! No state is kept for a frame. The run leaves a few checkpoints behind, thinned out as they grow; a frame is made by
//! running on from the nearest one, and by repeating the writes of its command up to its beat.

use core::ops::Range;
use std::rc::Rc;

use partition_log::config::Settings;
use partition_log::questions::view::PartitionView;
use partition_log::step::Step;
use partition_log::{Consumer, PartitionState};

use crate::beat::Beat;
use crate::event::Event;
use crate::expectation::{Check, Checked, check};
use crate::frame::{Extents, Frame, Phase, Trail};
use crate::language::{Command, InputValues, Remark, Scenario, ScenarioError};
use crate::machine::Machine;
use crate::runner::{Action, FrameRef, Ran, command_beats, run};
use crate::sentence::{self, Sentence};

/// A story: any of its frames by index.
#[derive(Clone, Debug)]
pub struct Story {
    /// What is run, with values in place of the inputs' names.
    scenario: Scenario,
    check: Option<Check>,
    run: Ran,
    cursor: Cursor,
}

/// Why a scenario cannot be run with these inputs: as [`ScenarioError`], and nothing was run half.
pub type StoryError = ScenarioError;

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
        let scenario = scenario.with(values)?;
        let run = run(&scenario, check, None)?;
        let cursor = Cursor {
            operations: None,
            before: Moment::of(&run.checkpoints.first().1),
            machine: run.checkpoints.first().clone(),
            steps: Rc::default(),
            beats: Vec::new(),
        };
        Ok(Story {
            scenario,
            check,
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
        self.scenario.defaults
    }

    /// What its author probably did not mean, in the order of the lines.
    pub fn remarks(&self) -> &[Remark] {
        self.scenario.remarks()
    }

    /// The settings that the partition was created with.
    pub fn settings(&self) -> &Settings {
        &self.run.settings
    }

    /// The most there is of anything in any frame.
    pub fn extents(&self) -> &Extents {
        &self.run.extents
    }

    /// A frame; past the end the last one.
    pub fn frame(&mut self, index: usize) -> Frame {
        let place = self.seek(index);
        let (command, sentence) = self.outline_of(place);
        let mut moment = self.cursor.before.clone();
        let beat = self.cursor.beat(place);
        moment.repeat(&self.cursor.steps[..beat.start]);
        let before = moment.view();
        moment.repeat(&self.cursor.steps[beat.clone()]);
        Frame {
            index: index.min(self.run.frames.len()),
            total: self.len(),
            phase: place.and_then(|place| place.phase).map(|phase| phase as usize),
            command,
            trail: Trail {
                all: Rc::clone(&self.cursor.steps),
                beat,
            },
            sentence: sentence.unwrap_or_else(|| sentence::of_set_up(&before)),
            before,
            view: moment.view(),
            extents: self.run.extents.clone(),
        }
    }

    /// The partition at a frame, after its beat.
    pub fn state(&mut self, index: usize) -> PartitionState {
        self.moment(index).partition
    }

    /// The consumer at a frame, after its beat.
    pub fn consumer(&mut self, index: usize) -> Consumer {
        self.moment(index).consumer
    }

    fn moment(&mut self, index: usize) -> Moment {
        let place = self.seek(index);
        let mut moment = self.cursor.before.clone();
        let beat = self.cursor.beat(place);
        moment.repeat(&self.cursor.steps[..beat.end]);
        moment
    }

    /// What a frame says, and its command, without its pictures.
    pub fn outline(&mut self, index: usize) -> (Sentence, String) {
        let place = self.seek(index);
        let (command, sentence) = self.outline_of(place);
        let of_set_up = || sentence::of_set_up(&self.cursor.before.view());
        (sentence.unwrap_or_else(of_set_up), command)
    }

    /// Runs the scenario again from its start and shows everything that happens.
    pub fn replay(&self, visit: &mut dyn FnMut(Event<'_>)) {
        if let Err(error) = run(&self.scenario, self.check, Some(visit)) {
            panic!("what has been run can be run again: {error}");
        }
    }

    /// A line's command, from 1, with the inputs filled in.
    pub(crate) fn line(&self, line: usize) -> String {
        self.scenario.command(line).map_or_else(String::new, Command::to_string)
    }

    /// The command of a frame that the cursor holds, and its sentence; `None` for a set-up of which nobody speaks.
    fn outline_of(&self, place: Option<FrameRef>) -> (String, Option<Sentence>) {
        let Some(place) = place else {
            return (String::new(), self.run.opening.clone());
        };
        let action = &self.run.actions[place.action as usize];
        let command = self.scenario.command(action.line);
        let text = command.map(|command| match action.settles {
            true => command.to_string(),
            false => command.repetition(place.repetition.into()).to_string(),
        });
        let sentence = match (self.cursor.beats.get(place.beat as usize), command) {
            (Some(beat), _) => sentence::of_beat(&self.cursor.steps[..beat.steps.end], beat),
            (None, Some(Command::Say(say))) => say.sentence.clone(),
            (None, _) => Sentence::default(),
        };
        (text.unwrap_or_default(), Some(sentence))
    }

    /// Makes the cursor hold the operation of a frame, and says what the frame is made from; `None` for the set-up.
    fn seek(&mut self, index: usize) -> Option<FrameRef> {
        let index = index.min(self.run.frames.len());
        let place = index.checked_sub(1).map(|index| self.run.frames[index]);
        // The set-up is a frame of no operation.
        let (first, end) = match place {
            None => (self.run.opened_at, self.run.opened_at),
            Some(place) => {
                let action = &self.run.actions[place.action as usize];
                let operation = action.first + u64::from(place.repetition);
                (operation - u64::from(place.carried), operation + 1)
            }
        };
        if self.cursor.operations == Some((first, end)) {
            return place;
        }
        let mut machine = self.machine_before(first);
        let before = Moment::of(&machine);
        let mut steps = Vec::new();
        for number in first..end {
            steps.extend(self.operation(number, &mut machine));
        }
        let beats = match place {
            None => Vec::new(),
            Some(place) => {
                let action = &self.run.actions[place.action as usize];
                let command = self.scenario.command(action.line).filter(|_| !action.settles);
                command_beats(command, &steps)
            }
        };
        self.cursor = Cursor {
            operations: Some((first, end)),
            before,
            machine: (end, machine),
            steps: steps.into(),
            beats,
        };
        place
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
            self.operation(at, &mut machine);
            at += 1;
        }
        machine
    }

    /// Does the operation with a number once more; what happened.
    fn operation(&self, number: u64, machine: &mut Machine) -> Vec<Step> {
        let behind = self.run.actions.partition_point(|action| action.first <= number);
        let Action { line, settles, first } = self.run.actions[behind - 1];
        let command = self.scenario.command(line).filter(|_| !settles);
        let one = command.map(|command| command.repetition(number - first));
        match machine.run(one.as_deref()) {
            Ok(outcome) => outcome.steps,
            Err(fault) => panic!("what has been run can be run again: {}", fault.problem()),
        }
    }
}

/// The partition and its consumer, without what made them.
#[derive(Clone, Debug)]
struct Moment {
    partition: PartitionState,
    consumer: Consumer,
}

impl Moment {
    fn of(machine: &Machine) -> Moment {
        Moment {
            partition: machine.partition.state().clone(),
            consumer: machine.consumer.clone(),
        }
    }

    /// Repeats the writes among some steps.
    fn repeat(&mut self, steps: &[Step]) {
        for step in steps {
            if let Err(error) = self.partition.apply(step) {
                panic!("a recorded write fits the state that it was recorded on: {error}");
            }
            self.consumer.apply(step);
        }
    }

    fn view(&self) -> PartitionView {
        self.partition.view().with_consumer(self.consumer.state())
    }
}

/// The operation that was looked at last, with those before it that only moved the clock.
#[derive(Clone, Debug)]
struct Cursor {
    /// The number of the first one, and the one behind the last.
    operations: Option<(u64, u64)>,
    /// What there was before them.
    before: Moment,
    /// The number of the operation that comes next, and the machine as it is before it.
    machine: (u64, Machine),
    steps: Rc<[Step]>,
    beats: Vec<Beat>,
}

impl Cursor {
    /// Which of the steps belong to the beat of a frame.
    fn beat(&self, place: Option<FrameRef>) -> Range<usize> {
        let beat = place.and_then(|place| self.beats.get(place.beat as usize));
        beat.map_or(0..0, |beat| beat.steps.clone())
    }
}
