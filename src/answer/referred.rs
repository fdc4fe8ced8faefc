//! The declarations that a declaration refers to.
//!
//! The graph says what the names in a chunk mean. The source says which of the names are inside of
//! the declaration, and by their arguments, which overload is called.

use super::mention::mentions;
use super::relation_reader::{PlaceMatch, Reader};
use super::relation_rules::chosen;
use super::relations::At;
use crate::index::chunk::{ByteRange, ChunkKind, ReferenceKind};
use crate::search::Result;
use crate::search::graph::arity::{self, CallText, Choice, Overload};
use crate::search::segment::{ChunkRef, DeclarationView};

impl<'s> Reader<'_, '_, 's> {
    /// The declarations that this one mentions, in order of their first mention.
    pub(super) fn referred(&mut self, of: At) -> Result<Vec<PlaceMatch<'s>>> {
        let Some(source) = self.view(of) else { return Ok(Vec::new()) };
        let (home, of) = of;
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
                        let ByteRange { start, end } = range;
                        let doc = source.row.doc;
                        let is_said = |one: &(u32, u32)| doc.contains(one.0);
                        let body = source.row.body;
                        let found = match edge.kind {
                            // Calls are in the body; a signature only names types.
                            ReferenceKind::Call if !body.is_empty() => {
                                mentions(text, start.max(body.start), end, other.name(), edge.kind)
                            }
                            _ => mentions(text, start, end, other.name(), edge.kind),
                        };
                        let at = found.into_iter().find(|one| !is_said(one)).map(|one| one.1);
                        // Mentioned by an alias, in a chunk that holds only this declaration.
                        let is_alone = span.bytes.start <= row.span.bytes.start
                            && row.span.bytes.end <= span.bytes.end
                            && row.kind != ChunkKind::Group;
                        at.or_else(|| is_alone.then_some(source.row.name_line))
                    }
                    None => Some(row.span.start_line),
                };
                // A mention outside the declaration belongs to a neighbour in the same chunk.
                let Some(at) = at else { continue };
                let choice = match &text {
                    Some(text) if edge.kind == ReferenceKind::Call => {
                        self.overload((repository, &other), text, span.bytes.start, range)
                    }
                    _ => Choice::This,
                };
                let Some(edge) = chosen(edge, choice) else { continue };
                // Overloads count as one.
                let here = found.iter().filter(|known| known.repository == repository);
                let is_known = here.filter_map(|known| known.other).any(|known| {
                    known.file.path() == other.file.path() && known.symbol_path() == other.symbol_path()
                });
                if !is_known {
                    found.push(PlaceMatch { repository, edge, other: Some(other), at, name: None });
                }
            }
        }
        found.sort_by_key(|one| one.at);
        Ok(found)
    }

    /// Returns whether calls in a range of a text mean a function, or an overload of it. `start` is
    /// the first byte of the declaration around.
    fn overload(
        &mut self,
        (repository, of): (usize, &DeclarationView<'s>),
        text: &str,
        start: u32,
        range: ByteRange,
    ) -> Choice {
        if !arity::has_overloads(of.file.language()) {
            return Choice::This;
        }
        let own = self.text(repository, of.file.path());
        let Some(overload) = own.as_deref().and_then(|own| Overload::of(of, own)) else {
            return Choice::This;
        };
        let mut all = Choice::Other;
        let mut is_called = false;
        for (byte, _) in mentions(text, range.start, range.end, of.name(), ReferenceKind::Call) {
            let before = text.get(start as usize..byte as usize).unwrap_or_default();
            let behind = text.get(byte as usize + of.name().len()..).unwrap_or_default();
            is_called = true;
            match overload.choice(behind, CallText { before, file: text }) {
                Choice::This => return Choice::This,
                Choice::Either => all = Choice::Either,
                Choice::Other => {}
            }
        }
        if is_called { all } else { Choice::This }
    }
}
