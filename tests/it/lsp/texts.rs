//! Columns, unsaved texts, changes on disk, and revisions.

use serde_json::{Value, json};

use super::client::{Client, UPLOAD, about, places, sample, uri};

#[test]
fn columns_are_those_of_the_negotiated_encoding() {
    let repo = sample();
    let at = |line: u32, column: u32| {
        let position = json!({"line": line, "character": column});
        json!({"textDocument": {"uri": uri(&repo, "src/lib.rs")}, "position": position, "context": {"includeDeclaration": false}})
    };
    // `/* 🙂é */` has four bytes and two bytes, or two units and one.
    for (encoding, used, calls) in [
        ("utf-8", "utf-8", ["src/lib.rs:6:29-41", "src/lib.rs:6:76-88"]),
        ("utf-16", "utf-16", ["src/lib.rs:6:26-38", "src/lib.rs:6:69-81"]),
        ("utf-32", "utf-32", ["src/lib.rs:6:25-37", "src/lib.rs:6:66-78"]),
        ("unknown", "utf-16", ["src/lib.rs:6:26-38", "src/lib.rs:6:69-81"]),
    ] {
        let mut client = Client::spawn(&repo, &[]);
        let reply = client.initialize(&[repo.path()], encoding, &Value::Null);
        assert_eq!(reply["capabilities"]["positionEncoding"], used);
        for call in calls {
            let column: u32 = call.split([':', '-']).nth(2).unwrap().parse().unwrap();
            for inside in [column, column + 5, column + 12] {
                let found = client.ok("textDocument/definition", at(6, inside));
                assert_eq!(places(&repo, &found), ["src/upload.rs:6:7-19"], "{encoding} {inside}");
            }
            let found = client.ok("textDocument/definition", at(6, column - 1));
            assert!(places(&repo, &found).is_empty(), "{encoding}: {found}");
        }
        let found = client.ok(
            "textDocument/references",
            at(6, calls[0].split([':', '-']).nth(2).unwrap().parse().unwrap()),
        );
        assert_eq!(places(&repo, &found)[1..], calls, "{encoding}");
        // Beyond the end of a line, and of the text.
        for (line, column) in [(6, 99_999), (99_999, 0), (u32::MAX >> 1, u32::MAX >> 1)] {
            let found = client.ok("textDocument/definition", at(line, column));
            assert!(places(&repo, &found).is_empty());
        }
        client.end();
    }
}

#[test]
fn tabs_and_carriage_returns_are_columns_and_ends() {
    let repo = sample();
    let mut client = Client::start(&repo);
    let found = client.at(&repo, "textDocument/references", "crlf.py", "above", 0);
    assert_eq!(places(&repo, &found), ["crlf.py:0:4-9", "crlf.py:4:8-13"]);
    // The editor may show the same lines with other ends.
    let text = std::fs::read_to_string(repo.path().join("crlf.py")).unwrap().replace("\r\n", "\n");
    client.open(&repo, "crlf.py", &text);
    let found = client.ok("textDocument/references", about(&repo, "crlf.py", &text, "above", 1));
    assert_eq!(places(&repo, &found), ["crlf.py:0:4-9", "crlf.py:4:8-13"]);
    client.end();
}

#[test]
fn places_follow_unsaved_lines_and_are_never_wrong() {
    let repo = sample();
    let mut client = Client::start(&repo);
    let references = |client: &mut Client| {
        let found = client.at(&repo, "textDocument/references", "src/retry.rs", "pause(", 0);
        places(&repo, &found)
    };
    assert_eq!(references(&mut client)[1..], ["src/upload.rs:8:25-30", "src/upload.rs:9:21-26"]);
    // Two lines more above.
    let text = format!("// one\n// two\n{UPLOAD}");
    client.open(&repo, "src/upload.rs", &text);
    assert_eq!(references(&mut client)[1..], ["src/upload.rs:10:25-30", "src/upload.rs:11:21-26"]);
    let found = client.ok("textDocument/definition", about(&repo, "src/upload.rs", &text, "pause", 1));
    assert_eq!(places(&repo, &found), ["src/retry.rs:12:11-16"]);
    // A line is removed, and another one is changed but still has the name.
    let mut change = |changes: Value| {
        let document = json!({"uri": uri(&repo, "src/upload.rs"), "version": 2});
        client.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
        references(&mut client)
    };
    let range = |from: [u32; 2], to: [u32; 2]| json!({"start": {"line": from[0], "character": from[1]}, "end": {"line": to[0], "character": to[1]}});
    let found = change(json!([{"range": range([10, 0], [11, 0]), "text": ""}]));
    assert_eq!(found[1..], ["src/upload.rs:10:21-26"]);
    let found = change(json!([{"range": range([10, 4], [10, 10]), "text": "1"}]));
    assert_eq!(found[1..], ["src/upload.rs:10:16-21"]);
    // All is removed: no place is shown.
    assert_eq!(change(json!([{"text": "\n\n\n"}])).len(), 1);
    client.end();
}

