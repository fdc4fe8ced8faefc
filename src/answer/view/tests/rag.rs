//! Tests of the view for language models: a golden text per form, and the rules for merging,
//! keeping and leaving out.

use super::*;

#[test]
fn rag_merges_chunks_and_shows_whole_files() {
    insta::assert_snapshot!("rag", rag(&answer(), Style::Cora, &Budget::default()));
    insta::assert_snapshot!("rag_coderag", rag(&answer(), Style::CodeRag, &Budget::default()));
    insta::assert_snapshot!("rag_claude", rag(&answer(), Style::Claude, &Budget::default()));
    insta::assert_snapshot!("rag_openai", rag(&answer(), Style::OpenAi, &Budget::default()));
}

/// Two repositories, a removed place, a relation, and something that the user asked for by name.
#[test]
fn rag_names_repositories_changes_and_relations() {
    let mut results = answer();
    results.others = vec![SearchedRepository {
        repository: RepositoryInfo { path: "/srv/me/lib".to_owned(), ..RepositoryInfo::default() },
        revision: "v1".to_owned(),
        commit: ObjectId::from_bytes(&[0xcd; 20]),
        ..SearchedRepository::default()
    }];
    results.results[1].relation = Some("called by Session.open".to_owned());
    results.results[1].change = Some(Change::Removed);
    results.results[2].repository = 1;
    results.results[2].included = Some(InclusionDetail::Whole);
    insta::assert_snapshot!("rag_several", rag(&results, Style::Cora, &Budget::default()));
    // With a tight budget, a result that the user asked for by name outlasts the best one.
    let tight = Budget { tokens: Some(330), ..Budget::default() };
    let shown = rag(&results, Style::Cora, &tight);
    assert!(shown.contains("Use ```text```") && shown.contains("<cora:cut>"), "{shown}");
}

#[test]
fn lines_that_the_query_names_are_shown() {
    let body: String = (2..=60).map(|n| format!("    step({n});\n")).collect();
    let source = format!("fn long() {{\n{body}}}\n");
    let mut named = item(2, "a.rs", &source, (1, 61), "long");
    named.lines = vec![40];
    let others = (0..40).map(|n| item(1, &format!("src/{n}.rs"), SOURCE, (5, 18), "parse_options"));
    let results = Results { results: others.chain([named]).collect(), ..Results::default() };
    let shown = rag(&results, Style::Cora, &Budget { characters: None, tokens: Some(400) });
    assert!(shown.contains("    step(37);") && shown.contains("    step(40);\n"), "{shown}");
    assert!(!shown.contains("step(30)") && !shown.contains("step(50)"), "{shown}");
    let results = Results { results: results.results.into_iter().rev().take(1).collect(), ..results };
    let shown =
        text(&results, &TextStyle { code_lines: 6, ..TextStyle::default() }, &Budget::default(), &|_| None);
    assert!(
        shown.contains("fn long()") && shown.contains("step(38)") && shown.contains("step(42)"),
        "{shown}"
    );
    assert!(json(&results, &Budget::default()).contains("\"named_lines\":[40]"));
}

#[test]
fn lines_around_a_result_are_shown_when_asked_for() {
    let source = (1..=60).map(|n| format!("    step({n});\n")).collect::<String>();
    let mut long = item(1, "a.rs", &source, (21, 40), "long");
    for (around, first, last) in [(0, 21, 40), (3, 18, 43), (1000, 1, 60)] {
        long.around = around;
        let results = Results { results: vec![long.clone()], ..Results::default() };
        let budget = Budget::default();
        let style = TextStyle { code_lines: 5, ..TextStyle::default() };
        let views = [
            rag(&results, Style::Cora, &budget),
            markdown(&results, &budget),
            text(&results, &style, &budget, &|_| None),
        ];
        for shown in views {
            let numbers: Vec<usize> = shown
                .split("step(")
                .skip(1)
                .filter_map(|rest| rest.split_once(");").and_then(|(n, _)| n.parse().ok()))
                .collect();
            let ends = if numbers.len() == 5 { (21, 25) } else { (first, last) };
            assert_eq!((numbers[0], numbers[numbers.len() - 1]), ends, "{shown}");
            assert!(around == 0 || numbers.len() > 5, "{shown}");
        }
    }
}

#[test]
fn licences_are_left_out() {
    let licence = "// Copyright 2026 The Authors\n//\n// Licensed under the Apache License, Version 2.0.\n";
    let source = format!("{licence}\nfn a() {{}}\n");
    let results = Results { results: vec![item(1, "a.rs", &source, (1, 5), "a")], ..Results::default() };
    for shown in [rag(&results, Style::Cora, &Budget::default()), markdown(&results, &Budget::default())] {
        assert!(!shown.contains("Apache") && shown.contains("// . . .\n\nfn a() {}"), "{shown}");
    }
    // A comment about the code stays, even if it mentions licences.
    let source = "// Reads licences.\nfn a() {}\n";
    let results = Results { results: vec![item(1, "a.rs", source, (1, 2), "a")], ..Results::default() };
    assert!(rag(&results, Style::Cora, &Budget::default()).contains("// Reads licences."));
}

#[test]
fn rag_merges_what_touches() {
    let mut results = answer();
    results.results.pop();
    results.results.push(item(3, "src/options.rs", SOURCE, (20, 20), "Options"));
    let shown = rag(&results, Style::Cora, &Budget::default());
    assert!(shown.contains("<cora:chunk lines=\"5-26\">"), "{shown}");
    results.results.push(item(4, "src/options.rs", SOURCE, (27, 31), "Options"));
    results.results.push(item(5, "src/options.rs", SOURCE, (1, 3), ""));
    let shown = rag(&results, Style::Cora, &Budget::default());
    assert!(!shown.contains("<cora:chunk"), "{shown}");
    let inside =
        shown.split("<cora:content>\n").nth(1).unwrap().split("        </cora:content>").next().unwrap();
    let undone = inside.replace("<\\/cora", "</cora").replace('␛', "\x1b");
    assert!(undone.starts_with(SOURCE), "{undone}");
}

