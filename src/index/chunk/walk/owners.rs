//! Owners: mentions of members → mentions of the types that they are members of.
//!
//! `Cart.open()` and `Cart.Item` refer to `Cart`, too. A capital letter distinguishes a type from
//! an object, and a small one a type from a constant. A local or a field may be called like a type;
//! then it is meant, unless the type is also its own.

use super::mention::{MAX_NAME, Mention};
use super::uses::{FileBindings, is_type_name};
use crate::index::chunk::declare::is_type;
use crate::index::chunk::table::Table;
use crate::index::chunk::types::{ShadowedNames, ancestors};
use crate::index::chunk::{Declaration, DeclarationKind, ReferenceKind};
use hashbrown::HashSet;
use std::borrow::Cow;

/// Most types in front of a name.
const MAX_OWNERS: usize = 4;

/// Adds the types whose members are called, read, or named as types.
///
/// A name that is also recorded as a use is recorded as one, because it may be a value.
pub(in crate::index::chunk) fn add(
    table: &Table,
    names: &FileBindings<'_, '_>,
    mentions: &mut Vec<Mention<'_>>,
) {
    let mut found = Vec::new();
    let used: HashSet<&str> =
        mentions.iter().filter(|one| one.kind == ReferenceKind::Use).map(|one| &*one.name).collect();
    for one in mentions.iter() {
        let is_member = match one.kind {
            ReferenceKind::Call | ReferenceKind::Use => one.alias.is_empty(),
            ReferenceKind::Type | ReferenceKind::Inherits => table.has_inner_types,
            _ => false,
        };
        let Cow::Borrowed(path) = one.qualifier else { continue };
        let (mut path, mut name_at) = (path, one.name_at);
        // `Cart.Item.Kind` names both types in front of `Kind`.
        let most = if table.has_inner_types && !table.has_capital_packages { MAX_OWNERS } else { 1 };
        for _ in 0..most {
            let start = path.rfind(['.', ':', '\\']).map_or(0, |at| at + 1);
            let Some((before, owner)) = path.split_at_checked(start) else { break };
            if !is_member || !is_type_name(owner) || owner == "Self" || owner.len() > MAX_NAME {
                break;
            }
            path = before.trim_end_matches(['.', ':', '\\']);
            let kind = if used.contains(owner) { ReferenceKind::Use } else { ReferenceKind::Type };
            let mut mention = Mention::new(one.at, kind, owner, Cow::Borrowed(path));
            mention.within = one.within;
            let before = names.text.get(..name_at as usize).and_then(|text| text.rfind(owner));
            name_at = before.and_then(|at| u32::try_from(at).ok()).unwrap_or(one.at);
            mention.name_at = name_at;
            found.push((mention, matches!(one.kind, ReferenceKind::Call | ReferenceKind::Use)));
        }
    }
    drop(used);
    // The walk has recorded those of members that are read.
    let is_read = |one: &Mention<'_>| {
        let is_owner = one.kind == ReferenceKind::Type && one.qualifier.is_empty();
        is_owner && is_object(names.text, one)
    };
    let is_value = found.iter().any(|(one, is_value)| *is_value && is_object(names.text, one));
    if is_value || mentions.iter().any(is_read) {
        let hidden = HidingValues::of(names, mentions);
        found.retain(|(one, is_value)| !(*is_value && hidden.is(table, names, one)));
        mentions.retain(|one| !(is_read(one) && hidden.is(table, names, one)));
    }
    mentions.extend(found.into_iter().map(|(one, _)| one));
}

/// Returns whether a dot stands behind a name, as it does behind a value that has the member.
fn is_object(text: &str, one: &Mention<'_>) -> bool {
    let named = text.get(one.name_at as usize..).and_then(|rest| rest.strip_prefix(&*one.name));
    named.is_some_and(|behind| behind.trim_start_matches(['?', '!']).trim_start().starts_with('.'))
}

