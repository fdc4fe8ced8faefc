//! Personalised PageRank over references, by local push.
//!
//! Input: start chunks with weights. Output: the weight that references carry from there to each
//! chunk. Only the chunks that weight reaches are visited, so the cost depends on the start and not
//! on the size of the repository.
//!
//! Source: Andersen, Chung, Lang, "Local Graph Partitioning using PageRank Vectors", FOCS 2006.

use std::collections::BTreeMap;

use crate::index::chunk::ReferenceKind;
use crate::search::segment::ChunkRef;

use super::{DeclarationRef, Edge, Graph, Graphs, Place, Result};

/// Parameters of the spreading of weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Share of a chunk's weight that stays there at each push, from 0 to 1; the rest is passed on.
    pub stay: f64,
    /// Smallest weight on a chunk that is pushed on.
    pub least: f64,
    /// Maximum number of pushes.
    pub pushes: usize,
    /// Share of the passed weight that follows references, from 0 to 1; the rest goes back to
    /// referrers.
    pub forward: f64,
    /// Maximum number of chunks that mention a name, in one kind of reference, for it to be
    /// followed. A more common name adds little to each of its many meanings.
    pub common: u64,
    /// Maximum number of referring chunks for a declaration to be followed back.
    pub referrers: u64,
    /// Whether a call of a method also passes weight to the methods that implement it. They take
    /// long to find.
    pub implementers: bool,
}

impl Default for Spread {
    fn default() -> Self {
        Self {
            stay: 0.5,
            least: 1e-3,
            pushes: 200,
            forward: 0.6,
            common: u64::MAX,
            referrers: 64,
            implementers: true,
        }
    }
}

impl Spread {
    /// Returns the weight that references carry to chunks from the `start` chunks, by path, then by
    /// start.
    ///
    /// The start weights are scaled to a sum of 1. The result is the same to the last bit on every
    /// run and with every base: chunks are pushed by weight, then by position, and all sums are
    /// taken in that order.
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
            // If all edges of a chunk are doubtful or common, it keeps part of what it could pass
            // on.
            let passes = (1.0 - self.stay) * weight * sum.min(1.0);
            for (to, share) in around {
                let part = passes * share / sum;
                *rest.entry(to).or_default() += part;
                *come.entry(to).or_default() += part;
            }
        }
        Ok(come.into_iter().map(|(place, weight)| (place.chunk, weight)).collect())
    }

    /// The kinds of references along which weight goes back to referrers.
    pub const USES: [ReferenceKind; 3] = USES;

    /// Returns the weight of a reference from where it starts. `graph` is that of its target.
    ///
    /// # Errors
    /// [`Error::Corrupt`](super::Error::Corrupt).
    pub fn forward_weight(&self, graph: &Graph<'_, '_>, edge: &Edge) -> Result<f64> {
        Ok(self.forward * edge.strength() / root(graph.n_referrers(edge.to, edge.kind)?))
    }

    /// Returns the weight of a reference from its target, whose name `n` chunks mention.
    pub fn backward_weight(&self, edge: &Edge, n: u64) -> f64 {
        (1.0 - self.forward) * edge.strength() / root(n)
    }

    /// Returns how many chunks mention a declaration's name with this kind of reference; `None` if
    /// they are too many to be followed back.
    ///
    /// # Errors
    /// [`Error::Corrupt`](super::Error::Corrupt).
    fn n_followed(
        &self,
        graph: &Graph<'_, '_>,
        of: DeclarationRef,
        kind: ReferenceKind,
    ) -> Result<Option<u64>> {
        Ok(Some(graph.n_referrers(of, kind)?).filter(|n| *n <= self.referrers))
    }

    /// Returns the chunks of other repositories that a chunk refers to or that refer to it, each
    /// once.
    ///
    /// The weight of each is what would reach it in one push to all of them. Of the referrers of
    /// one declaration, in one repository and by one kind of reference, only the first
    /// [`Spread::referrers`] count.
    ///
    /// # Errors
    /// [`Error::Corrupt`](super::Error::Corrupt).
    pub fn abroad(
        &self,
        graphs: &Graphs<'_, '_>,
        home: usize,
        at: ChunkRef,
    ) -> Result<Vec<(usize, CrossEdge)>> {
        let mut found: Vec<(usize, CrossEdge)> = Vec::new();
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
            None => found.push((other, CrossEdge { end, edge, is_forward, weight })),
        };
        for (other, edge) in graphs.outgoing(home, at)? {
            let Some(graph) = graphs.graph(other).filter(|_| other != home) else { continue };
            let Some(end) = graph.chunk_of(edge.to) else { continue };
            let weight = self.forward_weight(graph, &edge)?;
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
                        let weight = self.backward_weight(&edge, common);
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

    /// Returns the chunks next to one, with the weights of the edges: certain edges weigh more,
    /// those of common names less.
    fn around<'s>(&self, graph: &Graph<'_, 's>, at: ChunkRef) -> Result<BTreeMap<Place<'s>, f64>> {
        let mut around: BTreeMap<Place<'s>, f64> = BTreeMap::new();
        let edges = graph.outgoing_by(at, self.implementers, |mention| {
            let weighs = by_kind(mention.kind) > 0.0;
            if !weighs || self.common == u64::MAX {
                return Ok(weighs);
            }
            Ok(graph.n_mentions(mention.name, mention.kind)? <= self.common)
        })?;
        for edge in edges {
            let Some(to) = graph.chunk_of(edge.to).filter(|to| *to != at) else { continue };
            let weight = self.forward_weight(graph, &edge)?;
            *around.entry(graph.place(to)).or_default() += weight;
        }
        if self.forward >= 1.0 {
            return Ok(around);
        }
        let Some(segment) = graph.index().segment(at.part) else { return Ok(around) };
        for ord in segment.declarations_in(at.ord) {
            let to = DeclarationRef { part: at.part, ord };
            for kind in USES {
                let Some(common) = self.n_followed(graph, to, kind)?.filter(|n| *n > 0) else { continue };
                for edge in graph.incoming(to, &[kind])?.into_iter().filter(|edge| edge.from != at) {
                    let weight = self.backward_weight(&edge, common);
                    *around.entry(graph.place(edge.from)).or_default() += weight;
                }
            }
        }
        Ok(around)
    }
}

