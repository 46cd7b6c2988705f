//! What retention looks at. By size: the bytes of the log, counted back from its end. By time: the age of each segment's
//! largest timestamp, counted back from the clock. So the limit stands still, and a segment goes when it lies left of it.

use partition_log::rules::retention::{RetentionAnswer, RetentionDecision, RetentionOperands, RetentionRule};
use partition_log::units::duration;
use partition_log::view::SegmentView;

use crate::layout::{Drawing, words};
use crate::marks::bracket::bracket;
use crate::marks::hatch::hatch;
use crate::marks::limit::limit;
use crate::marks::probe::Comparison;
use crate::marks::scale::Scale;
use crate::metrics::{amount, cat, fitting, number, room, room_of};
use crate::scene::{Area, Enter, Span, span};

/// Decisions, or segments by age, that are drawn at most.
const DECISIONS: usize = 2;
const SEGMENTS: usize = 4;

/// Draws the rule's picture.
pub fn draw(drawing: &mut Drawing<'_>, rule: RetentionRule) {
    let by_size = match rule {
        RetentionRule::Size => true,
        RetentionRule::Time => false,
        RetentionRule::LogStart => drawing.frame.extents.size_checks,
    };
    if by_size { size(drawing) } else { time(drawing) }
}

/// One row of the picture by size.
struct Row<'a> {
    word: &'static str,
    log_size: u64,
    decision: Option<(&'a RetentionDecision, bool)>,
}

fn size(drawing: &mut Drawing<'_>) {
    drawing.heading(
        "Bytes of .log, counted back from the log end",
        "Bytes of .log, back from the log end",
    );
    let stacked = drawing.plan.stacked();
    let stage = drawing.plan.stage;
    let (left, right) = (drawing.plan.left, drawing.plan.right);
    let view = drawing.view;
    let limit_bytes = view.settings.retention_bytes;
    let mut whole = drawing
        .frame
        .extents
        .log_size
        .max(view.log_size + view.deleted_size)
        .max(1);
    if limit_bytes > 0 && limit_bytes as u64 <= whole * 2 {
        whole = whole.max(limit_bytes as u64 + whole / 20);
    }
    let scale = Scale::new(left, right - left - 10, whole);
    // Places count from the right: 0 is the log end.
    let at = |bytes: u64| right - 10 - scale.length(bytes);
    let decisions = drawing.focus.retention.clone();
    let decisions: Vec<_> = decisions
        .iter()
        .filter(|seen| seen.it.rule() == RetentionRule::Size)
        .collect();
    let mut rows: Vec<Row<'_>> = decisions
        .iter()
        .map(|seen| {
            let RetentionOperands::Size { log_size, .. } = seen.it.operands else {
                return Row {
                    word: "",
                    log_size: view.log_size,
                    decision: None,
                };
            };
            Row {
                word: "then",
                log_size,
                decision: Some((&seen.it, seen.fresh)),
            }
        })
        .collect();
    if rows.is_empty() {
        rows.push(Row {
            word: "now",
            log_size: view.log_size,
            decision: None,
        });
    }
    rows[0].word = "now";
    let skip = rows.len().saturating_sub(DECISIONS);
    let (first, pitch, bar) = if stacked { (280, 680, 240) } else { (380, 660, 280) };
    let shown = rows.len() - skip;
    let line = (limit_bytes >= 0 && limit_bytes as u64 <= whole).then(|| at(limit_bytes as u64));
    for (index, row) in rows.into_iter().skip(skip).enumerate() {
        let y = stage.y + first + index as i32 * pitch;
        let bar = Area {
            x: left,
            y: y + pitch - bar - 100,
            w: right - left,
            h: bar,
        };
        segments(drawing, index, &row, bar, &at, line);
        if let Some(x) = line.filter(|_| stacked) {
            // Across the bars only: the numbers stand above them.
            let key = cat(&["size-row/", &number(index as i64), "/limit"]);
            drawing.canvas.line(key, "limit", (x, bar.y - 50), (0, bar.h + 70));
        }
        remarks(drawing, index, &row, (y, bar.y), &at, line);
    }
    let y = stage.y + first + shown as i32 * pitch - 100;
    let top = if stacked { y - 20 } else { stage.y + first + 40 };
    let canvas = &mut drawing.canvas;
    let drop = 180;
    let end_room = room("", "log end") + 60;
    let mut free = right - end_room;
    if let Some(x) = line {
        let text = amount(limit_bytes);
        let (from, to) = crate::marks::limit::extent(x, &text, right);
        if to <= free {
            canvas
                .word("retention/end".to_string(), "muted", right, y + drop, "log end")
                .end();
        } else {
            free = right;
        }
        limit(canvas, "retention", x, (top, y + drop), &text, "retention.bytes", free);
        free = from.min(x);
    } else {
        canvas
            .word("retention/end".to_string(), "muted", right, y + drop, "log end")
            .end();
    }
    let total = amount(
        view.log_size as i64
            + if shown > 1 || !view.deleted.is_empty() {
                view.deleted_size as i64
            } else {
                0
            },
    );
    let edge = free - 40;
    let from = at(view.log_size + view.deleted_size) + 5;
    canvas.line("retention/start".to_string(), "tick", (from, y), (0, drop));
    if from + 45 + room("s13", &total) <= edge {
        canvas.word("retention/whole".to_string(), "s13", from + 45, y + drop, total);
    }
}

