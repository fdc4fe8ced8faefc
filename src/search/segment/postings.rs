//! Posting lists: the chunks that have a term, with its frequency in each field.
//!
//! Owns [`Field`], [`Posting`], and the codec. A list is a sequence of postings in order of their
//! chunks. Each is a LEB128 difference to the chunk before (for the first, the ordinal itself) and
//! a head byte:
//! - 1–127: only in the body, this many times;
//! - 128 | fields: once in each of the fields, with bit *n* for field *n*;
//! - 0: a byte of fields follows, then for each of them, in order, a byte with its frequency.
//!
//! Most postings are "once in the body" and take two bytes. A list of one posting with a head other
//! than 0 has no bytes at all: the dictionary's value holds it.

/// A field of a chunk. The discriminant is a bit number in stored postings and is never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Field {
    /// Names of the declarations that begin in the chunk.
    Symbol = 0,
    /// Signatures of those declarations.
    Signature = 1,
    /// Comments and docstrings.
    Doc = 2,
    /// Everything else in the chunk.
    Body = 3,
    /// Names of the declarations around the chunk.
    Scope = 4,
    /// The file's name without its extension.
    Stem = 5,
    /// Names of the directories that contain the file.
    Directory = 6,
}

/// Number of fields.
pub const N_FIELDS: usize = 7;

impl Field {
    /// All fields, in order of their numbers.
    pub const ALL: [Self; N_FIELDS] =
        [Self::Symbol, Self::Signature, Self::Doc, Self::Body, Self::Scope, Self::Stem, Self::Directory];

    /// Returns the field's bit in [`Posting::fields`].
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// Returns the field's name, for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Symbol => "symbol",
            Self::Signature => "signature",
            Self::Doc => "doc",
            Self::Body => "body",
            Self::Scope => "scope",
            Self::Stem => "stem",
            Self::Directory => "directory",
        }
    }
}

/// A term's occurrences in one chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// The chunk's ordinal in its segment.
    pub chunk: u32,
    /// Bits of the fields that have the term, see [`Field::bit`].
    pub fields: u8,
    /// Frequency by field, saturated at 255.
    pub frequencies: [u8; N_FIELDS],
}

/// Bit of a head byte: the term occurs once in each of the fields that the other bits name.
const ONCE: u8 = 0x80;
const BODY: usize = Field::Body as usize;

/// Returns the head byte of a posting, or 0 if its frequencies must be written out.
pub(super) fn head(frequencies: &[u8; N_FIELDS]) -> u8 {
    let fields = fields_of(frequencies);
    let body = frequencies.get(BODY).copied().unwrap_or(0);
    if fields == Field::Body.bit() && body < ONCE {
        body
    } else if frequencies.iter().all(|&n| n <= 1) {
        ONCE | fields
    } else {
        0
    }
}

pub(super) fn fields_of(frequencies: &[u8; N_FIELDS]) -> u8 {
    frequencies.iter().enumerate().fold(0, |bits, (i, &n)| if n > 0 { bits | 1 << i } else { bits })
}

/// Returns the dictionary value that holds a whole list of one posting.
pub(super) fn inline(chunk: u32, head: u8) -> u64 {
    u64::from(chunk) << 9 | u64::from(head) << 1 | 1
}

/// The postings of one term in one segment, in order of their chunks.
///
/// Iteration ends early at bytes that are not a posting; [`Postings::n_declared`] then differs from
/// the number of postings returned.
#[derive(Debug, Clone)]
pub struct Postings<'s> {
    bytes: &'s [u8],
    single: Option<(u32, u8)>,
    previous: u32,
    first: bool,
    n: u32,
}

impl<'s> Postings<'s> {
    pub(super) fn empty() -> Self {
        Self { bytes: &[], single: None, previous: 0, first: true, n: 0 }
    }

