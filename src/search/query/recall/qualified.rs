//! The declarations that a name with a qualifier means: `clientv3.New`, `Session.request`.
//!
//! Words and names compare only the last part with names, and the rest with places. The graph knows
//! packages and what they export, so it finds the same declarations here as for `git cora refs`.

use crate::search::query::parse::parser::ParsedQuery;
use crate::search::query::{ChunkRef, Error, QueryKind, Sources};
use crate::search::segment::Index;

use super::relation::{HOME, own_graphs};

/// A name that means more declarations than this is not clear enough to bring them first.
const MAX_DECLARATIONS: usize = 8;

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
    let graphs = own_graphs(index, sources);
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
