//! A clone that one build of the program works in.
//!
//! Clones share the objects of the repository and get none of its refs but branches and tags.
//! Caches and the user's settings are out of reach, so that the answers depend on the build alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use tempfile::TempDir;

use super::questions::Material;

/// Variables that would make Git or the program look elsewhere, or write otherwise.
const STRAY: [&str; 12] = [
    "COLUMNS",
    "CORA",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CEILING_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_WORK_TREE",
    "RUST_LOG",
];

/// What a command gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    /// The exit status; -1 if a signal ended it.
    pub(super) status: i32,
    /// Standard output, with the clone's path replaced.
    pub(super) output: String,
    /// Standard error.
    pub(super) error: String,
}

/// A clone and the build that works in it.
pub(crate) struct Place {
    /// The directory's name of the repository.
    pub(super) name: String,
    /// The build of the program.
    pub(super) binary: PathBuf,
    /// The work tree.
    pub(crate) clone: PathBuf,
    dir: TempDir,
}

impl Place {
    /// Clones a repository, with its work tree at HEAD.
    pub(crate) fn new(repository: &Path, binary: &Path) -> Result<Self> {
        let found = |path: &Path| {
            path.canonicalize().with_context(|| format!("there is nothing at '{}'", path.display()))
        };
        let (repository, binary) = (found(repository)?, found(binary)?);
        let name = repository.file_name().map(|name| name.to_string_lossy().into_owned());
        let dir = tempfile::Builder::new().prefix("git-cora-compare-").tempdir()?;
        let clone = dir.path().join("clone");
        let place = Self { name: name.unwrap_or_default(), binary, clone, dir };
        // The repository may belong to another user, which only the user's own configuration can
        // allow.
        let mut git = Command::new("git");
        git.args(["clone", "--quiet", "--shared"]).arg(&repository).arg(&place.clone);
        for variable in STRAY {
            git.env_remove(variable);
        }
        let output = git.stdin(Stdio::null()).output().context("can't run git")?;
        ensure!(
            output.status.success(),
            "can't clone '{}': {}",
            repository.display(),
            String::from_utf8_lossy(&output.stderr).trim()
        );
        Ok(place)
    }

    /// Indexes an ancestor of HEAD, where there is one, and then HEAD.
    pub(super) fn index(&self, n_commits: usize) -> Result<()> {
        let ancestor = format!("HEAD~{n_commits}");
        for revision in [ancestor.as_str(), "HEAD"] {
            if self.git(&["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")]).is_err() {
                continue;
            }
            let answer = self.ask(&["index", "--quiet", revision].map(str::to_owned))?;
            ensure!(answer.status == 0, "'{}' can't index: {}", self.binary.display(), answer.error.trim());
        }
        Ok(())
    }

    /// Returns the refs of indexes, each with its object id.
    pub(super) fn index_refs(&self) -> Result<BTreeMap<String, String>> {
        let listed = self.git(&[
            "for-each-ref",
            "--format=%(refname) %(objectname)",
            "refs/cora/",
            "refs/cora-local/",
        ])?;
        let pairs = listed.lines().filter_map(|line| line.split_once(' '));
        Ok(pairs.map(|(name, id)| (name.to_owned(), id.to_owned())).collect())
    }

    /// Changes a file and adds one, the same in every clone of a repository.
    pub(super) fn change_work_tree(&self, material: &Material) -> Result<()> {
        if let Some(path) = material.files.first() {
            let path = self.clone.join(path);
            let mut text =
                std::fs::read(&path).with_context(|| format!("can't read '{}'", path.display()))?;
            let copy = text.clone();
            text.extend_from_slice(b"\n");
            text.extend(copy);
            std::fs::write(&path, text)?;
        }
        let added = "Retry policy\n\nA request is sent again after an error, at most five times.\n";
        Ok(std::fs::write(self.clone.join("compare-added.md"), added)?)
    }

    /// Returns the content of a file of the work tree; nothing if it can't be read as UTF-8.
    pub(super) fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.clone.join(path)).unwrap_or_default()
    }

    /// Runs Git in the clone and returns its output without trailing white space.
    pub(crate) fn git(&self, arguments: &[&str]) -> Result<String> {
        let output = self.command("git").args(arguments).output().context("can't run git")?;
        let error = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "git {}: {}", arguments.join(" "), error.trim());
        Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
    }

    /// Runs the program in the clone.
    pub(super) fn ask(&self, arguments: &[String]) -> Result<Answer> {
        let output = self
            .command(&self.binary)
            .args(arguments)
            .output()
            .with_context(|| format!("can't run '{}'", self.binary.display()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(Answer {
            status: output.status.code().unwrap_or(-1),
            output: text.replace(self.clone.to_string_lossy().as_ref(), "<clone>"),
            error: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// Returns a command that runs in the clone.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.clone).stdin(Stdio::null());
        for variable in STRAY {
            command.env_remove(variable);
        }
        command
            .env("GIT_CONFIG_GLOBAL", self.dir.path().join("no-gitconfig"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("HOME", self.dir.path())
            .env("XDG_CACHE_HOME", self.dir.path().join("cache"))
            .env("LC_ALL", "C");
        command
    }
}
