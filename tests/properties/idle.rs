//! A long wait is the same as many short ones: checks that find nothing may be passed over, not left out.

use partition_log::{Consumer, Partition, Step, TimestampMs};
use partition_tests::orders::done;

use crate::check;
use crate::pair::drive;
use crate::scenario::Command;

/// Moves the clock in steps that are too short for a check to be passed over.
fn advance_slowly(partition: &mut Partition, ms: i64) {
    let interval = partition.state().settings().retention_check_interval_ms;
    let from = partition.state().clock().get();
    let mut now = from;
    while now < from + ms {
        now = (now + 3 * interval + 1).min(from + ms);
        done(partition.advance_to(TimestampMs::new(now).expect("positive")));
        let skipped = partition
            .steps()
            .iter()
            .any(|step| matches!(step, Step::ChecksSkipped { .. }));
        assert!(!skipped, "{} ms pass no check over", 3 * interval + 1);
    }
}

#[test]
fn a_long_wait_leaves_what_many_short_ones_leave() {
    let passed_over = std::cell::Cell::new(0);
    check(2_000, |scenario| {
        let created = done(Partition::create(scenario.settings.clone(), 7));
        let mut long = (created, Consumer::new(&scenario.settings));
        let mut short = long.clone();
        let end = Command::Wait(400_000);
        for command in scenario.commands.iter().chain([&end]) {
            let (_, steps) = drive(&mut long, command);
            let skips = steps.iter().filter(|step| matches!(step, Step::ChecksSkipped { .. }));
            passed_over.set(passed_over.get() + skips.count());
            match command {
                Command::Wait(ms) => advance_slowly(&mut short.0, *ms),
                command => drop(drive(&mut short, command)),
            }
            assert_eq!(long.0.state(), short.0.state(), "after {command:?}");
        }
    });
    assert!(
        passed_over.get() > 1_000,
        "only {} times a check was passed over",
        passed_over.get()
    );
}
