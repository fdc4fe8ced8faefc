//! Hooks: installation keeps foreign lines, commits are indexed in the background, and no failure
//! reaches the user's own command.

use crate::harness::{Repo, wait_for};

const EVENTS: [&str; 4] = ["post-commit", "post-checkout", "post-merge", "post-rewrite"];

/// Creates a sample with hooks installed and the binary on the search path.
fn hooked() -> Repo {
    let repo = Repo::sample().with_cora_on_path();
    repo.cora(&["init", "-q"]);
    repo
}

fn is_indexed(repo: &Repo, commit: &str) -> bool {
    repo.try_git(&["rev-parse", "-q", "--verify", &format!("refs/cora/{commit}")]).code == 0
}

/// Waits until the hooks have released their lock, so that the directory can be removed.
fn settle(repo: &Repo) {
    let lock = repo.path().join(".git/cora/hook.lock");
    wait_for(20, "the hooks to end", || {
        std::fs::File::open(&lock).map_or(true, |file| file.try_lock().is_ok())
    });
}

fn hook(repo: &Repo, event: &str) -> Option<String> {
    std::fs::read_to_string(repo.path().join(".git/hooks").join(event)).ok()
}

#[test]
fn init_and_uninstall_leave_no_trace() {
    let repo = Repo::sample();
    let config = std::fs::read_to_string(repo.path().join(".git/config")).unwrap();
    let objects = repo.objects();
    repo.cora(&["init", "--dry-run"]).says("would");
    assert_eq!(std::fs::read_to_string(repo.path().join(".git/config")).unwrap(), config);
    assert_eq!(repo.objects(), objects);
    assert!(EVENTS.iter().all(|event| hook(&repo, event).is_none()));

    repo.cora(&["init"]).says("indexed");
    assert_eq!(repo.index_refs().len(), 1);
    let installed: Vec<_> = EVENTS.iter().map(|event| hook(&repo, event)).collect();
    let with = std::fs::read_to_string(repo.path().join(".git/config")).unwrap();
    repo.cora(&["init"]).says("already");
    assert_eq!(installed, EVENTS.iter().map(|event| hook(&repo, event)).collect::<Vec<_>>(), "twice is once");
    assert_eq!(std::fs::read_to_string(repo.path().join(".git/config")).unwrap(), with);
    assert!(!repo.git(&["log", "--oneline", "--decorate", "HEAD"]).contains("refs/cora"));

    repo.cora(&["uninstall", "-n"]).says("would remove");
    assert_eq!(std::fs::read_to_string(repo.path().join(".git/config")).unwrap(), with);
    repo.cora(&["uninstall"]).says("the indexes and the cache stay");
    repo.cora(&["uninstall"]).says("nothing to remove");
    assert!(EVENTS.iter().all(|event| hook(&repo, event).is_none()));
    assert!(!repo.git(&["config", "--local", "--list"]).contains("cora"));
    assert_eq!(repo.index_refs().len(), 1);
}

#[test]
fn hooks_are_removed_from_where_they_were_installed() {
    let Some(repo) = Repo::sample().with_hook_files() else { return };
    repo.cora(&["init", "--hooks-only"]);
    for other in [".husky", "/elsewhere/hooks"] {
        repo.git(&["config", "core.hooksPath", other]);
        repo.cora(&["uninstall", "-n"]).says("would remove post-commit");
    }
    repo.cora(&["uninstall"]).says("removed post-commit");
    assert!(EVENTS.iter().all(|event| hook(&repo, event).is_none()));
}

#[test]
fn parts_of_init_can_be_left_out() {
    let repo = Repo::sample();
    repo.cora(&["init", "--no-hooks"]);
    assert!(EVENTS.iter().all(|event| hook(&repo, event).is_none()));
    let repo = Repo::sample();
    // This makes Git decorate with all refs but these.
    repo.git(&["config", "log.excludeDecoration", "refs/theirs/*"]);
    repo.cora(&["init", "--no-hooks"]);
    assert!(repo.git(&["config", "--local", "--list"]).contains("refs/cora/*"));
    let repo = Repo::sample();
    repo.git(&["config", "log.excludeDecoration", "refs/theirs/*"]);
    repo.cora(&["init", "--hooks-only"]);
    assert!(!repo.git(&["config", "--local", "--list"]).contains("refs/cora/*"));
    assert_eq!(repo.index_refs(), Vec::<String>::new());
    repo.try_cora(&["init", "--hooks-only", "--no-hooks"]).exits(2);
    let unborn = Repo::new();
    unborn.cora(&["init"]).says("the first commit will be indexed");
}

