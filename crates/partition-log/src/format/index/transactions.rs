//! The transaction index, `.txnindex`: aborted transactions by the offset of their marker (Kafka: `TransactionIndex`,
//! and the generated `AbortedTxn`; all integers big-endian).
//!
//! | at | size | field of an entry |
//! |---|---|---|
//! | 0 | 2 | version = 0 |
//! | 2 | 8 | producer id |
//! | 10 | 8 | first offset |
//! | 18 | 8 | last offset: that of the marker |
//! | 26 | 8 | last stable offset when the marker came |

use core::fmt;

use crate::disk::Bytes;
use crate::units::{Offset, ProducerId};

/// Bytes of one entry.
pub const ABORTED_ENTRY_SIZE: usize = 34;

/// The only version there is.
const VERSION: i16 = 0;

/// An aborted transaction, as the index has it. The numbers are as stored: a damaged file may hold any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbortedTransaction {
    /// Whose it was.
    pub producer_id: ProducerId,
    /// Its first offset.
    pub first_offset: i64,
    /// Offset of the marker.
    pub last_offset: i64,
    /// First offset that was not decided when the marker came.
    pub last_stable_offset: i64,
}

impl AbortedTransaction {
    /// The bytes in the file.
    pub fn to_bytes(self) -> [u8; ABORTED_ENTRY_SIZE] {
        let mut out = [0; ABORTED_ENTRY_SIZE];
        out[..2].copy_from_slice(&VERSION.to_be_bytes());
        out[2..10].copy_from_slice(&self.producer_id.get().to_be_bytes());
        out[10..18].copy_from_slice(&self.first_offset.to_be_bytes());
        out[18..26].copy_from_slice(&self.last_offset.to_be_bytes());
        out[26..].copy_from_slice(&self.last_stable_offset.to_be_bytes());
        out
    }
}

/// Why the transaction index of a segment is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TransactionIndexError {
    /// Base offset of the segment.
    pub base: Offset,
    /// What is wrong.
    pub reason: TransactionIndexReason,
}

/// What is wrong with a transaction index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum TransactionIndexReason {
    /// An entry of another version (Kafka: `KafkaException`).
    Version {
        /// First byte of the entry.
        position: u64,
        /// The version.
        version: i16,
    },
    /// A marker that does not come behind the last one (Kafka: `IllegalArgumentException`).
    NotRising {
        /// Offset of the last marker.
        last: i64,
        /// Offset of the marker to be appended.
        appended: i64,
    },
    /// A marker below the segment (Kafka: `CorruptIndexException`).
    BelowBase {
        /// First byte of the entry.
        position: u64,
        /// Offset of the marker.
        last_offset: i64,
    },
}

impl TransactionIndexError {
    /// Kafka's name for it.
    pub fn kafka_name(&self) -> &'static str {
        match self.reason {
            TransactionIndexReason::Version { .. } => "KafkaException",
            TransactionIndexReason::NotRising { .. } => "IllegalArgumentException",
            TransactionIndexReason::BelowBase { .. } => "CorruptIndexException",
        }
    }
}

impl fmt::Display for TransactionIndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the transaction index of segment {}: ", self.base)?;
        match self.reason {
            TransactionIndexReason::Version { position, version } => {
                write!(f, "the entry at byte {position} has version {version}, not {VERSION}")
            }
            TransactionIndexReason::NotRising { last, appended } => {
                write!(
                    f,
                    "a marker at offset {appended} does not come behind the last one, {last}"
                )
            }
            TransactionIndexReason::BelowBase { position, last_offset } => {
                write!(
                    f,
                    "the entry at byte {position} has a marker at offset {last_offset}, below the segment"
                )
            }
        }
    }
}

impl core::error::Error for TransactionIndexError {}

/// One entry under search, with the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbortedProbe {
    /// Base offset of the segment.
    pub base: Offset,
    /// First byte of the entry.
    pub position: u64,
    /// The entry.
    pub entry: AbortedTransaction,
    /// First offset that is read.
    pub fetch_offset: Offset,
    /// First offset that is not read.
    pub upper_bound: Offset,
}

impl AbortedProbe {
    /// The transaction reaches into what is read.
    pub fn overlaps(&self) -> bool {
        self.entry.last_offset >= self.fetch_offset.get() && self.entry.first_offset < self.upper_bound.get()
    }

    /// All transactions that end behind this one begin behind what is read.
    pub fn ends_search(&self) -> bool {
        self.entry.last_stable_offset >= self.upper_bound.get()
    }
}

/// What a truncation leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransactionIndexCut {
    /// Bytes that stay.
    pub length: u64,
    /// Offset of the last marker that stays.
    pub last_offset: Option<i64>,
}

/// The bytes of a transaction index. Fewer bytes than an entry at the end are passed over, and stay.
#[derive(Clone, Copy, Debug)]
pub struct TransactionIndex<'a> {
    base: Offset,
    bytes: Bytes<'a>,
}

