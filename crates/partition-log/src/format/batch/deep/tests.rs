//! Compressed batches that Kafka itself wrote: three records from offset 40 on, of all formats and codecs.

use super::*;
use crate::format::batch::{read_fields, read_header, read_records};

/// Format, codec, bytes.
const GOLDEN: [(i8, Codec, &str); 10] = [
    (
        0,
        Codec::Gzip,
        concat!(
            "000000000000002a0000006351fb37f90001ffffffff000000551f8b08000000000000ff636000030d20563baed97c06",
            "cc63cc0612e219a93939f90a182444038326106b7b085fb66260f80f04409e2c0e0d0a89e9899979506d5a40cc3fa189",
            "e51bd422905e00b7ebfdf384000000"
        ),
    ),
    (
        0,
        Codec::Snappy,
        concat!(
            "000000000000002a00000081b9840cd40002ffffffff0000007382534e415050590000000001000000010000005f8401",
            "00000901202800000026c72983cc050f2c016b0000001768656c6c6f204206000000090148290000002b4813d33a0000",
            "ffffffff0000001d422b000020091214616761696e0009014c2a0000000f908204f60000000000016bffffffff"
        ),
    ),
    (
        0,
        Codec::Lz4,
        concat!(
            "000000000000002a0000007caefec4800003ffffffff0000006e04224d1860401a5f00000012000100912800000026c7",
            "2983cc0f00cd016b0000001768656c6c6f200600012200fd060000290000002b4813d33a0000ffffffff0000001d2b00",
            "033d0050616761696e3400f0080000002a0000000f908204f60000000000016bffffffff00000000"
        ),
    ),
    (
        1,
        Codec::Gzip,
        concat!(
            "000000000000002a0000006e88b50aea010100000000000001f4ffffffff000000581f8b08000000000000ff63608003",
            "3db755c28b18a11cc60920221b488867a4e6e4e42b60903085406c1cc69bfd14ae53e73f100019b238342a24a62766e6",
            "415533816cd03bc6cf07d7fe056c31c80c00c4eeb26e9c000000"
        ),
    ),
    (
        1,
        Codec::Snappy,
        concat!(
            "000000000000002a00000090214dc1db010200000000000001f4ffffffff0000007a82534e4150505900000000010000",
            "0001000000669c0100001901182e46aa13a201000901400190000000016b0000001768656c6c6f204206000000090101",
            "311033560d6be50109010124012cffffffff0000001d4233000020091214616761696e000901000201620c2ec60f0e15",
            "3f24f4000000016bffffffff"
        ),
    ),
    (
        1,
        Codec::Lz4,
        concat!(
            "000000000000002a00000082b9768205010300000000000001f4ffffffff0000006c04224d186040825d000000160001",
            "00632e46aa13a2011000fd020190000000016b0000001768656c6c6f2006000429008500000033560d6be53a009d2cff",
            "ffffff0000001d330003450053616761696e3f0010026200452ec60f0e3f00a0f4000000016bffffffff00000000"
        ),
    ),
    (
        2,
        Codec::Gzip,
        concat!(
            "00000000000000280000006e00000003020f10b27f000100000002000000000000019000000000000001f4ffffffffff",
            "ffffffffffffffffff000000031f8b08000000000000ffb361606060cad6cb48cdc9c957c020193c188e3332315ae190",
            "56484c4fcccc63106038c1c8c294cdc800007211b5e74d000000"
        ),
    ),
    (
        2,
        Codec::Snappy,
        concat!(
            "0000000000000028000000750000000302d42ae3aa000200000002000000000000019000000000000001f4ffffffffff",
            "ffffffffffffffffff0000000382534e41505059000000000100000001000000304d303c000000026b2e68656c6c6f20",
            "4206001c004800c70102013a4219000d2b38616761696e001000c80104026b0100"
        ),
    ),
    (
        2,
        Codec::Lz4,
        concat!(
            "00000000000000280000006f00000003029ce7e5ee000300000002000000000000019000000000000001f4ffffffffff",
            "ffffffffffffffffff0000000304224d186040822f000000dd3c000000026b2e68656c6c6f2006008d004800c7010201",
            "3a1900032b00f000616761696e001000c80104026b010000000000"
        ),
    ),
    (
        2,
        Codec::Zstd,
        concat!(
            "00000000000000280000006d0000000302498708bf000400000002000000000000019000000000000001f4ffffffffff",
            "ffffffffffffffffff0000000328b52ffd005884010044023c000000026b2e68656c6c6f20004800c70102013a616761",
            "696e001000c80104026b0100030020033c672e73f902010000"
        ),
    ),
];

fn bytes(digits: &str) -> Vec<u8> {
    hex::decode(digits).expect("hex digits")
}

#[test]
fn kafkas_own_compressed_batches_read_back() {
    for (magic, codec, hex) in GOLDEN {
        let bytes = bytes(hex);
        let header = read_header(&bytes).expect("a header");
        assert_eq!((header.magic, header.codec), (magic, codec));
        assert_eq!((header.first_offset.get(), header.last_offset.get()), (40, 42));
        let records = read_records(&bytes).expect("valid");
        let found: Vec<_> = records
            .iter()
            .map(|record| (record.offset.get(), record.key.as_deref(), record.value.as_deref()))
            .collect();
        assert_eq!(
            found,
            [
                (40, Some(&b"k"[..]), Some(&b"hello hello hello hello"[..])),
                (41, None, Some(&b"hello hello hello hello again"[..])),
                (42, Some(&b"k"[..]), None),
            ],
            "{magic} {codec}"
        );
        let times: Vec<_> = records
            .iter()
            .map(|record| record.timestamp.map(|time| time.get()))
            .collect();
        match magic {
            0 => assert_eq!(times, [None; 3]),
            _ => assert_eq!(times, [Some(400), Some(300), Some(500)]),
        }
        let fields = read_fields(&bytes, 0).expect("valid");
        assert_eq!(fields.iter().map(|field| field.bytes.len()).sum::<usize>(), bytes.len());
    }
}

#[test]
fn the_frame_of_a_record_is_the_same_without_its_content() {
    for (_, codec, hex) in GOLDEN {
        let bytes = bytes(hex);
        let read = |depth| -> Vec<DeepRecord> {
            deep_records(&bytes, depth, RECORD_SIZE_MAX)
                .expect("opens")
                .map(|record| DeepRecord {
                    content: None,
                    ..record.expect("valid")
                })
                .collect()
        };
        assert_eq!(read(Depth::Frame), read(Depth::Content), "{codec}");
    }
}

#[test]
fn a_record_above_the_largest_allowed_is_invalid() {
    for (magic, codec, hex) in GOLDEN {
        let bytes = bytes(hex);
        let found: Result<Vec<_>, _> = deep_records(&bytes, Depth::Frame, 20).and_then(Iterator::collect);
        let fault = found.expect_err("every record but the last is larger");
        assert_eq!(fault.class, FaultClass::InvalidRecord, "{magic} {codec}");
        assert!(matches!(fault.reason, CorruptReason::RecordSize { max: 20, .. }));
    }
}

#[test]
fn a_changed_byte_never_panics_and_is_found_by_the_checksum() {
    for (_, _, hex) in GOLDEN {
        let good = bytes(hex);
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x11;
            let _ = read_records(&bad);
            let _ = first_offset(&bad);
            if let Ok(records) = deep_records(&bad, Depth::Content, RECORD_SIZE_MAX) {
                assert!(records.count() <= 4);
            }
        }
    }
}
