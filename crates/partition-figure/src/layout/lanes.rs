//! The segments side by side: name, records, files, and what is said of each.

use partition_log::disk::{FileKind, FileName};
use partition_log::questions::verdict::Verdict;
use partition_log::questions::view::SegmentView;
use partition_log::units::{duration, grouped};

use crate::layout::remarks::{Remark, remark};
use crate::layout::words;
use crate::layout::{Drawing, LANES, Shown, Stage};
use crate::marks::gauge::{Measure, bar};
use crate::marks::hatch::hatch;
use crate::marks::name::name;
use crate::marks::pieces::{Piece, pieces};
use crate::marks::scale::Scale;
use crate::marks::tag::{self, tag};
use crate::marks::{chip, record};
use crate::metrics::{Face, cat, fitting, number, room, room_of, width};
use crate::scene::{Area, Enter, Role, Span, span, spans};

/// Height of a lane's records.
const LANE: i32 = 240;
const STACKED_LANE: i32 = 140;

/// Draws the segments that are shown.
pub fn draw(drawing: &mut Drawing<'_>) {
    let key = |shown: &Shown<'_>| cat(&["card/", &number(shown.segment.base.get())]);
    for entry_number in 0..drawing.shown().len() {
        let shown = drawing.shown()[entry_number];
        let area = drawing.plan.lane(entry_number);
        let before = entry_number.checked_sub(1).map(|before| key(&drawing.shown()[before]));
        let label = place(&shown, drawing.all.len());
        let group = drawing.canvas.open(&key(&shown), "", area);
        group.fades = true;
        group.label = label;
        group.role = Some(Role::Group);
        if let Some(before) = before {
            group.enter = Some(Enter::Grow);
            group.from = before;
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

/// Which segment it is.
fn place(shown: &Shown<'_>, total: usize) -> String {
    let (ordinal, total) = (number(shown.ordinal as i64), number(total as i64));
    cat(&[
        "segment ",
        &ordinal,
        " of ",
        &total,
        ", base offset ",
        &number(shown.segment.base.get()),
    ])
}

/// Opens the part of a segment that stands for it as a whole: it can be picked, and inspected.
fn button(drawing: &mut Drawing<'_>, shown: &Shown<'_>, area: Area) {
    let segment = shown.segment;
    let records = words::count(words::records(segment), "record", "records");
    let state = match (shown.deleted, segment.active) {
        (true, _) => ", deleted",
        (false, true) => ", active",
        (false, false) => ", closed",
    };
    let label = cat(&[
        &place(shown, drawing.all.len()),
        ", ",
        &records,
        ", ",
        &words::exact(segment.size),
        state,
    ]);
    drawing
        .canvas
        .open(&cat(&["segment/", &number(segment.base.get())]), "segment", area)
        .button(label);
    drawing.canvas.rect("/hit", "target", area, 40);
}

/// A segment with its files, for scenes from 600 px.
fn card(drawing: &mut Drawing<'_>, shown: Shown<'_>, area: Area) {
    let segment = shown.segment;
    let Remark { chip, comparison, note } = remark(drawing, &shown);
    let Area { x, y, w, .. } = area;
    button(drawing, &shown, Area { h: 645, ..area });
    let canvas = &mut drawing.canvas;
    let mut right = x + w;
    if segment.active && !shown.deleted {
        right -= chip::width("active");
        chip::chip(canvas, "/active", "chip active", right, y, "active");
        right -= 60;
    }
    let mut left = x;
    if let Some((word, class)) = chip {
        left = chip::chip(canvas, "/state", class, x, y, word) + 80;
    }
    let said = match (comparison, note) {
        (Some(comparison), _) => comparison.spans(right - left),
        (None, Some(note)) => spans(&[("muted", &note)]),
        (None, None) => Vec::new(),
    };
    if !said.is_empty() && room_of("", &said) <= right - left {
        canvas.text("/remark", "", left, y + 142, said).enters(Enter::Say);
    }
    let name = name(segment.base, "", Face::of("mono"), w + 80);
    let wide = width("mono", &name);
    canvas.text("/name", "mono", x, y + 330, name);
    if shown.deleted {
        canvas
            .line("/name-strike", "strike", (x, y + 290), (wide, 0))
            .enters(Enter::Name);
    }
    records(drawing, &shown, Area::new(x, y + 385, w, LANE));
    drawing.canvas.close();
    for (row, kind) in FileKind::OF_EVERY_SEGMENT.into_iter().enumerate() {
        file(drawing, &shown, kind, Area::new(x, y + 665 + row as i32 * 240, w, 240));
    }
    gauges(drawing, &shown, Area::new(x, y + 1400, w, 200));
}

/// The records of a lane, and its free rest.
fn records(drawing: &mut Drawing<'_>, shown: &Shown<'_>, lane: Area) {
    let segment = shown.segment;
    let scale = Scale::new(lane.x, lane.w - 10, drawing.lane_bytes());
    let touched = drawing.touched();
    let numbered = !drawing.plan.stacked();
    let canvas = &mut drawing.canvas;
    let (end, whole) = (scale.at(segment.size), scale.at(scale.span));
    if whole > end && !shown.deleted {
        let tail = Area {
            x: end,
            w: whole - end,
            ..lane
        }
        .cell();
        canvas
            .rect("/tail", if segment.active { "tail active" } else { "tail" }, tail, 0)
            .enters(Enter::Travel);
    }
    let pieces = pieces(&segment.batches, scale, 40, |batch| Some(batch.first_offset) == touched);
    let place = |piece: &Piece<'_>| {
        let (from, to) = (scale.at(piece.from()), scale.at(piece.to()));
        Area {
            x: from,
            w: to - from,
            ..lane
        }
    };
    let is_touched = |piece: &Piece<'_>| matches!(piece, Piece::One(batch) if Some(batch.first_offset) == touched);
    let key = |piece: &Piece<'_>| match piece {
        Piece::One(batch) => cat(&["/", &number(batch.first_offset.get())]),
        Piece::Many { first, .. } => cat(&["/from-", &number(first.first_offset.get())]),
    };
    // Boxes, then the hatch, then the numbers on their plates.
    for piece in &pieces {
        record::small(canvas, &key(piece), place(piece), is_touched(piece), shown.deleted);
    }
    if shown.deleted && segment.size > 0 {
        hatch(
            canvas,
            "/hatch",
            "hatch",
            Area {
                w: end - lane.x,
                ..lane
            }
            .cell(),
        );
    }
    for piece in pieces.iter().filter(|_| numbered) {
        let (long, short) = match piece {
            Piece::One(batch) => (words::offsets(batch), number(batch.first_offset.get())),
            Piece::Many { records, .. } => (words::count(*records, "record", "records"), number(*records as i64)),
        };
        record::small_offset(
            canvas,
            &key(piece),
            place(piece),
            &[&long, &short],
            is_touched(piece),
            shown.deleted,
        );
    }
    if let Some(area) = pieces.iter().find(|piece| is_touched(piece)).map(place) {
        let ring = Area::new(area.x + 10, area.y + 10, (area.w - 10).max(20), area.h - 20);
        canvas.rect("/touched", "ring", ring, 10).enters(Enter::Travel);
    }
}

/// One file of a segment: tag, extension, size.
fn file(drawing: &mut Drawing<'_>, shown: &Shown<'_>, kind: FileKind, area: Area) {
    let segment = shown.segment;
    let extension = kind.extension();
    let label = file_label(shown, kind, drawing.all.len());
    let written = drawing
        .focus
        .written
        .iter()
        .any(|file| file.base == segment.base && file.kind == kind);
    let wordings = facts(drawing, segment, kind);
    let canvas = &mut drawing.canvas;
    canvas.open(&file_key(segment, kind), "file", area).button(label);
    canvas.rect("/hit", "target", area, 0);
    let (x, y, w) = (area.x, area.y + 35, area.w);
    let created = match kind {
        FileKind::Index => segment.offset_index.created,
        FileKind::TimeIndex => segment.time_index.created,
        _ => true,
    };
    let face = Face::of("mono");
    let text_x = x + 220;
    if shown.deleted && created {
        let back = Area::new(x + 200, y + 5, w - 200, 160);
        canvas.rect("/back", "plate", back, 0).enters(Enter::Hatch);
        hatch(canvas, "/hatch", "hatch faint", back);
        tag(canvas, kind, tag::Look::Deleted, x, y + 5);
        let mut name = spans(&[("bold", ".deleted")]);
        // Only the old name is struck; where both have no room, the tag alone tells which file it was.
        if face.room(extension) + face.room(".deleted") <= w - 80 {
            name.insert(0, span("", extension));
            canvas
                .line("/strike", "strike", (text_x, y + 90), (face.width(extension), 0))
                .enters(Enter::Name);
        }
        canvas.text("/name", "mono", text_x, y + 130, name).enters(Enter::Name);
    } else {
        tag(
            canvas,
            kind,
            if created { tag::Look::Live } else { tag::Look::Absent },
            x,
            y + 5,
        );
        let (name, size) = match (created, written) {
            (false, _) => ("mono muted", "muted"),
            (true, true) => ("mono bold", "bold"),
            (true, false) => ("mono", ""),
        };
        canvas
            .word("/name", name, text_x, y + 130, extension)
            .enters(Enter::Tick);
        let free = x + w - text_x - face.room(extension);
        if let Some(text) = fitting(size, free, &[&wordings[0], &wordings[1], &wordings[2]]) {
            canvas
                .word("/size", size, x + w, y + 130, text)
                .end()
                .enters(Enter::Tick);
        }
    }
    canvas.close();
}

/// Key of a file.
pub fn file_key(segment: &SegmentView, kind: FileKind) -> String {
    cat(&["file/", &number(segment.base.get()), "/", &kind.extension()[1..]])
}

/// What is said of a file's size, longest wording first.
fn facts(drawing: &Drawing<'_>, segment: &SegmentView, kind: FileKind) -> [String; 3] {
    let (index, time) = (&segment.offset_index, &segment.time_index);
    let (created, used, apparent, whole) = match kind {
        FileKind::Index => (index.created, index.used, index.apparent, words::index(index)),
        FileKind::TimeIndex => (time.created, time.used, time.apparent, words::index(time)),
        _ => {
            let limit = drawing.view.settings.segment_bytes as u64;
            return [
                words::fill(segment.size, limit),
                words::exact(segment.size),
                words::size(segment.size),
            ];
        }
    };
    if !created {
        return ["not created yet", "not created", "not yet"].map(str::to_string);
    }
    let exact = words::exact(used);
    if apparent > used {
        return [whole, cat(&[&exact, " used"]), exact];
    }
    // A file that was cut in this step shows from what.
    let before = drawing
        .frame
        .before
        .segments
        .iter()
        .find(|before| before.base == segment.base);
    let longer = before.map_or(0, |before| match kind {
        FileKind::TimeIndex => before.time_index.apparent,
        _ => before.offset_index.apparent,
    });
    let first = if longer > apparent {
        cat(&[&grouped(longer as i64), " B → ", &exact])
    } else {
        exact.clone()
    };
    [first, exact, words::size(used)]
}

/// The accessible name of a file: its whole name, then the facts.
pub fn file_label(shown: &Shown<'_>, kind: FileKind, total: usize) -> String {
    let segment = shown.segment;
    let live = FileName::live(segment.base, kind);
    let file = if shown.deleted { live.as_deleted() } else { live };
    let (noun, facts) = match kind {
        FileKind::Index => (", offset index, ", words::index(&segment.offset_index)),
        FileKind::TimeIndex => (", time index, ", words::index(&segment.time_index)),
        _ => {
            let records = words::count(words::records(segment), "record", "records");
            (", log, ", cat(&[&records, ", ", &words::exact(segment.size)]))
        }
    };
    let state = if shown.deleted { ", deleted" } else { "" };
    cat(&[&file.to_string(), ", ", &place(shown, total), noun, &facts, state])
}

/// The age of a segment against `retention.ms`, and the active one's bytes since its last index entry.
fn gauges(drawing: &mut Drawing<'_>, shown: &Shown<'_>, area: Area) {
    let segment = shown.segment;
    let Area { x, mut y, w, .. } = area;
    if drawing.frame.extents.time_checks || shown.deleted {
        let [long, short] = partition_story::verdict(&segment.verdict, drawing.view.clock);
        let age = age(drawing, segment)
            .filter(|_| !shown.deleted)
            .map(duration)
            // An age to the second can be wider than a narrow lane; the bar below shows it as well.
            .filter(|age| room("mono", age) <= w)
            .unwrap_or_default();
        let canvas = &mut drawing.canvas;
        let free = w - if age.is_empty() { 0 } else { room("mono", &age) + 60 };
        let class = if matches!(segment.verdict, Verdict::WaitsForCheck { .. }) {
            "bold"
        } else {
            ""
        };
        if let Some(text) = fitting(class, free, &[&long, &short]) {
            canvas.word("/verdict", class, x, y + 110, text).enters(Enter::Tick);
        }
        if !age.is_empty() {
            canvas
                .word("/age/value", "mono", x + w, y + 110, &age)
                .end()
                .enters(Enter::Age);
        }
        if !shown.deleted {
            age_bar(drawing, segment, Area::new(x, y + 155, w, 30));
        }
        y += 200;
    }
    if segment.active && !shown.deleted && y < area.y + drawing.plan.gauges * 200 {
        let canvas = &mut drawing.canvas;
        let mut counter = super::overview::counter(segment.bytes_since_last_index_entry, segment.interval);
        if room_of("", &counter) > w {
            counter.pop();
        }
        canvas
            .text("/counter/text", "", x, y + 110, counter)
            .enters(Enter::Tick);
        let whole = (segment.interval + segment.interval / 2)
            .max(segment.bytes_since_last_index_entry)
            .max(1);
        let measure = Measure {
            value: segment.bytes_since_last_index_entry,
            limit: Some(segment.interval),
            whole,
        };
        bar(
            canvas,
            "/counter",
            "fill index",
            Area::new(x, y + 155, w, 30),
            measure,
            Enter::Tick,
        );
    }
}

/// Age of a segment's largest timestamp, ms.
fn age(drawing: &Drawing<'_>, segment: &SegmentView) -> Option<i64> {
    segment.largest_timestamp.map(|largest| drawing.view.clock - largest)
}

fn age_bar(drawing: &mut Drawing<'_>, segment: &SegmentView, area: Area) {
    let Ok(limit) = u64::try_from(drawing.view.settings.retention_ms) else {
        return;
    };
    let age = age(drawing, segment).unwrap_or(0).max(0) as u64;
    let measure = Measure {
        value: age,
        limit: Some(limit),
        whole: limit.saturating_add(limit / 3).max(1),
    };
    let class = if age > limit { "fill deleted" } else { "fill" };
    bar(&mut drawing.canvas, "/age", class, area, measure, Enter::Age);
}

/// A segment of the strip, for narrow scenes.
fn cell(drawing: &mut Drawing<'_>, shown: Shown<'_>, area: Area) {
    let segment = shown.segment;
    let id = number(segment.base.get());
    let Area { x, y, w, .. } = area;
    button(drawing, &shown, Area { h: 560, ..area });
    let canvas = &mut drawing.canvas;
    canvas.word("/name", "s14 bold", x, y + 130, &id);
    if shown.deleted {
        canvas
            .line(
                "/name-strike",
                "strike",
                (x, y + 85),
                (Face::of("s14 bold").width(&id), 0),
            )
            .enters(Enter::Name);
    }
    let fill = if segment.active && segment.size == 0 {
        "empty".to_string()
    } else {
        words::fill_in_short(segment.size, drawing.view.settings.segment_bytes as u64)
    };
    let free = w - room("s14 bold", &id) - 20;
    if let Some(text) = fitting("", free, &[&fill, &words::exact(segment.size)]) {
        canvas
            .word("/fill", "muted", x + w, y + 130, text)
            .end()
            .enters(Enter::Tick);
    }
    records(drawing, &shown, Area::new(x, y + 190, w, STACKED_LANE));
    if drawing.frame.extents.time_checks && !shown.deleted {
        age_bar(drawing, segment, Area::new(x, y + 350, w, 20));
    }
    let said = caption(drawing, &shown, w);
    if !said.is_empty() {
        drawing.canvas.text("/remark", "", x, y + 490, said).enters(Enter::Say);
    }
    drawing.canvas.close();
}

/// The line under a segment of the strip: a comparison, the state, or why it is still there.
fn caption(drawing: &Drawing<'_>, shown: &Shown<'_>, w: i32) -> Vec<Span> {
    let remark = remark(drawing, shown);
    if let Some(comparison) = remark.comparison {
        let said = comparison.spans(w + 40);
        if !said.is_empty() {
            return said;
        }
        let said = comparison.tight().spans(w + 40);
        if !said.is_empty() {
            return said;
        }
    }
    if let Some((word, _)) = remark.chip.filter(|(word, _)| *word != "kept") {
        return spans(&[("bold", word)]);
    }
    if shown.segment.active {
        return spans(&[("active", "active")]);
    }
    let extents = &drawing.frame.extents;
    let [long, short] = partition_story::verdict(&shown.segment.verdict, drawing.view.clock);
    let text = match shown.segment.verdict {
        _ if !extents.time_checks && !extents.size_checks => "closed",
        Verdict::TooYoung { .. } | Verdict::WaitsForCheck { .. } | Verdict::BehindSegment { .. } => &short,
        _ => &long,
    };
    fitting("", w + 20, &[text])
        .map(|text| spans(&[("muted", text)]))
        .unwrap_or_default()
}

/// The place of segments that do not exist yet.
fn later(drawing: &mut Drawing<'_>) {
    let first = drawing.shown().len();
    if first >= LANES || drawing.hidden().1 > 0 {
        return;
    }
    let (from, to) = (drawing.plan.lane(first), drawing.plan.lane(LANES - 1));
    let (drop, h) = if drawing.plan.stacked() {
        (190, STACKED_LANE)
    } else {
        (385, LANE)
    };
    let area = Area::new(from.x, from.y + drop, to.right() - from.x, h);
    let next = number(drawing.view.log_end.get());
    let (text, short) = match drawing.stage {
        Stage::Pair(_, None) => (cat(&["segment ", &next, ", not created yet"]), "not created yet"),
        _ if first + 1 == LANES => ("a later segment".to_string(), "later"),
        _ => ("later segments".to_string(), "later"),
    };
    let canvas = &mut drawing.canvas;
    canvas.open("later", "", area).enters(Enter::Tick);
    canvas.rect("/box", "tail", area.outline(), 0);
    if let Some(text) = fitting("", area.w - 20, &[&text, short]) {
        canvas
            .word("/text", "muted", area.middle(), area.y + h / 2 + 43, text)
            .middle();
    }
    canvas.close();
}
