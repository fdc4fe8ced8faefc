//! Names that mean two things: a property of C# that is called like its type, and a property and a
//! function of one name.
//!
//! Input: a declaration, and the text around a reference to its name. Output: whether the reference
//! means the other of the two. The graph can't tell: it reads no text.

use std::collections::HashSet;
use std::sync::Arc;

use super::name_in_text::NameInText;
use super::words::is_property;
use crate::base::text::words;
use crate::index::chunk::{DeclarationKind, ReferenceKind};
use crate::search::graph::{class_around, is_function, is_type};
use crate::search::segment::DeclarationView;

/// What distinguishes a declaration from another meaning of its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Namesake {
    /// A property of C# with a type of its name. A static member belongs to the type.
    Property(StaticMembers),
    /// That type, with the names of the types that have such a property.
    Type(StaticMembers, HashSet<String>),
    /// A function of Kotlin. A member that is read without a call is none.
    Function,
    /// A property whose type has a function of its name, too. A call means that.
    Value,
}

/// The names that the type itself has, rather than its objects.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct StaticMembers {
    names: HashSet<String>,
    is_enum: bool,
}

impl StaticMembers {
    /// Returns whether a text behind the name of the type begins with such a member.
    fn are_in_front(&self, behind: &str) -> bool {
        let Some(member) = behind.trim_start().strip_prefix('.') else { return false };
        let end = member.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(member.len());
        let (name, rest) = member.split_at_checked(end).unwrap_or((member, ""));
        self.names.contains(name) || self.is_enum && !rest.starts_with('(')
    }
}

impl Namesake {
    /// Returns whether a reference means the other declaration of the name.
    pub(super) fn is_other(&self, at: &NameInText<'_, '_>) -> bool {
        let before = at.call.before.trim_end();
        let is_member = before.ends_with('.');
        let is_called = at.behind.starts_with(['(', '<']) || at.behind.trim_start().starts_with('{');
        match self {
            Self::Property(members) => {
                let is_new = at.kind == ReferenceKind::Call && before.ends_with("new");
                is_new || !is_member && members.are_in_front(at.behind)
            }
            Self::Type(members, owners) => {
                let class = at.around.map_or("", |around| class_around(&around.file, Some(around.ord)));
                let is_open = at.kind == ReferenceKind::Use && !is_member && owners.contains(class);
                is_open && !members.are_in_front(at.behind)
            }
            Self::Function => is_member && !is_called,
            Self::Value => at.behind.starts_with('('),
        }
    }
}

impl Namesake {
    /// Returns what distinguishes a declaration from another meaning of its name. `text` is its
    /// file's, `others` are the other declarations of the name, and `text_of` reads the file of
    /// one.
    pub(super) fn of<'s>(
        one: &DeclarationView<'s>,
        text: &str,
        others: &[DeclarationView<'s>],
        mut text_of: impl FnMut(&DeclarationView<'s>) -> Option<Arc<str>>,
    ) -> Option<Self> {
        let language = one.file.language();
        if language == "kotlin" && is_function(one.row.kind) {
            return Some(Self::Function);
        }
        if is_property(one) {
            let class = class_around(&one.file, Some(one.ord));
            let is_twin = |other: &DeclarationView<'s>| {
                is_function(other.row.kind)
                    && other.file.language() == language
                    && class_around(&other.file, Some(other.ord)) == class
            };
            if others.iter().any(is_twin) {
                return Some(Self::Value);
            }
        }
        if !matches!(language, "c-sharp" | "razor") {
            return None;
        }
        if is_property(one) {
            let types: Vec<DeclarationView<'s>> =
                others.iter().filter(|one| is_class(one)).copied().collect();
            let is_so = is_called_like_its_type(one, text) && !types.is_empty();
            return is_so.then(|| Self::Property(StaticMembers::of(&types, text_of)));
        }
        if !is_class(one) {
            return None;
        }
        let mut owners: HashSet<String> = HashSet::new();
        for other in others.iter().filter(|other| is_property(other)) {
            if text_of(other).is_some_and(|text| is_called_like_its_type(other, &text)) {
                owners.insert(class_around(&other.file, Some(other.ord)).to_owned());
            }
        }
        (!owners.is_empty()).then(|| Self::Type(StaticMembers::of(&[*one], text_of), owners))
    }
}

impl StaticMembers {
    /// Returns the members of types that need no object.
    fn of<'s>(
        types: &[DeclarationView<'s>],
        mut text_of: impl FnMut(&DeclarationView<'s>) -> Option<Arc<str>>,
    ) -> Self {
        let mut found = Self::default();
        for ty in types {
            found.is_enum |= ty.row.kind == DeclarationKind::Enum;
            let Some(text) = text_of(ty) else { continue };
            let members = ty.file.declarations().filter(|one| one.row.parent == Some(ty.ord));
            let is_static = |one: &DeclarationView<'s>| {
                let mut words = one.row.signature.of(&text).split_whitespace();
                is_type(one.row.kind) || words.any(|word| matches!(word, "static" | "const"))
            };
            found.names.extend(members.filter(is_static).map(|one| one.name().to_owned()));
        }
        found
    }
}

/// Returns whether a declaration is a type that may be that of a property.
fn is_class(one: &DeclarationView<'_>) -> bool {
    is_type(one.row.kind)
        && !matches!(one.row.kind, DeclarationKind::Module | DeclarationKind::Implementation)
}

/// Returns whether the type of a property has its name: `Order Order { get; }`.
fn is_called_like_its_type(one: &DeclarationView<'_>, text: &str) -> bool {
    let head = one.row.signature.of(text).split(['=', '{']).next().unwrap_or_default();
    words(head, one.name()).count() > 1
}
