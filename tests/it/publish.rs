//! What leaves the machine by `git cora push`: only indexes of commits that the remote has or that
//! the user names. Also which remote is chosen, and what a refusal looks like.
//!
//! Longer than 600 lines because all cases push from and to the same small repositories.

use crate::harness::Repo;

/// Creates an empty bare repository beside `repo`, as the remote `name`.
fn remote(repo: &Repo, name: &str) -> Repo {
    let path = format!("../{name}.git");
    repo.git(&["init", "-q", "--bare", "-b", "main", &path]);
    repo.git(&["remote", "add", name, &path]);
    repo.beside(&format!("{name}.git"))
}

/// Returns the commits whose indexes a repository has.
fn indexed(repo: &Repo) -> Vec<String> {
    let refs = repo.refs("refs/cora");
    let names = refs.iter().map(|line| line.split(' ').next().unwrap());
    names.map(|name| name.trim_start_matches("refs/cora/").to_owned()).collect()
}

fn sorted<const N: usize>(mut commits: [String; N]) -> Vec<String> {
    commits.sort_unstable();
    commits.to_vec()
}

/// Commits a secret, indexes it, and takes the commit back; returns it.
fn taken_back(repo: &Repo) -> String {
    repo.write("src/secret.rs", "const BILLING_NAME: &str = \"only in the commit that was taken back\";\n");
    let oops = repo.commit("oops");
    repo.cora(&["index"]);
    repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    oops
}

#[test]
fn the_index_of_a_commit_that_was_taken_back_stays_here() {
    let repo = Repo::sample();
    let bare = remote(&repo, "origin");
    repo.git(&["push", "-q", "origin", "main"]);
    let oops = taken_back(&repo);
    let clean = repo.commit("clean");
    repo.cora(&["index", "HEAD", "HEAD~1"]);
    repo.git(&["push", "-q", "origin", "main"]);
    let dry = repo.cora(&["push", "-n"]).says("would send 2 indexes to 'origin', 0 there already");
    assert!(dry.err.contains("note: 1 index stays here: no known branch or tag of 'origin'"), "{}", dry.err);
    assert_eq!(indexed(&bare), Vec::<String>::new());
    repo.cora(&["push"]).says("sent 2 indexes").says(&format!("git cora push origin {}", &oops[..12]));
    assert_eq!(indexed(&bare), sorted([clean, repo.rev("HEAD~1")]));
    // Not even its objects.
    assert!(bare.try_git(&["cat-file", "-e", &repo.rev(&format!("refs/cora/{oops}"))]).code != 0);
    repo.cora(&["push", "-v"]).says("sent 0 indexes").says(&format!("stays here: {oops}"));
    // The hint works when it is copied.
    repo.cora(&["push", "origin", &oops[..12]]).says("sent 1 index to 'origin', 0 there already");
    assert!(indexed(&bare).contains(&oops));
}

#[test]
fn other_commits_that_the_remote_never_had_stay_here() {
    let repo = Repo::sample();
    let bare = remote(&repo, "origin");
    repo.git(&["push", "-q", "origin", "main"]);
    // A private branch, a stash, a commit that was amended, one that was squashed.
    repo.git(&["switch", "-q", "-c", "private"]);
    let private = repo.commit("private");
    repo.write("README.md", "# Changed\n");
    repo.git(&["stash", "-q"]);
    repo.commit("draft");
    repo.cora(&["index", "HEAD", "stash", "private~1"]);
    repo.git(&["commit", "-q", "--amend", "--allow-empty", "-m", "final"]);
    repo.cora(&["index", "main", "HEAD"]);
    repo.git(&["switch", "-q", "main"]);
    repo.git(&["merge", "-q", "--squash", "private"]);
    repo.commit("squashed");
    repo.git(&["push", "-q", "origin", "main"]);
    repo.cora(&["index", "HEAD"]);
    repo.cora(&["push"]).says("indexes stay here");
    assert!(indexed(&repo).contains(&private));
    let mut public: Vec<String> = repo.git(&["rev-list", "main"]).lines().map(str::to_owned).collect();
    public.retain(|commit| indexed(&repo).contains(commit));
    public.sort_unstable();
    assert_eq!(indexed(&bare), public);
    // Its remote branch makes a private branch public.
    repo.git(&["push", "-q", "origin", "private"]);
    repo.cora(&["push"]);
    assert!(indexed(&bare).contains(&private));
}

