//! Types with members that another file declares: those that inherit, and parts of types.
//!
//! A bare name in such a type may be that of an inherited value, even if nothing else in the file
//! has it. Input: the declarations and mentions of a file. Output: which names may be so.

use super::mention::Mention;
use crate::index::chunk::resolve::ResolvedTable;
use crate::index::chunk::{Declaration, DeclarationKind, ReferenceKind};
use hashbrown::HashSet;

/// Most declarations around a name that are looked at.
const MAX_AROUND: usize = 64;

/// Returns the declarations that may have members which another file declares. None in a language
/// whose members are not named without their object.
pub(super) fn heirs(
    resolved: &ResolvedTable,
    text: &str,
    declarations: &[Declaration],
    mentions: &[Mention<'_>],
) -> HashSet<u32> {
    if !resolved.table.values.has_implicit_self {
        return HashSet::new();
    }
    let inherits = mentions.iter().filter(|one| one.kind == ReferenceKind::Inherits);
    let mut heirs: HashSet<u32> = inherits.filter_map(|one| one.within).collect();
    let part_word = resolved.table.values.part_word;
    let has_parts = !part_word.is_empty() && text.contains(part_word);
    // Another file has the other members of such a type.
    let is_part = |one: &Declaration| {
        one.kind == DeclarationKind::Implementation
            || !one.scope.is_empty()
            || has_parts
                && has_values(one.kind)
                && one.signature.of(text).split_whitespace().any(|word| word == part_word)
    };
    heirs.extend((0..).zip(declarations).filter(|(_, one)| is_part(one)).map(|(at, _)| at));
    heirs
}

/// Returns whether a type of this kind may inherit values, or have them in another part.
fn has_values(kind: DeclarationKind) -> bool {
    use DeclarationKind as K;
    matches!(kind, K::Class | K::Struct | K::Interface | K::Implementation)
}

/// The values of other files that a file may name without their types.
pub(super) struct InheritedValues<'a> {
    declarations: &'a [Declaration],
    heirs: HashSet<u32>,
    /// The places of names that may be those of types instead.
    types: HashSet<u32>,
    /// Whether an import brings in the members of a type.
    opens_types: bool,
    /// Whether only names with a capital letter count: in C#, a field with a small one is seldom
    /// seen outside of its class.
    is_capital: bool,
}

impl<'a> InheritedValues<'a> {
    pub(super) fn new(
        resolved: &ResolvedTable,
        text: &str,
        declarations: &'a [Declaration],
        mentions: &[Mention<'_>],
    ) -> Self {
        let table = resolved.table;
        let mut heirs = match table.has_inherited_values {
            true => heirs(resolved, text, declarations, mentions),
            false => HashSet::new(),
        };
        heirs.retain(|at| declarations.get(*at as usize).is_some_and(|of| has_values(of.kind)));
        let types = mentions.iter().filter(|one| one.may_be_value).map(|one| one.at).collect();
        let opens_types = !table.static_import.is_empty() && text.contains(table.static_import);
        Self { declarations, heirs, types, opens_types, is_capital: table.has_capital_packages }
    }

    /// Returns whether a name at a byte may be that of such a value. `within` is the declaration
    /// around it.
    pub(super) fn may_have(&self, name: &str, at: u32, within: Option<u32>) -> bool {
        let declaration = |at: u32| self.declarations.get(at as usize).map(|one| (at, one));
        let parent = |(_, one): &(u32, &Declaration)| one.parent.and_then(declaration);
        let first = within.and_then(declaration);
        let mut around = std::iter::successors(first, parent).take(MAX_AROUND);
        (self.opens_types || !self.heirs.is_empty())
            && (!self.is_capital || name.starts_with(char::is_uppercase))
            && !self.types.contains(&at)
            // What an enumeration lists declares the name.
            && first.is_none_or(|(_, of)| of.kind != DeclarationKind::Enum)
            && (self.opens_types || around.any(|(at, _)| self.heirs.contains(&at)))
    }
}
