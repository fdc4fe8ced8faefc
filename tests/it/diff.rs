//! Changes between commits and in the working tree: `git cora diff`, and
//! `git cora query --rev A..B`.

use serde_json::{Value, json};

use crate::harness::Repo;

const BEFORE: &str = "\
class Store:
    \"\"\"Keeps sessions.\"\"\"

    def load(self, key):
        return self.rows.get(key)

    def save(self, key, value):
        self.rows[key] = value


def connect(address, timeout, retries):
    for attempt in range(retries):
        yield open_socket(address, timeout, attempt)


def unused():
    return 1
";

const AFTER: &str = "\
class Store:
    \"\"\"Keeps sessions.\"\"\"

    def load(self, key):
        return self.rows[key]

    def save(self, key, value):
            self.rows[key] = value

    def drop(self, key):
        del self.rows[key]
";

const NET: &str = "\
def connect(address, timeout, retries):
    for attempt in range(retries):
        yield open_socket(address, timeout, attempt)
";

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("app/store.py", BEFORE);
    repo.write("app/same.py", "def same():\n    return 2\n");
    repo.write("old/name.py", "def kept(value):\n    return transform(value)\n");
    repo.commit("before");
    repo.git(&["mv", "old/name.py", "app/name.py"]);
    repo.write("app/store.py", AFTER);
    repo.write("app/net.py", NET);
    repo.commit("after");
    repo
}

fn listed(answer: &Value) -> Vec<(String, String)> {
    let changes = answer["changes"].as_array().unwrap();
    let of = |one: &Value| {
        let place = if one["new"].is_null() { &one["old"] } else { &one["new"] };
        format!("{}:{}", place["path"].as_str().unwrap(), place["symbol"].as_str().unwrap())
    };
    changes.iter().map(|one| (one["change"].as_str().unwrap().to_owned(), of(one))).collect()
}

#[test]
fn declarations_are_added_changed_moved_and_removed() {
    let repo = repo();
    let run = repo.cora(&["diff", "HEAD~", "HEAD"]);
    assert_eq!(
        run.out,
        "moved   app/name.py:1: function kept (was old/name.py:1)\n\
         moved   app/net.py:1: function connect (was app/store.py:11)\n\
         changed app/store.py:4: method Store.load\n\
         added   app/store.py:10: method Store.drop\n\
         removed app/store.py:16: function unused\n"
    );
    let answer = repo.cora(&["diff", "--json", "HEAD~..HEAD"]).json();
    // A file that moved counts once.
    assert_eq!(answer["files"], 3);
    assert_eq!((&answer["old"], &answer["new"]), (&json!(repo.rev("HEAD~")), &json!(repo.rev("HEAD"))));
    assert_eq!(listed(&answer).len(), 5);
    // The reverse direction gives the reverse changes.
    let back = listed(&repo.cora(&["diff", "--json", "HEAD", "HEAD~"]).json());
    let changes: Vec<&str> = back.iter().map(|one| one.0.as_str()).collect();
    assert_eq!(changes.iter().filter(|change| **change == "moved").count(), 2, "{back:?}");
    assert!(back.contains(&("added".to_owned(), "app/store.py:unused".to_owned())), "{back:?}");
    assert!(back.contains(&("removed".to_owned(), "app/store.py:Store.drop".to_owned())), "{back:?}");

    assert_eq!(
        repo.cora(&["diff", "HEAD~", "--", "app/net.py"]).out,
        "added   app/net.py:1: function connect\n"
    );
    assert_eq!(repo.cora(&["diff", "HEAD~", "--kind", "method", "--path", "app"]).out.lines().count(), 2);
    // A kind that no declaration has.
    for command in ["diff", "list", "map"] {
        repo.try_cora(&[command, "--kind", "head"]).exits(2).says("invalid value 'head' for '--kind <KIND>'");
    }
    repo.try_cora(&["diff", "HEAD", "HEAD"]).exits(1).says("no declaration differs");
    repo.try_cora(&["diff", "HEAD", "nowhere"]).exits(2).says("nowhere");
}

