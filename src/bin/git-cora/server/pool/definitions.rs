//! Looks up declarations by name: a symbol path → its declarations, as results.
//!
//! Owns the order of the declarations. Which ones a name means is the graph's rule, so that all
//! doors agree. There is no ranking and no full-text search: a client that gives a name wants that
//! declaration, not similar ones.

use std::sync::Arc;

use bstr::ByteSlice;

use git_cora::answer;
use git_cora::answer::view::labels;
use git_cora::answer::view::{DeclarationItem, ResultItem, Results};
use git_cora::index::chunk::{ByteRange, Span};
use git_cora::search::graph::{Graph, WrittenName};
use git_cora::search::query::{Pathspec, admits};
use git_cora::search::segment::DeclarationView;
use git_cora::{Searcher, Session, SessionError};

/// Returns how badly a declaration agrees with the name of the request, from 0 for exact.
///
/// 1 means that the declaration has further names before them, 2 that only the case differs, 3 that
/// the request has qualifiers that are not in the place of the declaration.
fn misfit(name: &str, one: &DeclarationView<'_>) -> u8 {
    let wanted = WrittenName::parse(name);
    match wanted.fit(&one.file, &one.row) {
        _ if one.name() == name => 0,
        _ if one.name() != wanted.name => 2,
        Some(fit) if fit.n < wanted.n_qualifiers() => 3,
        _ => u8::from(WrittenName::parse(&one.symbol_path()) != wanted),
    }
}

/// Returns the declarations with a name, at most `k` of them: those that [`answer::declared`]
/// finds.
///
/// Order: product code before tests, examples and vendored code. Among equal ones, those with the
/// most references come first, then by path and line.
///
/// # Errors
/// Those of the look-up, for a damaged cache.
pub(crate) fn definitions(
    session: &Session,
    searcher: &Searcher,
    name: &str,
    specs: &[Pathspec],
    k: usize,
    revision: &str,
) -> Result<Results, SessionError> {
    let index = searcher.index();
    let graph = Graph::new(&index);
    let declared = answer::declared(searcher, name)?;
    let mut found: Vec<(u8, bool, DeclarationView<'_>)> = declared
        .into_iter()
        .filter_map(|at| {
            let (file, row) = graph.declaration(at)?;
            let one = DeclarationView { file, ord: at.ord, row };
            let flags = one.file.flags();
            let is_aside = flags.is_test() || flags.is_example() || flags.is_vendored();
            admits(specs, one.file.path()).then(|| (misfit(name, &one), is_aside, one))
        })
        .collect();
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
    Ok(results)
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
