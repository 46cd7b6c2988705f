//! The segments side by side: name, records, files, and what is said of each.

use partition_log::rules::retention::{RetentionAnswer, RetentionDecision, RetentionOperands};
use partition_log::units::{Offset, duration};
use partition_log::verdict::Verdict;
use partition_log::vfs::{FileKind, FileName};
use partition_log::view::SegmentView;

use crate::layout::words;
use crate::layout::{Drawing, LANES, Shown, Stage};
use crate::marks::gauge::{Measure, bar};
use crate::marks::hatch::hatch;
use crate::marks::name::name;
use crate::marks::pieces::{Piece, pieces};
use crate::marks::probe::Comparison;
use crate::marks::scale::Scale;
use crate::marks::tag::{self, tag};
use crate::marks::{chip, record};
use crate::metrics::{Face, cat, fitting, number, room, room_of, width};
use crate::scene::{Area, Enter, Role, Span, span};

/// Height of a lane's records.
const LANE: i32 = 240;
const STACKED_LANE: i32 = 140;

/// Draws the segments that are shown.
pub fn draw(drawing: &mut Drawing<'_>) {
    for slot in 0..drawing.shown.len() {
        let shown = drawing.shown[slot];
        let area = drawing.plan.lane(slot);
        let base = shown.segment.base;
        let key = cat(&["card/", &number(base.get())]);
        let group = drawing.canvas.open(key, "", area);
        group.fades = true;
        group.label = prefix(&shown, drawing.total);
        group.role = Some(Role::Group);
        if slot > 0 {
            group.enter = Some(Enter::Grow);
            group.from = cat(&["card/", &number(drawing.shown[slot - 1].segment.base.get())]);
        }
        if drawing.plan.stacked() {
            cell(drawing, shown, area);
        } else {
            card(drawing, shown, area);
        }
        drawing.canvas.close();
    }
    later(drawing);
}

/// The accessible name of a segment.
fn label(shown: &Shown<'_>, total: usize) -> String {
    let segment = shown.segment;
    let mut label = prefix(shown, total);
    label.push_str(&cat(&[
        ", ",
        &words::count(words::records(segment), "record", "records"),
        ", ",
        &words::exact(segment.size),
    ]));
    label.push_str(state(shown));
    label
}

fn prefix(shown: &Shown<'_>, total: usize) -> String {
    let base = number(shown.segment.base.get());
    cat(&[
        "segment ",
        &number(shown.ordinal as i64),
        " of ",
        &number(total as i64),
        ", base offset ",
        &base,
    ])
}

