//! Files told by what changes in them from one answer to the next.

use std::collections::BTreeMap;

use partition_log::PartitionState;
use partition_log::disk::{FileKind, FileName, Vfs};
use partition_log::format::producers::{ProducerEntry, decode_snapshot};
use partition_log::units::ProducerId;

/// Files as the answers so far have told them.
#[derive(Clone, Debug, Default)]
pub struct Files {
    known: BTreeMap<String, Known>,
}

/// A file: its length, and its bytes up to the last that is not zero; of a producer snapshot its entries as text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    length: u64,
    used: Vec<u8>,
}

impl Files {
    /// What has changed in a partition's files since the last call, in order of the names: `name length hex` for a file that
    /// is new or other, `name length +hex` for one that got more bytes; then `-name` for each that is gone.
    pub(crate) fn changes(&mut self, state: &PartitionState) -> Vec<String> {
        let mut told = Vec::new();
        let mut now: Vec<(String, FileName)> = state
            .files()
            .list()
            .into_iter()
            .map(|file| (file.to_string(), file))
            .collect();
        now.sort();
        for (name, file) in &now {
            let length = state.files().apparent_size(*file).unwrap_or(0);
            let bytes = state.files().used(*file).unwrap_or_default().whole();
            let used = &bytes[..bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1)];
            let before = self.known.get(name);
            let snapshot = file.kind == FileKind::Snapshot;
            let text = if snapshot { snapshot_text(&bytes) } else { None };
            let used = text.as_ref().map_or(used, |text| text.as_bytes());
            if before.is_some_and(|before| before.length == length && before.used == used) {
                continue;
            }
            let shown = match (&text, before) {
                (Some(text), _) => text.clone(),
                (None, Some(before)) if !snapshot && !before.used.is_empty() && used.starts_with(&before.used) => {
                    format!("+{}", hex::encode(&used[before.used.len()..]))
                }
                _ => hex::encode(used),
            };
            told.push(format!("{name} {length} {shown}"));
            let used = used.to_vec();
            self.known.insert(name.clone(), Known { length, used });
        }
        let gone = |name: &String| now.binary_search_by(|(known, _)| known.cmp(name)).is_err();
        let gone: Vec<String> = self.known.keys().filter(|name| gone(name)).cloned().collect();
        for name in gone {
            self.known.remove(&name);
            told.push(format!("-{name}"));
        }
        told
    }
}

/// The entries of a producer snapshot by id, for Kafka writes them in the order of a hash table; `None` if it is damaged.
fn snapshot_text(bytes: &[u8]) -> Option<String> {
    let mut entries = decode_snapshot(bytes).ok()?;
    entries.sort_by_key(|(id, _)| *id);
    let entries = entries.iter().map(|(id, entry)| snapshot_entry(*id, entry));
    Some(entries.collect::<Vec<String>>().join(","))
}

fn snapshot_entry(id: ProducerId, entry: &ProducerEntry) -> String {
    let last = entry.last_batch();
    format!(
        "{}:{}:{}:{}:{}:{}:{}:{}",
        id.get(),
        entry.epoch,
        entry.last_sequence(),
        last.map_or(-1, |batch| batch.last_offset),
        last.map_or(0, |batch| batch.offset_delta),
        entry.last_timestamp,
        entry.coordinator_epoch,
        entry.transaction.unwrap_or(-1),
    )
}

/// The names of the files that answers have told, with their lengths and how many bytes of them are used.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    files: BTreeMap<String, (u64, u64)>,
}

impl Listing {
    /// Takes in the changes of an answer.
    pub fn take(&mut self, changes: &[String]) {
        for change in changes {
            if let Some(gone) = change.strip_prefix('-') {
                self.files.remove(gone);
                continue;
            }
            let mut words = change.split(' ');
            let (Some(name), Some(length), Some(hex)) = (words.next(), words.next(), words.next()) else {
                continue;
            };
            let before = self.files.get(name).map_or(0, |(_, used)| *used);
            let used = match hex.strip_prefix('+') {
                Some(more) => before + more.len() as u64 / 2,
                None => hex.len() as u64 / 2,
            };
            let length = length.parse().unwrap_or(0);
            self.files.insert(name.to_string(), (length, used.min(length)));
        }
    }

    /// Name, length and used bytes of each file.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (&str, u64, u64)> {
        self.files
            .iter()
            .map(|(name, (length, used))| (name.as_str(), *length, *used))
    }
}
