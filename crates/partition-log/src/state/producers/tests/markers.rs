//! Markers, coordinators and the versions of transactions.

use super::*;

#[test]
fn records_outside_the_open_transaction_are_refused() {
    let mut log = Log::default();
    log.append(transactional(1, 0, 0, 1)).expect("begins");
    let error = log.append(data(1, 0, 1, 1)).expect_err("outside");
    assert_eq!(error.kafka_name(), "InvalidTxnStateException");
    assert_eq!(
        log.state.entry(id(1)).expect("known").last_sequence(),
        0,
        "nothing changed"
    );
}

#[test]
fn a_marker_without_an_open_transaction_ends_nothing_and_moves_the_epochs() {
    let mut log = Log::default();
    log.append(marker(1, 3, false, 7)).expect("accepted");
    let entry = log.state.entry(id(1)).expect("known");
    assert_eq!((entry.epoch, entry.coordinator_epoch, log.aborted.len()), (3, 7, 0));
    assert_eq!(
        log.decisions.last().expect("a decision").to_string(),
        "ABORT at offset 0 ends nothing: producer 1 has no transaction open"
    );
}

#[test]
fn t89_a_marker_of_an_older_coordinator_or_an_older_epoch_is_refused() {
    for open in [true, false] {
        let mut log = Log::default();
        log.append(transactional(1, 5, 0, 1)).expect("begins");
        log.append(marker(1, 5, true, 2)).expect("ends");
        if open {
            log.append(transactional(1, 5, 1, 1)).expect("begins");
        }
        let error = log.append(marker(1, 5, true, 1)).expect_err("an older coordinator");
        assert_eq!(error.kafka_name(), "TransactionCoordinatorFencedException");
        assert_eq!(
            error.to_string(),
            "coordinator epoch 1 is below 2: a newer coordinator has taken over"
        );
        assert_eq!(
            refused(log.append(marker(1, 4, true, 2))),
            "InvalidProducerEpochException"
        );
        assert_eq!(refused(log.replicate(marker(1, 4, true, 1))), "accepted");
    }
}

#[test]
fn a_new_epoch_does_not_begin_a_transaction_while_an_older_one_is_open() {
    let mut log = Log::default();
    log.append(transactional(1, 5, 0, 1)).expect("begins");
    assert_eq!(
        refused(log.append(transactional(1, 4, 0, 1))),
        "InvalidProducerEpochException"
    );
    assert!(matches!(log.decisions.last(), Some(ProducerDecision::Ongoing(_))));
    log.append(transactional(1, 6, 0, 1))
        .expect("a newer epoch goes on with it");
    assert_eq!(log.state.open_transactions().count(), 1);
}

#[test]
fn from_version_2_on_a_marker_has_a_larger_epoch_unless_it_is_a_retry() {
    let cases = [
        // version, open transaction, epoch of the marker where 5 is known, what happens
        (0, true, 5, "accepted"),
        (1, true, 5, "accepted"),
        (1, true, 4, "InvalidProducerEpochException"),
        (2, true, 6, "accepted"),
        (2, true, 5, "InvalidProducerEpochException"),
        (2, false, 5, "accepted"),
        (2, false, 4, "InvalidProducerEpochException"),
    ];
    for (version, open, epoch, expected) in cases {
        let mut log = Log::default();
        log.append(transactional(1, 5, 0, 1)).expect("begins");
        if !open {
            log.append(marker(1, 5, true, 0)).expect("ends");
        }
        let answer = refused(log.append_as(marker(1, epoch, true, 0), &marker_append(version)));
        assert_eq!(answer, expected, "version {version}, open: {open}, epoch {epoch}");
    }
    let mut log = Log::default();
    log.append(transactional(1, i16::MAX, 0, 1)).expect("begins");
    let last = marker(1, i16::MAX, true, 0);
    log.append_as(last, &marker_append(2))
        .expect("the largest epoch cannot grow");
    assert_eq!(log.state.open_transactions().count(), 0);
}

