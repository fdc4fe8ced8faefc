//! The neighbours of a place by references.
//!
//! A line belongs to a declaration. Its neighbours are the declarations that it refers to and those
//! that refer to it, in all repositories. References lead further on from their chunks, by
//! spreading weight. Only a line outside of any declaration stands for its whole chunk.

use std::collections::{HashMap, HashSet};

use bstr::BStr;
use serde::Serialize;

use crate::index::chunk::{ReferenceKind, Span};
use crate::search::graph::{DeclarationRef, Edge, Graph, Graphs, Spread};
use crate::search::segment::{ChunkRef, DeclarationView, Index};

use super::relations::reader::{Reader, is_listed};
use super::relations::referrers::PlaceMatch;
use super::relations::unresolved::MentioningFiles;
use super::relations::words::enclosing;
use super::relations::{
    Place, RelationQuery, backward, chunk_place, forward, graphs_of, is_test, outside_place, place_of,
    sources_of,
};
use crate::search::{Result, Searcher};

/// Weight of a direct reference that spreads nothing, such as the use of a constant.
const LEAST_WEIGHT: f64 = 1e-6;
/// How much of its weight a test keeps that refers to the declaration. The code that uses it says
/// more about it.
const TEST_SHARE: f64 = 0.25;
/// The relation of places that no direct reference connects.
const INDIRECT: &str = "indirect";
/// Most direct neighbours from which indirect ones are looked for.
const MAX_STARTS: usize = 200;

/// A place that references lead to from another.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Neighbour {
    /// The declaration there, or the one that its chunk is or starts with.
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

/// The places that references connect with another one.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Neighbours {
    /// The place that was asked for.
    pub place: Place,
    /// The nearest first.
    pub items: Vec<Neighbour>,
    /// Number of places that the limit left out, without [`Self::more_indirect`].
    pub more: usize,
    /// Number of places that the limit left out and that no direct reference connects.
    pub more_indirect: usize,
    /// Files of its repository that mention its name without a resolved reference. Absent if there
    /// are none, if the name is a common word, or outside of any declaration.
    pub mentioned: Option<MentioningFiles>,
}

impl Neighbours {
    /// Returns them with the places of one relation together: the relation of the nearest place
    /// first. Places of other repositories stay in front.
    #[must_use]
    pub fn by_relation(mut self) -> Self {
        let home = self.place.repository;
        let mut first: HashMap<(bool, String), usize> = HashMap::new();
        let key = |one: &Neighbour| (one.place.repository == home, one.relation.clone());
        for (at, one) in self.items.iter().enumerate() {
            first.entry(key(one)).or_insert(at);
        }
        self.items.sort_by_key(|one| {
            let (is_home, relation) = key(one);
            (is_home, relation == INDIRECT, first.get(&(is_home, relation)).copied())
        });
        self
    }
}

/// The places connected by references with the declaration at a line, the nearest first, at most
/// `limit`. A line outside of any declaration stands for its chunk. `None` if the file is not
/// indexed.
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
) -> Result<Option<Neighbours>> {
    let indexes: Vec<Index<'_>> = repositories.iter().map(|searcher| searcher.index()).collect();
    let graphs = graphs_of(repositories, &indexes);
    let Some(graph) = graphs.graph(home) else { return Ok(None) };
    let Some(file) = graph.index().file_by_path(path) else { return Ok(None) };
    let spread = Spread::default();
    let is_at = |span: &Span| (span.start_line..=span.end_line).contains(&line);
    let mut mentioned = None;
    let (place, mut abroad, home_list) = match enclosing(file.declarations(), is_at) {
        Some(asked) => {
            let of = DeclarationRef { part: file.part, ord: asked.ord };
            let place = place_of(home, &asked);
            let query = RelationQuery::new("").with_limit(limit);
            let mut reader = Reader::new(graphs, sources_of(repositories), &query);
            let (abroad, at_home) = of_declaration(&mut reader, (home, of), &spread, limit)?;
            mentioned = reader.mentioned(home, &[of])?.filter(|one| !one.files.is_empty());
            (place, abroad, at_home)
        }
        None => {
            let chunks = file.segment.chunks_of(file.ord);
            let has = |ord: &u32| file.segment.chunk(*ord).is_some_and(|row| row.span.end_line >= line);
            let Some(ord) = chunks.clone().find(has).or(chunks.last()) else { return Ok(None) };
            let at = ChunkRef { part: file.part, ord };
            let Some(place) = chunk_place(home, graph, at) else { return Ok(None) };
            (place, abroad(&graphs, home, at, &spread)?, at_home(home, graph, at, &spread, limit)?)
        }
    };
    abroad.sort_by(|a, b| a.test.cmp(&b.test).then(b.weight.total_cmp(&a.weight)));
    let HomeNeighbours { items: at_home, n_left_out, n_indirect } = home_list;
    let all = || abroad.iter().chain(&at_home);
    let n_all = all().count() + n_left_out;
    let n_all_indirect = all().filter(|one| one.relation == INDIRECT).count() + n_indirect;
    // Places in other repositories come first, because several repositories were searched for them.
    // Room that one half leaves goes to the other.
    abroad.truncate((limit - limit / 2).max(limit.saturating_sub(at_home.len())));
    abroad.extend(at_home);
    abroad.truncate(limit);
    let n_shown_indirect = abroad.iter().filter(|one| one.relation == INDIRECT).count();
    let more_indirect = n_all_indirect - n_shown_indirect;
    let more = n_all - abroad.len() - more_indirect;
    Ok(Some(Neighbours { place, items: abroad, more, more_indirect, mentioned }))
}

