//! Names and fixed bytes of an index: refnames, paths inside an index tree, the text of its two
//! commits.
//!
//! Everything here is pure and part of the index's identity. A change of any byte changes the ids
//! of all indexes.

use crate::base::id::ObjectId;

/// Prefix of the refs of indexes that are the same on every machine.
pub const REF_PREFIX: &str = "refs/cora/";

/// Prefix of the refs of indexes that are only valid in this repository.
pub const LOCAL_PREFIX: &str = "refs/cora-local/";

/// Name of the manifest in an index tree.
pub(super) const MANIFEST: &str = "manifest";

/// Directory of the records in an index tree. It keeps source paths apart from the manifest. It
/// also keeps a `.gitattributes` of the source from acting on the index.
pub(super) const FILES: &str = "files";

/// Identity and time of every index commit. The time is the epoch, so they come last in `git log
/// --all`.
const IDENTITY: &str = "git-cora <git-cora@localhost> 0 +0000";

/// Returns the ref of the index of `commit`.
pub fn ref_name(commit: ObjectId) -> String {
    format!("{REF_PREFIX}{commit}")
}

/// Returns the ref of an index that can't be shared.
pub(super) fn local_ref_name(commit: ObjectId) -> String {
    format!("{LOCAL_PREFIX}{commit}")
}

/// Returns the source commit whose index the ref holds; `None` for any other ref.
pub fn commit_of_ref(name: &[u8]) -> Option<ObjectId> {
    let name = std::str::from_utf8(name).ok()?;
    let id = name.strip_prefix(REF_PREFIX).or_else(|| name.strip_prefix(LOCAL_PREFIX))?;
    ObjectId::from_name(id)
}

/// Returns the message of B.
pub(super) fn index_subject(source: ObjectId) -> String {
    format!("git-cora: index of {source}")
}

/// Returns the bytes of S, a snapshot without parents. It depends only on its tree, so source
/// commits with the same tree share it.
pub(super) fn snapshot_commit(tree: ObjectId) -> Vec<u8> {
    format!("tree {tree}\nauthor {IDENTITY}\ncommitter {IDENTITY}\n\ngit-cora: snapshot\n").into_bytes()
}

/// Returns the bytes of B, the index of `source`. Its parents are the snapshots of `source` and of
/// its first parent.
pub(super) fn index_commit(
    tree: ObjectId,
    source: ObjectId,
    snapshot: ObjectId,
    parent_snapshot: ObjectId,
) -> Vec<u8> {
    // Git expects different parents, so two equal snapshots are one parent.
    let second =
        if parent_snapshot == snapshot { String::new() } else { format!("parent {parent_snapshot}\n") };
    format!(
        "tree {tree}\nparent {snapshot}\n{second}author {IDENTITY}\ncommitter {IDENTITY}\n\n\
         {}\n",
        index_subject(source)
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refs_round_trip_and_foreign_ones_are_none() {
        let id: ObjectId = "12".repeat(20).parse().unwrap();
        assert_eq!(commit_of_ref(ref_name(id).as_bytes()), Some(id));
        assert_eq!(commit_of_ref(local_ref_name(id).as_bytes()), Some(id));
        let capitals = format!("{REF_PREFIX}{}", "AB".repeat(20));
        for foreign in ["refs/heads/main", "refs/cora/embeddings/m/1212", "refs/cora/", &capitals] {
            assert_eq!(commit_of_ref(foreign.as_bytes()), None);
        }
    }
}
