//! A roll: the segment that is full, the record that would pass its limit, and the segment that it goes to.

use partition_log::units::Offset;

use crate::layout::Drawing;
use crate::layout::opened::{Log, file_head, fits, log};
use crate::marks::arrow::{Way, dot, head, pointer};
use crate::marks::tag::{self, tag};
use crate::metrics::{cat, fitting, number};
use crate::scene::{Area, Enter, Path};

/// Draws both segments.
pub fn draw(drawing: &mut Drawing<'_>, full: Offset, next: Option<Offset>) {
    let Some(segment) = drawing.segment(full) else {
        return;
    };
    let stacked = drawing.plan.stacked();
    let inset = if stacked { 0 } else { 80 };
    let (left, right) = (drawing.plan.left + inset, drawing.plan.right - inset);
    let stage = drawing.plan.stage;
    let h = drawing.plan.record_height();
    let scale = drawing.log_scale(left, right - left - 10);
    let place = |y: i32| Log {
        records: Area {
            x: left,
            y,
            w: right - left,
            h,
        },
        scale,
        right,
    };
    let (name, records) = drawing.plan.next_drops();
    let upper = place(stage.y + drawing.plan.full_drop());
    let top = upper.records.bottom() + name;
    let lower = place(top + records);
    let said = file_head(drawing, segment, (left, stage.y + 60), right, false);
    // The way of the record to its place leads through the ruler, left of the limit.
    let Some(decision) = drawing.focus.roll.map(|roll| roll.it.clone()) else {
        return;
    };
    let limit = scale.at(decision.segment_bytes.min(decision.total()));
    let down = (limit - 140).max(scale.at(decision.size) + 80);
    log(drawing, segment, upper, &[(down - 30, down + 30)]);
    fits(drawing, segment, upper, if stacked { left } else { said + 160 });
    let opened = next.and_then(|next| drawing.segment(next));
    let Some(opened) = opened else {
        let canvas = &mut drawing.canvas;
        tag(
            canvas,
            "next",
            partition_log::vfs::FileKind::Log,
            tag::Look::Absent,
            left,
            top + 10,
        );
        let name = decision.append_last_offset.get();
        let text = cat(&["segment ", &number(name), ", not created yet"]);
        canvas.word("next/name".to_string(), "muted", left + 240, top + 135, text);
        let whole = scale.at(decision.segment_bytes);
        let area = Area {
            x: left,
            y: lower.records.y,
            w: whole - left,
            h,
        };
        canvas.rect(
            "next/box".to_string(),
            "tail",
            Area {
                x: left + 5,
                y: area.y + 5,
                w: area.w,
                h: h - 10,
            },
            0,
        );
        let text = fitting("", area.w, &["a new file begins at byte 0", "a new file"])
            .unwrap_or("")
            .to_string();
        canvas
            .word(
                "next/text".to_string(),
                "muted",
                area.middle(),
                area.y + h / 2 + 43,
                text,
            )
            .middle();
        return;
    };
    file_head(drawing, opened, (left, top), right, false);
    log(drawing, opened, lower, &[]);
    let Some(append) = drawing.focus.append.filter(|append| append.it.base == opened.base) else {
        return;
    };
    let fresh = append.fresh;
    let end = scale.at(opened.size) + 5;
    let (from, to) = (upper.records.bottom(), lower.records.y + h / 2);
    let r = 80;
    let canvas = &mut drawing.canvas;
    if down - r > end + 80 {
        let path = Path::at(down, from)
            .v(to - r - from)
            .corner((0, r), (-r, 0))
            .h(end + 120 - (down - r));
        canvas
            .path("hop/line".to_string(), pointer(fresh), path)
            .enters(Enter::Hop);
        dot(canvas, "hop", fresh, down, from);
        head(canvas, "hop", fresh, (end + 40, to), Way::Left);
    }
}