/// Neighbours in the repository of the place itself.
struct HomeNeighbours {
    /// The nearest ones, nearest first.
    items: Vec<Neighbour>,
    /// How many more there are.
    n_left_out: usize,
    /// How many of these no direct reference connects, as far as it is known.
    n_indirect: usize,
}

/// A place that a reference connects with another one.
struct WeightedMatch<'s> {
    place: PlaceMatch<'s>,
    /// Whether the reference leads to it, and not from it.
    is_forward: bool,
    weight: f64,
}

/// The neighbours of a declaration: those in other repositories, and those in its own, the nearest
/// first.
fn of_declaration(
    reader: &mut Reader<'_, '_, '_>,
    of: (usize, DeclarationRef),
    spread: &Spread,
    limit: usize,
) -> Result<(Vec<Neighbour>, HomeNeighbours)> {
    let (home, asked) = of;
    let referred = reader.referred(of)?;
    let mut found: Vec<WeightedMatch<'_>> = Vec::new();
    for one in referred {
        let weight = match reader.graphs().graph(one.repository) {
            Some(graph) => spread.forward_weight(graph, &one.edge)?,
            None => 0.0,
        };
        found.push(WeightedMatch { place: one, is_forward: true, weight });
    }
    found.retain(|one| one.weight > 0.0 && is_listed(&one.place));
    // All that refers to the declaration itself counts, however common its name is.
    for kind in Spread::USES.into_iter().chain([ReferenceKind::Use]) {
        let referring = match kind {
            ReferenceKind::Inherits => reader.inheritors(of)?,
            kind => reader.referrers(of, &[kind])?,
        };
        let n = u64::try_from(referring.len()).unwrap_or(u64::MAX);
        for one in referring.into_iter().filter(is_listed) {
            let weight = spread.backward_weight(&one.edge, n).max(LEAST_WEIGHT);
            found.push(WeightedMatch { place: one, is_forward: false, weight });
        }
    }
    let is_home = |one: &&WeightedMatch<'_>| one.place.repository == home;
    let graphs = reader.graphs();
    let abroad = nearest(graphs, found.iter().filter(|one| !is_home(one)), spread);
    let mut at_home = nearest(graphs, found.iter().filter(is_home), spread);
    let mut n_left_out = 0;
    if let Some(graph) = graphs.graph(home) {
        let mut start: Vec<(ChunkRef, f64)> = found
            .iter()
            .filter(is_home)
            .filter_map(|one| Some((end_of(graph, &one.place.edge, one.is_forward)?, one.weight)))
            .collect();
        let mut known: HashSet<ChunkRef> = start.iter().map(|(chunk, _)| *chunk).collect();
        start.sort_by(|a, b| b.1.total_cmp(&a.1));
        start.truncate(MAX_STARTS);
        known.extend(graph.chunk_of(asked));
        let passed: f64 = at_home.iter().map(|one| one.weight).sum();
        let mut further = spread.run(graph, &start)?;
        further.retain(|(chunk, _)| !known.contains(chunk) && !is_inside(graph, *chunk, asked));
        further.sort_by(|a, b| b.1.total_cmp(&a.1));
        let room = limit.saturating_sub(at_home.len());
        n_left_out = further.len().saturating_sub(room);
        for (chunk, weight) in further.into_iter().take(room) {
            let Some(place) = chunk_place(home, graph, chunk) else { continue };
            let (relation, test) = (INDIRECT.to_owned(), is_test(graph, chunk));
            at_home.push(Neighbour { place, relation, weight: weight * passed, test });
        }
    }
    Ok((abroad, HomeNeighbours { items: at_home, n_left_out, n_indirect: n_left_out }))
}

