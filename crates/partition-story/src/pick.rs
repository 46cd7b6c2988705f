//! A question before the answer: the reader picks a segment, and the next beat settles it.

use partition_log::questions::view::PartitionView;
use partition_log::step::Step;

/// A segment that may be picked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// Key of the segment in the picture.
    pub key: String,
    /// Whether it is the one.
    pub right: bool,
    /// What to say of the choice.
    pub answer: String,
}

/// The picks of a beat, given the steps that come next: one a segment where those look a segment up, else none.
pub fn of_next(next: &[Step], view: &PartitionView) -> Vec<Pick> {
    let lookup = next.iter().find_map(|step| match step {
        Step::FloorLookedUp {
            target,
            found: Some(found),
            ..
        } => Some((*target, *found)),
        _ => None,
    });
    let Some((target, found)) = lookup else {
        return Vec::new();
    };
    let pick = |segment: &partition_log::questions::view::SegmentView| {
        let base = segment.base;
        let answer = if base == found {
            format!("Yes: {base} is the largest base offset not above {target}.")
        } else if base > target {
            format!("Not there: segment {base} begins above {target}. It is in segment {found}.")
        } else {
            format!(
                "Not there: segment {base} ends before {}, where the next one begins. It is in segment {found}.",
                segment.end
            )
        };
        Pick {
            key: format!("segment/{base}"),
            right: base == found,
            answer,
        }
    };
    view.segments.iter().map(pick).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use partition_log::config::Settings;
    use partition_log::format::batch::NewBatch;
    use partition_log::{Offset, Partition};

    #[test]
    fn one_segment_is_right_and_each_wrong_one_says_why() {
        let settings = Settings {
            segment_bytes: 80,
            ..Settings::default()
        };
        let mut partition = Partition::create(settings, 0).expect("sound settings");
        for _ in 0..6 {
            partition
                .append(&NewBatch::Message {
                    size: 40,
                    timestamp: None,
                    key: None,
                })
                .expect("it fits");
        }
        let view = partition.state().view();
        let steps = partition
            .trace(|partition| partition.fetch(Offset::new(3).expect("not negative"), None))
            .steps;
        let picks = of_next(&steps, &view);
        assert_eq!(
            picks.iter().map(|pick| pick.right).collect::<Vec<_>>(),
            [false, true, false]
        );
        assert_eq!(
            picks[0].answer,
            "Not there: segment 0 ends before 2, where the next one begins. It is in segment 2."
        );
        assert_eq!(
            picks[2].answer,
            "Not there: segment 4 begins above 3. It is in segment 2."
        );
        assert!(of_next(&[], &view).is_empty());
    }
}
