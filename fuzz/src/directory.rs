//! Directories as a broker leaves them, random edits of them, and everything that can be asked of what is loaded.

use libfuzzer_sys::arbitrary::{self, Arbitrary, Result, Unstructured};
use partition_log::config::Settings;
use partition_log::disk::{self, FileKind, FileName, Suffix, Vfs};
use partition_log::format::batch::{NewBatch, NewProducer};
use partition_log::operations::load::StartOptions;
use partition_log::rules::fetch::Isolation;
use partition_log::{AppendOptions, LogError, Offset, Partition, TimeTarget, TimestampMs, TransactionEnd};

use crate::with_checksums;

/// Largest offset of the files that an edit adds; those of the directory go up to 13.
const BASES: i64 = 16;

/// A name and all bytes.
pub type File = (String, Vec<u8>);

/// The settings under which the directories were written.
pub fn settings() -> Settings {
    Settings {
        segment_bytes: 400,
        segment_index_bytes: 60,
        index_interval_bytes: 90,
        retention_ms: 1_000_000,
        ..Settings::default()
    }
}

fn at(offset: i64) -> Offset {
    Offset::new(offset).expect("not negative")
}

fn time(ms: i64) -> TimestampMs {
    TimestampMs::new(ms).expect("not negative")
}

fn batch(producer: Option<NewProducer>, timestamp: i64) -> NewBatch {
    NewBatch::Batch {
        records: 1,
        size: 100,
        timestamp: Some(time(timestamp)),
        key: None,
        headers: 0,
        producer,
    }
}

/// Three segments with entries in every index, snapshots, three leader epochs and aborted transactions.
pub fn sound() -> Vec<File> {
    let mut partition = Partition::create(settings(), 0).expect("sound settings");
    for round in 0..3 {
        partition.set_leader_epoch(round).expect("a later epoch");
        for more in 0..2 {
            let producer = NewProducer {
                id: 7,
                epoch: 0,
                sequence: 2 * round + more,
                transactional: true,
            };
            let batch = batch(Some(producer), i64::from(10 * round + more));
            partition.append(&batch).expect("a batch that fits");
        }
        let end = TransactionEnd {
            producer_id: 7,
            producer_epoch: 0,
            commit: round == 1,
            coordinator_epoch: 0,
            transaction_version: 0,
        };
        partition.end_transaction(&end).expect("an open transaction");
        let last = batch(None, i64::from(10 * round + 5));
        partition.append(&last).expect("a batch that fits");
    }
    partition.stop().expect("a running broker");
    let files = partition.state().files();
    let content = |file| files.read_at(file, 0, files.apparent_size(file)?).ok();
    let names = files.list().into_iter();
    names
        .filter_map(|file| Some((file.to_string(), content(file)?)))
        .collect()
}

/// Something that happens to a directory.
#[derive(Debug, Arbitrary)]
pub enum Edit {
    /// Other bytes in a file.
    Write { file: u8, position: u16, bytes: Vec<u8> },
    /// A field of two, four or eight bytes in a file.
    Field {
        file: u8,
        position: u16,
        value: i64,
        width: u8,
    },
    /// The end of a file is gone.
    Cut { file: u8, length: u16 },
    /// More bytes at the end of a file.
    Add { file: u8, bytes: Vec<u8> },
    /// A part of a file once more, at its end.
    Repeat { file: u8, position: u16, length: u16 },
    /// A file is gone.
    Remove { file: u8 },
    /// A file gets another name, in place of the file that has it.
    Rename { file: u8, to: Name },
    /// A file beside the others, or in place of one.
    New { name: Name, bytes: Vec<u8> },
}

/// A random name.
#[derive(Debug)]
pub struct Name(pub FileName);

impl<'a> Arbitrary<'a> for Name {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Name> {
        let kind = *input.choose(&[
            FileKind::Log,
            FileKind::Index,
            FileKind::TimeIndex,
            FileKind::TxnIndex,
            FileKind::Snapshot,
        ])?;
        let suffix = *input.choose(&[
            Suffix::None,
            Suffix::None,
            Suffix::Deleted,
            Suffix::Cleaned,
            Suffix::Swap,
        ])?;
        let low = input.int_in_range(0..=BASES)?;
        let far = [low, low, low, low, 1 << 31, (1 << 40) + low, i64::MAX - low];
        let base = at(*input.choose(&far)?);
        Ok(Name(FileName::live(base, kind).with(suffix)))
    }
}

/// How the broker starts.
#[derive(Debug, Arbitrary)]
pub struct Start {
    clean: bool,
    recovery_point: Option<u8>,
    log_start: Option<u8>,
    high_watermark: Option<u8>,
}

