//! Personalised PageRank over references, by local push.
//!
//! Source: Andersen, Chung, Lang, «Local Graph Partitioning using PageRank Vectors», FOCS 2006. Only the chunks
//! that weight reaches are ever looked at, so the cost depends on the start and not on the repository.

use std::collections::BTreeMap;

use crate::index::chunk::ReferenceKind;
use crate::search::segment::ChunkRef;

use super::{DeclarationRef, Edge, Graph, Graphs, Place, Result};

/// How weight spreads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The share that stays where it is, at each push; what is left goes on.
    pub stay: f64,
    /// Less than this on a chunk is not pushed on.
    pub least: f64,
    /// Most pushes.
    pub pushes: usize,
    /// Share of what goes on that follows references; the rest goes back to what refers here.
    pub forward: f64,
    /// A name that more chunks mention in one way than this is not followed: to each of what it may mean it would add
    /// little, and there is much that it may mean.
    pub common: u64,
    /// A declaration that more chunks refer to than this is not followed back.
    pub referrers: u64,
}

impl Default for Spread {
    fn default() -> Self {
        Self { stay: 0.5, least: 1e-3, pushes: 200, forward: 0.6, common: u64::MAX, referrers: 64 }
    }
}

impl Spread {
    /// The weight that comes to chunks by references from those given, which together weigh 1. In order of paths, then
    /// of starts.
    ///
    /// The same to the last bit on every run and with every base: chunks are pushed by what lies on them, then by
    /// where they stand, and all sums are in that order.
    ///
    /// # Errors
    /// [`Error::Corrupt`](super::Error::Corrupt).
    pub fn run(&self, graph: &Graph<'_, '_>, start: &[(ChunkRef, f64)]) -> Result<Vec<(ChunkRef, f64)>> {
        let mut rest: BTreeMap<Place<'_>, f64> = BTreeMap::new();
        let mut come: BTreeMap<Place<'_>, f64> = BTreeMap::new();
        for (chunk, weight) in start {
            *rest.entry(graph.place(*chunk)).or_default() += weight.max(0.0);
        }
        let total: f64 = rest.values().sum();
        rest.values_mut().for_each(|weight| *weight /= total);
        for _ in 0..self.pushes {
            let most = rest.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
            let Some((&at, &weight)) = most.filter(|most| *most.1 >= self.least) else { break };
            rest.remove(&at);
            let around = self.around(graph, at.chunk)?;
            let sum: f64 = around.values().sum();
            if sum <= 0.0 {
                continue;
            }
            // A chunk whose edges are all doubtful or common keeps part of what it could pass on.
            let passes = (1.0 - self.stay) * weight * sum.min(1.0);
            for (to, share) in around {
                let part = passes * share / sum;
                *rest.entry(to).or_default() += part;
                *come.entry(to).or_default() += part;
            }
        }
        Ok(come.into_iter().map(|(place, weight)| (place.chunk, weight)).collect())
    }

