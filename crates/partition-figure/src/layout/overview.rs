//! The top of a scene: which partition, its clock and next check, the line of its offsets, its size.

use partition_log::questions::verdict::Verdict;
use partition_log::questions::view::PartitionView;
use partition_log::units::Offset;

use crate::layout::words::{self, count};
use crate::layout::{Drawing, Stage};
use crate::marks::flag::{Label, beside, label, row, triangle};
use crate::marks::gauge::{Measure, bar};
use crate::marks::hatch::hatch;
use crate::marks::scale::Scale;
use crate::metrics::{amount, cat, fitting, number, room, room_of};
use crate::scene::{Area, Canvas, Enter, Span, spans};

/// What the scene shows, in one line.
pub fn title(drawing: &Drawing<'_>) -> String {
    let segments = count(drawing.view.segments.len(), "segment", "segments");
    let size = words::size(drawing.view.log_size);
    let start = cat(&["Partition orders-0 on broker B1: ", &segments, ", ", &size]);
    match drawing.stage {
        Stage::Open(base) => cat(&[&start, "; segment ", &number(base.get()), " is open"]),
        Stage::Pair(base, _) => cat(&[&start, "; segment ", &number(base.get()), " is full"]),
        Stage::Line => cat(&[&start, "; all offsets in one line"]),
        Stage::Retention(_) => cat(&[&start, "; what retention looks at"]),
    }
}

/// Draws the top.
pub fn draw(drawing: &mut Drawing<'_>) {
    let strip = drawing.plan.strip;
    if drawing.plan.stacked() {
        narrow_header(drawing);
        offset_line(drawing, strip);
    } else {
        header(drawing);
        let lane = drawing.plan.lane(3);
        offset_line(
            drawing,
            Area {
                w: drawing.plan.lane(2).right() - strip.x,
                ..strip
            },
        );
        log_size(
            drawing,
            Area {
                x: lane.x,
                w: lane.w,
                ..strip
            },
        );
    }
    if drawing.plan.more && drawing.hidden() != (0, 0) {
        more(drawing);
    }
}

/// The records of the live segments, in words.
fn records(view: &PartitionView) -> String {
    count(view.segments.iter().map(words::records).sum(), "record", "records")
}

/// Two lines: the clock and how many records; the bytes since the last index entry and the size.
fn narrow_header(drawing: &mut Drawing<'_>) {
    let (left, right) = (drawing.plan.left, drawing.plan.right);
    let view = drawing.view;
    let (clock, check) = (view.clock.to_string(), words::time(Some(view.next_check), view.clock));
    let records = records(view);
    let canvas = &mut drawing.canvas;
    let long = spans(&[
        ("bold", &cat(&["clock ", &clock])),
        ("muted", &cat(&[", next check ", &check])),
    ]);
    let short = spans(&[("bold", &clock), ("muted", &cat(&[", check ", &check]))]);
    let free = right - left - room("", &records) - 80;
    let alone = spans(&[("bold", &clock)]);
    let wordings = [long, short];
    let fits = wordings.into_iter().find(|wording| room_of("", wording) <= free);
    canvas
        .text("clock", "", left, 140, fits.unwrap_or(alone))
        .enters(Enter::Age);
    canvas
        .word("summary", "muted", right, 140, &records)
        .end()
        .enters(Enter::Tick);
    let mut edge = left;
    if let Some(active) = view.segments.last() {
        let spans = counter(active.bytes_since_last_index_entry, active.interval);
        edge += room_of("", &spans) + 80;
        canvas.text("counter", "", left, 300, spans).enters(Enter::Tick);
    }
    let size = words::size(view.log_size);
    let limit = match view.settings.retention_bytes {
        limit @ 0.. => cat(&[" of ", &words::size(limit as u64)]),
        _ => ", no size limit".to_string(),
    };
    let long = spans(&[("bold", &size), ("muted", &limit)]);
    let log = if edge + room_of("", &long) <= right {
        long
    } else {
        spans(&[("bold", &size)])
    };
    canvas.text("log-size", "", right, 300, log).end().enters(Enter::Tick);
}

