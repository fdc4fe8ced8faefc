//! `git cora query`: its output format, exit codes, batches, filters and budgets.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::harness::{CORA, Repo};

fn keys(value: &Value) -> Vec<String> {
    value.as_object().unwrap().keys().cloned().collect()
}

fn sorted(keys: &[&str]) -> Vec<String> {
    let mut keys: Vec<String> = keys.iter().map(|&key| key.to_owned()).collect();
    keys.sort();
    keys
}

#[test]
fn json_has_the_keys_of_its_schema() {
    let repo = Repo::sample();
    let run = repo.cora(&["query", "--json", "refresh_token"]);
    assert!(run.out.ends_with("}\n") && run.out.lines().count() == 1);
    let answer = run.json();
    let expected = [
        "query",
        "revision",
        "commit",
        "worktree",
        "dirty_files",
        "results",
        "more",
        "near",
        "clear",
        "stale",
        "cut",
    ];
    let mut found = keys(&answer);
    found.sort();
    assert_eq!(found, sorted(&expected));
    let order: Vec<usize> =
        expected.iter().map(|key| run.out.find(&format!("\"{key}\":")).unwrap()).collect();
    assert!(order.is_sorted(), "keys come in the order of the schema");
    assert_eq!(answer["query"], "refresh_token");
    assert_eq!(answer["revision"], "HEAD");
    assert_eq!(answer["commit"], repo.rev("HEAD"));
    assert_eq!(answer["worktree"], true);
    assert_eq!(answer["dirty_files"], 0);
    assert_eq!((&answer["stale"], &answer["cut"]), (&json!([]), &Value::Null));
    let best = &answer["results"][0];
    let expected = [
        "rank",
        "path",
        "start_line",
        "end_line",
        "symbol",
        "symbol_line",
        "kind",
        "language",
        "score",
        "relevance",
        "git_status",
        "blob",
    ];
    let mut found = keys(best);
    found.sort();
    assert_eq!(found, sorted(&expected));
    assert_eq!(best["rank"], 1);
    assert_eq!(best["path"], "lib/auth.py");
    // A small class is one chunk.
    assert_eq!((&best["start_line"], &best["symbol_line"]), (&json!(1), &json!(10)));
    assert_eq!(best["symbol"], "SessionStore.refresh_token");
    assert_eq!(best["kind"], "method");
    assert_eq!(best["language"], "python");
    assert_eq!(best["git_status"], "unmodified");
    assert_eq!(best["blob"], repo.rev("HEAD:lib/auth.py"));
    let lines = (best["start_line"].as_u64().unwrap(), best["end_line"].as_u64().unwrap());
    assert!(lines.0 <= 10 && lines.1 >= 13, "{lines:?}");
    let scores: Vec<f64> =
        answer["results"].as_array().unwrap().iter().map(|r| r["score"].as_f64().unwrap()).collect();
    assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");

    let explained = &repo.results(&["--explain", "refresh_token"])[0];
    let parts = explained["explain"].as_array().unwrap();
    assert!(!parts.is_empty());
    assert_eq!(
        {
            let mut found = keys(&parts[0]);
            found.sort();
            found
        },
        sorted(&["part", "value", "detail"])
    );
    let sum: f64 = parts.iter().map(|part| part["value"].as_f64().unwrap()).sum();
    assert!((sum - explained["score"].as_f64().unwrap()).abs() < 1e-3, "{explained}");
}

