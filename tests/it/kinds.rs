//! Every kind of repository, and every way to name one.

use crate::harness::{Repo, SAMPLE};

/// Runs the usual steps: query, index, verify, and index again.
fn round(repo: &Repo) {
    assert_eq!(repo.found(&["--rev", "HEAD", "refresh_token"])[0], "lib/auth.py");
    let report = repo.cora(&["index", "--json"]).json();
    assert_eq!(report["commits"][0]["was_there"], true);
    repo.cora(&["index", "--force"]);
    repo.cora(&["verify"]);
    repo.cora(&["stats"]).prints("python");
    repo.git(&["fsck", "--strict", "--no-dangling"]);
}

#[test]
fn bare() {
    let bare = Repo::sample().clone_to("bare.git", &["--bare"]);
    round(&bare);
    let answer = bare.cora(&["query", "--json", "refresh_token"]).json();
    assert_eq!(answer["worktree"], false);
    assert_eq!(answer["results"][0]["git_status"], "unmodified");
    bare.cora(&["show", "lib/auth.py"]).prints("SessionStore");
}

#[test]
fn sha256() {
    let repo = Repo::sample_in(&["--object-format=sha256"]);
    round(&repo);
    let answer = repo.cora(&["query", "--json", "refresh_token"]).json();
    assert_eq!(answer["commit"].as_str().unwrap().len(), 64);
    assert_eq!(answer["results"][0]["blob"].as_str().unwrap().len(), 64);
    assert_eq!(repo.index_refs()[0].len(), "refs/cora/ ".len() + 128);
}

#[test]
fn reftable() {
    if !Repo::knows_reftables() {
        return;
    }
    let repo = Repo::sample_in(&["--ref-format=reftable"]);
    round(&repo);
    repo.git(&["worktree", "add", "-q", "--detach", "../linked", "HEAD~1"]);
    repo.cora(&["index"]);
    assert_eq!(repo.beside("linked").found(&["serveHealth"])[0], "cmd/server.go");
    // Refs have the same values in every ref format.
    let files = Repo::sample();
    files.cora(&["index"]);
    assert!(repo.index_refs().contains(&files.index_refs()[0]));
}

#[test]
fn before_the_first_commit() {
    let repo = Repo::new();
    repo.try_cora(&["query", "anything"])
        .exits(1)
        .says("hint: add a file first; there is nothing to search yet");
    for (path, text) in SAMPLE {
        repo.write(path, text);
    }
    let answer = repo.cora(&["query", "--json", "refresh_token"]).json();
    assert_eq!(answer["commit"], serde_json::Value::Null);
    assert_eq!(answer["results"][0]["git_status"], "untracked");
    assert_eq!(answer["results"][0]["blob"], serde_json::Value::Null);
    repo.git(&["add", "-A"]);
    assert_eq!(repo.results(&["refresh_token"])[0]["git_status"], "added");
    repo.cora(&["list", "refresh_token"]).prints("lib/auth.py");
    for args in [&["query", "--rev", "HEAD", "x"][..], &["index"], &["stats"], &["verify"]] {
        repo.try_cora(args).exits(2).says("error: there is no commit yet").says("hint: ");
    }
    repo.try_cora(&["doctor"]).exits(1).prints("no commit yet");
    assert_eq!(repo.index_refs(), Vec::<String>::new());
    let bare = Repo::init(&["--bare"]);
    let run = bare.try_cora(&["query", "x"]).exits(2);
    assert!(run.err.starts_with("error: "), "{}", run.err);
}

#[test]
fn a_commit_without_files() {
    let repo = Repo::new();
    repo.commit("empty");
    repo.cora(&["index"]);
    repo.try_cora(&["query", "anything"]).exits(1);
    repo.cora(&["stats"]).prints("0 files");
    repo.cora(&["verify"]);
    repo.git(&["fsck", "--strict", "--no-dangling"]);
    repo.write("a.rs", "fn first_of_all() {}\n");
    repo.commit("one");
    repo.cora(&["index"]);
    assert_eq!(repo.found(&["first_of_all"]), ["a.rs"]);
    repo.remove("a.rs");
    repo.commit("none");
    repo.cora(&["index"]);
    repo.try_cora(&["query", "first_of_all"]).exits(1);
}

