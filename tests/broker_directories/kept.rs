//! A kept directory: its files, what was done to it, and what clients were answered.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use partition_log::format::batch::{RawBatch, raw_batches};
use serde::Deserialize;

/// A line of `answers.jsonl`. A field is absent there only if Kafka has no such thing.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Line {
    /// Where it comes from; the first line.
    Directory(Origin),
    /// Something that was done.
    Step(Step),
    /// The marks before the broker ended.
    Marks(Marks),
    /// A record that a consumer got at `read_uncommitted`, from the log start on.
    Record(ConsumedRecord),
    /// A record that it got at `read_committed`.
    Committed { offset: i64 },
    /// Where a consumer stood when it had read all.
    Consumed(Consumed),
    /// The first record that a consumer got that began at an offset.
    Seek(Seek),
    /// A leader's answer to one fetch.
    Fetch(Fetch),
    /// A consumer's search by time.
    Time(Time),
    /// An offset that has a name.
    List(List),
    /// The end of a leader epoch.
    Epoch(EpochEnd),
    /// What the leader keeps of a producer.
    Producer(Producer),
    /// A file, taken when no broker ran.
    File(Meta),
}

#[derive(Deserialize)]
pub struct Origin {
    pub ended: End,
    pub topic: BTreeMap<String, String>,
}

/// How a broker ended.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// It closed its logs.
    Stopped,
    /// It had no time for anything.
    Killed,
}

/// Something that was done.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", tag = "do")]
pub enum Step {
    /// The topic was created with these settings, the others being Kafka's own.
    CreateTopic {
        settings: BTreeMap<String, String>,
    },
    /// A setting of the topic was changed.
    Set {
        key: String,
        value: String,
    },
    DeleteRecords {
        before: i64,
    },
    /// A retention check deleted something.
    Retention {},
    Wait {},
    InitTransactions {},
    Begin {},
    Commit {},
    Abort {},
    /// A producer sent a batch, which got these offsets.
    Send {
        first_offset: i64,
        last_offset: i64,
    },
    /// The broker closed its logs; its directory was kept, or not.
    Stopped {
        kept_as: Option<String>,
    },
    /// It had no time for anything.
    Killed {
        kept_as: Option<String>,
    },
    Start {
        log_end: i64,
    },
}

#[derive(Deserialize)]
pub struct Marks {
    pub log_start: i64,
    pub high_watermark: i64,
    pub last_stable: i64,
    pub log_end: i64,
}

#[derive(Debug, Deserialize, PartialEq, Eq)]
pub struct ConsumedRecord {
    pub offset: i64,
    pub timestamp: i64,
    /// `CreateTime` or `LogAppendTime`.
    #[serde(rename = "type")]
    pub timestamp_type: String,
    pub key: Option<Content>,
    pub value: Option<Content>,
    pub headers: Vec<(String, Option<Content>)>,
    pub leader_epoch: Option<i32>,
}

/// Bytes: all of them where they are few.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(untagged)]
pub enum Content {
    Text(String),
    Sum { length: usize, crc32c: u32 },
}

#[derive(Deserialize)]
pub struct Consumed {
    pub isolation: Isolation,
    pub records: usize,
    pub position: i64,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    ReadUncommitted,
    ReadCommitted,
}

#[derive(Deserialize)]
pub struct Seek {
    pub isolation: Isolation,
    pub offset: i64,
    pub first: Option<i64>,
}

#[derive(Deserialize)]
pub struct Fetch {
    pub offset: i64,
    pub max_bytes: usize,
    pub isolation: Isolation,
    pub error: Option<String>,
    pub log_start: i64,
    pub high_watermark: i64,
    pub last_stable: i64,
    pub first_batch: Option<i64>,
    pub length: usize,
    pub crc32c: u32,
    /// Producer id and first offset of each; absent at `read_uncommitted`.
    pub aborted: Option<Vec<(i64, i64)>>,
}

