//! A broker that is stopped, or dies, and comes back with its files as it left them.

use super::*;

#[test]
fn a_clean_shutdown_closes_the_active_segment_and_a_start_opens_it_again() {
    let mut bench = Bench::new();
    bench.append(3);
    bench.run(Partition::stop);
    assert!(!bench.partition.state().running() && bench.partition.state().clean_shutdown());
    assert_eq!(
        bench.files(),
        [
            "0.log 200",
            "0.index 8",
            "0.timeindex 12",
            "leader-epoch-checkpoint 8",
            "2.log 100",
            "2.index 0",
            "2.timeindex 12",
            "2.snapshot 10",
            "3.snapshot 10",
        ]
    );
    bench.start();
    assert_eq!(
        bench.told(),
        [
            "decide  recover segment 0: above-recovery-point no (clean shutdown)",
            "decide  recover segment 2: above-recovery-point no (clean shutdown)",
            "effect  log loaded, from 0 to 3, recovery point 3",
        ]
    );
    assert_eq!(
        bench.files()[4..],
        [
            "2.log 100",
            "2.index 1000",
            "2.timeindex 996",
            "2.snapshot 10",
            "3.snapshot 10",
        ]
    );
    bench.append(2);
    assert_eq!((bench.bases(), bench.log_end()), (vec![0, 2, 4], 5));
}

#[test]
fn what_a_power_cut_lost_is_gone_and_the_rest_is_checked_from_the_recovery_point() {
    let mut bench = Bench::new();
    bench.append(6);
    assert_eq!(
        bench.partition.state().recovery_point(),
        at(4),
        "rolls have flushed what lies below"
    );
    bench.run(|partition| partition.crash(30));
    assert_eq!(
        bench.partition.state().saved_recovery_point(),
        at(0),
        "nobody has saved that yet"
    );
    let options = StartOptions {
        recovery_point: Some(at(4)),
        ..StartOptions::default()
    };
    bench.run(|partition| partition.start(options));
    assert_eq!(
        bench.told(),
        [
            "decide  recover segment 0: above-recovery-point no (2 <= 4)",
            "decide  recover segment 2: above-recovery-point no (4 <= 4)",
            "decide  recover segment 4: above-recovery-point yes (the last segment)",
            "probe   segment 4 ends at byte 100: the 70 B left are no whole batch",
            "effect  segment 4 recovered: 100 B kept, 70 B cut, 0 offset and 1 time entries",
            "effect  log loaded, from 0 to 5, recovery point 4",
        ]
    );
    assert_eq!((bench.log_end(), bench.partition.state().high_watermark()), (5, at(5)));
}

#[test]
fn a_start_that_runs_already_and_a_stop_that_was_done_are_refused() {
    let mut bench = Bench::new();
    let start = |partition: &mut Partition| partition.start(StartOptions::default());
    assert_eq!(bench.try_run(start), Err(LogError::NotRunning { running: true }));
    bench.run(Partition::stop);
    assert_eq!(
        bench.try_run(Partition::stop),
        Err(LogError::NotRunning { running: false })
    );
    assert_eq!(
        bench.try_run(|partition| partition.crash(0)),
        Err(LogError::NotRunning { running: false })
    );
}
