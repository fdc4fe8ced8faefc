//! The index is a function of the commit. The refs are the same whatever was indexed before, in
//! which order, where, and how often.

use crate::harness::{Dice, Repo};
use crate::history;

/// Indexes each of these commits and no others.
fn index_each(repo: &Repo, commits: &[String], options: &[&str]) {
    for commit in commits {
        repo.cora(&[&["index", "--max-fill", "0", commit.as_str()], options].concat());
    }
}

fn one_history(seed: u64) {
    let dice = &mut Dice(seed);
    let origin = Repo::new();
    let commits = history::random(&origin, seed, 14);
    let clone = |name: &str| origin.clone_to(name, &["--bare"]);

    let at_once = clone("at-once.git");
    let args: Vec<&str> = commits.iter().map(String::as_str).collect();
    at_once.cora(&[&["index", "--max-fill", "0"], args.as_slice()].concat());
    let expected = at_once.index_refs();
    assert_eq!(expected.len(), commits.len(), "seed {seed}");

    let oldest_first = clone("oldest-first.git");
    index_each(&oldest_first, &commits, &[]);
    assert_eq!(oldest_first.index_refs(), expected, "oldest first, seed {seed}");

    let any_order = clone("any-order.git");
    let mut shuffled = commits.clone();
    dice.shuffle(&mut shuffled);
    index_each(&any_order, &shuffled, &[]);
    assert_eq!(any_order.index_refs(), expected, "any order, seed {seed}");

    let from_scratch = clone("from-scratch.git");
    dice.shuffle(&mut shuffled);
    index_each(&from_scratch, &shuffled[..5], &["--force"]);
    for line in from_scratch.index_refs() {
        assert!(expected.contains(&line), "from scratch, seed {seed}: {line}");
    }
    // Indexing again with `--force` changes nothing.
    index_each(&any_order, &shuffled[..3], &["--force"]);
    assert_eq!(any_order.index_refs(), expected, "again, seed {seed}");
    any_order.git(&["fsck", "--strict", "--no-dangling"]);
    any_order.cora(&["verify", "--all"]);
}

#[test]
fn random_histories_1() {
    (1..=3).for_each(one_history);
}

#[test]
fn random_histories_2() {
    (4..=6).for_each(one_history);
}

#[test]
fn filling_a_line_gives_what_indexing_each_commit_gives() {
    let origin = Repo::new();
    let commits = history::random(&origin, 77, 16);
    let line: Vec<String> =
        origin.git(&["rev-list", "--first-parent", "main"]).lines().map(str::to_owned).collect();
    let filled = origin.clone_to("filled", &[]);
    filled.cora(&["index", line.last().unwrap()]);
    filled.cora(&["index", "main"]);
    assert_eq!(filled.index_refs().len(), line.len());

    let ranged = origin.clone_to("ranged", &[]);
    ranged.cora(&["index", commits[0].as_str()]);
    ranged.cora(&["index", &format!("{}..origin/main", line.last().unwrap())]);
    let refs = ranged.index_refs();
    for line in filled.index_refs() {
        assert!(refs.contains(&line), "{line}");
    }
}

#[test]
fn a_root_commit_has_its_snapshot_and_others_two_parents() {
    let repo = Repo::sample();
    repo.cora(&["index", "HEAD", "HEAD~1", "HEAD~2"]);
    let root = repo.git(&["cat-file", "commit", &format!("refs/cora/{}", repo.rev("HEAD~2"))]);
    assert!(!root.contains("\nparent "), "{root}");
    let tip = format!("refs/cora/{}", repo.rev("HEAD"));
    let parents = repo.git(&["log", "-1", "--format=%P", &tip]);
    let parents: Vec<&str> = parents.split(' ').collect();
    assert_eq!(parents.len(), 2);
    let parent_index = format!("refs/cora/{}", repo.rev("HEAD~1"));
    assert_eq!(repo.rev(&format!("{parent_index}^1")), parents[1], "the snapshot of the first parent");
    assert_eq!(repo.rev(&format!("{tip}^{{tree}}")), repo.rev(&format!("{}^{{tree}}", parents[0])));
    // With the same tree, both snapshots are equal and become one parent.
    repo.git(&["commit", "-q", "--allow-empty", "-m", "nothing"]);
    repo.cora(&["index"]);
    let same = format!("refs/cora/{}", repo.rev("HEAD"));
    assert_eq!(repo.git(&["log", "-1", "--format=%P", &same]), parents[0]);
}

#[test]
fn the_record_tree_mirrors_the_source_tree() {
    let repo = Repo::new();
    history::random(&repo, 5, 12);
    repo.cora(&["index"]);
    let paths = |rev: &str| repo.git(&["ls-tree", "-r", "-z", "--name-only", rev]);
    assert_eq!(paths(&format!("refs/cora/{}:files", repo.rev("HEAD"))), paths("HEAD"));
}

