//! Scope and context of a query: `--include`, `--boost`, `--messages`, `--repo`, `--test`.

use serde_json::Value;

use crate::harness::Repo;

fn paths(answer: &Value) -> Vec<String> {
    let results = answer["results"].as_array().unwrap();
    results.iter().map(|one| one["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_included_comes_first() {
    let repo = Repo::sample();
    let answer = repo.cora(&["query", "--json", "--include", "src/retry.rs", "refresh_token"]).json();
    assert_eq!(answer["results"][0]["path"], "src/retry.rs");
    assert_eq!((&answer["results"][0]["included"], &answer["results"][0]["rank"]), (&true.into(), &1.into()));
    assert_eq!(answer["results"][1]["path"], "lib/auth.py");
    let one = "lib/auth.py:SessionStore.refresh_token";
    let run =
        repo.below("src").cora(&["query", "--format", "rag", "--include", &format!("../{one}"), "retry"]);
    assert!(run.out.contains("def refresh_token"), "{}", run.out);
    let whole = repo.cora(&["query", "--format", "markdown", "--include", one, "retry"]).out;
    let short =
        repo.cora(&["query", "--format", "markdown", "--include", &format!("{one}:signature"), "retry"]).out;
    assert!(
        short.len() < whole.len() && short.contains("# . . .") && short.contains("(included)"),
        "{short}"
    );
    let text = repo.cora(&["query", "--include", &format!("{one}:signature"), "retry"]).out;
    assert!(text.lines().take(3).all(|line| !line.contains("return")), "{text}");
    repo.try_cora(&["query", "--include", "lib/auth.pz", "x"]).exits(2).says("did you mean 'lib/auth.py'");
    repo.try_cora(&["query", "--include", "lib/auth.py:nothing", "x"])
        .exits(2)
        .says("no declaration named 'nothing' in 'lib/auth.py'");
}

#[test]
fn boosts_multiply_scores() {
    let repo = Repo::sample();
    let ask = |boost: &[&str]| {
        let answer = repo.cora(&[&["query", "--json", "--explain", "token"], boost].concat()).json();
        answer["results"].as_array().unwrap().iter().find(|one| one["path"] == "lib/auth.py").unwrap().clone()
    };
    repo.cora(&["query", "--boost", "nowhere/=2", "token"]).says("no file matches 'nowhere/'");
    let (plain, boosted) = (ask(&[]), ask(&["--boost", "lib=2", "--boost", "*.rs=0.5"]));
    let score = |one: &Value| one["score"].as_f64().unwrap();
    assert!((score(&boosted) - 2.0 * score(&plain)).abs() < 1e-5, "{plain} {boosted}");
    assert!(boosted["explain"].as_array().unwrap().iter().any(|part| part["part"] == "boost"), "{boosted}");
    for bad in ["lib", "lib=x", "lib=0", "=2", "lib=NaN", "lib=1000"] {
        repo.try_cora(&["query", "--boost", bad, "token"]).exits(2).says("SPEC=FACTOR");
    }
}

#[test]
fn a_chat_is_a_question() {
    let repo = Repo::sample();
    // The chat is kept out of the search. Nothing matches a question better than its own text.
    let chat = ".git/chat.json";
    repo.write(
        chat,
        r#"[
        {"role": "system", "content": "zyzzyva"},
        {"role": "user", "content": "where is `refresh_token` called?"},
        {"role": "assistant", "content": "In lib/auth.py."},
        {"role": "user", "content": "and what does it return?"}
    ]"#,
    );
    let answer = repo.cora(&["query", "--json", "--messages", chat]).json();
    assert_eq!(answer["query"], "and what does it return?");
    assert_eq!(paths(&answer)[0], "lib/auth.py");
    // What follows the question does not count.
    repo.write(
        "answered.json",
        r#"[
        {"role": "user", "content": "where is `refresh_token` called?"},
        {"role": "assistant", "content": "In lib/auth.py."}
    ]"#,
    );
    let answer = repo.cora(&["query", "--json", "--messages", "answered.json"]).json();
    assert_eq!(answer["query"], "where is `refresh_token` called?");
    // The current question counts most.
    let answer = repo.cora(&["query", "--json", "--messages", chat, "retry with back-off"]).json();
    assert_eq!(paths(&answer)[0], "src/retry.rs");
    repo.write("bad.json", "{}");
    repo.try_cora(&["query", "--messages", "bad.json"]).exits(2).says("is not a chat history");
    repo.write("empty.json", "[]");
    repo.try_cora(&["query", "--messages", "empty.json"]).exits(2).says("the chat has no user message");
    repo.try_cora(&["query", "--messages", "none.json"]).exits(2).says("can't read 'none.json'");
}

