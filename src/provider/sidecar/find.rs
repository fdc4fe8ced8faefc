//! Finding a sidecar: commit → the checked tree of its ref, its nearest ancestor's, or those to
//! take over from.
//!
//! Must not read the files of the tree: those are checked when they are read.

use std::collections::HashSet;

use bstr::{BStr, ByteSlice};

use super::layout::{FILES, MANIFEST};
use super::{Error, Sidecar};
use crate::base::id::ObjectId;
use crate::base::progress::Cancel;
use crate::git::{Blob, Repository};

/// Most bytes of a manifest.
const MANIFEST_BYTES: u64 = 4096;
/// Most ancestors that are searched for one with a ref.
const NEAREST_ANCESTORS: usize = 2_000;
/// Most refs that are searched for what is known; more add hardly anything.
const BASES: usize = 16;

/// The tree of one ref, with the bytes of its manifest.
pub(super) struct Tree {
    /// The commit that the ref points to.
    pub(super) target: ObjectId,
    /// Commit S.
    pub(super) snapshot_commit: ObjectId,
    pub(super) manifest: Vec<u8>,
    /// The tree of files.
    pub(super) files: ObjectId,
}

/// Reads the tree of a ref; `None` without the ref.
///
/// # Errors
/// [`Error::Corrupt`], [`Error::Git`].
pub(super) fn read<S: Sidecar>(repo: &Repository, refname: &str) -> Result<Option<Tree>, Error<S>> {
    let Some(target) = repo.read_ref(refname)? else { return Ok(None) };
    let top = repo.commit(target)?;
    let snapshot_commit = top.parents.first().copied().unwrap_or(target);
    let entry =
        repo.tree_entry(top.tree, BStr::new(MANIFEST))?.ok_or(Error::Corrupt("the tree has no manifest"))?;
    let Blob::Bytes(manifest) = repo.blob(entry.id, MANIFEST_BYTES)? else {
        return Err(Error::Corrupt("the manifest is missing or too large"));
    };
    let files = repo.tree_entry(top.tree, BStr::new(FILES))?.map_or(repo.empty_tree(), |entry| entry.id);
    Ok(Some(Tree { target, snapshot_commit, manifest, files }))
}

/// Returns the blobs of several trees of files, each once, in the order of the trees. Skips a tree
/// that can't be read: it would only save money.
pub(super) fn blobs(repo: &Repository, trees: impl Iterator<Item = ObjectId>) -> Vec<ObjectId> {
    let mut seen = HashSet::new();
    let files = trees.flat_map(|tree| repo.tree_files(tree).unwrap_or_default());
    files.map(|entry| entry.id).filter(|id| seen.insert(*id)).collect()
}

/// Returns the commits that have a ref with this prefix.
pub(super) fn commits<S: Sidecar>(repo: &Repository, prefix: &str) -> Result<Vec<ObjectId>, Error<S>> {
    let refs = repo.list_refs(prefix)?;
    let commit = |name: &BStr| -> Option<ObjectId> { name.to_str().ok()?.strip_prefix(prefix)?.parse().ok() };
    Ok(refs.iter().filter_map(|(name, _)| commit(name.as_bstr())).collect())
}

/// Opens the sidecar of `commit`, else that of its nearest ancestor that has any. Skips those that
/// are damaged or of a newer format.
///
/// # Errors
/// [`Error::Git`].
pub(super) fn nearest<S: Sidecar, F>(
    repo: &Repository,
    commit: ObjectId,
    prefix: &str,
    open: impl Fn(ObjectId) -> Result<Option<F>, Error<S>>,
) -> Result<Option<F>, Error<S>> {
    if let Ok(Some(found)) = open(commit) {
        return Ok(Some(found));
    }
    let known: HashSet<ObjectId> =
        commits::<S>(repo, prefix)?.into_iter().filter(|known| *known != commit).collect();
    if known.is_empty() {
        return Ok(None);
    }
    for ancestor in repo.ancestors(commit, NEAREST_ANCESTORS, &Cancel::default())? {
        if known.contains(&ancestor)
            && let Ok(Some(found)) = open(ancestor)
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Opens the sidecars to take over from: the commit's own, those of the nearest ancestors, then
/// any.
///
/// # Errors
/// [`Error::Newer`] if the commit's own is of a newer format, which must not be replaced;
/// [`Error::Git`].
pub(super) fn bases<S: Sidecar, F>(
    repo: &Repository,
    commit: ObjectId,
    prefix: &str,
    open: impl Fn(ObjectId) -> Result<Option<F>, Error<S>>,
) -> Result<Vec<F>, Error<S>> {
    let known = commits::<S>(repo, prefix)?;
    let mut bases: Vec<F> = Vec::new();
    match open(commit) {
        Ok(found) => bases.extend(found),
        Err(Error::Corrupt(_) | Error::Git(_)) => {}
        Err(error) => return Err(error),
    }
    let line = if known.is_empty() { Vec::new() } else { repo.first_parents(commit, NEAREST_ANCESTORS)? };
    let all: HashSet<&ObjectId> = known.iter().collect();
    let near = line.iter().filter(|ancestor| all.contains(ancestor));
    let mut seen = HashSet::from([commit]);
    for candidate in near.chain(&known) {
        if bases.len() >= BASES {
            break;
        }
        if seen.insert(*candidate)
            && let Ok(Some(found)) = open(*candidate)
        {
            bases.push(found);
        }
    }
    Ok(bases)
}
