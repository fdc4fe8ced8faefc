//! Filling the first-parent line: from a tip back to the nearest indexed ancestor.
//!
//! A gap makes the next push expensive. The index of a commit (B in the head of [`super`]) shares
//! objects with the snapshot of the commit's first parent. If the other side has neither, Git sends
//! the whole index. So the line is kept contiguous, tip first.

use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::git::{self, Repository};

use super::build::{BuildReport, index_commit};
use super::open::indexed_commits;
use super::{Error, IndexOptions, Result, Work};

/// Number of commits searched for an indexed ancestor beyond those that may be filled. It
/// distinguishes a line that is too long from one without an indexed ancestor.
const LOOK_BEYOND: usize = 2_000;

/// The result of [`fill`].
#[derive(Debug, Clone, Default)]
pub struct FillReport {
    /// Commits that were indexed, newest first.
    pub indexed: Vec<ObjectId>,
    /// The work done for them.
    pub work: Work,
    /// Number of objects written.
    pub n_objects: u64,
    /// The nearest ancestor that was indexed before, if a gap to it remains because the limit was
    /// reached.
    pub gap_to: Option<ObjectId>,
}

/// Indexes the first-parent ancestors of the indexed commit `tip` back to the nearest indexed one,
/// at most `max` of them.
///
/// Without an indexed ancestor nothing is done, because nobody asked to index the whole history.
///
/// # Errors
/// The same as [`index_commit`]; commits indexed before an error stay indexed.
pub fn fill(
    repo: &Repository,
    tip: &BuildReport,
    options: &IndexOptions,
    max: usize,
    task: Task<'_>,
) -> Result<FillReport> {
    let mut report = FillReport::default();
    let mut known: std::collections::HashSet<ObjectId> =
        indexed_commits(repo)?.into_iter().map(|(commit, ..)| commit).collect();
    known.remove(&tip.snapshot.commit);
    if known.is_empty() {
        return Ok(report);
    }
    let look = max.saturating_add(2).saturating_add(LOOK_BEYOND);
    let line = repo.first_parents_until(tip.snapshot.commit, look, |commit| known.contains(&commit))?;
    let n_open = line.iter().skip(1).position(|commit| known.contains(commit));
    let Some(n_open) = n_open else { return Ok(report) };
    report.gap_to = line.get(n_open + 1).filter(|_| n_open > max).copied();
    let mut base = tip.parent.unwrap_or(tip.snapshot);
    for &commit in line.iter().skip(1).take(n_open.min(max)) {
        if task.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let built = match index_commit(repo, commit, options, Some(base), false, task) {
            // A commit that is too large to be indexed ends the line.
            Err(Error::Git(git::Error::Limit { .. })) => break,
            built => built?,
        };
        base = built.parent.unwrap_or(built.snapshot);
        report.work.add(built.work);
        report.n_objects += built.n_objects;
        report.indexed.push(commit);
    }
    Ok(report)
}
