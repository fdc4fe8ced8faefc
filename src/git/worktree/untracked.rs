//! The files of the work tree that count although Git does not track them.
//!
//! Owns [`GitDirectories`], and the meaning of `status.showUntrackedFiles`. Git lists untracked
//! files of two kinds that nobody wants searched:
//!
//! - Those of a Git directory that is not called `.git`, such as the one that `git init
//!   --separate-git-dir` or `--git-dir` put into the work tree. Its configuration may hold a token.
//!   The repository's own directories never count. Another one counts as another repository, except
//!   for the files that this one tracks, such as a fixture of a test.
//! - All of them, if the user said `no`. People do so where the work tree is their home directory.
//!
//! Git's value `normal` means all untracked files here. It differs only in how Git prints them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice};

use crate::base::config::parse_bool;
use crate::base::path::{real, real_or_same};
use crate::git::{Repository, discover};

/// The setting that leaves untracked files out.
const SHOWS_UNTRACKED: &str = "status.showUntrackedFiles";

/// The Git directories in a work tree.
pub(super) struct GitDirectories {
    root: PathBuf,
    /// The repository's own ones, from the root.
    own: Vec<BString>,
}

impl Repository {
    /// Returns whether the user wants untracked files listed: the setting
    /// `status.showUntrackedFiles` is not `no`.
    pub fn shows_untracked(&self) -> bool {
        let value = self.config_string(SHOWS_UNTRACKED).unwrap_or_else(|| "all".to_owned());
        // Git takes a boolean as well.
        !matches!(parse_bool(SHOWS_UNTRACKED, &value), Ok(false))
    }
}

impl GitDirectories {
    /// Finds those of a repository; `None` if it has no work tree.
    pub(super) fn of(repo: &Repository) -> Option<Self> {
        let root = real_or_same(repo.work_dir()?);
        let dirs = [repo.git_dir(), repo.common_dir(), repo.objects_dir()];
        let own = dirs.into_iter().filter_map(|dir| from_root(&root, &real_or_same(dir)));
        let own = own.filter(|path| !path.is_empty()).collect();
        Some(Self { root, own })
    }

    /// Returns whether a path from the root leads into a Git directory of the repository itself, as
    /// it is written or through the links on the way.
    pub(super) fn own(&self, path: &BStr) -> bool {
        let is_named = path.split_str("/").any(|name| name.eq_ignore_ascii_case(b".git"));
        is_named
            || self.is_in_own(path)
            || self.real(path).is_some_and(|real_path| self.is_in_own(real_path.as_bstr()))
    }

    fn is_in_own(&self, path: &BStr) -> bool {
        let is_in =
            |dir: &BString| path.strip_prefix(dir.as_slice()).is_some_and(|rest| rest.starts_with(b"/"));
        self.own.iter().any(is_in)
    }

    /// Returns the real path of a file, from the root.
    fn real(&self, path: &BStr) -> Option<BString> {
        from_root(&self.root, &real(&self.root.join(gix::path::from_bstr(path).ok()?)).ok()?)
    }

    /// Returns the directory of the outermost other repository that a path leads into: its work
    /// tree, or its Git directory.
    pub(super) fn other_repository(&self, path: &BStr) -> Option<BString> {
        let is_repository = |dir: &&BStr| self.is_git_dir(dir) || self.is_work_tree(dir);
        directories(path).find(is_repository).map(ToOwned::to_owned)
    }

    /// Returns the outermost Git directory of another repository that a path leads into.
    pub(super) fn other_git_dir(&self, path: &BStr) -> Option<BString> {
        directories(path).find(|dir| self.is_git_dir(dir)).map(ToOwned::to_owned)
    }

    fn is_git_dir(&self, dir: &BStr) -> bool {
        gix::path::from_bstr(dir).is_ok_and(|dir| discover::is_git_dir(&self.root.join(dir)))
    }

    fn is_work_tree(&self, dir: &BStr) -> bool {
        gix::path::from_bstr(dir).is_ok_and(|dir| self.root.join(dir).join(".git").symlink_metadata().is_ok())
    }

    /// Removes files that are not to be searched, because they are in a Git directory. `look`
    /// returns a file's path from the root, and whether Git tracks it.
    pub(super) fn leave_out<F>(&self, files: &mut Vec<F>, look: impl Fn(&F) -> (&BStr, bool)) {
        // Whether a directory is a Git directory.
        let mut known: HashMap<BString, bool> = HashMap::new();
        files.retain(|file| {
            let (path, is_tracked) = look(file);
            // Git follows no links, so this path is real.
            if self.is_in_own(path) {
                return false;
            }
            is_tracked
                || !directories(path).any(|dir| match known.get(dir.as_bytes()) {
                    Some(is_git_dir) => *is_git_dir,
                    None => {
                        let is_git_dir = self.is_git_dir(dir);
                        known.insert(dir.to_owned(), is_git_dir);
                        is_git_dir
                    }
                })
        });
    }
}

/// Returns a real path from the root, as Git writes it; `None` if it is elsewhere.
fn from_root(root: &Path, path: &Path) -> Option<BString> {
    let inside = gix::path::into_bstr(path.strip_prefix(root).ok()?).ok()?;
    Some(gix::path::to_unix_separators_on_windows(inside).into_owned())
}

/// Returns the directories that a path leads through, the outermost first.
fn directories(path: &BStr) -> impl Iterator<Item = &BStr> {
    path.find_iter("/").filter_map(|end| path.get(..end)).map(ByteSlice::as_bstr)
}

#[cfg(test)]
mod tests {
    use crate::git::testing::Fixture;
    use crate::git::{Blob, FileState, Repository, WorktreeFile};
    use bstr::ByteSlice as _;

