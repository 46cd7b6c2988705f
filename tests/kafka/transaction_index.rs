//! The transaction index as a file (Kafka: `TransactionIndexTest`): T32 to T35. Entries are producer, first offset, last
//! offset, and the last stable offset when the marker came.

use partition_log::Offset;
use partition_log::format::index::{AbortedTransaction, TransactionIndex, TransactionIndexError};
use partition_log::units::ProducerId;
use partition_tests::orders::offset;

type Numbers = (i64, i64, i64, i64);

const FOUR: [Numbers; 4] = [(0, 0, 10, 11), (1, 5, 15, 13), (2, 18, 35, 25), (3, 32, 50, 40)];

fn aborted((producer_id, first_offset, last_offset, last_stable_offset): Numbers) -> AbortedTransaction {
    AbortedTransaction {
        producer_id: ProducerId::new(producer_id),
        first_offset,
        last_offset,
        last_stable_offset,
    }
}

fn file(entries: &[Numbers]) -> Vec<u8> {
    entries
        .iter()
        .flat_map(|numbers| aborted(*numbers).to_bytes())
        .collect()
}

fn refused<T>(outcome: Result<T, TransactionIndexError>) -> Option<&'static str> {
    outcome.err().map(|error| error.kafka_name())
}

#[test]
fn t32_a_search_is_complete_where_no_later_entry_can_reach_below_the_upper_bound() {
    let bytes = file(&FOUR);
    let cases: [(i64, i64, &[i64], bool); 6] = [
        (0, 100, &[0, 1, 2, 3], false),
        (0, 32, &[0, 1, 2], true),
        (0, 35, &[0, 1, 2, 3], true),
        (10, 35, &[0, 1, 2, 3], true),
        (11, 35, &[1, 2, 3], true),
        (20, 41, &[2, 3], false),
    ];
    for (from, to, producers, complete) in cases {
        let mut found = Vec::new();
        let index = TransactionIndex::new(Offset::ZERO, &bytes);
        let ended = index.collect_aborted(offset(from), offset(to), &mut found, &mut |_| ());
        let ids: Vec<i64> = found.iter().map(|entry| entry.producer_id.get()).collect();
        assert_eq!((ids.as_slice(), ended), (producers, Ok(complete)), "{from} to {to}");
    }
}

#[test]
fn t33_an_index_that_is_opened_again_goes_on_and_a_marker_below_the_base_is_not_sane() {
    let mut bytes = file(&FOUR);
    bytes.extend(aborted((3, 50, 60, 55)).to_bytes());
    assert_eq!(TransactionIndex::new(Offset::ZERO, &bytes).entries().count(), 5);
    assert_eq!(TransactionIndex::new(Offset::ZERO, &bytes).check_sanity(), Ok(()));
    let elsewhere = TransactionIndex::new(offset(100), &bytes).check_sanity();
    assert_eq!(refused(elsewhere), Some("CorruptIndexException"));
}

#[test]
fn t34_a_marker_that_does_not_come_behind_the_last_one_is_refused() {
    for marker in [15, 10] {
        let outcome = TransactionIndex::check_append(Offset::ZERO, Some(15), &aborted((0, 0, marker, 11)));
        assert_eq!(refused(outcome), Some("IllegalArgumentException"), "{marker} behind 15");
    }
    assert_eq!(
        TransactionIndex::check_append(Offset::ZERO, Some(15), &aborted((0, 0, 16, 11))),
        Ok(())
    );
}

#[test]
fn t35_a_truncation_takes_the_entries_from_its_offset_on() {
    let bytes = file(&[(0, 0, 10, 2), (1, 5, 15, 16), (2, 18, 35, 25), (3, 32, 50, 40)]);
    let left = |to| {
        let cut = TransactionIndex::new(Offset::ZERO, &bytes).truncate_to(offset(to));
        cut.expect("entries").map_or(4, |cut| cut.length / 34)
    };
    assert_eq!([51, 50, 0].map(left), [4, 3, 0]);
}
