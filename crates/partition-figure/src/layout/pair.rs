//! A roll: the segment that is full, the record that would pass its limit, and the segment that it goes to.

use partition_log::disk::FileKind;
use partition_log::units::Offset;

use crate::layout::Drawing;
use crate::layout::append::fits;
use crate::layout::log::{Log, log};
use crate::layout::opened::file_head;
use crate::marks::arrow::{Way, dot, head, pointer};
use crate::marks::tag::{self, tag};
use crate::metrics::{cat, fitting, number};
use crate::scene::{Area, Enter, Path};

/// Draws both segments.
pub fn draw(drawing: &mut Drawing<'_>, full: Offset, next: Option<Offset>) {
    let Some((segment, roll)) = drawing.segment(full).zip(drawing.focus.roll) else {
        return;
    };
    let decision = roll.it;
    let stacked = drawing.plan.stacked();
    let inset = if stacked { 0 } else { 80 };
    let (left, right) = (drawing.plan.left + inset, drawing.plan.right - inset);
    let stage = drawing.plan.stage;
    let h = drawing.plan.record_height();
    let scale = drawing.log_scale(left, right - left - 10);
    let place = |y: i32| Log {
        records: Area::new(left, y, right - left, h),
        scale,
        right,
    };
    let (name, records) = drawing.plan.next_drops();
    let upper = place(stage.y + drawing.plan.full_drop());
    let top = upper.records.bottom() + name;
    let lower = place(top + records);
    let said = file_head(drawing, segment, (left, stage.y + 60), right, false);
    // The way of the record to its place leads through the ruler, left of the limit.
    let limit = scale.at(decision.segment_bytes.min(decision.total()));
    let down = (limit - 140).max(scale.at(decision.size) + 80);
    log(drawing, segment, upper, &[(down - 30, down + 30)]);
    fits(drawing, segment, upper, if stacked { left } else { said + 160 });
    let Some(opened) = next.and_then(|next| drawing.segment(next)) else {
        let canvas = &mut drawing.canvas;
        let area = Area::new(left, lower.records.y, scale.at(decision.segment_bytes) - left, h);
        canvas.open(
            "next",
            "",
            Area {
                y: top,
                h: area.bottom() - top,
                ..area
            },
        );
        tag(canvas, FileKind::Log, tag::Look::Absent, left, top + 10);
        let text = cat(&[
            "segment ",
            &number(decision.append_last_offset.get()),
            ", not created yet",
        ]);
        canvas.word("/name", "muted", left + 240, top + 135, &text);
        canvas.rect("/box", "tail", area.cell(), 0);
        if let Some(text) = fitting("", area.w, &["a new file begins at byte 0", "a new file"]) {
            canvas
                .word("/text", "muted", area.middle(), area.y + h / 2 + 43, text)
                .middle();
        }
        canvas.close();
        return;
    };
    file_head(drawing, opened, (left, top), right, false);
    log(drawing, opened, lower, &[]);
    let Some(append) = drawing.focus.append.filter(|append| append.it.base == opened.base) else {
        return;
    };
    let end = scale.at(opened.size) + 5;
    let (from, to) = (upper.records.bottom(), lower.records.y + h / 2);
    let r = 80;
    if down - r > end + 80 {
        let canvas = &mut drawing.canvas;
        let path = Path::at(down, from)
            .v(to - r - from)
            .corner((0, r), (-r, 0))
            .h(end + 120 - (down - r));
        canvas.open("hop", "", Area::new(end, from, down - end, to - from));
        canvas.path("/line", pointer(append.fresh), path).enters(Enter::Hop);
        dot(canvas, append.fresh, down, from);
        head(canvas, append.fresh, (end + 40, to), Way::Left);
        canvas.close();
    }
}
