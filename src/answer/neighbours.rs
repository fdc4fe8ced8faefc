//! The neighbours of a place by references: in its own repository by spreading weight, in others by
//! what it uses and what uses it.

use bstr::BStr;
use serde::Serialize;

use crate::search::graph::{Edge, Graph, Spread};
use crate::search::segment::{ChunkRef, DeclarationView, Index};

use super::mention::enclosing;
use super::relations::{Place, backward, chunk_place, forward, graphs_of, is_test, place_of};
use crate::search::{Result, Searcher};

/// A chunk that references lead to from another.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Neighbour {
    /// The declaration that the chunk is, or starts with.
    #[serde(flatten)]
    pub place: Place,
    /// The relation, if one refers to the other: `calls`, `called by`, `implements` …
    pub relation: String,
    /// Its share of the weight that spreads from the place; in another repository, of what spreads
    /// to all others.
    pub weight: f64,
    /// Whether it is a test.
    pub test: bool,
}

/// The chunks connected by references with the one around a line, the nearest first, at most
/// `limit`. `None` if the file is not indexed.
///
/// The place is in the repository `home`. References to and from other repositories, resolved by
/// their imports, come first; they take at most half of the list if both are many. Each place says
/// which repository it is in.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged cache.
pub fn related(
    repositories: &[&Searcher],
    home: usize,
    path: &BStr,
    line: u32,
    limit: usize,
) -> Result<Option<(Place, Vec<Neighbour>)>> {
    let indexes: Vec<Index<'_>> = repositories.iter().map(|searcher| searcher.index()).collect();
    let graphs = graphs_of(repositories, &indexes);
    let Some(graph) = graphs.graph(home) else { return Ok(None) };
    let Some(file) = graph.index().file_by_path(path) else { return Ok(None) };
    let chunks = file.segment.chunks_of(file.ord);
    let has = |ord: &u32| file.segment.chunk(*ord).is_some_and(|row| row.span.end_line >= line);
    let Some(ord) = chunks.clone().find(has).or(chunks.last()) else { return Ok(None) };
    let at = ChunkRef { part: file.part, ord };
    let asked = enclosing(file.declarations(), |span| (span.start_line..=span.end_line).contains(&line));
    let asked = asked.map(|one| place_of(home, &one));
    let Some(place) = asked.or_else(|| chunk_place(home, graph, at)) else { return Ok(None) };
    let spread = Spread::default();
    let mut abroad = Vec::new();
    for (other, one) in spread.abroad(&graphs, home, at)? {
        let Some(graph) = graphs.graph(other) else { continue };
        let (meant, relation) = match one.is_forward {
            true => (meant(other, graph, &one.edge), forward(one.edge.kind)),
            false => (None, backward(one.edge.kind)),
        };
        let Some(place) = meant.or_else(|| chunk_place(other, graph, one.end)) else { continue };
        let test = is_test(graph, one.end);
        abroad.push(Neighbour { place, relation: relation.to_owned(), weight: one.weight, test });
    }
    abroad.sort_by(|a, b| a.test.cmp(&b.test).then(b.weight.total_cmp(&a.weight)));
    let at_home = at_home(home, graph, at, &spread, limit)?;
    // Places in other repositories come first, because several repositories were searched for them.
    // Room that one half leaves goes to the other.
    abroad.truncate((limit - limit / 2).max(limit.saturating_sub(at_home.len())));
    abroad.extend(at_home);
    abroad.truncate(limit);
    Ok(Some((place, abroad)))
}

/// The chunks next to one in its own repository, the nearest first.
fn at_home(
    home: usize,
    graph: &Graph<'_, '_>,
    at: ChunkRef,
    spread: &Spread,
    limit: usize,
) -> Result<Vec<Neighbour>> {
    let mut found = spread.run(graph, &[(at, 1.0)])?;
    found.retain(|(chunk, _)| *chunk != at);
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    let outgoing = graph.outgoing(at)?;
    let mut neighbours = Vec::new();
    for (chunk, weight) in found.into_iter().take(limit) {
        let Some(place) = chunk_place(home, graph, chunk) else { continue };
        let edge = strongest(&outgoing, |edge| graph.chunk_of(edge.to) == Some(chunk));
        let place = edge.and_then(|edge| meant(home, graph, edge)).unwrap_or(place);
        let mut relation = edge.map(|edge| forward(edge.kind)).unwrap_or_default();
        if relation.is_empty() {
            let back = graph.outgoing(chunk)?;
            let back = strongest(&back, |edge| graph.chunk_of(edge.to) == Some(at));
            relation = back.map(|edge| backward(edge.kind)).unwrap_or("indirect");
        }
        let test = is_test(graph, chunk);
        neighbours.push(Neighbour { place, relation: relation.to_owned(), weight, test });
    }
    Ok(neighbours)
}

/// The strongest of some references, of equal ones the first.
fn strongest(edges: &[Edge], is_meant: impl Fn(&&Edge) -> bool) -> Option<&Edge> {
    edges.iter().filter(is_meant).rev().max_by(|a, b| a.strength().total_cmp(&b.strength()))
}

/// The declaration of a chunk that a reference means.
fn meant(repository: usize, graph: &Graph<'_, '_>, edge: &Edge) -> Option<Place> {
    let (file, row) = graph.declaration(edge.to)?;
    Some(place_of(repository, &DeclarationView { file, ord: edge.to.ord, row }))
}
