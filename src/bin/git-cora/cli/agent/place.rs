//! Where an agent's file really is, and whether we may write there.
//!
//! A repository can track symbolic links, so a stranger chooses where a path leads. A file is
//! written only if it is in the work tree and in no Git directory: a hook, Git's configuration or a
//! file in the user's home can run programs. The check reads no file and opens none.
//!
//! Not `base::path::real` alone: it fails for a link to a file that doesn't exist yet, which a
//! write would make.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

use anyhow::Context as _;

use git_cora::base::path;
use git_cora::git::Repository;

use crate::command_error::CommandError;

/// Returns the path behind all links of a file that we may write, relative to the root of the work
/// tree. The file need not exist. `file` is relative to the root, too.
///
/// # Errors
/// A link leads out of the work tree or into a Git directory, or the links form a loop.
pub(super) fn inside(repo: &Repository, root: &Path, file: &str) -> anyhow::Result<PathBuf> {
    let read = || format!("can't read '{}'", root.join(file).display());
    let real_root = path::real(root).with_context(read)?;
    let git_dirs: Vec<_> = [repo.git_dir(), repo.common_dir()]
        .into_iter()
        .filter_map(|dir| path::real(dir).ok())
        // A linked work tree may be inside the Git directory.
        .filter(|dir| !real_root.starts_with(dir))
        .collect();
    let mut place = PathBuf::new();
    let mut link = PathBuf::new();
    // The outermost name that leads astray is the link to report.
    for name in Path::new(file) {
        link.push(name);
        let real = real_path(&real_root.join(&link)).with_context(read)?;
        let inner = real.strip_prefix(&real_root).ok().map(Path::to_owned);
        let is_in_git = git_dirs.iter().any(|dir| real.starts_with(dir))
            || inner.as_ref().is_some_and(|inner| inner.iter().any(|name| name.eq_ignore_ascii_case(".git")));
        match inner {
            Some(inner) if !is_in_git => place = inner,
            _ => {
                let why = if is_in_git { "inside a Git directory" } else { "outside the working tree" };
                let message =
                    format!("the link '{}' leads to '{}', which is {why}", link.display(), real.display());
                let hint =
                    format!("remove the link '{}', then run the command again", root.join(link).display());
                return Err(CommandError::new(message, hint).into());
            }
        }
    }
    Ok(place)
}

/// Resolves links and `..` as the system does, also where the last names don't exist yet.
fn real_path(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MAX_LINKS: usize = 40;
    let mut n_links = 0;
    let mut real = PathBuf::new();
    let mut rest = names(path);
    while let Some(name) = rest.pop_front() {
        if name == ".." {
            real.pop();
            continue;
        }
        // A root replaces what is there.
        let next = real.join(&name);
        if !next.is_symlink() {
            real = next;
            continue;
        }
        n_links += 1;
        if n_links > MAX_LINKS {
            return Err(io::Error::other("it has too many symbolic links"));
        }
        let mut target = names(&std::fs::read_link(&next)?);
        target.append(&mut rest);
        rest = target;
    }
    // Where the system ignores case, this finds how the names are really written.
    for dir in real.ancestors() {
        if let (Ok(found), Ok(missing)) = (path::real(dir), real.strip_prefix(dir)) {
            return Ok(found.components().chain(missing.components()).collect());
        }
    }
    Ok(real)
}

/// Splits a path, and drops each `.`.
fn names(path: &Path) -> VecDeque<OsString> {
    let parts = path.components().filter(|part| *part != Component::CurDir);
    parts.map(|part| part.as_os_str().to_owned()).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn paths_are_resolved_as_the_system_does_even_without_an_end() {
        let dir = tempfile::tempdir().unwrap();
        let root = path::real(dir.path()).unwrap();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        for (link, target) in [
            ("deep", "a/b"),
            ("up", "deep/../new"),
            ("dead", "a/no/file"),
            ("far", "/no/such"),
            ("loop", "loop"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        for (path, real) in [
            ("x/y", "x/y"),
            ("deep/x", "a/b/x"),
            ("deep/../x", "a/x"),
            ("./up", "a/new"),
            ("dead", "a/no/file"),
            ("dead/x", "a/no/file/x"),
            ("far/x", "/no/such/x"),
        ] {
            assert_eq!(real_path(&root.join(path)).unwrap(), root.join(real), "{path}");
        }
        assert!(real_path(&root.join("loop")).is_err());
    }
}