#[test]
fn the_way_to_a_named_commit_is_not_published() {
    let repo = Repo::sample();
    let bare = remote(&repo, "origin");
    repo.cora(&["index"]);
    repo.git(&["push", "-q", "origin", "main"]);
    repo.cora(&["push"]);
    let private = repo.commit("private");
    let named = repo.commit("named");
    repo.cora(&["index"]);
    assert!(indexed(&repo).contains(&private));
    repo.cora(&["push", "origin", "HEAD"]).says("sent 1 index");
    assert!(indexed(&bare).contains(&named) && !indexed(&bare).contains(&private));
}

#[test]
fn a_tag_keeps_the_commits_of_a_deleted_branch_public() {
    for annotated in [true, false] {
        let repo = Repo::sample();
        let bare = remote(&repo, "origin");
        repo.git(&["switch", "-q", "-c", "release"]);
        let released = repo.commit("released");
        repo.cora(&["index"]);
        let tag: &[&str] = if annotated { &["tag", "-a", "-m", "v1", "v1"] } else { &["tag", "v1"] };
        repo.git(tag);
        repo.git(&["push", "-q", "origin", "release", "v1"]);
        repo.git(&["push", "-q", "origin", "--delete", "release"]);
        repo.cora(&["push"]).says("sent 1 index");
        assert_eq!(indexed(&bare), [released]);
    }
}

#[test]
fn a_remote_branch_that_was_rewritten_has_the_commit_no_more() {
    let repo = Repo::sample();
    let bare = remote(&repo, "origin");
    let oops = taken_back(&repo);
    repo.git(&["push", "-q", "origin", &format!("{oops}:refs/heads/main")]);
    repo.commit("rewritten");
    repo.cora(&["index"]);
    repo.git(&["push", "-q", "-f", "origin", "main"]);
    repo.cora(&["push"]).says("sent 1 index").says("1 index stays here");
    assert!(!indexed(&bare).contains(&oops));
    // Somebody else rewrites it: our tracking branch is out of date and counts for nothing.
    let other = bare.clone_to("other", &[]);
    let before = repo.commit("before");
    repo.git(&["push", "-q", "origin", "main"]);
    other.commit("after");
    other.git(&["push", "-q", "-f", "origin", "main"]);
    repo.cora(&["index"]);
    let run = repo.cora(&["push"]).says("sent 0 indexes").says("2 indexes stay here");
    assert!(
        run.err.contains(
            "hint: this repository lacks 1 branch or tag of 'origin'; run 'git fetch --tags origin "
        ),
        "{}",
        run.err
    );
    repo.git(&["fetch", "-q", "origin"]);
    repo.cora(&["push"]).says("git cora push origin");
    assert!(!indexed(&bare).contains(&before));
}

#[test]
fn an_empty_remote_and_one_that_hides_its_branches_get_nothing() {
    let repo = Repo::sample();
    let bare = remote(&repo, "origin");
    repo.cora(&["index"]);
    repo.try_cora(&["push"]).exits(1).says("sent 0 indexes").says("hint: run 'git push");
    repo.git(&["push", "-q", "origin", "main"]);
    bare.git(&["config", "uploadpack.hideRefs", "refs/heads"]);
    repo.try_cora(&["push"]).exits(1).says("1 index stays here");
    assert_eq!(indexed(&bare), Vec::<String>::new());
    bare.git(&["config", "--unset", "uploadpack.hideRefs"]);
    repo.cora(&["push"]).says("sent 1 index");
}

#[test]
fn each_remote_gets_what_it_has_also_by_its_address() {
    let repo = Repo::sample();
    let (one, two) = (remote(&repo, "one"), remote(&repo, "two"));
    repo.cora(&["index", "HEAD~1", "HEAD"]);
    repo.git(&["push", "-q", "one", "main"]);
    repo.git(&["push", "-q", "two", "main~1:refs/heads/main"]);
    repo.cora(&["push", "one"]).says("sent 2 indexes to 'one'");
    let url = two.url();
    repo.cora(&["push", &url]).says("sent 1 index to").says("1 index stays here");
    assert_eq!(indexed(&one).len(), 2);
    assert_eq!(indexed(&two), [repo.rev("HEAD~1")]);
}

