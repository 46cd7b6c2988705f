//! The records, one by one: where each lies, what the entry rule saw, which entries it got.

use partition_log::Step;
use partition_log::rules::roll::RollCause;
use partition_tests::orders::{Run, SIZES, settings};

/// Offset, segment, relative offset, position, bytes since the last entry before it, offset entry, time entry (in
/// seconds), bytes since the last entry after it, bytes of the partition after it.
type Row = (
    i64,
    i64,
    u32,
    u32,
    u64,
    Option<(u32, u32)>,
    Option<(i64, u32)>,
    u64,
    u64,
);

const ROWS: [Row; 24] = [
    (0, 0, 0, 0, 0, None, None, 40, 40),
    (1, 0, 1, 40, 40, None, None, 95, 95),
    (2, 0, 2, 95, 95, Some((2, 95)), Some((6, 2)), 35, 130),
    (3, 0, 3, 130, 35, None, None, 95, 190),
    (4, 0, 4, 190, 95, Some((4, 190)), Some((10, 4)), 35, 225),
    (5, 0, 5, 225, 35, None, None, 80, 270),
    (6, 6, 0, 0, 0, None, None, 70, 340),
    (7, 6, 1, 70, 70, None, None, 115, 385),
    (8, 6, 2, 115, 115, Some((2, 115)), Some((18, 2)), 35, 420),
    (9, 6, 3, 150, 35, None, None, 85, 470),
    (10, 6, 4, 200, 85, Some((4, 200)), Some((22, 4)), 60, 530),
    (11, 11, 0, 0, 0, None, None, 45, 575),
    (12, 11, 1, 45, 45, None, None, 80, 610),
    (13, 11, 2, 80, 80, None, None, 140, 670),
    (14, 11, 3, 140, 140, Some((3, 140)), Some((30, 3)), 40, 710),
    (15, 11, 4, 180, 40, None, None, 95, 765),
    (16, 11, 5, 235, 95, Some((5, 235)), Some((34, 5)), 65, 830),
    (17, 17, 0, 0, 0, None, None, 40, 870),
    (18, 17, 1, 40, 40, None, None, 85, 915),
    (19, 17, 2, 85, 85, Some((2, 85)), Some((40, 2)), 35, 950),
    (20, 17, 3, 120, 35, None, None, 100, 1015),
    (21, 17, 4, 185, 100, Some((4, 185)), Some((44, 4)), 55, 1070),
    (22, 17, 5, 240, 55, None, None, 100, 1115),
    (23, 23, 0, 0, 0, None, None, 35, 1150),
];

#[test]
fn every_record_lies_and_counts_as_the_table_says() {
    let mut run = Run::new(settings());
    for (row, size) in ROWS.iter().zip(SIZES) {
        let (offset, segment, relative, position, before, entry, time_entry, after, total) = *row;
        let known = (run.index(segment).len(), run.time_index(segment).len());
        let (appended, steps) = run.append_at(2 * offset + 2, size);

        assert_eq!(appended.first_offset.get(), offset);
        assert_eq!(appended.segment.get(), segment, "segment of offset {offset}");
        assert_eq!(appended.position.get(), position, "position of offset {offset}");
        let decision = steps.iter().find_map(|step| match step {
            Step::IndexEntryDecided(decision) => Some(*decision),
            _ => None,
        });
        let decision = decision.expect("each append asks the entry rule");
        assert_eq!(
            decision.bytes_since_last_index_entry, before,
            "count before offset {offset}"
        );
        assert_eq!(decision.bytes_after(), after, "count after offset {offset}");
        assert_eq!(decision.relative.get(), relative, "relative offset of {offset}");
        assert_eq!(decision.due(), entry.is_some(), "entry of offset {offset}");
        assert_eq!(
            run.index(segment).get(known.0).copied(),
            entry,
            "entry of offset {offset}"
        );
        assert_eq!(
            run.time_index(segment).get(known.1).copied(),
            time_entry,
            "time entry of offset {offset}"
        );
        assert_eq!(run.partition.state().log_size(), total, "size after offset {offset}");
    }
    assert_eq!(run.bases(), [0, 6, 11, 17, 23]);
}

