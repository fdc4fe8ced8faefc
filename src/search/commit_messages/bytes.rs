//! The cached form of commit messages.
//!
//! [`CommitMessages`] ↔ bytes: a version and a checksum, then the arrays of its strings and lists,
//! each as a length and its numbers. Decoding checks everything, so no user of decoded messages can
//! run longer than its bytes are long. The arrays are views into the bytes: copying them would take
//! longer than checking them.

use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::search::segment::Bytes;

use super::{COMMITS, CommitMessages, MOST_FILES};

/// The version of the format; raise it if the bytes or their meaning change.
pub const VERSION: u32 = 1;

/// Maximum length of encoded commit messages, in bytes.
pub const MAX_BYTES: usize = 16 << 20;

/// The reason why encoded commit messages cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("corrupt history: {0}")]
pub struct CorruptCommitMessages(&'static str);

/// A view into the bytes of commit messages.
#[derive(Clone, Default)]
pub(super) struct Slice {
    all: Option<Arc<Bytes>>,
    range: Range<usize>,
}

/// An array of 32-bit little-endian numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Words(Slice);

/// Concatenated byte strings, with the end of each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Strings {
    ends: Words,
    bytes: Slice,
}

/// Concatenated lists of numbers, with the end of each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Lists {
    ends: Words,
    items: Words,
}

impl CommitMessages {
    /// Encodes the messages for [`CommitMessages::decode`]; `None` if that takes more than
    /// [`MAX_BYTES`].
    pub fn encode(&self) -> Option<Vec<u8>> {
        let mut body = narrow(self.id_len).to_le_bytes().to_vec();
        let mut put = |bytes: &[u8], n: usize| {
            body.extend_from_slice(&narrow(n).to_le_bytes());
            body.extend_from_slice(bytes);
        };
        put(&self.ids, self.ids.len());
        for strings in [&self.paths, &self.terms] {
            put(&strings.ends.0, strings.ends.len());
            put(&strings.bytes, strings.bytes.len());
        }
        for lists in [&self.changed, &self.said] {
            put(&lists.ends.0, lists.ends.len());
            put(&lists.items.0, lists.items.len());
        }
        let mut out = VERSION.to_le_bytes().to_vec();
        out.extend_from_slice(&crc32fast::hash(&body).to_le_bytes());
        out.append(&mut body);
        (out.len() <= MAX_BYTES).then_some(out)
    }

    /// Decodes the bytes of [`CommitMessages::encode`].
    ///
    /// # Errors
    /// [`CorruptCommitMessages`] for any other bytes; the messages have to be gathered again.
    pub fn decode(bytes: Vec<u8>) -> Result<Self, CorruptCommitMessages> {
        Self::open(Bytes::Owned(bytes))
    }

    /// Decodes the bytes of a file, which may be mapped.
    pub(crate) fn open(bytes: Bytes) -> Result<Self, CorruptCommitMessages> {
        let bytes = Arc::new(bytes);
        let mut reader = Reader { range: 0..bytes.len(), all: &bytes };
        if reader.word()? != VERSION {
            return Err(CorruptCommitMessages("it has another version"));
        }
        if reader.word()? != crc32fast::hash(&reader.rest()) {
            return Err(CorruptCommitMessages("it does not match its checksum"));
        }
        let id_len = reader.word()? as usize;
        let ids = reader.bytes()?;
        if !matches!(id_len, 20 | 32) || !ids.len().is_multiple_of(id_len) || ids.len() / id_len > COMMITS {
            return Err(CorruptCommitMessages("its commit ids are incomplete"));
        }
        let n_commits = ids.len() / id_len;
        let (paths, terms) = (reader.strings()?, reader.strings()?);
        let changed = reader.lists(n_commits, paths.len())?;
        let said = reader.lists(terms.len(), n_commits)?;
        if (0..n_commits).any(|commit| changed.get(commit).len() > MOST_FILES) {
            return Err(CorruptCommitMessages("a commit changed too many files"));
        }
        if !reader.range.is_empty() {
            return Err(CorruptCommitMessages("it does not end where it should"));
        }
        Ok(Self { ids, id_len, paths, changed, terms, said })
    }
}

/// The rest of the bytes to decode.
struct Reader<'b> {
    all: &'b Arc<Bytes>,
    range: Range<usize>,
}

