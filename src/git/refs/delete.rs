//! Deleting refs without standing in Git's way.
//!
//! Git and its library hold `packed-refs.lock` for as long as a transaction takes. A process that
//! is killed meanwhile leaves the lock, and then neither `git branch -d` nor `git gc` works. So
//! this module prepares the new file of packed refs before it takes the lock, holds it for the time
//! of one comparison and one rename, and makes it recognisable
//! ([`claim`](crate::git::lock::claim)). Loose refs are deleted one by one, each under its own
//! lock.
//!
//! A ref is deleted only if it still has the expected value. The packed value goes first: the other
//! way round, a packed value that is out of date would be visible in between.

use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use crate::base::id::ObjectId;
use crate::git::lock::claim::Claim;
use crate::git::own_ref::{check_ours, is_stale, parse_loose};
use crate::git::{Error, Repository, Result};

/// Number of attempts at a lock that somebody else has, and the time between two.
const ATTEMPTS: usize = 20;
const PAUSE: Duration = Duration::from_millis(50);

impl Repository {
    /// Deletes those of our refs that still have the given value; returns how many.
    ///
    /// # Errors
    /// [`Error::Internal`] for a name outside our namespaces, [`Error::Git`], [`Error::Io`] or
    /// [`Error::Command`] if one can't be deleted. The others are deleted then, too.
    pub fn delete_refs(&self, names: &[(String, ObjectId)]) -> Result<usize> {
        for (name, _) in names {
            check_ours(name)?;
        }
        self.recover_locks();
        let mut current: HashMap<&str, ObjectId> = HashMap::new();
        for (name, id) in names {
            // One that can't be read has no value, and is not ours to judge here.
            if self.read_ref(name).is_ok_and(|value| value == Some(*id)) {
                current.insert(name, *id);
            }
        }
        if current.is_empty() {
            return Ok(0);
        }
        if self.reads_refs_by_git() {
            let lines: String = current.iter().map(|(name, id)| format!("delete {name} {id}\n")).collect();
            self.update_by_git(lines)?;
            return Ok(current.len());
        }
        self.delete_packed(&current)?;
        let claim = Claim::new(self, Vec::new())?;
        let mut failure = None;
        let mut n_deleted = 0;
        for (name, id) in current {
            match self.delete_loose(&claim, name, |text| parse_loose(text) == Some(id)) {
                Ok(()) => n_deleted += 1,
                Err(error) => failure = Some(error),
            }
        }
        failure.map_or(Ok(n_deleted), Err)
    }

    /// Removes these refs from the file of packed refs.
    fn delete_packed(&self, doomed: &HashMap<&str, ObjectId>) -> Result<()> {
        let path = self.packed_refs_path();
        let failed = || Error::io("read", &path);
        for _ in 0..ATTEMPTS {
            let old = match fs::read(&path) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
                Err(error) => return Err(failed()(error)),
            };
            let new = without(&old, |name| doomed.contains_key(name));
            if new.len() == old.len() {
                return Ok(());
            }
            let claim = Claim::new(self, new)?;
            claim.set_permissions_of(&path);
            claim.sync()?;
            match claim.lock(path.with_extension("lock"))? {
                // A change that another process made in between must stay.
                Some(lock) if fs::read(&path).is_ok_and(|bytes| bytes == old) => {
                    lock.commit(&path)?;
                    return self.handle().refs.force_refresh_packed_buffer().map_err(Error::git("read refs"));
                }
                Some(lock) => drop(lock),
                None => std::thread::sleep(PAUSE),
            }
        }
        Err(busy(&path.with_extension("lock")))
    }

    /// Deletes the file of a loose ref if its content is as expected, under its lock. A file that
    /// does not exist, or has other content, is left alone.
    pub(in crate::git) fn delete_loose(
        &self,
        claim: &Claim,
        name: &str,
        is_expected: impl Fn(&[u8]) -> bool,
    ) -> Result<()> {
        let file = self.common_dir().join(name);
        if fs::symlink_metadata(&file).is_err() {
            return Ok(());
        }
        let path = self.common_dir().join(format!("{name}.lock"));
        let lock = match claim.lock(path.clone())? {
            Some(lock) => lock,
            None if is_stale(&path) && fs::remove_file(&path).is_ok() => {
                claim.lock(path.clone())?.ok_or_else(|| busy(&path))?
            }
            None => return Err(busy(&path)),
        };
        if content(&file).is_some_and(|text| is_expected(&text)) {
            fs::remove_file(&file).map_err(Error::io("delete", &file))?;
        }
        drop(lock);
        // As Git does: a directory in the way of a later ref would be a nuisance.
        let mut dir = file.parent();
        while let Some(parent) = dir.filter(|dir| !dir.ends_with("refs/cora") && !dir.ends_with("refs")) {
            if fs::remove_dir(parent).is_err() {
                break;
            }
            dir = parent.parent();
        }
        Ok(())
    }
}

