//! Stand-in until the story's frames exist.
#![allow(missing_docs)]
use partition_log::step::Step;
use partition_log::units::{Offset, TimestampMs};
use partition_log::view::PartitionView;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extents {
    pub lanes: usize,
    pub offset_entries: usize,
    pub time_entries: usize,
    pub records: usize,
    pub segment_size: u64,
    pub batch_size: u64,
    pub log_size: u64,
    pub log_end: Offset,
    pub clock: TimestampMs,
    pub appends: bool,
    pub rolls: bool,
    pub reads: bool,
    pub time_searches: bool,
    pub size_checks: bool,
    pub time_checks: bool,
    pub consumer: bool,
}

#[derive(Clone, Debug)]
pub struct Frame {
    pub index: usize,
    pub total: usize,
    pub command: String,
    pub steps: Vec<Step>,
    pub trail: Vec<Step>,
    pub before: PartitionView,
    pub view: PartitionView,
    pub extents: Extents,
}
