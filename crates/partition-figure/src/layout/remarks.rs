//! What a frame says of each segment: a chip, a comparison or a note.

use partition_log::rules::retention::RetentionAnswer;

use crate::layout::retention::telling;
use crate::layout::words;
use crate::layout::{Drawing, Shown, Stage};
use crate::marks::probe::Comparison;
use crate::metrics::cat;

/// What is said of a segment.
#[derive(Default)]
pub struct Remark {
    /// A chip's word and class.
    pub chip: Option<(&'static str, &'static str)>,
    /// A comparison.
    pub comparison: Option<Comparison>,
    /// A note where there is no comparison.
    pub note: Option<String>,
}

/// What this frame says of a segment.
pub fn remark(drawing: &Drawing<'_>, shown: &Shown<'_>) -> Remark {
    let base = shown.segment.base;
    let focus = &drawing.focus;
    let mut remark = Remark::default();
    if drawing.asks() {
        remark.chip = Some(("this one?", "chip"));
        return remark;
    }
    if shown.deleted {
        remark.chip = Some(("deleted", "chip deleted"));
    }
    let mine = || focus.retention.iter().rev().filter(|seen| seen.it.base == base);
    // The rule that the lower part shows goes first.
    let decision = mine()
        .find(|seen| drawing.stage == Stage::Retention(seen.it.rule()))
        .or_else(|| mine().next());
    if let Some(seen) = decision {
        let goes = seen.it.answer() == RetentionAnswer::Delete;
        if !goes {
            remark.chip = Some(("kept", "chip"));
        }
        let word = if goes && !shown.deleted { "goes" } else { "" };
        remark.comparison = Some(Comparison::of(&telling(&seen.it), word, seen.fresh).short());
    } else if let Some((floor, clause)) = focus
        .floor
        .and_then(|floor| floor.it.clause(base).map(|clause| (floor, clause)))
    {
        let hit = floor.it.found == Some(base);
        let word = match clause.holds {
            true if hit => "floor",
            true => "fits",
            false => "too big",
        };
        remark.comparison = Some(Comparison::of(&clause, word, hit).short());
    } else if let Some(seen) = focus.time_segments.iter().find(|seen| seen.it.base == base) {
        let hit = seen.it.searched;
        let word = if hit { "search it" } else { "too old" };
        remark.comparison = Some(Comparison::of(&seen.it.clause, word, hit).short());
    } else if let Some(rolled) = &focus.rolled {
        let at = words::time(Some(drawing.view.clock), drawing.view.clock);
        if rolled.it.0 == base {
            remark.note = Some(cat(&["closed at ", &at]));
        } else if rolled.it.1 == base {
            remark.note = Some(cat(&["new at ", &at]));
        }
    } else if !focus.retention.is_empty() && !shown.deleted {
        remark.note = Some("not examined".to_string());
    }
    remark
}
