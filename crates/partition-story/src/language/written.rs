//! Values and how they are written: numbers that keep their units and the input that they came from, and the words of
//! the model's own types.

use core::fmt;
use core::ops::Deref;

use partition_log::config::AutoOffsetReset;
use partition_log::disk::{FileKind, FileName};
use partition_log::rules::fetch::Isolation;
use partition_log::rules::reset::ResetPolicy;
use partition_log::rules::validate::AppendOrigin;
use partition_log::units::Offset;

use super::amount::{Amount, Measure};
use super::input::InputName;

/// A value as the model takes it, with the text that it was written as and, where it is the value of an input, the
/// input's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written<T> {
    value: T,
    text: String,
    input: Option<InputName>,
}

impl<T> Written<T> {
    /// A value and its text.
    pub fn new(value: T, text: impl Into<String>) -> Written<T> {
        Written {
            value,
            text: text.into(),
            input: None,
        }
    }

    /// The value of an input and its text.
    pub(crate) fn of_input(value: T, text: impl Into<String>, input: InputName) -> Written<T> {
        Written {
            input: Some(input),
            ..Written::new(value, text)
        }
    }

    /// The input that it came from.
    pub fn input(&self) -> Option<InputName> {
        self.input
    }

    /// Another value under the same text.
    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> Written<U> {
        Written {
            value: change(self.value),
            text: self.text,
            input: self.input,
        }
    }
}

impl From<Offset> for Written<Offset> {
    fn from(offset: Offset) -> Written<Offset> {
        Written::new(offset, offset.get().to_string())
    }
}

/// Numbers without a unit: counts, and sizes in bytes.
macro_rules! written_plain {
    ($($type:ty),*) => {
        $(impl From<$type> for Written<$type> {
            fn from(number: $type) -> Written<$type> {
                Written::new(number, number.to_string())
            }
        })*
    };
}

written_plain![i32, u64];

impl<T> Deref for Written<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> fmt::Display for Written<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A type whose values are single words.
pub(crate) trait Choice: Copy + PartialEq + 'static {
    /// Every value and its word, in the order of the reference page.
    const WORDS: &'static [(&'static str, Self)];
    /// Kafka's words for some of them, where it has others. They are read and never printed.
    const KAFKA: &'static [(&'static str, Self)] = &[];
    /// What an error says was expected.
    const EXPECTED: &'static str;

    /// The value of a word.
    fn find(word: &str) -> Option<Self> {
        let mut words = Self::WORDS.iter().chain(Self::KAFKA);
        words.find(|(known, _)| *known == word).map(|(_, value)| *value)
    }

    /// The word of a value.
    fn word(self) -> &'static str {
        let found = Self::WORDS.iter().find(|(_, value)| *value == self);
        found.map_or("", |(word, _)| word)
    }
}

impl Choice for Isolation {
    const WORDS: &'static [(&'static str, Isolation)] = &[
        ("uncommitted", Isolation::HighWatermark),
        ("committed", Isolation::TxnCommitted),
        ("log-end", Isolation::LogEnd),
    ];
    const KAFKA: &'static [(&'static str, Isolation)] = &[
        ("read_uncommitted", Isolation::HighWatermark),
        ("read_committed", Isolation::TxnCommitted),
    ];
    const EXPECTED: &'static str =
        "`uncommitted` (Kafka: `read_uncommitted`), `committed` (`read_committed`) or `log-end`";
}

impl Choice for AppendOrigin {
    const WORDS: &'static [(&'static str, AppendOrigin)] = &[
        ("client", AppendOrigin::Client),
        ("coordinator", AppendOrigin::Coordinator),
        ("replica", AppendOrigin::Replication),
    ];
    const EXPECTED: &'static str = "`client`, `coordinator` or `replica`";
}

/// What an error says where a reset policy was expected.
pub(crate) const POLICY: &str = "`earliest`, `latest`, `none` or a span such as by-duration=20s (Kafka: \
                                 by_duration:PT20S)";

/// Reads a reset policy that is written out: `earliest`, `by-duration=20s`, or Kafka's `by_duration:PT20S`, which is kept
/// as the span that it is.
pub(crate) fn reset_policy(text: &str) -> Option<Written<ResetPolicy>> {
    if let Some(AutoOffsetReset::ByDuration { ms }) = AutoOffsetReset::by_duration(text) {
        let written = format!("by-duration={}", Amount::of_milliseconds(ms));
        return Some(Written::new(ResetPolicy::ByDuration { ms }, written));
    }
    let policy = match text {
        "earliest" => ResetPolicy::Earliest,
        "latest" => ResetPolicy::Latest,
        "none" => ResetPolicy::None,
        _ => {
            let span = Amount::parse(text.strip_prefix("by-duration=")?).ok()?;
            let fits = Measure::Time.accepts(span.unit()) && span.base() >= 0;
            fits.then_some(ResetPolicy::ByDuration { ms: span.base() })?
        }
    };
    Some(Written::new(policy, text))
}

/// A file of the partition's directory in short: `0.log`, `10.timeindex.deleted`, `leader-epoch-checkpoint`.
pub(crate) struct FileWord(pub FileName);

impl FileWord {
    /// Reads one; `None` if the log layer has no file of such a name.
    pub fn find(text: &str) -> Option<FileName> {
        let Some((digits, rest)) = text.split_once('.') else {
            return FileName::parse(text);
        };
        let number = digits.len() <= 19 && digits.bytes().all(|byte| byte.is_ascii_digit());
        let base: u64 = digits.parse().ok().filter(|_| number)?;
        FileName::parse(&format!("{base:020}.{rest}"))
    }
}

impl fmt::Display for FileWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let full = self.0.to_string();
        match full.split_once('.') {
            Some((_, rest)) if self.0.kind != FileKind::LeaderEpochs => write!(f, "{}.{rest}", self.0.base.get()),
            _ => f.write_str(&full),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_without_the_zeros_of_its_name() {
        for (word, full) in [
            ("0.log", "00000000000000000000.log"),
            ("10.timeindex.deleted", "00000000000000000010.timeindex.deleted"),
            ("15.snapshot", "00000000000000000015.snapshot"),
            ("leader-epoch-checkpoint", "leader-epoch-checkpoint"),
        ] {
            let read = FileWord::find(word).expect(word);
            assert_eq!(
                (read.to_string().as_str(), FileWord(read).to_string().as_str()),
                (full, word)
            );
        }
        for word in [
            "",
            "log",
            "0.",
            ".log",
            "x.log",
            "0.lock",
            "0.log.bak",
            "-1.log",
            "99999999999999999999.log",
        ] {
            assert_eq!(FileWord::find(word), None, "{word}");
        }
    }
}
