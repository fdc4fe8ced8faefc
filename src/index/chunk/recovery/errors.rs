//! Places of errors: syntax tree → lines at which the parser may have lost its way.

use super::super::ByteRange;
use super::super::lines::offset;
use std::collections::BTreeSet;
use tree_sitter::{Node, Tree};

/// Where a syntax tree has errors.
pub(super) struct ErrorPlaces {
    /// Lines at which the parser may have lost its way, in order.
    pub(super) places: Vec<u32>,
    /// The first and the last line of each error, in order, without overlaps.
    pub(super) spans: Vec<(u32, u32)>,
}

impl ErrorPlaces {
    /// Finds the errors of a tree.
    pub(super) fn of(tree: &Tree) -> Self {
        let (mut places, mut spans) = (BTreeSet::new(), Vec::new());
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            let is_long = node.start_position().row < node.end_position().row;
            if node.is_error() && is_long {
                spans.push((first_line(node), last_line(node)));
                places.insert(first_line(node));
                places.extend(gaps(node));
            }
            if node.is_missing()
                && let Some(around) = node.parent()
            {
                spans.push((first_line(around), last_line(around)));
                places.insert(first_line(around));
            }
            // Only nodes with an error inside are entered.
            if node.has_error() && cursor.goto_first_child() {
                continue;
            }
            let mut is_end = false;
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    is_end = true;
                    break;
                }
            }
            if is_end {
                break;
            }
        }
        spans.sort_unstable();
        spans.dedup_by(|next, kept| {
            let overlaps = next.0 <= kept.1;
            kept.1 = if overlaps { kept.1.max(next.1) } else { kept.1 };
            overlaps
        });
        Self { places: places.into_iter().collect(), spans }
    }
}

/// Returns the errors of a tree that are in no other error, in order: what the parser skipped, and
/// the empty places of tokens that it missed.
pub(super) fn outermost(tree: &Tree) -> Vec<ByteRange> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let is_error = node.is_error() || node.is_missing();
        if is_error {
            found.push(ByteRange { start: offset(node.start_byte()), end: offset(node.end_byte()) });
        }
        if !is_error && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

fn first_line(node: Node<'_>) -> u32 {
    offset(node.start_position().row)
}

fn last_line(node: Node<'_>) -> u32 {
    offset(node.end_position().row)
}

/// Returns the lines at which text begins that no child of an error covers, or that one token is.
fn gaps(error: Node<'_>) -> Vec<u32> {
    let mut gaps = Vec::new();
    let mut last = error.start_position().row;
    let mut cursor = error.walk();
    for child in error.children(&mut cursor) {
        let is_skipped = child.start_position().row > last + 1;
        gaps.extend(is_skipped.then(|| offset(last)));
        // A string that nothing closes is one token.
        let is_token = child.child_count() == 0 && child.end_position().row > child.start_position().row;
        gaps.extend(is_token.then(|| first_line(child)));
        last = child.end_position().row;
    }
    if error.end_position().row > last + 1 {
        gaps.push(offset(last));
    }
    gaps
}
