//! Definitions, references, implementations, calls, hovers and symbols.

use serde_json::{Value, json};

use super::client::{Client, about, places, sample, uri};

#[test]
fn definitions_are_found_across_files() {
    let repo = sample();
    let mut client = Client::start(&repo);
    for (path, name, n, expected) in [
        // A call of an imported function, and the import itself.
        ("src/lib.rs", "retry_upload", 1, "src/upload.rs:6:7-19"),
        ("src/lib.rs", "retry_upload", 0, "src/upload.rs:6:7-19"),
        ("src/upload.rs", "Backoff", 1, "src/retry.rs:1:11-18"),
        ("src/upload.rs", "new", 0, "src/retry.rs:7:11-14"),
        // A method of an object whose type the file says.
        ("src/upload.rs", "pause", 0, "src/retry.rs:12:11-16"),
        ("src/upload.rs", "pause", 1, "src/retry.rs:12:11-16"),
        // The type of an implementation, and a declaration itself.
        ("src/retry.rs", "Backoff", 1, "src/retry.rs:1:11-18"),
        ("src/retry.rs", "pause(", 0, "src/retry.rs:12:11-16"),
        ("crlf.py", "above", 1, "crlf.py:0:4-9"),
    ] {
        let found = client.at(&repo, "textDocument/definition", path, name, n);
        assert_eq!(places(&repo, &found), [expected], "{path} {name} {n}");
    }
    // A local variable, a keyword and a blank have no declaration in the index.
    for (path, name) in [("src/upload.rs", "waited"), ("src/upload.rs", "let"), ("src/lib.rs", "\tfirst")] {
        let found = client.at(&repo, "textDocument/definition", path, name, 0);
        assert!(places(&repo, &found).is_empty(), "{name}: {found}");
    }
    client.end();
}

#[test]
fn references_are_every_place_of_a_name() {
    let repo = sample();
    let mut client = Client::start(&repo);
    let declaration = "src/upload.rs:6:7-19";
    let calls = ["src/lib.rs:3:19-31", "src/lib.rs:6:29-41", "src/lib.rs:6:76-88"];
    let found = client.at(&repo, "textDocument/references", "src/upload.rs", "retry_upload", 0);
    assert_eq!(places(&repo, &found), [&[declaration][..], &calls].concat());
    let text = std::fs::read_to_string(repo.path().join("src/lib.rs")).unwrap();
    let mut asked = about(&repo, "src/lib.rs", &text, "retry_upload", 1);
    asked["context"]["includeDeclaration"] = false.into();
    let found = client.ok("textDocument/references", asked);
    assert_eq!(places(&repo, &found), calls);
    let found = client.at(&repo, "textDocument/references", "src/retry.rs", "pause(", 0);
    assert_eq!(
        places(&repo, &found),
        ["src/retry.rs:12:11-16", "src/upload.rs:8:25-30", "src/upload.rs:9:21-26"]
    );
    client.end();
}

#[test]
fn implementations_are_found_on_all_levels() {
    let repo = sample();
    let mut client = Client::start(&repo);
    let found = client.at(&repo, "textDocument/implementation", "src/shape.ts", "Shape", 0);
    assert_eq!(
        places(&repo, &found),
        ["src/shape.ts:4:13-19", "src/shape.ts:10:13-19", "src/shape.ts:16:13-16"]
    );
    let found = client.at(&repo, "textDocument/implementation", "src/shape.ts", "area", 0);
    assert_eq!(places(&repo, &found), ["src/shape.ts:5:2-6", "src/shape.ts:11:2-6"]);
    client.end();
}

