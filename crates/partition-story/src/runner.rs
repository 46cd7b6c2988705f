//! The run of a scenario: operation after operation, divided into frames on the way, with what each expectation found.

use std::collections::VecDeque;

use partition_log::ReadOutcome;
use partition_log::error::LogError;
use partition_log::load::LoadStep;
use partition_log::step::{MemoryChange, Step};
use partition_log::units::Offset;
use partition_log::vfs::{FileChange, Vfs};

use crate::beat::{Manner, beats, stage};
use crate::checkpoint::Checkpoints;
use crate::expectation::{Check, Checked, Facts, noted};
use crate::frame::{Census, Extents, Phase};
use crate::language::{Command, Problem, Stage, limits};
use crate::operation::{BrokerOperation, Fetch, Machine, Operation};
use crate::plan::{Action, Kind, PhaseMark, Plan};
use crate::sentence::Sentence;

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
    /// Of each action, its first operation.
    pub starts: Vec<u64>,
}

/// Where a frame comes from.
struct Moment {
    action: usize,
    repetition: u64,
    beat: usize,
    carried: u64,
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
pub(crate) struct Runner<'a> {
    plan: &'a Plan,
    machine: Machine,
    checkpoints: Checkpoints,
    census: Census,
    frames: Vec<FrameRef>,
    phases: Vec<Phase>,
    /// Phases that have not begun; they begin in order.
    waiting: VecDeque<PhaseMark>,
    carry: Option<Carry>,
    check: Option<Check>,
    expectations: Vec<Checked>,
    opening: Option<Sentence>,
    /// Index of the first action after the set-up.
    first: usize,
    opened_at: Option<u64>,
    starts: Vec<u64>,
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

impl<'a> Runner<'a> {
    /// A run that begins with the steps of a partition's creation; without `check` expectations are only noted.
    pub fn new(plan: &'a Plan, machine: Machine, created: &[Step], check: Option<Check>) -> Runner<'a> {
        let first = plan
            .actions
            .iter()
            .position(|action| matches!(action.kind, Kind::Phase(_)));
        let mut census = Census::default();
        created.iter().for_each(|step| census.count(step));
        Runner {
            plan,
            checkpoints: Checkpoints::new(machine.clone()),
            machine,
            census,
            frames: Vec::new(),
            phases: Vec::new(),
            waiting: VecDeque::new(),
            carry: None,
            check,
            expectations: Vec::new(),
            opening: None,
            first: first.unwrap_or(0),
            opened_at: None,
            starts: Vec::with_capacity(plan.actions.len()),
            next: 0,
            last_read: None,
            last_error: None,
            recovered: Vec::new(),
            written: 0,
            started: 0,
        }
    }

    /// Runs one action.
    ///
    /// # Errors
    ///
    /// What the model cannot do, and Kafka has no name for.
    pub fn action(&mut self, index: usize, action: &Action) -> Result<(), Problem> {
        self.starts.push(self.next);
        let shown = index >= self.first;
        if shown && self.opened_at.is_none() {
            self.opened_at = Some(self.next);
            self.census.start();
        }
        match &action.kind {
            Kind::Phase(mark) => {
                if mark.from.is_none() {
                    self.waiting.clear();
                }
                self.waiting.push_back(mark.clone());
                return Ok(());
            }
            Kind::Say(_) if shown => {
                self.flush();
                self.frame(
                    Moment {
                        action: index,
                        repetition: 0,
                        beat: 0,
                        carried: 0,
                    },
                    None,
                );
            }
            Kind::Say(sentence) => self.opening = Some(sentence.clone()),
            Kind::Expect(expectations) => {
                let facts = Facts {
                    state: self.machine.partition.state(),
                    read: self.last_read.as_ref(),
                    error: self.last_error.as_ref(),
                    recovered: &self.recovered,
                };
                let command = Command::Expect(expectations.clone()).to_string();
                for expectation in expectations {
                    let mut checked = noted(expectation, action.line + 1, &command);
                    if let Some(check) = self.check.filter(|_| self.plan.defaults) {
                        check(&mut checked, expectation, &facts);
                    }
                    self.expectations.push(checked);
                }
            }
            Kind::Do(_) | Kind::Append(_) => {
                for repetition in 0..action.operations() {
                    if let Some(operation) = action.operation(repetition) {
                        self.checkpoints.offer(self.next + repetition, &self.machine);
                        self.operation(index, action, repetition, &operation, shown)?;
                    }
                }
            }
        }
        self.next += action.operations();
        Ok(())
    }

    fn operation(
        &mut self,
        index: usize,
        action: &Action,
        repetition: u64,
        operation: &Operation,
        shown: bool,
    ) -> Result<(), Problem> {
        let outcome = self.machine.run(operation);
        if let Some(error) = outcome.error.as_ref().filter(|error| error.kafka_name().is_none()) {
            return Err(Problem::Impossible(error.clone()));
        }
        self.weigh(operation, &outcome.steps)?;
        outcome.steps.iter().for_each(|step| self.census.count(step));
        if matches!(operation, Operation::Broker(BrokerOperation::Start)) {
            self.recovered = outcome.steps.iter().filter_map(recovered).collect();
        }
        if shown {
            self.show(index, action, repetition, operation, outcome.steps);
        }
        if matches!(operation, Operation::Fetch { .. } | Operation::FindTime(_)) {
            self.last_read = outcome.read;
        }
        if !matches!(operation, Operation::Settle | Operation::AdvanceTo(_)) {
            self.last_error = outcome.error;
        }
        Ok(())
    }

    /// Counts what the broker writes and reads against the limits: a short text can make it write a snapshot of many
    /// producers at each of many rolls.
    fn weigh(&mut self, operation: &Operation, steps: &[Step]) -> Result<(), Problem> {
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
            return Err(Problem::TooMuchWritten { max });
        }
        if matches!(operation, Operation::Broker(BrokerOperation::Start)) {
            let state = self.machine.partition.state();
            self.started += state.log_size() + FILE * state.files().list().len() as u64;
            let max = limits::STARTS_BYTES;
            if self.started > max {
                return Err(Problem::TooManyStarts { max });
            }
        }
        Ok(())
    }

