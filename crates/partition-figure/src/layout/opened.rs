//! One segment, opened: its log to scale over a ruler, and both index tables, with what the command does in them.

use partition_log::rules::index_entry::IndexEntryDecision;
use partition_log::rules::roll::{RollDecision, Waited};
use partition_log::step::{IndexProbe, ScanTarget};
use partition_log::units::Offset;
use partition_log::vfs::FileKind;
use partition_log::view::{BatchView, SegmentView};

use crate::layout::focus::{Scan, Seen};
use crate::layout::plan::{Arrangement, ROWS};
use crate::layout::{Drawing, lanes, words};
use crate::marks::arrow::{Way, dot, head, pointer};
use crate::marks::bracket::bracket;
use crate::marks::entry::{self, entry};
use crate::marks::limit::limit;
use crate::marks::name::name;
use crate::marks::panel::panel as surface;
use crate::marks::pieces::{Piece, pieces};
use crate::marks::probe::{Comparison, ring};
use crate::marks::record::{self, record};
use crate::marks::ruler::{Mark, ruler};
use crate::marks::scale::Scale;
use crate::marks::tag::{self, tag};
use crate::metrics::{Face, amount, cat, fitting, number, room, room_of};
use crate::scene::{Area, Enter, Path, Span, span};

/// The surface under what is open, with the lanes that it belongs to as its tab.
pub fn panel(drawing: &mut Drawing<'_>, bases: &[Offset]) {
    let reach = if drawing.plan.stacked() { 50 } else { 80 };
    let slots: Vec<usize> = bases.iter().filter_map(|&base| drawing.slot(base)).collect();
    let tab = slots.iter().min().zip(slots.iter().max()).map(|(&first, &last)| {
        let (first, last) = (drawing.plan.lane(first), drawing.plan.lane(last));
        let edge = |x: i32| x.clamp(0, drawing.plan.width);
        let mut from = edge(first.x - reach);
        let mut to = edge(last.right() + reach);
        // The outermost lanes stand at the panel's own edges.
        if first.x == drawing.plan.left {
            from = 0;
        }
        if last.right() + 100 >= drawing.plan.right {
            to = drawing.plan.width;
        }
        ((from, to), first.y - 60)
    });
    surface(&mut drawing.canvas, drawing.plan.stage, tab);
}

/// Where an opened log stands.
#[derive(Clone, Copy)]
pub struct Log {
    /// Its records.
    pub records: Area,
    /// Bytes to places.
    pub scale: Scale,
    /// Where labels have to end.
    pub right: i32,
}

/// Where everything in the panel stands.
struct Places {
    head: (i32, i32),
    log: Log,
    gutter: i32,
    /// Table blocks, first and second in reading order: left edge and upper edge.
    tables: [(i32, i32); 2],
    /// Width of a block's entries, and of the comparisons left of them.
    entry: i32,
    probes: i32,
    /// Where the pointer from the last table goes up or down.
    channel: Option<i32>,
}

fn places(drawing: &Drawing<'_>) -> Places {
    let plan = &drawing.plan;
    let stage = plan.stage;
    let inset = if plan.stacked() { 0 } else { 80 };
    let (left, right) = (plan.left + inset, plan.right - inset);
    let y = stage.y + plan.records_drop();
    let h = plan.record_height();
    let at = |x: i32, right: i32| Log {
        records: Area { x, y, w: right - x, h },
        scale: drawing.log_scale(x, right - x - 10),
        right,
    };
    match plan.arrangement {
        Arrangement::Open => {
            let (probes, entry) = (plan.probe_room(), 1280);
            let x = left + probes + entry + 520;
            let first = stage.y + 380;
            let rows = if drawing.frame.extents.time_searches {
                plan.rows.1
            } else {
                plan.rows.0
            };
            let second = first + plan.table_head() + 60 + rows as i32 * plan.row_pitch();
            let tables = [(left, first), (left, second)];
            let channel = Some(left + probes + entry + 260);
            Places {
                head: (left, stage.y + 80),
                log: at(x, right),
                gutter: y + h + 280,
                tables,
                entry,
                probes,
                channel,
            }
        }
        _ => {
            let top = stage.y + plan.tables_drop();
            let searches = drawing.frame.extents.time_searches;
            let end = if searches { 120 } else { 0 };
            let (probes, entry) = if plan.stacked() {
                (0, (right - left - 240 - end) / 2 / 10 * 10)
            } else {
                (plan.probe_room(), 1080)
            };
            let tables = [(left, top), (right - end - probes - entry, top)];
            let channel = if searches {
                Some(right - 20 + inset / 4)
            } else {
                Some(left + probes + entry + 120)
            };
            let gutter = y + h + if plan.stacked() { 220 } else { 255 };
            Places {
                head: (left, stage.y + 60),
                log: at(left, right),
                gutter,
                tables,
                entry,
                probes,
                channel,
            }
        }
    }
}

/// Draws the segment.
pub fn draw(drawing: &mut Drawing<'_>, base: Offset) {
    let Some(segment) = drawing.segment(base) else {
        return;
    };
    let places = places(drawing);
    file_head(
        drawing,
        segment,
        places.head,
        drawing.plan.right - if drawing.plan.stacked() { 0 } else { 80 },
        true,
    );
    let kinds = if drawing.frame.extents.time_searches {
        [FileKind::TimeIndex, FileKind::Index]
    } else {
        [FileKind::Index, FileKind::TimeIndex]
    };
    for (kind, at) in kinds.into_iter().zip(places.tables) {
        table(drawing, segment, kind, at, &places);
    }
    log(drawing, segment, places.log, &[]);
    pointers(drawing, segment, &places, kinds);
    said(drawing, segment, places.log);
}

