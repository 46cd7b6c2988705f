//! The text files in which a broker keeps numbers of its partitions (Kafka: `CheckpointFile`): `leader-epoch-checkpoint`
//! ([`LeaderEpochs`](super::epoch::LeaderEpochs)) within a partition's directory, and beside the directories the offsets of
//! all partitions ([`OffsetCheckpoint`]).
//!
//! | line | what stands there |
//! |---|---|
//! | 1 | the version, `0` |
//! | 2 | how many entries there are |
//! | 3 and on | an entry a line, its words apart by white space |

use core::fmt;

/// The line of the first entry, counted from 1.
pub(crate) const FIRST_ENTRY: usize = 3;

/// Why the text of a checkpoint cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CheckpointFault {
    /// Line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: CheckpointReason,
}

/// What is wrong with a line of a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum CheckpointReason {
    /// The first line is not the version that is known, 0.
    Version,
    /// The second line is not the number of entries.
    Count,
    /// A line has not so many words as an entry.
    Entry {
        /// How many an entry has.
        words: usize,
    },
    /// A word that has to be a number is none (Kafka: `NumberFormatException`).
    Number,
    /// An epoch, an epoch's offset or the number of entries below 0 (Kafka: `IllegalArgumentException`).
    Negative,
    /// A line is no text, but bytes that are not UTF-8.
    Text,
    /// There are more or fewer entries than the second line says.
    Entries {
        /// As it says.
        expected: i64,
        /// As counted.
        found: usize,
    },
}

impl CheckpointFault {
    /// Kafka's name for it: mostly an `IOException` in the disguise that takes the log directory offline.
    pub fn kafka_name(&self) -> &'static str {
        match self.reason {
            CheckpointReason::Number => "NumberFormatException",
            CheckpointReason::Negative => "IllegalArgumentException",
            _ => "KafkaStorageException",
        }
    }
}

impl core::error::Error for CheckpointFault {}

impl fmt::Display for CheckpointFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match self.reason {
            CheckpointReason::Version => f.write_str("the version is not 0"),
            CheckpointReason::Count => f.write_str("no number of entries"),
            CheckpointReason::Text => f.write_str("not text"),
            CheckpointReason::Entry { words: 2 } => f.write_str("not two words"),
            CheckpointReason::Entry { words } => write!(f, "not {words} words"),
            CheckpointReason::Number => f.write_str("a word that is no number"),
            CheckpointReason::Negative => f.write_str("a number below 0"),
            CheckpointReason::Entries { expected, found } => {
                write!(f, "{found} entries, where the second line says {expected}")
            }
        }
    }
}

/// An offset that a broker has saved of a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedOffset {
    /// The partition's topic.
    pub topic: String,
    /// The partition, from 0.
    pub partition: i32,
    /// The offset as stored; nobody refuses one below 0.
    pub offset: i64,
}

/// What a broker saves of every partition of a log directory in one file, beside their directories
/// (Kafka: `OffsetCheckpointFile`): [`OffsetCheckpoint::RECOVERY_POINTS`], [`OffsetCheckpoint::LOG_STARTS`],
/// [`OffsetCheckpoint::HIGH_WATERMARKS`] and [`OffsetCheckpoint::CLEANED`].
///
/// ```
/// use partition_log::format::checkpoint::OffsetCheckpoint;
///
/// let text = "0\n2\norders 0 298\norders 1 17\n";
/// let saved = OffsetCheckpoint::parse(text)?;
/// assert_eq!(saved.offset("orders", 1), Some(17));
/// assert_eq!(saved.to_text(), text);
/// # Ok::<(), partition_log::format::checkpoint::CheckpointFault>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsetCheckpoint {
    /// The entries, in the order of the file.
    pub entries: Vec<SavedOffset>,
}

impl OffsetCheckpoint {
    /// The name of the file that keeps the recovery points: all below one was on disk (Kafka: `LogManager`).
    pub const RECOVERY_POINTS: &str = "recovery-point-offset-checkpoint";

    /// The name of the file that keeps the log start offsets that are not the base of the first segment
    /// (Kafka: `LogManager`).
    pub const LOG_STARTS: &str = "log-start-offset-checkpoint";

    /// The name of the file that keeps the high watermarks (Kafka: `ReplicaManager`).
    pub const HIGH_WATERMARKS: &str = "replication-offset-checkpoint";

    /// The name of the file that keeps up to where logs were compacted (Kafka: `LogCleanerManager`).
    pub const CLEANED: &str = "cleaner-offset-checkpoint";

    /// What is saved of a partition; of several entries the last counts, as in Kafka's map.
    pub fn offset(&self, topic: &str, partition: i32) -> Option<i64> {
        let mut entries = self.entries.iter().rev();
        let found = entries.find(|entry| entry.topic == topic && entry.partition == partition);
        found.map(|entry| entry.offset)
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let mut text = format!("0\n{}\n", self.entries.len());
        for SavedOffset {
            topic,
            partition,
            offset,
        } in &self.entries
        {
            text.push_str(&format!("{topic} {partition} {offset}\n"));
        }
        text
    }

