//! Lock files that nobody has to clean up by hand.
//!
//! Owns [`Claim`], the way in which we take Git's lock files (`packed-refs.lock`, `<ref>.lock`). A
//! claim is a file of ours below `<common directory>/cora/locks`, which this process holds locked
//! while it lives. A lock file is a hard link to it. So a lock file that a killed process left is
//! recognised: it is the same file as a claim that nobody holds. It is removed then, and no other
//! lock file is ever touched.
//!
//! Why not wait until a lock is old: a lock of Git's own process may be as old as it likes.
//!
//! Where there are no hard links, a lock file is an ordinary file, which a killed process leaves.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::storage::{Component, Storage};
use super::{Error, Repository, Result};
use crate::base::tempfile as temporary;

/// Prefix of the names of claims.
const PREFIX: &str = "claim-";

/// Deepest directory below one of our prefixes in which locks are looked for.
const MAX_DEPTH: usize = 6;

/// A file that this process holds, of which lock files are hard links.
pub(super) struct Claim {
    file: NamedTempFile,
    bytes: Vec<u8>,
}

/// A lock file that this process has taken; dropping it gives it back.
pub(super) struct Lock {
    path: PathBuf,
    is_held: bool,
}

impl Claim {
    /// Makes a claim with this content, which every lock file that is taken from it has.
    pub(super) fn new(repo: &Repository, bytes: Vec<u8>) -> Result<Self> {
        let dir = repo.cora_dir().join("locks");
        let failed = || Error::io("create a lock in", &dir);
        repo.sharing().create_dir_all(&dir).map_err(failed())?;
        let mut file = temporary::file_in(&dir, PREFIX, 0o666).map_err(failed())?;
        // A file system without locks can't show which claims are dead, and then
        // nothing is ever recovered. On Windows, a lock would also keep others from reading.
        #[cfg(unix)]
        let _ = file.as_file().lock();
        file.write_all(&bytes).map_err(failed())?;
        Ok(Self { file, bytes })
    }

    /// Flushes the content to the disk.
    pub(super) fn sync(&self) -> Result<()> {
        self.file.as_file().sync_all().map_err(Error::io("sync", self.file.path()))
    }

    /// Completes the claim as a file of the repository: permissions, and a flush if the user asks.
    pub(super) fn complete(&self, storage: Storage, component: Component) -> Result<()> {
        let path = self.file.path();
        storage.complete(component, self.file.as_file(), path).map_err(Error::io("write", path))
    }

    /// Gives the claim, and the lock files that are taken from it, the permissions of a file.
    pub(super) fn set_permissions_of(&self, path: &Path) {
        if let Ok(meta) = fs::metadata(path) {
            // The default is nearly as good, so a failure does not matter.
            let _ = self.file.as_file().set_permissions(meta.permissions());
        }
    }

    /// Takes the lock file `path`; `None` if somebody has it.
    ///
    /// # Errors
    /// [`Error::Io`], with [`ErrorKind::NotFound`] if its directory does not exist.
    pub(super) fn lock(&self, path: PathBuf) -> Result<Option<Lock>> {
        let taken = match fs::hard_link(self.file.path(), &path) {
            Err(error) if !matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => {
                self.copy(&path)
            }
            linked => linked,
        };
        match taken {
            Ok(()) => Ok(Some(Lock { path, is_held: true })),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(None),
            Err(error) => Err(Error::io("lock", path)(error)),
        }
    }
}

impl Claim {
    /// Makes a lock file that is a copy: the file system has no hard links.
    fn copy(&self, path: &Path) -> std::io::Result<()> {
        let mut file = File::options().write(true).create_new(true).open(path)?;
        file.write_all(&self.bytes)?;
        if let Ok(meta) = self.file.as_file().metadata() {
            let _ = file.set_permissions(meta.permissions());
        }
        Ok(())
    }
}

