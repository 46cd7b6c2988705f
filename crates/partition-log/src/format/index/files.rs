//! An offset index and a time index as files with so many entries (Kafka: `AbstractIndex`, `OffsetIndex`, `TimeIndex`).
//!
//! The numbers are as stored: a damaged file may hold any. Bytes that a file has not got read as zeros
//! ([`Bytes::array`]).

use crate::disk::{Bytes, FileKind};
use crate::format::index::entry_size;
use crate::format::index::refusal::{IndexError, IndexReason};
use crate::format::index::search::{ceiling_entry, floor_entry};
use crate::units::Offset;

/// What both have in common.
#[derive(Clone, Copy, Debug)]
struct EntryBytes<'a> {
    base: Offset,
    kind: FileKind,
    bytes: Bytes<'a>,
    entries: u32,
    capacity: u32,
}

impl EntryBytes<'_> {
    fn field<const N: usize>(&self, entry_number: u32, at: u64) -> [u8; N] {
        self.bytes.array(u64::from(entry_number) * entry_size(self.kind) + at)
    }

    fn offset(&self, entry_number: u32, at: u64) -> i64 {
        let relative = i64::from(i32::from_be_bytes(self.field(entry_number, at)));
        self.base.get().wrapping_add(relative)
    }

    fn last(&self) -> Option<u32> {
        self.entries.checked_sub(1)
    }

    /// The last entry whose key is not above the target.
    fn floor(&self, target: i64, key: impl Fn(u32) -> i64) -> Option<u32> {
        floor_entry(self.base, self.kind, self.entries, target, key, |_| {})
    }

    /// Entries that stay when those at or above an offset go, `at` being where an entry has its offset.
    fn below(&self, offset: i64, at: u64) -> u32 {
        match self.floor(offset, |entry_number| self.offset(entry_number, at)) {
            Some(entry_number) if self.offset(entry_number, at) == offset => entry_number,
            Some(entry_number) => entry_number + 1,
            None => 0,
        }
    }

    fn entry_in(&self, entry_number: u32) -> Result<(), IndexError> {
        let entries = self.entries;
        if entry_number < entries {
            Ok(())
        } else {
            Err(self.error(IndexReason::NoEntry { entry_number, entries }))
        }
    }

    fn check_reach(&self, offset: i64) -> Result<(), IndexError> {
        match offset.checked_sub(self.base.get()) {
            Some(0..=0x7fff_ffff) => Ok(()),
            _ => Err(self.error(IndexReason::OffsetOverflow { offset })),
        }
    }

    fn check_length(&self, length: u64) -> Result<(), IndexError> {
        if length.is_multiple_of(entry_size(self.kind)) {
            Ok(())
        } else {
            Err(self.error(IndexReason::Length { length }))
        }
    }

    fn error(&self, reason: IndexReason) -> IndexError {
        let (base, kind) = (self.base, self.kind);
        IndexError { base, kind, reason }
    }
}

/// An offset, and the byte where the batch starts that ends with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffsetPosition {
    /// The offset.
    pub offset: i64,
    /// The byte in the `.log`.
    pub position: i32,
}

/// A timestamp in milliseconds, and an offset up to which no record is younger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimestampOffset {
    /// The timestamp; −1 for none.
    pub timestamp: i64,
    /// The offset.
    pub offset: i64,
}

/// An offset index.
///
/// ```
/// use partition_log::Offset;
/// use partition_log::format::index::{OffsetIndex, OffsetPosition};
///
/// let entries = [0, 0, 0, 2, 0, 0, 0, 115, 0, 0, 0, 4, 0, 0, 0, 200];
/// let index = OffsetIndex::new(Offset::new(6).expect("not negative"), &entries, 2, 30);
/// assert_eq!(index.lookup(9), OffsetPosition { offset: 8, position: 115 });
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OffsetIndex<'a>(EntryBytes<'a>);

