//! A sentence: spans of text, each with what it stands for.

use core::fmt;

use crate::language::limits;

/// What a span stands for; the picture shows the same thing in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing in particular.
    Plain,
    /// Bytes or a place in a `.log`.
    Log,
    /// An entry or a file of the offset index.
    Index,
    /// An entry or a file of the time index.
    TimeIndex,
    /// What this step touches.
    Touched,
    /// What is deleted or lost.
    Deleted,
    /// The active segment.
    Active,
    /// A setting, or a value that the reader chose.
    Setting,
}

impl Role {
    /// Its name in data and styles.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Plain => "plain",
            Role::Log => "log",
            Role::Index => "index",
            Role::TimeIndex => "timeindex",
            Role::Touched => "touched",
            Role::Deleted => "deleted",
            Role::Active => "active",
            Role::Setting => "setting",
        }
    }
}

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its text.
    pub text: String,
    /// What it stands for.
    pub role: Role,
}

/// What a frame says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    /// Its parts, in order.
    pub spans: Vec<Span>,
}

impl Sentence {
    /// Characters in all.
    pub fn length(&self) -> usize {
        self.spans.iter().map(|span| span.text.chars().count()).sum()
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spans.iter().try_for_each(|span| f.write_str(&span.text))
    }
}

/// Puts a sentence together.
#[derive(Clone, Debug, Default)]
pub(crate) struct SentenceBuilder {
    spans: Vec<Span>,
}

impl SentenceBuilder {
    /// Adds a text; neighbours of one role become one span.
    pub fn push(&mut self, role: Role, text: &str) {
        match self.spans.last_mut() {
            Some(last) if last.role == role => last.text.push_str(text),
            _ if text.is_empty() => {}
            _ => self.spans.push(Span {
                text: text.to_string(),
                role,
            }),
        }
    }

    /// Adds a value as it shows itself.
    pub fn show(&mut self, role: Role, value: &dyn fmt::Display) {
        self.push(role, &value.to_string());
    }

    /// Adds another sentence's parts.
    pub fn append(&mut self, other: SentenceBuilder) {
        other.spans.iter().for_each(|span| self.push(span.role, &span.text));
    }

    /// Makes the first letter a capital one, for the beginning of a sentence.
    pub fn upper_first(&mut self) {
        if let Some(first) = self.spans.first_mut() {
            // Sentences begin with ASCII letters; the table for all others takes 10 kB.
            if let Some(letter) = first.text.get_mut(..1) {
                letter.make_ascii_uppercase();
            }
        }
    }

    pub fn finish(self) -> Sentence {
        Sentence { spans: self.spans }
    }

    /// The sentence, cut where numbers of 19 digits make it longer than a reader may be given.
    pub fn finish_within_limit(self) -> Sentence {
        let mut sentence = self.finish();
        if sentence.length() <= limits::SENTENCE {
            return sentence;
        }
        let mut left = limits::SENTENCE - 1;
        for span in &mut sentence.spans {
            let length = span.text.chars().count();
            span.text = span.text.chars().take(left).collect();
            left = left.saturating_sub(length);
        }
        sentence.spans.retain(|span| !span.text.is_empty());
        sentence.spans.push(Span {
            text: "…".to_string(),
            role: Role::Plain,
        });
        sentence
    }
}

/// `sentence!["Offset ", Touched: offset, " is found."]`: texts, and values with what they stand for.
macro_rules! sentence {
    ($($part:tt)*) => {{
        #[allow(unused_mut)]
        let mut text = $crate::sentence::SentenceBuilder::default();
        $crate::sentence::text::say![text, $($part)*];
        text
    }};
}

/// `say![text, " in segment ", Log: base]`: the parts of a [`sentence!`], added to one. A part is one call with a few
/// arguments, since sentences are a good deal of the explainer's code.
macro_rules! say {
    ($text:expr, ) => {};
    ($text:expr, $role:ident : $value:expr $(, $($rest:tt)*)?) => {{
        $text.show($crate::sentence::Role::$role, &$value);
        $crate::sentence::text::say![$text, $($($rest)*)?];
    }};
    ($text:expr, $part:expr $(, $($rest:tt)*)?) => {{
        $text.push($crate::sentence::Role::Plain, AsRef::<str>::as_ref(&$part));
        $crate::sentence::text::say![$text, $($($rest)*)?];
    }};
}

pub(crate) use {say, sentence};
