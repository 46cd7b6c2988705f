//! A comparison: both operands, then the word. Probes of a search carry their order in a ring.

use crate::metrics::{Face, cat, number};
use crate::scene::{Canvas, Span, span};

/// A comparison in words.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The operands and the relation: `4 > 3`.
    pub operands: String,
    /// What follows: `too big`; may be empty.
    pub word: &'static str,
    /// Whether it is the one that decides.
    pub hit: bool,
}

impl Comparison {
    /// As pieces of a text; without the word where `room` is too small for it, empty if even the operands have none.
    pub fn spans(&self, room: i32) -> Vec<Span> {
        let (operands, word) = if self.hit {
            ("mono bold", "bold")
        } else {
            ("mono", "muted")
        };
        let long = Face::of(operands).room(&self.operands);
        if long > room {
            return Vec::new();
        }
        let mut spans = vec![span(operands, &self.operands)];
        if !self.word.is_empty() && long + Face::of(word).room(self.word) + 40 <= room {
            spans.push(span(word, &cat(&["\u{a0}", self.word])));
        }
        spans
    }
}

/// A ring with the order of a probe in its search, in the probe's group; `x`, `y` is its centre.
pub fn ring(canvas: &mut Canvas, order: usize, x: i32, y: i32) {
    canvas.circle("/ring", "badge", x, y, 75);
    canvas.word("/order", "bold", x, y + 43, &number(order as i64)).middle();
}