impl<'a> TransactionIndex<'a> {
    /// The index of the segment with this base offset.
    pub fn new(base: Offset, bytes: impl Into<Bytes<'a>>) -> TransactionIndex<'a> {
        let bytes = bytes.into();
        TransactionIndex { base, bytes }
    }

    /// The entries with their first bytes, up to one that cannot be read.
    pub fn entries(self) -> impl Iterator<Item = Result<(u64, AbortedTransaction), TransactionIndexError>> + 'a {
        let mut failed = false;
        let whole = self.bytes.len() / ABORTED_ENTRY_SIZE as u64;
        (0..whole).map_while(move |entry_number| {
            let position = entry_number * ABORTED_ENTRY_SIZE as u64;
            let entry = if failed {
                return None;
            } else {
                self.parse(position, &self.bytes.array(position))
            };
            failed = entry.is_err();
            Some(entry.map(|entry| (position, entry)))
        })
    }

    fn parse(
        self,
        position: u64,
        bytes: &[u8; ABORTED_ENTRY_SIZE],
    ) -> Result<AbortedTransaction, TransactionIndexError> {
        let version = i16::from_be_bytes([bytes[0], bytes[1]]);
        if version != VERSION {
            return Err(self.error(TransactionIndexReason::Version { position, version }));
        }
        let field = |at: usize| {
            let mut field = [0; 8];
            field.copy_from_slice(&bytes[at..at + 8]);
            i64::from_be_bytes(field)
        };
        Ok(AbortedTransaction {
            producer_id: ProducerId::new(field(2)),
            first_offset: field(10),
            last_offset: field(18),
            last_stable_offset: field(26),
        })
    }

