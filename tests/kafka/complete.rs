//! Every case is tested, or left out for a reason.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Cases that no test here has, and why.
const LEFT_OUT: [(u32, &str); 22] = [
    (17, "files of a length given beforehand (preallocate) are not modelled"),
    (42, "appends of the metadata log's own leader (raft) are not modelled"),
    (
        49,
        "segments between two offsets are no operation of a partition; only tiered storage asks for them",
    ),
    (91, "a disk that fails while it is written to is not modelled"),
    (96, "a disk that fails while it is written to is not modelled"),
    (112, COMPACTION),
    (113, COMPACTION),
    (114, COMPACTION),
    (115, COMPACTION),
    (116, COMPACTION),
    (117, COMPACTION),
    (118, COMPACTION),
    (119, COMPACTION),
    (120, COMPACTION),
    (121, COMPACTION),
    (122, COMPACTION),
    (123, COMPACTION),
    (124, COMPACTION),
    (125, COMPACTION),
    (126, COMPACTION),
    (129, "the name of the directory is the broker's, not the log's"),
    (130, "the tool that dumps a log prints it elsewhere"),
];

const COMPACTION: &str = "the cleaner is not modelled: cleanup.policy is delete";

/// Cases that Kafka's tests were found to have.
const CASES: u32 = 130;

/// The number of a case in a line that begins a test, `fn t9_…`.
fn case(line: &str) -> Option<u32> {
    let (number, words) = line.trim_start().strip_prefix("fn t")?.split_once('_')?;
    (!words.is_empty()).then(|| number.parse().ok())?
}

#[test]
fn every_case_is_tested_once_or_left_out_for_a_reason() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kafka");
    let mut seen: BTreeMap<u32, u32> = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("the folder of these tests") {
        let text = fs::read_to_string(entry.expect("a file").path()).expect("a source");
        for number in text.lines().filter_map(case) {
            *seen.entry(number).or_default() += 1;
        }
    }
    let tested = seen.len();
    for (number, _) in LEFT_OUT {
        *seen.entry(number).or_default() += 1;
    }
    let once: BTreeMap<u32, u32> = (1..=CASES).map(|number| (number, 1)).collect();
    assert_eq!(seen, once);
    assert_eq!(tested, 108);
}