    /// Reads the bytes of the file, which are text; see [`OffsetCheckpoint::parse`].
    ///
    /// # Errors
    ///
    /// [`CheckpointFault`], with the line.
    pub fn read(bytes: &[u8]) -> Result<OffsetCheckpoint, CheckpointFault> {
        OffsetCheckpoint::parse(text(bytes)?)
    }

    /// Reads the text of the file; without any text, or with the version alone, there are no entries
    /// (Kafka: `CheckpointFile.read`, `OffsetCheckpointFile.Formatter.fromString`).
    ///
    /// # Errors
    ///
    /// [`CheckpointFault`], with the line. Kafka takes a file of recovery points or log start offsets that cannot be read
    /// for an empty one (`LogManager.loadLogs`).
    pub fn parse(text: &str) -> Result<OffsetCheckpoint, CheckpointFault> {
        let entries = entries(text, |line| {
            let [topic, partition, offset] = words(line)?;
            Ok(SavedOffset {
                topic: topic.to_string(),
                partition: partition.parse().map_err(|_| CheckpointReason::Number)?,
                offset: offset.parse().map_err(|_| CheckpointReason::Number)?,
            })
        })?;
        Ok(OffsetCheckpoint { entries })
    }
}

/// The text that a file is.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, CheckpointFault> {
    core::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        CheckpointFault {
            line: 1 + before.iter().filter(|byte| **byte == b'\n').count(),
            reason: CheckpointReason::Text,
        }
    })
}

/// The entries of a checkpoint (Kafka: `CheckpointFile.CheckpointReadBuffer.read`).
pub(crate) fn entries<T>(
    text: &str,
    read: impl Fn(&str) -> Result<T, CheckpointReason>,
) -> Result<Vec<T>, CheckpointFault> {
    let fault = |line, reason| CheckpointFault { line, reason };
    let text = with_line_feeds(text);
    let mut lines = text.lines();
    let Some(version) = lines.next() else {
        return Ok(Vec::new());
    };
    if version.parse::<i32>() != Ok(0) {
        return Err(fault(1, CheckpointReason::Version));
    }
    let Some(count) = lines.next() else {
        return Ok(Vec::new());
    };
    let expected: i32 = count.parse().map_err(|_| fault(2, CheckpointReason::Count))?;
    if expected < 0 {
        return Err(fault(2, CheckpointReason::Negative));
    }
    let mut entries = Vec::new();
    for (line, text) in (FIRST_ENTRY..).zip(lines) {
        entries.push(read(text).map_err(|reason| fault(line, reason))?);
    }
    let (expected, found) = (i64::from(expected), entries.len());
    if found as i64 != expected {
        return Err(fault(2, CheckpointReason::Entries { expected, found }));
    }
    Ok(entries)
}

/// The words of a line, which has to begin with the first: white space before it is one more word for Java.
pub(crate) fn words<const N: usize>(line: &str) -> Result<[&str; N], CheckpointReason> {
    let wrong = CheckpointReason::Entry { words: N };
    let space = |letter| matches!(letter, ' ' | '\t' | '\x0b' | '\x0c');
    if line.starts_with(space) {
        return Err(wrong);
    }
    let mut found = line.split(space).filter(|word| !word.is_empty());
    let mut words = [""; N];
    for word in &mut words {
        *word = found.next().ok_or(wrong)?;
    }
    match found.next() {
        None => Ok(words),
        Some(_) => Err(wrong),
    }
}

/// The text with one line feed wherever Java ends a line: at one, at a carriage return, and at both in a row.
fn with_line_feeds(text: &str) -> String {
    // The search for a text of two letters would be 3 kB of WebAssembly.
    let mut letters = text.chars().peekable();
    let mut out = String::new();
    while let Some(letter) = letters.next() {
        if letter == '\r' {
            letters.next_if_eq(&'\n');
            out.push('\n');
        } else {
            out.push(letter);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_read_for_each_partition() {
        let text = "0\r\n3\ra 0 5\na\t1  -1 \na 0 7\n";
        let saved = OffsetCheckpoint::parse(text).expect("three entries");
        assert_eq!(
            [saved.offset("a", 0), saved.offset("a", 1), saved.offset("b", 0)],
            [Some(7), Some(-1), None]
        );
        for none in ["", "0\n", "0\n0\n"] {
            assert_eq!(OffsetCheckpoint::parse(none), Ok(OffsetCheckpoint::default()));
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_says_where() {
        let fault = |text: &[u8]| OffsetCheckpoint::read(text).expect_err("not sound").to_string();
        assert_eq!(fault(b"1\n0\n"), "line 1: the version is not 0");
        assert_eq!(fault(b"0\n1\na 0\n"), "line 3: not 3 words");
        assert_eq!(fault(b"0\n1\n a 0 1\n"), "line 3: not 3 words");
        assert_eq!(fault(b"0\n2\na 0 1\na x 1\n"), "line 4: a word that is no number");
        assert_eq!(fault(b"0\n1\n\xff 0 1\n"), "line 3: not text");
        assert_eq!(
            fault(b"0\n0\na 0 1\n"),
            "line 2: 1 entries, where the second line says 0"
        );
    }
}