#[test]
fn names_in_new_lines_are_found_as_guesses() {
    let repo = sample();
    let mut client = Client::start(&repo);
    let text = UPLOAD.replace("    let waited", "    let more = backoff.pause(\"more\");\n    let waited");
    client.open(&repo, "src/upload.rs", &text);
    let asked = about(&repo, "src/upload.rs", &text, "pause", 0);
    let found = client.ok("textDocument/definition", asked.clone());
    assert_eq!(places(&repo, &found), ["src/retry.rs:12:11-16"]);
    let hover = client.ok("textDocument/hover", asked);
    assert!(hover["contents"]["value"].as_str().unwrap().starts_with("*guess: "), "{hover}");
    // The head of a declaration is edited: it is the same one by its name.
    let text = UPLOAD.replace("retry_upload(path: &str)", "retry_upload(path: &str, n: u32)");
    let document = json!({"uri": uri(&repo, "src/upload.rs"), "version": 3});
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": document, "contentChanges": [{ "text": text }]}),
    );
    let found = client.ok("textDocument/references", about(&repo, "src/upload.rs", &text, "retry_upload", 0));
    assert_eq!(
        places(&repo, &found),
        ["src/upload.rs:6:7-19", "src/lib.rs:3:19-31", "src/lib.rs:6:29-41", "src/lib.rs:6:76-88"]
    );
    client.end();
}

#[test]
fn a_text_that_is_not_known_gets_an_error() {
    let repo = sample();
    let mut client = Client::start(&repo);
    client.open(&repo, "src/upload.rs", UPLOAD);
    let document = json!({"uri": uri(&repo, "src/upload.rs"), "version": 2});
    let range = json!({"start": {"line": 5, "character": 0}, "end": {"line": 1, "character": 0}});
    let changes = json!([{"range": range, "text": "x"}]);
    client.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    let asked = about(&repo, "src/upload.rs", UPLOAD, "pause", 0);
    let (code, why) = client.fails("textDocument/definition", asked.clone());
    assert!(code == -32803 && why.contains("close the file and open it again"), "{code} {why}");
    // Places in it are left out elsewhere.
    let found = client.at(&repo, "textDocument/references", "src/retry.rs", "pause(", 0);
    assert_eq!(places(&repo, &found), ["src/retry.rs:12:11-16"]);
    client.open(&repo, "src/upload.rs", UPLOAD);
    assert_eq!(places(&repo, &client.ok("textDocument/definition", asked)), ["src/retry.rs:12:11-16"]);
    client.end();
}

#[test]
fn a_change_on_disk_is_seen_by_the_next_request() {
    let repo = sample();
    let mut client = Client::start(&repo);
    let count = |client: &mut Client| {
        let found = client.at(&repo, "textDocument/references", "src/retry.rs", "pause(", 0);
        places(&repo, &found).len()
    };
    assert_eq!(count(&mut client), 3);
    repo.write("src/upload.rs", UPLOAD.replace("\n}\n", "\n        + backoff.pause(\"more\")\n}\n"));
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({"changes": [{"uri": uri(&repo, "src/upload.rs"), "type": 2}]}),
    );
    assert_eq!(count(&mut client), 4);
    repo.write("src/more.rs", "use crate::retry::Backoff;\n\npub fn more(backoff: &Backoff) -> u32 {\n    backoff.pause(\"x\")\n}\n");
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": uri(&repo, "src/more.rs")}}));
    assert_eq!(count(&mut client), 5);
    repo.commit("more");
    repo.remove("src/more.rs");
    assert_eq!(count(&mut client), 4);
    client.end();
}

