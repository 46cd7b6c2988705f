//! One segment, opened: where its log and both index tables stand, and its name.

use partition_log::disk::FileKind;
use partition_log::questions::view::SegmentView;
use partition_log::units::Offset;

use crate::layout::append::fits;
use crate::layout::log::{Log, log};
use crate::layout::plan::Arrangement;
use crate::layout::{Drawing, lanes, pointers, tables, words};
use crate::marks::name::name;
use crate::marks::panel::panel as surface;
use crate::marks::tag::{self, tag};
use crate::metrics::{Face, cat, fitting, number, room, room_of};
use crate::scene::{Area, Enter, Span, spans};

/// The surface under what is open, with the lanes that it belongs to as its tab.
pub fn panel(drawing: &mut Drawing<'_>, bases: &[Offset]) {
    let plan = &drawing.plan;
    let reach = if plan.stacked() { 50 } else { 80 };
    let entry_numbers: Vec<usize> = bases.iter().filter_map(|&base| drawing.entry_number(base)).collect();
    let tab = entry_numbers.first().zip(entry_numbers.last()).map(|(&first, &last)| {
        let (first, last) = (plan.lane(first), plan.lane(last));
        // The outermost lanes stand at the panel's own edges.
        let from = if first.x == plan.left { 0 } else { first.x - reach };
        let to = if last.right() + 100 >= plan.right {
            plan.width
        } else {
            last.right() + reach
        };
        ((from, to), first.y - 60)
    });
    surface(&mut drawing.canvas, plan.stage, tab);
}

/// Where everything in the panel stands.
pub struct Places {
    /// The file's name.
    head: (i32, i32),
    /// The log.
    pub log: Log,
    /// The channel under the ruler, for pointers.
    pub gutter: i32,
    /// The tables in the order in which they are read: which index, left edge and upper edge.
    pub tables: [(FileKind, i32, i32); 2],
    /// Width of a table's entries.
    pub entry: i32,
    /// Width of the comparisons left of them.
    pub probes: i32,
    /// Where the pointer from the last table goes up or down.
    pub channel: i32,
}

fn places(drawing: &Drawing<'_>) -> Places {
    let plan = &drawing.plan;
    let stage = plan.stage;
    let searches = plan.searches_times;
    let (first, second) = if searches {
        (FileKind::TimeIndex, FileKind::Index)
    } else {
        (FileKind::Index, FileKind::TimeIndex)
    };
    let inset = if plan.stacked() { 0 } else { 80 };
    let (left, right) = (plan.left + inset, plan.right - inset);
    let y = stage.y + plan.records_drop();
    let h = plan.record_height();
    let probes = plan.probe_room();
    if plan.arrangement == Arrangement::Open {
        // The tables beside the log, one above the other.
        let entry = 1280;
        let end = left + probes + entry;
        let x = end + 520;
        let top = stage.y + 380;
        let below = top + plan.table_head() + 60 + plan.rows_of(first) as i32 * plan.row_pitch();
        let log = Log {
            records: Area::new(x, y, right - x, h),
            scale: drawing.log_scale(x, right - x - 10),
            right,
        };
        let tables = [(first, left, top), (second, left, below)];
        return Places {
            head: (left, stage.y + 80),
            log,
            gutter: y + h + 280,
            tables,
            entry,
            probes,
            channel: end + 260,
        };
    }
    let top = stage.y + plan.tables_drop();
    // A search by time ends in the right one: the pointer from there needs a channel at the edge.
    let end = if searches { 120 } else { 0 };
    let entry = if plan.stacked() {
        (right - left - 240 - end) / 2 / 10 * 10
    } else {
        1080
    };
    let channel = if searches {
        right - 20 + inset / 4
    } else {
        left + probes + entry + 120
    };
    let log = Log {
        records: Area::new(left, y, right - left, h),
        scale: drawing.log_scale(left, right - left - 10),
        right,
    };
    let tables = [(first, left, top), (second, right - end - probes - entry, top)];
    let gutter = y + h + if plan.stacked() { 220 } else { 255 };
    Places {
        head: (left, stage.y + 60),
        log,
        gutter,
        tables,
        entry,
        probes,
        channel,
    }
}

/// Draws the segment.
pub fn draw(drawing: &mut Drawing<'_>, base: Offset) {
    let Some(segment) = drawing.segment(base) else {
        return;
    };
    let places = places(drawing);
    file_head(drawing, segment, places.head, places.log.right, true);
    for (kind, x, y) in places.tables {
        tables::draw(drawing, segment, kind, (x, y), &places);
    }
    log(drawing, segment, places.log, &[]);
    pointers::hops(drawing, segment, &places);
    if drawing.focus.slice.is_some_and(|slice| slice.it.base == base) {
        pointers::slice(drawing, segment, places.log);
    } else if !drawing.focus.scans.is_empty() {
        pointers::scan(drawing, places.log);
    } else {
        fits(drawing, segment, places.log, places.log.records.x);
    }
}

