//! Repositories for tests, made by real Git.
//!
//! Owns [`Fixture`]. The environment is cleared. Identity, dates and locale are fixed, and the
//! user's own configuration is out of reach. So the same steps give the same object ids everywhere.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use super::Repository;
use crate::base::path::real;

/// A work tree in a temporary directory, removed on drop.
pub(crate) struct Fixture {
    path: PathBuf,
    n_runs: AtomicU64,
    _dir: Option<tempfile::TempDir>,
}

impl Fixture {
    /// Creates an empty directory that is not a repository yet.
    pub(crate) fn empty_dir() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = real(dir.path()).unwrap().join("work");
        std::fs::create_dir(&path).unwrap();
        Self { path, n_runs: AtomicU64::new(0), _dir: Some(dir) }
    }

    /// Uses an existing directory, which is not removed.
    pub(crate) fn at(path: PathBuf) -> Self {
        Self { path, n_runs: AtomicU64::new(0), _dir: None }
    }

    /// Creates a repository without a commit.
    pub(crate) fn new() -> Self {
        Self::new_in("sha1")
    }

    /// Creates a repository without a commit in a format: `sha1`, `sha256` or `reftable`.
    pub(crate) fn new_in(format: &str) -> Self {
        let fixture = Self::empty_dir();
        let option = match format {
            "reftable" => "--ref-format=reftable".to_owned(),
            hash => format!("--object-format={hash}"),
        };
        fixture.git(&["init", "-q", "-b", "main", &option, "."]);
        fixture
    }

    /// Creates a repository with a few commits on `main`.
    pub(crate) fn with_history() -> Self {
        Self::with_history_in("sha1")
    }

    /// Creates a repository with a few commits in a format, as [`Fixture::new_in`] does.
    pub(crate) fn with_history_in(format: &str) -> Self {
        let fixture = Self::new_in(format);
        fixture.write("README.md", "# fixture\n");
        fixture.commit_file("src/main.rs", "fn main() {}\n");
        fixture.commit_file("src/second.rs", "// second\n");
        fixture.commit_file("src/third.rs", "// third\n");
        fixture
    }

    /// Returns the root of the work tree.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the repository.
    pub(crate) fn open(&self) -> Repository {
        Repository::discover(&self.path).unwrap()
    }

    /// Opens the repository and returns both, for tests that need only the repository.
    pub(crate) fn open_kept(self) -> (Self, Repository) {
        let repo = self.open();
        (self, repo)
    }

    /// Writes a file and the directories above it.
    pub(crate) fn write(&self, path: &str, content: &str) {
        let path = self.path.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Replaces a file by a symbolic link.
    #[cfg(unix)]
    pub(crate) fn link(&self, path: &str, target: &str) {
        drop(std::fs::remove_file(self.path.join(path)));
        std::os::unix::fs::symlink(target, self.path.join(path)).unwrap();
    }

    /// Does nothing: there are no symbolic links here.
    #[cfg(not(unix))]
    pub(crate) fn link(&self, _: &str, _: &str) {}

    /// Writes a file and commits everything.
    pub(crate) fn commit_file(&self, path: &str, content: &str) {
        self.write(path, content);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", path.trim_start_matches("src/").trim_end_matches(".rs")]);
    }

    /// Commits paths that sort oddly or are not UTF-8, an executable file, a link and a submodule.
    pub(crate) fn commit_odd_paths(&self) {
        let blob = self.git_input(&["hash-object", "-w", "--stdin"], b"odd\n");
        let commit = self.git_line(&["rev-parse", "HEAD"]);
        let mut info = Vec::new();
        let mut add = |mode: &str, id: &str, path: &[u8]| {
            info.extend(format!("{mode} {id}\t").into_bytes());
            info.extend_from_slice(path);
            info.push(0);
        };
        for path in
            [&b"a-b"[..], b"a/x", b"a.c", b"a0", b"b", b"lib/\xff\xfe.txt", "lib/ä b\n.txt".as_bytes()]
        {
            add("100644", &blob, path);
        }
        add("100755", &blob, b"run.sh");
        add("120000", &blob, b"link");
        add("160000", &commit, b"sub/module");
        self.git_input(&["update-index", "-z", "--add", "--index-info"], &info);
        self.git(&["commit", "-q", "-m", "odd paths"]);
    }

    /// Commits changes of every kind: content, mode, type, a file for a directory and the reverse.
    pub(crate) fn commit_moves(&self) {
        let blob = self.git_input(&["hash-object", "-w", "--stdin"], b"moved\n");
        let null = "0".repeat(blob.len());
        let lines = [
            format!("0 {null}\ta/x\0"),
            format!("100644 {blob}\ta\0"),
            format!("0 {null}\tb\0"),
            format!("100644 {blob}\tb/deep/er\0"),
            format!("100644 {blob}\tlink\0"),
            format!("100644 {blob}\trun.sh\0"),
            format!("100644 {blob}\tsrc/moved.rs\0"),
            format!("0 {null}\tsrc/main.rs\0"),
        ];
        self.git_input(&["update-index", "-z", "--index-info"], lines.concat().as_bytes());
        self.git(&["commit", "-q", "-m", "moves"]);
    }

    /// Commits on a side branch and merges it.
    pub(crate) fn commit_merge(&self) {
        self.git(&["checkout", "-q", "-b", "side", "HEAD~1"]);
        self.commit_file("side.txt", "side\n");
        self.git(&["checkout", "-q", "main"]);
        self.git(&["merge", "-q", "--no-ff", "-m", "a merge", "side"]);
    }

    /// Runs git, which must succeed.
    pub(crate) fn git(&self, args: &[&str]) {
        self.git_bytes(args);
    }

    /// Runs git and returns whether it succeeded.
    pub(crate) fn try_git(&self, args: &[&str]) -> bool {
        self.output(args, b"").status.success()
    }

    /// Runs git and returns its standard output.
    pub(crate) fn git_bytes(&self, args: &[&str]) -> Vec<u8> {
        succeeded(args, self.output(args, b""))
    }

    /// Runs git and returns its standard output as text, without trailing white space.
    pub(crate) fn git_line(&self, args: &[&str]) -> String {
        String::from_utf8(self.git_bytes(args)).unwrap().trim_end().to_owned()
    }

    /// Runs git with this standard input and returns its output as text.
    pub(crate) fn git_input(&self, args: &[&str], input: &[u8]) -> String {
        String::from_utf8(succeeded(args, self.output(args, input))).unwrap().trim_end().to_owned()
    }

    fn output(&self, args: &[&str], input: &[u8]) -> Output {
        let mut command = Command::new("git");
        command.env_clear().current_dir(&self.path).args(args);
        // Windows starts few programs without its own directory.
        for name in ["PATH", "SYSTEMROOT", "TEMP", "TMP"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        // Each run is a second later, so that commits have an order.
        let date = format!("{} +0100", 1_700_000_000 + self.n_runs.fetch_add(1, Ordering::Relaxed));
        let fixed = [
            ("HOME", self.path.as_os_str()),
            ("LC_ALL", OsStr::new("C")),
            ("GIT_CONFIG_NOSYSTEM", OsStr::new("1")),
            ("GIT_CONFIG_GLOBAL", OsStr::new("/dev/null")),
            ("GIT_AUTHOR_NAME", OsStr::new("A U Thor")),
            ("GIT_AUTHOR_EMAIL", OsStr::new("author@example.com")),
            ("GIT_AUTHOR_DATE", OsStr::new(&date)),
            ("GIT_COMMITTER_NAME", OsStr::new("C O Mitter")),
            ("GIT_COMMITTER_EMAIL", OsStr::new("committer@example.com")),
            ("GIT_COMMITTER_DATE", OsStr::new(&date)),
        ];
        command.envs(fixed).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || drop(std::io::Write::write_all(&mut stdin, input)));
            child.wait_with_output().unwrap()
        })
    }
}

fn succeeded(args: &[&str], output: Output) -> Vec<u8> {
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}
