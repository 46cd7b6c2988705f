//! What a frame says of each segment: a chip, a comparison or a note.

use partition_log::rules::retention::{RetentionAnswer, RetentionDecision, RetentionOperands};
use partition_log::units::duration;

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
        remark.comparison = Some(Comparison {
            operands: decided(&seen.it),
            word,
            hit: seen.fresh,
        });
    } else if let Some(floor) = focus.floor.filter(|floor| floor.it.bases.contains(&base)) {
        let (hit, target) = (floor.it.found == Some(base), floor.it.target);
        let (relation, word) = match base <= target {
            true if hit => ("≤", "floor"),
            true => ("≤", "fits"),
            false => (">", "too big"),
        };
        let operands = words::compared(base.get(), relation, target.get());
        remark.comparison = Some(Comparison { operands, word, hit });
    } else if let Some(seen) = focus.time_segments.iter().find(|seen| seen.it.base == base) {
        let hit = seen.it.searched;
        let (relation, word) = if hit { ("≥", "search it") } else { ("<", "too old") };
        let operands = words::times(seen.it.largest.get(), relation, seen.it.target.get());
        remark.comparison = Some(Comparison { operands, word, hit });
    } else if let Some(rolled) = &focus.rolled {
        let at = duration(drawing.view.clock.get());
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

/// The operands of a retention decision, short.
fn decided(decision: &RetentionDecision) -> String {
    if decision.answer() == RetentionAnswer::AboveHighWatermark {
        return words::compared(decision.end.get(), ">", decision.high_watermark.get());
    }
    let holds = decision.holds();
    match decision.operands {
        RetentionOperands::LogStart {
            next_base: Some(next),
            log_start,
        } => words::compared(next.get(), if holds { "≤" } else { ">" }, log_start.get()),
        RetentionOperands::LogStart { next_base: None, .. } => "last".to_string(),
        RetentionOperands::Size { segment_size, .. } => {
            words::compared(decision.measured(), if holds { "≥" } else { "<" }, segment_size as i64)
        }
        RetentionOperands::Time { retention_ms, .. } => {
            words::times(decision.measured(), if holds { ">" } else { "≤" }, retention_ms)
        }
    }
}
