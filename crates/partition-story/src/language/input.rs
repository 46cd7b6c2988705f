//! Inputs: the numbers of a scenario that a reader can change. One vocabulary for the language, for links and for
//! attributes of the element.

use core::fmt;

use partition_log::rules::reset::ResetPolicy;

use super::amount::{Amount, AmountError, Measure};
use super::written::{Written, reset_policy};

/// Values for inputs, by name; what is not named keeps its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputValues(Vec<(String, String)>);

impl InputValues {
    /// Every input at its default.
    pub fn defaults() -> InputValues {
        InputValues::default()
    }

    /// One more value.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> InputValues {
        self.set(name, value);
        self
    }

    /// Gives an input a value; whether it had none.
    pub fn set(&mut self, name: &str, value: &str) -> bool {
        let place = self.place(name);
        match place {
            Ok(known) => self.0[known].1 = value.to_string(),
            Err(free) => self.0.insert(free, (name.to_string(), value.to_string())),
        }
        place.is_err()
    }

    /// The value of an input; `None` where it keeps its default.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.place(name).ok().map(|place| self.0[place].1.as_str())
    }

    /// Names and values, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Where a name is, or would be.
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.as_str().cmp(name))
    }
}

/// The name of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InputName {
    /// An offset to read or to commit.
    Offset,
    /// A time to search for, or a record's timestamp.
    Time,
    /// How many records.
    Records,
    /// `segment.bytes`.
    SegmentBytes,
    /// `retention.ms`.
    RetentionMs,
    /// `retention.bytes`.
    RetentionBytes,
    /// `auto.offset.reset`.
    Reset,
}

impl InputName {
    /// All, in the order of the reference page.
    pub const ALL: [InputName; 7] = [
        InputName::Offset,
        InputName::Time,
        InputName::Records,
        InputName::SegmentBytes,
        InputName::RetentionMs,
        InputName::RetentionBytes,
        InputName::Reset,
    ];

    /// As it is written, without `$`.
    pub const fn as_str(self) -> &'static str {
        match self {
            InputName::Offset => "offset",
            InputName::Time => "time",
            InputName::Records => "records",
            InputName::SegmentBytes => "segment-bytes",
            InputName::RetentionMs => "retention-ms",
            InputName::RetentionBytes => "retention-bytes",
            InputName::Reset => "reset",
        }
    }

    /// The input called so.
    pub fn find(name: &str) -> Option<InputName> {
        InputName::ALL.into_iter().find(|known| known.as_str() == name)
    }

    /// What its number counts; `None` where it is a word.
    pub const fn measure(self) -> Option<Measure> {
        match self {
            InputName::Offset => Some(Measure::Offset),
            InputName::Time | InputName::RetentionMs => Some(Measure::Time),
            InputName::Records => Some(Measure::Count),
            InputName::SegmentBytes | InputName::RetentionBytes => Some(Measure::Size),
            InputName::Reset => None,
        }
    }

    /// The smallest number it can ever be: −1 where Kafka uses that for "no limit".
    pub const fn least(self) -> i64 {
        match self {
            InputName::RetentionMs | InputName::RetentionBytes => -1,
            _ => 0,
        }
    }

    /// What a form calls it.
    pub const fn label(self) -> &'static str {
        match self {
            InputName::Offset => "Offset",
            InputName::Time => "Time",
            InputName::Records => "Records",
            InputName::SegmentBytes => "segment.bytes",
            InputName::RetentionMs => "retention.ms",
            InputName::RetentionBytes => "retention.bytes",
            InputName::Reset => "auto.offset.reset",
        }
    }
}

impl fmt::Display for InputName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An input: its default and the values that it can take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: InputName,
    /// What a form calls it, where [`InputName::label`] says too little.
    pub label: Option<String>,
    /// Its values.
    pub domain: Domain,
}

/// The default of an input, and its other values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// A number.
    Number {
        /// The default.
        default: Amount,
        /// Smallest value, inclusive.
        low: Amount,
        /// Largest value, inclusive.
        high: Amount,
    },
    /// A reset policy.
    Policy {
        /// The default.
        default: Written<ResetPolicy>,
        /// All values.
        choices: Vec<Written<ResetPolicy>>,
    },
}

/// The value of an input in one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputValue {
    /// A number.
    Number(Amount),
    /// A reset policy.
    Policy(Written<ResetPolicy>),
}

impl fmt::Display for InputValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputValue::Number(amount) => amount.fmt(f),
            InputValue::Policy(policy) => policy.fmt(f),
        }
    }
}

impl Input {
    /// What a form calls it.
    pub fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(self.name.label())
    }

    /// The value that it has unless told otherwise.
    pub fn default(&self) -> InputValue {
        match &self.domain {
            Domain::Number { default, .. } => InputValue::Number(*default),
            Domain::Policy { default, .. } => InputValue::Policy(default.clone()),
        }
    }

    /// Reads a value for it, as a link or a form gives it.
    ///
    /// # Errors
    ///
    /// It cannot have this value; the error has the nearest that it can.
    pub fn read(&self, text: &str) -> Result<InputValue, InputRefusal> {
        let refused = |nearest| Err(InputRefusal { nearest });
        match &self.domain {
            Domain::Number { low, high, .. } => {
                let amount = match Amount::parse(text) {
                    Ok(amount) => amount,
                    Err(AmountError::TooLarge) if text.starts_with('-') => return refused(InputValue::Number(*low)),
                    Err(AmountError::TooLarge) => return refused(InputValue::Number(*high)),
                    Err(AmountError::NotANumber | AmountError::UnknownUnit) => return refused(self.default()),
                };
                let measure = self.name.measure();
                if !measure.is_some_and(|measure| measure.accepts(amount.unit())) {
                    refused(self.default())
                } else if amount.base() < low.base() {
                    refused(InputValue::Number(*low))
                } else if amount.base() > high.base() {
                    refused(InputValue::Number(*high))
                } else {
                    Ok(InputValue::Number(amount))
                }
            }
            Domain::Policy { choices, .. } => match reset_policy(text) {
                Some(policy) if choices.iter().any(|choice| **choice == *policy) => Ok(InputValue::Policy(policy)),
                _ => refused(self.default()),
            },
        }
    }

    /// Its values in words: `0 to 20`, `earliest, latest or none`.
    pub fn range(&self) -> String {
        match &self.domain {
            Domain::Number { low, high, .. } => format!("{low} to {high}"),
            Domain::Policy { choices, .. } => {
                let words: Vec<String> = choices.iter().map(Written::to_string).collect();
                match words.split_last() {
                    Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
                    _ => words.concat(),
                }
            }
        }
    }
}

/// An input cannot have a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputRefusal {
    /// What it can have instead: the end of the range that was passed, or the default where the text was no number with
    /// a fitting unit, or none of the choices.
    pub nearest: InputValue,
}

impl fmt::Display for InputRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nearest = &self.nearest;
        write!(f, "not a value of this input; the nearest is {nearest}")
    }
}

impl core::error::Error for InputRefusal {}

impl InputValue {
    /// Whether two values mean the same: `60s` and `1m` do.
    pub fn same(&self, other: &InputValue) -> bool {
        match (self, other) {
            (InputValue::Number(left), InputValue::Number(right)) => left.base() == right.base(),
            (InputValue::Policy(left), InputValue::Policy(right)) => **left == **right,
            _ => false,
        }
    }
}