fn header(drawing: &mut Drawing<'_>) {
    let (left, right) = (drawing.plan.left, drawing.plan.right);
    let view = drawing.view;
    let (clock, check) = (view.clock.to_string(), words::time(Some(view.next_check), view.clock));
    let canvas = &mut drawing.canvas;
    let times = spans(&[
        ("muted", "clock "),
        ("bold", &clock),
        ("muted", &cat(&[", next check ", &check])),
    ]);
    let taken = room_of("s13", &times);
    canvas.text("clock", "s13", right, 200, times).end().enters(Enter::Age);
    let name = spans(&[("", "B1"), ("muted", " / "), ("", "orders-0")]);
    let from = left + room_of("s13 mono bold", &name) + 80;
    canvas.text("partition", "s13 mono bold", left, 200, name);
    let segments = count(view.segments.len(), "segment", "segments");
    let files = drawing.shown().iter().filter(|shown| !shown.deleted).count() as i64 * 3;
    let in_segments = cat(&[&words::size(view.log_size), " in ", &segments]);
    let gone = view.deleted.iter().filter_map(|segment| match segment.verdict {
        Verdict::Deleted { gone_at } => Some(gone_at),
        _ => None,
    });
    let detail = match gone.max() {
        Some(at) => cat(&[
            &in_segments,
            ", ",
            &words::size(view.deleted_size),
            " more until ",
            &words::time(Some(at), view.clock),
        ]),
        None if drawing.hidden() == (0, 0) => {
            cat(&[&records(view), ", ", &in_segments, ", ", &number(files), " files"])
        }
        None => cat(&[&records(view), ", ", &in_segments]),
    };
    if let Some(text) = fitting("s13", right - taken - 80 - from, &[&detail, &in_segments]) {
        drawing
            .canvas
            .word("summary", "s13 muted", from, 200, text)
            .enters(Enter::Tick);
    }
}

/// The bytes since the last index entry against the interval: `115 > 80 B`.
pub fn counter(value: u64, interval: u64) -> Vec<Span> {
    let (relation, class) = if value > interval {
        (" > ", "mono bold")
    } else {
        (" of ", "mono")
    };
    let text = cat(&[&amount(value as i64), relation, &words::size(interval)]);
    spans(&[(class, &text), ("muted", " since entry")])
}

/// Offsets from the first that a scene shows to the last, the same in all frames of most stories.
pub fn lowest(drawing: &Drawing<'_>) -> (i64, i64) {
    let view = drawing.view;
    let end = drawing.frame.extents.log_end.max(view.log_end).get().max(1);
    let marks = [
        Some(view.log_start),
        view.committed,
        view.consumer,
        view.deleted.first().map(|segment| segment.base),
    ];
    let low = marks.into_iter().flatten().map(Offset::get).min().unwrap_or(0);
    // A log that has moved far on is drawn from its own start; the others from offset 0.
    (if low * 2 > end { low } else { 0 }, end)
}

/// Labels of log start, high watermark and log end, in the order of their places; the end's stands left of its flag.
pub fn marks_above(view: &PartitionView, at: &dyn Fn(Offset) -> i32, gap: i32) -> Vec<Label> {
    let label = |key: &str, name: &str, offset: Offset, left: bool| {
        let spans = label(name, &number(offset.get()));
        let want = if left {
            at(offset) - gap - room_of("", &spans)
        } else {
            at(offset) + gap
        };
        Label {
            key: cat(&["/", key, "/label"]),
            spans,
            want,
        }
    };
    let mut labels = vec![label("log-start", "log start", view.log_start, false)];
    if view.high_watermark == view.log_end {
        labels.push(label("log-end", "high watermark, log end", view.log_end, true));
    } else {
        labels.push(label("high-watermark", "high watermark", view.high_watermark, false));
        labels.push(label("log-end", "log end", view.log_end, true));
    }
    labels
}

/// Flags at log start, high watermark and log end, from `top` on.
pub fn flags(canvas: &mut Canvas, view: &PartitionView, at: &dyn Fn(Offset) -> i32, top: i32, drop: i32) {
    canvas
        .line("/log-start", "limit", (at(view.log_start), top), (0, drop))
        .enters(Enter::Flag);
    if view.high_watermark != view.log_end {
        canvas
            .line(
                "/high-watermark",
                "limit dashed",
                (at(view.high_watermark), top),
                (0, drop),
            )
            .enters(Enter::Tick);
    }
    canvas
        .line("/log-end", "limit", (at(view.log_end), top), (0, drop))
        .enters(Enter::Tick);
}

/// Triangles of the committed offset and of the consumer with their tips at `tip`; returns their labels.
pub fn below(canvas: &mut Canvas, view: &PartitionView, at: &dyn Fn(Offset) -> i32, tip: i32, half: i32) -> Vec<Label> {
    let mut labels = Vec::new();
    let mut add = |name: &str, class: &'static str, offset: Offset| {
        triangle(canvas, &cat(&["/", name]), class, at(offset), tip, half);
        let spans = label(name, &number(offset.get()));
        labels.push(Label {
            key: cat(&["/", name, "/label"]),
            spans,
            want: at(offset),
        });
    };
    if let Some(committed) = view.committed {
        add("committed", "hollow", committed);
    }
    if let Some(consumer) = view.consumer.filter(|&consumer| Some(consumer) != view.committed) {
        add("consumer", "head", consumer);
    }
    labels
}

