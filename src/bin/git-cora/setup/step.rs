//! Changes of the user's files, applied as a whole or rolled back.
//!
//! A command first plans all its [`Step`]s, reading and checking every file, and then applies them.
//! If a step fails, the steps before it are undone in reverse order. Each file is replaced by a
//! rename, so that Git and other programs see the old or the new file, never half of it.
#![allow(clippy::disallowed_methods, reason = "owns the changes of hooks and settings files")]

use std::fs::{self, Permissions};
use std::io;
use std::path::{Path, PathBuf};

use git_cora::base::new_file;
use git_cora::base::path::real_or_same;
use git_cora::base::sharing::{Sharing, give_path_to_owner};
use git_cora::base::tempfile;
use git_cora::git::Repository;

/// One change of a file or directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Makes a directory. An existing one is kept.
    MakeDir(PathBuf),
    /// Writes a new program, in place of whatever has the name.
    Program { path: PathBuf, bytes: Vec<u8> },
    /// Writes a file. An existing file keeps its permissions.
    Write { path: PathBuf, bytes: Vec<u8> },
    /// Writes a file through all its names: they stay names of one file.
    #[cfg_attr(not(feature = "mcp"), allow(dead_code))]
    Overwrite { path: PathBuf, bytes: Vec<u8> },
    /// Writes a file that must still hold `before`, under Git's lock.
    Locked { path: PathBuf, before: Vec<u8>, bytes: Vec<u8> },
    /// Gives a file a second name; where that is impossible, moves it.
    Keep { from: PathBuf, to: PathBuf },
    /// Moves a file or link, in place of whatever has the new name.
    Move { from: PathBuf, to: PathBuf },
    /// Makes a symbolic link, in place of whatever has the name.
    Link { path: PathBuf, target: PathBuf },
    /// Removes a file or link.
    Remove(PathBuf),
    /// Removes a directory if it is empty.
    RemoveDir(PathBuf),
}

/// The Git directory of a repository that several users may share (`core.sharedRepository`).
pub(crate) struct SharedDir {
    repo: Repository,
    dir: PathBuf,
    sharing: Sharing,
}

impl SharedDir {
    /// That of a repository.
    pub(crate) fn of(repo: &Repository) -> Self {
        Self { repo: repo.clone(), dir: real_or_same(repo.common_dir()), sharing: repo.sharing() }
    }

    /// Gives a file or directory that was just made its permissions, if it is in the directory.
    fn apply(&self, path: &Path) -> io::Result<()> {
        let is_inside = path.parent().is_some_and(|above| real_or_same(above).starts_with(&self.dir));
        if is_inside { self.sharing.apply(path) } else { Ok(()) }
    }
}

/// The directories that do not exist yet, up to one that does; the innermost first.
pub(crate) fn missing_dirs(dir: &Path) -> Vec<PathBuf> {
    dir.ancestors().take_while(|dir| !dir.exists()).map(Path::to_owned).collect()
}

impl Step {
    /// The path that a message names.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::MakeDir(path) | Self::Remove(path) | Self::RemoveDir(path) => path,
            Self::Program { path, .. }
            | Self::Write { path, .. }
            | Self::Overwrite { path, .. }
            | Self::Locked { path, .. }
            | Self::Link { path, .. } => path,
            Self::Keep { to, .. } | Self::Move { to, .. } => to,
        }
    }

    fn apply(&self, shared: Option<&SharedDir>) -> io::Result<()> {
        match self {
            Self::MakeDir(path) => match fs::create_dir(path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
                made => made.map(|()| give_path_to_owner(path)),
            },
            Self::Program { path, bytes } => new_file::create(path, true, bytes),
            Self::Write { path, bytes } => new_file::replace(path, bytes),
            Self::Overwrite { path, bytes } => fs::write(path, bytes),
            Self::Locked { path, before, bytes } => match shared {
                Some(shared) => shared.repo.replace_config(path, before, bytes),
                None => Err(io::Error::other("it belongs to no repository")),
            },
            Self::Keep { from, to } => fs::hard_link(from, to).or_else(|_| tempfile::rename(from, to)),
            Self::Move { from, to } => tempfile::rename(from, to),
            Self::Link { path, target } => {
                if path.is_symlink() {
                    fs::remove_file(path)?;
                }
                link(target, path)
            }
            Self::Remove(path) => fs::remove_file(path),
            Self::RemoveDir(path) => {
                // Fails if others put something there, and then it stays.
                let _ = fs::remove_dir(path);
                Ok(())
            }
        }
    }

    /// Whether the step makes a file or directory that was not there, or one in place of another.
    fn makes_anew(&self, inverse: &Inverse) -> bool {
        match self {
            Self::Program { .. } => true,
            Self::MakeDir(_) => matches!(inverse, Inverse::RemoveDir(_)),
            Self::Write { .. } => matches!(inverse, Inverse::Restore(_, Entry::Absent)),
            _ => false,
        }
    }

    /// What undoes the step. It is taken before the step is applied.
    fn inverse(&self) -> io::Result<Inverse> {
        Ok(match self {
            Self::MakeDir(path) if path.exists() => Inverse::Nothing,
            Self::MakeDir(path) => Inverse::RemoveDir(path.clone()),
            Self::RemoveDir(path) if path.is_dir() => Inverse::MakeDir(path.clone()),
            Self::RemoveDir(_) => Inverse::Nothing,
            Self::Keep { from, to } => Inverse::Move { from: to.clone(), to: from.clone(), over: None },
            Self::Move { from, to } => {
                let over = Entry::of(to)?;
                Inverse::Move { from: to.clone(), to: from.clone(), over: Some(over) }
            }
            Self::Program { path, .. }
            | Self::Write { path, .. }
            | Self::Overwrite { path, .. }
            | Self::Locked { path, .. }
            | Self::Link { path, .. }
            | Self::Remove(path) => Inverse::Restore(path.clone(), Entry::of(path)?),
        })
    }
}

