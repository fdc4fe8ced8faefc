//! Absolute paths that lead through symbolic links into the repository, as Git accepts them.

use std::os::unix::fs::symlink;

use serde_json::json;

use crate::harness::Repo;
use crate::mcp::Client;

/// A repository, and an address of it through a link.
fn linked() -> (Repo, String) {
    let repo = Repo::sample();
    let link = repo.root().join("link");
    symlink(repo.path(), &link).unwrap();
    (repo, link.to_str().unwrap().to_owned())
}

#[test]
fn commands_accept_a_path_through_a_link() {
    let (repo, link) = linked();
    let file = format!("{link}/src/retry.rs");
    let name = format!("{file}:exponential_backoff");
    repo.cora(&["show", &file]).prints("exponential_backoff");
    repo.cora(&["refs", &name]).prints("src/retry.rs");
    repo.cora(&["log", &name]).prints("added");
    repo.cora(&["blame", &name]).prints("A U Thor");
    repo.cora(&["explain", &name]).prints("exponential_backoff");
    repo.cora(&["impact", &name]);
    repo.cora(&["map", "--file", &file]);
    repo.cora(&["query", "--path", &format!("{link}/src"), "backoff"]).prints("src/retry.rs");
    repo.try_cora(&["query", "--path", &format!("{link}x/src"), "backoff"]).exits(2).says("outside");
}

#[test]
fn tools_accept_a_path_through_a_link() {
    let (repo, link) = linked();
    let file = format!("{link}/src/retry.rs");
    let mut client = Client::start(&repo);
    let reply = client.ok("read", json!({ "path": file }));
    assert!(reply.starts_with("src/retry.rs:1-"), "{reply}");
    let reply = client.ok("query", json!({ "query": "backoff", "path": [format!("{link}/src")] }));
    assert!(reply.contains("src/retry.rs"), "{reply}");
    client.ok("map", json!({ "files": [file] }));
    let reply = client.ok("history", json!({ "name": format!("{file}:exponential_backoff") }));
    assert!(reply.starts_with("src/retry.rs:"), "{reply}");
    let reply = client.ok("refs", json!({ "name": format!("{file}:exponential_backoff") }));
    assert!(reply.contains("src/retry.rs"), "{reply}");
}