/// Related places by weight, each once in each direction. Their weights are what would reach them
/// in one push to all of them.
fn nearest<'m, 's: 'm>(
    graphs: &Graphs<'_, 's>,
    found: impl Iterator<Item = &'m WeightedMatch<'s>>,
    spread: &Spread,
) -> Vec<Neighbour> {
    // The strongest reference names the relation.
    let mut all: Vec<(Neighbour, f64)> = Vec::new();
    let mut at: HashMap<(bool, Place), usize> = HashMap::new();
    for WeightedMatch { place: one, is_forward, weight } in found {
        let Some(graph) = graphs.graph(one.repository) else { continue };
        let place = match &one.other {
            Some(view) => Some(place_of(one.repository, view)),
            None => outside_place(one.repository, graph, one.edge.from, one.at),
        };
        let Some(place) = place else { continue };
        let name = if *is_forward { forward } else { backward };
        let (relation, strength) = (name(one.edge.kind).to_owned(), one.edge.strength());
        let test = end_of(graph, &one.edge, *is_forward).is_some_and(|end| is_test(graph, end));
        let weight = if test && !is_forward { weight * TEST_SHARE } else { *weight };
        let direction = (*is_forward, place.clone());
        match at.get(&direction).and_then(|&at| all.get_mut(at)) {
            Some((known, strongest)) => {
                known.weight += weight;
                if strength > *strongest {
                    (known.relation, *strongest) = (relation, strength);
                }
            }
            None => {
                at.insert(direction, all.len());
                all.push((Neighbour { place, relation, weight, test }, strength));
            }
        }
    }
    let sum: f64 = all.iter().map(|(one, _)| one.weight).sum();
    let passes = (1.0 - spread.stay) * sum.min(1.0);
    let mut all: Vec<Neighbour> = all.into_iter().map(|(one, _)| one).collect();
    all.iter_mut().for_each(|one| one.weight *= passes / sum);
    all.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    all
}

/// The chunk at the other end of a reference.
fn end_of(graph: &Graph<'_, '_>, edge: &Edge, is_forward: bool) -> Option<ChunkRef> {
    if is_forward { graph.chunk_of(edge.to) } else { Some(edge.from) }
}

/// Whether a chunk is part of a declaration.
fn is_inside(graph: &Graph<'_, '_>, chunk: ChunkRef, of: DeclarationRef) -> bool {
    let Some((file, row)) = graph.declaration(of) else { return false };
    let span = file.segment.chunk(chunk.ord).map(|chunk| chunk.span.bytes);
    let around = row.span.bytes;
    file.segment.chunks_of(file.ord).contains(&chunk.ord)
        && chunk.part == of.part
        && span.is_some_and(|span| around.start <= span.start && span.end <= around.end)
}

/// The places in other repositories that a chunk refers to, or that refer to it.
fn abroad(graphs: &Graphs<'_, '_>, home: usize, at: ChunkRef, spread: &Spread) -> Result<Vec<Neighbour>> {
    let mut abroad = Vec::new();
    for (other, one) in spread.abroad(graphs, home, at)? {
        let Some(graph) = graphs.graph(other) else { continue };
        let (meant, relation) = match one.is_forward {
            true => (meant(other, graph, &one.edge), forward(one.edge.kind)),
            false => (None, backward(one.edge.kind)),
        };
        let Some(place) = meant.or_else(|| chunk_place(other, graph, one.end)) else { continue };
        let test = is_test(graph, one.end);
        abroad.push(Neighbour { place, relation: relation.to_owned(), weight: one.weight, test });
    }
    Ok(abroad)
}

/// The chunks next to one in its own repository, the nearest first.
fn at_home(
    home: usize,
    graph: &Graph<'_, '_>,
    at: ChunkRef,
    spread: &Spread,
    limit: usize,
) -> Result<HomeNeighbours> {
    let mut found = spread.run(graph, &[(at, 1.0)])?;
    found.retain(|(chunk, _)| *chunk != at);
    let n_left_out = found.len().saturating_sub(limit);
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
            relation = back.map(|edge| backward(edge.kind)).unwrap_or(INDIRECT);
        }
        let test = is_test(graph, chunk);
        neighbours.push(Neighbour { place, relation: relation.to_owned(), weight, test });
    }
    // How each of the others is connected would take its references to find out.
    Ok(HomeNeighbours { items: neighbours, n_left_out, n_indirect: 0 })
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
