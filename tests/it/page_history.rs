//! The route `/coderag/history`: the commits that changed a declaration.

use serde_json::{Value, json};

use crate::harness::Repo;
use crate::http::Server;

fn history(server: &Server, request: Value) -> Value {
    let response = server.post("/coderag/history", &request);
    assert_eq!(response.status, 200, "{response:?}");
    response.json()
}

/// Returns the subjects of the commits, with what each changed.
fn listed(answer: &Value) -> Vec<(String, String)> {
    let commits = answer["commits"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    commits
        .map(|one| (text(&one["subject"]), one["changes"][0].as_str().unwrap_or_default().to_owned()))
        .collect()
}

fn pairs<const N: usize>(expected: [(&str, &str); N]) -> Vec<(String, String)> {
    expected.map(|(subject, change)| (subject.to_owned(), change.to_owned())).to_vec()
}

#[test]
fn the_commits_of_a_declaration_are_listed_through_a_move() {
    let repo = Repo::new();
    repo.write("a.py", "def pay(sum):\n    return sum\n");
    let first = repo.commit("add pay");
    repo.write("a.py", "def pay(sum):\n    return sum + 1\n");
    repo.commit("pay more");
    repo.git(&["mv", "a.py", "b.py"]);
    repo.commit("move");
    let server = Server::start(&repo, &[]);
    let at = |line: u32| json!({ "repo": {}, "path": "b.py", "line": line });
    let answer = history(&server, at(1));
    assert_eq!(listed(&answer), pairs([("move", "moved"), ("pay more", "body"), ("add pay", "added")]));
    assert_eq!(answer["commit"], repo.rev("HEAD"));
    let last = &answer["commits"][2];
    assert_eq!((&last["commit"], &last["place"]["path"]), (&json!(first), &json!("a.py")));
    assert_eq!((&last["place"]["line"], &last["place"]["symbol"]), (&json!(1), &json!("pay")));

    // Only the newest, and the number of the others.
    let few = history(&server, json!({ "repo": {}, "path": "b.py", "line": 1, "limit": 1 }));
    assert_eq!((listed(&few).len(), &few["more"]), (1, &json!(2)));
    // At an older revision the file has its old name.
    let older = json!({ "repo": { "versionSpecifier": "HEAD~1" }, "path": "a.py", "line": 2 });
    assert_eq!(listed(&history(&server, older)), pairs([("pay more", "body"), ("add pay", "added")]));

    // An uncommitted line above: the name finds it.
    repo.write("b.py", "import os\n\n\ndef pay(sum):\n    return sum + 1\n");
    let named = json!({ "repo": {}, "path": "b.py", "line": 4, "symbol": "pay" });
    assert_eq!(listed(&history(&server, named)).len(), 3);
    // A place outside of declarations has no history. That is not an error.
    assert_eq!(history(&server, at(99))["commits"], json!([]));

    for request in [
        json!({ "repo": {}, "path": "", "line": 1 }),
        json!({ "repo": {}, "path": "b.py", "line": 0 }),
        json!({ "repo": {}, "path": "b.py", "line": 1, "limit": 501 }),
        json!({ "repo": {}, "path": "b.py", "line": 1, "symbol": "" }),
        json!({ "repo": {}, "path": "b.py" }),
    ] {
        server.post("/coderag/history", &request).is_problem(400, "bad-request");
    }
}

#[test]
fn a_question_about_time_names_its_command() {
    let repo = Repo::sample();
    repo.cora(&["index"]);
    let server = Server::start(&repo, &[]);
    let asked = |query: &str| {
        let response = server.post("/coderag/search", &json!({ "query": query, "repos": [{}] }));
        response.json()["repos"][0]["warnings"].to_string()
    };
    assert!(asked("when was retry added").contains("run 'git cora when retry'"));
    assert!(!asked("where is retry called").contains("git cora when"));
}
