//! What was done to a file.

use core::fmt;

use crate::disk::name::FileName;
use crate::units::{TimestampMs, size};

/// A change of one file, enough to repeat it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum FileChange {
    /// A file came into being, `apparent` zero bytes long, none of them stored.
    Created {
        /// The new file.
        file: FileName,
        /// Its length in bytes.
        apparent: u64,
        /// The time that the file carries.
        modified: TimestampMs,
    },
    /// Bytes were added at the end of the used part.
    Appended {
        /// The file.
        file: FileName,
        /// Where they start, in bytes from 0.
        position: u64,
        /// The bytes.
        #[cfg_attr(feature = "serde", serde(serialize_with = "hex::serde::serialize"))]
        bytes: Vec<u8>,
        /// The time that the file carries from now on.
        modified: TimestampMs,
    },
    /// Bytes were written over others, or behind a gap of zeros.
    Overwritten {
        /// The file.
        file: FileName,
        /// Where they start, in bytes from 0.
        position: u64,
        /// The bytes.
        #[cfg_attr(feature = "serde", serde(serialize_with = "hex::serde::serialize"))]
        bytes: Vec<u8>,
        /// The time that the file carries from now on.
        modified: TimestampMs,
    },
    /// The file was written as a whole, in place of what it held.
    Replaced {
        /// The file.
        file: FileName,
        /// All its bytes.
        #[cfg_attr(feature = "serde", serde(serialize_with = "hex::serde::serialize"))]
        bytes: Vec<u8>,
        /// The time that the file carries from now on.
        modified: TimestampMs,
    },
    /// The file carries another time.
    Touched {
        /// The file.
        file: FileName,
        /// The time.
        modified: TimestampMs,
    },
    /// The file was cut, or grown by zeros that are not stored.
    Resized {
        /// The file.
        file: FileName,
        /// Length before, in bytes.
        from: u64,
        /// Length after, in bytes.
        to: u64,
    },
    /// The file has another name; a file that had this name is gone.
    Renamed {
        /// Name before.
        from: FileName,
        /// Name after.
        to: FileName,
    },
    /// The file is gone.
    Removed {
        /// The file.
        file: FileName,
        /// The bytes that it used.
        used: u64,
    },
}

impl fmt::Display for FileChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileChange::Created { file, apparent: 0, .. } => write!(f, "{file} created"),
            FileChange::Created { file, apparent, .. } => write!(f, "{file} created at {}", size(*apparent)),
            FileChange::Appended {
                file, position, bytes, ..
            } => {
                write!(f, "{file} byte {position}: {} written", size(bytes.len() as u64))
            }
            FileChange::Overwritten {
                file, position, bytes, ..
            } => {
                write!(f, "{file} byte {position}: {} overwritten", size(bytes.len() as u64))
            }
            FileChange::Replaced { file, bytes, .. } => write!(f, "{file} written, {}", size(bytes.len() as u64)),
            FileChange::Touched { file, modified } => write!(f, "{file} has the time {modified}"),
            FileChange::Resized { file, from, to } => write!(f, "{file} {} to {}", size(*from), size(*to)),
            FileChange::Renamed { from, to } => write!(f, "{from} renamed to {to}"),
            FileChange::Removed { file, used } => write!(f, "{file} removed, {}", size(*used)),
        }
    }
}
