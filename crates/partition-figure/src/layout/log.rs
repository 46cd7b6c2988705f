//! An opened log: its records to scale over a ruler, and its free rest.

use partition_log::questions::view::{BatchView, SegmentView};
use partition_log::rules::clause::Unit;
use partition_log::units::TimestampMs;

use crate::layout::append::telling;
use crate::layout::{Drawing, words};
use crate::marks::limit::{extent, limit};
use crate::marks::pieces::{Piece, pieces};
use crate::marks::record::{Look, Record, record};
use crate::marks::ruler::{Mark, ruler};
use crate::marks::scale::Scale;
use crate::metrics::{amount, cat, fitting, number};
use crate::scene::{Area, Canvas, Enter, Path, Role};

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

/// Draws the log. `taken` are stretches of the ruler that have to stay clear.
pub fn log(drawing: &mut Drawing<'_>, segment: &SegmentView, log: Log, taken: &[(i32, i32)]) {
    let Log {
        records: area,
        scale,
        right,
    } = log;
    let id = number(segment.base.get());
    let small = drawing.plan.stacked();
    let touched = drawing.touched();
    let deleted = drawing.view.deleted.iter().any(|other| other.base == segment.base);
    let scanned: Vec<u32> = drawing.focus.scans.iter().map(|scan| scan.it.position.get()).collect();
    let rolls_by_time = drawing
        .focus
        .roll
        .is_some_and(|roll| telling(roll.it).unit == Unit::Time);
    let by_time = (drawing.frame.extents.time_searches || rolls_by_time).then_some(drawing.view.clock);
    let whole = drawing.lane_bytes();
    drawing.canvas.open(
        &cat(&["log/", &id]),
        "",
        Area {
            h: area.h + 200,
            ..area
        },
    );
    if !deleted {
        rest(drawing, segment, log);
    }
    let limited = drawing.frame.extents.appends && drawing.limit_in_sight();
    let canvas = &mut drawing.canvas;
    let keep = |batch: &BatchView| Some(batch.first_offset) == touched || scanned.contains(&batch.position.get());
    let mut marks = Vec::new();
    let mut ring = None;
    for piece in pieces(&segment.batches, scale, 100, keep) {
        let (from, to) = (scale.at(piece.from()), scale.at(piece.to()));
        let place = Area {
            x: from,
            w: to - from,
            ..area
        };
        let hit = matches!(piece, Piece::One(batch) if Some(batch.first_offset) == touched);
        let look = match (hit, deleted) {
            (true, _) => Look::Touched,
            (false, true) => Look::Deleted,
            (false, false) => Look::Stored,
        };
        match piece {
            Piece::One(batch) => one(canvas, batch, place, look, scale, by_time, small),
            Piece::Many { first, records, .. } => {
                let words = words::count(records, "record", "records");
                let bytes = words::exact(piece.to() - piece.from());
                let group = canvas.open(&cat(&["records/", &number(first.first_offset.get())]), "", place);
                group.role = Some(Role::Group);
                group.label = cat(&[&words, ", ", &bytes]);
                let (offset, under) = ([&*words, &number(records as i64)], [&*bytes]);
                let text_end = place.right();
                record(
                    canvas,
                    Record {
                        area: place,
                        offset: &offset,
                        under: &under,
                        look,
                        text_end,
                        small,
                    },
                );
                canvas.close();
            }
        }
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
        let ring = Area::new(place.x + 10, place.y + 5, (place.w - 10).max(20), place.h - 10);
        canvas.rect("/touched", "ring", ring, 10).enters(Enter::Travel);
    }
    let empty = marks.is_empty();
    marks.push(Mark {
        position: segment.size,
        wanted: empty,
        end: !empty,
    });
    let mut clear = taken.to_vec();
    let y = area.bottom() + 30;
    let end = scale.at(whole);
    if limited {
        let text = amount(whole as i64);
        let foot = y + if small { 150 } else { 160 };
        let (from, to) = extent(end + 5, &text, right);
        clear.push((from.min(end) - 20, to.max(end) + 20));
        limit(
            canvas,
            "/limit",
            end + 5,
            (area.y - 50, foot),
            &text,
            "segment.bytes",
            right,
        );
    }
    let ruled = Scale {
        width: end - scale.x,
        span: whole,
        ..scale
    };
    ruler(canvas, "/ruler", ruled, y, small, &marks, &clear, right);
    canvas.close();
}

