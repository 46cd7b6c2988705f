//! The way from entry to byte to record, the scan from there, and the slice that a fetch gets.

use partition_log::disk::FileKind;
use partition_log::questions::view::SegmentView;
use partition_log::units::Offset;

use crate::layout::focus::{Scan, Seen};
use crate::layout::log::Log;
use crate::layout::opened::Places;
use crate::layout::plan::Arrangement;
use crate::layout::tables::Table;
use crate::layout::{Drawing, words};
use crate::marks::arrow::{Way, dot, head, pointer};
use crate::marks::bracket::bracket;
use crate::marks::probe::Comparison;
use crate::metrics::{amount, cat, fitting, number, room_of};
use crate::scene::{Area, Canvas, Enter, Path, Span, spans};

/// Radius of a pointer's corners.
const R: i32 = 60;

/// The entry that a search ended at: its number, the middle of its right edge, and whether the answer is this beat's.
fn found(
    drawing: &Drawing<'_>,
    segment: &SegmentView,
    places: &Places,
    kind: FileKind,
) -> Option<(u32, i32, i32, bool)> {
    let lookups = drawing.focus.lookups.iter().rev();
    let seen = lookups
        .copied()
        .find(|seen| seen.it.base == segment.base && seen.it.kind == kind)?;
    let entry_number = seen.it.entry_number?;
    let (_, x, y) = places.tables.into_iter().find(|(table, ..)| *table == kind)?;
    let pitch = drawing.plan.row_pitch();
    let top = Table::of(drawing, segment, kind, y).row(entry_number as usize, pitch)?;
    Some((
        entry_number,
        x + places.probes + places.entry,
        top + (pitch - 20) / 2,
        seen.fresh,
    ))
}

/// From the time index to the offset index, and from there to the byte.
pub fn hops(drawing: &mut Drawing<'_>, segment: &SegmentView, places: &Places) {
    let Some((entry_number, x, y, fresh)) = found(drawing, segment, places, FileKind::Index) else {
        return;
    };
    if let Some((_, from, top, _)) = found(drawing, segment, places, FileKind::TimeIndex) {
        time_hop(drawing, (from, top), y, fresh, places);
    }
    let Some(entry) = segment.offset_index.entries.get(entry_number as usize) else {
        return;
    };
    let tick = places.log.scale.at(entry.to.get().into()) + 5;
    let top = places.log.records.bottom();
    let start = x + 5;
    let near = (tick - places.channel).abs() <= 2 * R && tick > x + R;
    let channel = if near { tick } else { places.channel };
    let path = Path::at(start, y).h(channel - R - start);
    let path = if near {
        path.corner((R, 0), (0, -R)).v(top + 40 - (y - R))
    } else {
        // Out of the table, along the gutter under the ruler, up at the tick.
        let up = if places.gutter < y { -R } else { R };
        let side = if tick > channel { R } else { -R };
        path.corner((R, 0), (0, up))
            .v(places.gutter - y - 2 * up)
            .corner((0, up), (side, 0))
            .h(tick - channel - 2 * side)
            .corner((side, 0), (0, -R))
            .v(top + 40 - (places.gutter - R))
    };
    let canvas = &mut drawing.canvas;
    canvas.open("hop", "", Area::new(x, top, (tick - x).abs(), (y - top).abs()));
    canvas.path("/line", pointer(fresh), path).enters(Enter::Hop);
    dot(canvas, fresh, start, y);
    head(canvas, fresh, (tick, top), Way::Up);
    canvas.close();
}