#[test]
fn tests_are_found_or_not() {
    let repo = Repo::sample();
    repo.write("tests/test_auth.py", "def test_refresh_token():\n    assert refresh_token('x')\n");
    let only = paths(&repo.cora(&["query", "--json", "--test", "refresh_token"]).json());
    assert_eq!(only, ["tests/test_auth.py"]);
    let none = paths(&repo.cora(&["query", "--json", "--no-test", "refresh_token"]).json());
    assert!(!none.is_empty() && !none.contains(&"tests/test_auth.py".to_owned()), "{none:?}");
}

#[test]
fn several_repositories_are_searched() {
    let repo = Repo::sample();
    let other = repo.clone_to("other", &[]);
    other.write("lib/token.py", "def refresh_token_everywhere():\n    return refresh_token()\n");
    other.commit("more");
    let nowhere = repo.beside("nowhere");
    std::fs::create_dir(nowhere.path()).unwrap();
    let run =
        nowhere.cora(&["query", "--json", "--repo", "../work@HEAD~1", "--repo", "../other", "refresh_token"]);
    let answer = run.json();
    assert_eq!(answer["commit"], repo.rev("HEAD~1"));
    assert_eq!(answer["others"][0]["commit"], other.rev("HEAD"));
    let results = answer["results"].as_array().unwrap();
    assert!(
        results.iter().any(|one| one["repository"] == 1)
            && results.iter().any(|one| one["repository"].is_null())
    );
    let scores: Vec<f64> = results.iter().map(|one| one["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let run = nowhere.cora(&[
        "query",
        "--format",
        "rag",
        "--repo",
        "../work",
        "--repo",
        "../other",
        "refresh_token",
    ]);
    assert_eq!(run.out.matches("<cora:repo ").count(), 2, "{}", run.out);
    nowhere
        .cora(&["query", "--format", "paths", "--repo", "../work", "--repo", "../other", "refresh_token"])
        .prints("/other/lib/token.py:1: refresh_token_everywhere");
    nowhere.try_cora(&["query", "--repo", "../none", "x"]).exits(2).says("../none");
}

#[test]
fn references_say_what_numbers_stand_for() {
    let repo = Repo::sample();
    repo.cora(&["query", "--format", "markdown", "--references", "map.json", "refresh_token"])
        .prints("### [1] lib/auth.py");
    let map: Value = serde_json::from_slice(&std::fs::read(repo.path().join("map.json")).unwrap()).unwrap();
    assert_eq!((&map["1"]["path"], &map["1"]["commit"]), (&"lib/auth.py".into(), &repo.rev("HEAD").into()));
    repo.try_cora(&["query", "--references", "map.json", "x"]).exits(2).says("--format markdown");
    repo.try_cora(&["query", "--family", "claude", "x"]).exits(2).says("--format rag");
    repo.cora(&["query", "--format", "rag", "--family", "claude", "refresh_token"])
        .prints("<document index=\"1\">");
    repo.cora(&["query", "--format", "rag", "--dialect", "coderag", "refresh_token"])
        .prints("<codeRag:metadata file=");
}

#[test]
fn directories_follow_each_other_as_in_git() {
    let repo = Repo::sample();
    let outside = repo.beside("outside");
    std::fs::create_dir(outside.path()).unwrap();
    let here = repo.path().to_str().unwrap();
    for args in [&["-C", here, "-C", "lib"][..], &["-C", "..", "-C", here, "-C", "lib"]] {
        let run =
            outside.cora(&[args, &["query", "--path", "auth.py", "--files-with-matches", "token"]].concat());
        assert_eq!(run.out, "lib/auth.py\n", "{args:?}: {}", run.err);
    }
    outside.try_cora(&["-C", here, "-C", "nowhere", "query", "x"]).says("nowhere");
}

#[test]
fn a_budget_that_is_too_small_is_an_error_that_says_what_is_needed() {
    let repo = Repo::sample();
    for args in [
        &["query", "--format", "rag", "exponential backoff"][..],
        &["query", "--format", "json", "exponential backoff"],
        &["query", "--format", "markdown", "exponential backoff"],
        &["ask", "--extractive", "exponential backoff"],
        &["impact", "exponential_backoff"],
        &["explain", "exponential_backoff"],
        &["map"],
        &["changelog", "HEAD~2..HEAD"],
    ] {
        let run =
            repo.try_cora(&[args, &["--tokens", "1"]].concat()).exits(2).says("the budget is too small");
        let needed = run.err.lines().find_map(|line| line.strip_prefix("hint: use at least --tokens "));
        let needed = needed.unwrap_or_else(|| panic!("{args:?}: {}", run.err));
        repo.cora(&[args, &["--tokens", needed]].concat());
        if args == ["map"] {
            continue;
        }
        let less = (needed.parse::<usize>().unwrap() - 1).to_string();
        repo.try_cora(&[args, &["--tokens", &less]].concat()).exits(2);
    }
}
