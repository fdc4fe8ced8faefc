//! The bytes in which a name is known: the block around the node that binds it.

use super::is_function;
use crate::index::chunk::ByteRange;
use crate::index::chunk::node::range;
use crate::index::chunk::walk::Walk;
use tree_sitter::Node;

/// All bytes of a text.
const EVERYWHERE: ByteRange = ByteRange { start: 0, end: u32::MAX };

/// Most nodes around a variable among which its function is looked for.
const MAX_AROUND: usize = 1000;

impl Walk<'_> {
    /// Returns the bytes of the function around a variable that is known in all of it, whichever
    /// block of it declares the variable: `var` of JavaScript. `None` for another variable, and
    /// outside of functions.
    pub(super) fn function_scope(&self, node: Node<'_>, within: Option<u32>) -> Option<ByteRange> {
        let word = self.resolved.table.hoisting;
        if word.is_empty() {
            return None;
        }
        let of_loop = node.child_by_field_name("kind").map(range);
        let statement = of_loop.or(self.ranges.last().copied())?.of(self.text);
        let behind = statement.strip_prefix(word)?;
        if behind.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$')) {
            return None;
        }
        let mut around = self.kinds.iter().zip(&self.ranges).rev().take(MAX_AROUND);
        let unnamed = around.find(|(kind, _)| self.resolved.is_closure(**kind)).map(|(_, bytes)| *bytes);
        let is_in_function = || within.is_some_and(|at| is_function(&self.out.declarations, at));
        unnamed.or_else(|| is_in_function().then_some(EVERYWHERE))
    }

    /// Returns the bytes in which a name is known that `node` binds.
    pub(super) fn scope_of(&self, node: Node<'_>) -> ByteRange {
        if self.resolved.is_scope(node.kind_id()) {
            return range(node);
        }
        let mut around = self.kinds.iter().zip(&self.ranges).rev();
        let scope = around.find(|(kind, bytes)| self.resolved.is_scope(**kind) && !self.is_negated(**bytes));
        scope.map_or(EVERYWHERE, |(_, bytes)| *bytes)
    }

    /// Returns whether a statement begins with a negated condition. What that binds is known behind
    /// the statement: `if (!(x instanceof Cart cart)) return;`.
    fn is_negated(&self, statement: ByteRange) -> bool {
        let condition = statement.of(self.text).strip_prefix("if").unwrap_or_default().trim_start();
        condition.strip_prefix('(').is_some_and(|condition| condition.trim_start().starts_with("!("))
    }
}
