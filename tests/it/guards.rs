//! Git's guards: whatever Git refuses to open, is refused here with Git's words.
//!
//! A guard that we skip lets a stranger's configuration run a program, or lets us write into a
//! format that this Git does not know. Git itself is the oracle: each case asks it as well.

use crate::harness::{Repo, Run};

/// Writes the user's own configuration.
fn configure(repo: &Repo, text: &str) {
    std::fs::write(repo.root().join("home/.gitconfig"), text).unwrap();
}

/// Checks that Git and every command of ours refuse the repository with the same words.
#[track_caller]
fn refused(repo: &Repo, words: &str) -> Vec<Run> {
    let git = repo.try_git(&["status"]).says(words);
    assert_eq!(git.code, 128, "{git:?}");
    [&["query", "refresh_token"][..], &["index"], &["list", "refresh_token"], &["prune"], &["doctor"]]
        .into_iter()
        .map(|args| {
            let run = repo.try_cora(args).says(words);
            assert_ne!(run.code, 0, "{run:?}");
            run
        })
        .collect()
}

/// Creates a bare repository inside the work tree whose configuration runs a program; returns it
/// and the file that the program writes.
#[cfg(unix)]
fn trap(repo: &Repo) -> (Repo, std::path::PathBuf) {
    use std::os::unix::fs::PermissionsExt as _;
    let mark = repo.root().join("mark");
    let program = repo.root().join("program");
    std::fs::write(&program, format!("#!/bin/sh\ntouch '{}'\n", mark.display())).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    repo.git(&["clone", "-q", "--bare", ".", "vendor/inner"]);
    let inner = repo.below("vendor/inner");
    std::fs::create_dir(inner.path().join("tree")).unwrap();
    inner.git(&["config", "core.bare", "false"]);
    inner.git(&["config", "core.worktree", "tree"]);
    inner.git(&["config", "core.fsmonitor", program.to_str().unwrap()]);
    (inner, mark)
}

#[cfg(unix)]
#[test]
fn a_bare_repository_inside_a_work_tree_is_opened_only_if_it_is_named() {
    let repo = Repo::sample();
    let (inner, mark) = trap(&repo);
    configure(&repo, "[safe]\n\tbareRepository = explicit\n");
    for place in [inner.clone(), inner.below("refs"), inner.below("objects"), inner.below("tree")] {
        refused(&place, "cannot use bare repository");
        assert!(!mark.exists(), "{}", place.path().display());
    }
    inner.try_cora(&["query", "refresh_token"]).says("hint: run 'export GIT_DIR=");
    // The same from outside, by its path.
    let path = inner.path().to_str().unwrap();
    for args in [&["-C", path, "query", "x"][..], &["query", "--repo", path, "x"], &["mcp", path]] {
        let run = repo.try_cora(args).says("cannot use bare repository");
        assert!(run.code != 0 && !mark.exists(), "{run:?}");
    }
    // The repository's own configuration can't allow it.
    inner.with_env("GIT_DIR", ".").git(&["config", "safe.bareRepository", "all"]);
    refused(&inner, "cannot use bare repository");
    assert!(!mark.exists());
    // As for Git, an explicit name is consent, and so is the user's own setting.
    let named = inner.with_env("GIT_DIR", path);
    named.cora(&["query", "--no-worktree", "refresh_token"]).prints("lib/auth.py");
    configure(&repo, "");
    inner.cora(&["query", "--no-worktree", "refresh_token"]).prints("lib/auth.py");
    // A `.git` directory is not a bare one.
    configure(&repo, "[safe]\n\tbareRepository = explicit\n");
    repo.below(".git").git(&["rev-parse", "--git-dir"]);
    repo.below(".git").cora(&["query", "refresh_token"]).prints("lib/auth.py");
    repo.git(&["worktree", "add", "-q", "../linked"]);
    repo.beside("linked").cora(&["query", "refresh_token"]).prints("lib/auth.py");
}

