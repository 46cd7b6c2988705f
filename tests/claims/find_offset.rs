//! Finding an offset: the segment, the probes in its index, the scan, and what a fetch brings.

use partition_log::disk::FileKind;
use partition_log::rules::fetch::FetchSlice;
use partition_log::{LogError, Step};
use partition_tests::orders::{Run, offset, read, settings};

/// What a fetch looked at.
struct Looks {
    /// Bases compared, and the one found.
    floor: (Vec<i64>, Option<i64>),
    /// Number of the entry, key, and whether it was the guard, in order.
    probes: Vec<(u32, i64, bool)>,
    /// Where the scan started.
    start: u32,
    /// Offsets passed over, then the one found.
    scanned: Vec<i64>,
    slice: Option<FetchSlice>,
}

fn looks(run: &mut Run, from: i64, limit: u64) -> Looks {
    let trace = run
        .partition
        .trace(|partition| partition.fetch(offset(from), Some(limit)));
    let mut looks = Looks {
        floor: (Vec::new(), None),
        probes: Vec::new(),
        start: 0,
        scanned: Vec::new(),
        slice: None,
    };
    for step in trace.steps {
        match step {
            Step::FloorLookedUp { bases, found, .. } => {
                let bases = bases.into_iter().map(|base| base.get()).collect();
                looks.floor = (bases, found.map(|base| base.get()));
            }
            Step::IndexProbed(probe) => {
                assert_eq!(probe.kind, FileKind::Index);
                looks.probes.push((probe.entry_number, probe.key, probe.guard));
            }
            Step::IndexLookedUp { leads_to, .. } => looks.start = leads_to,
            Step::BatchScanned { first_offset, .. } => looks.scanned.push(first_offset.get()),
            Step::FetchSliceDecided(slice) => looks.slice = Some(slice),
            _ => {}
        }
    }
    looks
}

#[test]
fn offset_9_is_found_in_three_steps() {
    let looks = looks(&mut Run::s20(), 9, 150);
    assert_eq!(looks.floor, (vec![0, 6, 11], Some(6)), "0 and 6 are not above 9, 11 is");
    assert_eq!(looks.probes, [(0, 2, true), (1, 4, false)], "2 fits, 4 is too big");
    assert_eq!(looks.start, 115);
    assert_eq!(looks.scanned, [8, 9]);
    let slice = looks.slice.expect("a slice");
    assert_eq!((slice.start.get(), slice.end, slice.length()), (150, 260, 110));
}

#[test]
fn offset_9_and_10_come_back() {
    let outcome = Run::s20().fetch(9, 150);
    assert_eq!(read(&outcome), (Some(9), Some(150), 2, 110, Some(11)));
    assert_eq!((outcome.skipped, outcome.slice), (35, 110), "offset 8 was passed over");
    assert_eq!(outcome.segment, Some(offset(6)));
}

#[test]
fn every_other_offset_takes_the_probes_of_the_table() {
    // Offset, segment, probes (entry, key, guard), start, bytes skipped.
    type Row<'a> = (i64, i64, &'a [(u32, i64, bool)], u32, u64);
    let rows: [Row<'_>; 9] = [
        (0, 0, &[(0, 2, true)], 0, 0),
        (5, 0, &[(0, 2, true), (1, 4, false)], 190, 35),
        (7, 6, &[(0, 2, true)], 0, 70),
        (8, 6, &[(0, 2, true)], 115, 0),
        (10, 6, &[(0, 2, true), (1, 4, false)], 200, 0),
        (13, 11, &[(0, 3, true)], 0, 80),
        (14, 11, &[(0, 3, true)], 140, 0),
        (15, 11, &[(0, 3, true), (1, 5, false)], 140, 40),
        (19, 17, &[(0, 2, true)], 85, 0),
    ];
    let mut run = Run::s20();
    for (from, segment, probes, start, skipped) in rows {
        let looks = looks(&mut run, from, 150);
        assert_eq!(looks.floor.1, Some(segment), "segment of {from}");
        assert_eq!(looks.probes, probes, "probes for {from}");
        assert_eq!(looks.start, start, "start for {from}");
        assert_eq!(run.fetch(from, 150).skipped, skipped, "skipped for {from}");
    }
}

#[test]
fn offset_19_lies_where_the_scan_for_it_starts() {
    let outcome = Run::s20().fetch(19, 150);
    assert_eq!((read(&outcome).1, outcome.skipped), (Some(85), 0));
}

#[test]
fn seven_of_twenty_offsets_are_exact_hits() {
    let mut run = Run::s20();
    let mut hits = 0;
    for from in 0..20 {
        let looks = looks(&mut run, from, 150);
        let base = looks.floor.1.expect("a segment");
        hits += usize::from(looks.probes.iter().any(|(_, key, _)| base + key == from));
    }
    assert_eq!(hits, 7);
}

