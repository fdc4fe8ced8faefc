//! Pathspecs of a comparison → those that match no file of either side.
//!
//! The query stage decides for one list of files; this file lists those of two commits, or of a
//! commit and the working tree.

use bstr::{BString, ByteSlice};

use git_cora::Session;
use git_cora::base::id::ObjectId;
use git_cora::git;
use git_cora::search::query::{Pathspec, strays};

/// The two sides of a comparison.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sides {
    pub(crate) old: ObjectId,
    /// `None` for the working tree.
    pub(crate) new: Option<ObjectId>,
}

/// Returns the positions of the pathspecs (relative to the root) that match no file of either side.
/// An invalid pathspec is left to the query stage, which reports the error.
///
/// # Errors
/// If a commit or the state of the working tree can't be read.
pub(crate) fn strays_of(session: &Session, sides: Sides, specs: &[String]) -> git::Result<Vec<usize>> {
    let parsed: Result<Vec<_>, _> = specs.iter().map(|spec| Pathspec::parse(spec)).collect();
    let parsed = parsed.unwrap_or_default();
    if parsed.is_empty() {
        return Ok(Vec::new());
    }
    let repo = session.repo();
    let mut files: Vec<BString> = Vec::new();
    let new = sides.new.or_else(|| repo.resolve("HEAD").ok());
    for commit in [Some(sides.old), new].into_iter().flatten() {
        files.extend(repo.tree_files(repo.commit(commit)?.tree)?.into_iter().map(|file| file.path));
    }
    if sides.new.is_none() {
        files.extend(repo.status()?.into_iter().map(|file| file.path));
    }
    Ok(strays(&parsed, files.iter().map(|path| path.as_bstr())))
}
