//! `git cora mcp`: the protocol as it appears on the wire, and the replies of the tools.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use git_cora::answer::view::tokens;

use crate::harness::{CORA, Repo};

/// A minimal client: lines of JSON in, lines of JSON out.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    last_id: u64,
}

impl Client {
    pub(crate) fn start(repo: &Repo) -> Self {
        let mut client = Self::spawn(repo, &[]);
        client.shake_hands("2025-06-18");
        client
    }

    pub(crate) fn spawn(repo: &Repo, args: &[&str]) -> Self {
        let own = [CORA, "mcp"].into_iter().chain(args.iter().copied());
        Self::run(repo, &own.map(str::to_owned).collect::<Vec<_>>())
    }

    /// Starts a server by its command line, as an agent does.
    pub(crate) fn run(repo: &Repo, line: &[String]) -> Self {
        let (program, args) = line.split_first().unwrap();
        let mut child = repo.command(program).args(args).stdin(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, stdin, stdout, last_id: 0 }
    }

    pub(crate) fn shake_hands(&mut self, version: &str) -> Value {
        let answer = self.request(
            "initialize",
            json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}),
        );
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer["result"].clone()
    }

    pub(crate) fn send_line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line.as_bytes()).unwrap();
        stdin.write_all(b"\n").unwrap();
        stdin.flush().unwrap();
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    pub(crate) fn receive(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.stdout.read_line(&mut line).unwrap() > 0, "the server has closed its output");
        serde_json::from_str(&line).unwrap()
    }

    /// Sends a request and returns its response; notifications in between are skipped.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Calls a tool; returns its text and whether it is an error.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        assert!(result.is_object(), "{answer}");
        (result["content"][0]["text"].as_str().unwrap().to_owned(), result["isError"] == true)
    }

    #[track_caller]
    pub(crate) fn ok(&mut self, tool: &str, arguments: Value) -> String {
        let (text, is_error) = self.call(tool, arguments);
        assert!(!is_error, "{text}");
        text
    }

    #[track_caller]
    pub(crate) fn fails(&mut self, tool: &str, arguments: Value) -> String {
        let (text, is_error) = self.call(tool, arguments);
        assert!(is_error && text.starts_with("error: "), "{text}");
        text
    }

    /// Closes standard input, as clients do at the end; returns the exit status.
    pub(crate) fn close(mut self) -> i32 {
        self.stdin = None;
        self.child.wait().unwrap().code().unwrap_or(-1)
    }
}

/// Returns the places in a reply, as `path:10-20`.
pub(crate) fn places(reply: &str) -> Vec<String> {
    let is_place = |word: &str| {
        word.rsplit_once(':').is_some_and(|(path, lines)| {
            !path.is_empty() && !lines.is_empty() && lines.bytes().all(|b| b.is_ascii_digit() || b == b'-')
        })
    };
    reply
        .lines()
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split("  ").next())
        .filter(|word| is_place(word))
        .map(str::to_owned)
        .collect()
}

/// Returns the places that the command line finds.
fn cli_places(repo: &Repo, args: &[&str]) -> Vec<String> {
    let place = |result: &Value| {
        let (start, end) = (&result["start_line"], &result["end_line"]);
        let lines = if start == end { start.to_string() } else { format!("{start}-{end}") };
        format!("{}:{lines}", result["path"].as_str().unwrap())
    };
    repo.results(args).iter().map(place).collect()
}

#[test]
fn clients_of_every_age_are_answered_in_their_version() {
    let repo = Repo::sample();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut client = Client::spawn(&repo, &[]);
        let server = client.shake_hands(version);
        assert_eq!(server["protocolVersion"], version);
        assert_eq!(server["serverInfo"]["name"], "git-cora");
        assert!(server["instructions"].as_str().unwrap().contains("before grep"));
        let tools = client.request("tools/list", json!({}));
        let names: Vec<&str> = tools["result"]["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["query", "refs", "read", "map", "diff", "history"]);
        assert_eq!(client.close(), 0);
    }
}