#[test]
fn calls_are_followed_in_both_directions_and_guesses_say_so() {
    let repo = sample();
    let mut client = Client::start(&repo);
    let prepared = client.at(&repo, "textDocument/prepareCallHierarchy", "src/lib.rs", "retry_upload", 1);
    let item = prepared[0].clone();
    assert_eq!((&item["name"], &item["kind"]), (&json!("retry_upload"), &json!(12)));
    assert_eq!(item["detail"], "src/upload.rs");
    let incoming = client.ok("callHierarchy/incomingCalls", json!({ "item": item }));
    assert_eq!(incoming.as_array().unwrap().len(), 1, "{incoming}");
    assert_eq!(incoming[0]["from"]["name"], "run");
    assert_eq!(incoming[0]["fromRanges"].as_array().unwrap().len(), 2);
    let outgoing = client.ok("callHierarchy/outgoingCalls", json!({ "item": item }));
    let names: Vec<&Value> = outgoing.as_array().unwrap().iter().map(|one| &one["to"]["name"]).collect();
    assert_eq!(names, ["new", "pause"], "{outgoing}");
    assert_eq!(outgoing[1]["fromRanges"].as_array().unwrap().len(), 2);
    assert_eq!(outgoing[1]["to"]["detail"], "Backoff · src/retry.rs");
    // The type of `client` is not known.
    let guessed = client.at(&repo, "textDocument/prepareCallHierarchy", "app/main.py", "reconnect_all", 0);
    let detail = guessed[0]["detail"].as_str().unwrap();
    assert!(detail.starts_with("Pool · app/pool.py · guess: ") && detail.ends_with('%'), "{detail}");
    let own = client.at(&repo, "textDocument/prepareCallHierarchy", "app/pool.py", "reconnect_all", 0);
    let callers = client.ok("callHierarchy/incomingCalls", json!({ "item": own[0] }));
    assert_eq!(callers[0]["from"]["name"], "start");
    assert!(callers[0]["from"]["detail"].as_str().unwrap().contains("guess: "), "{callers}");
    // An item whose declaration is gone names nothing.
    let mut gone = own[0].clone();
    gone["name"] = "elsewhere".into();
    assert_eq!(client.ok("callHierarchy/incomingCalls", json!({ "item": gone })), Value::Null);
    client.end();
}

#[test]
fn guesses_can_be_left_out() {
    let repo = sample();
    let mut client = Client::start(&repo);
    let found = client.at(&repo, "textDocument/definition", "app/main.py", "reconnect_all", 0);
    assert_eq!(places(&repo, &found), ["app/pool.py:1:8-21"]);
    client.end();
    let mut client = Client::start_with(&repo, &json!({"certainOnly": true}));
    let found = client.at(&repo, "textDocument/definition", "app/main.py", "reconnect_all", 0);
    assert_eq!(found, json!([]));
    let own = client.at(&repo, "textDocument/prepareCallHierarchy", "app/pool.py", "reconnect_all", 0);
    assert_eq!(client.ok("callHierarchy/incomingCalls", json!({ "item": own[0] })), json!([]));
    let found = client.at(&repo, "textDocument/references", "app/pool.py", "reconnect_all", 0);
    assert_eq!(places(&repo, &found), ["app/pool.py:1:8-21"]);
    client.end();
}

#[test]
fn a_hover_says_what_a_name_is_and_who_uses_it() {
    let repo = sample();
    let mut client = Client::start(&repo);
    let hover = client.at(&repo, "textDocument/hover", "src/lib.rs", "retry_upload", 1);
    let text = hover["contents"]["value"].as_str().unwrap();
    assert_eq!(hover["contents"]["kind"], "markdown");
    assert_eq!(
        hover["range"],
        json!({"start": {"line": 6, "character": 29}, "end": {"line": 6, "character": 41}})
    );
    for part in [
        "```rust\npub fn retry_upload(path: &str) -> u32\n```\n",
        "Sends a file again until it arrives.",
        "It gives up after an hour.",
        "function `retry_upload` in `src/upload.rs:7` · 3 references · last changed 20",
        "by `A U Thor`: `first` (",
    ] {
        assert!(text.contains(part), "no '{part}' in {text}");
    }
    let guess = client.at(&repo, "textDocument/hover", "app/main.py", "reconnect_all", 0);
    assert!(guess["contents"]["value"].as_str().unwrap().starts_with("*guess: "), "{guess}");
    assert!(guess["contents"]["value"].as_str().unwrap().contains("1 reference (1 guess)"), "{guess}");
    // Who changed a line that is not committed is not known.
    repo.write("src/upload.rs", super::client::UPLOAD.replace("an hour", "a day"));
    let hover = client.at(&repo, "textDocument/hover", "src/lib.rs", "retry_upload", 1);
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("after a day") && !text.contains("last changed"), "{text}");
    client.end();
}

