//! A partition from the files of a directory, whoever wrote them.

use crate::config::Settings;
use crate::disk::{FileKind, FileName, Vfs, VfsError};
use crate::error::LogError;
use crate::format::index;
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
    /// partition.start(StartOptions::default()).outcome.expect("an empty segment");
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
        let mut state = PartitionState::empty(settings);
        state.clock = clock;
        state.running = false;
        for (name, bytes) in files {
            match FileName::parse(name) {
                Some(file) => put(&mut state, file, &bytes)?,
                None if LOOKED_AT.iter().any(|extension| name.ends_with(extension)) => {
                    return Err(LogError::FileName { name: name.to_string() });
                }
                None => {}
            }
        }
        // They were there before anything was done.
        state.files.take_changes();
        Ok(Partition::from_state(state, seed))
    }
}

/// Adds a file. The zeros at the end of an index are not stored: a broker that was killed leaves 10 MiB of them.
fn put(state: &mut PartitionState, file: FileName, bytes: &[u8]) -> Result<(), VfsError> {
    let entry = index::entry_size(file.kind) as usize;
    let stored = match file.kind {
        FileKind::Index | FileKind::TimeIndex => {
            let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            used.next_multiple_of(entry).min(bytes.len())
        }
        _ => bytes.len(),
    };
    let now = state.clock;
    state.files.create(file, bytes.len() as u64, now)?;
    state.files.append(file, &bytes[..stored], now)?;
    Ok(())
}
