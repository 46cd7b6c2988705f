//! What retention looks at. By size: the bytes of the log, counted back from its end. By time: the age of each segment's
//! largest timestamp, counted back from the clock. So the limit stands still, and a segment goes when it lies left of it.

use partition_log::questions::verdict::Verdict;
use partition_log::questions::view::SegmentView;
use partition_log::rules::clause::{Clause, ClauseName, Term};
use partition_log::rules::retention::{RetentionAnswer, RetentionDecision, RetentionLimit, RetentionRule};
use partition_log::units::{Offset, duration};

use crate::layout::{Drawing, words};
use crate::marks::bracket::bracket;
use crate::marks::hatch::hatch;
use crate::marks::limit::{extent, limit};
use crate::marks::probe::Comparison;
use crate::marks::scale::Scale;
use crate::metrics::{amount, cat, fitting, number, room, room_of};
use crate::scene::{Area, Enter, Span, span, spans};

/// Decisions, or segments by age, that are drawn at most.
const DECISIONS: usize = 2;
const SEGMENTS: usize = 4;

/// A segment narrower than this is drawn in one box with its neighbours.
const CROWDED: i32 = 200;

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
struct Row {
    word: &'static str,
    log_size: u64,
    decision: Option<(RetentionDecision, bool)>,
}

/// Places that count from the right, where the log ends.
struct Back {
    right: i32,
    scale: Scale,
    limit: Option<i32>,
}

impl Back {
    fn at(&self, bytes: u64) -> i32 {
        self.right - 10 - self.scale.length(bytes)
    }
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
    let mut back = Back {
        right,
        scale: Scale::new(left, right - left - 10, whole),
        limit: None,
    };
    back.limit = (0..=whole as i64)
        .contains(&limit_bytes)
        .then(|| back.at(limit_bytes as u64));
    let mut rows: Vec<Row> = Vec::new();
    for seen in &drawing.focus.retention {
        if let Some(log_size) = seen.it.clause().number(Term::LogSize) {
            let log_size = log_size.unsigned_abs();
            let word = if rows.is_empty() { "now" } else { "then" };
            rows.push(Row {
                word,
                log_size,
                decision: Some((seen.it, seen.fresh)),
            });
        }
    }
    if rows.is_empty() {
        rows.push(Row {
            word: "now",
            log_size: view.log_size,
            decision: None,
        });
    }
    let rows = &rows[rows.len().saturating_sub(DECISIONS)..];
    let (first, pitch, h) = if stacked { (280, 680, 240) } else { (380, 660, 280) };
    for (index, row) in rows.iter().enumerate() {
        let y = stage.y + first + index as i32 * pitch;
        let bar = Area::new(left, y + pitch - h - 100, right - left, h);
        drawing.canvas.open(
            &cat(&["size-row/", &number(index as i64)]),
            "",
            Area { y, h: pitch, ..bar },
        );
        boxes(drawing, row, bar, &back);
        if let Some(x) = back.limit.filter(|_| stacked) {
            // Across the bars only: the numbers stand above them.
            drawing.canvas.line("/limit", "limit", (x, bar.y - 50), (0, bar.h + 70));
        }
        remarks(drawing, row, y, bar.y, &back);
        drawing.canvas.close();
    }
    let foot = stage.y + first + rows.len() as i32 * pitch - 100;
    axis(
        drawing,
        &back,
        if stacked { foot - 20 } else { stage.y + first + 40 },
        foot,
    );
}

/// The limit, and the numbers under the last row.
fn axis(drawing: &mut Drawing<'_>, back: &Back, top: i32, y: i32) {
    let view = drawing.view;
    let right = drawing.plan.right;
    let canvas = &mut drawing.canvas;
    let bottom = y + 180;
    let text = amount(view.settings.retention_bytes);
    let mut free = right - room("", "log end") - 60;
    let clear = back.limit.is_none_or(|x| extent(x, &text, right).1 <= free);
    if clear {
        canvas.word("retention/end", "muted", right, bottom, "log end").end();
    } else {
        free = right;
    }
    if let Some(x) = back.limit {
        limit(canvas, "retention", x, (top, bottom), &text, "retention.bytes", free);
        free = extent(x, &text, right).0.min(x);
    }
    let whole = view.log_size + view.deleted_size;
    let from = back.at(whole) + 5;
    canvas.line("retention/start", "tick", (from, y), (0, bottom - y));
    let text = amount(whole as i64);
    if from + 45 + room("s13", &text) <= free - 40 {
        canvas.word("retention/whole", "s13", from + 45, bottom, &text);
    }
}

