//! From a commit to its history: which commits are walked, what is kept of each.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use crate::base::id::ObjectId;
use crate::base::progress::{Phase, Task};
use crate::base::text::identifier::tokens;
use crate::git::{self, Repository};
use crate::search::segment::terms::each_term;

use super::{COMMITS, History, MOST_FILES, Row};

/// So many commits are walked to find out that there is no short way to what is known.
const MOST_NEW: usize = 64;
/// So much of a message is read, in bytes: longer ones are lists of what many commits did.
const MESSAGE_BYTES: usize = 4096;
/// A larger commit, in bytes, says nothing.
const COMMIT_BYTES: u64 = 1 << 20;
/// A commit with a longer path says nothing. No system opens such a file.
const PATH_BYTES: usize = 4096;
/// Longer tokens are no words.
const TOKEN_BYTES: usize = 64;

/// How a walk ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gathered {
    /// With this.
    Whole(Box<History>),
    /// Trees are missing here, as in a partial clone: what can be told depends on which of them are there.
    Lacking,
    /// It was interrupted.
    Cancelled,
}

/// What the commits before `commit` said and changed, itself included; the newest 2,000 that lead to it. What is known of
/// some of them from another history, `known`, is not read again. A commit that is damaged, or too large to be true, says
/// nothing, and the line of one that can't be read at all ends before it.
///
/// # Errors
/// [`git::Error`] if `commit` itself can't be read.
pub fn gather(
    repo: &Repository,
    commit: ObjectId,
    known: Option<&History>,
    task: Task<'_>,
) -> git::Result<Gathered> {
    let line = match known.and_then(|known| line_to(repo, commit, known)) {
        Some(line) => line,
        None => repo.ancestors(commit, COMMITS, task.cancel)?,
    };
    let mut known: HashMap<ObjectId, Row<'_>> =
        known.map(History::rows).unwrap_or_default().into_iter().map(|row| (row.id, row)).collect();
    let rows: Vec<Option<Row<'_>>> = line.iter().map(|id| known.remove(id)).collect();
    let n_new = rows.iter().filter(|row| row.is_none()).count();
    let phase = Phase::begin(task.progress, "reading the history", "commits", n_new, 200);
    let rows: Option<Vec<Row<'_>>> = line
        .par_iter()
        .zip(rows)
        .map(|(&id, row)| match row {
            Some(row) => Some(row),
            None if task.is_cancelled() => None,
            None => {
                phase.advance(1);
                match read(repo, id) {
                    Ok(row) => Some(row),
                    Err(git::Error::MissingObject { kind: "tree", .. }) => None,
                    Err(_) => Some(silent(id)),
                }
            }
        })
        .collect();
    drop(phase);
    Ok(match rows {
        _ if task.is_cancelled() => Gathered::Cancelled,
        Some(rows) => Gathered::Whole(Box::new(History::of(&rows, repo.object_hash_len()))),
        None => Gathered::Lacking,
    })
}

/// The newest commits that lead to `commit`, if those between it and the newest of `known` have one parent each: then they are
/// followed by the commits there, as in a walk.
fn line_to(repo: &Repository, commit: ObjectId, known: &History) -> Option<Vec<ObjectId>> {
    let newest = known.commits().next();
    let mut line = Vec::new();
    let mut next = commit;
    while Some(next) != newest {
        let one = repo.commit(next).ok()?;
        let [parent] = one.parents.as_slice() else { return None };
        if line.len() == MOST_NEW {
            return None;
        }
        line.push(next);
        next = *parent;
    }
    line.extend(known.commits());
    line.truncate(COMMITS);
    Some(line)
}

/// The row of a commit that says nothing.
fn silent(id: ObjectId) -> Row<'static> {
    Row { id, terms: Vec::new(), paths: Vec::new() }
}

fn read(repo: &Repository, id: ObjectId) -> git::Result<Row<'static>> {
    let Some(message) = repo.message(id, COMMIT_BYTES)? else { return Ok(silent(id)) };
    let commit = repo.commit(id)?;
    // In the first commit, and at a shallow boundary, all files are new.
    let [parent] = commit.parents.as_slice() else { return Ok(silent(id)) };
    let before = repo.commit(*parent)?.tree;
    let changed = repo.few_changes(before, commit.tree, MOST_FILES)?;
    let changed = changed.filter(|changed| changed.iter().all(|one| one.path.len() <= PATH_BYTES));
    let Some(changed) = changed.filter(|changed| !changed.is_empty()) else { return Ok(silent(id)) };
    let paths = changed.into_iter().map(|change| Cow::Owned(change.path.into())).collect();
    Ok(Row { id, terms: terms(&message), paths })
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