#[test]
fn exit_codes() {
    let repo = Repo::sample();
    repo.cora(&["query", "refresh_token"]);
    let run = repo.try_cora(&["query", "zyzzyva"]).exits(1).says("hint: try fewer");
    assert!(run.out.starts_with("nothing found") && run.out.lines().count() == 1, "{}", run.out);
    assert_eq!(repo.try_cora(&["query", "--format", "paths", "zyzzyva"]).exits(1).out, "");
    let run = repo.try_cora(&["query", "--json", "zyzzyva"]).exits(1);
    assert_eq!(run.json()["results"], json!([]));
    assert_eq!(run.err, "");
    for args in [
        &["query"][..],
        &["query", ""],
        &["query", " "],
        &["query", "-k", "0", "x"],
        &["query", "--format", "xml", "x"],
        &["query", "--lang", "klingon", "x"],
        &["query", "--kind", "poem", "x"],
        &["query", "--path", ":(bogus)x", "x"],
        &["query", "--rev", "no-such-branch", "x"],
        &["query", "--rev", "HEAD", "--no-worktree", "x"],
        &["query", "--rev", "HEAD:README.md", "x"],
        &["frobnicate"],
        &[],
    ] {
        let run = repo.try_cora(args).exits(2);
        assert!(run.out.is_empty() && !run.err.is_empty(), "{args:?}: {run:?}");
    }
    repo.cora(&["--help"]).prints("git cora");
    repo.cora(&["query", "--help"]).prints("--rev");
    repo.cora(&["-h"]).prints("<COMMAND>").prints("Explore:\n  map ");
    for name in ["search", "find", "grep"] {
        let same = repo.cora(&["query", "refresh"]).out;
        assert_eq!(repo.cora(&[name, "refresh"]).out, same, "{name}");
    }
    repo.cora(&["--version"]).prints(env!("CARGO_PKG_VERSION"));
    repo.git(&["config", "cora.chunkBytes", "huge"]);
    repo.try_cora(&["query", "x"])
        .exits(2)
        .says("cora.chunkBytes")
        .says("hint: run 'git config --show-origin");
    Repo::no_repository().try_cora(&["query", "x"]).exits(128).says("error: not a git repository");
}

#[test]
fn every_format_shows_what_was_found() {
    let repo = Repo::sample();
    let ask = |format: &str| repo.cora(&["query", "--format", format, "refresh token"]).out;
    assert_eq!(ask("paths").lines().next(), Some("lib/auth.py:10: SessionStore.refresh_token"));
    assert_eq!(serde_json::from_str::<Value>(&ask("json")).unwrap()["results"][0]["path"], "lib/auth.py");
    for format in ["text", "rag", "markdown"] {
        let out = ask(format);
        assert!(out.contains("lib/auth.py") && out.contains("def refresh_token"), "{format}: {out}");
        assert!(!out.contains('\u{1b}'), "{format}: no colour in a pipe");
    }
    assert!(ask("rag").contains("<cora:rag-result"));
    assert!(ask("markdown").contains("```"));
    let coloured = repo.cora(&["query", "--color", "always", "refresh token"]).out;
    assert!(coloured.contains("\u{1b}["));
    repo.git(&["config", "color.cora", "always"]);
    assert!(ask("text").contains("\u{1b}["));
    assert!(!repo.cora(&["query", "--color", "never", "refresh token"]).out.contains('\u{1b}'));
}

