//! Moving indexes: plain Git and `git cora push`/`fetch`, under Git's strictest checks, and refs
//! that must not be pushed.

use crate::harness::Repo;

/// Creates a bare repository that checks every object, with the source of `repo`, as `origin`.
fn strict_remote(repo: &Repo) -> Repo {
    let bare = repo.clone_to("remote.git", &["--bare"]);
    for key in ["receive.fsckObjects", "transfer.fsckObjects", "uploadpack.allowFilter"] {
        bare.git(&["config", key, "true"]);
    }
    repo.git(&["remote", "add", "origin", &bare.url()]);
    repo.git(&["fetch", "-q", "origin"]);
    bare
}

/// Returns the size of the pack that Git sends for `wants` to a side that has all of `has`.
fn pack_bytes(repo: &Repo, wants: &[String], has: &[String]) -> usize {
    let has: Vec<String> = has.iter().map(|id| format!("^{id}")).collect();
    let revs = [wants, has.as_slice()].concat().join("\n") + "\n";
    let mut command = repo.command("git");
    command.args(["pack-objects", "--revs", "--thin", "--stdout", "-q"]).stdin(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), revs.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    output.stdout.len()
}

#[test]
fn plain_git_moves_indexes_and_nothing_is_computed_there() {
    let repo = Repo::sample();
    strict_remote(&repo);
    repo.cora(&["index", "HEAD~2..HEAD", "HEAD~2"]);
    repo.git(&["push", "-q", "origin", "refs/cora/*"]);
    let second = repo.beside("remote.git").clone_to("second", &["-c", "fetch.fsckObjects=true"]);
    second.git(&["config", "fetch.fsckObjects", "true"]);
    second.git(&["fetch", "-q", "origin", "refs/cora/*:refs/cora/*"]);
    assert_eq!(second.index_refs(), repo.index_refs());
    let objects = second.objects();
    for rev in ["HEAD", "HEAD~1", "HEAD~2"] {
        let here = repo.cora(&["query", "--json", "--rev", rev, "refresh token"]).out;
        assert_eq!(second.cora(&["query", "--json", "--rev", rev, "refresh token"]).out, here);
        let report = second.cora(&["index", "--json", rev]).json();
        assert_eq!(report["commits"][0]["was_there"], true);
    }
    assert_eq!(second.objects(), objects, "nothing was written");
    second.cora(&["verify", "--all"]).says("0 differ");
}

#[test]
fn the_next_commit_moves_kilobytes() {
    let repo = Repo::new();
    for n in 0..400 {
        let body: String = (0..12)
            .map(|m| format!("    step_{n}_{m} = ledger_{}(total_{m}, rate_{n})\n", n * 7 + m))
            .collect();
        repo.write(&format!("pkg{}/mod{n}.py", n % 20), format!("def settle_{n}(total, rate):\n{body}"));
    }
    repo.commit("large");
    let bare = strict_remote(&repo);
    repo.cora(&["index"]);
    repo.cora(&["push", "-q"]);
    let had: Vec<String> = repo.index_refs().iter().map(|line| line[line.len() - 40..].to_owned()).collect();
    let whole = pack_bytes(&repo, &had, &[]);
    repo.write("pkg3/mod3.py", "def settle_3(total, rate):\n    return total * rate\n");
    let commit = repo.commit("small");
    repo.git(&["push", "-q", "origin", "main"]);
    repo.cora(&["index"]);
    let tip = repo.rev(&format!("refs/cora/{commit}"));
    let next = pack_bytes(&repo, &[tip], &had);
    println!("whole index: {whole} bytes; the next commit's: {next} bytes");
    assert!(whole > 40_000, "{whole}");
    assert!(next < 4_096, "{next}");
    assert!(next * 10 < whole);
    repo.cora(&["push"]).says("sent 1 index to ");
    assert_eq!(bare.index_refs(), repo.index_refs());
}

