//! Opening an index: ref → checked snapshot.
//!
//! Owns [`Snapshot`] and [`CommitIndex`], and the choice of a base for the next index. An index may
//! come from anyone. This module checks its shape: the commits, the manifest and the top of the
//! tree. Each record is checked by its reader.

use std::collections::HashSet;

use bstr::{BStr, BString, ByteSlice};

use super::chunk::ChunkOptions;
use super::record::{Manifest, ManifestState, limits};
use crate::base::id::ObjectId;
use crate::base::progress::Cancel;
use crate::git::{Blob, EntryMode, Repository, TreeEntry};

use super::layout::{self, FILES, MANIFEST, commit_of_ref, local_ref_name, ref_name};
use super::{Error, IndexOptions, LOCAL_PREFIX, REF_PREFIX, Result};

/// A readable index of one commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snapshot {
    /// The source commit.
    pub commit: ObjectId,
    /// The source commit's tree.
    pub source_tree: ObjectId,
    /// The commit that the ref points at: B, or S for a root commit and for a local index.
    pub index_commit: ObjectId,
    /// The snapshot commit S.
    pub snapshot_commit: ObjectId,
    /// The index tree T.
    pub tree: ObjectId,
    /// The tree of records, `files` in T; the empty tree for a commit without files.
    pub files: ObjectId,
    /// Whether the index is only valid in this repository: its first parent is unknown or too
    /// large to be indexed, or a file was unreadable.
    pub is_local: bool,
}

/// The state of a commit's index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommitIndex {
    /// It exists, and this program would make it the same way.
    Current(Snapshot),
    /// It does not exist.
    Absent,
    /// It is of an older version, or made with other options.
    Outdated {
        /// The ref to be replaced.
        refname: String,
        /// The object that the ref points at.
        target: ObjectId,
        /// The difference of its manifest.
        state: ManifestState,
    },
    /// It exists, but is damaged.
    Damaged {
        /// The ref to be replaced.
        refname: String,
        /// A description of the damage.
        why: String,
    },
    /// A newer version made it, and it must not be replaced. An index of ours can be stored beside
    /// it, as a local one.
    Newer,
}

/// Opens the index of `commit`. A local index beside one of a newer version counts.
///
/// # Errors
/// [`Error::Newer`] if a newer version made the local index too; [`Error::Git`].
pub fn open(repo: &Repository, commit: ObjectId, manifest: &Manifest) -> Result<CommitIndex> {
    let mut is_newer = false;
    for (refname, is_local) in [(ref_name(commit), false), (local_ref_name(commit), true)] {
        let target = match repo.read_ref(&refname) {
            Ok(Some(target)) => target,
            // A crash may leave an empty file, which Git can't read either.
            Ok(None) | Err(_) if repo.is_unusable_ref(&refname) => {
                return Ok(CommitIndex::Damaged { why: format!("'{refname}' has no object id"), refname });
            }
            Ok(None) => continue,
            Err(error) => return Err(error.into()),
        };
        match read(repo, commit, target, manifest, is_local) {
            Ok(Shape::Snapshot(snapshot)) => return Ok(CommitIndex::Current(snapshot)),
            Ok(Shape::Other(ManifestState::Newer)) if is_local => return Err(Error::Newer { commit }),
            Ok(Shape::Other(ManifestState::Newer)) => is_newer = true,
            Ok(Shape::Other(state)) => return Ok(CommitIndex::Outdated { refname, target, state }),
            Err(why) => return Ok(CommitIndex::Damaged { refname, why }),
        }
    }
    Ok(if is_newer { CommitIndex::Newer } else { CommitIndex::Absent })
}

/// Returns whether the index of `commit` under `refs/cora/` was made by a newer version. Nothing of
/// ours may take its place.
///
/// # Errors
/// [`Error::Git`].
pub fn is_newer(repo: &Repository, commit: ObjectId, manifest: &Manifest) -> Result<bool> {
    let Ok(Some(target)) = repo.read_ref(&ref_name(commit)) else { return Ok(false) };
    Ok(matches!(read(repo, commit, target, manifest, false), Ok(Shape::Other(ManifestState::Newer))))
}