/// From the entry of the time index to where its answer is looked up.
fn time_hop(drawing: &mut Drawing<'_>, (x, y): (i32, i32), to: i32, fresh: bool, places: &Places) {
    let stacked = drawing.plan.stacked();
    let open = drawing.plan.arrangement == Arrangement::Open;
    let (_, table_x, table_y) = places.tables[1];
    let canvas = &mut drawing.canvas;
    let start = x + 5;
    canvas.open("time-hop", "", Area::new(x, y.min(to), 0, (to - y).abs()));
    let (path, tip, way) = if open {
        // Down the channel to the head of the table below.
        let channel = places.channel - 120;
        let end = table_y + 90;
        let path = Path::at(start, y)
            .h(channel - R - start)
            .corner((R, 0), (0, R))
            .v(end - 2 * R - y);
        (
            path.corner((0, R), (-R, 0)).h(x + 140 - (channel - R)),
            (x + 60, end),
            Way::Left,
        )
    } else {
        let end = table_x - if stacked { 10 } else { 40 };
        let middle = x + if stacked { 90 } else { 300 };
        let drop = to - y;
        let path = if drop == 0 {
            Path::at(start, y).h(end - 70 - x)
        } else {
            let r = R.min(drop.abs() / 2);
            let side = drop.signum() * r;
            let path = Path::at(start, y)
                .h(middle - r - start)
                .corner((r, 0), (0, side))
                .v(drop - 2 * side);
            path.corner((0, side), (r, 0)).h(end - 70 - (middle + r))
        };
        (path, (end, to), Way::Right)
    };
    canvas.path("/line", pointer(fresh), path).enters(Enter::Hop);
    dot(canvas, fresh, start, y);
    head(canvas, fresh, tip, way);
    canvas.close();
}

/// A scan: up the edge where it begins, along the top over what is skipped, to the record that it ends at.
pub fn scan(drawing: &mut Drawing<'_>, log: Log) {
    let scans = &drawing.focus.scans;
    let Some((first, last)) = scans.first().zip(scans.last()) else {
        return;
    };
    let top = log.records.y;
    let at = |byte: u64| log.scale.at(byte) + 5;
    let (start, end) = (at(first.it.position.get().into()), at(last.it.position.get().into()));
    let canvas = &mut drawing.canvas;
    canvas.open(
        "scan",
        "",
        Area {
            x: start,
            w: end - start,
            ..log.records
        },
    );
    if end > start {
        let line = top - 90;
        let bottom = log.records.bottom();
        let mut path = Path::at(start, bottom).v(line + R - bottom).corner((0, -R), (R, 0));
        let mut x = start + R;
        // One straight piece a record: the walk takes its time from them.
        for seen in scans.iter().filter(|seen| seen.it.position != last.it.position) {
            let to = at(u64::from(seen.it.position.get()) + seen.it.size).min(end - 80);
            if to > x {
                path = path.h(to - x);
                x = to;
            }
        }
        canvas.path("/line", pointer(last.fresh), path).enters(Enter::Walk);
        head(canvas, last.fresh, (end, line), Way::Right);
    }
    verdicts(canvas, scans, log, (start, end), (top - 165, top - 45));
    canvas.close();
}

/// What the scan says of each record: side by side if they have room, otherwise of all that were skipped together.
fn verdicts(canvas: &mut Canvas, scans: &[Seen<Scan>], log: Log, (start, end): (i32, i32), (upper, lower): (i32, i32)) {
    let skips: Vec<&Scan> = scans.iter().map(|seen| &seen.it).filter(|scan| !scan.found).collect();
    let place = |scan: &Scan| log.scale.at(scan.position.get().into()) + 45;
    let said: Vec<Vec<Span>> = skips.iter().map(|scan| verdict(scan)).collect();
    let clear = |edge: i32| {
        skips.iter().zip(&said).enumerate().all(|(index, (scan, said))| {
            let next = skips.get(index + 1).map_or(edge, |next| place(next) - 40);
            place(scan) + room_of("", said) <= next
        })
    };
    let mut edge = log.right;
    if let Some(found) = scans.iter().map(|seen| &seen.it).find(|scan| scan.found) {
        let said = verdict(found);
        let wide = room_of("", &said);
        // Beside what was skipped, if both have room there; otherwise on a line of its own, right of the head.
        let (x, y) = if end + 75 + wide > log.right {
            ((log.right - wide).max(log.records.x), upper)
        } else if end == start || clear(end + 35) {
            (end + 75, upper)
        } else {
            (end + 40, lower)
        };
        canvas.text("/found", "", x, y, said).enters(Enter::Say);
        if y == upper {
            edge = x - 40;
        }
    }
    if clear(edge) {
        for (scan, said) in skips.into_iter().zip(said) {
            let key = cat(&["/", &number(scan.last_offset.get())]);
            canvas.text(&key, "", place(scan), upper, said).enters(Enter::Say);
        }
        return;
    }
    let bytes = words::exact(skips.iter().map(|scan| scan.size).sum());
    let long = cat(&["skip ", &words::count(skips.len(), "record", "records"), ", ", &bytes]);
    if let Some(text) = fitting("", edge - start - 45, &[&long, &cat(&["skip ", &bytes])]) {
        canvas
            .word("/skipped", "muted", start + 45, upper, text)
            .enters(Enter::Say);
    }
}