#[test]
fn symbols_are_found_by_name_and_in_plain_words() {
    let repo = sample();
    repo.write("limits.toml", "[upload_limits]\nupload_most = 3\n");
    repo.commit("limits");
    let mut client = Client::start(&repo);
    let mut symbols = |query: &str| -> Vec<String> {
        let found = client.ok("workspace/symbol", json!({ "query": query }));
        let shown = |one: &Value| {
            let place = places(&repo, &json!([one["location"]])).remove(0);
            format!(
                "{} {} {} {place}",
                one["name"].as_str().unwrap(),
                one["kind"],
                one["containerName"].as_str().unwrap_or("-")
            )
        };
        found.as_array().unwrap().iter().map(shown).collect()
    };
    assert_eq!(symbols("retry_upload")[0], "retry_upload 12 src/upload.rs src/upload.rs:6:7-19");
    assert_eq!(symbols("Backoff.pause")[0], "pause 6 Backoff src/retry.rs:12:11-16");
    assert_eq!(symbols("BACKOFF")[0], "Backoff 23 src/retry.rs src/retry.rs:1:11-18");
    assert_eq!(symbols("retry_up")[0], "retry_upload 12 src/upload.rs src/upload.rs:6:7-19");
    assert_eq!(symbols("upload")[0], "upload 2 src/lib.rs src/lib.rs:1:8-14", "the exact name comes first");
    assert!(symbols("upload").iter().any(|one| one.starts_with("retry_upload ")));
    assert!(!symbols("upload").iter().any(|one| one.starts_with("upload_most ")), "a key has no code");
    assert!(symbols("upload_most")[0].starts_with("upload_most "), "its whole name finds it");
    let found = symbols("send a file again until it arrives");
    assert!(found[0].starts_with("retry_upload 12 "), "{found:?}");
    assert!(!symbols("").is_empty(), "without words, the most important ones");
    assert!(symbols("").len() <= 100);
    let (code, why) = client.fails("workspace/symbol", json!({"query": "x".repeat(10_001)}));
    assert!(code == -32602 && why.contains("10000 bytes"), "{why}");
    client.end();
}

#[test]
fn the_symbols_of_a_file_are_nested() {
    let repo = sample();
    let mut client = Client::start(&repo);
    let asked = |path: &str| json!({"textDocument": {"uri": uri(&repo, path)}});
    let found = client.ok("textDocument/documentSymbol", asked("src/shape.ts"));
    let names: Vec<&Value> = found.as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["Shape", "Circle", "Square", "Dot"]);
    let area = &found[1]["children"][0];
    assert_eq!((&area["name"], &area["kind"]), (&json!("area"), &json!(6)));
    assert_eq!(area["selectionRange"]["start"], json!({"line": 5, "character": 2}));
    // The text of an open file counts, saved or not.
    client.open(&repo, "src/shape.ts", "\nexport class Star {}\n");
    let found = client.ok("textDocument/documentSymbol", asked("src/shape.ts"));
    assert_eq!(found[0]["name"], "Star");
    assert_eq!(found[0]["selectionRange"]["start"], json!({"line": 1, "character": 13}));
    client.end();

    // A client without nested symbols gets a list with containers.
    let mut client = Client::spawn(&repo, &["--stdio"]);
    client.ok("initialize", json!({"processId": null, "capabilities": {}, "rootUri": uri(&repo, "")}));
    let found = client.ok("textDocument/documentSymbol", asked("src/shape.ts"));
    let area = found.as_array().unwrap().iter().find(|one| one["containerName"] == "Circle").unwrap();
    assert_eq!(
        (&area["name"], &area["location"]["uri"]),
        (&json!("area"), &json!(uri(&repo, "src/shape.ts")))
    );
    client.end();
}