#[test]
fn search_finds_what_the_command_line_finds() {
    let repo = Repo::sample();
    repo.write("lib/auth.py", "def refresh_session(user):\n    return user.token\n");
    let mut client = Client::start(&repo);
    for (arguments, args) in [
        (json!({"query": "refresh the token"}), vec!["-k", "8", "refresh the token"]),
        (json!({"query": "refresh the token", "k": 2}), vec!["-k", "2", "refresh the token"]),
        (json!({"query": "header", "rev": "HEAD~2"}), vec!["-k", "8", "--rev", "HEAD~2", "header"]),
        (
            json!({"query": "commit", "path": ["src", ":!src/retry.rs"]}),
            vec!["-k", "8", "--path", "src", "--path", ":!src/retry.rs", "commit"],
        ),
        (json!({"query": "commit", "path": "*.py"}), vec!["-k", "8", "--path", "*.py", "commit"]),
    ] {
        for detail in ["locations", "signatures", "full"] {
            let mut arguments = arguments.clone();
            arguments["detail"] = json!(detail);
            let reply = client.ok("query", arguments);
            assert_eq!(places(&reply), cli_places(&repo, &args), "{reply}");
        }
    }
    let reply = client.ok("query", json!({"query": "refresh_session"}));
    assert_eq!(
        client.ok("search", json!({"query": "refresh_session"})),
        reply,
        "a name that agents may keep"
    );
    assert!(
        reply.contains("lib/auth.py:1-2  refresh_session  function  [modified]\n1  def refresh"),
        "{reply}"
    );
    let last = reply.lines().last().unwrap();
    assert!(last.contains(&repo.rev("HEAD")[..12]) && last.contains("1 uncommitted file"), "{last}");
}

#[test]
fn what_changes_between_two_calls_is_seen() {
    let repo = Repo::sample();
    let mut client = Client::start(&repo);
    let nothing = client.ok("query", json!({"query": "\"zanzibar\""}));
    assert!(nothing.contains("nothing found"), "{nothing}");
    for (text, word) in [("fn zanzibar() {}\n", "zanzibar"), ("fn quagga__() {}\n", "quagga__")] {
        // Both texts have the same length and fall into the same clock tick.
        repo.write("src/new.rs", text);
        let reply = client.ok("query", json!({"query": format!("\"{word}\"")}));
        assert!(reply.contains("src/new.rs:1") && reply.contains("[untracked]"), "{reply}");
    }
    let commit = repo.commit("new");
    let reply = client.ok("refs", json!({"name": "quagga__"}));
    assert!(reply.contains(&format!("working tree at {}", &commit[..12])), "{reply}");
    repo.remove("src/new.rs");
    let text = client.fails("refs", json!({"name": "quagga__"}));
    assert!(text.contains("no declaration named 'quagga__'"), "{text}");
    repo.git(&["config", "cora.maxFileBytes", "1k"]);
    repo.write("big.txt", "zanzibar\n".repeat(200));
    let reply = client.ok("query", json!({"query": "\"zanzibar\""}));
    assert!(reply.contains("nothing found"), "settings are read again: {reply}");
}

#[test]
fn what_is_nowhere_is_named() {
    let repo = Repo::sample();
    let mut client = Client::start(&repo);
    let text = client.fails("query", json!({"query": "token", "path": ["no/such", "nor/this"]}));
    assert!(text.contains("no file matches 'no/such'"), "{text}");
    for (tool, name) in [("query", "query"), ("map", "query"), ("refs", "name")] {
        let text = client.fails(tool, json!({name: "refresh_token", "path": ["lib", ":!lib"]}));
        assert!(text.contains("no file matches 'lib'"), "{tool}: {text}");
        let reply = client.ok(tool, json!({name: "refresh_token", "path": ["no/such", "lib"]}));
        assert!(reply.starts_with("note: no file matches 'no/such'\n"), "{tool}: {reply}");
        let reply = client.ok(tool, json!({name: "refresh_token", "path": ["lib", ":!no/such"]}));
        assert!(!reply.contains("no file matches"), "{tool}: {reply}");
    }
    let text = client.fails("map", json!({"files": ["nope.py"]}));
    assert!(text.contains("'nope.py' is not indexed"), "{text}");
}