fn state(shown: &Shown<'_>) -> &'static str {
    match (shown.deleted, shown.segment.active) {
        (true, _) => ", deleted",
        (false, true) => ", active",
        (false, false) => ", closed",
    }
}

/// What this frame says of a segment: a chip's word and class, and a comparison.
struct Remark {
    chip: Option<(&'static str, &'static str)>,
    comparison: Option<Comparison>,
    note: Option<String>,
}

fn remark(drawing: &Drawing<'_>, shown: &Shown<'_>) -> Remark {
    let base = shown.segment.base;
    let focus = &drawing.focus;
    let mut remark = Remark {
        chip: None,
        comparison: None,
        note: None,
    };
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
        if seen.it.answer() != RetentionAnswer::Delete {
            remark.chip = Some(("kept", "chip"));
        }
        let word = if seen.it.answer() == RetentionAnswer::Delete && !shown.deleted {
            "goes"
        } else {
            ""
        };
        remark.comparison = Some(Comparison {
            operands: decided(&seen.it),
            word,
            hit: seen.fresh,
        });
        return remark;
    }
    if let Some(floor) = &focus.floor {
        let found = floor.it.found == Some(base);
        if floor.it.bases.contains(&base) {
            let fits = base <= floor.it.target;
            let relation = if fits { "≤" } else { ">" };
            remark.comparison = Some(Comparison {
                operands: words::compared(base.get(), relation, floor.it.target.get()),
                word: if found {
                    "floor"
                } else if fits {
                    "fits"
                } else {
                    "too big"
                },
                hit: found,
            });
            return remark;
        }
    }
    if let Some(seen) = focus.time_segments.iter().find(|seen| seen.it.base == base) {
        let relation = if seen.it.searched { "≥" } else { "<" };
        remark.comparison = Some(Comparison {
            operands: words::times(seen.it.largest.get(), relation, seen.it.target.get()),
            word: if seen.it.searched { "search it" } else { "too old" },
            hit: seen.it.searched,
        });
        return remark;
    }
    if let Some(rolled) = &focus.rolled {
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
    match decision.operands {
        RetentionOperands::LogStart { next_base, log_start } => match next_base {
            Some(next) => words::compared(next.get(), if decision.holds() { "≤" } else { ">" }, log_start.get()),
            None => "last".to_string(),
        },
        RetentionOperands::Size {
            log_size,
            retention_bytes,
            segment_size,
        } => {
            let excess = log_size as i64 - retention_bytes as i64;
            words::compared(excess, if decision.holds() { "≥" } else { "<" }, segment_size as i64)
        }
        RetentionOperands::Time {
            now,
            largest,
            retention_ms,
            ..
        } => words::times(now - largest, if decision.holds() { ">" } else { "≤" }, retention_ms),
    }
}

/// A segment with its files, for scenes from 600 px.
fn card(drawing: &mut Drawing<'_>, shown: Shown<'_>, area: Area) {
    let segment = shown.segment;
    let base = segment.base;
    let id = number(base.get());
    let key = cat(&["lane/", &id]);
    let remark = remark(drawing, &shown);
    let Area { x, y, w, .. } = area;
    button(drawing, &shown, Area { h: 645, ..area });
    let mut right = x + w;
    if segment.active && !shown.deleted {
        right -= chip::width("active");
        chip::chip(
            &mut drawing.canvas,
            &cat(&[&key, "/active"]),
            "chip active",
            right,
            y,
            "active",
        );
        right -= 60;
    }
    let mut left = x;
    if let Some((word, class)) = remark.chip {
        left = chip::chip(&mut drawing.canvas, &cat(&[&key, "/state"]), class, x, y, word) + 80;
    }
    let spans = match (&remark.comparison, &remark.note) {
        (Some(comparison), _) => comparison.spans(right - left),
        (None, Some(note)) => vec![span("muted", &**note)],
        (None, None) => Vec::new(),
    };
    if !spans.is_empty() && room_of("", &spans) <= right - left {
        drawing
            .canvas
            .text(cat(&[&key, "/remark"]), "", left, y + 142, spans)
            .enters(Enter::Fade);
    }
    let face = Face::of("mono");
    let spans = name(base, "", face, w + 80);
    let ends = x + width("mono", &spans);
    drawing.canvas.text(cat(&[&key, "/name"]), "mono", x, y + 330, spans);
    if shown.deleted {
        drawing
            .canvas
            .line(cat(&[&key, "/name-strike"]), "strike", (x, y + 290), (ends - x, 0));
    }
    let lane = Area {
        x,
        y: y + 385,
        w,
        h: LANE,
    };
    records(drawing, &shown, &key, lane);
    drawing.canvas.close();
    for (row, kind) in FileKind::ALL.into_iter().enumerate() {
        file(
            drawing,
            &shown,
            kind,
            Area {
                x,
                y: y + 665 + row as i32 * 240,
                w,
                h: 240,
            },
        );
    }
    gauges(
        drawing,
        &shown,
        &key,
        Area {
            x,
            y: y + 1400,
            w,
            h: 200,
        },
    );
}

/// The records of a lane, and its free rest.
fn records(drawing: &mut Drawing<'_>, shown: &Shown<'_>, key: &str, lane: Area) {
    let segment = shown.segment;
    let scale = Scale::new(lane.x, lane.w - 10, drawing.lane_bytes());
    let touched = drawing.touched();
    let stacked = drawing.plan.stacked();
    let canvas = &mut drawing.canvas;
    let end = scale.at(segment.size);
    let whole = scale.at(scale.span);
    if whole > end && !shown.deleted {
        let tail = Area {
            x: end + 5,
            y: lane.y + 5,
            w: whole - end,
            h: lane.h - 10,
        };
        canvas.rect(
            cat(&[key, "/tail"]),
            if segment.active { "tail active" } else { "tail" },
            tail,
            0,
        );
    }
    let pieces = pieces(&segment.batches, scale, 40, |batch| Some(batch.first_offset) == touched);
    let place = |piece: &Piece<'_>| {
        let (from, to) = (scale.at(piece.from()), scale.at(piece.to()));
        Area {
            x: from,
            y: lane.y,
            w: to - from,
            h: lane.h,
        }
    };
    let is_touched = |piece: &Piece<'_>| matches!(piece, Piece::One(batch) if Some(batch.first_offset) == touched);
    let name = |piece: &Piece<'_>| match piece {
        Piece::One(batch) => cat(&[key, "/", &number(batch.first_offset.get())]),
        Piece::Many { first, .. } => cat(&[key, "/from-", &number(first.first_offset.get())]),
    };
    // Boxes, then the hatch, then the numbers on their plates.
    for piece in &pieces {
        record::small(canvas, name(piece), place(piece), is_touched(piece), shown.deleted);
    }
    if shown.deleted && segment.size > 0 {
        let gone = Area {
            x: lane.x + 5,
            y: lane.y + 5,
            w: end - lane.x,
            h: lane.h - 10,
        };
        hatch(canvas, cat(&[key, "/hatch"]), "hatch", gone);
    }
    for piece in pieces.iter().filter(|_| !stacked) {
        let (long, short) = match piece {
            Piece::One(batch) => (words::offsets(batch), number(batch.first_offset.get())),
            Piece::Many { records, .. } => (words::count(*records, "record", "records"), number(*records as i64)),
        };
        record::small_offset(
            canvas,
            &name(piece),
            place(piece),
            &[&long, &short],
            is_touched(piece),
            shown.deleted,
        );
    }
    let ring = pieces.iter().find(|piece| is_touched(piece)).map(place);
    if let Some(area) = ring {
        let ring = Area {
            x: area.x + 10,
            y: area.y + 10,
            w: (area.w - 10).max(20),
            h: area.h - 20,
        };
        canvas.rect(cat(&[key, "/touched"]), "ring", ring, 10);
    }
}

