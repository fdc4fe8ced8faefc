//! Enumerations of C and C++, whose alternatives belong to the scope around them, too.
//!
//! Pure functions over declarations and their texts.

use crate::index::chunk::DeclarationKind;
use crate::search::graph::is_type;
use crate::search::segment::DeclarationView;

/// Returns the type or namespace around an enumeration of C++ whose alternatives have its scope,
/// too: `Start` of `struct Widget { enum State { Start }; }` is also `Widget::Start`. `text` is the
/// source.
pub(super) fn outer_scope<'s>(
    owner: Option<&DeclarationView<'s>>,
    text: &str,
) -> Option<DeclarationView<'s>> {
    let owner = owner.filter(|one| one.row.kind == DeclarationKind::Enum && one.file.language() == "cpp")?;
    let signature = owner.row.signature.of(text);
    if !signature.starts_with("enum") || is_scoped_enumeration(signature) {
        return None;
    }
    let ord = owner.row.parent.filter(|&parent| parent < owner.ord)?;
    let outer = DeclarationView { ord, row: owner.file.segment.declaration(ord)?, ..*owner };
    is_type(outer.row.kind).then_some(outer)
}

/// Returns whether the alternatives of an enumeration are named behind it: `enum class A`.
pub(super) fn is_scoped_enumeration(signature: &str) -> bool {
    let mut words = signature.split_whitespace().skip_while(|word| *word != "enum");
    words.next().is_some() && matches!(words.next(), Some("class" | "struct"))
}

/// Returns whether a declaration is in a type or a namespace of a name.
pub(super) fn is_in(one: &DeclarationView<'_>, name: &str) -> bool {
    let segment = one.file.segment;
    let parents = std::iter::successors(Some(one.row), |row| segment.declaration(row.parent?));
    let last = |path: &str| path.rsplit("::").next() == Some(name);
    parents.into_iter().any(|row| last(segment.name(&row)) || last(segment.scope(&row)))
}
