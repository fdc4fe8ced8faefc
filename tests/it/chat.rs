//! A conversation with a chat model is the same for `query --messages` and for `/coderag/query`;
//! and one of several repositories may lack a revision.

use serde_json::{Value, json};

use crate::harness::Repo;
use crate::http::Server;

#[test]
fn both_doors_read_the_same_messages() {
    let repo = Repo::sample();
    let server = Server::start(&repo, &[]);
    let parts =
        json!([{ "type": "text", "text": "exponential backoff" }, { "type": "image_url", "image_url": {} }]);
    for messages in [
        json!([{ "role": "user", "content": parts }]),
        json!([
            { "role": "developer", "content": "be brief" },
            { "role": "user", "content": "exponential backoff", "name": "me" },
            { "role": "assistant", "content": null, "tool_calls": [] },
            { "role": "tool", "content": "retry", "tool_call_id": "1" },
        ]),
    ] {
        let answer = server.post("/coderag/query", &json!({ "messages": messages, "repos": [{}] }));
        assert_eq!(answer.status, 200, "{answer:?}");
        assert!(answer.json()["ragText"].as_str().unwrap().contains("exponential_backoff"), "{answer:?}");
        repo.cora_input(&["query", "--messages", "-"], messages.to_string()).prints("exponential_backoff");
    }
    let wrong = json!({ "messages": [{ "role": "user", "content": 5 }], "repos": [{}] });
    let answer = server.post("/coderag/query", &wrong);
    answer.is_problem(400, "bad-request");
    assert!(answer.body.contains("expected 'content' to be a string or a list of parts"), "{answer:?}");
}

#[test]
fn one_of_several_repositories_may_lack_the_revision() {
    let (repo, other) = (Repo::sample(), Repo::sample());
    repo.git(&["tag", "v1"]);
    let path = |repo: &Repo| repo.path().canonicalize().unwrap().to_str().unwrap().to_owned();
    let server = Server::start(&repo, &[&path(&repo), &path(&other)]);
    let at = |repo: &Repo, version: &str| json!({ "checkoutPath": path(repo), "versionSpecifier": version });
    let repos = |version: &str| json!([at(&other, version), at(&repo, version)]);
    let messages = json!([{ "role": "user", "content": "exponential backoff" }]);
    let query = |version: &str| {
        server.post("/coderag/query", &json!({ "messages": messages, "repos": repos(version) }))
    };
    let search = |version: &str| {
        server.post("/coderag/search", &json!({ "query": "backoff", "repos": repos(version) }))
    };
    let says_so = |repos: &Value| {
        assert_eq!((&repos[0]["state"], &repos[1]["state"]), (&json!("missing"), &json!("exact")), "{repos}");
        assert!(repos[0]["warnings"][0].as_str().unwrap().contains("'v1'"), "{repos}");
    };
    let answer = query("v1").json();
    says_so(&answer["metadata"]["repos"]);
    assert!(answer["ragText"].as_str().unwrap().contains("exponential_backoff"), "{answer}");
    let answer = search("v1").json();
    says_so(&answer["repos"]);
    assert_eq!(answer["results"][0]["repository"], 1, "{answer}");
    query("v2").is_problem(404, "no-version");
    search("v2").is_problem(404, "no-version");
    // If a request names no repository, the problem lists them.
    let answer = server.post("/coderag/search", &json!({ "query": "backoff", "repos": [{}] }));
    answer.is_problem(404, "no-repository");
    let hint = answer.json()["hint"].to_string();
    assert!(hint.contains(&path(&repo)) && hint.contains(&path(&other)), "{hint}");
}