#[test]
fn a_repository_of_somebody_else_needs_safe_directory() {
    let repo = Repo::sample();
    // Git's own tests use this variable in place of another owner.
    let other = repo.with_env("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    if other.try_git(&["status"]).code == 0 {
        return; // this Git has no such variable
    }
    for run in refused(&other, "detected dubious ownership in repository at") {
        run.says("hint: run 'git config --global --add safe.directory");
    }
    let path = repo.path().display().to_string();
    let above = repo.path().parent().unwrap().display().to_string();
    let wrong = format!("{path}/lib");
    repo.git(&["config", "safe.directory", "*"]);
    refused(&other, "dubious ownership");
    for (directories, opens) in [
        (&[path.as_str()][..], true),
        (&["*"], true),
        (&[wrong.as_str()], false),
        (&["*", ""], false),
        (&["*", "", path.as_str()], true),
    ] {
        let lines: String = directories.iter().map(|value| format!("\tdirectory = \"{value}\"\n")).collect();
        configure(&repo, &format!("[safe]\n{lines}"));
        let git = other.try_git(&["status"]).code;
        assert_eq!(git == 0, opens, "{directories:?}");
        let run = other.try_cora(&["query", "refresh_token"]);
        assert_eq!(run.code == 0, opens, "{directories:?}: {run:?}");
    }
    configure(&repo, &format!("[safe]\n\tdirectory = {above}/*\n"));
    assert_eq!(other.try_git(&["status"]).code == 0, other.try_cora(&["query", "token"]).code == 0);
    configure(&repo, "");
    let scoped = other
        .with_env("GIT_CONFIG_COUNT", "1")
        .with_env("GIT_CONFIG_KEY_0", "safe.directory")
        .with_env("GIT_CONFIG_VALUE_0", &path);
    assert_eq!(scoped.try_git(&["status"]).code == 0, scoped.try_cora(&["query", "token"]).code == 0);
    // Settings of a repository that Git opens count, whoever owns it.
    configure(&repo, "[safe]\n\tdirectory = *\n");
    repo.git(&["config", "cora.keep", "nonsense"]);
    other.try_cora(&["prune"]).exits(2).says("cora.keep");
}

#[test]
fn formats_that_git_does_not_know_are_refused() {
    let versioned = |version: &str, extension: Option<(&str, &str)>| {
        let repo = Repo::sample();
        repo.cora(&["index"]);
        // Written by hand, because Git edits no file that it refuses.
        let mut text = format!("[core]\n\trepositoryFormatVersion = {version}\n\tbare = false\n");
        if let Some((key, value)) = extension {
            text.push_str(&format!("[extensions]\n\t{key} = {value}\n"));
        }
        repo.write(".git/config", text);
        repo
    };
    for (version, extension, words) in [
        ("1", Some(("unheardOf", "true")), "unknown repository extension found: unheardof"),
        ("2", None, "xpected git repo version <= 1, found 2"),
        ("99", Some(("noop", "")), "xpected git repo version <= 1, found 99"),
        ("0", Some(("objectFormat", "sha256")), "v1-only extension found: objectformat"),
        ("0", Some(("noop-v1", "true")), "v1-only extension found: noop-v1"),
        ("1", Some(("objectFormat", "md5")), "invalid value for 'extensions.objectformat': 'md5'"),
        ("1", Some(("refStorage", "cloud")), "invalid value for 'extensions.refstorage': 'cloud'"),
    ] {
        let repo = versioned(version, extension);
        let state = || {
            let refs = std::fs::read_dir(repo.path().join(".git/refs/cora")).unwrap().count();
            let objects = std::fs::read_dir(repo.path().join(".git/objects")).unwrap().count();
            (refs, objects)
        };
        let before = state();
        let git = repo.try_git(&["rev-parse", "HEAD"]);
        let flat = git.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(git.code == 128 && flat.contains(words), "{version} {extension:?}: {git:?}");
        for args in [&["query", "token"][..], &["index", "--force"], &["prune"], &["init"], &["doctor"]] {
            let run = repo.try_cora(args).says(words);
            assert!(run.code > 1, "{run:?}");
        }
        repo.cora(&["hook", "post-commit"]);
        assert_eq!(state(), before, "{version} {extension:?}");
    }
    for (version, extension) in [
        ("0", Some(("unheardOf", "true"))),
        ("0", Some(("noop", "true"))),
        ("1", None),
        ("1", Some(("noop", "true"))),
        ("1", Some(("preciousObjects", "true"))),
        ("1", Some(("worktreeConfig", "true"))),
        ("1", Some(("partialClone", "origin"))),
    ] {
        let repo = versioned(version, extension);
        repo.git(&["rev-parse", "HEAD"]);
        assert_eq!(repo.found(&["refresh_token"]), ["lib/auth.py"], "{version} {extension:?}");
        repo.cora(&["index", "--force"]);
    }
}