#[test]
fn a_roll_comes_before_the_append_and_shows_its_sum() {
    let mut run = Run::new(settings());
    let mut rolls = Vec::new();
    for (index, size) in SIZES.iter().enumerate() {
        let second = 2 * index as i64 + 2;
        let (_, steps) = run.append_at(second, *size);
        let rolled = steps.iter().position(|step| matches!(step, Step::Rolled { .. }));
        let appended = steps.iter().position(|step| matches!(step, Step::Appended { .. }));
        assert!(rolled < appended, "at {second} s");
        for step in &steps {
            if let Step::RollDecided(decision) = step
                && let Some(cause) = decision.cause()
            {
                rolls.push((second, decision.total(), cause, run.bases().last().copied()));
            }
        }
    }
    assert_eq!(
        rolls,
        [
            (14, 340, RollCause::Size, Some(6)),
            (24, 305, RollCause::Size, Some(11)),
            (36, 340, RollCause::Size, Some(17)),
            (48, 320, RollCause::Size, Some(23)),
        ]
    );
}

#[test]
fn four_segments_hold_the_twenty_records() {
    let run = Run::s20();
    assert_eq!(run.bases(), [0, 6, 11, 17]);
    assert_eq!(run.sizes(), [270, 260, 300, 120]);
    assert_eq!(run.marks(), (0, 20, 20));
    assert_eq!(run.index(0), [(2, 95), (4, 190)]);
    assert_eq!(run.index(6), [(2, 115), (4, 200)]);
    assert_eq!(run.index(11), [(3, 140), (5, 235)]);
    assert_eq!(run.index(17), [(2, 85)]);
}

#[test]
fn the_roll_adds_a_time_entry_only_where_the_last_record_has_none() {
    let run = Run::s20();
    assert_eq!(
        run.time_index(0),
        [(6, 2), (10, 4), (12, 5)],
        "12 -> 5 came with the roll"
    );
    assert_eq!(run.time_index(6), [(18, 2), (22, 4)]);
    assert_eq!(run.time_index(11), [(30, 3), (34, 5)]);
    assert_eq!(run.time_index(17), [(40, 2)]);
    let closing: Vec<Vec<bool>> = run
        .partition
        .state()
        .view()
        .segments
        .iter()
        .map(|segment| segment.time_index.entries.iter().map(|entry| entry.closing).collect())
        .collect();
    assert_eq!(closing[0], [false, false, true]);
    assert!(closing[1..].iter().flatten().all(|closing| !closing));
}

#[test]
fn names_have_twenty_digits_and_closed_files_their_real_length() {
    let listing = Run::s20().listing();
    let expected = [
        ("00000000000000000000.index", 16),
        ("00000000000000000000.log", 270),
        ("00000000000000000000.timeindex", 36),
        ("00000000000000000006.index", 16),
        ("00000000000000000006.log", 260),
        ("00000000000000000006.timeindex", 24),
        ("00000000000000000011.index", 16),
        ("00000000000000000011.log", 300),
        ("00000000000000000011.timeindex", 24),
        ("00000000000000000017.index", 10_485_760),
        ("00000000000000000017.log", 120),
        ("00000000000000000017.timeindex", 10_485_756),
    ];
    let listing: Vec<(&str, u64)> = listing.iter().map(|(name, size)| (name.as_str(), *size)).collect();
    assert_eq!(listing, expected);
}

#[test]
fn the_active_segment_uses_8_and_12_bytes_of_its_ten_mebibytes() {
    let view = Run::s20().partition.state().view();
    let active = view.segments.last().expect("an active segment");
    assert_eq!((active.offset_index.used, active.time_index.used), (8, 12));
    assert_eq!(
        (active.offset_index.capacity, active.time_index.capacity),
        (1_310_720, 873_813)
    );
}

#[test]
fn an_append_touches_no_closed_segment() {
    let mut run = Run::filled(settings(), 11);
    let before = run.listing();
    let closed = |listing: &[(String, u64)]| -> Vec<(String, u64)> {
        let old = |name: &str| name.starts_with("00000000000000000000.");
        listing.iter().filter(|(name, _)| old(name)).cloned().collect()
    };
    run.append_table(11, 20);
    assert_eq!(closed(&before), closed(&run.listing()));
    assert_eq!(run.sizes()[0], 270);
}

#[test]
fn exactly_one_segment_is_active_and_it_is_the_newest() {
    let mut run = Run::new(settings());
    for (index, size) in SIZES.iter().enumerate() {
        run.append_at(2 * index as i64 + 2, *size);
        let view = run.partition.state().view();
        let active: Vec<bool> = view.segments.iter().map(|segment| segment.active).collect();
        let newest = active.len() - 1;
        assert!(active.iter().enumerate().all(|(at, active)| *active == (at == newest)));
    }
}