/// Tag, whole name and state of the open `.log`; at the right end what is looked for. Returns where the state ends.
pub fn file_head(drawing: &mut Drawing<'_>, segment: &SegmentView, at: (i32, i32), right: i32, target: bool) -> i32 {
    let (x, y) = at;
    let stacked = drawing.plan.stacked();
    let state = if segment.active { ", active" } else { ", closed" };
    let size = words::exact(segment.size);
    let facts = cat(&[&size, state]);
    let goal = if target { goal(drawing, segment) } else { Vec::new() };
    let area = Area::new(x, y - 30, right - x, 240);
    open_file(drawing, segment, FileKind::Log, area);
    let canvas = &mut drawing.canvas;
    tag(canvas, FileKind::Log, tag::Look::Live, x, y + 10);
    let class = if stacked { "mono" } else { "s13 mono" };
    let face = Face::of(class);
    let kept = if stacked { room("", &facts) + 100 } else { 0 };
    let name = name(
        segment.base,
        ".log",
        face,
        (right - x - 240 - kept).max(face.width("0") * 8),
    );
    let end = x + 240 + room_of(class, &name) + 100;
    canvas.text("/name", class, x + 240, y + 135, name);
    let mut edge = right;
    if stacked {
        if let Some(text) = fitting("", right - end + 100, &[&facts, &size]) {
            canvas
                .word("/facts", "muted", right, y + 135, text)
                .end()
                .enters(Enter::Tick);
        }
    } else {
        canvas
            .word("/facts", "s13 muted", end, y + 135, &facts)
            .enters(Enter::Tick);
        edge = end + room("s13", &facts);
        let fits = |goal: &[Span]| room_of("", goal) <= right - edge - 160;
        let pieces = if fits(&goal) { goal.len() } else { 1 };
        if let Some(goal) = goal.get(..pieces).filter(|goal| !goal.is_empty() && fits(goal)) {
            canvas
                .text("/goal", "", right, y + 130, goal.to_vec())
                .end()
                .enters(Enter::Fade);
        }
    }
    canvas.close();
    edge
}

/// Opens the group of an open file's head. In a narrow scene this is where the file is; elsewhere it stands in its lane.
pub fn open_file(drawing: &mut Drawing<'_>, segment: &SegmentView, kind: FileKind, area: Area) {
    let shown = drawing
        .shown()
        .iter()
        .find(|shown| shown.segment.base == segment.base)
        .copied();
    let canvas = &mut drawing.canvas;
    if let Some(shown) = shown.filter(|_| drawing.plan.stacked()) {
        let label = lanes::file_label(&shown, kind, drawing.all.len());
        canvas.open(&lanes::file_key(segment, kind), "file", area).button(label);
        canvas.rect("/hit", "target", area, 0);
    } else {
        canvas.open(
            &cat(&["open/", &number(segment.base.get()), kind.extension()]),
            "",
            area,
        );
    }
}

/// What is looked for in this segment: `9 − 6 = 3`.
fn goal(drawing: &Drawing<'_>, segment: &SegmentView) -> Vec<Span> {
    let focus = &drawing.focus;
    if let Some(floor) = focus.floor.filter(|floor| floor.it.found == Some(segment.base))
        && let Some(relative) = floor.it.target.relative_to(segment.base)
    {
        let (target, base) = (number(floor.it.target.get()), number(segment.base.get()));
        let sum = cat(&[&target, " − ", &base, " = ", &number(relative.get().into())]);
        return spans(&[("mono", &sum), ("muted", "\u{a0} relative offset to look for")]);
    }
    if let Some(last) = indexed_last(drawing, segment) {
        return last;
    }
    match focus.time_target {
        Some(target) => {
            let target = cat(&["≥ ", &words::time(Some(target), drawing.view.clock)]);
            spans(&[("mono", &target), ("muted", "\u{a0} the first record at or after")])
        }
        None => Vec::new(),
    }
}

/// What the entry of a batch of several records is about: `10 − 6 = 4`, its last offset.
fn indexed_last(drawing: &Drawing<'_>, segment: &SegmentView) -> Option<Vec<Span>> {
    let focus = &drawing.focus;
    let entry = focus.entry?.it;
    let first = focus.append?.it.first_offset;
    if entry.base != segment.base || !entry.due() || entry.last_offset == first {
        return None;
    }
    let (last, base) = (number(entry.last_offset.get()), number(entry.base.get()));
    let sum = cat(&[&last, " − ", &base, " = ", &number(entry.relative.get().into())]);
    Some(spans(&[("mono", &sum), ("muted", "\u{a0} the batch’s last offset")]))
}
