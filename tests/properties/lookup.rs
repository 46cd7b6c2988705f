//! Lookups in indexes that are long enough for the part that Kafka tries first, against a sorted map.

use std::collections::BTreeMap;

use partition_log::config::Settings;
use partition_log::disk::FileKind;
use partition_log::format::batch::NewBatch;
use partition_log::{Partition, Step, TimestampMs};
use partition_tests::orders::{done, offset};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

const RECORDS: i64 = 4_000;

/// Timestamps that mostly rise: 10 ms an offset, and every seventh record 95 ms late.
fn stamp(offset: i64) -> i64 {
    (10 * offset - if offset % 7 == 3 { 95 } else { 0 }).max(0)
}

fn long_log() -> Partition {
    let mut partition = done(Partition::create(
        Settings {
            index_interval_bytes: 40,
            message_timestamp_after_max_ms: i64::MAX,
            ..Settings::default()
        },
        0,
    ));
    for offset in 0..RECORDS {
        done(partition.append(&NewBatch::Message {
            size: 40 + (offset % 3) as u64,
            timestamp: TimestampMs::stored(stamp(offset)),
            key: None,
        }));
    }
    partition
}

/// Where each lookup in a trace led, and how often it looked.
fn lookup(steps: &[Step], wanted: FileKind) -> (Option<u32>, usize) {
    let led = steps.iter().find_map(|step| match step {
        Step::IndexLookedUp { kind, leads_to, .. } if *kind == wanted => Some(*leads_to),
        _ => None,
    });
    let probes = steps
        .iter()
        .filter(|step| matches!(step, Step::IndexProbed(probe) if probe.kind == wanted));
    (led, probes.count())
}

#[test]
fn a_lookup_is_the_floor_of_a_sorted_map() {
    let mut partition = long_log();
    let entries: BTreeMap<u32, u32> = partition
        .state()
        .offset_entries(offset(0))
        .into_iter()
        .map(|entry| (entry.relative.get(), entry.position.get()))
        .collect();
    let times: BTreeMap<i64, u32> = partition
        .state()
        .time_entries(offset(0))
        .into_iter()
        .map(|entry| (entry.timestamp.get(), entry.relative.get()))
        .collect();
    assert!(
        entries.len() > 1_025 && times.len() > 683,
        "longer than the warm part: {}",
        times.len()
    );
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let targets = (0..RECORDS, 0..10 * RECORDS + 20);
    for _ in 0..1_000 {
        let (target, time) = targets.new_tree(&mut runner).expect("a value").current();
        let fetched = done(partition.fetch(offset(target), Some(1)));
        let floor = entries
            .range(..=target as u32)
            .next_back()
            .map_or(0, |(_, position)| *position);
        let (led, probes) = lookup(partition.steps(), FileKind::Index);
        assert_eq!(led, Some(floor), "offset {target}");
        assert!(probes <= 14, "{probes} looks for offset {target}");
        assert_eq!(fetched.answer, Some(offset(target)));

        let searched = done(partition.find_time(TimestampMs::new(time).expect("positive")));
        let expected = (0..RECORDS).find(|offset| stamp(*offset) >= time).map(offset);
        if expected.is_some() {
            let floor = times.range(..=time).next_back().map_or(0, |(_, relative)| *relative);
            assert_eq!(
                lookup(partition.steps(), FileKind::TimeIndex).0,
                Some(floor),
                "{time} ms"
            );
        }
        assert_eq!(searched.answer, expected, "{time} ms");
    }
}
