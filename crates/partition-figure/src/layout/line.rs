//! The log as one line of offsets: where it starts and ends, where the consumer is, and where a reset takes it.

use partition_log::rules::fetch::RangeAnswer;
use partition_log::rules::reset::{ResetPolicy, ResetReason};
use partition_log::units::Offset;

use crate::layout::overview::{below, lowest, marks_above};
use crate::layout::{Drawing, words};
use crate::marks::arrow::{Way, head, pointer};
use crate::marks::bracket::bracket;
use crate::marks::flag::{beside, row};
use crate::marks::hatch::hatch;
use crate::marks::probe::Comparison;
use crate::marks::scale::Scale;
use crate::metrics::{cat, fitting, number, room, room_of};
use crate::scene::{Area, Enter, Path, Span, span};

/// Offsets that are drawn as boxes of their own; more are only a stretch.
const BOXES: i64 = 64;

/// Draws the line.
pub fn draw(drawing: &mut Drawing<'_>) {
    let stage = drawing.plan.stage;
    let stacked = drawing.plan.stacked();
    let (left, right) = (drawing.plan.left, drawing.plan.right);
    let (low, end) = lowest(drawing);
    let view = drawing.view;
    drawing.heading("The log as one line of offsets", "The log as one line of offsets");
    // With a consumer, the marks stand above; otherwise the segments do, and the boxes have a second line.
    let marked = drawing.frame.extents.consumer;
    let labels = stage.y + if stacked { 420 } else { 520 };
    let h = match (stacked, marked) {
        (true, _) => 300,
        (false, true) => 340,
        (false, false) => 460,
    };
    let cells = Area {
        x: left,
        y: labels + 120,
        w: right - left,
        h,
    };
    // One more than there are: the next record has its place, too.
    let places = end - low + 1;
    let scale = Scale::new(left, right - left - 10, places as u64);
    let at = |offset: Offset| scale.at((offset.get() - low).clamp(0, places) as u64);
    let (start, finish) = (at(view.log_start), at(view.log_end));
    let canvas = &mut drawing.canvas;
    canvas.open(
        "line".to_string(),
        "",
        Area {
            y: labels - 120,
            h: cells.bottom() - labels + 120,
            ..cells
        },
    );
    let boxed = places <= BOXES;
    if start > left {
        let gone = Area {
            x: left,
            w: start - left,
            ..cells
        };
        canvas.rect(
            "line/deleted".to_string(),
            "record deleted",
            Area {
                w: gone.w,
                ..gone.outline()
            },
            0,
        );
        hatch(
            canvas,
            "line/hatch".to_string(),
            "hatch",
            Area {
                w: gone.w,
                ..gone.outline()
            },
        );
    }
    if finish > start {
        let live = Area {
            x: start,
            w: finish - start,
            ..cells
        };
        canvas.rect(
            "line/log".to_string(),
            "record",
            Area {
                w: live.w,
                ..live.outline()
            },
            0,
        );
    }
    let rest = Area {
        x: finish,
        w: right - finish - 5,
        ..cells
    };
    canvas.rect(
        "line/next".to_string(),
        "tail active",
        Area {
            w: rest.w - 5,
            ..rest.outline()
        },
        0,
    );
    if boxed {
        let mut path = Path::at(left + 5, cells.y + 5);
        let (mut x, mut down) = (0, 0);
        for offset in 1..(view.log_end.get() - low) {
            let to = scale.length(offset as u64);
            path = path.m(to - x, -down).v(cells.h - 10);
            (x, down) = (to, cells.h - 10);
        }
        canvas.path("line/edges".to_string(), "divider", path);
    }
    let asked = drawing
        .focus
        .range
        .map(|range| range.it.requested)
        .filter(|_| drawing.focus.delivery.is_none());
    let touched = asked.filter(|offset| boxed && (low..=end).contains(&offset.get()));
    if let Some(offset) = touched {
        let cell = Area {
            x: at(offset),
            w: at(offset.next()) - at(offset),
            ..cells
        };
        let gone = offset < view.log_start || offset >= view.log_end;
        if !gone {
            drawing.canvas.rect(
                "line/asked".to_string(),
                "record touched",
                Area {
                    w: cell.w,
                    ..cell.outline()
                },
                0,
            );
        }
        let ring = Area {
            x: cell.x + 10,
            y: cell.y + 10,
            w: cell.w - 10,
            h: cell.h - 20,
        };
        drawing.canvas.rect("line/touched".to_string(), "ring", ring, 10);
    }
    offsets(drawing, cells, scale, low, touched);
    let canvas = &mut drawing.canvas;
    let top = if marked { labels + 40 } else { cells.y - 30 };
    let drop = cells.bottom() - top;
    canvas.line("line/log-start".to_string(), "limit", (start + 5, top), (0, drop));
    if view.high_watermark != view.log_end {
        canvas.line(
            "line/high-watermark".to_string(),
            "limit dashed",
            (at(view.high_watermark) + 5, top),
            (0, drop),
        );
    }
    canvas.line("line/log-end".to_string(), "limit", (finish + 5, top), (0, drop));
    if marked {
        let above = marks_above(view, "line/", |offset| at(offset) + 5, 60);
        row(canvas, above, (left, right), labels);
    }
    canvas.close();
    if !marked {
        segments(drawing, labels, &at);
    }
    consumer(drawing, cells, &at);
}