impl Lock {
    /// Puts the lock file in the place of `target`, which gives the lock back. Empty directories in
    /// that place are left over from deleted refs; they are removed.
    pub(super) fn commit(mut self, target: &Path) -> Result<()> {
        let renamed = match fs::rename(&self.path, target) {
            Err(_) if target.is_dir() => {
                remove_empty(target, 0).and_then(|()| fs::rename(&self.path, target))
            }
            renamed => renamed,
        };
        renamed.map_err(Error::io("replace", target))?;
        self.is_held = false;
        Ok(())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.is_held {
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Repository {
    /// Removes the lock files that killed processes of ours left; returns how many.
    pub fn recover_locks(&self) -> usize {
        let Ok(claims) = fs::read_dir(self.cora_dir().join("locks")) else { return 0 };
        let mut n_removed = 0;
        for claim in claims.flatten() {
            if !claim.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()) {
                continue;
            }
            let Ok(file) = File::open(claim.path()) else { continue };
            // Its process holds it as long as it lives.
            if file.try_lock().is_err() {
                continue;
            }
            n_removed += self.remove_links(&file);
            let _ = fs::remove_file(claim.path());
        }
        n_removed
    }

    /// Removes the lock files that are the same file as a claim.
    #[cfg(unix)]
    fn remove_links(&self, claim: &File) -> usize {
        use std::os::unix::fs::MetadataExt as _;
        let Ok(meta) = claim.metadata() else { return 0 };
        if meta.nlink() < 2 {
            return 0;
        }
        let mut locks = vec![self.packed_refs_path().with_extension("lock")];
        for prefix in super::refs::OURS {
            lock_files(&self.common_dir().join(prefix), MAX_DEPTH, &mut locks);
        }
        let is_same = |path: &PathBuf| {
            fs::symlink_metadata(path)
                .is_ok_and(|found| (found.dev(), found.ino()) == (meta.dev(), meta.ino()))
        };
        locks.iter().filter(|path| is_same(path) && fs::remove_file(path).is_ok()).count()
    }

    #[cfg(not(unix))]
    fn remove_links(&self, _: &File) -> usize {
        0
    }

    /// Returns the path of the file of packed refs, which may be a link to that of another
    /// repository.
    pub(super) fn packed_refs_path(&self) -> PathBuf {
        let path = self.common_dir().join("packed-refs");
        fs::canonicalize(&path).unwrap_or(path)
    }
}

/// Removes a directory that holds nothing but empty directories.
fn remove_empty(dir: &Path, depth: usize) -> std::io::Result<()> {
    if depth < MAX_DEPTH {
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                remove_empty(&entry.path(), depth + 1)?;
            }
        }
    }
    fs::remove_dir(dir)
}

/// Adds the lock files below a directory.
#[cfg(unix)]
fn lock_files(dir: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth > 0 => lock_files(&entry.path(), depth - 1, found),
            Ok(kind) if kind.is_file() && entry.file_name().as_encoded_bytes().ends_with(b".lock") => {
                found.push(entry.path());
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    #[cfg(unix)]
    #[test]
    fn only_the_lock_of_a_dead_process_of_ours_is_removed() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        fixture.write(".git/refs/cora/a.lock", "of somebody else");
        let (packed, own) =
            (fixture.path().join(".git/packed-refs.lock"), fixture.path().join(".git/refs/cora/b.lock"));
        let claim = Claim::new(&repo, b"new".to_vec()).unwrap();
        let locks = [claim.lock(packed.clone()).unwrap().unwrap(), claim.lock(own.clone()).unwrap().unwrap()];
        assert!(claim.lock(packed.clone()).unwrap().is_none(), "it is taken");
        assert_eq!(repo.recover_locks(), 0, "its process lives");
        // As if it had been killed: the files stay, the hold ends.
        locks.into_iter().for_each(std::mem::forget);
        let (_, path) = claim.file.keep().unwrap();
        assert!(path.exists() && packed.exists() && own.exists());
        assert_eq!(repo.recover_locks(), 2);
        assert!(!path.exists() && !packed.exists() && !own.exists());
        assert!(fixture.path().join(".git/refs/cora/a.lock").exists());
        fixture.write(".git/packed-refs.lock", "Git's own");
        assert_eq!(repo.recover_locks(), 0);
        assert!(packed.exists());
    }
}
