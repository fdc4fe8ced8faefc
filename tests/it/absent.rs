//! What a command says if nothing has the name that was typed, and where a typed path starts.

use serde_json::{Value, json};

use crate::harness::Repo;

/// A class with a field that its constructor does not set at first.
const CLIENT: &str = "\
class Client:
    def __init__(self):
        self.base = 1

    def send(self, upload):
        return self.base + upload.size
";

#[test]
fn a_member_of_the_typed_owner_is_suggested() {
    let repo = Repo::new();
    repo.write("client.py", CLIENT);
    repo.write("other.py", "def sent():\n    return 1\n");
    repo.commit("first");
    for command in ["refs", "log", "explain"] {
        repo.try_cora(&[command, "Client.sendd"]).exits(1).says("did you mean 'Client.send'?");
    }
}

#[test]
fn a_report_for_programs_is_complete_without_a_result() {
    let repo = Repo::sample();
    let run = |args: &[&str]| repo.try_cora(&[args, &["--json"]].concat()).exits(1);
    let empty = |args: &[&str], expected: Value| {
        let answer = run(args).json();
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(&answer[key], value, "{args:?}: {key} in {answer}");
        }
    };
    let similar = json!(["refresh_token"]);
    empty(
        &["refs", "refresh_tokn"],
        json!({
            "commit": repo.rev("HEAD"), "worktree": true, "dirty_files": 0, "symbol": "refresh_tokn",
            "symbols": [], "more": 0, "similar": similar,
        }),
    );
    empty(
        &["log", "refresh_tokn"],
        json!({"declaration": null, "commits": [], "more": 0, "notes": [], "similar": similar}),
    );
    empty(
        &["blame", "refresh_tokn"],
        json!({
            "path": null, "declaration": null, "lines": 0, "unknown_lines": 0, "authors": [],
            "commits": [], "last": null, "notes": [], "similar": similar,
        }),
    );
    empty(
        &["when", "refresh_tokn"],
        json!({
            "of": "text", "text": "refresh_tokn", "word": true, "files": [], "added": null,
            "removed": null, "notes": [], "similar": similar,
        }),
    );
    empty(
        &["explain", "refresh_tokn"],
        json!({"title": "refresh_tokn", "subjects": [], "more": 0, "similar": similar}),
    );
    empty(
        &["impact", "refresh_tokn"],
        json!({"of": "refresh_tokn", "declarations": [], "tests": [], "similar": similar}),
    );
    empty(&["related", "lib/uath.py:3"], json!({"place": null, "related": [], "similar": ["lib/auth.py"]}));
    assert_eq!(run(&["list", "refresh_tokn"]).out, "", "one object a line");
    // With a result, the keys are the same.
    for command in [&["refs"][..], &["log"], &["blame"], &["explain"], &["impact"]] {
        let of = |name: &str| {
            let answer = repo.try_cora(&[command, &[name, "--json"]].concat()).json();
            answer.as_object().unwrap().keys().cloned().collect::<Vec<_>>()
        };
        let mut absent = of("refresh_tokn");
        absent.retain(|key| key != "similar");
        assert_eq!(absent, of("refresh_token"), "{command:?}");
    }
    let diff = repo.try_cora(&["diff", "--json", "HEAD", "HEAD"]).exits(1).json();
    assert_eq!(diff["changes"], json!([]));
    repo.try_cora(&["changelog", "--json", "HEAD..HEAD"]).exits(1).json();
    // Without notes and hints there is still a report.
    let quiet = repo.try_cora(&["-q", "refs", "--json", "refresh_tokn"]).exits(1);
    assert_eq!((quiet.err.as_str(), &quiet.json()["symbols"]), ("", &json!([])));
}

#[test]
fn a_file_in_place_of_a_name_has_a_command_that_works() {
    let repo = Repo::sample();
    let file = "'lib/auth.py' is a file; expected a declaration";
    repo.try_cora(&["log", "lib/auth.py"])
        .exits(1)
        .says(file)
        .says("hint: run 'git log --follow -- lib/auth.py' for");
    repo.git(&["log", "--follow", "--", "lib/auth.py"]);
    repo.try_cora(&["refs", "lib/auth.py"]).exits(1).says(file).says("'git cora explain lib/auth.py'");
    repo.cora(&["explain", "lib/auth.py"]);
    repo.try_cora(&["impact", "lib/auth.py"])
        .exits(1)
        .says(file)
        .says("run 'git cora list --path lib/auth.py'");
    repo.cora(&["when", "lib/auth.py"]).prints("lib/auth.py: file").prints(": first");
    repo.try_cora(&["list", "lib/auth.py"]).exits(1).says("run 'git cora list --path lib/auth.py'");
    // From a directory below, whether the path starts there or at the root.
    let below = repo.below("lib");
    for typed in ["auth.py", "lib/auth.py"] {
        below.try_cora(&["log", typed]).exits(1).says("'git log --follow -- auth.py'");
    }
    below.try_cora(&["log", "src/header.rs"]).exits(1).says("'git log --follow -- ../src/header.rs'");
    repo.try_cora(&["refs", "lib"]).exits(1).says("'lib' is a directory; expected a declaration");
    repo.try_cora(&["refs", "data.bin:x"]).exits(1).says("'data.bin' is not indexed: binary");
    // The other way round: a name in place of a file.
    repo.try_cora(&["show", "refresh_token"]).exits(2).says("hint: run 'git cora explain refresh_token'");
}

