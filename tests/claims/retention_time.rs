//! Retention by time: 60 s, a check each 10 s from second 5 on.

use partition_log::Step;
use partition_log::rules::retention::RetentionRule;
use partition_log::rules::roll::{RollCause, Waited};
use partition_tests::orders::{Run, offset, seconds, settings};

/// Offsets 0 to 13 at 2 s to 28 s, then nothing for 40 s.
fn before_the_pause() -> Run {
    Run::filled(settings(), 14)
}

/// The state after second `second`: bases, bytes, log start and log end.
fn at(run: &mut Run, second: i64) -> (Vec<i64>, u64, i64, i64) {
    run.at(second);
    let (log_start, _, log_end) = run.marks();
    (run.bases(), run.partition.state().log_size(), log_start, log_end)
}

#[test]
fn the_append_that_ends_the_pause_rolls_by_time() {
    let mut run = before_the_pause();
    assert_eq!(at(&mut run, 28), (vec![0, 6, 11], 670, 0, 14));
    for second in [35, 45, 55, 65] {
        assert_eq!(at(&mut run, second), (vec![0, 6, 11], 670, 0, 14), "at {second} s");
    }
    let (_, steps) = run.append_at(68, 40);
    let decision = steps.iter().find_map(|step| match step {
        Step::RollDecided(decision) => Some(decision.clone()),
        _ => None,
    });
    let decision = decision.expect("a roll check");
    assert_eq!((decision.total(), decision.says(RollCause::Size)), (180, false));
    assert_eq!(
        decision.waited,
        Waited::Timestamps {
            incoming: Some(seconds(68)),
            first: seconds(24),
        }
    );
    assert_eq!(
        (decision.waited.ms(), decision.cause()),
        (44_000, Some(RollCause::Time))
    );
    assert_eq!(run.bases(), [0, 6, 11, 14]);
    assert_eq!(run.sizes(), [270, 260, 140, 40]);
    assert_eq!(run.index(11), []);
    assert_eq!(
        run.time_index(11),
        [(28, 2)],
        "the entry that the roll added is its only one"
    );
}

#[test]
fn segments_go_one_check_after_the_other() {
    let mut run = before_the_pause();
    run.append_at(68, 40);
    run.append_at(70, 55);
    assert_eq!(at(&mut run, 70), (vec![0, 6, 11, 14], 765, 0, 16));
    assert_eq!(
        at(&mut run, 74),
        (vec![0, 6, 11, 14], 765, 0, 16),
        "72 s old, and still there"
    );
    assert_eq!(run.fetch(0, 150).answer, Some(offset(0)));
    assert_eq!(at(&mut run, 75), (vec![6, 11, 14], 495, 6, 16));
    assert_eq!(run.partition.state().deleted_size(), 270);
    assert_eq!(at(&mut run, 85), (vec![11, 14], 235, 11, 16));
    assert_eq!(
        run.partition.state().deleted_size(),
        260,
        "the files of 0 are gone, those of 6 wait"
    );
    assert_eq!(at(&mut run, 95), (vec![14], 95, 14, 16));
    assert_eq!(at(&mut run, 105), (vec![14], 95, 14, 16));
    assert_eq!(run.partition.state().deleted_size(), 0);
}

#[test]
fn a_check_compares_ages_and_ends_at_the_first_that_stays() {
    let mut run = before_the_pause();
    run.append_at(68, 40);
    run.append_at(70, 55);
    // Second of the check, then each age in it.
    let checks: [(i64, &[(i64, i64)]); 4] = [
        (75, &[(0, 63), (6, 53)]),
        (85, &[(6, 63), (11, 57)]),
        (95, &[(11, 67), (14, 25)]),
        (105, &[(14, 35)]),
    ];
    for (second, ages) in checks {
        run.move_to(second);
        let trace = run.partition.trace(|partition| partition.settle());
        let asked: Vec<(i64, i64)> = trace
            .steps
            .iter()
            .filter_map(|step| match step {
                Step::RetentionDecided(decision) if decision.rule() == RetentionRule::Time => match decision.operands {
                    partition_log::rules::retention::RetentionOperands::Time { now, largest, .. } => {
                        Some((decision.base.get(), (now - largest) / 1000))
                    }
                    _ => None,
                },
                _ => None,
            })
            .collect();
        assert_eq!(asked, ages, "at {second} s");
    }
}

