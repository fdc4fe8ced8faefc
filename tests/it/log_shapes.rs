//! Histories of every shape: merges, shallow clones, rewritten commits, grafts, wrong clocks.

use crate::harness::Repo;
use crate::log::{SEND, log, subjects};

#[test]
fn the_same_side_of_a_merge_is_followed() {
    let repo = Repo::new();
    repo.write("a.py", format!("class A:\n{SEND}\n\ndef other():\n    return 1\n"));
    repo.commit("add");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write(
        "a.py",
        format!("class A:\n{}\n\ndef other():\n    return 1\n", SEND.replace("(tries)", "(9)")),
    );
    repo.commit("on the side");
    repo.git(&["checkout", "-q", "-"]);
    repo.write("a.py", format!("import x\nclass A:\n{SEND}\n\ndef other():\n    return 2\n"));
    repo.commit("on the main line");
    repo.git(&["merge", "-q", "--no-edit", "side"]);
    assert_eq!(log(&repo, "a.py:send"), ["body", "added"]);
    assert_eq!(log(&repo, "a.py:other"), ["body", "added"]);
}

#[test]
fn an_octopus_has_the_commits_of_its_branches() {
    let repo = Repo::new();
    let text = |first: u32, second: u32| {
        let between = "    step()\n".repeat(8);
        format!("def send(upload):\n    one = {first}\n{between}    two = {second}\n    return one + two\n")
    };
    let branches = |main: &[(&str, &str, String)]| {
        for (name, path, text) in main {
            repo.git(&["checkout", "-q", "-b", name, "main"]);
            repo.write(path, text);
            repo.commit(&format!("on {name}"));
        }
        repo.git(&["checkout", "-q", "main"]);
        repo.write("main.txt", main.len().to_string());
        repo.commit("on main");
        let names: Vec<&str> = main.iter().map(|one| one.0).collect();
        repo.git(&[&["merge", "-q", "-m", "octopus"], names.as_slice()].concat());
        let parents = repo.git(&["log", "-1", "--format=%P"]);
        assert_eq!(parents.split_whitespace().count(), names.len() + 1);
    };
    repo.write("a.py", text(1, 2));
    repo.commit("add");
    // One of its branches changed the declaration.
    let other = || "other = 1\n".to_owned();
    branches(&[("w", "b.py", other()), ("x", "a.py", text(10, 2)), ("y", "c.py", other())]);
    assert_eq!(subjects(&repo, "send"), ["on x", "add"]);
    // Two did, so the declaration is new in the merge.
    repo.write("a.py", text(1, 2));
    repo.commit("back");
    branches(&[("p", "a.py", text(10, 2)), ("q", "a.py", text(1, 20)), ("r", "d.py", other())]);
    let found = subjects(&repo, "send");
    let (first, rest) = found.split_at(3);
    assert_eq!((first[0].as_str(), rest), ("octopus", ["back", "on x", "add"].map(str::to_owned).as_slice()));
    assert!(first.contains(&"on p".to_owned()) && first.contains(&"on q".to_owned()), "{first:?}");
}

#[test]
fn a_shallow_clone_says_where_it_ends() {
    let repo = Repo::new();
    repo.write("a.py", format!("class A:\n{SEND}"));
    repo.commit("add");
    repo.write("a.py", format!("class A:\n{}", SEND.replace("(tries)", "(9)")));
    repo.commit("body");
    let shallow = repo.clone_to("shallow", &["--depth", "1", "--no-local"]);
    assert_eq!(log(&shallow, "a.py:send"), ["cut off (shallow clone)"]);
    assert_eq!(log(&repo, "a.py:send"), ["body", "added"]);
    // The kept history ends where the clone ended before.
    shallow.git(&["fetch", "-q", "--unshallow"]);
    assert_eq!(log(&shallow, "a.py:send"), ["body", "added"]);
}

#[test]
fn a_rewritten_history_is_followed_again() {
    let repo = Repo::new();
    let with = |tries: &str| format!("class A:\n{}", SEND.replace("(tries)", tries));
    repo.write("a.py", format!("class A:\n{SEND}"));
    let first = repo.commit("add");
    repo.write("a.py", with("(8)"));
    repo.commit("eight");
    repo.write("a.py", with("(9)"));
    repo.commit("nine");
    assert_eq!(subjects(&repo, "a.py:send"), ["nine", "eight", "add"]);
    // The tip is replaced, and has the same text as before.
    repo.git(&["commit", "-q", "--amend", "-m", "again nine"]);
    assert_eq!(subjects(&repo, "a.py:send"), ["again nine", "eight", "add"]);
    // Two commits become one, behind a new one.
    repo.git(&["reset", "-q", "--hard", first.as_str()]);
    repo.write("b.py", "b = 1\n");
    repo.commit("between");
    repo.write("a.py", with("(9)"));
    repo.commit("one");
    assert_eq!(subjects(&repo, "a.py:send"), ["one", "add"]);
    // A branch without the change goes its own way.
    repo.git(&["checkout", "-q", "-b", "other", first.as_str()]);
    assert_eq!(subjects(&repo, "a.py:send"), ["add"]);
}

