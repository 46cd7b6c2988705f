//! Commands about the broker and its clients: producers, transactions, replication, stops, crashes, damage.

use core::fmt;

use partition_log::rules::fetch::Isolation;

use super::print::option;
use super::quantity::Quantity;

/// A command about the broker or its clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BrokerCommand {
    /// `producer p1 id=9`.
    Producer(Producer),
    /// `transaction p1 commit`.
    Transaction(Transaction),
    /// `bytes 0000… from=replica`.
    Bytes(Bytes),
    /// `leader-epoch 3`: this broker leads under a new epoch.
    LeaderEpoch(Quantity),
    /// `truncate 5`: a follower cuts its log back to end here.
    Truncate(Quantity),
    /// `truncate-fully 5`: a follower throws its log away and starts anew at this offset.
    TruncateFully(Quantity),
    /// `roll`: the active segment is closed.
    Roll,
    /// `flush`: everything is written to disk.
    Flush,
    /// `expire-producers`: producers that were silent for too long are forgotten.
    ExpireProducers,
    /// `index-entries per-append`.
    IndexEntries(IndexEntries),
    /// `stop`: the broker shuts down in order.
    Stop,
    /// `crash lose=50B`: the broker is killed.
    Crash {
        /// Bytes at the end of the active `.log` that never reached the disk; none if not given.
        lose: Option<Quantity>,
    },
    /// `start`: the broker starts and loads the partition from its files.
    Start,
    /// `damage 0.log cut=40B`, while the broker is down.
    Damage {
        /// The file.
        file: FileWord,
        /// What becomes of it.
        damage: FileDamage,
    },
    /// `touch 3.log`: the file's time becomes the clock.
    Touch(FileWord),
}

impl BrokerCommand {
    /// Every name, in the order of the reference page.
    pub const NAMES: [&'static str; 15] = [
        "producer",
        "transaction",
        "bytes",
        "leader-epoch",
        "truncate",
        "truncate-fully",
        "roll",
        "flush",
        "expire-producers",
        "index-entries",
        "stop",
        "crash",
        "start",
        "damage",
        "touch",
    ];

    /// The name that the command begins with.
    pub const fn name(&self) -> &'static str {
        match self {
            BrokerCommand::Producer(_) => "producer",
            BrokerCommand::Transaction(_) => "transaction",
            BrokerCommand::Bytes(_) => "bytes",
            BrokerCommand::LeaderEpoch(_) => "leader-epoch",
            BrokerCommand::Truncate(_) => "truncate",
            BrokerCommand::TruncateFully(_) => "truncate-fully",
            BrokerCommand::Roll => "roll",
            BrokerCommand::Flush => "flush",
            BrokerCommand::ExpireProducers => "expire-producers",
            BrokerCommand::IndexEntries(_) => "index-entries",
            BrokerCommand::Stop => "stop",
            BrokerCommand::Crash { .. } => "crash",
            BrokerCommand::Start => "start",
            BrokerCommand::Damage { .. } => "damage",
            BrokerCommand::Touch(_) => "touch",
        }
    }
}

/// `producer p1 id=9 epoch=0`: an idempotent producer, or the same one again under another epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Producer {
    /// What later lines call it.
    pub name: String,
    /// Producer id; the smallest from 1 that is free if not given.
    pub id: Option<Quantity>,
    /// Producer epoch; 0 if not given, and one more than before where the producer is known.
    pub epoch: Option<Quantity>,
}

/// `transaction p1 commit`: a step of a producer's transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The producer.
    pub producer: String,
    /// What happens.
    pub act: TransactionAct,
    /// The epoch in the marker; the producer's if not given.
    pub epoch: Option<Quantity>,
    /// The coordinator's epoch in the marker; 0 if not given.
    pub coordinator_epoch: Option<Quantity>,
    /// `transaction.version` of the cluster, 0 to 2; 1 if not given.
    pub version: Option<Quantity>,
}

