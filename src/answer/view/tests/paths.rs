//! Tests of the view for editors: one line for each place.

use super::*;

#[test]
fn paths_are_for_editors() {
    let mut results = answer();
    results.results.push(results.results[0].clone());
    results.results[2].symbol.clear();
    results.results[1].change = Some(Change::Removed);
    insta::assert_snapshot!(paths(&results, &Budget::default()), @r#"
    src/options.rs:5: parse_options
    src/options.rs:21: Options::width [removed]
    "docs/a \033\"b.md":1: # Options
    "#);
}

#[test]
fn code_outside_of_declarations_has_the_line_that_matches() {
    let mut results = answer();
    results.results.truncate(1);
    let item = &mut results.results[0];
    item.symbol.clear();
    item.named = None;
    item.lines.clear();
    item.declarations.clear();
    item.text = Some("import os\n\nsetup()\nrun_all(1)\nstop()\n".into());
    item.span = Span { start_line: 1, end_line: 5, ..item.span };
    let line = |results: &Results, query: &str| {
        paths(&Results { query: query.to_owned(), ..results.clone() }, &Budget::default())
    };
    assert_eq!(line(&results, "where does it Run_All or stop"), "src/options.rs:4: run_all(1)\n");
    assert_eq!(line(&results, "nothing here"), "src/options.rs:1: import os\n");
    results.results[0].relation = Some("calls stop".to_owned());
    assert_eq!(line(&results, "what calls stop after setup"), "src/options.rs:5: stop()\n");
}

#[test]
fn paths_have_every_declaration_with_the_reference_in_question() {
    let mut results = answer();
    results.results.truncate(1);
    let other = |line| NearbyDeclaration { line, symbol: format!("other_{line}"), kind: "function" };
    results.results[0].also = vec![other(9), other(5)];
    assert_eq!(paths(&results, &Budget::default()), "src/options.rs:5: parse_options\n");
    results.results[0].relation = Some("calls parse".to_owned());
    let expected = "src/options.rs:5: parse_options\nsrc/options.rs:9: other_9\n";
    assert_eq!(paths(&results, &Budget::default()), expected);
}

#[test]
fn each_line_with_the_quoted_text_is_shown_with_its_declaration() {
    let mut results = answer();
    results.results.truncate(1);
    results.query = "\"session token\"".to_owned();
    let item = &mut results.results[0];
    item.text = Some("fn open() {\n    // the session token\n}\n\nlet old = \"session token\";\n".into());
    item.span = Span { start_line: 1, end_line: 5, ..item.span };
    item.declarations.clear();
    let shown = |item: &ResultItem, symbol: &str| {
        let item = ResultItem { symbol: symbol.to_owned(), ..item.clone() };
        paths(&Results { results: vec![item], ..results.clone() }, &Budget::default())
    };
    let item = results.results[0].clone();
    insta::assert_snapshot!(shown(&item, "open"), @r#"
    src/options.rs:2: open: // the session token
    src/options.rs:5: open: let old = "session token";
    "#);
    insta::assert_snapshot!(shown(&item, ""), @r#"
    src/options.rs:2: // the session token
    src/options.rs:5: let old = "session token";
    "#);
}
