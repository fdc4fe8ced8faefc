//! Fields: what the field that a node is in says about it.
//!
//! Some grammars name a type, or a part of a longer name, by the node kind of any other name. Then
//! only the field tells them apart.

use super::Walk;
use super::node::range;
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::table::Meaning;
use tree_sitter::TreeCursor;

impl Walk<'_> {
    /// Notes that the next node is in the position of a type, or is a part of a name.
    pub(super) fn enter_field(&mut self, cursor: &TreeCursor<'_>) {
        let (types, parts) = (&self.resolved.type_fields, &self.resolved.part_fields);
        if types.is_empty() && parts.is_empty() {
            return;
        }
        let Some(field) = cursor.field_id() else { return };
        if types.contains(&field.get()) {
            let bytes = range(cursor.node());
            self.leave(bytes.start);
            self.regions.push((bytes.end, Meaning::Refers(ReferenceKind::Type)));
        } else if parts.contains(&field.get()) {
            self.named_until = self.named_until.max(range(cursor.node()).end);
        }
    }
}
