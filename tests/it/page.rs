//! The page of `git cora serve` and the routes that it uses. `tests/page/check.py` tests the page
//! in a browser.

use serde_json::{Value, json};

use crate::harness::Repo;
use crate::http::Server;

const PARTS: [&str; 4] = ["/", "/file?path=x&lines=1-2", "/page/main.js", "/page/style.css"];

/// Sends a request that must succeed; returns its answer.
#[track_caller]
fn ask(server: &Server, route: &str, body: Value) -> Value {
    let response = server.post(route, &body);
    assert_eq!(response.status, 200, "{response:?}");
    response.json()
}

/// Returns the text of highlighted lines.
pub(crate) fn text(lines: &Value) -> String {
    let pieces = |line: &Value| -> String {
        line["pieces"].as_array().unwrap().iter().map(|piece| piece["text"].as_str().unwrap()).collect()
    };
    lines.as_array().unwrap().iter().map(pieces).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_page_is_open_and_harmless() {
    let repo = Repo::sample();
    let server = Server::start(&repo, &[]);
    for path in PARTS {
        let response = server.send("GET", path, &[], "");
        assert_eq!(response.status, 200, "{path}");
        assert!(!response.body.contains(&server.token) && !response.body.contains("sample"), "{path}");
        assert_eq!(server.send("HEAD", path, &[], "").status, 200);
        server
            .send("POST", path, &[("Authorization", &format!("Bearer {}", server.token))], "")
            .is_problem(405, "no-method");
        server.send("GET", path, &[("Host", "evil.example")], "").is_problem(421, "foreign-host");
        server.send("GET", path, &[("Origin", "https://evil.example")], "").is_problem(403, "foreign-origin");
    }
    let html = server.send("GET", "/", &[], "");
    assert!(html.head.to_lowercase().contains("content-type: text/html; charset=utf-8"), "{html:?}");
    for path in ["/page/", "/page/..%2fmain.js", "/page/token", "/file/x"] {
        server.send("GET", path, &[], "").is_problem(401, "no-token");
        server.get(path).is_problem(404, "no-route");
    }
    // Answers and refusals must not be rendered as pages either.
    let answers = [
        html,
        server.post("/coderag/search", &json!({ "query": "header", "repos": [{}] })),
        server.post("/coderag/search", &json!({})),
        server.send("GET", "/metrics", &[], ""),
        server.send("GET", "/", &[("Host", "evil.example")], ""),
    ];
    for (at, answer) in answers.iter().enumerate() {
        let head = answer.head.to_lowercase();
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'; trusted-types 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "x-frame-options: deny",
            "cross-origin-resource-policy: same-origin",
            if at == 0 { "cache-control: no-cache" } else { "cache-control: no-store" },
        ] {
            assert!(head.contains(header), "{header} in {head}");
        }
        assert!(!head.contains("unsafe") && !head.contains("access-control-allow-origin"), "{head}");
    }
}