/// Returns the content of a loose ref. A symbolic link is an old form of a symbolic ref.
pub(in crate::git) fn content(file: &Path) -> Option<Vec<u8>> {
    match fs::symlink_metadata(file) {
        Ok(meta) if meta.file_type().is_symlink() => Some(b"ref: (a symbolic link)".to_vec()),
        Ok(meta) if meta.is_file() => fs::read(file).ok(),
        _ => None,
    }
}

fn busy(lock: &Path) -> Error {
    let source = std::io::Error::new(ErrorKind::WouldBlock, "another process has the lock");
    Error::io("take", lock)(source)
}

/// Returns a file of packed refs without some refs. The line of a ref may be followed by one that
/// starts with `^`: the object that an annotated tag leads to.
pub fn without(bytes: &[u8], is_doomed: impl Fn(&str) -> bool) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    let mut drops = false;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        drops = match line.first() {
            Some(b'^') => drops,
            Some(b'#') | None => false,
            Some(_) => {
                let name = line.splitn(2, |byte| *byte == b' ').nth(1).unwrap_or_default();
                let name = name.strip_suffix(b"\n").unwrap_or(name);
                std::str::from_utf8(name).is_ok_and(&is_doomed)
            }
        };
        if !drops {
            kept.extend_from_slice(line);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    #[test]
    fn packed_refs_lose_the_named_lines_and_nothing_else() {
        let header = "# pack-refs with: peeled fully-peeled sorted \n";
        let (a, b, t) = ("11 refs/cora/a\n", "22 refs/cora/b\n", "33 refs/tags/v1\n^44\n");
        let all = format!("{header}{a}{b}{t}");
        let left = |names: &[&str]| {
            String::from_utf8(without(all.as_bytes(), |name| names.contains(&name))).unwrap()
        };
        assert_eq!(left(&[]), all);
        assert_eq!(left(&["refs/cora/a"]), format!("{header}{b}{t}"));
        assert_eq!(left(&["refs/cora/a", "refs/cora/b"]), format!("{header}{t}"));
        assert_eq!(left(&["refs/tags/v1"]), format!("{header}{a}{b}"));
        assert_eq!(left(&["refs/cora"]), all);
        assert_eq!(without(b"11 refs/cora/a", |name| name == "refs/cora/a"), b"");
    }

    #[test]
    fn loose_and_packed_refs_are_deleted_and_git_agrees() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let [new, old] = [repo.resolve("HEAD").unwrap(), repo.resolve("HEAD~1").unwrap()];
        fixture.git(&["tag", "-a", "-m", "a tag", "v1"]);
        for name in ["packed", "both", "moved", "kept", "deep/er/one"] {
            repo.update_ref(&format!("refs/cora/{name}"), None, old).unwrap();
        }
        fixture.git(&["pack-refs", "--all"]);
        repo.update_ref("refs/cora/both", Some(old), new).unwrap();
        repo.update_ref("refs/cora/moved", Some(old), new).unwrap();
        repo.update_ref("refs/cora/deep/er/two", None, new).unwrap();
        let of = |name: &str, id| (format!("refs/cora/{name}"), id);
        let doomed = [
            of("packed", old),
            of("both", new),
            of("moved", old),
            of("deep/er/one", old),
            of("deep/er/two", new),
            of("none", old),
        ];
        assert_eq!(repo.delete_refs(&doomed).unwrap(), 4);
        let left = fixture.git_bytes(&["for-each-ref", "--format=%(refname)", "refs/cora", "refs/tags"]);
        assert_eq!(left, b"refs/cora/kept\nrefs/cora/moved\nrefs/tags/v1\n");
        assert_eq!(repo.read_ref("refs/cora/both").unwrap(), None);
        assert!(!fixture.path().join(".git/refs/cora/deep").exists());
        assert_eq!(std::fs::read_dir(fixture.path().join(".git/cora/locks")).unwrap().count(), 0);
        fixture.git(&["fsck", "--strict"]);
        fixture.git(&["pack-refs", "--all"]);
    }

    #[test]
    fn a_loose_ref_that_was_moved_meanwhile_is_kept() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let [new, old] = [repo.resolve("HEAD").unwrap(), repo.resolve("HEAD~1").unwrap()];
        repo.update_ref("refs/cora/a", None, new).unwrap();
        let claim = Claim::new(&repo, Vec::new()).unwrap();
        for (expected, left) in [(old, Some(new)), (new, None), (new, None)] {
            let is_expected = |text: &[u8]| parse_loose(text) == Some(expected);
            repo.delete_loose(&claim, "refs/cora/a", is_expected).unwrap();
            assert_eq!(repo.read_ref("refs/cora/a").unwrap(), left);
        }
    }

    #[test]
    fn a_lock_of_git_is_respected() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let id = repo.resolve("HEAD").unwrap();
        repo.update_ref("refs/cora/a", None, id).unwrap();
        fixture.git(&["pack-refs", "--all"]);
        fixture.write(".git/packed-refs.lock", "");
        let error = repo.delete_refs(&[("refs/cora/a".into(), id)]).unwrap_err();
        assert!(error.to_string().contains("packed-refs.lock"), "{error}");
        assert_eq!(repo.read_ref("refs/cora/a").unwrap(), Some(id));
    }
}