#[test]
fn with_an_append_at_54_nothing_rolls_and_offset_11_grows_91_s_old() {
    let mut run = before_the_pause();
    let (appended, _) = run.append_at(54, 40);
    assert_eq!(appended.segment, offset(11), "54 - 24 = 30 is not above 30");
    assert_eq!(run.index(11), [(3, 140)]);
    assert_eq!(run.time_index(11), [(54, 3)]);
    assert_eq!(at(&mut run, 75).0, [6, 11]);
    assert_eq!(at(&mut run, 85).0, [11]);
    assert_eq!(at(&mut run, 105).0, [11]);
    run.move_to(115);
    assert_eq!(run.bases(), [11], "offset 11 is 91 s old");
    run.at(115);
    assert_eq!(run.bases(), [15], "61 > 60, and an empty segment takes over");
}

#[test]
fn without_rolling_by_time_offset_11_lives_until_135() {
    let unrolled = partition_log::config::Settings {
        segment_ms: i64::MAX,
        ..settings()
    };
    let mut run = Run::filled(unrolled, 14);
    let (appended, _) = run.append_at(68, 40);
    assert_eq!(appended.segment, offset(11));
    run.append_at(70, 55);
    assert_eq!(at(&mut run, 125).0, [11], "70 s is the newest: 55 s old");
    run.move_to(135);
    assert_eq!(run.bases(), [11]);
    run.at(135);
    assert_eq!(run.bases(), [16], "65 > 60");
}

#[test]
fn a_silent_topic_ends_with_one_empty_segment() {
    let mut run = before_the_pause();
    assert_eq!(at(&mut run, 75), (vec![6, 11], 400, 6, 14));
    assert_eq!(at(&mut run, 85), (vec![11], 140, 11, 14));
    run.move_to(95);
    let steps = run.partition.trace(|partition| partition.settle()).steps;
    let rolled = steps.iter().position(|step| {
        matches!(step, Step::Rolled { closed, opened, cause: RollCause::Retention }
            if *closed == offset(11) && *opened == offset(14))
    });
    let deleted = steps
        .iter()
        .position(|step| matches!(step, Step::SegmentsDeleted { .. }));
    assert!(rolled.is_some() && rolled < deleted, "the empty segment comes first");
    assert_eq!(
        (run.bases(), run.sizes(), run.marks()),
        (vec![14], vec![0], (14, 14, 14))
    );
    for second in (105..=1105).step_by(10) {
        assert_eq!(at(&mut run, second), (vec![14], 0, 14, 14), "at {second} s");
    }
    let (appended, _) = run.append_at(1106, 40);
    assert_eq!((appended.segment, appended.first_offset), (offset(14), offset(14)));
}

#[test]
fn an_hour_of_retention_counts_from_the_newest_record() {
    // Records from 10:00 to 10:20, one hour of retention; seconds from 10:00 on.
    let hour = partition_log::config::Settings {
        segment_bytes: 1 << 20,
        segment_ms: 604_800_000,
        retention_ms: 3_600_000,
        retention_check_interval_ms: i64::MAX,
        initial_task_delay_ms: i64::MAX,
        ..settings()
    };
    let mut run = Run::new(hour);
    run.append_at(0, 40);
    run.append_at(20 * 60, 40);
    for (second, deleted) in [(61 * 60, 0), (80 * 60, 0), (81 * 60, 1)] {
        run.move_to(second);
        let outcome = run.partition.check_retention().expect("a check");
        assert_eq!(outcome.deleted.len(), deleted, "at {second} s");
    }
}
