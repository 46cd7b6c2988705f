//! Every comparison of the rules at its edge, with the neighbouring comparison excluded.

use partition_log::config::Settings;
use partition_tests::orders::{Run, offset, settings};

#[test]
fn eighty_bytes_since_the_last_entry_are_not_above_eighty() {
    let run = Run::s20();
    assert_eq!(run.index(11), [(3, 140), (5, 235)]);
    // With >= offset 13 would have 2 -> 80, and second 31 would be scanned for from byte 80.
    assert!(!run.index(11).contains(&(2, 80)));
}

#[test]
fn a_segment_may_be_filled_to_the_byte() {
    let run = Run::filled(settings(), 18);
    assert_eq!(
        run.bases(),
        [0, 6, 11, 17],
        "235 + 65 = 300 fits: with >= the base would be 16"
    );
    assert_eq!(run.sizes()[2], 300);
}

#[test]
fn thirty_seconds_are_not_above_thirty_seconds() {
    let mut run = Run::filled(settings(), 14);
    assert_eq!(run.append_at(54, 40).0.segment, offset(11));
    let mut run = Run::filled(settings(), 14);
    run.move_to(54);
    let late = partition_log::format::batch::NewBatch::Message {
        size: 40,
        timestamp: partition_log::TimestampMs::stored(54_001),
        key: None,
    };
    assert_eq!(run.append(&late).0.segment, offset(14), "one millisecond more rolls");
}

#[test]
fn an_age_of_sixty_seconds_stays() {
    let mut run = Run::filled(settings(), 14);
    run.move_to(72);
    assert_eq!(run.partition.check_retention().expect("a check").deleted, []);
    let later = partition_log::TimestampMs::new(72_001).expect("positive");
    run.partition.advance_to(later).expect("forwards");
    let deleted = run.partition.check_retention().expect("a check").deleted;
    assert_eq!(deleted, [offset(0)], "60,001 ms are above it");
}

#[test]
fn an_excess_of_exactly_the_oldest_segment_deletes_it() {
    let sized = Settings {
        retention_bytes: 600,
        ..settings()
    };
    let mut run = Run::filled(sized, 18);
    run.move_to(37);
    assert_eq!(run.partition.state().log_size(), 870);
    assert_eq!(run.partition.check_retention().expect("a check").deleted, [offset(0)]);
    assert_eq!(run.partition.state().log_size(), 600, "with > 870 B would stay");
}

#[test]
fn one_byte_less_of_excess_keeps_it() {
    let sized = Settings {
        retention_bytes: 601,
        ..settings()
    };
    let mut run = Run::filled(sized, 18);
    assert_eq!(run.partition.check_retention().expect("a check").deleted, []);
}

#[test]
fn a_size_equal_to_the_limit_deletes_nothing() {
    let sized = Settings {
        retention_bytes: 950,
        ..settings()
    };
    let mut run = Run::filled(sized, 20);
    assert_eq!(run.partition.check_retention().expect("a check").deleted, []);
}

#[test]
fn a_limit_of_no_bytes_clears_the_log_and_leaves_an_empty_segment() {
    let sized = Settings {
        retention_bytes: 0,
        initial_task_delay_ms: i64::MAX,
        ..settings()
    };
    let mut run = Run::filled(sized, 20);
    let deleted = run.partition.check_retention().expect("a check").deleted;
    assert_eq!(deleted, [0, 6, 11, 17].map(offset));
    assert_eq!((run.bases(), run.marks()), (vec![20], (20, 20, 20)));
    assert_eq!(run.partition.check_retention().expect("a check").deleted, []);
}

#[test]
fn a_limit_of_minus_one_is_none() {
    let mut run = Run::filled(
        Settings {
            retention_ms: -1,
            retention_bytes: -1,
            ..settings()
        },
        20,
    );
    run.at(1_000_000);
    assert_eq!(run.bases(), [0, 6, 11, 17]);
}

#[test]
fn a_retention_of_no_time_keeps_what_has_the_clocks_own_time() {
    let mut run = Run::filled(
        Settings {
            retention_ms: 0,
            initial_task_delay_ms: i64::MAX,
            ..settings()
        },
        1,
    );
    assert_eq!(
        run.partition.check_retention().expect("a check").deleted,
        [],
        "0 > 0 is false"
    );
    let later = partition_log::TimestampMs::new(2_001).expect("positive");
    run.partition.advance_to(later).expect("forwards");
    assert_eq!(run.partition.check_retention().expect("a check").deleted, [offset(0)]);
}

