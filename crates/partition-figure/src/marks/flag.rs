//! Flags and triangles at offsets, and their labels in one row.

use crate::metrics::cat;
use crate::scene::{Canvas, Path, Span, span};

/// A name and the offset it stands at.
pub fn label(name: &str, offset: &str) -> Vec<Span> {
    vec![span("muted", cat(&[name, " "])), span("bold", offset)]
}

/// A label that wants to stand at a place.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its key.
    pub key: String,
    /// Its text.
    pub spans: Vec<Span>,
    /// Where its left end wants to be.
    pub want: i32,
}

/// Places labels in a row, in order, each as near to its place as the others and the ends allow; a label that has no
/// room is left out, the last ones first.
pub fn row(canvas: &mut Canvas, mut labels: Vec<Label>, (left, right): (i32, i32), y: i32) {
    const GAP: i32 = 100;
    let room = |label: &Label| crate::metrics::room_of("", &label.spans);
    while !labels.is_empty() && labels.iter().map(|label| room(label) + GAP).sum::<i32>() - GAP > right - left {
        labels.pop();
    }
    let mut edge = left;
    for label in &mut labels {
        label.want = label.want.max(edge);
        edge = label.want + room(label) + GAP;
    }
    let mut edge = right;
    for label in labels.iter_mut().rev() {
        label.want = label.want.min(edge - room(label));
        edge = label.want - GAP;
    }
    for label in labels {
        canvas.text(label.key, "", label.want, y, label.spans);
    }
}

/// A triangle from below with its tip at a point: hollow for committed, solid for the consumer.
pub fn triangle(canvas: &mut Canvas, key: String, class: &'static str, x: i32, y: i32, half: i32) {
    canvas.path(key, class, Path::at(x, y).l(half, half * 12 / 7).h(-2 * half).z());
}
