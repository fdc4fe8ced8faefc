//! Names that functions and types bind, and that therefore hide others.
//!
//! Input: the bindings and declarations of a file. Output: for a name at a place, whether a local
//! or a field of a type around it is meant.

use super::bound::BoundKind;
use super::{Bound, Place, ancestors, is_function, is_module};
use crate::index::chunk::declare::is_type;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::resolve::ResolvedTable;
use crate::index::chunk::{ByteRange, Declaration, DeclarationKind, ReferenceKind};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Where a name hides others.
#[derive(Debug, Clone, Copy)]
struct HidingRange {
    scope: ByteRange,
    known_from: u32,
    /// Whether it only assigns to the name.
    is_assigned: bool,
}

/// The names that are bound in functions and therefore hide others.
pub(in crate::index::chunk) struct ShadowedNames<'a, 't> {
    declarations: &'a [Declaration],
    /// Where names are bound: each with the declaration that it is bound in.
    local: HashMap<(&'t str, Option<u32>), Vec<HidingRange>>,
    declared: &'a LocalDeclarations<'a>,
    /// The names of members that hold values.
    fields: HashSet<&'t str>,
    /// The same, each with its type.
    fields_of: HashSet<(&'t str, u32)>,
    /// The names of declared members, each with its type, and whether all of that name hold values.
    members_of: HashMap<(&'a str, u32), bool>,
}

/// The names of what functions declare inside, each with the function.
pub(in crate::index::chunk) type LocalDeclarations<'a> = HashSet<(&'a str, u32)>;

/// Returns the names of what functions declare inside.
pub(in crate::index::chunk) fn local_declarations(declarations: &[Declaration]) -> LocalDeclarations<'_> {
    let inner = declarations.iter().filter_map(|one| Some((one.name.as_str(), one.parent?)));
    inner.filter(|(_, of)| is_function(declarations, *of)).collect()
}

/// Returns the bytes in which a name is one that a function binds.
pub(in crate::index::chunk) fn hiding_ranges(
    declarations: &[Declaration],
    bound: &[Bound<'_>],
    name: &str,
) -> Vec<ByteRange> {
    let is_new = |one: &&Bound<'_>| {
        one.name == name && one.hides() && !one.is_assigned && one.kind != BoundKind::Import
    };
    let range = |one: &Bound<'_>| {
        let Place::Local(within) = one.place else { return None };
        let around = within.filter(|&at| is_function(declarations, at));
        let span = around.and_then(|at| declarations.get(at as usize)).map(|of| of.span.bytes);
        if span.is_none() && one.scope.end == u32::MAX {
            return None;
        }
        let span = span.unwrap_or(one.scope);
        Some(ByteRange { start: one.scope.start.max(span.start), end: one.scope.end.min(span.end) })
    };
    bound.iter().filter(is_new).filter_map(range).collect()
}

/// Kinds of members that hold values.
const VALUES: [DeclarationKind; 3] =
    [DeclarationKind::Constant, DeclarationKind::Field, DeclarationKind::Variable];

/// Returns the names that a file declares outside all others.
fn outer_names(declarations: &[Declaration]) -> HashSet<&str> {
    declarations.iter().filter(|one| one.parent.is_none()).map(|one| one.name.as_str()).collect()
}

