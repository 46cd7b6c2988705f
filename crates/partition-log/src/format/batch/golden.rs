//! Batches and messages that Kafka itself wrote: what is built and rewritten here is the same to the byte.

use super::*;

const A: &str = concat!(
    "00000000000000000000003c0000000002b36be24400000000000000000000000003e800000000000003e8",
    "ffffffffffffffffffffffffffff000000011400000001087465737400"
);
const B: &str = concat!(
    "00000000000000050000004c000000070246ac2f9200000000000100000000000003e800000000000003e8",
    "00000000000000090001000000040000000222000000046b310476310402680278026e0110000502046b320100"
);
const COMMIT: &str = concat!(
    "000000000000000a000000420000000302e87befff00300000000000000000000007d000000000000007d0",
    "00000000000000090001ffffffff000000012000000008000000010c00000000000500"
);
const ABORT: &str = concat!(
    "000000000000000a0000004200000003021c4539b700300000000000000000000007d000000000000007d0",
    "00000000000000090001ffffffff000000012000000008000000000c00000000000500"
);
const EMPTY: &str = concat!(
    "0000000000000005000000310000000702c1e6638f000000000001ffffffffffffffff00000000000003e8",
    "000000000000000900010000000400000000"
);
const V1: &str = "00000000000000280000001be59dbfa301000000000000000190ffffffff0000000568656c6c6f";
const V0: &str = "00000000000000280000001387a77ab20000ffffffff0000000568656c6c6f";

fn bytes(digits: &str) -> Vec<u8> {
    hex::decode(digits).expect("hex digits")
}

/// The batch that the golden bytes call A.
fn plain() -> BatchSpec {
    BatchSpec {
        leader_epoch: 0,
        records: vec![RecordSpec {
            timestamp: 1000,
            value: Some(b"test".to_vec()),
            ..RecordSpec::default()
        }],
        ..BatchSpec::default()
    }
}

/// B: an idempotent producer's, two records, headers, a null value.
fn idempotent() -> BatchSpec {
    BatchSpec {
        base_offset: 5,
        leader_epoch: 7,
        producer_id: 9,
        producer_epoch: 1,
        base_sequence: 4,
        records: vec![
            RecordSpec {
                timestamp: 1000,
                key: Some(b"k1".to_vec()),
                value: Some(b"v1".to_vec()),
                headers: vec![
                    RecordHeader {
                        key: b"h".to_vec(),
                        value: Some(b"x".to_vec()),
                    },
                    RecordHeader {
                        key: b"n".to_vec(),
                        value: None,
                    },
                ],
                ..RecordSpec::default()
            },
            RecordSpec {
                offset_delta: 1,
                timestamp: 997,
                key: Some(b"k2".to_vec()),
                ..RecordSpec::default()
            },
        ],
        ..BatchSpec::default()
    }
}

fn message(format: LegacyFormat) -> MessageSpec {
    MessageSpec {
        format,
        offset: 40,
        timestamp: 400,
        append_time: false,
        codec: Codec::None,
        key: None,
        value: Some(b"hello".to_vec()),
    }
}

#[test]
fn batches_are_built_to_the_byte() {
    assert_eq!(hex::encode(plain().encode().expect("small")), A);
    assert_eq!(hex::encode(idempotent().encode().expect("small")), B);
    // What compaction leaves of B where no record stays.
    let emptied = BatchSpec {
        last_offset_delta: Some(1),
        max_timestamp: Some(1000),
        records: Vec::new(),
        ..idempotent()
    };
    assert_eq!(hex::encode(emptied.encode().expect("small")), EMPTY);
}

#[test]
fn markers_are_built_to_the_byte() {
    let commit = EndTransaction {
        base_offset: 10,
        leader_epoch: 3,
        timestamp: 2000,
        producer_id: 9,
        producer_epoch: 1,
        coordinator_epoch: 5,
        commit: true,
    };
    assert_eq!(hex::encode(end_transaction_marker(&commit)), COMMIT);
    let abort = EndTransaction {
        commit: false,
        ..commit
    };
    assert_eq!(hex::encode(end_transaction_marker(&abort)), ABORT);
}

#[test]
fn messages_are_built_to_the_byte() {
    assert_eq!(hex::encode(message(LegacyFormat::V1).encode().expect("small")), V1);
    assert_eq!(hex::encode(message(LegacyFormat::V0).encode().expect("small")), V0);
}

#[test]
fn all_of_them_are_valid_and_none_is_with_one_bit_changed_under_the_checksum() {
    for golden in [A, B, COMMIT, ABORT, EMPTY, V1, V0] {
        let good = bytes(golden);
        assert_eq!(ensure_valid(&good), Ok(()));
        let covered = if good[16] < 2 { 16 } else { 21 };
        for at in covered..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x80;
            assert!(!is_valid(&bad), "byte {at}");
        }
    }
}

