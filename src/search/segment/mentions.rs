//! The mentions of each chunk: the names that it refers to, in the order of its record.
//!
//! This is the way from a chunk to names; the dictionary of references is the way from names to
//! chunks. Owns [`Mention`] and the byte format of lists of them (LAYOUT.md, `MENT`, `MOFF`,
//! `MSTR`).

use std::ops::Range;

use super::intern::Interner;
use super::postings::{push_summed, push_varint, summed, varint};
use super::{Error, Result, narrow};
use crate::index::chunk::ReferenceKind;

/// A name that a chunk refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mention<'s> {
    /// The kind of reference.
    pub kind: ReferenceKind,
    /// The last segment of the name; for a link its whole target.
    pub name: &'s str,
    /// The text before the name, or the module that it is imported from; may be empty.
    pub qualifier: &'s str,
    /// For an import, the local name if it differs; the name itself if the module is meant, and
    /// nothing in it (`import * as a`). For a call, the type or expression of its object, if the
    /// file says so. For `ReferenceKind::Gives`, the function or variable. Otherwise empty.
    pub alias: &'s str,
}

impl Mention<'_> {
    /// Returns whether it imports a module, and nothing in it: `import * as a`.
    pub fn is_namespace_import(&self) -> bool {
        self.kind == ReferenceKind::Import && self.alias == self.name
    }
}

/// Bits of the first byte of a coded mention: the kind, and flags for what follows the name.
const KIND: u8 = 0x07;
const QUALIFIER: u8 = 0x08;
const ALIAS: u8 = 0x10;

/// The mentions of a run of chunks while a segment is built. Strings are numbers in `strings`.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    strings: Interner,
    /// Kind and flags, name, then qualifier and alias as the flags say. Bytes, because a large
    /// repository has millions of mentions.
    coded: Vec<u8>,
    /// By chunk, the end of its mentions in `coded`.
    ends: Vec<u32>,
}

impl Mentions {
    /// Adds a mention to the current chunk; returns its place for [`Mentions::repeat`].
    pub(super) fn push(&mut self, mention: &Mention<'_>) -> Result<Range<usize>> {
        let mut number = |text: &str| {
            let full = Error::Limit { what: "referenced names" };
            Ok::<u32, Error>(self.strings.intern(text.as_bytes()).ok_or(full)?.0)
        };
        let mut head = mention.kind as u8 & KIND;
        let at = self.coded.len();
        self.coded.push(head);
        push_varint(&mut self.coded, number(mention.name)?);
        for (text, flag) in [(mention.qualifier, QUALIFIER), (mention.alias, ALIAS)] {
            if !text.is_empty() {
                head |= flag;
                push_varint(&mut self.coded, number(text)?);
            }
        }
        if let Some(first) = self.coded.get_mut(at) {
            *first = head;
        }
        Ok(at..self.coded.len())
    }

    /// Adds a mention that was pushed before to the current chunk, without looking its strings up.
    pub(super) fn repeat(&mut self, place: Range<usize>) {
        self.coded.extend_from_within(place);
    }

