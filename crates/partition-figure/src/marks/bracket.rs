//! A bracket over a stretch of a line.

use crate::scene::{Canvas, Enter, Path};

/// A bracket from `from` to `to` whose feet, 4 px long, stand at `y`.
pub fn bracket(canvas: &mut Canvas, key: &str, class: &'static str, (from, to): (i32, i32), y: i32) {
    canvas
        .path(key, class, Path::at(from + 5, y).v(-45).h(to - from).v(45))
        .enters(Enter::Hop);
}
