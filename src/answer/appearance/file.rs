//! When a file was added under its path, and removed: the commits of the path → both ends.

use bstr::BStr;

use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::git::Repository;
use crate::search::Result;

use super::{AppearanceEvent, event};

/// When a file was added under its path, and when it was removed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileAppearance {
    /// The commit that added it.
    pub added: AppearanceEvent,
    /// The commit that removed it last; `None` if it is there.
    pub removed: Option<AppearanceEvent>,
}

/// Finds the commits that added a file under its path and removed it; `None` if the history of a
/// commit never had it.
///
/// # Errors
/// [`crate::search::Error::Git`], [`crate::search::Error::Cancelled`].
pub fn file_appearance(
    repo: &Repository,
    commit: ObjectId,
    path: &BStr,
    task: Task<'_>,
) -> Result<Option<FileAppearance>> {
    let is_here = has(repo, commit, path)?;
    let mut commits = repo.path_commits(commit, path, task.cancel)?;
    if commits.is_empty() && !is_here {
        // A merge may have dropped what only one side had.
        commits = repo.all_path_commits(commit, path, task.cancel)?;
    }
    let Some(first) = commits.last() else { return Ok(None) };
    let added = event(repo, first.id, Some(path), None, task)?;
    if is_here {
        return Ok(Some(FileAppearance { added, removed: None }));
    }
    for one in &commits {
        if has(repo, one.id, path)? {
            continue;
        }
        let parents = repo.commit(one.id)?.parents;
        let mut had = parents.into_iter().map(|parent| has(repo, parent, path));
        if had.any(|had| matches!(had, Ok(true))) {
            let removed = event(repo, one.id, None, None, task)?;
            return Ok(Some(FileAppearance { added, removed: Some(removed) }));
        }
    }
    Ok(None)
}

/// Returns whether a commit has something at a path.
fn has(repo: &Repository, commit: ObjectId, path: &BStr) -> Result<bool> {
    Ok(repo.tree_entry(repo.commit(commit)?.tree, path)?.is_some())
}