/// The segments of a row, in their order; those deleted before it are hatched.
fn segments(
    drawing: &mut Drawing<'_>,
    index: usize,
    row: &Row<'_>,
    bar: Area,
    at: &dyn Fn(u64) -> i32,
    line: Option<i32>,
) {
    let view = drawing.view;
    let mut all: Vec<&SegmentView> = view.deleted.iter().chain(&view.segments).collect();
    all.sort_by_key(|segment| core::cmp::Reverse(segment.base));
    let mut back = 0;
    let key = cat(&["size-row/", &number(index as i64)]);
    let live_from = row
        .decision
        .map(|(decision, _)| decision.base)
        .or(view.segments.first().map(|segment| segment.base));
    // Neighbours too narrow to tell apart are one box.
    let mut crowd: Option<Crowd> = None;
    for segment in all {
        let (from, to) = (at(back + segment.size), at(back));
        back += segment.size;
        if segment.size == 0 {
            continue;
        }
        let deleted = live_from.is_some_and(|live| segment.base < live);
        if to - from < 120 {
            match &mut crowd {
                Some(crowd) if crowd.deleted == deleted => {
                    crowd.from = from;
                    crowd.count += 1;
                }
                _ => {
                    draw_crowd(drawing, &key, bar, crowd.take());
                    crowd = Some(Crowd {
                        from,
                        to,
                        count: 1,
                        deleted,
                    });
                }
            }
            continue;
        }
        draw_crowd(drawing, &key, bar, crowd.take());
        let id = number(segment.base.get());
        let part = cat(&[&key, "/", &id]);
        let canvas = &mut drawing.canvas;
        let area = Area {
            x: from + 5,
            y: bar.y + 5,
            w: to - from,
            h: bar.h - 10,
        };
        canvas.rect(
            cat(&[&part, "/box"]),
            if deleted { "record deleted" } else { "record" },
            area,
            0,
        );
        if deleted {
            hatch(canvas, cat(&[&part, "/hatch"]), "hatch", area);
        }
        let base = bar.y + bar.h / 2 + 48;
        // The limit may cross the box: the text then stands on the side that has room.
        let sides = match line {
            Some(line) if line > from && line < to => [(line + 5, to), (from, line - 5)],
            _ => [(from, to), (from, to)],
        };
        let gone = match segment.verdict {
            partition_log::verdict::Verdict::Deleted { gone_at } if deleted => {
                cat(&["removed at ", &words::time(Some(gone_at))])
            }
            _ => words::exact(segment.size),
        };
        let long = vec![span("s14 bold", &*id), span("", cat(&["\u{a0} ", &gone]))];
        let middle = vec![
            span("s14 bold", &*id),
            span("", cat(&["\u{a0} ", &words::exact(segment.size)])),
        ];
        let short = vec![span("s14 bold", &*id)];
        'placed: for spans in [long, middle, short] {
            let wide = room_of("", &spans);
            for (from, to) in sides {
                if wide + 110 <= to - from {
                    if deleted {
                        let plate = Area {
                            x: from + 50,
                            y: bar.y + 45,
                            w: wide + 70,
                            h: bar.h - 90,
                        };
                        canvas.rect(cat(&[&part, "/plate"]), "plate", plate, 20);
                    }
                    canvas.text(cat(&[&part, "/text"]), "", from + 85, base, spans);
                    break 'placed;
                }
            }
        }
    }
    draw_crowd(drawing, &key, bar, crowd);
}