#[test]
fn what_agents_write_otherwise_is_understood() {
    let repo = Repo::sample();
    let mut client = Client::start(&repo);
    let absolute = |path: &str| repo.path().join(path).display().to_string();
    let reply =
        client.ok("read", json!({"path": absolute("lib/auth.py"), "start_line": "10", "end_line": 11}));
    assert!(reply.starts_with("lib/auth.py:10-11 of "), "{reply}");
    let reply = client.ok("query", json!({"query": "token", "path": [absolute("lib")], "k": "1"}));
    assert_eq!(places(&reply).len(), 1, "{reply}");
    assert!(places(&reply)[0].starts_with("lib/"), "{reply}");
    client.ok("query", json!({"query": "token", "path": absolute("")}));
    client.ok("map", json!({"files": [absolute("lib/auth.py")]}));
    let text = client.fails("query", json!({"query": "token", "k": "many"}));
    assert!(text.contains("'k': expected a whole number, 0 or more, not 'many'"), "{text}");
    let text = client.fails("read", json!({"path": "lib"}));
    assert!(
        text.contains("'lib' is a directory") && text.contains("read one of its entries: auth.py"),
        "{text}"
    );
    let text = client.fails("read", json!({"path": "."}));
    assert!(text.contains("lib/"), "{text}");
}

#[test]
fn symbol_gives_declarations_by_name() {
    let repo = Repo::sample();
    repo.write("tests/refresh_token.py", "def refresh_token():\n    pass\n");
    let mut client = Client::start(&repo);
    let reply = client.ok("refs", json!({"name": "refresh_token"}));
    assert_eq!(places(&reply), ["lib/auth.py:10-13", "tests/refresh_token.py:1-2"], "{reply}");
    assert!(reply.contains("Gives a user a fresh token"), "{reply}");
    let reply = client.ok("refs", json!({"name": "SessionStore.refresh_token", "detail": "locations"}));
    assert_eq!(places(&reply), ["lib/auth.py:10-13"], "{reply}");
    repo.write(
        "lib/login.py",
        "from auth import refresh_token\n\ndef log_in(user):\n    return refresh_token(user)\n",
    );
    repo.write("lib/auth.py", "def refresh_token(user):\n    return user\n");
    let reply = client
        .ok("refs", json!({"name": "refresh_token", "path": "lib", "relations": ["callers", "callees"]}));
    assert!(reply.contains("1 caller of refresh_token (lib/auth.py:1):\n"), "{reply}");
    assert!(
        reply.contains("  lib/login.py:4  in log_in  function  | return refresh_token(user)\n"),
        "{reply}"
    );
    assert!(reply.contains("no callees of refresh_token"), "{reply}");
    assert_eq!(places(&reply), ["lib/auth.py:1-2"], "{reply}");
    let calls: Vec<String> =
        (0..20).map(|at| format!("def caller_{at}(user):\n    return refresh_token(user)\n")).collect();
    repo.write("lib/more.py", format!("from auth import refresh_token\n\n{}", calls.join("\n")));
    for max_tokens in 100..200 {
        let asked =
            json!({"name": "refresh_token", "relations": ["callers", "callees"], "max_tokens": max_tokens});
        let reply = client.ok("refs", asked);
        assert!(tokens(&reply) <= max_tokens, "{max_tokens}: {reply}");
    }
    let text = client.fails("refs", json!({"name": "refresh_token", "path": "tests", "rev": "HEAD"}));
    assert!(text.contains("no file matches 'tests'"), "not committed: {text}");
}

#[test]
fn changes_are_those_of_the_command_line() {
    let repo = Repo::sample();
    let mut client = Client::start(&repo);
    let reply = client.ok("diff", json!({"from": "HEAD~2"}));
    assert!(reply.starts_with("2 declarations differ in 2 changed files, "), "{reply}");
    assert!(reply.contains("added   src/retry.rs:6  exponential_backoff  function\n"), "{reply}");
    assert!(reply.contains("changed lib/auth.py:10  SessionStore.refresh_token  method\n"), "{reply}");
    let reply = client.ok("diff", json!({"from": "HEAD~1", "to": "HEAD~2", "path": "src"}));
    assert!(reply.contains("removed src/retry.rs"), "{reply}");
    let text = client.fails("diff", json!({"from": "nope"}));
    assert!(text.contains("unknown revision 'nope'"), "{text}");
}