impl<'a, 't> ShadowedNames<'a, 't> {
    pub(in crate::index::chunk) fn new(
        declarations: &'a [Declaration],
        declared: &'a LocalDeclarations<'a>,
        bound: &[Bound<'t>],
        has_own_calls: bool,
    ) -> Self {
        let mut local: HashMap<(&'t str, Option<u32>), Vec<HidingRange>> = HashMap::new();
        let (mut fields, mut fields_of) = (HashSet::new(), HashSet::new());
        let outer = match bound.iter().any(|one| one.kind == BoundKind::Import) {
            true => outer_names(declarations),
            false => HashSet::new(),
        };
        let is_new = |one: &&Bound<'_>| one.kind != BoundKind::Import || outer.contains(one.name);
        for one in bound.iter().filter(|one| one.hides()).filter(is_new) {
            if let Place::Local(within) = one.place {
                // A name that a module contains is not a function's local.
                let is_outside = within.is_none_or(|within| is_module(declarations, within));
                if !is_outside || one.scope.end != u32::MAX {
                    let hiding = HidingRange {
                        scope: one.scope,
                        known_from: one.known_from,
                        is_assigned: one.is_assigned,
                    };
                    local.entry((one.name, within)).or_default().push(hiding);
                }
            } else {
                fields.insert(one.name);
                if let Place::Member(at) = one.place
                    && let Some((of, _)) = ancestors(declarations, Some(at)).find(|(_, of)| is_type(of.kind))
                {
                    fields_of.insert((one.name, of));
                }
            }
        }
        // A name without a call means no method where methods have names of their own.
        let is_value = |one: &&Declaration| !has_own_calls || one.kind != DeclarationKind::Method;
        let mut members_of = HashMap::new();
        for one in declarations.iter().filter(is_value) {
            let Some(of) = one.parent.filter(|of| !is_function(declarations, *of)) else { continue };
            *members_of.entry((one.name.as_str(), of)).or_insert(true) &= VALUES.contains(&one.kind);
        }
        Self { declarations, local, declared, fields, fields_of, members_of }
    }

    /// Returns whether a member of that name is known to hold a value.
    pub(in crate::index::chunk) fn is_field(&self, name: &str) -> bool {
        self.fields.contains(name)
    }

    /// Returns whether a bare name is a field of a type around it.
    pub(in crate::index::chunk) fn is_field_around(&self, name: &str, within: Option<u32>) -> bool {
        self.fields.contains(name)
            && ancestors(self.declarations, within).any(|(of, _)| self.fields_of.contains(&(name, of)))
    }

    /// Returns the types around a place, from the innermost on.
    fn types_around(&self, within: Option<u32>) -> impl Iterator<Item = u32> {
        let is_type = |one: &Declaration| is_type(one.kind) && one.kind != DeclarationKind::Module;
        ancestors(self.declarations, within).filter(move |(_, one)| is_type(one)).map(|(at, _)| at)
    }

    /// Returns whether a bare name is a field of a type around it, and nearer than any member that
    /// the file declares.
    pub(in crate::index::chunk) fn is_nearer_field(&self, name: &str, within: Option<u32>) -> bool {
        let mut around = self.types_around(within);
        around
            .find_map(|of| {
                let is_declared = self.members_of.contains_key(&(name, of));
                (is_declared || self.fields_of.contains(&(name, of))).then_some(!is_declared)
            })
            .unwrap_or_default()
    }

    /// Returns whether the call of a bare name is the call of what a field of a type around it
    /// holds, and whether the file declares that field. A method of the same name is nearer.
    fn called_field(&self, name: &str, within: Option<u32>) -> Option<bool> {
        let mut around = self.types_around(within);
        let found = around.find_map(|of| match self.members_of.get(&(name, of)) {
            Some(holds_value) => Some(holds_value.then_some(true)),
            None => self.fields_of.contains(&(name, of)).then_some(Some(false)),
        });
        found.flatten()
    }

    /// Drops the calls of local values and of fields that are not declared: `load()`, where `load`
    /// is a parameter. Nobody knows which function it holds. The call of a declared field gets the
    /// object as its qualifier.
    pub(in crate::index::chunk) fn drop_calls(
        &self,
        resolved: &ResolvedTable,
        mentions: &mut Vec<Mention<'_>>,
    ) {
        let table = resolved.table;
        let own = resolved.self_words.first_own().filter(|_| table.values.has_implicit_self);
        mentions.retain_mut(|one| {
            let is_bare = one.kind == ReferenceKind::Call && one.qualifier.is_empty() && one.alias.is_empty();
            if !is_bare {
                return true;
            }
            if self.calls(&one.name, one.within, one.name_at, table.has_function_scope) {
                return false;
            }
            let Some(own) = own.filter(|_| !table.has_called_items) else { return true };
            let field = self.called_field(&one.name, one.within);
            if field == Some(true) {
                one.qualifier = Cow::Borrowed(own);
            }
            field != Some(false)
        });
    }

    /// Returns whether a name at a byte is bound in a declaration, or in one around it.
    pub(in crate::index::chunk) fn is(&self, name: &str, within: Option<u32>, byte: u32) -> bool {
        self.has_binding(name, within, |one| one.scope.contains(byte))
    }

    /// Returns whether the call of a name is the call of a local value. `is_declared`: whether an
    /// assignment declares a variable.
    pub(in crate::index::chunk) fn calls(
        &self,
        name: &str,
        within: Option<u32>,
        byte: u32,
        is_declared: bool,
    ) -> bool {
        // A function that is declared in another one is found by its declaration.
        let is_declared_here =
            ancestors(self.declarations, within).any(|(at, _)| self.declared.contains(&(name, at)));
        !is_declared_here
            && self.has_binding(name, within, |one| {
                one.scope.contains(byte) && byte >= one.known_from && (is_declared || !one.is_assigned)
            })
    }

    fn has_binding(&self, name: &str, within: Option<u32>, admits: impl Fn(&HidingRange) -> bool) -> bool {
        let mut around = ancestors(self.declarations, within).map(|(at, _)| Some(at)).chain([None]);
        around.any(|at| {
            let bound = self.local.get(&(name, at));
            bound.is_some_and(|all| all.iter().any(&admits))
        })
    }
}
