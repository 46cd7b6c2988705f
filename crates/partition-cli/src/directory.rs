//! The directory of a partition as a broker left it on a disk.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use partition_log::config::{Settings, Value};
use partition_log::disk::{File, FileName};
use partition_log::format::checkpoint::OffsetCheckpoint;
use partition_log::format::clean_shutdown::CleanShutdown;
use partition_log::operations::load::StartOptions;
use partition_log::{Offset, Partition, TimestampMs};

use crate::failure::Failure;

/// Starts the model on the files of a directory, which stay as they are: a broker would do the same with them.
pub fn open(directory: &Path, settings: &[String], now: Option<i64>) -> Result<Partition, Failure> {
    let settings = read_settings(settings)?;
    let fault = |error| Failure::Directory {
        name: directory.display().to_string(),
        error,
    };
    let now = match now {
        Some(now) => TimestampMs::new(now).map_err(|error| Failure::Argument(format!("--now {now}: {error}")))?,
        None => time(SystemTime::now()),
    };
    let files = files(directory).map_err(fault)?;
    let options = saved(directory).map_err(fault)?;
    let refused = |error: partition_log::LogError| fault(io::Error::other(error.to_string()));
    let mut partition = Partition::from_files(settings, 0, now, files).map_err(refused)?;
    partition.start(options).map_err(refused)?;
    Ok(partition)
}

fn read_settings(given: &[String]) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    for setting in given {
        let Some((key, value)) = setting.split_once('=') else {
            return Err(Failure::Argument(format!(
                "--set {setting}: expected KEY=VALUE, such as retention.ms=86400000"
            )));
        };
        let value = value
            .parse()
            .map_or_else(|_| Value::Word(value.to_string()), Value::Number);
        settings
            .set(key, &value)
            .map_err(|error| Failure::Argument(format!("--set {setting}: {error}")))?;
    }
    Ok(settings)
}

/// The files of the log layer; others, which the topic's id is in, it does not look at.
fn files(directory: &Path) -> io::Result<Vec<File>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if FileName::parse(&name).is_some() {
            files.push(File {
                bytes: fs::read(entry.path())?,
                modified: time(entry.metadata()?.modified()?),
                name,
            });
        }
    }
    if files.is_empty() {
        let message = "it has no files of a partition; name the directory of one, such as orders-0";
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    Ok(files)
}

fn time(time: SystemTime) -> TimestampMs {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let since = i64::try_from(since).ok();
    since.and_then(|since| TimestampMs::new(since).ok()).unwrap_or_default()
}

/// What the broker has saved of the partition, beside its directory. What is not there is left to the model.
fn saved(directory: &Path) -> io::Result<StartOptions> {
    let directory = directory.canonicalize()?;
    let name = directory.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_default();
    let partition = name
        .rsplit_once('-')
        .and_then(|(topic, number)| Some((topic, number.parse::<i32>().ok()?)));
    let (Some(beside), Some((topic, number))) = (directory.parent(), partition) else {
        return Ok(StartOptions::default());
    };
    let mark = |file: &str| -> io::Result<Option<Offset>> {
        let bytes = match fs::read(beside.join(file)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes?,
        };
        let checkpoint =
            OffsetCheckpoint::read(&bytes).map_err(|fault| io::Error::other(format!("{file}: {fault}")))?;
        // A partition that is not named in a file begins at 0.
        let offset = checkpoint.offset(topic, number).unwrap_or(0);
        Ok(Offset::new(offset))
    };
    let recovery_point = mark(OffsetCheckpoint::RECOVERY_POINTS)?;
    Ok(StartOptions {
        clean: Some(beside.join(CleanShutdown::NAME).exists()),
        recovery_point,
        log_start: mark(OffsetCheckpoint::LOG_STARTS)?,
        high_watermark: mark(OffsetCheckpoint::HIGH_WATERMARKS)?,
    })
}