impl Start {
    /// For the model.
    pub fn options(&self) -> StartOptions {
        let offset = |mark: Option<u8>| mark.map(|mark| at(i64::from(mark % 20)));
        StartOptions {
            clean: Some(self.clean),
            recovery_point: offset(self.recovery_point),
            log_start: offset(self.log_start),
            high_watermark: offset(self.high_watermark),
        }
    }
}

/// Edits a directory.
pub fn apply(files: &mut Vec<File>, edit: Edit) {
    let count = files.len();
    if count == 0 {
        return;
    }
    let pick = |file: u8| usize::from(file) % count;
    match edit {
        Edit::Write { file, position, bytes } => overwrite(&mut files[pick(file)].1, position, &bytes),
        Edit::Field {
            file,
            position,
            value,
            width,
        } => {
            let bytes = value.to_be_bytes();
            let width = [2, 4, 8][usize::from(width) % 3];
            overwrite(&mut files[pick(file)].1, position, &bytes[8 - width..]);
        }
        Edit::Cut { file, length } => {
            let bytes = &mut files[pick(file)].1;
            bytes.truncate(usize::from(length) % (bytes.len() + 1));
        }
        Edit::Add { file, bytes } => files[pick(file)].1.extend_from_slice(&bytes),
        Edit::Repeat { file, position, length } => {
            let bytes = &mut files[pick(file)].1;
            let from = usize::from(position) % (bytes.len() + 1);
            let to = (from + usize::from(length)).min(bytes.len());
            bytes.extend_from_within(from..to);
        }
        Edit::Remove { file } => drop(files.remove(pick(file))),
        Edit::Rename { file, to } => {
            let (_, bytes) = files.remove(pick(file));
            put(files, &to, bytes);
        }
        Edit::New { name, bytes } => put(files, &name, bytes),
    }
}

fn overwrite(file: &mut [u8], position: u16, bytes: &[u8]) {
    let from = usize::from(position) % (file.len() + 1);
    let length = bytes.len().min(file.len() - from);
    file[from..from + length].copy_from_slice(&bytes[..length]);
}

fn put(files: &mut Vec<File>, name: &Name, bytes: Vec<u8>) {
    let name = name.0.to_string();
    files.retain(|(known, _)| *known != name);
    files.push((name, bytes));
}

/// Right checksums in every `.log`.
pub fn correct(files: &mut [File]) {
    for (_, bytes) in files.iter_mut().filter(|(name, _)| name.contains(".log")) {
        *bytes = with_checksums(bytes);
    }
}

/// Starts a broker on these files, does a bit of everything, and checks that its steps tell all that changed.
pub fn exercise(files: &[File], start: StartOptions) {
    let files = files.iter().map(|(name, bytes)| disk::File {
        name: name.clone(),
        bytes: bytes.clone(),
        modified: time(1_000),
    });
    let Ok(mut partition) = Partition::from_files(settings(), 0, time(1_000), files) else {
        return;
    };
    // The first operation of a partition says whether its files note their changes.
    drop(partition.settle());
    run(&mut partition, |partition| partition.start(start));
    let _ = partition.state().view();
    for offset in [0, 1, 3, 4, 7, 9, 12, 13, 100, 1 << 31, i64::MAX] {
        run(&mut partition, |partition| partition.fetch(at(offset), Some(150)));
        run(&mut partition, |partition| partition.find_time(time(offset)));
    }
    run(&mut partition, |partition| partition.fetch(at(0), None));
    run(&mut partition, |partition| partition.find_time_with(TimeTarget::MaxTimestamp, Isolation::HighWatermark));
    run(&mut partition, |partition| partition.append(&batch(None, 1_000)));
    let bytes = partition.state().sent(&batch(None, 1_001)).expect("a batch of 100 B");
    run(&mut partition, |partition| {
        partition.append_records(&bytes, AppendOptions::default())
    });
    run(&mut partition, |partition| partition.truncate_to(at(9)));
    run(&mut partition, |partition| partition.roll());
    run(&mut partition, |partition| partition.advance_to(time(1_500_000)));
    run(&mut partition, |partition| partition.check_retention());
    run(&mut partition, |partition| partition.crash(10));
    run(&mut partition, |partition| partition.start(StartOptions::default()));
    run(&mut partition, |partition| partition.append(&batch(None, 1_002)));
    run(&mut partition, |partition| partition.stop());
    run(&mut partition, |partition| partition.start(StartOptions::default()));
    let _ = partition.state().view();
}

/// Replaying the steps of an operation on the state before it gives the state after it.
fn run<T>(partition: &mut Partition, operation: impl FnOnce(&mut Partition) -> Result<T, LogError>) {
    let mut replayed = partition.state().clone();
    let _ = operation(partition);
    for step in partition.steps() {
        assert!(!step.to_string().is_empty());
        replayed.apply(step).expect("a write of this state");
    }
    assert!(replayed == *partition.state(), "a change that no step tells");
}
