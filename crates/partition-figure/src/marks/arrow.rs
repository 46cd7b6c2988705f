//! Heads and dots of pointers: 2 px of ink lead from a dot to a head.

use crate::scene::{Canvas, Enter, Path};

/// Which way a head points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Right.
    Right,
    /// Left.
    Left,
    /// Up.
    Up,
}

/// A pointer's looks, by whether it belongs to this step or to an earlier one of the command.
pub const fn pointer(fresh: bool) -> &'static str {
    if fresh { "pointer" } else { "pointer past" }
}

/// A head with its tip at a point, in the pointer's group.
pub fn head(canvas: &mut Canvas, fresh: bool, tip: (i32, i32), way: Way) {
    let path = Path::at(tip.0, tip.1);
    let path = match way {
        Way::Right => path.l(-80, -45).v(90).z(),
        Way::Left => path.l(80, -45).v(90).z(),
        Way::Up => path.l(-45, 80).h(90).z(),
    };
    canvas
        .path("/head", if fresh { "head" } else { "head past" }, path)
        .enters(Enter::Head);
}

/// The dot where a pointer begins.
pub fn dot(canvas: &mut Canvas, fresh: bool, x: i32, y: i32) {
    canvas
        .circle("/dot", if fresh { "head" } else { "head past" }, x, y, 35)
        .enters(Enter::Hop);
}