/// Looks for objects of an index that are not in the repository, or that can't be read: trees, and
/// whether each record is there. Returns a description of the first one.
///
/// `checked` holds subtrees that were found complete before, for another commit, and gets those
/// found now. The content of records is not read: that is what `verify` does.
pub fn incomplete(repo: &Repository, snapshot: &Snapshot, checked: &mut HashSet<ObjectId>) -> Option<String> {
    match repo.missing_below(snapshot.files, checked, true) {
        Ok(missing) => missing.map(|id| format!("record {id} is missing")),
        Err(error) => Some(error.to_string()),
    }
}

/// Opens the index of `commit` with the options that its manifest names, whatever ours are.
///
/// # Errors
/// [`Error::NotIndexed`] if there is none or one of an older version, [`Error::Newer`],
/// [`Error::Damaged`].
pub fn open_foreign(repo: &Repository, commit: ObjectId) -> Result<(Snapshot, IndexOptions)> {
    let damaged = |why: String| Error::Damaged { commit, why };
    let target = repo.read_ref(&ref_name(commit))?.ok_or(Error::NotIndexed { commit })?;
    let tree = repo.commit(target).map_err(|error| damaged(error.to_string()))?.tree;
    let entry = repo.tree_entry(tree, BStr::new(MANIFEST)).map_err(|error| damaged(error.to_string()))?;
    let bytes = match entry.map(|entry| repo.blob(entry.id, limits::MANIFEST_BYTES as u64)).transpose()? {
        Some(Blob::Bytes(bytes)) => bytes,
        _ => return Err(damaged(format!("index tree {tree} has no manifest"))),
    };
    let manifest = match IndexOptions::default().manifest().compare(&bytes) {
        Ok(ManifestState::Newer) => return Err(Error::Newer { commit }),
        Ok(ManifestState::Older) => return Err(Error::NotIndexed { commit }),
        Ok(ManifestState::Current | ManifestState::OtherOptions) => Manifest::decode(&bytes),
        Err(error) => Err(error),
    };
    let manifest = manifest.map_err(|error| damaged(error.to_string()))?;
    let options = IndexOptions {
        chunk: ChunkOptions {
            target_bytes: manifest.target_bytes,
            window_tokens: manifest.window_tokens,
            window_overlap: manifest.window_overlap,
        },
        limits: super::source::Limits { max_file_bytes: manifest.max_file_bytes },
    };
    match read(repo, commit, target, &manifest, false).map_err(damaged)? {
        Shape::Snapshot(snapshot) => Ok((snapshot, options)),
        Shape::Other(_) => Err(Error::NotIndexed { commit }),
    }
}

enum Shape {
    Snapshot(Snapshot),
    Other(ManifestState),
}

/// Checks the objects behind an index ref; the error describes the damage.
fn read(
    repo: &Repository,
    commit: ObjectId,
    target: ObjectId,
    manifest: &Manifest,
    is_local: bool,
) -> std::result::Result<Shape, String> {
    let source_tree = repo.commit(commit).map_err(|error| error.to_string())?.tree;
    let top = repo.commit(target).map_err(|error| error.to_string())?;
    let snapshot_commit = match top.parents.as_slice() {
        [] => target,
        [snapshot] | [snapshot, _] => *snapshot,
        more => return Err(format!("index commit {target} has {} parents", more.len())),
    };
    if snapshot_commit != target {
        let snapshot = repo.commit(snapshot_commit).map_err(|error| error.to_string())?;
        if snapshot.tree != top.tree {
            return Err(format!(
                "snapshot {snapshot_commit} does not have the tree of index commit \
            {target}"
            ));
        }
    }
    // S does not name its source. There the blob ids in the records are the only check.
    if snapshot_commit != target && top.subject != layout::index_subject(commit) {
        return Err(format!("index commit {target} belongs to another commit"));
    }
    let entry = repo
        .tree_entry(top.tree, BStr::new(MANIFEST))
        .map_err(|error| error.to_string())?
        .ok_or_else(|| format!("index tree {} has no manifest", top.tree))?;
    let Blob::Bytes(bytes) =
        repo.blob(entry.id, limits::MANIFEST_BYTES as u64).map_err(|error| error.to_string())?
    else {
        return Err(format!("manifest {} is missing or too large", entry.id));
    };
    match manifest.compare(&bytes).map_err(|error| error.to_string())? {
        ManifestState::Current => {}
        state => return Ok(Shape::Other(state)),
    }
    let files = match repo.tree_entry(top.tree, BStr::new(FILES)).map_err(|error| error.to_string())? {
        Some(TreeEntry { mode: EntryMode::Directory, id, .. }) => id,
        None if source_tree == repo.empty_tree() => source_tree,
        Some(_) => return Err(format!("'{FILES}' in index tree {} is not a directory", top.tree)),
        None => return Err(format!("index tree {} has no records", top.tree)),
    };
    // Only the top: looking at each directory would cost too much for every command.
    repo.tree_directory(files, BStr::new("")).map_err(|error| error.to_string())?;
    Ok(Shape::Snapshot(Snapshot {
        commit,
        source_tree,
        index_commit: target,
        snapshot_commit,
        tree: top.tree,
        files,
        is_local,
    }))
}

