//! The keywords of a record: which string occurs in which chunk, and how often in which part.
//!
//! Owns [`put`] and [`ChunkKeywords`]. The bytes are ordered by string, like the postings of a
//! search engine. A reader turns them around, because everything that reads a record reads it chunk
//! by chunk. All counts come after all chunks: alike bytes side by side compress better, and a
//! chunk that moves leaves the counts as they are.

use super::by_chunk::ByChunk;
use super::bytes::{Reader, put_varint};
use super::{Error, Keyword, limits};

/// Bit of an entry that is the last of its string.
const IS_LAST: u64 = 1;
/// Bit of an entry that has counts. Without it, the token occurs once, outside comments and
/// signatures.
const HAS_COUNTS: u64 = 2;
/// Bits below the distance from the chunk before.
const FLAGS: u32 = 2;
/// The counts of an entry without [`HAS_COUNTS`].
const ONCE: u8 = 1;
/// Counts of an entry that were not read yet.
const UNREAD: u8 = 0;

/// An occurrence of a string as a token of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Posting {
    /// Ordinal of the string.
    pub(super) string: u32,
    pub(super) chunk: u32,
    /// Bits 0–3: body; 4–6: doc; 7: signature.
    pub(super) counts: u8,
}

/// Packs the counts of a keyword into a byte.
pub(super) fn counts(keyword: &Keyword) -> u8 {
    keyword.body.min(15) | keyword.doc.min(7) << 4 | keyword.signature.min(1) << 7
}

/// Appends the rows of all strings, then the counts; `postings` are sorted.
pub(super) fn put(out: &mut Vec<u8>, n_strings: usize, postings: &[Posting]) {
    let mut rest = postings;
    for string in 0..n_strings {
        let n = rest.iter().take_while(|posting| posting.string as usize == string).count();
        let (row, after) = rest.split_at(n);
        rest = after;
        if row.is_empty() {
            put_varint(out, 0);
        }
        let mut next = 0;
        for (i, posting) in row.iter().enumerate() {
            let distance = u64::from(posting.chunk + 1 - next);
            next = posting.chunk + 1;
            let is_last = if i + 1 == n { IS_LAST } else { 0 };
            let has_counts = if posting.counts == ONCE { 0 } else { HAS_COUNTS };
            put_varint(out, distance << FLAGS | has_counts | is_last);
        }
    }
    out.extend(postings.iter().map(|posting| posting.counts).filter(|&counts| counts != ONCE));
}

/// The keywords of a record by chunk.
#[derive(Debug, Default)]
pub(super) struct ChunkKeywords {
    read: Vec<Posting>,
    by_chunk: ByChunk<(u32, u8)>,
}

impl ChunkKeywords {
    /// Reads the rows of all strings, and the counts.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    pub(super) fn read(
        &mut self,
        rows: &mut Reader<'_>,
        n_strings: usize,
        n_chunks: u32,
    ) -> Result<(), Error> {
        self.read.clear();
        for string in 0..n_strings {
            let string = u32::try_from(string).map_err(|_| rows.corrupt("too many strings"))?;
            let mut next = 0u64;
            loop {
                let head = rows.varint()?;
                if head == 0 && next == 0 {
                    break;
                }
                let distance = head >> FLAGS;
                next = next.saturating_add(distance);
                let chunk = u32::try_from(next).ok().and_then(|next| next.checked_sub(1));
                let Some(chunk) = chunk.filter(|&chunk| distance > 0 && chunk < n_chunks) else {
                    return Err(rows.corrupt("keyword of an unknown chunk"));
                };
                let counts = if head & HAS_COUNTS == 0 { ONCE } else { UNREAD };
                if self.read.len() >= limits::TOKENS {
                    let bound = limits::TOKENS as u64;
                    return Err(Error::Limit { what: "record", unit: "tokens", found: bound + 1, bound });
                }
                self.read.push(Posting { string, chunk, counts });
                if head & IS_LAST != 0 {
                    break;
                }
            }
        }
        for posting in self.read.iter_mut().filter(|posting| posting.counts == UNREAD) {
            posting.counts = rows.u8()?;
        }
        let read = self.read.iter().map(|one| (one.chunk, (one.string, one.counts)));
        self.by_chunk.fill(n_chunks, read);
        Ok(())
    }

    /// Returns the tokens of a chunk with their packed counts, by ordinals of strings.
    pub(super) fn of(&self, chunk: u32) -> &[(u32, u8)] {
        self.by_chunk.of(chunk)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::collection::btree_map;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn postings_come_back_by_chunk(entries in btree_map((0u32..9, 0u32..40), any::<u8>(), 0..60)) {
            let postings: Vec<Posting> = entries
                .iter()
                .map(|(&(string, chunk), &counts)| Posting { string, chunk, counts })
                .collect();
            let mut out = Vec::new();
            put(&mut out, 9, &postings);
            let mut reader = Reader::new("record", &out, 0);
            let mut read = ChunkKeywords::default();
            read.read(&mut reader, 9, 40).unwrap();
            prop_assert!(reader.is_at_end());
            for chunk in 0..40 {
                let expected: Vec<(u32, u8)> = postings
                    .iter()
                    .filter(|posting| posting.chunk == chunk)
                    .map(|posting| (posting.string, posting.counts))
                    .collect();
                prop_assert_eq!(read.of(chunk), &expected);
            }
        }
    }

    /// If a chunk is inserted, the ordinals of those after it change, and no other byte.
    #[test]
    fn counts_come_after_all_chunks() {
        let from = |first: u32| {
            let mut out = Vec::new();
            let postings: Vec<Posting> =
                (0..5).map(|string| Posting { string, chunk: first + string, counts: 0x12 }).collect();
            put(&mut out, 5, &postings);
            out
        };
        let (old, new) = (from(0), from(1));
        assert_eq!((old.len(), new.len()), (10, 10));
        assert!(old.iter().zip(&new).take(5).all(|(a, b)| a != b));
        assert_eq!(old.get(5..), new.get(5..));
        assert_eq!(old.get(5..), Some(&[0x12; 5][..]));
    }

    #[test]
    fn tokens_are_bounded() {
        // Each byte is a token of the next chunk.
        let n = limits::TOKENS;
        let mut bytes = vec![0b100; n - 1];
        bytes.push(0b101);
        let n_chunks = u32::try_from(n).unwrap() + 1;
        let read =
            |bytes: &[u8]| ChunkKeywords::default().read(&mut Reader::new("record", bytes, 0), 1, n_chunks);
        assert!(read(&bytes).is_ok());
        bytes.insert(0, 0b100);
        assert!(matches!(read(&bytes), Err(Error::Limit { unit: "tokens", .. })));
    }

    #[test]
    fn a_chunk_outside_the_record_is_corrupt() {
        let read =
            |bytes: &[u8]| ChunkKeywords::default().read(&mut Reader::new("record", bytes, 0), 1, 2).is_ok();
        assert!(read(&[0]) && read(&[0b101]) && read(&[0b100, 0b101]));
        assert!(!read(&[0b1101]) && !read(&[0b1]) && !read(&[0b100, 0b1]) && !read(&[0b100, 0]));
        assert!(!read(&[]) && !read(&[0b111]) && !read(&[0xff; 10]));
    }
}
