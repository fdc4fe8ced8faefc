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
