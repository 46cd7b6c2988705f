//! The words behind a command's name, and faults in them.

use std::collections::BTreeSet;

use crate::language::nearest::nearest;
use crate::language::problem::{Problem, clip};
use crate::language::words::{Body, Word};

/// A fault and its column; in a box, since it is passed on at every other line.
pub(super) type Fault = Box<(usize, Problem)>;

pub(super) fn fault(column: usize, problem: Problem) -> Fault {
    Box::new((column, problem))
}

/// The words behind a command's name, taken one by one.
pub(super) struct Args<'a> {
    pub command: &'static str,
    pub words: core::iter::Peekable<core::slice::Iter<'a, Word>>,
    pub end: usize,
}

/// A word that stands for itself, and its column.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub text: &'a str,
    pub column: usize,
}

impl Text<'_> {
    pub fn unexpected(&self, expected: &'static str) -> Fault {
        fault(
            self.column,
            Problem::Unexpected {
                found: clip(self.text),
                expected,
            },
        )
    }
}

impl<'a> Args<'a> {
    pub fn missing(&self, expected: &'static str) -> Fault {
        fault(
            self.end,
            Problem::Missing {
                command: self.command,
                expected,
            },
        )
    }

    pub fn bare(&mut self, expected: &'static str) -> Result<Text<'a>, Fault> {
        match self.words.next() {
            None => Err(self.missing(expected)),
            Some(Word {
                column,
                body: Body::Bare(text),
            }) => Ok(Text { text, column: *column }),
            Some(word) => Err(unexpected(word, expected)),
        }
    }

    pub fn bare_if(&mut self, wanted: impl Fn(&str) -> bool) -> Option<Text<'a>> {
        let found = self
            .words
            .next_if(|word| matches!(&word.body, Body::Bare(text) if wanted(text)))?;
        match &found.body {
            Body::Bare(text) => Some(Text {
                text,
                column: found.column,
            }),
            Body::Quoted(_) | Body::Pair { .. } => None,
        }
    }

    pub fn quoted(&mut self, expected: &'static str) -> Result<Text<'a>, Fault> {
        match self.words.next() {
            None => Err(self.missing(expected)),
            Some(Word {
                column,
                body: Body::Quoted(text),
            }) => Ok(Text { text, column: *column }),
            Some(word) => Err(unexpected(word, expected)),
        }
    }

    /// All `key=value` words from here on, each key once.
    pub fn pairs(&mut self) -> Result<Vec<Pair<'a>>, Fault> {
        let mut pairs: Vec<Pair<'a>> = Vec::new();
        let mut keys = BTreeSet::new();
        while let Some(word) = self.words.next_if(|word| matches!(word.body, Body::Pair { .. })) {
            if let Body::Pair {
                key,
                value,
                quoted,
                value_column,
            } = &word.body
            {
                if !keys.insert(key.clone()) {
                    return Err(fault(word.column, Problem::KeyTwice { key: clip(key) }));
                }
                let value = Text {
                    text: value,
                    column: *value_column,
                };
                pairs.push(Pair {
                    key: Text {
                        text: key,
                        column: word.column,
                    },
                    value,
                    quoted: *quoted,
                });
            }
        }
        Ok(pairs)
    }

    pub fn end(&mut self, expected: &'static str) -> Result<(), Fault> {
        match self.words.next() {
            None => Ok(()),
            Some(word) => Err(unexpected(word, expected)),
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub key: Text<'a>,
    pub value: Text<'a>,
    pub quoted: bool,
}

impl Pair<'_> {
    pub fn unknown(&self, command: &'static str, known: &'static [&'static str]) -> Fault {
        let nearest = nearest(self.key.text, known.iter().copied());
        fault(
            self.key.column,
            Problem::UnknownKey {
                command,
                found: clip(self.key.text),
                known,
                nearest,
            },
        )
    }
}

pub(super) fn unexpected(word: &Word, expected: &'static str) -> Fault {
    fault(
        word.column,
        Problem::Unexpected {
            found: clip(&word.written()),
            expected,
        },
    )
}