#[test]
fn foreign_hooks_stay_and_still_run() {
    let Some(repo) = Repo::sample().with_cora_on_path().with_hook_files() else { return };
    let foreign = "#!/bin/sh\necho mine >>.git/ran\nexit 0\n";
    repo.write(".git/hooks/post-commit", foreign);
    repo.write(".git/hooks/post-merge", "#!/usr/bin/env python3\nprint()\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        for event in ["post-commit", "post-merge"] {
            let path = repo.path().join(".git/hooks").join(event);
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
    repo.cora(&["init"]).says("the post-merge hook is not a shell script");
    assert!(hook(&repo, "post-commit").unwrap().ends_with("echo mine >>.git/ran\nexit 0\n"));
    let commit = repo.commit("with both");
    assert_eq!(std::fs::read_to_string(repo.path().join(".git/ran")).unwrap(), "mine\n");
    wait_for(20, "the commit to be indexed", || is_indexed(&repo, &commit));
    repo.cora(&["uninstall"]);
    assert_eq!(hook(&repo, "post-commit").unwrap(), foreign);
    assert_eq!(hook(&repo, "post-merge").unwrap(), "#!/usr/bin/env python3\nprint()\n");
    settle(&repo);
}

#[test]
fn a_hooks_path_elsewhere_is_not_touched() {
    let Some(repo) = Repo::sample().with_hook_files() else { return };
    let shared = repo.root().join("shared-hooks");
    std::fs::create_dir(&shared).unwrap();
    repo.git(&["config", "core.hooksPath", shared.to_str().unwrap()]);
    repo.cora(&["init"]).says("outside the repository").says("hint:");
    assert_eq!(std::fs::read_dir(&shared).unwrap().count(), 0);
    assert!(EVENTS.iter().all(|event| hook(&repo, event).is_none()));
}

#[test]
fn a_commit_is_indexed_in_the_background() {
    let repo = hooked();
    repo.write("src/new.rs", "/// Newly made.\npub fn newly_made() {}\n");
    let commit = repo.commit("new");
    wait_for(20, "the commit to be indexed", || is_indexed(&repo, &commit));
    // A merge and a checkout trigger indexing too.
    repo.git(&["checkout", "-q", "-b", "side", "HEAD~2"]);
    let at = repo.rev("HEAD");
    wait_for(20, "what was checked out to be indexed", || is_indexed(&repo, &at));
    repo.git(&["merge", "-q", "--ff-only", "main"]);
    repo.git(&["commit", "-q", "--amend", "--allow-empty", "-m", "amended"]);
    let amended = repo.rev("HEAD");
    wait_for(20, "the amended commit to be indexed", || is_indexed(&repo, &amended));
    settle(&repo);
    repo.cora(&["doctor"]).prints("no failures").prints("installed");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_rebase_ends_with_its_tip_indexed() {
    let repo = hooked();
    for n in 0..8 {
        repo.write(&format!("s{n}.rs"), format!("fn s{n}() {{}}\n"));
        repo.commit("step");
    }
    repo.git(&["rebase", "-q", "--force-rebase", "HEAD~8"]);
    let tip = repo.rev("HEAD");
    wait_for(30, "the tip to be indexed", || is_indexed(&repo, &tip));
    let line = repo.git(&["rev-list", "HEAD~8..HEAD"]);
    wait_for(30, "the line to be filled", || line.lines().all(|commit| is_indexed(&repo, commit)));
    settle(&repo);
}

#[test]
fn a_linked_work_tree_has_the_hooks_too() {
    let repo = hooked();
    repo.git(&["worktree", "add", "-q", "-b", "other", "../linked"]);
    let linked = repo.beside("linked");
    linked.write("l.rs", "fn l() {}\n");
    let commit = linked.commit("linked");
    wait_for(20, "the commit to be indexed", || is_indexed(&repo, &commit));
    settle(&repo);
}

#[test]
fn switched_off_or_gone_the_hooks_do_nothing() {
    let repo = hooked();
    let off = repo.with_env("CORA", "0");
    let commit = off.commit("off");
    // The same variable turns off the command itself.
    off.cora(&["hook", "post-commit"]);
    assert!(!is_indexed(&repo, &commit));

    // A commit succeeds although the program is missing.
    let bare_path = repo.with_env("PATH", std::env::var_os("PATH").unwrap_or_default());
    bare_path.write("g.rs", "fn g() {}\n");
    bare_path.git(&["add", "-A"]);
    let run = bare_path.try_git(&["commit", "-q", "-m", "gone"]).exits(0);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""));
    settle(&repo);
}

