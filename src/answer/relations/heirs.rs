//! The types that inherit a type.
//!
//! A chunk records which of its types inherits by name. Several small types of one name may share a
//! chunk, so the source is read to find those whose heads name the supertype.

use super::RepositoryDeclaration;
use super::distinction::is_distinct;
use super::reader::Reader;
use super::referrers::PlaceMatch;
use super::rules::reference;
use super::words::{Remarks, mentions};
use crate::index::chunk::{ByteRange, DeclarationKind, ReferenceKind};
use crate::search::Result;
use crate::search::graph::{Edge, is_type};
use crate::search::segment::{DeclarationView, FileView, Mention};

impl<'s> Reader<'_, '_, 's> {
    /// Returns the type that a statement elsewhere in its package says to implement an interface.
    fn asserted_heir(
        &self,
        repository: usize,
        file: &FileView<'s>,
        name: &str,
    ) -> Option<DeclarationView<'s>> {
        let at = self.graphs().graph(repository)?.type_of_package(file, name).ok()??;
        self.view((repository, at))
    }

    /// The types that inherit a type, each once, with the line that says so.
    pub(crate) fn inheritors(&mut self, of: RepositoryDeclaration) -> Result<Vec<PlaceMatch<'s>>> {
        let (home, to) = of;
        let mut found: Vec<PlaceMatch<'s>> = Vec::new();
        let view = self.view(of).filter(|view| is_distinct(view.file.language()));
        let own_text = view.and_then(|view| self.text(home, view.file.path()));
        let distinction = view.zip(own_text).map(|(view, text)| self.distinction(home, &view, &text));
        for (repository, edge) in self.graphs().incoming(home, to, &[ReferenceKind::Inherits])? {
            let file = self.graphs().graph(repository).and_then(|graph| graph.file_of(edge.from));
            let Some(file) = file else { continue };
            let Some(chunk) = file.segment.chunk(edge.from.ord) else { continue };
            let text = self.text(repository, file.path());
            let remarks = self.remarks(repository, &file);
            for mention in file.segment.mentions(edge.from.ord)? {
                if mention.kind != ReferenceKind::Inherits {
                    continue;
                }
                let meanings = self.graphs().resolve(repository, edge.from, &mention)?;
                let Some(meaning) = meanings.iter().find(|one| (one.repository, one.resolved.to) == of)
                else {
                    continue;
                };
                let bytes = chunk.span.bytes;
                let own: Vec<_> = heirs_in(&file, bytes, &mention)
                    .filter(|one| (repository, reference(one)) != of)
                    .collect();
                let is_own = !own.is_empty();
                let heirs = match text.as_deref() {
                    _ if !is_own => {
                        let heir = self.asserted_heir(repository, &file, mention.alias);
                        Vec::from_iter(heir.or_else(|| around_unnamed(&file, bytes, &mention)))
                    }
                    Some(text) => naming(own, text, &remarks, mention.name),
                    None => Vec::from_iter(own.last().copied()),
                };
                for heir in heirs.into_iter().filter(|heir| !is_alias(heir, text.as_deref())) {
                    let is_heir = |one: &DeclarationView<'_>| reference(one) == reference(&heir);
                    let is_known = |one: &PlaceMatch<'_>| {
                        one.repository == repository && one.other.as_ref().is_some_and(is_heir)
                    };
                    let is_other = |text| {
                        let distinction = distinction.as_ref();
                        distinction.is_some_and(|one| one.is_other_supertype(&heir, text, mention.name))
                    };
                    if found.iter().any(is_known) || text.as_deref().is_some_and(is_other) {
                        continue;
                    }
                    let span = heir.row.span.bytes;
                    // A statement about a type that is declared elsewhere has no line in it.
                    let is_around = is_own || heir.file.part == file.part && heir.file.ord == file.ord;
                    let lines = text.as_deref().filter(|_| is_around).map(|text| {
                        let range = ByteRange { start: span.start.max(bytes.start), end: span.end };
                        mentions(text, &remarks, range, mention.name, edge.kind)
                    });
                    let named = lines.into_iter().flatten().map(|(_, line)| line);
                    let at =
                        named.filter(|line| *line >= heir.row.name_line).min().unwrap_or(heir.row.name_line);
                    let edge = Edge {
                        evidence: meaning.resolved.evidence,
                        confidence: meaning.resolved.confidence,
                        ..edge
                    };
                    found.push(PlaceMatch { repository, edge, other: Some(heir), at, name: None });
                }
            }
        }
        Ok(found)
    }
}

/// Languages whose aliases of types are recorded as if they inherited the type.
const ALIASING: [&str; 10] =
    ["c", "cpp", "dart", "go", "kotlin", "rust", "scala", "swift", "tsx", "typescript"];

/// Returns whether a type is another name for one, and so not a subtype of it.
fn is_alias(ty: &DeclarationView<'_>, text: Option<&str>) -> bool {
    let begin = || text.map_or("", |text| ty.row.signature.of(text)).trim_start();
    ALIASING.contains(&ty.file.language())
        && (ty.row.kind == DeclarationKind::Type || begin().starts_with("typedef"))
}

/// Returns the types in a range of bytes that have the name which a mention says to inherit.
fn heirs_in<'f, 's>(
    file: &'f FileView<'s>,
    bytes: ByteRange,
    mention: &'f Mention<'_>,
) -> impl Iterator<Item = DeclarationView<'s>> + 'f {
    file.declarations().filter(move |one| {
        let span = one.row.span.bytes;
        one.name() == mention.alias
            && is_type(one.row.kind)
            && span.start < bytes.end
            && span.end > bytes.start
    })
}

/// Returns the declaration around a class of PHP that has no name.
fn around_unnamed<'s>(
    file: &FileView<'s>,
    bytes: ByteRange,
    mention: &Mention<'_>,
) -> Option<DeclarationView<'s>> {
    let is_around = |one: &DeclarationView<'s>| {
        let span = one.row.span.bytes;
        one.name() == mention.alias && span.start < bytes.end && span.end > bytes.start
    };
    file.declarations().find(is_around).filter(|_| file.language() == "php")
}

/// Returns those of several types of one name that name a supertype in their heads; the last one if
/// none does.
fn naming<'s>(
    mut all: Vec<DeclarationView<'s>>,
    text: &str,
    remarks: &Remarks,
    supertype: &str,
) -> Vec<DeclarationView<'s>> {
    let Some(last) = all.last().copied() else { return all };
    let names = |one: &DeclarationView<'_>| {
        let (span, body) = (one.row.span.bytes, one.row.body);
        let end = if body.is_empty() { span.end } else { body.start };
        let head = ByteRange { start: span.start, end };
        !mentions(text, remarks, head, supertype, ReferenceKind::Inherits).is_empty()
    };
    if all.len() > 1 {
        all.retain(names);
    }
    if all.is_empty() { vec![last] } else { all }
}
