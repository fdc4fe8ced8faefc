//! Which repository is meant, as Git decides it.
//!
//! Owns the one question to `git rev-parse` that each opening asks: where are the Git directory and
//! the work tree around this directory? Git's answer passes all of its guards: `safe.directory`,
//! `safe.bareRepository`, `GIT_CEILING_DIRECTORIES`, file system boundaries, the rules for `.git`
//! files, and the versions and extensions of the repository format. A repository that Git refuses
//! is refused here too, with Git's words. So nothing that its configuration names can run because
//! we passed an explicit `GIT_DIR`, and nothing is written into a format that Git does not know.
//!
//! The repository around us may use the environment (`GIT_DIR`, `GIT_INDEX_FILE` and others), as
//! hooks and aliases need it. A repository that was named by its path may not: Git exports those
//! variables to every program that it starts, and they name another repository. As for its own
//! submodules, Git's `-c` settings stay in force.
//!
//! Why not copy the guards: they are many, they change, and a wrong copy is a hole. The question
//! takes about two milliseconds, and the caller may use them to open a [`guess`].

use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};

use super::{Error, Result};

/// The variables that belong to one repository: `git rev-parse --local-env-vars`, and the
/// namespace, without the settings of `git -c`, which Git passes on to submodules too.
pub(super) const LOCAL: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// The directories of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The Git directory; a linked work tree has its own.
    pub(super) git_dir: PathBuf,
    /// The root of the work tree that contains the directory where the search began.
    pub(super) work_dir: Option<PathBuf>,
}

/// What Git is asked about a place.
const QUESTIONS: [&str; 2] = ["--absolute-git-dir", "--show-toplevel"];

/// A search for the repository around a directory, while Git works on it.
pub(super) struct Search<'d> {
    dir: &'d Path,
    uses_environment: bool,
    git: Child,
}

impl<'d> Search<'d> {
    /// Begins to find the repository around `dir`. With `uses_environment`, variables such as
    /// `GIT_DIR` may name another one, as for Git's own commands.
    ///
    /// # Errors
    /// [`Error::NotARepository`] if `dir` is not a directory, [`Error::NoGit`].
    pub(super) fn begin(dir: &'d Path, uses_environment: bool) -> Result<Self> {
        Ok(Self { dir, uses_environment, git: ask(dir, uses_environment, &QUESTIONS)? })
    }

    /// Waits for Git's answer.
    ///
    /// # Errors
    /// [`Error::NotARepository`], [`Error::Refused`], [`Error::NoGit`].
    pub(super) fn finish(self) -> Result<Place> {
        let Self { dir, uses_environment, git } = self;
        let output = answer(git)?;
        // Without a work tree, Git answers the first question and refuses the second.
        if output.stdout.is_empty() {
            return Err(refusal(dir, uses_environment, &String::from_utf8_lossy(&output.stderr)));
        }
        let n_expected = if output.status.success() { 2 } else { 1 };
        let lines = output.stdout.split_inclusive(|byte| *byte == b'\n');
        let mut answers: Vec<PathBuf> = lines.map(path).collect();
        if answers.len() != n_expected {
            // A path has a line feed in its name.
            answers.clear();
            for question in QUESTIONS.iter().take(n_expected) {
                answers.push(path(&answer(ask(dir, uses_environment, &[question])?)?.stdout));
            }
        }
        let mut answers = answers.into_iter();
        let git_dir = answers.next().ok_or_else(|| Error::NotARepository(dir.to_owned()))?;
        // In a hook, `GIT_DIR` may name the directory where the hook runs. That is not a work tree.
        let work_dir = answers.next().filter(|dir| *dir != git_dir);
        Ok(Place { git_dir, work_dir })
    }
}

/// Finds the repository around `dir`, as a [`Search`].
///
/// # Errors
/// As [`Search::finish`].
pub(super) fn find(dir: &Path, uses_environment: bool) -> Result<Place> {
    Search::begin(dir, uses_environment)?.finish()
}

/// Returns what Git most likely answers about `dir`: the nearest `.git` directory, if it is ours
/// and no variable names another one. Only Git's answer counts; see [`Search::finish`].
pub(super) fn guess(dir: &Path, uses_environment: bool) -> Option<Place> {
    if uses_environment && LOCAL.iter().any(|name| std::env::var_os(name).is_some()) {
        return None;
    }
    let (work_dir, git_dir, found) = dir.ancestors().find_map(|dir| {
        let git_dir = dir.join(".git");
        let found = git_dir.symlink_metadata().ok()?;
        Some((dir.to_owned(), git_dir, found))
    })?;
    let is_ours = || gix::sec::identity::is_path_owned_by_current_user(&git_dir).unwrap_or(false);
    let is_plain = found.is_dir() && is_ours();
    is_plain.then_some(Place { git_dir, work_dir: Some(work_dir) })
}

