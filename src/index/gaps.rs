//! Files that could not be read when their commit was indexed.
//!
//! In a partial clone, a file may be missing until the remote answers. The index of its commit is
//! then local, and records the file as unreadable. Input: such an index. Output: the files that it
//! lacks, so that somebody tries again.

use bstr::BString;

use super::record::{self, FileRecord};
use super::source::SkipReason;
use super::{Result, Snapshot};
use crate::base::id::ObjectId;
use crate::git::{ObjectKind, Repository, encode_object};

/// Returns the files that an index records as unreadable; `files` is its tree of records.
///
/// # Errors
/// [`super::Error::Git`] if a tree can't be read.
pub(super) fn unreadable_in(
    repo: &Repository,
    source_tree: ObjectId,
    files: ObjectId,
) -> Result<Vec<BString>> {
    // Such a record holds only its reason, so all of them are the same blob.
    let record = record::encode(&FileRecord::Skipped(SkipReason::Unreadable));
    let id = encode_object(repo.object_hash_len(), ObjectKind::Blob, &record)?.id();
    let source = repo.tree_files(source_tree)?;
    let recorded = repo.tree_files_beside(files, &source)?;
    Ok(recorded.into_iter().filter(|file| file.id == id).map(|file| file.path).collect())
}

/// Returns the files that could not be read when a commit was indexed. Only a local index has some.
///
/// # Errors
/// [`super::Error::Git`] if a tree can't be read.
pub fn unreadable_files(repo: &Repository, snapshot: &Snapshot) -> Result<Vec<BString>> {
    if !snapshot.is_local {
        return Ok(Vec::new());
    }
    unreadable_in(repo, snapshot.source_tree, snapshot.files)
}