#[test]
fn push_and_fetch_send_what_is_missing_and_say_so() {
    let repo = Repo::sample();
    let bare = strict_remote(&repo);
    repo.cora(&["index", "HEAD", "HEAD~1", "HEAD~2"]);
    repo.cora(&["push", "--dry-run"]).says("would send 3 indexes to 'origin', 0 there already");
    assert_eq!(bare.index_refs(), Vec::<String>::new());
    repo.cora(&["push", "origin", "HEAD~2"]).says("sent 1 index to ");
    repo.cora(&["push", "origin"]).says("sent 2 indexes to 'origin', 1 there already");
    repo.cora(&["push"]).says("sent 0 indexes to 'origin', 3 there already");
    assert_eq!(bare.index_refs(), repo.index_refs());

    let second = bare.clone_to("second", &[]);
    second.cora(&["fetch", "-n"]).says("would receive 3");
    assert_eq!(second.index_refs(), Vec::<String>::new());
    second.cora(&["fetch", "origin", "HEAD"]).says("received 1");
    assert_eq!(second.index_refs().len(), 1);
    second.cora(&["fetch"]).says("received 2 indexes from 'origin', 1 here already");
    assert_eq!(second.index_refs(), repo.index_refs());
    assert_eq!(second.refs("refs/remotes/origin/cora"), Vec::<String>::new());

    // A clone without the newest commit does not receive its index.
    let old = bare.clone_to("old", &["--no-local", "-b", "main"]);
    repo.write("new.rs", "fn new() {}\n");
    repo.commit("new");
    repo.git(&["push", "-q", "origin", "main"]);
    repo.cora(&["index"]);
    repo.cora(&["push"]);
    old.cora(&["fetch"]).says("1 not fetched, because this repository lacks its commit");
    assert_eq!(old.index_refs().len(), 3);
}

#[test]
fn a_gap_is_bridged_by_the_line_between() {
    let repo = Repo::sample();
    for n in 0..4 {
        repo.write(&format!("s{n}.rs"), format!("fn s{n}() {{}}\n"));
        repo.commit("step");
    }
    let bare = strict_remote(&repo);
    repo.cora(&["index", "HEAD~4"]);
    repo.cora(&["push"]);
    repo.cora(&["index"]);
    repo.cora(&["push", "origin", "HEAD"]).says("sent 4 indexes");
    assert_eq!(bare.index_refs().len(), 5);
}

#[test]
fn another_index_there_is_left_alone() {
    let repo = Repo::sample();
    let bare = strict_remote(&repo);
    repo.cora(&["index"]);
    repo.cora(&["push"]);
    let refs = bare.index_refs();
    let other = bare.clone_to("other", &[]);
    other.git(&["config", "cora.chunkBytes", "300"]);
    other.cora(&["index"]);
    let mine = other.index_refs();
    other.cora(&["push"]).says("has 1 index made by another version").says("nothing was overwritten");
    assert_eq!(bare.index_refs(), refs);
    other.cora(&["fetch"]).says("1 here already");
    assert_eq!(other.index_refs(), mine, "ours stays");
}

#[test]
fn what_cant_be_moved_is_an_error_with_gits_words() {
    let repo = Repo::sample();
    repo.cora(&["index"]);
    repo.try_cora(&["push"]).exits(2).says("there is no remote");
    let bare = Repo::sample();
    strict_remote(&bare);
    bare.try_cora(&["push"]).exits(1).says("nothing is indexed here yet").says("hint: ");
    repo.try_cora(&["push", "nowhere"]).exits(2).says("push failed").says("nowhere");
    repo.try_cora(&["fetch", "nowhere"]).exits(2).says("fetch failed");
    // A remote that looks like an option is refused.
    repo.try_cora(&["fetch", "--", "--upload-pack=touch pwned"]).exits(2);
    assert!(!repo.path().join("pwned").exists());
    strict_remote(&repo);
    repo.try_cora(&["push", "origin", "HEAD~1"])
        .exits(2)
        .says("not indexed")
        .says("hint: run 'git cora index ");
    repo.try_cora(&["fetch", "origin", "HEAD"])
        .exits(2)
        .says("'origin' has no index of commit")
        .says("hint: run 'git cora index ");
    repo.try_cora(&["fetch"])
        .exits(1)
        .says("'origin' has no indexes yet")
        .says("hint: run 'git cora index && git cora push'");
    repo.try_cora(&["push", "main"])
        .exits(2)
        .says("'main' is a revision, not a remote")
        .says("git cora push origin main");
    repo.git(&["remote", "rename", "origin", "one"]);
    repo.cora(&["push"]).says("'one'");
    repo.git(&["remote", "add", "two", "../two.git"]);
    repo.try_cora(&["push"]).exits(2).says("several remotes");
    repo.git(&["config", "branch.main.remote", "one"]);
    repo.cora(&["push"]).says("1 there already");
}

