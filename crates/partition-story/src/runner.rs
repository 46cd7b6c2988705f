//! The run of a scenario, command after command: the only interpreter of stories. It shows what happens to whoever wants
//! to see it, divides it into frames, and notes what each expectation found.

use std::collections::VecDeque;

use partition_log::config::Settings;
use partition_log::disk::{FileChange, Vfs};
use partition_log::error::LogError;
use partition_log::state::MemoryChange;
use partition_log::step::LoadStep;
use partition_log::step::Step;
use partition_log::units::Offset;
use partition_log::{Partition, ReadOutcome};

use crate::beat::{Beat, beats, stage};
use crate::checkpoint::Checkpoints;
use crate::event::{Done, Event};
use crate::expectation::{Check, Checked, Facts, noted};
use crate::frame::{Census, Extents, Phase};
use crate::language::commands::{self, Expect, Kind};
use crate::language::{Command, Fault, Problem, Scenario, ScenarioError, Stage, limits};
use crate::machine::{Machine, Outcome};
use crate::sentence::Sentence;

/// Decides the jitter of segments, where a scenario asks for jitter.
const SEED: u64 = 0;

/// A command of the scenario, or work that was still due behind one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Action {
    /// Line in the scenario, from 1.
    pub line: usize,
    /// Whether it is the work that was still due.
    pub settles: bool,
    /// The number of its first operation. Each repetition of a command is one.
    pub first: u64,
}

/// What a frame is made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameRef {
    /// Index of the action.
    pub action: u32,
    /// Which of its repetitions.
    pub repetition: u32,
    /// Which of the beats of that.
    pub beat: u32,
    /// How many operations before this one only moved the clock; they belong to it.
    pub carried: u32,
    /// Index of the phase.
    pub phase: Option<u32>,
}

/// What a run leaves behind.
#[derive(Clone, Debug)]
pub(crate) struct Ran {
    /// The settings that the partition was created with.
    pub settings: Settings,
    /// Everything that was done, in order.
    pub actions: Vec<Action>,
    /// All frames but the first, which is the set-up.
    pub frames: Vec<FrameRef>,
    /// The phases that have frames.
    pub phases: Vec<Phase>,
    /// The most there is of anything.
    pub extents: Extents,
    /// Every expectation.
    pub expectations: Vec<Checked>,
    /// The author's sentence for the first frame.
    pub opening: Option<Sentence>,
    /// Where to run on from.
    pub checkpoints: Checkpoints,
    /// First operation after the set-up.
    pub opened_at: u64,
}

/// Operations that only moved the clock, until something follows.
struct Carry {
    /// Number of the first one.
    first: u64,
    /// Number of the last one, and its action.
    last: u64,
    action: usize,
    steps: Vec<Step>,
}

/// A run under way.
struct Runner<'a> {
    scenario: &'a Scenario,
    check: Option<Check>,
    watch: Watch<'a>,
    machine: Machine,
    ran: Ran,
    census: Census,
    /// Phases that have not begun; they begin in order.
    waiting: VecDeque<&'a commands::Phase>,
    carry: Option<Carry>,
    /// Whether the set-up is over.
    shown: bool,
    /// Whether work may be due at this instant.
    unsettled: bool,
    /// Number of the next operation.
    next: u64,
    last_read: Option<ReadOutcome>,
    last_error: Option<LogError>,
    /// Segments that the last start read again, each with the bytes read.
    recovered: Vec<(Offset, u64)>,
    /// Bytes written to files so far.
    written: u64,
    /// Bytes that starts have read.
    started: u64,
}