/// Tag, whole name and state of the open `.log`; at the right end what is looked for. Returns where the state ends.
pub fn file_head(
    drawing: &mut Drawing<'_>,
    segment: &SegmentView,
    (x, y): (i32, i32),
    right: i32,
    target: bool,
) -> i32 {
    let stacked = drawing.plan.stacked();
    let key = cat(&["open/", &number(segment.base.get())]);
    let class = if stacked { "mono" } else { "s13 mono" };
    let size = if stacked { "" } else { "s13" };
    let state = if segment.active { "active" } else { "closed" };
    let facts = cat(&[&words::exact(segment.size), ", ", state]);
    let short = words::exact(segment.size);
    let shown = drawing
        .shown
        .iter()
        .find(|shown| shown.segment.base == segment.base)
        .copied();
    let total = drawing.total;
    let goal = if target { goal(drawing, segment) } else { Vec::new() };
    let canvas = &mut drawing.canvas;
    let area = Area {
        x,
        y: y - 30,
        w: right - x,
        h: 240,
    };
    let group = canvas.open(key.clone(), "", area);
    if stacked && let Some(shown) = shown {
        // In a narrow scene this is where the file is; elsewhere it stands in its lane.
        group.key = cat(&["file/", &number(segment.base.get()), "/log"]);
        group.button(lanes::file_label(&shown, FileKind::Log, total));
        canvas.rect(cat(&[&key, "/hit"]), "target", area, 0);
    }
    tag(canvas, &key, FileKind::Log, tag::Look::Live, x, y + 10);
    let face = Face::of(class);
    let facts_room = room(size, &facts) + 100;
    let name_room = (right - x - 240 - if stacked { facts_room } else { 0 }).max(face.width("0") * 8);
    let spans = name(segment.base, ".log", face, name_room);
    let end = x + 240 + room_of(class, &spans) + 100;
    canvas.text(cat(&[&key, "/name"]), class, x + 240, y + 135, spans);
    let edge;
    if stacked {
        edge = right;
        if let Some(text) = fitting(size, right - end + 100, &[&facts, &short]) {
            let text = text.to_string();
            canvas.word(cat(&[&key, "/facts"]), "muted", right, y + 135, text).end();
        }
    } else {
        canvas.word(cat(&[&key, "/facts"]), "s13 muted", end, y + 135, &*facts);
        edge = end + room("s13", &facts);
        let left = edge + 160;
        if !goal.is_empty() {
            let short = vec![goal[0].clone()];
            let spans = if room_of("", &goal) <= right - left {
                goal
            } else {
                short
            };
            if room_of("", &spans) <= right - left {
                canvas
                    .text(cat(&[&key, "/goal"]), "", right, y + 130, spans)
                    .end()
                    .enters(Enter::Fade);
            }
        }
    }
    canvas.close();
    edge
}

/// What is looked for in this segment: `9 − 6 = 3`.
fn goal(drawing: &Drawing<'_>, segment: &SegmentView) -> Vec<Span> {
    let focus = &drawing.focus;
    if let Some(floor) = &focus.floor
        && floor.it.found == Some(segment.base)
        && let Some(relative) = floor.it.target.relative_to(segment.base)
    {
        let sum = cat(&[
            &number(floor.it.target.get()),
            " − ",
            &number(segment.base.get()),
            " = ",
            &number(relative.get().into()),
        ]);
        return vec![span("mono", sum), span("muted", "\u{a0} relative offset to look for")];
    }
    if let Some(target) = focus.time_target {
        let text = cat(&["≥ ", &words::time(Some(target))]);
        return vec![span("mono", text), span("muted", "\u{a0} the first record at or after")];
    }
    Vec::new()
}

