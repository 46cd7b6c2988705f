//! A clause in a sentence: its reason, with its numbers in their places.

use partition_log::rules::clause::{Clause, Piece, Signs, Term};
use partition_log::step::Step;

use super::{Role, SentenceBuilder};
use crate::clauses::{self, exempt, what, words};

/// The reason that a clause gives: `140 + 40 = 180, above 300 B`.
pub(super) fn reason(clause: &Clause) -> SentenceBuilder {
    let mut text = SentenceBuilder::default();
    if let Some(exemption) = clause.exemption {
        text.push(Role::Plain, exempt(exemption));
        return text;
    }
    let equation = clause.equation();
    // Between braces stands what is put in.
    for (index, part) in words(clause.name).reason(clause.holds).split(['{', '}']).enumerate() {
        match part {
            // Words stand between the two sides, so each has the unit.
            "left" if index % 2 == 1 => {
                let mut measured = equation.measured(Signs::Typographic);
                measured.extend(equation.unit());
                numbers(&mut text, measured, clause);
            }
            "right" if index % 2 == 1 => numbers(&mut text, equation.limit(Signs::Typographic), clause),
            "is" if index % 2 == 1 => text.push(Role::Plain, equation.relation.words()),
            "what" if index % 2 == 1 => text.push(Role::Plain, what(clause.right.of)),
            plain => text.push(Role::Plain, plain),
        }
    }
    text
}

/// The comparison in signs: `6 ≤ 9`.
pub(super) fn equation(clause: &Clause) -> SentenceBuilder {
    let mut text = SentenceBuilder::default();
    numbers(&mut text, clause.equation().pieces(Signs::Typographic), clause);
    text
}

/// The reason at the beginning of a sentence.
pub(super) fn reason_first(clause: &Clause) -> SentenceBuilder {
    let mut text = reason(clause);
    text.upper_first();
    text
}

/// The reason of the clause that decided a step: its last one.
pub(super) fn decided(step: &Step) -> SentenceBuilder {
    step.clauses().last().map(reason_first).unwrap_or_default()
}

fn numbers(text: &mut SentenceBuilder, pieces: Vec<Piece>, clause: &Clause) {
    let mut last = Role::Plain;
    for piece in pieces {
        last = match piece.of {
            Some(of) => clauses::role(of, clause),
            // Signs have spaces on both sides; a unit belongs to its number.
            None if piece.text.ends_with(' ') => Role::Plain,
            None => last,
        };
        text.push(last, &piece.text);
        if piece.of == Some(Term::FileTime) {
            text.push(Role::Plain, " (file time)");
        }
    }
}
