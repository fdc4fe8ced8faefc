//! `git cora mcp` with the arguments that agents really send, and replies that say what is wrong.

use serde_json::{Value, json};

use git_cora::answer::view::tokens;

use crate::harness::Repo;
use crate::mcp::Client;

#[test]
fn numbers_and_lists_are_read_as_agents_write_them() {
    let repo = Repo::sample();
    let mut client = Client::start(&repo);
    let reply = client.ok("refs", json!({ "name": "parse_header", "relations": "callers" }));
    assert!(reply.contains("callers of parse_header"), "{reply}");
    let other = client.ok("refs", json!({ "name": "parse_header", "relations": ["callers"], "k": 3.0 }));
    assert_eq!(reply, other);
    client.ok("query", json!({ "query": "header", "k": 3.0, "max_tokens": 500.0, "path": "[\"src\"]" }));
    client.ok("diff", json!({ "from": "HEAD~", "impact": "true" }));
    let trouble = client.fails("refs", json!({ "name": "parse_header", "relations": "users" }));
    assert!(trouble.contains("'relations'") && trouble.contains("'callers'"), "{trouble}");
    let trouble = client.fails("query", json!({ "query": "header", "k": 3.5 }));
    assert!(trouble.contains("expected a whole number, 0 or more, not '3.5'"), "{trouble}");
}

#[test]
fn a_call_with_other_parameters_says_what_is_wrong() {
    let repo = Repo::sample();
    let mut client = Client::start(&repo);
    for (params, expected) in [
        (json!({ "name": "refs", "arguments": "{\"name\": \"x\"}" }), "'arguments' must be an object"),
        (json!({}), "'name' is missing"),
    ] {
        client.send(&json!({ "jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": params }));
        let reply = client.receive();
        assert_eq!((&reply["id"], &reply["error"]["code"]), (&json!(77), &json!(-32602)), "{reply}");
        assert!(reply["error"]["message"].as_str().unwrap().contains(expected), "{reply}");
    }
    client.send(&json!({ "jsonrpc": "2.0", "id": 78, "method": "tools/nothing", "params": {} }));
    assert_eq!(client.receive()["error"]["code"], -32601);
}

#[test]
fn a_path_that_matches_nothing_is_an_error_in_every_tool() {
    let repo = Repo::sample();
    let mut client = Client::start(&repo);
    for (tool, mut arguments) in [
        ("diff", json!({ "from": "HEAD~2" })),
        ("diff", json!({ "from": "HEAD~2", "to": "HEAD" })),
        ("diff", json!({ "from": "HEAD~2", "impact": true })),
        ("history", json!({ "name": "parse_header" })),
        ("history", json!({ "name": "src/header.rs:parse_header" })),
        ("history", json!({ "name": "\"never there\"", "what": "when" })),
    ] {
        arguments["path"] = json!(["nosuch"]);
        let trouble = client.fails(tool, arguments.clone());
        assert!(trouble.contains("no file matches 'nosuch'"), "{tool} {arguments}: {trouble}");
    }
    let reply = client.ok("diff", json!({ "from": "HEAD~2", "path": ["nosuch", "src"] }));
    assert!(reply.starts_with("note: no file matches 'nosuch'\n"), "{reply}");
}

#[test]
fn a_small_budget_gives_a_place_or_says_how_much_is_needed() {
    let repo = Repo::sample();
    let mut client = Client::start(&repo);
    let needed = |trouble: &str| -> usize {
        let at = trouble.rsplit("use at least ").next().unwrap_or_default();
        at.trim().parse().unwrap_or_else(|_| panic!("{trouble}"))
    };
    for (tool, mut arguments) in [
        ("refs", json!({ "name": "exponential_backoff" })),
        ("query", json!({ "query": "exponential backoff" })),
        ("map", json!({})),
        ("diff", json!({ "from": "HEAD~2", "impact": true })),
        ("history", json!({ "name": "exponential_backoff" })),
    ] {
        for max_tokens in [1, 20, 30, 40, 60, 80, 100, 150] {
            arguments["max_tokens"] = json!(max_tokens);
            let (reply, is_error) = client.call(tool, arguments.clone());
            if is_error {
                let needed = needed(&reply);
                assert!(needed > max_tokens, "{tool} {max_tokens}: {reply}");
                arguments["max_tokens"] = json!(needed);
                client.ok(tool, arguments.clone());
            } else {
                assert!(tokens(&reply) <= max_tokens, "{tool} {max_tokens}: {reply}");
                let is_useful = tool == "map"
                    || reply.contains(":")
                        && (tool == "diff" || reply.contains("src/") || reply.contains("up to"));
                assert!(is_useful, "{tool} {max_tokens}: {reply}");
            }
        }
    }
    // The limit that a reply names is the one that was given.
    let reply =
        client.ok("refs", json!({ "name": "parse_header", "relations": "callers", "max_tokens": 150 }));
    assert!(!reply.contains("budget of") || reply.contains("budget of 150 tokens"), "{reply}");
}

#[test]
fn an_uncommitted_declaration_is_new_and_not_removed() {
    let repo = Repo::sample();
    repo.write("src/new.rs", "pub fn brand_new() {}\n");
    let mut client = Client::start(&repo);
    for name in ["brand_new", "src/new.rs:brand_new"] {
        for what in ["changes", "when", "authors"] {
            let trouble = client.fails("history", json!({ "name": name, "what": what }));
            assert!(
                trouble.contains("has no history yet") && trouble.contains("src/new.rs:1"),
                "{what}: {trouble}"
            );
        }
    }
    let reply = client.ok("history", json!({ "name": "parse_header" }));
    let end =
        format!("up to commit {} · without the changes of 1 uncommitted file\n", &repo.rev("HEAD")[..12]);
    assert!(reply.ends_with(&end), "{reply}");
}

#[test]
fn read_says_what_it_cuts_and_what_is_wrong() {
    let repo = Repo::sample();
    repo.write("data.txt", format!("short\n{}\nshort\n", "x".repeat(5000)));
    #[cfg(unix)]
    repo.write("two\nlines.txt", "content\n");
    repo.commit("data");
    let mut client = Client::start(&repo);
    let reply = client.ok("read", json!({ "path": "data.txt" }));
    assert!(reply.ends_with("· cut: 1 long line after 1000 characters\n"), "{reply}");
    let trouble = client.fails("read", json!({ "path": "data.txt", "start_line": 3, "end_line": 2 }));
    assert!(trouble.contains("'end_line' is 2, before 'start_line', which is 3"), "{trouble}");
    let trouble = client.fails("read", json!({ "path": "data.txt", "start_line": 9 }));
    assert!(trouble.contains("has 3 lines: no line 9"), "{trouble}");
    #[cfg(unix)]
    for rev in [Value::Null, json!("HEAD")] {
        let reply = client.ok("read", json!({ "path": r#""two\nlines.txt""#, "rev": rev }));
        assert!(reply.starts_with("\"two\\nlines.txt\":1-1 of 1\n1  content\n"), "{reply}");
    }
}
