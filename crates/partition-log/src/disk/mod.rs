//! The files of a partition: their names, an interface, and an implementation in memory that records each of its own
//! changes.
//!
//! May know the ground only: what the bytes mean is the business of [`crate::format`].

mod bytes;
mod change;
mod directory;
mod name;
#[cfg(feature = "std")]
pub(crate) mod real;

use core::fmt;
#[cfg(feature = "std")]
use std::sync::Arc;

pub use bytes::{Bytes, Window};
pub use change::FileChange;
use directory::Directory;
pub use name::{FileKind, FileName, Suffix};
#[cfg(feature = "std")]
pub(crate) use real::RealDirectory;
#[cfg(feature = "std")]
pub use real::{DirectoryError, ReadFault};

use crate::units::TimestampMs;

/// Why an operation on a file failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum VfsError {
    /// There is no such file.
    NotFound(FileName),
    /// The file exists already.
    AlreadyExists(FileName),
    /// The read or write reaches past the end of the file.
    OutOfBounds {
        /// The file.
        file: FileName,
        /// First byte asked for.
        position: u64,
        /// How many.
        length: u64,
        /// The file's length.
        size: u64,
    },
    /// The file lies on a disk, and cannot be read any more.
    #[cfg(feature = "std")]
    Unreadable {
        /// The file, under the name that it has there.
        file: FileName,
        /// First byte that was asked for.
        position: u64,
        /// Why.
        fault: ReadFault,
    },
}

impl fmt::Display for VfsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VfsError::NotFound(file) => write!(f, "{file} does not exist"),
            VfsError::AlreadyExists(file) => write!(f, "{file} exists already"),
            VfsError::OutOfBounds {
                file,
                position,
                length,
                size,
            } => {
                write!(f, "{length} B at byte {position} of {file} lie past its {size} B")
            }
            #[cfg(feature = "std")]
            VfsError::Unreadable { file, position, fault } => {
                write!(f, "{file} cannot be read from byte {position} on: {fault}")
            }
        }
    }
}

impl core::error::Error for VfsError {}

/// What a log needs of a filesystem. Lengths and positions in bytes.
pub trait Vfs {
    /// Makes a file of `apparent` zero bytes, without storing them.
    ///
    /// # Errors
    ///
    /// [`VfsError::AlreadyExists`].
    fn create(&mut self, file: FileName, apparent: u64, now: TimestampMs) -> Result<(), VfsError>;

    /// Adds bytes behind the used part, growing the file if need be; returns where they start.
    ///
    /// # Errors
    ///
    /// [`VfsError::NotFound`].
    fn append(&mut self, file: FileName, bytes: &[u8], now: TimestampMs) -> Result<u64, VfsError>;

    /// Writes bytes at a position, growing the file if need be; zeros fill a gap.
    ///
    /// # Errors
    ///
    /// [`VfsError::NotFound`].
    fn write_at(&mut self, file: FileName, position: u64, bytes: &[u8], now: TimestampMs) -> Result<(), VfsError>;

    /// Writes a file as a whole, in place of what it held, or new.
    ///
    /// # Errors
    ///
    /// None in memory; the type is that of the other writes.
    fn replace(&mut self, file: FileName, bytes: &[u8], now: TimestampMs) -> Result<(), VfsError>;

    /// Gives the file another time.
    ///
    /// # Errors
    ///
    /// [`VfsError::NotFound`].
    fn touch(&mut self, file: FileName, modified: TimestampMs) -> Result<(), VfsError>;

    /// The bytes at a position; zeros where nothing was written.
    ///
    /// # Errors
    ///
    /// [`VfsError::NotFound`], [`VfsError::OutOfBounds`].
    fn read_at(&self, file: FileName, position: u64, length: u64) -> Result<Vec<u8>, VfsError>;

    /// Cuts the file, or grows it by zeros that are not stored.
    ///
    /// # Errors
    ///
    /// [`VfsError::NotFound`].
    fn resize(&mut self, file: FileName, length: u64) -> Result<(), VfsError>;

    /// Gives a file another name, replacing a file that has it.
    ///
    /// # Errors
    ///
    /// [`VfsError::NotFound`].
    fn rename(&mut self, from: FileName, to: FileName) -> Result<(), VfsError>;

    /// Removes a file.
    ///
    /// # Errors
    ///
    /// [`VfsError::NotFound`].
    fn remove(&mut self, file: FileName) -> Result<(), VfsError>;

