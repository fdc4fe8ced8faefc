//! A Git directory whose `HEAD` is a symbolic link, as old versions of Git made it and
//! `core.preferSymlinkRefs` still does.
//!
//! For Git, such a link names a branch. The library follows the link, so it sees a detached head,
//! or no `HEAD` at all if the ref is packed. So the `git` program reads the refs of such a
//! repository. The library can't open one whose link leads to no file: it opens a [`HeadView`]
//! instead.

use std::path::Path;

use crate::git::{Error, Result};

/// A temporary Git directory with a plain `HEAD` that leads to all else in the real one. Removed on
/// drop. Its `HEAD` names no branch, like that of a repository with reftables.
pub(in crate::git) struct HeadView(tempfile::TempDir);

impl HeadView {
    /// Returns a view of a Git directory if the library needs one. `common_dir` is the directory
    /// that linked work trees share.
    ///
    /// # Errors
    /// [`Error::Io`] if it can't be created.
    pub(in crate::git) fn of(git_dir: &Path, common_dir: &Path) -> Result<Option<Self>> {
        if !is_link(git_dir) || git_dir.join("HEAD").exists() || cfg!(not(unix)) {
            return Ok(None);
        }
        let view = tempfile::Builder::new().prefix("git-cora-").tempdir();
        let view = view.and_then(|view| fill(git_dir, common_dir, view.path()).map(|()| view));
        Ok(Some(Self(view.map_err(Error::io("create a view of", git_dir))?)))
    }

    pub(in crate::git) fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Returns whether `HEAD` is a symbolic link.
pub(in crate::git) fn is_link(git_dir: &Path) -> bool {
    git_dir.join("HEAD").symlink_metadata().is_ok_and(|found| found.is_symlink())
}

#[cfg(unix)]
fn fill(git_dir: &Path, common_dir: &Path, view: &Path) -> std::io::Result<()> {
    let git_dir = std::path::absolute(git_dir)?;
    for entry in std::fs::read_dir(&git_dir)? {
        let entry = entry?;
        match entry.file_name().to_str() {
            Some("HEAD") => std::fs::write(view.join("HEAD"), "ref: refs/heads/.invalid\n")?,
            // Its path may be relative.
            Some("commondir") => {
                std::fs::write(view.join("commondir"), common_dir.as_os_str().as_encoded_bytes())?;
            }
            _ => std::os::unix::fs::symlink(entry.path(), view.join(entry.file_name()))?,
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn fill(_: &Path, _: &Path, _: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use crate::git::testing::Fixture;
    use crate::git::{Head, Repository};

    #[test]
    fn a_link_names_the_branch_whether_its_ref_is_a_file_or_packed() {
        let fixture = Fixture::with_history();
        let branch = fixture.git_line(&["symbolic-ref", "HEAD"]);
        let commit = fixture.git_line(&["rev-parse", "HEAD"]).parse().unwrap();
        let head = fixture.path().join(".git/HEAD");
        std::fs::remove_file(&head).unwrap();
        std::os::unix::fs::symlink(&branch, &head).unwrap();
        let expected = Head::Commit { id: commit, refname: Some(branch.as_str().into()) };
        let opened = fixture.open();
        for args in [&["status"][..], &["pack-refs", "--all"]] {
            fixture.git(args);
            assert!(head.symlink_metadata().unwrap().is_symlink());
            for repo in
                [&opened, &fixture.open(), &Repository::open_named(&fixture.path().join("src")).unwrap()]
            {
                assert_eq!(repo.head().unwrap(), expected, "{args:?}");
                assert_eq!(repo.resolve("HEAD").unwrap(), commit);
                assert_eq!(repo.git_dir(), fixture.path().join(".git"));
                assert_eq!(repo.common_dir(), fixture.path().join(".git"));
                assert_eq!(repo.work_dir(), Some(fixture.path()));
                assert_eq!(repo.status().unwrap(), []);
            }
        }
        let repo = fixture.open();
        repo.update_ref("refs/cora/x", None, commit).unwrap();
        assert_eq!(repo.read_ref("refs/cora/x").unwrap(), Some(commit));
    }
}
