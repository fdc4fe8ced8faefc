//! Ranges and neighbours of nodes of a syntax tree.

use crate::index::chunk::ByteRange;
use crate::index::chunk::lines::offset;
use tree_sitter::Node;

/// Most nodes behind one that are looked at.
const MAX_BEHIND: usize = 256;

/// Returns the nodes behind one: its next siblings, and then those of the nodes around it.
pub(in crate::index::chunk) fn nodes_behind(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(next(node), |node| next(*node)).take(MAX_BEHIND)
}

fn next(node: Node<'_>) -> Option<Node<'_>> {
    node.next_sibling().or_else(|| node.parent()?.next_sibling())
}

/// Returns the byte range of a node.
pub(in crate::index::chunk) fn range(node: Node<'_>) -> ByteRange {
    ByteRange { start: offset(node.start_byte()), end: offset(node.end_byte()) }
}