/// Sees everything that happens in a run.
pub(crate) type Watch<'a> = Option<&'a mut dyn FnMut(Event<'_>)>;

/// Runs a scenario; without `check` expectations are only noted. A run that is watched leaves nothing to run on from: it was
/// run before.
///
/// # Errors
///
/// The first command that makes no sense where it stands, or asks for what the model cannot do and Kafka has no name for.
pub(crate) fn run<'a>(
    scenario: &'a Scenario,
    check: Option<Check>,
    mut watch: Watch<'a>,
) -> Result<Ran, ScenarioError> {
    // Settings above everything that is done are there when the partition is made.
    let numbered = || scenario.commands();
    let first = numbered()
        .find(|(_, command)| command.begins())
        .map_or(usize::MAX, |(line, _)| line);
    let place = |line: usize, fault: Fault| {
        let columns = scenario.lines.get(line - 1).map(|line| line.columns.as_slice());
        fault.in_line(line, columns.unwrap_or_default())
    };
    let mut settings = Settings::default();
    for (line, command) in numbered().take_while(|(line, _)| *line < first) {
        if let Command::Set(set) = command {
            set.change(&mut settings).map_err(|fault| place(line, fault))?;
        }
    }
    let created = Partition::create_at(scenario.start(), settings.clone(), SEED);
    let impossible = |error| Fault::in_word(0, Problem::Impossible(error));
    let set = numbered().find(|(_, command)| matches!(command, Command::Set(_)));
    let set = set.map_or(1, |(line, _)| line);
    let partition = created.map_err(|error| place(set, impossible(error)))?;
    if let Some(watch) = &mut watch {
        watch(Event::Created(partition.steps()));
    }
    let mut census = Census::default();
    partition.steps().iter().for_each(|step| census.count(step));
    let machine = Machine::new(partition);
    let mut runner = Runner {
        scenario,
        check,
        watch,
        ran: Ran {
            settings,
            actions: Vec::new(),
            frames: Vec::new(),
            phases: Vec::new(),
            extents: Extents::default(),
            expectations: Vec::new(),
            opening: None,
            checkpoints: Checkpoints::new(machine.clone()),
            opened_at: 0,
        },
        machine,
        census,
        waiting: VecDeque::new(),
        carry: None,
        shown: false,
        unsettled: true,
        next: 0,
        last_read: None,
        last_error: None,
        recovered: Vec::new(),
        written: 0,
        started: 0,
    };
    if !numbered().any(|(_, command)| matches!(command, Command::Phase(_))) {
        runner.begin();
    }
    for (line, command) in numbered() {
        if line < first && matches!(command, Command::Set(_)) {
            continue;
        }
        runner
            .command(line, command)
            .map_err(|(line, fault)| place(line, fault))?;
    }
    runner
        .settle(scenario.lines.len().max(1))
        .map_err(|(line, fault)| place(line, fault))?;
    Ok(runner.finish())
}

/// A fault and the line that it is in, from 1.
type LineFault = (usize, Fault);

impl<'a> Runner<'a> {
    fn show(&mut self, event: Event<'_>) {
        if let Some(watch) = &mut self.watch {
            watch(event);
        }
    }

    /// The set-up is over.
    fn begin(&mut self) {
        if !self.shown {
            self.shown = true;
            self.ran.opened_at = self.next;
            self.census.start();
        }
    }