#[test]
fn a_declaration_that_is_not_in_the_commit_is_explained() {
    let repo = Repo::new();
    repo.write("a.py", CLIENT);
    repo.commit("add");
    repo.write("a.py", format!("{CLIENT}\n    def fresh(self):\n        return 2\n"));
    repo.write("b.py", "def newer():\n    return 3\n");
    for command in ["log", "blame", "when"] {
        for typed in ["fresh", "a.py:fresh", "newer", "b.py:newer"] {
            repo.try_cora(&[command, typed]).exits(1).says(&format!("'{typed}' is not committed yet"));
        }
    }
    repo.commit("fresh");
    repo.write("a.py", "class Client:\n    pass\n");
    repo.commit("remove");
    repo.try_cora(&["blame", "a.py:fresh"])
        .exits(1)
        .says("no declaration named 'fresh' in 'a.py' at ")
        .says("hint: run 'git cora log a.py:fresh' for its history");
    repo.cora(&["log", "a.py:fresh"]).prints("removed");
    repo.try_cora(&["log", "fresh"])
        .exits(1)
        .says("hint: write PATH:NAME for a declaration that was removed");
    for command in ["log", "blame"] {
        repo.try_cora(&[command, "newre"]).exits(1).says("hint: did you mean 'newer'?");
        repo.try_cora(&[command, "b.py:newre"]).exits(1).says("hint: did you mean 'newer'?");
    }
    repo.try_cora(&["when", "newre"]).exits(1).says("hint: did you mean 'newer'?");
}

#[test]
fn a_printed_path_can_be_pasted_in_any_directory() {
    let repo = Repo::sample();
    let below = repo.below("lib");
    for args in [
        &["log", "src/header.rs:parse_header"][..],
        &["log", "src/header.rs:9"],
        &["blame", "src/header.rs:parse_header"],
        &["blame", "src/header.rs"],
        &["refs", "src/header.rs:9"],
        &["refs", "src/header.rs:parse_header"],
        &["impact", "src/header.rs:parse_header"],
        &["explain", "src/header.rs"],
        &["explain", "src/header.rs:parse_header"],
        &["show", "src/header.rs"],
        &["show", "src/header.rs:9"],
        &["show", "--rev", "HEAD~2", "src/header.rs"],
    ] {
        assert_eq!(below.cora(args).out, repo.cora(args).out, "{args:?}");
    }
    let related = |repo: &Repo, path: &str| repo.try_cora(&["related", path]).out;
    assert_eq!(related(&below, "src/header.rs:9"), related(&repo, "src/header.rs:9"));
    let map = |repo: &Repo, path: &str| repo.cora(&["map", "--json", "--file", path]).json();
    assert_eq!(map(&below, "src/header.rs"), map(&repo, "src/header.rs"));
    // A file that is there comes first, and a path that says where it starts is not moved.
    repo.write("lib/src/header.rs", "pub fn inner_header() {}\n");
    repo.commit("another header");
    below.cora(&["explain", "src/header.rs"]).prints("inner_header");
    below.cora(&["explain", "../src/header.rs"]).prints("parse_header");
    below.try_cora(&["explain", "./cmd/server.go"]).exits(1);
    // A file that only the history has.
    repo.git(&["rm", "-q", "src/retry.rs"]);
    repo.commit("remove");
    below.cora(&["log", "src/retry.rs:exponential_backoff"]).prints("removed");
    // A pathspec means what it means in Git.
    below.try_cora(&["list", "--path", "cmd/server.go"]).exits(1);
}

