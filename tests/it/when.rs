//! When something was added, and when it was removed: `git cora when`.

use serde_json::Value;

use crate::harness::Repo;

fn when(repo: &Repo, args: &[&str]) -> Value {
    repo.cora(&[&["when", "--json"], args].concat()).json()
}

fn subject(answer: &Value, end: &str) -> String {
    answer[end]["subject"].as_str().unwrap_or("none").to_owned()
}

/// A text that comes, is copied, goes from its first place, and goes.
fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("a.txt", "one\n");
    repo.commit("start");
    repo.git(&["tag", "v1"]);
    repo.write("a.txt", "one\nno such pane\n");
    repo.commit("comes");
    repo.git(&["tag", "v2-rc1"]);
    repo.write("b.txt", "no such pane\n");
    repo.commit("copied");
    repo.git(&["tag", "-a", "-m", "two", "v2"]);
    repo.write("a.txt", "one\n");
    repo.commit("moves away");
    repo
}

#[test]
fn a_hint_repeats_the_typed_text() {
    let run = repo().try_cora(&["when", "?!"]).exits(2).says("'?!' does not say what to look for");
    run.says(r#"hint: run 'git cora when "\"?!\""' to look for exactly this text"#);
}

#[test]
fn a_text_has_its_commit_and_its_release() {
    let repo = repo();
    let found = when(&repo, &["\"no such pane\""]);
    assert_eq!((subject(&found, "added"), found["files"][0].as_str()), ("comes".to_owned(), Some("b.txt")));
    assert_eq!(
        (&found["added"]["release"]["tag"], &found["added"]["preview"]["tag"]),
        (&"v2".into(), &"v2-rc1".into())
    );
    assert!(found["removed"].is_null());
    repo.write("b.txt", "nothing\n");
    repo.commit("goes");
    let found = when(&repo, &["when did", "'no such pane'", "disappear?"]);
    assert_eq!(
        (subject(&found, "added"), subject(&found, "removed")),
        ("comes".to_owned(), "goes".to_owned())
    );
    assert!(found["removed"]["release"].is_null());
    repo.git(&["tag", "v3"]);
    let run = repo.cora(&["when", "\"no such pane\""]);
    assert!(run.out.contains("first release without it: v3"), "{}", run.out);
    assert!(run.out.starts_with("'no such pane': in no file now\n"), "{}", run.out);
    // Only in one file.
    let found = when(&repo, &["--path", "b.txt", "\"no such pane\""]);
    assert_eq!(subject(&found, "added"), "copied");
    repo.try_cora(&["when", "\"never there\""]).exits(1).says("no commit in this history contains");
    repo.try_cora(&["when", "when", "was", "it", "added"]).exits(2).says("what to look for");
}

#[test]
fn pathspecs_say_where_a_text_is_looked_for() {
    let repo = repo();
    for paths in [&["--", "b.txt"][..], &["--", "b*"], &["--path", "b.txt"], &["--", ":!a.txt"]] {
        let found = when(&repo, &[&["\"no such pane\""], paths].concat());
        assert_eq!(subject(&found, "added"), "copied", "{paths:?}");
        assert_eq!(found["files"], serde_json::json!(["b.txt"]), "{paths:?}");
    }
    let found = when(&repo, &["\"no such pane\"", "--", "a.txt"]);
    assert_eq!(
        (subject(&found, "added"), subject(&found, "removed")),
        ("comes".to_owned(), "moves away".to_owned())
    );
    repo.write("lib/c.txt", "no such pane\n");
    repo.commit("below");
    let found = when(&repo.below("lib"), &["\"no such pane\"", "--", "."]);
    assert_eq!(
        (subject(&found, "added"), &found["files"]),
        ("below".to_owned(), &serde_json::json!(["lib/c.txt"]))
    );
    repo.try_cora(&["when", "\"no such pane\"", "--", "nowhere"]).exits(1).says("no commit in this history");
    repo.try_cora(&["when", "--", "a.txt"]).exits(2).says("TEXT");
}

#[test]
fn a_word_is_not_part_of_another() {
    let repo = Repo::new();
    repo.write("a.txt", "popups\n");
    repo.commit("part of a word");
    repo.write("a.txt", "popups popup\n");
    repo.commit("the word");
    assert_eq!(subject(&when(&repo, &["when", "was", "popup", "introduced"]), "added"), "the word");
    assert_eq!(subject(&when(&repo, &["\"popup\""]), "added"), "part of a word");
}

#[test]
fn a_merge_that_brings_a_text_is_found() {
    let repo = Repo::new();
    repo.write("a.txt", "one\n");
    repo.commit("start");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("b.txt", "from the side\n");
    repo.commit("on the side");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("c.txt", "on main\n");
    repo.commit("on main");
    repo.git(&["merge", "-q", "--no-commit", "--no-ff", "side"]);
    repo.write("d.txt", "evil_text\n");
    repo.git(&["add", "."]);
    repo.commit("an evil merge");
    assert_eq!(subject(&when(&repo, &["evil_text"]), "added"), "an evil merge");
    assert_eq!(subject(&when(&repo, &["\"from the side\""]), "added"), "on the side");
    // An octopus brings what its branches had.
    for name in ["x", "y"] {
        repo.git(&["checkout", "-q", "-b", name, "main"]);
        repo.write(&format!("{name}.txt"), format!("text_of_{name}\n"));
        repo.commit(&format!("on {name}"));
    }
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "-m", "octopus", "x", "y"]);
    assert_eq!(subject(&when(&repo, &["text_of_y"]), "added"), "on y");
}