/// One file of a segment: tag, extension, size.
fn file(drawing: &mut Drawing<'_>, shown: &Shown<'_>, kind: FileKind, area: Area) {
    let segment = shown.segment;
    let key = cat(&["file/", &number(segment.base.get()), "/", &kind.extension()[1..]]);
    let label = file_label(shown, kind, drawing.total);
    let written = drawing
        .focus
        .written
        .iter()
        .any(|file| file.base == segment.base && file.kind == kind);
    let canvas = &mut drawing.canvas;
    canvas.open(key.clone(), "file", area).button(label);
    canvas.rect(cat(&[&key, "/hit"]), "target", area, 0);
    let (x, y, w) = (area.x, area.y + 35, area.w);
    let created = exists(segment, kind);
    let look = match (shown.deleted, created) {
        (_, false) => tag::Look::Absent,
        (true, true) => tag::Look::Deleted,
        (false, true) => tag::Look::Live,
    };
    let extension = kind.extension();
    let text_x = x + 220;
    let face = Face::of("mono");
    if shown.deleted && created {
        let back = Area {
            x: x + 200,
            y: y + 5,
            w: w - 200,
            h: 160,
        };
        canvas.rect(cat(&[&key, "/back"]), "plate", back, 0);
        hatch(canvas, cat(&[&key, "/hatch"]), "hatch faint", back);
        tag(canvas, &key, kind, look, x, y + 5);
        let whole = face.room(extension) + face.room(".deleted");
        let with_name = whole <= w - 220 + 140;
        let mut spans = vec![span("bold", ".deleted")];
        if with_name {
            spans.insert(0, span("", extension));
            canvas.line(
                cat(&[&key, "/strike"]),
                "strike",
                (text_x, y + 90),
                (face.width(extension), 0),
            );
        }
        canvas.text(cat(&[&key, "/name"]), "mono", text_x, y + 130, spans);
    } else {
        tag(canvas, &key, kind, look, x, y + 5);
        let class = match (created, written) {
            (false, _) => "mono muted",
            (true, true) => "mono bold",
            (true, false) => "mono",
        };
        canvas.word(cat(&[&key, "/name"]), class, text_x, y + 130, extension);
        let free = x + w - text_x - room("mono", extension);
        let [long, middle, short] = facts(drawing, segment, kind);
        let class = match (created, written) {
            (false, _) => "muted",
            (true, true) => "bold",
            (true, false) => "",
        };
        if let Some(text) = fitting(class, free, &[&long, &middle, &short]) {
            let text = text.to_string();
            drawing
                .canvas
                .word(cat(&[&key, "/size"]), class, x + w, y + 130, text)
                .end();
        }
    }
    drawing.canvas.close();
}