    /// Frees what only further mentions need.
    pub(super) fn shrink(&mut self) {
        self.strings.shrink();
        self.coded.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Ends the current chunk.
    pub(super) fn end_chunk(&mut self) -> Result<()> {
        self.ends.push(narrow(self.coded.len(), "bytes of references")?);
        Ok(())
    }
}

/// Encodes all parts' mentions as three sections: the lists, the start of each chunk's list, and
/// the strings.
///
/// There is one start more than there are chunks. Strings are in order of first appearance.
pub(super) fn encode(parts: &[Mentions]) -> Result<(Vec<u8>, Vec<u8>, Vec<u8>)> {
    let (mut lists, mut offsets, mut pool) = (Vec::new(), Vec::new(), Vec::new());
    let mut all = Interner::default();
    let mut starts: Vec<u32> = Vec::new();
    let mut list = Vec::new();
    offsets.extend_from_slice(&0u32.to_le_bytes());
    for part in parts {
        // By the part's number of a string: its offset in the pool plus one, or zero if not yet
        // looked up.
        let mut known = vec![0u32; part.strings.len()];
        let mut place = |number: u32| -> Result<u32> {
            let slot = known.get_mut(number as usize).ok_or(Error::Limit { what: "referenced names" })?;
            if *slot == 0 {
                let text = part.strings.get(number);
                let full = Error::Limit { what: "referenced names" };
                let (number, new) = all.intern(text).ok_or(full)?;
                if new {
                    starts.push(narrow(pool.len() + 1, "bytes of referenced names")?);
                    push_varint(&mut pool, narrow(text.len(), "bytes of a name")?);
                    pool.extend_from_slice(text);
                }
                *slot = starts.get(number as usize).copied().unwrap_or(0);
            }
            Ok(*slot - 1)
        };
        let mut from = 0;
        for &end in &part.ends {
            list.clear();
            let mut rest = part.coded.get(from as usize..end as usize).unwrap_or_default();
            while let Some((&head, tail)) = rest.split_first() {
                rest = tail;
                list.push(head);
                for _ in 0..=(head & (QUALIFIER | ALIAS)).count_ones() {
                    let number = varint(&mut rest).ok_or(Error::Limit { what: "referenced names" })?;
                    push_varint(&mut list, place(number)?);
                }
            }
            from = end;
            push_summed(&mut lists, &list);
            offsets.extend_from_slice(&narrow(lists.len(), "bytes of references")?.to_le_bytes());
        }
    }
    Ok((lists, offsets, pool))
}

/// Decodes those mentions of a chunk whose kinds `admits` accepts; `None` for damaged bytes.
///
/// `list` is the chunk's list, and `pool` holds the strings.
pub(super) fn decode<'s>(
    list: &'s [u8],
    pool: &'s [u8],
    admits: impl Fn(ReferenceKind) -> bool,
) -> Option<Vec<Mention<'s>>> {
    let mut rest = summed(list)?;
    let string = |at: u32| {
        let mut rest = pool.get(at as usize..)?;
        let len = varint(&mut rest)?;
        std::str::from_utf8(rest.get(..len as usize)?).ok()
    };
    let mut found = Vec::new();
    while let Some((&head, tail)) = rest.split_first() {
        rest = tail;
        let kind = kind(head & KIND)?;
        let name = varint(&mut rest)?;
        let mut optional = |bit: u8| if head & bit == 0 { Some(None) } else { varint(&mut rest).map(Some) };
        let (qualifier, alias) = (optional(QUALIFIER)?, optional(ALIAS)?);
        if admits(kind) {
            let or_empty = |at: Option<u32>| at.map_or(Some(""), string);
            let (qualifier, alias) = (or_empty(qualifier)?, or_empty(alias)?);
            found.push(Mention { kind, name: string(name)?, qualifier, alias });
        }
    }
    Some(found)
}

fn kind(code: u8) -> Option<ReferenceKind> {
    use ReferenceKind as K;
    [K::Call, K::Import, K::Type, K::Inherits, K::Link, K::Use, K::Gives]
        .into_iter()
        .find(|kind| *kind as u8 == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(chunks: &[&[Mention<'_>]]) -> Mentions {
        let mut part = Mentions::default();
        for chunk in chunks {
            for mention in *chunk {
                part.push(mention).unwrap();
            }
            part.end_chunk().unwrap();
        }
        part
    }

    #[test]
    fn a_repeated_mention_is_the_same_as_one_that_is_pushed_again() {
        let import = Mention { kind: ReferenceKind::Import, name: "b", qualifier: "a", alias: "c" };
        let call = Mention { kind: ReferenceKind::Call, name: "get", qualifier: "", alias: "" };
        let mut repeated = Mentions::default();
        let places = [import, call].map(|mention| repeated.push(&mention).unwrap());
        repeated.end_chunk().unwrap();
        places.into_iter().for_each(|place| repeated.repeat(place));
        repeated.end_chunk().unwrap();
        let pushed = part(&[&[import, call], &[import, call]]);
        assert_eq!(encode(&[repeated]).unwrap(), encode(&[pushed]).unwrap());
    }

    #[test]
    fn mentions_come_back_whatever_the_parts() {
        let call = Mention { kind: ReferenceKind::Call, name: "get", qualifier: "requests", alias: "" };
        let import = Mention { kind: ReferenceKind::Import, name: "b", qualifier: "a", alias: "größe" };
        let link = Mention { kind: ReferenceKind::Link, name: "doc/x.md", qualifier: "", alias: "" };
        let chunks: [&[Mention<'_>]; 3] = [&[call, import], &[], &[link, call]];
        let whole = encode(&[part(&chunks)]).unwrap();
        let halves = encode(&[part(&chunks[..1]), part(&chunks[1..])]).unwrap();
        assert_eq!(whole, halves);
        let (lists, offsets, pool) = whole;
        let offset = |at: usize| u32::from_le_bytes(offsets[at * 4..][..4].try_into().unwrap()) as usize;
        for (at, expected) in chunks.iter().enumerate() {
            assert_eq!(decode(&lists[offset(at)..offset(at + 1)], &pool, |_| true).unwrap(), *expected);
            let imports = decode(&lists[offset(at)..offset(at + 1)], &pool, |kind| kind == import.kind);
            let expected: Vec<Mention<'_>> =
                expected.iter().copied().filter(|one| one.kind == import.kind).collect();
            assert_eq!(imports.unwrap(), expected);
        }
        let mut damaged = lists[..offset(1)].to_vec();
        damaged[5] ^= 1;
        assert_eq!(decode(&damaged, &pool, |_| true), None);
        assert_eq!(decode(&lists[..offset(1)], &pool[..3], |_| true), None);
    }
}
