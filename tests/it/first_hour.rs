//! What a newcomer types in the first hour: bare questions, short flags, colours, manual pages.

use crate::harness::Repo;

#[test]
fn a_question_needs_no_command() {
    let repo = Repo::sample();
    let asked = repo.cora(&["query", "where", "is", "refresh_token"]).out;
    let run = repo.cora(&["where", "is", "refresh_token"]);
    assert_eq!(run.out, asked);
    run.says("note: no such command; running 'git cora query' instead");
    assert_eq!(repo.cora(&["-q", "where is refresh_token", "-k", "1"]).err, "");
    repo.try_cora(&["refresh_token"])
        .exits(2)
        .says("error: 'refresh_token' is not a git cora command\n")
        .says("hint: run 'git cora query refresh_token' to search for it");
    repo.try_cora(&["quary", "token"]).exits(2).says("'query'");
    repo.try_cora(&["what", "calls", "f", "--no-such-flag"]).exits(2).says("--no-such-flag");
}

#[test]
fn each_hint_after_a_slip_can_be_typed() {
    let repo = Repo::sample();
    repo.try_cora(&["lgo", "refresh_token"]).exits(2).says("'log'").says("try 'git cora -h'");
    repo.try_cora(&["serch", "refresh_token"]).exits(2).says("'search'");
    let run = repo.try_cora(&["query", "token", "-path:vendor"]).exits(2);
    assert!(!run.err.contains("as a value") && !run.err.contains("similar argument"), "{}", run.err);
    run.says("hint: run 'git cora query -- token -path:vendor' to search for this text");
    repo.cora(&["query", "--", "token", "-path:vendor"]).prints("token");
    repo.try_cora(&["query", "--no-tests", "x"]).exits(2).says("'--no-test'");
    // A word of the question is not the command.
    let run = repo.try_cora(&["query", "when", "is", "--no-such-flag"]).exits(2);
    run.says("run 'git cora query -- when is --no-such-flag'");
    repo.try_cora(&["query", "\"no such text anywhere\""]).exits(1).says("remove the quotes");
}

#[test]
fn a_question_about_an_author_names_something_that_exists() {
    let repo = Repo::sample();
    let run = repo.cora(&["query", "who wrote the refreshing code"]);
    let hint = run.err.lines().find(|line| line.contains("a question about authors")).unwrap();
    let command = hint.split("run 'git cora ").nth(1).unwrap().trim_end_matches('\'');
    let words: Vec<&str> = command.split(' ').collect();
    repo.cora(&words).prints("refresh_token");
}

#[test]
fn status_version_and_help_lead_somewhere() {
    let repo = Repo::sample().with_cora_on_path();
    repo.cora(&["status"]).prints("index of HEAD");
    let version = format!("git-cora {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(repo.git(&["cora", "version"]), version.trim());
    assert_eq!(repo.cora(&["--version"]).out, version);
    for line in [&["cora", "-h"][..], &["cora", "help"]] {
        assert!(repo.git(line).contains("Search the working tree"), "{line:?}");
    }
    assert!(repo.git(&["cora", "help", "query"]).contains("--no-worktree"));
}

#[test]
fn manual_pages_come_and_go() {
    let repo = Repo::no_repository();
    let dir = repo.path().join("share/man");
    let dir = dir.to_str().unwrap();
    repo.cora(&["man", "--install", "--dir", dir, "-n"]).says("would write");
    assert!(!repo.path().join("share").exists());
    repo.cora(&["man", "--install", "--dir", "share/man"]).says("manual pages to");
    let page = std::fs::read_to_string(repo.path().join("share/man/man1/git-cora-query.1")).unwrap();
    assert!(page.starts_with(".TH GIT-CORA-QUERY 1"));
    std::fs::write(repo.path().join("share/man/man1/other.1"), "theirs").unwrap();
    repo.cora(&["man", "--remove", "--dir", dir]).says("deleted");
    let left: Vec<_> = std::fs::read_dir(repo.path().join("share/man/man1")).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "what is not ours stays");
    std::fs::remove_file(repo.path().join("share/man/man1/other.1")).unwrap();
    repo.cora(&["man", "--install", "--dir", dir]);
    repo.cora(&["man", "--remove", "--dir", dir]);
    assert!(!repo.path().join("share").exists(), "the directories that it made");
    repo.try_cora(&["man", "--remove", "--dir", dir]).exits(1).says("no manual pages in");
    repo.try_cora(&["man", "quary"]).exits(2).says("no manual page for 'quary'").says("hint:");
}

#[test]
fn files_only_and_both_names_of_a_limit() {
    let repo = Repo::sample();
    let files = repo.cora(&["query", "-l", "refresh token"]).out;
    assert!(files.starts_with("lib/auth.py\n") && !files.contains(':'), "{files}");
    let mut sorted: Vec<_> = files.lines().collect();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), files.lines().count(), "each file once");
    let all = ["--name-only", "--files-with-matches", "--format=files"];
    for flag in all {
        assert_eq!(repo.cora(&["query", flag, "refresh token"]).out, files);
    }
    assert_eq!(repo.cora(&["query", "-l", "--all-chunks", "-n", "1", "refresh token"]).out, "lib/auth.py\n");
    assert_eq!(repo.cora(&["query", "-n", "2", "token"]).out, repo.cora(&["query", "-k", "2", "token"]).out);
    repo.try_cora(&["query", "-l", "--length", "3", "token"]).exits(2).says("hint: use at least --length 12");
    repo.cora(&["query", "-l", "--length", "12", "token"]);
    repo.try_cora(&["query", "-l", "zzqqxx"]).exits(1);
    repo.try_cora(&["query", "-l", "--json", "x"]).exits(2);
}

