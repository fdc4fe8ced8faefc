//! The declarations that a declaration refers to.
//!
//! The graph says what the names in a chunk mean. The source says which of the names are inside of
//! the declaration, and by their arguments, which overload is called.

use super::mention::mentions;
use super::reference_places::{stands_at, within};
use super::relation_reader::{PlaceMatch, Reader};
use super::relation_rules::{chosen, is_visible};
use super::relations::At;
use crate::index::chunk::{ByteRange, ChunkKind, ReferenceKind, ReferencePlace};
use crate::search::Result;
use crate::search::graph::arity::{self, CallText, Choice, Overload};
use crate::search::graph::{Edge, is_type};
use crate::search::segment::{ChunkRef, DeclarationView};

impl<'s> Reader<'_, '_, 's> {
    /// The declarations that this one mentions, in order of their first mention.
    pub(super) fn referred(&mut self, of: At) -> Result<Vec<PlaceMatch<'s>>> {
        let Some(source) = self.view(of) else { return Ok(Vec::new()) };
        let places = self.places(of.0, &source.file);
        let text = self.text(of.0, source.file.path());
        let mut found = match places.zip(text) {
            Some((places, text)) => self.referred_at(of, &source, &places, &text)?,
            None => self.referred_by_words(of, &source)?,
        };
        found.sort_by_key(|one| one.at);
        Ok(found)
    }

    /// As [`Self::referred`], for a source whose references have places.
    fn referred_at(
        &mut self,
        (home, of): At,
        source: &DeclarationView<'s>,
        places: &[ReferencePlace],
        text: &str,
    ) -> Result<Vec<PlaceMatch<'s>>> {
        let span = source.row.span.bytes;
        let mut found: Vec<PlaceMatch<'s>> = Vec::new();
        for ord in source.file.segment.chunks_of(source.file.ord) {
            let Some(row) = source.file.segment.chunk(ord) else { continue };
            if row.span.bytes.end <= span.start || row.span.bytes.start >= span.end {
                continue;
            }
            let from = ChunkRef { part: of.part, ord };
            let here = within(places, text, row.span).into_iter();
            let here: Vec<(&ReferencePlace, u32)> = here.filter(|(one, _)| span.contains(one.at)).collect();
            for mention in source.file.segment.mentions(ord)? {
                let is_shown = !matches!(mention.kind, ReferenceKind::Import | ReferenceKind::Link);
                // Only a type inherits, not a method in it.
                let is_shown =
                    is_shown && (mention.kind != ReferenceKind::Inherits || is_type(source.row.kind));
                let stands = here.iter().filter(|(place, _)| is_shown && stands_at(&mention, place));
                let stands: Vec<(u32, u32)> = stands.map(|(place, line)| (place.at, *line)).collect();
                if stands.is_empty() {
                    continue;
                }
                for meaning in self.graphs().resolve(home, from, &mention)? {
                    let (repository, resolved) = (meaning.repository, meaning.resolved);
                    let itself = (repository, resolved.to) == (home, of);
                    let other = self.view((repository, resolved.to)).filter(|_| !itself);
                    let Some(other) = other else { continue };
                    let sees = |at: u32| is_visible(&other, &source.file, text, at);
                    let seen: Vec<(u32, u32)> = stands.iter().copied().filter(|one| sees(one.0)).collect();
                    let Some((_, at)) = seen.first().copied() else { continue };
                    let edge = Edge {
                        from,
                        to: resolved.to,
                        kind: mention.kind,
                        evidence: resolved.evidence,
                        confidence: resolved.confidence,
                    };
                    let choice = match mention.kind {
                        ReferenceKind::Call => {
                            let bytes = seen.iter().map(|one| one.0).collect();
                            self.overload((repository, &other), text, span.start, bytes)
                        }
                        _ => Choice::This,
                    };
                    if let Some(edge) = chosen(edge, choice) {
                        add(&mut found, PlaceMatch { repository, edge, other: Some(other), at, name: None });
                    }
                }
            }
        }
        Ok(found)
    }

    /// As [`Self::referred`], for a source that only shows the words of its references.
    fn referred_by_words(
        &mut self,
        (home, of): At,
        source: &DeclarationView<'s>,
    ) -> Result<Vec<PlaceMatch<'s>>> {
        let span = source.row.span;
        let text = self.text(home, source.file.path());
        let mut found: Vec<PlaceMatch<'s>> = Vec::new();
        for ord in source.file.segment.chunks_of(source.file.ord) {
            let Some(row) = source.file.segment.chunk(ord) else { continue };
            if row.span.bytes.end <= span.bytes.start || row.span.bytes.start >= span.bytes.end {
                continue;
            }
            let range = ByteRange {
                start: row.span.bytes.start.max(span.bytes.start),
                end: row.span.bytes.end.min(span.bytes.end),
            };
            for (repository, edge) in self.graphs().outgoing(home, ChunkRef { part: of.part, ord })? {
                if matches!(edge.kind, ReferenceKind::Import | ReferenceKind::Link) {
                    continue;
                }
                let itself = (repository, edge.to) == (home, of);
                let Some(other) = self.view((repository, edge.to)).filter(|_| !itself) else { continue };
                let at = match &text {
                    Some(text) => {
                        let doc = source.row.doc;
                        let body = source.row.body;
                        // Calls are in the body; a signature only names types.
                        let is_call = edge.kind == ReferenceKind::Call && !body.is_empty();
                        let start = if is_call { range.start.max(body.start) } else { range.start };
                        let found = mentions(text, start, range.end, other.name(), edge.kind);
                        let at = found.into_iter().find(|one| !doc.contains(one.0)).map(|one| one.1);
                        // Mentioned by an alias, in a chunk that holds only this declaration.
                        let is_alone = span.bytes.start <= row.span.bytes.start
                            && row.span.bytes.end <= span.bytes.end
                            && row.kind != ChunkKind::Group;
                        at.or_else(|| is_alone.then_some(source.row.name_line))
                    }
                    None => Some(row.span.start_line),
                };
                // A mention outside the declaration belongs to a neighbour in the same chunk.
                if let Some(at) = at {
                    add(&mut found, PlaceMatch { repository, edge, other: Some(other), at, name: None });
                }
            }
        }
        Ok(found)
    }

    /// Returns whether calls at some places of a text mean a function, or an overload of it.
    /// `start` is the first byte of the declaration around.
    fn overload(
        &mut self,
        (repository, of): (usize, &DeclarationView<'s>),
        text: &str,
        start: u32,
        places: Vec<u32>,
    ) -> Choice {
        if !arity::has_overloads(of.file.language()) {
            return Choice::This;
        }
        let own = self.text(repository, of.file.path());
        let Some(overload) = own.as_deref().and_then(|own| Overload::of(of, own)) else {
            return Choice::This;
        };
        let mut all = Choice::Other;
        for byte in places {
            let before = text.get(start as usize..byte as usize).unwrap_or_default();
            // A constructor may be called by a word: `this(1)`.
            let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
            let behind = text.get(byte as usize..).unwrap_or_default().trim_start_matches(is_name);
            match overload.choice(behind, CallText { before, file: text }) {
                Choice::This => return Choice::This,
                Choice::Either => all = Choice::Either,
                Choice::Other => {}
            }
        }
        all
    }
}

/// Adds a declaration that is mentioned. Overloads count as one, at their first place.
fn add<'s>(found: &mut Vec<PlaceMatch<'s>>, place: PlaceMatch<'s>) {
    let path = |one: &PlaceMatch<'s>| one.other.map(|view| (view.file.path(), view.symbol_path()));
    let mut here = found.iter_mut().filter(|known| known.repository == place.repository);
    match here.find(|known| path(known) == path(&place)) {
        Some(known) if place.edge.evidence < known.edge.evidence => known.edge = place.edge,
        Some(_) => {}
        None => found.push(place),
    }
}