#[test]
fn files_that_point_to_a_git_directory_follow_the_rules_of_git() {
    let repo = Repo::sample();
    let place = repo.beside("place");
    std::fs::create_dir(place.path()).unwrap();
    let git_dir = repo.path().join(".git");
    let long = format!("gitdir: {}\n", "x".repeat(2 << 20));
    for text in [
        format!("gitdir: {}\n", git_dir.display()),
        format!("gitdir: {}", git_dir.display()),
        format!("gitdir: {}\r\n", git_dir.display()),
        "gitdir: ../work/.git\n".to_owned(),
        "gitdir: ../nowhere\n".to_owned(),
        format!("gitdir:{}\n", git_dir.display()),
        "gitdir: \n".to_owned(),
        String::new(),
        long,
    ] {
        place.write(".git", &text);
        let git = place.try_git(&["rev-parse", "HEAD"]);
        let run = place.try_cora(&["query", "--no-worktree", "refresh_token"]);
        let shown: String = text.chars().take(40).collect();
        assert_eq!(git.code == 0, run.code == 0, "{shown:?}: {git:?} {run:?}");
    }
}

#[cfg(unix)]
#[test]
fn ceilings_hold_for_named_repositories_too() {
    let repo = Repo::sample();
    repo.write("lib/deep/a.py", "");
    let ceiling = |dir: &std::path::Path| repo.with_env("GIT_CEILING_DIRECTORIES", dir);
    for dir in ["lib", "lib/deep", "", "lib/deep/"] {
        let outside = ceiling(&repo.path().join(dir));
        let git = outside.try_git(&["-C", "lib/deep", "rev-parse", "HEAD"]).code == 0;
        let around = outside.try_cora(&["-C", "lib/deep", "query", "token"]).code == 0;
        let named = outside.try_cora(&["query", "--repo", "lib/deep", "token"]).code == 0;
        assert_eq!((around, named), (git, git), "{dir}");
    }
    // A link may lead into a repository.
    std::os::unix::fs::symlink(repo.path().join("lib"), repo.root().join("link")).unwrap();
    let link = repo.root().join("link").display().to_string();
    assert_eq!(repo.found(&["--repo", &link, "refresh_token"]).len(), 1);
}

#[test]
fn configuration_that_git_can_not_read_is_refused_with_its_place() {
    for (text, words) in [
        ("[core\n", "bad config line 1 in file"),
        ("[core]\n\tbare = perhaps\n", "core.bare"),
        ("[core]\n\trepositoryFormatVersion = one\n", "core.repositoryformatversion"),
        ("[extensions]\n\tobjectFormat\n[core]\n\trepositoryFormatVersion = 1\n", "extensions.objectformat"),
    ] {
        let repo = Repo::sample();
        repo.write(".git/config", text);
        let git = repo.try_git(&["rev-parse", "HEAD"]).says(words);
        assert_ne!(git.code, 0, "{text}");
        let run = repo.try_cora(&["query", "token"]).says(words);
        assert!(run.code > 1, "{text}: {run:?}");
    }
}

#[test]
fn a_directory_becomes_a_repository_only_where_that_makes_sense() {
    let outside = Repo::no_repository();
    let advice = "hint: run 'cd ";
    outside.try_cora(&["query", "x"]).exits(128).says(advice);
    let home = outside.with_env("HOME", outside.path());
    for (repo, args) in [(&home, ["query", "x"]), (&outside, ["blame", "x"])] {
        let run = repo.try_cora(&args).exits(128).says("error: not a git repository");
        assert!(!run.err.contains("git init"), "{args:?}: {}", run.err);
    }
    let damaged = Repo::sample();
    damaged.remove(".git/HEAD");
    damaged
        .try_cora(&["query", "x"])
        .exits(128)
        .says(".git' is not a valid repository: 'HEAD' is missing")
        .says("hint: run 'ls -la ");
}
