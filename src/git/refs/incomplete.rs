//! Refs below our prefixes whose objects are not all in the store.
//!
//! `git gc` fails on such a ref, because it reads all that a ref reaches. Something deleted or
//! damaged an object, such as `git prune --expire=now` beside a command that wrote it. Each tree is
//! read once, however many indexes share it. Other objects are only looked up.

use std::collections::HashSet;

use bstr::BStr;

use super::fault::{FaultKind, RefFault};
use crate::base::id::ObjectId;
use crate::git::own_ref::OURS;
use crate::git::tree::EntryMode;
use crate::git::{Repository, Result};

/// Most commits below one ref that are looked at. One of ours has a few.
const MAX_COMMITS: usize = 64;

impl Repository {
    /// Finds the refs below our prefixes that reach a missing object, sorted by name. Refs whose
    /// own object is missing are [`Repository::ref_faults`]. In a partial clone there are none,
    /// because its remote promised what is missing.
    ///
    /// # Errors
    /// [`crate::git::Error::Git`] or [`crate::git::Error::Command`] if the refs can't be listed.
    pub fn incomplete_refs(&self) -> Result<Vec<RefFault>> {
        if self.promisor().is_some() {
            return Ok(Vec::new());
        }
        let mut complete = HashSet::new();
        let mut faults = Vec::new();
        for prefix in OURS {
            for (name, id) in self.list_refs(prefix)? {
                if self.contains(id) && !self.has_all_of(id, &mut complete) {
                    faults.push(RefFault { name, kind: FaultKind::Incomplete(id) });
                }
            }
        }
        faults.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(faults)
    }

    /// Returns the first object below a tree that is not in the repository; `None` if all are.
    ///
    /// `complete` holds trees that were found complete before, and gets those found now. Git does
    /// not need the commits of submodules; `needs_submodules` asks for them, too.
    ///
    /// # Errors
    /// [`crate::git::Error::MissingObject`] or [`crate::git::Error::Corrupt`] for a tree that can't
    /// be read.
    pub fn missing_below(
        &self,
        tree: ObjectId,
        complete: &mut HashSet<ObjectId>,
        needs_submodules: bool,
    ) -> Result<Option<ObjectId>> {
        let mut seen = HashSet::new();
        let mut pending = vec![tree];
        while let Some(tree) = pending.pop() {
            if complete.contains(&tree) || tree == self.empty_tree() || !seen.insert(tree) {
                continue;
            }
            for entry in self.tree_directory(tree, BStr::new(""))? {
                match entry.mode {
                    EntryMode::Directory => pending.push(entry.id),
                    EntryMode::Submodule if !needs_submodules => {}
                    _ if self.contains(entry.id) => {}
                    _ => return Ok(Some(entry.id)),
                }
            }
        }
        complete.extend(seen);
        Ok(None)
    }

    /// Returns whether all that a commit reaches is there. What is not a commit counts as whole.
    fn has_all_of(&self, commit: ObjectId, complete: &mut HashSet<ObjectId>) -> bool {
        let mut pending = vec![commit];
        for _ in 0..MAX_COMMITS {
            let Some(id) = pending.pop() else { return true };
            if !self.contains(id) {
                return false;
            }
            let Ok(commit) = self.commit(id) else { return true };
            if !matches!(self.missing_below(commit.tree, complete, false), Ok(None)) {
                return false;
            }
            pending.extend(commit.parents);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    #[test]
    fn a_ref_that_lacks_a_file_a_tree_or_a_parent_is_found() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let head = repo.resolve("HEAD").unwrap();
        fixture.git(&["update-ref", "refs/cora/a", &head.to_string()]);
        fixture.git(&["update-ref", "refs/cora/b", &head.to_string()]);
        assert_eq!(repo.incomplete_refs().unwrap(), []);
        for lost in ["HEAD:src/main.rs", "HEAD:src", "HEAD^{tree}", "HEAD~1"] {
            let id = repo.resolve_any(lost).unwrap().to_string();
            let path = fixture.path().join(".git/objects").join(&id[..2]).join(&id[2..]);
            let aside = fixture.path().join(".git/aside");
            std::fs::rename(&path, &aside).unwrap();
            let found = fixture.open().incomplete_refs().unwrap();
            let fault = |name: &str| RefFault { name: name.into(), kind: FaultKind::Incomplete(head) };
            assert_eq!(found, [fault("refs/cora/a"), fault("refs/cora/b")], "{lost}");
            std::fs::rename(&aside, &path).unwrap();
        }
        let id = repo.resolve_any("HEAD:src/main.rs").unwrap().to_string();
        std::fs::remove_file(fixture.path().join(".git/objects").join(&id[..2]).join(&id[2..])).unwrap();
        let repo = fixture.open();
        for fault in repo.incomplete_refs().unwrap() {
            assert!(repo.remove_ref_fault(&fault).unwrap());
        }
        assert_eq!(repo.incomplete_refs().unwrap(), []);
    }
}
