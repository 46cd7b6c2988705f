//! A partition from the files of a directory, whoever wrote them.

use crate::config::Settings;
use crate::disk::FileName;
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
    /// A partition whose broker is down, with these files, names as a directory lists them; all carry the clock's time.
    /// [`Partition::start`] loads it; without further options as after a crash, with all marks at 0.
    ///
    /// Files that the log layer has no use for are left out: `partition.metadata`, and whatever it removes unseen.
    ///
    /// ```
    /// use partition_log::config::Settings;
    /// use partition_log::operations::load::StartOptions;
    /// use partition_log::{Partition, TimestampMs};
    ///
    /// let files = [("00000000000000000007.log", vec![])];
    /// let mut partition = Partition::from_files(Settings::default(), 0, TimestampMs::ZERO, files).expect("sound names");
    /// partition.start(StartOptions::default()).expect("an empty segment");
    /// assert_eq!(partition.state().log_end().get(), 7);
    /// ```
    ///
    /// # Errors
    ///
    /// [`LogError::Setting`]; [`LogError::FileName`] for a name that ends like a file of the log layer and is none;
    /// [`LogError::Vfs`] for a name that is there twice.
    pub fn from_files<'a>(
        settings: Settings,
        seed: u64,
        clock: TimestampMs,
        files: impl IntoIterator<Item = (&'a str, Vec<u8>)>,
    ) -> Result<Partition, LogError> {
        settings.validate().map_err(LogError::Setting)?;
        let mut known = Vec::new();
        for (name, bytes) in files {
            match FileName::parse(name) {
                Some(file) => known.push((file, bytes)),
                None if LOOKED_AT.iter().any(|extension| name.ends_with(extension)) => {
                    return Err(LogError::FileName { name: name.to_string() });
                }
                None => {}
            }
        }
        let state = PartitionState::stopped(settings, clock, known)?;
        Ok(Partition::from_state(state, seed))
    }
}