#[test]
fn read_gives_lines_of_any_revision_and_nothing_else() {
    let repo = Repo::sample();
    let mut client = Client::start(&repo);
    let reply = client.ok("read", json!({"path": "src/header.rs", "start_line": 3, "end_line": 4}));
    let head = &repo.rev("HEAD")[..12];
    assert_eq!(
        reply,
        format!(
            "src/header.rs:3-4 of 12\n3  /// A parsed header.\n4  pub struct Header {{\nworking tree at {head}\n"
        )
    );
    repo.write("src/header.rs", "//! Other.\n");
    let reply = client.ok("read", json!({"path": "src/header.rs"}));
    assert!(reply.contains("1  //! Other.\n") && reply.contains("uncommitted changes"), "{reply}");
    let reply = client.ok("read", json!({"path": "src/header.rs", "rev": "HEAD~1", "end_line": 1}));
    assert!(reply.contains("1  //! Commit headers.\n") && !reply.contains("uncommitted"), "{reply}");
    // The budget ends it at a complete line, and the reply says where to continue.
    repo.write("long.txt", (1..=500).map(|n| format!("line number {n}\n")).collect::<String>());
    let reply = client.ok("read", json!({"path": "long.txt", "max_tokens": 200}));
    let last: usize = reply.split_once('-').unwrap().1.split(' ').next().unwrap().parse().unwrap();
    assert!(last > 10 && last < 100, "{reply}");
    assert!(reply.contains(&format!("cut: lines {}-500 to fit", last + 1)), "{reply}");
    for (arguments, complaint) in [
        (json!({"path": "src/heder.rs"}), "did you mean 'src/header.rs'"),
        (json!({"path": "../outside"}), "no file"),
        (json!({"path": "/etc/passwd"}), "no file"),
        (json!({"path": ".git/config"}), "no file"),
        (json!({"path": "src"}), "'src' is a directory"),
        (json!({"path": "src/header.rs", "start_line": 9}), "has 1 line"),
        (json!({"path": "src/header.rs", "rev": "nope"}), "unknown revision 'nope'"),
    ] {
        let text = client.fails("read", arguments);
        assert!(text.contains(complaint), "{text}");
    }
}

#[test]
fn large_files_and_directories_are_cut() {
    let repo = Repo::sample();
    for n in 0..41 {
        repo.write(&format!("wide/f{n:02}"), "x\n");
    }
    repo.commit("wide");
    for (path, len) in [("limit.bin", 64 << 20), ("large.bin", (64 << 20) + 1)] {
        std::fs::File::create(repo.path().join(path)).unwrap().set_len(len).unwrap();
    }
    let mut client = Client::start(&repo);
    let text = client.fails("read", json!({"path": "large.bin"}));
    assert!(text.contains("'large.bin' has 67108865 bytes: too many to show"), "{text}");
    let text = client.fails("read", json!({"path": "limit.bin"}));
    assert!(text.contains("'limit.bin' is not text"), "{text}");
    let text = client.fails("read", json!({"path": "wide"}));
    assert!(text.contains("f38, f39 and 1 more"), "{text}");
    repo.git(&["rm", "-q", "wide/f40"]);
    repo.commit("forty");
    let text = client.fails("read", json!({"path": "wide"}));
    assert!(text.ends_with("f38, f39"), "{text}");
}

#[test]
fn replies_keep_their_budget_and_name_every_place() {
    let repo = Repo::sample();
    for n in 0..30 {
        repo.write(
            &format!("src/more{n}.rs"),
            format!("/// Parses a header.\npub fn parse_{n}() {{\n{}}}\n", "    step();\n".repeat(40)),
        );
    }
    repo.commit("more");
    let mut client = Client::start(&repo);
    for max_tokens in [300, 600, 1200, 4000] {
        let reply = client.ok("query", json!({"query": "parses a header", "k": 6, "max_tokens": max_tokens}));
        // A rough bound: in such text a token is rarely shorter than two characters.
        assert!(reply.len() <= max_tokens * 5, "{max_tokens}: {}", reply.len());
        assert_eq!(places(&reply).len(), 6, "{reply}");
        if max_tokens < 1200 {
            assert!(reply.lines().last().unwrap().contains("to fit the "), "{reply}");
        }
    }
}

