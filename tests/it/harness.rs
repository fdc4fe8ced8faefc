//! Repositories made by real Git, and the real binary run in them.
//!
//! Owns [`Repo`] and [`Run`]. Commands see a cleared environment with our own home, identity, date
//! and locale. The clock advances by a minute with every command, so that commits have an order and
//! fixed ids.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use git_cora::base::path::real;
use serde_json::Value;

/// The binary under test.
pub(crate) const CORA: &str = env!("CARGO_BIN_EXE_git-cora");

/// A repository in a temporary directory, which all of its clones share and the last one removes.
#[derive(Clone)]
pub(crate) struct Repo {
    root: Arc<Root>,
    path: PathBuf,
    env: Vec<(OsString, OsString)>,
}

struct Root {
    dir: tempfile::TempDir,
    n_runs: AtomicU64,
}

/// The result of a program.
#[derive(Debug)]
pub(crate) struct Run {
    /// Its exit status; -1 if a signal ended it.
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
    what: String,
}

impl Run {
    pub(crate) fn new(what: String, output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            what,
        }
    }

    /// Fails the test unless the exit status is `code`.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}\nout: {}\nerr: {}", self.what, self.out, self.err);
        self
    }

    /// Fails the test unless standard error contains this text.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.err.contains(text), "{}: no '{text}' in: {}", self.what, self.err);
        self
    }

    /// Fails the test unless standard output contains this text.
    #[track_caller]
    pub(crate) fn prints(self, text: &str) -> Self {
        assert!(self.out.contains(text), "{}: no '{text}' in: {}", self.what, self.out);
        self
    }

    /// Returns standard output as one JSON value.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{}: {error}\nout: {}\nerr: {}", self.what, self.out, self.err))
    }
}

