//! A scenario with its inputs filled in, checked as far as that goes without running it.
//!
//! Times are absolute from here on, repetitions are counted and not unrolled, and the limits hold.

mod appends;
mod broker;

use std::collections::BTreeMap;

use partition_log::Offset;
use partition_log::config::{Scope, SettingError, Settings, Spec, Value};
use partition_log::rules::reset::ResetPolicy;
use partition_log::units::TimestampMs;

use crate::language::{
    Amount, Command, CommitOffset, Expectation, FetchFrom, FindTime, Format, HighWatermark, Input, InputName,
    InputValue, Line, Piece, Place, Policy, Problem, Quantity, ResetTo, Scenario, ScenarioError, SettingValue, limits,
    pieces,
};
use crate::operation::{Commit, Fetch, Operation, Search};
use crate::sentence::{Role, Sentence, SentenceBuilder};
use appends::Appends;
use broker::Producers;

/// Values for inputs, by name; what is not named keeps its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputValues(pub BTreeMap<String, String>);

impl InputValues {
    /// Every input at its default.
    pub fn defaults() -> InputValues {
        InputValues::default()
    }

    /// One more value.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> InputValues {
        self.0.insert(name.to_string(), value.to_string());
        self
    }
}

/// What is to be run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The settings that the partition is created with.
    pub settings: Settings,
    /// The actions, in order.
    pub actions: Vec<Action>,
    /// Whether every input has its default, so that expectations hold.
    pub defaults: bool,
    /// `$name` and what stands for it.
    pub substitutions: Vec<(String, String)>,
}

impl Plan {
    /// A command's text with the values in place of the inputs' names.
    pub fn fill(&self, text: String) -> String {
        let mut filled = String::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find('$') {
            filled.push_str(&rest[..at]);
            rest = &rest[at..];
            let known = self.substitutions.iter().find(|(name, _)| rest.starts_with(name));
            let (name, value) = known.map_or(("$", "$"), |(name, value)| (name, value));
            filled.push_str(value);
            rest = &rest[name.len()..];
        }
        filled + rest
    }
}

/// One line, ready to be run.
#[derive(Clone, Debug)]
pub(crate) struct Action {
    /// Index of the line in the scenario.
    pub line: usize,
    /// The clock before it.
    pub clock: i64,
    /// What to do.
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Do(Operation),
    Append(Appends),
    Phase(PhaseMark),
    Say(Sentence),
    Expect(Vec<Expectation>),
}

/// Where a phase begins.
#[derive(Clone, Debug)]
pub(crate) struct PhaseMark {
    pub id: String,
    pub title: String,
    pub from: Option<crate::language::Stage>,
}

impl Action {
    /// How many operations it is.
    pub fn operations(&self) -> u64 {
        match &self.kind {
            Kind::Append(appends) => appends.operations(),
            Kind::Phase(_) => 0,
            _ => 1,
        }
    }

    /// One of its operations; `None` if it does nothing to the partition.
    pub fn operation(&self, repetition: u64) -> Option<Operation> {
        match &self.kind {
            Kind::Do(operation) => Some(operation.clone()),
            Kind::Append(appends) => Some(appends.operation(self.clock, repetition)),
            Kind::Phase(_) | Kind::Say(_) | Kind::Expect(_) => None,
        }
    }
}

/// Fills in the inputs and checks everything that can be checked before a run.
pub(crate) fn plan(scenario: &Scenario, values: &InputValues) -> Result<Plan, ScenarioError> {
    let inputs = Inputs::read(scenario, values)?;
    let mut planner = Planner::new(&inputs);
    for (index, line) in scenario.lines.iter().enumerate() {
        if let Some(command) = &line.command {
            planner.command(index, command).map_err(|fault| fault.at(index, line))?;
        }
    }
    planner.settle_before(scenario.lines.len().saturating_sub(1));
    let substitutions = inputs
        .values
        .iter()
        .map(|(input, value)| (format!("${}", input.name), value.to_string()));
    Ok(Plan {
        settings: planner.settings,
        actions: planner.actions,
        defaults: inputs.all_default,
        substitutions: substitutions.collect(),
    })
}

