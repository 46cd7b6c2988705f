//! The directory of a partition as a broker left it on a disk.

use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use partition_log::config::{Settings, Value};
use partition_log::disk::Vfs;
use partition_log::operations::load::StartOptions;
use partition_log::{LogError, Partition, TimestampMs};

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
    let refused = |error: LogError| fault(io::Error::other(error.to_string()));
    let mut partition = Partition::open_dir(directory, settings, 0, now).map_err(refused)?;
    if partition.state().files().list().is_empty() {
        let message = "it has no files of a partition; name the directory of one, such as orders-0";
        return Err(fault(io::Error::new(io::ErrorKind::NotFound, message)));
    }
    partition.start(StartOptions::default()).map_err(refused)?;
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

fn time(time: SystemTime) -> TimestampMs {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let since = i64::try_from(since).ok();
    since.and_then(|since| TimestampMs::new(since).ok()).unwrap_or_default()
}
