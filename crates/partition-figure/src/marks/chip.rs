//! The state of a segment: a word in a rounded outline.

use crate::metrics::{cat, room};
use crate::scene::{Area, Canvas};

/// A chip whose left edge is at `x`; returns its right edge.
pub fn chip(canvas: &mut Canvas, key: &str, class: &'static str, x: i32, y: i32, word: &str) -> i32 {
    let w = width(word);
    canvas.rect(&cat(&[key, "/outline"]), class, Area { x, y, w, h: 200 }.outline(), 95);
    let weight = if word == "active" { "" } else { "bold" };
    canvas
        .word(&cat(&[key, "/word"]), weight, x + w / 2, y + 142, word)
        .middle();
    x + w
}

/// Width of a chip with a word, on a whole px.
pub fn width(word: &str) -> i32 {
    (room("bold", word) + 160 + 9) / 10 * 10
}
