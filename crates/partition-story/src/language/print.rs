//! Scenario to text: the inverse of [`parse`](super::parse).

use core::fmt;

use super::broker::ISOLATIONS;
use super::command::{
    Append, Batch, Command, CommitOffset, FetchFrom, FindTime, Format, HighWatermark, Options, Policy, ResetTo,
    SettingValue, Timestamp, Try,
};
use super::expect::{ExpectKey, ExpectValue, Expectation};
use super::input::{Domain, Input};
use super::quantity::Amount;
use super::words::{is_bare, quote};
use super::{Line, Scenario};

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.command, self.comment.as_deref()) {
            (None, None) => Ok(()),
            (Some(command), None) => command.fmt(f),
            (None, Some("")) => f.write_str("#"),
            (None, Some(comment)) => write!(f, "# {comment}"),
            (Some(command), Some("")) => write!(f, "{command} #"),
            (Some(command), Some(comment)) => write!(f, "{command} # {comment}"),
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Command::Title(title) => write!(f, " {}", quote(title)),
            Command::Try(Try { label, values }) => {
                write!(f, " {}", quote(label))?;
                values.iter().try_for_each(|(name, value)| write!(f, " {name}={value}"))
            }
            Command::Input(input) => write!(f, " {input}"),
            Command::Set(settings) => settings
                .iter()
                .try_for_each(|setting| write!(f, " {}={}", setting.key, setting.value)),
            Command::Append(Append { sizes, options }) => {
                sizes.iter().try_for_each(|size| write!(f, " {size}"))?;
                options.fmt(f)
            }
            Command::Batch(Batch {
                records,
                total,
                headers,
                options,
            }) => {
                write!(f, " {records} total={total}")?;
                if let Some(headers) = headers {
                    write!(f, " headers={headers}")?;
                }
                options.fmt(f)
            }
            Command::Format(Format::V1) => f.write_str(" v1"),
            Command::Format(Format::V2) => f.write_str(" v2"),
            Command::Wait(time) | Command::At(time) => write!(f, " {time}"),
            Command::Fetch { from, max, isolation } => {
                match from {
                    FetchFrom::Offset(offset) => write!(f, " {offset}")?,
                    FetchFrom::Committed => f.write_str(" committed")?,
                    FetchFrom::Next => f.write_str(" next")?,
                    FetchFrom::Rest => f.write_str(" rest")?,
                }
                option(f, "max", max)?;
                let named = |wanted| ISOLATIONS.into_iter().find(|(_, known)| *known == wanted);
                option(f, "isolation", &isolation.and_then(named).map(|(name, _)| name))
            }
            Command::FindTime(FindTime::Time(time)) => write!(f, " {time}"),
            Command::FindTime(named) => write!(f, " {}", named.name().unwrap_or_default()),
            Command::CheckRetention => Ok(()),
            Command::Broker(command) => command.fmt(f),
            Command::Commit(CommitOffset::Offset(offset)) => write!(f, " {offset}"),
            Command::Commit(CommitOffset::Next) => f.write_str(" next"),
            Command::Commit(CommitOffset::None) => f.write_str(" none"),
            Command::Reset(ResetTo::Policy(policy)) => write!(f, " {policy}"),
            Command::Reset(ResetTo::Input(name)) => write!(f, " ${name}"),
            Command::HighWatermark(HighWatermark::At(offset)) => write!(f, " {offset}"),
            Command::HighWatermark(HighWatermark::Follow) => f.write_str(" follow"),
            Command::DeleteRecords(offset) => write!(f, " {offset}"),
            Command::Phase { id, title, from } => {
                write!(f, " {id} {}", quote(title))?;
                match from {
                    Some(stage) => write!(f, " from={}", stage.name()),
                    None => Ok(()),
                }
            }
            Command::Say(sentence) => write!(f, " {}", quote(sentence)),
            Command::Expect(expectations) => expectations
                .iter()
                .try_for_each(|expectation| write!(f, " {expectation}")),
        }
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(every) = &self.every {
            write!(f, " every={every}")?;
        }
        match &self.ts {
            Some(Timestamp::At(time)) => write!(f, " ts={time}")?,
            Some(Timestamp::None) => f.write_str(" ts=none")?,
            None => {}
        }
        if let Some(key) = &self.key {
            f.write_str(" key=")?;
            write_word(f, key)?;
        }
        option(f, "producer", &self.producer)?;
        option(f, "sequence", &self.sequence)?;
        option(f, "from", &self.from.map(|from| from.name()))?;
        option(f, "offset", &self.offset)?;
        if let Some(times) = &self.times {
            write!(f, " x{times}")?;
        }
        f.write_str(if self.together { " together" } else { "" })
    }
}

