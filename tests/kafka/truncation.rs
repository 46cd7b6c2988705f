//! The end of a log is cut off (Kafka: `UnifiedLogTest`, `LocalLogTest`): T48, T77, T78, T86 and T128.

use partition_log::config::Settings;
use partition_log::disk::FileKind;
use partition_tests::orders::{done, offset};

use crate::batches::{SINGLE, records, single};
use crate::log::{Log, unhurried};

fn filled(settings: Settings, count: i64) -> Log {
    let mut log = Log::new(settings);
    for at in 0..count {
        log.append(&single(10 * at));
    }
    log
}

#[test]
fn t48_an_epoch_without_a_record_is_taken_back_by_a_truncation_to_its_start() {
    let mut log = Log::at(27, unhurried());
    done(log.partition.set_leader_epoch(19));
    log.append(&records(&[0, 0]));
    assert_eq!((log.epochs(), log.log_end()), (vec![(19, 27)], 29));
    for (epoch, to) in [(20, 29), (24, 30)] {
        done(log.partition.set_leader_epoch(epoch));
        assert_eq!(log.epochs(), [(19, 27), (epoch, 29)]);
        log.truncate_to(to);
        assert_eq!(log.epochs(), [(19, 27)], "to {to}");
    }
}

#[test]
fn t77_a_log_is_cut_to_any_length_and_replaced_as_a_whole() {
    let mut log = filled(unhurried(), 10);
    for (to, end) in [(10, 10), (11, 10), (5, 5), (0, 0)] {
        log.truncate_to(to);
        assert_eq!(log.log_end(), end, "to {to}");
    }
    assert_eq!(log.state().log_size(), 0);
    done(log.partition.truncate_fully(offset(1)));
    assert_eq!((log.log_start(), log.log_end()), (1, 1));
    for _ in 0..10 {
        log.append(&single(0));
    }
    assert_eq!(log.log_end(), 11);
}

#[test]
fn t78_a_closed_segments_indexes_are_as_long_as_their_entries_until_it_is_written_to_again() {
    let settings = Settings {
        segment_bytes: 10 * SINGLE,
        index_interval_bytes: SINGLE - 1,
        ..unhurried()
    };
    let mut log = filled(settings, 20);
    assert_eq!(log.bases(), [0, 10]);
    let capacities = |log: &Log| {
        let view = log.state().view();
        (
            view.segments[0].offset_index.capacity,
            view.segments[0].time_index.capacity,
        )
    };
    assert_eq!(capacities(&log), (9, 9));
    log.truncate_to(0);
    assert_eq!(
        (log.segments(), capacities(&log)),
        (1, (10_485_760 / 8, 10_485_760 / 12))
    );
    for _ in 0..10 {
        log.append(&single(0));
    }
    assert_eq!(log.segments(), 1);
    assert_eq!(log.length(0, FileKind::Index), Some(10_485_760));
}

#[test]
fn t86_a_truncation_takes_the_epochs_that_begin_above_it() {
    let mut log = Log::new(unhurried());
    for (epoch, count) in [(0, 10), (1, 6), (2, 4)] {
        done(log.partition.set_leader_epoch(epoch));
        log.append(&records(&vec![0; count]));
    }
    assert_eq!(log.epochs(), [(0, 0), (1, 10), (2, 16)]);
    for (to, epochs) in [(20, 3), (11, 2), (10, 1), (0, 0)] {
        log.truncate_to(to);
        assert_eq!(log.epochs().len(), epochs, "to {to}");
    }
}

#[test]
fn t128_segments_above_the_cut_go_and_a_roll_opens_the_next_at_the_log_end() {
    let mut log = filled(
        Settings {
            segment_bytes: 3 * SINGLE,
            ..unhurried()
        },
        15,
    );
    assert_eq!(log.bases(), [0, 3, 6, 9, 12]);
    log.truncate_to(7);
    assert_eq!((log.bases(), log.log_end()), (vec![0, 3, 6], 7));
    // Whoever asks for a lower base than the log end gets the log end.
    let mut log = filled(unhurried(), 2);
    log.roll();
    assert_eq!(log.bases(), [0, 2]);
    log.roll();
    assert_eq!(
        log.bases(),
        [0, 2],
        "the active segment is empty: no second one of its base"
    );
}