#[test]
fn what_makes_no_sense_is_told_and_breaks_nothing() {
    let repo = Repo::sample();
    let mut client = Client::start(&repo);
    for (tool, arguments, complaint) in [
        ("query", json!({"query": "  "}), "the query is empty"),
        ("query", json!({"q": "x"}), "'q' is unknown; expected one of 'query'"),
        ("query", json!({"query": "x", "k": -1}), "error: 'k': expected a whole number, 0 or more, not '-1'"),
        ("query", json!({"query": "x", "rev": "nope"}), "unknown revision 'nope'"),
        ("query", json!({"query": "x", "path": ":(bogus)a"}), "can't use pathspec"),
        ("query", json!({"query": "x", "detail": "all"}), "'detail': 'all' is unknown; expected"),
        ("refs", json!({"name": "..."}), "the name is empty"),
        ("refs", json!({"name": "parse_heder"}), "did you mean 'parse_header'"),
    ] {
        let text = client.fails(tool, arguments);
        assert!(text.contains(complaint), "{text}");
    }
    let unknown = client.request("tools/call", json!({"name": "delete", "arguments": {}}));
    assert!(unknown["error"]["message"].as_str().unwrap().contains("unknown tool 'delete'"), "{unknown}");
    client.send_line("this is not JSON");
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}));
    assert!(client.request("ping", json!({}))["result"].is_object());
    client.ok("query", json!({"query": "header"}));
    assert_eq!(client.close(), 0);
}

#[test]
fn a_cancelled_call_is_not_answered_and_the_next_one_is() {
    let repo = Repo::sample();
    let mut client = Client::start(&repo);
    client.send(&json!({
        "jsonrpc": "2.0", "id": 70, "method": "tools/call",
        "params": {"name": "query", "arguments": {"query": "header"}},
    }));
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 70}}));
    client.ok("query", json!({"query": "header"}));
    assert_eq!(client.close(), 0);
}

#[test]
fn repositories_of_every_shape_are_served() {
    let none = Repo::no_repository();
    let mut client = Client::start(&none);
    let text = client.fails("query", json!({"query": "x"}));
    assert!(text.contains("not a git repository"), "{text}");
    none.git(&["init", "-q", "-b", "main", "."]);
    none.write("a.rs", "fn later() {}\n");
    let reply = client.ok("query", json!({"query": "later"}));
    assert!(reply.contains("a.rs:1") && reply.contains("before the first commit"), "{reply}");

    let repo = Repo::sample();
    let bare = repo.clone_to("bare.git", &["--bare"]);
    let mut client = Client::start(&bare);
    let reply = client.ok("query", json!({"query": "refresh the token"}));
    assert!(reply.contains("lib/auth.py:1-16") && reply.contains("commit "), "{reply}");
    let reply = client.ok("read", json!({"path": "web/app.ts", "end_line": 1}));
    assert!(reply.contains("fetchJson"), "{reply}");
}

#[test]
fn init_writes_what_clients_read() {
    let repo = Repo::sample();
    repo.write(".mcp.json", "{\n  \"mcpServers\": {\"other\": {\"command\": \"x\"}}\n}\n");
    repo.cora(&["init", "--agent", "claude,codex", "--dry-run"]).says("would add 'cora' in '.mcp.json'");
    assert!(!repo.path().join(".codex").exists());
    repo.cora(&["init", "--agent", "claude,codex", "--agent", "cursor"]).says("added 'cora' in '.mcp.json'");
    let config: Value =
        serde_json::from_slice(&std::fs::read(repo.path().join(".mcp.json")).unwrap()).unwrap();
    assert_eq!(config["mcpServers"]["other"]["command"], "x");
    let entry = &config["mcpServers"]["cora"];
    assert_eq!((&entry["command"], &entry["args"]), (&json!("git-cora"), &json!(["mcp"])));
    assert!(repo.path().join(".codex/config.toml").exists() && repo.path().join(".cursor/mcp.json").exists());
    assert!(repo.index_refs().is_empty(), "nothing else is done");
    repo.cora(&["init", "--agent", "claude"]).says("already in '.mcp.json'");
    repo.cora(&["uninstall"]).says("removed 'cora' from '.mcp.json'");
    let config = std::fs::read_to_string(repo.path().join(".mcp.json")).unwrap();
    assert!(config.contains("other") && !config.contains("cora"), "{config}");
    assert!(!repo.path().join(".codex").exists() && !repo.path().join(".cursor").exists(), "made for us");
    // A file with other content is not changed.
    repo.write(".mcp.json", "[1]");
    repo.try_cora(&["init", "--agent", "claude"]).exits(2).says("which was left unchanged");
    assert_eq!(std::fs::read_to_string(repo.path().join(".mcp.json")).unwrap(), "[1]");
    repo.clone_to("bare.git", &["--bare"]).try_cora(&["init", "--agent", "claude"]).exits(2).says("bare");
}

