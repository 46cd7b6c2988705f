//! What arrives is looked at before it is appended (Kafka: `LogValidatorTest`, and `UnifiedLogTest` where it is about
//! arriving records): T39, T40, T72, T73 and T80.

use partition_log::config::Settings;
use partition_log::format::batch::{BatchSpec, Codec, LegacyFormat, MessageSpec};
use partition_log::rules::validate::{
    AppendOrigin, CompressionSetting, Incoming, RecordErrorReason, ValidationError, ValidationRules, validate,
};

use crate::batches::{at, marker, message, records, single};
use crate::log::{Log, refused, unhurried};

const NOW: i64 = 1_000_000;

/// What a leader makes of a client's batch at [`NOW`].
fn checked(batch: &BatchSpec, rules: &ValidationRules) -> Result<(), ValidationError> {
    let bytes = batch.encode().expect("a small batch");
    let incoming = Incoming {
        records: &bytes,
        codec: Codec::None,
        origin: AppendOrigin::Client,
        first_offset: 0,
        leader_epoch: 0,
        now: NOW,
    };
    validate(&incoming, rules).map(|_| ())
}

fn rules() -> ValidationRules {
    ValidationRules {
        before_max_ms: 1_000,
        after_max_ms: 1_000,
        ..ValidationRules::of(&Settings::default())
    }
}

/// The indexes of the records that a refusal names.
fn named(outcome: Result<(), ValidationError>) -> Vec<u32> {
    match outcome {
        Err(ValidationError::Rejected { errors }) => errors.iter().map(|error| error.index).collect(),
        other => panic!("{other:?}"),
    }
}

/// Gives the records of a batch keys, where it says so.
fn keyed(keys: &[bool]) -> BatchSpec {
    let mut batch = records(&vec![NOW; keys.len()]);
    for (record, has_key) in batch.records.iter_mut().zip(keys) {
        record.key = has_key.then(|| b"key".to_vec());
    }
    batch
}

#[test]
fn t39_a_timestamp_too_far_from_the_clock_is_refused_and_only_another_codec_packs_records_anew() {
    for (timestamps, index) in [([NOW, NOW - 1_001], 1), ([NOW + 1_001, NOW], 0)] {
        let outcome = checked(&records(&timestamps), &rules());
        assert_eq!(refused(outcome.clone()), Some("InvalidTimestampException"));
        assert_eq!(named(outcome), [index]);
    }
    assert_eq!(
        checked(&records(&[NOW - 1_000, NOW + 1_000, -1]), &rules()),
        Ok(()),
        "the limits themselves"
    );
    // A level is no part of the choice: a batch that has the codec already is kept.
    assert_eq!(CompressionSetting::Producer.target(Codec::Gzip), Codec::Gzip);
    assert_eq!(CompressionSetting::Codec(Codec::Gzip).target(Codec::Gzip), Codec::Gzip);
    assert_eq!(CompressionSetting::Codec(Codec::Lz4).target(Codec::Gzip), Codec::Lz4);
    let packs = ValidationRules {
        compression: CompressionSetting::Codec(Codec::Gzip),
        ..rules()
    };
    let (from, to) = (Codec::None, Codec::Gzip);
    let outcome = checked(&single(NOW), &packs);
    assert_eq!(
        outcome,
        Err(ValidationError::NotModelled { from, to }),
        "the model writes no compressed records"
    );
}

#[test]
fn t40_a_wrong_timestamp_names_the_refusal_and_a_batch_that_contradicts_itself_is_invalid() {
    let compacted = ValidationRules {
        compacted: true,
        ..rules()
    };
    let mut two = keyed(&[false, true]);
    two.records[1].timestamp = NOW - 1_001;
    let outcome = checked(&two, &compacted);
    assert_eq!(refused(outcome.clone()), Some("InvalidTimestampException"));
    assert_eq!(named(outcome), [0, 1], "though the first of them has no key");
    let longer = BatchSpec {
        last_offset_delta: Some(2),
        ..records(&[NOW, NOW])
    };
    assert_eq!(refused(checked(&longer, &rules())), Some("InvalidRecordException"));
    let empty = BatchSpec {
        last_offset_delta: Some(0),
        ..records(&[])
    };
    assert_eq!(refused(checked(&empty, &rules())), Some("InvalidRecordException"));
    let mut log = Log::new(unhurried());
    let bytes = partition_log::format::batch::end_transaction_marker(&marker(1, 0, true));
    assert_eq!(
        refused(log.try_append(&bytes, AppendOrigin::Client)),
        Some("InvalidRecordException")
    );
}

