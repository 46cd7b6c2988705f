//! The bytes of both formats against batches that Kafka itself wrote, and round trips.

use super::encode_error::EncodeError;
use super::*;

fn bytes(digits: &str) -> Vec<u8> {
    hex::decode(digits).expect("hex digits")
}

fn offset(value: i64) -> Offset {
    Offset::new(value).expect("not negative")
}

fn time(value: i64) -> Option<TimestampMs> {
    TimestampMs::stored(value)
}

#[test]
fn kafkas_own_v1_message_reads_back() {
    let bytes = bytes("00000000000000280000001be59dbfa301000000000000000190ffffffff0000000568656c6c6f");
    let header = read_header(&bytes).expect("a valid message");
    assert_eq!(
        (header.first_offset, header.size, header.timestamp),
        (offset(40), 39, time(400))
    );
    let records = read_records(&bytes).expect("a valid message");
    assert_eq!(
        (records[0].key.clone(), records[0].value.clone()),
        (None, Some(b"hello".to_vec()))
    );
}

#[test]
fn kafkas_own_v2_batch_reads_back() {
    let bytes = bytes(concat!(
        "00000000000000050000004c000000070246ac2f9200000000000100000000000003e800000000000003e8",
        "00000000000000090001000000040000000222000000046b310476310402680278026e0110000502046b320100"
    ));
    let header = read_header(&bytes).expect("a valid batch");
    assert_eq!(
        (header.first_offset, header.last_offset, header.size),
        (offset(5), offset(6), 88)
    );
    let records = read_records(&bytes).expect("a valid batch");
    assert_eq!(records[0].key, Some(b"k1".to_vec()));
    assert_eq!((records[1].timestamp, records[1].value.clone()), (time(997), None));
}

#[test]
fn a_written_v2_batch_differs_from_kafkas_only_where_its_producer_does() {
    let kafka = bytes(concat!(
        "00000000000000000000003c0000000002b36be24400000000000000000000000003e800000000000003e8",
        "ffffffffffffffffffffffffffff000000011400000001087465737400"
    ));
    let new = NewBatch::Batch {
        records: 1,
        size: 72,
        timestamp: time(1000),
        key: None,
        headers: 0,
        producer: None,
    };
    let ours = new.encode(Offset::ZERO, None).expect("72 B hold a record");
    assert_eq!(ours.len(), kafka.len());
    // All but the checksum and the four bytes of the value.
    assert_eq!(
        (&ours[..17], &ours[21..66], &ours[71..]),
        (&kafka[..17], &kafka[21..66], &kafka[71..])
    );
    let mut same = ours;
    same[67..71].copy_from_slice(b"test");
    assert_eq!(same[66..], kafka[66..]);
}

#[test]
fn every_size_that_exists_is_met_to_the_byte() {
    for size in 34..400 {
        let bytes = NewBatch::Message {
            size,
            timestamp: time(7),
            key: None,
        }
        .encode(offset(3), None)
        .expect("34 B and more");
        assert_eq!(read_records(&bytes).map(|records| records[0].size as u64), Ok(size));
    }
    let mut missed = 0;
    for size in 68..9_000 {
        match (NewBatch::Batch {
            records: 1,
            size,
            timestamp: time(7),
            key: None,
            headers: 0,
            producer: None,
        })
        .encode(offset(3), None)
        {
            Ok(bytes) => assert_eq!(
                (bytes.len() as u64, read_records(&bytes).map(|records| records.len())),
                (size, Ok(1))
            ),
            Err(EncodeError::NotReachable { nearest, .. }) => {
                assert_eq!(nearest, size - 1);
                missed += 1;
            }
            Err(error) => panic!("{size}: {error}"),
        }
    }
    assert_eq!(
        missed, 4,
        "one each where a length field grows, the body's and the value's, at 64 and at 8,192 B"
    );
}

#[test]
fn a_batch_of_three_takes_its_145_bytes() {
    let new = NewBatch::Batch {
        records: 3,
        size: 145,
        timestamp: time(22_000),
        key: None,
        headers: 0,
        producer: None,
    };
    let bytes = new.encode(offset(8), None).expect("145 B hold three records");
    let records = read_records(&bytes).expect("a valid batch");
    assert_eq!(bytes.len(), 145);
    assert_eq!(
        records.iter().map(|record| record.offset.get()).collect::<Vec<_>>(),
        [8, 9, 10]
    );
    let fields = read_fields(&bytes, 115).expect("a valid batch");
    assert_eq!(fields.iter().map(|field| field.bytes.len()).sum::<usize>(), 145);
}

#[test]
fn a_flipped_bit_is_found_by_the_checksum() {
    for new in [
        NewBatch::Message {
            size: 50,
            timestamp: time(7),
            key: Some(b"k".to_vec()),
        },
        NewBatch::Batch {
            records: 2,
            size: 120,
            timestamp: None,
            key: None,
            headers: 2,
            producer: None,
        },
    ] {
        let good = new.encode(offset(1), None).expect("room enough");
        assert!(read_records(&good).is_ok());
        for at in 21..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            assert!(read_records(&bad).is_err(), "byte {at}");
        }
    }
}

#[test]
fn too_small_and_too_large_are_refused_with_the_limit() {
    let message = |size| {
        NewBatch::Message {
            size,
            timestamp: None,
            key: None,
        }
        .encode(Offset::ZERO, None)
    };
    assert_eq!(
        message(33).expect_err("33 < 34").to_string(),
        "a message of format v1 takes at least 34 B; 33 B were asked for"
    );
    assert!(matches!(message(3 << 30), Err(EncodeError::TooLarge { .. })));
    let batch = |records, size| {
        NewBatch::Batch {
            records,
            size,
            timestamp: None,
            key: None,
            headers: 0,
            producer: None,
        }
        .encode(Offset::ZERO, None)
    };
    assert_eq!(batch(0, 100), Err(EncodeError::Empty));
    assert!(matches!(batch(u32::MAX, 100), Err(EncodeError::TooSmall { .. })));
    assert!(matches!(batch(1, 67), Err(EncodeError::TooSmall { min: 68, .. })));
}

#[test]
fn a_torn_tail_ends_the_iteration() {
    let mut log = NewBatch::Message {
        size: 40,
        timestamp: None,
        key: None,
    }
    .encode(Offset::ZERO, None)
    .expect("40 B");
    log.extend(
        NewBatch::Message {
            size: 50,
            timestamp: None,
            key: None,
        }
        .encode(offset(1), None)
        .expect("50 B"),
    );
    for length in 40..90 {
        assert_eq!(batches(&log[..length], Position::ZERO).count(), 1);
    }
    assert_eq!(batches(&log, Position::ZERO).count(), 2);
    // A file is read as a slice is, wherever it ends and whatever its size fields say.
    for size in [0, 13, 14, 28, 48, 0x7f, 0xff] {
        log[11] = size;
        for length in 0..=log.len() {
            let slice = raw_batches(&log[..length], 0).map(|found| found.map(|found| (found.position, found.header)));
            let file = file_batches(&log[..length], 0).map(|found| found.map(|found| (found.position, found.header)));
            assert!(slice.eq(file), "size field {size}, {length} B");
        }
    }
}
