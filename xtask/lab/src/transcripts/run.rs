//! A clone in which the commands of a block run, and the reasons why a command can't.
//!
//! The shell runs the commands, because a reader's shell would: they may have quotes and pipes. Its
//! standard output and standard error are one pipe, as in a terminal. Paths are printed as if the
//! clone were in `/src` and the home directory were `~`.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use super::parse::Source;
use crate::compare::place::Place;

/// The folder that clones seem to be in.
const FOLDER: &str = "/src";
/// Identity and date of the commits that a block makes, so that their ids are always the same.
const IDENTITY: [(&str, &str); 6] = [
    ("GIT_AUTHOR_NAME", "Ada"),
    ("GIT_AUTHOR_EMAIL", "ada@example.org"),
    ("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z"),
    ("GIT_COMMITTER_NAME", "Ada"),
    ("GIT_COMMITTER_EMAIL", "ada@example.org"),
    ("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z"),
];
/// Words of a command that need something that is not here, and what they need.
const OBSTACLES: [(&str, &str); 10] = [
    ("push", "it needs a remote"),
    ("fetch", "it needs a remote"),
    ("--remote", "it needs a remote"),
    ("export", "it needs a database"),
    ("--store", "it needs a database"),
    ("serve", "it runs until it is stopped"),
    ("mcp", "it runs until it is stopped"),
    ("watch", "it runs until it is stopped"),
    ("embed", "it needs a model"),
    ("annotate", "it needs a model"),
];

/// Returns why a command can't be run; `None` if it can.
pub(super) fn obstacle(command: &str) -> Option<&'static str> {
    let mut words = command.split_whitespace();
    if (words.next(), words.next()) != (Some("git"), Some("cora")) {
        return Some("it is not a command of 'git cora'");
    }
    let needs = |word: &str| OBSTACLES.iter().find(|(name, _)| *name == word).map(|(_, needs)| *needs);
    // A word of a question is not a subcommand.
    let subcommand = words.next().and_then(needs);
    subcommand.or_else(|| words.filter(|word| word.starts_with("--")).find_map(needs))
}

/// What a command prints.
#[derive(Debug)]
pub(super) struct Printed {
    /// Standard output and standard error.
    pub(super) text: String,
    /// Whether the exit status is 0, or 1 for an answer without results.
    pub(super) is_success: bool,
}

/// A clone of a repository at a commit.
pub(super) struct Clone {
    place: Place,
    /// The path that the clone seems to have.
    path: String,
    path_variable: std::ffi::OsString,
}

impl Clone {
    /// Clones `repository` and checks out the commit of `source`.
    pub(super) fn new(repository: &Path, binary: &Path, source: &Source) -> Result<Self> {
        // Git looks for a program of this name.
        let is_found = binary.file_stem().is_some_and(|name| name == "git-cora");
        ensure!(is_found, "'{}' is not called 'git-cora'", binary.display());
        let folder = binary.parent().context("the program is in no directory")?;
        let others = std::env::var_os("PATH").unwrap_or_default();
        let folders = [folder.to_path_buf()].into_iter().chain(std::env::split_paths(&others));
        let place = Place::new(repository, binary)?;
        place.git(&["checkout", "--quiet", "--detach", &source.commit])?;
        let name = source.repository.rsplit('/').next().unwrap_or_default();
        let path_variable = std::env::join_paths(folders)?;
        let clone = Self { place, path: format!("{FOLDER}/{name}"), path_variable };
        // The README tells readers to do this first. Without it, some commands print a hint.
        clone.run("git cora man --install")?;
        Ok(clone)
    }

    /// Runs a line of the shell in the clone.
    pub(super) fn run(&self, line: &str) -> Result<Printed> {
        let mut shell: Command = self.place.command("sh");
        shell.args(["-c", &format!("exec 2>&1\n{line}")]).env("PATH", &self.path_variable).envs(IDENTITY);
        let output = shell.output().context("can't run sh")?;
        let clone = self.place.clone.to_string_lossy().into_owned();
        let mut text = String::from_utf8_lossy(&output.stdout).replace(&clone, &self.path);
        if let Some(home) = self.place.clone.parent() {
            text = text.replace(home.to_string_lossy().as_ref(), "~");
        }
        Ok(Printed { text, is_success: matches!(output.status.code(), Some(0 | 1)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_need_something_else_are_not_run() {
        let table = [
            ("git cora query where do we push --rev HEAD", None),
            ("git cora refs fetch", None),
            ("git cora push origin", Some("it needs a remote")),
            ("git cora query --remote https://example.org/a how", Some("it needs a remote")),
            ("git cora query --store postgres://a/b how", Some("it needs a database")),
            ("git cora serve &", Some("it runs until it is stopped")),
            ("curl -s http://127.0.0.1", Some("it is not a command of 'git cora'")),
            ("git log", Some("it is not a command of 'git cora'")),
        ];
        for (command, expected) in table {
            assert_eq!(obstacle(command), expected, "{command}");
        }
    }
}
