//! The parts of a node that have a name each: a statement → its declarators, or the names in its
//! pattern.
//!
//! A function of a language's table calls these functions. The walk then makes one declaration of
//! each part.

use crate::index::chunk::resolve::step;
use tree_sitter::Node;

/// Lists the parts of a node that have a name each, in order.
pub(in crate::index::chunk) type Parts = for<'tree> fn(Node<'tree>) -> Vec<Node<'tree>>;

/// Most parts of one node. All of them share the text of the node, so more would be slow.
pub(in crate::index::chunk) const MAX_PARTS: usize = 100;

/// Returns the children in a field, without the commas between them.
pub(in crate::index::chunk) fn in_field<'tree>(node: Node<'tree>, field: &str) -> Vec<Node<'tree>> {
    let mut cursor = node.walk();
    let children = node.children_by_field_name(field, &mut cursor).filter(Node::is_named);
    children.take(MAX_PARTS).collect()
}

/// Returns the children of a kind.
pub(in crate::index::chunk) fn of_kind<'tree>(node: Node<'tree>, kind: &str) -> Vec<Node<'tree>> {
    let mut cursor = node.walk();
    let children = node.named_children(&mut cursor).filter(|child| child.kind() == kind);
    children.take(MAX_PARTS).collect()
}

/// Returns the leaves of a pattern. `patterns` are the node kinds above the leaves, each with the
/// step to what it binds. Without a step, it binds all its children.
pub(in crate::index::chunk) fn of_pattern<'tree>(
    pattern: Option<Node<'tree>>,
    patterns: &[(&str, &str)],
) -> Vec<Node<'tree>> {
    let mut leaves = Vec::new();
    let mut open: Vec<Node<'tree>> = pattern.into_iter().collect();
    while let Some(node) = open.pop().filter(|_| leaves.len() < MAX_PARTS) {
        match patterns.iter().find(|(kind, _)| *kind == node.kind()) {
            None => leaves.push(node),
            Some((_, "")) => {
                let mut cursor = node.walk();
                let children: Vec<_> = node.named_children(&mut cursor).take(MAX_PARTS).collect();
                open.extend(children.into_iter().rev());
            }
            Some((_, inner)) => open.extend(step(node, inner)),
        }
    }
    leaves
}
