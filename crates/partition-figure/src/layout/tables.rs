//! The two index files of an opened segment: entries, and the comparisons of a search with them.

use partition_log::disk::FileKind;
use partition_log::questions::view::SegmentView;
use partition_log::rules::index_entry::IndexEntryDecision;
use partition_log::units::TimestampMs;

use crate::layout::focus::{Probe, Seen};
use crate::layout::opened::{Places, open_file};
use crate::layout::plan::Arrangement;
use crate::layout::{Drawing, words};
use crate::marks::entry::{Entry, Look, entry};
use crate::marks::probe::{Comparison, ring};
use crate::marks::tag::{self, tag};
use crate::metrics::{Face, amount, cat, fitting, number, room, room_of};
use crate::scene::{Area, Enter, Span, spans};

/// One row of a table.
struct Row {
    from: String,
    to: String,
    closing: bool,
}

fn rows(segment: &SegmentView, kind: FileKind, clock: TimestampMs) -> Vec<Row> {
    let mut rows = Vec::new();
    if kind == FileKind::TimeIndex {
        for entry in &segment.time_index.entries {
            let from = words::moment(entry.key, clock).replace(' ', "\u{a0}");
            rows.push(Row {
                from,
                to: amount(entry.to.get().into()),
                closing: entry.closing,
            });
        }
    } else {
        for entry in &segment.offset_index.entries {
            let (from, to) = (amount(entry.key), amount(entry.to.get().into()));
            rows.push(Row {
                from,
                to,
                closing: entry.closing,
            });
        }
    }
    rows
}

/// A table: which rows it shows, and where.
pub struct Table {
    /// First entry shown.
    first: usize,
    /// Entries shown.
    shown: usize,
    /// Entries in all.
    all: usize,
    /// Where the first row begins.
    top: i32,
}

impl Table {
    /// The table of an index whose upper edge is at `y`: all rows, or those around the one that matters.
    pub fn of(drawing: &Drawing<'_>, segment: &SegmentView, kind: FileKind, y: i32) -> Table {
        let all = match kind {
            FileKind::TimeIndex => segment.time_index.entries.len(),
            _ => segment.offset_index.entries.len(),
        };
        let most = drawing.plan.rows_of(kind);
        let probed = probes(drawing, segment, kind).last().map(|seen| seen.it.entry_number);
        let wanted = hit(drawing, segment, kind)
            .or(probed)
            .map_or(all, |entry_number| entry_number as usize);
        let first = wanted.saturating_sub(most / 2).min(all.saturating_sub(most));
        Table {
            first,
            shown: all.min(most),
            all,
            top: y + drawing.plan.table_head(),
        }
    }

    /// The upper edge of an entry's row, if it is shown.
    pub fn row(&self, entry_number: usize, pitch: i32) -> Option<i32> {
        let index = entry_number
            .checked_sub(self.first)
            .filter(|&index| index < self.shown)?;
        Some(self.top + index as i32 * pitch)
    }
}

fn probes<'a>(
    drawing: &'a Drawing<'_>,
    segment: &'a SegmentView,
    kind: FileKind,
) -> impl Iterator<Item = &'a Seen<Probe>> {
    drawing
        .focus
        .probes
        .iter()
        .filter(move |seen| seen.it.kind == kind && seen.it.base == segment.base)
}

/// The entry that a search ended at, or that was just written.
fn hit(drawing: &Drawing<'_>, segment: &SegmentView, kind: FileKind) -> Option<u32> {
    let focus = &drawing.focus;
    let lookup = focus
        .lookups
        .iter()
        .rev()
        .find(|seen| seen.it.base == segment.base && seen.it.kind == kind);
    if let Some(seen) = lookup {
        return seen.it.entry_number;
    }
    let written = focus
        .written
        .iter()
        .any(|file| file.base == segment.base && file.kind == kind);
    let appended = focus.append.is_some_and(|append| append.it.base == segment.base);
    let last = match kind {
        FileKind::TimeIndex => segment.time_index.entries.len(),
        _ => segment.offset_index.entries.len(),
    };
    (written && appended && last > 0).then(|| last as u32 - 1)
}