#[test]
fn a_merge_over_a_renamed_file_has_both_sides() {
    let repo = Repo::new();
    let rest = "\n\ndef other():\n    return 1\n".repeat(3);
    repo.write("old.py", format!("class A:\n{SEND}{rest}"));
    repo.commit("add");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("old.py", format!("class A:\n{}{rest}", SEND.replace("(tries)", "(9)")));
    repo.commit("on the side");
    repo.git(&["checkout", "-q", "-"]);
    repo.git(&["mv", "old.py", "new.py"]);
    repo.commit("file renamed");
    repo.git(&["merge", "-q", "--no-edit", "side"]);
    assert_eq!(repo.cora(&["log", "--json", "new.py:send"]).json()["commits"][0]["subject"], "file renamed");
    assert_eq!(log(&repo, "new.py:send"), ["moved", "body", "added"]);
}

#[test]
fn grafts_are_ignored() {
    let repo = Repo::new();
    repo.write("a.py", format!("class A:\n{SEND}"));
    repo.commit("add");
    repo.write("a.py", format!("class A:\n{}", SEND.replace("(tries)", "(9)")));
    let tip = repo.commit("body");
    repo.write(".git/info/grafts", format!("{tip}\n"));
    assert_eq!(log(&repo, "a.py:send"), ["body", "added"]);
    repo.cora(&["log", "a.py:send"]).says("grafts are ignored");
    repo.cora(&["when", "a.py:send"]).says("grafts are ignored").prints(": add\n");
    repo.cora(&["when", "\"range(tries)\""]).says("grafts are ignored").prints("added").prints(": add\n");
}

#[test]
fn a_wrong_clock_does_not_change_the_order() {
    let repo = Repo::new();
    let text = |n: usize| format!("def alpha():\n    first()\n    second({n})\n    return {n}\n");
    for (n, year) in [(1, 2020), (2, 2031), (3, 2022), (4, 2009)] {
        repo.write("a.py", text(n));
        repo.git(&["add", "."]);
        let date = format!("{year}-01-01T00:00:00Z");
        let repo = repo.with_env("GIT_COMMITTER_DATE", &date).with_env("GIT_AUTHOR_DATE", &date);
        repo.git(&["commit", "-q", "-m", &format!("number {n}")]);
    }
    let answer = repo.cora(&["log", "--json", "a.py:alpha"]).json();
    let subjects = answer["commits"].as_array().unwrap().iter().map(|one| one["subject"].as_str().unwrap());
    assert_eq!(subjects.collect::<Vec<_>>(), ["number 4", "number 3", "number 2", "number 1"]);
    repo.cora(&["when", "alpha"]).prints("number 1");
    repo.cora(&["blame", "alpha"]).prints("number 4");
}

#[test]
fn a_file_that_is_removed_first_and_added_later_was_moved() {
    let repo = Repo::new();
    repo.write("net.py", format!("class A:\n{SEND}"));
    repo.write("other.py", "x = 1\n");
    repo.commit("add");
    repo.git(&["rm", "-q", "net.py"]);
    repo.commit("out with the old");
    repo.write("net/wire.py", format!("import x\n\n\nclass A:\n{SEND}"));
    repo.commit("in with the new");
    assert_eq!(subjects(&repo, "send"), ["in with the new", "add"]);
    assert_eq!(log(&repo, "send"), ["moved", "added"]);
    // A declaration that the commit before did not remove has not moved.
    repo.write("gone.py", "def gone():\n    return 1\n");
    repo.commit("another file");
    repo.git(&["rm", "-q", "gone.py"]);
    repo.commit("out");
    repo.write("wire2.py", format!("class B:\n{SEND}"));
    repo.commit("copy");
    assert_eq!(log(&repo, "wire2.py:send"), ["added"]);
}

#[test]
fn submodules_lack_no_versions_of_files() {
    let inner = Repo::new();
    inner.write("a.txt", "1\n");
    inner.commit("inner");
    let head = inner.git(&["rev-parse", "HEAD"]);
    let repo = Repo::new();
    repo.write("a.py", format!("class A:\n{SEND}"));
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},sub", head.trim())]);
    repo.git(&["add", "a.py"]);
    repo.git(&["commit", "-qm", "add"]);
    repo.git(&["mv", "a.py", "b.py"]);
    repo.git(&["update-index", "--force-remove", "sub"]);
    repo.git(&["commit", "-qm", "move"]);
    let run = repo.cora(&["log", "b.py:send"]);
    assert!(!run.err.contains("missing"), "{}", run.err);
    assert_eq!(subjects(&repo, "b.py:send"), ["move", "add"]);
}

#[test]
fn the_source_of_a_bundle_comes_first_and_other_spellings_are_named() {
    let repo = Repo::new();
    let text = "function spreadAll(callback) {\n  return callback.apply(null, arguments);\n}\nmodule.exports = spreadAll;\n";
    repo.write("dist/axios.js", text);
    repo.write("lib/spread.js", text);
    repo.commit("add");
    let found = repo.cora(&["log", "--json", "spreadAll"]).json();
    assert_eq!(found["declaration"]["path"], "lib/spread.js");
    let run = repo.cora(&["log", "spread_all"]);
    assert!(run.err.contains("nothing is named 'spread_all' as written; this is 'spreadAll'"), "{}", run.err);
}
