//! Looks up declarations by name: a symbol path → its declarations, as results.
//!
//! Owns how a written name is matched with declared ones, and the order of the matches. It reads
//! the declarations of an open searcher only. There is no ranking and no full-text search: a client
//! that gives a name wants that declaration, not similar ones.

use std::sync::Arc;

use bstr::ByteSlice;

use git_cora::answer::view::labels;
use git_cora::answer::view::{DeclarationItem, ResultItem, Results};
use git_cora::index::chunk::{ByteRange, Span};
use git_cora::search::query::{Pathspec, admits};
use git_cora::search::segment::DeclarationView;
use git_cora::{Searcher, Session};

/// Splits a symbol path into its names, whatever separator joins them.
pub(crate) fn name_parts(name: &str) -> Vec<String> {
    let is_join = |c: char| matches!(c, '.' | ':' | '#' | '/' | '\\') || c.is_whitespace();
    name.trim_end_matches(['(', ')'])
        .split(is_join)
        .filter(|one| !one.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Returns how badly a declaration's names match those of the request: 0 is exact, `None` no match.
///
/// 1 means that the declaration has further names before them, 2 that only the case differs, 3 that
/// the request has further names before the declaration's.
fn misfit(wanted: &[String], declared: &[String]) -> Option<u8> {
    // A fully qualified name includes namespaces, which may not be written around the declaration.
    if wanted.len() > declared.len() && declared.len() > 1 {
        return wanted.ends_with(declared).then_some(3);
    }
    let tail = declared.len().checked_sub(wanted.len()).and_then(|from| declared.get(from..))?;
    let is_same = tail == wanted;
    let is_alike = || tail.iter().zip(wanted).all(|(a, b)| a.to_lowercase() == b.to_lowercase());
    match (is_same, tail.len() == declared.len()) {
        (true, true) => Some(0),
        (true, false) => Some(1),
        (false, _) if is_alike() => Some(2),
        _ => None,
    }
}

/// Returns the declarations with a name, at most `k` of them.
///
/// Order: exact case before other case, then product code before tests, examples and vendored code.
/// Equal ones keep the order of the index, by path and line.
pub(crate) fn definitions(
    session: &Session,
    searcher: &Searcher,
    name: &str,
    specs: &[Pathspec],
    k: usize,
    revision: &str,
) -> Results {
    let wanted = name_parts(name);
    let bare = wanted.last().map(|name| name.to_lowercase()).unwrap_or_default();
    let index = searcher.index();
    let mut found: Vec<(u8, bool, DeclarationView<'_>)> = index
        .declarations()
        .filter(|one| one.name().to_lowercase() == bare || one.name() == name)
        .filter(|one| admits(specs, one.file.path()))
        .filter_map(|one| {
            let flags = one.file.flags();
            let is_aside = flags.is_test() || flags.is_example() || flags.is_vendored();
            // A key in a data file may contain dots, so that its name as a whole is compared first.
            let misfit =
                if one.name() == name { Some(0) } else { misfit(&wanted, &name_parts(&one.symbol_path())) };
            Some((misfit?, is_aside, one))
        })
        .collect();
    // If the name is found as written, matches in other case or other namespaces are noise.
    if found.iter().any(|(misfit, ..)| *misfit < 2) {
        found.retain(|(misfit, ..)| *misfit < 2);
    }
    found.sort_by_key(|(misfit, is_aside, _)| (*misfit, *is_aside));
    let n_more = found.len().saturating_sub(k);
    let mut results = Results::default();
    name.clone_into(&mut results.query);
    revision.clone_into(&mut results.revision);
    results.commit = searcher.commit();
    results.worktree = searcher.is_worktree();
    results.repository = session.info();
    results.n_dirty = searcher.n_dirty();
    results.warnings.clone_from(&searcher.warnings);
    results.n_more = n_more;
    for (rank, (misfit, is_aside, one)) in (1..).zip(found.into_iter().take(k)) {
        let mut item = item(searcher, rank, &one);
        item.score = score(misfit, is_aside);
        results.results.push(item);
    }
    results
}

/// Returns the score that orders declarations of several repositories, in (0, 1], higher is better.
fn score(misfit: u8, is_aside: bool) -> f64 {
    1.0 / (1.0 + 2.0 * f64::from(misfit) + if is_aside { 1.0 } else { 0.0 })
}

/// Lowest score of a match with misfit 0 or 1, which has exact case: misfit 1, in a test.
#[cfg(feature = "mcp")]
pub(crate) const AS_WRITTEN: f64 = 0.25;

fn item(searcher: &Searcher, rank: usize, one: &DeclarationView<'_>) -> ResultItem {
    let path = one.file.path();
    let text: Option<Arc<str>> = searcher.text(path);
    let row = &one.row;
    let mut declaration = DeclarationItem::default();
    one.name().clone_into(&mut declaration.name);
    declaration.span = row.span;
    declaration.name_line = row.name_line;
    declaration.signature = row.signature;
    declaration.body = row.body;
    declaration.doc = row.doc;
    let mut item = ResultItem::default();
    item.rank = rank;
    path.clone_into(&mut item.path);
    item.span = with_doc(&row.span, &row.doc, text.as_deref());
    item.symbol = one.symbol_path();
    item.kind = labels::declaration_kind(row.kind);
    one.file.language().clone_into(&mut item.language);
    item.git_status = searcher.git_status(path);
    item.blob = searcher.blob(path);
    item.text = text;
    item.declarations = vec![declaration];
    item
}

/// Returns a declaration's span, extended to the doc comment above it.
fn with_doc(span: &Span, doc: &ByteRange, text: Option<&str>) -> Span {
    let between = text.and_then(|text| text.get(doc.start as usize..span.bytes.start as usize));
    match between.filter(|_| !doc.is_empty()) {
        None => *span,
        Some(between) => {
            let n_lines = u32::try_from(between.as_bytes().find_iter(b"\n").count()).unwrap_or(0);
            Span {
                start_line: span.start_line.saturating_sub(n_lines).max(1),
                bytes: ByteRange { start: doc.start, end: span.bytes.end },
                ..*span
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_from_their_end() {
        for (wanted, declared, expected) in [
            ("parse", "parse", Some(0)),
            ("parse", "Parser.parse", Some(1)),
            ("Parser::parse", "net.Parser.parse", Some(1)),
            ("Parser#parse()", "Parser.parse", Some(0)),
            ("PARSE", "Parser.parse", Some(2)),
            ("parser.parse", "Parser::parse", Some(2)),
            ("Other.parse", "Parser.parse", None),
            ("net.Parser.parse", "Parser.parse", Some(3)),
            ("net.Other.parse", "Parser.parse", None),
            ("net.parse", "parse", None),
        ] {
            assert_eq!(misfit(&name_parts(wanted), &name_parts(declared)), expected, "{wanted} {declared}");
        }
    }
}
