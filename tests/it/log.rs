//! The history of a declaration: `git cora log`.

use serde_json::Value;

use crate::harness::Repo;

const SEND: &str = "    def send(self, upload, tries):
        for attempt in range(tries):
            if self.socket.write(upload, attempt):
                return attempt
        raise TimeoutError(upload)
";

/// What each commit of a history changed, newest first.
fn changes(run: &Value) -> Vec<String> {
    let join = |one: &Value| {
        let names = one["changes"].as_array().unwrap();
        names.iter().map(|name| name.as_str().unwrap()).collect::<Vec<_>>().join("+")
    };
    run["commits"].as_array().unwrap().iter().map(join).collect()
}

fn log(repo: &Repo, declaration: &str) -> Vec<String> {
    changes(&repo.cora(&["log", "--json", declaration]).json())
}

#[test]
fn a_method_is_followed_through_everything() {
    let repo = Repo::new();
    repo.write("net.py", format!("class Link:\n{SEND}"));
    repo.commit("add");
    repo.write("net.py", format!("import socket\n\n\nclass Link:\n{SEND}\n\ndef other():\n    return 1\n"));
    repo.commit("beside");
    repo.write("net.py", format!("import socket\n\n\nclass Wire:\n{SEND}\n\ndef other():\n    return 1\n"));
    repo.commit("class renamed");
    let body = SEND.replace("return attempt", "return attempt + 1");
    repo.write("net.py", format!("class Wire:\n{body}\n\ndef other():\n    return 1\n"));
    repo.commit("body");
    repo.write("net.py", "def other():\n    return 1\n");
    repo.write("lib/wire.py", format!("class Wire:\n{body}"));
    repo.commit("moved");
    let renamed = body.replace("def send(", "def deliver(");
    repo.write("lib/wire.py", format!("class Wire:\n{renamed}"));
    repo.commit("renamed");
    let signed = renamed.replace("upload, tries)", "upload, tries=3)");
    repo.write("lib/wire.py", format!("class Wire:\n{signed}"));
    repo.commit("signature");
    let expected = ["signature", "renamed", "moved", "body", "scope", "added"];
    assert_eq!(log(&repo, "lib/wire.py:deliver"), expected);
    // By line, by bare name, and from the cache.
    assert_eq!(log(&repo, "lib/wire.py:3"), expected);
    assert_eq!(log(&repo, "Wire.deliver"), expected);
    let run = repo.cora(&["log", "-n", "2", "deliver"]);
    assert!(run.out.contains("signature: signature\n"), "{}", run.out);
    assert!(run.out.contains("lib/wire.py:2: method Wire.send -> lib/wire.py:2: method Wire.deliver"));
    assert!(run.out.ends_with("4 commits are older\n"), "{}", run.out);
}

#[test]
fn a_later_commit_adds_to_a_kept_history() {
    let repo = Repo::new();
    repo.write("a.py", format!("class A:\n{SEND}"));
    repo.commit("add");
    repo.write("a.py", format!("class A:\n{}", SEND.replace("attempt):", "attempt, 1):")));
    repo.commit("one");
    assert_eq!(log(&repo, "a.py:send"), ["body", "added"]);
    repo.write("a.py", format!("class A:\n{}", SEND.replace("attempt):", "attempt, 2):")));
    repo.commit("two");
    assert_eq!(log(&repo, "a.py:send"), ["body", "body", "added"]);
    // A damaged cache is ignored.
    for file in std::fs::read_dir(repo.path().join(".git/cora/trails")).unwrap() {
        std::fs::write(file.unwrap().path(), "{").unwrap();
    }
    assert_eq!(log(&repo, "a.py:send"), ["body", "body", "added"]);
}

#[test]
fn a_patch_has_only_the_declarations_lines() {
    let repo = Repo::new();
    repo.write("a.py", format!("class A:\n{SEND}\n\ndef other():\n    return 1\n"));
    repo.commit("add");
    let changed = SEND.replace("range(tries)", "range(1, tries)");
    repo.write("a.py", format!("import x\n\n\nclass A:\n{changed}\n\ndef other():\n    return 2\n"));
    repo.commit("both");
    let run = repo.cora(&["log", "-p", "-n", "1", "a.py:send"]);
    assert!(
        run.out.contains(
            "@@ -2,5 +5,5 @@\n     def send(self, upload, tries):\n-        for attempt in range(tries):\n\
             +        for attempt in range(1, tries):\n"
        ),
        "{}",
        run.out
    );
    assert!(!run.out.contains("other"), "{}", run.out);
}

#[test]
fn lines_taken_from_either_end_are_a_change() {
    let repo = Repo::new();
    let long = format!("{SEND}        return None\n");
    repo.write(
        "a.py",
        format!("class A:\n    # Sends it.\n    @traced\n{long}\n    def other(self):\n        pass\n"),
    );
    repo.commit("add");
    repo.write(
        "a.py",
        format!("class A:\n    # Sends it.\n    @traced\n{SEND}\n    def other(self):\n        pass\n"),
    );
    repo.commit("end");
    repo.write("a.py", format!("class A:\n    # Sends it.\n{SEND}\n    def other(self):\n        pass\n"));
    repo.commit("decorator");
    repo.write("a.py", format!("class A:\n{SEND}\n    def other(self):\n        pass\n"));
    repo.commit("comment");
    assert_eq!(log(&repo, "A.send"), ["documentation", "annotations", "body", "added"]);
}

#[test]
fn a_copy_and_a_removal_are_named() {
    let repo = Repo::new();
    let long =
        SEND.replace("        raise", "        self.log(upload, tries)\n        self.close()\n        raise");
    repo.write("a.py", format!("class A:\n{long}"));
    repo.commit("add");
    // Only files that the commit changes count as sources.
    repo.write("a.py", format!("import b\n\n\nclass A:\n{long}"));
    repo.write("b.py", format!("class B:\n{long}"));
    repo.commit("copied");
    assert_eq!(log(&repo, "b.py:send"), ["copied"]);
    repo.write("a.py", "class A:\n    pass\n");
    repo.commit("removed");
    assert_eq!(log(&repo, "a.py:send"), ["removed", "added"]);
    let run = repo.try_cora(&["log", "a.py:absent"]).exits(1);
    assert!(run.err.contains("no declaration named 'a.py:absent'"), "{}", run.err);
}

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
fn a_shallow_clone_says_where_it_ends() {
    let repo = Repo::new();
    repo.write("a.py", format!("class A:\n{SEND}"));
    repo.commit("add");
    repo.write("a.py", format!("class A:\n{}", SEND.replace("(tries)", "(9)")));
    repo.commit("body");
    let shallow = repo.clone_to("shallow", &["--depth", "1", "--no-local"]);
    assert_eq!(log(&shallow, "a.py:send"), ["cut off (shallow clone)"]);
    assert_eq!(log(&repo, "a.py:send"), ["body", "added"]);
}