#[test]
fn the_floor_takes_the_largest_base_that_is_not_above() {
    let mut run = Run::s20();
    for (from, base) in [(0, 0), (5, 0), (6, 6), (10, 6), (11, 11), (16, 11), (17, 17), (19, 17)] {
        assert_eq!(looks(&mut run, from, 150).floor.1, Some(base), "floor of {from}");
    }
}

#[test]
fn the_chain_from_9_reaches_the_end_in_six_fetches() {
    let mut run = Run::s20();
    // From, records, bytes that the consumer keeps, bytes that the broker sends, next.
    let chain = [
        (9, 2, 110, 110, 11),
        (11, 3, 140, 150, 14),
        (14, 2, 95, 150, 16),
        (16, 1, 65, 65, 17),
        (17, 3, 120, 120, 20),
        (20, 0, 0, 0, 20),
    ];
    let mut sum = 0;
    for (from, records, kept, slice, next) in chain {
        let outcome = run.fetch(from, 150);
        assert_eq!(
            (outcome.records, outcome.bytes, outcome.slice),
            (records, kept, slice),
            "from {from}"
        );
        assert_eq!(outcome.next, Some(offset(next)));
        sum += outcome.bytes;
    }
    assert_eq!(sum, 530);
}

#[test]
fn the_consumer_follows_the_chain_by_itself() {
    let mut run = Run::s20();
    let first = run.fetch(9, 150);
    run.consumer.seek(first.next.expect("an offset to go on at"));
    let mut read = Vec::new();
    loop {
        let outcome = run.poll().expect("in range");
        if outcome.records == 0 {
            break;
        }
        read.push(outcome.bytes);
    }
    assert_eq!(read, [140, 95, 65, 120]);
}

#[test]
fn one_record_is_sent_even_above_the_limit() {
    let mut run = Run::s20();
    for (limit, records, bytes) in [(40, 1, 50), (0, 1, 50), (109, 1, 50), (110, 2, 110)] {
        let outcome = run.fetch(9, limit);
        assert_eq!((outcome.records, outcome.bytes), (records, bytes), "limit {limit}");
    }
}

#[test]
fn reading_changes_no_file_and_reading_twice_gives_the_same() {
    let mut run = Run::s20();
    let before = run.partition.state().files().clone();
    let first = run.fetch(9, 150);
    assert_eq!(run.fetch(9, 150), first);
    assert_eq!(run.partition.state().files(), &before);
}

#[test]
fn the_end_is_empty_and_past_it_is_out_of_range() {
    let mut run = Run::s20();
    assert_eq!(read(&run.fetch(20, 150)), (None, None, 0, 0, Some(20)));
    let refused = run.partition.fetch(offset(21), None);
    assert_eq!(
        refused,
        Err(LogError::OffsetOutOfRange {
            requested: offset(21),
            log_start: offset(0),
            log_end: offset(20),
        })
    );
}

#[test]
fn an_old_record_is_still_read_after_the_roll() {
    let mut run = Run::filled(settings(), 7);
    let outcome = run.fetch(3, 60);
    assert_eq!((outcome.records, outcome.bytes), (1, 60));
}

#[test]
fn three_records_fill_the_limit_of_150_bytes_exactly() {
    let outcome = Run::s20().fetch(6, 150);
    assert_eq!(read(&outcome), (Some(6), Some(0), 3, 150, Some(9)));
}

#[test]
fn keys_stay_in_order_across_segments() {
    use partition_log::format::batch::NewBatch;
    use partition_tests::orders::{SIZES, seconds};
    let mut run = Run::new(settings());
    for (index, size) in SIZES.iter().enumerate().take(20) {
        let second = 2 * index as i64 + 2;
        run.move_to(second);
        let key = [3, 9, 15].contains(&index).then(|| b"ord-1042".to_vec());
        run.append(&NewBatch::Message {
            size: *size,
            timestamp: Some(seconds(second)),
            key,
        });
    }
    let view = run.partition.state().view();
    let keyed: Vec<(i64, i64)> = view
        .segments
        .iter()
        .flat_map(|segment| segment.batches.iter().map(|batch| (segment.base, batch)))
        .flat_map(|(base, batch)| batch.records.iter().map(move |record| (base, record)))
        .filter(|(_, record)| record.key.as_deref() == Some(b"ord-1042"))
        .map(|(base, record)| (base.get(), record.offset.get()))
        .collect();
    assert_eq!(keyed, [(0, 3), (6, 9), (11, 15)]);
}