#[test]
fn rag_within_a_budget_keeps_signatures() {
    for (style, name) in [
        (Style::Cora, "rag_tight"),
        (Style::CodeRag, "rag_tight_coderag"),
        (Style::Claude, "rag_tight_claude"),
        (Style::OpenAi, "rag_tight_openai"),
    ] {
        insta::assert_snapshot!(name, rag(&answer(), style, &Budget { characters: None, tokens: Some(300) }));
    }
}

#[test]
fn rag_does_not_repeat_lines_around_a_place() {
    let mut results = answer();
    results.results.truncate(1);
    results.results.push(item(2, "src/options.rs", SOURCE, (12, 24), "b"));
    results.results.push(item(3, "src/options.rs", SOURCE, (16, 26), "c"));
    let whole = rag(&results, Style::Cora, &Budget::default());
    assert_eq!(whole.matches("Ok(options)").count(), 1, "{whole}");
    for characters in (0..whole.chars().count()).step_by(7) {
        let shown = rag(&results, Style::Cora, &Budget { characters: Some(characters), tokens: None });
        assert!(shown.matches("Ok(options)").count() <= 1, "{shown}");
    }
}

/// Returns a file of functions that are too long to be all shown; each line is the only one of its
/// kind.
fn functions(n: usize) -> String {
    let function = |n: usize| {
        let body: String = (0..20).map(|line| format!("    step({n}, {line});\n")).collect();
        format!("fn handle_{n}() {{\n{body}}}\n\n")
    };
    (0..n).map(function).collect()
}

/// Returns a result that is one of these functions.
fn function(rank: usize, path: &str, source: &str, n: u32) -> ResultItem {
    let (name, first) = (format!("handle_{n}"), n * 23 + 1);
    let span = span(source, first, first + 21);
    let mut result = item(rank, path, source, (first, first + 21), &name);
    let head = between(source, &format!("fn {name}("), "{");
    let body = ByteRange { start: head.end, end: span.bytes.end };
    result.declarations = vec![DeclarationItem {
        name,
        span,
        name_line: first,
        doc: ByteRange::default(),
        signature: head,
        body,
    }];
    result
}

#[test]
fn each_piece_of_code_has_its_own_lines() {
    let source = functions(40);
    let found = (0..40).map(|n| function(n as usize + 1, "src/all.rs", &source, n));
    let results = Results { results: found.collect(), ..Results::default() };
    let lines: Vec<&str> = source.lines().collect();
    for tokens in [2000, 2500, 3000] {
        let shown = rag(&results, Style::Cora, &Budget { characters: None, tokens: Some(tokens) });
        let mut n_chunks = 0;
        for chunk in shown.split("<cora:chunk lines=\"").skip(1) {
            n_chunks += 1;
            let (range, rest) = chunk.split_once("\">").unwrap();
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
            let content = rest.split_once("<cora:content>\n").unwrap().1;
            let content = content.split_once("        </cora:content>").unwrap().0;
            // The lines above the dots begin with the first, those below them end with the last.
            let (head, tail) = content.split_once("    // . . .\n").unwrap_or((content, ""));
            assert!(!tail.contains(". . ."), "{shown}");
            for (at, line) in (first..).zip(head.lines()) {
                assert_eq!(line, lines[at - 1], "{tokens}: line {at}");
            }
            for (at, line) in (1..=last).rev().zip(tail.lines().rev()) {
                assert_eq!(line, lines[at - 1], "{tokens}: line {at}");
            }
        }
        assert!(n_chunks > 3, "{tokens}: {shown}");
        assert!(shown.contains("    step(0, 10);"), "the best is shown in full: {shown}");
    }
}

#[test]
fn the_lines_of_the_best_results_come_before_signatures() {
    let source = functions(3);
    let found = (0..90u32).map(|n| function(n as usize + 1, &format!("src/{}.rs", n / 3), &source, n % 3));
    let results = Results { query: "step 15".to_owned(), results: found.collect(), ..Results::default() };
    let shown =
        |tokens: usize| rag(&results, Style::Cora, &Budget { characters: None, tokens: Some(tokens) });
    // The first is shown in full; the line that answers is shown of the next ones.
    let (few, more) = (shown(2100), shown(4000));
    assert!(few.contains("    step(0, 2);"), "{few}");
    assert!(few.matches(", 15);").count() >= 5, "{few}");
    assert!(more.matches("    step(0, 10);").count() >= 2, "{more}");
    assert!(more.matches("fn handle_").count() > 12, "signatures of the others: {more}");
}

#[test]
fn a_note_beside_code_names_no_other_function() {
    let source = functions(2);
    let mut results = Results { results: vec![function(1, "src/a.rs", &source, 0)], ..Results::default() };
    let other = function(2, "src/a.rs", &source, 1);
    let first = &mut results.results[0];
    // The end of the first function, and the first line of the second, which names the result.
    first.span = span(&source, 5, 12);
    first.declarations.extend(other.declarations);
    first.symbol = "handle_1".to_owned();
    let shown = rag(&results, Style::Cora, &Budget::default());
    assert!(shown.contains("<cora:commentary>handle_0</cora:commentary>"), "{shown}");
}
