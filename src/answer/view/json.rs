//! JSON: results → one object for programs, as `SCHEMA.md` specifies.
//!
//! Keys are written in the order of that document. Paths that are not UTF-8 are written with
//! replacement characters, and again in full as hexadecimal digits. Control characters and
//! characters that reorder text are escaped, so that the output is safe to print on a terminal.

use super::budget::{Omission, fit};
use super::reduce::Detail;
use super::{Budget, Change, NearWord, NearbyDeclaration, ResultItem, Results, SearchedRepository};
use crate::base::text::{hex, quoted};
use crate::index::chunk::{CellPlace, Document};
use bstr::ByteSlice;
use serde::Serialize;
use std::fmt::Write;

#[derive(Serialize)]
struct Answer<'a> {
    query: &'a str,
    revision: &'a str,
    commit: Option<String>,
    worktree: bool,
    dirty_files: usize,
    results: Vec<Entry<'a>>,
    more: usize,
    near: &'a [NearWord],
    clear: bool,
    stale: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<OtherRepository<'a>>,
    cut: Option<CutEntry<'a>>,
}

/// The JSON form of a searched repository other than the first: an entry of `others`.
#[derive(Debug, Serialize)]
pub struct OtherRepository<'a> {
    origin: &'a str,
    path: &'a str,
    revision: &'a str,
    commit: Option<String>,
    worktree: bool,
    dirty_files: usize,
}

impl<'a> From<&'a SearchedRepository> for OtherRepository<'a> {
    fn from(searched: &'a SearchedRepository) -> Self {
        Self {
            origin: &searched.repository.origin,
            path: &searched.repository.path,
            revision: &searched.revision,
            commit: searched.commit.map(|id| id.to_string()),
            worktree: searched.worktree,
            dirty_files: searched.n_dirty,
        }
    }
}

#[derive(Serialize)]
struct Entry<'a> {
    rank: usize,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    start_line: u32,
    end_line: u32,
    symbol: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    symbol_line: Option<u32>,
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    named_lines: &'a [u32],
    kind: &'a str,
    language: &'a str,
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    relevance: Option<f64>,
    git_status: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    included: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repository: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relation: Option<&'a str>,
    blob: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    document: Option<DocumentEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<CellEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    commentary: Option<&'a super::Commentary>,
    #[serde(skip_serializing_if = "<[NearbyDeclaration]>::is_empty")]
    also: &'a [NearbyDeclaration],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    copies: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explain: Vec<Part<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<&'a str>,
}

#[derive(Serialize)]
struct DocumentEntry {
    #[serde(skip_serializing_if = "String::is_empty")]
    id: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    title: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    url: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    timestamp: String,
}

#[derive(Serialize)]
struct CellEntry {
    number: usize,
    start_line: usize,
    end_line: usize,
}

#[derive(Serialize)]
struct Part<'a> {
    part: &'a str,
    value: f64,
    detail: &'a str,
}

#[derive(Serialize)]
struct CutEntry<'a> {
    results: usize,
    reason: &'a str,
    paths: &'a [String],
}

#[derive(Serialize)]
struct Line<'a> {
    id: &'a serde_json::Value,
    #[serde(flatten)]
    answer: Answer<'a>,
}

#[derive(Serialize)]
struct ErrorLine<'a> {
    id: &'a serde_json::Value,
    error: &'a str,
}

/// Writes the answer as one JSON object on one line.
///
/// The output never exceeds the budget. Results that don't fit are left out, and `cut` states how
/// many. If not even an answer without results fits, the output is empty.
pub fn json(results: &Results, budget: &Budget) -> String {
    fit(results, budget, &[Detail::Full], &|details, cut| encode(&answer(results, details, cut)))
}