    /// Makes the frames of an operation. One that only moves the clock is part of what comes next.
    fn show(&mut self, index: usize, action: &Action, repetition: u64, operation: &Operation, steps: Vec<Step>) {
        let number = self.next + repetition;
        let only_clock = steps
            .iter()
            .all(|step| matches!(step, Step::Memory(MemoryChange::ClockMoved { .. })));
        if steps.is_empty() {
            return;
        }
        let (first, steps) = match self.carry.take() {
            Some(mut carry) => {
                carry.steps.extend(steps);
                (carry.first, carry.steps)
            }
            None => (number, steps),
        };
        if only_clock && matches!(operation, Operation::AdvanceTo(_)) {
            self.carry = Some(Carry {
                first,
                last: number,
                action: index,
                steps,
            });
            return;
        }
        let carried = number - first;
        for (number, beat) in beats(&steps, manner(&action.kind)).iter().enumerate() {
            self.frame(
                Moment {
                    action: index,
                    repetition,
                    beat: number,
                    carried,
                },
                stage(&steps, beat),
            );
        }
    }

    /// A move of the clock that nothing follows is a frame of its own.
    fn flush(&mut self) {
        if let Some(carry) = self.carry.take() {
            let carried = carry.last - carry.first;
            self.frame(
                Moment {
                    action: carry.action,
                    repetition: 0,
                    beat: 0,
                    carried,
                },
                None,
            );
        }
    }

    fn frame(&mut self, moment: Moment, stage: Option<Stage>) {
        // The set-up is frame 0.
        let index = self.frames.len() + 1;
        let begins = self
            .waiting
            .front()
            .is_some_and(|mark| mark.from.is_none() || mark.from == stage);
        if begins && let Some(mark) = self.waiting.pop_front() {
            self.phases.push(Phase {
                id: mark.id,
                title: mark.title,
                first: index,
                last: index,
            });
        }
        if let Some(phase) = self.phases.last_mut() {
            phase.last = index;
        }
        // Limits of the language keep all of these below 2^32.
        self.frames.push(FrameRef {
            action: moment.action as u32,
            repetition: moment.repetition as u32,
            beat: moment.beat as u32,
            carried: moment.carried as u32,
            phase: self.phases.len().checked_sub(1).map(|phase| phase as u32),
        });
    }

    /// What is left when every action has been run.
    pub fn finish(mut self) -> Ran {
        self.flush();
        if self.opened_at.is_none() {
            self.census.start();
        }
        Ran {
            frames: self.frames,
            phases: self.phases,
            extents: self.census.extents(),
            expectations: self.expectations,
            opening: self.opening,
            checkpoints: self.checkpoints,
            opened_at: self.opened_at.unwrap_or(self.next),
            starts: self.starts,
        }
    }
}

/// A segment that was read again, and the bytes read.
fn recovered(step: &Step) -> Option<(Offset, u64)> {
    match step {
        Step::Load(LoadStep::Recovered { base, kept, cut, .. }) => Some((*base, kept + cut)),
        _ => None,
    }
}

/// How closely the frames of an action look.
pub(crate) fn manner(kind: &Kind) -> Manner {
    match kind {
        Kind::Append(_) => Manner::Append,
        Kind::Do(Operation::Fetch {
            from: Fetch::Offset(_), ..
        }) => Manner::Closely,
        Kind::Do(Operation::Fetch { .. }) => Manner::Consumer,
        Kind::Do(_) | Kind::Phase(_) | Kind::Say(_) | Kind::Expect(_) => Manner::Closely,
    }
}
