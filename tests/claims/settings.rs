//! What Kafka ships with, beside the page's scaled values, and what the planner makes of it.

use partition_log::config::{SPECS, Settings, Spec};
use partition_log::questions::planner;
use partition_tests::orders::settings;

const DAY: i64 = 86_400_000;

#[test]
fn the_defaults_are_kafkas() {
    let defaults = [
        ("segment.bytes", 1_073_741_824),
        ("segment.ms", 7 * DAY),
        ("segment.jitter.ms", 0),
        ("segment.index.bytes", 10_485_760),
        ("index.interval.bytes", 4_096),
        ("max.message.bytes", 1_048_588),
        ("retention.ms", 7 * DAY),
        ("retention.bytes", -1),
        ("file.delete.delay.ms", 60_000),
        ("message.timestamp.before.max.ms", i64::MAX),
        ("message.timestamp.after.max.ms", 3_600_000),
        ("log.retention.check.interval.ms", 300_000),
        ("log.initial.task.delay.ms", 30_000),
        ("log.flush.offset.checkpoint.interval.ms", 60_000),
        ("log.flush.start.offset.checkpoint.interval.ms", 60_000),
        ("replica.high.watermark.checkpoint.interval.ms", 5_000),
        ("producer.id.expiration.ms", 86_400_000),
        ("producer.id.expiration.check.interval.ms", 600_000),
        ("max.partition.fetch.bytes", 1_048_576),
    ];
    for (key, value) in defaults {
        assert_eq!(Settings::default().get(key), Some(value), "{key}");
    }
    let word = |key: &str| Spec::find(key).map(|spec| spec.show(spec.default));
    assert_eq!(word("auto.offset.reset"), Some("latest".to_string()));
    assert_eq!(word("message.timestamp.type"), Some("CreateTime".to_string()));
    assert_eq!(word("cleanup.policy"), Some("delete".to_string()));
    assert_eq!(SPECS.len(), defaults.len() + 3);
}

#[test]
fn the_page_is_scaled_and_kafka_is_not() {
    assert!(settings().scaled() && !Settings::default().scaled());
    assert_eq!(settings().segment_bytes, 300);
}

#[test]
fn an_index_is_small_beside_its_log() {
    // About one entry each 4,096 B of 1 GiB: 2 MiB of offsets and 3 MiB of times.
    let most = planner::index_entries_max(1 << 30, 4_096);
    assert!(most <= 262_144 && most > 262_000, "{most} entries");
    assert_eq!(
        planner::index_entries(1 << 30, 4_096, 1_024),
        209_715,
        "every fifth batch of 1 KiB"
    );
    assert_eq!(
        planner::index_entries(1 << 30, 4_096, 16 << 10),
        65_535,
        "every batch of 16 KiB but the first"
    );
}

#[test]
fn a_record_may_live_for_both_spans_and_one_check() {
    assert_eq!(planner::greatest_age_ms(&settings()), Some(100_000), "60 + 30 + 10 s");
    assert_eq!(planner::greatest_age_ms(&Settings::default()), Some(14 * DAY + 300_000));
}

#[test]
fn files_and_fill_times_are_those_of_the_chapter() {
    assert_eq!(
        (
            planner::segments_for(1 << 30, 64 << 20),
            planner::segments_for(1 << 30, 256 << 20)
        ),
        (16, 4)
    );
    assert_eq!(planner::fill_ms(256 << 20, 2 << 20), Some(128_000));
    assert_eq!(planner::fill_ms(256 << 20, 2 << 10), Some(131_072_000));
}
