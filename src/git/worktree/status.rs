//! Differences between `HEAD` and the work tree.
//!
//! Owns [`StatusEntry`]. The answer comes from running `git status`. Only Git itself agrees with
//! Git about the file system monitor, the untracked cache, sparse checkouts, line endings and
//! filters. Git also has the only warm cache, the staging index. The process runs in parallel with
//! the query that needs it (see [`StatusJob`]). It takes no optional locks, so it never blocks the
//! user's own commands.
//!
//! Staged and unstaged changes become one state relative to `HEAD`. A search needs to know how the
//! file on disk differs from the commit, not in how many steps.

use std::collections::BTreeMap;
use std::thread::JoinHandle;

use bstr::{BString, ByteSlice};

use super::untracked::GitDirectories;
use crate::git::{Error, Repository, Result};

/// The way a file in the work tree differs from `HEAD`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileState {
    /// Its content or its executable bit differs.
    Modified,
    /// It is tracked, but `HEAD` doesn't have it.
    Added,
    /// It is neither tracked nor ignored.
    Untracked,
    /// It was deleted.
    Deleted,
    /// It was renamed. Not reported at present: a rename is a deletion and an addition.
    Renamed {
        /// The old path.
        from: BString,
    },
    /// A merge left it in conflict.
    Conflicted,
    /// A file became a link, or the other way round.
    TypeChanged,
}

/// A path and its state.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StatusEntry {
    /// The path from the root of the work tree.
    pub path: BString,
    /// Its difference from `HEAD`.
    pub state: FileState,
}

/// A `git status` that runs in the background.
#[derive(Debug)]
pub struct StatusJob(Option<JoinHandle<Result<Vec<StatusEntry>>>>);

impl StatusJob {
    /// Waits for the result.
    ///
    /// # Errors
    /// [`Error::Command`] if `git status` failed.
    pub fn finish(self) -> Result<Vec<StatusEntry>> {
        match self.0 {
            None => Ok(Vec::new()),
            Some(thread) => {
                thread.join().map_err(|_| Error::Internal("the reader of git status panicked".into()))?
            }
        }
    }
}

impl Repository {
    /// Returns the files that differ from `HEAD`, sorted by path; none in a bare repository.
    ///
    /// Untracked files are listed one by one, not as directories. Left out are ignored files,
    /// submodules, files in a Git directory of any name, and, if the user does not want them, all
    /// untracked files (see `untracked.rs`).
    ///
    /// # Errors
    /// [`Error::Command`] if `git status` fails.
    pub fn status(&self) -> Result<Vec<StatusEntry>> {
        self.status_start()?.finish()
    }

    /// Returns whether a submodule or the mode of a file differs from `HEAD`, within these
    /// pathspecs. [`Repository::status`] leaves the former out, and does not tell the latter. False
    /// in a bare repository.
    ///
    /// # Errors
    /// [`Error::Command`] if `git status` fails.
    pub fn has_other_modes(&self, pathspecs: &[String]) -> Result<bool> {
        if self.work_dir().is_none() {
            return Ok(false);
        }
        let command = [
            "--no-optional-locks",
            "status",
            "--porcelain=v2",
            "-z",
            "--untracked-files=no",
            "--no-renames",
            "--",
        ];
        let specs = pathspecs.iter().map(String::as_str);
        let command = self.git(&command.into_iter().chain(specs).collect::<Vec<_>>()).as_user();
        let is_other = |record: &[u8]| {
            let fields: Vec<&[u8]> = record.splitn(9, |b| *b == b' ').collect();
            match fields.as_slice() {
                [b"1", _, submodule, head, _, work, ..] => submodule.starts_with(b"S") || head != work,
                _ => false,
            }
        };
        Ok(command.run()?.stdout.split(|b| *b == 0).any(is_other))
    }