/// Records, free rest and ruler of a log. `taken` are stretches of the ruler that have to stay clear.
pub fn log(drawing: &mut Drawing<'_>, segment: &SegmentView, log: Log, taken: &[(i32, i32)]) {
    let Log {
        records: area,
        scale,
        right,
    } = log;
    let id = number(segment.base.get());
    let stacked = drawing.plan.stacked();
    let touched = drawing.touched();
    let rolls_by_time = drawing
        .focus
        .roll
        .is_some_and(|roll| roll.it.time_exceeded() && !roll.it.size_exceeded());
    let by_time = drawing.frame.extents.time_searches || rolls_by_time;
    let deleted = drawing.view.deleted.iter().any(|other| other.base == segment.base);
    let scanned: Vec<u32> = drawing.focus.scans.iter().map(|scan| scan.it.position.get()).collect();
    let grown = drawing.lane_bytes();
    let end = scale.at(segment.size);
    let limit = scale.at(grown);
    let limited = drawing.limit_in_sight();
    let appends = drawing.frame.extents.appends;
    let canvas = &mut drawing.canvas;
    canvas.open(
        cat(&["log/", &id]),
        "",
        Area {
            h: area.h + 200,
            ..area
        },
    );
    if limit > end && !deleted {
        let tail = Area {
            x: end + 5,
            y: area.y + 5,
            w: limit - end,
            h: area.h - 10,
        };
        canvas.rect(
            cat(&["log/", &id, "/tail"]),
            if segment.active { "tail active" } else { "tail" },
            tail,
            0,
        );
        let left = cat(&[&words::exact(grown - segment.size), " unused"]);
        let short = words::exact(grown - segment.size);
        let wordings: &[&str] = match (segment.active, limited) {
            (false, true) => &[&left, &short],
            (true, _) if segment.size > 0 => &["appends go here", "appends"],
            (true, _) => &["the next append goes here", "empty"],
            _ => &[],
        };
        // Something else is drawn there while an append is on its way.
        let busy = match (drawing.focus.append, drawing.focus.roll) {
            (Some(_), _) => drawing.focus.rolled.is_some(),
            (None, Some(roll)) => roll.it.base == segment.base,
            (None, None) => false,
        };
        if !busy && let Some(text) = fitting("", tail.w - 80, wordings) {
            canvas
                .word(
                    cat(&["log/", &id, "/rest"]),
                    "muted",
                    tail.middle(),
                    area.y + area.h / 2 + 43,
                    text,
                )
                .middle();
        }
    }
    let keep = |batch: &BatchView| Some(batch.first_offset) == touched || scanned.contains(&batch.position.get());
    let mut marks = Vec::new();
    let mut ring = None;
    for piece in pieces(&segment.batches, scale, 100, keep) {
        let (from, to) = (scale.at(piece.from()), scale.at(piece.to()));
        let place = Area {
            x: from,
            y: area.y,
            w: to - from,
            h: area.h,
        };
        let (key, offset, short, under, label, hit) = match piece {
            Piece::One(batch) => {
                let kind = if batch.magic < 2 { "record/" } else { "batch/" };
                let under = if by_time {
                    words::time(batch.timestamp)
                } else {
                    words::exact(batch.size)
                };
                let hit = Some(batch.first_offset) == touched;
                let short = number(batch.first_offset.get());
                (
                    cat(&[kind, &short]),
                    words::offsets(batch),
                    short,
                    under,
                    record_label(batch),
                    hit,
                )
            }
            Piece::Many { first, records, .. } => {
                let start = number(first.first_offset.get());
                let short = number(records as i64);
                let bytes = words::exact(piece.to() - piece.from());
                let words = words::count(records, "record", "records");
                (cat(&["records/", &start]), words.clone(), short, bytes, words, false)
            }
        };
        let bare = under.trim_end_matches(" B").trim_end_matches(" s").to_string();
        let group = canvas.open(key.clone(), "", place);
        if matches!(piece, Piece::One(_)) {
            group.button(label);
        } else {
            group.label = label;
            group.role = Some(crate::scene::Role::Group);
        }
        group.enter = Some(Enter::Fade);
        let look = match (hit, deleted) {
            (true, _) => record::Look::Touched,
            (_, true) => record::Look::Deleted,
            _ => record::Look::Stored,
        };
        let picture = record::Record {
            area: place,
            offset: &[&offset, &short],
            under: &[&under, &bare],
            look,
            text_end: place.right(),
            small: stacked,
        };
        record(canvas, &key, picture);
        if let Piece::One(batch) = piece {
            dividers(canvas, &key, batch, scale, area);
        }
        canvas.close();
        if hit {
            ring = Some(place);
        }
        let wanted = hit || scanned.first().is_some_and(|&first| u64::from(first) == piece.from());
        marks.push(Mark {
            position: piece.from(),
            wanted,
            end: false,
        });
    }
    if let Some(place) = ring {
        let ring = Area {
            x: place.x + 10,
            y: place.y + 5,
            w: (place.w - 10).max(20),
            h: place.h - 10,
        };
        canvas.rect(cat(&["log/", &id, "/touched"]), "ring", ring, 10);
    }
    if marks.is_empty() {
        marks.push(Mark {
            position: 0,
            wanted: true,
            end: false,
        });
    } else {
        marks.push(Mark {
            position: segment.size,
            wanted: false,
            end: true,
        });
    }
    let mut clear = taken.to_vec();
    let y = area.bottom() + 30;
    if appends && limited {
        let text = amount(grown as i64);
        let foot = y + if stacked { 150 } else { 160 };
        let (from, to) = crate::marks::limit::extent(limit + 5, &text, right);
        clear.push((from.min(limit) - 20, to.max(limit) + 20));
        limit_line(canvas, &id, limit + 5, (area.y - 50, foot), &text, right);
    }
    ruler(
        canvas,
        &id,
        Scale {
            width: limit - scale.x,
            span: grown,
            ..scale
        },
        y,
        stacked,
        &marks,
        &clear,
        right,
    );
    canvas.close();
}

fn limit_line(canvas: &mut crate::scene::Canvas, id: &str, x: i32, span: (i32, i32), text: &str, right: i32) {
    limit(canvas, &cat(&["limit/", id]), x, span, text, "segment.bytes", right);
}

/// Where the records of a batch begin, as short strokes at its lower edge.
fn dividers(canvas: &mut crate::scene::Canvas, key: &str, batch: &BatchView, scale: Scale, area: Area) {
    if batch.records.len() < 2 || batch.records.len() > 40 {
        return;
    }
    let mut path = Path::at(scale.at(batch.position.get().into()) + 5, area.bottom() - 75);
    let (mut x, mut down) = (0, 0);
    for record in &batch.records {
        let at = scale.at(record.position.get().into()) - scale.at(batch.position.get().into());
        path = path.m(at - x, -down).v(70);
        (x, down) = (at, 70);
    }
    canvas.path(cat(&[key, "/records"]), "divider", path);
}

fn record_label(batch: &BatchView) -> String {
    let place = cat(&[
        "byte ",
        &number(batch.position.get().into()),
        ", ",
        &words::exact(batch.size),
    ]);
    let time = cat(&[", timestamp ", &words::time(batch.timestamp)]);
    if batch.magic < 2 {
        cat(&["record ", &number(batch.first_offset.get()), ", ", &place, &time])
    } else {
        let records = words::count(batch.records.len(), "record", "records");
        cat(&[
            "batch of ",
            &records,
            ", offsets ",
            &words::offsets(batch),
            ", ",
            &place,
            &time,
        ])
    }
}

/// One row of a table, before it is drawn.
struct Row {
    slot: u32,
    from: String,
    to: String,
    closing: bool,
}

fn rows(segment: &SegmentView, kind: FileKind) -> Vec<Row> {
    let row = |slot: usize, from: String, to: String, closing| Row {
        slot: slot as u32,
        from,
        to,
        closing,
    };
    match kind {
        FileKind::TimeIndex => segment
            .time_index
            .entries
            .iter()
            .enumerate()
            .map(|(slot, entry)| {
                let from = partition_log::units::duration(entry.key).replace(' ', "\u{a0}");
                row(slot, from, amount(entry.to.get().into()), entry.closing)
            })
            .collect(),
        _ => segment
            .offset_index
            .entries
            .iter()
            .enumerate()
            .map(|(slot, entry)| row(slot, amount(entry.key), amount(entry.to.get().into()), entry.closing))
            .collect(),
    }
}

