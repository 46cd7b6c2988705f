//! Reads the files again, byte by byte, without partition-log's own readers.

use partition_log::PartitionState;
use partition_log::disk::{FileKind, FileName, Vfs};
use partition_tests::naive::Batch;

fn number(bytes: &[u8]) -> i64 {
    let sign = if bytes[0] & 0x80 == 0 { 0 } else { -1 };
    bytes.iter().fold(sign, |sum, byte| (sum << 8) | i64::from(*byte))
}

/// The batches of a `.log`.
pub fn batches(log: &[u8]) -> Vec<Batch> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < log.len() {
        let size = 12 + number(&log[at + 8..at + 12]);
        let batch = &log[at..at + size as usize];
        let first = number(&batch[..8]);
        let (last, time) = match batch[16] {
            1 => (first, number(&batch[18..26])),
            2 => (first + number(&batch[23..27]), number(&batch[35..43])),
            magic => panic!("format {magic} at byte {at}"),
        };
        let time = Some(time).filter(|time| *time >= 0);
        found.push(Batch {
            first,
            last,
            size,
            time,
        });
        at += size as usize;
    }
    found
}

/// A segment as its files say.
#[derive(Debug, PartialEq, Eq)]
pub struct OnDisk {
    pub base: i64,
    pub batches: Vec<Batch>,
    pub entries: Vec<(i64, i64)>,
    pub time_entries: Vec<(i64, i64)>,
}

/// All live segments.
pub fn segments(state: &PartitionState) -> Vec<OnDisk> {
    let used = |base, kind| {
        let bytes = state.files().used(FileName::live(base, kind));
        bytes.unwrap_or_default().to_vec()
    };
    let bases = state.bases();
    bases
        .map(|base| OnDisk {
            base: base.get(),
            batches: batches(&used(base, FileKind::Log)),
            entries: used(base, FileKind::Index)
                .chunks(8)
                .map(|entry| (number(&entry[..4]), number(&entry[4..])))
                .collect(),
            time_entries: used(base, FileKind::TimeIndex)
                .chunks(12)
                .map(|entry| (number(&entry[..8]), number(&entry[8..])))
                .collect(),
        })
        .collect()
}

/// Names and lengths of the segments' files.
pub fn listing(state: &PartitionState) -> Vec<(String, i64)> {
    let files = state.files();
    let mut listing: Vec<_> = files
        .list()
        .into_iter()
        .filter(|file| FileKind::OF_EVERY_SEGMENT.contains(&file.kind))
        .map(|file| (file.to_string(), files.apparent_size(file).unwrap_or(0) as i64))
        .collect();
    listing.sort();
    listing
}
