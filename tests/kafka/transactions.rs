//! Transactions in a log (Kafka: `UnifiedLogTest`): T87 to T89 and T92.

use partition_log::config::Settings;
use partition_log::disk::{FileKind, FileName};
use partition_log::format::batch::EndTransaction;
use partition_log::rules::fetch::Isolation;
use partition_log::{FetchOptions, Offset};
use partition_tests::orders::offset;

use crate::batches::{marker, records, transactional};
use crate::log::{Log, refused, unhurried};

/// Transactions of four producers, mixed with records outside any; the first two are aborted. Ends at 90.
pub fn mixed(settings: Settings) -> Log {
    let mut log = Log::new(settings);
    let mut sequences = [0; 5];
    let mut data = |log: &mut Log, producer: usize, count: usize| {
        log.append(&transactional(producer as i64, 0, sequences[producer], count));
        sequences[producer] += count as i32;
    };
    let plain = |log: &mut Log, count: usize| drop(log.append(&records(&vec![0; count])));
    log.set_high_watermark(0);
    data(&mut log, 1, 5);
    plain(&mut log, 3);
    data(&mut log, 2, 2);
    data(&mut log, 1, 4);
    data(&mut log, 3, 3);
    plain(&mut log, 2);
    data(&mut log, 1, 10);
    assert_eq!(log.end(&marker(1, 0, false)), 29);
    data(&mut log, 2, 6);
    data(&mut log, 4, 3);
    plain(&mut log, 10);
    data(&mut log, 3, 9);
    assert_eq!(log.end(&marker(3, 0, true)), 58);
    data(&mut log, 4, 8);
    data(&mut log, 2, 7);
    assert_eq!(log.end(&marker(2, 0, false)), 74);
    plain(&mut log, 10);
    data(&mut log, 4, 4);
    assert_eq!(log.end(&marker(4, 0, true)), 89);
    log
}

/// What [`mixed`] leaves in the transaction index: producer, first offset, marker, last stable offset.
pub const ABORTED: [(i64, i64, i64, i64); 2] = [(1, 0, 29, 8), (2, 8, 74, 36)];

#[test]
fn t87_aborted_transactions_are_indexed_alike_by_the_leader_and_its_followers() {
    let mut leader = mixed(unhurried());
    assert_eq!(leader.aborted(0), ABORTED);
    let mut follower = Log::new(unhurried());
    let log = FileName::live(Offset::ZERO, FileKind::Log);
    follower.replicate(&leader.state().files().read(log).expect("its log"));
    assert_eq!(follower.aborted(0), ABORTED);
    for (high_watermark, unstable) in [(30, Some(8)), (75, Some(36)), (90, None)] {
        leader.set_high_watermark(high_watermark);
        assert_eq!(leader.first_unstable(), unstable, "{high_watermark}");
    }
}

#[test]
fn t88_the_last_stable_offset_waits_for_markers_and_for_the_high_watermark() {
    let mut log = Log::new(unhurried());
    log.append(&transactional(1, 0, 0, 5));
    log.append(&records(&[0, 0, 0]));
    log.append(&transactional(2, 0, 0, 2));
    log.set_high_watermark(10);
    assert_eq!(log.last_stable(), 0);
    log.end(&marker(1, 0, true));
    assert_eq!(log.last_stable(), 0, "the marker is not replicated");
    log.set_high_watermark(log.log_end());
    assert_eq!(log.last_stable(), 8);
    log.end(&marker(2, 0, false));
    assert_eq!(log.last_stable(), 8, "the marker is not replicated");
    log.set_high_watermark(log.log_end());
    assert_eq!(log.last_stable(), log.log_end());
}

#[test]
fn t89_an_older_coordinator_and_a_lower_epoch_are_fenced() {
    let of_coordinator = |coordinator_epoch, producer_epoch| EndTransaction {
        coordinator_epoch,
        ..marker(1, producer_epoch, false)
    };
    for with_records in [true, false] {
        let mut log = Log::new(unhurried());
        if with_records {
            log.append(&transactional(1, 1, 0, 1));
        }
        log.end(&of_coordinator(2, 1));
        if with_records {
            log.append(&transactional(1, 1, 1, 1));
        }
        let older = log.try_end(&of_coordinator(1, 1));
        assert_eq!(
            refused(older),
            Some("TransactionCoordinatorFencedException"),
            "records: {with_records}"
        );
        let lower = log.try_end(&of_coordinator(2, 0));
        assert_eq!(
            refused(lower),
            Some("InvalidProducerEpochException"),
            "records: {with_records}"
        );
    }
}

#[test]
fn t92_a_fetch_is_told_of_a_transaction_that_is_aborted_in_a_later_segment() {
    let mut log = Log::new(unhurried());
    log.append(&transactional(1, 0, 0, 10));
    log.roll();
    log.append(&transactional(1, 0, 10, 10));
    log.end(&marker(1, 0, false));
    let options = FetchOptions {
        isolation: Isolation::TxnCommitted,
        ..FetchOptions::limited(None)
    };
    let outcome = log.fetch(0, options).expect("in range");
    let aborted: Vec<(i64, i64)> = outcome
        .aborted
        .iter()
        .map(|(id, first)| (id.get(), first.get()))
        .collect();
    assert_eq!(aborted, [(1, 0)]);
    assert_eq!((outcome.records, outcome.next), (0, Some(offset(10))));
}