#[test]
fn show_selects_the_chunk_at_a_line() {
    let repo = Repo::sample();
    let chunks = repo.cora(&["show", "--json", "lib/auth.py"]).json()["chunks"].as_array().unwrap().clone();
    for chunk in &chunks {
        let (n, line) = (chunk["chunk"].to_string(), chunk["start_line"].to_string());
        let at = repo.cora(&["show", &format!("lib/auth.py:{line}")]).out;
        assert_eq!(at, repo.cora(&["show", "lib/auth.py", "--chunk", &n]).out, "{line}");
        let of_head = repo.cora(&["show", &format!("HEAD:lib/auth.py:{line}")]).out;
        assert_eq!(of_head, at, "{line}");
    }
    let shown = repo.cora(&["show", "--json", "lib/auth.py:1"]).json();
    assert_eq!(shown["chunks"].as_array().unwrap().len(), 1);
    repo.try_cora(&["show", "lib/auth.py:999"]).exits(2).says("'lib/auth.py' has ");
    repo.try_cora(&["show", "lib/auth.py:0"]).exits(2).says("lines are counted from 1");
    repo.try_cora(&["show", "lib/auth.py:1", "--chunk", "1"]).exits(2).says("can't be combined with --chunk");
    repo.try_cora(&["show", "lib/uath.py:1"])
        .exits(2)
        .says("no file 'lib/uath.py'")
        .says("did you mean 'lib/auth.py'?");
    repo.try_cora(&["show", "lib/auth.py:SessionStore"])
        .exits(2)
        .says("'lib/auth.py' is a file, not a revision")
        .says("hint: run 'git cora explain lib/auth.py:SessionStore'");
    repo.try_cora(&["show", "nowhere:lib/auth.py"]).exits(2).says("nowhere");
}

#[test]
fn a_field_is_answered_by_what_contains_it() {
    let repo = Repo::new();
    repo.write("a.py", CLIENT.replace("self.base = 1", "self.base = 1\n        self.follow = False"));
    repo.commit("add");
    let note = "'Client.follow' has no history of its own; this is the history of 'Client.__init__'";
    repo.cora(&["log", "follow"]).says(&format!("note: {note}"));
    let notes = repo.cora(&["log", "--json", "follow"]).json()["notes"].clone();
    assert!(notes[0].as_str().unwrap().starts_with(note), "{notes}");
    repo.cora(&["blame", "follow"]).says("these are the authors of 'Client.__init__', which contains it");
    let run = repo.cora(&["log", "send"]);
    assert!(!run.err.contains("of its own"), "{}", run.err);
}

#[test]
fn a_revision_where_a_name_is_expected_is_called_one() {
    let repo = Repo::sample();
    repo.git(&["branch", "topic"]);
    // Its letters are near those of a directory.
    repo.write("read/a.py", "def peek():\n    return 1\n");
    repo.commit("more");
    for revision in ["HEAD", "topic", "HEAD~1"] {
        let list = format!("hint: run 'git cora list --rev {revision}' to see what it declares");
        let is_one = format!("'{revision}' is a revision; expected a ");
        repo.try_cora(&["show", revision]).exits(2).says(&format!("{is_one}file")).says(&list);
        repo.try_cora(&["related", revision]).exits(1).says(&is_one).says(&list);
        for command in ["refs", "explain", "blame"] {
            repo.try_cora(&[command, revision]).exits(1).says(&is_one).says(&list);
        }
        let log = format!("hint: run 'git log {revision}' for its commits");
        repo.try_cora(&["log", revision]).exits(1).says(&is_one).says(&log);
        repo.cora(&["list", "--rev", revision]);
    }
}

#[test]
fn suggestions_are_of_the_kind_that_is_expected() {
    let repo = Repo::sample();
    repo.write("lib/lease/read.py", "def go():\n    return 1\n");
    repo.commit("more");
    // A directory is not a file, and the extension of a file is not a declaration.
    let run = repo.try_cora(&["show", "laese"]).exits(2);
    assert!(!run.err.contains("did you mean"), "{}", run.err);
    let run = repo.try_cora(&["log", "nosuch.go"]).exits(1);
    assert!(!run.err.contains("did you mean"), "{}", run.err);
    repo.write("main.go", "package main\n\nfunc Go() {}\n");
    repo.commit("go");
    let run = repo.try_cora(&["log", "nosuch.go"]).exits(1);
    assert!(!run.err.contains("did you mean"), "{}", run.err);
}

#[test]
fn a_name_that_nothing_resembles_can_be_searched_for() {
    let repo = Repo::sample();
    for command in ["list", "refs", "related", "explain"] {
        let hint = "hint: run 'git cora query zzqqxx' to search for it";
        repo.try_cora(&[command, "zzqqxx"]).exits(1).says(hint);
    }
}

#[test]
fn a_line_without_a_declaration_is_called_one() {
    let repo = Repo::new();
    repo.write("lib/net.py", "import os\n\n\ndef send(a):\n    return a\n");
    repo.commit("net");
    let hint = "hint: run 'git cora list --path lib/net.py' for its declarations";
    for command in ["refs", "impact", "log"] {
        let run = repo.try_cora(&[command, "lib/net.py:2"]).exits(1);
        run.says("no declaration at line 2 of 'lib/net.py'").says(hint);
    }
    for command in ["refs", "impact", "explain"] {
        let run = repo.try_cora(&[command, "lib/net.py:10000"]).exits(1);
        run.says("'lib/net.py' has 5 lines\n").says(hint);
    }
}
