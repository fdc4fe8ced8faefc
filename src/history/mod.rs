//! What commits said of the files that they changed.
//!
//! Commits before one → [`History`]: the terms of each message and the files that its commit changed; a question's terms →
//! which files were changed for the like of it ([`History::told`]). An issue often has words of the commits that mended its
//! neighbours, where the code has none of them. It is a function of the commits that a clone has, and bounded whatever
//! they are.
//!
//! Owns the cached form of a history, too: it can be written and read again, and a damaged one is an error.

mod gather;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use bstr::BStr;
use serde::{Deserialize, Serialize};

use crate::id::ObjectId;

pub use gather::{COMMITS, gather};

/// Raised with each change of what is written, or of what it means.
pub const VERSION: u32 = 1;

/// Added to the squared length of each message: short ones are like much.
const PRIOR: f64 = 25.0;
/// So many of the messages that are most like a question count.
const MOST_ALIKE: usize = 50;
/// Nothing that is written is larger, in bytes.
const MAX_BYTES: usize = 64 << 20;

/// Why a history can't be used.
#[derive(Debug, thiserror::Error)]
#[error("corrupt history: {0}")]
pub struct Corrupt(&'static str);

/// What commits said and changed, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct History {
    /// The commits' ids, one behind the other.
    ids: Vec<u8>,
    /// Bytes in an id.
    id_len: u32,
    /// Paths, each once, sorted.
    paths: Strings,
    /// By commit, the paths that it changed; none of a merge, and where they are too many to say anything.
    changed: Lists,
    /// The terms of messages, each once, sorted.
    terms: Strings,
    /// By term, the commits whose messages have it, in order.
    said: Lists,
}

/// What history tells of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Told {
    /// How like the question is what a commit said that changed the file; above 0, and comparable within one question.
    pub likeness: f64,
    /// That commit, of several the one that is most like it.
    pub commit: ObjectId,
}

/// What one commit said and changed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row<'k> {
    id: ObjectId,
    /// Each once.
    terms: Vec<Cow<'k, [u8]>>,
    /// Each once.
    paths: Vec<Cow<'k, [u8]>>,
}

/// Byte strings, one behind the other.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Strings {
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

