//! One ref written as a file of its own, as Git's files backend does it.
//!
//! The new value goes to `<ref>.lock`, which only one process can create; the old value is compared
//! under this lock, and a rename makes the new one visible. The lock is a
//! [`claim`](crate::git::lock::claim), so that a killed process leaves nothing that stays. The
//! library could write refs too, but it gives new files the permissions of the umask alone and
//! never flushes them, so neither `core.sharedRepository` nor `core.fsync` would hold.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::base::id::ObjectId;
use crate::git::lock::claim::{Claim, Lock};
use crate::git::write::storage::Component;
use crate::git::{Error, Repository, Result};

/// Number of attempts when somebody removes the directory of the ref because it became empty.
const ATTEMPTS: usize = 5;

/// Longest wait for a lock that another process holds, and the time between two looks. A lock is
/// held for one write; Git waits as long (`core.filesRefLockTimeout`).
const LONGEST: Duration = Duration::from_millis(100);
const PAUSE: Duration = Duration::from_millis(5);

impl Repository {
    /// Writes a ref if it still has the value `expected`; returns whether it had.
    pub(in crate::git) fn write_loose_ref(
        &self,
        name: &str,
        expected: Option<ObjectId>,
        new: ObjectId,
    ) -> Result<bool> {
        self.storage().check(self)?;
        let path = self.common_dir().join(name);
        let claim = Claim::new(self, format!("{new}\n").into_bytes())?;
        claim.complete(self.storage(), Component::Ref)?;
        let lock = self.lock_ref(&claim, name, &path)?;
        // Git replaces a ref without a valid value, too.
        if self.read_ref(name).unwrap_or_default() != expected {
            return Ok(false);
        }
        lock.commit(&path)?;
        if let Some(dir) = path.parent() {
            self.storage().complete_names(Component::Ref, dir).map_err(Error::io("sync", dir))?;
        }
        Ok(true)
    }

    fn lock_ref(&self, claim: &Claim, name: &str, path: &Path) -> Result<Lock> {
        let mut lock = path.as_os_str().to_owned();
        lock.push(".lock");
        let lock = PathBuf::from(lock);
        let mut attempt = 0;
        let begun = Instant::now();
        loop {
            let made = self.sharing().create_dir_all(path.parent().unwrap_or(path));
            let taken = made.map_err(Error::io("create", &lock)).and_then(|()| claim.lock(lock.clone()));
            match taken {
                Ok(Some(lock)) => return Ok(lock),
                Ok(None) if begun.elapsed() < LONGEST => std::thread::sleep(PAUSE),
                Ok(None) => return Err(Error::io("create", lock)(ErrorKind::AlreadyExists.into())),
                Err(Error::Io { source, .. })
                    if source.kind() == ErrorKind::NotFound && attempt < ATTEMPTS =>
                {
                    attempt += 1;
                }
                Err(error) => {
                    return Err(match self.ref_above(name) {
                        Some(above) => {
                            let is_broken = !matches!(self.read_ref(&above), Ok(Some(_)));
                            let broken = is_broken.then(|| self.common_dir().join(&above));
                            Error::RefAbove { name: name.to_owned(), above, broken }
                        }
                        None => error,
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
