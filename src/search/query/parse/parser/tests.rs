//! Tests of what a text is parsed to, and of the limits of it.

use super::*;

fn terms(text: &str) -> Vec<String> {
    parse(text).terms.into_iter().map(|t| t.term).collect()
}

#[test]
fn kinds_are_told_apart() {
    // The most bytes that a question of two lines may have, and one more.
    let [short, long] = [117, 118].map(|n| format!("where {}\nis it {}", "s".repeat(n), "l".repeat(110)));
    for (text, kind) in [
        ("parseHeader", QueryKind::Identifier),
        ("config", QueryKind::Identifier),
        ("Foo::bar", QueryKind::Identifier),
        ("parse_header write_header", QueryKind::Identifier),
        ("how are headers parsed", QueryKind::NaturalLanguage),
        ("http client", QueryKind::NaturalLanguage),
        ("src/http/client.py", QueryKind::Path),
        ("client.py:12", QueryKind::Path),
        ("It fails\n\nwhen I do this", QueryKind::LongText),
        ("where do we\nretry uploads", QueryKind::NaturalLanguage),
        (&short, QueryKind::NaturalLanguage),
        (&long, QueryKind::LongText),
        (
            "Traceback:\n  File \"a/b.py\", line 3, in f\n    x()\n  File \"a/c.py\", line 9, in g\n    y()",
            QueryKind::StackTrace,
        ),
        ("at f (src/a.js:3:4)\nat g (src/b.js:9:1)", QueryKind::StackTrace),
        ("at new Connection (/src/net/a.js:16:5)", QueryKind::StackTrace),
        ("what is at line 12 of src/a.js", QueryKind::NaturalLanguage),
        ("thread 'main' panicked at src/a.rs:60:10:\ncalled `Option::unwrap()`", QueryKind::StackTrace),
        ("thread 'main' panicked at 'no value', src/a.rs:60:10", QueryKind::StackTrace),
        ("", QueryKind::NaturalLanguage),
    ] {
        assert_eq!(parse(text).kind, kind, "{text}");
    }
}

#[test]
fn words_without_meaning_are_left_out_unless_they_are_all() {
    assert_eq!(terms("where is the config loaded"), ["config", "load", "loaded"]);
    assert_eq!(terms("to be or not"), ["be", "not", "or", "to"]);
}

#[test]
fn quotes_and_filters_are_taken_out() {
    let parsed = parse("retry \"max attempts\" path:src -path:src/gen lang:rust symbol:Retry* kind:method");
    assert_eq!(parsed.phrases, ["max attempts"]);
    assert_eq!(parsed.filters.paths, ["src", "!src/gen"]);
    assert_eq!(parsed.filters.languages, ["rust"]);
    assert_eq!(parsed.filters.kinds, ["method"]);
    assert_eq!(parsed.symbol_filters, ["Retry*"]);
    let words: Vec<_> = parsed.terms.iter().map(|t| t.term.as_str()).collect();
    assert_eq!(words, ["attempt", "attempts", "max", "retry"]);
    assert_eq!(required_terms("max attempts"), ["attempts", "max"]);
    assert_eq!(required_terms("w.max(a, 1)"), ["max"], "single letters are not indexed");
    assert!(parse("path::Path std").filters.paths.is_empty());
    assert!(parse("say \"yes\"\nor \"no\"").phrases.is_empty());
}

#[test]
fn names_carry_their_qualifiers() {
    let parsed = parse("why does Session.get_adapter ignore `mount`");
    let names: Vec<_> = parsed.symbols.iter().map(|s| (s.name.as_str(), s.qualifier.as_str())).collect();
    assert_eq!(names, [("get_adapter", "Session"), ("mount", "")]);
    // A qualifier says where to look, not what for.
    let symbols = |text: &str| -> Vec<(String, String)> {
        parse(text).symbols.into_iter().map(|one| (one.name, one.qualifier)).collect()
    };
    let one = |name: &str, qualifier: &str| (name.to_owned(), qualifier.to_owned());
    assert_eq!(symbols("Foo.bar"), [one("bar", "Foo")]);
    assert_eq!(symbols("Foo::bar"), [one("bar", "Foo")]);
    assert_eq!(symbols("foo_bar->baz"), [one("baz", "foo_bar")]);
    assert_eq!(symbols("why does HttpClient.open() fail"), [one("open", "HttpClient")]);
    assert_eq!(symbols("Foo bar_baz"), [one("bar_baz", "")]);
}

