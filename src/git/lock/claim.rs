//! Lock files that nobody has to clean up by hand.
//!
//! Owns [`Claim`], the way in which we take Git's lock files (`packed-refs.lock`, `config.lock`,
//! `<ref>.lock`). A claim is a file of ours below `<common directory>/cora/locks`, which this
//! process holds locked while it lives (see `Hold`). A lock file is a hard link to it. So a lock
//! file that a killed process left is recognised: it is the same file as a claim that nobody holds.
//! It is removed then, and no other lock file is ever touched.
//!
//! Why not wait until a lock is old: a lock of Git's own process may be as old as it likes.
//!
//! Where there are no hard links, a lock file is an ordinary file, which a killed process leaves.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::base::path::real_or_same;
use crate::base::tempfile as temporary;
use crate::git::write::storage::{Component, Storage};
use crate::git::{Error, Repository, Result};

/// Prefix of the names of claims.
const PREFIX: &str = "claim-";

/// Deepest directory below one of our prefixes in which locks are looked for.
const MAX_DEPTH: usize = 6;

/// A file that this process holds, of which lock files are hard links.
pub(in crate::git) struct Claim {
    file: NamedTempFile,
    bytes: Vec<u8>,
    /// Dropped after the file, so that a claim that is there always has one.
    _hold: Hold,
}

/// The sign that the process of a claim lives, which the system takes away when the process ends.
///
/// On Unix it is a lock on the claim itself. On Windows, nobody could read a locked file, not even
/// under the name that it gets at last, so the lock is on another file: `held-x` of `claim-x`.
struct Hold {
    #[cfg(not(unix))]
    _file: NamedTempFile,
}

#[cfg(unix)]
impl Hold {
    /// Makes a claim in a directory, and holds it.
    fn new(dir: &Path) -> std::io::Result<(NamedTempFile, Self)> {
        let claim = temporary::file_in(dir, PREFIX, 0o666)?;
        // A file system without locks can't show which claims are dead, and then nothing is ever
        // recovered.
        let _ = claim.as_file().lock();
        Ok((claim, Self {}))
    }

    /// Removes the claim if no process holds it, after what `clean` does with it.
    fn bury(path: &Path, clean: impl FnOnce(&File)) {
        let Ok(file) = File::open(path) else { return };
        if file.try_lock().is_ok() {
            clean(&file);
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(not(unix))]
impl Hold {
    const PREFIX: &str = "held-";

    /// Makes a claim in a directory, and holds it.
    fn new(dir: &Path) -> std::io::Result<(NamedTempFile, Self)> {
        let hold = temporary::file_in(dir, Self::PREFIX, 0o666)?;
        let _ = hold.as_file().lock();
        let name = hold.path().file_name().unwrap_or_default().to_string_lossy();
        let path = dir.join(name.replacen(Self::PREFIX, PREFIX, 1));
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        let claim = NamedTempFile::from_parts(file, tempfile::TempPath::try_from_path(path)?);
        Ok((claim, Self { _file: hold }))
    }

    /// Removes the claim if no process holds it, after what `clean` does with it.
    fn bury(path: &Path, clean: impl FnOnce(&File)) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let hold = path.with_file_name(name.replacen(PREFIX, Self::PREFIX, 1));
        let held = File::open(&hold);
        let is_dead = match &held {
            Ok(held) => held.try_lock().is_ok(),
            Err(error) => error.kind() == ErrorKind::NotFound,
        };
        let Ok(file) = File::open(path) else { return };
        if is_dead {
            clean(&file);
            let _ = fs::remove_file(path);
            let _ = fs::remove_file(&hold);
        }
    }
}

/// A lock file that this process has taken; dropping it gives it back.
pub(in crate::git) struct Lock {
    path: PathBuf,
    is_held: bool,
}

impl Claim {
    /// Makes a claim with this content, which every lock file that is taken from it has.
    pub(in crate::git) fn new(repo: &Repository, bytes: Vec<u8>) -> Result<Self> {
        let dir = repo.cora_dir().join("locks");
        let failed = || Error::io("create a lock in", &dir);
        repo.sharing().create_dir_all(&dir).map_err(failed())?;
        let (mut file, hold) = Hold::new(&dir).map_err(failed())?;
        file.write_all(&bytes).map_err(failed())?;
        Ok(Self { file, bytes, _hold: hold })
    }

    /// Flushes the content to the disk.
    pub(in crate::git) fn sync(&self) -> Result<()> {
        self.file.as_file().sync_all().map_err(Error::io("sync", self.file.path()))
    }

