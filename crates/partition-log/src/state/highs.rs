//! Where in the log a timestamp is first reached, without asking every segment.

use std::collections::VecDeque;

use crate::units::TimestampMs;

/// Of the first segments of a log, as far as they were asked, the largest timestamp in each and all before it. They never
/// fall, so the first segment that reaches a timestamp is found by halving.
///
/// This is no part of what a partition is: without it the same answers take longer. So all are equal, and a copy is empty.
#[derive(Debug, Default)]
pub(crate) struct Highs(VecDeque<TimestampMs>);

impl Clone for Highs {
    fn clone(&self) -> Highs {
        Highs::default()
    }
}

impl PartialEq for Highs {
    fn eq(&self, _: &Highs) -> bool {
        true
    }
}

impl Eq for Highs {}

impl Highs {
    /// How many segments are known.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The largest timestamp of all segments that are known.
    pub(crate) fn highest(&self) -> Option<TimestampMs> {
        self.0.back().copied()
    }

    /// How many of the known segments come before the first that reaches a timestamp.
    pub(crate) fn below(&self, target: TimestampMs) -> usize {
        self.0.partition_point(|high| *high < target)
    }

    /// The largest timestamp of the segment behind those that are known.
    pub(crate) fn push(&mut self, largest: TimestampMs) {
        let high = self.highest().map_or(largest, |before| before.max(largest));
        self.0.push_back(high);
    }

    /// The segment at a place, counted from the oldest, is another one now, and so may be those behind it.
    pub(crate) fn forget_from(&mut self, place: usize) {
        self.0.truncate(place);
    }

    /// The segment at a place leaves the log.
    pub(crate) fn remove(&mut self, place: usize) {
        // What stood in the oldest segment only is not what a later one has reached by itself.
        let rises = self.0.get(1).is_some_and(|second| self.0.front() < Some(second));
        if place == 0 && rises {
            self.0.pop_front();
        } else {
            self.forget_from(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(ms: i64) -> TimestampMs {
        TimestampMs::new(ms).expect("not negative")
    }

    fn of(largest: &[i64]) -> Highs {
        let mut highs = Highs::default();
        largest.iter().for_each(|ms| highs.push(time(*ms)));
        highs
    }

    #[test]
    fn the_first_segment_that_reaches_a_timestamp_may_be_followed_by_older_records() {
        let highs = of(&[5, 3, 9, 9, 20]);
        let found = [0, 5, 6, 9, 10, 20, 21].map(|target| highs.below(time(target)));
        assert_eq!(found, [0, 0, 2, 2, 4, 4, 5]);
        assert_eq!(highs.highest(), Some(time(20)));
    }

    #[test]
    fn the_oldest_segment_goes_alone_unless_later_ones_stand_in_its_shade() {
        let mut highs = of(&[5, 9, 7]);
        highs.remove(0);
        assert_eq!((highs.len(), highs.below(time(6))), (2, 0));
        highs.remove(0);
        assert_eq!(highs.len(), 0, "9 was no timestamp of the segment with 7");
        let mut highs = of(&[5, 9, 7]);
        highs.remove(1);
        assert_eq!(highs.len(), 1);
    }
}
