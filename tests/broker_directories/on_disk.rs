//! Folders opened from the disk are read as files in memory are, and stay as they are.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use partition_log::config::Settings;
use partition_log::disk::{FileKind, FileName};
use partition_log::format::batch::{BatchSpec, NewBatch, RecordSpec};
use partition_log::operations::load::{Damage, StartOptions};
use partition_log::{LogError, Offset, Partition, TimestampMs};

use crate::engine::answers;
use crate::kept::{Kept, crc32c};
use crate::model::{files_of, load_stopped, settings};

/// An empty folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("on_disk").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old folder");
    }
    fs::create_dir_all(folder.join("orders-0")).expect("a new folder");
    folder
}

fn write(path: &Path, bytes: &[u8], length: u64, modified: i64) {
    fs::write(path, bytes).expect("a new file");
    let file = File::options().write(true).open(path).expect("the file");
    file.set_len(length).expect("its length");
    let modified = UNIX_EPOCH + Duration::from_millis(modified as u64);
    file.set_modified(modified).expect("its time");
}

/// A folder as the broker left it, with the lengths and times that it had.
fn laid_out(kept: &Kept, test: &str) -> PathBuf {
    let folder = folder(&format!("{test}-{}", kept.name));
    for (name, file) in &kept.files {
        write(
            &folder.join("orders-0").join(name),
            &file.bytes,
            file.length,
            file.modified,
        );
    }
    for (name, file) in &kept.beside {
        write(&folder.join(name), &file.bytes, file.length, file.modified);
    }
    folder
}

/// Names, lengths, times and checksums of all files.
fn listing(folder: &Path) -> Vec<(PathBuf, u64, Duration, u32)> {
    let mut listing = Vec::new();
    for entry in walkdir::WalkDir::new(folder) {
        let entry = entry.expect("a readable folder");
        let found = entry.metadata().expect("what is known of it");
        let modified = found.modified().expect("a time").duration_since(UNIX_EPOCH);
        let sum = if found.is_file() {
            crc32c(&fs::read(entry.path()).expect("a file"))
        } else {
            0
        };
        listing.push((entry.into_path(), found.len(), modified.expect("after 1970"), sum));
    }
    listing.sort();
    listing
}

/// Does the same to both, and compares what comes of it.
fn both<T: PartialEq + std::fmt::Debug>(
    name: &str,
    [opened, loaded]: [&mut Partition; 2],
    operation: impl Fn(&mut Partition) -> T,
) -> T {
    let (outcome, expected) = (operation(opened), operation(loaded));
    assert_eq!(outcome, expected, "{name}");
    assert_eq!(opened.steps(), loaded.steps(), "{name}");
    assert!(
        opened.state().view() == loaded.state().view(),
        "{name}: the views differ"
    );
    assert!(files_of(opened) == files_of(loaded), "{name}: the files differ");
    outcome
}

#[test]
fn a_folder_is_read_as_its_files_are_in_memory_and_stays_as_it_is() {
    for kept in &Kept::all() {
        let name = &kept.name;
        let (mut loaded, options, now) = load_stopped(kept);
        let folder = laid_out(kept, "same");
        let before = listing(&folder);
        let opened = Partition::open_dir(folder.join("orders-0"), settings(&kept.origin.topic), 0, now);
        let mut opened = opened.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(files_of(&opened) == files_of(&loaded), "{name}: the files differ");
        let found = [
            opened.state().saved_recovery_point(),
            opened.state().saved_log_start(),
            opened.state().saved_high_watermark(),
        ];
        assert_eq!(
            found.map(Some),
            [options.recovery_point, options.log_start, options.high_watermark]
        );
        assert_eq!(Some(opened.state().clean_shutdown()), options.clean, "{name}");
        // What one finds beside the folder, the other is told.
        opened.start(StartOptions::default()).expect("a start");
        loaded.start(options).expect("a start");
        assert_eq!(opened.steps(), loaded.steps(), "{name}");
        answers(&mut opened, kept);
        answers(&mut loaded, kept);

        let message = NewBatch::Batch {
            records: 2,
            size: 300,
            timestamp: None,
            key: None,
            headers: 0,
            producer: None,
        };
        let two = &mut [opened, loaded];
        let mut run = |operation: &dyn Fn(&mut Partition) -> Result<(), LogError>| {
            let [opened, loaded] = two;
            both(name, [opened, loaded], operation).unwrap_or_else(|error| panic!("{name}: {error}"));
        };
        for _ in 0..6 {
            run(&|partition| partition.append(&message).map(drop));
        }
        run(&|partition| partition.crash(100));
        run(&|partition| {
            let base = partition.state().bases().next().expect("a segment");
            partition.damage(FileName::live(base, FileKind::Log), &Damage::Flip { position: 30 })
        });
        run(&|partition| partition.start(StartOptions::default()));
        let last = |partition: &Partition| partition.state().active().expect("a segment");
        run(&|partition| partition.truncate_to(last(partition)));
        run(&|partition| partition.append(&message).map(drop));
        run(&|partition| {
            let ages = partition.state().clock().checked_add(1 << 40).expect("a time");
            partition.advance_to(ages).map(drop)
        });
        run(&|partition| partition.check_retention().map(drop));
        run(&|partition| partition.stop());
        assert_eq!(listing(&folder), before, "{name}: the folder has changed");
    }
}