/// Returns the root of the work tree of a repository of which `find` knows only the Git directory,
/// because the search began in there. `guesses` are directories that may be it.
pub(super) fn work_dir<'p>(git_dir: &Path, mut guesses: impl Iterator<Item = &'p Path>) -> Option<PathBuf> {
    let real = gix::path::realpath(git_dir).ok()?;
    guesses.find_map(|dir| {
        let found = find(dir, false).ok()?;
        gix::path::realpath(&found.git_dir).is_ok_and(|found| found == real).then_some(found.work_dir)?
    })
}

/// Returns whether Git finds the Git directory `git_dir` if it starts in `dir`. Both are absolute
/// and have no links.
pub(super) fn leads_to(dir: &Path, git_dir: &Path) -> bool {
    let entry = dir.join(".git");
    let found = match entry.metadata() {
        Ok(found) if found.is_dir() => Some(entry),
        Ok(_) => gix::discover::path::from_gitdir_file(&entry).ok(),
        Err(_) => return dir == git_dir,
    };
    found.and_then(|found| gix::path::realpath(found).ok()).is_some_and(|found| found == git_dir)
}

/// Asks `git rev-parse`.
fn ask(dir: &Path, uses_environment: bool, questions: &[&str]) -> Result<Child> {
    if !dir.is_dir() {
        return Err(Error::NotARepository(dir.to_owned()));
    }
    let mut git = std::process::Command::new("git");
    git.arg("rev-parse").args(questions).current_dir(dir).env("LC_ALL", "C").env_remove("LANGUAGE");
    if !uses_environment {
        for name in LOCAL {
            git.env_remove(name);
        }
    }
    git.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(Error::NoGit)
}

/// Waits for the answer of `git rev-parse`. Git may refuse to answer.
fn answer(git: Child) -> Result<Output> {
    git.wait_with_output().map_err(Error::NoGit)
}

/// Returns the path that Git wrote, without the end of the line. Exactly one line feed is Git's. A
/// path may end in others.
fn path(line: &[u8]) -> PathBuf {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").filter(|_| cfg!(windows)).unwrap_or(line);
    match gix::path::from_byte_slice(line) {
        Ok(path) => path.to_owned(),
        Err(_) => PathBuf::from(String::from_utf8_lossy(line).into_owned()),
    }
}

/// Turns Git's message into an error.
fn refusal(dir: &Path, uses_environment: bool, stderr: &str) -> Error {
    let mut lines = stderr.lines();
    // Advice comes after the reasons.
    let message = lines.by_ref().take_while(|line| !line.starts_with("To add an exception"));
    let mut reasons: Vec<String> = Vec::new();
    let mut is_reason = false;
    for line in message {
        let reason = line.strip_prefix("error: ").or_else(|| line.strip_prefix("fatal: "));
        if let Some(reason) = reason {
            reasons.push(reason.to_owned());
        } else if let Some(last) = reasons.last_mut().filter(|_| is_reason && line.starts_with('\t')) {
            // Each thing of a list is on a line of its own.
            last.push(' ');
            last.push_str(line.trim());
        }
        is_reason = reason.is_some() || is_reason && line.starts_with('\t');
    }
    if let Some(rest) = reasons.last().and_then(|reason| reason.strip_prefix("not a git repository")) {
        if let Some(named) = std::env::var_os("GIT_DIR").filter(|_| uses_environment) {
            return Error::WrongGitDir(dir.join(named));
        }
        // Only a `.git` file makes Git name a directory here.
        let named = rest.strip_prefix(": ").map(|named| PathBuf::from(named.trim_matches('\'')));
        let from = dir.ancestors().find(|dir| dir.join(".git").is_file());
        return match (named, from) {
            (Some(git_dir), Some(dir)) => Error::LostRepository { dir: dir.to_owned(), git_dir },
            _ => damaged(dir).unwrap_or_else(|| Error::NotARepository(dir.to_owned())),
        };
    }
    let advice = lines.map(str::trim).find(|line| line.starts_with("git config")).map(str::to_owned);
    let reason = if reasons.is_empty() { stderr.trim().to_owned() } else { reasons.join("; ") };
    Error::Refused { dir: dir.to_owned(), reason, advice }
}

/// Returns what is wrong with the nearest `.git` directory around `dir` that Git passes over;
/// `None` if there is none. An empty one is passed over by intention.
fn damaged(dir: &Path) -> Option<Error> {
    let git_dir = dir.ancestors().map(|dir| dir.join(".git")).find(|dir| dir.is_dir())?;
    git_dir.read_dir().ok()?.next()?.ok()?;
    // A whole one is beyond a ceiling or the boundary of a file system, where Git does not look.
    let lacks = lack(&git_dir)?;
    Some(Error::Damaged { git_dir, lacks })
}

/// Returns whether Git takes a directory for a Git directory.
pub(super) fn is_git_dir(dir: &Path) -> bool {
    lack(dir).is_none()
}

