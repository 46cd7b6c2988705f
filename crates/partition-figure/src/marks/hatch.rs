//! The hatch of what is deleted: lines at 45 degrees, 6 px apart, as one path.
//!
//! A path and not a pattern: a pattern needs an id, and ids do not reach into every shadow tree.

use crate::scene::{Area, Canvas, Enter, Path, SceneNode};

/// Horizontal distance of the lines: 6 px times the root of 2.
const PITCH: i32 = 85;

/// Hatches an area.
pub fn hatch<'a>(canvas: &'a mut Canvas, key: &str, class: &'static str, area: Area) -> &'a mut SceneNode {
    let (w, h) = (area.w, area.h);
    let mut path = Path::at(area.x, area.y);
    let (mut x, mut y) = (0, 0);
    let mut c = PITCH / 2;
    // Each line is x + y = c, from the upper or right edge to the left or lower one.
    while c < w + h {
        let (x0, y0) = (c.min(w), (c - w).max(0));
        let (x1, y1) = ((c - h).max(0), c.min(h));
        path = path.m(x0 - x, y0 - y).l(x1 - x0, y1 - y0);
        (x, y) = (x1, y1);
        c += PITCH;
    }
    canvas.path(key, class, path).enters(Enter::Hatch)
}
