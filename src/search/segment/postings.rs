//! Posting lists: the chunks that have a term, with its frequency in each field.
//!
//! Owns [`Posting`] and the codec. A list is a sequence of postings in order of their chunks. A
//! posting begins with a LEB128 number: the difference to the chunk before (for the first, the
//! ordinal itself), and below it the class of its frequencies. A class names one of the commonest
//! frequencies ([`super::frequencies`]). Class 0 says that a byte follows, which names another row
//! of that table, or 255. After 255 come a byte of fields and a byte with the frequency of each of
//! them, in order.
//!
//! Most postings take one byte. A list of one posting has no bytes at all, unless its frequencies
//! are written out: the dictionary's value holds it.

use super::field::{Field, N_FIELDS};
use super::frequencies::{CLASS_BITS, EXPLICIT, N_CLASSES, Row, place, row};
use super::{Error, Result, narrow};

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

/// Bits of a posting's first number that hold its class.
const CLASS: u32 = (1 << CLASS_BITS) - 1;

/// Number of chunks that a segment may have, so that an ordinal and a class fit in 32 bits.
const MAX_CHUNKS: u32 = 1 << (u32::BITS - CLASS_BITS);

/// Bits that each field has one of.
const ALL_FIELDS: u8 = (1 << N_FIELDS) - 1;

/// Returns a number of chunks, if postings can name all of them.
pub(super) fn n_chunks(n: usize) -> Result<u32> {
    let n = narrow(n, "chunks")?;
    if n > MAX_CHUNKS { Err(Error::Limit { what: "chunks" }) } else { Ok(n) }
}

/// Calls `push` with each byte of a posting, until it fails.
pub(super) fn encode(
    difference: u32,
    frequencies: &[u8; N_FIELDS],
    mut push: impl FnMut(u8) -> Option<()>,
) -> Option<()> {
    let place = place(frequencies).map(usize::from);
    let class = place.filter(|&place| place < N_CLASSES).map_or(0, |place| place + 1);
    encode_varint(difference << CLASS_BITS | u32::try_from(class).ok()?, &mut push)?;
    if class > 0 {
        return Some(());
    }
    if let Some(place) = place {
        return push(u8::try_from(place - N_CLASSES).ok()?);
    }
    push(EXPLICIT)?;
    push(fields_of(frequencies))?;
    frequencies.iter().filter(|&&n| n > 0).try_for_each(|&n| push(n))
}

fn fields_of(frequencies: &[u8; N_FIELDS]) -> u8 {
    frequencies.iter().enumerate().fold(0, |bits, (i, &n)| if n > 0 { bits | 1 << i } else { bits })
}

/// Returns the dictionary value that holds a whole list of one posting; `None` if its frequencies
/// are written out.
pub(super) fn inline(mut list: &[u8]) -> Option<u64> {
    let number = varint(&mut list)?;
    let (chunk, class) = (u64::from(number >> CLASS_BITS), u64::from(number & CLASS));
    let rest = match (class, list.first()) {
        (0, None | Some(&EXPLICIT)) => return None,
        (0, Some(&byte)) => chunk << u8::BITS | u64::from(byte),
        _ => chunk,
    };
    Some(rest << (CLASS_BITS + 1) | class << 1 | 1)
}

/// The postings of one term in one segment, in order of their chunks.
///
/// Iteration ends early at bytes that are not a posting; [`Postings::n_declared`] then differs from
/// the number of postings returned.
#[derive(Debug, Clone)]
pub struct Postings<'s> {
    bytes: &'s [u8],
    single: Option<(u32, &'static Row)>,
    previous: u32,
    first: bool,
    n: u32,
}

impl<'s> Postings<'s> {
    pub(super) fn empty() -> Self {
        Self { bytes: &[], single: None, previous: 0, first: true, n: 0 }
    }

    /// Returns the list of one posting that a dictionary's value holds; `None` for a value that
    /// [`inline`] does not give.
    pub(super) fn one(value: u64) -> Option<Self> {
        let class = usize::try_from(value >> 1 & u64::from(CLASS)).ok()?;
        let rest = value >> (CLASS_BITS + 1);
        let (chunk, place) = match class.checked_sub(1) {
            Some(place) => (rest, place),
            None => (rest >> u8::BITS, N_CLASSES + usize::from(rest.to_le_bytes()[0])),
        };
        let chunk = u32::try_from(chunk).ok().filter(|&chunk| chunk < MAX_CHUNKS)?;
        Some(Self { single: Some((chunk, row(place)?)), n: 1, ..Self::empty() })
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
    /// One count for each field, in order.
    Each(&'s [u8]),
}

impl<'s> Postings<'s> {
    /// Returns the next posting as it is stored.
    #[inline]
    pub(crate) fn next_raw(&mut self) -> Option<RawPosting<'s>> {
        if let Some((chunk, row)) = self.single.take() {
            return Some(RawPosting::of_row(chunk, row));
        }
        let number = varint(&mut self.bytes)?;
        let difference = number >> CLASS_BITS;
        let chunk = self.previous.checked_add(difference)?;
        if difference == 0 && !self.first {
            return None;
        }
        self.first = false;
        self.previous = chunk;
        let place = match (number & CLASS) as usize {
            0 => N_CLASSES + usize::from(self.byte()?),
            class => class - 1,
        };
        // The byte 255 names the row behind the last one.
        if let Some(row) = row(place) {
            return Some(RawPosting::of_row(chunk, row));
        }
        let fields = self.byte()? & ALL_FIELDS;
        let (counts, rest) = self.bytes.split_at_checked(fields.count_ones() as usize)?;
        self.bytes = rest;
        Some(RawPosting { chunk, fields, counts: Counts::Each(counts) })
    }
}

impl RawPosting<'_> {
    #[inline]
    fn of_row(chunk: u32, row: &'static Row) -> Self {
        let counts = match row.counts() {
            &[n] if row.fields == Field::Body.bit() => Counts::Body(n),
            counts => Counts::Each(counts),
        };
        Self { chunk, fields: row.fields, counts }
    }
}

