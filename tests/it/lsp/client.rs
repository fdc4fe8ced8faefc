//! A minimal client, and places in texts.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::harness::{CORA, Repo};

pub(super) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    last_id: u64,
    /// The notifications of the server, in order.
    pub(super) notifications: Vec<Value>,
}

impl Client {
    /// Starts a server without a session.
    pub(super) fn spawn(repo: &Repo, args: &[&str]) -> Self {
        let mut child = repo.command(CORA).arg("lsp").args(args).stdin(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, stdin, stdout, last_id: 0, notifications: Vec::new() }
    }

    /// Starts a session in the repository, with columns in bytes.
    pub(super) fn start(repo: &Repo) -> Self {
        Self::start_with(repo, &json!({}))
    }

    /// Starts a session with these `initializationOptions`.
    pub(super) fn start_with(repo: &Repo, options: &Value) -> Self {
        let mut client = Self::spawn(repo, &[]);
        client.initialize(&[repo.path()], "utf-8", options);
        client
    }

    pub(super) fn initialize(&mut self, folders: &[&Path], encoding: &str, options: &Value) -> Value {
        let folders: Vec<Value> =
            folders.iter().map(|path| json!({"uri": uri_of(path), "name": "folder"})).collect();
        let capabilities = json!({
            "general": {"positionEncodings": [encoding]},
            "window": {"workDoneProgress": true},
            "textDocument": {
                "hover": {"contentFormat": ["markdown", "plaintext"]},
                "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
            },
        });
        let reply = self.ok(
            "initialize",
            json!({
                "processId": null,
                "rootUri": null,
                "capabilities": capabilities,
                "workspaceFolders": folders,
                "initializationOptions": options,
            }),
        );
        self.notify("initialized", json!({}));
        reply
    }