    /// The length that a directory listing shows, if the file exists.
    fn apparent_size(&self, file: FileName) -> Option<u64>;

    /// The bytes written so far, from the start of the file.
    fn used_size(&self, file: FileName) -> Option<u64>;

    /// When the file was created or last appended to.
    fn modified(&self, file: FileName) -> Option<TimestampMs>;

    /// All files, in the order of their names.
    fn list(&self) -> Vec<FileName>;
}

/// A file as a directory hands it over.
///
/// ```
/// use partition_log::disk::File;
/// use partition_log::TimestampMs;
///
/// let written = TimestampMs::new(1_700_000_000_000).expect("not negative");
/// let file = File { name: "00000000000000000000.log".to_string(), bytes: Vec::new(), modified: written };
/// # let _ = file;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, as the directory lists it.
    pub name: String,
    /// All its bytes.
    pub bytes: Vec<u8>,
    /// When it was last written. A segment whose records have no timestamps is as old as its `.log`
    /// (Kafka: `LogSegment.largestTimestamp`, `lastModified`).
    pub modified: TimestampMs,
}

/// What is kept of a file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
struct Stored {
    /// The part of the content that still lies on a disk.
    #[cfg(feature = "std")]
    backing: Option<real::Backing>,
    /// The content in memory; of a file on a disk what was added behind that part.
    data: Vec<u8>,
    apparent: u64,
    modified: TimestampMs,
}

impl Stored {
    /// All that was written.
    fn bytes(&self) -> Bytes<'_> {
        #[cfg(feature = "std")]
        if let Some(backing) = &self.backing {
            return Bytes::backed(backing, &self.data);
        }
        Bytes::from(&self.data)
    }

    fn used(&self) -> u64 {
        self.bytes().len()
    }

    /// Bytes that still lie on a disk, before a write. An index is taken into memory: the zeros behind its entries are not
    /// stored there.
    fn on_disk(&mut self) -> u64 {
        #[cfg(feature = "std")]
        if let Some(backing) = &self.backing {
            if !backing.ends_with_zeros() {
                return backing.len();
            }
            self.data = self.bytes().to_vec();
            self.backing = None;
        }
        0
    }

    fn write(&mut self, position: u64, bytes: &[u8]) {
        let on_disk = self.on_disk();
        let over = on_disk.saturating_sub(position).min(bytes.len() as u64);
        let added = &bytes[over as usize..];
        #[cfg(feature = "std")]
        if let Some(backing) = self.backing.as_mut().filter(|_| over > 0) {
            backing.write(position, &bytes[..over as usize]);
            if added.is_empty() {
                return;
            }
        }
        let from = position.max(on_disk) - on_disk;
        let from = usize::try_from(from).expect("a file is in memory, so its positions fit");
        let end = from + added.len();
        if self.data.len() < end {
            self.data.resize(end, 0);
        }
        self.data[from..end].copy_from_slice(added);
    }

    fn truncate(&mut self, length: u64) {
        let on_disk = self.on_disk();
        #[cfg(feature = "std")]
        if let Some(backing) = &mut self.backing {
            backing.truncate(length);
        }
        // A file that grows by zeros may be longer than the memory: nothing of it is stored.
        let added = usize::try_from(length.saturating_sub(on_disk));
        self.data.truncate(added.unwrap_or(usize::MAX));
    }
}

/// A filesystem in memory. Zeros behind the written part of a file are not stored, so a preallocated index costs nothing.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct MemoryVfs {
    /// The folder on a disk where those of the files lie that are not in memory.
    #[cfg(feature = "std")]
    disk: Option<Arc<RealDirectory>>,
    files: Directory<Stored>,
    changes: Vec<FileChange>,
}

impl MemoryVfs {
    /// Takes over a file that was there before anything was done: no change is noted. Of its bytes the first `used` are
    /// stored; the rest are zeros.
    ///
    /// # Errors
    ///
    /// [`VfsError::AlreadyExists`].
    pub(crate) fn adopt(
        &mut self,
        file: FileName,
        mut bytes: Vec<u8>,
        used: usize,
        modified: TimestampMs,
    ) -> Result<(), VfsError> {
        if self.files.get(file).is_some() {
            return Err(VfsError::AlreadyExists(file));
        }
        let apparent = bytes.len() as u64;
        bytes.truncate(used);
        bytes.shrink_to_fit();
        let stored = Stored {
            data: bytes,
            apparent,
            modified,
            ..Stored::default()
        };
        self.files.insert(file, stored);
        Ok(())
    }

