//! What a name at a place means: the references that the index has recorded around it, resolved.
//!
//! A record says which names a chunk refers to, not where. The object in front of the name, the
//! arguments behind it and the kind of reference tell the references of a chunk apart, by the same
//! rules as for the references of a declaration.

use std::collections::HashSet;

use super::{DeclarationTarget, KINDS, MAX_TARGETS, MIN_CONFIDENCE, Navigator};
use crate::answer::relations::matching::{PlaceContext, RecordedReference, evidence_at};
use crate::answer::relations::name_in_text::NameInText;
use crate::answer::relations::rules::{chosen, is_file_local, is_visible, known_by, reference};
use crate::answer::relations::words::{enclosing_byte, mentions};
use crate::index::chunk::{ByteRange, ReferenceKind};
use crate::search::Result;
use crate::search::graph::overload::CallText;
use crate::search::graph::{Edge, Evidence};
use crate::search::segment::{ChunkRef, DeclarationView, FileView, Mention};

/// The place in the text of a file that is asked about, among the other places of its name.
struct NamePlace<'a, 's> {
    file: &'a FileView<'s>,
    text: &'a str,
    /// The chunk around the name.
    chunk: ChunkRef,
    /// The bytes of the name.
    range: ByteRange,
    /// Where the name begins at each of its places in the chunk, in order.
    starts: &'a [u32],
    /// Which of these places it is.
    ord: usize,
}

