//! Walking and diffing trees.
//!
//! Trees may come from anyone: depth and number of entries are bounded, names that could lead out of a
//! directory are refused, and nothing recurses.

use std::cmp::Ordering;

use bstr::{BStr, BString, ByteSlice};

use crate::id::ObjectId;

use super::{Error, Repository, Result, from_gix, to_gix};

/// Deepest nesting of directories that is walked.
const DEPTH: usize = 512;

/// Most files of one tree.
const ENTRIES: usize = 5_000_000;

/// What a tree entry that is no tree can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryMode {
    /// A regular file.
    File,
    /// An executable file.
    Executable,
    /// A symbolic link.
    Symlink,
    /// A commit of another repository.
    Submodule,
}

/// A file of a tree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TreeEntry {
    /// Path from the root of the tree, `/`-separated.
    pub path: BString,
    /// What it is.
    pub mode: EntryMode,
    /// Its blob; of a submodule the commit; of a subtree (from [`Repository::tree_entry`] only) the tree.
    pub id: ObjectId,
}

/// A difference between two trees.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TreeChange {
    /// Path from the root, `/`-separated.
    pub path: BString,
    /// What the old tree has there.
    pub old: Option<(EntryMode, ObjectId)>,
    /// What the new tree has there.
    pub new: Option<(EntryMode, ObjectId)>,
}

/// An entry of one tree object.
#[derive(Debug, Clone)]
pub(super) struct RawEntry {
    pub(super) name: BString,
    /// `None` for a subtree.
    pub(super) mode: Option<EntryMode>,
    pub(super) id: ObjectId,
}

impl RawEntry {
    /// Git's order: a tree sorts as if its name ended in `/`.
    pub(super) fn cmp(&self, other: &Self) -> Ordering {
        let bytes = |entry: &Self| {
            entry.name.iter().copied().chain(entry.mode.is_none().then_some(b'/')).collect::<Vec<u8>>()
        };
        if self.mode.is_none() == other.mode.is_none() && self.name == other.name {
            return Ordering::Equal;
        }
        bytes(self).cmp(&bytes(other))
    }
}

impl Repository {
    /// The entries of one tree object, checked. The empty tree needs no object.
    pub(super) fn read_tree(&self, id: ObjectId) -> Result<Vec<RawEntry>> {
        if id == self.empty_tree() {
            return Ok(Vec::new());
        }
        let fail = |message: String| Error::Object { what: "tree", id, message };
        self.with(|repo| {
            let object = repo
                .try_find_object(to_gix(id))
                .map_err(|error| fail(error.to_string()))?
                .ok_or_else(|| fail("it is missing".to_owned()))?;
            if object.kind != gix::objs::Kind::Tree {
                return Err(fail(format!("it is a {}", object.kind)));
            }
            let mut out = Vec::new();
            for entry in gix::objs::TreeRefIter::from_bytes(&object.data, self.hash) {
                let entry = entry.map_err(|error| fail(error.to_string()))?;
                let name = entry.filename;
                if is_hostile(name) {
                    return Err(fail(format!("entry '{}' has a forbidden name", name.escape_ascii())));
                }
                use gix::objs::tree::EntryKind;
                let mode = match entry.mode.kind() {
                    EntryKind::Tree => None,
                    EntryKind::Blob => Some(EntryMode::File),
                    EntryKind::BlobExecutable => Some(EntryMode::Executable),
                    EntryKind::Link => Some(EntryMode::Symlink),
                    EntryKind::Commit => Some(EntryMode::Submodule),
                };
                out.push(RawEntry { name: name.to_owned(), mode, id: from_gix(entry.oid) });
            }
            Ok(out)
        })
    }

    /// All files of a tree, sorted by path bytes.
    ///
    /// # Errors
    /// [`Error::Object`] for a tree that is missing or damaged, [`Error::Limit`] for a hostile one.
    pub fn tree_files(&self, tree: ObjectId) -> Result<Vec<TreeEntry>> {
        let changes = self.diff_trees(None, tree)?;
        Ok(changes
            .into_iter()
            .filter_map(|change| change.new.map(|(mode, id)| TreeEntry { path: change.path, mode, id }))
            .collect())
    }

    /// The file or subtree at `path`; a subtree is given as a `File` with the tree's id.
    ///
    /// # Errors
    /// [`Error::Object`] for a tree that is missing or damaged.
    pub fn tree_entry(&self, tree: ObjectId, path: &BStr) -> Result<Option<TreeEntry>> {
        let mut id = tree;
        let mut parts = path.split_str(b"/").peekable();
        while let Some(part) = parts.next() {
            let Some(entry) = self.read_tree(id)?.into_iter().find(|entry| entry.name == part) else {
                return Ok(None);
            };
            match (entry.mode, parts.peek().is_some()) {
                (None, true) => id = entry.id,
                (mode, false) => {
                    let mode = mode.unwrap_or(EntryMode::File);
                    return Ok(Some(TreeEntry { path: path.to_owned(), mode, id: entry.id }));
                }
                (Some(_), true) => return Ok(None),
            }
        }
        Ok(None)
    }

    /// What differs between two trees, sorted by path bytes; renames are a deletion and an addition. Equal
    /// subtrees are not read.
    ///
    /// # Errors
    /// As [`Repository::tree_files`].
    pub fn diff_trees(&self, old: Option<ObjectId>, new: ObjectId) -> Result<Vec<TreeChange>> {
        let mut out = Vec::new();
        let mut todo = vec![(BString::default(), 0usize, old, Some(new))];
        while let Some((prefix, depth, old, new)) = todo.pop() {
            if old == new {
                continue;
            }
            let too_much = |message: &str| Error::Limit {
                id: new.or(old).unwrap_or(self.empty_tree()),
                message: message.to_owned(),
            };
            if depth > DEPTH {
                return Err(too_much("directories are nested deeper than 512"));
            }
            if out.len() > ENTRIES {
                return Err(too_much("more than 5000000 files"));
            }
            let old = old.map(|id| self.read_tree(id)).transpose()?.unwrap_or_default();
            let new = new.map(|id| self.read_tree(id)).transpose()?.unwrap_or_default();
            let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
            loop {
                let order = match (old.peek(), new.peek()) {
                    (None, None) => break,
                    (Some(_), None) => Ordering::Less,
                    (None, Some(_)) => Ordering::Greater,
                    (Some(a), Some(b)) => a.cmp(b),
                };
                let before = if order != Ordering::Greater { old.next() } else { None };
                let after = if order != Ordering::Less { new.next() } else { None };
                let Some(name) = before.as_ref().or(after.as_ref()).map(|entry| entry.name.clone()) else {
                    break;
                };
                let mut path = prefix.clone();
                if !path.is_empty() {
                    path.push(b'/');
                }
                path.extend_from_slice(&name);
                let is_tree = before.as_ref().or(after.as_ref()).is_some_and(|entry| entry.mode.is_none());
                if is_tree {
                    todo.push((path, depth + 1, before.map(|entry| entry.id), after.map(|entry| entry.id)));
                    continue;
                }
                let side = |entry: Option<RawEntry>| entry.and_then(|entry| Some((entry.mode?, entry.id)));
                let (old, new) = (side(before), side(after));
                if old != new {
                    out.push(TreeChange { path, old, new });
                }
            }
        }
        out.sort_unstable();
        Ok(out)
    }
}

/// Names that no honest tree has.
fn is_hostile(name: &BStr) -> bool {
    name.is_empty()
        || name == "."
        || name == ".."
        || name.eq_ignore_ascii_case(b".git")
        || name.contains(&b'/')
        || name.contains(&0)
}