/// Returns why Git does not take a directory for a Git directory: the conditions of
/// `is_git_directory` in its `setup.c`.
fn lack(git_dir: &Path) -> Option<&'static str> {
    let head = git_dir.join("HEAD");
    if head.symlink_metadata().is_err() {
        return Some("'HEAD' is missing");
    }
    let common = match gix::discover::path::from_plain_file(&git_dir.join("commondir")) {
        Some(Ok(common)) => git_dir.join(common),
        _ => git_dir.to_owned(),
    };
    if !common.join("objects").is_dir() {
        Some("'objects' is missing")
    } else if !common.join("refs").is_dir() {
        Some("'refs' is missing")
    } else if !is_head(&head) {
        Some("'HEAD' names neither a branch nor a commit")
    } else {
        None
    }
}

/// Returns whether a file has the form of `HEAD`.
fn is_head(path: &Path) -> bool {
    if path.is_symlink() {
        return true;
    }
    let text = std::fs::read(path).unwrap_or_default();
    match text.strip_prefix(b"ref:") {
        Some(name) => name.trim_ascii().starts_with(b"refs/"),
        None => text.trim_ascii_end().len() >= 40 && text.trim_ascii_end().iter().all(u8::is_ascii_hexdigit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_git() {
        let dir = Path::new("/x");
        let refused = |text: &str| match refusal(dir, false, text) {
            Error::Refused { reason, advice, .. } => (reason, advice.unwrap_or_default()),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            refused(
                "warning: x\nfatal: detected dubious ownership in repository at '/x'\nTo add an exception \
                 for this directory, call:\n\n\tgit config --global --add safe.directory /x\n"
            ),
            (
                "detected dubious ownership in repository at '/x'".to_owned(),
                "git config --global --add safe.directory /x".to_owned()
            )
        );
        assert_eq!(
            refused("fatal: unknown repository extensions found:\n\ta\n\tb\n").0,
            "unknown repository extensions found: a b"
        );
        assert_eq!(
            refused("warning: y\nerror: invalid value for 'x': 'z'\nfatal: bad config line 5 in file c\n").0,
            "invalid value for 'x': 'z'; bad config line 5 in file c"
        );
        for text in ["fatal: not a git repository: '/y'\n", "fatal: not a git repository (or any …\n"] {
            assert!(matches!(refusal(dir, false, text), Error::NotARepository(_)), "{text}");
        }
    }

    #[test]
    fn a_damaged_repository_is_not_called_absent() {
        type Damage = fn(&Path) -> std::io::Result<()>;
        let damages: [(Damage, &str); 4] = [
            (|git| std::fs::remove_file(git.join("HEAD")), "'HEAD' is missing"),
            (|git| std::fs::remove_dir_all(git.join("objects")), "'objects' is missing"),
            (|git| std::fs::remove_dir_all(git.join("refs")), "'refs' is missing"),
            (|git| std::fs::write(git.join("HEAD"), "\0\0\0"), "'HEAD' names neither a branch nor a commit"),
        ];
        for (damage, expected) in damages {
            let fixture = crate::git::testing::Fixture::with_history();
            damage(&fixture.path().join(".git")).unwrap();
            let Err(Error::Damaged { git_dir, lacks }) = find(&fixture.path().join("src"), false) else {
                panic!("{expected}")
            };
            assert_eq!((git_dir, lacks), (fixture.path().join(".git"), expected));
        }
        // An empty directory `.git` is not a repository for anybody.
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join(".git")).unwrap();
        assert!(matches!(find(dir.path(), false), Err(Error::NotARepository(_))));
    }

    #[test]
    fn a_git_file_that_leads_nowhere_is_named() {
        let fixture = crate::git::testing::Fixture::with_history();
        let (home, tree) = (fixture.path().join("home"), fixture.path().join("tree"));
        fixture.git(&["clone", "-q", ".", "home"]);
        fixture.git(&["-C", "home", "worktree", "add", "-q", "../tree"]);
        std::fs::create_dir(tree.join("inner")).unwrap();
        std::fs::rename(&home, fixture.path().join("moved")).unwrap();
        let Err(Error::LostRepository { dir, git_dir }) = find(&tree.join("inner"), false) else {
            panic!("it is found")
        };
        assert_eq!(dir, tree);
        assert!(git_dir.ends_with("home/.git/worktrees/tree"), "{}", git_dir.display());
        fixture.git(&["-C", "moved", "worktree", "repair", "../tree"]);
        assert!(find(&tree, false).is_ok(), "the hint works");
    }

    #[test]
    fn the_variables_are_those_of_git() {
        let output = std::process::Command::new("git").args(["rev-parse", "--local-env-vars"]).output();
        let text = String::from_utf8(output.unwrap().stdout).unwrap();
        let is_setting = |name: &&str| matches!(*name, "GIT_CONFIG_PARAMETERS" | "GIT_CONFIG_COUNT");
        for name in text.lines().filter(|name| !is_setting(name)) {
            assert!(LOCAL.contains(&name), "{name}");
        }
    }
}
