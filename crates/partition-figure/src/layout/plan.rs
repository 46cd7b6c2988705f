//! Where everything stands: a function of the width and of the story's extents, so the same in all its frames.

use crate::scene::Area;
use partition_log::disk::FileKind;
use partition_story::Extents;

/// The three ways to lay out a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// A strip of segments, and one of them opened below. Works down to 288 px.
    Stacked,
    /// Segments side by side with their files; one of them opened across the full width.
    Columns,
    /// The same with the index tables beside the log.
    Open,
}

impl Arrangement {
    /// By the scene's width in px.
    pub const fn of(width: u32) -> Arrangement {
        match width {
            0..600 => Arrangement::Stacked,
            600..1040 => Arrangement::Columns,
            _ => Arrangement::Open,
        }
    }
}

/// Segments that are drawn side by side; older ones are counted in words.
pub const LANES: usize = 4;

/// Rows that a table of index entries shows at most.
const ROWS: usize = 3;

/// Lowest width that is laid out, px; narrower scenes are cut by whoever shows them.
const NARROWEST: u32 = 280;

/// The fixed places of a scene. Unit: tenths of a px.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The arrangement.
    pub arrangement: Arrangement,
    /// Width of the scene.
    pub width: i32,
    /// Height of the scene.
    pub height: i32,
    /// Left end of the content.
    pub left: i32,
    /// Right end of the content.
    pub right: i32,
    /// The line of offsets and, where there is room, the size of the log.
    pub strip: Area,
    /// Upper edge of the row of segments.
    pub lanes_top: i32,
    /// Whether there is a line that counts segments not drawn.
    pub more: bool,
    /// Gauges below the files of a segment.
    pub gauges: i32,
    /// The lower part.
    pub stage: Area,
    /// Whether the story searches by time: its comparisons are longer.
    pub searches_times: bool,
    /// Rows of the two tables of index entries.
    rows: (usize, usize),
}

impl Plan {
    /// Lays out a width in px.
    pub fn new(width: u32, extents: &Extents) -> Plan {
        let arrangement = Arrangement::of(width);
        let width = width.max(NARROWEST) as i32 * 10;
        let (left, right) = (80, width - 80);
        let more = extents.lanes > LANES;
        let note = if more { 160 } else { 0 };
        let gauges = 1 + i32::from(extents.time_checks);
        // A third row only where a search goes through it: while appending, the last two entries tell enough.
        let most = if extents.time_searches { ROWS } else { 2 };
        let rows = (
            extents.offset_entries.clamp(2, most),
            extents.time_entries.clamp(2, most),
        );
        let stacked = arrangement == Arrangement::Stacked;
        let strip = if stacked {
            Area {
                x: left,
                y: 370,
                w: right - left,
                h: 370,
            }
        } else {
            Area {
                x: left,
                y: 300,
                w: right - left,
                h: 380,
            }
        };
        let lanes_top = strip.bottom() + if stacked { 60 } else { 80 } + note;
        let lanes_height = if stacked { 500 } else { 1400 + gauges * 200 };
        let stage_top = lanes_top + lanes_height + if stacked { 70 } else { 40 };
        let mut plan = Plan {
            arrangement,
            width,
            height: 0,
            left,
            right,
            strip,
            lanes_top,
            more,
            gauges,
            stage: Area {
                x: 0,
                y: stage_top,
                w: width,
                h: 0,
            },
            searches_times: extents.time_searches,
            rows,
        };
        let mut height = plan.line_height();
        if extents.reads || extents.time_searches || extents.appends {
            height = height.max(plan.open_height());
        }
        if extents.rolls {
            height = height.max(plan.pair_height());
        }
        if extents.size_checks || extents.time_checks {
            height = height.max(plan.retention_height());
        }
        plan.stage.h = height;
        plan.height = plan.stage.bottom() + 10;
        plan
    }

    /// Rows of the table of an index.
    pub fn rows_of(&self, kind: FileKind) -> usize {
        if kind == FileKind::TimeIndex {
            self.rows.1
        } else {
            self.rows.0
        }
    }

    /// Whether the scene is narrow.
    pub fn stacked(&self) -> bool {
        self.arrangement == Arrangement::Stacked
    }

    /// The place of one of the segments side by side.
    pub fn lane(&self, entry_number: usize) -> Area {
        let gap = if self.stacked() { 80 } else { 160 };
        let pitch = |entry_number: usize| {
            self.left + (self.right - self.left + gap) * entry_number as i32 / LANES as i32 / 10 * 10
        };
        Area {
            x: pitch(entry_number),
            y: self.lanes_top,
            w: pitch(entry_number + 1) - gap - pitch(entry_number),
            h: self.stage.y - self.lanes_top,
        }
    }

    /// Height of a segment's records in the opened log.
    pub fn record_height(&self) -> i32 {
        match self.arrangement {
            Arrangement::Stacked => 360,
            Arrangement::Columns => 400,
            Arrangement::Open => 440,
        }
    }

    /// Distance of one entry of an index table from the next: the smallest that a finger can choose from.
    pub fn row_pitch(&self) -> i32 {
        240
    }

    /// From the upper edge of the stage to the upper edge of the opened records: the file's name, and what is said of
    /// the records.
    pub fn records_drop(&self) -> i32 {
        if self.stacked() { 470 } else { 550 }
    }

    /// From the upper edge of the stage to the index tables, below the log.
    pub fn tables_drop(&self) -> i32 {
        self.records_drop() + self.record_height() + if self.stacked() { 260 } else { 310 }
    }

    /// Room for the comparisons left of the entries of a table; a narrow scene has them in the rows.
    pub fn probe_room(&self) -> i32 {
        match (self.stacked(), self.searches_times) {
            (true, _) => 0,
            (false, true) => 1480,
            (false, false) => 1360,
        }
    }

    /// From the upper edge of a table to its first entry.
    pub fn table_head(&self) -> i32 {
        if self.stacked() { 210 } else { 220 }
    }

    /// From the upper edge of the stage to the records of the segment that is full. The sum stands beside its name
    /// where there is room.
    pub fn full_drop(&self) -> i32 {
        if self.stacked() { self.records_drop() } else { 340 }
    }

    /// From the records of the segment that is full to the name of the next one, and from there to its records.
    pub fn next_drops(&self) -> (i32, i32) {
        if self.stacked() { (260, 240) } else { (280, 270) }
    }

    fn open_height(&self) -> i32 {
        let pitch = self.row_pitch();
        let (index, time) = (self.rows.0 as i32 * pitch, self.rows.1 as i32 * pitch);
        match self.arrangement {
            Arrangement::Open => 380 + 2 * self.table_head() + index + 60 + time + 30,
            _ => self.tables_drop() + self.table_head() + index.max(time) + 30,
        }
    }

    fn pair_height(&self) -> i32 {
        let (name, records) = self.next_drops();
        self.full_drop() + 2 * self.record_height() + name + records + if self.stacked() { 220 } else { 250 }
    }

    fn retention_height(&self) -> i32 {
        if self.stacked() { 1880 } else { 1820 }
    }

    fn line_height(&self) -> i32 {
        if self.stacked() { 1560 } else { 1700 }
    }
}
