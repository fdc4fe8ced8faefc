//! The permissions of files that several users of a repository share.
//!
//! Owns [`Sharing`], the meaning of `core.sharedRepository` (`git-config(1)`): which permissions a
//! file or directory gets beyond those that the umask allows. Everything that we write below a Git
//! directory goes through it, as in Git; otherwise the next user could not write beside us. For the
//! same reason, a file that root creates belongs to the owner of its directory. Systems other than
//! Unix have no such permissions.
#![allow(clippy::disallowed_methods, reason = "owns the permissions of what we write")]

use std::fs::File;
use std::io;
use std::path::Path;

/// Permission bits that let a group read and write, and others read.
const GROUP: u32 = 0o660;
const EVERYBODY: u32 = 0o664;

/// The permissions of new files in a repository.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sharing {
    /// Those that the umask allows.
    #[default]
    Umask,
    /// These read and write bits in addition.
    Least(u32),
    /// These read and write bits, whatever the umask is.
    Exact(u32),
}

impl Sharing {
    /// Parses a value of `core.sharedRepository`; `None` if Git refuses it.
    pub fn parse(value: &str) -> Option<Self> {
        Some(match value {
            "umask" | "" => Self::Umask,
            "group" => Self::Least(GROUP),
            "all" | "world" | "everybody" => Self::Least(EVERYBODY),
            _ => match u32::from_str_radix(value, 8) {
                Ok(0) => Self::Umask,
                Ok(1) => Self::Least(GROUP),
                Ok(2) => Self::Least(EVERYBODY),
                Ok(mode) if mode & 0o600 == 0o600 => Self::Exact(mode & 0o666),
                Ok(_) => return None,
                Err(_) => match value.to_ascii_lowercase().as_str() {
                    "true" | "yes" | "on" => Self::Least(GROUP),
                    "false" | "no" | "off" => Self::Umask,
                    _ => return None,
                },
            },
        })
    }

    /// Returns the mode that Git gives to a file or directory that was created with `mode`
    /// (`calc_shared_perm` and `adjust_shared_perm` in Git's `path.c`).
    #[cfg_attr(not(unix), allow(dead_code))]
    fn mode(self, mode: u32, is_dir: bool) -> u32 {
        let (Self::Least(bits) | Self::Exact(bits)) = self else { return mode };
        let readable_to_runnable = |bits: u32| bits | ((bits & 0o444) >> 2);
        let bits = if mode & 0o200 == 0 { bits & !0o222 } else { bits };
        let bits = if mode & 0o100 == 0 { bits } else { readable_to_runnable(bits) };
        let new = match self {
            Self::Exact(_) => (mode & !0o777) | bits,
            _ => mode | bits,
        };
        match (is_dir, readable_to_runnable(new)) {
            (false, _) => new,
            // New files in it belong to its group.
            (true, new) if new & 0o060 != 0 => new | 0o2000,
            (true, new) => new,
        }
    }

    /// Gives a new file or directory its permissions.
    ///
    /// # Errors
    /// Any error of reading and changing the permissions.
    #[cfg(unix)]
    pub fn apply(self, path: &Path) -> io::Result<()> {
        give_path_to_owner(path);
        if self == Self::Umask {
            return Ok(());
        }
        match self.changed(&path.symlink_metadata()?) {
            Some(permissions) => std::fs::set_permissions(path, permissions),
            None => Ok(()),
        }
    }

    /// Gives a new file its permissions. It need not have a name.
    ///
    /// # Errors
    /// Any error of reading and changing the permissions.
    #[cfg(unix)]
    pub(crate) fn apply_to_file(self, file: &File) -> io::Result<()> {
        if self == Self::Umask {
            return Ok(());
        }
        match self.changed(&file.metadata()?) {
            Some(permissions) => file.set_permissions(permissions),
            None => Ok(()),
        }
    }

    /// Returns the permissions of a file or directory; `None` if it has them already.
    #[cfg(unix)]
    fn changed(self, found: &std::fs::Metadata) -> Option<std::fs::Permissions> {
        use std::os::unix::fs::PermissionsExt as _;
        let old = found.permissions().mode() & 0o7777;
        let new = self.mode(old, found.is_dir());
        (old != new).then(|| std::fs::Permissions::from_mode(new))
    }

    /// Does nothing: this system has no such permissions.
    ///
    /// # Errors
    /// None.
    #[cfg(not(unix))]
    pub(crate) fn apply_to_file(self, _: &File) -> io::Result<()> {
        Ok(())
    }

