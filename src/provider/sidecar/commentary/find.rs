//! Finding commentary: commit → checked tree of files. Also the names and fixed bytes of the
//! format.
//!
//! Checks the manifest, so that commentary of another format is never returned. Files are checked
//! when they are read ([`read`]).

use std::collections::HashSet;

use bstr::{BStr, ByteSlice};

use crate::base::id::ObjectId;
use crate::base::progress::Cancel;
use crate::git::{Blob, Repository};

use super::note::{MAX_BYTES, decode};
use super::{Error, Note, Result};

/// Prefix of the refs.
pub const REF_PREFIX: &str = "refs/cora/commentary/";

pub(super) const MANIFEST: &str = "manifest";
pub(super) const FILES: &str = "files";
pub(super) const FORMAT: &str = "format 1\n";

/// Most bytes of a manifest.
const MANIFEST_BYTES: u64 = 4096;
/// Most ancestors that are searched for one with commentary.
const NEAREST_ANCESTORS: usize = 2_000;
const IDENTITY: &str = "git-cora <git-cora@localhost> 0 +0000";

/// Returns the ref of the commentary of `commit`.
pub fn ref_name(commit: ObjectId) -> String {
    format!("{REF_PREFIX}{commit}")
}

/// Returns the bytes of commit S.
pub(super) fn snapshot_commit(tree: ObjectId) -> Vec<u8> {
    format!("tree {tree}\nauthor {IDENTITY}\ncommitter {IDENTITY}\n\ngit-cora: commentary\n").into_bytes()
}

/// Returns the bytes of commit C.
pub(super) fn commit(
    tree: ObjectId,
    source: ObjectId,
    snapshot: ObjectId,
    base: Option<ObjectId>,
) -> Vec<u8> {
    let base =
        base.filter(|base| *base != snapshot).map(|base| format!("parent {base}\n")).unwrap_or_default();
    format!(
        "tree {tree}\nparent {snapshot}\n{base}author {IDENTITY}\ncommitter {IDENTITY}\n\n\
         git-cora: commentary of {source}\n"
    )
    .into_bytes()
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

/// Returns the commits that have commentary.
pub(super) fn commits(repo: &Repository) -> Result<Vec<ObjectId>> {
    let refs = repo.list_refs(REF_PREFIX)?;
    Ok(refs
        .iter()
        .filter_map(|(name, _)| name.to_str().ok()?.strip_prefix(REF_PREFIX)?.parse().ok())
        .collect())
}

/// Finds the commentary of `commit`, else that of its nearest ancestor that has any.
///
/// A file's notes at an ancestor are valid as long as its record is the same. Skips commentary that
/// is damaged or of a newer format.
///
/// # Errors
/// [`Error::Repo`].
pub fn find(repo: &Repository, commit: ObjectId) -> Result<Option<CommentaryRef>> {
    let known: HashSet<ObjectId> = commits(repo)?.into_iter().collect();
    if known.is_empty() {
        return Ok(None);
    }
    if known.contains(&commit)
        && let Ok(Some(found)) = open(repo, commit)
    {
        return Ok(Some(found));
    }
    for ancestor in repo.ancestors(commit, NEAREST_ANCESTORS, &Cancel::default())? {
        if ancestor != commit
            && known.contains(&ancestor)
            && let Ok(Some(found)) = open(repo, ancestor)
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Opens the commentary of `commit`; `None` if it has none.
///
/// # Errors
/// [`Error::Newer`], [`Error::CorruptHistory`], [`Error::Repo`].
pub(super) fn open(repo: &Repository, commit: ObjectId) -> Result<Option<CommentaryRef>> {
    let Some(target) = repo.read_ref(&ref_name(commit))? else { return Ok(None) };
    let top = repo.commit(target)?;
    let snapshot_commit = top.parents.first().copied().unwrap_or(target);
    let entry =
        repo.tree_entry(top.tree, BStr::new(MANIFEST))?.ok_or(Error::Corrupt("its tree has no manifest"))?;
    let Blob::Bytes(bytes) = repo.blob(entry.id, MANIFEST_BYTES)? else {
        return Err(Error::Corrupt("its manifest is missing or too large"));
    };
    let first = bytes.lines().next().unwrap_or_default();
    if first != FORMAT.trim_end().as_bytes() {
        let number = first.strip_prefix(b"format ").and_then(|number| number.to_str().ok());
        return Err(match number.and_then(|number| number.parse::<u32>().ok()) {
            Some(_) => Error::Newer { commit },
            None => Error::Corrupt("its manifest names no format"),
        });
    }
    let files = repo.tree_entry(top.tree, BStr::new(FILES))?.map_or(repo.empty_tree(), |entry| entry.id);
    Ok(Some(CommentaryRef { commit, snapshot_commit, files }))
}

/// Reads the notes in a blob, with the id of the record that they are about; `None` if they are
/// unreadable.
///
/// # Errors
/// [`Error::Repo`].
pub fn read(repo: &Repository, blob: ObjectId) -> Result<Option<(ObjectId, Vec<Note>)>> {
    Ok(match repo.blob(blob, MAX_BYTES)? {
        Blob::Bytes(bytes) => decode(&bytes).ok(),
        _ => None,
    })
}
