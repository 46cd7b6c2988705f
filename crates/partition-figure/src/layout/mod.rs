//! A frame and a width to a scene.

mod append;
mod focus;
mod lanes;
mod line;
mod log;
mod opened;
mod overview;
mod pair;
mod plan;
mod pointers;
mod remarks;
mod retention;
mod tables;
mod words;

use partition_log::questions::view::{PartitionView, SegmentView};
use partition_log::units::Offset;

use crate::marks::scale::Scale;
use crate::metrics::fitting;
use crate::scene::{Canvas, Scene};
use focus::{Focus, Stage};
use partition_story::Frame;
use plan::Plan;
pub use plan::{Arrangement, LANES};

/// Lays out a frame for a width in px.
///
/// The same frame and width always give the same scene, and all frames of one story give scenes of the same height. Works
/// from 280 px; a narrower scene is laid out for 280.
pub fn layout(frame: &Frame, width: u32) -> Scene {
    let mut drawing = Drawing::new(frame, width);
    overview::draw(&mut drawing);
    let stage = drawing.stage;
    // The panel lies under the lanes that are its tab.
    match stage {
        Stage::Open(base) => opened::panel(&mut drawing, &[base]),
        Stage::Pair(full, next) => opened::panel(
            &mut drawing,
            &[Some(full), next].into_iter().flatten().collect::<Vec<_>>(),
        ),
        Stage::Line | Stage::Retention(_) => {}
    }
    lanes::draw(&mut drawing);
    match stage {
        Stage::Open(base) => opened::draw(&mut drawing, base),
        Stage::Pair(full, next) => pair::draw(&mut drawing, full, next),
        Stage::Line => line::draw(&mut drawing),
        Stage::Retention(rule) => retention::draw(&mut drawing, rule),
    }
    Scene {
        width: drawing.plan.width,
        height: drawing.plan.height,
        title: overview::title(&drawing),
        nodes: drawing.canvas.into_nodes(),
    }
}

/// What every part of the layout needs.
struct Drawing<'a> {
    frame: &'a Frame,
    view: &'a PartitionView,
    focus: Focus<'a>,
    stage: Stage,
    plan: Plan,
    /// All segments: those in the log and those waiting for removal, by base offset.
    all: Vec<Shown<'a>>,
    /// Which of them stand side by side.
    lanes: core::ops::Range<usize>,
    canvas: Canvas,
}

/// A segment, live or deleted.
#[derive(Clone, Copy)]
struct Shown<'a> {
    segment: &'a SegmentView,
    deleted: bool,
    /// Its place among all segments, from 1.
    ordinal: usize,
}

impl<'a> Drawing<'a> {
    fn new(frame: &'a Frame, width: u32) -> Drawing<'a> {
        let focus = Focus::of(frame);
        let view = &frame.view;
        let stage = match focus.stage(frame) {
            Stage::Open(base) if find(view, base).is_none() => Stage::Line,
            Stage::Pair(full, _) if find(view, full).is_none() => Stage::Line,
            Stage::Pair(full, Some(next)) if find(view, next).is_none() => Stage::Pair(full, None),
            stage => stage,
        };
        let all = in_order(view);
        let wanted = match stage {
            Stage::Open(base) | Stage::Pair(base, _) => all.iter().position(|shown| shown.segment.base == base),
            // The oldest go first; in a long check the view follows it.
            Stage::Retention(_) => {
                let asked = focus.retention.last().map(|seen| seen.it.base);
                let asked = all.iter().position(|shown| Some(shown.segment.base) == asked);
                Some(asked.unwrap_or(0).saturating_sub(LANES - 2))
            }
            Stage::Line => None,
        };
        let first = all.len().saturating_sub(LANES).min(wanted.unwrap_or(all.len()));
        let last = (first + LANES).min(all.len());
        let plan = Plan::new(width, &frame.extents);
        Drawing {
            frame,
            view,
            focus,
            stage,
            plan,
            all,
            lanes: first..last,
            canvas: Canvas::default(),
        }
    }

    /// The segments side by side.
    fn shown(&self) -> &[Shown<'a>] {
        &self.all[self.lanes.clone()]
    }

    /// Segments older and newer than those.
    fn hidden(&self) -> (usize, usize) {
        (self.lanes.start, self.all.len() - self.lanes.end)
    }

    /// A segment by its base offset, live or deleted.
    fn segment(&self, base: Offset) -> Option<&'a SegmentView> {
        find(self.view, base)
    }