    /// The files of a folder on a disk: names, lengths, the sizes of entries where zeros at the end do not count, else 0, and
    /// times. Nothing of them is read.
    #[cfg(feature = "std")]
    pub(crate) fn on_disk(
        disk: Arc<RealDirectory>,
        files: impl IntoIterator<Item = (FileName, u64, u64, TimestampMs)>,
    ) -> MemoryVfs {
        let mut found = MemoryVfs::default();
        for (file, length, unit, modified) in files {
            let stored = Stored {
                backing: Some(real::Backing::new(Arc::clone(&disk), file, length, unit)),
                apparent: length,
                modified,
                ..Stored::default()
            };
            found.files.insert(file, stored);
        }
        found.disk = Some(disk);
        found
    }

    /// The first read of a file on a disk that failed. What was read then, and since, counts as zeros.
    pub fn fault(&self) -> Option<&VfsError> {
        #[cfg(feature = "std")]
        if let Some(disk) = &self.disk {
            return disk.fault();
        }
        None
    }

    /// What changed since the last call.
    pub fn take_changes(&mut self) -> Vec<FileChange> {
        core::mem::take(&mut self.changes)
    }

    /// Repeats a recorded change.
    ///
    /// # Errors
    ///
    /// [`VfsError`], when the change does not fit the files.
    pub fn replay(&mut self, change: &FileChange) -> Result<(), VfsError> {
        match change {
            FileChange::Created {
                file,
                apparent,
                modified,
            } => self.create(*file, *apparent, *modified)?,
            FileChange::Appended {
                file, bytes, modified, ..
            } => {
                self.append(*file, bytes, *modified)?;
            }
            FileChange::Overwritten {
                file,
                position,
                bytes,
                modified,
            } => self.write_at(*file, *position, bytes, *modified)?,
            FileChange::Replaced { file, bytes, modified } => self.replace(*file, bytes, *modified)?,
            FileChange::Touched { file, modified } => self.touch(*file, *modified)?,
            FileChange::Resized { file, to, .. } => self.resize(*file, *to)?,
            FileChange::Renamed { from, to } => self.rename(*from, *to)?,
            FileChange::Removed { file, .. } => self.remove(*file)?,
        }
        self.changes.clear();
        Ok(())
    }

    /// The written part of a file, without a copy.
    pub fn used(&self, file: FileName) -> Option<Bytes<'_>> {
        self.files.get(file).map(Stored::bytes)
    }

    /// The written part of a file, all of it.
    pub fn read(&self, file: FileName) -> Option<Window<'_>> {
        self.used(file).map(Bytes::whole)
    }

    /// Gives back the memory that was held ready for appends.
    pub(crate) fn release(&mut self, file: FileName) {
        if let Some(found) = self.files.get_mut(file) {
            found.data.shrink_to_fit();
        }
    }

    fn file(&self, name: FileName) -> Result<&Stored, VfsError> {
        self.files.get(name).ok_or(VfsError::NotFound(name))
    }

    fn file_mut(&mut self, name: FileName) -> Result<&mut Stored, VfsError> {
        self.files.get_mut(name).ok_or(VfsError::NotFound(name))
    }
}

impl Vfs for MemoryVfs {
    fn create(&mut self, file: FileName, apparent: u64, now: TimestampMs) -> Result<(), VfsError> {
        if self.files.get(file).is_some() {
            return Err(VfsError::AlreadyExists(file));
        }
        self.files.insert(
            file,
            Stored {
                apparent,
                modified: now,
                ..Stored::default()
            },
        );
        self.changes.push(FileChange::Created {
            file,
            apparent,
            modified: now,
        });
        Ok(())
    }

    fn append(&mut self, file: FileName, bytes: &[u8], now: TimestampMs) -> Result<u64, VfsError> {
        let found = self.file_mut(file)?;
        let position = found.used();
        found.data.extend_from_slice(bytes);
        found.apparent = found.apparent.max(position + bytes.len() as u64);
        found.modified = now;
        self.changes.push(FileChange::Appended {
            file,
            position,
            bytes: bytes.to_vec(),
            modified: now,
        });
        Ok(position)
    }

