//! The life of a session: its begin and end, bad messages, slow requests, and odd repositories.

use git_cora::base::path::real;
use serde_json::{Value, json};

use super::client::{Client, UPLOAD, about, places, sample, uri};
use crate::harness::Repo;

#[test]
fn a_session_has_a_begin_and_an_end() {
    let repo = sample();
    let mut client = Client::spawn(&repo, &[]);
    let (code, _) = client.fails("workspace/symbol", json!({"query": "x"}));
    assert_eq!(code, -32002, "not initialized");
    client.open(&repo, "src/upload.rs", "too early");
    let (code, why) =
        client.fails("initialize", json!({"capabilities": {}, "initializationOptions": {"certain": 1}}));
    assert!(code == -32602 && why.contains("certainOnly"), "{why}");
    let reply = client.initialize(&[repo.path()], "utf-16", &Value::Null);
    assert_eq!(reply["serverInfo"]["name"], "git-cora");
    assert_eq!(reply["capabilities"]["workspace"]["textDocumentContent"]["schemes"], json!(["git-cora"]));
    assert_eq!(client.fails("initialize", json!({"capabilities": {}})).0, -32600);
    let (code, why) = client.fails("textDocument/formatting", json!({}));
    assert!(code == -32601 && why.contains("formatting"), "{why}");
    for params in [json!({}), json!([]), Value::Null, json!({"textDocument": {"uri": 7}})] {
        assert_eq!(client.fails("textDocument/hover", params).0, -32602);
    }
    assert_eq!(client.ok("shutdown", Value::Null), Value::Null);
    assert_eq!(client.fails("workspace/symbol", json!({"query": "x"})).0, -32600);
    client.notify("exit", Value::Null);
    assert_eq!(client.wait(), 0);
}

#[test]
fn the_exit_status_says_whether_the_client_said_goodbye() {
    let repo = sample();
    let mut client = Client::start(&repo);
    client.notify("exit", Value::Null);
    assert_eq!(client.wait(), 1, "without 'shutdown'");
    let mut client = Client::start(&repo);
    client.close_input();
    assert_eq!(client.wait(), 1, "the input ends");
    let mut client = Client::start(&repo);
    client.ok("shutdown", Value::Null);
    client.close_input();
    assert_eq!(client.wait(), 0, "the input ends after 'shutdown'");
    let mut client = Client::spawn(&repo, &[]);
    client.notify("exit", Value::Null);
    assert_eq!(client.wait(), 1, "before 'initialize'");
}