#[test]
fn the_key_is_worth_the_token_once() {
    let repo = Repo::sample();
    let server = Server::start(&repo, &[]);
    let (address, key) = server.page.split_once("/#key=").unwrap();
    assert_eq!(address, format!("http://127.0.0.1:{}", server.port));
    let json = [("Content-Type", "application/json")];
    let give = |body: &str| server.send("POST", "/coderag/key", &json, body);
    for wrong in
        ["{}", "{", "[]", r#"{"key": ""}"#, r#"{"key": "x"}"#, &format!(r#"{{"key": "{}"}}"#, server.token)]
    {
        let refused = server.send("POST", "/coderag/key", &json, wrong);
        assert!(refused.status == 400 || refused.status == 401, "{refused:?}");
        assert!(!refused.body.contains(key) && !refused.body.contains(&server.token));
    }
    let right = json!({ "key": key }).to_string();
    server
        .send("POST", "/coderag/key", &[json[0], ("Origin", "https://evil.example")], &right)
        .is_problem(403, "foreign-origin");
    let given = give(&right);
    assert_eq!((given.status, &given.json()["token"]), (200, &json!(server.token)));
    give(&right).is_problem(401, "no-token");
    // The key of the page is not a token.
    server
        .send("GET", "/metrics", &[("Authorization", &format!("Bearer {key}"))], "")
        .is_problem(401, "no-token");
}

#[test]
fn a_search_gives_source_state_and_reasons() {
    let repo = Repo::sample();
    repo.write("lib/new.py", "def renew_token(store, user):\n    return store.refresh_token(user)  # <b>\n");
    let server = Server::start(&repo, &[]);
    let answer =
        ask(&server, "/coderag/search", json!({ "query": "refresh token", "repos": [{}], "lines": 6 }));
    let (searched, results) = (&answer["repos"][0], answer["results"].as_array().unwrap());
    assert_eq!(
        (&searched["state"], &searched["worktree"], &searched["dirtyFiles"]),
        (&json!("exact"), &json!(true), &json!(1))
    );
    assert_eq!(searched["commit"], repo.rev("HEAD"));
    let line = repo.results(&["refresh token", "-k", "20"]);
    let place = |one: &Value, start: &str| {
        (one["path"].clone(), one[start].clone(), one["score"].clone(), one["relevance"].clone())
    };
    assert_eq!(
        results.iter().map(|one| place(one, "startLine")).collect::<Vec<_>>(),
        line.iter().map(|one| place(one, "start_line")).collect::<Vec<_>>(),
        "as on the command line"
    );
    let new = results.iter().find(|one| one["path"] == "lib/new.py").unwrap();
    assert_eq!(
        (&new["gitStatus"], &new["symbol"], &new["symbolLine"]),
        (&json!("untracked"), &json!("renew_token"), &json!(1))
    );
    assert!(text(&new["code"]).contains("return store.refresh_token(user)  # <b>"), "{new}");
    let pieces: Vec<&Value> =
        new["code"].as_array().unwrap().iter().flat_map(|line| line["pieces"].as_array().unwrap()).collect();
    for expected in [
        json!({ "text": "def", "class": "keyword" }),
        json!({ "text": "# <b>", "class": "comment" }),
        json!({ "text": "refresh", "match": true }),
    ] {
        assert!(pieces.contains(&&expected), "{expected} in {pieces:?}");
    }
    assert!(
        new["explain"]
            .as_array()
            .unwrap()
            .iter()
            .any(|part| part["part"] == "word" && part["value"].as_f64().unwrap() > 0.0)
    );
    assert!(results.iter().all(|one| one["code"].as_array().unwrap().len() <= 6));
    // At a revision.
    let older =
        json!({ "query": "exponential backoff", "repos": [{ "versionSpecifier": "HEAD~2" }], "lines": 0 });
    let answer = ask(&server, "/coderag/search", older);
    assert_eq!(answer["repos"][0]["commit"], repo.rev("HEAD~2"));
    assert!(
        answer["results"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one["path"] != "src/retry.rs" && one["code"] == json!([]))
    );
}

#[test]
fn several_repositories_are_listed_and_searched_as_one() {
    let repo = Repo::sample();
    let other = repo.clone_to("other", &[]);
    other.write("lib/renew.py", "def renew_token():\n    pass\n");
    let path = |repo: &Repo| repo.path().display().to_string();
    let server = Server::start(&repo, &[&path(&repo), &path(&other)]);
    let listed = ask(&server, "/coderag/repositories", json!({}));
    let names: Vec<&Value> =
        listed["repositories"].as_array().unwrap().iter().map(|one| &one["checkoutPath"]).collect();
    assert_eq!(names, [&json!(path(&repo)), &json!(path(&other))]);
    assert_eq!((&listed["more"], &listed["repositories"][1]["name"]), (&json!(0), &json!("other")));
    let repos = json!([{ "checkoutPath": path(&repo) }, { "checkoutPath": path(&other) }]);
    let answer = ask(&server, "/coderag/search", json!({ "query": "renew token", "repos": repos }));
    let found = &answer["results"][0];
    assert_eq!((&found["path"], &found["repository"]), (&json!("lib/renew.py"), &json!(1)), "{answer}");
    assert_eq!(answer["repos"][1]["checkoutPath"], path(&other));
    // Repositories below a root.
    let server = Server::start(&repo, &["--root", &repo.root().display().to_string()]);
    let listed = ask(&server, "/coderag/repositories", json!({}));
    assert_eq!(listed["repositories"].as_array().unwrap().len(), 2, "{listed}");
}

#[test]
fn files_are_read_at_any_version_and_only_what_git_has() {
    let repo = Repo::sample();
    repo.write(".gitignore", "secret.env\n");
    repo.write("secret.env", "PASSWORD=hunter2\n");
    repo.write("lib/auth.py", "def only_here():\r\n    return '\x1b[31m\u{202e}<script>'\r\n");
    let server = Server::start(&repo, &[]);
    let file = |path: &str, version: &str| {
        let mut request = json!({ "repo": {}, "path": path });
        if !version.is_empty() {
            request["repo"]["versionSpecifier"] = json!(version);
        }
        server.post("/coderag/file", &request)
    };
    let here = file("lib/auth.py", "").json();
    assert_eq!(text(&here["lines"]), "def only_here():\n    return '␛[31m‹U+202E›<script>'");
    assert_eq!(
        (&here["gitStatus"], &here["language"], &here["nLines"]),
        (&json!("modified"), &json!("python"), &json!(2))
    );
    assert_eq!(
        here["declarations"][0],
        json!({ "symbol": "only_here", "kind": "function", "line": 1, "startLine": 1, "endLine": 2 })
    );
    for (version, hours) in [("HEAD", "7200"), ("HEAD~1", "3600")] {
        let then = file("lib/auth.py", version).json();
        assert!(text(&then["lines"]).contains(hours), "{then}");
        assert_eq!((&then["commit"], &then["worktree"]), (&json!(repo.rev(version)), &json!(false)));
        let method = then["declarations"]
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["symbol"] == "SessionStore.refresh_token");
        assert_eq!(method.unwrap()["line"], 10, "{then}");
    }
    let some = json!({ "repo": {}, "path": "src/header.rs", "startLine": 4, "endLine": 5 });
    let some = ask(&server, "/coderag/file", some);
    assert_eq!(text(&some["lines"]), "pub struct Header {\n    pub tree: String,");
    assert_eq!((&some["lines"][0]["number"], &some["nLines"]), (&json!(4), &json!(12)));
    // Reading a file indexes nothing.
    file("src/header.rs", "HEAD~2");
    assert!(!repo.index_refs().iter().any(|name| name.contains(&repo.rev("HEAD~2"))));

    for path in [
        "secret.env",
        ".git/config",
        "../token",
        "/etc/passwd",
        "lib",
        "lib/",
        "src/../lib/auth.py",
        "lib/auth.pyy",
    ] {
        file(path, "").is_problem(404, "no-file");
        file(path, "HEAD").is_problem(404, "no-file");
    }
    assert!(file("lib/auth.pyy", "HEAD").json()["hint"].as_str().unwrap().contains("lib/auth.py"));
    file("data.bin", "").is_problem(422, "not-text");
    file("README.md", "nope").is_problem(404, "no-version");
    for (key, value) in [
        ("startLine", json!(0)),
        ("endLine", json!(0)),
        ("pathBytes", json!("zz")),
        ("path", json!("")),
        ("startLine", json!(9)),
    ] {
        let mut request = json!({ "repo": {}, "path": "README.md", "endLine": 3 });
        request[key] = value;
        server.post("/coderag/file", &request).is_problem(400, "bad-request");
    }
    let bytes: String = "README.md".bytes().map(|byte| format!("{byte:02x}")).collect();
    let by_bytes = json!({ "repo": {}, "path": "x", "pathBytes": bytes });
    assert!(text(&ask(&server, "/coderag/file", by_bytes)["lines"]).contains("# Sample"));
}

