//! `partition.metadata`, which holds the id of the partition's topic (Kafka: `PartitionMetadataFile`).

use core::fmt;
use core::str::FromStr;

/// The letters of an id, 6 bits each: Base64 for addresses (RFC 4648, section 5).
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// How many letters 128 bits take, without padding.
const LENGTH: usize = 22;

/// The id of a topic: 128 bits (Kafka: `Uuid`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TopicId(pub u128);

impl fmt::Display for TopicId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The last letter holds two bits, and four zeros behind them.
        let six_bits = |place: usize| match 128 - 6 * place as i32 {
            low if low >= 6 => (self.0 >> (low - 6)) & 63,
            low => (self.0 << (6 - low)) & 63,
        };
        (0..LENGTH).try_for_each(|place| write!(f, "{}", char::from(LETTERS[six_bits(place) as usize])))
    }
}

/// A text that is no topic id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NotATopicId;

impl fmt::Display for NotATopicId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a topic id is 22 of the letters A-Z, a-z, 0-9, - and _")
    }
}

impl core::error::Error for NotATopicId {}

impl FromStr for TopicId {
    type Err = NotATopicId;

    /// Reads the 22 letters of an id; Kafka's decoder also passes over padding behind them (Kafka: `Uuid.fromString`).
    fn from_str(text: &str) -> Result<TopicId, NotATopicId> {
        let letters = text.strip_suffix("==").unwrap_or(text).as_bytes();
        if letters.len() != LENGTH {
            return Err(NotATopicId);
        }
        let mut bits = 0u128;
        for (place, letter) in letters.iter().enumerate() {
            let value = LETTERS.iter().position(|known| known == letter).ok_or(NotATopicId)? as u128;
            // Of the last letter the four lowest bits mean nothing.
            bits = if place + 1 == LENGTH {
                bits << 2 | value >> 4
            } else {
                bits << 6 | value
            };
        }
        Ok(TopicId(bits))
    }
}

/// What `partition.metadata` says.
///
/// ```
/// use partition_log::format::metadata::PartitionMetadata;
///
/// let text = "version: 0\ntopic_id: 5vw_uHwfRZqAbl9HjAoLoA";
/// let metadata = PartitionMetadata::parse(text)?;
/// assert_eq!(metadata.topic_id.to_string(), "5vw_uHwfRZqAbl9HjAoLoA");
/// assert_eq!(metadata.to_text(), text);
/// # Ok::<(), partition_log::format::metadata::PartitionMetadataFault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartitionMetadata {
    /// 0 or more; Kafka writes 0 and accepts all of them.
    pub version: i32,
    /// The id of the topic, not 0.
    pub topic_id: TopicId,
}

/// Why `partition.metadata` cannot be read (Kafka: `KafkaStorageException`, which takes the log directory offline).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PartitionMetadataFault {
    /// Line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: PartitionMetadataReason,
}

/// What is wrong with a line of `partition.metadata`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum PartitionMetadataReason {
    /// Not a name, a colon, white space and a value.
    Malformed,
    /// The version is no number of 31 bits.
    Version,
    /// The id of the topic is none.
    TopicId,
    /// The id of the topic is 0, which no topic has.
    ZeroTopicId,
}

impl fmt::Display for PartitionMetadataFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match self.reason {
            PartitionMetadataReason::Malformed => f.write_str("not a name, a colon, a space and a value"),
            PartitionMetadataReason::Version => f.write_str("the version is no number from 0 on"),
            PartitionMetadataReason::TopicId => write!(f, "no topic id: {NotATopicId}"),
            PartitionMetadataReason::ZeroTopicId => f.write_str("the topic id is 0"),
        }
    }
}

impl core::error::Error for PartitionMetadataFault {}

impl PartitionMetadata {
    /// The name of the file.
    pub const NAME: &str = "partition.metadata";

    /// The text of the file (Kafka: `PartitionMetadata.encode`).
    pub fn to_text(&self) -> String {
        format!("version: {}\ntopic_id: {}", self.version, self.topic_id)
    }

    /// Reads the text of the file. As in Kafka the first line is the version and the second the id, whatever their names
    /// are, and further lines mean nothing (Kafka: `PartitionMetadataReadBuffer.read`).
    ///
    /// # Errors
    ///
    /// [`PartitionMetadataFault`], with the line.
    pub fn parse(text: &str) -> Result<PartitionMetadata, PartitionMetadataFault> {
        let mut lines = text.lines();
        let mut value = |line| {
            let found = lines.next().and_then(|text| text.split_once(':'));
            let value = found.and_then(|(_, behind)| {
                let value = behind.trim_start();
                (value.len() < behind.len() && !value.is_empty()).then_some(value)
            });
            let reason = PartitionMetadataReason::Malformed;
            value.ok_or(PartitionMetadataFault { line, reason })
        };
        let fault = |line, reason| PartitionMetadataFault { line, reason };
        let version = value(1)?.parse().ok().filter(|version| *version >= 0);
        let version = version.ok_or(fault(1, PartitionMetadataReason::Version))?;
        let topic_id: Result<TopicId, NotATopicId> = value(2)?.parse();
        match topic_id {
            Ok(TopicId(0)) => Err(fault(2, PartitionMetadataReason::ZeroTopicId)),
            Ok(topic_id) => Ok(PartitionMetadata { version, topic_id }),
            Err(NotATopicId) => Err(fault(2, PartitionMetadataReason::TopicId)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_written_as_they_are_read() {
        for id in [1, u128::MAX, 0x0123_4567_89ab_cdef_0123_4567_89ab_cdef] {
            assert_eq!(TopicId(id).to_string().parse(), Ok(TopicId(id)));
        }
        // Java: new Uuid(1, 2).toString().
        assert_eq!(TopicId((1 << 64) | 2).to_string(), "AAAAAAAAAAEAAAAAAAAAAg");
    }

    #[test]
    fn a_file_that_cannot_be_read_says_where() {
        let fault = |text| PartitionMetadata::parse(text).expect_err(text).to_string();
        assert_eq!(fault(""), "line 1: not a name, a colon, a space and a value");
        assert_eq!(fault("version:0"), "line 1: not a name, a colon, a space and a value");
        assert_eq!(fault("version: -1"), "line 1: the version is no number from 0 on");
        assert_eq!(
            fault("version: 0\n"),
            "line 2: not a name, a colon, a space and a value"
        );
        assert_eq!(
            fault("version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAA"),
            "line 2: the topic id is 0"
        );
        assert!(fault("version: 0\ntopic_id: AAAA").starts_with("line 2: no topic id"));
    }
}