#[test]
fn a_shallow_clone_sends_what_it_knows_to_be_there() {
    let repo = Repo::sample();
    let bare = remote(&repo, "origin");
    repo.git(&["push", "-q", "origin", "main"]);
    let shallow = bare.clone_to("shallow", &["--depth", "2"]);
    let kept = shallow.commit("private");
    shallow.cora(&["index", "HEAD", "HEAD~1"]);
    shallow.cora(&["push"]).says("sent 1 index").says("1 index stays here");
    assert_eq!(indexed(&bare), [repo.rev("HEAD")]);
    shallow.git(&["push", "-q", "origin", "HEAD:refs/heads/more"]);
    shallow.cora(&["push"]).says("sent 1 index");
    assert!(indexed(&bare).contains(&kept));
}

#[test]
fn commentary_and_vectors_stay_here_with_their_commits() {
    let repo = Repo::sample();
    let bare = remote(&repo, "origin");
    repo.git(&["push", "-q", "origin", "main"]);
    let (public, private) = (repo.rev("HEAD"), repo.commit("private"));
    repo.cora(&["index", "HEAD", "HEAD~1"]);
    for commit in [&public, &private] {
        for kind in ["commentary", "embeddings/acme=one"] {
            repo.git(&["update-ref", &format!("refs/cora/{kind}/{commit}"), &format!("refs/cora/{commit}")]);
        }
    }
    let there = |kind: &str| indexed(&bare).iter().filter(|name| name.starts_with(kind)).count();
    repo.cora(&["push"]).says("sent 1 index");
    assert_eq!((there("commentary"), there("embeddings")), (0, 0), "not unasked");
    repo.cora(&["push", "--embeddings", "--commentary"])
        .says("sent vectors of 1 commit to 'origin'")
        .says("note: not sent: vectors of 1 commit that is not on the remote")
        .says("sent commentary of 1 commit to 'origin'");
    assert_eq!((there("commentary"), there("embeddings")), (1, 1));
    assert!(indexed(&bare).iter().all(|name| !name.contains(&private)));
    let second = bare.clone_to("second", &[]);
    second.cora(&["fetch", "--commentary"]).says("received commentary of 1 commit");
    assert_eq!(second.refs("refs/cora/commentary").len(), 1);
    repo.cora(&["push", "--commentary", "origin", "HEAD"]);
    assert_eq!(there("commentary"), 2);
}

