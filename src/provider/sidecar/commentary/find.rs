//! Finding commentary: commit → checked tree of files. Also the names and fixed bytes of the
//! format.
//!
//! Checks the manifest, so that commentary of another format is never returned. Files are checked
//! when they are read ([`read`]).

use bstr::ByteSlice;

use super::super::find;
use crate::base::id::ObjectId;
use crate::git::{Blob, Repository};

use super::note::{MAX_BYTES, decode};
use super::{CommentarySidecar, Error, Note, Result};

/// Prefix of the refs.
pub const REF_PREFIX: &str = "refs/cora/commentary/";

/// The bytes of a manifest.
pub(super) const FORMAT: &str = "format 1\n";

/// Returns the ref of the commentary of `commit`.
pub fn ref_name(commit: ObjectId) -> String {
    format!("{REF_PREFIX}{commit}")
}

/// The commentary under one ref.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommentaryRef {
    /// The source commit that it was made for.
    pub commit: ObjectId,
    pub(super) snapshot_commit: ObjectId,
    /// The tree of files.
    pub files: ObjectId,
}

/// Finds the commentary of `commit`, else that of its nearest ancestor that has any.
///
/// A file's notes at an ancestor are valid as long as its record is the same. Skips commentary that
/// is damaged or of a newer format.
///
/// # Errors
/// [`Error::Git`].
pub fn find(repo: &Repository, commit: ObjectId) -> Result<Option<CommentaryRef>> {
    find::nearest(repo, commit, REF_PREFIX, |commit| open(repo, commit))
}

/// Returns the commentary to take over from: the commit's own, that of the nearest ancestors, then
/// any.
///
/// # Errors
/// [`Error::Newer`] if the commit's own is of a newer format, [`Error::Git`].
pub(super) fn bases(repo: &Repository, commit: ObjectId) -> Result<Vec<CommentaryRef>> {
    find::bases(repo, commit, REF_PREFIX, |commit| open(repo, commit))
}

/// Opens the commentary of `commit`; `None` if it has none.
///
/// # Errors
/// [`Error::Newer`], [`Error::Corrupt`], [`Error::Git`].
fn open(repo: &Repository, commit: ObjectId) -> Result<Option<CommentaryRef>> {
    let Some(tree) = find::read::<CommentarySidecar>(repo, &ref_name(commit))? else { return Ok(None) };
    let first = tree.manifest.lines().next().unwrap_or_default();
    if first != FORMAT.trim_end().as_bytes() {
        let number = first.strip_prefix(b"format ").and_then(|number| number.to_str().ok());
        return Err(match number.and_then(|number| number.parse::<u32>().ok()) {
            Some(_) => Error::Newer { commit },
            None => Error::Corrupt("the manifest names no format"),
        });
    }
    Ok(Some(CommentaryRef { commit, snapshot_commit: tree.snapshot_commit, files: tree.files }))
}

/// Reads the notes in a blob, with the id of the record that they are about; `None` if they are
/// unreadable.
///
/// # Errors
/// [`Error::Git`].
pub fn read(repo: &Repository, blob: ObjectId) -> Result<Option<(ObjectId, Vec<Note>)>> {
    Ok(match repo.blob(blob, MAX_BYTES)? {
        Blob::Bytes(bytes) => decode(&bytes).ok(),
        _ => None,
    })
}
