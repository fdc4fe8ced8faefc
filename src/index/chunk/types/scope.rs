//! The bytes in which a name is known: the block around the node that binds it.

use crate::index::chunk::ByteRange;
use crate::index::chunk::node::range;
use crate::index::chunk::walk::Walk;
use tree_sitter::Node;

impl Walk<'_> {
    /// Returns the bytes in which a name is known that `node` binds.
    pub(super) fn scope_of(&self, node: Node<'_>) -> ByteRange {
        if self.resolved.is_scope(node.kind_id()) {
            return range(node);
        }
        let mut around = self.kinds.iter().zip(&self.ranges).rev();
        let scope = around.find(|(kind, bytes)| self.resolved.is_scope(**kind) && !self.is_negated(**bytes));
        scope.map_or(ByteRange { start: 0, end: u32::MAX }, |(_, bytes)| *bytes)
    }

    /// Returns whether a statement begins with a negated condition. What that binds is known behind
    /// the statement: `if (!(x instanceof Cart cart)) return;`.
    fn is_negated(&self, statement: ByteRange) -> bool {
        let condition = statement.of(self.text).strip_prefix("if").unwrap_or_default().trim_start();
        condition.strip_prefix('(').is_some_and(|condition| condition.trim_start().starts_with("!("))
    }
}
