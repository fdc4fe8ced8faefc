//! Replaces a file under Git's lock, in a way that a kill leaves nothing behind for long.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::claim::Claim;
use crate::base::path::real_or_same;
use crate::git::Repository;

impl Repository {
    /// Replaces a file of Git's configuration as Git does: under its lock file, and only if it
    /// still holds `before`. A lock file that a killed process of ours left is removed first.
    ///
    /// # Errors
    /// If somebody else holds the lock or has changed the file, and any error of writing.
    pub fn replace_config(&self, path: &Path, before: &[u8], bytes: &[u8]) -> io::Result<()> {
        self.recover_locks();
        let claim = Claim::new(self, bytes.to_vec()).map_err(io::Error::other)?;
        claim.set_permissions_of(path);
        claim.sync().map_err(io::Error::other)?;
        let Some(lock) = claim.lock(lock_path(path)).map_err(io::Error::other)? else {
            let why = "another process is writing it, or left its '.lock' file behind";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
        };
        if fs::read(path)? != before {
            return Err(io::Error::other("another program has just changed it"));
        }
        lock.commit(path).map_err(io::Error::other)
    }

    /// Returns the lock files of the configuration.
    pub(super) fn config_locks(&self) -> impl Iterator<Item = PathBuf> {
        [self.common_dir(), self.git_dir()]
            .into_iter()
            .flat_map(|dir| ["config", "config.worktree"].map(|name| dir.join(name)))
            .map(|path| lock_path(&real_or_same(&path)))
    }
}

/// Returns the path of Git's lock of a file.
fn lock_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    #[test]
    fn a_locked_or_changed_configuration_is_not_replaced() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let path = repo.common_dir().join("config");
        let before = fs::read(&path).unwrap();
        let after = [before.as_slice(), b"[a]\n\tb = c\n"].concat();
        let changed = repo.replace_config(&path, b"other", &after).unwrap_err();
        assert!(changed.to_string().contains("just changed"), "{changed}");
        fixture.write(".git/config.lock", "");
        let locked = repo.replace_config(&path, &before, &after).unwrap_err();
        assert!(locked.to_string().contains("another process"), "{locked}");
        fs::remove_file(lock_path(&path)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), before);
        repo.replace_config(&path, &before, &after).unwrap();
        assert_eq!(fixture.git_line(&["config", "a.b"]), "c");
        assert!(!lock_path(&path).exists());
    }
}