#[test]
fn answers_are_from_any_revision_with_their_texts() {
    let repo = sample();
    let first = repo.rev("HEAD");
    repo.git(&["tag", "v1"]);
    repo.write("src/upload.rs", UPLOAD.replace("retry_upload", "send_again"));
    repo.write(
        "src/lib.rs",
        "// one line more\n".to_owned()
            + &repo.git(&["show", "v1:src/lib.rs"]).replace("retry_upload", "send_again")
            + "\n",
    );
    repo.commit("renamed");
    let mut client = Client::start_with(&repo, &json!({"revision": "v1"}));
    let found = client.ok("workspace/symbol", json!({"query": "retry_upload"}));
    let uri_at = format!("git-cora:{}?{first}", repo.path().join("src/upload.rs").display());
    assert_eq!(found[0]["location"]["uri"], uri_at.as_str());
    let content = client.ok("workspace/textDocumentContent", json!({ "uri": uri_at }));
    assert_eq!(content["text"], UPLOAD);
    // A document of the revision.
    let mut asked = about(&repo, "src/upload.rs", UPLOAD, "pause", 0);
    asked["textDocument"]["uri"] = uri_at.as_str().into();
    let found = client.ok("textDocument/definition", asked.clone());
    assert_eq!(found[0]["uri"], format!("git-cora:{}?{first}", repo.path().join("src/retry.rs").display()));
    let symbols = client.ok("textDocument/documentSymbol", json!({"textDocument": {"uri": uri_at}}));
    assert_eq!(symbols[0]["name"], "retry_upload");
    // A file of the working tree has one line more than the revision.
    let found = client.at(&repo, "textDocument/definition", "src/lib.rs", "mod retry", 0);
    assert!(places(&repo, &found).is_empty(), "'mod' is not a name: {found}");
    let found = client.at(&repo, "textDocument/definition", "src/upload.rs", "pause", 0);
    assert_eq!(found[0]["uri"], format!("git-cora:{}?{first}", repo.path().join("src/retry.rs").display()));
    // Back to the working tree, and to another revision.
    let command = |arguments: Value| json!({"command": "git-cora.revision", "arguments": arguments});
    let reply = client.ok("workspace/executeCommand", command(json!([null])));
    assert_eq!(reply["revision"], Value::Null);
    let found = client.ok("workspace/symbol", json!({"query": "send_again"}));
    assert_eq!(found[0]["location"]["uri"], uri(&repo, "src/upload.rs"));
    // The address of the revision still works.
    assert_eq!(client.ok("textDocument/definition", asked)[0]["range"]["start"]["line"], 12);
    let reply = client.ok("workspace/executeCommand", command(json!(["HEAD"])));
    assert_eq!(reply["commits"][0]["commit"], repo.rev("HEAD").as_str());
    let found = client.ok("workspace/symbol", json!({"query": "send_again"}));
    assert!(found[0]["location"]["uri"].as_str().unwrap().starts_with("git-cora:"));
    for arguments in [json!(["no-such-revision"]), json!([7]), json!(["a", "b"]), json!([""])] {
        client.fails("workspace/executeCommand", command(arguments));
    }
    let (_, why) = client.fails("workspace/executeCommand", json!({"command": "other"}));
    assert!(why.contains("git-cora.revision"), "{why}");
    client.end();
}

#[test]
fn only_files_of_the_repository_have_a_content() {
    let repo = sample();
    repo.write("ignored.rs", "secret");
    let head = repo.rev("HEAD");
    let mut client = Client::start(&repo);
    let at = |path: &str| format!("git-cora:{}?{head}", repo.path().join(path).display());
    for uri in [
        at("ignored.rs"),
        at("../home/x"),
        at(".git/config"),
        at("src"),
        format!("git-cora:/etc/passwd?{head}"),
        format!("git-cora:{}?{}", repo.path().join("src/lib.rs").display(), "1".repeat(40)),
        uri(&repo, "src/lib.rs"),
        uri(&repo, ".git/config"),
        "nonsense".to_owned(),
    ] {
        client.fails("workspace/textDocumentContent", json!({ "uri": uri }));
    }
    // An ignored file is read by no request.
    for path in ["ignored.rs", ".git/config"] {
        let symbols =
            client.ok("textDocument/documentSymbol", json!({"textDocument": {"uri": uri(&repo, path)}}));
        assert_eq!(symbols, Value::Null, "{path}");
    }
    client.end();
}