#[test]
fn commits_and_paths_are_named_as_in_git() {
    let repo = repo();
    repo.git(&["branch", "topic"]);
    repo.write("app/same.py", "def same():\n    return 3\n");
    repo.write("other/[id].ts", "export function route() {\n  return 1;\n}\n");
    repo.commit("on the main line");
    let both = repo.cora(&["diff", "HEAD~", "HEAD"]).out;
    let two = "changed app/same.py:1: function same\n";
    assert_eq!(both, format!("{two}added   other/[id].ts:1: function route\n"));
    for words in [
        &["HEAD~..HEAD"][..],
        &["HEAD~.."],
        &["topic...HEAD"],
        &["topic..."],
        &["HEAD~"],
        &["HEAD^!"],
        &["HEAD^-"],
    ] {
        assert_eq!(repo.cora(&[&["diff"], words].concat()).out, both, "{words:?}");
    }
    // A file may have the name of a pattern.
    assert_eq!(
        repo.cora(&["diff", "HEAD~", "--", "other/[id].ts"]).out,
        "added   other/[id].ts:1: function route\n"
    );
    for command in ["diff", "impact", "changelog"] {
        repo.try_cora(&[command, "HEAD~", "HEAD", "--", "ap"]).exits(1).says("note: no file matches 'ap'");
    }
    repo.try_cora(&["diff", "^HEAD~", "HEAD"]).exits(2).says("range");
    repo.try_cora(&["diff", "HEAD~", "gone.py"]).exits(2).says("'gone.py' is neither a commit nor a path");
    repo.try_cora(&["diff", "app/same.py", "HEAD"])
        .exits(2)
        .says("the commit 'HEAD' must come before the paths");
    for words in [
        &["HEAD~", "HEAD", "app"][..],
        &["HEAD~..HEAD", "app/same.py", "app/store.py"],
        &["HEAD~", "HEAD", "*.py"],
        &["HEAD~", "--", "app"],
    ] {
        assert_eq!(repo.cora(&[&["diff"], words].concat()).out, two, "{words:?}");
    }
    repo.try_cora(&["diff", "HEAD...topic"]).exits(1).says("no declaration differs");
    repo.cora(&["diff", "..topic"]).prints("changed app/same.py:1");
    // A revision comes first; `--` makes a path of it.
    repo.git(&["branch", "app", "HEAD~"]);
    repo.cora(&["diff", "app"]).prints("changed app/same.py").says("note: 'app' is a commit and a path");
    let run = repo.cora(&["diff", "HEAD~", "--", "app"]);
    assert_eq!(run.err, "");
    // A word before `--` is a revision, even if nothing follows.
    assert_eq!(repo.cora(&["diff", "app", "--"]).prints("changed app/same.py").err, "");
    for command in ["diff", "changelog", "impact"] {
        repo.try_cora(&[command, "app/same.py", "--"]).exits(2).says("unknown revision 'app/same.py'");
        repo.try_cora(&[command, "app/same.py", "--", "other"]).exits(2);
    }
    repo.try_cora(&["impact", "app", "--"]).exits(2).says("hint: run 'git cora impact app..HEAD' for");
    repo.try_cora(&["diff", "HEAD~", "HEAD", "topic"])
        .exits(2)
        .says("expected at most two commits, found 'HEAD~', 'HEAD' and 'topic'");
    repo.try_cora(&["diff", "HEAD~..HEAD", "topic"]).exits(2).says("found 'HEAD~..HEAD' and 'topic'");
    repo.try_cora(&["diff", "app/same.py", "gone.py"])
        .exits(2)
        .says("'gone.py' is neither a commit nor a path")
        .says("put '--' before");
    let other = repo.git(&["commit-tree", "-m", "unrelated", "HEAD^{tree}"]);
    repo.try_cora(&["diff", &format!("HEAD...{other}")])
        .exits(2)
        .says("have no common ancestor")
        .says(&format!("HEAD..{other}"));
}

