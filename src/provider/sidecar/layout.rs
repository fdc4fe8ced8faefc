//! Fixed names and bytes of a sidecar in Git: the paths in its tree, and its two commits.
//!
//! Pure: values → bytes, as each kind's `FORMAT.md` says.

use super::Sidecar;
use crate::base::id::ObjectId;

pub(super) const MANIFEST: &str = "manifest";
pub(super) const FILES: &str = "files";

const IDENTITY: &str = "git-cora <git-cora@localhost> 0 +0000";

/// Returns the bytes of commit S.
pub(super) fn snapshot_commit<S: Sidecar>(tree: ObjectId) -> Vec<u8> {
    format!("tree {tree}\nauthor {IDENTITY}\ncommitter {IDENTITY}\n\ngit-cora: {}\n", S::NOUN).into_bytes()
}

/// Returns the bytes of the commit that the ref points to.
pub(super) fn commit<S: Sidecar>(
    tree: ObjectId,
    source: ObjectId,
    snapshot: ObjectId,
    base: Option<ObjectId>,
) -> Vec<u8> {
    let second =
        base.filter(|base| *base != snapshot).map(|base| format!("parent {base}\n")).unwrap_or_default();
    format!(
        "tree {tree}\nparent {snapshot}\n{second}author {IDENTITY}\ncommitter {IDENTITY}\n\n\
         git-cora: {} of {source}\n",
        S::NOUN
    )
    .into_bytes()
}