#[test]
fn a_query_of_names_has_at_most_three_words() {
    assert_eq!(parse("parse_a parse_b parse_c").kind, QueryKind::Identifier);
    assert_eq!(parse("parse_a parse_b parse_c parse_d").kind, QueryKind::NaturalLanguage);
    let words = |n: usize| format!("{:n$}x", "where is it ");
    assert_eq!(parse(&words(239)).kind, QueryKind::NaturalLanguage);
    assert_eq!(parse(&words(240)).kind, QueryKind::LongText, "241 bytes");
}

#[test]
fn earlier_turns_count_less_the_older_they_are() {
    let weights = Weights::default();
    let mut parsed = parse("and the deadline");
    let turns = ["socket".to_owned(), "header".to_owned()];
    parsed.add_context(&turns, &weights);
    let weight = |parsed: &ParsedQuery, term: &str| {
        parsed.terms.iter().find(|one| one.term == term).map_or(0.0, |one| one.weight)
    };
    assert_eq!(weight(&parsed, "socket"), 0.3);
    assert!((weight(&parsed, "header") - 0.09).abs() < 1e-6);
    // At most 16 turns are read.
    let mut parsed = parse("and the deadline");
    let turns: Vec<String> = (0..20).map(|n| format!("word{}", char::from(b'a' + n))).collect();
    parsed.add_context(&turns, &weights);
    assert!(weight(&parsed, "wordp") > 0.0 && weight(&parsed, "wordq") == 0.0);
}

#[test]
fn terms_weigh_by_what_they_are() {
    let parsed = parse("how are retries of parse_header done");
    let weight = |term: &str| parsed.terms.iter().find(|one| one.term == term).map(|one| one.weight);
    // A stem weighs 1, the whole word half, a compound name 1.
    assert_eq!([weight("retry"), weight("retries")], [Some(1.0), Some(0.5)]);
    assert_eq!(weight("parseheader").or(weight("parse_header")), Some(1.0));
    let weights = Weights::default();
    assert_eq!((weights.title, weights.fence), (8.0, 0.5));
}

#[test]
fn a_title_weighs_more_and_a_fence_less() {
    let parsed = parse("crash in lexer\n\nthe parser works\n```\nbanana\n```\n");
    let weight = |term: &str| parsed.terms.iter().find(|t| t.term == term).unwrap().weight;
    let weights = Weights::default();
    assert_eq!((weight("lexer"), weight("parser")), (weights.title, 1.0));
    assert_eq!(weight("banana"), weights.fence);
    assert!(weights.title > 1.0 && weights.fence < 1.0);
}

#[test]
fn any_text_is_bounded() {
    let parsed = parse(&(0..50_000).map(|i| format!("word{i}x a/b{i}.rs:1 aB{i} ")).collect::<String>());
    assert!(parsed.terms.len() <= MAX_TERMS && parsed.symbols.len() <= MAX_SYMBOLS);
    assert!(parsed.paths.len() <= 32);
}

#[test]
fn filters_alone_are_those_of_the_whole_query() {
    for text in [
        "",
        "retry path:src/net",
        "\"lang:rust\" retry lang:python",
        "File \"a.py\", line 3, in f path:x",
        "a title\n\nlang:rust in a long text",
    ] {
        assert_eq!(filters_in(text), parse(text).filters, "{text}");
    }
    assert_eq!(filters_in("retry lang:rust").languages, ["rust"]);
}
