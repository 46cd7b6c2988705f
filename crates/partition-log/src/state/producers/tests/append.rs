//! Sequence numbers, epochs and duplicates.

use super::*;

#[test]
fn t36_after_the_largest_sequence_comes_0() {
    let mut log = Log::default();
    log.append(data(1, 0, i32::MAX, 1))
        .expect("a new producer may begin anywhere");
    log.append(data(1, 0, 0, 1)).expect("next");
    assert_eq!(log.state.entry(id(1)).expect("known").last_sequence(), 0);
    let mut log = Log::default();
    log.append(data(1, 0, i32::MAX - 9, 20))
        .expect("a batch across the end");
    let last = *log.state.entry(id(1)).expect("known").last_batch().expect("known");
    assert_eq!((last.first_sequence(), last.last_sequence), (i32::MAX - 9, 9));
}

#[test]
fn t47_sequences_leave_no_gap_and_epochs_do_not_fall() {
    let mut log = Log::default();
    log.append(data(1, 0, 0, 1)).expect("new");
    let error = log.append(data(1, 0, 2, 1)).expect_err("a gap");
    assert_eq!(error.kafka_name(), "OutOfOrderSequenceException");
    assert_eq!(
        error.to_string(),
        "sequence 2 of producer 1 is not 1, next after 0: a batch was lost or came too early; send the missing one first, or begin again under epoch 1 with sequence 0"
    );
    let mut log = Log::default();
    log.append(data(1, 1, 0, 1)).expect("new");
    let error = log.append(data(1, 0, 0, 1)).expect_err("an old epoch");
    assert_eq!(error.kafka_name(), "InvalidProducerEpochException");
    assert_eq!(
        error.to_string(),
        "epoch 0 of producer 1 is not at least 1: a newer instance of this producer has taken over"
    );
}

#[test]
fn a_new_epoch_begins_at_0_and_forgets_the_batches() {
    let mut log = Log::default();
    log.append(data(1, 3, 7, 2)).expect("new");
    let error = log.append(data(1, 4, 9, 1)).expect_err("not 0");
    assert!(
        error
            .to_string()
            .starts_with("sequence 9 of producer 1 is not 0, where epoch 4 begins"),
        "{error}"
    );
    log.append(data(1, 4, 0, 1)).expect("0");
    let entry = log.state.entry(id(1)).expect("known");
    assert_eq!((entry.epoch, entry.batches().len()), (4, 1));
}

#[test]
fn an_epoch_known_from_a_marker_only_begins_at_0() {
    let mut log = Log::default();
    log.append(marker(1, 5, true, 0))
        .expect("a marker of an unknown producer");
    assert_eq!(refused(log.append(data(1, 5, 3, 1))), "OutOfOrderSequenceException");
    assert_eq!(refused(log.append(data(1, 5, 0, 1))), "accepted");
}

#[test]
fn t59_a_batch_is_a_duplicate_if_it_is_one_of_the_last_five() {
    let mut log = Log::default();
    for sequence in 0..=5 {
        log.append(data(1, 0, sequence, 1)).expect("next");
    }
    log.append(data(1, 0, 6, 3)).expect("next");
    let duplicate = log.append(data(1, 0, 6, 3)).expect("no refusal").expect("a duplicate");
    assert_eq!((duplicate.first_offset(), duplicate.last_offset, log.end), (6, 8, 9));
    assert_eq!(
        log.decisions[0].to_string(),
        "sequences 6 to 8 of producer 1: appended before, at offsets 6 to 8"
    );
    assert_eq!(refused(log.append(data(1, 0, 7, 2))), "OutOfOrderSequenceException");
    assert!(log.append(data(1, 0, 2, 1)).expect("the fifth from the end").is_some());
    assert_eq!(refused(log.append(data(1, 0, 1, 1))), "OutOfOrderSequenceException");
    assert_eq!(
        log.decisions[0].to_string(),
        "sequences 1 to 1 of producer 1: none of the last 5 batches"
    );
}

#[test]
fn t60_a_follower_takes_over_what_the_leader_accepted() {
    let mut log = Log::default();
    for _ in 0..4 {
        log.replicate(data(1, 0, 0, 1)).expect("no check");
    }
    assert_eq!(log.end, 4);
    log.replicate(data(1, 5, 0, 1)).expect("a new epoch");
    log.replicate(data(1, 4, 0, 1)).expect("an old epoch, too");
    assert!(
        log.decisions[0].to_string().ends_with("but the leader has accepted it"),
        "{}",
        log.decisions[0]
    );
    assert_eq!(log.state.entry(id(1)).expect("known").epoch, 4);
}

