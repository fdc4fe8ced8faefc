//! The places that mention a declaration, each once.

use std::collections::HashMap;

use super::rules::{known_by, reference};
use crate::index::chunk::ByteRange;
use crate::search::graph::{DeclarationRef, Edge, Evidence};
use crate::search::segment::{ChunkRef, DeclarationView};

/// A place that mentions a name, or the target of a mention.
pub(crate) struct PlaceMatch<'s> {
    /// The repository of the other end.
    pub(crate) repository: usize,
    pub(crate) edge: Edge,
    /// The declaration at the other end; `None` outside of any.
    pub(crate) other: Option<DeclarationView<'s>>,
    pub(crate) at: u32,
    /// The bytes of the name in the text of the place; `None` if the name was not found there.
    pub(crate) name: Option<ByteRange>,
}

/// The code around a place.
#[derive(PartialEq, Eq, Hash)]
enum Surroundings {
    Declaration(DeclarationRef),
    /// A chunk, for a place outside of any declaration.
    Chunk(ChunkRef),
}

/// The places that mention a declaration.
pub(super) struct Referrers<'s> {
    /// The best evidence that the next places can have.
    pub(super) most: Evidence,
    pub(super) places: Vec<PlaceMatch<'s>>,
    /// By the declaration around a place, or else by its chunk: the place in the list.
    known: HashMap<(usize, Surroundings), usize>,
}

impl Default for Referrers<'_> {
    fn default() -> Self {
        Self { most: Evidence::Class, places: Vec::new(), known: HashMap::new() }
    }
}

impl<'s> Referrers<'s> {
    pub(super) fn push(&mut self, mut place: PlaceMatch<'s>) {
        place.edge = self.weakened(place.edge);
        self.known.entry(key(&place)).or_insert(self.places.len());
        self.places.push(place);
    }

    /// Returns an edge with no better evidence than the places can have.
    fn weakened(&self, edge: Edge) -> Edge {
        if edge.evidence < self.most { known_by(edge, self.most) } else { edge }
    }

    /// Adds a place. Of the places in one declaration, the surest stays.
    pub(super) fn add(&mut self, mut place: PlaceMatch<'s>) {
        place.edge = self.weakened(place.edge);
        let known = self.known.get(&key(&place)).and_then(|&at| self.places.get_mut(at));
        match known {
            // Another line of it leaves less doubt.
            Some(known) if place.edge.evidence < known.edge.evidence => {
                (known.edge, known.at, known.name) = (place.edge, place.at, place.name);
            }
            Some(_) => {}
            None => self.push(place),
        }
    }
}

fn key(place: &PlaceMatch<'_>) -> (usize, Surroundings) {
    let around = place.other.as_ref().map(reference);
    (place.repository, around.map_or(Surroundings::Chunk(place.edge.from), Surroundings::Declaration))
}