#[test]
fn a_copy_of_the_commit_in_an_older_release_counts() {
    let repo = repo();
    repo.write("a.txt", "a fix\n");
    repo.commit("the fix");
    repo.git(&["checkout", "-q", "-b", "old", "v1"]);
    repo.write("a.txt", "a fix\n");
    repo.commit("the fix, again");
    repo.git(&["tag", "v1.1"]);
    repo.git(&["checkout", "-q", "main"]);
    repo.write("c.txt", "more\n");
    repo.commit("more");
    repo.git(&["tag", "v3"]);
    let found = when(&repo, &["\"a fix\""]);
    assert_eq!(
        (subject(&found, "added"), &found["added"]["release"]["tag"]),
        ("the fix".to_owned(), &"v1.1".into())
    );
}

#[test]
fn a_declaration_is_followed() {
    let repo = Repo::new();
    let body = "(upload):\n    for part in upload.parts:\n        yield transform(part, upload, 12345)\n";
    repo.write("a.py", format!("def send{body}"));
    repo.commit("add");
    repo.git(&["tag", "v1"]);
    repo.write("a.py", format!("def deliver{body}"));
    repo.commit("rename");
    repo.git(&["tag", "v2"]);
    let found = when(&repo, &["deliver"]);
    assert_eq!(
        (subject(&found, "added"), subject(&found, "renamed")),
        ("add".to_owned(), "rename".to_owned())
    );
    assert_eq!(
        (&found["added"]["release"]["tag"], &found["renamed"]["release"]["tag"]),
        (&"v1".into(), &"v2".into())
    );
    assert_eq!(subject(&when(&repo, &["--text-only", "deliver"]), "added"), "rename");
    // An origin that differs in nothing but its line is not worth a line.
    repo.write("a.py", format!("import x\n\n\ndef deliver{body}"));
    repo.commit("lower");
    let run = repo.cora(&["when", "deliver"]);
    assert!(run.out.contains("         as a.py:1: function send\n"), "{}", run.out);
    repo.write("b.py", "def other():\n    return [1, 2, 3]\n");
    repo.commit("other");
    repo.write("b.py", "import x\n\n\ndef other():\n    return [1, 2, 3]\n");
    repo.commit("lower");
    let run = repo.cora(&["when", "other"]);
    assert!(!run.out.contains(" as b.py"), "{}", run.out);
    repo.write("a.py", "x = 1\n");
    repo.commit("gone");
    let found = when(&repo, &["a.py:deliver"]);
    assert_eq!((subject(&found, "added"), subject(&found, "removed")), ("add".to_owned(), "gone".to_owned()));
    // A name that no declaration has any more is a text.
    let found = when(&repo, &["when", "was", "deliver()", "removed"]);
    assert_eq!((&found["of"], subject(&found, "removed")), (&"text".into(), "gone".to_owned()));
}