/// A stretch of a row: one segment, or neighbours too narrow to tell apart.
struct Stretch<'a> {
    from: i32,
    to: i32,
    segments: usize,
    /// The first of them, counted from the log end.
    segment: &'a SegmentView,
    deleted: bool,
}

/// The segments of a row; those deleted before it are hatched.
fn boxes(drawing: &mut Drawing<'_>, row: &Row, bar: Area, back: &Back) {
    let oldest = drawing.view.segments.first().map(|segment| segment.base);
    let live_from = row
        .decision
        .map(|(decision, _)| decision.base)
        .or(oldest)
        .unwrap_or(Offset::ZERO);
    let mut bytes = 0;
    let mut open: Option<Stretch<'_>> = None;
    for index in (0..drawing.all.len()).rev() {
        let segment = drawing.all[index].segment;
        if segment.size == 0 {
            continue;
        }
        let (from, to) = (back.at(bytes + segment.size), back.at(bytes));
        bytes += segment.size;
        let deleted = segment.base < live_from;
        let narrow = |from: i32, to: i32| to - from < CROWDED;
        match &mut open {
            Some(open)
                if open.deleted == deleted && narrow(from, to) && (open.segments > 1 || narrow(open.from, open.to)) =>
            {
                open.from = from;
                open.segments += 1;
            }
            _ => {
                let done = open.replace(Stretch {
                    from,
                    to,
                    segments: 1,
                    segment,
                    deleted,
                });
                stretch(drawing, done, bar, back.limit);
            }
        }
    }
    stretch(drawing, open, bar, back.limit);
}

fn stretch(drawing: &mut Drawing<'_>, stretch: Option<Stretch<'_>>, bar: Area, line: Option<i32>) {
    let Some(Stretch {
        from: left,
        to: right,
        segments,
        segment,
        deleted,
    }) = stretch
    else {
        return;
    };
    let id = number(segment.base.get());
    let area = Area {
        x: left,
        w: right - left,
        ..bar
    };
    let clock = drawing.view.clock;
    let canvas = &mut drawing.canvas;
    canvas.open(&cat(&["/", &id]), "", area).fades = true;
    canvas
        .rect(
            "/box",
            if deleted { "record deleted" } else { "record" },
            area.cell(),
            0,
        )
        .enters(Enter::Hatch);
    if deleted {
        hatch(canvas, "/hatch", "hatch", area.cell());
    }
    let size = cat(&["\u{a0} ", &words::exact(segment.size)]);
    let gone = match segment.verdict {
        Verdict::Deleted { gone_at } if deleted => cat(&["\u{a0} removed at ", &words::time(Some(gone_at), clock)]),
        _ => size.clone(),
    };
    let many = number(segments as i64);
    let wordings = match segments {
        1 => [(&*id, &*gone), (&id, &size), (&id, "")],
        _ => [(&*many, "\u{a0} segments"), (&many, ""), ("", "")],
    };
    // The limit may cross the box: the text then stands on the side that has room.
    let sides = match line {
        Some(line) if line > left && line < right => [(line + 5, right), (left, line - 5)],
        _ => [(left, right), (left, right)],
    };
    for (strong, words) in wordings {
        let text = spans(&[("s14 bold", strong), ("", words)]);
        let wide = room_of("", &text);
        let side = sides.into_iter().find(|(from, to)| wide > 0 && wide + 110 <= to - from);
        if let Some((from, _)) = side {
            if deleted {
                let plate = Area::new(from + 50, area.y + 45, wide + 70, area.h - 90);
                canvas.rect("/plate", "plate", plate, 20);
            }
            canvas.text("/text", "", from + 85, area.y + area.h / 2 + 48, text);
            break;
        }
    }
    canvas.close();
}