#[test]
fn json_has_two_names_that_agree() {
    let repo = Repo::sample();
    let json = repo.cora(&["query", "--json", "token"]).out;
    for flags in [&["--format", "json"][..], &["--json", "--format", "json"], &["--format", "json", "--json"]]
    {
        assert_eq!(repo.cora(&[&["query", "token"], flags].concat()).out, json, "{flags:?}");
    }
    for both in [
        &["query", "token", "--json", "--format", "paths"][..],
        &["query", "token", "--json", "--format=text"],
        &["query", "token", "--format", "text", "--json"],
        &["refs", "refresh_token", "--json", "--format", "paths"],
        &["list", "--format", "text", "--json"],
        &["stats", "--json", "--format", "text"],
    ] {
        let run = repo.try_cora(both).exits(2).says("'--json' cannot be used with '--format ");
        assert_eq!(run.out, "");
    }
    // Behind `--`, these are words.
    repo.cora(&["query", "--json", "--", "token", "--format", "text"]).json();
    for command in [&["refs", "refresh_token"][..], &["list"], &["stats"], &["doctor"]] {
        let run = |flags: &[&str]| repo.try_cora(&[command, flags].concat()).out;
        assert_eq!(run(&["--format", "json"]), run(&["--json"]), "{command:?}");
        assert_eq!(run(&["--format", "text"]), run(&[]), "{command:?}");
    }
}

#[test]
fn a_question_that_begins_with_a_command_has_a_way_out() {
    let repo = Repo::sample();
    for (words, command) in [
        (&["list", "all", "the", "retries"][..], "git cora query list all the retries"),
        (&["show", "me", "the", "login?"], "git cora query show me the \"login?\""),
        (&["index", "where", "is", "it", "built"], "git cora query index where is it built"),
        (&["diff", "what", "changed", "today"], "git cora query diff what changed today"),
        (&["impact", "of", "this", "change"], "git cora query impact of this change"),
        (&["changelog", "of", "this", "year"], "git cora query changelog of this year"),
    ] {
        let run = repo.try_cora(words).exits(2);
        assert_eq!(run.out, "", "{words:?}: nothing is searched");
        run.says(&format!("hint: run '{command}' to search for these words\n"));
    }
    assert_eq!(repo.index_refs(), Vec::<String>::new(), "and nothing is indexed");
    let command = "git cora query list all the retries".split(' ').skip(2).collect::<Vec<_>>();
    assert!(repo.try_cora(&command).code < 2);
    // A word that is a flag, a path or a revision belongs to the command.
    for words in [
        &["list", "all", "the", "retries", "--json"][..],
        &["show", "lib", "and", "more"],
        &["index", "HEAD", "nowhere", "else"],
        &["index", "v1.0", "v1.1"],
        &["index", "nowhere"],
    ] {
        let run = repo.try_cora(words).exits(2);
        assert!(!run.err.contains("git cora query"), "{words:?}: {}", run.err);
    }
}

#[test]
fn every_report_has_colour_that_changes_no_text() {
    let repo = Repo::sample();
    for command in [
        &["query", "refresh token"][..],
        &["refs", "refresh_token"],
        &["list"],
        &["diff", "HEAD~2", "HEAD"],
        &["map"],
        &["explain", "lib/auth.py"],
        &["show", "lib/auth.py"],
        &["show", "lib/auth.py", "--chunk", "1"],
        &["stats", "--skipped"],
        &["related", "lib/auth.py:10"],
        &["doctor"],
        &["log", "-p", "refresh_token"],
        &["blame", "refresh_token"],
        &["when", "refresh_token"],
        &["when", "--text-only", "refresh_token"],
        &["impact", "refresh_token"],
        &["changelog", "HEAD~2..HEAD"],
    ] {
        let run = |flags: &[&str]| repo.try_cora(&[command, flags].concat()).out;
        let (plain, coloured) = (run(&["--no-pager"]), run(&["--color", "always"]));
        assert!(!plain.contains('\u{1b}'), "{command:?}: no colour in a pipe");
        assert!(coloured.contains("\u{1b}["), "{command:?}");
        // In colour, blanks at the end of a line may be enclosed in it.
        let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        assert_eq!(trimmed(&without_colour(&coloured)), trimmed(&plain), "{command:?}");
        assert!(!coloured.contains("\u{1b}[34m"), "{command:?}: blue can't be read on black");
    }
    repo.git(&["config", "color.ui", "always"]);
    assert!(repo.cora(&["list"]).out.contains('\u{1b}'));
    assert!(!repo.cora(&["list", "--color", "never"]).out.contains('\u{1b}'));
    repo.git(&["config", "--unset", "color.ui"]);
    // Git has started the pager, as for `git -p cora`.
    let paged = repo.with_env("GIT_PAGER_IN_USE", "true").with_env("TERM", "xterm");
    assert!(paged.cora(&["list"]).out.contains('\u{1b}'));
    assert!(!paged.with_env("NO_COLOR", "1").cora(&["list"]).out.contains('\u{1b}'));
    repo.git(&["config", "color.pager", "false"]);
    assert!(!paged.cora(&["list"]).out.contains('\u{1b}'));
}

/// Removes the sequences that set colours.
fn without_colour(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += part.split_once('m').map_or(part, |(_, rest)| rest);
    }
    out
}

#[test]
fn a_mistyped_command_is_refused_in_lines() {
    let repo = Repo::sample();
    for words in [&[][..], &["qurey", "foo"], &["-k", "1", "how"], &["--json", "x"]] {
        let run = repo.try_cora(words).exits(2);
        let usage = run.err.lines().any(|line| line.starts_with("Usage: git cora"));
        assert!(usage && !run.err.contains('␊'), "{words:?}: {}", run.err);
    }
}
