//! Members that are named without their type: `self.f()`, or `f()` where the language lets members
//! call each other so.
//!
//! A chunk says with which declaration it begins, and so which type is meant. A chunk of several
//! small types says it of the first only. In the others, the mention itself says it, by its alias.
//! In the same way, it says that a function around it declares the name.

use super::declare::is_type;
use super::heirs::heirs;
use super::mention::Mention;
use crate::index::chunk::lines::offset;
use crate::index::chunk::resolve::ResolvedTable;
use crate::index::chunk::types::{LocalDeclarations, SOME, ancestors, bare};
use crate::index::chunk::{Declaration, DeclarationKind, ReferenceKind, without_language};
use hashbrown::HashSet;
use std::borrow::Cow;

/// The alias of a name that a function around it declares.
pub const LOCAL_ALIAS: &str = "{}";

/// Marks the mentions of what a function around them declares, and those that may mean a member of
/// the type around them.
pub(in crate::index::chunk) fn find(
    resolved: &ResolvedTable,
    text: &str,
    declarations: &[Declaration],
    locals: &LocalDeclarations<'_>,
    mentions: &mut [Mention<'_>],
) {
    let mut members: HashSet<&str> = HashSet::new();
    if resolved.table.values.has_implicit_self {
        let is_member = |one: &&Declaration| !one.scope.is_empty() || one.parent.is_some();
        members.extend(declarations.iter().filter(is_member).map(|one| one.name.as_str()));
    }
    let heirs = heirs(resolved, text, declarations, mentions);
    for one in mentions {
        if !matches!(one.kind, ReferenceKind::Call | ReferenceKind::Use) || !one.alias.is_empty() {
            continue;
        }
        let is_local = !locals.is_empty()
            && one.qualifier.is_empty()
            && ancestors(declarations, one.within).any(|(at, _)| locals.contains(&(&*one.name, at)));
        if is_local {
            one.alias = Cow::Borrowed(LOCAL_ALIAS);
            continue;
        }
        one.is_in_modules = resolved.table.has_bare_calls;
        one.is_own = match &*one.qualifier {
            // A member of another file's type is inherited, or declared in another part.
            "" => {
                members.contains(&*one.name)
                    || !heirs.is_empty()
                        && ancestors(declarations, one.within).any(|(at, _)| heirs.contains(&at))
            }
            qualifier => resolved.self_words.contains(qualifier),
        };
    }
}

/// Names the type around a mention, if the chunk begins in another one. `first` is the declaration
/// that the chunk begins with.
pub(in crate::index::chunk) fn tell(declarations: &[Declaration], first: Option<u32>, one: &mut Mention<'_>) {
    if one.is_own {
        let type_around = |within| type_around(declarations, within, one.is_in_modules);
        let own = type_around(innermost(declarations, one.at));
        if own != type_around(first) {
            one.alias = Cow::Owned(own.unwrap_or(SOME).to_owned());
        }
    }
}

/// Returns the innermost declaration around a byte. They are in order, outer before inner.
fn innermost(declarations: &[Declaration], at: u32) -> Option<u32> {
    let next = declarations.partition_point(|one| one.span.bytes.start <= at);
    let last = next.checked_sub(1).map(offset);
    let is_around = |one: &Declaration| one.span.bytes.contains(at);
    ancestors(declarations, last).find(|(_, one)| is_around(one)).map(|(at, _)| at)
}

/// Returns the innermost type around a declaration, which may be the declaration itself, or the
/// one that names its type.
/// `has_modules`: whether a module is one.
fn type_around(declarations: &[Declaration], within: Option<u32>, has_modules: bool) -> Option<&str> {
    ancestors(declarations, within).find_map(|(_, one)| {
        let is_whole = is_type(one.kind) || has_modules && one.kind == DeclarationKind::Module;
        Some(if is_whole { bare(&one.name) } else { bare(without_language(&one.scope)) })
            .filter(|name| !name.is_empty())
    })
}