/// Which rows a table shows: all, or those around the one that matters.
fn window(rows: usize, wanted: usize, most: usize) -> core::ops::Range<usize> {
    if rows <= most {
        return 0..rows;
    }
    let first = wanted.saturating_sub(most / 2).min(rows - most);
    first..first + most
}

/// The slot that a search ended at, or that was just written.
fn hit(drawing: &Drawing<'_>, segment: &SegmentView, kind: FileKind) -> Option<(u32, bool)> {
    let focus = &drawing.focus;
    let lookup = focus
        .lookups
        .iter()
        .rev()
        .find(|seen| seen.it.base == segment.base && seen.it.kind == kind);
    if let Some(seen) = lookup {
        return seen.it.slot.map(|slot| (slot, seen.fresh));
    }
    let written = focus
        .written
        .iter()
        .any(|file| file.base == segment.base && file.kind == kind);
    let last = match kind {
        FileKind::TimeIndex => segment.time_index.entries.len(),
        _ => segment.offset_index.entries.len(),
    };
    (written && last > 0 && focus.append.is_some_and(|append| append.it.base == segment.base))
        .then(|| (last as u32 - 1, true))
}

fn row_y(drawing: &Drawing<'_>, top: i32, index: usize) -> i32 {
    top + drawing.plan.table_head() + index as i32 * drawing.plan.row_pitch()
}

/// One index file: head, entries, and the comparisons with them.
fn table(drawing: &mut Drawing<'_>, segment: &SegmentView, kind: FileKind, (x, y): (i32, i32), places: &Places) {
    let stacked = drawing.plan.stacked();
    let id = number(segment.base.get());
    let key = cat(&["table/", &id, "/", &kind.extension()[1..]]);
    let (probes, entry_width) = (places.probes, places.entry);
    let right = x + probes + entry_width;
    let created = match kind {
        FileKind::TimeIndex => segment.time_index.created,
        _ => segment.offset_index.created,
    };
    let focus_reads =
        !drawing.focus.probes.is_empty() || !drawing.focus.lookups.is_empty() || drawing.focus.floor.is_some();
    let used = drawing.focus.probes.iter().any(|seen| seen.it.kind == kind)
        || drawing.focus.lookups.iter().any(|seen| seen.it.kind == kind)
        || !focus_reads
        || (kind == FileKind::Index)
        || (kind == FileKind::TimeIndex && drawing.focus.time_target.is_some());
    let shown = drawing
        .shown
        .iter()
        .find(|shown| shown.segment.base == segment.base)
        .copied();
    let facts = match kind {
        FileKind::TimeIndex => words::index(&segment.time_index),
        _ => words::index(&segment.offset_index),
    };
    let rows = rows(segment, kind);
    let total = drawing.total;
    let pitch = drawing.plan.row_pitch();
    let hit = hit(drawing, segment, kind);
    let probed: Vec<(usize, Seen<IndexProbe>)> = drawing
        .focus
        .probes
        .iter()
        .filter(|seen| seen.it.kind == kind && seen.it.base == segment.base)
        .copied()
        .enumerate()
        .map(|(order, seen)| (order + 1, seen))
        .collect();
    let most = if kind == FileKind::TimeIndex {
        drawing.plan.rows.1
    } else {
        drawing.plan.rows.0
    }
    .max(1);
    let wanted = hit
        .map(|(slot, _)| slot as usize)
        .or(probed.last().map(|(_, seen)| seen.it.slot as usize));
    let visible = window(rows.len(), wanted.unwrap_or(rows.len()), most.min(ROWS));
    let mapping = if kind == FileKind::TimeIndex {
        "time → relative offset"
    } else {
        "relative offset → byte"
    };
    let entry_decision = drawing
        .focus
        .entry
        .map(|seen| *seen.it)
        .filter(|entry| entry.base == segment.base);
    let active = segment.active;
    let shown_of = cat(&[
        &number(visible.len() as i64),
        " of ",
        &words::count(rows.len(), "entry", "entries"),
    ]);
    let beside = drawing.plan.arrangement == Arrangement::Open;
    let edge = if beside {
        places.log.records.x - 20
    } else {
        drawing.plan.right
    };
    let canvas = &mut drawing.canvas;
    let area = Area {
        x,
        y: y - 40,
        w: right - x,
        h: 240,
    };
    let group = canvas.open(key.clone(), "", area);
    if stacked && let Some(shown) = shown {
        group.key = cat(&["file/", &id, "/", &kind.extension()[1..]]);
        group.button(lanes::file_label(&shown, kind, total));
        canvas.rect(cat(&[&key, "/hit"]), "target", area, 0);
    }
    let look = match (created, used) {
        (false, _) => tag::Look::Absent,
        (true, true) => tag::Look::Live,
        (true, false) => tag::Look::Neutral,
    };
    tag(canvas, &key, kind, look, x, y + 10);
    let class = match (stacked, used) {
        (true, true) => "mono",
        (true, false) => "mono muted",
        (false, true) => "s13 mono",
        (false, false) => "s13 mono muted",
    };
    canvas.word(cat(&[&key, "/name"]), class, x + 240, y + 135, kind.extension());
    let from = x + 240 + room(class, kind.extension()) + 60;
    // An active file says how little of it is used; of a closed one it matters more what leads to what.
    let free = (right + if active && !stacked { 640 } else { 0 }).min(edge) - from;
    let bytes = if created {
        facts.split(", ").last().unwrap_or("").to_string()
    } else {
        facts.clone()
    };
    let short = bytes.split(" of ").next().unwrap_or("").to_string();
    if active || !created {
        if let Some(text) = fitting("", free, &[&facts, &bytes, &short]) {
            let text = text.to_string();
            canvas.word(cat(&[&key, "/facts"]), "muted", from, y + 135, text);
        }
    } else if let Some(text) = fitting(
        "",
        right - from,
        &[if visible.len() < rows.len() { &shown_of } else { mapping }],
    ) {
        let text = text.to_string();
        canvas
            .word(cat(&[&key, "/mapping"]), "muted", right, y + 135, text)
            .end();
    }
    canvas.close();
    let (from_width, to_width) = rows[visible.clone()].iter().fold((0, 0), |(from, to), row| {
        (from.max(row.from.chars().count()), to.max(row.to.chars().count()))
    });
    for (index, row) in rows[visible.clone()].iter().enumerate() {
        let top = row_y(drawing, y, index);
        let area = Area {
            x: x + probes,
            y: top,
            w: entry_width,
            h: pitch - 20,
        };
        let key = cat(&[
            "entry/",
            &id,
            "/",
            &kind.extension()[1..],
            "/",
            &number(row.slot.into()),
        ]);
        let label = cat(&[
            "entry ",
            &number(row.slot.into()),
            " of ",
            kind.extension(),
            ", ",
            &row.from,
            " leads to ",
            &row.to,
        ]);
        let canvas = &mut drawing.canvas;
        canvas
            .open(
                key.clone(),
                "",
                Area {
                    x: area.x,
                    y: top - 10,
                    w: area.w,
                    h: pitch,
                },
            )
            .button(label)
            .enters(Enter::Fade);
        let is_hit = hit.is_some_and(|(slot, _)| slot == row.slot);
        let look = match (is_hit, used) {
            (true, _) => entry::Look::Hit,
            (false, true) => entry::Look::Plain,
            (false, false) => entry::Look::Muted,
        };
        let pad = |text: &str, width: usize| "\u{a0}".repeat(width - text.chars().count());
        let from = cat(&[&pad(&row.from, from_width), &row.from]);
        let to = if stacked {
            row.to.clone()
        } else {
            cat(&[&pad(&row.to, to_width), &row.to])
        };
        let picture = entry::Entry {
            area,
            kind,
            from: &from,
            to: &to,
            look,
            at_left: stacked,
        };
        entry(canvas, &key, picture);
        canvas.close();
        let text = Face::of("mono").room(&cat(&[&from, " → ", &to]));
        if let Some((order, seen)) = probed.iter().find(|(_, seen)| seen.it.slot == row.slot) {
            let comparison = compared(&seen.it, is_hit);
            probe(drawing, &kind.extension()[1..], *order, &comparison, area, text);
        } else if let Some(decision) = entry_decision.filter(|_| is_hit && kind == FileKind::Index) {
            remark(drawing, &cat(&[&key, "/due"]), due(&decision), area, text);
        } else if row.closing && !stacked {
            let spans = vec![span("muted", "added by the roll")];
            remark(drawing, &cat(&[&key, "/closing"]), spans, area, text);
        }
    }
    let decision = entry_decision.filter(|decision| kind == FileKind::Index && !decision.due());
    below(
        drawing,
        &key,
        (x, y),
        (probes, entry_width),
        (visible.len(), rows.len(), most.min(ROWS)),
        decision,
        used,
        created,
    );
}

