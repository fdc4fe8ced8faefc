//! `init` and `uninstall`: whatever was there before comes back exactly. Bytes, permissions, links
//! and absence are compared, of the work tree, the hooks and the configuration.
//!
//! Longer than 600 lines because the shapes that must come back are many, and share their checks.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use crate::harness::{Repo, wait_for};

#[cfg(feature = "mcp")]
mod agents;
#[cfg(feature = "mcp")]
mod skills;
#[cfg(feature = "mcp")]
mod tasks;

const EVENTS: [&str; 4] = ["post-commit", "post-checkout", "post-merge", "post-rewrite"];

/// A name for a shape, and what makes it at a path.
type Shape<'f> = (&'static str, &'f dyn Fn(&Path));

/// Everything that `init` could touch: kind, permissions, content and number of names by path.
type Tree = BTreeMap<PathBuf, String>;

fn tree(repo: &Repo) -> Tree {
    let mut found = Tree::new();
    walk(repo.path(), &mut found);
    found.retain(|path, _| {
        let path = path.strip_prefix(repo.path()).unwrap();
        !path.starts_with(".git") || [".git/hooks", ".git/config"].iter().any(|kept| path.starts_with(kept))
    });
    found
}

fn walk(dir: &Path, found: &mut Tree) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let metadata = path.symlink_metadata().unwrap();
        let mode = metadata.permissions().mode();
        let what = if metadata.is_symlink() {
            format!("link to {:?}", fs::read_link(&path).unwrap())
        } else if metadata.is_dir() {
            walk(&path, found);
            format!("directory {mode:o}")
        } else {
            let bytes = fs::read(&path).unwrap();
            format!("file {mode:o} x{} {}", metadata.nlink(), bytes.escape_ascii())
        };
        found.insert(path, what);
    }
}

#[track_caller]
fn assert_same(before: &Tree, after: &Tree, what: &str) {
    for (path, one) in before {
        assert_eq!(after.get(path), Some(one), "{what}: {}", path.display());
    }
    let new: Vec<_> = after.keys().filter(|path| !before.contains_key(*path)).collect();
    assert!(new.is_empty(), "{what}: new: {new:?}");
}

