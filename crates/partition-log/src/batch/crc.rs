//! The two checksums of the formats.
//!
//! Tables for half a byte at a time: 64 B each, where tables for whole bytes are 1 kB that no compression makes smaller.

/// A cyclic redundancy check of 32 bits that takes the lowest bit first.
pub(super) struct Crc {
    table: [u32; 16],
}

impl Crc {
    /// CRC-32 (IEEE 802.3), of format v1.
    pub const CRC_32: Crc = Crc::new(0xedb8_8320);

    /// CRC-32C (Castagnoli), of format v2.
    pub const CRC_32C: Crc = Crc::new(0x82f6_3b78);

    /// Of a polynomial whose highest power is the lowest bit.
    const fn new(polynomial: u32) -> Crc {
        let mut table = [0; 16];
        let mut nibble = 0;
        while nibble < 16 {
            let mut rest = nibble as u32;
            let mut bit = 0;
            while bit < 4 {
                rest = (rest >> 1) ^ if rest & 1 == 1 { polynomial } else { 0 };
                bit += 1;
            }
            table[nibble] = rest;
            nibble += 1;
        }
        Crc { table }
    }

    /// The checksum of some bytes.
    pub fn checksum(&self, bytes: &[u8]) -> u32 {
        let step = |sum: u32, nibble: u8| (sum >> 4) ^ self.table[((sum ^ u32::from(nibble)) & 15) as usize];
        !bytes.iter().fold(!0, |sum, byte| step(step(sum, *byte), *byte >> 4))
    }
}

#[cfg(test)]
mod tests {
    use super::Crc;

    #[test]
    fn both_give_the_check_values_of_their_specifications() {
        assert_eq!(Crc::CRC_32.checksum(b"123456789"), 0xcbf4_3926);
        assert_eq!(Crc::CRC_32C.checksum(b"123456789"), 0xe306_9283);
        assert_eq!(Crc::CRC_32C.checksum(b""), 0);
    }
}