#[test]
fn batches_of_one_append_are_checked_one_behind_the_other() {
    let mut log = Log::default();
    log.append(data(1, 0, 0, 1)).expect("new");
    let mut second = data(1, 0, 2, 1);
    (second.first_offset, second.last_offset) = (2, 2);
    let mut first = data(1, 0, 1, 1);
    (first.first_offset, first.last_offset) = (1, 1);
    let append = ProducerAppend::default();
    let planned = log
        .state
        .plan_append(&[first, second], &append, &mut |_| ())
        .expect("in order");
    log.apply(planned.changes);
    let sequences: Vec<i32> = log
        .state
        .entry(id(1))
        .expect("known")
        .batches()
        .iter()
        .map(|batch| batch.last_sequence)
        .collect();
    assert_eq!(sequences, [0, 1, 2]);
    let reversed = log
        .state
        .plan_append(&[second, first], &append, &mut |_| ())
        .expect("a duplicate");
    assert!(reversed.duplicate.is_some() && reversed.changes.is_empty());
}

#[test]
fn t58_a_producer_is_forgotten_when_it_has_not_written_for_the_expiration() {
    let mut log = Log::default();
    log.append(data(1, 0, 0, 1)).expect("new");
    log.append(transactional(2, 0, 0, 1)).expect("new");
    assert_eq!(log.state.expire(100, 200), []);
    let gone = log.state.expire(200, 200);
    assert_eq!(
        gone,
        [ProducerChange::Expired { producer_id: id(1) }],
        "2 has a transaction open"
    );
    let sentences: Vec<String> = log
        .state
        .expiry_checks(200, 200)
        .map(|check| check.to_string())
        .collect();
    assert_eq!(
        sentences,
        [
            "producer 1 goes: it wrote 200 ms ago, not less than producer.id.expiration.ms, 200 ms",
            "producer 2 stays: its transaction from offset 1 is open",
        ]
    );
    log.apply(gone);
    assert_eq!(log.state.entry(id(1)), None);
    log.append(data(1, 0, 17, 1))
        .expect("unknown again: any sequence will do");
}

#[test]
fn a_transaction_is_verified_before_it_begins() {
    let mut log = Log::default();
    let mut append = ProducerAppend {
        verify: true,
        ..ProducerAppend::default()
    };
    let first = transactional(1, 0, 0, 1);
    assert_eq!(refused(log.append_as(first, &append)), "InvalidTxnStateException");
    let change = log.state.start_verification(id(1), 0, 0, true, 1_000).expect("new");
    log.apply(change);
    append.guard = log.state.verification(id(1)).map(|entry| entry.guard);
    assert_eq!(
        refused(log.append_as(transactional(1, 0, 3, 1), &append)),
        "OutOfOrderSequenceException"
    );
    assert_eq!(refused(log.append_as(first, &append)), "accepted");
    assert_eq!(log.state.verification(id(1)), None, "the transaction is open");
    assert_eq!(log.state.start_verification(id(1), 1, 0, true, 1_000), Ok(None));
    assert_eq!(
        refused(log.append_as(transactional(1, 0, 1, 1), &ProducerAppend { guard: None, ..append })),
        "accepted"
    );
}

#[test]
fn a_sequence_above_the_lowest_verified_is_refused_until_that_one_came() {
    let mut log = Log::default();
    for sequence in [4, 2, 3] {
        let change = log
            .state
            .start_verification(id(1), sequence, 0, false, 1_000)
            .expect("new");
        log.apply(change);
    }
    let append = ProducerAppend {
        guard: log.state.verification(id(1)).map(|entry| entry.guard),
        verify: true,
        ..ProducerAppend::default()
    };
    let error = log
        .append_as(transactional(1, 0, 3, 1), &append)
        .expect_err("2 has not come");
    assert!(
        error
            .to_string()
            .starts_with("sequence 3 of producer 1 is above 2, the lowest seen before"),
        "{error}"
    );
    log.append_as(transactional(1, 0, 2, 1), &append).expect("the lowest");
    let stale = log.state.expire(1_200, 200);
    assert_eq!(stale, [], "no verification is left");
}

#[test]
fn a_refused_append_uses_up_the_verifications_before_the_refused_batch() {
    let mut log = Log::default();
    let change = log.state.start_verification(id(1), 0, 0, false, 1_000).expect("new");
    log.apply(change);
    let append = ProducerAppend {
        origin: AppendOrigin::Replication,
        ..ProducerAppend::default()
    };
    let batches = [transactional(1, 0, 0, 1), data(1, 0, 1, 1)];
    let refused = log
        .state
        .plan_append(&batches, &append, &mut |_| ())
        .expect_err("outside");
    assert_eq!(refused.error.kafka_name(), "InvalidTxnStateException");
    assert_eq!(
        refused.changes,
        [ProducerChange::VerificationCleared { producer_id: id(1) }]
    );
}