#[test]
fn a_large_file_is_cut() {
    let repo = Repo::sample();
    let many: String = (0..2_010).map(|n| format!("def f{n}(): pass\n")).collect();
    repo.write("many.py", many);
    repo.write("wide.txt", format!("{}\n", "x".repeat(900)).repeat(600));
    repo.write("one.txt", "y".repeat(900_000));
    let sparse = |path: &str, len: u64| {
        std::fs::File::create(repo.path().join(path)).unwrap().set_len(len).unwrap();
    };
    sparse("limit.bin", 16 << 20);
    sparse("large.bin", (16 << 20) + 1);
    let server = Server::start(&repo, &[]);
    let file = |path: &str, first: u32| {
        server.post("/coderag/file", &json!({ "repo": {}, "path": path, "startLine": first }))
    };
    let n_lines = |answer: &Value| answer["lines"].as_array().unwrap().len();
    let many = file("many.py", 1).json();
    assert_eq!((n_lines(&many), &many["nLines"]), (2_000, &json!(2_010)));
    assert_eq!(many["declarations"].as_array().unwrap().len(), 2_000);
    assert_eq!(n_lines(&file("many.py", 2_009).json()), 2);
    assert_eq!(n_lines(&file("wide.txt", 1).json()), 500_000 / 900);
    assert_eq!(n_lines(&file("one.txt", 1).json()), 1, "at least one line");
    let large = file("large.bin", 1);
    large.is_problem(422, "not-text");
    assert!(large.body.contains("16777217 bytes: too many to show"), "{large:?}");
    assert!(file("limit.bin", 1).body.contains("'limit.bin' is not text"));
    for (len, status) in [(4096, 404), (4097, 400)] {
        assert_eq!(file(&"x".repeat(len), 1).status, status, "a path of {len} bytes");
    }
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_and_names_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt as _;
    let repo = Repo::sample();
    std::os::unix::fs::symlink("/etc/passwd", repo.path().join("lib/link.py")).unwrap();
    let odd = std::ffi::OsStr::from_bytes(b"lib/caf\xe9.py");
    std::fs::write(repo.path().join(odd), "def zanzibar():\n    pass\n").unwrap();
    let server = Server::start(&repo, &[]);
    server.post("/coderag/file", &json!({ "repo": {}, "path": "lib/link.py" })).is_problem(404, "no-file");
    let found =
        ask(&server, "/coderag/search", json!({ "query": "zanzibar", "repos": [{}] }))["results"][0].clone();
    assert_eq!(
        (&found["path"], &found["pathBytes"]),
        (&json!(r#""lib/caf\351.py""#), &json!("6c69622f636166e92e7079"))
    );
    let request = json!({ "repo": {}, "path": found["path"], "pathBytes": found["pathBytes"] });
    assert!(text(&ask(&server, "/coderag/file", request)["lines"]).contains("zanzibar"));
}

#[test]
fn relations_lead_from_place_to_place() {
    let repo = Repo::sample();
    repo.write("src/a.rs", "pub fn one() {\n    two();\n}\n\npub fn two() {}\n");
    repo.write("doors/door.py", "class Door:\n    pass\n");
    repo.write("doors/gate.py", "from door import Door\n\n\nclass Gate(Door):\n    pass\n");
    let server = Server::start(&repo, &[]);
    let related = |symbol: &str| ask(&server, "/coderag/relations", json!({ "repo": {}, "symbol": symbol }));
    let one = related("src/a.rs:2");
    let symbol = &one["symbols"][0];
    assert_eq!(
        symbol["place"],
        json!({ "path": "src/a.rs", "line": 1, "endLine": 3, "symbol": "one", "kind": "function" })
    );
    let callee = &symbol["callees"]["items"][0];
    assert_eq!(
        (&callee["place"]["symbol"], &callee["at"], &callee["relation"]),
        (&json!("two"), &json!(2), &json!("call"))
    );
    let two = related("two");
    assert_eq!(two["symbols"][0]["callers"]["items"][0]["place"]["symbol"], "one", "{two}");
    assert_eq!(two["symbols"][0]["implementers"], Value::Null);
    assert_eq!(related("Door")["symbols"][0]["implementers"]["items"][0]["place"]["symbol"], "Gate");
    assert_eq!(related("src/a.rs:999")["symbols"], json!([]));
    for request in [
        json!({ "repo": {}, "symbol": "" }),
        json!({ "repo": {}, "symbol": "one", "limit": 0 }),
        json!({ "repo": {}, "symbol": "one", "limit": 1000 }),
        json!({ "repo": [], "symbol": "one" }),
        json!({ "repo": {}, "symbol": "one", "depth": 9 }),
    ] {
        server.post("/coderag/relations", &request).is_problem(400, "bad-request");
    }
}

#[test]
fn revisions_are_those_that_can_be_asked() {
    let repo = Repo::sample();
    repo.git(&["tag", "v1", "HEAD~1"]);
    repo.git(&["checkout", "-q", "-b", "side", "HEAD~2"]);
    repo.write("side.py", "x = 1\n");
    let side = repo.commit("aside");
    repo.cora(&["index"]);
    repo.git(&["checkout", "-q", "main"]);
    repo.cora(&["index"]);
    let server = Server::start(&repo, &[]);
    let answer = ask(&server, "/coderag/revisions", json!({ "repo": {} }));
    assert_eq!((&answer["branch"], &answer["worktree"]), (&json!("main"), &json!(true)));
    let line: Vec<_> = answer["line"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["commit"].clone(), one["subject"].clone()))
        .collect();
    let expected = [("HEAD", "longer sessions"), ("HEAD~1", "retry"), ("HEAD~2", "first")];
    assert_eq!(line, expected.map(|(rev, subject)| (json!(repo.rev(rev)), json!(subject))));
    assert_eq!(
        (&answer["line"][0]["names"], &answer["line"][1]["names"]),
        (&json!(["main"]), &json!(["v1"]))
    );
    assert_eq!(answer["line"][0]["indexed"], true);
    let others = answer["others"].as_array().unwrap();
    assert!(
        others
            .iter()
            .any(|one| one["commit"] == side && one["indexed"] == true && one["names"] == json!(["side"])),
        "{answer}"
    );
    let from =
        ask(&server, "/coderag/revisions", json!({ "repo": { "versionSpecifier": "side" }, "limit": 1 }));
    assert_eq!((&from["line"][0]["commit"], from["line"].as_array().unwrap().len()), (&json!(side), 1));
    server.post("/coderag/revisions", &json!({ "repo": {}, "limit": 0 })).is_problem(400, "bad-request");
    // Before the first commit.
    let empty = Repo::new();
    empty.write("a.py", "def a(): pass\n");
    let server = Server::start(&empty, &[]);
    let answer = ask(&server, "/coderag/revisions", json!({ "repo": {} }));
    assert_eq!(
        (&answer["line"], &answer["others"], &answer["branch"]),
        (&json!([]), &json!([]), &json!("main"))
    );
}

#[test]
fn who_browses_is_guarded_like_all_others() {
    let repo = Repo::sample();
    let other = repo.clone_to("other", &[]);
    let server = Server::start(&repo, &[]);
    let elsewhere = json!({ "checkoutPath": other.path().display().to_string() });
    let requests = [
        ("/coderag/repositories", json!({})),
        ("/coderag/search", json!({ "query": "x", "repos": [elsewhere] })),
        ("/coderag/ask", json!({ "question": "x", "repo": elsewhere })),
        ("/coderag/file", json!({ "repo": elsewhere, "path": "README.md" })),
        ("/coderag/relations", json!({ "repo": elsewhere, "symbol": "main" })),
        ("/coderag/revisions", json!({ "repo": elsewhere })),
        ("/coderag/history", json!({ "repo": elsewhere, "path": "lib/auth.py", "line": 1 })),
    ];
    let document = server.send("GET", "/openapi.json", &[], "").json();
    for (route, request) in requests {
        let json = ("Content-Type", "application/json");
        server.send("POST", route, &[json], &request.to_string()).is_problem(401, "no-token");
        server.send("POST", route, &[json], "{").is_problem(401, "no-token");
        server
            .send("POST", route, &[json, ("Origin", "null")], &request.to_string())
            .is_problem(403, "foreign-origin");
        server.get(route).is_problem(405, "no-method");
        server.post(route, &json!({ "unknown": 1 })).is_problem(400, "bad-request");
        let mut with_token = request.clone();
        with_token["token"] = json!(server.token);
        let answer = server.send("POST", route, &[json], &with_token.to_string());
        if route == "/coderag/repositories" {
            assert_eq!(answer.status, 200, "{answer:?}");
        } else {
            answer.is_problem(404, "no-repository");
        }
        assert!(document["paths"][route]["post"]["requestBody"].is_object(), "{route}");
    }
    for request in [
        json!({ "query": " ", "repos": [{}] }),
        json!({ "query": "x".repeat(100_001), "repos": [{}] }),
        json!({ "query": "x", "repos": [] }),
        json!({ "query": "x", "repos": vec![json!({}); 17] }),
        json!({ "query": "x", "repos": [{}], "limit": 101 }),
        json!({ "query": "x", "repos": [{}], "limit": 100, "lines": 100 }),
        json!({ "query": "x", "repos": [{}], "lines": -1 }),
    ] {
        server.post("/coderag/search", &request).is_problem(400, "bad-request");
    }
    for wrong in [json!(1.5), json!(-0.1), json!(1e300)] {
        let request = json!({ "query": "x", "repos": [{}], "minScore": wrong });
        let answer = server.post("/coderag/search", &request);
        answer.is_problem(400, "bad-request");
        let expected = format!("invalid value '{wrong}' for 'minScore': expected a number from 0 to 1");
        assert!(answer.body.contains(&expected) || wrong == json!(1e300), "{}", answer.body);
    }
    assert!(other.index_refs().is_empty());
}

#[test]
fn an_answer_cites_what_the_sources_say() {
    let repo = Repo::sample();
    repo.write("lib/new.py", "def renew_token(store, user):\n    \"\"\"Renews the token <b>now</b>. And more.\"\"\"\n    return store.refresh_token(user)\n");
    let server = Server::start(&repo, &[]);
    let question = "How is the token of a user refreshed? Where are invoices loaded?";
    let answer = ask(&server, "/coderag/ask", json!({ "question": question, "repo": {} }));
    assert_eq!(
        (&answer["repo"]["state"], &answer["repo"]["commit"]),
        (&json!("exact"), &json!(repo.rev("HEAD")))
    );
    let (topics, places) = (answer["topics"].as_array().unwrap(), answer["places"].as_array().unwrap());
    assert!(topics.len() >= 2, "{answer}");
    let path =
        |number: &Value| &places[usize::try_from(number.as_u64().unwrap()).unwrap() - 1]["place"]["path"];
    let of = |part: &str| {
        let topic = topics
            .iter()
            .find(|topic| topic["whole"] == false && topic["question"].as_str().unwrap().contains(part));
        topic.unwrap()["cited"].as_array().unwrap().iter().map(path).collect::<Vec<_>>()
    };
    assert!(of("token").contains(&&json!("lib/auth.py")), "{answer}");
    assert_eq!(of("invoices")[0], "web/app.ts", "{answer}");
    for (place, number) in places.iter().zip(1..) {
        assert_eq!(place["place"]["rank"], number);
        assert!(!place["place"]["code"].as_array().unwrap().is_empty(), "{place}");
    }
    let new = places.iter().find(|place| place["place"]["path"] == "lib/new.py").unwrap();
    assert_eq!(new["says"], "Renews the token <b>now</b>.");
    // The citations have the same numbers as on the command line.
    let line = repo.cora(&["ask", "--extractive", "--json", question]).json();
    let cited: Vec<&Value> = line["references"].as_array().unwrap().iter().map(|one| &one["path"]).collect();
    assert_eq!(places.iter().map(|place| &place["place"]["path"]).collect::<Vec<_>>(), cited);

    let nothing = ask(&server, "/coderag/ask", json!({ "question": "qwxyz vvkjq", "repo": {} }));
    assert_eq!((&nothing["places"], nothing["stopped"].is_string()), (&json!([]), true), "{nothing}");
    for request in [
        json!({ "question": " ", "repo": {} }),
        json!({ "question": "x", "repo": {}, "tokens": 1 }),
        json!({ "question": "x", "repos": [{}] }),
    ] {
        server.post("/coderag/ask", &request).is_problem(400, "bad-request");
    }
    // A configured model is not asked.
    repo.git(&["config", "cora.model", "ollama:x"]);
    repo.git(&["config", "cora.modelUrl", "http://127.0.0.1:1"]);
    assert_eq!(
        ask(&server, "/coderag/ask", json!({ "question": question, "repo": {} }))["places"],
        answer["places"]
    );
}
