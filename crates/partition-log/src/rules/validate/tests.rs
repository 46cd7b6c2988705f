//! What Kafka accepts, what it refuses, and which refusal comes first where several apply.

use super::*;
use crate::config::Settings;
use crate::format::batch::{
    BatchSpec, Codec, EndTransaction, LegacyFormat, MessageSpec, NewBatch, RawHeader, RecordSpec,
    end_transaction_marker, read_records,
};
use crate::units::Offset;

const NOW: i64 = 10_000_000;
const EPOCH: i32 = 3;
const FIRST: i64 = 7;

fn rules() -> ValidationRules {
    ValidationRules::of(&Settings::default())
}

/// A batch of records with these timestamps, as a producer without idempotence sends it.
fn batch(timestamps: &[i64]) -> BatchSpec {
    BatchSpec {
        records: timestamps
            .iter()
            .enumerate()
            .map(|(delta, timestamp)| RecordSpec {
                offset_delta: delta as i32,
                timestamp: *timestamp,
                value: Some(b"value".to_vec()),
                ..RecordSpec::default()
            })
            .collect(),
        ..BatchSpec::default()
    }
}

fn bytes(spec: &BatchSpec) -> Vec<u8> {
    spec.encode().expect("small")
}

fn message(format: LegacyFormat, timestamp: i64) -> Vec<u8> {
    let message = MessageSpec {
        format,
        offset: 0,
        timestamp,
        append_time: false,
        codec: Codec::None,
        key: Some(b"k".to_vec()),
        value: Some(b"v".to_vec()),
    };
    message.encode().expect("small")
}

/// Both looks, as a leader has them.
fn lead(records: &[u8], origin: AppendOrigin, rules: &ValidationRules) -> Result<Validated, ValidationError> {
    let analysis = analyze(records, origin, EPOCH, rules.max_message_bytes)?;
    let incoming = Incoming {
        records: &records[..analysis.valid_bytes],
        codec: analysis.codec,
        origin,
        first_offset: FIRST,
        leader_epoch: EPOCH,
        now: NOW,
    };
    validate(&incoming, rules)
}

fn refusal(records: &[u8]) -> ValidationError {
    refusal_under(records, &rules())
}

fn refusal_under(records: &[u8], rules: &ValidationRules) -> ValidationError {
    match lead(records, AppendOrigin::Client, rules) {
        Err(error) => error,
        other => panic!("no refusal of validation: {other:?}"),
    }
}

fn reason(records: &[u8]) -> InvalidBatch {
    match refusal(records) {
        ValidationError::Batch { reason, .. } => reason,
        other => panic!("not of the batch: {other:?}"),
    }
}

#[test]
fn a_producers_batch_gets_its_offset_and_the_leaders_epoch_and_stays_otherwise() {
    let sent = bytes(&batch(&[NOW, NOW + 5, NOW - 5]));
    let found = lead(&sent, AppendOrigin::Client, &rules()).expect("valid");
    let header = RawHeader::read(&found.bytes).expect("a header");
    assert_eq!((header.base_offset, header.leader_epoch), (FIRST, EPOCH));
    assert_eq!((found.next_offset, found.max_timestamp), (FIRST + 3, NOW + 5));
    assert_eq!(found.bytes[16..], sent[16..]);
    assert_eq!(found.assignment, Assignment::InPlace);
}

#[test]
fn a_largest_timestamp_that_is_not_the_records_is_put_right() {
    let wrong = BatchSpec {
        max_timestamp: Some(5),
        ..batch(&[NOW, NOW + 5])
    };
    let found = lead(&bytes(&wrong), AppendOrigin::Client, &rules()).expect("valid");
    let right = RawHeader::read(&bytes(&batch(&[NOW, NOW + 5]))).expect("a header");
    let header = RawHeader::read(&found.bytes).expect("a header");
    assert_eq!((header.max_timestamp, header.crc), (NOW + 5, right.crc));
}

#[test]
fn where_the_topic_says_so_the_brokers_clock_counts_and_the_base_timestamp_stays() {
    let rules = ValidationRules {
        append_time: true,
        before_max_ms: 0,
        ..rules()
    };
    let found = lead(&bytes(&batch(&[5, 6])), AppendOrigin::Client, &rules).expect("no timestamp is too old");
    let header = RawHeader::read(&found.bytes).expect("a header");
    assert_eq!((header.append_time(), header.base_timestamp), (Some(NOW), 5));
    assert_eq!((found.max_timestamp, found.append_time), (NOW, Some(NOW)));
}