/// Returns the commits that have an index of any version, with its ref and the ref's value, sorted
/// by refname.
///
/// # Errors
/// [`Error::Git`].
pub fn indexed_commits(repo: &Repository) -> Result<Vec<(ObjectId, BString, ObjectId)>> {
    let mut out = Vec::new();
    for prefix in [REF_PREFIX, LOCAL_PREFIX] {
        for (name, target) in repo.list_refs(prefix)? {
            if let Some(commit) = commit_of_ref(name.as_bytes()) {
                out.push((commit, name, target));
            }
        }
    }
    Ok(out)
}

/// Number of ancestors searched for an indexed one.
const NEAREST_ANCESTORS: usize = 2_000;

/// Most indexed commits that are read to find those committed at about the same time.
const MOST_DATED: usize = 4_000;

/// Number of commits of about the same time that are compared, as well as the nearest ancestor and
/// a tip.
const COMPARED: usize = 4;

/// A base with this many changed files or more gains less than comparing with it costs.
const MOST_CHANGES: usize = 100_000;

/// Returns a base for the index of `commit`; `None` if there is none.
///
/// The index of the first parent is taken if it exists. Otherwise the one with the fewest changed
/// files wins, among
/// - the nearest indexed ancestor;
/// - an indexed tip;
/// - indexed commits of about the same time, such as its child in a history that is indexed
///   backwards.
///
/// The choice never changes a result, only the amount of work.
///
/// # Errors
/// [`Error::Git`].
pub fn nearest(repo: &Repository, commit: ObjectId, manifest: &Manifest) -> Result<Option<Snapshot>> {
    let current = |candidate: ObjectId| -> Option<Snapshot> {
        match open(repo, candidate, manifest) {
            Ok(CommitIndex::Current(snapshot)) => Some(snapshot),
            _ => None, // absent, outdated and damaged ones are equally useless as a base
        }
    };
    let this = repo.commit(commit)?;
    // The first parent nearly always has an index. Checking it first avoids listing all refs.
    if let Some(snapshot) = this.parents.first().and_then(|&parent| current(parent)) {
        return Ok(Some(snapshot));
    }
    let indexed: Vec<ObjectId> = indexed_commits(repo)?.into_iter().map(|(commit, ..)| commit).collect();
    if indexed.is_empty() {
        return Ok(None);
    }
    let known: HashSet<ObjectId> = indexed.iter().copied().collect();
    let ancestors = repo.ancestors(commit, NEAREST_ANCESTORS, &Cancel::default())?;
    let ancestor = ancestors.into_iter().filter(|ancestor| known.contains(ancestor)).find_map(current);
    let tips = repo.tips()?;
    let tip = tips.iter().map(|(_, id)| *id).filter(|id| known.contains(id)).take(64).find_map(current);
    let mut dated: Vec<(u64, ObjectId)> = indexed
        .iter()
        .filter(|id| repo.contains(**id))
        .take(MOST_DATED)
        .filter_map(|&id| Some((repo.commit(id).ok()?.committer_time_s.abs_diff(this.committer_time_s), id)))
        .collect();
    dated.sort_unstable();
    let same_time = dated.into_iter().take(64).filter_map(|(_, id)| current(id)).take(COMPARED);

    let mut met = HashSet::new();
    let mut candidates =
        ancestor.into_iter().chain(same_time).chain(tip).filter(|snapshot| met.insert(snapshot.commit));
    if repo.lacks_trees() {
        // Comparing would fetch the trees of each candidate.
        return Ok(candidates.next());
    }
    let (mut best, mut n_best) = (None, MOST_CHANGES);
    for candidate in candidates {
        let changes = repo.few_changes(candidate.source_tree, this.tree, n_best)?;
        match changes.map(|changes| changes.len()) {
            Some(n) if n < n_best => (best, n_best) = (Some(candidate), n),
            Some(_) | None => best = best.or(Some(candidate)),
        }
    }
    Ok(best)
}
