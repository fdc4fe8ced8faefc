//! Who wrote a declaration: `git cora blame`.

use serde_json::Value;

use crate::harness::Repo;

const SEND: &str = "\
def other():
    return 1


def send(upload):
    for part in upload.parts:
        yield part
    return None
";

fn commit_as(repo: &Repo, name: &str, message: &str) {
    let address = format!("{}@example.com", name.to_lowercase());
    let one = repo.with_env("GIT_AUTHOR_NAME", name).with_env("GIT_AUTHOR_EMAIL", &address);
    one.commit(message);
}

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("a.py", SEND);
    commit_as(&repo, "Ada", "add");
    repo.write("a.py", SEND.replace("yield part", "yield part, 2"));
    commit_as(&repo, "Bob", "two");
    repo
}

fn shares(repo: &Repo, args: &[&str]) -> Vec<(String, u64)> {
    let answer = repo.cora(&[&["blame", "--json"], args].concat()).json();
    let of = |one: &Value| (one["name"].as_str().unwrap().to_owned(), one["lines"].as_u64().unwrap());
    answer["authors"].as_array().unwrap().iter().map(of).collect()
}

fn pairs(list: &[(&str, u64)]) -> Vec<(String, u64)> {
    list.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect()
}

#[test]
fn lines_are_shared_between_authors() {
    let repo = repo();
    for named in ["send", "a.py:send", "a.py:6"] {
        assert_eq!(shares(&repo, &[named]), pairs(&[("Ada", 3), ("Bob", 1)]), "{named}");
    }
    assert_eq!(shares(&repo, &["a.py"]), pairs(&[("Ada", 7), ("Bob", 1)]));
    assert_eq!(shares(&repo, &["--rev", "HEAD~", "send"]), pairs(&[("Ada", 4)]));
    let run = repo.cora(&["blame", "send"]);
    assert!(run.out.starts_with("a.py:5: function send, 4 lines\n  75%  Ada"), "{}", run.out);
    assert!(run.out.contains("\nlast change [body]: ") && run.out.contains("Bob: two\n"), "{}", run.out);
    repo.try_cora(&["blame", "nobody"]).exits(1).says("no file or declaration named 'nobody'");
    repo.try_cora(&["blame", "a.py:4"]).exits(1).says("git cora blame a.py");
}

#[test]
fn the_last_change_may_only_have_removed_lines() {
    let repo = repo();
    repo.write("a.py", SEND.replace("    return None\n", "").replace("yield part", "yield part, 2"));
    commit_as(&repo, "Eve", "remove");
    let answer = repo.cora(&["blame", "--json", "send"]).json();
    assert_eq!(answer["last"]["author"], "Eve");
    assert_eq!(shares(&repo, &["send"]), pairs(&[("Ada", 2), ("Bob", 1)]));
}

#[test]
fn mailmap_and_ignored_revisions_count() {
    let repo = repo();
    repo.write(".mailmap", "Ada Lovelace <ada@lovelace.example> <ada@example.com>\n");
    repo.write("ignored", format!("{}\n", repo.rev("HEAD")));
    repo.commit("settings");
    repo.git(&["config", "blame.ignoreRevsFile", "ignored"]);
    assert_eq!(shares(&repo, &["send"]), pairs(&[("Ada Lovelace", 4)]));
    // From a directory below, the file of the setting is the same.
    repo.write("below/b.py", "x = 1\n");
    assert_eq!(shares(&repo.below("below"), &["../a.py:send"]), pairs(&[("Ada Lovelace", 4)]));
}

#[test]
fn what_is_not_known_is_not_credited() {
    let repo = repo();
    let shallow = repo.clone_to("shallow", &["--depth", "1", "--no-local"]);
    let answer = shallow.cora(&["blame", "--json", "send"]).json();
    assert_eq!((&answer["unknown_lines"], answer["authors"].as_array().unwrap().len()), (&4.into(), 0));
    shallow.cora(&["blame", "send"]).prints("100%  unknown").prints("older than this clone");
    repo.write("a.py", format!("import x\n{SEND}"));
    repo.cora(&["blame", "send"]).says("uncommitted changes of 'a.py' are not counted");
}

#[test]
fn moved_lines_can_keep_their_author() {
    let repo = repo();
    let long = "def deliver(upload, socket, tries):\n    for attempt in range(tries):\n        if socket.write(upload, attempt):\n            return attempt\n    raise TimeoutError(upload)\n";
    // A file that is renamed as a whole is followed in any case.
    let rest: String = (0..20).map(|n| format!("def rest_{n}():\n    return {n}\n\n\n")).collect();
    repo.write("b.py", format!("{rest}{long}"));
    commit_as(&repo, "Ada", "long");
    repo.write("b.py", &rest);
    repo.write("c.py", format!("x = 1\n\n\n{long}"));
    commit_as(&repo, "Bob", "moved");
    assert_eq!(shares(&repo, &["c.py:deliver"]), pairs(&[("Bob", 5)]));
    assert_eq!(shares(&repo, &["--moves", "c.py:deliver"]), pairs(&[("Ada", 5)]));
}

/// Settings of the user change what `git blame` prints for people.
#[cfg(unix)]
#[test]
fn authors_do_not_depend_on_settings_for_people() {
    let repo = Repo::new();
    repo.write("a.py", SEND);
    commit_as(&repo, "Åda", "add");
    repo.write(".gitattributes", "*.py diff=odd\n");
    repo.write("a.py", SEND.replace("yield part", "yield part, 2"));
    commit_as(&repo, "Bob", "two");
    let expected = pairs(&[("Åda", 3), ("Bob", 1)]);
    assert_eq!(shares(&repo, &["send"]), expected);
    for (key, value) in [
        ("diff.odd.textconv", "tac"),
        ("diff.odd.textconv", "false"),
        ("i18n.logOutputEncoding", "ISO-8859-1"),
        ("color.ui", "always"),
        ("blame.coloring", "highlightRecent"),
        ("diff.orderFile", "no-such-file"),
        ("log.showSignature", "true"),
        ("log.follow", "true"),
    ] {
        let old = repo.with_env("GIT_CONFIG_COUNT", "1");
        let old = old.with_env("GIT_CONFIG_KEY_0", key).with_env("GIT_CONFIG_VALUE_0", value);
        assert_eq!(shares(&old, &["send"]), expected, "{key}={value}");
        old.cora(&["when", "yield"]);
    }
}

#[test]
fn a_file_that_is_not_committed_is_said_to_be_so() {
    let repo = crate::harness::Repo::sample();
    repo.write("fresh.py", "def fresh():\n    return 1\n");
    repo.try_cora(&["blame", "fresh.py"]).exits(1).says("'fresh.py' is not committed yet");
    repo.try_cora(&["blame", "nowhere.py"]).exits(1).says("no file or declaration named 'nowhere.py'");
}
