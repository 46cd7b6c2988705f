//! An entry of an index: `2 → 115` in a row.

use partition_log::disk::FileKind;

use crate::metrics::{Face, cat};
use crate::scene::{Area, Canvas, spans};

/// State of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// In a file that the command uses.
    Plain,
    /// The entry that a search ended at, or the one just written.
    Hit,
    /// In a file that the command does not read.
    Muted,
}

/// What to draw.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Its row.
    pub area: Area,
    /// Which index.
    pub kind: FileKind,
    /// Relative offset or time, padded to the width of the column with no-break spaces.
    pub from: &'a str,
    /// Position or relative offset, padded likewise.
    pub to: &'a str,
    /// Its state.
    pub look: Look,
    /// Whether the text stands at the left, with room for a comparison behind it.
    pub at_left: bool,
}

/// Draws the row, in the entry's group.
pub fn entry(canvas: &mut Canvas, entry: Entry<'_>) {
    let Entry {
        area,
        kind,
        from,
        to,
        look,
        at_left,
    } = entry;
    let class = match (look, kind) {
        (Look::Hit, FileKind::TimeIndex) => "entry hit timeindex",
        (Look::Hit, _) => "entry hit index",
        _ => "entry",
    };
    let inset = if look == Look::Hit { 10 } else { 5 };
    let row = Area::new(area.x + inset, area.y + inset, area.w - 2 * inset, area.h - 2 * inset);
    canvas.rect("/row", class, row, 20);
    let text = cat(&[from, " → ", to]);
    let large = if at_left { "" } else { "s13 " };
    let face = Face::of(large).with("mono");
    let x = if at_left {
        area.x + 60
    } else {
        area.x + (area.w - face.width(&text)) / 2
    };
    let spans = spans(&[("", from), ("muted", "\u{a0}→\u{a0}"), ("", to)]);
    let class = match (look == Look::Muted, at_left) {
        (true, true) => "mono muted",
        (false, true) => "mono",
        (true, false) => "s13 mono muted",
        (false, false) => "s13 mono",
    };
    canvas.text("/text", class, x, area.y + area.h / 2 + 45, spans);
}
