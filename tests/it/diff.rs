//! Changes between commits: `git cora diff`, and `git cora query --rev A..B`.

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
    assert_eq!(answer["files"], 4);
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
    repo.try_cora(&["diff", "HEAD", "HEAD"]).exits(1).says("no declaration differs");
    repo.try_cora(&["diff", "HEAD", "nowhere"]).exits(2).says("nowhere");
    repo.try_cora(&["diff", "HEAD~...HEAD"]).exits(2).says("expected one commit");
}

#[test]
fn a_function_under_another_name_is_moved() {
    let repo = repo();
    repo.write("app/net.py", NET.replace("def connect(", "def dial("));
    repo.commit("renamed");
    assert_eq!(
        repo.cora(&["diff", "HEAD~"]).out,
        "moved   app/net.py:1: function dial (was app/net.py:1: connect)\n"
    );
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
    repo.try_cora(&["query", "--rev", "HEAD..HEAD", "load"])
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