#[test]
fn detached() {
    let repo = Repo::sample();
    repo.git(&["checkout", "-q", "--detach", "HEAD~2"]);
    round(&repo);
    assert_eq!(repo.found(&["exponential_backoff"]), Vec::<String>::new());
}

#[test]
fn submodules_are_named_and_not_entered() {
    let repo = Repo::sample();
    let inner = repo.beside("inner");
    std::fs::create_dir(inner.path()).unwrap();
    inner.git(&["init", "-q", "-b", "main"]);
    inner.write("inner.rs", "fn only_inside() {}\n");
    inner.commit("inner");
    repo.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../inner", "sub"]);
    repo.commit("with a submodule");
    round(&repo);
    assert_eq!(repo.found(&["only_inside"]), Vec::<String>::new());
    repo.cora(&["show", "sub"]).prints("skipped: submodule");
    // Inside the submodule, the submodule is the repository.
    assert_eq!(repo.below("sub").found(&["only_inside"]), ["inner.rs"]);
    assert!(repo.path().join(".git/modules/sub/cora").is_dir());
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_not_followed() {
    let repo = Repo::sample();
    std::fs::write(repo.root().join("secret.py"), "def outside_secret():\n    pass\n").unwrap();
    let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, repo.path().join(name)).unwrap();
    link("lib/auth.py", "committed.py");
    repo.commit("a link");
    link("../secret.py", "untracked.py");
    link("nowhere", "dangling.py");
    link("..", "up");
    round(&repo);
    assert_eq!(repo.found(&["refresh_token"]), ["lib/auth.py"]);
    assert_eq!(repo.found(&["outside_secret"]), Vec::<String>::new());
    repo.cora(&["stats", "--skipped"]).prints("committed.py");
}

