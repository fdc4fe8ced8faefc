//! Files that nobody but the user may read stay private at both doors, MCP and HTTP.

use serde_json::{Value, json};

use crate::harness::Repo;
use crate::http::Server;
use crate::mcp::Client;

/// A repository with ignored files of every kind, and files that look like them and are not.
fn sample() -> Repo {
    let repo = Repo::sample();
    repo.write(".gitignore", ".env\nsecrets/\n*.pem\n/build\n");
    repo.write("lib/.gitignore", "*.private\n");
    repo.write("tracked.pem", "open\n");
    repo.write("secrets/example", "open\n");
    repo.git(&["add", "-f", "-A"]);
    repo.git(&["commit", "-q", "-m", "open files"]);
    repo.write(".git/info/exclude", "*.excluded\n");
    let global = repo.root().join("excludes");
    std::fs::write(&global, "*.global\n").unwrap();
    repo.git(&["config", "core.excludesFile", global.to_str().unwrap()]);
    for path in PRIVATE {
        repo.write(path, "SECRET\n");
    }
    repo.git(&["init", "-q", "nested"]);
    repo.write("nested/file.txt", "SECRET\n");
    repo
}

/// The ignored files.
const PRIVATE: [&str; 8] = [
    ".env",
    "deep/er/.env",
    "secrets/id_rsa",
    "src/key.pem",
    "build/log.txt",
    "lib/a.private",
    "a.excluded",
    "lib/b.global",
];

#[test]
fn an_agent_reads_no_ignored_file() {
    let repo = sample();
    let mut client = Client::start(&repo);
    for path in PRIVATE {
        for written in [path.to_owned(), format!("./{path}"), repo.path().join(path).display().to_string()] {
            let trouble = client.fails("read", json!({ "path": written }));
            assert!(trouble.contains(&format!("'{path}' can't be read: Git ignores it")), "{trouble}");
            let hint = format!("hint: run \"git check-ignore -v -- '{path}'\" to see the rule");
            assert!(trouble.ends_with(&hint), "{trouble}");
        }
        // The commit does not have it either.
        let trouble = client.fails("read", json!({ "path": path, "rev": "HEAD" }));
        assert!(trouble.contains("no file"), "{trouble}");
        repo.git(&["check-ignore", "-v", "--", path]);
    }
    for path in ["tracked.pem", "secrets/example"] {
        assert!(client.ok("read", json!({ "path": path })).contains("open"), "tracked files are open");
    }
    repo.write("new.txt", "new\n");
    client.ok("read", json!({ "path": "new.txt" }));
    let trouble = client.fails("read", json!({ "path": "nested/file.txt" }));
    assert!(trouble.contains("it belongs to another repository, 'nested'"), "{trouble}");
    let reply = client.ok("query", json!({ "query": "SECRET" }));
    assert!(!reply.contains("1  SECRET"), "{reply}");
}

#[test]
fn a_file_that_was_tracked_is_read_from_its_commit_only() {
    let repo = sample();
    repo.git(&["rm", "-q", "--cached", "tracked.pem"]);
    let mut client = Client::start(&repo);
    let trouble = client.fails("read", json!({ "path": "tracked.pem" }));
    assert!(trouble.contains("Git ignores it"), "{trouble}");
    assert!(client.ok("read", json!({ "path": "tracked.pem", "rev": "HEAD" })).contains("open"));
    repo.write("tracked.pem", "SECRET\n");
    let server = Server::start(&repo, &[]);
    let file = |request: Value| server.post("/coderag/file", &request);
    let refused = file(json!({ "repo": {}, "path": "tracked.pem" }));
    refused.is_problem(404, "no-file");
    assert!(!refused.body.contains("SECRET"), "{refused:?}");
    let committed = file(json!({ "repo": { "versionSpecifier": "latest" }, "path": "tracked.pem" }));
    assert_eq!(committed.status, 200, "{committed:?}");
}

#[test]
fn odd_paths_lead_nowhere() {
    let repo = sample();
    std::fs::write(repo.root().join("outside"), "SECRET\n").unwrap();
    #[cfg(unix)]
    for (link, target) in [("out", ".."), ("key", ".env"), ("keys", "secrets"), ("dot", ".git")] {
        std::os::unix::fs::symlink(target, repo.path().join(link)).unwrap();
    }
    let outside = repo.root().join("outside").display().to_string();
    let config = repo.path().join(".git/config").display().to_string();
    let paths = [
        "../outside",
        "lib/../../outside",
        "lib/../.env",
        "secrets//id_rsa",
        "secrets/./id_rsa",
        outside.as_str(),
        "/etc/passwd",
        ".git/config",
        ".git/HEAD",
        ".GIT/config",
        config.as_str(),
        "nested/.git/config",
        "out/outside",
        "key",
        "keys/id_rsa",
        "dot/config",
        ".ENV",
        "Secrets/id_rsa",
        ".env\0",
        "lib/auth.py\0",
        "lib/auth.py\n",
        "\n",
        ":(top).env",
        ":(glob)**/.env",
        "*.pem",
        "file:///etc/passwd",
        "~/.ssh/id_rsa",
    ];
    let mut client = Client::start(&repo);
    let server = Server::start(&repo, &[]);
    for path in paths {
        for rev in [None, Some("HEAD")] {
            let mut arguments = json!({ "path": path });
            if let Some(rev) = rev {
                arguments["rev"] = json!(rev);
            }
            let trouble = client.fails("read", arguments);
            assert!(trouble.contains("no file"), "{path:?} {rev:?}: {trouble}");
            assert!(!trouble.contains("SECRET") && !trouble.contains('\0'), "{trouble:?}");
        }
        for version in ["workspace", "latest"] {
            let request = json!({ "repo": { "versionSpecifier": version }, "path": path });
            let response = server.post("/coderag/file", &request);
            response.is_problem(404, "no-file");
            assert!(!response.body.contains("SECRET"), "{path:?} {version}: {response:?}");
        }
    }
    client.ok("read", json!({ "path": "lib/auth.py" }));
}

#[test]
fn a_submodule_is_another_repository() {
    let repo = Repo::sample();
    let module = repo.clone_to("module", &[]);
    module.write("lib/new.py", "SECRET\n");
    repo.git(&["-c", "protocol.file.allow=always", "submodule", "add", "-q", "../module", "sub"]);
    repo.commit("submodule");
    repo.write("sub/lib/new.py", "SECRET\n");
    let mut client = Client::start(&repo);
    for path in ["sub/lib/auth.py", "sub/lib/new.py"] {
        let trouble = client.fails("read", json!({ "path": path }));
        assert!(trouble.contains("it belongs to another repository, 'sub'"), "{trouble}");
        let trouble = client.fails("read", json!({ "path": path, "rev": "HEAD" }));
        assert!(trouble.contains("no file"), "{trouble}");
    }
    for rev in [json!(null), json!("HEAD")] {
        let trouble = client.fails("read", json!({ "path": "sub", "rev": rev }));
        assert!(trouble.contains("no file"), "{trouble}");
    }
}