#[test]
fn a_shallow_clone_names_no_origin() {
    let repo = repo();
    let shallow = repo.clone_to("shallow", &["--depth", "1", "--no-local"]);
    let found = when(&shallow, &["\"no such pane\""]);
    assert_eq!(found["added"]["clone_ends"], true);
    let run = shallow.cora(&["when", "\"no such pane\""]);
    assert!(run.out.contains("the oldest commit of this shallow clone"), "{}", run.out);
    assert!(run.err.contains("shallow"), "{}", run.err);
    shallow.try_cora(&["when", "\"never there\""]).exits(1).says("this clone is shallow");
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let partial = repo.clone_to("partial", &["--filter=blob:none", "--no-local"]);
    partial.try_cora(&["when", "\"no such pane\""]).exits(2).says("partial clone");
    Repo::new().try_cora(&["when", "x"]).exits(2).says("no commit");
}

#[test]
fn a_search_names_the_command_for_a_question_about_time() {
    let repo = repo();
    repo.try_cora(&["query", "when was retry_upload introduced"]).says("run 'git cora when retry_upload'");
    repo.try_cora(&["query", "who wrote retry_upload"]).says("run 'git cora blame retry_upload'");
    repo.try_cora(&["ask", "when was retry_upload introduced"]).says("run 'git cora when retry_upload'");
    let run = repo.try_cora(&["query", "when is the pane closed"]);
    assert!(!run.err.contains("about time"), "{}", run.err);
}

#[test]
fn a_field_without_a_history_of_its_own_is_a_text() {
    let repo = Repo::new();
    let class = "class Client:\n    def __init__(self):\n        self.base = 1\n";
    repo.write("a.py", class);
    repo.commit("class");
    repo.write("a.py", format!("{class}        self.follow = False\n"));
    repo.commit("field");
    let found = when(&repo, &["follow"]);
    assert_eq!((&found["of"], subject(&found, "added")), (&"text".into(), "field".to_owned()));
}

#[test]
fn a_mark_at_the_end_belongs_to_a_name_that_has_it() {
    let repo = Repo::new();
    repo.write("a.rb", "class Node\n  def leader\n    1\n  end\nend\n");
    repo.commit("other");
    repo.write("a.rb", "class Node\n  def leader\n    1\n  end\n\n  def leader?\n    2\n  end\nend\n");
    repo.commit("marked");
    for name in ["leader?", "Node.leader?", "Node#leader?", "a.rb:leader?"] {
        let found = when(&repo, &[name]);
        assert_eq!(found["declaration"]["symbol"], "Node::leader?", "{name}: {found:#}");
        assert_eq!(subject(&found, "added"), "marked", "{name}");
    }
    // The mark of a question.
    assert_eq!(subject(&when(&repo, &["when was leader added?"]), "added"), "other");
    assert_eq!(subject(&when(&repo, &["when was leader? added?"]), "added"), "marked");
}

#[test]
fn a_file_has_the_commit_that_added_it() {
    let repo = Repo::new();
    repo.write("README.md", "See lib/a.py.\n");
    repo.commit("names it");
    repo.write("lib/a.py", "def one():\n    return 1\n\n\ndef two():\n    return 2\n");
    repo.commit("adds it");
    let found = when(&repo, &["lib/a.py"]);
    assert_eq!((&found["of"], subject(&found, "added")), (&"file".into(), "adds it".to_owned()));
    let found = when(&repo.below("lib"), &["a.py"]);
    assert_eq!((&found["of"], &found["path"]), (&"file".into(), &"lib/a.py".into()));
    let run = repo.cora(&["when", "lib/a.py"]).says("--text-only lib/a.py");
    assert!(run.out.starts_with("lib/a.py: file\nadded "), "{}", run.out);
    assert_eq!(subject(&when(&repo, &["--text-only", "lib/a.py"]), "added"), "names it");
    // The hint names the declaration, not the line.
    repo.cora(&["when", "lib/a.py:5"]).says("git cora when --text-only two'");
}