/// What is said above a row: its size, the excess in a bracket, the decision.
fn remarks(drawing: &mut Drawing<'_>, row: &Row, y: i32, bar: i32, back: &Back) {
    let stacked = drawing.plan.stacked();
    let (left, right) = (drawing.plan.left, drawing.plan.right);
    let limit = drawing.view.settings.retention_bytes;
    let baseline = bar - 120;
    let excess = row.log_size as i64 - limit;
    let canvas = &mut drawing.canvas;
    let size = spans(&[
        ("muted", &cat(&[row.word, "\u{a0} "])),
        ("bold", &words::exact(row.log_size)),
    ]);
    let edge = left + room_of("", &size) + 80;
    canvas.text("/size", "", left, if stacked { y + 110 } else { baseline }, size);
    let mut said = match &row.decision {
        Some((decision, fresh)) => decided(decision, *fresh),
        None => RetentionLimit {
            rule: RetentionRule::Size,
            log_size: row.log_size,
            limit,
        }
        .off()
        .filter(|clause| clause.name == ClauseName::BelowLimit)
        .map(|clause| Comparison::of(&clause, "within the limit", false).spans(i32::MAX))
        .unwrap_or_default(),
    };
    // The decision stands right of the limit, or else between the size and the limit; in a narrow scene above.
    if stacked && edge + room_of("", &said) > right {
        said.truncate(1);
    }
    let wide = room_of("", &said);
    let after = back.limit.map_or(edge, |line| line + 100);
    let mut left_edge = edge;
    let place = if stacked {
        left_edge = left;
        (edge + wide <= right).then_some((edge, y + 110))
    } else if after + wide <= right {
        Some((after, baseline))
    } else if edge + wide <= back.limit.unwrap_or(right) - 60 {
        left_edge = edge + wide + 80;
        Some((edge, baseline))
    } else {
        None
    };
    if let Some((x, y)) = place.filter(|_| wide > 0) {
        canvas.text("/decision", "", x, y, said).enters(Enter::Say);
    }
    if let Some(line) = back.limit.filter(|_| excess > 0) {
        bracket(canvas, "/over", "bracket", (back.at(row.log_size), line - 5), bar - 30);
        let text = cat(&[&words::exact(excess as u64), " over"]);
        if line - 60 - room("", &text) >= left_edge {
            canvas
                .word("/over/text", "", line - 60, baseline, &text)
                .end()
                .enters(Enter::Say);
        }
    }
}

/// A decision with all its numbers: `950 − 600 = 350 ≥ 270 B segment 0 goes`.
fn decided(decision: &RetentionDecision, fresh: bool) -> Vec<Span> {
    let word = match decision.answer() {
        RetentionAnswer::Delete => " goes",
        RetentionAnswer::Keep | RetentionAnswer::AboveHighWatermark => " stays",
        RetentionAnswer::EmptyActive => " stays, empty",
    };
    let words = cat(&["\u{a0} segment ", &number(decision.base.get()), word]);
    let mut said = Comparison::of(&telling(decision), "", fresh).spans(i32::MAX);
    said.push(span("", &words));
    said
}