impl Repo {
    /// Creates an empty directory that is not a repository.
    pub(crate) fn no_repository() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("home")).unwrap();
        let path = real(dir.path()).unwrap().join("work");
        std::fs::create_dir(&path).unwrap();
        Self { root: Arc::new(Root { dir, n_runs: AtomicU64::new(0) }), path, env: Vec::new() }
    }

    /// Returns whether this Git has reftables (2.45 and newer).
    pub(crate) fn knows_reftables() -> bool {
        Self::no_repository().try_git(&["init", "-q", "--ref-format=reftable", "probe"]).code == 0
    }

    /// Creates a repository without a commit.
    pub(crate) fn new() -> Self {
        Self::init(&[])
    }

    /// Creates a repository without a commit, with more options for `git init`.
    pub(crate) fn init(options: &[&str]) -> Self {
        let repo = Self::no_repository();
        repo.git(&[&["init", "-q", "-b", "main"], options, &["."]].concat());
        repo
    }

    /// Creates a repository with the files of [`SAMPLE`] in one commit, and two further commits.
    pub(crate) fn sample() -> Self {
        Self::sample_in(&[])
    }

    /// Creates the same repository with more options for `git init`.
    pub(crate) fn sample_in(options: &[&str]) -> Self {
        let repo = Self::init(options);
        for (path, text) in SAMPLE {
            repo.write(path, text);
        }
        repo.commit("first");
        repo.write("src/retry.rs", RETRY);
        repo.commit("retry");
        repo.write("lib/auth.py", SAMPLE[1].1.replace("3600", "7200"));
        repo.commit("longer sessions");
        repo
    }

    /// Returns another directory next to this repository, with the same clock.
    pub(crate) fn beside(&self, name: &str) -> Self {
        Self { path: self.path.parent().unwrap().join(name), ..self.clone() }
    }

    /// Returns a directory inside this repository.
    pub(crate) fn below(&self, name: impl AsRef<Path>) -> Self {
        Self { path: self.path.join(name), ..self.clone() }
    }

    /// Creates a clone next to this repository.
    pub(crate) fn clone_to(&self, name: &str, options: &[&str]) -> Self {
        let (url, to) = (self.url(), format!("../{name}"));
        self.git(&[&["clone", "-q"], options, &[url.as_str(), &to]].concat());
        self.beside(name)
    }

    /// Returns the same repository with one more environment variable.
    pub(crate) fn with_env(&self, name: &str, value: impl AsRef<OsStr>) -> Self {
        let mut repo = self.clone();
        repo.env.push((name.into(), value.as_ref().to_owned()));
        repo
    }

    /// Returns the same repository with `git-cora` on the search path.
    pub(crate) fn with_cora_on_path(&self) -> Self {
        self.with_path(Path::new(CORA).parent().unwrap())
    }

    /// Returns the same repository with a directory at the front of the search path.
    fn with_path(&self, dir: &Path) -> Self {
        let path = self.path_variable();
        let dirs = [dir.to_owned()].into_iter().chain(std::env::split_paths(&path));
        self.with_env("PATH", std::env::join_paths(dirs).unwrap())
    }

    /// Returns the search path of the commands.
    fn path_variable(&self) -> OsString {
        let own = self.env.iter().rev().find(|(name, _)| name == "PATH");
        own.map_or_else(outer_path, |(_, path)| path.clone())
    }

    /// Returns the major and minor version of Git.
    pub(crate) fn git_version(&self) -> (u32, u32) {
        let text = self.git(&["version"]);
        let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok());
        (numbers.next().unwrap(), numbers.next().unwrap())
    }

    /// Returns the repository with a `git` that says that it has this version.
    #[cfg(unix)]
    pub(crate) fn with_git_version(&self, version: &str) -> Self {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.path_variable();
        let real = std::env::split_paths(&path).map(|dir| dir.join("git")).find(|git| git.is_file()).unwrap();
        let dir = self.root().join(version);
        let script = format!(
            "#!/bin/sh\nif [ \"$1\" = version ]; then echo 'git version {version}'; else exec '{}' \"$@\"; fi\n",
            real.display()
        );
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("git"), script).unwrap();
        std::fs::set_permissions(dir.join("git"), std::fs::Permissions::from_mode(0o755)).unwrap();
        self.with_path(&dir)
    }

    /// Returns the repository with a Git for which `init` writes the files of hooks.
    ///
    /// Git 2.54 and newer read hooks from the configuration. Such a Git is made to say that it is
    /// older. On Windows, where no script can stand in for it, the result is `None`.
    pub(crate) fn with_hook_files(&self) -> Option<Self> {
        if self.git_version() < (2, 54) {
            return Some(self.clone());
        }
        #[cfg(unix)]
        {
            Some(self.with_git_version("2.53.0"))
        }
        #[cfg(not(unix))]
        {
            eprintln!("skipped: this Git reads hooks from its configuration");
            None
        }
    }

    /// Returns the address of this repository, from which Git fetches as from another machine.
    pub(crate) fn url(&self) -> String {
        let path = self.path.display().to_string();
        if cfg!(windows) { format!("file:///{}", path.replace('\\', "/")) } else { format!("file://{path}") }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the temporary directory that contains all clones.
    pub(crate) fn root(&self) -> PathBuf {
        real(self.root.dir.path()).unwrap()
    }

    /// Returns a command that sees nothing of the surrounding environment.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(&self.path);
        for name in ["SYSTEMROOT", "TEMP", "TMP"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env("PATH", outer_path());
        let minutes = self.root.n_runs.fetch_add(1, Ordering::Relaxed);
        let date = format!("{} +0100", 1_700_000_000 + 60 * minutes);
        command.env("HOME", self.root.dir.path().join("home"));
        command.envs([
            ("LC_ALL", "C"),
            ("TZ", "UTC"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_PAGER", "cat"),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("GIT_EDITOR", "true"),
            ("GIT_AUTHOR_NAME", "A U Thor"),
            ("GIT_AUTHOR_EMAIL", "author@example.com"),
            ("GIT_AUTHOR_DATE", &date),
            ("GIT_COMMITTER_NAME", "C O Mitter"),
            ("GIT_COMMITTER_EMAIL", "committer@example.com"),
            ("GIT_COMMITTER_DATE", &date),
            // Git must not look above the temporary directory.
            ("GIT_CEILING_DIRECTORIES", &self.root().display().to_string()),
        ]);
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, program: &str, args: &[&str], input: Option<&[u8]>) -> Run {
        let mut command = self.command(program);
        command.args(args);
        let what = format!("{program} {args:?} in {}", self.path.display());
        let Some(input) = input else {
            return Run::new(what, command.output().unwrap());
        };
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let output = std::thread::scope(|scope| {
            // A program may stop reading early.
            scope.spawn(move || drop(std::io::Write::write_all(&mut stdin, input)));
            child.wait_with_output().unwrap()
        });
        Run::new(what, output)
    }

    /// Runs git, which must succeed; returns its output without the final line feed.
    #[track_caller]
    pub(crate) fn git(&self, args: &[&str]) -> String {
        let run = self.run("git", args, None).exits(0);
        run.out.trim_end_matches('\n').to_owned()
    }

    /// Runs git; any exit status is accepted.
    pub(crate) fn try_git(&self, args: &[&str]) -> Run {
        self.run("git", args, None)
    }

    /// Runs git with this standard input; it must succeed.
    #[track_caller]
    pub(crate) fn git_input(&self, args: &[&str], input: impl AsRef<[u8]>) -> String {
        let run = self.run("git", args, Some(input.as_ref())).exits(0);
        run.out.trim_end_matches('\n').to_owned()
    }

    /// Runs the binary; any exit status is accepted.
    pub(crate) fn try_cora(&self, args: &[&str]) -> Run {
        self.run(CORA, args, None)
    }

    /// Runs the binary, which must exit with 0.
    #[track_caller]
    pub(crate) fn cora(&self, args: &[&str]) -> Run {
        self.try_cora(args).exits(0)
    }

    /// Runs the binary with this standard input; any exit status is accepted.
    pub(crate) fn cora_input(&self, args: &[&str], input: impl AsRef<[u8]>) -> Run {
        self.run(CORA, args, Some(input.as_ref()))
    }

    /// Starts the binary and leaves it running.
    pub(crate) fn spawn_cora(&self, args: &[&str]) -> Child {
        self.command(CORA).args(args).spawn().unwrap()
    }

    /// Writes a file of the work tree and the directories above it.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Removes a file of the work tree.
    pub(crate) fn remove(&self, path: &str) {
        std::fs::remove_file(self.path.join(path)).unwrap();
    }

    /// Commits everything; returns the commit.
    pub(crate) fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.rev("HEAD")
    }

    /// Returns the object id of a revision.
    #[track_caller]
    pub(crate) fn rev(&self, revision: &str) -> String {
        self.git(&["rev-parse", "--verify", revision])
    }

    /// Returns the refs under a prefix with their object ids.
    pub(crate) fn refs(&self, prefix: &str) -> Vec<String> {
        let text = self.git(&["for-each-ref", "--format=%(refname) %(objectname)", prefix]);
        text.lines().map(str::to_owned).collect()
    }

    /// Returns the refs of indexes, local ones included.
    pub(crate) fn index_refs(&self) -> Vec<String> {
        [self.refs("refs/cora"), self.refs("refs/cora-local")].concat()
    }

    /// Returns every object in the store, with its kind.
    pub(crate) fn objects(&self) -> std::collections::BTreeSet<String> {
        let args =
            ["cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objecttype) %(objectname)"];
        self.git(&args).lines().map(str::to_owned).collect()
    }

    /// Returns the number of blobs in the store.
    pub(crate) fn n_blobs(&self) -> usize {
        self.objects().iter().filter(|line| line.starts_with("blob")).count()
    }

    /// Returns the directory of cached segments.
    pub(crate) fn segments_dir(&self) -> PathBuf {
        let common = self.git(&["rev-parse", "--git-common-dir"]);
        self.path.join(common).join("cora/segments")
    }

    /// Returns the cached segments.
    pub(crate) fn segments(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.segments_dir()).into_iter().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    }

    /// Returns the directory of cached commit messages.
    pub(crate) fn histories_dir(&self) -> PathBuf {
        self.segments_dir().with_file_name("history")
    }

    /// Deletes all caches.
    pub(crate) fn drop_cached(&self) {
        drop(std::fs::remove_dir_all(self.segments_dir()));
        drop(std::fs::remove_dir_all(self.histories_dir()));
    }

    /// Returns the paths that a query finds, best first.
    #[track_caller]
    pub(crate) fn found(&self, args: &[&str]) -> Vec<String> {
        self.results(args).iter().map(|result| result["path"].as_str().unwrap().to_owned()).collect()
    }

    /// Returns the results of a query.
    #[track_caller]
    pub(crate) fn results(&self, args: &[&str]) -> Vec<Value> {
        let run = self.try_cora(&[&["query", "--json"], args].concat());
        assert!(run.code == 0 || run.code == 1, "{run:?}");
        run.json()["results"].as_array().unwrap().clone()
    }
}

