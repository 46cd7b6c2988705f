//! The log as one line of offsets: where it starts and ends, where the consumer is, and where a reset takes it.

use partition_log::rules::fetch::{FetchRange, RangeAnswer};
use partition_log::rules::reset::{ResetDecision, ResetPolicy, ResetReason};
use partition_log::units::Offset;

use crate::layout::overview::{below, flags, lowest, marks_above};
use crate::layout::{Drawing, words};
use crate::marks::arrow::{Way, head, pointer};
use crate::marks::bracket::bracket;
use crate::marks::flag::{beside, row};
use crate::marks::hatch::hatch;
use crate::marks::probe::Comparison;
use crate::marks::scale::Scale;
use crate::metrics::{cat, fitting, number, room, room_of};
use crate::scene::{Area, Enter, Path, Span, span, spans};

/// Offsets that are drawn as boxes of their own; more are only a stretch.
const BOXES: i64 = 64;

/// The line: its boxes, its first offset, and how many have a place.
struct Line {
    cells: Area,
    low: i64,
    places: i64,
    scale: Scale,
}

impl Line {
    fn at(&self, offset: Offset) -> i32 {
        self.scale.at((offset.get() - self.low).clamp(0, self.places) as u64)
    }

    fn middle(&self, offset: Offset) -> i32 {
        (self.at(offset) + self.at(offset.next())) / 2 + 5
    }

    fn stretch(&self, from: i32, to: i32) -> Area {
        Area {
            x: from,
            w: to - from,
            ..self.cells
        }
        .cell()
    }
}

/// Draws the line.
pub fn draw(drawing: &mut Drawing<'_>) {
    let stage = drawing.plan.stage;
    let stacked = drawing.plan.stacked();
    let (left, right) = (drawing.plan.left, drawing.plan.right);
    let (low, end) = lowest(drawing);
    let view = drawing.view;
    drawing.heading("The log as one line of offsets", "All offsets");
    // With a consumer, the marks stand above; otherwise the segments do, and the boxes have a second line.
    let marked = drawing.frame.extents.consumer;
    let labels = stage.y + if stacked { 420 } else { 520 };
    let h = match (stacked, marked) {
        (true, _) => 300,
        (false, true) => 340,
        (false, false) => 460,
    };
    // One more than there are: the next record has its place, too.
    let places = end - low + 1;
    let scale = Scale::new(left, right - left - 10, places as u64);
    let line = Line {
        cells: Area::new(left, labels + 120, right - left, h),
        low,
        places,
        scale,
    };
    let (start, finish) = (line.at(view.log_start), line.at(view.log_end));
    let canvas = &mut drawing.canvas;
    canvas.open(
        "line",
        "",
        Area {
            y: labels - 120,
            h: h + 240,
            ..line.cells
        },
    );
    if start > left {
        let gone = line.stretch(left, start);
        canvas.rect("/deleted", "record deleted", gone, 0).enters(Enter::Flag);
        hatch(canvas, "/hatch", "hatch", gone).enters(Enter::Flag);
    }
    if finish > start {
        canvas.rect("/log", "record", line.stretch(start, finish), 0);
    }
    canvas.rect("/next", "tail active", line.stretch(finish, right - 10), 0);
    let boxed = places <= BOXES;
    if boxed {
        let mut path = Path::at(left + 5, line.cells.y + 5);
        let (mut x, mut down) = (0, 0);
        for offset in 1..(view.log_end.get() - low) {
            let to = scale.length(offset as u64);
            path = path.m(to - x, -down).v(h - 10);
            (x, down) = (to, h - 10);
        }
        canvas.path("/edges", "divider", path);
    }
    let asked = drawing.focus.range.map(|range| range.it.requested);
    let asked = asked.filter(|offset| boxed && drawing.focus.delivery.is_none() && (low..=end).contains(&offset.get()));
    if let Some(offset) = asked {
        let (from, to) = (line.at(offset), line.at(offset.next()));
        if (view.log_start..view.log_end).contains(&offset) {
            canvas.rect("/asked", "record touched", line.stretch(from, to), 0);
        }
        let ring = Area::new(from + 10, line.cells.y + 10, to - from - 10, h - 20);
        canvas.rect("/touched", "ring", ring, 10);
    }
    if boxed {
        offsets(drawing, &line, asked);
    }
    let top = if marked { labels + 40 } else { line.cells.y - 30 };
    let canvas = &mut drawing.canvas;
    let flag = |offset: Offset| line.at(offset) + 5;
    flags(canvas, view, &flag, top, line.cells.bottom() - top);
    if marked {
        row(canvas, marks_above(view, &flag, 60), (left, right), labels);
    } else {
        segments(drawing, labels, &line);
    }
    consumer(drawing, &line);
    drawing.canvas.close();
}

