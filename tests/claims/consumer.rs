//! A consumer whose committed offset is gone: committed 3, log start 6, log end 16.

use partition_log::rules::reset::{ResetPolicy, ResetReason};
use partition_log::{LogError, Offset, Step};
use partition_tests::orders::{Run, offset, settings};

/// Second 76: the check at 75 has removed the offsets 0 to 5, the group had read 0 to 2 and committed 3.
fn after_the_deletion() -> Run {
    let mut run = Run::filled(settings(), 16);
    run.consumer.commit(Some(offset(3)));
    for second in [35, 45, 55, 65] {
        run.at(second);
        assert_eq!(run.marks(), (0, 16, 16), "at {second} s");
    }
    run.at(75);
    run.move_to(76);
    run
}

fn reset(run: &Run) -> (Option<i64>, Option<i64>) {
    let consumer = &run.consumer;
    (
        consumer.position().map(Offset::get),
        consumer.committed().map(Offset::get),
    )
}

#[test]
fn a_commit_holds_no_segment_back() {
    let run = after_the_deletion();
    assert_eq!((run.bases(), run.sizes()), (vec![6, 11], vec![260, 235]));
    assert_eq!((run.marks(), run.partition.state().log_size()), ((6, 16, 16), 495));
    assert_eq!(run.partition.state().deleted_size(), 270);
}

#[test]
fn offsets_below_the_start_and_above_the_end_are_out_of_range() {
    let mut run = after_the_deletion();
    for from in [3, 5, 17] {
        let refused = run.partition.fetch(offset(from), None);
        assert!(
            matches!(refused, Err(LogError::OffsetOutOfRange { .. })),
            "fetch {from}"
        );
    }
    assert_eq!(run.fetch(6, 150).records, 3);
    assert_eq!(run.fetch(16, 150).records, 0, "the end itself is a valid, empty fetch");
}

#[test]
fn earliest_reads_all_that_is_left() {
    let mut run = after_the_deletion();
    run.consumer.set_reset_policy(ResetPolicy::Earliest);
    run.come_back().expect("a place to go on");
    let decision = run.consumer.steps().iter().find_map(|step| match step {
        Step::ResetDecided(decision) => Some(*decision),
        _ => None,
    });
    let decision = decision.expect("the policy is asked");
    assert_eq!(decision.reason, ResetReason::OutOfRange { requested: offset(3) });
    assert_eq!(
        (decision.target(), decision.lost(), decision.skipped()),
        (Some(offset(6)), 3, 0)
    );
    assert_eq!(reset(&run), (Some(6), Some(3)));

    let mut fetches = Vec::new();
    loop {
        let outcome = run.poll().expect("in range");
        if outcome.records == 0 {
            break;
        }
        fetches.push((outcome.records, outcome.bytes));
    }
    assert_eq!(fetches, [(3, 150), (2, 110), (3, 140), (2, 95)]);
    assert_eq!(fetches.iter().map(|(records, _)| records).sum::<u32>(), 10);
    assert_eq!(fetches.iter().map(|(_, bytes)| bytes).sum::<u64>(), 495);
    run.consumer.commit(run.consumer.position());
    assert_eq!(reset(&run), (Some(16), Some(16)));
}

#[test]
fn latest_is_the_default_and_passes_over_ten_records() {
    let mut run = after_the_deletion();
    run.come_back().expect("a place to go on");
    let decision = run.consumer.steps().iter().find_map(|step| match step {
        Step::ResetDecided(decision) => Some(*decision),
        _ => None,
    });
    let decision = decision.expect("the policy is asked");
    assert_eq!(decision.policy, ResetPolicy::Latest);
    assert_eq!(
        (decision.target(), decision.lost(), decision.skipped()),
        (Some(offset(16)), 3, 10)
    );
    assert_eq!(run.poll().expect("in range").records, 0);
    let (appended, _) = run.append_at(78, 65);
    assert_eq!(appended.first_offset, offset(16));
    let outcome = run.poll().expect("in range");
    assert_eq!(
        (outcome.answer, outcome.records),
        (Some(offset(16)), 1),
        "the first that it sees"
    );
}

#[test]
fn none_throws_and_changes_nothing() {
    let mut run = after_the_deletion();
    run.consumer.set_reset_policy(ResetPolicy::None);
    let files = run.partition.state().files().clone();
    let refused = run.come_back().expect_err("an exception");
    assert_eq!(refused.kafka_name(), Some("OffsetOutOfRangeException"));
    assert_eq!(reset(&run), (Some(3), Some(3)));
    assert_eq!(run.partition.state().files(), &files);
}

#[test]
fn a_new_group_chooses_the_same_way() {
    for (policy, expected) in [(ResetPolicy::Earliest, Some(6)), (ResetPolicy::Latest, Some(16))] {
        let mut run = after_the_deletion();
        run.consumer.commit(None);
        run.consumer.set_reset_policy(policy);
        let outcome = run.come_back().expect("a place to go on");
        assert_eq!((outcome.next.map(Offset::get), reset(&run).0), (expected, expected));
    }
    let mut run = after_the_deletion();
    run.consumer.commit(None);
    run.consumer.set_reset_policy(ResetPolicy::None);
    let refused = run.come_back().expect_err("an exception");
    assert_eq!(refused.kafka_name(), Some("NoOffsetForPartitionException"));
    assert_eq!(refused, LogError::NoOffsetForPartition);
}

#[test]
fn by_duration_goes_on_at_the_first_record_that_is_young_enough() {
    let mut run = after_the_deletion();
    run.consumer.set_reset_policy(ResetPolicy::ByDuration { ms: 45_000 });
    let outcome = run.come_back().expect("a place to go on");
    assert_eq!(outcome.next, Some(offset(15)), "76 - 45 = 31, and offset 15 carries 32");
}

#[test]
fn a_committed_offset_in_range_is_simply_read() {
    let mut run = after_the_deletion();
    run.consumer.commit(Some(offset(9)));
    let outcome = run.come_back().expect("in range");
    assert_eq!((outcome.records, outcome.next), (2, Some(offset(11))));
}