#[test]
fn a_file_that_goes_under_the_reader_is_told() {
    let kept = &Kept::all()[0];
    let folder = laid_out(kept, "gone");
    let (_, _, now) = load_stopped(kept);
    let path = folder.join("orders-0");
    let mut opened = Partition::open_dir(&path, settings(&kept.origin.topic), 0, now).expect("a folder");
    fs::remove_dir_all(&path).expect("the folder");
    let error = opened.start(StartOptions::default()).expect_err("no files").to_string();
    assert!(
        error.contains("cannot be read") && error.ends_with("it is not there"),
        "{error}"
    );
    let again = opened.start(StartOptions::default()).expect_err("no files").to_string();
    assert_eq!(again, error);
    let gone = Partition::open_dir(&path, Settings::default(), 0, now).expect_err("no folder");
    assert!(matches!(gone, LogError::Directory(_)), "{gone}");
}

/// Batches back to back, the last of which says that it takes `last` bytes.
fn batches(count: i64, last: Option<u64>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for base_offset in 0..count {
        let record = RecordSpec {
            timestamp: 1_000 + base_offset,
            value: Some(vec![7; 100]),
            ..RecordSpec::default()
        };
        let spec = BatchSpec {
            base_offset,
            records: vec![record],
            ..BatchSpec::default()
        };
        let start = bytes.len();
        bytes.extend(spec.encode().expect("a batch"));
        if let Some(size) = last.filter(|_| base_offset + 1 == count) {
            bytes[start + 8..start + 12].copy_from_slice(&((size - 12) as u32).to_be_bytes());
        }
    }
    bytes
}

/// Run in a process of its own, whose peak of memory counts; by itself it does nothing.
#[test]
fn opens_a_folder() {
    let Some(folder) = std::env::var_os("PARTITION_FOLDER") else {
        return;
    };
    let now = TimestampMs::try_from(2_000).expect("a time");
    let opened = Partition::open_dir(Path::new(&folder).join("orders-0"), Settings::default(), 0, now);
    let mut opened = opened.expect("a folder");
    let started = opened.start(StartOptions::default());
    let log_end = opened.state().log_end().get();
    let started = started.map_or_else(|error| error.to_string(), |()| format!("log end {log_end}"));
    let status = fs::read_to_string("/proc/self/status").expect("what Linux knows of a process");
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .expect("the peak");
    println!("PEAK {} {started}", peak.trim().trim_end_matches(" kB"));
}

/// The peak of memory in KiB, and what came of a start.
fn peak_of(folder: &Path) -> (u64, String) {
    let this = std::env::current_exe().expect("this test");
    let run = std::process::Command::new(this)
        .args(["--exact", "on_disk::opens_a_folder", "--nocapture"])
        .env("PARTITION_FOLDER", folder)
        .output();
    let output = String::from_utf8(run.expect("a run").stdout).expect("text");
    let line = output.lines().find_map(|line| line.split_once("PEAK "));
    let (peak, started) = line.and_then(|(_, line)| line.split_once(' ')).expect(&output);
    (peak.parse().expect("a number"), started.to_string())
}

#[test]
#[cfg(target_os = "linux")]
fn large_files_are_not_taken_into_memory() {
    const LARGEST: u64 = i32::MAX as u64;
    let small = batches(3, None);
    let half = LARGEST - small.len() as u64;
    let cases: [(&str, u64, Vec<u8>, bool, &str); 5] = [
        (
            "4-gib-clean",
            4 << 30,
            batches(3, None),
            true,
            "holds 4294967296 B, and a segment at most 2147483647 B",
        ),
        (
            "4-gib-killed",
            4 << 30,
            batches(3, None),
            false,
            "holds 4294967296 B, and a segment at most 2147483647 B",
        ),
        // Zeros behind the last batch: recovery cuts them.
        ("zeros", LARGEST, small, false, "log end 3"),
        // One batch that takes almost all: a clean start passes over it, one after a crash checks it, and cuts it.
        ("batch-clean", LARGEST, batches(4, Some(half)), true, "log end 4"),
        (
            "batch-killed",
            300 << 20,
            batches(4, Some(200 << 20)),
            false,
            "log end 3",
        ),
    ];
    for (name, length, bytes, clean, expected) in cases {
        let folder = folder(name);
        let path = |kind: FileKind| {
            let file = FileName::live(Offset::ZERO, kind).to_string();
            folder.join("orders-0").join(file)
        };
        write(&path(FileKind::Log), &bytes, length, 1_000);
        write(&path(FileKind::Index), &[], 10 << 20, 1_000);
        write(&path(FileKind::TimeIndex), &[], (10 << 20) / 12 * 12, 1_000);
        if clean {
            write(&path(FileKind::Index), &[], 0, 1_000);
            fs::write(folder.join(".kafka_cleanshutdown"), "").expect("a marker");
        }
        let (peak, started) = peak_of(&folder);
        assert!(started.ends_with(expected), "{name}: {started}");
        assert!(peak <= 50 << 10, "{name}: {peak} KiB");
        println!("{name}: {peak} KiB");
    }
}
