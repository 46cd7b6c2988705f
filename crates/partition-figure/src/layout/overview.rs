//! The top of a scene: which partition, its clock and next check, the line of its offsets, its size.

use partition_log::units::Offset;
use partition_log::view::PartitionView;

use crate::layout::words::{self, count};
use crate::layout::{Drawing, Stage};
use crate::marks::flag::{Label, beside, label, row, triangle};
use crate::marks::gauge::{Measure, bar};
use crate::marks::hatch::hatch;
use crate::marks::scale::Scale;
use crate::metrics::{cat, fitting, number, room, room_of};
use crate::scene::{Area, Canvas, span};

/// What the scene shows, in one line.
pub fn title(drawing: &Drawing<'_>) -> String {
    let segments = count(drawing.view.segments.len(), "segment", "segments");
    let mut title = cat(&[
        "Partition orders-0 on broker B1: ",
        &segments,
        ", ",
        &words::size(drawing.view.log_size),
    ]);
    match drawing.stage {
        Stage::Open(base) => title.push_str(&cat(&["; segment ", &number(base.get()), " is open"])),
        Stage::Pair(base, _) => title.push_str(&cat(&["; segment ", &number(base.get()), " is full"])),
        Stage::Line => title.push_str("; all offsets in one line"),
        Stage::Retention(_) => title.push_str("; what retention looks at"),
    }
    title
}

/// Draws the top.
pub fn draw(drawing: &mut Drawing<'_>) {
    header(drawing);
    let strip = drawing.plan.strip;
    let line = if drawing.plan.stacked() {
        strip
    } else {
        Area {
            w: drawing.plan.lane(2).right() - strip.x,
            ..strip
        }
    };
    offset_line(drawing, line);
    if !drawing.plan.stacked() {
        let lane = drawing.plan.lane(3);
        log_size(
            drawing,
            Area {
                x: lane.x,
                w: lane.w,
                ..strip
            },
        );
    }
    if drawing.plan.more && drawing.hidden != (0, 0) {
        more(drawing);
    }
}

fn header(drawing: &mut Drawing<'_>) {
    let (left, right) = (drawing.plan.left, drawing.plan.right);
    let view = drawing.view;
    let clock = words::time(Some(view.clock));
    let check = words::time(Some(view.next_check));
    let records = count(view.segments.iter().map(words::records).sum(), "record", "records");
    let canvas = &mut drawing.canvas;
    if drawing.plan.arrangement == super::Arrangement::Stacked {
        // Two lines: the clock and how many records; the bytes since the last index entry and the size.
        canvas.open(
            "clock".to_string(),
            "",
            Area {
                x: left,
                y: 20,
                w: right - left,
                h: 140,
            },
        );
        let long = vec![
            span("bold", cat(&["clock ", &clock])),
            span("muted", cat(&[", next check ", &check])),
        ];
        let short = vec![span("bold", &*clock), span("muted", cat(&[", check ", &check]))];
        let free = right - left - room("", &records) - 80;
        let spans = if room_of("", &long) <= free { long } else { short };
        canvas.text("clock/text".to_string(), "", left, 140, spans);
        canvas.close();
        canvas.word("summary".to_string(), "muted", right, 140, records).end();
        let mut edge = left;
        if let Some(active) = view.segments.last() {
            let spans = counter(active.counter, active.interval);
            edge += room_of("", &spans) + 80;
            canvas.text("counter".to_string(), "", left, 300, spans);
        }
        let limit = view.settings.retention_bytes;
        let size = words::size(view.log_size);
        let log = match limit {
            0.. => vec![
                span("bold", &*size),
                span("muted", cat(&[" of ", &words::size(limit as u64)])),
            ],
            _ => vec![span("bold", &*size), span("muted", ", no size limit")],
        };
        let log = if edge + room_of("", &log) <= right {
            log
        } else {
            vec![span("bold", size)]
        };
        canvas.text("log-size".to_string(), "", right, 300, log).end();
        return;
    }
    let times = vec![
        span("muted", "clock "),
        span("bold", &*clock),
        span("muted", cat(&[", next check ", &check])),
    ];
    let taken = room_of("s13", &times);
    canvas.open(
        "clock".to_string(),
        "",
        Area {
            x: right - taken,
            y: 60,
            w: taken,
            h: 160,
        },
    );
    canvas.text("clock/text".to_string(), "s13", right, 200, times).end();
    canvas.close();
    let name = vec![span("", "B1"), span("muted", " / "), span("", "orders-0")];
    let from = left + room_of("s13 mono bold", &name) + 80;
    canvas.text("partition".to_string(), "s13 mono bold", left, 200, name);
    let segments = count(view.segments.len(), "segment", "segments");
    let files = drawing.shown.iter().filter(|shown| !shown.deleted).count();
    let in_segments = cat(&[&words::size(view.log_size), " in ", &segments]);
    let later = view.deleted.iter().filter_map(|segment| match segment.verdict {
        partition_log::verdict::Verdict::Deleted { gone_at } => Some(gone_at),
        _ => None,
    });
    let detail = match later.max() {
        Some(at) => cat(&[
            &in_segments,
            ", ",
            &words::size(view.deleted_size),
            " more until ",
            &words::time(Some(at)),
        ]),
        None if drawing.hidden == (0, 0) => {
            cat(&[&records, ", ", &in_segments, ", ", &number(files as i64 * 3), " files"])
        }
        None => cat(&[&records, ", ", &in_segments]),
    };
    if let Some(text) = fitting("s13", right - taken - 80 - from, &[&detail, &in_segments]) {
        let text = text.to_string();
        drawing.canvas.word("summary".to_string(), "s13 muted", from, 200, text);
    }
}