/// The values of the inputs in this run.
pub(crate) struct Inputs<'a> {
    values: Vec<(&'a Input, InputValue)>,
    all_default: bool,
}

impl<'a> Inputs<'a> {
    fn read(scenario: &'a Scenario, values: &InputValues) -> Result<Inputs<'a>, ScenarioError> {
        let declared: Vec<&Input> = scenario.inputs().collect();
        let fault = |problem| ScenarioError { place: None, problem };
        for name in values.0.keys() {
            if !declared.iter().any(|input| input.name.as_str() == name) {
                let known = declared.iter().map(|input| input.name.as_str()).collect();
                return Err(fault(Problem::NoSuchInput {
                    found: name.chars().take(40).collect(),
                    known,
                }));
            }
        }
        let mut all_default = true;
        let mut read = Vec::with_capacity(declared.len());
        for input in declared {
            let value = match values.0.get(input.name.as_str()) {
                None => input.default(),
                Some(text) => input.read(text).map_err(|_| fault(refused(input, text)))?,
            };
            all_default &= value.same(&input.default());
            read.push((input, value));
        }
        Ok(Inputs {
            values: read,
            all_default,
        })
    }

    fn value(&self, name: InputName) -> Option<InputValue> {
        self.values
            .iter()
            .find(|(input, _)| input.name == name)
            .map(|(_, value)| *value)
    }

    fn amount(&self, quantity: Quantity) -> Option<Amount> {
        match quantity {
            Quantity::Written(amount) => Some(amount),
            Quantity::Input(name) => match self.value(name)? {
                InputValue::Number(amount) => Some(amount),
                InputValue::Policy(_) => None,
            },
        }
    }

    /// A number in bytes, milliseconds, or plain; the parser has made sure that the input exists and fits.
    fn base(&self, quantity: Quantity) -> i64 {
        self.amount(quantity).map_or(0, Amount::base)
    }
}

fn refused(input: &Input, text: &str) -> Problem {
    Problem::InputValue {
        name: input.name.as_str(),
        found: text.chars().take(40).collect(),
        range: input.range(),
    }
}

/// A problem and the word of its line that it is about; in a box, since it is passed on at every other line.
struct Fault(Box<(usize, Problem)>);

impl Fault {
    fn new(word: usize, problem: Problem) -> Fault {
        Fault(Box::new((word, problem)))
    }

    fn at(self, index: usize, line: &Line) -> ScenarioError {
        let (word, problem) = *self.0;
        let column = line.columns.get(word).or(line.columns.first()).copied().unwrap_or(1);
        ScenarioError {
            place: Some(Place {
                line: index + 1,
                column,
            }),
            problem,
        }
    }
}

struct Planner<'a> {
    inputs: &'a Inputs<'a>,
    settings: Settings,
    actions: Vec<Action>,
    clock: TimestampMs,
    format: Format,
    appends: u64,
    log_bytes: u64,
    /// Whether only settings were seen so far.
    at_start: bool,
    /// Whether work may be due at this instant.
    unsettled: bool,
    /// Whether the broker is down.
    down: bool,
    producers: Producers,
}

