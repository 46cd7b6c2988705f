//! Settings and inputs: `set`, `input`.

use partition_log::config::{SettingError, SettingScope, Settings, Spec, Value};

use super::{Definition, Kind, Words};
use crate::language::amount::Measure;
use crate::language::args::{Args, Pair, Text, input_name, pair, read_amount, signed_amount, unexpected};
use crate::language::input::{Domain, Input, InputName, InputValue};
use crate::language::print::{Printer, free, list};
use crate::language::problem::clip;
use crate::language::written::{POLICY, Written, reset_policy};
use crate::language::{Fault, Problem};
use crate::machine::{Machine, Outcome};

/// `set segment.bytes=300B`: settings under Kafka's keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set(pub Vec<Setting>);

/// A key of Kafka's and the value to give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The key, as written: a topic's, a broker's or a consumer's.
    pub key: String,
    /// The value.
    pub value: Written<Value>,
}

impl Words for Set {
    const NAME: &'static str = "set";
    const GRAMMAR: &'static str = "KEY \"=\" ( quantity | WORD ) { KEY \"=\" ( quantity | WORD ) }";

    fn parse(args: &mut Args<'_, '_>) -> Result<Set, Fault> {
        let pairs = args.some_pairs("a setting, such as segment.bytes=300B")?;
        let settings = pairs.into_iter().map(|pair| setting(args, pair));
        Ok(Set(settings.collect::<Result<_, Fault>>()?))
    }
}

fn setting(args: &Args<'_, '_>, Pair { key, value, quoted }: Pair<'_>) -> Result<Setting, Fault> {
    let check = |literal: &Value| {
        Settings::check(key.text, literal).map_err(|error| {
            let unknown = matches!(error, SettingError::UnknownKey { .. });
            Fault::at(if unknown { key.column } else { value.column }, Problem::Setting(error))
        })
    };
    let digits = value.text.strip_prefix('-').unwrap_or(value.text);
    let read = if value.text.starts_with('$') && !quoted {
        let (input, given) = args.scope.declared(value.behind(1))?;
        let (Domain::Number { low, high, .. }, InputValue::Number(given)) = (&input.domain, given) else {
            return Err(value.unexpected("a number; the policy is set by `reset $reset`"));
        };
        // What an input can bring is checked here with its ends, so that no value a reader picks is refused later.
        check(&low.value())?;
        check(&high.value())?;
        Written::of_input(given.value(), given.to_string(), input.name)
    } else if !quoted && digits.starts_with(|c: char| c.is_ascii_digit()) {
        let amount = read_amount(value, "a number, a size such as 300B, or a time such as 30s")?;
        Written::new(amount.value(), amount.to_string())
    } else {
        Written::new(Value::Word(value.text.to_string()), free(value.text))
    };
    check(&read)?;
    Ok(Setting {
        key: key.text.to_string(),
        value: read,
    })
}

impl Definition for Set {
    fn print(&self, words: &mut Printer) {
        for Setting { key, value } in &self.0 {
            words.pair(key, Some(&words.shown(value)));
        }
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        let mut outcome = Outcome::default();
        for (Setting { key, value }, word) in self.0.iter().zip(1..) {
            let fault = |error| Fault::in_word(word, Problem::Setting(error));
            let broker = Spec::find(key).is_some_and(|spec| spec.scope == SettingScope::Broker);
            if broker && machine.clock() > machine.partition.state().started() {
                return Err(fault(SettingError::BrokerRunning { key: key.clone() }));
            }
            let trace = machine.partition.trace(|partition| partition.set(key, value));
            // Some of the settings are the consumer's.
            trace.steps.iter().for_each(|step| machine.consumer.apply(step));
            outcome.steps.extend(trace.steps);
            trace.outcome.map_err(fault)?;
        }
        Ok(outcome)
    }
}

impl Set {
    /// Changes the settings that a partition is to be made with.
    pub(crate) fn change(&self, settings: &mut Settings) -> Result<(), Fault> {
        for (Setting { key, value }, word) in self.0.iter().zip(1..) {
            let set = settings.set(key, value);
            set.map_err(|error| Fault::in_word(word, Problem::Setting(error)))?;
        }
        Ok(())
    }
}

impl Words for Input {
    const NAME: &'static str = "input";
    const GRAMMAR: &'static str = "( NUMBER-INPUT \"=\" quantity \"range=\" quantity \"..\" quantity | \"reset=\" policy \
                                   \"choice=\" policy { \",\" policy } ) [ \"label=\" text ]";

