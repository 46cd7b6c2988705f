//! A record about to be appended: where it would stand, and whether it fits.

use partition_log::questions::view::SegmentView;
use partition_log::rules::roll::{RollDecision, Waited};

use crate::layout::log::Log;
use crate::layout::{Drawing, Stage, words};
use crate::marks::probe::Comparison;
use crate::marks::record::{Look, Record, record};
use crate::metrics::{amount, cat, number, room, room_of};
use crate::scene::{Area, Enter};

/// Draws the record and the sum of the roll check, which stands no further left than `left`.
pub fn fits(drawing: &mut Drawing<'_>, segment: &SegmentView, log: Log, left: i32) {
    let Some(roll) = drawing.focus.roll.filter(|roll| roll.it.base == segment.base) else {
        return;
    };
    let decision = roll.it;
    if drawing.focus.append.is_none() || drawing.focus.rolled.is_some() {
        would_be(drawing, decision, log);
    }
    let relation = if decision.size_exceeded() { ">" } else { "≤" };
    let against = words::compared(decision.total() as i64, relation, decision.segment_bytes as i64);
    let (size, more) = (amount(decision.size as i64), amount(decision.append_size as i64));
    let sum = cat(&[&size, " + ", &more, " = ", &against]);
    let (operands, word) = match (decision.size_exceeded(), decision.cause()) {
        (false, Some(_)) if decision.time_exceeded() => (waited(decision), "roll"),
        (_, Some(_)) => (sum, "roll"),
        (_, None) => (sum, "fits"),
    };
    let comparison = Comparison {
        operands,
        word,
        hit: decision.cause().is_some() && roll.fresh,
    };
    let mut said = comparison.spans(log.right - left);
    if said.is_empty() {
        said = Comparison {
            operands: against,
            ..comparison
        }
        .spans(log.right - left);
    }
    let rise = match (drawing.plan.stacked(), drawing.stage) {
        (true, _) => 100,
        (false, Stage::Pair(..)) => 145,
        (false, _) => 110,
    };
    let x = log
        .scale
        .at(decision.total())
        .max(left + room_of("", &said))
        .min(log.right);
    drawing
        .canvas
        .text("check/size", "", x, log.records.y - rise, said)
        .end()
        .enters(Enter::Fade);
}

/// How long the segment has waited: `68 − 24 = 44 > 30 s`.
fn waited(decision: &RollDecision) -> String {
    let relation = if decision.time_exceeded() { ">" } else { "≤" };
    let compared = words::times(decision.waited.ms(), relation, decision.waited_limit_ms);
    let (late, early) = match decision.waited {
        Waited::Timestamps {
            incoming: Some(incoming),
            first,
        } => (incoming.get(), first.get()),
        Waited::Clock { now, created } => (now.get(), created.get()),
        Waited::Timestamps { incoming: None, .. } => return compared,
    };
    cat(&[&words::difference(late, early), " = ", &compared])
}

/// The record in dashes where it would stand, across the limit if need be.
fn would_be(drawing: &mut Drawing<'_>, decision: &RollDecision, log: Log) {
    let (from, to) = (log.scale.at(decision.size), log.scale.at(decision.total()));
    let area = Area {
        x: from,
        w: to - from,
        ..log.records
    };
    let over = decision.total().saturating_sub(decision.segment_bytes);
    let crossed = (over > 0 && drawing.limit_in_sight()).then(|| log.scale.at(decision.segment_bytes));
    let size = match decision.waited {
        Waited::Timestamps { incoming, .. } if decision.time_exceeded() && over == 0 => words::time(incoming),
        _ => words::exact(decision.append_size),
    };
    let small = drawing.plan.stacked();
    let canvas = &mut drawing.canvas;
    canvas.open("would-be", "", area).enters(Enter::Fade);
    let offset = number(decision.append_last_offset.get());
    let under = [&*size, &number(decision.append_size as i64)];
    let text_end = crossed.unwrap_or(to);
    record(
        canvas,
        Record {
            area,
            offset: &[&offset],
            under: &under,
            look: Look::WouldBe,
            text_end,
            small,
        },
    );
    if let Some(limit) = crossed {
        let text = cat(&[&words::exact(over), " over"]);
        if room("", &text) <= to - limit - 40 {
            canvas
                .word("/over", "", (limit + to) / 2 + 5, area.y + area.h / 2 + 43, &text)
                .middle();
        }
    }
    canvas.close();
}