#[test]
fn what_only_documents_have_left_the_code() {
    let repo = Repo::new();
    repo.write("a.py", "def old_name():\n    return 1\n");
    repo.write("CHANGELOG.md", "# Log\n\nNew: `old_name`.\n");
    repo.commit("comes");
    repo.git(&["tag", "v1"]);
    repo.write("a.py", "x = 1\n");
    repo.write("CHANGELOG.md", "# Log\n\nGone: `old_name`.\n");
    repo.commit("goes");
    repo.git(&["tag", "v2"]);
    let run = repo.cora(&["when", "was", "old_name", "removed"]);
    assert!(run.out.contains("goes\n") && run.out.contains("first release without it: v2"), "{}", run.out);
    assert!(run.out.contains("from the code; only documents still have it"), "{}", run.out);
    let found = when(&repo, &["--text-only", "old_name"]);
    assert_eq!(
        (subject(&found, "left_code"), subject(&found, "removed")),
        ("goes".to_owned(), "none".to_owned())
    );
}

#[test]
fn a_release_is_one_of_the_package_of_the_file() {
    let repo = Repo::new();
    repo.write("util/src/a.py", "def one():\n    return 1\n");
    repo.write("core/src/b.py", "def two():\n    return 2\n");
    repo.commit("first");
    repo.git(&["tag", "util-0.7.0"]);
    repo.git(&["tag", "core-1.17.0"]);
    for (name, tag) in [("one", "util-0.7.0"), ("two", "core-1.17.0"), ("core/src/b.py", "core-1.17.0")] {
        assert_eq!(when(&repo, &[name])["added"]["release"]["tag"], tag, "{name}");
    }
}

#[test]
fn an_option_is_looked_for_as_text() {
    let repo = Repo::new();
    repo.write("a.py", "def live():\n    add(\"--live\")\n");
    repo.commit("first");
    let run = repo.cora(&["query", "when was --live added"]);
    assert!(run.err.contains("run 'git cora when '\"--live\"''"), "{}", run.err);
    let hint = "run 'git cora when '\"--live\"''";
    let run = repo.try_cora(&["when", "was", "--live", "added"]).exits(2).says(hint);
    assert!(!run.err.contains("as a value"), "{}", run.err);
    repo.cora(&["when", "\"--live\""]).prints("'--live': in 1 file now");
    repo.cora(&["when", "when was --live added"]).prints("'--live': in 1 file now");
}

#[test]
fn a_name_in_a_path_is_text_and_the_declaration_is_named() {
    let repo = Repo::new();
    repo.write("old.py", "def live():\n    return 1\n");
    repo.commit("first");
    repo.git(&["mv", "old.py", "new.py"]);
    repo.commit("moved");
    repo.cora(&["when", "live", "--", "new.py"])
        .says("searching for 'live' as text, because a path is given")
        .says("run 'git cora when new.py:live'");
    let run = repo.cora(&["when", "--text-only", "live", "--", "new.py"]);
    assert!(!run.err.contains("to follow the declaration"), "{}", run.err);
}