    pub(super) fn one(value: u64) -> Option<Self> {
        let chunk = u32::try_from(value >> 9).ok()?;
        let head = u8::try_from(value >> 1 & 0xff).ok()?;
        Some(Self { single: Some((chunk, head)), n: 1, ..Self::empty() })
    }

    pub(super) fn list(bytes: &'s [u8], n: u32) -> Self {
        Self { bytes, n, ..Self::empty() }
    }

    /// Returns the number of chunks that the list declares.
    pub fn n_declared(&self) -> u32 {
        self.n
    }

    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(byte)
    }
}

/// A posting as it is stored, for scoring. Unpacking the frequencies is the costly half of reading
/// one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RawPosting<'s> {
    pub(crate) chunk: u32,
    pub(crate) fields: u8,
    pub(crate) counts: Counts<'s>,
}

/// Frequencies as stored.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Counts<'s> {
    /// In the body alone, this many times.
    Body(u8),
    /// Once in each field.
    Once,
    /// One count for each field, in order.
    Each(&'s [u8]),
}

impl<'s> Postings<'s> {
    /// Returns the next posting as it is stored.
    #[inline]
    pub(crate) fn next_raw(&mut self) -> Option<RawPosting<'s>> {
        if let Some((chunk, head)) = self.single.take() {
            return Some(RawPosting::from_head(chunk, head));
        }
        let delta = varint(&mut self.bytes)?;
        let chunk = self.previous.checked_add(delta)?;
        if delta == 0 && !self.first {
            return None;
        }
        self.first = false;
        self.previous = chunk;
        let head = self.byte()?;
        if head != 0 {
            return Some(RawPosting::from_head(chunk, head));
        }
        let fields = self.byte()? & !ONCE;
        let (counts, rest) = self.bytes.split_at_checked(fields.count_ones() as usize)?;
        self.bytes = rest;
        Some(RawPosting { chunk, fields, counts: Counts::Each(counts) })
    }
}

impl RawPosting<'_> {
    #[inline]
    fn from_head(chunk: u32, head: u8) -> Self {
        if head < ONCE {
            Self { chunk, fields: Field::Body.bit(), counts: Counts::Body(head) }
        } else {
            Self { chunk, fields: head & !ONCE, counts: Counts::Once }
        }
    }
}

impl Iterator for Postings<'_> {
    type Item = Posting;

    fn next(&mut self) -> Option<Posting> {
        let RawPosting { chunk, fields, counts } = self.next_raw()?;
        let mut frequencies = [0; N_FIELDS];
        let mut each = match counts {
            Counts::Each(counts) => counts.iter(),
            _ => [].iter(),
        };
        for (_, n) in frequencies.iter_mut().enumerate().filter(|(i, _)| fields >> i & 1 == 1) {
            *n = match counts {
                Counts::Body(n) => n,
                Counts::Once => 1,
                Counts::Each(_) => each.next().copied().unwrap_or(0),
            };
        }
        Some(Posting { chunk, fields, frequencies })
    }
}

/// Reads a LEB128 number off the front; `None` at the end, or if it exceeds 32 bits.
#[inline]
pub(super) fn varint(bytes: &mut &[u8]) -> Option<u32> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    if first < 0x80 {
        return Some(u32::from(first));
    }
    let mut value = u32::from(first & 0x7f);
    for shift in [7, 14, 21, 28] {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u32::from(byte & 0x7f);
        if shift == 28 && byte > 0x0f {
            return None;
        }
        value |= bits << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// Appends a LEB128 number.
pub(super) fn push_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push((value & 0x7f) as u8);
}

/// Decodes a list of `n` ascending ordinals, each as the LEB128 difference to the one before, the
/// first as itself; `None` for any other bytes.
pub(super) fn ascending(mut list: &[u8], n: u32) -> Option<Vec<u32>> {
    // Each ordinal takes a byte, so the list bounds the allocation.
    let mut found = Vec::with_capacity((n as usize).min(list.len()));
    let mut last = None;
    while !list.is_empty() {
        let difference = varint(&mut list)?;
        let next = match last {
            None => difference,
            Some(last) => difference.checked_add(last).filter(|_| difference > 0)?,
        };
        found.push(next);
        last = Some(next);
    }
    (found.len() == n as usize).then_some(found)
}