#[test]
fn only_the_broker_claims_the_brokers_clock() {
    let claims = BatchSpec {
        append_time: Some(-1),
        ..batch(&[-1])
    };
    assert_eq!(refusal(&bytes(&claims)).kafka_name(), Some("InvalidTimestampException"));
    // With a timestamp, a topic of type CreateTime takes the claim back in silence.
    let claims = BatchSpec {
        append_time: Some(NOW),
        ..batch(&[NOW])
    };
    let found = lead(&bytes(&claims), AppendOrigin::Client, &rules()).expect("accepted");
    assert_eq!(
        RawHeader::read(&found.bytes).map(|header| header.append_time()),
        Ok(None)
    );
}

#[test]
fn every_record_out_of_time_is_listed_and_limits_themselves_are_fine() {
    let rules = ValidationRules {
        before_max_ms: 100,
        after_max_ms: 10,
        ..rules()
    };
    assert!(lead(&bytes(&batch(&[NOW - 100, NOW + 10])), AppendOrigin::Client, &rules).is_ok());
    let error = refusal_under(&bytes(&batch(&[NOW, NOW - 101, NOW + 11])), &rules);
    assert_eq!(
        error.to_string(),
        "record 1: the timestamp 2 h 46 min 39 s 899 ms is more than 100 ms away from the clock, 2 h 46 min 40 s: see \
         message.timestamp.before.max.ms; record 2: the timestamp 2 h 46 min 40 s 11 ms is more than 10 ms away from the clock, \
         2 h 46 min 40 s: see message.timestamp.after.max.ms"
    );
    assert_eq!(
        (error.kafka_name(), error.code()),
        (Some("InvalidTimestampException"), "invalid-timestamp")
    );
}

#[test]
fn a_wrong_timestamp_decides_on_the_name_where_keys_are_missing_too() {
    let rules = ValidationRules {
        before_max_ms: 100,
        compacted: true,
        ..rules()
    };
    let mut spec = batch(&[0, NOW]);
    assert_eq!(
        refusal_under(&bytes(&spec), &rules).kafka_name(),
        Some("InvalidRecordException")
    );
    spec.records[0].key = Some(b"k".to_vec());
    let error = refusal_under(&bytes(&spec), &rules);
    assert!(matches!(&error, ValidationError::Rejected { errors } if errors.len() == 2));
    assert_eq!(error.kafka_name(), Some("InvalidTimestampException"));
}

#[test]
fn a_batch_is_refused_for_its_header() {
    let base = |base_offset| {
        bytes(&BatchSpec {
            base_offset,
            ..batch(&[NOW])
        })
    };
    assert_eq!(reason(&base(1)), InvalidBatch::BaseOffset { found: 1 });
    let delta = |last_offset_delta| {
        bytes(&BatchSpec {
            last_offset_delta: Some(last_offset_delta),
            ..batch(&[NOW])
        })
    };
    assert_eq!(reason(&delta(-1)), InvalidBatch::OffsetRange { first: 0, last: -1 });
    assert!(matches!(
        reason(&delta(1)),
        InvalidBatch::CountMismatch { count: 1, .. }
    ));
    assert_eq!(reason(&bytes(&batch(&[]))), InvalidBatch::Count { count: 0 });
    let idempotent = BatchSpec {
        producer_id: 9,
        producer_epoch: 0,
        ..batch(&[NOW])
    };
    assert!(matches!(
        reason(&bytes(&idempotent)),
        InvalidBatch::Sequence { sequence: -1, .. }
    ));
    let two = [base(0), base(0)].concat();
    assert_eq!(reason(&two), InvalidBatch::Several);
}

#[test]
fn markers_come_from_a_coordinator_only() {
    let marker = end_transaction_marker(&EndTransaction {
        base_offset: 0,
        leader_epoch: -1,
        timestamp: NOW,
        producer_id: 9,
        producer_epoch: 1,
        coordinator_epoch: 5,
        commit: true,
    });
    assert_eq!(reason(&marker), InvalidBatch::Control);
    // A codec for the topic leaves markers alone.
    let rules = ValidationRules {
        compression: CompressionSetting::Codec(Codec::Gzip),
        ..rules()
    };
    let found = lead(&marker, AppendOrigin::Coordinator, &rules).expect("valid");
    assert_eq!((found.next_offset, found.assignment), (FIRST + 1, Assignment::InPlace));
}

#[test]
fn what_comes_first_is_told() {
    let mut both = bytes(&BatchSpec {
        base_offset: 1,
        ..batch(&[NOW])
    });
    both[70] ^= 1;
    assert_eq!(
        reason(&both),
        InvalidBatch::BaseOffset { found: 1 },
        "before the checksum"
    );
    both[7] = 0;
    let error = lead(&both, AppendOrigin::Client, &rules()).expect_err("the checksum is wrong");
    assert_eq!(error.kafka_name(), Some("CorruptRecordException"));
    let tight = ValidationRules {
        max_message_bytes: 60,
        ..rules()
    };
    let error = lead(&both, AppendOrigin::Client, &tight).expect_err("too large");
    assert_eq!(
        error.kafka_name(),
        Some("RecordTooLargeException"),
        "before the checksum"
    );
}