    /// The lane of a segment, if it has one.
    fn entry_number(&self, base: Offset) -> Option<usize> {
        self.shown().iter().position(|shown| shown.segment.base == base)
    }

    /// Bytes that a whole lane stands for: up to `segment.bytes`, unless that dwarfs every segment of the story.
    fn lane_bytes(&self) -> u64 {
        let largest = self
            .frame
            .extents
            .segment_size
            .max(self.shown().iter().map(|shown| shown.segment.size).max().unwrap_or(0));
        let limit = self.view.settings.segment_bytes.max(1) as u64;
        if limit <= largest.max(1) * 8 {
            limit.max(largest)
        } else {
            largest + largest / 4 + 1
        }
    }

    /// The scale of an opened log: room for the record that would pass the limit, where a story has one.
    fn log_scale(&self, x: i32, width: i32) -> Scale {
        let over = if self.frame.extents.rolls {
            self.frame.extents.batch_size
        } else {
            0
        };
        Scale::new(x, width, self.lane_bytes() + over)
    }

    /// Whether the frame asks in which segment an offset is: the first frame of a story that only looks one up.
    fn asks(&self) -> bool {
        let extents = &self.frame.extents;
        let only = !extents.appends && !extents.time_searches && !extents.time_checks && !extents.size_checks;
        self.frame.index == 0 && extents.reads && only && self.view.log_end > Offset::ZERO
    }

    /// Whether `segment.bytes` has its place in a lane.
    fn limit_in_sight(&self) -> bool {
        self.lane_bytes() == self.view.settings.segment_bytes as u64
    }

    /// The rule above a lower part that is not a panel, and its heading.
    fn heading(&mut self, long: &str, short: &str) {
        let (left, right) = (self.plan.left, self.plan.right);
        let y = self.plan.stage.y;
        let class = if self.plan.stacked() { "bold" } else { "s13 bold" };
        let text = fitting(class, right - left, &[long, short]).unwrap_or(short);
        let baseline = y + if self.plan.stacked() { 220 } else { 270 };
        self.canvas
            .line("heading/rule", "rule", (left, y + 35), (right - left, 0));
        self.canvas.word("heading/text", class, left, baseline, text);
    }

    /// First offset of the record or batch that this step touches.
    fn touched(&self) -> Option<Offset> {
        if let Some(append) = self.focus.append {
            return Some(append.it.first_offset);
        }
        let scan = self.focus.scans.last()?;
        let segment = self.segment(scan.it.base)?;
        segment
            .batches
            .iter()
            .find(|batch| batch.position == scan.it.position)
            .map(|batch| batch.first_offset)
    }
}

/// Live and deleted segments by base offset; each kind is in order already.
fn in_order(view: &PartitionView) -> Vec<Shown<'_>> {
    let (mut live, mut deleted) = (view.segments.iter().peekable(), view.deleted.iter().peekable());
    let mut all = Vec::new();
    loop {
        let first_deleted = match (live.peek(), deleted.peek()) {
            (None, None) => return all,
            (Some(live), Some(deleted)) => deleted.base <= live.base,
            (live, _) => live.is_none(),
        };
        let next = if first_deleted { deleted.next() } else { live.next() };
        all.extend(next.map(|segment| Shown {
            segment,
            deleted: first_deleted,
            ordinal: all.len() + 1,
        }));
    }
}

fn find(view: &PartitionView, base: Offset) -> Option<&SegmentView> {
    view.segments
        .iter()
        .chain(&view.deleted)
        .find(|segment| segment.base == base)
}