impl Iterator for Postings<'_> {
    type Item = Posting;

    fn next(&mut self) -> Option<Posting> {
        let RawPosting { chunk, fields, counts } = self.next_raw()?;
        let mut frequencies = [0; N_FIELDS];
        let mut each = match counts {
            Counts::Each(counts) => counts.iter(),
            Counts::Body(_) => [].iter(),
        };
        for (_, n) in frequencies.iter_mut().enumerate().filter(|(i, _)| fields >> i & 1 == 1) {
            *n = match counts {
                Counts::Body(n) => n,
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

/// Calls `push` with each byte of a LEB128 number, until it fails.
#[inline]
pub(super) fn encode_varint(mut value: u32, mut push: impl FnMut(u8) -> Option<()>) -> Option<()> {
    while value >= 0x80 {
        push((value & 0x7f) as u8 | 0x80)?;
        value >>= 7;
    }
    push((value & 0x7f) as u8)
}

/// Appends a LEB128 number.
pub(super) fn push_varint(out: &mut Vec<u8>, value: u32) {
    // Pushing does not fail.
    encode_varint(value, |byte| {
        out.push(byte);
        Some(())
    });
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

    fn encode_to(list: &mut Vec<u8>, difference: u32, frequencies: &[u8; N_FIELDS]) {
        let push = |byte| {
            list.push(byte);
            Some(())
        };
        encode(difference, frequencies, push).unwrap();
    }

    #[test]
    fn frequencies_come_back_in_the_fewest_bytes() {
        // A class; a byte; a byte for "written out", one for the field, and one for its frequency.
        for (frequencies, n_bytes) in [
            ([0, 0, 0, 1, 0, 0, 0], 1),
            ([0, 0, 0, 2, 0, 0, 0], 1),
            ([0, 0, 0, 9, 0, 0, 0], 2),
            ([1, 1, 0, 1, 0, 0, 0], 2),
            ([0, 0, 0, 127, 0, 0, 0], 4),
            ([9, 0, 0, 0, 0, 0, 255], 5),
        ] {
            let mut list = Vec::new();
            encode_to(&mut list, 0, &frequencies);
            assert_eq!(list.len(), n_bytes);
            let first: Vec<Posting> = Postings::list(&list, 1).collect();
            assert_eq!(first, [Posting { chunk: 0, fields: fields_of(&frequencies), frequencies }]);
            encode_to(&mut list, 15, &frequencies);
            assert_eq!(list.len(), n_bytes * 2, "a difference of up to 15 takes no byte of its own");
            encode_to(&mut list, MAX_CHUNKS - 16, &frequencies);
            let chunks: Vec<u32> = Postings::list(&list, 3).map(|posting| posting.chunk).collect();
            assert_eq!(chunks, [0, 15, MAX_CHUNKS - 1]);
            assert!(Postings::list(&list, 3).all(|posting| posting.frequencies == frequencies));
        }
    }

    #[test]
    fn a_single_posting_is_in_the_value_unless_it_is_written_out() {
        for chunk in [0, 77, MAX_CHUNKS - 1] {
            for frequencies in [[0, 0, 0, 1, 0, 0, 0], [1, 1, 0, 1, 0, 0, 0], [0, 0, 0, 9, 0, 0, 0]] {
                let mut list = Vec::new();
                encode_to(&mut list, chunk, &frequencies);
                let value = inline(&list).unwrap();
                assert_eq!(value & 1, 1);
                let found: Vec<Posting> = Postings::one(value).unwrap().collect();
                assert_eq!(found, [Posting { chunk, fields: fields_of(&frequencies), frequencies }]);
            }
        }
        let mut list = Vec::new();
        encode_to(&mut list, 7, &[0, 0, 0, 127, 0, 0, 0]);
        assert_eq!(inline(&list), None);
        assert!(Postings::one(u64::MAX).is_none(), "there is no such chunk");
        assert!(Postings::one((7 << 8 | u64::from(EXPLICIT)) << 4 | 1).is_none(), "nothing follows a value");
    }

    #[test]
    fn more_chunks_than_postings_can_name_are_refused() {
        assert_eq!(n_chunks(MAX_CHUNKS as usize).unwrap(), MAX_CHUNKS);
        assert!(matches!(n_chunks(MAX_CHUNKS as usize + 1), Err(Error::Limit { .. })));
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
        // Cut short in each place; a difference of 0; a sum beyond 32 bits.
        for bytes in [
            &[0x80u8, 0x80][..],
            &[5 << 3],
            &[5 << 3, EXPLICIT],
            &[5 << 3, EXPLICIT, 0x7f, 1],
            &[5 << 3 | 1, 1],
            &[0xff; 64],
            &[0xf9, 0xff, 0xff, 0xff, 0x0f].repeat(12),
        ] {
            assert!(Postings::list(bytes, 12).count() < 12, "{bytes:?}");
        }
    }
}
