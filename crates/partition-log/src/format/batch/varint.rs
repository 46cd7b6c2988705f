//! The variable length numbers of format v2: zig-zag, then seven bits a byte, the low ones first (Kafka: `ByteUtils`).

use crate::format::batch::CorruptReason;

/// Bytes that a number takes (Kafka: `ByteUtils.sizeOfVarlong`; an `int` takes the same as its `long`).
pub(super) const fn varint_size(value: i64) -> usize {
    let raw = ((value << 1) ^ (value >> 63)) as u64;
    let bits = 64 - (raw | 1).leading_zeros() as usize;
    bits.div_ceil(7)
}

/// Appends a number (Kafka: `ByteUtils.writeVarlong`).
pub(super) fn put_varint(out: &mut Vec<u8>, value: i64) {
    let mut raw = ((value << 1) ^ (value >> 63)) as u64;
    while raw >= 0x80 {
        out.push(raw as u8 | 0x80);
        raw >>= 7;
    }
    out.push(raw as u8);
}

/// Reads what a record is made of, from front to back.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    /// The next byte.
    pub(super) at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Reader<'a> {
        Reader { bytes, at }
    }

    /// Bytes not read yet.
    pub(super) fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    fn byte(&mut self) -> Result<u8, CorruptReason> {
        let byte = *self.bytes.get(self.at).ok_or(CorruptReason::RecordLength)?;
        self.at += 1;
        Ok(byte)
    }

    /// A number of 64 bits, at most 10 B (Kafka: `ByteUtils.readVarlong`).
    pub(super) fn varlong(&mut self) -> Result<i64, CorruptReason> {
        let mut raw: u64 = 0;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?;
            raw |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok((raw >> 1) as i64 ^ -((raw & 1) as i64));
            }
        }
        Err(CorruptReason::Varint)
    }

    /// A number of 32 bits, at most 5 B; what does not fit falls off (Kafka: `ByteUtils.readVarint`).
    pub(super) fn varint(&mut self) -> Result<i32, CorruptReason> {
        let mut raw: u32 = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            raw |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok((raw >> 1) as i32 ^ -((raw & 1) as i32));
            }
        }
        Err(CorruptReason::Varint)
    }

    pub(super) fn take(&mut self, length: i32) -> Result<&'a [u8], CorruptReason> {
        let length = usize::try_from(length).map_err(|_| CorruptReason::RecordLength)?;
        let end = self.at.checked_add(length).ok_or(CorruptReason::RecordLength)?;
        let found = self.bytes.get(self.at..end).ok_or(CorruptReason::RecordLength)?;
        self.at = end;
        Ok(found)
    }

    /// A length and as many bytes; below 0 for none (Kafka: `Utils.readBytes`).
    pub(super) fn nullable(&mut self) -> Result<Option<&'a [u8]>, CorruptReason> {
        match self.varint()? {
            length if length < 0 => Ok(None),
            length => self.take(length).map(Some),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_reads_back_and_takes_its_size() {
        for value in [
            0,
            -1,
            1,
            63,
            64,
            -64,
            -65,
            8191,
            8192,
            i64::from(i32::MAX),
            i64::from(i32::MIN),
        ] {
            let mut out = Vec::new();
            put_varint(&mut out, value);
            assert_eq!(out.len(), varint_size(value));
            assert_eq!(Reader::new(&out, 0).varlong(), Ok(value));
            assert_eq!(Reader::new(&out, 0).varint().map(i64::from), Ok(value));
        }
        for value in [i64::MAX, i64::MIN] {
            let mut out = Vec::new();
            put_varint(&mut out, value);
            assert_eq!((out.len(), Reader::new(&out, 0).varlong()), (10, Ok(value)));
            assert_eq!(Reader::new(&out, 0).varint(), Err(CorruptReason::Varint));
        }
    }

    #[test]
    fn a_number_without_an_end_is_refused() {
        assert_eq!(Reader::new(&[0xff; 20], 0).varlong(), Err(CorruptReason::Varint));
        assert_eq!(Reader::new(&[0xff; 4], 0).varint(), Err(CorruptReason::RecordLength));
        assert_eq!(Reader::new(&[], 0).varint(), Err(CorruptReason::RecordLength));
    }
}