/// What a name stands for in a directory.
#[derive(Debug)]
enum Entry {
    Absent,
    File(Vec<u8>, Permissions),
    Link(PathBuf),
}

impl Entry {
    fn of(path: &Path) -> io::Result<Self> {
        match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::Absent),
            Err(error) => Err(error),
            Ok(found) if found.is_symlink() => fs::read_link(path).map(Self::Link),
            Ok(found) => Ok(Self::File(fs::read(path)?, found.permissions())),
        }
    }

    fn restore(&self, path: &Path) -> io::Result<()> {
        match self {
            Self::Absent => match fs::remove_file(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                removed => removed,
            },
            Self::File(bytes, permissions) => {
                if fs::read(path).ok().as_ref() != Some(bytes) || path.is_symlink() {
                    if has_more_names(path) {
                        fs::write(path, bytes)
                    } else {
                        new_file::replace(path, bytes)
                    }?;
                }
                fs::set_permissions(path, permissions.clone())
            }
            Self::Link(target) if fs::read_link(path).ok().as_ref() == Some(target) => Ok(()),
            Self::Link(target) => {
                if path.symlink_metadata().is_ok() {
                    fs::remove_file(path)?;
                }
                link(target, path)
            }
        }
    }
}

/// What undoes a step.
#[derive(Debug)]
enum Inverse {
    Nothing,
    MakeDir(PathBuf),
    RemoveDir(PathBuf),
    Move { from: PathBuf, to: PathBuf, over: Option<Entry> },
    Restore(PathBuf, Entry),
}

