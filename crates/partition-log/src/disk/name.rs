//! The names of a partition's files.

use core::fmt;

use crate::units::Offset;

/// What a file of the partition's directory holds (Kafka: `LogFileUtils`, `LeaderEpochCheckpointFile`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum FileKind {
    /// `.log`: the batches, back to back.
    Log,
    /// `.index`: relative offset to byte position, 8 bytes an entry.
    Index,
    /// `.timeindex`: timestamp to relative offset, 12 bytes an entry.
    TimeIndex,
    /// `.txnindex`: aborted transactions, 34 bytes an entry; exists once a segment has one.
    TxnIndex,
    /// `.snapshot`: the state of the producers below the offset in its name.
    Snapshot,
    /// `leader-epoch-checkpoint`: the leader epochs and their first offsets; one a partition.
    LeaderEpochs,
}

impl FileKind {
    /// Every kind there is.
    pub const ALL: [FileKind; 6] = [
        FileKind::Log,
        FileKind::Index,
        FileKind::TimeIndex,
        FileKind::TxnIndex,
        FileKind::Snapshot,
        FileKind::LeaderEpochs,
    ];

    /// The three that every segment has, in the order in which they are shown.
    pub const OF_EVERY_SEGMENT: [FileKind; 3] = [FileKind::Log, FileKind::Index, FileKind::TimeIndex];

    /// Those that come and go with a segment.
    pub const OF_SEGMENT: [FileKind; 4] = [FileKind::Log, FileKind::Index, FileKind::TimeIndex, FileKind::TxnIndex];

    /// The extension, with its dot; the whole name where a partition has one such file.
    pub const fn extension(self) -> &'static str {
        match self {
            FileKind::Log => ".log",
            FileKind::Index => ".index",
            FileKind::TimeIndex => ".timeindex",
            FileKind::TxnIndex => ".txnindex",
            FileKind::Snapshot => ".snapshot",
            FileKind::LeaderEpochs => "leader-epoch-checkpoint",
        }
    }
}

/// What stands behind a file's name while it is not in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suffix {
    /// Nothing: the file is in use.
    #[default]
    None,
    /// `.deleted`: it waits for its removal.
    Deleted,
    /// `.cleaned`: a replacement that is being written.
    Cleaned,
    /// `.swap`: a finished replacement that has not got its final name.
    Swap,
}

impl Suffix {
    /// As it is written.
    pub const fn text(self) -> &'static str {
        match self {
            Suffix::None => "",
            Suffix::Deleted => ".deleted",
            Suffix::Cleaned => ".cleaned",
            Suffix::Swap => ".swap",
        }
    }
}

/// The name of a file: an offset in 20 digits, the extension, and a suffix while it is not in use
/// (Kafka: `LogFileUtils.filenamePrefixFromOffset`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileName {
    /// Base offset of the segment; of a snapshot the offset up to which it tells; 0 where a partition has one such file.
    pub base: Offset,
    /// What it holds.
    pub kind: FileKind,
    /// What stands behind it.
    pub suffix: Suffix,
}

impl FileName {
    /// The `leader-epoch-checkpoint`.
    pub const LEADER_EPOCHS: FileName = FileName::live(Offset::ZERO, FileKind::LeaderEpochs);

    /// The name of a live file.
    pub const fn live(base: Offset, kind: FileKind) -> FileName {
        FileName {
            base,
            kind,
            suffix: Suffix::None,
        }
    }

    /// The same file under another suffix.
    pub const fn with(self, suffix: Suffix) -> FileName {
        FileName { suffix, ..self }
    }

    /// The same file, waiting for its removal.
    pub const fn as_deleted(self) -> FileName {
        self.with(Suffix::Deleted)
    }

    /// A name as a directory lists it; `None` where the log layer knows no such file.
    ///
    /// ```
    /// use partition_log::disk::FileName;
    ///
    /// let name = "00000000000000000006.index.deleted";
    /// assert_eq!(FileName::parse(name).expect("an index").to_string(), name);
    /// assert_eq!(FileName::parse("6.index"), None);
    /// ```
    pub fn parse(name: &str) -> Option<FileName> {
        if name == FileKind::LeaderEpochs.extension() {
            return Some(FileName::LEADER_EPOCHS);
        }
        let (digits, rest) = name.split_at_checked(20)?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let base = Offset::new(digits.parse().ok()?)?;
        const KINDS: [FileKind; 5] = [
            FileKind::Log,
            FileKind::Index,
            FileKind::TimeIndex,
            FileKind::TxnIndex,
            FileKind::Snapshot,
        ];
        const SUFFIXES: [Suffix; 4] = [Suffix::None, Suffix::Deleted, Suffix::Cleaned, Suffix::Swap];
        KINDS.into_iter().find_map(|kind| {
            let behind = rest.strip_prefix(kind.extension())?;
            let suffix = SUFFIXES.into_iter().find(|suffix| suffix.text() == behind)?;
            Some(FileName { base, kind, suffix })
        })
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind != FileKind::LeaderEpochs {
            write!(f, "{:020}", self.base.get())?;
        }
        write!(f, "{}{}", self.kind.extension(), self.suffix.text())
    }
}

/// As a directory lists it.
#[cfg(feature = "serde")]
impl serde::Serialize for FileName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
