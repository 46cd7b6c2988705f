//! What the model says of each segment's future is what a check then does.

use partition_log::questions::verdict::Verdict;
use partition_log::{Consumer, Offset, Partition, Step, TimestampMs};
use partition_tests::orders::done;

use crate::check;
use crate::pair::drive;

fn lives(partition: &Partition, base: Offset) -> bool {
    partition.state().bases().any(|live| live == base)
}

/// A copy that has reached a time, where a check has just run.
fn checked_at(partition: &Partition, at: TimestampMs) -> Partition {
    let mut copy = partition.clone();
    done(copy.advance_to(at));
    done(copy.check_retention());
    copy
}

fn later(partition: &Partition, ms: i64) -> TimestampMs {
    partition
        .state()
        .clock()
        .checked_add(ms)
        .expect("far from the end of time")
}

/// Every verdict of a state, put to the test.
fn come_true(partition: &Partition) {
    let state = partition.state();
    let bases: Vec<Offset> = state.bases().collect();
    let verdicts = state.verdicts();
    assert_eq!(bases.len(), verdicts.len());

    let waiting = |verdict: &Verdict| matches!(verdict, Verdict::WaitsForCheck { .. });
    let expected: Vec<Offset> = bases
        .iter()
        .zip(&verdicts)
        .filter(|(_, verdict)| waiting(verdict))
        .map(|(base, _)| *base)
        .collect();
    let mut now = partition.clone();
    assert_eq!(
        done(now.check_retention()).deleted,
        expected,
        "a check now deletes those that wait for one"
    );

    let mut nothing_in_the_way = true;
    for (base, verdict) in bases.iter().zip(&verdicts) {
        match verdict {
            Verdict::WaitsForCheck { at, .. } => {
                let mut then = partition.clone();
                done(then.advance_to(*at));
                done(then.settle());
                assert!(!lives(&then, *base), "segment {base} goes at {at}");
            }
            Verdict::TooYoung { until } => {
                let just_before = until.checked_add(-1).expect("positive");
                if nothing_in_the_way && just_before >= state.clock() {
                    let end = bases
                        .iter()
                        .find(|next| *next > base)
                        .copied()
                        .unwrap_or(state.log_end());
                    assert!(
                        lives(&checked_at(partition, just_before), *base),
                        "{base} is too young until {until}"
                    );
                    let goes = state.high_watermark() >= end;
                    assert_eq!(
                        !lives(&checked_at(partition, *until), *base),
                        goes,
                        "{base} expires at {until}"
                    );
                }
                nothing_in_the_way = false;
            }
            Verdict::NoLimit => {
                assert!(
                    lives(&checked_at(partition, later(partition, 50_000_000)), *base),
                    "{base} has no limit"
                );
                nothing_in_the_way = false;
            }
            Verdict::BehindSegment { older } => {
                assert!(lives(&now, *older) && lives(&now, *base), "{base} stays behind {older}");
                assert!(older < base);
            }
            Verdict::AboveHighWatermark { end, high_watermark } => {
                assert!(high_watermark < end && *high_watermark == state.high_watermark());
                let mut followed = partition.clone();
                followed.follow_high_watermark().expect("the broker runs");
                done(followed.check_retention());
                assert!(!lives(&followed, *base), "only the high watermark kept {base}");
                nothing_in_the_way = false;
            }
            Verdict::EmptyActive => {
                assert_eq!(Some(*base), state.active());
                assert!(lives(&checked_at(partition, later(partition, 50_000_000)), *base));
            }
            Verdict::Deleted { .. } => panic!("{base} is live"),
        }
    }
}

/// What a check at a time asks about a segment is what `why_kept` says that it will ask.
fn explained(partition: &Partition) {
    let state = partition.state();
    let until_next = state.view().next_check - state.clock();
    for after in [0, 1, until_next / 2, until_next - 1] {
        let at = later(partition, after.max(0));
        let mut checked = partition.clone();
        done(checked.advance_to(at));
        if !partition.state().bases().eq(checked.state().bases()) {
            // A check that was late ran on the way.
            continue;
        }
        done(checked.check_retention());
        for base in state.bases() {
            let why = state.why_kept(base, at).expect("a live segment");
            assert_eq!(
                matches!(why.verdict, Verdict::WaitsForCheck { .. }),
                !lives(&checked, base),
                "{base} at {at}: {why:?}"
            );
            for decision in why.decisions() {
                let asked = |step: &Step| *step == Step::RetentionDecided(*decision);
                assert!(checked.steps().iter().any(asked), "nobody asks {decision}");
            }
        }
    }
}

#[test]
fn every_verdict_comes_true() {
    check(2_500, |scenario| {
        let created = done(Partition::create(scenario.settings.clone(), 7));
        let mut clients = (created, Consumer::new(&scenario.settings));
        for (number, command) in scenario.commands.iter().enumerate() {
            drive(&mut clients, command);
            if number % 4 == 3 {
                come_true(&clients.0);
                explained(&clients.0);
            }
        }
        come_true(&clients.0);
        explained(&clients.0);
    });
}
