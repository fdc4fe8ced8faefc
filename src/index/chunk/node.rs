//! Helpers for nodes of a syntax tree.

use super::ByteRange;
use super::lines::offset;
use tree_sitter::Node;

/// Returns the byte range of a node.
pub(super) fn range(node: Node<'_>) -> ByteRange {
    ByteRange { start: offset(node.start_byte()), end: offset(node.end_byte()) }
}
