//! Linked work trees and rewritten history: known files are not indexed again, and all work trees
//! share one cache.

use git_cora::base::path::real;

use crate::harness::Repo;

#[test]
fn a_linked_work_tree_shares_index_and_cache() {
    let repo = Repo::sample();
    repo.git(&["branch", "other", "HEAD~1"]);
    repo.cora(&["index", "--branches"]);
    let (refs, objects) = (repo.index_refs(), repo.objects());
    repo.git(&["worktree", "add", "-q", "../linked", "other"]);
    let linked = repo.beside("linked");
    let report = linked.cora(&["index", "--json"]).json();
    assert_eq!(report["commits"][0]["was_there"], true);
    assert_eq!(report["objects"], 0);
    assert_eq!(linked.found(&["exponential backoff"])[0], "src/retry.rs");
    assert_eq!(linked.results(&["refresh_token"])[0]["git_status"], "unmodified");
    assert_eq!(linked.index_refs(), refs);
    assert_eq!(linked.objects(), objects);
    assert_eq!(real(&linked.segments_dir()).unwrap(), real(&repo.segments_dir()).unwrap());
    assert!(!repo.path().join(".git/worktrees/linked/cora").exists(), "no second copy");

    // Each work tree sees its own changes.
    linked.write("fresh.py", "def only_in_linked():\n    pass\n");
    assert_eq!(linked.found(&["\"only_in_linked\""]), ["fresh.py"]);
    assert_eq!(repo.found(&["\"only_in_linked\""]), Vec::<String>::new());

    // A commit in one work tree is indexed for the other.
    let commit = linked.commit("fresh");
    linked.cora(&["index"]);
    assert!(repo.index_refs().iter().any(|line| line.contains(&commit)));
}

#[test]
fn a_rebase_that_changes_no_blob_writes_no_record() {
    let repo = Repo::sample();
    for n in 0..20 {
        repo.write(&format!("src/step{n}.rs"), format!("/// Step {n}.\npub fn step_{n}() {{}}\n"));
        repo.commit(&format!("step {n}"));
    }
    repo.cora(&["index", "HEAD~20"]);
    repo.cora(&["index"]);
    let (before, n_blobs) = (repo.index_refs().len(), repo.n_blobs());
    assert_eq!(before, 21);
    let old = repo.rev("HEAD");
    repo.git(&["rebase", "-q", "--force-rebase", "HEAD~20"]);
    assert_ne!(repo.rev("HEAD"), old);
    let report = repo.cora(&["index", "--json"]).json();
    assert_eq!(report["filled"].as_array().unwrap().len(), 19);
    assert_eq!(repo.index_refs().len(), 41);
    assert_eq!(repo.n_blobs(), n_blobs, "no record was written");
    // No new tree either: only the commits B differ, because they name their source.
    assert_eq!(report["objects"], 20);
}

#[test]
fn moved_back_and_forth_between_branches_nothing_is_computed() {
    let repo = Repo::sample();
    repo.git(&["checkout", "-q", "-b", "other", "HEAD~2"]);
    repo.write("other.py", "def elsewhere():\n    pass\n");
    repo.commit("other");
    repo.cora(&["index", "--branches"]);
    let objects = repo.objects();
    for branch in ["main", "other", "main"] {
        repo.git(&["checkout", "-q", branch]);
        assert_eq!(repo.found(&["elsewhere"]).len(), usize::from(branch == "other"));
    }
    // Checking out writes no object either.
    assert_eq!(repo.objects(), objects);
}

#[test]
fn a_revert_and_a_cherry_pick_reuse_every_record() {
    let repo = Repo::sample();
    repo.cora(&["index", "HEAD~1"]);
    repo.cora(&["index"]);
    let records = |repo: &Repo| {
        let listed = repo.git(&["ls-tree", "-r", &format!("refs/cora/{}:files", repo.rev("HEAD"))]);
        listed.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let parent = repo.git(&["ls-tree", "-r", &format!("refs/cora/{}:files", repo.rev("HEAD~1"))]);
    repo.git(&["revert", "--no-edit", "HEAD"]);
    repo.cora(&["index"]);
    assert_eq!(records(&repo).join("\n"), parent);
}

#[test]
fn a_moved_or_copied_work_tree_is_the_one_where_the_user_is() {
    let repo = Repo::sample();
    repo.cora(&["index"]);
    repo.git(&["worktree", "add", "-q", "-b", "other", "../linked"]);
    let linked = repo.beside("linked");
    linked.write("fresh.py", "def only_in_linked():\n    pass\n");
    let copy = repo.beside("copy");
    for name in ["src", "docs"].into_iter().filter(|name| linked.path().join(name).is_dir()) {
        std::fs::create_dir_all(copy.path().join(name)).unwrap();
    }
    std::fs::create_dir_all(copy.path()).unwrap();
    std::fs::copy(linked.path().join(".git"), copy.path().join(".git")).unwrap();
    copy.git(&["checkout", "-q", "."]);
    copy.write("fresh.py", "def only_in_copy():\n    pass\n");
    assert_eq!(copy.found(&["\"only_in_copy\""]), ["fresh.py"]);
    assert_eq!(copy.found(&["\"only_in_linked\""]), Vec::<String>::new());
    assert_eq!(linked.found(&["\"only_in_linked\""]), ["fresh.py"]);
    // From a directory below, and in a hook, where Git names only its own directory.
    let below = copy.below("src");
    std::fs::create_dir_all(below.path()).unwrap();
    assert_eq!(below.found(&["\"only_in_copy\""]), ["fresh.py"]);
    let git_dir = copy.git(&["rev-parse", "--absolute-git-dir"]);
    assert_eq!(copy.with_env("GIT_DIR", git_dir.trim()).found(&["\"only_in_copy\""]), ["fresh.py"]);
    // Without the original one.
    std::fs::remove_dir_all(linked.path()).unwrap();
    assert_eq!(copy.found(&["\"only_in_copy\""]), ["fresh.py"]);
}
