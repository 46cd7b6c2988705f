//! Finding a time: segments ruled out, probes in both indexes, the scan, the answer.

use partition_log::disk::FileKind;
use partition_log::{Offset, Step, TimeTarget};
use partition_tests::orders::{Run, offset, seconds};

/// What a search looked at.
#[derive(Default)]
struct Looks {
    /// Base, newest second, searched.
    segments: Vec<(i64, i64, bool)>,
    /// Entry and whole second, guard.
    time_probes: Vec<(u32, i64, bool)>,
    /// Relative offset that the time index leads to.
    relative: Option<u32>,
    offset_probes: Vec<(u32, i64, bool)>,
    /// Byte that the offset index leads to.
    start: Option<u32>,
    scanned: Vec<i64>,
}

fn looks(run: &mut Run, second: i64) -> Looks {
    let trace = run.partition.trace(|partition| partition.find_time(seconds(second)));
    let mut looks = Looks::default();
    for step in trace.steps {
        match step {
            Step::TimeSegmentProbed {
                base,
                largest,
                searched,
                ..
            } => looks.segments.push((base.get(), largest.get() / 1000, searched)),
            Step::IndexProbed(probe) if probe.kind == FileKind::TimeIndex => {
                looks
                    .time_probes
                    .push((probe.entry_number, probe.key / 1000, probe.guard));
            }
            Step::IndexProbed(probe) => looks.offset_probes.push((probe.entry_number, probe.key, probe.guard)),
            Step::IndexLookedUp {
                kind: FileKind::TimeIndex,
                leads_to,
                ..
            } => looks.relative = Some(leads_to),
            Step::IndexLookedUp { leads_to, .. } => looks.start = Some(leads_to),
            Step::BatchScanned { first_offset, .. } => looks.scanned.push(first_offset.get()),
            _ => {}
        }
    }
    looks
}

#[test]
fn second_31_is_answered_by_offset_15() {
    let mut run = Run::s20();
    let looks = looks(&mut run, 31);
    assert_eq!(looks.segments, [(0, 12, false), (6, 22, false), (11, 34, true)]);
    assert_eq!(looks.time_probes, [(0, 30, true), (1, 34, false)]);
    assert_eq!(looks.relative, Some(3), "start at offset 14");
    assert_eq!(looks.offset_probes, [(0, 3, true)], "equal at once");
    assert_eq!(looks.start, Some(140));
    assert_eq!(looks.scanned, [14, 15]);
    let outcome = run.find(31);
    assert_eq!(
        (outcome.answer, outcome.timestamp),
        (Some(offset(15)), Some(seconds(32)))
    );
    assert_eq!(
        (outcome.position.map(|position| position.get()), outcome.skipped),
        (Some(180), 40)
    );
}

#[test]
fn other_seconds_are_answered_as_the_table_says() {
    // Second, answer, start of the scan.
    let rows = [
        (2, 0, 0),
        (12, 5, 190),
        (13, 6, 0),
        (18, 8, 115),
        (19, 9, 115),
        (23, 11, 0),
        (29, 14, 0),
        (30, 14, 140),
        (32, 15, 140),
        (34, 16, 235),
        (35, 17, 0),
        (40, 19, 85),
    ];
    let mut run = Run::s20();
    for (second, answer, start) in rows {
        let looks = looks(&mut run, second);
        assert_eq!(run.find(second).answer, Some(offset(answer)), "at or after {second} s");
        assert_eq!(looks.start, Some(start), "start for {second} s");
    }
}

#[test]
fn second_29_has_no_entry_and_scans_segment_11_from_its_first_byte() {
    let mut run = Run::s20();
    let looks = looks(&mut run, 29);
    assert_eq!(looks.time_probes, [(0, 30, true)], "30 is too big");
    assert_eq!((looks.relative, looks.start), (Some(0), Some(0)));
    assert_eq!(run.find(29).skipped, 140);
}

#[test]
fn second_12_starts_at_the_closing_entry_of_segment_0() {
    let mut run = Run::s20();
    let looks = looks(&mut run, 12);
    // The closing entry 12 -> 5 is the newest one; offset 5 has no offset entry, so the scan starts at 4 -> 190.
    assert_eq!(looks.relative, Some(5));
    assert_eq!(looks.scanned, [4, 5]);
}

#[test]
fn nothing_is_as_young_as_second_41() {
    let mut run = Run::s20();
    assert_eq!(looks(&mut run, 41).segments.last(), Some(&(17, 40, false)));
    assert_eq!(run.find(41).answer, None);
}

#[test]
fn every_second_gets_the_first_record_at_or_after_it() {
    let mut run = Run::s20();
    for second in 0..=45 {
        // Offset n carries second 2 n + 2.
        let expected = (0..20).find(|n| 2 * n + 2 >= second).map(offset);
        assert_eq!(run.find(second).answer, expected, "second {second}");
    }
}

#[test]
fn the_marks_need_no_search() {
    let mut run = Run::s20();
    assert_eq!(run.ask(TimeTarget::Earliest).answer, Some(Offset::ZERO));
    assert_eq!(run.ask(TimeTarget::Latest).answer, Some(offset(20)));
    let newest = run.ask(TimeTarget::MaxTimestamp);
    assert_eq!((newest.answer, newest.timestamp), (Some(offset(19)), Some(seconds(40))));
}

#[test]
fn the_largest_timestamp_is_the_first_of_its_equals() {
    let mut run = Run::new(partition_tests::orders::settings());
    for (second, stamp) in [(2, 10), (4, 11), (6, 10)] {
        run.append_stamped(second, 40, Some(stamp));
    }
    let newest = run.ask(TimeTarget::MaxTimestamp);
    assert_eq!((newest.answer, newest.timestamp), (Some(offset(1)), Some(seconds(11))));
    run.append_stamped(8, 40, Some(11));
    assert_eq!(run.ask(TimeTarget::MaxTimestamp).answer, Some(offset(1)));
}

#[test]
fn an_empty_partition_answers_no_time() {
    let mut run = Run::new(partition_tests::orders::settings());
    assert_eq!(run.find(1).answer, None);
    assert_eq!(run.ask(TimeTarget::MaxTimestamp).answer, None);
    assert_eq!(run.ask(TimeTarget::Earliest).answer, Some(Offset::ZERO));
}