impl Inverse {
    fn apply(&self) -> Result<(), PathBuf> {
        let done = match self {
            Self::Nothing => Ok(()),
            Self::MakeDir(path) => fs::create_dir(path).or_else(|_| {
                // It was not empty, so it was not removed.
                if path.is_dir() { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
            }),
            Self::RemoveDir(path) => match fs::remove_dir(path) {
                // Others put something there, so it stays.
                Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
                removed => removed,
            },
            Self::Move { from, to, over } => tempfile::rename(from, to)
                .and_then(|()| {
                    // A rename between two names of one file does nothing.
                    if over.is_none() && from.symlink_metadata().is_ok() {
                        fs::remove_file(from)
                    } else {
                        Ok(())
                    }
                })
                .and_then(|()| over.as_ref().map_or(Ok(()), |over| over.restore(from))),
            Self::Restore(path, entry) => entry.restore(path),
        };
        let (Self::MakeDir(path)
        | Self::RemoveDir(path)
        | Self::Restore(path, _)
        | Self::Move { to: path, .. }) = self
        else {
            return Ok(());
        };
        done.map_err(|_| path.clone())
    }
}

/// Steps that were applied, and can be undone.
#[derive(Debug)]
#[must_use]
pub(crate) struct AppliedSteps(Vec<Inverse>);

impl AppliedSteps {
    /// Undoes the steps, and returns the state after it, as a message puts it.
    pub(crate) fn undo(self) -> String {
        let lost: Vec<_> = self.0.iter().rev().filter_map(|inverse| inverse.apply().err()).collect();
        if lost.is_empty() {
            return "nothing was changed".to_owned();
        }
        let lost: Vec<_> = lost.iter().map(|path| format!("'{}'", path.display())).collect();
        format!("could not restore {}", lost.join(", "))
    }
}

/// Applies all steps; if one fails, none. What is made in `shared` gets its permissions.
///
/// # Errors
/// Names the file that could not be changed, and those that could not be restored after it.
pub(crate) fn apply(steps: &[Step], shared: Option<&SharedDir>) -> anyhow::Result<()> {
    apply_reversibly(steps, shared).map(drop)
}

/// As for [`apply`], but the caller can undo them if its own next step fails.
///
/// # Errors
/// As for [`apply`].
pub(crate) fn apply_reversibly(steps: &[Step], shared: Option<&SharedDir>) -> anyhow::Result<AppliedSteps> {
    let mut applied = AppliedSteps(Vec::new());
    for step in steps {
        let done = step.inverse().and_then(|inverse| {
            step.apply(shared)?;
            if let Some(shared) = shared.filter(|_| step.makes_anew(&inverse)) {
                shared.apply(step.path())?;
            }
            Ok(inverse)
        });
        match done {
            Ok(inverse) => applied.0.push(inverse),
            Err(error) => {
                let (path, state) = (step.path().display(), applied.undo());
                return Err(anyhow::anyhow!("can't write '{path}': {error}; {state}"));
            }
        }
    }
    Ok(applied)
}

/// Whether other names stand for the same file (hard links).
#[cfg(unix)]
pub(crate) fn has_more_names(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    path.symlink_metadata().is_ok_and(|found| found.is_file() && found.nlink() > 1)
}

#[cfg(not(unix))]
pub(crate) fn has_more_names(_: &Path) -> bool {
    false
}

#[cfg(unix)]
fn link(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(windows)]
fn link(target: &Path, path: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(target, path)
}

/// Follows links to the file that a write must replace. The file need not exist.
///
/// # Errors
/// A chain of links that is too long, or a link that can't be read.
pub(crate) fn behind_links(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MAX_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if !path.is_symlink() {
            return Ok(path);
        }
        let target = fs::read_link(&path)?;
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(io::Error::other("it has too many symbolic links"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_step_that_fails_undoes_those_before_it() {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

        let dir = tempfile_dir();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("file"), "old").unwrap();
        fs::set_permissions(at("file"), Permissions::from_mode(0o640)).unwrap();
        fs::write(at("gone"), "gone").unwrap();
        fs::write(at("kept"), "kept").unwrap();
        fs::create_dir(at("empty")).unwrap();
        link(Path::new("nowhere"), &at("link")).unwrap();
        let inode = at("kept").metadata().unwrap().ino();
        let text = |text: &str| text.as_bytes().to_vec();
        let steps = [
            Step::MakeDir(at("made")),
            Step::Keep { from: at("kept"), to: at("made/kept") },
            Step::Program { path: at("kept"), bytes: text("new") },
            Step::Write { path: at("file"), bytes: text("new") },
            Step::Write { path: at("made/new"), bytes: text("new") },
            Step::Program { path: at("link"), bytes: text("new") },
            Step::Link { path: at("made/link"), target: "x".into() },
            Step::Move { from: at("gone"), to: at("made/new") },
            Step::Overwrite { path: at("file"), bytes: text("newer") },
            Step::Remove(at("made/link")),
            Step::RemoveDir(at("empty")),
            Step::Write { path: at("no/such/directory"), bytes: text("") },
        ];
        let error = apply(&steps, None).unwrap_err().to_string();
        assert!(error.contains("no/such/directory") && error.ends_with("nothing was changed"), "{error}");
        let n_names = fs::read_dir(dir.path()).unwrap().count();
        assert_eq!(n_names, 5);
        assert_eq!(fs::read(at("file")).unwrap(), b"old");
        assert_eq!(at("file").metadata().unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read(at("gone")).unwrap(), b"gone");
        assert_eq!(fs::read(at("kept")).unwrap(), b"kept");
        assert_eq!(at("kept").metadata().unwrap().ino(), inode);
        assert_eq!(fs::read_link(at("link")).unwrap(), Path::new("nowhere"));
        assert!(at("empty").is_dir());
        apply(&steps[..steps.len() - 1], None).unwrap();
        assert_eq!(fs::read(at("file")).unwrap(), b"newer");
        assert!(!at("file.lock").exists() && !at("empty").exists());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_to_the_file_even_if_it_is_missing() {
        let dir = tempfile_dir();
        link(Path::new("b"), &dir.path().join("a")).unwrap();
        link(Path::new("sub/c"), &dir.path().join("b")).unwrap();
        assert_eq!(behind_links(&dir.path().join("a")).unwrap(), dir.path().join("sub/c"));
        link(Path::new("loop"), &dir.path().join("loop")).unwrap();
        assert!(behind_links(&dir.path().join("loop")).is_err());
    }

    fn tempfile_dir() -> ::tempfile::TempDir {
        ::tempfile::tempdir().unwrap()
    }
}