fn exists(segment: &SegmentView, kind: FileKind) -> bool {
    match kind {
        FileKind::Log => true,
        FileKind::Index => segment.offset_index.created,
        FileKind::TimeIndex => segment.time_index.created,
    }
}

/// What is said of a file's size, longest wording first.
fn facts(drawing: &Drawing<'_>, segment: &SegmentView, kind: FileKind) -> [String; 3] {
    let (created, used, apparent, whole) = match kind {
        FileKind::Log => {
            let limit = drawing.view.settings.segment_bytes as u64;
            let exact = words::exact(segment.size);
            return [words::fill(segment.size, limit), exact, words::size(segment.size)];
        }
        FileKind::Index => {
            let index = &segment.offset_index;
            (index.created, index.used, index.apparent, words::index(index))
        }
        FileKind::TimeIndex => {
            let index = &segment.time_index;
            (index.created, index.used, index.apparent, words::index(index))
        }
    };
    if !created {
        return [
            "not created yet".to_string(),
            "not created".to_string(),
            "not yet".to_string(),
        ];
    }
    let exact = words::exact(used);
    let before = drawing
        .frame
        .before
        .segments
        .iter()
        .find(|before| before.base == segment.base);
    let longer = before.map(|before| match kind {
        FileKind::TimeIndex => before.time_index.apparent,
        _ => before.offset_index.apparent,
    });
    if let Some(longer) = longer.filter(|&longer| longer > apparent && apparent == used) {
        let cut = cat(&[&partition_log::units::grouped(longer as i64), " B → ", &exact]);
        return [cut, exact.clone(), exact];
    }
    if apparent > used {
        [whole, cat(&[&exact, " used"]), exact]
    } else {
        [exact.clone(), exact, words::size(used)]
    }
}

/// The accessible name of a file: its whole name, then the facts.
pub fn file_label(shown: &Shown<'_>, kind: FileKind, total: usize) -> String {
    let segment = shown.segment;
    let file = FileName {
        base: segment.base,
        kind,
        deleted: shown.deleted,
    };
    let (noun, facts) = match kind {
        FileKind::Log => {
            let records = words::count(words::records(segment), "record", "records");
            ("log", cat(&[&records, ", ", &words::exact(segment.size)]))
        }
        FileKind::Index => ("offset index", words::index(&segment.offset_index)),
        FileKind::TimeIndex => ("time index", words::index(&segment.time_index)),
    };
    let mut label = file.to_string();
    label.push_str(&cat(&[", ", &prefix(shown, total), ", ", noun, ", ", &facts]));
    if shown.deleted {
        label.push_str(", deleted");
    }
    label
}