/// One batch, as a button; where times matter, with its own as it is seen from now.
fn one(
    canvas: &mut Canvas,
    batch: &BatchView,
    area: Area,
    look: Look,
    scale: Scale,
    by_time: Option<TimestampMs>,
    small: bool,
) {
    let kind = if batch.magic < 2 { "record/" } else { "batch/" };
    let first = number(batch.first_offset.get());
    let under = by_time.map_or_else(|| words::exact(batch.size), |clock| words::time(batch.timestamp, clock));
    let bare = words::without(words::without(&under, " B"), " s");
    canvas
        .open(&cat(&[kind, &first]), "", area)
        .button(label(batch))
        .enters(Enter::Travel);
    let (offset, under) = ([&*words::offsets(batch), &first], [&*under, bare]);
    record(
        canvas,
        Record {
            area,
            offset: &offset,
            under: &under,
            look,
            text_end: area.right(),
            small,
        },
    );
    if (2..=40).contains(&batch.records.len()) {
        // Where its records begin, as short strokes at the lower edge.
        let start = scale.at(batch.position.get().into());
        let mut path = Path::at(start + 5, area.bottom() - 75);
        let (mut x, mut down) = (0, 0);
        for record in &batch.records {
            let at = scale.at(record.position.get().into()) - start;
            path = path.m(at - x, -down).v(70);
            (x, down) = (at, 70);
        }
        canvas.path("/records", "divider", path);
    }
    canvas.close();
}

/// The accessible name of a batch.
fn label(batch: &BatchView) -> String {
    let (position, size) = (number(batch.position.get().into()), words::exact(batch.size));
    let facts = cat(&[
        ", byte ",
        &position,
        ", ",
        &size,
        ", timestamp ",
        &batch
            .timestamp
            .map_or_else(|| words::NO_TIME.to_string(), |time| time.to_string()),
    ]);
    if batch.magic < 2 {
        cat(&["record ", &number(batch.first_offset.get()), &facts])
    } else {
        let records = words::count(batch.records.len(), "record", "records");
        cat(&["batch of ", &records, ", offsets ", &words::offsets(batch), &facts])
    }
}

/// What is free up to the limit.
fn rest(drawing: &mut Drawing<'_>, segment: &SegmentView, log: Log) {
    let (end, limit) = (log.scale.at(segment.size), log.scale.at(drawing.lane_bytes()));
    if limit <= end {
        return;
    }
    let area = Area {
        x: end,
        w: limit - end,
        ..log.records
    };
    let free = words::exact(drawing.lane_bytes() - segment.size);
    let unused = cat(&[&free, " unused"]);
    // Something else is drawn there while an append is on its way.
    let busy = match (drawing.focus.append, drawing.focus.roll) {
        (Some(_), _) => drawing.focus.rolled.is_some(),
        (None, Some(roll)) => roll.it.base == segment.base,
        (None, None) => false,
    };
    let wordings = match (segment.active, segment.size) {
        _ if busy => ["", ""],
        (true, 0) => ["the next append goes here", "empty"],
        (true, _) => ["appends go here", "appends"],
        (false, _) if drawing.limit_in_sight() => [&*unused, &free],
        (false, _) => ["", ""],
    };
    let canvas = &mut drawing.canvas;
    canvas
        .rect(
            "/tail",
            if segment.active { "tail active" } else { "tail" },
            area.cell(),
            0,
        )
        .enters(Enter::Travel);
    if let Some(text) = fitting("", area.w - 80, &wordings) {
        canvas
            .word("/rest", "muted", area.middle() + 5, area.y + area.h / 2 + 43, text)
            .middle()
            .enters(Enter::Tick);
    }
}
