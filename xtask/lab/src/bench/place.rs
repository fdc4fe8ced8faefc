//! A benchmark's workplace: temporary clones of a repository, and commands that run in them.
//!
//! The user's repository is read and never written. Clones share its objects, unless it was already
//! indexed. In that case an index made in a clone would find its records there, so the objects of
//! HEAD's history are copied once. Commands ignore the user's Git configuration, because its hooks,
//! signatures and monitors would be measured too.

use std::env;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use tempfile::TempDir;

/// Environment variables that would make Git or the program look elsewhere.
const STRAY: [&str; 7] = [
    "CORA",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_WORK_TREE",
];

/// The repository that is measured, with its temporary directory.
pub(super) struct Place {
    /// `owner/name` if it can be derived, otherwise the directory's name.
    pub(super) name: String,
    /// The commit at its HEAD.
    pub(super) commit: String,
    /// Path of the program, to run it without `git` in front.
    pub(super) binary: PathBuf,
    /// The repository that is cloned: the user's, or its copy.
    source: PathBuf,
    path_variable: OsString,
    dir: TempDir,
}

impl Place {
    pub(super) fn new(repository: &Path, binary: &Path) -> Result<Self> {
        let repository = repository.canonicalize()?;
        let dir = tempfile::Builder::new().prefix("git-cora-bench-").tempdir()?;
        let binary_dir = binary.parent().context("the program is in no directory")?;
        let others = env::var_os("PATH").unwrap_or_default();
        let path_variable =
            env::join_paths([binary_dir.to_path_buf()].into_iter().chain(env::split_paths(&others)))?;
        std::fs::write(dir.path().join("gitconfig"), CONFIG)?;
        let mut place = Self {
            name: String::new(),
            commit: String::new(),
            binary: binary.to_path_buf(),
            source: repository.clone(),
            path_variable,
            dir,
        };
        let ask =
            |args: &[&str]| -> Result<String> { place.read(place.foreign("git", &repository).args(args)) };
        let commit = ask(&["rev-parse", "HEAD^{commit}"])?;
        let origin = ask(&["config", "--default", "", "--get", "remote.origin.url"])?;
        let is_indexed = !ask(&["for-each-ref", "--count=1", "refs/cora", "refs/cora-local"])?.is_empty()
            || repository.join(ask(&["rev-parse", "--git-common-dir"])?).join("cora").exists();
        place.commit = commit;
        place.name = name(&repository, &origin);
        if is_indexed {
            place.say("it was indexed before: copying what belongs to HEAD");
            place.source = place.copy(&repository)?;
        }
        Ok(place)
    }

    /// Copies HEAD and its history, and nothing else, into a bare repository. Missing objects are
    /// ignored: partial and damaged repositories lack some.
    fn copy(&self, repository: &Path) -> Result<PathBuf> {
        let copy = self.path("copy.git");
        let ask = |args: &[&str]| self.read(self.foreign("git", repository).args(args));
        let format = format!("--object-format={}", ask(&["rev-parse", "--show-object-format"])?);
        self.git(self.dir.path(), &["init", "--quiet", "--bare", &format, "copy.git"])?;
        let shallow = repository.join(ask(&["rev-parse", "--git-path", "shallow"])?);
        if shallow.exists() {
            std::fs::copy(shallow, copy.join("shallow"))?;
        }
        let mut pack = self.foreign("git", repository);
        pack.args(["pack-objects", "--quiet", "--revs", "--missing=allow-any", "--delta-base-offset"])
            .arg(copy.join("objects").join("pack").join("pack"))
            .stdin(Stdio::piped())
            .stdout(Stdio::null());
        let mut child = pack.spawn().context("cannot run git")?;
        if let Some(mut input) = child.stdin.take() {
            writeln!(input, "{}", self.commit)?;
        }
        let status = child.wait()?;
        ensure!(status.success(), "git pack-objects: {status}");
        self.git(&copy, &["update-ref", "refs/heads/bench", &self.commit])?;
        self.git(&copy, &["symbolic-ref", "HEAD", "refs/heads/bench"])?;
        Ok(copy)
    }

    /// Reports progress on standard error.
    pub(super) fn say(&self, what: &str) {
        eprintln!("{}: {what}", self.name);
    }