    pub(super) fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    pub(super) fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and returns its id.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    pub(super) fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.stdout.read_line(&mut line).unwrap() > 0, "the server has closed its output");
            match line.trim_end() {
                "" => break,
                header => length = header.strip_prefix("Content-Length: ").unwrap().parse().unwrap(),
            }
        }
        let mut bytes = vec![0; length];
        self.stdout.read_exact(&mut bytes).unwrap();
        let message: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        message
    }

    /// Receives one message and returns it if it is a reply. A request of the server is answered,
    /// and kept like a notification.
    fn step(&mut self) -> Option<Value> {
        let message = self.receive();
        if message.get("method").is_none() {
            return Some(message);
        }
        if let Some(id) = message.get("id") {
            let reply = json!({"jsonrpc": "2.0", "id": id, "result": null});
            self.send(&reply);
        }
        self.notifications.push(message);
        None
    }

    /// Returns the next reply; requests of the server are answered, notifications are kept.
    pub(super) fn reply(&mut self) -> Value {
        loop {
            if let Some(reply) = self.step() {
                return reply;
            }
        }
    }

    /// Receives messages until a progress has begun or ended. No reply may come before.
    #[track_caller]
    pub(super) fn await_progress(&mut self, kind: &str) {
        while !self.notifications.iter().any(|one| one["params"]["value"]["kind"] == kind) {
            assert_eq!(self.step(), None, "before the progress has its '{kind}'");
        }
    }

    pub(super) fn reply_to(&mut self, id: u64) -> Value {
        loop {
            let reply = self.reply();
            if reply["id"] == id {
                return reply;
            }
        }
    }

    pub(super) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.reply_to(id)
    }

    /// Sends a request that succeeds and returns its result.
    #[track_caller]
    pub(super) fn ok(&mut self, method: &str, params: Value) -> Value {
        let reply = self.request(method, params);
        assert!(reply.get("result").is_some(), "{method}: {reply}");
        reply["result"].clone()
    }

    /// Sends a request that fails and returns the code and the message.
    #[track_caller]
    pub(super) fn fails(&mut self, method: &str, params: Value) -> (i64, String) {
        let reply = self.request(method, params);
        let error = &reply["error"];
        assert!(error.is_object(), "{method}: {reply}");
        (error["code"].as_i64().unwrap(), error["message"].as_str().unwrap().to_owned())
    }

    /// Sends a request about the n-th place of a name in a file, as it is on disk.
    #[track_caller]
    pub(super) fn at(&mut self, repo: &Repo, method: &str, path: &str, name: &str, n: usize) -> Value {
        let text = std::fs::read_to_string(repo.path().join(path)).unwrap();
        self.ok(method, about(repo, path, &text, name, n))
    }

    pub(super) fn open(&mut self, repo: &Repo, path: &str, text: &str) {
        let document = json!({"uri": uri(repo, path), "languageId": "x", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(super) fn close_input(&mut self) {
        self.stdin = None;
    }

    pub(super) fn wait(mut self) -> i32 {
        self.child.wait().unwrap().code().unwrap_or(-1)
    }

    /// Ends the session as the protocol wants it.
    pub(super) fn end(mut self) {
        assert_eq!(self.ok("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        assert_eq!(self.wait(), 0);
    }
}

pub(super) fn uri_of(path: &Path) -> String {
    let path = path.display().to_string();
    // The server encodes the colon of `C:\work`, as most clients do.
    if cfg!(windows) {
        format!("file:///{}", path.replace('\\', "/").replace(':', "%3A"))
    } else {
        format!("file://{path}")
    }
}

pub(super) fn uri(repo: &Repo, path: &str) -> String {
    uri_of(&repo.path().join(path))
}

/// Returns the parameters of a request about the n-th place of a name in a text, with columns in
/// bytes.
#[track_caller]
pub(super) fn about(repo: &Repo, path: &str, text: &str, name: &str, n: usize) -> Value {
    let at = text.match_indices(name).nth(n).unwrap_or_else(|| panic!("no '{name}' {n} in {text}")).0;
    let line = text[..at].matches('\n').count();
    let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1);
    json!({
        "textDocument": {"uri": uri(repo, path)},
        "position": {"line": line, "character": column},
        "context": {"includeDeclaration": true},
    })
}

/// Returns locations as `path:line:column-end`, 0-based as in the protocol.
pub(super) fn places(repo: &Repo, found: &Value) -> Vec<String> {
    let root = format!("{}/", uri_of(repo.path()));
    let place = |one: &Value| {
        let (uri, range) = (one["uri"].as_str().unwrap(), &one["range"]);
        let path = uri.strip_prefix(&root).unwrap_or(uri);
        format!(
            "{path}:{}:{}-{}",
            range["start"]["line"], range["start"]["character"], range["end"]["character"]
        )
    };
    found.as_array().map(|all| all.iter().map(place).collect()).unwrap_or_default()
}

/// A repository in which names cross files, languages and columns.
pub(super) fn sample() -> Repo {
    let repo = Repo::new();
    for (path, text) in FILES {
        repo.write(path, text);
    }
    repo.commit("first");
    repo
}

pub(super) const UPLOAD: &str = "\
//! Uploads.
use crate::retry::Backoff;

/// Sends a file again until it arrives.
///
/// It gives up after an hour.
pub fn retry_upload(path: &str) -> u32 {
    let backoff = Backoff::new();
    let waited = backoff.pause(path);
    waited + backoff.pause(\"again\")
}
";

const FILES: [(&str, &str); 8] = [
    ("src/upload.rs", UPLOAD),
    (
        "src/retry.rs",
        "\
/// Waits longer each time.
pub struct Backoff {
    n: u32,
}

impl Backoff {
    /// Starts with a short pause.
    pub fn new() -> Self {
        Self { n: 1 }
    }

    /// Pauses before the next attempt.
    pub fn pause(&self, why: &str) -> u32 {
        self.n + why.len() as u32
    }
}
",
    ),
    (
        "src/lib.rs",
        "\
pub mod retry;
pub mod upload;

use crate::upload::retry_upload;

pub fn run() -> u32 {
    /* 🙂é */ let first = retry_upload(\"a\"); let second = /* 🙂🙂 */ retry_upload(\"b\");
\tfirst + second
}
",
    ),
    (
        "src/shape.ts",
        "\
export interface Shape {
  area(): number;
}

export class Circle implements Shape {
  area(): number {
    return 3;
  }
}

export class Square implements Shape {
  area(): number {
    return 4;
  }
}

export class Dot extends Circle {}
",
    ),
    ("app/main.py", "def start(client):\n    client.reconnect_all()\n"),
    ("app/pool.py", "class Pool:\n    def reconnect_all(self):\n        return 1\n"),
    ("crlf.py", "def above():\r\n\treturn 1\r\n\r\ndef below():\r\n\treturn above()\r\n"),
    (".gitignore", "ignored.rs\n"),
];