    fn untracked(repo: &Repository) -> Vec<String> {
        let status = repo.status().unwrap().into_iter();
        status.filter(|one| one.state == FileState::Untracked).map(|one| one.path.to_string()).collect()
    }

    fn listed(repo: &Repository) -> Vec<String> {
        let mut files: Vec<String> = repo.listed_files().unwrap().iter().map(|one| one.to_string()).collect();
        files.sort_unstable();
        files
    }

    fn read(repo: &Repository, path: &str) -> WorktreeFile {
        repo.read_shared(path.into(), 1 << 20).unwrap()
    }

    #[test]
    fn a_git_directory_of_another_name_is_private() {
        let fixture = Fixture::empty_dir();
        fixture.write("deep/gitdata.txt", "open\n");
        fixture.git(&["init", "-q", "-b", "main", "--separate-git-dir", "deep/gitdata", "."]);
        fixture.write("a.rs", "fn a() {}\n");
        fixture.git(&["add", "a.rs"]);
        fixture.git(&["commit", "-q", "-m", "a"]);
        fixture.git(&["worktree", "add", "-q", "--detach", "linked"]);
        let repo = fixture.open();
        assert_eq!(untracked(&repo), ["deep/gitdata.txt"]);
        assert_eq!(listed(&repo), ["a.rs", "deep/gitdata.txt"]);
        for path in ["deep/gitdata/config", "deep/gitdata/HEAD", "deep/gitdata/worktrees/linked/HEAD"] {
            assert_eq!(read(&repo, path), WorktreeFile::Open(Blob::Missing), "{path}");
        }
        assert!(matches!(read(&repo, "deep/gitdata.txt"), WorktreeFile::Open(Blob::Bytes(_))));
        // Somebody tracks a file there: that of the commit counts.
        fixture.git(&["add", "-f", "deep/gitdata/description"]);
        fixture.git(&["commit", "-q", "-m", "tracked"]);
        fixture.write("deep/gitdata/description", "changed\n");
        assert_eq!(repo.status().unwrap().len(), 1);
        assert_eq!(read(&repo, "deep/gitdata/description"), WorktreeFile::Open(Blob::Missing));
    }

    #[test]
    fn a_bare_repository_in_the_work_tree_is_another_one() {
        let fixture = Fixture::with_history();
        fixture.git(&["clone", "-q", "--bare", ".", "lib/sub.git"]);
        fixture.git(&["add", "-f", "lib/sub.git/description"]);
        fixture.git(&["commit", "-q", "-m", "fixture"]);
        // Each of these lacks a part of a Git directory.
        fixture.write("notes/HEAD", "ref: refs/heads/main\n");
        fixture.write("notes/refs/a", "open\n");
        fixture.write("lib/new.rs", "open\n");
        let repo = fixture.open();
        assert_eq!(untracked(&repo), ["lib/new.rs", "notes/HEAD", "notes/refs/a"]);
        let foreign = WorktreeFile::Foreign { repository: "lib/sub.git".into() };
        assert_eq!(read(&repo, "lib/sub.git/config"), foreign);
        assert!(matches!(read(&repo, "lib/sub.git/description"), WorktreeFile::Open(Blob::Bytes(_))));
        assert!(matches!(read(&repo, "notes/HEAD"), WorktreeFile::Open(Blob::Bytes(_))));
        fixture.write("lib/sub.git/description", "changed\n");
        assert!(repo.status().unwrap().iter().any(|one| one.path == "lib/sub.git/description"));
        assert!(
            listed(&repo)
                .iter()
                .all(|path| !path.starts_with("lib/sub.git/") || path.ends_with("description"))
        );
    }

    #[test]
    fn untracked_files_are_left_out_if_the_user_does_not_want_them() {
        let fixture = Fixture::with_history();
        fixture.write(".gitignore", "*.log\n");
        fixture.git(&["add", ".gitignore"]);
        fixture.git(&["commit", "-q", "-m", "ignore"]);
        fixture.write(".ssh/id_rsa", "secret\n");
        fixture.write("a.log", "secret\n");
        fixture.write("src/main.rs", "fn changed() {}\n");
        fixture.write("staged.rs", "fn staged() {}\n");
        fixture.git(&["add", "staged.rs"]);
        let all = [".ssh/id_rsa", "src/main.rs", "staged.rs"];
        for (value, expected) in [
            (None, &all[..]),
            (Some("all"), &all),
            (Some("normal"), &all),
            (Some("true"), &all),
            (Some("no"), &all[1..]),
            (Some("No"), &all[1..]),
            (Some("false"), &all[1..]),
        ] {
            if let Some(value) = value {
                fixture.git(&["config", "status.showUntrackedFiles", value]);
            }
            let repo = fixture.open();
            let status: Vec<_> = repo.status().unwrap().into_iter().map(|one| one.path.to_string()).collect();
            assert_eq!(status, expected, "{value:?}");
            let is_shown = expected.len() == all.len();
            assert_eq!(listed(&repo).contains(&".ssh/id_rsa".to_owned()), is_shown, "{value:?}");
            match read(&repo, ".ssh/id_rsa") {
                WorktreeFile::Open(Blob::Bytes(bytes)) if is_shown => assert_eq!(bytes.as_bstr(), "secret\n"),
                WorktreeFile::Untracked if !is_shown => {}
                other => panic!("{value:?}: {other:?}"),
            }
            assert_eq!(read(&repo, "a.log"), WorktreeFile::Ignored);
            assert!(matches!(read(&repo, "staged.rs"), WorktreeFile::Open(Blob::Bytes(_))));
        }
    }
}