    fn command(&mut self, line: usize, command: &'a Command) -> Result<(), LineFault> {
        match command {
            Command::Expect(Expect(expectations)) => {
                self.settle(line)?;
                self.action(line, false);
                self.next += 1;
                let facts = Facts {
                    state: self.machine.partition.state(),
                    consumer: &self.machine.consumer,
                    read: self.last_read.as_ref(),
                    error: self.last_error.as_ref(),
                    recovered: &self.recovered,
                };
                let text = command.to_string();
                for expectation in expectations {
                    let mut checked = noted(expectation, line, &text);
                    if let Some(check) = self.check.filter(|_| self.scenario.defaults) {
                        check(&mut checked, expectation, &facts);
                    }
                    if let Some(watch) = &mut self.watch {
                        watch(Event::Expected(&checked));
                    }
                    self.ran.expectations.push(checked);
                }
            }
            Command::Phase(phase) => {
                self.begin();
                self.action(line, false);
                self.next += 1;
                if phase.from.is_none() {
                    self.waiting.clear();
                }
                self.waiting.push_back(phase);
                self.show(Event::Phase { line, phase });
            }
            Command::Say(say) => {
                let action = self.action(line, false);
                self.show(Event::Said { line, say });
                if self.shown {
                    self.flush();
                    self.frame(action, 0, 0, 0, None);
                } else {
                    self.ran.opening = Some(say.sentence.clone());
                }
                self.next += 1;
            }
            _ => {
                let action = self.action(line, false);
                for number in 0..command.definition().repetitions() {
                    let one = command.repetition(number);
                    self.operation(action, number, Some(&one))
                        .map_err(|fault| (line, fault))?;
                }
                // Whatever is done can leave work for this instant: a deletion without a delay, for one.
                self.unsettled |= command.definition().kind() != Kind::Declares;
            }
        }
        Ok(())
    }

    /// Does what is due at this instant.
    fn settle(&mut self, line: usize) -> Result<(), LineFault> {
        if core::mem::take(&mut self.unsettled) {
            // The work belongs to the command that brought the clock here.
            let line = self.acted().unwrap_or(line);
            let action = self.action(line, true);
            self.operation(action, 0, None).map_err(|fault| (line, fault))?;
        }
        Ok(())
    }

    /// The line of the last command that is more than a declaration.
    fn acted(&self) -> Option<usize> {
        let more = |line: &usize| {
            let command = self.scenario.command(*line);
            command.is_some_and(|command| command.definition().kind() != Kind::Declares)
        };
        self.ran.actions.iter().rev().map(|action| action.line).find(more)
    }

    fn action(&mut self, line: usize, settles: bool) -> usize {
        self.ran.actions.push(Action {
            line,
            settles,
            first: self.next,
        });
        self.ran.actions.len() - 1
    }

    /// One repetition of a command, or what is due.
    fn operation(&mut self, action: usize, repetition: u64, command: Option<&Command>) -> Result<(), Fault> {
        let number = self.next;
        self.next += 1;
        if self.watch.is_none() {
            self.ran.checkpoints.offer(number, &self.machine);
        }
        let began = self.machine.clock();
        let outcome = self.machine.run(command)?;
        if let Some(error) = outcome.error.as_ref().filter(|error| error.kafka_name().is_none()) {
            return Err(Fault::in_word(0, Problem::Impossible(error.clone())));
        }
        let starts = matches!(command, Some(Command::Start(_)));
        self.weigh(starts, &outcome.steps)?;
        let kind = command.map_or(Kind::MovesClock, |command| command.definition().kind());
        if kind == Kind::Declares {
            return Ok(());
        }
        outcome.steps.iter().for_each(|step| self.census.count(step));
        if starts {
            self.recovered = outcome.steps.iter().filter_map(recovered).collect();
        }
        let line = self.ran.actions[action].line;
        if let Some(watch) = &mut self.watch {
            watch(Event::Done(Done {
                line,
                command: command.or_else(|| self.scenario.command(line)),
                continues: command.is_none(),
                began,
                steps: &outcome.steps,
                error: outcome.error.as_ref(),
                read: outcome.read.as_ref(),
                sent: outcome.sent.as_ref(),
                appended: outcome.appended.as_ref(),
                state: self.machine.partition.state(),
                consumer: self.machine.consumer.state(),
            }));
        }
        let Outcome { steps, error, read, .. } = outcome;
        if self.shown && !steps.is_empty() {
            self.frames(action, repetition, command, steps);
        }
        match kind {
            Kind::MovesClock | Kind::Declares | Kind::Tells => {}
            Kind::Acts => self.last_error = error,
            Kind::Reads => {
                self.last_error = error;
                self.last_read = read;
            }
        }
        Ok(())
    }

