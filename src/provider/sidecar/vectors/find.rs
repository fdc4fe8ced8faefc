//! Finding vectors: model and commit → checked tree of files.
//!
//! Checks the manifest, so that vectors of another model or format are never returned. Must not
//! read the files: those are checked when they are read.

use bstr::{BStr, ByteSlice};

use crate::base::id::ObjectId;
use crate::base::progress::Cancel;
use crate::git::{Blob, Repository};

use super::layout::{FILES, MANIFEST, MANIFEST_BYTES, Manifest, model_prefix, ref_name};
use super::{Error, Result};

/// Most ancestors that are searched for one with vectors.
const NEAREST_ANCESTORS: usize = 2_000;

/// The vectors of a model under one ref.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VectorsRef {
    /// The source commit that they were made for.
    pub commit: ObjectId,
    /// The commit that the ref points to.
    pub target: ObjectId,
    /// Commit S.
    pub(super) snapshot_commit: ObjectId,
    /// The tree of files.
    pub files: ObjectId,
    /// Dimensions of every vector.
    pub dimensions: usize,
}

/// Finds the vectors of `commit`, else those of its nearest ancestor that has any.
///
/// A file's vectors at an ancestor are valid as long as its record is the same. `id` and
/// `component` are the model's. Skips vectors that are damaged or of a newer format.
///
/// # Errors
/// [`Error::Repo`].
pub fn find(repo: &Repository, id: &str, component: &str, commit: ObjectId) -> Result<Option<VectorsRef>> {
    if let Ok(Some(found)) = open(repo, id, component, commit) {
        return Ok(Some(found));
    }
    let known: std::collections::HashSet<ObjectId> =
        commits(repo, component)?.into_iter().filter(|known| *known != commit).collect();
    if known.is_empty() {
        return Ok(None);
    }
    for ancestor in repo.ancestors(commit, NEAREST_ANCESTORS, &Cancel::default())? {
        if known.contains(&ancestor)
            && let Ok(Some(found)) = open(repo, id, component, ancestor)
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Returns the commits that have vectors of a model.
pub(super) fn commits(repo: &Repository, component: &str) -> Result<Vec<ObjectId>> {
    let prefix = model_prefix(component);
    let refs = repo.list_refs(&prefix)?;
    Ok(refs
        .iter()
        .filter_map(|(name, _)| name.to_str().ok()?.strip_prefix(prefix.as_str())?.parse().ok())
        .collect())
}

/// Opens the vectors of `commit`; `None` if it has none.
///
/// # Errors
/// [`Error::Newer`], [`Error::CorruptHistory`], [`Error::Repo`].
pub(super) fn open(
    repo: &Repository,
    id: &str,
    component: &str,
    commit: ObjectId,
) -> Result<Option<VectorsRef>> {
    let Some(target) = repo.read_ref(&ref_name(component, commit))? else { return Ok(None) };
    let top = repo.commit(target)?;
    let snapshot_commit = top.parents.first().copied().unwrap_or(target);
    let entry = repo
        .tree_entry(top.tree, BStr::new(MANIFEST))?
        .ok_or(Error::Corrupt("their tree has no manifest"))?;
    let Blob::Bytes(bytes) = repo.blob(entry.id, MANIFEST_BYTES)? else {
        return Err(Error::Corrupt("their manifest is missing or too large"));
    };
    let manifest = Manifest::decode(&bytes, commit)?;
    if manifest.model != id {
        return Err(Error::Corrupt("they are of another model"));
    }
    let files = repo.tree_entry(top.tree, BStr::new(FILES))?.map_or(repo.empty_tree(), |entry| entry.id);
    Ok(Some(VectorsRef { commit, target, snapshot_commit, files, dimensions: manifest.dimensions }))
}