fn put(path: &Path, bytes: &[u8], mode: u32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn hook(repo: &Repo, event: &str) -> PathBuf {
    repo.path().join(".git/hooks").join(event)
}

fn is_run(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
}

fn is_indexed(repo: &Repo, commit: &str) -> bool {
    repo.try_git(&["rev-parse", "-q", "--verify", &format!("refs/cora/{commit}")]).code == 0
}

/// Commits, and waits until the hook has indexed it and ended.
fn commit_indexed(repo: &Repo, message: &str) {
    let commit = repo.commit(message);
    wait_for(30, "the commit to be indexed", || is_indexed(repo, &commit));
    settle(repo);
}

fn settle(repo: &Repo) {
    let lock = repo.path().join(".git/cora/hook-main.lock");
    wait_for(30, "the hooks to end", || fs::File::open(&lock).map_or(true, |file| file.try_lock().is_ok()));
}

#[test]
fn every_shape_of_hook_comes_back() {
    // The last word says whether ours is installed in it.
    let shapes: [(&[u8], u32, bool); 28] = [
        (b"#!/bin/sh\necho a\n", 0o755, true),
        (b"#!/bin/sh\n", 0o755, true),
        (b"#!/bin/sh", 0o755, true),
        (b"", 0o755, true),
        (b"\n", 0o755, true),
        (b"echo no first line", 0o755, true),
        (b"#!/bin/sh\n# caf\xe9 \xff\xfe\n", 0o755, true),
        (b"#!/bin/sh\necho a\r\necho b\r\n", 0o755, true),
        (b"#!/bin/sh\necho no line feed", 0o755, true),
        (b"#!/usr/bin/env bash\nset -euo pipefail\nexit 0\n", 0o700, true),
        (b"#!/bin/sh -e\nexec true\n", 0o500, true),
        (b"#!/bin/dash\n:\n", 0o775, true),
        (b"#!/usr/bin/env -S sh -e\n:\n", 0o711, true),
        (b"\xef\xbb\xbf#!/bin/sh\n:\n", 0o755, true),
        // Switched off: no executable bit.
        (b"#!/bin/sh\necho off\n", 0o644, true),
        (b"#!/bin/sh\n", 0o600, true),
        (b"#!/usr/bin/env python3\nprint()\n", 0o444, true),
        (b"\x7fELF\x02\x01\x01\x00\x00", 0o664, true),
        (b"", 0o644, true),
        // Programs that can't take a block.
        (b"#!/usr/bin/env python3\nprint()\n", 0o755, false),
        (b"#!/usr/bin/perl -w\n1;\n", 0o755, false),
        (b"#!/usr/bin/env -S node --no-warnings\n", 0o755, false),
        (b"\x7fELF\x02\x01\x01\x00\x00", 0o755, false),
        (b"#!/bin/sh\nexit\n\x00payload", 0o755, false),
        (b"#!/bin/sh\n# \\\nexec tclsh \"$0\" \"$@\"\n", 0o755, false),
        (b"#!/bin/sh\r\n:\r\n", 0o755, false),
        (b"#!/bin/fish\n", 0o755, false),
        (b"#!/bin/sh\n# >>> git-cora >>>\nno end\n", 0o755, false),
    ];
    for (bytes, mode, is_ours) in shapes {
        let repo = Repo::new().with_hook_files().unwrap();
        let what = format!("{} {mode:o}", bytes.escape_ascii());
        put(&hook(&repo, "post-commit"), bytes, mode);
        let before = tree(&repo);
        repo.cora(&["init", "--dry-run"]);
        assert_same(&before, &tree(&repo), &what);
        let run = repo.cora(&["init"]);
        if !is_ours {
            run.says("the post-commit hook ").says("was left unchanged");
            assert_eq!(fs::read(hook(&repo, "post-commit")).unwrap(), bytes, "{what}");
        }
        let installed = fs::read(hook(&repo, "post-commit")).unwrap();
        let has_ours = String::from_utf8_lossy(&installed).contains("git-cora hook post-commit");
        assert_eq!(has_ours, is_ours, "{what}");
        assert!(is_run(&hook(&repo, "post-commit")) && is_run(&hook(&repo, "post-merge")), "{what}");
        let with = tree(&repo);
        repo.cora(&["init"]);
        assert_same(&with, &tree(&repo), &format!("twice: {what}"));
        repo.try_cora(&["uninstall", "-n"]);
        assert_same(&with, &tree(&repo), &what);
        if bytes.ends_with(b"no end\n") {
            repo.try_cora(&["uninstall"]).exits(2).says("lacks its first or last line");
        } else {
            repo.cora(&["uninstall"]);
        }
        assert_same(&before, &tree(&repo), &what);
        assert!(!repo.path().join(".git/cora/install.json").exists());
    }
}

#[test]
fn links_directories_and_hard_links_come_back() {
    let outside = tempfile::tempdir().unwrap();
    put(&outside.path().join("hook"), b"#!/bin/sh\n", 0o755);
    let absolute = outside.path().join("hook");
    let shapes: [Shape; 12] = [
        ("relative", &|path| symlink("../../scripts/hook", path).unwrap()),
        ("odd", &|path| symlink("./../..//scripts/hook", path).unwrap()),
        ("absolute", &|path| symlink(&absolute, path).unwrap()),
        ("dangling", &|path| symlink("no/such/file", path).unwrap()),
        ("dangling absolute", &|path| symlink("/no/such/file", path).unwrap()),
        ("sibling", &|path| symlink("dispatch", path).unwrap()),
        ("not UTF-8", &|path| symlink(std::ffi::OsStr::from_bytes(b"caf\xe9"), path).unwrap()),
        ("loop", &|path| symlink("post-commit", path).unwrap()),
        ("hard", &|path| fs::hard_link(path.ancestors().nth(3).unwrap().join("scripts/hook"), path).unwrap()),
        ("no room", &|path| {
            symlink("x", path).unwrap();
            fs::write(path.with_file_name("before-git-cora"), "").unwrap();
        }),
        ("directory", &|path| put(&path.join("inside"), b"x", 0o644)),
        ("pipe", &|path| assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success())),
    ];
    for (what, make) in shapes {
        let repo = Repo::new().with_hook_files().unwrap();
        put(&repo.path().join("scripts/hook"), b"#!/bin/sh\necho hook\n", 0o755);
        let path = hook(&repo, "post-commit");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        make(&path);
        // A pipe can't be read like a file.
        let before = if what == "pipe" { Tree::new() } else { tree(&repo) };
        let inode = path.symlink_metadata().unwrap().ino();
        let run = repo.cora(&["init"]);
        if ["directory", "pipe", "no room"].contains(&what) {
            run.says("was left unchanged").says("wrote post-checkout, post-merge, post-rewrite");
        } else {
            assert!(fs::read_to_string(&path).unwrap().contains("git-cora hook post-commit"), "{what}");
        }
        assert_eq!(fs::read(repo.path().join("scripts/hook")).unwrap(), b"#!/bin/sh\necho hook\n");
        assert_eq!(fs::read(&absolute).unwrap(), b"#!/bin/sh\n");
        repo.cora(&["init"]);
        repo.cora(&["uninstall"]);
        if what == "pipe" {
            assert_eq!(path.symlink_metadata().unwrap().ino(), inode);
            assert!(!hook(&repo, "post-merge").exists());
            continue;
        }
        assert_same(&before, &tree(&repo), what);
        if what == "hard" {
            assert_eq!(path.metadata().unwrap().ino(), inode);
        }
    }
}