/// What stands where a table has no rows, or more of them than it shows.
#[allow(clippy::too_many_arguments)]
fn below(
    drawing: &mut Drawing<'_>,
    key: &str,
    (x, y): (i32, i32),
    (probes, entry_width): (i32, i32),
    (shown, all, most): (usize, usize, usize),
    decision: Option<IndexEntryDecision>,
    used: bool,
    created: bool,
) {
    let stacked = drawing.plan.stacked();
    let pitch = drawing.plan.row_pitch();
    let top = row_y(drawing, y, shown);
    if let Some(decision) = decision {
        // On the row that an entry would take; where the table is full, beside the last one.
        let spans = due(&decision);
        let (y, free) = if shown < most {
            (top, probes + entry_width)
        } else {
            (top - pitch, probes - 40)
        };
        if room_of("", &spans) <= free {
            drawing
                .canvas
                .text(cat(&[key, "/due"]), "", x, y + 155, spans)
                .enters(Enter::Fade);
        }
    } else if all == 0 && created && !stacked {
        let text = if used { "no entries" } else { "not read here" };
        drawing.canvas.word(cat(&[key, "/none"]), "muted", x, top + 145, text);
    }
    if !used && all > 0 && !stacked {
        drawing.canvas.word(
            cat(&[key, "/none"]),
            "muted",
            x,
            row_y(drawing, y, 0) + 155,
            "not read here",
        );
    }
}

fn due(decision: &IndexEntryDecision) -> Vec<Span> {
    let relation = if decision.due() { ">" } else { "≤" };
    let operands = words::compared(decision.counter as i64, relation, decision.interval as i64);
    let comparison = Comparison {
        operands,
        word: if decision.due() { "entry" } else { "no entry" },
        hit: decision.due(),
    };
    comparison.spans(i32::MAX)
}

/// A comparison of the search, as the gutter or the row itself shows it.
fn compared(probe: &IndexProbe, hit: bool) -> Comparison {
    let (relation, word) = match probe.order() {
        core::cmp::Ordering::Less => ("≤", "fits"),
        core::cmp::Ordering::Equal => ("=", "exact"),
        core::cmp::Ordering::Greater => (">", "too big"),
    };
    let operands = match probe.kind {
        FileKind::TimeIndex => words::times(probe.key, relation, probe.target),
        _ => words::compared(probe.key, relation, probe.target),
    };
    Comparison { operands, word, hit }
}

