//! Retention by size: 600 B.

use partition_log::config::Settings;
use partition_log::rules::retention::{RetentionAnswer, RetentionOperands, RetentionRule};
use partition_log::{LogError, Step};
use partition_tests::orders::{Run, offset, settings};

fn sized() -> Settings {
    Settings {
        retention_bytes: 600,
        ..settings()
    }
}

/// Excess, size of the segment, and the answer of each size decision in the steps.
fn decisions(steps: &[Step]) -> Vec<(i64, u64, u64, RetentionAnswer)> {
    steps
        .iter()
        .filter_map(|step| match step {
            Step::RetentionDecided(decision) => match decision.operands {
                RetentionOperands::Size {
                    log_size,
                    retention_bytes,
                    segment_size,
                } => Some((
                    decision.base.get(),
                    log_size - retention_bytes,
                    segment_size,
                    decision.answer(),
                )),
                _ => None,
            },
            _ => None,
        })
        .collect()
}

#[test]
fn nine_hundred_and_fifty_bytes_become_six_hundred_and_eighty() {
    let mut run = Run::new(sized());
    for (second, records, size) in [(5, 2, 95), (15, 7, 340), (25, 12, 575), (35, 17, 830)] {
        let next = run.marks().2 as usize;
        run.append_table(next, records);
        run.at(second);
        assert_eq!(run.partition.state().log_size(), size, "at {second} s");
        assert_eq!(run.marks().0, 0);
    }
    run.append_table(17, 20);
    run.move_to(45);
    let trace = run.partition.trace(|partition| partition.settle());
    assert_eq!(
        decisions(&trace.steps),
        [
            (0, 350, 270, RetentionAnswer::Delete),
            (6, 80, 260, RetentionAnswer::Keep),
        ]
    );
    assert_eq!((run.bases(), run.partition.state().log_size()), (vec![6, 11, 17], 680));
    assert_eq!(run.marks(), (6, 20, 20));
}

#[test]
fn below_the_limit_the_rule_is_not_asked() {
    let mut run = Run::filled(sized(), 12);
    run.move_to(25);
    let trace = run.partition.trace(|partition| partition.settle());
    let off = trace.steps.iter().any(|step| {
        matches!(
            step,
            Step::RetentionRuleOff {
                rule: RetentionRule::Size,
                log_size: 575,
                limit: 600
            }
        )
    });
    assert!(off, "575 B are below 600 B");
}

#[test]
fn at_35_an_excess_of_230_is_too_small_for_270() {
    let mut run = Run::filled(sized(), 17);
    run.move_to(35);
    let trace = run.partition.trace(|partition| partition.settle());
    assert_eq!(decisions(&trace.steps), [(0, 230, 270, RetentionAnswer::Keep)]);
}

#[test]
fn deleted_files_keep_their_bytes_for_ten_seconds_and_are_out_of_reach() {
    let mut run = Run::filled(sized(), 20);
    run.at(45);
    let deleted: Vec<(String, u64)> = run
        .listing()
        .into_iter()
        .filter(|(name, _)| name.ends_with(".deleted"))
        .collect();
    assert_eq!(
        deleted,
        [
            ("00000000000000000000.index.deleted".to_string(), 16),
            ("00000000000000000000.log.deleted".to_string(), 270),
            ("00000000000000000000.timeindex.deleted".to_string(), 36),
        ]
    );
    let fetched = run.partition.fetch(offset(3), None);
    assert_eq!(
        fetched,
        Err(LogError::OffsetOutOfRange {
            requested: offset(3),
            log_start: offset(6),
            log_end: offset(20),
        })
    );
    run.at(54);
    assert_eq!(run.listing().len(), 12);
    run.at(55);
    assert_eq!(run.listing().len(), 9);
    assert_eq!((run.bases(), run.partition.state().log_size()), (vec![6, 11, 17], 680));
}

#[test]
fn at_55_files_go_before_the_check_looks() {
    let mut run = Run::filled(sized(), 20);
    run.at(45);
    run.move_to(55);
    let steps = run.partition.trace(|partition| partition.settle()).steps;
    let removed = steps.iter().position(|step| matches!(step, Step::FilesRemoved { .. }));
    let checked = steps.iter().position(|step| matches!(step, Step::CheckStarted { .. }));
    assert!(removed.is_some() && removed < checked);
}

#[test]
fn deletion_rewrites_nothing() {
    let mut run = Run::filled(sized(), 20);
    let before: Vec<_> = [6, 11, 17].map(|base| run.index(base)).into();
    run.move_to(45);
    let steps = run.partition.trace(|partition| partition.settle()).steps;
    let rewritten = steps
        .iter()
        .filter(|step| matches!(step, Step::File(change) if !matches!(change, partition_log::disk::FileChange::Renamed { .. })))
        .count();
    assert_eq!(
        rewritten, 0,
        "three files get another name, nothing else happens on disk"
    );
    assert_eq!([6, 11, 17].map(|base| run.index(base)).to_vec(), before);
}

#[test]
fn both_limits_run_size_first_then_time() {
    let mut run = Run::filled(sized(), 20);
    let rules = |run: &mut Run, second| -> Vec<(RetentionRule, Vec<i64>)> {
        run.move_to(second);
        let steps = run.partition.trace(|partition| partition.settle()).steps;
        steps
            .iter()
            .filter_map(|step| match step {
                Step::SegmentsDeleted { rule, bases, .. } => {
                    Some((*rule, bases.iter().map(|base| base.get()).collect()))
                }
                _ => None,
            })
            .collect()
    };
    assert_eq!(rules(&mut run, 45), [(RetentionRule::Size, vec![0])]);
    assert_eq!(run.partition.state().log_size(), 680);
    for second in [55, 65, 75] {
        assert_eq!(rules(&mut run, second), [], "at {second} s");
    }
    assert_eq!(rules(&mut run, 85), [(RetentionRule::Time, vec![6])]);
    assert_eq!(run.partition.state().log_size(), 420);
    assert_eq!(rules(&mut run, 95), [(RetentionRule::Time, vec![11])]);
    assert_eq!(run.partition.state().log_size(), 120);
    assert_eq!(rules(&mut run, 105), [(RetentionRule::Time, vec![17])]);
    assert_eq!((run.bases(), run.partition.state().log_size()), (vec![20], 0));
}

#[test]
fn the_three_rules_are_asked_in_their_order_within_one_check() {
    let mut run = Run::filled(sized(), 20);
    run.move_to(45);
    let steps = run.partition.trace(|partition| partition.settle()).steps;
    let mut asked: Vec<RetentionRule> = steps
        .iter()
        .filter_map(|step| match step {
            Step::RetentionDecided(decision) => Some(decision.rule()),
            _ => None,
        })
        .collect();
    asked.dedup();
    assert_eq!(asked, RetentionRule::ALL);
    assert_eq!(
        RetentionRule::ALL,
        [RetentionRule::LogStart, RetentionRule::Size, RetentionRule::Time]
    );
}
