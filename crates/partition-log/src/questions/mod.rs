//! What can be asked of a state: views, inspection, verdicts, and what settings will lead to. Nothing here changes anything.
//!
//! May know all rooms.

pub mod inspect;
pub mod planner;
pub mod segments;
pub mod verdict;
pub mod view;
