//! How the records of a batch are compressed (Kafka: `CompressionType`).

use core::fmt;

/// The codec in the lowest three bits of a batch's attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Codec {
    /// Not compressed.
    #[default]
    None,
    /// gzip, id 1.
    Gzip,
    /// snappy, id 2.
    Snappy,
    /// LZ4, id 3.
    Lz4,
    /// Zstandard, id 4; only in format v2.
    Zstd,
}

impl Codec {
    /// Bits of the attributes that hold it.
    pub(super) const MASK: u8 = 0x07;

    /// The codec of an id; `None` for 5 and more (Kafka: `CompressionType.forId`, which throws
    /// `IllegalArgumentException`).
    pub const fn from_id(id: u8) -> Option<Codec> {
        Some(match id {
            0 => Codec::None,
            1 => Codec::Gzip,
            2 => Codec::Snappy,
            3 => Codec::Lz4,
            4 => Codec::Zstd,
            _ => return None,
        })
    }

    /// Its id, 0 to 4.
    pub const fn id(self) -> u8 {
        match self {
            Codec::None => 0,
            Codec::Gzip => 1,
            Codec::Snappy => 2,
            Codec::Lz4 => 3,
            Codec::Zstd => 4,
        }
    }

    /// Its name in Kafka's settings.
    pub const fn name(self) -> &'static str {
        match self {
            Codec::None => "none",
            Codec::Gzip => "gzip",
            Codec::Snappy => "snappy",
            Codec::Lz4 => "lz4",
            Codec::Zstd => "zstd",
        }
    }
}

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
