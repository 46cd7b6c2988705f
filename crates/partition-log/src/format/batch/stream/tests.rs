//! Streams as each codec writes them, and what is broken in them.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use twox_hash::XxHash32;

use super::*;

fn text(length: usize) -> Vec<u8> {
    b"a line that repeats; ".iter().copied().cycle().take(length).collect()
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::default());
    out.write_all(plain).expect("a vector takes all");
    out.finish().expect("a vector takes all")
}

/// As snappy-java frames it, in chunks of 32 KiB.
fn snappy(plain: &[u8]) -> Vec<u8> {
    let mut out = b"\x82SNAPPY\0\0\0\0\x01\0\0\0\x01".to_vec();
    for chunk in plain.chunks(1 << 15) {
        let packed = snap::raw::Encoder::new().compress_vec(chunk).expect("small");
        out.extend_from_slice(&(packed.len() as u32).to_be_bytes());
        out.extend_from_slice(&packed);
    }
    out
}

/// As Kafka frames it: independent blocks of 64 KiB, no checksums, stored where packing does not shrink.
fn lz4(plain: &[u8]) -> Vec<u8> {
    let mut out = b"\x04\x22\x4d\x18\x60\x40".to_vec();
    out.push((XxHash32::oneshot(0, &out[4..6]) >> 8) as u8);
    for block in plain.chunks(1 << 16) {
        let packed = lz4_flex::block::compress(block);
        let stored = packed.len() >= block.len();
        let (bytes, bit) = if stored { (block, 1 << 31) } else { (&packed[..], 0) };
        out.extend_from_slice(&(bytes.len() as u32 | bit).to_le_bytes());
        out.extend_from_slice(bytes);
    }
    out.extend_from_slice(&[0; 4]);
    out
}

fn zstd(plain: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(plain, ruzstd::encoding::CompressionLevel::Fastest)
}

/// Packs bytes.
type Pack = fn(&[u8]) -> Vec<u8>;

const CODECS: [(Codec, Pack); 4] = [
    (Codec::Gzip, gzip),
    (Codec::Snappy, snappy),
    (Codec::Lz4, lz4),
    (Codec::Zstd, zstd),
];

fn unpack(codec: Codec, packed: &[u8]) -> Result<Vec<u8>, CorruptReason> {
    let mut stream = Stream::open(codec, 2, packed)?;
    let out = stream.take(1 << 22)?;
    assert_eq!(stream.byte()?, None);
    Ok(out)
}

#[test]
fn what_was_packed_unpacks() {
    for (codec, pack) in CODECS {
        for length in [0, 1, 100, 40_000, 200_000] {
            assert_eq!(
                unpack(codec, &pack(&text(length))),
                Ok(text(length)),
                "{codec} {length}"
            );
        }
    }
}

#[test]
fn a_stream_that_is_cut_off_is_broken() {
    for (codec, pack) in CODECS {
        let packed = pack(&text(5000));
        for length in [1, packed.len() / 2, packed.len() - 1] {
            assert_eq!(
                unpack(codec, &packed[..length]),
                Err(CorruptReason::Stream { codec }),
                "{codec} {length}"
            );
        }
    }
}

#[test]
fn a_changed_byte_never_panics() {
    for (codec, pack) in CODECS {
        let packed = pack(&text(300));
        for at in 0..packed.len() {
            for bit in [0x01, 0x10, 0x80] {
                let mut changed = packed.clone();
                changed[at] ^= bit;
                let _ = unpack(codec, &changed);
            }
        }
    }
}

#[test]
fn members_and_frames_follow_one_another_and_other_bytes_behind_gzip_are_ignored() {
    for (codec, pack) in [
        (Codec::Gzip, gzip as Pack),
        (Codec::Zstd, zstd),
        (Codec::Snappy, snappy),
    ] {
        let mut packed = pack(&text(50));
        packed.extend(pack(&text(60)));
        assert_eq!(unpack(codec, &packed).map(|out| out.len()), Ok(110), "{codec}");
    }
    let mut packed = gzip(&text(50));
    packed.extend([7; 40]);
    assert_eq!(unpack(Codec::Gzip, &packed), Ok(text(50)));
    // A frame to be skipped, of 3 B.
    let mut packed = b"\x50\x2a\x4d\x18\x03\0\0\0xyz".to_vec();
    packed.extend(zstd(&text(60)));
    assert_eq!(unpack(Codec::Zstd, &packed), Ok(text(60)));
}

#[test]
fn snappy_without_its_magic_is_one_raw_block() {
    let raw = snap::raw::Encoder::new().compress_vec(&text(70)).expect("small");
    assert_eq!(unpack(Codec::Snappy, &raw), Ok(text(70)));
    // A length that the block cannot have: refused before anything is set aside for it.
    assert!(unpack(Codec::Snappy, b"\xff\xff\xff\xff\x0f\0").is_err());
}

#[test]
fn the_checksum_of_an_lz4_frame_is_not_looked_at_in_format_v0() {
    let mut packed = lz4(&text(70));
    packed[6] ^= 1;
    assert!(Stream::open(Codec::Lz4, 1, &packed).is_err());
    let mut stream = Stream::open(Codec::Lz4, 0, &packed).expect("the checksum is not looked at");
    assert_eq!(stream.take(100), Ok(text(70)));
}

#[test]
fn a_few_bytes_that_unpack_to_very_many_end_at_the_limit() {
    // A frame of blocks that repeat one byte 128 KiB long.
    let mut packed = b"\x28\xb5\x2f\xfd\x00\x58".to_vec();
    for _ in 0..4000 {
        packed.extend_from_slice(&[0x02, 0x00, 0x10, b'x']);
    }
    packed.extend_from_slice(&[0x01, 0, 0]);
    let mut stream = Stream::open(Codec::Zstd, 2, &packed).expect("opens");
    assert_eq!(stream.skip(1 << 30), Err(CorruptReason::Unpacked { max: UNPACKED_MAX }));
}
