//! The binary search of both indexes (Kafka: `AbstractIndex.indexSlotRangeFor` and `binarySearch`).

use crate::disk::FileKind;
use crate::format::index::entry_size;
use crate::units::Offset;

/// One comparison of the binary search (Kafka: `AbstractIndex.indexSlotRangeFor`, `binarySearch`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct IndexProbe {
    /// Base offset of the segment.
    pub base: Offset,
    /// Which index.
    pub kind: FileKind,
    /// Number of the entry looked at, from 0.
    pub entry_number: u32,
    /// First entry of the range still possible.
    pub low: u32,
    /// Last entry of the range still possible.
    pub high: u32,
    /// The entry's key: a relative offset, or a timestamp in ms.
    pub key: i64,
    /// What is searched for, in the same unit.
    pub target: i64,
    /// Whether it is the look at the first entry before the search proper.
    pub guard: bool,
}

/// Bytes at the end of an index that Kafka tries first, since appends and most reads have just touched them
/// (Kafka: `AbstractIndex.warmEntries`).
const WARM_BYTES: u64 = 8192;

/// The last entry whose key is not above the target, or `None`; `key` reads an entry, `probe` hears of each look.
///
/// Kafka looks at the first entry of the warm part before it searches: with a small index that is entry 0, and the search
/// ends there when its key is above the target or equal to it.
pub(crate) fn floor_entry(
    base: Offset,
    kind: FileKind,
    entries: u32,
    target: i64,
    key: impl Fn(u32) -> i64,
    mut probe: impl FnMut(IndexProbe),
) -> Option<u32> {
    if entries == 0 {
        return None;
    }
    let mut look = |entry_number: u32, low: u32, high: u32, guard: bool| {
        let key = key(entry_number);
        probe(IndexProbe {
            base,
            kind,
            entry_number,
            low,
            high,
            key,
            target,
            guard,
        });
        key
    };
    let last = entries - 1;
    let warm = (WARM_BYTES / entry_size(kind)) as u32;
    let first_hot = last.saturating_sub(warm);
    let hot_key = look(first_hot, 0, last, true);
    let (mut low, mut high) = if hot_key < target {
        (first_hot, last)
    } else {
        if first_hot > 0 && look(0, 0, first_hot, true) > target {
            return None;
        }
        if first_hot == 0 {
            return (hot_key == target).then_some(0);
        }
        (0, first_hot)
    };
    while low < high {
        let middle = (low + high).div_ceil(2);
        match look(middle, low, high, false).cmp(&target) {
            core::cmp::Ordering::Greater => high = middle - 1,
            core::cmp::Ordering::Less => low = middle,
            core::cmp::Ordering::Equal => return Some(middle),
        }
    }
    Some(low)
}

/// The first entry whose key is not below the target, or `None`; `key` reads an entry.
///
/// The search is Kafka's, with its quirk: the first entry is never looked at for equality, so that with a key equal to the
/// target there the entry behind it is the answer (Kafka: `AbstractIndex.smallestUpperBoundSlotFor`).
pub(crate) fn ceiling_entry(kind: FileKind, entries: u32, target: i64, key: impl Fn(u32) -> i64) -> Option<u32> {
    let last = entries.checked_sub(1)?;
    let warm = (WARM_BYTES / entry_size(kind)) as u32;
    let first_hot = last.saturating_sub(warm);
    let (mut low, mut high) = if key(first_hot) < target {
        (first_hot, last)
    } else if key(0) > target {
        return Some(0);
    } else {
        (0, first_hot)
    };
    while low < high {
        let middle = (low + high).div_ceil(2);
        match key(middle).cmp(&target) {
            core::cmp::Ordering::Greater => high = middle - 1,
            core::cmp::Ordering::Less => low = middle,
            core::cmp::Ordering::Equal => return Some(middle),
        }
    }
    (low < last).then_some(low + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(keys: &[i64], target: i64) -> (Option<u32>, Vec<u32>) {
        let mut entry_numbers = Vec::new();
        let found = floor_entry(
            Offset::ZERO,
            FileKind::Index,
            keys.len() as u32,
            target,
            |entry_number| keys[entry_number as usize],
            |probe| {
                entry_numbers.push(probe.entry_number);
            },
        );
        (found, entry_numbers)
    }

    #[test]
    fn the_guard_answers_for_targets_at_or_below_the_first_entry() {
        assert_eq!(search(&[], 3), (None, vec![]));
        assert_eq!(search(&[2, 4], 1), (None, vec![0]));
        assert_eq!(search(&[2, 4], 2), (Some(0), vec![0]));
    }

    #[test]
    fn the_middle_is_rounded_up() {
        assert_eq!(search(&[2, 4], 3), (Some(0), vec![0, 1]));
        assert_eq!(search(&[2, 4], 4), (Some(1), vec![0, 1]));
        assert_eq!(search(&[2, 4, 6, 8], 7), (Some(2), vec![0, 2, 3]));
    }

    #[test]
    fn the_warm_end_is_tried_first_and_changes_no_answer() {
        let keys: Vec<i64> = (0..5000).map(|entry_number| entry_number * 2).collect();
        for target in [-1, 0, 1, 7, 4_000, 7_950, 7_951, 9_998, 20_000] {
            let expected = keys
                .iter()
                .rposition(|key| *key <= target)
                .map(|entry_number| entry_number as u32);
            let (found, entry_numbers) = search(&keys, target);
            assert_eq!(
                (found, entry_numbers[0]),
                (expected, 5000 - 1 - 1024),
                "target {target}"
            );
            assert!(entry_numbers.len() <= 15, "{} looks", entry_numbers.len());
        }
    }
}
