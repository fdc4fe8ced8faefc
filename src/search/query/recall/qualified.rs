//! The declarations that a query is about: `clientv3.New`, "how does Session.request work".
//!
//! Words and names compare only the last part with names, and the rest with places. The graph knows
//! packages and what they export, so it finds the same declarations here as for `git cora refs`.

use std::borrow::Cow;

use crate::search::graph::{DeclarationRef, Graph, is_function};
use crate::search::query::parse::parser::ParsedQuery;
use crate::search::query::parse::subject::subject;
use crate::search::query::{ChunkRef, Error, QueryKind, Sources};
use crate::search::segment::Index;

use super::relation::{HOME, own_graphs};

/// A name that means more declarations than this is not clear enough to bring them first.
const MAX_DECLARATIONS: usize = 8;

/// Returns the chunks that declare the name that is the whole query, if it has a qualifier, or the
/// only name that a question is about. `sources` gives the manifests, which name the packages of
/// the repository.
pub(in crate::search::query) fn meant(
    index: &Index<'_>,
    text: &str,
    parsed: &ParsedQuery,
    sources: Option<&dyn Sources>,
) -> Result<Vec<ChunkRef>, Error> {
    let Some(name) = name(text, parsed) else { return Ok(Vec::new()) };
    let graphs = own_graphs(index, sources);
    let Some(graph) = graphs.graph(HOME) else { return Ok(Vec::new()) };
    let mut found = graph.find(&name)?;
    if parsed.kind == QueryKind::NaturalLanguage {
        keep_best(graph, &mut found, parsed.wants_tests);
    }
    if found.len() > MAX_DECLARATIONS {
        return Ok(Vec::new());
    }
    let mut chunks: Vec<ChunkRef> = Vec::new();
    for chunk in found.into_iter().filter_map(|at| graph.chunk_of(at)) {
        if !chunks.contains(&chunk) {
            chunks.push(chunk);
        }
    }
    Ok(chunks)
}

/// Returns the name that a query is about.
fn name<'t>(text: &'t str, parsed: &ParsedQuery) -> Option<Cow<'t, str>> {
    match parsed.kind {
        QueryKind::Identifier => {
            let [word] = parsed.symbols.as_slice() else { return None };
            let has_qualifier = !word.qualifier.is_empty();
            has_qualifier.then(|| Cow::Owned(format!("{}.{}", word.qualifier, word.written)))
        }
        QueryKind::NaturalLanguage => subject(text).map(Cow::Borrowed),
        _ => None,
    }
}

/// Leaves out what a question about a name does not mean if something else has the name: tests,
/// code of others, and functions without a body.
fn keep_best(graph: &Graph<'_, '_>, found: &mut Vec<DeclarationRef>, wants_tests: bool) {
    let is_own = |at: &DeclarationRef| {
        graph.declaration(*at).is_some_and(|(file, _)| {
            let flags = file.flags();
            (wants_tests || !flags.is_test()) && !flags.is_vendored()
        })
    };
    let has_body = |at: &DeclarationRef| {
        graph.declaration(*at).is_some_and(|(_, row)| !is_function(row.kind) || !row.body.is_empty())
    };
    if found.iter().any(is_own) {
        found.retain(is_own);
    }
    if found.iter().any(has_body) {
        found.retain(has_body);
    }
}
