//! A declaration that was removed and added again: the commit that added it again → the one that
//! removed it, and the declaration before that.
//!
//! Only older versions of the same file are read, as long as few commits are between both: a
//! removal that is reverted is reverted soon.

use std::collections::HashMap;

use bstr::{BString, ByteSlice};

use super::subject::{Subject, matching};
use super::version::{VersionReader, blob_in};
use crate::answer::likeness::Shingles;
use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::git::{PathCommit, Repository};
use crate::search::{Error, Result};

/// Most older versions of the file that are read.
const MOST_VERSIONS: usize = 100;
/// Least likeness of the declaration before and after. Another one may take the name, or be another
/// overload: then its signature differs, too.
const LEAST: f64 = 0.5;

/// A declaration before it was removed.
pub(super) struct Earlier {
    /// The commit that removed it.
    pub(super) removed: ObjectId,
    /// The place of the newest commit that has it, among the commits of its file.
    pub(super) at: usize,
    pub(super) subject: Subject,
}

/// Finds a declaration that the commit at `at` added, in an older version of its file. `commits`
/// are those that changed the file, children before parents.
pub(super) fn earlier(
    repo: &Repository,
    reader: &mut VersionReader<'_>,
    commits: &[PathCommit],
    at: usize,
    subject: &Subject,
    task: Task<'_>,
) -> Result<Option<Earlier>> {
    let path: &BString = &subject.place.path;
    // An older version may be missing in a partial clone, and each would be fetched.
    let Some(first) = commits.get(at).filter(|_| repo.has_all_blobs()) else { return Ok(None) };
    let own = Shingles::of(&subject.text);
    // By commit behind the first one, the commit from which the walk came to it.
    let mut open: HashMap<ObjectId, ObjectId> = first.parents.iter().map(|id| (*id, first.id)).collect();
    for (place, commit) in commits.iter().enumerate().skip(at + 1).take(MOST_VERSIONS) {
        if task.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let Some(child) = open.get(&commit.id).copied() else { continue };
        for parent in &commit.parents {
            open.entry(*parent).or_insert(commit.id);
        }
        let Some(blob) = blob_in(repo, commit.id, path.as_bstr())? else { continue };
        // Its absence costs no parsing.
        let Some(text) = reader.text(blob)? else { continue };
        if !text.contains(subject.entry.name.as_str()) {
            continue;
        }
        let Some(version) = reader.version(path.as_bstr(), blob)? else { continue };
        let Some(entry) = matching(&version, subject) else { continue };
        let is_same = entry.kind == subject.entry.kind
            && version.signature(entry) == subject.parts.signature
            && own.likeness(&Shingles::of(version.text_of(entry))) >= LEAST;
        if !is_same || child == first.id {
            return Ok(None);
        }
        let subject = Subject::of(path, blob, &version, entry);
        return Ok(Some(Earlier { removed: child, at: place, subject }));
    }
    Ok(None)
}
