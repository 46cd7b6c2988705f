//! What a rule compared, as the chapters print it.

use partition_log::rules::clause::{Clause, Piece, Signs};
use serde::Serialize;

/// A clause in numbers that add up; each part is kept on one line.
#[derive(Debug, Serialize)]
pub struct Equation {
    /// All of it, with its unit once: `75 − 12 = 63 > 60 s`.
    pub text: String,
    /// The measured side: `75 s − 12 s = 63 s`.
    pub measured: String,
    /// What that comes to: `63 s`.
    pub outcome: String,
    /// What it is compared with: `60 s`.
    pub limit: String,
}

impl From<Clause> for Equation {
    fn from(clause: Clause) -> Self {
        let signs = Signs::Typographic;
        let equation = clause.equation();
        let text = |pieces: Vec<Piece>| pieces.into_iter().map(|piece| piece.text).collect::<String>();
        let unbroken = |text: String| text.replace(' ', "\u{a0}");
        Equation {
            measured: unbroken(text(equation.measured(signs))),
            outcome: unbroken([&equation.outcome(signs), equation.suffix].concat()),
            limit: unbroken(text(equation.limit(signs))),
            text: equation.unit_once().text(signs),
        }
    }
}