/// Writes the answer to one line of a batch: the object of [`json`] with `id` as its first key.
///
/// If not even an answer without results fits the budget, the line is an error.
pub fn batch_line(id: &serde_json::Value, results: &Results, budget: &Budget) -> String {
    let line = fit(results, budget, &[Detail::Full], &|details, cut| {
        encode(&Line { id, answer: answer(results, details, cut) })
    });
    if line.is_empty() { batch_error(id, "the budget is too small for one result") } else { line }
}

fn answer<'a>(results: &'a Results, details: &[Detail], cut: Option<&'a Omission>) -> Answer<'a> {
    let shown = results.results.iter().zip(details).filter(|(_, detail)| **detail != Detail::Dropped);
    Answer {
        query: &results.query,
        revision: &results.revision,
        commit: results.commit.map(|id| id.to_string()),
        worktree: results.worktree,
        dirty_files: results.n_dirty,
        results: shown.map(|(item, _)| entry(item)).collect(),
        more: results.n_more,
        near: &results.near,
        clear: !results.results.is_empty() && results.unclear().is_none(),
        stale: &results.warnings,
        others: results.others.iter().map(OtherRepository::from).collect(),
        cut: cut.map(cut_entry),
    }
}

/// Writes the error for one line of a batch: `{"id", "error"}` on one line.
pub fn batch_error(id: &serde_json::Value, message: &str) -> String {
    encode(&ErrorLine { id, error: message })
}

fn entry(item: &ResultItem) -> Entry<'_> {
    let is_text = item.path.to_str().is_ok();
    Entry {
        rank: item.rank,
        path: quoted(item.path.as_bstr()).into_owned(),
        path_bytes: (!is_text).then(|| hex(&item.path)),
        start_line: item.span.start_line,
        end_line: item.span.end_line,
        symbol: Some(item.symbol.as_str()).filter(|symbol| !symbol.is_empty()),
        symbol_line: item.named.and_then(|at| item.declarations.get(at)).map(|one| one.name_line),
        named_lines: &item.lines,
        kind: item.kind,
        language: &item.language,
        score: rounded_score(item.score),
        relevance: item.relevance.map(rounded_relevance),
        git_status: item.git_status,
        change: item.change.map(Change::name),
        included: item.included.map(|_| true),
        repository: Some(item.repository).filter(|&at| at > 0),
        relation: item.relation.as_deref(),
        blob: item.blob.map(|id| id.to_string()),
        document: item.document().map(|Document { id, title, url, timestamp }| DocumentEntry {
            id,
            title,
            url,
            timestamp,
        }),
        cell: item.cell().map(|CellPlace { number, start_line, end_line }| CellEntry {
            number,
            start_line,
            end_line,
        }),
        commentary: item.commentary.as_ref(),
        also: &item.also,
        copies: item.copies.iter().map(|path| quoted(path.as_bstr()).into_owned()).collect(),
        explain: item
            .explanation
            .iter()
            .map(|one| Part { part: &one.part, value: rounded_score(one.value), detail: &one.detail })
            .collect(),
        order: item.moved.as_deref(),
    }
}

fn cut_entry(cut: &Omission) -> CutEntry<'_> {
    CutEntry { results: cut.n_dropped, reason: &cut.reason, paths: &cut.paths }
}

/// Rounds a relevance to three decimals, as all answers for programs show it.
pub fn rounded_relevance(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// Rounds a score or a part of it to six decimals, since further digits are noise. A value that is
/// not finite becomes 0, because the contract excludes `null` here.
pub fn rounded_score(value: f64) -> f64 {
    let rounded = (value * 1e6).round() / 1e6;
    // Adding 0.0 turns -0.0 into 0.0.
    if rounded.is_finite() { rounded + 0.0 } else { 0.0 }
}

fn encode(value: &impl Serialize) -> String {
    let plain = serde_json::to_string(value).expect("because strings, numbers and lists always encode");
    let mut out = String::with_capacity(plain.len() + 1);
    for c in plain.chars() {
        // These characters can occur only inside strings, where `\u` escapes mean the same.
        match c {
            '\x7f'..='\u{9f}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('\n');
    out
}