    /// What a chunk of a repository refers to in the others, and what of them refers to it, each chunk once, with the
    /// weight that would come to it in one push to all of them. Of what refers to one declaration in one way in one of them,
    /// only the first [`Spread::referrers`].
    ///
    /// # Errors
    /// [`Error::Corrupt`](super::Error::Corrupt).
    pub fn abroad(&self, graphs: &Graphs<'_, '_>, home: usize, at: ChunkRef) -> Result<Vec<(usize, Abroad)>> {
        let mut found: Vec<(usize, Abroad)> = Vec::new();
        if graphs.len() < 2 {
            return Ok(found);
        }
        let mut add = |other: usize, end: ChunkRef, edge: Edge, is_forward: bool, weight: f64| match found
            .iter_mut()
            .find(|(at, one)| (*at, one.end) == (other, end))
        {
            Some((_, known)) => {
                if edge.strength() > known.edge.strength() {
                    (known.edge, known.is_forward) = (edge, is_forward);
                }
                known.weight += weight;
            }
            None => found.push((other, Abroad { end, edge, is_forward, weight })),
        };
        for (other, edge) in graphs.outgoing(home, at)? {
            let Some(graph) = graphs.graph(other).filter(|_| other != home) else { continue };
            let Some(end) = graph.chunk_of(edge.to) else { continue };
            let common = graph.n_referrers(edge.to, edge.kind)?;
            let weight = self.forward * edge.strength() / root(common);
            add(other, end, edge, true, weight);
        }
        let segment = graphs.graph(home).and_then(|graph| graph.index().segment(at.part));
        for ord in segment.into_iter().flat_map(|segment| segment.declarations_in(at.ord)) {
            let to = DeclarationRef { part: at.part, ord };
            for other in (0..graphs.len()).filter(|&other| other != home) {
                for kind in USES {
                    let edges = graphs.incoming_from(other, home, to, &[kind])?;
                    let common = edges.len() as u64;
                    let most = usize::try_from(self.referrers).unwrap_or(usize::MAX);
                    for edge in edges.into_iter().take(most) {
                        let weight = (1.0 - self.forward) * edge.strength() / root(common);
                        add(other, edge.from, edge, false, weight);
                    }
                }
            }
        }
        let sum: f64 = found.iter().map(|(_, one)| one.weight).sum();
        let passes = (1.0 - self.stay) * sum.min(1.0);
        found.retain(|(_, one)| one.weight > 0.0);
        found.iter_mut().for_each(|(_, one)| one.weight *= passes / sum);
        Ok(found)
    }

    /// The chunks next to one, with what their edges weigh: sure ones more, those of common names less.
    fn around<'s>(&self, graph: &Graph<'_, 's>, at: ChunkRef) -> Result<BTreeMap<Place<'s>, f64>> {
        let mut around: BTreeMap<Place<'s>, f64> = BTreeMap::new();
        let edges = graph.outgoing_by(at, |mention| {
            let weighs = by_kind(mention.kind) > 0.0;
            if !weighs || self.common == u64::MAX {
                return Ok(weighs);
            }
            Ok(graph.n_mentions(mention.name, mention.kind)? <= self.common)
        })?;
        for edge in edges {
            let Some(to) = graph.chunk_of(edge.to).filter(|to| *to != at) else { continue };
            let common = graph.n_referrers(edge.to, edge.kind)?;
            let weight = self.forward * edge.strength() / root(common);
            *around.entry(graph.place(to)).or_default() += weight;
        }
        if self.forward >= 1.0 {
            return Ok(around);
        }
        let Some(segment) = graph.index().segment(at.part) else { return Ok(around) };
        for ord in segment.declarations_in(at.ord) {
            let to = DeclarationRef { part: at.part, ord };
            for kind in USES {
                let common = graph.n_referrers(to, kind)?;
                if common == 0 || common > self.referrers {
                    continue;
                }
                for edge in graph.incoming(to, &[kind])?.into_iter().filter(|edge| edge.from != at) {
                    let weight = (1.0 - self.forward) * edge.strength() / root(common);
                    *around.entry(graph.place(edge.from)).or_default() += weight;
                }
            }
        }
        Ok(around)
    }
}

/// A chunk of another repository next to one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Abroad {
    /// The chunk.
    pub end: ChunkRef,
    /// The strongest reference between the two.
    pub edge: Edge,
    /// Whether that leads to it, and not from it.
    pub is_forward: bool,
    /// What comes to it, from 0 to 1.
    pub weight: f64,
}

impl Edge {
    /// What it counts for, from 0 to 1: by its kind, and how sure it is.
    pub fn strength(&self) -> f64 {
        by_kind(self.kind) * self.confidence
    }
}

/// The ways to refer to a declaration that weight goes back by.
const USES: [ReferenceKind; 3] = [ReferenceKind::Call, ReferenceKind::Type, ReferenceKind::Inherits];

fn root(n: u64) -> f64 {
    (1.0 + f64::from(u32::try_from(n).unwrap_or(u32::MAX))).sqrt()
}

/// What an edge weighs by its kind.
fn by_kind(kind: ReferenceKind) -> f64 {
    match kind {
        ReferenceKind::Call | ReferenceKind::Inherits => 1.0,
        ReferenceKind::Type => 0.7,
        ReferenceKind::Import => 0.3,
        ReferenceKind::Link | ReferenceKind::Use | ReferenceKind::Gives => 0.0,
    }
}