    /// Completes the claim as a file of the repository: permissions, and a flush if the user asks.
    pub(in crate::git) fn complete(&self, storage: Storage, component: Component) -> Result<()> {
        let path = self.file.path();
        storage.complete(component, self.file.as_file()).map_err(Error::io("write", path))
    }

    /// Gives the claim, and the lock files that are taken from it, the permissions of a file.
    pub(in crate::git) fn set_permissions_of(&self, path: &Path) {
        if let Ok(meta) = fs::metadata(path) {
            // The default is nearly as good, so a failure does not matter.
            let _ = self.file.as_file().set_permissions(meta.permissions());
        }
    }

    /// Takes the lock file `path`; `None` if somebody has it.
    ///
    /// # Errors
    /// [`Error::Io`], with [`ErrorKind::NotFound`] if its directory does not exist.
    pub(in crate::git) fn lock(&self, path: PathBuf) -> Result<Option<Lock>> {
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
    pub(in crate::git) fn commit(mut self, target: &Path) -> Result<()> {
        let renamed = match temporary::rename(&self.path, target) {
            Err(_) if target.is_dir() => {
                remove_empty(target, 0).and_then(|()| temporary::rename(&self.path, target))
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
            Hold::bury(&claim.path(), |file| n_removed += self.remove_links(file));
        }
        n_removed
    }

    /// Removes the lock files that are the same file as a claim.
    fn remove_links(&self, claim: &File) -> usize {
        let Some(claim) = FileIdentity::of(claim) else { return 0 };
        let mut locks = vec![self.packed_refs_path().with_extension("lock")];
        locks.extend(self.config_locks());
        for prefix in crate::git::own_ref::OURS {
            lock_files(&self.common_dir().join(prefix), MAX_DEPTH, &mut locks);
        }
        locks.iter().filter(|path| claim.is(path) && fs::remove_file(path).is_ok()).count()
    }

    /// Returns the path of the file of packed refs, which may be a link to that of another
    /// repository.
    pub(in crate::git) fn packed_refs_path(&self) -> PathBuf {
        let path = self.common_dir().join("packed-refs");
        real_or_same(&path)
    }
}

/// What tells whether two names are of one file.
#[cfg(unix)]
struct FileIdentity {
    device: u64,
    inode: u64,
}

#[cfg(unix)]
impl FileIdentity {
    /// Returns the identity of a file; `None` if it has no other name.
    fn of(file: &File) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        let found = file.metadata().ok().filter(|found| found.nlink() > 1)?;
        Some(Self { device: found.dev(), inode: found.ino() })
    }

    fn is(&self, path: &Path) -> bool {
        use std::os::unix::fs::MetadataExt as _;
        fs::symlink_metadata(path).is_ok_and(|found| (found.dev(), found.ino()) == (self.device, self.inode))
    }
}

#[cfg(not(unix))]
struct FileIdentity(same_file::Handle);

#[cfg(not(unix))]
impl FileIdentity {
    fn of(file: &File) -> Option<Self> {
        Some(Self(same_file::Handle::from_file(file.try_clone().ok()?).ok()?))
    }

    fn is(&self, path: &Path) -> bool {
        same_file::Handle::from_path(path).is_ok_and(|found| found == self.0)
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

    /// Leaves a claim as a process does that is killed.
    fn forsake(claim: Claim) -> PathBuf {
        claim.file.keep().unwrap().1
    }

    #[test]
    fn only_the_lock_of_a_dead_process_of_ours_is_removed() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        fixture.write(".git/refs/cora/a.lock", "of somebody else");
        let (packed, own) =
            (fixture.path().join(".git/packed-refs.lock"), fixture.path().join(".git/refs/cora/b.lock"));
        let claim = Claim::new(&repo, b"new".to_vec()).unwrap();
        let config = fixture.path().join(".git/config.lock");
        let locks = [&packed, &own, &config].map(|path| claim.lock(path.clone()).unwrap().unwrap());
        assert!(claim.lock(packed.clone()).unwrap().is_none(), "it is taken");
        assert_eq!(repo.recover_locks(), 0, "its process lives");
        // As if it had been killed: the files stay, the hold ends.
        locks.into_iter().for_each(std::mem::forget);
        let path = forsake(claim);
        assert!(path.exists() && packed.exists() && own.exists() && config.exists());
        assert_eq!(repo.recover_locks(), 3);
        assert!(!path.exists() && !packed.exists() && !own.exists() && !config.exists());
        assert!(fixture.path().join(".git/refs/cora/a.lock").exists());
        fixture.write(".git/packed-refs.lock", "Git's own");
        assert_eq!(repo.recover_locks(), 0);
        assert!(packed.exists());
    }
}
