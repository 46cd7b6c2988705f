//! Files on a disk. They are read, part by part when a part is needed, and never written: what this module has of the
//! system are calls that read.

use core::fmt;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::UNIX_EPOCH;

use crate::disk::{FileName, VfsError};
use crate::ordered::OrderedMap;
use crate::units::TimestampMs;

/// How much of a file is read at once where less is asked for, in bytes.
const CHUNK: usize = 1 << 16;

/// Why a file or a folder on a disk cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum ReadFault {
    /// It is not there, or not any more.
    NotFound,
    /// The system does not allow it.
    PermissionDenied,
    /// It has become shorter since the directory was opened, as under a broker that runs.
    Shorter,
    /// It has a name that is no text.
    Name,
    /// What else the system says.
    Other {
        /// In its words.
        message: String,
    },
}

impl ReadFault {
    fn of(error: &io::Error) -> ReadFault {
        match error.kind() {
            io::ErrorKind::NotFound => ReadFault::NotFound,
            io::ErrorKind::PermissionDenied => ReadFault::PermissionDenied,
            io::ErrorKind::UnexpectedEof => ReadFault::Shorter,
            _ => ReadFault::Other {
                message: error.to_string(),
            },
        }
    }
}

impl fmt::Display for ReadFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadFault::NotFound => f.write_str("it is not there"),
            ReadFault::PermissionDenied => f.write_str("the system does not allow it"),
            ReadFault::Shorter => f.write_str("it has become shorter: open a copy, or stop the broker first"),
            ReadFault::Name => f.write_str("its name is no text"),
            ReadFault::Other { message } => f.write_str(message),
        }
    }
}

/// A file or a folder that cannot be read when a directory is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DirectoryError {
    /// Its path.
    pub path: String,
    /// Why.
    pub fault: ReadFault,
}

impl DirectoryError {
    fn of(path: &Path, error: &io::Error) -> DirectoryError {
        DirectoryError::new(path, ReadFault::of(error))
    }

    fn new(path: &Path, fault: ReadFault) -> DirectoryError {
        let path = path.display().to_string();
        DirectoryError { path, fault }
    }
}

impl fmt::Display for DirectoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be read: {}", self.path, self.fault)
    }
}

impl core::error::Error for DirectoryError {}

/// A file as a folder lists it.
pub(crate) struct Listed {
    pub(crate) name: String,
    /// In bytes.
    pub(crate) length: u64,
    pub(crate) modified: TimestampMs,
}

/// A folder on a disk, which is read only.
#[derive(Debug)]
pub(crate) struct RealDirectory {
    path: PathBuf,
    /// The part of a file that was read last.
    chunk: Mutex<Option<Chunk>>,
    /// Lengths without the zeros at the end, where they were asked for.
    used: Mutex<OrderedMap<FileName, u64>>,
    /// The first read that failed.
    fault: OnceLock<VfsError>,
}

#[derive(Debug)]
struct Chunk {
    file: FileName,
    open: fs::File,
    position: u64,
    bytes: Vec<u8>,
}

/// Two are the same folder or not: what else they hold was read from it.
impl PartialEq for RealDirectory {
    fn eq(&self, other: &RealDirectory) -> bool {
        self.path == other.path
    }
}

impl Eq for RealDirectory {}

impl RealDirectory {
    /// The folder and its files, in the order of their names; no file is opened.
    pub(crate) fn open(path: &Path) -> Result<(Arc<RealDirectory>, Vec<Listed>), DirectoryError> {
        let failed = |error: io::Error| DirectoryError::of(path, &error);
        let mut files = Vec::new();
        for entry in fs::read_dir(path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let failed = |error: io::Error| DirectoryError::of(&entry.path(), &error);
            // Of a link, what it leads to.
            let found = fs::metadata(entry.path()).map_err(failed)?;
            if !found.is_file() {
                continue;
            }
            let name = entry.file_name().into_string();
            files.push(Listed {
                name: name.map_err(|_| DirectoryError::new(&entry.path(), ReadFault::Name))?,
                length: found.len(),
                modified: modified(&found).map_err(failed)?,
            });
        }
        files.sort_by(|one, other| one.name.cmp(&other.name));
        let directory = RealDirectory {
            path: path.to_path_buf(),
            chunk: Mutex::default(),
            used: Mutex::default(),
            fault: OnceLock::new(),
        };
        Ok((Arc::new(directory), files))
    }

    /// The first read that failed.
    pub(crate) fn fault(&self) -> Option<&VfsError> {
        self.fault.get()
    }

    /// Fills `out` from a position of a file on. After a read that failed it holds zeros, and [`RealDirectory::fault`] says
    /// why.
    fn read(&self, file: FileName, position: u64, out: &mut [u8]) {
        out.fill(0);
        if self.fault.get().is_some() {
            return;
        }
        // A panic elsewhere leaves a chunk whole, or none.
        let mut chunk = self.chunk.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = self.read_through(&mut chunk, file, position, out) {
            out.fill(0);
            *chunk = None;
            let fault = ReadFault::of(&error);
            // The first one counts.
            let _ = self.fault.set(VfsError::Unreadable { file, position, fault });
        }
    }

