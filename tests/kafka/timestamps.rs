//! Searches by time (Kafka: `UnifiedLogTest`): T74 to T76.

use partition_log::config::Settings;
use partition_log::{ReadOutcome, TimeTarget};
use partition_tests::orders::done;

use crate::batches::{at, single};
use crate::log::{Log, ms, unhurried};

/// Timestamp, offset and leader epoch of an answer, as Kafka gives them: −1 for no timestamp and no epoch.
fn answer(outcome: ReadOutcome) -> Option<(i64, i64, i32)> {
    let timestamp = outcome.timestamp.map_or(-1, |timestamp| timestamp.get());
    Some((timestamp, outcome.answer?.get(), outcome.epoch.unwrap_or(-1)))
}

#[test]
fn t74_a_follower_gets_an_index_entry_for_each_batch_of_an_append() {
    for in_one_append in [true, false] {
        let mut log = Log::at(
            100,
            Settings {
                index_interval_bytes: 1,
                ..unhurried()
            },
        );
        let batches: Vec<Vec<u8>> = (0..100)
            .map(|number| at(100 + number, 0, single(1_000 + number)))
            .collect();
        if in_one_append {
            log.replicate(&batches.concat());
        } else {
            batches.iter().for_each(|batch| drop(log.replicate(batch)));
        }
        let entries = log.time_index(100);
        assert_eq!(
            (entries.len(), entries.last()),
            (99, Some(&(1_099, 199))),
            "one append: {in_one_append}"
        );
    }
}

#[test]
fn t75_every_answer_has_its_leader_epoch() {
    let mut log = Log::new(unhurried());
    assert_eq!(answer(done(log.partition.find_time(ms(0)))), None);
    let (first, second) = (1_000, 1_001);
    log.append(&single(first));
    done(log.partition.set_leader_epoch(1));
    log.append(&single(second));
    assert_eq!(answer(done(log.partition.find_time(ms(first)))), Some((first, 0, 0)));
    assert_eq!(answer(done(log.partition.find_time(ms(second)))), Some((second, 1, 1)));
    // Without tiered storage the earliest offset is the earliest local one.
    assert_eq!(answer(done(log.ask(TimeTarget::Earliest))), Some((-1, 0, 0)));
    let latest = |log: &mut Log| answer(done(log.ask(TimeTarget::Latest)));
    assert_eq!(latest(&mut log), Some((-1, 2, 1)));
    done(log.partition.set_leader_epoch(2));
    assert_eq!(latest(&mut log), Some((-1, 2, 2)));
}

#[test]
fn t76_the_largest_timestamp_leads_to_the_first_record_that_has_it() {
    let mut log = Log::new(unhurried());
    for timestamp in [1_000, 1_001, 1_000] {
        log.append(&single(timestamp));
    }
    assert_eq!(answer(done(log.ask(TimeTarget::MaxTimestamp))), Some((1_001, 1, 0)));
    // Kafka answers with offset −1 where there is no tiered storage.
    assert_eq!(answer(done(log.ask(TimeTarget::LatestTiered))), None);
}
