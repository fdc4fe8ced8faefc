//! Markdown: results → headings with places, and fenced code.
//!
//! The output never exceeds its budget. Code from the repository can't end its fence, because a
//! fence is longer than any run of backticks inside it.

use super::budget::{Omission, fit};
use super::lines::Lines;
use super::passage::passages;
use super::reduce::{self, Detail, Row};
use super::terms::Terms;
use super::{Budget, ResultItem, Results, comment, counted};
use crate::base::text::{clean, quoted};
use bstr::ByteSlice;
use std::fmt::Write;

/// Length of the shortest fence.
const FENCE: usize = 3;

/// Writes `### [rank] path:start-end — symbol` and the code of each result, best first, then what
/// was searched.
///
/// The output never exceeds the budget. A result that doesn't fit is reduced, in this order, to:
///
/// - doc comment, signature and the lines with query words,
/// - doc comment and signature,
/// - the heading,
/// - a count in the last line.
pub fn markdown(results: &Results, budget: &Budget) -> String {
    let levels = [Detail::Full, Detail::Matches, Detail::Signature, Detail::Location];
    let terms = Terms::of(results);
    let drawn: Vec<_> = results
        .results
        .iter()
        .map(|item| {
            let lines = item.text.as_deref().map(Lines::new);
            levels.map(|detail| (detail, section(item, lines.as_ref(), &terms, detail)))
        })
        .collect();
    fit(results, budget, &levels, &|details, cut| {
        let mut out = String::new();
        for (drawn, wanted) in drawn.iter().zip(details) {
            if let Some((_, section)) = drawn.iter().find(|(detail, _)| detail == wanted) {
                out.push_str(section);
            }
        }
        out.push_str(&footer(results, cut));
        out
    })
}

/// Returns what the numbers in [`markdown`] refer to, as a JSON object: `{"1": {"path",
/// "start_line", "end_line", "commit"}}`.
///
/// In an answer from several repositories, each entry also has its `repository`.
pub fn references(results: &Results) -> String {
    let mut map = serde_json::Map::new();
    for item in &results.results {
        let searched = results.searched(item.repository);
        let mut place = serde_json::json!({
            "path": quoted(item.path.as_bstr()),
            "start_line": item.span.start_line,
            "end_line": item.span.end_line,
            "commit": searched.commit.map(|id| id.to_string()),
        });
        if !results.others.is_empty() {
            place["repository"] = searched.repository.path.into();
        }
        map.insert(item.rank.to_string(), place);
    }
    format!("{}\n", serde_json::Value::Object(map))
}

fn section(item: &ResultItem, lines: Option<&Lines<'_>>, terms: &Terms, detail: Detail) -> String {
    let mut out = format!("### [{}] {}", item.rank, reduce::place(item));
    if !item.symbol.is_empty() {
        let _ = write!(out, " — {}", clean::name(&item.symbol));
    }
    let url = item.document().map(|document| document.url).unwrap_or_default();
    if !url.is_empty() {
        let _ = write!(out, " <{url}>");
    }
    let marks = item.marks();
    if !marks.is_empty() {
        let _ = write!(out, " ({marks})");
    }
    out.push_str("\n\n");
    let Some(lines) = lines.filter(|_| detail >= Detail::Signature) else { return out };
    let mut code = String::new();
    for row in reduce::rows(lines.of_item(item), &reduce::shown(item, lines, terms, detail)) {
        match row {
            Row::Line(at) => code.push_str(&passages(&[item], lines, at)),
            Row::Elided(at) => {
                code.push_str(reduce::indentation(lines, at));
                code.push_str(&comment::elision(&item.language));
            }
        }
        code.push('\n');
    }
    let fence = "`".repeat(FENCE.max(longest_run(&code, '`') + 1));
    let _ = write!(out, "{fence}{}\n{code}{fence}\n\n", tag(&item.language));
    for also in item.also_line().into_iter().chain(item.copies_line()) {
        let _ = write!(out, "{also}\n\n");
    }
    out
}

/// Returns the tag by which Markdown renderers know a language.
pub(super) fn tag(language: &str) -> String {
    match language {
        "c-sharp" => "csharp".to_owned(),
        // The cells are shown as code.
        "jupyter" => "python".to_owned(),
        "text" => String::new(),
        other => {
            other.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '_')).collect()
        }
    }
}

pub(super) fn longest_run(text: &str, of: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == of { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

fn footer(results: &Results, cut: Option<&Omission>) -> String {
    let n_dirty = if results.worktree { results.n_dirty } else { 0 };
    let is_dirty = n_dirty > 0;
    let mut out = match (results.commit.map(|commit| commit.abbreviated(12)), results.results.is_empty()) {
        (Some(commit), true) if is_dirty => format!("Nothing found in the working tree at {commit}"),
        (Some(commit), true) => format!("Nothing found at {commit}"),
        (None, true) => "Nothing found".to_owned(),
        (Some(commit), false) if is_dirty => format!("Working tree at {commit}"),
        (Some(commit), false) => format!("At {commit}"),
        (None, false) => "Before the first commit".to_owned(),
    };
    if is_dirty {
        let _ = write!(out, " + {}", counted(n_dirty, "uncommitted file", "uncommitted files"));
    }
    if results.n_more > 0 {
        let _ = write!(out, "; {} more found", results.n_more);
    }
    if let Some(cut) = cut {
        let _ = write!(out, "; {}", cut.line());
    }
    out.push_str(".\n");
    for line in results.notes() {
        let _ = writeln!(out, "Note: {line}.");
    }
    for warning in &results.warnings {
        let _ = writeln!(out, "Warning: {}.", clean::name(warning));
    }
    out
}
