//! Names and fixed bytes: refnames, paths inside an index tree, the text of the two index commits.

use crate::base::id::ObjectId;

/// Prefix of the refs of indexes that anyone would build the same.
pub const REF_PREFIX: &str = "refs/cora/";

/// Prefix of the refs of indexes that are only good here.
pub const LOCAL_PREFIX: &str = "refs/cora-local/";

/// Name of the manifest in an index tree.
pub(super) const MANIFEST: &str = "manifest";

/// Directory of the records in an index tree. One directory below the root, so that a source path can't be
/// taken for the manifest, nor a `.gitattributes` of the source for one of the index.
pub(super) const FILES: &str = "files";

/// Identity and time of every index commit. The epoch, so that they sort to the very end of `git log --all`.
const IDENTITY: &str = "git-cora <git-cora@localhost> 0 +0000";

/// The ref of the index of `commit`.
pub fn ref_name(commit: ObjectId) -> String {
    format!("{REF_PREFIX}{commit}")
}

/// The ref of the index of a commit whose first parent is unknown here.
pub(super) fn local_ref_name(commit: ObjectId) -> String {
    format!("{LOCAL_PREFIX}{commit}")
}

/// The source commit whose index the ref names; `None` for any other ref.
pub fn commit_of_ref(name: &[u8]) -> Option<ObjectId> {
    let name = std::str::from_utf8(name).ok()?;
    name.strip_prefix(REF_PREFIX).or_else(|| name.strip_prefix(LOCAL_PREFIX))?.parse().ok()
}

/// The message of B.
pub(super) fn index_subject(source: ObjectId) -> String {
    format!("git-cora: index of {source}")
}

/// Bytes of S: a snapshot without parents. A function of its tree alone, so that source commits with the same
/// tree share it.
pub(super) fn snapshot_commit(tree: ObjectId) -> Vec<u8> {
    format!("tree {tree}\nauthor {IDENTITY}\ncommitter {IDENTITY}\n\ngit-cora: snapshot\n").into_bytes()
}

/// Bytes of B: the index of `source`, with the snapshots of `source` and of its first parent as parents.
pub(super) fn index_commit(
    tree: ObjectId,
    source: ObjectId,
    snapshot: ObjectId,
    parent_snapshot: ObjectId,
) -> Vec<u8> {
    // Git wants a commit's parents to differ; where the two snapshots are one, it is named once.
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
        for foreign in ["refs/heads/main", "refs/cora/embeddings/m/1212", "refs/cora/"] {
            assert_eq!(commit_of_ref(foreign.as_bytes()), None);
        }
    }
}