fn probe(drawing: &mut Drawing<'_>, name: &str, order: usize, comparison: &Comparison, area: Area, text: i32) {
    let stacked = drawing.plan.stacked();
    let key = cat(&["probe/", name, "/", &number(order as i64)]);
    let gutter = drawing.plan.probe_room();
    if !stacked {
        ring(
            &mut drawing.canvas,
            &key,
            order,
            area.x - gutter + 80,
            area.y + area.h / 2,
        );
    }
    let spans = if stacked {
        let taken = 60 + text + 120;
        let bare = Comparison {
            operands: comparison.operands.trim_end_matches(" s").to_string(),
            ..comparison.clone()
        };
        let spans = comparison.spans(area.w - taken);
        if spans.is_empty() {
            bare.spans(area.w - taken)
        } else {
            spans
        }
    } else {
        comparison.spans(gutter - 240 - 20)
    };
    if !spans.is_empty() {
        let y = area.y + area.h / 2 + 45;
        let canvas = &mut drawing.canvas;
        if stacked {
            canvas
                .text(cat(&[&key, "/text"]), "", area.right() - 60, y, spans)
                .end()
                .enters(Enter::Fade);
        } else {
            canvas
                .text(cat(&[&key, "/text"]), "", area.x - gutter + 240, y, spans)
                .enters(Enter::Fade);
        }
    }
}

fn remark(drawing: &mut Drawing<'_>, key: &str, spans: Vec<Span>, area: Area, text: i32) {
    let stacked = drawing.plan.stacked();
    let gutter = drawing.plan.probe_room();
    let y = area.y + area.h / 2 + 45;
    if stacked {
        if room_of("", &spans) <= area.w - 60 - text - 120 {
            drawing
                .canvas
                .text(key.to_string(), "", area.right() - 60, y, spans)
                .end()
                .enters(Enter::Fade);
        }
    } else if room_of("", &spans) <= gutter - 40 {
        drawing
            .canvas
            .text(key.to_string(), "", area.x - gutter, y, spans)
            .enters(Enter::Fade);
    }
}

/// The way from entry to byte to record.
fn pointers(drawing: &mut Drawing<'_>, segment: &SegmentView, places: &Places, kinds: [FileKind; 2]) {
    let slot = |drawing: &Drawing<'_>, kind: FileKind| -> Option<(i32, i32, bool)> {
        let seen = drawing
            .focus
            .lookups
            .iter()
            .rev()
            .find(|seen| seen.it.base == segment.base && seen.it.kind == kind)?;
        let slot = seen.it.slot? as usize;
        let count = rows(segment, kind).len();
        let most = if kind == FileKind::TimeIndex {
            drawing.plan.rows.1
        } else {
            drawing.plan.rows.0
        };
        let index = slot.checked_sub(window(count, slot, most.min(ROWS)).start)?;
        let (x, top) = places.tables[usize::from(kinds[1] == kind)];
        let y = row_y(drawing, top, index) + (drawing.plan.row_pitch() - 20) / 2;
        Some((x + places.probes + places.entry, y, seen.fresh))
    };
    let log = places.log;
    if let (Some((x, y, _)), Some((_, to, fresh))) =
        (slot(drawing, FileKind::TimeIndex), slot(drawing, FileKind::Index))
    {
        time_to_offset(drawing, (x, y), to, fresh, places);
    }
    let Some((x, y, fresh)) = slot(drawing, FileKind::Index) else {
        return;
    };
    let Some(entry) = drawing
        .focus
        .lookups
        .iter()
        .rev()
        .find(|seen| seen.it.kind == FileKind::Index)
        .and_then(|seen| segment.offset_index.entries.get(seen.it.slot? as usize))
    else {
        return;
    };
    let tick = log.scale.at(entry.to.get().into()) + 5;
    let channel = places.channel.unwrap_or(x + 120);
    let top = log.records.bottom();
    let canvas = &mut drawing.canvas;
    // Out of the table, along the gutter under the ruler, up at the tick.
    let r = 60;
    let start = x + 5;
    let mut path = Path::at(start, y);
    let straight = (tick - channel).abs() <= 2 * r;
    let channel = if straight && tick > x + 60 { tick } else { channel };
    path = path.h(channel - r - start);
    let up = if places.gutter < y { -1 } else { 1 };
    if channel == tick {
        path = path.corner((r, 0), (0, -r)).v(top + 40 - (y - r));
    } else {
        let side = if tick > channel { 1 } else { -1 };
        path = path
            .corner((r, 0), (0, up * r))
            .v(places.gutter - up * r - (y + up * r));
        path = path
            .corner((0, up * r), (side * r, 0))
            .h(tick - side * r - (channel + side * r));
        path = path.corner((side * r, 0), (0, -r)).v(top + 40 - (places.gutter - r));
    }
    canvas
        .path("hop/line".to_string(), pointer(fresh), path)
        .enters(Enter::Hop);
    dot(canvas, "hop", fresh, start, y);
    head(canvas, "hop", fresh, (tick, top), Way::Up);
}

