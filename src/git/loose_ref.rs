//! One ref written as a file of its own, as Git's files backend does it.
//!
//! The new value goes to `<ref>.lock`, which only one process can create; the old value is compared
//! under this lock, and a rename makes the new one visible. The library could do that too, but it
//! gives new files the permissions of the umask alone and never flushes them, so neither
//! `core.sharedRepository` nor `core.fsync` would hold.

use std::fs::File;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::storage::Component;
use super::{Error, Repository, Result};
use crate::base::id::ObjectId;

/// Number of attempts when somebody removes the directory of the ref because it became empty.
const ATTEMPTS: usize = 5;

/// Longest wait for a lock that another process holds, and the time between two looks. A lock is
/// held for one write; Git waits as long (`core.filesRefLockTimeout`).
const LONGEST: Duration = Duration::from_millis(100);
const PAUSE: Duration = Duration::from_millis(5);

/// A lock on a ref, removed on drop unless it became the ref.
struct Lock {
    path: PathBuf,
    file: Option<File>,
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // What can't be removed now is removed when it is old.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl Repository {
    /// Writes a ref if it still has the value `expected`; returns whether it had.
    pub(super) fn write_loose_ref(
        &self,
        name: &str,
        expected: Option<ObjectId>,
        new: ObjectId,
    ) -> Result<bool> {
        self.storage().check(self)?;
        let path = self.common_dir().join(name);
        let mut lock = self.lock_ref(name, &path)?;
        // Git replaces a ref without a valid value, too.
        if self.read_ref(name).unwrap_or_default() != expected {
            return Ok(false);
        }
        let failed = |error| Error::io("write", &path)(error);
        let file = lock.file.as_mut().ok_or_else(|| Error::Internal("a lock without a file".into()))?;
        writeln!(file, "{new}")
            .and_then(|()| self.storage().complete(Component::Ref, file, &lock.path))
            .map_err(failed)?;
        rename(&lock.path, &path).map_err(failed)?;
        lock.file = None;
        if let Some(dir) = path.parent() {
            self.storage().complete_names(Component::Ref, dir).map_err(Error::io("sync", dir))?;
        }
        Ok(true)
    }

    fn lock_ref(&self, name: &str, path: &Path) -> Result<Lock> {
        let mut lock = path.as_os_str().to_owned();
        lock.push(".lock");
        let lock = PathBuf::from(lock);
        let mut attempt = 0;
        let begun = Instant::now();
        loop {
            let opened = self
                .sharing()
                .create_dir_all(path.parent().unwrap_or(path))
                .and_then(|()| File::options().write(true).create_new(true).open(&lock));
            match opened {
                Ok(file) => return Ok(Lock { path: lock, file: Some(file) }),
                Err(error) if error.kind() == ErrorKind::NotFound && attempt < ATTEMPTS => attempt += 1,
                Err(error)
                    if error.kind() == ErrorKind::AlreadyExists
                        && self.ref_above(name).is_none()
                        && begun.elapsed() < LONGEST =>
                {
                    std::thread::sleep(PAUSE);
                }
                Err(error) => {
                    return Err(match self.ref_above(name) {
                        Some(above) => {
                            let is_broken = !matches!(self.read_ref(&above), Ok(Some(_)));
                            let broken = is_broken.then(|| self.common_dir().join(&above));
                            Error::RefAbove { name: name.to_owned(), above, broken }
                        }
                        None => Error::io("create", lock)(error),
                    });
                }
            }
        }
    }

    /// Returns the file that is in the place of a directory on the way to a ref.
    fn ref_above(&self, name: &str) -> Option<String> {
        let mut above = name;
        while let Some((parent, _)) = above.rsplit_once('/') {
            above = parent;
            let found = self.common_dir().join(above).symlink_metadata();
            if found.is_ok_and(|found| !found.is_dir()) {
                return Some(above.to_owned());
            }
        }
        None
    }
}

/// Renames a lock to its ref. Empty directories in that place are left over from deleted refs.
fn rename(lock: &Path, path: &Path) -> io::Result<()> {
    match std::fs::rename(lock, path) {
        Err(_) if path.is_dir() => {
            remove_empty(path, 0)?;
            std::fs::rename(lock, path)
        }
        done => done,
    }
}

/// Removes a directory that holds nothing but empty directories.
fn remove_empty(dir: &Path, depth: usize) -> io::Result<()> {
    // A ref has a few components.
    if depth < 32 {
        for entry in std::fs::read_dir(dir)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                remove_empty(&entry.path(), depth + 1)?;
            }
        }
    }
    std::fs::remove_dir(dir)
}
