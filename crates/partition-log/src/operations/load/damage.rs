//! What happens to files while the broker is down: a broken disk, a torn write, a helping hand.

use crate::disk::{FileName, Vfs, VfsError};
use crate::error::LogError;
use crate::operations::partition::Partition;
use crate::operations::recorder::Recorder;

/// How a file changes. Lengths and positions in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Damage {
    /// Its end is gone.
    Cut {
        /// What is left of it, at most what there is.
        length: u64,
    },
    /// So many bytes at its end are gone, or all of them.
    CutEnd {
        /// How many.
        size: u64,
    },
    /// All bits of a byte are turned over.
    Flip {
        /// Which byte.
        position: u64,
    },
    /// Other bytes stand in it, up to its end or beyond.
    Write {
        /// The first byte, at most the one behind the file.
        position: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Bytes stand behind its end; a file that is not there is made.
    Add {
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// It is gone.
    Remove,
    /// It carries the clock's time, and has the same bytes.
    Touch,
}

impl Partition {
    /// Changes a file while the broker is down. A file whose bytes change carries the clock's time. Only its time may change
    /// while the broker runs.
    ///
    /// # Errors
    ///
    /// [`LogError::NotRunning`] for other bytes while the broker runs; [`LogError::Vfs`] for a file that does not exist and for bytes that
    /// it has not got.
    pub fn damage(&mut self, file: FileName, damage: &Damage) -> Result<(), LogError> {
        self.record(|recorder| recorder.damage(file, damage))
    }
}

impl Recorder<'_> {
    fn damage(&mut self, file: FileName, damage: &Damage) -> Result<(), LogError> {
        if self.state().running() && !matches!(damage, Damage::Touch) {
            return Err(LogError::NotRunning { running: true });
        }
        let now = self.state().clock();
        let size = self.state().files().apparent_size(file);
        if let Damage::Add { bytes } = damage {
            let used = self.state().files().used_size(file);
            return self.file(|files| match size {
                // Behind zeros that are not stored the bytes are written at their place.
                Some(size) if used != Some(size) => files.write_at(file, size, bytes, now),
                Some(_) => files.append(file, bytes, now).map(drop),
                None => files.replace(file, bytes, now),
            });
        }
        let size = size.ok_or(VfsError::NotFound(file))?;
        let within = |position: u64, length: u64, end: u64| match position.checked_add(length) {
            Some(reached) if reached <= end => Ok(()),
            _ => Err(VfsError::OutOfBounds {
                file,
                position,
                length,
                size,
            }),
        };
        match damage {
            Damage::Cut { length } => {
                within(*length, 0, size)?;
                self.cut(file, *length)
            }
            Damage::CutEnd { size: gone } => self.cut(file, size.saturating_sub(*gone)),
            Damage::Flip { position } => {
                within(*position, 1, size)?;
                let byte = self.state().files().read_at(file, *position, 1)?;
                let flipped: Vec<u8> = byte.iter().map(|byte| !byte).collect();
                self.file(|files| files.write_at(file, *position, &flipped, now))
            }
            Damage::Write { position, bytes } => {
                within(*position, 0, size)?;
                self.file(|files| files.write_at(file, *position, bytes, now))
            }
            Damage::Add { .. } => Ok(()),
            Damage::Remove => self.file(|files| files.remove(file)),
            Damage::Touch => self.file(|files| files.touch(file, now)),
        }
    }

    fn cut(&mut self, file: FileName, length: u64) -> Result<(), LogError> {
        let now = self.state().clock();
        self.file(|files| {
            files.resize(file, length)?;
            files.touch(file, now)
        })
    }
}