/// What the scan says of a batch: `8 < 9 skip`.
fn verdict(scan: &Scan) -> Vec<Span> {
    let word = if scan.found { "found" } else { "skip" };
    Comparison::of(&scan.clause, word, scan.found).bare().spans(i32::MAX)
}

/// The slice of a fetch: bytes sent, bytes kept, the torn rest.
pub fn slice(drawing: &mut Drawing<'_>, segment: &SegmentView, log: Log) {
    let Some(slice) = drawing.focus.slice.map(|seen| seen.it) else {
        return;
    };
    let start = u64::from(slice.start.get());
    let sent = slice.length();
    let y = log.records.y - 15;
    let at = |bytes: u64| log.scale.at(start + bytes);
    let bytes = words::exact(sent);
    // Bytes of the first batch up to the record asked for: they come along, and the consumer drops those records.
    let mut below = 0;
    let (whole, torn, wordings) = match drawing.focus.kept {
        Some(kept) => {
            let kept = kept.it;
            let whole = match kept.delivered.filter(|_| kept.below > 0) {
                Some((first, last)) => {
                    below = record_at(segment, first).map_or(0, |at| at.saturating_sub(start));
                    let dropped = words::range(first.get() - kept.below as i64, first.get() - 1);
                    cat(&[
                        ", ",
                        &dropped,
                        " dropped, ",
                        &words::range(first.get(), last.get()),
                        " kept",
                    ])
                }
                None => cat(&[", ", &words::exact(kept.bytes), " kept"]),
            };
            let torn = if kept.torn > 0 {
                cat(&[", ", &words::exact(kept.torn), " torn off"])
            } else {
                String::new()
            };
            let long = spans(&[("mono bold", &bytes), ("", " sent"), ("bold", &whole), ("muted", &torn)]);
            let short = spans(&[("", &cat(&[&amount(sent as i64), " sent"])), ("bold", &whole)]);
            (kept.bytes.min(sent), kept.torn, [long, short])
        }
        None => {
            let left = slice.end.saturating_sub(start) as i64;
            let sum = cat(&[
                "min(",
                &amount(left),
                ", ",
                &amount(slice.adjusted_limit() as i64),
                ") = ",
            ]);
            let long = spans(&[("mono", &sum), ("mono bold", &bytes), ("", " sent")]);
            (sent, 0, [long, spans(&[("mono bold", &bytes), ("", " sent")])])
        }
    };
    let canvas = &mut drawing.canvas;
    canvas.open(
        "slice",
        "",
        Area {
            x: at(0),
            w: at(sent) - at(0),
            ..log.records
        },
    );
    if below > 0 {
        bracket(canvas, "/below", "bracket torn", (at(0), at(below)), y);
    }
    if whole > below {
        bracket(canvas, "/kept", "bracket", (at(below), at(whole)), y);
    }
    if torn > 0 {
        bracket(canvas, "/torn", "bracket torn", (at(sent - torn), at(sent)), y);
    }
    let free = log.right - log.records.x;
    if let Some(said) = wordings.into_iter().find(|said| room_of("", said) <= free) {
        let x = (at(0) + 5).min(log.right - room_of("", &said));
        canvas.text("/text", "", x, y - 95, said).enters(Enter::Say);
    }
    canvas.close();
}

/// The byte at which a record begins.
fn record_at(segment: &SegmentView, offset: Offset) -> Option<u64> {
    let records = segment.batches.iter().flat_map(|batch| &batch.records);
    let record = records.into_iter().find(|record| record.offset == offset)?;
    Some(record.position.get().into())
}
