//! Namespaces of C#: which types a file sees by its own namespace and by its `using` directives.
//!
//! A namespace is what the source declares, whatever the folder. A type of the own namespace or of
//! one around it hides those that a directive brings in. See section 7.8 of the C# specification.

use crate::index::chunk::{DeclarationKind, ReferenceKind};
use crate::search::graph::resolve::{Candidates, Matches, Site, nothing, pick};
use crate::search::graph::{Candidate, DeclarationRow, Evidence, FileView, Result, is_function, is_type};
use crate::search::segment::Mention;

impl<'g, 's> Site<'g, '_, 's> {
    /// Returns the types among the candidates that the mention sees by their namespace.
    pub(in crate::search::graph) fn in_namespaces(&self, types: &[&'g Candidate<'s>]) -> Matches<'g, 's> {
        if types.is_empty() {
            return nothing();
        }
        let own = self.own_namespace();
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
        // Several projects may each have a `Program` outside of all namespaces.
        let global = if imported.is_empty() { within(&[]) } else { Vec::new() };
        if global.len() == 1 { (Evidence::Only, global) } else { (Evidence::Import, imported) }
    }
}

impl<'g, 's> Site<'g, '_, 's> {
    /// Returns the types behind the name of a namespace of C#, which may begin inside of the own
    /// namespace: `Data.Cart` of `Shop.Data.Cart`. The nearest one counts.
    pub(in crate::search::graph) fn behind_namespace(
        &self,
        candidates: &[&'g Candidate<'s>],
        qualifier: &str,
    ) -> Candidates<'g, 's> {
        let named: Vec<&str> = qualifier.split(['.', ':']).filter(|one| !one.is_empty()).collect();
        let named = named.strip_prefix(&["global"]).unwrap_or(&named);
        let own = self.own_namespace();
        for n in (0..=own.len()).rev() {
            let whole: Vec<&str> = own.iter().take(n).chain(named).copied().collect();
            let found = pick(candidates, |one| {
                is_type(one.row.kind) && {
                    let (declared, is_nested) = of_candidate(one);
                    !is_nested && declared == whole
                }
            });
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// Adds the types of properties of C# that are called like their type: `Order Order { get; }`.
    /// What stands behind the name says which of the two is meant.
    pub(in crate::search::graph) fn with_types_of_namesakes(
        &self,
        (evidence, mut own): Matches<'g, 's>,
        candidates: &[&'g Candidate<'s>],
        mention: &Mention<'_>,
    ) -> Result<Matches<'g, 's>> {
        if mention.kind != ReferenceKind::Use || !self.scope.family.sees_namespaces() {
            return Ok((evidence, own));
        }
        let name = mention.name;
        let types = pick(candidates, |one| is_type(one.row.kind) && one.row.kind != DeclarationKind::Module);
        let properties = pick(&own, |one| one.row.kind == DeclarationKind::Field && !types.is_empty());
        for one in properties {
            let given = one.file.segment.mentions(one.file.segment.chunk_of_name(&one.row))?;
            let is_so =
                |of: &Mention<'_>| of.kind == ReferenceKind::Gives && (of.alias, of.name) == (name, name);
            if given.iter().any(is_so) {
                let here = pick(&types, |one| self.is_here(one));
                own.extend(if here.is_empty() { self.in_namespaces(&types).1 } else { here });
                break;
            }
        }
        Ok((evidence, own))
    }

    /// Returns whether the mention sees a class or a structure among the candidates.
    pub(in crate::search::graph) fn sees_class(&self, candidates: &[&'g Candidate<'s>]) -> bool {
        let classes =
            pick(candidates, |one| matches!(one.row.kind, DeclarationKind::Class | DeclarationKind::Struct));
        let is_seen = |one: &&Candidate<'s>| self.is_here(one) || of_candidate(one).0.is_empty();
        classes.iter().copied().any(|one| is_seen(&one)) || !self.in_namespaces(&classes).1.is_empty()
    }

    /// Returns the namespace around the mention.
    fn own_namespace(&self) -> Vec<&'s str> {
        let declaration = self.file.segment.chunk(self.from.ord).and_then(|row| row.declaration);
        let around = declaration.and_then(|ord| self.file.segment.declaration(ord));
        around.map_or_else(Vec::new, |row| of(&self.file, &row).0)
    }
}

/// Returns whether the type of C# that declares a member may be a part of another one: it is in the
/// same namespace, and in types of the same names.
pub(in crate::search::graph) fn may_be_part(member: &Candidate<'_>, ty: &Candidate<'_>) -> bool {
    let around = |file: &FileView<'_>, row: &DeclarationRow| {
        let mut at = row.parent;
        let mut names: Vec<String> = Vec::new();
        while let Some((ord, of)) = at.and_then(|ord| Some((ord, file.segment.declaration(ord)?))) {
            names.extend(named(file, &of).into_iter().rev().map(str::to_owned));
            at = of.parent.filter(|&parent| parent < ord);
        }
        names
    };
    let declaring = member.row.parent.and_then(|ord| member.file.segment.declaration(ord));
    declaring.is_none_or(|of| around(&member.file, &of) == around(&ty.file, &ty.row))
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
