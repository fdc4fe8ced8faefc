//! Object ids: the hashes by which Git names blobs, trees and commits.
//!
//! Owns [`ObjectId`], a SHA-1 or SHA-256 id that uses no dependency's type. So every stage can name
//! objects, and only `git` needs gix. It converts between hex text and bytes, without I/O. An id is
//! always complete: `git` resolves abbreviations, because only it can tell whether they are unique.

use std::fmt;
use std::str::FromStr;

/// The id of a Git object: 20 bytes in a SHA-1 repository, 32 in a SHA-256 one.
///
/// Ordered by bytes, as Git orders them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    bytes: [u8; 32],
    len: u8,
}

/// A text or byte string that is not an object id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not an object id")]
pub struct InvalidId(pub String);

impl ObjectId {
    /// Returns the id that a part of a refname is, written as Git prints ids; `None` for any other
    /// text. An id in capitals is another name, which nobody would look up.
    pub fn from_name(text: &str) -> Option<Self> {
        text.parse().ok().filter(|id: &Self| id.to_string() == text)
    }

    /// Returns the id with these raw bytes; `None` unless there are 20 or 32 of them.
    pub fn from_bytes(raw: &[u8]) -> Option<Self> {
        let len = match raw.len() {
            20 => 20,
            32 => 32,
            _ => return None,
        };
        let mut bytes = [0; 32];
        bytes.get_mut(..raw.len())?.copy_from_slice(raw);
        Some(Self { bytes, len })
    }

    /// Returns the raw bytes, 20 or 32 of them.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).expect("because the length is 20 or 32 by construction")
    }

    /// Returns the first `n` hexadecimal digits, for people; the whole id if it is shorter.
    pub fn abbreviated(&self, n: usize) -> String {
        let mut hex = self.to_string();
        hex.truncate(n);
        hex
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.as_bytes() {
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ObjectId({self})")
    }
}

impl FromStr for ObjectId {
    type Err = InvalidId;

    /// Parses 40 or 64 hexadecimal digits, in either case.
    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let invalid = || InvalidId(text.to_owned());
        let digits = text.as_bytes();
        if digits.len() != 40 && digits.len() != 64 {
            return Err(invalid());
        }
        let mut raw = [0u8; 32];
        for (byte, pair) in raw.iter_mut().zip(digits.chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| invalid())?;
            // Checked here because `from_str_radix` alone would accept a leading `+`.
            if !pair.bytes().all(|b| b.is_ascii_hexdigit()) {
                return Err(invalid());
            }
            *byte = u8::from_str_radix(pair, 16).map_err(|_| invalid())?;
        }
        Self::from_bytes(raw.get(..digits.len() / 2).unwrap_or_default()).ok_or_else(invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_round_trips_for_both_hashes() {
        for hex in ["0123456789abcdef0123456789abcdef01234567".to_owned(), "9f".repeat(32)] {
            let id: ObjectId = hex.parse().unwrap();
            assert_eq!(id.to_string(), hex);
            assert_eq!(ObjectId::from_bytes(id.as_bytes()), Some(id));
        }
    }

    #[test]
    fn anything_else_is_refused() {
        let signs = "+1".repeat(20);
        for text in ["", "abc", "zz23456789abcdef0123456789abcdef01234567", signs.as_str()] {
            assert!(text.parse::<ObjectId>().is_err(), "{text}");
        }
        assert_eq!(ObjectId::from_bytes(&[1; 21]), None);
    }

    #[test]
    fn a_name_is_an_id_only_in_small_letters() {
        let hex = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(ObjectId::from_name(hex), hex.parse().ok());
        for text in ["", "abc", &hex.to_uppercase(), &hex[1..], &format!("{hex}0")] {
            assert_eq!(ObjectId::from_name(text), None, "{text}");
        }
    }
}