/// Lists of numbers, one behind the other.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl History {
    fn of(rows: &[Row<'_>], id_len: usize) -> Self {
        let mut said: HashMap<&[u8], Vec<u32>> = HashMap::new();
        let mut paths: Vec<&[u8]> = Vec::new();
        for (at, row) in (0..).zip(rows) {
            for term in &row.terms {
                said.entry(term).or_default().push(at);
            }
            paths.extend(row.paths.iter().map(|path| path.as_ref()));
        }
        let mut said: Vec<(&[u8], Vec<u32>)> = said.into_iter().collect();
        said.sort_unstable();
        paths.sort_unstable();
        paths.dedup();
        let ord = |path: &[u8]| paths.binary_search(&path).ok().map(narrow);
        let changed = rows.iter().map(|row| {
            let mut changed: Vec<u32> = row.paths.iter().filter_map(|path| ord(path)).collect();
            changed.sort_unstable();
            changed
        });
        Self {
            ids: rows.iter().flat_map(|row| row.id.as_bytes()).copied().collect(),
            id_len: narrow(id_len),
            changed: changed.collect(),
            terms: said.iter().map(|(term, _)| *term).collect(),
            said: said.into_iter().map(|(_, commits)| commits).collect(),
            paths: paths.iter().copied().collect(),
        }
    }

    /// Number of commits.
    pub fn n_commits(&self) -> usize {
        self.ids.len().checked_div(self.id_len as usize).unwrap_or(0)
    }

    fn id(&self, commit: usize) -> Option<ObjectId> {
        let id_len = self.id_len as usize;
        self.ids.get(commit.checked_mul(id_len)?..)?.get(..id_len).and_then(ObjectId::from_bytes)
    }

    /// The commits, newest first.
    fn commits(&self) -> impl Iterator<Item = ObjectId> {
        (0..self.n_commits()).filter_map(|commit| self.id(commit))
    }

    /// The rows that it was made of.
    fn rows(&self) -> Vec<Row<'_>> {
        let mut terms: Vec<Vec<Cow<'_, [u8]>>> = vec![Vec::new(); self.n_commits()];
        for (term, text) in self.terms.iter().enumerate() {
            for &commit in self.said.get(term) {
                terms.get_mut(commit as usize).into_iter().for_each(|list| list.push(text.into()));
            }
        }
        let paths = |commit: usize| {
            let changed = self.changed.get(commit).iter();
            changed.filter_map(|&path| Some(self.paths.get(path as usize)?.into())).collect()
        };
        let rows = terms.into_iter().enumerate();
        rows.filter_map(|(commit, terms)| Some(Row { id: self.id(commit)?, terms, paths: paths(commit) }))
            .collect()
    }

    /// The bytes that [`History::read`] reads.
    pub fn write(&self) -> Vec<u8> {
        let mut out = VERSION.to_le_bytes().to_vec();
        // It has nothing that can't be written.
        let body = bincode::serde::encode_to_vec(self, bincode::config::legacy()).unwrap_or_default();
        out.extend_from_slice(&crc32fast::hash(&body).to_le_bytes());
        out.extend_from_slice(&body);
        out
    }

    /// Reads what [`History::write`] wrote.
    ///
    /// # Errors
    /// [`Corrupt`] for anything else; it is to be gathered again.
    pub fn read(bytes: &[u8]) -> Result<Self, Corrupt> {
        let head =
            |at: usize| bytes.get(at..).and_then(<[u8]>::first_chunk).map(|word| u32::from_le_bytes(*word));
        if head(0) != Some(VERSION) {
            return Err(Corrupt("it is of another version"));
        }
        let body = bytes.get(8..).unwrap_or_default();
        if head(4) != Some(crc32fast::hash(body)) {
            return Err(Corrupt("it does not match its checksum"));
        }
        let limited = bincode::config::legacy().with_limit::<MAX_BYTES>();
        let (history, _): (Self, usize) =
            bincode::serde::decode_from_slice(body, limited).map_err(|_| Corrupt("it ends too early"))?;
        Ok(history)
    }

    /// By path, what the commits say that are most like a question, given as terms with their weights, in order of the terms.
    ///
    /// The likeness of a message is the sum of the rarities (idf) of the terms that it shares with the question, over the root
    /// of the sum of all of its terms' squared rarities, as in a comparison of directions; that of a file is the most of any
    /// commit's, each over the root of the number of files that it changed.
    pub fn told<'t>(&self, asked: impl IntoIterator<Item = (&'t str, f64)>) -> BTreeMap<&BStr, Told> {
        let has_said: Vec<bool> =
            (0..self.n_commits()).map(|commit| !self.changed.get(commit).is_empty()).collect();
        let n = has_said.iter().filter(|has| **has).count() as f64;
        let idf = |term: usize| {
            let with = self.said.get(term).len() as f64;
            (1.0 + (n - with + 0.5).max(0.0) / (with + 0.5)).ln()
        };
        let mut lengths = vec![PRIOR; has_said.len()];
        for term in 0..self.terms.ends.len() {
            let squared = idf(term).powi(2);
            for &commit in self.said.get(term) {
                lengths.get_mut(commit as usize).into_iter().for_each(|length| *length += squared);
            }
        }
        let mut shared = vec![0.0; has_said.len()];
        for (term, weight) in asked {
            let Some(term) = self.terms.find(term.as_bytes()) else { continue };
            let worth = weight * idf(term);
            for &commit in self.said.get(term) {
                shared.get_mut(commit as usize).into_iter().for_each(|sum| *sum += worth);
            }
        }
        let mut alike: Vec<(f64, usize)> = shared
            .iter()
            .zip(&lengths)
            .map(|(sum, length)| sum / length.sqrt())
            .zip(0..)
            .filter(|&(likeness, commit)| likeness > 0.0 && has_said.get(commit) == Some(&true))
            .collect();
        // Of equals the newest.
        alike.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut told: BTreeMap<&BStr, Told> = BTreeMap::new();
        for (likeness, at) in alike.into_iter().take(MOST_ALIKE) {
            let (changed, Some(commit)) = (self.changed.get(at), self.id(at)) else { continue };
            let likeness = likeness / (changed.len() as f64).sqrt();
            for &path in changed {
                let Some(path) = self.paths.get(path as usize) else { continue };
                let known = told.entry(path.into()).or_insert(Told { likeness, commit });
                if likeness > known.likeness {
                    *known = Told { likeness, commit };
                }
            }
        }
        told
    }
}

impl Strings {
    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.ends.len()).map_while(|at| self.get(at))
    }

    fn get(&self, at: usize) -> Option<&[u8]> {
        let end = *self.ends.get(at)? as usize;
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |end| *end as usize);
        self.bytes.get(start..end)
    }

    /// Where a string is, in sorted ones.
    fn find(&self, wanted: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.ends.len());
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
    fn get(&self, at: usize) -> &[u32] {
        let end = self.ends.get(at).map_or(0, |end| *end as usize);
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |end| *end as usize);
        self.items.get(start..end).unwrap_or_default()
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

/// Counts here are bounded far below what this cuts off.
fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