impl<'s> Navigator<'_, 's> {
    /// Returns the type that an implementation is for. A record has no reference for it, so the
    /// name is resolved as one.
    pub(super) fn implemented(&mut self, view: &DeclarationView<'s>) -> Result<Vec<DeclarationTarget>> {
        let Some(from) = self.graph().and_then(|graph| graph.chunk_of(reference(view))) else {
            return Ok(Vec::new());
        };
        let kind = ReferenceKind::Type;
        let mention = Mention { kind, name: view.name(), qualifier: "", alias: "" };
        let mut found = Vec::new();
        for one in self.reader.graphs().resolve(0, from, &mention)? {
            let Some(target) = self.reader.view((0, one.resolved.to)) else { continue };
            let (to, evidence, confidence) =
                (one.resolved.to, one.resolved.evidence, one.resolved.confidence);
            found.push((Edge { from, to, kind, evidence, confidence }, target));
        }
        Ok(self.targets(found))
    }

    /// Returns what a name in a range of a file's text means, by the references that the chunk
    /// records.
    pub(super) fn mentioned(
        &mut self,
        file: &FileView<'s>,
        text: &str,
        range: ByteRange,
    ) -> Result<Vec<DeclarationTarget>> {
        let name = range.of(text);
        let remarks = self.reader.remarks(0, file);
        let mut found: Vec<(Edge, DeclarationView<'s>)> = Vec::new();
        for ord in file.segment.chunks_of(file.ord) {
            let Some(row) = file.segment.chunk(ord) else { continue };
            if !row.span.bytes.contains(range.start) {
                continue;
            }
            let from = ChunkRef { part: file.part, ord };
            let all = file.segment.mentions(ord)?;
            for kind in KINDS {
                let of_kind: Vec<Mention<'s>> =
                    all.iter().copied().filter(|one| one.kind == kind && is_called(one, name)).collect();
                let places = mentions(text, &remarks, row.span.bytes, name, kind);
                let starts: Vec<u32> = places.iter().map(|(byte, _)| *byte).collect();
                let Some(ord) = starts.iter().position(|start| *start == range.start) else { continue };
                let place = NamePlace { file, text, chunk: from, range, starts: &starts, ord };
                found.extend(self.meant(&place, &of_kind)?);
                if kind == ReferenceKind::Call && !found.is_empty() {
                    break;
                }
            }
        }
        Ok(self.targets(found))
    }

    /// Returns what the references of one kind mean at one of the places of their name.
    fn meant(
        &mut self,
        place: &NamePlace<'_, 's>,
        all: &[Mention<'s>],
    ) -> Result<Vec<(Edge, DeclarationView<'s>)>> {
        let &NamePlace { file, text, chunk: from, range, .. } = place;
        let mut meanings = Vec::new();
        for mention in all {
            let found = self.reader.graphs().resolve(0, from, mention)?;
            let own_type = self.graph().map(|graph| graph.own_type(from, mention)).transpose()?.flatten();
            meanings.push((mention, own_type, found.into_iter().map(|one| one.resolved).collect::<Vec<_>>()));
        }
        let mut found: Vec<(Edge, DeclarationView<'s>)> = Vec::new();
        let around = |byte| enclosing_byte(file, byte);
        let start = around(range.start).map_or(0, |one| one.row.span.bytes.start);
        let behind = text.get(range.end as usize..).unwrap_or_default();
        let before = ByteRange { start, end: range.start }.of(text);
        for resolved in meanings.iter().flat_map(|(_, _, meanings)| meanings) {
            let is_known = found.iter().any(|(edge, _)| edge.to == resolved.to);
            let Some(view) = self.reader.view((0, resolved.to)).filter(|_| !is_known) else { continue };
            let recorded: Vec<RecordedReference<'_>> = meanings
                .iter()
                .map(|(mention, own_type, meanings)| RecordedReference {
                    qualifier: mention.qualifier,
                    alias: mention.alias,
                    own_type: *own_type,
                    evidence: meanings.iter().find(|one| one.to == resolved.to).map(|one| one.evidence),
                })
                .collect();
            let evidence = evidence_at(&recorded, text, place.starts, |byte| PlaceContext::of(file, byte));
            let Some(evidence) = evidence.get(place.ord).copied().flatten() else { continue };
            if !is_visible(&view, file, text, range.start, evidence) {
                continue;
            }
            let kind = meanings.first().map_or(ReferenceKind::Use, |(mention, ..)| mention.kind);
            let (to, confidence) = (resolved.to, resolved.confidence);
            let edge = Edge { from, to, kind, evidence: resolved.evidence, confidence };
            let edge = if evidence == edge.evidence { edge } else { known_by(edge, evidence) };
            let own_text = self.text(view.file.path());
            let is_here = (view.file.part, view.file.ord) == (file.part, file.ord);
            if !is_here && own_text.as_deref().is_some_and(|text| is_file_local(&view, text)) {
                continue;
            }
            let distinction = own_text.map(|own| self.reader.distinction(0, &view, &own)).unwrap_or_default();
            let known = self.reader.known_types(&distinction, 0, file.language(), behind);
            let call = CallText { before, file: text, known: Some(&known), arities: None };
            let (around, is_certain) = (around(range.start), edge.evidence.is_certain());
            let at = NameInText { kind, behind, call, around, is_certain, is_by_type: false };
            let choice = distinction.choice(&at);
            found.extend(chosen(edge, choice).map(|edge| (edge, view)));
        }
        Ok(found)
    }

    /// Returns what a name may mean in a line that the index does not have: what it means nearest
    /// to the line, as a guess.
    pub(super) fn meant_nearby(
        &mut self,
        file: &FileView<'s>,
        name: &str,
        near: u32,
    ) -> Result<Vec<DeclarationTarget>> {
        let mut chunks: Vec<_> = file
            .segment
            .chunks_of(file.ord)
            .filter_map(|ord| Some((ord, file.segment.chunk(ord)?.span.bytes)))
            .collect();
        chunks.sort_by_key(|(_, bytes)| {
            if bytes.contains(near) {
                0
            } else {
                bytes.start.abs_diff(near).min(bytes.end.abs_diff(near)) + 1
            }
        });
        for (ord, _) in chunks {
            let from = ChunkRef { part: file.part, ord };
            let mut found = Vec::new();
            for mention in file.segment.mentions(ord)?.iter().filter(|one| is_called(one, name)) {
                for one in self.reader.graphs().resolve(0, from, mention)? {
                    let Some(view) = self.reader.view((0, one.resolved.to)) else { continue };
                    let (to, kind) = (one.resolved.to, mention.kind);
                    let (evidence, confidence) = (one.resolved.evidence, one.resolved.confidence);
                    found.push((Edge { from, to, kind, evidence, confidence }, view));
                }
            }
            if !found.is_empty() {
                let mut targets = self.targets(found);
                targets.iter_mut().for_each(|one| one.certain = false);
                return Ok(targets);
            }
        }
        self.by_name(name)
    }

    /// Returns the declarations of a name, as guesses.
    pub(super) fn by_name(&mut self, name: &str) -> Result<Vec<DeclarationTarget>> {
        let found = self.graph().map(|graph| graph.named(name)).transpose()?.unwrap_or_default();
        let confidence = Evidence::Name.confidence(found.len());
        let views: Vec<_> =
            found.into_iter().take(MAX_TARGETS).filter_map(|at| self.reader.view((0, at))).collect();
        Ok(views.iter().map(|view| self.target(view, Evidence::Name, confidence)).collect())
    }

    /// Returns the targets of edges, surest first: only the certain ones if there are any.
    fn targets(&mut self, mut found: Vec<(Edge, DeclarationView<'s>)>) -> Vec<DeclarationTarget> {
        found.sort_by(|(a, _), (b, _)| {
            a.evidence
                .is_certain()
                .cmp(&b.evidence.is_certain())
                .reverse()
                .then_with(|| b.confidence.total_cmp(&a.confidence))
        });
        if found.first().is_some_and(|(edge, _)| edge.evidence.is_certain()) {
            found.retain(|(edge, _)| edge.evidence.is_certain());
        }
        let mut known = HashSet::new();
        found.retain(|(edge, _)| {
            known.insert(edge.to) && (edge.evidence.is_certain() || edge.confidence >= MIN_CONFIDENCE)
        });
        found.truncate(MAX_TARGETS);
        found.iter().map(|(edge, view)| self.target(view, edge.evidence, edge.confidence)).collect()
    }
}

/// Returns whether a mention is written with this name. An import may give what it imports another
/// one.
fn is_called(mention: &Mention<'_>, name: &str) -> bool {
    mention.name == name || mention.kind == ReferenceKind::Import && mention.alias == name
}
