//! A comparison: its numbers, then the word. Probes of a search carry their order in a ring.

use partition_log::rules::clause::{Clause, Signs};

use crate::metrics::{Face, cat, number};
use crate::scene::{Canvas, Span, span};

/// A comparison in words.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The numbers and the relation, longest wording first: `75 − 12 = 63 > 60 s`, `63 > 60 s`, `63 > 60`.
    pub wordings: Vec<String>,
    /// What follows: `too big`; may be empty.
    pub word: &'static str,
    /// Whether it is the one that decides.
    pub hit: bool,
}

impl Comparison {
    /// A clause; where it did not decide by its numbers, why.
    pub fn of(clause: &Clause, word: &'static str, hit: bool) -> Comparison {
        if let Some(exemption) = clause.exemption {
            let wordings = vec![exemption.to_string()];
            return Comparison { wordings, word, hit };
        }
        let signs = Signs::Typographic;
        let equation = clause.equation().unit_once().on_one_day();
        let outcome = equation.outcome(signs);
        let limit: Vec<_> = equation.limit(signs).into_iter().map(|piece| piece.text).collect();
        let short = |limit: &str| cat(&[&outcome, " ", equation.relation.sign(signs), " ", limit]);
        let mut wordings = vec![equation.text(signs), short(&limit.concat())];
        // The unit may be left out only where it is the one of both sides.
        if !outcome.contains([' ', ':']) {
            let bare = limit[0].split(' ').next().unwrap_or_default();
            wordings.push(short(bare));
        }
        wordings.dedup();
        Comparison { wordings, word, hit }
    }

    /// Without what the measured side is made of.
    pub fn short(mut self) -> Comparison {
        if self.wordings.len() > 1 && self.wordings[0].split(' ').any(|word| word == "=") {
            self.wordings.remove(0);
        }
        self
    }

    /// Only the shortest wording.
    pub fn bare(mut self) -> Comparison {
        self.wordings.drain(..self.wordings.len() - 1);
        self
    }

    /// Only the shortest wording, without spaces.
    pub fn tight(self) -> Comparison {
        let mut bare = self.bare();
        bare.wordings[0].retain(|letter| letter != ' ');
        bare
    }

    /// As pieces of a text: the longest wording that has room, with the word if that has, too; empty if none has.
    pub fn spans(&self, room: i32) -> Vec<Span> {
        let (numbers, word) = if self.hit {
            ("mono bold", "bold")
        } else {
            ("mono", "muted")
        };
        let face = Face::of(numbers);
        let Some(wording) = self.wordings.iter().find(|wording| face.room(wording) <= room) else {
            return Vec::new();
        };
        let mut spans = vec![span(numbers, wording)];
        if !self.word.is_empty() && face.room(wording) + Face::of(word).room(self.word) + 40 <= room {
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