#[cfg(unix)]
#[test]
fn paths_that_are_not_utf8() {
    use std::os::unix::ffi::OsStrExt as _;
    let repo = Repo::sample();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9 \n.py");
    std::fs::write(repo.path().join(name), "def coffee_machine():\n    pass\n").unwrap();
    let before = repo.results(&["coffee_machine"]);
    assert_eq!(before[0]["git_status"], "untracked");
    repo.commit("latin-1");
    round(&repo);
    let result = &repo.results(&["coffee_machine"])[0];
    assert_eq!(result["path"], r#""caf\351 \n.py""#);
    assert_eq!(result["path_bytes"], "636166e9200a2e7079");
    assert_eq!(result["git_status"], "unmodified");
    let shown = repo.command(crate::harness::CORA).arg("show").arg(name).output().unwrap();
    assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
    // A line feed in a file name must not start a new line on a terminal.
    let text = repo.cora(&["list", "coffee_machine"]).out;
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn line_ends_of_windows() {
    let repo = Repo::sample();
    repo.write("crlf.py", "import os\r\n\r\ndef carriage_return():\r\n    return os.sep\r\n");
    repo.write("lf.py", "import os\n\ndef carriage_return():\n    return os.sep\n");
    repo.write(".gitattributes", "crlf.py -text\n");
    repo.commit("crlf");
    round(&repo);
    let results = repo.results(&["carriage_return"]);
    let span = |at: usize| ["start_line", "end_line", "symbol", "kind"].map(|key| results[at][key].clone());
    assert_eq!(span(0), span(1), "the same lines as with other line ends");
    let result = &results[0];
    assert_eq!((&result["start_line"], &result["end_line"]), (&1.into(), &4.into()));
    let text = repo.cora(&["query", "--color", "never", "carriage_return"]).out;
    assert!(!text.contains('\r'), "{text:?}");
    // A file checked out with other line endings than committed is still unmodified.
    repo.write(".gitattributes", "*.txt eol=crlf\n");
    repo.write("a.txt", "carriage wheel\n");
    repo.commit("eol");
    repo.remove("a.txt");
    repo.git(&["checkout", "-q", "a.txt"]);
    assert!(std::fs::read(repo.path().join("a.txt")).unwrap().contains(&b'\r'));
    assert_eq!(repo.results(&["wheel"])[0]["git_status"], "unmodified");
}

#[test]
fn a_repository_is_found_as_git_finds_it() {
    let repo = Repo::sample();
    repo.cora(&["index"]);
    let expected = repo.found(&["refresh_token"]);
    assert_eq!(repo.below("lib").found(&["refresh_token"]), expected, "from a directory below");
    assert_eq!(repo.below(".git").found(&["refresh_token"]), expected, "from inside .git");
    let outside = repo.beside("elsewhere");
    std::fs::create_dir(outside.path()).unwrap();
    outside.try_cora(&["query", "x"]).exits(128).says("not a git repository");
    let path = repo.path().to_str().unwrap();
    assert_eq!(outside.found(&["-C", path, "refresh_token"]), expected, "-C");
    assert_eq!(outside.found(&["-C", "../work/lib", "refresh_token"]), expected, "-C, relative");
    let env = outside.with_env("GIT_DIR", repo.path().join(".git")).with_env("GIT_WORK_TREE", repo.path());
    assert_eq!(env.found(&["refresh_token"]), expected, "GIT_DIR");
    repo.write("lib/deep/a.py", "");
    let ceiling = repo.below("lib/deep").with_env("GIT_CEILING_DIRECTORIES", repo.path().join("lib"));
    assert_eq!(ceiling.try_git(&["rev-parse"]).code, 128);
    ceiling.try_cora(&["query", "x"]).exits(128);
    let env = outside.with_env("GIT_DIR", "nowhere");
    let code = env.try_cora(&["query", "x"]).code;
    assert_eq!(code, 128, "GIT_DIR that is none");
    for command in [&["index"][..], &["stats"], &["init"], &["push"], &["doctor"], &["verify"], &["prune"]] {
        outside.try_cora(command).exits(128);
    }
}

#[test]
fn alternates_and_grafts_and_replacements() {
    let repo = Repo::sample();
    repo.cora(&["index"]);
    repo.git(&["clone", "-q", "--shared", ".", "../shared"]);
    let shared = repo.beside("shared");
    shared.cora(&["index"]);
    assert_eq!(shared.index_refs(), repo.index_refs());
    // Replacement refs are local. The index is that of the real commit.
    let replaced = repo.clone_to("replaced", &[]);
    replaced.git(&["replace", "HEAD", "HEAD~2"]);
    replaced.cora(&["index"]);
    assert_eq!(replaced.index_refs(), repo.index_refs());
}

#[test]
fn a_sparse_checkout_is_searched_whole() {
    let repo = Repo::sample();
    repo.git(&["sparse-checkout", "set", "src"]);
    assert!(!repo.path().join("lib/auth.py").exists());
    let result = &repo.results(&["refresh_token"])[0];
    assert_eq!((&result["path"], &result["git_status"]), (&"lib/auth.py".into(), &"unmodified".into()));
}

#[test]
fn a_bare_repository_whose_head_has_no_commit_says_so() {
    let repo = Repo::sample();
    repo.git(&["init", "-q", "--bare", "-b", "master", "../bare.git"]);
    let bare = repo.beside("bare.git");
    let commands =
        [&["query", "x"][..], &["list"], &["map"], &["refs", "x"], &["explain", "x"], &["impact", "x"]];
    for args in commands {
        let run = bare.try_cora(args).exits(2).says("there is no commit yet");
        assert!(run.err.contains("hint: push a commit to this repository first"), "{args:?}: {}", run.err);
    }
    repo.git(&["push", "-q", "../bare.git", "main"]);
    for args in commands {
        let run = bare.try_cora(args).exits(2).says("branch 'master' has no commit yet");
        assert!(run.err.contains("git branch --all"), "{args:?}: {}", run.err);
    }
}
