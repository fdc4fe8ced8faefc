//! The tools of `git cora mcp` that are about time: `diff` with its impact, and `history`.

use serde_json::json;

use git_cora::answer::view::tokens;

use crate::harness::Repo;
use crate::mcp::Client;

#[test]
fn impact_is_that_of_the_command_line() {
    let repo = Repo::new();
    repo.write("net.py", "def send(upload):\n    return upload.write(1)\n");
    repo.write("app.py", "from net import send\n\n\ndef main(upload):\n    return send(upload)\n");
    repo.commit("first");
    repo.write("net.py", "def send(upload, tries):\n    return upload.write(1)\n");
    let mut client = Client::start(&repo);
    // The uncommitted changes, then those of a commit.
    let reply = client.ok("diff", json!({}));
    assert!(reply.contains("changed net.py:1  send  function\n"), "{reply}");
    let edits = client.ok("diff", json!({"impact": true}));
    assert!(edits.contains("    app.py:5: in function main  (call, found by import)\n"), "{edits}");
    repo.commit("second");
    for impact in [false, true] {
        let reply = client.ok("diff", json!({"impact": impact}));
        assert!(reply.starts_with("no uncommitted change; set 'from' to 'HEAD~'"), "{reply}");
    }
    let reply = client.ok("diff", json!({"from": "HEAD~", "impact": true}));
    assert_eq!(reply.lines().skip(1).collect::<Vec<_>>(), edits.lines().skip(1).collect::<Vec<_>>());
    for max_tokens in [100, 200] {
        let asked = json!({"from": "HEAD~", "impact": true, "max_tokens": max_tokens});
        let reply = client.ok("diff", asked);
        assert!(tokens(&reply) <= max_tokens, "{max_tokens}: {reply}");
    }
    let trouble = client.fails("diff", json!({"to": "HEAD"}));
    assert!(trouble.contains("'to' needs 'from'"), "{trouble}");
}

#[test]
fn a_commit_is_compared_with_the_working_tree_unless_there_is_a_second_one() {
    let repo = Repo::sample();
    let mut client = Client::start(&repo);
    let two = client.ok("diff", json!({"from": "HEAD~2", "to": "HEAD"}));
    for range in ["HEAD~2..HEAD", "HEAD~2...HEAD"] {
        assert_eq!(client.ok("diff", json!({"from": range})), two, "{range}");
    }
    repo.write("src/retry.rs", "pub fn linear() {}\n");
    let reply = client.ok("diff", json!({"from": "HEAD~2"}));
    assert!(reply.contains(" and the working tree\n") && reply.contains("src/retry.rs:1  linear"), "{reply}");
    assert!(!reply.contains("exponential_backoff"), "{reply}");
    assert_eq!(client.ok("diff", json!({"from": "HEAD~2", "to": "HEAD"})), two);
    let reply = client.ok("diff", json!({"from": "HEAD~2", "impact": true}));
    assert!(reply.contains(" and the working tree: "), "{reply}");
}

#[test]
fn other_declarations_of_a_name_in_a_file_are_listed() {
    let repo = Repo::new();
    repo.write(
        "net.py",
        "class A:\n    def send(self):\n        return 1\n\n\nclass B:\n    def send(self):\n        return 2\n",
    );
    repo.commit("first");
    let mut client = Client::start(&repo);
    for what in ["changes", "when", "authors"] {
        for name in ["send", "net.py:send"] {
            let reply = client.ok("history", json!({"name": name, "what": what}));
            let note =
                "note: another declaration has this name; to choose it, write this instead:\n  net.py:7\n";
            assert!(reply.contains(note), "{what}: {reply}");
        }
        let reply = client.ok("history", json!({"name": "net.py:7", "what": what}));
        assert!(!reply.contains("this name"), "{what}: {reply}");
    }
}

#[test]
fn history_is_that_of_the_command_line() {
    let repo = Repo::new();
    repo.write("net.py", "def send(upload):\n    return upload.write(1)\n");
    repo.commit("first");
    repo.git(&["tag", "v1"]);
    repo.write("net.py", "def send(upload, tries):\n    return upload.write(1)\n");
    repo.commit("second");
    let mut client = Client::start(&repo);
    let reply = client.ok("history", json!({"name": "send"}));
    assert!(reply.starts_with("net.py:1  send  function\n"), "{reply}");
    assert!(reply.contains("[signature] second\n") && reply.contains("[added] first\n"), "{reply}");
    let reply = client.ok("history", json!({"name": "net.py:send", "what": "when"}));
    assert!(reply.contains("first release with this commit: v1"), "{reply}");
    let reply = client.ok("history", json!({"name": "send", "what": "authors"}));
    assert!(reply.contains("100%  A U Thor") && reply.contains("last change [signature]: "), "{reply}");
    let reply = client.ok("history", json!({"name": "\"upload, tries\"", "what": "when"}));
    assert!(reply.contains("second\n") && reply.contains("in 1 file now: net.py"), "{reply}");
    let asked = json!({"name": "\"upload, tries\"", "what": "when", "path": "n*.py"});
    assert!(client.ok("history", asked).contains("in 1 file now: net.py"));
    let trouble = client.fails("history", json!({"name": "nobody"}));
    assert!(trouble.contains("no declaration named 'nobody'"), "{trouble}");
    client.fails("history", json!({"name": "send", "rev": "nope"}));
    // A question about time names the call that answers it.
    let reply = client.ok("query", json!({"query": "when was send introduced"}));
    assert!(reply.contains(r#"'history' answers this: {"name": "send", "what": "when"}"#), "{reply}");
}

#[test]
fn a_name_keeps_its_mark_and_a_path_is_a_file() {
    let repo = Repo::new();
    repo.write("a.rb", "class Node\n  def leader\n    1\n  end\n\n  def leader?\n    2\n  end\nend\n");
    repo.commit("first");
    let mut client = Client::start(&repo);
    let reply = client.ok("history", json!({"name": "leader?", "what": "when"}));
    assert!(reply.contains("Node::leader?") && reply.contains("first"), "{reply}");
    let reply = client.ok("history", json!({"name": "a.rb", "what": "when"}));
    assert!(reply.starts_with("a.rb: file\nadded "), "{reply}");
}