#[test]
fn a_header_gives_every_field_as_stored() {
    let header = RawHeader::read(&bytes(B)).expect("a header");
    assert_eq!(
        header,
        RawHeader {
            base_offset: 5,
            size: 88,
            leader_epoch: 7,
            magic: 2,
            crc: 0x46ac_2f92,
            attributes: 0,
            last_offset_delta: 1,
            base_timestamp: 1000,
            max_timestamp: 1000,
            producer_id: 9,
            producer_epoch: 1,
            base_sequence: 4,
            count: Some(2),
        }
    );
    assert_eq!(
        (header.last_offset(), header.next_offset(), header.last_sequence()),
        (6, 7, 5)
    );
    let marker = RawHeader::read(&bytes(COMMIT)).expect("a header");
    assert!(marker.is_control() && marker.is_transactional() && marker.has_producer_id());
    assert_eq!((marker.last_sequence(), marker.append_time()), (-1, None));
    let v0 = RawHeader::read(&bytes(V0)).expect("a header");
    assert_eq!(
        (v0.last_offset(), v0.max_timestamp, v0.producer_id, v0.count),
        (40, -1, -1, None)
    );
    assert!(!v0.is_control() && !v0.is_transactional() && !v0.has_producer_id());
}

#[test]
fn a_sequence_starts_again_at_0_behind_the_largest() {
    assert_eq!(increment_sequence(i32::MAX, 1), 0);
    assert_eq!(increment_sequence(i32::MAX - 1, 3), 1);
    assert_eq!(increment_sequence(5, 2), 7);
}

#[test]
fn offset_and_leader_epoch_leave_the_checksum_and_the_timestamp_renews_it() {
    let mut batch = bytes(B);
    set_last_offset(&mut batch, 106);
    set_leader_epoch(&mut batch, 8);
    assert_eq!(
        RawHeader::read(&batch).map(|header| (header.base_offset, header.leader_epoch)),
        Ok((105, 8))
    );
    assert_eq!(
        (batch[17..].to_vec(), is_valid(&batch)),
        (bytes(B)[17..].to_vec(), true)
    );

    set_max_timestamp(&mut batch, false, 1000);
    assert_eq!(batch[17..], bytes(B)[17..], "nothing changed, nothing is written");
    set_max_timestamp(&mut batch, true, 5000);
    let header = RawHeader::read(&batch).expect("a header");
    assert_eq!((header.append_time(), header.base_timestamp), (Some(5000), 1000));
    assert!(is_valid(&batch));

    let mut old = bytes(V1);
    set_last_offset(&mut old, 7);
    set_max_timestamp(&mut old, true, 5000);
    let header = RawHeader::read(&old).expect("a header");
    assert_eq!(
        (header.last_offset(), header.append_time(), is_valid(&old)),
        (7, Some(5000), true)
    );

    let mut oldest = bytes(V0);
    set_max_timestamp(&mut oldest, true, 5000);
    set_leader_epoch(&mut oldest, 5);
    assert_eq!(oldest, bytes(V0), "format v0 has neither");
}

#[test]
fn bits_that_mean_nothing_go_when_the_attributes_are_written_anew() {
    let mut batch = bytes(A);
    batch[21] = 0x7f;
    batch[22] |= 0x80;
    set_max_timestamp(&mut batch, false, 2000);
    assert_eq!(batch[21..23], [0, 0]);
}

#[test]
fn a_file_is_read_up_to_what_is_no_batch() {
    let mut file = bytes(A);
    file.extend(bytes(V0));
    let positions = |file: &[u8]| -> Vec<Result<u64, BadBatch>> {
        raw_batches(file, 0)
            .map(|found| found.map(|batch| batch.position))
            .collect()
    };
    for length in 72..file.len() {
        assert_eq!(
            positions(&file[..length]),
            [Ok(0)],
            "a partial batch ends it in silence"
        );
    }
    assert_eq!(positions(&file), [Ok(0), Ok(72)]);
    // Zeroes, as a preallocated file has them: 17 of them are no header yet, 18 are one with a bad size.
    file.extend([0; 17]);
    assert_eq!(positions(&file), [Ok(0), Ok(72)]);
    file.push(0);
    let bad = BadBatch {
        position: 103,
        reason: CorruptReason::SizeField { size: 0 },
    };
    assert_eq!(positions(&file), [Ok(0), Ok(72), Err(bad)]);
    assert_eq!(raw_batches(&file, 72).count(), 2);
    assert_eq!(raw_batches(&file, u64::MAX).count(), 0);
}

#[test]
fn a_request_is_read_up_to_what_is_no_batch() {
    let found = |request: &[u8]| -> Vec<Result<u64, CorruptReason>> {
        memory_batches(request)
            .map(|found| found.map(|batch| batch.position).map_err(|bad| bad.reason))
            .collect()
    };
    let mut request = bytes(B);
    request.extend(bytes(V1));
    for length in 88..request.len() {
        assert_eq!(found(&request[..length]), [Ok(0)]);
    }
    assert_eq!(found(&request), [Ok(0), Ok(88)]);
    request[88 + 16] = 3;
    assert_eq!(found(&request), [Ok(0), Err(CorruptReason::Magic { magic: 3 })]);
    request[88 + 11] = 13;
    assert_eq!(
        found(&request[..88 + 12]),
        [Ok(0), Err(CorruptReason::SizeField { size: 13 })]
    );
}

#[test]
fn both_formats_read_back() {
    let records = read_records(&bytes(V0)).expect("valid");
    assert_eq!(
        (records[0].value.as_deref(), records[0].timestamp),
        (Some(&b"hello"[..]), None)
    );
    let fields = read_fields(&bytes(V0), 0).expect("valid");
    assert_eq!(fields.iter().map(|field| field.bytes.len()).sum::<usize>(), 31);
    let header = read_header(&bytes(COMMIT)).expect("valid");
    assert!(header.control && header.transactional);
    assert_eq!(
        (header.producer_id, header.leader_epoch, header.codec),
        (9, 3, Codec::None)
    );
}
