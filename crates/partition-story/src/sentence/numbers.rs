//! How numbers look in a sentence.

use core::fmt;

use partition_log::units::{Offset, bytes, grouped};

pub(super) fn size(value: u64) -> String {
    bytes(i64::try_from(value).unwrap_or(i64::MAX))
}

/// A number of bytes in a sum, where the unit would only be in the way: `1,048,576`.
pub(super) fn plain(value: u64) -> String {
    grouped(i64::try_from(value).unwrap_or(i64::MAX))
}

/// `1 record`, `2 records`.
pub(super) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 || noun.ends_with("ies") { "" } else { "s" };
    format!("{} {noun}{plural}", plain(count))
}

pub(super) fn records(count: i64) -> String {
    counted(count.unsigned_abs(), "record")
}

/// An index entry: `2 → 115`.
pub(super) struct Entry<K, T>(pub K, pub T);

impl<K: fmt::Display, T: fmt::Display> fmt::Display for Entry<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} → {}", self.0, self.1)
    }
}

/// First and last offset: `9`, `9 and 10`, `11 to 13`.
#[derive(Clone, Copy)]
pub(super) struct Offsets(pub Offset, pub Offset);

impl Offsets {
    pub fn verb(&self, one: &'static str, many: &'static str) -> &'static str {
        if self.0 == self.1 { one } else { many }
    }

    pub fn noun(&self) -> &'static str {
        self.verb("offset", "offsets")
    }

    pub fn noun_at_start(&self) -> &'static str {
        self.verb("Offset", "Offsets")
    }
}

impl fmt::Display for Offsets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 - self.0 {
            0 => self.0.fmt(f),
            1 => write!(f, "{} and {}", self.0, self.1),
            _ => write!(f, "{} to {}", self.0, self.1),
        }
    }
}

/// Base offsets: `0`, `0, 6, 11`, and of many only the ends.
pub(super) struct Bases<'a>(pub &'a [Offset]);

impl fmt::Display for Bases<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            [first, .., last] if self.0.len() > 3 => write!(f, "{first} to {last} ({})", self.0.len()),
            [first, rest @ ..] => {
                first.fmt(f)?;
                rest.iter().try_for_each(|base| write!(f, ", {base}"))
            }
        }
    }
}
