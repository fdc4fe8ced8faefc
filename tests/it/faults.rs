//! Refs below `refs/cora/` that nobody can use: `doctor` names them, `prune` and `index` remove
//! them, and Git works again. What is not ours stays.

use crate::harness::Repo;

/// Broken contents of a ref's file.
fn contents(repo: &Repo) -> Vec<(&'static str, String)> {
    vec![
        ("an empty file", String::new()),
        ("zeros", "\0".repeat(41)),
        ("garbage", "not an id\n".into()),
        ("a cut id", "1212121212\n".into()),
        ("a missing object", format!("{}\n", "12".repeat(20))),
        ("a blob", format!("{}\n", repo.rev("HEAD:README.md"))),
        ("a tree", format!("{}\n", repo.rev("HEAD^{tree}"))),
        ("a symbolic ref", "ref: refs/heads/main\n".into()),
        ("a symbolic ref to nothing", "ref: refs/heads/none\n".into()),
    ]
}

/// Commands of the user that read all refs.
fn git_works(repo: &Repo, what: &str) {
    for args in
        [&["log", "-1", "--all", "--oneline"][..], &["gc", "-q"], &["fetch", "-q", "origin"], &["fsck"]]
    {
        let run = repo.try_git(args);
        assert_eq!(run.code, 0, "{what}: {args:?}: {}", run.err);
        assert!(!run.err.contains("refs/cora"), "{what}: {args:?}: {}", run.err);
    }
}

/// Returns names below all our prefixes: of a commit that has no index, of one that is not here, of
/// a local index, and of both sidecars.
fn names_of_ours(commit: &str) -> [String; 5] {
    [
        format!("refs/cora/{commit}"),
        format!("refs/cora/{}", "34".repeat(20)),
        format!("refs/cora-local/{commit}"),
        format!("refs/cora/embeddings/m/{commit}"),
        format!("refs/cora/commentary/{commit}"),
    ]
}

#[test]
fn doctor_names_them_and_prune_and_index_remove_them() {
    let origin = Repo::sample();
    for command in ["prune", "index"] {
        let repo = origin.clone_to(&format!("by-{command}"), &[]);
        repo.cora(&["index", "HEAD", "HEAD~2"]);
        let refs = repo.index_refs();
        let other = repo.rev("HEAD~1");
        for name in names_of_ours(&other) {
            for (what, text) in contents(&repo) {
                repo.write(&format!(".git/{name}"), &text);
                let what = format!("{command}, {name}, {what}");
                repo.try_cora(&["doctor"]).exits(1).prints(&format!("('{name}')")).prints("git cora prune");
                if command == "prune" {
                    let run = repo.cora(&["prune", "-n"]).says("would remove 1 unusable ref");
                    assert!(repo.path().join(".git").join(&name).exists(), "{what}: {}", run.err);
                    repo.cora(&["prune"]).says("removed 1 unusable ref");
                } else {
                    repo.cora(&["index"]);
                }
                assert!(!repo.path().join(".git").join(&name).exists(), "{what}");
                assert_eq!(repo.index_refs(), refs, "{what}");
            }
            git_works(&repo, &name);
        }
    }
}

#[test]
fn an_index_that_lost_an_object_is_found_and_removed() {
    let repo = Repo::sample();
    repo.write("lib/new.py", "def lost_and_found():\n    pass\n");
    repo.commit("new");
    repo.write("lib/new.py", "def lost_no_more():\n    pass\n");
    repo.commit("newer");
    repo.cora(&["index", "HEAD~1", "HEAD"]);
    let old = format!("refs/cora/{}", repo.rev("HEAD~1"));
    let lost = repo.rev(&format!("{old}:files/lib/new.py"));
    std::fs::remove_file(repo.path().join(format!(".git/objects/{}/{}", &lost[..2], &lost[2..]))).unwrap();
    assert_ne!(repo.try_git(&["gc", "-q"]).code, 0);
    repo.try_cora(&["doctor"]).exits(1).prints("objects of its index are missing").prints("git cora prune");
    // The index of the next commit holds it, too, so that a push sends only what is new.
    repo.cora(&["prune", "-n"]).says("would remove 2 unusable refs");
    repo.cora(&["prune"]).says("removed 2 unusable refs");
    repo.git(&["gc", "-q"]);
    repo.try_cora(&["doctor"]).prints("refs: fine");
    repo.cora(&["index", "HEAD~1"]);
    assert_eq!(repo.found(&["--rev", "HEAD~1", "lost_and_found"])[0], "lib/new.py");
}