    /// Does nothing: this system has no such permissions.
    ///
    /// # Errors
    /// None.
    #[cfg(not(unix))]
    pub fn apply(self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    /// Creates a directory and those above it, with their permissions.
    ///
    /// # Errors
    /// Any error of creating a directory. It is not an error if it exists.
    pub fn create_dir_all(self, dir: &Path) -> io::Result<()> {
        if dir.is_dir() {
            return Ok(());
        }
        if let Some(above) = dir.parent().filter(|above| !above.as_os_str().is_empty()) {
            self.create_dir_all(above)?;
        }
        match std::fs::create_dir(dir) {
            Ok(()) => self.apply(dir),
            Err(_) if dir.is_dir() => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// Gives a file that root has just created in `dir` to the owner of `dir`.
///
/// Otherwise the owner of a repository can't write beside what a `sudo git cora query` stored: a
/// directory of objects that belongs to root makes `git commit` fail. Other users can't give files
/// away. If the owner is not known here, as in a container, the file stays with root.
#[cfg(unix)]
pub(crate) fn give_to_owner(file: &File, dir: &Path) {
    use std::os::unix::fs::MetadataExt as _;
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let (Ok(found), Ok(above)) = (file.metadata(), dir.metadata()) else { return };
    // A second name may be a file of root elsewhere.
    let is_new = found.uid() == 0 && (found.is_dir() || found.nlink() < 2);
    if is_new && above.uid() != 0 {
        let _ = std::os::unix::fs::fchown(file, Some(above.uid()), Some(above.gid()));
    }
}

/// Does nothing: this system has no root user.
#[cfg(not(unix))]
pub(crate) fn give_to_owner(_: &File, _: &Path) {}

/// Gives a file or directory that root has just created at a path to the owner of the directory
/// that it is in. A link is not followed.
#[cfg(unix)]
pub fn give_path_to_owner(path: &Path) {
    use std::os::unix::fs::OpenOptionsExt as _;
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let flags = (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits();
    let file = File::options().read(true).custom_flags(flags.cast_signed()).open(path);
    if let (Ok(file), Some(dir)) = (file, path.parent()) {
        give_to_owner(&file, if dir.as_os_str().is_empty() { Path::new(".") } else { dir });
    }
}

/// Does nothing: this system has no root user.
#[cfg(not(unix))]
pub fn give_path_to_owner(_: &Path) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_root_creates_belongs_to_the_owner_of_the_directory() {
        use std::os::unix::fs::MetadataExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("theirs");
        std::fs::create_dir(&path).unwrap();
        let owner = |path: &Path| path.symlink_metadata().map(|found| (found.uid(), found.gid())).unwrap();
        let own = owner(&path);
        // Only root can set up this test; others check that nothing changes.
        let expected = match std::os::unix::fs::chown(&path, Some(1234), Some(1235)) {
            Ok(()) => (1234, 1235),
            Err(_) => own,
        };
        Sharing::Umask.create_dir_all(&path.join("a/b")).unwrap();
        crate::base::new_file::create(&path.join("a/b/file"), false, b"x").unwrap();
        for made in ["a", "a/b", "a/b/file"] {
            assert_eq!(owner(&path.join(made)), expected, "{made}");
        }
        // Neither what a link leads to nor a file with a second name changes its owner.
        let other = dir.path().join("other");
        std::fs::write(&other, "").unwrap();
        std::os::unix::fs::symlink(&other, path.join("link")).unwrap();
        std::fs::hard_link(&other, path.join("second")).unwrap();
        for name in ["link", "second"] {
            Sharing::Umask.apply(&path.join(name)).unwrap();
        }
        assert_eq!(owner(&other), own);
    }

    #[test]
    fn values_mean_what_they_mean_to_git() {
        for (value, sharing) in [
            ("umask", Some(Sharing::Umask)),
            ("false", Some(Sharing::Umask)),
            ("No", Some(Sharing::Umask)),
            ("0", Some(Sharing::Umask)),
            ("group", Some(Sharing::Least(0o660))),
            ("true", Some(Sharing::Least(0o660))),
            ("1", Some(Sharing::Least(0o660))),
            ("all", Some(Sharing::Least(0o664))),
            ("world", Some(Sharing::Least(0o664))),
            ("everybody", Some(Sharing::Least(0o664))),
            ("2", Some(Sharing::Least(0o664))),
            ("0660", Some(Sharing::Exact(0o660))),
            ("0777", Some(Sharing::Exact(0o666))),
            ("0440", None),
            ("Group", None),
            ("x", None),
        ] {
            assert_eq!(Sharing::parse(value), sharing, "{value}");
        }
    }

    #[test]
    fn modes_are_those_of_git() {
        for (sharing, before, is_dir, after) in [
            (Sharing::Umask, 0o600, false, 0o600),
            (Sharing::Least(0o660), 0o600, false, 0o660),
            (Sharing::Least(0o660), 0o400, false, 0o440),
            (Sharing::Least(0o660), 0o700, true, 0o2770),
            (Sharing::Least(0o664), 0o700, true, 0o2775),
            (Sharing::Least(0o664), 0o444, false, 0o444),
            (Sharing::Exact(0o640), 0o644, false, 0o640),
            (Sharing::Exact(0o640), 0o755, true, 0o2750),
            (Sharing::Exact(0o600), 0o755, true, 0o700),
            (Sharing::Exact(0o660), 0o444, false, 0o440),
        ] {
            let found = sharing.mode(before, is_dir);
            assert_eq!(found, after, "{sharing:?} {before:o}: {found:o}");
        }
    }
}