    /// Makes a fresh clone called `name`, with or without checked-out files; replaces an earlier
    /// one.
    pub(super) fn clone(&self, name: &str, has_files: bool) -> Result<PathBuf> {
        let clone = self.path(name);
        if clone.exists() {
            std::fs::remove_dir_all(&clone)?;
        }
        let args = ["clone", "--quiet", "--shared", "--no-checkout"];
        self.read(self.foreign("git", self.dir.path()).args(args).arg(&self.source).arg(&clone))?;
        // The clone's own HEAD may point to another branch.
        if has_files {
            self.git(&clone, &["checkout", "--quiet", "-B", "bench", &self.commit])?;
        } else {
            self.git(&clone, &["update-ref", "--no-deref", "HEAD", &self.commit])?;
        }
        Ok(clone)
    }

    /// Returns a path in the temporary directory.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Runs Git and returns its output without trailing white space.
    pub(super) fn git(&self, dir: &Path, args: &[&str]) -> Result<String> {
        self.read(self.command("git", dir).args(args))
    }

    /// Runs a command that must succeed and returns its output without trailing white space.
    pub(super) fn read(&self, command: &mut Command) -> Result<String> {
        let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
        ensure!(
            output.status.success(),
            "{command:?}: {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
        Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
    }

    /// Runs a command that must succeed and returns its duration in milliseconds.
    pub(super) fn time(&self, command: &mut Command) -> Result<f64> {
        self.time_ending(command, &[0])
    }

    /// Like [`Place::time`], for a search: exit status 1, nothing found, is also valid.
    pub(super) fn time_search(&self, command: &mut Command) -> Result<f64> {
        self.time_ending(command, &[0, 1])
    }

    fn time_ending(&self, command: &mut Command, good: &[i32]) -> Result<f64> {
        let start = Instant::now();
        let output: Output = command.output().with_context(|| format!("cannot run {command:?}"))?;
        let ms = start.elapsed().as_secs_f64() * 1000.0;
        ensure!(
            output.status.code().is_some_and(|code| good.contains(&code)),
            "{command:?}: {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
        Ok(ms)
    }

    /// Returns a command in a clone, with the measured program first in `PATH`.
    pub(super) fn command(&self, program: impl AsRef<std::ffi::OsStr>, dir: &Path) -> Command {
        let mut command = self.foreign(program, dir);
        command
            .env("PATH", &self.path_variable)
            .env("GIT_CONFIG_GLOBAL", self.path("gitconfig"))
            .env("GIT_CONFIG_NOSYSTEM", "1");
        command
    }

    /// Returns a command with the user's own Git configuration. Only that configuration can declare
    /// another user's repository safe.
    fn foreign(&self, program: impl AsRef<std::ffi::OsStr>, dir: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(dir).stdin(Stdio::null());
        for name in STRAY {
            command.env_remove(name);
        }
        command
    }
}

/// Git configuration of the clones. Automatic maintenance is off, so that none runs during a
/// measurement.
const CONFIG: &str = "\
[user]
\tname = bench
\temail = bench@example.org
[gc]
\tauto = 0
[maintenance]
\tauto = false
[commit]
\tgpgSign = false
[advice]
\tdetachedHead = false
";

/// Returns `owner/name` from the URL of a hosted repository or from a directory called
/// `owner+name`. Otherwise returns the directory's name alone, so that no local path is published.
fn name(directory: &Path, origin: &str) -> String {
    let own = directory.file_name().unwrap_or_default().to_string_lossy().replace('+', "/");
    let is_hosted = origin.contains("://") && !origin.starts_with("file:") || origin.starts_with("git@");
    let mut parts = origin.trim_end_matches('/').trim_end_matches(".git").rsplit(['/', ':']);
    match (parts.next(), parts.next()) {
        (Some(last), Some(owner)) if is_hosted && !own.contains('/') => format!("{owner}/{last}"),
        _ => own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hold_no_path() {
        let table = [
            ("/a/tool", "https://example.org/owner/tool.git", "owner/tool"),
            ("/a/tool", "git@example.org:owner/tool", "owner/tool"),
            ("/a/tool", "/mirrors/tool", "tool"),
            ("/a/tool", "file:///mirrors/tool", "tool"),
            ("/a/owner+tool", "", "owner/tool"),
        ];
        for (directory, origin, expected) in table {
            assert_eq!(name(Path::new(directory), origin), expected);
        }
    }
}
