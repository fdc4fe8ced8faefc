//! Repositories that are named by a path, while Git's environment names another one.
//!
//! Git exports `GIT_DIR` and its kin to aliases, hooks and `rebase --exec`.

use std::path::PathBuf;

use crate::harness::{Repo, SAMPLE};

/// Returns a sample, and another repository beside it with one file.
fn two() -> (Repo, Repo) {
    let repo = Repo::sample();
    let other = repo.beside("other");
    std::fs::create_dir(other.path()).unwrap();
    other.git(&["init", "-q", "-b", "main"]);
    other.write("only.rs", "/// Is nowhere else.\npub fn only_in_other() {}\n");
    other.commit("other");
    (repo, other)
}

/// Returns the variables that name the parts of a repository.
fn variables(repo: &Repo) -> Vec<(&'static str, PathBuf)> {
    let git = repo.path().join(".git");
    vec![
        ("GIT_DIR", git.clone()),
        ("GIT_WORK_TREE", repo.path().to_owned()),
        ("GIT_INDEX_FILE", git.join("index")),
        ("GIT_OBJECT_DIRECTORY", git.join("objects")),
        ("GIT_ALTERNATE_OBJECT_DIRECTORIES", git.join("objects")),
        ("GIT_COMMON_DIR", git.clone()),
        ("GIT_SHALLOW_FILE", git.join("nothing")),
        ("GIT_PREFIX", "lib/".into()),
        ("GIT_NAMESPACE", "space".into()),
    ]
}

fn with_all(repo: &Repo) -> Repo {
    variables(repo).into_iter().fold(repo.clone(), |repo, (name, value)| repo.with_env(name, value))
}

#[test]
fn a_named_repository_is_opened_by_its_path_alone() {
    let (repo, other) = two();
    other.write("dirty.rs", "pub fn only_dirty_in_other() {}\n");
    let surrounded: Vec<Repo> = variables(&repo)
        .into_iter()
        .map(|(name, value)| repo.with_env(name, value))
        .chain([with_all(&repo)])
        .collect();
    for from in surrounded {
        let found = |args: &[&str]| from.found(&[&["--repo", "../other"], args].concat());
        assert_eq!(found(&["only_in_other"])[0], "only.rs");
        assert_eq!(found(&["only_dirty_in_other"])[0], "dirty.rs", "its work tree is its own");
        assert_eq!(found(&["--no-worktree", "only_in_other"]), ["only.rs"]);
        // Git's `-C` changes nothing of what the variables name.
        let both = from.cora(&["query", "--repo", ".", "--repo", "../other", "refresh_token"]);
        assert!(both.out.contains("lib/auth.py"), "{both:?}");
    }
    assert_eq!(other.index_refs().len(), 1, "each index is in its own repository");
    assert!(!other.git(&["status", "--porcelain"]).contains("only.rs"));
}

#[test]
fn aliases_and_rebases_of_linked_work_trees_name_others() {
    let (repo, other) = two();
    let repo = repo.with_cora_on_path();
    repo.git(&["worktree", "add", "-q", "-b", "topic", "../linked"]);
    let linked = repo.beside("linked");
    let ask = "git cora query --format paths --repo ../other only_in_other";
    linked.git(&["config", "alias.ask", &format!("!{ask}")]);
    assert_eq!(linked.git(&["ask"]), "only.rs:1: only_in_other");
    linked.write("new.txt", "new\n");
    linked.commit("new");
    let exec = format!("{ask} > ../answer");
    linked.git(&["rebase", "-q", "--exec", &exec, "HEAD~1"]);
    let answer = || std::fs::read_to_string(repo.root().join("answer")).unwrap();
    assert_eq!(answer(), "only.rs:1: only_in_other\n");
    // A hook of the repository around us still means that one.
    let hook = repo.path().join(".git/hooks/pre-commit");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    let own = "git cora query --format paths --no-worktree refresh_token";
    std::fs::write(&hook, format!("#!/bin/sh\n{ask} > ../answer\n{own} >> ../answer\n")).unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    linked.write("newer.txt", "newer\n");
    linked.commit("newer");
    assert!(answer().starts_with("only.rs:1: only_in_other\nlib/auth.py:"), "{}", answer());
    drop(other);
}