/// A step of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransactionAct {
    /// What the producer appends from here on belongs to it.
    Begin,
    /// The coordinator writes the marker of a commit.
    Commit,
    /// The coordinator writes the marker of an abort.
    Abort,
}

impl TransactionAct {
    /// All, in the order of the reference page.
    pub const ALL: [TransactionAct; 3] = [TransactionAct::Begin, TransactionAct::Commit, TransactionAct::Abort];

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            TransactionAct::Begin => "begin",
            TransactionAct::Commit => "commit",
            TransactionAct::Abort => "abort",
        }
    }
}

/// Who sends an append.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// A producer.
    #[default]
    Client,
    /// A coordinator of groups or transactions.
    Coordinator,
    /// The leader, answering a follower's fetch: the partition is a follower's copy.
    Replica,
}

impl Source {
    /// All, in the order of the reference page.
    pub const ALL: [Source; 3] = [Source::Client, Source::Coordinator, Source::Replica];

    /// As it is written behind `from=`.
    pub const fn name(self) -> &'static str {
        match self {
            Source::Client => "client",
            Source::Coordinator => "coordinator",
            Source::Replica => "replica",
        }
    }
}

/// `bytes 0000… from=replica`: batches as they are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Who sends them; a client if not given.
    pub from: Option<Source>,
}

/// What stands behind `isolation=`, in the order of the reference page.
pub(super) const ISOLATIONS: [(&str, Isolation); 3] = [
    ("uncommitted", Isolation::Uncommitted),
    ("committed", Isolation::Committed),
    ("log-end", Isolation::LogEnd),
];

/// How often an append looks whether an index entry is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexEntries {
    /// For every batch, as Kafka 4.1 and later.
    PerBatch,
    /// Once, as before.
    PerAppend,
}

impl IndexEntries {
    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            IndexEntries::PerBatch => "per-batch",
            IndexEntries::PerAppend => "per-append",
        }
    }
}

/// A file of the partition's directory in short: `0.log`, `10.timeindex.deleted`, `leader-epoch-checkpoint`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileWord {
    /// The offset in its name; `None` where the directory has one such file.
    base: Option<i64>,
    /// What stands behind the offset and its dot, or the whole name.
    extension: &'static str,
    /// What stands behind that.
    suffix: &'static str,
}

/// The one file without an offset in its name.
const EPOCHS: &str = "leader-epoch-checkpoint";

impl FileWord {
    /// The extensions that stand behind an offset.
    const EXTENSIONS: [&'static str; 5] = ["log", "index", "timeindex", "txnindex", "snapshot"];

    /// What stands behind an extension while a file is not in use.
    const SUFFIXES: [&'static str; 4] = ["", ".deleted", ".cleaned", ".swap"];

    /// Reads one; `None` if the log layer has no file of such a name.
    pub fn parse(text: &str) -> Option<FileWord> {
        if text == EPOCHS {
            return Some(FileWord {
                base: None,
                extension: EPOCHS,
                suffix: "",
            });
        }
        let (digits, rest) = text.split_once('.')?;
        if digits.is_empty() || digits.len() > 19 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let base = Some(digits.parse().ok()?);
        FileWord::EXTENSIONS.into_iter().find_map(|extension| {
            let behind = rest.strip_prefix(extension)?;
            let suffix = FileWord::SUFFIXES.into_iter().find(|suffix| *suffix == behind)?;
            Some(FileWord {
                base,
                extension,
                suffix,
            })
        })
    }

    /// The name as a directory lists it.
    pub fn full(&self) -> String {
        match self.base {
            Some(base) => format!("{base:020}.{}{}", self.extension, self.suffix),
            None => self.extension.to_string(),
        }
    }
}

impl fmt::Display for FileWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.base {
            Some(base) => write!(f, "{base}.{}{}", self.extension, self.suffix),
            None => f.write_str(self.extension),
        }
    }
}