#[test]
fn t72_what_no_segment_can_hold_is_refused_and_a_leader_also_keeps_to_max_message_bytes() {
    let size = single(0).encode().expect("a small batch").len() as i64;
    let mut log = Log::new(Settings {
        segment_bytes: size - 1,
        ..unhurried()
    });
    assert_eq!(refused(log.try_send(&single(0))), Some("RecordBatchTooLargeException"));
    let mut log = Log::new(Settings {
        max_message_bytes: size - 1,
        ..unhurried()
    });
    assert_eq!(refused(log.try_send(&single(0))), Some("RecordTooLargeException"));
    log.replicate(&at(0, 0, single(0)));
    assert_eq!(log.log_end(), 1, "a follower takes it");
}

#[test]
fn t73_a_compacted_topic_takes_no_record_without_a_key() {
    let compacted = ValidationRules {
        compacted: true,
        ..rules()
    };
    for (keys, unkeyed) in [(&[false][..], 0), (&[false, true], 0), (&[true, false], 1)] {
        let outcome = checked(&keyed(keys), &compacted);
        assert_eq!(refused(outcome.clone()), Some("InvalidRecordException"));
        let Err(ValidationError::Rejected { errors }) = outcome else {
            panic!("a record")
        };
        assert_eq!((errors[0].index, errors[0].reason), (unkeyed, RecordErrorReason::NoKey));
    }
    assert_eq!(checked(&keyed(&[true]), &compacted), Ok(()));
    assert_eq!(checked(&keyed(&[true, true]), &compacted), Ok(()));
    assert_eq!(
        checked(&keyed(&[false]), &rules()),
        Ok(()),
        "a topic that only deletes takes them"
    );
}

#[test]
fn t80_a_follower_refuses_offsets_that_fall_or_lie_below_its_end() {
    let mut log = Log::new(unhurried());
    let shuffled: Vec<u8> = [0, 1, 3, 2, 4]
        .iter()
        .flat_map(|offset| at(*offset, 0, single(0)))
        .collect();
    let outcome = log.try_append(&shuffled, AppendOrigin::Replication);
    assert_eq!(refused(outcome), Some("OffsetsOutOfOrderException"));
    // Each format, plain and in a codec: which one decides nothing here.
    let mut log = Log::new(unhurried());
    log.replicate(&at(0, 0, records(&[0, 0, 0])));
    let old = |format, codec| MessageSpec {
        format,
        offset: 2,
        timestamp: 0,
        append_time: false,
        codec,
        key: None,
        value: Some(b"test".to_vec()),
    };
    let new = single(0);
    let packed = BatchSpec {
        last_offset_delta: Some(0),
        ..records(&[])
    };
    let packed = packed.encode_area(Codec::Lz4, &[]).expect("a small batch");
    let below = [
        old(LegacyFormat::V0, Codec::None).encode().expect("a small message"),
        old(LegacyFormat::V1, Codec::None).encode().expect("a small message"),
        at(2, 0, new),
        packed,
        message(0, 0, "test"),
    ];
    for bytes in below {
        let outcome = log.try_append(&bytes, AppendOrigin::Replication);
        assert_eq!(refused(outcome), Some("UnexpectedAppendOffsetException"));
    }
    let mut log = Log::at(7, unhurried());
    let outcome = log.try_append(&at(4, 0, records(&[0, 0, 0])), AppendOrigin::Replication);
    assert_eq!(
        outcome.err(),
        Some(ValidationError::UnexpectedAppendOffset { offset: 4, log_end: 7 }.into())
    );
}