/// Returns the search path of the tests, without an installed `git-cora`: it must not be tested
/// instead of ours.
fn outer_path() -> OsString {
    let has = |dir: &Path, name: &str| dir.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)).is_file();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let dirs = std::env::split_paths(&path).filter(|dir| !has(dir, "git-cora") || has(dir, "git"));
    std::env::join_paths(dirs).unwrap()
}

/// Waits until a condition holds, for at most this many seconds.
#[track_caller]
pub(crate) fn wait_for(seconds: u64, what: &str, holds: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(seconds);
    while !holds() {
        assert!(Instant::now() < end, "after {seconds} s still not: {what}");
        std::thread::sleep(Duration::from_millis(30));
    }
}

/// A generator of reproducible random numbers (`splitmix64`).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// Returns a number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % u64::try_from(bound).unwrap()).unwrap()
    }

    /// Returns one of several values.
    pub(crate) fn pick<'v, T>(&mut self, values: &'v [T]) -> &'v T {
        &values[self.below(values.len())]
    }

    /// Shuffles the values.
    pub(crate) fn shuffle<T>(&mut self, values: &mut [T]) {
        for at in (1..values.len()).rev() {
            values.swap(at, self.below(at + 1));
        }
    }
}

/// The file that the second commit of a sample adds.
pub(crate) const RETRY: &str = "\
//! Retrying what failed.