    /// Starts [`Repository::status`] in the background.
    ///
    /// # Errors
    /// [`Error::Git`] if no thread can be started. Errors of the program come from
    /// [`StatusJob::finish`].
    pub fn status_start(&self) -> Result<StatusJob> {
        let Some(git_dirs) = GitDirectories::of(self) else { return Ok(StatusJob(None)) };
        let untracked = if self.shows_untracked() { "--untracked-files=all" } else { "--untracked-files=no" };
        let command = self.git(&[
            "--no-optional-locks",
            "status",
            "--porcelain=v2",
            "-z",
            untracked,
            "--no-renames",
            "--ignore-submodules=all",
        ]);
        let command = command.as_user();
        let run = move || {
            let mut entries = parse_status(&command.run()?.stdout)?;
            git_dirs
                .leave_out(&mut entries, |entry| (entry.path.as_bstr(), entry.state != FileState::Untracked));
            Ok(entries)
        };
        let thread = std::thread::Builder::new().name("git status".into()).spawn(run);
        Ok(StatusJob(Some(thread.map_err(Error::git("start a thread"))?)))
    }
}

/// Parses the output of `git status --porcelain=v2 -z` (`git-status(1)`, "Porcelain Format Version
/// 2").
///
/// # Errors
/// [`Error::Internal`] for a record that has too few fields.
pub fn parse_status(bytes: &[u8]) -> Result<Vec<StatusEntry>> {
    let mut states: BTreeMap<BString, FileState> = BTreeMap::new();
    let mut records = bytes.split(|b| *b == 0).filter(|record| !record.is_empty());
    while let Some(record) = records.next() {
        let bad = || Error::Internal(format!("git status printed '{}'", record.escape_ascii()));
        // 1 XY sub mH mI mW hH hI path · 2 … Xscore path, then the old path · u … · ? path · ! path
        let (path, state) = match record.first() {
            Some(b'1') => {
                let fields: Vec<&[u8]> = record.splitn(9, |b| *b == b' ').collect();
                let [_, _, _, head, _, work, _, _, path] = fields.as_slice() else { return Err(bad()) };
                (*path, tracked(head, work))
            }
            Some(b'2') => {
                let from = records.next().ok_or_else(bad)?;
                let path = record.splitn(10, |b| *b == b' ').nth(9).ok_or_else(bad)?;
                (path, Some(FileState::Renamed { from: from.into() }))
            }
            Some(b'u') => {
                let path = record.splitn(11, |b| *b == b' ').nth(10).ok_or_else(bad)?;
                (path, Some(FileState::Conflicted))
            }
            Some(b'?') => {
                let path = record.get(2..).ok_or_else(bad)?;
                // A nested repository in the work tree is one entry that ends in a slash.
                (path, (!path.ends_with(b"/")).then_some(FileState::Untracked))
            }
            _ => continue,
        };
        let Some(state) = state else { continue };
        let state = match (states.get(path.as_bstr()), state) {
            // Removed from the staging index but still on disk. Relative to `HEAD` it exists,
            // perhaps changed.
            (Some(FileState::Deleted), FileState::Untracked) => FileState::Modified,
            (_, state) => state,
        };
        states.insert(path.into(), state);
    }
    Ok(states.into_iter().map(|(path, state)| StatusEntry { path, state }).collect())
}

