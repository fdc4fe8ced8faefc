//! `git cora serve`: requests as they appear on the wire, both normal and hostile ones.
//!
//! Longer than 600 lines because it contains the client that all tests share.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{CORA, Repo, wait_for};

/// A running server, stopped on drop.
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
    pub(crate) token: String,
    /// The address of the page, including its key.
    pub(crate) page: String,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Response {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Fails unless the response is a problem document of this status and kind.
    #[track_caller]
    pub(crate) fn is_problem(&self, status: u16, kind: &str) {
        assert_eq!(self.status, status, "{self:?}");
        assert!(self.head.to_lowercase().contains("content-type: application/problem+json"), "{self:?}");
        let document = self.json();
        assert_eq!(document["type"], format!("urn:git-cora:{kind}"), "{document}");
        assert_eq!(document["status"], status);
        assert!(document["title"].is_string() && document["detail"].is_string(), "{document}");
    }
}

impl Server {
    pub(crate) fn start(repo: &Repo, args: &[&str]) -> Self {
        let mut child = repo
            .command(CORA)
            .args(["serve", "--listen", "127.0.0.1:0", "--token-file"])
            .arg(repo.root().join("token"))
            .args(args)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut next = || lines.next().map(Result::unwrap).unwrap_or_default();
        let mut line = next();
        if line.starts_with("token ") {
            line = next();
        }
        let Some((_, port)) = line.rsplit_once(':').filter(|_| line.starts_with("listening on ")) else {
            let mut error = String::new();
            child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
            panic!("'{line}' {error}");
        };
        let token = std::fs::read_to_string(repo.root().join("token")).unwrap().trim().to_owned();
        let port = port.parse().unwrap();
        let page = next().strip_prefix("page ").unwrap().to_owned();
        Self { port, token, page, child }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends raw bytes.
    fn raw(&self, request: &[u8]) -> Response {
        let mut stream = self.connect();
        // The server may close the connection before it has read everything.
        let _ = stream.write_all(request);
        receive(stream)
    }

    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request.push_str(&format!("Host: 127.0.0.1:{}\r\n", self.port));
        }
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        self.raw(request.as_bytes())
    }

    pub(crate) fn authorization(&self) -> String {
        format!("Bearer {}", self.token)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Response {
        let headers =
            [("Authorization", self.authorization()), ("Content-Type", "application/json".to_owned())];
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.send("POST", path, &headers, &body.to_string())
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.send("GET", path, &[("Authorization", &self.authorization())], "")
    }

    /// Asks one repository a question.
    #[track_caller]
    fn ask(&self, question: &str, repo: Value) -> Value {
        let response = self.post("/coderag/query", &ask(question, repo));
        assert_eq!(response.status, 200, "{response:?}");
        response.json()
    }

    /// Stops the server with a signal; returns its exit status and its log.
    #[cfg(unix)]
    pub(crate) fn stop(mut self) -> (i32, String) {
        let pid = self.child.id().to_string();
        assert!(std::process::Command::new("kill").arg(&pid).status().unwrap().success());
        let mut log = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        (self.child.wait().unwrap().code().unwrap_or(-1), log)
    }

    /// Stops the server; where signals exist, it must exit with 0.
    fn end(self) {
        #[cfg(unix)]
        assert_eq!(self.stop().0, 0);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn receive(mut stream: TcpStream) -> Response {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Response { status, head: head.to_owned(), body: body.to_owned() }
}

fn ask(question: &str, repo: Value) -> Value {
    json!({ "messages": [{ "role": "user", "content": question }], "repos": [repo] })
}

/// Returns the given fields of each result, to compare places and scores.
fn places(results: &Value, keys: [&str; 4]) -> Vec<Value> {
    let place = |result: &Value| Value::from(keys.map(|key| result[key].clone()).to_vec());
    results.as_array().unwrap().iter().map(place).collect()
}

const CAMEL: [&str; 4] = ["path", "startLine", "endLine", "score"];
const SNAKE: [&str; 4] = ["path", "start_line", "end_line", "score"];

#[test]
fn one_question_has_one_answer_at_every_door() {
    let repo = Repo::sample();
    repo.write("lib/auth.py", "def refresh_session(user):\n    return user.token\n");
    let server = Server::start(&repo, &[]);
    let mut agent = crate::mcp::Client::start(&repo);
    for question in ["refresh the token", "parse the commit header", "exponential_backoff", "\"fetchJson\""] {
        for (version, args, rev) in [
            ("workspace", vec![], None),
            ("latest", vec!["--no-worktree"], Some("HEAD")),
            ("HEAD~2", vec!["--rev", "HEAD~2"], Some("HEAD~2")),
        ] {
            let args = [&["-k", "50"], args.as_slice(), &[question]].concat();
            let line = places(&Value::from(repo.results(&args)), SNAKE);
            let answer = server.ask(question, json!({ "versionSpecifier": version }));
            let state = &answer["metadata"]["repos"][0];
            assert_eq!(state["state"], "exact", "{answer}");
            assert_eq!(places(&state["results"], CAMEL), line, "{question} {version}");
            let mut arguments = json!({ "query": question, "k": 50, "detail": "locations" });
            if let Some(rev) = rev {
                arguments["rev"] = json!(rev);
            }
            let (reply, is_error) = agent.call("query", arguments);
            assert!(!is_error, "{reply}");
            let lines: Vec<String> = line
                .iter()
                .map(|place| {
                    let lines = if place[1] == place[2] {
                        place[1].to_string()
                    } else {
                        format!("{}-{}", place[1], place[2])
                    };
                    format!("{}:{lines}", place[0].as_str().unwrap())
                })
                .collect();
            assert_eq!(crate::mcp::places(&reply), lines, "{question} {version}");
        }
    }
}

/// The graph is built after the first answer, reused from then on, rebuilt if it is damaged, and
/// removed with its segment.
#[test]
fn a_graph_of_neighbours_is_built_where_it_is_wanted() {
    let repo = Repo::new();
    let nouns =
        ["file", "socket", "token", "ledger", "matrix", "invoice", "user", "branch", "index", "thread"];
    let verbs = ["read", "retry", "parse", "merge", "close", "count", "send", "split", "check", "delete"];
    for i in 0..2010usize {
        let (noun, verb, other) = (nouns[i % 10], verbs[i / 10 % 10], nouns[i / 100 % 10]);
        repo.write(
            &format!("{noun}/f{i:04}.py"),
            format!("def {verb}_{noun}_{i}({other}):\n    return {verb}({other})\n"),
        );
    }
    repo.commit("many");
    repo.cora(&["index"]);
    repo.git(&["config", "cora.ann", "scan"]);
    let question = "remove an invoice";
    let best = |answer: &Value| places(&answer["metadata"]["repos"][0]["results"], CAMEL)[0].clone();
    let graphs = || -> Vec<_> {
        repo.segments().into_iter().filter(|path| path.extension().is_some_and(|end| end == "hnsw")).collect()
    };
    let server = Server::start(&repo, &[]);
    let scanned = best(&server.ask(question, json!({})));
    assert!(graphs().is_empty(), "nothing is built unasked");
    server.end();

    repo.git(&["config", "cora.ann", "hnsw"]);
    let server = Server::start(&repo, &[]);
    assert_eq!(best(&server.ask(question, json!({}))), scanned, "before it is there");
    wait_for(120, "the graph", || !graphs().is_empty());
    assert_eq!(best(&server.ask(question, json!({}))), scanned, "by the graph");
    repo.write("new.py", "def remove_an_invoice():\n    pass\n");
    assert_eq!(best(&server.ask(question, json!({})))[0], "new.py");
    server.end();
    let [graph] = &graphs()[..] else { panic!("one graph: {:?}", repo.segments()) };

    let whole = std::fs::read(graph).unwrap();
    std::fs::write(graph, &whole[..whole.len() - 9]).unwrap();
    let server = Server::start(&repo, &[]);
    assert_eq!(best(&server.ask(question, json!({})))[0], "new.py");
    wait_for(120, "the graph is repaired", || std::fs::read(graph).unwrap() == whole);
    drop(server);

    repo.git(&["config", "cora.ann", "quick"]);
    let refused = repo.try_cora(&["query", "invoice"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("expected scan, hnsw or auto"), "{refused:?}");
    repo.git(&["config", "cora.ann", "scan"]);
    repo.git(&["config", "cora.cacheBytes", "0"]);
    for i in 0..60 {
        repo.write(&format!("other/f{i}.py"), "");
    }
    repo.commit("other");
    repo.cora(&["query", "invoice"]);
    assert!(graphs().is_empty(), "{:?}", repo.segments());
}

#[test]
fn an_answer_has_source_and_says_what_it_is_from() {
    let repo = Repo::sample();
    repo.write("new.rs", "/// Retries the upload.\nfn retry_upload() {}\n");
    let server = Server::start(&repo, &[]);
    let answer = server.ask("retry the upload", json!({}));
    let text = answer["ragText"].as_str().unwrap();
    assert!(text.contains("fn retry_upload() {}") && text.starts_with("<cora:rag-result>"), "{text}");
    let (metadata, state) = (&answer["metadata"], &answer["metadata"]["repos"][0]);
    assert_eq!(state["commit"], repo.rev("HEAD"));
    assert_eq!((&state["worktree"], &state["dirtyFiles"]), (&json!(true), &json!(1)));
    assert_eq!(state["results"][0]["gitStatus"], "untracked");
    assert_eq!(metadata["characters"], text.chars().count());
    assert!(
        metadata["tokens"].as_u64().unwrap() > 20 && metadata["timingMs"]["total"].is_u64(),
        "{metadata}"
    );
    // The answer keeps to the length and reports its cuts.
    for length in [1, 400, 900] {
        let mut request = ask("retry the upload", json!({}));
        request["approxLength"] = json!(length);
        let answer = server.post("/coderag/query", &request).json();
        assert!(answer["ragText"].as_str().unwrap().chars().count() <= length, "{answer}");
        assert!(answer["metadata"]["repos"][0]["cut"].is_string(), "{answer}");
    }
}

#[test]
fn what_is_boosted_comes_first() {
    let repo = Repo::sample();
    let server = Server::start(&repo, &[]);
    let mut request = ask("exponential backoff", json!({}));
    request["boost"] = json!({
        "files": [{ "path": "web/app.ts" }, { "path": "no.such" }],
        "declarations": [
            { "name": "SessionStore.refresh_token" },
            { "name": "parse_header", "path": "src/header.rs", "implementation": true },
        ],
    });
    let answer = server.post("/coderag/query", &request).json();
    let text = answer["ragText"].as_str().unwrap();
    let state = &answer["metadata"]["repos"][0];
    let first: Vec<&str> = state["results"]
        .as_array()
        .unwrap()
        .iter()
        .take(3)
        .map(|one| one["path"].as_str().unwrap())
        .collect();
    assert_eq!(first, ["web/app.ts", "lib/auth.py", "src/header.rs"]);
    for (line, is_there) in [
        ("return answer.items;", true),
        ("def refresh_token(self, user):", true),
        ("time.time() + 7200", false),
        ("Some(Header { tree: tree.to_owned() })", true),
        ("pub fn exponential_backoff", true),
    ] {
        assert_eq!(text.contains(line), is_there, "{line} in {text}");
    }
    assert_eq!(state["warnings"], json!(["no file 'no.such'"]));
}

#[test]
fn a_conversation_is_a_question() {
    let repo = Repo::sample();
    let server = Server::start(&repo, &[]);
    let request = json!({
        "messages": [
            { "role": "system", "content": "You are helpful." },
            { "role": "user", "content": "where are invoices loaded?" },
            { "role": "assistant", "content": "In web/app.ts." },
            { "role": "user", "content": "which file fetches them?" },
        ],
        "repos": [{}], "modelFamily": "openai",
    });
    let answer = server.post("/coderag/query", &request).json();
    assert_eq!(answer["metadata"]["repos"][0]["results"][0]["path"], "web/app.ts", "{answer}");
    for (family, begins, length) in [
        ("openai", "<!-- From the working tree", 900),
        ("claude", "<documents>", 900),
        ("claude", "<documents>", 20_000),
    ] {
        let mut request = request.clone();
        (request["modelFamily"], request["approxLength"]) = (json!(family), json!(length));
        let answer = server.post("/coderag/query", &request).json();
        assert!(answer["ragText"].as_str().unwrap().starts_with(begins), "{answer}");
        assert_eq!(answer["metadata"]["repos"][0]["cut"].is_string(), length == 900, "{answer}");
    }
}

#[test]
fn only_what_is_served_is_read() {
    let repo = Repo::sample();
    repo.git(&["remote", "add", "origin", "https://me:secret@example.org/team/sample.git"]);
    let other = repo.clone_to("other", &[]);
    std::fs::create_dir(repo.root().join("roots")).unwrap();
    let under = repo.clone_to("roots/under", &[]);
    under.git(&["remote", "set-url", "origin", "git@example.org:team/under.git"]);
    let root = repo.root().join("roots").display().to_string();
    let path = |repo: &Repo| repo.path().display().to_string();
    // Its Git directory is below the root, its work tree is not.
    let elsewhere = repo.clone_to("roots/elsewhere", &[]);
    elsewhere.git(&["config", "core.worktree", &path(&other)]);
    let server = Server::start(&repo, &["--root", &root, &path(&repo)]);
    let question = "refresh the token";
    for (wanted, top) in [
        (json!({ "checkoutPath": path(&repo) }), &repo),
        (json!({ "checkoutPath": path(&repo), "checkoutHost": "localhost" }), &repo),
        (json!({ "originUri": "git@example.org:team/sample" }), &repo),
        (json!({ "checkoutPath": path(&under) }), &under),
        (json!({ "checkoutPath": format!("{}/src/../lib", path(&under)) }), &under),
        (json!({ "originUri": "https://example.org/team/under" }), &under),
        (json!({ "checkoutPath": "/no/such/place", "originUri": "https://example.org/team/under" }), &under),
    ] {
        let answer = server.ask(question, wanted);
        assert_eq!(answer["metadata"]["repos"][0]["checkoutPath"], path(top));
        assert!(!answer.to_string().contains("secret"), "{answer}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(other.path(), under.path().parent().unwrap().join("link")).unwrap();
        std::os::unix::fs::symlink(other.path().join("lib"), under.path().join("link")).unwrap();
        under.write("lib/secret.py", "");
        under.remove("lib/secret.py");
        std::os::unix::fs::symlink("/etc/passwd", under.path().join("lib/secret.py")).unwrap();
        let mut request = ask(question, json!({ "checkoutPath": path(&under) }));
        request["boost"] =
            json!({ "files": [{ "path": "lib/secret.py" }, { "path": "../../other/lib/auth.py" }] });
        let answer = server.post("/coderag/query", &request).json();
        let warnings = answer["metadata"]["repos"][0]["warnings"].to_string();
        for path in ["lib/secret.py", "../../other/lib/auth.py"] {
            assert!(warnings.contains(&format!("no file '{path}'")), "{answer}");
        }
        assert!(!answer.to_string().contains("root:"), "{answer}");
    }
    for wanted in [
        json!({ "checkoutPath": path(&other) }),
        json!({ "checkoutPath": format!("{root}/../other") }),
        json!({ "checkoutPath": format!("{root}/link") }),
        json!({ "checkoutPath": path(&elsewhere) }),
        json!({ "checkoutPath": format!("{}/link", path(&under)) }),
        json!({ "checkoutPath": root }),
        json!({ "checkoutPath": "/" }),
        json!({ "checkoutPath": "." }),
        json!({ "checkoutPath": "a\u{0}b" }),
        json!({ "checkoutPath": path(&repo), "checkoutHost": "elsewhere" }),
        json!({ "originUri": "https://example.org/team/other" }),
        json!({}),
    ] {
        server.post("/coderag/query", &ask(question, wanted.clone())).is_problem(404, "no-repository");
        server.post("/coderag/refresh", &json!({ "repos": [wanted] })).is_problem(404, "no-repository");
    }
    assert!(other.index_refs().is_empty());
}

#[test]
fn versions_are_commits_branches_and_tags() {
    let repo = Repo::sample();
    repo.git(&["tag", "v1", "HEAD~1"]);
    let server = Server::start(&repo, &[]);
    for (version, commit) in [
        ("v1", "HEAD~1"),
        ("main", "HEAD"),
        (&repo.rev("HEAD~2")[..10], "HEAD~2"),
        ("latest", "HEAD"),
        ("workspace", "HEAD"),
    ] {
        let answer = server.ask("header", json!({ "versionSpecifier": version }));
        assert_eq!(answer["metadata"]["repos"][0]["commit"], repo.rev(commit), "{version}");
    }
    for version in ["nope", "main..v1", ":/first", "HEAD^{/retry}", "-h", "main@{1}", &"a".repeat(500)] {
        let request = ask("header", json!({ "versionSpecifier": version }));
        server.post("/coderag/query", &request).is_problem(404, "no-version");
    }
}

#[test]
fn refresh_indexes() {
    let repo = Repo::sample();
    let server = Server::start(&repo, &[]);
    let response =
        server.post("/coderag/refresh", &json!({ "repos": [{}, { "versionSpecifier": "HEAD~1" }] }));
    assert_eq!(response.status, 200, "{response:?}");
    let repos = &response.json()["repos"];
    assert_eq!((&repos[0]["state"], &repos[1]["commit"]), (&json!("exact"), &json!(repo.rev("HEAD~1"))));
    assert_eq!(repo.index_refs().len(), 2);
}

#[test]
fn strangers_are_turned_away() {
    let repo = Repo::sample();
    let server = Server::start(&repo, &["--allow-host", "cora.test", "--allow-origin", "https://ok.test"]);
    let body = ask("header", json!({})).to_string();
    let json = ("Content-Type", "application/json");
    let right = server.authorization();
    let post = |headers: &[(&str, &str)]| server.send("POST", "/coderag/query", headers, &body);
    for wrong in ["", "Bearer", "Bearer x", "Basic eDp5", &right[..right.len() - 1], &format!("{right}0")] {
        post(&[json, ("Authorization", wrong)]).is_problem(401, "no-token");
    }
    let refused = post(&[json]);
    refused.is_problem(401, "no-token");
    assert!(refused.head.to_lowercase().contains("www-authenticate: bearer"), "{refused:?}");
    post(&[json, ("Authorization", &right), ("Authorization", "Bearer x")]).is_problem(401, "no-token");
    server.send("GET", "/metrics", &[], "").is_problem(401, "no-token");
    // The token may also be in the body, but it must be the right one.
    let mut request = ask("header", json!({}));
    request["token"] = json!(server.token);
    assert_eq!(server.send("POST", "/coderag/query", &[json], &request.to_string()).status, 200);
    request["token"] = json!("x");
    server.send("POST", "/coderag/query", &[json], &request.to_string()).is_problem(401, "no-token");
    server.send("POST", "/coderag/query", &[json], "{").is_problem(401, "no-token");

    let ok = ("Authorization", right.as_str());
    for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""] {
        post(&[json, ok, ("Host", host)]).is_problem(421, "foreign-host");
        server.send("GET", "/healthz", &[("Host", host)], "").is_problem(421, "foreign-host");
    }
    for host in ["localhost", "LOCALHOST:1", "[::1]:80", "cora.test"] {
        assert_eq!(post(&[json, ok, ("Host", host)]).status, 200, "{host}");
    }
    for origin in ["https://evil.example", "null", "http://localhost:1", "https://ok.test.evil.example"] {
        post(&[json, ok, ("Origin", origin)]).is_problem(403, "foreign-origin");
    }
    let own = format!("http://127.0.0.1:{}", server.port);
    for origin in [own.as_str(), "https://ok.test"] {
        assert_eq!(post(&[json, ok, ("Origin", origin)]).status, 200, "{origin}");
    }
    server.raw(b"GET /healthz HTTP/1.0\r\n\r\n").is_problem(400, "bad-request");
    server
        .raw(b"GET http://evil.example/healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        .is_problem(421, "foreign-host");
}

#[test]
fn bodies_are_bounded_and_problems_are_told() {
    let repo = Repo::sample();
    let server = Server::start(&repo, &[]);
    let ok = server.authorization();
    let send = |media: &str, body: &str| {
        server.send("POST", "/coderag/query", &[("Authorization", &ok), ("Content-Type", media)], body)
    };
    send("text/plain", "{}").is_problem(415, "media-type");
    send("application/json", "{").is_problem(400, "bad-request");
    send("application/json", "").is_problem(400, "bad-request");
    send("application/json", &"[".repeat(100_000)).is_problem(400, "bad-request");
    send("application/json", &" ".repeat(2 << 20)).is_problem(400, "bad-request");
    send("application/json", &" ".repeat((2 << 20) + 1)).is_problem(413, "too-large");
    for request in [
        json!({}),
        json!([[], 1, [], {}, "claude", null]),
        json!({ "messages": [["user", "x"]], "repos": [{}] }),
        json!({ "messages": [{ "role": "user", "content": "x" }], "repos": [[null, null]] }),
        json!({ "messages": [], "repos": [{}] }),
        json!({ "messages": [{ "role": "user", "content": " " }], "repos": [{}] }),
        json!({ "messages": [{ "role": "robot", "content": "x" }], "repos": [{}] }),
        json!({ "messages": [{ "role": "user", "content": "x" }], "repos": [] }),
        json!({ "messages": [{ "role": "user", "content": "x" }], "repos": vec![json!({}); 17] }),
        json!({ "messages": [{ "role": "user", "content": "x" }], "repos": [{}], "approxLength": 0 }),
        json!({ "messages": [{ "role": "user", "content": "x" }], "repos": [{}], "approxLength": -1 }),
        json!({ "messages": [{ "role": "user", "content": "x" }], "repos": [{}], "more": 1 }),
        json!({ "messages": [{ "role": "user", "content": "x" }], "repos": [{}], "modelFamily": "other" }),
    ] {
        server.post("/coderag/query", &request).is_problem(400, "bad-request");
    }
    // The limit also holds for a chunked body, whose length is not announced.
    let mut chunked = format!(
        "POST /coderag/query HTTP/1.1\r\nHost: localhost\r\nAuthorization: {ok}\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )
    .into_bytes();
    for _ in 0..48 {
        chunked.extend_from_slice(b"10000\r\n");
        chunked.resize(chunked.len() + 0x10000, b' ');
        chunked.extend_from_slice(b"\r\n");
    }
    let response = server.raw(&chunked);
    assert!(response.status == 413 || response.status == 0, "{response:?}");
    server.get("/nothing").is_problem(404, "no-route");
    server.get("/../../etc/passwd").is_problem(404, "no-route");
    let refused = server.get("/coderag/query");
    refused.is_problem(405, "no-method");
    assert!(refused.head.to_lowercase().contains("allow: post"), "{refused:?}");
    server.send("DELETE", "/healthz", &[("Authorization", &ok)], "").is_problem(405, "no-method");
    let long = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(1 << 20));
    let response = server.raw(long.as_bytes());
    assert!(response.status == 431 || response.status == 0, "{}", response.status);
    for (len, is_read) in [(15 << 10, true), (17 << 10, false)] {
        let status = server.send("GET", "/healthz", &[("X", &"x".repeat(len))], "").status;
        assert_eq!(status == 200, is_read, "a head of {len} bytes: {status}");
    }
    assert_eq!(server.get("/healthz").json()["status"], "ok");
}

#[test]
fn slow_clients_do_not_stop_others() {
    let repo = Repo::sample();
    let server = Server::start(&repo, &[]);
    let ok = server.authorization();
    let slow: Vec<TcpStream> = (0..60)
        .map(|at| {
            let mut stream = server.connect();
            let head = if at % 2 == 0 {
                "GET /healthz HT".to_owned()
            } else {
                format!(
                    "POST /coderag/query HTTP/1.1\r\nHost: localhost\r\nAuthorization: {ok}\r\n\
                     Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{"
                )
            };
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    server.ask("header", json!({}));
    // The server does not wait for ever for a body.
    let [_, stalled, ..] = slow.as_slice() else { panic!("no slow clients") };
    let mut line = String::new();
    BufReader::new(stalled).read_line(&mut line).unwrap();
    assert!(line.contains("408"), "{line}");
}

#[test]
fn what_it_counts_and_logs_tells_nothing() {
    let repo = Repo::sample();
    let server = Server::start(&repo, &[]);
    server.ask("where is zanzibar", json!({}));
    server.send("GET", "/secret-path", &[], "");
    let metrics = server.get("/metrics").body;
    for line in [
        "cora_http_requests_total{route=\"/coderag/query\",status=\"200\"} 1",
        "cora_http_requests_in_flight 1",
        "cora_http_request_duration_seconds_count{route=\"/coderag/query\"} 1",
    ] {
        assert!(metrics.contains(line), "{line} in {metrics}");
    }
    let document = server.send("GET", "/openapi.json", &[], "").json();
    assert_eq!(document["openapi"], "3.1.0");
    #[cfg(unix)]
    {
        let (token, path) = (server.token.clone(), repo.path().display().to_string());
        let (code, log) = server.stop();
        assert_eq!(code, 0, "{log}");
        let lines: Vec<Value> = log
            .lines()
            .filter(|line| line.starts_with('{'))
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let asked = lines.iter().find(|line| line["route"] == "/coderag/query").unwrap();
        assert_eq!((&asked["status"], &asked["method"]), (&json!(200), &json!("POST")));
        assert!(lines.iter().any(|line| line["problem"] == "urn:git-cora:no-token"), "{log}");
        for secret in ["zanzibar", token.as_str(), path.as_str(), "secret-path", "parse_header"] {
            assert!(!log.contains(secret), "{secret} in {log}");
        }
    }
}

#[test]
fn the_token_is_made_once_and_printed_once() {
    let repo = Repo::sample();
    let start = |args: &[&str]| {
        let mut child =
            repo.command(CORA).args(["serve", "--listen", "127.0.0.1:0"]).args(args).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut out = String::new();
        while !out.contains("listening on ") {
            out.push_str(&lines.next().unwrap());
            out.push('\n');
        }
        child.kill().unwrap();
        child.wait().unwrap();
        out
    };
    let first = start(&[]);
    let kept = repo.root().join("home/.local/state/git-cora/token");
    let token = std::fs::read_to_string(&kept).unwrap().trim().to_owned();
    assert!(first.starts_with(&format!("token {token}\n")), "{first}");
    assert!(!start(&[]).contains("token"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::set_permissions(&kept, std::fs::Permissions::from_mode(0o640)).unwrap();
        repo.try_cora(&["serve", "--listen", "127.0.0.1:0"]).exits(2).says(
            "other users can read \
        the token",
        );
    }
    repo.try_cora(&["serve", "--listen", "127.0.0.1:0", "--token-file", "t", "--root", "no/such"])
        .exits(2)
        .says("can't serve");
    Repo::no_repository()
        .try_cora(&["serve", "--listen", "127.0.0.1:0"])
        .exits(128)
        .says("not a git repository");
}

#[cfg(unix)]
#[test]
fn requests_at_work_are_answered_before_the_end() {
    let repo = Repo::sample();
    let server = Server::start(&repo, &[]);
    let mut stream = server.connect();
    let body = ask("header", json!({})).to_string();
    let head = format!(
        "POST /coderag/query HTTP/1.1\r\nHost: localhost\r\nAuthorization: {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        server.authorization(),
        body.len()
    );
    let (first, rest) = body.split_at(20);
    stream.write_all(format!("{head}{first}").as_bytes()).unwrap();
    // A counted request has reached the server.
    wait_for(10, "the request is at work", || server.get("/metrics").body.contains("in_flight 2"));
    let stopping = std::thread::spawn(move || server.stop());
    std::thread::sleep(Duration::from_millis(200));
    stream.write_all(rest.as_bytes()).unwrap();
    let response = receive(stream);
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(stopping.join().unwrap().0, 0);
}
