//! The declarations that a declaration refers to.
//!
//! The graph says what the names in a chunk mean. The source says which of the names are inside of
//! the declaration, and by their arguments, which overload is called.

use super::RepositoryDeclaration;
use super::places::ReferencePlaces;
use super::reader::Reader;
use super::referrers::PlaceMatch;
use super::rules::reference;
use crate::index::chunk::{ChunkKind, ReferenceKind};
use crate::search::Result;
use crate::search::graph::Edge;
use crate::search::segment::{ChunkRef, DeclarationView};

impl<'s> Reader<'_, '_, 's> {
    /// The declarations that this one mentions, in order of the place that leaves least doubt.
    pub(crate) fn referred(&mut self, of: RepositoryDeclaration) -> Result<Vec<PlaceMatch<'s>>> {
        let Some(source) = self.view(of) else { return Ok(Vec::new()) };
        let (home, at) = of;
        let span = source.row.span.bytes;
        let mut found: Vec<PlaceMatch<'s>> = Vec::new();
        for ord in source.file.segment.chunks_of(source.file.ord) {
            let Some(row) = source.file.segment.chunk(ord) else { continue };
            if row.span.bytes.end <= span.start || row.span.bytes.start >= span.end {
                continue;
            }
            for (repository, edge) in self.surest(home, ChunkRef { part: at.part, ord })? {
                if (repository, edge.to) == of {
                    continue;
                }
                let Some(place) = self.place_within(home, &source, repository, &edge)? else { continue };
                let Some(other) = place.other else { continue };
                // Overloads count as one.
                let is_same = |known: &DeclarationView<'_>| {
                    known.file.path() == other.file.path() && known.symbol_path() == other.symbol_path()
                };
                let known = found
                    .iter_mut()
                    .filter(|known| known.repository == repository)
                    .find(|known| known.other.as_ref().is_some_and(is_same));
                match known {
                    Some(known) if place.edge.evidence < known.edge.evidence => *known = place,
                    Some(_) => {}
                    None => found.push(place),
                }
            }
        }
        found.sort_by_key(|one| one.at);
        Ok(found)
    }

    /// The references of a chunk. Of those to one declaration in one way, the surest counts.
    fn surest(&self, home: usize, from: ChunkRef) -> Result<Vec<(usize, Edge)>> {
        let mut all: Vec<(usize, Edge)> = Vec::new();
        for (repository, edge) in self.graphs().outgoing(home, from)? {
            if matches!(edge.kind, ReferenceKind::Import | ReferenceKind::Link) {
                continue;
            }
            let is_same = |one: &&mut (usize, Edge)| {
                one.0 == repository && (one.1.to, one.1.kind) == (edge.to, edge.kind)
            };
            match all.iter_mut().find(is_same) {
                Some((_, known)) if edge.evidence < known.evidence => *known = edge,
                Some(_) => {}
                None => all.push((repository, edge)),
            }
        }
        Ok(all)
    }

    /// The place in a declaration where an edge leaves least doubt, of equal ones the first. `None`
    /// if the reference belongs to a neighbour in the same chunk. `repository` is that of the
    /// edge's target.
    fn place_within(
        &mut self,
        home: usize,
        source: &DeclarationView<'s>,
        repository: usize,
        edge: &Edge,
    ) -> Result<Option<PlaceMatch<'s>>> {
        let Some(referent) = self.referent((repository, edge.to)) else { return Ok(None) };
        let other = self.view((repository, edge.to));
        let span = source.row.span.bytes;
        let at = match self.places(home, edge, &referent)? {
            ReferencePlaces::Hidden => None,
            ReferencePlaces::Unread(row) => Some((*edge, row.span.start_line)),
            ReferencePlaces::Places { row, places, is_unseen, .. } => {
                let here = places.iter().filter(|one| span.contains(one.byte));
                let surest = here.min_by_key(|one| one.edge.evidence).map(|one| (one.edge, one.line));
                let is_alone = row.declaration == Some(reference(source).ord)
                    || span.start <= row.span.bytes.start && row.span.bytes.end <= span.end;
                let is_its_own = is_unseen && is_alone && row.kind != ChunkKind::Group;
                surest.or_else(|| is_its_own.then_some((*edge, source.row.name_line)))
            }
        };
        Ok(at.map(|(edge, at)| PlaceMatch { repository, edge, other, at, name: None }))
    }
}
