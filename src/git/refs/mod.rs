//! Reading, listing and moving refs.
//!
//! Owns [`RefUpdate`]. `delete.rs` deletes refs, `fault.rs` finds those that nobody can use, and
//! `incomplete.rs` those that lack objects.
//! Refs change by compare-and-swap. Two builders of the same commit race without harm: an index is
//! a function of its commit, so the second builder finds the ref where it would put it. Only names
//! under `refs/cora/` and `refs/cora-local/` can be changed. No reflog is written, because old
//! indexes must become garbage. The `git` program handles a reftable repository, because the
//! library can't read that format.

pub(super) mod delete;
pub(super) mod fault;
pub(super) mod head_link;
mod incomplete;
pub(super) mod loose_ref;

use bstr::{BString, ByteSlice};

use super::own_ref::{check_ours, is_stale, is_valid_refname};
use super::{Error, Repository, Result, from_gix};
use crate::base::id::ObjectId;

/// The result of an attempt to move a ref.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefUpdate {
    /// It was moved.
    Done,
    /// It already pointed to the new value.
    AlreadyThere,
    /// It had another value than expected and was not changed.
    Conflict {
        /// The object it points to; `None` if it does not exist.
        actual: Option<ObjectId>,
    },
}

impl Repository {
    /// Returns the object that a ref points to, by its full name; `None` if there is no such ref.
    /// Symbolic refs are followed.
    ///
    /// # Errors
    /// [`Error::Git`] or [`Error::Command`] if it can't be read.
    pub fn read_ref(&self, name: &str) -> Result<Option<ObjectId>> {
        if !is_valid_refname(name) {
            return Ok(None);
        }
        if self.reads_refs_by_git() {
            return Ok(self
                .refs_by_git(name)?
                .into_iter()
                .find(|(found, _)| found == name)
                .map(|(_, id)| id));
        }
        let handle = self.handle();
        let reference = handle.try_find_reference(name).map_err(Error::git(format!("read '{name}'")))?;
        match reference {
            // The library also tries abbreviations such as `refs/heads/<name>`.
            Some(mut found) if found.name().as_bstr() == name => {
                Ok(found.follow_to_object().ok().map(|id| from_gix(&id)))
            }
            _ => Ok(None),
        }
    }

    /// Returns the refs below `prefix` (which ends in `/`) and their objects, sorted by name.
    /// Broken refs are left out.
    ///
    /// # Errors
    /// [`Error::Git`] or [`Error::Command`] if they can't be read.
    pub fn list_refs(&self, prefix: &str) -> Result<Vec<(BString, ObjectId)>> {
        let prefix = prefix.trim_end_matches('/');
        if !is_valid_refname(prefix) {
            return Err(Error::Internal(format!("'{prefix}/' is not a prefix of refs")));
        }
        let mut found = if self.reads_refs_by_git() {
            self.refs_by_git(&format!("{prefix}/"))?
        } else {
            let handle = self.handle();
            let failed = |error: gix::Error| Error::git(format!("list '{prefix}/'"))(error);
            let platform = handle.references().map_err(failed)?;
            let relative = format!("{prefix}/");
            platform
                .prefixed(relative.as_str())
                .map_err(failed)?
                .filter_map(|reference| reference.ok())
                .filter_map(|mut reference| {
                    let name = reference.name().as_bstr().to_owned();
                    reference.follow_to_object().ok().map(|id| (name, from_gix(&id)))
                })
                .collect()
        };
        found.sort();
        Ok(found)
    }

    fn refs_by_git(&self, pattern: &str) -> Result<Vec<(BString, ObjectId)>> {
        let output = self.git(&["for-each-ref", "--format=%(objectname) %(refname)", pattern]).run()?;
        let mut refs = Vec::new();
        for line in output.stdout.lines() {
            let (id, name) = line.split_once_str(" ").unwrap_or((line, b""));
            let id = String::from_utf8_lossy(id)
                .parse()
                .map_err(Error::git("parse the output of git for-each-ref"))?;
            refs.push((BString::from(name), id));
        }
        Ok(refs)
    }

