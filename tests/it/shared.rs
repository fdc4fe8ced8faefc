//! Repositories that several users share: `core.sharedRepository`.
//!
//! Git is the oracle: it writes an object, a ref and a pack under the same umask, and ours must
//! have the same permissions.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::harness::{CORA, Repo};

fn mode(path: &Path) -> u32 {
    path.symlink_metadata().unwrap().permissions().mode() & 0o7777
}

/// Returns the modes of all directories and of all files below a directory.
fn modes(dir: &Path) -> (BTreeSet<u32>, BTreeSet<u32>) {
    let (mut dirs, mut files) = (BTreeSet::from([mode(dir)]), BTreeSet::new());
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let (more_dirs, more_files) = modes(&path);
            dirs.extend(more_dirs);
            files.extend(more_files);
        } else {
            files.insert(mode(&path));
        }
    }
    (dirs, files)
}

fn octal(modes: &BTreeSet<u32>) -> Vec<String> {
    modes.iter().map(|mode| format!("{mode:o}")).collect()
}

/// Runs a shell command under a umask; it must succeed.
fn under(repo: &Repo, umask: &str, command: &str) {
    let script = format!("umask {umask} && {command}");
    let output = repo.command("sh").args(["-c", &script]).output().unwrap();
    assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Checks that what we write below a Git directory has the permissions that Git gives.
fn check(value: &str, umask: &str, reftable: bool) {
    let sample = Repo::sample();
    // Enough files for a pack.
    for n in 0..60 {
        sample.write(&format!("many/file{n}.rs"), format!("fn number_{n}() {{}}\n"));
    }
    sample.commit("many");
    let format = if reftable { "--ref-format=reftable" } else { "" };
    under(&sample, umask, &format!("git init -q --bare {format} --shared={value} ../shared.git"));
    let repo = sample.beside("shared.git");
    // Git marks a forced mode so that `git init` accepts it.
    under(&sample, umask, "git push -q ../shared.git main");
    under(&repo, umask, "git symbolic-ref HEAD refs/heads/main");
    let dir = |name: &str| repo.path().join(name);
    under(&repo, umask, "mkdir -p refs && git update-ref refs/oracle/a HEAD");
    under(&repo, umask, "git repack -q -a -d && echo x | git hash-object -w --stdin >id");
    let id = std::fs::read_to_string(dir("id")).unwrap();
    let (loose_dir, name) = id.trim().split_at(2);
    let loose_dir = dir("objects").join(loose_dir);
    let what = format!("{value} under {umask}");
    let objects = BTreeSet::from([mode(&loose_dir.join(name))]);
    let expected_dir = mode(&loose_dir);

    let cora = CORA;
    under(&repo, umask, &format!("'{cora}' index && '{cora}' query --no-worktree number_7 >answer"));
    under(&repo, umask, &format!("{{ '{cora}' query 'why was many added' >answer || test $? = 1; }}"));
    let packs: BTreeSet<u32> = std::fs::read_dir(dir("objects/pack"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "pack" || end == "idx"))
        .map(|path| mode(&path))
        .collect();
    assert_eq!(octal(&packs), octal(&objects), "packs, {what}");
    let (dirs, files) = modes(&dir("objects"));
    assert!(dirs.contains(&expected_dir), "{what}");
    assert!(files.is_superset(&objects), "{what}");
    let (dirs, files) = modes(&dir("cora"));
    assert_eq!(octal(&dirs), [format!("{expected_dir:o}")], "directories of ours, {what}");
    if !reftable {
        let a_ref = mode(&dir("refs/oracle/a"));
        assert_eq!(modes(&dir("refs/cora")).1, BTreeSet::from([a_ref]), "refs, {what}");
        assert_eq!(modes(&dir("refs/cora")).0, BTreeSet::from([expected_dir]), "{what}");
        assert_eq!(octal(&files), [format!("{a_ref:o}")], "files of ours, {what}");
        // A second commit adds a few loose objects, and prune rewrites the packed refs.
        under(&repo, umask, "git pack-refs --all");
        let before = mode(&dir("packed-refs"));
        under(&repo, umask, &format!("git -c cora.keep=0 update-ref -d refs/heads/main && '{cora}' prune"));
        assert_eq!(mode(&dir("packed-refs")), before, "packed refs, {what}");
    }
}

#[test]
fn what_is_written_has_the_permissions_that_git_gives() {
    for umask in ["022", "077"] {
        for value in ["false", "group", "all", "0660", "0640"] {
            check(value, umask, false);
        }
    }
}

#[test]
fn a_reftable_is_shared_as_well() {
    if Repo::knows_reftables() {
        check("group", "077", true);
    }
}

#[test]
fn a_second_user_of_the_group_can_push_and_query() {
    let repo = Repo::sample();
    under(&repo, "077", "git init -q --bare --shared=group ../shared.git && git push -q ../shared.git main");
    let shared = repo.beside("shared.git");
    under(&shared, "077", &format!("git symbolic-ref HEAD refs/heads/main && '{CORA}' index"));
    // Every directory that an object may go to can be written by the group.
    let (dirs, _) = modes(&shared.path().join("objects"));
    assert!(dirs.iter().all(|mode| mode & 0o2070 == 0o2070), "{:?}", octal(&dirs));
    let (_, files) = modes(&shared.path().join("cora"));
    assert!(files.iter().all(|mode| mode & 0o060 == 0o060), "{:?}", octal(&files));
}

#[test]
fn the_group_can_run_the_hooks_and_read_what_init_writes() {
    for (umask, sharing, expected) in [("077", "group", 0o070), ("022", "false", 0o050)] {
        let sample = Repo::sample();
        under(&sample, umask, &format!("git init -q --shared={sharing} ../work"));
        let repo = sample.beside("work");
        under(&repo, umask, "git commit -q --allow-empty -m x");
        under(&repo, umask, &format!("'{CORA}' init -q"));
        let hooks = repo.path().join(".git/hooks");
        let ours =
            ["post-commit", "post-checkout", "post-merge", "post-rewrite"].map(|name| hooks.join(name));
        // Newer versions of Git read hooks from the configuration.
        for hook in ours.iter().filter(|hook| hook.exists()) {
            assert_eq!(mode(hook) & 0o070, expected, "{} {umask} {sharing}", hook.display());
        }
        if sharing == "group" {
            let (dirs, files) = modes(&repo.path().join(".git/cora"));
            assert!(dirs.iter().all(|mode| mode & 0o070 == 0o070), "{:?}", octal(&dirs));
            assert!(files.iter().all(|mode| mode & 0o060 == 0o060), "{:?}", octal(&files));
        }
    }
}