/// From the entry of the time index to the entry of the offset index that its answer is looked up in.
fn time_to_offset(drawing: &mut Drawing<'_>, (x, y): (i32, i32), to: i32, fresh: bool, places: &Places) {
    let open = drawing.plan.arrangement == Arrangement::Open;
    let stacked = drawing.plan.stacked();
    let canvas = &mut drawing.canvas;
    let r = 60;
    if open {
        // Down the channel to the head of the table below.
        let channel = places.channel.unwrap_or(x) - 120;
        let end = places.tables[1].1 + 90;
        let path = Path::at(x + 5, y)
            .h(channel - r - x - 5)
            .corner((r, 0), (0, r))
            .v(end - 2 * r - y);
        let path = path.corner((0, r), (-r, 0)).h(x + 140 - (channel - r));
        canvas
            .path("time-hop/line".to_string(), pointer(fresh), path)
            .enters(Enter::Hop);
        dot(canvas, "time-hop", fresh, x + 5, y);
        head(canvas, "time-hop", fresh, (x + 60, end), Way::Left);
        return;
    }
    let end = places.tables[1].0 - if stacked { 10 } else { 40 };
    let path = Path::at(x + 5, y);
    let middle = x + if stacked { 90 } else { 300 };
    let path = match to - y {
        0 => path.h(end - 70 - x),
        drop => {
            let side = drop.signum();
            let r = r.min(drop.abs() / 2);
            path.h(middle - r - x - 5)
                .corner((r, 0), (0, side * r))
                .v(drop - 2 * side * r)
                .corner((0, side * r), (r, 0))
                .h(end - 70 - (middle + r))
        }
    };
    canvas
        .path("time-hop/line".to_string(), pointer(fresh), path)
        .enters(Enter::Hop);
    dot(canvas, "time-hop", fresh, x + 5, y);
    head(canvas, "time-hop", fresh, (end, to), Way::Right);
}

/// What is said above the records: the scan, the slice, or the append's check.
fn said(drawing: &mut Drawing<'_>, segment: &SegmentView, log: Log) {
    if drawing.focus.slice.is_some_and(|slice| slice.it.base == segment.base) {
        slice(drawing, log);
    } else if !drawing.focus.scans.is_empty() {
        scan(drawing, log);
    } else if drawing.focus.roll.is_some() {
        fits(drawing, segment, log, log.records.x);
    }
}

/// A scan: up the edge where it begins, along the top over what is skipped, to the record that it ends at.
fn scan(drawing: &mut Drawing<'_>, log: Log) {
    let scans: Vec<Seen<Scan>> = drawing.focus.scans.clone();
    let Some((first, last)) = scans.first().zip(scans.last()) else {
        return;
    };
    let stacked = drawing.plan.stacked();
    let fresh = last.fresh;
    let top = log.records.y;
    let start = log.scale.at(first.it.position.get().into()) + 5;
    let end = log.scale.at(last.it.position.get().into()) + 5;
    let line = top - 90;
    let canvas = &mut drawing.canvas;
    if end > start {
        let r = 60;
        let mut path = Path::at(start, log.records.bottom())
            .v(line + r - log.records.bottom())
            .corner((0, -r), (r, 0));
        let mut x = start + r;
        // One straight piece a record: the walk takes its time from them.
        for seen in &scans[..scans.len() - 1] {
            let to = (log.scale.at(u64::from(seen.it.position.get()) + seen.it.size) + 5).min(end - 80);
            if to > x {
                path = path.h(to - x);
                x = to;
            }
        }
        canvas
            .path("scan/line".to_string(), pointer(fresh), path)
            .enters(Enter::Walk);
        head(canvas, "scan", fresh, (end, line), Way::Right);
    }
    let upper = if stacked { top - 150 } else { top - 165 };
    let skips: Vec<&Seen<Scan>> = scans.iter().filter(|seen| !seen.it.found).collect();
    let place = |seen: &Seen<Scan>| log.scale.at(seen.it.position.get().into()) + 45;
    let all: Vec<(i32, Vec<Span>)> = skips
        .iter()
        .map(|seen| (place(seen), verdict(&seen.it).spans(i32::MAX)))
        .collect();
    let clear = |edge: i32| {
        all.iter()
            .enumerate()
            .all(|(index, (x, spans))| x + room_of("", spans) <= all.get(index + 1).map_or(edge, |(next, _)| next - 40))
    };
    let mut edge = log.right;
    if last.it.found {
        let spans = verdict(&last.it).spans(i32::MAX);
        let wide = room_of("", &spans);
        // Beside what was skipped, if both have room there; otherwise on a line of its own, right of the head.
        let (x, y) = if end + 75 + wide > log.right {
            ((log.right - wide).max(log.records.x), upper)
        } else if end == start || clear(end + 35) {
            (end + 75, upper)
        } else {
            (end + 40, top - 45)
        };
        canvas
            .text("verdict/found".to_string(), "", x, y, spans)
            .enters(Enter::Fade);
        if y == upper {
            edge = x - 40;
        }
    }
    if clear(edge) {
        for (seen, (x, spans)) in skips.iter().zip(all) {
            let key = cat(&["verdict/", &number(seen.it.last_offset.get())]);
            canvas.text(key, "", x, upper, spans).enters(Enter::Fade);
        }
    } else {
        let bytes: u64 = skips.iter().map(|seen| seen.it.size).sum();
        let skipped = words::count(skips.len(), "record", "records");
        let long = cat(&["skip ", &skipped, ", ", &words::exact(bytes)]);
        let short = cat(&["skip ", &words::exact(bytes)]);
        let first = start + 45;
        if let Some(text) = fitting("", edge - first, &[&long, &short]) {
            let text = text.to_string();
            canvas
                .word("verdict/skipped".to_string(), "muted", first, upper, text)
                .enters(Enter::Fade);
        }
    }
}

/// What the scan says of a batch.
fn verdict(scan: &Scan) -> Comparison {
    let word = if scan.found { "found" } else { "skip" };
    let operands = match scan.target {
        ScanTarget::Offset(target) => {
            let relation = match scan.last_offset.cmp(&target) {
                core::cmp::Ordering::Less => "<",
                core::cmp::Ordering::Equal => "=",
                core::cmp::Ordering::Greater => "≥",
            };
            words::compared(scan.last_offset.get(), relation, target.get())
        }
        ScanTarget::Timestamp(target) => match scan.timestamp {
            Some(timestamp) => {
                let text = words::times(timestamp.get(), if scan.found { "≥" } else { "<" }, target.get());
                text.trim_end_matches(" s").to_string()
            }
            None => "no time".to_string(),
        },
        ScanTarget::LargestTimestamp(_) => words::time(scan.timestamp),
    };
    Comparison {
        operands,
        word,
        hit: scan.found,
    }
}

