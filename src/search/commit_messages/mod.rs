//! What commits said of the files that they changed.
//!
//! Commits before one → [`History`]: the terms of each message and the files that its commit changed; a question's terms →
//! which files were changed for the like of it ([`History::told`]). An issue often has words of the commits that mended its
//! neighbours, where the code has none of them. It is a function of the commits that a clone has, and bounded whatever
//! they are.
//!
//! Owns the cached form of a history, too: it can be encoded and decoded again, and a damaged one is an error.

mod bytes;
mod gather;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use bstr::BStr;

use crate::base::id::ObjectId;

pub use bytes::{Corrupt, MAX_BYTES, VERSION};
use bytes::{Lists, Slice, Strings, narrow};
pub use gather::{Gathered, gather};

/// How many commits are walked, newest first. With 1,000 one in a hundred of 380 issues in Python less has all of its files
/// first; 4,000 and 8,000 make no difference.
const COMMITS: usize = 2000;
/// A commit that changes more files says little of each. 10 make no difference.
const MOST_FILES: usize = 20;
/// Added to the squared length of each message: short ones are like much. 4 and 100 differ by less than one in a hundred
/// issues.
const PRIOR: f64 = 25.0;
/// So many of the messages that are most like a question count. 10 and 200 likewise.
const MOST_ALIKE: usize = 50;
/// What commits said and changed, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct History {
    /// The commits' ids, one behind the other.
    ids: Slice,
    /// Bytes in an id.
    id_len: usize,
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
            ids: rows.iter().flat_map(|row| row.id.as_bytes()).copied().collect::<Vec<u8>>().into(),
            id_len,
            changed: changed.collect(),
            terms: said.iter().map(|(term, _)| *term).collect(),
            said: said.into_iter().map(|(_, commits)| commits).collect(),
            paths: paths.iter().copied().collect(),
        }
    }

    /// Number of commits.
    pub fn n_commits(&self) -> usize {
        self.ids.len().checked_div(self.id_len).unwrap_or(0)
    }

    fn id(&self, commit: usize) -> Option<ObjectId> {
        self.ids.get(commit.checked_mul(self.id_len)?..)?.get(..self.id_len).and_then(ObjectId::from_bytes)
    }

    /// The commit that it leads to.
    pub fn commit(&self) -> Option<ObjectId> {
        self.id(0)
    }

    /// The commits, newest first.
    fn commits(&self) -> impl Iterator<Item = ObjectId> {
        (0..self.n_commits()).filter_map(|commit| self.id(commit))
    }

    /// The rows that it was made of.
    fn rows(&self) -> Vec<Row<'_>> {
        let mut terms: Vec<Vec<Cow<'_, [u8]>>> = vec![Vec::new(); self.n_commits()];
        for (term, text) in self.terms.iter().enumerate() {
            for commit in self.said.get(term) {
                terms.get_mut(commit as usize).into_iter().for_each(|list| list.push(text.into()));
            }
        }
        let paths = |commit: usize| {
            let changed = self.changed.get(commit);
            changed.filter_map(|path| Some(self.paths.get(path as usize)?.into())).collect()
        };
        let rows = terms.into_iter().enumerate();
        rows.filter_map(|(commit, terms)| Some(Row { id: self.id(commit)?, terms, paths: paths(commit) }))
            .collect()
    }

    /// By path, what the commits say that are most like a question, given as terms with their weights. Sums are in
    /// the order of these.
    ///
    /// The likeness of a message is the sum of the rarities (idf) of the terms that it shares with the question, over the root
    /// of the sum of all of its terms' squared rarities, as in a comparison of directions; that of a file is the most of any
    /// commit's, each over the root of the number of files that it changed.
    pub fn told<'t>(&self, asked: impl IntoIterator<Item = (&'t str, f64)>) -> BTreeMap<&BStr, Told> {
        let has_said: Vec<bool> =
            (0..self.n_commits()).map(|commit| self.changed.get(commit).len() > 0).collect();
        let n = has_said.iter().filter(|has| **has).count() as f64;
        let idf = |term: usize| {
            let with = self.said.get(term).len() as f64;
            (1.0 + (n - with + 0.5).max(0.0) / (with + 0.5)).ln()
        };
        let mut lengths = vec![PRIOR; has_said.len()];
        for term in 0..self.terms.len() {
            let squared = idf(term).powi(2);
            for commit in self.said.get(term) {
                lengths.get_mut(commit as usize).into_iter().for_each(|length| *length += squared);
            }
        }
        let mut shared = vec![0.0; has_said.len()];
        for (term, weight) in asked {
            let Some(term) = self.terms.find(term.as_bytes()) else { continue };
            let worth = weight * idf(term);
            for commit in self.said.get(term) {
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
            for path in changed {
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