    /// Adds to `found` the transactions that reach into what is read, and says whether no later segment can have another
    /// (Kafka: `TransactionIndex.collectAbortedTxns`). `note` hears of each entry that is looked at.
    ///
    /// # Errors
    ///
    /// [`TransactionIndexReason::Version`], if the search gets to such an entry.
    pub fn collect_aborted(
        self,
        fetch_offset: Offset,
        upper_bound: Offset,
        found: &mut Vec<AbortedTransaction>,
        note: &mut dyn FnMut(AbortedProbe),
    ) -> Result<bool, TransactionIndexError> {
        for entry in self.entries() {
            let (position, entry) = entry?;
            let probe = AbortedProbe {
                base: self.base,
                position,
                entry,
                fetch_offset,
                upper_bound,
            };
            note(probe);
            if probe.overlaps() {
                found.push(entry);
            }
            if probe.ends_search() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether an entry may come at the end. `last` is the last marker that was appended since the file was opened; before
    /// that, any may come (Kafka: `TransactionIndex.append`).
    ///
    /// # Errors
    ///
    /// [`TransactionIndexReason::NotRising`].
    pub fn check_append(
        base: Offset,
        last: Option<i64>,
        entry: &AbortedTransaction,
    ) -> Result<(), TransactionIndexError> {
        let appended = entry.last_offset;
        match last {
            Some(last) if last >= appended => Err(TransactionIndex::new(base, Bytes::default())
                .error(TransactionIndexReason::NotRising { last, appended })),
            _ => Ok(()),
        }
    }

    /// What is left when the first entry with a marker at or above an offset goes, and all behind it; `None` where there
    /// is no such entry, and the file and the last marker stay (Kafka: `TransactionIndex.truncateTo`).
    ///
    /// # Errors
    ///
    /// [`TransactionIndexReason::Version`], if the search gets to such an entry.
    pub fn truncate_to(self, offset: Offset) -> Result<Option<TransactionIndexCut>, TransactionIndexError> {
        let mut last_offset = None;
        for entry in self.entries() {
            let (length, entry) = entry?;
            if entry.last_offset >= offset.get() {
                return Ok(Some(TransactionIndexCut { length, last_offset }));
            }
            last_offset = Some(entry.last_offset);
        }
        Ok(None)
    }

    /// Whether every marker lies in the segment or behind it (Kafka: `TransactionIndex.sanityCheck`).
    ///
    /// # Errors
    ///
    /// [`TransactionIndexReason::BelowBase`] has the segment rebuilt; [`TransactionIndexReason::Version`] does not.
    pub fn check_sanity(self) -> Result<(), TransactionIndexError> {
        for entry in self.entries() {
            let (position, entry) = entry?;
            let last_offset = entry.last_offset;
            if last_offset < self.base.get() {
                return Err(self.error(TransactionIndexReason::BelowBase { position, last_offset }));
            }
        }
        Ok(())
    }

    fn error(self, reason: TransactionIndexReason) -> TransactionIndexError {
        TransactionIndexError {
            base: self.base,
            reason,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry((producer_id, first_offset, last_offset, last_stable_offset): (i64, i64, i64, i64)) -> AbortedTransaction {
        AbortedTransaction {
            producer_id: ProducerId::new(producer_id),
            first_offset,
            last_offset,
            last_stable_offset,
        }
    }

    fn file(entries: &[(i64, i64, i64, i64)]) -> Vec<u8> {
        entries.iter().flat_map(|numbers| entry(*numbers).to_bytes()).collect()
    }

    fn offset(value: i64) -> Offset {
        Offset::new(value).expect("not negative")
    }

    const FOUR: [(i64, i64, i64, i64); 4] = [(0, 0, 10, 11), (1, 5, 15, 13), (2, 18, 35, 25), (3, 32, 50, 40)];

    /// Producers found, and whether the search is complete.
    fn collect(bytes: &[u8], from: i64, to: i64) -> (Vec<i64>, bool) {
        let mut found = Vec::new();
        let index = TransactionIndex::new(Offset::ZERO, bytes);
        let complete = index
            .collect_aborted(offset(from), offset(to), &mut found, &mut |_| ())
            .expect("entries");
        (found.iter().map(|entry| entry.producer_id.get()).collect(), complete)
    }

    #[test]
    fn an_entry_is_34_bytes_big_endian() {
        let bytes = entry((983_493, 137, 299, 200)).to_bytes();
        assert_eq!(
            hex::encode(bytes),
            "000000000000000f01c50000000000000089000000000000012b00000000000000c8"
        );
        let read: Vec<_> = TransactionIndex::new(Offset::ZERO, &bytes).entries().collect();
        assert_eq!(read, [Ok((0, entry((983_493, 137, 299, 200))))]);
    }

    #[test]
    fn t32_the_search_stops_where_the_last_stable_offset_reaches_the_upper_bound() {
        let bytes = file(&FOUR);
        let cases: [(i64, i64, &[i64], bool); 6] = [
            (0, 100, &[0, 1, 2, 3], false),
            (0, 32, &[0, 1, 2], true),
            (0, 35, &[0, 1, 2, 3], true),
            (10, 35, &[0, 1, 2, 3], true),
            (11, 35, &[1, 2, 3], true),
            (20, 41, &[2, 3], false),
        ];
        for (from, to, producers, complete) in cases {
            assert_eq!(
                collect(&bytes, from, to),
                (producers.to_vec(), complete),
                "{from} to {to}"
            );
        }
    }

    #[test]
    fn t33_a_marker_below_the_base_is_corrupt() {
        let mut bytes = file(&FOUR);
        bytes.extend(entry((3, 50, 60, 55)).to_bytes());
        assert_eq!(TransactionIndex::new(Offset::ZERO, &bytes).entries().count(), 5);
        let error = TransactionIndex::new(offset(100), &bytes)
            .check_sanity()
            .expect_err("below 100");
        assert_eq!(error.kafka_name(), "CorruptIndexException");
        assert_eq!(
            error.to_string(),
            "the transaction index of segment 100: the entry at byte 0 has a marker at offset 10, below the segment"
        );
    }

    #[test]
    fn t34_markers_rise_once_one_was_appended() {
        let append = |last, marker| TransactionIndex::check_append(Offset::ZERO, last, &entry((1, 5, marker, 13)));
        for marker in [15, 10] {
            let error = append(Some(15), marker).expect_err("not above 15");
            assert_eq!(error.kafka_name(), "IllegalArgumentException");
        }
        assert_eq!((append(Some(15), 16), append(None, 10)), (Ok(()), Ok(())));
    }

    #[test]
    fn t35_truncation_cuts_at_the_first_marker_at_or_above_the_offset() {
        let bytes = file(&[(0, 0, 10, 2), (1, 5, 15, 16), (2, 18, 35, 25), (3, 32, 50, 40)]);
        let cut = |to| TransactionIndex::new(Offset::ZERO, &bytes).truncate_to(offset(to));
        assert_eq!(cut(51), Ok(None));
        let three = TransactionIndexCut {
            length: 3 * 34,
            last_offset: Some(35),
        };
        assert_eq!(cut(50), Ok(Some(three)));
        let none = TransactionIndexCut {
            length: 0,
            last_offset: None,
        };
        assert_eq!(cut(0), Ok(Some(none)));
    }

    #[test]
    fn a_torn_entry_is_passed_over_and_a_version_fails_only_a_search_that_gets_there() {
        let mut bytes = file(&FOUR);
        bytes.truncate(4 * 34 - 1);
        assert_eq!(collect(&bytes, 0, 100), (vec![0, 1, 2], false));
        bytes[2 * 34 + 1] = 1;
        assert_eq!(collect(&bytes, 0, 13), (vec![0, 1], true));
        let index = TransactionIndex::new(Offset::ZERO, &bytes);
        let reason = TransactionIndexReason::Version {
            position: 68,
            version: 1,
        };
        let failure = index.collect_aborted(Offset::ZERO, offset(14), &mut Vec::new(), &mut |_| ());
        assert_eq!(failure.map_err(|error| error.reason), Err(reason));
        assert_eq!(index.entries().count(), 3, "two entries, and the failure once");
    }
}