#[test]
fn a_fetch_may_use_its_last_byte() {
    let mut run = Run::s20();
    assert_eq!(run.fetch(6, 150).bytes, 150, "with < it would be 115");
    assert_eq!(run.fetch(6, 149).bytes, 115);
}

#[test]
fn the_base_offset_itself_lies_in_its_segment() {
    let mut run = Run::s20();
    for base in [6, 11, 17] {
        assert_eq!(
            run.fetch(base, 150).segment,
            Some(offset(base)),
            "with < it would be the one before"
        );
    }
}

#[test]
fn the_count_starts_over_before_the_record_is_added() {
    let run = Run::filled(settings(), 11);
    // After 8 (35 B) and 9 (50 B) 85 B are counted: 10 is due. Counting 8 as part of the old span would miss it.
    assert_eq!(run.index(6), [(2, 115), (4, 200)]);
}

#[test]
fn a_new_segment_counts_from_nothing() {
    let run = Run::filled(settings(), 9);
    // Segment 0 ends with 80 B counted; kept, they would give offset 7 the entry 1 -> 70.
    assert_eq!(run.index(6), [(2, 115)]);
}

#[test]
fn jitter_only_ever_shortens_the_interval() {
    for seed in 0..200 {
        let jittered = Settings {
            segment_jitter_ms: 10_000,
            ..settings()
        };
        let partition = partition_tests::orders::done(partition_log::Partition::create(jittered, seed));
        let start = Run::of(partition);
        let rolls = |gap_ms: i64| {
            let mut run = start.clone();
            run.append_at(2, 40);
            let at = partition_log::TimestampMs::new(2_000 + gap_ms).expect("positive");
            run.partition.advance_to(at).expect("forwards");
            let next = partition_log::format::batch::NewBatch::Message {
                size: 40,
                timestamp: Some(at),
                key: None,
            };
            run.append(&next).0.segment == offset(1)
        };
        assert!(rolls(30_001), "seed {seed}: longer than the interval");
        assert!(!rolls(20_000), "seed {seed}: 10 s of jitter is the most");
        let limit = (20_000..=30_001).find(|gap| gap % 500 == 1 && rolls(*gap));
        assert!(limit.is_some());
    }
}

#[test]
fn a_full_time_index_closes_a_segment_at_its_last_slot_but_one() {
    let small = Settings {
        segment_bytes: 10_000,
        index_interval_bytes: 0,
        segment_index_bytes: 72,
        ..settings()
    };
    let run = Run::filled(small, 20);
    // Room for six: five entries, for the records 1 to 5, and the last is kept for the entry of the roll.
    assert_eq!(run.bases(), [0, 6, 12, 18]);
    assert_eq!(run.time_index(0).len(), 5);
}

#[test]
fn an_index_of_one_slot_takes_one_record_a_segment() {
    let tiny = Settings {
        segment_index_bytes: 12,
        ..settings()
    };
    let run = Run::filled(tiny, 4);
    assert_eq!((run.bases(), run.sizes()), (vec![0, 1, 2, 3], vec![40, 55, 35, 60]));
    assert_eq!(
        run.time_index(0),
        [(2, 0)],
        "the roll used the entry_number kept for it"
    );
    assert_eq!(run.index(0), []);
    // The first append found segment 0 empty and already full, and had to make it anew under its own name.
    let deleted = run
        .listing()
        .iter()
        .filter(|(name, _)| name.ends_with(".log.deleted"))
        .count();
    assert_eq!(deleted, 1);
}

#[test]
fn a_segment_made_anew_and_deleted_again_waits_once() {
    let tiny = Settings {
        segment_index_bytes: 12,
        file_delete_delay_ms: 100_000,
        ..settings()
    };
    let mut run = Run::filled(tiny, 2);
    run.at(75);
    // Segment 0 went at 2 s, empty, and at 65 s, with 40 B: the second one took the name of the first.
    let view = run.partition.state().view();
    let waiting: Vec<(i64, u64)> = view
        .deleted
        .iter()
        .map(|segment| (segment.base.get(), segment.size))
        .collect();
    assert_eq!((waiting, view.deleted_size), (vec![(0, 40), (1, 55)], 95));
    run.at(102);
    assert_eq!(
        run.partition.state().deleted_size(),
        55,
        "the removal that was due first takes the name away"
    );
    run.at(165);
    assert_eq!(run.partition.state().deleted_size(), 0);
}