/// The age of a segment against `retention.ms`, and the active one's bytes since its last index entry.
fn gauges(drawing: &mut Drawing<'_>, shown: &Shown<'_>, key: &str, area: Area) {
    let segment = shown.segment;
    let Area { x, y, w, .. } = area;
    let mut y = y;
    let timed = drawing.frame.extents.time_checks;
    if timed || shown.deleted {
        let [long, short] = words::verdict(&segment.verdict);
        let age = age(drawing, segment);
        let value = age.filter(|_| !shown.deleted).map(duration).unwrap_or_default();
        let free = w - if value.is_empty() { 0 } else { room("mono", &value) + 60 };
        let class = if matches!(segment.verdict, Verdict::WaitsForCheck { .. }) {
            "bold"
        } else {
            ""
        };
        if let Some(text) = fitting(class, free, &[&long, &short]) {
            let text = text.to_string();
            drawing.canvas.word(cat(&[key, "/verdict"]), class, x, y + 110, text);
        }
        if !value.is_empty() {
            drawing
                .canvas
                .word(cat(&[key, "/age/value"]), "mono", x + w, y + 110, value)
                .end();
        }
        if !shown.deleted {
            age_bar(
                drawing,
                segment,
                &cat(&[key, "/age"]),
                Area {
                    x,
                    y: y + 155,
                    w,
                    h: 30,
                },
            );
        }
        y += 200;
    }
    if segment.active && !shown.deleted && y < area.y + drawing.plan.gauges * 200 {
        let spans = super::overview::counter(segment.counter, segment.interval);
        let canvas = &mut drawing.canvas;
        let spans = if room_of("", &spans) <= w {
            spans
        } else {
            vec![spans[0].clone()]
        };
        canvas.text(cat(&[key, "/counter/text"]), "", x, y + 110, spans);
        let whole = (segment.interval + segment.interval / 2).max(segment.counter).max(1);
        let measure = Measure {
            value: segment.counter,
            limit: Some(segment.interval),
            whole,
        };
        bar(
            canvas,
            &cat(&[key, "/counter"]),
            "fill index",
            Area {
                x,
                y: y + 155,
                w,
                h: 30,
            },
            measure,
        );
    }
}

/// Age of a segment's largest timestamp, ms.
pub fn age(drawing: &Drawing<'_>, segment: &SegmentView) -> Option<i64> {
    segment.largest_timestamp.map(|largest| drawing.view.clock - largest)
}

fn age_bar(drawing: &mut Drawing<'_>, segment: &SegmentView, key: &str, area: Area) {
    let limit = drawing.view.settings.retention_ms;
    let age = age(drawing, segment).unwrap_or(0).max(0);
    if limit < 0 {
        return;
    }
    let limit = limit as u64;
    let measure = Measure {
        value: age as u64,
        limit: Some(limit),
        whole: limit.saturating_add(limit / 3).max(1),
    };
    let class = if age as u64 > limit { "fill deleted" } else { "fill" };
    bar(&mut drawing.canvas, key, class, area, measure);
}

/// A segment of the strip, for narrow scenes.
fn cell(drawing: &mut Drawing<'_>, shown: Shown<'_>, area: Area) {
    let segment = shown.segment;
    let id = number(segment.base.get());
    let key = cat(&["lane/", &id]);
    let Area { x, y, w, .. } = area;
    button(drawing, &shown, Area { h: 560, ..area });
    drawing.canvas.word(cat(&[&key, "/name"]), "s14 bold", x, y + 130, &*id);
    let name_end = x + room("s14 bold", &id);
    if shown.deleted {
        let strike = Face::of("s14 bold").width(&id);
        drawing
            .canvas
            .line(cat(&[&key, "/name-strike"]), "strike", (x, y + 85), (strike, 0));
    }
    let fill = words::fill(segment.size, drawing.view.settings.segment_bytes as u64);
    let fill: String = fill.replace(" / ", "/").replace(" B", "");
    let fill = if segment.active && segment.size == 0 {
        "empty".to_string()
    } else {
        fill
    };
    let wordings = [fill, words::exact(segment.size)];
    if let Some(text) = fitting("", x + w - name_end - 20, &[&wordings[0], &wordings[1]]) {
        let text = text.to_string();
        drawing
            .canvas
            .word(cat(&[&key, "/fill"]), "muted", x + w, y + 130, text)
            .end();
    }
    records(
        drawing,
        &shown,
        &key,
        Area {
            x,
            y: y + 190,
            w,
            h: STACKED_LANE,
        },
    );
    if drawing.frame.extents.time_checks && !shown.deleted {
        age_bar(
            drawing,
            segment,
            &cat(&[&key, "/age"]),
            Area {
                x,
                y: y + 350,
                w,
                h: 20,
            },
        );
    }
    let remark = remark(drawing, &shown);
    let checked = drawing.frame.extents.time_checks || drawing.frame.extents.size_checks;
    let spans = caption(&shown, &remark, w, checked);
    if !spans.is_empty() {
        drawing.canvas.text(cat(&[&key, "/remark"]), "", x, y + 490, spans);
    }
    drawing.canvas.close();
}

