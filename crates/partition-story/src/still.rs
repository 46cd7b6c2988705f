//! Frames of any partition, without a scenario.

use std::rc::Rc;

use partition_log::PartitionState;
use partition_log::error::LogError;
use partition_log::questions::verdict::Verdict;
use partition_log::questions::view::{PartitionView, SegmentView};
use partition_log::rules::retention::RetentionRule;
use partition_log::step::Step;

use crate::beat::{Manner, beats};
use crate::frame::{Extents, Frame, Trail};
use crate::sentence;

impl Frame {
    /// A partition as it is: one frame, in which nothing happens.
    ///
    /// ```
    /// use partition_log::{Partition, config::Settings};
    /// use partition_story::Frame;
    ///
    /// let partition = Partition::create(Settings::default(), 0)?;
    /// let frame = Frame::still(partition.state());
    /// assert_eq!(frame.sentence.to_string(), "Segment 0 is empty and waits for the first record.");
    /// # Ok::<(), partition_log::LogError>(())
    /// ```
    pub fn still(state: &PartitionState) -> Frame {
        let view = state.view();
        let mut extents = Extents::default();
        extents.see(&view);
        Frame {
            index: 0,
            total: 1,
            phase: None,
            command: String::new(),
            trail: Trail::default(),
            sentence: sentence::of_set_up(&view),
            before: view.clone(),
            view,
            extents,
        }
    }

    /// What an operation did to a partition, a frame a beat: the partition as it was before, and the steps that the
    /// operation left ([`Partition::steps`](partition_log::Partition::steps)). `command` is what a picture calls it. There
    /// are no frames where there are no steps.
    ///
    /// # Errors
    ///
    /// [`LogError`]: a write among the steps does not fit the state.
    ///
    /// ```
    /// use partition_log::{Partition, config::Settings, format::batch::NewBatch};
    /// use partition_story::Frame;
    ///
    /// let mut partition = Partition::create(Settings::default(), 0)?;
    /// let before = partition.state().clone();
    /// partition.append(&NewBatch::Message { size: 40, timestamp: None, key: None })?;
    /// let frames = Frame::of_steps(&before, "append 40B", partition.steps())?;
    /// assert_eq!(frames[0].view.log_end.get(), 1);
    /// assert!(frames[0].sentence.to_string().contains("offset 0 goes to byte 0 of segment 0"));
    /// # Ok::<(), partition_log::LogError>(())
    /// ```
    pub fn of_steps(before: &PartitionState, command: &str, steps: &[Step]) -> Result<Vec<Frame>, LogError> {
        let mut extents = Extents::default();
        let mut state = before.clone();
        let mut view = state.view();
        extents.see(&view);
        steps.iter().for_each(|step| extents.note(step));
        let all: Rc<[Step]> = steps.into();
        let mut frames = Vec::new();
        let beats = beats(steps, Manner::Closely);
        for (index, beat) in beats.iter().enumerate() {
            for step in &steps[beat.steps.clone()] {
                state.apply(step)?;
            }
            let after = state.view();
            extents.see(&after);
            frames.push(Frame {
                index,
                total: beats.len(),
                phase: None,
                command: command.to_string(),
                trail: Trail {
                    all: Rc::clone(&all),
                    beat: beat.steps.clone(),
                },
                sentence: sentence::of_beat(&steps[..beat.steps.end], beat),
                before: core::mem::replace(&mut view, after.clone()),
                view: after,
                extents: Extents::default(),
            });
        }
        frames.iter_mut().for_each(|frame| frame.extents = extents.clone());
        Ok(frames)
    }
}

impl Extents {
    /// Counts what there is now.
    fn see(&mut self, view: &PartitionView) {
        self.lanes = self.lanes.max(view.segments.len() + view.deleted.len());
        view.segments
            .iter()
            .chain(&view.deleted)
            .for_each(|segment| self.see_segment(segment));
        self.log_size = self.log_size.max(view.log_size);
        self.log_end = self.log_end.max(view.log_end);
        self.clock = self.clock.max(view.clock);
        self.consumer |= view.committed.is_some();
    }

    fn see_segment(&mut self, segment: &SegmentView) {
        let records = segment.batches.iter().map(|batch| batch.records.len()).sum();
        self.offset_entries = self.offset_entries.max(segment.offset_index.entries.len());
        self.time_entries = self.time_entries.max(segment.time_index.entries.len());
        self.records = self.records.max(records);
        self.segment_size = self.segment_size.max(segment.size);
        self.batch_size = segment
            .batches
            .iter()
            .map(|batch| batch.size)
            .fold(self.batch_size, u64::max);
        // A verdict tells which rules look at the segment.
        match segment.verdict {
            Verdict::TooYoung { .. }
            | Verdict::WaitsForCheck {
                rule: RetentionRule::Time,
                ..
            } => self.time_checks = true,
            Verdict::WaitsForCheck {
                rule: RetentionRule::Size,
                ..
            } => self.size_checks = true,
            _ => {}
        }
    }
}