impl Reader<'_> {
    fn rest(&self) -> Slice {
        Slice { all: Some(Arc::clone(self.all)), range: self.range.clone() }
    }

    fn take(&mut self, n: usize) -> Result<Slice, CorruptCommitMessages> {
        if n > self.range.len() {
            return Err(CorruptCommitMessages("it ends too early"));
        }
        let taken = Slice { range: self.range.start..self.range.start + n, ..self.rest() };
        self.range.start += n;
        Ok(taken)
    }

    fn word(&mut self) -> Result<u32, CorruptCommitMessages> {
        Ok(Words(self.take(4)?).get(0).unwrap_or_default())
    }

    fn bytes(&mut self) -> Result<Slice, CorruptCommitMessages> {
        let n = self.word()? as usize;
        self.take(n)
    }

    fn words(&mut self) -> Result<Words, CorruptCommitMessages> {
        let n = self.word()? as usize;
        Ok(Words(self.take(n.checked_mul(4).ok_or(CorruptCommitMessages("it ends too early"))?)?))
    }

    /// Reads strings, which must be sorted and unique.
    fn strings(&mut self) -> Result<Strings, CorruptCommitMessages> {
        let strings = Strings { ends: self.words()?, bytes: self.bytes()? };
        are_ends(&strings.ends, strings.bytes.len())?;
        if !strings.iter().is_sorted_by(|a, b| a < b) {
            return Err(CorruptCommitMessages("its strings are not in order"));
        }
        Ok(strings)
    }

    /// Reads `n` lists of numbers below `bound`, each of which must be sorted and unique.
    fn lists(&mut self, n: usize, bound: usize) -> Result<Lists, CorruptCommitMessages> {
        let lists = Lists { ends: self.words()?, items: self.words()? };
        are_ends(&lists.ends, lists.items.len())?;
        let is_list = |at| {
            lists.get(at).is_sorted_by(|a, b| a < b)
                && lists.get(at).last().is_none_or(|last| (last as usize) < bound)
        };
        if lists.ends.len() != n || !(0..n).all(is_list) {
            return Err(CorruptCommitMessages("its lists are invalid"));
        }
        Ok(lists)
    }
}

/// Checks that these are the ends of concatenated items of the given total length.
fn are_ends(ends: &Words, len: usize) -> Result<(), CorruptCommitMessages> {
    let last = ends.iter().last().map_or(0, |end| end as usize);
    if last == len && ends.iter().is_sorted() {
        Ok(())
    } else {
        Err(CorruptCommitMessages("its lengths don't match"))
    }
}

impl From<Vec<u8>> for Slice {
    fn from(bytes: Vec<u8>) -> Self {
        Self { range: 0..bytes.len(), all: Some(Arc::new(Bytes::Owned(bytes))) }
    }
}

impl Deref for Slice {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.all.as_ref().and_then(|all| all.get(self.range.clone())).unwrap_or_default()
    }
}

impl PartialEq for Slice {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Slice {}

impl std::fmt::Debug for Slice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        bstr::BStr::new(&**self).fmt(f)
    }
}

impl Words {
    fn len(&self) -> usize {
        self.0.len() / 4
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator {
        self.range(0..self.len())
    }

    fn get(&self, at: usize) -> Option<u32> {
        self.0.as_chunks::<4>().0.get(at).map(|word| u32::from_le_bytes(*word))
    }

    /// Returns the range from the end before to this one, if the numbers are ends.
    fn run(&self, at: usize) -> Option<Range<usize>> {
        let start = at.checked_sub(1).and_then(|before| self.get(before)).map_or(0, |end| end as usize);
        Some(start..self.get(at)? as usize)
    }

    /// Returns the numbers of a range; none if it is out of bounds.
    fn range(&self, range: Range<usize>) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator {
        let words = self.0.as_chunks::<4>().0.get(range).unwrap_or_default();
        words.iter().map(|word| u32::from_le_bytes(*word))
    }
}

impl FromIterator<u32> for Words {
    fn from_iter<I: IntoIterator<Item = u32>>(words: I) -> Self {
        Self(words.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>().into())
    }
}

impl Strings {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map_while(|at| self.get(at))
    }

    pub(super) fn get(&self, at: usize) -> Option<&[u8]> {
        self.bytes.get(self.ends.run(at)?)
    }

    /// Returns the position of a string, if the strings are sorted.
    pub(super) fn find(&self, wanted: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.get(middle)?.cmp(wanted) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }
}

impl<'s> FromIterator<&'s [u8]> for Strings {
    fn from_iter<I: IntoIterator<Item = &'s [u8]>>(strings: I) -> Self {
        let mut bytes = Vec::new();
        let ends = strings.into_iter().map(|string| {
            bytes.extend_from_slice(string);
            narrow(bytes.len())
        });
        Self { ends: ends.collect(), bytes: bytes.into() }
    }
}

impl Lists {
    pub(super) fn get(&self, at: usize) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator {
        self.items.range(self.ends.run(at).unwrap_or_default())
    }
}

impl<L: IntoIterator<Item = u32>> FromIterator<L> for Lists {
    fn from_iter<I: IntoIterator<Item = L>>(lists: I) -> Self {
        let mut items = Vec::new();
        let ends = lists.into_iter().map(|list| {
            items.extend(list);
            narrow(items.len())
        });
        Self { ends: ends.collect(), items: items.into_iter().collect() }
    }
}

/// Converts a count to 32 bits. Counts are bounded far below the limit: some hundreds of files and
/// terms for each of some thousands of commits.
pub(super) fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
