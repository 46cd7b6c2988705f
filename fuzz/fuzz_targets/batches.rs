//! Every way in which batches are read, validated and rewritten; with wrong checksums, and with right ones.
#![no_main]

use libfuzzer_sys::fuzz_target;
use partition_fuzz::with_checksums;
use partition_log::Position;
use partition_log::config::Settings;
use partition_log::format::batch::Codec;
use partition_log::format::batch::{self, RawHeader};
use partition_log::rules::validate::{AppendOrigin, CompressionSetting, Incoming, ValidationRules, analyze, validate};

fuzz_target!(|bytes: &[u8]| {
    read(bytes);
    read(&with_checksums(bytes));
});

fn read(bytes: &[u8]) {
    for found in batch::raw_batches(bytes, 0).map_while(Result::ok) {
        let _ = batch::ensure_valid(found.bytes);
        let _ = batch::first_offset(found.bytes);
        let _ = batch::read_fields(found.bytes, found.position);
        rewrite(found.bytes, &found.header);
    }
    let places = batch::raw_batches(bytes, 0).map(|found| found.map(|found| (found.position, found.header)));
    let in_file = batch::file_batches(bytes, 0).map(|found| found.map(|found| (found.position, found.header)));
    assert!(places.eq(in_file), "a file is read like a slice");
    for (_, header, found) in batch::batches(bytes, Position::ZERO) {
        let found = found.bytes();
        if let Ok(records) = batch::read_records(&found) {
            let inside = |end: usize| end <= found.len();
            assert!(header.codec != Codec::None || records.iter().all(|record| inside(record.start + record.size)));
        }
    }
    assert!(batch::memory_batches(bytes).count() <= bytes.len() / 26 + 1);
    for origin in [
        AppendOrigin::Client,
        AppendOrigin::Coordinator,
        AppendOrigin::Replication,
    ] {
        let Ok(found) = analyze(bytes, origin, 3, 1 << 20) else {
            continue;
        };
        let mut rules = ValidationRules::of(&Settings::default());
        for compression in [CompressionSetting::Producer, CompressionSetting::Codec(Codec::None)] {
            rules.compression = compression;
            let incoming = Incoming {
                records: &bytes[..found.valid_bytes as usize],
                codec: found.codec,
                origin,
                first_offset: 1_000,
                leader_epoch: 3,
                now: 1_000_000,
            };
            if let Ok(validated) = validate(&incoming, &rules) {
                check_written(&validated.bytes);
            }
        }
    }
}

/// What goes into the log can be read again.
fn check_written(bytes: &[u8]) {
    let mut covered = 0;
    for found in batch::raw_batches(bytes, 0) {
        let found = found.expect("a batch that was validated");
        assert_eq!(batch::ensure_valid(found.bytes), Ok(()), "checksum and size");
        covered = found.position + found.header.size;
    }
    assert_eq!(covered, bytes.len() as u64, "nothing is left over");
}

fn rewrite(bytes: &[u8], header: &RawHeader) {
    let mut copy = bytes.to_vec();
    batch::set_last_offset(&mut copy, 77);
    batch::set_leader_epoch(&mut copy, 5);
    assert_eq!(RawHeader::read(&copy).map(|copied| copied.size), Ok(header.size));
}