impl<'a> Planner<'a> {
    fn new(inputs: &'a Inputs<'a>) -> Planner<'a> {
        Planner {
            inputs,
            settings: Settings::default(),
            actions: Vec::new(),
            clock: TimestampMs::ZERO,
            format: Format::V1,
            appends: 0,
            log_bytes: 0,
            at_start: true,
            unsettled: true,
            down: false,
            producers: Producers::default(),
        }
    }

    fn push(&mut self, line: usize, kind: Kind) {
        self.at_start = false;
        // Whatever is done can leave work for this instant: a deletion without a delay, for one.
        self.unsettled |= match &kind {
            Kind::Do(operation) => *operation != Operation::Settle,
            Kind::Append(_) => true,
            Kind::Phase(_) | Kind::Say(_) | Kind::Expect(_) => false,
        };
        self.actions.push(Action {
            line,
            clock: self.clock.get(),
            kind,
        });
    }

    fn settle_before(&mut self, line: usize) {
        if self.unsettled {
            // The work belongs to the command that brought the clock here.
            let line = self.actions.last().map_or(line, |action| action.line);
            self.push(line, Kind::Do(Operation::Settle));
            self.unsettled = false;
        }
    }

    fn command(&mut self, line: usize, command: &Command) -> Result<(), Fault> {
        self.check_running(command)?;
        let kind = match command {
            Command::Title(_) | Command::Try(_) | Command::Input(_) => return Ok(()),
            Command::Format(format) => {
                self.format = *format;
                return Ok(());
            }
            Command::Set(settings) => return self.set(line, settings),
            Command::Expect(expectations) => {
                self.settle_before(line);
                self.push(line, Kind::Expect(expectations.clone()));
                return Ok(());
            }
            Command::Append(append) => self.append(append)?,
            Command::Batch(batch) => self.batch(batch)?,
            Command::Wait(span) => {
                let to = self.clock.checked_add(self.inputs.base(*span));
                let to = to.ok_or_else(|| Fault::new(1, Problem::ClockTooLarge))?;
                Kind::Do(Operation::AdvanceTo(to))
            }
            Command::At(time) => {
                let asked = TimestampMs::new(self.inputs.base(*time)).unwrap_or_default();
                if asked < self.clock {
                    return Err(Fault::new(1, Problem::ClockBackwards { now: self.clock, asked }));
                }
                Kind::Do(Operation::AdvanceTo(asked))
            }
            Command::Fetch { from, max, isolation } => {
                let from = match from {
                    FetchFrom::Offset(offset) => Fetch::Offset(self.offset(*offset)),
                    FetchFrom::Committed => Fetch::Committed,
                    FetchFrom::Next => Fetch::Next,
                    FetchFrom::Rest => Fetch::Rest,
                };
                Kind::Do(Operation::Fetch {
                    from,
                    limit: max.map(|max| self.inputs.base(max) as u64),
                    isolation: isolation.unwrap_or_default(),
                })
            }
            Command::FindTime(what) => Kind::Do(Operation::FindTime(match what {
                FindTime::Time(time) => Search::Time(TimestampMs::new(self.inputs.base(*time)).unwrap_or_default()),
                FindTime::Earliest => Search::Earliest,
                FindTime::Latest => Search::Latest,
                FindTime::MaxTimestamp => Search::MaxTimestamp,
                FindTime::EarliestLocal => Search::EarliestLocal,
                FindTime::LatestTiered => Search::LatestTiered,
                FindTime::EarliestPendingUpload => Search::EarliestPendingUpload,
            })),
            Command::CheckRetention => Kind::Do(Operation::CheckRetention),
            Command::Commit(offset) => Kind::Do(Operation::Commit(match offset {
                CommitOffset::Offset(offset) => Commit::Offset(Some(self.offset(*offset))),
                CommitOffset::Next => Commit::Next,
                CommitOffset::None => Commit::Offset(None),
            })),
            Command::Reset(to) => Kind::Do(Operation::Reset(self.policy(*to))),
            Command::HighWatermark(HighWatermark::At(offset)) => {
                Kind::Do(Operation::HighWatermark(Some(self.offset(*offset))))
            }
            Command::HighWatermark(HighWatermark::Follow) => Kind::Do(Operation::HighWatermark(None)),
            Command::DeleteRecords(offset) => Kind::Do(Operation::DeleteRecords(self.offset(*offset))),
            Command::Phase { id, title, from } => Kind::Phase(PhaseMark {
                id: id.clone(),
                title: title.clone(),
                from: *from,
            }),
            Command::Say(text) => Kind::Say(self.say(text)?),
            Command::Broker(command) => match self.broker(command)? {
                Some(kind) => kind,
                None => return Ok(()),
            },
        };
        let moves_to = match &kind {
            Kind::Do(Operation::AdvanceTo(to)) => Some(*to),
            Kind::Append(appends) => TimestampMs::new(self.clock.get() + appends.span()),
            _ => None,
        };
        self.push(line, kind);
        if let Some(to) = moves_to {
            self.clock = to;
        }
        Ok(())
    }

    fn set(&mut self, line: usize, settings: &[crate::language::Setting]) -> Result<(), Fault> {
        let mut changes = Vec::with_capacity(settings.len());
        for (index, setting) in settings.iter().enumerate() {
            let fault = |error| Fault::new(index + 1, Problem::Setting(error));
            let value = match &setting.value {
                SettingValue::Amount(amount) => amount.value(),
                SettingValue::Word(word) => Value::Word(word.clone()),
                SettingValue::Input(name) => self
                    .inputs
                    .amount(Quantity::Input(*name))
                    .map_or(Value::Number(0), Amount::value),
            };
            Settings::check(&setting.key, &value).map_err(fault)?;
            let broker = Spec::find(&setting.key).is_some_and(|spec| spec.scope == Scope::Broker);
            if broker && self.clock > TimestampMs::ZERO {
                return Err(fault(SettingError::BrokerRunning {
                    key: setting.key.clone(),
                }));
            }
            if self.at_start {
                self.settings.set(&setting.key, &value).map_err(fault)?;
            }
            changes.push((setting.key.clone(), value));
        }
        if !self.at_start {
            self.push(line, Kind::Do(Operation::Set(changes)));
        }
        Ok(())
    }

    /// A count; one from an input is checked here.
    fn within(&self, quantity: Quantity, what: &'static str, min: i64, max: i64) -> Result<i64, Fault> {
        let value = self.inputs.base(quantity);
        if (min..=max).contains(&value) {
            Ok(value)
        } else {
            Err(Fault::new(
                0,
                Problem::OutOfRange {
                    found: value.to_string(),
                    what,
                    min,
                    max,
                },
            ))
        }
    }

    fn offset(&self, quantity: Quantity) -> Offset {
        Offset::new(self.inputs.base(quantity)).unwrap_or_default()
    }

    fn policy(&self, to: ResetTo) -> ResetPolicy {
        let policy = match to {
            ResetTo::Policy(policy) => policy,
            ResetTo::Input(name) => match self.inputs.value(name) {
                Some(InputValue::Policy(policy)) => policy,
                _ => Policy::Latest,
            },
        };
        match policy {
            Policy::Earliest => ResetPolicy::Earliest,
            Policy::Latest => ResetPolicy::Latest,
            Policy::None => ResetPolicy::None,
            Policy::ByDuration(span) => ResetPolicy::ByDuration {
                ms: self.inputs.base(span),
            },
        }
    }

    fn say(&self, text: &str) -> Result<Sentence, Fault> {
        let mut sentence = SentenceBuilder::default();
        for piece in pieces(text) {
            match piece {
                Piece::Text(text) => sentence.push(Role::Plain, text),
                Piece::Input(name) => {
                    let value = InputName::find(name).and_then(|name| self.inputs.value(name));
                    sentence.push(Role::Setting, &value.map(|value| spoken(&value)).unwrap_or_default());
                }
            }
        }
        let sentence = sentence.finish();
        let length = sentence.length();
        if length > limits::SENTENCE {
            return Err(Fault::new(
                1,
                Problem::SentenceTooLong {
                    length,
                    max: limits::SENTENCE,
                },
            ));
        }
        Ok(sentence)
    }
}

/// A value as a sentence says it: `31 s`, not `31s`.
fn spoken(value: &InputValue) -> String {
    match value {
        InputValue::Number(amount) => match amount.unit() {
            None => amount.to_string(),
            Some(_) => amount.value().to_string(),
        },
        InputValue::Policy(policy) => policy.to_string(),
    }
}