#[test]
fn a_marker_says_its_version_unless_the_leader_sends_it() {
    let mut log = Log::default();
    log.append(transactional(1, 0, 0, 1)).expect("begins");
    let append = ProducerAppend {
        transaction_version: None,
        ..marker_append(0)
    };
    assert_eq!(
        refused(log.append_as(marker(1, 0, true, 0), &append)),
        "IllegalArgumentException"
    );
    assert_eq!(refused(log.replicate(marker(1, 0, true, 0))), "accepted");
}

#[test]
fn a_control_batch_without_a_record_makes_its_producer_known() {
    let mut log = Log::default();
    let empty = ProducerBatch {
        kind: BatchKind::EmptyControl,
        ..marker(1, 4, true, 0)
    };
    log.replicate(empty).expect("nothing to check");
    assert_eq!(log.state.entry(id(1)), Some(&ProducerEntry::default()));
}

#[test]
fn a_batch_is_taken_from_its_header() {
    let written = crate::format::batch::EndTransaction {
        base_offset: 40,
        leader_epoch: 0,
        timestamp: 9,
        producer_id: 7,
        producer_epoch: 2,
        coordinator_epoch: 3,
        commit: true,
    };
    let bytes = crate::format::batch::end_transaction_marker(&written);
    let header = crate::format::batch::RawHeader::read(&bytes).expect("a header");
    let record = &crate::format::batch::read_records(&bytes).expect("one record")[0];
    let kind = BatchKind::control(record.key.as_deref(), record.value.as_deref(), 9);
    let batch = ProducerBatch::of(&header, kind, None).expect("a producer id");
    let expected = ProducerBatch {
        kind: BatchKind::Marker(EndMarker {
            commit: true,
            coordinator_epoch: 3,
            timestamp: 9,
        }),
        first_offset: 40,
        last_offset: 40,
        max_timestamp: 9,
        ..marker(7, 2, true, 3)
    };
    assert_eq!(batch, expected);
}

#[test]
fn a_marker_is_read_as_kafka_reads_it() {
    let marker = EndMarker {
        commit: true,
        coordinator_epoch: 258,
        timestamp: 9,
    };
    let read = BatchKind::control(Some(&[0, 0, 0, 1]), Some(&[0, 0, 0, 0, 1, 2]), 9);
    assert_eq!(read, BatchKind::Marker(marker));
    let later = EndMarker::parse(Some(&[0, 9, 0, 1, 7]), Some(&[0, 9, 0, 0, 1, 2, 7]), 9);
    assert_eq!(later, Ok(marker), "a later version is read like 0");
    let refused = |key: Option<&[u8]>, value: Option<&[u8]>| {
        let error = EndMarker::parse(key, value, 9).expect_err("no marker");
        (error, error.kafka_name())
    };
    let commit: Option<&[u8]> = Some(&[0, 0, 0, 1]);
    let invalid = "InvalidRecordException";
    assert_eq!(refused(None, None), (MarkerError::NoKey, "NullPointerException"));
    assert_eq!(
        refused(Some(&[0, 0, 0]), None),
        (MarkerError::KeySize { size: 3 }, invalid)
    );
    let version = -1;
    assert_eq!(
        refused(Some(&[255, 255, 0, 0]), None),
        (MarkerError::KeyVersion { version }, invalid)
    );
    assert_eq!(
        refused(Some(&[0, 0, 0, 2]), None),
        (MarkerError::Type { kind: 2 }, "IllegalArgumentException")
    );
    assert_eq!(refused(commit, None), (MarkerError::NoValue, "NullPointerException"));
    assert_eq!(
        refused(commit, Some(&[255, 255])),
        (MarkerError::ValueVersion { version }, invalid)
    );
    assert_eq!(
        refused(commit, Some(&[0, 0, 0, 0, 0])),
        (MarkerError::ValueSize { size: 5 }, "BufferUnderflowException")
    );
}