/// The numbers on the boxes: all that have room, otherwise those that name a segment, and the one asked for.
fn offsets(drawing: &mut Drawing<'_>, line: &Line, asked: Option<Offset>) {
    let view = drawing.view;
    let end = view.log_end.get();
    let all = room("bold", &number(end)) + 20 <= line.scale.length(1);
    let bases: Vec<i64> = view
        .deleted
        .iter()
        .chain(&view.segments)
        .map(|segment| segment.base.get())
        .collect();
    let second = !drawing.plan.stacked() && !drawing.frame.extents.consumer;
    let by_time = drawing.frame.extents.time_searches;
    let y = line.cells.y + line.cells.h / 2 + if second { -30 } else { 43 };
    let batches: Vec<_> = view.segments.iter().flat_map(|segment| &segment.batches).collect();
    let canvas = &mut drawing.canvas;
    let mut edge = 0;
    for offset in line.low..end {
        let strong = bases.contains(&offset) || asked.is_some_and(|asked| asked.get() == offset);
        if !all && !strong {
            continue;
        }
        let text = number(offset);
        let class = if strong { "bold" } else { "" };
        let at = |offset: i64| line.scale.at((offset - line.low) as u64);
        let (x, next) = (at(offset), at(offset + 1));
        let (wide, middle) = (room(class, &text), (x + next) / 2 + 5);
        if middle - wide / 2 < edge - 10 {
            continue;
        }
        edge = middle + wide / 2;
        let key = cat(&["/", &text]);
        if offset < view.log_start.get() {
            let plate = Area::new(middle - wide / 2, y - 118, wide, 150);
            canvas.rect(&cat(&[&key, "/plate"]), "plate", plate, 20);
        }
        canvas.word(&key, class, middle, y, &text).middle();
        let batch = batches
            .iter()
            .find(|batch| second && batch.first_offset.get() == offset);
        if let Some(batch) = batch {
            let under = if by_time {
                words::time(batch.timestamp, view.clock)
            } else {
                words::exact(batch.size)
            };
            if room("", &under) <= next - x - 5 {
                canvas
                    .word(&cat(&[&key, "/under"]), "", middle, y + 160, &under)
                    .middle();
            }
        }
    }
}

/// Which segment holds which stretch.
fn segments(drawing: &mut Drawing<'_>, labels: i32, line: &Line) {
    let canvas = &mut drawing.canvas;
    for segment in &drawing.view.segments {
        let (from, to) = (line.at(segment.base), line.at(segment.end));
        if to - from < 100 {
            continue;
        }
        let id = number(segment.base.get());
        let key = cat(&["/segment-", &id]);
        bracket(canvas, &key, "tick", (from + 20, to - 20), labels + 85);
        let name = cat(&["segment ", &id]);
        let long = cat(&[&name, ", ", &words::exact(segment.size)]);
        if let Some(text) = fitting("", to - from - 20, &[&long, &name, &id]) {
            canvas.word(&cat(&[&key, "/name"]), "muted", from + 25, labels, text);
        }
    }
}

