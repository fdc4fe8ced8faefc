//! Paths: results → one `path:line: name` per line, for editors and `grep`-like pipelines.
//!
//! The output contains nothing else: no footer and no note about cut results, since a program would
//! read them as places.

use super::lines::Lines;
use super::text::first_similar;
use super::{Budget, Change, DeclarationItem, ResultItem, Results, clean};
use crate::search::query::{has_phrase, phrases};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt::Write;

/// Maximum characters of the first line when it replaces a missing symbol.
const MAX_TEXT: usize = 120;

/// Returns the results that are listed. If some have the reference that the query asks for, the
/// others are left out: a line can't say that it is merely similar.
fn listed(results: &Results) -> &[ResultItem] {
    let end = first_similar(results).unwrap_or(results.results.len());
    results.results.get(..end).unwrap_or_default()
}

/// Returns the number of results that [`paths`] and [`files`] leave out, because they lack the
/// reference that the query asks for.
pub fn n_unlisted(results: &Results) -> usize {
    results.results.len() - listed(results).len()
}

/// Returns whether the results look like all places of something: the references that the query
/// asks for, or its quoted text.
pub fn seems_complete(results: &Results) -> bool {
    let has_references =
        results.asks_references && results.results.first().is_some_and(|first| first.relation.is_some());
    has_references || !phrases(&results.query).is_empty()
}

/// Writes the path of each file with a result, best first, each once.
///
/// Ends where the budget does, like [`paths`].
pub fn files(results: &Results, budget: &Budget) -> String {
    let mut out = String::new();
    let mut seen = HashSet::new();
    for item in listed(results) {
        let path = item.shown_path();
        let kept = out.len();
        out.push_str(&path);
        out.push('\n');
        if !seen.insert(path) || !budget.holds(&out) {
            out.truncate(kept);
        }
    }
    out
}

/// Returns the mark of a place that the searched commits no longer have.
fn mark(item: &ResultItem) -> &'static str {
    if item.change == Some(Change::Removed) { " [removed]" } else { "" }
}

/// Returns the line of a result without a symbol that matches best: the first one that the query
/// names, or else one with the longest words of the query. For a question about references, the
/// name in question is the last word of the relation. `None` if no line has any of the words.
fn matching_line(item: &ResultItem, query: &str) -> Option<u32> {
    let is_outside = item.symbol.is_empty() && item.kind != "section";
    let text = item.text.as_deref().filter(|_| is_outside)?;
    if let Some(line) = item.lines.first() {
        return Some(*line);
    }
    let words = |text: &str| -> HashSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.len() > 1);
        words.map(str::to_lowercase).collect()
    };
    let name = item.relation.as_deref().and_then(|relation| relation.rsplit([' ', '.', ':']).next());
    let sought = words(name.unwrap_or(query));
    let lines = Lines::new(text);
    let score = |at: usize| -> usize { words(lines.get(at)).intersection(&sought).map(String::len).sum() };
    let best = lines.of_span(&item.span).map(|at| (score(at), Reverse(at))).max()?;
    u32::try_from(best.1.0).ok().filter(|_| best.0 > 0)
}

/// Returns the rows of a result that holds quoted text: each line that has it, with the innermost
/// declaration around it and the text of the line. A phrase of several lines has none.
fn phrase_rows(item: &ResultItem, phrases: &[String]) -> Vec<(String, String)> {
    let Some(text) = item.text.as_deref().filter(|_| !phrases.is_empty()) else { return Vec::new() };
    let lines = Lines::new(text);
    let has = |at: &usize| phrases.iter().any(|phrase| has_phrase(lines.get(*at), phrase));
    let name = |at: usize| {
        let line = u32::try_from(at).unwrap_or(u32::MAX);
        let is_around = |one: &&DeclarationItem| (one.span.start_line..=one.span.end_line).contains(&line);
        let innermost = item
            .declarations
            .iter()
            .filter(is_around)
            .min_by_key(|one| one.span.end_line - one.span.start_line);
        let text: String = lines.get(at).trim().chars().take(MAX_TEXT).collect();
        match innermost {
            Some(one) if !item.symbol.ends_with(&one.name) => format!("{}: {text}", one.name),
            _ if item.symbol.is_empty() => text,
            _ => format!("{}: {text}", item.symbol),
        }
    };
    let row = |at: usize| (format!("{}:{at}", item.shown_path()), name(at));
    lines.of_span(&item.span).filter(has).map(row).collect()
}

/// Returns the row of a result: its place, with the symbol or else the line of text there.
fn best_row(item: &ResultItem, query: &str) -> (String, String) {
    let named = item.named.and_then(|at| item.declarations.get(at));
    let outside = matching_line(item, query).filter(|_| named.is_none());
    let line = outside.or(named.map(|one| one.name_line)).unwrap_or(item.span.start_line);
    let name = match (&item.symbol, &item.text) {
        (symbol, Some(text)) if symbol.is_empty() => {
            let lines = Lines::new(text);
            let first = lines.of_span(&item.span).find(|&at| !lines.is_blank(at));
            let shown = outside.and_then(|line| usize::try_from(line).ok()).or(first);
            shown.map(|at| lines.get(at).trim().chars().take(MAX_TEXT).collect()).unwrap_or_default()
        }
        (symbol, _) => symbol.clone(),
    };
    (format!("{}:{line}", item.shown_path()), name)
}

/// Writes one line per result, best first: path, first line, and the symbol or else the first line
/// of text.
///
/// For a chunk of several declarations, the line is that of the symbol. For code outside of
/// declarations, it is the one that matches. If the query has quoted text, each line with this text
/// is written instead, with its text after the symbol. Each place occurs once.
/// `vim -q`, the compilation mode of Emacs and programs that read `grep -n` can read the output.
///
/// Control characters in paths and text become visible, so that every result takes exactly one
/// line. A removed place is marked at the end of its line, because its line number is that of the
/// old file. The output ends where the budget does, without a note.
pub fn paths(results: &Results, budget: &Budget) -> String {
    let mut out = String::new();
    let mut seen = HashSet::new();
    let quoted = phrases(&results.query);
    for item in listed(results) {
        let mut rows = phrase_rows(item, &quoted);
        if rows.is_empty() {
            rows.push(best_row(item, &results.query));
        }
        // For a question about references, these are the others in the chunk that have one.
        let others = item.also.iter().filter(|_| item.relation.is_some());
        rows.extend(others.map(|one| (format!("{}:{}", item.shown_path(), one.line), one.symbol.clone())));
        rows.retain(|(place, _)| seen.insert(place.clone()));
        for (place, name) in rows {
            let kept = out.len();
            // Writing to a String does not fail.
            let _ = writeln!(out, "{place}: {}{}", clean::name(&name), mark(item));
            if !budget.holds(&out) {
                out.truncate(kept);
                return out;
            }
        }
    }
    out
}
