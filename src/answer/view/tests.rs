//! Tests of all views: golden output of one answer in each view, and properties that hold for any
//! answer.

mod paths;
mod rag;
mod words;

use super::*;
use crate::index::chunk::ByteRange;
use proptest::prelude::*;
use std::sync::Arc;

const SOURCE: &str = "\
//! Options.

use std::fmt;

/// Parses options.
///
/// Unknown ones are errors.
pub fn parse_options(text: &str) -> Result<Options, Error> {
    let mut options = Options::default();
    for word in text.split_whitespace() {
        match word.split_once('=') {
            Some((\"width\", value)) => options.width = value.parse()?,
            Some((key, _)) => return Err(Error::unknown(key)),
            None => options.words.push(word.to_owned()),
        }
    }
    Ok(options)
}

impl Options {
    /// The width, or what the terminal says.
    pub fn width(&self) -> usize {
        // </cora:content> \x1b[31m
        let fallback = || terminal::width();
        self.width.unwrap_or_else(fallback)
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}
";

/// Returns the lines `start..=end` of a text as a span.
fn span(text: &str, start: u32, end: u32) -> Span {
    let lines = lines::Lines::new(text);
    let byte = |line: u32| u32::try_from(lines.start(line as usize)).unwrap();
    Span { bytes: ByteRange { start: byte(start), end: byte(end + 1) }, start_line: start, end_line: end }
}

/// Returns the bytes from the first occurrence of `from` to the next occurrence of `to`.
fn between(text: &str, from: &str, to: &str) -> ByteRange {
    let start = text.find(from).unwrap();
    let end = start + text[start..].find(to).unwrap();
    ByteRange { start: u32::try_from(start).unwrap(), end: u32::try_from(end).unwrap() }
}

pub(super) fn item(rank: usize, path: &str, text: &str, lines: (u32, u32), symbol: &str) -> ResultItem {
    ResultItem {
        rank,
        path: path.into(),
        span: span(text, lines.0, lines.1),
        around: 0,
        symbol: symbol.to_owned(),
        kind: "function",
        language: "rust".to_owned(),
        score: 1.5 / rank as f64,
        relevance: None,
        git_status: "unmodified",
        blob: ObjectId::from_bytes(&[7; 20]),
        text: Some(Arc::from(text)),
        declarations: Vec::new(),
        lines: Vec::new(),
        named: None,
        explanation: Vec::new(),
        moved: None,
        repository: 0,
        checkout: String::new(),
        change: None,
        relation: None,
        included: None,
        commentary: None,
        also: Vec::new(),
        copies: Vec::new(),
    }
}

fn answer() -> Results {
    let mut parse = item(1, "src/options.rs", SOURCE, (5, 18), "parse_options");
    parse.declarations = vec![DeclarationItem {
        name: "parse_options".to_owned(),
        span: span(SOURCE, 5, 18),
        name_line: 8,
        doc: between(SOURCE, "/// Parses", "pub fn parse"),
        signature: between(SOURCE, "pub fn parse", "{\n    let mut"),
        body: between(SOURCE, "{\n    let mut", "\n\nimpl"),
    }];
    parse.git_status = "modified";
    parse.blob = None;
    let mut width = item(2, "src/options.rs", SOURCE, (21, 26), "Options::width");
    width.kind = "method";
    width.declarations = vec![
        DeclarationItem {
            name: "Options".to_owned(),
            span: span(SOURCE, 20, 31),
            name_line: 20,
            doc: ByteRange::default(),
            signature: between(SOURCE, "impl Options", "{\n    /// The"),
            body: between(SOURCE, "{\n    /// The", "}\n}"),
        },
        DeclarationItem {
            name: "width".to_owned(),
            span: span(SOURCE, 21, 26),
            name_line: 22,
            doc: between(SOURCE, "/// The width", "pub fn width"),
            signature: between(SOURCE, "pub fn width", "{\n        // </"),
            body: between(SOURCE, "{\n        // </", "\n\n    fn is_empty"),
        },
    ];
    width.git_status = "modified";
    let notes = "# Options\n\nUse ```text``` as `width=80`.\n";
    let mut whole = item(3, "docs/a \x1b\"b.md", notes, (1, 3), "Options");
    (whole.kind, whole.language) = ("section", "markdown".to_owned());
    Results {
        query: "how is width parsed".to_owned(),
        revision: "HEAD".to_owned(),
        commit: ObjectId::from_bytes(&[0xab; 20]),
        worktree: true,
        repository: RepositoryInfo {
            origin: "https://example.org/o.git".to_owned(),
            path: "/srv/me/o".to_owned(),
            host: "box".to_owned(),
        },
        n_dirty: 1,
        warnings: vec!["'x.rs' could not be read".to_owned()],
        results: vec![parse, width, whole],
        n_more: 4,
        is_lines: false,
        near: Vec::new(),
        others: Vec::new(),
        is_named: false,
        strength: 0.0,
        asks_references: false,
    }
}

fn no_grammar(_: &str) -> Option<tree_sitter::Language> {
    None
}

fn explained() -> Results {
    let mut results = answer();
    results.results.truncate(1);
    results.results[0].explanation = vec![
        Contribution { part: "words".to_owned(), value: 1.25, detail: "parse, width".to_owned() },
        Contribution { part: "symbol".to_owned(), value: 0.25, detail: "defines 'parse_options'".to_owned() },
    ];
    results.results[0].moved = Some("ordered by 1.2500, the best score in its file".to_owned());
    results
}

#[test]
fn text_shows_the_lines_that_say_most() {
    let style = TextStyle { width: 72, code_lines: 8, ..TextStyle::default() };
    insta::assert_snapshot!(text(&answer(), &style, &Budget::default(), &no_grammar), @r#"
    src/options.rs:5-18  parse_options  function  [modified]
     5  /// Parses options.
     ⋮
     8  pub fn parse_options(text: &str) -> Result<Options, Error> {
     ⋮
    11          match word.split_once('=') {
    12              Some(("width", value)) => options.width = value.parse()…
    13              Some((key, _)) => return Err(Error::unknown(key)),
    14              None => options.words.push(word.to_owned()),
    15          }
    16      }
     ⋮

    src/options.rs:21-26  Options::width  method  [modified]
    21      /// The width, or what the terminal says.
    22      pub fn width(&self) -> usize {
    23          // </cora:content> ␛[31m
    24          let fallback = || terminal::width();
    25          self.width.unwrap_or_else(fallback)
    26      }

    "docs/a \033\"b.md":1-3  Options  section
    1  # Options
    2
    3  Use ```text``` as `width=80`.

    warning: 'x.rs' could not be read
    working tree at abababababab + 1 uncommitted file · 4 more found
    "#);
}

#[test]
fn text_explains() {
    let style = TextStyle { explain: true, code_lines: 1, ..TextStyle::default() };
    insta::assert_snapshot!(text(&explained(), &style, &Budget::default(), &no_grammar), @"
    src/options.rs:5-18  parse_options  function  [modified]  1.5000
        words      1.2500  parse, width
        symbol     0.2500  defines 'parse_options'
        order              ordered by 1.2500, the best score in its file
     5  /// Parses options.
     ⋮

    warning: 'x.rs' could not be read
    working tree at abababababab + 1 uncommitted file · 4 more found
    ");
}

#[test]
fn text_in_colour_is_highlighted() {
    let mut results = answer();
    results.results = vec![results.results.swap_remove(1)];
    let style = TextStyle { color: true, ..TextStyle::default() };
    let grammar = |_: &str| Some(tree_sitter::Language::from(tree_sitter_rust::LANGUAGE));
    let shown = text(&results, &style, &Budget::default(), &grammar).replace('\x1b', "^");
    insta::assert_snapshot!(shown, @"
    ^[1m^[38;5;133msrc/options.rs^[0m^[38;5;244m:^[0m^[38;5;28m21-26^[0m  ^[1mOptions::width^[0m  ^[38;5;244mmethod^[0m  ^[38;5;130m[modified]^[0m
    ^[38;5;244m21  ^[0m    ^[38;5;244m/// The ^[0m^[1m^[4m^[38;5;244mwidth^[0m^[38;5;244m, or what the terminal says.^[0m
    ^[38;5;244m22  ^[0m    ^[38;5;32mpub^[0m ^[38;5;32mfn^[0m ^[1m^[4mwidth^[0m(&^[38;5;32mself^[0m) -> ^[38;5;130musize^[0m {
    ^[38;5;244m23  ^[0m        ^[38;5;244m// </cora:content> ␛[31m^[0m
    ^[38;5;244m24  ^[0m        ^[38;5;32mlet^[0m fallback = || terminal::^[1m^[4mwidth^[0m();
    ^[38;5;244m25  ^[0m        ^[38;5;32mself^[0m.^[1m^[4mwidth^[0m.unwrap_or_else(fallback)
    ^[38;5;244m26  ^[0m    }

    ^[38;5;130mwarning: ^[0m'x.rs' could not be read
    ^[38;5;244mworking tree at abababababab + 1 uncommitted file · 4 more found^[0m
    ");
}

#[test]
fn json_keeps_its_contract() {
    insta::assert_snapshot!(json(&explained(), &Budget::default()).trim_end(), @r#"{"query":"how is width parsed","revision":"HEAD","commit":"abababababababababababababababababababab","worktree":true,"dirty_files":1,"results":[{"rank":1,"path":"src/options.rs","start_line":5,"end_line":18,"symbol":"parse_options","kind":"function","language":"rust","score":1.5,"git_status":"modified","blob":null,"explain":[{"part":"words","value":1.25,"detail":"parse, width"},{"part":"symbol","value":0.25,"detail":"defines 'parse_options'"}],"order":"ordered by 1.2500, the best score in its file"}],"more":4,"near":[],"clear":true,"stale":["'x.rs' could not be read"],"cut":null}"#);
    let mut odd = answer();
    odd.results = vec![odd.results.swap_remove(2)];
    odd.results[0].path = b"a\xff\x1b.md".into();
    odd.results[0].symbol.clear();
    odd.results[0].score = f64::NAN;
    insta::assert_snapshot!(json(&odd, &Budget { characters: Some(713), tokens: None }).trim_end(), @r#"{"query":"how is width parsed","revision":"HEAD","commit":"abababababababababababababababababababab","worktree":true,"dirty_files":1,"results":[{"rank":3,"path":"\"a\\377\\033.md\"","path_bytes":"61ff1b2e6d64","start_line":1,"end_line":3,"symbol":null,"kind":"section","language":"markdown","score":0.0,"git_status":"unmodified","blob":"0707070707070707070707070707070707070707"}],"more":4,"near":[],"clear":true,"stale":["'x.rs' could not be read"],"cut":null}"#);
    insta::assert_snapshot!(json(&answer(), &Budget { characters: Some(713), tokens: None }).trim_end(), @r#"{"query":"how is width parsed","revision":"HEAD","commit":"abababababababababababababababababababab","worktree":true,"dirty_files":1,"results":[{"rank":1,"path":"src/options.rs","start_line":5,"end_line":18,"symbol":"parse_options","kind":"function","language":"rust","score":1.5,"git_status":"modified","blob":null},{"rank":2,"path":"src/options.rs","start_line":21,"end_line":26,"symbol":"Options::width","kind":"method","language":"rust","score":0.75,"git_status":"modified","blob":"0707070707070707070707070707070707070707"}],"more":4,"near":[],"clear":true,"stale":["'x.rs' could not be read"],"cut":{"results":1,"reason":"budget of 713 characters","paths":["\"docs/a \\033\\\"b.md\""]}}"#);
}

#[test]
fn batch_lines_carry_their_id() {
    let results = Results { query: "q".to_owned(), ..Results::default() };
    let none = Budget::default();
    let line = batch_line(&serde_json::json!({"a": 1}), &results, &none);
    let one = json(&results, &none);
    assert_eq!(
        line,
        format!("{{\"id\":{{\"a\":1}},{}", one.strip_prefix('{').unwrap()),
        "all keys of an answer"
    );
    let tight = Budget { characters: Some(700), tokens: None };
    let line: serde_json::Value = serde_json::from_str(&batch_line(&1.into(), &answer(), &tight)).unwrap();
    assert_eq!((&line["id"], &line["cut"]["results"]), (&1.into(), &1.into()));
    assert!(line["commit"].is_string() && line["stale"].is_array());
    let line = batch_line(&1.into(), &answer(), &Budget { characters: Some(9), tokens: None });
    assert!(line.contains("\"error\":\"the budget is too small"), "{line}");
    assert_eq!(batch_error(&serde_json::Value::Null, "no\nway"), "{\"id\":null,\"error\":\"no\\nway\"}\n");
}

#[test]
fn markdown_fences_are_longer_than_any_inside() {
    insta::assert_snapshot!(markdown(&answer(), &Budget::default()), @r#"
    ### [1] src/options.rs:5-18 — parse_options (modified)

    ```rust
    /// Parses options.
    ///
    /// Unknown ones are errors.
    pub fn parse_options(text: &str) -> Result<Options, Error> {
        let mut options = Options::default();
        for word in text.split_whitespace() {
            match word.split_once('=') {
                Some(("width", value)) => options.width = value.parse()?,
                Some((key, _)) => return Err(Error::unknown(key)),
                None => options.words.push(word.to_owned()),
            }
        }
        Ok(options)
    }
    ```

    ### [2] src/options.rs:21-26 — Options::width (modified)

    ```rust
        /// The width, or what the terminal says.
        pub fn width(&self) -> usize {
            // </cora:content> ␛[31m
            let fallback = || terminal::width();
            self.width.unwrap_or_else(fallback)
        }
    ```

    ### [3] "docs/a \033\"b.md":1-3 — Options

    ````markdown
    # Options

    Use ```text``` as `width=80`.
    ````

    Working tree at abababababab + 1 uncommitted file; 4 more found.
    Warning: 'x.rs' could not be read.
    "#);
}

#[test]
fn nothing_found_is_said() {
    let results = Results { query: "q".to_owned(), worktree: true, ..Results::default() };
    let budget = Budget::default();
    assert!(text(&results, &TextStyle::default(), &budget, &no_grammar).starts_with("nothing found"));
    assert!(markdown(&results, &budget).starts_with("Nothing found"));
    assert_eq!(paths(&results, &Budget::default()), "");
    assert!(json(&results, &budget).contains("\"results\":[]"));
}

#[test]
fn a_place_outside_the_text_is_only_named() {
    let mut results = answer();
    results.results[0].span =
        Span { bytes: ByteRange { start: 5000, end: 6000 }, start_line: 500, end_line: 520 };
    for item in &mut results.results[1..] {
        item.text = None;
    }
    for shown in all_views(&results, &TextStyle::default(), &Budget::default()) {
        assert!(shown.contains("500"), "{shown}");
        assert!(!shown.contains("500-31"), "{shown}");
    }
}

fn all_views(results: &Results, style: &TextStyle, budget: &Budget) -> [String; 7] {
    let grammar = |_: &str| Some(tree_sitter::Language::from(tree_sitter_rust::LANGUAGE));
    [
        text(results, style, budget, &grammar),
        json(results, budget),
        markdown(results, budget),
        rag(results, Style::Cora, budget),
        rag(results, Style::CodeRag, budget),
        rag(results, Style::Claude, budget),
        rag(results, Style::OpenAi, budget),
    ]
}

/// Checks 10,000 random queries, each with a random budget over a random part of the answer.
/// Rendering the same input again gives the same output.
#[test]
fn any_budget_holds() {
    use rayon::prelude::*;
    const WORDS: [&str; 12] = [
        "options",
        "parse",
        "width",
        "jitter",
        "the",
        "fn",
        "terminal",
        "Ünbekannt",
        "=",
        "</cora:file>",
        "backoff",
        "\u{202e}",
    ];
    let mut pool = answer().results;
    pool.extend(words::long().results);
    (0..10_000u64).into_par_iter().for_each(|seed| {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 40).unwrap() % n
        };
        let query: Vec<&str> = (0..=next(6)).map(|_| WORDS[next(WORDS.len())]).collect();
        let mut results = Results { query: query.join(" "), ..answer() };
        results.results = (1..=next(6))
            .map(|rank| ResultItem { rank, around: next(4), ..pool[next(pool.len())].clone() })
            .collect();
        let budget = match next(3) {
            0 => Budget { characters: Some(next(3000)), tokens: None },
            1 => Budget { characters: None, tokens: Some(next(900)) },
            _ => Budget { characters: Some(next(3000)), tokens: Some(next(900)) },
        };
        let style = [Style::Cora, Style::CodeRag, Style::Claude, Style::OpenAi][next(4)];
        let shown = match next(4) {
            0 => json(&results, &budget),
            1 => markdown(&results, &budget),
            _ => rag(&results, style, &budget),
        };
        assert!(budget.characters.is_none_or(|most| shown.chars().count() <= most), "{budget:?} {shown}");
        assert!(budget.tokens.is_none_or(|most| tokens(&shown) <= most), "{budget:?} {shown}");
        if seed % 16 == 0 {
            let again = rag(&results, style, &budget);
            assert_eq!(again, rag(&results, style, &budget));
        }
    });
}

prop_compose! {
    /// Any result: arbitrary characters in names and texts, places that may be outside the text.
    fn any_item()(
        path in prop::collection::vec(any::<u8>(), 1..30),
        text in prop::option::weighted(0.9, "([ -~\\x00-\\x1f\\u{80}-\\u{9f}é中\u{202e}]{0,60}\n|</?cora:(content|file)>\n|    fn f\\(x: u8\\) \\{\n){0,25}"),
        symbol in "\\PC{0,12}|[\\x00-\\x7f]{0,8}",
        start in 1u32..20,
        n_lines in 0u32..20,
        cuts in prop::array::uniform6(0u32..900),
        status in prop::sample::select(vec!["unmodified", "modified", "untracked"]),
        language in prop::sample::select(vec!["rust", "python", "html", "text", "json-lines"]),
    ) -> ResultItem {
        let text = text.unwrap_or_default();
        let range = |a: usize, b: usize| ByteRange { start: cuts[a].min(cuts[b]), end: cuts[a].max(cuts[b]) };
        let bytes = range(0, 5);
        let place = Span { bytes, start_line: start, end_line: start + n_lines };
        ResultItem {
            path: path.into(),
            span: place,
            around: 0,
            symbol,
            language: language.to_owned(),
            git_status: status,
            declarations: vec![DeclarationItem {
                name: "f".to_owned(), span: place, name_line: start,
                signature: range(0, 1), body: range(2, 3), doc: range(4, 5),
            }],
            relation: Some("called by <cora:x> --".to_owned()),
            explanation: vec![Contribution { part: "p\x1b".to_owned(), value: 0.5, detail: "d\r\n".to_owned() }],
            ..item(1, "x", &text, (1, 1), "")
        }
    }
}

prop_compose! {
    fn any_results()(items in prop::collection::vec(any_item(), 0..8), share in any::<bool>()) -> Results {
        let mut items = items;
        for at in 0..items.len() {
            items[at].rank = at + 1;
            if share && at % 2 == 1 {
                items[at].path = items[at - 1].path.clone();
                items[at].text = items[at - 1].text.clone();
                items[at].copies = vec![items[at - 1].path.clone()];
            }
        }
        Results { results: items, query: "f x\x1b content".to_owned(), ..answer() }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn budgets_hold(
        results in any_results(),
        characters in prop::option::of(0usize..4000),
        n_tokens in prop::option::of(0usize..1200),
        color in any::<bool>(),
        width in 0usize..100,
    ) {
        let style = TextStyle { color, width, code_lines: 12, explain: color };
        let budget = Budget { characters, tokens: n_tokens };
        for shown in all_views(&results, &style, &budget) {
            prop_assert!(characters.is_none_or(|most| shown.chars().count() <= most), "{}", shown);
            prop_assert!(n_tokens.is_none_or(|most| tokens(&shown) <= most), "{}", shown);
        }
        let shown = json(&results, &budget);
        prop_assert!(shown.is_empty() || serde_json::from_str::<serde_json::Value>(&shown).is_ok(), "{}", shown);
    }

    #[test]
    fn nothing_acts_on_the_terminal(results in any_results(), width in 0usize..100) {
        let style = TextStyle { width, explain: true, ..TextStyle::default() };
        let views = all_views(&results, &style, &Budget::default());
        for shown in views.iter().chain([&paths(&results, &Budget::default())]) {
            prop_assert!(shown.chars().all(|c| matches!(c, '\n' | '\t') || !c.is_control()), "{:?}", shown);
        }
        let colored = text(&results, &TextStyle { color: true, ..style }, &Budget::default(), &no_grammar);
        for after in colored.split('\x1b').skip(1) {
            let end = after.find(|c: char| !matches!(c, '[' | ';' | '0'..='9'));
            prop_assert_eq!(end.and_then(|at| after.chars().nth(at)), Some('m'));
        }
    }

    #[test]
    fn rag_has_only_its_own_tags(results in any_results()) {
        let shown = rag(&results, Style::Cora, &Budget::default());
        let count = |tag: &str| shown.matches(tag).count();
        for name in ["file", "chunk", "content", "repo", "rag-result", "commentary"] {
            prop_assert_eq!(count(&format!("<cora:{name}")), count(&format!("</cora:{name}>")), "{}", shown);
        }
        prop_assert_eq!(count("<cora:rag-result>"), 1);
    }
}

#[test]
fn brief_names_every_place_before_it_shows_code() {
    let all = brief("", &answer(), BriefLimit::Full, &Budget::default());
    assert!(all.contains("22      pub fn width"), "{all}");
    insta::assert_snapshot!(brief("", &answer(), BriefLimit::Signature, &Budget::default()), @r#"
    src/options.rs:5-18  parse_options  function  [modified]
     5  /// Parses options.
     6  ///
     7  /// Unknown ones are errors.
     8  pub fn parse_options(text: &str) -> Result<Options, Error> {
    18  }
    src/options.rs:21-26  Options::width  method  [modified]
    21      /// The width, or what the terminal says.
    22      pub fn width(&self) -> usize {
    26      }
    "docs/a \033\"b.md":1-3  Options  section
    1  # Options
    2  
    3  Use ```text``` as `width=80`.
    warning: 'x.rs' could not be read
    working tree at abababababab + 1 uncommitted file · 4 more found
    "#);
    insta::assert_snapshot!(brief("", &answer(), BriefLimit::Location, &Budget::default()), @r#"
    src/options.rs:5-18  parse_options  function  [modified]
    src/options.rs:21-26  Options::width  method  [modified]
    "docs/a \033\"b.md":1-3  Options  section
    warning: 'x.rs' could not be read
    working tree at abababababab + 1 uncommitted file · 4 more found
    "#);
    let (places, full) =
        (tokens(&brief("", &answer(), BriefLimit::Location, &Budget::default())), tokens(&all));
    for limit in 1..=full {
        for most in [BriefLimit::Full, BriefLimit::Signature, BriefLimit::Location] {
            let text = brief("", &answer(), most, &Budget { tokens: Some(limit), ..Budget::default() });
            // The shortest text that says anything has the first place.
            let least = brief("", &answer(), most, &Budget { tokens: Some(1), ..Budget::default() });
            assert!(least.starts_with("src/options.rs:5-18"), "{least}");
            assert!(tokens(&text) <= limit.max(tokens(&least)), "{limit}: {text}");
            // The note about the cut takes some tokens.
            if limit >= places + 30 {
                for place in ["src/options.rs:5-18", "src/options.rs:21-26", ".md\":1-3"] {
                    assert!(text.contains(place), "{limit} {most:?}: {text}");
                }
            }
        }
    }
}

#[test]
fn other_declarations_of_the_file_are_named_in_one_line() {
    let mut results = answer();
    let also = |line, symbol: &str| NearbyDeclaration { line, symbol: symbol.to_owned(), kind: "method" };
    results.results[1].symbol = "Options.width".to_owned();
    results.results[1].also = vec![also(27, "Options.is_empty"), also(8, "parse_options"), also(3, "a\x1bb")];
    let line = "also here: 27 is_empty · 8 parse_options · 3 a␛b";
    let grammar = |_: &str| None;
    let views = [
        text(&results, &TextStyle::default(), &Budget::default(), &grammar),
        brief("", &results, BriefLimit::Signature, &Budget::default()),
        markdown(&results, &Budget::default()),
    ];
    for view in views {
        assert_eq!(view.matches(line).count(), 1, "{view}");
    }
    let json: serde_json::Value = serde_json::from_str(&json(&results, &Budget::default())).unwrap();
    let first = serde_json::json!({"line": 27, "symbol": "Options.is_empty", "kind": "method"});
    assert_eq!(json["results"][1]["also"][0], first);
    assert!(json["results"][0].get("also").is_none());
    results.results[1].symbol = "Node.js usage".to_owned();
    let title = NearbyDeclaration { line: 4, symbol: "Node.js API".to_owned(), kind: "section" };
    results.results[1].also = vec![title];
    assert_eq!(results.results[1].also_line().unwrap(), "also here: 4 Node.js API");
}

#[test]
fn copies_of_the_file_are_named_in_one_line() {
    let mut results = answer();
    results.results[1].copies =
        ["de", "es", "fr", "ja", "pt"].map(|one| format!("docs/{one}.md").into()).into();
    let line = "also in: docs/de.md · docs/es.md · docs/fr.md · 2 more";
    let grammar = |_: &str| None;
    let views = [
        text(&results, &TextStyle::default(), &Budget::default(), &grammar),
        brief("", &results, BriefLimit::Signature, &Budget::default()),
        markdown(&results, &Budget::default()),
    ];
    for view in views {
        assert_eq!(view.matches(line).count(), 1, "{view}");
    }
    let json: serde_json::Value = serde_json::from_str(&json(&results, &Budget::default())).unwrap();
    assert_eq!(json["results"][1]["copies"].as_array().unwrap().len(), 5);
    assert!(json["results"][0].get("copies").is_none());
}
