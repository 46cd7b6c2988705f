//! Scenario to text: the inverse of [`parse`](super::parse).

use core::fmt;

use super::commands::Command;
use super::words::{is_bare, quote};
use super::written::Written;
use super::{Line, Scenario};

/// Puts the words of a command behind one another.
pub(crate) struct Printer {
    text: String,
    /// Whether an input's name stands where it gave the value.
    names: bool,
}

impl Printer {
    /// A word as it stands.
    pub fn word(&mut self, word: &str) {
        self.text.push(' ');
        self.text.push_str(word);
    }

    /// A text in quotes.
    pub fn quoted(&mut self, text: &str) {
        self.word(&quote(text));
    }

    /// A value as it was written.
    pub fn value<T>(&mut self, value: &Written<T>) {
        self.word(&self.shown(value));
    }

    /// `key=word`, if there is one.
    pub fn pair(&mut self, key: &str, word: Option<&str>) {
        if let Some(word) = word {
            self.word(&format!("{key}={word}"));
        }
    }

    /// `key=text`, if there is one; in quotes where it needs them.
    pub fn text(&mut self, key: &str, text: Option<&str>) {
        self.pair(key, text.map(free).as_deref());
    }

    /// `key=value`, if there is one.
    pub fn option<T>(&mut self, key: &str, value: &Option<Written<T>>) {
        let shown = value.as_ref().map(|value| self.shown(value));
        self.pair(key, shown.as_deref());
    }

    /// A value as it was written.
    pub fn shown<T>(&self, value: &Written<T>) -> String {
        match value.input() {
            Some(name) if self.names => format!("${name}"),
            _ => value.to_string(),
        }
    }

    /// Whether an input's name stands where it gave the value.
    pub fn names(&self) -> bool {
        self.names
    }
}

/// A text, in quotes where it needs them.
pub(crate) fn free(text: &str) -> String {
    if is_bare(text) { text.to_string() } else { quote(text) }
}

/// Items with commas between them.
pub(crate) fn list<T: fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let words: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    words.join(",")
}

/// As it is run, with values in place of the inputs' names; `{:#}` as its author wrote it.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = Printer {
            text: self.name().to_string(),
            names: f.alternate(),
        };
        self.definition().print(&mut printer);
        f.write_str(&printer.text)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(command) = &self.command {
            write!(f, "{command:#}")?;
        }
        match self.comment.as_deref() {
            None => Ok(()),
            Some("") if self.off => f.write_str("#-"),
            Some(off) if self.off => write!(f, "#- {off}"),
            Some(comment) => {
                f.write_str(if self.command.is_some() { " #" } else { "#" })?;
                f.write_str(if comment.is_empty() { "" } else { " " })?;
                f.write_str(comment)
            }
        }
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}