#[derive(Deserialize)]
pub struct Time {
    pub isolation: Isolation,
    pub target: i64,
    pub offset: Option<i64>,
    pub timestamp: Option<i64>,
    pub leader_epoch: Option<i32>,
}

#[derive(Deserialize)]
pub struct List {
    pub isolation: Isolation,
    pub of: String,
    pub offset: i64,
    pub timestamp: i64,
    pub leader_epoch: Option<i32>,
}

#[derive(Deserialize)]
pub struct EpochEnd {
    pub asked: i32,
    pub epoch: i32,
    pub end_offset: i64,
}

#[derive(Deserialize)]
pub struct Producer {
    pub id: i64,
    pub epoch: i32,
    pub last_sequence: i32,
    pub last_timestamp: i64,
    pub coordinator_epoch: Option<i32>,
    pub transaction_first_offset: Option<i64>,
}

#[derive(Deserialize)]
pub struct Meta {
    pub name: String,
    pub length: u64,
    pub modified: i64,
}

/// A file: its bytes, without the zeros at the end of a large one.
#[derive(Clone)]
pub struct File {
    pub bytes: Vec<u8>,
    pub length: u64,
    /// When it was last written, in milliseconds.
    pub modified: i64,
}

/// A directory.
pub struct Kept {
    pub name: String,
    pub origin: Origin,
    pub marks: Marks,
    pub lines: Vec<Line>,
    /// The files of the partition by name.
    pub files: BTreeMap<String, File>,
    /// The files beside the partition's directory by name.
    pub beside: BTreeMap<String, File>,
}

impl Kept {
    /// Every directory, by name.
    pub fn all() -> Vec<Kept> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/broker");
        let entries = fs::read_dir(&folder).expect("the fixtures");
        let mut folders: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
        folders.retain(|path| path.is_dir());
        folders.sort();
        assert!(folders.len() >= 10, "directories are missing");
        folders.iter().map(|folder| Kept::read(folder)).collect()
    }

    fn read(folder: &Path) -> Kept {
        let answers = fs::read_to_string(folder.join("answers.jsonl")).expect("the answers");
        let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let (mut origin, mut marks, mut lines) = (None, None, Vec::new());
        let (mut files, mut beside) = (BTreeMap::new(), BTreeMap::new());
        for line in answers.lines().map(parse) {
            match line {
                Line::Directory(found) => origin = Some(found),
                Line::Marks(found) => marks = Some(found),
                Line::File(Meta { name, length, modified }) => {
                    let bytes = fs::read(folder.join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
                    let file = File {
                        bytes,
                        length,
                        modified,
                    };
                    match name.strip_prefix("orders-0/") {
                        Some(name) => files.insert(name.to_string(), file),
                        None => beside.insert(name, file),
                    };
                }
                other => lines.push(other),
            }
        }
        Kept {
            name: folder.file_name().expect("a name").to_string_lossy().into_owned(),
            origin: origin.expect("where it comes from"),
            marks: marks.expect("the marks"),
            lines,
            files,
            beside,
        }
    }

    /// A setting of the topic, if it differs from Kafka's own.
    pub fn setting(&self, key: &str) -> Option<&str> {
        self.origin.topic.get(key).map(String::as_str)
    }

    /// What a checkpoint of the log directory says of the partition; an empty file is one that was never written.
    pub fn mark(&self, file: &str) -> Option<i64> {
        let text = &self.beside.get(file)?.bytes;
        if text.is_empty() {
            return None;
        }
        let entry = checkpoint_entries(text)
            .into_iter()
            .find(|entry| entry[..2] == ["orders", "0"]);
        entry.map(|entry| entry[2].parse().expect("an offset"))
    }

    /// The segments whose files are still there, those that wait to be deleted too, by base offset.
    pub fn segments(&self) -> Vec<Segment<'_>> {
        let logs = self.files.keys().filter_map(|name| {
            let (base, ending) = name.split_once(".log")?;
            Some((base, ending))
        });
        let segments: Vec<(i64, &str, &str)> = logs
            .map(|(base, ending)| (base.parse().expect("an offset"), base, ending))
            .collect();
        let next = segments.iter().skip(1).map(|(base, ..)| Some(*base)).chain([None]);
        segments
            .iter()
            .zip(next)
            .map(|(&(base, digits, ending), next)| Segment {
                base,
                next,
                deleted: ending == ".deleted",
                log: &self.files[&format!("{digits}.log{ending}")],
                index: self.files.get(&format!("{digits}.index{ending}")),
                time_index: self.files.get(&format!("{digits}.timeindex{ending}")),
                aborted: self.files.get(&format!("{digits}.txnindex{ending}")),
            })
            .collect()
    }

    /// The starts of a broker on the directory, after the first one.
    pub fn restarts(&self) -> Vec<Restart> {
        let (mut restarts, mut recovery_point, mut clean) = (Vec::new(), 0, false);
        for line in &self.lines {
            match line {
                Line::Step(Step::Stopped { .. }) => clean = true,
                Line::Step(Step::Killed { .. }) => clean = false,
                Line::Step(Step::Start { log_end }) => {
                    // No broker here runs long enough to write the recovery point to its file while it runs, or it would
                    // be the base of the active segment, to the same effect.
                    recovery_point = if clean { *log_end } else { recovery_point };
                    restarts.push(Restart {
                        log_end: *log_end,
                        recovered_from: (!clean).then_some(recovery_point),
                    });
                }
                _ => {}
            }
        }
        restarts
    }
}

