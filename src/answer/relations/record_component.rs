//! Components of records of Java: a member of a type → whether a call of its name reads it.

use crate::index::chunk::DeclarationKind;
use crate::search::segment::{DeclarationView, FileView};

/// Returns whether a member is a component of a record, and the record declares no method of that
/// name itself. `owner` is the type that has the member.
pub(super) fn is_record_component(
    file: &FileView<'_>,
    owner: Option<DeclarationView<'_>>,
    name: &str,
) -> bool {
    let Some(owner) = owner.filter(|owner| owner.row.kind == DeclarationKind::Struct) else { return false };
    let mut own = file.declarations().filter(|one| one.row.parent == Some(owner.ord));
    file.language() == "java" && !own.any(|one| one.name() == name)
}
