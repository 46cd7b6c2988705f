//! A number against its limit as a thin bar: track, filling, and the limit as a tick.

use crate::metrics::cat;
use crate::scene::{Area, Canvas, Enter};

/// What a bar measures.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// The number.
    pub value: u64,
    /// Its limit, if it has one.
    pub limit: Option<u64>,
    /// What the whole bar stands for.
    pub whole: u64,
}

/// Draws a bar; its filling changes when `enter` says.
pub fn bar(canvas: &mut Canvas, key: &str, class: &'static str, area: Area, measure: Measure, enter: Enter) {
    let scale = crate::marks::scale::Scale::new(area.x, area.w, measure.whole);
    canvas.rect(&cat(&[key, "/track"]), "track", area, 0);
    let filled = scale.length(measure.value);
    if filled > 0 {
        canvas
            .rect(&cat(&[key, "/fill"]), class, Area { w: filled, ..area }, 0)
            .enters(enter);
    }
    if let Some(limit) = measure.limit {
        let from = (scale.at(limit), area.y - 10);
        canvas.line(&cat(&[key, "/limit"]), "limit", from, (0, area.h + 20));
    }
}
