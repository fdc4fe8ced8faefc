//! The sub-tokens of the built-in model in each chunk, for comparing it with a question word by
//! word.
//!
//! Owns [`SubToken`] and the byte format of lists of them (LAYOUT.md, `SUBT`, `SOFF`). Each chunk's
//! list carries its own checksum and is decoded on its own.

use super::postings::{push_summed, push_varint, summed, varint};
use super::{Result, narrow};
use crate::index::embed::{Bag, Places};

/// A sub-token of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubToken {
    /// Its number in the model's vocabulary.
    pub number: u16,
    /// Its places in the chunk, and how often it occurs there.
    pub places: Places,
}

/// Bits of coded [`Places`], above the count in the text.
const IN_HEAD: u8 = 0x40;
const AROUND: u8 = 0x80;

/// The commonest coded places. The class of each is its position plus one; class 0 says that the
/// coded places follow as a byte. They are part of the format.
const CLASSES: [u8; 7] = [1, 2, AROUND, IN_HEAD, 3, 4, IN_HEAD | 1];

/// Number of bits of a class, below the difference.
const CLASS_BITS: u32 = 3;

/// The sub-tokens of a run of chunks while a segment is built, already encoded.
#[derive(Debug, Default)]
pub(super) struct SubTokens {
    lists: Vec<u8>,
    /// By chunk, the end of its list.
    ends: Vec<u32>,
    /// Sub-tokens of the current chunk: the number, shifted by eight bits, and the coded places
    /// below it.
    scratch: Vec<u32>,
    list: Vec<u8>,
}

impl SubTokens {
    /// Adds the next chunk.
    pub(super) fn push(&mut self, bag: &Bag) -> Result<()> {
        self.scratch.clear();
        for (number, counts) in bag.entries() {
            let Places { in_head, in_text, is_around } = Places::of(counts);
            let bit = |is_set, bit| if is_set { bit } else { 0 };
            let coded = in_text | bit(in_head, IN_HEAD) | bit(is_around, AROUND);
            if coded > 0 {
                self.scratch.push(u32::from(number) << 8 | u32::from(coded));
            }
        }
        self.scratch.sort_unstable();
        self.list.clear();
        let mut last = 0;
        for &one in &self.scratch {
            let [coded, ..] = one.to_le_bytes();
            let class = (1..).zip(CLASSES).find(|&(_, common)| common == coded).map_or(0, |(class, _)| class);
            push_varint(&mut self.list, ((one >> 8) - last) << CLASS_BITS | class);
            if class == 0 {
                self.list.push(coded);
            }
            last = one >> 8;
        }
        push_summed(&mut self.lists, &self.list);
        self.ends.push(narrow(self.lists.len(), "bytes of sub-tokens")?);
        Ok(())
    }

    /// Returns the lists of all chunks, one after the other.
    pub(super) fn lists(&self) -> &[u8] {
        &self.lists
    }

    /// Frees what only further chunks need.
    pub(super) fn shrink(&mut self) {
        self.lists.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// Encodes the start of each chunk's list, one more than there are chunks. The lists are those of
/// the parts, one after the other.
pub(super) fn encode_offsets<'p>(parts: impl Iterator<Item = &'p SubTokens>) -> Result<Vec<u8>> {
    let (mut from, mut offsets) = (0, 0u32.to_le_bytes().to_vec());
    for part in parts {
        for &end in &part.ends {
            let end = narrow(from + end as usize, "bytes of sub-tokens")?;
            offsets.extend_from_slice(&end.to_le_bytes());
        }
        from += part.lists.len();
    }
    Ok(offsets)
}

/// Decodes a chunk's list, in order of the numbers; `None` for damaged bytes.
pub(super) fn decode(list: &[u8]) -> Option<Vec<SubToken>> {
    let mut rest = summed(list)?;
    // Most sub-tokens take two bytes.
    let mut found = Vec::with_capacity(rest.len() / 2);
    let mut last = 0u16;
    while !rest.is_empty() {
        let first = varint(&mut rest)?;
        let number = last.checked_add(u16::try_from(first >> CLASS_BITS).ok()?)?;
        let coded = match (first & ((1 << CLASS_BITS) - 1)).checked_sub(1) {
            Some(class) => *CLASSES.get(class as usize)?,
            None => {
                let (&coded, tail) = rest.split_first()?;
                rest = tail;
                coded
            }
        };
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
    use crate::index::embed::{Field, builtin};

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
        let encode = |parts: &[SubTokens]| {
            let lists: Vec<&[u8]> = parts.iter().map(SubTokens::lists).collect();
            (lists.concat(), encode_offsets(parts.iter()).unwrap())
        };
        let whole = encode(&[part(&bags)]);
        assert_eq!(whole, encode(&[part(&bags[..1]), part(&bags[1..])]));
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
        // Each has a byte or two for the number, and a class for its places.
        assert_eq!(offset(1), 4 + 1 + 1 + 2 + 1, "the places of the last are not among the commonest");
        let mut damaged = lists[..offset(1)].to_vec();
        damaged[5] ^= 1;
        assert_eq!(decode(&damaged), None);
        assert_eq!(decode(&lists[..3]), None);
    }
}