/// A chunk of another repository that is next to a given one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrossEdge {
    /// The chunk.
    pub end: ChunkRef,
    /// The strongest reference between the two.
    pub edge: Edge,
    /// Whether that reference leads to the chunk, not from it.
    pub is_forward: bool,
    /// Weight that reaches the chunk, from 0 to 1.
    pub weight: f64,
}

impl Edge {
    /// Returns the strength of the edge, from 0 to 1: the weight of its kind times its confidence.
    pub fn strength(&self) -> f64 {
        by_kind(self.kind) * self.confidence
    }
}

/// Kinds of references along which weight goes back to referrers.
const USES: [ReferenceKind; 3] = [ReferenceKind::Call, ReferenceKind::Type, ReferenceKind::Inherits];

/// Returns the divisor that damps common names: the square root of 1 + `n`.
fn root(n: u64) -> f64 {
    (1.0 + f64::from(u32::try_from(n).unwrap_or(u32::MAX))).sqrt()
}

/// Returns the weight of an edge of this kind.
fn by_kind(kind: ReferenceKind) -> f64 {
    match kind {
        ReferenceKind::Call | ReferenceKind::Inherits => 1.0,
        ReferenceKind::Type => 0.7,
        ReferenceKind::Import => 0.3,
        ReferenceKind::Link | ReferenceKind::Use | ReferenceKind::Gives => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_references_weigh_differently() {
        use ReferenceKind::{Call, Gives, Import, Inherits, Link, Type, Use};
        for (kind, weight) in
            [(Call, 1.0), (Inherits, 1.0), (Type, 0.7), (Import, 0.3), (Link, 0.0), (Use, 0.0), (Gives, 0.0)]
        {
            assert_eq!(by_kind(kind), weight, "{kind:?}");
        }
    }

    #[test]
    fn common_names_weigh_less() {
        for (n, divisor) in [(0, 1.0), (3, 2.0), (99, 10.0)] {
            assert_eq!(root(n), divisor, "{n}");
        }
        assert!(root(u64::MAX).is_finite());
    }
}