/// A start on a directory that a broker had left.
pub struct Restart {
    /// The log end offset then.
    pub log_end: i64,
    /// After a kill, the recovery point: segments with records from there on were recovered.
    pub recovered_from: Option<i64>,
}

/// The files of a segment.
pub struct Segment<'a> {
    pub base: i64,
    /// Base offset of the segment behind it.
    pub next: Option<i64>,
    pub deleted: bool,
    pub log: &'a File,
    pub index: Option<&'a File>,
    pub time_index: Option<&'a File>,
    pub aborted: Option<&'a File>,
}

impl<'a> Segment<'a> {
    pub fn is_active(&self) -> bool {
        self.next.is_none()
    }

    /// Its batches; behind the last one is nothing, or a preallocated file's zeros.
    pub fn batches(&self) -> Vec<RawBatch<'a>> {
        let mut end = 0;
        let batches: Vec<RawBatch<'a>> = raw_batches(&self.log.bytes, 0)
            .map_while(Result::ok)
            .inspect(|batch| end = batch.position as usize + batch.bytes.len())
            .collect();
        let rest = &self.log.bytes[end..];
        assert!(
            rest.iter().all(|byte| *byte == 0),
            "segment {}: {} B that are no batch, {:?}",
            self.base,
            rest.len(),
            raw_batches(&self.log.bytes, end as u64).next()
        );
        batches
    }
}

/// The checksum of what is noted by its checksum.
pub fn crc32c(bytes: &[u8]) -> u32 {
    crc::Crc::<u32>::new(&crc::CRC_32_ISCSI).checksum(bytes)
}

/// The lines of a checkpoint behind its version and its count, each cut into words (Kafka: `CheckpointFile`).
pub fn checkpoint_entries(text: &[u8]) -> Vec<Vec<String>> {
    let text = String::from_utf8(text.to_vec()).expect("a checkpoint is text");
    let mut lines = text.lines().map(|line| line.split(' ').map(str::to_string).collect());
    assert_eq!(lines.next(), Some(vec!["0".to_string()]), "the version");
    let count: Option<Vec<String>> = lines.next();
    let entries: Vec<Vec<String>> = lines.collect();
    assert_eq!(count, Some(vec![entries.len().to_string()]), "the count");
    entries
}