/// Neighbours in one box.
struct Crowd {
    from: i32,
    to: i32,
    count: usize,
    deleted: bool,
}

fn draw_crowd(drawing: &mut Drawing<'_>, key: &str, bar: Area, crowd: Option<Crowd>) {
    let Some(Crowd {
        from,
        to,
        count,
        deleted,
    }) = crowd
    else {
        return;
    };
    let key = cat(&[key, "/crowd-", &number(to.into())]);
    let area = Area {
        x: from + 5,
        y: bar.y + 5,
        w: to - from,
        h: bar.h - 10,
    };
    let canvas = &mut drawing.canvas;
    canvas.rect(
        cat(&[&key, "/box"]),
        if deleted { "record deleted" } else { "record" },
        area,
        0,
    );
    if deleted {
        hatch(canvas, cat(&[&key, "/hatch"]), "hatch", area);
    }
    let text = words::count(count, "segment", "segments");
    let wide = room("", &text);
    if count > 1 && wide + 120 <= area.w {
        if deleted {
            let plate = Area {
                x: area.x + 50,
                y: bar.y + 45,
                w: wide + 60,
                h: bar.h - 90,
            };
            canvas.rect(cat(&[&key, "/plate"]), "plate", plate, 20);
        }
        canvas.word(cat(&[&key, "/text"]), "", area.x + 80, bar.y + bar.h / 2 + 43, text);
    }
}

/// What is said above a row: its size, the excess in a bracket, the decision.
fn remarks(
    drawing: &mut Drawing<'_>,
    index: usize,
    row: &Row<'_>,
    (y, bar): (i32, i32),
    at: &dyn Fn(u64) -> i32,
    line: Option<i32>,
) {
    let stacked = drawing.plan.stacked();
    let (left, right) = (drawing.plan.left, drawing.plan.right);
    let key = cat(&["size-row/", &number(index as i64)]);
    let limit = drawing.view.settings.retention_bytes;
    let baseline = bar - 120;
    let start = at(row.log_size);
    let mut edge = left;
    let spans = vec![
        span("muted", cat(&[row.word, "\u{a0} "])),
        span("bold", words::exact(row.log_size)),
    ];
    let wide = room_of("", &spans);
    let canvas = &mut drawing.canvas;
    let size_y = if stacked { y + 110 } else { baseline };
    canvas.text(cat(&[&key, "/size"]), "", left, size_y, spans);
    edge += wide + 80;
    let excess = row.log_size as i64 - limit;
    let spans = match row.decision {
        Some((decision, fresh)) => decided(decision, fresh),
        None if limit >= 0 && excess < 0 => {
            let operands = words::compared(row.log_size as i64, "<", limit);
            Comparison {
                operands,
                word: "within the limit",
                hit: false,
            }
            .spans(i32::MAX)
        }
        None => Vec::new(),
    };
    // The decision stands right of the limit, or else between the size and the limit; in a narrow scene above.
    let wide = room_of("", &spans);
    let after = line.map_or(edge, |line| line + 100);
    let mut left_edge = edge;
    let canvas = &mut drawing.canvas;
    let mut say = |x: i32, y: i32, spans: Vec<Span>| {
        if !spans.is_empty() {
            canvas
                .text(cat(&[&key, "/decision"]), "", x, y, spans)
                .enters(Enter::Fade);
        }
    };
    if stacked {
        left_edge = left;
        if edge + wide <= right {
            say(edge, y + 110, spans);
        } else if let Some(first) = spans
            .first()
            .filter(|span| edge + room(span.class, &span.text) <= right)
        {
            say(edge, y + 110, vec![first.clone()]);
        }
    } else if after + wide <= right {
        say(after, baseline, spans);
    } else if edge + wide <= line.unwrap_or(right) - 60 {
        left_edge = edge + wide + 80;
        say(edge, baseline, spans);
    }
    if let Some(line) = line.filter(|_| excess > 0) {
        let canvas = &mut drawing.canvas;
        bracket(canvas, cat(&[&key, "/over"]), "bracket", (start, line - 5), bar - 30);
        let text = cat(&[&words::exact(excess as u64), " over"]);
        if line - 60 - room("", &text) >= left_edge {
            canvas
                .word(cat(&[&key, "/over/text"]), "", line - 60, baseline, text)
                .end();
        }
    }
}