fn offset_line(drawing: &mut Drawing<'_>, area: Area) {
    let (low, high) = lowest(drawing);
    let view = drawing.view;
    let scale = Scale::new(area.x + 10, area.w - 20, (high - low) as u64);
    let at = |offset: Offset| scale.at((offset.get() - low).max(0) as u64);
    let (y, h) = if drawing.plan.stacked() {
        (area.y + 160, 60)
    } else {
        (area.y + 150, 80)
    };
    let canvas = &mut drawing.canvas;
    canvas.open("offset-line", "", area);
    canvas.rect(
        "/track",
        "track",
        Area::new(scale.x, y, scale.at(scale.span) - scale.x, h),
        0,
    );
    let (start, end) = (at(view.log_start), at(view.log_end));
    if start > scale.x {
        let gone = Area::new(scale.x, y, start - scale.x, h).outline();
        canvas.rect("/deleted", "record deleted", gone, 0).enters(Enter::Flag);
        hatch(canvas, "/hatch", "hatch", gone).enters(Enter::Flag);
    }
    if end > start {
        canvas
            .rect("/log", "record", Area::new(start, y, end - start, h).outline(), 0)
            .enters(Enter::Tick);
    }
    flags(canvas, view, &at, y - 40, h + 80);
    row(canvas, marks_above(view, &at, 0), (area.x, area.right()), area.y + 100);
    let foot = area.bottom() - 20;
    let below = below(canvas, view, &at, y + h + 20, 50);
    let none = "committed none";
    if view.committed.is_none()
        && below
            .first()
            .is_none_or(|label| label.want - 100 > area.x + room("", none))
    {
        canvas.word("/committed/label", "muted", area.x, foot, none);
    }
    beside(canvas, below, (area.x, area.right()), 50, foot);
    canvas.close();
}

fn log_size(drawing: &mut Drawing<'_>, area: Area) {
    let view = drawing.view;
    let limit = view.settings.retention_bytes;
    let whole = drawing.frame.extents.log_size.max(view.log_size + view.deleted_size);
    let whole = if limit > 0 && limit as u64 <= whole * 2 {
        whole.max(limit as u64)
    } else {
        whole
    };
    let canvas = &mut drawing.canvas;
    canvas.open("log-size", "", area);
    let value = spans(&[("muted", "log size "), ("bold", &words::size(view.log_size))]);
    canvas
        .text("/value", "", area.x, area.y + 100, value)
        .enters(Enter::Tick);
    let line = Area {
        y: area.y + 150,
        h: 80,
        ..area
    };
    let in_sight = (0..=whole as i64).contains(&limit);
    let measure = Measure {
        value: view.log_size,
        limit: in_sight.then_some(limit as u64),
        whole,
    };
    bar(canvas, "", "record", line, measure, Enter::Tick);
    if view.deleted_size > 0 {
        let scale = Scale::new(area.x, area.w, whole);
        let from = scale.at(view.log_size);
        let gone = Area {
            x: from,
            w: scale.at(view.log_size + view.deleted_size) - from,
            ..line
        }
        .outline();
        canvas.rect("/deleted", "record deleted", gone, 0).enters(Enter::Tick);
        hatch(canvas, "/hatch", "hatch", gone).enters(Enter::Tick);
    }
    let setting = if limit < 0 {
        spans(&[("muted", "no limit on size")])
    } else {
        let value = words::size(limit as u64);
        let long = spans(&[("mono muted", "retention.bytes "), ("bold", &value)]);
        if room_of("", &long) <= area.w {
            long
        } else {
            spans(&[("muted", "limit "), ("bold", &value)])
        }
    };
    canvas.text("/setting", "", area.x, area.bottom() - 20, setting);
    canvas.close();
}

/// Segments that have no lane, in words.
fn more(drawing: &mut Drawing<'_>) {
    let (older, newer) = drawing.hidden();
    let y = drawing.plan.lanes_top - 100;
    let (left, right) = (drawing.plan.left, drawing.plan.right);
    if older > 0 {
        let text = cat(&[
            &count(older, "older segment", "older segments"),
            " not drawn, still on disk",
        ]);
        let short = cat(&[&number(older as i64), " older, still on disk"]);
        let free = if newer > 0 { (right - left) / 2 } else { right - left };
        if let Some(text) = fitting("", free, &[&text, &short]) {
            drawing.canvas.word("more/older", "muted", left, y, text);
        }
    }
    if newer > 0 {
        let text = cat(&[&number(newer as i64), " newer not drawn"]);
        drawing.canvas.word("more/newer", "muted", right, y, &text).end();
    }
}
