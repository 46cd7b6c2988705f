//! A record: a box as wide as its bytes, its offset in bold, below it its size, or its time where time decides.

use crate::marks::hatch::hatch;
use crate::metrics::{cat, fitting, room};
use crate::scene::{Area, Canvas};

/// State of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// On disk.
    Stored,
    /// What this step touches.
    Touched,
    /// Where it would go.
    WouldBe,
    /// In a deleted segment.
    Deleted,
}

/// What to draw.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Its box.
    pub area: Area,
    /// Its offset, in one or more wordings, longest first.
    pub offset: &'a [&'a str],
    /// The second line, in one or more wordings, longest first.
    pub under: &'a [&'a str],
    /// Its state.
    pub look: Look,
    /// Where its texts have to end: the box's right edge, or a line that crosses it.
    pub text_end: i32,
    /// Whether the scene is narrow.
    pub small: bool,
}

/// Draws the box and what fits on it.
pub fn record(canvas: &mut Canvas, key: &str, record: Record<'_>) {
    let Record {
        area,
        offset,
        under,
        look,
        text_end,
        small,
    } = record;
    let class = match look {
        Look::Stored => "record",
        Look::Touched => "record touched",
        Look::WouldBe => "would-be",
        Look::Deleted => "record deleted",
    };
    canvas.rect(
        cat(&[key, "/box"]),
        class,
        Area {
            x: area.x + 5,
            y: area.y + 5,
            w: area.w,
            h: area.h - 10,
        },
        0,
    );
    if look == Look::Deleted {
        hatch(
            canvas,
            cat(&[key, "/hatch"]),
            "hatch",
            Area {
                x: area.x + 5,
                y: area.y + 5,
                w: area.w,
                h: area.h - 10,
            },
        );
    }
    let (pad, large) = if small { (50, "s14 bold") } else { (85, "s16 bold") };
    let free = text_end - area.x - pad - 20;
    let text = fitting(large, free, offset);
    let second = fitting("", free, under);
    if look == Look::Deleted {
        let widest = text
            .map_or(0, |text| room(large, text))
            .max(second.map_or(0, |text| room("", text)));
        if widest > 0 {
            let plate = Area {
                x: area.x + pad - 30,
                y: area.y + 40,
                w: widest + 40,
                h: area.h - 80,
            };
            canvas.rect(cat(&[key, "/plate"]), "plate", plate, 20);
        }
    }
    // Two lines stand around the middle, one on it.
    let middle = area.y + area.h / 2;
    if let Some(text) = text {
        let drop = if second.is_some() { -10 } else { 55 };
        canvas.word(cat(&[key, "/offset"]), large, area.x + pad, middle + drop, text);
    }
    if let Some(text) = second {
        let drop = if text_is_alone(offset) { 43 } else { 145 };
        canvas.word(cat(&[key, "/size"]), "", area.x + pad, middle + drop, text);
    }
}

fn text_is_alone(offset: &[&str]) -> bool {
    offset.is_empty()
}

/// The box of a record in a lane.
pub fn small(canvas: &mut Canvas, key: String, area: Area, touched: bool, deleted: bool) {
    let class = match (touched, deleted) {
        (true, _) => "record touched",
        (false, true) => "record deleted",
        (false, false) => "record",
    };
    canvas.rect(
        key,
        class,
        Area {
            x: area.x + 5,
            y: area.y + 5,
            w: area.w,
            h: area.h - 10,
        },
        0,
    );
}

/// The offset of a record in a lane, in the middle of its box, on a plate where that is hatched.
pub fn small_offset(canvas: &mut Canvas, key: &str, area: Area, offset: &[&str], touched: bool, deleted: bool) {
    let class = if touched { "bold" } else { "" };
    let Some(text) = fitting(class, area.w + 5, offset) else {
        return;
    };
    let middle = area.y + area.h / 2;
    if deleted {
        let w = room("", text).min(area.w - 10);
        let plate = Area {
            x: area.x + 5 + (area.w - w) / 2,
            y: middle - 75,
            w,
            h: 150,
        };
        canvas.rect(cat(&[key, "/plate"]), "plate", plate, 20);
    }
    canvas
        .word(
            cat(&[key, "/offset"]),
            class,
            area.x + 5 + area.w / 2,
            middle + 43,
            text,
        )
        .middle();
}
