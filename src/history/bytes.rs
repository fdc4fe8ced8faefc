//! The cached form of a history: the arrays of its strings and lists, each its length and its numbers, behind a version
//! and a checksum.
//!
//! What is read is checked whole, so that nothing that uses it can run longer than the bytes are long.

use super::{COMMITS, History, MOST_FILES};

/// Raised with each change of what is written, or of what it means.
pub const VERSION: u32 = 1;

/// Nothing that is kept is larger, in bytes.
pub const MAX_BYTES: usize = 16 << 20;

/// Why a history can't be used.
#[derive(Debug, thiserror::Error)]
#[error("corrupt history: {0}")]
pub struct Corrupt(&'static str);

/// Byte strings, one behind the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Strings {
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

/// Lists of numbers, one behind the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl History {
    /// The bytes that [`History::decode`] reads, unless they are more than [`MAX_BYTES`].
    pub fn encode(&self) -> Option<Vec<u8>> {
        let mut body = narrow(self.id_len).to_le_bytes().to_vec();
        put_bytes(&mut body, &self.ids);
        for strings in [&self.paths, &self.terms] {
            put_words(&mut body, &strings.ends);
            put_bytes(&mut body, &strings.bytes);
        }
        for lists in [&self.changed, &self.said] {
            put_words(&mut body, &lists.ends);
            put_words(&mut body, &lists.items);
        }
        let mut out = VERSION.to_le_bytes().to_vec();
        out.extend_from_slice(&crc32fast::hash(&body).to_le_bytes());
        out.append(&mut body);
        (out.len() <= MAX_BYTES).then_some(out)
    }

    /// Reads what [`History::encode`] wrote.
    ///
    /// # Errors
    /// [`Corrupt`] for anything else; it is to be gathered again.
    pub fn decode(bytes: &[u8]) -> Result<Self, Corrupt> {
        let mut reader = Reader(bytes);
        if reader.word()? != VERSION {
            return Err(Corrupt("it is of another version"));
        }
        if reader.word()? != crc32fast::hash(reader.0) {
            return Err(Corrupt("it does not match its checksum"));
        }
        let id_len = reader.word()? as usize;
        let ids = reader.bytes()?;
        if !matches!(id_len, 20 | 32) || !ids.len().is_multiple_of(id_len) || ids.len() / id_len > COMMITS {
            return Err(Corrupt("its commits are not whole"));
        }
        let n_commits = ids.len() / id_len;
        let (paths, terms) = (reader.strings()?, reader.strings()?);
        let changed = reader.lists(n_commits, paths.len())?;
        let said = reader.lists(terms.len(), n_commits)?;
        if (0..n_commits).any(|commit| changed.get(commit).len() > MOST_FILES) {
            return Err(Corrupt("a commit changed too many files"));
        }
        if !reader.0.is_empty() {
            return Err(Corrupt("it does not end where it should"));
        }
        Ok(Self { ids, id_len, paths, changed, terms, said })
    }
}

fn put_words(out: &mut Vec<u8>, words: &[u32]) {
    out.extend_from_slice(&narrow(words.len()).to_le_bytes());
    words.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&narrow(bytes.len()).to_le_bytes());
    out.extend_from_slice(bytes);
}

/// What is left to read.
struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn take(&mut self, n: usize) -> Result<&[u8], Corrupt> {
        let (taken, rest) = self.0.split_at_checked(n).ok_or(Corrupt("it ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn word(&mut self) -> Result<u32, Corrupt> {
        let word = self.take(4)?.first_chunk().copied().unwrap_or_default();
        Ok(u32::from_le_bytes(word))
    }

    fn bytes(&mut self) -> Result<Vec<u8>, Corrupt> {
        let n = self.word()? as usize;
        Ok(self.take(n)?.to_vec())
    }

    fn words(&mut self) -> Result<Vec<u32>, Corrupt> {
        let n = self.word()? as usize;
        let bytes = self.take(n.checked_mul(4).ok_or(Corrupt("it ends too early"))?)?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    /// Strings that are sorted, each once.
    fn strings(&mut self) -> Result<Strings, Corrupt> {
        let strings = Strings { ends: self.words()?, bytes: self.bytes()? };
        are_ends(&strings.ends, strings.bytes.len())?;
        if !strings.iter().is_sorted_by(|a, b| a < b) {
            return Err(Corrupt("its strings are not in order"));
        }
        Ok(strings)
    }

    /// So many lists of numbers below a bound, each sorted and without doubles.
    fn lists(&mut self, n: usize, bound: usize) -> Result<Lists, Corrupt> {
        let lists = Lists { ends: self.words()?, items: self.words()? };
        are_ends(&lists.ends, lists.items.len())?;
        let is_list = |list: &[u32]| {
            list.is_sorted_by(|a, b| a < b) && list.last().is_none_or(|last| (*last as usize) < bound)
        };
        if lists.ends.len() != n || !(0..n).all(|at| is_list(lists.get(at))) {
            return Err(Corrupt("its lists are none"));
        }
        Ok(lists)
    }
}

/// Whether these are the ends of what lies one behind the other.
fn are_ends(ends: &[u32], len: usize) -> Result<(), Corrupt> {
    let last = ends.last().map_or(0, |end| *end as usize);
    if last == len && ends.is_sorted() { Ok(()) } else { Err(Corrupt("its lengths do not agree")) }
}

impl Strings {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map_while(|at| self.get(at))
    }

    pub(super) fn get(&self, at: usize) -> Option<&[u8]> {
        self.bytes.get(range(&self.ends, at)?)
    }

    /// Where a string is, in sorted ones.
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
        let mut all = Self::default();
        for string in strings {
            all.bytes.extend_from_slice(string);
            all.ends.push(narrow(all.bytes.len()));
        }
        all
    }
}

impl Lists {
    pub(super) fn get(&self, at: usize) -> &[u32] {
        range(&self.ends, at).and_then(|range| self.items.get(range)).unwrap_or_default()
    }
}

impl<L: IntoIterator<Item = u32>> FromIterator<L> for Lists {
    fn from_iter<I: IntoIterator<Item = L>>(lists: I) -> Self {
        let mut all = Self::default();
        for list in lists {
            all.items.extend(list);
            all.ends.push(narrow(all.items.len()));
        }
        all
    }
}

fn range(ends: &[u32], at: usize) -> Option<std::ops::Range<usize>> {
    let start = at.checked_sub(1).and_then(|before| ends.get(before)).map_or(0, |end| *end as usize);
    Some(start..*ends.get(at)? as usize)
}

/// Counts here are bounded far below what this cuts off: some hundreds of files and terms for each of some thousand commits.
pub(super) fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
