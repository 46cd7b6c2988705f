//! `pod files`: the log directory of a broker, with the partition's files as the broker would have them.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use partition_log::PartitionState;
use partition_log::disk::{FileName, Vfs};
use partition_log::format::checkpoint::{OffsetCheckpoint, SavedOffset};
use partition_log::format::clean_shutdown::CleanShutdown;
use partition_log::units::{Offset, TimestampMs, bytes};

use crate::args::Files;
use crate::failure::Failure;
use crate::render::step_index;

/// The partition's topic and number: they name its directory.
const TOPIC: &str = "orders";
const PARTITION: i32 = 0;

/// Writes the files as they are after a step, or at the end.
pub fn run(args: &Files, out: &mut impl Write) -> Result<(), Failure> {
    let mut loaded = args.source.load()?;
    let index = match &args.step {
        Some(step) => step_index(&loaded.story, step).map_err(Failure::Argument)?,
        None => loaded.story.len() - 1,
    };
    let state = loaded.story.state(index);
    let directory = &args.output;
    let fault = |error| Failure::Directory {
        name: directory.display().to_string(),
        error,
    };
    make_way(directory, args.force).map_err(fault)?;
    write(&state, directory).map_err(fault)?;
    let files = state.files().list();
    let apparent: u64 = files.iter().filter_map(|file| state.files().apparent_size(*file)).sum();
    writeln!(
        out,
        "{} files, {}, as they are at {}: {}",
        files.len(),
        bytes(apparent as i64),
        state.clock(),
        directory.join(partition()).display()
    )?;
    Ok(())
}

/// The partition's directory in the log directory: `orders-0`.
fn partition() -> String {
    format!("{TOPIC}-{PARTITION}")
}

/// What may stand in a log directory beside the directories of partitions.
fn beside() -> [&'static str; 4] {
    [
        OffsetCheckpoint::RECOVERY_POINTS,
        OffsetCheckpoint::LOG_STARTS,
        OffsetCheckpoint::HIGH_WATERMARKS,
        CleanShutdown::NAME,
    ]
}

/// Makes sure that nothing is there that would be mistaken for the broker's. With `force`, what an earlier run of this
/// command can have left is removed, and nothing else.
fn make_way(directory: &Path, force: bool) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    if fs::read_dir(directory)?.next().is_none() {
        return Ok(());
    }
    if !force {
        return Err(io::Error::new(
            io::ErrorKind::DirectoryNotEmpty,
            "it is not empty; name another one, or add --force to replace what pod wrote there",
        ));
    }
    let gone = |path: &Path| match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    for name in beside() {
        gone(&directory.join(name))?;
    }
    let partition = directory.join(partition());
    let entries = match fs::read_dir(&partition) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_name().to_str().and_then(FileName::parse).is_some() {
            gone(&entry.path())?;
        }
    }
    Ok(())
}

/// Writes the files, and beside their directory what the broker has saved of the partition.
fn write(state: &PartitionState, directory: &Path) -> io::Result<()> {
    let partition = directory.join(partition());
    fs::create_dir_all(&partition)?;
    let files = state.files();
    for name in files.list() {
        let used = files.used_size(name).unwrap_or(0);
        let content = files.read_at(name, 0, used).map_err(io::Error::other)?;
        let mut file = File::create_new(partition.join(name.to_string()))?;
        file.write_all(&content)?;
        // Kafka makes an index at its full length, and fills it from the front.
        file.set_len(files.apparent_size(name).unwrap_or(used))?;
        file.set_modified(UNIX_EPOCH + since_epoch(files.modified(name).unwrap_or_default()))?;
    }
    let saved = |name: &str, offsets: Vec<Offset>| {
        let offset = |offset: Offset| SavedOffset {
            topic: TOPIC.to_string(),
            partition: PARTITION,
            offset: offset.get(),
        };
        let checkpoint = OffsetCheckpoint {
            entries: offsets.into_iter().map(offset).collect(),
        };
        fs::write(directory.join(name), checkpoint.to_text())
    };
    saved(OffsetCheckpoint::RECOVERY_POINTS, vec![state.saved_recovery_point()])?;
    // A log start offset that is not saved is 0.
    let log_start = Some(state.saved_log_start()).filter(|saved| *saved > Offset::ZERO);
    saved(OffsetCheckpoint::LOG_STARTS, log_start.into_iter().collect())?;
    saved(OffsetCheckpoint::HIGH_WATERMARKS, vec![state.saved_high_watermark()])?;
    if !state.running() && state.clean_shutdown() {
        let marker = CleanShutdown {
            version: 0,
            broker_epoch: None,
        };
        fs::write(directory.join(CleanShutdown::NAME), marker.to_text())?;
    }
    Ok(())
}

fn since_epoch(time: TimestampMs) -> Duration {
    Duration::from_millis(time.get().unsigned_abs())
}