#[test]
fn bad_messages_get_a_reply_and_the_server_goes_on() {
    let repo = sample();
    let mut client = Client::start(&repo);
    client.open(&repo, "src/upload.rs", UPLOAD);
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":5,"method":"x","params":{}{}}}"#,
        "[".repeat(200_000),
        "]".repeat(200_000)
    );
    for (body, id, code) in [
        ("{not json", json!(null), -32700),
        (r#"{"jsonrpc":"2.0","id":7,"method":"x""#, json!(7), -32700),
        (r#"{"jsonrpc":"2.0","id":8}"#, json!(8), -32600),
        ("[]", json!(null), -32600),
        (r#"{"jsonrpc":"2.0","id":99999999999,"method":"shutdown"}"#, json!(99_999_999_999_u64), -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"shutdown"}"#, json!(null), -32600),
        (deep.as_str(), json!(5), -32600),
    ] {
        client.send_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
        let reply = client.reply();
        assert_eq!((&reply["id"], reply["error"]["code"].as_i64()), (&id, Some(code)), "{body:.80}");
    }
    for header in ["noise\r\n\r\n", "Content-Length: many\r\n", "Content-Length: -5\r\n"] {
        client.send_bytes(header.as_bytes());
        assert_eq!(client.reply()["error"]["code"], -32700, "{header}");
    }
    // Notifications get no reply, not even bad ones.
    for (method, params) in [
        ("textDocument/didOpen", json!({})),
        ("textDocument/didClose", json!(7)),
        ("$/cancelRequest", json!({"id": {}})),
        ("$/setTrace", json!({"value": "off"})),
        ("no/such", Value::Null),
    ] {
        client.notify(method, params);
    }
    let asked = about(&repo, "src/upload.rs", UPLOAD, "pause", 0);
    let found = client.ok("textDocument/definition", asked.clone());
    assert_eq!(places(&repo, &found), ["src/retry.rs:12:11-16"]);
    // A message that is too long may have been a change of any document.
    let long = format!(r#"{{"jsonrpc":"2.0","id":6,"method":"x","params":"{}"}}"#, "x".repeat(33 << 20));
    client.send_bytes(format!("Content-Length: {}\r\n\r\n{long}", long.len()).as_bytes());
    let reply = client.reply();
    assert_eq!((&reply["id"], &reply["error"]["code"]), (&json!(6), &json!(-32600)));
    assert_eq!(client.fails("textDocument/definition", asked).0, -32803);
    assert!(client.notifications.iter().any(|one| one["method"] == "window/logMessage"));
    client.end();
}

#[test]
fn a_reused_id_is_refused_while_its_request_runs() {
    let repo = sample();
    let mut client = Client::start(&repo);
    let asked = json!({"jsonrpc": "2.0", "id": "twice", "method": "workspace/symbol", "params": {"query": "send a file"}});
    client.send(&asked);
    client.send(&asked);
    let replies = [client.reply(), client.reply()];
    let n_errors = replies.iter().filter(|reply| reply["error"]["code"] == -32600).count();
    // The first one may be done before the second one comes.
    assert!(n_errors <= 1 && replies.iter().all(|reply| reply["id"] == "twice"), "{replies:?}");
    client.end();
}

/// Puts a `git` before the real one that looks at a work tree only once the returned file exists.
///
/// It gives up after a minute, so that a test whose server waits for it fails.
#[cfg(unix)]
fn with_gated_git(repo: &Repo) -> (Repo, std::path::PathBuf) {
    use std::os::unix::fs::PermissionsExt as _;

    let dir = repo.root().join("gated");
    std::fs::create_dir_all(&dir).unwrap();
    let gate = dir.join("open");
    let path = std::env::var_os("PATH").unwrap();
    let real = std::env::split_paths(&path).map(|dir| dir.join("git")).find(|git| git.is_file()).unwrap();
    let script = format!(
        "#!/bin/sh\ncase \" $* \" in *' status '*)\n  n=0\n  while [ ! -e '{}' ] && [ $n -lt 600 ]; do\n    \
         sleep 0.1\n    n=$((n + 1))\n  done\n;; esac\nexec '{}' \"$@\"\n",
        gate.display(),
        real.display()
    );
    std::fs::write(dir.join("git"), script).unwrap();
    std::fs::set_permissions(dir.join("git"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let dirs = std::iter::once(dir).chain(std::env::split_paths(&path));
    (repo.with_env("PATH", std::env::join_paths(dirs).unwrap()), gate)
}

#[test]
#[cfg(unix)]
fn a_slow_request_blocks_no_other_and_can_be_cancelled() {
    let (repo, gate) = with_gated_git(&sample());
    let mut client = Client::start(&repo);
    client.open(&repo, "src/upload.rs", UPLOAD);
    let slow = client.ask("workspace/symbol", json!({"query": "pause"}));
    let gone = client.ask("workspace/symbol", json!({"query": "retry"}));
    // This one needs no look at the work tree.
    let quick = client
        .ask("textDocument/documentSymbol", json!({"textDocument": {"uri": uri(&repo, "src/upload.rs")}}));
    client.notify("$/cancelRequest", json!({ "id": gone }));
    // Both replies come while Git still waits.
    let first = client.reply();
    let second = client.reply();
    let mut ids = [first["id"].as_u64().unwrap(), second["id"].as_u64().unwrap()];
    ids.sort_unstable();
    assert_eq!(ids, [gone, quick]);
    let cancelled = [&first, &second].into_iter().find(|reply| reply["id"] == gone).unwrap();
    assert_eq!(cancelled["error"]["code"], -32800);
    // The client sees the progress of the first look.
    client.await_progress("begin");
    std::fs::write(gate, "").unwrap();
    let reply = client.reply_to(slow);
    assert_eq!(reply["result"][0]["name"], "pause");
    // A second cancellation is too late and does nothing.
    client.notify("$/cancelRequest", json!({ "id": gone }));
    // The end of the progress may come after the reply.
    client.await_progress("end");
    let kinds: Vec<&Value> = client
        .notifications
        .iter()
        .filter(|one| one["method"] == "$/progress")
        .map(|one| &one["params"]["value"]["kind"])
        .collect();
    assert_eq!(kinds.first(), Some(&&json!("begin")), "{kinds:?}");
    assert_eq!(kinds.last(), Some(&&json!("end")), "{kinds:?}");
    client.end();
}

#[test]
fn files_elsewhere_have_no_answers_and_are_not_indexed() {
    let repo = sample();
    let other = repo.beside("other");
    std::fs::create_dir(other.path()).unwrap();
    other.git(&["init", "-q", "."]);
    other.write("a.rs", UPLOAD);
    other.commit("first");
    repo.write("ignored.rs", UPLOAD);
    let mut client = Client::start(&repo);
    for (path, name) in [("../other/a.rs", "retry_upload"), ("ignored.rs", "retry_upload")] {
        let found = client.at(&repo, "textDocument/definition", path, name, 0);
        assert_eq!(found, Value::Null, "{path}");
    }
    let elsewhere =
        |uri: &str| json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}});
    for uri in ["untitled:Untitled-1", "file:///nowhere/a.rs", "", "file:///"] {
        assert_eq!(client.ok("textDocument/hover", elsewhere(uri)), Value::Null, "{uri}");
    }
    assert!(other.index_refs().is_empty());
    // Until the client works there.
    let added = json!([{"uri": super::client::uri_of(&real(other.path()).unwrap()), "name": "other"}]);
    client.notify("workspace/didChangeWorkspaceFolders", json!({"event": {"added": added, "removed": []}}));
    let text =
        json!({"textDocument": {"uri": super::client::uri_of(&real(other.path()).unwrap().join("a.rs"))}});
    assert_eq!(client.ok("textDocument/documentSymbol", text)[0]["name"], "retry_upload");
    let found = client.ok("workspace/symbol", json!({"query": "retry_upload"}));
    let uris: Vec<&str> =
        found.as_array().unwrap().iter().filter_map(|one| one["location"]["uri"].as_str()).collect();
    assert!(uris.iter().any(|uri| uri.ends_with("other/a.rs")), "{uris:?}");
    client.end();
}

#[test]
fn odd_repositories_have_answers_or_none() {
    // Before the first commit.
    let unborn = Repo::new();
    unborn.write("a.py", "def first():\n    return 1\n\ndef second():\n    return first()\n");
    let mut client = Client::start(&unborn);
    let found = client.at(&unborn, "textDocument/definition", "a.py", "first", 1);
    assert_eq!(places(&unborn, &found), ["a.py:0:4-9"]);
    client.end();

    // No repository.
    let none = Repo::no_repository();
    none.write("a.py", "def first():\n    return 1\n");
    let mut client = Client::start(&none);
    assert_eq!(client.at(&none, "textDocument/definition", "a.py", "first", 0), Value::Null);
    assert_eq!(client.ok("workspace/symbol", json!({"query": "first"})), json!([]));
    client.end();

    // A bare repository has the files of HEAD.
    let repo = sample();
    let bare = repo.clone_to("bare.git", &["--bare"]);
    let mut client = Client::start(&bare);
    let found = client.ok("workspace/symbol", json!({"query": "retry_upload"}));
    let uri = found[0]["location"]["uri"].as_str().unwrap().to_owned();
    assert!(uri.starts_with("git-cora:") && uri.contains("bare.git/src/upload.rs?"), "{uri}");
    assert_eq!(client.ok("workspace/textDocumentContent", json!({ "uri": uri }))["text"], UPLOAD);
    client.end();

    // A linked work tree, and a folder inside of it.
    repo.git(&["worktree", "add", "-q", "../linked"]);
    let linked = repo.beside("linked");
    let mut client = Client::spawn(&linked, &[]);
    client.initialize(&[&linked.path().join("src")], "utf-8", &Value::Null);
    let found = client.at(&linked, "textDocument/definition", "src/upload.rs", "pause", 0);
    assert_eq!(places(&linked, &found), ["src/retry.rs:12:11-16"]);
    let found = client.at(&linked, "textDocument/definition", "app/main.py", "reconnect_all", 0);
    assert_eq!(places(&linked, &found), ["app/pool.py:1:8-21"]);
    client.end();
}

#[test]
fn the_current_directory_is_the_folder_if_the_client_names_none() {
    let repo = sample();
    for params in [
        json!({"capabilities": {}}),
        json!({"capabilities": {}, "rootUri": null, "workspaceFolders": null}),
        json!({"capabilities": {}, "rootUri": null, "workspaceFolders": []}),
        json!({"capabilities": {}, "rootPath": repo.path()}),
    ] {
        let mut client = Client::spawn(&repo, &[]);
        client.ok("initialize", params);
        let found = client.ok("workspace/symbol", json!({"query": "retry_upload"}));
        assert_eq!(found[0]["location"]["uri"], uri(&repo, "src/upload.rs"));
        client.end();
    }
    let mut client = Client::spawn(&repo, &["--rev", "HEAD", "--certain"]);
    client.initialize(&[repo.path()], "utf-8", &Value::Null);
    let found = client.ok("workspace/symbol", json!({"query": "retry_upload"}));
    assert!(found[0]["location"]["uri"].as_str().unwrap().starts_with("git-cora:"));
    let found = client.at(&repo, "textDocument/definition", "app/main.py", "reconnect_all", 0);
    assert_eq!(found, json!([]));
    client.end();
}

#[test]
fn nothing_is_sent_while_symbols_are_typed() {
    let (repo, server) = (sample(), crate::embed::server());
    crate::embed::configure(&repo, &server);
    repo.cora(&["embed"]);
    let n_sent = server.asked().len();
    let mut client = Client::start(&repo);
    for query in ["send", "send a", "send a file again"] {
        let found = client.ok("workspace/symbol", json!({ "query": query }));
        assert!(found.as_array().is_some_and(|all| !all.is_empty()), "{query}");
    }
    client.end();
    assert_eq!(server.asked().len(), n_sent);
    // The command line sends the question.
    repo.cora(&["query", "send a file again"]);
    assert!(server.asked().len() > n_sent);
}

/// Returns the places of lines as an editor's quickfix list reads them: `PATH:LINE: TEXT`, which
/// may be indented.
fn quickfix(out: &str) -> Vec<(String, u32, String)> {
    let place = |line: &str| {
        let (path, rest) = line.trim_start_matches(' ').split_once(':')?;
        let (line, text) = rest.split_once(": ")?;
        Some((path.to_owned(), line.parse().ok()?, text.to_owned()))
    };
    out.lines().filter_map(place).collect()
}

#[test]
fn the_command_line_fills_a_quickfix_list() {
    let repo = sample();
    let found = repo.cora(&["query", "--format", "paths", "how is a file sent again"]).exits(0);
    let places = quickfix(&found.out);
    assert_eq!(places.len(), found.out.lines().count(), "{}", found.out);
    assert_eq!(places[0].0, "src/upload.rs");
    let found = repo.cora(&["refs", "-k", "100", "retry_upload"]).exits(0);
    let places = quickfix(&found.out);
    assert_eq!(places[0], ("src/upload.rs".to_owned(), 7, "function retry_upload".to_owned()));
    assert!(
        places.iter().any(|(path, line, text)| path == "src/lib.rs"
            && *line == 7
            && text.starts_with("in function run"))
    );
    // Other lines are headings without a place.
    let n_headings =
        found.out.lines().filter(|line| line.starts_with("  ") && !line.starts_with("    ")).count();
    assert_eq!(places.len() + n_headings, found.out.lines().count(), "{}", found.out);
    for (path, line, _) in places {
        let text = std::fs::read_to_string(repo.path().join(&path)).unwrap();
        assert!(text.lines().nth(line as usize - 1).is_some(), "{path}:{line}");
    }
}