    fn write_at(&mut self, file: FileName, position: u64, bytes: &[u8], now: TimestampMs) -> Result<(), VfsError> {
        let found = self.file_mut(file)?;
        found.write(position, bytes);
        found.apparent = found.apparent.max(position + bytes.len() as u64);
        found.modified = now;
        self.changes.push(FileChange::Overwritten {
            file,
            position,
            bytes: bytes.to_vec(),
            modified: now,
        });
        Ok(())
    }

    fn replace(&mut self, file: FileName, bytes: &[u8], now: TimestampMs) -> Result<(), VfsError> {
        let written = Stored {
            data: bytes.to_vec(),
            apparent: bytes.len() as u64,
            modified: now,
            ..Stored::default()
        };
        self.files.insert(file, written);
        self.changes.push(FileChange::Replaced {
            file,
            bytes: bytes.to_vec(),
            modified: now,
        });
        Ok(())
    }

    fn touch(&mut self, file: FileName, modified: TimestampMs) -> Result<(), VfsError> {
        self.file_mut(file)?.modified = modified;
        self.changes.push(FileChange::Touched { file, modified });
        Ok(())
    }

    fn read_at(&self, file: FileName, position: u64, length: u64) -> Result<Vec<u8>, VfsError> {
        let found = self.file(file)?;
        match position.checked_add(length) {
            Some(end) if end <= found.apparent => {
                let mut out = found.bytes().window(position, length).to_vec();
                out.resize(length as usize, 0);
                Ok(out)
            }
            _ => Err(VfsError::OutOfBounds {
                file,
                position,
                length,
                size: found.apparent,
            }),
        }
    }

    fn resize(&mut self, file: FileName, length: u64) -> Result<(), VfsError> {
        let found = self.file_mut(file)?;
        let from = found.apparent;
        found.truncate(length);
        found.apparent = length;
        self.changes.push(FileChange::Resized { file, from, to: length });
        Ok(())
    }

    fn rename(&mut self, from: FileName, to: FileName) -> Result<(), VfsError> {
        self.files.rename(from, to).ok_or(VfsError::NotFound(from))?;
        self.changes.push(FileChange::Renamed { from, to });
        Ok(())
    }

    fn remove(&mut self, file: FileName) -> Result<(), VfsError> {
        let found = self.files.remove(file).ok_or(VfsError::NotFound(file))?;
        let used = found.used();
        self.changes.push(FileChange::Removed { file, used });
        Ok(())
    }

    fn apparent_size(&self, file: FileName) -> Option<u64> {
        self.files.get(file).map(|found| found.apparent)
    }

    fn used_size(&self, file: FileName) -> Option<u64> {
        self.files.get(file).map(Stored::used)
    }

    fn modified(&self, file: FileName) -> Option<TimestampMs> {
        self.files.get(file).map(|found| found.modified)
    }

    fn list(&self) -> Vec<FileName> {
        self.files.names().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Offset;

    const INDEX: FileName = FileName::live(Offset::ZERO, FileKind::Index);

    #[test]
    fn a_preallocated_file_shows_its_whole_length_and_stores_none_of_it() {
        let mut files = MemoryVfs::default();
        files.create(INDEX, 10_485_760, TimestampMs::ZERO).expect("a new file");
        assert_eq!(files.append(INDEX, &[1, 2], TimestampMs::ZERO), Ok(0));
        assert_eq!(
            (files.apparent_size(INDEX), files.used_size(INDEX)),
            (Some(10_485_760), Some(2))
        );
        assert_eq!(files.read_at(INDEX, 1, 3), Ok(vec![2, 0, 0]));
    }

    #[test]
    fn errors_name_the_file_and_its_length() {
        let mut files = MemoryVfs::default();
        assert_eq!(files.remove(INDEX), Err(VfsError::NotFound(INDEX)));
        files.create(INDEX, 16, TimestampMs::ZERO).expect("a new file");
        let error = files.read_at(INDEX, 9, 8).expect_err("9 + 8 > 16");
        assert_eq!(
            error.to_string(),
            "8 B at byte 9 of 00000000000000000000.index lie past its 16 B"
        );
        assert_eq!(
            files.create(INDEX, 0, TimestampMs::ZERO),
            Err(VfsError::AlreadyExists(INDEX))
        );
    }
}