#[test]
fn bare_linked_and_sub_repositories_can_be_named() {
    let (repo, other) = two();
    other.git(&["clone", "-q", "--bare", ".", "../bare.git"]);
    other.git(&["worktree", "add", "-q", "--detach", "../tree"]);
    other.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../other", "sub"]);
    let from = with_all(&repo);
    for path in ["../bare.git", "../tree", "../other/sub", "../other/.git", "../other/sub/.."] {
        assert_eq!(from.found(&["--repo", path, "only_in_other"])[0], "only.rs", "{path}");
    }
    let place = repo.root().join("nowhere");
    std::fs::create_dir(&place).unwrap();
    from.try_cora(&["query", "--repo", "../nowhere", "x"]).exits(128).says("not a git repository");
}

#[test]
fn a_namespace_is_for_servers() {
    let repo = Repo::sample().with_env("GIT_NAMESPACE", "tenant");
    assert_eq!(repo.found(&["refresh_token"]), ["lib/auth.py"]);
    repo.cora(&["index"]);
    repo.cora(&["verify"]);
    assert_eq!(repo.index_refs().len(), 1);
    assert_eq!(repo.refs("refs/namespaces"), Vec::<String>::new());
    for revision in ["main", "HEAD~1", "@{0}"] {
        repo.cora(&["query", "--rev", revision, "refresh_token"]);
    }
}

#[test]
fn the_repository_around_us_uses_the_environment() {
    let (repo, other) = two();
    let git_dir = other.path().join(".git");
    let from = repo.with_env("GIT_DIR", &git_dir).with_env("GIT_WORK_TREE", other.path());
    assert_eq!(from.found(&["only_in_other"]), ["only.rs"]);
    // Git opens a relative staging index from the root of the work tree.
    repo.git(&["read-tree", "--index-output=.git/second", "HEAD"]);
    let below = repo.below("lib").with_env("GIT_INDEX_FILE", ".git/second");
    let state = |from: &Repo| from.results(&["refresh_token"])[0]["git_status"].clone();
    assert_eq!(below.git(&["status", "--porcelain", "-uno"]), "");
    assert_eq!(state(&below), "unmodified");
    assert_eq!(SAMPLE[1].0, "lib/auth.py");
}

#[test]
fn a_command_in_a_message_works_from_the_same_directory() {
    let repo = Repo::new();
    repo.write("a.py", "def a():\n    return 1\n");
    repo.commit("first");
    let outside = repo.beside("outside");
    std::fs::create_dir(outside.path()).unwrap();
    repo.try_cora(&["impact", "HEAD"]).exits(1).says("hint: run 'git cora list --rev HEAD' for");
    let path = repo.path().to_str().unwrap();
    outside
        .try_cora(&["-C", path, "impact", "HEAD"])
        .exits(1)
        .says(&format!("hint: run 'git cora -C {path} list --rev HEAD' for"));
    outside
        .try_cora(&["-C", path, "log", "a.py"])
        .exits(1)
        .says(&format!("hint: run 'git -C {path} log --follow -- a.py' for"));
    outside.git(&["-C", path, "log", "--follow", "--", "a.py"]);
    // So does the hint for a word that is not a command.
    outside
        .try_cora(&["-C", path, "Lessor"])
        .exits(2)
        .says(&format!("hint: run 'git cora -C {path} query Lessor' to search"));
    let git_dir = repo.path().join(".git");
    let from = outside.with_env("GIT_DIR", &git_dir).with_env("GIT_WORK_TREE", path);
    let options = format!("--git-dir={} --work-tree={path}", git_dir.display());
    from.try_cora(&["impact", "HEAD"])
        .exits(1)
        .says(&format!("hint: run 'git {options} cora list --rev HEAD' for"));
}
