//! From a commit to its history: which commits are walked, what is kept of each.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use crate::id::ObjectId;
use crate::identifier::tokens;
use crate::progress::{Cancel, Phase, Progress};
use crate::repo::{self, Repository};
use crate::segment::terms::each_term;

use super::{History, Row};

/// How many commits are walked, newest first.
pub const COMMITS: usize = 2000;

/// A commit that changes more files says little of each.
const MOST_FILES: usize = 20;
/// So many commits are walked to find out that there is no short way to what is known.
const MOST_NEW: usize = 64;
/// So much of a message is read, in bytes.
const MESSAGE_BYTES: usize = 4096;
/// Longer tokens are no words.
const TOKEN_BYTES: usize = 64;

/// What the commits before `commit` said and changed, itself included; the newest [`COMMITS`] that lead to it. What is known of
/// some of them from another history, `known`, is not read again. `None` if it was interrupted.
///
/// # Errors
/// [`repo::Error`] for a commit that can't be read. Where its trees are missing, as in a partial clone, a commit counts as
/// one that changed nothing; none is fetched.
pub fn gather(
    repo: &Repository,
    commit: ObjectId,
    known: Option<&History>,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> repo::Result<Option<History>> {
    let line = match known {
        Some(known) => line_to(repo, commit, known)?,
        None => None,
    };
    let line = line.map_or_else(|| repo.ancestors(commit, COMMITS), Ok)?;
    let mut known: HashMap<ObjectId, Row<'_>> =
        known.map(History::rows).unwrap_or_default().into_iter().map(|row| (row.id, row)).collect();
    let rows: Vec<Option<Row<'_>>> = line.iter().map(|id| known.remove(id)).collect();
    let n_new = rows.iter().filter(|row| row.is_none()).count();
    let phase = Phase::begin(progress, "reading the history", "commits", n_new, 200);
    let rows: repo::Result<Vec<Row<'_>>> = line
        .par_iter()
        .zip(rows)
        .map(|(&id, row)| match row {
            Some(row) => Ok(row),
            None if cancel.is_cancelled() => Ok(Row { id, terms: Vec::new(), paths: Vec::new() }),
            None => {
                let row = read(repo, id)?;
                phase.advance(1);
                Ok(row)
            }
        })
        .collect();
    drop(phase);
    let rows = rows?;
    Ok((!cancel.is_cancelled()).then(|| History::of(&rows, repo.object_hash_len())))
}

/// The newest commits that lead to `commit`, if those between it and the newest of `known` have one parent each: then they are
/// followed by the commits there, as in a walk.
fn line_to(repo: &Repository, commit: ObjectId, known: &History) -> repo::Result<Option<Vec<ObjectId>>> {
    let newest = known.commits().next();
    let mut line = Vec::new();
    let mut next = commit;
    while Some(next) != newest {
        let one = repo.commit(next)?;
        let [parent] = one.parents.as_slice() else { return Ok(None) };
        if line.len() == MOST_NEW {
            return Ok(None);
        }
        line.push(next);
        next = *parent;
    }
    line.extend(known.commits());
    line.truncate(COMMITS);
    Ok(Some(line))
}

fn read(repo: &Repository, id: ObjectId) -> repo::Result<Row<'static>> {
    let commit = repo.commit(id)?;
    let nothing = Row { id, terms: Vec::new(), paths: Vec::new() };
    // In the first commit, and at a shallow boundary, all files are new.
    let [parent] = commit.parents.as_slice() else { return Ok(nothing) };
    let before = repo.commit(*parent)?.tree;
    if !repo.contains(before) || !repo.contains(commit.tree) {
        return Ok(nothing);
    }
    let changed = repo.diff_trees(Some(before), commit.tree)?;
    if changed.is_empty() || changed.len() > MOST_FILES {
        return Ok(nothing);
    }
    let paths = changed.into_iter().map(|change| Cow::Owned(change.path.into())).collect();
    Ok(Row { id, terms: terms(&commit.message), paths })
}

/// The terms of a message, sorted, each once.
fn terms(message: &[u8]) -> Vec<Cow<'static, [u8]>> {
    let message = String::from_utf8_lossy(message.get(..MESSAGE_BYTES).unwrap_or(message));
    let mut terms = BTreeSet::new();
    for line in message.lines().filter(|line| !is_trailer(line)) {
        for token in tokens(line).filter(|token| token.len() <= TOKEN_BYTES) {
            each_term(token, |term, _| {
                terms.insert(term.as_bytes().to_vec());
            });
        }
    }
    terms.into_iter().map(Cow::Owned).collect()
}

/// Whether a line tells who had a hand in it, or where it came from: `Signed-off-by: …`, `git-svn-id: …`.
fn is_trailer(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(key, _)| {
        let is_key = key.contains('-') && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        is_key && (key.ends_with("-by") || key.ends_with("-id") || key.ends_with("-Id"))
    })
}