#[test]
fn the_working_tree_is_compared_with_a_commit() {
    let repo = repo();
    repo.try_cora(&["diff"]).exits(1).says("no uncommitted change\nhint: run 'git cora ");
    repo.try_cora(&["diff", "HEAD"]).exits(1).says("no declaration differs");
    repo.write("app/same.py", "def same():\n    return 4\n");
    repo.write("app/fresh.py", "def fresh():\n    return 5\n");
    repo.remove("app/net.py");
    let edits = "removed app/net.py:1: function connect\n";
    let added = "added   app/fresh.py:1: function fresh\n";
    let changed = "changed app/same.py:1: function same\n";
    for words in [&["diff"][..], &["diff", "HEAD"]] {
        assert_eq!(repo.cora(words).out, format!("{added}{edits}{changed}"), "{words:?}");
    }
    assert_eq!(repo.cora(&["diff", "app/same.py"]).out, changed);
    let answer = repo.cora(&["diff", "--json"]).json();
    assert_eq!(
        (&answer["old"], &answer["new"], &answer["worktree"], &answer["files"]),
        (&json!(repo.rev("HEAD")), &Value::Null, &json!(true), &json!(3))
    );
    assert_eq!(repo.cora(&["diff", "--json", "HEAD~", "HEAD"]).json()["worktree"], false);
    // From an older commit, committed and uncommitted changes count. What HEAD had in between, and
    // what is as it was, do not.
    repo.write("old/name.py", "def kept(value):\n    return transform(value)\n");
    repo.remove("app/name.py");
    let answer = repo.cora(&["diff", "--json", "HEAD~"]).json();
    let found = listed(&answer);
    let has = |change: &str, place: &str| found.contains(&(change.to_owned(), place.to_owned()));
    assert!(has("removed", "app/store.py:connect") && has("added", "app/store.py:Store.drop"), "{found:?}");
    assert!(has("changed", "app/same.py:same") && has("added", "app/fresh.py:fresh"), "{found:?}");
    assert!(
        found.iter().all(|(_, place)| !place.contains("name.py") && !place.contains("net.py")),
        "{found:?}"
    );
    assert_eq!(answer["files"], 3, "{answer:#}");
}

#[test]
fn a_bare_repository_has_only_commits_to_compare() {
    let repo = repo().clone_to("bare.git", &["--bare"]);
    repo.cora(&["diff", "HEAD~"]).prints("added   app/store.py:10: method Store.drop\n");
    assert_eq!(repo.cora(&["diff", "--json", "HEAD~"]).json()["new"], json!(repo.rev("HEAD")));
    repo.try_cora(&["diff"]).exits(2).says("no working tree").says("git cora diff HEAD~..HEAD");
    repo.cora(&["diff", "HEAD~..HEAD"]);
    // A first commit has nothing before it to compare with.
    let first = Repo::new();
    first.write("a.py", "def a():\n    return 1\n");
    first.commit("first");
    let bare = first.clone_to("one.git", &["--bare"]);
    for command in ["diff", "impact"] {
        bare.try_cora(&[command]).exits(2).says("hint: run 'git cora list --rev HEAD' for the declarations");
    }
    bare.cora(&["list", "--rev", "HEAD"]).prints("a.py:1: function a");
    first.try_cora(&["changelog", "a.py"]).exits(2).says("hint: run 'git cora list --rev HEAD'");
    Repo::new().try_cora(&["diff"]).exits(2).says("there is no commit yet");
}

#[test]
fn a_list_is_cut_to_a_limit() {
    let repo = repo();
    let all = repo.cora(&["diff", "HEAD~"]);
    assert!(!all.err.contains("more"), "{}", all.err);
    for flag in ["-k", "-n", "--limit"] {
        let run = repo.cora(&["diff", flag, "2", "HEAD~"]).says("note: 3 more; raise --limit\n");
        assert_eq!(run.out.lines().collect::<Vec<_>>(), all.out.lines().take(2).collect::<Vec<_>>());
    }
    let answer = repo.cora(&["diff", "--json", "-k", "2", "HEAD~"]).json();
    assert_eq!((listed(&answer).len(), &answer["more"]), (2, &json!(3)));
    assert_eq!(repo.cora(&["diff", "--json", "HEAD~"]).json()["more"], 0);
}

#[test]
fn a_function_under_another_name_is_moved() {
    let repo = repo();
    repo.write("app/net.py", NET.replace("def connect(", "def dial("));
    repo.commit("renamed");
    assert_eq!(repo.cora(&["diff", "HEAD~"]).out, "renamed app/net.py:1: function dial (was connect)\n");
}

