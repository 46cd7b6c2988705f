//! A directory with random edits is loaded, and used.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use partition_fuzz::directory::{Edit, File, Start, apply, correct, exercise, sound};

/// What happens to the directory.
#[derive(Debug, Arbitrary)]
struct Accident {
    start: Start,
    /// Whether the checksums of batches are made right again.
    corrected: bool,
    edits: Vec<Edit>,
}

fuzz_target!(|accident: Accident| {
    static SOUND: OnceLock<Vec<File>> = OnceLock::new();
    let mut files = SOUND.get_or_init(sound).clone();
    for edit in accident.edits.into_iter().take(20) {
        apply(&mut files, edit);
    }
    if accident.corrected {
        correct(&mut files);
    }
    exercise(&files, accident.start.options());
});