#[test]
fn the_commit_itself_is_indexed_and_searched_over_them() {
    let repo = Repo::sample();
    repo.git(&["remote", "add", "origin", "."]);
    repo.cora(&["index"]);
    let refs = repo.index_refs();
    let name = format!(".git/refs/cora/{}", repo.rev("HEAD"));
    let query = ["query", "--json", "--rev", "HEAD", "refresh token"];
    let answer = repo.cora(&query).out;
    for is_packed in [false, true] {
        if is_packed {
            repo.git(&["pack-refs", "--all"]);
        }
        for (what, text) in contents(&repo) {
            for args in [&query[..], &["index"], &["index", "--force"]] {
                repo.write(&name, &text);
                repo.drop_cached();
                let run = repo.cora(args);
                assert!(args != query || run.out == answer, "{what}");
                assert_eq!(repo.index_refs(), refs, "{what}, {args:?}");
            }
        }
        // A directory in the place of the ref.
        std::fs::remove_file(repo.path().join(&name)).unwrap_or_default();
        std::fs::create_dir_all(repo.path().join(&name).join("a/b")).unwrap();
        repo.cora(&["index"]);
        assert_eq!(repo.index_refs(), refs);
    }
    git_works(&repo, "indexed over");
}

#[test]
fn what_is_not_ours_or_not_old_stays() {
    let repo = Repo::sample();
    repo.cora(&["index"]);
    let head = repo.rev("HEAD");
    for name in ["refs/cora/mine", "refs/cora/later/kind", "refs/cora-local/mine"] {
        repo.git(&["update-ref", name, "HEAD"]);
    }
    repo.git(&["update-ref", &format!("refs/cora/commentary/{head}"), "HEAD"]);
    let lock = format!(".git/refs/cora/{}.lock", repo.rev("HEAD~1"));
    repo.write(&lock, "");
    let refs = repo.index_refs();
    repo.try_cora(&["doctor"])
        .prints(
            "note     names of refs: 3 refs were not created by git-cora (such as 'refs/cora/later/kind')",
        )
        .prints("git update-ref -d refs/cora/later/kind");
    repo.cora(&["prune"]);
    repo.cora(&["index"]);
    assert_eq!(repo.index_refs(), refs);
    assert!(repo.path().join(&lock).exists(), "another process may hold it");
    let old = std::fs::File::options().write(true).open(repo.path().join(&lock)).unwrap();
    old.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(120)).unwrap();
    repo.try_cora(&["doctor"]).exits(1).prints("it was left by a killed process");
    repo.cora(&["prune"]).says("removed 1 unusable ref");
    assert!(!repo.path().join(&lock).exists());
}

#[test]
fn a_file_in_the_place_of_our_directory_is_found() {
    let repo = Repo::sample();
    repo.write(".git/refs/cora", "");
    repo.try_cora(&["doctor"]).exits(1).prints("('refs/cora')");
    repo.cora(&["prune"]).says("removed 1 unusable ref");
    repo.cora(&["index"]);
    // A usable ref of somebody is not ours to delete.
    let other = Repo::sample();
    other.git(&["update-ref", "refs/cora", "HEAD"]);
    other.try_cora(&["doctor"]).exits(1).prints("git update-ref -d refs/cora");
    other.cora(&["prune"]);
    assert_eq!(other.rev("refs/cora"), other.rev("HEAD"));
    other.git(&["update-ref", "-d", "refs/cora"]);
    other.cora(&["index"]);
}