    /// Counts what the broker writes and reads against the limits: a short text can make it write a snapshot of many
    /// producers at each of many rolls.
    fn weigh(&mut self, starts: bool, steps: &[Step]) -> Result<(), Fault> {
        /// What a file costs beside its bytes.
        const FILE: u64 = 1_024;
        let written = |step: &Step| match step {
            Step::File(
                FileChange::Appended { bytes, .. }
                | FileChange::Overwritten { bytes, .. }
                | FileChange::Replaced { bytes, .. },
            ) => bytes.len() as u64,
            _ => 0,
        };
        self.written += steps.iter().map(written).sum::<u64>();
        let max = limits::WRITTEN_BYTES;
        if self.written > max {
            return Err(Fault::in_word(0, Problem::TooMuchWritten { max }));
        }
        if starts {
            let state = self.machine.partition.state();
            self.started += state.log_size() + FILE * state.files().list().len() as u64;
            let max = limits::STARTS_BYTES;
            if self.started > max {
                return Err(Fault::in_word(0, Problem::TooManyStarts { max }));
            }
        }
        Ok(())
    }

    /// Makes the frames of an operation. One that only moves the clock is part of what comes next.
    fn frames(&mut self, action: usize, repetition: u64, command: Option<&Command>, steps: Vec<Step>) {
        let number = self.ran.actions[action].first + repetition;
        let only_clock = steps
            .iter()
            .all(|step| matches!(step, Step::Memory(MemoryChange::ClockMoved { .. })));
        let (first, steps) = match self.carry.take() {
            Some(mut carry) => {
                carry.steps.extend(steps);
                (carry.first, carry.steps)
            }
            None => (number, steps),
        };
        let moves_clock = command.is_some_and(|command| command.definition().kind() == Kind::MovesClock);
        if only_clock && moves_clock {
            self.carry = Some(Carry {
                first,
                last: number,
                action,
                steps,
            });
            return;
        }
        for (index, beat) in command_beats(command, &steps).iter().enumerate() {
            self.frame(action, repetition, index, number - first, stage(&steps, beat));
        }
    }

    /// A move of the clock that nothing follows is a frame of its own.
    fn flush(&mut self) {
        if let Some(carry) = self.carry.take() {
            self.frame(carry.action, 0, 0, carry.last - carry.first, None);
        }
    }

    fn frame(&mut self, action: usize, repetition: u64, beat: usize, carried: u64, stage: Option<Stage>) {
        // The set-up is frame 0.
        let index = self.ran.frames.len() + 1;
        let begins = |phase: &&commands::Phase| phase.from.is_none() || phase.from == stage;
        if let Some(phase) = self.waiting.front().copied().filter(begins) {
            self.waiting.pop_front();
            self.ran.phases.push(Phase {
                id: phase.id.clone(),
                title: phase.title.clone(),
                first: index,
                last: index,
            });
        }
        if let Some(phase) = self.ran.phases.last_mut() {
            phase.last = index;
        }
        // Limits of the language keep all of these below 2^32.
        self.ran.frames.push(FrameRef {
            action: action as u32,
            repetition: repetition as u32,
            beat: beat as u32,
            carried: carried as u32,
            phase: self.ran.phases.len().checked_sub(1).map(|phase| phase as u32),
        });
    }

    /// What is left when every command has been done.
    fn finish(mut self) -> Ran {
        self.flush();
        Ran {
            extents: self.census.extents(),
            ..self.ran
        }
    }
}

/// The beats of a command, or of what is due.
pub(crate) fn command_beats(command: Option<&Command>, steps: &[Step]) -> Vec<Beat> {
    let manner = command.map(|command| command.definition().manner());
    beats(steps, manner.unwrap_or_default())
}

/// A segment that was read again, and the bytes read.
fn recovered(step: &Step) -> Option<(Offset, u64)> {
    match step {
        Step::Load(LoadStep::Recovered { base, kept, cut, .. }) => Some((*base, kept + cut)),
        _ => None,
    }
}
