//! A partition from the files of a directory, whoever wrote them.

use crate::config::Settings;
use crate::disk::{File, FileName};
use crate::error::LogError;
use crate::operations::partition::Partition;
use crate::state::PartitionState;
use crate::units::TimestampMs;

/// The extensions that make a start look at a file (Kafka: `LogFileUtils`, `LogLoader`).
const LOOKED_AT: [&str; 7] = [
    ".log",
    ".index",
    ".timeindex",
    ".txnindex",
    ".snapshot",
    ".cleaned",
    ".swap",
];

impl Partition {
    /// A partition whose broker is down, with these files; `clock` is the time at which it is looked at, in ms since 1970.
    /// [`Partition::start`] loads it; without further options as after a crash, with all marks at 0.
    ///
    /// Files that the log layer has no use for are left out: `partition.metadata`, and whatever it removes unseen.
    ///
    /// ```
    /// use partition_log::config::Settings;
    /// use partition_log::disk::File;
    /// use partition_log::operations::load::StartOptions;
    /// use partition_log::{Partition, TimestampMs};
    ///
    /// let name = "00000000000000000007.log".to_string();
    /// let files = [File { name, bytes: vec![], modified: TimestampMs::ZERO }];
    /// let mut partition = Partition::from_files(Settings::default(), 0, TimestampMs::ZERO, files)?;
    /// partition.start(StartOptions::default())?;
    /// assert_eq!(partition.state().log_end().get(), 7);
    /// # Ok::<(), partition_log::LogError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LogError::Setting`]; [`LogError::FileName`] for a name that ends like a file of the log layer and is none;
    /// [`LogError::Vfs`] for a name that is there twice.
    pub fn from_files(
        settings: Settings,
        seed: u64,
        clock: TimestampMs,
        files: impl IntoIterator<Item = File>,
    ) -> Result<Partition, LogError> {
        settings.validate()?;
        let mut known = Vec::new();
        for File { name, bytes, modified } in files {
            if let Some(file) = file_name(name)? {
                known.push((file, bytes, modified));
            }
        }
        let state = PartitionState::stopped(settings, clock, known)?;
        Ok(Partition::from_state(state, seed))
    }
}

/// The name of a file that a start looks at; `None` for any other.
pub(super) fn file_name(name: String) -> Result<Option<FileName>, LogError> {
    match FileName::parse(&name) {
        None if LOOKED_AT.iter().any(|extension| name.ends_with(extension)) => Err(LogError::FileName { name }),
        parsed => Ok(parsed),
    }
}
