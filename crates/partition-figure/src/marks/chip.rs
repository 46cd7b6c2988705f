//! The state of a segment: a word in a rounded outline.

use crate::metrics::{cat, room};
use crate::scene::{Area, Canvas, Enter};

/// A chip whose left edge is at `x`; returns its right edge.
pub fn chip(canvas: &mut Canvas, key: &str, class: &'static str, x: i32, y: i32, word: &str) -> i32 {
    let w = width(word);
    let weight = if word == "active" { "" } else { "bold" };
    let outline = Area { x, y, w, h: 200 }.outline();
    canvas
        .rect(&cat(&[key, "/outline"]), class, outline, 95)
        .enters(Enter::Name);
    canvas
        .word(&cat(&[key, "/word"]), weight, x + w / 2, y + 142, word)
        .middle()
        .enters(Enter::Name);
    x + w
}

/// Width of a chip with a word, on a whole px.
pub fn width(word: &str) -> i32 {
    (room("bold", word) + 160 + 9) / 10 * 10
}
