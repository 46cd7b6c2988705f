//! A log's bytes: a line under the records, small ticks, and a full tick with its number where a record begins.

use crate::marks::scale::Scale;
use crate::metrics::{amount, cat, number, room};
use crate::scene::{Area, Canvas, Enter, Path};

/// A place on the ruler that has a number.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// Byte.
    pub position: u64,
    /// Whether it must have its number even where others then have none.
    pub wanted: bool,
    /// Whether it is the end of the data and not the start of a record.
    pub end: bool,
}

/// Draws a ruler whose line is at `y`; its numbers end at `right` and keep off the stretches in `clear`.
#[allow(clippy::too_many_arguments)]
pub fn ruler(
    canvas: &mut Canvas,
    key: &str,
    scale: Scale,
    y: i32,
    small: bool,
    marks: &[Mark],
    clear: &[(i32, i32)],
    right: i32,
) {
    let (drop, class) = if small { (150, "") } else { (160, "s13") };
    canvas.open(key, "", Area::new(scale.x, y, scale.width, drop));
    let full = scale.at(scale.span);
    canvas.path("/ticks", "minor-tick", minor(scale, y));
    let mut path = Path::at(scale.x, y + 5).h(full - scale.x + 10);
    let mut x = full + 10;
    let mut down = 0;
    for mark in marks {
        let at = scale.at(mark.position) + 5;
        path = path.m(at - x, -down).v(drop);
        (x, down) = (at, drop);
    }
    canvas.path("/line", "tick", path).enters(Enter::Tick);
    let gap = if small { 35 } else { 45 };
    let mut taken = clear.to_vec();
    for wanted in [true, false] {
        for (index, mark) in marks.iter().enumerate().filter(|(_, mark)| mark.wanted == wanted) {
            let text = amount(mark.position as i64);
            let from = scale.at(mark.position) + 5 + gap;
            let full_text = if index == 0 {
                cat(&["byte ", &text])
            } else {
                text.clone()
            };
            let edge = marks
                .get(index + 1)
                .map_or(right, |next| scale.at(next.position).min(right));
            for text in [full_text, text] {
                let to = from + room(class, &text);
                let clear = taken.iter().all(|&(left, other)| to <= left || from >= other);
                // A number may stand across a tick without one, never across another number or the end.
                if to <= right && clear && (to <= edge || (wanted && edge < right)) {
                    taken.push((from, to + 10));
                    let class = match (mark.end, small) {
                        (true, true) => "muted",
                        (true, false) => "s13 muted",
                        _ => class,
                    };
                    let key = cat(&["/", &number(mark.position as i64)]);
                    canvas.word(&key, class, from, y + drop, &text).enters(Enter::Tick);
                    break;
                }
            }
        }
    }
    canvas.close();
}

/// Ticks at round bytes, at least 8 px apart; every fifth is longer.
fn minor(scale: Scale, y: i32) -> Path {
    if scale.width < 80 {
        return Path::at(scale.x, y);
    }
    let (mut unit, mut power) = (1u64, 1u64);
    // 1, 2, 5, 10, 20, 50, …
    while (scale.width as u64) * unit < 80 * scale.span {
        unit = match unit / power {
            1 => 2 * power,
            2 => 5 * power,
            _ => {
                power *= 10;
                power
            }
        };
    }
    let mut path = Path::at(scale.x + 5, y);
    let (mut x, mut down) = (0, 0);
    let mut tick = 1;
    while tick * unit <= scale.span {
        let at = scale.length(tick * unit);
        let length = if tick % 5 == 0 { 50 } else { 30 };
        path = path.m(at - x, -down).v(length);
        (x, down) = (at, length);
        tick += 1;
    }
    path
}
