//! Which declarations and tests `git cora impact` lists, in which order, and what it says beside
//! them.

use crate::harness::Repo;
use crate::impact::{NET, repo, symbols};

#[test]
fn a_clean_tree_has_a_hint_for_the_last_commit() {
    let repo = repo();
    repo.write("net.py", NET.replace("+ 1", "+ 2"));
    repo.commit("second");
    for command in ["impact", "diff"] {
        let run = repo.try_cora(&[command]).exits(1).says("no uncommitted change\n");
        assert!(run.err.contains(&format!("hint: run 'git cora {command} HEAD~..HEAD' for the last commit")));
        let run = repo.try_cora(&[command, "HEAD..HEAD"]).exits(1).says("no declaration differs");
        assert!(!run.err.contains("uncommitted"), "{}", run.err);
        repo.try_cora(&[command, "--path", "app.py"])
            .says(&format!("hint: run 'git cora {command} HEAD~..HEAD -- app.py' for the last commit"));
    }
    // An edit that changes no declaration is a change.
    repo.write("README.txt", "Net\n");
    let run = repo.try_cora(&["diff"]).exits(1).says("no declaration differs");
    assert!(!run.err.contains("hint"), "{}", run.err);
}

#[test]
fn a_declaration_with_the_name_of_a_revision_has_a_note() {
    let repo = repo();
    repo.git(&["branch", "send"]);
    repo.write("wire.py", "def wire():\n    return 2\n");
    repo.commit("second");
    let note =
        "note: 'send' is also a revision; run 'git cora impact send..HEAD' for the commits since 'send'";
    repo.cora(&["impact", "send"]).prints("function send").says(note);
    let run = repo.cora(&["impact", "close"]);
    assert!(!run.err.contains("revision"), "{}", run.err);
    // Without such a declaration, the revision is named once.
    let run =
        repo.try_cora(&["impact", "HEAD~"]).exits(1).says("'HEAD~' is a revision; expected a declaration");
    assert!(!run.err.contains("also"), "{}", run.err);
}

#[test]
fn only_tests_are_to_be_run() {
    let repo = Repo::new();
    repo.write("go.mod", "module example.com/a\n");
    repo.write("store.go", "package a\n\nfunc Get(key string) string {\n\treturn key\n}\n");
    let test = "package a\n\nimport \"testing\"\n\nfunc createStore() string {\n\treturn Get(\"a\")\n}\n\n\
                func TestGet(t *testing.T) {\n\tGet(\"b\")\n}\n\nfunc TestStore(t *testing.T) {\n\tcreateStore()\n}\n";
    repo.write("store_test.go", test);
    // Nobody is known to call it.
    repo.write(
        "tests/db.go",
        "package db\n\nimport \"example.com/a\"\n\nfunc CreateDB() {\n\ta.Get(\"c\")\n}\n",
    );
    repo.commit("first");
    repo.write("store.go", "package a\n\nfunc Get(key string) string {\n\treturn key + key\n}\n");
    let answer = repo.cora(&["impact", "--json"]).json();
    assert_eq!(symbols(&answer["tests"]), ["TestGet", "TestStore"]);
    // A changed helper does not count as a test. Its callers do.
    repo.write("store_test.go", test.replace("Get(\"a\")", "Get(\"aa\")"));
    let text = repo.cora(&["impact"]).out;
    assert!(
        text.contains("\nchanged helpers and data of tests\n  store_test.go:5: function createStore"),
        "{text}"
    );
    assert!(text.contains("run these tests\n  store_test.go:9: function TestGet  (1 step)\n"), "{text}");
    assert!(!text.contains("CreateDB"), "{text}");
    // A file with a changed test stands for all of its tests.
    repo.write("store_test.go", test.replace("Get(\"b\")", "Get(\"bb\")"));
    let text = repo.cora(&["impact"]).out;
    let line = "run these tests\n  store_test.go: 1 test changed, 1 other reaches a changed declaration\n";
    assert!(text.contains(line) && !text.contains("function TestStore"), "{text}");
}

#[test]
fn documents_come_after_code() {
    let repo = repo();
    repo.write("A.md", "# One\n\nText.\n\n## Two\n\nMore text.\n");
    repo.commit("document");
    repo.remove("A.md");
    repo.write("wire.py", "");
    let text = repo.cora(&["impact"]).out;
    assert!(
        text.contains(
            "removed or changed, but no known caller breaks\n  wire.py:1: function wire  removed\n    no caller is known\n"
        ),
        "{text}"
    );
    assert_eq!(text.matches("no caller is known").count(), 1, "{text}");
    let answer = repo.cora(&["impact", "--json"]).json();
    assert_eq!(symbols(&answer["declarations"])[0], "wire");
}

#[cfg(unix)]
#[test]
fn a_change_without_declarations_is_a_change() {
    use std::os::unix::fs::PermissionsExt;
    let repo = Repo::new();
    repo.write("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\0");
    repo.write("run.sh", "run() {\n  echo 1\n}\n");
    repo.commit("first");
    for command in ["diff", "impact"] {
        repo.try_cora(&[command]).exits(1).says("no uncommitted change");
    }
    let run = repo.path().join("run.sh");
    std::fs::set_permissions(&run, std::fs::Permissions::from_mode(0o755)).unwrap();
    for command in ["diff", "impact"] {
        repo.try_cora(&[command]).exits(1).says("no declaration differs");
    }
    std::fs::set_permissions(&run, std::fs::Permissions::from_mode(0o644)).unwrap();
    repo.write("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\x01");
    for command in ["diff", "impact"] {
        repo.try_cora(&[command]).exits(1).says("no declaration differs");
    }
}