/// The numbers on the boxes: all that have room, otherwise those that name a segment, and the one asked for.
fn offsets(drawing: &mut Drawing<'_>, cells: Area, scale: Scale, low: i64, touched: Option<Offset>) {
    let view = drawing.view;
    let end = view.log_end.get();
    if end - low > BOXES {
        return;
    }
    let narrowest = scale.length(1);
    let widest = room("bold", &number(end));
    let all = widest + 20 <= narrowest;
    let bases: Vec<i64> = view
        .deleted
        .iter()
        .chain(&view.segments)
        .map(|segment| segment.base.get())
        .collect();
    let mut edge = 0;
    let second = !drawing.plan.stacked() && !drawing.frame.extents.consumer;
    let by_time = drawing.frame.extents.time_searches;
    let y = cells.y + cells.h / 2 + if second { -30 } else { 43 };
    for offset in low..end {
        let base = bases.contains(&offset);
        let asked = touched.is_some_and(|touched| touched.get() == offset);
        if !all && !base && !asked {
            continue;
        }
        let text = number(offset);
        let class = if base || asked { "bold" } else { "" };
        let (x, next) = (scale.at((offset - low) as u64), scale.at((offset - low + 1) as u64));
        let wide = room(class, &text);
        let middle = (x + next) / 2 + 5;
        if middle - wide / 2 < edge - 10 {
            continue;
        }
        edge = middle + wide / 2;
        let canvas = &mut drawing.canvas;
        if offset < view.log_start.get() {
            let plate = Area {
                x: middle - wide / 2,
                y: y - 118,
                w: wide,
                h: 150,
            };
            canvas.rect(cat(&["line/", &text, "/plate"]), "plate", plate, 20);
        }
        canvas.word(cat(&["line/", &text]), class, middle, y, &*text).middle();
        let batch = view
            .segments
            .iter()
            .flat_map(|segment| &segment.batches)
            .find(|batch| batch.first_offset.get() == offset);
        if let Some(batch) = batch.filter(|_| second) {
            let under = if by_time {
                words::time(batch.timestamp)
            } else {
                words::exact(batch.size)
            };
            if let Some(under) = fitting("", next - x - 5, &[&under]) {
                let under = under.to_string();
                canvas
                    .word(cat(&["line/", &text, "/under"]), "", middle, y + 160, under)
                    .middle();
            }
        }
    }
}

/// Which segment holds which stretch.
fn segments(drawing: &mut Drawing<'_>, labels: i32, at: &dyn Fn(Offset) -> i32) {
    let view = drawing.view;
    let mut edge = drawing.plan.left;
    for segment in &view.segments {
        let (from, to) = (at(segment.base), at(segment.end));
        if to - from < 100 || from < edge {
            continue;
        }
        let id = number(segment.base.get());
        let canvas = &mut drawing.canvas;
        bracket(
            canvas,
            cat(&["line/segment/", &id]),
            "tick",
            (from + 20, to - 20),
            labels + 85,
        );
        let wordings = [
            cat(&["segment ", &id, ", ", &words::exact(segment.size)]),
            cat(&["segment ", &id]),
            id.clone(),
        ];
        if let Some(text) = fitting("", to - from - 20, &[&wordings[0], &wordings[1], &wordings[2]]) {
            let text = text.to_string();
            canvas.word(cat(&["line/segment/", &id, "/name"]), "muted", from + 25, labels, text);
        }
        edge = to;
    }
}

