//! A record about to be appended: where it would stand, and whether it fits.

use partition_log::questions::view::SegmentView;
use partition_log::rules::clause::{Clause, Term};
use partition_log::rules::roll::{RollCause, RollDecision};

use crate::layout::log::Log;
use crate::layout::{Drawing, Stage, words};
use crate::marks::probe::Comparison;
use crate::marks::record::{Look, Record, record};
use crate::metrics::{cat, number, room, room_of};
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
    let clause = telling(decision);
    let word = if clause.holds { "roll" } else { "fits" };
    let said = Comparison::of(&clause, word, clause.holds && roll.fresh).spans(log.right - left);
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
        .enters(Enter::Say);
}

/// The clause that a picture of the check shows: the one that decided, or that of size where none said yes.
pub fn telling(decision: &RollDecision) -> Clause {
    let clauses = decision.clauses();
    clauses.into_iter().find(|clause| clause.holds).unwrap_or(clauses[0])
}

/// The record in dashes where it would stand, across the limit if need be.
fn would_be(drawing: &mut Drawing<'_>, decision: &RollDecision, log: Log) {
    let (from, to) = (log.scale.at(decision.size), log.scale.at(decision.total()));
    let area = Area {
        x: from,
        w: to - from,
        ..log.records
    };
    let size = decision.clause(RollCause::Size);
    let over = size.and_then(|clause| u64::try_from(clause.excess()).ok()).unwrap_or(0);
    let crossed = (over > 0 && drawing.limit_in_sight()).then(|| log.scale.at(decision.segment_bytes));
    let incoming = telling(decision).number(Term::IncomingTimestamp);
    let size = incoming.map_or_else(
        || words::exact(decision.append_size),
        |ms| words::moment(ms, drawing.view.clock),
    );
    let small = drawing.plan.stacked();
    let canvas = &mut drawing.canvas;
    canvas.open("would-be", "", area).enters(Enter::Meet);
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
                .middle()
                .enters(Enter::Fade);
        }
    }
    canvas.close();
}
