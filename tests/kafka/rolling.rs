//! When a segment is full, and what a roll leaves behind (Kafka: `UnifiedLogTest`, `LocalLogTest`, `LogLoaderTest`): T43,
//! T45, T46, T61, T62, T68, T69 and T105.

use partition_log::config::Settings;
use partition_log::disk::{FileKind, Suffix};
use partition_log::format::batch::{Codec, LegacyFormat, MessageSpec};
use partition_log::state::MemoryChange;
use partition_log::{AppendOptions, Partition, Step};
use partition_tests::orders::done;

use crate::batches::{SINGLE, records, single};
use crate::log::{Log, unhurried};

#[test]
fn t43_offsets_go_on_where_the_last_append_ended_across_a_roll_too() {
    let mut log = Log::new(unhurried());
    let first = |log: &mut Log| log.offsets_of(&records(&[0, 0, 0])).0;
    assert_eq!((first(&mut log), first(&mut log)), (0, 3));
    log.roll();
    assert_eq!(first(&mut log), 6);
}

#[test]
fn t45_a_quiet_segment_rolls_by_the_clock_where_records_have_no_timestamps_and_else_by_their_timestamps() {
    let mut log = Log::new(Settings {
        segment_ms: 3_600,
        ..unhurried()
    });
    let append = |log: &mut Log, timestamp| {
        log.append(&single(timestamp));
        log.segments()
    };
    log.sleep(3_601);
    assert_eq!(append(&mut log, -1), 1, "a roll would leave an empty segment behind");
    assert_eq!(append(&mut log, -1), 2);
    for segments in [3, 4] {
        log.sleep(3_601);
        assert_eq!(append(&mut log, -1), segments);
    }
    let later = log.now() + 3_601;
    assert_eq!(
        append(&mut log, later),
        4,
        "its first record has no timestamp: the clock counts"
    );
    log.sleep(3_601);
    assert_eq!(append(&mut log, later), 5);
    log.sleep(3_601);
    assert_eq!(append(&mut log, later), 5, "no time lies between the two timestamps");
    let now = log.now();
    assert_eq!(append(&mut log, now), 6);
    log.sleep(3_601);
    done(log.partition.append_records(&[], AppendOptions::default()));
    assert_eq!(log.segments(), 6, "nothing was appended");
}

#[test]
fn t46_an_empty_active_segment_is_not_rolled_but_made_anew() {
    let mut log = Log::new(unhurried());
    log.roll();
    assert_eq!(log.bases(), [0]);
    log.append(&single(0));
    assert_eq!(log.log_end(), 1);
    // One entry a time index is none to spare: it counts as full from the start.
    let mut log = Log::new(Settings {
        segment_index_bytes: 12,
        ..unhurried()
    });
    log.append(&single(0));
    assert_eq!(
        (log.bases(), log.files(FileKind::Log, Suffix::Deleted)),
        (vec![0], vec![0])
    );
    log.append(&single(0));
    assert_eq!((log.bases(), log.log_end()), (vec![0, 1], 2));
}

#[test]
fn t61_a_segments_jitter_brings_its_roll_forward_by_at_most_its_limit() {
    for seed in 0..10 {
        let settings = Settings {
            segment_ms: 3_600,
            segment_jitter_ms: 1_200,
            ..unhurried()
        };
        let partition = done(Partition::create(settings, seed));
        let jitter = partition.steps().iter().find_map(|step| match step {
            Step::Memory(MemoryChange::SegmentOpened { jitter_ms, .. }) => Some(*jitter_ms),
            _ => None,
        });
        let jitter = jitter.expect("a segment was opened");
        assert!((0..1_200).contains(&jitter), "{jitter}");
        let mut log = Log { partition };
        log.append(&single(-1));
        log.sleep(3_600 - 1_200);
        log.append(&single(-1));
        assert_eq!(log.segments(), 1, "seed {seed}");
        log.sleep(1_200 - jitter + 1);
        log.append(&single(-1));
        assert_eq!(log.segments(), 2, "seed {seed}");
    }
}

#[test]
fn t62_a_segment_is_filled_to_the_byte() {
    let filled = |segment_bytes, appends| {
        let mut log = Log::new(Settings {
            segment_bytes,
            ..unhurried()
        });
        for _ in 0..appends {
            log.append(&single(0));
        }
        log.segments()
    };
    assert_eq!(filled(10 * (SINGLE - 1), 11), 2);
    assert_eq!((filled(10 * SINGLE, 10), filled(10 * SINGLE, 11)), (1, 2));
}

#[test]
fn t69_a_roll_brings_all_segments_but_the_active_one_to_disk() {
    let mut log = Log::new(Settings {
        segment_bytes: 100,
        ..unhurried()
    });
    for _ in 0..100 {
        log.append(&single(0));
    }
    for from in 0..100 {
        assert_eq!(log.got(from, 100), (Some(from), 1));
    }
    let state = log.state();
    assert_eq!(
        (Some(state.recovery_point()), state.recovery_point().get()),
        (state.active(), 99)
    );
}

#[test]
fn t105_an_offset_that_31_bits_do_not_reach_rolls_to_the_lowest_base_that_can_hold_it() {
    let far = 2_147_483_649;
    let mut log = Log::new(unhurried());
    for offset in [0, far, far + 1, far + 2] {
        log.replicate_at(offset, 0, single(0));
    }
    assert_eq!((log.bases(), log.snapshots()), (vec![0, far], vec![far]));
    // A message of format v1 tells its last offset only, and here it stands for two in a codec.
    let pair = |last| {
        let message = MessageSpec {
            format: LegacyFormat::V1,
            offset: last,
            timestamp: 0,
            append_time: false,
            codec: Codec::Gzip,
            key: None,
            value: Some(b"never opened".to_vec()),
        };
        message.encode().expect("a small message")
    };
    let mut log = Log::new(unhurried());
    log.replicate_at(0, 0, single(0));
    log.replicate(&pair(far + 1));
    assert_eq!((log.bases(), log.snapshots()), (vec![0, 3], vec![3]));
    log.replicate(&pair(far + 3));
    assert_eq!(log.bases(), [0, 3, far + 2]);
}