#[test]
fn several_repositories_are_searched_as_one() {
    let (app, library) = crate::across::pair();
    for repo in [&app, &library] {
        repo.cora(&["index"]);
    }
    let mut client = Client::spawn(&app, &[".", "../library", "."]);
    let server = client.shake_hands("2025-06-18");
    let reply = server["instructions"].as_str().unwrap();
    assert!(reply.contains(&format!("work ({})", app.path().display())), "{reply}");
    assert!(reply.contains(&format!(", library ({})", library.path().display())), "{reply}");

    // All repositories are searched, references between them are followed, and the state of each is
    // reported.
    let reply = client.ok("query", json!({"query": "url_for endpoint"}));
    let found = places(&reply);
    assert!(found.iter().any(|place| place.starts_with("library/src/flask/helpers.py:")), "{reply}");
    assert!(found.iter().any(|place| place.starts_with("work/shop/")), "{reply}");
    assert!(reply.contains("    called by Shop in work\n"), "{reply}");
    let commits = [&app, &library].map(|repo| repo.rev("HEAD")[..12].to_owned());
    let states = format!("work: working tree at {} · library: working tree at {}", commits[0], commits[1]);
    assert!(reply.lines().last().unwrap().starts_with(&states), "{reply}");
    // A repository is selected by its name in a path, and results keep that name.
    let reply = client.ok("query", json!({"query": "url_for", "path": "library/src"}));
    assert!(!places(&reply).is_empty() && !reply.contains("work/"), "{reply}");
    assert!(places(&reply).iter().all(|place| place.starts_with("library/src/")), "{reply}");
    let reply = client.ok("query", json!({"query": "url_for", "path": [":!library"]}));
    assert!(places(&reply).iter().all(|place| place.starts_with("work/")), "{reply}");

    let reply = client.ok("refs", json!({"name": "url_for", "relations": ["callers"]}));
    assert!(
        reply.contains("  work/shop/web.py:8  in Shop.open  method  | return url_for('start')\n"),
        "{reply}"
    );
    assert!(reply.contains("1 caller of url_for (work/shop/local.py:1):\n"), "{reply}");
    assert_eq!(places(&reply).len(), 2, "{reply}");
    // Other spellings are left out if one repository has the name as written.
    let reply = client.ok("refs", json!({"name": "Shop"}));
    assert!(places(&reply).iter().all(|place| place.starts_with("work/")), "{reply}");
    assert!(client.fails("refs", json!({"name": "url_forr"})).contains("did you mean 'url_for'?"));

    let reply = client.ok("read", json!({"path": "library/src/flask/helpers.py", "end_line": 1}));
    assert!(reply.starts_with("library/src/flask/helpers.py:1-1 of "), "{reply}");
    let trouble = client.fails("read", json!({"path": "src/flask/helpers.py"}));
    assert!(trouble.contains("write 'library/src/flask/helpers.py'"), "{trouble}");
    let trouble = client.fails("read", json!({"path": "none.py"}));
    assert!(trouble.contains("write 'work/none.py' or 'library/none.py'"), "{trouble}");
    let trouble = client.fails("read", json!({"path": "library/src/flask/helper.py"}));
    assert!(trouble.contains("no file 'library/src/flask/helper.py'"), "{trouble}");
    assert!(trouble.contains("did you mean 'library/src/flask/helpers.py'?"), "{trouble}");

    let reply = client.ok("map", json!({}));
    assert!(reply.contains("outline of work, ") && reply.contains("outline of library, "), "{reply}");
    assert!(reply.contains("\nlibrary/src/flask/scaffold.py\n"), "{reply}");
    assert!(tokens(&client.ok("map", json!({"max_tokens": 100}))) <= 100);
    let reply = client.ok("map", json!({"files": ["library/src/flask/app.py"]}));
    assert!(!reply.contains("outline of work") && reply.contains("outline of library, "), "{reply}");

    let trouble = client.fails("diff", json!({"from": "HEAD"}));
    assert!(trouble.contains("compares commits of one repository"), "{trouble}");
    let trouble = client.fails("diff", json!({"from": "v0", "path": "library"}));
    assert!(trouble.contains("library: ") && trouble.contains("v0"), "{trouble}");
    library.write("src/flask/late.py", "def late():\n    return 'late'\n");
    library.commit("late");
    let reply = client.ok("diff", json!({"from": "HEAD~1", "path": "library"}));
    assert!(reply.contains("library/src/flask/late.py:1  late  function"), "{reply}");
    let reply = client.ok("history", json!({"name": "late"}));
    assert!(reply.starts_with("library/src/flask/late.py:1  late  function\n"), "{reply}");
    let reply = client.ok("history", json!({"name": "library/src/flask/late.py:1", "what": "authors"}));
    assert!(reply.starts_with("library/src/flask/late.py:1: function late, "), "{reply}");
    // Repositories that lack the revision are reported; the others answer.
    library.git(&["tag", "v1"]);
    let reply = client.ok("query", json!({"query": "late", "rev": "v1"}));
    assert!(reply.starts_with("note: work: ") && reply.contains("library/src/flask/late.py:1"), "{reply}");
    assert!(reply.lines().last().unwrap().starts_with("library: commit "), "{reply}");
    let trouble = client.fails("query", json!({"query": "x", "rev": "v2"}));
    assert!(trouble.contains("work: ") && trouble.contains("v2"), "{trouble}");
    assert_eq!(client.close(), 0);

    app.try_cora(&["mcp", "../nowhere"]).exits(128).says("can't serve '../nowhere'");
}