/// The clause that a picture of the decision shows: the rule's own, unless it was not even asked.
pub fn telling(decision: &RetentionDecision) -> Clause {
    match decision.answer() {
        RetentionAnswer::AboveHighWatermark => decision.deciding(),
        RetentionAnswer::Delete | RetentionAnswer::Keep | RetentionAnswer::EmptyActive => decision.clause(),
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
        .find_map(|seen| seen.it.clause().number(Term::Clock));
    let now = checked.unwrap_or(view.clock.get());
    let whole = if limit_ms > 0 {
        limit_ms.saturating_add(limit_ms / 2)
    } else {
        now.max(1)
    };
    let (first, pitch) = if stacked { (330, 340) } else { (420, 300) };
    // Numbers stand right of the lines of age, in a narrow scene above them.
    let (before, after) = if stacked { (0, 0) } else { (320, 2180) };
    let top = stage.y + first;
    let ages = Ages {
        now,
        right: right - after,
        scale: Scale::new(0, right - left - before - after, whole as u64),
        limit: limit_ms,
    };
    // The oldest, or those around the one that was asked last.
    let rows = drawing.lanes.start..(drawing.lanes.start + SEGMENTS).min(drawing.all.len());
    for (index, row) in rows.clone().enumerate() {
        let area = Area::new(left, top + index as i32 * pitch, right - left, pitch);
        let shown = drawing.all[row];
        age_row(drawing, shown.segment, shown.deleted, area, &ages);
    }
    let foot = top + rows.len() as i32 * pitch + if stacked { 130 } else { 150 };
    let canvas = &mut drawing.canvas;
    canvas.line("age/now", "tick", (ages.right - 5, top - 20), (0, foot - top + 20));
    let text = cat(&[
        if checked.is_some() { "check at " } else { "clock " },
        &words::moment(now, view.clock),
    ]);
    canvas
        .word(
            "age/now/text",
            "muted",
            ages.right - if stacked { 40 } else { 60 },
            foot,
            &text,
        )
        .end();
    if limit_ms >= 0 {
        let edge = ages.right - 120 - room("", &text);
        let top = if stacked { foot - 150 } else { top - 20 };
        limit(
            canvas,
            "retention",
            ages.at(limit_ms),
            (top, foot),
            &duration(limit_ms),
            "retention.ms",
            edge,
        );
    }
}

/// Places that count from the right, where the clock stands.
struct Ages {
    now: i64,
    right: i32,
    scale: Scale,
    limit: i64,
}

impl Ages {
    fn at(&self, age: i64) -> i32 {
        self.right - self.scale.length(age.max(0) as u64)
    }
}

/// A segment by the ages of its records; the line from the youngest to the clock is what the rule looks at.
fn age_row(drawing: &mut Drawing<'_>, segment: &SegmentView, deleted: bool, area: Area, ages: &Ages) {
    let stacked = drawing.plan.stacked();
    let (left, right) = (area.x, area.right());
    let id = number(segment.base.get());
    let seen = drawing.focus.retention.iter().rev();
    let seen = seen
        .copied()
        .find(|seen| seen.it.base == segment.base && seen.it.rule() == RetentionRule::Time);
    let clock = drawing.view.clock;
    let canvas = &mut drawing.canvas;
    canvas.open(&cat(&["age-row/", &id]), "", area).fades = true;
    let middle = area.y + if stacked { 210 } else { 110 };
    let text_y = if stacked { area.y + 110 } else { middle + 48 };
    canvas.word("/base", if stacked { "bold" } else { "s14 bold" }, left, text_y, &id);
    let oldest = segment.batches.iter().filter_map(|batch| batch.timestamp).min();
    if let Some((youngest, oldest)) = segment.largest_timestamp.zip(oldest) {
        let from = ages.at(ages.now - oldest.get());
        let to = ages.at(ages.now - youngest.get()).max(from + 30);
        let span = Area::new(from + 5, middle - 65, to - from, 130);
        canvas
            .rect("/span", if deleted { "record deleted" } else { "record" }, span, 0)
            .enters(Enter::Age);
        if deleted {
            hatch(canvas, "/hatch", "hatch", span);
        }
        let class = if seen.is_some() { "age examined" } else { "age" };
        canvas
            .line("/age", class, (to + 5, middle), (ages.right - to - 5, 0))
            .enters(Enter::Age);
    }
    if stacked && ages.limit >= 0 {
        // Across the bars only: the numbers stand above them.
        canvas.line("/limit", "limit", (ages.at(ages.limit), middle - 75), (0, 150));
    }
    let (x, free) = if stacked {
        (left + 320, right - left - 320)
    } else {
        (ages.right + 160, right - ages.right - 160)
    };
    let said = match seen {
        Some(seen) => {
            let word = if seen.it.answer() == RetentionAnswer::Delete {
                "goes"
            } else {
                "stays"
            };
            Comparison::of(&telling(&seen.it), word, seen.fresh).spans(free)
        }
        None => {
            let [long, short] = partition_story::verdict(&segment.verdict, clock);
            let class = if deleted { "bold" } else { "muted" };
            fitting(class, free, &[&long, &short])
                .map(|text| spans(&[(class, text)]))
                .unwrap_or_default()
        }
    };
    if !said.is_empty() {
        canvas.text("/text", "", x, text_y, said).enters(Enter::Say);
    }
    canvas.close();
}