/// The values of a file that hide types.
struct HidingValues<'a, 't> {
    shadowed: &'a ShadowedNames<'a, 't>,
    /// The names of members that hold values.
    members: HashSet<(&'a str, u32)>,
    /// The names that the file imports, and those of values whose type has the same name.
    seen: HashSet<String>,
}

impl<'a, 't> HidingValues<'a, 't> {
    fn of(names: &'a FileBindings<'a, 't>, mentions: &[Mention<'_>]) -> Self {
        use DeclarationKind as K;
        let &FileBindings { text, declarations, bound, .. } = names;
        let is_own_type = |name: &str, at: u32| {
            let (before, behind) = text.split_at_checked(at as usize).unwrap_or_default();
            let behind = behind.get(name.len()..).unwrap_or_default().trim_start_matches([':', ' ']);
            before.trim_end_matches([' ', '?', '[', ']', '*', '&']).ends_with(name)
                || behind.starts_with(name)
        };
        let own = bound.iter().filter_map(|one| {
            let (name, at) = one.name();
            is_own_type(name, at).then(|| name.to_owned())
        });
        let mut seen: HashSet<String> = own.collect();
        let imports = mentions.iter().filter(|one| one.kind == ReferenceKind::Import);
        seen.extend(
            imports.map(|one| if one.alias.is_empty() { &*one.name } else { &*one.alias }.to_owned()),
        );
        let is_value = |one: &&Declaration| matches!(one.kind, K::Field | K::Variable | K::Constant);
        let mut members = HashSet::new();
        for one in declarations.iter().filter(is_value) {
            let signature = one.signature.of(text);
            let n_named = signature.split(|c: char| !c.is_alphanumeric() && c != '_');
            if n_named.filter(|word| *word == one.name).count() > 1 {
                seen.insert(one.name.clone());
            }
            members.extend(one.parent.map(|parent| (one.name.as_str(), parent)));
        }
        Self { shadowed: &names.shadowed, members, seen }
    }

    /// Returns whether a bare name with a member is a value.
    fn is(&self, table: &Table, names: &FileBindings<'_, '_>, one: &Mention<'_>) -> bool {
        if !one.qualifier.is_empty() || !is_object(names.text, one) || self.seen.contains(&*one.name) {
            return false;
        }
        self.shadowed.calls(&one.name, one.within, one.name_at, table.has_function_scope)
            || table.values.has_implicit_self
                && (self.shadowed.is_nearer_field(&one.name, one.within) || self.is_member(names, one))
    }

    /// Returns whether the innermost type around a name that has a member of the name has a value.
    fn is_member(&self, names: &FileBindings<'_, '_>, one: &Mention<'_>) -> bool {
        let mut around = ancestors(names.declarations, one.within);
        around.any(|(at, of)| is_type(of.kind) && self.members.contains(&(&*one.name, at)))
    }
}

#[cfg(test)]
mod tests {
    use crate::index::chunk::{ChunkOptions, Language, ReferenceKind, chunk};

    /// Returns whether a member of a class refers to the type `Order`.
    fn refers(language: &str, member: &str) -> Option<bool> {
        let language = Language::from_name(language).filter(|one| !one.lacks_grammar())?;
        let text = format!("class Shop {{\n{member}\n}}\n");
        let file = chunk(language, &text, &ChunkOptions::default());
        let is_type = |kind| kind == ReferenceKind::Type;
        Some(file.references.iter().any(|one| is_type(one.kind) && one.name == "Order"))
    }

    #[test]
    fn a_value_that_is_called_like_a_type_is_meant() {
        for (language, member, expected) in [
            ("c-sharp", "int F() { var Order = Get(); return Order.Id; }", false),
            ("c-sharp", "int F() { string Order = Get(); return Order.Count(); }", false),
            ("c-sharp", "int F() { var (Order, b) = Get(); return Order.Id; }", false),
            ("c-sharp", "int F() { Run(Order => Order.Id); return 0; }", false),
            ("c-sharp", "int F(string Order) { return Order?.Length; }", false),
            ("c-sharp", "private string Order; int F() { return Order.Length; }", false),
            ("c-sharp", "public string Order { get; set; } int F() { return Order.Length; }", false),
            ("java", "int f() { var Order = get(); return Order.size(); }", false),
            // The type is meant, or may be.
            ("c-sharp", "int F() { return Order.Count(); }", true),
            ("c-sharp", "int F() { G(Order.Id); var Order = Get(); return 0; }", true),
            ("c-sharp", "public Order Order { get; set; } int F() { return Order.Count(); }", true),
            ("c-sharp", "int F() { Order Order = Get(); return Order.Count(); }", true),
            ("c-sharp", "int F() { var Order = Get(); return N.Order.Count(); }", true),
            ("java", "int f() { return Order.size(); }", true),
        ] {
            let Some(found) = refers(language, member) else { continue };
            assert_eq!(found, expected, "{language}: {member}");
        }
    }
}