    /// Moves one of our refs to `new` if it is still at `expected` (`None`: if it does not exist).
    ///
    /// A ref with another value is not an error but [`RefUpdate::Conflict`].
    ///
    /// # Errors
    /// [`Error::Internal`] for a name outside our namespaces, [`Error::Git`] or [`Error::Command`]
    /// if it can't be written.
    pub fn update_ref(&self, name: &str, expected: Option<ObjectId>, new: ObjectId) -> Result<RefUpdate> {
        check_ours(name)?;
        let actual = self.read_ref(name)?;
        if actual == Some(new) {
            return Ok(RefUpdate::AlreadyThere);
        }
        if actual != expected {
            return Ok(RefUpdate::Conflict { actual });
        }
        let Err(error) = self.write_ref(name, expected, new) else { return Ok(RefUpdate::Done) };
        // Another builder may have been faster. The ref shows whether it was; otherwise the failure
        // stands.
        match self.read_ref(name)? {
            actual if actual == Some(new) => Ok(RefUpdate::AlreadyThere),
            actual if actual != expected => Ok(RefUpdate::Conflict { actual }),
            _ => Err(error),
        }
    }

    fn write_ref(&self, name: &str, expected: Option<ObjectId>, new: ObjectId) -> Result<()> {
        if self.uses_environment() && std::env::var_os("GIT_QUARANTINE_PATH").is_some() {
            // Git refuses this too: the objects may vanish with the push.
            let source = std::io::ErrorKind::ReadOnlyFilesystem.into();
            return Err(Error::Quarantine { name: name.to_owned(), source });
        }
        if self.is_staging() {
            let source = std::io::ErrorKind::ReadOnlyFilesystem.into();
            return Err(Error::Staging { name: name.to_owned(), source });
        }
        if self.reads_refs_by_git() {
            let line = match expected {
                Some(old) => format!("update {name} {new} {old}\n"),
                None => format!("create {name} {new}\n"),
            };
            return self.update_by_git(line);
        }
        let mut written = self.write_loose_ref(name, expected, new);
        if written.is_err() && (self.recover_locks() > 0 || self.remove_stale_lock(name)) {
            written = self.write_loose_ref(name, expected, new);
        }
        match written {
            Ok(true) => Ok(()),
            Ok(false) => Err(Error::Internal(format!("'{name}' has changed"))),
            Err(error) => Err(error),
        }
    }

    /// Removes the stale lock of a ref of ours; returns whether there was one.
    fn remove_stale_lock(&self, name: &str) -> bool {
        let lock = self.common_dir().join(format!("{name}.lock"));
        is_stale(&lock) && std::fs::remove_file(&lock).is_ok()
    }