/// The bytes since the last index entry against the interval: `115 > 80 B`.
pub fn counter(value: u64, interval: u64) -> Vec<crate::scene::Span> {
    let relation = if value > interval { " > " } else { " of " };
    let text = cat(&[&number(value as i64), relation, &words::size(interval)]);
    vec![
        span(if value > interval { "mono bold" } else { "mono" }, text),
        span("muted", " since entry"),
    ]
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
pub fn marks_above(view: &PartitionView, prefix: &str, at: impl Fn(Offset) -> i32, gap: i32) -> Vec<Label> {
    let label = |key: &str, name: &str, offset: Offset, left: bool| {
        let spans = label(name, &number(offset.get()));
        let want = if left {
            at(offset) - gap - room_of("", &spans)
        } else {
            at(offset) + gap
        };
        Label {
            key: cat(&[prefix, key, "/label"]),
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

fn offset_line(drawing: &mut Drawing<'_>, area: Area) {
    let (low, high) = lowest(drawing);
    let view = drawing.view;
    let stacked = drawing.plan.stacked();
    let scale = Scale::new(area.x + 10, area.w - 20, (high - low) as u64);
    let at = |offset: Offset| scale.at((offset.get() - low).max(0) as u64);
    let height = if stacked { 60 } else { 80 };
    let y = area.y + if stacked { 160 } else { 150 };
    let canvas = &mut drawing.canvas;
    canvas.open("offset-line".to_string(), "", area);
    canvas.rect(
        "offset-line/track".to_string(),
        "track",
        Area {
            x: scale.x,
            y,
            w: scale.at(scale.span) - scale.x,
            h: height,
        },
        0,
    );
    let (start, end) = (at(view.log_start), at(view.log_end));
    if start > scale.x {
        let gone = Area {
            x: scale.x,
            y,
            w: start - scale.x,
            h: height,
        };
        canvas.rect("offset-line/deleted".to_string(), "record deleted", gone.outline(), 0);
        hatch(canvas, "offset-line/hatch".to_string(), "hatch", gone.outline());
    }
    if end > start {
        canvas.rect(
            "offset-line/log".to_string(),
            "record",
            Area {
                x: start,
                y,
                w: end - start,
                h: height,
            }
            .outline(),
            0,
        );
    }
    let (top, drop) = (y - 40, height + 80);
    canvas.line("offset-line/log-start".to_string(), "limit", (start, top), (0, drop));
    if view.high_watermark != view.log_end {
        canvas.line(
            "offset-line/high-watermark".to_string(),
            "limit dashed",
            (at(view.high_watermark), top),
            (0, drop),
        );
    }
    canvas.line("offset-line/log-end".to_string(), "limit", (end, top), (0, drop));
    row(
        canvas,
        marks_above(view, "offset-line/", at, 0),
        (area.x, area.right()),
        area.y + 100,
    );
    let tip = y + height + 20;
    let foot = area.bottom() - 20;
    let below = below(canvas, view, "offset-line/", &at, tip, 50);
    let none = "committed none";
    if view.committed.is_none()
        && below
            .first()
            .is_none_or(|label| label.want - 100 > area.x + room("", none))
    {
        canvas.word("offset-line/committed/label".to_string(), "muted", area.x, foot, none);
    }
    beside(canvas, below, (area.x, area.right()), 50, foot);
    canvas.close();
}

/// Triangles of the committed offset and of the consumer with their tips at `tip`; returns their labels.
pub fn below(
    canvas: &mut Canvas,
    view: &PartitionView,
    prefix: &str,
    at: &dyn Fn(Offset) -> i32,
    tip: i32,
    half: i32,
) -> Vec<Label> {
    let mut labels = Vec::new();
    let mut add = |name: &str, class: &'static str, offset: Offset| {
        triangle(canvas, cat(&[prefix, name]), class, at(offset), tip, half);
        let spans = label(name, &number(offset.get()));
        labels.push(Label {
            key: cat(&[prefix, name, "/label"]),
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
    canvas.open("log-size".to_string(), "", area);
    let spans = vec![span("muted", "log size "), span("bold", words::size(view.log_size))];
    canvas.text("log-size/value".to_string(), "", area.x, area.y + 100, spans);
    let y = area.y + 150;
    let in_sight = (0..=whole as i64).contains(&limit);
    let measure = Measure {
        value: view.log_size,
        limit: in_sight.then_some(limit as u64),
        whole,
    };
    bar(
        canvas,
        "log-size",
        "record",
        Area {
            x: area.x,
            y,
            w: area.w,
            h: 80,
        },
        measure,
    );
    if view.deleted_size > 0 {
        let scale = Scale::new(area.x, area.w, whole);
        let from = scale.at(view.log_size);
        let gone = Area {
            x: from,
            y,
            w: scale.at(view.log_size + view.deleted_size) - from,
            h: 80,
        };
        canvas.rect("log-size/deleted".to_string(), "record deleted", gone.outline(), 0);
        hatch(canvas, "log-size/hatch".to_string(), "hatch", gone.outline());
    }
    let spans = if limit < 0 {
        vec![span("muted", "no limit on size")]
    } else {
        let value = words::size(limit as u64);
        if room("mono", "retention.bytes ") + room("bold", &value) <= area.w {
            vec![span("mono muted", "retention.bytes "), span("bold", value)]
        } else {
            vec![span("muted", "limit "), span("bold", value)]
        }
    };
    canvas.text("log-size/setting".to_string(), "", area.x, area.bottom() - 20, spans);
    canvas.close();
}

/// Segments that have no lane, in words.
fn more(drawing: &mut Drawing<'_>) {
    let (older, newer) = drawing.hidden;
    let y = drawing.plan.lanes_top - 100;
    let (left, right) = (drawing.plan.left, drawing.plan.right);
    if older > 0 {
        let text = cat(&[
            &count(older, "older segment", "older segments"),
            " not drawn, still on disk",
        ]);
        let short = cat(&[&number(older as i64), " older, still on disk"]);
        let half = if newer > 0 { (right - left) / 2 } else { right - left };
        let text = fitting("", half, &[&text, &short]).unwrap_or("…").to_string();
        drawing.canvas.word("more/older".to_string(), "muted", left, y, text);
    }
    if newer > 0 {
        let text = cat(&[&number(newer as i64), " newer not drawn"]);
        drawing
            .canvas
            .word("more/newer".to_string(), "muted", right, y, text)
            .end();
    }
}