#[test]
fn reftables_have_fewer_faults_and_these_are_found() {
    if !Repo::knows_reftables() {
        return;
    }
    let repo = Repo::sample_in(&["--ref-format=reftable"]);
    repo.cora(&["index"]);
    let refs = repo.index_refs();
    repo.git(&["update-ref", &format!("refs/cora/{}", repo.rev("HEAD~1")), &repo.rev("HEAD:README.md")]);
    repo.try_cora(&["doctor"]).exits(1).prints("its object is not a commit");
    repo.cora(&["prune"]).says("removed 1 unusable ref");
    assert_eq!(repo.index_refs(), refs);
}

/// The ways in which Git stores refs, with the options of `git init`.
fn storages() -> Vec<(&'static str, &'static [&'static str])> {
    let reftable: &[&str] = &["--ref-format=reftable"];
    let all = [("loose", &[][..]), ("packed", &[]), ("reftable", reftable)];
    all.into_iter().filter(|(what, _)| *what != "reftable" || Repo::knows_reftables()).collect()
}

#[test]
fn a_ref_in_the_way_of_ours_is_reported_and_prune_removes_it() {
    for (storage, options) in storages() {
        let repo = Repo::sample_in(options);
        let head = repo.rev("HEAD");
        let of_index = format!("refs/cora/{head}");
        for name in [
            format!("{of_index}/x"),
            format!("{of_index}/deep/er/{head}"),
            format!("{of_index}/{}", "AB".repeat(20)),
            format!("refs/cora-local/{head}/x"),
            format!("refs/cora/embeddings/m/{head}/x"),
            format!("refs/cora/commentary/{head}/x"),
        ] {
            let what = format!("{storage}, {name}");
            for taken in repo.index_refs() {
                repo.git(&["update-ref", "-d", taken.split(' ').next().unwrap()]);
            }
            repo.git(&["update-ref", &name, "HEAD"]);
            if storage == "packed" {
                repo.git(&["pack-refs", "--all"]);
            }
            let line = format!("problem  refs: 1 unusable ref ('{name}'): its name is in the way");
            repo.try_cora(&["doctor"]).exits(1).prints(&line).prints("git cora prune");
            let run = repo.cora(&["index"]);
            let is_blocked = name.starts_with(&of_index);
            assert_eq!(run.err.contains("another ref is in the way"), is_blocked, "{what}: {}", run.err);
            assert_eq!(
                repo.refs("refs/cora-local").iter().any(|line| !line.contains('x')),
                is_blocked,
                "{what}"
            );
            // Only the user decides about a ref of somebody.
            assert_eq!(repo.refs(&name).len(), 1, "{what}");
            repo.cora(&["prune", "-n"]).says("would remove 1 unusable ref");
            assert_eq!(repo.refs(&name).len(), 1, "{what}");
            repo.cora(&["prune"]).says("removed 1 unusable ref");
            assert_eq!(repo.refs(&name), Vec::<String>::new(), "{what}");
            let run = repo.cora(&["index"]);
            assert!(!run.err.contains("in the way"), "{what}: {}", run.err);
            let names: Vec<String> =
                repo.index_refs().iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect();
            assert_eq!(names, [of_index.as_str()], "{what}");
            repo.try_cora(&["doctor"]).prints("ok       refs: fine");
        }
    }
}

/// Removes the file of a loose object.
fn lose(repo: &Repo, id: &str) {
    std::fs::remove_file(repo.path().join(".git/objects").join(&id[..2]).join(&id[2..])).unwrap();
}

#[test]
fn refs_without_a_commit_are_found_in_every_storage() {
    for (storage, options) in storages() {
        let repo = Repo::sample_in(options);
        repo.git(&["remote", "add", "origin", "."]);
        repo.cora(&["index"]);
        let refs = repo.index_refs();
        let other = repo.rev("HEAD~1");
        for name in names_of_ours(&other) {
            let tag = repo.git_input(
                &["mktag"],
                format!("object {other}\ntype commit\ntag t\ntagger a <a@b> 0 +0000\n\nt\n"),
            );
            let lost = repo.git(&["commit-tree", "HEAD^{tree}", "-m", &name]);
            let targets = [
                ("its object is missing", lost.clone()),
                ("its object is not a commit", repo.rev("HEAD:README.md")),
                ("its object is not a commit", repo.rev("HEAD^{tree}")),
                ("its object is not a commit", tag),
            ];
            for (why, id) in targets {
                let what = format!("{storage}, {name}, {why}");
                repo.git(&["update-ref", &name, &id]);
                if storage == "packed" {
                    repo.git(&["pack-refs", "--all"]);
                }
                if id == lost {
                    lose(&repo, &id);
                }
                repo.try_cora(&["doctor"]).exits(1).prints(&format!("('{name}'): {why}"));
                repo.cora(&["prune"]).says("removed 1 unusable ref");
                assert_eq!(repo.index_refs(), refs, "{what}");
                if id != lost {
                    repo.git(&["update-ref", &name, &id]);
                    repo.cora(&["index"]);
                    assert_eq!(repo.index_refs(), refs, "{what}");
                }
            }
        }
        git_works(&repo, storage);
    }
}

#[test]
fn names_of_another_shape_are_noted_and_stay() {
    for (storage, options) in storages() {
        let repo = Repo::sample_in(options);
        let head = repo.rev("HEAD");
        let upper = "AB".repeat(20);
        let mut names = vec![
            format!("refs/cora/{upper}"),
            format!("refs/cora/{upper}x/x"),
            format!("refs/cora/{}", &head[1..]),
            format!("refs/cora/{}/x", &head[..7]),
            format!("refs/cora/{head}0"),
            format!("refs/cora-local/{}", &head[..8]),
            format!("refs/cora/commentary/{upper}"),
            format!("refs/cora/embeddings/m/{upper}"),
            format!("refs/cora/embeddings/{head}0/a"),
            "refs/cora/a/b/c/d/e/f/g/h".to_owned(),
        ];
        names.sort();
        for name in &names {
            repo.git(&["update-ref", name, "HEAD"]);
        }
        if storage == "packed" {
            repo.git(&["pack-refs", "--all"]);
        }
        let note = format!("note     names of refs: {} refs were not created by git-cora", names.len());
        repo.try_cora(&["doctor"]).prints("ok       refs: fine").prints(&note);
        repo.cora(&["index"]);
        repo.cora(&["prune"]).says("dropped 0 indexes, kept 1");
        let mut left: Vec<String> =
            repo.index_refs().iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect();
        left.retain(|name| *name != format!("refs/cora/{head}"));
        left.sort();
        assert_eq!(left, names, "{storage}");
    }
}

#[test]
fn files_that_no_ref_can_be_called_like_are_removed() {
    let repo = Repo::sample();
    repo.cora(&["index"]);
    let refs = repo.index_refs();
    let (head, other) = (repo.rev("HEAD"), repo.rev("HEAD~1"));
    for name in [
        format!("refs/cora/{head} (conflicted copy)"),
        format!("refs/cora/{head}~"),
        format!("refs/cora/{other}/x~"),
        "refs/cora/.DS_Store".to_owned(),
        "refs/cora-local/a..b".to_owned(),
        "refs/cora/a/b/c/d/e/f/g/h/.x".to_owned(),
    ] {
        for text in [format!("{head}\n"), String::new()] {
            repo.write(&format!(".git/{name}"), &text);
            repo.try_cora(&["doctor"])
                .exits(1)
                .prints("its name is not valid for a ref")
                .prints("git cora prune");
            repo.cora(&["prune"]).says("removed 1 unusable ref");
            assert!(!repo.path().join(".git").join(&name).exists(), "{name}");
            assert_eq!(repo.index_refs(), refs);
        }
    }
}

#[test]
fn doctor_and_init_warn_of_fetch_settings_that_delete_indexes() {
    let origin = Repo::sample();
    let mirror = origin.clone_to("mirror.git", &["--mirror"]);
    mirror.cora(&["index"]);
    let run = mirror.try_cora(&["doctor"]).exits(1).prints("a remote's fetch refspec writes to refs/cora/");
    mirror.try_cora(&["init", "--no-hooks"]).says("warning: a remote's fetch refspec writes to refs/cora/");
    // The advice works when it is copied.
    let advice = "git config --add remote.origin.fetch \"^refs/cora*\"";
    assert!(run.out.contains(advice), "{}", run.out);
    mirror.git(&["config", "--add", "remote.origin.fetch", "^refs/cora*"]);
    mirror.git(&["fetch", "-q", "--prune"]);
    assert_eq!(mirror.refs("refs/cora").len(), 1);
    mirror.try_cora(&["doctor"]).prints("ok       fetch settings");
}

#[test]
fn doctor_counts_indexes_of_commits_that_nothing_reaches() {
    let repo = Repo::sample();
    repo.cora(&["index"]);
    repo.try_cora(&["doctor"]).prints("ok       indexes of unreachable commits: none");
    let lost = repo.commit("lost");
    repo.cora(&["index"]);
    repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    let shown = format!("1 index of a commit that no branch or tag reaches ('{}')", &lost[..12]);
    repo.try_cora(&["doctor"]).prints(&format!("{shown}; 1 is still in a reflog"));
    repo.git(&["reflog", "expire", "--expire=now", "--all"]);
    let run = repo.try_cora(&["doctor"]).prints(&shown).prints("run 'git cora prune'");
    assert!(!run.out.contains("still in a reflog"), "{}", run.out);
    repo.cora(&["prune"]).says("dropped 1 index");
    repo.try_cora(&["doctor"]).prints("ok       indexes of unreachable commits: none");
}

#[test]
fn a_ref_below_that_of_an_index_does_not_stop_a_query() {
    let origin = Repo::sample();
    let head = origin.rev("HEAD");
    origin.git(&["update-ref", &format!("refs/cora/{head}/x"), "HEAD"]);
    let repo = origin.clone_to("clone", &[]);
    repo.git(&["fetch", "-q", "origin", "refs/cora/*:refs/cora/*"]);
    let is_answered = |repo: &Repo| {
        repo.cora(&["query", "refresh token"]);
        repo.cora(&["list"]);
        repo.cora(&["index", "--force"]);
        // It is stored once, and not built for each question.
        assert!(repo.cora(&["index"]).err.contains("already"), "{}", repo.cora(&["index"]).err);
        assert_eq!(repo.refs("refs/cora-local").len(), 1);
        repo.git(&["gc", "-q"]);
    };
    is_answered(&repo);
    repo.try_cora(&["doctor"]).exits(1).prints("its name is in the way");
    // A stray file is in the way, too.
    let other = Repo::sample();
    let place = other.path().join(".git/refs/cora").join(other.rev("HEAD"));
    std::fs::create_dir_all(place.join("empty")).unwrap();
    other.cora(&["index"]);
    assert_eq!(other.refs("refs/cora-local").len(), 0);
    let other = Repo::sample();
    let place = other.path().join(".git/refs/cora").join(other.rev("HEAD"));
    std::fs::create_dir_all(&place).unwrap();
    std::fs::write(place.join("x"), "").unwrap();
    other.cora(&["query", "refresh token"]);
    assert_eq!(other.refs("refs/cora-local").len(), 1);
}