#[test]
fn a_range_finds_what_changed() {
    let repo = repo();
    let ask = |text: &str| {
        let answer = repo.try_cora(&["query", "--json", "--all-chunks", "--rev", "HEAD~..HEAD", text]).json();
        let results = answer["results"].as_array().unwrap().clone();
        let of = |one: &Value| {
            (one["change"].as_str().unwrap().to_owned(), one["path"].as_str().unwrap().to_owned())
        };
        results.iter().map(of).collect::<Vec<_>>()
    };
    assert!(ask("load rows by key").contains(&("changed".to_owned(), "app/store.py".to_owned())));
    assert!(ask("connect retries").contains(&("moved".to_owned(), "app/net.py".to_owned())));
    assert!(
        ask("unused").contains(&("removed".to_owned(), "app/store.py".to_owned())),
        "{:?}",
        ask("unused")
    );
    assert!(ask("same").iter().all(|(_, path)| path != "app/same.py"));
    repo.cora(&["query", "--rev", "HEAD~...HEAD", "load rows by key"]).prints("[changed]");
    repo.try_cora(&["query", "--rev", "HEAD..HEAD", "load"]).exits(1).says("the range is empty");
    repo.try_cora(&["query", "--rev", "HEAD~..HEAD", "zeppelins"])
        .exits(1)
        .says("no changed code contains these words");
    // Removed code is shown as it was.
    let run = repo.cora(&["query", "--format", "rag", "--rev", "HEAD~..HEAD", "unused"]);
    assert!(run.out.contains("change=\"removed\"") && run.out.contains("def unused"), "{}", run.out);
    repo.cora(&["query", "--rev", "HEAD~..HEAD", "load rows"]).prints("[changed]");
}

#[test]
fn what_belongs_to_another_line_is_changed_where_indentation_says_so() {
    let repo = Repo::new();
    let python =
        "def total(items):\n    sum = 0\n    for one in items:\n        sum += one\n    return sum\n";
    let c = "int total(int n) {\n    for (;;)\n        n++;\n    return n;\n}\n";
    repo.write("a.py", python);
    repo.write("a.c", c);
    repo.commit("before");
    // The Python line moves into the loop. In C the same edit changes nothing for the compiler.
    repo.write("a.py", python.replace("    return", "        return"));
    repo.write("a.c", c.replace("    return", "        return"));
    repo.commit("deeper");
    assert_eq!(repo.cora(&["diff", "HEAD~"]).out, "changed a.py:1: function total\n");
    // The same code, indented by two columns, by tabs, or one level deeper: no change.
    let narrow = python.replace("    ", "  ");
    let tabs = python.replace("    ", "\t");
    let inner: String = python.lines().map(|line| format!("    {line}\n")).collect();
    for (n, text) in [narrow, tabs, format!("if FLAG:\n{inner}")].iter().enumerate() {
        repo.write("a.py", python);
        repo.commit(&format!("again {n}"));
        repo.write("a.py", text);
        repo.commit(&format!("otherwise {n}"));
        repo.try_cora(&["diff", "HEAD~"]).exits(1).says("no declaration differs");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_can_not_be_read_was_not_removed() {
    use std::os::unix::fs::PermissionsExt as _;
    let repo = Repo::new();
    repo.write("u.py", "def upper():\n    return lower()\n");
    repo.write("v.py", "def lower():\n    return 1\n");
    repo.commit("files");
    let path = repo.path().join("u.py");
    repo.write("u.py", "def upper():\n    return 2\n");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser reads everything.
    if std::fs::read(&path).is_err() {
        for command in ["diff", "impact"] {
            let run = repo.try_cora(&[command]);
            assert!(!run.out.contains("removed") && !run.out.contains("upper"), "{command}: {}", run.out);
            assert!(run.err.contains("1 file is not compared ('u.py')"), "{command}: {}", run.err);
        }
        repo.try_cora(&["refs", "upper"]).says("1 changed file in the working tree can't be read");
    }
    // A link has no declarations. It does not count as a file that can't be read.
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("v.py", &path).unwrap();
    let run = repo.cora(&["diff"]);
    assert!(run.out.contains("removed u.py"), "{}", run.out);
    let run = repo.cora(&["query", "lower"]);
    assert!(!run.err.contains("can't be read"), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn a_filter_that_fails_keeps_only_its_file_from_being_compared() {
    let repo = Repo::new();
    repo.write(".gitattributes", "*.enc.py filter=foo\n");
    repo.write("a.enc.py", "def sealed():\n    return 1\n");
    repo.write("b.py", "def open_one():\n    return 1\n");
    repo.commit("files");
    repo.git(&["config", "filter.foo.clean", "git-cora-has-no-such-filter"]);
    repo.git(&["config", "filter.foo.required", "true"]);
    repo.write("a.enc.py", "def sealed():\n    return 22\n");
    repo.write("b.py", "def open_one():\n    return 22\n");
    let run = repo.cora(&["diff"]);
    assert!(run.out.contains("open_one") && !run.out.contains("sealed"), "{}", run.out);
    assert!(run.err.contains("1 file is not compared ('a.enc.py')"), "{}", run.err);
    // A setting that Git refuses is an error as before.
    repo.git(&["config", "diff.context", "banana"]);
    repo.try_cora(&["diff"]).exits(2).says("banana");
}
