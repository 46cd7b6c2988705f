//! When Kafka makes, cuts and renames the files, where the simple picture has all three from the start.

use partition_log::Step;
use partition_log::disk::FileChange;
use partition_tests::orders::{Run, settings};

fn names(run: &Run, base: &str) -> Vec<(String, u64)> {
    let listing = run.listing().into_iter();
    listing
        .filter_map(|(name, size)| {
            let extension = name.strip_prefix(&format!("{base:0>20}."))?;
            Some((extension.to_string(), size))
        })
        .collect()
}

fn owned(files: &[(&str, u64)]) -> Vec<(String, u64)> {
    files.iter().map(|(name, size)| (name.to_string(), *size)).collect()
}

#[test]
fn a_new_partition_has_both_indexes_at_full_size() {
    let run = Run::new(settings());
    let expected = owned(&[("index", 10_485_760), ("log", 0), ("timeindex", 10_485_756)]);
    assert_eq!(names(&run, "0"), expected);
}

#[test]
fn a_rolled_segment_has_only_its_log_until_the_first_append_asks_for_both_indexes() {
    let mut run = Run::filled(settings(), 6);
    let (_, steps) = run.append_at(14, 70);
    // Kafka 4.4.0 asks the offset index whether the offset fits before it writes, and the time index after it.
    let changed: Vec<String> = steps
        .iter()
        .filter_map(|step| match step {
            Step::File(FileChange::Created { file, .. }) => Some(format!("create {file}")),
            Step::File(FileChange::Appended { file, .. }) => Some(format!("append {file}")),
            _ => None,
        })
        .collect();
    assert_eq!(
        changed,
        [
            "append 00000000000000000000.timeindex",
            "create 00000000000000000006.log",
            "create 00000000000000000006.index",
            "append 00000000000000000006.log",
            "create 00000000000000000006.timeindex",
        ]
    );
    let full = owned(&[("index", 10_485_760), ("log", 70), ("timeindex", 10_485_756)]);
    assert_eq!(names(&run, "6"), full);
}

#[test]
fn a_segment_closed_without_an_entry_keeps_an_empty_index() {
    let mut run = Run::filled(settings(), 7);
    run.append_at(16, 250);
    assert_eq!(names(&run, "6"), owned(&[("index", 0), ("log", 70), ("timeindex", 12)]));
}

#[test]
fn the_segment_that_retention_rolls_has_only_its_log_at_first() {
    let mut run = Run::filled(settings(), 14);
    run.at(95);
    assert_eq!(run.bases(), [14]);
    assert_eq!(names(&run, "14"), owned(&[("log", 0)]));
    run.at(105);
    let asked = owned(&[("log", 0), ("timeindex", 10_485_756)]);
    assert_eq!(names(&run, "14"), asked, "the next check asks for its largest time");
}

#[test]
fn one_long_wait_leaves_the_same_files_as_many_short_ones() {
    let mut short = Run::filled(settings(), 14);
    let mut long = short.clone();
    for second in 29..=2_000 {
        short.move_to(second);
    }
    long.move_to(2_000);
    assert_eq!(long.partition.state(), short.partition.state());
    let calm = partition_log::config::Settings {
        file_delete_delay_ms: 1_000,
        ..settings()
    };
    let mut short = Run::filled(calm, 14);
    let mut long = short.clone();
    for second in 29..=2_000 {
        short.move_to(second);
    }
    long.move_to(2_000);
    assert_eq!(
        long.listing(),
        short.listing(),
        "with the files gone before the next check"
    );
    assert_eq!(long.partition.state(), short.partition.state());
}

#[test]
fn a_closed_segment_is_cut_and_not_rewritten() {
    let mut run = Run::filled(settings(), 6);
    let (_, steps) = run.append_at(14, 70);
    let resized: Vec<(String, u64, u64)> = steps
        .iter()
        .filter_map(|step| match step {
            Step::File(FileChange::Resized { file, from, to }) => Some((file.to_string(), *from, *to)),
            _ => None,
        })
        .collect();
    assert_eq!(
        resized,
        [
            ("00000000000000000000.index".to_string(), 10_485_760, 16),
            ("00000000000000000000.timeindex".to_string(), 10_485_756, 36),
        ]
    );
    let time_entry = steps.iter().position(|step| {
        matches!(step, Step::File(FileChange::Appended { file, .. })
        if file.to_string() == "00000000000000000000.timeindex")
    });
    let cut = steps
        .iter()
        .position(|step| matches!(step, Step::File(FileChange::Resized { .. })));
    assert!(
        time_entry.is_some() && time_entry < cut,
        "the closing entry comes before the cut"
    );
}

#[test]
fn the_entries_are_big_endian_on_disk() {
    use partition_log::disk::{FileKind, FileName};
    use partition_tests::orders::offset;
    let run = Run::s20();
    let files = run.partition.state().files();
    let index = files.read(FileName::live(offset(6), FileKind::Index));
    assert_eq!(
        index.as_deref(),
        Some(&[0, 0, 0, 2, 0, 0, 0, 115, 0, 0, 0, 4, 0, 0, 0, 200][..])
    );
    let time_index = files.read(FileName::live(offset(17), FileKind::TimeIndex));
    assert_eq!(
        time_index.as_deref(),
        Some(&[0, 0, 0, 0, 0, 0, 0x9c, 0x40, 0, 0, 0, 2][..]),
        "40,000 ms -> 2"
    );
}

#[test]
fn a_record_is_a_real_message_of_format_v1() {
    use partition_log::disk::{FileKind, FileName};
    let run = Run::s20();
    let files = run.partition.state().files();
    let log = files.read(FileName::live(partition_tests::orders::offset(6), FileKind::Log));
    let message = &log.expect("segment 6")[150..200];
    assert_eq!(message[..8], [0, 0, 0, 0, 0, 0, 0, 9], "its offset");
    assert_eq!(message[8..12], [0, 0, 0, 38], "50 - 12 bytes follow");
    assert_eq!(message[16..18], [1, 0], "format 1, not compressed");
    assert_eq!(message[18..26], 20_000_i64.to_be_bytes(), "its time");
    assert_eq!(message[26..30], [0xff; 4], "no key");
    assert_eq!(message[30..34], [0, 0, 0, 16], "16 bytes of value");
    assert_eq!(&message[34..], b"order-9;order-9;");
}