#[cfg(target_os = "linux")]
#[test]
fn the_program_gets_no_lock_and_no_pipe_of_its_caller() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let (program, seen) = (dir.path().join("git-cora"), dir.path().join("seen"));
    // In the place of ours: it says which descriptors it got.
    let script = format!("#!/bin/sh\nls /proc/$$/fd >{0}.new\nmv {0}.new {0}\n", seen.display());
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::join_paths(
        [dir.path().to_owned()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    for event in EVENTS {
        let hook = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("hooks").join(event);
        let status = std::process::Command::new("sh")
            .args(["-c", "exec 3>held 7>held 9>held; sh \"$0\""])
            .arg(hook)
            .current_dir(dir.path())
            .env("PATH", path.as_ref().unwrap())
            .env_remove("CORA")
            .status();
        assert!(status.unwrap().success());
        wait_for(20, "the program to start", || seen.exists());
        let got = std::fs::read_to_string(&seen).unwrap();
        assert!(!got.lines().any(|fd| ["3", "7", "9"].contains(&fd)), "{event}: {got}");
        std::fs::remove_file(&seen).unwrap();
    }
}

#[test]
fn a_hook_that_fails_says_nothing_and_doctor_knows() {
    let repo = hooked();
    repo.git(&["config", "cora.keep", "many"]);
    let run = repo.cora(&["hook", "post-commit"]);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""));
    repo.git(&["config", "--unset", "cora.keep"]);
    repo.try_cora(&["doctor"]).exits(1).prints("last failure").prints("cora.keep");
    Repo::no_repository().cora(&["hook", "post-commit", "--odd", "arguments"]);
}

#[cfg(unix)]
#[test]
fn a_hook_that_git_passes_over_is_told_and_mended() {
    use std::os::unix::fs::PermissionsExt as _;

    let Some(repo) = Repo::sample().with_cora_on_path().with_hook_files() else { return };
    repo.cora(&["init", "-q"]);
    let path = repo.path().join(".git/hooks/post-commit");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    repo.try_cora(&["doctor"]).prints("post-commit");
    repo.cora(&["init", "--hooks-only"]).says("wrote post-commit");
    assert_ne!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o111, 0);
    repo.cora(&["init", "--hooks-only"]).says("already");
    settle(&repo);
}

#[test]
fn a_bare_repository_gets_no_hook_that_would_never_run() {
    let repo = Repo::sample().with_cora_on_path();
    repo.git(&["clone", "-q", "--bare", ".", "../bare.git"]);
    let bare = repo.beside("bare.git");
    let run = bare.cora(&["init"]).says("nobody commits in a bare repository");
    assert!(EVENTS.iter().all(|event| !bare.path().join("hooks").join(event).exists()));
    let doctor = bare.try_cora(&["doctor"]);
    assert!(doctor.out.contains("note     hooks: none, because nobody commits"), "{}", doctor.out);
    // The line that the hint shows works.
    let line = run.err.lines().find_map(|line| line.strip_prefix("hint:   ")).unwrap();
    let hook = bare.path().join("hooks/post-receive");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, format!("#!/bin/sh\n{line}\n")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    repo.write("f.rs", "fn f() {}\n");
    let commit = repo.commit("pushed");
    repo.git(&["push", "-q", "../bare.git", "main"]);
    wait_for(60, "the pushed commit to be indexed", || is_indexed(&bare, &commit));
    // Whoever works on another branch fetches its index, too.
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("g.rs", "fn g() {}\n");
    let commit = repo.commit("topic");
    repo.git(&["push", "-q", "../bare.git", "topic"]);
    wait_for(60, "the pushed branch to be indexed", || is_indexed(&bare, &commit));
    // In a linked work tree somebody commits.
    bare.git(&["worktree", "add", "-q", "../linked", "-b", "other"]);
    let run = bare.cora(&["init"]);
    assert!(!run.err.contains("nobody commits"), "{}", run.err);
}