#[test]
fn batches_answer_line_by_line() {
    let repo = Repo::sample();
    let input = [
        r#"{"id": 1, "query": "refresh_token"}"#,
        r#"{"id": "two", "query": "exponential backoff", "rev": "HEAD~2", "k": 3}"#,
        "",
        "no json",
        r#"{"id": [3], "query": "header", "path": "src"}"#,
        r#"{"id": 4}"#,
        r#"{"id": 5, "query": "x", "rev": "nowhere"}"#,
        r#"{"id": 6, "query": "header", "path": ["lib", "cmd"]}"#,
        r#"{"id": null, "query": " "}"#,
        r#"{"id": 7, "query": "parse_header", "k": 1}"#,
    ]
    .join("\n");
    let run = repo.cora_input(&["query", "--batch"], input).exits(2).says("some queries failed");
    let lines: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids: Vec<&Value> = lines.iter().map(|line| &line["id"]).collect();
    let expected = [
        json!(1),
        json!("two"),
        Value::Null,
        json!([3]),
        json!(4),
        json!(5),
        json!(6),
        Value::Null,
        json!(7),
    ];
    assert_eq!(ids, expected.iter().collect::<Vec<_>>());
    for (at, line) in lines.iter().enumerate() {
        let is_error = [2, 4, 5, 7].contains(&at);
        assert_eq!(line.get("error").is_some(), is_error, "{line}");
        assert_eq!(line.get("results").is_some(), !is_error, "{line}");
    }
    assert_eq!(lines[0]["results"], json!(repo.results(&["refresh_token"])));
    assert_eq!(lines[1]["commit"], repo.rev("HEAD~2"));
    assert_eq!((&lines[1]["stale"], &lines[1]["cut"]), (&json!([]), &Value::Null));
    // Paths are relative to the current directory, like those of `--path` and of Git.
    let input = r#"{"id": 1, "query": "header token", "path": "auth.py"}"#.to_owned()
        + "\n"
        + r#"{"id": 2, "query": "header token", "path": "../src"}"#;
    let run = repo.below("lib").cora_input(&["query", "--batch", "--length", "520"], input).exits(0);
    let both: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(both[0]["results"][0]["path"], "lib/auth.py");
    assert_eq!(both[1]["results"][0]["path"], "src/header.rs");
    assert_ne!(lines[1]["results"][0]["path"], "src/retry.rs", "not yet there");
    assert!(
        lines[3]["results"]
            .as_array()
            .unwrap()
            .iter()
            .all(|r| r["path"].as_str().unwrap().starts_with("src/"))
    );
    assert!(
        lines[6]["results"]
            .as_array()
            .unwrap()
            .iter()
            .all(|r| !r["path"].as_str().unwrap().starts_with("src/"))
    );
    assert_eq!(lines[8]["results"].as_array().unwrap().len(), 1);
    assert_eq!(repo.cora_input(&["query", "--batch"], "").exits(0).out, "");
    let bytes = b"{\"id\": 1, \"query\": \"\xff\"}\n\xff\n{\"id\": 2, \"query\": \"parse_header\"}\r\n";
    let run = repo.cora_input(&["query", "--batch"], bytes).exits(2).says("some queries failed");
    let lines: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().map(|line| line.get("error").is_some()).collect::<Vec<_>>(), [true, true, false]);
    // A batch without any answer fails, and each line has its reason.
    let failed =
        repo.cora_input(&["query", "--batch"], r#"{"id": 1, "query": "x", "rev": "nowhere"}"#).exits(2);
    assert!(failed.out.contains("nowhere"), "{}", failed.out);
    failed.says("no query could be answered");
    repo.try_cora(&["query", "--batch", "text"]).exits(2);
}