#[test]
fn a_failure_of_git_is_not_a_missing_object() {
    let repo = repo();
    let mut command = repo.command(crate::harness::CORA);
    command.args(["when", "--text-only", "\"no such pane\""]);
    command.envs([("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "diff.renames")]);
    let output = command.env("GIT_CONFIG_VALUE_0", "banana").output().unwrap();
    let run = crate::harness::Run::new("when".to_owned(), output).exits(2).says("banana");
    assert!(!run.err.contains("objects are missing"), "{}", run.err);
    // A blob that is missing costs one commit, as before.
    let blob = repo.rev("HEAD:b.txt");
    let (dir, file) = blob.split_at(2);
    repo.remove(&format!(".git/objects/{dir}/{file}"));
    let run = repo.try_cora(&["when", "--text-only", "\"no such pane\""]);
    assert!(
        run.err.contains("objects are missing") || run.out.contains("unknown"),
        "{} {}",
        run.out,
        run.err
    );
}

#[test]
fn a_merge_brings_what_its_side_had_elsewhere() {
    let repo = Repo::new();
    repo.write("a.txt", "one\n");
    repo.commit("start");
    repo.git(&["tag", "v1"]);
    repo.git(&["checkout", "-q", "--orphan", "other"]);
    repo.git(&["rm", "-q", "-r", "-f", "."]);
    repo.write("punch.rb", "class PunchAdapter\nend\n");
    repo.commit("the adapter");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "-s", "ours", "--no-commit", "--allow-unrelated-histories", "other"]);
    repo.git(&["read-tree", "--prefix=job/", "-u", "other"]);
    repo.commit("brings job");
    repo.git(&["tag", "v2"]);
    repo.remove("job/punch.rb");
    repo.commit("goes");
    repo.write("job/punch.rb", "class PunchAdapter\nend\n");
    repo.commit("comes again");
    let found = when(&repo, &["\"PunchAdapter\"", "--", "job"]);
    assert_eq!(subject(&found, "added"), "brings job");
    assert_eq!(found["added"]["release"]["tag"], "v2");
    assert_eq!(subject(&when(&repo, &["\"PunchAdapter\""]), "added"), "the adapter");
}

#[test]
fn a_merge_that_drops_a_text_is_found() {
    let repo = Repo::new();
    repo.write("a.txt", "one\n");
    repo.commit("start");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("b.txt", "a dropped text\n");
    repo.commit("on the side");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("c.txt", "on main\n");
    repo.commit("on main");
    repo.git(&["merge", "-q", "-s", "ours", "-m", "an ours merge", "side"]);
    let found = when(&repo, &["\"a dropped text\""]);
    assert_eq!(subject(&found, "added"), "on the side");
    assert_eq!(subject(&found, "removed"), "an ours merge");
    // A branch that is older than a removal does not remove the text again.
    repo.git(&["checkout", "-q", "-b", "old"]);
    repo.write("e.txt", "another text\n");
    repo.commit("adds another");
    repo.git(&["checkout", "-q", "-b", "older"]);
    repo.write("f.txt", "f\n");
    repo.commit("on older");
    repo.git(&["checkout", "-q", "old"]);
    repo.write("e.txt", "none\n");
    repo.commit("removes another");
    repo.git(&["merge", "-q", "-m", "merges older", "older"]);
    for paths in [&[][..], &["--", "e.txt"]] {
        let found = when(&repo, &[&["\"another text\""], paths].concat());
        assert_eq!(subject(&found, "removed"), "removes another", "{paths:?}");
    }
    // Its file, too.
    let found = when(&repo, &["b.txt"]);
    assert_eq!(
        (subject(&found, "added"), subject(&found, "removed")),
        ("on the side".to_owned(), "an ours merge".to_owned())
    );
}

#[test]
fn a_text_that_only_a_merge_brought_and_that_is_gone_is_found() {
    let repo = Repo::new();
    repo.write("a.txt", "one\n");
    repo.commit("start");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("b.txt", "side\n");
    repo.commit("on the side");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-commit", "--no-ff", "side"]);
    repo.write("d.txt", "evil_text\n");
    repo.git(&["add", "."]);
    repo.commit("an evil merge");
    repo.write("d.txt", "nothing\n");
    repo.commit("goes");
    let found = when(&repo, &["evil_text"]);
    assert_eq!(
        (subject(&found, "added"), subject(&found, "removed")),
        ("an evil merge".to_owned(), "goes".to_owned())
    );
}

#[test]
fn a_file_that_is_gone_has_both_commits() {
    let repo = Repo::new();
    repo.write("lib/a.py", "def one():\n    return 1\n");
    repo.commit("adds it");
    repo.git(&["tag", "v1"]);
    repo.remove("lib/a.py");
    repo.write("b.py", "x = 1\n");
    repo.commit("removes it");
    repo.git(&["tag", "v2"]);
    let found = when(&repo, &["lib/a.py"]);
    assert_eq!((&found["of"], &found["path"]), (&"file".into(), &"lib/a.py".into()));
    assert_eq!(
        (subject(&found, "added"), subject(&found, "removed")),
        ("adds it".to_owned(), "removes it".to_owned())
    );
    let run = repo.cora(&["when", "was", "lib/a.py", "removed?"]);
    assert!(run.out.contains("first release without it: v2"), "{}", run.out);
    // A file that is there has no second commit.
    assert!(when(&repo, &["b.py"])["removed"].is_null());
    repo.try_cora(&["when", "lib/never.py"]).exits(1).says("no commit in this history contains");
}

#[test]
fn a_declaration_that_came_back_has_its_first_release() {
    let repo = Repo::new();
    let keep = "def keep():\n    return 1\n";
    let retry = "\n\ndef retry(path, count=3):\n    for attempt in range(count):\n        try:\n            return send(path)\n        except IOError as error:\n            log.warning(\"attempt %d failed: %s\", attempt, error)\n";
    for (text, tag) in [(retry, "v1.0"), ("", "v1.1"), (retry, "v1.2")] {
        repo.write("a.py", format!("{keep}{text}"));
        repo.commit(tag);
        repo.git(&["tag", tag]);
    }
    repo.write("a.py", format!("{keep}{}", retry.replace("count=3", "count=5")));
    repo.commit("more");
    let found = when(&repo, &["retry"]);
    assert_eq!(found["added"]["release"]["tag"], "v1.0");
    let note = found["notes"][0].as_str().unwrap();
    assert!(note.starts_with("it was gone for a time: ") && note.contains("(v1.1)"), "{note}");
    assert!(note.contains("(v1.2)"), "{note}");
    let log = repo.cora(&["log", "--json", "retry"]).json();
    let changes: Vec<&Value> =
        log["commits"].as_array().unwrap().iter().map(|one| &one["changes"][0]).collect();
    assert_eq!(changes, ["signature", "added", "removed", "added"]);
    // The second answer comes from the cache.
    assert_eq!(repo.cora(&["log", "--json", "retry"]).json(), log);
    // Another declaration of the name is another one.
    repo.write("a.py", keep);
    repo.commit("gone");
    repo.write("a.py", format!("{keep}\n\ndef retry():\n    raise NotImplementedError\n"));
    repo.commit("another");
    assert_eq!(subject(&when(&repo, &["retry"]), "added"), "another");
}

#[test]
fn a_release_that_lacks_a_text_in_between_is_named() {
    let repo = Repo::new();
    for (text, tag) in [("gave up on", "v1.0"), ("none", "v1.1"), ("gave up on", "v1.2"), ("none", "v2.0")] {
        repo.write("a.txt", format!("{text}\n"));
        repo.commit(tag);
        repo.git(&["tag", tag]);
    }
    let run = repo.cora(&["when", "--rev", "v1.2", "\"gave up on\""]);
    assert!(run.out.contains("first release with it: v1.0"), "{}", run.out);
    run.says("note: v1.1 lacks it: it was removed and added again");
    let run = repo.cora(&["when", "\"gave up on\""]).says("note: v1.1 lacks it");
    assert!(run.out.contains("first release with this commit: v2.0"), "{}", run.out);
    let run = repo.cora(&["when", "--rev", "v1.1", "\"gave up on\""]);
    assert!(run.out.contains("first release without it: v1.1") && run.err.is_empty(), "{}", run.err);
}

#[test]
fn a_release_has_the_text_that_it_is_named_for() {
    let repo = Repo::new();
    repo.write("a.txt", "one\n");
    repo.commit("start");
    repo.write("a.txt", "one\nthe console pool\n");
    repo.commit("comes");
    repo.write("a.txt", "one\n");
    repo.commit("goes");
    repo.git(&["tag", "v1"]);
    let found = when(&repo, &["\"the console pool\""]);
    assert_eq!(subject(&found, "added"), "comes");
    assert!(found["added"]["release"].is_null(), "{found:#}");
    assert_eq!(found["removed"]["release"]["tag"], "v1");
    repo.write("a.txt", "one\nthe console pool\n");
    repo.commit("comes back");
    repo.git(&["tag", "v2"]);
    let found = when(&repo, &["\"the console pool\""]);
    assert_eq!(found["added"]["release"]["tag"], "v2");
}

#[test]
fn a_question_finds_other_capitals_if_nothing_is_written_so() {
    let repo = Repo::new();
    repo.write("a.py", "# The JSON provider of the application.\n");
    repo.commit("add JSON provider");
    let found = when(&repo, &["when was the json provider added"]);
    assert_eq!(subject(&found, "added"), "add JSON provider");
    assert!(found["notes"][0].as_str().unwrap().contains("other capitals count too"), "{found:#}");
    repo.try_cora(&["when", "\"json provider\""]).exits(1);
    // What is written so comes first.
    repo.write("b.py", "# the json provider\n");
    repo.commit("in small letters");
    assert_eq!(subject(&when(&repo, &["when was the json provider added"]), "added"), "in small letters");
}
