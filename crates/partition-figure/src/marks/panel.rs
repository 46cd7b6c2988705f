//! The surface under what is open; the lanes that it belongs to are its tab, in one outline.

use crate::scene::{Area, Canvas, Path};

const RADIUS: i32 = 80;

/// Draws the panel, with a tab from `tab.0` to `tab.1` that begins at `tab_top`, if there is one.
pub fn panel(canvas: &mut Canvas, area: Area, tab: Option<((i32, i32), i32)>) {
    let area = area.outline();
    let r = RADIUS;
    let (left, right, top, bottom) = (area.x, area.right(), area.y, area.bottom());
    let Some(((from, to), tab_top)) = tab else {
        canvas.rect("panel", "panel", area, r);
        return;
    };
    let (from, to, tab_top) = (from + 5, to - 5, tab_top + 5);
    let mut path = Path::at(left, bottom - r);
    // Up the left side, then along the top: the tab may stand at either end or between.
    if from <= left {
        path = path.v(tab_top + r - (bottom - r));
    } else {
        path = path
            .v(top + r - (bottom - r))
            .corner((0, -r), (r, 0))
            .h(from - r - (left + r))
            .corner((r, 0), (0, -r));
        path = path.v(tab_top + r - (top - r));
    }
    path = path
        .corner((0, -r), (r, 0))
        .h(to - from.max(left) - 2 * r)
        .corner((r, 0), (0, r));
    if to >= right {
        path = path.v(bottom - r - (tab_top + r));
    } else {
        path = path
            .v(top - r - (tab_top + r))
            .corner((0, r), (r, 0))
            .h(right - r - (to + r))
            .corner((r, 0), (0, r));
        path = path.v(bottom - r - (top + r));
    }
    path = path
        .corner((0, r), (-r, 0))
        .h(left + r - (right - r))
        .corner((-r, 0), (0, -r))
        .z();
    canvas.path("panel", "panel", path);
}
