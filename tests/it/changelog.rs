//! What a range of commits did to the API: `git cora changelog`.

use serde_json::Value;

use crate::harness::Repo;

const BEFORE: &str = "\
class Store:
    def load(self, key):
        return self.rows.get(key)

    def save(self, key, value):
        self.rows[key] = value


class Old:
    def one(self):
        return 1

    def two(self):
        return 2


def connect(address):
    return open_socket(address)


def _inner(a):
    return a


def size(value):
    for part in value.parts:
        yield transform(part, value, 1234567890, 1234567890)
";

const AFTER: &str = "\
class Store:
    def load(self, key, default=None):
        return self.rows.get(key)

    def save(self, key, value):
        self.rows[key] = [value]


def connect(address):
    return open_socket(address)


def _inner(a, b):
    return a


def length(value):
    for part in value.parts:
        yield transform(part, value, 1234567890, 1234567890)


def fresh():
    return 3
";

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("store.py", BEFORE);
    repo.write("tests/test_store.py", "def test_it():\n    assert 1\n");
    repo.write("doc.md", "# One\n\nText.\n");
    repo.commit("before");
    repo.write("store.py", AFTER);
    repo.write("tests/test_store.py", "def test_that():\n    assert 2\n");
    repo.write("doc.md", "# Two\n\nOther.\n");
    repo.commit("after");
    repo
}

/// Each entry as its change, its visibility and its symbol.
fn listed(answer: &Value) -> Vec<String> {
    let of = |one: &Value| {
        let text = |key: &str| one[key].as_str().unwrap().to_owned();
        format!("{} {} {}", text("visibility"), text("change"), text("symbol"))
    };
    answer["entries"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn entries_are_grouped_by_what_others_may_use() {
    let repo = repo();
    let answer = repo.cora(&["changelog", "--json", "HEAD~..HEAD"]).json();
    assert_eq!(
        listed(&answer),
        [
            "public removed Old",
            "public renamed length",
            "public signature Store.load",
            "public added fresh",
            "internal signature _inner",
        ]
    );
    assert_eq!(answer["entries"][0]["members"], 2);
    assert_eq!((&answer["changed_inside"], &answer["tests"]), (&1.into(), &2.into()));
    let public = repo.cora(&["changelog", "--json", "--public", "HEAD~.."]).json();
    assert_eq!(listed(&public).len(), 4);
    repo.cora(&["changelog", "HEAD~..HEAD"])
        .prints("HEAD~..HEAD: 5 changes in 3 changed files\n\npublic\n  removed\n")
        .prints("    store.py:9: class Old, with 2 members\n")
        .prints("    store.py:17: function length (was store.py:25: size)\n")
        .prints("      + def load(self, key, default=None):\n")
        .prints("\n1 declaration differs only inside; 2 changes are in tests\n");
    let run = repo.cora(&["changelog", "--format", "markdown", "--public", "HEAD~..HEAD"]);
    assert!(!run.out.contains("_inner"), "{}", run.out);
    run.prints("## `HEAD~..HEAD`\n\n4 changes in 3 changed files.\n\n### Public\n\n#### Removed\n")
        .prints("- class `Old` (`store.py:9`), with 2 members\n")
        .prints(", was `size` in `store.py:25`\n")
        .prints("  ```diff\n  - def load(self, key):\n");
    // Backwards, what was added is gone.
    let back = listed(&repo.cora(&["changelog", "--json", "HEAD..HEAD~"]).json());
    assert!(back.contains(&"public removed fresh".to_owned()), "{back:?}");
}

#[test]
fn a_range_is_expected() {
    let repo = repo();
    repo.try_cora(&["changelog", "HEAD~"]).exits(2).says("expected two commits").says("HEAD~..");
    repo.try_cora(&["changelog", "HEAD..HEAD"]).exits(1);
    repo.try_cora(&["changelog", "HEAD~..HEAD", "--", "doc.md"]).exits(1);
}

#[test]
fn what_becomes_internal_is_no_longer_public() {
    let repo = Repo::new();
    repo.write("a.rs", "pub fn a() -> u32 {\n    1\n}\n\nfn b() -> u32 {\n    2\n}\n");
    repo.commit("before");
    repo.write("a.rs", "pub(crate) fn a() -> u32 {\n    1\n}\n\npub fn b() -> u32 {\n    2\n}\n");
    repo.commit("after");
    let answer = repo.cora(&["changelog", "--json", "HEAD~..HEAD"]).json();
    assert_eq!(listed(&answer), ["public hidden a", "public published b"]);
}
