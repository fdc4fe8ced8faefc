//! Views: no rendering exceeds its budget or writes a character that acts on a terminal, for any
//! results. JSON output parses as JSON.
#![no_main]

use std::sync::Arc;

use arbitrary::Arbitrary;
use git_cora::answer::view::{
    Budget, Contribution, DeclarationItem, InclusionDetail, NearWord, ResultItem, Results, Style, TextStyle,
    batch_error, batch_line, json, markdown, paths, rag, text,
};
use git_cora::index::chunk::{ByteRange, Span, grammar};
use git_cora_fuzz::{language, no_id};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    query: &'a str,
    revision: &'a str,
    origin: &'a str,
    warnings: Vec<&'a str>,
    items: Vec<Item<'a>>,
    n_more: u16,
    is_worktree: bool,
    is_lines: bool,
    is_named: bool,
    characters: Option<u16>,
    tokens: Option<u16>,
    width: u8,
    context_lines: u8,
    code_lines: u8,
    explain: bool,
}

#[derive(Debug, Arbitrary)]
struct Item<'a> {
    path: &'a [u8],
    symbol: &'a str,
    language: u8,
    score: f64,
    has_blob: bool,
    span: Place,
    text: Option<&'a str>,
    declarations: Vec<(&'a str, Place, [(u16, u16); 3])>,
    lines: Vec<u16>,
    detail: &'a str,
}

/// Bytes and lines, which need not match the text: it may have changed since it was indexed.
#[derive(Debug, Clone, Copy, Arbitrary)]
struct Place {
    bytes: (u16, u16),
    lines: (u16, u16),
}

impl Place {
    fn span(self) -> Span {
        let start_line = u32::from(self.lines.0).max(1);
        Span { bytes: range(self.bytes), start_line, end_line: start_line + u32::from(self.lines.1 % 512) }
    }
}

fn range((start, len): (u16, u16)) -> ByteRange {
    ByteRange { start: start.into(), end: u32::from(start) + u32::from(len) }
}

fuzz_target!(|input: Input<'_>| {
    let results = results(&input);
    let budget =
        Budget { characters: input.characters.map(usize::from), tokens: input.tokens.map(usize::from) };
    for color in [false, true] {
        let style = TextStyle {
            color,
            width: input.width.into(),
            code_lines: input.code_lines.into(),
            explain: input.explain,
        };
        let shown = text(&results, &style, &budget, &grammar);
        assert!(budget.holds(&shown), "text passes its budget");
        assert_clean(&if color { without_styles(&shown) } else { shown });
    }
    let rags = [Style::Cora, Style::CodeRag, Style::Claude, Style::OpenAi]
        .map(|style| rag(&results, style, &budget));
    for shown in rags.into_iter().chain([markdown(&results, &budget)]) {
        assert!(budget.holds(&shown), "a view passes its budget");
        assert_clean(&shown);
    }
    let listed = paths(&results, &budget);
    assert!(budget.holds(&listed), "paths pass their budget");
    assert_clean(&listed);
    let answer = json(&results, &budget);
    assert!(budget.holds(&answer), "JSON passes its budget");
    let id = serde_json::json!([input.query]);
    let batched = batch_line(&id, &results, &budget);
    assert!(budget.holds(&batched) || batched.contains("\"error\""), "a batch's line passes its budget");
    for (line, may_be_empty) in [(answer, true), (batched, true), (batch_error(&id, input.revision), false)] {
        let line = line.strip_suffix('\n').unwrap_or(&line);
        assert!(line.chars().all(|c| !c.is_control()), "a control character in JSON");
        if !(may_be_empty && line.is_empty()) {
            serde_json::from_str::<serde_json::Value>(line).expect("because it is JSON");
        }
    }
});

fn results(input: &Input<'_>) -> Results {
    let mut results = Results::default();
    results.query = input.query.to_owned();
    results.revision = input.revision.to_owned();
    results.commit = Some(no_id());
    results.worktree = input.is_worktree;
    results.repository.origin = input.origin.to_owned();
    results.repository.path = input.revision.to_owned();
    results.repository.host = input.query.to_owned();
    results.n_dirty = input.warnings.len();
    results.warnings = input.warnings.iter().map(|&warning| warning.to_owned()).collect();
    results.results =
        input.items.iter().take(12).zip(1..).map(|(one, rank)| item(input, one, rank)).collect();
    results.n_more = input.n_more.into();
    let mut near = NearWord::default();
    near.word = input.origin.to_owned();
    near.instead = vec![input.query.to_owned()];
    results.near = vec![near];
    results.is_lines = input.is_lines;
    results.is_named = input.is_named;
    results
}

fn item(input: &Input<'_>, one: &Item<'_>, rank: usize) -> ResultItem {
    let mut item = ResultItem::default();
    item.rank = rank;
    item.path = one.path.into();
    item.span = one.span.span();
    item.around = input.context_lines.into();
    item.symbol = one.symbol.to_owned();
    item.kind = "function";
    item.language = language(one.language).name().to_owned();
    item.score = if one.score.is_finite() { one.score } else { 0.0 };
    item.git_status = "modified";
    item.blob = one.has_blob.then(no_id);
    item.text = one.text.map(Arc::from);
    item.declarations = one
        .declarations
        .iter()
        .map(|&(name, place, [signature, body, doc])| {
            let mut declaration = DeclarationItem::default();
            declaration.name = name.to_owned();
            declaration.span = place.span();
            declaration.name_line = place.span().start_line;
            declaration.signature = range(signature);
            declaration.body = range(body);
            declaration.doc = range(doc);
            declaration
        })
        .collect();
    item.lines = one.lines.iter().map(|&line| line.into()).collect();
    item.named = Some(0);
    let mut contribution = Contribution::default();
    contribution.part = one.symbol.to_owned();
    contribution.value = 0.5;
    contribution.detail = one.detail.to_owned();
    item.explanation = vec![contribution];
    item.relation = Some(one.detail.to_owned());
    item.included = one.has_blob.then_some(InclusionDetail::Signature);
    item
}

/// Checks that tabs and line feeds are the only control characters.
fn assert_clean(shown: &str) {
    let bad = shown.chars().find(|&c| c.is_control() && c != '\n' && c != '\t');
    assert_eq!(bad, None, "a control character is written");
}

/// Removes our own escape sequences: `ESC [`, digits and semicolons, `m`.
fn without_styles(shown: &str) -> String {
    let mut out = String::new();
    let mut rest = shown;
    while let Some((before, after)) = rest.split_once("\x1b[") {
        out.push_str(before);
        let end = after.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(after.len());
        rest = after[end..].strip_prefix('m').expect("because a style ends with it");
    }
    out.push_str(rest);
    out
}