#[test]
fn a_batch_that_is_cut_off_is_left_away_and_alone_it_is_nothing() {
    let whole = bytes(&batch(&[NOW]));
    let mut records = whole.clone();
    records.extend_from_slice(&whole[..whole.len() - 1]);
    let found = lead(&records, AppendOrigin::Client, &rules()).expect("one batch is there");
    assert_eq!(found.bytes.len(), whole.len());
    let nothing = analyze(&whole[..20], AppendOrigin::Client, EPOCH, u64::MAX).expect("no batch");
    assert_eq!(nothing.valid_bytes, 0);
}

#[test]
fn messages_of_old_formats_become_one_batch() {
    for (format, timestamps) in [
        (LegacyFormat::V0, [None; 2]),
        (LegacyFormat::V1, [Some(NOW), Some(NOW - 1)]),
    ] {
        let sent = [message(format, NOW), message(format, NOW - 1)].concat();
        let found = lead(&sent, AppendOrigin::Client, &rules()).expect("valid");
        let records = read_records(&found.bytes).expect("valid");
        let found: Vec<_> = records
            .iter()
            .map(|record| (record.offset.get(), record.timestamp.map(|time| time.get())))
            .collect();
        assert_eq!(found, [(FIRST, timestamps[0]), (FIRST + 1, timestamps[1])]);
    }
    let grown = ValidationRules {
        max_message_bytes: 40,
        ..rules()
    };
    let error = lead(&message(LegacyFormat::V1, NOW), AppendOrigin::Client, &grown).expect_err("grew above 40 B");
    assert_eq!(error.kafka_name(), Some("RecordTooLargeException"));
    let mixed = [message(LegacyFormat::V1, NOW), bytes(&batch(&[NOW]))].concat();
    assert_eq!(reason(&mixed), InvalidBatch::OtherFormat { first: 1, found: 2 });
}

#[test]
fn a_codec_of_the_topic_is_not_modelled_and_says_what_to_set() {
    let rules = ValidationRules {
        compression: CompressionSetting::Codec(Codec::Lz4),
        ..rules()
    };
    let error = refusal_under(&bytes(&batch(&[NOW])), &rules);
    assert_eq!((error.kafka_name(), error.code()), (None, "not-modelled"));
}

#[test]
fn a_follower_takes_offsets_as_they_come_if_they_grow() {
    let at = |base_offset, leader_epoch| {
        bytes(&BatchSpec {
            base_offset,
            leader_epoch,
            ..batch(&[NOW])
        })
    };
    let look = |records: &[u8]| analyze(records, AppendOrigin::Replication, EPOCH, 0);
    let found = look(&[at(10, 2), at(20, 3)].concat()).expect("offsets grow, and no size is too large");
    assert_eq!(
        (found.first_offset, found.last_offset, found.last_leader_epoch),
        (Some(10), 20, Some(3))
    );
    let back = look(&[at(10, 2), at(10, 2)].concat()).expect_err("10 again");
    assert_eq!(back.kafka_name(), Some("OffsetsOutOfOrderException"));
    // A batch of a later epoch waits until the follower has heard of it, and so does all behind it.
    let found = look(&[at(10, 3), at(11, 4), at(12, 3)].concat()).expect("the first is known");
    assert_eq!(found.valid_bytes, at(10, 3).len());
    assert_eq!(found.left_out.map(|left| (left.epoch, left.current)), Some((4, 3)));

    let records = at(10, 2);
    let found = look(&records).expect("valid");
    assert!(
        check_append_offset(&found, &records, 10).is_ok(),
        "gaps are allowed, and so is none"
    );
    let error = check_append_offset(&found, &records, 11).expect_err("below the log end");
    assert_eq!(error.kafka_name(), Some("UnexpectedAppendOffsetException"));
}

#[test]
fn what_the_model_itself_encodes_is_valid() {
    let new = NewBatch::Batch {
        records: 3,
        size: 200,
        timestamp: None,
        key: None,
        headers: 2,
        producer: None,
    };
    let sent = new.encode(Offset::ZERO, None).expect("room enough");
    assert_eq!(
        lead(&sent, AppendOrigin::Client, &rules()).map(|found| found.next_offset),
        Ok(FIRST + 3)
    );
}

#[test]
fn a_changed_byte_never_panics() {
    let good = [bytes(&batch(&[NOW, NOW])), message(LegacyFormat::V1, NOW)];
    for good in good {
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                for origin in [
                    AppendOrigin::Client,
                    AppendOrigin::Coordinator,
                    AppendOrigin::Replication,
                ] {
                    let _ = lead(&bad, origin, &rules());
                }
            }
        }
    }
}