/// Appends a checksum and the list; appends nothing for an empty list.
pub(super) fn push_summed(out: &mut Vec<u8>, list: &[u8]) {
    if !list.is_empty() {
        out.extend_from_slice(&crc32fast::hash(list).to_le_bytes());
        out.extend_from_slice(list);
    }
}

/// Returns the list that [`push_summed`] wrote; `None` if the checksum does not match.
pub(super) fn summed(bytes: &[u8]) -> Option<&[u8]> {
    if bytes.is_empty() {
        return Some(bytes);
    }
    let (sum, list) = bytes.split_first_chunk()?;
    (crc32fast::hash(list).to_le_bytes() == *sum).then_some(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_head_means_what_it_was_made_of() {
        for frequencies in
            [[0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 127, 0, 0, 0], [1, 0, 1, 1, 0, 1, 1], [0, 1, 0, 0, 0, 0, 0]]
        {
            let head = head(&frequencies);
            assert_ne!(head, 0);
            let posting = Postings::one(inline(77, head)).unwrap().next().unwrap();
            assert_eq!(posting, Posting { chunk: 77, fields: fields_of(&frequencies), frequencies });
        }
        assert_eq!(head(&[2, 0, 0, 0, 0, 0, 0]), 0);
        assert_eq!(head(&[0, 0, 0, 128, 0, 0, 0]), 0);
    }

    #[test]
    fn numbers_round_trip_and_overlong_ones_are_refused() {
        for n in [0, 1, 127, 128, 16_383, 16_384, u32::MAX] {
            let mut out = Vec::new();
            push_varint(&mut out, n);
            assert_eq!(varint(&mut out.as_slice()), Some(n));
        }
        assert_eq!(varint(&mut [0xff; 9].as_slice()), None);
        assert_eq!(varint(&mut [].as_slice()), None);
    }

    #[test]
    fn ordinals_must_ascend_and_be_as_many_as_declared() {
        assert_eq!(ascending(&[0, 1, 0x80, 0x01], 3), Some(vec![0, 1, 129]));
        assert_eq!(ascending(&[7], 1), Some(vec![7]));
        assert_eq!(ascending(&[], 0), Some(Vec::new()));
        assert_eq!(ascending(&[7, 0], 2), None, "one comes twice");
        assert_eq!(ascending(&[7, 1], 1), None, "more than declared");
        assert_eq!(ascending(&[7, 1], u32::MAX), None, "fewer than declared");
        assert_eq!(ascending(&[7, 0x80], 2), None, "cut short");
        assert_eq!(ascending(&[7, 0xff, 0xff, 0xff, 0xff, 0x0f], 2), None, "exceeds 32 bits");
    }

    #[test]
    fn a_list_with_another_checksum_is_refused() {
        let mut out = Vec::new();
        push_summed(&mut out, &[]);
        assert_eq!(summed(&out), Some(&[][..]));
        push_summed(&mut out, &[7, 8]);
        assert_eq!(summed(&out), Some(&[7, 8][..]));
        for at in 0..out.len() {
            let mut damaged = out.clone();
            damaged[at] ^= 1;
            assert_eq!(summed(&damaged), None);
            assert_eq!(summed(&out[..at]).filter(|_| at > 0), None);
        }
    }

    #[test]
    fn hostile_lists_end() {
        for bytes in [&[0x80u8, 0x80][..], &[5, 0], &[5, 0, 0x7f, 1], &[5, 1, 0, 1], &[0xff; 64]] {
            assert!(Postings::list(bytes, 9).count() < 9);
        }
    }
}