/// Draws one index: head, entries, and the comparisons with them.
pub fn draw(drawing: &mut Drawing<'_>, segment: &SegmentView, kind: FileKind, at: (i32, i32), places: &Places) {
    let (x, y) = at;
    let stacked = drawing.plan.stacked();
    let pitch = drawing.plan.row_pitch();
    let focus = &drawing.focus;
    let reads = focus.floor.is_some() || !focus.lookups.is_empty() || !focus.probes.is_empty();
    let used = kind == FileKind::Index || focus.time_target.is_some() || !reads;
    let table = Table::of(drawing, segment, kind, y);
    let rows = rows(segment, kind, drawing.view.clock);
    let hit = hit(drawing, segment, kind);
    let probed: Vec<(usize, Probe)> = probes(drawing, segment, kind)
        .enumerate()
        .map(|(order, seen)| (order + 1, seen.it))
        .collect();
    let decision = focus.entry.map(|seen| *seen.it);
    let decision = decision.filter(|entry| entry.base == segment.base && kind == FileKind::Index);
    head(drawing, segment, kind, at, places, &table, used);
    let shown = &rows[table.first..table.first + table.shown];
    let from_width = shown.iter().map(|row| row.from.chars().count()).max().unwrap_or(0);
    let to_width = if stacked {
        0
    } else {
        shown.iter().map(|row| row.to.chars().count()).max().unwrap_or(0)
    };
    for (index, row) in shown.iter().enumerate() {
        let entry_number = table.first + index;
        let top = table.top + index as i32 * pitch;
        let area = Area::new(x + places.probes, top, places.entry, pitch - 20);
        let id = number(entry_number as i64);
        let key = cat(&[
            "entry/",
            &number(segment.base.get()),
            "/",
            &kind.extension()[1..],
            "/",
            &id,
        ]);
        let label = cat(&[
            "entry ",
            &id,
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
                &key,
                "",
                Area {
                    y: top - 10,
                    h: pitch,
                    ..area
                },
            )
            .button(label)
            .enters(Enter::Land);
        let is_hit = hit == Some(entry_number as u32);
        let look = match (is_hit, used) {
            (true, _) => Look::Hit,
            (false, true) => Look::Plain,
            (false, false) => Look::Muted,
        };
        let pad = |text: &str, width: usize| "\u{a0}".repeat(width.saturating_sub(text.chars().count()));
        let from = cat(&[&pad(&row.from, from_width), &row.from]);
        let to = cat(&[&pad(&row.to, to_width), &row.to]);
        entry(
            canvas,
            Entry {
                area,
                kind,
                from: &from,
                to: &to,
                look,
                at_left: stacked,
            },
        );
        canvas.close();
        // What the row has room for behind its text, in a narrow scene.
        let free = area.w - 180 - Face::of("mono").room(&cat(&[&from, " → ", &to]));
        if let Some((order, probe)) = probed
            .iter()
            .find(|(_, probe)| probe.entry_number as usize == entry_number)
        {
            compare(drawing, *order, probe, is_hit, area, free);
        } else if let Some(decision) = decision.filter(|_| is_hit) {
            beside(drawing, "due", due(&decision), area, free);
        } else if row.closing && !stacked {
            beside(
                drawing,
                &cat(&["closing/", &id]),
                spans(&[("muted", "added by the roll")]),
                area,
                free,
            );
        }
    }
    let canvas = &mut drawing.canvas;
    let below = table.top + table.shown as i32 * pitch + 155;
    if let Some(decision) = decision.filter(|decision| !decision.due()) {
        // On the row that an entry would take; where the table is full, beside the last one.
        let said = due(&decision);
        let full = table.shown == drawing.plan.rows_of(kind);
        let (y, free) = if full {
            (below - pitch, places.probes - 40)
        } else {
            (below, places.probes + places.entry)
        };
        if room_of("", &said) <= free {
            canvas.text("due", "", x, y, said).enters(Enter::Say);
        }
    } else if !stacked && (table.all == 0 || !used) {
        let text = if used { "no entries" } else { "not read here" };
        canvas.word(
            &cat(&["none/", &kind.extension()[1..]]),
            "muted",
            x,
            table.top + 155,
            text,
        );
    }
}

/// Tag, extension, and what leads to what; of an active file, how little of it is used.
fn head(
    drawing: &mut Drawing<'_>,
    segment: &SegmentView,
    kind: FileKind,
    (x, y): (i32, i32),
    places: &Places,
    table: &Table,
    used: bool,
) {
    let stacked = drawing.plan.stacked();
    let right = x + places.probes + places.entry;
    let (created, facts, mapping) = match kind {
        FileKind::TimeIndex => {
            let index = &segment.time_index;
            (index.created, words::index_at_lengths(index), "time → relative offset")
        }
        _ => {
            let index = &segment.offset_index;
            (index.created, words::index_at_lengths(index), "relative offset → byte")
        }
    };
    let edge = if drawing.plan.arrangement == Arrangement::Open {
        places.log.records.x - 20
    } else {
        drawing.plan.right
    };
    open_file(drawing, segment, kind, Area::new(x, y - 40, right - x, 240));
    let canvas = &mut drawing.canvas;
    let look = match (created, used) {
        (false, _) => tag::Look::Absent,
        (true, true) => tag::Look::Live,
        (true, false) => tag::Look::Neutral,
    };
    tag(canvas, kind, look, x, y + 10);
    let class = match (stacked, used) {
        (true, true) => "mono",
        (true, false) => "mono muted",
        (false, true) => "s13 mono",
        (false, false) => "s13 mono muted",
    };
    canvas.word("/name", class, x + 240, y + 135, kind.extension());
    let from = x + 240 + room(class, kind.extension()) + 60;
    if segment.active || !created {
        let free = (right + if stacked { 0 } else { 640 }).min(edge) - from;
        let [all, bytes, short] = &facts;
        if let Some(text) = fitting("", free, &[all, bytes, short]) {
            canvas.word("/facts", "muted", from, y + 135, text).enters(Enter::Tick);
        }
    } else {
        let entries = words::count(table.all, "entry", "entries");
        let part = cat(&[&number(table.shown as i64), " of ", &entries]);
        let text = if table.shown < table.all { &part } else { mapping };
        if room("", text) <= right - from {
            canvas.word("/mapping", "muted", right, y + 135, text).end();
        }
    }
    canvas.close();
}

/// The entry rule: `115 > 80 entry`.
fn due(decision: &IndexEntryDecision) -> Vec<Span> {
    let clause = decision.clause();
    let word = if clause.holds { "entry" } else { "no entry" };
    Comparison::of(&clause, word, clause.holds).spans(i32::MAX)
}

/// A comparison of the search: with its order in the gutter left of the entry, or in the row itself.
fn compare(drawing: &mut Drawing<'_>, order: usize, probe: &Probe, hit: bool, area: Area, free: i32) {
    let word = match probe.clause.excess() {
        _ if !probe.clause.holds => "too big",
        0 => "exact",
        _ => "fits",
    };
    let comparison = Comparison::of(&probe.clause, word, hit);
    let gutter = drawing.plan.probe_room();
    let stacked = drawing.plan.stacked();
    let y = area.y + area.h / 2;
    let x = area.x - gutter;
    let canvas = &mut drawing.canvas;
    let key = cat(&["probe/", &probe.kind.extension()[1..], "/", &number(order as i64)]);
    canvas.open(&key, "", Area { x, w: gutter, ..area }).enters(Enter::Fade);
    if stacked {
        let said = comparison.spans(free);
        if !said.is_empty() {
            canvas
                .text("/text", "", area.right() - 60, y + 45, said)
                .end()
                .enters(Enter::Say);
        }
    } else {
        ring(canvas, order, x + 80, y);
        let said = comparison.spans(gutter - 260);
        if !said.is_empty() {
            canvas.text("/text", "", x + 240, y + 45, said).enters(Enter::Say);
        }
    }
    canvas.close();
}

/// A remark on an entry: in the gutter left of it, or in the row itself.
fn beside(drawing: &mut Drawing<'_>, key: &str, said: Vec<Span>, area: Area, free: i32) {
    let gutter = drawing.plan.probe_room();
    let y = area.y + area.h / 2 + 45;
    let wide = room_of("", &said);
    let canvas = &mut drawing.canvas;
    if gutter == 0 {
        if wide <= free {
            canvas
                .text(key, "", area.right() - 60, y, said)
                .end()
                .enters(Enter::Say);
        }
    } else if wide <= gutter - 40 {
        canvas.text(key, "", area.x - gutter, y, said).enters(Enter::Say);
    }
}