/// `key=value`, if there is a value.
pub(super) fn option<T: fmt::Display>(f: &mut fmt::Formatter<'_>, key: &str, value: &Option<T>) -> fmt::Result {
    match value {
        Some(value) => write!(f, " {key}={value}"),
        None => Ok(()),
    }
}

fn write_word(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    if is_bare(text) {
        f.write_str(text)
    } else {
        f.write_str(&quote(text))
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.domain {
            Domain::Number { default, low, high } => write!(f, "{}={default} range={low}..{high}", self.name)?,
            Domain::Policy { default, choices } => {
                write!(f, "{}={default} choice=", self.name)?;
                write_list(f, choices)?;
            }
        }
        match &self.label {
            Some(label) => {
                f.write_str(" label=")?;
                write_word(f, label)
            }
            None => Ok(()),
        }
    }
}

impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingValue::Amount(amount) => amount.fmt(f),
            SettingValue::Word(word) => write_word(f, word),
            SettingValue::Input(name) => write!(f, "${name}"),
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Policy::Earliest => f.write_str("earliest"),
            Policy::Latest => f.write_str("latest"),
            Policy::None => f.write_str("none"),
            Policy::ByDuration(span) => write!(f, "by-duration={span}"),
        }
    }
}

impl fmt::Display for ExpectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        match self {
            ExpectKey::Index(base)
            | ExpectKey::TimeIndex(base)
            | ExpectKey::TxnIndex(base)
            | ExpectKey::Files(base) => {
                write!(f, "[{base}]")
            }
            ExpectKey::File(file) => write!(f, "[{file}]"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

impl fmt::Display for ExpectValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpectValue::Offsets(offsets) => write_list(f, offsets),
            ExpectValue::Number(Some(number)) => number.fmt(f),
            ExpectValue::Amount(Some(amount)) => amount.fmt(f),
            ExpectValue::Number(None) | ExpectValue::Amount(None) => f.write_str("none"),
            ExpectValue::Entries(entries) if entries.is_empty() => f.write_str("none"),
            ExpectValue::Entries(entries) => entries.iter().enumerate().try_for_each(|(index, (key, to))| {
                f.write_str(if index == 0 { "" } else { "," })?;
                write!(f, "{key}:{to}")
            }),
            ExpectValue::Files(lengths) => write_list(f, &lengths.map(MaybeAmount)),
            ExpectValue::Rows(rows) if rows.is_empty() => f.write_str("none"),
            ExpectValue::Rows(rows) => rows.iter().enumerate().try_for_each(|(index, row)| {
                f.write_str(if index == 0 { "" } else { "," })?;
                row.iter().enumerate().try_for_each(|(column, number)| {
                    f.write_str(if column == 0 { "" } else { ":" })?;
                    number.fmt(f)
                })
            }),
            ExpectValue::Word(word) => write_word(f, word),
        }
    }
}

struct MaybeAmount(Option<Amount>);

impl fmt::Display for MaybeAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(amount) => amount.fmt(f),
            None => f.write_str("none"),
        }
    }
}

fn write_list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    items.iter().enumerate().try_for_each(|(index, item)| {
        f.write_str(if index == 0 { "" } else { "," })?;
        item.fmt(f)
    })
}