use std::time::Duration;

/// Waits longer after each failure, up to a ceiling.
pub fn exponential_backoff(attempt: u32) -> Duration {
    let base = Duration::from_millis(100);
    base * 2u32.pow(attempt.min(6))
}
";

/// The files of a sample: several languages, a document, data, and a file that is skipped.
pub(crate) const SAMPLE: [(&str, &str); 7] = [
    (
        "src/header.rs",
        "//! Commit headers.

/// A parsed header.
pub struct Header {
    pub tree: String,
}

/// Parses the commit header up to its empty line.
pub fn parse_header(text: &str) -> Option<Header> {
    let tree = text.lines().find_map(|line| line.strip_prefix(\"tree \"))?;
    Some(Header { tree: tree.to_owned() })
}
",
    ),
    (
        "lib/auth.py",
        "\"\"\"Sessions of users.\"\"\"
import time

class SessionStore:
    \"\"\"Keeps the sessions of those who are logged in.\"\"\"

    def __init__(self):
        self.sessions = {}

    def refresh_token(self, user):
        \"\"\"Gives a user a fresh token that lasts for a while.\"\"\"
        self.sessions[user] = time.time() + 3600
        return self.sessions[user]

    def is_expired(self, user):
        return self.sessions.get(user, 0) < time.time()
",
    ),
    (
        "web/app.ts",
        "import { fetchJson } from './net';

export interface Invoice { id: number; total: number }

export async function loadInvoices(page: number): Promise<Invoice[]> {
  const answer = await fetchJson(`/invoices?page=${page}`);
  return answer.items;
}
",
    ),
    (
        "cmd/server.go",
        "package main

import \"net/http\"

// serveHealth answers the load balancer's probe.
func serveHealth(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	http.HandleFunc(\"/health\", serveHealth)
}
",
    ),
    ("README.md", "# Sample\n\nA ledger of invoices.\n\n## Install\n\nRun the installer.\n"),
    ("conf/app.toml", "[server]\nport = 8080\n\n[ledger]\ncurrency = \"EUR\"\n"),
    ("data.bin", "\0\u{1}\u{2}\0binary\0"),
];