#[test]
fn one_repository_of_several_that_fails_is_told_and_no_more() {
    let (app, library) = crate::across::pair();
    let empty = app.beside("empty");
    std::fs::create_dir(empty.path()).unwrap();
    empty.git(&["init", "-q", "--bare"]);
    // Another repository named `library`, with a test of the library's declarations.
    let same = app.beside("other");
    std::fs::create_dir(same.path()).unwrap();
    let same = same.beside("other/library");
    std::fs::create_dir(same.path()).unwrap();
    same.git(&["init", "-q", "-b", "main"]);
    same.write("tests/test_build.py", "def build(endpoint):\n    return 'not the one that is meant'\n");
    same.write("use.py", "from flask import url_for\n\n\ndef use():\n    return url_for('there')\n");
    same.commit("same");
    for repo in [&app, &library, &same] {
        repo.cora(&["index"]);
    }
    let places_of = ["../empty", "../other/library", "../library", "."];
    let mut client = Client::spawn(&app, &places_of);
    let reply = client.shake_hands("2025-06-18");
    assert!(reply["instructions"].as_str().unwrap().contains("library-2 ("), "{reply}");
    let reply = client.ok("query", json!({"query": "url_for endpoint"}));
    assert!(reply.starts_with("note: empty: there is no commit yet"), "{reply}");
    assert!(reply.contains("called by use in library;"), "by the name that paths have: {reply}");
    assert!(reply.contains("calls url_for in library-2"), "{reply}");
    // A budget that holds not even the last line is refused, with one that does.
    let refusal = client.fails("query", json!({"query": "url_for endpoint", "max_tokens": 1}));
    let least: usize = refusal.rsplit(' ').next().unwrap().parse().unwrap();
    assert!(
        refusal.starts_with("error: 'max_tokens' is too small for a reply\nhint: use at least "),
        "{refusal}"
    );
    let reply = client.ok("query", json!({"query": "url_for endpoint", "max_tokens": least + 150}));
    assert!(tokens(&reply) <= least + 150, "{reply}");
    assert!(!places(&reply).is_empty() && reply.contains(" · work: working tree at "), "{reply}");
    // Declarations of the product come before tests, in whichever repository they are.
    let reply = client.ok("refs", json!({"name": "build", "k": 1, "path": ["library", "library-2"]}));
    assert_eq!(places(&reply), ["library-2/src/flask/helpers.py:5-6"], "{reply}");
    let trouble = client.fails("query", json!({"query": "x", "path": "empty"}));
    assert!(trouble.contains("empty: there is no commit yet"), "{trouble}");
    assert_eq!(client.close(), 0);
}
