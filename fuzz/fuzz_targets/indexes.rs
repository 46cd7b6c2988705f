//! Indexes of random bytes beside a sound log.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use partition_fuzz::directory::{File, Start, exercise, sound};

/// Indexes in place of those of the three segments.
#[derive(Debug, Arbitrary)]
struct Garbage {
    start: Start,
    offsets: [Vec<(i32, i32)>; 3],
    times: [Vec<(i64, i32)>; 3],
    transactions: [Option<Vec<u8>>; 3],
    /// Bytes that are no whole entry, at the end of each.
    torn: Vec<u8>,
}

fuzz_target!(|garbage: Garbage| {
    static SOUND: OnceLock<Vec<File>> = OnceLock::new();
    let mut files = SOUND.get_or_init(sound).clone();
    let torn = &garbage.torn[..garbage.torn.len().min(13)];
    replace(
        &mut files,
        ".index",
        garbage.offsets.map(|entries| Some(offset_index(&entries, torn))),
    );
    replace(
        &mut files,
        ".timeindex",
        garbage.times.map(|entries| Some(time_index(&entries, torn))),
    );
    replace(&mut files, ".txnindex", garbage.transactions);
    exercise(&files, garbage.start.options());
});

fn offset_index(entries: &[(i32, i32)], torn: &[u8]) -> Vec<u8> {
    let entries = entries
        .iter()
        .flat_map(|(key, to)| key.to_be_bytes().into_iter().chain(to.to_be_bytes()));
    entries.chain(torn.iter().copied()).collect()
}

fn time_index(entries: &[(i64, i32)], torn: &[u8]) -> Vec<u8> {
    let entries = entries
        .iter()
        .flat_map(|(key, to)| key.to_be_bytes().into_iter().chain(to.to_be_bytes()));
    entries.chain(torn.iter().copied()).collect()
}

/// Gives the files of a kind other bytes, oldest segment first.
fn replace(files: &mut [File], extension: &str, with: [Option<Vec<u8>>; 3]) {
    let found = files.iter_mut().filter(|(name, _)| name.ends_with(extension));
    for ((_, bytes), with) in found.zip(with) {
        if let Some(with) = with {
            *bytes = with;
        }
    }
}