#[cfg(unix)]
fn hook(repo: &Repo, path: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let path = repo.path().join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn the_users_pre_push_hook_sees_every_push_and_may_refuse() {
    let repo = Repo::sample();
    let bare = remote(&repo, "origin");
    repo.git(&["push", "-q", "origin", "main"]);
    repo.cora(&["index"]);
    hook(
        &repo,
        ".git/hooks/pre-push",
        "cat > ../seen; echo \"$1\" >> ../seen; echo 'a secret in it!'; exit 1",
    );
    repo.try_cora(&["push"])
        .exits(2)
        .says("error: push failed: the pre-push hook rejected it: a secret in it!")
        .says("hint: run 'git push --dry-run origin HEAD' to run the hook");
    assert_eq!(indexed(&bare), Vec::<String>::new());
    let seen = std::fs::read_to_string(repo.root().join("seen")).unwrap();
    assert!(
        seen.contains(&format!("refs/cora/{}", repo.rev("HEAD"))) && seen.ends_with("origin\n"),
        "{seen}"
    );
    // `core.hooksPath` and a hook that prints but lets it pass.
    repo.git(&["config", "core.hooksPath", "checks"]);
    hook(&repo, "checks/pre-push", "echo fine; echo fine >&2");
    repo.cora(&["push"]).says("sent 1 index");
    repo.git(&["update-ref", "refs/cora/commentary/aa51d04b7a6733917cb9d4319750db9a9cf143cc", "HEAD"]);
    hook(&repo, "checks/pre-push", "exit 1");
    repo.try_cora(&["push", "--commentary", "origin", "HEAD"]).exits(0);
}

#[cfg(unix)]
#[test]
fn a_pre_push_hook_that_pushes_indexes_does_not_start_itself_again() {
    let repo = Repo::sample().with_cora_on_path();
    let bare = remote(&repo, "origin");
    repo.cora(&["index"]);
    repo.git(&["push", "-q", "origin", "main"]);
    hook(&repo, ".git/hooks/pre-push", "echo run >> ../runs; git cora push");
    repo.cora(&["push"]).says("sent 1 index");
    assert_eq!(std::fs::read_to_string(repo.root().join("runs")).unwrap(), "run\n");
    assert_eq!(indexed(&bare), [repo.rev("HEAD")]);
}

#[cfg(unix)]
#[test]
fn a_refusal_has_the_hint_that_fits_it() {
    let repo = Repo::sample();
    let bare = remote(&repo, "origin");
    repo.git(&["push", "-q", "origin", "main"]);
    repo.cora(&["index", "HEAD", "HEAD~1"]);
    // All refs are refused: by a hook, by a setting.
    hook(&bare, "hooks/pre-receive", "echo 'no cora here'; exit 1");
    repo.try_cora(&["push"])
        .exits(2)
        .says("pre-receive hook declined: no cora here")
        .says("hint: ask those who run the server");
    std::fs::remove_file(bare.path().join("hooks/pre-receive")).unwrap();
    bare.git(&["config", "receive.hideRefs", "refs/cora"]);
    let run = repo.try_cora(&["push"]).exits(2).says("deny updating a hidden ref");
    let run = run.says("hint: configure the server to accept refs under");
    assert!(!run.err.contains("ls-remote"), "{}", run.err);
    bare.git(&["config", "--unset", "receive.hideRefs"]);
    // One of two is refused.
    let head = repo.rev("HEAD");
    hook(&bare, "hooks/update", &format!("case $1 in *{head}) echo quota exceeded; exit 1;; esac"));
    repo.try_cora(&["push"])
        .exits(2)
        .says("sent 1 index")
        .says("remote: quota exceeded\n")
        .says(&format!("error: 'origin' rejected 1 ref ('refs/cora/{head}'): hook declined"));
    assert_eq!(indexed(&bare), [repo.rev("HEAD~1")]);
    // Nobody answers.
    repo.git(&["remote", "set-url", "origin", "../gone.git"]);
    repo.try_cora(&["push"]).exits(2).says("push failed: ").says("git ls-remote origin");
    repo.git(&["remote", "set-url", "origin", "file://me:swordfish@/gone.git"]);
    let run = repo.try_cora(&["push", "file://me:swordfish@/gone.git"]).exits(2);
    assert!(!run.err.contains("swordfish"), "{}", run.err);
}

#[test]
fn the_remote_is_the_one_that_git_would_push_to() {
    let repo = Repo::sample();
    for name in ["origin", "fork", "shared"] {
        remote(&repo, name);
        repo.git(&["push", "-q", name, "main"]);
    }
    repo.cora(&["index"]);
    let to = |name: &str| {
        repo.cora(&["push", "-n"]).says(&format!("index to '{name}', "));
    };
    to("origin");
    repo.git(&["config", "branch.main.remote", "shared"]);
    to("shared");
    repo.git(&["config", "remote.pushDefault", "fork"]);
    to("fork");
    repo.try_cora(&["fetch"]).exits(1).says("'shared' has no indexes yet");
    repo.git(&["config", "branch.main.pushRemote", "origin"]);
    to("origin");
    repo.git(&["config", "push.default", "nothing"]);
    to("origin");
    // Of another branch, a dot, and no branch at all.
    repo.git(&["switch", "-q", "-c", "other"]);
    to("fork");
    repo.git(&["config", "branch.other.pushRemote", "."]);
    repo.try_cora(&["push", "-n"]).exits(2).says("is not pushed to a remote").says("git cora push ");
    repo.git(&["switch", "-q", "--detach"]);
    to("fork");
    repo.git(&["config", "--unset", "remote.pushDefault"]);
    to("origin");
    repo.cora(&["push", "-n", "shared"]).says("index to 'shared', ");
}

#[test]
fn settings_of_the_remote_to_push_to_hold_wherever_git_reads_them() {
    let repo = Repo::sample();
    for name in ["origin", "fork", "shared"] {
        remote(&repo, name);
        repo.git(&["push", "-q", name, "main"]);
    }
    repo.cora(&["index"]);
    let to = |repo: &Repo, name: &str| {
        repo.cora(&["push", "-n"]).says(&format!("index to '{name}', "));
    };
    // The settings of the user, then those of the repository, then those of the command.
    repo.git(&["config", "--global", "remote.pushDefault", "fork"]);
    to(&repo, "fork");
    repo.git(&["config", "remote.pushDefault", "shared"]);
    to(&repo, "shared");
    let other = repo
        .with_env("GIT_CONFIG_COUNT", "1")
        .with_env("GIT_CONFIG_KEY_0", "remote.pushDefault")
        .with_env("GIT_CONFIG_VALUE_0", "origin");
    to(&other, "origin");
    // An included file.
    repo.git(&["config", "--unset", "remote.pushDefault"]);
    repo.write(".git/more", "[branch \"main\"]\n\tpushRemote = shared\n");
    repo.git(&["config", "include.path", "more"]);
    to(&repo, "shared");
    // Those of one working tree.
    repo.git(&["config", "extensions.worktreeConfig", "true"]);
    repo.git(&["worktree", "add", "-q", "../linked", "-b", "linked"]);
    let linked = repo.beside("linked");
    to(&linked, "fork");
    linked.git(&["config", "--worktree", "remote.pushDefault", "origin"]);
    to(&linked, "origin");
    to(&repo, "shared");
    // An address instead of a name.
    linked.git(&["config", "--worktree", "remote.pushDefault", "../fork.git"]);
    to(&linked, "../fork.git");
    linked.git(&["config", "--worktree", "remote.pushDefault", "../none.git"]);
    linked.try_cora(&["push", "-n"]).exits(2).says("../none.git");
}

#[test]
fn push_addresses_count_and_not_the_one_to_fetch_from() {
    let repo = Repo::sample();
    let (from, to, also) = (remote(&repo, "origin"), remote(&repo, "to"), remote(&repo, "also"));
    repo.git(&["push", "-q", "origin", "main"]);
    repo.git(&["push", "-q", "to", "main~1:refs/heads/main"]);
    repo.cora(&["index", "HEAD", "HEAD~1"]);
    repo.git(&["config", "remote.origin.pushurl", "../to.git"]);
    repo.cora(&["push"]).says("sent 1 index to 'origin'").says("1 index stays here");
    assert_eq!((indexed(&from).len(), indexed(&to).len()), (0, 1));
    // Two addresses: a commit must be at both.
    repo.git(&["config", "--add", "remote.origin.pushurl", "../also.git"]);
    repo.git(&["push", "-q", "to", "main"]);
    repo.try_cora(&["push"]).exits(1).says("sent 0 indexes").says("2 indexes stay here");
    repo.git(&["push", "-q", "also", "main"]);
    repo.cora(&["push"]).says("sent 2 indexes");
    assert_eq!((indexed(&to).len(), indexed(&also).len()), (2, 2));
    repo.cora(&["push"]).says("sent 0 indexes to 'origin', 2 there already");
    // Of three addresses, one does not answer: the others get what they lack.
    repo.git(&["config", "--replace-all", "remote.origin.pushurl", "../dead.git"]);
    for address in ["../to.git", "../also.git"] {
        repo.git(&["config", "--add", "remote.origin.pushurl", address]);
    }
    for bare in [&to, &also] {
        bare.git(&["update-ref", "-d", &format!("refs/cora/{}", repo.rev("HEAD"))]);
    }
    repo.try_cora(&["push"])
        .exits(2)
        .says("error: '../dead.git': push failed: ")
        .says("and 'git ls-remote ../dead.git' to test this one")
        .says("sent 1 index to 'origin'");
    assert_eq!((indexed(&to).len(), indexed(&also).len()), (2, 2));
    // `pushInsteadOf` rewrites an address for pushing only.
    let repo = Repo::sample();
    let (from, to) = (remote(&repo, "origin"), remote(&repo, "to"));
    repo.git(&["push", "-q", "to", "main"]);
    repo.cora(&["index"]);
    repo.git(&["config", "url.../to.git.pushInsteadOf", "../origin.git"]);
    repo.cora(&["push"]).says("sent 1 index");
    assert_eq!((indexed(&from).len(), indexed(&to).len()), (0, 1));
    // So it does for an address without a name: the place that is written to is asked what it has.
    let repo = Repo::sample();
    let (from, to) = (remote(&repo, "origin"), remote(&repo, "to"));
    repo.git(&["push", "-q", "origin", "main"]);
    repo.cora(&["index"]);
    repo.git(&["config", "url.../to.git.pushInsteadOf", "../origin.git"]);
    repo.try_cora(&["push", "../origin.git"]).exits(1).says("1 index stays here");
    assert_eq!((indexed(&from).len(), indexed(&to).len()), (0, 0));
    // An address that rules have made is used as it is, even if other rules fit it.
    repo.git(&["remote", "set-url", "--push", "origin", "../origin.git"]);
    repo.git(&["remote", "set-url", "--push", "--add", "origin", "../gone.git"]);
    repo.try_cora(&["push"]).says("sent 1 index");
    assert_eq!((indexed(&from).len(), indexed(&to).len()), (1, 0));
}

#[test]
fn settings_of_a_push_neither_stop_it_nor_send_more() {
    let repo = Repo::sample();
    let bare = remote(&repo, "origin");
    repo.git(&["push", "-q", "origin", "main"]);
    repo.cora(&["index"]);
    repo.git(&["tag", "-a", "-m", "private", "private"]);
    repo.git(&["branch", "private-branch"]);
    for (key, value) in [
        ("remote.origin.mirror", "true"),
        ("push.followTags", "true"),
        ("push.recurseSubmodules", "on-demand"),
        ("push.default", "matching"),
        ("remote.origin.push", "+refs/*:refs/*"),
    ] {
        repo.git(&["config", key, value]);
        repo.cora(&["push"]);
        assert_eq!(indexed(&bare), [repo.rev("HEAD")], "{key}");
        assert_eq!(bare.refs("refs/heads").len() + bare.refs("refs/tags").len(), 1, "{key}");
        bare.git(&["update-ref", "-d", &format!("refs/cora/{}", repo.rev("HEAD"))]);
    }
}

#[test]
fn prune_deletes_from_the_remote_what_nothing_there_reaches() {
    let repo = Repo::sample();
    let bare = remote(&repo, "origin");
    let oops = taken_back(&repo);
    let clean = repo.commit("clean");
    repo.cora(&["index"]);
    repo.git(&["push", "-q", "origin", "main"]);
    repo.cora(&["push"]);
    repo.cora(&["push", "origin", &oops]);
    for commit in [&oops, &clean] {
        for kind in ["commentary", "embeddings/acme=one"] {
            let target = format!("refs/cora/{commit}");
            repo.git(&["push", "-q", "origin", &format!("{target}:refs/cora/{kind}/{commit}")]);
        }
    }
    bare.git(&["update-ref", "refs/cora/not-ours", "main"]);
    let all = bare.refs("refs/cora");
    assert_eq!(all.len(), 7);
    repo.cora(&["prune", "--remote", "-n"])
        .says("would delete 3 refs from 'origin'")
        .says("would keep 3 there");
    repo.try_cora(&["prune", "--remote"])
        .exits(2)
        .says("; nothing was deleted")
        .says("hint: use --yes to confirm");
    assert_eq!(bare.refs("refs/cora"), all);
    repo.cora(&["prune", "--remote", "origin", "--yes"]).says("deleted 3 refs from 'origin' and kept 3");
    assert_eq!(bare.refs("refs/cora").len(), 4);
    assert!(bare.refs("refs/cora").iter().all(|line| !line.contains(&oops)));
    repo.cora(&["prune", "--remote", "--yes"]).says("deleted 0 refs");
    // A commit that is not even here, and that nothing can reach then.
    bare.git(&["update-ref", &format!("refs/cora/{}", "12".repeat(20)), "main"]);
    let report = repo.cora(&["prune", "--remote", "--yes", "--json"]).json();
    assert_eq!((report["dropped"].as_array().unwrap().len(), &report["kept"]), (1, &3.into()));
    // By address, and all.
    let url = bare.url();
    repo.cora(&["prune", "--remote", &url, "--all", "--yes"]).says("deleted 3 refs");
    let left = bare.refs("refs/cora");
    assert!(left.len() == 1 && left[0].starts_with("refs/cora/not-ours "), "{left:?}");
    assert!(!repo.refs("refs/cora").is_empty(), "nothing here is touched");
}

#[test]
fn prune_deletes_nothing_from_a_remote_that_is_not_known_well_enough() {
    let repo = Repo::sample();
    let bare = remote(&repo, "origin");
    repo.git(&["push", "-q", "origin", "main"]);
    repo.cora(&["index"]);
    repo.cora(&["push"]);
    let other = bare.clone_to("other", &[]);
    other.git(&["switch", "-q", "-c", "topic"]);
    other.commit("topic");
    other.cora(&["index"]);
    other.git(&["push", "-q", "origin", "topic"]);
    other.cora(&["push"]);
    let all = bare.refs("refs/cora");
    let run = repo.try_cora(&["prune", "--remote", "--yes"]).exits(2).says("('refs/heads/topic')");
    // The hint works when it is copied.
    assert!(
        run.err.contains("'git fetch --tags origin \"+refs/heads/*:refs/remotes/origin/*\"'"),
        "{}",
        run.err
    );
    repo.git(&["fetch", "-q", "--tags", "origin", "+refs/heads/*:refs/remotes/origin/*"]);
    repo.cora(&["prune", "--remote", "--yes"]).says("deleted 0 refs");
    let shallow = bare.clone_to("shallow", &["--depth", "1", "--no-single-branch"]);
    shallow.try_cora(&["prune", "--remote", "--yes"]).exits(2).says("--unshallow");
    assert_eq!(bare.refs("refs/cora"), all);
    // A server that deletes nothing.
    bare.git(&["config", "receive.hideRefs", "refs/cora"]);
    repo.try_cora(&["prune", "--remote", "--all", "--yes"]).exits(2).says("deny deleting a hidden ref");
    assert_eq!(bare.refs("refs/cora"), all);
    repo.try_cora(&["prune", "--all"]).exits(2);
    repo.try_cora(&["prune", "--remote", "--keep", "1"]).exits(2);
}

#[test]
fn a_ref_that_points_to_anything_but_its_index_is_not_sent() {
    let repo = Repo::sample();
    let bare = remote(&repo, "origin");
    repo.git(&["push", "-q", "origin", "main"]);
    repo.cora(&["index"]);
    let main = repo.rev("HEAD");
    let name = format!("refs/cora/{main}");
    let index = repo.rev(&name);
    repo.git(&["checkout", "-q", "--orphan", "private"]);
    repo.write("src/secret.rs", "const SECRET: &str = \"never pushed\";\n");
    let private = repo.commit("private");
    repo.cora(&["index"]);
    let of_private = repo.rev(&format!("refs/cora/{private}"));
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["tag", "-a", "-m", "a tag", "marked", &private]);
    // An index whose second parent is the index of another commit.
    let tree = repo.rev(&format!("{index}^{{tree}}"));
    let carrying = repo.git(&["commit-tree", &tree, "-p", &index, "-p", &of_private, "-m", "git-cora"]);
    for target in [private.as_str(), "marked", &format!("{private}^{{tree}}"), carrying.trim(), &of_private] {
        repo.git(&["update-ref", "--no-deref", &name, &repo.rev(target)]);
        let pushed = repo.try_cora(&["push"]);
        assert_eq!(pushed.code, 2, "{target}: {}", pushed.err);
        assert!(pushed.err.contains("error: 1 ref was not sent"), "{target}: {}", pushed.err);
        assert_eq!(indexed(&bare), Vec::<String>::new(), "{target}");
        assert!(bare.try_git(&["cat-file", "-e", &private]).code != 0, "{target}");
    }
    // One whose commit has all the bytes of an index, with the snapshot of another commit.
    repo.git(&["update-ref", "--no-deref", "-d", &name]);
    repo.write("src/next.rs", "fn next() {}\n");
    let next = repo.commit("next");
    repo.git(&["push", "-q", "origin", "main"]);
    repo.cora(&["index"]);
    let of_next = format!("refs/cora/{next}");
    let valid = repo.git(&["cat-file", "commit", &of_next]);
    let before = repo.rev(&format!("{of_next}^2"));
    let write = |text: &str| {
        let text = format!("{}\n", text.trim_end());
        repo.git_input(&["hash-object", "-t", "commit", "-w", "--stdin"], text)
    };
    assert_eq!(write(&valid), repo.rev(&of_next));
    let forged = write(&valid.replace(&before, &of_private));
    repo.git(&["update-ref", &of_next, &forged]);
    assert!(repo.try_cora(&["push"]).err.contains("error: 1 ref was not sent"));
    assert_eq!(indexed(&bare), Vec::<String>::new());
    assert!(bare.try_git(&["cat-file", "-e", &of_private]).code != 0);
    repo.git(&["update-ref", "-d", &of_next]);

    repo.git(&["symbolic-ref", &name, "refs/heads/private"]);
    assert!(repo.try_cora(&["push"]).err.contains("error: 1 ref was not sent"));
    assert_eq!(indexed(&bare), Vec::<String>::new());
    // The hint works.
    repo.git(&["update-ref", "--no-deref", "-d", &name]);
    repo.cora(&["index"]);
    repo.cora(&["index", &main]);
    repo.cora(&["push"]).says("sent 2 indexes");
    assert_eq!(bare.rev(&name), index);
}

