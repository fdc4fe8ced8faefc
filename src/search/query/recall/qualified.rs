//! The declarations that a name with a qualifier means: `clientv3.New`, `Session.request`.
//!
//! Words and names compare only the last part with names, and the rest with places. The graph knows
//! packages and what they export, so it finds the same declarations here as for `git cora refs`.

use bstr::BStr;

use crate::search::graph::{Graph, Graphs, manifests};
use crate::search::query::parse::parser::ParsedQuery;
use crate::search::query::{ChunkRef, Error, QueryKind, Sources};
use crate::search::segment::Index;

/// A name that means more declarations than this is not clear enough to bring them first.
const MAX_DECLARATIONS: usize = 8;

/// The only repository.
const HOME: usize = 0;

/// Returns the chunks that declare the name that is the whole query, if it has a qualifier, those
/// of tests last. `sources` gives the manifests, which name the packages of the repository.
pub(in crate::search::query) fn meant(
    index: &Index<'_>,
    parsed: &ParsedQuery,
    sources: Option<&dyn Sources>,
) -> Result<Vec<ChunkRef>, Error> {
    let [word] = parsed.symbols.as_slice() else { return Ok(Vec::new()) };
    if parsed.kind != QueryKind::Identifier || word.qualifier.is_empty() {
        return Ok(Vec::new());
    }
    let read = |path: &BStr| sources.and_then(|all| all.texts(&[path]).pop().flatten());
    let mut graphs = Graphs::default();
    graphs.add(Graph::new(index), &manifests::packages(index, "", &read));
    let Some(graph) = graphs.graph(HOME) else { return Ok(Vec::new()) };
    let found = graph.find(&format!("{}.{}", word.qualifier, word.written))?;
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
