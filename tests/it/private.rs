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

#[test]
fn a_git_directory_is_private_whatever_its_name_is() {
    const TOKEN: &str = "ghp_1aB2cD3eF4gH5iJ6kL7mN8oP9qR0sT1uV2w";
    let repo = Repo::no_repository();
    repo.git(&["init", "-q", "-b", "main", "--separate-git-dir", "gitdata", "."]);
    repo.git(&["config", "remote.origin.url", &format!("https://joe:{TOKEN}@example.com/x/y")]);
    repo.write("a.py", "def alpha():\n    return 1\n");
    repo.git(&["add", "a.py"]);
    repo.git(&["commit", "-q", "-m", "a"]);
    // A bare repository of somebody else, with a token of its own.
    repo.git(&["init", "-q", "--bare", "lib/sub.git"]);
    repo.write("lib/sub.git/config", format!("[core]\n\tbare = true\n\ttoken = {TOKEN}\n"));
    for query in ["repositoryformatversion", "remote origin url", "token bare core"] {
        let run = repo.try_cora(&["query", "--format", "paths", query]);
        assert!(!run.out.contains("gitdata") && !run.out.contains("sub.git"), "{}", run.out);
    }
    let run = repo.cora(&["list"]);
    assert!(run.out.contains("alpha") && !run.out.contains("gitdata"), "{}", run.out);
    assert_eq!(repo.cora(&["query", "--json", "alpha"]).json()["dirty_files"], 0);
    let mut client = Client::start(&repo);
    let server = Server::start(&repo, &[]);
    for (path, reason) in [
        ("gitdata/config", "no file"),
        ("gitdata/HEAD", "no file"),
        ("lib/sub.git/config", "it belongs to another repository, 'lib/sub.git'"),
    ] {
        let trouble = client.fails("read", json!({ "path": path }));
        assert!(trouble.contains(reason) && !trouble.contains(TOKEN), "{trouble}");
        let request = json!({ "repo": { "versionSpecifier": "workspace" }, "path": path });
        let response = server.post("/coderag/file", &request);
        response.is_problem(404, "no-file");
        assert!(!response.body.contains(TOKEN), "{response:?}");
    }
    let reply = client.ok("query", json!({ "query": "remote origin url token" }));
    assert!(!reply.contains("gitdata") && !reply.contains(TOKEN), "{reply}");
}

#[test]
fn untracked_files_are_private_if_the_user_does_not_want_them() {
    let repo = Repo::sample();
    repo.git(&["config", "status.showUntrackedFiles", "no"]);
    repo.write(".ssh/id_rsa", "SECRET\n");
    repo.write("mine.py", "def only_mine():\n    return SECRET\n");
    repo.write("staged.py", "def only_staged():\n    return 1\n");
    repo.git(&["add", "staged.py"]);
    assert!(repo.cora(&["list"]).out.contains("only_staged"));
    for args in [&["query", "only_mine"][..], &["list", "only_mine"], &["refs", "only_mine"], &["diff"]] {
        let run = repo.try_cora(args);
        assert!(!run.out.contains("mine.py") && !run.out.contains("SECRET"), "{args:?}: {}", run.out);
    }
    let why = "Git doesn't track it, and 'status.showUntrackedFiles' is 'no'";
    for args in [["explain", "mine.py"], ["refs", "mine.py:only_mine"]] {
        let run = repo.try_cora(&args).exits(1).says(why);
        assert!(run.err.contains("hint: run 'git config --show-origin"), "{}", run.err);
    }
    let mut client = Client::start(&repo);
    let server = Server::start(&repo, &[]);
    for path in [".ssh/id_rsa", "mine.py"] {
        let trouble = client.fails("read", json!({ "path": path }));
        assert!(trouble.contains(why) && !trouble.contains("SECRET"), "{trouble}");
        let request = json!({ "repo": { "versionSpecifier": "workspace" }, "path": path });
        server.post("/coderag/file", &request).is_problem(404, "no-file");
    }
    client.ok("read", json!({ "path": "staged.py" }));
    // The value of one command counts, too.
    let run = repo.command("git").args(["-c", "status.showUntrackedFiles=all", "status", "--short"]).output();
    assert!(String::from_utf8_lossy(&run.unwrap().stdout).contains("mine.py"));
    let all = repo.clone_to("all", &[]);
    all.write("mine.py", "def only_mine():\n    return 1\n");
    assert!(all.cora(&["list", "only_mine"]).out.contains("mine.py"));
}