/// A decision with all its numbers: `950 − 600 = 350 ≥ 270 segment 0 goes`.
fn decided(decision: &RetentionDecision, fresh: bool) -> Vec<Span> {
    let base = number(decision.base.get());
    let word = match decision.answer() {
        RetentionAnswer::Delete => cat(&["segment ", &base, " goes"]),
        RetentionAnswer::Keep => cat(&["segment ", &base, " stays"]),
        RetentionAnswer::AboveHighWatermark => cat(&["segment ", &base, " stays"]),
        RetentionAnswer::EmptyActive => cat(&["segment ", &base, " stays, empty"]),
    };
    let class = if fresh { "mono bold" } else { "mono" };
    vec![span(class, operands(decision)), span("", cat(&["\u{a0} ", &word]))]
}

fn operands(decision: &RetentionDecision) -> String {
    if decision.answer() == RetentionAnswer::AboveHighWatermark {
        let end = words::compared(decision.end.get(), ">", decision.high_watermark.get());
        return cat(&["end ", &end]);
    }
    match decision.operands {
        RetentionOperands::LogStart {
            next_base: Some(next),
            log_start,
        } => words::compared(next.get(), if decision.holds() { "≤" } else { ">" }, log_start.get()),
        RetentionOperands::LogStart { next_base: None, .. } => "last segment".to_string(),
        RetentionOperands::Size {
            log_size,
            retention_bytes,
            segment_size,
        } => {
            let excess = log_size as i64 - retention_bytes as i64;
            let relation = if decision.holds() { "≥" } else { "<" };
            let sum = cat(&[&words::difference_of(log_size as i64, retention_bytes as i64), " = "]);
            cat(&[&sum, &words::compared(excess, relation, segment_size as i64)])
        }
        RetentionOperands::Time {
            now,
            largest,
            retention_ms,
            ..
        } => {
            let relation = if decision.holds() { ">" } else { "≤" };
            let age = words::times(now - largest, relation, retention_ms);
            cat(&[&words::difference(now.get(), largest.get()), " = ", &age])
        }
    }
}