#[test]
fn options_are_part_of_an_index_and_threads_are_not() {
    let repo = Repo::sample();
    repo.cora(&["index"]);
    let refs = repo.index_refs();
    repo.git(&["config", "cora.threads", "1"]);
    repo.cora(&["index", "--force"]);
    assert_eq!(repo.index_refs(), refs, "the number of threads");
    repo.git(&["config", "cora.chunkBytes", "300"]);
    repo.cora(&["index"]);
    assert_ne!(repo.index_refs(), refs, "the size of chunks");
    repo.git(&["config", "--unset", "cora.chunkBytes"]);
    repo.cora(&["index"]);
    assert_eq!(repo.index_refs(), refs, "back again");
}

#[test]
fn what_could_not_be_read_is_not_passed_on() {
    let repo = Repo::sample();
    let whole = repo.clone_to("whole", &[]);
    let blob = repo.rev("HEAD:cmd/server.go");
    let loose = repo.path().join(".git/objects").join(&blob[..2]).join(&blob[2..]);
    let kept = std::fs::read(&loose).unwrap();
    std::fs::remove_file(&loose).unwrap();
    let run = repo.cora(&["index", "--json"]);
    assert_eq!(run.json()["unreadable"], serde_json::json!(["cmd/server.go"]));
    assert_eq!(repo.refs("refs/cora"), Vec::<String>::new(), "such an index is local");
    assert_eq!(repo.refs("refs/cora-local").len(), 1);

    // The next commit does not touch the unreadable file. Its index must not inherit the gap.
    repo.write("more.rs", "fn more() {}\n");
    repo.git(&["add", "more.rs"]);
    repo.git(&["commit", "-q", "-m", "more"]);
    repo.cora(&["index"]);
    assert_eq!(repo.refs("refs/cora"), Vec::<String>::new(), "nor the next one");

    // The blob comes back: now both indexes are the ones that everybody builds.
    std::fs::write(&loose, kept).unwrap();
    repo.cora(&["index"]);
    repo.cora(&["index", "HEAD~1"]);
    whole.git(&["fetch", "-q", "origin"]);
    whole.cora(&["index", "origin/main"]);
    whole.cora(&["index", "origin/main~1"]);
    assert_eq!(repo.index_refs(), whole.index_refs());
}

/// Indexes these revisions only and compares with a fresh clone; returns the number of files read.
fn n_read(repo: &Repo, revisions: &[&str]) -> u64 {
    let args = [&["index", "--json", "--max-fill", "0"], revisions].concat();
    let run = repo.cora(&args).json();
    let n = ["files", "skipped"].iter().map(|key| run[key].as_u64().unwrap()).sum();
    let fresh = repo.clone_to(&format!("fresh-{}", repo.rev(revisions[0])), &["--bare"]);
    let commits: Vec<String> = revisions.iter().map(|revision| repo.rev(revision)).collect();
    index_each(&fresh, &commits, &[]);
    let refs = repo.index_refs();
    for line in fresh.index_refs() {
        assert!(refs.contains(&line), "{revisions:?}: {line}");
    }
    n
}

#[test]
fn only_what_can_differ_is_read() {
    let repo = Repo::new();
    for at in 0..30 {
        repo.write(&format!("lib/inner/f{at}.py"), format!("def f{at}():\n    return {at}\n"));
    }
    repo.write("notes.md", "# Notes\n");
    repo.commit("all");
    assert_eq!(n_read(&repo, &["HEAD"]), 31);

    repo.git(&["mv", "lib", "core"]);
    repo.write("core/inner/f0.py", "def f0():\n    return 1\n");
    repo.commit("a directory moves, and one file in it changes");
    assert_eq!(n_read(&repo, &["HEAD"]), 1);

    repo.write(".gitattributes", "*.md linguist-generated\ncore/inner/f1?.py linguist-vendored\n");
    repo.commit("attributes of the notes and ten files");
    assert_eq!(n_read(&repo, &["HEAD"]), 12, "with the file of attributes itself");

    // Backwards from the newest: the nearest index is that of the child, not that of the tip.
    for at in 0..30 {
        repo.write(&format!("core/inner/f{at}.py"), format!("def g{at}():\n    return {at}\n"));
    }
    repo.commit("everything changes");
    repo.write("notes.md", "# Other notes\n");
    repo.commit("one changes");
    for at in 0..30 {
        repo.write(&format!("core/inner/f{at}.py"), format!("def h{at}():\n    return {at}\n"));
    }
    repo.commit("everything changes again");
    repo.git(&["update-ref", "-d", &format!("refs/cora/{}", repo.rev("HEAD~3"))]);
    n_read(&repo, &["HEAD"]);
    n_read(&repo, &["HEAD~1"]);
    // All files differ in its parent, which is read too.
    assert_eq!(n_read(&repo, &["HEAD~2"]), 1 + 30);
    // Filling a line reads each change once.
    let line = repo.clone_to("line", &[]);
    line.cora(&["index", "HEAD~5"]);
    let run = line.cora(&["index", "--json", "HEAD"]).json();
    assert_eq!(run["filled"].as_array().map(Vec::len), Some(4), "{run}");
    let n_skipped = run["skipped"].as_u64().unwrap();
    assert_eq!(run["files"].as_u64().unwrap() + n_skipped, (30 + 2) + 30 + 1 + 30 + (10 + 1), "{run}");
}