    fn parse(args: &mut Args<'_, '_>) -> Result<Input, Fault> {
        const EXPECTED: &str = "a name and its default, such as offset=9";
        let word = args.words.next().ok_or_else(|| args.missing(EXPECTED))?;
        let first = pair(word).ok_or_else(|| unexpected(word, EXPECTED))?;
        let (name, default) = (input_name(first.key)?, first.value);
        if args.scope.inputs.iter().any(|(input, _)| input.name == name) {
            let name = name.as_str();
            return Err(Fault::at(first.key.column, Problem::InputTwice { name }));
        }
        let mut pairs = args.pairs()?;
        let values = if name.measure().is_some() { "range" } else { "choice" };
        let values = pairs.option(values, Ok)?;
        let label = pairs.option("label", |label| Ok(label.text.to_string()))?;
        pairs.done()?;
        let domain = match name.measure() {
            Some(measure) => {
                let range = values.ok_or_else(|| args.missing("the values it can take, such as range=0..20"))?;
                number_domain(name, measure, default, range)?
            }
            None => {
                let choice =
                    values.ok_or_else(|| args.missing("the values it can take, such as choice=latest,none"))?;
                policy_domain(default, choice)?
            }
        };
        let input = Input { name, label, domain };
        if input.read(default.text).is_err() {
            let problem = Problem::DefaultOutsideRange {
                name: name.as_str(),
                default: clip(default.text),
                range: input.range(),
            };
            return Err(Fault::at(default.column, problem));
        }
        let value = match args.scope.given.get(name.as_str()) {
            None => input.default(),
            Some(text) => input.read(text).map_err(|_| Fault::outside(refused(&input, text)))?,
        };
        args.scope.inputs.push((input.clone(), value));
        Ok(input)
    }
}

/// An input cannot have a value.
pub(super) fn refused(input: &Input, text: &str) -> Problem {
    Problem::InputValue {
        name: input.name.as_str(),
        found: clip(text),
        range: input.range(),
    }
}

impl Definition for Input {
    fn print(&self, words: &mut Printer) {
        let name = self.name.as_str();
        match &self.domain {
            Domain::Number { default, low, high } => {
                words.pair(name, Some(&default.to_string()));
                words.pair("range", Some(&format!("{low}..{high}")));
            }
            Domain::Policy { default, choices } => {
                words.pair(name, Some(&default.to_string()));
                words.pair("choice", Some(&list(choices)));
            }
        }
        words.text("label", self.label.as_deref());
    }

    fn kind(&self) -> Kind {
        Kind::Declares
    }
}

fn number_domain(name: InputName, measure: Measure, default: Text<'_>, range: Text<'_>) -> Result<Domain, Fault> {
    const RANGE: &str = "two numbers that rise, such as 0..20";
    let default = signed_amount(default, measure)?;
    // The search for a text, not for bytes, would be 3 kB of WebAssembly.
    let dots = range.text.as_bytes().windows(2).position(|pair| pair == b"..");
    let dots = dots.ok_or_else(|| range.unexpected(RANGE))?;
    let (low_text, high) = (&range.text[..dots], &range.text[dots + 2..]);
    let high = Text {
        text: high,
        column: range.column + low_text.chars().count() + 2,
    };
    let low_text = Text {
        text: low_text,
        ..range
    };
    let (low, high) = (signed_amount(low_text, measure)?, signed_amount(high, measure)?);
    if low.base() < name.least() {
        let problem = Problem::OutOfRange {
            found: clip(low_text.text),
            what: name.as_str(),
            min: name.least(),
            max: i64::MAX,
        };
        return Err(Fault::at(low_text.column, problem));
    }
    if low.base() > high.base() {
        return Err(range.unexpected(RANGE));
    }
    Ok(Domain::Number { default, low, high })
}

fn policy_domain(default: Text<'_>, choice: Text<'_>) -> Result<Domain, Fault> {
    let read = |text: Text<'_>| reset_policy(text.text).ok_or_else(|| text.unexpected(POLICY));
    let mut choices: Vec<Written<_>> = Vec::new();
    for word in choice.parts(',') {
        let policy = read(word)?;
        if choices.iter().any(|known| **known == *policy) {
            return Err(Fault::at(word.column, Problem::KeyTwice { key: clip(word.text) }));
        }
        choices.push(policy);
    }
    Ok(Domain::Policy {
        default: read(default)?,
        choices,
    })
}
