//! Finding vectors: model and commit → checked tree of files.
//!
//! Checks the manifest, so that vectors of another model or format are never returned. Must not
//! read the files: those are checked when they are read.

use super::super::find;
use super::layout::{Manifest, model_prefix, ref_name};
use super::{Error, Result, VectorSidecar};
use crate::base::id::ObjectId;
use crate::git::Repository;
use crate::provider::embedding::Model;

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
/// [`Error::Git`].
pub fn find(repo: &Repository, id: &str, component: &str, commit: ObjectId) -> Result<Option<VectorsRef>> {
    let open = |commit| open(repo, id, component, commit);
    find::nearest(repo, commit, &model_prefix(component), open)
}

/// Returns the vectors to take over from: the commit's own, those of the nearest ancestors, then
/// any.
///
/// # Errors
/// [`Error::Newer`] if the commit's own are of a newer format, [`Error::Git`].
pub(super) fn bases(repo: &Repository, model: &Model, commit: ObjectId) -> Result<Vec<VectorsRef>> {
    let (id, component) = (model.id(), model.component());
    let open = |commit| open(repo, &id, &component, commit);
    let mut bases = find::bases(repo, commit, &model_prefix(&component), open)?;
    // If the length of a model's vectors has changed, it is another model, whatever its name.
    if let Some(dimensions) = bases.first().map(|base| base.dimensions) {
        bases.retain(|base| base.dimensions == dimensions);
    }
    Ok(bases)
}

/// Opens the vectors of `commit`; `None` if it has none.
///
/// # Errors
/// [`Error::Newer`], [`Error::Corrupt`], [`Error::Git`].
fn open(repo: &Repository, id: &str, component: &str, commit: ObjectId) -> Result<Option<VectorsRef>> {
    let Some(tree) = find::read::<VectorSidecar>(repo, &ref_name(component, commit))? else {
        return Ok(None);
    };
    let manifest = Manifest::decode(&tree.manifest, commit)?;
    if manifest.model != id {
        return Err(Error::Corrupt("they are from another model"));
    }
    Ok(Some(VectorsRef {
        commit,
        target: tree.target,
        snapshot_commit: tree.snapshot_commit,
        files: tree.files,
        dimensions: manifest.dimensions,
    }))
}
