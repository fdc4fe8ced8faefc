//! The walk from a commit to the messages of its ancestors.
//!
//! Commit → its newest ancestors → [`CommitMessages`]. Rows gathered earlier are reused, and the
//! result is the same as without it. Bounds on messages, commits and paths keep a hostile
//! repository from using up time or memory. If trees are missing, as in a partial clone, nothing
//! is built: it would depend on which objects happen to be present.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use crate::base::id::ObjectId;
use crate::base::progress::{Phase, Task};
use crate::base::text::identifier::tokens;
use crate::git::{self, Repository};
use crate::search::segment::terms::each_term;

use super::{COMMITS, CommitMessages, MOST_FILES, Row};

/// Maximum number of new commits that are followed to reach known messages, before a full walk is
/// done instead.
const MOST_NEW: usize = 64;
/// Maximum length of a message that is read, in bytes; longer ones list the work of many commits.
const MESSAGE_BYTES: usize = 4096;
/// Largest commit object that is used, in bytes.
const COMMIT_BYTES: u64 = 1 << 20;
/// Longest path, in bytes; a commit with a longer one is ignored. No operating system opens such a
/// file.
const PATH_BYTES: usize = 4096;
/// Longest token, in bytes; longer ones are not words.
const TOKEN_BYTES: usize = 64;

/// The outcome of a walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GatherOutcome {
    /// The walk is complete.
    Whole(Box<CommitMessages>),
    /// Trees are missing, as in a partial clone: the result would depend on which of them are
    /// present.
    Lacking,
    /// The walk was interrupted.
    Cancelled,
}

/// Gathers the messages of the newest 2,000 commits that lead to `commit`, including itself.
///
/// Commits in `known`, which was gathered earlier, are not read again. A damaged or oversized
/// commit gets an empty row. If a commit cannot be read at all, the walk ends before it.
///
/// # Errors
/// [`git::Error`] if `commit` itself can't be read.
pub fn gather(
    repo: &Repository,
    commit: ObjectId,
    known: Option<&CommitMessages>,
    task: Task<'_>,
) -> git::Result<GatherOutcome> {
    let line = match known.and_then(|known| line_to(repo, commit, known)) {
        Some(line) => line,
        None => repo.ancestors(commit, COMMITS, task.cancel)?,
    };
    let mut known: HashMap<ObjectId, Row<'_>> =
        known.map(CommitMessages::rows).unwrap_or_default().into_iter().map(|row| (row.id, row)).collect();
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
        _ if task.is_cancelled() => GatherOutcome::Cancelled,
        Some(rows) => GatherOutcome::Whole(Box::new(CommitMessages::of(&rows, repo.object_hash_len()))),
        None => GatherOutcome::Lacking,
    })
}

/// Returns the newest commits that lead to `commit`, if each commit between it and the newest of
/// `known` has one parent. Then a full walk would continue with the commits of `known`, too.
pub(super) fn line_to(repo: &Repository, commit: ObjectId, known: &CommitMessages) -> Option<Vec<ObjectId>> {
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

/// Returns the empty row of a commit that is not used.
fn silent(id: ObjectId) -> Row<'static> {
    Row { id, terms: Vec::new(), paths: Vec::new() }
}

fn read(repo: &Repository, id: ObjectId) -> git::Result<Row<'static>> {
    let Some(message) = repo.message(id, COMMIT_BYTES)? else { return Ok(silent(id)) };
    let commit = repo.commit(id)?;
    // In the first commit and at a shallow boundary, all files are new; a merge repeats the changes
    // of its parents.
    let [parent] = commit.parents.as_slice() else { return Ok(silent(id)) };
    let before = repo.commit(*parent)?.tree;
    let changed = repo.few_changes(before, commit.tree, MOST_FILES)?;
    let changed = changed.filter(|changed| changed.iter().all(|one| one.path.len() <= PATH_BYTES));
    let Some(changed) = changed.filter(|changed| !changed.is_empty()) else { return Ok(silent(id)) };
    let paths = changed.into_iter().map(|change| Cow::Owned(change.path.into())).collect();
    Ok(Row { id, terms: terms(&message), paths })
}

/// Returns the terms of a message, sorted, each once.
pub(super) fn terms(message: &[u8]) -> Vec<Cow<'static, [u8]>> {
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

/// Returns whether a line says who took part in the commit, or where it came from: `Signed-off-by:
/// …`, `git-svn-id: …`.
fn is_trailer(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(key, _)| {
        let is_key = key.contains('-') && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        is_key && (key.ends_with("-by") || key.ends_with("-id") || key.ends_with("-Id"))
    })
}