/// The slice of a fetch: bytes sent, bytes kept, the torn rest.
fn slice(drawing: &mut Drawing<'_>, log: Log) {
    let Some(seen) = drawing.focus.slice else {
        return;
    };
    let slice = seen.it;
    let start = u64::from(slice.start.get());
    let sent = slice.length();
    let kept = drawing.focus.kept.map(|kept| kept.it);
    let y = log.records.y - 15;
    let from = log.scale.at(start);
    let canvas = &mut drawing.canvas;
    let (whole, torn) = kept.map_or((sent, 0), |kept| (kept.bytes.min(sent), kept.torn));
    if whole > 0 {
        bracket(
            canvas,
            "slice/kept".to_string(),
            "bracket",
            (from, log.scale.at(start + whole)),
            y,
        );
    }
    if torn > 0 {
        let ends = (log.scale.at(start + sent - torn), log.scale.at(start + sent));
        bracket(canvas, "slice/torn".to_string(), "bracket torn", ends, y);
    }
    let bytes = words::exact(sent);
    let left = slice.end.saturating_sub(start);
    let sum = cat(&[
        "min(",
        &amount(left as i64),
        ", ",
        &amount(slice.adjusted_limit() as i64),
        ") = ",
    ]);
    let mut long = vec![span("mono", sum), span("mono bold", &*bytes), span("", " sent")];
    let mut short = vec![span("mono bold", &*bytes), span("", " sent")];
    if let Some(kept) = kept {
        let kept_text = cat(&[", ", &words::exact(kept.bytes), " kept"]);
        let torn_text = if kept.torn > 0 {
            cat(&[", ", &words::exact(kept.torn), " torn off"])
        } else {
            String::new()
        };
        long = vec![
            span("mono bold", &*bytes),
            span("", " sent"),
            span("bold", &*kept_text),
            span("muted", &*torn_text),
        ];
        short = vec![span("", cat(&[&amount(sent as i64), " sent"])), span("bold", kept_text)];
        long.retain(|span| !span.text.is_empty());
    }
    for spans in [long, short] {
        let wide = room_of("", &spans);
        if wide <= log.right - log.records.x {
            let x = (from + 5).min(log.right - wide);
            canvas
                .text("slice/text".to_string(), "", x, y - 95, spans)
                .enters(Enter::Fade);
            break;
        }
    }
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

/// The record about to be appended, and whether it fits; the sum stands no further left than `left`.
pub fn fits(drawing: &mut Drawing<'_>, segment: &SegmentView, log: Log, left: i32) {
    let Some(roll) = drawing.focus.roll.filter(|roll| roll.it.base == segment.base) else {
        return;
    };
    let appended = drawing.focus.append.is_some();
    let decision = roll.it.clone();
    let limited = drawing.limit_in_sight();
    let stacked = drawing.plan.stacked();
    let offset = number(decision.append_last_offset.get());
    let over = decision.total().saturating_sub(decision.segment_bytes);
    let canvas = &mut drawing.canvas;
    let moved = drawing.focus.rolled.is_some();
    if !appended || moved {
        let (from, to) = (log.scale.at(decision.size), log.scale.at(decision.total()));
        let area = Area {
            x: from,
            y: log.records.y,
            w: to - from,
            h: log.records.h,
        };
        let by_time = decision.time_exceeded() && !decision.size_exceeded();
        let size = match decision.waited {
            Waited::Timestamps { incoming, .. } if by_time => words::time(incoming),
            _ => words::exact(decision.append_size),
        };
        let bare = number(decision.append_size as i64);
        let picture = record::Record {
            area,
            offset: &[&offset],
            under: &[&size, &bare],
            look: record::Look::WouldBe,
            text_end: if over > 0 && limited {
                log.scale.at(decision.segment_bytes)
            } else {
                to
            },
            small: stacked,
        };
        canvas.open("would-be".to_string(), "", area).enters(Enter::Fade);
        record(canvas, "would-be", picture);
        canvas.close();
        if over > 0 && limited {
            let x = log.scale.at(decision.segment_bytes);
            let text = cat(&[&words::exact(over), " over"]);
            if room("", &text) <= to - x - 40 {
                canvas
                    .word(
                        "would-be/over".to_string(),
                        "",
                        (x + to) / 2 + 5,
                        area.y + area.h / 2 + 43,
                        text,
                    )
                    .middle();
            }
        }
    }
    let relation = if decision.size_exceeded() { ">" } else { "≤" };
    let against = words::compared(decision.total() as i64, relation, decision.segment_bytes as i64);
    let sum = cat(&[
        &amount(decision.size as i64),
        " + ",
        &amount(decision.append_size as i64),
        " = ",
        &against,
    ]);
    let waited = waited(&decision);
    let (operands, word) = match (decision.size_exceeded(), decision.time_exceeded()) {
        (true, _) => (sum, "roll"),
        (_, true) => (waited, "roll"),
        _ if decision.cause().is_some() => (sum, "roll"),
        _ => (sum, "fits"),
    };
    let comparison = Comparison {
        operands,
        word,
        hit: decision.cause().is_some() && roll.fresh,
    };
    let paired = matches!(drawing.stage, crate::layout::Stage::Pair(..));
    let y = log.records.y
        - if stacked {
            100
        } else if paired {
            145
        } else {
            110
        };
    let mut spans = comparison.spans(log.right - left);
    if spans.is_empty() {
        spans = Comparison {
            operands: against,
            ..comparison
        }
        .spans(log.right - left);
    }
    let wide = room_of("", &spans);
    let x = log.scale.at(decision.total()).max(left + wide).min(log.right);
    canvas
        .text("check/size".to_string(), "", x, y, spans)
        .end()
        .enters(Enter::Fade);
}
