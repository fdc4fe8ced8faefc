//! Five tasks of an agent, through the server that each agent's file names and through the lines of
//! its skill.
//!
//! The client reads the file as the agent does: by the agent's own key, with the agent's variables.

use serde_json::{Value, json};

use super::*;
use crate::mcp::Client;

/// Each agent with a server, its file, and the key that holds the servers.
const SERVERS: [(&str, &str, &str); 6] = [
    ("claude", ".mcp.json", "mcpServers"),
    ("codex", ".codex/config.toml", "mcp_servers"),
    ("cursor", ".cursor/mcp.json", "mcpServers"),
    ("gemini", ".gemini/settings.json", "mcpServers"),
    ("vscode", ".vscode/mcp.json", "servers"),
    ("zed", ".zed/settings.json", "context_servers"),
];

/// Returns the command line of our server, as the agent would run it.
fn server(repo: &Repo, path: &str, key: &str) -> Vec<String> {
    let text = fs::read_to_string(repo.path().join(path)).unwrap();
    let entry: Value = if path.ends_with(".toml") {
        let file: toml_edit::DocumentMut = text.parse().unwrap();
        let entry = &file[key]["cora"];
        let args = entry["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap());
        json!({ "command": entry["command"].as_str(), "args": args.collect::<Vec<_>>() })
    } else {
        let file: Value = serde_json::from_str(&text).unwrap();
        file[key]["cora"].clone()
    };
    let args = entry["args"].as_array().unwrap().iter();
    let words = [&entry["command"]].into_iter().chain(args).map(|word| word.as_str().unwrap());
    let folder = repo.path().display().to_string();
    words.map(|word| word.replace("${workspaceFolder}", &folder)).collect()
}

/// A repository in which a person has work to do.
fn project() -> Repo {
    let repo = Repo::sample().with_cora_on_path();
    repo.write(
        "lib/views.py",
        "from lib.auth import SessionStore\n\nstore = SessionStore()\n\n\ndef keep_alive(request):\n    \
         return store.refresh_token(request.user)\n",
    );
    repo.write(
        "lib/test_views.py",
        "from lib.views import keep_alive\n\n\ndef test_keep_alive():\n    assert keep_alive(FakeRequest())\n",
    );
    repo.commit("views");
    repo.cora(&["index"]);
    repo
}

#[test]
fn the_server_of_each_agents_file_does_five_tasks() {
    for (agent, path, key) in SERVERS {
        let repo = project();
        repo.cora(&["init", "--agent", agent]);
        let line = server(&repo, path, key);
        // Cursor and VS Code start servers elsewhere, and name the folder instead.
        let elsewhere = repo.below("lib");
        let place = if line.iter().any(|word| word == "-C") { &elsewhere } else { &repo };
        let mut client = Client::run(place, &line);
        client.shake_hands("2025-06-18");
        let tools = client.request("tools/list", json!({}));
        let tools = tools["result"]["tools"].as_array().unwrap();
        for tool in tools {
            assert_eq!(tool["annotations"]["readOnlyHint"], true, "{agent}: {tool}");
        }

        // Get to know the project.
        let text = client.ok("map", json!({ "max_tokens": 800 }));
        assert!(text.contains("A ledger of invoices") && text.contains("lib/auth.py"), "{agent}: {text}");

        // Find the cause of a complaint, and read it.
        let text =
            client.ok("query", json!({ "query": "sessions of users expire too early", "max_tokens": 800 }));
        assert!(text.contains("lib/auth.py") && text.contains("time.time() + 7200"), "{agent}: {text}");
        let text = client.ok("read", json!({ "path": "lib/auth.py", "start_line": 10, "end_line": 13 }));
        assert!(text.contains("def refresh_token") && !text.contains("def is_expired"), "{agent}: {text}");

        // Before a change: who calls it, and what tests it?
        let text = client.ok("refs", json!({ "name": "refresh_token", "relations": ["callers"] }));
        assert!(text.contains("lib/views.py") && text.contains("keep_alive"), "{agent}: {text}");

        // After a change that is not committed: what does it touch?
        let auth = fs::read_to_string(repo.path().join("lib/auth.py")).unwrap();
        repo.write(
            "lib/auth.py",
            auth.replace("refresh_token(self, user)", "refresh_token(self, user, hours)"),
        );
        let text = client.ok("diff", json!({ "from": "HEAD", "impact": true }));
        for expected in ["refresh_token", "keep_alive", "test_keep_alive"] {
            assert!(text.contains(expected), "{agent}: no {expected} in {text}");
        }

        // When did it change before?
        let text = client.ok("history", json!({ "name": "SessionStore.refresh_token" }));
        assert!(text.contains("longer sessions") && text.contains("first"), "{agent}: {text}");
        assert_eq!(client.close(), 0, "{agent}");
    }
}

#[test]
fn the_lines_of_a_skill_do_five_tasks() {
    let repo = project();
    repo.cora(&["init", "--agent", "claude", "--skill"]);
    let skill = fs::read_to_string(repo.path().join(".claude/skills/git-cora/SKILL.md")).unwrap();
    // Each line is one of the skill's, with other names.
    let does = |line: &str, pattern: &str, expected: &[&str]| {
        assert!(skill.contains(pattern), "no `{pattern}` in the skill");
        let output = repo.command("sh").args(["-c", line]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {error}");
        for expected in expected {
            assert!(text.contains(expected), "{line}: no {expected} in {text}{error}");
        }
        assert!(git_cora::answer::view::tokens(&text) <= 2000, "{line}: {text}");
    };
    does(
        "git cora map --tokens 2000",
        "`git cora map --tokens 2000`",
        &["A ledger of invoices", "lib/auth.py"],
    );
    does(
        "git cora query --format rag --tokens 2000 'sessions of users expire too early'",
        "`git cora query --format rag --tokens 2000 '",
        &["lib/auth.py", "time.time() + 7200"],
    );
    does("git cora refs refresh_token --callers", "`git cora refs NAME --callers`", &["keep_alive"]);
    let auth = fs::read_to_string(repo.path().join("lib/auth.py")).unwrap();
    repo.write("lib/auth.py", auth.replace("refresh_token(self, user)", "refresh_token(self, user, hours)"));
    does("git cora impact", "`git cora impact`", &["refresh_token", "keep_alive", "test_keep_alive"]);
    does("git cora log refresh_token", "`git cora log NAME`", &["longer sessions", "first"]);
}
