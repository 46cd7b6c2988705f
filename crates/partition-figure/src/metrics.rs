//! How wide a text is, without a font at hand.
//!
//! Sans text counts with the widths of Arial, Helvetica and Liberation Sans, which are the same; monospaced text with
//! 0.6 em a character. Whatever has to fit is given 15 % more, for the other fonts of the stack; monospaced text 5 %, since
//! those fonts hardly differ in width.

use crate::scene::Span;

/// Widths of the characters from space to `~` in thousandths of the font size.
const SANS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

/// The part of a text's look that decides its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// Font size, px.
    pub size: i32,
    /// Every character is 0.6 em wide.
    pub mono: bool,
    /// Bold letters are a little wider; digits are not.
    pub bold: bool,
}

impl Face {
    /// The face of a text with these classes: `s13`, `s14`, `s16`, `mono`, `sans`, `bold`; otherwise 12 px sans.
    pub fn of(class: &str) -> Face {
        Face {
            size: 12,
            mono: false,
            bold: false,
        }
        .with(class)
    }

    /// The face of a piece inside a text of this face.
    pub fn with(mut self, class: &str) -> Face {
        for word in class.split(' ') {
            match word {
                "s13" => self.size = 13,
                "s14" => self.size = 14,
                "s16" => self.size = 16,
                "mono" => self.mono = true,
                "sans" => self.mono = false,
                "bold" => self.bold = true,
                _ => {}
            }
        }
        self
    }

    /// Width that a text has to be given: 15 % more than in Arial, 5 % more than 0.6 em.
    pub fn room(self, text: &str) -> i32 {
        let width = self.width(text);
        width + width * if self.mono { 5 } else { 15 } / 100
    }

    /// Width of a text, tenths of a px.
    pub fn width(self, text: &str) -> i32 {
        let thousandths: i32 = text.chars().map(|character| self.advance(character)).sum();
        (thousandths * self.size).div_ceil_100()
    }

    fn advance(self, character: char) -> i32 {
        if self.mono {
            return 600;
        }
        let width = match character {
            ' '..='~' => i32::from(SANS[character as usize - 32]),
            '\u{a0}' => 278,
            '≤' | '≥' | '−' | '×' => 584,
            '→' | '…' => 1000,
            '·' => 333,
            _ => 700,
        };
        if self.bold && character.is_ascii_alphabetic() {
            width * 107 / 100
        } else {
            width
        }
    }
}

trait Hundredth {
    fn div_ceil_100(self) -> i32;
}

impl Hundredth for i32 {
    fn div_ceil_100(self) -> i32 {
        (self + 99) / 100
    }
}

/// Width of a text of several pieces, tenths of a px, without slack.
pub fn width(class: &str, spans: &[Span]) -> i32 {
    let face = Face::of(class);
    spans.iter().map(|span| face.with(span.class).width(&span.text)).sum()
}

/// Width that a text of several pieces has to be given, tenths of a px.
pub fn room_of(class: &str, spans: &[Span]) -> i32 {
    let face = Face::of(class);
    spans.iter().map(|span| face.with(span.class).room(&span.text)).sum()
}

/// Width that a text of one piece has to be given, tenths of a px.
pub fn room(class: &str, text: &str) -> i32 {
    Face::of(class).room(text)
}

/// The first of several wordings, longest first, that has room in `width`.
pub fn fitting<'a>(class: &str, width: i32, wordings: &[&'a str]) -> Option<&'a str> {
    wordings
        .iter()
        .copied()
        .find(|text| !text.is_empty() && room(class, text) <= width)
}

/// Writes tenths of a px as px with at most one decimal.
pub fn px(out: &mut String, tenths: i32) {
    if tenths < 0 {
        out.push('-');
    }
    let tenths = tenths.unsigned_abs();
    if tenths >= 10 || tenths.is_multiple_of(10) {
        digits(out, u64::from(tenths / 10));
    }
    if !tenths.is_multiple_of(10) {
        out.push('.');
        digits(out, u64::from(tenths % 10));
    }
}

/// Writes a whole number; a few bytes of code where `format!` takes kilobytes.
pub fn digits(out: &mut String, value: u64) {
    if value >= 10 {
        digits(out, value / 10);
    }
    out.push((b'0' + (value % 10) as u8) as char);
}

/// Joins pieces of text.
pub fn cat(parts: &[&str]) -> String {
    parts.concat()
}

/// A number as text, without separators.
pub fn number(value: i64) -> String {
    let mut out = String::new();
    if value < 0 {
        out.push('−');
    }
    digits(&mut out, value.unsigned_abs());
    out
}

/// A number as people read it: with commas from 10,000 on.
pub fn amount(value: i64) -> String {
    if (-9_999..=9_999).contains(&value) {
        number(value)
    } else {
        partition_log::units::grouped(value).replace('-', "−")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenths_are_written_with_one_decimal_at_most() {
        for (tenths, text) in [
            (0, "0"),
            (5, ".5"),
            (10, "1"),
            (-5, "-.5"),
            (1235, "123.5"),
            (-120, "-12"),
        ] {
            let mut out = String::new();
            px(&mut out, tenths);
            assert_eq!(out, text);
        }
    }

    #[test]
    fn a_text_is_as_wide_as_in_arial() {
        // 4 digits of 0.556 em and a space of 0.278 em, B of 0.667 em: 2.613 em of 12 px.
        assert_eq!(Face::of("").width("950 B"), 314);
        assert_eq!(Face::of("mono").width("00000000000000000006"), 1440);
        assert_eq!(width("mono", &[span_of("", "12"), span_of("sans bold", "B")]), 144 + 86);
    }

    fn span_of(class: &'static str, text: &str) -> Span {
        Span {
            text: text.to_string(),
            class,
        }
    }
}
