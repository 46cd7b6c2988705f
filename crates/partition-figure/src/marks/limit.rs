//! The limit of a setting: 2 px of ink across, the number bold, then Kafka's key.

use crate::metrics::{cat, room, room_of};
use crate::scene::{Canvas, spans};

/// The line, and its number beside the lower end: right of it with as much of the key as `right` leaves room for, left
/// of it if there is no room at all.
pub fn limit(
    canvas: &mut Canvas,
    key: &str,
    x: i32,
    (top, bottom): (i32, i32),
    number: &str,
    setting: &str,
    right: i32,
) {
    canvas.line(&cat(&[key, "/line"]), "limit", (x, top), (0, bottom - top));
    let (from, to) = extent(x, number, right);
    let long = spans(&[("s13 bold", number), ("mono muted", &cat(&["\u{a0}", setting]))]);
    let at = cat(&[key, "/number"]);
    if from < x {
        canvas.word(&at, "s13 bold", x - 60, bottom, number).end();
    } else if setting.is_empty() || x + 60 + room_of("", &long) > right {
        canvas.word(&at, "s13 bold", from, bottom, number);
    } else {
        debug_assert!(to <= right);
        canvas.text(&at, "", from, bottom, long);
    }
}

/// From where to where the number stands.
pub fn extent(x: i32, number: &str, right: i32) -> (i32, i32) {
    let wide = room("s13 bold", number);
    if x + 60 + wide <= right {
        (x + 60, x + 60 + wide)
    } else {
        (x - 60 - wide, x - 60)
    }
}
