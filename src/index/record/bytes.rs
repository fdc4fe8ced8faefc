//! The primitive codes of the record format: little-endian LEB128 varints, zigzag numbers, byte
//! strings.
//!
//! Owns [`Reader`] and the writing functions. The reader turns every overrun into an error with its
//! offset. Nothing here knows the meaning of the numbers.

use super::Error;

/// Appends `value` as an unsigned LEB128 varint (1–10 bytes).
pub(super) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    loop {
        let low = value.to_le_bytes()[0] & 0x7f;
        value >>= 7;
        if value == 0 {
            out.push(low);
            return;
        }
        out.push(low | 0x80);
    }
}

/// Appends `value` zigzag-coded: 0, -1, 1, -2 … become 0, 1, 2, 3 …
fn put_signed(out: &mut Vec<u8>, value: i64) {
    put_varint(out, (value.wrapping_shl(1) ^ (value >> 63)).cast_unsigned());
}

/// Appends the distance from `from` to `to`; it is negative if `to` comes first.
pub(super) fn put_distance(out: &mut Vec<u8>, from: u32, to: u32) {
    put_signed(out, i64::from(to) - i64::from(from));
}

/// A reader of primitive codes, front to back.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Offset of `bytes` in the whole record, for error messages.
    base: usize,
    what: &'static str,
}

impl<'a> Reader<'a> {
    pub(super) fn new(what: &'static str, bytes: &'a [u8], base: usize) -> Self {
        Self { bytes, at: 0, base, what }
    }

    /// Returns an error for the bytes at the current position.
    pub(super) fn corrupt(&self, why: &'static str) -> Error {
        Error::Corrupt { what: self.what, offset: self.base + self.at, why }
    }

    /// Returns the current offset from the start of the record.
    pub(super) fn offset(&self) -> usize {
        self.base + self.at
    }

    /// Returns the number of bytes left.
    pub(super) fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8], Error> {
        let end = self.at.checked_add(len).ok_or_else(|| self.corrupt("length overflows"))?;
        let slice = self.bytes.get(self.at..end).ok_or_else(|| self.corrupt("cut short"))?;
        self.at = end;
        Ok(slice)
    }

    pub(super) fn u8(&mut self) -> Result<u8, Error> {
        Ok(*self.take(1)?.first().expect("because one byte was taken"))
    }

    pub(super) fn u16(&mut self) -> Result<u16, Error> {
        let raw = self.take(2)?;
        Ok(u16::from_le_bytes(raw.try_into().expect("because two bytes were taken")))
    }

    pub(super) fn varint(&mut self) -> Result<u64, Error> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            let low = u64::from(byte & 0x7f);
            if shift == 63 && low > 1 {
                break;
            }
            value |= low << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(self.corrupt("varint is longer than 64 bits"))
    }

    pub(super) fn u32(&mut self) -> Result<u32, Error> {
        let value = self.varint()?;
        u32::try_from(value).map_err(|_| self.corrupt("number is larger than 32 bits"))
    }

    /// Reads a varint that counts something and must be at most `bound`.
    pub(super) fn count(&mut self, unit: &'static str, bound: usize) -> Result<usize, Error> {
        let found = self.varint()?;
        match usize::try_from(found) {
            Ok(n) if n <= bound => Ok(n),
            _ => Err(Error::Limit { what: self.what, unit, found, bound: bound as u64 }),
        }
    }

    /// Reads a zigzag distance from `from`; the result must be a 32-bit position.
    pub(super) fn distance(&mut self, from: u32) -> Result<u32, Error> {
        let coded = self.varint()?;
        let value = (coded >> 1).cast_signed() ^ -((coded & 1).cast_signed());
        i64::from(from)
            .checked_add(value)
            .and_then(|to| u32::try_from(to).ok())
            .ok_or_else(|| self.corrupt("distance ends outside the file"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_round_trip(values in proptest::collection::vec(any::<u64>(), 0..20), from: u32, to: u32) {
            let mut out = Vec::new();
            for &value in &values {
                put_varint(&mut out, value);
            }
            put_distance(&mut out, from, to);
            let mut reader = Reader::new("record", &out, 0);
            for &value in &values {
                prop_assert_eq!(reader.varint().unwrap(), value);
            }
            prop_assert_eq!(reader.distance(from).unwrap(), to);
            prop_assert!(reader.is_at_end());
        }

        #[test]
        fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..30)) {
            let mut reader = Reader::new("record", &bytes, 0);
            while reader.varint().is_ok() {}
        }
    }

    #[test]
    fn overlong_varint_is_corrupt() {
        let mut reader = Reader::new("record", &[0xff; 11], 5);
        assert!(matches!(reader.varint(), Err(Error::Corrupt { offset, .. }) if offset >= 5));
    }
}