    pub(super) fn update_by_git(&self, lines: impl Into<Vec<u8>>) -> Result<()> {
        // No reflog, and no hooks: a hook of the user may call us.
        self.git(&[
            "-c",
            "core.logAllRefUpdates=false",
            "-c",
            "core.hooksPath=/dev/null",
            "update-ref",
            "--no-deref",
            "--stdin",
        ])
        .input(lines.into())
        .run()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    fn check(format: &str) {
        let fixture = Fixture::with_history_in(format);
        let repo = fixture.open();
        let [new, old] = [repo.resolve("HEAD").unwrap(), repo.resolve("HEAD~1").unwrap()];
        let name = format!("refs/cora/{new}");
        assert_eq!(repo.read_ref(&name).unwrap(), None);
        assert_eq!(repo.update_ref(&name, Some(old), new).unwrap(), RefUpdate::Conflict { actual: None });
        assert_eq!(repo.update_ref(&name, None, old).unwrap(), RefUpdate::Done);
        assert_eq!(repo.update_ref(&name, None, old).unwrap(), RefUpdate::AlreadyThere);
        assert_eq!(repo.update_ref(&name, None, new).unwrap(), RefUpdate::Conflict { actual: Some(old) });
        assert_eq!(repo.update_ref(&name, Some(old), new).unwrap(), RefUpdate::Done);
        assert_eq!(fixture.git_line(&["rev-parse", &name]), new.to_string());
        assert_eq!(repo.read_ref(&name).unwrap(), Some(new));
        assert_eq!(repo.read_ref("refs/heads/main").unwrap(), Some(new));
        assert_eq!(repo.read_ref("main").unwrap(), None, "only full names");
        assert!(!fixture.path().join(".git/logs/refs/cora").exists());

        repo.update_ref("refs/cora/embeddings/m/x", None, old).unwrap();
        repo.update_ref("refs/cora-local/x", None, old).unwrap();
        fixture.git(&["pack-refs", "--all"]);
        let mut expected = [(name.clone().into(), new), ("refs/cora/embeddings/m/x".into(), old)];
        expected.sort();
        assert_eq!(repo.list_refs("refs/cora/").unwrap(), expected);
        assert_eq!(repo.list_refs("refs/cora/embeddings/").unwrap().len(), 1);
        assert_eq!(repo.list_refs("refs/nothing/").unwrap(), []);

        let doomed = [(name.clone(), new), ("refs/cora-local/x".into(), new), ("refs/cora/none".into(), new)];
        assert_eq!(repo.delete_refs(&doomed).unwrap(), 1, "the second has moved, the third never was");
        assert_eq!(repo.read_ref(&name).unwrap(), None);
        assert_eq!(repo.read_ref("refs/cora-local/x").unwrap(), Some(old));
        assert_eq!(repo.delete_refs(&doomed).unwrap(), 0);
    }

    #[test]
    fn refs_move_only_from_where_they_are_expected() {
        check("sha1");
        check("sha256");
        check("reftable");
    }

    #[test]
    fn other_refs_are_out_of_reach() {
        let fixture = Fixture::with_history();
        fixture.git(&["config", "core.logAllRefUpdates", "always"]);
        let repo = fixture.open();
        let id = repo.resolve("HEAD").unwrap();
        for name in
            ["refs/heads/x", "HEAD", "refs/cora", "refs/cora/", "refs/cora/../heads/x", "refs/cora/a b"]
        {
            assert!(matches!(repo.update_ref(name, None, id), Err(Error::Internal(_))), "{name}");
            assert!(matches!(repo.delete_refs(&[(name.into(), id)]), Err(Error::Internal(_))), "{name}");
        }
        repo.update_ref("refs/cora/a", None, id).unwrap();
        assert!(!fixture.path().join(".git/logs/refs/cora").exists(), "no reflog even if asked for");
    }

    #[test]
    fn the_lock_of_a_killed_process_is_removed_when_nobody_can_hold_it() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let id = repo.resolve("HEAD").unwrap();
        let age = || {
            let lock =
                std::fs::File::options().write(true).open(fixture.path().join(".git/refs/cora/a.lock"));
            lock.unwrap()
                .set_modified(std::time::SystemTime::now() - 2 * crate::git::own_ref::STALE_LOCK)
                .unwrap();
        };
        fixture.write(".git/refs/cora/a.lock", "");
        repo.update_ref("refs/cora/a", None, id).unwrap_err();
        age();
        assert_eq!(repo.update_ref("refs/cora/a", None, id).unwrap(), RefUpdate::Done);
        fixture.write(".git/refs/cora/a.lock", "");
        let refs = [("refs/cora/a".to_owned(), id)];
        repo.delete_refs(&refs).unwrap_err();
        age();
        assert_eq!(repo.delete_refs(&refs).unwrap(), 1);
    }

    #[test]
    fn racing_builders_agree() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let id = repo.resolve("HEAD").unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let outcome = repo.update_ref("refs/cora/race", None, id).unwrap();
                    assert!(matches!(outcome, RefUpdate::Done | RefUpdate::AlreadyThere));
                });
            }
        });
        assert_eq!(repo.read_ref("refs/cora/race").unwrap(), Some(id));
    }
}