/// Returns the state of a tracked file from its modes in `HEAD` and in the work tree; `None` if it
/// is in neither.
fn tracked(head: &[u8], work: &[u8]) -> Option<FileState> {
    const NONE: &[u8] = b"000000";
    const SUBMODULE: &[u8] = b"160000";
    let file_type = |mode: &[u8]| mode.get(..2).map(<[u8]>::to_vec);
    match (head, work) {
        (NONE, NONE) | (SUBMODULE, SUBMODULE) => None,
        (SUBMODULE, NONE) | (NONE, SUBMODULE) => None,
        (NONE, _) => Some(FileState::Added),
        (_, NONE) => Some(FileState::Deleted),
        _ if file_type(head) != file_type(work) => Some(FileState::TypeChanged),
        _ => Some(FileState::Modified),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    fn states(repo: &Repository) -> Vec<(String, FileState)> {
        repo.status().unwrap().into_iter().map(|entry| (entry.path.to_string(), entry.state)).collect()
    }

    #[test]
    fn staged_and_unstaged_changes_are_one_state() {
        let fixture = Fixture::with_history();
        assert_eq!(states(&fixture.open()), []);
        for name in ["both", "gone", "kept", "link", "moved", "unstaged"] {
            fixture.write(name, "one\n");
        }
        fixture.write(".gitignore", "ignored\n");
        fixture.git(&["add", "-A"]);
        fixture.git(&["commit", "-q", "-m", "files"]);
        fixture.write("both", "two\n");
        fixture.git(&["add", "both"]);
        fixture.write("both", "three\n");
        std::fs::remove_file(fixture.path().join("gone")).unwrap();
        fixture.git(&["rm", "-q", "--cached", "kept"]);
        fixture.git(&["mv", "moved", "renamed"]);
        fixture.write("unstaged", "two\n");
        fixture.write("staged new", "x\n");
        fixture.git(&["add", "staged new"]);
        fixture.write("vanished", "x\n");
        fixture.git(&["add", "vanished"]);
        std::fs::remove_file(fixture.path().join("vanished")).unwrap();
        fixture.write("dir/untracked", "x\n");
        fixture.write("ignored", "x\n");
        let mut expected = vec![
            ("both", FileState::Modified),
            ("dir/untracked", FileState::Untracked),
            ("gone", FileState::Deleted),
            ("kept", FileState::Modified),
            ("moved", FileState::Deleted),
            ("renamed", FileState::Added),
            ("staged new", FileState::Added),
            ("unstaged", FileState::Modified),
        ];
        if cfg!(unix) {
            fixture.link("link", "both");
            expected.insert(4, ("link", FileState::TypeChanged));
        }
        let expected: Vec<_> = expected.into_iter().map(|(path, state)| (path.to_owned(), state)).collect();
        assert_eq!(states(&fixture.open()), expected);
        // The result is the same from a subdirectory and in the background.
        let below = Repository::discover(&fixture.path().join("dir")).unwrap();
        assert_eq!(below.status_start().unwrap().finish().unwrap(), fixture.open().status().unwrap());
    }

    #[test]
    fn conflicts_unborn_branches_and_linked_work_trees() {
        let fixture = Fixture::new();
        fixture.write("a", "a\n");
        fixture.write("b", "b\n");
        fixture.git(&["add", "a"]);
        let unborn = [("a".to_owned(), FileState::Added), ("b".to_owned(), FileState::Untracked)];
        assert_eq!(states(&fixture.open()), unborn);
        fixture.git(&["commit", "-q", "-m", "a"]);
        fixture.git(&["worktree", "add", "-q", "-b", "other", "../linked"]);
        let linked = Fixture::at(fixture.path().parent().unwrap().join("linked"));
        linked.write("a", "theirs\n");
        assert_eq!(states(&linked.open()), [("a".to_owned(), FileState::Modified)]);
        linked.git(&["commit", "-q", "-a", "-m", "theirs"]);
        fixture.commit_file("a", "ours\n");
        assert!(!fixture.try_git(&["merge", "-q", "other"]));
        let conflict = [("a".to_owned(), FileState::Conflicted)];
        assert!(states(&fixture.open()).starts_with(&conflict));
    }

    #[test]
    fn what_git_never_says_is_an_error_and_not_a_panic() {
        assert!(parse_status(b"1 .M N... 100644\0").is_err());
        assert!(parse_status(b"2 R. N... 1 2 3 4 5 R100 to\0").is_err());
        assert!(parse_status(b"?\0").is_err());
        assert_eq!(parse_status(b"# branch.oid x\0! ignored\0? nested/\0\0").unwrap(), []);
    }
}
