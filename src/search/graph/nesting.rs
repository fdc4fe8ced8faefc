//! Paths of C++: the types and namespaces around a declaration, and which type a member belongs to
//! that is declared outside of it.
//!
//! Only names are compared, so nothing here resolves a name, and no lookup can come back to itself.
//! A macro may hide a namespace. So a namespace may be missing, but another one is a contradiction.

use super::{Candidate, is_function, is_type, last_segment};
use crate::index::chunk::DeclarationKind;
use crate::search::segment::{DeclarationRow, FileView};

/// Most types and namespaces around a declaration that are looked at.
const MAX_AROUND: usize = 16;

/// A type or a namespace around a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Container<'s> {
    pub(super) name: &'s str,
    /// Whether it is known to be a namespace.
    pub(super) is_module: bool,
}

/// Returns what is around a declaration, innermost first: the names in front of its own, and the
/// declarations that contain it.
pub(super) fn containers<'s>(file: &FileView<'s>, row: &DeclarationRow) -> Vec<Container<'s>> {
    let mut found: Vec<Container<'s>> = named(file.segment.scope(row), false).collect();
    found.extend(parents(file, row));
    found
}

/// Returns the types and namespaces of a path, the last one first.
fn named(written: &str, is_module: bool) -> impl Iterator<Item = Container<'_>> {
    path(written).map(move |name| Container { name, is_module })
}

/// Returns the types and namespaces that contain a declaration in its file, innermost first.
fn parents<'s>(file: &FileView<'s>, row: &DeclarationRow) -> Vec<Container<'s>> {
    let mut found: Vec<Container<'s>> = Vec::new();
    let mut at = row.parent;
    while let Some((ord, of)) = at.and_then(|ord| Some((ord, file.segment.declaration(ord)?))) {
        if found.len() >= MAX_AROUND || is_function(of.kind) {
            break;
        }
        found.extend(named(file.segment.name(&of), of.kind == DeclarationKind::Module));
        found.extend(named(file.segment.scope(&of), false));
        at = of.parent.filter(|&parent| parent < ord);
    }
    found
}

/// Returns the namespaces around a declaration in its file, innermost first.
pub(super) fn namespaces<'s>(file: &FileView<'s>, row: &DeclarationRow) -> Vec<&'s str> {
    parents(file, row).into_iter().filter(|one| one.is_module).map(|one| one.name).collect()
}

/// Returns whether no type declares a function or a type.
pub(super) fn is_free(of: &Candidate<'_>) -> bool {
    let parent = of.row.parent.and_then(|parent| of.file.segment.declaration(parent));
    let is_outside = parent.is_none_or(|parent| parent.kind == DeclarationKind::Module);
    is_outside && of.file.segment.scope(&of.row).is_empty()
}

/// Returns whether two lists of namespaces may be those of one place: a macro may hide some, and an
/// inline one need not be named.
pub(super) fn may_be_one_namespace(one: &[&str], other: &[&str]) -> bool {
    one.is_empty() || other.is_empty() || one.iter().any(|name| other.contains(name))
}

/// Returns the names of a path, the last one first, without arguments of templates.
pub(super) fn path(written: &str) -> impl Iterator<Item = &str> {
    let names = written.rsplit("::").map(|one| one.split('<').next().unwrap_or(one).trim());
    names.filter(|one| !one.is_empty())
}

/// Returns whether a member that is declared outside of all types may belong to a type that has the
/// name which the member gives: `void Shop::Cart::pay() {}` belongs to no `Cart` outside of `Shop`.
pub(super) fn may_belong_to(member: &Candidate<'_>, ty: &Candidate<'_>) -> bool {
    if is_implemented(member) {
        return true;
    }
    let own = Container { name: last_segment(ty.file.segment.name(&ty.row)), is_module: false };
    let mut around = vec![own];
    around.extend(containers(&ty.file, &ty.row));
    may_be_within(member, &around)
}

/// Returns whether a declaration names these types and namespaces as its own, innermost first.
fn may_be_within(member: &Candidate<'_>, around: &[Container<'_>]) -> bool {
    let mut left = around.iter();
    for name in path(member.file.segment.scope(&member.row)) {
        loop {
            match left.next() {
                Some(one) if one.name == name => break,
                Some(one) if one.is_module => {}
                Some(_) => return false,
                None => return !around.iter().any(|one| one.is_module),
            }
        }
    }
    let left = left.as_slice();
    let mut own = parents(&member.file, &member.row);
    own.retain(|one| one.is_module);
    let is_shared = |one: &Container<'_>| own.iter().any(|other| other.name == one.name);
    let modules = || left.iter().filter(|one| one.is_module);
    left.iter().all(|one| one.is_module || is_shared(one))
        && (own.is_empty() || modules().next().is_none() || modules().any(is_shared))
}

/// Returns whether `one`, which has a body, may be the definition of a member of the same name and
/// owner that has none.
pub(super) fn may_define(one: &Candidate<'_>, prototype: &Candidate<'_>) -> bool {
    let segment = prototype.file.segment;
    let parent = prototype.row.parent.and_then(|ord| segment.declaration(ord));
    let is_inside = segment.scope(&prototype.row).is_empty()
        && parent.is_some_and(|parent| is_declared_type(parent.kind));
    if !is_inside {
        return true;
    }
    if is_implemented(one) {
        return true;
    }
    if one.file.segment.scope(&one.row).is_empty() {
        // Both are declared in a type, so that must be the same one.
        let file = |one: &Candidate<'_>| (one.file.part, one.file.ord);
        return (file(one), one.row.parent) == (file(prototype), prototype.row.parent);
    }
    may_be_within(one, &containers(&prototype.file, &prototype.row))
}

/// Returns whether a member is in the implementation or a category of its class, which has the name
/// of the class: `@implementation Cart` of Objective-C.
fn is_implemented(member: &Candidate<'_>) -> bool {
    let around = member.row.parent.and_then(|ord| member.file.segment.declaration(ord));
    around.is_some_and(|around| around.kind == DeclarationKind::Implementation)
}

/// Returns whether a declaration of this kind is a type that has members of its own.
pub(super) fn is_declared_type(kind: DeclarationKind) -> bool {
    is_type(kind) && !matches!(kind, DeclarationKind::Implementation | DeclarationKind::Module)
}
