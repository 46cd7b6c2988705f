//! Where readers of committed records stop.

use super::*;

#[test]
fn t36_the_first_unstable_offset_waits_for_the_high_watermark() {
    let mut log = Log {
        end: 99,
        ..Log::default()
    };
    log.append(transactional(1, 0, 0, 6)).expect("A begins at 99");
    log.append(transactional(2, 0, 0, 4)).expect("B begins at 105");
    log.append(marker(1, 0, true, 0)).expect("A commits at 109");
    assert_eq!(log.first_unstable(), Some(99));
    log.replicated_to(100);
    assert_eq!(log.first_unstable(), Some(99));
    log.replicated_to(110);
    assert_eq!(log.first_unstable(), Some(105));
    log.plain(2);
    log.append(marker(2, 0, false, 0)).expect("B aborts at 112");
    assert_eq!(log.first_unstable(), Some(105));
    log.replicated_to(112);
    assert_eq!(log.first_unstable(), Some(105));
    log.replicated_to(113);
    assert_eq!(log.first_unstable(), None);
}

#[test]
fn t38_records_are_decided_up_to_the_oldest_open_transaction_of_another_producer() {
    let mut log = Log::default();
    for (producer, records) in [(1, 25), (2, 32), (3, 10)] {
        log.append(transactional(producer, 0, 0, records)).expect("begins");
    }
    for producer in [1, 3, 2] {
        log.append(marker(producer, 0, false, 0)).expect("ends");
    }
    let stable: Vec<(i64, i64)> = log
        .aborted
        .iter()
        .map(|entry| (entry.first_offset, entry.last_stable_offset))
        .collect();
    assert_eq!(
        stable,
        [(0, 25), (57, 25), (25, 70)],
        "the last one: its marker at 69, and 1"
    );
}

/// Mixed transactions of four producers, from the leader or from clients.
fn mixed(append: fn(&mut Log, ProducerBatch)) -> Log {
    let mut log = Log::default();
    let mut next = [0; 5];
    let mut records = |log: &mut Log, producer: usize, count: i32| {
        append(log, transactional(producer as i64, 0, next[producer], count));
        next[producer] += count;
    };
    records(&mut log, 1, 5);
    log.plain(3);
    records(&mut log, 2, 2);
    records(&mut log, 1, 4);
    records(&mut log, 3, 3);
    log.plain(2);
    records(&mut log, 1, 10);
    append(&mut log, marker(1, 0, false, 0));
    records(&mut log, 2, 6);
    records(&mut log, 4, 3);
    log.plain(10);
    records(&mut log, 3, 9);
    append(&mut log, marker(3, 0, true, 0));
    records(&mut log, 4, 8);
    records(&mut log, 2, 7);
    append(&mut log, marker(2, 0, false, 0));
    log.plain(10);
    records(&mut log, 4, 4);
    append(&mut log, marker(4, 0, true, 0));
    log
}

#[test]
fn t87_a_follower_has_the_same_transaction_index() {
    let by_client = |log: &mut Log, batch| assert_eq!(log.append(batch), Ok(None));
    let by_leader = |log: &mut Log, batch| assert_eq!(log.replicate(batch), Ok(None));
    for mut log in [mixed(by_client), mixed(by_leader)] {
        let entries: Vec<_> = log
            .aborted
            .iter()
            .map(|entry| {
                let AbortedTransaction {
                    producer_id,
                    first_offset,
                    last_offset,
                    last_stable_offset,
                } = *entry;
                (producer_id.get(), first_offset, last_offset, last_stable_offset)
            })
            .collect();
        assert_eq!(entries, [(1, 0, 29, 8), (2, 8, 74, 36)]);
        for (high_watermark, first_unstable) in [(30, Some(8)), (75, Some(36)), (90, None)] {
            log.replicated_to(high_watermark);
            assert_eq!(log.first_unstable(), first_unstable);
        }
    }
}

#[test]
fn t88_the_last_stable_offset_is_never_above_the_high_watermark() {
    let mut log = Log::default();
    log.append(transactional(1, 0, 0, 8)).expect("begins at 0");
    log.append(transactional(2, 0, 0, 3)).expect("begins at 8");
    log.replicated_to(log.end);
    assert_eq!(log.last_stable(), 0);
    log.append(marker(1, 0, true, 0)).expect("commits");
    assert_eq!(log.last_stable(), 0);
    log.replicated_to(log.end);
    assert_eq!(log.last_stable(), 8);
    log.append(marker(2, 0, false, 0)).expect("aborts");
    assert_eq!(log.last_stable(), 8);
    log.replicated_to(log.end);
    assert_eq!(log.last_stable(), log.end);
    log.replicated_to(6);
    assert_eq!(log.last_stable(), 6);
}

#[test]
fn t90_the_first_unstable_offset_is_not_below_the_log_start() {
    let mut log = Log::default();
    log.append(transactional(1, 0, 0, 10)).expect("begins at 0");
    for start in [5, 8] {
        let changes = log.state.on_log_start(offset(start));
        log.apply(changes);
        log.start = start;
        assert_eq!(log.first_unstable(), Some(start));
    }
    let open = log.state.first_unstable(offset(8));
    assert_eq!(
        open.to_string(),
        "the first unstable offset is 8, of the transaction of producer 1 from offset 0"
    );
}

#[test]
fn below_the_log_start_the_batch_that_holds_it_is_looked_up() {
    let mut log = Log::default();
    let place = Some(Place {
        base: offset(0),
        position: crate::units::Position::ZERO,
    });
    let first = ProducerBatch {
        place,
        ..transactional(1, 0, 0, 10)
    };
    log.append(first).expect("begins at 0");
    let at_0 = log.state.first_unstable(offset(0));
    assert_eq!((at_0.lookup(), at_0.unstable().expect("open").place), (None, place));
    let mut at_5 = log.state.first_unstable(offset(5));
    assert_eq!((at_5.lookup(), at_5.offset()), (Some(offset(5)), Some(offset(5))));
    at_5.found = Some(Unstable {
        offset: offset(0),
        place,
    });
    assert_eq!(at_5.offset(), Some(offset(0)), "the batch of offset 5 begins at 0");
}

#[test]
fn a_marker_cannot_end_what_another_producers_batch_covers() {
    let mut log = Log::default();
    let mut other = transactional(2, 0, 0, 2);
    other.last_offset = 1;
    let append = ProducerAppend {
        origin: AppendOrigin::Replication,
        ..ProducerAppend::default()
    };
    let batches = [
        transactional(1, 0, 0, 1),
        other,
        marker(1, 0, true, 0),
        marker(2, 0, true, 0),
    ];
    let planned = log.state.plan_append(&batches, &append, &mut |_| ()).expect("no check");
    log.apply(planned.changes);
    let first = log.state.complete(planned.completed[0]).expect("one is open");
    log.apply([first]);
    assert_eq!(
        refused(log.state.complete(planned.completed[1])),
        "IllegalArgumentException"
    );
}

#[test]
fn a_transaction_is_late_five_minutes_after_its_timeout() {
    let mut log = Log::default();
    log.append(transactional(1, 0, 7, 1)).expect("begins at 7 ms");
    assert!(!log.state.has_late_transaction(7 + 300_000 + 60_000, 60_000));
    assert!(log.state.has_late_transaction(8 + 300_000 + 60_000, 60_000));
}
