//! Which sub-tokens of the built-in model each chunk has: what a chunk is compared with a question by, word by word.
//!
//! Owns [`SubToken`], and how lists of them are coded (LAYOUT.md, `SUBT`, `SOFF`).

use super::postings::{push_varint, varint};
use super::{Result, narrow};
use crate::embed::{Bag, Field, Places};

/// A sub-token of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubToken {
    /// Its number in the model's vocabulary.
    pub number: u16,
    /// Where it is, and how often.
    pub places: Places,
}

/// Counts above this say no more.
const MOST: u16 = 63;

/// Bits of a coded [`Places`], above those of the count.
const IN_HEAD: u8 = 0x40;
const AROUND: u8 = 0x80;

/// Bytes of the checksum before each list.
const SUM: usize = 4;

/// The sub-tokens of a run of chunks while a segment is built, as they will be written.
#[derive(Debug, Default)]
pub(super) struct SubTokens {
    lists: Vec<u8>,
    /// By chunk, the end of its list.
    ends: Vec<u32>,
    scratch: Vec<(u16, u8)>,
}

impl SubTokens {
    /// Adds the next chunk.
    pub(super) fn push(&mut self, bag: &Bag) -> Result<()> {
        self.scratch.clear();
        for (number, counts) in bag.entries() {
            let count = |field: Field| counts.get(field as usize).copied().unwrap_or_default();
            let has = |fields: &[Field]| fields.iter().any(|&field| count(field) > 0);
            let in_text = count(Field::Body).saturating_add(count(Field::Doc));
            let mut coded = u8::try_from(in_text.min(MOST)).unwrap_or(0);
            for (bit, fields) in [
                (IN_HEAD, &[Field::Symbol, Field::Signature][..]),
                (AROUND, &[Field::Scope, Field::Stem, Field::Directory]),
            ] {
                coded |= if has(fields) { bit } else { 0 };
            }
            if coded > 0 {
                self.scratch.push((number, coded));
            }
        }
        if !self.scratch.is_empty() {
            self.scratch.sort_unstable();
            let sum_at = self.lists.len();
            self.lists.extend_from_slice(&[0; SUM]);
            let mut last = 0;
            for &(number, coded) in &self.scratch {
                push_varint(&mut self.lists, u32::from(number - last));
                self.lists.push(coded);
                last = number;
            }
            if let Some((sum, list)) =
                self.lists.get_mut(sum_at..).and_then(|list| list.split_at_mut_checked(SUM))
            {
                sum.copy_from_slice(&crc32fast::hash(list).to_le_bytes());
            }
        }
        self.ends.push(narrow(self.lists.len(), "bytes of sub-tokens")?);
        Ok(())
    }
}

/// The two sections of all parts' sub-tokens: lists, and where each chunk's begins (one more than there are chunks).
pub(super) fn encode<'p>(parts: impl Iterator<Item = &'p SubTokens>) -> Result<(Vec<u8>, Vec<u8>)> {
    let (mut lists, mut offsets) = (Vec::new(), 0u32.to_le_bytes().to_vec());
    for part in parts {
        let from = lists.len();
        lists.extend_from_slice(&part.lists);
        for &end in &part.ends {
            let end = narrow(from + end as usize, "bytes of sub-tokens")?;
            offsets.extend_from_slice(&end.to_le_bytes());
        }
    }
    Ok((lists, offsets))
}

/// Decodes a chunk's list, in order of the numbers. `None` for damaged bytes.
pub(super) fn decode(list: &[u8]) -> Option<Vec<SubToken>> {
    if list.is_empty() {
        return Some(Vec::new());
    }
    let (sum, mut rest) = list.split_first_chunk::<SUM>()?;
    if crc32fast::hash(rest).to_le_bytes() != *sum {
        return None;
    }
    let mut found = Vec::with_capacity(rest.len() / 2);
    let mut last = 0u16;
    while !rest.is_empty() {
        let number = last.checked_add(u16::try_from(varint(&mut rest)?).ok()?)?;
        let (&coded, tail) = rest.split_first()?;
        rest = tail;
        let has = |bit| coded & bit != 0;
        let (in_head, is_around) = (has(IN_HEAD), has(AROUND));
        let in_text = coded & (IN_HEAD - 1);
        found.push(SubToken { number, places: Places { in_head, in_text, is_around } });
        last = number;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::builtin;

    fn bag(entries: &[(u32, Field, u16)]) -> Bag {
        let mut bag = Bag::new(builtin());
        for &(number, field, count) in entries {
            bag.add(number, field, count);
        }
        bag
    }

    #[test]
    fn sub_tokens_come_back_whatever_the_parts() {
        let bags = [
            bag(&[
                (700, Field::Body, 2),
                (5, Field::Symbol, 1),
                (700, Field::Signature, 1),
                (9, Field::Stem, 3),
            ]),
            bag(&[]),
            bag(&[(15_000, Field::Doc, 1), (15_000, Field::Body, 200)]),
        ];
        let part = |bags: &[Bag]| {
            let mut part = SubTokens::default();
            bags.iter().for_each(|bag| part.push(bag).unwrap());
            part
        };
        let whole = encode([part(&bags)].iter()).unwrap();
        assert_eq!(whole, encode([part(&bags[..1]), part(&bags[1..])].iter()).unwrap());
        let (lists, offsets) = whole;
        let offset = |at: usize| u32::from_le_bytes(offsets[at * 4..][..4].try_into().unwrap()) as usize;
        let of = |at: usize| decode(&lists[offset(at)..offset(at + 1)]).unwrap();
        let none = Places::default();
        let one = |number, places| SubToken { number, places };
        assert_eq!(
            of(0),
            [
                one(5, Places { in_head: true, ..none }),
                one(9, Places { is_around: true, ..none }),
                one(700, Places { in_head: true, in_text: 2, ..none }),
            ]
        );
        assert_eq!(of(1), []);
        assert_eq!(of(2), [one(15_000, Places { in_text: 63, ..none })]);
        let mut damaged = lists[..offset(1)].to_vec();
        damaged[5] ^= 1;
        assert_eq!(decode(&damaged), None);
        assert_eq!(decode(&lists[..3]), None);
    }
}