#[test]
fn a_symbolic_ref_on_the_remote_is_left_alone() {
    let repo = Repo::sample();
    let bare = remote(&repo, "origin");
    repo.git(&["push", "-q", "origin", "main", "main:work"]);
    let link = format!("refs/cora/{}", "1".repeat(40));
    bare.git(&["symbolic-ref", &link, "refs/heads/work"]);
    let main = format!("refs/cora/{}", repo.rev("HEAD"));
    bare.git(&["symbolic-ref", &main, "refs/heads/work"]);
    let work = bare.rev("refs/heads/work");
    for args in
        [&["prune", "--remote", "origin", "--yes"][..], &["prune", "--remote", "origin", "--all", "--yes"]]
    {
        let pruned = repo.cora(args);
        assert!(pruned.err.contains("warning: did not delete 2 symbolic refs on 'origin'"), "{}", pruned.err);
        assert_eq!(bare.rev("refs/heads/work"), work);
    }
    repo.cora(&["index"]);
    repo.cora(&["push"]).says("sent 0 indexes");
    assert_eq!(bare.rev("refs/heads/work"), work);
}

/// A hook that works on a repository of its own, as a check of a fresh checkout does.
#[cfg(unix)]
#[test]
fn programs_of_the_user_do_not_see_where_the_repository_is() {
    let repo = Repo::sample();
    remote(&repo, "origin");
    repo.git(&["push", "-q", "origin", "main"]);
    repo.cora(&["index"]);
    let elsewhere = "cd \"$(mktemp -d)\" && git init -q && git commit -q --allow-empty -m mine && \
        git checkout -q -b feature && git reset -q --hard";
    let script =
        |name: &str| format!("env | grep -E '^(GIT|LC_ALL)' | sort > \"$OUT/{name}\"; ({elsewhere})");
    hook(&repo, ".git/hooks/pre-push", &format!("cat > /dev/null; {}", script("push")));
    hook(&repo, "clean.sh", &format!("{}; exec cat", script("filter")));
    hook(&repo, "monitor.sh", &format!("{}; exit 1", script("monitor")));
    repo.write(".gitattributes", "*.md filter=odd\n");
    repo.git(&["config", "filter.odd.clean", "./clean.sh"]);
    repo.git(&["config", "core.fsmonitor", "./monitor.sh"]);
    repo.write("README.md", "an edit\n");
    let (head, out) = (repo.rev("HEAD"), repo.root());
    let user = repo.with_env("OUT", &out).with_env("LC_ALL", "C.UTF-8");
    let seen = |name: &str| std::fs::read_to_string(out.join(name)).unwrap_or_default();
    let by_git = {
        user.git(&["push", "-q", "origin", "HEAD:refs/heads/other"]);
        seen("push")
    };
    user.cora(&["push"]).says("sent 1 index");
    let names = |text: &str| -> Vec<String> {
        let names = text.lines().filter_map(|line| line.split_once('='));
        names.map(|(name, _)| name.to_owned()).filter(|name| name.starts_with("GIT")).collect()
    };
    assert_eq!(names(&seen("push")), names(&by_git));
    user.cora(&["query", "refresh_token"]);
    for name in ["push", "filter", "monitor"] {
        let seen = seen(name);
        for unwanted in ["GIT_DIR", "GIT_WORK_TREE", "GIT_NO_REPLACE", "GIT_GRAFT", "LC_ALL=C\n"] {
            assert!(!seen.contains(unwanted), "{name}: {seen}");
        }
    }
    assert_eq!((repo.rev("HEAD"), repo.git(&["branch", "--list", "feature"])), (head, String::new()));
    assert_eq!(std::fs::read_to_string(repo.path().join("README.md")).unwrap(), "an edit\n");
}
