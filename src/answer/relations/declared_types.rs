//! The types that a repository declares: a name → how many, which one a place means, and which
//! others inherit from it.

use std::collections::HashSet;

use super::rules::reference;
use crate::index::chunk::{DeclarationKind, ReferenceKind, has_headers};
use crate::search::graph::{DeclarationRef, Graphs, class_around, is_function, is_type};
use crate::search::segment::{ChunkRef, DeclarationRow, DeclarationView, FileView, Mention};

/// Most levels of subtypes that are followed.
const MAX_HEIRS: usize = 4;
/// Most names of subtypes.
const MAX_HEIR_NAMES: usize = 500;

/// The types that a repository declares.
#[derive(Clone, Copy)]
pub(super) struct DeclaredTypes<'g, 'i, 's>(pub(super) &'g Graphs<'i, 's>, pub(super) usize);

impl<'s> DeclaredTypes<'_, '_, 's> {
    /// Returns the names of the types that inherit from a type, directly or not.
    pub(super) fn heirs(self, of: Option<DeclarationView<'_>>) -> HashSet<String> {
        let mut found: HashSet<String> = HashSet::new();
        let Some(graph) = self.0.graph(self.1) else { return found };
        let mut level: Vec<DeclarationRef> = of.iter().map(reference).collect();
        for _ in 0..MAX_HEIRS {
            let mut next = Vec::new();
            for at in level {
                for edge in graph.implementers(at).unwrap_or_default() {
                    let Some(file) = graph.file_of(edge.from) else { continue };
                    let mentions = file.segment.mentions(edge.from.ord).unwrap_or_default();
                    let names = mentions.iter().filter(|one| one.kind == ReferenceKind::Inherits);
                    let name = graph.declaration(at).map(|(file, row)| file.segment.name(&row));
                    for heir in names.filter(|one| Some(one.name) == name).map(|one| one.alias) {
                        if found.len() < MAX_HEIR_NAMES && found.insert(heir.to_owned()) {
                            next.extend(graph.named(heir).unwrap_or_default());
                        }
                    }
                }
            }
            level = next;
        }
        found
    }

    /// Returns whether a type of a name has a function of a name.
    pub(super) fn has_function(self, class: &str, name: &str) -> bool {
        let Some(graph) = self.0.graph(self.1) else { return false };
        let all = graph.named(name).unwrap_or_default().into_iter();
        let functions = all.filter_map(|at| Some((at, graph.declaration(at)?)));
        functions
            .filter(|(_, (_, row))| is_function(row.kind))
            .any(|(at, (file, _))| class_around(&file, Some(at.ord)) == class)
    }

    /// Returns whether a file of C or C++ sees another one as a header.
    pub(super) fn sees(self, from: &FileView<'s>, header: &FileView<'s>) -> bool {
        self.0.graph(self.1).is_some_and(|graph| graph.sees_header(from, header).unwrap_or(false))
    }

    /// Returns how many types have a name. Blocks that add to a type don't count, nor do types of C
    /// that are declared without their members.
    pub(super) fn n_named(self, name: &str) -> usize {
        let Some(graph) = self.0.graph(self.1) else { return 0 };
        let all = graph.named(name).unwrap_or_default().into_iter();
        let all = all.filter_map(|at| graph.declaration(at));
        let is_counted = |(file, row): &(FileView<'_>, _)| {
            let row: &DeclarationRow = row;
            let is_ahead = has_headers(file.language()) && row.body.is_empty();
            is_type(row.kind) && row.kind != DeclarationKind::Implementation && !is_ahead
        };
        all.filter(is_counted).count()
    }

    /// Returns the name of the type that is written for an object at a byte of a file, and the
    /// declarations that it certainly means there.
    pub(super) fn meant<'t>(
        self,
        file: &FileView<'s>,
        at: u32,
        written: &'t str,
    ) -> (&'t str, Vec<DeclarationRef>) {
        let start = written.rfind(['.', ':', '\\']).map_or(0, |at| at + 1);
        let (before, name) = written.split_at_checked(start).unwrap_or(("", written));
        let nothing = (name, Vec::new());
        let Some(graph) = self.0.graph(self.1) else { return nothing };
        let is_here = |ord: &u32| file.segment.chunk(*ord).is_some_and(|row| row.span.bytes.contains(at));
        let Some(ord) = file.segment.chunks_of(file.ord).find(is_here) else { return nothing };
        let qualifier = before.trim_end_matches(['.', ':', '\\']);
        let mention = Mention { kind: ReferenceKind::Type, name, qualifier, alias: "" };
        let meant = graph.resolve(ChunkRef { part: file.part, ord }, &mention).unwrap_or_default();
        let certain = meant.into_iter().filter(|one| one.evidence.is_certain()).map(|one| one.to);
        (name, certain.filter(|at| graph.is_type(*at)).collect())
    }
}