#[test]
fn a_shallow_boundary_is_indexed_locally_and_not_pushed() {
    let repo = Repo::sample();
    let bare = strict_remote(&repo);
    let shallow = bare.clone_to("shallow", &["--depth", "1"]);
    let report = shallow.cora(&["index", "--json"]).json();
    assert_eq!(report["commits"][0]["local"], true);
    assert_eq!(shallow.refs("refs/cora"), Vec::<String>::new());
    assert_eq!(shallow.refs("refs/cora-local").len(), 1);
    assert_eq!(shallow.found(&["refresh_token"])[0], "lib/auth.py");
    shallow.try_cora(&["push"]).exits(1).says("all indexes here are local").says("--unshallow");
    // A commit on top has its parent here, so its index is the one that everybody builds.
    shallow.write("top.rs", "fn top() {}\n");
    let top = shallow.commit("top");
    shallow.cora(&["index"]);
    assert_eq!(shallow.refs("refs/cora").len(), 1);
    shallow.git(&["push", "-q", "origin", "HEAD:refs/heads/top"]);
    repo.git(&["fetch", "-q", "origin"]);
    repo.cora(&["index", &top]);
    assert_eq!(shallow.refs("refs/cora"), repo.refs(&format!("refs/cora/{top}")));
    shallow.cora(&["push"]).says("sent 1");
    assert_eq!(bare.index_refs(), repo.refs(&format!("refs/cora/{top}")));
    // With the whole history, the local index becomes a shared one.
    shallow.git(&["fetch", "-q", "--unshallow"]);
    shallow.cora(&["index", "HEAD~1"]);
    assert_eq!(shallow.refs("refs/cora-local"), Vec::<String>::new());
    repo.cora(&["index", "main"]);
    let main = format!("refs/cora/{}", repo.rev("main"));
    assert_eq!(shallow.refs(&main), repo.refs(&main));
}

#[test]
fn a_partial_clone_indexes_and_fetches_whole_indexes() {
    let repo = Repo::sample();
    let bare = strict_remote(&repo);
    repo.cora(&["index"]);
    let partial = bare.clone_to("partial", &["--filter=blob:none", "--no-checkout"]);
    partial.cora(&["index"]);
    assert_eq!(partial.index_refs(), repo.index_refs(), "the blobs come as they are needed");

    repo.cora(&["push"]);
    let fetching = bare.clone_to("fetching", &["--filter=blob:none", "--no-checkout"]);
    fetching.cora(&["fetch"]).says("received 1");
    let cut_off = fetching.with_env("GIT_NO_LAZY_FETCH", "1");
    assert_eq!(cut_off.found(&["--rev", "HEAD", "serveHealth"])[0], "cmd/server.go");
    let expected = repo.cora(&["query", "--json", "--rev", "HEAD", "serveHealth"]).out;
    assert_eq!(fetching.cora(&["query", "--json", "--rev", "HEAD", "serveHealth"]).out, expected);
}

#[test]
fn a_partial_clone_without_its_remote_has_gaps_and_says_so() {
    let repo = Repo::sample();
    let bare = strict_remote(&repo);
    let partial = bare.clone_to("partial", &["--filter=blob:none", "--no-checkout"]);
    std::fs::rename(bare.path(), bare.root().join("gone.git")).unwrap();
    let run = partial.cora(&["index"]).says("could not be read");
    assert!(run.err.contains("will not be pushed"), "{}", run.err);
    assert_eq!(partial.refs("refs/cora"), Vec::<String>::new());
    let hint = format!("run 'git cora index {}' to try again", &partial.rev("HEAD")[..12]);
    partial.try_cora(&["query", "refresh", "--rev", "HEAD"]).prints("could not be read").prints(&hint);
    // When the remote is back, the answer is complete again.
    std::fs::rename(bare.root().join("gone.git"), bare.path()).unwrap();
    partial.cora(&["index", "HEAD"]);
    let run = partial.cora(&["query", "refresh", "--rev", "HEAD"]).prints("lib/auth.py");
    assert!(!run.out.contains("could not be read"), "{}", run.out);
}

#[test]
fn a_ref_that_is_no_index_is_not_fetched_as_one() {
    let repo = Repo::sample();
    let bare = strict_remote(&repo);
    repo.cora(&["index"]);
    repo.git(&["push", "-q", "origin", "refs/cora/*"]);
    // The id of a tag, and a commit whose ref points to source.
    bare.git(&["tag", "-a", "-m", "one", "v1"]);
    let (tag, head, before) = (bare.rev("v1"), bare.rev("HEAD"), bare.rev("HEAD~"));
    bare.git(&["update-ref", &format!("refs/cora/{tag}"), &head]);
    bare.git(&["update-ref", &format!("refs/cora/{before}"), &head]);
    let other = bare.clone_to("other", &[]);
    let run = other.cora(&["fetch"]).says("received 1 index from 'origin'");
    assert!(run.err.contains("note: 1 ref ('refs/cora/"), "{}", run.err);
    assert_eq!(other.index_refs().len(), 1, "{:?}", other.index_refs());
    assert!(other.index_refs()[0].contains(&head), "{:?}", other.index_refs());
}