fn time(drawing: &mut Drawing<'_>) {
    drawing.heading(
        "Age of the largest timestamp in each segment, counted back from the clock",
        "Age of each largest timestamp",
    );
    let stacked = drawing.plan.stacked();
    let stage = drawing.plan.stage;
    let (left, right) = (drawing.plan.left, drawing.plan.right);
    let view = drawing.view;
    let limit_ms = view.settings.retention_ms;
    // A check that is over looked at the clock of its own instant.
    let checked = drawing
        .focus
        .retention
        .iter()
        .rev()
        .find_map(|seen| match seen.it.operands {
            RetentionOperands::Time { now, .. } => Some(now.get()),
            _ => None,
        });
    let now = checked.unwrap_or(view.clock.get());
    let whole = if limit_ms > 0 {
        limit_ms.saturating_add(limit_ms / 2)
    } else {
        now.max(1)
    };
    let (first, pitch) = if stacked { (330, 340) } else { (420, 300) };
    // Numbers stand right of the lines of age, in a narrow scene above them.
    let words_room = if stacked { 0 } else { 2180 };
    let axis = Area {
        x: left + if stacked { 0 } else { 320 },
        y: stage.y + first,
        w: right - left - words_room - if stacked { 0 } else { 320 },
        h: 0,
    };
    let scale = Scale::new(0, axis.w, whole as u64);
    let at = |age: i64| axis.right() - scale.length(age.max(0) as u64);
    let mut all: Vec<(&SegmentView, bool)> = view.deleted.iter().map(|segment| (segment, true)).collect();
    all.extend(view.segments.iter().map(|segment| (segment, false)));
    all.sort_by_key(|(segment, _)| segment.base);
    let count = all.len().min(SEGMENTS);
    let line = (limit_ms >= 0).then(|| at(limit_ms));
    for (index, (segment, deleted)) in all.into_iter().take(SEGMENTS).enumerate() {
        let y = axis.y + index as i32 * pitch;
        let id = number(segment.base.get());
        let key = cat(&["age-row/", &id]);
        let seen = drawing
            .focus
            .retention
            .iter()
            .rev()
            .find(|seen| seen.it.base == segment.base && seen.it.rule() == RetentionRule::Time)
            .copied();
        let canvas = &mut drawing.canvas;
        canvas
            .open(
                key.clone(),
                "",
                Area {
                    x: left,
                    y,
                    w: right - left,
                    h: pitch,
                },
            )
            .fades = true;
        let class = if stacked { "bold" } else { "s14 bold" };
        let middle = y + if stacked { 210 } else { 110 };
        let text_y = if stacked { y + 110 } else { middle + 48 };
        canvas.word(cat(&[&key, "/base"]), class, left, text_y, &*id);
        let younger = segment.largest_timestamp.map(|largest| now - largest.get());
        let older = segment
            .batches
            .iter()
            .filter_map(|batch| batch.timestamp)
            .min()
            .map(|first| now - first.get());
        if let (Some(younger), Some(older)) = (younger, older) {
            let (from, to) = (at(older), at(younger).max(at(older) + 30));
            let area = Area {
                x: from + 5,
                y: middle - 65,
                w: to - from,
                h: 130,
            };
            canvas.rect(
                cat(&[&key, "/span"]),
                if deleted { "record deleted" } else { "record" },
                area,
                0,
            );
            if deleted {
                hatch(canvas, cat(&[&key, "/hatch"]), "hatch", area);
            }
            let class = if seen.is_some() { "age examined" } else { "age" };
            canvas.line(
                cat(&[&key, "/age"]),
                class,
                (to + 5, middle),
                (axis.right() - to - 5, 0),
            );
        }
        if let (true, Some(line)) = (stacked, line) {
            // Across the bars only: the numbers stand above them.
            canvas.line(cat(&[&key, "/limit"]), "limit", (line, middle - 75), (0, 150));
        }
        let spans = match seen {
            Some(seen) => {
                let word = if seen.it.answer() == RetentionAnswer::Delete {
                    "goes"
                } else {
                    "stays"
                };
                Comparison {
                    operands: operands(&seen.it),
                    word,
                    hit: seen.fresh,
                }
                .spans(i32::MAX)
            }
            None => {
                let [long, short] = words::verdict(&segment.verdict);
                let class = if deleted { "bold" } else { "muted" };
                let free = if stacked { right - left - 400 } else { words_room - 160 };
                fitting(class, free, &[&long, &short])
                    .map(|text| vec![span(class, text)])
                    .unwrap_or_default()
            }
        };
        let wide = room_of("", &spans);
        if !spans.is_empty() {
            let x = if stacked { left + 320 } else { axis.right() + 160 };
            if x + wide <= right {
                canvas.text(cat(&[&key, "/text"]), "", x, text_y, spans);
            }
        }
        canvas.close();
    }
    let canvas = &mut drawing.canvas;
    let foot = axis.y + count as i32 * pitch + if stacked { 130 } else { 150 };
    canvas.line(
        "age/now".to_string(),
        "tick",
        (axis.right() - 5, axis.y - 20),
        (0, foot - axis.y + 20),
    );
    let now_text = cat(&[if checked.is_some() { "check at " } else { "clock " }, &duration(now)]);
    canvas
        .word(
            "age/now/text".to_string(),
            "muted",
            axis.right() - if stacked { 40 } else { 60 },
            foot,
            &*now_text,
        )
        .end();
    if let Some(x) = line {
        let edge = axis.right() - 120 - room("", &now_text);
        let top = if stacked { foot - 150 } else { axis.y - 20 };
        limit(
            canvas,
            "retention",
            x,
            (top, foot),
            &duration(limit_ms),
            "retention.ms",
            edge,
        );
    }
}
