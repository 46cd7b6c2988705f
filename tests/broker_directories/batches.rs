//! Every batch of every `.log`, as the broker wrote it.

use partition_log::format::batch::{Codec, RecordHeader, ensure_valid, read_records};

use crate::kept::{ConsumedRecord, Content, End, Kept, Line, crc32c};

#[test]
fn every_log_is_a_row_of_sound_batches() {
    for kept in Kept::all() {
        let mut next = None;
        for segment in kept.segments() {
            let name = format!("{}, segment {}", kept.name, segment.base);
            assert!(
                next.is_none_or(|next| next == segment.base),
                "{name}: offsets are missing"
            );
            next = Some(segment.base);
            for batch in segment.batches() {
                let at = format!("{name}, position {}", batch.position);
                assert_eq!(ensure_valid(batch.bytes), Ok(()), "{at}");
                assert_eq!(batch.header.magic, 2, "{at}");
                assert_eq!(Some(batch.header.base_offset), next, "{at}");
                next = Some(batch.header.next_offset());
            }
        }
        assert_eq!(next, Some(kept.marks.log_end), "{}", kept.name);
    }
}

#[test]
fn only_a_killed_broker_leaves_the_zeros_of_preallocation() {
    for kept in Kept::all() {
        for segment in kept.segments() {
            let used: usize = segment.batches().iter().map(|batch| batch.bytes.len()).sum();
            let preallocated = kept.setting("preallocate") == Some("true");
            if preallocated && segment.is_active() && kept.origin.ended == End::Killed {
                assert_eq!(
                    Some(segment.log.length.to_string().as_str()),
                    kept.setting("internal.segment.bytes")
                );
            } else {
                assert_eq!(
                    segment.log.length, used as u64,
                    "{}, segment {}",
                    kept.name, segment.base
                );
            }
        }
    }
}

#[test]
fn each_codec_is_among_them() {
    let all = Kept::all();
    let logs = all.iter().flat_map(|kept| kept.segments());
    let codecs: Vec<Codec> = logs
        .flat_map(|segment| segment.batches())
        .map(|batch| batch.header.codec().expect("a codec that Kafka has"))
        .collect();
    for codec in [Codec::None, Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd] {
        assert!(codecs.contains(&codec), "{}", codec.name());
    }
}

/// Bytes as the answers note them.
fn content(bytes: &[u8]) -> Content {
    /// Longer ones are noted by their checksum.
    const TEXT_MAX: usize = 48;
    if bytes.len() <= TEXT_MAX {
        Content::Text(String::from_utf8(bytes.to_vec()).expect("the scenarios send text"))
    } else {
        Content::Sum {
            length: bytes.len(),
            crc32c: crc32c(bytes),
        }
    }
}

fn header(header: RecordHeader) -> (String, Option<Content>) {
    let key = String::from_utf8(header.key).expect("the scenarios send text");
    (key, header.value.as_deref().map(content))
}

#[test]
fn the_records_are_those_that_a_consumer_got() {
    for kept in Kept::all() {
        let mut found = Vec::new();
        for segment in kept.segments().iter().filter(|segment| !segment.deleted) {
            for batch in segment.batches().iter().filter(|batch| !batch.header.is_control()) {
                let append_time = batch.header.append_time().is_some();
                let records = read_records(batch.bytes).unwrap_or_else(|error| panic!("{}: {error}", kept.name));
                found.extend(records.into_iter().map(|record| ConsumedRecord {
                    offset: record.offset.get(),
                    timestamp: record.timestamp.expect("each has one").get(),
                    timestamp_type: if append_time { "LogAppendTime" } else { "CreateTime" }.to_string(),
                    key: record.key.as_deref().map(content),
                    value: record.value.as_deref().map(content),
                    headers: record.headers.into_iter().map(header).collect(),
                    leader_epoch: Some(batch.header.leader_epoch),
                }));
            }
        }
        found.retain(|record| record.offset >= kept.marks.log_start);
        let got = kept.lines.iter().filter_map(|line| match line {
            Line::Record(record) => Some(record),
            _ => None,
        });
        let got: Vec<&ConsumedRecord> = got.collect();
        assert_eq!(found.len(), got.len(), "{}", kept.name);
        for (found, got) in found.iter().zip(got) {
            assert_eq!(found, got, "{}", kept.name);
        }
    }
}