/// Opens the part of a segment that stands for it as a whole: it can be picked, and inspected.
fn button(drawing: &mut Drawing<'_>, shown: &Shown<'_>, area: Area) {
    let key = cat(&["segment/", &number(shown.segment.base.get())]);
    let label = label(shown, drawing.total);
    drawing.canvas.open(key.clone(), "segment", area).button(label);
    drawing.canvas.rect(cat(&[&key, "/hit"]), "target", area, 40);
}

/// The line under a segment of the strip: a comparison, the state, or why it is still there.
fn caption(shown: &Shown<'_>, remark: &Remark, w: i32, checked: bool) -> Vec<Span> {
    if let Some(comparison) = &remark.comparison {
        let spans = comparison.spans(w + 40);
        if !spans.is_empty() {
            return spans;
        }
        let bare = comparison.operands.trim_end_matches(" s").replace(' ', "");
        let spans = Comparison {
            operands: bare,
            ..comparison.clone()
        }
        .spans(w + 40);
        if !spans.is_empty() {
            return spans;
        }
    }
    if let Some((word, _)) = remark.chip.filter(|(word, _)| *word != "kept") {
        return vec![span("bold", word)];
    }
    let [long, short] = words::verdict(&shown.segment.verdict);
    let short = match shown.segment.verdict {
        Verdict::TooYoung { .. } | Verdict::WaitsForCheck { .. } | Verdict::BehindSegment { .. } => short,
        _ => long,
    };
    if shown.segment.active {
        return vec![span("active", "active")];
    }
    let short = if checked { short } else { "closed".to_string() };
    fitting("", w + 20, &[&short])
        .map(|text| vec![span("muted", text)])
        .unwrap_or_default()
}

/// The place of segments that do not exist yet.
fn later(drawing: &mut Drawing<'_>) {
    let first = drawing.shown.len();
    if first >= LANES || drawing.hidden.1 > 0 {
        return;
    }
    let stacked = drawing.plan.stacked();
    let (from, to) = (drawing.plan.lane(first), drawing.plan.lane(LANES - 1));
    let (drop, h) = if stacked { (190, STACKED_LANE) } else { (385, LANE) };
    let area = Area {
        x: from.x,
        y: from.y + drop,
        w: to.right() - from.x,
        h,
    };
    let next = match drawing.stage {
        Stage::Pair(_, None) => Some(drawing.view.log_end),
        _ => None,
    };
    let canvas = &mut drawing.canvas;
    canvas.rect(
        "later/box".to_string(),
        "tail",
        Area {
            x: area.x + 5,
            y: area.y + 5,
            w: area.w - 10,
            h: h - 10,
        },
        0,
    );
    let text = match next {
        Some(offset) => cat(&["segment ", &number(Offset::get(offset)), ", not created yet"]),
        None if first + 1 == LANES => "a later segment".to_string(),
        None => "later segments".to_string(),
    };
    let short = if next.is_some() { "not created yet" } else { "later" };
    if let Some(text) = fitting("", area.w - 20, &[&text, short]) {
        let text = text.to_string();
        canvas
            .word(
                "later/text".to_string(),
                "muted",
                area.middle(),
                area.y + h / 2 + 43,
                text,
            )
            .middle();
    }
}
