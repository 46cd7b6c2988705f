//! Entries as bytes (Kafka: `OffsetIndex`, `TimeIndex`; all integers big-endian).

use crate::disk::{Bytes, FileKind};
use crate::units::{Position, RelativeOffset, TimestampMs};

/// An entry of `.index`, 8 bytes: relative offset 4, position 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffsetEntry {
    /// Last offset of the batch, relative to the segment's base.
    pub relative: RelativeOffset,
    /// Where that batch starts in the `.log`.
    pub position: Position,
}

/// An entry of `.timeindex`, 12 bytes: timestamp 8, relative offset 4. No record up to that offset is younger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeEntry {
    /// The segment's largest timestamp when the entry was made.
    pub timestamp: TimestampMs,
    /// Last offset of the batch that reached it first, relative to the segment's base.
    pub relative: RelativeOffset,
}

impl OffsetEntry {
    /// The bytes in the file.
    pub fn to_bytes(self) -> [u8; 8] {
        let mut out = [0; 8];
        out[..4].copy_from_slice(&self.relative.get().to_be_bytes());
        out[4..].copy_from_slice(&self.position.get().to_be_bytes());
        out
    }
}

impl TimeEntry {
    /// The bytes in the file.
    pub fn to_bytes(self) -> [u8; 12] {
        let mut out = [0; 12];
        out[..8].copy_from_slice(&self.timestamp.get().to_be_bytes());
        out[8..].copy_from_slice(&self.relative.get().to_be_bytes());
        out
    }
}

/// Bytes of one entry of the two indexes; 0 for other files.
pub const fn entry_size(kind: FileKind) -> u64 {
    match kind {
        FileKind::Index => 8,
        FileKind::TimeIndex => 12,
        _ => 0,
    }
}

/// How many entries an index file of so many bytes holds (Kafka: `AbstractIndex.maxEntries`).
pub const fn capacity(kind: FileKind, bytes: u64) -> u32 {
    match entry_size(kind) {
        0 => 0,
        size => (bytes / size) as u32,
    }
}

/// The entry of a number, from 0; `None` past the written bytes, or where they are no entry.
pub(crate) fn offset_entry<'a>(bytes: impl Into<Bytes<'a>>, entry_number: u32) -> Option<OffsetEntry> {
    let [a, b, c, d, e, f, g, h] = entry(bytes.into(), entry_number)?;
    let relative = RelativeOffset::new(u32::from_be_bytes([a, b, c, d]))?;
    let position = Position::new(u64::from(u32::from_be_bytes([e, f, g, h])))?;
    Some(OffsetEntry { relative, position })
}

/// The entry of a number, from 0; `None` past the written bytes, or where they are no entry.
pub(crate) fn time_entry<'a>(bytes: impl Into<Bytes<'a>>, entry_number: u32) -> Option<TimeEntry> {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = entry(bytes.into(), entry_number)?;
    let timestamp = TimestampMs::stored(i64::from_be_bytes([a, b, c, d, e, f, g, h]))?;
    let relative = RelativeOffset::new(u32::from_be_bytes([i, j, k, l]))?;
    Some(TimeEntry { timestamp, relative })
}

/// The bytes of an entry that was written whole.
fn entry<const N: usize>(bytes: Bytes<'_>, entry_number: u32) -> Option<[u8; N]> {
    let position = u64::from(entry_number) * N as u64;
    (position + N as u64 <= bytes.len()).then(|| bytes.array(position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_big_endian_and_read_back() {
        let offset = OffsetEntry {
            relative: RelativeOffset::new(2).expect("31 bits"),
            position: Position::new(115).expect("31 bits"),
        };
        assert_eq!(offset.to_bytes(), [0, 0, 0, 2, 0, 0, 0, 0x73]);
        assert_eq!(offset_entry(&offset.to_bytes(), 0), Some(offset));
        let time = TimeEntry {
            timestamp: TimestampMs::new(18_000).expect("positive"),
            relative: offset.relative,
        };
        assert_eq!(time.to_bytes(), [0, 0, 0, 0, 0, 0, 0x46, 0x50, 0, 0, 0, 2]);
        assert_eq!(time_entry(&time.to_bytes(), 0), Some(time));
        assert_eq!(time_entry(&time.to_bytes(), 1), None);
    }

    #[test]
    fn ten_mebibytes_hold_whole_entries_only() {
        assert_eq!(capacity(FileKind::Index, 10 << 20), 1_310_720);
        assert_eq!(capacity(FileKind::TimeIndex, 10 << 20), 873_813);
    }
}
