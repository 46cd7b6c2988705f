//! What other values of `index.interval.bytes` do to the twenty records.

use partition_log::config::Settings;
use partition_tests::orders::{Run, settings};

/// Interval, offset entries per segment, their bytes, bytes of time entries (with those of the rolls), longest skip,
/// sum of the skips over the twenty offsets.
type Row = (i64, [usize; 4], usize, usize, u64, u64);

const ROWS: [Row; 6] = [
    (0, [5, 4, 5, 2], 128, 192, 0, 0),
    (40, [2, 3, 3, 1], 72, 120, 40, 260),
    (80, [2, 2, 2, 1], 56, 96, 80, 420),
    (120, [1, 1, 1, 0], 24, 72, 115, 910),
    (160, [1, 1, 1, 0], 24, 60, 150, 1080),
    (240, [0, 0, 0, 0], 0, 36, 235, 2020),
];

#[test]
fn a_smaller_interval_buys_shorter_scans_with_more_entries() {
    for (interval, per_segment, index, time_index, longest, sum) in ROWS {
        let mut run = Run::filled(
            Settings {
                index_interval_bytes: interval,
                ..settings()
            },
            20,
        );
        assert_eq!(run.bases(), [0, 6, 11, 17]);
        let entries = [0, 6, 11, 17].map(|base| run.index(base).len());
        assert_eq!(entries, per_segment, "entries at {interval} B");
        assert_eq!(8 * entries.iter().sum::<usize>(), index, ".index at {interval} B");
        let time_entries: usize = [0, 6, 11, 17].iter().map(|base| run.time_index(*base).len()).sum();
        assert_eq!(12 * time_entries, time_index, ".timeindex at {interval} B");
        let skips: Vec<u64> = (0..20).map(|from| run.fetch(from, 150).skipped).collect();
        assert_eq!(skips.iter().max(), Some(&longest), "longest skip at {interval} B");
        assert_eq!(skips.iter().sum::<u64>(), sum, "skips at {interval} B: {skips:?}");
    }
}

#[test]
fn the_first_append_of_a_segment_never_has_an_entry() {
    let run = Run::filled(
        Settings {
            index_interval_bytes: 0,
            ..settings()
        },
        20,
    );
    for base in [0, 6, 11, 17] {
        assert_eq!(
            run.index(base).first().map(|(relative, _)| *relative),
            Some(1),
            "segment {base}"
        );
    }
}

#[test]
fn entries_are_farther_apart_than_the_interval() {
    // Size of every batch, interval, number of batches, and the batches that get an entry.
    let cases: [(u64, i64, u32, &[u32]); 5] = [
        (72, 4096, 180, &[57, 114, 171]),
        (39, 77, 30, &[2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28]),
        (4096, 4096, 5, &[2, 4]),
        (4097, 4096, 5, &[1, 2, 3, 4]),
        (1024, 4096, 12, &[5, 10]),
    ];
    for (size, interval, count, expected) in cases {
        let mut run = Run::new(Settings {
            segment_bytes: 1 << 20,
            index_interval_bytes: interval,
            ..settings()
        });
        for _ in 0..count {
            run.append_at(1, size);
        }
        let index = run.index(0);
        let batches: Vec<u32> = index.iter().map(|(relative, _)| *relative).collect();
        assert_eq!(batches, expected, "{size} B each {interval} B");
        assert!(
            index
                .iter()
                .all(|(relative, position)| u64::from(*position) == u64::from(*relative) * size)
        );
    }
}
