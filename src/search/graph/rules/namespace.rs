//! Namespaces of C#: which types a file sees by its own namespace and by its `using` directives.
//!
//! A namespace is what the source declares, whatever the folder. A type of the own namespace or of
//! one around it hides those that a directive brings in. See section 7.8 of the C# specification.

use crate::index::chunk::DeclarationKind;
use crate::search::graph::resolve::{Candidates, Matches, Site, nothing, pick};
use crate::search::graph::{Candidate, DeclarationRow, Evidence, FileView, is_function};

impl<'g, 's> Site<'g, '_, 's> {
    /// Returns the types among the candidates that the mention sees by their namespace.
    pub(in crate::search::graph) fn in_namespaces(&self, types: &[&'g Candidate<'s>]) -> Matches<'g, 's> {
        if types.is_empty() {
            return nothing();
        }
        let declaration = self.file.segment.chunk(self.from.ord).and_then(|row| row.declaration);
        let around = declaration.and_then(|ord| self.file.segment.declaration(ord));
        let own = around.map_or_else(Vec::new, |row| of(&self.file, &row).0);
        let within = |namespace: &[&str]| -> Candidates<'g, 's> {
            pick(types, |one| {
                let (declared, is_nested) = of_candidate(one);
                !is_nested && declared == namespace
            })
        };
        for n in (1..=own.len()).rev() {
            let found = within(own.get(..n).unwrap_or_default());
            if !found.is_empty() {
                return (Evidence::Package, found);
            }
        }
        let mut imported: Candidates<'g, 's> = Vec::new();
        for import in self.scope.imports.iter().filter(|import| import.local.is_empty()) {
            let named: Vec<&str> = import.written.split('.').map(str::trim).collect();
            for one in within(&named) {
                if !imported.iter().any(|known| known.at == one.at) {
                    imported.push(one);
                }
            }
        }
        (Evidence::Import, imported)
    }
}

/// Returns whether two types of C# are parts of one: they have the same name in the same namespace,
/// which is not the global one. That has a `Program` in many projects.
pub(in crate::search::graph) fn is_same_type(one: &Candidate<'_>, other: &Candidate<'_>) -> bool {
    let (namespace, is_nested) = of_candidate(one);
    let is_same = one.file.segment.name(&one.row) == other.file.segment.name(&other.row);
    is_same && !is_nested && !namespace.is_empty() && of_candidate(other) == (namespace, is_nested)
}

/// Returns the namespace of a candidate, and whether it is declared inside of a type.
fn of_candidate<'s>(one: &Candidate<'s>) -> (Vec<&'s str>, bool) {
    let parent = one.row.parent.and_then(|parent| one.file.segment.declaration(parent));
    parent.map_or_else(Default::default, |parent| of(&one.file, &parent))
}

/// Returns the namespace of a declaration, and whether the declaration is a type or is inside one.
fn of<'s>(file: &FileView<'s>, row: &DeclarationRow) -> (Vec<&'s str>, bool) {
    let mut names: Vec<&'s str> = Vec::new();
    let mut is_type = false;
    let (mut row, mut at) = (*row, u32::MAX);
    loop {
        match row.kind {
            DeclarationKind::Module => names.extend(named(file, &row).into_iter().rev()),
            kind => is_type |= !is_function(kind),
        }
        let Some(parent) = row.parent.filter(|&parent| parent < at) else { break };
        let Some(next) = file.segment.declaration(parent) else { break };
        (row, at) = (next, parent);
    }
    names.reverse();
    (names, is_type)
}

/// Returns the segments of a namespace's name.
fn named<'s>(file: &FileView<'s>, row: &DeclarationRow) -> Vec<&'s str> {
    let scope = file.segment.scope(row);
    scope.split('.').filter(|one| !one.is_empty()).chain([file.segment.name(row)]).collect()
}
