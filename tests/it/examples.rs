//! The programs in `examples/`, run on the sample repository.
//!
//! They are included as modules, so that they are compiled and run with every run of the tests.

#[allow(dead_code)]
#[path = "../../examples/ask.rs"]
mod ask;
#[allow(dead_code)]
#[path = "../../examples/index.rs"]
mod index;
#[allow(dead_code)]
#[path = "../../examples/search.rs"]
mod search;

use crate::harness::Repo;

/// Returns what an example writes.
fn written(run: impl FnOnce(&mut dyn std::io::Write) -> Result<(), Box<dyn std::error::Error>>) -> String {
    let mut out = Vec::new();
    run(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_example_indexes_a_commit_once() {
    let repo = Repo::sample();
    let head = repo.rev("HEAD");
    let first = written(|out| index::run(repo.path(), out));
    assert!(first.starts_with(&format!("indexed {head}\n9 files read, 1 of them skipped\n")), "{first}");
    assert_eq!(written(|out| index::run(repo.path(), out)), format!("{head} is already indexed\n"));
    assert!(repo.index_refs().iter().any(|line| line.starts_with(&format!("refs/cora/{head} "))));
}

#[test]
fn the_example_searches_the_work_tree() {
    let repo = Repo::sample();
    repo.write("src/new.rs", "/// Frobnicates the ledger.\npub fn frobnicate() {}\n");
    let found = written(|out| search::run(repo.path(), "frobnicate the ledger", out));
    assert!(found.starts_with("src/new.rs:1 function frobnicate\n    /// Frobnicates"), "{found}");
    let missing = written(|out| search::run(repo.path(), "quuxly", out));
    assert!(missing.contains("'quuxly' is not in the index\n"), "{missing}");
    let error = search::run(&repo.root(), "token", &mut Vec::new()).unwrap_err().to_string();
    assert!(error.contains("not a git repository"), "{error}");
}

#[test]
fn the_example_asks_without_a_model() {
    let repo = Repo::sample();
    let said = written(|out| ask::run(repo.path(), "how long does a fresh token last?", out));
    let expected = "lib/auth.py:1-16 SessionStore.refresh_token (found by the search)";
    let begin = format!("how long does a fresh token last?\n    {expected}\n");
    assert!(said.starts_with(&begin) && said.contains("stopped: "), "{said}");
    let said = written(|out| ask::run(repo.path(), "quuxly zarfs?", out));
    assert_eq!(said, "stopped: no relevant result\n");
}
