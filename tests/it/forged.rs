//! A forged index as the base of the next one: nothing of it survives beside a change.

use crate::harness::Repo;

/// Publishes the index of `HEAD` with some records removed and others added.
fn forge(repo: &Repo, removed: &[&str], added: &[&str]) {
    let name = format!("refs/cora/{}", repo.rev("HEAD"));
    let record = repo.rev(&format!("{name}:files/README.md"));
    let staging = repo.with_env("GIT_INDEX_FILE", repo.path().join(".git/other-index"));
    staging.git(&["read-tree", &name]);
    for path in removed {
        staging.git(&["update-index", "--force-remove", &format!("files/{path}")]);
    }
    for path in added {
        staging.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{record},files/{path}")]);
    }
    let tree = staging.git(&["write-tree"]);
    let snapshot = repo.git(&["commit-tree", &tree, "-m", "git-cora: snapshot"]);
    let parents = repo.git(&["rev-list", "--parents", "-1", &name]);
    let further: Vec<&str> = parents.split(' ').skip(2).collect();
    let message = format!("git-cora: index of {}", repo.rev("HEAD"));
    let mut args = vec!["commit-tree", &tree, "-m", &message, "-p", &snapshot];
    further.iter().for_each(|parent| args.extend(["-p", parent]));
    let index = repo.git(&args);
    repo.git(&["update-ref", &name, &index]);
}

#[test]
fn what_has_no_source_does_not_survive_a_change_beside_it() {
    for (what, removed, added, deleted, written) in [
        (
            "a record in place of a deleted folder",
            &["box/a.rs", "box/deep/b.rs"][..],
            &["box"][..],
            "box",
            "",
        ),
        ("a record in place of a folder above", &["box/a.rs", "box/deep/b.rs"], &["box"], "box/deep", ""),
        ("a record in place of a deeper folder", &["box/deep/b.rs"], &["box/deep"], "box/deep", ""),
        ("a record beside a deleted file", &[], &["box/evil.rs"], "box/a.rs", ""),
        ("a folder beside a deleted file", &[], &["box/evil/x.rs"], "box/a.rs", ""),
        ("a folder in a deleted folder", &[], &["box/evil/x/y.rs"], "box", ""),
        ("a folder beside a changed file", &[], &["evil/x.rs"], "", "README.md"),
        ("a record in place of a changed folder", &["box/a.rs", "box/deep/b.rs"], &["box"], "", "box/new.rs"),
        ("a folder in place of a changed file", &["README.md"], &["README.md/x.rs"], "", "README.md"),
    ] {
        let repo = Repo::sample();
        repo.write("box/a.rs", "pub fn first() {}\n");
        repo.write("box/deep/b.rs", "pub fn second() {}\n");
        repo.commit("box");
        repo.cora(&["index"]);
        forge(&repo, removed, added);
        if !deleted.is_empty() {
            repo.git(&["rm", "-r", "-q", deleted]);
        }
        if !written.is_empty() {
            repo.write(written, "# changed\n");
        }
        repo.commit("changed");
        repo.cora(&["index"]);
        let tree = format!("refs/cora/{}^{{tree}}", repo.rev("HEAD"));
        let clone = repo.clone_to("scratch", &[]);
        clone.cora(&["index"]);
        assert_eq!(repo.rev(&tree), clone.rev(&tree), "{what}");
    }
}