    fn read_through(
        &self,
        kept: &mut Option<Chunk>,
        file: FileName,
        position: u64,
        out: &mut [u8],
    ) -> Result<(), io::Error> {
        let mut chunk = match kept.take().filter(|chunk| chunk.file == file) {
            Some(chunk) => chunk,
            None => Chunk {
                file,
                open: fs::File::open(self.path.join(file.to_string()))?,
                position: 0,
                bytes: Vec::new(),
            },
        };
        if out.len() >= CHUNK {
            chunk.open.seek(SeekFrom::Start(position))?;
            chunk.open.read_exact(out)?;
        } else {
            let within = |chunk: &Chunk| {
                let from = usize::try_from(position.checked_sub(chunk.position)?).ok()?;
                Some(from..from.checked_add(out.len())?).filter(|range| range.end <= chunk.bytes.len())
            };
            if within(&chunk).is_none() {
                chunk.open.seek(SeekFrom::Start(position))?;
                chunk.position = position;
                chunk.bytes.clear();
                let limit = CHUNK as u64;
                (&mut chunk.open).take(limit).read_to_end(&mut chunk.bytes)?;
            }
            let range = within(&chunk).ok_or(io::ErrorKind::UnexpectedEof)?;
            out.copy_from_slice(&chunk.bytes[range]);
        }
        *kept = Some(chunk);
        Ok(())
    }

    /// How long a file is without the zeros at its end, in whole units of so many bytes.
    fn used(&self, file: FileName, length: u64, unit: u64) -> u64 {
        let known = |used: &OrderedMap<FileName, u64>| used.get(file).copied();
        if let Some(used) = known(&self.used.lock().unwrap_or_else(PoisonError::into_inner)) {
            return used;
        }
        let mut end = length;
        let mut bytes = Vec::new();
        let used = loop {
            let from = end.saturating_sub(CHUNK as u64 / 2);
            bytes.resize((end - from) as usize, 0);
            self.read(file, from, &mut bytes);
            match bytes.iter().rposition(|byte| *byte != 0) {
                Some(last) => break from + last as u64 + 1,
                None if from == 0 => break 0,
                None => end = from,
            }
        };
        let used = used.next_multiple_of(unit).min(length);
        if self.fault.get().is_none() {
            let mut known = self.used.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(file, used);
        }
        used
    }
}

/// The part of a file's content that still lies on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Backing {
    directory: Arc<RealDirectory>,
    file: FileName,
    /// How many of its bytes count, from the first on.
    length: u64,
    /// The size of an entry where zeros at the end do not count, as in an index; else 0.
    unit: u64,
    /// What was written over it since, in order.
    patches: Vec<(u64, Vec<u8>)>,
}

impl Backing {
    pub(crate) fn new(directory: Arc<RealDirectory>, file: FileName, length: u64, unit: u64) -> Backing {
        Backing {
            directory,
            file,
            length,
            unit,
            patches: Vec::new(),
        }
    }

    /// How many bytes there are.
    pub(crate) fn len(&self) -> u64 {
        match self.unit {
            0 => self.length,
            unit => self.directory.used(self.file, self.length, unit),
        }
    }

    /// Whether the file's own zeros at the end do not count. Such a file is taken into memory before it is written.
    pub(crate) fn ends_with_zeros(&self) -> bool {
        self.unit > 0
    }

    /// Fills `out`, which ends before the last byte that counts, from a position on.
    pub(crate) fn read(&self, position: u64, out: &mut [u8]) {
        self.directory.read(self.file, position, out);
        let end = position + out.len() as u64;
        for (at, patch) in &self.patches {
            let (from, to) = ((*at).max(position), (at + patch.len() as u64).min(end));
            if from < to {
                let written = &patch[(from - at) as usize..(to - at) as usize];
                out[(from - position) as usize..(to - position) as usize].copy_from_slice(written);
            }
        }
    }

    /// Writes over it; nothing of that reaches the disk.
    pub(crate) fn write(&mut self, position: u64, bytes: &[u8]) {
        self.patches.push((position, bytes.to_vec()));
    }

    /// Leaves no more than the first bytes.
    pub(crate) fn truncate(&mut self, length: u64) {
        self.length = self.length.min(length);
        self.patches.retain(|(at, _)| *at < length);
    }
}

/// All bytes of a small file; `None` if there is none.
pub(crate) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, DirectoryError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(DirectoryError::of(path, &error)),
    }
}

/// The path of a folder without links and dots, which has the folder's own name at its end.
pub(crate) fn settled(path: &Path) -> Result<PathBuf, DirectoryError> {
    fs::canonicalize(path).map_err(|error| DirectoryError::of(path, &error))
}

/// When a file was last written; what is older than 1970 is as old as that.
fn modified(found: &fs::Metadata) -> Result<TimestampMs, io::Error> {
    let since = found.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    let ms = i64::try_from(since.as_millis()).ok();
    Ok(ms.and_then(TimestampMs::stored).unwrap_or(crate::units::LATEST))
}
