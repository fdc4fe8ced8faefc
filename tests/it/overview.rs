//! The route `/coderag/overview`, from which the start page is made.

use serde_json::{Value, json};

use crate::harness::{Repo, wait_for};
use crate::http::Server;

/// Asks until the index is ready.
#[track_caller]
fn overview(server: &Server, repo: &Value) -> Value {
    let ask = || {
        let response = server.post("/coderag/overview", &json!({ "repo": repo }));
        assert_eq!(response.status, 200, "{response:?}");
        response.json()
    };
    wait_for(60, "the index", || ask()["repo"]["progress"].is_null());
    ask()
}

/// Returns a field of every item of a list.
fn each<'v>(list: &'v Value, field: &str) -> Vec<&'v str> {
    list.as_array().unwrap().iter().map(|one| one[field].as_str().unwrap()).collect()
}

#[test]
fn an_overview_has_what_a_newcomer_needs() {
    let repo = Repo::sample();
    repo.write("lib/new.py", "def renew_token(store, user):\n    return store.refresh_token(user)\n");
    let server = Server::start(&repo, &[]);
    let given = overview(&server, &json!({}));
    let state = &given["repo"];
    assert_eq!(
        (&state["state"], &state["commit"], &state["worktree"], &state["dirtyFiles"]),
        (&json!("exact"), &json!(repo.rev("HEAD")), &json!(true), &json!(1))
    );
    assert_eq!(given["name"], repo.path().file_name().unwrap().to_str().unwrap());
    assert_eq!(given["branch"], repo.git(&["branch", "--show-current"]).trim());
    let log = |format: &str| repo.git(&["log", "--first-parent", "-6", format]);
    let (ids, authors) = (log("--format=%H"), log("--format=%an"));
    assert_eq!(each(&given["recent"], "commit"), ids.lines().collect::<Vec<_>>());
    assert_eq!(each(&given["recent"], "author"), authors.lines().collect::<Vec<_>>());
    assert!(given["indexedCommits"].as_u64().unwrap() >= 1, "{given}");
    let index = &given["index"];
    assert!(index["files"].as_u64().unwrap() > 2 && index["chunks"].as_u64().unwrap() > 2, "{index}");
    let shares = index["languages"].as_array().unwrap();
    assert!((1..=6).contains(&shares.len()), "{index}");
    assert!(shares.iter().all(|one| (0.0..=1.0).contains(&one["share"].as_f64().unwrap())), "{index}");
    let important = given["important"].as_array().unwrap();
    assert!((1..=8).contains(&important.len()), "{given}");
    // Each declaration can be opened.
    for one in important {
        let place =
            json!({ "repo": {}, "path": one["path"], "startLine": one["line"], "endLine": one["endLine"] });
        assert_eq!(server.post("/coderag/file", &place).status, 200, "{one}");
    }
    assert!(each(&given["folders"], "path").iter().all(|path| path.ends_with('/')), "{given}");
    let questions = given["questions"].as_array().unwrap();
    assert!((1..=4).contains(&questions.len()), "{questions:?}");
    for one in questions {
        let asked = json!({ "query": one, "repos": [{}] });
        assert_eq!(server.post("/coderag/search", &asked).status, 200, "{one}");
    }
    // At a revision.
    let older = overview(&server, &json!({ "versionSpecifier": "HEAD~1" }));
    assert_eq!(
        (&older["repo"]["commit"], &older["recent"][0]["commit"], &older["repo"]["worktree"]),
        (&json!(repo.rev("HEAD~1")), &json!(repo.rev("HEAD~1")), &json!(false))
    );
}

#[test]
fn a_repository_without_commits_has_an_overview() {
    let repo = Repo::new();
    let server = Server::start(&repo, &[]);
    let given = overview(&server, &json!({}));
    assert_eq!(
        (&given["repo"]["commit"], &given["recent"], &given["about"], &given["important"]),
        (&Value::Null, &json!([]), &json!(""), &json!([]))
    );
    assert_eq!(given["index"]["files"], 0, "{given}");
    assert!(given["branch"].is_string(), "{given}");
    // Its files are searched before the first commit.
    repo.write("a.py", "def alpha():\n    pass\n");
    assert_eq!(overview(&server, &json!({}))["index"]["files"], 1);

    let bare = Repo::init(&["--bare"]);
    let server = Server::start(&bare, &[]);
    let given = overview(&server, &json!({}));
    assert_eq!(
        (&given["repo"]["state"], &given["repo"]["worktree"], &given["index"], &given["recent"]),
        (&json!("exact"), &json!(false), &Value::Null, &json!([]))
    );
}

#[test]
fn long_texts_of_a_repository_are_cut() {
    let repo = Repo::new();
    repo.write("a.py", "def alpha():\n    pass\n");
    repo.write("README.md", format!("# A\n\nThis is {} text.\n", "\u{202e}very ".repeat(500)));
    repo.commit(&format!("\x1b[31m{}", "x".repeat(9000)));
    let server = Server::start(&repo, &[]);
    let given = overview(&server, &json!({}));
    for text in [&given["recent"][0]["subject"], &given["about"]] {
        assert_eq!(text.as_str().unwrap().chars().count(), 201, "{text}");
    }
}

#[test]
fn an_overview_is_of_one_served_repository() {
    let repo = Repo::sample();
    let other = repo.clone_to("other", &[]);
    let path = |repo: &Repo| repo.path().display().to_string();
    let server = Server::start(&repo, &[&path(&repo), &path(&other)]);
    for one in [&repo, &other] {
        let given = overview(&server, &json!({ "checkoutPath": path(one) }));
        assert_eq!(given["repo"]["checkoutPath"], path(one));
    }
    let post = |body: &Value| server.post("/coderag/overview", body);
    post(&json!({ "repo": {} })).is_problem(404, "no-repository");
    post(&json!({ "repo": { "checkoutPath": "/" } })).is_problem(404, "no-repository");
    post(&json!({ "repo": { "checkoutPath": path(&repo), "versionSpecifier": "nope" } }))
        .is_problem(404, "no-version");
    for damaged in [
        json!({}),
        json!([]),
        json!({ "repo": [] }),
        json!({ "repo": null }),
        json!({ "repo": {}, "limit": 1 }),
        json!({ "repo": { "checkoutPath": 1 } }),
    ] {
        post(&damaged).is_problem(400, "bad-request");
    }
    let json = [("Content-Type", "application/json")];
    server.send("POST", "/coderag/overview", &json, "{\"repo\":{}}").is_problem(401, "no-token");
}
