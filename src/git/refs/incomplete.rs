//! Refs below our prefixes whose objects are not all in the store.
//!
//! `git gc` fails on such a ref, because it reads all that a ref reaches. Something deleted or
//! damaged an object, such as `git prune --expire=now` beside a command that wrote it. Each tree is
//! read once, however many indexes share it. Other objects are only looked up.

use std::collections::HashMap;

use super::fault::{FaultKind, RefFault};
use crate::base::id::ObjectId;
use crate::git::open::Handle;
use crate::git::own_ref::OURS;
use crate::git::tree::{EntryMode, MAX_DEPTH, parse_tree};
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
        let mut store = Store { repo: self, handle: self.handle(), known: HashMap::new() };
        let mut faults = Vec::new();
        for prefix in OURS {
            for (name, id) in self.list_refs(prefix)? {
                if self.contains(id) && !store.has_all_of(id) {
                    faults.push(RefFault { name, kind: FaultKind::Incomplete(id) });
                }
            }
        }
        faults.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(faults)
    }
}

/// What is known of the objects of a store.
struct Store<'r> {
    repo: &'r Repository,
    handle: Handle<'r>,
    /// For each tree and blob, whether it and all that it reaches is there.
    known: HashMap<ObjectId, bool>,
}

impl Store<'_> {
    /// Returns whether all that a commit reaches is there. What is not a commit counts as whole.
    fn has_all_of(&mut self, commit: ObjectId) -> bool {
        let mut pending = vec![commit];
        for _ in 0..MAX_COMMITS {
            let Some(id) = pending.pop() else { return true };
            if !self.repo.contains(id) {
                return false;
            }
            let Ok(commit) = self.repo.commit(id) else { return true };
            if !self.has_tree(commit.tree, 0) {
                return false;
            }
            pending.extend(commit.parents);
        }
        true
    }

    fn has_tree(&mut self, id: ObjectId, depth: usize) -> bool {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        // Git refuses trees that are nested much deeper.
        let is_whole = depth >= MAX_DEPTH || self.reads_tree(id, depth).unwrap_or(false);
        self.known.insert(id, is_whole);
        is_whole
    }

    fn reads_tree(&mut self, id: ObjectId, depth: usize) -> Result<bool> {
        let bytes = self.repo.structure(&self.handle, id, gix::objs::Kind::Tree)?;
        for entry in parse_tree(&bytes, id, self.repo.object_hash_len()) {
            let entry = entry?;
            let is_there = match entry.mode {
                EntryMode::Directory => self.has_tree(entry.id, depth + 1),
                EntryMode::Submodule => true,
                _ => self.has_blob(entry.id),
            };
            if !is_there {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn has_blob(&mut self, id: ObjectId) -> bool {
        let repo = self.repo;
        *self.known.entry(id).or_insert_with(|| repo.contains(id))
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