/// What becomes of a file while the broker is down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileDamage {
    /// `cut=40B`: so many bytes at its end are gone.
    Cut(Quantity),
    /// `flip=400`: all bits of a byte are turned over; from 0.
    Flip(Quantity),
    /// `at=400 bytes=00ff`: other bytes stand there.
    Write {
        /// The first byte, from 0.
        at: Quantity,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// `add=7B`: so many zeros more at its end.
    Add(Quantity),
    /// `remove`: it is gone.
    Remove,
}

/// What stands behind the name.
impl fmt::Display for BrokerCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BrokerCommand::Roll
            | BrokerCommand::Flush
            | BrokerCommand::ExpireProducers
            | BrokerCommand::Stop
            | BrokerCommand::Start => Ok(()),
            BrokerCommand::Producer(Producer { name, id, epoch }) => {
                write!(f, " {name}")?;
                option(f, "id", id)?;
                option(f, "epoch", epoch)
            }
            BrokerCommand::Transaction(Transaction {
                producer,
                act,
                epoch,
                coordinator_epoch,
                version,
            }) => {
                write!(f, " {producer} {}", act.name())?;
                option(f, "epoch", epoch)?;
                option(f, "coordinator-epoch", coordinator_epoch)?;
                option(f, "version", version)
            }
            BrokerCommand::Bytes(Bytes { bytes, from }) => {
                f.write_str(" ")?;
                write_hex(f, bytes)?;
                option(f, "from", &from.map(|from| from.name()))
            }
            BrokerCommand::LeaderEpoch(number)
            | BrokerCommand::Truncate(number)
            | BrokerCommand::TruncateFully(number) => {
                write!(f, " {number}")
            }
            BrokerCommand::IndexEntries(often) => write!(f, " {}", often.name()),
            BrokerCommand::Crash { lose } => option(f, "lose", lose),
            BrokerCommand::Damage { file, damage } => {
                write!(f, " {file}")?;
                match damage {
                    FileDamage::Cut(size) => write!(f, " cut={size}"),
                    FileDamage::Flip(at) => write!(f, " flip={at}"),
                    FileDamage::Write { at, bytes } => {
                        write!(f, " at={at} bytes=")?;
                        write_hex(f, bytes)
                    }
                    FileDamage::Add(size) => write!(f, " add={size}"),
                    FileDamage::Remove => f.write_str(" remove"),
                }
            }
            BrokerCommand::Touch(file) => write!(f, " {file}"),
        }
    }
}

/// Reads pairs of hex digits, at least one pair.
pub(super) fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    };
    let digits = text.as_bytes();
    if digits.is_empty() || !digits.len().is_multiple_of(2) {
        return None;
    }
    digits
        .chunks_exact(2)
        .map(|pair| Some(digit(pair.first()?)? << 4 | digit(pair.last()?)?))
        .collect()
}

/// Writes bytes as pairs of hex digits.
pub(super) fn write_hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_without_the_zeros_of_its_name() {
        for (word, full) in [
            ("0.log", "00000000000000000000.log"),
            ("10.timeindex.deleted", "00000000000000000010.timeindex.deleted"),
            ("15.snapshot", "00000000000000000015.snapshot"),
            ("leader-epoch-checkpoint", "leader-epoch-checkpoint"),
        ] {
            let read = FileWord::parse(word).expect(word);
            assert_eq!((read.full().as_str(), read.to_string().as_str()), (full, word));
        }
        for word in [
            "",
            "log",
            "0.",
            ".log",
            "x.log",
            "0.lock",
            "0.log.bak",
            "-1.log",
            "99999999999999999999.log",
        ] {
            assert_eq!(FileWord::parse(word), None, "{word}");
        }
    }

    #[test]
    fn hex_comes_in_pairs() {
        assert_eq!(from_hex("00fFa0"), Some(vec![0, 255, 160]));
        for text in ["", "0", "0g", "00 "] {
            assert_eq!(from_hex(text), None, "{text}");
        }
    }
}
