//! The tag of a file: its kind as letter, shape and colour. L square, I chevron, T round; 16 px.

use partition_log::disk::FileKind;

use crate::scene::{Area, Canvas, Enter, Path};

/// State of the file that a tag stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// There, in the colour of its kind.
    Live,
    /// There, but not what this is about.
    Neutral,
    /// Waiting for its removal.
    Deleted,
    /// Not created yet.
    Absent,
}

/// Draws a tag with its upper left corner at a point, in the file's group.
pub fn tag(canvas: &mut Canvas, kind: FileKind, look: Look, x: i32, y: i32) {
    let class = match (look, kind) {
        (Look::Neutral, _) => "tag",
        (Look::Deleted, _) => "tag deleted",
        (Look::Absent, _) => "tag absent",
        (Look::Live, FileKind::Index) => "tag index",
        (Look::Live, FileKind::TimeIndex) => "tag timeindex",
        (Look::Live, _) => "tag log",
    };
    let shape = "/tag";
    let (letter, middle) = match kind {
        FileKind::Index => {
            let path = Path::at(x + 5, y + 5).h(100).l(50, 75).l(-50, 75).h(-100).z();
            canvas.path(shape, class, path).enters(Enter::Tick);
            ("I", 65)
        }
        FileKind::TimeIndex => {
            canvas.circle(shape, class, x + 80, y + 80, 75).enters(Enter::Tick);
            ("T", 80)
        }
        _ => {
            canvas
                .rect(shape, class, Area { x, y, w: 160, h: 160 }.outline(), 10)
                .enters(Enter::Tick);
            ("L", 80)
        }
    };
    canvas.word("/letter", "bold", x + middle, y + 123, letter).middle();
}
