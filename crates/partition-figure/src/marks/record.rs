//! A record: a box as wide as its bytes, its offset in bold, below it its size, or its time where time decides.

use crate::marks::hatch::hatch;
use crate::metrics::{cat, fitting, room};
use crate::scene::{Area, Canvas, Enter};

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

/// Draws the box and what fits on it, in the record's group.
pub fn record(canvas: &mut Canvas, record: Record<'_>) {
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
    canvas.rect("/box", class, area.cell(), 0).enters(Enter::Travel);
    if look == Look::Deleted {
        hatch(canvas, "/hatch", "hatch", area.cell());
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
            let plate = Area::new(area.x + pad - 30, area.y + 40, widest + 40, area.h - 80);
            canvas.rect("/plate", "plate", plate, 20);
        }
    }
    // Two lines stand around the middle, one on it.
    let middle = area.y + area.h / 2;
    if let Some(text) = text {
        let drop = if second.is_some() { -10 } else { 55 };
        canvas.word("/offset", large, area.x + pad, middle + drop, text);
    }
    if let Some(text) = second {
        canvas.word("/size", "", area.x + pad, middle + 145, text);
    }
}

/// The box of a record in a lane.
pub fn small(canvas: &mut Canvas, key: &str, area: Area, touched: bool, deleted: bool) {
    let class = match (touched, deleted) {
        (true, _) => "record touched",
        (false, true) => "record deleted",
        (false, false) => "record",
    };
    canvas.rect(key, class, area.cell(), 0).enters(Enter::Travel);
}

/// The offset of a record in a lane, in the middle of its box, on a plate where that is hatched.
pub fn small_offset(canvas: &mut Canvas, key: &str, area: Area, offset: &[&str], touched: bool, deleted: bool) {
    let class = if touched { "bold" } else { "" };
    let Some(text) = fitting(class, area.w + 5, offset) else {
        return;
    };
    let (x, y) = (area.x + 5 + area.w / 2, area.y + area.h / 2);
    if deleted {
        let w = room("", text).min(area.w - 10);
        canvas
            .rect(
                &cat(&[key, "/plate"]),
                "plate",
                Area::new(x - w / 2, y - 75, w, 150),
                20,
            )
            .enters(Enter::Hatch);
    }
    canvas
        .word(&cat(&[key, "/offset"]), class, x, y + 43, text)
        .middle()
        .enters(Enter::Tick);
}