/// Committed offset and consumer from below, and the hop of a reset.
fn consumer(drawing: &mut Drawing<'_>, line: &Line) {
    let view = drawing.view;
    let (left, right) = (drawing.plan.left, drawing.plan.right);
    let tip = line.cells.bottom() + 40;
    let middle = |offset: Offset| line.middle(offset);
    let canvas = &mut drawing.canvas;
    let labels = below(canvas, view, &middle, tip, 70);
    beside(canvas, labels, (left, right), 70, tip + 115);
    if let Some(delivery) = drawing.focus.delivery {
        let (from, to) = (line.at(delivery.first) + 5, line.at(delivery.last.next()) + 5);
        canvas.line(
            "/delivered",
            "delivered",
            (from, line.cells.bottom() + 15),
            (to - from, 0),
        );
    }
    let mut y = tip + 290;
    if let Some(seen) = drawing.focus.reset
        && let (Some(target), ResetReason::OutOfRange { requested }) = (seen.it.target(), seen.it.reason)
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
            canvas.open("reset", "", Area::new(from.min(to), tip, (to - from).abs(), 300));
            canvas.path("/line", pointer(seen.fresh), path).enters(Enter::Hop);
            head(canvas, seen.fresh, (to, tip + 130), Way::Up);
            canvas.close();
            y = tip + 460;
        }
    }
    let spans = said(drawing, right - left);
    if !spans.is_empty() {
        let asked = drawing.focus.range.map(|range| range.it.requested);
        let from = drawing
            .focus
            .delivery
            .map(|delivery| delivery.first)
            .or(asked)
            .map_or(left, middle);
        let x = from.min(right - room_of("", &spans)).max(left);
        drawing.canvas.text("/said", "", x, y, spans).enters(Enter::Say);
    }
}

/// What arrived, or what the range check and the reset say.
fn said(drawing: &Drawing<'_>, free: i32) -> Vec<Span> {
    let focus = &drawing.focus;
    if let Some(delivery) = focus.delivery {
        let records = words::count(delivery.records as usize, "record", "records");
        return spans(&[
            ("bold", &cat(&[&records, ", ", &words::exact(delivery.bytes)])),
            ("", " delivered"),
        ]);
    }
    let range = focus.range.map_or_else(Vec::new, |range| range_said(&range.it));
    match focus.reset {
        Some(reset) => reset_said(&reset.it, range, free),
        None => range,
    }
}

fn range_said(range: &FetchRange) -> Vec<Span> {
    let word = match range.answer() {
        RangeAnswer::OutOfRange => "out of range",
        RangeAnswer::Empty => "nothing to read yet",
        RangeAnswer::Readable => "in the log",
    };
    let clauses = range.clauses();
    let decided = clauses.last().map(|clause| Comparison::of(clause, word, !clause.holds));
    decided.map_or_else(Vec::new, |comparison| comparison.spans(i32::MAX))
}

fn reset_said(reset: &ResetDecision, range: Vec<Span>, free: i32) -> Vec<Span> {
    let policy = match reset.policy {
        ResetPolicy::Earliest => "earliest",
        ResetPolicy::Latest => "latest",
        ResetPolicy::None => "none",
        ResetPolicy::ByDuration { .. } => "by duration",
    };
    let start = if range.is_empty() {
        "no committed offset, reset to "
    } else {
        ", reset to "
    };
    let mut long = range.clone();
    long.push(span("", &cat(&[start, policy])));
    match reset.target() {
        Some(target) => {
            long.extend(spans(&[("", ": "), ("mono bold", &number(target.get()))]));
            let mut tail = String::new();
            if reset.lost() > 0 {
                tail.push_str(&cat(&[", ", &number(reset.lost()), " lost"]));
            }
            if reset.skipped() > 0 {
                tail.push_str(&cat(&[", ", &number(reset.skipped()), " passed over"]));
            }
            let mut longest = long.clone();
            longest.push(span("muted", &tail));
            if room_of("", &longest) <= free {
                return longest;
            }
        }
        None => long.push(span("bold", ": an exception")),
    }
    if room_of("", &long) <= free {
        return long;
    }
    let mut short = range;
    short.push(span("", &cat(&[", ", policy])));
    short
}
