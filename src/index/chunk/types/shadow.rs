//! Names that functions and types bind, and that therefore hide others.
//!
//! Input: the bindings and declarations of a file. Output: for a name at a place, whether a local
//! or a field of a type around it is meant.

use super::{Bound, Place, ancestors, is_function, is_module};
use crate::index::chunk::declare::is_type;
use crate::index::chunk::{ByteRange, Declaration};
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
    /// The names of declared members, each with its type.
    members_of: HashSet<(&'a str, u32)>,
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
    let is_new =
        |one: &&Bound<'_>| one.name == name && !one.is_result && !one.is_decorated && !one.is_assigned;
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

impl<'a, 't> ShadowedNames<'a, 't> {
    pub(in crate::index::chunk) fn new(
        declarations: &'a [Declaration],
        declared: &'a LocalDeclarations<'a>,
        bound: &[Bound<'t>],
    ) -> Self {
        let mut local: HashMap<(&'t str, Option<u32>), Vec<HidingRange>> = HashMap::new();
        let (mut fields, mut fields_of) = (HashSet::new(), HashSet::new());
        for one in bound.iter().filter(|one| !one.is_result && !one.is_decorated) {
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
        let inner = declarations.iter().filter_map(|one| Some((one.name.as_str(), one.parent?)));
        let members_of = inner.filter(|(_, of)| !is_function(declarations, *of)).collect();
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

    /// Returns whether a bare name is a field of a type around it, and nearer than any member that
    /// the file declares.
    pub(in crate::index::chunk) fn is_nearer_field(&self, name: &str, within: Option<u32>) -> bool {
        let mut around = ancestors(self.declarations, within).filter(|(_, one)| is_type(one.kind));
        around
            .find_map(|(of, _)| {
                let is_declared = self.members_of.contains(&(name, of));
                (is_declared || self.fields_of.contains(&(name, of))).then_some(!is_declared)
            })
            .unwrap_or_default()
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