impl<'a> OffsetIndex<'a> {
    /// The index of the segment with this base offset: the bytes of its file, how many entries it has, and how many it
    /// has room for.
    pub fn new(base: Offset, bytes: impl Into<Bytes<'a>>, entries: u32, capacity: u32) -> OffsetIndex<'a> {
        OffsetIndex(EntryBytes {
            base,
            kind: FileKind::Index,
            bytes: bytes.into(),
            entries,
            capacity,
        })
    }

    /// A file that is opened: all that it has room for counts as entries.
    pub fn opened(base: Offset, bytes: impl Into<Bytes<'a>>) -> OffsetIndex<'a> {
        let bytes = bytes.into();
        let entry_numbers = super::capacity(FileKind::Index, bytes.len());
        OffsetIndex::new(base, bytes, entry_numbers, entry_numbers)
    }

    fn parse(&self, entry_number: u32) -> OffsetPosition {
        OffsetPosition {
            offset: self.0.offset(entry_number, 0),
            position: i32::from_be_bytes(self.0.field(entry_number, 4)),
        }
    }

    /// The entry of a number, from 0 (Kafka: `OffsetIndex.entry`).
    ///
    /// # Errors
    ///
    /// [`IndexReason::NoEntry`].
    pub fn entry(&self, entry_number: u32) -> Result<OffsetPosition, IndexError> {
        self.0.entry_in(entry_number)?;
        Ok(self.parse(entry_number))
    }

    /// The offset of the last entry; the base without any (Kafka: `OffsetIndex.lastOffset`).
    pub fn last_offset(&self) -> i64 {
        self.0
            .last()
            .map_or(self.0.base.get(), |entry_number| self.0.offset(entry_number, 0))
    }

    /// The entry with the largest offset not above the target; the start of the segment if there is none
    /// (Kafka: `OffsetIndex.lookup`).
    pub fn lookup(&self, target: i64) -> OffsetPosition {
        let start = OffsetPosition {
            offset: self.0.base.get(),
            position: 0,
        };
        let entry_number = self.0.floor(target, |entry_number| self.0.offset(entry_number, 0));
        entry_number.map_or(start, |entry_number| self.parse(entry_number))
    }

    /// The first entry that lies at or behind the end of a slice of `size` bytes from `position` on
    /// (Kafka: `OffsetIndex.fetchUpperBoundOffset`).
    pub fn upper_bound(&self, position: i32, size: i32) -> Option<OffsetPosition> {
        let end = i64::from(position.wrapping_add(size));
        let key = |entry_number| i64::from(self.parse(entry_number).position);
        ceiling_entry(FileKind::Index, self.0.entries, end, key).map(|entry_number| self.parse(entry_number))
    }

    /// There is no room for another entry (Kafka: `AbstractIndex.isFull`).
    pub fn is_full(&self) -> bool {
        self.0.entries >= self.0.capacity
    }

    /// Whether an entry for an offset may come at the end (Kafka: `OffsetIndex.append`).
    ///
    /// # Errors
    ///
    /// [`IndexReason::Full`], [`IndexReason::OffsetNotRising`], [`IndexReason::OffsetOverflow`].
    pub fn check_append(&self, offset: i64) -> Result<(), IndexError> {
        let (entries, last) = (self.0.entries, self.last_offset());
        if self.is_full() {
            return Err(self.0.error(IndexReason::Full { entries }));
        }
        if entries > 0 && offset <= last {
            let appended = offset;
            return Err(self.0.error(IndexReason::OffsetNotRising { last, appended }));
        }
        self.0.check_reach(offset)
    }

    /// Entries that stay when the log is cut at an offset (Kafka: `OffsetIndex.truncateTo`).
    pub fn entries_below(&self, offset: i64) -> u32 {
        self.0.below(offset, 0)
    }

    /// Whether the file can be an index, `length` being its bytes (Kafka: `OffsetIndex.sanityCheck`).
    ///
    /// # Errors
    ///
    /// [`IndexReason::BelowBase`], [`IndexReason::Length`].
    pub fn check_sanity(&self, length: u64) -> Result<(), IndexError> {
        let last = self.last_offset();
        if self.0.entries > 0 && last < self.0.base.get() {
            return Err(self.0.error(IndexReason::BelowBase { last }));
        }
        self.0.check_length(length)
    }
}

/// A time index.
#[derive(Clone, Copy, Debug)]
pub struct TimeIndex<'a>(EntryBytes<'a>);

impl<'a> TimeIndex<'a> {
    /// The index of the segment with this base offset: the bytes of its file, how many entries it has, and how many it
    /// has room for.
    pub fn new(base: Offset, bytes: impl Into<Bytes<'a>>, entries: u32, capacity: u32) -> TimeIndex<'a> {
        TimeIndex(EntryBytes {
            base,
            kind: FileKind::TimeIndex,
            bytes: bytes.into(),
            entries,
            capacity,
        })
    }

    /// A file that is opened: all that it has room for counts as entries.
    pub fn opened(base: Offset, bytes: impl Into<Bytes<'a>>) -> TimeIndex<'a> {
        let bytes = bytes.into();
        let entry_numbers = super::capacity(FileKind::TimeIndex, bytes.len());
        TimeIndex::new(base, bytes, entry_numbers, entry_numbers)
    }

    fn timestamp(&self, entry_number: u32) -> i64 {
        i64::from_be_bytes(self.0.field(entry_number, 0))
    }

    fn parse(&self, entry_number: u32) -> TimestampOffset {
        TimestampOffset {
            timestamp: self.timestamp(entry_number),
            offset: self.0.offset(entry_number, 8),
        }
    }

    const fn none(&self) -> TimestampOffset {
        TimestampOffset {
            timestamp: -1,
            offset: self.0.base.get(),
        }
    }

    /// The entry of a number, from 0 (Kafka: `TimeIndex.entry`).
    ///
    /// # Errors
    ///
    /// [`IndexReason::NoEntry`].
    pub fn entry(&self, entry_number: u32) -> Result<TimestampOffset, IndexError> {
        self.0.entry_in(entry_number)?;
        Ok(self.parse(entry_number))
    }

    /// The last entry; without any, no timestamp and the base (Kafka: `TimeIndex.lastEntry`).
    pub fn last_entry(&self) -> TimestampOffset {
        self.0
            .last()
            .map_or(self.none(), |entry_number| self.parse(entry_number))
    }

    /// The entry with the largest timestamp not above the target; without one, no timestamp and the base
    /// (Kafka: `TimeIndex.lookup`).
    pub fn lookup(&self, target: i64) -> TimestampOffset {
        let entry_number = self.0.floor(target, |entry_number| self.timestamp(entry_number));
        entry_number.map_or(self.none(), |entry_number| self.parse(entry_number))
    }

    /// There is room for one entry at most, which is kept for the last of the segment (Kafka: `TimeIndex.isFull`).
    pub fn is_full(&self) -> bool {
        i64::from(self.0.entries) >= i64::from(self.0.capacity) - 1
    }

    /// Whether an entry comes at the end: one that is not younger than the last is passed over. When a segment is closed,
    /// the room of the last entry may be used (Kafka: `TimeIndex.maybeAppend`).
    ///
    /// # Errors
    ///
    /// [`IndexReason::Full`], [`IndexReason::OffsetNotRising`], [`IndexReason::TimestampFalling`],
    /// [`IndexReason::NoRoomToClose`], [`IndexReason::OffsetOverflow`].
    pub fn check_append(&self, timestamp: i64, offset: i64, closing: bool) -> Result<bool, IndexError> {
        let (entries, last) = (self.0.entries, self.last_entry());
        if !closing && self.is_full() {
            return Err(self.0.error(IndexReason::Full { entries }));
        }
        if entries > 0 && offset < last.offset {
            return Err(self.0.error(IndexReason::OffsetNotRising {
                last: last.offset,
                appended: offset,
            }));
        }
        if entries > 0 && timestamp < last.timestamp {
            return Err(self.0.error(IndexReason::TimestampFalling {
                last: last.timestamp,
                appended: timestamp,
            }));
        }
        let comes = timestamp > last.timestamp;
        if comes && entries >= self.0.capacity {
            return Err(self.0.error(IndexReason::NoRoomToClose { entries }));
        }
        if comes {
            self.0.check_reach(offset)?;
        }
        Ok(comes)
    }

    /// Entries that stay when the log is cut at an offset (Kafka: `TimeIndex.truncateTo`).
    pub fn entries_below(&self, offset: i64) -> u32 {
        self.0.below(offset, 8)
    }

    /// Whether the file can be an index, `length` being its bytes (Kafka: `TimeIndex.sanityCheck`).
    ///
    /// # Errors
    ///
    /// [`IndexReason::OlderThanFirst`], [`IndexReason::BelowBase`], [`IndexReason::Length`].
    pub fn check_sanity(&self, length: u64) -> Result<(), IndexError> {
        let last = self.last_entry();
        if self.0.entries > 0 {
            let first = self.timestamp(0);
            if last.timestamp < first {
                let last = last.timestamp;
                return Err(self.0.error(IndexReason::OlderThanFirst { first, last }));
            }
            if last.offset < self.0.base.get() {
                let last = last.offset;
                return Err(self.0.error(IndexReason::BelowBase { last }));
            }
        }
        self.0.check_length(length)
    }
}

/// The length that a file gets which is to have so many bytes: whole entries only; `None` where it has that length already
/// (Kafka: `AbstractIndex.resize`).
pub const fn resized(kind: FileKind, length: u64, size: u64) -> Option<u64> {
    let rounded = match entry_size(kind) {
        0 => size,
        entry => size / entry * entry,
    };
    if rounded == length { None } else { Some(rounded) }
}
