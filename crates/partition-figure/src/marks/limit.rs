//! The limit of a setting: 2 px of ink across, the number bold, then Kafka's key.

use crate::metrics::{cat, room};
use crate::scene::{Canvas, span};

/// The line, and its number right of the lower end, with as much of the key as `right` leaves room for.
pub fn limit(canvas: &mut Canvas, key: &str, x: i32, (top, bottom): (i32, i32), number: &str, setting: &str, right: i32) {
    canvas.line(cat(&[key, "/line"]), "limit", (x, top), (0, bottom - top));
    let label = cat(&[number, setting]);
    let spans = if !setting.is_empty() && x + 60 + room("s13 bold mono", &label) <= right {
        vec![span("s13 bold", number), span("mono muted", cat(&["\u{a0}", setting]))]
    } else {
        vec![span("s13 bold", number)]
    };
    canvas.text(cat(&[key, "/number"]), "", x + 60, bottom, spans);
}