/// Committed offset and consumer from below, and the hop of a reset.
fn consumer(drawing: &mut Drawing<'_>, cells: Area, at: &dyn Fn(Offset) -> i32) {
    let view = drawing.view;
    let (left, right) = (drawing.plan.left, drawing.plan.right);
    let tip = cells.bottom() + 40;
    let canvas = &mut drawing.canvas;
    let middle = |offset: Offset| (at(offset) + at(offset.next())) / 2 + 5;
    let labels = below(canvas, view, "line/", &middle, tip, 70);
    beside(canvas, labels, (left, right), 70, tip + 115);
    if let Some(delivery) = drawing.focus.delivery {
        let (from, to) = (at(delivery.first) + 5, at(delivery.last.next()) + 5);
        canvas.line(
            "line/delivered".to_string(),
            "delivered",
            (from, cells.bottom() + 15),
            (to - from, 0),
        );
    }
    let reset = drawing.focus.reset;
    let y = tip + 180;
    let canvas = &mut drawing.canvas;
    let mut text_y = y + 110;
    if let Some((seen, target)) = reset.and_then(|seen| seen.it.target().map(|target| (seen, target)))
        && let ResetReason::OutOfRange { requested } = seen.it.reason
    {
        let (from, to) = (middle(requested), middle(target));
        let r = 80;
        let side = if to > from { 1 } else { -1 };
        if (to - from).abs() > 2 * r {
            let path = Path::at(from, tip + 150)
                .v(60)
                .corner((0, r), (side * r, 0))
                .h(to - from - 2 * side * r);
            let path = path.corner((side * r, 0), (0, -r)).v(-20);
            canvas
                .path("reset/line".to_string(), pointer(seen.fresh), path)
                .enters(Enter::Hop);
            head(canvas, "reset", seen.fresh, (to, tip + 130), Way::Up);
            text_y = tip + 150 + 60 + r + 170;
        }
    }
    let spans = said(drawing, right - left);
    if !spans.is_empty() {
        let asked = drawing.focus.range.map(|range| range.it.requested);
        let from = drawing.focus.delivery.map(|delivery| delivery.first).or(asked);
        let from = from.map_or(left, |offset| middle(offset).clamp(left, right));
        let x = from.min(right - room_of("", &spans)).max(left);
        drawing
            .canvas
            .text("reset/text".to_string(), "", x, text_y, spans)
            .enters(Enter::Fade);
    }
}

/// What the range check and the reset say.
fn said(drawing: &Drawing<'_>, room: i32) -> Vec<Span> {
    let focus = &drawing.focus;
    if let Some(delivery) = focus.delivery {
        let records = words::count(delivery.records as usize, "record", "records");
        return vec![
            span("bold", cat(&[&records, ", ", &words::exact(delivery.bytes)])),
            span("", " delivered"),
        ];
    }
    let mut spans = Vec::new();
    if let Some(range) = focus.range {
        let (requested, start, end) = (
            range.it.requested.get(),
            range.it.log_start.get(),
            range.it.log_end.get(),
        );
        let mark = range.it.high_watermark.get();
        let (operands, word) = match range.it.answer() {
            RangeAnswer::OutOfRange if requested < start => (words::compared(requested, "<", start), "out of range"),
            RangeAnswer::OutOfRange => (words::compared(requested, ">", end), "out of range"),
            RangeAnswer::Empty => (words::compared(requested, "≥", mark), "nothing to read yet"),
            RangeAnswer::Readable => {
                let operands = cat(&[&number(start), " ≤ ", &number(requested), " < ", &number(mark)]);
                (operands, "in the log")
            }
        };
        let hit = range.it.answer() != RangeAnswer::Readable;
        spans = Comparison { operands, word, hit }.spans(i32::MAX);
    }
    if let Some(reset) = focus.reset {
        let policy = match reset.it.policy {
            ResetPolicy::Earliest => "earliest",
            ResetPolicy::Latest => "latest",
            ResetPolicy::None => "none",
            ResetPolicy::ByDuration { .. } => "by duration",
        };
        let start = if spans.is_empty() {
            "no committed offset, reset to "
        } else {
            ", reset to "
        };
        let mut long = spans.clone();
        long.push(span("", cat(&[start, policy])));
        match reset.it.target() {
            Some(target) => {
                long.push(span("", ": "));
                long.push(span("mono bold", number(target.get())));
                let mut tail = String::new();
                if reset.it.lost() > 0 {
                    tail.push_str(&cat(&[", ", &number(reset.it.lost()), " lost"]));
                }
                if reset.it.skipped() > 0 {
                    tail.push_str(&cat(&[", ", &number(reset.it.skipped()), " passed over"]));
                }
                let mut longest = long.clone();
                longest.push(span("muted", tail));
                if room_of("", &longest) <= room {
                    return longest;
                }
            }
            None => long.push(span("bold", ": an exception")),
        }
        if room_of("", &long) <= room {
            return long;
        }
        let short = cat(&[", ", policy]);
        if let Some(text) = fitting("", room - room_of("", &spans), &[&short]) {
            spans.push(span("", text));
        }
    }
    spans
}
