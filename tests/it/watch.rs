//! Watching: indexing and parsing in the background, one watcher at a time, and a clean end.

use std::io::{BufRead, BufReader};
use std::process::Child;
use std::sync::{Arc, Mutex};

use crate::harness::{RETRY, Repo, wait_for};

/// A running watcher and its output.
struct Watcher {
    child: Child,
    said: Arc<Mutex<String>>,
}

impl Watcher {
    fn start(repo: &Repo, args: &[&str]) -> Self {
        let mut child = repo.spawn_cora(&[&["watch"], args].concat());
        let said: Arc<Mutex<String>> = Arc::default();
        let (stderr, text) = (child.stderr.take().unwrap(), Arc::clone(&said));
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                text.lock().unwrap().push_str(&format!("{line}\n"));
            }
        });
        let watcher = Self { child, said };
        watcher.says("watching");
        watcher
    }

    #[track_caller]
    fn says(&self, text: &str) {
        wait_for(60, text, || self.said.lock().unwrap().contains(text));
    }

    fn forget(&self) {
        self.said.lock().unwrap().clear();
    }

    /// Stops it with a signal; returns its exit status.
    fn stop(mut self, signal: &str) -> Option<i32> {
        let kill = format!("kill -{signal} {}", self.child.id());
        std::process::Command::new("/bin/sh").args(["-c", &kill]).status().unwrap();
        let status = self.child.wait().unwrap();
        self.says("stopped");
        status.code()
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn edited(repo: &Repo) -> Vec<std::path::PathBuf> {
    let dir = repo.path().join(".git/cora/edited");
    std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

#[test]
fn commits_and_edits_are_ready_before_they_are_asked_for() {
    let repo = Repo::sample();
    let watcher = Watcher::start(&repo, &[]);
    assert_eq!(repo.index_refs().len(), 1);
    assert_eq!(repo.segments().len(), 1);

    // An edit is parsed once. The next answer has it, and is the same without the cached parse.
    repo.write("src/deep/new.rs", "pub fn freshly_written() -> u32 { 7 }\n");
    watcher.says("read 1 changed file");
    assert_eq!(edited(&repo).len(), 1);
    repo.write("src/deep/new.rs", "pub fn freshly_rewritten() -> u32 { 8 }\n");
    let answer = repo.cora(&["query", "--json", "freshly_rewritten"]);
    assert_eq!(answer.json()["results"][0]["path"], "src/deep/new.rs");
    watcher.forget();
    repo.write("lib/auth.py", "def refresh_token_twice():\n    return 2\n");
    watcher.says("read ");
    wait_for(60, "both are kept", || edited(&repo).len() == 2);
    let with = repo.cora(&["query", "--json", "refresh_token_twice"]).out;
    let kept: Vec<(std::path::PathBuf, Vec<u8>)> =
        edited(&repo).into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect();
    for (path, bytes) in &kept {
        // A damaged file counts as missing.
        std::fs::write(path, [&bytes[..bytes.len() / 2], b"x"].concat()).unwrap();
    }
    assert_eq!(repo.cora(&["query", "--json", "refresh_token_twice"]).out, with);
    for (path, bytes) in &kept {
        std::fs::write(path, bytes).unwrap();
    }

    // A commit by a program that runs no hooks.
    repo.git(&["add", "-A"]);
    let tree = repo.git(&["write-tree"]);
    let commit = repo.git(&["commit-tree", "-p", "HEAD", "-m", "plumbing", &tree]);
    repo.git(&["update-ref", "HEAD", &commit]);
    watcher.says(&format!("indexed {}", &commit[..10]));
    wait_for(60, "nothing is kept of what is committed", || edited(&repo).is_empty());

    repo.try_cora(&["watch"]).exits(2).says("already watched by process ");
    assert_eq!(watcher.stop("TERM"), Some(0));
    // The lock goes with the process.
    assert_eq!(Watcher::start(&repo, &[]).stop("INT"), Some(0));
}

#[test]
fn other_branches_are_indexed_if_asked_for() {
    let repo = Repo::sample();
    let watcher = Watcher::start(&repo, &["--branches"]);
    repo.git(&["pack-refs", "--all"]);
    repo.git(&["branch", "topic/one", "HEAD~1"]);
    let tree = repo.rev("HEAD~2^{tree}");
    let commit = repo.git(&["commit-tree", "-p", "HEAD~1", "-m", "elsewhere", &tree]);
    repo.git(&["update-ref", "refs/heads/topic/two", &commit]);
    watcher.says(&format!("indexed {}", &commit[..10]));
    assert_eq!(repo.rev("HEAD"), repo.rev("main"));
}

#[test]
fn ignored_files_and_our_own_refs_wake_nobody() {
    let repo = Repo::sample();
    repo.write(".gitignore", "target/\n");
    repo.commit("ignore");
    repo.write("target/debug/out.rs", RETRY);
    let watcher = Watcher::start(&repo, &["-v"]);
    watcher.forget();
    for n in 0..50 {
        repo.write("target/debug/out.rs", format!("fn out_{n}() {{}}\n"));
    }
    repo.cora(&["index", "HEAD~1"]);
    std::thread::sleep(std::time::Duration::from_millis(600));
    assert_eq!(*watcher.said.lock().unwrap(), "");
    assert_eq!(watcher.stop("TERM"), Some(0));
}

#[test]
fn a_bare_repository_and_an_empty_one_are_watched() {
    let repo = Repo::new();
    let watcher = Watcher::start(&repo, &[]);
    repo.write("first.rs", "fn first() {}\n");
    let commit = repo.commit("first");
    watcher.says(&format!("indexed {}", &commit[..10]));
    drop(watcher);
    let bare = repo.clone_to("bare.git", &["--bare"]);
    let watcher = Watcher::start(&bare, &[]);
    repo.write("second.rs", "fn second() {}\n");
    let commit = repo.commit("second");
    repo.git(&["push", "-q", "../bare.git", "main"]);
    watcher.says(&format!("indexed {}", &commit[..10]));
    assert_eq!(watcher.stop("TERM"), Some(0));
}
