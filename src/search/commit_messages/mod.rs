//! Commit messages as a ranking signal.
//!
//! Ancestors of a commit → [`CommitMessages`]: the terms of each message and the files that the
//! commit changed. A question's terms → the files changed by the commits with the most similar
//! messages ([`CommitMessages::matches`]). An issue often shares words with the messages of earlier
//! fixes nearby, where the code has none of them.
//!
//! [`CommitMessages`] are a function of the commits in the clone, and bounded in size. This module
//! also owns their cached form: they can be encoded and decoded, and damaged ones are an error. It
//! must not write to a repository.

mod bytes;
mod companions;
mod gather;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

use bstr::BStr;

use crate::base::id::ObjectId;

pub use bytes::{CorruptCommitMessages, MAX_BYTES, VERSION};
use bytes::{Lists, Slice, Strings, narrow};
pub use companions::Companion;
pub use gather::{GatherOutcome, gather};

/// Maximum number of commits, newest first. Fewer lose a little for issues, more gain nothing. See
/// `doc/experiments/ranking.md`.
const COMMITS: usize = 2000;
/// Maximum number of files in a commit: one that changes more says little about each. Insensitive.
/// See `doc/experiments/ranking.md`.
const MOST_FILES: usize = 20;
/// Smoothing for the cosine: added to the squared length of each message, it lowers the similarity
/// of very short ones. Insensitive. See `doc/experiments/ranking.md`.
const PRIOR: f64 = 25.0;
/// Number of nearest commit messages that are used. Insensitive. See `doc/experiments/ranking.md`.
const MOST_ALIKE: usize = 50;

/// A provider of the messages of commits. It may gather them when it is asked.
pub trait CommitMessageSource: Sync {
    /// Returns the messages; `None` if there are none, or if they can't be read.
    fn messages(&self) -> Option<&CommitMessages>;
}

impl fmt::Debug for dyn CommitMessageSource + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CommitMessageSource")
    }
}

impl CommitMessageSource for CommitMessages {
    fn messages(&self) -> Option<&CommitMessages> {
        Some(self)
    }
}

/// The messages and changed files of commits, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommitMessages {
    /// The ids of the commits, concatenated.
    ids: Slice,
    /// Length of an id, in bytes.
    id_len: usize,
    /// Paths, each once, sorted.
    paths: Strings,
    /// By commit, the ordinals of the paths that it changed; empty for a merge, and for a commit of
    /// too many files.
    changed: Lists,
    /// The terms of messages, each once, sorted.
    terms: Strings,
    /// By term, the commits with the term in their message, in order.
    said: Lists,
}

/// The commit message most similar to a question, among the commits that changed a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CommitMatch {
    /// The similarity of the message to the question; above 0, comparable only within one question.
    pub likeness: f64,
    /// The commit with that message; among equals, the newest.
    pub commit: ObjectId,
}

/// The terms and paths of one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row<'k> {
    id: ObjectId,
    /// Each once.
    terms: Vec<Cow<'k, [u8]>>,
    /// Each once.
    paths: Vec<Cow<'k, [u8]>>,
}

impl CommitMessages {
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

    /// Returns the number of commits.
    pub fn n_commits(&self) -> usize {
        self.ids.len().checked_div(self.id_len).unwrap_or(0)
    }

    fn id(&self, commit: usize) -> Option<ObjectId> {
        self.ids.get(commit.checked_mul(self.id_len)?..)?.get(..self.id_len).and_then(ObjectId::from_bytes)
    }

    /// Returns the newest commit, from which the messages were gathered.
    pub fn commit(&self) -> Option<ObjectId> {
        self.id(0)
    }

    /// Returns the commits, newest first.
    fn commits(&self) -> impl Iterator<Item = ObjectId> {
        (0..self.n_commits()).filter_map(|commit| self.id(commit))
    }

    /// Returns the rows that the messages were built from.
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

    /// Returns, by path, the commit message most similar to a question, which is given as terms
    /// with weights. The terms are summed in the given order.
    ///
    /// The similarity of a message is a cosine. Its numerator is the sum of the weighted idf of the
    /// terms shared with the question. Its denominator is the square root of the sum of the squared
    /// idf of all terms of the message, plus a smoothing constant. For a file, that of each commit
    /// is divided by the square root of the number of files it changed, and the maximum counts.
    pub fn matches<'t>(
        &self,
        asked: impl IntoIterator<Item = (&'t str, f64)>,
    ) -> BTreeMap<&BStr, CommitMatch> {
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
        // Among equals, the newest commit comes first.
        alike.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut matches: BTreeMap<&BStr, CommitMatch> = BTreeMap::new();
        for (likeness, at) in alike.into_iter().take(MOST_ALIKE) {
            let (changed, Some(commit)) = (self.changed.get(at), self.id(at)) else { continue };
            let likeness = likeness / (changed.len() as f64).sqrt();
            for path in changed {
                let Some(path) = self.paths.get(path as usize) else { continue };
                let known = matches.entry(path.into()).or_insert(CommitMatch { likeness, commit });
                if likeness > known.likeness {
                    *known = CommitMatch { likeness, commit };
                }
            }
        }
        matches
    }
}
