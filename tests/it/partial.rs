//! Partial clones whose remote does not answer: a missing file is not the same as no file.

use crate::harness::Repo;

/// A clone without the files of old commits, and the repository that it was cloned from, which is
/// away.
fn clone() -> (Repo, Repo) {
    let repo = Repo::new();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    for (text, message) in [("def alpha():\n    return 1\n", "one"), ("def alpha():\n    return 2\n", "two")]
    {
        repo.write("a.py", text);
        repo.commit(message);
    }
    repo.write("n.txt", "x\n");
    repo.commit("three");
    let partial = repo.clone_to("partial", &["--filter=blob:none", "--no-local"]);
    set_away(&repo, true);
    (repo, partial)
}

fn set_away(repo: &Repo, is_away: bool) {
    let (here, away) = (repo.path().join(".git"), repo.path().join("away"));
    let (from, to) = if is_away { (here, away) } else { (away, here) };
    std::fs::rename(from, to).unwrap();
}

#[test]
fn a_missing_version_ends_a_history_and_is_not_kept() {
    let (repo, partial) = clone();
    let run = partial.cora(&["log", "a.py:alpha"]);
    assert!(
        run.out.contains("[older versions of the file are missing]") && !run.out.contains("added"),
        "{}",
        run.out
    );
    assert!(run.err.contains("note: 1 version of a file is missing in this clone"), "{}", run.err);
    let run = partial.cora(&["when", "a.py:alpha"]);
    assert!(run.out.contains("added    unknown"), "{}", run.out);
    assert!(run.err.contains("is missing in this clone"), "{}", run.err);
    // A declaration of which no version is here.
    partial.try_cora(&["log", "a.py:beta"]).exits(2).says("is missing");
    set_away(&repo, false);
    let run = partial.cora(&["log", "a.py:alpha"]);
    assert!(run.out.contains("[body] two") && run.out.contains("[added] one"), "{}", run.out);
    assert!(!run.err.contains("missing"), "{}", run.err);
}

#[test]
fn a_file_with_a_missing_version_is_not_compared() {
    let (repo, partial) = clone();
    let run = partial.try_cora(&["diff", "HEAD~2"]);
    assert!(!run.out.contains("alpha"), "{}", run.out);
    let note = "note: 1 file is not compared ('a.py'), because a version of it can't be read";
    assert!(run.err.contains(note), "{}", run.err);
    let report = partial.try_cora(&["diff", "--json", "HEAD~2", "HEAD"]).json();
    assert_eq!(report["notes"][0], note.strip_prefix("note: ").unwrap());
    for command in ["changelog", "impact"] {
        let run = partial.try_cora(&[command, "HEAD~2..HEAD"]);
        assert!(format!("{}{}", run.out, run.err).contains(note), "{command}: {} {}", run.out, run.err);
        assert!(!run.out.contains("alpha"), "{}", run.out);
    }
    // What was not compared may break callers.
    for failure in ["broken", "guess"] {
        partial
            .try_cora(&["impact", "--fail-on", failure, "HEAD~2..HEAD"])
            .exits(2)
            .says("the comparison is incomplete");
    }
    partial.try_cora(&["diff", "HEAD~2"]).says("no declaration differs in the files that could be compared");
    set_away(&repo, false);
    let run = partial.cora(&["diff", "HEAD~2"]);
    assert!(run.out.contains("changed a.py:1: function alpha"), "{} {}", run.out, run.err);
    assert!(!run.err.contains("not compared"), "{}", run.err);
}

/// A partial clone with one of four files, which was indexed while its remote was away.
fn incomplete() -> (Repo, Repo) {
    let repo = Repo::new();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    repo.write("a.py", "def alpha():\n    return 1\n");
    for n in 1..4 {
        repo.write(&format!("g{n}.py"), format!("def helper{n}():\n    return {n}\n"));
    }
    repo.commit("files");
    repo.cora(&["index"]);
    let options = ["--filter=blob:none", "--no-local", "--no-checkout"];
    let partial = repo.clone_to("partial", &options);
    partial.git(&["sparse-checkout", "set", "--no-cone", "/a.py"]);
    partial.git(&["checkout", "-q"]);
    set_away(&repo, true);
    (repo, partial)
}

#[test]
fn every_answer_says_that_files_are_not_searched() {
    let (_repo, partial) = incomplete();
    let warning = "warning: 3 files are not searched";
    for args in [
        &["query", "helper2"][..],
        &["list"],
        &["list", "helper2"],
        &["refs", "helper2"],
        &["map"],
        &["explain", "a.py"],
        &["blame", "helper2"],
        &["related", "a.py"],
        &["stats"],
    ] {
        let run = partial.try_cora(args);
        assert_eq!(run.err.matches(warning).count(), 1, "{args:?}: {}", run.err);
    }
    let run = partial.try_cora(&["doctor"]);
    assert!(run.out.contains("incomplete: 3 files"), "{}", run.out);
    // Its index is of another shape than everybody else's.
    partial.git(&["init", "-q", "--bare", "other.git"]);
    let run = partial.try_cora(&["push", "./other.git"]).exits(1);
    assert!(run.err.contains("files were missing") && run.err.contains("--refetch"), "{}", run.err);
    #[cfg(feature = "mcp")]
    {
        let mut client = crate::mcp::Client::start(&partial);
        let trouble = client.fails("refs", serde_json::json!({ "name": "helper2" }));
        assert!(trouble.contains(warning), "{trouble}");
        for (tool, arguments) in [
            ("refs", serde_json::json!({ "name": "alpha" })),
            ("map", serde_json::json!({})),
            ("query", serde_json::json!({ "query": "alpha" })),
        ] {
            let reply = client.ok(tool, arguments);
            assert_eq!(reply.matches(warning).count(), 1, "{tool}: {reply}");
        }
    }
    #[cfg(all(feature = "http", feature = "mcp"))]
    {
        let server = crate::http::Server::start(&partial, &[]);
        let request = serde_json::json!({ "repo": {}, "symbol": "helper2" });
        let found = server.post("/coderag/relations", &request).json();
        let expected = warning.trim_start_matches("warning: ");
        assert!(
            found["repo"]["warnings"][0].as_str().is_some_and(|text| text.starts_with(expected)),
            "{found}"
        );
    }
}

#[test]
fn an_incomplete_index_is_filled_when_the_remote_answers() {
    let (repo, partial) = incomplete();
    partial.try_cora(&["query", "helper2"]).says("3 files are not searched");
    assert!(!partial.try_cora(&["list", "helper2"]).out.contains("g2.py"));
    set_away(&repo, false);
    let run = partial.cora(&["query", "helper2"]);
    assert!(run.out.contains("g2.py"), "{}", run.out);
    assert!(!run.err.contains("not searched"), "{}", run.err);
    assert_eq!(partial.refs("refs/cora-local/"), Vec::<String>::new());
    assert_eq!(partial.index_refs(), repo.index_refs());
}

#[test]
fn fetch_replaces_an_incomplete_index() {
    let (repo, partial) = incomplete();
    partial.try_cora(&["query", "helper2"]).says("3 files are not searched");
    set_away(&repo, false);
    partial.cora(&["fetch"]).says("received 1 index from 'origin', 0 here already");
    assert_eq!(partial.refs("refs/cora-local/"), Vec::<String>::new());
    assert_eq!(partial.index_refs(), repo.index_refs());
    partial.cora(&["fetch"]).says("received 0 indexes from 'origin', 1 here already");
    set_away(&repo, true);
    assert!(partial.cora(&["list", "helper2"]).out.contains("g2.py"));
}