#[test]
fn hooks_that_are_put_aside_run_as_before() {
    let repo = Repo::sample().with_cora_on_path().with_hook_files().unwrap();
    let ran = || fs::read_to_string(repo.path().join(".git/ran")).unwrap_or_default();
    // A link: its script sees its own name, its target and its arguments.
    let script =
        b"#!/bin/sh\necho \"$(basename \"$0\") $(basename \"$(readlink -f \"$0\")\") $#\" >>.git/ran\n";
    put(&repo.path().join("scripts/all"), script, 0o755);
    repo.commit("scripts");
    symlink("../../scripts/all", hook(&repo, "post-commit")).unwrap();
    symlink("../../scripts/all", hook(&repo, "post-checkout")).unwrap();
    // Switched off, in two ways.
    put(&hook(&repo, "post-merge"), b"#!/bin/sh\necho off >>.git/ran\n", 0o644);
    put(&hook(&repo, "post-rewrite"), b"\x7fELF\x00", 0o600);
    repo.git(&["commit", "-q", "--allow-empty", "-m", "without ours"]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    assert_eq!(ran(), "post-commit all 0\npost-checkout all 3\n");
    repo.cora(&["init"]).says("the existing post-merge hook");
    commit_indexed(&repo, "with ours");
    repo.git(&["checkout", "-q", "main"]);
    assert_eq!(ran(), "post-commit all 0\npost-checkout all 3\n".repeat(2));
    repo.git(&["merge", "-q", "side"]);
    let amended = ["commit", "-q", "--amend", "--allow-empty", "-m", "amended"];
    assert_eq!(repo.try_git(&amended).exits(0).err, "");
    assert!(!ran().contains("off"), "{}", ran());
    commit_indexed(&repo, "again");
    assert!(repo.cora(&["doctor", "--json"]).json()["checks"].to_string().contains("installed"));
    repo.cora(&["uninstall"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "merged", "HEAD~1"]);
    assert!(!ran().contains("off"), "{}", ran());
}

#[test]
fn a_link_to_a_script_that_looks_beside_itself_stays() {
    let repo = Repo::sample().with_hook_files().unwrap();
    let script = b"#!/bin/sh\nfor h in \"$0\".d/*; do [ -x \"$h\" ] && \"$h\"; done\nexit 0\n";
    put(&hook(&repo, "hook-chain"), script, 0o755);
    symlink("hook-chain", hook(&repo, "post-commit")).unwrap();
    put(&hook(&repo, "post-commit.d").join("01"), b"#!/bin/sh\necho ran >>.git/ran\n", 0o755);
    repo.cora(&["init"]).says("is a link to a program that looks for files beside itself");
    repo.git(&["commit", "-q", "--allow-empty", "-m", "one"]);
    assert_eq!(fs::read_to_string(repo.path().join(".git/ran")).unwrap(), "ran\n");
}

#[test]
fn a_pipe_in_place_of_an_agents_file_is_refused() {
    let repo = Repo::sample();
    let path = repo.path().join("AGENTS.md");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    repo.try_cora(&["init", "--agent", "agents-md"]).exits(2).says("AGENTS.md': it is not a file");
    repo.try_cora(&["uninstall"]);
}

#[test]
fn the_directory_of_temporary_files_may_be_missing() {
    let repo = Repo::sample();
    let before = fs::read(repo.path().join(".git/config")).unwrap();
    let elsewhere = repo.with_env("TMPDIR", "/nonexistent");
    elsewhere.cora(&["init"]);
    elsewhere.cora(&["uninstall"]);
    assert_eq!(fs::read(repo.path().join(".git/config")).unwrap(), before);
}

#[test]
fn edits_made_in_between_stay() {
    let repo = Repo::new().with_hook_files().unwrap();
    put(&hook(&repo, "post-commit"), b"#!/bin/sh\necho one\n", 0o755);
    put(&hook(&repo, "post-checkout"), b"#!/bin/sh\necho off\n", 0o644);
    put(&hook(&repo, "post-rewrite"), b"#!/bin/sh\necho replaced\n", 0o644);
    repo.cora(&["init"]);
    for event in ["post-commit", "post-merge"] {
        let path = hook(&repo, event);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text + "echo \u{e9}\n").unwrap();
    }
    fs::set_permissions(hook(&repo, "post-commit"), fs::Permissions::from_mode(0o700)).unwrap();
    // The user switches a hook on again, in the place where it is now.
    let aside = hook(&repo, "before-git-cora").join("post-checkout");
    fs::set_permissions(&aside, fs::Permissions::from_mode(0o755)).unwrap();
    // Another program replaces our script.
    put(&hook(&repo, "post-rewrite"), b"#!/bin/sh\necho manager\n", 0o755);
    repo.try_cora(&["uninstall"]).exits(2).says("was replaced; the previous hook is");
    let read = |event: &str| fs::read_to_string(hook(&repo, event)).unwrap();
    assert_eq!(read("post-commit"), "#!/bin/sh\necho one\necho \u{e9}\n");
    assert_eq!(hook(&repo, "post-commit").metadata().unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(read("post-merge"), "#!/bin/sh\necho \u{e9}\n");
    assert_eq!(read("post-checkout"), "#!/bin/sh\necho off\n");
    assert!(is_run(&hook(&repo, "post-checkout")));
    assert_eq!(read("post-rewrite"), "#!/bin/sh\necho manager\n");
    assert_eq!(read("before-git-cora/post-rewrite"), "#!/bin/sh\necho replaced\n");
}

#[test]
fn a_hook_that_a_manager_moved_comes_back_there() {
    for name in ["post-commit.legacy", "post-commit.old", "old-hooks/post-commit"] {
        let shapes: [Shape; 4] = [
            ("script", &|path| put(path, b"#!/bin/sh\necho mine\n", 0o755)),
            ("off", &|path| put(path, b"#!/bin/sh\necho off\n", 0o644)),
            ("link", &|path| symlink("/no/such/hook", path).unwrap()),
            ("none", &|_| ()),
        ];
        for (what, make) in shapes {
            let manage = |repo: &Repo| {
                let (from, to) = (hook(repo, "post-commit"), hook(repo, name));
                fs::create_dir_all(to.parent().unwrap()).unwrap();
                if from.symlink_metadata().is_ok() {
                    fs::rename(&from, to).unwrap();
                }
                put(&from, b"#!/bin/sh\necho manager\n", 0o755);
            };
            let repo = Repo::new().with_hook_files().unwrap();
            fs::create_dir_all(repo.path().join(".git/hooks")).unwrap();
            make(&hook(&repo, "post-commit"));
            repo.cora(&["init"]);
            manage(&repo);
            repo.cora(&["init"]).says("wrote post-commit in");
            repo.cora(&["uninstall"]);
            let left = tree(&repo);
            // As if nothing of ours had ever been there.
            for path in ["post-commit", name] {
                drop(fs::remove_file(hook(&repo, path)));
            }
            make(&hook(&repo, "post-commit"));
            manage(&repo);
            assert_same(&tree(&repo), &left, &format!("{what} {name}"));
        }
    }
}

#[test]
fn an_interrupted_installation_goes_on_and_goes_away() {
    for is_installed_again in [false, true] {
        let repo = Repo::new().with_hook_files().unwrap();
        fs::create_dir_all(repo.path().join(".git/hooks")).unwrap();
        symlink("../../x", hook(&repo, "post-commit")).unwrap();
        put(&hook(&repo, "post-merge"), b"off", 0o644);
        let before = tree(&repo);
        // Each was copied, and then the program was killed.
        let aside = hook(&repo, "before-git-cora");
        fs::create_dir(&aside).unwrap();
        symlink("../../../x", aside.join("post-commit")).unwrap();
        fs::hard_link(hook(&repo, "post-merge"), aside.join("post-merge")).unwrap();
        if is_installed_again {
            repo.cora(&["init"]).says("wrote post-commit, post-checkout, post-merge, post-rewrite");
        }
        repo.cora(&["uninstall"]);
        assert_same(&before, &tree(&repo), &format!("{is_installed_again}"));
    }
}

#[test]
fn a_hook_from_before_survives_a_framework_that_writes_its_own() {
    let repo = Repo::new().with_hook_files().unwrap();
    put(&hook(&repo, "post-commit"), b"#!/bin/sh\necho original\n", 0o644);
    repo.cora(&["init"]).says("the existing post-commit hook");
    put(&hook(&repo, "post-commit"), b"#!/bin/sh\necho framework\n", 0o755);
    repo.cora(&["init"]);
    repo.try_cora(&["uninstall"]).exits(2).says("was replaced; the previous hook is");
    assert_eq!(fs::read(hook(&repo, "post-commit")).unwrap(), b"#!/bin/sh\necho framework\n");
    let kept = hook(&repo, "before-git-cora").join("post-commit");
    assert_eq!(fs::read(kept).unwrap(), b"#!/bin/sh\necho original\n");
}

#[test]
fn a_hook_that_is_switched_off_later_stays_off() {
    let repo = Repo::new().with_hook_files().unwrap();
    put(&hook(&repo, "post-commit"), b"#!/bin/sh\necho mine >>.git/ran\n", 0o755);
    repo.cora(&["init"]);
    fs::set_permissions(hook(&repo, "post-commit"), fs::Permissions::from_mode(0o644)).unwrap();
    repo.cora(&["init"]).says("wrote post-commit").says("the existing post-commit hook");
    repo.git(&["commit", "-q", "--allow-empty", "-m", "x"]);
    assert!(!repo.path().join(".git/ran").exists());
    repo.cora(&["uninstall"]);
    assert_eq!(fs::read(hook(&repo, "post-commit")).unwrap(), b"#!/bin/sh\necho mine >>.git/ran\n");
    assert!(!is_run(&hook(&repo, "post-commit")));
}

#[test]
fn an_older_block_is_replaced_and_goes() {
    let old = |before: &str, after: &str| {
        format!("{before}# >>> git-cora >>>\n(git-cora hook &)\n# <<< git-cora <<<\n{after}").into_bytes()
    };
    let repo = Repo::new().with_hook_files().unwrap();
    put(&hook(&repo, "post-commit"), &old("#!/bin/sh\n", ""), 0o755);
    put(&hook(&repo, "post-merge"), &old("#!/bin/sh\n", "echo mine\n"), 0o755);
    put(&hook(&repo, "post-rewrite"), &old("", "echo mine"), 0o755);
    repo.cora(&["init"]);
    for event in EVENTS {
        let text = fs::read_to_string(hook(&repo, event)).unwrap();
        assert!(
            !text.contains("(git-cora hook &)") && text.matches(">>> git-cora >>>").count() == 1,
            "{text}"
        );
    }
    repo.cora(&["uninstall"]);
    assert!(!hook(&repo, "post-commit").exists());
    assert_eq!(fs::read(hook(&repo, "post-merge")).unwrap(), b"#!/bin/sh\necho mine\n");
    assert_eq!(fs::read(hook(&repo, "post-rewrite")).unwrap(), b"echo mine");
}

#[test]
fn a_hooks_path_is_respected() {
    let shared = tempfile::tempdir().unwrap();
    let shared = shared.path().canonicalize().unwrap();
    let elsewhere = shared.join("not/there");
    for (path, says) in [
        ("", "switched off"),
        ("/dev/null", "switched off"),
        ("README.md", "switched off"),
        (".", "part of the working tree"),
        (".githooks", "part of the working tree"),
        ("tracked", "part of the working tree"),
        ("new/deep", "part of the working tree"),
        (shared.to_str().unwrap(), "outside the repository"),
        (elsewhere.to_str().unwrap(), "outside the repository"),
        ("../beside", "outside the repository"),
        ("sub/../../beside", "outside the repository"),
    ] {
        let repo = Repo::new().with_hook_files().unwrap();
        repo.write("README.md", "x\n");
        put(&repo.path().join("tracked/post-commit"), b"#!/bin/sh\n:\n", 0o755);
        repo.commit("x");
        repo.git(&["config", "core.hooksPath", path]);
        let before = tree(&repo);
        repo.cora(&["init"]).says(says).says("hint:");
        assert_same(&before, &tree(&repo), path);
        assert_eq!(repo.git(&["status", "--porcelain"]), "", "{path}");
        assert!(fs::read_dir(&shared).unwrap().next().is_none());
        repo.with_cora_on_path().cora(&["doctor"]).prints("hooks: ").prints(says);
        repo.cora(&["uninstall"]);
        assert_same(&before, &tree(&repo), path);
    }
    // An ignored directory in the work tree, as hook managers make it, is this clone's own.
    let repo = Repo::new();
    repo.write(".gitignore", "/managed/\n");
    repo.commit("x");
    for path in ["managed/_", "managed"] {
        repo.git(&["config", "core.hooksPath", path]);
        let before = tree(&repo);
        repo.cora(&["init"]).says("wrote post-commit");
        assert!(repo.path().join(path).join("post-commit").exists());
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
        // The setting may be gone by then.
        repo.git(&["config", "core.hooksPath", "/elsewhere"]);
        repo.cora(&["uninstall"]);
        repo.git(&["config", "core.hooksPath", path]);
        assert_same(&before, &tree(&repo), path);
    }
    // One absolute path for all repositories, even if it is in this one.
    let path = repo.path().join(".git/hooks");
    repo.git(&["config", "--unset", "core.hooksPath"]);
    repo.git(&["config", "--global", "core.hooksPath", path.to_str().unwrap()]);
    let before = tree(&repo);
    repo.cora(&["init"]).says("shared with others");
    assert_same(&before, &tree(&repo), "shared");
}

#[test]
fn a_missing_hooks_directory_is_missing_again() {
    let repo = Repo::new().with_hook_files().unwrap();
    drop(fs::remove_dir_all(repo.path().join(".git/hooks")));
    let before = tree(&repo);
    repo.cora(&["init"]).says("wrote post-commit");
    assert!(hook(&repo, "post-commit").exists());
    repo.cora(&["uninstall"]);
    assert_same(&before, &tree(&repo), "missing");
    symlink("nowhere", repo.path().join(".git/hooks")).unwrap();
    let before = tree(&repo);
    repo.cora(&["init"]).says("switched off");
    repo.cora(&["uninstall"]);
    assert_same(&before, &tree(&repo), "dangling");
    repo.remove(".git/hooks");
    fs::create_dir(repo.path().join(".git/hooks")).unwrap();
    let before = tree(&repo);
    repo.cora(&["init"]);
    repo.cora(&["uninstall"]);
    assert_same(&before, &tree(&repo), "empty");
    // From a linked work tree, the hooks of the repository are meant.
    repo.git(&["commit", "-q", "--allow-empty", "-m", "x"]);
    repo.git(&["worktree", "add", "-q", "../linked"]);
    let linked = repo.beside("linked");
    linked.cora(&["init", "--agent", "cursor"]);
    linked.cora(&["init", "--hooks-only"]).says("wrote post-commit");
    assert!(hook(&repo, "post-commit").exists());
    repo.cora(&["uninstall"]);
    assert_same(&before, &tree(&repo), "linked");
    assert!(linked.path().join(".cursor/mcp.json").exists(), "each work tree has its own files");
    linked.cora(&["uninstall"]);
    assert!(!linked.path().join(".cursor").exists());
}

/// Settings that make Git 2.39 and newer decorate with all refs, so that ours are to be hidden.
const SHOWS_ALL: &str = "[log]\n\texcludeDecoration = refs/theirs/*\n";

#[test]
fn the_configuration_comes_back() {
    let core = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n";
    for text in [
        format!("{core}{SHOWS_ALL}"),
        format!("{core}[log]\n\tinitialDecorationSet = all"),
        format!("{SHOWS_ALL}\n\n; the end\n{core}\n\n"),
        format!("{core}[log]\n\t# why\n\texcludeDecoration = refs/a/*\n\tdate = iso # not ours\n[x]\n\ty\n"),
        format!("{core}{SHOWS_ALL}[user]\n\tname = x\n{SHOWS_ALL}# last"),
        format!("{core}{SHOWS_ALL}").replace('\n', "\r\n"),
        format!("{core}[include]\n\tpath = other\n[Log] excludeDecoration = refs/b/*"),
        format!("{core}{SHOWS_ALL}[user]\n\tname = caf\u{e9}\n"),
    ] {
        let repo = Repo::new();
        let path = repo.path().join(".git/config");
        put(&path, text.as_bytes(), 0o640);
        fs::write(repo.path().join(".git/other"), "[log]\n\texcludeDecoration = refs/c/*\n").unwrap();
        let before = tree(&repo);
        repo.cora(&["init", "--dry-run"]).says("would add log.excludeDecoration = refs/cora/*");
        assert_same(&before, &tree(&repo), &text);
        repo.cora(&["init"]).says("added log.excludeDecoration = refs/cora/*");
        let values = repo.git(&["config", "--get-all", "log.excludeDecoration"]);
        assert!(values.contains("refs/cora/*") && values.contains("refs/cora-local/*"), "{values}");
        let with = tree(&repo);
        repo.cora(&["init"]);
        assert_same(&with, &tree(&repo), &text);
        repo.cora(&["uninstall"]).says("removed log.excludeDecoration = refs/cora/*");
        assert_same(&before, &tree(&repo), &text);
        // With the note lost, Git removes the values.
        repo.cora(&["init"]);
        fs::remove_file(repo.path().join(".git/cora/install.json")).unwrap();
        repo.git(&["config", "mine.key", "1"]);
        repo.cora(&["uninstall"]);
        let left = fs::read_to_string(&path).unwrap();
        assert!(!left.contains("refs/cora") && left.contains("mine"), "{left}");
    }
}

#[test]
fn git_log_hides_what_it_hid_before() {
    let repo = Repo::sample();
    if repo.git_version() < (2, 39) {
        return;
    }
    let head = repo.rev("HEAD");
    for name in ["refs/jj/keep/x", "refs/prefetch/main", "refs/pull/1/head"] {
        repo.git(&["update-ref", name, &head]);
    }
    let log = || repo.git(&["log", "--all", "--oneline", "--decorate"]);
    let before = tree(&repo);
    repo.cora(&["init", "--no-hooks"]);
    assert_same(&before, &tree(&repo), "nothing to set");
    assert!(!log().contains("refs/"), "{}", log());
    // An older version set these always.
    let config = fs::read(repo.path().join(".git/config")).unwrap();
    for value in ["refs/cora/*", "refs/cora-local/*"] {
        repo.git(&["config", "--add", "log.excludeDecoration", value]);
    }
    assert!(log().contains("refs/jj"));
    repo.cora(&["init", "--no-hooks"]).says("removed log.excludeDecoration = refs/cora/*");
    assert_eq!(fs::read(repo.path().join(".git/config")).unwrap(), config);
    for value in ["refs/cora/*", "refs/cora-local/*"] {
        repo.git(&["config", "--add", "log.excludeDecoration", value]);
    }
    repo.cora(&["uninstall"]).says("removed log.excludeDecoration = refs/cora/*");
    assert_eq!(fs::read(repo.path().join(".git/config")).unwrap(), config);
    // A single value is the user's.
    repo.git(&["config", "--add", "log.excludeDecoration", "refs/cora/*"]);
    let before = tree(&repo);
    repo.cora(&["uninstall"]);
    assert_same(&before, &tree(&repo), "the user's");
}

#[test]
fn every_kind_of_repository_keeps_the_narrow_default_of_git() {
    let origin = Repo::sample();
    if origin.git_version() < (2, 39) {
        return;
    }
    let linked = {
        origin.git(&["worktree", "add", "-q", "../linked", "-b", "linked"]);
        origin.beside("linked")
    };
    let bare = origin.clone_to("bare.git", &["--bare"]);
    let plain = origin.clone_to("plain", &[]);
    for (what, repo) in [("linked", linked), ("bare", bare), ("plain", plain)] {
        for name in ["refs/jj/keep/x", "refs/prefetch/main", "refs/pull/1/head", "refs/changes/1"] {
            repo.git(&["update-ref", name, "HEAD"]);
        }
        let log = || repo.git(&["log", "--all", "--oneline", "--decorate"]);
        let before = log();
        assert!(!before.contains("refs/"), "{what}: {before}");
        repo.cora(&["init"]);
        repo.cora(&["index"]);
        assert_eq!(
            log().lines().filter(|line| !line.contains("git-cora:")).collect::<Vec<_>>(),
            before.lines().collect::<Vec<_>>(),
            "{what}"
        );
        repo.cora(&["uninstall"]);
        let values = repo.try_git(&["config", "--get-all", "log.excludeDecoration"]);
        assert_eq!((values.code, values.out.as_str()), (1, ""), "{what}");
    }
    // A setting for all repositories of the user switches the default off, so ours are hidden.
    let repo = Repo::sample();
    repo.git(&["config", "--global", "log.excludeDecoration", "refs/x/*"]);
    repo.cora(&["init"]).says("added log.excludeDecoration = refs/cora/*");
    repo.cora(&["index"]);
    assert!(!repo.git(&["log", "--all", "--oneline", "--decorate"]).contains("refs/cora"));
    repo.cora(&["uninstall"]);
    assert_eq!(repo.git(&["config", "--get-all", "log.excludeDecoration"]), "refs/x/*");
    // The Git right before the default has none.
    let repo = Repo::sample();
    for (version, is_set) in [("2.38.9", true), ("2.39.0", false), ("2.30.0", true), ("3.0.0", false)] {
        let other = repo.with_git_version(version);
        let run = other.cora(&["init", "--no-hooks", "--dry-run"]);
        assert_eq!(run.err.contains("would add log.excludeDecoration"), is_set, "{version}: {}", run.err);
    }
}

#[test]
fn an_update_of_git_moves_what_is_installed() {
    let repo = Repo::new();
    put(&hook(&repo, "post-commit"), b"#!/bin/sh\necho mine\n", 0o755);
    put(&hook(&repo, "post-merge"), b"#!/bin/sh\necho off\n", 0o644);
    let before = tree(&repo);
    let [old, middle, new] = ["2.38.5", "2.53.0", "2.54.0"].map(|version| repo.with_git_version(version));
    let config = || repo.git(&["config", "--local", "--list"]);
    // Git before 2.39 decorates with all refs but these.
    old.cora(&["init"]).says("added log.excludeDecoration = refs/cora/*").says("wrote post-commit");
    let with_old = tree(&repo);
    middle.cora(&["init"]).says("removed log.excludeDecoration = refs/cora/*").says("already in");
    assert!(!config().contains("cora"));
    // Git from 2.54 on has hooks in the configuration, so those in files go.
    new.cora(&["init"]).says("put post-commit, post-checkout, post-merge, post-rewrite into");
    assert!(config().contains("hook.git-cora-post-commit.event=post-commit"), "{}", config());
    let mut files = tree(&repo);
    files.retain(|path, _| !path.ends_with(".git/config"));
    let mut files_before = before.clone();
    files_before.retain(|path, _| !path.ends_with(".git/config"));
    assert_same(&files_before, &files, "no hook in a file");
    let with_new = tree(&repo);
    new.cora(&["init"]).says("already in the configuration");
    assert_same(&with_new, &tree(&repo), "twice");
    new.cora(&["init", "--no-hooks"]);
    assert_same(&with_new, &tree(&repo), "without hooks");
    // And back again.
    old.cora(&["init"]).says("wrote post-commit");
    assert_same(&with_old, &tree(&repo), "back");
    new.cora(&["init"]);
    middle.cora(&["uninstall"]).says("removed post-commit");
    assert_same(&before, &tree(&repo), "in the end");
    for one in [&old, &middle, &new] {
        one.cora(&["init"]);
        fs::remove_file(repo.path().join(".git/cora/install.json")).unwrap_or_default();
        one.cora(&["uninstall"]);
        assert_same(&before, &tree(&repo), "without a note");
    }
}

#[test]
fn a_failure_in_the_middle_leaves_nothing_half_done() {
    let repo = Repo::new().with_hook_files().unwrap();
    put(&hook(&repo, "post-commit"), b"#!/bin/sh\necho one\n", 0o755);
    put(&hook(&repo, "post-merge"), b"#!/bin/sh\necho off\n", 0o644);
    symlink("x", hook(&repo, "post-rewrite")).unwrap();
    repo.git(&["config", "log.excludeDecoration", "refs/x/*"]);
    // The configuration is written last, after the hooks.
    repo.write(".git/config.lock", "");
    let before = tree(&repo);
    repo.try_cora(&["init"]).exits(2).says("config").says("nothing was changed");
    assert_same(&before, &tree(&repo), "locked");
    assert!(repo.index_refs().is_empty());
    repo.remove(".git/config.lock");
    // Our own directory is in the way.
    fs::remove_dir_all(repo.path().join(".git/cora")).unwrap();
    repo.write(".git/cora", "a file");
    repo.try_cora(&["init", "--no-hooks"]).exits(2).says("nothing was changed");
    assert_same(&before, &tree(&repo), "no directory");
    repo.remove(".git/cora");
    // The index can't be written, after the hooks and the configuration were.
    repo.write("a.txt", "text");
    repo.commit("one");
    drop(fs::remove_dir(repo.path().join(".git/refs/cora")));
    repo.write(".git/refs/cora", format!("{}\n", repo.rev("HEAD")));
    let before = tree(&repo);
    repo.try_cora(&["init"]).exits(2).says("hooks: wrote").says("were rolled back; nothing was changed");
    assert_same(&before, &tree(&repo), "not indexed");
    repo.remove(".git/refs/cora");
    assert!(repo.index_refs().is_empty());
    repo.cora(&["init"]);
    repo.cora(&["uninstall"]);
    assert_same(&before, &tree(&repo), "in the end");
    // The superuser may write everywhere.
    let dir = repo.path().join(".git/hooks");
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(dir.join("probe"), "").is_err() {
        let before = tree(&repo);
        repo.try_cora(&["init"]).exits(2).says("nothing was changed");
        assert_same(&before, &tree(&repo), "read-only");
    }
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn hooks_of_hook_managers_count_as_installed() {
    use std::os::unix::fs::PermissionsExt as _;
    const EVENTS: [&str; 4] = ["post-commit", "post-checkout", "post-merge", "post-rewrite"];
    let write = |path: &Path, text: &str| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    let line = "#!/bin/sh\n(git-cora hook \"$(basename \"$0\")\" </dev/null >/dev/null 2>&1 &)\n";
    let doctor = |repo: &Repo| repo.with_cora_on_path().try_cora(&["doctor"]);
    // The line that 'init' prints, in a directory of hooks for all repositories.
    let repo = Repo::sample().with_hook_files().unwrap();
    let shared = repo.root().join("shared");
    for event in EVENTS {
        write(&shared.join(event), line);
    }
    repo.git(&["config", "--global", "core.hooksPath", shared.to_str().unwrap()]);
    doctor(&repo).prints("hooks: installed");
    write(&shared.join("post-merge"), "#!/bin/sh\n# git-cora hook post-merge\n");
    doctor(&repo).prints("hooks: only post-commit, post-checkout, post-rewrite in");
    // A hook manager runs what its own file says.
    let pre_commit = "repos:\n- repo: x\n  hooks:\n  - id: git-cora\n";
    let lefthook = include_str!("../../packaging/lefthook.yml");
    for (name, file, text) in
        [("lefthook", "lefthook.yml", lefthook), ("pre-commit", ".pre-commit-config.yaml", pre_commit)]
    {
        let repo = Repo::sample().with_hook_files().unwrap();
        for event in EVENTS {
            write(&hook(&repo, event), &format!("#!/bin/sh\nexec {name} run {event}\n"));
        }
        doctor(&repo).prints("hooks: not installed");
        repo.write(file, text);
        doctor(&repo).prints("hooks: installed");
    }
    // A manager that was installed after ours runs what it has moved.
    let repo = Repo::sample().with_hook_files().unwrap();
    repo.cora(&["init", "--hooks-only"]);
    fs::rename(hook(&repo, "post-commit"), hook(&repo, "post-commit.legacy")).unwrap();
    write(&hook(&repo, "post-commit"), "#!/bin/sh\nexec pre-commit hook-impl\n");
    doctor(&repo).prints("hooks: installed");
    // Husky makes its own directory again; the user's hooks are beside it.
    let repo = Repo::sample().with_hook_files().unwrap();
    let husky = repo.path().join(".husky");
    write(&husky.join("_/h"), "");
    write(&husky.join("_/.gitignore"), "*");
    repo.git(&["config", "core.hooksPath", ".husky/_"]);
    repo.cora(&["init", "--hooks-only"])
        .says("/.husky' were left unchanged")
        .says("hint: add this line to the post-commit,");
    assert!(!husky.join("_/post-commit").exists());
    for event in EVENTS {
        write(&husky.join(event), line);
    }
    doctor(&repo).prints("hooks: installed");
}