#[test]
fn a_batch_answers_before_the_next_line_comes() {
    use std::io::{BufRead, BufReader, Write};
    let repo = Repo::sample();
    let mut child = repo.command(CORA).args(["query", "--batch"]).stdin(Stdio::piped()).spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for id in 0..3 {
        writeln!(stdin, "{{\"id\": {id}, \"query\": \"token\"}}").unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert!(line.starts_with(&format!("{{\"id\":{id},")), "{line}");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn filters_narrow() {
    let repo = Repo::sample();
    let all = repo.found(&["-k", "50", "header token serve invoice"]);
    assert!(all.len() >= 4, "{all:?}");
    assert_eq!(repo.found(&["--lang", "go", "header token serve invoice"]), ["cmd/server.go"]);
    assert_eq!(repo.found(&["--lang", "Go,python", "serve token"]).len(), 2);
    assert_eq!(repo.found(&["--path", "src", "header token serve invoice"])[0], "src/header.rs");
    assert_eq!(repo.found(&["--path", "*.py", "--path", "cmd", "header token serve"]).len(), 2);
    assert!(!repo.found(&["--path", ":(exclude)lib", "token header"]).contains(&"lib/auth.py".to_owned()));
    assert_eq!(repo.found(&["--kind", "method", "token"]), ["lib/auth.py"]);
    assert_eq!(repo.found(&["path:src header"]), ["src/header.rs"]);
    assert_eq!(repo.found(&["lang:typescript invoices"]), ["web/app.ts"]);
    assert_eq!(repo.found(&["\"time.time() + 7200\""]), ["lib/auth.py"]);
    assert_eq!(repo.found(&["\"time.time() + 3600\""]), Vec::<String>::new());
    assert_eq!(repo.found(&["-k", "1", "header token"]).len(), 1);
    // In a subdirectory, a pathspec is relative to it.
    let lib = repo.below("lib");
    assert_eq!(lib.found(&["--path", "auth.py", "token"]), ["lib/auth.py"]);
    assert_eq!(lib.found(&["--path", ".", "header token"]), ["lib/auth.py"]);
    assert_eq!(lib.found(&["--path", "../src", "header token"]), ["src/header.rs"]);
    assert_eq!(lib.found(&["--path", ":(top)src", "header token"]), ["src/header.rs"]);
    assert_eq!(
        lib.cora(&["list", "--path", ".", "--kind", "class"]).out,
        "lib/auth.py:4: class SessionStore\n"
    );
}

#[test]
fn manuals_and_patches_come_after_the_code_that_they_speak_of() {
    let repo = Repo::new();
    let code = "/* Frees the buffer of a stream. */\nvoid stream_free_buffer(struct stream *s)\n{\n    free(s->buffer);\n}\n";
    let manual =
        "<html><body><h1>stream_free_buffer</h1><p>Frees the buffer of a stream.</p></body></html>\n";
    repo.write("lib/memory.c", code);
    repo.write("doc/page.html", manual);
    repo.write("web/page.html", manual);
    repo.write("contrib/0001-change.patch", format!("+++ b/lib/memory.c\n+{}", code.replace('\n', "\n+")));
    repo.commit("streams");
    let places = |text: &str| {
        let results = repo.results(&["-k", "4", text]);
        let paths: Vec<&str> = results.iter().filter_map(|one| one["path"].as_str()).collect();
        ["lib/memory.c", "web/page.html", "doc/page.html", "contrib/0001-change.patch"]
            .map(|path| paths.iter().position(|one| *one == path).unwrap_or(usize::MAX))
    };
    let question = "what frees the buffer of a stream";
    let [code, page, manual, patch] = places(question);
    assert!(code < manual && page < manual && code < patch, "{code} {page} {manual} {patch}");
    let explained = |text: &str| repo.cora(&["query", "--explain", "-k", "4", text]).out;
    let [demoted, wanted] = [question, "which patch frees the buffer of a stream"].map(explained);
    assert!(demoted.contains("(patch)") && demoted.contains("(prose)"), "{demoted}");
    assert!(!wanted.contains("(patch)"), "{wanted}");
}

#[test]
fn lines_around_results_are_shown_when_asked_for() {
    let repo = Repo::sample();
    let function = |name: &str| {
        let steps: String = (0..40)
            .map(|n| format!("    {name}_step({n}, 'a long enough line to fill a chunk')\n"))
            .collect();
        format!("def {name}():\n{steps}\n\n")
    };
    repo.write("steps.py", ["first", "second", "third"].map(function).concat());
    repo.commit("steps");
    for format in ["text", "rag", "markdown"] {
        let shown =
            |n: &str| repo.cora(&["query", "-k", "1", "--format", format, "--context", n, "def second"]).out;
        assert!(!shown("0").contains("first_step(39,") && shown("4").contains("first_step(39,"), "{format}");
    }
    let places = repo.try_cora(&["query", "--format", "paths", "--tokens", "12", "header token"]).exits(0);
    places.says("note: ").says("cut by the budget");
}

#[test]
fn the_language_that_is_asked_in_is_a_word_only_where_others_are_written() {
    let repo = Repo::new();
    repo.write("dicts.py", "def merge(one, two):\n    return {**one, **two}\n");
    repo.write("version.py", "def version():\n    return 'python'\n");
    repo.commit("python alone");
    let asked = ["query", "--explain", "merge two dicts in Python"];
    let run = repo.cora(&asked).prints("'merg").out;
    assert!(run.starts_with("dicts.py") && !run.contains("'python'"), "{run}");
    let long = "pub fn merge(one: u32, two: u32) -> u32 {\n    one + two\n}\n";
    for n in 0..5 {
        repo.write(&format!("src/m{n}.rs"), long.replace("merge", &format!("merge{n}")));
    }
    repo.commit("mostly rust");
    repo.cora(&asked).prints("'python'");
}

#[test]
fn code_is_found_in_the_language_that_is_asked_for() {
    let repo = Repo::new();
    repo.write("tools/report.py", "def parse_report(lines):\n    return [line.split() for line in lines]\n");
    repo.write("src/report.rs", "fn parse_report(report: &str) -> Report {\n    Report::parse(report)\n}\n");
    repo.write("src/parse.rs", "pub fn parse(text: &str) -> Vec<String> {\n    text.lines().collect()\n}\n");
    repo.commit("two languages");
    let first = |text: &str| repo.found(&[text])[0].clone();
    assert_eq!(first("python code that parses the report"), "tools/report.py");
    assert_eq!(first("rust code that parses the report"), "src/report.rs");
    assert_eq!(first("how is the report parsed in Python"), "tools/report.py");
    assert_eq!(first("how is the report parsed in Rust"), "src/report.rs");
    // No file is in that language.
    assert_eq!(first("perl code that parses the report"), first("code that parses the report"));
    let explained = repo.cora(&["query", "--explain", "python code that parses the report"]);
    explained.prints("(not in the requested language)");
}

#[test]
fn a_misspelled_word_is_looked_for_as_it_was_meant() {
    let repo = Repo::sample();
    let run = repo.cora(&["query", "where are tokens refrehsed"]);
    assert!(run.out.starts_with("lib/auth.py"), "{}", run.out);
    assert!(run.out.contains("\n'refrehsed' is not in the index; searched for 'refresh"), "{}", run.out);
    let answer = repo.cora(&["query", "--json", "comit headr parsing"]).json();
    assert_eq!(answer["near"][0]["word"], "comit");
    assert_eq!(answer["near"][1], json!({"word": "headr", "instead": ["header"]}));
    assert_eq!(repo.cora(&["query", "--json", "commit header parsing"]).json()["near"], json!([]));
    repo.cora(&["query", "kubernetes commit of the ingress"])
        .prints("\nnot in the index: 'kubernetes' and 'ingress'\n");
}

#[test]
fn what_filters_name_and_is_not_there_is_said() {
    let repo = Repo::sample();
    repo.try_cora(&["query", "--path", "sr", "header"])
        .exits(1)
        .says("note: no file matches 'sr'")
        .says("hint: did you mean 'src'?");
    repo.below("lib")
        .try_cora(&["query", "--path", "header.rs", "header"])
        .exits(1)
        .says("no file matches 'header.rs'")
        .says("did you mean ':/src/header.rs'?");
    repo.try_cora(&["query", "header path:nosuchdir"]).exits(1).says("no file matches 'nosuchdir'");
    repo.try_cora(&["query", "--lang", "haskell", "x"])
        .exits(1)
        .says("no file is in language 'haskell'")
        .says("python");
    repo.try_cora(&["query", "--lang", "pyton", "x"]).exits(2).says("did you mean 'python'?");
    repo.try_cora(&["list", "--path", "libs"]).exits(1).says("did you mean 'lib'?");
    repo.try_cora(&["list", "parse_haeder"]).exits(1).says("did you mean 'parse_header'?");
    assert_eq!(repo.cora(&["query", "--path", ":!nowhere", "header"]).err, "");
    repo.try_cora(&["query", "-C", "nowhere", "header"]).exits(2).says("can't change to 'nowhere'");
    repo.try_cora(&["query", "-k", "0", "header"]).exits(2).says("expected a whole number, 1 or more");
    repo.try_cora(&["query", "--tokens", "2", "header"]).exits(2).says("error: the budget is too small");
    // Formats that programs read line by line respect the budget too.
    let all = repo.cora(&["query", "--format", "paths", "header"]).out;
    let first = all.lines().next().unwrap();
    let tokens = (git_cora::answer::view::tokens(first) + 1).to_string();
    assert_eq!(
        repo.cora(&["query", "--format", "paths", "--tokens", &tokens, "header"]).out.trim_end(),
        first
    );
    Repo::new().try_cora(&["query", "header"]).exits(1).says("there is nothing to search yet");
    assert_eq!(repo.try_cora(&["query", "-q", "--path", "sr", "header"]).err, "");
}

#[test]
fn one_revision_is_wanted() {
    let repo = Repo::sample();
    for args in [&["list", "--rev", "HEAD~2..HEAD~1"][..], &["stats", "--rev", "HEAD~2..HEAD~1"]] {
        repo.try_cora(args)
            .exits(2)
            .says("'HEAD~2..HEAD~1' is a range of commits; expected one commit")
            .says("hint: name one end of the range, for example 'HEAD~1'");
    }
    repo.try_cora(&["stats", "--rev", "HEAD~2.."]).exits(2).says("for example 'HEAD'");
    repo.try_cora(&["map", "--rev", "HEAD~2...HEAD~1"]).exits(2).says("expected one commit");
    let empty = Repo::new();
    empty.try_cora(&["index"]).exits(2).says("there is no commit yet");
}

#[test]
fn revisions_are_searched_as_they_are() {
    let repo = Repo::sample();
    let at = |rev: &str| repo.found(&["--rev", rev, "exponential_backoff"]);
    assert_eq!(at("HEAD"), ["src/retry.rs"]);
    assert_eq!(at("HEAD~2"), Vec::<String>::new());
    repo.git(&["tag", "-a", "v1", "-m", "v1", "HEAD~1"]);
    let answer = repo.cora(&["query", "--json", "--rev", "v1", "exponential_backoff"]).json();
    assert_eq!(answer["revision"], "v1");
    assert_eq!(answer["commit"], repo.rev("v1^{commit}"));
    assert_eq!(answer["worktree"], false);
    // A commit without an index is indexed on demand.
    assert_eq!(repo.index_refs().len(), 3);
    assert_eq!(repo.found(&["--no-worktree", "exponential_backoff"]), ["src/retry.rs"]);
    let short = &repo.rev("HEAD~1")[..9];
    assert_eq!(at(short), ["src/retry.rs"]);
    // A value that looks like an option is read as a revision.
    repo.try_cora(&["query", "--rev=--output=x", "token"]).exits(2);
    assert!(!repo.path().join("x").exists());
}

#[test]
fn budgets_hold() {
    let repo = Repo::sample();
    for format in ["text", "json", "rag", "markdown"] {
        for length in ["200", "700", "3000"] {
            let args =
                ["query", "--format", format, "--length", length, "header token serve invoice backoff"];
            let run = repo.try_cora(&args);
            let run =
                if run.out.is_empty() { run.exits(2).says("the budget is too small") } else { run.exits(0) };
            assert!(!run.out.is_empty() || length == "200", "{format} {length}");
            let limit: usize = length.parse().unwrap();
            assert!(run.out.chars().count() <= limit, "{format} {length}: {}", run.out.chars().count());
        }
    }
    let cut = repo.cora(&["query", "--json", "--length", "700", "header token serve invoice backoff"]).json();
    assert!(cut["cut"]["results"].as_u64().unwrap() > 0, "{cut}");
}

#[test]
fn the_text_may_come_from_standard_input() {
    let repo = Repo::sample();
    let run = repo.cora_input(&["query", "--format", "paths", "-"], "where is the\nrefresh_token\n").exits(0);
    assert_eq!(run.out.lines().next(), Some("lib/auth.py:10: SessionStore.refresh_token"));
    // Single letters are not indexed, but may be part of a phrase.
    assert_eq!(repo.found(&["\"Gives a user a fresh token\""]), ["lib/auth.py"]);
    repo.cora_input(&["query", "-"], "").exits(2).says("the query is empty");
    // Separate arguments are joined; everything after `--` is text.
    assert_eq!(repo.found(&["refresh", "token"])[0], "lib/auth.py");
    assert_eq!(repo.found(&["--", "--refresh-token"])[0], "lib/auth.py");
    // Any bytes are a valid query.
    for text in ["\"", "((((", "path:", "lang:", "symbol:", "🦀", "a\0b", "'; rm -rf /", "*", "%s%n"] {
        let run = repo.cora_input(&["query", "--json", "-"], text);
        assert!((0..=2).contains(&run.code), "{text:?}: {run:?}");
        assert!(!run.err.contains("panicked"), "{text:?}: {}", run.err);
    }
    let long = "refresh token ledger ".repeat(20_000);
    let run = repo.cora_input(&["query", "--json", "-"], long);
    assert_eq!(run.code, 0, "{}", run.err);
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_enough_ends_it_quietly() {
    let repo = Repo::new();
    for n in 0..300 {
        repo.write(&format!("m{n}.py"), format!("def ledger_{n}():\n    return 'ledger'\n").repeat(20));
    }
    repo.commit("many");
    let bin = CORA;
    for command in [
        "query --format json --all-chunks -k 9000 ledger",
        "query --format text --all-chunks -k 3000 ledger",
        "list",
    ] {
        let script = format!("{{ \"{bin}\" {command}; echo \"code $?\" >&2; }} | head -c 1 >/dev/null");
        let output = repo.command("sh").args(["-c", &script]).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(err.starts_with("code 0") || err.starts_with("code 141"), "{command}: {err}");
        assert_eq!(err.lines().count(), 1, "{command}: {err}");
    }
}

#[test]
fn git_finds_the_command() {
    let place = "lib/auth.py:10: SessionStore.refresh_token";
    let repo = Repo::sample().with_cora_on_path();
    assert_eq!(repo.git(&["cora", "query", "--format", "paths", "-k", "1", "refresh_token"]), place);
    // Git passes `-C` and similar options through the environment.
    let outside = repo.beside("outside");
    std::fs::create_dir(outside.path()).unwrap();
    assert_eq!(
        outside.git(&["-C", "../work", "cora", "query", "--format", "paths", "-k", "1", "refresh_token"]),
        place
    );
    assert_eq!(
        outside.git(&[
            "--git-dir=../work/.git",
            "cora",
            "query",
            "--no-worktree",
            "--format",
            "paths",
            "-k",
            "1",
            "refresh_token"
        ]),
        place
    );
    let run = repo.try_git(&["-c", "cora.chunkBytes=1", "cora", "query", "x"]);
    assert_eq!(run.code, 2, "settings of the command line count: {run:?}");
    repo.git(&["config", "alias.ask", "cora query --format paths -k 1"]);
    assert_eq!(repo.git(&["ask", "refresh_token"]), place);
    assert_eq!(repo.below("lib").git(&["ask", "refresh_token"]), place);
}

/// Returns a function of about sixty lines that is about `what`.
fn long_function(name: &str, what: &str) -> String {
    let line = |n: usize| format!("    step_{n} = prepare_value({n}) + {what}_{n}\n");
    format!("def {name}(request):\n    \"\"\"{what}.\"\"\"\n{}\n\n", (0..60).map(line).collect::<String>())
}

#[test]
fn the_next_best_declarations_of_a_file_are_named() {
    let repo = Repo::new();
    let functions = [
        long_function("retry_upload", "retry a failed upload"),
        long_function("draw_chart", "colour of an axis"),
        long_function("retry_upload_later", "retry a failed upload"),
    ];
    repo.write("net.py", functions.concat());
    let small = "def retry_download(x):\n    return failed_download(x)\n\n\ndef retry_failed(x):\n    return \
                 download(x)\n\n\ndef paint(x):\n    return x\n";
    repo.write("small.py", small);
    repo.commit("first");
    let also = |question: &str| -> (String, Vec<String>) {
        let answer = repo.cora(&["query", "--json", "-k", "1", question]).json();
        let best = answer["results"][0].clone();
        let others = best["also"].as_array().into_iter().flatten();
        let named =
            others.map(|one| format!("{} {}", one["line"], one["symbol"].as_str().unwrap())).collect();
        (best["symbol"].as_str().unwrap().to_owned(), named)
    };
    let (first, others) = also("retry a failed upload");
    let other = if first == "retry_upload" { "retry_upload_later" } else { "retry_upload" };
    let line =
        functions.concat().lines().position(|line| line.contains(&format!("def {other}("))).unwrap() + 1;
    assert_eq!(others, [format!("{line} {other}")]);
    // A chunk of several functions is called by one of them; the others have a chance of their own.
    let (first, others) = also("retry failed download");
    assert!(["retry_download", "retry_failed"].contains(&first.as_str()), "{first}");
    assert!(others.iter().any(|one| one == "1 retry_download" || one == "5 retry_failed"), "{others:?}");
    assert!(!others.iter().any(|one| one.contains("paint")), "{others:?}");
    let text = repo.cora(&["query", "-k", "1", "retry a failed upload"]).out;
    assert!(text.contains(&format!("  also here: {line} {other}\n")), "{text}");
    let more = repo.cora(&["query", "--json", "retry a failed upload"]).json();
    assert!(more["results"][0].get("also").is_none(), "with room for them they are results themselves");
    let all = repo.cora(&["query", "--json", "--all-chunks", "retry a failed upload"]).json();
    assert!(all["results"].as_array().unwrap().iter().all(|one| one.get("also").is_none()));
}
