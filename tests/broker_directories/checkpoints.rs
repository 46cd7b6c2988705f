//! What stands beside the segments: the epochs of the leaders, and the marks that a log directory keeps of its partitions.

use partition_log::format::checkpoint::OffsetCheckpoint;
use partition_log::format::clean_shutdown::CleanShutdown;
use partition_log::format::epoch::LeaderEpochs;
use partition_log::format::metadata::PartitionMetadata;

use crate::kept::{End, Kept, checkpoint_entries};

/// Bytes that are a text, as the broker wrote it.
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("a text")
}

#[test]
fn the_model_reads_the_texts_of_a_broker_and_writes_them_alike() {
    let mut compared = 0;
    for kept in &Kept::all() {
        for name in [
            OffsetCheckpoint::RECOVERY_POINTS,
            OffsetCheckpoint::LOG_STARTS,
            OffsetCheckpoint::HIGH_WATERMARKS,
        ] {
            let bytes = &kept.beside[name].bytes;
            let saved = OffsetCheckpoint::read(bytes).expect("a checkpoint");
            assert_eq!(saved.offset("orders", 0), kept.mark(name), "{}, {name}", kept.name);
            // A file that was made and never written is empty.
            if !bytes.is_empty() {
                assert_eq!(saved.to_text(), text(bytes), "{}, {name}", kept.name);
                compared += 1;
            }
        }
        let epochs = text(&kept.files["leader-epoch-checkpoint"].bytes);
        let read = LeaderEpochs::parse(epochs).expect("a checkpoint");
        assert_eq!(read.to_text(), epochs, "{}", kept.name);
        let metadata = text(&kept.files[PartitionMetadata::NAME].bytes);
        let read = PartitionMetadata::parse(metadata).expect("a topic id");
        assert_eq!(read.to_text(), metadata, "{}", kept.name);
        if let Some(marker) = kept.beside.get(CleanShutdown::NAME) {
            let read = CleanShutdown::parse(text(&marker.bytes)).expect("a marker");
            assert_eq!(read.to_text(), text(&marker.bytes), "{}", kept.name);
            compared += 1;
        }
    }
    assert!(compared > 30, "{compared} files");
}

#[test]
fn a_stopped_broker_remembers_its_marks() {
    for kept in Kept::all().iter().filter(|kept| kept.origin.ended == End::Stopped) {
        let name = &kept.name;
        assert_eq!(
            kept.mark("recovery-point-offset-checkpoint"),
            Some(kept.marks.log_end),
            "{name}"
        );
        assert_eq!(
            kept.mark("replication-offset-checkpoint"),
            Some(kept.marks.high_watermark),
            "{name}"
        );
        let within_its_segment = kept.marks.log_start > kept.segments()[0].base;
        let log_start = within_its_segment.then_some(kept.marks.log_start);
        assert_eq!(kept.mark("log-start-offset-checkpoint"), log_start, "{name}");
    }
}

#[test]
fn only_a_stopped_broker_leaves_the_marker_of_a_clean_shutdown() {
    for kept in Kept::all() {
        let clean = kept.beside.contains_key(".kafka_cleanshutdown");
        assert_eq!(clean, kept.origin.ended == End::Stopped, "{}", kept.name);
    }
}

#[test]
fn a_killed_broker_remembers_what_it_noted_in_time() {
    for kept in Kept::all().iter().filter(|kept| kept.origin.ended == End::Killed) {
        let active = kept.segments().last().map(|segment| segment.base);
        let recovery_point = kept.mark("recovery-point-offset-checkpoint");
        // A roll flushes all that is older; the active segment was not flushed.
        assert!(
            recovery_point.is_none_or(|point| point <= active.unwrap_or(0) || !kept.restarts().is_empty()),
            "{}",
            kept.name
        );
    }
}

#[test]
fn the_epochs_are_those_of_the_batches() {
    for kept in Kept::all() {
        let mut expected: Vec<(i32, i64)> = Vec::new();
        for segment in kept.segments().iter().filter(|segment| !segment.deleted) {
            for batch in segment.batches() {
                let epoch = batch.header.leader_epoch;
                if expected.last().is_none_or(|(last, _)| *last < epoch) {
                    expected.push((epoch, batch.header.base_offset.max(kept.marks.log_start)));
                }
            }
        }
        let found = checkpoint_entries(&kept.files["leader-epoch-checkpoint"].bytes);
        let found: Vec<(i32, i64)> = found
            .iter()
            .map(|entry| {
                (
                    entry[0].parse().expect("an epoch"),
                    entry[1].parse().expect("an offset"),
                )
            })
            .collect();
        assert_eq!(found, expected, "{}", kept.name);
    }
}
