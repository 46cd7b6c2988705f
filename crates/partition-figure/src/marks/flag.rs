//! Flags and triangles at offsets, and their labels in one row.

use crate::metrics::{cat, room_of};
use crate::scene::{Canvas, Enter, Path, Span, span, spans};

/// A name and the offset it stands at.
pub fn label(name: &str, offset: &str) -> Vec<Span> {
    spans(&[("muted", &cat(&[name, " "])), ("bold", offset)])
}

/// A label that wants to stand at a place.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its key in the open group.
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
    let room = |label: &Label| room_of("", &label.spans);
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
        let enter = if label.key == "/log-start/label" {
            Enter::Flag
        } else {
            Enter::Tick
        };
        canvas.text(&label.key, "", label.want, y, label.spans).enters(enter);
    }
}

/// Labels beside the triangles at their marks: right of them if there is room, otherwise left; two that are too close
/// share one text. `half` is half the width of a triangle.
pub fn beside(canvas: &mut Canvas, mut labels: Vec<Label>, (left, right): (i32, i32), half: i32, y: i32) {
    let room = |label: &Label| room_of("", &label.spans);
    let gap = half + 40;
    if labels.len() == 2 && labels[0].want > labels[1].want {
        labels.swap(0, 1);
    }
    let placed = match &mut labels[..] {
        [one] => {
            let after = one.want + gap;
            one.want = if after + room(one) <= right {
                after
            } else {
                (one.want - gap - room(one)).max(left)
            };
            true
        }
        [one, two] => {
            let (first, second) = (one.want, two.want);
            let before = first - gap - room(one);
            let after = second + gap;
            let between = |label: &Label| first + gap + room(label) <= second - gap;
            let fits_after = after + room(two) <= right;
            if between(one) && fits_after {
                (one.want, two.want) = (first + gap, after);
                true
            } else if first + gap + room(one) + gap <= second - gap - room(two) {
                (one.want, two.want) = (first + gap, second - gap - room(two));
                true
            } else if before >= left && fits_after {
                (one.want, two.want) = (before, after);
                true
            } else if before >= left && between(two) {
                (one.want, two.want) = (before, second - gap - room(two));
                true
            } else {
                false
            }
        }
        _ => true,
    };
    if !placed && let Some(two) = labels.pop() {
        let one = &mut labels[0];
        let start = one.want;
        one.spans.push(span("muted", ", "));
        one.spans.extend(two.spans);
        let after = two.want + gap;
        one.want = if after + room(one) <= right {
            after
        } else {
            (start - gap - room(one)).max(left)
        };
    }
    for label in labels {
        canvas
            .text(&label.key, "", label.want, y, label.spans)
            .enters(Enter::Tick);
    }
}

/// A triangle from below with its tip at a point: hollow for committed, solid for the consumer.
pub fn triangle(canvas: &mut Canvas, key: &str, class: &'static str, x: i32, y: i32, half: i32) {
    canvas
        .path(key, class, Path::at(x, y).l(half, half * 12 / 7).h(-2 * half).z())
        .enters(Enter::Travel);
}
